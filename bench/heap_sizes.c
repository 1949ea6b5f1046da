/* The cost of a step of heaps of few and of many bodies, and what is left of their contact problems.
 *
 *   picus_heap_sizes [--models disks,spheres] [--tolerances A,B,...] [--heaps H] [N...]
 *
 * N: 10 30 100 300 1000 3000. Disks and spheres in a box (models `disks` and `spheres`), or other models (N is ignored
 * if they have no parameter n), one thread, with the usual tolerance of heaps or with several. One heap is one sample:
 * H of each size, whose gravity differs in the tenth digit and which settle in other ways (the parameter g). Two
 * windows of 0.5 s: from t = 0, while the heap settles, and up to t = 2 s, at rest. Of each: contacts at its end, CPU
 * time and iterations of a step in the mean, steps that were accepted above their tolerance, and median, 95 % and
 * largest residual. */
#include "bench.h"
#include "clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SIZES = 32, MOST_NAMES = 16, WINDOW = 500 };
#define AT_REST 1.5 /* s */
#define T_END 2.0
#define GRAVITY 9.81 /* as in the models */

typedef struct window {
  double seconds, residuals[WINDOW];
  long iterations, accepted, steps;
  int contacts;
} window;

/* Steps up to a time; the first of them are measured. */
static bool run_to(bench_run *run, double until, window *w) {
  picus_step_info info;
  *w = (window){0};
  while (picus_sim_state(run->sim).t < until - 0.5 * run->options.dt) {
    const double begin = processor_seconds_now();
    if (picus_sim_step(run->sim, 0, &info)) return bench_failed("a step", run->context);
    if (w->steps == WINDOW) continue;
    w->seconds += processor_seconds_now() - begin;
    w->iterations += info.solver.last.iterations;
    w->accepted += info.solver.worst.above > 0;
    w->residuals[w->steps++] = info.solver.residual;
    w->contacts = info.active;
  }
  return true;
}

static void print_window(window *w) {
  const double steps = (double)w->steps, middle = bench_median(w->residuals, (int)w->steps); /* they are sorted now */
  printf("  %6d %8.3f %7.1f %8ld %8.1e %8.1e %8.1e", w->contacts, 1e3 * w->seconds / steps,
         (double)w->iterations / steps, w->accepted, middle, w->residuals[w->steps * 95 / 100],
         w->residuals[w->steps - 1]);
}

/* tolerance 0: the usual one. */
static bool measure(const char *model, int n, double tolerance, int heap) {
  bench_run run;
  window settling, between, rest;
  const bench_request request = {
      .model = model, .n = n, .threads = 1, .heap_tolerance = tolerance, .g = heap > 0 ? GRAVITY + 1e-9 * heap : 0};
  const bool fine = bench_open_request(&run, &request) && run_to(&run, T_END - AT_REST, &settling) &&
                    run_to(&run, AT_REST, &between) && run_to(&run, T_END, &rest);
  if (fine) {
    printf("%-15s %5d %8.0e", model, n, run.options.solver.heap_tolerance);
    print_window(&settling);
    print_window(&rest);
    printf("\n");
    fflush(stdout);
  }
  bench_close(&run);
  return fine;
}

/* The words of a list with commas, in place. */
static int split(char *list, const char *words[MOST_NAMES]) {
  int count = 0;
  for (char *at = strtok(list, ","); at && count < MOST_NAMES; at = strtok(NULL, ",")) words[count++] = at;
  return count;
}

int main(int count, char **argument) {
  static const int usual[] = {10, 30, 100, 300, 1000, 3000};
  const char *models[MOST_NAMES] = {"disks", "spheres"}, *tolerances[MOST_NAMES] = {"0"};
  int sizes[MOST_SIZES], size_count = 0, model_count = 2, tolerance_count = 1, heaps = 1;
  for (int k = 1; k < count && size_count < MOST_SIZES; k++) {
    if (strcmp(argument[k], "--models") == 0 && k + 1 < count)
      model_count = split(argument[++k], models);
    else if (strcmp(argument[k], "--tolerances") == 0 && k + 1 < count)
      tolerance_count = split(argument[++k], tolerances);
    else if (strcmp(argument[k], "--heaps") == 0 && k + 1 < count)
      heaps = atoi(argument[++k]);
    else
      sizes[size_count++] = atoi(argument[k]);
  }
  for (size_t k = 0; size_count == 0 && k < sizeof usual / sizeof *usual; k++) sizes[size_count++] = usual[k];
  static const char head[] = "  active  ms/step  sweeps accepted   median     95 %  largest";
  printf("%30s%-61s  at rest\nmodel               n tolerance%s%s\n", "", "  settling", head, head);
  bool fine = true;
  for (int m = 0; fine && m < model_count; m++)
    for (int k = 0; fine && k < size_count; k++)
      for (int i = 0; fine && i < tolerance_count * heaps; i++)
        fine = measure(models[m], sizes[k], atof(tolerances[i / heaps]), i % heaps);
  return fine ? 0 : 1;
}
