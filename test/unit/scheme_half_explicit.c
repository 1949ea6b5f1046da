/* The half-explicit scheme at velocity level (Schindler et al. 2015): closed forms, the component rule, options. */
#include "support/allocations.h"
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char ball[] = "local q, u = coordinates { { 'z', velocity = 'v', start = { 1, 0 } } }\n"
                           "kinetic(0.5 * 2 * u.v^2)\n"
                           "potential(2 * 10 * q.z)\n"
                           "contact { 'ground', gap = q.z, eN = 0.5 }\n"
                           "simulate { scheme = 'half-explicit', dt = 1/1024, t_end = 4 }\n";

static bool run_text(const char *text, const char *scheme, double dt, double sample, recorded_rows *rows,
                     picus_summary *summary) {
  simulation s;
  picus_sim_options options;
  *rows = (recorded_rows){0};
  bool done = simulation_load_text(&s, text, &options);
  if (done) {
    if (scheme) options.scheme = scheme;
    if (dt > 0) options.dt = dt;
    options.sample = sample;
    options.every = sample > 0 ? 0 : 1;
    done = simulation_start(&s, &options) && simulation_run(&s, rows, summary);
  }
  simulation_close(&s);
  return done;
}

/* Free fall is exact; the impact returns e times the velocity at the end of the step; then the ball rests on the ground
 * with the force of its weight. */
static void a_ball_falls_bounces_and_rests(void) {
  simulation s;
  REQUIRE(simulation_open_text(&s, ball));
  picus_step_info info;
  double before;
  int k = 0;
  do {
    before = picus_sim_state(s.sim).u[0];
    REQUIRE(picus_sim_step(s.sim, 0, &info) == PICUS_OK);
    const double t = ++k / 1024.0;
    CHECK_NEAR(picus_sim_state(s.sim).q[0], 1 - 5 * t * t, 1e-13);
  } while (info.active == 0);
  const double at_impact = before - 10 / 1024.0, after = picus_sim_state(s.sim).u[0];
  CHECK(info.impacts == 1);
  CHECK_NEAR(after, -0.5 * at_impact, 1e-14);
  picus_law_state law;
  CHECK(picus_sim_laws(s.sim, &law) == PICUS_OK && law.mode == PICUS_STICK);
  CHECK_NEAR(law.PN, 2 * (after - at_impact), 1e-14);
  CHECK_NEAR(info.dissipated, at_impact * at_impact - after * after, 1e-13);
  while (picus_sim_state(s.sim).t < 4) REQUIRE(picus_sim_step(s.sim, 0, &info) == PICUS_OK);
  CHECK(picus_sim_laws(s.sim, &law) == PICUS_OK);
  CHECK_NEAR(law.PN, 20 / 1024.0, 1e-14);
  CHECK_NEAR(picus_sim_state(s.sim).u[0], 0, 1e-15);
  simulation_close(&s);
}

/* A mass that starts at rest on the ground with a gap of 0 stays closed, whatever round-off does to the gap. */
static void a_mass_at_rest_never_opens(void) {
  static const char text[] = "local q, u = coordinates { { 'x', velocity = 'vx', start = { 0.1, 1 } },\n"
                             "  { 'y', velocity = 'vy', start = { -0.3, 0.1 } } }\n"
                             "kinetic((u.vx^2 + u.vy^2) / 2)\n"
                             "force { vx = 0.3 * 9.81 - q.x, vy = -9.81 }\n"
                             "contact { 'ground', gap = q.y - 0.1 * q.x + 0.31, slip = u.vx + 0.1 * u.vy, mu = 0.1 }\n"
                             "simulate { scheme = 'half-explicit', dt = 1e-3, t_end = 5 }\n";
  recorded_rows rows;
  picus_summary summary;
  REQUIRE(run_text(text, NULL, 0, 0, &rows, &summary));
  for (long k = 1; k < rows.row_count; k++) CHECK(recorded_value(&rows, k, "ground.PN") > 5e-3);
  CHECK(summary.impacts == 0 && summary.chatter == 0);
  printf("  largest gap %.1e, penetration %.1e\n", recorded_value(&rows, rows.row_count - 1, "ground.gap"),
         summary.gaps.penetration);
  recorded_rows_free(&rows);
}

