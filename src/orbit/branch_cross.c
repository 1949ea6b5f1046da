/* Changes of the sequence of switching points: where a condition is zero, both sequences have the same orbit, and the
 * branch continues with the one beyond. */
#include "orbit/branch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SHORT 1e-3          /* the first way along an orbit with another sequence */
#define NEIGHBOURS 1e-2     /* of its size: the difference of orbits of which one has a short phase more */
#define ROUND_OFF 1e-12     /* of its largest value: a condition that is zero */
#define LONG 0.02           /* the first way along an orbit without a phase that is lost */
#define AT_ONCE 1e-9        /* of the period: two switching points at the same time */
enum { IMPACTS_MOST = 12 }; /* that are added one after the other before they count as chattering */

/* --- changes of the sequence ----------------------------------------------------------------------------------------
 */

/* The lowest condition of the orbit at the distance s along the tangent of p; -INFINITY: there is none. */
static picus_status find_lowest(branch_walk *w, const branch_point *p, double s, double *lowest) {
  branch_point next;
  picus_status status = picus_branch_point_create(w, &p->c, &next);
  *lowest = -INFINITY;
  if (!status) {
    const picus_status failed = picus_branch_solve(w, p, s, NULL, &next, NULL);
    status = failed ? failed : picus_cycle_check(&w->b, &next.c, w->margins);
    if (!status) *lowest = INFINITY;
    for (int k = 0; !status && k < w->margins->count; k++) *lowest = fmin(*lowest, w->margins->list[k].value);
  }
  picus_branch_point_release(w, &next);
  return picus_branch_is_answer(status) ? PICUS_OK : status;
}

/* The direction of a new sequence from the orbit that both have: where its orbits are motions; first, that of the
 * parameter so far. A short way in the wrong direction violates a condition by little; longest: the first way. */
static picus_status choose_direction(branch_walk *w, branch_point *p, double sign, double longest, bool *holds) {
  const int size = p->c.size;
  picus_status status = picus_cycle_assemble(&w->b, &p->c);
  *holds = false;
  if (!status) status = picus_branch_complete(w, p, NULL);
  for (int i = 0; i < size && sign < 0; i++) p->tangent[i] = -p->tangent[i];
  for (double s = longest; !status && !*holds && s > 1e-6; s *= 0.1) {
    double ahead, behind = -INFINITY;
    status = find_lowest(w, p, s, &ahead);
    if (!status && ahead < -ROUND_OFF) status = find_lowest(w, p, -s, &behind);
    const bool is_behind = ahead < 10 * fmin(behind, -ROUND_OFF);
    *holds = !status && (is_behind ? behind : ahead) >= -VIOLATED;
    if (!*holds) continue;
    w->step = fmax(w->step, s);
    for (int i = 0; i < size && is_behind; i++) p->tangent[i] = -p->tangent[i];
  }
  return status;
}

/* The sequence that the neighbour c has by construction. *holds: the branch continues with it, in w->here. */
static picus_status enter(branch_walk *w, const cycle *c, double sign, bool *holds) {
  branch_point next;
  *holds = false;
  picus_status status = picus_branch_point_create(w, c, &next);
  if (!status) {
    picus_cycle_keep(&w->b, c);
    const picus_status failed = choose_direction(w, &next, sign, SHORT, holds);
    if (!picus_branch_is_answer(failed)) status = failed;
    if (failed) *holds = false;
  }
  if (*holds) {
    branch_point old = w->here;
    w->here = next;
    next = old;
  } else {
    picus_cycle_keep(&w->b, &w->here.c);
  }
  picus_branch_point_release(w, &next);
  return status;
}

/* A state inside the longest phase of a cycle, and its time. */
static picus_status find_start(branch_walk *w, const cycle *c, double *t, double *x) {
  int longest = 0;
  double begin = *picus_cycle_time(c);
  for (int k = 0; k < c->count; k++)
    if (*picus_cycle_duration(c, k) > *picus_cycle_duration(c, longest)) longest = k;
  for (int k = 0; k < longest; k++) begin += *picus_cycle_duration(c, k);
  const double d = 0.5 * *picus_cycle_duration(c, longest);
  *t = begin + d;
  memcpy(x, picus_cycle_state(c, longest), (size_t)c->n * sizeof *x);
  picus_status status = picus_cycle_load_near(&w->b, *picus_cycle_parameter(c));
  if (status) return status;
  picus_flow_set_modes(&w->b.f, &c->phases[longest].modes);
  return picus_cycle_carry(&w->b, begin, d, x);
}

