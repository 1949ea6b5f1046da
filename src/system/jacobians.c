/* Jacobians: of one part, of all laws, and of a complete system as dense matrices. */
#include "system/law_rows.h"
#include "system/law_set.h"

#include "base/internal.h"

#include <math.h>
#include <string.h>

static void zero(double *values, size_t count) { memset(values, 0, count * sizeof *values); }

static size_t product(int rows, int columns) { return (size_t)rows * (size_t)columns; }

/* --- of one part ------------------------------------------------------------------------------------------------- */

/* A part with the source that evaluates it. */
typedef struct part_view {
  const system_part *part;
  const system_source *source;
  const source_point *point;
  int index; /* among the parts of the source */
} part_view;

static part_view view_of(const picus_evaluation *e, int p) {
  const system_part *part = &e->system->parts[p];
  const system_source *source = &e->system->sources[part->source];
  return (part_view){part, source, &e->points[part->source], p - source->part0};
}

/* Prepares Jacobians that nobody has requested yet. */
static picus_status need(picus_evaluation *e, unsigned jacobians) {
  return jacobians & ~e->jacobians ? picus_evaluation_request_few(e, jacobians) : PICUS_OK;
}

/* Names a value of a Jacobian that is not finite. */
static picus_status checked(picus_evaluation *e, int p, part_quantity quantity, const double *values, int rows,
                            int columns) {
  const size_t count = product(rows, columns);
  return picus_all_finite(values, count) ? PICUS_OK
                                         : picus_evaluation_blame_part(e, p, quantity, values, count, columns);
}

static picus_status fill_tangents(picus_evaluation *e, const part_view *v, double *dh_dq, double *dh_du) {
  const system_part *part = v->part;
  size_t by_q = part->pattern ? (size_t)part->pattern->row_start[part->nu] : product(part->nu, part->q_width);
  size_t by_u = part->pattern ? by_q : product(part->nu, part->u_width);
  zero(dh_dq, by_q);
  zero(dh_du, by_u);
  if (part->nu == 0) return PICUS_OK; /* coordinates that move by themselves */
  return v->source->ops->force_jacobian(v->source->self, e->context, v->point, v->index, dh_dq, dh_du);
}

static picus_status fill_damping(picus_evaluation *e, const part_view *v, double *dh_du) {
  zero(dh_du, product(v->part->nu, v->part->u_width));
  return v->source->ops->damping_jacobian(v->source->self, e->context, v->point, v->index, dh_du);
}

picus_status picus_evaluation_part_damping(picus_evaluation *e, int p, double *dh_dq, double *dh_du) {
  const part_view v = view_of(e, p);
  picus_status status = need(e, PICUS_JACOBIAN(JACOBIAN_FORCE_U)); /* sources without the short way prepare nothing */
  if (status) return status;
  status = v.source->ops->damping_jacobian ? fill_damping(e, &v, dh_du) : fill_tangents(e, &v, dh_dq, dh_du);
  if (status || v.part->pattern) return status; /* the values of a pattern come from the model */
  return checked(e, p, QUANTITY_FORCE_U, dh_du, v.part->nu, v.part->u_width);
}

picus_status picus_evaluation_part_tangents(picus_evaluation *e, int p, double *dh_dq, double *dh_du) {
  const part_view v = view_of(e, p);
  const system_part *part = v.part;
  picus_status status = need(e, PICUS_JACOBIANS_OF_FORCES);
  if (!status) status = fill_tangents(e, &v, dh_dq, dh_du);
  if (status || part->pattern) return status;
  status = checked(e, p, QUANTITY_FORCE_U, dh_du, part->nu, part->u_width);
  return status ? status : checked(e, p, QUANTITY_FORCE_Q, dh_dq, part->nu, part->q_width);
}

