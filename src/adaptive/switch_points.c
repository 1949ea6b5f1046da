/* Switching functions of forces, surfaces and inertias along a step: see switches.h of src/system.
 *
 * A step takes one side of every switching function, so that the equations of motion are smooth in it, whatever the
 * signs of the functions become. Their values s at the ends of the substeps of the finest row, which are h apart, show
 * afterwards whether one left its side:
 *
 *   - A function that was clear of 0 and is beyond it has crossed; crossing.c then looks for the step that ends there.
 *   - Between two points, the cubic through the four next to them counts, less its error, which the fourth differences
 *     tell, and less the error of the substeps themselves, which is known at the end of the step. If less than 0 is
 * left inside, the step is too long to know, and a shorter one is made.
 *   - A function that starts at 0 and leaves its side at once is on the other one. If it leaves that one at once, too,
 *     both sides lead to it: it would have to slide along 0, which no force on either side describes.
 *
 * Values within a small part of the tolerance count as 0, so that round-off of a function that stays 0 is no crossing.
 */
#include "adaptive/internal.h"

#include "base/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { SUBSTEPS_MOST = 2 * PICUS_ORDER_MOST - 1, INNER_POINTS = 7, DIFFERENCES_MOST = 4 };
enum { TURNS_MOST = 64, AT_ONCE = 8 }; /* turns in a row that lead nowhere; one at once counts so often */
#define WIDE 30                        /* tolerances: a value with which a turn led somewhere */
#define SMALL 1e-3                     /* part of the tolerance, and of the largest value, that counts as 0 */
#define SMALL_VALUE 1e-3
#define ROUNDINGS 16
#define NOISE 1e3    /* of the largest value: round-off of a function that stays 0 */
#define JUMP 1e-5    /* of the forces: a smaller difference between both sides is that of a kink */
#define CERTAIN 0.25 /* part of a value that its error may be */

static size_t state_size(const picus_system *s) { return (size_t)s->nq + (size_t)s->nu; }

picus_status picus_switches_create(stepper *s, const extrapolation_options *options, switch_watch *out) {
  const size_t count = (size_t)s->system->switch_count;
  *out = (switch_watch){.stepper = s, .count = s->system->switch_count, .atol = options->atol, .rtol = options->rtol};
  if (count == 0) return PICUS_OK;
  out->path = picus_allocate(s->context, (SUBSTEPS_MOST + 1) * state_size(s->system), sizeof(double));
  out->a = picus_allocate(s->context, count, sizeof(double));
  out->b = picus_allocate(s->context, count, sizeof(double));
  out->none = picus_allocate(s->context, count, sizeof(double));
  out->scale = picus_allocate(s->context, count, sizeof(double));
  out->values = picus_allocate(s->context, (SUBSTEPS_MOST + 2) * count, sizeof(double));
  out->h[0] = picus_allocate(s->context, state_size(s->system), sizeof(double));
  out->h[1] = picus_allocate(s->context, state_size(s->system), sizeof(double));
  if (!out->path || !out->a || !out->b || !out->none || !out->scale || !out->values || !out->h[0] || !out->h[1])
    return PICUS_ERROR_MEMORY;
  for (size_t k = 0; k < count; k++) out->none[k] = NAN;
  return PICUS_OK;
}

void picus_switches_watch_release(switch_watch *w) {
  if (!w->stepper) return;
  double *const arrays[] = {w->path, w->a, w->b, w->none, w->scale, w->values, w->h[0], w->h[1]};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) picus_release(w->stepper->context, arrays[i]);
  *w = (switch_watch){0};
}

void picus_switches_note_state(switch_watch *w, int substep) {
  if (w->count == 0) return;
  const stepper *s = w->stepper;
  w->substeps = substep;
  double *to = w->path + (size_t)substep * state_size(s->system);
  memcpy(to, s->q, (size_t)s->system->nq * sizeof *to);
  memcpy(to + s->system->nq, s->u, (size_t)s->system->nu * sizeof *to);
}

/* --- sides of a state --------------------------------------------------------------------------------------------- */

/* What a snapshot has of each function: its side, how often it turned back at once, its largest value so far, and when
 * its side changed last. */
