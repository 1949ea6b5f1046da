/* Is the step solved? The Newton loop stops on the true residual of the step: the momentum balance, the laws at the end
 * of the step, and the gaps if positions are projected.
 *
 * Balances and relative velocities, in sqrt(J), must be small relative to the terms of the balance, M (w - w_begin), dt
 * h and W P, which shrink with dt: a shorter step is solved with the same relative accuracy. The effect of round-off is
 * allowed in addition.
 *
 * Percussions may cancel in W P, as at a light body that carries a heavy one: the positions of the light body move with
 * the round-off of velocities, and W P with them. If the iteration stalls, the terms of W P count one by one. */
#include "base/internal.h"
#include "scheme/theta/theta_step.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* fmax without its NaN handling: a NaN shows in the residual itself. */
static double largest_of(int n, const double *x) {
  double largest = 0;
  for (int i = 0; i < n; i++) largest = picus_larger(largest, fabs(x[i]));
  return largest;
}

/* The bound of the balance: tolerance times its largest term, plus the round-off of w, q and u. */
static double allowed(stepper *s, const double *impulse) {
  theta_step *t = theta_of(s);
  double rounding = 0, scale = 0;
  picus_newton_residual_weigh(s, &t->residual);
  for (int p = 0; p < s->system->part_count; p++) {
    const system_part *part = &s->system->parts[p];
    double q = 0, u = 0; /* on which its forces depend */
    for (int k = 0; k < part->coupled_count; k++) {
      const system_part *other = &s->system->parts[part->coupled[k]];
      q = picus_larger(q, largest_of(other->nq, t->q + other->q0));
      u = picus_larger(u, largest_of(other->nu, t->u_theta + other->u0));
    }
    for (int i = part->u0; i < part->u0 + part->nu; i++) {
      double terms = fabs(t->momentum[i]) + t->shape.force_dt * fabs(t->h[i]) + fabs(impulse[i]);
      scale = picus_larger(scale, t->residual.weight[i] * terms);
      double forces = t->residual.weight[i] * t->shape.force_dt * (t->stiffness[i] * q + t->damping[i] * u);
      double velocity = t->residual.root_mass[i] * picus_larger(fabs(t->w[i]), fabs(t->shape.w_begin[i]));
      rounding = picus_larger(rounding, picus_larger(forces, velocity));
    }
  }
  for (int k = 0; k < s->system->coupling_count; k++) {
    const system_coupling *c = &s->system->couplings[k];
    double forces = 0;
    for (int j = 0; j < c->nq; j++) forces += fabs(t->coupling_q[c->by_q + (size_t)j] * t->q[c->q0 + j]);
    for (int j = 0; j < c->nu; j++) forces += fabs(t->coupling_u[c->by_u + (size_t)j] * t->u_theta[c->u0 + j]);
    rounding = picus_larger(rounding, t->residual.weight[c->row] * t->shape.force_dt * forces);
  }
  return t->residual.tolerance.balance * scale + 8 * DBL_EPSILON * rounding;
}

/* Positions count by their effect on the balance: S dq. */
static void measure_rates(stepper *s) {
  theta_step *t = theta_of(s);
  if (s->system->constants.identity_rates) return;
  double *slope = s->u_next;
  memset(slope, 0, (size_t)s->system->nu * sizeof *slope);
  picus_theta_add_slope(s, t->rate_change, slope);
  for (int i = 0; i < s->system->nu; i++)
    picus_newton_residual_note(&t->residual, t->residual.weight[i] * fabs(slope[i]), "the positions that act on",
                               s->system->u_names[i].name);
  double q = largest_of(s->system->nq, t->q), travel = 0; /* and by the travel of the step */
  for (int i = 0; i < s->system->nq; i++) travel = fmax(travel, fabs(t->q[i] - s->q[i]));
  double may = t->residual.tolerance.balance * travel + 8 * DBL_EPSILON * q;
  for (int i = 0; i < s->system->nq; i++)
    if (!(fabs(t->rate_change[i]) <= may)) {
      double share = may > 0 ? fabs(t->rate_change[i]) / may : INFINITY;
      picus_newton_residual_note(&t->residual, share * t->residual.bound, "the position", s->system->q_names[i].name);
    }
}

/* The rule of Acary 2012, 4.3.2: the norm of the balance (41) is below the tolerance, which is absolute. With
 * as_printed, the iteration starts from q_k and v_k, and its matrix (47) lacks the derivative of M. */
