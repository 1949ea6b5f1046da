/* The slider-crank and the elastic bar with Moreau-Jean's scheme, as Siconos runs them: raw lines for bench/run. */
#include "bar_by_hand.h"
#include "bench.h"
#include "clock.h"
#include "implicit_reference.h"

#include <math.h>
#include <stdio.h>

enum { crank_repetitions = 5, bar_repetitions = 10 };

/* One run from the start; name, steps per second, error of one coordinate at the end. */
static bool measure(const char *who, const char *model, double dt, double t_end, int coordinate, double exact,
                    int repetitions) {
  bench_run run;
  bool good = bench_open(&run, model, dt, t_end);
  for (int k = 0; good && k < repetitions; k++) {
    picus_summary summary;
    const double seconds = bench_run_once(&run, &summary);
    good = seconds > 0;
    if (good)
      printf("%s %.6g %.3g\n", who, (double)summary.steps / seconds,
             fabs(picus_sim_state(run.sim).q[coordinate] - exact));
  }
  bench_close(&run);
  return good;
}

static bool measure_bar_by_hand(void) {
  enum { elements = 1000, steps = 180 };
  for (int k = 0; k < bar_repetitions; k++) {
    bar_by_hand bar;
    if (!bar_by_hand_start(&bar, elements, 2e-6)) return false;
    const double start = process_seconds_now();
    bar_by_hand_run(&bar, steps);
    printf("bar-by-hand %.6g %.3g\n", steps / (process_seconds_now() - start),
           fabs(bar.q[elements] - elastic_bar_free_end));
    bar_by_hand_end(&bar);
  }
  return true;
}

bool bench_implicit(void) {
  bool good = measure("crank-picus", "slider-crank", 1e-5, 0.13, 0, slider_crank_theta1, crank_repetitions);
  return measure("bar-picus", "elastic-bar", 2e-6, 3.6e-4, 1000, elastic_bar_free_end, bar_repetitions) &&
         measure_bar_by_hand() && good;
}