static double sign_of(double side) { return side > 0 ? 1 : -1; }
static double *side_of(const switch_watch *w, const stepper_snapshot *x, int k) {
  (void)w;
  return x->sides + k;
}
static double *turns_of(const switch_watch *w, const stepper_snapshot *x, int k) { return x->sides + w->count + k; }
static double *largest_of(const switch_watch *w, const stepper_snapshot *x, int k) {
  return x->sides + 2 * w->count + k;
}
static double *changed_of(const switch_watch *w, const stepper_snapshot *x, int k) {
  return x->sides + SIDE_CHANGED * w->count + k;
}

static void change_side(const switch_watch *w, const stepper_snapshot *x, int k, double side) {
  *side_of(w, x, k) = side;
  *changed_of(w, x, k) = x->t;
}

static bool is_rounding(const switch_watch *w, const stepper_snapshot *x, int k, double value) {
  return fabs(value) <= NOISE * DBL_EPSILON * *largest_of(w, x, k);
}

void picus_switches_note_time(const switch_watch *w, stepper_snapshot *x) {
  for (int k = 0; k < w->count; k++) {
    const double side = picus_switch_side_after(w->stepper->system, k, x->t);
    if (!isnan(side) && side != *side_of(w, x, k)) change_side(w, x, k, side);
  }
}

/* By the values of the last evaluation. Round-off of a function that stays 0 is no change. */
static void take_side(const switch_watch *w, const stepper_snapshot *x, int k) {
  const double side = picus_switch_side_of(w->stepper->system, k, w->a[k], w->b[k], *side_of(w, x, k));
  if (side == *side_of(w, x, k)) return;
  if (is_rounding(w, x, k, w->a[k] - w->b[k]))
    *side_of(w, x, k) = side;
  else
    change_side(w, x, k, side);
}

void picus_switches_read(switch_watch *w, stepper_snapshot *x, bool is_first) {
  stepper *s = w->stepper;
  if (w->count == 0) return;
  picus_evaluation_hold(s->evaluation, w->none);
  picus_evaluation_set_point(s->evaluation, x->t, x->q, x->u);
  picus_evaluate_switches(s->evaluation, w->a, w->b);
  for (int k = 0; k < w->count; k++) {
    const double value = w->a[k] - w->b[k];
    if (is_first) {
      *side_of(w, x, k) = 1;
      *turns_of(w, x, k) = *largest_of(w, x, k) = 0;
    }
    if (fabs(value) > *largest_of(w, x, k)) *largest_of(w, x, k) = fabs(value);
    take_side(w, x, k);
  }
  picus_switches_note_time(w, x);
  for (int k = 0; k < w->count && is_first; k++) *changed_of(w, x, k) = -INFINITY;
  picus_evaluation_hold(s->evaluation, x->sides);
  picus_copy((int)s->side_numbers, x->sides, s->sides);
}

/* --- values along a step ------------------------------------------------------------------------------------------ */

static void evaluate(switch_watch *w, double t, const double *q, const double *u, double *values) {
  picus_evaluation *e = w->stepper->evaluation;
  picus_evaluation_set_point(e, t, q, u);
  picus_evaluate_switches(e, w->a, w->b);
  for (int k = 0; k < w->count; k++) {
    values[k] = w->a[k] - w->b[k];
    w->scale[k] = fmax(w->scale[k], fabs(w->a[k]) + fabs(w->b[k]));
  }
}

/* With the sides of begin, at its state, inside of the finest row, and at the end; after them at the end of that row.
 */
static void evaluate_all(switch_watch *w, const stepper_snapshot *begin, const stepper_snapshot *end, double dt) {
  const picus_system *system = w->stepper->system;
  const size_t count = (size_t)w->count;
  const int n = w->substeps;
  for (size_t k = 0; k < count; k++) w->scale[k] = 0;
  picus_evaluation_hold(w->stepper->evaluation, begin->sides);
  evaluate(w, begin->t, begin->q, begin->u, w->values);
  for (int j = 1; j <= n; j++) {
    const double *state = w->path + (size_t)j * state_size(system);
    const size_t place = (size_t)(j < n ? j : n + 1);
    evaluate(w, begin->t + j * dt / n, state, state + system->nq, w->values + place * count);
  }
  evaluate(w, end->t, end->q, end->u, w->values + (size_t)n * count);
}

