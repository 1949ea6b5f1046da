/* Chunks as shuffle and deflate of HDF5 leave them: undone by zlib itself, they are the values. */
#include "hdf5/packed_chunk.h"
#include "support/check.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { MOST = 70000 }; /* more than a block of deflate that is not compressed */

/* Columns of all kinds: constant, growing, noise in some bytes, noise in all, runs, single other values. */
static double value_of(test_random *random, int kind, size_t k) {
  switch (kind) {
  case 0:
    return 0;
  case 1:
    return -1.0 / 3;
  case 2:
    return 1e-6 * (double)k;
  case 3:
    return sin(1e-3 * (double)k);
  case 4:
    return ldexp(test_uniform(random, -1, 1), test_integer(random, -900, 900));
  case 5:
    return (double)(k / 100);
  case 6:
    return k % 977 == 5 ? test_uniform(random, 0, 1) : 0;
  default:
    return test_integer(random, 0, 2);
  }
}

static const size_t widths[] = {8, 4, 1};

/* Byte j of value k, in the order of the file. */
static unsigned char byte_of(picus_packed_type type, double value, size_t j) {
  uint64_t bits = 0;
  if (type == PICUS_PACKED_DOUBLE)
    memcpy(&bits, &value, sizeof value);
  else if (type == PICUS_PACKED_SINGLE) {
    const float single = (float)value;
    uint32_t word;
    memcpy(&word, &single, sizeof word);
    bits = word;
  } else
    bits = (uint64_t)(int64_t)value;
  return (unsigned char)(bits >> (8 * j));
}

static bool unpacks(picus_packed_type type, const double *values, size_t count, size_t length, const void *packed,
                    size_t size) {
  uLongf room = (uLongf)(length * widths[type]);
  unsigned char *bytes = malloc(room + 1);
  bool fine = bytes && uncompress(bytes, &room, packed, (uLong)size) == Z_OK && room == length * widths[type];
  for (size_t j = 0; fine && j < widths[type]; j++)
    for (size_t k = 0; fine && k < length; k++)
      fine = bytes[j * length + k] == (k < count ? byte_of(type, values[k], j) : 0);
  free(bytes);
  return fine;
}

static void every_kind_of_column_unpacks(void) {
  static const size_t lengths[] = {1, 2, 3, 4, 11, 12, 13, 14, 255, 256, 257, 258, 259, 262, 272, 1000, 8192, MOST};
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  picus_packer *packer = picus_packer_create(context, MOST);
  double *values = malloc(MOST * sizeof *values);
  REQUIRE(packer && values);
  test_random random = {5};
  for (int i = 0; i < 18; i++)
    for (int kind = 0; kind < 8; kind++)
      for (int type = 0; type < 3; type++) {
        const size_t length = lengths[i], count = kind % 3 == 0 ? length : (length + 1) / 2;
        for (size_t k = 0; k < count; k++)
          values[k] = type == PICUS_PACKED_BYTE ? (double)(k / 50 % 3) : value_of(&random, kind, k);
        size_t size = 0;
        const void *packed = picus_packer_pack(packer, (picus_packed_type)type, values, count, length, &size);
        if (!CHECK(packed && unpacks((picus_packed_type)type, values, count, length, packed, size)))
          printf("  kind %d, type %d, %zu of %zu values\n", kind, type, count, length);
      }
  free(values);
  picus_packer_destroy(packer);
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

/* All 256 bytes have codes of two lengths, and runs of every length end in their own way. */
static void constant_bytes_and_runs_of_every_length(void) {
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  picus_packer *packer = picus_packer_create(context, 600);
  double values[600];
  REQUIRE(packer);
  for (int byte = -128; byte < 128; byte += 3)
    for (size_t length = 1; length <= 600; length += byte % 2 ? 1 : 7) {
      size_t size = 0;
      for (size_t k = 0; k < length; k++) values[k] = byte;
      const void *packed = picus_packer_pack(packer, PICUS_PACKED_BYTE, values, length, length, &size);
      if (!CHECK(packed && size < 80 && unpacks(PICUS_PACKED_BYTE, values, length, length, packed, size))) return;
    }
  picus_packer_destroy(packer);
  picus_context_destroy(context);
}

/* A column that does not change takes next to nothing, a smooth one less than itself, noise hardly more. */
static void sizes(void) {
  static const double most[] = {0.1, 0.1, 8, 8, 8.1, 0.2};
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  picus_packer *packer = picus_packer_create(context, 8192);
  double values[8192];
  REQUIRE(packer);
  test_random random = {6};
  for (int kind = 0; kind < 6; kind++) {
    size_t size = 0;
    for (size_t k = 0; k < 8192; k++) values[k] = value_of(&random, kind, k);
    CHECK(picus_packer_pack(packer, PICUS_PACKED_DOUBLE, values, 8192, 8192, &size) != NULL);
    if (!CHECK((double)size / 8192 < most[kind])) printf("  kind %d: %.2f bytes a value\n", kind, (double)size / 8192);
  }
  picus_packer_destroy(packer);
  picus_context_destroy(context);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"every_kind_of_column_unpacks", every_kind_of_column_unpacks},
      {"constant_bytes_and_runs_of_every_length", constant_bytes_and_runs_of_every_length},
      {"sizes", sizes},
  };
  return test_main(argc, argv, "packed_chunk", cases, sizeof cases / sizeof cases[0]);
}
