/* The contact problem of one step, the same for every scheme:
 *
 *   xi = G P + c,   G = W^T A^-1 W,   c = W^T u_free + offset,
 *
 * solved for P; then u = u_free + A^-1 W P. On velocity level offset = chi + e (W^T u_begin + chi) (Glocker and Studer
 * 2005 (18), (33); Studer 2008 (16)). A is M, or the iteration matrix of an implicit scheme (Acary 2012 (47)). */
#include "step_problem/step_problem.h"
#include "base/internal.h"
#include "base/tasks.h"
#include "contact/internal.h"
#include "linalg/internal.h"
#include "solver/internal.h"
#include "step_problem/given_slip.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The problem of a collision may have a friction element besides each contact. */
static size_t twice_by_row(const law_sizes *n) { return 2 * n->rows; }

picus_status picus_step_problem_create(const contact_state *contacts, step_problem *p) {
  *p = (step_problem){.contacts = contacts, .set = contacts->set, .laws_now = 1, .matrices = 1, .accepted = 1};
  law_arrays *a = contacts->arrays;
  const size_t unit = sizeof(double);
  picus_status status = PICUS_SCRATCH(a, unit, picus_by_row, &p->c, &p->P, &p->shift, &p->left, &p->gamma_begin,
                                      &p->gamma_free, &p->xi, &p->argument);
  if (!status) status = PICUS_SCRATCH(a, unit, twice_by_row, &p->start);
  if (!status) status = PICUS_SCRATCH(a, unit, picus_by_law, &p->prescribed);
  if (!status) status = PICUS_SCRATCH(a, unit, picus_by_W, &p->inverse_W);
  if (!status) status = PICUS_SCRATCH(a, sizeof(int), picus_by_law, &p->active, &p->struck);
  if (!status) status = PICUS_SCRATCH(a, sizeof(bool), picus_by_law, &p->acts, &p->doubtful);
  if (!status) status = PICUS_SCRATCH(a, sizeof *p->laws, picus_by_law, &p->laws);
  if (!status) status = PICUS_SCRATCH(a, sizeof *p->modes, picus_by_law, &p->modes);
  if (!status) status = PICUS_SCRATCH(a, sizeof *p->rows, picus_by_row, &p->rows);
  if (!status) status = PICUS_SCRATCH(a, sizeof *p->solved, picus_by_row, &p->solved);
  if (!status && contacts->impacts) status = PICUS_SCRATCH(a, unit, picus_by_row, &p->transfer);
  if (!status && contacts->adheres) status = PICUS_SCRATCH(a, unit, picus_by_row, &p->pull, &p->pulled, &p->held);
  if (!status) status = picus_law_arrays_add_matrix(a, p->set, &p->G);
  if (status || p->set->present) return status; /* laws that come and go have no constant directions */
  constant_delassus *d = &p->constant;
  status = PICUS_SCRATCH(a, unit, picus_by_W, &d->inverse_W);
  if (!status) status = PICUS_SCRATCH(a, sizeof *d->solved, picus_by_row, &d->solved);
  if (!status) status = PICUS_SCRATCH(a, sizeof *d->laws, picus_by_law, &d->laws);
  if (!status) status = picus_law_arrays_add_matrix(a, p->set, &d->matrix);
  if (!status) picus_constant_delassus_begin(d, p->set);
  return status;
}

picus_status picus_step_problem_fill_constant(step_problem *p, picus_evaluation *e) {
  if (!e->system->constants.mass || !e->system->constants.directions) return PICUS_OK;
  picus_status status = picus_evaluation_factor_mass(e);
  if (!status) status = picus_evaluation_update_directions(e);
  if (!status) picus_constant_delassus_fill(&p->constant, e, &e->mass);
  return status;
}

void picus_step_problem_forget(step_problem *p) {
  p->active_count = p->size = 0;
  p->started = false;
  for (int i = 0; i < p->set->law_count; i++) p->acts[i] = false;
  p->accepted = ++p->laws_now;
  p->plan.may_jam = false;
  p->plan.decoupled = false;
  p->dt = 0;
}

/* Errors that may change the mode of a law: so many times the round-off of the terms of xi and of percussions, and so
 * many times the residual of the solution. */
#define ROUNDINGS 32
#define RESIDUALS 10

static const double *rows_of(const contact_request *request, const system_law *law) {
  return picus_law_row(law, request->rows ? request->rows : request->directions->W, 0);
}

/* A rolling law acts if its contact does, which is the law before it; active: the number of laws chosen so far. */
static bool rolls_with_contact(const step_problem *p, int active, int law) {
  return active > 0 && p->active[active - 1] == law - 1;
}

/* Laws are chosen one after the other, in their order. */
typedef struct choice {
  int active, size;
  bool changed; /* since the last choice */
} choice;

static void choose_law(step_problem *p, choice *so_far, int law) {
  so_far->changed = so_far->changed || so_far->active >= p->active_count || p->active[so_far->active] != law;
  p->active[so_far->active++] = law;
  so_far->size += p->set->laws[law].data.dim;
}

