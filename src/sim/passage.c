/* Contacts that were passed through, and penetrations larger than the scheme explains; see run.h. */
#include "sim/run.h"

#include "base/internal.h"
#include "sim/summary.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { PLACES = 64 };                    /* evaluations along the path of a contact that may have been passed */
static const double slack = 2;           /* on the explained depth, which is an estimate */
static const double round_off = 1e-9;    /* of gaps, and of a step's way: drift of many steps, residuals of solvers */
static const double second_order = 1e-3; /* of the largest gap: penetrations of second order in dt, not worth a word */
static const double thinnest =
    1e-5; /* of the largest gap: an obstacle that is still detected between two evaluations */
static const double touching = 1e-3;   /* of a step's way: a contact that was never open by more always touched */
static const double fast_approach = 5; /* an approach velocity that the forces of so many steps do not explain */

picus_status picus_passage_create(stepper *s, picus_summary *summary, passage_watch *w) {
  const size_t nq = (size_t)s->system->nq;
  *w = (passage_watch){.summary = summary, .is_on = s->system->appears};
  w->q = picus_allocate(s->context, nq, sizeof *w->q);
  w->rate = picus_allocate(s->context, nq, sizeof *w->rate);
  w->place = picus_allocate(s->context, nq, sizeof *w->place);
  if (!w->q || !w->rate || !w->place) return PICUS_ERROR_MEMORY;
  /* a contact that appears was open at the start of the step before; if it is closed now, it has closed */
  law_array arrays[] = {
      picus_carried_by_law(&w->trigger, sizeof(double), DBL_MIN), picus_carried_by_law(&w->widest, sizeof(double), 0),
      picus_carried_by_law(&w->lowest, sizeof(double), 0),        picus_carried_by_law(&w->approach, sizeof(double), 0),
      picus_carried_by_law(&w->explained, sizeof(double), 0),     picus_scratch(&w->gap, sizeof *w->gap, picus_by_law)};
  for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++) arrays[k].is_of_run = true;
  picus_status status = picus_law_arrays_add(&s->arrays, sizeof arrays / sizeof arrays[0], arrays);
  if (status) return status;
  picus_evaluation_set_point(s->evaluation, s->t, s->q, s->u);
  status = picus_evaluate_gaps(s->evaluation, w->gap);
  for (int i = 0; i < s->set->law_count; i++) {
    const double gap = w->gap[i];
    w->trigger[i] = gap > 0 ? gap : 2 * gap;
    w->widest[i] = fmax(gap, 0);
    w->lowest[i] = fmin(gap, 0);
    w->explained[i] = fmax(-gap, 0);
    w->approach[i] = 0;
    w->is_on = w->is_on || picus_law_can_open(&s->set->laws[i].data);
  }
  return status;
}

void picus_passage_release(stepper *s, passage_watch *w) {
  void *const places[] = {&w->trigger, &w->widest, &w->lowest, &w->approach, &w->explained, &w->gap};
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) picus_law_arrays_drop(&s->arrays, places[i]);
  picus_release(s->context, w->q);
  picus_release(s->context, w->rate);
  picus_release(s->context, w->place);
  *w = (passage_watch){0};
}

static void note_passed(picus_summary *sum, int law, double t, double travel, double gap) {
  if (sum->gaps.passed.count++ > 0) return;
  sum->gaps.passed = (picus_passage_count){.count = 1, .t = t, .law = law, .travel = travel, .gap = gap};
}

/* How much of dt |gamma| a scheme leaves as penetration. */
static double explained_share(const stepper *s, const picus_system_law *law) {
  switch (s->scheme->penetrates) {
  case PENETRATES_BY_APPROACH:
    return 1;
  case PENETRATES_BY_RESTITUTION:
    return 2 * law->eN;
  default:
    return 0;
  }
}

/* --- closed contacts ---------------------------------------------------------------------------------------------- */

