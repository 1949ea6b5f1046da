/* Static equilibria with friction: the state that the system reaches from a given one if its loads are applied in a
 * single increment,
 *
 *   h(q) + W P = 0,   0 <= g(q), P_N >= 0, g P_N = 0,   -P_F in mu P_N times the directions of slip s = W_F^T (q -
 * q_0).
 *
 * Newton's method on h: each iteration solves K d = h + W P for d as a contact problem with G = W^T K^-1 W, in which
 * gaps and slip take the place of relative velocities. K + shift M replaces K; the shift decreases from iteration to
 * iteration, so that motions without stiffness, which friction alone may hold, keep the problem regular (a proximal
 * point method). */
#include "sim/internal.h"

#include "base/internal.h"
#include "statics/saddle.h"
#include "system/law_rows.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS = 200, GROWING = 6 };
static const double closed_below = 1e-10; /* m: contacts with a smaller gap take part from the start */

typedef struct settling {
  picus_context *context;
  const picus_system *system;
  picus_solver *solver;
  saddle s;
  double t, *q, *P;  /* P: rows of the system, N */
  double *gap;       /* of laws */
  double *slip;      /* rows of the system: since the start */
  double *q_dot, *d; /* nq; nu + rows: one correction, with forces of constraints */
  bool *takes_part;  /* laws of the contact problem */
  /* the contact problem: its laws and rows, and K^-1 w of each row */
  int law_count, size, capacity;
  picus_law *laws;
  picus_mode *modes;
  double *columns, *G, *c, *force;
} settling;

/* Of one solution: velocities, then forces of the rows that can hold. */
static size_t width_of(const saddle *s) { return (size_t)s->nu + (size_t)s->rows; }

static void release_problem(settling *e) {
  void *const blocks[] = {e->laws, e->modes, e->columns, e->G, e->c, e->force};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) picus_release(e->context, blocks[i]);
  e->laws = NULL, e->modes = NULL, e->columns = e->G = e->c = e->force = NULL;
  e->capacity = 0;
}

static void release(settling *e) {
  void *const blocks[] = {e->gap, e->slip, e->q_dot, e->d, e->takes_part};
  release_problem(e);
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) picus_release(e->context, blocks[i]);
  picus_solver_destroy(e->solver);
  picus_saddle_release(&e->s);
}

static picus_status create(const picus_sim *sim, settling *e) {
  picus_context *context = sim->context;
  const picus_system *system = sim->system;
  picus_solver_options options = sim->options.solver;
  picus_status status = picus_saddle_create(context, system, &e->s);
  if (status) return status;
  if (!status) status = picus_solver_create(context, &options, &e->solver);
  const size_t laws = (size_t)system->fixed.law_count + 1, rows = (size_t)system->fixed.row_count + 1;
  e->gap = picus_allocate(context, laws, sizeof(double));
  e->takes_part = picus_allocate(context, laws, sizeof *e->takes_part);
  e->slip = picus_allocate(context, rows, sizeof(double));
  e->q_dot = picus_allocate(context, (size_t)system->nq, sizeof(double));
  e->d = picus_allocate(context, width_of(&e->s), sizeof(double));
  const bool all = e->gap && e->takes_part && e->slip && e->q_dot && e->d;
  return status ? status : all ? PICUS_OK : PICUS_ERROR_MEMORY;
}

static bool is_contact(const picus_system_law *law) { return law->kind != PICUS_BILATERAL; }
/* Friction of a given force has no gap and acts always, and so do clutches and preloads. */
static bool can_open(const picus_system_law *law) {
  return law->has_gap && (law->kind == PICUS_UNILATERAL || law->kind == PICUS_COULOMB);
}

static double along(const settling *e, int law, int k, const double *u) {
  const system_law *l = &e->system->fixed.laws[law];
  return picus_law_row_dot(e->system, l, picus_law_row(l, e->s.evaluation->W, k), u);
}

/* Laws that are closed, or that the displacement d closes; those that took part before stay. true: there are new ones.
 */
static bool add_laws(settling *e, const double *d, double allowed) {
  bool added = false;
  for (int i = 0; i < e->system->fixed.law_count; i++) {
    const picus_system_law *law = &e->system->fixed.laws[i].data;
    if (!is_contact(law) || e->takes_part[i]) continue;
    if (law->kind == PICUS_ROLLING) /* with its contact, the law before it */
      e->takes_part[i] = i > 0 && e->takes_part[i - 1];
    else
      e->takes_part[i] = !can_open(law) || e->gap[i] <= allowed || e->gap[i] + along(e, i, 0, d) < -allowed;
    added = added || e->takes_part[i];
  }
  return added;
}

