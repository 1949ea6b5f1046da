/* The semismooth Newton solver in both forms: closed forms of every law, agreement with the other solvers, quadratic
 * convergence, redundant contacts, units, sparse and dense systems, hostile problems. */
#include "contact/internal.h"
#include "simultaneous/newton.h"
#include "support/allocations.h"
#include "unit/solver_cases.h"

#include <stdio.h>
#include <stdlib.h>

static picus_context *context;
static const char *const forms[] = {"newton", "newton-jm"};

/* Cold, alone, to the default tolerance. */
static picus_status solve_cold(contact_case *x, const char *name) {
  picus_solver_options options = picus_default_solver_options();
  options.solver = name;
  options.no_fallback = true;
  case_cold(x);
  return case_solve(x, context, options);
}

/* --- closed forms --------------------------------------------------------------------------------------------- */

/* One law with a diagonal G: 2 in a normal row, 4 in friction rows. */
static void expect_law(picus_law_kind kind, int dim, double radius, const double *c, const double *P, picus_mode mode) {
  static contact_case x;
  case_clear(&x);
  case_add(&x, kind, dim, radius);
  for (int k = 0; k < dim; k++) {
    x.G[k * dim + k] = k == 0 && kind != PICUS_RESERVOIR ? 2 : 4;
    x.c[k] = c[k];
  }
  for (int form = 0; form < 2; form++) {
    CHECK(case_solve_alone(&x, context, forms[form]) == PICUS_OK);
    bool good = CHECK(x.modes[0] == mode);
    for (int k = 0; k < dim; k++) good = CHECK_NEAR(x.P[k], P[k], 1e-13) && good;
    if (!good) printf("  ... kind %d, dim %d, %s\n", (int)kind, dim, forms[form]);
  }
}

static void laws_alone(void) {
  expect_law(PICUS_BILATERAL, 1, 0, (double[]){3}, (double[]){-1.5}, PICUS_STICK);
  expect_law(PICUS_UNILATERAL, 1, 0, (double[]){3}, (double[]){0}, PICUS_OPEN);
  expect_law(PICUS_UNILATERAL, 1, 0, (double[]){-3}, (double[]){1.5}, PICUS_STICK);
  expect_law(PICUS_COULOMB, 2, 0.5, (double[]){1, 3}, (double[]){0, 0}, PICUS_OPEN);
  expect_law(PICUS_COULOMB, 2, 0.5, (double[]){-2, 1}, (double[]){1, -0.25}, PICUS_STICK);
  expect_law(PICUS_COULOMB, 2, 0.5, (double[]){-2, -9}, (double[]){1, 0.5}, PICUS_SLIP);
  expect_law(PICUS_COULOMB, 2, 0, (double[]){-2, -9}, (double[]){1, 0}, PICUS_SLIP);
  expect_law(PICUS_COULOMB, 3, 0.5, (double[]){1, 3, 4}, (double[]){0, 0, 0}, PICUS_OPEN);
  expect_law(PICUS_COULOMB, 3, 0.5, (double[]){-2, 1, -0.5}, (double[]){1, -0.25, 0.125}, PICUS_STICK);
  expect_law(PICUS_COULOMB, 3, 0.5, (double[]){-2, 3, -4}, (double[]){1, -0.3, 0.4}, PICUS_SLIP);
  expect_law(PICUS_COULOMB, 4, 0.5, (double[]){-2, 1, 0, 0.4}, (double[]){1, -0.25, 0, -0.1}, PICUS_STICK);
  expect_law(PICUS_COULOMB, 4, 0.6, (double[]){-2, 6, 3, -6}, (double[]){1, -0.4, -0.2, 0.4}, PICUS_SLIP);
  expect_law(PICUS_RESERVOIR, 1, 0.5, (double[]){1}, (double[]){-0.25}, PICUS_STICK);
  expect_law(PICUS_RESERVOIR, 1, 0.5, (double[]){-3}, (double[]){0.5}, PICUS_SLIP);
  expect_law(PICUS_RESERVOIR, 2, 0.5, (double[]){1, -1}, (double[]){-0.25, 0.25}, PICUS_STICK);
  expect_law(PICUS_RESERVOIR, 2, 0.5, (double[]){3, -4}, (double[]){-0.3, 0.4}, PICUS_SLIP);
  expect_law(PICUS_RESERVOIR, 3, 0.6, (double[]){6, 3, -6}, (double[]){-0.4, -0.2, 0.4}, PICUS_SLIP);
}

