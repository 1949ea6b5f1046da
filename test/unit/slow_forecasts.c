/* Which forecast chooses the contacts of moreau-jean and moreau-projected best: errors, orders, impacts and chatter on
 * the shipped models with a reference solution. It prints the tables of bench/notes/schemes.md. */
#include "support/check.h"
#include "support/model_studies.h"
#include "support/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void half(picus_sim_options *o) {
  o->implicit.forecast = PICUS_FORECAST_EXPLICIT;
  o->implicit.forecast_factor = 0.5;
}
static void zero(picus_sim_options *o) {
  o->implicit.forecast = PICUS_FORECAST_EXPLICIT;
  o->implicit.forecast_factor = 0;
}
static void free_position(picus_sim_options *o) { o->implicit.forecast = PICUS_FORECAST_FREE; }
static void mixed(picus_sim_options *o) {
  o->implicit.forecast = PICUS_FORECAST_MIXED;
  o->implicit.forecast_factor = 0.5;
}

enum { FORECASTS = 4 };
static const char *const labels[FORECASTS] = {"s = 1/2", "s = 0", "free", "mixed"};
static void (*const forecasts[FORECASTS])(picus_sim_options *) = {half, zero, free_position, mixed};

#define ROW(name, ...) {__VA_ARGS__},
static const study studies[] = {MODEL_STUDIES(ROW){"linear-oscillator", "", "", 0.05, 1, 10, {{0}}, 1, 2e-3}};

static void compare(const char *scheme) {
  printf("  %s\n  | model | %s: error, order | impacts, chatter |", scheme, labels[0]);
  for (int f = 1; f < FORECASTS; f++) printf(" %s | impacts, chatter |", labels[f]);
  printf("\n");
  for (size_t k = 0; k < sizeof studies / sizeof studies[0]; k++) {
    const bool is_ring = strcmp(studies[k].model, "pendulum-in-ring") == 0;
    const bool has_no_clearance = strncmp(studies[k].overrides, "c=0", 3) == 0; /* nor has it impacts to forecast */
    if ((is_ring || has_no_clearance) && !test_is_long()) continue;
    const int sizes = is_ring ? 7 : (int)test_size(6, STUDY_SIZES - 1, STUDY_SIZES - 1);
    printf("  | %s%s%s |", studies[k].model, studies[k].overrides[0] ? " " : "", studies[k].overrides);
    study_result r[FORECASTS];
    for (int f = 0; f < FORECASTS; f++) {
      const study_variant variant = {scheme, NULL, forecasts[f]};
      r[f] = study_measure(&studies[k], &variant, sizes);
      printf(" %.1e, %.2f | %ld, %ld |", r[f].error, r[f].order, r[f].impacts, r[f].chatter);
    }
    printf("\n");
    const study_result *by_default = &r[FORECASTS - 1];
    CHECK(test_is_reduced() || by_default->order > 0.8); /* six sizes do not show the order of the slider-crank */
    CHECK(by_default->error < 1.05 * r[0].error);
    CHECK(by_default->chatter <= 25); /* what is left of accumulations */
  }
}

static void moreau_jean(void) { compare("moreau-jean"); }
static void moreau_projected(void) { compare("moreau-projected"); }

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"moreau_jean", moreau_jean},
      {"moreau_projected", moreau_projected},
  };
  return test_main(argc, argv, "slow_forecasts", cases, sizeof cases / sizeof cases[0]);
}
