/* Steps of the midpoint rule that persist, in one loop, for small models of formulas alone. In most of their steps no
 * contact is closed, or the same contacts are closed in the same modes, planar or frictionless, and decoupled. Then no
 * law has to be chosen, gathered or noted. Every other step, and every doubt, is left to the general step, which gives
 * the same bits. */
#include "scheme/active_rows.h"

#include "solver/internal.h"

/* What the general way has beyond that. */
static bool is_plain(const stepper *s) {
  const contact_state *c = &s->contacts;
  const step_problem *p = &s->problem;
  const bool more = c->keep_doubtful_modes | c->laws_at_end | c->watched | s->has_preloads | s->gap_term.on |
                    p->changed | !s->system->at_rest | (c->watch != NULL);
  return !more && c->restitution == PICUS_RESTITUTION_ALWAYS;
}

/* Whether the contacts of the last problem are apart, with the numbers of this step size; or there are none. */
static bool are_apart(const step_problem *p, double dt) {
  return p->active_count == 0 || (p->filled && p->apart && p->dt == dt && !p->may_jam);
}

/* P of closed contact k, whose dim rows, a constant for the compiler, begin at `at`, and its residual; false: the
 * general way decides. */
static inline bool solve_contact(stepper *s, int k, int at, const int dim, double tolerance, picus_residual *residual) {
  step_problem *p = &s->problem;
  const double *W = s->evaluation->W, *chi = s->evaluation->chi, *G = p->own + 4 * (size_t)k;
  const active_row *rows = p->rows + at;
  double *P = p->P + at, *c = p->c + at;
  for (int r = 0; r < dim; r++) {
    const row_products gamma = picus_active_law_dots(p->set, p->active[k], &rows[r], W, s->u, s->u_free);
    const double begin = gamma.u + chi[rows[r].global], without = gamma.v + chi[rows[r].global];
    p->gamma_begin[at + r] = begin;
    p->gamma_free[at + r] = without;
    c[r] = picus_newtons_sum(rows[r].restitution, 0, begin, without);
  }
  picus_mode *mode = &p->modes[k];
  if (dim == 1)
    picus_solve_plain_contact(G[0], c[0], P);
  else
    picus_solve_planar_contact(G, c, p->laws[k].radius, P);
  const bool judged = dim == 1 ? picus_judge_plain_contact(G[0], c[0], P[0], mode, residual)
                               : picus_judge_planar_contact(G, c, p->laws[k].radius, P, mode, residual);
  return judged && residual->relative <= tolerance && *mode == s->contacts.modes[p->active[k]] &&
         !(P[0] > PICUS_GROWN * s->contacts.P[rows[0].global]);
}

/* u += A^-1 W P of closed contact k: one row after the other, as in the general way. */
static inline void add_percussions(const stepper *s, int k, int at, double *u) {
  const step_problem *p = &s->problem;
  const active_row *row = &p->rows[at];
  const double *P = p->P + at, *normal = p->solved[at];
  const int dim = p->laws[k].dim;
  if (row->n > 0 && dim == 2) {
    const double *friction = p->solved[at + 1];
    u += row->u0;
    for (int i = 0; i < row->n; i++) u[i] = (u[i] + P[0] * normal[i]) + P[1] * friction[i];
    return;
  }
  for (int r = 0; r < dim; r++)
    picus_law_solved_add(&s->evaluation->mass, &p->set->laws[p->active[k]], p->solved[at + r], P[r], u);
}

/* P of all closed contacts, their worst residual and u; false: the general way decides. */
static bool solve(stepper *s, double tolerance, double *u, picus_residual *worst) {
  const step_problem *p = &s->problem;
  for (int k = 0, at = 0; k < p->active_count; at += p->laws[k++].dim) {
    picus_residual one;
    const bool solved =
        p->laws[k].dim == 2 ? solve_contact(s, k, at, 2, tolerance, &one) : solve_contact(s, k, at, 1, tolerance, &one);
    if (!solved) return false;
    if (k == 0 || one.relative > worst->relative) {
      worst->relative = one.relative;
      worst->worst_law = k;
    }
    if (k == 0 || one.natural > worst->natural) worst->natural = one.natural;
    add_percussions(s, k, at, u);
  }
  return true;
}

static double tolerance_of(const stepper *s) {
  return picus_solver_direct_tolerance(s->contacts.solver, s->problem.active_count);
}

/* What is the same in all steps with these contacts. */
static void note_solver(const step_problem *p, picus_step_info *info) {
  if (p->active_count == 0) return;
  info->active = p->active_count;
  info->solver.last.iterations = 1;
  info->solver.last.solver = picus_direct_solver.description.name;
  info->solver.last.islands = p->active_count > 1 ? p->active_count : 0;
}

static inline void accept_contact(stepper *s, int k, int at, const int dim, picus_step_info *info) {
  const step_problem *p = &s->problem;
  const double *G = p->own + 4 * (size_t)k, *P = p->P + at;
  double work = 0;
  for (int r = 0; r < dim; r++, G += dim) {
    const double end = p->gamma_free[at + r] + picus_dot(dim, G, P);
    work += 0.5 * P[r] * (end + p->gamma_begin[at + r]);
    s->contacts.P[p->rows[at + r].global] = P[r];
  }
  s->contacts.dissipated[p->active[k]] -= work;
  info->dissipated -= work;
}

static void accept(stepper *s, picus_residual residual, picus_step_info *info) {
  const step_problem *p = &s->problem;
  info->solver.last.residual = residual;
  info->solver.residual = residual.relative;
  for (int k = 0, at = 0; k < p->active_count; at += p->laws[k++].dim)
    if (p->laws[k].dim == 2)
      accept_contact(s, k, at, 2, info);
    else
      accept_contact(s, k, at, 1, info);
}

