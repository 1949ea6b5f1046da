/* An allocator for contexts that counts what is asked for and refuses what a test wants it to. */
#ifndef PICUS_TEST_ALLOCATIONS_H
#define PICUS_TEST_ALLOCATIONS_H

#include <limits.h>
#include <stdlib.h>

typedef struct test_allocations {
  long calls;       /* blocks asked for, new or larger */
  long outstanding; /* blocks not given back */
  long granted;     /* from the call of this number on, counted from 0, ... */
  long refused;     /* ... so many get nothing */
} test_allocations;

/* All are granted; the n-th is refused; only the first n are granted. */
static inline test_allocations test_grant_all(void) { return (test_allocations){0}; }
static inline test_allocations test_refuse_one(long n) { return (test_allocations){.granted = n, .refused = 1}; }
static inline test_allocations test_grant_first(long n) {
  return (test_allocations){.granted = n, .refused = LONG_MAX - n};
}

/* For picus_context_def.allocate, with a test_allocations as its user. */
static inline void *test_allocate(void *user, void *old, size_t old_size, size_t new_size) {
  test_allocations *a = user;
  (void)old_size;
  if (new_size == 0) {
    if (old) a->outstanding--;
    free(old);
    return NULL;
  }
  long number = a->calls++;
  if (number >= a->granted && number - a->granted < a->refused) return NULL;
  void *block = realloc(old, new_size);
  if (block && !old) a->outstanding++;
  return block;
}

#endif
