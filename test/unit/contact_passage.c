/* Warnings of runs with fixed steps at contacts: what was passed through between two looks is named, penetrations that
 * the scheme does not explain are counted, and nothing else is. */
#include "sim/internal.h"
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SCHEMES = 6 };
static const char *const schemes[SCHEMES] = {"moreau",           "moreau-jean",     "rattle",
                                             "moreau-projected", "moreau-combined", "schatzman-paoli"};

static bool run_with(simulation *s, picus_sim_options *options, const char *scheme, double dt, double t_end,
                     picus_summary *summary) {
  options->scheme = scheme;
  if (dt > 0) options->dt = dt;
  if (t_end > 0) options->t_end = t_end;
  return simulation_start(s, options) && CHECK(picus_sim_run(s->sim, NULL, NULL, summary) == PICUS_OK);
}

static picus_summary run_text(const char *text, const char *scheme, double dt, double t_end) {
  simulation s;
  picus_sim_options options;
  picus_summary summary = {0};
  if (simulation_load_text(&s, text, &options)) {
    if (!run_with(&s, &options, scheme, dt, t_end, &summary)) printf("  %s: %s\n", scheme, text);
    simulation_close(&s);
  }
  return summary;
}

static const char tunnel[] =
    "local q, u = coordinates { { 'z', velocity = 'vz', start = { 0.6, -100 } } }\n"
    "kinetic(u.vz^2 / 2) contact { 'f', gap = q.z, eN = 0 } simulate { dt = 1e-2, t_end = 0.01 }\n";

/* A body that moves farther in a step than its contact was ever open. */
static void a_leap_is_named(void) {
  for (int k = 0; k < 2; k++)
    for (int steps = 1; steps < 20; steps += 9) {
      picus_summary sum = run_text(tunnel, schemes[k], 0, 0.01 * steps);
      CHECK(sum.gaps.passed.count == 1 && sum.gaps.passed.law == 0 && sum.gaps.unexplained.steps == 0);
      CHECK_NEAR(sum.gaps.passed.t, steps == 1 ? 0.01 : 0.02, 1e-12);
      CHECK_NEAR(sum.gaps.passed.travel, 1, 1e-12);
      CHECK_NEAR(sum.gaps.passed.gap, 0.6, 1e-12);
    }
  for (int k = 0; k < SCHEMES; k++) {
    picus_summary coarse = run_text(tunnel, schemes[k], 0, 0.1), fine = run_text(tunnel, schemes[k], 1e-4, 0.1);
    CHECK((coarse.gaps.passed.count > 0) == (k < 2)); /* the others hold the gap */
    CHECK(fine.gaps.passed.count == 0 && fine.gaps.unexplained.steps == 0);
  }
}

/* A wall of half thickness 0.01 that a ball flies through in a step. */
static void a_thin_wall_is_named(void) {
  static const char text[] = "local q, u = coordinates { { 'x', velocity = 'v', start = { -1.03, 10 } } }\n"
                             "kinetic(u.v^2 / 2) contact { 'wall', gap = abs(q.x) - 0.01, eN = 0.5 }\n"
                             "simulate { dt = 0.02, t_end = 0.3 }\n";
  for (int k = 0; k < SCHEMES; k++) {
    picus_summary coarse = run_text(text, schemes[k], 0, 0), fine = run_text(text, schemes[k], 1e-4, 0);
    CHECK(coarse.gaps.passed.count == 1 && coarse.impacts == 0);
    CHECK_NEAR(coarse.gaps.passed.t, 0.103, 1e-4); /* the middle of the wall */
    CHECK_NEAR(coarse.gaps.passed.gap, 0.01, 1e-4);
    CHECK(fine.gaps.passed.count == 0 && fine.impacts > 0);
  }
}

/* Forces that turn a body round before it touches are no wall. */
static void turned_by_forces(void) {
  static const char text[] =
      "local q, u = coordinates { { 'x', velocity = 'v', start = { 1, -10 } } }\n"
      "kinetic(u.v^2 / 2) potential(q.x^2 * 600) contact { 'floor', gap = q.x + 0.3, eN = 0.5 }\n"
      "simulate { dt = 0.02, t_end = 2 }\n";
  for (int k = 0; k < SCHEMES; k++) {
    picus_summary sum = run_text(text, schemes[k], 0, 0);
    CHECK(sum.gaps.passed.count == 0);
  }
}

