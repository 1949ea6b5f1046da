/* The check sum of columns against its definition. */
#include "base/checksums.h"
#include "support/check.h"

#include <stdlib.h>

/* J. G. Fletcher: An arithmetic checksum for serial transmissions. IEEE Transactions on Communications 30 (1982). */
static uint32_t by_definition(const unsigned char *bytes, size_t size) {
  uint64_t sum = 0, of_sums = 0;
  for (size_t k = 0; k < size; k += 2) {
    sum += (uint64_t)bytes[k] << 8 | (k + 1 < size ? bytes[k + 1] : 0);
    of_sums += sum;
  }
  if (sum > 0) sum = (sum - 1) % 65535 + 1;
  if (of_sums > 0) of_sums = (of_sums - 1) % 65535 + 1;
  return (uint32_t)(of_sums << 16 | sum);
}

static uint64_t draw(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

/* Below `most`. */
static size_t draw_size(uint64_t *state, size_t most) { return (size_t)(draw(state) % most); }

static void sums_are_those_of_the_definition(void) {
  enum { MOST = 20000 };
  uint64_t state = 88172645463325252u;
  unsigned char *bytes = malloc(MOST);
  REQUIRE(bytes);
  for (int trial = 0; trial < 400; trial++) {
    const size_t size = draw_size(&state, MOST);
    for (size_t k = 0; k < size; k++) {
      const uint64_t any = draw(&state);
      const unsigned char kinds[] = {0, 255, any % 64 == 0, (unsigned char)any};
      bytes[k] = kinds[trial % 4];
    }
    CHECK(picus_fletcher32(bytes, size) == by_definition(bytes, size));
  }
  free(bytes);
}

static void sums_can_be_joined(void) {
  enum { MOST = 5000 };
  uint64_t state = 362436069u;
  unsigned char bytes[MOST];
  for (int trial = 0; trial < 400; trial++) {
    const size_t size = draw_size(&state, MOST), first = size > 1 ? 2 * draw_size(&state, size / 2) : 0;
    for (size_t k = 0; k < size; k++) {
      const uint64_t any = draw(&state);
      const unsigned char kinds[] = {0, 255, any % 64 == 0, (unsigned char)any};
      bytes[k] = kinds[(trial + (k < first)) % 4];
    }
    const uint32_t joined = picus_fletcher32_join(picus_fletcher32(bytes, first),
                                                  picus_fletcher32(bytes + first, size - first), size - first);
    CHECK(joined == picus_fletcher32(bytes, size));
  }
}

static void every_bit_counts(void) {
  unsigned char bytes[1030] = {0};
  for (size_t k = 0; k < sizeof bytes; k++) bytes[k] = (unsigned char)(37 * k + 11);
  const uint32_t sum = picus_fletcher32(bytes, sizeof bytes);
  for (size_t k = 0; k < 8 * sizeof bytes; k++) {
    bytes[k / 8] ^= (unsigned char)(1u << k % 8);
    CHECK(picus_fletcher32(bytes, sizeof bytes) != sum);
    bytes[k / 8] ^= (unsigned char)(1u << k % 8);
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"sums_are_those_of_the_definition", sums_are_those_of_the_definition},
      {"sums_can_be_joined", sums_can_be_joined},
      {"every_bit_counts", every_bit_counts},
  };
  return test_main(argc, argv, "fletcher", cases, (int)(sizeof cases / sizeof *cases));
}
