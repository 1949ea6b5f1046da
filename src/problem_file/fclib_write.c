/* The HDF5 layout of FCLIB, writing side. */
#include "base/internal.h"
#include "hdf5/whole_file.h"
#include "problem_file/internal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Lists may be empty. */
static bool put_list(hid_t group, const char *name, hid_t stored, hid_t type, size_t count, const void *values) {
  hsize_t extent = count;
  hid_t space = H5Screate_simple(1, &extent, NULL), creation = H5Pcreate(H5P_DATASET_CREATE), dataset = -1;
  if (space >= 0 && creation >= 0 && H5Pset_obj_track_times(creation, false) >= 0)
    dataset = H5Dcreate2(group, name, stored, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  bool done = dataset >= 0 && (count == 0 || H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  if (dataset >= 0) H5Dclose(dataset);
  if (creation >= 0) H5Pclose(creation);
  if (space >= 0) H5Sclose(space);
  return done;
}

static bool put_numbers(hid_t group, const char *name, size_t count, const double *values) {
  return put_list(group, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, count, values);
}

static bool put_integers(hid_t group, const char *name, size_t count, const int *values) {
  return put_list(group, name, H5T_STD_I32LE, H5T_NATIVE_INT, count, values);
}

static bool put_integer(hid_t group, const char *name, int value) { return put_integers(group, name, 1, &value); }

/* With its terminating zero, which FCLIB relies on. */
static bool put_text(picus_context *context, hid_t group, const char *name, const char *text) {
  return !text || picus_hdf5_put_text(context, group, name, text, strlen(text) + 1);
}

/* --- matrices by columns --------------------------------------------------------------------------------------- */

static int by_row(const void *a, const void *b) {
  int x = ((const picus_entry *)a)->row, y = ((const picus_entry *)b)->row;
  return (x > y) - (x < y);
}

static bool put_columns(picus_context *context, hid_t group, const picus_entries *matrix, const size_t *start) {
  size_t columns = (size_t)matrix->columns, count = matrix->count;
  int *p = picus_allocate(context, columns + 1, sizeof *p);
  int *i = picus_allocate(context, count, sizeof *i);
  double *x = picus_allocate(context, count, sizeof *x);
  bool done = p && i && x && count <= INT_MAX;
  for (size_t j = 0; done && j <= columns; j++) p[j] = (int)start[j];
  for (size_t j = 0; done && j < columns; j++)
    qsort(matrix->entries + start[j], start[j + 1] - start[j], sizeof *matrix->entries, by_row);
  for (size_t k = 0; done && k < count; k++) {
    i[k] = matrix->entries[k].row;
    x[k] = matrix->entries[k].value;
  }
  /* nz = -1: compressed columns, as in CSparse */
  done = done && put_integer(group, "nzmax", (int)count) && put_integer(group, "m", matrix->rows) &&
         put_integer(group, "n", matrix->columns) && put_integer(group, "nz", -1) &&
         put_integers(group, "p", columns + 1, p) && put_integers(group, "i", count, i) &&
         put_numbers(group, "x", count, x);
  picus_release(context, p);
  picus_release(context, i);
  picus_release(context, x);
  return done;
}

static bool put_matrix(picus_context *context, hid_t root, const char *name, picus_entries *matrix) {
  size_t *start = NULL;
  hid_t group = picus_hdf5_create_group(root, name);
  bool done =
      group >= 0 && !picus_entries_by_column(context, matrix, &start) && put_columns(context, group, matrix, start);
  picus_release(context, start);
  if (group >= 0) H5Gclose(group);
  return done;
}

/* Rows and columns of G. */
typedef struct matrix_part {
  int first_row, rows, first_column, columns;
} matrix_part;

/* Writes a part of G, counted from its corner. */
static bool put_part(picus_context *context, hid_t root, const char *name, const picus_entries *G, matrix_part of) {
  picus_entries part = {.rows = of.rows, .columns = of.columns};
  bool done = true;
  for (size_t k = 0; done && k < G->count; k++) {
    const picus_entry *e = &G->entries[k];
    int row = e->row - of.first_row, column = e->column - of.first_column;
    if (row < 0 || row >= of.rows || column < 0 || column >= of.columns) continue;
    done = !picus_entries_add(context, &part, row, column, e->value);
  }
  done = done && put_matrix(context, root, name, &part);
  picus_entries_release(context, &part);
  return done;
}

/* --- the two forms --------------------------------------------------------------------------------------------- */

static int count_bilateral(const picus_problem_content *content) {
  int count = 0;
  while (count < content->law_count && content->laws[count].kind == PICUS_BILATERAL) count++;
  return count;
}

static int by_place(const void *a, const void *b) {
  const picus_entry *x = a, *y = b;
  if (x->row != y->row) return x->row < y->row ? -1 : 1;
  return (x->column > y->column) - (x->column < y->column);
}

/* Are the rows that couple bilateral laws with contacts those that couple contacts with bilateral laws? Each position
 * occurs once. */
static bool coupling_is_symmetric(picus_context *context, const picus_problem_content *content, int bilateral) {
  picus_entries upper = {0}, lower = {0};
  bool fine = true;
  for (size_t k = 0; fine && k < content->G.count; k++) {
    const picus_entry *e = &content->G.entries[k];
    if ((e->row < bilateral) == (e->column < bilateral) || e->value == 0) continue;
    fine = e->row < bilateral ? !picus_entries_add(context, &upper, e->row, e->column, e->value)
                              : !picus_entries_add(context, &lower, e->column, e->row, e->value);
  }
  fine = fine && upper.count == lower.count;
  if (fine && upper.count > 0) {
    qsort(upper.entries, upper.count, sizeof *upper.entries, by_place);
    qsort(lower.entries, lower.count, sizeof *lower.entries, by_place);
  }
  for (size_t k = 0; fine && k < upper.count; k++)
    fine = by_place(&upper.entries[k], &lower.entries[k]) == 0 && upper.entries[k].value == lower.entries[k].value;
  picus_entries_release(context, &upper);
  picus_entries_release(context, &lower);
  return fine;
}

/* Does FCLIB support it? The laws after the bilateral ones are contacts of one dimension, 2 or 3. */
static bool is_fclib(picus_context *context, const picus_problem_content *content, int bilateral) {
  if (bilateral == content->law_count) return false;
  int dim = content->laws[bilateral].dim;
  if (dim > 3) return false;
  for (int k = bilateral; k < content->law_count; k++)
    if (content->laws[k].kind != PICUS_COULOMB || content->laws[k].dim != dim) return false;
  return bilateral == 0 || coupling_is_symmetric(context, content, bilateral);
}

static bool put_info(picus_context *context, hid_t root, const picus_problem_content *content) {
  hid_t info = picus_hdf5_create_group(root, "info");
  bool done = info >= 0 && put_text(context, info, "title", content->title) &&
              put_text(context, info, "description", content->description) &&
              put_text(context, info, "math_info", content->math_info);
  if (info >= 0) H5Gclose(info);
  return done;
}

/* Radii of the laws from the first on, as a list. */
static bool put_radii(picus_context *context, hid_t group, const char *name, const picus_problem_content *content,
                      int first) {
  size_t count = (size_t)(content->law_count - first);
  double *radius = picus_allocate(context, count, sizeof *radius);
  for (size_t k = 0; radius && k < count; k++) radius[k] = content->laws[(size_t)first + k].radius;
  bool done = radius && put_numbers(group, name, count, radius);
  picus_release(context, radius);
  return done;
}

static bool put_local(picus_context *context, hid_t root, const picus_problem_content *content, int bilateral) {
  int contacts = content->size - bilateral;
  bool done = put_integer(root, "spacedim", content->laws[bilateral].dim) &&
              put_part(context, root, "W", &content->G, (matrix_part){bilateral, contacts, bilateral, contacts});
  if (bilateral > 0)
    done = done && put_part(context, root, "V", &content->G, (matrix_part){bilateral, contacts, 0, bilateral}) &&
           put_part(context, root, "R", &content->G, (matrix_part){0, bilateral, 0, bilateral});
  hid_t vectors = picus_hdf5_create_group(root, "vectors");
  done = done && vectors >= 0 && put_numbers(vectors, "q", (size_t)contacts, content->c + bilateral) &&
         put_radii(context, vectors, "mu", content, bilateral);
  if (bilateral > 0) done = done && put_numbers(vectors, "s", (size_t)bilateral, content->c);
  if (vectors >= 0) H5Gclose(vectors);
  return done;
}

static bool put_general(picus_context *context, hid_t root, const picus_problem_content *content) {
  size_t count = (size_t)content->law_count;
  int *kind = picus_allocate(context, count, sizeof *kind), *dim = picus_allocate(context, count, sizeof *dim);
  for (size_t k = 0; kind && dim && k < count; k++) {
    kind[k] = (int)content->laws[k].kind;
    dim[k] = content->laws[k].dim;
  }
  hid_t vectors = picus_hdf5_create_group(root, "vectors");
  bool done = kind && dim && vectors >= 0 && put_integer(root, "laws", content->law_count) &&
              put_part(context, root, "W", &content->G, (matrix_part){0, content->size, 0, content->size}) &&
              put_numbers(vectors, "q", (size_t)content->size, content->c) &&
              put_integers(vectors, "kind", count, kind) && put_integers(vectors, "dim", count, dim) &&
              put_radii(context, vectors, "radius", content, 0);
  if (vectors >= 0) H5Gclose(vectors);
  picus_release(context, kind);
  picus_release(context, dim);
  return done;
}

/* Percussions r and multipliers l with the velocities u that belong to them. */
static bool put_percussions(picus_context *context, hid_t parent, const char *name,
                            const picus_problem_content *content, int bilateral, const double *P) {
  if (!P) return true;
  size_t contacts = (size_t)(content->size - bilateral);
  double *xi = picus_allocate(context, (size_t)content->size, sizeof *xi);
  hid_t group = picus_hdf5_create_group(parent, name);
  bool done = xi && group >= 0;
  for (int k = 0; done && k < content->size; k++) xi[k] = content->c[k];
  for (size_t k = 0; done && k < content->G.count; k++)
    xi[content->G.entries[k].row] += content->G.entries[k].value * P[content->G.entries[k].column];
  done = done && put_numbers(group, "r", contacts, P + bilateral) && put_numbers(group, "u", contacts, xi + bilateral);
  if (bilateral > 0) done = done && put_numbers(group, "l", (size_t)bilateral, P);
  if (group >= 0) H5Gclose(group);
  picus_release(context, xi);
  return done;
}

static bool put_guess(picus_context *context, hid_t file, const picus_problem_content *content, int bilateral) {
  if (!content->guess) return true;
  hid_t guesses = picus_hdf5_create_group(file, "guesses");
  bool done = guesses >= 0 && put_integer(guesses, "number_of_guesses", 1) &&
              put_percussions(context, guesses, "1", content, bilateral, content->guess);
  if (guesses >= 0) H5Gclose(guesses);
  return done;
}

static bool put_problem(picus_context *context, hid_t file, const picus_problem_content *content) {
  int bilateral = count_bilateral(content);
  bool fclib = is_fclib(context, content, bilateral);
  if (!fclib) bilateral = 0;
  hid_t root = picus_hdf5_create_group(file, fclib ? "fclib_local" : "picus_local");
  bool done = root >= 0 && (fclib ? put_local(context, root, content, bilateral) : put_general(context, root, content));
  done = done && put_info(context, root, content);
  if (root >= 0) H5Gclose(root);
  return done && put_guess(context, file, content, bilateral) &&
         put_percussions(context, file, "solution", content, bilateral, content->solution);
}

typedef struct problem_writing {
  picus_context *context;
  picus_problem_content *content;
} problem_writing;

static bool write_problem(void *user, hid_t file) {
  const problem_writing *p = user;
  return put_problem(p->context, file, p->content);
}

picus_status picus_hdf5_write_problem(picus_context *context, const char *path, picus_problem_content *content) {
  problem_writing p = {context, content};
  return picus_hdf5_write_whole(context, path, write_problem, &p);
}
