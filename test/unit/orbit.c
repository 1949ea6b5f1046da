/* Periodic orbits against closed forms and reference solutions of other programs. */
#include "support/allocations.h"
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <picus/orbit.h>
#include <stdio.h>
#include <string.h>

typedef struct orbit_request {
  const char *model, *overrides, *section;
  double period, t_end;
  int skip;
} orbit_request;

static picus_orbit *find_orbit(simulation *s, const orbit_request *r) {
  picus_sim_options o;
  picus_orbit *out = NULL;
  if (!simulation_load(s, r->model, r->overrides, &o)) return NULL;
  o.adaptive = true;
  o.scheme = strcmp(r->model, "woodpecker") == 0 ? "moreau" : "rattle";
  o.dt_min = 1e-9;
  o.atol = o.rtol = 1e-10;
  if (r->t_end > 0) o.t_end = r->t_end;
  const picus_orbit_def def = {.model = s->model,
                               .system = s->system,
                               .options = &o,
                               .section = r->section,
                               .period = r->period,
                               .skip = r->skip};
  const picus_status status = picus_orbit_create(s->context, &def, &out);
  CHECK(status == PICUS_OK);
  if (status) printf("  %s\n", picus_last_error(s->context)->message);
  return out;
}

static double modulus(const picus_orbit *o, int k) {
  const picus_multiplier m = picus_orbit_multiplier(o, k);
  return hypot(m.re, m.im);
}

static int count_zeros(const picus_orbit *o) {
  int zeros = 0;
  for (int k = 0; k < picus_orbit_multiplier_count(o); k++) zeros += modulus(o, k) == 0;
  return zeros;
}

/* Reference: event-driven integration, two step sizes; period to 1e-13 s, multiplier to 1e-8. */
static void woodpecker_has_its_reference(void) {
  static const struct {
    const char *name;
    picus_orbit_change change;
  } points[] = {{"lower", PICUS_CHANGE_OPENS},  {"upper", PICUS_CHANGE_IMPACT}, {"beak", PICUS_CHANGE_IMPACT},
                {"upper", PICUS_CHANGE_IMPACT}, {"upper", PICUS_CHANGE_OPENS},  {"lower", PICUS_CHANGE_IMPACT},
                {"lower", PICUS_CHANGE_IMPACT}, {"lower", PICUS_CHANGE_STICKS}, {"lower", PICUS_CHANGE_SLIPS}};
  simulation s;
  picus_orbit *o = find_orbit(&s, &(orbit_request){"woodpecker", "", "lower:slips", 0, 1, 0});
  REQUIRE(o != NULL);
  const picus_orbit_data d = picus_orbit_data_of(o);
  CHECK_NEAR(d.period, 0.145976065143744, 2e-13);
  CHECK_NEAR(picus_orbit_shift(o)[0], -0.0194453792847168, 2e-13);
  CHECK_NEAR(picus_orbit_state(o)[2], -0.2051353492435255, 1e-12);
  CHECK_NEAR(picus_orbit_state(o)[5], 17.57466620557603, 1e-10);
  CHECK(picus_orbit_multiplier_count(o) == 5 && count_zeros(o) == 4 && d.is_stable);
  CHECK_NEAR(picus_orbit_multiplier(o, 0).re, -0.83915565, 5e-9);
  REQUIRE(picus_orbit_point_count(o) == 9);
  for (int k = 0; k < 9; k++) {
    CHECK_TEXT(picus_orbit_point_at(o, k).name, points[k].name);
    CHECK(picus_orbit_point_at(o, k).change == points[k].change);
  }
  CHECK_NEAR(d.velocity, picus_orbit_point_at(o, 6).velocity, 0);
  CHECK_TEXT(picus_system_law_at(s.system, d.velocity_law).name, "lower");
  picus_orbit_destroy(o);
  simulation_close(&s);
}

