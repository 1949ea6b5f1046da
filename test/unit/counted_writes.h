/* A process that ends at its n-th write to a file: for tests of what a crash leaves behind. Included once in a program.
 */
#ifndef PICUS_TEST_COUNTED_WRITES_H
#define PICUS_TEST_COUNTED_WRITES_H

#include <sys/types.h>
#include <unistd.h>

static long writes_left = -1; /* until this process ends; negative: for ever */
static long writes_done;

/* Stands in for the system's function, of which the library calls one or the other name. */
static ssize_t counted_write(int descriptor, const void *bytes, size_t size, off_t offset) {
  if (writes_left == 0) _exit(0);
  if (writes_left > 0) writes_left--;
  writes_done++;
  return lseek(descriptor, offset, SEEK_SET) < 0 ? -1 : write(descriptor, bytes, size);
}
ssize_t pwrite(int descriptor, const void *bytes, size_t size, off_t offset) {
  return counted_write(descriptor, bytes, size, offset);
}
ssize_t pwrite64(int descriptor, const void *bytes, size_t size, off_t offset);
ssize_t pwrite64(int descriptor, const void *bytes, size_t size, off_t offset) {
  return counted_write(descriptor, bytes, size, offset);
}

#endif
