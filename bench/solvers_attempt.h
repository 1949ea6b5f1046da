/* One attempt of a contact solver on a problem, in a process of its own. */
#ifndef PICUS_BENCH_SOLVERS_ATTEMPT_H
#define PICUS_BENCH_SOLVERS_ATTEMPT_H

#include "solvers_benchmark.h"

typedef struct attempt_task {
  const contender *contender;
  const picus_contact_problem *posed;  /* in the units in which it is solved, */
  const picus_contact_problem *judged; /* and in those in which the answer is judged */
  double percussion;                   /* P of the second over P of the first */
  const warm_start *warm;              /* of solvers of Picus; NULL: from zero */
  double tolerance, limit;             /* limit: seconds of processor time, with all repetitions */
} attempt_task;

/* A crash, or an attempt that does not end, is a failed one. */
attempt measure_attempt(const attempt_task *task);
attempt failed_attempt(void);

#endif
