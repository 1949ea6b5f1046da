/* Is the hand-written woodpecker right, and where does its time go? Prints its error against the exact motion for two
 * step sizes, and the statistics of its contact problems. Exit code 1 if the error is not of first order. */
#include "clock.h"
#include "woodpecker_by_hand.h"
#include "woodpecker_reference.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

typedef void run_function(woodpecker_by_hand *toy, long steps);

static const double tolerance = 1e-12;

/* |phiS - exact| at the ten times of the reference. */
static woodpecker_statistics errors_of_angle(run_function *run, double dt, double error[woodpecker_reference_count]) {
  woodpecker_by_hand toy;
  woodpecker_by_hand_start(&toy, dt, tolerance);
  const long steps_between = lround(woodpecker_reference[0][0] / dt);
  for (int k = 0; k < woodpecker_reference_count; k++) {
    run(&toy, steps_between);
    error[k] = fabs(toy.q[2] - woodpecker_reference[k][3]);
  }
  return toy.statistics;
}

static void print_statistics(const woodpecker_statistics *statistics) {
  long steps = 0, contact_steps = 0, sweeps = 0;
  for (int count = 0; count < 4; count++) {
    steps += statistics->steps_with[count];
    contact_steps += count > 0 ? statistics->steps_with[count] : 0;
    sweeps += statistics->sweeps_with[count];
  }
  printf("  steps with 0, 1, 2, 3 closed contacts:");
  for (int count = 0; count < 4; count++) {
    printf("  %.2f %%", 100 * (double)statistics->steps_with[count] / (double)steps);
  }
  printf("\n  sweeps per contact step: %.2f, at most %ld; unfinished problems: %ld; worst residual: %.2g\n",
         (double)sweeps / (double)contact_steps, statistics->most_sweeps, statistics->unfinished,
         statistics->worst_residual);
}

/* One run over 1 s. */
static double seconds_per_step(run_function *run, double dt, double tolerance_here, double *sweeps_per_step) {
  woodpecker_by_hand toy;
  woodpecker_by_hand_start(&toy, dt, tolerance_here);
  const long steps = lround(1 / dt);
  const double start = seconds_now();
  run(&toy, steps);
  const double seconds = seconds_now() - start;
  const long *sweeps = toy.statistics.sweeps_with;
  *sweeps_per_step = (double)(sweeps[1] + sweeps[2] + sweeps[3]) / (double)steps;
  return seconds / (double)steps;
}

/* With a loose tolerance nearly every contact problem ends after one sweep; the difference is the price of a sweep. The
 * best of several runs in turns. */
static void print_where_time_goes(double dt) {
  double tight = INFINITY, loose = INFINITY, by_cases = INFINITY, sweeps = 0, few_sweeps = 0, none = 0;
  for (int repetition = 0; repetition < 7; repetition++) {
    tight = fmin(tight, seconds_per_step(woodpecker_by_hand_run, dt, tolerance, &sweeps));
    loose = fmin(loose, seconds_per_step(woodpecker_by_hand_run, dt, 1e-4, &few_sweeps));
    by_cases = fmin(by_cases, seconds_per_step(woodpecker_by_hand_run_by_cases, dt, tolerance, &none));
  }
  const double sweep = (tight - loose) / (sweeps - few_sweeps);
  printf("  %.1f ns per step, of which %.1f ns (%.0f %%) in %.2f sweeps of %.2f ns; by cases: %.1f ns per step\n",
         1e9 * tight, 1e9 * sweep * sweeps, 100 * sweep * sweeps / tight, sweeps, 1e9 * sweep, 1e9 * by_cases);
}

/* Prints the errors for both step sizes; true if they are small and of first order. */
static bool check_errors(run_function *run, const char *title, const double dt[2],
                         woodpecker_statistics statistics[2]) {
  double error[2][woodpecker_reference_count], largest[2] = {0, 0};
  for (int i = 0; i < 2; i++) statistics[i] = errors_of_angle(run, dt[i], error[i]);
  printf("%s: error of phiS, rad\n   t/s  dt=%.0e  dt=%.0e\n", title, dt[0], dt[1]);
  for (int k = 0; k < woodpecker_reference_count; k++) {
    printf("  %4.1f  %.2e  %.2e\n", woodpecker_reference[k][0], error[0][k], error[1][k]);
    for (int i = 0; i < 2; i++) largest[i] = fmax(largest[i], error[i][k]);
  }
  const double order = log10(largest[0] / largest[1]);
  printf("   max  %.2e  %.2e   observed order %.2f\n", largest[0], largest[1], order);
  return order > 0.8 && largest[1] < 4e-4 && statistics[0].unfinished == 0 && statistics[1].unfinished == 0;
}

int main(void) {
  const double dt[2] = {1e-5, 1e-6};
  woodpecker_statistics by_cases[2], by_sweeps[2];
  bool right = check_errors(woodpecker_by_hand_run_by_cases, "woodpecker by hand, by cases", dt, by_cases);
  right = check_errors(woodpecker_by_hand_run, "woodpecker by hand, Gauss-Seidel", dt, by_sweeps) && right;
  for (int i = 0; i < 2; i++) {
    printf("dt = %.0e\n", dt[i]);
    print_statistics(&by_sweeps[i]);
    print_where_time_goes(dt[i]);
  }
  if (!right) fprintf(stderr, "the hand-written woodpecker does not converge to the exact motion\n");
  return right ? 0 : 1;
}
