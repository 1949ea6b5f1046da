/* Percussions and projection from one coupled problem (Acary 2012 (53)) instead of two in sequence. */
#include "scheme/theta_step.h"

#include <math.h>
#include <string.h>

/* A^-1 S B d, the change of w that keeps the balance when positions are displaced, with the opposite sign. */
static picus_status slope_of(stepper *s, double *d, double *out) {
  theta_step *t = theta_of(s);
  picus_status status = picus_projection_displace(s, d, t->projection.moved);
  memset(out, 0, (size_t)s->system->nu * sizeof *out);
  picus_theta_add_slope(s, t->projection.moved, out);
  picus_system_matrix_solve(&t->tangent, out);
  return status;
}

/* slopes and slope. */
static picus_status find_slopes(stepper *s) {
  theta_projection *x = &theta_of(s)->projection;
  const size_t nu = (size_t)s->system->nu;
  picus_status status = slope_of(s, x->y, x->slope);
  for (int k = 0; !status && k < x->count; k++) {
    memset(x->displacement, 0, nu * sizeof(double));
    picus_law_solved_add(picus_projection_matrix(s), &s->set->laws[x->laws[k]], x->solved[k], 1, x->displacement);
    status = slope_of(s, x->displacement, x->slopes + (size_t)k * nu);
  }
  return status;
}

/* One row of the coupled problem: the row w of a law against all percussions and all tau / scale. share: 1 in rows of
 * gaps, whose displacement is N w; 0 in rows of velocities. */
static void fill_row(stepper *s, const system_law *law, const double *w, double scale, double share, double *row) {
  const theta_projection *x = &theta_of(s)->projection;
  const step_problem *p = &s->problem;
  const system_matrix *N = picus_projection_matrix(s);
  size_t at = 0;
  for (int k = 0; k < p->active_count; k++) {
    const system_law *other = &s->set->laws[p->active[k]];
    for (int r = 0; r < other->data.dim; r++, at++)
      row[at] = picus_law_solved_dot(&theta_of(s)->tangent, other, p->solved[at], law, w);
  }
  for (int k = 0; k < x->count; k++, at++) {
    const system_law *other = &s->set->laws[x->laws[k]];
    row[at] = share * picus_law_solved_dot(N, other, x->solved[k], law, w) -
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
  theta_step *t = theta_of(s);
  theta_projection *x = &t->projection;
  step_problem *p = &s->problem;
  const size_t n = (size_t)p->size + (size_t)x->count;
  size_t at = 0;
  for (int k = 0; k < p->active_count; k++) { /* the laws at velocity level, for P */
    const system_law *law = &s->set->laws[p->active[k]];
    x->kinds[k] = p->laws[k];
    x->modes[k] = p->modes[k];
    for (int r = 0; r < law->data.dim; r++, at++) {
      const double *w = picus_law_row(law, t->end->W, r);
      fill_row(s, law, w, scale, 0, x->coupled_G + at * n);
      x->c[at] = p->c[at] + picus_law_row_dot(s->system, law, w, x->slope);
      x->x[at] = p->P[at];
    }
  }
  for (int k = 0; k < x->count; k++, at++) { /* the gaps, for tau */
    const int i = x->laws[k];
    const system_law *law = &s->set->laws[i];
    const double *w = picus_projection_row(s, i);
    fill_row(s, law, w, scale, 1, x->coupled_G + at * n);
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
  for (int k = 0; k < x->count; k++)
    for (int i = 0; i < nu; i++) w[i] -= x->slopes[(size_t)k * (size_t)nu + (size_t)i] * x->tau[x->laws[k]];
}

/* The part of the relative velocities that tau causes goes into the right-hand side of the contact problem, whose
 * residual then covers all effects on its rows. */
static void read_solution(stepper *s, double scale) {
  theta_projection *x = &theta_of(s)->projection;
  step_problem *p = &s->problem;
  const size_t n = (size_t)p->size + (size_t)x->count;
  for (int r = 0; r < p->size; r++) {
    double by_tau = x->c[r] - p->c[r] + picus_dot(x->count, x->coupled_G + (size_t)r * n + p->size, x->x + p->size);
    p->c[r] += by_tau;
    p->gamma_free[r] += by_tau;
  }
  memcpy(p->P, x->x, (size_t)p->size * sizeof *p->P);
  memcpy(p->modes, x->modes, (size_t)p->active_count * sizeof *p->modes);
  for (int k = 0; k < x->count; k++) x->tau[x->laws[k]] = scale * x->x[p->size + k];
}

picus_status picus_projection_solve_coupled(stepper *s, const contact_request *request, double scale, double *w,
                                            picus_step_info *info) {
  theta_step *t = theta_of(s);
  theta_projection *x = &t->projection;
  step_problem *p = &s->problem;
  picus_status status = picus_step_problem_prepare(&s->problem, request);
  if (status) return status;
  status = picus_projection_list(s);
  if (!status) status = find_slopes(s);
  if (!status) status = picus_theta_look(s); /* B was evaluated with other velocities */
  if (status) return status;
  fill_coupled(s, scale);
  picus_contact_problem problem = {.law_count = p->active_count + x->count,
                                   .laws = x->kinds,
                                   .size = p->size + x->count,
                                   .G = x->coupled_G,
                                   .c = x->c};
  const int iterations = info->solve.iterations;
  status = picus_solver_solve(s->contacts.solver, &problem, x->x, x->modes, &info->solve);
  info->solve.iterations += iterations;
  if (status) return picus_projection_explain(s, &info->solve, p->active_count);
  read_solution(s, scale);
  coupled_velocity(s, w);
  info->projection_iterations += x->count > 0;
  picus_projection_note(s, info);
  return picus_step_check_finite(&s->contacts, s->t, w);
}
