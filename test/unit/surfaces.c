/* Surfaces that move, and adhesion: a block on a belt and a ball on a turntable against closed forms, with the balance
 * of energy, as contacts, as contacts of bodies and as shapes; a weight under a roof that is torn off; what is refused.
 */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <picus/picus.h>
#include <stdio.h>
#include <string.h>

static const char *const schemes[] = {"moreau",           "moreau-explicit",  "rattle",          "half-explicit",
                                      "half-explicit-rk", "moreau-projected", "moreau-combined", "moreau-jean"};
enum { SCHEMES = sizeof schemes / sizeof *schemes };
static const double pi = 3.14159265358979323846;

typedef struct ended {
  recorded_rows rows;
  picus_summary summary;
} ended;

static bool run(const char *text, const char *scheme, double dt, double t_end, ended *r) {
  simulation s;
  picus_sim_options options;
  *r = (ended){0};
  bool done = simulation_load_text(&s, text, &options);
  options.scheme = scheme;
  options.dt = dt;
  options.t_end = t_end;
  done = done && simulation_start(&s, &options) && simulation_run(&s, &r->rows, &r->summary);
  simulation_close(&s);
  return done;
}

static double last(const ended *r, const char *name) { return recorded_value(&r->rows, r->rows.row_count - 1, name); }
static double error_of(const ended *r) {
  const picus_summary_energy *e = &r->summary.energy;
  return e->end - e->start + e->dissipated - e->driven - e->work;
}
static void end(ended *r) { recorded_rows_free(&r->rows); }

/* --- belts ------------------------------------------------------------------------------------------------------- */

static const char by_contact[] =
    "local q, u = coordinates {{'x', velocity = 'v'}, {'y', velocity = 'w'}}\n"
    "kinetic(u.v^2 + u.w^2)\npotential(2 * 9.81 * q.y)\n"
    "contact {'belt', gap = q.y, slip = u.v, mu = 0.3, surface = 1.5}\nobserve {'a', u.v}\n";
static const char by_bodies[] =
    "gravity {0, -9.81}\nlocal b = planar_body {'b', mass = 2, inertia = 0.1, position = {0, 0.05}}\n"
    "for i = 0, 1 do plane_contact {'c' .. i, ground, b, origin = {0, 0}, normal = {0, 1},\n"
    "point = {0.2 * i - 0.1, -0.05}, mu = 0.3, surface = {1.5, 0}} end\n"
    "local q, u = coordinates {}\nobserve {'a', u.vx_b}\n";
static const char by_shapes[] =
    "gravity {0, -9.81}\nhalf_space {'belt', normal = {0, 1}, position = {0, 0}, surface = {1.5, 0}}\n"
    "rectangle {'b', size = {0.2, 0.1}, mass = 2, position = {0, 0.05}}\nmaterial {'default', mu = 0.3}\n"
    "local q, u = coordinates {}\nobserve {'a', u.vx_b}\n";

/* mu g until it moves with the belt: half of the work of the belt is dissipated. */
static void a_block_is_carried_by_a_belt(void) {
  static const char *const texts[] = {by_contact, by_bodies, by_shapes};
  const double taken = 1.5 / (0.3 * 9.81);
  for (size_t n = 0; n < sizeof texts / sizeof *texts; n++)
    for (int k = 0; k < SCHEMES; k++) {
      ended r;
      REQUIRE(run(texts[n], schemes[k], 1e-3, 0.4, &r));
      CHECK_NEAR(last(&r, "a"), 0.3 * 9.81 * 0.4, 1e-9);
      end(&r);
      REQUIRE(run(texts[n], schemes[k], 1e-3, taken + 0.2, &r));
      CHECK_NEAR(last(&r, "a"), 1.5, 1e-9);
      CHECK_NEAR(r.summary.energy.driven, 2 * 1.5 * 1.5, 1e-6);
      CHECK_NEAR(r.summary.energy.dissipated, 1.5 * 1.5, 1e-3);
      CHECK_NEAR(error_of(&r), 0, 1e-6);
      end(&r);
    }
  simulation s;
  recorded_rows rows = {0};
  picus_summary summary;
  const adaptive_run adaptive = {.dt_min = 1e-7, .tolerance = 1e-9, .t_end = taken + 0.2, .scheme = "rattle"};
  REQUIRE(simulation_open_adaptive_text(&s, by_shapes, adaptive));
  REQUIRE(simulation_run(&s, &rows, &summary));
  CHECK(summary.adaptive.switching_points == 1);
  CHECK_NEAR(summary.energy.dissipated, 1.5 * 1.5, 1e-6);
  recorded_rows_free(&rows);
  simulation_close(&s);
}

