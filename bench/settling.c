/* Whole runs of heaps that settle: what a step takes, how even the steps are, and what is left of their problems.
 *
 *   picus_settling [--model NAME] [--t-end T] [--tol TOL] [--stages] [N...]    default spheres, 2 s, 10 to 30
 *
 * One thread, all options as in the model. Of each number of bodies N: contacts at the end, CPU time of a step in
 * milliseconds (mean, median, 99 %, longest, and the longest over the median), steps that were accepted above their
 * tolerance, fallbacks, and the largest residual. A run that fails says when. With --stages also: the stages of the
 * longest step; and how often each stage of auto was tried and decided, iterations, and its share of the time of all
 * steps. */
#include "bench.h"
#include "clock.h"
#include "sim/internal.h"
#include "solver/plan.h"
#include "solvers_stages.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SIZES = 64, MOST_LOGGED = 32 };

/* The stages of a step, one after the other. */
typedef struct step_log {
  int count, stage[MOST_LOGGED], iterations[MOST_LOGGED];
  double seconds[MOST_LOGGED];
} step_log;

typedef struct settling {
  const char *model;
  double t_end, tolerance;
  bool stages;
  stage_sums sums; /* of all runs */
  long iterations[STAGES_MOST];
  double begin; /* of the stage that runs */
  step_log step, longest;
} settling;

static void see(void *user, int stage, int iterations, bool solved) {
  settling *s = user;
  if (stage >= STAGES_MOST) return;
  if (iterations < 0) {
    s->begin = processor_seconds_now();
    return;
  }
  s->sums.tried[stage]++;
  s->sums.decided[stage] += solved;
  s->iterations[stage] += iterations;
  const double seconds = processor_seconds_now() - s->begin;
  s->sums.seconds[stage] += seconds;
  if (s->step.count == MOST_LOGGED) return;
  s->step.stage[s->step.count] = stage;
  s->step.iterations[s->step.count] = iterations;
  s->step.seconds[s->step.count++] = seconds;
}

/* What the steps of a run took and left. */
typedef struct course {
  double *seconds; /* of each step */
  int steps, contacts;
  long accepted, fallbacks;
  double longest, longest_at; /* step; s */
  double largest, failed_at;  /* residual; s, NAN: it did not fail */
} course;

static course run_through(settling *s, bench_run *run, int most) {
  course c = {.seconds = calloc((size_t)most, sizeof *c.seconds), .failed_at = NAN};
  if (s->stages) picus_solver_watch_stages(run->sim->stepper.contacts.solver, (picus_stage_watch){see, s});
  while (c.seconds && c.steps < most && picus_sim_state(run->sim).t < run->options.t_end - 0.5 * run->options.dt) {
    picus_step_info info;
    const double begin = processor_seconds_now(), t = picus_sim_state(run->sim).t;
    s->step.count = 0;
    const picus_status status = picus_sim_step(run->sim, 0, &info);
    c.seconds[c.steps] = processor_seconds_now() - begin;
    if (c.seconds[c.steps] > c.longest) {
      c.longest = c.seconds[c.steps];
      c.longest_at = t;
      s->longest = s->step;
    }
    c.steps++;
    if (status) {
      c.failed_at = t;
      bench_failed("a step", run->context);
      break;
    }
    c.contacts = info.active;
    c.accepted += info.solver.worst.above > 0;
    c.fallbacks += info.solver.last.fallbacks > 0;
    c.largest = fmax(c.largest, info.solver.residual);
  }
  return c;
}

static void print_longest(const settling *s, double t) {
  const picus_plan_table *chain = picus_plan_table_at(0);
  printf("      longest at %.3f s:", t);
  for (int k = 0; k < s->longest.count; k++)
    printf(" %s %d (%.2f ms)", chain->stages[s->longest.stage[k]].ops->description.name, s->longest.iterations[k],
           1e3 * s->longest.seconds[k]);
  printf("\n");
}

static bool measure(settling *s, int n) {
  bench_run run;
  const bench_request request = {.model = s->model, .n = n, .threads = 1, .t_end = s->t_end, .tolerance = s->tolerance};
  if (!bench_open_request(&run, &request)) return false;
  course c = run_through(s, &run, (int)ceil(run.options.t_end / run.options.dt) + 1);
  double sum = 0;
  for (int k = 0; k < c.steps; k++) sum += c.seconds[k];
  s->sums.all += sum;
  if (c.steps > 0) {
    const double median = bench_median(c.seconds, c.steps); /* they are sorted now */
    printf("%5d %8d %8.3f %8.3f %8.3f %8.3f %8.1f %8ld %9ld %9.1e", n, c.contacts, 1e3 * sum / c.steps, 1e3 * median,
           1e3 * c.seconds[(long)c.steps * 99 / 100], 1e3 * c.longest, c.longest / median, c.accepted, c.fallbacks,
           c.largest);
    if (isfinite(c.failed_at)) printf("  failed at %.4g s", c.failed_at);
    printf("\n");
    if (s->stages) print_longest(s, c.longest_at);
    fflush(stdout);
  }
  free(c.seconds);
  bench_close(&run);
  return c.steps > 0;
}

static void print_stages_of(const settling *s) {
  const picus_plan_table *chain = picus_plan_table_at(0);
  printf("\nstage            tried  decides  iterations   share of all steps\n");
  for (int k = 0; k < PICUS_PLAN_LENGTH && chain->stages[k].ops; k++)
    if (s->sums.tried[k])
      printf("%2d %-12s %6ld %8ld %11ld %8.1f %%\n", k, chain->stages[k].ops->description.name, s->sums.tried[k],
             s->sums.decided[k], s->iterations[k], 100 * s->sums.seconds[k] / s->sums.all);
}

int main(int count, char **argument) {
  settling s = {.model = "spheres", .t_end = 2};
  int sizes[MOST_SIZES], size_count = 0;
  for (int k = 1; k < count; k++) {
    const bool has_value = k + 1 < count;
    if (strcmp(argument[k], "--stages") == 0)
      s.stages = true;
    else if (strcmp(argument[k], "--model") == 0 && has_value)
      s.model = argument[++k];
    else if (strcmp(argument[k], "--t-end") == 0 && has_value)
      s.t_end = atof(argument[++k]);
    else if (strcmp(argument[k], "--tol") == 0 && has_value)
      s.tolerance = atof(argument[++k]);
    else if (size_count < MOST_SIZES)
      sizes[size_count++] = atoi(argument[k]);
  }
  if (size_count == 0)
    for (int n = 10; n <= 30; n++) sizes[size_count++] = n;
  printf("    n contacts mean, ms   median     99 %%  longest  /median accepted fallbacks   largest\n");
  bool fine = true;
  for (int k = 0; k < size_count; k++) fine = measure(&s, sizes[k]) && fine;
  if (s.stages) print_stages_of(&s);
  return fine ? 0 : 1;
}