static bool is_settled_as_printed(stepper *s, const double *impulse) {
  theta_step *t = theta_of(s);
  double sum = 0;
  for (int i = 0; i < s->system->nu; i++) sum += (t->balance[i] - impulse[i]) * (t->balance[i] - impulse[i]);
  picus_newton_residual_clear(&t->residual, s->options.newton_tolerance);
  picus_newton_residual_note(&t->residual, sqrt(sum), "the balance of", "the step");
  return t->residual.value <= t->residual.bound;
}

/* True if the iterate solves the step. Leaves residual, bound and the place of the worst for a message. */
bool picus_theta_is_settled(stepper *s, const theta_rules *rules, const contact_request *request, double before) {
  theta_step *t = theta_of(s);
  double *impulse = s->h;
  picus_clear(s->system->nu, impulse);
  picus_step_problem_add_impulse(&s->problem, t->end, impulse);
  const bool projects = rules->projection != PROJECT_NOTHING && picus_theta_laws_matter(s, rules);
  if (t->as_printed)
    return is_settled_as_printed(s, impulse) && !(projects && picus_projection_needed(s, rules->projection));
  picus_newton_residual_clear(&t->residual, allowed(s, impulse));
  double worst = -1;
  int at = 0;
  for (int i = 0; i < s->system->nu; i++) {
    double lacks = t->residual.weight[i] * fabs(t->balance[i] - impulse[i]);
    if (lacks <= worst || isnan(worst)) continue;
    worst = lacks;
    at = i;
  }
  measure_rates(s);
  /* with constant W and laws at velocity level the contact problem is exact: its solution fulfils them */
  if (!s->system->constants.directions || rules->look != picus_theta_look) {
    int law = 0;
    double change = picus_step_problem_change(&s->problem, request, t->w, &law);
    if (s->set->law_count) picus_newton_residual_note(&t->residual, change, "the law", s->set->laws[law].data.name);
  }
  if (s->contacts.coefficients) {
    int law = 0;
    const double change = picus_varying_change(&s->problem, request, t->w, &law);
    picus_newton_residual_note(&t->residual, change, "the friction of", s->set->laws[law].data.name);
  }
  bool settled = t->residual.value <= t->residual.bound; /* but for the balance */
  if (settled && worst > t->residual.bound && worst > PICUS_STALLED * before)
    t->residual.bound +=
        t->residual.tolerance.balance * picus_newton_residual_percussions(s, &t->residual, &s->problem, t->end);
  picus_newton_residual_note(&t->residual, worst, "the balance of", s->system->u_names[at].name);
  settled = t->residual.value <= t->residual.bound;
  return projects ? !picus_projection_needed(s, rules->projection) && settled : settled;
}

/* Whether all numbers are finite, and at most this large. */
static bool all_within(int n, const double *x, const double *weight, double most) {
  for (int i = 0; i < n; i++)
    if (!((weight ? weight[i] : 1) * fabs(x[i]) <= most)) return false;
  return isfinite(most);
}

bool picus_theta_is_exact(stepper *s) {
  theta_step *t = theta_of(s);
  const int nu = s->system->nu, nq = s->system->nq;
  double most = 0;
  picus_newton_residual_weigh(s, &t->residual);
  for (int i = 0; i < nu; i++)
    most = picus_larger(most, t->residual.root_mass[i] * picus_larger(fabs(t->w[i]), fabs(t->shape.w_begin[i])));
  if (!all_within(nu, t->balance, t->residual.weight, 8 * DBL_EPSILON * most)) return false;
  return s->system->constants.identity_rates ||
         all_within(nq, t->rate_change, NULL, 8 * DBL_EPSILON * largest_of(nq, t->q));
}

/* The matrix of Newton's method for the implicit schemes. The balance M(q_th) (w - w_begin) - dt_h h(t_th, q_th, u_th)
 * changes with w directly and through the positions, which follow w by q_end = q_begin + dt (B u_rate + beta):
 *
 *   A = M - dt_h (du_th/dw) dh/du + S X,   S = (dq_th/dq_end) (d(M v)/dq - dt_h dh/dq) at v = w - w_begin,
 *   X = dq_end/dw = (1 - dt (dq_rate/dq_end) d(B u + beta)/dq)^-1 dt (du_rate/dw) B.
 *
 * In the theta method these shares of the end are theta. For q' = u and constant M this is M + dt theta C + dt^2
 * theta^2 K (Acary 2012 (47)); the derivative of M, which Acary neglects, and B are kept. The change of W with q is
 * left to the iteration. */

