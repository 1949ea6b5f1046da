/* A check sum that costs little: Fletcher's with 32 bits, as the filter fletcher32 of HDF5 computes it. */
#ifndef PICUS_BASE_FLETCHER_H
#define PICUS_BASE_FLETCHER_H

#include <stddef.h>
#include <stdint.h>

uint32_t picus_fletcher32(const void *bytes, size_t size);
/* The sum of bytes of which the first ones, an even number, have the sum `first` and the `size` others `second`. */
uint32_t picus_fletcher32_join(uint32_t first, uint32_t second, size_t size);

#endif
