/* The parts of the benchmark. Each prints its rows of the table and returns false, with a sentence on stderr, where
 * something could not be run. */
#ifndef PICUS_BENCH_H
#define PICUS_BENCH_H

#include <picus/picus.h>

#include <stdbool.h>

bool bench_models(void);     /* steps per second of each shipped model */
bool bench_schemes(void);    /* time per step of the schemes on the same model */
bool bench_woodpecker(void); /* the woodpecker at dt = 1e-6: Picus and the loop by hand, raw lines for bench/run */
bool bench_implicit(void);   /* slider-crank and elastic bar with moreau-jean, raw lines for bench/run */
bool bench_solvers(void);    /* time per contact problem */
bool bench_factors(void);    /* sweeps with G by factors and by blocks */
bool bench_recording(void);  /* cost of a recorded row */
bool bench_memory(void);     /* memory before and after 10^7 steps */

/* A model made ready to run. */
typedef struct bench_run {
  picus_context *context;
  picus_model *model;
  picus_system *system;
  picus_sim *sim;
  picus_sim_options options;
} bench_run;

/* What is not 0 or NULL replaces what the model says. */
typedef struct bench_request {
  const char *model; /* shipped, or a file */
  const char *scheme;
  double dt, t_end;
  int n;    /* parameter of the model: number of bodies */
  double g; /* the same: gravity */
  int threads;
  picus_run_tasks_fn run_tasks; /* with the threads in name */
  void *tasks_user;
  double tolerance, heap_tolerance, accept_residual;
  bool fixed; /* steps, even if the model has adaptive ones */
} bench_request;

/* On failure says why; close is fine then too. A scheme that refuses the model fails without a word. */
bool bench_open_request(bench_run *run, const bench_request *request);
/* dt and t_end of 0: the model's own. */
bool bench_open(bench_run *run, const char *model, double dt, double t_end);
void bench_close(bench_run *run);
/* Runs from the model's start to t_end without a recorder. Returns the seconds it took; negative: failed, and said. */
double bench_run_once(bench_run *run, picus_summary *summary);
double bench_median(double *values, int count); /* sorts them */
/* The sentence of the last error of the context, on stderr. Returns false. */
bool bench_failed(const char *what, const picus_context *context);

#endif
