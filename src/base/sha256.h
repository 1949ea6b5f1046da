/* SHA-256 (FIPS 180-4): names and check sums that nobody can choose. */
#ifndef PICUS_BASE_SHA256_H
#define PICUS_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { PICUS_SHA256_SIZE = 32, PICUS_SHA256_TEXT_SIZE = 65 };

typedef struct picus_sha256 {
  uint32_t state[8];
  uint64_t length; /* bytes so far */
  unsigned char block[64];
} picus_sha256;

void picus_sha256_begin(picus_sha256 *hash);
void picus_sha256_add(picus_sha256 *hash, const void *bytes, size_t size);
void picus_sha256_end(picus_sha256 *hash, unsigned char digest[PICUS_SHA256_SIZE]);
/* As hexadecimal digits. */
void picus_sha256_text(const unsigned char digest[PICUS_SHA256_SIZE], char text[PICUS_SHA256_TEXT_SIZE]);

#endif