/* The derivative of the defect, where it has one, by differences: the step that the linear equations predict must bring
 * the defect to zero up to second order. Newton's direction dp from the equations of one law with a full G. */
static void equations_are_the_derivative(void) {
  test_random random = {5};
  int seen[3] = {0};
  for (int round = 0; round < 3000; round++) {
    int dim = test_integer(&random, 2, 4);
    picus_law law = {PICUS_COULOMB, dim, test_uniform(&random, 0.1, 1)};
    picus_newton_scale scale = {1, test_uniform(&random, 0.3, 2), test_uniform(&random, 0.3, 2)};
    double p[4], xi[4], dp[4] = {0}, dxi[4] = {0}, z[4] = {0};
    for (int k = 0; k < dim; k++) {
      p[k] = test_uniform(&random, -1, 1) + (k == 0);
      xi[k] = test_uniform(&random, -1, 1);
    }
    picus_law_step step;
    picus_newton_linearize(&law, PICUS_ALART_CURNIER, scale, p, xi, &step);
    /* any z, and a dxi that satisfies the equations with it: found along the rows of B, which are orthogonal */
    for (int k = 0; k < step.unknowns; k++) z[k] = test_uniform(&random, -1, 1);
    for (int k = 0; k < dim; k++) {
      dp[k] = step.whole ? z[k] : step.known[k];
      for (int l = 0; !step.whole && l < step.unknowns; l++) dp[k] += step.E[k][l] * z[l];
    }
    for (int k = 0; k < dim; k++) dxi[k] = step.whole ? -xi[k] : 0;
    for (int k = 0; !step.whole && k < step.unknowns; k++) {
      double square = 0, along = 0;
      for (int l = 0; l < dim; l++) square += step.B[k][l] * step.B[k][l];
      for (int l = 0; l < dim; l++) along += step.B[k][l] * xi[l];
      for (int l = 0; l < dim; l++) dxi[l] += step.B[k][l] * (step.target[k] - step.own[k] * z[k] - along) / square;
    }
    /* |F(x + h dx)| = (1 - h) |F(x)| + O(h^2) */
    double h = 1e-6, p_h[4], xi_h[4];
    for (int k = 0; k < dim; k++) {
      p_h[k] = p[k] + h * dp[k];
      xi_h[k] = xi[k] + h * dxi[k];
    }
    double before = sqrt(picus_newton_defect(&law, PICUS_ALART_CURNIER, scale, p, xi));
    double after = sqrt(picus_newton_defect(&law, PICUS_ALART_CURNIER, scale, p_h, xi_h));
    picus_law_step there;
    picus_newton_linearize(&law, PICUS_ALART_CURNIER, scale, p_h, xi_h, &there);
    if (there.whole != step.whole || there.unknowns != step.unknowns) continue; /* another branch */
    if (!step.whole && step.unknowns == 0) CHECK_NEAR(after, (1 - h) * before, 1e-9);
    if (!CHECK(fabs(after - (1 - h) * before) < 1e-9))
      printf("  round %d dim %d unknowns %d\n", round, dim, step.unknowns);
    seen[step.whole ? 1 : step.unknowns ? 2 : 0]++;
  }
  CHECK(seen[0] > 100 && seen[1] > 100 && seen[2] > 100);
}

