/* Special orbits of branches at parameters that follow from closed forms, one for each kind. All orbits between them
 * are motions: an adaptive run from them repeats. */
#include "support/branches.h"
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <picus/orbit.h>
#include <stdio.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

typedef struct point_request {
  const char *text, *section, *period;
  int skip;
  const char *parameter;
  double from, to;
} point_request;

static picus_sim_options options_of(const simulation *s) {
  picus_sim_options o = picus_model_sim_options(s->model);
  branch_tighten(&o);
  return o;
}

static picus_orbit_branch *follow(simulation *s, const point_request *r) {
  picus_sim_options o;
  if (!simulation_load_text(s, r->text, &o)) return NULL;
  o = options_of(s);
  const picus_orbit_branch_def def = {.orbit = {.model = s->model,
                                                .system = s->system,
                                                .options = &o,
                                                .section = r->section,
                                                .period_text = r->period,
                                                .skip = r->skip},
                                      .parameter = r->parameter,
                                      .from = r->from,
                                      .to = r->to,
                                      .step = 0.08};
  return branch_require(s, &def);
}

static int count_special(const picus_orbit_branch *b) {
  int count = 0;
  for (long k = 0; k < picus_orbit_branch_count(b); k++)
    count += picus_orbit_branch_row_at(b, k).kind != PICUS_ORBIT_REGULAR;
  return count;
}

static picus_status run_to(picus_sim *sim, double t_end) {
  picus_status status = PICUS_OK;
  while (!status && picus_sim_state(sim).t < t_end) {
    picus_step_info info;
    status = picus_sim_advance(sim, t_end, &info);
  }
  return status;
}

/* By how much the state of a row differs after a period of an adaptive run, but for coordinates whose bit is set. */
static double repeats(const point_request *r, const picus_orbit_branch_row *row, unsigned grows) {
  simulation s = {0};
  picus_load_options load = {.override_count = 1, .overrides = &(picus_override){r->parameter, row->parameter}};
  double most = INFINITY;
  if (picus_context_create(NULL, &s.context)) return most;
  if (!picus_model_load_text(s.context, "row.lua", r->text, strlen(r->text), &load, &s.model) &&
      !picus_system_create(s.model, &s.system)) {
    picus_sim_options o = options_of(&s);
    const int nq = picus_system_nq(s.system), nu = picus_system_nu(s.system);
    o.t_start = row->t;
    o.t_end = row->t + row->period;
    if (!picus_sim_create(s.context, s.system, &o, &s.sim) &&
        !picus_sim_set_state(s.sim, row->t, row->state, row->state + nq) && !run_to(s.sim, o.t_end)) {
      const picus_state end = picus_sim_state(s.sim);
      most = 0;
      for (int i = 0; i < nq; i++)
        if (!(grows >> i & 1)) most = fmax(most, fabs(end.q[i] - row->state[i]));
      for (int i = 0; i < nu; i++) most = fmax(most, fabs(end.u[i] - row->state[nq + i]));
    }
  }
  simulation_close(&s);
  return most;
}

static void check_motions(const point_request *r, const picus_orbit_branch *b, unsigned grows, double tolerance) {
  for (long k = 0; k < picus_orbit_branch_count(b); k++) {
    const picus_orbit_branch_row row = picus_orbit_branch_row_at(b, k);
    const picus_multiplier m = row.multiplier_count ? row.multipliers[0] : (picus_multiplier){0, 0};
    CHECK_NEAR(repeats(r, &row, grows), 0, tolerance * (1 + hypot(m.re, m.im)));
  }
}

/* --- friction ----------------------------------------------------------------------------------------------------- */

