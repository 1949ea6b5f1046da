/* Square matrices of parts: dense, banded and sparse ones solve the same systems; a sparse part never becomes dense. */
#include "statics/internal.h"
#include "support/chain.h"
#include "support/check.h"
#include "system/internal.h"
#include "system/part_matrix.h"

#include <math.h>
#include <picus/picus.h>
#include <string.h>

enum { ORDER = 40, MOST = ORDER * ORDER };

static picus_context *context;

/* The pattern of a dense matrix, made symmetric. */
typedef struct pattern_arrays {
  int row_start[ORDER + 1], column[MOST];
} pattern_arrays;

static part_pattern pattern_of(int n, const double *A, pattern_arrays *arrays) {
  int at = 0;
  for (int i = 0; i < n; i++) {
    arrays->row_start[i] = at;
    for (int j = 0; j < n; j++)
      if (i == j || A[i * n + j] != 0 || A[j * n + i] != 0) arrays->column[at++] = j;
  }
  arrays->row_start[n] = at;
  return picus_part_pattern(n, arrays->row_start, arrays->column);
}

/* Diagonally dominant: entries within `band` of the diagonal, or anywhere with the given share. */
static void fill_random(test_random *random, int n, int band, double share, bool symmetric, double *A) {
  memset(A, 0, MOST * sizeof *A);
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      bool there = i - j <= band || test_uniform(random, 0, 1) < share;
      A[i * n + j] = i == j ? 3.0 * (band + 1) + n * share * 2 : there ? test_uniform(random, -1, 1) : 0;
      if (i != j) A[j * n + i] = symmetric || !there ? A[i * n + j] : test_uniform(random, -1, 1);
    }
}

static double error_of_solve(int n, const part_matrix *m, test_random *random) {
  double x[ORDER] = {0}, b[ORDER] = {0}, y[ORDER] = {0}, error = 0;
  for (int i = 0; i < n; i++) x[i] = test_uniform(random, -1, 1);
  picus_part_matrix_multiply(m, x, b);
  memcpy(y, b, sizeof y);
  picus_part_matrix_solve(m, y);
  for (int i = 0; i < n; i++) error = fmax(error, fabs(x[i] - y[i]));
  return error;
}

static void check_kind(int n, int band, double share, bool symmetric, bool sparse, bool often, part_factor expected) {
  static double A[MOST];
  static pattern_arrays arrays;
  test_random random = {(unsigned long long)(n + 100 * band)};
  fill_random(&random, n, band, share, symmetric, A);
  part_pattern pattern = pattern_of(n, A, &arrays);
  part_matrix m;
  REQUIRE(picus_part_matrix_create(context, n, sparse ? &pattern : NULL, &m) == PICUS_OK);
  if (sparse)
    for (int i = 0; i < n; i++)
      for (int k = pattern.row_start[i]; k < pattern.row_start[i + 1]; k++) m.values[k] = A[i * n + pattern.column[k]];
  else
    memcpy(m.values, A, m.count * sizeof(double));
  CHECK(picus_part_matrix_factor(&m, often));
  CHECK(m.factored == expected);
  CHECK(error_of_solve(n, &m, &random) < 1e-13);
  if (symmetric) {
    CHECK(picus_part_matrix_factor_positive(&m, often) == -1);
    CHECK(error_of_solve(n, &m, &random) < 1e-13);
  }
  static double dense[MOST];
  memset(dense, 0, sizeof dense);
  picus_part_matrix_place(m.values, n, sparse ? &pattern : NULL, picus_dense_place(dense, n, 0, 0));
  for (int k = 0; k < n * n; k++) CHECK(dense[k] == A[k]);
  picus_part_matrix_release(context, &m);
}

