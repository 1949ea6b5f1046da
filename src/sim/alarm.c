/* The alarms of runs with fixed steps: growth that halved steps do not confirm, and velocities that alternate because
 * a force is too stiff; alarm.h describes both. */
#include "sim/alarm.h"
#include "base/elementary.h"
#include "base/internal.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- how fast forces answer --------------------------------------------------------------------------------------- */

/* How fast the forces of a system answer its motion, by power iteration. For messages, not for steps: it allocates. */

/* The limits of the step of an explicit scheme at a state: the largest rates of position-dependent
 * forces (omega, rad/s, from the spectral radius of M^-1 dh/dq B) and velocity-dependent forces (rate, 1/s, from M^-1
 * dh/du), with the dominant velocity. PICUS_OK with zeros if the system is too large. */
typedef struct stiffness_report {
  double omega, rate;
  size_t omega_velocity, rate_velocity;
} stiffness_report;

enum { LARGEST_SYSTEM = 500, ITERATIONS = 200 };

/* y = A x; A: rows x columns. */
static void multiply(int rows, int columns, const double *A, const double *x, double *y) {
  for (int i = 0; i < rows; i++) {
    double sum = 0;
    for (int j = 0; j < columns; j++) sum += A[(size_t)i * (size_t)columns + (size_t)j] * x[j];
    y[i] = sum;
  }
}

/* The spectral radius of M^-1 A B, or of M^-1 A without B: the mean growth over the last half of the iterations, which
 * serves for pairs of complex eigenvalues as well. */
static double spectral_radius(const picus_evaluation *e, const double *A, const double *B, double *x, double *y,
                              size_t *velocity) {
  const int nu = e->system->nu, nq = e->system->nq;
  double growth = 0;
  for (int i = 0; i < nu; i++)
    x[i] = 1 + 0.1 * picus_sin(1.0 + i); /* no direction that a symmetric system would exclude */
  for (int k = 0; k < ITERATIONS; k++) {
    double *z = y + nq;
    if (B) multiply(nq, nu, B, x, y);
    multiply(nu, B ? nq : nu, A, B ? y : x, z);
    picus_evaluation_solve_mass(e, z);
    const double size = picus_largest_of((size_t)nu, z, velocity);
    if (!(size > 0) || !isfinite(size)) return 0;
    if (k >= ITERATIONS / 2) growth += picus_ln(size);
    for (int i = 0; i < nu; i++) x[i] = z[i] / size;
  }
  return picus_exp(2 * growth / ITERATIONS);
}

static picus_status examine_stiffness(stepper *s, double t, const double *q, const double *u, stiffness_report *out) {
  *out = (stiffness_report){0};
  picus_evaluation *e = s->evaluation;
  const size_t nq = (size_t)s->system->nq, nu = (size_t)s->system->nu;
  if (nq > LARGEST_SYSTEM) return PICUS_OK;
  double *block = picus_allocate(s->context, 2 * nu * nq + nu * nu + nq * nq + 2 * nu + nq, sizeof *block);
  if (!block) return PICUS_ERROR_MEMORY;
  double *K = block, *C = K + nu * nq, *B = C + nu * nu, *rates = B + nq * nu, *x = rates + nq * nq, *y = x + nu;
  picus_evaluation_set_point(e, t, q, u);
  picus_status status = picus_evaluation_factor_mass(e);
  if (!status) status = picus_evaluate_force_jacobian(e, K, C);
  if (!status) status = picus_evaluate_rate_jacobian(e, rates, B);
  if (!status) {
    out->omega = sqrt(spectral_radius(e, K, B, x, y, &out->omega_velocity));
    out->rate = spectral_radius(e, C, NULL, x, y, &out->rate_velocity);
  }
  picus_release(s->context, block);
  return status;
}

/* 1/s: the rate at which velocity-dependent forces damp a motion with these velocities, v^T C v / v^T M v; M_ii: mass.
 * 0 for a large system. */
