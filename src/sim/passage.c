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

/* A contact of the initial state. */
static watched_contact first_look(int law, double gap) {
  return (watched_contact){.law = law,
                           .trigger = gap > 0 ? gap : 2 * gap,
                           .widest = fmax(gap, 0),
                           .lowest = fmin(gap, 0),
                           .explained = fmax(-gap, 0)};
}

/* One that appeared in the step before: it was open at its start. */
static watched_contact new_contact(int law, double gap) {
  return (watched_contact){.law = law, .trigger = gap > 0 ? gap : DBL_MIN, .widest = fmax(gap, 0)};
}

static void note_identities(passage_watch *w, const law_set *set) {
  for (int i = 0; w->may_grow && i < set->law_count; i++) w->identities[i] = picus_law_identity(set, i);
  w->law_count = set->law_count;
  w->version = set->version;
}

static picus_status allocate(stepper *s, passage_watch *w) {
  const size_t nq = (size_t)s->system->nq;
  w->q = picus_allocate(s->context, nq, sizeof *w->q);
  w->rate = picus_allocate(s->context, nq, sizeof *w->rate);
  w->place = picus_allocate(s->context, nq, sizeof *w->place);
  if (!w->q || !w->rate || !w->place) return PICUS_ERROR_MEMORY;
  const law_array arrays[] = {picus_scratch(&w->contacts, sizeof *w->contacts, picus_by_law),
                              picus_scratch(&w->gap, sizeof *w->gap, picus_by_law),
                              picus_scratch(&w->identities, sizeof *w->identities, picus_by_law),
                              picus_scratch(&w->former, sizeof *w->former, picus_by_law),
                              picus_scratch(&w->contact_of, sizeof *w->contact_of, picus_by_law),
                              picus_scratch(&w->from, sizeof *w->from, picus_by_law)};
  const size_t count = w->may_grow ? sizeof arrays / sizeof arrays[0] : 2;
  return picus_law_arrays_add(&s->arrays, count, arrays);
}

picus_status picus_passage_create(stepper *s, picus_summary *summary, passage_watch *w) {
  *w = (passage_watch){.summary = summary, .may_grow = s->system->appears};
  picus_status status = allocate(s, w);
  if (status) return status;
  picus_evaluation_set_point(s->evaluation, s->t, s->q, s->u);
  status = picus_evaluate_gaps(s->evaluation, w->gap);
  for (int i = 0; i < s->set->law_count; i++)
    if (picus_law_can_open(&s->set->laws[i].data)) w->contacts[w->count++] = first_look(i, w->gap[i]);
  note_identities(w, s->set);
  w->is_on = w->count > 0 || w->may_grow;
  return status;
}

void picus_passage_release(stepper *s, passage_watch *w) {
  void *const places[] = {&w->contacts, &w->gap, &w->identities, &w->former, &w->contact_of, &w->from};
  const size_t count = w->may_grow ? sizeof places / sizeof places[0] : 2;
  for (size_t i = 0; i < count; i++) picus_law_arrays_drop(&s->arrays, places[i]);
  picus_release(s->context, w->q);
  picus_release(s->context, w->rate);
  picus_release(s->context, w->place);
  *w = (passage_watch){0};
}

