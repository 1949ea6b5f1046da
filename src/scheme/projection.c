/* Positions moved back to their constraints at the end of a step (Acary 2012, section 4): q += B y with y = N W tau,
 *
 *   0 <= g(q) _|_ tau >= 0,   or g(q) = 0 with tau free,
 *
 * where N is the identity or the inverse of the step's tangent matrix. The gaps are linearised at the latest q, as
 * g + W^T (y - y_old), because W^T = (dg/dq) B; (58) of the paper has lost g and q. */
#include "scheme/theta_step.h"

#include "base/internal.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

picus_status picus_projection_create(stepper *s) {
  theta_projection *x = &s->implicit->projection;
  const size_t nq = (size_t)s->system->nq, nu = (size_t)s->system->nu;
  const size_t laws = (size_t)s->system->law_count, rows = (size_t)s->system->row_count;
  const size_t most_laws = s->options.coupled ? 2 * laws : laws, most = s->options.coupled ? rows + laws : laws;
  x->member = picus_allocate(s->context, laws, sizeof *x->member);
  x->equality = picus_allocate(s->context, laws, sizeof *x->equality);
  x->laws = picus_allocate(s->context, laws, sizeof *x->laws);
  x->kinds = picus_allocate(s->context, most_laws, sizeof *x->kinds);
  x->modes = picus_allocate(s->context, most_laws, sizeof *x->modes);
  x->solved = picus_allocate(s->context, laws, sizeof *x->solved);
  struct {
    double **array;
    size_t count;
  } const arrays[] = {{&x->tau, laws},        {&x->y, nu},
                      {&x->G, most * most},   {&x->c, most},
                      {&x->x, most},          {&x->inverse_W, s->system->W_size},
                      {&x->displacement, nu}, {&x->by_rates, nq},
                      {&x->moved, nq},        {&x->slopes, s->options.coupled ? laws * nu : 0},
                      {&x->slope, nu}};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
    if (!(*arrays[i].array = picus_allocate(s->context, arrays[i].count, sizeof(double)))) return PICUS_ERROR_MEMORY;
  if (!x->member || !x->equality || !x->laws || !x->kinds || !x->modes || !x->solved) return PICUS_ERROR_MEMORY;
  return picus_solver_reserve(s->solver, (int)most_laws, (int)most);
}

void picus_projection_release(stepper *s) {
  theta_projection *x = &s->implicit->projection;
  void *const blocks[] = {x->member,       x->equality, x->laws,  x->kinds,  x->modes, x->solved,
                          x->tau,          x->y,        x->G,     x->c,      x->x,     x->inverse_W,
                          x->displacement, x->by_rates, x->moved, x->slopes, x->slope};
  for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) picus_release(s->context, blocks[i]);
}

void picus_projection_begin(stepper *s) {
  theta_projection *x = &s->implicit->projection;
  if (!x->member) return;
  memset(x->member, 0, (size_t)s->system->law_count * sizeof *x->member);
  memset(x->tau, 0, (size_t)s->system->law_count * sizeof *x->tau);
  memset(x->y, 0, (size_t)s->system->nu * sizeof *x->y);
  memset(x->by_rates, 0, (size_t)s->system->nq * sizeof *x->by_rates);
}

/* --- which gaps ------------------------------------------------------------------------------------------------------
 */

/* How far a gap may be off: the tolerance, and what the rounding of q can cause. */
static double gap_tolerance(const stepper *s, int i) {
  const theta_step *t = s->implicit;
  const system_law *law = &s->system->laws[i];
  const double *row = t->end->W + law->W0;
  double sum = 0, largest = 0;
  for (int k = 0; k < law->width; k++) sum += fabs(row[k]);
  for (int k = 0; k < s->system->nq; k++) largest = fmax(largest, fabs(t->q[k]));
  return s->options.projection_tolerance + 8 * DBL_EPSILON * sum * largest;
}

/* What is wrong with a member: positive where it must be moved. */
static double violation(const theta_projection *x, int i, double gap) {
  if (x->equality[i]) return fabs(gap);
  return x->tau[i] < 0 ? INFINITY : fmax(-gap, x->tau[i] > 0 ? gap : 0);
}

/* Members in this step: constraints; of the contacts the active ones, or all that were found below their tolerance, or
 * that are coupled with percussions. Once a member, a contact stays one in this step. */