/* The active laws are others than before. */
static void begin_epoch(step_problem *p) {
  p->laws_now++;
  for (int i = 0; i < p->set->law_count; i++) p->acts[i] = false;
  for (int k = 0; k < p->active_count; k++) p->acts[p->active[k]] = true;
}

static void end_choice(step_problem *p, const choice *made) {
  const bool changed = made->changed || made->active != p->active_count;
  p->started = false;
  p->active_count = made->active;
  p->size = made->size;
  if (changed) begin_epoch(p);
}

static bool any_closes(const step_problem *p, const double *gap) {
  if (!(p->contacts->gap_accuracy > 0)) return false;
  for (int i = 0; i < p->set->law_count; i++)
    if (picus_step_closes(p->contacts, i, gap[i])) return true;
  return false;
}

void picus_step_problem_activate_anew(step_problem *p, const double *gap, picus_step_info *info) {
  const contact_state *state = p->contacts;
  const bool closes = any_closes(p, gap);
  choice so_far = {0};
  for (int i = 0; i < p->set->law_count; i++) {
    const picus_system_law *law = &p->set->laws[i].data;
    const bool alike = closes && picus_step_closes_alike(state, i, gap[i]);
    if (picus_law_can_open(law) && gap[i] > picus_step_largest_closed_gap(state, i) && !alike) continue;
    if (law->kind == PICUS_ROLLING && !rolls_with_contact(p, so_far.active, i)) continue;
    choose_law(p, &so_far, i);
  }
  end_choice(p, &so_far);
  info->active = so_far.active;
}

void picus_step_problem_choose(step_problem *p, const bool *chosen) {
  choice so_far = {0};
  for (int i = 0; i < p->set->law_count; i++) {
    const bool rolling = p->set->laws[i].data.kind == PICUS_ROLLING;
    if (rolling ? rolls_with_contact(p, so_far.active, i) : chosen[i]) choose_law(p, &so_far, i);
  }
  end_choice(p, &so_far);
}

void picus_step_problem_join(step_problem *p, const bool *chosen) {
  const contact_state *state = p->contacts;
  const law_set *set = p->set;
  int before = p->active_count - 1, from = p->size, active = 0, size = 0;
  for (int i = 0; i < set->law_count; i++) {
    if (!chosen[set->laws[i].data.kind == PICUS_ROLLING ? i - 1 : i]) continue;
    active++;
    size += set->laws[i].data.dim;
  }
  p->active_count = active;
  p->size = size;
  for (int i = set->law_count - 1; i >= 0; i--) { /* backwards: nothing is overwritten before it has moved */
    const picus_system_law *law = &set->laws[i].data;
    if (!chosen[law->kind == PICUS_ROLLING ? i - 1 : i]) continue;
    const bool was_active = before >= 0 && p->active[before] == i;
    size -= law->dim;
    if (was_active) from -= law->dim;
    memmove(p->P + size, was_active ? p->P + from : state->P + law->first_row, (size_t)law->dim * sizeof *p->P);
    p->modes[--active] = was_active ? p->modes[before] : state->modes[i];
    p->active[active] = i;
    before -= was_active;
  }
  p->started = true;
  begin_epoch(p);
}

/* Newton's law gamma_E = -e gamma_B, as gamma_free + e gamma_begin + G P = 0: with the directions of the request, or
 * with those of the ends of the step. */
static inline double newtons_law(const contact_state *state, int law, int row, double e, double dt,
                                 row_products gamma) {
  if (e != 0 && state->restitution != PICUS_RESTITUTION_ALWAYS)
    e = picus_step_restitution_at(state, law, row, dt, gamma.u);
  const int global = state->set->laws[law].data.first_row + row;
  const double turning = state->laws_at_end ? state->turning[global] : 0; /* from the start to the middle of the step */
  return gamma.v + turning + e * (gamma.u - turning);
}

/* W^T u and W^T v of a row of a law with one part. */
static inline row_products row_dots(const active_row *row, const double *W, const double *u, const double *v) {
  const double *w = W + row->W0;
  row_products sum = {0, 0};
  u += row->u0;
  v += row->u0;
  for (int i = row->from; i < row->to; i++) {
    sum.u += w[i] * u[i];
    sum.v += w[i] * v[i];
  }
  return sum;
}

/* W^T u and W^T v of all rows of a law in one pass, at the start of the step and without percussions. dim is an
 * argument so that the compiler can make it a constant. */
static inline void dots_of_parts(const step_problem *p, const contact_request *request, int k, int dim,
                                 row_products *sum) {
  const picus_system *system = p->set->system;
  const system_law *law = &p->set->laws[p->active[k]];
  const double *rows = rows_of(request, law);
  const int size = picus_law_row_size(law);
  for (int r = 0; r < dim; r++) sum[r] = (row_products){0, 0};
  for (int b = 0; b < law->part_count; b++) {
    const system_part *part = &system->parts[law->parts[b]];
    const double *u = request->u_begin + part->u0, *v = request->u_free + part->u0;
    row_products own[PICUS_LAW_ROWS];
    for (int r = 0; r < dim; r++) own[r] = (row_products){0, 0};
    for (int i = 0; i < part->nu; i++)
      for (int r = 0; r < dim; r++) {
        own[r].u += rows[r * size + i] * u[i];
        own[r].v += rows[r * size + i] * v[i];
      }
    for (int r = 0; r < dim; r++) {
      sum[r].u += own[r].u;
      sum[r].v += own[r].v;
    }
    rows += part->nu;
  }
}

