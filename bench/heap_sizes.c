/* The cost of a step of heaps of few and of many bodies, and what is left of their contact problems.
 *
 *   picus_heap_sizes [N...]     default 10 30 100 300 1000 3000
 *
 * Disks and spheres in a box (models `disks` and `spheres`), one thread. Two windows of 0.5 s: while the heap settles,
 * from t = 0 on, and at rest, up to t = 2 s. Of each: contacts at its end, processor time and iterations of a step in
 * the mean, steps that were accepted above their tolerance, and median and largest residual. */
#include "bench.h"
#include "clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_SIZES = 32, WINDOW = 500 };
#define AT_REST 1.5 /* s */
#define T_END 2.0

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
  printf("  %6d %8.3f %7.1f %8ld %9.1e %9.1e", w->contacts, 1e3 * w->seconds / steps, (double)w->iterations / steps,
         w->accepted, middle, w->residuals[w->steps - 1]);
}

static bool measure(const char *model, int n) {
  bench_run run;
  window settling, between, rest;
  const bool fine = bench_open_request(&run, &(bench_request){.model = model, .n = n, .threads = 1}) &&
                    run_to(&run, T_END - AT_REST, &settling) && run_to(&run, AT_REST, &between) &&
                    run_to(&run, T_END, &rest);
  if (fine) {
    printf("%-8s %5d", model, n);
    print_window(&settling);
    print_window(&rest);
    printf("\n");
    fflush(stdout);
  }
  bench_close(&run);
  return fine;
}

int main(int count, char **argument) {
  static const int usual[] = {10, 30, 100, 300, 1000, 3000};
  int sizes[MOST_SIZES], size_count = 0;
  for (int k = 1; k < count && size_count < MOST_SIZES; k++) sizes[size_count++] = atoi(argument[k]);
  for (size_t k = 0; count < 2 && k < sizeof usual / sizeof *usual; k++) sizes[size_count++] = usual[k];
  printf("                settling                                            at rest\n"
         "model        n  active  ms/step  sweeps accepted    median   largest  active  ms/step  sweeps accepted    "
         "median   "
         "largest\n");
  bool fine = true;
  for (int k = 0; fine && k < size_count; k++) fine = measure("disks", sizes[k]);
  for (int k = 0; fine && k < size_count; k++) fine = measure("spheres", sizes[k]);
  return fine ? 0 : 1;
}
