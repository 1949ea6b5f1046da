/* Lyapunov exponents: the mean rates at which tangents of a motion grow, from the variational equation with saltation.
 *
 * A chaotic motion cannot be followed to round-off along one adaptive run, because both part exponentially. So runs are
 * short: each starts from the state at which the flow ended, and shows the next switching points. */
#include "base/elementary.h"
#include "flow/internal.h"

#include <math.h>
#include <string.h>

enum { INTERVALS = 400, BATCHES = 8, TRIES = 6 };
#define LOST 1e-12 /* of a tangent: what is left of it after the others are taken away is round-off */

typedef struct exponents {
  picus_context *context;
  const picus_lyapunov_def *def;
  int n, count;
  flow f;
  double t, *x;     /* n */
  double *tangents; /* count x n, orthonormal in the sizes */
  double *y;        /* n (1 + count) */
  double *size;     /* n: of the norm, which must not change: largest values in the first interval */
  double *largest;  /* n: values so far */
  double *sums;     /* count: weighted, of logarithms */
  double weights;   /* s */
  double *batches;  /* BATCHES x count */
  double lengths[BATCHES];
} exponents;

static double product(const exponents *e, const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < e->n; i++) sum += a[i] * b[i] / (e->size[i] * e->size[i]);
  return sum;
}

/* Weights that are smooth to all orders at both ends: means of quasi-periodic motions then converge fast (Das, Saiki,
 * Sander and Yorke 2017). share: of the motion. */
static double weight_at(double share) { return share > 0 && share < 1 ? picus_exp(-1 / (share * (1 - share))) : 0; }

/* The tangents of y become orthonormal (Gram and Schmidt); their factors are noted from `skip` on. */
static void take_growth(exponents *e, double from, double to) {
  const double begin = e->def->options->t_start + e->def->skip, all = e->def->options->t_end - begin;
  const bool counts = from >= begin;
  const double share = (0.5 * (from + to) - begin) / all;
  int batch = (int)(share * BATCHES);
  batch = batch < 0 ? 0 : batch >= BATCHES ? BATCHES - 1 : batch;
  const double weight = weight_at(share), inside = weight_at(share * BATCHES - batch);
  if (counts) {
    e->lengths[batch] += inside * (to - from);
    e->weights += weight * (to - from);
  }
  for (int k = 0; k < e->count; k++) {
    double *v = e->y + (k + 1) * e->n, *kept = e->tangents + k * e->n;
    const double before = sqrt(product(e, v, v));
    for (int twice = 0; twice < 2; twice++)
      for (int i = 0; i < k; i++) {
        const double *other = e->tangents + i * e->n, along = product(e, v, other);
        for (int j = 0; j < e->n; j++) v[j] -= along * other[j];
      }
    const double length = sqrt(product(e, v, v));
    const bool is_lost = !(length > LOST * before);
    if (is_lost) { /* another one, which is not in the span of the others, in its place */
      memset(v, 0, (size_t)e->n * sizeof *v);
      v[k % e->n] = e->size[k % e->n];
    }
    const double factor = is_lost ? e->size[k % e->n] / sqrt(product(e, v, v)) / e->size[k % e->n] : 1 / length;
    for (int j = 0; j < e->n; j++) kept[j] = v[j] * factor;
    if (!counts) continue;
    if (inside > 0) e->batches[batch * e->count + k] += is_lost ? -INFINITY : inside * picus_ln(length);
    if (weight > 0) e->sums[k] += is_lost ? -INFINITY : weight * picus_ln(length);
  }
}

/* Where an interval ends: inside the longest phase of its second half. */
static double choose_end(const sequence *found, double t, double wanted) {
  double longest = 0, end = wanted;
  for (int k = 0; k < found->count; k++) {
    const double from = fmax(found->phases[k].t_begin, t + 0.5 * (wanted - t));
    const double to = fmin(found->phases[k].t_end, wanted);
    if (to - from <= longest) continue;
    longest = to - from;
    end = from + 0.75 * (to - from);
  }
  return end;
}