/* --- agreement ------------------------------------------------------------------------------------------------ */

static void add_random_law(contact_case *x, test_random *random, bool planar) {
  double mu = test_uniform(random, 0, 0.2), a = test_uniform(random, 0, 0.3);
  switch (test_integer(random, 0, planar ? 4 : 8)) {
  case 0:
    case_add(x, PICUS_BILATERAL, 1, 0);
    break;
  case 1:
    case_add(x, PICUS_UNILATERAL, 1, 0);
    break;
  case 2:
    case_add(x, PICUS_RESERVOIR, 1, a);
    break;
  case 3:
  case 4:
    case_add(x, PICUS_COULOMB, 2, mu);
    break;
  case 5:
    case_add(x, PICUS_RESERVOIR, test_integer(random, 2, 3), a);
    break;
  case 6:
    case_add(x, PICUS_COULOMB, 4, mu);
    break;
  default:
    case_add(x, PICUS_COULOMB, 3, mu);
  }
}

static void random_regular(contact_case *x, test_random *random, int most_laws, bool planar) {
  case_clear(x);
  int laws = test_integer(random, 1, most_laws);
  for (int i = 0; i < laws; i++) add_random_law(x, random, planar);
  case_random_G(x, random, 2 * x->problem.size + 2);
  case_random_c(x, random);
}

static void agrees_with(const char *const *others, int other_count, bool planar, int rounds, unsigned long long seed) {
  static contact_case x;
  test_random random = {seed};
  double worst = 0, P[CASE_ROWS];
  for (int round = 0; round < rounds; round++) {
    random_regular(&x, &random, 7, planar);
    CHECK(case_solve_alone(&x, context, others[round % other_count]) == PICUS_OK);
    memcpy(P, x.P, sizeof P);
    for (int form = 0; form < 2; form++) {
      if (!CHECK(case_solve_alone(&x, context, forms[form]) == PICUS_OK))
        printf("  round %d, %s: %s\n", round, forms[form], picus_last_error(context)->message);
      CHECK(picus_contact_residual(&x.problem, x.P, NULL).relative <= 1e-12);
      CHECK(case_error(&x, x.P) <= 2e-12);
      worst = fmax(worst, case_difference(x.problem.size, P, x.P));
    }
  }
  printf("  largest difference %.2g\n", worst);
  CHECK(worst < 1e-10);
}

static void planar_agreement(void) {
  static const char *const others[] = {"direct", "psor", "lemke", "gs"};
  agrees_with(others, 4, true, 1200, 71);
}

static void spatial_agreement(void) {
  static const char *const others[] = {"psor", "gs"};
  agrees_with(others, 2, false, 1000, 72);
}

/* --- convergence ---------------------------------------------------------------------------------------------- */

/* Residuals after 1, 2, ... steps from a start near the solution of slipping spatial contacts, where the equations are
 * curved. Beside the square, the small regularization leaves a small share. */
static void quadratic_convergence(void) {
  static contact_case x;
  test_random random = {73};
  int squares = 0;
  for (int round = 0; round < 60; round++) {
    case_clear(&x);
    for (int i = 0; i < 4; i++) case_add(&x, PICUS_COULOMB, 3, 0.3);
    case_random_G(&x, &random, 30);
    for (int k = 0; k < 12; k++) x.c[k] = k % 3 == 0 ? -1 : test_uniform(&random, -2, 2);
    if (!CHECK(case_solve_alone(&x, context, "newton") == PICUS_OK)) continue;
    double start[12], before = INFINITY;
    for (int k = 0; k < 12; k++) start[k] = x.P[k] * (1 + 0.05 * test_uniform(&random, -1, 1));
    for (int steps = 1; steps <= 6; steps++) {
      picus_solver_options options = picus_default_solver_options();
      options.solver = "newton";
      options.no_fallback = true;
      options.max_iterations = steps;
      memcpy(x.P, start, sizeof start);
      case_solve(&x, context, options);
      double now = x.info.residual.relative;
      if (before < 1e-2 && before > 1e-6) {
        if (!CHECK(now <= 20 * before * before + 1e-5 * before))
          printf("  round %d: %.2e after %d steps, %.2e before\n", round, now, steps, before);
        squares++;
      }
      before = now;
    }
    CHECK(x.info.status == PICUS_OK && x.info.iterations <= 5);
  }
  CHECK(squares >= 60);
}

