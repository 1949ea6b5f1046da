/* The HDF5 layout of FCLIB, reading side. Files are untrusted: every size is compared with the actual data before it is
 * used. */
#include "base/input_file.h"
#include "base/internal.h"
#include "hdf5/read.h"
#include "hdf5/whole_file.h"
#include "problem_file/internal.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct reader {
  picus_context *context;
  const char *name; /* of the file */
} reader;

/* A group of the file with its path in it. */
typedef struct place {
  hid_t group;
  char path[64];
} place;

static void leave(place *p) {
  if (p->group >= 0) H5Oclose(p->group);
  p->group = -1;
}

/* false: no such group. */
static bool enter(const place *parent, const char *name, place *out) {
  snprintf(out->path, sizeof out->path, "%.40s/%.20s", parent->path, name);
  out->group = picus_hdf5_open(parent->group, name);
  if (picus_hdf5_content_of(out->group) == PICUS_HDF5_GROUP) return true;
  leave(out);
  return false;
}

static picus_status need(const reader *r, const place *parent, const char *name, place *out) {
  if (enter(parent, name, out)) return PICUS_OK;
  return picus_fail(r->context, PICUS_ERROR_IO, "'%s' has no group %s/%s", r->name, parent->path, name);
}

/* --- numbers --------------------------------------------------------------------------------------------------- */

static picus_status refuse_length(const reader *r, const place *p, const char *name, size_t found, size_t least) {
  return picus_fail(r->context, PICUS_ERROR_IO, "%s/%s of '%s' has %zu values, but %zu are needed", p->path, name,
                    r->name, found, least);
}

/* At least so many finite numbers; *values is to be released. */
static picus_status read_numbers(const reader *r, const place *p, const char *name, size_t least, double **values) {
  size_t count;
  *values = NULL;
  hid_t dataset = picus_hdf5_open(p->group, name);
  picus_hdf5_content content = picus_hdf5_content_of(dataset);
  int64_t length = content == PICUS_HDF5_NUMBERS ? picus_hdf5_list_length(dataset) : -1;
  if (dataset >= 0) H5Oclose(dataset);
  if (dataset < 0) return picus_fail(r->context, PICUS_ERROR_IO, "'%s' has no dataset %s/%s", r->name, p->path, name);
  if (length < 0)
    return picus_fail(r->context, PICUS_ERROR_IO, "%s/%s of '%s' is not a readable list of numbers", p->path, name,
                      r->name);
  if ((size_t)length < least) return refuse_length(r, p, name, (size_t)length, least);
  picus_status status = picus_hdf5_read_numbers(r->context, p->group, name, &count, values);
  if (!status && count < least)
    status = picus_fail(r->context, PICUS_ERROR_IO, "%s/%s of '%s' cannot be read: the file is damaged", p->path, name,
                        r->name);
  for (size_t k = 0; !status && k < least; k++)
    if (!isfinite((*values)[k]))
      status = picus_fail(r->context, PICUS_ERROR_IO, "%s/%s[%zu] of '%s' is not a finite number", p->path, name, k,
                          r->name);
  if (status) {
    picus_release(r->context, *values);
    *values = NULL;
  }
  return status;
}

static picus_status to_integer(const reader *r, const place *p, const char *name, double value, int *out) {
  if (!(value >= INT_MIN && value <= INT_MAX) || value != floor(value))
    return picus_fail(r->context, PICUS_ERROR_IO, "%s/%s of '%s' is %g, which is not an integer in its range", p->path,
                      name, r->name, value);
  *out = (int)value;
  return PICUS_OK;
}

/* One integer, as a list of one (as FCLIB does) or as a scalar. */
static picus_status read_integer(const reader *r, const place *p, const char *name, int *out) {
  double *list = NULL, value = 0;
  hid_t dataset = picus_hdf5_open(p->group, name);
  bool scalar = picus_hdf5_content_of(dataset) == PICUS_HDF5_NUMBER && picus_hdf5_read_number(dataset, &value);
  if (dataset >= 0) H5Oclose(dataset);
  picus_status status = scalar ? PICUS_OK : read_numbers(r, p, name, 1, &list);
  if (!status) status = to_integer(r, p, name, scalar ? value : list[0], out);
  picus_release(r->context, list);
  return status;
}