/* An adaptive run from near the orbit c, and the orbit with its sequence, at the parameter of c. */
static picus_status search(branch_walk *w, const cycle *c, const char *section, cycle *out) {
  picus_orbit *orbit = NULL;
  orbit_source source = {0};
  double t = 0, *x = picus_allocate(w->b.context, (size_t)c->n, sizeof *x);
  picus_status status = x ? find_start(w, c, &t, x) : PICUS_ERROR_MEMORY;
  picus_sim_options options = *w->def->orbit.options;
  options.t_start = t;
  options.t_end = t + 2.2 * picus_cycle_period(c);
  picus_orbit_def def = w->orbit;
  def.model = w->b.model;
  def.system = w->b.system;
  def.options = &options;
  def.section = section;
  def.skip = 0;
  if (!status) status = picus_orbit_find(w->b.context, &def, &(flow_start){t, x}, &orbit, &source);
  for (int i = 0; !status && i < c->n; i++) w->b.size[i] = fmax(w->b.size[i], source.found.size[i]);
  if (!status) status = picus_cycle_from_orbit(&w->b, orbit, &source, out);
  if (!status) picus_cycle_keep(&w->b, out);
  if (!status) status = picus_cycle_correct(&w->b, out, (cycle_plane){0}, NULL);
  picus_orbit_destroy(orbit);
  picus_orbit_source_release(w->b.context, &source);
  picus_release(w->b.context, x);
  return status;
}

/* Whether an orbit is near another one: a state of it is where the other one passes. */
static bool is_near(const branch_walk *w, const cycle *a, const cycle *b) {
  const double period = picus_cycle_period(a);
  return fabs(picus_cycle_period(b) - period) < 0.1 * period && w->b.period > 0;
}

/* The sequence beyond a change that a run finds a little further along the old branch. */
static picus_status search_beyond(branch_walk *w, const branch_point *at, double sign, bool *holds) {
  branch_point beyond;
  cycle c = {0};
  picus_status status = picus_branch_point_create(w, &at->c, &beyond);
  *holds = false;
  for (double s = 1e-5; !status && !*holds && s < 0.03; s *= 10) {
    picus_status failed = picus_branch_solve(w, at, s, NULL, &beyond, NULL);
    if (!failed) failed = search(w, &beyond.c, w->orbit.section, &c);
    if (failed && picus_branch_is_answer(failed) && !w->b.is_timed) {
      picus_cycle_release(&c);
      failed = search(w, &beyond.c, NULL, &c);
    }
    if (!failed) failed = picus_cycle_check(&w->b, &c, w->margins);
    if (!failed && !picus_conditions_violated(w->margins) && is_near(w, &at->c, &c)) status = enter(w, &c, sign, holds);
    if (!picus_branch_is_answer(failed)) status = failed;
    picus_cycle_release(&c);
  }
  picus_branch_point_release(w, &beyond);
  if (!*holds) picus_cycle_keep(&w->b, &w->here.c);
  return status;
}

/* Where the first of the conditions that no longer hold is zero. */
picus_status picus_branch_find_change(branch_walk *w, const branch_point *to, double s_to, branch_point *at, double *s,
                                      condition *which) {
  picus_status status = PICUS_OK;
  branch_point high;
  *which = *picus_conditions_violated(w->margins);
  *s = s_to;
  status = picus_branch_point_create(w, &to->c, &high);
  for (int k = 0; !status && k < 8; k++) {
    status = picus_branch_locate(w, &w->here, &high, (branch_goal){TEST_CONDITION, which}, at, s);
    if (!status) status = picus_cycle_check(&w->b, &at->c, w->margins);
    const condition *other = status ? NULL : picus_conditions_violated(w->margins);
    if (!other || (other->kind == which->kind && other->phase == which->phase && other->index == which->index)) break;
    *which = *other; /* it failed earlier */
    if (at->c.z && high.c.z) memcpy(high.c.z, at->c.z, (size_t)at->c.size * sizeof *high.c.z);
  }
  for (int k = 0; !status && k < w->margins->count; k++) { /* its place at the zero */
    const condition *c = &w->margins->list[k];
    if (c->kind == which->kind && c->phase == which->phase && c->index == which->index) *which = *c;
  }
  for (int k = 0; !status && k < w->margins->count; k++) { /* two switching points at once are the cause of others */
    const condition *c = &w->margins->list[k];
    if (c->kind == CONDITION_DURATION && fabs(c->value) < AT_ONCE) *which = *c;
  }
  picus_branch_point_release(w, &high);
  return status;
}

