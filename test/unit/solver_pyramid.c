/* Solver "lemke" beyond planar friction: pyramids, what they cost in accuracy and how that is told; and which laws are
 * named where there is no solution. */
#include "unit/solver_cases.h"

#include <stdio.h>

static picus_context *context;
static const double pi = 3.141592653589793;

static picus_status solve_lemke(contact_case *x, int facets, bool no_fallback) {
  picus_solver_options options = picus_default_solver_options();
  options.solver = "lemke";
  options.facets = facets;
  options.no_fallback = no_fallback;
  case_cold(x);
  return case_solve(x, context, options);
}

/* A point mass 1 / g on a plane that comes with (-1, slip along an angle). */
static void point_mass(contact_case *x, double mu, double g, double slip, double angle) {
  case_clear(x);
  case_add(x, PICUS_COULOMB, 3, mu);
  for (int i = 0; i < 3; i++) x->G[4 * i] = g;
  x->c[0] = -1;
  x->c[1] = slip * cos(angle);
  x->c[2] = slip * sin(angle);
}

/* --- exact cases ---------------------------------------------------------------------------------------------- */

static void exact_along_a_corner(void) {
  static contact_case x;
  for (int facets = 4; facets <= 20; facets += 4)
    for (int k = 0; k < facets; k++) {
      double angle = 2 * pi * k / facets;
      point_mass(&x, 0.3, 2, 5, angle);
      CHECK(solve_lemke(&x, facets, true) == PICUS_OK);
      CHECK(x.info.facets == 0 && x.info.fallbacks == 0 && case_error(&x, x.P) < 1e-13);
      CHECK_NEAR(x.P[1], -0.15 * cos(angle), 1e-14);
      CHECK_NEAR(x.P[2], -0.15 * sin(angle), 1e-14);
    }
}

/* Sticking inside the pyramid, opening, and laws without friction know nothing of facets. */
static void exact_without_slip(void) {
  static contact_case x;
  point_mass(&x, 0.5, 2, 0.3, 1); /* 0.3 < 0.5 cos(pi / 8) */
  CHECK(solve_lemke(&x, 8, true) == PICUS_OK && x.modes[0] == PICUS_STICK);
  CHECK_NEAR(x.P[1], -0.15 * cos(1), 1e-14);
  point_mass(&x, 0.5, 2, 3, 1);
  x.c[0] = 1;
  CHECK(solve_lemke(&x, 8, true) == PICUS_OK && x.modes[0] == PICUS_OPEN && x.P[0] == 0);
  test_random random = {71};
  for (int round = 0; round < 200; round++) { /* weak slips: everything sticks in a cone of mu = 3 */
    case_clear(&x);
    for (int i = 0; i < 3; i++) case_add(&x, PICUS_COULOMB, test_integer(&random, 3, 4), 3);
    case_random_G(&x, &random, 3 * x.problem.size);
    int n = x.problem.size;
    for (int i = 0; i < n; i++) { /* c = - G P with P_N = 1 and small friction */
      x.c[i] = 0;
      for (int j = 0, law = 0, first = 0; j < n; j++) {
        if (j == first + x.laws[law].dim) first += x.laws[law++].dim;
        x.c[i] -= x.G[i * n + j] * (j == first ? 1 : 0.3 * sin(j));
      }
    }
    CHECK(solve_lemke(&x, 16, true) == PICUS_OK && x.info.facets == 0);
    CHECK(case_error(&x, x.P) < 1e-11);
  }
}

/* --- the approximation ---------------------------------------------------------------------------------------- */

/* The nearest corner, or a point on the edge beside it, carries the friction: its direction is off by up to
 * pi / facets, the energy by the square of that. */
