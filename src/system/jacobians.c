/* Jacobians of a complete system: each part writes its own block of the dense matrix. */
#include "system/internal.h"

#include "base/internal.h"

#include <string.h>

/* Copies a part's block (rows x columns) into a matrix. */
static void place(const double *block, int rows, int columns, dense_place to) {
  for (int i = 0; i < rows; i++)
    memcpy(to.first + (size_t)i * to.width, block + (size_t)i * (size_t)columns, (size_t)columns * sizeof *to.first);
}

static void clear(double *matrix, int rows, int columns) {
  memset(matrix, 0, (size_t)rows * (size_t)columns * sizeof *matrix);
}

static void zero(double *values, size_t count) { memset(values, 0, count * sizeof *values); }

static size_t product(int rows, int columns) { return (size_t)rows * (size_t)columns; }

/* Names a value of a Jacobian that is not finite. */
static picus_status checked(picus_evaluation *e, int p, part_quantity quantity, const double *values, int rows,
                            int columns) {
  const size_t count = product(rows, columns);
  return picus_many_finite(values, count) ? PICUS_OK
                                          : picus_evaluation_blame_block(e, p, quantity, values, count, columns);
}

picus_status picus_evaluation_part_damping(picus_evaluation *e, int p, double *dh_dq, double *dh_du) {
  const system_part *part = &e->system->parts[p];
  size_t by_q = part->pattern ? (size_t)part->pattern->row_start[part->nu] : product(part->nu, part->nq);
  size_t by_u = part->pattern ? by_q : product(part->nu, part->nu);
  zero(dh_dq, by_q);
  zero(dh_du, by_u);
  if (part->nu == 0) return PICUS_OK; /* a part that only provides laws */
  picus_status status = part->ops->force_jacobian(part->self, e->context, &e->points[p], dh_dq, dh_du);
  if (status != PICUS_OK || part->pattern) return status; /* the values of a pattern come from the model */
  return checked(e, p, QUANTITY_FORCE_U, dh_du, part->nu, part->nu);
}

picus_status picus_evaluation_part_tangents(picus_evaluation *e, int p, double *dh_dq, double *dh_du) {
  const system_part *part = &e->system->parts[p];
  picus_status status = picus_evaluation_part_damping(e, p, dh_dq, dh_du);
  if (status != PICUS_OK || part->pattern) return status;
  return checked(e, p, QUANTITY_FORCE_Q, dh_dq, part->nu, part->nq);
}

picus_status picus_evaluation_part_rates(picus_evaluation *e, int p, double *drate_dq, double *B) {
  const system_part *part = &e->system->parts[p];
  zero(drate_dq, product(part->nq, part->nq));
  zero(B, product(part->nq, part->nu));
  picus_status status = part->ops->rate_jacobian(part->self, e->context, &e->points[p], drate_dq, B);
  if (status == PICUS_OK) status = checked(e, p, QUANTITY_RATE_Q, drate_dq, part->nq, part->nq);
  return status == PICUS_OK ? checked(e, p, QUANTITY_RATE_U, B, part->nq, part->nu) : status;
}

picus_status picus_evaluation_part_gaps(picus_evaluation *e, int p, double *dg_dq) {
  const system_part *part = &e->system->parts[p];
  zero(dg_dq, product(part->law_count, part->nq));
  picus_status status = part->ops->gap_jacobian(part->self, e->context, &e->points[p], dg_dq);
  return status == PICUS_OK ? checked(e, p, QUANTITY_GAP_Q, dg_dq, part->law_count, part->nq) : status;
}

picus_status picus_evaluation_part_mass(picus_evaluation *e, int p, const double *v, double *dMv_dq) {
  const system_part *part = &e->system->parts[p];
  zero(dMv_dq, product(part->nu, part->nq));
  picus_status status = part->ops->mass_jacobian(part->self, e->context, &e->points[p], v, dMv_dq);
  return status == PICUS_OK ? checked(e, p, QUANTITY_MASS_Q, dMv_dq, part->nu, part->nq) : status;
}

picus_status picus_evaluation_part_velocities(picus_evaluation *e, int p, double *dgamma_dq) {
  const system_part *part = &e->system->parts[p];
  zero(dgamma_dq, product(part->row_count, part->nq));
  picus_status status = part->ops->velocity_jacobian(part->self, e->context, &e->points[p], dgamma_dq);
  return status == PICUS_OK ? checked(e, p, QUANTITY_VELOCITY_Q, dgamma_dq, part->row_count, part->nq) : status;
}

picus_status picus_evaluation_part_directions(picus_evaluation *e, int p, const double *P, double *dWP_dq) {
  const system_part *part = &e->system->parts[p];
  zero(dWP_dq, product(part->nu, part->nq));
  picus_status status = part->ops->direction_jacobian(part->self, e->context, &e->points[p], P, dWP_dq);
  return status == PICUS_OK ? checked(e, p, QUANTITY_DIRECTION_Q, dWP_dq, part->nu, part->nq) : status;
}

