/* Projection of positions onto their constraints at the end of a step (Acary 2012, section 4): q += B y with y = N W
 * tau,
 *
 *   0 <= g(q) _|_ tau >= 0,   or g(q) = 0 with tau free,
 *
 * where N is the identity or the inverse of the step's tangent matrix. The gaps are linearized at the latest q, as g +
 * W^T (y - y_old), because W^T = (dg/dq) B; (58) of the paper omits g and q.
 *
 * The matrix of the problem is that of the normal rows of the members: in large sets block-sparse, as those of steps.
 */
#include "scheme/theta/theta_step.h"

#include "base/internal.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static size_t twice_by_law(const law_sizes *n) { return 2 * n->laws; }
/* The coupled problem has the rows of the percussions as well. */
static size_t coupled_rows(const law_sizes *n) { return n->rows + n->laws; }

static picus_status create_coupled(stepper *s) {
  if (s->system->varies)
    return picus_fail(s->context, PICUS_ERROR_UNSUPPORTED,
                      "projection = 'coupled' does not support coefficients of laws that vary; use 'decoupled'");
  theta_projection *x = &theta_of(s)->projection;
  law_arrays *a = &s->arrays;
  picus_status status = PICUS_SCRATCH(a, sizeof *x->kinds, twice_by_law, &x->kinds);
  if (!status) status = PICUS_SCRATCH(a, sizeof *x->modes, twice_by_law, &x->modes);
  if (!status) status = PICUS_SCRATCH(a, sizeof(double), coupled_rows, &x->c, &x->x);
  if (!status) status = picus_projection_create_coupled(s);
  const int laws = s->set->law_count, rows = s->set->row_count;
  return status ? status : picus_solver_reserve(s->contacts.solver, 2 * laws, rows + laws);
}

static picus_status create_separate(stepper *s) {
  theta_projection *x = &theta_of(s)->projection;
  picus_status status = PICUS_SCRATCH(&s->arrays, sizeof *x->kinds, picus_by_law, &x->kinds);
  if (!status) status = PICUS_SCRATCH(&s->arrays, sizeof *x->modes, picus_by_law, &x->modes);
  if (!status) status = PICUS_SCRATCH(&s->arrays, sizeof(double), picus_by_law, &x->c, &x->x);
  if (!status) status = picus_law_arrays_add_matrix(&s->arrays, s->set, &x->G);
  return status ? status : picus_solver_reserve(s->contacts.solver, s->set->law_count, s->set->law_count);
}

picus_status picus_projection_create(stepper *s) {
  theta_projection *x = &theta_of(s)->projection;
  law_arrays *a = &s->arrays;
  picus_status status = PICUS_FIXED(a, sizeof(double), (size_t)s->system->nu, &x->y, &x->displacement, &x->slope);
  if (!status) status = PICUS_FIXED(a, sizeof(double), (size_t)s->system->nq, &x->by_rates, &x->moved);
  if (!status) status = PICUS_SCRATCH(a, sizeof(bool), picus_by_law, &x->member, &x->equality);
  if (!status) status = PICUS_SCRATCH(a, sizeof *x->laws, picus_by_law, &x->laws);
  if (!status) status = PICUS_SCRATCH(a, sizeof *x->solved, picus_by_law, &x->solved);
  if (!status) status = PICUS_SCRATCH(a, sizeof(double), picus_by_law, &x->tau);
  if (!status && !picus_projection_matrix(s)->by_group) /* else it grows with the members */
    status = PICUS_SCRATCH(a, sizeof(double), picus_by_W, &x->inverse_W);
  if (status) return status;
  return picus_theta_is_coupled(s) ? create_coupled(s) : create_separate(s);
}

void picus_projection_begin(stepper *s) {
  theta_projection *x = &theta_of(s)->projection;
  if (!x->member) return;
  memset(x->member, 0, (size_t)s->set->law_count * sizeof *x->member);
  memset(x->tau, 0, (size_t)s->set->law_count * sizeof *x->tau);
  memset(x->y, 0, (size_t)s->system->nu * sizeof *x->y);
  memset(x->by_rates, 0, (size_t)s->system->nq * sizeof *x->by_rates);
}

/* --- which gaps ------------------------------------------------------------------------------------------ */

/* The error of a member: positive if it must be moved. */
static double violation(const theta_projection *x, int i, double gap) {
  if (x->equality[i]) return fabs(gap);
  return x->tau[i] < 0 ? INFINITY : fmax(-gap, x->tau[i] > 0 ? gap : 0);
}

/* Members in this step: constraints; of the contacts those whose gap was found not closed to the tolerance, among the
 * active ones or all; or the active ones, if they are coupled with percussions. Redundant contacts whose gaps are
 * closed do not join: their displacements would be open. Once a member, a contact stays one in this step. */
