/* Jacobians of a whole system: each part writes its own block, which goes to its place in the dense matrix. */
#include "system/internal.h"

#include <string.h>

/* Copies a part's block (rows x columns) into a matrix with `width` columns. */
static void place(const double *block, int rows, int columns, double *matrix, int row0, int column0, int width) {
  for (int i = 0; i < rows; i++)
    memcpy(matrix + (size_t)(row0 + i) * (size_t)width + column0, block + (size_t)i * (size_t)columns,
           (size_t)columns * sizeof *matrix);
}

static void clear(double *matrix, int rows, int columns) {
  memset(matrix, 0, (size_t)rows * (size_t)columns * sizeof *matrix);
}

static double *zeroed(picus_evaluation *e, int slot, int rows, int columns) {
  double *block = e->scratch + (size_t)slot * e->scratch_size;
  clear(block, rows, columns);
  return block;
}

picus_status picus_evaluation_part_tangents(picus_evaluation *e, int p, double *dh_dq, double *dh_du) {
  const system_part *part = &e->system->parts[p];
  size_t by_q = part->pattern ? (size_t)part->pattern->row_start[part->nu] : (size_t)part->nu * (size_t)part->nq;
  size_t by_u = part->pattern ? by_q : (size_t)part->nu * (size_t)part->nu;
  memset(dh_dq, 0, by_q * sizeof *dh_dq);
  memset(dh_du, 0, by_u * sizeof *dh_du);
  if (part->nu == 0) return PICUS_OK; /* a part that only provides laws */
  return part->ops->force_jacobian(part->self, e->context, &e->points[p], dh_dq, dh_du);
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
      picus_part_matrix_place(by_q, part->nu, part->pattern, dh_dq, part->u0, part->q0, s->nq);
    else
      place(by_q, part->nu, part->nq, dh_dq, part->u0, part->q0, s->nq);
    picus_part_matrix_place(by_u, part->nu, part->pattern, dh_du, part->u0, part->u0, s->nu);
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
      if (law->blocks[b] != law->part) place(row, 1, part->nu, dg_dq, i, part->q0, s->nq);
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
    double *block = zeroed(e, 0, part->law_count, part->nq);
    picus_status status = part->ops->gap_jacobian(part->self, e->context, &e->points[p], block);
    if (status != PICUS_OK) return status;
    place(block, part->law_count, part->nq, dg_dq, part->law0, part->q0, s->nq);
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
    double *by_q = zeroed(e, 0, part->nq, part->nq), *by_u = zeroed(e, 1, part->nq, part->nu);
    picus_status status = part->ops->rate_jacobian(part->self, e->context, &e->points[p], by_q, by_u);
    if (status != PICUS_OK) return status;
    place(by_q, part->nq, part->nq, drate_dq, part->q0, part->q0, s->nq);
    place(by_u, part->nq, part->nu, B, part->q0, part->u0, s->nu);
  }
  return PICUS_OK;
}

picus_status picus_evaluate_mass_jacobian(picus_evaluation *e, const double *v, double *dMv_dq) {
  const picus_system *s = e->system;
  clear(dMv_dq, s->nu, s->nq);
  for (int p = 0; p < s->part_count; p++) {
    const system_part *part = &s->parts[p];
    if (!part->ops->mass_jacobian) continue;
    double *block = zeroed(e, 0, part->nu, part->nq);
    picus_status status = part->ops->mass_jacobian(part->self, e->context, &e->points[p], v + part->u0, block);
    if (status != PICUS_OK) return status;
    place(block, part->nu, part->nq, dMv_dq, part->u0, part->q0, s->nq);
  }
  return PICUS_OK;
}

picus_status picus_evaluate_velocity_jacobian(picus_evaluation *e, double *dgamma_dq) {
  const picus_system *s = e->system;
  clear(dgamma_dq, s->row_count, s->nq);
  for (int p = 0; p < s->part_count; p++) {
    const system_part *part = &s->parts[p];
    if (!part->ops->velocity_jacobian) continue;
    double *block = zeroed(e, 0, part->row_count, part->nq);
    picus_status status = part->ops->velocity_jacobian(part->self, e->context, &e->points[p], block);
    if (status != PICUS_OK) return status;
    place(block, part->row_count, part->nq, dgamma_dq, part->row0, part->q0, s->nq);
  }
  return PICUS_OK;
}

picus_status picus_evaluate_direction_jacobian(picus_evaluation *e, const double *P, double *dWP_dq) {
  const picus_system *s = e->system;
  clear(dWP_dq, s->nu, s->nq);
  for (int p = 0; p < s->part_count; p++) {
    const system_part *part = &s->parts[p];
    if (!part->ops->direction_jacobian) continue;
    double *block = zeroed(e, 0, part->nu, part->nq);
    picus_status status = part->ops->direction_jacobian(part->self, e->context, &e->points[p], P + part->row0, block);
    if (status != PICUS_OK) return status;
    place(block, part->nu, part->nq, dWP_dq, part->u0, part->q0, s->nq);
  }
  return PICUS_OK;
}
