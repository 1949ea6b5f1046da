/* refuse_allocation(k) makes the k-th allocation from now on fail, and returns how many were left of the number before.
 * Loaded before a program this concerns all its allocations. Sanitizers have a malloc of their own: there this file is
 * linked to the extension with --wrap, and concerns those of the extension and its static library. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_long left; /* 0: none fails */

__attribute__((visibility("default"))) long refuse_allocation(long k);
long refuse_allocation(long k) { return atomic_exchange(&left, k); }

static int is_refused(void) {
  if (atomic_load_explicit(&left, memory_order_relaxed) <= 0 || atomic_fetch_sub(&left, 1) != 1) return 0;
  errno = ENOMEM;
  return 1;
}

#ifdef WRAPPED
#define REAL(name) __real_##name
#define OURS(name) __wrap_##name
#else
#define REAL(name) __libc_##name
#define OURS(name) name
#endif
void *REAL(malloc)(size_t size);
void *REAL(calloc)(size_t count, size_t size);
void *REAL(realloc)(void *old, size_t size);
void *OURS(malloc)(size_t size) { return is_refused() ? NULL : REAL(malloc)(size); }
void *OURS(calloc)(size_t count, size_t size) { return is_refused() ? NULL : REAL(calloc)(count, size); }
void *OURS(realloc)(void *old, size_t size) { return is_refused() ? NULL : REAL(realloc)(old, size); }