/* --- matrices -------------------------------------------------------------------------------------------------- */

enum { BY_COLUMNS = -1, BY_ROWS = -2 }; /* FCLIB's nz; otherwise the number of triplets */

typedef struct matrix_header {
  int rows, columns, kind;
} matrix_header;

static picus_status read_header(const reader *r, const place *p, matrix_header *out) {
  picus_status status = read_integer(r, p, "m", &out->rows);
  if (!status) status = read_integer(r, p, "n", &out->columns);
  if (!status) status = read_integer(r, p, "nz", &out->kind);
  if (status) return status;
  if (out->rows < 0 || out->columns < 0)
    return picus_fail(r->context, PICUS_ERROR_IO, "%s of '%s' has the impossible size %d x %d", p->path, r->name,
                      out->rows, out->columns);
  if (out->kind < BY_ROWS)
    return picus_fail(r->context, PICUS_ERROR_IO,
                      "%s/nz of '%s' is %d; FCLIB supports -1 (by columns), -2 (by rows) and the number of triplets",
                      p->path, r->name, out->kind);
  return PICUS_OK;
}

static picus_status add_entry(const reader *r, const place *p, picus_entries *matrix, double row, double column,
                              double value) {
  bool inside = row >= 0 && row < matrix->rows && column >= 0 && column < matrix->columns && row == floor(row) &&
                column == floor(column);
  if (!inside)
    return picus_fail(r->context, PICUS_ERROR_IO, "%s of '%s' has an entry at (%g, %g), but its size is %d x %d",
                      p->path, r->name, row, column, matrix->rows, matrix->columns);
  return picus_entries_add(r->context, matrix, (int)row, (int)column, value);
}

static bool all_below(size_t count, const double *index, int limit) {
  for (size_t k = 0; k < count; k++)
    if (!(index[k] < limit)) return false;
  return true;
}

/* According to fclib.h, p holds the rows and i the columns of triplets; the library itself, through CSparse, and the
 * files of its collection do the opposite. Picus follows the files, unless only fclib.h is consistent. */
static picus_status read_triplets(const reader *r, const place *p, size_t count, picus_entries *matrix) {
  double *row = NULL, *column = NULL, *value = NULL;
  picus_status status = read_numbers(r, p, "i", count, &row);
  if (!status) status = read_numbers(r, p, "p", count, &column);
  if (!status) status = read_numbers(r, p, "x", count, &value);
  bool fits = !status && all_below(count, row, matrix->rows) && all_below(count, column, matrix->columns);
  if (!status && !fits && all_below(count, row, matrix->columns) && all_below(count, column, matrix->rows)) {
    double *swap = row;
    row = column;
    column = swap;
  }
  for (size_t k = 0; !status && k < count; k++) status = add_entry(r, p, matrix, row[k], column[k], value[k]);
  picus_release(r->context, row);
  picus_release(r->context, column);
  picus_release(r->context, value);
  return status;
}

/* The row or column pointers must start with 0 and not decrease. */
static picus_status check_starts(const reader *r, const place *p, size_t count, const double *start) {
  for (size_t k = 0; k <= count; k++)
    if (start[k] != floor(start[k]) || start[k] > INT_MAX || (k == 0 ? start[0] != 0 : start[k] < start[k - 1]))
      return picus_fail(r->context, PICUS_ERROR_IO,
                        "%s/p[%zu] of '%s' is %g; row or column pointers must start with 0 and must not decrease",
                        p->path, k, r->name, start[k]);
  return PICUS_OK;
}

