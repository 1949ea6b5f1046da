/* A closed law that is approached has an impact before anything else, in every scheme; contacts of half-explicit-acc
 * stay closed while they press; turning frames are met in time. Against closed forms. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct method {
  const char *scheme;
  bool adaptive;
} method;

static bool is_half_explicit(method by) { return strncmp(by.scheme, "half-explicit", 13) == 0; }
static bool is(method by, const char *scheme) { return strcmp(by.scheme, scheme) == 0; }

/* The k-th scheme with fixed steps (even) and adaptively (odd); false: there are no more. */
static bool method_at(int k, method *by) {
  if (!picus_scheme_at(k / 2)) return false;
  *by = (method){picus_scheme_at(k / 2)->name, k % 2 == 1};
  return true;
}

static bool serves(method by, bool velocity_level) {
  if (is(by, "trapezoidal-position") || (by.adaptive && is(by, "schatzman-paoli"))) return false;
  return !velocity_level || (!is(by, "schatzman-paoli") && !is(by, "half-explicit-acc"));
}

typedef struct run_end {
  double q[64], u[64]; /* the bar has 50 of them */
  picus_summary summary;
  double balance; /* J */
  long impacts;   /* in the event log */
} run_end;

static bool run(simulation *s, picus_sim_options *options, method by, run_end *out) {
  recorded_switchings log = {0};
  options->scheme = by.scheme;
  options->adaptive = by.adaptive;
  options->dt_min = by.adaptive ? 1e-9 : 0;
  options->atol = options->rtol = 1e-10;
  if (!simulation_start(s, options) || !simulation_run_event_log(s, NULL, &log, &out->summary)) return false;
  const picus_state state = picus_sim_state(s->sim);
  const picus_summary *sum = &out->summary;
  memcpy(out->q, state.q, (size_t)state.nq * sizeof *out->q);
  memcpy(out->u, state.u, (size_t)state.nu * sizeof *out->u);
  out->balance = sum->energy.end - sum->energy.start + sum->energy.dissipated - sum->energy.driven;
  out->impacts = 0;
  for (long k = 0; k < log.count; k++) out->impacts += log.list[k].impact;
  recorded_switchings_free(&log);
  return true;
}

static bool run_text(const char *text, method by, double dt, double t_end, run_end *out) {
  simulation s;
  picus_sim_options options;
  *out = (run_end){.balance = NAN};
  bool fine = simulation_load_text(&s, text, &options);
  options.dt = dt;
  options.t_end = t_end;
  if (fine) fine = run(&s, &options, by, out);
  if (!fine) printf("  %s%s\n", by.scheme, by.adaptive ? ", adaptive" : "");
  simulation_close(&s);
  return CHECK(fine);
}

/* v = e after t = 0, then free fall; or it stays on the floor. */
static void a_mass_that_starts_into_the_floor(void) {
  static const double restitution[] = {0, 0.5, 0.9}, speeds[] = {1, 0.005};
  method by;
  for (int c = 0; c < 6; c++) {
    const double e = restitution[c / 2], v = speeds[c % 2], t_end = c % 2 ? 2 * e * v / 9.81 * 0.5 + 1e-6 : 0.01;
    char text[512];
    snprintf(text, sizeof text,
             "local q, u = coordinates {{'y', velocity = 'v', start = {0, %.17g}}}\nkinetic(u.v^2 / 2)\n"
             "potential(9.81 * q.y)\ncontact {'floor', gap = q.y, eN = %g}\n",
             -v, e);
    for (int k = 0; method_at(k, &by); k++) {
      run_end r;
      if (!serves(by, false) || !run_text(text, by, t_end / 10, t_end, &r)) continue;
      const double end = e > 0 ? e * v - 9.81 * t_end : 0, step = by.adaptive ? 1e-7 : t_end / 10;
      const double allowed = is_half_explicit(by) ? 1e-12 : 2 * 9.81 * step;
      if (!CHECK_NEAR(r.u[0], end, allowed) || !CHECK(fabs(r.balance) <= 0.1 * v * allowed + 9.81 * v * step) ||
          !CHECK(r.summary.impacts == 1 && r.impacts == 1))
        printf("  %s%s, e = %g, v = %g: %ld and %ld impacts, balance %g\n", by.scheme, by.adaptive ? ", adaptive" : "",
               e, v, r.summary.impacts, r.impacts, r.balance);
      if (is_half_explicit(by)) CHECK(fabs(r.balance) < 1e-12);
    }
  }
}

/* A mass moves into wall A and away from wall B, both closed; B has the normal (-0.8, 0.6). The rebound e from A would
 * end at B with -0.8 e, so B takes part: u = (e, 4 e / 3). The same if the mass slides along B and meets A after 10.3
 * steps: what round-off makes of the gap of B must not matter. */
