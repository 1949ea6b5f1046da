/* Steps of a smooth ordinary differential equation to round-off: extrapolation of the explicit midpoint rule, whose
 * error has even powers of the substep only (Gragg 1965; Hairer, Norsett, Wanner 1993, section II.9). */
#include "flow/internal.h"

#include <math.h>
#include <string.h>

enum { COLUMNS_LEAST = 4, COLUMNS_WANTED = 7 };
#define ROUND_OFF 1e3 /* tolerances at which an error that does not decrease any more is round-off */

picus_status picus_smooth_create(picus_context *context, size_t size, smooth_step *out) {
  *out = (smooth_step){.context = context, .size = size};
  double *block = picus_allocate(context, (SMOOTH_COLUMNS + 4) * size, sizeof *block);
  if (!block) return PICUS_ERROR_MEMORY;
  for (int k = 0; k < SMOOTH_COLUMNS; k++) out->table[k] = block + (size_t)k * size;
  out->first = block + SMOOTH_COLUMNS * size;
  out->rate = out->first + size;
  out->before = out->rate + size;
  out->now = out->before + size;
  return PICUS_OK;
}

void picus_smooth_release(smooth_step *s) {
  picus_release(s->context, s->table[0]);
  *s = (smooth_step){0};
}

/* A row of the tableau: `substeps` midpoint steps, an even number. */
static picus_status make_row(smooth_step *s, const smooth_problem *p, smooth_interval over, int substeps,
                             const double *y, double *row) {
  const double d = over.h / substeps;
  picus_status status = PICUS_OK;
  for (size_t i = 0; i < s->size; i++) {
    s->before[i] = y[i];
    s->now[i] = y[i] + d * s->first[i];
  }
  for (int k = 1; !status && k < substeps; k++) {
    status = p->rate(p->user, over.t + k * d, s->now, s->rate);
    for (size_t i = 0; i < s->size; i++) {
      const double next = s->before[i] + 2 * d * s->rate[i];
      s->before[i] = s->now[i];
      s->now[i] = next;
    }
  }
  memcpy(row, s->now, s->size * sizeof *row);
  return status;
}

/* Adds row k (2 k + 2 substeps) to the tableau: T_k becomes the last diagonal entry. Returns the change from the one
 * before, in tolerances. */
static double extrapolate(smooth_step *s, const smooth_problem *p, int k) {
  double error = 0;
  for (size_t i = 0; i < s->size; i++) {
    const double before = s->table[0][i];
    double value = s->table[k][i];
    for (int j = k - 1; j >= 0; j--) {
      const double ratio = (double)(k + 1) / (double)(j + 1), old = s->table[j][i];
      s->table[j + 1][i] = value;
      value += (value - old) / (ratio * ratio - 1);
    }
    s->table[0][i] = value;
    error = fmax(error, fabs(value - before) / p->tolerance[i]);
  }
  return isfinite(error) ? error : INFINITY;
}

picus_status picus_smooth_step(smooth_step *s, const smooth_problem *p, smooth_interval over, const double *y,
                               double *end, int *columns) {
  double error = INFINITY;
  picus_status status = p->rate(p->user, over.t, y, s->first);
  *columns = 0;
  for (int k = 0; !status && k < SMOOTH_COLUMNS; k++) {
    status = make_row(s, p, over, 2 * (k + 1), y, s->table[k]);
    if (status) break;
    const double before = error;
    if (k > 0) error = extrapolate(s, p, k);
    const bool stays = k > COLUMNS_LEAST && error > 0.3 * before && error < ROUND_OFF;
    if (k + 1 < COLUMNS_LEAST || (error > 1 && !stays)) continue;
    memcpy(end, s->table[0], s->size * sizeof *end);
    *columns = k + 1;
    break;
  }
  return status;
}

double picus_smooth_next(double h, int columns) {
  if (columns == 0) return 0.5 * h;
  return columns < COLUMNS_WANTED ? 1.5 * h : columns > COLUMNS_WANTED ? 0.8 * h : h;
}