/* The energy that laws dissipate is what the total energy loses; forces linear in q add an error of the scheme, which
 * is of order 2. */
static void losses_balance(void) {
  double dt[4], missing[4];
  for (int k = 0; k < 4; k++) {
    simulation s;
    picus_sim_options options;
    picus_summary summary;
    dt[k] = 1e-4 / (1 << k);
    REQUIRE(simulation_load(&s, "slider-crank", "c=0,g=0", &options));
    options.scheme = "half-explicit";
    options.dt = dt[k];
    REQUIRE(simulation_start(&s, &options) && picus_sim_run(s.sim, NULL, NULL, &summary) == PICUS_OK);
    missing[k] = fabs(summary.energy.start - summary.energy.end);
    simulation_close(&s);
  }
  const double order = observed_order(4, dt, missing);
  printf("  energy error of the bilateral slider-crank %.2e ... %.2e J, order %.2f\n", missing[0], missing[3], order);
  CHECK(order > 1.8);
}

/* --- components ----------------------------------------------------------------------------------------------------
 */

/* A bead in a bowl, in contact all the time, and a ball that bounces. extra: what connects them, if anything. */
static void bead_and_ball(char *text, size_t size, bool with_ball, const char *extra) {
  snprintf(text, size,
           "local q, u = coordinates { { 'x', velocity = 'vx', start = { 1, 0 } },\n"
           "  { 'y', velocity = 'vy', start = { 0.5, 0 } }%s }\n"
           "kinetic((u.vx^2 + u.vy^2%s) / 2)\n"
           "potential(9.81 * q.y%s)\n"
           "contact { 'bowl', gap = q.y - q.x^2 / 2, slip = u.vx + q.x * u.vy, mu = 0.1 }\n%s%s\n"
           "simulate { scheme = 'half-explicit', dt = 1e-2, t_end = 2 }\n",
           with_ball ? ", { 'z', velocity = 'vz', start = { 1, 0 } }" : "", with_ball ? " + u.vz^2" : "",
           with_ball ? " + 10 * q.z" : "", with_ball ? "contact { 'ground', gap = q.z, eN = 0.7 }\n" : "", extra);
}

/* Largest difference of the bead's path, over all samples, from another one. */
static double bead_difference(const recorded_rows *a, const recorded_rows *b) {
  double largest = 0;
  CHECK(a->row_count == b->row_count);
  for (long k = 0; k < a->row_count; k++)
    largest = fmax(largest, hypot(recorded_value(a, k, "x") - recorded_value(b, k, "x"),
                                  recorded_value(a, k, "y") - recorded_value(b, k, "y")));
  return largest;
}

/* The impacts of the ball change nothing in the motion of the bead, and the contact of the bead keeps its forces in
 * these steps. Coulomb's law makes the contact force part of the motion: without it the bead would not be the same. */
static void impacts_leave_other_components_alone(void) {
  char alone[1000], both[1000], sprung[1000];
  recorded_rows rows[3];
  picus_summary summary;
  bead_and_ball(alone, sizeof alone, false, "");
  bead_and_ball(both, sizeof both, true, "");
  bead_and_ball(sprung, sizeof sprung, true, "potential(1e-12 * (q.z - q.x)^2)");
  REQUIRE(run_text(alone, NULL, 0, 0, &rows[0], &summary));
  CHECK(summary.impacts == 0);
  REQUIRE(run_text(both, NULL, 0, 0, &rows[1], &summary));
  CHECK(summary.impacts > 3);
  REQUIRE(run_text(sprung, NULL, 0, 0, &rows[2], &summary));
  printf("  difference by a ball nearby %.1e, by one behind a very soft spring %.1e\n",
         bead_difference(&rows[0], &rows[1]), bead_difference(&rows[0], &rows[2]));
  CHECK(bead_difference(&rows[0], &rows[1]) < 1e-13);
  CHECK(bead_difference(&rows[0], &rows[2]) < 1e-11);
  for (int i = 0; i < 3; i++) recorded_rows_free(&rows[i]);
}

