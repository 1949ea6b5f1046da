/* Creating a simulation, stepping it, and looking at its state. */
#include "base/internal.h"
#include "base/tasks.h"
#include "contact/internal.h"
#include "options/table.h"
#include "scheme/internal.h"
#include "scheme/linear_motion.h"
#include "sim/internal.h"
#include "statics/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- the simulation ----------------------------------------------------------------------------------------------- */

#define HEAP_TOLERANCE 1e-7 /* default tolerance of contact problems with PICUS_MANY_LAWS laws or more [piles] */
#define HEAP_ACCEPTED 0.1   /* and the residual up to which a run continues */
#define CREEP_ACCEPTED 1e-6 /* the same of contacts that cannot all stick: bench/notes/auto.md */

picus_sim_options picus_default_sim_options(void) { return picus_option_defaults().sim; }

static const char *next_scheme(const void *user, int k) {
  (void)user;
  const picus_scheme_description *scheme = picus_scheme_at(k);
  return scheme ? scheme->name : NULL;
}

/* Defaults of an adaptive run: dt_min from dt, dt (for information) from dt_min, and dt_max from the system
 * (prepare_adaptive). */
static picus_sim_options complete(const picus_sim_options *options) {
  picus_sim_options o = *options;
  if (o.half_explicit.impact_substeps == 0) o.half_explicit.impact_substeps = 1;
  if (!o.adaptive) return o;
  if (o.dt_min == 0) o.dt_min = o.dt / 100;
  if (o.dt == 0) o.dt = o.dt_min;
  return o;
}

/* A step must change the time. */
static picus_status check_round_off(picus_context *context, const picus_sim_options *o, double t) {
  const double span = fabs(t), dt = o->adaptive ? o->dt_min : o->dt;
  if (!(span > 0) || span + dt != span) return PICUS_OK;
  return picus_fail(context, PICUS_ERROR_ARGUMENT,
                    "the step size %s = %g is below round-off at time %g; use a larger step",
                    o->adaptive ? "dt_min" : "dt", dt, span);
}

static picus_status check_times(picus_context *context, const picus_sim_options *o) {
  if (o->dt == 0)
    return picus_fail(context, PICUS_ERROR_ARGUMENT,
                      "no step size is given; set dt in simulate { ... } of the model, with --dt, or in the options");
  if (!(o->dt > 0) || !isfinite(o->dt))
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "the step size dt = %g must be a positive number", o->dt);
  if (!isfinite(o->t_start) || !isfinite(o->t_end))
    return picus_fail(context, PICUS_ERROR_NUMBER, "t_start = %g and t_end = %g must be finite", o->t_start, o->t_end);
  if (o->t_end < o->t_start)
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "t_end = %g is before t_start = %g", o->t_end, o->t_start);
  return check_round_off(context, o, fmax(fabs(o->t_start), fabs(o->t_end)));
}

static picus_status check_adaptive(picus_context *context, const picus_sim_options *o) {
  if (o->dt_min > 0 && (o->dt_max == 0 || o->dt_min <= o->dt_max)) return PICUS_OK;
  return picus_fail(context, PICUS_ERROR_ARGUMENT,
                    "the steps of an adaptive run need 0 < dt_min <= dt_max, not dt_min = %g and dt_max = %g",
                    o->dt_min, o->dt_max);
}

static picus_status check_gap_term(picus_context *context, const picus_sim_options *o) {
  const scheme_ops *scheme = picus_scheme_find(o->scheme);
  if (!o->gap_term) return PICUS_OK;
  if (o->adaptive)
    return picus_fail(context, PICUS_ERROR_UNSUPPORTED,
                      "an adaptive run locates its impacts and has no gap term; omit gap_term, or use fixed steps");
  if (scheme->has_gap_term) return PICUS_OK;
  return picus_fail(context, PICUS_ERROR_UNSUPPORTED,
                    "the scheme '%s' %s, so gap_term does not apply to it; omit gap_term, or use moreau, "
                    "moreau-explicit or moreau-jean",
                    o->scheme, scheme->velocity_level ? "works with contact forces" : "keeps gaps at position level");
}

