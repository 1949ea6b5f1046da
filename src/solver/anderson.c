/* Anderson 1965; the form of Walker, Ni 2011, section 2, with the last few sweeps and a restart if changes grow. */
#include "solver/anderson.h"

#include "solver/internal.h"

#include <string.h>

#define GROWTH 2.0      /* of the square of the change from sweep to sweep, beyond which the history is useless */
#define RUNAWAY 1e8     /* the same, beyond which the mixture was bad */
#define HOLD_BACK 1e-10 /* added to the diagonal of the least squares */

size_t picus_anderson_need(int size) { return (size_t)(2 * PICUS_ANDERSON_DEPTH + 2) * (size_t)size; }

void picus_anderson_start(picus_anderson *a, int size, const double *weight, double *memory) {
  size_t n = (size_t)size;
  *a = (picus_anderson){.size = size, .weight = weight, .newest = -1, .square = -1};
  a->change = memory;
  a->after = memory + n;
  a->change_steps = memory + 2 * n;
  a->after_steps = a->change_steps + PICUS_ANDERSON_DEPTH * n;
}

void picus_anderson_forget(picus_anderson *a) {
  a->count = 0;
  a->newest = -1;
  a->square = -1;
}

/* Four sums side by side: a single one would wait for each addition. */
static double product(int n, const double *weight, const double *x, const double *y) {
  double sum[4] = {0, 0, 0, 0};
  int k = 0;
  for (; k + 4 <= n; k += 4)
    for (int l = 0; l < 4; l++) sum[l] += weight[k + l] * x[k + l] * y[k + l];
  for (; k < n; k++) sum[0] += weight[k] * x[k] * y[k];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static double *row_of(double *steps, const picus_anderson *a, int number) {
  return steps + (size_t)number * (size_t)a->size;
}

/* Puts the change and the end of a sweep into the history, and the products of the new change step with the others. */
static void record(picus_anderson *a, const double *before, const double *P) {
  a->newest = (a->newest + 1) % PICUS_ANDERSON_DEPTH;
  if (a->count < PICUS_ANDERSON_DEPTH) a->count++;
  double *change_step = row_of(a->change_steps, a, a->newest), *after_step = row_of(a->after_steps, a, a->newest);
  for (int k = 0; k < a->size; k++) {
    double change = P[k] - before[k];
    change_step[k] = change - a->change[k];
    after_step[k] = P[k] - a->after[k];
    a->change[k] = change;
    a->after[k] = P[k];
  }
  for (int i = 0; i < a->count; i++)
    a->products[i][a->newest] = a->products[a->newest][i] =
        product(a->size, a->weight, change_step, row_of(a->change_steps, a, i));
}

static double change_square(const picus_anderson *a, const double *before, const double *P) {
  double sum = 0;
  for (int k = 0; k < a->size; k++) sum += a->weight[k] * (P[k] - before[k]) * (P[k] - before[k]);
  return sum;
}

/* Least squares: the combination of the steps closest to the last change. Steps are scaled to length 1, and almost
 * dependent ones are damped. */
static void find_shares(const picus_anderson *a, double *share) {
  double A[PICUS_ANDERSON_DEPTH * PICUS_ANDERSON_DEPTH], scale[PICUS_ANDERSON_DEPTH];
  int order[PICUS_ANDERSON_DEPTH], m = a->count;
  for (int i = 0; i < m; i++) {
    scale[i] = a->products[i][i] > 0 ? 1 / sqrt(a->products[i][i]) : 0;
    share[i] = scale[i] * product(a->size, a->weight, row_of(a->change_steps, a, i), a->change);
  }
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++) A[i * m + j] = scale[i] * scale[j] * a->products[i][j] + (i == j ? HOLD_BACK : 0);
  picus_solve_dense(m, A, share, order);
  for (int i = 0; i < m; i++) share[i] *= scale[i];
}

void picus_anderson_mix(picus_anderson *a, const double *before, double *P) {
  double share[PICUS_ANDERSON_DEPTH], square = change_square(a, before, P), previous = a->square;
  if (previous >= 0 &&
      !(square <= RUNAWAY * previous)) { /* the last mixture was bad: back to the end of the sweep before it */
    memcpy(P, a->after, (size_t)a->size * sizeof *P);
    picus_anderson_forget(a);
    return;
  }
  a->square = square;
  if (previous < 0) { /* the first sweep: no difference to mix yet */
    for (int k = 0; k < a->size; k++) a->change[k] = P[k] - before[k];
    memcpy(a->after, P, (size_t)a->size * sizeof *P);
    return;
  }
  record(a, before, P);
  if (square > GROWTH * previous) { /* some laws have changed their mode: the history is useless */
    a->count = 0;
    a->newest = -1;
    return;
  }
  find_shares(a, share); /* least squares over the changes of the last sweeps */
  for (int i = 0; i < a->count; i++) {
    const double *step = row_of(a->after_steps, a, i);
    for (int k = 0; k < a->size; k++) P[k] -= share[i] * step[k];
  }
}
