/* Motions in memory: read from a result file, or recorded by a sink that keeps everything. */
#include "base/internal.h"
#include "reference/internal.h"

#include <string.h>

int picus_trajectory_find_near(const trajectory *t, const char *name, int start) {
  for (int i = 0; i < t->column_count; i++) {
    const int k = (start + i) % t->column_count;
    if (strcmp(t->columns[k].name, name) == 0) return k;
  }
  return -1;
}

int picus_trajectory_find(const trajectory *t, const char *name) { return picus_trajectory_find_near(t, name, 0); }

/* --- from a file -------------------------------------------------------------------------------------------------- */

static picus_status read_columns(picus_context *context, picus_result *result, trajectory *out) {
  size_t count = (size_t)picus_result_column_count(result);
  picus_column *columns = picus_allocate(context, count, sizeof *columns);
  const double **values = picus_allocate(context, count, sizeof *values);
  out->columns = columns;
  out->values = values;
  out->result = result;
  if (!columns || !values) return PICUS_ERROR_MEMORY;
  out->column_count = (int)count;
  out->row_count = picus_result_row_count(result);
  picus_status status = PICUS_OK;
  for (int k = 0; k < out->column_count; k++) columns[k] = picus_result_column(result, k);
  if (count > 0) status = picus_trajectory_load(context, out, 0);
  return status;
}

picus_status picus_trajectory_load(picus_context *context, const trajectory *t, int column) {
  if (!t->result || t->values[column]) return PICUS_OK;
  double *values = picus_allocate(context, (size_t)t->row_count, sizeof *values);
  t->values[column] = values;
  return values ? picus_result_read(t->result, column, values) : PICUS_ERROR_MEMORY;
}

void picus_trajectory_unload(picus_context *context, const trajectory *t, int column) {
  if (!t->result || column == 0) return; /* the time stays */
  picus_release(context, (void *)t->values[column]);
  t->values[column] = NULL;
}

static picus_status read_laws(picus_context *context, picus_result *result, trajectory *out) {
  int count = picus_result_law_count(result);
  const char **laws = picus_allocate(context, (size_t)count, sizeof *laws);
  uint64_t *keys = picus_allocate(context, (size_t)count, sizeof *keys);
  out->laws = laws;
  out->law_keys = keys;
  if (!laws || !keys) return PICUS_ERROR_MEMORY;
  out->law_count = count;
  for (int k = 0; k < count; k++) {
    const picus_result_law law = picus_result_law_at(result, k);
    laws[k] = law.name;
    keys[k] = law.key;
  }
  out->switching_count = picus_result_switching_count(result);
  return out->switching_count < 0 ? PICUS_OK : picus_result_switchings(result, &out->switchings);
}

picus_status picus_trajectory_of_result(picus_context *context, picus_result *result, trajectory *out) {
  *out = (trajectory){0};
  picus_status status = read_columns(context, result, out);
  if (!status) status = read_laws(context, result, out);
  if (!status && (out->column_count == 0 || out->columns[0].kind != PICUS_COLUMN_TIME))
    status = picus_fail(context, PICUS_ERROR_IO, "a result without times cannot be compared");
  if (status) picus_trajectory_release(context, out);
  return status;
}

void picus_trajectory_release(picus_context *context, trajectory *t) {
  for (int k = 0; t->result && t->values && k < t->column_count; k++) picus_release(context, (void *)t->values[k]);
  picus_release(context, (void *)t->columns);
  picus_release(context, (void *)t->values);
  picus_release(context, (void *)t->laws);
  picus_release(context, (void *)t->law_keys);
  *t = (trajectory){0};
}

/* --- from a run --------------------------------------------------------------------------------------------------- */

static picus_status memory_open(void *self, const picus_run_description *run, int column_count,
                                const picus_column *columns) {
  memory_trajectory *memory = self;
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < column_count; k++)
    status = picus_columns_add(memory->context, &memory->columns, columns[k]);
  if (status) return status;
  memory->values = picus_allocate(memory->context, (size_t)column_count, sizeof *memory->values);
  memory->law_count = picus_system_law_count(run->system);
  memory->laws = picus_allocate(memory->context, (size_t)memory->law_count, sizeof *memory->laws);
  if (!memory->values || !memory->laws) return PICUS_ERROR_MEMORY;
  for (int k = 0; k < memory->law_count; k++) memory->laws[k] = picus_system_law_at(run->system, k).name;
  return PICUS_OK;
}

static picus_status reserve_rows(memory_trajectory *memory, long count) {
  if (count <= memory->row_capacity) return PICUS_OK;
  long capacity = 2 * memory->row_capacity > count ? 2 * memory->row_capacity : count;
  for (size_t k = 0; k < memory->columns.count; k++) {
    double *grown = picus_reallocate(memory->context, memory->values[k], (size_t)capacity, sizeof *grown);
    if (!grown) return PICUS_ERROR_MEMORY;
    memory->values[k] = grown;
  }
  memory->row_capacity = capacity;
  return PICUS_OK;
}

static picus_status memory_write(void *self, long row_count, int column_count, const double *rows) {
  memory_trajectory *memory = self;
  picus_status status = reserve_rows(memory, memory->row_count + row_count);
  if (status) return status;
  for (long i = 0; i < row_count; i++, memory->row_count++)
    for (int k = 0; k < column_count; k++) memory->values[k][memory->row_count] = rows[i * column_count + k];
  return PICUS_OK;
}

static picus_status memory_write_switchings(void *self, long count, const picus_switching *switchings) {
  memory_trajectory *memory = self;
  for (long k = 0; k < count; k++) {
    picus_status status = picus_grow(memory->context, &memory->switchings, memory->switching_count,
                                     &memory->switching_capacity, sizeof *memory->switchings);
    if (status) return status;
    memory->switchings[memory->switching_count++] = switchings[k];
  }
  return PICUS_OK;
}

picus_sink picus_memory_sink(picus_context *context, memory_trajectory *memory) {
  memory->context = context;
  return (picus_sink){
      .self = memory, .open = memory_open, .write = memory_write, .write_switchings = memory_write_switchings};
}

void picus_memory_release(memory_trajectory *memory) {
  if (!memory->context) return;
  for (size_t k = 0; memory->values && k < memory->columns.count; k++)
    picus_release(memory->context, memory->values[k]);
  picus_release(memory->context, memory->values);
  picus_columns_release(memory->context, &memory->columns);
  picus_release(memory->context, memory->switchings);
  picus_release(memory->context, memory->laws);
  *memory = (memory_trajectory){0};
}

trajectory picus_memory_view(const memory_trajectory *memory) {
  return (trajectory){.column_count = (int)memory->columns.count,
                      .columns = memory->columns.columns,
                      .row_count = memory->row_count,
                      .values = (const double **)memory->values,
                      .law_count = memory->law_count,
                      .laws = memory->laws,
                      .switching_count = (long)memory->switching_count,
                      .switchings = memory->switchings};
}