/* A contact that comes and goes is known from the margin of its detection on, so how far it was open says nothing.
 * Collision detection warns of bodies that move further than their thickness. */
static bool is_watched(const stepper *s, int law) { return law < s->set->fixed_count; }

/* It was never open by more than it has been closed: it flutters about zero, by errors of the scheme. */
static bool flutters(const passage_watch *w, int law) { return w->widest[law] <= -w->lowest[law]; }

/* Its law acted before this step already, with a gap above zero, or until a few steps ago: it chatters. */
static bool was_closed(const stepper *s, int law, const picus_step_info *info) {
  const contact_history *h = &s->contacts.history;
  const double begin = info->t - info->dt, since = begin - PICUS_RESOLVED_STEPS * info->dt;
  return h->opened[law] >= since || (h->closed[law] > h->opened[law] && h->closed[law] < begin - 0.5 * info->dt);
}

/* The change of the gap velocity in a step that the contact prevents: by forces and by other contacts, which push it
 * on. An impact of it takes away at most twice its approach velocity as well. k, row: in the contact problem. */
static double prevented_change(const stepper *s, int k, int row) {
  const step_problem *p = &s->problem;
  const double by_forces = fabs(p->gamma_free[row] - p->gamma_begin[row]);
  if (p->G.is_factored) return by_forces;
  return picus_larger(by_forces, picus_delassus_diagonal(&p->G, k, row) * p->P[row] - 2 * fabs(p->gamma_begin[row]));
}

/* It closed in a single step by more than it was ever open, and the forces of a few steps do not explain that: a
 * thinner obstacle would have gone undetected. A contact that has always touched may be driven in at any speed. */
static bool is_leap(const passage_watch *w, int law, double travel, double gamma, double forces) {
  const double widest = w->widest[law];
  return widest > touching * travel && !flutters(w, law) && travel > widest && gamma < -fast_approach * forces;
}

/* Other explained depths: from the round-off of coordinates that are large relative to their gap; of second order in
 * the step, if contacts close at velocity level; from the motion of a surface, which gamma does not include, if gaps
 * are enforced between two steps. */
static double tolerance(stepper *s, const passage_watch *w, int law, double share, double dt) {
  double largest = 0;
  for (int i = 0; i < s->system->nq; i++) largest = picus_larger(largest, fabs(s->q[i]));
  const double rounding = 1e3 * DBL_EPSILON * largest;
  if (s->scheme->penetrates == PENETRATES_BY_APPROACH) return rounding + second_order * w->widest[law];
  if (share == 0) return rounding;
  picus_evaluation_set_point(s->evaluation, s->t, s->q, s->u);
  if (picus_evaluation_update_directions(s->evaluation)) return rounding;
  return rounding + slack * share * dt * fabs(s->evaluation->chi[s->set->laws[law].data.first_row]);
}

/* The velocity with which a step leaves a contact approaching although its law was active, beyond that of the forces of
 * one step: an error, which explains no penetration. */
static double left_approach(const stepper *s, int k, int at, double forces) {
  const double end = s->problem.gamma_free[at] + picus_step_problem_row(&s->problem, k, at);
  return picus_larger(0, -end - forces);
}

/* A contact that is deeper than before in a step in which it was active: as law k of the problem, whose first row is
 * `at`. */
