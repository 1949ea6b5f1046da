/* The islands of a contact problem, by union-find over its laws: blocks of G or common velocities connect laws. */
#include "solver/islands.h"

#include "base/disjoint_sets.h"
#include "base/internal.h"
#include "base/tasks.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* --- memory --------------------------------------------------------------------------------------------------- */

void picus_islands_release(picus_islands *x) {
  picus_release(x->context, x->block);
  *x = (picus_islands){.context = x->context};
}

typedef struct piece {
  void *array; /* address of a pointer */
  size_t count, size;
} piece;

enum { ALIGN = 64 };

static size_t carve(size_t count, const piece *pieces, char *block) {
  size_t at = 0;
  for (size_t k = 0; k < count; k++) {
    void *place = block ? block + at : NULL;
    if (block) memcpy(pieces[k].array, &place, sizeof place);
    at += (pieces[k].count * pieces[k].size + ALIGN - 1) / ALIGN * ALIGN;
  }
  return at;
}

static bool is_divided(const picus_islands *x, size_t laws, size_t rows, const picus_island_sizes *sizes) {
  return x->size > 0 && x->law_count == laws && x->row_count == rows && x->sizes.columns == sizes->columns &&
         x->sizes.unknowns == sizes->unknowns && x->sizes.traces == sizes->traces && x->sizes.numbers == sizes->numbers;
}

/* Arrays that end with each island have a number for each of them more, of which there are at most as many as laws. */
static picus_status reserve_arrays(picus_islands *x, const picus_contact_problem *p) {
  const size_t laws = (size_t)p->law_count, rows = (size_t)p->size, ends = 2 * laws + 1;
  const picus_island_sizes sizes = picus_operator_of(p)->island_sizes(p);
  if (is_divided(x, laws, rows, &sizes)) return PICUS_OK;
  const piece pieces[] = {{&x->first_law, laws + 1, sizeof(int)},
                          {&x->first_row, laws + 1, sizeof(int)},
                          {&x->law, laws, sizeof(int)},
                          {&x->laws, laws, sizeof(picus_law)},
                          {&x->c, rows, sizeof(double)},
                          {&x->P, rows, sizeof(double)},
                          {&x->modes, laws, sizeof(picus_mode)},
                          {&x->island, laws, sizeof(int)},
                          {&x->place, laws, sizeof(int)},
                          {&x->problem_row, laws + 1, sizeof(int)},
                          {&x->row_of, ends, sizeof(int)},
                          {&x->start, ends, sizeof(int)},
                          {&x->column, sizes.columns, sizeof(int)},
                          {&x->offset, laws + sizes.columns, sizeof(size_t)},
                          {&x->trace, sizes.traces, sizeof(double)},
                          {&x->velocity, laws + 1, sizeof(int)},
                          {&x->unknown, sizes.unknowns, sizeof(int)},
                          {&x->scratch, sizes.unknowns, sizeof(double)},
                          {&x->begin, laws + 1, sizeof(size_t)},
                          {&x->G, sizes.numbers, sizeof(double)}};
  const size_t count = sizeof pieces / sizeof pieces[0], need = carve(count, pieces, NULL) + ALIGN;
  if (need > x->size) {
    const size_t size = x->size > 0 ? need + need / 2 : need;
    picus_release(x->context, x->block);
    x->size = 0;
    x->block = picus_allocate(x->context, size, 1);
    if (!x->block) return PICUS_ERROR_MEMORY;
    x->size = size;
  }
  carve(count, pieces, x->block + (ALIGN - (uintptr_t)x->block % ALIGN) % ALIGN);
  x->law_count = laws;
  x->row_count = rows;
  x->sizes = sizes;
  return PICUS_OK;
}

picus_status picus_islands_reserve(picus_islands *x, int law_count, int rows) {
  const double dense = 0;
  return reserve_arrays(x, &(picus_contact_problem){.law_count = law_count, .size = rows, .G = &dense});
}

/* --- union-find ----------------------------------------------------------------------------------------------- */

/* The number of islands; island[law] refers to the first law of its island. */
static int connect(picus_islands *x) {
  const picus_contact_problem *p = x->problem;
  for (int i = 0; i < p->law_count; i++) x->island[i] = i;
  int joined = picus_operator_of(p)->join(x);
  for (int i = 1; i < p->law_count; i++) /* a rolling law stays behind its contact */
    if (p->laws[i].kind == PICUS_ROLLING) joined += picus_sets_join(x->island, i, i - 1);
  return p->law_count - joined;
}