static inline void dots_of(const step_problem *p, const contact_request *request, int k, const active_row *rows,
                           row_products *out) {
  const int dim = p->laws[k].dim;
  if (!request->rows && rows->n > 0)
    for (int r = 0; r < dim; r++)
      out[r] = row_dots(&rows[r], request->directions->W, request->u_begin, request->u_free);
  else if (dim == 1) /* joints; contacts of two bodies in space, and in the plane */
    dots_of_parts(p, request, k, 1, out);
  else if (dim == 3)
    dots_of_parts(p, request, k, 3, out);
  else if (dim == 2)
    dots_of_parts(p, request, k, 2, out);
  else
    dots_of_parts(p, request, k, dim, out);
}

/* Relative velocities of row `at`, and its c, from its products with W. */
static inline void fill_row(const step_problem *p, const contact_request *request, int at, row_products gamma) {
  const active_row *row = &p->rows[at];
  const double chi = request->directions->chi[row->global], begin = gamma.u + chi, without = gamma.v + chi;
  p->gamma_begin[at] = begin;
  p->gamma_free[at] = without;
  p->c[at] = request->offset ? gamma.v + request->offset[row->global]
                             : newtons_law(p->contacts, row->law, row->row, row->restitution, request->dt,
                                           (row_products){begin, without});
}

/* Relative velocities of the active rows and c, of laws from `first` on, whose rows begin at `at`. */
static inline void fill_right_side(step_problem *p, const contact_request *request, int first, int last, int at) {
  for (int k = first; k < last; k++) {
    const int dim = p->laws[k].dim;
    row_products gamma[PICUS_LAW_ROWS];
    dots_of(p, request, k, &p->rows[at], gamma);
    for (int r = 0; r < dim; r++, at++) fill_row(p, request, at, gamma[r]);
  }
}

static void fill_rows_of_factors(void *user, int first, int end) {
  const row_work *work = user;
  fill_right_side(work->p, work->request, first, end, picus_rows_before(work->p, first));
}

/* Velocities that the force of a preload can give within a step: faster motion crosses its zero. */
#define PRELOAD_SLOW 4

/* The preload of a spring is a relay of its displacement, which `ahead` is before the new velocity acts for dt. In fast
 * motion the force is that of ahead, as explicit as all others, without a bias in energy. In slow motion it is the one
 * that ends at zero, if its limits allow: xi = gamma + ahead / dt, so that the spring comes to rest on its seat. In an
 * adaptive run a seated spring leaves its seat by its limits alone, not by the drift of its displacement. */
static double preload_shift(const step_problem *p, const contact_request *request, int k, int at) {
  const picus_contact_problem problem = picus_delassus_problem(&p->G, p->laws, p->c);
  const int law = p->active[k];
  const double dt = request->ahead_dt > 0 ? request->ahead_dt : request->dt, ahead = request->ahead[law];
  const double reach = picus_law_stiffness(&problem, k, at) * p->laws[k].radius * (dt / request->dt);
  if (p->contacts->keep_doubtful_modes && p->contacts->modes[law] == PICUS_STICK) return 0;
  if (fabs(ahead) <= p->contacts->gap_rounding[law]) return 0;
  if (fabs(p->gamma_free[at]) <= PRELOAD_SLOW * reach) return ahead / dt;
  return copysign(fabs(ahead) / dt + 2 * fabs(p->c[at]) + PRELOAD_SLOW * reach, ahead);
}

static void add_preloads(step_problem *p, const contact_request *request) {
  for (int k = 0, at = 0; k < p->active_count; at += p->laws[k++].dim) {
    if (!p->set->laws[p->active[k]].data.displaced) continue;
    p->shift[at] = preload_shift(p, request, k, at);
    p->c[at] += p->shift[at];
  }
}

void picus_step_note_residual(const picus_solver *solver, const solved_problem *solved, picus_step_info *info) {
  const picus_contact_problem *problem = solved->problem;
  const picus_solve_info *solve = solved->solve;
  const double before = info->solver.residual;
  info->solver.residual = picus_larger(before, solve->residual.relative);
  if (!solve->accepted || (info->solver.worst.above > 0 && !(solve->residual.relative > before))) return;
  const double tolerance = picus_solver_tolerance(solver, problem->law_count);
  picus_worst_laws *left = &info->solver.worst;
  *left = (picus_worst_laws){0};
  left->above = picus_contact_worst_laws(problem, solved->P, solved->GP,
                                         &(picus_law_shares){tolerance, PICUS_WORST_LAWS, left->law, left->relative});
  for (int k = 0; k < left->above && k < PICUS_WORST_LAWS; k++)
    left->law[k] = solved->number(solved->user, left->law[k]);
}