#define DRY                                                                                                            \
  "model('dry', 'a mass on dry friction, driven by a force')\n"                                                        \
  "local p = parameters {A = 1, f = 0.3, c = 0.05}\n"                                                                  \
  "local q, u = coordinates {{'x', velocity = 'v', start = 0}}\n"                                                      \
  "kinetic(u.v^2 / 2)\n"                                                                                               \
  "force {x = p.A * cos(t) + p.c}\n"                                                                                   \
  "friction {'ground', slip = u.v, reservoir = p.f}\n"                                                                 \
  "simulate {scheme = 'rattle', adaptive = true, dt = 1e-2, t_end = 60}\n"

/* x'' = A cos t + c - f sign(x'), always in motion: forwards from the phase a for the time d = pi (1 + c/f), with
 * 2 A cos(a + d/2) sin(d/2) = (f - c) d. */
static double forwards_from(double A, double f, double c) {
  const double d = pi * (1 + c / f);
  return acos((f - c) * d / (2 * A * sin(d / 2))) - d / 2;
}

/* What is left of the force at the reversal that ends it: it must move the mass backwards. */
static double excess(double A, double f, double c) {
  return -(A * cos(forwards_from(A, f, c) + pi * (1 + c / f)) + c) - f;
}

/* The same with a stick phase before the mass moves backwards, from A cos a + c = -f on, until it is at rest again. */
static double excess_after_stick(double A, double f, double c) {
  const double a = acos(-(f + c) / A);
  double low = a + 1, high = a + 2 * pi;
  for (int k = 0; k < 60; k++) {
    const double t = 0.5 * (low + high), v = A * (sin(t) - sin(a)) + (c + f) * (t - a);
    if (v < 0)
      low = t;
    else
      high = t;
  }
  return A * cos(low) + c - f;
}

/* The friction at which the excess is zero, by halving: backwards, then forwards. */
static double find_stop(double A, double c, bool forwards) {
  double low = 0.4, high = 0.6;
  for (int k = 0; k < 60; k++) {
    const double f = 0.5 * (low + high);
    if ((forwards ? excess_after_stick(A, f, c) : excess(A, f, c)) > 0)
      low = f;
    else
      high = f;
  }
  return 0.5 * (low + high);
}

/* In the mirror, the force has the constant part -c. Stick phases are born and lost where the force at a reversal no
 * longer exceeds the friction. */
static void stick_phases_are_born_and_lost(void) {
  const double first = find_stop(1, -0.05, false), second = find_stop(1, -0.05, true);
  const point_request up = {DRY, NULL, "2*pi", 5, "f", 0.3, 0.8}, down = {DRY, NULL, "2*pi", 5, "f", 0.7, 0.3};
  simulation s;
  picus_orbit_branch *b = follow(&s, &up);
  REQUIRE(b != NULL);
  CHECK_NEAR(branch_special(b, PICUS_ORBIT_STICK, 0).parameter, first, 1e-10);
  CHECK_NEAR(branch_special(b, PICUS_ORBIT_STICK, 1).parameter, second, 1e-10);
  CHECK(count_special(b) == 4 && branch_last(b).sequence == 2);
  check_motions(&up, b, 1, 1e-7);
  picus_orbit_branch_destroy(b);
  simulation_close(&s);
  b = follow(&s, &down);
  REQUIRE(b != NULL);
  CHECK_NEAR(branch_special(b, PICUS_ORBIT_UNSTICK, 0).parameter, second, 1e-10);
  CHECK_NEAR(branch_special(b, PICUS_ORBIT_UNSTICK, 1).parameter, first, 1e-10);
  CHECK(count_special(b) == 4);
  check_motions(&down, b, 1, 1e-7);
  picus_orbit_branch_destroy(b);
  simulation_close(&s);
}

/* A mass at rest begins to slip where A + c = f, and in the other direction where A - c = f. */
static void rest_begins_to_slip(void) {
  const point_request r = {DRY, NULL, "2*pi", 3, "A", 0.1, 0.5};
  simulation s;
  picus_orbit_branch *b = follow(&s, &r);
  REQUIRE(b != NULL);
  CHECK_NEAR(branch_special(b, PICUS_ORBIT_SLIP, 0).parameter, 0.25, 1e-10);
  CHECK_NEAR(branch_special(b, PICUS_ORBIT_SLIP, 1).parameter, 0.35, 1e-10);
  CHECK(count_special(b) == 4);
  check_motions(&r, b, 1, 1e-6);
  picus_orbit_branch_destroy(b);
  simulation_close(&s);
}