picus_status picus_evaluation_couplings(picus_evaluation *e, double *dh_dq, double *dh_du) {
  const picus_system *s = e->system;
  picus_status status = need(e, dh_dq ? PICUS_JACOBIANS_OF_FORCES : PICUS_JACOBIAN(JACOBIAN_FORCE_U));
  if (dh_dq) zero(dh_dq, s->coupling_q);
  zero(dh_du, s->coupling_u);
  for (int k = 0; !status && k < s->source_count; k++)
    if (s->sources[k].ops->couplings)
      status = s->sources[k].ops->couplings(s->sources[k].self, e->context, &e->points[k], dh_dq, dh_du);
  if (status) return status;
  for (int k = 0; k < s->coupling_count; k++) {
    const system_coupling *c = &s->couplings[k];
    if (picus_all_finite(dh_du + c->by_u, (size_t)c->nu) &&
        (!dh_dq || picus_all_finite(dh_dq + c->by_q, (size_t)c->nq)))
      continue;
    return picus_fail(e->context, PICUS_ERROR_NUMBER,
                      "a derivative of the force on '%s' by '%s' or its velocity is not a finite number at t = %.9g; "
                      "check the expressions of forces and energies with displacements",
                      s->u_names[c->row].name, c->nq > 0 ? s->q_names[c->q0].name : s->u_names[c->u0].name, e->t);
  }
  return PICUS_OK;
}

picus_status picus_evaluation_turning(picus_evaluation *e, const double *P, double *dWP_dq) {
  const picus_system *s = e->system;
  picus_status status = need(e, PICUS_JACOBIAN(JACOBIAN_DIRECTION_Q));
  zero(dWP_dq, s->turning_q);
  for (int k = 0; !status && k < s->source_count; k++) {
    const system_source *source = &s->sources[k];
    if (source->ops->turning)
      status = source->ops->turning(source->self, e->context, &e->points[k], P + source->row0, dWP_dq);
  }
  for (int k = 0; !status && k < s->turning_count; k++) {
    const system_coupling *c = &s->turning[k];
    if (!picus_all_finite(dWP_dq + c->by_q, (size_t)c->nq))
      status = picus_fail(e->context, PICUS_ERROR_NUMBER,
                          "a derivative of the directions of laws on '%s' by '%s' is not a finite number at t = %.9g; "
                          "check the gaps and slips with displacements",
                          s->u_names[c->row].name, s->q_names[c->q0].name, e->t);
  }
  return status;
}

bool picus_evaluation_couplings_constant(const picus_evaluation *e, jacobian_kind kind) {
  const picus_system *s = e->system;
  if (s->coupling_count == 0) return true;
  for (int k = 0; k < s->source_count; k++) {
    const source_ops *ops = s->sources[k].ops;
    if (ops->couplings && !ops->tangent_constant(s->sources[k].self, &e->points[k], 0, kind)) return false;
  }
  return true;
}

picus_status picus_evaluation_part_rates(picus_evaluation *e, int p, double *drate_dq, double *B) {
  const part_view v = view_of(e, p);
  const system_part *part = v.part;
  zero(drate_dq, product(part->nq, part->nq));
  zero(B, product(part->nq, part->nu));
  picus_status status = need(e, PICUS_JACOBIANS_OF_RATES);
  if (!status) status = v.source->ops->rate_jacobian(v.source->self, e->context, v.point, v.index, drate_dq, B);
  if (!status) status = checked(e, p, QUANTITY_RATE_Q, drate_dq, part->nq, part->nq);
  return status ? status : checked(e, p, QUANTITY_RATE_U, B, part->nq, part->nu);
}

void picus_evaluation_set_momentum(picus_evaluation *e, const double *v) {
  for (int k = 0; k < e->system->source_count; k++) {
    const system_source *source = &e->system->sources[k];
    if (source->ops->set_momentum) source->ops->set_momentum(source->self, &e->points[k], v + source->u0);
  }
}

bool picus_part_mass_varies(const picus_system *system, int p) {
  const system_part *part = &system->parts[p];
  return !part->mass_constant && system->sources[part->source].ops->mass_jacobian;
}

