/* Threads that wait for batches of parts. The thread that starts a batch works on it as well, and never waits for a
 * thread that has not begun: on a busy machine it does all parts itself. */
#ifndef PICUS_BASE_THREADS_H
#define PICUS_BASE_THREADS_H

#include "base/internal.h"

enum { THREADS_MOST = 256 };

typedef struct picus_threads picus_threads;
/* For this many threads, with the one that starts batches. They start with the first batch. */
picus_status picus_threads_create(picus_context *context, int threads, picus_threads **out);
void picus_threads_destroy(picus_context *context, picus_threads *threads); /* NULL is fine */
/* Runs part(work, i) for i = 0 .. count - 1, each once; one batch at a time. */
void picus_threads_run(picus_threads *threads, int count, picus_task_fn part, void *work);
/* The cores that this process may use, at least 1. */
int picus_cores(void);

#endif
