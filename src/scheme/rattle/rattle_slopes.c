/* The Newton iteration in the first stage of rattle: the matrix A = M - dt/2 dh/du of the balance, the positions that
 * belong to a velocity, and how gaps and relative velocities at the end of the step change with that velocity:
 *
 *   d(g / dt)/du = dg/dq X / dt,     d gamma/du = W^T + dgamma/dq X,     X = dq_end/du,
 *
 * or the mean of this d gamma/du and W^T at the start, where gamma is the mean of both ends. Where q' = u, X = dt and
 * dg/dq = W^T. */
#include "scheme/rattle/rattle.h"

#include "base/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_POSITION_STEPS = 30 };

static size_t entries(const system_part *part, int columns) {
  return part->pattern ? (size_t)part->pattern->row_start[part->nu] : (size_t)part->nu * (size_t)columns;
}

static picus_status create_part(stepper *s, int p) {
  const system_part *part = &s->system->parts[p];
  rattle_part *own = &rattle_of(s)->parts[p];
  size_t nq = (size_t)part->nq, nu = (size_t)part->nu;
  if (part->identity_rates) return PICUS_OK;
  picus_status status = PICUS_FIXED(&s->arrays, sizeof(double), nq * nu, &own->slope, &own->B_begin);
  if (!status) status = picus_rate_factors_create(s, p, &own->rates);
  return status ? status : PICUS_FIXED(&s->arrays, sizeof(double), nu, &own->u);
}

static size_t by_gap_slope(const law_sizes *n) { return n->gap_slopes; }
static size_t by_velocity_slope(const law_sizes *n) { return n->velocity_slopes; }

/* Memory for the slopes of gaps and velocities at the end of the step, as far as they differ from W. */
picus_status picus_rattle_slopes_create(stepper *s) {
  rattle_step *r = rattle_of(s);
  const picus_system *system = s->system;
  size_t by_q = 0, by_u = 0, rates = 0, B = 0;
  r->damping_constant = picus_evaluation_couplings_constant(s->evaluation, JACOBIAN_COUPLING_U);
  r->rows_are_W = system->constants.directions && system->constants.identity_rates;
  for (int p = 0; p < system->part_count; p++) {
    const system_part *part = &system->parts[p];
    size_t nq = (size_t)part->nq;
    by_q = picus_larger_size(by_q, entries(part, part->q_width));
    by_u = picus_larger_size(by_u, entries(part, part->u_width));
    r->damping_constant =
        r->damping_constant && (part->nu == 0 || picus_evaluation_tangent_constant(s->evaluation, p, JACOBIAN_FORCE_U));
    if (r->rows_are_W || part->identity_rates) continue;
    rates = picus_larger_size(rates, nq * nq);
    B = picus_larger_size(B, nq * (size_t)part->nu);
  }
  r->matrix_constant = r->damping_constant && system->constants.mass;
  law_arrays *a = &s->arrays;
  const size_t unit = sizeof(double);
  picus_status status = PICUS_FIXED(a, unit, by_q, &r->dh_dq);
  if (!status) status = PICUS_FIXED(a, unit, by_u, &r->dh_du);
  if (!status) status = PICUS_FIXED(a, unit, rates, &r->drate_dq);
  if (!status) status = PICUS_FIXED(a, unit, B, &r->B);
  if (!status) status = PICUS_FIXED(a, unit, system->coupling_u, &r->coupling_u);
  if (!status) status = PICUS_FIXED(a, sizeof *r->parts, (size_t)system->part_count, &r->parts);
  if (!status && !r->rows_are_W) status = PICUS_SCRATCH(a, unit, by_gap_slope, &r->dgap_dq);
  if (!status && !r->rows_are_W) status = PICUS_SCRATCH(a, unit, by_velocity_slope, &r->dgamma_dq);
  for (int p = 0; !status && p < system->part_count; p++) status = create_part(s, p);
  return status ? status : picus_system_matrix_create(s->context, system, MATRIX_BY_GROUPS, &r->matrix);
}

/* --- positions ---------------------------------------------------------------------------------------------------- */

/* drate/dq and B of a part into r->drate_dq and B. */
static picus_status rate_slopes(stepper *s, picus_evaluation *e, int p, double *B) {
  return picus_evaluation_part_rates(e, p, rattle_of(s)->drate_dq, B);
}