static void orders_of_the_error(void) {
  static contact_case x;
  double before[3] = {0};
  for (int facets = 8; facets <= 128; facets *= 2) {
    double worst[3] = {0}; /* percussion, energy, residual */
    for (int k = 0; k < 101; k++) {
      double mu = 0.4, slip = 2, angle = 2 * pi * (k + 0.37) / 101, energy = 0;
      point_mass(&x, mu, 1, slip, angle);
      picus_status status = solve_lemke(&x, facets, true);
      CHECK(status == PICUS_NOT_CONVERGED && x.info.facets == facets);
      double off = hypot(x.P[1] + mu * cos(angle), x.P[2] + mu * sin(angle));
      for (int j = 1; j < 3; j++) energy += (x.c[j] + x.P[j]) * (x.c[j] + x.P[j]) / 2;
      worst[0] = fmax(worst[0], off);
      worst[1] = fmax(worst[1], fabs(energy - (slip - mu) * (slip - mu) / 2));
      worst[2] = fmax(worst[2], x.info.residual.relative);
      double friction = hypot(x.P[1], x.P[2]); /* between an edge's middle and a corner */
      CHECK(friction < mu * (1 + 1e-13) && friction > mu * cos(pi / facets) * (1 - 1e-13));
    }
    printf("  %3d facets: percussion %.2e, energy %.2e, residual %.2e\n", facets, worst[0], worst[1], worst[2]);
    CHECK(worst[0] <= 0.4 * pi / facets * 1.0001);
    if (before[0] > 0) {
      CHECK_NEAR(log2(before[0] / worst[0]), 1, 0.2);
      CHECK_NEAR(log2(before[1] / worst[1]), 2, 0.4);
      CHECK_NEAR(log2(before[2] / worst[2]), 1, 0.2);
    }
    memcpy(before, worst, sizeof before);
  }
}

/* Friction of three directions: corners on a sphere, a quarter as far apart for sixteen times as many. */
static void balls_of_three_dimensions(void) {
  static contact_case x;
  test_random random = {72};
  double before = 0;
  for (int facets = 8; facets <= 128; facets *= 4) {
    double worst = 0;
    for (int k = 0; k < 60; k++) {
      double e[3], length = 0;
      for (int j = 0; j < 3; j++) e[j] = test_uniform(&random, -1, 1);
      length = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
      case_clear(&x);
      case_add(&x, k % 2 ? PICUS_COULOMB : PICUS_RESERVOIR, k % 2 ? 4 : 3, 0.4);
      int n = x.problem.size;
      for (int i = 0; i < n; i++) x.G[i * (n + 1)] = 1;
      if (n == 4) x.c[0] = -1;
      for (int j = 0; j < 3; j++) x.c[n - 3 + j] = 2 * e[j] / length;
      CHECK(solve_lemke(&x, facets, true) == PICUS_NOT_CONVERGED && x.info.facets == facets);
      double off = 0;
      for (int j = 0; j < 3; j++) off = hypot(off, x.P[n - 3 + j] + 0.4 * e[j] / length);
      worst = fmax(worst, off);
    }
    printf("  %3d facets: percussion %.2e\n", facets, worst);
    if (before > 0) CHECK_NEAR(log2(before / worst), 1, 0.5);
    before = worst;
  }
}

/* The pyramid's own conditions for any mix of laws: friction inside it, and no corner that dissipates more. */
static double pyramid_error(const contact_case *x, int facets) {
  double xi[CASE_ROWS], worst = 0, scale = 0;
  picus_contact_residual(&x->problem, x->P, xi);
  for (int k = 0; k < x->problem.size; k++) scale = fmax(scale, fmax(fabs(x->P[k]), fabs(x->c[k])));
  for (int i = 0, row = 0; i < x->problem.law_count; row += x->laws[i++].dim) {
    const double *P = x->P + row, *v = xi + row;
    bool contact = x->laws[i].kind == PICUS_COULOMB;
    double radius = contact ? x->laws[i].radius * P[0] : x->laws[i].radius;
    if (contact) worst = fmax(worst, fmax(fmax(-P[0], -v[0]), fmin(fabs(P[0]), fabs(v[0]))));
    if (contact) P++, v++;
    double most = 0;
    for (int k = 0; k < facets; k++) {
      double angle = 2 * pi * k / facets, edge = angle + pi / facets; /* corner, and the normal of the edge after it */
      most = fmax(most, -radius * (cos(angle) * v[0] + sin(angle) * v[1]));
      worst = fmax(worst, cos(edge) * P[0] + sin(edge) * P[1] - radius * cos(pi / facets));
    }
    worst = fmax(worst, fabs(most + P[0] * v[0] + P[1] * v[1]));
  }
  return worst / scale;
}

