/* The stability of a scheme in free linear motion, by the powers of the matrix of its step.
 *
 * The matrix acts on (x, v). Its spectral radius is |A^(2^p)|^(1 / 2^p), found by p squarings. With p = 20 the motions
 * that grow with a power of time, such as a free body, count as 1e-5 per step at most. */
#include "scheme/linear_motion.h"
#include "base/elementary.h"

#include <math.h>
#include <string.h>

enum { SQUARINGS = 20, TAYLOR = 14 };

void picus_linear_acceleration(const linear_motion *m, const double *x, const double *v, double *a) {
  for (int i = 0; i < m->n; i++) {
    const double *K = m->K + (size_t)i * (size_t)m->n, *C = m->C + (size_t)i * (size_t)m->n;
    double sum = 0;
    for (int j = 0; j < m->n; j++) sum -= K[j] * x[j] + C[j] * v[j];
    a[i] = sum;
  }
}

/* c = a b, n x n */
static void multiply(int n, const double *a, const double *b, double *c) {
  memset(c, 0, (size_t)n * (size_t)n * sizeof *c);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) {
      const double factor = a[(size_t)i * (size_t)n + (size_t)k];
      const double *from = b + (size_t)k * (size_t)n;
      double *to = c + (size_t)i * (size_t)n;
      if (factor == 0) continue;
      for (int j = 0; j < n; j++) to[j] += factor * from[j];
    }
}

static double largest_of(int count, const double *x) {
  double largest = 0;
  for (int i = 0; i < count; i++)
    if (!(fabs(x[i]) <= largest)) largest = fabs(x[i]);
  return largest;
}

/* log of the spectral radius of the matrix in `powers`, n x n, which becomes a high power of it; the same room behind.
 */
static double log_radius(int n, double *powers) {
  double *now = powers, *next = powers + (size_t)n * (size_t)n, sum = 0, weight = 1;
  for (int k = 0; k <= SQUARINGS; k++) {
    const double size = largest_of(n * n, now);
    if (!(size > 0)) return -INFINITY;
    if (!isfinite(size)) return INFINITY;
    sum += weight * picus_ln(size);
    for (int i = 0; i < n * n; i++) now[i] /= size;
    if (k == SQUARINGS) break;
    multiply(n, now, now, next);
    double *const other = now;
    now = next;
    next = other;
    weight *= 0.5;
  }
  if (now != powers) memcpy(powers, now, (size_t)n * (size_t)n * sizeof *powers);
  return sum;
}

/* The matrix of one step. dt v stands for v, so that its entries have one unit. */
static void fill_step(const scheme_ops *scheme, const linear_motion *m, double dt, double *A) {
  const int n = m->n;
  double *x = m->work, *v = x + n;
  const linear_motion inner = {m->n, m->K, m->C, m->tableau, v + n};
  for (int k = 0; k < 2 * n; k++) {
    memset(x, 0, 2 * (size_t)n * sizeof *x);
    x[k] = k < n ? 1 : 1 / dt;
    scheme->linear_step(&inner, dt, x, v);
    for (int i = 0; i < n; i++) {
      A[(size_t)i * 2 * (size_t)n + (size_t)k] = x[i];
      A[(size_t)(n + i) * 2 * (size_t)n + (size_t)k] = dt * v[i];
    }
  }
}

