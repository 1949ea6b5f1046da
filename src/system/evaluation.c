/* Values of a system at a point, put together from its parts; factors of M and constant quantities are kept. */
#include "system/internal.h"

#include "base/internal.h"
#include "linalg/internal.h"

#include <math.h>
#include <string.h>

static int largest(int a, int b) { return a > b ? a : b; }
static size_t square(int n) { return (size_t)n * (size_t)n; }

/* Size of the largest Jacobian of a part; those of a part with a sparsity pattern are lists of values. */
static size_t largest_jacobian(const system_part *part) {
  size_t rows = (size_t)largest(part->law_count, part->row_count) * (size_t)part->nq;
  int n = largest(part->nq, part->nu);
  size_t own = part->pattern ? (size_t)part->pattern->row_start[part->nu] : square(n);
  return rows > own ? rows : own;
}

static picus_status allocate_arrays(picus_evaluation *e) {
  const picus_system *s = e->system;
  picus_context *context = e->context;
  e->q = picus_allocate(context, (size_t)s->nq, sizeof(double));
  e->u = picus_allocate(context, (size_t)s->nu, sizeof(double));
  e->points = picus_allocate(context, (size_t)s->part_count, sizeof *e->points);
  e->W = picus_allocate(context, s->W_size, sizeof(double));
  e->chi = picus_allocate(context, (size_t)s->row_count, sizeof(double));
  for (int i = 0; i < s->part_count; i++) {
    size_t size = largest_jacobian(&s->parts[i]);
    if (size > e->scratch_size) e->scratch_size = size;
  }
  e->scratch = picus_allocate(context, 2 * e->scratch_size, sizeof(double));
  bool all = e->scratch && e->q && e->u && e->points && e->W && e->chi;
  return all ? picus_system_matrix_create(context, s, &e->mass) : PICUS_ERROR_MEMORY;
}

picus_status picus_evaluation_create(picus_context *context, const picus_system *system, picus_evaluation **out) {
  *out = NULL;
  picus_evaluation *e = picus_allocate(context, 1, sizeof *e);
  if (!e) return PICUS_ERROR_MEMORY;
  e->context = context;
  e->system = system;
  picus_status status = allocate_arrays(e);
  for (int i = 0; status == PICUS_OK && i < system->part_count; i++) {
    const system_part *part = &system->parts[i];
    e->points[i].q = e->q + part->q0;
    e->points[i].u = e->u + part->u0;
    e->points[i].system_q = e->q;
    e->points[i].system_u = e->u;
    status = part->ops->work_create(part->self, context, &e->points[i].work);
  }
  if (status != PICUS_OK) {
    picus_evaluation_destroy(e);
    return status;
  }
  *out = e;
  return PICUS_OK;
}

void picus_evaluation_destroy(picus_evaluation *e) {
  if (!e) return;
  picus_context *context = e->context;
  for (int i = 0; e->points && i < e->system->part_count; i++) {
    const system_part *part = &e->system->parts[i];
    if (e->points[i].work) part->ops->work_destroy(part->self, context, e->points[i].work);
  }
  picus_release(context, e->q);
  picus_release(context, e->u);
  picus_release(context, e->points);
  if (e->mass.blocks) picus_system_matrix_release(context, &e->mass);
  picus_release(context, e->W);
  picus_release(context, e->chi);
  picus_release(context, e->scratch);
  picus_release(context, e);
}

void picus_evaluation_laws_only(picus_evaluation *e) {
  for (int p = 0; p < e->system->part_count; p++) e->points[p].laws_only = true;
}

void picus_evaluation_set_point(picus_evaluation *e, double t, const double *q, const double *u) {
  const picus_system *s = e->system;
  e->t = t;
  for (int i = 0; i < s->nq; i++) e->q[i] = q[i];
  for (int i = 0; i < s->nu; i++) e->u[i] = u[i];
  for (int i = 0; i < s->part_count; i++) {
    e->points[i].t = t;
    if (s->parts[i].ops->set_point) s->parts[i].ops->set_point(s->parts[i].self, &e->points[i]);
  }
  if (!s->constants.mass) e->mass_ready = e->mass_factored = false;
  if (!s->constants.directions) e->directions_ready = false;
}

void picus_evaluation_set_velocity(picus_evaluation *e, const double *u) {
  const picus_system *s = e->system;
  for (int i = 0; i < s->nu; i++) e->u[i] = u[i];
  for (int i = 0; i < s->part_count; i++)
    if (s->parts[i].ops->set_point) s->parts[i].ops->set_point(s->parts[i].self, &e->points[i]);
}