static bool are_coupled(const picus_contact_problem *problem, int row, int dim, int column, int width) {
  for (int k = 0; k < dim; k++)
    for (int l = 0; l < width; l++)
      if (problem->G[(size_t)(row + k) * (size_t)problem->size + (size_t)(column + l)] != 0) return true;
  return false;
}

/* Laws that are reached from the first one, until there are no more. */
bool picus_small_is_connected(const picus_contact_problem *problem) {
  int first[PICUS_SMALL_LAWS + 1] = {0}, reached = 1, left = problem->law_count;
  unsigned known = 1;
  if (left < 1 || left > PICUS_SMALL_LAWS || problem->size > PICUS_SMALL_ROWS) return false;
  if (!picus_operator_of(problem)->is_whole) return false;
  for (int i = 0; i < problem->law_count; i++) first[i + 1] = first[i] + problem->laws[i].dim;
  if (first[problem->law_count] != problem->size) return false;
  for (unsigned seen = 0; seen != known;) {
    int i = 0;
    while (!((known & ~seen) >> i & 1)) i++;
    seen |= 1U << i;
    for (int j = 0; j < problem->law_count && reached < problem->law_count; j++) {
      if (known >> j & 1) continue;
      const int rows = problem->laws[i].dim, columns = problem->laws[j].dim;
      if (!are_coupled(problem, first[i], rows, first[j], columns) &&
          !are_coupled(problem, first[j], columns, first[i], rows))
        continue;
      known |= 1U << j;
      reached++;
    }
  }
  return reached == problem->law_count;
}

bool picus_laws_are_decoupled(const picus_contact_problem *p) {
  const picus_operator *G = picus_operator_of(p);
  int row = 0;
  if (G->by_velocities || (G->check_pattern && G->check_pattern(NULL, p))) return false;
  for (int i = 0; i < p->law_count; row += p->laws[i++].dim) {
    const int dim = p->laws[i].dim;
    const bool rolls = p->laws[i].kind == PICUS_ROLLING; /* with its contact */
    if (rolls || dim < 1 || dim > p->size - row) return false;
    if (!G->is_alone(p, i, row)) return false;
  }
  return row == p->size;
}

/* --- laws by islands ------------------------------------------------------------------------------------------ */

/* From roots to numbers of islands: a law refers to one before it, whose number is known by then. */
static void number_islands(picus_islands *x) {
  int count = 0;
  memset(x->first_law, 0, ((size_t)x->count + 1) * sizeof *x->first_law);
  for (int i = 0; i < x->problem->law_count; i++) {
    x->island[i] = x->island[i] == i ? count++ : x->island[x->island[i]];
    x->place[i] = x->first_law[x->island[i] + 1]++;
  }
  for (int k = 0; k < x->count; k++) x->first_law[k + 1] += x->first_law[k];
}

/* Sorts the laws and c by islands, so that each island is a problem of its own; then the largest sizes. */
static void order_laws(picus_islands *x) {
  const picus_contact_problem *p = x->problem;
  int row = 0;
  x->most_laws = x->most_rows = 0;
  for (int i = 0; i < p->law_count; i++) x->law[x->first_law[x->island[i]] + x->place[i]] = i;
  for (int k = 0; k < x->count; k++) {
    x->first_row[k] = row;
    for (int i = x->first_law[k]; i < x->first_law[k + 1]; i++) {
      const int law = x->law[i], dim = p->laws[law].dim;
      x->laws[i] = p->laws[law];
      x->row_of[i + k] = row - x->first_row[k];
      memcpy(x->c + row, p->c + x->problem_row[law], (size_t)dim * sizeof *x->c);
      row += dim;
    }
    x->row_of[x->first_law[k + 1] + k] = row - x->first_row[k];
    const int laws = x->first_law[k + 1] - x->first_law[k], rows = row - x->first_row[k];
    if (laws > x->most_laws) x->most_laws = laws;
    if (rows > x->most_rows) x->most_rows = rows;
  }
  x->first_row[x->count] = row;
}

picus_status picus_islands_find(picus_islands *x, const picus_contact_problem *problem) {
  picus_status status = reserve_arrays(x, problem);
  if (status) return status;
  x->problem = problem;
  picus_contact_first_rows(problem, x->problem_row);
  x->count = connect(x);
  if (x->count < 2) return PICUS_OK;
  number_islands(x);
  order_laws(x);
  picus_operator_of(problem)->divide(x);
  return PICUS_OK;
}