static picus_status damping_rate(stepper *s, const double *v, const double *mass, double *rate) {
  picus_evaluation *e = s->evaluation;
  const size_t nq = (size_t)s->system->nq, nu = (size_t)s->system->nu;
  *rate = 0;
  if (nq > LARGEST_SYSTEM) return PICUS_OK;
  double *K = picus_allocate(s->context, nu * nq + nu * nu + nu, sizeof *K);
  if (!K) return PICUS_ERROR_MEMORY;
  double *C = K + nu * nq, *force = C + nu * nu, power = 0, size = 0;
  picus_evaluation_set_point(e, s->t, s->q, s->u);
  picus_status status = picus_evaluate_force_jacobian(e, K, C);
  if (!status) multiply((int)nu, (int)nu, C, v, force);
  for (size_t i = 0; i < nu && !status; i++) {
    power -= v[i] * force[i];
    size += mass[i] * v[i] * v[i];
  }
  if (size > 0) *rate = power / size;
  picus_release(s->context, K);
  return status;
}

/* --- growth ------------------------------------------------------------------------------------------------------- */

enum { FEWEST = 6, MOST = 20 }; /* steps that are compared after a hundredfold growth */
enum { SLOWER = 3 }; /* a growth that takes this many times longer than the last one is no longer exponential */
static const double growth = 100; /* of the measure, that is tenfold in the velocities */
enum {
  HOPELESS = 3,
  DOUBTFUL = 2
}; /* hundredfold growths under suspicion that end the run, or make its end an error */
static const double tolerated = 0.1, unconfirmed = 0.3;

picus_status picus_alarm_create(stepper *s, growth_alarm *a) {
  const size_t nq = (size_t)s->system->nq, nu = (size_t)s->system->nu;
  *a = (growth_alarm){.weight = picus_allocate(s->context, nu, sizeof(double)),
                      .q = picus_allocate(s->context, nq, sizeof(double)),
                      .u = picus_allocate(s->context, nu, sizeof(double))};
  if (!a->weight || !a->q || !a->u) return PICUS_ERROR_MEMORY;
  picus_status status = picus_snapshot_create(s, &a->begin);
  if (!status) status = picus_snapshot_create(s, &a->end);
  if (status) return status;
  picus_evaluation_set_point(s->evaluation, s->t, s->q, s->u);
  if ((status = picus_evaluation_update_mass(s->evaluation))) return status;
  for (int p = 0; p < s->system->part_count; p++) {
    const system_part *part = &s->system->parts[p];
    for (int i = 0; i < part->nu; i++)
      a->weight[part->u0 + i] = picus_part_matrix_diagonal(&s->evaluation->mass.blocks[p], i);
  }
  return PICUS_OK;
}

void picus_alarm_release(stepper *s, growth_alarm *a) {
  picus_release(s->context, a->weight);
  picus_release(s->context, a->q);
  picus_release(s->context, a->u);
  picus_snapshot_release(s, &a->begin);
  picus_snapshot_release(s, &a->end);
  *a = (growth_alarm){0};
}

static double measure_of(const growth_alarm *a, int nu, const double *u) {
  double sum = 0;
  for (int i = 0; i < nu; i++) sum += a->weight[i] * (u[i] * u[i]);
  return sum;
}

static picus_status overflow(const stepper *s) {
  int worst = 0;
  for (int i = 0; i < s->system->nu; i++)
    if (!(fabs(s->u[i]) <= fabs(s->u[worst]))) worst = i;
  return picus_fail(s->context, PICUS_ERROR_NUMBER,
                    "the velocity '%s' is %g at t = %.9g, and its square overflows; use a smaller step, and check "
                    "forces, masses and the initial state",
                    s->system->u_names[worst].name, s->u[worst], s->t);
}

/* The steps still to be compared cannot make the window suspicious any more, however they come out. */
static bool is_innocent(const growth_alarm *a) {
  const growth_window *w = &a->window;
  const int all = w->compared + a->to_compare;
  return 2 * (w->off + a->to_compare) <= all && 10 * (w->faster + a->to_compare) < 9 * all;
}

void picus_alarm_before_step(growth_alarm *a, const stepper *s) {
  if (!is_innocent(a)) picus_snapshot_save(s, &a->begin);
}

/* The effect of round-off and of the residual of the contact solver on velocities: two steps that differ by no more are
 * equal. */
