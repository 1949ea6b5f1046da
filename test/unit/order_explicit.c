/* Every shipped model with the explicit schemes of Schindler et al. 2015 against its independent reference solution:
 * order 1 at least, and order 2 of half-explicit where nothing jumps. */
#include "support/check.h"
#include "support/model_studies.h"
#include "support/study.h"

#include <stdio.h>
#include <string.h>

enum { SIZES = STUDY_SIZES };

/* factor: on the error that moreau is allowed at the finest step. */
static void check_study(const study *c, const char *scheme, double least_order, double factor) {
  const study_variant variant = {.scheme = scheme};
  const bool is_long = strcmp(c->model, "pendulum-in-ring") == 0 || strstr(c->overrides, "J2");
  if (is_long && !test_is_long()) return;
  const study_result found = study_measure(c, &variant, SIZES);
  printf("  %s %s, %s: error %.1e at the finest step, order %.2f\n", c->model, c->overrides, scheme, found.error,
         found.order);
  CHECK(found.order > least_order);
  CHECK(found.error < factor * c->largest_error);
}

#define STUDY(name, ...)                                                                                               \
  static void name(void) {                                                                                             \
    static const study c = {__VA_ARGS__};                                                                              \
    check_study(&c, "moreau-explicit", 0.8, 20); /* Euler's rule for q: energy grows between impacts */                \
    check_study(&c, "half-explicit", 0.8, 2);                                                                          \
    check_study(&c, "half-explicit-rk", 0.8, 2);                                                                       \
  }

MODEL_STUDIES(STUDY)

/* Without friction: the scheme at acceleration level. */
static void acceleration_level(void) {
  static const study frictionless[] = {
      {"bouncing-ball", "", "bouncing_ball_ballard.csv", 0.05, 1, 5, {{"q", "q"}}, 1, 5e-3},
      {"ball-in-box", "", "bouncing_ball_box_text.csv", 0.01, 1, 2, {{"x", "x"}, {"y", "y"}}, 1, 2e-3},
      {"slider-crank", "c=0", "slider_crank_bilateral_J2_5.9e-4.csv", 1e-3, 1, 0.135, {{"theta1", "th1"}}, 10, 1e-2}};
  for (int k = 0; k < 3; k++) check_study(&frictionless[k], "half-explicit-acc", 0.8, 2);
}

/* Nothing jumps: a mass that slides and never stops, and a mechanism with a position constraint. */
static void smooth_motion_has_order_2(void) {
  static const study sliding = {
      "slope", "case=2", "mass_on_slope_case2.csv", 0.0128, 8, 3.2768, {{"x", "x"}, {"y", "y"}}, 1, 1e-6};
  static const study crank = {"slider-crank",
                              "c=0",
                              "slider_crank_bilateral_J2_5.9e-4.csv",
                              1e-3,
                              1,
                              0.135,
                              {{"theta1", "th1"}, {"theta2", "th2"}},
                              10,
                              2e-6};
  check_study(&sliding, "half-explicit", 1.9, 1);
  check_study(&crank, "half-explicit", 1.9, 1);
}

int main(int argc, char **argv) {
#define CASE(name, ...) {#name, name},
  static const test_case cases[] = {MODEL_STUDIES(CASE){"acceleration_level", acceleration_level},
                                    {"smooth_motion_has_order_2", smooth_motion_has_order_2}};
  return test_main(argc, argv, "order_explicit", cases, sizeof cases / sizeof cases[0]);
}
