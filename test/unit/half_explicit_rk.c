/* Half-explicit Runge-Kutta methods: conditions of order, orders on constrained motion and with contacts that stay
 * closed, forces at full order; and the scheme at acceleration level. */
#include "scheme/internal.h"
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- tableaux ------------------------------------------------------------------------------------------------------
 */

static void the_tableaux_have_their_orders(void) {
  REQUIRE(picus_tableau_named("BH3") && picus_tableau_named("BH5"));
  CHECK(picus_tableau_order(picus_tableau_named("BH3"), NULL) == 3);
  CHECK(picus_tableau_order(picus_tableau_named("BH5"), NULL) == 4);
  CHECK(!picus_tableau_named("BH4"));
  CHECK_TEXT(picus_tableau_name(1), "BH5");
  CHECK(!picus_tableau_name(2));
}

static const picus_tableau heun = {.stages = 2, .rows = {{1}, {0.5, 0.5}}};
static const picus_tableau classical = {.stages = 4,
                                        .rows = {{0.5}, {0, 0.5}, {0, 0, 1}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}}};
static const picus_tableau kutta = {.stages = 3, .rows = {{0.5}, {-1, 2}, {1.0 / 6, 2.0 / 3, 1.0 / 6}}};
static const picus_tableau ralston = {.stages = 3, .rows = {{0.5}, {0, 0.75}, {2.0 / 9, 1.0 / 3, 4.0 / 9}}};

/* The classical method has order 4 for ordinary differential equations, and Ralston's 3, but not here. */
static void classical_tableaux_lose_their_order(void) {
  picus_tableau_violation violation;
  CHECK(picus_tableau_order(&heun, &violation) == 2);
  CHECK_TEXT(violation.condition, "b c^2 = 1/3");
  CHECK(picus_tableau_order(&classical, &violation) == 3);
  CHECK_TEXT(violation.condition, "b c^2 (w c~^2) = 1/2");
  CHECK(picus_tableau_order(&kutta, &violation) == 3 && violation.order == 4);
  CHECK(picus_tableau_order(&ralston, &violation) == 2);
  CHECK_TEXT(violation.condition, "b c (w c~^2) = 2/3");
}

static void expect_refusal(picus_tableau tableau, const char *piece) {
  simulation s;
  picus_sim_options options;
  REQUIRE(simulation_load(&s, "bouncing-ball", "", &options));
  options.scheme = "half-explicit-rk";
  options.half_explicit.tableau = tableau;
  CHECK(picus_sim_create(s.context, s.system, &options, &s.sim) != PICUS_OK);
  if (!CHECK(strstr(picus_last_error(s.context)->message, piece)))
    printf("  %s\n", picus_last_error(s.context)->message);
  simulation_close(&s);
}

static void wrong_tableaux_are_rejected(void) {
  picus_tableau claimed = ralston;
  claimed.order = 3;
  expect_refusal(claimed, "violates the condition b c (w c~^2) = 2/3 of order 3");
  expect_refusal((picus_tableau){.stages = 2, .rows = {{1}, {0.5, 0.4}}}, "the condition sum b = 1 of order 1");
  expect_refusal((picus_tableau){.stages = 2, .rows = {{1}, {1, 0}}}, "must be positive");
  expect_refusal((picus_tableau){.stages = 9}, "1 to 8 stages");
  expect_refusal((picus_tableau){.stages = 1, .order = 5, .rows = {{1}}}, "up to 4");
}

/* --- orders --------------------------------------------------------------------------------------------------------
 */

/* x'' of a motion with one degree of freedom. */
typedef double (*acceleration_fn)(double x, double v);

/* A pendulum of length 1 by its angle; and a bead in the bowl y = x^2/2 that slides towards -x with mu. */
static double pendulum(double angle, double omega) {
  (void)omega;
  return -10 * sin(angle);
}
static double smooth_bowl(double x, double v) { return (-9.81 * x - x * v * v) / (1 + x * x); }
static double rough_bowl(double x, double v) { return (-9.81 * x - x * v * v + 0.1 * (9.81 + v * v)) / (1 + x * x); }

