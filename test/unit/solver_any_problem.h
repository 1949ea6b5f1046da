/* What a solver that takes every problem has to show: closed forms, agreement with others, redundant contacts, units,
 * warm starts, hostile input, memory. The tests of "admm" and "homotopy" run these checks. */
#ifndef PICUS_TEST_SOLVER_ANY_PROBLEM_H
#define PICUS_TEST_SOLVER_ANY_PROBLEM_H

#include "support/allocations.h"
#include "unit/solver_cases.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct solver_under_test {
  const char *name;
  double tolerance;  /* that it reaches on regular problems */
  double redundant;  /* that it reaches on redundant contacts */
  int most_warm;     /* iterations from a solution that has moved a little, in percent of those from zeros */
  int most_unsolved; /* problems with much friction that it may miss, in percent */
} solver_under_test;

static picus_context *context;

static inline picus_status solve_alone(contact_case *x, const solver_under_test *s, double tolerance) {
  picus_solver_options options = picus_default_solver_options();
  options.solver = s->name;
  options.no_fallback = true;
  options.max_iterations = 200000;
  options.tolerance = tolerance;
  return case_solve(x, context, options);
}

/* --- closed forms --------------------------------------------------------------------------------------------- */

/* A point mass 1 / g on a plane, G = g 1, that comes with (-1, slip, 0, ...): it sticks if slip <= mu. */
static inline void one_contact(const solver_under_test *s) {
  static contact_case x;
  for (int dim = 2; dim <= 4; dim++)
    for (int k = 0; k < 3; k++) {
      double slip = k == 0 ? 0.2 : 2, normal = k == 2 ? 1 : -1, mu = 0.5, g = 4;
      case_clear(&x);
      case_add(&x, PICUS_COULOMB, dim, mu);
      for (int i = 0; i < dim; i++) x.G[i * dim + i] = g;
      x.c[0] = normal;
      x.c[dim - 1] = slip;
      CHECK(solve_alone(&x, s, s->tolerance) == PICUS_OK);
      CHECK_NEAR(x.P[0], k == 2 ? 0 : 1 / g, 1e-10);
      CHECK_NEAR(x.P[dim - 1], k == 2 ? 0 : k == 1 ? -mu / g : -slip / g, 1e-10);
      CHECK(x.modes[0] == (k == 2 ? PICUS_OPEN : k == 1 ? PICUS_SLIP : PICUS_STICK));
    }
}

/* A block on an incline: over one step gravity brings it down by cos(alpha) and along by sin(alpha). */
static inline void block_on_incline(const solver_under_test *s) {
  static contact_case x;
  double alpha = 0.3;
  for (int sign = -1; sign <= 1; sign += 2)
    for (int dim = 2; dim <= 3; dim++) {
      case_clear(&x);
      case_add(&x, PICUS_COULOMB, dim, tan(alpha) + sign * 1e-6);
      for (int i = 0; i < dim; i++) x.G[i * dim + i] = 1;
      x.c[0] = -cos(alpha);
      x.c[1] = sin(alpha);
      CHECK(solve_alone(&x, s, s->tolerance) == PICUS_OK);
      double xi[3] = {0};
      picus_contact_residual(&x.problem, x.P, xi);
      CHECK_NEAR(xi[1], sign > 0 ? 0 : 1e-6 * cos(alpha), 1e-10);
      CHECK(x.modes[0] == (sign > 0 ? PICUS_STICK : PICUS_SLIP));
    }
}