/* The rod of the shipped model is through the ring after one step of 5 ms. */
static void the_ring_is_named(void) {
  for (int coarse = 0; coarse < 2; coarse++) {
    simulation s;
    picus_sim_options options;
    picus_summary sum = {0};
    REQUIRE(simulation_load(&s, "pendulum-in-ring", "", &options));
    if (run_with(&s, &options, "rattle", coarse ? 5e-3 : 0, 0.2, &sum)) {
      CHECK((sum.gaps.passed.count > 0) == coarse);
      CHECK(!coarse || fabs(sum.gaps.passed.t - 0.0473) < 1e-3);
    }
    simulation_close(&s);
  }
}

/* --- penetrations ------------------------------------------------------------------------------------------------- */

/* A user's system whose floor rises with 1 m/s, but whose directions do not say so: the contact sinks. */
typedef struct own_system {
  double chi;
} own_system;
static int own_mass(void *user, double t, const double *q, double *M) {
  (void)user, (void)t, (void)q;
  M[0] = 1;
  return 0;
}
static int own_force(void *user, double t, const double *q, const double *u, double *h) {
  (void)user, (void)t, (void)q, (void)u;
  h[0] = -9.81;
  return 0;
}
static int own_gaps(void *user, double t, const double *q, double *gap) {
  (void)user;
  gap[0] = q[0] - t;
  return 0;
}
static int own_directions(void *user, double t, const double *q, double *W, double *chi) {
  (void)t, (void)q;
  W[0] = 1;
  chi[0] = ((own_system *)user)->chi;
  return 0;
}

static picus_summary run_own(double chi, const char *scheme) {
  own_system user = {chi};
  const double q = 0.5;
  const picus_system_law law = {"floor", PICUS_UNILATERAL, .has_gap = true};
  const picus_system_functions f = {.nq = 1,
                                    .nu = 1,
                                    .q_start = &q,
                                    .law_count = 1,
                                    .laws = &law,
                                    .mass = own_mass,
                                    .force = own_force,
                                    .gaps = own_gaps,
                                    .directions = own_directions};
  picus_sim_options options = picus_default_sim_options();
  picus_context *context = NULL;
  picus_system *system = NULL;
  picus_sim *sim = NULL;
  picus_summary sum = {0};
  options.dt = 1e-3, options.t_end = 1, options.scheme = scheme;
  if (!CHECK(picus_context_create(NULL, &context) == PICUS_OK)) return sum;
  if (CHECK(picus_system_from_functions(context, &f, &user, &system) == PICUS_OK) &&
      CHECK(picus_sim_create(context, system, &options, &sim) == PICUS_OK))
    CHECK(picus_sim_run(sim, NULL, NULL, &sum) == PICUS_OK);
  picus_sim_destroy(sim);
  picus_system_destroy(system);
  picus_context_destroy(context);
  return sum;
}

static void an_unexplained_penetration_is_counted(void) {
  for (int k = 0; k < 2; k++) {
    picus_summary wrong = run_own(0, schemes[k]), right = run_own(-1, schemes[k]);
    CHECK(wrong.gaps.unexplained.steps > 100 && wrong.gaps.unexplained.depth > 0.5 && wrong.gaps.unexplained.law == 0);
    CHECK(wrong.gaps.unexplained.explained < 0.01);
    CHECK(right.gaps.unexplained.steps == 0 && right.gaps.passed.count == 0);
    CHECK(right.gaps.penetration < 5e-3 && right.gaps.penetration > 0);
  }
}

/* A step of moreau whose percussions do nothing: the contact is active, and the mass keeps its velocity. */
static picus_status step_without_percussions(stepper *s, double dt, picus_step_info *info) {
  const double q = s->q[0], u = s->u[0];
  const picus_status status = picus_scheme_find("moreau")->step(s, dt, info);
  s->q[0] = q + dt * u;
  s->u[0] = u;
  if (s->problem.active_count > 0) s->problem.P[0] = 0;
  return status;
}

/* A mass starts on the floor and moves into it. The approach that the law itself leaves explains nothing, or a mass
 * that falls through the floor would be explained by its own velocity. */
