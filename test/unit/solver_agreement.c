/* The solvers against each other, on random problems with unique solutions. */
#include "unit/solver_cases.h"

#include <stdio.h>

static picus_context *context;

static void add_random_law(contact_case *x, test_random *random, double largest_mu) {
  switch (test_integer(random, 0, 5)) {
  case 0:
    case_add(x, PICUS_BILATERAL, 1, 0);
    break;
  case 1:
    case_add(x, PICUS_UNILATERAL, 1, 0);
    break;
  case 2:
    case_add(x, PICUS_RESERVOIR, 1, test_uniform(random, 0, 0.3));
    break;
  default:
    case_add(x, PICUS_COULOMB, 2, test_uniform(random, 0, largest_mu));
  }
}

static void planar_laws_of_all_kinds(void) {
  static const char *const names[] = {"direct", "psor", "lcp"};
  test_random random = {42};
  static contact_case x;
  double worst = 0, P[3][CASE_ROWS];
  for (int round = 0; round < 3000; round++) {
    case_clear(&x);
    int laws = test_integer(&random, 1, 6);
    for (int i = 0; i < laws; i++) add_random_law(&x, &random, 0.2);
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

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"planar_laws_of_all_kinds", planar_laws_of_all_kinds},
  };
  if (picus_context_create(NULL, &context) != PICUS_OK) return 1;
  int result = test_main(argc, argv, "solver_agreement", cases, (int)(sizeof cases / sizeof *cases));
  picus_context_destroy(context);
  return result;
}