static size_t tangent_size(const system_part *part) {
  return part->pattern ? (size_t)part->pattern->row_start[part->nu] : (size_t)part->nu * (size_t)part->q_width;
}

static picus_status create_part(stepper *s, int p) {
  const system_part *part = &s->system->parts[p];
  theta_part *own = &theta_of(s)->parts[p];
  size_t nq = (size_t)part->nq, nu = (size_t)part->nu;
  own->constant = part->nq == 0 || (part->mass_constant && part->identity_rates &&
                                    picus_evaluation_tangent_constant(s->evaluation, p, JACOBIAN_FORCE_U) &&
                                    picus_evaluation_tangent_constant(s->evaluation, p, JACOBIAN_FORCE_Q));
  theta_of(s)->tangent_constant = theta_of(s)->tangent_constant && own->constant;
  picus_status status = PICUS_OK;
  if (!part->identity_rates || part->coupled_count > 1 || picus_theta_is_coupled(s) || s->options.newton_printed)
    status = PICUS_FIXED(&s->arrays, sizeof(double), tangent_size(part), &own->balance_slope);
  if (status || part->identity_rates) return status;
  status = PICUS_FIXED(&s->arrays, sizeof(double), nq * nu, &own->B, &own->position_slope);
  return status ? status : picus_rate_factors_create(s, p, &own->rates);
}

/* Memory of the iteration matrix and of the derivatives of each part, by the widest of them. */
picus_status picus_theta_tangent_create(stepper *s) {
  theta_step *t = theta_of(s);
  const picus_system *system = s->system;
  size_t nu = (size_t)system->nu, by_q = 0, by_u = 0, rates = 0;
  t->tangent_constant = t->couplings_constant =
      picus_evaluation_couplings_constant(s->evaluation, JACOBIAN_COUPLING_U) &&
      picus_evaluation_couplings_constant(s->evaluation, JACOBIAN_COUPLING_Q);
  for (int p = 0; p < system->part_count; p++) {
    const system_part *part = &system->parts[p];
    by_q = picus_larger_size(by_q, tangent_size(part));
    by_u = picus_larger_size(by_u, part->pattern ? tangent_size(part) : (size_t)part->nu * (size_t)part->u_width);
    if (part->identity_rates) continue;
    rates = picus_larger_size(rates, (size_t)part->nq * (size_t)part->nq);
  }
  law_arrays *a = &s->arrays;
  const size_t unit = sizeof(double);
  picus_status status = PICUS_FIXED(a, unit, by_q, &t->dh_dq, &t->dMw_dq);
  if (!status) status = PICUS_FIXED(a, unit, by_u, &t->dh_du);
  if (!status) status = PICUS_FIXED(a, unit, rates, &t->drate_dq);
  if (!status) status = PICUS_FIXED(a, unit, nu, &t->stiffness, &t->damping);
  if (!status) status = PICUS_FIXED(a, unit, system->coupling_q, &t->coupling_q);
  if (!status) status = PICUS_FIXED(a, unit, system->coupling_u, &t->coupling_u);
  if (!status) status = PICUS_FIXED(a, sizeof *t->parts, (size_t)system->part_count, &t->parts);
  for (int p = 0; !status && p < system->part_count; p++) status = create_part(s, p);
  if (!status) status = picus_system_matrix_create(s->context, system, MATRIX_BY_GROUPS, &t->tangent);
  t->keeps_tangent = !t->tangent_constant && system->constants.identity_rates && system->coupling_count == 0;
  for (int k = 0; k < t->tangent.block_count; k++) t->keeps_tangent = t->keeps_tangent && !t->tangent.blocks[k].pattern;
  return status;
}

/* Row sums of absolute values, the scale of round-off. */
static void sum_rows(const system_part *part, int columns, const double *matrix, double *sums) {
  size_t at = 0;
  for (int i = 0; i < part->nu; i++) {
    size_t count =
        part->pattern ? (size_t)(part->pattern->row_start[i + 1] - part->pattern->row_start[i]) : (size_t)columns;
    sums[i] = 0;
    for (size_t k = 0; k < count; k++) sums[i] += fabs(matrix[at++]);
  }
}

/* matrix += factor A B, A rows x inner, B inner x columns. */
static void add_product(int rows, int inner, int columns, const double *A, const double *B, double *matrix) {
  for (int i = 0; i < rows; i++) {
    double *row = matrix + (size_t)i * (size_t)columns;
    for (int k = 0; k < inner; k++) {
      double a = A[(size_t)i * (size_t)inner + (size_t)k];
      if (a == 0) continue;
      for (int j = 0; j < columns; j++) row[j] += a * B[(size_t)k * (size_t)columns + (size_t)j];
    }
  }
}

