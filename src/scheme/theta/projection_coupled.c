/* Percussions and projection from one coupled problem (Acary 2012 (53)) instead of two in sequence.
 *
 * The problem has the rows of the active laws, then one row of each gap that is projected. Its matrix is dense: the
 * same motion without coupling costs less, and is for many contacts. Each block between percussions and gaps goes
 * through the factors of the step's tangent matrix. */
#include "scheme/theta/theta_step.h"

#include "base/internal.h"

#include <math.h>
#include <string.h>

/* --- memory ------------------------------------------------------------------------------------------------------ */

/* Memory for at least `count` numbers, with some in reserve when it grows; their values are lost then. */
static picus_status reserve_numbers(stepper *s, size_t count, double **numbers, size_t *capacity) {
  if (*numbers && count <= *capacity) return PICUS_OK;
  const size_t more = *numbers ? count + count / 2 : count;
  *capacity = 0;
  picus_status status = picus_law_arrays_renew(&s->arrays, sizeof **numbers, more, numbers);
  if (!status) *capacity = more;
  return status;
}

/* For so many rows and members. */
static picus_status reserve(stepper *s, size_t rows, size_t members) {
  coupled_matrix *m = &theta_of(s)->projection.coupled;
  const size_t n = rows + members;
  picus_status status = reserve_numbers(s, n * n, &m->G, &m->G_capacity);
  if (status) return status;
  return reserve_numbers(s, members * (size_t)s->system->nu, &m->slopes, &m->slopes_capacity);
}

/* In large sets the memory grows with the laws of a step. */
picus_status picus_projection_create_coupled(stepper *s) {
  return picus_law_set_is_dense(s->set) ? reserve(s, (size_t)s->set->row_count, (size_t)s->set->law_count) : PICUS_OK;
}

/* --- reactions of the velocities --------------------------------------------------------------------------------- */

/* A^-1 S B d, the change of w that keeps the balance when positions are displaced, with the opposite sign. */
static picus_status slope_of(stepper *s, double *d, double *out) {
  theta_step *t = theta_of(s);
  picus_status status = picus_projection_displace(s, d, t->projection.moved);
  memset(out, 0, (size_t)s->system->nu * sizeof *out);
  picus_theta_add_slope(s, t->projection.moved, out);
  picus_system_matrix_solve(&t->tangent, out);
  return status;
}

static double *slope_of_member(const stepper *s, int k) {
  return theta_of(s)->projection.coupled.slopes + (size_t)k * (size_t)s->system->nu;
}

/* slopes and slope. */
static picus_status find_slopes(stepper *s) {
  theta_projection *x = &theta_of(s)->projection;
  picus_status status = slope_of(s, x->y, x->slope);
  for (int k = 0; !status && k < x->count; k++) {
    picus_clear(s->system->nu, x->displacement);
    picus_law_solved_add(picus_projection_matrix(s), &s->set->laws[x->laws[k]], x->solved[k], 1, x->displacement);
    status = slope_of(s, x->displacement, slope_of_member(s, k));
  }
  return status;
}

/* --- the problem ------------------------------------------------------------------------------------------------- */

/* A row of the coupled problem: the row w of a law against all percussions and all tau / scale. */
typedef struct coupled_row {
  const system_law *law;
  const double *w;
  double scale;
  double share; /* 1 in rows of gaps, whose displacement is N w; 0 in rows of velocities */
} coupled_row;