/* The motions themselves over a time: the same for the exponential, by its series. */
static double growth_of_motion(const linear_motion *m, double time, double *powers) {
  const int n = m->n;
  double *x = m->work, *v = x + n, *a = v + n, *term_x = a + n, *term_v = term_x + n;
  for (int k = 0; k < 2 * n; k++) {
    memset(term_x, 0, 2 * (size_t)n * sizeof *term_x);
    term_x[k] = k < n ? 1 : 1 / time;
    memcpy(x, term_x, 2 * (size_t)n * sizeof *x);
    for (int j = 1; j <= TAYLOR; j++) {
      picus_linear_acceleration(m, term_x, term_v, a);
      for (int i = 0; i < n; i++) {
        term_x[i] = term_v[i] * time / j;
        term_v[i] = a[i] * time / j;
        x[i] += term_x[i];
        v[i] += term_v[i];
      }
    }
    for (int i = 0; i < n; i++) {
      powers[(size_t)i * 2 * (size_t)n + (size_t)k] = x[i];
      powers[(size_t)(n + i) * 2 * (size_t)n + (size_t)k] = time * v[i];
    }
  }
  return log_radius(2 * n, powers);
}

/* 1/s: no motion is faster. */
static double fastest_rate(const linear_motion *m) {
  double stiffness = 0, damping = 0;
  for (int i = 0; i < m->n; i++) {
    double k = 0, c = 0;
    for (int j = 0; j < m->n; j++) {
      k += fabs(m->K[(size_t)i * (size_t)m->n + (size_t)j]);
      c += fabs(m->C[(size_t)i * (size_t)m->n + (size_t)j]);
    }
    stiffness = fmax(stiffness, k);
    damping = fmax(damping, c);
  }
  return fmax(sqrt(stiffness), damping);
}

/* 1/s: the growth of the motions themselves; 0 if they do not grow. */
static double own_growth(const linear_motion *m, double *powers) {
  const double rate = fastest_rate(m), time = 0.25 / rate;
  const double growth = rate > 0 ? growth_of_motion(m, time, powers) : 0;
  return growth > 1e-4 ? growth / time : 0;
}

double picus_linear_growth(const scheme_ops *scheme, const linear_motion *m, double dt, double *powers, double *mode) {
  const int n = m->n;
  const double own = own_growth(m, powers);
  fill_step(scheme, m, dt, powers);
  const double growth = log_radius(2 * n, powers) - dt * own;
  if (!mode) return growth;
  int column = 0; /* every column of a high power is a combination of the vectors that grow most */
  double largest = 0;
  for (int i = n; i < 2 * n; i++)
    for (int k = 0; k < 2 * n; k++)
      if (fabs(powers[(size_t)i * 2 * (size_t)n + (size_t)k]) > largest) {
        largest = fabs(powers[(size_t)i * 2 * (size_t)n + (size_t)k]);
        column = k;
      }
  for (int i = 0; i < n; i++) mode[i] = powers[(size_t)(n + i) * 2 * (size_t)n + (size_t)column];
  return growth;
}

double picus_linear_limit(const scheme_ops *scheme, const linear_motion *m, double tolerated, double *powers) {
  enum { DOUBLINGS = 40, BISECTIONS = 12 };
  const double rate = fastest_rate(m);
  if (!scheme->linear_step || !(rate > 0) || !isfinite(rate)) return INFINITY;
  const double own = own_growth(m, powers);
  double stable = 0, dt = 0.01 / rate;
  for (int k = 0; k < DOUBLINGS; k++, dt *= k < 5 ? 2 : 1.25) {
    fill_step(scheme, m, dt, powers);
    if (log_radius(2 * m->n, powers) - dt * own > tolerated) break;
    stable = dt;
    if (k == DOUBLINGS - 1) return INFINITY;
  }
  for (int k = 0; k < BISECTIONS; k++) {
    const double middle = 0.5 * (stable + dt);
    fill_step(scheme, m, middle, powers);
    if (log_radius(2 * m->n, powers) - middle * own > tolerated)
      dt = middle;
    else
      stable = middle;
  }
  return stable;
}

double picus_oscillator_limit(const scheme_ops *scheme, const picus_tableau *tableau, double stiffness, double damping,
                              double tolerated) {
  double work[PICUS_LINEAR_WORK + 2], powers[8];
  const linear_motion motion = {1, &stiffness, &damping, tableau, work};
  return picus_linear_limit(scheme, &motion, tolerated, powers);
}