static picus_status reserve(settling *e) {
  e->law_count = e->size = 0;
  for (int i = 0; i < e->system->fixed.law_count; i++)
    if (e->takes_part[i]) e->law_count++, e->size += e->system->fixed.laws[i].data.dim;
  if (e->size <= e->capacity) return PICUS_OK;
  release_problem(e);
  const size_t n = (size_t)e->size, width = width_of(&e->s);
  e->laws = picus_allocate(e->context, n, sizeof *e->laws);
  e->modes = picus_allocate(e->context, n, sizeof *e->modes);
  e->columns = picus_allocate(e->context, n * width, sizeof(double));
  e->G = picus_allocate(e->context, n * n, sizeof(double));
  e->c = picus_allocate(e->context, n, sizeof(double));
  e->force = picus_allocate(e->context, n, sizeof(double));
  if (!e->laws || !e->modes || !e->columns || !e->G || !e->c || !e->force) return PICUS_ERROR_MEMORY;
  e->capacity = e->size;
  return picus_solver_reserve(e->solver, e->law_count, e->size);
}

/* The next row of the contact problem: law and row of the law; false: there is none. Starts with *law = -1. */
static bool next_row(const settling *e, int *law, int *k) {
  const law_set *set = &e->system->fixed;
  if (*law >= 0 && *k + 1 < set->laws[*law].data.dim) {
    ++*k;
    return true;
  }
  do ++*law;
  while (*law < set->law_count && !e->takes_part[*law]);
  *k = 0;
  return *law < set->law_count;
}

static double radius_of(const picus_system_law *law) {
  if (law->kind == PICUS_ROLLING) return law->rolling;
  return law->kind == PICUS_COULOMB ? law->mu : law->kind == PICUS_RESERVOIR ? law->reservoir : 0;
}

/* Gaps and slip after the displacement `start` without contact forces, their change by each force, and a first guess.
 */
static void fill_problem(settling *e, const double *start) {
  saddle *s = &e->s;
  const size_t width = width_of(s);
  int law = -1, k = 0, laws = 0;
  for (int r = 0; next_row(e, &law, &k); r++) {
    const system_law *l = &e->system->fixed.laws[law];
    const bool normal = k == 0 && (can_open(&l->data) || l->data.displaced);
    if (k == 0) {
      e->modes[laws] = PICUS_STICK;
      e->laws[laws++] = (picus_law){.kind = l->data.kind, .dim = l->data.dim, .radius = radius_of(&l->data)};
    }
    memset(s->x, 0, width * sizeof *s->x);
    picus_law_row_add(e->system, l, picus_law_row(l, s->evaluation->W, k), 1, s->x);
    picus_saddle_solve(s);
    memcpy(e->columns + (size_t)r * width, s->x, width * sizeof *s->x);
    e->c[r] = (normal ? e->gap[law] : e->slip[l->data.first_row + k]) + along(e, law, k, start);
    e->force[r] = e->P[l->data.first_row + k];
  }
  law = -1, k = 0;
  for (int r = 0; next_row(e, &law, &k); r++)
    for (int j = 0; j < e->size; j++)
      e->G[(size_t)r * (size_t)e->size + (size_t)j] = along(e, law, k, e->columns + (size_t)j * width);
}

/* d += the displacement by the forces, and P of contacts. */
static void take_forces(settling *e) {
  const size_t width = width_of(&e->s);
  memset(e->P, 0, (size_t)e->system->fixed.row_count * sizeof *e->P);
  int law = -1, k = 0;
  for (int r = 0; next_row(e, &law, &k); r++) {
    e->P[e->system->fixed.laws[law].data.first_row + k] = e->force[r];
    for (size_t i = 0; i < width; i++) e->d[i] += e->force[r] * e->columns[(size_t)r * width + i];
  }
  for (int r = 0; r < e->s.rows; r++) /* forces of constraints */
    if (e->s.holds[r])
      e->P[e->system->fixed.laws[e->s.row_law[r]].data.first_row + e->s.row_of_law[r]] = -e->d[e->s.nu + r];
}