void picus_projection_choose(stepper *s, projection_kind kind) {
  theta_projection *x = &s->implicit->projection;
  const step_problem *p = &s->problem;
  const double *gap = s->implicit->gap;
  int k = 0, at = 0;
  for (int i = 0; i < s->system->law_count; i++) {
    const picus_system_law *law = &s->system->laws[i].data;
    const bool active = k < p->active_count && p->active[k] == i;
    const double percussion = active && p->started ? p->P[at] : 0;
    if (active) {
      at += law->dim;
      k++;
    }
    if (!law->has_gap) continue;
    const bool constraint = law->kind == PICUS_BILATERAL;
    bool joins = constraint || (active && (kind == PROJECT_ACTIVE || s->options.coupled));
    if (!joins && kind == PROJECT_ALL && gap[i] < -s->options.projection_tolerance) joins = true;
    x->member[i] = x->member[i] || joins;
    x->equality[i] = constraint || (kind == PROJECT_ACTIVE && percussion > 0); /* (68), (70) */
  }
}

bool picus_projection_needed(stepper *s, projection_kind kind) {
  theta_step *t = s->implicit;
  theta_projection *x = &t->projection;
  bool needed = false;
  double worst = 0;
  picus_projection_choose(s, kind);
  for (int i = 0; i < s->system->law_count; i++) {
    if (!x->member[i]) continue;
    double wrong = violation(x, i, t->gap[i]);
    if (wrong <= s->options.projection_tolerance || wrong <= gap_tolerance(s, i)) continue;
    needed = true;
    if (!(wrong > worst)) continue;
    worst = wrong;
    if (t->residual <= t->bound) { /* nothing else is to be blamed */
      t->worst_kind = "the gap of";
      t->worst = s->system->laws[i].data.name;
    }
  }
  if (needed && t->residual <= t->bound) {
    t->residual = worst;
    t->bound = s->options.projection_tolerance;
  }
  return needed;
}

/* --- the problem -----------------------------------------------------------------------------------------------------
 */

static const double *normal_row(const stepper *s, int i) { return s->implicit->end->W + s->system->laws[i].W0; }

/* The list of members with N w of each. */
static void list_members(stepper *s) {
  theta_projection *x = &s->implicit->projection;
  double *next = x->inverse_W;
  x->count = 0;
  for (int i = 0; i < s->system->law_count; i++) {
    if (!x->member[i]) continue;
    const system_law *law = &s->system->laws[i];
    if (s->options.metric == PICUS_METRIC_INERTIA)
      picus_law_row_solve(&s->implicit->tangent, law, normal_row(s, i), next);
    else
      memcpy(next, normal_row(s, i), (size_t)law->width * sizeof *next);
    x->solved[x->count] = next;
    x->laws[x->count++] = i;
    next += law->width;
  }
}

static picus_law law_of_member(const theta_projection *x, int i) {
  return (picus_law){.kind = x->equality[i] ? PICUS_BILATERAL : PICUS_UNILATERAL, .dim = 1};
}

static picus_status explain(stepper *s, const picus_solve_info *solve, int first_law) {
  theta_projection *x = &s->implicit->projection;
  int worst = solve->residual.worst_law - first_law;
  char sentence[512];
  snprintf(sentence, sizeof sentence, "%s", picus_last_error(s->context)->message);
  return picus_fail(s->context, solve->status,
                    "the positions of the step from t = %.9g could not be brought to their constraints (%d laws, worst "
                    "'%s'): %s",
                    s->t, x->count, worst >= 0 && worst < x->count ? s->system->laws[x->laws[worst]].data.name : "none",
                    sentence);
}

/* B d of a displacement per unit of velocity: q' is linear in u, so B d = q'(d) - q'(0). */
static picus_status displace(stepper *s, double *d, double *out) {
  theta_step *t = s->implicit;
  const int nq = s->system->nq;
  if (s->system->constants.identity_rates) {
    memcpy(out, d, (size_t)nq * sizeof *out);
    return PICUS_OK;
  }
  t->end_ready = false;
  picus_evaluation_set_point(t->end, t->t_end, t->q, d);
  picus_status status = picus_evaluate_rate(t->end, out);
  if (status != PICUS_OK) return status;
  double *zero = s->u_free, *rest = s->q_next;
  memset(zero, 0, (size_t)s->system->nu * sizeof *zero);
  picus_evaluation_set_point(t->end, t->t_end, t->q, zero);
  status = picus_evaluate_rate(t->end, rest);
  for (int i = 0; i < nq; i++) out[i] -= rest[i];
  return status;
}

/* y = N W tau with the tau of the members; q follows. */
static picus_status move(stepper *s) {
  theta_step *t = s->implicit;
  theta_projection *x = &t->projection;
  const int nu = s->system->nu, nq = s->system->nq;
  double *change = x->displacement;
  for (int i = 0; i < nu; i++) change[i] = -x->y[i];
  memset(x->y, 0, (size_t)nu * sizeof *x->y);
  for (int k = 0; k < x->count; k++)
    picus_law_row_add(s->system, &s->system->laws[x->laws[k]], x->solved[k], x->tau[x->laws[k]], x->y);
  for (int i = 0; i < nu; i++) change[i] += x->y[i];
  picus_status status = displace(s, change, x->moved);
  for (int i = 0; i < nq; i++) {
    t->q[i] += x->moved[i];
    x->by_rates[i] += x->moved[i];
  }
  t->end_ready = false;
  return status;
}

