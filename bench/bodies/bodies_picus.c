/* Disks and spheres in a box by Picus. Prints one row.
 *
 *   bodies_picus MODELS disks|spheres N H T_END TOLERANCE [THREADS [ACCEPTED [SWEEPS [siconos]]]]
 *
 * MODELS: the folder models. SWEEPS: of a step at most; 0: as many as the solver takes by itself.
 * siconos: two more rows, of NSGS on the contact problem of the next step, without its assembly: from zero, and from
 * the percussions of the step before. Last column: Siconos' own measure of the answer.
 * TOLERANCE: of the contact solver (relative). ACCEPTED: the residual with which a step may go on. Relative velocities
 * include gap / h, as in the condition that the scheme solves. */
#include "bodies.h"
#include "solvers_benchmark.h"

#include <picus/picus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct run {
  const bodies_scene *scene;
  picus_context *context;
  picus_model *model;
  picus_system *system;
  picus_sim *sim;
  double h;
  bodies_residual *residual;
  double *xi;
  int capacity;
  picus_problem *copy;
} run;

static void watch(void *user, const picus_watched_problem *watched) {
  run *r = user;
  const picus_contact_problem *problem = watched->problem;
  if (problem->size > r->capacity) {
    free(r->xi);
    r->xi = calloc((size_t)problem->size, sizeof *r->xi);
    r->capacity = r->xi ? problem->size : 0;
  }
  if (!r->residual || problem->size > r->capacity) return;
  picus_contact_residual(problem, watched->P, r->xi);
  for (int k = 0, at = 0; k < problem->law_count; at += problem->laws[k++].dim)
    bodies_residual_add(r->residual, r->scene, r->h, r->xi + at, watched->P + at, problem->laws[k].dim - 1);
}

static bool step(void *self) {
  run *r = self;
  return !picus_sim_step(r->sim, 0, NULL);
}

static bool step_measured(void *self, bodies_residual *residual) {
  run *r = self;
  r->residual = residual;
  picus_sim_watch_contacts(r->sim, watch, r);
  const bool fine = step(self);
  picus_sim_watch_contacts(r->sim, NULL, NULL);
  return fine;
}

/* --- Siconos ---------------------------------------------------------------------------------------------------- */

#define ITS_TOLERANCE 1e-4

/* The contact problem of a step with its start. */
static void copy_problem(void *user, const picus_watched_problem *watched) {
  run *r = user;
  if (!r->copy)
    picus_problem_copy(r->context, watched->problem, &(picus_problem_notes){.guess = watched->start}, &r->copy);
}

static void print_nsgs(const run *r, int number, bool from_zero) {
  const picus_contact_problem *problem = picus_problem_contacts(r->copy);
  double *P = calloc((size_t)problem->size, sizeof *P);
  candidate c;
  solve_result result;
  if (!P || !siconos_candidate_open(number, problem, ITS_TOLERANCE, &c)) return;
  if (!from_zero) {
    memcpy(P, picus_problem_notes_of(r->copy)->guess, (size_t)problem->size * sizeof *P);
    siconos_candidate_keep_start(&c);
  }
  c.solve(c.state, P, &result);
  printf("%-8s %6d  Siconos %s %.0e, %-14s %9.3g ms, %6d iterations, error %.2g\n",
         r->scene->planar ? "disks" : "spheres", r->scene->n, siconos_solver_name(number), ITS_TOLERANCE,
         from_zero ? "from zero:" : "from last step:", 1e3 * result.seconds, result.iterations,
         picus_contact_residuals(problem, P).de_saxce);
  fflush(stdout);
  c.close(c.state);
  free(P);
}

static bool compare_siconos(run *r) {
  picus_sim_watch_contacts(r->sim, copy_problem, r);
  const bool fine = !picus_sim_step(r->sim, 0, NULL);
  picus_sim_watch_contacts(r->sim, NULL, NULL);
  if (!fine || !r->copy) return false;
  int number = 0;
  while (siconos_solver_name(number) && !siconos_takes(number, picus_problem_contacts(r->copy))) number++;
  if (siconos_solver_name(number)) {
    print_nsgs(r, number, false);
    print_nsgs(r, number, true);
  }
  picus_problem_destroy(r->copy);
  return true;
}

static void positions(void *self, double *x) {
  run *r = self;
  const int axes = r->scene->planar ? 2 : 3, size = r->scene->planar ? 3 : 7;
  const picus_state state = picus_sim_state(r->sim);
  for (int i = 0; i < r->scene->n; i++)
    for (int d = 0; d < axes; d++) x[3 * i + d] = state.q[size * i + d];
}

typedef struct run_options {
  double tolerance, accepted;
  int threads, sweeps;
} run_options;

static picus_status open_run(run *r, const char *path, const run_options *o) {
  const picus_override size[] = {{"n", r->scene->n}, {"columns", r->scene->columns}};
  const picus_load_options load = {.override_count = 2, .overrides = size};
  picus_status status = picus_context_create(NULL, &r->context);
  if (status) return status;
  status = picus_context_set_threads(r->context, o->threads);
  if (!status) status = picus_model_load(r->context, path, &load, &r->model);
  if (!status) status = picus_system_create(r->model, &r->system);
  if (status) return status;
  picus_sim_options options = picus_model_sim_options(r->model);
  options.dt = r->h;
  if (o->tolerance > 0) options.solver.tolerance = o->tolerance;
  if (o->accepted > 0) options.solver.accept_residual = o->accepted;
  if (o->sweeps > 0) options.solver.max_iterations = o->sweeps;
  return picus_sim_create(r->context, r->system, &options, &r->sim);
}

int main(int count, char **argument) {
  bodies_scene scene;
  if (count < 7 || !heap_scene_make(&scene, argument[2], atoi(argument[3]), 0)) {
    fprintf(stderr,
            "usage: bodies_picus MODELS disks|spheres N H T_END TOLERANCE [THREADS [ACCEPTED [SWEEPS [siconos]]]]\n");
    return 2;
  }
  char path[1024], name[64];
  snprintf(path, sizeof path, "%s/%s.lua", argument[1], argument[2]);
  const run_options options = {.tolerance = atof(argument[6]),
                               .threads = count > 7 ? atoi(argument[7]) : 1,
                               .accepted = count > 8 ? atof(argument[8]) : 0,
                               .sweeps = count > 9 ? atoi(argument[9]) : 0};
  if (options.sweeps > 0)
    snprintf(name, sizeof name, "Picus, %d sweeps, t. %d", options.sweeps, options.threads);
  else
    snprintf(name, sizeof name, "Picus %s, threads %d", argument[6], options.threads);
  run r = {.scene = &scene, .h = atof(argument[4])};
  picus_status status = open_run(&r, path, &options);
  const bodies_engine engine = {name, &r, step, step_measured, positions};
  bool fine = !status && bodies_run(&scene, &engine, r.h, atof(argument[5]));
  if (fine && count > 10) fine = compare_siconos(&r);
  if (!fine && r.context) fprintf(stderr, "bodies_picus: %s\n", picus_last_error(r.context)->message);
  picus_sim_destroy(r.sim);
  picus_system_destroy(r.system);
  picus_model_destroy(r.model);
  picus_context_destroy(r.context);
  free(r.xi);
  heap_scene_release(&scene);
  return fine ? 0 : 1;
}