picus_status picus_evaluation_part_mass(picus_evaluation *e, int p, double *dMv_dq) {
  const part_view v = view_of(e, p);
  zero(dMv_dq, product(v.part->nu, v.part->nq));
  picus_status status = v.source->ops->mass_jacobian(v.source->self, e->context, v.point, v.index, dMv_dq);
  return status ? status : checked(e, p, QUANTITY_MASS_Q, dMv_dq, v.part->nu, v.part->nq);
}

/* --- of all laws ------------------------------------------------------------------------------------------------- */

/* The coordinate of the source of a law at a position of its rows over coordinates. */
static int coordinate_at(const picus_system *s, const system_law *law, int place) {
  int b = 0;
  for (; place >= s->parts[law->parts[b]].nq; b++) place -= s->parts[law->parts[b]].nq;
  return s->parts[law->parts[b]].q0 + place - s->sources[law->source].q0;
}

static picus_status blame_slope(picus_evaluation *e, part_quantity quantity, const double *values) {
  for (int i = 0; i < e->set->fixed_count; i++) {
    const system_law *law = &e->set->laws[i];
    const system_source *source = &e->system->sources[law->source];
    const bool gap = quantity == QUANTITY_GAP_Q;
    const double *row = values + (gap ? law->gap_q0 : law->Q0);
    for (int r = 0; r < (gap ? 1 : law->data.dim); r++)
      for (int k = 0; k < law->q_width; k++, row++) {
        if (isfinite(*row)) continue;
        const value_place place = {quantity, gap ? i - source->law0 : law->data.first_row + r - source->row0,
                                   coordinate_at(e->system, law, k)};
        return picus_evaluation_blame(e, law->source, place, *row);
      }
  }
  return PICUS_OK;
}

picus_status picus_evaluation_gap_slopes(picus_evaluation *e, double *dg_dq) {
  picus_status status = need(e, PICUS_JACOBIAN(JACOBIAN_GAP_Q));
  if (status) return status;
  zero(dg_dq, e->set->gap_q_size);
  for (int k = 0; k < e->system->source_count; k++) {
    const system_source *source = &e->system->sources[k];
    if (source->law_count == 0 || !source->ops->gap_jacobian) continue;
    status =
        source->ops->gap_jacobian(source->self, e->context, &e->points[k], dg_dq + e->set->laws[source->law0].gap_q0);
    if (status) return status;
  }
  if (!picus_many_finite(dg_dq, e->system->fixed.gap_q_size)) return blame_slope(e, QUANTITY_GAP_Q, dg_dq);
  return e->set->present ? picus_present_gap_slopes(e, dg_dq) : PICUS_OK;
}

picus_status picus_evaluation_velocity_slopes(picus_evaluation *e, double *dgamma_dq) {
  picus_status status = need(e, PICUS_JACOBIAN(JACOBIAN_VELOCITY_Q));
  if (status) return status;
  zero(dgamma_dq, e->set->Q_size);
  for (int k = 0; k < e->system->source_count; k++) {
    const system_source *source = &e->system->sources[k];
    if (source->law_count == 0 || !source->ops->velocity_jacobian) continue;
    status = source->ops->velocity_jacobian(source->self, e->context, &e->points[k],
                                            dgamma_dq + e->set->laws[source->law0].Q0);
    if (status) return status;
  }
  if (!picus_many_finite(dgamma_dq, e->system->fixed.Q_size)) return blame_slope(e, QUANTITY_VELOCITY_Q, dgamma_dq);
  return e->set->present ? picus_present_velocity_slopes(e, dgamma_dq) : PICUS_OK;
}

/* q' of the point; where it is u, the source need not be asked. */
static picus_status rates_of(picus_evaluation *e, double *rate) {
  if (!e->system->constants.identity_rates) return picus_evaluate_rate(e, rate);
  memcpy(rate, e->u, (size_t)e->system->nq * sizeof *rate);
  return PICUS_OK;
}