static picus_status read_compressed(const reader *r, const place *p, bool by_rows, picus_entries *matrix) {
  double *start = NULL, *index = NULL, *value = NULL;
  size_t count = (size_t)(by_rows ? matrix->rows : matrix->columns);
  picus_status status = read_numbers(r, p, "p", count + 1, &start);
  if (!status) status = check_starts(r, p, count, start);
  if (!status) status = read_numbers(r, p, "i", (size_t)start[count], &index);
  if (!status) status = read_numbers(r, p, "x", (size_t)start[count], &value);
  for (size_t j = 0; !status && j < count; j++)
    for (size_t k = (size_t)start[j]; !status && k < (size_t)start[j + 1]; k++)
      status = by_rows ? add_entry(r, p, matrix, (double)j, index[k], value[k])
                       : add_entry(r, p, matrix, index[k], (double)j, value[k]);
  picus_release(r->context, start);
  picus_release(r->context, index);
  picus_release(r->context, value);
  return status;
}

/* The matrix of a group within parent; rows and columns of -1 fit any. */
static picus_status read_matrix(const reader *r, const place *parent, const char *name, int rows, int columns,
                                picus_entries *matrix) {
  place p;
  matrix_header header = {0};
  picus_status status = need(r, parent, name, &p);
  if (status) return status;
  status = read_header(r, &p, &header);
  if (!status && ((rows >= 0 && rows != header.rows) || (columns >= 0 && columns != header.columns)))
    status = picus_fail(r->context, PICUS_ERROR_IO, "%s of '%s' is %d x %d; it must be %d x %d", p.path, r->name,
                        header.rows, header.columns, rows >= 0 ? rows : header.rows,
                        columns >= 0 ? columns : header.columns);
  matrix->rows = header.rows;
  matrix->columns = header.columns;
  if (!status)
    status = header.kind >= 0 ? read_triplets(r, &p, (size_t)header.kind, matrix)
                              : read_compressed(r, &p, header.kind == BY_ROWS, matrix);
  leave(&p);
  return status;
}

/* Square, with the number of rows that the group states. */
static picus_status read_square(const reader *r, const place *parent, const char *name, picus_entries *matrix) {
  picus_status status = read_matrix(r, parent, name, -1, -1, matrix);
  if (!status && matrix->rows != matrix->columns)
    status = picus_fail(r->context, PICUS_ERROR_IO, "%s/%s of '%s' is %d x %d; it must be square", parent->path, name,
                        r->name, matrix->rows, matrix->columns);
  return status;
}

/* --- laws ------------------------------------------------------------------------------------------------------ */

/* Bilateral laws, then contacts of spacedim rows with their friction coefficients. */
static picus_status read_laws(const reader *r, const place *root, const place *vectors, int bilateral, int rows,
                              picus_problem_content *out) {
  int spacedim = 0;
  picus_status status = read_integer(r, root, "spacedim", &spacedim);
  if (status) return status;
  if (spacedim != 2 && spacedim != 3)
    return picus_fail(r->context, PICUS_ERROR_IO, "%s/spacedim of '%s' is %d; it must be 2 or 3", root->path, r->name,
                      spacedim);
  if (rows % spacedim != 0)
    return picus_fail(r->context, PICUS_ERROR_IO, "'%s' has %d contact rows, which is not a multiple of spacedim = %d",
                      r->name, rows, spacedim);
  if (bilateral > INT_MAX - rows)
    return picus_fail(r->context, PICUS_ERROR_IO, "'%s' has too many rows: %d and %d", r->name, bilateral, rows);
  int contacts = rows / spacedim;
  double *mu;
  status = read_numbers(r, vectors, "mu", (size_t)contacts, &mu);
  if (status) return status;
  out->size = bilateral + rows;
  out->law_count = bilateral + contacts;
  out->laws = picus_allocate(r->context, (size_t)out->law_count, sizeof *out->laws);
  if (!out->laws) status = PICUS_ERROR_MEMORY;
  for (int k = 0; !status && k < bilateral; k++) out->laws[k] = (picus_law){PICUS_BILATERAL, 1, 0};
  for (int k = 0; !status && k < contacts; k++) {
    out->laws[bilateral + k] = (picus_law){PICUS_COULOMB, spacedim, mu[k]};
    if (mu[k] < 0)
      status = picus_fail(r->context, PICUS_ERROR_MODEL,
                          "%s/mu[%d] of '%s' is %g; a friction coefficient must not be negative", vectors->path, k,
                          r->name, mu[k]);
  }
  picus_release(r->context, mu);
  return status;
}

