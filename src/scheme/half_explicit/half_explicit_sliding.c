/* Forces at acceleration level with friction, for modes that are known: after the last stage of a Runge-Kutta method,
 * the state tells which contacts press, and which of these stick or slide in which direction. A sliding contact has the
 * force lambda_F = -mu lambda_N gamma / |gamma|, and a sticking one keeps gamma' = 0. All conditions are equations, and
 * the forces are as accurate as the state. */
#include "scheme/half_explicit/half_explicit.h"

#include "base/internal.h"

#include <math.h>

picus_status picus_half_explicit_sliding_create(stepper *s) {
  half_explicit_step *r = half_explicit_of(s);
  const size_t most = PICUS_SLIDING_ROWS;
  r->sliding.matrix = picus_allocate(s->context, most * most + 2 * most, sizeof(double));
  r->sliding.pivots = picus_allocate(s->context, most, sizeof(int));
  r->sliding.rows = picus_allocate(s->context, most, sizeof *r->sliding.rows);
  return r->sliding.matrix && r->sliding.pivots && r->sliding.rows ? PICUS_OK : PICUS_ERROR_MEMORY;
}

void picus_half_explicit_sliding_release(stepper *s) {
  const sliding_forces *f = &half_explicit_of(s)->sliding;
  void *const arrays[] = {f->matrix, f->pivots, f->rows};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) picus_release(s->context, arrays[i]);
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
    r->force_end[row] = -law->data.reservoir * direction[j];
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
  picus_clear(s->system->nu, x);
  picus_law_row_add(s->system, law, picus_law_row(law, e->W, unknown.row), 1, x);
  if (unknown.slides && find_direction(e, law, direction))
    for (int j = 0; j < law->data.slips; j++)
      picus_law_row_add(s->system, law, picus_law_row(law, e->W, friction + j), -law->data.mu * direction[j], x);
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
    double *force = r->force_end + law->data.first_row, direction[3] = {0};
    const int friction = law->data.dim - law->data.slips;
    force[f->rows[k].row] = lambda[k];
    const bool presses = picus_law_can_open(&law->data) || picus_law_is_clutch(&law->data);
    if (presses && f->rows[k].row == 0 && lambda[k] < 0) return false;
    if (f->rows[k].slides && find_direction(e, law, direction))
      for (int j = 0; j < law->data.slips; j++) force[friction + j] = -law->data.mu * lambda[k] * direction[j];
    if (f->rows[k].slides || law->data.slips == 0 || f->rows[k].row < law->data.dim - 1) continue;
    double size = 0; /* the last row of a sticking law: the force must be in its set */
    for (int j = 0; j < law->data.slips; j++) size += force[friction + j] * force[friction + j];
    const double most = law->data.kind == PICUS_RESERVOIR ? law->data.reservoir : law->data.mu * force[0];
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
