/* Linear systems without symmetry, dense and sparse, judged by their residual. */
#include "linalg/internal.h"
#include "support/check.h"

#include <math.h>
#include <string.h>

enum { LARGEST = 90 };

static void random_matrix(test_random *random, int n, double share, double *A) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      bool there = i == j || test_uniform(random, 0, 1) < share;
      A[i * n + j] = there ? test_uniform(random, -1, 1) + (i == j ? 3 : 0) : 0;
    }
}

static double largest_rest(int n, const double *A, const double *x, const double *b) {
  double rest = 0;
  for (int i = 0; i < n; i++) rest = fmax(rest, fabs(picus_dot(n, A + i * n, x) - b[i]));
  return rest;
}

static void dense_systems_of_all_sizes(void) {
  static double A[LARGEST * LARGEST], LU[LARGEST * LARGEST], b[LARGEST], x[LARGEST];
  int pivots[LARGEST];
  test_random random = {1};
  for (int n = 1; n <= LARGEST; n++) {
    random_matrix(&random, n, 1, A);
    for (int i = 0; i < n; i++) A[i * n + i] = i == n - 1 ? 2 : 0; /* exchanges are needed */
    for (int i = 0; i < n; i++) b[i] = x[i] = test_uniform(&random, -1, 1);
    memcpy(LU, A, sizeof A);
    REQUIRE(picus_lu_factor(n, LU, pivots));
    picus_lu_solve(n, LU, pivots, x);
    CHECK(largest_rest(n, A, x, b) < 1e-9);
  }
}

static void dense_singular_systems_are_refused(void) {
  static double A[LARGEST * LARGEST];
  int pivots[LARGEST];
  test_random random = {2};
  for (int n = 2; n <= LARGEST; n += 11) {
    random_matrix(&random, n, 1, A);
    for (int i = 0; i < n; i++) A[i * n] = 0;
    CHECK(!picus_lu_factor(n, A, pivots));
    random_matrix(&random, n, 1, A);
    A[n + 1] = NAN;
    CHECK(!picus_lu_factor(n, A, pivots));
  }
}

static void make_sparse(int n, const double *A, picus_sparse_system *system) {
  size_t entries = 0;
  for (int k = 0; k < n * n; k++) entries += A[k] != 0;
  REQUIRE(picus_sparse_reserve(system, n, entries));
  entries = 0;
  for (int i = 0; i < n; i++) {
    system->row_start[i] = (int)entries;
    for (int j = 0; j < n; j++)
      if (A[i * n + j] != 0) {
        system->column[entries] = j;
        system->values[entries++] = A[i * n + j];
      }
  }
  system->row_start[n] = (int)entries;
}

static void solve_sparse(test_random *random, int n, const double *A, picus_sparse_system *system) {
  static double b[LARGEST], x[LARGEST];
  make_sparse(n, A, system);
  for (int i = 0; i < n; i++) b[i] = x[i] = test_uniform(random, -1, 1);
  REQUIRE(picus_sparse_factor(system, 1e12));
  picus_sparse_solve(system, x);
  CHECK(largest_rest(n, A, x, b) < 1e-11);
}

static void sparse_systems_one_after_the_other(void) {
  static double A[LARGEST * LARGEST];
  picus_sparse_system system = {0};
  test_random random = {3};
  for (int round = 0; round < 60; round++) {
    int n = test_integer(&random, 1, LARGEST);
    random_matrix(&random, n, 0.05, A);
    solve_sparse(&random, n, A, &system);
    const void *analysis = system.symbolic;
    for (int again = 0; again < 3; again++) { /* other numbers, the same pattern */
      for (int k = 0; k < n * n; k++)
        if (A[k] != 0) A[k] = test_uniform(&random, -1, 1) + (k % (n + 1) == 0 ? 3 : 0);
      solve_sparse(&random, n, A, &system);
      CHECK(system.symbolic == analysis);
    }
  }
  picus_sparse_release(&system);
  CHECK(!system.symbolic && !system.numeric && !system.values);
  picus_sparse_release(&system);
}

/* Pivots that were good and are none any more. */
static void sparse_pivots_that_become_poor(void) {
  picus_sparse_system system = {0};
  test_random random = {4};
  double A[9] = {1, 0.1, 0, 0.1, 1, 0.1, 0, 0.1, 1};
  solve_sparse(&random, 3, A, &system);
  A[0] = 1e-12;
  solve_sparse(&random, 3, A, &system);
  picus_sparse_release(&system);
}

static void sparse_systems_that_are_refused(void) {
  picus_sparse_system system = {0};
  const double singular[4] = {1, 2, 2, 4}, regular[4] = {2, 1, 1, 2};
  make_sparse(2, singular, &system);
  CHECK(!picus_sparse_factor(&system, 1e12));
  test_random random = {5};
  solve_sparse(&random, 2, regular, &system);
  static double A[LARGEST * LARGEST];
  random_matrix(&random, LARGEST, 1, A);
  make_sparse(LARGEST, A, &system);
  CHECK(!picus_sparse_factor(&system, 1e3)); /* more work than that */
  picus_sparse_release(&system);
}

/* By minors of the first row; used: the columns that are taken. */
static double determinant(int n, const double *A, int row, unsigned used) {
  double sum = 0, sign = 1;
  if (row == n) return 1;
  for (int j = 0; j < n; j++) {
    if (used & 1U << j) continue;
    if (A[row * n + j] != 0) sum += sign * A[row * n + j] * determinant(n, A, row + 1, used | 1U << j);
    sign = -sign;
  }
  return sum;
}

/* Dense and sparse matrices with zero diagonals, so that both factors exchange rows and columns. */
static void signs_of_determinants(void) {
  enum { MOST = 7 };
  test_random random = {6};
  int pivots[MOST], negative = 0, compared = 0;
  for (int k = 0; k < 500; k++) {
    const int n = 1 + k % MOST;
    double A[MOST * MOST], LU[MOST * MOST];
    random_matrix(&random, n, 0.6, A);
    for (int i = 0; i < n; i++) A[i * n + i] = test_uniform(&random, -1, 1) * (k % 3);
    const double exact = determinant(n, A, 0, 0);
    if (fabs(exact) < 1e-6) continue;
    picus_sparse_system system = {0};
    memcpy(LU, A, sizeof A);
    REQUIRE(picus_lu_factor(n, LU, pivots));
    make_sparse(n, A, &system);
    REQUIRE(picus_sparse_factor(&system, 1e12));
    CHECK(picus_lu_sign(n, LU, pivots) == (exact > 0 ? 1 : -1));
    CHECK(picus_sparse_sign(&system) == (exact > 0 ? 1 : -1));
    CHECK(picus_sparse_sign(&system) == (exact > 0 ? 1 : -1)); /* it leaves the factors as they are */
    picus_sparse_release(&system);
    compared++;
    negative += exact < 0;
  }
  CHECK(compared > 250 && negative > 80 && compared - negative > 80);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"dense_systems_of_all_sizes", dense_systems_of_all_sizes},
      {"dense_singular_systems_are_refused", dense_singular_systems_are_refused},
      {"sparse_systems_one_after_the_other", sparse_systems_one_after_the_other},
      {"sparse_pivots_that_become_poor", sparse_pivots_that_become_poor},
      {"sparse_systems_that_are_refused", sparse_systems_that_are_refused},
      {"signs_of_determinants", signs_of_determinants},
  };
  return test_main(argc, argv, "linalg_lu", cases, (int)(sizeof cases / sizeof *cases));
}