static picus_status begin_rates(stepper *s, bool linear) {
  for (int p = 0; p < s->system->part_count; p++) {
    const system_part *part = &s->system->parts[p];
    if (part->identity_rates || part->linear_rates != linear) continue;
    picus_status status = rate_slopes(s, s->evaluation, p, rattle_of(s)->parts[p].B_begin);
    if (status) return status;
  }
  return PICUS_OK;
}

picus_status picus_rattle_begin_rates(stepper *s) {
  rattle_of(s)->has_B_begin = false;
  return begin_rates(s, false);
}

/* The factors at the end of the step, and B there. */
static picus_status factor_rates(stepper *s, int p) {
  rattle_step *r = rattle_of(s);
  picus_status status = rate_slopes(s, r->end, p, r->B);
  return status ? status : picus_rate_factors_renew(s, p, 0.5 * r->dt, r->drate_dq, &r->parts[p].rates);
}

/* The rates of quaternions are linear in q: the matrix changes with the velocities alone, and its factors serve for all
 * positions that are tried with them. */
static picus_status renew_factors(stepper *s, int p) {
  rattle_step *r = rattle_of(s);
  const system_part *part = &s->system->parts[p];
  rattle_part *own = &r->parts[p];
  const double *u = r->u + part->u0;
  if (!part->linear_rates) return factor_rates(s, p);
  const int rest = part->nu - part->straight;
  if (own->rates.is_factored && own->dt == r->dt && picus_equal(rest, u + part->straight, own->u + part->straight))
    return PICUS_OK;
  own->dt = r->dt;
  picus_copy(part->nu, u, own->u);
  return factor_rates(s, p);
}

/* X. */
static picus_status find_slope(stepper *s, int p) {
  rattle_step *r = rattle_of(s);
  const system_part *part = &s->system->parts[p];
  rattle_part *own = &r->parts[p];
  const int nq = part->nq, nu = part->nu;
  if (own->has_slope) return PICUS_OK;
  picus_status status = factor_rates(s, p);
  double *column = r->rate; /* nq, free here */
  for (int j = 0; !status && j < nu; j++) {
    for (int i = 0; i < nq; i++) {
      size_t at = (size_t)i * (size_t)nu + (size_t)j;
      column[i] = 0.5 * r->dt * (own->B_begin[at] + r->B[at]);
    }
    picus_rate_factors_solve(&rattle_of(s)->parts[p].rates, column);
    for (int i = 0; i < nq; i++) own->slope[(size_t)i * (size_t)nu + (size_t)j] = column[i];
  }
  own->has_slope = !status;
  return status;
}

/* q = q_begin + change; the round-off errors of the start and of now are kept if the stepper keeps them. */
static void move_positions(stepper *s, int first, int count, const double *change) {
  rattle_step *r = rattle_of(s);
  for (int i = first; i < first + count; i++)
    if (s->q_low)
      r->q[i] = picus_two_sum(s->q[i], s->q_low[i] + change[i], &r->q_low[i]);
    else
      r->q[i] = s->q[i] + change[i];
}

/* The correction of a part relative to the round-off of its positions. */
static double correction(const rattle_step *r, const system_part *part, const double *lack) {
  double size = 0, most = 0;
  for (int i = part->q0; i < part->q0 + part->nq; i++) {
    size = picus_larger(size, fabs(r->q[i]));
    most = picus_larger(most, fabs(lack[i]));
  }
  return most / (8 * DBL_EPSILON * size + DBL_MIN);
}

/* One Newton step on the change of the positions of all parts, in s->q_change; *largest: of its corrections relative to
 * round-off, of parts with rates that are not linear: for the others the step is exact. */
static picus_status correct_positions(stepper *s, double *largest) {
  rattle_step *r = rattle_of(s);
  const picus_system *system = s->system;
  *largest = 0;
  picus_status status = picus_evaluate_rate(r->end, r->rate);
  if (status) return status;
  double *lack = s->q_next, *change = s->q_change; /* q_1 - q_0 = dt/2 (q'(t_0, q_0, u_h) + q'(t_1, q_1, u_h)) */
  for (int i = 0; i < system->nq; i++) lack[i] = 0.5 * r->dt * (r->rate_begin[i] + r->rate[i]) - change[i];
  for (int p = 0; p < system->part_count; p++) {
    const system_part *part = &system->parts[p];
    if (!part->identity_rates) {
      if ((status = renew_factors(s, p))) return status;
      picus_rate_factors_solve(&rattle_of(s)->parts[p].rates, lack + part->q0);
    }
    for (int i = part->q0; i < part->q0 + part->nq; i++) change[i] += lack[i];
    if (!part->identity_rates && !part->linear_rates) *largest = picus_larger(*largest, correction(r, part, lack));
    move_positions(s, part->q0, part->nq, change);
  }
  return PICUS_OK;
}

