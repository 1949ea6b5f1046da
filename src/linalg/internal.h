/* Dense symmetric positive definite systems. Matrices are row-major. */
#ifndef PICUS_LINALG_INTERNAL_H
#define PICUS_LINALG_INTERNAL_H

#include <picus/base.h>

/* L L^T = A: reads the lower triangle of A and writes L into the lower triangle of L (n x n; may be A itself).
 * Returns -1, or the index of the first pivot that is not positive beyond rounding: A is not positive definite there.
 */
int picus_cholesky_factor(int n, const double *A, double *L);
/* x := A^-1 x with the factor. */
void picus_cholesky_solve(int n, const double *L, double *x);
/* A^-1 in full from the factor (n x n), for small matrices that are used very often. */
void picus_cholesky_inverse(int n, const double *L, double *inverse);

static inline double picus_dot(int n, const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/* y := A x, A rows x columns. */
static inline void picus_matrix_vector(int rows, int columns, const double *A, const double *x, double *y) {
  for (int i = 0; i < rows; i++) y[i] = picus_dot(columns, A + (size_t)i * (size_t)columns, x);
}

#endif