static void every_kind_solves(void) {
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  for (int n = 1; n <= ORDER; n += 3) {
    bool small = n <= PICUS_INVERSE_LARGEST;
    check_kind(n, n, 0, true, false, true, small ? FACTOR_INVERSE : FACTOR_LU);
    check_kind(n, n, 0, false, false, false, FACTOR_LU);
    check_kind(n, 1, 0, true, true, true, FACTOR_BANDED);
    check_kind(n, 3, 0, true, true, true, FACTOR_BANDED);
    if (n > 5) check_kind(n, 1, 0, false, true, true, FACTOR_SPARSE);
    if (n > 30) check_kind(n, 0, 0.02, true, true, true, FACTOR_SPARSE);
  }
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

/* The mass matrix of rigid bodies: small blocks along the diagonal, found in a dense matrix. */
static void blocks_are_inverted_one_by_one(void) {
  static const int sizes[] = {1, 1, 3, 8, 2, 1, 6, 1, 7, 5, 1, 4};
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  test_random random = {11};
  for (int kind = 0; kind < 3; kind++) { /* symmetric, not symmetric, and with an entry that joins two blocks */
    part_matrix m;
    REQUIRE(picus_part_matrix_create(context, ORDER, NULL, &m) == PICUS_OK);
    for (int b = 0, first = 0; b < 12; first += sizes[b++])
      for (int i = 0; i < sizes[b]; i++)
        for (int j = 0; j <= i; j++) {
          double low = i == j ? 10 : test_uniform(&random, -1, 1);
          m.values[(first + i) * ORDER + first + j] = low;
          if (i != j) m.values[(first + j) * ORDER + first + i] = kind == 1 ? test_uniform(&random, -1, 1) : low;
        }
    if (kind == 2) m.values[12 * ORDER + 13] = m.values[13 * ORDER + 12] = 0.5; /* 8 + 2 are more than an inverse has */
    CHECK(picus_part_matrix_factor(&m, true) && m.factored == (kind == 2 ? FACTOR_LU : FACTOR_BLOCKS));
    CHECK(kind == 2 || m.block_count == 12);
    CHECK(error_of_solve(ORDER, &m, &random) < 1e-14);
    if (kind != 1) {
      CHECK(picus_part_matrix_factor_positive(&m, true) == -1);
      CHECK(m.factored == (kind == 2 ? FACTOR_CHOLESKY : FACTOR_BLOCKS));
      CHECK(error_of_solve(ORDER, &m, &random) < 1e-14);
    }
    m.values[7 * ORDER + 7] = -10; /* within the block of 8 */
    CHECK(picus_part_matrix_factor_positive(&m, true) == 7);
    for (int j = 0; j < ORDER; j++) m.values[7 * ORDER + j] = 0;
    CHECK(!picus_part_matrix_factor(&m, true));
    picus_part_matrix_release(context, &m);
  }
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

/* Tridiagonal products have the bits of those by lists; a pattern that only has as many entries is no tridiagonal one.
 */
static void tridiagonal_products(void) {
  static double A[MOST];
  static pattern_arrays arrays;
  test_random random = {5};
  for (int round = 0; round < 2000; round++) {
    const int n = 1 + round % ORDER;
    double values[MOST] = {0}, x[ORDER] = {0}, y[2][ORDER] = {{0}};
    fill_random(&random, n, 1, 0, true, A);
    if (round % 3 == 2 && n > 4) { /* one entry moves away from the diagonal */
      A[2 * n + 1] = A[n + 2] = 0;
      A[4 * n + 1] = A[n + 4] = 0.5;
    }
    part_pattern pattern = pattern_of(n, A, &arrays);
    CHECK(pattern.tridiagonal == (n > 2 && !(round % 3 == 2 && n > 4)));
    for (int k = 0; k < pattern.row_start[n]; k++)
      values[k] =
          round % 7 == 1 ? -0.0 : test_uniform(&random, -1, 1) * pow(10, floor(test_uniform(&random, -300, 300)));
    for (int i = 0; i < n; i++) x[i] = round % 5 == 1 ? 0 : test_uniform(&random, -1, 1);
    if (round % 11 == 3) x[n / 2] = NAN;
    picus_pattern_multiply(n, &pattern, values, x, y[0]);
    pattern.tridiagonal = false;
    picus_pattern_multiply(n, &pattern, values, x, y[1]);
    for (int i = 0; i < n; i++)
      CHECK(memcmp((const void *)&y[0][i], (const void *)&y[1][i], sizeof y[0][i]) == 0 ||
            (isnan(y[0][i]) && isnan(y[1][i])));
  }
}

static void what_is_not_positive_is_named(void) {
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  static double A[MOST];
  static pattern_arrays arrays;
  test_random random = {7};
  for (int band = 1; band <= 20; band += 19) { /* a band, and everything: then the pattern is not worth a band */
    fill_random(&random, ORDER, 1, band == 1 ? 0 : 0.02, true, A);
    A[17 * ORDER + 17] = -1;
    part_pattern pattern = pattern_of(ORDER, A, &arrays);
    for (int sparse = 0; sparse < 2; sparse++) {
      part_matrix m;
      REQUIRE(picus_part_matrix_create(context, ORDER, sparse ? &pattern : NULL, &m) == PICUS_OK);
      for (int i = 0; sparse && i < ORDER; i++)
        for (int k = pattern.row_start[i]; k < pattern.row_start[i + 1]; k++)
          m.values[k] = A[i * ORDER + pattern.column[k]];
      if (!sparse) memcpy(m.values, A, m.count * sizeof(double));
      CHECK(picus_part_matrix_factor_positive(&m, true) == 17);
      picus_part_matrix_release(context, &m);
    }
  }
  picus_context_destroy(context);
}

static void singular_matrices_are_refused(void) {
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  static pattern_arrays arrays;
  static const double A[9] = {1, 1, 0, 1, 1, 0, 0, 0, 1};
  part_pattern pattern = pattern_of(3, A, &arrays);
  for (int sparse = 0; sparse < 2; sparse++) {
    part_matrix m;
    REQUIRE(picus_part_matrix_create(context, 3, sparse ? &pattern : NULL, &m) == PICUS_OK);
    for (size_t k = 0; k < m.count; k++) m.values[k] = sparse ? 1 : A[k];
    CHECK(!picus_part_matrix_factor(&m, false));
    CHECK(picus_part_matrix_factor_positive(&m, false) == 1);
    picus_part_matrix_release(context, &m);
  }
  picus_context_destroy(context);
}

/* 20 000 masses: whoever makes a dense matrix of them needs 3.2 GB. */
static void a_long_chain_is_never_dense(void) {
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  const int n = 20000;
  picus_system *chain = chain_system(context, n, 1e4, 0, 0.5, 1e-3, -1, true);
  REQUIRE(chain != NULL);
  CHECK(picus_system_check_start(chain, NULL) == PICUS_OK);
  picus_sim_options options = picus_default_sim_options();
  options.dt = 1e-3;
  options.t_end = 0.01;
  picus_sim *sim;
  picus_summary summary;
  REQUIRE(picus_sim_create(context, chain, &options, &sim) == PICUS_OK);
  CHECK(picus_sim_run(sim, NULL, NULL, &summary) == PICUS_OK);
  CHECK(summary.impacts > 0);
  CHECK(picus_context_memory_peak(context) < 200 * (size_t)n * sizeof(double));
  picus_sim_destroy(sim);
  picus_system_destroy(chain);
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

/* The same chain with and without a pattern: same matrices to the outside, same motion. */
static void the_pattern_changes_nothing(void) {
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  enum { N = 12 };
  double M[2][N * N], K[2][N * N], C[2][N * N], q[2][N] = {{0}};
  for (int sparse = 0; sparse < 2; sparse++) {
    picus_system *chain = chain_system(context, N, 1e2, 0.1, 0.5, 1e-2, -1, sparse == 1);
    REQUIRE(chain != NULL);
    picus_evaluation *e;
    REQUIRE(picus_evaluation_create(context, chain, &e) == PICUS_OK);
    picus_evaluation_set_point(e, 0, chain->q_start, chain->u_start);
    CHECK(picus_evaluate_mass(e, M[sparse]) == PICUS_OK);
    CHECK(picus_evaluate_force_jacobian(e, K[sparse], C[sparse]) == PICUS_OK);
    picus_evaluation_destroy(e);
    picus_sim_options options = picus_default_sim_options();
    options.dt = 1e-3;
    options.t_end = 0.5;
    picus_sim *sim;
    REQUIRE(picus_sim_create(context, chain, &options, &sim) == PICUS_OK);
    CHECK(picus_sim_run(sim, NULL, NULL, NULL) == PICUS_OK);
    memcpy(q[sparse], picus_sim_state(sim).q, sizeof q[0]);
    picus_sim_destroy(sim);
    picus_system_destroy(chain);
  }
  for (int i = 0; i < N * N; i++) CHECK(M[0][i] == M[1][i] && K[0][i] == K[1][i] && C[0][i] == C[1][i]);
  for (int i = 0; i < N; i++) CHECK_NEAR(q[1][i], q[0][i], 1e-13);
  picus_context_destroy(context);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"every_kind_solves", every_kind_solves},
      {"blocks_are_inverted_one_by_one", blocks_are_inverted_one_by_one},
      {"tridiagonal_products", tridiagonal_products},
      {"what_is_not_positive_is_named", what_is_not_positive_is_named},
      {"singular_matrices_are_refused", singular_matrices_are_refused},
      {"a_long_chain_is_never_dense", a_long_chain_is_never_dense},
      {"the_pattern_changes_nothing", the_pattern_changes_nothing},
  };
  return test_main(argc, argv, "system_part_matrix", cases, sizeof cases / sizeof cases[0]);
}
