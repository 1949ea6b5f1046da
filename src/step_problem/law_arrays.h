/* The memory of a stepper, which owns all of it: arrays whose sizes follow a law set, and others. Whoever needs an
 * array asks for it when a scheme or a stepper is created, and does not release it. When the laws change, arrays of
 * laws grow together, and those with values of laws carry them along. Systems with fixed laws allocate them once. */
#ifndef PICUS_STEP_PROBLEM_LAW_ARRAYS_H
#define PICUS_STEP_PROBLEM_LAW_ARRAYS_H

#include "base/archive.h"
#include "system/delassus.h"
#include "system/law_set.h"

/* Numbers of a system and its present laws, or those that memory is reserved for. */
typedef struct law_sizes {
  size_t nq, nu, works;
  size_t memory, memory_per_row, memory_per_law;     /* numbers that the scheme remembers */
  size_t laws, rows, W, gap_slopes, velocity_slopes; /* as in law_set */
} law_sizes;

/* Elements of an array. */
typedef size_t (*law_extent)(const law_sizes *sizes);
size_t picus_by_law(const law_sizes *sizes);
size_t picus_by_row(const law_sizes *sizes);
size_t picus_by_W(const law_sizes *sizes);
size_t picus_by_slope(const law_sizes *sizes); /* of gaps or of velocities, the larger one */

/* Values of an array with blocks follow their laws: first so many numbers per row, block after block, then so many
 * elements per law. Others are scratch. */
typedef struct law_array {
  void *place;       /* address of the pointer to the array */
  size_t unit;       /* bytes of an element; of numbers per row those of a double */
  law_extent extent; /* NULL: as the blocks need */
  int row_blocks, law_blocks;
  double missing; /* arrays of double: the value of a law that is new; others are zeroed */
  bool lent;      /* has another owner, who allocates it first and releases it */
  bool is_of_run; /* which drops it at its end, and saves it itself */
  void *memory;   /* set by picus_law_arrays_add: what is to be released */
} law_array;

static inline law_array picus_scratch(void *place, size_t unit, law_extent extent) {
  return (law_array){.place = place, .unit = unit, .extent = extent};
}
static inline law_array picus_carried_by_law(void *place, size_t unit, double missing) {
  return (law_array){.place = place, .unit = unit, .law_blocks = 1, .missing = missing};
}
static inline law_array picus_carried_by_row(void *place, int blocks) {
  return (law_array){.place = place, .unit = sizeof(double), .row_blocks = blocks};
}

typedef struct law_arrays {
  picus_context *context;
  law_sizes sizes; /* that all of them are large enough for */
  law_array *list;
  size_t count, capacity;
  delassus_matrix **matrices; /* that grow with the laws as well */
  size_t matrix_count, matrix_capacity;
  void **fixed; /* arrays that do not follow the laws */
  size_t fixed_count, fixed_capacity;
  void *scratch; /* as large as the largest array, in sets that change */
  size_t scratch_size;
} law_arrays;

void picus_law_arrays_begin(picus_context *context, const law_set *set, law_arrays *out);
/* Releases the arrays and matrices as well; the places are not written. */
void picus_law_arrays_release(law_arrays *arrays);
/* Allocates and registers; an array that is lent is registered only. */
picus_status picus_law_arrays_add(law_arrays *arrays, size_t count, const law_array *list);
picus_status picus_law_arrays_add_one(law_arrays *arrays, law_array array);
/* Scratch: arrays of elements of `unit` bytes, by the addresses of their pointers. */
#define PICUS_SCRATCH(arrays, unit, extent, ...)                                                                       \
  picus_law_arrays_add_scratch(arrays, unit, extent, sizeof((void *[]){__VA_ARGS__}) / sizeof(void *),                 \
                               (void *[]){__VA_ARGS__})
picus_status picus_law_arrays_add_scratch(law_arrays *arrays, size_t unit, law_extent extent, size_t count,
                                          void *const *places);
/* The same with `count` elements each, whatever the laws are. */
#define PICUS_FIXED(arrays, unit, count, ...)                                                                          \
  picus_law_arrays_fix(arrays, unit, count, sizeof((void *[]){__VA_ARGS__}) / sizeof(void *), (void *[]){__VA_ARGS__})
picus_status picus_law_arrays_fix(law_arrays *arrays, size_t unit, size_t count, size_t place_count,
                                  void *const *places);
/* One of these in another size, without its values; the first time, place holds NULL. */
picus_status picus_law_arrays_renew(law_arrays *arrays, size_t unit, size_t count, void *place);
picus_status picus_law_arrays_add_matrix(law_arrays *arrays, const law_set *set, delassus_matrix *matrix);
/* Releases one of them; nothing if it is not there. */
void picus_law_arrays_drop(law_arrays *arrays, void *place);
/* Room for the laws of a set. On failure all are at least as large as before. */
picus_status picus_law_arrays_reserve(law_arrays *arrays, const law_set *set);

/* From one set to the next. */
typedef struct law_change {
  const law_set *before, *now;
  const int *from; /* for each law of now: its index in before, or -1 */
} law_change;
/* Whether law i of the set before is not in the new one; to be asked for all laws in order, *next is 0 at first. */
static inline bool picus_law_vanishes(const law_change *change, int i, int *next) {
  while (*next < change->now->law_count && change->from[*next] < i) ++*next;
  return *next == change->now->law_count || change->from[*next] != i;
}
void picus_law_arrays_carry(law_arrays *arrays, const law_change *change);
/* All arrays with values of laws, for the laws of a set. */
void picus_law_arrays_archive(const law_arrays *arrays, const law_set *set, picus_archive *archive);
/* One array, to other memory. */
void picus_carry_by_law(const law_change *change, const void *from, void *to, size_t unit, double missing);
void picus_carry_by_row(const law_change *change, const double *from, double *to);

#endif
