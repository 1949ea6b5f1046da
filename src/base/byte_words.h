/* Words of eight bytes in files and texts. */
#ifndef PICUS_BASE_WORDS_H
#define PICUS_BASE_WORDS_H

#include <stdint.h>
#include <string.h>

/* The lowest byte first, on any machine. Compilers make eight shifts and stores of the loop instead of one store. */
static inline void picus_put_word(uint64_t word, void *to) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  memcpy(to, &word, sizeof word);
#else
  unsigned char *byte = to;
  for (int k = 0; k < 8; k++) byte[k] = (unsigned char)(word >> (8 * k));
#endif
}

static inline uint64_t picus_get_word(const void *from) {
  uint64_t word = 0;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  memcpy(&word, from, sizeof word);
#else
  const unsigned char *byte = from;
  for (int k = 7; k >= 0; k--) word = word << 8 | byte[k];
#endif
  return word;
}

#endif