static picus_status check_sleep(picus_context *context, const picus_sim_options *o) {
  if (!o->sleep || (!o->adaptive && picus_scheme_find(o->scheme)->has_sleep)) return PICUS_OK;
  return picus_fail(context, PICUS_ERROR_UNSUPPORTED,
                    "bodies sleep with the schemes moreau and moreau-explicit and fixed steps only; omit sleep");
}

static picus_status check_options(picus_context *context, const picus_sim_options *o) {
  picus_status status = check_times(context, o);
  if (!status) status = picus_options_check(context, &(picus_run_options){.sim = *o}, false);
  if (!status) status = picus_tableau_check(context, &o->half_explicit.tableau);
  if (!status && o->adaptive) status = check_adaptive(context, o);
  if (status) return status;
  double span = fmax(fabs(o->t_start), fabs(o->t_end));
  if (o->sample > 0 && span + o->sample == span && span > 0)
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "sample = %g is below round-off at time %g; use a larger one",
                      o->sample, span);
  if (!o->scheme || !picus_scheme_find(o->scheme)) {
    const char *name = o->scheme ? o->scheme : "";
    const char *nearest = picus_nearest_name(name, next_scheme, NULL);
    return picus_fail(context, PICUS_ERROR_NAME, "there is no scheme '%s'; did you mean '%s'?", name,
                      nearest ? nearest : next_scheme(NULL, 0));
  }
  if (o->adaptive && picus_scheme_find(o->scheme)->order == 0)
    return picus_fail(context, PICUS_ERROR_UNSUPPORTED,
                      "the scheme '%s' %s; use another scheme for an adaptive run, such as moreau", o->scheme,
                      picus_scheme_find(o->scheme)->not_adaptive);
  status = check_gap_term(context, o);
  return status ? status : check_sleep(context, o);
}

/* Larger steps of a scheme are certain to be unstable in a part; INFINITY: no limit. */
static double stability_limit(const scheme_ops *scheme, const picus_half_explicit_options *options,
                              const system_part *part) {
  if (part->fastest_stiffness == 0) return INFINITY;
  return picus_oscillator_limit(scheme, picus_tableau_of(options), part->fastest_stiffness, part->fastest_damping,
                                PICUS_GROWTH_CERTAIN);
}

/* A contact with an initial gap below 0 by more than round-off. */
static bool starts_inside(picus_context *context, const picus_system *system, double t_start) {
  picus_evaluation *e = NULL;
  double *q = picus_allocate(context, (size_t)system->nq, sizeof *q);
  double *u = picus_allocate(context, (size_t)system->nu, sizeof *u);
  double *gap = picus_allocate(context, (size_t)system->fixed.law_count, sizeof *gap);
  bool is_inside = false;
  if (q && u && gap && !picus_evaluation_create(context, system, &e)) {
    picus_system_start(system, q, u);
    picus_evaluation_start_inputs(e, t_start);
    picus_evaluation_set_point(e, t_start, q, u);
    bool is_known = !picus_evaluate_gaps(e, gap);
    for (int i = 0; is_known && i < system->fixed.law_count; i++)
      is_inside = is_inside || (picus_law_can_open(&system->fixed.laws[i].data) && gap[i] < -1e-12);
  }
  picus_evaluation_destroy(e);
  picus_release(context, gap);
  picus_release(context, u);
  picus_release(context, q);
  return is_inside;
}

const char *picus_adaptive_scheme(picus_context *context, const picus_system *system, double t_start) {
  for (int p = 0; p < system->part_count; p++)
    if (system->parts[p].fastest_stiffness > 0) return picus_moreau_jean_scheme.description.name;
  const scheme_ops *base = starts_inside(context, system, t_start) ? &picus_moreau_scheme : &picus_rattle_scheme;
  return base->description.name;
}

/* Rejects a step size that is certain to be unstable. */
static picus_status check_stability(picus_context *context, const picus_system *system, const scheme_ops *scheme,
                                    const picus_sim_options *options) {
  const double dt = options->adaptive ? options->dt_min : options->dt;
  for (int p = 0; p < system->part_count; p++) {
    const system_part *part = &system->parts[p];
    const double limit = stability_limit(scheme, &options->half_explicit, part);
    if (dt <= limit) continue;
    const char *name = system->q_names[part->q0].name;
    return picus_fail(context, PICUS_ERROR_ARGUMENT,
                      "the step size dt = %g exceeds the stability limit of the explicit scheme '%s' for the flexible "
                      "component '%.*s', about %.3g s; use a smaller step, or an implicit scheme such as moreau-jean",
                      dt, scheme->description.name, (int)strcspn(name, "."), name, limit);
  }
  return PICUS_OK;
}