void picus_passage_change_laws(passage_watch *w, const stepper *s) {
  picus_law_set_match(s->set, w->law_count, w->identities, w->from);
  for (int i = 0; i < w->law_count; i++) w->contact_of[i] = -1;
  for (int k = 0; k < w->count; k++) {
    w->former[k] = w->contacts[k];
    w->contact_of[w->contacts[k].law] = k;
  }
  w->count = 0;
  for (int i = 0; i < s->set->law_count; i++) {
    if (!picus_law_can_open(&s->set->laws[i].data)) continue;
    const int before = w->from[i] >= 0 ? w->contact_of[w->from[i]] : -1;
    watched_contact *c = &w->contacts[w->count++];
    *c = before >= 0 ? w->former[before] : new_contact(i, s->last_gaps[i]);
    c->law = i;
  }
  note_identities(w, s->set);
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
static bool is_watched(const stepper *s, const watched_contact *c) { return c->law < s->set->fixed_count; }

/* It was never open by more than it has been closed: it flutters about zero, by errors of the scheme. */
static bool flutters(const watched_contact *c) { return c->widest <= -c->lowest; }

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
static bool is_leap(const watched_contact *c, double travel, double gamma, double forces) {
  return c->widest > touching * travel && !flutters(c) && travel > c->widest && gamma < -fast_approach * forces;
}

/* Other explained depths: from the round-off of coordinates that are large relative to their gap; of second order in
 * the step, if contacts close at velocity level; from the motion of a surface, which gamma does not include, if gaps
 * are enforced between two steps. */
static double tolerance(stepper *s, const watched_contact *c, double share, double dt) {
  double largest = 0;
  for (int i = 0; i < s->system->nq; i++) largest = picus_larger(largest, fabs(s->q[i]));
  const double rounding = 1e3 * DBL_EPSILON * largest;
  if (s->scheme->penetrates == PENETRATES_BY_APPROACH) return rounding + second_order * c->widest;
  if (share == 0) return rounding;
  picus_evaluation_set_point(s->evaluation, s->t, s->q, s->u);
  if (picus_evaluation_update_directions(s->evaluation)) return rounding;
  return rounding + slack * share * dt * fabs(s->evaluation->chi[s->set->laws[c->law].data.first_row]);
}

/* The velocity with which a step leaves a contact approaching although its law was active, beyond that of the forces of
 * one step: an error, which explains no penetration. */
static double left_approach(const stepper *s, int k, int at, double forces) {
  const double end = s->problem.gamma_free[at] + picus_step_problem_row(&s->problem, k, at);
  return picus_larger(0, -end - forces);
}

/* A contact that is deeper than before in a step in which it was active: as law k of the problem, whose first row is
 * `at`. */
static void look_at_closed(picus_summary *sum, stepper *s, const picus_step_info *info, watched_contact *c, int k,
                           int at) {
  const double gamma = s->problem.gamma_begin[at], forces = prevented_change(s, k, at), depth = -s->last_gaps[c->law];
  const double travel = info->dt * fabs(gamma), share = explained_share(s, &s->set->laws[c->law].data);
  const bool closes = c->trigger > 0;
  if (closes && !flutters(c))
    c->explained = share * (picus_larger(travel, c->approach) + info->dt * forces);
  else
    c->explained +=
        share * picus_larger(0, travel - info->dt * left_approach(s, k, at, fabs(s->problem.gamma_free[at] - gamma)));
  c->approach = 0;
  if (closes && is_watched(s, c) && s->scheme->penetrates == PENETRATES_BY_APPROACH && depth > 0.1 * travel &&
      !was_closed(s, c->law, info) && is_leap(c, travel, gamma, forces))
    note_passed(sum, c->law, info->t, travel, c->widest);
  c->lowest = fmin(c->lowest, -depth);
  const double bound = slack * c->explained + round_off * (1 + travel + c->widest);
  c->trigger = -2 * picus_larger(depth, bound); /* from the bound on, each step that goes deeper explains that itself */
  if (depth <= bound || depth <= bound + tolerance(s, c, share, info->dt)) return;
  picus_depth_count *deep = &sum->gaps.unexplained;
  deep->steps++;
  if (depth <= deep->depth) return;
  *deep =
      (picus_depth_count){.steps = deep->steps, .t = info->t, .law = c->law, .depth = depth, .explained = c->explained};
  picus_summary_name(s->set, c->law, deep->name);
}

static void look_deeper(passage_watch *w, stepper *s, const picus_step_info *info) {
  const step_problem *p = &s->problem;
  watched_contact *c = w->contacts, *end = c + w->count;
  for (int k = 0, at = 0; k < p->active_count; at += p->laws[k++].dim) {
    const int law = p->active[k];
    while (c < end && c->law < law) c++;
    if (c < end && c->law == law && s->last_gaps[law] <= 0 && 2 * s->last_gaps[law] < c->trigger)
      look_at_closed(w->summary, s, info, c, k, at);
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
static picus_status look_between(passage_watch *w, stepper *s, const watched_contact *c, double travel) {
  const int law = c->law;
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
  const double certain = round_off + touching * travel + thinnest * c->widest;
  if (!status && lowest.gap < -certain) note_passed(w->summary, law, w->t + lowest.tau, 0, -lowest.gap);
  return status == PICUS_ERROR_NUMBER ? PICUS_OK : status; /* not the end of a step */
}

/* Contacts that were about to close at the last evaluation: those open now have reversed, or were passed. */
static picus_status look_at_expected(passage_watch *w, stepper *s, const picus_step_info *info) {
  picus_status status = PICUS_OK;
  for (watched_contact *c = w->contacts, *end = c + w->count; c < end; c++) {
    if (!(c->approach > 0) || s->last_gaps[c->law] <= 0) continue;
    const bool may_be_passed = is_watched(s, c) && !flutters(c) && !was_closed(s, c->law, info);
    if (may_be_passed && s->contacts.modes[c->law] == PICUS_OPEN && !status)
      status = look_between(w, s, c, c->approach);
    c->approach = 0;
  }
  return status;
}

picus_status picus_passage_examine(passage_watch *w, stepper *s, const picus_step_info *info) {
  picus_status status = w->about_to_close ? look_at_expected(w, s, info) : PICUS_OK;
  w->about_to_close = false;
  look_deeper(w, s, info);
  for (watched_contact *c = w->contacts, *end = c + w->count; c < end; c++) {
    const double gap = s->last_gaps[c->law];
    if (gap <= 0) continue;
    if (2 * gap < c->trigger && s->contacts.modes[c->law] == PICUS_OPEN) {
      c->approach = c->trigger - gap;
      w->about_to_close = true;
    }
    c->trigger = gap;
    c->widest = picus_larger(c->widest, gap);
  }
  return w->about_to_close && status ? status : remember(w, s);
}

picus_status picus_passage_at_end(passage_watch *w, stepper *s, double dt) {
  if (w->count == 0 || s->scheme->penetrates != PENETRATES_BY_APPROACH) return PICUS_OK;
  picus_evaluation *e = s->evaluation;
  picus_evaluation_set_point(e, s->t, s->q, s->u);
  picus_status status = picus_evaluate_gaps(e, w->gap);
  if (!status) status = picus_evaluation_update_directions(e);
  for (int k = 0; !status && k < w->count; k++) {
    const watched_contact *c = &w->contacts[k];
    const system_law *law = &s->set->laws[c->law];
    if (!is_watched(s, c) || w->gap[c->law] >= 0 || s->contacts.modes[c->law] != PICUS_OPEN) continue;
    const double gamma = picus_law_velocity(e, law, 0, s->u);
    const double travel = -dt * gamma;
    if (is_leap(c, travel, gamma, 0) && -w->gap[c->law] > 0.1 * travel)
      note_passed(w->summary, c->law, s->t, travel, c->widest);
  }
  return status;
}