/* The residual that gs leaves after a few sweeps is no obstacle: a few steps later there is none. */
static void finishes_what_sweeps_began(void) {
  static contact_case x;
  test_random random = {74};
  int most = 0;
  for (int round = 0; round < 200; round++) {
    random_regular(&x, &random, 16, false);
    picus_solver_options options = picus_default_solver_options();
    options.solver = "gs";
    options.no_fallback = true;
    options.tolerance = 1e-4;
    case_cold(&x);
    case_solve(&x, context, options);
    options.solver = "newton";
    options.tolerance = 1e-12;
    CHECK(case_solve(&x, context, options) == PICUS_OK);
    if (x.info.iterations > most) most = x.info.iterations;
  }
  printf("  at most %d steps\n", most);
  CHECK(most <= 6);
}

/* --- redundant contacts --------------------------------------------------------------------------------------- */

static void two_equal_supports(void) {
  static contact_case x;
  case_clear(&x);
  for (int i = 0; i < 2; i++) case_add(&x, PICUS_COULOMB, 2, 0.5);
  for (int i = 0; i < 4; i++) {
    x.c[i] = i % 2 ? 0.1 : -1;
    for (int j = 0; j < 4; j++) x.G[4 * i + j] = i % 2 == j % 2;
  }
  for (int form = 0; form < 2; form++) {
    CHECK(case_solve_alone(&x, context, forms[form]) == PICUS_OK);
    CHECK_NEAR(x.P[0] + x.P[2], 1, 1e-12);
    CHECK_NEAR(x.P[1] + x.P[3], -0.1, 1e-12);
  }
}

/* A rigid body of unit mass and inertia on `contacts` points of the unit sphere (or circle): G = W^T W with 6 (3) rows
 * of W, c = W^T u. */
static void body_on_contacts(contact_case *x, test_random *random, int contacts, bool spatial) {
  static double W[6][CASE_ROWS];
  int dim = spatial ? 3 : 2, n = contacts * dim, dof = spatial ? 6 : 3;
  case_clear(x);
  for (int i = 0; i < contacts; i++) case_add(x, PICUS_COULOMB, dim, test_uniform(random, 0.2, 0.8));
  for (int i = 0; i < contacts; i++) {
    double r[3] = {test_uniform(random, -1, 1), spatial ? test_uniform(random, -1, 1) : 0, -0.5};
    for (int k = 0; k < dim; k++) { /* a floor below: normal up, slips along x and y */
      double e[3] = {k == 1, k == 2, k == 0};
      double m[3] = {r[1] * e[2] - r[2] * e[1], r[2] * e[0] - r[0] * e[2], r[0] * e[1] - r[1] * e[0]};
      for (int j = 0; j < 3; j++) {
        W[j][i * dim + k] = spatial || j != 1 ? e[j] : m[1];
        if (spatial) W[3 + j][i * dim + k] = 2 * m[j];
      }
    }
  }
  double u[6];
  for (int k = 0; k < 6; k++) u[k] = test_uniform(random, -1, 1);
  u[2] = -2;
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < dof; k++) x->c[i] += W[k][i] * u[k];
    for (int j = 0; j < n; j++)
      for (int k = 0; k < dof; k++) x->G[i * n + j] += W[k][i] * W[k][j];
  }
}

