/* Eigenvalues of dense symmetric matrices by Jacobi's rotations: accurate, and fast enough for the small matrices of a
 * subspace. */
#include "linalg/internal.h"

#include <math.h>

static void rotate(int n, double *A, double *V, int p, int q) {
  const size_t w = (size_t)n;
  double *Ap = A + (size_t)p * w, *Aq = A + (size_t)q * w, *Vp = V + (size_t)p * w, *Vq = V + (size_t)q * w;
  const double theta = (Aq[q] - Ap[p]) / (2 * Ap[q]);
  const double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
  const double c = 1 / sqrt(t * t + 1), s = t * c;
  for (size_t k = 0; k < w; k++) {
    double a = Ap[k], b = Aq[k];
    Ap[k] = c * a - s * b;
    Aq[k] = s * a + c * b;
    a = Vp[k], b = Vq[k];
    Vp[k] = c * a - s * b;
    Vq[k] = s * a + c * b;
  }
  for (size_t k = 0; k < w; k++) {
    double a = A[k * w + (size_t)p], b = A[k * w + (size_t)q];
    A[k * w + (size_t)p] = c * a - s * b;
    A[k * w + (size_t)q] = s * a + c * b;
  }
}

/* Rows of V in increasing order of the eigenvalues. */
static void sort(int n, double *values, double *V) {
  for (int i = 0; i + 1 < n; i++) {
    int least = i;
    for (int j = i + 1; j < n; j++)
      if (values[j] < values[least]) least = j;
    if (least == i) continue;
    double a = values[i];
    values[i] = values[least], values[least] = a;
    double *x = V + (size_t)i * (size_t)n, *y = V + (size_t)least * (size_t)n;
    for (int k = 0; k < n; k++) a = x[k], x[k] = y[k], y[k] = a;
  }
}

void picus_symmetric_eigen(int n, double *A, double *values, double *V) {
  enum { SWEEPS = 60 };
  const size_t w = (size_t)n;
  double largest = 0;
  for (size_t i = 0; i < w * w; i++) {
    V[i] = i % (w + 1) == 0;
    largest = picus_larger(largest, fabs(A[i]));
  }
  bool rotated = true;
  for (int sweep = 0; rotated && sweep < SWEEPS; sweep++) {
    rotated = false;
    for (int p = 0; p < n; p++)
      for (int q = p + 1; q < n; q++) {
        const double entry = fabs(A[(size_t)p * w + (size_t)q]);
        const double diagonal = sqrt(fabs(A[(size_t)p * (w + 1)] * A[(size_t)q * (w + 1)]));
        if (!(entry > 1e-17 * diagonal) || !(entry > 1e-20 * largest)) continue;
        rotate(n, A, V, p, q);
        rotated = true;
      }
  }
  for (size_t i = 0; i < w; i++) values[i] = A[i * (w + 1)];
  sort(n, values, V);
}
