/* Sides of switching functions that a step takes whatever its state: see switches.c of src/system.
 *
 * With fixed steps, expressions that switch with time alone have the value of the inside of a step at both of its ends:
 * a step that begins or ends where such an expression switches has the value after it, or before it. A step that
 * contains the time inside compares as the expression says. An adaptive run holds all sides over each of its steps
 * (switches.c of src/adaptive); they are data of the stepper, which snapshots and checkpoints carry.
 *
 * With fixed steps of order 2 or more, a switch inside of a step costs this order. Sides are compared every few steps,
 * which costs little: more than one switch in between counts as one. */
#include "stepper/internal.h"

#include "base/internal.h"

#include <float.h>
#include <math.h>

enum { LOOK_EVERY = 64 };

static double slack_of(const stepper *s, double dt) { return fmax(1e-9 * dt, 4 * DBL_EPSILON * fabs(s->t)); }

picus_status picus_stepper_create_sides(stepper *s, bool adaptive) {
  const size_t count = (size_t)s->system->switch_count;
  s->holds_sides = adaptive && count > 0;
  s->side_numbers = s->holds_sides ? SIDE_NUMBERS * count : 0;
  if (count == 0) return PICUS_OK;
  picus_status status = PICUS_FIXED(&s->arrays, sizeof *s->sides, SIDE_NUMBERS * count, &s->sides);
  if (status) return status;
  for (size_t k = 0; k < count; k++) s->sides[k] = NAN;
  s->counts_switches = !adaptive && s->scheme->order >= 2;
  s->uneventful[0] = INFINITY; /* not known yet */
  picus_stepper_forget_switches(s);
  for (size_t k = 0; k < count && !adaptive; k++)
    s->has_times = s->has_times || !isnan(picus_switch_side_at(s->system, (int)k, 0));
  return PICUS_OK;
}

/* Sides by the values at the end of a step, after the held ones; 0 keeps what is there. Values are put behind them. */
static int look_at_sides(stepper *s, double t, double slack) {
  const int count = s->system->switch_count;
  double *const seen = s->sides + count, *const a = seen + count, *const b = a + count;
  int turned = 0;
  picus_evaluation_set_point(s->evaluation, t, s->q, s->u);
  picus_evaluate_switches(s->evaluation, a, b);
  for (int k = 0; k < count; k++) {
    const double value = a[k] - b[k];
    if (value == 0 || isnan(value) || picus_switch_is_near(s->system, k, t, slack)) continue;
    if (picus_switch_is_table(s->system, k)) continue; /* a kink, and any number of them in a few steps */
    const double side = value > 0 ? 1 : -1;
    turned += isnan(picus_switch_side_at(s->system, k, t)) && seen[k] == -side;
    seen[k] = side;
  }
  return turned;
}

void picus_stepper_count_switches(stepper *s, double dt, picus_step_info *info) {
  if (++s->steps_unseen < LOOK_EVERY) return;
  s->steps_unseen = 0;
  info->switches = look_at_sides(s, s->t + dt, slack_of(s, dt));
}

void picus_stepper_forget_switches(stepper *s) {
  const int count = s->system->switch_count;
  if (!s->counts_switches) return;
  s->steps_unseen = LOOK_EVERY - 1;
  for (int k = 0; k < count; k++) s->sides[count + k] = 0;
}

/* Between which stop times the state is, with a margin that also serves steps 1000 times as long: dt may be a part of a
 * subdivided step. */
static void find_uneventful(stepper *s, double dt) {
  s->uneventful[0] = -INFINITY;
  s->uneventful[1] = INFINITY;
  for (int i = 0; i < s->system->stop_count; i++) {
    const double stop = s->system->stop_times[i], margin = 1e-5 * dt + 16 * DBL_EPSILON * fabs(stop);
    if (stop <= s->t)
      s->uneventful[0] = fmax(s->uneventful[0], stop + margin);
    else
      s->uneventful[1] = fmin(s->uneventful[1], stop - margin);
  }
}

void picus_stepper_hold_times(stepper *s, double dt) {
  const double slack = slack_of(s, dt), t = s->t + 0.5 * dt;
  bool holds = false;
  for (int k = 0; k < s->system->switch_count; k++) {
    s->sides[k] = NAN;
    if (!picus_switch_is_near(s->system, k, t, 0.5 * dt + 2 * slack)) continue; /* nearly always */
    if (!picus_switch_is_near(s->system, k, s->t, slack) && !picus_switch_is_near(s->system, k, s->t + dt, slack))
      continue;
    s->sides[k] = picus_switch_side_at(s->system, k, t);
    holds = true;
  }
  s->holds_times = holds;
  find_uneventful(s, dt);
  if (holds) picus_evaluation_hold(s->evaluation, s->sides);
}

void picus_stepper_release_times(stepper *s) {
  s->holds_times = false;
  for (int k = 0; k < s->system->switch_count; k++) s->sides[k] = NAN;
  picus_evaluation_hold(s->evaluation, s->sides);
}