static void one_body_on_many_contacts(void) {
  static contact_case x;
  test_random random = {75};
  for (int form = 0; form < 2; form++)
    for (int round = 0; round < 150; round++) {
      body_on_contacts(&x, &random, 25, round % 2 == 0);
      if (!CHECK(solve_cold(&x, forms[form]) == PICUS_OK))
        printf("  round %d, %s: %s\n", round, forms[form], picus_last_error(context)->message);
      CHECK(x.info.residual.relative <= 1e-10);
      CHECK(case_error(&x, x.P) <= 1e-10);
    }
}

/* --- units ---------------------------------------------------------------------------------------------------- */

/* Percussions in a unit that makes them `percussion` times as large, velocities likewise. */
static void change_units(contact_case *x, double percussion, double velocity) {
  int n = x->problem.size;
  for (int k = 0; k < n * n; k++) x->G[k] *= velocity / percussion;
  for (int k = 0; k < n; k++) x->c[k] *= velocity;
  for (int i = 0; i < x->problem.law_count; i++)
    if (x->laws[i].kind == PICUS_RESERVOIR) x->laws[i].radius *= percussion;
}

/* Redundant contacts leave choices that rounding makes: for them, units that do not round. */
static void units_do_not_matter(void) {
  static contact_case x;
  test_random random = {76};
  static const double factors[][2] = {{1e6, 1e3}, {1e3, 1e3}, {1e-6, 1}, {0x1p20, 0x1p-10}};
  for (int round = 0; round < 400; round++) {
    bool redundant = round % 2 == 0;
    if (redundant)
      body_on_contacts(&x, &random, 20, true);
    else
      random_regular(&x, &random, 10, false);
    const double *factor = factors[redundant ? 3 : round / 2 % 4];
    CHECK(solve_cold(&x, "newton") == PICUS_OK);
    int iterations = x.info.iterations;
    double P[CASE_ROWS];
    memcpy(P, x.P, sizeof P);
    change_units(&x, factor[0], factor[1]);
    CHECK(solve_cold(&x, "newton") == PICUS_OK);
    if (!CHECK(x.info.iterations == iterations)) printf("  round %d\n", round);
    for (int k = 0; k < x.problem.size; k++) x.P[k] /= factor[0];
    CHECK(case_difference(x.problem.size, P, x.P) <= (redundant ? 0 : 1e-10));
  }
}

/* --- memory, sparse systems ----------------------------------------------------------------------------------- */

static void no_allocation_after_reserve(void) {
  static contact_case x;
  test_allocations a = test_grant_all();
  picus_context_def def = {.allocate = test_allocate, .allocate_user = &a};
  picus_context *counted;
  picus_solver *solver;
  picus_solver_options options = picus_default_solver_options();
  options.solver = "newton";
  REQUIRE(picus_context_create(&def, &counted) == PICUS_OK);
  REQUIRE(picus_solver_create(counted, &options, &solver) == PICUS_OK);
  REQUIRE(picus_solver_reserve(solver, CASE_LAWS, CASE_ROWS) == PICUS_OK);
  long before = a.calls;
  test_random random = {77};
  for (int round = 0; round < 100; round++) {
    random_regular(&x, &random, 20, false);
    CHECK(picus_solver_solve(solver, &x.problem, x.P, x.modes, &x.info) == PICUS_OK);
  }
  CHECK(a.calls == before);
  picus_solver_destroy(solver);
  picus_context_destroy(counted);
}

enum { CHAIN = 120, CHAIN_ROWS = 3 * CHAIN };