picus_status picus_rattle_positions(stepper *s) {
  rattle_step *r = rattle_of(s);
  if (s->system->constants.identity_rates) {
    for (int i = 0; i < s->system->nq; i++) s->q_change[i] = r->dt * r->u[i];
    move_positions(s, 0, s->system->nq, s->q_change);
    picus_evaluation_set_point(r->end, r->t_end, r->q, r->u);
    return PICUS_OK;
  }
  picus_status status = picus_evaluate_rate(s->evaluation, r->rate_begin); /* is at (t, q_begin, u) */
  if (status) return status;
  double largest = INFINITY;
  for (int i = 0; i < s->system->nq; i++) s->q_change[i] = r->q[i] - s->q[i]; /* of the iterate before */
  for (int step = 0; step < MOST_POSITION_STEPS && largest > 1; step++) {
    picus_evaluation_set_point(r->end, r->t_end, r->q, r->u);
    if ((status = correct_positions(s, &largest))) return status;
  }
  picus_evaluation_set_point(r->end, r->t_end, r->q, r->u);
  if (largest <= 1) return PICUS_OK;
  return picus_fail(s->context, PICUS_NOT_CONVERGED,
                    "the iteration for the positions of the step from t = %.9g did not converge: the step is too large "
                    "for the rates q'",
                    s->t);
}

/* --- matrix and rows ---------------------------------------------------------------------------------------------- */

picus_status picus_rattle_matrix(stepper *s, bool first) {
  rattle_step *r = rattle_of(s);
  if (r->matrix_dt == r->dt && (first ? r->matrix_constant : r->damping_constant)) return PICUS_OK;
  r->matrix_dt = 0;
  picus_status status = PICUS_OK;
  const int groups = s->system->coupling_count > 0 ? s->system->group_count : 0;
  for (int g = 0; g < groups; g++) picus_system_matrix_clear(&r->matrix, g);
  for (int p = 0; !status && p < s->system->part_count; p++) {
    if (s->system->parts[p].nu == 0) continue;
    status = picus_evaluation_part_damping(s->evaluation, p, r->dh_dq, r->dh_du);
    if (status) continue;
    double *rows = picus_system_matrix_set_rows(&r->matrix, p, &s->evaluation->mass, 0.5 * r->dt, r->dh_du);
    picus_system_matrix_place_rows(&r->matrix, p, rows);
  }
  if (!status && groups > 0) status = picus_evaluation_couplings(s->evaluation, NULL, r->coupling_u);
  for (int g = 0; !status && g < groups; g++)
    picus_system_matrix_add_couplings(&r->matrix, g, 0.5 * r->dt, r->coupling_u);
  for (int k = 0; !status && k < r->matrix.block_count; k++)
    if (r->matrix.blocks[k].order > 0 && !picus_part_matrix_factor(&r->matrix.blocks[k], r->matrix_constant))
      status = picus_fail(s->context, PICUS_NOT_CONVERGED,
                          "the step from t = %.9g has a singular matrix M - dt/2 dh/du; use a smaller step", s->t);
  if (status) return status;
  r->matrix_dt = r->dt;
  r->problem.constant.ready = false; /* G belongs to the matrix before */
  picus_step_problem_drop_plan(&r->problem);
  if (r->matrix_constant && r->rows_are_W && !r->matrix.by_group)
    picus_constant_delassus_fill(&r->problem.constant, r->end, &r->matrix);
  return PICUS_OK;
}

/* row += factor (slope X), X of the part or dt. */
static void add_slope(const stepper *s, int p, double factor, const double *slope, double *row) {
  const system_part *part = &s->system->parts[p];
  const double *X = rattle_of(s)->parts[p].slope;
  if (part->identity_rates) {
    for (int j = 0; j < part->nu; j++) row[j] += factor * rattle_of(s)->dt * slope[j];
    return;
  }
  for (int i = 0; i < part->nq; i++) {
    if (slope[i] == 0) continue;
    for (int j = 0; j < part->nu; j++) row[j] += factor * slope[i] * X[(size_t)i * (size_t)part->nu + (size_t)j];
  }
}

