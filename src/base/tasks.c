/* Batches of tasks on the threads of the context or of the host. */
#include "base/tasks.h"

#include "base/threads.h"

#include <stdatomic.h>

struct picus_tasks {
  int threads;
  picus_threads *own; /* NULL: run */
  picus_run_tasks_fn run;
  void *user;
  atomic_bool busy;
};

/* What the tasks of a batch share. */
typedef struct batch {
  task_fn task;
  void *work;
  int count;
  atomic_int done;
  atomic_uint_least64_t failure; /* task << 32 | status; UINT64_MAX: none. The smallest one stays. */
} batch;

/* --- settings ------------------------------------------------------------------------------------------------- */

void picus_tasks_destroy(picus_context *context, picus_tasks *t) {
  if (!t) return;
  picus_threads_destroy(context, t->own);
  picus_release(context, t);
}

static picus_status replace(picus_context *context, const picus_tasks *by) {
  picus_tasks *before = picus_context_tasks(context);
  if (before && atomic_load(&before->busy)) return PICUS_ERROR_UNSUPPORTED; /* within a task: no message */
  picus_tasks *t = NULL;
  if (by->threads > 1) {
    t = picus_allocate(context, 1, sizeof *t);
    if (!t) return PICUS_ERROR_MEMORY;
    t->threads = by->threads;
    t->run = by->run;
    t->user = by->user;
    picus_status status = t->run ? PICUS_OK : picus_threads_create(context, t->threads, &t->own);
    if (status) {
      picus_release(context, t);
      return status;
    }
  }
  picus_context_keep_tasks(context, t);
  picus_tasks_destroy(context, before);
  return PICUS_OK;
}

static picus_status check(picus_context *context, int threads) {
  if (threads >= 0 && threads <= THREADS_MOST) return PICUS_OK;
  return picus_fail(context, PICUS_ERROR_ARGUMENT,
                    "the number of threads must be from 1 to %d, or 0 for all cores, not %d", THREADS_MOST, threads);
}

picus_status picus_context_set_threads(picus_context *context, int threads) {
  picus_status status = check(context, threads);
  if (status) return status;
  return replace(context, &(picus_tasks){.threads = threads ? threads : picus_cores()});
}

picus_status picus_context_set_tasks(picus_context *context, int threads, picus_run_tasks_fn run, void *user) {
  if (!run) return picus_context_set_threads(context, 1);
  picus_status status = check(context, threads);
  if (status) return status;
  return replace(context, &(picus_tasks){.threads = threads ? threads : picus_cores(), .run = run, .user = user});
}

int picus_context_threads(const picus_context *context) {
  const picus_tasks *t = picus_context_tasks(context);
  return t ? t->threads : 1;
}

int picus_tasks_for(const picus_context *context, int size, int least) {
  const picus_tasks *t = picus_context_tasks(context);
  if (!t || size < 2 * least || atomic_load_explicit(&t->busy, memory_order_relaxed)) return 1;
  const int most = size / least;
  return most < t->threads ? most : t->threads;
}

/* --- batches -------------------------------------------------------------------------------------------------- */

static void note_failure(batch *b, int task, picus_status status) {
  const uint_least64_t own = (uint_least64_t)(uint32_t)task << 32 | (uint32_t)status;
  uint_least64_t seen = atomic_load(&b->failure);
  while (own < seen && !atomic_compare_exchange_weak(&b->failure, &seen, own)) {
  }
}

static void run_one(void *work, int task) {
  batch *b = work;
  if (task < 0 || task >= b->count) return; /* a host's mistake: then some task is missing */
  picus_status status = b->task(b->work, task);
  if (status) note_failure(b, task, status);
  atomic_fetch_add(&b->done, 1);
}

static picus_status run_here(int count, task_fn task, void *work) {
  picus_status first = PICUS_OK;
  for (int i = 0; i < count; i++) {
    picus_status status = task(work, i);
    if (!first) first = status;
  }
  return first;
}

static picus_status run_batch(picus_context *context, picus_tasks *t, batch *b) {
  if (t->own)
    picus_threads_run(t->own, b->count, run_one, b);
  else
    t->run(t->user, b->count, run_one, b);
  const int done = atomic_load(&b->done);
  if (done != b->count)
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "the host's threads did %d tasks of %d; each must run once", done,
                      b->count);
  const uint_least64_t failure = atomic_load(&b->failure);
  return failure == UINT64_MAX ? PICUS_OK : (picus_status)(int32_t)(uint32_t)failure;
}

picus_status picus_tasks_run(picus_context *context, int count, task_fn task, void *work) {
  picus_tasks *t = picus_context_tasks(context);
  if (!t) return run_here(count, task, work);
  if (atomic_exchange(&t->busy, true)) return PICUS_ERROR_UNSUPPORTED;
  batch b = {.task = task, .work = work, .count = count};
  atomic_init(&b.done, 0);
  atomic_init(&b.failure, UINT64_MAX);
  picus_status status = count < 2 ? run_here(count, task, work) : run_batch(context, t, &b);
  atomic_store(&t->busy, false);
  return status;
}

/* --- loops ---------------------------------------------------------------------------------------------------- */

typedef struct loop {
  range_fn range;
  void *work;
  int size, tasks;
} loop;

static picus_status run_piece(void *work, int task) {
  const loop *l = work;
  l->range(l->work, picus_task_start(l->size, l->tasks, task), picus_task_start(l->size, l->tasks, task + 1));
  return PICUS_OK;
}

picus_status picus_tasks_over(picus_context *context, int size, int least, range_fn range, void *work) {
  const int tasks = size < 2 * least ? 1 : picus_tasks_for(context, size, least); /* small models ask often */
  if (tasks == 1) {
    range(work, 0, size);
    return PICUS_OK;
  }
  loop l = {.range = range, .work = work, .size = size, .tasks = tasks};
  return picus_tasks_run(context, tasks, run_piece, &l);
}