static picus_status solve_contacts(settling *e) {
  if (e->size == 0) return PICUS_OK;
  const picus_contact_problem problem = {
      .law_count = e->law_count, .laws = e->laws, .size = e->size, .G = e->G, .c = e->c};
  picus_solve_info info;
  picus_status status = picus_solver_solve(e->solver, &problem, e->force, e->modes, &info);
  if (!status) return PICUS_OK;
  return picus_fail(e->context, PICUS_ERROR_MODEL,
                    "the %d contacts have no static equilibrium with friction near the initial state; start closer to "
                    "it, or fix the bodies that can slide away",
                    e->law_count);
}

/* The displacement d of one iteration. */
static picus_status find_displacement(settling *e, double shift) {
  saddle *s = &e->s;
  const size_t width = width_of(s);
  picus_status status = picus_saddle_set_state(s, e->t, e->q, e->P);
  if (!status) status = picus_evaluate_gaps(s->evaluation, e->gap);
  if (!status) status = picus_saddle_factor(s, 1, shift);
  if (!status) status = picus_evaluate_force(s->evaluation, s->x);
  if (status) return status;
  for (int r = 0; r < s->rows; r++) {
    const picus_system_law *law = &e->system->fixed.laws[s->row_law[r]].data;
    s->x[s->nu + r] = s->holds[r] && law->has_gap ? -e->gap[s->row_law[r]] : 0;
  }
  picus_saddle_solve(s);
  double *start = picus_allocate(e->context, width, sizeof *start);
  if (!start) return PICUS_ERROR_MEMORY;
  memcpy(start, s->x, width * sizeof *start);
  bool added = add_laws(e, start, closed_below);
  do { /* a contact that the displacement closes takes part: at most once for each */
    status = reserve(e);
    if (!status) fill_problem(e, start);
    if (!status) status = solve_contacts(e);
    memcpy(e->d, start, width * sizeof *e->d);
    if (!status) take_forces(e);
    added = !status && add_laws(e, e->d, closed_below);
  } while (added);
  picus_release(e->context, start);
  return status;
}

static picus_status move(settling *e) {
  saddle *s = &e->s;
  const law_set *set = &e->system->fixed;
  for (int i = 0; i < set->law_count; i++)
    for (int k = 0; is_contact(&set->laws[i].data) && k < set->laws[i].data.dim; k++)
      e->slip[set->laws[i].data.first_row + k] += along(e, i, k, e->d);
  picus_evaluation_set_velocity(s->evaluation, e->d);
  picus_status status = picus_evaluate_rate(s->evaluation, e->q_dot);
  for (int i = 0; !status && i < e->system->nq; i++) e->q[i] += e->q_dot[i];
  picus_system_normalise(e->system, e->q);
  return status;
}

static picus_status settle(settling *e) {
  picus_status status = picus_saddle_set_state(&e->s, e->t, e->q, NULL);
  const double largest = status ? 0 : picus_saddle_largest_quotient(&e->s);
  double shift = largest > 0 ? 1e-6 * largest : 1, size = INFINITY;
  for (int k = 0, growing = 0; !status && k < ITERATIONS && growing < GROWING; k++) {
    const double last = size;
    status = find_displacement(e, shift);
    if (!status) status = move(e);
    if (status) return status;
    size = 0;
    for (int i = 0; i < e->s.nu; i++) size = fmax(size, fabs(e->d[i]));
    if (size < 1e-11) return PICUS_OK;
    if (!isfinite(size)) break;
    growing = size > last ? growing + 1 : 0; /* with the decreasing shift: what nothing holds slides away */
    if (largest > 0) shift = fmax(0.1 * shift, 1e-13 * largest);
  }
  return status ? status
                : picus_fail(e->context, PICUS_ERROR_MODEL,
                             "no static equilibrium with friction was found near the initial state (last correction "
                             "%.2g); start closer to it, or fix the bodies that can slide away",
                             size);
}

picus_status picus_sim_find_equilibrium(picus_sim *sim, double *q, double *force) {
  const picus_state state = picus_sim_state(sim);
  settling e = {.context = sim->context, .system = sim->system, .t = state.t, .q = q, .P = force};
  memcpy(q, state.q, (size_t)sim->system->nq * sizeof *q);
  memset(force, 0, (size_t)sim->system->fixed.row_count * sizeof *force);
  picus_status status = create(sim, &e);
  if (!status) status = settle(&e);
  release(&e);
  return status;
}