/* dt (du_rate/dw) */
static double rate_by_w(const theta_step *t) { return t->dt * (t->shape.rate_by_w ? 1 : t->shape.u_share); }

/* B and the factors of a part whose rates are not u. */
static picus_status linearize_rates(stepper *s, int p) {
  theta_step *t = theta_of(s);
  theta_part *own = &t->parts[p];
  own->has_slope = false;
  picus_status status = picus_evaluation_part_rates(picus_theta_rate_point(s), p, t->drate_dq, own->B);
  if (status) return status;
  return picus_rate_factors_renew(s, p, t->dt * (t->shape.rate_by_w ? 0.5 : t->shape.q_share), t->drate_dq,
                                  &own->rates);
}

/* X of a part, for balances that depend on its positions. NULL: q' = u. Velocities of straight coordinates move no
 * other one. */
static const double *position_slope(stepper *s, int p) {
  theta_step *t = theta_of(s);
  const system_part *part = &s->system->parts[p];
  theta_part *own = &t->parts[p];
  const int nq = part->nq, nu = part->nu;
  const double by_w = rate_by_w(t);
  double *column = t->rate; /* nq */
  if (part->identity_rates || own->has_slope) return own->position_slope;
  for (int j = 0; j < nu; j++) {
    bool turns = false;
    for (int i = 0; i < nq; i++) {
      column[i] = by_w * own->B[(size_t)i * (size_t)nu + (size_t)j];
      turns = turns || (i >= own->rates.first && column[i] != 0);
    }
    if (turns) picus_rate_factors_solve(&theta_of(s)->parts[p].rates, column);
    for (int i = 0; i < nq; i++) own->position_slope[(size_t)i * (size_t)nu + (size_t)j] = column[i];
  }
  own->has_slope = true;
  return own->position_slope;
}

/* S into t->dh_dq, in place. */
static picus_status balance_slope(stepper *s, int p) {
  theta_step *t = theta_of(s);
  const system_part *part = &s->system->parts[p];
  const size_t count = tangent_size(part);
  const double share = t->shape.q_share;
  for (size_t k = 0; k < count; k++) t->dh_dq[k] *= -share * t->shape.force_dt;
  if (t->as_printed || !picus_part_mass_varies(s->system, p)) return PICUS_OK;
  picus_status status = picus_evaluation_part_mass(s->evaluation, p, t->dMw_dq);
  for (size_t k = 0; part->coupled_count == 1 && k < count; k++) t->dh_dq[k] += share * t->dMw_dq[k];
  for (int i = 0; part->coupled_count > 1 && i < part->nu; i++) {
    double *row = t->dh_dq + (size_t)i * (size_t)part->q_width + part->q_own;
    const double *own = t->dMw_dq + (size_t)i * (size_t)part->nq;
    for (int j = 0; j < part->nq; j++) row[j] += share * own[j];
  }
  return status;
}

/* rows += S X, part by part of those that are coupled. */
static void add_position_slopes(stepper *s, const system_part *part, const double *S, double *rows) {
  const theta_step *t = theta_of(s);
  const double by_w = rate_by_w(t);
  if (part->coupled_count == 1 && part->identity_rates) { /* rows and S have the same layout */
    const size_t count = tangent_size(part);
    for (size_t k = 0; k < count; k++) rows[k] += by_w * S[k];
    return;
  }
  for (int c = 0; c < part->coupled_count; c++) {
    const system_part *other = &s->system->parts[part->coupled[c]];
    const double *X = position_slope(s, part->coupled[c]);
    for (int i = 0; i < part->nu; i++) {
      const double *slope = S + (size_t)i * (size_t)part->q_width;
      double *row = rows + (size_t)i * (size_t)part->u_width;
      if (other->identity_rates)
        for (int j = 0; j < other->nu; j++) row[j] += by_w * slope[j];
      else
        add_product(1, other->nq, other->nu, slope, X, row);
    }
    S += other->nq;
    rows += other->nu;
  }
}

