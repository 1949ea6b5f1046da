/* The contact problem of one step, the same for every scheme:
 *
 *   xi = G P + c,   G = W^T A^-1 W,   c = W^T u_free + offset,
 *
 * solved for P; then u = u_free + A^-1 W P. On velocity level offset = chi + e (W^T u_begin + chi) (Glocker and Studer
 * 2005 (18), (33); Studer 2008 (16)). A is M, or the iteration matrix of an implicit scheme (Acary 2012 (47)). */
#include "base/internal.h"
#include "base/tasks.h"
#include "contact/internal.h"
#include "linalg/internal.h"
#include "scheme/internal.h"
#include "solver/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

picus_status picus_step_problem_create(const contact_state *contacts, step_problem *p) {
  *p = (step_problem){.contacts = contacts, .set = contacts->set};
  const law_array arrays[] = {picus_scratch(&p->active, sizeof *p->active, picus_by_law),
                              picus_scratch(&p->laws, sizeof *p->laws, picus_by_law),
                              picus_scratch(&p->rows, sizeof *p->rows, picus_by_row),
                              picus_scratch(&p->modes, sizeof *p->modes, picus_by_law),
                              picus_scratch(&p->c, sizeof(double), picus_by_row),
                              picus_scratch(&p->P, sizeof(double), picus_by_row),
                              picus_scratch(&p->start, sizeof(double), picus_by_row),
                              picus_scratch(&p->shift, sizeof(double), picus_by_row),
                              picus_scratch(&p->left, sizeof(double), picus_by_row),
                              picus_scratch(&p->prescribed, sizeof(double), picus_by_law),
                              picus_scratch(&p->gamma_begin, sizeof(double), picus_by_row),
                              picus_scratch(&p->gamma_free, sizeof(double), picus_by_row),
                              picus_scratch(&p->inverse_W, sizeof(double), picus_by_W),
                              picus_scratch(&p->solved, sizeof *p->solved, picus_by_row),
                              picus_scratch(&p->doubtful, sizeof *p->doubtful, picus_by_law),
                              picus_scratch(&p->xi, sizeof(double), picus_by_row),
                              picus_scratch(&p->argument, sizeof(double), picus_by_row),
                              picus_scratch(&p->struck, sizeof *p->struck, picus_by_law),
                              picus_scratch(&p->own, 4 * sizeof(double), picus_by_law)};
  picus_status status = picus_law_arrays_add(contacts->arrays, sizeof arrays / sizeof arrays[0], arrays);
  if (!status) status = picus_law_arrays_add_matrix(contacts->arrays, p->set, &p->G);
  if (status || p->set->present) return status; /* laws that come and go have no constant directions */
  return picus_constant_delassus_create(contacts->context, p->set, &p->constant);
}

void picus_step_problem_release(picus_context *context, step_problem *p) {
  picus_release(context, p->coupled_W);
  picus_delassus_release(context, &p->G);
  picus_constant_delassus_release(context, &p->constant);
  *p = (step_problem){0};
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
  p->changed = p->filled = p->started = p->may_jam = p->decoupled = false;
  p->dt = 0;
}

#define ROUNDINGS 32 /* of a sum of products, as far as modes are concerned */
#define RESIDUALS 10 /* of a solution: errors of percussions that they stand for */

static const double *rows_of(const contact_request *request, const system_law *law) {
  return picus_law_row(law, request->rows ? request->rows : request->directions->W, 0);
}