/* One interval of at most this length; its tangents. */
static picus_status follow_interval(exponents *e, double length) {
  picus_sim_options o = *e->def->options;
  sequence found = {0};
  const size_t n = (size_t)e->n;
  o.t_start = e->t;
  o.t_end = e->t + length;
  picus_status status =
      picus_sequence_record(e->context, e->def->system, &o, &(flow_start){e->t, e->x}, e->f.interrupt, &found);
  if (!status) {
    const double end = choose_end(&found, e->t, o.t_end);
    int count = 0;
    while (count < found.count && (count == 0 || found.phases[count].t_begin < end)) count++;
    if (e->t == e->def->options->t_start) memcpy(e->size, found.size, n * sizeof *e->size);
    for (size_t i = 0; i < n; i++) found.size[i] = e->largest[i] = fmax(e->largest[i], found.size[i]);
    flow_path path = {.sequence = &found, .count = count, .is_of_run = true, .t = e->t, .t_end = end};
    flow_margins margins;
    memcpy(e->y, e->x, n * sizeof *e->y);
    memcpy(e->y + n, e->tangents, n * (size_t)e->count * sizeof *e->y);
    status = picus_flow_project(&e->f, &found.phases[0].modes, e->t, e->y);
    if (!status) status = picus_flow_admit(&e->f, &found, &path, e->y, &margins);
    if (!status) status = picus_flow_follow(&e->f, &path, e->y);
    if (!status) {
      take_growth(e, e->t, end);
      memcpy(e->x, e->y, n * sizeof *e->x);
      e->t = end;
    }
  }
  if (found.context) picus_sequence_release(&found);
  return status;
}

static picus_status follow(exponents *e) {
  const picus_sim_options *o = e->def->options;
  const double all = o->t_end - o->t_start;
  const double interval = e->def->interval > 0 ? e->def->interval : all / INTERVALS;
  picus_status status = PICUS_OK;
  while (!status && e->t < o->t_end - 0.5 * interval) {
    double length = interval;
    for (int k = 0; k < TRIES; k++, length *= 0.7) {
      status = follow_interval(e, length);
      if (!status || status == PICUS_ERROR_MEMORY || status == PICUS_INTERRUPTED) break;
    }
  }
  return status;
}

/* The mean, and its standard error from the batches. */
static void summarize(const exponents *e, picus_lyapunov *out) {
  int batches = 0;
  for (int i = 0; i < BATCHES; i++) batches += e->lengths[i] > 0;
  for (int k = 0; k < e->count; k++) {
    double square = 0;
    const double mean = e->sums[k] / e->weights;
    for (int i = 0; i < BATCHES; i++) {
      if (!(e->lengths[i] > 0)) continue;
      const double off = e->batches[i * e->count + k] / e->lengths[i] - mean;
      square += off * off;
    }
    out[k] = (picus_lyapunov){.exponent = mean, .error = batches > 1 ? sqrt(square / (batches * (batches - 1.))) : NAN};
    if (!isfinite(mean)) out[k].error = 0;
  }
}

static picus_status start(exponents *e) {
  const size_t n = (size_t)e->n, count = (size_t)e->count;
  const flow_def of = {.model = e->def->model, .system = e->def->system, .columns = e->count};
  e->x = picus_allocate(e->context, n * (3 + count + 1 + count) + count, sizeof *e->x);
  e->batches = picus_allocate(e->context, BATCHES * count, sizeof *e->batches);
  if (!e->x || !e->batches) return PICUS_ERROR_MEMORY;
  e->size = e->x + n;
  e->largest = e->size + n;
  e->tangents = e->largest + n;
  e->y = e->tangents + n * count;
  e->sums = e->y + n * (1 + count);
  picus_system_start(e->def->system, e->x, e->x + e->def->system->nq);
  e->t = e->def->options->t_start;
  for (size_t k = 0; k < count; k++)
    for (size_t i = 0; i < n; i++) e->tangents[k * n + i] = (i == k) + 0.1 / (1. + (double)(i + k)); /* in general */
  const picus_status status = picus_flow_create(e->context, &of, &e->f);
  e->f.interrupt = (flow_interrupt){e->def->interrupt, e->def->user};
  return status;
}

picus_status picus_lyapunov_find(picus_context *context, const picus_lyapunov_def *def, picus_lyapunov *out,
                                 double *t_reached) {
  if (!def->model || !def->system || !def->options)
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "Lyapunov exponents need a model, its system and options");
  const int n = def->system->nq + def->system->nu;
  const double all = def->options->t_end - def->options->t_start;
  if (def->count < 1 || def->count > n)
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "a motion of this model has 1 to %d Lyapunov exponents", n);
  if (!(def->skip >= 0 && def->skip < all) || !(def->interval >= 0) || !isfinite(def->interval))
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "the time that is skipped must be shorter than the run");
  exponents e = {.context = context, .def = def, .n = n, .count = def->count};
  picus_status status = start(&e);
  if (!status) status = follow(&e);
  if (t_reached) *t_reached = e.t;
  for (int k = 0; k < def->count; k++) out[k] = (picus_lyapunov){NAN, NAN};
  if (e.x && e.batches) summarize(&e, out);
  if (e.f.context) picus_flow_release(&e.f);
  picus_release(context, e.x);
  picus_release(context, e.batches);
  return picus_flow_explain(context, status);
}