/* Two masses that do not know of each other: the phase d of the second force moves its reversals. */
static void reversals_change_their_order(void) {
  static const char text[] =
      "model('two', 'two masses on dry friction')\n"
      "local p = parameters {d = 0.2}\n"
      "local q, u = coordinates {{'x', velocity = 'v', start = 0}, {'y', velocity = 'w', start = 0}}\n"
      "kinetic((u.v^2 + u.w^2) / 2)\n"
      "force {x = cos(t), y = cos(t + p.d) + 0.05}\n"
      "friction {'first', slip = u.v, reservoir = 0.3}\n"
      "friction {'second', slip = u.w, reservoir = 0.4}\n"
      "simulate {scheme = 'rattle', adaptive = true, dt = 1e-2, t_end = 60}\n";
  const double a = forwards_from(1, 0.3, 0), b1 = forwards_from(1, 0.4, 0.05);
  const double places[2] = {b1 - a, b1 + pi * (1 + 0.05 / 0.4) - a - pi};
  const point_request r = {text, NULL, "2*pi", 5, "d", 0.3, -0.4};
  simulation s;
  picus_orbit_branch *b = follow(&s, &r);
  REQUIRE(b != NULL);
  CHECK_NEAR(branch_special(b, PICUS_ORBIT_ORDER, 0).parameter, fmax(places[0], places[1]), 1e-10);
  CHECK_NEAR(branch_special(b, PICUS_ORBIT_ORDER, 1).parameter, fmin(places[0], places[1]), 1e-10);
  CHECK(count_special(b) == 4);
  check_motions(&r, b, 3, 1e-7);
  picus_orbit_branch_destroy(b);
  simulation_close(&s);
}

/* --- contacts ----------------------------------------------------------------------------------------------------- */

/* A mass on a table a cos t lifts off where a exceeds its weight, and lands there on the way back. */
static void mass_lifts_and_lands(void) {
  static const char text[] = "model('table', 'a mass on a table that moves')\n"
                             "local p = parameters {a = 0.5}\n"
                             "local q, u = coordinates {{'z', velocity = 'v', start = {p.a, 0}}}\n"
                             "kinetic(u.v^2 / 2)\n"
                             "potential(q.z)\n"
                             "contact {'table', gap = q.z - p.a * cos(t), eN = 0}\n"
                             "simulate {scheme = 'rattle', adaptive = true, dt = 1e-2, t_end = 60}\n";
  const point_request up = {text, NULL, "2*pi", 3, "a", 0.5, 1.2}, down = {text, NULL, "2*pi", 3, "a", 1.2, 0.5};
  simulation s;
  picus_orbit_branch *b = follow(&s, &up);
  REQUIRE(b != NULL);
  CHECK_NEAR(branch_special(b, PICUS_ORBIT_LIFT, 0).parameter, 1, 1e-10);
  CHECK(count_special(b) == 3 && branch_last(b).sequence == 1);
  check_motions(&up, b, 0, 1e-7);
  picus_orbit_branch_destroy(b);
  simulation_close(&s);
  b = follow(&s, &down);
  REQUIRE(b != NULL);
  CHECK_NEAR(branch_special(b, PICUS_ORBIT_LAND, 0).parameter, 1, 1e-10);
  CHECK(count_special(b) == 3 && branch_last(b).sequence == 1);
  check_motions(&down, b, 0, 1e-7);
  picus_orbit_branch_destroy(b);
  simulation_close(&s);
}