/* A list of numbers in the file. */
typedef struct number_list {
  const char *name;
  int count;
} number_list;

/* Concatenates the numbers of two lists; an empty list may be absent. */
static picus_status read_joined(const reader *r, const place *p, number_list first, number_list second, double **out) {
  double *a = NULL, *b = NULL;
  picus_status status = first.count > 0 ? read_numbers(r, p, first.name, (size_t)first.count, &a) : PICUS_OK;
  if (!status && second.count > 0) status = read_numbers(r, p, second.name, (size_t)second.count, &b);
  if (!status) *out = picus_allocate(r->context, (size_t)first.count + (size_t)second.count, sizeof **out);
  if (!status && !*out) status = PICUS_ERROR_MEMORY;
  if (!status && a) memcpy(*out, a, (size_t)first.count * sizeof *a);
  if (!status && b) memcpy(*out + first.count, b, (size_t)second.count * sizeof *b);
  picus_release(r->context, a);
  picus_release(r->context, b);
  return status;
}

/* --- the forms ------------------------------------------------------------------------------------------------- */

/* V^T r + R l + s = 0 and u = W r + V l + q: G = [R V^T; V W], c = [s; q]. */
static picus_status read_local(const reader *r, const place *root, const place *vectors, picus_problem_content *out) {
  picus_entries W = {0}, V = {0}, R = {0};
  place bilateral;
  bool mixed = enter(root, "R", &bilateral);
  leave(&bilateral);
  picus_status status = read_square(r, root, "W", &W);
  if (!status && mixed) status = read_square(r, root, "R", &R);
  if (!status && mixed) status = read_matrix(r, root, "V", W.rows, R.rows, &V);
  if (!status) status = read_laws(r, root, vectors, R.rows, W.rows, out);
  if (!status) status = read_joined(r, vectors, (number_list){"s", R.rows}, (number_list){"q", W.rows}, &out->c);
  out->G.rows = out->G.columns = out->size;
  if (!status) status = picus_entries_append(r->context, &out->G, &R, 0, 0, false);
  if (!status) status = picus_entries_append(r->context, &out->G, &V, 0, R.rows, true);
  if (!status) status = picus_entries_append(r->context, &out->G, &V, R.rows, 0, false);
  if (!status) status = picus_entries_append(r->context, &out->G, &W, R.rows, R.rows, false);
  picus_entries_release(r->context, &W);
  picus_entries_release(r->context, &V);
  picus_entries_release(r->context, &R);
  return status;
}

/* M v = H r + G l + f, G^T v + b = 0, u = H^T v + w: the columns that act are D = [G H]. */
static picus_status read_global(const reader *r, const place *root, const place *vectors, picus_problem_content *out) {
  picus_entries M = {0}, H = {0}, G = {0}, D = {0};
  double *f = NULL;
  place bilateral;
  bool mixed = enter(root, "G", &bilateral);
  leave(&bilateral);
  picus_status status = read_square(r, root, "M", &M);
  if (!status) status = read_matrix(r, root, "H", M.rows, -1, &H);
  if (!status && mixed) status = read_matrix(r, root, "G", M.rows, -1, &G);
  if (!status) status = read_laws(r, root, vectors, G.columns, H.columns, out);
  if (!status) status = read_joined(r, vectors, (number_list){"b", G.columns}, (number_list){"w", H.columns}, &out->c);
  if (!status) status = read_numbers(r, vectors, "f", (size_t)M.rows, &f);
  D.rows = M.rows;
  D.columns = out->G.rows = out->G.columns = out->size;
  if (!status) status = picus_entries_append(r->context, &D, &G, 0, 0, false);
  if (!status) status = picus_entries_append(r->context, &D, &H, 0, G.columns, false);
  if (!status) status = picus_problem_condense(r->context, r->name, &M, &D, f, out);
  picus_release(r->context, f);
  picus_entries_release(r->context, &M);
  picus_entries_release(r->context, &H);
  picus_entries_release(r->context, &G);
  picus_entries_release(r->context, &D);
  return status;
}