static picus_status assemble_part(stepper *s, int p) {
  theta_step *t = theta_of(s);
  const system_part *part = &s->system->parts[p];
  theta_part *own = &t->parts[p];
  if (part->nu == 0) return PICUS_OK; /* coordinates that move by themselves */
  picus_status status = picus_evaluation_part_tangents(s->evaluation, p, t->dh_dq, t->dh_du);
  if (status) return status;
  sum_rows(part, part->q_width, t->dh_dq, t->stiffness + part->u0);
  sum_rows(part, part->u_width, t->dh_du, t->damping + part->u0);
  own->acts = picus_part_mass_varies(s->system, p);
  for (int i = part->u0; i < part->u0 + part->nu && !own->acts; i++) own->acts = t->stiffness[i] != 0;
  if (own->acts && (status = balance_slope(s, p))) return status;
  /* M^ = M + dt theta C + dt^2 theta^2 K (Acary 2012 (47)), C = -dh/du; dh_dq holds the slope of the balance */
  double *rows = picus_system_matrix_set_rows(&t->tangent, p, &s->evaluation->mass,
                                              t->shape.force_dt * t->shape.u_share, t->dh_du);
  if (own->acts && own->balance_slope) memcpy(own->balance_slope, t->dh_dq, tangent_size(part) * sizeof(double));
  if (own->acts) add_position_slopes(s, part, t->dh_dq, rows);
  picus_system_matrix_place_rows(&t->tangent, p, rows);
  return PICUS_OK;
}

/* The derivatives of a coupling, as those of a part: -dt_h (du_th/dw) dh/du - dt_h (dq_th/dq_end) dh/dq X. */
static void assemble_couplings(stepper *s, int g) {
  theta_step *t = theta_of(s);
  const system_group *group = &s->system->groups[g];
  const double share = -t->shape.q_share * t->shape.force_dt;
  picus_system_matrix_add_couplings(&t->tangent, g, t->shape.force_dt * t->shape.u_share, t->coupling_u);
  for (int k = 0; k < group->coupling_count; k++) {
    const system_coupling *c = &s->system->couplings[group->coupling0 + k];
    double *row = t->tangent.blocks[g].values + c->at;
    const double *slope = t->coupling_q + c->by_q, *X = position_slope(s, c->part);
    for (int j = 0; j < c->nu; j++) {
      double sum = X ? 0 : rate_by_w(t) * slope[j];
      for (int i = 0; X && i < c->nq; i++) sum += slope[i] * X[(size_t)i * (size_t)c->nu + (size_t)j];
      row[j] += share * sum;
    }
  }
}

static bool group_is_constant(const stepper *s, const system_group *group) {
  for (int p = group->part0; p < group->part0 + group->part_count; p++)
    if (!theta_of(s)->parts[p].constant) return false;
  return group->coupling_count == 0 || theta_of(s)->couplings_constant;
}

static picus_status update_group(stepper *s, int g) {
  theta_step *t = theta_of(s);
  const system_group *group = &s->system->groups[g];
  const int end = group->part0 + group->part_count;
  picus_status status = PICUS_OK;
  for (int p = group->part0; !status && p < end; p++)
    if (!s->system->parts[p].identity_rates && s->system->parts[p].nq > 0) status = linearize_rates(s, p);
  picus_system_matrix_clear(&t->tangent, g);
  for (int p = group->part0; !status && p < end; p++) status = assemble_part(s, p);
  if (!status) assemble_couplings(s, g);
  part_matrix *A = &t->tangent.blocks[t->tangent.by_group ? g : group->part0];
  if (status || A->order == 0 || picus_part_matrix_factor(A, group_is_constant(s, group))) return status;
  return picus_fail(s->context, PICUS_NOT_CONVERGED,
                    "the Newton matrix is singular in the step from t = %.9g, for the velocities starting with '%s'",
                    s->t, s->system->u_names[group->u0].name);
}

picus_status picus_theta_tangent_update(stepper *s) {
  theta_step *t = theta_of(s);
  const bool known = picus_theta_tangent_is_known(t); /* then the factors of constant parts are */
  if (t->tangent_constant && known) return PICUS_OK;
  t->factored_dt = 0;
  picus_status status = PICUS_OK;
  if (!s->system->constants.mass) { /* v = w - w_begin of d(M v)/dq; momentum is free until the next evaluation */
    picus_subtract(s->system->nu, t->w, t->shape.w_begin, t->momentum);
    picus_evaluation_set_momentum(s->evaluation, t->momentum);
  }
  if (s->system->coupling_count > 0) status = picus_evaluation_couplings(s->evaluation, t->coupling_q, t->coupling_u);
  for (int g = 0; !status && g < s->system->group_count; g++)
    if (!known || !group_is_constant(s, &s->system->groups[g])) status = update_group(s, g);
  if (status) return status;
  t->factored_dt = t->dt;
  t->factored_force = t->shape.force_dt;
  t->factored_share = t->shape.u_share;
  s->problem.constant.ready = false;
  if (t->tangent_constant && s->system->constants.directions && !t->tangent.by_group) {
    status = picus_evaluation_update_directions(t->end);
    picus_constant_delassus_fill(&s->problem.constant, t->end, &t->tangent);
    picus_step_problem_drop_plan(&s->problem);
  }
  return status;
}

