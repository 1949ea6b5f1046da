/* What counts as an impact and what as chatter: the same number in the summary, the steps, the laws and the event log,
 * for every scheme, on systems whose impacts are known. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LAWS_MOST = 64, FIXED = 6 };
static const char *const schemes[FIXED] = {"moreau",          "moreau-jean", "moreau-projected",
                                           "moreau-combined", "rattle",      "schatzman-paoli"};

typedef struct counts {
  long impacts, chatter;
} counts;

static bool choose(simulation *s, const char *model, const char *overrides, const char *scheme, bool adaptive,
                   double dt, double t_end) {
  picus_sim_options options;
  bool is_text = strchr(model, '\n') != NULL;
  if (!(is_text ? simulation_load_text(s, model, &options) : simulation_load(s, model, overrides, &options)))
    return false;
  options.scheme = scheme;
  options.adaptive = adaptive;
  if (dt > 0) options.dt = dt;
  if (t_end > 0) options.t_end = t_end;
  return simulation_start(s, &options);
}

/* The run's counts; checks that summary, laws and event log agree. */
static counts count(const char *model, const char *overrides, const char *scheme, bool adaptive, double dt,
                    double t_end) {
  simulation s;
  picus_summary summary = {0};
  recorded_switchings switchings = {0};
  picus_law_state laws[LAWS_MOST] = {{0}};
  counts by_laws = {0, 0};
  long by_event_log = 0;
  bool done = choose(&s, model, overrides, scheme, adaptive, dt, t_end) &&
              simulation_run_event_log(&s, NULL, &switchings, &summary) &&
              CHECK(picus_system_law_count(s.system) <= LAWS_MOST) && CHECK(picus_sim_laws(s.sim, laws) == PICUS_OK);
  for (int i = 0; done && i < picus_system_law_count(s.system); i++) {
    by_laws.impacts += laws[i].impacts;
    by_laws.chatter += laws[i].chatter;
  }
  for (long k = 0; k < switchings.count; k++) by_event_log += switchings.list[k].impact;
  CHECK(summary.impacts == by_laws.impacts && summary.impacts == by_event_log && summary.chatter == by_laws.chatter);
  recorded_switchings_free(&switchings);
  simulation_close(&s);
  return (counts){done ? summary.impacts : -1, summary.chatter};
}

static void expect(const char *model, const char *overrides, double dt, double t_end, long impacts) {
  const int runs = test_is_reduced() ? 5 : 7;
  for (int i = 0; i < runs; i++) { /* all but schatzman-paoli, which knows no friction; two of them adaptive */
    const char *scheme = i < 5 ? schemes[i] : i == 5 ? "moreau" : "rattle";
    counts found = count(model, overrides, scheme, i >= 5, dt, t_end);
    if (!CHECK(found.impacts == impacts))
      printf("  %s %s, %s%s: %ld impacts, %ld chatter\n", model, overrides, scheme, i < 5 ? "" : ", adaptive",
             found.impacts, found.chatter);
  }
}

static void sliding_down_a_slope_has_none(void) { expect("slope", "case=2", 0, 0, 0); }

/* 35 closings in the event-driven solution of test/data. */
static void the_woodpecker_has_35_in_a_second(void) { expect("woodpecker", "", 2e-5, 1, 35); }

static void a_rimless_wheel_counts_its_footfalls(void) { expect(TEST_DATA "/cases/rimless.lua", "", 5e-4, 8, 14); }

static void a_hopper_counts_its_footfalls(void) { expect(TEST_DATA "/cases/hopper.lua", "", 0, 1.2, 3); }

/* Four pads meet the block; it is lifted off the floor without an impact. */
static void a_gripper_closes_once(void) { expect(TEST_DATA "/cases/gripper.lua", "", 5e-4, 1, 4); }

/* A rod that slides in a closed contact jams in its first step: nothing closes, but the tip stops at once. */
static void a_rod_that_jams_is_one_impact(void) {
  for (int i = 0; i < 5; i++)
    CHECK(count(TEST_DATA "/cases/painleve.lua", "v=-2,om=3", schemes[i], false, 0, 0.01).impacts == 1);
}

/* --- closed forms ---------------------------------------------------------------------------------------- */

/* A ball hits with v_n = e^n v_0. The definition counts n while (1 + e) v_n > 4 g dt, give or take the impacts that are
 * near to the limit: a scheme errs by up to 2 g dt in each impact, and of the errors before it e, e^2, ... are left. */
static void a_bouncing_ball_counts_until_steps_do_not_resolve_it(void) {
  test_random random = {5};
  for (int turn = 0; turn < 60; turn++) {
    const double e = test_uniform(&random, 0.3, 0.85), height = test_uniform(&random, 0.1, 1);
    const double dt = pow(10, test_uniform(&random, -4.5, -3)), v0 = sqrt(2 * 9.81 * height);
    char text[400];
    snprintf(text, sizeof text,
             "local q, u = coordinates { { 'y', velocity = 'v', start = %.17g } }\n"
             "kinetic(u.v^2 / 2)\npotential(9.81 * q.y)\ncontact { 'ground', gap = q.y, eN = %.17g }\n"
             "simulate { dt = %.17g, t_end = %.17g }\n",
             height, e, dt, v0 / 9.81 * (1 + e) / (1 - e) + 0.1);
    const double limit = 4 * 9.81 * dt / (1 + e), error = 2 * 9.81 * dt / (1 - e);
    long least = 0, most = 0;
    for (double v = v0; v + error > limit && v > 9.81 * dt; v *= e, most++) least += v - error > limit;
    const char *scheme = schemes[turn % FIXED];
    counts found = count(text, "", scheme, false, dt, 0);
    if (!CHECK(found.impacts >= least && found.impacts <= most))
      printf("  %s, e = %g, dt = %g: %ld impacts, not %ld to %ld\n", scheme, e, dt, found.impacts, least, most);
  }
}

