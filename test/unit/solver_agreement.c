/* The solvers against each other, on random problems with unique solutions. */
#include "unit/solver_cases.h"

#include <stdio.h>

static picus_context *context;

static void planar_laws_of_all_kinds(void) {
  static const char *const names[] = {"direct", "psor", "lemke"};
  test_random random = {42};
  static contact_case x;
  double worst = 0, P[3][CASE_ROWS];
  for (int round = 0; round < 3000; round++) {
    case_clear(&x);
    int laws = test_integer(&random, 1, 6);
    for (int i = 0; i < laws; i++) case_add_random(&x, &random, 0.2, false);
    case_random_G(&x, &random, 2 * x.problem.size + 2);
    case_random_c(&x, &random);
    for (int k = 0; k < 3; k++) {
      picus_status status = case_solve_alone(&x, context, names[k]);
      if (!CHECK(status == PICUS_OK))
        printf("  round %d, %d laws, %s: %s\n", round, laws, names[k], picus_last_error(context)->message);
      CHECK(x.info.residual.relative <= 1e-12);
      CHECK(case_error(&x, x.P) <= 2e-12);
      memcpy(P[k], x.P, sizeof x.P);
    }
    for (int k = 1; k < 3; k++) worst = fmax(worst, case_difference(x.problem.size, P[0], P[k]));
  }
  printf("  largest difference %.2g\n", worst);
  CHECK(worst < 1e-10);
}

/* Spatial friction has one solver; its answer must not depend on the relaxation or on the start. */
static void spatial_laws_of_all_kinds(void) {
  test_random random = {43};
  static contact_case x;
  double worst = 0, P[CASE_ROWS];
  for (int round = 0; round < 1000; round++) {
    case_clear(&x);
    int laws = test_integer(&random, 1, 6);
    for (int i = 0; i < laws; i++) {
      int kind = test_integer(&random, 0, 3);
      if (kind == 0) case_add_random(&x, &random, 0.2, false);
      if (kind == 1) case_add(&x, PICUS_RESERVOIR, test_integer(&random, 2, 3), test_uniform(&random, 0, 0.3));
      if (kind >= 2) case_add(&x, PICUS_COULOMB, test_integer(&random, 3, 4), test_uniform(&random, 0, 0.2));
    }
    case_random_G(&x, &random, 2 * x.problem.size + 2);
    case_random_c(&x, &random);
    CHECK(case_solve_alone(&x, context, "psor") == PICUS_OK);
    CHECK(case_error(&x, x.P) <= 2e-12);
    memcpy(P, x.P, sizeof P);
    for (int k = 0; k < x.problem.size; k++) x.P[k] = test_uniform(&random, -1, 1);
    picus_solver_options options = picus_default_solver_options();
    options.relaxation = test_uniform(&random, 0.3, 1.3);
    CHECK(case_solve(&x, context, options) == PICUS_OK);
    worst = fmax(worst, case_difference(x.problem.size, P, x.P));
  }
  printf("  largest difference %.2g\n", worst);
  CHECK(worst < 1e-10);
}

/* Redundant rows: percussions are not unique, what they do is. Without friction the velocities after are those of a
 * convex problem. */
static void redundant_unilateral_rows(void) {
  static const char *const names[] = {"direct", "psor", "lemke"};
  test_random random = {44};
  static contact_case x;
  double worst = 0, xi[3][CASE_ROWS];
  for (int round = 0; round < 500; round++) {
    case_clear(&x);
    int laws = test_integer(&random, 2, 8);
    for (int i = 0; i < laws; i++) case_add(&x, i % 4 == 3 ? PICUS_BILATERAL : PICUS_UNILATERAL, 1, 0);
    case_random_G(&x, &random, (laws + 1) / 2);
    for (int i = 0; i < laws; i++) {
      x.c[i] = 0;
      for (int j = 0; j < laws; j++) x.c[i] -= x.G[i * laws + j] * (j % 2 ? 0.3 : 0.7);
      if (i % 4 == 0) x.c[i] += test_uniform(&random, 0, 1);
    }
    for (int k = 0; k < 3; k++) {
      picus_solver_options options = picus_default_solver_options();
      options.solver = names[k];
      options.tolerance = 1e-14; /* singular G: the residual says little about the distance to a solution */
      case_cold(&x);
      CHECK(case_solve(&x, context, options) == PICUS_OK);
      CHECK(case_error(&x, x.P) <= 1e-13);
      picus_contact_residual(&x.problem, x.P, xi[k]);
    }
    for (int k = 1; k < 3; k++)
      for (int i = 0; i < laws; i++) worst = fmax(worst, fabs(xi[k][i] - xi[0][i]));
  }
  printf("  largest difference of xi %.2g\n", worst);
  CHECK(worst < 1e-10);
}

/* Mode sets of 5 to 10 planar contacts, redundant and with much friction: guesses often go round in a circle, and one
 * wish at a time, of the law that is farthest off, leads to a set that was not tried yet. */
static void mode_sets_that_go_round(void) {
  enum { ROUNDS = 2000 };
  test_random random = {46};
  static contact_case x;
  picus_solver_options options = picus_default_solver_options();
  options.solver = "direct";
  options.no_fallback = true;
  int solved = 0, most = 0;
  for (int round = 0; round < ROUNDS; round++) {
    case_clear(&x);
    const int laws = test_integer(&random, 5, 10);
    for (int i = 0; i < laws; i++) case_add(&x, PICUS_COULOMB, 2, test_uniform(&random, 0, 2));
    case_random_G(&x, &random, 6 * x.problem.size / 10 + 1);
    case_random_c(&x, &random);
    case_cold(&x);
    if (case_solve(&x, context, options)) continue;
    CHECK(case_error(&x, x.P) <= 2e-12);
    solved++;
    if (x.info.iterations > most) most = x.info.iterations;
  }
  printf("  %d of %d, at most %d sets\n", solved, ROUNDS, most);
  CHECK(solved >= 1800); /* 1846; 1760 where the wish of the last law is the next one */
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"planar_laws_of_all_kinds", planar_laws_of_all_kinds},
      {"spatial_laws_of_all_kinds", spatial_laws_of_all_kinds},
      {"redundant_unilateral_rows", redundant_unilateral_rows},
      {"mode_sets_that_go_round", mode_sets_that_go_round},
  };
  if (picus_context_create(NULL, &context) != PICUS_OK) return 1;
  int result = test_main(argc, argv, "solver_agreement", cases, (int)(sizeof cases / sizeof *cases));
  picus_context_destroy(context);
  return result;
}
