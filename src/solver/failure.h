/* Why a contact problem was not solved, in words. */
#ifndef PICUS_SOLVER_FAILURE_H
#define PICUS_SOLVER_FAILURE_H

#include "contact/internal.h"

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

#endif
