/* What a second thread gains: spheres that fall into a box, and small models, which must not pay for it.
 *
 *   picus_threads_bench [N [T...]]     N: spheres, default 5000
 *
 * Times T at which 20 steps are measured, default 0.03 0.25. Three runs with the same states take turns, step by step:
 * with one thread, with two, and with two in name, whose tasks run one after the other and are timed one by one. The
 * last one gives the critical path: the processor time of a step without the shorter ones of tasks that may run side by
 * side. This is what two cores need without the cost of waking each other, and other work on the machine does not
 * change it. "wall" is the median over the steps of the ratio by the clock; it needs two quiet cores. */
#include "bench.h"
#include "clock.h"

#include <picus/picus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 20, ROUNDS = 5 };

/* --- tasks one after the other ---------------------------------------------------------------------------------- */

typedef struct task_times {
  double spared; /* seconds: all tasks of a batch but the longest one */
  long batches;
} task_times;

static void run_in_turn(void *user, int count, picus_task_fn task, void *work) {
  task_times *times = user;
  double sum = 0, longest = 0;
  for (int k = 0; k < count; k++) {
    const double begin = processor_seconds_now();
    task(work, k);
    const double time = processor_seconds_now() - begin;
    sum += time;
    if (time > longest) longest = time;
  }
  times->spared += sum - longest;
  times->batches++;
}

/* --- runs ------------------------------------------------------------------------------------------------------- */

/* n: number of bodies, 0: that of the model. times: not NULL for tasks one after the other. */
static bool open_run(bench_run *r, const char *model, int n, int threads, task_times *times) {
  bench_request request = {.model = model, .n = n, .threads = threads, .tasks_user = times};
  if (times) request.run_tasks = run_in_turn;
  if (n > 0) {
    request.tolerance = 3e-7;
    request.accept_residual = 0.5;
  }
  return bench_open_request(r, &request);
}

static bool copy_state(bench_run *from, bench_run *to) {
  size_t size = 0;
  picus_status status = picus_sim_save(from->sim, NULL, 0, &size);
  void *data = status ? NULL : malloc(size);
  if (data) status = picus_sim_save(from->sim, data, size, &size);
  const bool fine = data && !status && !picus_sim_load(to->sim, data, size, PICUS_LOAD_SAME_MODEL);
  free(data);
  return fine;
}

/* --- spheres ---------------------------------------------------------------------------------------------------- */

typedef struct window {
  double processor, path, ratios[STEPS];
  long batches;
  int active, iterations;
} window;

static bool measure_step(bench_run runs[3], task_times *times, int k, window *w) {
  picus_step_info info;
  double wall[2];
  for (int i = 0; i < 2; i++) {
    const double begin = seconds_now();
    if (picus_sim_step(runs[i].sim, 0, &info)) return false;
    wall[i] = seconds_now() - begin;
  }
  *times = (task_times){0};
  const double begin = processor_seconds_now();
  if (picus_sim_step(runs[2].sim, 0, &info)) return false;
  const double time = processor_seconds_now() - begin;
  w->processor += time;
  w->path += time - times->spared;
  w->batches += times->batches;
  w->ratios[k] = wall[0] / wall[1];
  w->active = info.active;
  w->iterations += info.solver.last.iterations;
  return true;
}

static bool measure_spheres(int n, int time_count, const double *times_at) {
  bench_run runs[3] = {{0}};
  task_times times = {0};
  bool fine = true;
  for (int i = 0; fine && i < 3; i++) fine = open_run(&runs[i], "spheres", n, i ? 2 : 1, i == 2 ? &times : NULL);
  printf("%d spheres\n  t, s   contacts  sweeps  batches  step, ms  critical path, ms  gain  gain by the clock\n", n);
  for (int k = 0; fine && k < time_count; k++) {
    const double until = times_at[k];
    while (fine && picus_sim_state(runs[1].sim).t < until) fine = !picus_sim_step(runs[1].sim, 0, NULL);
    window w = {0};
    for (int i = 0; fine && i < 3; i += 2) fine = copy_state(&runs[1], &runs[i]);
    for (int i = 0; fine && i < STEPS; i++) fine = measure_step(runs, &times, i, &w);
    if (!fine) break;
    printf("%6.3f  %9d  %6.0f  %7ld  %8.2f  %17.2f  %4.2f  %17.2f\n", until, w.active, w.iterations / (double)STEPS,
           w.batches / STEPS, 1e3 * w.processor / STEPS, 1e3 * w.path / STEPS, w.processor / w.path,
           bench_median(w.ratios, STEPS));
    fflush(stdout);
  }
  for (int i = 0; i < 3; i++) bench_close(&runs[i]);
  return fine;
}

/* --- small models ----------------------------------------------------------------------------------------------- */

static bool measure_small(const char *name, int n, int steps) {
  double processor[ROUNDS], wall[ROUNDS];
  for (int k = 0; k < ROUNDS; k++) {
    double time[2][2];
    for (int i = 0; i < 2; i++) {
      bench_run r;
      bool fine = open_run(&r, name, n, 1 + i, NULL);
      const double begin = seconds_now(), begin_processor = process_seconds_now();
      for (int step = 0; fine && step < steps; step++) fine = !picus_sim_step(r.sim, 0, NULL);
      time[i][0] = seconds_now() - begin;
      time[i][1] = process_seconds_now() - begin_processor;
      bench_close(&r);
      if (!fine) return false;
    }
    wall[k] = time[0][0] / time[1][0];
    processor[k] = time[0][1] / time[1][1];
  }
  printf("%-16s %6d  %14.2f  %17.2f\n", name, n, bench_median(processor, ROUNDS), bench_median(wall, ROUNDS));
  return true;
}

int main(int count, char **argument) {
  static const double usual[] = {0.03, 0.25};
  double times[16];
  static const struct {
    const char *name;
    int n, steps;
  } small[] = {{"woodpecker", 0, 20000}, {"slider-crank", 0, 2000}, {"tower", 0, 100},  {"spheres", 27, 200},
               {"spheres", 125, 100},    {"disks", 100, 100},       {"disks", 500, 20}, {"spheres", 1000, 10}};
  const int n = count > 1 ? atoi(argument[1]) : 5000;
  int time_count = 0;
  for (int k = 2; k < count && time_count < 16; k++) times[time_count++] = atof(argument[k]);
  bool fine = n <= 0 || measure_spheres(n, time_count ? time_count : 2, time_count ? times : usual);
  printf("model                 n  processor time   gain by the clock     one thread over two\n");
  for (size_t k = 0; fine && k < sizeof small / sizeof *small; k++)
    fine = measure_small(small[k].name, small[k].n, small[k].steps);
  return fine ? 0 : 1;
}
