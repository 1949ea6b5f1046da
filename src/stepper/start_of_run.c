/* Forces and modes of the laws at a state, from accelerations: Signorini's and Coulomb's laws for W^T u' + d(W^T)/dt u
 * + dchi/dt of the contacts that are closed and stay so, with the friction of sliding contacts opposite to their slip
 * (Breuling et al. 2023, (54) and (55)). Steps do not use them: they tell what acts before the first step. */
#include "base/elementary.h"
#include "stepper/impacts.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define HOLDS 1e-9      /* m or rad: constraints that are violated by no more than this hold */
#define AT_REST 1e-12   /* a relative velocity below this share of its terms is zero */
#define DIFFERENCE 1e-5 /* largest s, and largest change of a coordinate, for derivatives in time */
#define SURELY 1e8      /* times all accelerations: a slip or displacement decides the direction of its force */

typedef struct start_forces {
  stepper *s;
  picus_solver *solver;
  double *gamma, *later, *terms, *force; /* rows: velocities, those a moment later, d(W^T)/dt u + dchi/dt, result */
  double *a_free, *q;                    /* nu, nq */
  double *gap_rounding;                  /* laws: of the stepper, which it gets back */
  picus_mode *modes;                     /* laws of the problem */
  bool *chosen;                          /* laws */
} start_forces;

static void release(start_forces *f) {
  picus_context *context = f->s->context;
  if (f->gap_rounding) picus_copy(f->s->set->law_count, f->gap_rounding, f->s->contacts.gap_rounding);
  picus_release(context, f->gamma);
  picus_release(context, f->a_free);
  picus_release(context, f->modes);
  picus_release(context, f->chosen);
  picus_solver_destroy(f->solver);
}

/* The solver is its own: that of the steps must not learn from it. */
static picus_status create(stepper *s, const picus_solver_options *options, start_forces *f) {
  const size_t rows = (size_t)s->set->row_count, laws = (size_t)s->set->law_count;
  *f = (start_forces){.s = s};
  f->gamma = picus_allocate(s->context, 4 * rows, sizeof(double));
  f->a_free = picus_allocate(s->context, (size_t)s->system->nu + (size_t)s->system->nq + laws, sizeof(double));
  f->modes = picus_allocate(s->context, laws, sizeof *f->modes);
  f->chosen = picus_allocate(s->context, laws, sizeof *f->chosen);
  if (!f->gamma || !f->a_free || !f->modes || !f->chosen) return PICUS_ERROR_MEMORY;
  f->later = f->gamma + rows;
  f->terms = f->later + rows;
  f->force = f->terms + rows;
  f->q = f->a_free + s->system->nu;
  f->gap_rounding = f->q + s->system->nq;
  memcpy(f->gap_rounding, s->contacts.gap_rounding, laws * sizeof *f->gap_rounding);
  picus_status status = picus_solver_create(s->context, options, &f->solver);
  if (!status) picus_solver_copy_many(f->solver, s->contacts.solver);
  return status ? status : picus_solver_reserve(f->solver, s->set->law_count, s->set->row_count);
}

/* d(W^T)/dt u + dchi/dt with u held, by differences of second order to later times only: nothing is known of earlier
 * ones. */
static picus_status find_terms(start_forces *f) {
  stepper *s = f->s;
  picus_evaluation *e = s->evaluation;
  const int rows = s->set->row_count, nq = s->system->nq;
  memset(f->terms, 0, (size_t)rows * sizeof *f->terms);
  if (s->system->constants.directions && s->system->at_rest) return PICUS_OK;
  picus_status status = picus_evaluate_rate(e, s->rate);
  double fastest = 1;
  for (int i = 0; i < nq; i++) fastest = fmax(fastest, fabs(s->rate[i]));
  const double h = DIFFERENCE / fastest;
  for (int k = 1; k <= 2 && !status; k++) {
    for (int i = 0; i < nq; i++) f->q[i] = s->q[i] + k * h * s->rate[i];
    picus_evaluation_set_point(e, s->t + k * h, f->q, s->u);
    status = picus_evaluate_velocities(e, f->later);
    for (int r = 0; r < rows; r++) f->terms[r] += (k == 1 ? 4 : -1) * (f->later[r] - f->gamma[r]) / (2 * h);
  }
  picus_evaluation_set_point(e, s->t, s->q, s->u);
  return status;
}