/* Every other law alone. */
static inline void laws_without_friction_cone(const solver_under_test *s) {
  static contact_case x;
  case_clear(&x);
  case_add(&x, PICUS_BILATERAL, 1, 0);
  case_add(&x, PICUS_UNILATERAL, 1, 0);
  case_add(&x, PICUS_UNILATERAL, 1, 0);
  case_add(&x, PICUS_RESERVOIR, 2, 0.1);
  case_add(&x, PICUS_RESERVOIR, 1, 0.1);
  int n = x.problem.size;
  for (int i = 0; i < n; i++) x.G[i * n + i] = 2;
  const double c[] = {3, -1, 1, 0.6, 0.8, 0.1}, P[] = {-1.5, 0.5, 0, -0.06, -0.08, -0.05};
  memcpy(x.c, c, sizeof c);
  CHECK(solve_alone(&x, s, s->tolerance) == PICUS_OK);
  for (int k = 0; k < n; k++) CHECK_NEAR(x.P[k], P[k], 1e-10);
}

/* --- against others ------------------------------------------------------------------------------------------- */

static inline void random_regular(contact_case *x, test_random *random) {
  case_clear(x);
  int laws = test_integer(random, 1, 7);
  for (int i = 0; i < laws; i++) case_add_random(x, random, 0.25, true);
  case_random_G(x, random, 2 * x->problem.size + 2);
  case_random_c(x, random);
}

static inline void agrees_on_regular_problems(const solver_under_test *s, int rounds) {
  test_random random = {1001};
  static contact_case x;
  double worst = 0, P[CASE_ROWS];
  for (int round = 0; round < rounds; round++) {
    random_regular(&x, &random);
    CHECK(case_solve_alone(&x, context, "psor") == PICUS_OK);
    memcpy(P, x.P, sizeof P);
    case_cold(&x);
    if (!CHECK(solve_alone(&x, s, s->tolerance) == PICUS_OK))
      printf("  round %d: %s\n", round, picus_last_error(context)->message);
    CHECK(case_error(&x, x.P) <= 3 * s->tolerance);
    worst = fmax(worst, case_difference(x.problem.size, P, x.P));
  }
  printf("  largest difference %.2g\n", worst);
  CHECK(worst < 1e3 * s->tolerance);
}

/* G with a skew part: its symmetric part stays positive definite. */
static inline void takes_unsymmetric_matrices(const solver_under_test *s, int rounds) {
  test_random random = {1002};
  static contact_case x;
  for (int round = 0; round < rounds; round++) {
    random_regular(&x, &random);
    int n = x.problem.size;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < i; j++) {
        double skew = test_uniform(&random, -0.3, 0.3);
        x.G[i * n + j] += skew;
        x.G[j * n + i] -= skew;
      }
    if (!CHECK(solve_alone(&x, s, s->tolerance) == PICUS_OK))
      printf("  round %d: %s\n", round, picus_last_error(context)->message);
    CHECK(case_error(&x, x.P) <= 3 * s->tolerance);
  }
}

/* A rigid body with 3 or 6 degrees of freedom on 25 contacts. */
static inline void body_on_many_contacts(contact_case *x, test_random *random, int dof, double mu,
                                         double W[6][CASE_ROWS], double *velocity) {
  int dim = dof == 3 ? 2 : 3, contacts = 25;
  case_clear(x);
  for (int i = 0; i < contacts; i++) case_add(x, PICUS_COULOMB, dim, mu);
  int n = x->problem.size;
  memset(W, 0, 6 * sizeof *W);
  for (int i = 0; i < contacts; i++) { /* a point (a, b) of the base, at height -1 below the centre of mass */
    double a = test_uniform(random, -1, 1), b = test_uniform(random, -1, 1);
    double *w[6];
    for (int k = 0; k < 6; k++) w[k] = W[k] + dim * i;
    if (dim == 2) { /* (x, y, phi): normal y, tangent x */
      w[1][0] = w[0][1] = 1;
      w[2][0] = a;
      w[2][1] = 1;
      continue;
    }
    w[2][0] = w[0][1] = w[1][2] = 1; /* normal z, tangents x and y; r = (a, b, -1), rows of r x e */
    w[3][0] = b, w[4][0] = -a;
    w[4][1] = -1, w[5][1] = -b;
    w[3][2] = 1, w[5][2] = a;
  }
  for (int k = 0; k < dof; k++) velocity[k] = test_uniform(random, -0.4, 0.4);
  velocity[dim - 1] = -1;
  for (int i = 0; i < n; i++) {
    x->c[i] = 0;
    for (int k = 0; k < dof; k++) x->c[i] += W[k][i] * velocity[k];
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < dof; k++) sum += W[k][i] * W[k][j];
      x->G[i * n + j] = sum;
    }
  }
}