static void note_tau(const stepper *s, picus_step_info *info) {
  const theta_projection *x = &s->implicit->projection;
  info->projection = 0;
  for (int i = 0; i < s->system->law_count; i++) info->projection = fmax(info->projection, fabs(x->tau[i]));
}

picus_status picus_projection_solve(stepper *s, picus_step_info *info) {
  theta_step *t = s->implicit;
  theta_projection *x = &t->projection;
  list_members(s);
  const size_t n = (size_t)x->count;
  for (size_t k = 0; k < n; k++) {
    const int i = x->laws[k];
    const system_law *law = &s->system->laws[i];
    for (size_t l = 0; l < n; l++)
      x->G[k * n + l] =
          picus_law_rows_dot(s->system, law, normal_row(s, i), &s->system->laws[x->laws[l]], x->solved[l]);
    x->c[k] = t->gap[i] - picus_law_row_dot(s->system, law, normal_row(s, i), x->y);
    x->kinds[k] = law_of_member(x, i);
    x->x[k] = x->equality[i] ? x->tau[i] : fmax(x->tau[i], 0);
    x->modes[k] = x->equality[i] || x->tau[i] > 0 ? PICUS_STICK : PICUS_OPEN;
  }
  picus_contact_problem problem = {.law_count = x->count, .laws = x->kinds, .size = x->count, .G = x->G, .c = x->c};
  picus_solve_info solve;
  picus_status status = picus_solver_solve(s->solver, &problem, x->x, x->modes, &solve);
  if (status != PICUS_OK) return explain(s, &solve, 0);
  for (int k = 0; k < x->count; k++) x->tau[x->laws[k]] = x->x[k];
  info->projection_iterations++;
  note_tau(s, info);
  return move(s);
}

/* --- coupled ---------------------------------------------------------------------------------------------------------
 */

/* A^-1 S B d, the change of w that keeps the balance when positions are displaced, with the opposite sign. */
static picus_status slope_of(stepper *s, double *d, double *out) {
  theta_step *t = s->implicit;
  picus_status status = displace(s, d, t->projection.moved);
  memset(out, 0, (size_t)s->system->nu * sizeof *out);
  picus_theta_add_slope(s, t->projection.moved, out);
  picus_system_matrix_solve(&t->tangent, out);
  return status;
}

/* slopes and slope. */
static picus_status find_slopes(stepper *s) {
  theta_projection *x = &s->implicit->projection;
  const size_t nu = (size_t)s->system->nu;
  picus_status status = slope_of(s, x->y, x->slope);
  for (int k = 0; status == PICUS_OK && k < x->count; k++) {
    memset(x->displacement, 0, nu * sizeof(double));
    picus_law_row_add(s->system, &s->system->laws[x->laws[k]], x->solved[k], 1, x->displacement);
    status = slope_of(s, x->displacement, x->slopes + (size_t)k * nu);
  }
  return status;
}

/* One row of the coupled problem: the row w of a law against all percussions and all tau / scale. share: 1 in rows of
 * gaps, whose displacement is N w; 0 in rows of velocities. */
static void fill_row(stepper *s, const system_law *law, const double *w, double scale, double share, double *row) {
  const theta_projection *x = &s->implicit->projection;
  const step_problem *p = &s->problem;
  size_t at = 0;
  for (int k = 0; k < p->active_count; k++) {
    const system_law *other = &s->system->laws[p->active[k]];
    for (int r = 0; r < other->data.dim; r++, at++)
      row[at] = picus_law_rows_dot(s->system, law, w, other, p->solved[at]);
  }
  for (int k = 0; k < x->count; k++, at++) {
    const system_law *other = &s->system->laws[x->laws[k]];
    row[at] = share * picus_law_rows_dot(s->system, law, w, other, x->solved[k]) -
              scale * picus_law_row_dot(s->system, law, w, x->slopes + (size_t)k * (size_t)s->system->nu);
  }
}

/* With scale = dq/dw the rows of the gaps are divided by it and tau is counted in units of it, so that all rows are
 * velocities and all unknowns percussions:
 *
 *   [ W^T A^-1 W    - scale W^T Z          ] [ P           ]   Z = A^-1 S B N W, the reaction of the velocities
 *   [ W^T A^-1 W    W^T N W - scale W^T Z  ] [ tau / scale ]
 *
 * in place of (54), whose terms with K have the wrong sign. */
