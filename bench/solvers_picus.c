/* Picus' side of the benchmark. */
#include "clock.h"
#include "solvers_benchmark.h"

#include <stdlib.h>
#include <string.h>

typedef struct picus_candidate_state {
  picus_context *context;
  picus_solver *solver;
  const picus_contact_problem *problem;
  picus_mode *modes;
} picus_candidate_state;

static void close_state(void *state) {
  picus_candidate_state *s = state;
  picus_solver_destroy(s->solver);
  picus_context_destroy(s->context);
  free(s->modes);
  free(s);
}

static bool solve(void *state, double *P, solve_result *out) {
  picus_candidate_state *s = state;
  picus_solve_info info;
  memset(P, 0, (size_t)s->problem->size * sizeof *P);
  for (int i = 0; i < s->problem->law_count; i++) s->modes[i] = PICUS_OPEN;
  stop_watch begin = stop_watch_start();
  picus_status status = picus_solver_solve(s->solver, s->problem, P, s->modes, &info);
  out->seconds = stop_watch_read(begin);
  out->iterations = info.iterations;
  out->claimed = status == PICUS_OK;
  return status >= 0;
}

bool picus_candidate_open(const char *solver, const picus_contact_problem *problem, double tolerance, candidate *out) {
  picus_candidate_state *s = calloc(1, sizeof *s);
  if (!s || picus_context_create(NULL, &s->context)) {
    free(s);
    return false;
  }
  picus_solver_options options = picus_default_solver_options();
  options.solver = solver;
  options.tolerance = tolerance;
  options.max_iterations = 1000000;
  options.no_fallback = strcmp(solver, "auto") != 0;
  s->problem = problem;
  s->modes = calloc((size_t)problem->law_count + 1, sizeof *s->modes);
  *out = (candidate){s, solve, close_state};
  if (s->modes && picus_solver_create(s->context, &options, &s->solver) == PICUS_OK &&
      picus_solver_reserve(s->solver, problem->law_count, problem->size) == PICUS_OK)
    return true;
  close_state(s);
  return false;
}
