/* The benchmark of the contact solvers: who takes part, and how one attempt is measured. */
#ifndef PICUS_BENCH_SOLVERS_BENCHMARK_H
#define PICUS_BENCH_SOLVERS_BENCHMARK_H

#include <picus/picus.h>

/* The measure both codes are held to, Siconos' own: |P - proj(P - xi - mu |xi_T| e_N)| / |c|, computed here after the
 * solve (picus_residuals.de_saxce). A solver that says it is done and is not may tighten its own tolerance. */
typedef struct attempt {
  bool solved;          /* the measure is at most the tolerance */
  bool claimed;         /* what the solver said of itself */
  double seconds;       /* shortest of several, warm, from zero, without assembly */
  double error;         /* the measure */
  double relative;      /* picus_residual.relative of the same P */
  double own_tolerance; /* that the solver had to be given */
  int iterations;
} attempt;

typedef struct contender {
  const char *name;   /* "picus gs", "siconos NSGS hybrid" */
  const char *solver; /* of Picus; NULL: of Siconos */
  int number;         /* of Siconos' table */
} contender;

/* One solve from zero; false: this solver cannot take the problem. seconds, iterations, claimed and P are filled. */
typedef struct solve_result {
  double seconds;
  int iterations;
  bool claimed;
} solve_result;

/* A solver made ready for one problem and one tolerance. */
typedef struct candidate {
  void *state;
  bool (*solve)(void *state, double *P, solve_result *out);
  void (*close)(void *state);
} candidate;

bool picus_candidate_open(const char *solver, const picus_contact_problem *problem, double tolerance, candidate *out);
/* The solution of a problem with a c that differs by up to a thousandth. P == NULL: none was found. */
typedef struct warm_start {
  double *P;
  picus_mode *modes;
} warm_start;
warm_start warm_start_of(picus_context *context, const picus_contact_problem *problem);
void warm_start_release(warm_start *start);
/* From now on its solves start there; start must outlive the candidate. */
void picus_candidate_start_at(candidate *c, const warm_start *start);

/* Where Siconos is not installed there are none. */
const char *siconos_solver_name(int number); /* NULL after the last */
bool siconos_takes(int number, const picus_contact_problem *problem);
bool siconos_candidate_open(int number, const picus_contact_problem *problem, double tolerance, candidate *out);
/* The next solve starts at the P that it is given. */
void siconos_candidate_keep_start(candidate *candidate);

#endif