/* One function along a step, positive on its side. */
typedef struct switch_path {
  int n;
  double v[SUBSTEPS_MOST + 2];
  double least;   /* values of this size count as 0 */
  double wide;    /* those of this size are well resolved */
  double bend;    /* error of the polynomial between the points */
  double drift;   /* error of a substep's end, growing in proportion to the time in the step */
  bool is_number; /* all of them */
} switch_path;

static double highest_difference(const switch_path *p) {
  const int order = p->n < DIFFERENCES_MOST ? p->n : DIFFERENCES_MOST;
  double difference[SUBSTEPS_MOST + 2] = {0}, most = 0;
  memcpy(difference, p->v, (size_t)(p->n + 1) * sizeof *difference);
  for (int m = 1; m <= order; m++)
    for (int j = 0; j + m <= p->n; j++) difference[j] = difference[j + 1] - difference[j];
  for (int j = 0; j + order <= p->n; j++) most = fmax(most, fabs(difference[j]));
  return most;
}

static switch_path path_of(const switch_watch *w, const stepper_snapshot *begin, int k) {
  static const double share[DIFFERENCES_MOST + 1] = {0, 0, 0.15, 0.1, 0.05}; /* of the highest difference */
  switch_path p = {.n = w->substeps > 0 ? w->substeps : 1, .is_number = true};
  const double side = sign_of(*side_of(w, begin, k)), largest = *largest_of(w, begin, k);
  for (int j = 0; j <= p.n + 1; j++) {
    p.v[j] = side * w->values[(size_t)j * (size_t)w->count + (size_t)k];
    p.is_number = p.is_number && isfinite(p.v[j]);
  }
  const double tolerance = w->atol + w->rtol * w->scale[k];
  p.least = SMALL * fmin(tolerance, SMALL_VALUE * largest) + ROUNDINGS * DBL_EPSILON * w->scale[k];
  p.wide = fmin(WIDE * tolerance, SMALL_VALUE * largest);
  p.bend = share[p.n < DIFFERENCES_MOST ? p.n : DIFFERENCES_MOST] * highest_difference(&p);
  p.drift = 2 * fabs(p.v[p.n + 1] - p.v[p.n]);
  return p;
}

/* The polynomial through the (at most) four points around interval j, at x in it, 0 to 1. */
static double between(const switch_path *p, int j, double x) {
  const int first = j > 0 ? j - 1 : 0, last = j + 2 <= p->n ? j + 2 : p->n;
  double sum = 0;
  for (int i = first; i <= last; i++) {
    double weight = 1;
    for (int m = first; m <= last; m++)
      if (m != i) weight *= (j + x - m) / (i - m);
    sum += weight * p->v[i];
  }
  return sum;
}

/* --- verdict on one function -------------------------------------------------------------------------------------- */

typedef enum switch_verdict { STAYS, UNCLEAR, LEAVES_AT_ONCE, CROSSES } switch_verdict;

/* Between points j and j + 1, at x from 0 to 1: the value, less its error, is beyond 0. */
static bool may_be_beyond(const switch_path *p, int j, double x) {
  const double from = (double)j / p->n, to = j + 1 < p->n ? (double)(j + 1) / p->n : 0; /* the end is accurate */
  const double error = 4 * x * (1 - x) * p->bend + ((1 - x) * from + x * to) * p->drift;
  return between(p, j, x) - error < -p->least;
}

/* Where the cubic between points j and j + 1 is lowest, or at one of its ends. */
static double lowest_between(const switch_path *p, int j) {
  const double y0 = p->v[j], y1 = p->v[j + 1], third = between(p, j, 1.0 / 3), thirds = between(p, j, 2.0 / 3);
  const double a = 4.5 * (y1 - y0 + 3 * (third - thirds)), b = 4.5 * (2 * y0 - 5 * third + 4 * thirds - y1),
               c = y1 - y0 - a - b, root = b * b - 3 * a * c; /* y0 + c x + b x^2 + a x^3 */
  if (!(root > 0)) return 0;
  const double x = b > 0 ? -c / (b + sqrt(root)) : (sqrt(root) - b) / (3 * a);
  return x > 0 && x < 1 ? x : 0;
}