void picus_projection_choose(stepper *s, projection_kind kind) {
  theta_projection *x = &theta_of(s)->projection;
  const step_problem *p = &s->problem;
  const double *gap = theta_of(s)->gap;
  int k = 0, at = 0;
  for (int i = 0; i < s->set->law_count; i++) {
    const picus_system_law *law = &s->set->laws[i].data;
    const bool active = k < p->active_count && p->active[k] == i;
    const double percussion = active && p->started ? p->P[at] : 0;
    if (active) {
      at += law->dim;
      k++;
    }
    if (!law->has_gap) continue;
    const bool constraint = law->kind == PICUS_BILATERAL;
    x->equality[i] = constraint || (kind == PROJECT_ACTIVE && percussion > 0); /* (68), (70) */
    bool joins = constraint || (active && picus_theta_is_coupled(s));
    if (!joins && kind == PROJECT_ALL && gap[i] < -s->options.projection_tolerance) joins = true;
    if (!joins && kind == PROJECT_ACTIVE && active)
      joins = violation(x, i, gap[i]) > theta_of(s)->residual.tolerance.gap;
    x->member[i] = x->member[i] || joins;
  }
}

bool picus_projection_needed(stepper *s, projection_kind kind) {
  theta_step *t = theta_of(s);
  theta_projection *x = &t->projection;
  bool needed = false, measured = false;
  double worst = 0;
  picus_projection_choose(s, kind);
  for (int i = 0; i < s->set->law_count; i++) {
    if (!x->member[i]) continue;
    double wrong = violation(x, i, t->gap[i]);
    if (wrong <= t->residual.tolerance.gap) continue;
    if (!measured) picus_stepper_find_largest(s, t->q);
    measured = true;
    const double *row = picus_law_row(&s->set->laws[i], t->end->W, 0); /* the round-off of q also is an error of gaps */
    const double terms = picus_law_gap_terms(s, &s->set->laws[i], row, t->q);
    if (wrong <= t->residual.tolerance.gap + 8 * DBL_EPSILON * terms) continue;
    needed = true;
    if (!(wrong > worst)) continue;
    worst = wrong;
    if (t->residual.value <= t->residual.bound) { /* nothing else is to be blamed */
      t->residual.kind = "the gap of";
      t->residual.name = s->set->laws[i].data.name;
    }
  }
  if (needed && t->residual.value <= t->residual.bound) {
    t->residual.value = worst;
    t->residual.bound = t->residual.tolerance.gap;
  }
  return needed;
}

/* --- the problem ----------------------------------------------------------------------------------------- */

const double *picus_projection_row(const stepper *s, int i) {
  return picus_law_row(&s->set->laws[i], theta_of(s)->end->W, 0);
}

const system_matrix *picus_projection_matrix(const stepper *s) {
  return s->options.metric == PICUS_METRIC_INERTIA ? &theta_of(s)->tangent : &s->evaluation->mass;
}

/* Memory for N w of the members where N couples parts. It grows with their number and is kept. */
static picus_status reserve_grouped(stepper *s) {
  theta_projection *x = &theta_of(s)->projection;
  size_t size = 0;
  for (int k = 0; k < x->count; k++)
    size += picus_law_solved_size(picus_projection_matrix(s), &s->set->laws[x->laws[k]]);
  if (size <= x->inverse_W_size) return PICUS_OK;
  x->inverse_W_size = 0;
  picus_status status = picus_law_arrays_renew(&s->arrays, sizeof *x->inverse_W, 2 * size, &x->inverse_W);
  if (!status) x->inverse_W_size = 2 * size;
  return status;
}

picus_status picus_projection_list(stepper *s) {
  theta_projection *x = &theta_of(s)->projection;
  const system_matrix *N = picus_projection_matrix(s);
  x->count = 0;
  for (int i = 0; i < s->set->law_count; i++)
    if (x->member[i]) x->laws[x->count++] = i;
  picus_status status = N->by_group ? reserve_grouped(s) : PICUS_OK;
  if (status) return status;
  double *next = x->inverse_W;
  for (int k = 0; k < x->count; k++) {
    const system_law *law = &s->set->laws[x->laws[k]];
    const double *row = picus_projection_row(s, x->laws[k]);
    if (s->options.metric == PICUS_METRIC_INERTIA)
      picus_law_rows_solve(N, law, 1, row, next);
    else
      memcpy(next, row, (size_t)picus_law_row_size(law) * sizeof *next);
    x->solved[k] = next;
    next += picus_law_solved_size(N, law);
  }
  return PICUS_OK;
}

picus_law picus_projection_law(const theta_projection *x, int i) {
  return (picus_law){.kind = x->equality[i] ? PICUS_BILATERAL : PICUS_UNILATERAL, .dim = 1};
}

/* A law of a problem among those that are present: the active laws come first, if there are any. */
typedef struct projected_laws {
  const int *active, *members;
  int first_member;
} projected_laws;

static int projected_law(const void *user, int k) {
  const projected_laws *x = user;
  return k < x->first_member ? x->active[k] : x->members[k - x->first_member];
}