static void the_pyramid_problem_is_solved(void) {
  test_random random = {73};
  static contact_case x;
  static double P[CASE_ROWS];
  int approximate = 0;
  double error[2] = {0};
  for (int round = 0; round < 200; round++) {
    case_clear(&x);
    int laws = test_integer(&random, 1, 5);
    for (int i = 0; i < laws; i++)
      if (test_integer(&random, 0, 2))
        case_add(&x, PICUS_COULOMB, 3, test_uniform(&random, 0, 0.25));
      else
        case_add(&x, PICUS_RESERVOIR, 2, test_uniform(&random, 0.05, 0.3));
    case_random_G(&x, &random, 2 * x.problem.size + 2);
    case_random_c(&x, &random);
    CHECK(case_solve_alone(&x, context, "psor") == PICUS_OK);
    memcpy(P, x.P, sizeof P);
    for (int k = 0; k < 2; k++) {
      int facets = k ? 40 : 10;
      picus_status status = solve_lemke(&x, facets, true);
      CHECK(status == PICUS_OK ? x.info.facets == 0 : status == PICUS_NOT_CONVERGED && x.info.facets == facets);
      if (!CHECK(pyramid_error(&x, facets) < 1e-10)) printf("  round %d: %g\n", round, pyramid_error(&x, facets));
      error[k] += case_difference(x.problem.size, P, x.P);
      approximate += status != PICUS_OK;
    }
    CHECK(solve_lemke(&x, 10, false) == PICUS_OK && x.info.facets == 0); /* the next in the chain polishes */
    CHECK(case_difference(x.problem.size, P, x.P) < 1e-9);
  }
  printf("  mean difference to the round cones %.2e with 10, %.2e with 40 facets\n", error[0] / 200, error[1] / 200);
  CHECK(approximate > 200 && error[1] < error[0] / 3);
}

static void what_is_said(void) {
  static contact_case x;
  point_mass(&x, 0.3, 2, 5, 0.2);
  CHECK(solve_lemke(&x, 12, true) == PICUS_NOT_CONVERGED);
  const char *message = picus_last_error(context)->message;
  if (!CHECK(strstr(message, "pyramids of 12 facets") && strstr(message, "residual"))) printf("  %s\n", message);
  CHECK(x.info.residual.relative == picus_contact_residual(&x.problem, x.P, NULL).relative);
  CHECK(solve_lemke(&x, 12, false) == PICUS_OK && x.info.fallbacks == 1 && x.info.facets == 0);
  CHECK_TEXT(x.info.solver, "gs");
  static const int wrong[] = {0, 2, 3, 7, -8, 514};
  for (int k = 0; k < 6; k++) CHECK(solve_lemke(&x, wrong[k], true) == PICUS_ERROR_ARGUMENT);
  CHECK_TEXT(picus_solver_find("lcp")->name, "lemke");
  CHECK(picus_solver_find("lemke") == picus_solver_find("lcp") && !picus_solver_find("lemk"));
}

static void facets_do_not_matter_in_the_plane(void) {
  test_random random = {74};
  static contact_case x;
  double P[CASE_ROWS];
  for (int round = 0; round < 100; round++) {
    case_clear(&x);
    for (int i = 0; i < 5; i++) case_add_random(&x, &random, 0.2, false);
    case_random_G(&x, &random, 2 * x.problem.size + 2);
    case_random_c(&x, &random);
    CHECK(solve_lemke(&x, 4, true) == PICUS_OK);
    memcpy(P, x.P, sizeof P);
    CHECK(solve_lemke(&x, 64, true) == PICUS_OK);
    CHECK(memcmp(P, x.P, sizeof P) == 0);
  }
}

/* --- no solution ---------------------------------------------------------------------------------------------- */

static void expect_conflict(contact_case *x, const char *name, int count, const int *laws, const char *text) {
  picus_solver_options options = picus_default_solver_options();
  options.solver = name;
  picus_solver *solver = NULL;
  REQUIRE(picus_solver_create(context, &options, &solver) == PICUS_OK);
  case_cold(x);
  int found = -1;
  CHECK(picus_solver_conflict(solver, &found) == NULL && found == 0);
  CHECK(picus_solver_solve(solver, &x->problem, x->P, x->modes, &x->info) == PICUS_NO_SOLUTION);
  const int *list = picus_solver_conflict(solver, &found);
  bool same = found == count;
  for (int k = 0; same && k < count; k++) same = list[k] == laws[k];
  const char *message = picus_last_error(context)->message;
  if (!CHECK(same && strstr(message, text))) printf("  %s: %d laws: %s\n", name, found, message);
  picus_solver_destroy(solver);
}