static void a_law_that_does_nothing_is_named(void) {
  static const char text[] = "local q, u = coordinates {{'y', velocity = 'v', start = {0, -1}}}\n"
                             "kinetic(u.v^2 / 2) contact {'floor', gap = q.y, eN = 0.5}\n"
                             "simulate {scheme = 'moreau', dt = 1e-3, t_end = 1}\n";
  for (int faulty = 0; faulty < 2; faulty++) {
    simulation s;
    picus_summary sum = {0};
    scheme_ops scheme = *picus_scheme_find("moreau");
    if (faulty) scheme.step = step_without_percussions;
    REQUIRE(simulation_open_text(&s, text));
    s.sim->stepper.scheme = &scheme;
    CHECK(picus_sim_run(s.sim, NULL, NULL, &sum) == PICUS_OK);
    CHECK(faulty ? sum.gaps.unexplained.steps > 900 : sum.gaps.unexplained.steps == 0);
    CHECK_NEAR(sum.gaps.unexplained.depth, faulty ? 1 : 0, 2e-3);
    CHECK(sum.gaps.unexplained.explained < 0.01);
    simulation_close(&s);
  }
}

/* --- no false warnings -------------------------------------------------------------------------------------------- */

/* Disks in a box that falls, slides and shakes: sizes, speeds, friction and restitution at random. */
static void write_disks(test_random *random, char *text, size_t size) {
  const int count = test_integer(random, 1, 4);
  const double e = test_uniform(random, 0, 0.9), mu = test_uniform(random, 0, 0.6);
  size_t used = (size_t)snprintf(text, size, "gravity { %.3g, -9.81 }\n", test_uniform(random, -5, 5));
  for (int i = 0; i < count; i++) {
    const double r = test_uniform(random, 0.05, 0.2);
    used += (size_t)snprintf(text + used, size - used,
                             "local d%d = planar_body { 'd%d', mass = %.4g, inertia = %.4g, position = { %.4g, %.4g }, "
                             "velocity = { %.4g, %.4g }, omega = %.4g }\n",
                             i, i, test_uniform(random, 0.5, 2), r * r / 2, 0.5 * i, test_uniform(random, 0.3, 0.6),
                             test_uniform(random, -2, 2), test_uniform(random, -2, 2), test_uniform(random, -10, 10));
    used +=
        (size_t)snprintf(text + used, size - used,
                         "plane_contact { 'floor%d', ground, d%d, normal = { 0, 1 }, radius = %.4g, mu = %.3g, eN = "
                         "%.3g }\nplane_contact { 'left%d', ground, d%d, origin = { -1, 0 }, normal = { 1, 0 }, "
                         "radius = %.4g, mu = %.3g, eN = %.3g }\n",
                         i, i, r, mu, e, i, i, r, mu, e);
    for (int j = 0; j < i; j++)
      used += (size_t)snprintf(text + used, size - used,
                               "ball_contact { 'c%d_%d', d%d, d%d, radius_a = 0.05, radius_b = 0.05, mu = %.3g, eN = "
                               "%.3g }\n",
                               j, i, j, i, mu, e);
  }
  snprintf(text + used, size - used, "simulate { dt = %.3g, t_end = 0.8 }\n",
           pow(10, test_uniform(random, -3.5, -2.5)));
}

static void random_disks_give_no_warning(void) {
  test_random random = {15};
  char text[8192];
  for (int trial = 0; trial < 100; trial++) {
    write_disks(&random, text, sizeof text);
    for (int k = 0; k < SCHEMES - 1; k++) {
      picus_summary sum = run_text(text, schemes[k], 0, 0);
      if (!CHECK(sum.gaps.passed.count == 0 && sum.gaps.unexplained.steps == 0))
        printf("  trial %d, %s: %ld passed at %g (%g, %g), %ld deep %g, explained %g\n%s\n", trial, schemes[k],
               sum.gaps.passed.count, sum.gaps.passed.t, sum.gaps.passed.travel, sum.gaps.passed.gap,
               sum.gaps.unexplained.steps, sum.gaps.unexplained.depth, sum.gaps.unexplained.explained, text);
    }
  }
}

static void shipped_models_give_no_warning(void) {
  static const char *const models[] = {"bouncing-ball", "falling-mass", "impact-oscillator", "rocking-block",
                                       "slope",         "ball-in-box",  "rotating-ball",     "slider-roller"};
  for (size_t m = 0; m < sizeof models / sizeof *models; m++)
    for (int k = 0; k < SCHEMES - 1; k++)
      for (int coarse = 0; coarse < 2; coarse++) {
        simulation s;
        picus_sim_options options;
        picus_summary sum = {0};
        if (!simulation_load(&s, models[m], "", &options)) continue;
        if (run_with(&s, &options, schemes[k], (coarse ? 10 : 1) * options.dt, fmin(options.t_end, 1000 * options.dt),
                     &sum) &&
            !CHECK(sum.gaps.passed.count == 0 && sum.gaps.unexplained.steps == 0))
          printf("  %s, %s, dt = %g\n", models[m], schemes[k], options.dt);
        simulation_close(&s);
      }
}

