/* Most steps of a small model go on as the last one: no contact is closed, or the same planar one alone, in the same
 * mode. Then nothing is to be chosen, gathered or noted: the contact is solved by its cases and judged by its residual,
 * with the numbers of the last step. All other steps, and all doubts, are left to the general way, with the same bits.
 *
 * If the formulas are short, such steps of the midpoint rule are made one after the other without leaving a loop. */
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
  info->residual = residual.relative;
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

enum { STEADY_LAWS = 16 }; /* systems with more have longer formulas than the way around them */

/* What stays the same from step to step. */
typedef struct steady_laws {
  int count, only;             /* laws; the active one, or -1 */
  double largest[STEADY_LAWS]; /* gap with which each of them acts */
} steady_laws;

static bool find_steady_laws(const stepper *s, double dt, steady_laws *laws) {
  const step_problem *p = &s->problem;
  const bool closed = p->active_count > 0;
  if (s->set->law_count > STEADY_LAWS || !p->constant.ready || !is_plain(s) || (closed && !is_planar(p, dt)))
    return false;
  laws->count = s->set->law_count;
  laws->only = closed ? p->active[0] : -1;
  for (int i = 0; i < laws->count; i++) {
    if (!picus_law_can_open(&s->set->laws[i].data)) return false;
    laws->largest[i] = picus_step_largest_closed_gap(&s->contacts, i);
  }
  return true;
}

/* Whether the gaps let the same laws act; the lowest one into info. */
static bool note_steady_gaps(const steady_laws *laws, const double *gap, picus_step_info *info) {
  double lowest = INFINITY;
  for (int i = 0; i < laws->count; i++) {
    if ((gap[i] > laws->largest[i]) == (i == laws->only)) return false;
    if (gap[i] < lowest) {
      lowest = gap[i];
      info->lowest_gap_law = i;
    }
  }
  info->lowest_gap = lowest;
  return true;
}

/* The step from s->t, as step() of moreau.c makes it; false: the general way is needed, and nothing has changed. n
 * velocities, a constant for the compiler where there are few. */
static inline bool make_steady_step(stepper *s, const int n, const steady_laws *laws, const steady_way *way,
                                    picus_step_info *info) {
  picus_evaluation *e = s->evaluation;
  const double dt = way->dt;
  const bool closed = laws->only >= 0;
  double *q_M = e->q;
  for (int i = 0; i < n; i++) q_M[i] = s->q[i] + 0.5 * dt * s->u[i];
  for (int i = 0; i < n; i++) e->u[i] = s->u[i];
  if (!picus_evaluate_short(e, s->t + 0.5 * dt, s->gap, s->h) || !way->is_calm(way->user, s->gap) ||
      !note_steady_gaps(laws, s->gap, info))
    return false;
  for (int i = 0; i < n; i++) s->u_free[i] = s->u[i] + dt * s->h[i];
  for (int i = 0; i < n; i++) s->u_next[i] = s->u_free[i];
  picus_residual residual = {0};
  if (closed && !solve(s, s->u_next, &residual)) return false;
  if (!picus_all_finite(s->u_next, (size_t)n)) return false;
  s->problem.started = closed;
  info->dissipated = 0;
  if (closed) accept(s, residual, info);
  for (int i = 0; i < n; i++) s->q[i] = q_M[i] + 0.5 * dt * s->u_next[i];
  for (int i = 0; i < n; i++) s->u[i] = s->u_next[i];
  s->looked = s->gap;
  return true;
}

static inline int make_steady_steps(stepper *s, const int n, const steady_laws *laws, const steady_way *way) {
  picus_step_info info = {.dt = way->dt, .lowest_gap_law = -1, .constraint_error_law = -1};
  int made = 0;
  bool goes_on = true;
  while (goes_on && made < way->count && make_steady_step(s, n, laws, way, &info)) {
    info.t = s->t = way->begin + (way->first + made++) * way->dt;
    goes_on = way->take(way->user, &info);
  }
  return made;
}

int picus_steps_go_on(stepper *s, const steady_way *way) {
  steady_laws laws;
  if (s->q_low || s->works.count || s->redetection.on || s->sleep.on || !picus_evaluation_is_short(s->evaluation) ||
      !find_steady_laws(s, way->dt, &laws))
    return 0;
  switch (s->system->nu) {
  case 1:
    return make_steady_steps(s, 1, &laws, way);
  case 2:
    return make_steady_steps(s, 2, &laws, way);
  case 3:
    return make_steady_steps(s, 3, &laws, way);
  default:
    return make_steady_steps(s, s->system->nu, &laws, way);
  }
}