static void look_at_closed(passage_watch *w, stepper *s, const picus_step_info *info, int k, int at) {
  const int law = s->problem.active[k];
  const double gamma = s->problem.gamma_begin[at], forces = prevented_change(s, k, at), depth = -s->last_gaps[law];
  const double travel = info->dt * fabs(gamma), share = explained_share(s, &s->set->laws[law].data);
  const bool closes = w->trigger[law] > 0;
  if (closes && !flutters(w, law))
    w->explained[law] = share * (picus_larger(travel, w->approach[law]) + info->dt * forces);
  else
    w->explained[law] +=
        share * picus_larger(0, travel - info->dt * left_approach(s, k, at, fabs(s->problem.gamma_free[at] - gamma)));
  w->approach[law] = 0;
  if (closes && is_watched(s, law) && s->scheme->penetrates == PENETRATES_BY_APPROACH && depth > 0.1 * travel &&
      !was_closed(s, law, info) && is_leap(w, law, travel, gamma, forces))
    note_passed(w->summary, law, info->t, travel, w->widest[law]);
  w->lowest[law] = fmin(w->lowest[law], -depth);
  const double explained = w->explained[law], bound = slack * explained + round_off * (1 + travel + w->widest[law]);
  /* from the bound on, each step that goes deeper explains that itself */
  w->trigger[law] = -2 * picus_larger(depth, bound);
  if (depth <= bound || depth <= bound + tolerance(s, w, law, share, info->dt)) return;
  picus_depth_count *deep = &w->summary->gaps.unexplained;
  deep->steps++;
  if (depth <= deep->depth) return;
  *deep = (picus_depth_count){.steps = deep->steps, .t = info->t, .law = law, .depth = depth, .explained = explained};
  picus_summary_name(s->set, law, deep->name);
}

static void look_deeper(passage_watch *w, stepper *s, const picus_step_info *info) {
  const step_problem *p = &s->problem;
  for (int k = 0, at = 0; k < p->active_count; at += p->laws[k++].dim) {
    const int law = p->active[k];
    const bool may_open = picus_law_can_open(&s->set->laws[law].data);
    if (may_open && s->last_gaps[law] <= 0 && 2 * s->last_gaps[law] < w->trigger[law])
      look_at_closed(w, s, info, k, at);
  }
}

/* --- contacts that are open at both looks ------------------------------------------------------------------------- */

/* At the end of a step after which a gap may close before its next evaluation. */
static picus_status remember(passage_watch *w, stepper *s) {
  w->t = s->t;
  memcpy(w->q, s->q, (size_t)s->system->nq * sizeof *w->q);
  picus_evaluation_set_point(s->evaluation, s->t, s->q, s->u);
  return picus_evaluate_rate(s->evaluation, w->rate);
}

/* Paths from the end of the last step: with its velocity; the same, curved to end where this step ends; or straight. */
typedef enum imagined_path { BY_VELOCITY, CURVED, STRAIGHT } imagined_path;

/* The gap at the time tau after the end of the last step. */
static picus_status gap_on_one_way(passage_watch *w, imagined_path path, stepper *s, int law, double tau, double *gap) {
  const double dt = s->t - w->t, share = tau / dt;
  const double bend = path == BY_VELOCITY ? 0 : path == STRAIGHT ? share : share * share;
  for (int i = 0; i < s->system->nq; i++) {
    const double by_velocity = w->q[i] + tau * w->rate[i], beside = s->q[i] - w->q[i] - dt * w->rate[i];
    w->place[i] = by_velocity + bend * beside;
  }
  picus_evaluation_set_point(s->evaluation, w->t + tau, w->place, s->u);
  picus_status status = picus_evaluate_gaps(s->evaluation, w->gap);
  *gap = w->gap[law];
  return status;
}

/* The larger of both: they differ by the change of velocity in the step, and a gap is certainly closed if it is closed
 * on both. A scheme that evaluates gaps at midpoints moves there with the velocity at the end of the last step. */
static picus_status gap_on_the_way(passage_watch *w, bool to_middle, stepper *s, int law, double tau, double *gap) {
  picus_status status = gap_on_one_way(w, to_middle ? BY_VELOCITY : CURVED, s, law, tau, gap);
  if (status || to_middle || *gap > 0) return status;
  double straight;
  status = gap_on_one_way(w, STRAIGHT, s, law, tau, &straight);
  *gap = fmax(*gap, straight);
  return status;
}

typedef struct lowest_place {
  double tau, gap;
} lowest_place;

