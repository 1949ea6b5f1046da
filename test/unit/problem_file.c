/* Contact problems in files: what is written comes back bit for bit, FCLIB's forms mean what they should, and a file
 * that is not one is refused with a sentence. */
#define _POSIX_C_SOURCE 200809L
#include "support/check.h"

#include <hdf5.h>
#include <math.h>
#include <picus/picus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LAWS_MOST = 12, SIZE_MOST = 48 };

static char path[64]; /* of the file at hand */

static picus_context *open_context(void) {
  picus_context *context = NULL;
  snprintf(path, sizeof path, "problem-file-test-%d.hdf5", (int)getpid());
  CHECK(picus_context_create(NULL, &context) == PICUS_OK);
  return context;
}

static void close_context(picus_context *context) {
  remove(path);
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

/* --- problems -------------------------------------------------------------------------------------------------- */

typedef struct fixture {
  picus_law laws[LAWS_MOST];
  double G[SIZE_MOST * SIZE_MOST], c[SIZE_MOST], P[SIZE_MOST];
  picus_contact_problem problem;
} fixture;

static int rows_of(const fixture *f, int laws) {
  int rows = 0;
  for (int i = 0; i < laws; i++) rows += f->laws[i].dim;
  return rows;
}

/* Numbers of all sizes, with zeros of both signs; whole blocks may be zero. */
static double any_number(test_random *random) {
  if (test_integer(random, 0, 9) == 0) return test_integer(random, 0, 1) ? 0.0 : -0.0;
  return ldexp(test_uniform(random, -1, 1), test_integer(random, -60, 60));
}

static void fill_numbers(fixture *f, int law_count, test_random *random, bool symmetric) {
  int size = rows_of(f, law_count);
  f->problem = (picus_contact_problem){.law_count = law_count, .laws = f->laws, .size = size, .G = f->G, .c = f->c};
  memset(f->G, 0, sizeof f->G);
  for (int i = 0, row = 0; i < law_count; row += f->laws[i++].dim)
    for (int j = 0, column = 0; j < law_count; column += f->laws[j++].dim) {
      if (i != j && test_integer(random, 0, 2) == 0) continue;
      for (int k = 0; k < f->laws[i].dim; k++)
        for (int l = 0; l < f->laws[j].dim; l++) f->G[(row + k) * size + column + l] = any_number(random);
    }
  for (int i = 0; symmetric && i < size; i++)
    for (int j = 0; j < i; j++) f->G[i * size + j] = f->G[j * size + i];
  for (int i = 0; i < size; i++) {
    f->c[i] = any_number(random);
    f->P[i] = any_number(random);
  }
}

/* Bilateral laws and contacts in any order: what FCLIB has words for. */
static void fclib_problem(fixture *f, test_random *random, bool bilateral) {
  int law_count = test_integer(random, 2, LAWS_MOST), dim = test_integer(random, 2, 3);
  for (int i = 0; i < law_count; i++) {
    bool first = bilateral && i > 0 && test_integer(random, 0, 2) == 0;
    double mu = test_integer(random, 0, 4) == 0 ? 0 : test_uniform(random, 0, 2);
    f->laws[i] = first ? (picus_law){PICUS_BILATERAL, 1, 0} : (picus_law){PICUS_COULOMB, dim, mu};
  }
  fill_numbers(f, law_count, random, true);
}

static void any_problem(fixture *f, test_random *random) {
  static const int least[] = {1, 1, 2, 1, 1}, most[] = {1, 1, 4, 3, 3};
  int law_count = test_integer(random, 1, LAWS_MOST);
  for (int i = 0; i < law_count; i++) {
    picus_law_kind kind = (picus_law_kind)test_integer(random, PICUS_BILATERAL, PICUS_RESERVOIR);
    /* never behind the first law, which a test may replace */
    bool can_roll = i > 1 && (f->laws[i - 1].kind == PICUS_COULOMB || f->laws[i - 1].kind == PICUS_UNILATERAL);
    if (can_roll && test_integer(random, 0, 1) == 0) kind = PICUS_ROLLING;
    bool radius = kind == PICUS_COULOMB || kind == PICUS_RESERVOIR || kind == PICUS_ROLLING;
    f->laws[i] =
        (picus_law){kind, test_integer(random, least[kind], most[kind]), radius ? test_uniform(random, 0, 3) : 0};
  }
  fill_numbers(f, law_count, random, false);
}

/* Entry of a problem by blocks; *stored: it has a place. */
static double entry(const picus_contact_problem *p, int i, int k, int j, int l, bool *stored) {
  const picus_block_matrix *b = p->blocks;
  for (int n = b->row_start[i]; n < b->row_start[i + 1]; n++)
    if (b->column[n] == j) {
      *stored = true;
      return b->values[b->offset[n] + (size_t)(k * p->laws[j].dim + l)];
    }
  *stored = false;
  return 0;
}

static bool same_bits(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

/* Where law i of the fixture comes back: the bilateral ones first. */
static int new_law(const fixture *f, int i) {
  int place = 0;
  bool first = f->laws[i].kind == PICUS_BILATERAL;
  for (int k = 0; k < f->problem.law_count; k++) {
    bool before = f->laws[k].kind == PICUS_BILATERAL;
    if (before == first ? k < i : before) place++;
  }
  return place;
}

/* Contacts and their rolling laws have the same blocks, also zero ones. */
static bool of_rolling_pair(const fixture *f, int i) {
  return f->laws[i].kind == PICUS_ROLLING || (i + 1 < f->problem.law_count && f->laws[i + 1].kind == PICUS_ROLLING);
}

static bool same_block(const fixture *f, const picus_contact_problem *p, int i, int j) {
  int size = f->problem.size, row = rows_of(f, i), column = rows_of(f, j);
  bool zero = true, same = true, stored = false;
  for (int k = 0; k < f->laws[i].dim; k++)
    for (int l = 0; l < f->laws[j].dim; l++) {
      double want = f->G[(row + k) * size + column + l], got = entry(p, new_law(f, i), k, new_law(f, j), l, &stored);
      zero = zero && want == 0;
      same = same && (same_bits(want, got) || (!stored && want == 0));
    }
  return same && (!zero || i == j || !stored || of_rolling_pair(f, i) || of_rolling_pair(f, j));
}

static bool same_problem(const fixture *f, const picus_problem *stored) {
  const picus_contact_problem *p = picus_problem_contacts(stored);
  const picus_problem_notes *notes = picus_problem_notes_of(stored);
  if (p->law_count != f->problem.law_count || p->size != f->problem.size || !notes->solution || !notes->guess)
    return false;
  for (int i = 0; i < p->law_count; i++) {
    int n = new_law(f, i), row = rows_of(f, i), new_row = p->blocks->first_row[n];
    const picus_law *a = &f->laws[i], *b = &p->laws[n];
    if (a->kind != b->kind || a->dim != b->dim || !same_bits(a->radius, b->radius)) return false;
    for (int k = 0; k < a->dim; k++)
      if (!same_bits(f->c[row + k], p->c[new_row + k]) || !same_bits(f->P[row + k], notes->solution[new_row + k]) ||
          !same_bits(f->P[row + k], notes->guess[new_row + k]))
        return false;
    for (int j = 0; j < p->law_count; j++)
      if (!same_block(f, p, i, j)) return false;
  }
  return true;
}

static bool has_group(const char *name) {
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  bool found = file >= 0 && H5Lexists(file, name, H5P_DEFAULT) > 0;
  if (file >= 0) H5Fclose(file);
  return found;
}

static void check_round_trip(picus_context *context, const fixture *f, bool fclib) {
  picus_problem_notes notes = {"a title", "what it is", "", f->P, f->P};
  picus_problem *back = NULL;
  CHECK(picus_problem_write(context, path, &f->problem, &notes) == PICUS_OK);
  CHECK(has_group("fclib_local") == fclib);
  REQUIRE(picus_problem_read(context, path, &back) == PICUS_OK);
  CHECK(picus_contact_problem_check(context, picus_problem_contacts(back)) == PICUS_OK);
  CHECK(same_problem(f, back));
  CHECK_TEXT(picus_problem_notes_of(back)->title, "a title");
  CHECK_TEXT(picus_problem_notes_of(back)->description, "what it is");
  CHECK_TEXT(picus_problem_notes_of(back)->math_info, "");
  picus_problem_destroy(back);
}

static void round_trip_fclib(void) {
  picus_context *context = open_context();
  test_random random = {1};
  static fixture f;
  for (int k = 0; k < 40; k++) {
    fclib_problem(&f, &random, k % 2 == 1);
    check_round_trip(context, &f, true);
  }
  close_context(context);
}

static void round_trip_any(void) {
  picus_context *context = open_context();
  test_random random = {2};
  static fixture f;
  for (int k = 0; k < 40; k++) {
    any_problem(&f, &random);
    f.laws[0] = (picus_law){PICUS_RESERVOIR, f.laws[0].dim > 3 ? 3 : f.laws[0].dim, 0.5};
    fill_numbers(&f, f.problem.law_count, &random, false);
    check_round_trip(context, &f, false);
  }
  close_context(context);
}

static void copies(void) {
  picus_context *context = open_context();
  test_random random = {3};
  static fixture f;
  for (int k = 0; k < 20; k++) {
    picus_problem *copy = NULL, *again = NULL;
    double xi[2][SIZE_MOST];
    any_problem(&f, &random);
    REQUIRE(picus_problem_copy(context, &f.problem, NULL, &copy) == PICUS_OK);
    const picus_contact_problem *p = picus_problem_contacts(copy);
    REQUIRE(picus_problem_copy(context, p, NULL, &again) == PICUS_OK); /* also from blocks */
    picus_contact_residual(p, f.P, xi[0]);
    picus_contact_residual(picus_problem_contacts(again), f.P, xi[1]);
    for (int r = 0; r < p->size; r++) CHECK(same_bits(xi[0][r], xi[1][r]) && p->c[r] == f.c[r]);
    for (int i = 0; i < p->law_count; i++) CHECK(p->laws[i].kind == f.laws[i].kind);
    picus_problem_destroy(copy);
    picus_problem_destroy(again);
  }
  close_context(context);
}

/* --- files made by hand ---------------------------------------------------------------------------------------- */

static bool put(hid_t file, const char *name, hid_t type, int count, const void *values) {
  hsize_t extent = (hsize_t)count;
  hid_t links = H5Pcreate(H5P_LINK_CREATE), space = H5Screate_simple(1, &extent, NULL);
  H5Pset_create_intermediate_group(links, 1);
  if (H5Lexists(file, name, H5P_DEFAULT) > 0) H5Ldelete(file, name, H5P_DEFAULT);
  hid_t set = H5Dcreate2(file, name, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
  bool done = set >= 0 && (count == 0 || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  H5Dclose(set);
  H5Sclose(space);
  H5Pclose(links);
  return done;
}
static bool put_integers(hid_t file, const char *name, int count, const int *values) {
  H5E_auto2_t function;
  void *data;
  H5Eget_auto2(H5E_DEFAULT, &function, &data); /* H5Lexists complains about groups that are not there yet */
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  bool done = put(file, name, H5T_NATIVE_INT, count, values);
  H5Eset_auto2(H5E_DEFAULT, function, data);
  return done;
}
static bool put_numbers(hid_t file, const char *name, int count, const double *values) {
  H5E_auto2_t function;
  void *data;
  H5Eget_auto2(H5E_DEFAULT, &function, &data);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  bool done = put(file, name, H5T_NATIVE_DOUBLE, count, values);
  H5Eset_auto2(H5E_DEFAULT, function, data);
  return done;
}

/* A dense matrix as triplets (nz >= 0), by columns (-1) or by rows (-2). */
static bool put_matrix(hid_t file, const char *group, int m, int n, int kind, const double *A) {
  int p[SIZE_MOST * SIZE_MOST], i[SIZE_MOST * SIZE_MOST], count = 0;
  double x[SIZE_MOST * SIZE_MOST];
  int major = kind == -2 ? m : n, minor = kind == -2 ? n : m;
  int start[SIZE_MOST + 1] = {0};
  for (int a = 0; a < major; a++) {
    for (int b = 0; b < minor; b++) {
      int row = kind == -2 ? a : b, column = kind == -2 ? b : a;
      if (A[row * n + column] == 0) continue;
      x[count] = A[row * n + column];
      i[count] = kind >= 0 ? row : b;
      p[count++] = column;
    }
    start[a + 1] = count;
  }
  char name[4][64];
  static const char *const sizes[] = {"m", "n", "nz", "nzmax"};
  int values[] = {m, n, kind >= 0 ? count : kind, count};
  bool done = true;
  for (int k = 0; k < 4; k++) {
    snprintf(name[k], sizeof name[k], "%s/%s", group, sizes[k]);
    done = put_integers(file, name[k], 1, &values[k]) && done;
  }
  snprintf(name[0], sizeof name[0], "%s/p", group);
  snprintf(name[1], sizeof name[1], "%s/i", group);
  snprintf(name[2], sizeof name[2], "%s/x", group);
  done = (kind >= 0 ? put_integers(file, name[0], count, p) : put_integers(file, name[0], major + 1, start)) && done;
  return put_integers(file, name[1], count, i) && put_numbers(file, name[2], count, x) && done;
}

/* Two spatial contacts with a W that is not symmetric, in each of the three storages. */
static void storages(void) {
  picus_context *context = open_context();
  double W[36], q[6] = {1, 2, 3, 4, 5, 6}, mu[2] = {0.5, 0};
  int three = 3;
  for (int k = 0; k < 36; k++) W[k] = k % 5 == 0 ? 0 : k;
  for (int kind = -2; kind <= 0; kind++) {
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    CHECK(put_matrix(file, "fclib_local/W", 6, 6, kind, W) && put_numbers(file, "fclib_local/vectors/q", 6, q) &&
          put_numbers(file, "fclib_local/vectors/mu", 2, mu) && put_integers(file, "fclib_local/spacedim", 1, &three));
    H5Fclose(file);
    picus_problem *problem = NULL;
    REQUIRE(picus_problem_read(context, path, &problem) == PICUS_OK);
    const picus_contact_problem *p = picus_problem_contacts(problem);
    CHECK(p->law_count == 2 && p->size == 6 && p->laws[1].kind == PICUS_COULOMB && p->laws[1].radius == 0);
    bool stored;
    for (int r = 0; r < 6; r++)
      for (int c = 0; c < 6; c++) CHECK(entry(p, r / 3, r % 3, c / 3, c % 3, &stored) == W[6 * r + c]);
    CHECK_TEXT(picus_problem_notes_of(problem)->title, "");
    CHECK(!picus_problem_notes_of(problem)->guess);
    picus_problem_destroy(problem);
  }
  close_context(context);
}

/* V, R, s: V^T r + R l + s = 0, u = W r + V l + q. */
static void bilateral_rows(void) {
  picus_context *context = open_context();
  double W[4] = {4, 1, 1, 3}, V[2] = {5, 6}, R[1] = {7}, q[2] = {8, 9}, s[1] = {10}, mu[1] = {0.3};
  int two = 2;
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  CHECK(put_matrix(file, "fclib_local/W", 2, 2, -1, W) && put_matrix(file, "fclib_local/V", 2, 1, 0, V) &&
        put_matrix(file, "fclib_local/R", 1, 1, -2, R) && put_numbers(file, "fclib_local/vectors/q", 2, q) &&
        put_numbers(file, "fclib_local/vectors/s", 1, s) && put_numbers(file, "fclib_local/vectors/mu", 1, mu) &&
        put_integers(file, "fclib_local/spacedim", 1, &two));
  H5Fclose(file);
  picus_problem *problem = NULL;
  REQUIRE(picus_problem_read(context, path, &problem) == PICUS_OK);
  const picus_contact_problem *p = picus_problem_contacts(problem);
  CHECK(p->law_count == 2 && p->laws[0].kind == PICUS_BILATERAL && p->laws[1].dim == 2);
  double P[3] = {1, 10, 100}, xi[3];
  picus_contact_residual(p, P, xi);
  CHECK_NEAR(xi[0], 10 + 7 + 50 + 600, 1e-12);
  CHECK_NEAR(xi[1], 8 + 5 + 40 + 100, 1e-12);
  CHECK_NEAR(xi[2], 9 + 6 + 10 + 300, 1e-12);
  picus_problem_destroy(problem);
  close_context(context);
}

/* Factors are multiplied out when they are copied or written. */
static void check_copies_of_factors(picus_context *context, const picus_contact_problem *p, const double *P,
                                    const double *xi) {
  picus_problem *copies[2] = {NULL};
  REQUIRE(picus_problem_copy(context, p, NULL, &copies[0]) == PICUS_OK);
  REQUIRE(picus_problem_write(context, path, p, NULL) == PICUS_OK);
  REQUIRE(picus_problem_read_factored(context, path, &copies[1]) == PICUS_OK); /* a local form: blocks */
  for (int k = 0; k < 2; k++) {
    const picus_contact_problem *copy = picus_problem_contacts(copies[k]);
    double eta[5];
    CHECK(copy->blocks && !copy->factors && copy->size == p->size);
    picus_contact_residual(copy, P, eta);
    for (int j = 0; j < p->size; j++) CHECK_NEAR(eta[j], xi[j], 1e-13);
    picus_problem_destroy(copies[k]);
  }
}

/* Two bodies of two unknowns each (M not diagonal, one not symmetric if asked for), a constraint and two contacts. */
static const double global_H[16] = {1, 0, 2, 1, 0, 1, 0, -1, 0, 0, 1, 3, 0, 0, 2, 0}, global_C[4] = {1, 0, -1, 0};
static const double global_f[4] = {1, -2, 3, -4}, global_w[4] = {0.1, 0.2, 0.3, 0.4}, global_b[1] = {0.5};

static void global_mass(double unsymmetric, double M[16]) {
  const double values[16] = {3, 1, 0, 0, 1 + unsymmetric, 2, 0, 0, 0, 0, 5, -1, 0, 0, -1, 4};
  memcpy(M, values, sizeof values);
}

static void write_global(double unsymmetric) {
  double M[16], mu[2] = {0.3, 0.7};
  int two = 2;
  global_mass(unsymmetric, M);
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  CHECK(put_matrix(file, "fclib_global/M", 4, 4, 0, M) && put_matrix(file, "fclib_global/H", 4, 4, -2, global_H) &&
        put_matrix(file, "fclib_global/G", 4, 1, -1, global_C) &&
        put_numbers(file, "fclib_global/vectors/f", 4, global_f) &&
        put_numbers(file, "fclib_global/vectors/w", 4, global_w) &&
        put_numbers(file, "fclib_global/vectors/b", 1, global_b) &&
        put_numbers(file, "fclib_global/vectors/mu", 2, mu) && put_integers(file, "fclib_global/spacedim", 1, &two));
  H5Fclose(file);
}

/* v = M^-1 (D P + f) and xi = D^T v + w must be what the local form says, and the factors. */
static void check_global(picus_context *context, double unsymmetric, bool factored) {
  const double *H = global_H, *C = global_C, *f = global_f, *w = global_w, *b = global_b;
  double M[16];
  global_mass(unsymmetric, M);
  write_global(unsymmetric);
  picus_problem *problem = NULL;
  picus_status status =
      factored ? picus_problem_read_factored(context, path, &problem) : picus_problem_read(context, path, &problem);
  REQUIRE(status == PICUS_OK);
  const picus_contact_problem *p = picus_problem_contacts(problem);
  REQUIRE(p->law_count == 3 && p->size == 5 && p->laws[0].kind == PICUS_BILATERAL && p->laws[2].radius == 0.7);
  CHECK((p->factors != NULL) == factored && (p->blocks == NULL) == factored);
  CHECK(picus_contact_problem_check(context, p) == PICUS_OK);
  double P[5] = {0.3, -1, 2, 0.7, 1.1}, xi[5], v[4], r[4];
  for (int k = 0; k < 4; k++) {
    r[k] = f[k] + C[k] * P[0];
    for (int j = 0; j < 4; j++) r[k] += H[4 * k + j] * P[1 + j];
  }
  for (int k = 0; k < 4; k += 2) { /* each body by Cramer's rule */
    double a = M[5 * k], d = M[5 * (k + 1)], o = M[4 * k + k + 1], u = M[4 * (k + 1) + k];
    v[k] = (d * r[k] - o * r[k + 1]) / (a * d - o * u);
    v[k + 1] = (a * r[k + 1] - u * r[k]) / (a * d - o * u);
  }
  picus_contact_residual(p, P, xi);
  CHECK_NEAR(xi[0], b[0] + C[0] * v[0] + C[2] * v[2], 1e-14);
  for (int j = 0; j < 4; j++) {
    double want = w[j];
    for (int k = 0; k < 4; k++) want += H[4 * k + j] * v[k];
    CHECK_NEAR(xi[1 + j], want, 1e-14);
  }
  if (factored) check_copies_of_factors(context, p, P, xi);
  picus_problem_destroy(problem);
}

static void global_form(void) {
  picus_context *context = open_context();
  for (int k = 0; k < 4; k++) check_global(context, k % 2 ? 0.5 : 0, k > 1);
  close_context(context);
}

/* --- files that are wrong -------------------------------------------------------------------------------------- */

typedef struct wrong_file {
  const char *what; /* dataset to replace or delete, below fclib_local */
  int count;        /* -1: delete it; else so many values */
  double values[4]; /* of them the first; the others are zero */
  bool integers;
  picus_status status;
  const char *said;
} wrong_file;

static const wrong_file wrong_files[] = {
    {"spacedim", -1, {0}, true, PICUS_ERROR_IO, "has no dataset /fclib_local/spacedim"},
    {"spacedim", 1, {4}, true, PICUS_ERROR_IO, "spacedim of '"},
    {"spacedim", 1, {2.5}, false, PICUS_ERROR_IO, "not an integer"},
    {"spacedim", 1, {2}, true, PICUS_ERROR_IO, "not a multiple of spacedim = 2"},
    {"spacedim", 0, {0}, true, PICUS_ERROR_IO, "has 0 values, but 1 are needed"},
    {"vectors", -1, {0}, true, PICUS_ERROR_IO, "has no group /fclib_local/vectors"},
    {"vectors/mu", -1, {0}, true, PICUS_ERROR_IO, "has no dataset /fclib_local/vectors/mu"},
    {"vectors/mu", 2, {0.1, 0.1}, false, PICUS_ERROR_IO, "vectors/mu of '"},
    {"vectors/mu", 3, {0.1, NAN, 0.1}, false, PICUS_ERROR_IO, "vectors/mu[1] of '"},
    {"vectors/mu", 3, {0.1, 0.1, -0.5}, false, PICUS_ERROR_MODEL, "mu[2] of '"},
    {"vectors/q", 8, {1}, false, PICUS_ERROR_IO, "has 8 values, but 9 are needed"},
    {"vectors/q", 9, {0, 0, 0, INFINITY}, false, PICUS_ERROR_IO, "vectors/q[3] of '"},
    {"W", -1, {0}, true, PICUS_ERROR_IO, "has no group /fclib_local/W"},
    {"W", 3, {0}, true, PICUS_ERROR_IO, "has no group /fclib_local/W"},
    {"W/m", 1, {-9}, true, PICUS_ERROR_IO, "impossible size -9 x 9"},
    {"W/m", 1, {12}, true, PICUS_ERROR_IO, "12 x 9; it must be square"},
    {"W/m", 1, {1e10}, false, PICUS_ERROR_IO, "not an integer in its range"},
    {"W/nz", 1, {-3}, true, PICUS_ERROR_IO, "FCLIB supports -1"},
    {"W/nz", 1, {2000000000}, true, PICUS_ERROR_IO, "but 2000000000 are needed"},
    {"W/nz", -1, {0}, true, PICUS_ERROR_IO, "has no dataset /fclib_local/W/nz"},
    {"W/p", 10, {0, 5, 4}, true, PICUS_ERROR_IO, "W/p[2] of '"},
    {"W/p", 10, {1, 1, 1, 1}, true, PICUS_ERROR_IO, "W/p[0] of '"},
    {"W/p", 10, {0, NAN}, false, PICUS_ERROR_IO, "W/p[1] of '"},
    {"W/p", 9, {0}, true, PICUS_ERROR_IO, "has 9 values, but 10 are needed"},
    {"W/i", 81, {0, -1}, true, PICUS_ERROR_IO, "entry at (-1, 0)"},
    {"W/i", 81, {0, 9}, true, PICUS_ERROR_IO, "entry at (9, 0)"},
    {"W/i", 80, {0}, true, PICUS_ERROR_IO, "W/i of '"},
    {"W/x", 80, {0}, false, PICUS_ERROR_IO, "has 80 values, but 81 are needed"},
    {"W/x", 81, {NAN}, false, PICUS_ERROR_IO, "W/x[0] of '"},
    {"W/x", -1, {0}, false, PICUS_ERROR_IO, "has no dataset /fclib_local/W/x"},
};

/* Three spatial contacts, all coupled: 81 entries. */
static void write_three(picus_context *context) {
  static fixture f;
  test_random random = {4};
  for (int i = 0; i < 3; i++) f.laws[i] = (picus_law){PICUS_COULOMB, 3, 0.4};
  fill_numbers(&f, 3, &random, true);
  for (int k = 0; k < 81; k++) f.G[k] = k % 10 == 0 ? 4 : 0.1;
  picus_problem_notes notes = {"three", "", "", f.P, f.P};
  CHECK(picus_problem_write(context, path, &f.problem, &notes) == PICUS_OK);
}

static void spoil(const wrong_file *wrong) {
  char name[64];
  double numbers[128] = {0};
  int integers[128] = {0};
  snprintf(name, sizeof name, "/fclib_local/%s", wrong->what);
  for (int k = 0; k < 4; k++) {
    numbers[k] = wrong->values[k];
    if (wrong->integers) integers[k] = (int)wrong->values[k];
  }
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  if (wrong->count < 0)
    CHECK(H5Ldelete(file, name, H5P_DEFAULT) >= 0);
  else
    CHECK(wrong->integers ? put_integers(file, name, wrong->count, integers)
                          : put_numbers(file, name, wrong->count, numbers));
  H5Fclose(file);
}

static void check_refused(picus_context *context, const char *file, picus_status status, const char *said) {
  picus_problem *problem = NULL;
  picus_status found = picus_problem_read(context, file, &problem);
  const char *message = picus_last_error(context)->message;
  if (!CHECK(found == status) || !CHECK(strstr(message, said) != NULL) || !CHECK(strstr(message, file) != NULL))
    printf("  wanted: %s\n  said:   %s\n", said, message);
  CHECK(!problem);
  picus_problem_destroy(problem);
}

static void wrong_content(void) {
  picus_context *context = open_context();
  for (size_t k = 0; k < sizeof wrong_files / sizeof wrong_files[0]; k++) {
    write_three(context);
    spoil(&wrong_files[k]);
    check_refused(context, path, wrong_files[k].status, wrong_files[k].said);
  }
  close_context(context);
}

/* A text where numbers belong, a table instead of a list, a link to elsewhere. */
static void wrong_kinds(void) {
  picus_context *context = open_context();
  write_three(context);
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  hsize_t extent[2] = {3, 3};
  hid_t table = H5Screate_simple(2, extent, NULL), type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, 3);
  H5Ldelete(file, "fclib_local/vectors/q", H5P_DEFAULT);
  H5Dclose(H5Dcreate2(file, "fclib_local/vectors/q", H5T_IEEE_F64LE, table, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Fclose(file);
  check_refused(context, path, PICUS_ERROR_IO, "vectors/q of '");
  write_three(context);
  file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  hid_t list = H5Screate_simple(1, extent, NULL);
  H5Ldelete(file, "fclib_local/vectors/mu", H5P_DEFAULT);
  H5Dclose(H5Dcreate2(file, "fclib_local/vectors/mu", type, list, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Fclose(file);
  check_refused(context, path, PICUS_ERROR_IO, "mu of '");
  write_three(context);
  file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  H5Ldelete(file, "fclib_local/W", H5P_DEFAULT);
  H5Lcreate_external("elsewhere.hdf5", "/W", file, "fclib_local/W", H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(file);
  check_refused(context, path, PICUS_ERROR_IO, "no group /fclib_local/W");
  H5Sclose(table);
  H5Sclose(list);
  H5Tclose(type);
  close_context(context);
}

static void not_problems(void) {
  picus_context *context = open_context();
  check_refused(context, "nowhere.hdf5", PICUS_ERROR_IO, "cannot read 'nowhere.hdf5'");
  check_refused(context, ".", PICUS_ERROR_IO, "cannot read '.'");
  FILE *text = fopen(path, "w");
  fputs("W = [1 2; 3 4]\n", text);
  fclose(text);
  check_refused(context, path, PICUS_ERROR_IO, "is not an HDF5 file");
  H5Fclose(H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  check_refused(context, path, PICUS_ERROR_IO, "not a contact problem");
  close_context(context);
}

static void singular_mass(void) {
  picus_context *context = open_context();
  double M[4] = {1, 2, 2, 4}, H[4] = {1, 0, 0, 1}, f[2] = {0, 0}, w[2] = {0, 0}, mu[1] = {0.3};
  int two = 2;
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  CHECK(put_matrix(file, "fclib_global/M", 2, 2, -1, M) && put_matrix(file, "fclib_global/H", 2, 2, -1, H) &&
        put_numbers(file, "fclib_global/vectors/f", 2, f) && put_numbers(file, "fclib_global/vectors/w", 2, w) &&
        put_numbers(file, "fclib_global/vectors/mu", 1, mu) && put_integers(file, "fclib_global/spacedim", 1, &two));
  H5Fclose(file);
  check_refused(context, path, PICUS_ERROR_SINGULAR, "has no inverse");
  close_context(context);
}

/* A guess that does not fit is left out; the problem stays good. */
static void wrong_guess(void) {
  picus_context *context = open_context();
  double short_list[2] = {1, 2};
  write_three(context);
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  CHECK(put_numbers(file, "/guesses/1/r", 2, short_list));
  H5Fclose(file);
  picus_problem *problem = NULL;
  REQUIRE(picus_problem_read(context, path, &problem) == PICUS_OK);
  CHECK(!picus_problem_notes_of(problem)->guess && picus_problem_notes_of(problem)->solution);
  CHECK(picus_last_error(context)->status == PICUS_OK);
  picus_problem_destroy(problem);
  close_context(context);
}

static void cannot_write(void) {
  picus_context *context = open_context();
  static fixture f;
  test_random random = {5};
  fclib_problem(&f, &random, false);
  CHECK(picus_problem_write(context, "no-such-folder/a.hdf5", &f.problem, NULL) == PICUS_ERROR_IO);
  CHECK(strstr(picus_last_error(context)->message, "no-such-folder/a.hdf5") != NULL);
  f.c[1] = NAN;
  CHECK(picus_problem_write(context, path, &f.problem, NULL) == PICUS_ERROR_NUMBER);
  close_context(context);
}

/* Memory that ends after so many blocks. */
static void *refuse_later(void *user, void *old, size_t old_size, size_t new_size) {
  long *left = user;
  (void)old_size;
  if (new_size == 0) {
    free(old);
    return NULL;
  }
  if (*left == 0) return NULL;
  --*left;
  return realloc(old, new_size);
}

/* Copies, writes and reads with less and less refusal; whatever fails must say so and keep nothing. */
static bool try_with_blocks(const fixture *f, long blocks) {
  long left = -1;
  picus_context_def def = picus_default_context_def();
  picus_context *context = NULL;
  picus_problem *copy = NULL, *back = NULL;
  def.allocate = refuse_later;
  def.allocate_user = &left;
  if (!CHECK(picus_context_create(&def, &context) == PICUS_OK)) return true;
  left = blocks;
  picus_problem_notes notes = {"title", "description", "", f->P, f->P};
  picus_status status = picus_problem_copy(context, &f->problem, &notes, &copy);
  if (!status) status = picus_problem_write(context, path, picus_problem_contacts(copy), &notes);
  if (!status) status = picus_problem_read(context, path, &back);
  CHECK(status == PICUS_OK || status == PICUS_ERROR_MEMORY);
  CHECK(status == PICUS_OK ? copy && back : !back);
  picus_problem_destroy(copy);
  picus_problem_destroy(back);
  left = -1;
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
  return status == PICUS_OK;
}

static void refused_memory(void) {
  picus_context *context = open_context(); /* for the path */
  static fixture f;
  test_random random = {6};
  fclib_problem(&f, &random, true);
  long blocks = 0;
  while (blocks < 5000 && !try_with_blocks(&f, blocks)) blocks++;
  CHECK(blocks > 50 && blocks < 5000);
  close_context(context);
}

/* Reads a global form by factors, and copies it, with so many blocks of memory. */
static bool try_factors(long blocks) {
  long left = -1;
  picus_context_def def = picus_default_context_def();
  picus_context *context = NULL;
  picus_problem *problem = NULL, *copy = NULL;
  def.allocate = refuse_later;
  def.allocate_user = &left;
  if (!CHECK(picus_context_create(&def, &context) == PICUS_OK)) return true;
  left = blocks;
  picus_status status = picus_problem_read_factored(context, path, &problem);
  if (!status) status = picus_problem_copy(context, picus_problem_contacts(problem), NULL, &copy);
  CHECK(status == PICUS_OK || status == PICUS_ERROR_MEMORY);
  CHECK((status == PICUS_OK) == (copy != NULL));
  picus_problem_destroy(problem);
  picus_problem_destroy(copy);
  left = -1;
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
  return status == PICUS_OK;
}

static void refused_memory_for_factors(void) {
  picus_context *context = open_context();
  write_global(0.5);
  long blocks = 0;
  while (blocks < 2000 && !try_factors(blocks)) blocks++;
  CHECK(blocks > 30 && blocks < 2000);
  close_context(context);
}

static const test_case cases[] = {
    {"what FCLIB has words for comes back bit for bit", round_trip_fclib},
    {"any problem comes back bit for bit", round_trip_any},
    {"copies", copies},
    {"triplets, by columns, by rows", storages},
    {"bilateral rows", bilateral_rows},
    {"global form", global_form},
    {"wrong content is refused with a sentence", wrong_content},
    {"wrong kinds of datasets", wrong_kinds},
    {"files that are no problems", not_problems},
    {"a mass matrix without inverse", singular_mass},
    {"a guess that does not fit", wrong_guess},
    {"files that cannot be written", cannot_write},
    {"memory that is refused", refused_memory},
    {"memory that is refused to factors", refused_memory_for_factors},
};

int main(int argc, char **argv) {
  return test_main(argc, argv, "problem_file", cases, (int)(sizeof cases / sizeof cases[0]));
}