picus_status picus_evaluate_force_jacobian(picus_evaluation *e, double *dh_dq, double *dh_du) {
  const picus_system *s = e->system;
  clear(dh_dq, s->nu, s->nq);
  clear(dh_du, s->nu, s->nu);
  for (int p = 0; p < s->part_count; p++) {
    const system_part *part = &s->parts[p];
    double *by_q = e->scratch, *by_u = e->scratch + e->scratch_size;
    picus_status status = picus_evaluation_part_tangents(e, p, by_q, by_u);
    if (status != PICUS_OK) return status;
    if (part->pattern)
      picus_part_matrix_place(by_q, part->nu, part->pattern, picus_dense_place(dh_dq, s->nq, part->u0, part->q0));
    else
      place(by_q, part->nu, part->nq, picus_dense_place(dh_dq, s->nq, part->u0, part->q0));
    picus_part_matrix_place(by_u, part->nu, part->pattern, picus_dense_place(dh_du, s->nu, part->u0, part->u0));
  }
  return PICUS_OK;
}

/* A gap of a law that acts on other parts than its own: there q' = u, so that dg/dq is the first row of W^T. */
static picus_status add_gap_slopes_of_others(picus_evaluation *e, double *dg_dq) {
  const picus_system *s = e->system;
  for (int i = 0; i < s->law_count; i++) {
    const system_law *law = &s->laws[i];
    if (!law->data.has_gap || (law->block_count == 1 && law->blocks[0] == law->part)) continue;
    picus_status status = picus_evaluation_update_directions(e);
    if (status != PICUS_OK) return status;
    const double *row = e->W + law->W0;
    for (int b = 0; b < law->block_count; b++) {
      const system_part *part = &s->parts[law->blocks[b]];
      if (law->blocks[b] != law->part) place(row, 1, part->nu, picus_dense_place(dg_dq, s->nq, i, part->q0));
      row += part->nu;
    }
  }
  return PICUS_OK;
}

picus_status picus_evaluate_gap_jacobian(picus_evaluation *e, double *dg_dq) {
  const picus_system *s = e->system;
  clear(dg_dq, s->law_count, s->nq);
  for (int p = 0; p < s->part_count; p++) {
    const system_part *part = &s->parts[p];
    double *block = e->scratch;
    picus_status status = picus_evaluation_part_gaps(e, p, block);
    if (status != PICUS_OK) return status;
    place(block, part->law_count, part->nq, picus_dense_place(dg_dq, s->nq, part->law0, part->q0));
  }
  return add_gap_slopes_of_others(e, dg_dq);
}

picus_status picus_evaluate_rate_jacobian(picus_evaluation *e, double *drate_dq, double *B) {
  const picus_system *s = e->system;
  clear(drate_dq, s->nq, s->nq);
  clear(B, s->nq, s->nu);
  for (int p = 0; p < s->part_count; p++) {
    const system_part *part = &s->parts[p];
    if (part->identity_rates) {
      for (int i = 0; i < part->nu; i++) B[(size_t)(part->q0 + i) * (size_t)s->nu + (size_t)(part->u0 + i)] = 1;
      continue;
    }
    double *by_q = e->scratch, *by_u = e->scratch + e->scratch_size;
    picus_status status = picus_evaluation_part_rates(e, p, by_q, by_u);
    if (status != PICUS_OK) return status;
    place(by_q, part->nq, part->nq, picus_dense_place(drate_dq, s->nq, part->q0, part->q0));
    place(by_u, part->nq, part->nu, picus_dense_place(B, s->nu, part->q0, part->u0));
  }
  return PICUS_OK;
}

picus_status picus_evaluate_mass_jacobian(picus_evaluation *e, const double *v, double *dMv_dq) {
  const picus_system *s = e->system;
  clear(dMv_dq, s->nu, s->nq);
  for (int p = 0; p < s->part_count; p++) {
    const system_part *part = &s->parts[p];
    if (!part->ops->mass_jacobian) continue;
    double *block = e->scratch;
    picus_status status = picus_evaluation_part_mass(e, p, v + part->u0, block);
    if (status != PICUS_OK) return status;
    place(block, part->nu, part->nq, picus_dense_place(dMv_dq, s->nq, part->u0, part->q0));
  }
  return PICUS_OK;
}

picus_status picus_evaluate_velocity_jacobian(picus_evaluation *e, double *dgamma_dq) {
  const picus_system *s = e->system;
  clear(dgamma_dq, s->row_count, s->nq);
  for (int p = 0; p < s->part_count; p++) {
    const system_part *part = &s->parts[p];
    if (!part->ops->velocity_jacobian) continue;
    double *block = e->scratch;
    picus_status status = picus_evaluation_part_velocities(e, p, block);
    if (status != PICUS_OK) return status;
    place(block, part->row_count, part->nq, picus_dense_place(dgamma_dq, s->nq, part->row0, part->q0));
  }
  return PICUS_OK;
}

picus_status picus_evaluate_direction_jacobian(picus_evaluation *e, const double *P, double *dWP_dq) {
  const picus_system *s = e->system;
  clear(dWP_dq, s->nu, s->nq);
  for (int p = 0; p < s->part_count; p++) {
    const system_part *part = &s->parts[p];
    if (!part->ops->direction_jacobian) continue;
    double *block = e->scratch;
    picus_status status = picus_evaluation_part_directions(e, p, P + part->row0, block);
    if (status != PICUS_OK) return status;
    place(block, part->nu, part->nq, picus_dense_place(dWP_dq, s->nq, part->u0, part->q0));
  }
  return PICUS_OK;
}
