/* Contact forces at acceleration level: G lambda + W^T M^-1 h + d(W^T)/dt u + dchi/dt against lambda, for contacts that
 * are closed and stay closed. Without friction: the force of a sliding contact has the direction of its slip velocity,
 * which accelerations do not tell. */
#include "base/internal.h"
#include "scheme/half_explicit/half_explicit.h"

#include <math.h>

#define LAW_JACOBIANS (PICUS_JACOBIAN(JACOBIAN_VELOCITY_Q) | PICUS_JACOBIAN(JACOBIAN_VELOCITY_T))

picus_status picus_half_explicit_forces_create(stepper *s) {
  half_explicit_step *r = half_explicit_of(s);
  picus_status status = PICUS_FIXED(&s->arrays, sizeof(double), (size_t)s->system->nu, &r->at_rest, &r->a_begin,
                                    &r->a_end, &r->pressed, &r->u_explained);
  if (!status)
    status =
        PICUS_SCRATCH(&s->arrays, sizeof(double), picus_by_row, &r->law_accelerations, &r->force_begin, &r->force_end);
  if (!status) status = picus_step_problem_create(&s->contacts, &r->forces);
  if (!status && !s->system->constants.directions) {
    status = picus_evaluation_request(r->begin, LAW_JACOBIANS);
    if (!status) status = picus_evaluation_request(r->end, LAW_JACOBIANS);
  }
  return status ? status : picus_step_problem_fill_constant(&r->forces, r->end);
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
    picus_step_problem_guess(&r->forces, 1, lambda);
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
  if (!status) picus_step_problem_keep(&r->forces, lambda);
  return status;
}

/* Forces at acceleration level with friction, for modes that are known: after the last stage of a Runge-Kutta method,
 * the state tells which contacts press, and which of these stick or slide in which direction. A sliding contact has the
 * force lambda_F = -mu lambda_N gamma / |gamma|, and a sticking one keeps gamma' = 0. All conditions are equations, and
 * the forces are as accurate as the state. */

picus_status picus_half_explicit_sliding_create(stepper *s) {
  half_explicit_step *r = half_explicit_of(s);
  const size_t most = PICUS_SLIDING_ROWS;
  picus_status status = PICUS_FIXED(&s->arrays, sizeof(double), most * most + 2 * most, &r->sliding.matrix);
  if (!status) status = PICUS_FIXED(&s->arrays, sizeof(int), most, &r->sliding.pivots);
  return status ? status : PICUS_FIXED(&s->arrays, sizeof *r->sliding.rows, most, &r->sliding.rows);
}

/* Direction of the slip velocity in the friction rows; false: it has none. */
static bool find_direction(const picus_evaluation *e, const system_law *law, double *direction) {
  const int first = law->data.dim - law->data.slips;
  double length = 0;
  for (int j = 0; j < law->data.slips; j++) {
    direction[j] = picus_law_velocity(e, law, first + j, e->u);
    length += direction[j] * direction[j];
  }
  length = sqrt(length);
  for (int j = 0; j < law->data.slips && length > 0; j++) direction[j] /= length;
  return length > 0;
}

/* The unknown rows of a law, and what a friction element that slides adds to the accelerations. */
static bool list_law(stepper *s, picus_evaluation *e, int i, picus_mode mode, double *a_free) {
  half_explicit_step *r = half_explicit_of(s);
  sliding_forces *f = &r->sliding;
  const system_law *law = &s->set->laws[i];
  const bool slides = mode == PICUS_SLIP && law->data.slips > 0;
  const int friction = law->data.dim - law->data.slips;
  double direction[3] = {0};
  if (law->data.kind == PICUS_ROLLING || f->count + law->data.dim > PICUS_SLIDING_ROWS) return false;
  if (slides && !find_direction(e, law, direction)) return false;
  for (int j = 0; j < (slides ? friction : law->data.dim); j++) f->rows[f->count++] = (sliding_row){i, j, slides};
  if (!slides || law->data.kind != PICUS_RESERVOIR) return true;
  double *x = r->a_end; /* M^-1 W lambda of the element */
  picus_clear(s->system->nu, x);
  for (int j = 0; j < law->data.slips; j++) {
    const int row = law->data.first_row + friction + j;
    r->force_end[row] = -picus_law_radius_now(&s->contacts, i) * direction[j];
    picus_law_row_add(s->system, law, picus_law_row(law, e->W, friction + j), r->force_end[row], x);
  }
  picus_evaluation_solve_mass(e, x);
  picus_add_multiple(s->system->nu, a_free, 1, x, a_free);
  return true;
}

