/* Projection of positions onto their constraints at the end of a step (Acary 2012, section 4): q += B y with y = N W
 * tau,
 *
 *   0 <= g(q) _|_ tau >= 0,   or g(q) = 0 with tau free,
 *
 * where N is the identity or the inverse of the step's tangent matrix. The gaps are linearized at the latest q, as g +
 * W^T (y - y_old), because W^T = (dg/dq) B; (58) of the paper omits g and q.
 *
 * This file and projection_coupled.c assemble dense matrices over the normal rows of their laws. A delassus_request
 * knows complete laws only; once it can choose rows, they can take theirs from it, block-sparse as those of steps. */
#include "scheme/theta_step.h"

#include "base/internal.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static size_t twice_by_law(const law_sizes *n) { return 2 * n->laws; }
static size_t square_of_laws(const law_sizes *n) { return n->laws * n->laws; }
/* The coupled problem has the rows of the percussions as well. */
static size_t coupled_rows(const law_sizes *n) { return n->rows + n->laws; }
static size_t square_of_coupled(const law_sizes *n) { return coupled_rows(n) * coupled_rows(n); }
static size_t slopes_of_laws(const law_sizes *n) { return n->laws * n->nu; }

/* N w of the normal rows: exact for fixed laws; laws that come and go may act on any group of parts. */
static picus_status create_solved(stepper *s) {
  theta_projection *x = &theta_of(s)->projection;
  const system_matrix *N = picus_projection_matrix(s);
  if (s->set->present) {
    const law_extent extent = N && N->by_group ? slopes_of_laws : picus_by_W;
    return picus_law_arrays_add_one(&s->arrays, picus_scratch(&x->inverse_W, sizeof(double), extent));
  }
  size_t solved = 0;
  for (int i = 0; i < s->set->law_count; i++)
    solved += (size_t)s->set->laws[i].data.dim * picus_law_solved_size(N, &s->set->laws[i]);
  x->inverse_W = picus_allocate(s->context, solved, sizeof *x->inverse_W);
  return x->inverse_W ? PICUS_OK : PICUS_ERROR_MEMORY;
}

static picus_status create_coupled(stepper *s) {
  theta_projection *x = &theta_of(s)->projection;
  const law_array arrays[] = {picus_scratch(&x->kinds, sizeof *x->kinds, twice_by_law),
                              picus_scratch(&x->modes, sizeof *x->modes, twice_by_law),
                              picus_scratch(&x->G, sizeof(double), square_of_coupled),
                              picus_scratch(&x->c, sizeof(double), coupled_rows),
                              picus_scratch(&x->x, sizeof(double), coupled_rows),
                              picus_scratch(&x->slopes, sizeof(double), slopes_of_laws)};
  picus_status status = picus_law_arrays_add(&s->arrays, sizeof arrays / sizeof arrays[0], arrays);
  const int laws = s->set->law_count, rows = s->set->row_count;
  return status ? status : picus_solver_reserve(s->contacts.solver, 2 * laws, rows + laws);
}

static picus_status create_separate(stepper *s) {
  theta_projection *x = &theta_of(s)->projection;
  const law_array arrays[] = {
      picus_scratch(&x->kinds, sizeof *x->kinds, picus_by_law),
      picus_scratch(&x->modes, sizeof *x->modes, picus_by_law), picus_scratch(&x->G, sizeof(double), square_of_laws),
      picus_scratch(&x->c, sizeof(double), picus_by_law), picus_scratch(&x->x, sizeof(double), picus_by_law)};
  picus_status status = picus_law_arrays_add(&s->arrays, sizeof arrays / sizeof arrays[0], arrays);
  return status ? status : picus_solver_reserve(s->contacts.solver, s->set->law_count, s->set->law_count);
}

picus_status picus_projection_create(stepper *s) {
  theta_projection *x = &theta_of(s)->projection;
  const size_t nq = (size_t)s->system->nq, nu = (size_t)s->system->nu;
  struct {
    double **array;
    size_t count;
  } const arrays[] = {{&x->y, nu}, {&x->displacement, nu}, {&x->by_rates, nq}, {&x->moved, nq}, {&x->slope, nu}};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
    if (!(*arrays[i].array = picus_allocate(s->context, arrays[i].count, sizeof(double)))) return PICUS_ERROR_MEMORY;
  const law_array of_laws[] = {picus_scratch(&x->member, sizeof *x->member, picus_by_law),
                               picus_scratch(&x->equality, sizeof *x->equality, picus_by_law),
                               picus_scratch(&x->laws, sizeof *x->laws, picus_by_law),
                               picus_scratch(&x->solved, sizeof *x->solved, picus_by_law),
                               picus_scratch(&x->tau, sizeof(double), picus_by_law)};
  picus_status status = picus_law_arrays_add(&s->arrays, sizeof of_laws / sizeof of_laws[0], of_laws);
  if (!status) status = create_solved(s);
  if (status) return status;
  return s->options.coupled ? create_coupled(s) : create_separate(s);
}

void picus_projection_release(stepper *s) {
  theta_projection *x = &theta_of(s)->projection;
  void *const blocks[] = {x->y,     x->displacement, x->by_rates,
                          x->moved, x->slope,        s->set->present ? NULL : x->inverse_W};
  for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) picus_release(s->context, blocks[i]);
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

