/* A source of rows without a simulation, a scratch folder, and an allocator that fails on request. */
#ifndef PICUS_TEST_RECORD_FAKE_H
#define PICUS_TEST_RECORD_FAKE_H

#include "record/internal.h"

#include "support/check.h"

#include <math.h>
#include <picus/result.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- columns and rows --- */

typedef struct fake {
  picus_context *context;
  picus_recorder *recorder;
  picus_sim_options options;
  picus_run_description run;
  int column_count;
  long next_row;
} fake;

/* Column 0 is time, every seventh a mode, the rest coordinates with values that need all their bits. */
static inline picus_column_kind fake_kind(int column) {
  return column == 0 ? PICUS_COLUMN_TIME : column % 7 == 6 ? PICUS_COLUMN_MODE : PICUS_COLUMN_COORDINATE;
}

static inline double fake_value(long row, int column) {
  if (column == 0) return 1e-3 * (double)row;
  if (fake_kind(column) == PICUS_COLUMN_MODE) return (double)((row / 3 + column) % 3);
  return sin(0.1 * (double)row + column) / (1 + column);
}

static inline picus_status fake_fill(void *source, double *row) {
  fake *f = source;
  for (int k = 0; k < f->column_count; k++) row[k] = fake_value(f->next_row, k);
  f->next_row++;
  return PICUS_OK;
}

static inline picus_status fake_columns(picus_context *context, int count, picus_column_list *list) {
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < count; k++) {
    char name[32], label[32];
    snprintf(name, sizeof name, k == 0 ? "t" : "q%d", k);
    snprintf(label, sizeof label, "coordinate %d", k);
    status = picus_columns_add(context, list, (picus_column){name, k == 0 ? "s" : "m", label, fake_kind(k)});
  }
  if (status) picus_columns_release(context, list);
  return status;
}

/* A recorder of fake columns; expected_rows: what the options promise. */
static inline picus_status fake_open(fake *f, picus_context *context, int column_count, double expected_rows) {
  *f = (fake){.context = context, .column_count = column_count};
  f->options = (picus_sim_options){.scheme = "moreau", .dt = 1, .t_end = expected_rows, .every = 1};
  f->options.solver = (picus_solver_options){.solver = "auto", .tolerance = 1e-12};
  f->run = (picus_run_description){.options = &f->options, .command = "fake"};
  picus_column_list list = {0};
  picus_status status = fake_columns(context, column_count, &list);
  return status ? status : picus_recorder_create_core(context, &f->run, &list, &f->recorder);
}

static inline picus_status fake_rows(fake *f, long count) {
  picus_status status = PICUS_OK;
  for (long k = 0; !status && k < count; k++) status = picus_recorder_add_row(f->recorder, fake_fill, f);
  return status;
}

static inline picus_summary fake_summary(picus_status status) {
  return (picus_summary){.status = status, .steps = 12345, .seconds = 2.5, .gaps.penetration_law = -1};
}

static inline picus_status fake_end(fake *f, picus_status status) {
  picus_summary summary = fake_summary(status);
  return picus_recorder_end(f->recorder, &summary);
}

/* All rows of a result are the fake's; false at the first that is not. */
static inline bool fake_matches(picus_result *result, int column_count) {
  if (picus_result_column_count(result) != column_count) return false;
  for (int k = 0; k < column_count; k++) {
    const double *values;
    if (picus_result_values(result, k, &values)) return false;
    for (long row = 0; row < picus_result_row_count(result); row++)
      if (values[row] != fake_value(row, k)) return false;
  }
  return true;
}

/* --- a folder for files --- */

static char scratch_folder[64];
static char scratch_paths[8][128];
static int scratch_next;

/* The path of a file in the scratch folder; up to eight are valid at a time. */
static inline const char *scratch(const char *name) {
  if (!scratch_folder[0]) {
    snprintf(scratch_folder, sizeof scratch_folder, "/tmp/picus-test-XXXXXX");
    if (!mkdtemp(scratch_folder)) abort();
  }
  char *path = scratch_paths[scratch_next++ % 8];
  snprintf(path, sizeof scratch_paths[0], "%s/%s", scratch_folder, name);
  return path;
}

/* Also what a process that died has left of the file. */
static inline void scratch_remove(const char *name) {
  char part[192];
  remove(scratch(name));
  snprintf(part, sizeof part, "%s.part", scratch(name));
  remove(part);
  for (int k = 1, gone = 0; !gone; k++) {
    snprintf(part, sizeof part, "%s.part.%d", scratch(name), k);
    gone = remove(part);
  }
}
static inline void scratch_end(void) {
  if (scratch_folder[0] && rmdir(scratch_folder) != 0) printf("  files are left in %s\n", scratch_folder);
}

static inline char *read_whole(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  char *bytes = malloc(*size + 1);
  if (bytes && fread(bytes, 1, *size, file) == *size)
    bytes[*size] = '\0';
  else {
    free(bytes);
    bytes = NULL;
  }
  fclose(file);
  return bytes;
}

static inline bool write_whole(const char *path, const void *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  if (!file) return false;
  bool done = fwrite(bytes, 1, size, file) == size;
  return fclose(file) == 0 && done;
}

/* --- memory that runs out --- */

/* user: int, allocations that are still granted */
static inline void *limited_allocate(void *user, void *old, size_t old_size, size_t new_size) {
  (void)old_size;
  int *left = user;
  if (new_size == 0) {
    free(old);
    return NULL;
  }
  return (*left)-- > 0 ? realloc(old, new_size) : NULL;
}

#endif
