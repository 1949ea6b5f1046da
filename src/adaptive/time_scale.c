/* The largest step size of a run without a given dt_max.
 *
 * The error test and the gaps limit the steps of free motions. Forces and surfaces that depend on time may show in
 * neither: a body in free flight has no error for any step size, and a table below it may rise and fall in between. So
 * the functions of time are sampled before the run: forces, gaps and velocities of surfaces at the initial state, at
 * times spread over the run. The range of a value over its rate is its time scale, 2 / omega for A sin(omega t). The
 * rate is the value that 95 of 100 samples do not exceed: a single jump is not a rate. */
#include "adaptive/internal.h"

#include "base/internal.h"

#include <math.h>
#include <stdlib.h>

enum { TIMES = 256 };
#define PART_OF_RUN 0.05 /* largest step size, as a part of the run */
#define PART_OF_SCALE 0.5
#define TIME_DIFFERENCE 1e-6 /* of the run, for rates */
#define SMALL_RANGE 1e-6     /* of the value: effect of round-off on its rate */

typedef struct time_values {
  picus_evaluation *evaluation;
  double *q, *u;
  int count;
  double *now, *later; /* values at two times */
  double *least, *largest;
  double *rates; /* TIMES x count */
} time_values;

static picus_status evaluate(time_values *v, const picus_system *s, double t, double *values) {
  picus_evaluation_set_point(v->evaluation, t, v->q, v->u);
  picus_status status = picus_evaluate_force(v->evaluation, values);
  if (!status) status = picus_evaluate_gaps(v->evaluation, values + s->nu);
  if (!status) status = picus_evaluate_velocities(v->evaluation, values + s->nu + s->fixed.law_count);
  return status;
}

/* The k-th of times that fill the run evenly but without a period (Weyl): multiples of the golden section. */
static double time_at(double t_start, double t_end, int k) {
  double x = (k + 0.5) * 0.61803398874989485;
  return t_start + (x - floor(x)) * (1 - TIME_DIFFERENCE) * (t_end - t_start);
}

static picus_status collect(time_values *v, const picus_system *s, double t_start, double t_end) {
  const double difference = TIME_DIFFERENCE * (t_end - t_start);
  for (int k = 0; k < TIMES; k++) {
    double t = time_at(t_start, t_end, k);
    picus_status status = evaluate(v, s, t, v->now);
    if (!status) status = evaluate(v, s, t + difference, v->later);
    if (status) return status;
    for (int i = 0; i < v->count; i++) {
      v->least[i] = k == 0 ? v->now[i] : fmin(v->least[i], v->now[i]);
      v->largest[i] = k == 0 ? v->now[i] : fmax(v->largest[i], v->now[i]);
      v->rates[(size_t)i * TIMES + (size_t)k] = fabs(v->later[i] - v->now[i]) / difference;
    }
  }
  return PICUS_OK;
}

static int compare_numbers(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The smallest time scale of the values; INFINITY: none depends on time. */
static double smallest_scale(const time_values *v) {
  double scale = INFINITY;
  for (int i = 0; i < v->count; i++) {
    double range = v->largest[i] - v->least[i], *rates = v->rates + (size_t)i * TIMES;
    if (!(range > SMALL_RANGE * fmax(fabs(v->largest[i]), fabs(v->least[i])))) continue;
    qsort(rates, TIMES, sizeof *rates, compare_numbers);
    double rate = rates[TIMES - 1 - TIMES / 20];
    if (rate > 0) scale = fmin(scale, range / rate);
  }
  return scale;
}

static picus_status prepare(picus_context *context, const picus_system *s, time_values *v) {
  v->count = s->nu + s->fixed.law_count + s->fixed.row_count;
  const size_t count = (size_t)v->count;
  double **arrays[] = {&v->q, &v->u, &v->now, &v->later, &v->least, &v->largest, &v->rates};
  const size_t sizes[] = {(size_t)s->nq, (size_t)s->nu, count, count, count, count, count * TIMES};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
    if (!(*arrays[i] = picus_allocate(context, sizes[i], sizeof(double)))) return PICUS_ERROR_MEMORY;
  picus_system_start(s, v->q, v->u);
  return picus_evaluation_create(context, s, &v->evaluation);
}

picus_status picus_default_dt_max(picus_context *context, const picus_system *s, double t_start, double t_end,
                                  double *dt_max) {
  time_values v = {0};
  *dt_max = PART_OF_RUN * (t_end - t_start);
  picus_status status = prepare(context, s, &v);
  if (!status) picus_evaluation_start_inputs(v.evaluation, t_start);
  if (!status && t_end > t_start && !collect(&v, s, t_start, t_end))
    *dt_max = fmin(*dt_max, PART_OF_SCALE * smallest_scale(&v)); /* if it fails, the run will report the reason */
  picus_evaluation_destroy(v.evaluation);
  double *arrays[] = {v.q, v.u, v.now, v.later, v.least, v.largest, v.rates};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) picus_release(context, arrays[i]);
  return status;
}