/* The multipliers do not depend on the section. */
static void sections_agree(void) {
  static const char *const sections[] = {"lower:slips", "lower:sticks", "beak:impact", "upper:opens", "beak", NULL};
  double multiplier = 0, period = 0;
  for (int k = 0; k < 6; k++) {
    simulation s;
    picus_orbit *o = find_orbit(&s, &(orbit_request){"woodpecker", "", sections[k], 0, 1, 0});
    REQUIRE(o != NULL);
    if (k == 0) multiplier = picus_orbit_multiplier(o, 0).re, period = picus_orbit_data_of(o).period;
    CHECK_NEAR(picus_orbit_multiplier(o, 0).re, multiplier, 1e-10);
    CHECK_NEAR(picus_orbit_data_of(o).period, period, 1e-12);
    picus_orbit_destroy(o);
    simulation_close(&s);
  }
}

/* One impact in each period of the force, in closed form: the flow is linear, and one equation gives the phase. The
 * product of the multipliers is e^2 exp(-4 pi zeta / omega). */
static void impact_oscillator_is_its_closed_form(void) {
  static const struct {
    const char *overrides;
    double omega, phase, velocity, re[2], im;
  } rows[] = {{"", 1, 0.07595216493831, 1.69573293759488, {-0.584295314342, -0.584295314342}, 0.005600351492},
              {"sigma=0,omega=2,phase=1.52487128018069,x0=0,v0=-3.1",
               2,
               1.52487128018069,
               3.90164929088864,
               {0.690179159232, 0.677299098384},
               0}};
  for (size_t k = 0; k < 2; k++) {
    const double period = 2 * acos(-1) / rows[k].omega;
    simulation s;
    picus_orbit *o =
        find_orbit(&s, &(orbit_request){"forced-impact-oscillator", rows[k].overrides, NULL, period, 0, 0});
    REQUIRE(o && picus_orbit_multiplier_count(o) == 2 && picus_orbit_point_count(o) == 1);
    const picus_orbit_point p = picus_orbit_point_at(o, 0);
    CHECK(p.change == PICUS_CHANGE_IMPACT);
    CHECK_NEAR(fmod(rows[k].omega * p.t + 1e-3, 2 * acos(-1)), 1e-3, 1e-11); /* the model begins with this phase */
    CHECK_NEAR(p.velocity, rows[k].velocity, 1e-12);
    for (int i = 0; i < 2; i++) {
      const picus_multiplier m = picus_orbit_multiplier(o, i);
      CHECK_NEAR(m.re, rows[k].re[i], 2e-12);
      CHECK_NEAR(m.im, i == 0 ? rows[k].im : -rows[k].im, 2e-12);
    }
    CHECK_NEAR(modulus(o, 0) * modulus(o, 1), 0.64 * exp(-4 * acos(-1) * 0.05 / rows[k].omega), 1e-12);
    picus_orbit_destroy(o);
    simulation_close(&s);
  }
}

/* omega+ = cot(2 a) sqrt(4 g/l sin a sin gamma), multiplier cos^2(2 a). */
static void rimless_wheel_is_its_closed_form(void) {
  const double a = acos(-1) / 8, w = cos(2 * a) / sin(2 * a) * sqrt(4 * 9.81 * sin(a) * sin(0.08));
  simulation s;
  picus_orbit *o = find_orbit(&s, &(orbit_request){"rimless-wheel", "", "forwards", 0, 4, 0});
  REQUIRE(o != NULL);
  CHECK_NEAR(picus_orbit_state(o)[1], w, 1e-13);
  CHECK_NEAR(picus_orbit_data_of(o).period, 1.034549811423279, 1e-12);
  CHECK_NEAR(picus_orbit_multiplier(o, 0).re, 0.5, 1e-11);
  CHECK(count_zeros(o) == 1);
  picus_orbit_destroy(o);
  simulation_close(&s);
}