static void fill_coupled(stepper *s, double scale) {
  theta_step *t = s->implicit;
  theta_projection *x = &t->projection;
  step_problem *p = &s->problem;
  const size_t n = (size_t)p->size + (size_t)x->count;
  size_t at = 0;
  for (int k = 0; k < p->active_count; k++) {
    const system_law *law = &s->system->laws[p->active[k]];
    x->kinds[k] = p->laws[k];
    x->modes[k] = p->modes[k];
    for (int r = 0; r < law->data.dim; r++, at++) {
      const double *w = t->end->W + law->W0 + (size_t)r * (size_t)law->width;
      fill_row(s, law, w, scale, 0, x->G + at * n);
      x->c[at] = p->c[at] + picus_law_row_dot(s->system, law, w, x->slope);
      x->x[at] = p->P[at];
    }
  }
  for (int k = 0; k < x->count; k++, at++) {
    const int i = x->laws[k];
    const system_law *law = &s->system->laws[i];
    const double *w = normal_row(s, i);
    fill_row(s, law, w, scale, 1, x->G + at * n);
    double free, now;
    picus_law_row_dots(s->system, law, w, t->w_free, t->w, &free, &now);
    x->c[at] = (t->gap[i] - picus_law_row_dot(s->system, law, w, x->y)) / scale + free - now +
               picus_law_row_dot(s->system, law, w, x->slope);
    x->x[at] = (x->equality[i] ? x->tau[i] : fmax(x->tau[i], 0)) / scale;
    x->kinds[p->active_count + k] = law_of_member(x, i);
    x->modes[p->active_count + k] = x->equality[i] || x->tau[i] > 0 ? PICUS_STICK : PICUS_OPEN;
  }
}

/* w of the next iterate, with the new percussions and the new tau. */
static void coupled_velocity(const stepper *s, double *w) {
  const theta_projection *x = &s->implicit->projection;
  const step_problem *p = &s->problem;
  const int nu = s->system->nu;
  for (int i = 0; i < nu; i++) w[i] = s->implicit->w_free[i] + x->slope[i];
  int at = 0;
  for (int k = 0; k < p->active_count; k++) {
    const system_law *law = &s->system->laws[p->active[k]];
    for (int r = 0; r < law->data.dim; r++, at++) picus_law_row_add(s->system, law, p->solved[at], p->P[at], w);
  }
  for (int k = 0; k < x->count; k++)
    for (int i = 0; i < nu; i++) w[i] -= x->slopes[(size_t)k * (size_t)nu + (size_t)i] * x->tau[x->laws[k]];
}

/* The part of the law velocities that tau causes goes into the right side of the contact problem, which then says the
 * whole truth about its rows. */
static void read_solution(stepper *s, double scale) {
  theta_projection *x = &s->implicit->projection;
  step_problem *p = &s->problem;
  const size_t n = (size_t)p->size + (size_t)x->count;
  for (int r = 0; r < p->size; r++) {
    double by_tau = x->c[r] - p->c[r] + picus_dot(x->count, x->G + (size_t)r * n + p->size, x->x + p->size);
    p->c[r] += by_tau;
    p->free[r] += by_tau;
  }
  memcpy(p->P, x->x, (size_t)p->size * sizeof *p->P);
  memcpy(p->modes, x->modes, (size_t)p->active_count * sizeof *p->modes);
  for (int k = 0; k < x->count; k++) x->tau[x->laws[k]] = scale * x->x[p->size + k];
}

picus_status picus_projection_solve_coupled(stepper *s, const contact_request *request, double scale, double *w,
                                            picus_step_info *info) {
  theta_step *t = s->implicit;
  theta_projection *x = &t->projection;
  step_problem *p = &s->problem;
  picus_step_problem_prepare(s, request);
  list_members(s);
  picus_status status = find_slopes(s);
  if (status == PICUS_OK) status = picus_theta_look(s); /* B was evaluated with other velocities */
  if (status != PICUS_OK) return status;
  fill_coupled(s, scale);
  picus_contact_problem problem = {
      .law_count = p->active_count + x->count, .laws = x->kinds, .size = p->size + x->count, .G = x->G, .c = x->c};
  const int iterations = info->solve.iterations;
  status = picus_solver_solve(s->solver, &problem, x->x, x->modes, &info->solve);
  info->solve.iterations += iterations;
  if (status != PICUS_OK) return explain(s, &info->solve, p->active_count);
  read_solution(s, scale);
  coupled_velocity(s, w);
  info->projection_iterations += x->count > 0;
  note_tau(s, info);
  return picus_step_check_finite(s, w);
}

picus_status picus_projection_move(stepper *s) { return move(s); }
