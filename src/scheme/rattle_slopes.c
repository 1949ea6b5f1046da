/* The Newton iteration in the first stage of rattle: the matrix A = M - dt/2 dh/du of the balance, the positions that
 * belong to a velocity, and how gaps and relative velocities at the end of the step change with that velocity:
 *
 *   d(g / dt)/du = dg/dq X / dt,     d gamma/du = W^T + dgamma/dq X,     X = dq_end/du,
 *
 * or the mean of this d gamma/du and W^T at the start, where gamma is the mean of both ends. Where q' = u, X = dt and
 * dg/dq = W^T. A law that acts on several parts uses W^T alone: the iteration covers the rest, which is of order dt. */
#include "scheme/rattle.h"

#include "base/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_POSITION_STEPS = 30 };

static size_t entries(const system_part *part, int columns) {
  return part->pattern ? (size_t)part->pattern->row_start[part->nu] : (size_t)part->nu * (size_t)columns;
}

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

static picus_status create_part(stepper *s, int p) {
  const system_part *part = &s->system->parts[p];
  rattle_part *own = &s->rattle->parts[p];
  size_t nq = (size_t)part->nq, nu = (size_t)part->nu;
  if (part->identity_rates) return PICUS_OK;
  own->slope = picus_allocate(s->context, nq * nu, sizeof(double));
  own->B_begin = picus_allocate(s->context, nq * nu, sizeof(double));
  own->factor = picus_allocate(s->context, nq * nq, sizeof(double));
  own->pivots = picus_allocate(s->context, nq, sizeof(int));
  return own->slope && own->B_begin && own->factor && own->pivots ? PICUS_OK : PICUS_ERROR_MEMORY;
}

picus_status picus_rattle_slopes_create(stepper *s) {
  rattle_step *r = s->rattle;
  const picus_system *system = s->system;
  size_t by_q = 0, by_u = 0, rates = 0, B = 0, gaps = 0, gammas = 0;
  r->matrix_constant = system->constants.mass;
  r->rows_are_W = system->constants.directions && system->constants.identity_rates;
  for (int p = 0; p < system->part_count; p++) {
    const system_part *part = &system->parts[p];
    size_t nq = (size_t)part->nq;
    by_q = larger(by_q, entries(part, part->nq));
    by_u = larger(by_u, entries(part, part->nu));
    r->matrix_constant = r->matrix_constant && (part->nu == 0 || part->tangents_constant);
    if (r->rows_are_W) continue;
    gammas = larger(gammas, (size_t)part->row_count * nq);
    if (part->identity_rates) continue;
    rates = larger(rates, nq * nq);
    B = larger(B, nq * (size_t)part->nu);
    gaps = larger(gaps, (size_t)part->law_count * nq);
  }
  struct {
    double **array;
    size_t count;
  } const arrays[] = {{&r->dh_dq, by_q}, {&r->dh_du, by_u},   {&r->drate_dq, rates},
                      {&r->B, B},        {&r->dgap_dq, gaps}, {&r->dgamma_dq, gammas}};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
    if (!(*arrays[i].array = picus_allocate(s->context, arrays[i].count, sizeof(double)))) return PICUS_ERROR_MEMORY;
  r->parts = picus_allocate(s->context, (size_t)system->part_count, sizeof *r->parts);
  picus_status status = r->parts ? PICUS_OK : PICUS_ERROR_MEMORY;
  for (int p = 0; status == PICUS_OK && p < system->part_count; p++) status = create_part(s, p);
  return status == PICUS_OK ? picus_system_matrix_create(s->context, system, &r->matrix) : status;
}

void picus_rattle_slopes_release(stepper *s) {
  rattle_step *r = s->rattle;
  for (int p = 0; r->parts && p < s->system->part_count; p++) {
    picus_release(s->context, r->parts[p].slope);
    picus_release(s->context, r->parts[p].B_begin);
    picus_release(s->context, r->parts[p].factor);
    picus_release(s->context, r->parts[p].pivots);
  }
  double *const arrays[] = {r->dh_dq, r->dh_du, r->drate_dq, r->B, r->dgap_dq, r->dgamma_dq};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) picus_release(s->context, arrays[i]);
  picus_release(s->context, r->parts);
  if (r->matrix.blocks) picus_system_matrix_release(s->context, &r->matrix);
}

/* --- positions ---------------------------------------------------------------------------------------------------- */

/* drate/dq and B of a part into r->drate_dq and B. */
static picus_status rate_slopes(stepper *s, picus_evaluation *e, int p, double *B) {
  return picus_evaluation_part_rates(e, p, s->rattle->drate_dq, B);
}

picus_status picus_rattle_begin_rates(stepper *s) {
  for (int p = 0; p < s->system->part_count; p++) {
    if (s->system->parts[p].identity_rates) continue;
    picus_status status = rate_slopes(s, s->evaluation, p, s->rattle->parts[p].B_begin);
    if (status != PICUS_OK) return status;
  }
  return PICUS_OK;
}

