/* The alarm of runs with fixed steps: growth that halved steps do not confirm ends the run of any scheme with a
 * sentence, and real growth does not. */
#include "sim/alarm.h"
#include "sim/internal.h"
#include "solver/internal.h"
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCHEMES = 6 };
static const char *const schemes[SCHEMES] = {"moreau",           "rattle",          "moreau-jean",
                                             "moreau-projected", "moreau-combined", "schatzman-paoli"};

typedef struct outcome {
  picus_status status;
  char sentence[1024];
  picus_summary summary;
  double q, u; /* the first ones at the end */
} outcome;

/* theta < 0: the scheme's own. */
static outcome run_text(const char *text, const char *scheme, double dt, double t_end, double theta) {
  outcome out = {.status = PICUS_ERROR_ARGUMENT};
  simulation s;
  picus_sim_options options;
  if (!simulation_load_text(&s, text, &options)) return out;
  options.scheme = scheme;
  if (dt > 0) options.dt = dt;
  if (t_end > 0) options.t_end = t_end;
  if (theta >= 0) options.theta = theta;
  if (simulation_start(&s, &options)) {
    out.status = picus_sim_run(s.sim, NULL, NULL, &out.summary);
    snprintf(out.sentence, sizeof out.sentence, "%s", out.status ? picus_last_error(s.context)->message : "");
    out.q = picus_sim_state(s.sim).q[0];
    out.u = picus_sim_state(s.sim).u[0];
  }
  simulation_close(&s);
  return out;
}

static void expect_alarm(const char *what, const char *text, const char *scheme, double dt, double t_end, double theta,
                         const char *reason) {
  outcome out = run_text(text, scheme, dt, t_end, theta);
  bool caught = out.status == PICUS_ERROR_STEP && strstr(out.sentence, "smaller steps do not confirm") &&
                strstr(out.sentence, reason);
  if (!CHECK(caught)) printf("  %s, %s, dt = %g: %d %s\n", what, scheme, dt, (int)out.status, out.sentence);
  CHECK(out.summary.t_end < t_end && out.summary.steps > 0);
}

static void expect_peace(const char *what, const char *text, const char *scheme, double dt, double t_end) {
  outcome out = run_text(text, scheme, dt, t_end, -1);
  if (!CHECK(out.status == PICUS_OK))
    printf("  %s, %s, dt = %g: %d %s\n", what, scheme, dt, (int)out.status, out.sentence);
}

static const char spring[] = "local q, u = coordinates { { 'z', velocity = 'vz', start = { 1, 0 } } }\n"
                             "kinetic(u.vz^2 / 2) potential(1e8 * q.z^2 / 2)\n"
                             "simulate { dt = 1e-3, t_end = 0.05 }\n";

/* omega = 1e4 rad/s; the explicit schemes are stable for dt < 2e-4. */
static void stiff_springs(void) {
  static const double sizes[] = {2.05e-4, 2.2e-4, 3e-4, 1e-3, 1e-2};
  for (int i = 0; i < 5; i++)
    for (int k = 0; k < 2; k++)
      expect_alarm("spring", spring, schemes[k], sizes[i], 2000 * sizes[i], -1, "1e+04 rad/s");
  expect_alarm("spring", spring, "moreau-jean", 1e-3, 1, 0, "theta = 0.5 or more");
  expect_alarm("spring", spring, "schatzman-paoli", 1e-3, 1, 0, "1e+04 rad/s");
  expect_alarm("spring", spring, "moreau-combined", 1e-3, 1, 0, "1e+04 rad/s");
  expect_alarm("spring", spring, "moreau-projected", 1e-3, 1, 0, "1e+04 rad/s");
  for (int k = 0; k < 2; k++) expect_peace("spring below the limit", spring, schemes[k], 1.9e-4, 1);
  for (int k = 2; k < SCHEMES; k++) expect_peace("implicit spring", spring, schemes[k], 1e-2, 10);
}

/* A run of a few steps is caught at its end. */
static void short_runs(void) {
  outcome out = run_text(spring, "moreau", 1e-3, 5e-3, -1);
  CHECK(out.status == PICUS_ERROR_STEP && out.summary.steps == 5);
}