static double bead_error(const char *text, double dt, const recorded_rows *exact) {
  recorded_rows rows;
  picus_summary summary;
  if (!run_text(text, NULL, dt, 0.5, &rows, &summary)) return NAN;
  const double error = bead_difference(&rows, exact);
  recorded_rows_free(&rows);
  return error;
}

/* So the bead has order 2 beside a ball with impacts. */
static void order_2_beside_impacts(void) {
  char text[1000];
  recorded_rows exact;
  picus_summary summary;
  double dt[5], error[5];
  bead_and_ball(text, sizeof text, false, "");
  REQUIRE(run_text(text, "rattle", 1e-4, 0.5, &exact, &summary));
  bead_and_ball(text, sizeof text, true, "");
  for (int k = 0; k < 5; k++) error[k] = bead_error(text, dt[k] = 0.02 / (1 << k), &exact);
  const double order = observed_order(5, dt, error);
  printf("  errors %.2e ... %.2e, order %.2f\n", error[0], error[4], order);
  CHECK(order > 1.8 && order < 2.3);
  recorded_rows_free(&exact);
}

/* --- forces and impulses --------------------------------------------------------------------------------------------
 */

/* In every step and row P = dt (lambda+ + lambda-) / 2 + Lambda: contacts, friction, constraints. */
static void percussions_are_forces_and_impulses(void) {
  static const char *const laws[][4] = {{"corner1.PN", "corner1.lambdaN+", "corner1.lambdaN-", "corner1.LambdaN"},
                                        {"corner1.PF", "corner1.lambdaF+", "corner1.lambdaF-", "corner1.LambdaF"},
                                        {"corner4.PN", "corner4.lambdaN+", "corner4.lambdaN-", "corner4.LambdaN"},
                                        {"corner4.PF", "corner4.lambdaF+", "corner4.lambdaF-", "corner4.LambdaF"}};
  for (int parts = 1; parts <= 10; parts += 9) {
    simulation s;
    picus_sim_options options;
    recorded_rows rows = {0};
    picus_summary summary;
    REQUIRE(simulation_load(&s, "slider-crank", "", &options));
    options.scheme = "half-explicit";
    options.every = 1;
    options.half_explicit.impact_substeps = parts;
    REQUIRE(simulation_start(&s, &options) && simulation_run(&s, &rows, &summary));
    long with_forces = 0, with_impulse = 0;
    for (long k = 1; k < rows.row_count; k++)
      for (int i = 0; i < 4; i++) {
        const double P = recorded_value(&rows, k, laws[i][0]), begin = recorded_value(&rows, k, laws[i][1]);
        const double end = recorded_value(&rows, k, laws[i][2]), impulse = recorded_value(&rows, k, laws[i][3]);
        CHECK_NEAR(P, options.dt * (begin + end) / 2 + impulse, 1e-15 + 1e-12 * fabs(P));
        with_forces += begin != 0 && end != 0;
        with_impulse += impulse != 0;
      }
    CHECK(with_forces > 100 && with_impulse > 10);
    CHECK(summary.energy.dissipated_by_impulses > 0 &&
          summary.energy.dissipated_by_impulses < summary.energy.dissipated);
    recorded_rows_free(&rows);
    simulation_close(&s);
  }
}

/* A pendulum with a rod of length 1 as a constraint, which swings from the horizontal: the force in the rod is three
 * times the vertical component of gravity along it. The mean of both forces has order 2 in the middle of a step. */