void picus_sim_watch_contacts(picus_sim *sim, picus_contact_watch_fn watch, void *user) {
  sim->stepper.contacts.watch = watch;
  sim->stepper.contacts.watch_user = user;
}

void picus_sim_watch_decisions(picus_sim *sim, picus_decision_fn watch, void *user) {
  sim->driver.watch = watch;
  sim->driver.watch_user = user;
}

const char *picus_decision_name(int kind) {
  static const char *const names[] = {[PICUS_DECISION_SMOOTH] = "smooth",
                                      [PICUS_DECISION_INACCURATE] = "inaccurate",
                                      [PICUS_DECISION_DETECTED] = "detected",
                                      [PICUS_DECISION_RESOLVED] = "resolved",
                                      [PICUS_DECISION_FAILED] = "failed"};
  return kind >= 0 && kind <= PICUS_DECISION_FAILED ? names[kind] : NULL;
}

static picus_status find_dt_max(picus_sim *sim) {
  picus_sim_options *o = &sim->options;
  if (o->dt_max > 0) return PICUS_OK;
  picus_status status = picus_default_dt_max(sim->context, sim->system, o->t_start, o->t_end, &o->dt_max);
  o->dt_max = fmax(o->dt_max, o->dt_min);
  return status;
}

static picus_status prepare_adaptive(picus_sim *sim) {
  const picus_sim_options *o = &sim->options;
  stepper *s = &sim->stepper;
  sim->q_inside = picus_allocate(sim->context, (size_t)sim->system->nq, sizeof(double));
  sim->u_inside = picus_allocate(sim->context, (size_t)sim->system->nu, sizeof(double));
  sim->stops = picus_allocate(sim->context, (size_t)sim->system->stop_count + 1, sizeof(double));
  if (!sim->q_inside || !sim->u_inside || !sim->stops) return PICUS_ERROR_MEMORY;
  s->contacts.keep_doubtful_modes = true;
  s->contacts.closed_slack = s->scheme->velocity_level ? INFINITY : o->atol;
  s->contacts.gap_accuracy = s->contacts.velocity_accuracy.atol = o->atol;
  s->contacts.velocity_accuracy.rtol = o->rtol;
  picus_status status = picus_stepper_keep_rounding(s);
  if (!status) status = picus_stepper_limit_restitution(s, o->restitution, o->dt_min);
  if (!status) status = find_dt_max(sim);
  if (!status) status = picus_driver_create(s, o, &sim->driver);
  return status ? status : picus_interpolation_create(&sim->driver.extrapolation, &sim->interpolation);
}

static bool chooses_solver(const picus_sim_options *options) { return strcmp(options->solver.solver, "auto") == 0; }

/* Where thousands of contacts come and go, a run accepts percussions that are not quite exact. Fixed steps at
 * velocity level also do so where tens of contacts cannot all stick; see docs/solvers.md. */
static void accept_granular(picus_sim *sim) {
  picus_solver_options *o = &sim->options.solver;
  const bool by_default = o->tolerance == picus_default_solver_options().tolerance;
  if (!(o->heap_tolerance > 0)) o->heap_tolerance = by_default ? HEAP_TOLERANCE : o->tolerance;
  const bool creeps = sim->stepper.scheme->velocity_level && !sim->options.adaptive; /* others promise more */
  const picus_many many = {o->heap_tolerance, HEAP_ACCEPTED, creeps ? CREEP_ACCEPTED : 0};
  picus_solver_set_many(sim->stepper.contacts.solver, many);
}

/* Nobody sets an option for nothing. */
static void tell_ignored(picus_context *context, const picus_sim_options *options) {
  const picus_run_options all = {.sim = *options};
  for (int k = 0; k < PICUS_OPTION_TOTAL; k++)
    if (!picus_option_applies(k, options) && !picus_option_is_default(&all, k)) picus_option_tell_ignored(context, k);
}

