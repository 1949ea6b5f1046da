/* Most steps of a small model go on as the last one: no contact is closed, or the same planar one alone, in the same
 * mode. Then nothing is to be chosen, gathered or noted: the contact is solved by its cases and judged by its residual,
 * with the numbers of the last step. All other steps, and all doubts, are left to the general way, with the same bits.
 */
#include "scheme/active_rows.h"

#include "solver/internal.h"

/* What the general way has beyond that. */
static bool is_plain(const stepper *s) {
  const contact_state *c = &s->contacts;
  const step_problem *p = &s->problem;
  const bool more = c->keep_doubtful_modes | c->laws_at_end | c->watched | s->has_preloads | s->gap_term.on |
                    p->changed | !s->system->at_rest | (c->watch != NULL);
  return !more && c->restitution == PICUS_RESTITUTION_ALWAYS && p->active_count <= 1;
}

/* Whether the contact of the last problem is a planar one, with the numbers of this step size. */
static bool is_planar(const step_problem *p, double dt) {
  return p->filled && p->constant.ready && p->dt == dt && p->size == 2 && p->laws[0].kind == PICUS_COULOMB &&
         p->rows[0].n > 0 && p->G.G && !p->may_jam;
}

/* Whether exactly the laws of the last problem act: one, or none. */
static bool same_laws(const stepper *s, const double *gap) {
  const contact_state *c = &s->contacts;
  const int only = s->problem.active_count ? s->problem.active[0] : -1;
  for (int i = 0; i < s->set->law_count; i++) {
    const picus_system_law *law = &s->set->laws[i].data;
    const bool acts = !picus_law_can_open(law) || !(gap[i] > picus_step_largest_closed_gap(c, i));
    if (acts != (i == only)) return false;
  }
  return true;
}

/* P, its residual and u of the closed contact; false: the general way decides. */
static bool solve(stepper *s, double *u, picus_residual *residual) {
  step_problem *p = &s->problem;
  const double *W = s->evaluation->W, *chi = s->evaluation->chi, *G = p->G.G;
  const int i = p->active[0];
  double *P = p->P;
  for (int r = 0; r < 2; r++) {
    const active_row *row = &p->rows[r];
    const row_products gamma = picus_active_row_dots(row, W, s->u, s->u_free);
    p->gamma_begin[r] = gamma.u + chi[row->global];
    p->gamma_free[r] = gamma.v + chi[row->global];
    p->c[r] = picus_newtons_law(&s->contacts, i, row, p->dt, p->gamma_begin[r], p->gamma_free[r]);
  }
  const double tolerance = picus_solver_direct_tolerance(s->contacts.solver);
  picus_solve_planar_contact(G, p->c, p->laws[0].radius, P);
  if (!picus_judge_planar_contact(G, p->c, p->laws[0].radius, P, p->modes, residual)) return false;
  if (!(residual->relative <= tolerance) || p->modes[0] != s->contacts.modes[i]) return false;
  if (P[0] > PICUS_GROWN * s->contacts.P[p->rows[0].global]) return false;
  for (int r = 0; r < 2; r++) picus_active_row_add(&p->rows[r], p->solved[r], P[r], u);
  return true;
}

static void accept(stepper *s, picus_residual residual, picus_step_info *info) {
  step_problem *p = &s->problem;
  double work = 0;
  info->active = 1;
  info->solve.iterations = 1;
  info->solve.solver = picus_direct_solver.description.name;
  info->solve.residual = residual;
  for (int r = 0; r < 2; r++) {
    const double end = p->gamma_free[r] + picus_dot(2, p->G.G + (size_t)(2 * r), p->P);
    work += 0.5 * p->P[r] * (end + p->gamma_begin[r]);
    s->contacts.P[p->rows[r].global] = p->P[r];
  }
  s->contacts.dissipated[p->active[0]] -= work;
  info->dissipated -= work;
}

bool picus_step_goes_on(stepper *s, double dt, const double *gap, double *u, picus_step_info *info) {
  const step_problem *p = &s->problem;
  const bool closed = p->active_count > 0;
  if (!is_plain(s) || (closed && !is_planar(p, dt)) || !same_laws(s, gap)) return false;
  picus_copy(s->system->nu, s->u_free, u);
  picus_residual residual = {0};
  if (closed && !solve(s, u, &residual)) return false;
  if (!picus_all_finite(u, (size_t)s->system->nu)) return false; /* the general way names the velocity */
  s->problem.started = closed;
  if (closed) accept(s, residual, info);
  return true;
}
