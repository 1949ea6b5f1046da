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

#endif
