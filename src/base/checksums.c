/* Checksums of bytes: Fletcher's sum finds damaged data at little cost, SHA-256 (FIPS 180-4) gives names that nobody
 * can choose. */
#include "base/checksums.h"

#include <stdbool.h>
#include <string.h>

/* --- Fletcher ----------------------------------------------------------------------------------------------------- */

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

/* --- SHA-256 ------------------------------------------------------------------------------------------------------ */

static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turned(uint32_t x, int bits) { return x >> bits | x << (32 - bits); }

static uint32_t word_of_bytes(const unsigned char *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void add_block(uint32_t state[8], const unsigned char *block) {
  uint32_t w[64], s[8];
  for (int t = 0; t < 16; t++) w[t] = word_of_bytes(block + 4 * t);
  for (int t = 16; t < 64; t++) {
    const uint32_t a = w[t - 15], b = w[t - 2];
    w[t] = w[t - 16] + (turned(a, 7) ^ turned(a, 18) ^ a >> 3) + w[t - 7] + (turned(b, 17) ^ turned(b, 19) ^ b >> 10);
  }
  memcpy(s, state, sizeof s);
  for (int t = 0; t < 64; t++) {
    const uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]), majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
    const uint32_t first =
        s[7] + (turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25)) + choice + round_constants[t] + w[t];
    const uint32_t second = (turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)) + majority;
    memmove(s + 1, s, 7 * sizeof *s);
    s[4] += first;
    s[0] = first + second;
  }
  for (int i = 0; i < 8; i++) state[i] += s[i];
}

void picus_sha256_begin(picus_sha256 *hash) {
  *hash = (picus_sha256){
      .state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void picus_sha256_add(picus_sha256 *hash, const void *bytes, size_t size) {
  const unsigned char *next = bytes;
  while (size > 0) {
    const size_t filled = (size_t)(hash->length % 64), room = 64 - filled, part = size < room ? size : room;
    memcpy(hash->block + filled, next, part);
    hash->length += part;
    next += part;
    size -= part;
    if (part == room) add_block(hash->state, hash->block);
  }
}

void picus_sha256_end(picus_sha256 *hash, unsigned char digest[PICUS_SHA256_SIZE]) {
  static const unsigned char padding[64] = {0x80};
  const uint64_t bits = 8 * hash->length;
  const size_t filled = (size_t)(hash->length % 64);
  unsigned char length[8];
  for (int i = 0; i < 8; i++) length[i] = (unsigned char)(bits >> (56 - 8 * i));
  picus_sha256_add(hash, padding, filled < 56 ? 56 - filled : 120 - filled);
  picus_sha256_add(hash, length, sizeof length);
  for (int i = 0; i < PICUS_SHA256_SIZE; i++) digest[i] = (unsigned char)(hash->state[i / 4] >> (24 - 8 * (i % 4)));
}

void picus_sha256_text(const unsigned char digest[PICUS_SHA256_SIZE], char text[PICUS_SHA256_TEXT_SIZE]) {
  static const char digits[] = "0123456789abcdef";
  for (int i = 0; i < PICUS_SHA256_SIZE; i++) {
    text[2 * i] = digits[digest[i] >> 4];
    text[2 * i + 1] = digits[digest[i] & 15];
  }
  text[PICUS_SHA256_TEXT_SIZE - 1] = '\0';
}