/* Percussions are not unique. What the body does is unique without friction; with friction it depends on how the
 * contacts share the load, and only the residual can be compared. */
static inline void redundant_contacts(const solver_under_test *s, int rounds) {
  test_random random = {1003};
  static contact_case x;
  static double W[6][CASE_ROWS];
  double free_velocity[6], body[2][6], worst = 0;
  const solver_under_test reference = {.name = "gs"};
  for (int round = 0; round < rounds; round++) {
    int dof = round % 2 ? 6 : 3;
    double mu = round % 4 < 2 ? 0 : 0.4;
    body_on_many_contacts(&x, &random, dof, mu, W, free_velocity);
    for (int k = 0; k < 2; k++) {
      case_cold(&x);
      picus_status status = solve_alone(&x, k ? s : &reference, s->redundant);
      if (!CHECK(status == PICUS_OK)) printf("  round %d: %s\n", round, picus_last_error(context)->message);
      CHECK(case_error(&x, x.P) <= 3 * s->redundant);
      for (int d = 0; d < dof; d++) {
        body[k][d] = free_velocity[d];
        for (int j = 0; j < x.problem.size; j++) body[k][d] += W[d][j] * x.P[j];
      }
    }
    for (int d = 0; d < dof && mu == 0; d++) worst = fmax(worst, fabs(body[1][d] - body[0][d]));
  }
  printf("  largest difference of the body's velocity %.2g\n", worst);
  CHECK(worst < 1e4 * s->redundant);
}

/* Much friction on contacts that have many more rows than the motion has degrees of freedom. c lies in the range of G:
 * normal percussions exist that stop everything. */
static inline void strong_friction(const solver_under_test *s, int rounds) {
  test_random random = {1010};
  static contact_case x;
  int unsolved = 0;
  for (int round = 0; round < rounds; round++) {
    case_clear(&x);
    int contacts = test_integer(&random, 3, 20), dim = test_integer(&random, 2, 4);
    for (int i = 0; i < contacts; i++) case_add(&x, PICUS_COULOMB, dim, test_uniform(&random, 0.1, 1.5));
    int n = x.problem.size;
    case_random_G(&x, &random, test_integer(&random, 2, 9));
    for (int j = 0; j < n; j++) {
      double P = j % dim ? test_uniform(&random, -0.5, 0.5) : test_uniform(&random, 0, 1);
      for (int i = 0; i < n; i++) x.c[i] -= x.G[i * n + j] * P;
    }
    unsolved += solve_alone(&x, s, s->redundant) != PICUS_OK;
    if (x.info.status == PICUS_OK) CHECK(case_error(&x, x.P) <= 3 * s->redundant);
  }
  printf("  %d of %d unsolved\n", unsolved, rounds);
  CHECK(100 * unsolved <= s->most_unsolved * rounds);
}

/* --- units, starts, memory ------------------------------------------------------------------------------------ */