static void the_force_of_a_constraint_has_order_2(void) {
  static const char text[] = "local q, u = coordinates { { 'x', velocity = 'vx', start = { 1, 0 } },\n"
                             "  { 'y', velocity = 'vy', start = { 0, 0 } } }\n"
                             "kinetic((u.vx^2 + u.vy^2) / 2)\n"
                             "potential(10 * q.y)\n"
                             "constraint { 'rod', position = sqrt(q.x^2 + q.y^2) - 1 }\n"
                             "simulate { scheme = 'half-explicit', dt = 1e-2, t_end = 0.8 }\n";
  double dt[5], error[5] = {0};
  for (int n = 0; n < 5; n++) {
    recorded_rows rows;
    picus_summary summary;
    dt[n] = 0.01 / (1 << n);
    REQUIRE(run_text(text, NULL, dt[n], 0, &rows, &summary));
    for (long k = 1; k < rows.row_count; k++) {
      const double y = 0.5 * (recorded_value(&rows, k - 1, "y") + recorded_value(&rows, k, "y"));
      const double mean = 0.5 * (recorded_value(&rows, k, "rod.lambda+") + recorded_value(&rows, k, "rod.lambda-"));
      error[n] = fmax(error[n], fabs(mean - 30 * y));
      CHECK(recorded_value(&rows, k, "rod.Lambda") == 0);
    }
    recorded_rows_free(&rows);
  }
  const double order = observed_order(5, dt, error);
  printf("  error of the mean force %.2e ... %.2e N, order %.2f\n", error[0], error[4], order);
  CHECK(order > 1.8 && order < 2.2);
}

/* A constraint that connects the bead and the ball has an impulse if the ball strikes, and the contact of the bead has
 * no forces in that step. */
static void rigid_connections_share_impulses(void) {
  char text[1000];
  recorded_rows rows;
  picus_summary summary;
  bead_and_ball(text, sizeof text, true, "constraint { 'rod', velocity = u.vz - 3 * u.vy }");
  REQUIRE(run_text(text, NULL, 0, 0, &rows, &summary));
  long k = 1;
  while (k < rows.row_count - 1 && recorded_value(&rows, k, "ground.LambdaN") == 0) k++;
  printf("  impulses in the step to t = %g: ground %.3g, rod %.3g N s\n", recorded_value(&rows, k, "t"),
         recorded_value(&rows, k, "ground.LambdaN"), recorded_value(&rows, k, "rod.Lambda"));
  CHECK(recorded_value(&rows, k, "ground.LambdaN") > 0.1 && fabs(recorded_value(&rows, k, "rod.Lambda")) > 0.1);
  CHECK(recorded_value(&rows, k, "rod.lambda-") != 0);
  CHECK(recorded_value(&rows, k - 1, "bowl.lambdaN-") > 0);
  CHECK(recorded_value(&rows, k, "bowl.lambdaN+") == 0 && recorded_value(&rows, k, "bowl.lambdaN-") == 0);
  recorded_rows_free(&rows);
}

/* Schemes with forces of their own have these columns, whatever their names; others do not. */
static void only_these_schemes_have_force_columns(void) {
  int with_forces = 0;
  for (int k = 0; picus_scheme_at(k); k++) {
    const picus_scheme_description *scheme = picus_scheme_at(k);
    recorded_rows rows;
    picus_summary summary;
    REQUIRE(run_text(ball, scheme->name, 0, 1.5, &rows, &summary));
    CHECK((recorded_column(&rows, "ground.lambdaN+") >= 0) == scheme->forces &&
          recorded_column(&rows, "ground.PN") >= 0);
    CHECK((summary.energy.dissipated_by_impulses > 0) == scheme->forces);
    with_forces += scheme->forces;
    recorded_rows_free(&rows);
  }
  CHECK(with_forces == 3);
}

