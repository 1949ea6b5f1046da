/* Work in parts that run side by side: locks, threads that wait for batches, and tasks on the threads of the context
 * or of the host.
 *
 * Locks and threads are those of POSIX: the thread sanitizer does not support those of C11. */
#include "base/tasks.h"
#include "base/internal.h"
#include "platform/threads.h"

#include <stdatomic.h>

/* --- locks -------------------------------------------------------------------------------------------------------- */

struct picus_lock {
  picus_mutex mutex;
};

picus_status picus_lock_create(picus_context *context, picus_lock **out) {
  picus_lock *lock = picus_allocate(context, 1, sizeof *lock);
  *out = NULL;
  if (!lock) return PICUS_ERROR_MEMORY;
  if (!picus_mutex_create(&lock->mutex)) {
    picus_release(context, lock);
    return picus_fail(context, PICUS_ERROR_MEMORY, "the operating system has no lock left; close other programs");
  }
  *out = lock;
  return PICUS_OK;
}

void picus_lock_destroy(picus_context *context, picus_lock *lock) {
  if (!lock) return;
  picus_mutex_destroy(&lock->mutex);
  picus_release(context, lock);
}

void picus_lock_take(picus_lock *lock) { picus_mutex_take(&lock->mutex); }
void picus_lock_give(picus_lock *lock) { picus_mutex_give(&lock->mutex); }

/* --- threads ------------------------------------------------------------------------------------------------------ */

/* The thread that starts a batch works on it as well, and never waits for a thread that has not begun: on a busy
 * machine it does all parts itself.
 *
 * A batch is announced by one number, `call`: how many batches there have been, and how many blocks this one has. A
 * block of parts is taken by whoever first puts the number of the batch into its mark. So a thread that is late, and
 * still has an old call, finds all marks taken. Only who has taken a block reads the rest of the batch, which stays as
 * it is until all blocks are done. Each thread begins at its own share: over many equal batches, its memory stays in
 * its cache. */
typedef struct thread_pool thread_pool;

enum { THREADS_MOST = 256 };
/* Blocks of a batch; parts are joined if there are more. SPINS: looks at a number before a thread sleeps, some ten
 * microseconds: batches follow each other quickly. */
enum { BLOCKS_MOST = 256, BLOCK_BITS = 9, SPINS = 2000 };

typedef struct worker {
  thread_pool *pool;
  int index;
  picus_thread thread;
} worker;

struct thread_pool {
  int threads, started; /* with the calling one; how many were started, 0: not yet asked for */
  worker *workers;      /* threads - 1 */
  /* the batch */
  picus_task_fn part;
  void *work;
  int count;
  atomic_uint_least64_t call; /* batch << BLOCK_BITS | blocks */
  atomic_uint_least64_t marks[BLOCKS_MOST];
  atomic_int left; /* blocks that are not done */
  atomic_bool ends;
  /* sleep */
  picus_mutex mutex;
  picus_condition called, finished;
  atomic_int sleepers; /* threads that wait for a call, or the caller for the end of the batch */
};

static int cores(void) {
  const int count = picus_cores();
  return count > THREADS_MOST ? THREADS_MOST : count;
}