void picus_islands_take(picus_islands *x, const double *P, const picus_mode *modes) {
  for (int i = 0, row = 0; i < x->problem->law_count; row += x->laws[i++].dim) {
    memcpy(x->P + row, P + x->problem_row[x->law[i]], (size_t)x->laws[i].dim * sizeof *P);
    x->modes[i] = modes[x->law[i]];
  }
}

void picus_islands_give(const picus_islands *x, double *P, picus_mode *modes) {
  for (int i = 0, row = 0; i < x->problem->law_count; row += x->laws[i++].dim) {
    memcpy(P + x->problem_row[x->law[i]], x->P + row, (size_t)x->laws[i].dim * sizeof *P);
    modes[x->law[i]] = x->modes[i];
  }
}

void picus_islands_at(const picus_islands *x, int number, picus_island *out) {
  const int first = x->first_law[number], end = x->first_law[number + 1], row = x->first_row[number];
  *out = (picus_island){.law = x->law + first, .P = x->P + row, .modes = x->modes + first};
  out->problem = (picus_contact_problem){
      .law_count = end - first, .laws = x->laws + first, .size = x->first_row[number + 1] - row, .c = x->c + row};
  picus_operator_of(x->problem)->restrict_to(x, number, out);
}

/* --- solving them side by side ---------------------------------------------------------------------------------------
 *
 * Each is solved from its own percussions alone, by a solver that keeps nothing of the
 * islands before it: so the bits do not depend on who solves what. The contexts of the solvers take memory from that of
 * the problem, one at a time. */

enum { MESSAGE_SIZE = 512 };

/* The first island that a worker could not solve. */
typedef struct failure {
  int island; /* -1: none */
  char message[MESSAGE_SIZE];
  int *conflict; /* laws of the problem */
  int conflict_count;
} failure;

typedef struct worker {
  picus_context *context;
  picus_solver *solver;
  picus_left_out left_out; /* of its islands */
  failure failure;
} worker;

struct picus_island_workers {
  picus_context *context;
  picus_solver_options options;
  picus_solver *owner; /* whose problems they solve; it solves islands with very many laws itself */
  picus_lock *lock;    /* of the memory of the context */
  worker *workers;
  int worker_count;
  picus_islands islands;
  picus_solve_info *infos; /* of each island */
  size_t info_capacity;
  failure failure; /* of islands that are solved here, then that of the problem */
  int law_capacity;
  double scale;            /* of the percussions that would stop the free motion */
  picus_whole whole;       /* of the present task */
  picus_left_out left_out; /* of islands that are solved here */
  atomic_int next;         /* island that nobody has taken */
};

/* --- life ----------------------------------------------------------------------------------------------------- */

picus_status picus_island_workers_create(picus_context *context, const picus_solver_options *options,
                                         picus_solver *owner, picus_island_workers **out) {
  picus_island_workers *all = picus_allocate(context, 1, sizeof *all);
  *out = NULL;
  if (!all) return PICUS_ERROR_MEMORY;
  all->context = all->islands.context = context;
  all->options = *options;
  all->owner = owner;
  picus_status status = picus_lock_create(context, &all->lock);
  if (status) {
    picus_release(context, all);
    return status;
  }
  *out = all;
  return PICUS_OK;
}

static void release_worker(picus_context *context, worker *w) {
  picus_solver_destroy(w->solver);
  picus_context_destroy(w->context);
  picus_release(context, w->failure.conflict);
}

void picus_island_workers_destroy(picus_island_workers *all) {
  if (!all) return;
  for (int k = 0; k < all->worker_count; k++) release_worker(all->context, &all->workers[k]);
  picus_release(all->context, all->workers);
  picus_islands_release(&all->islands);
  picus_release(all->context, all->infos);
  picus_release(all->context, all->failure.conflict);
  picus_lock_destroy(all->context, all->lock);
  picus_release(all->context, all);
}

/* The first law counts, whoever solved its island. */
static void join_left_out(picus_left_out one, picus_left_out *all) {
  const bool any = all->any || one.any;
  if (one.contradicts && (!all->contradicts || one.law < all->law)) *all = one;
  all->any = any;
}

picus_left_out picus_island_workers_left_out(const picus_island_workers *x) {
  picus_left_out joined = x->left_out;
  for (int k = 0; k < x->worker_count; k++) join_left_out(x->workers[k].left_out, &joined);
  return joined;
}