/* Reference: Taylor series with 30 digits. The short gait is unstable: no simulation stays on it. */
static void simplest_walker_has_both_gaits(void) {
  static const struct {
    const char *overrides;
    double theta, omega, period, re[2], im;
    bool is_stable;
  } rows[] = {{"",
               0.2003109005442471,
               -0.1998324730049524,
               3.882463752851374,
               {-0.190099841065886, -0.190099841065886},
               0.557598776676782,
               true},
              {"theta0=0.1939,omega0=-0.2039",
               0.1939373698101818,
               -0.2038669274420069,
               3.096105868078164,
               {4.00386435892974, 0.459589589797677},
               0,
               false}};
  for (size_t k = 0; k < 2; k++) {
    simulation s;
    picus_orbit *o = find_orbit(&s, &(orbit_request){"simplest-walker", rows[k].overrides, "heel_strike", 0, 8, 0});
    REQUIRE(o != NULL);
    CHECK_NEAR(picus_orbit_state(o)[0], rows[k].theta, 1e-12);
    CHECK_NEAR(picus_orbit_state(o)[2], rows[k].omega, 1e-12);
    CHECK_NEAR(picus_orbit_data_of(o).period, rows[k].period, 5e-12);
    for (int i = 0; i < 2; i++) CHECK_NEAR(picus_orbit_multiplier(o, i).re, rows[k].re[i], 1e-10);
    CHECK_NEAR(picus_orbit_multiplier(o, 0).im, rows[k].im, 1e-10);
    CHECK(count_zeros(o) == 2 && picus_orbit_data_of(o).is_stable == rows[k].is_stable);
    picus_orbit_destroy(o);
    simulation_close(&s);
  }
}

/* Sticking forgets all differences: every multiplier is 0. */
static void stribeck_belt_forgets(void) {
  simulation s;
  picus_orbit *o = find_orbit(&s, &(orbit_request){"stribeck-belt", "", NULL, 0, 2, 0});
  REQUIRE(o != NULL);
  CHECK_TEXT(picus_orbit_section(o), "belt:sticks");
  CHECK_NEAR(picus_orbit_data_of(o).period, 0.7208397002818, 1e-11); /* the same from belt:slips, see below */
  CHECK(count_zeros(o) == 4 && picus_orbit_data_of(o).is_stable);
  const double period = picus_orbit_data_of(o).period;
  picus_orbit_destroy(o);
  simulation_close(&s);
  o = find_orbit(&s, &(orbit_request){"stribeck-belt", "", "belt:slips", 0, 3, 1});
  REQUIRE(o != NULL);
  CHECK_NEAR(picus_orbit_data_of(o).period, period, 1e-11);
  picus_orbit_destroy(o);
  simulation_close(&s);
}

/* The compass gait at 3 degrees, from a settled simulation with the steps of the model. */
static void compass_gait_is_its_reference(void) {
  simulation s;
  picus_orbit *o = find_orbit(&s, &(orbit_request){"compass-walker", "", "heel_strike", 0, 2, 0});
  REQUIRE(o != NULL);
  CHECK_NEAR(picus_orbit_data_of(o).period, 0.734720962155, 1e-11);
  CHECK_NEAR(picus_orbit_state(o)[0], 0.2186688029389909, 1e-12);
  CHECK(count_zeros(o) == 1 && picus_orbit_data_of(o).is_stable);
  picus_orbit_destroy(o);
  simulation_close(&s);
}

/* After its impact the lower edge of the sleeve lifts off by 1e-9 m and lands after 0.4 ms, which runs do not resolve.
 * The reference is a branch from mu = 0.35, where they do. */
