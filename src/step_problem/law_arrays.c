/* Memory of a stepper: arrays that follow the number of laws, and others. */
#include "step_problem/law_arrays.h"

#include "base/internal.h"

#include <string.h>

enum { USUALLY = 96 }; /* arrays of a stepper */

size_t picus_by_law(const law_sizes *n) { return n->laws; }
size_t picus_by_row(const law_sizes *n) { return n->rows; }
size_t picus_by_W(const law_sizes *n) { return n->W; }
size_t picus_by_slope(const law_sizes *n) {
  return n->gap_slopes > n->velocity_slopes ? n->gap_slopes : n->velocity_slopes;
}

static size_t elements_of(const law_array *array, const law_sizes *n) {
  if (array->extent) return array->extent(n);
  return (size_t)array->row_blocks * n->rows + (size_t)array->law_blocks * n->laws;
}

static law_sizes sizes_of(const law_set *set) {
  return (law_sizes){.nq = (size_t)set->system->nq,
                     .nu = (size_t)set->system->nu,
                     .works = (size_t)set->system->work_count,
                     .laws = (size_t)set->law_count,
                     .rows = (size_t)set->row_count,
                     .W = set->W_size,
                     .gap_slopes = set->gap_q_size,
                     .velocity_slopes = set->Q_size};
}

void picus_law_arrays_begin(picus_context *context, const law_set *set, law_arrays *out) {
  *out = (law_arrays){.context = context, .sizes = sizes_of(set)};
}

void picus_law_arrays_release(law_arrays *a) {
  if (!a->context) return;
  for (size_t i = 0; i < a->matrix_count; i++) picus_delassus_release(a->context, a->matrices[i]);
  for (size_t i = 0; i < a->count; i++)
    if (!a->list[i].lent) picus_release(a->context, a->list[i].memory);
  for (size_t i = 0; i < a->fixed_count; i++) picus_release(a->context, a->fixed[i]);
  picus_release(a->context, a->fixed);
  picus_release(a->context, a->list);
  picus_release(a->context, a->matrices);
  picus_release(a->context, a->scratch);
  *a = (law_arrays){0};
}

static void set_place(law_array *array, void *memory) {
  void **place = array->place;
  *place = array->memory = memory;
}

picus_status picus_law_arrays_add_one(law_arrays *a, law_array array) {
  if (!a->list) {
    a->list = picus_allocate(a->context, USUALLY, sizeof *a->list);
    if (!a->list) return PICUS_ERROR_MEMORY;
    a->capacity = USUALLY;
  }
  picus_status status = picus_grow(a->context, &a->list, a->count, &a->capacity, sizeof *a->list);
  if (status) return status;
  law_array *own = &a->list[a->count];
  *own = array;
  if (!own->lent) {
    void *memory = picus_allocate(a->context, elements_of(own, &a->sizes), own->unit);
    if (!memory) return PICUS_ERROR_MEMORY;
    set_place(own, memory);
  }
  a->count++;
  return PICUS_OK;
}

picus_status picus_law_arrays_add(law_arrays *a, size_t count, const law_array *list) {
  picus_status status = PICUS_OK;
  for (size_t i = 0; !status && i < count; i++) status = picus_law_arrays_add_one(a, list[i]);
  return status;
}

picus_status picus_law_arrays_add_scratch(law_arrays *a, size_t unit, law_extent extent, size_t count,
                                          void *const *places) {
  picus_status status = PICUS_OK;
  for (size_t i = 0; !status && i < count; i++)
    status = picus_law_arrays_add_one(a, picus_scratch(places[i], unit, extent));
  return status;
}

picus_status picus_law_arrays_fix(law_arrays *a, size_t unit, size_t count, size_t place_count, void *const *places) {
  picus_status status = PICUS_OK;
  for (size_t i = 0; !status && i < place_count; i++) {
    void **place = places[i];
    status = picus_grow(a->context, &a->fixed, a->fixed_count, &a->fixed_capacity, sizeof *a->fixed);
    if (status) return status;
    *place = a->fixed[a->fixed_count++] = picus_allocate(a->context, count, unit);
    if (!*place) status = PICUS_ERROR_MEMORY;
  }
  return status;
}

picus_status picus_law_arrays_renew(law_arrays *a, size_t unit, size_t count, void *place) {
  void **array = place;
  size_t k = 0;
  while (k < a->fixed_count && a->fixed[k] != *array) k++;
  if (k == a->fixed_count) return picus_law_arrays_fix(a, unit, count, 1, &place);
  picus_release(a->context, *array);
  *array = a->fixed[k] = picus_allocate(a->context, count, unit);
  return *array ? PICUS_OK : PICUS_ERROR_MEMORY;
}

picus_status picus_law_arrays_add_matrix(law_arrays *a, const law_set *set, delassus_matrix *matrix) {
  picus_status status =
      picus_grow(a->context, &a->matrices, a->matrix_count, &a->matrix_capacity, sizeof(delassus_matrix *));
  if (status) return status;
  a->matrices[a->matrix_count++] = matrix;
  return picus_delassus_create(a->context, set, matrix);
}

/* Arrays of a run come last. */
void picus_law_arrays_drop(law_arrays *a, void *place) {
  for (size_t i = a->count; i-- > 0;) {
    if (a->list[i].place != place) continue;
    if (!a->list[i].lent) picus_release(a->context, a->list[i].memory);
    a->list[i] = a->list[--a->count];
    return;
  }
}