/* The law of each kind, dim and radius, checked. */
static picus_status check_law(const reader *r, int number, double kind, double dim, double radius, picus_law *out) {
  static const int least[] = {1, 1, 2, 1, 1}, most[] = {1, 1, 4, 3, 3};
  bool known = kind >= PICUS_BILATERAL && kind <= PICUS_ROLLING && kind == floor(kind) && dim == floor(dim);
  if (!known || dim < least[(int)kind] || dim > most[(int)kind])
    return picus_fail(r->context, PICUS_ERROR_IO, "law %d of '%s' has the unknown kind %g with %g rows", number,
                      r->name, kind, dim);
  if (radius < 0)
    return picus_fail(r->context, PICUS_ERROR_MODEL, "the radius of law %d of '%s' is %g; it must not be negative",
                      number, r->name, radius);
  *out = (picus_law){(picus_law_kind)kind, (int)dim, radius};
  const bool behind_contact = number > 0 && (out[-1].kind == PICUS_UNILATERAL || out[-1].kind == PICUS_COULOMB);
  if (out->kind == PICUS_ROLLING && !behind_contact)
    return picus_fail(r->context, PICUS_ERROR_MODEL,
                      "law %d of '%s' is a rolling law; the law before it must be its contact, unilateral or Coulomb",
                      number, r->name);
  return PICUS_OK;
}

/* Any laws of Picus: their kinds, rows and radii are in lists. */
static picus_status read_general(const reader *r, const place *root, const place *vectors, picus_problem_content *out) {
  double *kind = NULL, *dim = NULL, *radius = NULL;
  picus_status status = read_integer(r, root, "laws", &out->law_count);
  if (!status && out->law_count < 0)
    status = picus_fail(r->context, PICUS_ERROR_IO, "'%s' has %d laws", r->name, out->law_count);
  size_t count = status ? 0 : (size_t)out->law_count;
  if (!status) status = read_numbers(r, vectors, "kind", count, &kind);
  if (!status) status = read_numbers(r, vectors, "dim", count, &dim);
  if (!status) status = read_numbers(r, vectors, "radius", count, &radius);
  if (!status) out->laws = picus_allocate(r->context, count, sizeof *out->laws);
  if (!status && !out->laws) status = PICUS_ERROR_MEMORY;
  int64_t rows = 0;
  for (size_t k = 0; !status && k < count; k++) {
    status = check_law(r, (int)k, kind[k], dim[k], radius[k], &out->laws[k]);
    rows += out->laws[k].dim;
  }
  picus_release(r->context, kind);
  picus_release(r->context, dim);
  picus_release(r->context, radius);
  if (!status) status = read_square(r, root, "W", &out->G);
  if (!status && out->G.rows != rows)
    status = picus_fail(r->context, PICUS_ERROR_IO, "W of '%s' has %d rows, but its laws have %lld", r->name,
                        out->G.rows, (long long)rows);
  out->size = status ? 0 : (int)rows;
  return status ? status : read_joined(r, vectors, (number_list){"", 0}, (number_list){"q", out->size}, &out->c);
}

/* --- what comes with it ---------------------------------------------------------------------------------------- */