static double noise(const growth_alarm *a, const stepper *s, const double *u_begin, double dt) {
  double q = 0, sum = 0, change = 0;
  for (int i = 0; i < s->system->nq; i++) q = fmax(q, fabs(a->end.q[i]));
  const double by_positions = 1e4 * DBL_EPSILON * q / dt;
  for (int i = 0; i < s->system->nu; i++) {
    sum += a->weight[i] * by_positions * by_positions;
    change += a->weight[i] * (a->end.u[i] - u_begin[i]) * (a->end.u[i] - u_begin[i]);
  }
  return sum + 1e-12 * change;
}

/* Adds a step (in a->end) and its two halves (in the stepper) to the window. */
static void compare(growth_alarm *a, const stepper *s, double dt) {
  const int nu = s->system->nu;
  const double before = measure_of(a, nu, a->begin.u), whole = measure_of(a, nu, a->end.u);
  const double halved = measure_of(a, nu, s->u), size = fmax(whole, halved);
  double difference = 0, largest = 0;
  int velocity = 0;
  for (int i = 0; i < nu; i++) {
    const double apart = a->end.u[i] - s->u[i], share = a->weight[i] * apart * apart;
    difference += share;
    if (!(share <= largest)) {
      largest = share;
      velocity = i;
    }
  }
  if (difference <= noise(a, s, a->begin.u, dt)) return;
  if (difference > a->difference * a->difference * size) {
    a->difference = sqrt(difference / size);
    a->velocity = velocity;
  }
  /* growth counts if two half steps do not confirm it: a scheme that is accurate agrees with itself */
  a->window.off += difference > tolerated * tolerated * size;
  if (!(before > 0 && whole > 0 && halved > 0)) return;
  a->window.faster += picus_ln(whole / halved) > unconfirmed * a->rate;
  a->window.whole += picus_ln(whole / before);
  a->window.halved += picus_ln(halved / before);
}

/* The same interval from the same state in two halves, without side effects. They begin with half of the percussions of
 * a step: those of a persistent contact grow with its size. */
static picus_status make_halves(const growth_alarm *a, stepper *s, double dt) {
  const picus_contact_watch_fn watch = s->contacts.watch;
  picus_status status = PICUS_OK;
  s->contacts.watch = NULL;
  picus_snapshot_restore(&a->begin, s);
  for (int row = 0; row < s->set->row_count; row++) s->contacts.P[row] *= 0.5;
  for (int half = 0; half < 2 && !status; half++) {
    picus_step_info info;
    picus_step_info_begin(&info, s->t, 0.5 * dt);
    status = picus_stepper_step(s, 0.5 * dt, &info);
    s->t += 0.5 * dt;
  }
  s->contacts.watch = watch;
  return status;
}

/* Known reasons for instability of an explicit scheme: springs, dampers or gyroscopic forces too fast for dt. */
static void find_reason(const growth_alarm *a, stepper *s, double dt, char *why, size_t size) {
  stiffness_report stiff;
  const scheme_ops *scheme = s->scheme;
  const bool all = scheme->explicit_forces, springs = all || scheme->explicit_stiffness || s->theta < 0.5;
  const char *cure = scheme->description.implicit && !scheme->explicit_stiffness
                         ? "theta = 0.5 or more"
                         : "an implicit scheme such as moreau-jean";
  snprintf(why, size, "check dt, the forces and their signs, and the inertias");
  if (!springs || examine_stiffness(s, a->t, a->q, a->u, &stiff)) return;
  if (stiff.omega * dt > 1.5)
    snprintf(why, size,
             "likely reason: the position-dependent forces on '%.60s' correspond to %.3g rad/s, and %s is stable only "
             "for dt < %.3g "
             "s; use a smaller step, or %s",
             s->system->u_names[stiff.omega_velocity].name, stiff.omega, scheme->description.name, 2 / stiff.omega,
             cure);
  else if (all && stiff.rate * dt > 1e-3)
    snprintf(why, size,
             "likely reason: the velocity-dependent forces on '%.60s', such as dampers or gyroscopic torques, "
             "correspond to %.3g 1/s, for which %s needs dt far below %.3g s; "
             "check dampers and inertias, use a smaller step, or %s",
             s->system->u_names[stiff.rate_velocity].name, stiff.rate, scheme->description.name, 1 / stiff.rate, cure);
}