/* The branch comes to a change of the sequence. *ends: it does not continue. */
picus_status picus_branch_change_sequence(branch_walk *w, const branch_point *at, const branch_point *beyond,
                                          const condition *c, bool *ends) {
  branch_change change;
  cycle next = {0};
  char note[BRANCH_NOTE + 120];
  const double sign = at->tangent[at->c.size - 1];
  bool holds = false;
  picus_status status = picus_branch_neighbour(w, &at->c, &beyond->c, c, &change, &next);
  if (picus_branch_is_answer(status) && status) status = PICUS_OK, change.has_cycle = false;
  if (!status) status = picus_branch_add_checked(w, at, change.kind, change.law, change.what);
  w->multiplied = change.kind == PICUS_ORBIT_TOUCH ? w->multiplied + 1 : 0;
  *ends = w->multiplied > IMPACTS_MOST;
  if (!status && *ends) {
    snprintf(note, sizeof note, "the impacts multiply: chattering that completes has infinitely many");
    status = picus_branch_add_checked(w, at, PICUS_ORBIT_CHATTER, change.law, note);
  }
  if (!status && !*ends && change.has_cycle) status = enter(w, &next, sign, &holds);
  if (!status && !*ends && !holds) status = search_beyond(w, at, sign, &holds);
  if (!status && !*ends && !holds) {
    snprintf(note, sizeof note, "%s; no orbit with a neighbouring sequence was found", change.what);
    *ends = true;
  }
  if (!status && *ends) status = picus_branch_end(w, at, note);
  picus_cycle_release(&next);
  return status;
}

/* Whether two orbits of different sequences are nearly the same: their periods, and where they begin. */
static bool are_neighbours(const branch_walk *w, const cycle *a, const cycle *b) {
  double largest = fabs(picus_cycle_period(a) - picus_cycle_period(b)) / w->b.period;
  for (int i = 0; i < a->n; i++)
    largest = fmax(largest, fabs(picus_cycle_state(a, 0)[i] - picus_cycle_state(b, 0)[i]) / w->b.size[i]);
  return largest < NEIGHBOURS;
}

/* The orbit without a short phase, at the parameter where the branch is. It violates a condition by little; where this
 * is zero both sequences have the same orbit. *at: there, with the direction in which its conditions hold. */
static picus_status find_without(branch_walk *w, const cycle *without, branch_point *at, bool *holds) {
  branch_point start = {0}, beyond = {0};
  const double sign = w->here.tangent[w->here.c.size - 1];
  *holds = false;
  picus_status status = picus_branch_point_create(w, without, &start);
  if (!status) status = picus_branch_point_create(w, without, &beyond);
  if (!status) status = picus_branch_point_create(w, without, at);
  picus_cycle_keep(&w->b, without);
  if (!status) status = picus_cycle_correct(&w->b, &start.c, (cycle_plane){0}, NULL);
  if (!status && !are_neighbours(w, without, &start.c)) status = PICUS_NO_SOLUTION;
  if (!status) status = choose_direction(w, &start, sign, LONG, holds);
  if (!status) status = picus_cycle_check(&w->b, &start.c, w->margins);
  const condition *violated = status || !*holds ? NULL : picus_conditions_violated(w->margins);
  const condition which = violated ? *violated : (condition){0};
  double s = w->step;
  if (!status && *holds && violated) status = picus_branch_solve(w, &start, s, NULL, &beyond, NULL);
  if (!status && *holds && violated)
    status = picus_branch_locate(w, &start, &beyond, (branch_goal){TEST_CONDITION, &which}, at, &s);
  if (!status && *holds && !violated) status = picus_branch_solve(w, &start, 0, NULL, at, NULL);
  picus_branch_point_release(w, &start);
  picus_branch_point_release(w, &beyond);
  *holds = *holds && !status;
  return picus_branch_is_answer(status) ? PICUS_OK : status;
}

/* Newton's method fails before a short flight is 0: it ends with a velocity near 0, which does not determine its time.
 * The place where it is lost is found on the branch without it. */
picus_status picus_branch_lose_phase(branch_walk *w, int k, bool *is_lost) {
  branch_change change;
  cycle without = {0};
  branch_point at = {0};
  const condition c = {.kind = CONDITION_DURATION, .phase = k};
  picus_status status = picus_branch_neighbour(w, &w->here.c, &w->here.c, &c, &change, &without);
  *is_lost = !status && change.has_cycle;
  if (*is_lost) status = find_without(w, &without, &at, is_lost);
  if (!status && *is_lost) status = picus_branch_add_checked(w, &at, change.kind, change.law, change.what);
  if (!status && *is_lost) {
    branch_point old = w->here;
    w->here = at;
    at = old;
  }
  picus_cycle_keep(&w->b, &w->here.c);
  picus_branch_point_release(w, &at);
  picus_cycle_release(&without);
  return picus_branch_is_answer(status) ? PICUS_OK : status;
}
