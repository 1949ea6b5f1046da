/* Threads of POSIX: the thread sanitizer does not know those of C11.
 *
 * A batch is announced by one number, `call`: how many batches there have been, and how many blocks this one has. A
 * block of parts is taken by whoever first puts the number of the batch into its mark. So a thread that is late, and
 * still has an old call, finds all marks taken. Only who has taken a block reads the rest of the batch, which stays as
 * it is until all blocks are done. Each thread begins at its own share: over many equal batches, its memory stays in
 * its cache. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "base/threads.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>

/* Blocks of a batch; parts are joined if there are more. SPINS: looks at a number before a thread sleeps, some ten
 * microseconds: batches follow each other quickly. */
enum { BLOCKS_MOST = 256, BLOCK_BITS = 9, SPINS = 2000 };

typedef struct worker {
  picus_threads *crew;
  int index;
  pthread_t thread;
} worker;

struct picus_threads {
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
  pthread_mutex_t mutex;
  pthread_cond_t called, finished;
  atomic_int sleepers; /* threads that wait for a call, or the caller for the end of the batch */
};

int picus_cores(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  const int count = CPU_COUNT(&set);
  return count < 1 ? 1 : count > THREADS_MOST ? THREADS_MOST : count;
}

static inline void pause_briefly(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

/* --- blocks --------------------------------------------------------------------------------------------------- */

static bool take(picus_threads *p, int block, uint64_t batch) {
  uint_least64_t seen = atomic_load_explicit(&p->marks[block], memory_order_relaxed);
  return seen < batch && atomic_compare_exchange_strong(&p->marks[block], &seen, batch);
}

/* Wakes those who sleep. They have looked at the number that changed before this call after they counted themselves. */
static void wake(picus_threads *p, pthread_cond_t *condition) {
  if (atomic_load(&p->sleepers) == 0) return;
  (void)pthread_mutex_lock(&p->mutex);
  (void)pthread_cond_broadcast(condition);
  (void)pthread_mutex_unlock(&p->mutex);
}

static void run_block(picus_threads *p, int block, int blocks) {
  const int first = (int)((int64_t)p->count * block / blocks), end = (int)((int64_t)p->count * (block + 1) / blocks);
  for (int i = first; i < end; i++) p->part(p->work, i);
  if (atomic_fetch_sub(&p->left, 1) == 1) wake(p, &p->finished);
}

/* All blocks of a call that nobody has taken, from the own share on. */
static void work_on(picus_threads *p, uint64_t call, int index) {
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
static uint64_t await_call(picus_threads *p, uint64_t last) {
  for (int k = 0; k < SPINS; k++) {
    const uint64_t call = atomic_load(&p->call);
    if (call != last) return call;
    pause_briefly();
  }
  (void)pthread_mutex_lock(&p->mutex);
  atomic_fetch_add(&p->sleepers, 1);
  while (atomic_load(&p->call) == last && !atomic_load(&p->ends)) (void)pthread_cond_wait(&p->called, &p->mutex);
  atomic_fetch_sub(&p->sleepers, 1);
  (void)pthread_mutex_unlock(&p->mutex);
  return atomic_load(&p->call);
}

static void *live(void *self) {
  worker *w = self;
  uint64_t last = 0;
  while (!atomic_load(&w->crew->ends)) {
    const uint64_t call = await_call(w->crew, last);
    if (call != last) work_on(w->crew, call, w->index);
    last = call;
  }
  return NULL;
}

/* If the system gives fewer threads, those have to do: the results are the same. Signals go to the threads of the
 * host. */
static void start(picus_threads *p) {
  sigset_t all, before;
  (void)sigfillset(&all);
  (void)pthread_sigmask(SIG_SETMASK, &all, &before);
  for (p->started = 1; p->started < p->threads; p->started++) {
    worker *w = &p->workers[p->started - 1];
    *w = (worker){.crew = p, .index = p->started};
    if (pthread_create(&w->thread, NULL, live, w) != 0) break;
  }
  (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* --- batches -------------------------------------------------------------------------------------------------- */

static void await_end(picus_threads *p) {
  for (int k = 0; k < SPINS; k++) {
    if (atomic_load(&p->left) == 0) return;
    pause_briefly();
  }
  (void)pthread_mutex_lock(&p->mutex);
  atomic_fetch_add(&p->sleepers, 1);
  while (atomic_load(&p->left) > 0) (void)pthread_cond_wait(&p->finished, &p->mutex);
  atomic_fetch_sub(&p->sleepers, 1);
  (void)pthread_mutex_unlock(&p->mutex);
}

void picus_threads_run(picus_threads *p, int count, picus_task_fn part, void *work) {
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

picus_status picus_threads_create(picus_context *context, int threads, picus_threads **out) {
  *out = NULL;
  picus_threads *p = picus_allocate(context, 1, sizeof *p);
  if (!p) return PICUS_ERROR_MEMORY;
  p->threads = threads;
  p->workers = picus_allocate(context, (size_t)(threads - 1), sizeof *p->workers);
  /* on Linux the default locks and conditions need nothing that could be missing */
  const bool fine = p->workers && pthread_mutex_init(&p->mutex, NULL) == 0 &&
                    pthread_cond_init(&p->called, NULL) == 0 && pthread_cond_init(&p->finished, NULL) == 0;
  if (!fine) {
    picus_release(context, p->workers);
    picus_release(context, p);
    return picus_fail(context, PICUS_ERROR_MEMORY, "out of memory: threads cannot be prepared; use one thread");
  }
  *out = p;
  return PICUS_OK;
}

void picus_threads_destroy(picus_context *context, picus_threads *p) {
  if (!p) return;
  atomic_store(&p->ends, true);
  (void)pthread_mutex_lock(&p->mutex);
  (void)pthread_cond_broadcast(&p->called);
  (void)pthread_mutex_unlock(&p->mutex);
  for (int k = 1; k < p->started; k++) (void)pthread_join(p->workers[k - 1].thread, NULL);
  (void)pthread_cond_destroy(&p->finished);
  (void)pthread_cond_destroy(&p->called);
  (void)pthread_mutex_destroy(&p->mutex);
  picus_release(context, p->workers);
  picus_release(context, p);
}