/* Equal steps that go on, and where their formulas are. */
typedef struct steady_run {
  stepper *s;
  const steady_way *way;
  short_formulas formulas;
  double tolerance; /* of contact problems */
} steady_run;

/* The gaps with which the laws act stay the same from step to step. */
static bool find_steady_laws(stepper *s, double dt) {
  step_problem *p = &s->problem;
  if (!p->constant.ready || !is_plain(s) || !are_apart(p, dt)) return false;
  for (int i = 0; i < s->set->law_count; i++) {
    if (!picus_law_can_open(&s->set->laws[i].data)) return false;
    p->largest[i] = picus_step_largest_closed_gap(&s->contacts, i);
  }
  return true;
}

/* Reads the gaps. Whether they are finite and let the same laws act; the lowest one into info. */
static bool note_steady_gaps(const steady_run *run, picus_step_info *info) {
  const stepper *s = run->s;
  const step_problem *p = &s->problem;
  const double *registers = run->formulas.registers, *largest = p->largest;
  const int32_t *place = run->formulas.gap;
  const int count = s->set->law_count, active = p->active_count;
  double lowest = INFINITY, zero = 0;
  for (int i = 0, k = 0, next = active ? p->active[0] : -1; i < count; i++) {
    const double gap = s->gap[i] = registers[place[i]];
    zero *= gap; /* see picus_all_finite */
    if ((gap > largest[i]) == (i == next)) return false;
    if (i == next) next = ++k < active ? p->active[k] : -1;
    if (gap < lowest) {
      lowest = gap;
      info->gaps.lowest_law = i;
    }
  }
  info->gaps.lowest = lowest;
  return zero == 0;
}

/* t_M, q_M and u into the registers. This and the next two: n velocities, a constant for the compiler where there are
 * three, as planar bodies and small toys have. */
static inline void write_point(const steady_run *run, const int n) {
  const stepper *s = run->s;
  const short_formulas *f = &run->formulas;
  const double half = 0.5 * run->way->dt;
  double *registers = f->registers;
  for (int i = 0; i < n; i++) {
    const double u = s->u[i], q_M = s->q[i] + half * u;
    s->q_next[i] = registers[f->q[i]] = q_M;
    registers[f->u[i]] = u;
  }
  registers[f->time] = s->t + half;
}

/* u_free = u + dt M^-1 h, where u_next begins; false: a force is not finite. */
static inline bool find_free_velocity(const steady_run *run, const int n) {
  const stepper *s = run->s;
  const picus_system *system = s->system;
  const short_formulas *f = &run->formulas;
  for (int i = 0; i < n; i++) s->h[i] = f->registers[f->force[i]];
  if (!picus_all_finite(s->h, (size_t)n)) return false;
  for (int k = 0; k < system->part_count; k++)
    picus_part_matrix_solve(&s->evaluation->mass.blocks[k], s->h + system->parts[k].u0);
  const double dt = run->way->dt;
  for (int i = 0; i < n; i++) s->u_next[i] = s->u_free[i] = s->u[i] + dt * s->h[i];
  return true;
}

static inline void end_step(const steady_run *run, const int n) {
  const stepper *s = run->s;
  const double half = 0.5 * run->way->dt;
  for (int i = 0; i < n; i++) {
    const double u = s->u_next[i];
    s->q[i] = s->q_next[i] + half * u;
    s->u[i] = u;
  }
}

/* The step from s->t, as step() of moreau.c makes it; false: the general way is needed, and nothing has changed. */
static bool make_steady_step(const steady_run *run, picus_step_info *info) {
  stepper *s = run->s;
  const int n = s->system->nu;
  const bool three = n == 3, closed = s->problem.active_count > 0;
  if (three)
    write_point(run, 3);
  else
    write_point(run, n);
  run->formulas.run(run->formulas.self, run->formulas.registers);
  if (!note_steady_gaps(run, info) || !run->way->is_calm(run->way->user, s->gap)) return false;
  if (!(three ? find_free_velocity(run, 3) : find_free_velocity(run, n))) return false;
  picus_residual residual = {0};
  if (closed && !solve(s, run->tolerance, s->u_next, &residual)) return false;
  if (!picus_all_finite(s->u_next, (size_t)n)) return false;
  info->dissipated = 0;
  if (closed) accept(s, residual, info);
  if (three)
    end_step(run, 3);
  else
    end_step(run, n);
  return true;
}

static int make_steady_steps(const steady_run *run) {
  const steady_way *way = run->way;
  stepper *s = run->s;
  picus_step_info info = {.dt = way->dt, .gaps.lowest_law = -1, .gaps.constraint_law = -1};
  int made = 0;
  bool goes_on = true;
  note_solver(&s->problem, &info);
  while (goes_on && made < way->count && make_steady_step(run, &info)) {
    info.t = s->t = way->begin + (way->first + made++) * way->dt;
    goes_on = way->take(way->user, &info);
  }
  return made;
}

int picus_steps_go_on(stepper *s, const steady_way *way) {
  steady_run run = {.s = s, .way = way, .tolerance = tolerance_of(s)};
  if (s->q_low || s->works.count || s->redetection.on || s->sleep.on || !find_steady_laws(s, way->dt) ||
      !picus_evaluation_find_short(s->evaluation, &run.formulas))
    return 0;
  const int made = make_steady_steps(&run);
  picus_evaluation_set_point(s->evaluation, s->t, s->q, s->u); /* its registers were written without it */
  if (made == 0) return 0;
  s->problem.started = s->problem.active_count > 0;
  s->looked = s->gap;
  return made;
}
