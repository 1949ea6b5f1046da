/* Every shipped model with Moreau's midpoint rule against its independent reference solution: the error of the
 * coordinates decays with order 1 in the norms of Acary (2012) and Breuling et al. (2023, eq. 56): uniform,
 * l1 = sum |e_i| dt, l2 = sqrt(sum e_i^2 dt). Where an impact falls within its step is a matter of luck, so the errors
 * scatter around a line; the order is the slope of the least squares line over many step sizes. */
#include "support/check.h"
#include "support/reference.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZES = 12, PAIRS_MOST = 3 };

typedef struct norms {
  double uniform, l1, l2;
} norms;

typedef struct study {
  const char *model, *overrides, *reference;
  double sample; /* spacing of the compared rows; a multiple of the reference's spacing */
  long stride;   /* rows of the reference per sample */
  double t_end;
  const char *pairs[PAIRS_MOST][2]; /* column of the model, column of the reference */
  int coarsest;                     /* steps per sample of the largest step */
  double largest_error;             /* allowed in the uniform norm at the finest step */
} study;

/* Steps per sample: about a factor 1.4 apart and without common factors, so that impacts fall differently. */
static const int factors[SIZES] = {1, 2, 3, 4, 5, 7, 10, 14, 19, 27, 38, 53};

static norms error_norms(const study *c, const recorded_rows *rows, const reference_table *table) {
  norms e = {0, 0, 0};
  for (long k = 0; k < rows->row_count; k++) {
    double square = 0;
    for (int i = 0; i < PAIRS_MOST && c->pairs[i][0]; i++) {
      double difference =
          recorded_value(rows, k, c->pairs[i][0]) - reference_value(table, k * c->stride, c->pairs[i][1]);
      CHECK(isfinite(difference));
      square += difference * difference;
    }
    double length = sqrt(square);
    e.uniform = fmax(e.uniform, length);
    e.l1 += length * c->sample;
    e.l2 += square * c->sample;
  }
  e.l2 = sqrt(e.l2);
  return e;
}

static norms run_once(const study *c, const reference_table *table, double dt) {
  simulation s;
  recorded_rows rows = {0};
  norms e = {NAN, NAN, NAN};
  picus_summary summary;
  if (simulation_open_sampled(&s, c->model, c->overrides, dt, c->t_end, c->sample) &&
      simulation_run(&s, &rows, &summary)) {
    CHECK_NEAR(recorded_value(&rows, rows.row_count - 1, "t"), c->t_end, 1e-12);
    e = error_norms(c, &rows, table);
  }
  recorded_rows_free(&rows);
  simulation_close(&s);
  return e;
}

static void check_order(const char *norm, const double *dt, const double *error) {
  double order = observed_order(SIZES, dt, error);
  printf("    %-8s %.2e ... %.2e  order %.2f\n", norm, error[0], error[SIZES - 1], order);
  CHECK(order > 0.85 && order < 1.5);
}

static void run_study(const study *c) {
  reference_table *table = reference_read(c->reference);
  REQUIRE(table);
  double dt[SIZES], uniform[SIZES], l1[SIZES], l2[SIZES];
  for (int i = 0; i < SIZES; i++) {
    dt[i] = c->sample / (double)(factors[i] * c->coarsest);
    norms e = run_once(c, table, dt[i]);
    uniform[i] = e.uniform, l1[i] = e.l1, l2[i] = e.l2;
  }
  printf("  %s %s, dt = %.2g ... %.2g\n", c->model, c->overrides, dt[0], dt[SIZES - 1]);
  check_order("uniform", dt, uniform);
  check_order("l1", dt, l1);
  check_order("l2", dt, l2);
  CHECK(uniform[SIZES - 1] < c->largest_error);
  reference_free(table);
}

#define STUDY(name, ...)                                                                                               \
  static void name(void) {                                                                                             \
    static const study c = {__VA_ARGS__};                                                                              \
    run_study(&c);                                                                                                     \
  }

STUDY(bouncing_ball, "bouncing-ball", "", "bouncing_ball_ballard.csv", 0.05, 5, 5, {{"q", "q"}}, 1, 5e-3)
STUDY(falling_mass, "falling-mass", "", "falling_point_mass.csv", 0.01, 10, 0.8, {{"z", "z"}}, 4, 1e-4)
STUDY(sliding_mass, "sliding-mass", "", "sliding_point_mass.csv", 0.04, 1, 4, {{"x", "x"}, {"y", "y"}}, 1, 5e-3)
STUDY(impact_oscillator, "impact-oscillator", "", "impact_oscillator.csv", 0.005, 1, 2, {{"x", "x"}}, 1, 1e-3)
STUDY(rocking_block, "rocking-block", "", "rocking_block_paper.csv", 0.01, 1, 2,
      {{"x", "x"}, {"y", "y"}, {"theta", "th"}}, 4, 5e-3)
STUDY(rotating_ball_1, "rotating-ball", "", "rotating_ball_case1.csv", 0.01, 1, 2, {{"y", "y"}}, 1, 5e-3)
STUDY(rotating_ball_2, "rotating-ball", "omega=50,eN=0", "rotating_ball_case2.csv", 0.01, 1, 2,
      {{"x", "x"}, {"y", "y"}, {"phi", "phi"}}, 1, 5e-2)
STUDY(rotating_ball_3, "rotating-ball", "omega=10,eN=0", "rotating_ball_case3.csv", 0.01, 1, 2,
      {{"x", "x"}, {"y", "y"}, {"phi", "phi"}}, 1, 5e-3)