static void a_wall_that_is_left(void) {
  static const double starts[2][3] = {{0, 0, 0}, {1.03e-2, 1.03e-2 / 0.75, -1 / 0.75}}; /* x, y, vy */
  const double e = 0.5;
  method by;
  for (int c = 0; c < 2; c++) {
    char text[512];
    snprintf(text, sizeof text,
             "local q, u = coordinates {{'x', velocity = 'vx', start = {%.17g, -1}},\n"
             "{'y', velocity = 'vy', start = {%.17g, %.17g}}}\nkinetic((u.vx^2 + u.vy^2) / 2)\n"
             "contact {'A', gap = q.x, eN = %g}\ncontact {'B', gap = 0.6 * q.y - 0.8 * q.x}\n",
             starts[c][0], starts[c][1], starts[c][2], e);
    const double lost = 0.5 + starts[c][2] * starts[c][2] / 2 - e * e * (1 + 1 / 0.5625) / 2;
    for (int k = 0; method_at(k, &by); k++) {
      run_end r;
      if (is(by, "schatzman-paoli") || !serves(by, false) || !run_text(text, by, 1e-3, 0.02, &r)) continue;
      if (!CHECK_NEAR(r.u[0], e, 1e-9) || !CHECK_NEAR(r.u[1], e / 0.75, 1e-9) ||
          !CHECK_NEAR(r.summary.energy.dissipated, lost, 1e-9))
        printf("  %s%s, %s\n", by.scheme, by.adaptive ? ", adaptive" : "", c ? "along B" : "away from B");
    }
  }
}

/* A surface A takes x along with v1 and, one step later, with v1 + v2. Inertia would push y into the closed surface B
 * both times, and B begins to leave with w < c v2 at the second impact: it takes part, so that y follows it.
 * Percussions of impacts in successive steps are alike: this must not hide the second one. */
static void impacts_in_successive_steps(void) {
  const double dt = 1e-3, t1 = 3 * dt, t2 = 4 * dt;
  test_random r = {12};
  method by;
  for (int number = 0; number < test_study(2, 10, 200); number++) {
    const double v1 = test_uniform(&r, 0.1, 1), v2 = v1 * test_uniform(&r, 0.5, 5), c = test_uniform(&r, 0.2, 0.9);
    const double w = c * v2 * test_uniform(&r, 0.1, 0.9);
    char text[768];
    snprintf(text, sizeof text,
             "local q, u = coordinates {{'x', velocity = 'vx'}, {'y', velocity = 'vy'}}\n"
             "kinetic((u.vx^2 + u.vy^2) / 2 + %.17g * u.vx * u.vy)\nlocal after = max(0, t - %.17g)\n"
             "contact {'A', gap = q.x - %.17g * max(0, t - %.17g) - %.17g * after}\n"
             "contact {'B', gap = q.y + %.17g * after}\n",
             c, t2, v1, t1, v2, w);
    for (int k = 0; method_at(k, &by); k++) {
      run_end end;
      if (by.adaptive || is(by, "schatzman-paoli") || !serves(by, false) || !run_text(text, by, dt, t2 + dt, &end))
        continue;
      if (!CHECK_NEAR(end.u[0], v1 + v2, 1e-9) || !CHECK_NEAR(end.u[1], -w, 1e-9))
        printf("  %s, system %d\n", by.scheme, number);
    }
  }
}

/* w1 = w2 = 2.6 by the sum of angular momenta, and 0.096 J are lost. */
static void a_freewheel_that_engages(void) {
  static const char text[] =
      "local q, u = coordinates {{'f1', velocity = 'w1', start = {0, 5}},\n"
      "{'f2', velocity = 'w2', start = {0, 1}}}\nkinetic(0.02 * u.w1^2 / 2 + 0.03 * u.w2^2 / 2)\n"
      "clutch {'free', velocity = u.w2 - u.w1}\n";
  method by;
  for (int k = 0; method_at(k, &by); k++) {
    run_end r;
    if (!serves(by, true) || !run_text(text, by, 1e-3, 0.01, &r)) continue;
    CHECK_NEAR(r.u[0], 2.6, 1e-12);
    CHECK_NEAR(r.u[1], 2.6, 1e-12);
    CHECK_NEAR(r.summary.energy.dissipated, 0.096, 1e-12);
    CHECK(fabs(r.balance) < 1e-12);
  }
}