/* A rod slides down between a wall and the floor. Both contacts flutter about zero by errors of the scheme: they are
 * not passed, and they penetrate by no more than the scheme explains. */
static void a_ladder_gives_no_warning(void) {
  test_random random = {17};
  for (int trial = 0; trial < (test_is_reduced() ? 3 : 12); trial++) {
    const double angle = test_uniform(&random, 0.7, 1.4), length = test_uniform(&random, 0.2, 2);
    char text[1024];
    snprintf(text, sizeof text,
             "gravity {0, -9.81}\n"
             "local b = planar_body {'b', mass = 2, inertia = %.17g, position = {%.17g, %.17g}, angle = %.17g}\n"
             "plane_contact {'floor', ground, b, normal = {0, 1}, point = {%.17g, 0}}\n"
             "plane_contact {'wall', ground, b, normal = {1, 0}, point = {%.17g, 0}}\n"
             "simulate {dt = 1e-3, t_end = 0.3}\n",
             length * length / 6, length / 2 * cos(angle), length / 2 * sin(angle), -angle, length / 2, -length / 2);
    static const char *const ways[] = {"moreau", "moreau-jean", "half-explicit", "half-explicit-rk"};
    for (int k = 0; k < 4; k++)
      for (double dt = 1.2e-3; dt > 3e-5; dt *= 0.25) {
        const picus_summary sum = run_text(text, ways[k], dt, 0.3);
        if (!CHECK(sum.gaps.passed.count == 0 && sum.gaps.unexplained.steps == 0))
          printf("  %s, dt = %g, angle %g: %ld passed at %g, %ld deep %g, explained %g\n", ways[k], dt, angle,
                 sum.gaps.passed.count, sum.gaps.passed.t, sum.gaps.unexplained.steps, sum.gaps.unexplained.depth,
                 sum.gaps.unexplained.explained);
      }
  }
}

/* The same with shapes, whose contacts may be pushed by each other in the step that closes them: the depth that this
 * explains is no error. */
static void a_ladder_of_shapes_gives_no_warning(void) {
  static const char text[] = "gravity {0, -9.81}\n"
                             "half_space {'floor', normal = {0, 1}}\nhalf_space {'wall', normal = {1, 0}}\n"
                             "capsule {'b', length = 1, radius = 0.02, mass = 2, angle = -1.2,\n"
                             "  position = {0.02 + 0.5 * cos(1.2), 0.02 + 0.5 * sin(1.2)}}\n"
                             "simulate {dt = 1e-3, t_end = 0.5}\n";
  static const char *const ways[] = {"moreau", "moreau-explicit", "moreau-jean", "half-explicit"};
  for (int k = 0; k < 4; k++)
    for (double dt = 4e-3; dt > 1e-4; dt *= 0.3) {
      const picus_summary sum = run_text(text, ways[k], dt, 0.5);
      if (!CHECK(sum.gaps.passed.count == 0 && sum.gaps.unexplained.steps == 0))
        printf("  %s, dt = %g: %ld deep %g, explained %g\n", ways[k], dt, sum.gaps.unexplained.steps,
               sum.gaps.unexplained.depth, sum.gaps.unexplained.explained);
    }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"a_leap_is_named", a_leap_is_named},
                                    {"a_thin_wall_is_named", a_thin_wall_is_named},
                                    {"turned_by_forces", turned_by_forces},
                                    {"the_ring_is_named", the_ring_is_named},
                                    {"an_unexplained_penetration_is_counted", an_unexplained_penetration_is_counted},
                                    {"a_law_that_does_nothing_is_named", a_law_that_does_nothing_is_named},
                                    {"random_disks_give_no_warning", random_disks_give_no_warning},
                                    {"a_ladder_gives_no_warning", a_ladder_gives_no_warning},
                                    {"a_ladder_of_shapes_gives_no_warning", a_ladder_of_shapes_gives_no_warning},
                                    {"shipped_models_give_no_warning", shipped_models_give_no_warning}};
  return test_main(argc, argv, "contact_passage", cases, sizeof cases / sizeof *cases);
}
