/* The solver as its callers see it, and what its own files share. A method is one file with its ops (sweep/method.h)
 * and one line in plan.c. */
#ifndef PICUS_SOLVER_INTERNAL_H
#define PICUS_SOLVER_INTERNAL_H

#include "sweep/closed_form.h"
#include "sweep/method.h"

/* For measurements: sees each stage before it runs (iterations -1) and after it. Islands report from their own solvers,
 * from several threads at a time where there are some. */
typedef struct picus_stage_watch {
  void (*see)(void *user, int stage, int iterations, bool solved); /* NULL: nobody watches */
  void *user;
} picus_stage_watch;
void picus_solver_watch_stages(picus_solver *solver, picus_stage_watch watch);

/* Whether no law of a problem with several is coupled to another: each is an island. false also for a G by its factors.
 */
bool picus_laws_are_decoupled(const picus_contact_problem *problem);
/* The tolerance up to which picus_solve_contact on each of so many decoupled contacts gives the answer of a solver;
 * -1: its plan begins with another method. */
double picus_solver_closed_form_tolerance(const picus_solver *solver, int law_count);

/* --- why a problem was not solved, in words (failure.c) --------------------------------------------------------------
 */

enum { PICUS_NAMES_TEXT = 160 };
/* The names visited by next, with commas; a text that is too long is cut. */
void picus_write_names(char text[PICUS_NAMES_TEXT], const char *(*next)(const void *user, int k), const void *user);

/* The laws of a problem that may be part of another one, whose numbers the user knows. */
typedef struct picus_law_numbers {
  const int *numbers; /* of the laws in the whole; NULL: the problem is the whole */
  int whole_laws;
} picus_law_numbers;

/* The end of a plan without a solution. */
typedef struct picus_unsolved {
  picus_law_numbers laws;
  double tolerance;
  const picus_solve_info *best;
  const char *const *tried;
  int tried_count;
  const int *conflict; /* laws that exclude each other; */
  int conflict_count;  /* so many, if there is no solution */
  bool no_solution;    /* a method has shown that there is none, and none came near to one */
} picus_unsolved;
/* PICUS_NO_SOLUTION or PICUS_NOT_CONVERGED. */
picus_status picus_fail_unsolved(picus_context *context, const picus_unsolved *unsolved);

/* A solver that was named does not take a law; a number of a law is not finite; the rows of the laws do not fit. */
picus_status picus_fail_kind(picus_context *context, const char *solver, picus_law_numbers laws, int law,
                             const char *why);
picus_status picus_fail_not_finite(picus_context *context, picus_law_numbers laws, int law);
picus_status picus_fail_rows(picus_context *context, const picus_contact_problem *problem);

/* --- minimum norm (minimum_norm.c) -----------------------------------------------------------------------------------
 */

picus_memory_need picus_minimum_norm_need(int law_count, int size);

/* P solves the problem (dense G) to the tolerance and is replaced by the minimum-norm percussion with the same
 * velocities. false: not found; P is then undefined. The caller checks the result. */
bool picus_minimum_norm(const picus_contact_problem *problem, double tolerance, picus_solver_memory memory, double *P);

#endif
