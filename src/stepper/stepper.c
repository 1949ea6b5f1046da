/* Memory of a stepper: everything a step needs is allocated here, and where laws come and go in present_laws.c; nothing
 * in a step. */
#include "stepper/impacts.h"

#include "base/internal.h"
#include "statics/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define GOAL_SHARE 0.01              /* of the tolerance of a step, for the residual of each of its substeps */
#define GOAL_LEAST (8 * DBL_EPSILON) /* round-off of the terms of a balance */

/* The tolerances that the Newton iterations of a run aim for. With fixed steps, the options give them. In adaptive runs
 * they are a small share of the tolerance of a step, as far as round-off allows: extrapolation multiplies the residuals
 * of substeps, and its estimate takes them for errors that shorter steps do not reduce. */
static newton_goal newton_goal_of(const picus_sim_options *o) {
  const newton_goal by_options = {o->implicit.newton_tolerance, o->implicit.projection_tolerance};
  if (!o->adaptive) return by_options;
  const double tolerance = o->rtol > 0 ? fmin(o->atol, o->rtol) : o->atol;
  return (newton_goal){.balance = fmin(by_options.balance, fmax(GOAL_SHARE * tolerance, GOAL_LEAST)),
                       .gap = fmin(by_options.gap, GOAL_SHARE * o->atol)};
}

/* Arrays of the state, and arrays that follow the laws. */
static picus_status allocate_state(stepper *s) {
  const size_t nq = (size_t)s->system->nq, nu = (size_t)s->system->nu, unit = sizeof(double);
  contact_state *state = &s->contacts;
  const law_array carried[] = {
      picus_carried_by_row(&state->P, 1), picus_carried_by_law(&state->modes, sizeof *state->modes, 0),
      picus_carried_by_law(&state->dissipated, unit, 0), picus_carried_by_law(&state->driven, unit, 0),
      picus_carried_by_law(&state->gap_rounding, unit, 0)};
  picus_status status = PICUS_FIXED(&s->arrays, unit, nq, &s->q, &s->q_next, &s->rate, &s->q_change);
  if (!status) status = PICUS_FIXED(&s->arrays, unit, nu, &s->u, &s->u_next, &s->u_free, &s->h);
  if (!status) status = PICUS_FIXED(&s->arrays, unit, (size_t)s->system->part_count, &s->largest);
  if (!status) status = picus_law_arrays_add(&s->arrays, sizeof carried / sizeof carried[0], carried);
  if (!status) status = PICUS_SCRATCH(&s->arrays, unit, picus_by_law, &state->usual_gap, &s->gap, &s->gap_begin);
  if (!status)
    status = picus_law_arrays_add_one(&s->arrays,
                                      s->system->varies /* between steps as well */
                                          ? picus_carried_by_row(&state->row_restitution, 1)
                                          : picus_scratch(&state->row_restitution, sizeof(double), picus_by_row));
  if (!status) status = picus_varying_create(state);
  if (status) return status;
  picus_stepper_fill_laws(s);
  return picus_impacts_create(s);
}

void picus_stepper_fill_laws(stepper *s) {
  s->contacts.has_joints = false;
  s->contacts.open_gap = 0;
  for (int i = 0; i < s->set->law_count; i++) {
    const picus_system_law *law = &s->set->laws[i].data;
    s->contacts.has_joints |= law->kind == PICUS_BILATERAL && law->has_gap;
    s->contacts.usual_gap[i] = picus_law_can_open(law) ? s->set->laws[i].slack : INFINITY;
    s->contacts.open_gap = picus_larger(s->contacts.open_gap, s->contacts.usual_gap[i]);
    picus_impact_set_restitution(&s->contacts, i, law->eN, law->eF);
  }
  picus_varying_reset(&s->contacts);
}

/* The set of the stepper: that of the system, or its own if laws come and go. */
static picus_status choose_laws(stepper *s) {
  s->set = &s->system->fixed;
  picus_status status = PICUS_OK;
  if (s->system->appears) {
    status = picus_changing_set_create(s->context, s->system, &s->laws);
    if (!status) status = picus_changing_set_create(s->context, s->system, &s->next);
    s->laws.set.by_factors = s->next.set.by_factors = s->scheme->by_factors;
    s->set = &s->laws.set;
  }
  picus_law_arrays_begin(s->context, s->set, &s->arrays);
  if (!status && s->system->appears)
    status = PICUS_SCRATCH(&s->arrays, sizeof *s->law_from, picus_by_law, &s->law_from);
  s->contacts =
      (contact_state){.context = s->context, .set = s->set, .arrays = &s->arrays, .adheres = s->system->adheres};
  return status;
}

