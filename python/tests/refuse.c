/* Loaded before a program: refuse_allocation(k) makes the k-th allocation from now on fail, and returns how many
 * were left of the number before. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_long left; /* 0: none fails */

long refuse_allocation(long k) { return atomic_exchange(&left, k); }

static int is_refused(void) {
  if (atomic_load_explicit(&left, memory_order_relaxed) <= 0 || atomic_fetch_sub(&left, 1) != 1) return 0;
  errno = ENOMEM;
  return 1;
}

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *malloc(size_t size) { return is_refused() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return is_refused() ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return is_refused() ? NULL : __libc_realloc(old, size); }