static bool differs(const growth_window *w) { return 2 * w->off > w->compared; }
static bool grows_faster(const growth_window *w) { return 10 * w->faster >= 9 * w->compared; }
static bool is_suspicious(const growth_window *w) { return differs(w) || grows_faster(w); }

static picus_status end_run(const growth_alarm *a, stepper *s, double dt) {
  const double times = measure_of(a, s->system->nu, s->u) / a->level;
  char why[400], how[160];
  if (differs(&a->window))
    snprintf(how, sizeof how, "a step and two half steps differ by %.0f %% at '%.60s'", 100 * a->difference,
             s->system->u_names[a->velocity].name);
  else
    snprintf(how, sizeof how, "half steps grow %.0f %% less", 100 * (1 - a->window.halved / a->window.whole));
  find_reason(a, s, dt, why, sizeof why);
  return picus_fail(s->context, PICUS_ERROR_STEP,
                    "the motion grows from t = %.6g on, but smaller steps do not confirm this: the kinetic energy is "
                    "%.1g times larger at t = %.6g, and %s; %s",
                    a->t, times, s->t, how, why);
}

/* Most steps agree with their halves, and the growth is real; or the suspicion stays until the next growth. */
static picus_status close_window(growth_alarm *a, stepper *s, double dt) {
  a->to_compare = 0;
  if (is_suspicious(&a->window)) return a->growths >= HOPELESS ? end_run(a, s, dt) : PICUS_OK;
  a->level = 0;
  return PICUS_OK;
}

/* The window that follows a growth which took so many steps. */
static void open_window(growth_alarm *a, long took) {
  a->window = (growth_window){0};
  a->to_compare = took < FEWEST ? FEWEST : took > MOST ? MOST : (int)took;
  a->stride = took > MOST ? took / MOST : 1;
  a->wait = 1;
}

static void begin_suspicion(growth_alarm *a, const stepper *s, double level) {
  a->level = level;
  a->growths = 0;
  a->difference = 0;
  a->t = s->t;
  memcpy(a->q, s->q, (size_t)s->system->nq * sizeof *a->q);
  memcpy(a->u, s->u, (size_t)s->system->nu * sizeof *a->u);
}

/* The steps that are missing in the window follow at once. */
static void hurry(growth_alarm *a) {
  a->to_compare = FEWEST - a->window.compared;
  a->stride = a->wait = 1;
}

picus_status picus_alarm_begin(growth_alarm *a, stepper *s, double dt, long steps) {
  const double measure = measure_of(a, s->system->nu, s->u), before = a->limit / growth;
  if (!isfinite(measure)) return overflow(s);
  const bool is_open = a->to_compare > 0; /* it grows faster than before: the window ends early */
  picus_status status = is_open && a->window.compared >= FEWEST ? close_window(a, s, dt) : PICUS_OK;
  if (status) return status;
  if (before > 0) { /* a system at rest has no level to grow from */
    const long took = steps > a->last ? steps - a->last : 1;
    const bool persists = a->took == 0 || took <= SLOWER * a->took;
    a->rate = picus_ln(measure / before) / (double)took;
    a->took = took;
    if (a->to_compare > 0)
      hurry(a);
    else if (persists)
      open_window(a, took);
    if (!persists) a->level = 0;
    if (persists && a->level == 0) begin_suspicion(a, s, before);
    a->growths++;
  }
  a->last = steps;
  a->limit = fmin(growth * measure, DBL_MAX);
  return PICUS_OK;
}

picus_status picus_alarm_after_step(growth_alarm *a, stepper *s, double dt) {
  if (!is_innocent(a)) {
    picus_snapshot_save(s, &a->end);
    if (!make_halves(a, s, dt)) compare(a, s, dt);
    picus_snapshot_restore(&a->end, s);
  } else
    picus_stepper_forget_guess(s); /* as the halves do, so that results do not depend on how many of them were made */
  a->window.compared++;
  a->wait = a->stride;
  return --a->to_compare > 0 ? PICUS_OK : close_window(a, s, dt);
}