/* Laws of a problem with the active laws, or with some of them. */
typedef struct active_laws {
  const int *active, *some; /* some: NULL, or places in active */
} active_laws;

static int active_law(const void *user, int k) {
  const active_laws *laws = user;
  return laws->active[laws->some ? laws->some[k] : k];
}

static void find_velocities_of_factors(void *user, int first, int end) {
  const row_work *work = user;
  step_problem *p = work->p;
  const picus_contact_problem problem = picus_delassus_problem(&p->G, p->laws, NULL);
  for (int k = first, at = picus_rows_before(p, first); k < end; at += p->laws[k++].dim)
    picus_factors_velocities(&problem, k, p->argument + at);
}

/* A^-1 W P into the scratch of the factors, and G P, because W may be that of another point afterwards. */
static picus_status multiply_factors(step_problem *p) {
  const picus_contact_problem problem = picus_delassus_problem(&p->G, p->laws, NULL);
  picus_contact_load(&problem, p->P);
  row_work work = {.p = p};
  picus_status status =
      picus_tasks_over(p->contacts->context, p->active_count, PICUS_TASK_OF_PAIRS, find_velocities_of_factors, &work);
  p->GP = status ? NULL : p->argument;
  return status;
}

/* Adhesion is a shifted law of Signorini: P_N + A dt >= 0 against gamma, with friction of the radius mu (P_N + A dt).
 * With Q = P + A dt it is the usual law, and c becomes c - G A dt. A contact that has been torn off has none until it
 * closes. */
static picus_status solve_adhesive(step_problem *p, picus_solver *solver, const solver_call *call,
                                   picus_solve_info *info) {
  picus_contact_problem problem = call->problem;
  const int size = problem.size;
  picus_clear(size, p->pull);
  for (int k = 0, at = 0; k < p->active_count; at += p->laws[k++].dim)
    if (!picus_step_is_torn(p->contacts, p->active[k])) p->pull[at] = p->set->laws[p->active[k]].data.adhesion * p->dt;
  picus_operator_of(&problem)->multiply(&problem, p->pull, p->pulled);
  for (int i = 0; i < size; i++) p->pulled[i] = problem.c[i] - (p->pulled[i] - problem.c[i]);
  problem.c = p->pulled;
  picus_add_multiple(size, call->P, 1, p->pull, p->held);
  picus_status status = picus_solver_solve(solver, &problem, p->held, call->modes, info);
  for (int i = 0; i < size; i++) call->P[i] = p->held[i] - p->pull[i];
  return status;
}

picus_status picus_step_problem_solve_by(step_problem *p, picus_solver *solver, const solver_call *call,
                                         picus_solve_info *info) {
  return p->pull && !call->laws ? solve_adhesive(p, solver, call, info)
                                : picus_solver_solve(solver, &call->problem, call->P, call->modes, info);
}

picus_status picus_step_problem_call_solver(step_problem *p, double t, const solver_call *call, picus_step_info *step) {
  const picus_contact_problem *problem = &call->problem;
  double *P = call->P;
  const contact_state *state = p->contacts;
  picus_solve_info *info = &step->solver.last;
  double *start = p->start;
  if (state->watch) memcpy(start, P, (size_t)problem->size * sizeof *P);
  const int iterations = info->iterations, fallbacks = info->fallbacks; /* of earlier problems of this step */
  const bool accepted = info->accepted;
  if (state->dependent) picus_solver_set_prescribed(state->solver, picus_step_prescribed(p, call));
  picus_status status = picus_step_problem_solve_by(p, state->solver, call, info);
  if (state->dependent) {
    picus_solver_set_prescribed(state->solver, (picus_prescribed){0}); /* other problems have other laws */
    picus_step_take_left_out(p, call);
  }
  if (state->watch) state->watch(state->watch_user, &(picus_watched_problem){t, problem, start, P, info});
  p->GP = NULL;
  if (!status && info->accepted && picus_operator_of(problem)->by_velocities && !call->laws)
    status = multiply_factors(p);
  if (!info->accepted)
    step->solver.residual = picus_larger(step->solver.residual, info->residual.relative);
  else
    picus_step_note_residual(
        state->solver, &(solved_problem){problem, P, info, active_law, &(active_laws){p->active, call->laws}, p->GP},
        step);
  info->iterations += iterations;
  info->fallbacks += fallbacks;
  info->accepted |= accepted;
  return status;
}

void picus_step_problem_guess(step_problem *p, double factor, const double *P) {
  for (int k = 0, at = 0; k < p->active_count; k++) {
    const picus_system_law *law = &p->set->laws[p->active[k]].data;
    p->modes[k] = p->contacts->modes[p->active[k]];
    for (int r = 0; r < law->dim; r++) p->P[at++] = factor * P[law->first_row + r];
  }
  p->started = true;
}

void picus_step_problem_spread(const step_problem *p, const double *values, double *of_rows) {
  for (int k = 0, at = 0; k < p->active_count; k++) {
    const picus_system_law *law = &p->set->laws[p->active[k]].data;
    for (int r = 0; r < law->dim; r++) of_rows[law->first_row + r] = values[at++];
  }
}