/* A chain of spatial contacts, each coupled with the next: 360 rows, more than dense systems are used for. */
static void contacts_in_a_row(double *G, double *c, picus_law *laws, test_random *random) {
  memset(G, 0, CHAIN_ROWS * CHAIN_ROWS * sizeof *G);
  for (int i = 0; i < CHAIN; i++) {
    laws[i] = (picus_law){PICUS_COULOMB, 3, 0.4};
    for (int k = 0; k < 3; k++) {
      c[3 * i + k] = k == 0 ? -1 : test_uniform(random, -1, 1);
      G[(3 * i + k) * CHAIN_ROWS + 3 * i + k] = 2;
      for (int l = 0; l < 3 && i > 0; l++)
        G[(3 * i + k) * CHAIN_ROWS + 3 * i - 3 + l] = G[(3 * i - 3 + l) * CHAIN_ROWS + 3 * i + k] =
            test_uniform(random, -0.3, 0.3);
    }
  }
}

static void large_systems_are_sparse(void) {
  static double G[CHAIN_ROWS * CHAIN_ROWS], c[CHAIN_ROWS], P[4][CHAIN_ROWS];
  static picus_law laws[CHAIN];
  static picus_mode modes[CHAIN];
  static const char *const names[] = {"gs", "newton", "newton-jm", "newton"};
  test_random random = {78};
  contacts_in_a_row(G, c, laws, &random);
  picus_contact_problem problem = {.law_count = CHAIN, .laws = laws, .size = CHAIN_ROWS, .G = G, .c = c};
  picus_contact_problem by_blocks = problem;
  picus_block_storage storage;
  REQUIRE(picus_block_storage_from_dense(context, &problem, &storage) == PICUS_OK);
  by_blocks.G = NULL;
  by_blocks.blocks = &storage.matrix;
  for (int k = 0; k < 4; k++) {
    picus_solver_options options = picus_default_solver_options();
    picus_solver *solver;
    picus_solve_info info;
    options.solver = names[k];
    options.no_fallback = true;
    options.tolerance = 1e-13;
    REQUIRE(picus_solver_create(context, &options, &solver) == PICUS_OK);
    memset(P[k], 0, sizeof P[k]);
    CHECK(picus_solver_solve(solver, k == 3 ? &by_blocks : &problem, P[k], modes, &info) == PICUS_OK);
    CHECK(picus_contact_residual(&problem, P[k], NULL).relative <= 1e-13);
    CHECK(case_difference(CHAIN_ROWS, P[k], P[0]) < 1e-10);
    picus_solver_destroy(solver);
  }
  CHECK(memcmp(P[1], P[3], sizeof P[1]) == 0); /* both kinds of storage give the same digits */
  picus_block_storage_destroy(&storage);
}

/* The second solve of the same kind finds analysis, factors and memory of the first. */
static void factors_outlive_a_solve(void) {
  static double G[CHAIN_ROWS * CHAIN_ROWS], c[CHAIN_ROWS], P[CHAIN_ROWS];
  static picus_law laws[CHAIN];
  static picus_mode modes[CHAIN];
  static const picus_solver_ops *const solvers[] = {&picus_newton_solver, &picus_homotopy_solver, &picus_admm_solver};
  test_random random = {79};
  contacts_in_a_row(G, c, laws, &random);
  picus_contact_problem problem = {.law_count = CHAIN, .laws = laws, .size = CHAIN_ROWS, .G = G, .c = c};
  for (int k = 0; k < 3; k++) {
    picus_sparse_system sparse = {0};
    picus_memory_need need = solvers[k]->need(CHAIN, CHAIN_ROWS);
    picus_solver_memory memory = {.limits = &picus_no_limits,
                                  .doubles = calloc(need.doubles, sizeof(double)),
                                  .ints = calloc(need.ints, sizeof(int)),
                                  .reduced = &sparse,
                                  .coupled = &sparse};
    picus_solver_options options = picus_default_solver_options();
    int iterations = 0;
    REQUIRE(memory.doubles && memory.ints);
    memset(P, 0, sizeof P);
    CHECK(solvers[k]->solve(&options, &problem, memory, P, modes, &iterations) == PICUS_OK);
    picus_sparse_system kept = sparse;
    CHECK(kept.symbolic && kept.numeric);
    for (int row = 0; row < CHAIN_ROWS; row++) P[row] *= 1 + 1e-3 * test_uniform(&random, -1, 1);
    CHECK(solvers[k]->solve(&options, &problem, memory, P, modes, &iterations) == PICUS_OK);
    CHECK(memcmp(&kept, &sparse, sizeof kept) == 0);
    picus_sparse_release(&sparse);
    free(memory.doubles);
    free(memory.ints);
  }
}