/* The allowed error of a gap: the tolerance plus the effect of the round-off of q. */
static double gap_tolerance(const stepper *s, int i) {
  const theta_step *t = theta_of(s);
  const system_law *law = &s->set->laws[i];
  const double *row = picus_law_row(law, t->end->W, 0);
  double sum = 0, largest = 0;
  for (int k = 0; k < picus_law_row_size(law); k++) sum += fabs(row[k]);
  for (int k = 0; k < s->system->nq; k++) largest = fmax(largest, fabs(t->q[k]));
  return s->options.projection_tolerance + 8 * DBL_EPSILON * sum * largest;
}

/* The error of a member: positive if it must be moved. */
static double violation(const theta_projection *x, int i, double gap) {
  if (x->equality[i]) return fabs(gap);
  return x->tau[i] < 0 ? INFINITY : fmax(-gap, x->tau[i] > 0 ? gap : 0);
}

/* Members in this step: constraints; of the contacts the active ones, or all that were found below their tolerance, or
 * that are coupled with percussions. Once a member, a contact stays one in this step. */
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
    bool joins = constraint || (active && (kind == PROJECT_ACTIVE || s->options.coupled));
    if (!joins && kind == PROJECT_ALL && gap[i] < -s->options.projection_tolerance) joins = true;
    x->member[i] = x->member[i] || joins;
    x->equality[i] = constraint || (kind == PROJECT_ACTIVE && percussion > 0); /* (68), (70) */
  }
}

bool picus_projection_needed(stepper *s, projection_kind kind) {
  theta_step *t = theta_of(s);
  theta_projection *x = &t->projection;
  bool needed = false;
  double worst = 0;
  picus_projection_choose(s, kind);
  for (int i = 0; i < s->set->law_count; i++) {
    if (!x->member[i]) continue;
    double wrong = violation(x, i, t->gap[i]);
    if (wrong <= s->options.projection_tolerance || wrong <= gap_tolerance(s, i)) continue;
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
    t->residual.bound = s->options.projection_tolerance;
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

/* The list of members with N w of each. */
void picus_projection_list(stepper *s) {
  theta_projection *x = &theta_of(s)->projection;
  double *next = x->inverse_W;
  x->count = 0;
  for (int i = 0; i < s->set->law_count; i++) {
    if (!x->member[i]) continue;
    const system_law *law = &s->set->laws[i];
    if (s->options.metric == PICUS_METRIC_INERTIA)
      picus_law_row_solve(&theta_of(s)->tangent, law, picus_projection_row(s, i), next);
    else
      memcpy(next, picus_projection_row(s, i), (size_t)picus_law_row_size(law) * sizeof *next);
    x->solved[x->count] = next;
    x->laws[x->count++] = i;
    next += picus_law_solved_size(picus_projection_matrix(s), law);
  }
}

picus_law picus_projection_law(const theta_projection *x, int i) {
  return (picus_law){.kind = x->equality[i] ? PICUS_BILATERAL : PICUS_UNILATERAL, .dim = 1};
}

picus_status picus_projection_explain(stepper *s, const picus_solve_info *solve, int first_law) {
  theta_projection *x = &theta_of(s)->projection;
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
  info->projection = 0;
  for (int i = 0; i < s->set->law_count; i++) info->projection = fmax(info->projection, fabs(x->tau[i]));
}

picus_status picus_projection_solve(stepper *s, picus_step_info *info) {
  theta_step *t = theta_of(s);
  theta_projection *x = &t->projection;
  picus_projection_list(s);
  const system_matrix *N = picus_projection_matrix(s);
  const size_t n = (size_t)x->count;
  for (size_t k = 0; k < n; k++) {
    const int i = x->laws[k];
    const system_law *law = &s->set->laws[i];
    for (size_t l = 0; l < n; l++)
      x->G[k * n + l] =
          picus_law_solved_dot(N, &s->set->laws[x->laws[l]], x->solved[l], law, picus_projection_row(s, i));
    /* g to first order in tau, without the tau that q holds already: 0 <= g _|_ tau >= 0 */
    x->c[k] = t->gap[i] - picus_law_row_dot(s->system, law, picus_projection_row(s, i), x->y);
    x->kinds[k] = picus_projection_law(x, i);
    x->x[k] = x->equality[i] ? x->tau[i] : fmax(x->tau[i], 0);
    x->modes[k] = x->equality[i] || x->tau[i] > 0 ? PICUS_STICK : PICUS_OPEN;
  }
  picus_contact_problem problem = {.law_count = x->count, .laws = x->kinds, .size = x->count, .G = x->G, .c = x->c};
  picus_solve_info solve;
  picus_status status = picus_solver_solve(s->contacts.solver, &problem, x->x, x->modes, &solve);
  if (status) return picus_projection_explain(s, &solve, 0);
  for (int k = 0; k < x->count; k++) x->tau[x->laws[k]] = x->x[k];
  info->projection_iterations++;
  picus_projection_note(s, info);
  return picus_projection_move(s);
}
