/* trapezoidal-position, the counterexample of Acary 2012, Fig. 11: gaps are kept, but velocities and forces of closed
 * contacts oscillate from step to step. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool open_model(simulation *s, const char *model, const char *overrides, double dt, double t_end,
                       const char *scheme) {
  picus_sim_options options;
  if (!simulation_load(s, model, overrides, &options)) return false;
  options.scheme = scheme;
  options.dt = dt;
  options.t_end = t_end;
  return simulation_start(s, &options);
}

/* The bar of the figure: the tip stays at the wall to round-off, its velocity flips in every step with |v0|, and the
 * force oscillates around E S v0 / c0 = 1271.47 N until 2 L / c0 = 3.8545e-4 s. */
static void the_bar_of_figure_11(void) {
  const double dt = 2e-6, v0 = 0.1;
  simulation s;
  recorded_rows rows = {0};
  picus_summary summary;
  if (open_model(&s, "elastic-bar", "N=400", dt, 6e-4, "trapezoidal-position") && simulation_run(&s, &rows, &summary)) {
    double impulse = 0, lowest = INFINITY, highest = 0, last = 0;
    long contact = 0;
    for (long i = 1; i < rows.row_count; i++) {
      const double P = recorded_value(&rows, i, "wall.PN"), v = recorded_value(&rows, i, "bar.v0");
      impulse += P;
      if (P <= 0) continue;
      contact++;
      last = recorded_value(&rows, i, "t");
      if (last > 3.4e-4) continue; /* the end of the contact is spread over several steps */
      CHECK(fabs(recorded_value(&rows, i, "wall.gap")) < 1e-20);
      CHECK_NEAR(v, i % 2 ? v0 : -v0, 1e-9);
      if (i < 20) continue; /* oscillations grow at first */
      lowest = fmin(lowest, P / dt);
      highest = fmax(highest, P / dt);
    }
    const double force = 2.1e11 * 3.14159e-4 * v0 / sqrt(2.1e11 / 7800);
    CHECK_NEAR(last, 3.8545e-4, 2e-5);
    CHECK_NEAR(impulse, force * 3.8545e-4, 0.01 * force * 3.8545e-4);
    CHECK(lowest < 0.99 * force && highest > 1.01 * force);
    CHECK_NEAR(summary.energy.end, summary.energy.start, 1e-12); /* no restitution, no loss */
    CHECK(summary.gaps.penetration < 1e-20);
    CHECK(contact > 180);
  }
  recorded_rows_free(&rows);
  simulation_close(&s);
}

/* A mass that lies on the ground with the velocity -v, v < g dt / 2: the gap is kept, the velocity flips for ever, and
 * the force m g - 2 m v / dt and m g + 2 m v / dt in turn. */
static void a_mass_never_comes_to_rest(void) {
  const double dt = 1e-3, v = 2e-3, m = 2, g = 9.81;
  simulation s;
  picus_step_info info;
  picus_law_state law;
  REQUIRE(simulation_open_text(&s, "local q, u = coordinates {{'x', velocity = 'v', start = {0, -2e-3}}}\n"
                                   "kinetic(u.v^2)\npotential(19.62 * q.x)\ncontact {'ground', gap = q.x, eN = 0.5}\n"
                                   "simulate {scheme = 'trapezoidal-position', dt = 1e-3, t_end = 1}\n"));
  for (int i = 1; i <= 400; i++) {
    const double sign = i % 2 ? 1 : -1;
    CHECK(picus_sim_step(s.sim, 0, &info) == PICUS_OK);
    CHECK(picus_sim_laws(s.sim, &law) == PICUS_OK);
    CHECK_NEAR(picus_sim_state(s.sim).q[0], 0, 1e-18);
    CHECK_NEAR(picus_sim_state(s.sim).u[0], sign * v, 1e-12);
    CHECK_NEAR(law.PN / dt, m * g + sign * 2 * m * v / dt, 1e-8);
  }
  simulation_close(&s);
}

static void smooth_motion_has_order_2(void) {
  enum { SIZES = 3 };
  double dt[SIZES], error[SIZES];
  for (int i = 0; i < SIZES; i++) {
    simulation s;
    char text[512];
    dt[i] = 0.02 / (1 << i);
    snprintf(text, sizeof text,
             "local q, u = coordinates {{'x', velocity = 'v', start = 1}}\nkinetic(u.v^2 / 2)\npotential(2 * q.x^2)\n"
             "contact {'far', gap = q.x + 5}\n"
             "simulate {scheme = 'trapezoidal-position', dt = %.17g, t_end = 1}\n",
             dt[i]);
    REQUIRE(simulation_open_text(&s, text));
    CHECK(picus_sim_run(s.sim, NULL, NULL, NULL) == PICUS_OK);
    error[i] = fabs(picus_sim_state(s.sim).q[0] - cos(2));
    simulation_close(&s);
  }
  CHECK_NEAR(observed_order(SIZES, dt, error), 2, 0.05);
}

static void friction_and_adaptive_runs_are_rejected(void) {
  simulation s;
  picus_sim_options options;
  REQUIRE(simulation_load(&s, "woodpecker", "", &options));
  options.scheme = "trapezoidal-position";
  CHECK(picus_sim_create(s.context, s.system, &options, &s.sim) == PICUS_ERROR_UNSUPPORTED);
  CHECK(strstr(picus_last_error(s.context)->message, "does not support friction") != NULL);
  simulation_close(&s);
  REQUIRE(simulation_load(&s, "bouncing-ball", "", &options));
  options.scheme = "trapezoidal-position";
  options.adaptive = true;
  options.dt_min = 1e-6;
  CHECK(picus_sim_create(s.context, s.system, &options, &s.sim) == PICUS_ERROR_UNSUPPORTED);
  CHECK(strstr(picus_last_error(s.context)->message, "oscillate") != NULL);
  simulation_close(&s);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"the_bar_of_figure_11", the_bar_of_figure_11},
      {"a_mass_never_comes_to_rest", a_mass_never_comes_to_rest},
      {"smooth_motion_has_order_2", smooth_motion_has_order_2},
      {"friction_and_adaptive_runs_are_rejected", friction_and_adaptive_runs_are_rejected}};
  return test_main(argc, argv, "scheme_trapezoidal", cases, sizeof cases / sizeof *cases);
}