/* Without gravity nothing but its own motion changes the velocity of a contact point on a wheel: a wheel that pivots
 * about a closed contact, or that starts to, has no impact. Pressed from far away, so that it stays closed. */
static void a_pivoting_wheel_has_none(void) {
  static const char text[] =
      "local wheel = planar_body { 'wheel', mass = 1, inertia = 0.2, position = { 0, 0.5 }, velocity = { -1.5, 0 }, "
      "omega = 3 }\n"
      "force { y_wheel = -6 }\n"
      "plane_contact { 'foot', ground, wheel, normal = { 0, 1 }, point = { 0, -0.5 }, mu = 5 }\n"
      "simulate { dt = 1e-3, t_end = 0.2 }\n";
  for (int i = 0; i < 5; i++) CHECK(count(text, "", schemes[i], false, 0, 0).impacts == 0);
}

/* Balls in a stack press with the weight of those above; released together, the lowest lands, and the ones above it. */
static void a_stack_at_rest_has_none_and_lands_with_one_each(void) {
  for (int dropped = 0; dropped < 2; dropped++) {
    char text[1500];
    int at = snprintf(text, sizeof text, "local q, u = coordinates {\n");
    for (int i = 1; i <= 4; i++)
      at += snprintf(text + at, sizeof text - (size_t)at, "  { 'y%d', velocity = 'v%d', start = %.17g },\n", i, i,
                     0.1 * i + (dropped ? 0.2 * i : 0));
    at += snprintf(text + at, sizeof text - (size_t)at, "}\n");
    for (int i = 1; i <= 4; i++)
      at += snprintf(text + at, sizeof text - (size_t)at,
                     "kinetic(u.v%d^2 / 2)\npotential(9.81 * q.y%d)\ncontact { 'c%d', gap = q.y%d - %s - 0.1 }\n", i, i,
                     i, i,
                     i == 1   ? "0"
                     : i == 2 ? "q.y1"
                     : i == 3 ? "q.y2"
                              : "q.y3");
    snprintf(text + at, sizeof text - (size_t)at, "simulate { dt = 1e-3, t_end = 1 }\n");
    for (int i = 0; i < (dropped ? 5 : FIXED);
         i++) { /* schatzman-paoli goes on to bounce by g dt^2 between the balls */
      counts found = count(text, "", schemes[i], false, 0, 0);
      if (!CHECK(found.impacts == (dropped ? 4 : 0)))
        printf("  %s, %s: %ld impacts, %ld chatter\n", dropped ? "dropped" : "at rest", schemes[i], found.impacts,
               found.chatter);
    }
  }
}

/* --- chatter --------------------------------------------------------------------------------------------- */

/* A ball that lies on the ground lifts off and falls again every other step with the explicit forecast (Acary 2012,
 * Fig. 4): chatter, not impacts. */
static void a_resting_ball_chatters_with_the_explicit_forecast(void) {
  simulation s;
  picus_sim_options options;
  picus_summary summary = {0};
  REQUIRE(simulation_load(&s, "bouncing-ball", "", &options));
  options.scheme = "moreau-projected";
  options.implicit.forecast = PICUS_FORECAST_EXPLICIT;
  options.dt = 1e-3;
  REQUIRE(simulation_start(&s, &options));
  CHECK(picus_sim_run(s.sim, NULL, NULL, &summary) == PICUS_OK);
  CHECK(summary.impacts <= 10 && summary.chatter > 500);
  simulation_close(&s);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"sliding_down_a_slope_has_none", sliding_down_a_slope_has_none},
      {"the_woodpecker_has_35_in_a_second", the_woodpecker_has_35_in_a_second},
      {"a_rimless_wheel_counts_its_footfalls", a_rimless_wheel_counts_its_footfalls},
      {"a_hopper_counts_its_footfalls", a_hopper_counts_its_footfalls},
      {"a_gripper_closes_once", a_gripper_closes_once},
      {"a_rod_that_jams_is_one_impact", a_rod_that_jams_is_one_impact},
      {"a_bouncing_ball_counts_until_steps_do_not_resolve_it", a_bouncing_ball_counts_until_steps_do_not_resolve_it},
      {"a_pivoting_wheel_has_none", a_pivoting_wheel_has_none},
      {"a_stack_at_rest_has_none_and_lands_with_one_each", a_stack_at_rest_has_none_and_lands_with_one_each},
      {"a_resting_ball_chatters_with_the_explicit_forecast", a_resting_ball_chatters_with_the_explicit_forecast},
  };
  return test_main(argc, argv, "slow_impacts", cases, sizeof cases / sizeof cases[0]);
}