picus_status picus_projection_call_solver(stepper *s, const picus_contact_problem *problem, int first_law,
                                          picus_solve_info *solve, picus_step_info *info) {
  theta_projection *x = &theta_of(s)->projection;
  const projected_laws laws = {s->problem.active, x->laws, first_law};
  const picus_status status = picus_solver_solve(s->contacts.solver, problem, x->x, x->modes, solve);
  if (!status) {
    picus_step_note_residual(s->contacts.solver, &(solved_problem){problem, x->x, solve, projected_law, &laws, NULL},
                             info);
    return PICUS_OK;
  }
  int worst = solve->residual.worst_law - first_law;
  char sentence[512];
  snprintf(sentence, sizeof sentence, "%s", picus_last_error(s->context)->message);
  return picus_fail(
      s->context, solve->status,
      "the positions of the step from t = %.9g could not be projected onto their constraints (%d laws, worst '%s'): %s",
      s->t, x->count, worst >= 0 && worst < x->count ? s->set->laws[x->laws[worst]].data.name : "none", sentence);
}

/* B d of a displacement per unit of velocity: q' is linear in u, so B d = q'(d) - q'(0). */
picus_status picus_projection_displace(stepper *s, double *d, double *out) {
  theta_step *t = theta_of(s);
  const int nq = s->system->nq;
  if (s->system->constants.identity_rates) {
    memcpy(out, d, (size_t)nq * sizeof *out);
    return PICUS_OK;
  }
  t->end_ready = false;
  picus_evaluation_set_point(t->end, t->t_end, t->q, d);
  picus_status status = picus_evaluate_rate(t->end, out);
  if (status) return status;
  double *zero = s->u_free, *rest = s->q_next;
  memset(zero, 0, (size_t)s->system->nu * sizeof *zero);
  picus_evaluation_set_point(t->end, t->t_end, t->q, zero);
  status = picus_evaluate_rate(t->end, rest);
  for (int i = 0; i < nq; i++) out[i] -= rest[i];
  return status;
}

/* y = N W tau with the tau of the members; q follows. */
picus_status picus_projection_move(stepper *s) {
  theta_step *t = theta_of(s);
  theta_projection *x = &t->projection;
  const int nu = s->system->nu, nq = s->system->nq;
  double *change = x->displacement;
  for (int i = 0; i < nu; i++) change[i] = -x->y[i];
  memset(x->y, 0, (size_t)nu * sizeof *x->y);
  for (int k = 0; k < x->count; k++)
    picus_law_solved_add(picus_projection_matrix(s), &s->set->laws[x->laws[k]], x->solved[k], x->tau[x->laws[k]], x->y);
  for (int i = 0; i < nu; i++) change[i] += x->y[i];
  picus_status status = picus_projection_displace(s, change, x->moved);
  for (int i = 0; i < nq; i++) {
    t->q[i] += x->moved[i];
    x->by_rates[i] += x->moved[i];
  }
  t->end_ready = false;
  return status;
}

void picus_projection_note(const stepper *s, picus_step_info *info) {
  const theta_projection *x = &theta_of(s)->projection;
  info->implicit.projection = 0;
  for (int i = 0; i < s->set->law_count; i++)
    info->implicit.projection = fmax(info->implicit.projection, fabs(x->tau[i]));
}

/* The matrix of the members' normal rows. */
static picus_status fill_matrix(stepper *s) {
  theta_projection *x = &theta_of(s)->projection;
  const system_matrix *N = picus_projection_matrix(s);
  picus_status status = N->by_group ? picus_delassus_reserve(s->context, &x->G, x->count) : PICUS_OK;
  if (status) return status;
  picus_delassus_assemble(&x->G, &(delassus_request){.set = s->set,
                                                     .law_count = x->count,
                                                     .laws = x->laws,
                                                     .V = theta_of(s)->end->W,
                                                     .matrix = N,
                                                     .solved = x->solved,
                                                     .first_rows = true});
  return PICUS_OK;
}

picus_status picus_projection_find(stepper *s, picus_step_info *info) {
  theta_step *t = theta_of(s);
  theta_projection *x = &t->projection;
  picus_status status = picus_projection_list(s);
  if (!status) status = fill_matrix(s);
  if (status) return status;
  for (int k = 0; k < x->count; k++) {
    const int i = x->laws[k];
    /* g to first order in tau, without the tau that q holds already: 0 <= g _|_ tau >= 0 */
    x->c[k] = t->gap[i] - picus_law_row_dot(s->system, &s->set->laws[i], picus_projection_row(s, i), x->y);
    x->kinds[k] = picus_projection_law(x, i);
    x->x[k] = x->equality[i] ? x->tau[i] : fmax(x->tau[i], 0);
    x->modes[k] = x->equality[i] || x->tau[i] > 0 ? PICUS_STICK : PICUS_OPEN;
  }
  const picus_contact_problem problem = picus_delassus_problem(&x->G, x->kinds, x->c);
  picus_solve_info solve;
  if ((status = picus_projection_call_solver(s, &problem, 0, &solve, info))) return status;
  info->solver.last.accepted |= solve.accepted;
  for (int k = 0; k < x->count; k++) x->tau[x->laws[k]] = x->x[k];
  info->implicit.projection_iterations++;
  picus_projection_note(s, info);
  return picus_projection_move(s);
}
