/* Accelerations of laws, d(W^T)/dt u + dchi/dt, against differences of their relative velocities along the motion. */
#include "support/check.h"
#include "support/simulate.h"
#include "system/internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char driven[] =
    "local q, u = coordinates { { 'x', velocity = 'v', start = { 0.3, 0.7 } }, { 'y', velocity = 'w', start = { 1.1, "
    "-0.4 } } }\n"
    "kinetic((u.v^2 + 2 * u.w^2) / 2)\n"
    "contact { 'plate', gap = q.y - sin(3 * t) * q.x + t^3, slip = u.v * cos(q.y) + t^2 * u.w, mu = 0.2 }\n"
    "constraint { 'drive', position = q.x * q.y^2 - exp(t) }\n"
    "constraint { 'knife', velocity = u.v * sin(t * q.x) - u.w }\n"
    "friction { 'belt', slip = u.v * q.y - 2 * t, reservoir = 1 }\n"
    "simulate { dt = 1e-3, t_end = 1, assemble = true }\n";

/* gamma(t + s, q + s q', u): its derivative at s = 0 by differences of fourth order. */
static void check_system(simulation *s, const char *label, test_random *random) {
  const int nq = picus_system_nq(s->system), nu = picus_system_nu(s->system), rows = picus_system_row_count(s->system);
  double *q = calloc((size_t)nq, sizeof *q), *u = calloc((size_t)nu, sizeof *u), *rate = calloc((size_t)nq, sizeof *q);
  double *at = calloc((size_t)nq, sizeof *q), *exact = calloc((size_t)rows, sizeof *q);
  double *gamma = calloc(4 * (size_t)rows, sizeof *q), worst = 0, largest = 0;
  picus_evaluation *e = NULL;
  REQUIRE(q && u && rate && at && exact && gamma);
  REQUIRE(picus_evaluation_create(s->context, s->system, &e) == PICUS_OK);
  picus_system_start(s->system, q, u);
  for (int i = 0; i < nq; i++) q[i] += test_uniform(random, -0.05, 0.05);
  for (int i = 0; i < nu; i++) u[i] += test_uniform(random, -1, 1);
  const double t = 0.37;
  picus_evaluation_set_point(e, t, q, u);
  CHECK(picus_evaluate_rate(e, rate) == PICUS_OK);
  double fastest = 1;
  for (int i = 0; i < nq; i++) fastest = fmax(fastest, fabs(rate[i]));
  const double d = 1e-3 / fastest; /* small against the time in which the motion turns */
  CHECK(picus_evaluate_acceleration_terms(e, exact) == PICUS_OK);
  static const double shift[] = {-2, -1, 1, 2};
  for (int k = 0; k < 4; k++) {
    for (int i = 0; i < nq; i++) at[i] = q[i] + shift[k] * d * rate[i];
    picus_evaluation_set_point(e, t + shift[k] * d, at, u);
    CHECK(picus_evaluate_velocities(e, gamma + (size_t)k * (size_t)rows) == PICUS_OK);
  }
  for (int r = 0; r < rows; r++) {
    const double by_differences =
        (gamma[r] - 8 * gamma[rows + r] + 8 * gamma[2 * rows + r] - gamma[3 * rows + r]) / (12 * d);
    worst = fmax(worst, fabs(exact[r] - by_differences));
    largest = fmax(largest, fabs(exact[r]));
  }
  printf("  %s: %d rows, largest %.3g, difference %.1e\n", label, rows, largest, worst);
  CHECK(worst <= 1e-8 * (1 + largest));
  picus_evaluation_destroy(e);
  free(q), free(u), free(rate), free(at), free(exact), free(gamma);
}

static void models_agree_with_differences(void) {
  static const char *const models[] = {"slider-crank",  "slider-crank-bodies", "tippedisk",     "pendulum-in-ring",
                                       "slider-roller", "rocking-block",       "rotating-ball", "woodpecker"};
  test_random random = {20150811};
  for (size_t k = 0; k < sizeof models / sizeof models[0]; k++) {
    simulation s;
    picus_sim_options options;
    REQUIRE(simulation_load(&s, models[k], "", &options));
    check_system(&s, models[k], &random);
    simulation_close(&s);
  }
}

static void laws_that_depend_on_time_agree(void) {
  test_random random = {7};
  for (int k = 0; k < 5; k++) {
    simulation s;
    picus_sim_options options;
    REQUIRE(simulation_load_text(&s, driven, &options));
    check_system(&s, "driven", &random);
    simulation_close(&s);
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"models_agree_with_differences", models_agree_with_differences},
                                    {"laws_that_depend_on_time_agree", laws_that_depend_on_time_agree}};
  return test_main(argc, argv, "system_accelerations", cases, sizeof cases / sizeof cases[0]);
}