void picus_step_problem_keep(const step_problem *p, double *P) { picus_step_problem_spread(p, p->P, P); }

picus_status picus_step_problem_prepare(step_problem *p, const contact_request *request) {
  if (p->contacts->coefficients) picus_step_problem_drop_plan(p);
  if (p->transfer) picus_clear(p->size, p->transfer);
  picus_plan_laws(p, request->dt);
  if (p->contacts->coefficients) {
    picus_status varied = picus_varying_prepare(p, request);
    if (varied) return varied;
  }
  if (p->G.is_factored) {
    row_work work = {.p = p, .request = request};
    picus_status status =
        picus_tasks_over(p->contacts->context, p->active_count, PICUS_TASK_OF_PAIRS, fill_rows_of_factors, &work);
    if (status) return status;
  } else
    fill_right_side(p, request, 0, p->active_count, 0);
  if (!p->started) picus_step_problem_guess(p, 1, p->contacts->P); /* else from an earlier solve of this step */
  picus_status status = picus_plan_matrices(p, request);
  if (status) return status;
  if (p->contacts->dependent) picus_step_note_prescribed(p, request);
  if (request->ahead) add_preloads(p, request);
  return PICUS_OK;
}

/* The possible round-off of xi of a row: from W^T u at both ends, the offset, and G P. */
static double rounding_of_row(const step_problem *p, const contact_request *request,
                              const picus_contact_problem *problem, int k, int r, int at) {
  const system_law *law = &p->set->laws[p->active[k]];
  const int global = law->data.first_row + r;
  const double *row = rows_of(request, law) + r * picus_law_row_size(law);
  double terms = 2 * fabs(request->directions->chi[global]) + fabs(request->offset ? request->offset[global] : 0);
  terms += picus_law_row_terms(p->set->system, law, row, request->u_begin) +
           picus_law_row_terms(p->set->system, law, row, request->u_free);
  terms += picus_operator_of(problem)->row_sum(problem, k, at, r, p->P, 0);
  return ROUNDINGS * DBL_EPSILON * terms + (request->rounding ? request->rounding[global] : 0);
}

/* Whether the argument P - rho xi of the projection of a law is within round-off, and within what the solver left
 * (`defect`), of the boundary between its last mode and the new one. The boundary between open and closed is argument_N
 * = 0, between stick and slip the sphere |argument_F| = radius. */
static bool is_doubtful(const step_problem *p, const contact_request *request, double defect, int k, int at) {
  const picus_contact_problem problem = picus_delassus_problem(&p->G, p->laws, p->c);
  const picus_law *data = &p->laws[k];
  const int dim = data->dim, normal = picus_normal_rows(data->kind);
  double rho = 1 / picus_law_stiffness(&problem, k, at), rounding[PICUS_LAW_ROWS] = {0};
  for (int r = 0; r < dim; r++) rounding[r] = defect + rho * rounding_of_row(p, request, &problem, k, r, at);
  if (normal && (p->contacts->modes[p->active[k]] == PICUS_OPEN || p->modes[k] == PICUS_OPEN))
    return fabs(p->argument[at]) <= rounding[0];
  double radius = data->kind == PICUS_COULOMB ? data->radius * picus_prox_positive(p->P[at]) : data->radius;
  if (data->kind == PICUS_ROLLING) radius *= picus_prox_positive(p->P[at - data[-1].dim]);
  double distance = fabs(picus_length(dim - normal, p->argument + at + normal) - radius);
  double doubt = picus_length(dim - normal, rounding + normal);
  return distance <= doubt + (data->kind == PICUS_COULOMB ? data->radius * rounding[0] : 0);
}

/* The error of percussions that the residual of a solution may stand for, and the round-off of the largest one, which
 * reaches other contacts through the bodies. */
static double left_by_solver(const picus_contact_problem *problem, const double *P, picus_residual residual) {
  double largest = 0;
  for (int i = 0; i < problem->size; i++) largest = picus_larger(largest, fabs(P[i]));
  return RESIDUALS * residual.natural * picus_larger(1, largest) + ROUNDINGS * DBL_EPSILON * largest;
}

static void find_doubtful_modes(step_problem *p, const contact_request *request) {
  /* with adhesion: the problem that the solver has had, and its solution */
  const double *P = p->pull ? p->held : p->P;
  picus_contact_problem problem = picus_delassus_problem(&p->G, p->laws, p->pull ? p->pulled : p->c);
  bool judged = false;
  double defect = 0;
  for (int k = 0, at = 0; k < p->active_count; at += p->laws[k++].dim) {
    p->doubtful[k] = false;
    /* the mode has changed, and the law can have the one before: a friction element without a mode takes the new one */
    const picus_mode before = p->contacts->modes[p->active[k]];
    if (before == p->modes[k] || (before == PICUS_OPEN && !picus_law_has_open_mode(p->laws[k].kind))) continue;
    if (!judged) {
      defect = left_by_solver(&problem, P, picus_contact_judge(&problem, P, p->xi, p->argument, NULL));
      picus_contact_load_sums(&problem, P);
    }
    judged = true;
    p->doubtful[k] = is_doubtful(p, request, defect, k, at);
  }
}

