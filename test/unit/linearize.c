/* Linearizations about sticking and sliding equilibria against closed forms. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <picus/orbit.h>
#include <stdio.h>
#include <string.h>

static picus_linearization *linearize(simulation *s, double settle) {
  picus_sim_options o = picus_model_sim_options(s->model);
  picus_linearization *out = NULL;
  o.adaptive = true;
  const picus_linearization_def def = {
      .model = s->model, .system = s->system, .options = &o, .settle = settle, .equilibrium = true};
  const picus_status status = picus_linearization_create(s->context, &def, &out);
  CHECK(status == PICUS_OK);
  if (status) printf("  %s\n", picus_last_error(s->context)->message);
  return out;
}

/* m s^2 + N mu'(v) s + k = 0: sliding is stable where friction rises with the speed of the belt. */
static void sliding_on_a_belt(void) {
  static const double speeds[] = {0.1, 0.2, 0.4, 0.6, 1};
  for (size_t k = 0; k < sizeof speeds / sizeof *speeds; k++) {
    const double v = speeds[k], fall = exp(-v / 0.1), mu = 0.2 + 0.2 * fall + 0.02 * v, slope = 0.02 - 2 * fall;
    const double half = -10 * slope / 2, root = sqrt(100 - half * half);
    char overrides[64];
    picus_sim_options o;
    simulation s;
    snprintf(overrides, sizeof overrides, "v_b=%.17g,x0=%.17g", v, 0.09 * mu);
    REQUIRE(simulation_load(&s, "stribeck-belt", overrides, &o));
    picus_linearization *l = linearize(&s, 0);
    REQUIRE(l != NULL);
    CHECK_NEAR(picus_linearization_state(l)[0], 0.1 * mu, 1e-12);
    CHECK(picus_linearization_mode(l, 0) == PICUS_SLIP);
    CHECK_NEAR(picus_linearization_value(l, 0).re, half, 1e-8);
    CHECK_NEAR(picus_linearization_value(l, 0).im, root, 1e-8);
    CHECK(picus_linearization_data_of(l).is_stable == (half < 0));
    CHECK_NEAR(picus_linearization_value(l, 2).re, 0, 0);
    picus_linearization_destroy(l);
    simulation_close(&s);
  }
}

/* Two masses and two springs; one mass sticks on a table, so the other one alone oscillates: m s^2 + d s + 2 k = 0. */
static void sticking_on_a_table(void) {
  static const char text[] =
      "model('pair', 'two masses')\n"
      "local q, u = coordinates {{'x', velocity = 'v', start = 0}, {'y', velocity = 'w', start = {0.01, 0}},\n"
      "  {'z', velocity = 'r', start = 0}}\n"
      "kinetic(u.v^2 + (u.w^2 + u.r^2) / 2)\n"
      "potential(50 * (q.y - q.x)^2 + 50 * q.x^2 + 9.81 * q.z)\n"
      "dissipation(u.v^2)\n"
      "contact {'table', gap = q.z, slip = u.w, mu = 0.8}\n"
      "simulate {scheme = 'rattle', dt = 1e-3, adaptive = true, t_end = 1}\n";
  simulation s = {0};
  REQUIRE(picus_context_create(NULL, &s.context) == PICUS_OK);
  REQUIRE(picus_model_load_text(s.context, "pair.lua", text, strlen(text), NULL, &s.model) == PICUS_OK);
  REQUIRE(picus_system_create(s.model, &s.system) == PICUS_OK);
  picus_linearization *l = linearize(&s, 0.1);
  REQUIRE(l != NULL);
  CHECK(picus_linearization_mode(l, 0) == PICUS_STICK);
  CHECK_NEAR(picus_linearization_state(l)[0], 0.5 * picus_linearization_state(l)[1], 1e-12);
  CHECK_NEAR(picus_linearization_value(l, 0).re, -0.5, 1e-9); /* 2 s^2 + 2 s + 200 = 0 */
  CHECK_NEAR(picus_linearization_value(l, 0).im, sqrt(100 - 0.25), 1e-9);
  for (int k = 2; k < 6; k++) CHECK(picus_linearization_value(l, k).re == 0 && picus_linearization_value(l, k).im == 0);
  CHECK(picus_linearization_data_of(l).is_stable);
  picus_linearization_destroy(l);
  simulation_close(&s);
}

/* Forces on the pad couple its two modes: flutter, with two pairs on a circle of the same frequency. */
static void brake_squeals(void) {
  picus_sim_options o;
  simulation s;
  REQUIRE(simulation_load(&s, "brake-squeal", "", &o));
  picus_linearization *l = linearize(&s, 0);
  REQUIRE(l != NULL);
  CHECK(!picus_linearization_data_of(l).is_stable);
  const double *A = picus_linearization_matrix(l);
  const int n = picus_linearization_count(l);
  double trace = 0, sum = 0;
  for (int k = 0; k < n; k++) {
    trace += A[k * n + k];
    sum += picus_linearization_value(l, k).re;
  }
  CHECK_NEAR(sum, trace, 1e-8 * fabs(picus_linearization_value(l, 0).im));
  picus_linearization_destroy(l);
  simulation_close(&s);
}

static void others_are_refused(void) {
  picus_sim_options o;
  picus_linearization *l;
  simulation s;
  REQUIRE(simulation_load(&s, "bouncing-ball", "", &o));
  o.adaptive = true;
  const picus_linearization_def def = {.model = s.model, .system = s.system, .options = &o, .equilibrium = true};
  CHECK(picus_linearization_create(s.context, &def, &l) == PICUS_NO_SOLUTION && l == NULL);
  CHECK(picus_linearization_create(s.context, &(picus_linearization_def){.settle = -1}, &l) == PICUS_ERROR_ARGUMENT);
  simulation_close(&s);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"sliding_on_a_belt", sliding_on_a_belt},
                                    {"sticking_on_a_table", sticking_on_a_table},
                                    {"brake_squeals", brake_squeals},
                                    {"others_are_refused", others_are_refused}};
  return test_main(argc, argv, "linearize", cases, sizeof cases / sizeof *cases);
}