static inline void pause_briefly(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

/* --- blocks --------------------------------------------------------------------------------------------------- */

static bool take(thread_pool *p, int block, uint64_t batch) {
  uint_least64_t seen = atomic_load_explicit(&p->marks[block], memory_order_relaxed);
  return seen < batch && atomic_compare_exchange_strong(&p->marks[block], &seen, batch);
}

/* Wakes those who sleep. They have looked at the number that changed before this call after they counted themselves. */
static void wake(thread_pool *p, picus_condition *condition) {
  if (atomic_load(&p->sleepers) == 0) return;
  picus_mutex_take(&p->mutex);
  picus_condition_wake(condition);
  picus_mutex_give(&p->mutex);
}

static void run_block(thread_pool *p, int block, int blocks) {
  const int first = (int)((int64_t)p->count * block / blocks), end = (int)((int64_t)p->count * (block + 1) / blocks);
  for (int i = first; i < end; i++) p->part(p->work, i);
  if (atomic_fetch_sub(&p->left, 1) == 1) wake(p, &p->finished);
}

/* All blocks of a call that nobody has taken, from the own share on. */
static void work_on(thread_pool *p, uint64_t call, int index) {
  const int blocks = (int)(call & ((1u << BLOCK_BITS) - 1));
  const uint64_t batch = call >> BLOCK_BITS;
  const int begin = (int)((int64_t)blocks * index / p->threads);
  for (int k = 0; k < blocks; k++) {
    const int block = begin + k < blocks ? begin + k : begin + k - blocks;
    if (take(p, block, batch)) run_block(p, block, blocks);
  }
}

/* --- threads -------------------------------------------------------------------------------------------------- */

/* The next call after `last`; the same one at the end. */
static uint64_t await_call(thread_pool *p, uint64_t last) {
  for (int k = 0; k < SPINS; k++) {
    const uint64_t call = atomic_load(&p->call);
    if (call != last) return call;
    pause_briefly();
  }
  picus_mutex_take(&p->mutex);
  atomic_fetch_add(&p->sleepers, 1);
  while (atomic_load(&p->call) == last && !atomic_load(&p->ends)) picus_condition_wait(&p->called, &p->mutex);
  atomic_fetch_sub(&p->sleepers, 1);
  picus_mutex_give(&p->mutex);
  return atomic_load(&p->call);
}

static void *live(void *self) {
  worker *w = self;
  uint64_t last = 0;
  while (!atomic_load(&w->pool->ends)) {
    const uint64_t call = await_call(w->pool, last);
    if (call != last) work_on(w->pool, call, w->index);
    last = call;
  }
  return NULL;
}

/* If the system gives fewer threads, those have to do: the results are the same. */
static void start(thread_pool *p) {
  for (p->started = 1; p->started < p->threads; p->started++) {
    worker *w = &p->workers[p->started - 1];
    *w = (worker){.pool = p, .index = p->started};
    if (!picus_thread_start(&w->thread, live, w)) break;
  }
}

/* --- batches -------------------------------------------------------------------------------------------------- */

static void await_end(thread_pool *p) {
  for (int k = 0; k < SPINS; k++) {
    if (atomic_load(&p->left) == 0) return;
    pause_briefly();
  }
  picus_mutex_take(&p->mutex);
  atomic_fetch_add(&p->sleepers, 1);
  while (atomic_load(&p->left) > 0) picus_condition_wait(&p->finished, &p->mutex);
  atomic_fetch_sub(&p->sleepers, 1);
  picus_mutex_give(&p->mutex);
}

/* Runs part(work, i) for i = 0 .. count - 1, each once; one batch at a time. */
static void pool_run(thread_pool *p, int count, picus_task_fn part, void *work) {
  if (!p->started) start(p);
  const int blocks = count < BLOCKS_MOST ? count : BLOCKS_MOST;
  const uint64_t batch = (atomic_load_explicit(&p->call, memory_order_relaxed) >> BLOCK_BITS) + 1;
  p->part = part;
  p->work = work;
  p->count = count;
  atomic_store(&p->left, blocks);
  const uint64_t call = batch << BLOCK_BITS | (uint64_t)blocks;
  atomic_store(&p->call, call);
  wake(p, &p->called);
  work_on(p, call, 0);
  await_end(p);
}

/* --- life ----------------------------------------------------------------------------------------------------- */

/* For this many threads, with the one that starts batches. They start with the first batch. */
static picus_status pool_create(picus_context *context, int threads, thread_pool **out) {
  *out = NULL;
  thread_pool *p = picus_allocate(context, 1, sizeof *p);
  if (!p) return PICUS_ERROR_MEMORY;
  p->threads = threads;
  p->workers = picus_allocate(context, (size_t)(threads - 1), sizeof *p->workers);
  /* on Linux the default locks and conditions need nothing that could be missing */
  const bool fine = p->workers && picus_mutex_create(&p->mutex) && picus_condition_create(&p->called) &&
                    picus_condition_create(&p->finished);
  if (!fine) {
    picus_release(context, p->workers);
    picus_release(context, p);
    return picus_fail(context, PICUS_ERROR_MEMORY, "out of memory: threads cannot be prepared; use one thread");
  }
  *out = p;
  return PICUS_OK;
}

static void pool_destroy(picus_context *context, thread_pool *p) {
  if (!p) return;
  atomic_store(&p->ends, true);
  picus_mutex_take(&p->mutex);
  picus_condition_wake(&p->called);
  picus_mutex_give(&p->mutex);
  for (int k = 1; k < p->started; k++) picus_thread_join(&p->workers[k - 1].thread);
  picus_condition_destroy(&p->finished);
  picus_condition_destroy(&p->called);
  picus_mutex_destroy(&p->mutex);
  picus_release(context, p->workers);
  picus_release(context, p);
}

/* --- tasks -------------------------------------------------------------------------------------------------------- */

struct picus_tasks {
  int threads;
  thread_pool *own; /* NULL: run */
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
  pool_destroy(context, t->own);
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
    picus_status status = t->run ? PICUS_OK : pool_create(context, t->threads, &t->own);
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
  return replace(context, &(picus_tasks){.threads = threads ? threads : cores()});
}

picus_status picus_context_set_tasks(picus_context *context, int threads, picus_run_tasks_fn run, void *user) {
  if (!run) return picus_context_set_threads(context, 1);
  picus_status status = check(context, threads);
  if (status) return status;
  return replace(context, &(picus_tasks){.threads = threads ? threads : cores(), .run = run, .user = user});
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
    pool_run(t->own, b->count, run_one, b);
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
