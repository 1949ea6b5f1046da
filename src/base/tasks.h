/* Work in parts that run side by side, on the threads of the context or of the host (picus/base.h).
 *
 * The result must not depend on who runs what: a part writes only where no other part reads or writes, and where
 * results are put together, this is done afterwards in the order of the parts. A part allocates nothing, logs nothing
 * and sets no error: it returns a status, and the caller has the message. */
#ifndef PICUS_BASE_TASKS_H
#define PICUS_BASE_TASKS_H

#include "base/internal.h"

typedef picus_status (*task_fn)(void *work, int task);
/* Runs task(work, i) for i = 0 .. count - 1 and returns when all are done; the status is that of the first i that
 * failed, all others run nevertheless. One task, and all tasks without threads, run here, in order. A task that calls
 * this function with the same context gets PICUS_ERROR_UNSUPPORTED. */
picus_status picus_tasks_run(picus_context *context, int count, task_fn task, void *work);

/* The least number of items of a task, by the work of an item. A loop is divided where a task takes some forty
 * microseconds or more: several times what it costs to wake a thread, which may have gone to sleep since the last loop.
 * Loops over laws and bodies are therefore divided from 4000 of them on (PICUS_COLOURED_LAWS in contact/sizes.h). */
enum {
  PICUS_TASK_OF_NUMBERS = 4000, /* ten nanoseconds: a few numbers are read or written */
  PICUS_TASK_OF_ROWS = 2000,    /* tens of nanoseconds: rows of a law, a pose, a bounding box */
  PICUS_TASK_OF_PAIRS = 2000,   /* fifty nanoseconds: a pair of shapes, rows of a law through M */
  PICUS_TASK_OF_VISITS = 256,   /* the same of laws in a sweep: one loop follows the other, no thread sleeps */
  PICUS_TASK_OF_ISLANDS = 64    /* microseconds: laws of islands, which are solved */
};
/* Into how many tasks to divide `size` items: as many as there are threads, but each has at least `least` items;
 * 1 for little work and within tasks. */
int picus_tasks_for(const picus_context *context, int size, int least);
/* The first item of a task, of `count` that share `size` items; the last one ends at task_start(size, count, count). */
static inline int picus_task_start(int size, int count, int task) { return (int)((int64_t)size * task / count); }

/* A loop whose items are independent of each other: range(work, first, end) for pieces of 0 .. size - 1 that follow
 * each other, side by side if each has at least `least` items. Fails only by a mistake of the host. */
typedef void (*range_fn)(void *work, int first, int end);
picus_status picus_tasks_over(picus_context *context, int size, int least, range_fn range, void *work);

/* Called by the context. */
typedef struct picus_tasks picus_tasks;
void picus_tasks_destroy(picus_context *context, picus_tasks *tasks); /* NULL is fine */
/* The context keeps its own; it does not destroy those before. */
picus_tasks *picus_context_tasks(const picus_context *context);
void picus_context_keep_tasks(picus_context *context, picus_tasks *tasks);

/* --- locks -------------------------------------------------------------------------------------------------------- */

/* A lock for the few objects that threads share and that change. Always held for a short piece of code in one function,
 * and never while another one is held. */
typedef struct picus_lock picus_lock;

picus_status picus_lock_create(picus_context *context, picus_lock **out);
void picus_lock_destroy(picus_context *context, picus_lock *lock); /* NULL is fine */
void picus_lock_take(picus_lock *lock);
void picus_lock_give(picus_lock *lock);

#endif