/* COCO's drive: the new impact sets the frame in motion, which slips before it sticks again. */
static void touch_sets_friction_in_motion(void) {
  static const char text[] =
      "model('actuator', 'an impact drive on dry friction')\n"
      "local p = parameters {V = 0.59}\n"
      "local q, u = coordinates {{'s', velocity = 'U', start = 0}, {'x', velocity = 'v', start = {0.25, 0}}}\n"
      "kinetic((5 * u.U^2 + (u.U + u.v)^2) / 2)\n"
      "potential(q.x^2 / 2)\n"
      "dissipation(0.04 * u.v^2 / 2)\n"
      "force {x = (p.V * sin(0.92 * t) / (1 - q.x))^2}\n"
      "contact {'stop', gap = 0.5 - q.x, eN = 0.8}\n"
      "friction {'ground', slip = u.U, reservoir = 5 * 3.17}\n"
      "simulate {scheme = 'rattle', adaptive = true, dt = 1e-3, dt_max = 0.02, t_end = 200}\n";
  const point_request r = {text, NULL, "pi/0.92", 40, "V", 0.575, 0.65};
  simulation s;
  picus_orbit_branch *b = follow(&s, &r);
  REQUIRE(b != NULL);
  CHECK(branch_special(b, PICUS_ORBIT_FOLD, 0).parameter > branch_special(b, PICUS_ORBIT_TOUCH, 0).parameter);
  CHECK(branch_last(b).kind == PICUS_ORBIT_END && branch_last(b).sequence == 1 && branch_last(b).parameter == 0.65);
  CHECK_TEXT(picus_orbit_branch_sequence(b, 1), "ground:sticks stop:impact");
  check_motions(&r, b, 1, 1e-6);
  picus_orbit_branch_destroy(b);
  simulation_close(&s);
}

/* --- without switching points ------------------------------------------------------------------------------------- */

/* The delayed logistic map x, y := a x (1 - y), x: its fixed point has the multipliers m^2 - m + a - 1 = 0, whose
 * modulus is 1 where a is 2. */
static void map_has_a_neimark_sacker_point(void) {
  static const char text[] =
      "model('delayed', 'the delayed logistic map')\n"
      "local p = parameters {a = 1.8}\n"
      "local q, u = coordinates {{'x', velocity = 'v', start = {0.45, 0}}, {'y', velocity = 'w', start = {0.44, 0}},\n"
      "  {'c', velocity = 'r', start = {0, 1}}}\n"
      "kinetic((u.v^2 + u.w^2 + u.r^2) / 2)\n"
      "on {'turn', when = q.c - 1, direction = 'rises',\n"
      "  set = {c = q.c - 1, x = p.a * q.x * (1 - q.y), y = q.x, v = 0, w = 0, r = 1}}\n"
      "simulate {scheme = 'rattle', adaptive = true, dt = 1e-2, t_end = 60}\n";
  const point_request r = {text, "turn", NULL, 20, "a", 1.8, 2.2};
  simulation s;
  picus_orbit_branch *b = follow(&s, &r);
  REQUIRE(b != NULL);
  CHECK_NEAR(branch_special(b, PICUS_ORBIT_NEIMARK, 0).parameter, 2, 1e-10);
  CHECK(count_special(b) == 3);
  for (long k = 0; k < picus_orbit_branch_count(b); k++) {
    const picus_orbit_branch_row row = picus_orbit_branch_row_at(b, k);
    CHECK_NEAR(row.multipliers[0].re, 0.5, 1e-10);
    CHECK_NEAR(row.multipliers[0].im, sqrt(row.parameter - 1.25), 1e-10);
    CHECK_NEAR(row.state[0], 1 - 1 / row.parameter, 1e-11);
    CHECK(row.is_stable == (row.parameter < 2) || row.kind == PICUS_ORBIT_NEIMARK);
  }
  picus_orbit_branch_destroy(b);
  simulation_close(&s);
}

