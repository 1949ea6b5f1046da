/* One method on the stored problems of a run, from the percussions of the step before:
 *
 *   picus run spheres --set n=20 --dump-worst hard --worst 100
 *   picus_replay [--method NAME] [--sweeps N] [--most N] [--tol X] [--each] hard/X.hdf5 hard/Y.hdf5 ...
 *
 * NAME: gs, psor, newton, proximal, admm, homotopy, continuation, or auto, the default. A method starts after N sweeps
 * of gs (20). Prints how many problems have a residual up to X (1e-12) and up to 1e-6, iterations and milliseconds of
 * CPU time in the mean and at most, and the largest residual; --each: also of every problem. */
#include "bench.h"
#include "clock.h"
#include "simultaneous/coupled.h"
#include "sweep/body_problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const picus_solver_ops *const methods[] = {&picus_gs_solver,          &picus_psor_solver, &picus_newton_solver,
                                                  &picus_proximal_solver,    &picus_admm_solver, &picus_homotopy_solver,
                                                  &picus_continuation_solver};
#define CREEP 1e-6

typedef struct replay {
  const char *name;
  const picus_solver_ops *method; /* NULL: auto */
  int sweeps, most;
  double tolerance;
  bool each;
  /* sums */
  long problems, solved, near, iterations, most_iterations;
  double seconds, longest, largest;
} replay;

/* What a method may use, in the size of a problem. */
typedef struct workspace {
  picus_sparse_system reduced, coupled;
  picus_block_lu blocks;
  picus_body_memory bodies;
  picus_body_graph graph;
  picus_solver_memory memory;
} workspace;

static void run_method(picus_context *context, const picus_solver_ops *ops, const picus_contact_problem *problem,
                       int most, double tolerance, double *P, picus_mode *modes, int *iterations) {
  const picus_memory_need need = ops->need(problem->law_count, problem->size);
  workspace w = {.blocks.context = context};
  picus_solver_options options = picus_default_solver_options();
  picus_residual judged;
  options.tolerance = tolerance;
  options.max_iterations = most;
  w.memory = (picus_solver_memory){.doubles = calloc(need.doubles + 1, sizeof(double)),
                                   .ints = calloc(need.ints + 1, sizeof(int)),
                                   .reduced = &w.reduced,
                                   .coupled = &w.coupled,
                                   .blocks = &w.blocks,
                                   .bodies = &w.bodies,
                                   .graph = &w.graph,
                                   .limits = &picus_no_limits,
                                   .judged = &judged};
  if (w.memory.doubles && w.memory.ints) ops->solve(&options, problem, w.memory, P, modes, iterations);
  free(w.memory.doubles);
  free(w.memory.ints);
  picus_sparse_release(&w.reduced);
  picus_sparse_release(&w.coupled);
  picus_block_lu_release(&w.blocks);
}

static void run_auto(picus_context *context, const replay *r, const picus_contact_problem *problem, double *P,
                     picus_mode *modes, int *iterations) {
  picus_solver_options options = picus_default_solver_options();
  picus_solver *solver = NULL;
  picus_solve_info info = {0};
  options.tolerance = r->tolerance;
  if (!picus_solver_create(context, &options, &solver)) picus_solver_solve(solver, problem, P, modes, &info);
  picus_solver_destroy(solver);
  *iterations = info.iterations;
}

static void add(replay *r, const char *path, const picus_contact_problem *problem, double *P, picus_mode *modes,
                double seconds, int iterations) {
  picus_contact_project(problem, P);
  const double residual = picus_contact_judge(problem, P, NULL, NULL, modes).relative;
  r->problems++;
  r->solved += residual <= r->tolerance;
  r->near += residual <= fmax(CREEP, r->tolerance);
  r->iterations += iterations;
  r->most_iterations = iterations > r->most_iterations ? iterations : r->most_iterations;
  r->seconds += seconds;
  r->longest = fmax(r->longest, seconds);
  r->largest = fmax(r->largest, residual);
  if (r->each) printf("%-40s %5d %6d %9.3f %9.1e\n", path, problem->size, iterations, 1e3 * seconds, residual);
}

static bool replay_file(replay *r, const char *path) {
  picus_context *context = NULL;
  picus_problem *stored = NULL;
  if (picus_context_create(NULL, &context) || picus_problem_read(context, path, &stored))
    return bench_failed(path, context);
  const picus_contact_problem *problem = picus_problem_contacts(stored);
  const double *guess = picus_problem_notes_of(stored)->guess;
  double *P = calloc((size_t)problem->size + 1, sizeof *P);
  picus_mode *modes = calloc((size_t)problem->law_count + 1, sizeof *modes);
  if (P && modes) {
    if (guess) memcpy(P, guess, (size_t)problem->size * sizeof *P);
    int iterations = 0, swept = 0;
    picus_contact_judge(problem, P, NULL, NULL, modes);
    if (r->method && r->sweeps)
      run_method(context, &picus_gs_solver, problem, r->sweeps, r->tolerance, P, modes, &swept);
    const double begin = processor_seconds_now();
    if (r->method)
      run_method(context, r->method, problem, r->most, r->tolerance, P, modes, &iterations);
    else
      run_auto(context, r, problem, P, modes, &iterations);
    add(r, path, problem, P, modes, processor_seconds_now() - begin, iterations);
  }
  free(P);
  free(modes);
  picus_problem_destroy(stored);
  picus_context_destroy(context);
  return true;
}

static bool choose(replay *r, const char *name) {
  r->name = name;
  if (strcmp(name, "auto") == 0) return true;
  for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
    if (strcmp(methods[k]->description.name, name) == 0) r->method = methods[k];
  if (!r->method) fprintf(stderr, "replay: there is no method %s\n", name);
  return r->method;
}

int main(int count, char **argument) {
  replay r = {.name = "auto", .sweeps = 20, .most = 1000, .tolerance = 1e-12};
  bool fine = true;
  for (int k = 1; k < count && fine; k++) {
    const bool has_value = k + 1 < count;
    if (strcmp(argument[k], "--each") == 0)
      r.each = true;
    else if (strcmp(argument[k], "--method") == 0 && has_value)
      fine = choose(&r, argument[++k]);
    else if (strcmp(argument[k], "--sweeps") == 0 && has_value)
      r.sweeps = atoi(argument[++k]);
    else if (strcmp(argument[k], "--most") == 0 && has_value)
      r.most = atoi(argument[++k]);
    else if (strcmp(argument[k], "--tol") == 0 && has_value)
      r.tolerance = atof(argument[++k]);
    else
      fine = replay_file(&r, argument[k]);
  }
  if (r.problems == 0) return 2;
  const double n = (double)r.problems;
  printf("%-12s %4ld problems, %4ld to %.0e, %4ld to %.0e; iterations %6.1f, at most %5ld; ms %7.3f, at most %7.3f; "
         "residual at most %.1e\n",
         r.name, r.problems, r.solved, r.tolerance, r.near, fmax(CREEP, r.tolerance), (double)r.iterations / n,
         r.most_iterations, 1e3 * r.seconds / n, 1e3 * r.longest, r.largest);
  return fine ? 0 : 1;
}
