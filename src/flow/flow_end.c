/* The end of a phase: where one of its triggers is zero. */
#include "flow/flow.h"

#include "system/switches.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define AHEAD 1e-7 /* of a step: for the rates of triggers */
#define DIP 0.25   /* of the values at both ends of a step: a lower one in between may be zero */
#define FINE 1e-4  /* of the longest step: dips that are shorter are not looked for */

/* Values and rates of the triggers at a state. */
typedef struct trigger_values {
  double value[TRIGGERS_MOST], slope[TRIGGERS_MOST];
} trigger_values;

/* The values of the triggers at a state. */
static picus_status evaluate_triggers(flow *f, const phase_end *e, double t, const double *x, double *values) {
  picus_status status = picus_field_evaluate(&f->base, t, x);
  for (int k = 0; !status && k < e->trigger_count; k++)
    status = picus_trigger_value(&f->base, &e->triggers[k], &values[k]);
  return status;
}

/* The rates of the triggers along the motion, after an evaluation at the state; time: in which it changes. */
static picus_status evaluate_slopes(flow *f, const phase_end *e, double t, double time, const double *x,
                                    trigger_values *at) {
  const double d = AHEAD * time;
  for (int i = 0; i < f->n; i++) f->shift[i] = x[i] + d * f->base.rate[i];
  const picus_status status = evaluate_triggers(f, e, t + d, f->shift, at->slope);
  for (int k = 0; k < e->trigger_count; k++) at->slope[k] = (at->slope[k] - at->value[k]) / d;
  return status;
}

/* Both ends of a step, and which triggers have been positive since the start of the phase. */
typedef struct step_ends {
  double h;
  trigger_values from, to;
  bool armed[TRIGGERS_MOST];
} step_ends;

/* A trigger that is positive at both ends may be zero twice in between: where the cubic with its slopes comes near. */
static bool may_dip(const phase_end *e, const step_ends *s) {
  for (int k = 0; k < e->trigger_count; k++) {
    const double a = s->from.value[k], b = s->to.value[k], da = s->h * s->from.slope[k], db = s->h * s->to.slope[k];
    if (e->triggers[k].kind <= TRIGGER_TIME || !(a > 0 && b > 0 && da < 0 && db > 0)) continue;
    for (int i = 1; i < 16; i++) {
      const double u = i / 16., r = 1 - u;
      const double value = r * r * (1 + 2 * u) * a + u * u * (3 - 2 * u) * b + u * r * (r * da - u * db);
      if (value < DIP * fmin(a, b)) return true;
    }
  }
  return false;
}

/* A step in which a trigger changes its sign. */
typedef struct bracket {
  int trigger;
  double t, h;     /* of the step */
  const double *x; /* at its start */
  double from, to; /* values of the trigger at both ends */
} bracket;

/* The size of the step that ends at the zero, by the secant method with halving (Illinois). */
static picus_status find_zero(flow *f, const phase_end *e, const bracket *b, double *size) {
  double low = 0, high = b->h, at_low = b->from, at_high = b->to, values[TRIGGERS_MOST];
  picus_status status = PICUS_OK;
  *size = b->h;
  for (int i = 0; !status && i < 200; i++) {
    double next = low + (high - low) * at_low / (at_low - at_high);
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (high - low <= 2 * DBL_EPSILON * fmax(fabs(b->t), b->h) || next == low || next == high) break;
    int columns;
    status = picus_flow_try_step(f, false, (smooth_interval){b->t, next}, b->x, f->y_next, &columns);
    if (!status && columns == 0) return picus_flow_fail_steps(f, b->t);
    if (!status) status = evaluate_triggers(f, e, b->t + next, f->y_next, values);
    const double value = status ? 0 : values[b->trigger];
    *size = next;
    if (status || value == 0) break;
    if (value > 0) {
      if (low > 0 && i > 0) at_high *= 0.5;
      low = next;
      at_low = value;
    } else {
      if (high < b->h && i > 0) at_low *= 0.5;
      high = next;
      at_high = value;
    }
  }
  return status;
}

const char *picus_flow_trigger_name(const flow *f, const trigger *g) {
  if (g->kind == TRIGGER_SIDE) return picus_switch_text(f->system, g->index);
  return g->kind == TRIGGER_TIME || g->kind == TRIGGER_END ? "a time" : f->system->fixed.laws[g->index].data.name;
}