static picus_status add_worker(picus_island_workers *all) {
  worker *w = &all->workers[all->worker_count];
  *w = (worker){.failure = {.island = -1}};
  picus_status status = picus_context_create_beside(all->context, all->lock, &w->context);
  if (!status) status = picus_solver_create(w->context, &all->options, &w->solver);
  if (status) {
    release_worker(all->context, w);
    return picus_fail(all->context, PICUS_ERROR_MEMORY, "out of memory for another solver of contact problems");
  }
  picus_solver_follow(w->solver, all->owner);
  all->worker_count++;
  return PICUS_OK;
}

static picus_status grow_conflict(picus_island_workers *all, failure *f, int laws) {
  int *larger = picus_reallocate(all->context, f->conflict, (size_t)laws, sizeof *larger);
  if (!larger) return PICUS_ERROR_MEMORY;
  f->conflict = larger;
  return PICUS_OK;
}

/* Everything that a batch of so many workers needs. */
static picus_status reserve(picus_island_workers *all, int workers, int islands, int law_count) {
  picus_status status = PICUS_OK;
  if ((size_t)islands > all->info_capacity) {
    const size_t more = (size_t)islands + (size_t)islands / 2;
    picus_solve_info *infos = picus_reallocate(all->context, all->infos, more, sizeof *infos);
    if (!infos) return PICUS_ERROR_MEMORY;
    all->infos = infos;
    all->info_capacity = more;
  }
  if (workers > all->worker_count) {
    worker *more = picus_reallocate(all->context, all->workers, (size_t)workers, sizeof *more);
    if (!more) return PICUS_ERROR_MEMORY;
    all->workers = more;
    all->law_capacity = 0;
  }
  while (!status && all->worker_count < workers) status = add_worker(all);
  if (status || law_count <= all->law_capacity) return status;
  const int laws = law_count + law_count / 2;
  status = grow_conflict(all, &all->failure, laws);
  for (int k = 0; !status && k < all->worker_count; k++) status = grow_conflict(all, &all->workers[k].failure, laws);
  if (!status) all->law_capacity = laws;
  return status;
}

picus_status picus_island_workers_reserve(picus_island_workers *all, int law_count, int rows) {
  picus_status status = picus_islands_reserve(&all->islands, law_count, rows);
  if (!status) status = reserve(all, 1, law_count, law_count);
  if (status) return status;
  const worker *first = &all->workers[0];
  status = picus_solver_reserve_whole(first->solver, law_count, rows);
  /* the message is that of the worker's context */
  return status ? picus_fail(all->context, status, "%s", picus_last_error(first->context)->message) : PICUS_OK;
}

/* --- one island ----------------------------------------------------------------------------------------------- */

static void note_failure(const picus_solver *solver, const picus_context *context, const picus_island *island,
                         int number, failure *f) {
  if (f->island >= 0) return;
  f->island = number;
  (void)snprintf(f->message, sizeof f->message, "%s", picus_last_error(context)->message);
  const int *laws = picus_solver_conflict(solver, &f->conflict_count);
  for (int k = 0; k < f->conflict_count; k++) f->conflict[k] = island->law[laws[k]];
}

static void solve_island(const picus_island_workers *all, picus_solver *solver, const picus_context *context,
                         int number, failure *f) {
  const picus_islands *x = &all->islands;
  picus_island island;
  picus_islands_at(x, number, &island);
  const picus_problem_part part = {all->whole, all->scale, island.law, 0};
  picus_solve_info *info = &all->infos[number];
  *info = (picus_solve_info){.solver = "none", .residual = {INFINITY, INFINITY, -1}};
  picus_solver_set_part(solver, &part);
  picus_status status = picus_solver_solve(solver, &island.problem, island.P, island.modes, info);
  picus_solver_set_part(solver, NULL);
  info->status = status;
  if (info->residual.worst_law >= 0) info->residual.worst_law = island.law[info->residual.worst_law];
  if (status) note_failure(solver, context, &island, number, f);
}

static int laws_of(const picus_islands *x, int number) { return x->first_law[number + 1] - x->first_law[number]; }

/* --- all of them ---------------------------------------------------------------------------------------------- */

static picus_status work(void *user, int task) {
  picus_island_workers *all = user;
  worker *w = &all->workers[task];
  const picus_islands *x = &all->islands;
  for (int k = atomic_fetch_add(&all->next, 1); k < x->count; k = atomic_fetch_add(&all->next, 1)) {
    if (laws_of(x, k) > PICUS_MANY_LAWS) continue;
    picus_solver_forget(w->solver);
    solve_island(all, w->solver, w->context, k, &w->failure);
    join_left_out(picus_solver_left_out(w->solver), &w->left_out);
  }
  return PICUS_OK; /* failures are in the islands */
}

