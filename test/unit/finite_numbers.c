/* What is not finite ends a run of any scheme with the name, the time and the formula: gaps, constraints, slips,
 * forces, masses, rates, outputs, energies, and numbers that are not finite in a Jacobian alone. Systems by functions
 * have no formula: the law or the coordinate is named. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SCHEMES = 9 };
static const char *const schemes[SCHEMES] = {"moreau",          "moreau-jean",     "moreau-projected",
                                             "moreau-combined", "schatzman-paoli", "rattle",
                                             "moreau-explicit", "half-explicit",   "half-explicit-rk"};

/* Runs a text with a scheme and expects an error of this name whose sentence has the two pieces. */
static void expect_refusal(const char *text, const char *scheme, bool adaptive, const char *what, const char *why) {
  simulation s;
  picus_sim_options options;
  picus_summary summary = {0};
  if (!simulation_load_text(&s, text, &options)) return;
  options.scheme = scheme;
  options.adaptive = adaptive;
  if (simulation_start(&s, &options)) {
    picus_run_description run = {.model = s.model, .system = s.system, .options = picus_sim_options_of(s.sim)};
    picus_recorder *recorder = NULL;
    CHECK(picus_recorder_create(s.context, &run, &recorder) == PICUS_OK);
    picus_status status = picus_sim_run(s.sim, recorder, NULL, &summary);
    const char *sentence = picus_last_error(s.context)->message;
    bool named = strstr(sentence, what) && strstr(sentence, why) && strstr(sentence, "is not a finite number");
    if (!CHECK(status == PICUS_ERROR_NUMBER) || !CHECK(named))
      printf("  %s%s: %d, %s\n", scheme, adaptive ? " adaptive" : "", (int)status, sentence);
    CHECK(summary.t_end < 0.22 && summary.status == status);
    picus_recorder_destroy(recorder);
  }
  simulation_close(&s);
}

#define HEAD "local q, u = coordinates { { 'x', velocity = 'v', start = { 1, -1 } }, { 'y', velocity = 'w' } }\n"
#define TAIL "simulate { dt = 1e-2, t_end = 0.5 }\n"
#define MASSES "kinetic((u.v^2 + u.w^2) / 2)\n"

typedef struct broken_model {
  const char *name, *text, *what, *why;
  bool no_friction; /* schatzman-paoli takes it */
} broken_model;

static const broken_model broken[] = {
    {"force", HEAD MASSES "force { x = sqrt(0.2 - t) }\n" TAIL, "the force on 'v'", "sqrt(0.2 - t) = sqrt(-", true},
    {"gap", HEAD MASSES "contact { 'c', gap = q.y + 1 + sqrt(0.2 - t) }\n" TAIL, "'c'", "0.2 - t", true},
    {"slip", HEAD MASSES "contact { 'c', gap = q.y, slip = u.v + 1e-9 * log(0.2 - t), mu = 0.1 }\n" TAIL,
     "the slip velocity of 'c'", "log(0.2 - t)", false},
    {"constraint",
     HEAD MASSES "constraint { 'c', velocity = u.w + 0 * u.v + 1e-9 * log(0.2 - t) - 1e-9 * log(0.2) }\n" TAIL,
     "the constrained velocity of 'c'", "log(0.2 - t)", false},
    {"clutch", HEAD MASSES "clutch { 'c', velocity = u.w + 1e-9 * log(0.2 - t) }\n" TAIL, "'c'", "log(0.2 - t)", false},
    {"preload", HEAD MASSES "preload { 'c', displacement = q.y + 1e-9 * log(0.2 - t), force = 1 }\n" TAIL, "'c'", "0.2",
     false},
    {"mass", HEAD "kinetic((u.v^2 + (1 + 1e-3 * sqrt(0.2 - t)) * u.w^2) / 2)\n" TAIL, "'w'", "0.2 - t", true},
    {"output", HEAD MASSES "observe { 'o', q.x * sqrt(0.2 - t) }\n" TAIL, "the output 'o'", "sqrt(0.2 - t) = sqrt(-",
     true},
    {"energy", HEAD MASSES "potential(q.x + log(0.2 - t))\n" TAIL, "the potential energy", "log(0.2 - t)", true},
};
enum { BROKEN = sizeof broken / sizeof *broken };