picus_status picus_sim_create(picus_context *context, const picus_system *system, const picus_sim_options *given,
                              picus_sim **out) {
  *out = NULL;
  picus_sim_options completed = complete(given);
  const picus_sim_options *options = &completed;
  picus_status status = check_options(context, options);
  if (!status) status = check_stability(context, system, picus_scheme_find(options->scheme), options);
  if (status) return status;
  picus_sim *sim = picus_allocate(context, 1, sizeof *sim);
  if (!sim) return PICUS_ERROR_MEMORY;
  sim->context = context;
  sim->system = system;
  sim->options = *options;
  if (options->solver.accept_residual < 0) sim->options.solver.accept_residual = system->appears ? 1e-8 : 0;
  const scheme_ops *scheme = picus_scheme_of(options);
  sim->options.scheme = scheme->description.name;
  sim->inputs = picus_allocate(context, (size_t)system->input_count, sizeof *sim->inputs);
  for (int i = 0; sim->inputs && i < system->input_count; i++)
    sim->inputs[i] = (input_value){system->inputs[i].start, system->inputs[i].rate, options->t_start};
  status = sim->inputs ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (!status) status = picus_stepper_create(context, system, scheme, &sim->options, &sim->stepper);
  if (!status && system->appears && options->solver.accept_residual < 0 && chooses_solver(options))
    accept_granular(sim);
  if (!status && options->start_impact)
    status = picus_stepper_start_impact(&sim->stepper, &sim->options.solver,
                                        options->adaptive ? options->dt_min : options->dt);
  const law_array arrays[] = {picus_scratch(&sim->velocities, sizeof(double), picus_by_row),
                              picus_scratch(&sim->gaps, sizeof(double), picus_by_law),
                              picus_scratch(&sim->laws, sizeof *sim->laws, picus_by_law)};
  if (!status) status = picus_law_arrays_add(&sim->stepper.arrays, sizeof arrays / sizeof arrays[0], arrays);
  if (!status && system->appears)
    status =
        picus_law_arrays_add_one(&sim->stepper.arrays, picus_scratch(&sim->places, sizeof *sim->places, picus_by_law));
  if (!status && options->adaptive) status = prepare_adaptive(sim);
  if (!status) status = picus_controls_create(sim);
  if (status) {
    picus_sim_destroy(sim);
    return status;
  }
  sim->options.solver.solver = picus_solver_find(options->solver.solver)->name; /* outlives the caller's text */
  tell_ignored(context, &sim->options);
  *out = sim;
  return PICUS_OK;
}

void picus_sim_destroy(picus_sim *sim) {
  if (!sim) return;
  picus_interpolation_release(&sim->interpolation);
  picus_driver_release(&sim->driver);
  picus_release(sim->context, sim->q_inside);
  picus_release(sim->context, sim->u_inside);
  picus_release(sim->context, sim->stops);
  picus_controls_release_sim(sim);
  picus_stepper_release(&sim->stepper);
  picus_release(sim->context, sim->inputs);
  picus_sim_drop_saved_run(sim);
  picus_release(sim->context, sim);
}

const picus_sim_options *picus_sim_options_of(const picus_sim *sim) { return &sim->options; }
const picus_system *picus_sim_system(const picus_sim *sim) { return sim->system; }

picus_status picus_sim_fail_running(picus_sim *sim) {
  return picus_fail(sim->context, PICUS_ERROR_ARGUMENT,
                    "a function that a run calls cannot change the state of the simulation; set inputs instead");
}

picus_status picus_sim_set_state(picus_sim *sim, double t, const double *q, const double *u) {
  if (!isfinite(t)) return picus_fail(sim->context, PICUS_ERROR_NUMBER, "the time of a state must be a finite number");
  if (sim->is_running) return picus_sim_fail_running(sim);
  picus_status status = check_round_off(sim->context, &sim->options, t);
  if (!status) status = picus_system_check_state(sim->context, sim->system, q, u);
  if (status) return status;
  if (picus_stepper_is_at(&sim->stepper, t, q, u)) return PICUS_OK; /* no change: the data of the last step stay */
  const double t_before = sim->stepper.t;
  picus_sim_drop_saved_run(sim);
  picus_stepper_restart(&sim->stepper, t, q, u);
  picus_sim_move_inputs(sim, t_before);
  sim->driver.stops = NULL; /* adaptive steps start again */
  sim->was_loaded = false;
  sim->has_stepped = false;
  sim->step_dt = 0;
  sim->step_order = 0;
  picus_controls_begin(sim);
  return PICUS_OK;
}