/* The mass on a belt: v' = -k x + N mu(v_b - v), by steps of Runge and Kutta from where it leaves the belt; the largest
 * excess of its velocity over that of the belt, once it has been slower. */
static void belt_rate(double mu_s, const double *y, double *rate) {
  const double s = 0.2 - y[1];
  rate[0] = y[1];
  rate[1] = -100 * y[0] + 10 * (0.2 + (mu_s - 0.2) * exp(-s / 0.1) + 0.02 * s);
}

static double belt_excess(double mu_s) {
  enum { STEPS = 8000 };
  const double h = 0.75 / STEPS;
  double y[2] = {10 * mu_s / 100, 0.2}, most = -INFINITY, before[2] = {0, 0};
  for (int i = 0; i < STEPS; i++) {
    double k[4][2], at[2];
    belt_rate(mu_s, y, k[0]);
    for (int stage = 1; stage < 4; stage++) {
      for (int j = 0; j < 2; j++) at[j] = y[j] + h * (stage < 3 ? 0.5 : 1) * k[stage - 1][j];
      belt_rate(mu_s, at, k[stage]);
    }
    for (int j = 0; j < 2; j++) y[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
    const double now = y[1] - 0.2;
    if (i > STEPS / 2 && before[1] > before[0] && before[1] > now) { /* the parabola through three values */
      const double bend = before[0] - 2 * before[1] + now, slope = 0.5 * (now - before[0]);
      most = fmax(most, before[1] - 0.5 * slope * slope / bend);
    }
    before[0] = before[1];
    before[1] = now;
  }
  return most;
}

/* Stick-slip ends where the motion no longer reaches the belt. The orbit that always slips is unstable, and shrinks to
 * the equilibrium where that becomes stable: mu'(v_b) = 0. */
static void belt_loses_its_stick_phase(void) {
  simulation s;
  picus_sim_options o;
  picus_orbit_branch *b = NULL;
  REQUIRE(simulation_load(&s, "stribeck-belt", "", &o));
  o.adaptive = true;
  const picus_orbit_branch_def def = {.orbit = {.model = s.model, .system = s.system, .options = &o},
                                      .parameter = "mu_s",
                                      .from = 0.4,
                                      .to = 0.15,
                                      .step = 0.05};
  REQUIRE(picus_orbit_branch_create(s.context, &def, &b) == PICUS_OK);
  double low = 0.2, high = 0.3;
  for (int k = 0; k < 50; k++) {
    const double middle = 0.5 * (low + high);
    if (belt_excess(middle) > 0)
      high = middle;
    else
      low = middle;
  }
  const picus_orbit_branch_row hopf = branch_special(b, PICUS_ORBIT_HOPF, 0);
  double place = 0;
  CHECK_NEAR(branch_special(b, PICUS_ORBIT_UNSTICK, 0).parameter, 0.5 * (low + high), 1e-8);
  CHECK(sscanf(strstr(hopf.note, "mu_s = "), "mu_s = %lf", &place) == 1);
  CHECK_NEAR(place, 0.2 + 0.02 * 0.1 * exp(2), 1e-9);
  CHECK_NEAR(hopf.period, 2 * pi / 10, 1e-6);
  CHECK(hopf.unstable == 1 && picus_orbit_branch_count(b) < 150);
  picus_orbit_branch_destroy(b);
  simulation_close(&s);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"stick_phases_are_born_and_lost", stick_phases_are_born_and_lost},
                                    {"rest_begins_to_slip", rest_begins_to_slip},
                                    {"reversals_change_their_order", reversals_change_their_order},
                                    {"mass_lifts_and_lands", mass_lifts_and_lands},
                                    {"touch_sets_friction_in_motion", touch_sets_friction_in_motion},
                                    {"map_has_a_neimark_sacker_point", map_has_a_neimark_sacker_point},
                                    {"belt_loses_its_stick_phase", belt_loses_its_stick_phase}};
  return test_main(argc, argv, "branch_points", cases, sizeof cases / sizeof *cases);
}