static bool is_moving(const start_forces *f, const system_law *law, int k) {
  const picus_evaluation *e = f->s->evaluation;
  const int row = law->data.first_row + k;
  const double terms = picus_law_row_terms(f->s->system, law, picus_law_row(law, e->W, k), f->s->u);
  return fabs(f->gamma[row]) > AT_REST * (terms + fabs(e->chi[row]));
}

/* Laws that have a force: contacts that touch and neither part nor strike, and all that cannot open. */
static picus_status choose(start_forces *f) {
  stepper *s = f->s;
  picus_status status = picus_stepper_note_gap_rounding(s, &(moving_point){s->t, s->q, s->u});
  if (!status) status = picus_evaluate_gaps(s->evaluation, s->gap);
  if (!status) status = picus_evaluate_velocities(s->evaluation, f->gamma);
  for (int i = 0; i < s->set->law_count && !status; i++) {
    const system_law *law = &s->set->laws[i];
    f->chosen[i] = true;
    if (picus_law_can_open(&law->data)) f->chosen[i] = s->gap[i] <= picus_step_largest_closed_gap(&s->contacts, i);
    if (picus_law_can_open(&law->data) || picus_law_is_clutch(&law->data))
      f->chosen[i] = f->chosen[i] && !is_moving(f, law, 0);
  }
  return status;
}

/* Slips, and displacements of preloads, that are not zero decide the direction of the force. */
static void add_directions(start_forces *f, const system_law *law, double most) {
  const int row = law->data.first_row, normal = law->data.dim - law->data.slips;
  double length = 0;
  if (law->data.displaced && f->s->gap[law - f->s->set->laws] != 0) {
    f->terms[row] += copysign(most, f->s->gap[law - f->s->set->laws]);
    return;
  }
  for (int k = normal; k < law->data.dim; k++)
    length = picus_hypot(length, is_moving(f, law, k) ? f->gamma[row + k] : 0);
  for (int k = normal; k < law->data.dim && length > 0; k++) f->terms[row + k] += most * f->gamma[row + k] / length;
}

/* Forces of the contacts at rest in the state: the contact problem of accelerations, with forces in place of
 * percussions. */
static picus_status solve(start_forces *f) {
  stepper *s = f->s;
  picus_evaluation *e = s->evaluation;
  double most = 1;
  picus_status status = picus_evaluate_force(e, f->a_free);
  if (!status) status = picus_evaluation_factor_mass(e);
  if (!status) status = picus_evaluation_update_directions(e);
  if (status) return status;
  picus_evaluation_solve_mass(e, f->a_free);
  for (int i = 0; i < s->set->law_count; i++)
    for (int k = 0; k < s->set->laws[i].data.dim; k++)
      most = fmax(
          most, picus_law_row_terms(s->system, &s->set->laws[i], picus_law_row(&s->set->laws[i], e->W, k), f->a_free) +
                    fabs(f->terms[s->set->laws[i].data.first_row + k]));
  for (int i = 0; i < s->set->law_count; i++) add_directions(f, &s->set->laws[i], SURELY * most);
  const contact_request request = {.t = s->t,
                                   .dt = 1, /* forces in place of percussions */
                                   .directions = e,
                                   .matrix = &e->mass,
                                   .symmetric = true,
                                   .u_begin = s->u,
                                   .u_free = f->a_free,
                                   .offset = f->terms};
  picus_step_problem_choose(&s->problem, f->chosen);
  if (s->problem.active_count == 0) return PICUS_OK;
  status = picus_step_problem_prepare(&s->problem, &request);
  if (status) return status;
  const picus_contact_problem problem = picus_delassus_problem(&s->problem.G, s->problem.laws, s->problem.c);
  picus_solve_info info = {0};
  return picus_step_problem_solve_by(&s->problem, f->solver, &(solver_call){problem, NULL, f->force, f->modes}, &info);
}

picus_status picus_stepper_find_forces(stepper *s, const picus_solver_options *options, double *force,
                                       picus_mode *modes) {
  start_forces f;
  picus_evaluation_set_point(s->evaluation, s->t, s->q, s->u);
  picus_status status = create(s, options, &f);
  if (!status) status = choose(&f);
  if (!status) status = find_terms(&f);
  if (!status) status = solve(&f);
  memset(force, 0, (size_t)s->set->row_count * sizeof *force);
  for (int i = 0; i < s->set->law_count; i++) modes[i] = picus_law_idle_mode(&s->set->laws[i].data);
  for (int k = 0, at = 0; k < s->problem.active_count && !status; k++) {
    const picus_system_law *law = &s->set->laws[s->problem.active[k]].data;
    modes[s->problem.active[k]] = f.modes[k];
    for (int r = 0; r < law->dim; r++) force[law->first_row + r] = f.force[at++];
  }
  release(&f);
  picus_step_problem_forget(&s->problem); /* the first step has another one */
  return status;
}