/* The belt turns with its frame, and its velocity changes with time. */
static void belts_follow_frames_and_time(void) {
  static const char inclined[] =
      "gravity {0, -9.81}\nlocal a = 0.2\nframe {'ramp', angle = a, shape = {'half_space', normal = {0, 1}, at = {0, "
      "0}, "
      "surface = {0.5 + sin(t), 0}}}\n"
      "disk {'d', radius = 0.1, mass = 1, position = {-0.1 * sin(a), 0.1 * cos(a)}}\nmaterial {'default', mu = 2}\n"
      "local q, u = coordinates {}\nobserve {'s', u.vx_d * cos(a) + u.vy_d * sin(a) + 0.1 * u.omega_d}\n";
  for (int k = 0; k < SCHEMES; k++) {
    ended r;
    REQUIRE(run(inclined, schemes[k], 1e-4, 0.5, &r));
    CHECK_NEAR(last(&r, "s"), 0.5 + sin(0.5), strcmp(schemes[k], "moreau") == 0 ? 1e-4 : 1e-6);
    end(&r);
  }
}

/* --- turntables ----------------------------------------------------------------------------------------------------
 */

/* A solid sphere that rolls on a turntable moves in a circle with 2/7 of its angular velocity (Weltner 1979). */
static void a_ball_circles_on_a_turntable(void) {
  static const char *const tables[] = {
      "half_space {'table', normal = {0, 0, 1}, position = {0, 0, 0}, surface_spin = 2}\n"
      "material {'default', mu = 0.5}\nlocal function touch() end\n",
      "local function touch(b) local x, y = b:point {0, 0, 0}\n"
      "plane_contact {'touch', ground, b, origin = {0, 0, 0}, normal = {0, 0, 1}, point = {0, 0, 0}, radius = 0.05,\n"
      "mu = 0.5, surface = {-2 * y, 2 * x, 0}} end\n"};
  static const char *const balls[] = {"local b = sphere {'b', radius = 0.05, mass = 1, ",
                                      "local b = spatial_body {'b', mass = 1, inertia = {0.001, 0.001, 0.001}, "};
  const double w = 2.0 / 7 * 2, period = 2 * pi / w;
  char text[1024];
  for (int n = 0; n < 2; n++)
    for (int k = 2; k < SCHEMES; k++) {
      if (k == 5 || k == 6) continue; /* of order 1 */
      ended r;
      snprintf(text, sizeof text,
               "gravity {0, 0, -9.81}\n%s%sposition = {0.5, 0, 0.05}, velocity = {0, %.17g, 0}, omega = {%.17g, 0, "
               "0}}\ntouch(b)\n",
               tables[n], balls[n], w * 0.5, (2 * 0.5 - w * 0.5) / 0.05);
      REQUIRE(run(text, schemes[k], period / 4000, 0.75 * period, &r));
      const double tolerance = k == 2 || k == 4 ? 1e-5 : 3e-3; /* of order 1 where it sticks */
      CHECK_NEAR(last(&r, "x_b"), 0, tolerance);
      CHECK_NEAR(last(&r, "y_b"), -0.5, tolerance);
      CHECK_NEAR(r.summary.energy.end - r.summary.energy.start, 0, tolerance);
      CHECK_NEAR(error_of(&r), 0, 1e-5);
      end(&r);
    }
}

