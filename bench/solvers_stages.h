/* Which stages of "auto" are tried, which of them decide, and their shares of the time. */
#ifndef PICUS_BENCH_SOLVERS_STAGES_H
#define PICUS_BENCH_SOLVERS_STAGES_H

#include "solvers_benchmark.h"

enum { STAGES_MOST = 32 };

/* What the stages did on problems of one source. */
typedef struct stage_sums {
  long problems, unsolved, left_out;
  long tried[STAGES_MOST], decided[STAGES_MOST];
  double seconds[STAGES_MOST], all; /* all: of the solves, closed forms and searches for islands included */
} stage_sums;

/* The contact problems of a short run of a shipped model; n > 0: with so many bodies. */
void profile_model(const char *model, int n, stage_sums *sums);
/* One problem at a tolerance, from zero and from a solution of a problem nearby. */
typedef struct stage_task {
  const picus_contact_problem *problem;
  double tolerance, limit; /* limit: seconds; a problem that takes longer is left out */
} stage_task;
void profile_problem(picus_context *context, const stage_task *task, stage_sums *sums);

typedef struct stage_source {
  const char *name;
  const stage_sums *sums;
} stage_source;
void print_stages(int count, const stage_source *sources);

#endif
