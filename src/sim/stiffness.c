/* How fast the forces of a system answer its motion, by power iteration. For messages, not for steps: it allocates. */
#include "sim/alarm.h"

#include "base/internal.h"

#include <math.h>
#include <string.h>

enum { LARGEST_SYSTEM = 500, ITERATIONS = 200 };

/* y = A x; A: rows x columns. */
static void multiply(int rows, int columns, const double *A, const double *x, double *y) {
  for (int i = 0; i < rows; i++) {
    double sum = 0;
    for (int j = 0; j < columns; j++) sum += A[(size_t)i * (size_t)columns + (size_t)j] * x[j];
    y[i] = sum;
  }
}

static double largest_of(int n, const double *x, int *at) {
  double largest = 0;
  for (int i = 0; i < n; i++)
    if (fabs(x[i]) > largest) {
      largest = fabs(x[i]);
      *at = i;
    }
  return largest;
}

/* The spectral radius of M^-1 A B, or of M^-1 A without B: the mean growth over the last half of the iterations, which
 * serves for pairs of complex eigenvalues as well. */
static double spectral_radius(const picus_evaluation *e, const double *A, const double *B, double *x, double *y,
                              int *velocity) {
  const int nu = e->system->nu, nq = e->system->nq;
  double growth = 0;
  for (int i = 0; i < nu; i++) x[i] = 1 + 0.1 * sin(1.0 + i); /* no direction that a symmetric system would exclude */
  for (int k = 0; k < ITERATIONS; k++) {
    double *z = y + nq;
    if (B) multiply(nq, nu, B, x, y);
    multiply(nu, B ? nq : nu, A, B ? y : x, z);
    picus_evaluation_solve_mass(e, z);
    const double size = largest_of(nu, z, velocity);
    if (!(size > 0) || !isfinite(size)) return 0;
    if (k >= ITERATIONS / 2) growth += log(size);
    for (int i = 0; i < nu; i++) x[i] = z[i] / size;
  }
  return exp(2 * growth / ITERATIONS);
}

picus_status picus_stiffness_examine(stepper *s, double t, const double *q, const double *u, stiffness_report *out) {
  *out = (stiffness_report){0};
  picus_evaluation *e = s->evaluation;
  const size_t nq = (size_t)s->system->nq, nu = (size_t)s->system->nu;
  if (nq > LARGEST_SYSTEM) return PICUS_OK;
  double *block = picus_allocate(s->context, 2 * nu * nq + nu * nu + nq * nq + 2 * nu + nq, sizeof *block);
  if (!block) return PICUS_ERROR_MEMORY;
  double *K = block, *C = K + nu * nq, *B = C + nu * nu, *rates = B + nq * nu, *x = rates + nq * nq, *y = x + nu;
  picus_evaluation_set_point(e, t, q, u);
  picus_status status = picus_evaluation_factor_mass(e);
  if (!status) status = picus_evaluate_force_jacobian(e, K, C);
  if (!status) status = picus_evaluate_rate_jacobian(e, rates, B);
  if (!status) {
    out->omega = sqrt(spectral_radius(e, K, B, x, y, &out->omega_velocity));
    out->rate = spectral_radius(e, C, NULL, x, y, &out->rate_velocity);
  }
  picus_release(s->context, block);
  return status;
}

picus_status picus_stiffness_damping(stepper *s, const double *v, const double *mass, double *rate) {
  picus_evaluation *e = s->evaluation;
  const size_t nq = (size_t)s->system->nq, nu = (size_t)s->system->nu;
  *rate = 0;
  if (nq > LARGEST_SYSTEM) return PICUS_OK;
  double *K = picus_allocate(s->context, nu * nq + nu * nu + nu, sizeof *K);
  if (!K) return PICUS_ERROR_MEMORY;
  double *C = K + nu * nq, *force = C + nu * nu, power = 0, size = 0;
  picus_evaluation_set_point(e, s->t, s->q, s->u);
  picus_status status = picus_evaluate_force_jacobian(e, K, C);
  if (!status) multiply((int)nu, (int)nu, C, v, force);
  for (size_t i = 0; i < nu && !status; i++) {
    power -= v[i] * force[i];
    size += mass[i] * v[i] * v[i];
  }
  if (size > 0) *rate = power / size;
  picus_release(s->context, K);
  return status;
}
