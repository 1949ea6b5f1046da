/* Every shipped model with Moreau's midpoint rule against its independent reference solution: the error of the
 * coordinates decays with order 1. */
#include "support/check.h"
#include "support/model_studies.h"
#include "support/study.h"

static const study_variant moreau = {.scheme = "moreau"};

#define STUDY(name, ...)                                                                                               \
  static void name(void) {                                                                                             \
    static const study c = {__VA_ARGS__};                                                                              \
    study_run(&c, &moreau);                                                                                            \
  }

MODEL_STUDIES(STUDY)

static void linear_oscillator(void) { study_run_oscillator(&moreau); }

int main(int argc, char **argv) {
#define CASE(name, ...) {#name, name},
  static const test_case cases[] = {MODEL_STUDIES(CASE){"linear_oscillator", linear_oscillator}};
  return test_main(argc, argv, "order_models", cases, sizeof cases / sizeof cases[0]);
}