/* It may leave its side between points j and j + 1, which are on it, however short the time is. */
static bool may_leave_between(const switch_path *p, int j) {
  for (int i = 1; i <= INNER_POINTS; i++)
    if (may_be_beyond(p, j, (double)i / (INNER_POINTS + 1))) return true;
  return may_be_beyond(p, j, lowest_between(p, j));
}

/* From 0 it went to the other side, without having been on its own. */
static switch_verdict leaves_at_once(const switch_path *p, int j) {
  for (int i = 0; i < j; i++)
    for (int k = 1; k <= INNER_POINTS; k++)
      if (between(p, i, (double)k / (INNER_POINTS + 1)) > p->least) return UNCLEAR;
  return p->bend + p->drift * j / p->n <= CERTAIN * fabs(p->v[j]) ? LEAVES_AT_ONCE : UNCLEAR;
}

/* place: of a crossing, in the step. */
static switch_verdict judge(const switch_path *p, double *place) {
  bool is_clear = p->v[0] > p->least, is_quiet = p->drift <= p->least;
  for (int j = 1; j <= p->n; j++) {
    is_quiet = is_quiet && fabs(p->v[j]) <= p->least;
    if (p->v[j] < (is_clear ? 0 : -p->least)) {
      if (!is_clear && p->v[0] <= 0) return leaves_at_once(p, j);
      if (j < p->n && p->v[j] > -p->least - p->drift * j / p->n && p->v[p->n] >= 0) return UNCLEAR;
      *place = (j - 1 + fmax(p->v[j - 1], 0) / (fmax(p->v[j - 1], 0) - p->v[j])) / p->n;
      return CROSSES;
    }
    is_clear = is_clear || p->v[j] > p->least;
  }
  for (int j = 0; !is_quiet && j < p->n; j++)
    if (may_leave_between(p, j)) return UNCLEAR;
  return STAYS;
}

/* --- the step ----------------------------------------------------------------------------------------------------- */

/* The state of begin with one side or the other: whether forces, or rates, jump. */
static picus_status compare_sides(switch_watch *w, const stepper_snapshot *begin, int k, bool *jumps) {
  stepper *s = w->stepper;
  picus_evaluation *e = s->evaluation;
  const int nu = s->system->nu, nq = s->system->nq;
  double largest = 0, difference = 0, *const side = side_of(w, begin, k), kept = *side;
  picus_status status = PICUS_OK;
  for (int i = 0; i < 2 && !status; i++) {
    *side = i == 0 ? -1 : 1;
    picus_evaluation_hold(e, begin->sides);
    picus_evaluation_set_point(e, begin->t, begin->q, begin->u);
    status = picus_evaluate_force(e, w->h[i]);
    if (!status) status = picus_evaluate_rate(e, w->h[i] + nu);
  }
  *side = kept;
  picus_evaluation_hold(e, begin->sides);
  for (int i = 0; i < nu + nq; i++) {
    largest = fmax(largest, fmax(fabs(w->h[0][i]), fabs(w->h[1][i])));
    difference = fmax(difference, fabs(w->h[0][i] - w->h[1][i]));
  }
  *jumps = !(difference <= JUMP * largest);
  return status;
}

/* Beyond the zero to which the last evaluation came. */
static double other_side(const switch_watch *w, const stepper_snapshot *at, int k) {
  return picus_switch_other_side(w->stepper->system, k, *side_of(w, at, k), w->a[k]);
}

static picus_status fail_sliding(const switch_watch *w, const stepper_snapshot *at, int k) {
  return picus_fail(w->stepper->context, PICUS_ERROR_MODEL,
                    "forces on both sides of %s lead back to it at t = %.9g: they switch without end, and no force is "
                    "given that acts there; use a law for it, such as friction (a force against a velocity) or preload "
                    "(against a displacement), or a force that is continuous",
                    picus_switch_text(w->stepper->system, k), at->t);
}

