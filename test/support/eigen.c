#include "support/eigen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* M = L L^T in the lower triangle. */
static int cholesky(int n, double *M) {
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++) {
      double sum = M[i * n + j];
      for (int k = 0; k < j; k++) sum -= M[i * n + k] * M[j * n + k];
      if (i == j && !(sum > 0)) return -1;
      M[i * n + j] = i == j ? sqrt(sum) : sum / M[j * n + j];
    }
  return 0;
}

/* A := L^-1 A L^-T */
static void reduce(int n, const double *L, double *A) {
  for (int c = 0; c < n; c++)
    for (int i = 0; i < n; i++) {
      for (int k = 0; k < i; k++) A[i * n + c] -= L[i * n + k] * A[k * n + c];
      A[i * n + c] /= L[i * n + i];
    }
  for (int r = 0; r < n; r++)
    for (int i = 0; i < n; i++) {
      for (int k = 0; k < i; k++) A[r * n + i] -= L[i * n + k] * A[r * n + k];
      A[r * n + i] /= L[i * n + i];
    }
}

static void rotate(int n, double *A, double *V, int p, int q) {
  const double theta = (A[q * n + q] - A[p * n + p]) / (2 * A[p * n + q]);
  const double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
  const double c = 1 / sqrt(t * t + 1), s = t * c;
  for (int k = 0; k < n; k++) {
    double a = A[k * n + p], b = A[k * n + q];
    A[k * n + p] = c * a - s * b;
    A[k * n + q] = s * a + c * b;
  }
  for (int k = 0; k < n; k++) {
    double a = A[p * n + k], b = A[q * n + k];
    A[p * n + k] = c * a - s * b;
    A[q * n + k] = s * a + c * b;
    a = V[k * n + p], b = V[k * n + q];
    V[k * n + p] = c * a - s * b;
    V[k * n + q] = s * a + c * b;
  }
}

static void jacobi(int n, double *A, double *V) {
  memset(V, 0, (size_t)(n * n) * sizeof *V);
  for (int i = 0; i < n; i++) V[i * n + i] = 1;
  for (int sweep = 0; sweep < 60; sweep++) {
    int rotated = 0;
    for (int p = 0; p < n; p++)
      for (int q = p + 1; q < n; q++)
        if (fabs(A[p * n + q]) > 1e-17 * sqrt(fabs(A[p * n + p] * A[q * n + q]))) {
          rotate(n, A, V, p, q);
          rotated = 1;
        }
    if (!rotated) return;
  }
}

static void sort(int n, double *lambda, double *V) {
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++) {
      if (lambda[j] >= lambda[i]) continue;
      double a = lambda[i];
      lambda[i] = lambda[j], lambda[j] = a;
      for (int k = 0; k < n; k++) a = V[k * n + i], V[k * n + i] = V[k * n + j], V[k * n + j] = a;
    }
}

int test_eigenvalues(int n, double *K, double *M, double *lambda, double *vectors) {
  if (cholesky(n, M)) return -1;
  reduce(n, M, K);
  double *V = malloc((size_t)(n * n) * sizeof *V);
  if (!V) return -1;
  jacobi(n, K, V);
  for (int i = 0; i < n; i++) lambda[i] = K[i * n + i];
  sort(n, lambda, V);
  for (int c = 0; vectors && c < n; c++) /* x = L^-T y */
    for (int i = n - 1; i >= 0; i--) {
      double sum = V[i * n + c];
      for (int k = i + 1; k < n; k++) sum -= M[k * n + i] * vectors[k * n + c];
      vectors[i * n + c] = sum / M[i * n + i];
    }
  free(V);
  return 0;
}

/* With z = (q', q): I z' = A z, I = diag(M, K), A = (-G -K; K 0) skew; so omega^2 I x = A^T I^-1 A x, each twice. */
int test_whirl_frequencies(int n, const double *M, const double *G, const double *K, double *omega) {
  const int m = 2 * n;
  const size_t square = (size_t)(m * m);
  double *I = calloc(square, sizeof *I), *L = calloc(square, sizeof *L), *A = calloc(square, sizeof *A),
         *B = calloc(square, sizeof *B), *lambda = calloc((size_t)m, sizeof *lambda);
  int failed = !I || !L || !A || !B || !lambda ? -1 : 0;
  for (int i = 0; !failed && i < n; i++)
    for (int j = 0; j < n; j++) {
      I[i * m + j] = M[i * n + j], I[(n + i) * m + n + j] = K[i * n + j];
      A[i * m + j] = -G[i * n + j], A[i * m + n + j] = -K[i * n + j], A[(n + i) * m + j] = K[i * n + j];
    }
  if (!failed) {
    memcpy(L, I, square * sizeof *L);
    failed = cholesky(m, L);
  }
  if (!failed) { /* B = L^-1 A, then B^T B */
    for (int c = 0; c < m; c++)
      for (int i = 0; i < m; i++) {
        double sum = A[i * m + c];
        for (int k = 0; k < i; k++) sum -= L[i * m + k] * B[k * m + c];
        B[i * m + c] = sum / L[i * m + i];
      }
    for (int i = 0; i < m; i++)
      for (int j = 0; j < m; j++) {
        A[i * m + j] = 0;
        for (int k = 0; k < m; k++) A[i * m + j] += B[k * m + i] * B[k * m + j];
      }
    failed = test_eigenvalues(m, A, I, lambda, NULL);
    for (int i = 0; i < n; i++) omega[i] = sqrt(lambda[2 * i]);
  }
  free(I), free(L), free(A), free(B), free(lambda);
  return failed;
}
