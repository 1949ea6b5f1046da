/* Elimination with full pivoting, of any rank: the equations hold, the rank is right, and x is orthogonal to the null
 * space, which the test knows from the way it makes the matrix. */
#include "solver/internal.h"
#include "support/check.h"

#include <math.h>
#include <string.h>

enum { LARGEST = 60, ROUNDS = 300 };

typedef struct dense_system {
  int n, rank;
  double A[LARGEST * LARGEST], B[LARGEST * LARGEST], b[LARGEST];
} dense_system;

/* A = B B^T with B of n x rank, the Delassus matrix of n rows of unit length on so many velocities; share: of numbers
 * that are not zero. Rows of B beyond the rank repeat others, as supports do that carry the same load. b = A y. */
static void make_system(test_random *random, double share, dense_system *s) {
  const int n = s->n, rank = s->rank;
  memset(s->B, 0, sizeof s->B);
  for (int i = 0; i < n; i++) {
    double *row = s->B + i * rank;
    if (i >= rank) {
      memcpy(row, s->B + (int)(test_uniform(random, 0, 0.999) * rank) * rank, (size_t)rank * sizeof *row);
      continue;
    }
    row[i] = 1;
    for (int j = 0; j < rank; j++)
      if (j != i && test_uniform(random, 0, 1) < share) row[j] = test_uniform(random, -0.3, 0.3) / (1 + share * rank);
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < rank; k++) sum += s->B[i * rank + k] * s->B[j * rank + k];
      s->A[i * n + j] = sum;
    }
  double y[LARGEST];
  for (int i = 0; i < n; i++) y[i] = test_uniform(random, -1, 1);
  for (int i = 0; i < n; i++) {
    s->b[i] = 0;
    for (int j = 0; j < n; j++) s->b[i] += s->A[i * n + j] * y[j];
  }
}

static double rest_of(const dense_system *s, const double *x) {
  double rest = 0;
  for (int i = 0; i < s->n; i++) {
    double sum = -s->b[i];
    for (int j = 0; j < s->n; j++) sum += s->A[i * s->n + j] * x[j];
    rest = fmax(rest, fabs(sum));
  }
  return rest;
}

/* Rows that repeat another one: of smallest norm, x has the same number for both. */
static double largest_difference(const dense_system *s, const double *x) {
  double most = 0;
  for (int i = 0; i < s->n; i++)
    for (int j = 0; j < i; j++)
      if (memcmp(s->B + i * s->rank, s->B + j * s->rank, (size_t)s->rank * sizeof *s->B) == 0)
        most = fmax(most, fabs(x[i] - x[j]));
  return most;
}

static void any_rank_and_any_pattern(void) {
  static dense_system s;
  static double A[LARGEST * LARGEST], x[LARGEST], scratch[LARGEST];
  int order[LARGEST];
  test_random random = {1};
  for (int round = 0; round < ROUNDS; round++) {
    s.n = 1 + round % LARGEST;
    s.rank = round % 3 == 0 ? s.n : 1 + (int)(test_uniform(&random, 0, 0.999) * s.n);
    make_system(&random, round % 2 ? 1 : 2.0 / s.n, &s);
    memcpy(A, s.A, sizeof A);
    memcpy(x, s.b, sizeof x);
    CHECK(picus_solve_dense(s.n, A, x, scratch, order) == s.rank);
    CHECK(rest_of(&s, x) < 1e-11);
    CHECK(largest_difference(&s, x) < 1e-11);
  }
}

/* One equation after the other without a common number: the pivots are the numbers themselves, in falling order. */
static void permuted_diagonals_are_exact(void) {
  static double A[LARGEST * LARGEST], x[LARGEST], scratch[LARGEST];
  int order[LARGEST];
  for (int n = 1; n <= LARGEST; n++) {
    memset(A, 0, sizeof A);
    for (int i = 0; i < n; i++) {
      A[i * n + (n - 1 - i)] = 1 + i % 5;
      x[i] = 2 + 2 * (i % 5);
    }
    CHECK(picus_solve_dense(n, A, x, scratch, order) == n);
    for (int i = 0; i < n; i++) CHECK(x[i] == 2);
  }
}

static void nothing_to_solve_for(void) {
  double A[9] = {0}, x[3] = {1, 2, 3}, scratch[3];
  int order[3];
  CHECK(picus_solve_dense(3, A, x, scratch, order) == 0);
  for (int i = 0; i < 3; i++) CHECK(x[i] == 0);
  for (int i = 0; i < 9; i++) A[i] = NAN;
  CHECK(picus_solve_dense(3, A, x, scratch, order) == 0);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"any_rank_and_any_pattern", any_rank_and_any_pattern},
      {"permuted_diagonals_are_exact", permuted_diagonals_are_exact},
      {"nothing_to_solve_for", nothing_to_solve_for},
  };
  return test_main(argc, argv, "solver_dense", cases, (int)(sizeof cases / sizeof *cases));
}