/* The inertia {1, 1, 100} with formulas, where nobody looks at the triangle inequality. */
static void impossible_inertia(void) {
  static const char text[] =
      "local q, u = coordinates { { 'x', velocity = 'a', start = { 0, 1 } },\n"
      "  { 'y', velocity = 'b', start = { 0, 0.1 } }, { 'z', velocity = 'c', start = { 0, 3 } } }\n"
      "mass { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 100 } }\n"
      "force_vector { -99 * u.b * u.c, 99 * u.a * u.c, 0 }\n"
      "simulate { dt = 1e-3, t_end = 10 }\n";
  static const double sizes[] = {1e-4, 3e-4, 1e-3, 3e-3, 1e-2};
  for (int i = 0; i < 5; i++) expect_alarm("inertia", text, "moreau", sizes[i], 1e5 * sizes[i], -1, "297 1/s");
  expect_peace("inertia", text, "moreau-jean", 1e-3, 10);
}

/* Growth that is real: exponential, over many orders; from rest; by a motor; by a rocket; by an unstable equilibrium.
 */
static const char *const growing[][2] = {
    {"exponential", "local q, u = coordinates { { 'x', velocity = 'v', start = { 1, 1 } } }\n"
                    "kinetic(u.v^2 / 2) potential(-q.x^2 / 2) simulate { dt = 1e-2, t_end = 80 }\n"},
    {"negative damping",
     "local q, u = coordinates { { 'x', velocity = 'v', start = { 1, 0 } } }\n"
     "kinetic(u.v^2 / 2) potential(q.x^2 / 2) force { x = 2 * u.v } simulate { dt = 1e-2, t_end = 40 }\n"},
    {"free fall", "local q, u = coordinates { { 'z', velocity = 'v', start = { 0, 0 } } }\n"
                  "kinetic(u.v^2 / 2) potential(9.81 * q.z) simulate { dt = 1e-3, t_end = 10 }\n"},
    {"motor", "local q, u = coordinates { { 'phi', velocity = 'w', start = { 0, 0 } } }\n"
              "kinetic(u.w^2 / 2) force { phi = exp(t) } simulate { dt = 1e-2, t_end = 80 }\n"},
    {"parametric resonance", "local q, u = coordinates { { 'x', velocity = 'v', start = { 1e-6, 0 } } }\n"
                             "kinetic(u.v^2 / 2) potential((1 + 0.5 * cos(2 * t)) * q.x^2 / 2)\n"
                             "simulate { dt = 1e-2, t_end = 300 }\n"},
    {"inverted pendulum", "local q, u = coordinates { { 'phi', velocity = 'w', start = { 1e-14, 0 } } }\n"
                          "kinetic(u.w^2 / 2) potential(9.81 * cos(q.phi)) simulate { dt = 1e-3, t_end = 30 }\n"},
    {"rocket", "local q, u = coordinates { { 'x', velocity = 'v', start = { 0, 0 } } }\n"
               "mass { { 1 - 0.0999 * t } } force_vector { 3 } simulate { dt = 1e-3, t_end = 10 }\n"},
    {"ball on a shaken table that grows",
     "local q, u = coordinates { { 'z', velocity = 'v', start = { 0, 0 } } }\n"
     "kinetic(u.v^2 / 2) potential(9.81 * q.z)\n"
     "contact { 'table', gap = q.z - 1e-6 * exp(t) * sin(20 * t), eN = 0.3 } simulate { dt = 1e-3, t_end = 14 }\n"},
    {"at rest, then kicked", "local q, u = coordinates { { 'z', velocity = 'v', start = { 0, 0 } } }\n"
                             "kinetic(u.v^2 / 2) potential(9.81 * q.z) contact { 'floor', gap = q.z, eN = 0.5 }\n"
                             "force { z = when(gt(t, 0.5), 20, 0) } simulate { dt = 1e-3, t_end = 3 }\n"}};

static void real_growth(void) {
  for (size_t i = 0; i < sizeof growing / sizeof *growing; i++)
    for (int k = 0; k < SCHEMES; k++) expect_peace(growing[i][0], growing[i][1], schemes[k], 0, 0);
}