static void named_by_every_scheme(void) {
  for (int k = 0; k < BROKEN; k++)
    for (int i = 0; i < SCHEMES; i++) {
      if (!broken[k].no_friction && strcmp(schemes[i], "schatzman-paoli") == 0) continue;
      expect_refusal(broken[k].text, schemes[i], false, broken[k].what, broken[k].why);
    }
}

static void named_in_adaptive_runs(void) {
  for (int k = 0; k < BROKEN; k++) {
    if (strcmp(broken[k].name, "energy") == 0 || strcmp(broken[k].name, "output") == 0) continue; /* at rows only */
    expect_refusal(broken[k].text, "moreau", true, broken[k].what, broken[k].why);
    expect_refusal(broken[k].text, "rattle", true, broken[k].what, broken[k].why);
  }
}

/* sqrt(|y|) has the value 0 at y = 0, but no derivative: schemes that need it say so, others run. The spring makes
 * iterations necessary: without it the guess of the velocity solves each step, and no derivative is asked for. */
static void a_jacobian_alone(void) {
  static const char text[] = HEAD MASSES "force { x = -q.x, y = -sqrt(abs(q.y)) }\n" TAIL;
  static const char *const needs_it[] = {"moreau-jean", "moreau-projected", "moreau-combined", "schatzman-paoli"};
  for (int i = 0; i < 4; i++)
    expect_refusal(text, needs_it[i], false, "the derivative of the force on 'w' with respect to 'y'",
                   "sqrt(abs(y)) = 1/0");
  for (int i = 0; i < 2; i++) {
    simulation s;
    picus_sim_options options;
    REQUIRE(simulation_load_text(&s, text, &options));
    options.scheme = i ? "rattle" : "moreau";
    if (simulation_start(&s, &options)) CHECK(picus_sim_run(s.sim, NULL, NULL, NULL) == PICUS_OK);
    simulation_close(&s);
  }
}

/* A branch that is not taken may be no number, and is not blamed. */
static void branches(void) {
  simulation s;
  REQUIRE(simulation_open_text(&s, HEAD MASSES
                               "force { x = when(lt(t, 0.1), 0, sqrt(abs(0.1 - t))) + 0 * q.y }\n"
                               "force { y = when(lt(t, 0.15), sqrt(abs(0.15 - t)), sqrt(t - 0.15)) }\n" TAIL));
  CHECK(picus_sim_run(s.sim, NULL, NULL, NULL) == PICUS_OK);
  simulation_close(&s);
  expect_refusal(HEAD MASSES "force { x = when(lt(t, 0.5), log(0.2 - t), log(t - 3)) }\n" TAIL, "moreau", false,
                 "the force on 'v'", "log(0.2 - t) = log(-0.005) in when(t < 0.5, log(0.2 - t), log(t - 3))");
}

/* --- systems by functions ----------------------------------------------------------------------------------------- */

typedef enum broken_function { NOTHING, MASS, FORCE, GAP, DIRECTION, ENERGY, RATE, JACOBIAN } broken_function;

typedef struct own_system {
  broken_function broken;
} own_system;