static picus_status read_text(const reader *r, const place *info, const char *name, char **out) {
  hid_t dataset = picus_hdf5_open(info->group, name);
  picus_status status = PICUS_OK;
  if (picus_hdf5_content_of(dataset) == PICUS_HDF5_TEXT) status = picus_hdf5_read_text(r->context, dataset, out);
  if (dataset >= 0) H5Oclose(dataset);
  return status;
}

static picus_status read_texts(const reader *r, const place *root, picus_problem_content *out) {
  place info;
  if (!enter(root, "info", &info)) return PICUS_OK;
  picus_status status = read_text(r, &info, "title", &out->title);
  if (!status) status = read_text(r, &info, "description", &out->description);
  if (!status) status = read_text(r, &info, "math_info", &out->math_info);
  leave(&info);
  return status;
}

/* P = [l; r] of a guess or solution. One of the wrong size is omitted, because the problem is still useful. Files of
 * the collection contain lists that were created but never filled. */
static picus_status read_percussions(const reader *r, const place *p, const picus_problem_content *content,
                                     double **out) {
  int bilateral = 0; /* leading bilateral laws, which FCLIB keeps apart */
  hid_t apart = picus_hdf5_open(p->group, "l");
  while (apart >= 0 && bilateral < content->law_count && content->laws[bilateral].kind == PICUS_BILATERAL) bilateral++;
  if (apart >= 0) H5Oclose(apart);
  picus_status status =
      read_joined(r, p, (number_list){"l", bilateral}, (number_list){"r", content->size - bilateral}, out);
  if (status != PICUS_ERROR_IO) return status;
  picus_clear_error(r->context);
  return PICUS_OK;
}

static picus_status read_known(const reader *r, const place *top, picus_problem_content *out) {
  place guesses, first, solution;
  picus_status status = PICUS_OK;
  if (enter(top, "solution", &solution)) status = read_percussions(r, &solution, out, &out->solution);
  leave(&solution);
  if (!status && enter(top, "guesses", &guesses)) {
    if (enter(&guesses, "1", &first)) status = read_percussions(r, &first, out, &out->guess);
    leave(&first);
    leave(&guesses);
  }
  return status;
}

typedef struct problem_form {
  const char *group;
  picus_status (*read)(const reader *r, const place *root, const place *vectors, picus_problem_content *out);
} problem_form;

static picus_status read_form(const reader *r, const place *root, const problem_form *form,
                              picus_problem_content *out) {
  place vectors;
  picus_status status = need(r, root, "vectors", &vectors);
  if (!status) status = form->read(r, root, &vectors, out);
  leave(&vectors);
  return status ? status : read_texts(r, root, out);
}

static picus_status read_file(const reader *r, hid_t file, picus_problem_content *out) {
  static const problem_form forms[] = {
      {"fclib_local", read_local}, {"fclib_global", read_global}, {"picus_local", read_general}};
  place top = {.group = H5Gopen2(file, "/", H5P_DEFAULT), .path = ""}, root = {.group = -1};
  size_t count = sizeof forms / sizeof forms[0], form = 0;
  while (form < count && !enter(&top, forms[form].group, &root)) form++;
  picus_status status;
  if (form < count)
    status = read_form(r, &root, &forms[form], out);
  else
    status = picus_fail(r->context, PICUS_ERROR_IO,
                        "'%s' is an HDF5 file but not a contact problem: it has neither fclib_local nor fclib_global",
                        r->name);
  leave(&root);
  if (!status) status = read_known(r, &top, out);
  leave(&top);
  return status;
}

typedef struct problem_reading {
  reader r;
  picus_problem_content *out;
} problem_reading;

static picus_status read_problem(void *user, hid_t file) {
  const problem_reading *p = user;
  return read_file(&p->r, file, p->out);
}

picus_status picus_hdf5_read_problem(picus_context *context, const char *path, picus_problem_content *out) {
  problem_reading p = {{context, path}, out};
  return picus_hdf5_read_whole(context, path, read_problem, &p);
}