picus_state picus_sim_state(const picus_sim *sim) {
  return (picus_state){sim->stepper.t, sim->system->nq, sim->system->nu, sim->stepper.q, sim->stepper.u};
}

picus_status picus_sim_set_end(picus_sim *sim, double t_end) {
  if (sim->is_running) return picus_sim_fail_running(sim);
  if (!isfinite(t_end))
    return picus_fail(sim->context, PICUS_ERROR_NUMBER, "the end of a run must be a finite number, not %g", t_end);
  if (t_end < sim->stepper.t)
    return picus_fail(sim->context, PICUS_ERROR_ARGUMENT, "t_end = %g is before the current time %g", t_end,
                      sim->stepper.t);
  picus_status status = check_round_off(sim->context, &sim->options, t_end);
  if (!status) sim->options.t_end = t_end;
  return status;
}

static void add_forces(const stepper *s, int i, picus_law_state *state) {
  const contact_forces forces = picus_stepper_forces(s);
  const picus_system_law *law = &s->set->laws[i].data;
  for (int k = 0; k < law->dim; k++) {
    state->force_begin[k] = forces.begin[law->first_row + k];
    state->force_end[k] = forces.end[law->first_row + k];
    state->impulse[k] = forces.impulse[law->first_row + k];
  }
  state->dissipated_by_impulses = forces.impulse_loss[i];
}

/* Field by field: clearing the whole struct at once takes half of the time of a recorded row. */
static void find_state(const picus_sim *sim, int i, picus_law_state *state) {
  const stepper *s = &sim->stepper;
  const picus_system_law *law = &s->set->laws[i].data;
  int row = law->first_row;
  const bool has_normal = picus_normal_rows(law->kind) > 0;
  state->gap = sim->gaps[i];
  state->normal_velocity = has_normal ? sim->velocities[row] : 0;
  state->PN = has_normal ? s->contacts.P[row++] : 0;
  for (int k = 0; k < 3; k++) {
    state->slip[k] = k < law->slips ? sim->velocities[row + k] : 0;
    state->PF[k] = k < law->slips ? s->contacts.P[row + k] : 0;
  }
  state->mode = s->contacts.modes[i];
  state->dissipated = s->contacts.dissipated[i];
  state->driven = s->contacts.driven[i];
  for (int k = 0; k < 4; k++) state->force_begin[k] = state->force_end[k] = state->impulse[k] = 0;
  state->dissipated_by_impulses = 0;
  state->impacts = (long)s->contacts.history.impacts[i];
  state->chatter = (long)s->contacts.history.chatter[i];
  if (s->has_forces) add_forces(s, i, state);
}

typedef struct state_work {
  picus_sim *sim;
  picus_law_state *states;
} state_work;
static void find_range(void *user, int first, int end) {
  const state_work *work = user;
  for (int i = first; i < end; i++) find_state(work->sim, i, &work->states[i]);
}

/* The first count laws. */
static picus_status find_states(picus_sim *sim, int count, picus_law_state *states) {
  stepper *s = &sim->stepper;
  picus_evaluation_set_point(s->evaluation, s->t, s->q, s->u);
  picus_status status = picus_evaluate_gaps(s->evaluation, sim->gaps);
  if (!status) status = picus_evaluate_velocities(s->evaluation, sim->velocities);
  if (status) return status;
  state_work work = {sim, states};
  return picus_tasks_over(sim->context, count, PICUS_TASK_OF_ROWS, find_range, &work);
}

picus_status picus_sim_laws(picus_sim *sim, picus_law_state *states) {
  return find_states(sim, sim->system->fixed.law_count, states);
}

picus_status picus_sim_find_forces(picus_sim *sim, double *force, picus_mode *modes) {
  if (sim->is_running) return picus_sim_fail_running(sim);
  if (!sim->has_stepped) return picus_stepper_find_forces(&sim->stepper, &sim->options.solver, force, modes);
  return picus_fail(
      sim->context, PICUS_ERROR_UNSUPPORTED,
      "forces are available only at the start of a run; picus_sim_laws returns the forces of the last step");
}