picus_status picus_alarm_at_end(growth_alarm *a, stepper *s, double dt, long steps) {
  const bool persists = a->level > 0 && steps - a->last <= SLOWER * a->took;
  if (!persists || a->growths < DOUBTFUL || a->window.compared < 2 || !is_suspicious(&a->window)) return PICUS_OK;
  return end_run(a, s, dt);
}

/* --- alternation -------------------------------------------------------------------------------------------------- */

enum { STREAK = 16 };                      /* steps in a row that are evidence */
enum { ROW = 20, SOON = 32, LATER = 512 }; /* steps in a row that are examined, soon twice, then from time to time */
static const double decay = 0.9;           /* of a motion that steps do not resolve: a faster one is seen to end */
static const double significant = 0.01;    /* of the velocities of the run */
static const double rate_resolved = 2.0;   /* of damping, times dt */

picus_status picus_alternation_alarm_create(stepper *s, alternation_alarm *a) {
  *a = (alternation_alarm){.motion = picus_allocate(s->context, (size_t)s->system->nu, sizeof(double))};
  return a->motion ? picus_alternation_create(s, decay, &a->seen) : PICUS_ERROR_MEMORY;
}

void picus_alternation_alarm_release(stepper *s, alternation_alarm *a) {
  picus_alternation_release(&a->seen);
  picus_release(s->context, a->motion);
  *a = (alternation_alarm){0};
}

/* The velocity with the longest streak. */
static int longest_of(const alternation *seen, int nu) {
  int longest = 0;
  for (int i = 0; i < nu; i++)
    if (seen->streak[i] > seen->streak[longest]) longest = i;
  return longest;
}

static bool is_significant(const alternation_alarm *a, const stepper *s, const double *weight, int velocity) {
  double all = 0;
  for (int i = 0; i < s->system->nu; i++) all += weight[i] * (s->u[i] * s->u[i]);
  const double amplitude = 0.5 * a->seen.change[velocity];
  return weight[velocity] * amplitude * amplitude >= significant * significant * all;
}

/* 1/s: how fast forces damp the motion that alternates. */
static double damping_of(const alternation_alarm *a, stepper *s, const double *weight) {
  double rate;
  for (int i = 0; i < s->system->nu; i++) a->motion[i] = a->seen.streak[i] >= STREAK ? a->seen.change[i] : 0;
  return damping_rate(s, a->motion, weight, &rate) ? 0 : rate;
}

static bool is_examined(long step) { return step % (step < 2 * SOON ? SOON : LATER) < ROW; }

/* The first step after this one that is examined. */
static long next_examined(long step) {
  if (is_examined(step + 1)) return step + 1;
  const long soon = (step / SOON + 1) * SOON;
  return soon < 2 * SOON ? soon : (step / LATER + 1) * LATER;
}

picus_status picus_alternation_look(alternation_alarm *a, stepper *s, const double *weight, double dt, long step) {
  a->next = next_examined(step);
  if (s->system->nu == 0 || !is_examined(step)) return PICUS_OK;
  if (step == a->last + 1)
    picus_alternation_note(&a->seen);
  else
    picus_alternation_begin(&a->seen);
  a->last = step;
  if (a->seen.steps <= STREAK) return PICUS_OK; /* the first change alternates with none */
  const int velocity = longest_of(&a->seen, s->system->nu);
  if (a->seen.streak[velocity] != STREAK || !is_significant(a, s, weight, velocity)) return PICUS_OK;
  const double rate = damping_of(a, s, weight);
  if (rate * dt <= rate_resolved) return PICUS_OK;
  return picus_fail(
      s->context, PICUS_ERROR_STEP,
      "'%s' alternates from step to step at t = %.6g with an amplitude of %.3g that does not decay: "
      "dampers on it correspond to %.3g 1/s, and %s does not damp motion that its steps do not resolve; use dt "
      "below %.2g s, or the scheme moreau-jean with theta = 1",
      s->system->u_names[velocity].name, s->t, 0.5 * fabs(a->seen.change[velocity]), rate, s->scheme->description.name,
      rate_resolved / rate);
}