/* The classical method of Runge and Kutta with very small steps. */
static void integrate(acceleration_fn f, double t, double *x, double *v) {
  const int n = 20000;
  const double h = t / n;
  for (int k = 0; k < n; k++) {
    const double v1 = *v, a1 = f(*x, v1), v2 = *v + h / 2 * a1, a2 = f(*x + h / 2 * v1, v2);
    const double v3 = *v + h / 2 * a2, a3 = f(*x + h / 2 * v2, v3), v4 = *v + h * a3, a4 = f(*x + h * v3, v4);
    *x += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    *v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
}

typedef struct smooth_case {
  const char *text;
  acceleration_fn f;
  double x, v; /* of the one degree of freedom at the start */
  double t_end;
  bool by_angle;
} smooth_case;
static const smooth_case rod = {
    "local q, u = coordinates { { 'x', velocity = 'vx', start = { sin(1), 0.5 * cos(1) } },\n"
    "  { 'y', velocity = 'vy', start = { -cos(1), 0.5 * sin(1) } } }\n"
    "kinetic((u.vx^2 + u.vy^2) / 2)\n"
    "potential(10 * q.y)\n"
    "constraint { 'rod', position = (q.x^2 + q.y^2 - 1) / 2 }\n"
    "simulate { dt = 1e-2, t_end = 1 }\n",
    pendulum,
    1,
    0.5,
    1,
    true};
static const smooth_case bowl = {"local q, u = coordinates { { 'x', velocity = 'vx', start = { 1, -0.5 } },\n"
                                 "  { 'y', velocity = 'vy', start = { 0.5, -0.5 } } }\n"
                                 "kinetic((u.vx^2 + u.vy^2) / 2)\n"
                                 "potential(9.81 * q.y)\n"
                                 "contact { 'rod', gap = q.y - q.x^2 / 2, eN = 0.5 }\n"
                                 "simulate { dt = 1e-2, t_end = 1 }\n",
                                 smooth_bowl,
                                 1,
                                 -0.5,
                                 0.5,
                                 false};
static const smooth_case friction = {"local q, u = coordinates { { 'x', velocity = 'vx', start = { 1, -0.5 } },\n"
                                     "  { 'y', velocity = 'vy', start = { 0.5, -0.5 } } }\n"
                                     "kinetic((u.vx^2 + u.vy^2) / 2)\n"
                                     "potential(9.81 * q.y)\n"
                                     "contact { 'rod', gap = q.y - q.x^2 / 2, slip = u.vx + q.x * u.vy, mu = 0.1 }\n"
                                     "simulate { dt = 1e-2, t_end = 1 }\n",
                                     rough_bowl,
                                     1,
                                     -0.5,
                                     0.5,
                                     false};

typedef struct smooth_error {
  double q, u, force;
} smooth_error;

/* The force in the rod's constraint, whose direction has length 1 there: gravity and the centripetal acceleration. In
 * the bowl, y'' - x x'' = v^2 gives the normal force, with friction or without. */
static double exact_force(const smooth_case *c, double x, double v) {
  return c->by_angle ? -(10 * cos(x) + v * v) : (9.81 + v * v) / (1 + x * x);
}

static bool run_case(const smooth_case *c, const char *scheme, const picus_tableau *tableau, double dt,
                     smooth_error *out) {
  simulation s;
  picus_sim_options options;
  picus_law_state law;
  bool done = simulation_load_text(&s, c->text, &options);
  if (done) {
    options.scheme = scheme;
    options.dt = dt;
    options.t_end = c->t_end;
    if (tableau) options.half_explicit.tableau = *tableau;
    done = simulation_start(&s, &options) && CHECK(picus_sim_run(s.sim, NULL, NULL, NULL) == PICUS_OK) &&
           CHECK(picus_sim_laws(s.sim, &law) == PICUS_OK);
  }
  if (done) {
    double x = c->x, v = c->v;
    integrate(c->f, c->t_end, &x, &v);
    const picus_state state = picus_sim_state(s.sim);
    const double x1 = c->by_angle ? sin(x) : x, y1 = c->by_angle ? -cos(x) : x * x / 2;
    const double u1 = c->by_angle ? v * cos(x) : v, w1 = c->by_angle ? v * sin(x) : x * v;
    *out = (smooth_error){hypot(state.q[0] - x1, state.q[1] - y1), hypot(state.u[0] - u1, state.u[1] - w1),
                          fabs(law.force_end[0] - exact_force(c, x, v))};
  }
  simulation_close(&s);
  return done;
}

static void check_orders(const smooth_case *c, const char *scheme, const picus_tableau *tableau, double order,
                         bool with_force) {
  enum { SIZES = 4 };
  double dt[SIZES], q[SIZES], u[SIZES], force[SIZES];
  for (int k = 0; k < SIZES; k++) {
    smooth_error e = {NAN, NAN, NAN};
    dt[k] = c->t_end / (20 << k);
    REQUIRE(run_case(c, scheme, tableau, dt[k], &e));
    q[k] = e.q, u[k] = e.u, force[k] = e.force;
  }
  const double order_q = observed_order(SIZES, dt, q), order_u = observed_order(SIZES, dt, u);
  printf("  %s, %d stages: q %.1e ... %.1e order %.2f, u %.1e ... %.1e order %.2f", scheme,
         tableau ? tableau->stages : 2, q[0], q[SIZES - 1], order_q, u[0], u[SIZES - 1], order_u);
  CHECK(order_q > order - 0.25 && order_u > order - 0.25 && fmin(order_q, order_u) < order + 0.25);
  if (with_force) {
    const double order_force = observed_order(SIZES, dt, force);
    printf(", force %.1e ... %.1e order %.2f", force[0], force[SIZES - 1], order_force);
    CHECK(order_force > order - 0.25);
  }
  printf("\n");
}

static void constrained_motion_has_full_order(void) {
  check_orders(&rod, "half-explicit-rk", picus_tableau_named("BH3"), 3, true);
  check_orders(&rod, "half-explicit-rk", picus_tableau_named("BH5"), 4, true);
  check_orders(&rod, "half-explicit-rk", &heun, 2, false);
  check_orders(&rod, "half-explicit-rk", &classical, 3, false);
  check_orders(&rod, "half-explicit-rk", &kutta, 3, true);
  check_orders(&rod, "half-explicit", NULL, 2, false);
  check_orders(&rod, "half-explicit-acc", NULL, 2, false);
}

static void persistent_contacts_have_full_order(void) {
  check_orders(&bowl, "half-explicit-rk", picus_tableau_named("BH3"), 3, true);
  check_orders(&bowl, "half-explicit-rk", picus_tableau_named("BH5"), 4, true);
  check_orders(&bowl, "half-explicit", NULL, 2, false);
  check_orders(&bowl, "half-explicit-acc", NULL, 2, false);
  check_orders(&friction, "half-explicit-rk", picus_tableau_named("BH3"), 3, true);
  check_orders(&friction, "half-explicit-rk", picus_tableau_named("BH5"), 4, true);
  check_orders(&friction, "half-explicit", NULL, 2, false);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"the_tableaux_have_their_orders", the_tableaux_have_their_orders},
      {"classical_tableaux_lose_their_order", classical_tableaux_lose_their_order},
      {"wrong_tableaux_are_rejected", wrong_tableaux_are_rejected},
      {"constrained_motion_has_full_order", constrained_motion_has_full_order},
      {"persistent_contacts_have_full_order", persistent_contacts_have_full_order},
  };
  return test_main(argc, argv, "half_explicit_rk", cases, sizeof cases / sizeof cases[0]);
}
