#include "bench.h"
#include "clock.h"
#include "woodpecker_by_hand.h"
#include "woodpecker_reference.h"

#include <math.h>
#include <stdio.h>

enum { repetitions = 5 };
static const double dt = 1e-6, t_end = 1, tolerance = 1e-12;

/* One line for bench/run: who, steps per second, error of phiS at t_end. */
static void print_line(const char *who, double steps, double seconds, double phiS) {
  const double exact = woodpecker_reference[woodpecker_reference_count - 1][3];
  printf("%s %.6g %.3g\n", who, steps / seconds, fabs(phiS - exact));
}

static void measure_by_hand(const char *who, void (*run)(woodpecker_by_hand *, long)) {
  woodpecker_by_hand toy;
  woodpecker_by_hand_start(&toy, dt, tolerance);
  const long steps = lround(t_end / dt);
  const double start = process_seconds_now();
  run(&toy, steps);
  print_line(who, (double)steps, process_seconds_now() - start, toy.q[2]);
}

static bool measure_picus(void) {
  bench_run run;
  picus_summary summary = {0};
  double seconds = -1;
  if (bench_open(&run, "woodpecker", dt, t_end)) seconds = bench_run_once(&run, &summary);
  if (seconds > 0) {
    print_line("picus", (double)summary.steps, seconds, picus_sim_state(run.sim).q[2]);
    if (summary.solver.worst_residual > tolerance) {
      fprintf(stderr, "bench: the woodpecker's worst residual is %.2g, above %.0e\n", summary.solver.worst_residual,
              tolerance);
    }
  }
  bench_close(&run);
  return seconds > 0;
}

bool bench_woodpecker(void) {
  bool good = true;
  for (int repetition = 0; repetition < repetitions; repetition++) {
    good = measure_picus() && good;
    measure_by_hand("by-hand", woodpecker_by_hand_run);
    measure_by_hand("by-hand-cases", woodpecker_by_hand_run_by_cases);
  }
  return good;
}
