/* The tolerance if dt_min is too large to meet it.
 *
 * A step of size dt_min is accepted even if it misses its tolerance: there is no smaller one. It is counted, and so is
 * a longer step whose error per unit of time is no worse than that of the last step of size dt_min: shorter steps would
 * only cost more. A longer step is also accepted, and counted, if its error is round-off of the contact problem and of
 * Newton's method, which shorter steps do not reduce. Two conditions end a run instead: an error at dt_min that is not
 * small relative to the motion itself, and a dt_min with which most steps miss the tolerance by far. */
#include "adaptive/internal.h"

#include "base/internal.h"

#include <math.h>

#define SIZE_SLACK 1e-9
#define GAIN 4.0               /* of kinetic energy in one step, and beyond all of the run, that is checked */
#define UNCONFIRMED 0.1        /* of the largest velocity: half steps that differ by more do not confirm it */
enum { UNCONFIRMED_MOST = 3 }; /* steps; fewer may be impacts whose order decides what comes out */
#define FAR 100.0              /* times the tolerance */
#define WRONG 0.01             /* of the largest value of the run */
#define ROUNDINGS_MOST 1e5     /* an error beyond so many is none of round-off */
#define ROUNDING_MARGIN 4.0    /* round-off varies from step to step, */
#define ROUNDING_DECAY 0.99    /* and is found again after some of them */
#define GAIN_LEAST 0.5 /* a step of half the size has less of an error that is not round-off: order 2 and more */
enum { WINDOW = 128, WINDOW_LEAST = 16 }; /* smooth steps that are judged together */

static double largest(double so_far, int count, const double *values) {
  for (int i = 0; i < count; i++) so_far = fmax(so_far, fabs(values[i]));
  return so_far;
}

void picus_accuracy_begin(accuracy_watch *a, const stepper *s, double dt_min) {
  *a = (accuracy_watch){.dt_min = dt_min, .tried_t = -INFINITY};
  a->q_largest = largest(0, s->system->nq, s->q);
  a->u_largest = largest(0, s->system->nu, s->u);
}

static bool is_least(const accuracy_watch *a, double dt) { return dt <= a->dt_min * (1 + SIZE_SLACK); }

bool picus_accuracy_tolerates(const accuracy_watch *a, double dt, const step_error *error) {
  return is_least(a, dt) || error->relative <= a->error_least * dt / a->dt_min;
}

bool picus_accuracy_is_rounding(accuracy_watch *a, double t, double dt, const step_error *error) {
  const bool is_half = t == a->tried_t && dt <= 0.5 * a->tried_dt * (1 + SIZE_SLACK);
  const bool is_small = error->roundings <= ROUNDINGS_MOST; /* not so for NAN */
  const bool did_not_help = is_half && error->relative > GAIN_LEAST * a->tried_error;
  const bool is_known = error->roundings <= a->roundings || error->relative <= a->rounding_error;
  if (is_small && did_not_help) {
    a->roundings = fmax(a->roundings, fmin(ROUNDING_MARGIN * error->roundings, ROUNDINGS_MOST));
    a->rounding_error = fmax(a->rounding_error, ROUNDING_MARGIN * error->relative);
  }
  if (is_small && (did_not_help || is_known)) return true;
  a->tried_t = t;
  a->tried_dt = dt;
  a->tried_error = error->relative;
  return false;
}

void picus_accuracy_note(accuracy_watch *a, double dt, const step_error *error) {
  a->roundings *= ROUNDING_DECAY;
  a->rounding_error *= ROUNDING_DECAY;
  double at_least = error->relative > 1 ? error->relative * fmin(a->dt_min / dt, 1) : 0;
  a->error_least = is_least(a, dt) ? at_least : fmin(a->error_least, at_least);
}

static picus_status fail_alternating(const stepper *s, double t, double dt, const step_error *error) {
  return picus_fail(s->context, PICUS_ERROR_STEP,
                    "the adaptive run lost the motion at t = %.9g: '%s' alternates with an amplitude of %.3g from "
                    "substep to substep of a step of %.3g s; a damper or a spring is too stiff for this dt_min, and %s "
                    "does not damp it; use a smaller dt_min, or the scheme moreau-jean with theta = 1",
                    t, s->system->u_names[error->velocity].name, error->u, dt, s->scheme->description.name);
}

