/* The round-off floor of a contact problem against exact solutions: small redundant problems of integers, whose
 * solution, residual and G are exact in double precision, then in units that round all numbers. */
#include "contact/internal.h"
#include "support/check.h"
#include "unit/solver_cases.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

enum { LARGEST = 6 };
#define MU 0.5

static double whole(test_random *random, int least, int most) { return (double)test_integer(random, least, most); }

/* A law with integer percussions P and velocities xi that obey it. */
static void add_law(contact_case *x, test_random *random, double *P, double *xi) {
  const int row = x->problem.size;
  const double press = 2 * whole(random, 1, LARGEST), apart = whole(random, 0, LARGEST);
  const bool open = test_integer(random, 0, 3) == 0;
  P += row;
  xi += row;
  switch (test_integer(random, 0, 2)) {
  case 0:
    case_add(x, PICUS_BILATERAL, 1, 0);
    P[0] = whole(random, -LARGEST, LARGEST);
    xi[0] = 0;
    return;
  case 1:
    case_add(x, PICUS_UNILATERAL, 1, 0);
    P[0] = open ? 0 : press;
    xi[0] = open ? apart : 0;
    return;
  default:
    case_add(x, PICUS_COULOMB, 2, MU);
    P[0] = open ? 0 : press;
    xi[0] = open ? apart : 0;
    const int slip = test_integer(random, -1, 1);
    P[1] = open ? 0 : slip ? -MU * slip * press : whole(random, 1 - (int)(press / 2), (int)(press / 2) - 1);
    xi[1] = open ? whole(random, -LARGEST, LARGEST) : slip * apart;
  }
}

/* G = V^T V of integers and c = xi - G P: exact, and redundant if there are more rows than dof. */
static void exact_problem(contact_case *x, test_random *random, double *P) {
  double V[CASE_ROWS][CASE_ROWS], xi[CASE_ROWS] = {0};
  case_clear(x);
  const int laws = test_integer(random, 2, 8), dof = test_integer(random, 2, 6);
  for (int i = 0; i < laws; i++) add_law(x, random, P, xi);
  const int n = x->problem.size;
  for (int k = 0; k < dof; k++)
    for (int i = 0; i < n; i++) V[k][i] = whole(random, -LARGEST, LARGEST);
  for (int i = 0; i < n; i++) {
    x->c[i] = xi[i];
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < dof; k++) sum += V[k][i] * V[k][j];
      x->G[i * n + j] = sum;
      x->c[i] -= sum * P[j];
    }
  }
  case_cold(x);
}

/* All numbers in other units, one for each law and one for percussions: rounded, and no longer exact. */
static void change_units(contact_case *x, test_random *random, double *P) {
  double unit[CASE_ROWS];
  const double of_percussions = exp(test_uniform(random, -10, 10));
  for (int i = 0, row = 0; i < x->problem.law_count; i++) {
    const double own = exp(test_uniform(random, -2, 2));
    for (int k = 0; k < x->laws[i].dim; k++) unit[row++] = own;
  }
  const int n = x->problem.size;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) x->G[i * n + j] *= unit[i] * unit[j];
    x->c[i] *= unit[i] * of_percussions;
    P[i] *= of_percussions / unit[i];
  }
}

/* The residual of the exact solution is zero; rounded, it is not above the floor, and the floor is round-off. */
static void exact_solutions_reach_the_floor(void) {
  test_random random = {17};
  static contact_case x;
  double nearest = 0, most = 0;
  for (int round = 0; round < 20000; round++) {
    double P[CASE_ROWS] = {0};
    exact_problem(&x, &random, P);
    CHECK(picus_contact_residual(&x.problem, P, NULL).relative == 0);
    change_units(&x, &random, P);
    const double residual = picus_contact_residual(&x.problem, P, NULL).relative;
    const double floor = picus_contact_rounding_floor(&x.problem, P);
    if (!CHECK(residual <= floor)) printf("  round %d: %.3g, floor %.3g\n", round, residual, floor);
    if (floor > 0) nearest = fmax(nearest, residual / floor);
    most = fmax(most, floor);
  }
  printf("  residuals of rounded exact solutions: up to %.2g of the floor, which is at most %.2g\n", nearest, most);
  CHECK(nearest > 0.01);
  CHECK(most < 1e-11);
}

/* With a tolerance that no numbers can meet, a problem is solved if its residual is at the floor, and so are all that
 * are solved to 1e-12. */
static void the_floor_is_solved(void) {
  test_random random = {18};
  static contact_case x;
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  const long rounds = test_study(100, 1000, 20000);
  long unsolved = 0;
  for (long round = 0; round < rounds; round++) {
    double P[CASE_ROWS] = {0};
    exact_problem(&x, &random, P);
    change_units(&x, &random, P);
    picus_solver_options options = picus_default_solver_options();
    const bool to_default = case_solve(&x, context, options) == PICUS_OK;
    options.tolerance = 1e-17;
    case_cold(&x);
    const bool to_floor = case_solve(&x, context, options) == PICUS_OK;
    const double residual = picus_contact_residual(&x.problem, x.P, NULL).relative;
    /* contacts that joints hold yield: such answers are said to be accepted, and keep the default tolerance */
    const double most = x.info.accepted ? picus_default_solver_options().tolerance : options.tolerance;
    const double floor = fmax(most, picus_contact_rounding_floor(&x.problem, x.P));
    if (to_floor && !CHECK(residual <= floor))
      printf("  round %ld: %.3g, accepted %d\n", round, residual, x.info.accepted);
    if (!CHECK(to_floor || !to_default)) printf("  round %ld: %.3g\n", round, residual);
    unsolved += !to_default;
  }
  printf("  %ld of %ld not solved to 1e-12\n", unsolved, rounds);
  CHECK(1000 * unsolved <= rounds);
  picus_context_destroy(context);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"exact_solutions_reach_the_floor", exact_solutions_reach_the_floor},
      {"the_floor_is_solved", the_floor_is_solved},
  };
  return test_main(argc, argv, "rounding_floor", cases, sizeof cases / sizeof *cases);
}
