/* Lemke's pivoting alone: standard linear complementarity problems, judged by the conditions themselves. */
#include "simultaneous/pivoting.h"
#include "support/check.h"

#include <math.h>
#include <string.h>

enum { LARGEST = 12 };

static picus_status run(int n, const double *A, const double *b, double *x, int *pivots) {
  static double table[LARGEST * (LARGEST + 2)], defect[LARGEST];
  static int basic[LARGEST], nonbasic[LARGEST + 1], place[2 * LARGEST + 1];
  picus_pivoting pivoting = {.size = n,
                             .A = A,
                             .b = b,
                             .table = table,
                             .defect = defect,
                             .basic = basic,
                             .nonbasic = nonbasic,
                             .place = place};
  picus_pivoting_start(&pivoting);
  *pivots = 0;
  picus_status status = picus_pivoting_run(&pivoting, 1000, pivots);
  for (int j = 0; j < n; j++) x[j] = picus_pivoting_value(&pivoting, j);
  return status;
}

/* Largest violation of x >= 0, y = A x + b >= 0, x y = 0. */
static double violation(int n, const double *A, const double *b, const double *x) {
  double worst = 0;
  for (int i = 0; i < n; i++) {
    double y = b[i];
    for (int j = 0; j < n; j++) y += A[i * n + j] * x[j];
    worst = fmax(worst, fmax(fmax(-x[i], -y), fmin(fabs(x[i]), fabs(y))));
  }
  return worst;
}

static void symmetric_positive_definite(void) {
  test_random random = {11};
  for (int round = 0; round < 2000; round++) {
    int n = test_integer(&random, 1, LARGEST), pivots;
    double V[LARGEST][LARGEST], A[LARGEST * LARGEST], b[LARGEST], x[LARGEST];
    for (int i = 0; i < n; i++) {
      b[i] = test_uniform(&random, -1, 1);
      for (int j = 0; j < n; j++) V[i][j] = test_uniform(&random, -1, 1);
    }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        A[i * n + j] = i == j ? 0.1 : 0;
        for (int k = 0; k < n; k++) A[i * n + j] += V[k][i] * V[k][j];
      }
    CHECK(run(n, A, b, x, &pivots) == PICUS_OK);
    CHECK(violation(n, A, b, x) < 1e-9);
  }
}

static void nothing_to_do(void) {
  double x[2];
  int pivots;
  CHECK(run(2, (double[]){-1, 5, 3, -2}, (double[]){0, 1}, x, &pivots) == PICUS_OK);
  CHECK(x[0] == 0 && x[1] == 0 && pivots == 0);
}

static void a_ray_is_reported(void) {
  double x[2];
  int pivots;
  CHECK(run(1, (double[]){-1}, (double[]){-1}, x, &pivots) == PICUS_NO_SOLUTION);
  CHECK(run(1, (double[]){0}, (double[]){-1}, x, &pivots) == PICUS_NO_SOLUTION);
  CHECK(run(2, (double[]){1, -1, -1, 1}, (double[]){-1, -1}, x, &pivots) == PICUS_NO_SOLUTION);
}

/* All ratios are equal here, the textbook case for cycling. */
static void ties_everywhere(void) {
  double x[LARGEST];
  int pivots;
  CHECK(run(3, (double[]){1, 2, 0, 0, 1, 2, 2, 0, 1}, (double[]){-1, -1, -1}, x, &pivots) == PICUS_OK);
  for (int k = 0; k < 3; k++) CHECK_NEAR(x[k], 1. / 3, 1e-14);
  CHECK(pivots < 20);
  /* the same rows many times: singular, and every ratio comes LARGEST times */
  double A[LARGEST * LARGEST], b[LARGEST];
  for (int i = 0; i < LARGEST; i++) {
    b[i] = -1;
    for (int j = 0; j < LARGEST; j++) A[i * LARGEST + j] = 1;
  }
  CHECK(run(LARGEST, A, b, x, &pivots) == PICUS_OK);
  CHECK(violation(LARGEST, A, b, x) < 1e-14);
}

/* Integer data make ties the rule; whatever ends in a solution must be one, and nothing may go round for ever. */
static void small_integers(void) {
  test_random random = {21};
  int solved = 0;
  for (int round = 0; round < 5000; round++) {
    int n = test_integer(&random, 2, 8), pivots;
    double A[LARGEST * LARGEST], b[LARGEST], x[LARGEST];
    int V[LARGEST][LARGEST];
    for (int i = 0; i < n; i++) {
      b[i] = test_integer(&random, -1, 1);
      for (int j = 0; j < n; j++) V[i][j] = test_integer(&random, -1, 1);
    }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        int sum = 0;
        for (int k = 0; k < n / 2 + 1; k++) sum += V[k][i] * V[k][j]; /* positive semidefinite, singular */
        A[i * n + j] = sum;
      }
    picus_status status = run(n, A, b, x, &pivots);
    CHECK(status != PICUS_NOT_CONVERGED);
    if (status != PICUS_OK) continue;
    solved++;
    CHECK(violation(n, A, b, x) < 1e-10);
  }
  CHECK(solved > 1000);
}

/* For a positive semidefinite matrix a ray means that there is no x >= 0 with A x + b >= 0 at all. Here b lies such
 * that there is one, so every problem has to be solved. */
static void feasible_semidefinite(void) {
  test_random random = {31};
  for (int round = 0; round < 2000; round++) {
    int n = test_integer(&random, 2, LARGEST), rank = test_integer(&random, 1, n), pivots;
    double V[LARGEST][LARGEST], A[LARGEST * LARGEST], b[LARGEST], x[LARGEST];
    for (int k = 0; k < rank; k++)
      for (int j = 0; j < n; j++) V[k][j] = test_uniform(&random, -1, 1);
    for (int i = 0; i < n; i++) {
      b[i] = test_uniform(&random, 0, 1) * test_integer(&random, 0, 1);
      for (int j = 0; j < n; j++) {
        A[i * n + j] = 0;
        for (int k = 0; k < rank; k++) A[i * n + j] += V[k][i] * V[k][j];
      }
    }
    for (int j = 0; j < n; j++) {
      double feasible = test_uniform(&random, 0, 1) * test_integer(&random, 0, 1);
      for (int i = 0; i < n; i++) b[i] -= A[i * n + j] * feasible;
    }
    CHECK(run(n, A, b, x, &pivots) == PICUS_OK);
    CHECK(violation(n, A, b, x) < 1e-9);
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"symmetric_positive_definite", symmetric_positive_definite},
      {"nothing_to_do", nothing_to_do},
      {"a_ray_is_reported", a_ray_is_reported},
      {"ties_everywhere", ties_everywhere},
      {"small_integers", small_integers},
      {"feasible_semidefinite", feasible_semidefinite},
  };
  return test_main(argc, argv, "solver_pivoting", cases, (int)(sizeof cases / sizeof *cases));
}