int picus_sim_present_count(const picus_sim *sim) { return sim->stepper.set->law_count; }

picus_present_law picus_sim_present_law(const picus_sim *sim, int law) {
  const law_set *set = sim->stepper.set;
  if (law < 0 || law >= set->law_count) return (picus_present_law){.law.name = "", .source = -1};
  const bool is_fixed = law < set->fixed_count;
  return (picus_present_law){.law = set->laws[law].data,
                             .is_fixed = is_fixed,
                             .source = is_fixed ? -1 : set->laws[law].source,
                             .key = is_fixed ? (uint64_t)law : set->laws[law].key};
}

picus_status picus_sim_present_laws(picus_sim *sim, picus_law_state *states) {
  return find_states(sim, sim->stepper.set->law_count, states);
}

picus_vanished_laws picus_sim_vanished_laws(const picus_sim *sim) {
  const law_totals *gone = &sim->stepper.contacts.history.gone;
  return (picus_vanished_laws){gone->dissipated, gone->driven, (long)gone->impacts, (long)gone->chatter};
}

/* States to which an adaptive run may return keep their laws. */
picus_status picus_sim_find_laws(picus_sim *sim, double dt) {
  stepper *s = &sim->stepper;
  const law_search search = {.t = s->t,
                             .q = s->q,
                             .u = s->u,
                             .dt = dt > 0 ? dt : sim->options.dt,
                             .kept = (const stepper_snapshot *const *)s->snapshots,
                             .kept_count = sim->options.adaptive ? (int)s->snapshot_count : 0};
  return picus_stepper_find_laws(s, &search);
}

double picus_sim_work(const picus_sim *sim, int index) {
  return index >= 0 && index < sim->system->work_count ? sim->stepper.works.work[index] : NAN;
}

picus_status picus_sim_energy(picus_sim *sim, double *kinetic, double *potential) {
  stepper *s = &sim->stepper;
  picus_evaluation_set_point(s->evaluation, s->t, s->q, s->u);
  return picus_evaluate_energy(s->evaluation, kinetic, potential);
}

picus_status picus_sim_step(picus_sim *sim, double dt, picus_step_info *info) {
  if (sim->is_running) return picus_sim_fail_running(sim);
  picus_sim_drop_saved_run(sim);
  if (dt == 0) dt = sim->options.dt;
  if (!(dt > 0) || !isfinite(dt))
    return picus_fail(sim->context, PICUS_ERROR_ARGUMENT, "the step size dt = %g must be a positive number", dt);
  if (sim->stepper.t + dt == sim->stepper.t)
    return picus_fail(sim->context, PICUS_ERROR_ARGUMENT,
                      "the step size dt = %g is below round-off at time %g; use a larger step", dt, sim->stepper.t);
  picus_step_info unread;
  const double t_before = sim->stepper.t;
  picus_status status = picus_sim_make_step(sim, dt, info ? info : &unread);
  if (status || !sim->system->controls) return status;
  controls_result unseen;
  return picus_controls_act(sim, t_before, &(controls_step){.dt = dt}, &unseen);
}

/* --- single adaptive steps ---------------------------------------------------------------------------------------- */

/* For a program that makes the steps itself. */