/* An evaluation whose laws are those of the stepper, and whose arrays follow them. */
static picus_status create_evaluation(stepper *s, picus_evaluation **out) {
  picus_status status = picus_evaluation_create(s->context, s->system, out);
  if (status) return status;
  s->evaluations[s->evaluation_count++] = *out;
  if (!s->system->appears) return status;
  (*out)->set = s->set;
  const law_array arrays[] = {{.place = &(*out)->W, sizeof(double), picus_by_W, .lent = true},
                              {.place = &(*out)->chi, sizeof(double), picus_by_row, .lent = true},
                              {.place = &(*out)->law_slopes, sizeof(double), picus_by_slope, .lent = true}};
  return picus_law_arrays_add(&s->arrays, sizeof arrays / sizeof arrays[0], arrays);
}

static void set_idle_modes(stepper *s) {
  for (int i = 0; i < s->set->law_count; i++) s->contacts.modes[i] = picus_law_idle_mode(&s->set->laws[i].data);
}

/* The solver learns how many constraints depend on others. */
static picus_status find_dependent(stepper *s) {
  picus_dependent found;
  picus_status status = picus_system_count_dependent(s->context, s->system, s->t, s->q, s->u, &found);
  if (status) return status;
  s->contacts.dependent = s->contacts.unjudged = found.dependent > 0;
  picus_solver_set_dependent(s->contacts.solver, found.constraints, found.dependent);
  if (s->contacts.dependent && s->contacts.has_loaded)
    return picus_fail(
        s->context, PICUS_ERROR_UNSUPPORTED,
        "%d of the constraints depend on others, so that the forces in joints are not unique, but friction "
        "of joints needs them; remove redundant constraints, or this friction",
        found.dependent);
  return PICUS_OK;
}

/* Schemes at position level open a contact by its gap alone, which says nothing of a force that holds it. */
static picus_status check_adhesion(const stepper *s, const picus_sim_options *options) {
  if (!s->system->adheres) return PICUS_OK;
  if (s->scheme->has_adhesion && !options->gap_term) return PICUS_OK;
  return picus_fail(s->context, PICUS_ERROR_UNSUPPORTED,
                    "contacts of the model have adhesion, which %s%s%s does not support; use moreau, moreau-explicit, "
                    "moreau-jean, rattle or half-explicit",
                    options->gap_term ? "the gap term" : "the scheme '",
                    options->gap_term ? "" : s->scheme->description.name, options->gap_term ? "" : "'");
}

picus_status picus_stepper_create(picus_context *context, const picus_system *system, const scheme_ops *scheme,
                                  const picus_sim_options *options, stepper *s) {
  *s = (stepper){.context = context,
                 .system = system,
                 .scheme = scheme,
                 .has_forces = scheme->description.forces,
                 .theta = options->theta,
                 .options = options->implicit,
                 .newton_goal = newton_goal_of(options),
                 .half_explicit = options->half_explicit};
  picus_status status = choose_laws(s);
  if (!status) status = check_adhesion(s, options);
  if (!status)
    status = picus_impact_laws_create(&s->contacts, options,
                                      s->scheme->has_impact_laws ? NULL : s->scheme->description.name);
  if (!status) status = allocate_state(s);
  if (!status) status = picus_stepper_create_sides(s, options->adaptive);
  for (int i = 0; !status && i < system->fixed.law_count; i++)
    s->has_preloads = s->has_preloads || system->fixed.laws[i].data.displaced;
  if (!status) status = picus_step_problem_create(&s->contacts, &s->problem);
  if (!status && options->gap_term) status = picus_gap_term_create(s);
  if (!status) status = create_evaluation(s, &s->evaluation);
  if (!status) status = picus_evaluation_request(s->evaluation, scheme->jacobians);
  if (!status) status = picus_solver_create(context, &options->solver, &s->contacts.solver);
  if (status) return status;
  picus_solver_trust(s->contacts.solver);
  s->t = options->t_start;
  picus_system_start(system, s->q, s->u);
  set_idle_modes(s);
  if ((status = find_dependent(s))) return status;
  status = picus_solver_reserve(s->contacts.solver, s->set->law_count, s->set->row_count);
  if (status) return status;
  picus_evaluation_start_inputs(s->evaluation, s->t);
  picus_evaluation_set_point(s->evaluation, s->t, s->q, s->u);
  if ((status = picus_works_create(s))) return status;
  s->judged.directions = s->evaluation;
  s->judged.u_begin = s->u;
  s->judged.u_free = s->u_free;
  if (scheme->create) status = scheme->create(s);
  if (!status && options->sleep) status = picus_sleep_create(s);
  s->attended =
      s->contacts.dependent || s->has_times || s->counts_switches || s->works.count > 0 || system->quaternion_count > 0;
  s->request = (contact_request){.directions = s->evaluation,
                                 .matrix = &s->evaluation->mass,
                                 .symmetric = true,
                                 .u_begin = s->u,
                                 .u_free = s->u_free,
                                 .restores = true,
                                 .friction.share = 0.5, /* symmetric, as the rule of the midpoint */
                                 .joining = {picus_step_join_solved, s}};
  return !status && !options->adaptive ? picus_redetection_create(s) : status;
}