/* Factors 1 - dt/2 drate/dq at the end of the step; with_slope: X as well. */
static picus_status factor_rates(stepper *s, int p, bool with_slope) {
  rattle_step *r = s->rattle;
  const system_part *part = &s->system->parts[p];
  rattle_part *own = &r->parts[p];
  const int nq = part->nq, nu = part->nu;
  picus_status status = rate_slopes(s, r->end, p, r->B);
  if (status != PICUS_OK) return status;
  for (int i = 0; i < nq; i++)
    for (int j = 0; j < nq; j++) {
      size_t at = (size_t)i * (size_t)nq + (size_t)j;
      own->factor[at] = (i == j ? 1 : 0) - 0.5 * r->dt * r->drate_dq[at];
    }
  if (!picus_lu_factor(nq, own->factor, own->pivots))
    return picus_fail(s->context, PICUS_NOT_CONVERGED,
                      "the iteration for the positions of the step from t = %.9g did not converge: the step is too "
                      "large for the rates q'",
                      s->t);
  double *column = r->rate; /* nq, free here */
  for (int j = 0; with_slope && j < nu; j++) {
    for (int i = 0; i < nq; i++) {
      size_t at = (size_t)i * (size_t)nu + (size_t)j;
      column[i] = 0.5 * r->dt * (own->B_begin[at] + r->B[at]);
    }
    picus_lu_solve(nq, own->factor, own->pivots, column);
    for (int i = 0; i < nq; i++) own->slope[(size_t)i * (size_t)nu + (size_t)j] = column[i];
  }
  return PICUS_OK;
}

/* q = q_begin + change; the round-off errors of the start and of now are kept if the stepper keeps them. */
static void move_positions(stepper *s, int first, int count, const double *change) {
  rattle_step *r = s->rattle;
  for (int i = first; i < first + count; i++)
    if (s->q_low)
      r->q[i] = picus_two_sum(s->q[i], s->q_low[i] + change[i], &r->q_low[i]);
    else
      r->q[i] = s->q[i] + change[i];
}

/* One Newton step on the change of the positions of all parts, in s->q_change; *largest: of its corrections relative to
 * round-off. */
static picus_status correct_positions(stepper *s, double *largest) {
  rattle_step *r = s->rattle;
  const picus_system *system = s->system;
  *largest = 0;
  picus_status status = picus_evaluate_rate(r->end, r->rate);
  if (status != PICUS_OK) return status;
  double *lack = s->q_next, *change = s->q_change;
  for (int i = 0; i < system->nq; i++) lack[i] = 0.5 * r->dt * (r->rate_begin[i] + r->rate[i]) - change[i];
  for (int p = 0; p < system->part_count; p++) {
    const system_part *part = &system->parts[p];
    if (!part->identity_rates) {
      if ((status = factor_rates(s, p, false)) != PICUS_OK) return status;
      picus_lu_solve(part->nq, r->parts[p].factor, r->parts[p].pivots, lack + part->q0);
    }
    double size = 0;
    for (int i = part->q0; i < part->q0 + part->nq; i++) size = fmax(size, fabs(r->q[i]));
    for (int i = part->q0; i < part->q0 + part->nq; i++) {
      change[i] += lack[i];
      *largest = fmax(*largest, fabs(lack[i]) / (8 * DBL_EPSILON * size + DBL_MIN));
    }
    move_positions(s, part->q0, part->nq, change);
  }
  return PICUS_OK;
}

picus_status picus_rattle_positions(stepper *s) {
  rattle_step *r = s->rattle;
  if (s->system->constants.identity_rates) {
    for (int i = 0; i < s->system->nq; i++) s->q_change[i] = r->dt * r->u[i];
    move_positions(s, 0, s->system->nq, s->q_change);
    picus_evaluation_set_point(r->end, r->t_end, r->q, r->u);
    return PICUS_OK;
  }
  picus_status status = picus_evaluate_rate(s->evaluation, r->rate_begin); /* is at (t, q_begin, u) */
  if (status != PICUS_OK) return status;
  double largest = INFINITY;
  for (int i = 0; i < s->system->nq; i++) s->q_change[i] = r->q[i] - s->q[i]; /* of the iterate before */
  for (int step = 0; step < MOST_POSITION_STEPS && largest > 1; step++) {
    picus_evaluation_set_point(r->end, r->t_end, r->q, r->u);
    if ((status = correct_positions(s, &largest)) != PICUS_OK) return status;
  }
  picus_evaluation_set_point(r->end, r->t_end, r->q, r->u);
  if (largest <= 1) return PICUS_OK;
  return picus_fail(s->context, PICUS_NOT_CONVERGED,
                    "the iteration for the positions of the step from t = %.9g did not converge: the step is too large "
                    "for the rates q'",
                    s->t);
}

/* --- matrix and rows ---------------------------------------------------------------------------------------------- */