STUDY(ball_in_box, "ball-in-box", "", "bouncing_ball_box_text.csv", 0.01, 1, 2, {{"x", "x"}, {"y", "y"}}, 1, 2e-3)
STUDY(slope_1, "slope", "case=1", "mass_on_slope_case1.csv", 0.0128, 8, 3.2768, {{"x", "x"}, {"y", "y"}}, 1, 2e-3)
STUDY(slope_2, "slope", "case=2", "mass_on_slope_case2.csv", 0.0128, 8, 3.2768, {{"x", "x"}, {"y", "y"}}, 1, 2e-3)
STUDY(slope_3, "slope", "case=3", "mass_on_slope_case3.csv", 0.0128, 8, 3.2768, {{"x", "x"}, {"y", "y"}}, 1, 2e-3)
STUDY(slope_4, "slope", "case=4", "mass_on_slope_case4.csv", 0.0128, 8, 3.2768, {{"x", "x"}, {"y", "y"}}, 1, 2e-3)

/* The symmetric contact of the slider's two corners is unstable; theta3 is compared where it is not yet. */
STUDY(slider_crank, "slider-crank", "", "slider_crank_H15.csv", 1e-3, 10, 0.04,
      {{"theta1", "th1"}, {"theta2", "th2"}, {"theta3", "th3"}}, 10, 2e-3)
STUDY(slider_crank_acary, "slider-crank", "J2=8.9e-4", "slider_crank_A12.csv", 1e-3, 10, 0.04,
      {{"theta1", "th1"}, {"theta2", "th2"}, {"theta3", "th3"}}, 10, 2e-3)
/* Over two revolutions the crank's phase gathers the energy that the scheme loses by h(q_M, u_B): 0.09 % at 1e-6. */
STUDY(slider_crank_bilateral, "slider-crank", "c=0", "slider_crank_bilateral_J2_5.9e-4.csv", 1e-3, 10, 0.135,
      {{"theta1", "th1"}, {"theta2", "th2"}}, 10, 1e-2)
STUDY(slider_crank_bilateral_acary, "slider-crank", "c=0,J2=8.9e-4", "slider_crank_bilateral_J2_8.9e-4.csv", 1e-3, 10,
      0.135, {{"theta1", "th1"}, {"theta2", "th2"}}, 10, 1e-2)
/* Larger steps sink so deep that they lose the ring, as Acary's (2012, Fig. 20) do; see test/unit/acary_models.c. */
STUDY(pendulum_in_ring, "pendulum-in-ring", "", "pendulum_in_ring.csv", 0.01, 1, 1,
      {{"psi", "psi"}, {"phi", "thr"}, {"x", "X"}}, 80, 1e-4)

/* The oscillator has no file: between impacts q = A cos t + B sin t with k = m = 1 and no damping. The phase at which
 * q returns to 0 is known in closed form, so the exact motion is a short list of arcs. */
static double oscillator_exact(double t) {
  double start = 0, q = 1, v = -1; /* of the current arc */
  for (int arc = 0; arc < 100; arc++) {
    /* q cos s + v sin s = 0 for the first s > 0; right after an impact q = 0 and s = pi */
    double s = q > 0 ? atan2(q, -v) : acos(-1.0);
    if (t < start + s) return q * cos(t - start) + v * sin(t - start);
    double before = -q * sin(s) + v * cos(s);
    start += s;
    q = 0;
    v = -0.5 * before;
  }
  return 0;
}

static void linear_oscillator(void) {
  double dt[SIZES], uniform[SIZES], l1[SIZES];
  for (int i = 0; i < SIZES; i++) {
    simulation s;
    recorded_rows rows = {0};
    picus_summary summary;
    dt[i] = 0.05 / factors[i];
    uniform[i] = l1[i] = 0;
    REQUIRE(simulation_open_sampled(&s, "linear-oscillator", "", dt[i], 10, 0.05));
    REQUIRE(simulation_run(&s, &rows, &summary));
    for (long k = 0; k < rows.row_count; k++) {
      double difference = fabs(recorded_value(&rows, k, "q") - oscillator_exact(recorded_value(&rows, k, "t")));
      uniform[i] = fmax(uniform[i], difference);
      l1[i] += 0.05 * difference;
    }
    recorded_rows_free(&rows);
    simulation_close(&s);
  }
  printf("  linear-oscillator, dt = %.2g ... %.2g\n", dt[0], dt[SIZES - 1]);
  check_order("uniform", dt, uniform);
  check_order("l1", dt, l1);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"bouncing_ball", bouncing_ball},
      {"falling_mass", falling_mass},
      {"sliding_mass", sliding_mass},
      {"impact_oscillator", impact_oscillator},
      {"linear_oscillator", linear_oscillator},
      {"rocking_block", rocking_block},
      {"rotating_ball_1", rotating_ball_1},
      {"rotating_ball_2", rotating_ball_2},
      {"rotating_ball_3", rotating_ball_3},
      {"ball_in_box", ball_in_box},
      {"slope_1", slope_1},
      {"slope_2", slope_2},
      {"slope_3", slope_3},
      {"slope_4", slope_4},
      {"slider_crank", slider_crank},
      {"slider_crank_acary", slider_crank_acary},
      {"slider_crank_bilateral", slider_crank_bilateral},
      {"slider_crank_bilateral_acary", slider_crank_bilateral_acary},
      {"pendulum_in_ring", pendulum_in_ring},
  };
  return test_main(argc, argv, "order_models", cases, sizeof cases / sizeof cases[0]);
}