static void missed_flights_are_found(void) {
  simulation s, t;
  picus_sim_options o;
  picus_orbit_branch *b = NULL;
  REQUIRE(simulation_load(&s, "woodpecker", "", &o));
  o.adaptive = true;
  o.dt_min = 1e-9;
  o.atol = o.rtol = 1e-10;
  const picus_orbit_branch_def def = {
      .orbit = {.model = s.model, .system = s.system, .options = &o, .section = "lower:slips"},
      .parameter = "mu",
      .from = 0.35,
      .to = 0.38,
      .step = 0.2};
  REQUIRE(picus_orbit_branch_create(s.context, &def, &b) == PICUS_OK);
  const picus_orbit_branch_row last = picus_orbit_branch_row_at(b, picus_orbit_branch_count(b) - 1);
  CHECK(last.parameter == 0.38);
  for (int loose = 0; loose < 2; loose++) {
    REQUIRE(simulation_load(&t, "woodpecker", "mu=0.38", &o));
    o.adaptive = true;
    if (!loose) o.dt_min = 1e-9, o.atol = o.rtol = 1e-10;
    picus_orbit *orbit = NULL;
    const picus_orbit_def of = {.model = t.model, .system = t.system, .options = &o, .section = "lower:slips"};
    REQUIRE(picus_orbit_create(t.context, &of, &orbit) == PICUS_OK);
    CHECK_NEAR(picus_orbit_data_of(orbit).period, last.period, 1e-13);
    CHECK(picus_orbit_point_count(orbit) == 9 && picus_orbit_data_of(orbit).recheck_agrees);
    picus_orbit_destroy(orbit);
    simulation_close(&t);
  }
  picus_orbit_branch_destroy(b);
  simulation_close(&s);
}

/* A mass on a belt of the speed V, static friction S, kinetic friction K, mass and stiffness 1: slip for
 * 2 (pi - atan((S - K) / V)), stick for 2 (S - K) / V. */
static void static_friction_is_its_closed_form(void) {
  static const char text[] =
      "model('stick-slip', 'a mass on a belt')\n"
      "local p = parameters {S = %.17g, K = %.17g, V = %.17g}\n"
      "local q, u = coordinates {{'x', velocity = 'v', start = {0.9 * p.S, p.V}}, {'y', velocity = 'w', start = 0}}\n"
      "kinetic((u.v^2 + u.w^2) / 2)\n"
      "potential(q.x^2 / 2 + q.y)\n"
      "contact {'belt', gap = q.y, slip = u.v - p.V, mu = when(gt(slip_speed(), 0), p.K, p.S)}\n"
      "simulate {scheme = 'rattle', adaptive = true, dt = 1e-3, dt_max = 0.02, atol = 1e-10, rtol = 1e-10}\n";
  const long count = test_study(2, 6, 200);
  test_random random = {20261119};
  for (long i = 0; i <= count; i++) {
    const double S = i == 0 ? 1 : test_uniform(&random, 0.3, 2),
                 K = i == 0 ? 0.5 : S * test_uniform(&random, 0.1, 0.95),
                 V = i == 0 ? 0.2 : test_uniform(&random, 0.05, 0.75);
    const double period = 2 * (acos(-1) - atan((S - K) / V)) + 2 * (S - K) / V;
    char model[1024];
    simulation s;
    picus_sim_options o;
    picus_orbit *orbit = NULL;
    snprintf(model, sizeof model, text, S, K, V);
    REQUIRE(simulation_load_text(&s, model, &o));
    o.t_end = 3 * period;
    const picus_orbit_def def = {.model = s.model, .system = s.system, .options = &o};
    const picus_status status = picus_orbit_create(s.context, &def, &orbit);
    CHECK(status == PICUS_OK);
    if (status) printf("  S %.17g K %.17g V %.17g: %s\n", S, K, V, picus_last_error(s.context)->message);
    if (!status) {
      CHECK_NEAR(picus_orbit_data_of(orbit).period, period, 1e-12 * period);
      CHECK(i > 0 || fabs(picus_orbit_data_of(orbit).period - 8.902605407815) < 1e-12);
      CHECK_NEAR(picus_orbit_state(orbit)[0], S, 1e-12);
      CHECK(picus_orbit_data_of(orbit).recheck_agrees && picus_orbit_data_of(orbit).recheck < 1e-4);
      CHECK(count_zeros(orbit) == 4);
    }
    picus_orbit_destroy(orbit);
    simulation_close(&s);
  }
}

/* --- what is refused
 * --------------------------------------------------------------------------------------------------- */