/* at: number of the row in the problem. */
static void fill_row(const stepper *s, const coupled_row *r, size_t at) {
  const theta_projection *x = &theta_of(s)->projection;
  const step_problem *p = &s->problem;
  double *row = x->coupled.G + at * (size_t)(p->size + x->count);
  for (int k = 0, first = 0; k < p->active_count; k++)
    for (int c = 0, dim = s->set->laws[p->active[k]].data.dim; c < dim; c++, first++)
      row[first] =
          picus_law_solved_dot(&theta_of(s)->tangent, &s->set->laws[p->active[k]], p->solved[first], r->law, r->w);
  for (int k = 0; k < x->count; k++) {
    const system_law *other = &s->set->laws[x->laws[k]];
    const double displaced = picus_law_solved_dot(picus_projection_matrix(s), other, x->solved[k], r->law, r->w);
    row[p->size + k] =
        r->share * displaced - r->scale * picus_law_row_dot(s->system, r->law, r->w, slope_of_member(s, k));
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
  theta_step *t = theta_of(s);
  theta_projection *x = &t->projection;
  step_problem *p = &s->problem;
  size_t at = 0;
  for (int k = 0; k < p->active_count; k++) { /* the laws at velocity level, for P */
    const system_law *law = &s->set->laws[p->active[k]];
    x->kinds[k] = p->laws[k];
    x->modes[k] = p->modes[k];
    for (int r = 0; r < law->data.dim; r++, at++) {
      const double *w = picus_law_row(law, t->end->W, r);
      fill_row(s, &(coupled_row){.law = law, .w = w, .scale = scale, .share = 0}, at);
      x->c[at] = p->c[at] + picus_law_row_dot(s->system, law, w, x->slope);
      x->x[at] = p->P[at];
    }
  }
  for (int k = 0; k < x->count; k++, at++) { /* the gaps, for tau */
    const int i = x->laws[k];
    const system_law *law = &s->set->laws[i];
    const double *w = picus_projection_row(s, i);
    fill_row(s, &(coupled_row){.law = law, .w = w, .scale = scale, .share = 1}, at);
    const row_products velocity = picus_law_row_dots(s->system, law, w, t->w_free, t->w);
    x->c[at] = (t->gap[i] - picus_law_row_dot(s->system, law, w, x->y)) / scale + velocity.u - velocity.v +
               picus_law_row_dot(s->system, law, w, x->slope);
    x->x[at] = (x->equality[i] ? x->tau[i] : fmax(x->tau[i], 0)) / scale;
    x->kinds[p->active_count + k] = picus_projection_law(x, i);
    x->modes[p->active_count + k] = x->equality[i] || x->tau[i] > 0 ? PICUS_STICK : PICUS_OPEN;
  }
}

/* w of the next iterate, with the new percussions and the new tau. */
static void coupled_velocity(const stepper *s, double *w) {
  const theta_projection *x = &theta_of(s)->projection;
  const step_problem *p = &s->problem;
  const int nu = s->system->nu;
  for (int i = 0; i < nu; i++) w[i] = theta_of(s)->w_free[i] + x->slope[i];
  int at = 0;
  for (int k = 0; k < p->active_count; k++) {
    const system_law *law = &s->set->laws[p->active[k]];
    for (int r = 0; r < law->data.dim; r++, at++)
      picus_law_solved_add(&theta_of(s)->tangent, law, p->solved[at], p->P[at], w);
  }
  for (int k = 0; k < x->count; k++) {
    const double *slope = slope_of_member(s, k), tau = x->tau[x->laws[k]];
    for (int i = 0; i < nu; i++) w[i] -= slope[i] * tau;
  }
}

/* The part of the relative velocities that tau causes goes into the right-hand side of the contact problem, whose
 * residual then covers all effects on its rows. */
static void read_solution(stepper *s, double scale) {
  theta_projection *x = &theta_of(s)->projection;
  step_problem *p = &s->problem;
  for (int at = 0; at < p->size; at++) {
    const double *by_tau = x->coupled.G + (size_t)at * (size_t)(p->size + x->count) + p->size;
    const double change = x->c[at] - p->c[at] + picus_dot(x->count, by_tau, x->x + p->size);
    p->c[at] += change;
    p->gamma_free[at] += change;
  }
  memcpy(p->P, x->x, (size_t)p->size * sizeof *p->P);
  memcpy(p->modes, x->modes, (size_t)p->active_count * sizeof *p->modes);
  for (int k = 0; k < x->count; k++) x->tau[x->laws[k]] = scale * x->x[p->size + k];
}

picus_status picus_projection_find_both(stepper *s, const contact_request *request, double scale, double *w,
                                        picus_step_info *info) {
  theta_step *t = theta_of(s);
  theta_projection *x = &t->projection;
  step_problem *p = &s->problem;
  picus_status status = picus_step_problem_prepare(&s->problem, request);
  if (status) return status;
  status = picus_projection_list(s);
  if (!status) status = reserve(s, (size_t)p->size, (size_t)x->count);
  if (!status) status = find_slopes(s);
  if (!status) status = picus_theta_look(s); /* B was evaluated with other velocities */
  if (status) return status;
  fill_coupled(s, scale);
  const picus_contact_problem problem = {.law_count = p->active_count + x->count,
                                         .laws = x->kinds,
                                         .size = p->size + x->count,
                                         .G = x->coupled.G,
                                         .c = x->c};
  const int iterations = info->solver.last.iterations;
  const bool accepted = info->solver.last.accepted;
  status = picus_projection_call_solver(s, &problem, p->active_count, &info->solver.last, info);
  info->solver.last.iterations += iterations;
  info->solver.last.accepted |= accepted;
  if (status) return status;
  read_solution(s, scale);
  coupled_velocity(s, w);
  info->implicit.projection_iterations += x->count > 0;
  picus_projection_note(s, info);
  return picus_step_check_finite(&s->contacts, s->t, w);
}
