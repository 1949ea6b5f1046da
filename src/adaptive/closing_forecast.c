/* Prediction of the closing of an open contact: the size of the next step with which a step of dt_min resolves the
 * impact best.
 *
 * Over the last smooth step, of size h, the gap went from g0 with the rate s0 to g1 with the rate s1. The cubic through
 * them has the acceleration a and the jerk j at its end; the contact closes at the first zero of g1 + s1 t + a t^2 / 2,
 * at the velocity v. The next term, j t^3 / 6, gives the uncertainty of the time, |j| t^3 / (6 v). It falls with the
 * third power of t, so that another prediction, closer to the impact, is almost exact.
 *
 * Only the sizes of steps depend on the prediction. The modes of their substeps detect the impact. */
#include "adaptive/internal.h"

#include "base/internal.h"

#include <math.h>

#define SHORT_STEP 1.5   /* dt_min: part that a long step leaves for the short one after it */
enum { STEPS_MOST = 8 }; /* consecutive shortened steps; then the prediction was wrong, and one step is not shortened */

/* The position in a step at which the scheme evaluates gaps. */
static double look_of(const stepper *s) {
  if (s->scheme->looks_at_middle) return 0.5;
  return s->scheme->forecasts && s->options.forecast != PICUS_FORECAST_FREE ? fmin(s->options.forecast_factor, 1) : 1;
}

/* The position in a step of dt_min at which an impact causes the smallest error, as a part of the step. Inelastic:
 * where the scheme evaluates gaps. With restitution: earlier, as measured on all shipped models, because Newton's law
 * uses the velocity at the start of the step. */
static double best_place(const approach *a, int law) {
  const double e = a->stepper->contacts.row_restitution[a->stepper->set->laws[law].data.first_row];
  return look_of(a->stepper) * fmin(fmax(1 - 1.2 * e, 0.4), 0.95);
}

picus_status picus_approach_create(stepper *s, double dt_min, approach *out) {
  *out = (approach){.stepper = s, .dt_min = dt_min};
  picus_status status = PICUS_OK;
  for (int end = 0; !status && end < 2; end++) {
    const law_array arrays[] = {picus_scratch(&out->gap[end], sizeof(double), picus_by_law),
                                picus_scratch(&out->velocities[end], sizeof(double), picus_by_row)};
    status = picus_law_arrays_add(&s->arrays, sizeof arrays / sizeof arrays[0], arrays);
  }
  return status;
}

static bool is_open_contact(const approach *a, const stepper_snapshot *state, int law) {
  return picus_law_can_open(&a->stepper->set->laws[law].data) && state->modes[law] == PICUS_OPEN;
}

static bool has_open_contact(const approach *a, const stepper_snapshot *state) {
  for (int i = 0; i < a->stepper->set->law_count; i++)
    if (is_open_contact(a, state, i)) return true;
  return false;
}

static picus_status evaluate(approach *a, int end, const stepper_snapshot *state) {
  picus_evaluation *evaluation = a->stepper->evaluation;
  picus_evaluation_set_point(evaluation, state->t, state->q, state->u);
  picus_status status = picus_evaluate_gaps(evaluation, a->gap[end]);
  return status ? status : picus_evaluate_velocities(evaluation, a->velocities[end]);
}

/* The first t > 0 with g + s t + a t^2 / 2 = 0, for g > 0; v receives the velocity there. INFINITY: none. */
static double first_zero(double g, double s, double a, double *v) {
  double square = s * s - 2 * a * g;
  *v = sqrt(fmax(square, 0));
  if (!(square > 0) || (s >= 0 && a >= 0)) return INFINITY;
  return s < 0 ? 2 * g / (*v - s) : (*v + s) / -a;
}

typedef struct closing_time {
  double t, uncertainty; /* s */
  double place;          /* of the impact in the step that resolves it, s */
} closing_time;

static closing_time closing_of(const approach *a, int law, double h) {
  const int row = a->stepper->set->laws[law].data.first_row;
  const double g0 = a->gap[0][law], g1 = a->gap[1][law], s0 = a->velocities[0][row], s1 = a->velocities[1][row];
  const double rounding = a->stepper->contacts.gap_rounding[law], bend = 0.5 * h * (s0 + s1) - (g1 - g0);
  const closing_time never = {INFINITY, 0, 0}, now = {0, 0, 0};
  if (!(g1 > rounding)) return s1 < 0 ? now : never; /* counts as closed */
  double jerk = fabs(bend) > 4 * rounding ? 12 * bend / (h * h * h) : 0, v;
  double t = first_zero(g1 - rounding, s1, (s1 - s0) / h + 0.5 * h * jerk, &v);
  if (!isfinite(t)) return never;
  return (closing_time){t, fmin(fabs(jerk) * t * t * t / (6 * v), 0.5 * t), best_place(a, law) * a->dt_min};
}

static picus_status predict(approach *a, const stepper_snapshot *begin, const stepper_snapshot *end,
                            closing_time *first) {
  const double h = end->t - begin->t;
  *first = (closing_time){INFINITY, 0, 0};
  if (!(h > 0) || !has_open_contact(a, end)) return PICUS_OK;
  picus_status status = evaluate(a, 0, begin);
  if (!status) status = evaluate(a, 1, end);
  for (int i = 0; !status && i < a->stepper->set->law_count; i++) {
    closing_time closing = is_open_contact(a, end, i) ? closing_of(a, i, h) : *first;
    if (closing.t - closing.uncertainty < first->t - first->uncertainty) *first = closing;
  }
  return status;
}

picus_status picus_approach_limit(approach *a, const stepper_snapshot *begin, const stepper_snapshot *end, double *dt) {
  closing_time closing;
  picus_status status = predict(a, begin, end, &closing);
  a->rest = INFINITY;
  if (status) return status;
  double rest = closing.t - closing.place; /* until the step that resolves the impact */
  bool is_near = rest - closing.uncertainty < *dt && ++a->steps <= STEPS_MOST;
  if (!is_near) {
    a->steps = 0;
    return PICUS_OK;
  }
  a->rest = rest;
  if (rest > 2 * a->dt_min) rest -= closing.uncertainty + SHORT_STEP * a->dt_min;
  *dt = fmin(*dt, fmax(rest, a->dt_min));
  return PICUS_OK;
}

double picus_approach_correct(approach *a, double dt) {
  double corrected = dt + fmin(a->rest, a->dt_min) - 3 * a->dt_min;
  bool is_useful = isfinite(a->rest) && corrected > a->dt_min && !a->is_corrected;
  a->is_corrected = is_useful;
  return is_useful ? corrected : dt;
}