static int small_laws(const picus_islands *x) {
  int sum = 0;
  for (int k = 0; k < x->count; k++)
    if (laws_of(x, k) <= PICUS_MANY_LAWS) sum += laws_of(x, k);
  return sum;
}

/* The worst residual, the largest effort. */
static void join_infos(const picus_island_workers *all, picus_solve_info *out) {
  const int count = all->islands.count;
  *out = all->infos[0];
  for (int k = 1; k < count; k++) {
    const picus_solve_info *one = &all->infos[k];
    const bool worse = one->residual.relative > out->residual.relative;
    if (worse) {
      out->solver = one->solver;
      out->residual.relative = one->residual.relative;
      out->residual.worst_law = one->residual.worst_law;
    }
    if (one->residual.natural > out->residual.natural) out->residual.natural = one->residual.natural;
    if (one->iterations > out->iterations) out->iterations = one->iterations;
    if (one->fallbacks > out->fallbacks) out->fallbacks = one->fallbacks;
    if (one->facets) out->facets = one->facets;
    out->minimum_norm = out->minimum_norm && one->minimum_norm;
    out->accepted = out->accepted || one->accepted;
  }
  out->islands = count;
  out->status = PICUS_OK;
}

/* The first island that was not solved speaks for the problem: its laws and its residual. */
static picus_status report(picus_island_workers *all, picus_island_task *task, picus_solve_info *info) {
  failure *first = &all->failure;
  for (int k = 0; k < all->worker_count; k++) {
    failure *f = &all->workers[k].failure;
    if (f->island >= 0 && (first->island < 0 || f->island < first->island)) first = f;
  }
  if (first->island < 0) return PICUS_OK;
  const picus_solve_info *failed = &all->infos[first->island];
  info->status = failed->status;
  info->residual = failed->residual;
  info->solver = failed->solver;
  info->accepted = false;
  task->conflict = first->conflict_count > 0 ? first->conflict : NULL;
  task->conflict_count = first->conflict_count;
  return picus_fail(all->context, failed->status, "%s", first->message);
}

const int *picus_island_workers_laws(const picus_island_workers *all, int law, int *count) {
  const picus_islands *x = &all->islands;
  const int island = x->island[law];
  *count = laws_of(x, island);
  return x->law + x->first_law[island];
}

/* Large islands by the solver of the caller, which may divide its own work among threads; then all others, divided
 * among workers by their laws. What has failed, and what was left out, does not depend on this division. */
picus_status picus_island_workers_solve(picus_island_workers *all, picus_island_task *task) {
  picus_islands *x = &all->islands;
  picus_status status = picus_islands_find(x, task->problem);
  task->found = !status && x->count > 1;
  if (!task->found) return status;
  const int divided = picus_tasks_for(all->context, small_laws(x), PICUS_TASK_OF_ISLANDS);
  const int tasks = divided < x->count ? divided : x->count;
  if ((status = reserve(all, tasks, x->count, task->problem->law_count))) return status;
  all->failure.island = -1;
  all->failure.conflict_count = 0;
  for (int k = 0; k < all->worker_count; k++) {
    all->workers[k].failure.island = -1;
    all->workers[k].left_out = (picus_left_out){0};
    picus_solver_follow(all->workers[k].solver, all->owner);
  }
  picus_islands_take(x, task->P, task->modes);
  all->scale = picus_contact_scale(task->problem, NULL);
  all->whole = task->whole;
  all->left_out = (picus_left_out){0};
  for (int k = 0; k < x->count; k++) {
    if (laws_of(x, k) <= PICUS_MANY_LAWS) continue;
    solve_island(all, all->owner, all->context, k, &all->failure);
    join_left_out(picus_solver_left_out(all->owner), &all->left_out);
  }
  atomic_store(&all->next, 0);
  status = tasks > 1 ? picus_tasks_run(all->context, tasks, work, all) : work(all, 0);
  if (status) return status;
  picus_islands_give(x, task->P, task->modes);
  for (int k = 0; k < all->worker_count; k++)
    picus_budget_take(&task->spent, picus_solver_budget(all->workers[k].solver));
  picus_solve_info joined;
  join_infos(all, &joined);
  status = report(all, task, &joined);
  if (task->info) *task->info = joined;
  return status;
}
