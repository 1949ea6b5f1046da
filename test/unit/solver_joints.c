/* Mechanisms: joints are solved by factorization, not by sweeps. A pendulum of many links on hinges, hanging and
 * hitting a wall. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>

static const char pendulum_text[] = "gravity {0, -9.81}\n"
                                    "local last = ground\n"
                                    "for i = 1, %d do\n"
                                    "  local link = planar_body {'b' .. i, mass = 1 + i %% 2, inertia = 1 / 12,\n"
                                    "    position = {i - 0.5, 0}}\n"
                                    "  revolute {'j' .. i, last, link, at = {i - 1, 0}}\n"
                                    "  last = link\n"
                                    "end\n"
                                    "%s"
                                    "simulate {scheme = 'moreau', dt = 1e-3, t_end = 0.15}\n";

typedef struct result {
  picus_summary summary;
  double x, y; /* of the last link */
} result;

static bool run(int links, const char *extra, const char *scheme, const char *solver, result *out) {
  char text[1024];
  simulation s;
  picus_sim_options options;
  snprintf(text, sizeof text, pendulum_text, links, extra);
  if (!simulation_load_text(&s, text, &options)) return false;
  options.scheme = scheme;
  if (solver) options.solver.solver = solver;
  bool good = simulation_start(&s, &options) && CHECK(picus_sim_run(s.sim, NULL, NULL, &out->summary) == PICUS_OK);
  if (good) {
    const double *q = picus_sim_state(s.sim).q;
    out->x = q[3 * (links - 1)];
    out->y = q[3 * (links - 1) + 1];
  }
  simulation_close(&s);
  return good;
}

static const char *const schemes[] = {"moreau", "moreau-jean", "rattle"};
enum { SCHEMES = sizeof schemes / sizeof *schemes };

static void long_pendulums_need_no_sweeps(void) {
  for (int k = 0; k < SCHEMES; k++)
    for (int links = 15; links <= 135; links *= 3) {
      result is;
      REQUIRE(run(links, "", schemes[k], NULL, &is));
      printf("  %-11s %3d links: %.1f iterations a step, %ld fallbacks\n", schemes[k], links,
             (double)is.summary.solver.iterations / (double)is.summary.steps, (long)is.summary.solver.fallbacks);
      CHECK(is.summary.solver.fallbacks == 0);
      CHECK((double)is.summary.solver.iterations <= 25.0 * (double)is.summary.steps);
    }
}

/* The same motion as by another solver, also with a contact at the end. */
static void the_solution_is_that_of_other_solvers(void) {
  static const char wall[] =
      "plane_contact {'floor', ground, last, origin = {0, -0.05}, normal = {0, 1}, mu = 0.3, eN = 0.5}\n";
  for (int k = 0; k < SCHEMES; k++)
    for (int contact = 0; contact < 2; contact++) {
      result by_auto, by_lemke;
      REQUIRE(run(30, contact ? wall : "", schemes[k], NULL, &by_auto));
      REQUIRE(run(30, contact ? wall : "", schemes[k], "lemke", &by_lemke));
      CHECK_NEAR(by_auto.x, by_lemke.x, 1e-9);
      CHECK_NEAR(by_auto.y, by_lemke.y, 1e-9);
      CHECK(by_auto.y < -0.01);
    }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"long_pendulums_need_no_sweeps", long_pendulums_need_no_sweeps},
      {"the_solution_is_that_of_other_solvers", the_solution_is_that_of_other_solvers},
  };
  return test_main(argc, argv, "solver_joints", cases, sizeof cases / sizeof *cases);
}
