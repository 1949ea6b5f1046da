/* Gaps of open contacts along a step: whether one closes and opens again between the ends of substeps, and how fast its
 * velocity grows.
 *
 * Gaps g and their rates s are taken at the ends of the substeps of the finest row, h apart. Between two of them:
 *
 *   - A gap that is negative and falling has closed.
 *   - Where the rate changes from - to + there is a minimum. A convex gap lies above its tangents: if these meet above
 *     0, it has not closed. Otherwise the minimum of Hermite's cubic decides, lowered by a quarter of its distance to
 *     the tangents.
 *   - The cubic itself is wrong by at most |g''''| h^4 / 384. The cubic over two substeps, whose error in the middle is
 *     16 times as large, tells how much that is. Where the gap less twice this error is negative, the step is too long
 *     to know. So steps are resolved as finely as the gap is small, and a surface that moves fast far below a body
 * costs nothing. */
#include "adaptive/internal.h"

#include "base/internal.h"

#include <math.h>
#include <string.h>

enum { SUBSTEPS_MOST = 2 * PICUS_ORDER_MOST - 1, INNER_POINTS = 7 };

static size_t state_size(const picus_system *s) { return (size_t)s->nq + (size_t)s->nu; }

static size_t points_by_law(const law_sizes *n) { return (SUBSTEPS_MOST + 1) * n->laws; }

picus_status picus_gaps_create(stepper *s, gap_watch *out) {
  const picus_system *system = s->system;
  *out = (gap_watch){.stepper = s, .has_contacts = system->appears};
  for (int i = 0; i < s->set->law_count; i++)
    out->has_contacts = out->has_contacts || picus_law_can_open(&s->set->laws[i].data);
  if (!out->has_contacts) return PICUS_OK;
  out->path = picus_allocate(s->context, (SUBSTEPS_MOST + 1) * state_size(system), sizeof(double));
  if (!out->path) return PICUS_ERROR_MEMORY;
  const law_array arrays[] = {picus_scratch(&out->gap, sizeof(double), points_by_law),
                              picus_scratch(&out->rate, sizeof(double), points_by_law),
                              picus_scratch(&out->velocities, sizeof(double), picus_by_row)};
  return picus_law_arrays_add(&s->arrays, sizeof arrays / sizeof arrays[0], arrays);
}

void picus_gaps_release(gap_watch *w) {
  if (!w->stepper) return;
  picus_release(w->stepper->context, w->path);
  *w = (gap_watch){0};
}

void picus_gaps_note_state(gap_watch *w, int substep) {
  if (!w->has_contacts) return;
  const stepper *s = w->stepper;
  w->substeps = substep;
  double *to = w->path + (size_t)substep * state_size(s->system);
  memcpy(to, s->q, (size_t)s->system->nq * sizeof *to);
  memcpy(to + s->system->nq, s->u, (size_t)s->system->nu * sizeof *to);
}

/* Gaps and their rates at the end of a substep; 0: at the start of the step. */
static picus_status evaluate(gap_watch *w, double t, int substep) {
  stepper *s = w->stepper;
  const picus_system *system = s->system;
  const double *state = w->path + (size_t)substep * state_size(system);
  const size_t at = (size_t)substep * (size_t)s->set->law_count;
  picus_evaluation_set_point(s->evaluation, t, state, state + system->nq);
  picus_status status = picus_evaluate_gaps(s->evaluation, w->gap + at);
  if (!status) status = picus_evaluate_velocities(s->evaluation, w->velocities);
  if (status) return status;
  for (int i = 0; i < s->set->law_count; i++) w->rate[at + (size_t)i] = w->velocities[s->set->laws[i].data.first_row];
  return PICUS_OK;
}

/* One substep of one gap: values and rates at its ends, size, and the error bound of Hermite's cubic. */
typedef struct gap_piece {
  double g0, g1, s0, s1, h, error;
} gap_piece;

static double cubic(const gap_piece *p, double x) {
  double y = 1 - x;
  return y * y * ((1 + 2 * x) * p->g0 + x * p->h * p->s0) + x * x * ((1 + 2 * y) * p->g1 - y * p->h * p->s1);
}

/* The position in (0, 1) where the rate of the cubic changes from - to +. */
static double place_of_minimum(const gap_piece *p) {
  double rise = (p->g1 - p->g0) / p->h;
  double a = 3 * (p->s0 + p->s1 - 2 * rise), b = 2 * (3 * rise - 2 * p->s0 - p->s1), c = p->s0; /* a x^2 + b x + c */
  double root = sqrt(fmax(b * b - 4 * a * c, 0));
  double x = b >= 0 ? -2 * c / (b + root) : a != 0 ? (-b + root) / (2 * a) : 0.5;
  return fmin(fmax(x, 0), 1);
}