/* --- adhesion ------------------------------------------------------------------------------------------------------
 */

/* A weight under a roof is pulled by a force that grows: it falls when m g + k t = A. The law does no work. */
static const char torn_off[] =
    "local q, u = coordinates {{'x', velocity = 'v'}}\nkinetic(u.v^2 / 2)\n"
    "potential(9.81 * q.x)\nforce {x = -30 * t}\ncontact {'roof', gap = -q.x, adhesion = 20}\n";

static void a_weight_is_torn_off(void) {
  const double off = (20 - 9.81) / 30, T = 0.6 - off, v = -(9.81 + 30 * off) * T - 15 * T * T;
  for (int k = 0; k < SCHEMES; k++) {
    if (k == 5 || k == 6) continue;
    ended a, b;
    REQUIRE(run(torn_off, schemes[k], 1e-3, 0.3, &a));
    CHECK_NEAR(last(&a, "x"), 0, 1e-9);
    CHECK(last(&a, "roof.PN") < 0);
    end(&a);
    REQUIRE(run(torn_off, schemes[k], 1e-3, 0.6, &a));
    REQUIRE(run(torn_off, schemes[k], 1e-4, 0.6, &b));
    CHECK_NEAR(last(&a, "v"), v, 0.05); /* it opens a step late, with the force of adhesion in this step */
    CHECK_NEAR(last(&b, "v"), v, 0.005);
    CHECK_NEAR(b.summary.energy.dissipated, 0, 1e-6);
    end(&a);
    end(&b);
  }
}

static bool run_adaptive(const char *text, const char *scheme, double dt_min, double t_end, ended *r) {
  simulation s;
  const adaptive_run adaptive = {.dt_min = dt_min, .tolerance = 1e-9, .t_end = t_end, .scheme = scheme};
  *r = (ended){0};
  const bool done = simulation_open_adaptive_text(&s, text, adaptive) && simulation_run(&s, &r->rows, &r->summary);
  simulation_close(&s);
  return done;
}

/* Adaptive runs end a step where the contact is torn off, after which it does not pull. */
static void adaptive_runs_locate_where_it_breaks(void) {
  const double off = (20 - 9.81) / 30, T = 0.6 - off, v = -(9.81 + 30 * off) * T - 15 * T * T;
  for (int k = 0; k < SCHEMES; k++) {
    if (k == 5 || k == 6) continue;
    for (double dt_min = 1e-3; dt_min > 1e-9; dt_min *= 1e-2) {
      ended r;
      REQUIRE(run_adaptive(torn_off, schemes[k], dt_min, 0.6, &r));
      CHECK(r.summary.adaptive.switching_points == 1);
      CHECK_NEAR(last(&r, "v"), v, 40 * dt_min + 1e-7);
      CHECK_NEAR(r.summary.energy.dissipated, 0, 20 * 30 * dt_min * dt_min);
      end(&r);
    }
  }
}