static void check_refused(const orbit_request *r, const char *part) {
  picus_sim_options options;
  picus_orbit *o = NULL;
  simulation s;
  REQUIRE(simulation_load(&s, r->model, r->overrides, &options));
  options.adaptive = true;
  if (r->t_end > 0) options.t_end = r->t_end;
  const picus_orbit_def def = {.model = s.model,
                               .system = s.system,
                               .options = &options,
                               .section = r->section,
                               .period = r->period,
                               .skip = r->skip};
  CHECK(picus_orbit_create(s.context, &def, &o) != PICUS_OK && o == NULL);
  const char *message = picus_last_error(s.context)->message;
  if (!strstr(message, part)) printf("  %s\n", message);
  CHECK(strstr(message, part) != NULL);
  simulation_close(&s);
}

static void others_are_refused(void) {
  check_refused(&(orbit_request){"woodpecker", "", "head", 0, 0.1, 0}, "no event or law 'head'");
  check_refused(&(orbit_request){"woodpecker", "", "beak:bites", 0, 0.1, 0}, ":impact, :closes");
  check_refused(&(orbit_request){"woodpecker", "", "beak:impact", 0, 0.1, 0},
                "passes the section 'beak:impact' 1 times");
  check_refused(&(orbit_request){"forced-impact-oscillator", "", "stop", 0, 20, 0}, "depend on time");
  check_refused(&(orbit_request){"forced-impact-oscillator", "", NULL, 6.28, 0, 0}, "do not repeat after");
  check_refused(&(orbit_request){"linear-oscillator", "", NULL, 0, 1, 0}, "no switching point twice");
}

/* --- memory that is refused
 * ---------------------------------------------------------------------------------------------- */

static picus_status orbit_and_sensitivity(picus_context *context, picus_model *model, const picus_system *system) {
  static const char *const names[] = {"slope", "theta"};
  picus_sim_options options = picus_model_sim_options(model);
  picus_orbit *o = NULL;
  picus_sensitivity *d = NULL;
  options.adaptive = true;
  options.t_end = 2;
  const picus_orbit_def def = {.model = model, .system = system, .options = &options};
  const picus_sensitivity_def of = {model, system, &options, 2, names};
  picus_status status = picus_orbit_create(context, &def, &o);
  if (!status) status = picus_sensitivity_create(context, &of, &d);
  picus_sensitivity_destroy(d);
  picus_orbit_destroy(o);
  return status;
}

/* Each time an error, and all memory is given back. */
static void memory_may_be_refused(void) {
  test_allocations count = test_grant_all();
  const long tries = test_size(12, 40, 400);
  for (long k = -1; k < tries; k++) {
    test_allocations a = k < 0 ? test_grant_all() : test_grant_first(count.calls * k / tries);
    const picus_context_def def = {.allocate = test_allocate, .allocate_user = &a};
    picus_context *context = NULL;
    picus_model *model = NULL;
    picus_system *system = NULL;
    picus_status status = picus_context_create(&def, &context);
    if (!status) status = picus_model_load(context, "rimless-wheel", NULL, &model);
    if (!status) status = picus_system_create(model, &system);
    if (!status) status = orbit_and_sensitivity(context, model, system);
    CHECK(k < 0 ? status == PICUS_OK : status == PICUS_ERROR_MEMORY);
    picus_system_destroy(system);
    picus_model_destroy(model);
    picus_context_destroy(context);
    CHECK(a.outstanding == 0);
    if (k < 0) count = a;
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"woodpecker_has_its_reference", woodpecker_has_its_reference},
                                    {"sections_agree", sections_agree},
                                    {"impact_oscillator_is_its_closed_form", impact_oscillator_is_its_closed_form},
                                    {"rimless_wheel_is_its_closed_form", rimless_wheel_is_its_closed_form},
                                    {"simplest_walker_has_both_gaits", simplest_walker_has_both_gaits},
                                    {"stribeck_belt_forgets", stribeck_belt_forgets},
                                    {"compass_gait_is_its_reference", compass_gait_is_its_reference},
                                    {"missed_flights_are_found", missed_flights_are_found},
                                    {"static_friction_is_its_closed_form", static_friction_is_its_closed_form},
                                    {"others_are_refused", others_are_refused},
                                    {"memory_may_be_refused", memory_may_be_refused}};
  return test_main(argc, argv, "orbit", cases, sizeof cases / sizeof *cases);
}