picus_status picus_accuracy_alarm(const accuracy_watch *a, const stepper *s, const stepper_snapshot *end, double dt,
                                  const step_error *error) {
  if (error->relative <= FAR) return PICUS_OK;
  double q = largest(a->q_largest, s->system->nq, end->q), u = largest(a->u_largest, s->system->nu, end->u);
  if (error->q <= WRONG * q && error->u <= WRONG * u) return PICUS_OK; /* not so for NAN */
  if (error->alternates) return fail_alternating(s, end->t, dt, error);
  return picus_fail(s->context, PICUS_ERROR_STEP,
                    "the adaptive run lost the motion at t = %.9g: a step of %.3g s and its substeps differ by %.3g in "
                    "the velocities, which are at most %.3g; a force is too stiff for this dt_min, or unbounded; "
                    "use a smaller dt_min, or an implicit scheme such as moreau-jean",
                    end->t, dt, error->u, u);
}

static picus_status kinetic_energy(stepper *s, const stepper_snapshot *at, double *energy) {
  double potential;
  picus_evaluation_set_point(s->evaluation, at->t, at->q, at->u);
  return picus_evaluate_energy_unchecked(s->evaluation, energy, &potential);
}

/* The forces of a step of dt_min change its velocities little, and contacts dissipate. */
static bool gains_too_much(accuracy_watch *a, double before, double after) {
  const double record = fmax(a->kinetic_largest, before);
  a->kinetic_largest = fmax(record, after);
  return record > 0 && after > GAIN * record;
}

picus_status picus_accuracy_confirm(accuracy_watch *a, extrapolation *e, const stepper_snapshot *begin, double dt,
                                    const stepper_snapshot *end) {
  stepper *s = e->stepper;
  double before, after, u = 0, difference = 0;
  picus_status status = kinetic_energy(s, begin, &before);
  if (!status) status = kinetic_energy(s, end, &after);
  if (status || !gains_too_much(a, before, after)) return status;
  const bool fails = picus_extrapolation_halves(e, begin, dt); /* steps that cannot be halved confirm nothing */
  for (int i = 0; i < s->system->nu; i++) {
    u = fmax(u, fabs(end->u[i]));
    difference = fmax(difference, fabs(end->u[i] - s->u[i]));
  }
  picus_snapshot_restore(end, s);
  if (!fails && difference <= UNCONFIRMED * u) return PICUS_OK;
  a->unconfirmed++;
  a->unconfirmed_t = begin->t;
  a->unconfirmed_u = fails ? INFINITY : difference / u;
  return PICUS_OK;
}

static picus_status fail_unconfirmed(const accuracy_watch *a, const stepper *s) {
  return picus_fail(
      s->context, PICUS_ERROR_STEP,
      "the adaptive run lost the motion at t = %.9g: steps with switching points gain kinetic energy that "
      "steps of half their size do not confirm (velocities differ by %.2g of the largest); a force is too "
      "stiff for dt_min = %.3g s; use a smaller dt_min, or an implicit scheme such as moreau-jean",
      a->unconfirmed_t, a->unconfirmed_u, a->dt_min);
}

picus_status picus_accuracy_verdict(accuracy_watch *a, const stepper *s, bool is_end) {
  if (a->unconfirmed >= UNCONFIRMED_MOST) return fail_unconfirmed(a, s);
  if (a->window < (is_end ? WINDOW_LEAST : WINDOW)) return PICUS_OK;
  bool is_hopeless = 2 * a->hopeless > a->window;
  a->window = a->hopeless = 0;
  if (!is_hopeless || a->accepts_inaccurate) return PICUS_OK;
  return picus_fail(s->context, PICUS_NOT_CONVERGED,
                    "the tolerance cannot be met: up to t = %.9g most steps exceed it more than %g times, at worst "
                    "%.2g times, and dt_min = %.3g s forbids smaller steps; use a smaller dt_min or larger tolerances",
                    s->t, FAR, a->worst, a->dt_min);
}

void picus_accuracy_count(accuracy_watch *a, const stepper *s, const stepper_snapshot *end,
                          const extrapolated_step *step) {
  const double error = step->error.relative;
  a->q_largest = largest(a->q_largest, s->system->nq, end->q);
  a->u_largest = largest(a->u_largest, s->system->nu, end->u);
  if (step->outcome == STEP_RESOLVED) return;
  a->window++;
  a->hopeless += error > FAR && !step->error.is_rounding;
  a->missed += error > 1;
  a->rounded += step->error.is_rounding;
  if (error <= fmax(a->worst, 1)) return;
  a->worst = error;
  a->worst_t = end->t;
}