/* X of the parts of all laws whose rates are not u. */
static picus_status find_slopes(stepper *s) {
  rattle_step *r = rattle_of(s);
  picus_status status = r->has_B_begin || s->set->law_count == 0 ? PICUS_OK : begin_rates(s, true);
  r->has_B_begin = true;
  for (int p = 0; p < s->system->part_count; p++) r->parts[p].has_slope = s->system->parts[p].identity_rates;
  for (int i = 0; i < s->set->law_count; i++) {
    const system_law *law = &s->set->laws[i];
    for (int b = 0; !status && b < law->part_count; b++) status = find_slope(s, law->parts[b]);
  }
  return status;
}

/* dgamma/dq and dg/dq of all laws, and X. */
static picus_status law_slopes(stepper *s) {
  rattle_step *r = rattle_of(s);
  picus_status status = picus_evaluation_velocity_slopes(r->end, r->dgamma_dq);
  if (status || s->system->constants.identity_rates) return status;
  status = picus_evaluation_gap_slopes(r->end, r->dgap_dq);
  return status ? status : find_slopes(s);
}

/* The weight of the end of the step in a relative velocity; the rest is at its start. */
static double end_share(const stepper *s) { return s->options.slip_direction == PICUS_SLIP_END ? 1 : 0.5; }

/* The directions of gaps at the end of the step, and of velocities where these are evaluated. */
static void fill_directions(stepper *s) {
  rattle_step *r = rattle_of(s);
  const double end = end_share(s), *W_begin = s->evaluation->W, *W_end = r->end->W;
  for (int i = 0; i < s->set->law_count; i++) {
    const system_law *law = &s->set->laws[i];
    const int count = law->data.dim * picus_law_row_size(law);
    const int at_end = end == 1 ? count : law->data.has_gap ? picus_law_row_size(law) : 0;
    const size_t first = picus_law_row_at(law, 0), rest = first + (size_t)at_end;
    picus_copy(at_end, W_end + first, r->rows + first);
    picus_combine(count - at_end, end, W_end + rest, 1 - end, W_begin + rest, r->rows + rest);
  }
}

/* Row k of a law, whose directions it has already, over one of the law's parts: where the part is in the row and in the
 * slopes over coordinates. */
typedef struct row_piece {
  int part;
  double *row;
  const double *dgap_dq, *dgamma_dq;
} row_piece;

static void fill_piece(stepper *s, const row_piece *piece, bool is_gap) {
  rattle_step *r = rattle_of(s);
  const system_part *part = &s->system->parts[piece->part];
  if (!is_gap) {
    add_slope(s, piece->part, end_share(s), piece->dgamma_dq, piece->row);
  } else if (!part->identity_rates) {
    memset(piece->row, 0, (size_t)part->nu * sizeof *piece->row);
    add_slope(s, piece->part, 1 / r->dt, piece->dgap_dq, piece->row);
  }
}

/* Where laws do not come and go, parts of another source have q' = u, and a share in the change of directions only if
 * directions depend on displacements. */
static void fill_law(stepper *s, const system_law *law) {
  rattle_step *r = rattle_of(s);
  const bool all = law - s->set->laws >= s->set->fixed_count || s->system->turns;
  for (int k = 0; k < law->data.dim; k++) {
    law_places at = picus_law_places(law, k);
    for (int b = 0; b < law->part_count; b++) {
      const system_part *part = &s->system->parts[law->parts[b]];
      const row_piece piece = {.part = law->parts[b],
                               .row = r->rows + at.row,
                               .dgap_dq = r->dgap_dq + at.gap_slope,
                               .dgamma_dq = r->dgamma_dq + at.velocity_slope};
      if (part->source == law->source || all) fill_piece(s, &piece, law->data.has_gap && k == 0);
      picus_law_places_pass(&at, part);
    }
  }
}

picus_status picus_rattle_rows(stepper *s) {
  if (rattle_of(s)->rows_are_W || s->set->law_count == 0) return PICUS_OK;
  fill_directions(s);
  picus_status status = law_slopes(s);
  for (int i = 0; !status && i < s->set->law_count; i++) fill_law(s, &s->set->laws[i]);
  return status;
}