/* The scheme at acceleration level has no friction; a coefficient of 0 is none. */
static void friction_is_rejected_at_acceleration_level(void) {
  simulation s;
  picus_sim_options options;
  REQUIRE(simulation_load(&s, "slider-crank", "", &options));
  options.scheme = "half-explicit-acc";
  CHECK(picus_sim_create(s.context, s.system, &options, &s.sim) == PICUS_ERROR_UNSUPPORTED);
  CHECK(strstr(picus_last_error(s.context)->message, "does not support friction, but 'corner1' has friction"));
  simulation_close(&s);
  REQUIRE(simulation_load(&s, "slider-crank", "mu=0", &options));
  options.scheme = "half-explicit-acc";
  CHECK(simulation_start(&s, &options));
  simulation_close(&s);
}

/* --- options -------------------------------------------------------------------------------------------------------
 */

/* The position of Ballard's ball at t = 2.9, against the closed form. */
static double ball_error(const char *scheme, double dt, bool predicted, int substeps) {
  simulation s;
  picus_sim_options options;
  double error = NAN;
  if (simulation_load(&s, "bouncing-ball", "", &options)) {
    options.scheme = scheme;
    options.dt = dt;
    options.t_end = 2.9; /* the flights start at 3 - 2^(1-k); the ball then is in that from 2.875 on */
    options.half_explicit = (picus_half_explicit_options){.predicted = predicted, .impact_substeps = substeps};
    if (simulation_start(&s, &options) && picus_sim_run(s.sim, NULL, NULL, NULL) == PICUS_OK)
      error = fabs(picus_sim_state(s.sim).q[0] - 0.025 * (0.0625 - 0.025));
  }
  simulation_close(&s);
  return error;
}

static void variants_converge(void) {
  static const struct {
    const char *scheme, *label;
    bool predicted;
    int substeps;
  } variants[] = {{"half-explicit", "as it is", false, 1},     {"half-explicit", "ten parts", false, 10},
                  {"half-explicit-acc", "as it is", false, 1}, {"half-explicit-acc", "ten parts", false, 10},
                  {"half-explicit-rk", "as it is", false, 1},  {"half-explicit-rk", "ten parts", false, 10}};
  for (size_t v = 0; v < sizeof variants / sizeof variants[0]; v++) {
    double largest = 0; /* of error / dt: where an impact lies in its step is chance */
    for (int k = 0; k < 8; k++) {
      const double dt = 1.03e-3 / pow(1.7, k),
                   error = ball_error(variants[v].scheme, dt, variants[v].predicted, variants[v].substeps);
      largest = fmax(largest, error / dt);
      CHECK(isfinite(error));
    }
    printf("  %s, %s: error at most %.3f dt\n", variants[v].scheme, variants[v].label, largest);
    CHECK(largest < (variants[v].substeps > 1 ? 0.05 : 0.5));
  }
}

/* Eqs. (75) to (77) of the paper: a contact that is about to close has a force; if it does not close, it keeps half of
 * its approach. With g = 0.9 v dt the ball stops in four steps; with 0.4 v dt it rebounds by Newton's law. */
static void predicted_sets_fail_as_printed(void) {
  static const double places[] = {0.4, 0.9};
  for (int k = 0; k < 2; k++) {
    char text[400];
    recorded_rows rows;
    snprintf(text, sizeof text,
             "local q, u = coordinates { { 'z', velocity = 'w', start = { %g, -1 } } }\n"
             "kinetic(u.w^2 / 2)\n"
             "contact { 'ground', gap = q.z, eN = 0.5 }\n"
             "simulate { scheme = 'half-explicit', predicted = true, dt = 1, t_end = 2 }\n",
             places[k]);
    REQUIRE(run_text(text, NULL, 0, 0, &rows, NULL));
    CHECK_NEAR(recorded_value(&rows, 1, "w"), k == 0 ? 0.5 : -0.5, 1e-12);
    if (k == 1) CHECK_NEAR(recorded_value(&rows, 2, "w"), -0.25, 1e-12);
    recorded_rows_free(&rows);
  }
}

