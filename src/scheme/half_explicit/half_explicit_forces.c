/* Contact forces at acceleration level: G lambda + W^T M^-1 h + d(W^T)/dt u + dchi/dt against lambda, for contacts that
 * are closed and stay closed. Without friction: the force of a sliding contact has the direction of its slip velocity,
 * which accelerations do not tell. */
#include "scheme/half_explicit/half_explicit.h"

#include "base/internal.h"

#include <math.h>

#define LAW_JACOBIANS (PICUS_JACOBIAN(JACOBIAN_VELOCITY_Q) | PICUS_JACOBIAN(JACOBIAN_VELOCITY_T))

picus_status picus_half_explicit_forces_create(stepper *s) {
  half_explicit_step *r = half_explicit_of(s);
  const size_t nu = (size_t)s->system->nu;
  const law_array arrays[] = {picus_scratch(&r->law_accelerations, sizeof(double), picus_by_row),
                              picus_scratch(&r->force_begin, sizeof(double), picus_by_row),
                              picus_scratch(&r->force_end, sizeof(double), picus_by_row)};
  double **const velocities[] = {&r->at_rest, &r->a_begin, &r->a_end, &r->pressed, &r->u_explained};
  for (size_t i = 0; i < sizeof velocities / sizeof velocities[0]; i++)
    if (!(*velocities[i] = picus_allocate(s->context, nu, sizeof(double)))) return PICUS_ERROR_MEMORY;
  picus_status status = picus_law_arrays_add(&s->arrays, sizeof arrays / sizeof arrays[0], arrays);
  if (!status) status = picus_step_problem_create(&s->contacts, &r->forces);
  if (!status && !s->system->constants.directions) {
    status = picus_evaluation_request(r->begin, LAW_JACOBIANS);
    if (!status) status = picus_evaluation_request(r->end, LAW_JACOBIANS);
  }
  return status ? status : picus_step_problem_fill_constant(&r->forces, r->end);
}

void picus_half_explicit_forces_release(stepper *s) {
  half_explicit_step *r = half_explicit_of(s);
  double *const velocities[] = {r->at_rest, r->a_begin, r->a_end, r->pressed, r->u_explained};
  for (size_t i = 0; i < sizeof velocities / sizeof velocities[0]; i++) picus_release(s->context, velocities[i]);
  picus_step_problem_release(s->context, &r->forces);
}

picus_status picus_half_explicit_press(stepper *s, picus_evaluation *e, const double *lambda) {
  half_explicit_step *r = half_explicit_of(s);
  picus_status status = picus_evaluation_update_directions(e);
  picus_clear(s->system->nu, r->pressed);
  for (int i = 0; i < s->set->law_count && !status; i++) {
    const system_law *law = &s->set->laws[i];
    for (int j = 0, row = law->data.first_row; j < law->data.dim; j++, row++)
      if (lambda[row] != 0)
        picus_law_row_add(s->system, law, picus_law_row(law, e->W, j), r->dt * lambda[row], r->pressed);
  }
  if (!status) picus_evaluation_solve_mass(e, r->pressed);
  return status;
}

#define ROUND_OFF 1e-11 /* of a velocity, against its terms: residuals of the solver as well */

bool picus_half_explicit_is_drift(stepper *s, int i) {
  const half_explicit_step *r = half_explicit_of(s);
  const system_law *law = &s->set->laws[i];
  const double *row = picus_law_row(law, r->begin->W, 0);
  const double terms = picus_law_row_terms(s->system, law, row, s->u) + fabs(r->begin->chi[law->data.first_row]) +
                       picus_law_row_change(s->system, law, row, s->u, r->u_forced);
  const double left = fabs(picus_half_explicit_memory(s, s->law_memory).left[i]);
  return picus_law_velocity(r->begin, law, 0, s->u) <= left + ROUND_OFF * terms;
}

void picus_half_explicit_choose_pressing(stepper *s, const picus_evaluation *e, const double *a_free,
                                         const bool *closed) {
  half_explicit_step *r = half_explicit_of(s);
  for (int i = 0; i < s->set->law_count; i++) {
    const system_law *law = &s->set->laws[i];
    r->chosen[i] = closed[i];
    if (!closed[i] || !(picus_law_can_open(&law->data) || picus_law_is_clutch(&law->data))) continue;
    /* a velocity that the forces of one step explain is an error of the scheme, not an opening */
    const double *row = picus_law_row(law, e->W, 0);
    double explained = r->dt * picus_law_row_terms(s->system, law, row, a_free);
    if (r->velocities_drift) explained += picus_law_row_terms(s->system, law, row, r->pressed);
    r->chosen[i] = picus_law_velocity(e, law, 0, e->u) <= explained;
  }
}

picus_status picus_half_explicit_forces(stepper *s, const force_point *at, double *a, double *lambda,
                                        picus_step_info *info) {
  half_explicit_step *r = half_explicit_of(s);
  picus_evaluation *e = at->evaluation;
  picus_status status = PICUS_OK;
  picus_step_problem_choose(&r->forces, r->chosen);
  if (r->forces.active_count > 0) {
    if (!s->system->constants.directions) status = picus_evaluate_acceleration_terms(e, r->law_accelerations);
    if (status) return status;
    picus_half_explicit_guess(s, &r->forces, 1, lambda);
  }
  picus_clear(s->set->row_count, lambda);
  const contact_request request = {.t = s->t,
                                   .dt = 1, /* forces in place of percussions */
                                   .directions = e,
                                   .matrix = &e->mass,
                                   .symmetric = true,
                                   .u_begin = r->at_rest,
                                   .u_free = at->a_free,
                                   .offset = r->law_accelerations};
  status = picus_step_problem_solve(&r->forces, &request, a, info);
  if (!status) picus_half_explicit_keep(s, &r->forces, lambda);
  return status;
}