picus_status picus_stepper_add_evaluation(stepper *s, picus_evaluation **out) {
  picus_status status = create_evaluation(s, out);
  if (!status) picus_evaluation_follow(s->evaluation, *out);
  return status;
}

void picus_stepper_set_inputs(stepper *s, const input_value *inputs) {
  picus_evaluation_set_inputs(s->evaluation, inputs);
  picus_stepper_forget_guess(s);
}

void picus_stepper_release(stepper *s) {
  if (!s->context) return;
  if (s->scheme->release) s->scheme->release(s);
  for (int i = 0; i < s->evaluation_count; i++) picus_evaluation_destroy(s->evaluations[i]);
  picus_solver_destroy(s->contacts.solver);
  picus_law_arrays_release(&s->arrays); /* with its snapshots */
  picus_changing_set_release(&s->laws);
  picus_changing_set_release(&s->next);
  *s = (stepper){0};
}

picus_status picus_stepper_remember_laws(stepper *s, int per_row, int per_law) {
  s->remembered_per_row = per_row;
  s->remembered_per_law = per_law;
  return picus_law_arrays_add_one(
      &s->arrays,
      (law_array){.place = &s->law_memory, .unit = sizeof(double), .row_blocks = per_row, .law_blocks = per_law});
}

/* Bit by bit: 0 and -0 differ, and a number that is none equals itself. */
static bool same_bits(const double *a, const double *b, int count) {
  return memcmp((const unsigned char *)a, (const unsigned char *)b, (size_t)count * sizeof *a) == 0;
}

bool picus_stepper_is_at(const stepper *s, double t, const double *q, const double *u) {
  return same_bits(&t, &s->t, 1) && same_bits(q, s->q, s->system->nq) && same_bits(u, s->u, s->system->nu);
}

static void zero(double *values, size_t count) {
  if (values) memset(values, 0, count * sizeof *values);
}

static size_t laws_of(const stepper *s) { return (size_t)s->set->law_count; }
static size_t rows_of(const stepper *s) { return (size_t)s->set->row_count; }
void picus_stepper_restart(stepper *s, double t, const double *q, const double *u) {
  const size_t nq = (size_t)s->system->nq;
  picus_stepper_forget_laws(s);
  s->t = t;
  memcpy(s->q, q, nq * sizeof *q);
  memcpy(s->u, u, (size_t)s->system->nu * sizeof *u);
  s->contacts.unjudged = s->contacts.dependent;
  zero(s->contacts.P, rows_of(s));
  zero(s->contacts.dissipated, laws_of(s));
  zero(s->contacts.driven, laws_of(s));
  zero(s->works.work, (size_t)s->works.count);
  zero(s->contacts.gap_rounding, laws_of(s));
  zero(s->q_low, nq);
  zero(s->contacts.closing, laws_of(s));
  zero(s->memory, s->memory_size);
  zero(s->law_memory, (size_t)s->remembered_per_row * rows_of(s) + (size_t)s->remembered_per_law * laws_of(s));
  set_idle_modes(s);
  picus_stepper_forget_switches(s);
  picus_impacts_forget(s);
  picus_step_problem_forget(&s->problem);
  picus_solver_restart(s->contacts.solver);
  if (s->scheme->restart) s->scheme->restart(s);
  picus_stepper_forget_guess(s);
}

