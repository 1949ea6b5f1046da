/* Factors of symmetric positive definite matrices of all sizes, judged by their residual; what is not positive definite
 * is refused at the right pivot. */
#include "linalg/internal.h"
#include "support/check.h"

#include <math.h>
#include <string.h>

enum { LARGEST = 330 };

static double A[LARGEST * LARGEST], L[LARGEST * LARGEST], B[LARGEST * LARGEST];

/* B B^T of a random B with `rank` columns, in whole numbers, so that nothing is rounded. */
static void fill_product(test_random *random, int n, int rank) {
  for (int k = 0; k < n * rank; k++) B[k] = test_integer(random, -9, 9);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) A[i * n + j] = picus_dot(rank, B + i * rank, B + j * rank);
}

static double largest_rest(int n, const double *x, const double *b) {
  double rest = 0;
  for (int i = 0; i < n; i++) rest = fmax(rest, fabs(picus_dot(n, A + i * n, x) - b[i]));
  return rest;
}

static void check_solution(test_random *random, int n) {
  static double b[LARGEST], x[LARGEST];
  for (int i = 0; i < n; i++) b[i] = x[i] = test_uniform(random, -1, 1);
  picus_cholesky_solve(n, L, x);
  CHECK(largest_rest(n, x, b) < 1e-12 * n);
}

/* Sizes around all borders of the algorithm; only the lower triangle may be looked at. */
static void systems_of_all_sizes(void) {
  test_random random = {1};
  for (int n = 1; n <= LARGEST; n += n < 150 ? 1 : 29) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++)
        A[i * n + j] = A[j * n + i] = i == j ? 1 + sqrt(n) : test_uniform(&random, -1, 1) / (1 + 0.1 * (i - j));
    CHECK(picus_cholesky_factor(n, A, L) == -1);
    check_solution(&random, n);
    memcpy(B, A, sizeof A);
    for (int i = 0; i < n; i++)
      for (int j = i + 1; j < n; j++) B[i * n + j] = NAN;
    CHECK(picus_cholesky_factor(n, B, B) == -1); /* in place */
    static double x[LARGEST], y[LARGEST];
    for (int i = 0; i < n; i++) x[i] = y[i] = i;
    picus_cholesky_solve(n, L, x);
    picus_cholesky_solve(n, B, y);
    CHECK(memcmp(x, y, (size_t)n * sizeof *x) == 0);
  }
}

static void the_inverse(void) {
  test_random random = {2};
  for (int n = 1; n <= 60; n += 7) {
    fill_product(&random, n, n + 20);
    REQUIRE(picus_cholesky_factor(n, A, L) == -1);
    picus_cholesky_inverse(n, L, B);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) CHECK_NEAR(picus_dot(n, A + i * n, B + j * n), i == j ? 1 : 0, 1e-10);
  }
}

/* A row that is the sum of all rows before it, in whole numbers. */
static void singular_matrices_are_refused(void) {
  test_random random = {3};
  for (int round = 0; round < 60; round++) {
    int n = test_integer(&random, 2, 120), bad = test_integer(&random, 1, n - 1);
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++) A[i * n + j] = A[j * n + i] = i == j ? 9 * n : test_integer(&random, -9, 9);
    for (int j = 0; j < bad; j++) {
      double sum = 0;
      for (int i = 0; i < bad; i++) sum += A[i * n + j];
      A[bad * n + j] = A[j * n + bad] = sum;
    }
    double sum = 0;
    for (int j = 0; j < bad; j++) sum += A[bad * n + j];
    A[bad * n + bad] = sum;
    CHECK(picus_cholesky_factor(n, A, L) == bad);
  }
}

static void indefinite_matrices_are_refused_at_their_pivot(void) {
  test_random random = {4};
  for (int round = 0; round < 60; round++) {
    int n = test_integer(&random, 1, 120), bad = test_integer(&random, 0, n - 1);
    fill_product(&random, n, n + 20);
    A[bad * n + bad] = round % 3 == 0 ? NAN : round % 3 == 1 ? 0 : -1;
    CHECK(picus_cholesky_factor(n, A, L) == bad);
  }
}

/* A shift of 1e-13 makes dependent constraints solvable (src/statics/constraints.c): it must count as positive. */
static void small_shifts_count(void) {
  test_random random = {5};
  for (int n = 10; n <= LARGEST; n += 40) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) A[i * n + j] = (i % 2 == j % 2) + (i == j ? 1e-13 : 0); /* rank 2 */
    CHECK(picus_cholesky_factor(n, A, L) == -1);
    A[n * n - 1] = test_uniform(&random, 0, 1 - 1e-3);
    CHECK(picus_cholesky_factor(n, A, L) == n - 1);
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"systems_of_all_sizes", systems_of_all_sizes},
      {"the_inverse", the_inverse},
      {"singular_matrices_are_refused", singular_matrices_are_refused},
      {"indefinite_matrices_are_refused_at_their_pivot", indefinite_matrices_are_refused_at_their_pivot},
      {"small_shifts_count", small_shifts_count},
  };
  return test_main(argc, argv, "linalg_cholesky", cases, (int)(sizeof cases / sizeof *cases));
}