/* A rod whose hinge moves with (1, 0.3) m/s at the start: omega = m l v / (J + m l^2). */
static void a_hinge_that_is_violated(void) {
  static const char text[] = "local q, u = coordinates {{'x', velocity = 'vx', start = {0.5, 1}},\n"
                             "{'y', velocity = 'vy', start = {0, 0.3}}, {'phi', velocity = 'w', start = {0, 0}}}\n"
                             "kinetic((u.vx^2 + u.vy^2) / 2 + 0.1 * u.w^2 / 2)\n"
                             "constraint {'hx', position = q.x - 0.5 * cos(q.phi)}\n"
                             "constraint {'hy', position = q.y - 0.5 * sin(q.phi)}\n";
  method by;
  const double omega = 0.5 * 0.3 / (0.1 + 0.25);
  for (int k = 0; method_at(k, &by); k++) {
    run_end r;
    if (!serves(by, false) || !run_text(text, by, 1e-3, 0.01, &r)) continue;
    CHECK_NEAR(r.u[2], omega, by.adaptive || is_half_explicit(by) ? 1e-5 : 1e-3);
    CHECK_NEAR(r.q[2], omega * 0.01, by.adaptive ? 1e-8 : 1e-3);
    CHECK(fabs(r.balance) < 2e-3);
    if (is_half_explicit(by)) CHECK(fabs(r.balance) < 1e-7);
  }
}

/* Painleve's rod slides so that it jams: its tip stops at once, and it loses 2.4291 J. */
static void a_rod_that_jams(void) {
  static const char text[] =
      "local q, u = coordinates {{'x', velocity = 'vx', start = {cos(0.9), -3}},\n"
      "{'y', velocity = 'vy', start = {sin(0.9), 0}}, {'phi', velocity = 'w', start = {0.9, 0}}}\n"
      "kinetic((u.vx^2 + u.vy^2) / 2 + u.w^2 / 6)\npotential(9.81 * q.y)\n"
      "contact {'tip', gap = q.y - sin(q.phi), slip = u.vx + sin(q.phi) * u.w, mu = 1.6}\n";
  method by;
  for (int k = 0; method_at(k, &by); k++) {
    run_end r;
    if (!serves(by, true) || !run_text(text, by, 1e-6, 1e-5, &r)) continue;
    CHECK_NEAR(r.u[0], -1.3806, 5e-4);
    CHECK_NEAR(r.summary.energy.dissipated, 2.4291, 5e-4);
    CHECK(fabs(r.balance) < 1e-4);
    CHECK(r.summary.impacts == 1);
  }
}

/* The bar touches the wall at the start and moves into it: it must not pass. */
static void the_elastic_bar_in_contact(void) {
  static const char *const schemes[] = {"half-explicit", "half-explicit-acc", "half-explicit-rk"};
  for (int k = 0; k < 3; k++) {
    simulation s;
    picus_sim_options options;
    run_end r;
    REQUIRE(simulation_load(&s, "elastic-bar", "N=50", &options));
    options.dt = 1e-6;
    options.t_end = 8e-4;
    if (CHECK(run(&s, &options, (method){schemes[k], false}, &r))) {
      CHECK(r.summary.gaps.penetration < 1e-9);
      CHECK(r.summary.impacts == 1);
      CHECK(r.summary.gaps.unexplained.steps == 0);
    }
    simulation_close(&s);
  }
}

/* A ladder slides down a wall: order 2, as its contacts stay closed while they press, and no contact is lost. */
static void a_ladder_with_accelerations(void) {
  static const char text[] = "gravity {0, -9.81}\nhalf_space {'floor', normal = {0, 1}}\n"
                             "half_space {'wall', normal = {1, 0}}\n"
                             "capsule {'b', suffix = '', length = 1, radius = 0.02, mass = 2,\n"
                             "position = {0.02 + 0.5 * cos(1.2), 0.02 + 0.5 * sin(1.2)}, angle = -1.2}\n";
  run_end exact, r;
  double dt[3], error[3];
  REQUIRE(run_text(text, (method){"rattle", true}, 1e-3, 0.3, &exact));
  for (int k = 0; k < 3; k++) {
    dt[k] = ldexp(2e-3, -k);
    REQUIRE(run_text(text, (method){"half-explicit-acc", false}, dt[k], 0.3, &r));
    error[k] = fmax(fabs(r.q[2] - exact.q[2]), hypot(r.q[0] - exact.q[0], r.q[1] - exact.q[1]));
    CHECK(r.summary.gaps.penetration < dt[k] * dt[k] && r.summary.impacts == 0);
    CHECK(r.summary.gaps.unexplained.steps == 0);
  }
  const double order = observed_order(3, dt, error);
  printf("  errors %.2e, %.2e, %.2e: order %.2f\n", error[0], error[1], error[2], order);
  CHECK(order > 1.9 && order < 2.1);
}