/* --- growth --------------------------------------------------------------------------------------------------- */

static size_t grown(size_t need, size_t capacity) { return need > capacity ? need + need / 2 + 8 : capacity; }

static law_sizes larger_sizes(const law_sizes *n, const law_sizes *capacity) {
  law_sizes larger = *capacity;
  larger.laws = grown(n->laws, capacity->laws);
  larger.rows = grown(n->rows, capacity->rows);
  larger.W = grown(n->W, capacity->W);
  larger.gap_slopes = grown(n->gap_slopes, capacity->gap_slopes);
  larger.velocity_slopes = grown(n->velocity_slopes, capacity->velocity_slopes);
  return larger;
}

static picus_status grow(law_arrays *a, law_array *array, const law_sizes *larger) {
  void **place = array->place;
  const size_t count = elements_of(array, &a->sizes), more = elements_of(array, larger);
  if (more <= count) return PICUS_OK;
  void *memory = picus_allocate(a->context, more, array->unit);
  if (!memory) return PICUS_ERROR_MEMORY;
  if (count > 0) memcpy(memory, *place, count * array->unit);
  picus_release(a->context, *place);
  set_place(array, memory);
  return PICUS_OK;
}

static picus_status grow_scratch(law_arrays *a, const law_sizes *larger) {
  size_t most = 0;
  for (size_t i = 0; i < a->count; i++) {
    const size_t size = elements_of(&a->list[i], larger) * a->list[i].unit;
    if (size > most) most = size;
  }
  if (most <= a->scratch_size) return PICUS_OK;
  void *scratch = picus_allocate(a->context, most, 1);
  if (!scratch) return PICUS_ERROR_MEMORY;
  picus_release(a->context, a->scratch);
  a->scratch = scratch;
  a->scratch_size = most;
  return PICUS_OK;
}

picus_status picus_law_arrays_reserve(law_arrays *a, const law_set *set) {
  const law_sizes need = sizes_of(set);
  const law_sizes larger = larger_sizes(&need, &a->sizes);
  picus_status status = grow_scratch(a, &larger);
  for (size_t i = 0; !status && i < a->count; i++) status = grow(a, &a->list[i], &larger);
  for (size_t i = 0; !status && i < a->matrix_count; i++)
    status = picus_delassus_follow(a->context, set, a->matrices[i]);
  if (!status) a->sizes = larger;
  return status;
}

/* --- change --------------------------------------------------------------------------------------------------- */

void picus_carry_by_law(const law_change *change, const void *from, void *to, size_t unit, double missing) {
  for (int i = 0; i < change->now->law_count; i++) {
    char *own = (char *)to + (size_t)i * unit;
    if (change->from[i] >= 0)
      memcpy(own, (const char *)from + (size_t)change->from[i] * unit, unit);
    else if (missing != 0)
      memcpy(own, &missing, unit);
    else
      memset(own, 0, unit);
  }
}

void picus_carry_by_row(const law_change *change, const double *from, double *to) {
  for (int i = 0; i < change->now->law_count; i++) {
    const picus_system_law *law = &change->now->laws[i].data;
    const double *old = change->from[i] >= 0 ? from + change->before->laws[change->from[i]].data.first_row : NULL;
    for (int r = 0; r < law->dim; r++) to[law->first_row + r] = old ? old[r] : 0;
  }
}

static void carry(law_arrays *a, const law_change *change, const law_array *array) {
  void **place = array->place;
  const size_t rows = (size_t)change->before->row_count, rows_now = (size_t)change->now->row_count;
  const size_t laws = (size_t)change->before->law_count * array->unit,
               laws_now = (size_t)change->now->law_count * array->unit;
  const size_t by_row = (size_t)array->row_blocks, by_law = (size_t)array->law_blocks;
  memcpy(a->scratch, *place, by_row * rows * sizeof(double) + by_law * laws);
  const double *from = a->scratch;
  double *to = *place;
  for (size_t k = 0; k < by_row; k++) picus_carry_by_row(change, from + k * rows, to + k * rows_now);
  const char *laws_from = (const char *)(from + by_row * rows);
  char *laws_to = (char *)(to + by_row * rows_now);
  for (size_t k = 0; k < by_law; k++)
    picus_carry_by_law(change, laws_from + k * laws, laws_to + k * laws_now, array->unit, array->missing);
}

void picus_law_arrays_carry(law_arrays *a, const law_change *change) {
  for (size_t i = 0; i < a->count; i++)
    if (a->list[i].row_blocks + a->list[i].law_blocks > 0) carry(a, change, &a->list[i]);
}

void picus_law_arrays_archive(const law_arrays *a, const law_set *set, picus_archive *archive) {
  picus_archive_mark(archive, "arrays of laws");
  const law_sizes n = sizes_of(set);
  for (size_t i = 0; i < a->count; i++) {
    const law_array *array = &a->list[i];
    void *const *place = array->place;
    if (array->row_blocks + array->law_blocks == 0 || array->is_of_run) continue;
    const size_t bytes =
        (size_t)array->row_blocks * n.rows * sizeof(double) + (size_t)array->law_blocks * n.laws * array->unit;
    picus_archive_same(archive, bytes, "an array of laws has another size");
    picus_archive_bytes(archive, *place, bytes);
  }
}