/* Calls one function of every part with the part's share of an output array. */
#define FOR_EACH_PART(e, call)                                                                                         \
  for (int p = 0; p < (e)->system->part_count; p++) {                                                                  \
    const system_part *part = &(e)->system->parts[p];                                                                  \
    const part_point *point = &(e)->points[p];                                                                         \
    picus_status status = (call);                                                                                      \
    if (status != PICUS_OK) return status;                                                                             \
  }

/* A value that is not finite is an error of the calling function. Its source is searched only in this case. */
static inline picus_status checked(picus_evaluation *e, part_quantity quantity, const double *values, int count) {
  return picus_all_finite(values, (size_t)count) ? PICUS_OK : picus_evaluation_blame_value(e, quantity, values);
}

picus_status picus_evaluate_rate(picus_evaluation *e, double *q_dot) {
  FOR_EACH_PART(e, part->ops->rate(part->self, e->context, point, q_dot + part->q0))
  return checked(e, QUANTITY_RATE, q_dot, e->system->nq);
}

picus_status picus_evaluate_force(picus_evaluation *e, double *h) {
  FOR_EACH_PART(e, part->ops->force(part->self, e->context, point, h + part->u0))
  if (e->system->has_loads)
    FOR_EACH_PART(e, part->has_loads ? part->ops->loads(part->self, e->context, point, h) : PICUS_OK)
  return checked(e, QUANTITY_FORCE, h, e->system->nu);
}

picus_status picus_evaluate_gaps(picus_evaluation *e, double *gap) {
  FOR_EACH_PART(e, part->ops->gaps(part->self, e->context, point, gap + part->law0))
  return checked(e, QUANTITY_GAP, gap, e->system->law_count);
}

picus_status picus_system_observe(picus_evaluation *e, double *values) {
  FOR_EACH_PART(e, part->observable_count == 0
                       ? PICUS_OK
                       : part->ops->observe(part->self, e->context, point, values + part->observable0))
  return checked(e, QUANTITY_OBSERVABLE, values, e->system->observable_count);
}

static picus_status blame_energy(picus_evaluation *e) {
  for (int p = 0; p < e->system->part_count; p++) {
    const system_part *part = &e->system->parts[p];
    double energy[2];
    picus_status status = part->ops->energy(part->self, e->context, &e->points[p], &energy[0], &energy[1]);
    if (status != PICUS_OK) return status;
    if (!picus_all_finite(energy, 2)) return picus_evaluation_blame_block(e, p, QUANTITY_ENERGY, energy, 2, 1);
  }
  return picus_fail(e->context, PICUS_ERROR_NUMBER,
                    "the total energy overflows at t = %.9g; check the initial state and the units", e->t);
}

picus_status picus_evaluate_energy(picus_evaluation *e, double *kinetic, double *potential) {
  picus_status status = picus_evaluate_energy_unchecked(e, kinetic, potential);
  if (status != PICUS_OK) return status;
  return isfinite(*kinetic + *potential) ? PICUS_OK : blame_energy(e);
}

picus_status picus_evaluate_energy_unchecked(picus_evaluation *e, double *kinetic, double *potential) {
  *kinetic = *potential = 0;
  for (int p = 0; p < e->system->part_count; p++) {
    const system_part *part = &e->system->parts[p];
    double T = 0, V = 0;
    picus_status status = part->ops->energy(part->self, e->context, &e->points[p], &T, &V);
    if (status != PICUS_OK) return status;
    *kinetic += T;
    *potential += V;
  }
  return PICUS_OK;
}

static picus_status check_mass(picus_evaluation *e, int p) {
  const part_matrix *M = &e->mass.blocks[p];
  return picus_many_finite(M->values, M->count)
             ? PICUS_OK
             : picus_evaluation_blame_block(e, p, QUANTITY_MASS, M->values, M->count, M->pattern ? 0 : M->order);
}

picus_status picus_evaluation_update_mass(picus_evaluation *e) {
  if (e->mass_ready) return PICUS_OK;
  FOR_EACH_PART(e, part->ops->mass(part->self, e->context, point, e->mass.blocks[p].values))
  for (int p = 0; p < e->system->part_count; p++) {
    picus_status status = check_mass(e, p);
    if (status != PICUS_OK) return status;
  }
  e->mass_ready = true;
  return PICUS_OK;
}