static double where_tangents_meet(const gap_piece *p) {
  double from_left = p->g0 + p->s0 * (p->g1 - p->g0 - p->s1 * p->h) / (p->s0 - p->s1);
  double lowest = fmin(p->g0 + p->s0 * p->h, p->g1 - p->s1 * p->h);
  return fmax(from_left, lowest); /* they meet outside if the gap is not convex */
}

static bool may_close(const gap_piece *p, double rounding) {
  if (p->g1 < -rounding && p->s1 < 0) return true;
  if (p->g0 < -rounding) return false; /* on its way out: the contact is active, and its law decides */
  if (p->s0 < 0 && p->s1 > 0) {
    double tangents = where_tangents_meet(p), minimum = cubic(p, place_of_minimum(p));
    if (tangents < 0 && minimum - 0.25 * (minimum - tangents) < -rounding) return true;
  }
  if (!(fmin(p->g0, p->g1) < p->error + p->h * fmax(fabs(p->s0), fabs(p->s1)))) return false; /* far away */
  for (int j = 1; j <= INNER_POINTS; j++) {
    double x = (double)j / (INNER_POINTS + 1), bubble = 16 * x * x * (1 - x) * (1 - x);
    if (cubic(p, x) - p->error * bubble < -rounding) return true;
  }
  return false;
}

/* The error of the cubic over the two substeps around point k in their middle. */
static double middle_error(const gap_watch *w, size_t laws, size_t law, int k, double h) {
  const size_t before = (size_t)(k - 1) * laws + law, at = before + laws, after = at + laws;
  gap_piece two = {w->gap[before], w->gap[after], w->rate[before], w->rate[after], 2 * h, 0};
  return fabs(w->gap[at] - cubic(&two, 0.5));
}

static bool closes_between(const gap_watch *w, int law, double h) {
  const size_t laws = (size_t)w->stepper->set->law_count, i = (size_t)law;
  for (int k = 0; k < w->substeps; k++) {
    const size_t from = (size_t)k * laws + i, to = from + laws;
    double error = 0;
    if (k > 0) error = fmax(error, middle_error(w, laws, i, k, h));
    if (k + 1 < w->substeps) error = fmax(error, middle_error(w, laws, i, k + 1, h));
    const gap_piece piece = {w->gap[from], w->gap[to], w->rate[from], w->rate[to], h, error / 8};
    if (may_close(&piece, w->stepper->contacts.gap_rounding[law])) return true;
  }
  return false;
}

static bool is_open_contact(const stepper *s, const stepper_snapshot *end, int law) {
  return picus_law_can_open(&s->set->laws[law].data) && end->modes[law] == PICUS_OPEN;
}

static bool has_open_contact(const gap_watch *w, const stepper_snapshot *end) {
  for (int i = 0; w->has_contacts && i < w->stepper->set->law_count; i++)
    if (is_open_contact(w->stepper, end, i)) return true;
  return false;
}

static void take_begin(gap_watch *w, const stepper_snapshot *begin) {
  const picus_system *system = w->stepper->system;
  memcpy(w->path, begin->q, (size_t)system->nq * sizeof *w->path);
  memcpy(w->path + system->nq, begin->u, (size_t)system->nu * sizeof *w->path);
}

/* -dg'/dt in the mean of the step. */
static void note_accelerations(const gap_watch *w, const stepper_snapshot *end, double dt) {
  stepper *s = w->stepper;
  const size_t last = (size_t)w->substeps * (size_t)s->set->law_count;
  for (int i = 0; s->contacts.closing && i < s->set->law_count; i++)
    if (is_open_contact(s, end, i)) s->contacts.closing[i] = (w->rate[i] - w->rate[last + (size_t)i]) / dt;
}

picus_status picus_gaps_look(gap_watch *w, const stepper_snapshot *begin, const stepper_snapshot *end, double dt,
                             bool only_ends, bool *missed) {
  *missed = false;
  if (!has_open_contact(w, end)) return PICUS_OK;
  stepper *s = w->stepper;
  const double h = dt / w->substeps;
  picus_status status = PICUS_OK;
  take_begin(w, begin);
  for (int k = 0; k <= w->substeps && !status; k += only_ends ? w->substeps : 1)
    status = evaluate(w, begin->t + k * h, k);
  if (status) return status;
  note_accelerations(w, end, dt);
  for (int i = 0; i < s->set->law_count && !only_ends; i++)
    *missed = *missed || (is_open_contact(s, end, i) && closes_between(w, i, h));
  return PICUS_OK;
}