/* A chain of masses with random springs and dampers between walls, pulled by a force, with contacts between the masses:
 * dt times its highest frequency is `product`. */
static void write_chain(test_random *random, int count, double product, char *text, size_t size, double *dt) {
  double stiffest = 0;
  size_t used = (size_t)snprintf(text, size, "local q, u = coordinates {");
  for (int i = 0; i < count; i++)
    used += (size_t)snprintf(text + used, size - used, " { 'x%d', velocity = 'v%d', start = { %d, %.17g } },", i, i, i,
                             i % 2 ? test_uniform(random, -1, 1) : 0.0);
  used += (size_t)snprintf(text + used, size - used, " }\n");
  for (int i = 0; i < count; i++) {
    double m = pow(10, test_uniform(random, -1, 1)), k = pow(10, test_uniform(random, 1, 5));
    stiffest = fmax(stiffest, k / m);
    used += (size_t)snprintf(text + used, size - used, "kinetic(%.17g * u.v%d^2)\npotential(%.17g * (q.x%d - %d)^2)\n",
                             m / 2, i, k / 2, i, i);
    if (i > 0)
      used += (size_t)snprintf(text + used, size - used, "contact { 'c%d', gap = q.x%d - q.x%d - 0.9, eN = %.3g }\n", i,
                               i, i - 1, test_uniform(random, 0, 1));
  }
  *dt = product / sqrt(stiffest);
  snprintf(text + used, size - used, "force { x0 = 1 }\nsimulate { dt = 1, t_end = 1 }\n");
}

static void random_chains(void) {
  test_random random = {2026};
  char text[8192];
  for (int trial = 0; trial < 40; trial++) {
    double dt;
    write_chain(&random, test_integer(&random, 2, 8), test_uniform(&random, 0.01, 1.5), text, sizeof text, &dt);
    for (int k = 0; k < SCHEMES; k++) {
      outcome out = run_text(text, schemes[k], dt, 300 * dt, -1);
      if (!CHECK(out.status != PICUS_ERROR_STEP)) printf("  trial %d, %s: %s\n", trial, schemes[k], out.sentence);
    }
    write_chain(&random, test_integer(&random, 2, 8), test_uniform(&random, 2.1, 20), text, sizeof text, &dt);
    for (int k = 0; k < 2; k++) {
      outcome out = run_text(text, schemes[k], dt, 1000 * dt, -1);
      bool caught = out.status == PICUS_ERROR_STEP || out.status == PICUS_ERROR_NUMBER;
      /* three hundredfold growths in a row end a run; less may go on until its end */
      if (!CHECK(caught || out.summary.energy.end < 1e6 * out.summary.energy.start))
        printf("  trial %d, %s: %g -> %g J, %s\n", trial, schemes[k], out.summary.energy.start, out.summary.energy.end,
               out.sentence);
    }
  }
}

/* Springs far stiffer than dt resolves, released at a tiny velocity: implicit schemes jump, and stay bounded. */
static void stiff_springs_of_implicit_schemes(void) {
  test_random random = {77};
  char text[512];
  for (int trial = 0; trial < 40; trial++) {
    const double dt = pow(10, test_uniform(&random, -4, -2)), omega = pow(10, test_uniform(&random, 0.3, 3)) / dt;
    snprintf(text, sizeof text,
             "local q, u = coordinates { { 'x', velocity = 'v', start = { 0.1, %g } }, { 'y', velocity = 'w' } }\n"
             "kinetic((u.v^2 + u.w^2) / 2) potential(%.9g * q.x^2 + %g * q.y)\n"
             "contact { 'floor', gap = q.y + 0.01, eN = 0.5 } simulate { dt = %.9g, t_end = %.9g }\n",
             test_uniform(&random, -1e-6, 1e-6), omega * omega / 2, test_uniform(&random, 0, 10), dt,
             dt * test_integer(&random, 8, 400));
    for (int k = 2; k < SCHEMES; k++) expect_peace("released spring", text, schemes[k], 0, 0);
  }
}

