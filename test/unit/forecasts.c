/* The forecasts of moreau-jean and moreau-projected: which contacts act in a step. The default, mixed, does
 * not chatter where the explicit one does; it stops no body above the ground as the free one does. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct choice {
  const char *scheme;
  picus_forecast forecast;
  double dt; /* 0: a reference, by adaptive steps of rattle */
} choice;

static bool run_block(const char *overrides, const choice *c, recorded_rows *rows, picus_summary *summary) {
  simulation s;
  picus_sim_options options;
  *rows = (recorded_rows){0};
  bool done = simulation_load(&s, "rocking-block", overrides, &options);
  options.scheme = c->scheme;
  options.implicit.forecast = c->forecast;
  options.dt = c->dt;
  options.t_end = 1.5;
  options.sample = 0.01;
  options.adaptive = c->dt == 0;
  options.dt_min = 1e-7;
  options.dt_max = 0.01;
  options.atol = options.rtol = 1e-9;
  done = done && simulation_start(&s, &options) && simulation_run(&s, rows, summary);
  simulation_close(&s);
  return done;
}

/* Largest error of height and angle over the step size. */
static double relative_error(const recorded_rows *exact, const char *overrides, const choice *c) {
  recorded_rows rows;
  picus_summary summary;
  double worst = 0;
  if (!run_block(overrides, c, &rows, &summary) || !CHECK(rows.row_count == exact->row_count)) return NAN;
  for (long k = 0; k < rows.row_count; k++) {
    worst = fmax(worst, fabs(recorded_value(&rows, k, "y") - recorded_value(exact, k, "y")));
    worst = fmax(worst, fabs(recorded_value(&rows, k, "theta") - recorded_value(exact, k, "theta")));
  }
  recorded_rows_free(&rows);
  return worst / c->dt;
}

enum { SIZES = 8 };
static const double parts[SIZES] = {10, 17, 31, 53, 97, 167, 293, 509}; /* of 0.01 s */

/* A block that lands on one corner while the other one rests. With the explicit forecast the resting one may be open by
 * round-off; if it did not take part in the impact, errors would be 3e-4 or 3e-3 at random, however small the step. */
static void moreau_projected_converges_on_every_block(void) {
  recorded_rows exact;
  picus_summary summary;
  const char *const block = "L=1.2,l=1,e=0.3";
  REQUIRE(run_block(block, &(choice){"rattle", PICUS_FORECAST_MIXED, 0}, &exact, &summary));
  double worst[3] = {0};
  for (int f = 0; f < 3; f++)
    for (int i = 0; i < SIZES; i++)
      worst[f] = fmax(worst[f],
                      relative_error(&exact, block, &(choice){"moreau-projected", (picus_forecast)f, 0.01 / parts[i]}));
  recorded_rows_free(&exact);
  printf("  errors up to %.3g dt (explicit), %.3g dt (free), %.3g dt (mixed)\n", worst[PICUS_FORECAST_EXPLICIT],
         worst[PICUS_FORECAST_FREE], worst[PICUS_FORECAST_MIXED]);
  CHECK(worst[PICUS_FORECAST_MIXED] < 2 && worst[PICUS_FORECAST_EXPLICIT] < 2);
}

/* Blocks drawn at random. The error of one run depends on where in its steps impacts lie; without convergence the
 * constant would grow by 16 from the largest to the smallest step. */
static void random_blocks_converge(void) {
  test_random random = {7};
  double worst = 0;
  for (int k = 0; k < 6; k++) {
    char block[120];
    recorded_rows exact;
    picus_summary summary;
    snprintf(block, sizeof block, "L=%.4f,l=%.4f,e=%.4f,theta0=%.4f,omega0=%.4f", test_uniform(&random, 0.6, 1.4),
             test_uniform(&random, 0.8, 1.6), test_uniform(&random, 0.1, 0.7), test_uniform(&random, 0.05, 0.3),
             test_uniform(&random, -0.5, 0.5));
    REQUIRE(run_block(block, &(choice){"rattle", PICUS_FORECAST_MIXED, 0}, &exact, &summary));
    double coarse = 0, fine = 0;
    for (int i = 0; i < 3; i++) {
      const choice large = {"moreau-projected", PICUS_FORECAST_MIXED, 0.01 / parts[i]};
      const choice small = {"moreau-projected", PICUS_FORECAST_MIXED, 0.01 / parts[i + 5]};
      coarse = fmax(coarse, relative_error(&exact, block, &large));
      fine = fmax(fine, relative_error(&exact, block, &small));
    }
    if (!(fine < 5 * coarse)) printf("  %s: %.3g dt, then %.3g dt\n", block, coarse, fine);
    worst = fmax(worst, fine / coarse);
    recorded_rows_free(&exact);
  }
  printf("  largest growth of the constant %.2f\n", worst);
  CHECK(worst < 5);
}

/* --- a ball ---------------------------------------------------------------------------------------------- */

static picus_summary drop(const char *scheme, picus_forecast forecast, double e, double dt, double *lowest_rest) {
  simulation s;
  picus_sim_options options;
  picus_summary summary = {0};
  char overrides[40];
  snprintf(overrides, sizeof overrides, "e=%.17g", e);
  if (!CHECK(simulation_load(&s, "bouncing-ball", overrides, &options))) return summary;
  options.scheme = scheme;
  options.implicit.forecast = forecast;
  options.dt = dt;
  options.t_end = 1.1; /* it lands at t = 1 with 2 m/s */
  if (e > 0) options.t_end = 1 + 2 * e / (1 - e) + 0.5;
  CHECK(simulation_start(&s, &options) && picus_sim_run(s.sim, NULL, NULL, &summary) == PICUS_OK);
  if (lowest_rest) *lowest_rest = picus_sim_state(s.sim).q[0];
  simulation_close(&s);
  return summary;
}

/* Whatever the restitution, a ball comes to rest, on the ground and without chatter beyond its accumulation point. */
static void a_ball_comes_to_rest_on_the_ground(void) {
  const char *const schemes[] = {"moreau-jean", "moreau-projected"};
  test_random random = {9};
  for (int k = 0; k < 40; k++) {
    const double dt = pow(10, test_uniform(&random, -4, -2)), e = k % 4 == 0 ? 0 : test_uniform(&random, 0, 0.9);
    double height = NAN;
    picus_summary summary = drop(schemes[k % 2], PICUS_FORECAST_MIXED, e, dt, &height);
    /* flights shrink by e from four steps to a quarter of one, give or take two */
    const double unresolved = e > 0 ? log(16) / -log(e) + 2 : 0;
    bool fine = CHECK((double)summary.chatter <= unresolved) && CHECK(fabs(height) <= 2 * dt);
    if (e == 0) fine = CHECK(summary.impacts == 1 && summary.chatter == 0 && height <= 1e-12) && fine;
    if (!fine)
      printf("  %s, e = %g, dt = %g: %ld impacts, %ld chatter, y = %g\n", schemes[k % 2], e, dt, summary.impacts,
             summary.chatter, height);
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"moreau_projected_converges_on_every_block", moreau_projected_converges_on_every_block},
      {"random_blocks_converge", random_blocks_converge},
      {"a_ball_comes_to_rest_on_the_ground", a_ball_comes_to_rest_on_the_ground},
  };
  return test_main(argc, argv, "forecasts", cases, sizeof cases / sizeof cases[0]);
}
