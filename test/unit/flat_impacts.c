/* Boxes that fall flat: their corners close together, up to round-off, so that an adaptive run must not let some of
 * them have an impact before the others, however short its steps are. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>

static double drift_of(const char *text, const char *scheme, double tolerance) {
  simulation s;
  double drift = NAN;
  const adaptive_run run = {
      .dt_min = 10 * tolerance, .dt_max = 0.05, .tolerance = tolerance, .order_max = 6, .scheme = scheme};
  if (!simulation_open_adaptive_text(&s, text, run)) return NAN;
  if (CHECK(picus_sim_run(s.sim, NULL, NULL, NULL) == PICUS_OK)) {
    const picus_state at = picus_sim_state(s.sim);
    drift = fmax(fabs(at.q[0]), fabs(at.q[1]));
  } else
    printf("  %s\n", picus_last_error(s.context)->message);
  simulation_close(&s);
  return drift;
}

static void flat_boxes_do_not_drift_sideways(void) {
  static const char *const schemes[] = {"moreau", "half-explicit", "rattle"};
  test_random r = {5};
  for (int c = 0; c < 3; c++) {
    char text[500];
    const double height = test_uniform(&r, 0.1, 0.3), mu = test_uniform(&r, 0.1, 0.8), e = test_uniform(&r, 0.3, 0.6);
    snprintf(text, sizeof text,
             "gravity {0, 0, -9.81}\nmaterial {'default', mu = %.6g, eN = %.6g}\nfloor {'floor'}\n"
             "box {'b', suffix = '', size = {%.6g, %.6g, %.6g}, mass = 2, position = {0, 0, %.6g}}\n"
             "simulate {dt = 1e-3, t_end = 1.2}\n",
             c ? mu : 0.4, c ? e : 0.5, c ? test_uniform(&r, 0.2, 0.6) : 0.5, c ? test_uniform(&r, 0.2, 0.6) : 0.3,
             c ? height : 0.2, c ? height / 2 + 0.2 : 0.4);
    for (int k = 0; k < 3; k++)
      for (double tolerance = 1e-10; tolerance > 5e-14; tolerance /= 10) {
        const double drift = drift_of(text, schemes[k], tolerance);
        if (!CHECK(drift <= 1e-11))
          printf("  box %d, %s, tolerance %g: %.2g m sideways\n", c, schemes[k], tolerance, drift);
      }
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"flat_boxes_do_not_drift_sideways", flat_boxes_do_not_drift_sideways}};
  return test_main(argc, argv, "flat_impacts", cases, (int)(sizeof cases / sizeof *cases));
}