/* An inconsistent start made consistent: an impact before the first step of the contacts that are closed and approach,
 *
 *   M (u+ - u-) = W P,   gamma+ + e gamma-   against   P,
 *
 * which is the step of Glocker and Studer 2005, (33), with dt = 0. All closed laws take part, and constraints; friction
 * elements have bounded forces and no percussion. */

#define AT_REST 1e-12 /* an approach below this share of its terms is none */

/* The closed laws; *strikes: one of them approaches. offset: chi + e gamma-. */
static picus_status look(stepper *s, bool *chosen, double *offset, bool *strikes) {
  picus_evaluation *e = s->evaluation;
  picus_status status = picus_stepper_note_gap_rounding(s, &(moving_point){s->t, s->q, s->u});
  if (!status) status = picus_evaluate_gaps(e, s->gap);
  if (!status) status = picus_evaluate_velocities(e, offset);
  *strikes = false;
  for (int i = 0; i < s->set->law_count && !status; i++) {
    const system_law *law = &s->set->laws[i];
    const bool opens = picus_law_can_open(&law->data);
    const int row = law->data.first_row;
    chosen[i] =
        law->data.kind != PICUS_RESERVOIR && (!opens || s->gap[i] <= picus_step_largest_closed_gap(&s->contacts, i));
    if (chosen[i] && (opens || picus_law_is_clutch(&law->data))) {
      const double *W = picus_law_row(law, e->W, 0);
      const double terms = picus_law_row_terms(s->system, law, W, s->u) + fabs(e->chi[row]);
      *strikes = *strikes || offset[row] < -AT_REST * terms;
    }
    for (int k = 0; k < law->data.dim; k++)
      offset[row + k] = e->chi[row + k] + s->contacts.row_restitution[row + k] * offset[row + k];
  }
  memset(s->contacts.gap_rounding, 0, (size_t)s->set->law_count * sizeof *s->contacts.gap_rounding);
  return status;
}

/* An impact of the chosen laws at the start of the run, by a solver of its own: u_next is the velocity behind it. */
static picus_status strike(stepper *s, const picus_solver_options *options, const bool *chosen, const double *offset) {
  picus_evaluation *e = s->evaluation;
  step_problem *p = &s->problem;
  picus_solver *solver = NULL;
  picus_solve_info info = {0};
  picus_step_info step = {0};
  contact_request request = picus_impact_request(s->t, 0, e, s->u);
  request.offset = offset;
  picus_status status = picus_evaluation_factor_mass(e);
  if (!status) status = picus_evaluation_update_directions(e);
  picus_step_problem_choose(p, chosen);
  if (!status) status = picus_step_problem_prepare(p, &request);
  if (!status && s->contacts.impacts) status = picus_impact_find(p, &request, &step);
  if (!status) status = picus_solver_create(s->context, options, &solver);
  if (!status) picus_solver_copy_many(solver, s->contacts.solver);
  if (!status) status = picus_solver_reserve(solver, s->set->law_count, s->set->row_count);
  if (!status) {
    const picus_contact_problem problem = picus_delassus_problem(&p->G, p->laws, p->c);
    status = picus_solver_solve(solver, &problem, p->P, p->modes, &info);
  }
  if (!status) status = picus_step_problem_apply(p, &request, s->u_next);
  picus_solver_destroy(solver);
  picus_step_problem_forget(p); /* the first step has another problem */
  return status;
}

static picus_status kinetic_energy(stepper *s, const double *u, double *energy) {
  double potential;
  picus_evaluation_set_point(s->evaluation, s->t, s->q, u);
  return picus_evaluate_energy(s->evaluation, energy, &potential);
}

