#include "solvers_stages.h"

#include "bench.h"
#include "clock.h"
#include "sim/internal.h"
#include "solver/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STEPS = 4000 };
#define SECONDS_MOST 2.0 /* for each model: models of many bodies make fewer steps */

/* The watch of one solver. A stage of an island may run while none of the whole does: times do not nest. */
typedef struct stage_clock {
  stage_sums *sums;
  double begin;
} stage_clock;

static void see(void *user, int stage, int iterations, bool solved) {
  stage_clock *clock = user;
  if (iterations < 0) {
    clock->begin = process_seconds_now();
    return;
  }
  if (stage >= STAGES_MOST) return;
  clock->sums->tried[stage]++;
  clock->sums->decided[stage] += solved;
  clock->sums->seconds[stage] += process_seconds_now() - clock->begin;
}

static void see_problem(void *user, const picus_watched_problem *watched) {
  stage_sums *sums = user;
  sums->problems++;
  sums->unsolved += watched->info->status != PICUS_OK || watched->info->accepted;
}

void profile_model(const char *model, int n, stage_sums *sums) {
  bench_run run;
  if (!bench_open_request(&run, &(bench_request){.model = model, .n = n})) return;
  stage_clock clock = {.sums = sums};
  picus_solver_watch_stages(run.sim->stepper.contacts.solver, (picus_stage_watch){see, &clock});
  picus_sim_watch_contacts(run.sim, see_problem, sums);
  const double begin = process_seconds_now(), t_end = run.options.t_end;
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < STEPS && run.sim->stepper.t < t_end; k++) {
    const double left = t_end - run.sim->stepper.t;
    status = run.options.adaptive ? picus_sim_advance(run.sim, t_end, NULL)
                                  : picus_sim_step(run.sim, left < run.options.dt ? left : run.options.dt, NULL);
    if (process_seconds_now() - begin > SECONDS_MOST) break;
  }
  sums->all += process_seconds_now() - begin;
  bench_close(&run);
}

static void solve_watched(picus_context *context, const picus_contact_problem *problem, double tolerance,
                          stage_sums *sums) {
  picus_solver_options options = picus_default_solver_options();
  picus_solver *solver = NULL;
  stage_clock clock = {.sums = sums};
  warm_start nearby = warm_start_of(context, problem);
  double *P = calloc((size_t)problem->size + 1, sizeof *P);
  picus_mode *modes = calloc((size_t)problem->law_count + 1, sizeof *modes);
  options.tolerance = tolerance;
  if (P && modes && picus_solver_create(context, &options, &solver) == PICUS_OK) {
    picus_solver_watch_stages(solver, (picus_stage_watch){see, &clock});
    for (int warm = 0; warm < (nearby.P ? 2 : 1); warm++) {
      for (int k = 0; k < problem->size; k++) P[k] = warm ? nearby.P[k] : 0;
      for (int i = 0; i < problem->law_count; i++) modes[i] = warm ? nearby.modes[i] : PICUS_OPEN;
      const double begin = process_seconds_now();
      sums->problems++;
      sums->unsolved += picus_solver_solve(solver, problem, P, modes, NULL) != PICUS_OK;
      sums->all += process_seconds_now() - begin;
    }
  }
  picus_solver_destroy(solver);
  warm_start_release(&nearby);
  free(P);
  free(modes);
}

static void add_sums(const stage_sums *from, stage_sums *to) {
  to->problems += from->problems;
  to->unsolved += from->unsolved;
  to->all += from->all;
  for (int k = 0; k < STAGES_MOST; k++) {
    to->tried[k] += from->tried[k];
    to->decided[k] += from->decided[k];
    to->seconds[k] += from->seconds[k];
  }
}

/* In a process of its own, which ends after the limit. */
void profile_problem(picus_context *context, const stage_task *task, stage_sums *sums) {
  int ends[2];
  stage_sums own = {0};
  (void)fflush(stdout);
  if (pipe(ends) != 0) return;
  const pid_t child = fork();
  if (child == 0) {
    const struct itimerval timer = {.it_value = {(time_t)ceil(task->limit), 0}};
    (void)setitimer(ITIMER_PROF, &timer, NULL);
    solve_watched(context, task->problem, task->tolerance, &own);
    _exit(write(ends[1], &own, sizeof own) == (ssize_t)sizeof own ? 0 : 1);
  }
  close(ends[1]);
  if (child > 0 && read(ends[0], &own, sizeof own) == (ssize_t)sizeof own)
    add_sums(&own, sums);
  else
    sums->left_out++;
  close(ends[0]);
  if (child > 0) (void)waitpid(child, NULL, 0);
}

static void print_stage(int number, const picus_stage *stage, int count, const stage_source *sources) {
  char rows[32] = "", most[16] = "";
  long decided = 0;
  if (stage->most_rows) snprintf(most, sizeof most, "%d", stage->most_rows);
  if (stage->most_rows || stage->least_rows) snprintf(rows, sizeof rows, "%d-%s", stage->least_rows, most);
  printf("%2d %-13s %-9s", number, stage->ops->description.name, rows);
  for (int k = 0; k < count; k++) {
    const stage_sums *s = sources[k].sums;
    decided += s->decided[number];
    printf(" %9ld %9ld %6.1f%%", s->tried[number], s->decided[number], 100 * s->seconds[number] / s->all);
  }
  printf("%s\n", decided ? "" : "  never decides");
}

void print_stages(int count, const stage_source *sources) {
  const picus_plan_table *chain = picus_plan_table_at(0);
  printf("%-26s", "stages of auto");
  for (int k = 0; k < count; k++) printf(" %27s", sources[k].name);
  printf("\n%-26s", "   solver        rows");
  for (int k = 0; k < count; k++) printf(" %9s %9s %7s", "tried", "decides", "time");
  printf("\n");
  for (int n = 0; n < PICUS_PLAN_LENGTH && chain->stages[n].ops; n++) print_stage(n, &chain->stages[n], count, sources);
  printf("%-26s", "problems, not solved");
  for (int k = 0; k < count; k++) printf(" %9ld %9ld %7s", sources[k].sums->problems, sources[k].sums->unsolved, "");
  printf("\n%-26s", "too long, not counted");
  for (int k = 0; k < count; k++) printf(" %9ld %17s", sources[k].sums->left_out, "");
  printf("\n\n");
}