/* u_free + A^-1 W P, from the factors. */
static picus_status apply_factors(step_problem *p, const contact_request *request, double *u) {
  if (p->contacts->keep_doubtful_modes) {
    find_doubtful_modes(p, request);
    p->GP = NULL; /* scratch and argument have other numbers now */
  }
  picus_status status = p->GP ? PICUS_OK : multiply_factors(p);
  if (status) return status;
  for (int i = 0; i < p->set->system->nu; i++) u[i] = request->u_free[i] + p->G.factors.scratch[i];
  return picus_step_check_finite(p->contacts, request->t, u);
}

/* u += A^-1 W P of rows first ... end - 1, one after the other. */
static inline void add_percussions(const step_problem *p, const system_matrix *matrix, int first, int end, double *u) {
  const bool by_group = matrix->by_group;
  for (int at = first; at < end; at++) {
    const active_row *row = &p->rows[at];
    if (row->n == 0 || by_group)
      picus_law_solved_add(matrix, &p->set->laws[row->law], p->solved[at], p->P[at], u);
    else
      picus_add_multiple(row->n, u + row->u0, p->P[at], p->solved[at], u + row->u0);
  }
}

picus_status picus_step_problem_apply(step_problem *p, const contact_request *request, double *u) {
  picus_status status = p->contacts->dependent ? picus_step_note_left_out(p, request) : PICUS_OK;
  if (status) return status;
  if (p->G.is_factored) return apply_factors(p, request, u);
  picus_copy(p->set->system->nu, request->u_free, u);
  add_percussions(p, request->matrix, 0, p->size, u);
  if (p->contacts->keep_doubtful_modes) find_doubtful_modes(p, request);
  return picus_step_check_finite(p->contacts, request->t, u);
}

/* W^T u and W^T v of the rows of a decoupled contact. */
static inline void contact_dots(const step_problem *p, const contact_request *request, const active_row *rows,
                                const int dim, row_products *sum) {
  const double *W = request->directions->W, *normal = W + rows[0].W0, *friction = dim == 2 ? W + rows[1].W0 : normal;
  const double *u = request->u_begin + rows->u0, *v = request->u_free + rows->u0;
  if (rows->n == 0) {
    const system_law *law = &p->set->laws[rows->law];
    sum[0] = picus_law_row_dots(p->set->system, law, normal, u, v);
    if (dim == 2) sum[1] = picus_law_row_dots(p->set->system, law, friction, u, v);
    return;
  }
  row_products N = {0, 0}, F = {0, 0};
  for (int i = rows->from; i < rows->to; i++) {
    N.u += normal[i] * u[i];
    N.v += normal[i] * v[i];
    if (dim == 1) continue;
    F.u += friction[i] * u[i];
    F.v += friction[i] * v[i];
  }
  sum[0] = N;
  if (dim == 2) sum[1] = F;
}

/* Relative velocities and c of a decoupled planar contact, whose rows begin at `at`. */
static inline void fill_contact(const step_problem *p, const contact_request *request, int at, const int dim) {
  row_products gamma[2];
  contact_dots(p, request, &p->rows[at], dim, gamma);
  fill_row(p, request, at, gamma[0]);
  if (dim == 2) fill_row(p, request, at + 1, gamma[1]);
}

/* P of decoupled contact k from its c, with a number of rows that is constant for the compiler, and u with P. Returns
 * its residual; NaN: the solver decides. */
static inline picus_residual solve_contact(step_problem *p, const contact_request *request, int k, int at,
                                           const int dim, double *u) {
  const active_row *rows = &p->rows[at];
  const picus_law law = {.kind = p->laws[k].kind, .dim = dim, .radius = p->laws[k].radius};
  const bool planar = dim < 3;
  double *P = p->P + at, in_space[PICUS_OWN_BLOCK];
  picus_residual residual;
  for (int r = 0; !planar && r < dim; r++)
    picus_copy(dim, picus_delassus_entries(&p->G, k, at + r, k, at), in_space + (ptrdiff_t)r * dim);
  if (!picus_solve_contact(&law, planar ? rows->G : in_space, p->c + at, P, &p->modes[k], &residual))
    residual.relative = NAN;
  if (!planar || rows->n == 0) {
    add_percussions(p, request->matrix, at, at + dim, u);
    return residual;
  }
  u += rows->u0;
  const double *normal = p->solved[at], *friction = dim == 2 ? p->solved[at + 1] : normal;
  const double P_N = P[0], P_F = dim == 2 ? P[1] : 0;
  for (int i = 0, n = rows->n; i < n; i++) { /* one row after the other, in one pass */
    const double sum = u[i] + P_N * normal[i];
    u[i] = dim == 2 ? sum + P_F * friction[i] : sum;
  }
  return residual;
}