static picus_status try_place(passage_watch *w, bool to_middle, stepper *s, int law, double tau, lowest_place *lowest) {
  double gap;
  picus_status status = gap_on_the_way(w, to_middle, s, law, tau, &gap);
  if (!status && gap < lowest->gap) *lowest = (lowest_place){tau, gap};
  return status;
}

/* A gap that was about to close, by `travel` in a step, and is still open at this evaluation: was it closed in
 * between? */
static picus_status look_between(passage_watch *w, stepper *s, int law, double travel) {
  const bool middle = s->scheme->looks_at_middle;
  const double dt = s->t - w->t, first = middle ? -0.5 * dt : 0;
  lowest_place lowest = {0, INFINITY};
  picus_status status = PICUS_OK;
  for (int k = 1; k < PLACES && !status; k++) status = try_place(w, middle, s, law, first + dt * k / PLACES, &lowest);
  for (double step = 0.5 * dt / PLACES; !status && step > 1e-6 * dt; step *= 0.5) {
    const double tau = lowest.tau;
    status = try_place(w, middle, s, law, tau - step, &lowest);
    if (!status) status = try_place(w, middle, s, law, tau + step, &lowest);
  }
  const double certain = round_off + touching * travel + thinnest * w->widest[law];
  if (!status && lowest.gap < -certain) note_passed(w->summary, law, w->t + lowest.tau, 0, -lowest.gap);
  return status == PICUS_ERROR_NUMBER ? PICUS_OK : status; /* not the end of a step */
}

/* Contacts that were about to close at the last evaluation: those open now have reversed, or were passed. */
static picus_status look_at_expected(passage_watch *w, stepper *s, const picus_step_info *info) {
  picus_status status = PICUS_OK;
  for (int i = 0; i < s->set->law_count; i++) {
    if (!(w->approach[i] > 0) || s->last_gaps[i] <= 0) continue;
    const bool may_be_passed = is_watched(s, i) && !flutters(w, i) && !was_closed(s, i, info);
    if (may_be_passed && s->contacts.modes[i] == PICUS_OPEN && !status) status = look_between(w, s, i, w->approach[i]);
    w->approach[i] = 0;
  }
  return status;
}

picus_status picus_passage_examine(passage_watch *w, stepper *s, const picus_step_info *info) {
  picus_status status = w->about_to_close ? look_at_expected(w, s, info) : PICUS_OK;
  w->about_to_close = false;
  look_deeper(w, s, info);
  for (int i = 0; i < s->set->law_count; i++) {
    const double gap = s->last_gaps[i];
    if (gap <= 0 || !picus_law_can_open(&s->set->laws[i].data)) continue;
    if (2 * gap < w->trigger[i] && s->contacts.modes[i] == PICUS_OPEN) {
      w->approach[i] = w->trigger[i] - gap;
      w->about_to_close = true;
    }
    w->trigger[i] = gap;
    w->widest[i] = picus_larger(w->widest[i], gap);
  }
  return w->about_to_close && status ? status : remember(w, s);
}

picus_status picus_passage_at_end(passage_watch *w, stepper *s, double dt) {
  if (!w->is_on || s->scheme->penetrates != PENETRATES_BY_APPROACH) return PICUS_OK;
  picus_evaluation *e = s->evaluation;
  picus_evaluation_set_point(e, s->t, s->q, s->u);
  picus_status status = picus_evaluate_gaps(e, w->gap);
  if (!status) status = picus_evaluation_update_directions(e);
  for (int i = 0; !status && i < s->set->fixed_count; i++) {
    if (!picus_law_can_open(&s->set->laws[i].data)) continue;
    if (w->gap[i] >= 0 || s->contacts.modes[i] != PICUS_OPEN) continue;
    const double gamma = picus_law_velocity(e, &s->set->laws[i], 0, s->u), travel = -dt * gamma;
    if (is_leap(w, i, travel, gamma, 0) && -w->gap[i] > 0.1 * travel)
      note_passed(w->summary, i, s->t, travel, w->widest[i]);
  }
  return status;
}