/* A gap within closed_gap is closed: no impact, and a force at once. */
static void a_wider_gap_counts_as_closed_on_request(void) {
  static const double allowed[] = {0, 1e-6};
  for (int k = 0; k < 2; k++) {
    char text[400];
    recorded_rows rows;
    picus_summary summary;
    snprintf(text, sizeof text,
             "local q, u = coordinates { { 'z', velocity = 'w', start = { 5e-7, 0 } } }\n"
             "kinetic(u.w^2 / 2)\n"
             "force { w = -10 }\n"
             "contact { 'ground', gap = q.z }\n"
             "simulate { scheme = 'half-explicit', closed_gap = %g, dt = 1e-4, t_end = 0.01 }\n",
             allowed[k]);
    REQUIRE(run_text(text, NULL, 0, 0, &rows, &summary));
    CHECK(summary.impacts == (k == 0 ? 1 : 0)); /* an impulse, however small */
    if (k == 1) CHECK_NEAR(recorded_value(&rows, 1, "ground.lambdaN+"), 10, 1e-9);
    recorded_rows_free(&rows);
  }
}

/* A scheme without use for an option says so. */
static void predicted_is_rejected_where_it_has_no_use(void) {
  static const char *const names[] = {"half-explicit-acc", "half-explicit-rk"};
  for (int k = 0; k < 2; k++) {
    simulation s;
    picus_sim_options options;
    REQUIRE(simulation_load(&s, "bouncing-ball", "", &options));
    options.scheme = names[k];
    options.half_explicit.predicted = true;
    CHECK(picus_sim_create(s.context, s.system, &options, &s.sim) == PICUS_ERROR_UNSUPPORTED);
    CHECK(strstr(picus_last_error(s.context)->message, names[k]) &&
          strstr(picus_last_error(s.context)->message, "does not support the option 'predicted'"));
    simulation_close(&s);
  }
}

/* Percussions and energy of a subdivided step are those of all its parts. */
static void check_balance(const char *scheme, double t_end) {
  simulation s;
  picus_sim_options options;
  picus_summary summary;
  recorded_rows rows = {0};
  REQUIRE(simulation_load_text(&s, ball, &options));
  options.scheme = scheme;
  options.t_end = t_end;
  options.half_explicit.impact_substeps = 10;
  REQUIRE(simulation_start(&s, &options) && simulation_run(&s, &rows, &summary));
  CHECK_NEAR(summary.energy.start - summary.energy.end, summary.energy.dissipated, 1e-11);
  double momentum = 0;
  for (long k = 1; k < rows.row_count; k++) momentum += recorded_value(&rows, k, "ground.PN");
  CHECK_NEAR(momentum, 2 * (10 * t_end + picus_sim_state(s.sim).u[0]), 1e-10);
  CHECK(summary.impacts >= 3);
  recorded_rows_free(&rows);
  simulation_close(&s);
}
static void subdivided_steps_balance(void) {
  check_balance("half-explicit", 4);
  check_balance("half-explicit-acc", 1.2); /* a ball at rest chatters */
  check_balance("half-explicit-rk", 1.2);  /* losses of persistent contacts are a quadrature */
}

enum { SCHEMES = 4 };
static const char *const schemes[SCHEMES] = {"half-explicit", "moreau-explicit", "half-explicit-acc",
                                             "half-explicit-rk"};

/* --- promises of all schemes ----------------------------------------------------------------------------------------
 */

