/* Impacts inside of adaptive steps: balls on shaken tables against their event-driven solution. A step of a ball in
 * free flight has no error, however long it is; only its gap tells that the table rises and falls in between. */
#include "support/check.h"
#include "support/shaken_table.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool run_table(const shaken_table *p, const char *scheme, double dt_min, double tolerance, double dt_max,
                      ball *end, picus_summary *summary) {
  char overrides[200];
  shaken_table_overrides(p, overrides, sizeof overrides);
  simulation s;
  adaptive_run run = {.scheme = scheme, .dt_min = dt_min, .dt_max = dt_max, .tolerance = tolerance, .t_end = p->t_end};
  bool fine = simulation_open_adaptive(&s, TEST_DATA "/cases/shaken-table.lua", overrides, run) &&
              CHECK(picus_sim_run(s.sim, NULL, NULL, summary) == PICUS_OK);
  if (fine) *end = (ball){.t = p->t_end, .y = picus_sim_state(s.sim).q[0], .v = picus_sim_state(s.sim).u[0]};
  simulation_close(&s);
  return fine;
}

static double error_of(const shaken_table *p, const char *scheme, double dt_min, double tolerance, double dt_max,
                       picus_summary *summary) {
  const ball truth = shaken_table_solve(p);
  ball end;
  if (!run_table(p, scheme, dt_min, tolerance, dt_max, &end, summary)) return INFINITY;
  return fmax(fabs(end.y - truth.y), fabs(end.v - truth.v));
}

/* With the default dt_max, and with one of a third of the period: an impact at 0.177 s was jumped over. */
static void tighter_tolerances_find_the_impact(void) {
  const shaken_table table = {.A = 0.01, .w = 40, .e = 0.5, .y0 = 0.02, .t_end = 0.5};
  static const char *const schemes[] = {"moreau", "rattle"};
  for (int k = 0; k < 2; k++)
    for (double dt_max = 0; dt_max < 0.06; dt_max += 0.05) {
      double last = INFINITY;
      printf("  %-6s dt_max %-4g:", schemes[k], dt_max);
      for (double dt_min = 1e-6; dt_min > 5e-12; dt_min *= 0.1) {
        picus_summary summary = {0};
        double error = error_of(&table, schemes[k], dt_min, dt_min, dt_max, &summary);
        printf(" %.1e", error);
        CHECK(error < 300 * dt_min && error < fmax(2 * last, 1e-10));
        last = error;
      }
      putchar('\n');
    }
}

/* A switching step leaves an error of dt_min times the jump of the velocity; the motions have up to some tens of them.
 */
static void random_tables(void) {
  enum { CASES = 40, MOTIONS_MOST = 100000, ERRORS_MOST = 100 };
  static const char *const schemes[] = {"moreau", "rattle"};
  static const double sizes[] = {1e-6, 1e-8, 1e-10};
  test_random random = {20241116};
  double worst[3] = {0};
  int used = 0, wrong = 0;
  for (int k = 0; k < CASES; k++) {
    const shaken_table p = shaken_table_random(&random);
    double factor = shaken_table_amplification(&p);
    if (factor > MOTIONS_MOST) continue; /* chaotic, or an impact just at the end */
    used++;
    for (int i = 0; i < 6; i++) {
      picus_summary summary = {0};
      double dt_min = sizes[i / 2];
      if (i == 4 && k % 5 != 0) continue; /* moreau takes its time there */
      double error = error_of(&p, schemes[i % 2], dt_min, dt_min, 0, &summary) / factor / dt_min;
      worst[i / 2] = fmax(worst[i / 2], error);
      if (error <= ERRORS_MOST) continue;
      wrong++;
      printf("  %s, dt_min %.0e: error %.2e of %.1e x dt_min; A=%.17g,w=%.17g,e=%.17g,y0=%.17g,v0=%.17g t_end %.17g\n",
             schemes[i % 2], dt_min, error, factor, p.A, p.w, p.e, p.y0, p.v0, p.t_end);
    }
  }
  printf("  %d tables; error over amplification and dt_min at worst %.2g, %.2g, %.2g\n", used, worst[0], worst[1],
         worst[2]);
  CHECK(used > CASES / 2 && wrong == 0);
}

/* The rod falls on a ring that is 2 mm thick; steps of 0.02 s and more carried it through. Its gap is no convex
 * function: only the motion before the impact tells that it comes. */
static void a_thin_obstacle_is_found(void) {
  static const char *const schemes[] = {"moreau", "moreau-jean", "rattle"};
  static const double sizes[] = {0.01, 0.02, 0.03, 0.05, 0.1, 0.25};
  for (int k = 0; k < 6; k++) {
    const double dt_min = k < 3 ? 1e-8 : 1e-10;
    double first = NAN;
    for (int i = 0; i < 6; i++) {
      simulation s;
      picus_summary summary = {0};
      adaptive_run run = {
          .scheme = schemes[k % 3], .dt_min = dt_min, .dt_max = sizes[i], .tolerance = dt_min, .t_end = 1};
      REQUIRE(simulation_open_adaptive(&s, "pendulum-in-ring", "", run));
      REQUIRE(picus_sim_run(s.sim, NULL, NULL, &summary) == PICUS_OK);
      double angle = picus_sim_state(s.sim).q[0];
      printf("  %-11s dt_max %-4g: %ld switching points, q = %.9g\n", schemes[k % 3], sizes[i],
             summary.adaptive.switching_points, angle);
      if (i == 0) first = angle;
      CHECK(summary.gaps.penetration < 1e-6);
      CHECK_NEAR(angle, first, 1e-5);
      simulation_close(&s);
    }
  }
}

/* What is known before the run: the frequency of a table, or nothing but the duration. */
static void the_largest_step_follows_the_forcing(void) {
  simulation s;
  for (double w = 10; w < 2e5; w *= 10) {
    char overrides[50];
    snprintf(overrides, sizeof overrides, "w=%g", w);
    REQUIRE(simulation_open_adaptive(&s, TEST_DATA "/cases/shaken-table.lua", overrides,
                                     (adaptive_run){.dt_min = 1e-9, .t_end = 10}));
    CHECK_NEAR(w * picus_sim_options_of(s.sim)->dt_max, 1, 0.05);
    simulation_close(&s);
  }
  REQUIRE(simulation_open_adaptive(&s, "woodpecker", "", (adaptive_run){0}));
  CHECK_NEAR(picus_sim_options_of(s.sim)->dt_max, 0.05, 1e-15);
  simulation_close(&s);
  REQUIRE(
      simulation_open_adaptive(&s, "woodpecker", "", (adaptive_run){.dt_max = 0.2})); /* what is asked for is kept */
  CHECK(picus_sim_options_of(s.sim)->dt_max == 0.2);
  simulation_close(&s);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"tighter_tolerances_find_the_impact", tighter_tolerances_find_the_impact},
                                    {"random_tables", random_tables},
                                    {"a_thin_obstacle_is_found", a_thin_obstacle_is_found},
                                    {"the_largest_step_follows_the_forcing", the_largest_step_follows_the_forcing}};
  return test_main(argc, argv, "adaptive_impacts", cases, (int)(sizeof cases / sizeof *cases));
}