/* --- turning frames ----------------------------------------------------------------------------------------------- */

static void count_warnings(void *user, picus_log_level level, const char *message) {
  if (level != PICUS_LOG_WARNING) return;
  printf("  %s\n", message);
  ++*(int *)user;
}

static bool run_watched(const char *text, method by, double dt, double *u, picus_summary *sum, int *warnings) {
  picus_context_def def = picus_default_context_def();
  simulation s = {0};
  def.log = count_warnings;
  def.log_user = warnings;
  *warnings = 0;
  if (!CHECK(picus_context_create(&def, &s.context) == PICUS_OK)) return false;
  bool fine = CHECK(picus_model_load_text(s.context, "frame", text, strlen(text), NULL, &s.model) == PICUS_OK) &&
              CHECK(picus_system_create(s.model, &s.system) == PICUS_OK);
  if (fine) {
    picus_sim_options o = picus_model_sim_options(s.model);
    o.scheme = by.scheme;
    o.adaptive = by.adaptive;
    o.dt = dt;
    o.t_end = 0.2; /* a half-space meets the disk again later */
    o.dt_min = by.adaptive ? 1e-9 : 0;
    if (by.adaptive) o.atol = o.rtol = 1e-10;
    fine = CHECK(picus_sim_create(s.context, s.system, &o, &s.sim) == PICUS_OK) &&
           CHECK(picus_sim_run(s.sim, NULL, NULL, sum) == PICUS_OK);
  }
  if (fine) memcpy(u, picus_sim_state(s.sim).u, 3 * sizeof *u);
  simulation_close(&s);
  return fine;
}

/* A frame that turns with 3 rad/s hits a disk at rest; as a paddle, and as a half-space. */
static void check_frame(const char *shape, double vx, double vy) {
  char text[512];
  method by;
  snprintf(text, sizeof text,
           "material {'default', eN = 0.5}\nframe {'paddle', angle = 3 * t, shape = {%s}}\n"
           "disk {'b', suffix = '', radius = 0.05, mass = 0.3, position = {0.6, 0.3}}\n",
           shape);
  for (int k = 0; method_at(k, &by); k++)
    for (int coarse = 0; coarse < (by.adaptive ? 1 : 2); coarse++) {
      double u[3];
      int warnings;
      picus_summary sum;
      const double dt = coarse ? 2e-3 : 1e-3;
      if (!serves(by, false) || !run_watched(text, by, dt, u, &sum, &warnings)) continue;
      const double allowed = by.adaptive ? 1e-6 : 15 * dt;
      const double balance = sum.energy.end - sum.energy.start + sum.energy.dissipated - sum.energy.driven;
      if (!CHECK(hypot(u[0] - vx, u[1] - vy) < allowed) || !CHECK(fabs(balance) < 1e-12) ||
          !CHECK(sum.impacts == 1 && warnings == 0))
        printf("  %s%s, dt = %g: %g, %g, balance %g, %ld impacts\n", by.scheme, by.adaptive ? ", adaptive" : "", dt,
               u[0], u[1], balance, sum.impacts);
    }
}

/* Contact with the upper side, at the distance d = 0.02 from the axis: the disk is hit at its angle less that of the
 * offset, with (1 + e) omega r across. */
static void turning_frames_are_met_in_time(void) {
  const double offsets[] = {0.02, 0};
  const char *const shapes[] = {"'rectangle', size = {2, 0.04}", "'half_space', normal = {0, 1}"};
  for (int k = 0; k < 2; k++) {
    const double r = hypot(0.6, 0.3), d = 0.05 + offsets[k], along = sqrt(r * r - d * d);
    const double angle = atan2(0.3, 0.6) - asin(d / r), speed = 1.5 * 3 * along;
    check_frame(shapes[k], -speed * sin(angle), speed * cos(angle));
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"a_mass_that_starts_into_the_floor", a_mass_that_starts_into_the_floor},
                                    {"a_wall_that_is_left", a_wall_that_is_left},
                                    {"impacts_in_successive_steps", impacts_in_successive_steps},
                                    {"a_freewheel_that_engages", a_freewheel_that_engages},
                                    {"a_hinge_that_is_violated", a_hinge_that_is_violated},
                                    {"a_rod_that_jams", a_rod_that_jams},
                                    {"the_elastic_bar_in_contact", the_elastic_bar_in_contact},
                                    {"a_ladder_with_accelerations", a_ladder_with_accelerations},
                                    {"turning_frames_are_met_in_time", turning_frames_are_met_in_time}};
  return test_main(argc, argv, "closed_impacts", cases, sizeof cases / sizeof cases[0]);
}
