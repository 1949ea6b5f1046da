/* Used by every module: memory through the context's hook, failing with a message, checks of numbers, the nearest known
 * name. */
#ifndef PICUS_BASE_INTERNAL_H
#define PICUS_BASE_INTERNAL_H

#include <math.h>
#include <picus/base.h>
#include <stdarg.h>
#include <stddef.h>

/* Memory. Blocks are zeroed, remember their size and are counted on the context. On failure NULL, with the error set.
 * A count of 0 gives a valid block. */
void *picus_allocate(picus_context *context, size_t count, size_t size);
/* Without zeros, for large blocks that are written before they are read. */
void *picus_allocate_unset(picus_context *context, size_t count, size_t size);
/* Grows or shrinks; new bytes are zeroed; on failure NULL and the old block stays. old may be NULL. */
void *picus_reallocate(picus_context *context, void *old, size_t count, size_t size);
/* Bytes that the block has gained are as the allocator left them. */
void *picus_reallocate_unset(picus_context *context, void *old, size_t count, size_t size);
void picus_release(picus_context *context, void *block); /* NULL is fine */
char *picus_copy_text(picus_context *context, const char *text);
/* Grows an array for one more element: *array of *capacity elements, count in use. */
picus_status picus_grow(picus_context *context, void *array_pointer, size_t count, size_t *capacity, size_t size);

/* From now on, objects of the context may hold at most this many more bytes than now; an allocation beyond the limit
 * fails as if memory had run out. picus_memory_unlimit removes the limit and returns whether it was exceeded. */
void picus_memory_limit(picus_context *context, size_t bytes);
bool picus_memory_unlimit(picus_context *context);

/* A context within another one, for an object that several threads change in turn, behind a lock: it has the hooks of
 * its parent, and its memory counts on both. Destroy it before the parent. */
picus_status picus_context_create_within(picus_context *parent, picus_context **out);
/* The same for an object that a task uses while others run: the lock guards the allocator, which the contexts share, so
 * that one call of it ends before the next begins. All contexts that are in use at the same time have the same lock. */
struct picus_lock;
picus_status picus_context_create_beside(picus_context *parent, struct picus_lock *lock, picus_context **out);
/* The same, and all that it holds can return to an earlier moment: a rewind gives every block of the context the place
 * and the contents that it had at the last mark, and takes those that came later, whoever still points to them. Without
 * a mark it takes all. Destroying the context releases its blocks. */
picus_status picus_context_create_rewindable(picus_context *parent, struct picus_lock *lock, picus_context **out);
picus_status picus_context_mark(picus_context *context);
void picus_context_rewind(picus_context *context);

/* PICUS_OK if the heap of the C library could provide this many bytes: checked before calling a library that uses this
 * heap and does not handle a failed allocation. */
picus_status picus_check_heap(picus_context *context, size_t bytes);

/* Stores status and message in the error slot of the context and returns the status. NULL: only returns it. */
picus_status picus_fail(picus_context *context, picus_status status, const char *format, ...) PICUS_PRINTF(3, 4);
#ifdef __clang_analyzer__ /* it cannot see that the status comes back */
#define picus_fail(context, status, ...) ((void)(picus_fail)(context, status, __VA_ARGS__), (status))
#endif
/* The same with the place in a model file; file may be NULL. */
picus_status picus_fail_at(picus_context *context, picus_status status, const char *file, int line, const char *format,
                           ...) PICUS_PRINTF(5, 6);
void picus_log(picus_context *context, picus_log_level level, const char *format, ...) PICUS_PRINTF(3, 4);

/* Whether all numbers are finite, by one comparison: 0 times a number is 0 unless the number is infinite or none. Many
 * numbers are taken several at a time. */
static inline bool picus_many_finite(const double *values, size_t count) {
  double zero[8] = {0}; /* eight products side by side: none waits for another */
  size_t i = 0;
  for (; i + 8 <= count; i += 8)
    for (size_t k = 0; k < 8; k++) zero[k] *= values[i + k];
  for (; i < count; i++) zero[0] *= values[i];
  return ((zero[0] + zero[1]) + (zero[2] + zero[3])) + ((zero[4] + zero[5]) + (zero[6] + zero[7])) == 0;
}
static inline bool picus_all_finite(const double *values, size_t count) {
  if (count == 3) return ((0 * values[0]) * values[1]) * values[2] == 0;
  if (count == 2) return (0 * values[0]) * values[1] == 0;
  if (count == 1) return 0 * values[0] == 0;
  if (count > 8) return picus_many_finite(values, count);
  double zero = 0;
  for (size_t i = 0; i < count; i++) zero *= values[i];
  return zero == 0;
}

/* The larger of two numbers: fmax without its call; a NaN in `value` is not larger, a NaN in `largest` stays. */
static inline double picus_larger(double largest, double value) { return value > largest ? value : largest; }
static inline int picus_larger_int(int a, int b) { return a > b ? a : b; }
static inline size_t picus_larger_size(size_t a, size_t b) { return a > b ? a : b; }

/* Among candidates visited by next(user, k) (NULL ends), the one closest to name by edit distance, or NULL if none is
 * near enough to be meant. */
const char *picus_nearest_name(const char *name, const char *(*next)(const void *user, int k), const void *user);

/* The largest number of an array, by its absolute value. */

/* 0: there is none above 0, and *place stays. */
static inline double picus_largest_of(size_t count, const double *values, size_t *place) {
  double largest = 0;
  for (size_t i = 0; i < count; i++)
    if (fabs(values[i]) > largest) {
      largest = fabs(values[i]);
      *place = i;
    }
  return largest;
}

#endif
