/* Islands solved side by side. Each is solved from its own percussions alone, by a solver that keeps nothing of the
 * islands before it: so the bits do not depend on who solves what. The contexts of the solvers take memory from that of
 * the problem, one at a time. */
#include "solver/islands.h"

#include "base/internal.h"
#include "base/tasks.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

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
  picus_many many;
  int constraints, dependent; /* picus_solver_set_dependent */
  picus_lock *lock;           /* of the memory of the context */
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
  picus_stage_watch watch;
  atomic_int next; /* island that nobody has taken */
};

/* --- life ----------------------------------------------------------------------------------------------------- */

picus_status picus_island_workers_create(picus_context *context, const picus_solver_options *options,
                                         picus_island_workers **out) {
  picus_island_workers *all = picus_allocate(context, 1, sizeof *all);
  *out = NULL;
  if (!all) return PICUS_ERROR_MEMORY;
  all->context = all->islands.context = context;
  all->options = *options;
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

void picus_island_workers_set_many(picus_island_workers *all, picus_many many) {
  all->many = many;
  for (int k = 0; k < all->worker_count; k++) picus_solver_set_many(all->workers[k].solver, many);
}

void picus_island_workers_set_dependent(picus_island_workers *all, int constraints, int dependent) {
  all->constraints = constraints;
  all->dependent = dependent;
  for (int k = 0; k < all->worker_count; k++)
    picus_solver_set_dependent(all->workers[k].solver, constraints, dependent);
}

void picus_island_workers_watch_stages(picus_island_workers *all, picus_stage_watch watch) {
  all->watch = watch;
  for (int k = 0; k < all->worker_count; k++) picus_solver_watch_stages(all->workers[k].solver, watch);
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
  picus_solver_set_many(w->solver, all->many);
  picus_solver_set_dependent(w->solver, all->constraints, all->dependent);
  picus_solver_watch_stages(w->solver, all->watch);
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
  const picus_problem_part part = {all->whole, all->scale, island.law};
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
    picus_solver_set_prescribed(all->workers[k].solver, task->prescribed);
    picus_solver_keep_solutions(all->workers[k].solver, task->keeps_solutions);
  }
  picus_islands_take(x, task->P, task->modes);
  all->scale = picus_contact_scale(task->problem, NULL);
  all->whole = task->whole;
  all->left_out = (picus_left_out){0};
  for (int k = 0; k < x->count; k++) {
    if (laws_of(x, k) <= PICUS_MANY_LAWS) continue;
    solve_island(all, task->large, all->context, k, &all->failure);
    join_left_out(picus_solver_left_out(task->large), &all->left_out);
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