static void steps_allocate_nothing(void) {
  for (int i = 0; i < SCHEMES; i++) {
    simulation s = {0};
    test_allocations a = test_grant_all();
    picus_context_def def = {.allocate = test_allocate, .allocate_user = &a};
    REQUIRE(picus_context_create(&def, &s.context) == PICUS_OK);
    REQUIRE(picus_model_load(s.context, "impact-oscillator", NULL, &s.model) == PICUS_OK);
    REQUIRE(picus_system_create(s.model, &s.system) == PICUS_OK);
    picus_sim_options options = picus_model_sim_options(s.model);
    options.scheme = schemes[i];
    options.half_explicit.impact_substeps = 10;
    REQUIRE(picus_sim_create(s.context, s.system, &options, &s.sim) == PICUS_OK);
    CHECK(picus_sim_step(s.sim, 0, NULL) == PICUS_OK);
    const long before = a.calls;
    for (int k = 0; k < 5000; k++) CHECK(picus_sim_step(s.sim, 0, NULL) == PICUS_OK);
    CHECK(a.calls == before);
    simulation_close(&s);
  }
}

/* A simulation that is set to a state goes on as a new one does. */
static void a_restart_has_the_same_bits(void) {
  for (int i = 0; i < SCHEMES; i++) {
    simulation a, b;
    picus_sim_options options;
    double q[3], u[3];
    REQUIRE(simulation_load(&a, "slider-crank", "mu=0", &options));
    options.scheme = schemes[i];
    REQUIRE(simulation_start(&a, &options));
    REQUIRE(simulation_load(&b, "slider-crank", "mu=0", &options));
    options.scheme = schemes[i];
    REQUIRE(simulation_start(&b, &options));
    for (int k = 0; k < 300; k++) CHECK(picus_sim_step(a.sim, 0, NULL) == PICUS_OK);
    const picus_state now = picus_sim_state(a.sim);
    memcpy(q, now.q, sizeof q);
    memcpy(u, now.u, sizeof u);
    u[2] += 1e-3;
    REQUIRE(picus_sim_set_state(a.sim, now.t, q, u) == PICUS_OK);
    REQUIRE(picus_sim_set_state(b.sim, now.t, q, u) == PICUS_OK);
    for (int k = 0; k < 300; k++)
      CHECK(picus_sim_step(a.sim, 0, NULL) == PICUS_OK && picus_sim_step(b.sim, 0, NULL) == PICUS_OK);
    CHECK(memcmp(picus_sim_state(a.sim).q, picus_sim_state(b.sim).q, sizeof q) == 0);
    CHECK(memcmp(picus_sim_state(a.sim).u, picus_sim_state(b.sim).u, sizeof u) == 0);
    simulation_close(&a);
    simulation_close(&b);
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"a_ball_falls_bounces_and_rests", a_ball_falls_bounces_and_rests},
      {"a_mass_at_rest_never_opens", a_mass_at_rest_never_opens},
      {"losses_balance", losses_balance},
      {"impacts_leave_other_components_alone", impacts_leave_other_components_alone},
      {"order_2_beside_impacts", order_2_beside_impacts},
      {"percussions_are_forces_and_impulses", percussions_are_forces_and_impulses},
      {"the_force_of_a_constraint_has_order_2", the_force_of_a_constraint_has_order_2},
      {"rigid_connections_share_impulses", rigid_connections_share_impulses},
      {"only_these_schemes_have_force_columns", only_these_schemes_have_force_columns},
      {"friction_is_rejected_at_acceleration_level", friction_is_rejected_at_acceleration_level},
      {"variants_converge", variants_converge},
      {"subdivided_steps_balance", subdivided_steps_balance},
      {"predicted_sets_fail_as_printed", predicted_sets_fail_as_printed},
      {"a_wider_gap_counts_as_closed_on_request", a_wider_gap_counts_as_closed_on_request},
      {"predicted_is_rejected", predicted_is_rejected_where_it_has_no_use},
      {"steps_allocate_nothing", steps_allocate_nothing},
      {"a_restart_has_the_same_bits", a_restart_has_the_same_bits},
  };
  return test_main(argc, argv, "scheme_half_explicit", cases, sizeof cases / sizeof cases[0]);
}