/* A mass between a spring that is shaken and a wall to which it sticks, with friction and impacts. */
static void adaptive_runs_agree(void) {
  static const char text[] =
      "local q, u = coordinates {{'x', velocity = 'v'}, {'y', velocity = 'w'}}\nkinetic(u.v^2 / 2 + u.w^2 / 2)\n"
      "potential(20 * (q.x - 0.3)^2)\nforce {x = 40 * sin(3 * t), y = 4 * cos(2 * t)}\n"
      "contact {'wall', gap = q.x, slip = u.w, mu = 0.3, adhesion = 20, eN = 0.3}\n";
  ended a, b, fixed;
  REQUIRE(run_adaptive(text, "rattle", 1e-7, 4, &a));
  REQUIRE(run_adaptive(text, "moreau", 1e-7, 4, &b));
  REQUIRE(run(text, "moreau-jean", 2e-5, 4, &fixed));
  CHECK(a.summary.adaptive.switching_points > 30);
  CHECK(a.summary.adaptive.switching_points == b.summary.adaptive.switching_points);
  CHECK_NEAR(last(&a, "x"), last(&b, "x"), 1e-6);
  CHECK_NEAR(last(&a, "y"), last(&b, "y"), 1e-6);
  CHECK_NEAR(last(&a, "x"), last(&fixed, "x"), 2e-3);
  CHECK_NEAR(last(&a, "y"), last(&fixed, "y"), 2e-3);
  CHECK_NEAR(error_of(&a), 0, 1e-3);
  end(&a);
  end(&b);
  end(&fixed);
}

/* A block on a wall: adhesion presses it, and friction mu (P_N + A) carries it if mu A > m g. */
static void adhesion_carries_by_friction(void) {
  static const char form[] = "gravity {0, -9.81}\nhalf_space {'wall', normal = {1, 0}, position = {0, 0}}\n"
                             "rectangle {'b', size = {0.1, 0.1}, mass = 1, position = {0.05, 0}}\n"
                             "material {'default', mu = 0.5, adhesion = %g}\n";
  char text[512];
  static const char *const some[] = {"moreau", "moreau-explicit", "moreau-jean", "half-explicit"};
  for (size_t k = 0; k < sizeof some / sizeof *some; k++) {
    ended r;
    snprintf(text, sizeof text, form, 10.0); /* at each of two corners: 10 N of friction in all */
    REQUIRE(run(text, some[k], 1e-3, 0.2, &r));
    CHECK_NEAR(last(&r, "y_b"), 0, 1e-9);
    end(&r);
    snprintf(text, sizeof text, form, 7.0);
    REQUIRE(run(text, some[k], 1e-3, 0.2, &r));
    CHECK_NEAR(last(&r, "vy_b"), -(9.81 - 7) * 0.2, 1e-6);
    end(&r);
  }
}

/* --- refusals ------------------------------------------------------------------------------------------------------
 */

static void check_sentence(const char *text, const char *scheme, const char *sentence) {
  simulation s;
  picus_sim_options options;
  picus_sim *sim = NULL;
  REQUIRE(simulation_load_text(&s, text, &options));
  options.scheme = scheme;
  options.dt = 1e-3;
  options.t_end = 1;
  CHECK(picus_sim_create(s.context, s.system, &options, &sim) == PICUS_ERROR_UNSUPPORTED);
  CHECK(strstr(picus_last_error(s.context)->message, sentence) != NULL);
  simulation_close(&s);
}

static void adhesion_is_refused_elsewhere(void) {
  static const char text[] = "local q, u = coordinates {{'x', velocity = 'v'}}\nkinetic(u.v^2 / 2)\n"
                             "contact {'roof', gap = -q.x, adhesion = 20}\n";
  check_sentence(text, "moreau-projected", "have adhesion, which the scheme 'moreau-projected' does not support");
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"a_block_is_carried_by_a_belt", a_block_is_carried_by_a_belt},
      {"belts_follow_frames_and_time", belts_follow_frames_and_time},
      {"a_ball_circles_on_a_turntable", a_ball_circles_on_a_turntable},
      {"a_weight_is_torn_off", a_weight_is_torn_off},
      {"adaptive_runs_locate_where_it_breaks", adaptive_runs_locate_where_it_breaks},
      {"adaptive_runs_agree", adaptive_runs_agree},
      {"adhesion_carries_by_friction", adhesion_carries_by_friction},
      {"adhesion_is_refused_elsewhere", adhesion_is_refused_elsewhere},
  };
  return test_main(argc, argv, "surfaces", cases, (int)(sizeof cases / sizeof *cases));
}
