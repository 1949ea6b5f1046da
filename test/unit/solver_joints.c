/* Mechanisms: joints are eliminated once, without iterations. A pendulum of many links on hinges, hanging and
 * hitting a wall. */
#include "contact/internal.h"
#include "support/check.h"
#include "support/simulate.h"
#include "unit/solver_cases.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
      CHECK((double)is.summary.solver.iterations <= 5.0 * (double)is.summary.steps);
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

/* Random problems in which every second law is a joint, dense and by blocks, warm and cold: joints hold, contacts obey
 * their laws, and of joints alone one elimination is enough. Some have a joint twice, which percussions share. */
static void random_joints_and_contacts(void) {
  test_random random = {91};
  static contact_case x;
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  int once = 0;
  for (int round = 0; round < 600; round++) {
    const bool spatial = round % 2, alone = round % 5 == 0, twice = round % 7 == 0;
    const int laws = test_integer(&random, 2, spatial ? 16 : 24);
    case_clear(&x);
    for (int i = 0; i < laws; i++)
      if (alone || test_integer(&random, 0, 1) == 0)
        case_add(&x, PICUS_BILATERAL, 1, 0);
      else
        case_add_random(&x, &random, 0.3, spatial);
    case_random_G(&x, &random, x.problem.size + 2);
    case_random_c(&x, &random);
    const int n = x.problem.size;
    if (twice && x.laws[0].kind == PICUS_BILATERAL && x.laws[1].kind == PICUS_BILATERAL) {
      for (int k = 0; k < n; k++) x.G[n + k] = x.G[k];
      for (int k = 0; k < n; k++) x.G[k * n + 1] = x.G[k * n];
      x.c[1] = x.c[0];
    }
    case_cold(&x);
    if (!CHECK(case_solve(&x, context, picus_default_solver_options()) == PICUS_OK)) printf("  round %d\n", round);
    CHECK(picus_contact_residual(&x.problem, x.P, NULL).relative <= 1e-12);
    if (alone && !twice) CHECK(x.info.iterations == 1 && x.info.fallbacks == 0);
    once += x.info.iterations == 1;
    picus_block_storage storage;
    REQUIRE(picus_block_storage_from_dense(context, &x.problem, &storage) == PICUS_OK);
    picus_contact_problem blocks = x.problem;
    blocks.G = NULL;
    blocks.blocks = &storage.matrix;
    picus_solver *solver;
    double P[CASE_ROWS] = {0};
    picus_mode modes[CASE_LAWS] = {0};
    REQUIRE(picus_solver_create(context, NULL, &solver) == PICUS_OK);
    for (int warm = 0; warm < 2; warm++) {
      CHECK(picus_solver_solve(solver, &blocks, P, modes, NULL) == PICUS_OK);
      CHECK(picus_contact_residual(&blocks, P, NULL).relative <= 1e-12);
    }
    for (int i = 0; i < laws; i++)
      if (x.laws[i].kind == PICUS_BILATERAL) CHECK(modes[i] == PICUS_STICK);
    picus_solver_destroy(solver);
    picus_block_storage_destroy(&storage);
  }
  printf("  %d of 600 problems in one iteration\n", once);
  picus_context_destroy(context);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"long_pendulums_need_no_sweeps", long_pendulums_need_no_sweeps},
      {"the_solution_is_that_of_other_solvers", the_solution_is_that_of_other_solvers},
      {"random_joints_and_contacts", random_joints_and_contacts},
  };
  return test_main(argc, argv, "solver_joints", cases, sizeof cases / sizeof *cases);
}