/* A row over the coordinates of the parts of a law times q'. */
static double along_rates(const picus_system *s, const system_law *law, const double *slope, const double *rate) {
  double sum = 0;
  for (int b = 0; b < law->part_count; b++) {
    const system_part *part = &s->parts[law->parts[b]];
    for (int i = 0; i < part->nq; i++) sum += slope[i] * rate[part->q0 + i];
    slope += part->nq;
  }
  return sum;
}

static picus_status fill_drift(picus_evaluation *e, double *kappa) {
  picus_status status = PICUS_OK;
  zero(kappa, (size_t)e->set->row_count);
  for (int k = 0; !status && k < e->system->source_count; k++) {
    const system_source *source = &e->system->sources[k];
    if (source->law_count > 0 && source->ops->velocity_drift)
      status = source->ops->velocity_drift(source->self, e->context, &e->points[k], kappa + source->row0);
  }
  return status || !e->set->present ? status : picus_present_velocity_drift(e, kappa);
}

picus_status picus_evaluate_acceleration_terms(picus_evaluation *e, double *kappa) {
  double *slopes = e->law_slopes, *rate = e->scratch;
  picus_status status = need(e, PICUS_JACOBIAN(JACOBIAN_VELOCITY_Q) | PICUS_JACOBIAN(JACOBIAN_VELOCITY_T));
  if (!status) status = picus_evaluation_velocity_slopes(e, slopes);
  if (!status) status = rates_of(e, rate);
  if (!status) status = fill_drift(e, kappa);
  for (int i = 0; !status && i < e->set->law_count; i++) {
    const system_law *law = &e->set->laws[i];
    for (int r = 0; !status && r < law->data.dim; r++) {
      double *value = &kappa[law->data.first_row + r];
      *value += along_rates(e->system, law, slopes + law->Q0 + product(r, law->q_width), rate);
      if (!isfinite(*value))
        status = picus_fail(e->context, PICUS_ERROR_NUMBER,
                            "the acceleration of law '%s' is not a finite number at t = %.9g; check its expressions",
                            law->data.name, e->t);
    }
  }
  return status;
}

/* --- of a whole system ------------------------------------------------------------------------------------------- */

/* Columns of a block that has width of them, into a matrix. */
static void place_columns(const double *block, int rows, int width, int columns, dense_place to) {
  for (int i = 0; i < rows; i++)
    memcpy(to.first + (size_t)i * to.width, block + product(i, width), (size_t)columns * sizeof *to.first);
}

static void place(const double *block, int rows, int columns, dense_place to) {
  place_columns(block, rows, columns, columns, to);
}

/* dh/dq and dh/du of a part: a block for each coupled part. */
static void place_tangents(const picus_system *s, const system_part *part, const double *by_q, const double *by_u,
                           double *dh_dq, double *dh_du) {
  if (part->pattern) {
    picus_part_matrix_place(by_q, part->nu, part->pattern, picus_dense_place(dh_dq, s->nq, part->u0, part->q0));
    picus_part_matrix_place(by_u, part->nu, part->pattern, picus_dense_place(dh_du, s->nu, part->u0, part->u0));
    return;
  }
  for (int k = 0; k < part->coupled_count; k++) {
    const system_part *other = &s->parts[part->coupled[k]];
    place_columns(by_q, part->nu, part->q_width, other->nq, picus_dense_place(dh_dq, s->nq, part->u0, other->q0));
    place_columns(by_u, part->nu, part->u_width, other->nu, picus_dense_place(dh_du, s->nu, part->u0, other->u0));
    by_q += other->nq;
    by_u += other->nu;
  }
}