static double value(const void *user, broken_function which, double t, double finite) {
  return ((const own_system *)user)->broken == which && t > 0.2 ? NAN : finite;
}
static int own_mass(void *user, double t, const double *q, double *M) {
  (void)q;
  M[0] = M[3] = 1;
  M[1] = M[2] = value(user, MASS, t, 0);
  return 0;
}
/* With friction that a Newton matrix of an earlier step does not fit. */
static int own_force(void *user, double t, const double *q, const double *u, double *h) {
  (void)q;
  if (((const own_system *)user)->broken == JACOBIAN) h[0] = 40 * sin(30 * t) - 50 * u[0] * u[0] * u[0];
  h[1] = value(user, FORCE, t, -1);
  return 0;
}
static int own_gaps(void *user, double t, const double *q, double *gap) {
  gap[0] = value(user, GAP, t, q[1]);
  return 0;
}
static int own_directions(void *user, double t, const double *q, double *W, double *chi) {
  (void)q, (void)chi;
  W[1] = 1;
  W[2] = value(user, DIRECTION, t, 1);
  return 0;
}
static int own_energy(void *user, double t, const double *q, const double *u, double *kinetic, double *potential) {
  *kinetic = 0.5 * (u[0] * u[0] + u[1] * u[1]);
  *potential = value(user, ENERGY, t, q[1]);
  return 0;
}
static int own_rate(void *user, double t, const double *q, const double *u, double *rate) {
  (void)q;
  rate[0] = value(user, RATE, t, u[0]);
  rate[1] = u[1];
  return 0;
}
static int own_jacobian(void *user, double t, const double *q, const double *u, double *dh_dq, double *dh_du) {
  (void)q, (void)dh_dq;
  if (((const own_system *)user)->broken == JACOBIAN) dh_du[0] = -150 * u[0] * u[0];
  dh_du[2] = value(user, JACOBIAN, t, 0);
  return 0;
}

static void expect_function_refused(broken_function which, const char *scheme, const char *what) {
  static const char *const q_names[] = {"x", "y"}, *const u_names[] = {"v", "w"};
  const picus_system_law law = {"floor", PICUS_COULOMB, .has_gap = true, .slips = 1, .mu = 0.2};
  const double start[] = {0, 0};
  own_system user = {which};
  picus_system_functions f = {.nq = 2, .nu = 2, .q_names = q_names, .u_names = u_names, .q_start = start};
  f.law_count = 1, f.laws = &law, f.mass = own_mass, f.force = own_force, f.gaps = own_gaps;
  f.directions = own_directions, f.energy = own_energy, f.force_jacobian = own_jacobian;
  if (which == RATE) f.rate = own_rate;
  picus_sim_options options = picus_default_sim_options();
  options.dt = 1e-2, options.t_end = 0.5, options.scheme = scheme;
  picus_context *context = NULL;
  picus_system *system = NULL;
  picus_sim *sim = NULL;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  if (CHECK(picus_system_from_functions(context, &f, &user, &system) == PICUS_OK) &&
      CHECK(picus_sim_create(context, system, &options, &sim) == PICUS_OK)) {
    picus_status status = picus_sim_run(sim, NULL, NULL, NULL);
    const char *sentence = picus_last_error(context)->message;
    if (!CHECK(status == PICUS_ERROR_NUMBER) || !CHECK(strstr(sentence, what) && strstr(sentence, "at t = 0.")))
      printf("  %s: %d, %s\n", scheme, (int)status, sentence);
  }
  picus_sim_destroy(sim);
  picus_system_destroy(system);
  picus_context_destroy(context);
}

static void functions_are_named(void) {
  static const char *const all[] = {"moreau", "moreau-jean", "moreau-projected", "moreau-combined", "rattle"};
  for (int i = 0; i < 5; i++) {
    expect_function_refused(MASS, all[i], "the entry of the mass matrix for 'v' and 'w'");
    expect_function_refused(FORCE, all[i], "the force on 'w'");
    expect_function_refused(GAP, all[i], "the gap of 'floor'");
    expect_function_refused(DIRECTION, all[i], "the slip velocity of 'floor'");
    expect_function_refused(ENERGY, all[i], "the potential energy");
    expect_function_refused(RATE, all[i], "the rate of the coordinate 'x'");
    if (i > 0) expect_function_refused(JACOBIAN, all[i], "the derivative of the force on 'w' with respect to 'v'");
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"named_by_every_scheme", named_by_every_scheme},
                                    {"named_in_adaptive_runs", named_in_adaptive_runs},
                                    {"a_jacobian_alone", a_jacobian_alone},
                                    {"branches", branches},
                                    {"functions_are_named", functions_are_named}};
  return test_main(argc, argv, "finite_numbers", cases, sizeof cases / sizeof *cases);
}
