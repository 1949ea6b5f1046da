/* Joints alone beside an elimination by hand: picus_links_bench [SCENE [N...]]
 *
 * A step of a chain of 2 to 2000 links on hinges, by Picus and by links_by_hand.c: CPU time, median of interleaved
 * runs, their ratio, the largest difference of coordinates at the end over the length of the chain, and the cost of a
 * link over that of the chain before, which shows limits in the code. */
#include "bench.h"
#include "clock.h"
#include "links_by_hand.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { RUNS = 5, WORK = 20000 }; /* links and steps of a run, about */

static long steps_of(int n) { return n < WORK / 20 ? WORK / n : 20; }

/* CPU seconds of a step of one run by Picus from the start, without its first step; the others negative: failed. */
static double by_picus(const char *scene, int n, double *q) {
  bench_run run;
  const bench_request request = {.model = scene, .n = n, .threads = 1, .fixed = true, .t_end = 1e6};
  bool fine = bench_open_request(&run, &request) && picus_sim_step(run.sim, 0, NULL) == PICUS_OK;
  const double begin = processor_seconds_now();
  for (long k = 1; fine && k < steps_of(n); k++) fine = picus_sim_step(run.sim, 0, NULL) == PICUS_OK;
  const double seconds = processor_seconds_now() - begin;
  for (int i = 0; fine && i < 3 * n; i++) q[i] = picus_sim_state(run.sim).q[i];
  if (!fine) bench_failed(scene, run.context);
  bench_close(&run);
  return fine ? seconds / (double)(steps_of(n) - 1) : -1;
}

/* The same by hand; short steps are run again until they can be measured. */
static double by_hand(int n, double *q) {
  links_by_hand chain;
  double seconds = 0;
  long steps = 0;
  while (seconds < 2e-3) {
    if (!links_by_hand_start(&chain, n, 1e-3)) return -1;
    const double begin = processor_seconds_now();
    for (long k = 0; k < steps_of(n); k++) links_by_hand_step(&chain);
    seconds += processor_seconds_now() - begin;
    steps += steps_of(n);
    for (int i = 0; i < 3 * n; i++) q[i] = chain.q[i];
    links_by_hand_end(&chain);
  }
  return seconds / (double)steps;
}

/* Prints a row; the cost of a link by Picus, negative: failed. */
static double measure(const char *scene, int n, double before) {
  double picus[RUNS], hand[RUNS], worst = 0;
  double *q = calloc(6 * (size_t)n, sizeof *q);
  bool fine = q;
  for (int k = 0; fine && k < RUNS; k++) {
    picus[k] = by_picus(scene, n, q);
    hand[k] = by_hand(n, q + 3 * n);
    fine = picus[k] > 0 && hand[k] > 0;
  }
  for (int i = 0; fine && i < 3 * n; i++) worst = fmax(worst, fabs(q[i] - q[3 * n + i]));
  free(q);
  if (!fine) return -1;
  const double own = bench_median(picus, RUNS), other = bench_median(hand, RUNS), link = own / n;
  char jump[16] = "-";
  if (before > 0) snprintf(jump, sizeof jump, "%.2f", link / before);
  printf("%6d %10.2f %10.3f %8.1f %10.1e %8.3f %8s\n", n, 1e6 * own, 1e6 * other, own / other, worst / (0.1 * n),
         1e6 * link, jump);
  return link;
}

int main(int count, char **argument) {
  static const int sizes[] = {2, 3, 5, 7, 10, 15, 20, 24, 25, 35, 50, 80, 100, 150, 200, 300, 500, 700, 1000, 2000};
  const char *scene = count > 1 ? argument[1] : "bench/scenes/links.lua";
  const int rows = count > 2 ? count - 2 : (int)(sizeof sizes / sizeof *sizes);
  double before = 0;
  printf(" links      Picus    by hand    ratio difference  us/link     jump\n");
  for (int k = 0; k < rows && before >= 0; k++)
    before = measure(scene, count > 2 ? atoi(argument[k + 2]) : sizes[k], before);
  return before >= 0 ? 0 : 1;
}
