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
  const warm_start *start; /* of a solve; NULL: zero */
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
  for (int k = 0; k < s->problem->size; k++) P[k] = s->start ? s->start->P[k] : 0;
  for (int i = 0; i < s->problem->law_count; i++) s->modes[i] = s->start ? s->start->modes[i] : PICUS_OPEN;
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

static bool solve_nearby(picus_context *context, const picus_contact_problem *problem, double *c,
                         const warm_start *start) {
  picus_solver_options options = picus_default_solver_options();
  picus_contact_problem nearby = *problem;
  picus_solver *solver = NULL;
  unsigned long long random = 1;
  for (int k = 0; k < nearby.size; k++) {
    random = random * 6364136223846793005ull + 1442695040888963407ull;
    c[k] = nearby.c[k] * (1 + 1e-3 * ((double)(random >> 11) / 4503599627370496.0 - 1));
  }
  nearby.c = c;
  options.accept_residual = 1e-3;
  bool done = picus_solver_create(context, &options, &solver) == PICUS_OK &&
              picus_solver_solve(solver, &nearby, start->P, start->modes, NULL) == PICUS_OK;
  picus_solver_destroy(solver);
  return done;
}

warm_start warm_start_of(picus_context *context, const picus_contact_problem *problem) {
  const size_t rows = (size_t)problem->size;
  double *c = calloc(rows + 1, sizeof *c);
  warm_start start = {calloc(rows + 1, sizeof *start.P), calloc((size_t)problem->law_count + 1, sizeof *start.modes)};
  if (!c || !start.P || !start.modes || !solve_nearby(context, problem, c, &start)) warm_start_release(&start);
  free(c);
  return start;
}

void warm_start_release(warm_start *start) {
  free(start->P);
  free(start->modes);
  *start = (warm_start){NULL, NULL};
}

void picus_candidate_start_at(candidate *c, const warm_start *start) {
  picus_candidate_state *s = c->state;
  s->start = start;
}