/* Other units of mass and velocity, by powers of two so that nothing is rounded: the same iterations, bit by bit. */
static inline void units_do_not_matter(const solver_under_test *s) {
  test_random random = {1004};
  static contact_case x, y;
  for (int round = 0; round < 50; round++) {
    random_regular(&x, &random);
    double g = ldexp(1, 2 * test_integer(&random, -20, 20)), c = ldexp(1, test_integer(&random, -20, 20));
    y = x;
    y.problem.laws = y.laws, y.problem.G = y.G, y.problem.c = y.c;
    for (int k = 0; k < CASE_ROWS * CASE_ROWS; k++) y.G[k] *= g;
    for (int k = 0; k < CASE_ROWS; k++) y.c[k] *= c;
    for (int i = 0; i < y.problem.law_count; i++)
      if (y.laws[i].kind == PICUS_RESERVOIR) y.laws[i].radius *= c / g;
    CHECK(solve_alone(&x, s, s->tolerance) == PICUS_OK && solve_alone(&y, s, s->tolerance) == PICUS_OK);
    CHECK(x.info.iterations == y.info.iterations);
    for (int k = 0; k < x.problem.size; k++) CHECK(y.P[k] == x.P[k] * (c / g));
  }
}

static inline void warm_starts_help(const solver_under_test *s, int rounds) {
  test_random random = {1005};
  static contact_case x;
  long cold = 0, warm = 0;
  for (int round = 0; round < rounds; round++) {
    random_regular(&x, &random);
    CHECK(solve_alone(&x, s, s->tolerance) == PICUS_OK);
    cold += x.info.iterations;
    CHECK(solve_alone(&x, s, 2 * s->tolerance) == PICUS_OK);
    CHECK(x.info.iterations == 0);
    for (int k = 0; k < x.problem.size; k++) x.c[k] += 1e-6 * test_uniform(&random, -1, 1);
    CHECK(solve_alone(&x, s, s->tolerance) == PICUS_OK);
    warm += x.info.iterations;
  }
  printf("  iterations: %ld cold, %ld warm\n", cold, warm);
  CHECK(100 * warm < s->most_warm * cold);
}

/* A chain of bodies that translate, 120 contacts: sparse elimination, G by blocks and whole. */
static inline void long_chain(const solver_under_test *s) {
  enum { N = 120, D = 3 };
  static picus_law laws[N];
  static int first_row[N + 1], row_start[N + 1], column[3 * N];
  static size_t offset[3 * N];
  static double values[3 * N * D * D], c[N * D], G[N * D * N * D], P[3][N * D];
  static picus_mode modes[N];
  test_random random = {1006};
  int blocks = 0;
  memset(values, 0, sizeof values);
  for (int i = 0; i < N; i++) {
    laws[i] = (picus_law){PICUS_COULOMB, D, 0.3};
    first_row[i] = D * i;
    row_start[i] = blocks;
    for (int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < N; j++, blocks++) {
      column[blocks] = j;
      offset[blocks] = (size_t)(blocks * D * D);
      for (int k = 0; k < D; k++)
        values[blocks * D * D + (D + 1) * k] = G[(D * i + k) * N * D + D * j + k] = i == j ? 2.5 : -1;
    }
    for (int k = 0; k < D; k++) c[D * i + k] = test_uniform(&random, k ? -0.5 : -1, 0.5);
  }
  first_row[N] = N * D;
  row_start[N] = blocks;
  picus_block_matrix matrix = {first_row, row_start, column, offset, values};
  picus_contact_problem problem = {.law_count = N, .laws = laws, .size = N * D, .c = c};
  memset(P, 0, sizeof P);
  for (int k = 0; k < 3; k++) {
    picus_solver_options options = picus_default_solver_options();
    picus_solver *solver;
    options.solver = k ? s->name : "gs";
    options.tolerance = s->tolerance;
    options.no_fallback = true;
    problem.G = k == 2 ? G : NULL;
    problem.blocks = k == 2 ? NULL : &matrix;
    REQUIRE(picus_solver_create(context, &options, &solver) == PICUS_OK);
    CHECK(picus_solver_solve(solver, &problem, P[k], modes, NULL) == PICUS_OK);
    picus_solver_destroy(solver);
  }
  CHECK(case_difference(N * D, P[0], P[1]) < 1e2 * s->tolerance);
  CHECK(case_difference(N * D, P[1], P[2]) < 1e2 * s->tolerance);
}