/* c of decoupled contact k, unless is_filled, then its percussion. */
static inline picus_residual fill_and_solve(step_problem *p, const contact_request *request, int k, int at,
                                            bool is_filled, double *u) {
  const int dim = p->laws[k].dim;
  if (dim == 1) {
    if (!is_filled) fill_contact(p, request, at, 1);
    return solve_contact(p, request, k, at, 1, u);
  }
  if (dim == 2) {
    if (!is_filled) fill_contact(p, request, at, 2);
    return solve_contact(p, request, k, at, 2, u);
  }
  if (!is_filled) fill_right_side(p, request, k, k + 1, at);
  return solve_contact(p, request, k, at, dim, u);
}

/* Executes the plan of decoupled contacts: the cases of each contact give its percussion, and its residual proves it;
 * the solver would do the same, island by island. is_filled: c is known. false: the solver decides, from the start. */
static inline bool solve_decoupled(step_problem *p, const contact_request *request, bool is_filled, double *u,
                                   picus_step_info *info) {
  if (!p->plan.decoupled || p->contacts->watch) return false;
  picus_residual worst = {-1, -1, 0};
  const int count = p->active_count;
  picus_copy(p->set->system->nu, request->u_free, u);
  for (int k = 0, at = 0; k < count; k++) {
    const picus_residual one = fill_and_solve(p, request, k, at, is_filled, u);
    at += p->laws[k].dim;
    if (!(one.relative <= p->plan.tolerance)) return false;
    if (one.relative > worst.relative) {
      worst.relative = one.relative;
      worst.worst_law = k;
    }
    if (one.natural > worst.natural) worst.natural = one.natural;
  }
  picus_solve_info *last = &info->solver.last;
  last->iterations++;
  last->solver = picus_direct_solver.description.name;
  last->islands = count > 1 ? count : 0;
  last->residual = worst;
  info->solver.residual = picus_larger(info->solver.residual, worst.relative);
  p->GP = NULL;
  p->started = true;
  if (p->contacts->keep_doubtful_modes) find_doubtful_modes(p, request);
  return true;
}

/* With the given directions of slip: with all laws that have one, and once more without the violated ones. *taken: the
 * directions hold, u and the percussions are the result; else the laws themselves decide. */
static picus_status solve_along(step_problem *p, const contact_request *request, double *u, picus_step_info *info,
                                bool *taken) {
  enum { ROUNDS = 2 };
  given_slip *slip = request->slip.given;
  *taken = false;
  if (!picus_given_slip_begin(slip, p)) return PICUS_OK;
  picus_status status = picus_step_check_finite(p->contacts, request->t, request->u_free);
  if (!status) status = picus_step_problem_prepare(p, request);
  if (!status && p->contacts->impacts && picus_impact_strikes(p, request, &status)) return PICUS_OK;
  if (status) return status;
  bool some = true;
  for (int round = 0; round < ROUNDS && some && !*taken; round++) {
    const solver_call call = picus_given_slip_condense(slip);
    if (call.problem.size > 0) status = picus_step_problem_call_solver(p, request->t, &call, info);
    if (!status) {
      picus_given_slip_expand(slip);
      status = picus_step_problem_apply(p, request, u);
    }
    if (status > 0) return PICUS_OK; /* not solved */
    if (status || picus_given_slip_was_struck(slip)) return status;
    *taken = picus_given_slip_holds(slip, request, u, &some);
  }
  return PICUS_OK;
}

/* Free velocities that are not finite are more specific than the message of the solver. */
static picus_status explain_failure(const step_problem *p, const contact_request *request,
                                    const picus_step_info *info) {
  const picus_status status = picus_step_check_finite(p->contacts, request->t, request->u_free);
  return status ? status : picus_step_problem_explain(p, request->t, &info->solver.last);
}

/* Friction that depends on the solution u: the problem is solved again until they belong together. */
static picus_status settle_friction(step_problem *p, const contact_request *request, const solver_call *call, double *u,
                                    picus_step_info *info) {
  varying_iteration varying = {0};
  picus_status status = PICUS_OK;
  while (picus_varying_continues(p, request, u, &varying, info, &status)) {
    if (picus_step_problem_call_solver(p, request->t, call, info)) return explain_failure(p, request, info);
    if ((status = picus_step_problem_apply(p, request, u))) return status;
  }
  return status;
}

/* The laws that are active now. */
static inline picus_status solve_active(step_problem *p, const contact_request *request, double *u,
                                        picus_step_info *info) {
  if (p->active_count == 0) {
    picus_copy(p->set->system->nu, request->u_free, u);
    return picus_step_check_finite(p->contacts, request->t, u);
  }
  picus_status status = PICUS_OK;
  if (request->slip.given) {
    bool taken;
    status = solve_along(p, request, u, info, &taken);
    if (status || taken) return status;
  }
  const bool planned = p->constant.ready && p->plan.laws == p->laws_now && p->dt == request->dt;
  if (planned && solve_decoupled(p, request, false, u, info))
    return picus_step_check_finite(p->contacts, request->t, u);
  if ((status = picus_step_problem_prepare(p, request))) return status;
  if (!planned && solve_decoupled(p, request, true, u, info))
    return picus_step_check_finite(p->contacts, request->t, u);
  if (p->contacts->impacts && (status = picus_impact_find(p, request, info))) return status;
  const solver_call call = {picus_delassus_problem(&p->G, p->laws, p->c), NULL, p->P, p->modes};
  if (picus_step_problem_call_solver(p, request->t, &call, info)) return explain_failure(p, request, info);
  status = picus_step_problem_apply(p, request, u);
  return status || !p->contacts->coefficients ? status : settle_friction(p, request, &call, u, info);
}