/* Counts turns in a row that lead nowhere: at once back, or by no more than the tolerance allows. */
static picus_status turn(switch_watch *w, stepper_snapshot *begin, int k, int count) {
  double *const turns = turns_of(w, begin, k);
  bool jumps = false;
  change_side(w, begin, k, other_side(w, begin, k));
  *turns += count;
  if (*turns < TURNS_MOST) return PICUS_OK;
  *turns = 0;
  if (picus_switch_is_table(w->stepper->system, k)) return PICUS_OK; /* it has kinks only */
  picus_status status = compare_sides(w, begin, k, &jumps);
  return !status && jumps ? fail_sliding(w, begin, k) : status;
}

picus_status picus_switches_turn(switch_watch *w, stepper_snapshot *begin, int k) { return turn(w, begin, k, AT_ONCE); }

void picus_switches_look(switch_watch *w, const stepper_snapshot *begin, const stepper_snapshot *end, double dt,
                         switch_crossing *out) {
  *out = (switch_crossing){.index = -1, .place = INFINITY};
  if (w->count == 0) return;
  evaluate_all(w, begin, end, dt);
  for (int k = 0; k < w->count; k++) {
    const switch_path p = path_of(w, begin, k);
    double place = 0;
    if (!p.is_number || !isnan(picus_switch_side_after(w->stepper->system, k, begin->t))) continue;
    const switch_verdict verdict = judge(&p, &place);
    if (verdict == STAYS) continue;
    out->is_unclear = out->is_unclear || verdict == UNCLEAR;
    if (verdict == UNCLEAR || place >= out->place) continue;
    out->index = k;
    out->place = place;
    out->at_once = verdict == LEAVES_AT_ONCE;
    out->value = p.v[p.n];
    out->begin = p.v[0];
    out->rounding = ROUNDINGS * DBL_EPSILON * w->scale[k];
  }
}

double picus_switches_predict(const switch_watch *w, const stepper_snapshot *begin, double dt, int *index) {
  double first = INFINITY;
  for (int k = 0; k < w->count; k++) {
    const switch_path p = path_of(w, begin, k);
    const double fall = p.v[p.n - 1] - p.v[p.n];
    if (!p.is_number || !(fall > 0) || !isnan(picus_switch_side_after(w->stepper->system, k, begin->t))) continue;
    const double place = dt + dt / p.n * fmax(p.v[p.n], 0) / fall;
    if (place >= first) continue;
    first = place;
    *index = k;
  }
  return first;
}

void picus_switches_look_at(const switch_watch *w, const stepper_snapshot *begin, int k, switch_crossing *found) {
  const switch_path p = path_of(w, begin, k);
  if (!(p.v[p.n] < 0 && p.v[0] > 0)) return;
  found->index = k;
  found->place = 1;
  found->value = p.v[p.n];
  found->begin = p.v[0];
  found->rounding = ROUNDINGS * DBL_EPSILON * w->scale[k];
}

double picus_switches_value(const switch_watch *w, const stepper_snapshot *begin, int k) {
  return sign_of(*side_of(w, begin, k)) * w->values[(size_t)w->substeps * (size_t)w->count + (size_t)k];
}

/* The step has been examined; crossed: the function at whose zero it ends, -1: none. Others that come to 0 at the same
 * time turn with it. */
picus_status picus_switches_finish(switch_watch *w, const stepper_snapshot *begin, stepper_snapshot *end, int crossed) {
  picus_status status = PICUS_OK;
  for (int k = 0; k < w->count && !status; k++) {
    const switch_path p = path_of(w, begin, k);
    if (!isnan(picus_switch_side_after(w->stepper->system, k, end->t))) continue;
    bool was_clear = false, was_wide = false;
    for (int j = 0; j <= p.n; j++) {
      was_clear = was_clear || p.v[j] > p.least;
      was_wide = was_wide || p.v[j] > p.wide;
      *largest_of(w, end, k) = fmax(*largest_of(w, end, k), fabs(p.v[j]));
    }
    if (was_wide) *turns_of(w, end, k) = 0;
    const bool arrives = crossed >= 0 && was_clear && p.v[p.n] <= p.least && p.v[p.n - 1] > p.v[p.n];
    if (k == crossed || arrives || (p.v[p.n] < 0 && !is_rounding(w, end, k, p.v[p.n])))
      status = turn(w, end, k, was_clear ? 1 : AT_ONCE);
    else if (p.v[p.n] < 0)
      *side_of(w, end, k) = other_side(w, end, k);
  }
  return status;
}