static inline void allocates_nothing_after_reserve(const solver_under_test *s) {
  static contact_case x;
  test_random random = {1007};
  test_allocations a = test_grant_all();
  picus_context *counted;
  picus_context_def def = {.allocate = test_allocate, .allocate_user = &a};
  REQUIRE(picus_context_create(&def, &counted) == PICUS_OK);
  picus_solver_options options = picus_default_solver_options();
  options.solver = s->name;
  options.no_fallback = true;
  options.max_iterations = 50;
  picus_solver *solver;
  REQUIRE(picus_solver_create(counted, &options, &solver) == PICUS_OK);
  REQUIRE(picus_solver_reserve(solver, CASE_LAWS, CASE_ROWS) == PICUS_OK);
  long before = a.calls;
  for (int round = 0; round < 200; round++) {
    random_regular(&x, &random);
    picus_solver_solve(solver, &x.problem, x.P, x.modes, NULL);
  }
  CHECK(a.calls == before);
  picus_solver_destroy(solver);
  CHECK(picus_context_memory(counted) == 0);
  picus_context_destroy(counted);
}

/* --- hostile -------------------------------------------------------------------------------------------------- */

static inline bool stays_honest(contact_case *x, const solver_under_test *s) {
  picus_solver_options options = picus_default_solver_options();
  options.solver = s->name;
  options.no_fallback = true;
  options.max_iterations = 2000;
  picus_clear_error(context);
  picus_status status = case_solve(x, context, options);
  CHECK(status == PICUS_OK || status == PICUS_NOT_CONVERGED || status == PICUS_NO_SOLUTION);
  CHECK(x->info.iterations <= 2000);
  for (int k = 0; k < x->problem.size; k++) CHECK(isfinite(x->P[k]));
  if (status == PICUS_OK) /* the tolerance gives way to rounding, but never beyond 1e-9 */
    CHECK(picus_contact_residual(&x->problem, x->P, NULL).relative <= 1e-9);
  return status == PICUS_OK;
}

static inline void hostile_problems(const solver_under_test *s) {
  static contact_case x;
  static const double odd[] = {0, 0, 1, -1, 1e-300, -1e300, 1e-20, 1e20, 0.5, 2};
  test_random random = {1008};
  for (int round = 0; round < 2000; round++) {
    case_clear(&x);
    int laws = test_integer(&random, 1, 5);
    for (int i = 0; i < laws; i++) {
      case_add_random(&x, &random, 1, true);
      if (round % 2) x.laws[i].radius = fabs(odd[test_integer(&random, 0, 9)]);
    }
    for (int k = 0; k < x.problem.size * x.problem.size; k++)
      x.G[k] = round % 3 ? test_uniform(&random, -1, 1) : odd[test_integer(&random, 0, 9)];
    for (int k = 0; k < x.problem.size; k++)
      x.c[k] = round % 3 ? test_uniform(&random, -1, 1) : odd[test_integer(&random, 0, 9)];
    stays_honest(&x, s);
  }
}

static inline void friction_none_and_huge(const solver_under_test *s) {
  static contact_case x;
  static const double coefficients[] = {0, 1e-300, 1e-12, 1e3, 1e6, 1e100, 1e300};
  for (int k = 0; k < 7; k++)
    for (int dim = 2; dim <= 4; dim++) {
      test_random random = {4};
      case_clear(&x);
      case_add(&x, PICUS_COULOMB, dim, coefficients[k]);
      case_add(&x, PICUS_COULOMB, dim, coefficients[k]);
      case_random_G(&x, &random, 12);
      for (int r = 0; r < 2 * dim; r++) x.c[r] = r % dim ? 0.2 : -1;
      bool solved = stays_honest(&x, s);
      if (k <= 2 && !CHECK(solved)) printf("  mu = %g: %s\n", coefficients[k], picus_last_error(context)->message);
    }
}

