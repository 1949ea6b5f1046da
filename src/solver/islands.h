/* Islands: parts of a contact problem that no law connects. Each is a problem of its own, with its own effort, residual
 * and fallbacks, so that a hard one does not slow the others down and spoils none of them. */
#ifndef PICUS_SOLVER_ISLANDS_H
#define PICUS_SOLVER_ISLANDS_H

#include "solver/internal.h"
#include "solver/plan.h"

/* Whether a small problem with a dense G is one island: then nobody needs to search for islands. */
bool picus_small_is_connected(const picus_contact_problem *problem);

/* Finds the islands of a problem that fits. count is 1 if there is one only: then the other arrays are not filled. */
picus_status picus_islands_find(picus_islands *islands, const picus_contact_problem *problem);
void picus_islands_release(picus_islands *islands);
/* Memory for dense problems up to this size. */
picus_status picus_islands_reserve(picus_islands *islands, int law_count, int rows);

/* The percussions and modes of the problem into the islands, and back. */
void picus_islands_take(picus_islands *islands, const double *P, const picus_mode *modes);
void picus_islands_give(const picus_islands *islands, double *P, picus_mode *modes);

/* One of them as a problem. */
void picus_islands_at(const picus_islands *islands, int number, picus_island *out);

/* --- solving them side by side ---------------------------------------------------------------------------------- */

/* What a part of a problem needs to know of the whole. */
typedef struct picus_problem_part {
  picus_whole whole;
  double scale;       /* of the percussions of the whole, as far as known before it is solved; 0: none */
  const int *numbers; /* of its laws in the whole; NULL: it is the whole */
  double tolerance;   /* of its residual, if that is stricter than that of the options; 0: none */
} picus_problem_part;
/* The next problems of a solver are such parts, and are solved as one; NULL: they are whole again. solver.c. */
void picus_solver_set_part(picus_solver *solver, const picus_problem_part *part);
/* What the parts that it solved since the last call have spent. */
picus_budget *picus_solver_budget(picus_solver *solver);
/* Results of the next solve do not depend on those before. */
void picus_solver_forget(picus_solver *solver);

/* Solvers that work side by side, each in a context of its own. */
typedef struct picus_island_workers picus_island_workers;
picus_status picus_island_workers_create(picus_context *context, const picus_solver_options *options,
                                         picus_solver *owner, picus_island_workers **out);
void picus_island_workers_destroy(picus_island_workers *workers); /* NULL is fine */
/* Memory for dense problems up to this size, solved by one thread. */
picus_status picus_island_workers_reserve(picus_island_workers *workers, int law_count, int rows);
/* The memory of a solver for problems that are not searched for islands; solver.c. */
picus_status picus_solver_reserve_whole(picus_solver *solver, int law_count, int size);
/* What was set for another solver since it was created. */
void picus_solver_follow(picus_solver *solver, const picus_solver *other);
/* picus_solver_left_out of all islands that were solved last. */
picus_left_out picus_island_workers_left_out(const picus_island_workers *workers);
/* Solves a problem by islands. Those with very many laws are for the owner, which divides the work on each of them
 * among the threads. found: false if the problem is one island, and nothing has been done. conflict (law_count):
 * after PICUS_NO_SOLUTION, conflict_count laws that exclude each other. */
typedef struct picus_island_task {
  picus_whole whole;
  const picus_contact_problem *problem;
  double *P;
  picus_mode *modes;
  picus_solve_info *info;
  bool found;
  const int *conflict;
  int conflict_count;
  picus_budget spent; /* by the others than the owner */
} picus_island_task;
picus_status picus_island_workers_solve(picus_island_workers *workers, picus_island_task *task);
/* The laws of the island of a law, in the problem that was solved by islands last. */
const int *picus_island_workers_laws(const picus_island_workers *workers, int law, int *count);

#endif
