/* The collapse of a cube of 216 spheres without friction, at a coarse dt: how far they penetrate each other, from their
 * positions alone. grain_models has 64 spheres, also for builds that checks slow down. */
#include "support/check.h"
#include "support/trial.h"

#include <math.h>
#include <stdio.h>

enum { EDGE = 6, COUNT = EDGE * EDGE * EDGE };
#define RADIUS 0.5

typedef struct overlaps {
  double squares; /* sum over all pairs and rows */
  double largest;
  long touching; /* pairs and rows within 1e-9 m of contact */
} overlaps;

static void add_gap(double gap, overlaps *o) {
  const double depth = fmax(-gap, 0);
  o->squares += depth * depth;
  o->largest = fmax(o->largest, depth);
  o->touching += gap < 1e-9;
}

static void look_at_row(const trial_outcome *o, long row, overlaps *found) {
  static const char *const names[] = {"x", "y", "z"};
  double place[COUNT][3];
  for (int i = 0; i < COUNT; i++)
    for (int k = 0; k < 3; k++) place[i][k] = trial_value(o, names[k], i + 1, row);
  for (int i = 0; i < COUNT; i++) {
    add_gap(place[i][2] - RADIUS, found);
    for (int j = 0; j < i; j++) {
      const double d[] = {place[i][0] - place[j][0], place[i][1] - place[j][1], place[i][2] - place[j][2]};
      add_gap(sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) - 2 * RADIUS, found);
    }
  }
}

/* The mean over rows of the sum over all contacts: above the mean over contacts, however one counts these. */
static void spheres_do_not_penetrate(void) {
  if (test_is_reduced()) {
    test_skip("takes too long here");
    return;
  }
  trial_outcome o;
  overlaps found = {0};
  REQUIRE(trial_run((trial){.model = "collapse", .overrides = "n=6", .dt = 1e-2, .sample = 1e-2}, &o));
  const long rows = picus_result_row_count(o.result);
  for (long row = 0; row < rows; row++) look_at_row(&o, row, &found);
  printf("  collapse of %d spheres, %ld rows: squared penetration %.1e m^2 in the mean, %.1e m at most, %ld touch\n",
         COUNT, rows, found.squares / (double)rows, found.largest, found.touching);
  CHECK(rows == 201 && o.summary.solver.accepted == 0);
  CHECK(found.touching > 100L * COUNT && o.summary.impacts > COUNT);
  CHECK(found.squares / (double)rows < 1e-20);
  CHECK(o.summary.gaps.penetration < 1e-10); /* between the rows as well */
  trial_end(&o);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"spheres_do_not_penetrate", spheres_do_not_penetrate}};
  return test_main(argc, argv, "slow_collapse", cases, sizeof cases / sizeof cases[0]);
}