picus_status picus_rattle_matrix(stepper *s) {
  rattle_step *r = s->rattle;
  if (r->matrix_constant && r->matrix_dt == r->dt) return PICUS_OK;
  r->matrix_dt = 0;
  for (int p = 0; p < s->system->part_count; p++) {
    const system_part *part = &s->system->parts[p];
    part_matrix *A = &r->matrix.blocks[p];
    const double *M = s->evaluation->mass.blocks[p].values;
    if (part->nu == 0) continue;
    picus_status status = picus_evaluation_part_damping(s->evaluation, p, r->dh_dq, r->dh_du);
    if (status != PICUS_OK) return status;
    for (size_t k = 0; k < A->count; k++) A->values[k] = M[k] - 0.5 * r->dt * r->dh_du[k];
    if (!picus_part_matrix_factor(A, r->matrix_constant))
      return picus_fail(s->context, PICUS_NOT_CONVERGED,
                        "the step from t = %.9g has a singular matrix M - dt/2 dh/du; use a smaller step", s->t);
  }
  r->matrix_dt = r->dt;
  s->delassus.ready = false;
  s->problem.filled = false;
  if (r->matrix_constant && r->rows_are_W) picus_delassus_fill(&s->delassus, r->end, &r->matrix);
  return PICUS_OK;
}

/* row += factor (slope X), X of the part or dt. */
static void add_slope(const stepper *s, int p, double factor, const double *slope, double *row) {
  const system_part *part = &s->system->parts[p];
  const double *X = s->rattle->parts[p].slope;
  if (part->identity_rates) {
    for (int j = 0; j < part->nu; j++) row[j] += factor * s->rattle->dt * slope[j];
    return;
  }
  for (int i = 0; i < part->nq; i++) {
    if (slope[i] == 0) continue;
    for (int j = 0; j < part->nu; j++) row[j] += factor * slope[i] * X[(size_t)i * (size_t)part->nu + (size_t)j];
  }
}

static picus_status law_slopes(stepper *s, int p) {
  rattle_step *r = s->rattle;
  const system_part *part = &s->system->parts[p];
  picus_status status = PICUS_OK;
  if (part->ops->velocity_jacobian) status = picus_evaluation_part_velocities(r->end, p, r->dgamma_dq);
  if (status != PICUS_OK || part->identity_rates) return status;
  status = picus_evaluation_part_gaps(r->end, p, r->dgap_dq);
  return status == PICUS_OK ? factor_rates(s, p, true) : status;
}

/* The weight of the end of the step in a relative velocity; the rest is at its start. */
static double end_share(const stepper *s) { return s->options.slip_direction == PICUS_SLIP_END ? 1 : 0.5; }

/* The directions of gaps at the end of the step, and of velocities where these are evaluated. */
static void fill_directions(stepper *s) {
  rattle_step *r = s->rattle;
  const double end = end_share(s);
  memcpy(r->rows, r->end->W, s->system->W_size * sizeof *r->rows);
  for (int i = 0; end < 1 && i < s->system->law_count; i++) {
    const system_law *law = &s->system->laws[i];
    const size_t first = law->data.has_gap ? (size_t)law->width : 0;
    const size_t count = (size_t)law->data.dim * (size_t)law->width;
    double *row = r->rows + law->W0;
    const double *begin = s->evaluation->W + law->W0;
    for (size_t j = first; j < count; j++) row[j] = end * row[j] + (1 - end) * begin[j];
  }
}

static void fill_law(stepper *s, int p, int i) {
  rattle_step *r = s->rattle;
  const system_part *part = &s->system->parts[p];
  const system_law *law = &s->system->laws[i];
  const size_t nq = (size_t)part->nq;
  for (int k = 0; k < law->data.dim; k++) {
    double *row = r->rows + law->W0 + (size_t)k * (size_t)law->width;
    bool is_gap = law->data.has_gap && k == 0;
    if (is_gap && part->identity_rates) continue;
    if (is_gap) {
      memset(row, 0, (size_t)law->width * sizeof *row);
      add_slope(s, p, 1 / r->dt, r->dgap_dq + (size_t)(i - part->law0) * nq, row);
    } else if (part->ops->velocity_jacobian)
      add_slope(s, p, end_share(s), r->dgamma_dq + (size_t)(law->data.first_row + k - part->row0) * nq, row);
  }
}

picus_status picus_rattle_rows(stepper *s) {
  rattle_step *r = s->rattle;
  if (r->rows_are_W) return PICUS_OK;
  fill_directions(s);
  for (int p = 0; p < s->system->part_count; p++) {
    const system_part *part = &s->system->parts[p];
    if (part->law_count == 0 || part->nu == 0) continue;
    picus_status status = law_slopes(s, p);
    if (status != PICUS_OK) return status;
    for (int i = part->law0; i < part->law0 + part->law_count; i++) {
      const system_law *law = &s->system->laws[i];
      if (law->block_count == 1 && law->blocks[0] == p) fill_law(s, p, i);
    }
  }
  return PICUS_OK;
}