/* Two walls that come closer squeeze a body: no percussion stops both. A contact on nothing that closes. */
static inline void no_solution_is_not_solved(const solver_under_test *s) {
  static contact_case x;
  case_clear(&x);
  case_add(&x, PICUS_COULOMB, 2, 0.3);
  case_add(&x, PICUS_COULOMB, 2, 0.3);
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) x.G[4 * i + j] = i % 2 != j % 2 ? 0 : i / 2 != j / 2 ? -1 : 1;
  x.c[0] = x.c[2] = -1;
  CHECK(!stays_honest(&x, s));
  case_clear(&x);
  case_add(&x, PICUS_UNILATERAL, 1, 0);
  case_add(&x, PICUS_COULOMB, 3, 0.3);
  for (int i = 1; i < 4; i++) x.G[5 * i] = 1;
  x.c[0] = x.c[1] = -1;
  CHECK(!stays_honest(&x, s));
  x.c[0] = 1;
  case_cold(&x);
  CHECK(stays_honest(&x, s));
}

static inline void spoilt_starts(const solver_under_test *s) {
  static contact_case x;
  test_random random = {1009};
  random_regular(&x, &random);
  static const double bad[] = {NAN, INFINITY, -1e300, 1e300};
  for (int k = 0; k < x.problem.size; k++) x.P[k] = bad[k % 4];
  x.modes[0] = (picus_mode)77;
  CHECK(stays_honest(&x, s));
}

/* --- the cases, for the solver that the program is about --------------------------------------------------------- */

static const solver_under_test *under_test;

static inline void test_one_contact(void) { one_contact(under_test); }
static inline void test_block_on_incline(void) { block_on_incline(under_test); }
static inline void test_laws_without_friction_cone(void) { laws_without_friction_cone(under_test); }
static inline void test_regular_problems(void) { agrees_on_regular_problems(under_test, 500); }
static inline void test_unsymmetric_matrices(void) { takes_unsymmetric_matrices(under_test, 200); }
static inline void test_redundant_contacts(void) { redundant_contacts(under_test, 40); }
static inline void test_strong_friction(void) { strong_friction(under_test, 300); }
static inline void test_units(void) { units_do_not_matter(under_test); }
static inline void test_warm_starts(void) { warm_starts_help(under_test, 200); }
static inline void test_long_chain(void) { long_chain(under_test); }
static inline void test_memory(void) { allocates_nothing_after_reserve(under_test); }
static inline void test_hostile_problems(void) { hostile_problems(under_test); }
static inline void test_friction_none_and_huge(void) { friction_none_and_huge(under_test); }
static inline void test_no_solution(void) { no_solution_is_not_solved(under_test); }
static inline void test_spoilt_starts(void) { spoilt_starts(under_test); }

static inline int test_any_problem(int argc, char **argv, const char *suite, const solver_under_test *solver) {
  static const test_case cases[] = {
      {"one_contact", test_one_contact},
      {"block_on_incline", test_block_on_incline},
      {"laws_without_friction_cone", test_laws_without_friction_cone},
      {"regular_problems", test_regular_problems},
      {"unsymmetric_matrices", test_unsymmetric_matrices},
      {"redundant_contacts", test_redundant_contacts},
      {"strong_friction", test_strong_friction},
      {"units", test_units},
      {"warm_starts", test_warm_starts},
      {"long_chain", test_long_chain},
      {"memory", test_memory},
      {"hostile_problems", test_hostile_problems},
      {"friction_none_and_huge", test_friction_none_and_huge},
      {"no_solution", test_no_solution},
      {"spoilt_starts", test_spoilt_starts},
  };
  under_test = solver;
  if (picus_context_create(NULL, &context) != PICUS_OK) return 1;
  int result = test_main(argc, argv, suite, cases, (int)(sizeof cases / sizeof *cases));
  picus_context_destroy(context);
  return result;
}

#endif