/* A body between walls that come closer, and two contacts of other bodies that have nothing to do with it. */
static void walls_are_named(void) {
  static contact_case x;
  case_clear(&x);
  for (int i = 0; i < 4; i++) case_add(&x, PICUS_UNILATERAL, 1, 0);
  for (int i = 0; i < 4; i++) {
    x.G[5 * i] = 1;
    x.c[i] = -1;
  }
  x.G[4 * 1 + 3] = x.G[4 * 3 + 1] = -1;
  for (int k = 0; k < 2; k++)
    expect_conflict(&x, k ? "auto" : "lemke", 2, (int[]){1, 3}, "laws 1, 3 cannot be satisfied together");
}

static void contradicting_constraints_are_named(void) {
  static contact_case x;
  case_clear(&x);
  for (int i = 0; i < 4; i++) case_add(&x, PICUS_BILATERAL, 1, 0);
  const double w[4][2] = {{1, 0}, {0, 1}, {1, 0}, {0, 2}}; /* rows 1 and 3 act on the second velocity */
  for (int i = 0; i < 4; i++) {
    x.c[i] = i == 3 ? 1 : 0.5;
    for (int j = 0; j < 4; j++) x.G[4 * i + j] = w[i][0] * w[j][0] + w[i][1] * w[j][1];
  }
  CHECK(solve_lemke(&x, 8, true) == PICUS_OK);
  x.c[3] = 2;
  expect_conflict(&x, "lemke", 2, (int[]){1, 3}, "laws 1, 3");
}

/* Painleve's rod of mass m and length 2 l at an angle theta slides: with friction mu against the slip the normal
 * acceleration is (1 + 3 cos^2 - 3 mu sin cos) / m times the normal force. At tan theta = 2 the bracket vanishes for
 * mu = 4/3; beyond, the normal force pulls the tip into the ground, and there is no solution. */
static void painleve_rod(void) {
  static contact_case x;
  double theta = atan(2), m = 0.7, c = -3;
  for (int side = -1; side <= 1; side += 2) {
    double mu = 4. / 3 + side * 1e-6, G = (1 + 3 * cos(theta) * cos(theta) - 3 * mu * sin(theta) * cos(theta)) / m;
    case_clear(&x);
    case_add(&x, PICUS_UNILATERAL, 1, 0); /* another contact, on another body */
    case_add(&x, PICUS_UNILATERAL, 1, 0);
    x.G[0] = 1 / m;
    x.G[3] = G;
    x.c[0] = x.c[1] = c;
    if (side < 0) {
      CHECK(solve_lemke(&x, 8, true) == PICUS_OK);
      CHECK_NEAR(x.P[1] * G, -c, 1e-12);
      continue;
    }
    for (int k = 0; k < 3; k++)
      expect_conflict(&x, k == 0 ? "auto" : k == 1 ? "gs" : "lemke", 1, (int[]){1}, "law 1 cannot be satisfied");
  }
  /* with percussions instead of forces the rod locks: sliding fits no more, but friction can stop it at once */
  for (int side = -1; side <= 1; side += 2) {
    double mu = side < 0 ? 1.2 : 1.5, s = sin(theta), k = cos(theta);
    case_clear(&x);
    case_add(&x, PICUS_COULOMB, 2, mu);
    const double G[4] = {(1 + 3 * k * k) / m, 3 * s * k / m, 3 * s * k / m, (1 + 3 * s * s) / m};
    memcpy(x.G, G, sizeof G);
    x.c[0] = -0.1;
    x.c[1] = 10;
    CHECK(solve_lemke(&x, 8, true) == PICUS_OK && case_error(&x, x.P) < 1e-12);
    CHECK(x.modes[0] == (side < 0 ? PICUS_SLIP : PICUS_STICK));
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"exact_along_a_corner", exact_along_a_corner},
      {"exact_without_slip", exact_without_slip},
      {"orders_of_the_error", orders_of_the_error},
      {"balls_of_three_dimensions", balls_of_three_dimensions},
      {"the_pyramid_problem_is_solved", the_pyramid_problem_is_solved},
      {"what_is_said", what_is_said},
      {"facets_do_not_matter_in_the_plane", facets_do_not_matter_in_the_plane},
      {"walls_are_named", walls_are_named},
      {"contradicting_constraints_are_named", contradicting_constraints_are_named},
      {"painleve_rod", painleve_rod},
  };
  if (picus_context_create(NULL, &context) != PICUS_OK) return 1;
  int result = test_main(argc, argv, "solver_pyramid", cases, (int)(sizeof cases / sizeof *cases));
  picus_context_destroy(context);
  return result;
}