static picus_law law_of_problem(const picus_system_law *law, double dt) {
  double radius = law->kind == PICUS_COULOMB ? law->mu : law->kind == PICUS_RESERVOIR ? law->reservoir * dt : 0;
  if (law->kind == PICUS_ROLLING) radius = law->rolling;
  return (picus_law){.kind = law->kind, .dim = law->dim, .radius = radius};
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

static void end_choice(step_problem *p, const choice *made) {
  const bool changed = made->changed || made->active != p->active_count;
  p->changed = p->changed || changed;
  p->filled = p->filled && !changed;
  p->started = false;
  p->active_count = made->active;
  p->size = made->size;
}

static bool any_closes(const step_problem *p, const double *gap) {
  if (!(p->contacts->gap_accuracy > 0)) return false;
  for (int i = 0; i < p->set->law_count; i++)
    if (picus_step_closes(p->contacts, i, gap[i])) return true;
  return false;
}

void picus_step_problem_activate_anew(step_problem *p, const double *gap, picus_step_info *info) {
  const contact_state *c = p->contacts;
  const bool closes = any_closes(p, gap);
  choice so_far = {0};
  for (int i = 0; i < p->set->law_count; i++) {
    const picus_system_law *law = &p->set->laws[i].data;
    const bool alike = closes && picus_step_closes_alike(c, i, gap[i]);
    if (picus_law_can_open(law) && gap[i] > picus_step_largest_closed_gap(c, i) && !alike) continue;
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
  const contact_state *c = p->contacts;
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
    memmove(p->P + size, was_active ? p->P + from : c->P + law->first_row, (size_t)law->dim * sizeof *p->P);
    p->modes[--active] = was_active ? p->modes[before] : c->modes[i];
    p->active[active] = i;
    before -= was_active;
  }
  p->changed = p->started = true;
  p->filled = false;
}

static void fill_rows(step_problem *p, const system_law *law, active_row *rows) {
  const bool alone = law->part_count == 1;
  const system_part *part = alone ? &p->set->system->parts[law->parts[0]] : NULL;
  for (int r = 0; r < law->data.dim; r++)
    rows[r] = (active_row){.global = law->data.first_row + r,
                           .law = (int)(law - p->set->laws),
                           .u0 = alone ? part->u0 : 0,
                           .n = alone ? part->nu : 0,
                           .from = law->from,
                           .to = law->to > 0 || !alone ? law->to : part->nu,
                           .W0 = picus_law_row_at(law, r),
                           .restitution = picus_law_restitution(&law->data, r)};
}

static void fill_laws(step_problem *p, double dt) {
  for (int k = 0, at = 0; k < p->active_count; at += p->laws[k++].dim) {
    const system_law *law = &p->set->laws[p->active[k]];
    p->laws[k] = law_of_problem(&law->data, dt);
    fill_rows(p, law, p->rows + at);
  }
  p->dt = dt;
}

/* Newton's law gamma_E = -e gamma_B, as gamma_free + e gamma_begin + G P = 0: with the directions of the request, or
 * with those of the ends of the step. */
static inline double newtons_law(const contact_state *c, int law, const active_row *row, double dt, double gamma_begin,
                                 double gamma_free) {
  double e = row->restitution;
  if (e != 0 && c->restitution != PICUS_RESTITUTION_ALWAYS)
    e = picus_step_restitution_at(c, law, row->global - c->set->laws[law].data.first_row, dt, gamma_begin);
  const double turning = c->laws_at_end ? c->turning[row->global] : 0; /* from the start to the middle of the step */
  return gamma_free + turning + e * (gamma_begin - turning);
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

/* The same for a row of any law. */
static inline row_products law_dots(const law_set *set, int law, const active_row *row, const double *W,
                                    const double *u, const double *v) {
  if (row->n > 0) return row_dots(row, W, u, v);
  return picus_law_row_dots(set->system, &set->laws[law], W + row->W0, u, v);
}

/* u += factor A^-1 w of a row of a law with one part, where A does not couple parts. */
static inline void add_row(const active_row *row, const double *solved, double factor, double *u) {
  u += row->u0;
  picus_add_multiple(row->n, u, factor, solved, u);
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

/* The rows of laws that stand before law k. */
static int rows_before(const step_problem *p, int k) {
  int rows = 0;
  for (int i = 0; i < k; i++) rows += p->laws[i].dim;
  return rows;
}

/* Relative velocities of row `at`, of law k, and its c, from its products with W. */
static inline void fill_row(step_problem *p, const contact_request *request, int k, int at, row_products gamma) {
  const active_row *row = &p->rows[at];
  const double chi = request->directions->chi[row->global], begin = gamma.u + chi, without = gamma.v + chi;
  p->gamma_begin[at] = begin;
  p->gamma_free[at] = without;
  p->c[at] = request->offset ? gamma.v + request->offset[row->global]
                             : newtons_law(p->contacts, p->active[k], row, request->dt, begin, without);
}

/* Relative velocities of the active rows and c, of laws from `first` on, whose rows begin at `at`. */
static inline void fill_right_side(step_problem *p, const contact_request *request, int first, int last, int at) {
  for (int k = first; k < last; k++) {
    row_products gamma[PICUS_LAW_ROWS];
    dots_of(p, request, k, &p->rows[at], gamma);
    for (int r = 0; r < p->laws[k].dim; r++, at++) fill_row(p, request, k, at, gamma[r]);
  }
}

/* The warm start: the result of the last step, or of an earlier solve of this step. */
static void fill_start(step_problem *p) {
  if (p->started) return;
  for (int k = 0; k < p->active_count; k++) p->modes[k] = p->contacts->modes[p->active[k]];
  for (int at = 0; at < p->size; at++) p->P[at] = p->contacts->P[p->rows[at].global];
  p->started = true;
}

/* G of the active rows from the matrix of all rows. */
static void gather_delassus(step_problem *p) {
  const constant_delassus *d = &p->constant;
  picus_delassus_gather(&d->matrix, p->set, p->active_count, p->active, &p->G);
  for (int k = 0, at = 0; k < p->active_count; k++) {
    const picus_system_law *law = &p->set->laws[p->active[k]].data;
    for (int r = 0; r < law->dim; r++) p->solved[at++] = d->solved[law->first_row + r];
  }
}

/* G of each active contact, if all are planar or without friction, and decoupled. */
static bool gather_decoupled(step_problem *p, const system_matrix *matrix) {
  if (matrix->by_group) return false;
  for (int k = 0; k < p->active_count; k++) {
    const picus_law *law = &p->laws[k];
    if (law->kind != PICUS_UNILATERAL && (law->kind != PICUS_COULOMB || law->dim != 2)) return false;
  }
  const picus_contact_problem problem = picus_delassus_problem(&p->G, p->laws, NULL);
  if (!picus_laws_are_decoupled(&problem)) return false;
  for (int k = 0, at = 0; k < p->active_count; at += p->laws[k++].dim)
    for (int r = 0, dim = p->laws[k].dim; r < dim; r++)
      memcpy(p->own + 4 * (size_t)k + (size_t)(r * dim), picus_delassus_entries(&p->G, k, at + r, k, at),
             (size_t)dim * sizeof *p->own);
  return true;
}

/* Memory for A^-1 w of the active rows, which are wider than W where forces couple parts in A. It grows with the number
 * of active laws and is kept. */
static picus_status reserve_coupled(step_problem *p, const contact_request *request) {
  picus_context *context = p->contacts->context;
  size_t size = 0;
  for (int k = 0; k < p->active_count; k++) {
    const system_law *law = &p->set->laws[p->active[k]];
    size += (size_t)law->data.dim * picus_law_solved_size(request->matrix, law);
  }
  if (size > p->coupled_W_size) {
    picus_release(context, p->coupled_W);
    p->coupled_W_size = 0;
    p->coupled_W = picus_allocate(context, 2 * size, sizeof *p->coupled_W);
    if (!p->coupled_W) return PICUS_ERROR_MEMORY;
    p->coupled_W_size = 2 * size;
  }
  return picus_delassus_reserve(context, &p->G, p->size);
}

/* Work on active laws with factors, which are independent of each other. */
typedef struct row_work {
  step_problem *p;
  const contact_request *request;
} row_work;
static void fill_rows_of_factors(void *user, int first, int end) {
  const row_work *work = user;
  fill_right_side(work->p, work->request, first, end, rows_before(work->p, first));
}

/* A^-1 w of the rows of a law, each behind the other. Returns the end. */
static double *solve_rows(const step_problem *p, const contact_request *request, int k, int at, double *solved) {
  const system_law *law = &p->set->laws[p->active[k]];
  const size_t size = picus_law_solved_size(request->matrix, law);
  picus_law_rows_solve(request->matrix, law, law->data.dim, picus_law_row(law, request->directions->W, 0), solved);
  for (int r = 0; r < law->data.dim; r++, solved += size) p->solved[at + r] = solved;
  return solved;
}

/* Sparse factors have scratch of their own. */
static bool can_solve_side_by_side(const system_matrix *matrix) {
  for (int k = 0; k < matrix->system->part_count; k++)
    if (matrix->by_group || matrix->blocks[k].factored == FACTOR_SPARSE) return false;
  return true;
}

static void solve_rows_of_factors(void *user, int first, int end) {
  const row_work *work = user;
  const step_problem *p = work->p;
  for (int k = first, at = rows_before(p, first); k < end; at += p->laws[k++].dim) {
    const system_law *law = &p->set->laws[p->active[k]];
    double *solved = p->inverse_W + picus_law_row_at(law, 0);
    solve_rows(p, work->request, k, at, solved);
    p->G.factor_trace[k] = picus_trace_of_rows(law->data.dim, picus_law_row_size(law),
                                               picus_law_row(law, work->request->directions->W, 0), solved);
  }
}

/* A^-1 w of the active rows. */
static picus_status solve_active_rows(step_problem *p, const contact_request *request) {
  picus_status status = request->matrix->by_group ? reserve_coupled(p, request) : PICUS_OK;
  if (status) return status;
  double *solved = request->matrix->by_group ? p->coupled_W : p->inverse_W;
  if (p->G.is_factored) {
    row_work work = {.p = p, .request = request};
    const int least = can_solve_side_by_side(request->matrix) ? PICUS_TASK_OF_VISITS : p->active_count;
    return picus_tasks_over(p->contacts->context, p->active_count, least, solve_rows_of_factors, &work);
  }
  for (int k = 0, at = 0; k < p->active_count; at += p->laws[k++].dim) solved = solve_rows(p, request, k, at, solved);
  return PICUS_OK;
}

/* G of the active rows: A^-1 w for each, then products with the rows; what has not changed since the last problem is
 * kept. */
static picus_status assemble_delassus(step_problem *p, const contact_request *request) {
  const bool kept = p->current && p->filled;
  picus_status status = kept ? PICUS_OK : solve_active_rows(p, request);
  if (status || (kept && !request->rows)) return status;
  picus_delassus_assemble(&p->G, &(delassus_request){.set = p->set,
                                                     .law_count = p->active_count,
                                                     .laws = p->active,
                                                     .V = request->rows ? request->rows : request->directions->W,
                                                     .matrix = request->matrix,
                                                     .solved = p->solved,
                                                     .inverse_W = p->inverse_W,
                                                     .has_trace = !kept && !request->rows,
                                                     .symmetric = request->symmetric});
  return PICUS_OK;
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
  for (int k = first, at = rows_before(p, first); k < end; at += p->laws[k++].dim)
    picus_factors_velocities(&problem, k, p->argument + at);
}

/* A^-1 W P into the scratch of the factors, and G P, because W may be that of another point afterwards. */
static picus_status multiply_factors(step_problem *p) {
  const picus_contact_problem problem = picus_delassus_problem(&p->G, p->laws, NULL);
  picus_contact_load(&problem, p->P);
  row_work work = {.p = p};
  picus_status status =
      picus_tasks_over(p->contacts->context, p->active_count, PICUS_TASK_OF_VISITS, find_velocities_of_factors, &work);
  p->is_multiplied = !status;
  return status;
}

/* Inline: the woodpecker's steps take 165 ns each. */
static inline picus_status call_solver(step_problem *p, double t, const solver_call *call, picus_step_info *step) {
  const picus_contact_problem *problem = call->problem;
  double *P = call->P;
  const contact_state *c = p->contacts;
  picus_solve_info *info = &step->solver.last;
  double *start = p->start;
  if (c->watch) memcpy(start, P, (size_t)problem->size * sizeof *P);
  const int iterations = info->iterations, fallbacks = info->fallbacks; /* of earlier problems of this step */
  const bool accepted = info->accepted;
  if (c->dependent) picus_solver_set_prescribed(c->solver, picus_step_prescribed(p, call));
  picus_status status = picus_solver_solve(c->solver, problem, P, call->modes, info);
  if (c->dependent) {
    picus_solver_set_prescribed(c->solver, (picus_prescribed){0}); /* other problems have other laws */
    picus_step_take_left_out(p, call);
  }
  if (c->watch) c->watch(c->watch_user, &(picus_watched_problem){t, problem, start, P, info});
  p->is_multiplied = false;
  if (!status && info->accepted && picus_operator_of(problem)->by_velocities && !call->laws)
    status = multiply_factors(p);
  if (!info->accepted)
    step->solver.residual = picus_larger(step->solver.residual, info->residual.relative);
  else
    picus_step_note_residual(c->solver,
                             &(solved_problem){problem, P, info, active_law, &(active_laws){p->active, call->laws},
                                               p->is_multiplied ? p->argument : NULL},
                             step);
  info->iterations += iterations;
  info->fallbacks += fallbacks;
  info->accepted |= accepted;
  return status;
}

void picus_step_problem_renew(step_problem *p) { p->current = false; }

picus_status picus_step_problem_prepare(step_problem *p, const contact_request *request) {
  picus_status status = PICUS_OK;
  if (!p->filled || p->dt != request->dt) fill_laws(p, request->dt);
  if (p->G.is_factored) {
    row_work work = {.p = p, .request = request};
    status = picus_tasks_over(p->contacts->context, p->active_count, PICUS_TASK_OF_VISITS, fill_rows_of_factors, &work);
    if (status) return status;
  } else
    fill_right_side(p, request, 0, p->active_count, 0);
  fill_start(p);
  if (!p->constant.ready || !p->filled) {
    if (p->constant.ready)
      gather_delassus(p);
    else
      status = assemble_delassus(p, request);
    if (status) return status;
    p->may_jam = picus_step_problem_may_jam(p);
    p->decoupled = p->constant.ready && gather_decoupled(p, request->matrix);
  }
  p->filled = true;
  p->current = request->stays;
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
static double left_by_solver(const step_problem *p, const picus_contact_problem *problem, picus_residual residual) {
  double largest = 0;
  for (int i = 0; i < problem->size; i++) largest = picus_larger(largest, fabs(p->P[i]));
  return RESIDUALS * residual.natural * picus_larger(1, largest) + ROUNDINGS * DBL_EPSILON * largest;
}

/* The mode has changed, and the law can have the one before: a friction element without a mode takes the new one. */
static bool can_be_doubtful(const step_problem *p, int k) {
  const picus_mode before = p->contacts->modes[p->active[k]];
  return before != p->modes[k] && (before != PICUS_OPEN || picus_law_has_open_mode(p->laws[k].kind));
}

static void find_doubtful_modes(step_problem *p, const contact_request *request) {
  picus_contact_problem problem = picus_delassus_problem(&p->G, p->laws, p->c);
  bool judged = false;
  double defect = 0;
  for (int k = 0, at = 0; k < p->active_count; at += p->laws[k++].dim) {
    p->doubtful[k] = false;
    if (!can_be_doubtful(p, k)) continue;
    if (!judged) {
      defect = left_by_solver(p, &problem, picus_contact_judge(&problem, p->P, p->xi, p->argument, NULL));
      picus_contact_load_sums(&problem, p->P);
    }
    judged = true;
    p->doubtful[k] = is_doubtful(p, request, defect, k, at);
  }
}

picus_status picus_step_problem_call_solver(step_problem *p, double t, const solver_call *call, picus_step_info *info) {
  return call_solver(p, t, call, info);
}

/* u_free + A^-1 W P, from the factors. */
static picus_status apply_factors(step_problem *p, const contact_request *request, double *u) {
  if (p->contacts->keep_doubtful_modes) {
    find_doubtful_modes(p, request);
    p->is_multiplied = false; /* scratch and argument have other numbers now */
  }
  picus_status status = p->is_multiplied ? PICUS_OK : multiply_factors(p);
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
      add_row(row, p->solved[at], p->P[at], u);
  }
}

static inline picus_status apply(step_problem *p, const contact_request *request, double *u) {
  picus_status status = p->contacts->dependent ? picus_step_note_left_out(p, request) : PICUS_OK;
  if (status) return status;
  if (p->G.is_factored) return apply_factors(p, request, u);
  picus_copy(p->set->system->nu, request->u_free, u);
  add_percussions(p, request->matrix, 0, p->size, u);
  if (p->contacts->keep_doubtful_modes) find_doubtful_modes(p, request);
  return picus_step_check_finite(p->contacts, request->t, u);
}

picus_status picus_step_problem_apply(step_problem *p, const contact_request *request, double *u) {
  return apply(p, request, u);
}

/* Of a decoupled contact in the problem: its number, and its first row. */
typedef struct contact_place {
  int k, at;
} contact_place;

/* P of decoupled contact k, whose dim rows, a constant for the compiler, begin at `at`, its residual, and u with P;
 * false: the solver decides. */
static inline bool solve_contact(step_problem *p, const contact_request *request, contact_place place, const int dim,
                                 picus_residual *residual, double *u) {
  const int k = place.k, at = place.at;
  const double *G = p->own + 4 * (size_t)k, *c = p->c + at, *W = request->directions->W;
  const active_row *row = p->rows + at;
  double *P = p->P + at;
  for (int r = 0; r < dim; r++)
    fill_row(p, request, k, at + r, law_dots(p->set, p->active[k], &row[r], W, request->u_begin, request->u_free));
  const bool judged = picus_solve_contact(dim, (picus_one_contact){G, c, p->laws[k].radius}, P, &p->modes[k], residual);
  if (row->n == 0)
    add_percussions(p, request->matrix, at, at + dim, u);
  else if (dim == 1)
    add_row(row, p->solved[at], P[0], u);
  else { /* one row after the other, in one pass */
    const double *normal = p->solved[at], *friction = p->solved[at + 1], P_N = P[0], P_F = P[1];
    u += row->u0;
    for (int i = 0; i < row->n; i++) u[i] = (u[i] + P_N * normal[i]) + P_F * friction[i];
  }
  return judged;
}

/* Solves decoupled contacts one by one, if laws and G have not changed since the last problem, as in most steps of
 * small models. The cases of each contact give its percussion, and its residual proves it; the solver would do the
 * same, island by island. false: the solver decides, from the start. */
static inline bool solve_decoupled(step_problem *p, const contact_request *request, double *u, picus_step_info *info) {
  if (!p->filled || !p->decoupled || p->dt != request->dt || p->contacts->watch) return false;
  const double tolerance = picus_solver_closed_form_tolerance(p->contacts->solver, p->active_count);
  picus_residual worst = {0};
  picus_copy(p->set->system->nu, request->u_free, u);
  for (int k = 0, at = 0; k < p->active_count; at += p->laws[k++].dim) {
    const int dim = p->laws[k].dim;
    picus_residual one;
    const bool judged = dim == 2 ? solve_contact(p, request, (contact_place){k, at}, 2, &one, u)
                                 : solve_contact(p, request, (contact_place){k, at}, 1, &one, u);
    if (!judged || !(one.relative <= tolerance)) return false;
    if (k == 0 || one.relative > worst.relative) {
      worst.relative = one.relative;
      worst.worst_law = k;
    }
    if (k == 0 || one.natural > worst.natural) worst.natural = one.natural;
  }
  picus_solve_info *last = &info->solver.last;
  last->iterations++;
  last->solver = picus_direct_solver.description.name;
  last->islands = p->active_count > 1 ? p->active_count : 0;
  last->residual = worst;
  info->solver.residual = picus_larger(info->solver.residual, worst.relative);
  p->is_multiplied = false;
  p->started = true;
  if (p->contacts->keep_doubtful_modes) find_doubtful_modes(p, request);
  return true;
}

picus_status picus_step_problem_solve(step_problem *p, const contact_request *request, double *u,
                                      picus_step_info *info) {
  if (p->active_count == 0) {
    picus_copy(p->set->system->nu, request->u_free, u);
    return picus_step_check_finite(p->contacts, request->t, u);
  }
  if (solve_decoupled(p, request, u, info)) return picus_step_check_finite(p->contacts, request->t, u);
  picus_status status = picus_step_problem_prepare(p, request);
  if (status) return status;
  const picus_contact_problem problem = picus_delassus_problem(&p->G, p->laws, p->c);
  status = call_solver(p, request->t, &(solver_call){&problem, NULL, p->P, p->modes}, info);
  if (!status) return apply(p, request, u);
  picus_status free_status = picus_step_check_finite(
      p->contacts, request->t, request->u_free); /* more specific than the message of the solver */
  return free_status ? free_status : picus_step_problem_explain(p, request->t, &info->solver.last);
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
