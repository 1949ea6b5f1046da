/* An inconsistent start made consistent: an impact before the first step of the contacts that are closed and approach,
 *
 *   M (u+ - u-) = W P,   gamma+ + e gamma-   against   P,
 *
 * which is the step of Glocker and Studer 2005, (33), with dt = 0. All closed laws take part, and constraints; friction
 * elements have bounded forces and no percussion. */
#include "stepper/impacts.h"

#include <math.h>
#include <string.h>

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
      offset[row + k] = e->chi[row + k] + picus_law_restitution(&law->data, k) * offset[row + k];
  }
  memset(s->contacts.gap_rounding, 0, (size_t)s->set->law_count * sizeof *s->contacts.gap_rounding);
  return status;
}

static picus_status strike(stepper *s, const picus_solver_options *options, const bool *chosen, const double *offset) {
  picus_evaluation *e = s->evaluation;
  step_problem *p = &s->problem;
  picus_solver *solver = NULL;
  picus_solve_info info = {0};
  const contact_request request = {.t = s->t,
                                   .dt = 0,
                                   .directions = e,
                                   .matrix = &e->mass,
                                   .symmetric = true,
                                   .u_begin = s->u,
                                   .u_free = s->u,
                                   .offset = offset};
  picus_status status = picus_evaluation_factor_mass(e);
  if (!status) status = picus_evaluation_update_directions(e);
  picus_step_problem_choose(p, chosen);
  if (!status) status = picus_step_problem_prepare(p, &request);
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