picus_status picus_stepper_start_impact(stepper *s, const picus_solver_options *options, double dt) {
  double before = 0, after = 0;
  bool strikes = false;
  picus_status status = picus_stepper_update_laws(s, dt);
  if (status || s->set->law_count == 0) return status;
  bool *chosen = picus_allocate(s->context, (size_t)s->set->law_count, sizeof *chosen);
  double *offset = picus_allocate(s->context, (size_t)s->set->row_count, sizeof *offset);
  if (!chosen || !offset) status = PICUS_ERROR_MEMORY;
  picus_evaluation_set_point(s->evaluation, s->t, s->q, s->u);
  if (!status) status = look(s, chosen, offset, &strikes);
  if (!status && strikes) {
    status = strike(s, options, chosen, offset);
    if (!status) status = kinetic_energy(s, s->u, &before);
    if (!status) status = kinetic_energy(s, s->u_next, &after);
    if (!status) picus_copy(s->system->nu, s->u_next, s->u);
    if (!status)
      picus_log(
          s->context, PICUS_LOG_NOTE,
          "an impact makes the initial state consistent, because closed contacts approached; it dissipates %.6g J",
          before - after);
  }
  picus_release(s->context, chosen);
  picus_release(s->context, offset);
  return status;
}

/* --- what is judged before the first step ------------------------------------------------------------------------- */

/* The contacts that touch at the stepper's state take part, as they would in a short step from there. */
static picus_status activate_touching(stepper *s, picus_step_info *info) {
  picus_status status = picus_stepper_note_gap_rounding(s, &(moving_point){s->t, s->q, s->u});
  if (!status) status = picus_evaluate_gaps(s->evaluation, s->gap);
  for (int i = 0; !status && i < s->set->law_count; i++)
    s->gap[i] = s->gap[i] <= s->contacts.gap_rounding[i] ? -1 : INFINITY;
  memset(s->contacts.gap_rounding, 0, (size_t)s->set->law_count * sizeof *s->contacts.gap_rounding);
  if (!status) picus_step_problem_activate(&s->problem, s->gap, info);
  return status;
}

picus_status picus_stepper_examine_start(stepper *s, double dt, picus_step_info *info) {
  picus_evaluation *e = s->evaluation;
  *info = (picus_step_info){0};
  picus_status status = activate_touching(s, info);
  if (status || s->problem.active_count == 0) return status;
  /* an explicit step without contacts: u_free, and W at its end */
  if ((status = picus_evaluate_rate(e, s->rate))) return status;
  for (int i = 0; i < s->system->nq; i++) s->q_next[i] = s->q[i] + dt * s->rate[i];
  if ((status = picus_evaluate_force(e, s->h))) return status;
  if ((status = picus_evaluation_factor_mass(e))) return status;
  picus_evaluation_accelerate(e, s->u, dt, s->h, s->u_free);
  picus_evaluation_set_point(e, s->t + dt, s->q_next, s->u);
  status = picus_evaluation_factor_mass(e);
  if (!status) status = picus_evaluation_update_directions(e);
  if (status) return status;
  const contact_request request = {.t = s->t,
                                   .dt = dt,
                                   .directions = e,
                                   .matrix = &e->mass,
                                   .symmetric = true,
                                   .u_begin = s->u,
                                   .u_free = s->u_free};
  status = picus_step_problem_prepare(&s->problem, &request);
  if (status) return status;
  if (s->problem.plan.may_jam) picus_step_note_paradox(&s->problem, info);
  picus_step_problem_drop_plan(&s->problem); /* the first step of the run has another problem */
  return PICUS_OK;
}

/* Whether all constraints hold at the positions of the state; p->doubtful: which laws are constraints. */
static picus_status choose_constraints(stepper *s, bool *hold) {
  picus_status status = picus_evaluate_gaps(s->evaluation, s->gap);
  *hold = true;
  for (int i = 0; i < s->set->law_count && !status; i++) {
    const picus_system_law *law = &s->set->laws[i].data;
    s->problem.doubtful[i] = law->kind == PICUS_BILATERAL;
    *hold = *hold && !(law->kind == PICUS_BILATERAL && law->has_gap && fabs(s->gap[i]) > HOLDS);
  }
  return status;
}

picus_status picus_stepper_judge_prescribed(stepper *s) {
  picus_evaluation *e = s->evaluation;
  step_problem *p = &s->problem;
  bool hold;
  picus_evaluation_set_point(e, s->t, s->q, s->u);
  picus_status status = choose_constraints(s, &hold);
  if (status || !hold) return status;
  if ((status = picus_evaluation_factor_mass(e))) return status;
  if ((status = picus_evaluation_update_directions(e))) return status;
  picus_step_problem_choose(p, p->doubtful);
  const contact_request request = {
      .t = s->t, .directions = e, .matrix = &e->mass, .symmetric = true, .u_begin = s->u, .u_free = s->u};
  status = picus_step_problem_prepare(p, &request);
  if (!status) status = picus_step_judge_prescribed(p, s->t);
  picus_step_problem_forget(p); /* the first step has another problem */
  return status;
}
