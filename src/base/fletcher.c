#include "base/fletcher.h"

#include <stdbool.h>
#include <string.h>

enum { LANES = 8, MOST_ROUNDS = 256 }; /* 65535 (1 + 2 + ... + 256) fits into 32 bits */

/* Modulo 65535, and 0 only if all words are. */
static uint32_t fold(uint64_t sum) { return sum == 0 ? 0 : (uint32_t)((sum - 1) % 65535 + 1); }

static bool is_little_endian(void) {
  const uint16_t one = 1;
  unsigned char first;
  memcpy(&first, &one, 1);
  return first == 1;
}

/* The words are those of the machine; of big-endian ones, as the definition has them, the sums modulo 65535 are the
 * same with exchanged bytes. */
static uint32_t big_endian(uint32_t sum) { return is_little_endian() ? (sum >> 8 | sum << 8) & 0xffff : sum; }

/* Rounds of LANES words each: sum is that of the words, weighted that of the sums after each word. The sum of a lane
 * after each round counts a word once for each round from its own one on, so word k of a round counts LANES times that
 * minus k. */
static void add_rounds(const unsigned char *bytes, uint32_t rounds, uint64_t *sum, uint64_t *weighted) {
  enum { NUMBERS = LANES / 4 };
  const uint64_t even_words = 0x0000ffff0000ffffu;
  uint64_t even[NUMBERS] = {0}, odd[NUMBERS] = {0};       /* two sums of 32 bits each, */
  uint64_t of_even[NUMBERS] = {0}, of_odd[NUMBERS] = {0}; /* and those after each round */
  for (uint32_t m = 0; m < rounds; m++) {
    uint64_t numbers[NUMBERS];
    memcpy(numbers, bytes + m * sizeof numbers, sizeof numbers);
    for (int j = 0; j < NUMBERS; j++) {
      even[j] += numbers[j] & even_words;
      odd[j] += numbers[j] >> 16 & even_words;
      of_even[j] += even[j];
      of_odd[j] += odd[j];
    }
  }
  *weighted += *sum * LANES * rounds;
  for (uint64_t k = 0; k < LANES; k++) {
    const uint64_t place = is_little_endian() ? k % 4 : 3 - k % 4; /* of the word in its number, from below */
    const uint64_t shift = 32 * (place / 2);
    const uint64_t *sums = place % 2 == 0 ? even : odd, *of_sums = place % 2 == 0 ? of_even : of_odd;
    const uint64_t own = sums[k / 4] >> shift & 0xffffffffu, after = of_sums[k / 4] >> shift & 0xffffffffu;
    *weighted += LANES * after - k * own;
    *sum += own;
  }
  *weighted = fold(*weighted);
}

uint32_t picus_fletcher32(const void *bytes, size_t size) {
  const unsigned char *at = bytes, *end = at + size;
  uint64_t sum = 0, weighted = 0;
  for (size_t rounds = size / (2 * LANES), now; rounds > 0; rounds -= now) {
    now = rounds < MOST_ROUNDS ? rounds : MOST_ROUNDS;
    add_rounds(at, (uint32_t)now, &sum, &weighted);
    at += now * (size_t)(2 * LANES);
  }
  for (; at < end; at += 2) {
    unsigned char pair[2] = {at[0], 0}; /* an odd number of bytes ends with a zero */
    uint16_t word;
    if (at + 1 < end) pair[1] = at[1];
    memcpy(&word, pair, sizeof word);
    sum += word;
    weighted += sum;
  }
  return big_endian(fold(weighted)) << 16 | big_endian(fold(sum));
}

uint32_t picus_fletcher32_join(uint32_t first, uint32_t second, size_t size) {
  const uint64_t words = (size + 1) / 2;
  const uint64_t sum = big_endian(first & 0xffff), more = big_endian(second & 0xffff);
  const uint64_t weighted = big_endian(first >> 16) + fold(words) * sum + big_endian(second >> 16);
  return big_endian(fold(weighted)) << 16 | big_endian(fold(sum + more));
}
