/* Checksums: one against damage, one against intent. */
#ifndef PICUS_BASE_CHECKSUMS_H
#define PICUS_BASE_CHECKSUMS_H

#include <stddef.h>
#include <stdint.h>

/* Fletcher's checksum of 32 bits, as the filter fletcher32 of HDF5 computes it: it costs little. */
uint32_t picus_fletcher32(const void *bytes, size_t size);
/* The sum of bytes of which the first ones, an even number, have the sum `first` and the `size` others `second`. */
uint32_t picus_fletcher32_join(uint32_t first, uint32_t second, size_t size);

/* SHA-256 (FIPS 180-4): names and checksums that nobody can choose. */
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