/* Values of couplings, which need not be zero before. */
static picus_status add_couplings(picus_evaluation *e, double *dh_dq, double *dh_du) {
  const picus_system *s = e->system;
  if (s->coupling_count == 0) return PICUS_OK;
  double *by_q = picus_allocate(e->context, s->coupling_q + s->coupling_u, sizeof *by_q);
  if (!by_q) return PICUS_ERROR_MEMORY;
  double *by_u = by_q + s->coupling_q;
  picus_status status = picus_evaluation_couplings(e, by_q, by_u);
  for (int k = 0; !status && k < s->coupling_count; k++) {
    const system_coupling *c = &s->couplings[k];
    for (int j = 0; j < c->nq; j++) dh_dq[product(c->row, s->nq) + (size_t)(c->q0 + j)] += by_q[c->by_q + (size_t)j];
    for (int j = 0; j < c->nu; j++) dh_du[product(c->row, s->nu) + (size_t)(c->u0 + j)] += by_u[c->by_u + (size_t)j];
  }
  picus_release(e->context, by_q);
  return status;
}

picus_status picus_evaluate_force_jacobian(picus_evaluation *e, double *dh_dq, double *dh_du) {
  const picus_system *s = e->system;
  zero(dh_dq, product(s->nu, s->nq));
  zero(dh_du, product(s->nu, s->nu));
  for (int p = 0; p < s->part_count; p++) {
    const system_part *part = &s->parts[p];
    double *by_q = e->scratch, *by_u = e->scratch + e->scratch_size;
    picus_status status = picus_evaluation_part_tangents(e, p, by_q, by_u);
    if (status) return status;
    place_tangents(s, part, by_q, by_u, dh_dq, dh_du);
  }
  return add_couplings(e, dh_dq, dh_du);
}

/* The row of a law over the coordinates of its parts, into a row over all. */
static void spread_slope(const picus_system *s, const system_law *law, const double *slope, double *row) {
  for (int b = 0; b < law->part_count; b++) {
    const system_part *part = &s->parts[law->parts[b]];
    memcpy(row + part->q0, slope, (size_t)part->nq * sizeof *row);
    slope += part->nq;
  }
}

/* A gap of a law that acts on parts of another source: there q' = u, so that dg/dq is the first row of W^T. */
static picus_status add_gap_slopes_of_others(picus_evaluation *e, const system_law *law, double *row) {
  const picus_system *s = e->system;
  picus_status status = picus_evaluation_update_directions(e);
  const double *W = e->W + law->W0;
  for (int b = 0; !status && b < law->part_count; b++) {
    const system_part *part = &s->parts[law->parts[b]];
    if (part->source != law->source) memcpy(row + part->q0, W, (size_t)part->nu * sizeof *row);
    W += part->nu;
  }
  return status;
}

picus_status picus_evaluate_gap_jacobian(picus_evaluation *e, double *dg_dq) {
  const picus_system *s = e->system;
  zero(dg_dq, product(e->set->law_count, s->nq));
  picus_status status = picus_evaluation_gap_slopes(e, e->law_slopes);
  for (int i = 0; !status && i < e->set->law_count; i++) {
    const system_law *law = &e->set->laws[i];
    double *row = dg_dq + product(i, s->nq);
    spread_slope(s, law, e->law_slopes + law->gap_q0, row);
    if (law->data.has_gap) status = add_gap_slopes_of_others(e, law, row);
  }
  return status;
}

picus_status picus_evaluate_rate_jacobian(picus_evaluation *e, double *drate_dq, double *B) {
  const picus_system *s = e->system;
  zero(drate_dq, product(s->nq, s->nq));
  zero(B, product(s->nq, s->nu));
  for (int p = 0; p < s->part_count; p++) {
    const system_part *part = &s->parts[p];
    if (part->identity_rates) {
      for (int i = 0; i < part->nu; i++) B[product(part->q0 + i, s->nu) + (size_t)(part->u0 + i)] = 1;
      continue;
    }
    double *by_q = e->scratch, *by_u = e->scratch + e->scratch_size;
    picus_status status = picus_evaluation_part_rates(e, p, by_q, by_u);
    if (status) return status;
    place(by_q, part->nq, part->nq, picus_dense_place(drate_dq, s->nq, part->q0, part->q0));
    place(by_u, part->nq, part->nu, picus_dense_place(B, s->nu, part->q0, part->u0));
  }
  return PICUS_OK;
}