/* A run that is looked at closer is the same run: schemes that remember steps come back to what they had. */
static void comparing_changes_nothing(void) {
  static const char text[] = "local q, u = coordinates { { 'z', velocity = 'v', start = { 1, 0 } } }\n"
                             "kinetic(u.v^2 / 2) potential(9.81 * q.z) contact { 'floor', gap = q.z, eN = 0.5 }\n"
                             "simulate { dt = 1e-3, t_end = 2 }\n";
  for (int k = 0; k < SCHEMES; k++) {
    outcome out = run_text(text, schemes[k], 0, 0, -1);
    simulation s;
    picus_sim_options options;
    REQUIRE(simulation_load_text(&s, text, &options));
    options.scheme = schemes[k];
    if (simulation_start(&s, &options)) {
      for (int i = 0; i < 2000; i++) CHECK(picus_sim_step(s.sim, 0, NULL) == PICUS_OK);
      CHECK_NEAR(out.q, picus_sim_state(s.sim).q[0], 1e-9);
      CHECK_NEAR(out.u, picus_sim_state(s.sim).u[0], 1e-9);
    }
    simulation_close(&s);
  }
}

static void count_sweeps(void *user, int stage, int iterations, bool solved) {
  (void)stage, (void)solved;
  if (iterations > 0) *(int *)user += iterations;
}

/* Masses at rest on each other: a halved step has half of the percussions of a step, and begins with them, so that it
 * takes as many sweeps as a step whose percussions are known. */
static void halves_begin_with_half_of_the_percussions(void) {
  static const char text[] =
      "local q, u = coordinates { { 'a', velocity = 'va' }, { 'b', velocity = 'vb' }, { 'c', velocity = 'vc' },\n"
      "                           { 'd', velocity = 'vd' } }\n"
      "kinetic((u.va^2 + u.vb^2 + u.vc^2 + u.vd^2) / 2) potential(9.81 * (q.a + q.b + q.c + q.d))\n"
      "contact { 'ground', gap = q.a } contact { 'ab', gap = q.b - q.a } contact { 'bc', gap = q.c - q.b }\n"
      "contact { 'cd', gap = q.d - q.c }\n"
      "simulate { scheme = 'moreau', dt = 1e-3, t_end = 1 }\n";
  simulation s;
  picus_sim_options options;
  REQUIRE(simulation_load_text(&s, text, &options));
  options.solver.solver = "gs";
  if (simulation_start(&s, &options)) {
    stepper *state = &s.sim->stepper;
    growth_alarm alarm;
    int first = 0, known = 0, halves = 0;
    picus_solver_watch_stages(state->contacts.solver, (picus_stage_watch){count_sweeps, &first});
    CHECK(picus_sim_step(s.sim, 0, NULL) == PICUS_OK);
    CHECK(picus_alarm_create(state, &alarm) == PICUS_OK);
    alarm.to_compare = 2;
    alarm.stride = 1;
    picus_alarm_before_step(&alarm, state);
    picus_solver_watch_stages(state->contacts.solver, (picus_stage_watch){count_sweeps, &known});
    CHECK(picus_sim_step(s.sim, 0, NULL) == PICUS_OK);
    picus_solver_watch_stages(state->contacts.solver, (picus_stage_watch){count_sweeps, &halves});
    CHECK(picus_alarm_after_step(&alarm, state, options.dt) == PICUS_OK);
    CHECK(known < first);
    if (!CHECK(halves == 2 * known)) printf("  sweeps: %d, then %d, in halves %d\n", first, known, halves);
    picus_alarm_release(state, &alarm);
  }
  simulation_close(&s);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"stiff_springs", stiff_springs},
      {"short_runs", short_runs},
      {"impossible_inertia", impossible_inertia},
      {"real_growth", real_growth},
      {"random_chains", random_chains},
      {"stiff_springs_of_implicit_schemes", stiff_springs_of_implicit_schemes},
      {"comparing_changes_nothing", comparing_changes_nothing},
      {"halves_begin_with_half_of_the_percussions", halves_begin_with_half_of_the_percussions}};
  return test_main(argc, argv, "growth_alarm", cases, sizeof cases / sizeof *cases);
}