/* --- hostile problems ----------------------------------------------------------------------------------------- */

static void require_honest(contact_case *x, const char *name) {
  picus_solver_options options = picus_default_solver_options();
  options.solver = name;
  options.no_fallback = true;
  picus_status status = case_solve(x, context, options);
  CHECK(status == PICUS_OK || status == PICUS_NOT_CONVERGED || status == PICUS_NO_SOLUTION);
  for (int k = 0; k < x->problem.size; k++) CHECK(isfinite(x->P[k]));
  /* a residual above 1e-9 is never excused by rounding */
  if (status == PICUS_OK) CHECK(picus_contact_residual(&x->problem, x->P, NULL).relative <= 1e-9);
}

static void nonsense_has_a_status(void) {
  static contact_case x;
  static const double odd[] = {0, 0, 1, -1, 1e-300, -1e300, 1e-20, 1e20, 0.5, 2};
  test_random random = {79};
  for (int round = 0; round < 1000; round++) {
    case_clear(&x);
    int laws = test_integer(&random, 1, 5);
    for (int i = 0; i < laws; i++) add_random_law(&x, &random, false);
    bool wild = round % 3 == 0;
    for (int i = 0; i < laws && wild; i++) x.laws[i].radius = fabs(odd[test_integer(&random, 0, 9)]);
    for (int k = 0; k < x.problem.size * x.problem.size; k++)
      x.G[k] = wild ? odd[test_integer(&random, 0, 9)] : test_uniform(&random, -1, 1);
    for (int k = 0; k < x.problem.size; k++) {
      x.c[k] = wild ? odd[test_integer(&random, 0, 9)] : test_uniform(&random, -1, 1);
      x.P[k] = round % 4 ? 0 : round % 8 ? NAN : 1e300;
    }
    require_honest(&x, forms[round % 2]);
  }
}

static void zero_blocks_and_huge_friction(void) {
  static contact_case x;
  test_random random = {80};
  for (int round = 0; round < 200; round++) {
    random_regular(&x, &random, 5, false);
    int n = x.problem.size, row = test_integer(&random, 0, n - 1);
    for (int k = 0; k < n; k++) x.G[row * n + k] = x.G[k * n + row] = 0;
    if (round % 2) x.laws[0].radius = 1e12;
    require_honest(&x, forms[round % 4 / 2]);
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"laws_alone", laws_alone},
      {"equations_are_the_derivative", equations_are_the_derivative},
      {"planar_agreement", planar_agreement},
      {"spatial_agreement", spatial_agreement},
      {"quadratic_convergence", quadratic_convergence},
      {"finishes_what_sweeps_began", finishes_what_sweeps_began},
      {"two_equal_supports", two_equal_supports},
      {"one_body_on_many_contacts", one_body_on_many_contacts},
      {"units_do_not_matter", units_do_not_matter},
      {"no_allocation_after_reserve", no_allocation_after_reserve},
      {"large_systems_are_sparse", large_systems_are_sparse},
      {"factors_outlive_a_solve", factors_outlive_a_solve},
      {"nonsense_has_a_status", nonsense_has_a_status},
      {"zero_blocks_and_huge_friction", zero_blocks_and_huge_friction},
  };
  if (picus_context_create(NULL, &context) != PICUS_OK) return 1;
  int result = test_main(argc, argv, "solver_newton", cases, (int)(sizeof cases / sizeof *cases));
  picus_context_destroy(context);
  return result;
}