picus_status picus_evaluate_mass_jacobian(picus_evaluation *e, const double *v, double *dMv_dq) {
  const picus_system *s = e->system;
  picus_status status = need(e, PICUS_JACOBIAN(JACOBIAN_MASS_Q)); /* before v is set */
  if (status) return status;
  zero(dMv_dq, product(s->nu, s->nq));
  picus_evaluation_set_momentum(e, v);
  for (int p = 0; p < s->part_count; p++) {
    const system_part *part = &s->parts[p];
    if (!picus_part_mass_varies(s, p)) continue;
    status = picus_evaluation_part_mass(e, p, e->scratch);
    if (status) return status;
    place(e->scratch, part->nu, part->nq, picus_dense_place(dMv_dq, s->nq, part->u0, part->q0));
  }
  return PICUS_OK;
}

picus_status picus_evaluate_velocity_jacobian(picus_evaluation *e, double *dgamma_dq) {
  const picus_system *s = e->system;
  zero(dgamma_dq, product(e->set->row_count, s->nq));
  picus_status status = picus_evaluation_velocity_slopes(e, e->law_slopes);
  for (int i = 0; !status && i < e->set->law_count; i++) {
    const system_law *law = &e->set->laws[i];
    for (int r = 0; r < law->data.dim; r++)
      spread_slope(s, law, e->law_slopes + law->Q0 + product(r, law->q_width),
                   dgamma_dq + product(law->data.first_row + r, s->nq));
  }
  return status;
}

static picus_status check_direction_slopes(picus_evaluation *e, int k, const double *dWP_dq) {
  const system_source *source = &e->system->sources[k];
  const size_t count = product(source->nu, source->nq), columns = (size_t)source->nq;
  for (size_t i = 0; i < count; i++)
    if (!isfinite(dWP_dq[i]))
      return picus_evaluation_blame(e, k, (value_place){QUANTITY_DIRECTION_Q, (int)(i / columns), (int)(i % columns)},
                                    dWP_dq[i]);
  return PICUS_OK;
}

/* One source at a time; the matrix of a source is as large as those of its parts together. */
picus_status picus_evaluate_direction_jacobian(picus_evaluation *e, const double *P, double *dWP_dq) {
  const picus_system *s = e->system;
  picus_status status = need(e, PICUS_JACOBIAN(JACOBIAN_DIRECTION_Q));
  if (status) return status;
  zero(dWP_dq, product(s->nu, s->nq));
  for (int k = 0; k < s->source_count; k++) {
    const system_source *source = &s->sources[k];
    if (!source->ops->direction_jacobian) continue;
    const size_t count = product(source->nu, source->nq);
    double *block = picus_allocate(e->context, count, sizeof *block);
    if (!block) return PICUS_ERROR_MEMORY;
    status = source->ops->direction_jacobian(source->self, e->context, &e->points[k], P + source->row0, block);
    if (!status) status = check_direction_slopes(e, k, block);
    if (!status) place(block, source->nu, source->nq, picus_dense_place(dWP_dq, s->nq, source->u0, source->q0));
    picus_release(e->context, block);
    if (status) return status;
  }
  if (s->turning_count == 0) return PICUS_OK;
  double *values = picus_allocate(e->context, s->turning_q, sizeof *values);
  status = values ? picus_evaluation_turning(e, P, values) : PICUS_ERROR_MEMORY;
  for (int k = 0; !status && k < s->turning_count; k++) {
    const system_coupling *c = &s->turning[k];
    for (int j = 0; j < c->nq; j++) dWP_dq[product(c->row, s->nq) + (size_t)(c->q0 + j)] += values[c->by_q + (size_t)j];
  }
  picus_release(e->context, values);
  return status;
}
