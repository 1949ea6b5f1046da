/* Values as planes of bytes, as the filter shuffle of HDF5 arranges them: byte 0 of all values, then byte 1 of all. */
#ifndef PICUS_HDF5_PLANES_H
#define PICUS_HDF5_PLANES_H

#include <stddef.h>

/* `count` values of 8 bytes into planes of which each has space for `length` bytes. */
void picus_planes_split(const void *values, size_t count, size_t length, unsigned char *planes);
/* Planes of `count` bytes into values of `width` bytes. */
void picus_planes_join(const unsigned char *planes, size_t count, size_t width, unsigned char *values);

#endif