static picus_status fail_sequence(const flow *f, const trigger *g, double t) {
  static const char *const verbs[] = {"ends", "ends", "closes", "closes", "opens", "slips", "sticks", "changes"};
  if (g->kind == TRIGGER_GAP)
    return picus_fail(f->context, PICUS_NO_SOLUTION,
                      "'%s' grazes, or its impacts accumulate, after t = %.9g: it closes in the adaptive run, but the "
                      "motion along its sequence does "
                      "not reach it",
                      picus_flow_trigger_name(f, g), t);
  return picus_fail(f->context, PICUS_NO_SOLUTION,
                    "the sequence of switching points is another one: '%s' no longer %s after t = %.9g",
                    picus_flow_trigger_name(f, g), verbs[g->kind], t);
}

/* The first trigger that is zero in a step, if there is one, and when: *first and *zero. A trigger counts once it has
 * been positive. */
static picus_status find_first_zero(flow *f, const phase_end *e, const bracket *step, step_ends *ends, int *first,
                                    double *zero) {
  const double *before = ends->from.value, *values = ends->to.value;
  const double end_of_step = step->t + step->h;
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < e->trigger_count; k++) {
    const bool is_time = e->triggers[k].kind <= TRIGGER_TIME, is_due = is_time && end_of_step >= e->triggers[k].t;
    double end = step->h;
    if (values[k] > 0 && !is_due) ends->armed[k] = true;
    if ((values[k] > 0 || is_time) && !is_due) continue;
    if (!is_time && !ends->armed[k]) {
      if (e->trigger_count > 1) continue;
      return fail_sequence(f, &e->triggers[k], step->t);
    }
    const bracket around = {k, step->t, step->h, step->x, before[k], values[k]};
    if (!is_time) status = find_zero(f, e, &around, &end);
    if (*first < 0 || end < *zero) {
      *first = k;
      *zero = end;
    }
  }
  return status;
}

/* Advances the state x from *t to the end of a phase; *which is its trigger. */
picus_status picus_flow_find_end(flow *f, const phase *p, const phase_end *e, double *t, double *x, int *which) {
  const double begin = *t, expected = p->t_end - p->t_begin, longest = expected / STEPS_LEAST;
  step_ends ends = {0};
  double *const values = ends.to.value, *const before = ends.from.value, h = longest;
  picus_flow_set_tolerances(f, NULL);
  picus_status status = evaluate_triggers(f, e, *t, x, before);
  if (!status) status = evaluate_slopes(f, e, *t, longest, x, &ends.from);
  for (long steps = 0; !status; steps++) {
    int columns, first = -1;
    double size = h;
    for (int k = 0; k < e->trigger_count; k++) /* known times are met exactly */
      if (e->triggers[k].kind <= TRIGGER_TIME && *t + size >= e->triggers[k].t) size = e->triggers[k].t - *t;
    status = picus_flow_try_step(f, false, (smooth_interval){*t, size}, x, f->y_next, &columns);
    if (status) break;
    if (steps > STEPS_MOST || (columns == 0 && size < 8 * DBL_EPSILON * fmax(fabs(*t), longest)))
      return picus_flow_fail_steps(f, *t);
    h = fmin(picus_smooth_next(size, columns), longest);
    if (columns == 0) continue;
    memcpy(f->x_after, f->y_next, (size_t)f->n * sizeof *x);
    status = evaluate_triggers(f, e, *t + size, f->x_after, values);
    if (!status) status = evaluate_slopes(f, e, *t + size, longest, f->x_after, &ends.to);
    ends.h = size;
    if (!status && size > FINE * longest && may_dip(e, &ends)) {
      h = 0.5 * size;
      continue;
    }
    double zero = size;
    if (!status) status = find_first_zero(f, e, &(bracket){0, *t, size, x, 0, 0}, &ends, &first, &zero);
    if (status) return status;
    if (first >= 0 && zero < size) {
      status = picus_flow_try_step(f, false, (smooth_interval){*t, zero}, x, f->x_after, &columns);
      if (!status) status = picus_field_evaluate(&f->base, *t + zero, f->x_after);
    }
    *t = first >= 0 && e->triggers[first].kind <= TRIGGER_TIME ? e->triggers[first].t : *t + zero;
    memcpy(x, f->x_after, (size_t)f->n * sizeof *x);
    ends.from = ends.to;
    *which = first;
    if (first >= 0) return status;
    if (*t - begin > 4 * expected + (p->t_end - p->t_begin)) return fail_sequence(f, &e->triggers[0], begin);
  }
  return status;
}