void picus_stepper_jump(stepper *s, const double *q, const double *u) {
  const size_t nq = (size_t)s->system->nq;
  memcpy(s->q, q, nq * sizeof *q);
  memcpy(s->u, u, (size_t)s->system->nu * sizeof *u);
  if (s->system->quaternion_count > 0) picus_system_normalise(s->system, s->q);
  s->contacts.unjudged = s->contacts.dependent;
  zero(s->q_low, nq);
  zero(s->contacts.closing, laws_of(s));
  zero(s->memory, s->memory_size);
  zero(s->law_memory, (size_t)s->remembered_per_row * rows_of(s) + (size_t)s->remembered_per_law * laws_of(s));
  picus_stepper_forget_switches(s);
  picus_step_problem_forget(&s->problem);
  if (s->scheme->restart) s->scheme->restart(s);
  picus_stepper_forget_guess(s);
}

void picus_stepper_forget_guess(stepper *s) {
  if (s->scheme->forget_guess) s->scheme->forget_guess(s);
}

picus_status picus_stepper_begin_attended(stepper *s, double dt) {
  if (s->contacts.unjudged) {
    const picus_status judged = picus_stepper_judge_prescribed(s);
    if (judged) return judged;
    s->contacts.unjudged = false;
  }
  if (s->has_times && !(s->t >= s->uneventful[0] && s->t + dt <= s->uneventful[1])) picus_stepper_hold_times(s, dt);
  if (s->works.count > 0) picus_works_begin(s);
  return PICUS_OK;
}

void picus_stepper_end_attended(stepper *s, double dt, bool is_made, picus_step_info *info) {
  if (is_made && s->system->quaternion_count > 0) picus_system_normalise(s->system, s->q);
  if (is_made && s->works.count > 0) picus_works_add(s, dt);
  if (s->holds_times) picus_stepper_release_times(s);
  if (is_made && s->counts_switches) picus_stepper_count_switches(s, dt, info);
}

static double one_sided(const stepper *s, double t, double inwards) {
  for (int i = 0; i < s->system->stop_count; i++)
    if (fabs(t - s->system->stop_times[i]) <= fabs(inwards)) return t + inwards;
  return t;
}

void picus_step_times(const stepper *s, double dt, double *begin, double *end) {
  const double inwards = fmax(1e-9 * dt, 4 * DBL_EPSILON * fabs(s->t));
  *begin = one_sided(s, s->t, inwards);
  *end = one_sided(s, s->t + dt, -inwards);
}

void picus_step_advance(stepper *s, double dt, const double *rate) {
  const int nq = s->system->nq;
  if (s->q_low)
    for (int i = 0; i < nq; i++) s->q_next[i] = picus_two_sum(s->q[i], s->q_low[i] + dt * rate[i], &s->q_change[i]);
  else
    picus_add_multiple(nq, s->q, dt, rate, s->q_next);
}

contact_forces picus_stepper_forces(const stepper *s) {
  const size_t rows = (size_t)s->set->row_count;
  if (!s->has_forces) return (contact_forces){NULL, NULL, NULL, NULL};
  return (contact_forces){s->law_memory, s->law_memory + rows, s->law_memory + 2 * rows, s->law_memory + 3 * rows};
}

picus_status picus_stepper_keep_rounding(stepper *s) {
  return PICUS_FIXED(&s->arrays, sizeof *s->q_low, (size_t)s->system->nq, &s->q_low);
}

static size_t twice_by_row(const law_sizes *n) { return 2 * n->rows; }

picus_status picus_stepper_limit_restitution(stepper *s, picus_restitution restitution, double dt_min) {
  s->contacts.restitution = restitution;
  s->contacts.restitution_dt = dt_min;
  const law_array closing = picus_carried_by_law(&s->contacts.closing, sizeof(double), 0);
  picus_status status = picus_law_arrays_add_one(&s->arrays, closing);
  if (status || !s->scheme->laws_in_middle || s->system->constants.directions) return status;
  return PICUS_SCRATCH(&s->arrays, sizeof(double), twice_by_row, &s->contacts.turning);
}