static int compare_times(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

#define SAME_TIME 1e-14 /* times that differ by this part are equal, but for round-off */

static bool is_same_time(double a, double b) { return fabs(a - b) <= SAME_TIME * fmax(fabs(a), fabs(b)); }

/* Both are sorted; a new time that is one of the others, but for round-off, is left out. Returns the number. */
static int merge_times(int count, const double *others, int more, const double *times, double *out) {
  int made = 0, i = 0;
  for (int k = 0; k < more; k++) {
    while (i < count && others[i] < times[k]) out[made++] = others[i++];
    const bool is_known =
        (made > 0 && is_same_time(out[made - 1], times[k])) || (i < count && is_same_time(others[i], times[k]));
    if (!is_known) out[made++] = times[k];
  }
  while (i < count) out[made++] = others[i++];
  return made;
}

/* Adds kinks of inputs and times of samples after a time, up to the last stop. */
static picus_status add_stops(const picus_sim *sim, double after, double **stops, int *count) {
  const double last = (*stops)[*count - 1];
  const int kinks = sim->options.adaptive ? picus_system_kink_times(sim->system, after, last, NULL) : 0;
  const int more = kinks + picus_controls_times(sim, after, last, NULL);
  if (more - kinks >= PICUS_SAMPLES_MOST)
    return picus_fail(sim->context, PICUS_ERROR_ARGUMENT,
                      "states are sampled more than %d times until t = %g s; increase 'every', or end earlier",
                      PICUS_SAMPLES_MOST, last);
  if (more == 0) return PICUS_OK;
  double *times = picus_allocate(sim->context, (size_t)more, sizeof *times);
  const size_t others = picus_larger_size((size_t)*count, (size_t)sim->system->stop_count + 1);
  double *all = picus_allocate(sim->context, (size_t)more + others, sizeof *all);
  const picus_status status = times && all ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (!status) {
    if (kinks) picus_system_kink_times(sim->system, after, last, times);
    picus_controls_times(sim, after, last, times + kinks);
    qsort(times, (size_t)more, sizeof *times, compare_times);
    *count = merge_times(*count, *stops, more, times, all);
  }
  picus_release(sim->context, times);
  picus_release(sim->context, status ? all : *stops);
  if (!status) *stops = all;
  return status;
}

picus_status picus_sim_collect_stops(const picus_sim *sim, double last, double **stops, int given, int *count) {
  double *times = *stops;
  int kept = 0;
  for (int i = 0; i < sim->system->stop_count; i++) times[given++] = sim->system->stop_times[i];
  for (int i = 0; i < given; i++)
    if (times[i] > sim->stepper.t && times[i] < last) times[kept++] = times[i];
  qsort(times, (size_t)kept, sizeof *times, compare_times);
  times[kept] = last;
  *count = kept + 1;
  return add_stops(sim, sim->stepper.t, stops, count);
}

/* The driver continues from the end of the step it returned last, or begins at another state. */
static picus_status prepare_driver(picus_sim *sim, double t_stop) {
  driver *d = &sim->driver;
  const bool continues = d->stops == sim->stops && picus_driver_is_at(d, &sim->stepper);
  const bool same_stop = continues && sim->stops[d->stop_count - 1] == t_stop;
  if (same_stop) return PICUS_OK;
  int count;
  picus_status status = picus_sim_collect_stops(sim, t_stop, &sim->stops, 0, &count);
  if (status) return status;
  if (sim->was_loaded && picus_driver_is_at(d, &sim->stepper)) { /* a checkpoint */
    sim->was_loaded = false;
    picus_driver_resume(d, sim->stops, count);
    return PICUS_OK;
  }
  if (!continues) return picus_driver_begin(d, sim->stops, count);
  d->stops = sim->stops;
  d->stop_count = count;
  d->is_stale = true;
  return PICUS_OK;
}

picus_status picus_sim_advance(picus_sim *sim, double t_stop, picus_step_info *info) {
  if (sim->is_running) return picus_sim_fail_running(sim);
  if (!sim->options.adaptive)
    return picus_fail(sim->context, PICUS_ERROR_ARGUMENT,
                      "picus_sim_advance needs an adaptive simulation; set adaptive in its options, or use "
                      "picus_sim_step");
  if (!(t_stop > sim->stepper.t) || !isfinite(t_stop))
    return picus_fail(sim->context, PICUS_ERROR_ARGUMENT, "the stop time %g must be finite and after t = %.9g", t_stop,
                      sim->stepper.t);
  const driven_step *step, *before;
  picus_sim_drop_saved_run(sim);
  picus_status status = prepare_driver(sim, t_stop);
  if (!status) status = picus_driver_next(&sim->driver, &step, &before);
  if (status) return status;
  sim->has_stepped = true;
  sim->step_dt = step->step.info.dt;
  sim->step_order = step->step.info.order;
  if (info) *info = step->step.info;
  if (!sim->system->controls) return PICUS_OK;
  controls_result unread;
  return picus_controls_act(sim, before->end.t, &(controls_step){sim->step_dt, true}, &unread);
}