/* x := M^-1 of the force that belongs to a unit of the unknown. */
static void unit_response(stepper *s, picus_evaluation *e, sliding_row unknown, double *x) {
  const system_law *law = &s->set->laws[unknown.law];
  const int friction = law->data.dim - law->data.slips;
  double direction[3] = {0};
  const double mu = picus_law_radius_now(&s->contacts, unknown.law);
  picus_clear(s->system->nu, x);
  picus_law_row_add(s->system, law, picus_law_row(law, e->W, unknown.row), 1, x);
  if (unknown.slides && find_direction(e, law, direction))
    for (int j = 0; j < law->data.slips; j++)
      picus_law_row_add(s->system, law, picus_law_row(law, e->W, friction + j), -mu * direction[j], x);
  picus_evaluation_solve_mass(e, x);
}

static bool solve(stepper *s, picus_evaluation *e, const double *a_free, double *lambda) {
  half_explicit_step *r = half_explicit_of(s);
  const sliding_forces *f = &r->sliding;
  const int n = f->count;
  for (int k = 0; k < n; k++) {
    unit_response(s, e, f->rows[k], r->a_end);
    for (int m = 0; m < n; m++) {
      const system_law *law = &s->set->laws[f->rows[m].law];
      f->matrix[m * n + k] = picus_law_row_dot(s->system, law, picus_law_row(law, e->W, f->rows[m].row), r->a_end);
    }
  }
  for (int m = 0; m < n; m++) {
    const system_law *law = &s->set->laws[f->rows[m].law];
    lambda[m] = -picus_law_row_dot(s->system, law, picus_law_row(law, e->W, f->rows[m].row), a_free) -
                r->law_accelerations[law->data.first_row + f->rows[m].row];
  }
  if (!picus_lu_factor(n, f->matrix, f->pivots)) return false;
  picus_lu_solve(n, f->matrix, f->pivots, lambda);
  return picus_all_finite(lambda, (size_t)n);
}

/* Forces into r->force_end; false: they contradict a mode, which is about to change. */
static bool keep_forces(stepper *s, picus_evaluation *e, const double *lambda) {
  half_explicit_step *r = half_explicit_of(s);
  const sliding_forces *f = &r->sliding;
  for (int k = 0; k < f->count; k++) {
    const system_law *law = &s->set->laws[f->rows[k].law];
    const double radius = picus_law_radius_now(&s->contacts, f->rows[k].law);
    double *force = r->force_end + law->data.first_row, direction[3] = {0};
    const int friction = law->data.dim - law->data.slips;
    force[f->rows[k].row] = lambda[k];
    const bool presses = picus_law_can_open(&law->data) || picus_law_is_clutch(&law->data);
    if (presses && f->rows[k].row == 0 && lambda[k] < 0) return false;
    if (f->rows[k].slides && find_direction(e, law, direction))
      for (int j = 0; j < law->data.slips; j++) force[friction + j] = -radius * lambda[k] * direction[j];
    if (f->rows[k].slides || law->data.slips == 0 || f->rows[k].row < law->data.dim - 1) continue;
    double size = 0; /* the last row of a sticking law: the force must be in its set */
    for (int j = 0; j < law->data.slips; j++) size += force[friction + j] * force[friction + j];
    const double most = law->data.kind == PICUS_RESERVOIR ? radius : radius * force[0];
    if (sqrt(size) > most * (1 + 1e-9)) return false;
  }
  return true;
}

picus_status picus_half_explicit_sliding_forces(stepper *s, picus_evaluation *e, double *a_free, bool *found) {
  half_explicit_step *r = half_explicit_of(s);
  sliding_forces *f = &r->sliding;
  double *lambda = f->matrix + PICUS_SLIDING_ROWS * PICUS_SLIDING_ROWS;
  *found = false;
  f->count = 0;
  if (s->contacts.has_loaded) return PICUS_OK; /* the load of a joint takes its friction */
  if (s->contacts.coefficients && s->problem.active_count > 0) {
    picus_status status = picus_varying_evaluate_at(&s->contacts, e);
    if (status) return status;
  }
  picus_clear(s->set->row_count, r->force_end);
  for (int k = 0; k < s->problem.active_count; k++) {
    const int i = s->problem.active[k];
    if (s->problem.modes[k] == PICUS_OPEN || r->impulsive[i]) continue;
    if (!list_law(s, e, i, s->problem.modes[k], a_free)) return PICUS_OK;
  }
  if (!s->system->constants.directions) {
    picus_status status = picus_evaluate_acceleration_terms(e, r->law_accelerations);
    if (status) return status;
  }
  *found = solve(s, e, a_free, lambda) && keep_forces(s, e, lambda);
  return PICUS_OK;
}