static picus_status factor_part(picus_evaluation *e, int p) {
  const system_part *part = &e->system->parts[p];
  part_matrix *M = &e->mass.blocks[p];
  int failed = picus_part_matrix_factor_positive(M, part->mass_constant);
  if (failed < 0) return PICUS_OK;
  return picus_fail(e->context, PICUS_ERROR_SINGULAR,
                    "the mass matrix is not positive definite at t = %.6g: the velocity '%s' has no positive inertia "
                    "(diagonal entry %.6g); check the masses and the kinetic energy",
                    e->t, e->system->u_names[part->u0 + failed].name, picus_part_matrix_diagonal(M, failed));
}

picus_status picus_evaluation_factor_mass(picus_evaluation *e) {
  if (e->mass_factored) return PICUS_OK;
  picus_status status = picus_evaluation_update_mass(e);
  for (int p = 0; status == PICUS_OK && p < e->system->part_count; p++) status = factor_part(e, p);
  e->mass_factored = status == PICUS_OK;
  return status;
}

void picus_evaluation_solve_mass(const picus_evaluation *e, double *x) { picus_system_matrix_solve(&e->mass, x); }

picus_status picus_evaluate_mass(picus_evaluation *e, double *M) {
  picus_status factored = picus_evaluation_factor_mass(e);
  if (factored != PICUS_OK) return factored;
  const int nu = e->system->nu;
  memset(M, 0, square(nu) * sizeof *M);
  for (int p = 0; p < e->system->part_count; p++) {
    const system_part *part = &e->system->parts[p];
    picus_part_matrix_place(e->mass.blocks[p].values, part->nu, part->pattern,
                            picus_dense_place(M, nu, part->u0, part->u0));
  }
  return PICUS_OK;
}

static picus_status blame_direction(picus_evaluation *e) {
  for (int i = 0; i < e->system->law_count; i++) {
    const system_law *law = &e->system->laws[i];
    const int row0 = e->system->parts[law->part].row0;
    for (int r = 0; r < law->data.dim; r++) {
      const int row = law->data.first_row + r;
      const part_entry entry = {law->part, QUANTITY_DIRECTION, row - row0, 0};
      const double *W = e->W + law->W0 + (size_t)r * (size_t)law->width;
      for (int k = 0; k < law->width; k++)
        if (!isfinite(W[k])) return picus_evaluation_blame(e, entry, W[k]);
      if (!isfinite(e->chi[row])) return picus_evaluation_blame(e, entry, e->chi[row]);
    }
  }
  return PICUS_OK;
}

picus_status picus_evaluation_update_directions(picus_evaluation *e) {
  if (e->directions_ready) return PICUS_OK;
  for (int p = 0; p < e->system->part_count; p++) {
    const system_part *part = &e->system->parts[p];
    if (part->law_count == 0) continue;
    picus_status status = part->ops->directions(part->self, e->context, &e->points[p],
                                                e->W + e->system->laws[part->law0].W0, e->chi + part->row0);
    if (status != PICUS_OK) return status;
  }
  if (!picus_many_finite(e->W, e->system->W_size) || !picus_all_finite(e->chi, (size_t)e->system->row_count))
    return blame_direction(e);
  e->directions_ready = true;
  return PICUS_OK;
}

picus_status picus_evaluate_directions(picus_evaluation *e, double *W, double *chi) {
  picus_status status = picus_evaluation_update_directions(e);
  if (status != PICUS_OK) return status;
  const picus_system *s = e->system;
  memset(W, 0, (size_t)s->row_count * (size_t)s->nu * sizeof *W);
  for (int i = 0; i < s->law_count; i++) {
    const system_law *law = &s->laws[i];
    for (int r = 0; r < law->data.dim; r++)
      picus_law_row_add(s, law, e->W + law->W0 + (size_t)r * (size_t)law->width, 1,
                        W + (size_t)(law->data.first_row + r) * (size_t)s->nu);
  }
  memcpy(chi, e->chi, (size_t)s->row_count * sizeof *chi);
  return PICUS_OK;
}

picus_status picus_evaluate_velocities(picus_evaluation *e, double *gamma) {
  picus_status status = picus_evaluation_update_directions(e);
  if (status != PICUS_OK) return status;
  for (int i = 0; i < e->system->law_count; i++) {
    const system_law *law = &e->system->laws[i];
    for (int r = 0; r < law->data.dim; r++) {
      int row = law->data.first_row + r;
      gamma[row] =
          picus_law_row_dot(e->system, law, e->W + law->W0 + (size_t)r * (size_t)law->width, e->u) + e->chi[row];
    }
  }
  return PICUS_OK;
}