picus_status picus_step_problem_solve(step_problem *p, const contact_request *request, double *u,
                                      picus_step_info *info) {
  const law_joining *laws = &request->joining;
  picus_status status;
  bool joined = false;
  do {
    status = solve_active(p, request, u, info);
    if (!status && laws->join) status = laws->join(laws->user, info, &joined);
  } while (!status && joined);
  return status;
}

void picus_step_problem_add_impulse(const step_problem *p, const picus_evaluation *directions, double *sum) {
  int at = 0;
  for (int k = 0; k < p->active_count; k++) {
    const system_law *law = &p->set->laws[p->active[k]];
    const double *row = picus_law_row(law, directions->W, 0);
    for (int r = 0; r < law->data.dim; r++, at++, row += picus_law_row_size(law))
      picus_law_row_add(p->set->system, law, row, p->P[at], sum);
  }
}

double picus_step_problem_change(const step_problem *p, const contact_request *request, const double *u,
                                 int *worst_law) {
  double worst = 0;
  int at = 0;
  for (int k = 0; k < p->active_count; k++) {
    const system_law *law = &p->set->laws[p->active[k]];
    const double *row = rows_of(request, law);
    for (int r = 0; r < law->data.dim; r++, at++, row += picus_law_row_size(law)) {
      /* xi of the linear problem against xi at u, over sqrt(G_rr): the root of an energy */
      double solved = p->c[at] + picus_delassus_row(&p->G, k, at, p->P);
      const bool closes =
          p->left_out.any && request->rounding && law->data.has_gap; /* left out, and yet its gap closes */
      if (p->left_out.any && !closes) solved += p->left[at];
      const int global = law->data.first_row + r;
      double offset = request->offset[global] + (request->ahead && law->data.displaced ? p->shift[at] : 0);
      double now = picus_law_row_dot(p->set->system, law, row, u) + offset;
      double rounding =
          8 * DBL_EPSILON * (picus_law_row_terms(p->set->system, law, row, u) + fabs(offset) + fabs(p->c[at]));
      if (request->rounding) rounding += request->rounding[global];
      const double diagonal = picus_delassus_diagonal(&p->G, k, at);
      if (closes) rounding = picus_larger(rounding, sqrt(diagonal) * p->left_rounding);
      double change = diagonal > 0 ? (fabs(now - solved) - rounding) / sqrt(diagonal) : 0;
      if (!(change <= worst)) {
        worst = change;
        *worst_law = p->active[k];
      }
    }
  }
  return worst;
}

/* The names of the contacts of an island, without their features: each pair of bodies once, some of them. */
static void name_island(const step_problem *p, int worst, char *text, size_t size) {
  enum { NAMES = 4 };
  int count, named = 0;
  size_t used = 0, before = 0; /* before: length of the last name */
  const int *laws = picus_solver_island(p->contacts->solver, worst, &count);
  used += (size_t)snprintf(text, size, "; %d of the laws are connected:", count);
  for (int k = 0; k < count && named < NAMES && used < size; k++) {
    const char *name = p->set->laws[p->active[laws[k]]].data.name;
    const size_t length = strcspn(name, ":");
    if (before == length && strncmp(text + used - length, name, length) == 0) continue;
    used += (size_t)snprintf(text + used, size - used, "%s %.*s", named ? "," : "", (int)length, name);
    before = length;
    named++;
  }
  if (used < size && named == NAMES) (void)snprintf(text + used, size - used, " ...");
}

picus_status picus_step_problem_explain(const step_problem *p, double t, const picus_solve_info *solve) {
  char sentence[512], island[256] = "";
  strncpy(sentence, picus_last_error(p->contacts->context)->message, sizeof sentence - 1);
  sentence[sizeof sentence - 1] = '\0';
  int worst = solve->residual.worst_law;
  const bool known = worst >= 0 && worst < p->active_count;
  const char *name = known ? p->set->laws[p->active[worst]].data.name : "none";
  if (known && solve->islands > 0) name_island(p, worst, island, sizeof island);
  return picus_fail(p->contacts->context, solve->status,
                    "the contact problem at t = %.9g with %d active laws was not solved (worst: '%s'%s): %s", t,
                    p->active_count, name, island, sentence);
}

picus_status picus_step_blame_velocity(const contact_state *state, double t, const double *u) {
  int i = 0;
  while (isfinite(u[i])) i++;
  return picus_fail(state->context, PICUS_ERROR_NUMBER,
                    "the velocity '%s' is not a finite number after the step from t = %.9g; check the forces there, or "
                    "use a smaller step",
                    state->set->system->u_names[i].name, t);
}