/* The factors follow from the values: blocks that are kept are dense. */
void picus_theta_tangent_archive(stepper *s, picus_archive *a) {
  theta_step *t = theta_of(s);
  picus_system_matrix_archive(&t->tangent, a);
  if (picus_archive_reads(a)) t->factored_dt = 0;
  picus_archive_bool(a, &t->tangent_serves);
  if (!t->tangent_serves) return;
  if (!t->keeps_tangent) picus_archive_reject(a, "its Newton matrix cannot be kept");
  double numbers[] = {t->dt, t->shape.force_dt, t->shape.u_share};
  for (int k = 0; k < 3; k++) picus_archive_double(a, &numbers[k]);
  picus_archive_doubles(a, t->stiffness, (size_t)s->system->nu);
  picus_archive_doubles(a, t->damping, (size_t)s->system->nu);
  for (int k = 0; !a->status && k < t->tangent.block_count; k++)
    picus_archive_doubles(a, t->tangent.blocks[k].values, t->tangent.blocks[k].count);
  for (int g = 0; picus_archive_reads(a) && g < s->system->group_count; g++) {
    const system_group *group = &s->system->groups[g];
    part_matrix *A = &t->tangent.blocks[t->tangent.by_group ? g : group->part0];
    if (A->order > 0 && !picus_part_matrix_factor(A, group_is_constant(s, group)))
      picus_archive_reject(a, "its Newton matrix is singular");
  }
  if (!picus_archive_reads(a)) return;
  t->factored_dt = numbers[0];
  t->factored_force = numbers[1];
  t->factored_share = numbers[2];
}

/* A row over the coordinates of all coupled parts times q. */
static double coupled_dot(const picus_system *system, const system_part *part, const double *row, const double *q) {
  double sum = 0;
  for (int k = 0; k < part->coupled_count; k++) {
    const system_part *other = &system->parts[part->coupled[k]];
    sum += picus_dot(other->nq, row, q + other->q0);
    row += other->nq;
  }
  return sum;
}

void picus_theta_add_slope(const stepper *s, const double *dq, double *out) {
  for (int p = 0; p < s->system->part_count; p++) {
    const system_part *part = &s->system->parts[p];
    const double *S = theta_of(s)->parts[p].balance_slope;
    if (!S || !theta_of(s)->parts[p].acts) continue;
    for (int i = 0; i < part->nu; i++) {
      double sum = 0;
      if (part->pattern)
        for (int k = part->pattern->row_start[i]; k < part->pattern->row_start[i + 1]; k++)
          sum += S[k] * dq[part->q0 + part->pattern->column[k]];
      else
        sum = coupled_dot(s->system, part, S + (size_t)i * (size_t)part->q_width, dq);
      out[part->u0 + i] += sum;
    }
  }
  const theta_step *t = theta_of(s);
  const double share = -t->shape.q_share * t->shape.force_dt;
  for (int k = 0; k < s->system->coupling_count; k++) {
    const system_coupling *c = &s->system->couplings[k];
    out[c->row] += share * picus_dot(c->nq, t->coupling_q + c->by_q, dq + c->q0);
  }
}

void picus_theta_positions(const stepper *s, const double *dw, double *out) {
  const theta_step *t = theta_of(s);
  const double by_w = rate_by_w(t);
  for (int p = 0; p < s->system->part_count; p++) {
    const system_part *part = &s->system->parts[p];
    const theta_part *own = &t->parts[p];
    double *dq = out + part->q0;
    if (part->identity_rates) {
      for (int i = 0; i < part->nu; i++) dq[i] = by_w * dw[part->u0 + i];
      continue;
    }
    picus_matrix_vector(part->nq, part->nu, own->has_slope ? own->position_slope : own->B, dw + part->u0, dq);
    if (own->has_slope) continue;
    for (int i = 0; i < part->nq; i++) dq[i] *= by_w;
    picus_rate_factors_solve(&theta_of(s)->parts[p].rates, dq);
  }
}
