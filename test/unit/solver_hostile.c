/* Problems that should not come but do: every solver ends with a status, finite percussions and an honest residual. */
#include "unit/solver_cases.h"

#include <stdio.h>

static picus_context *context;
static const char *const names[] = {"auto", "direct", "psor", "lemke", "gs", "pjor"};

static void require_honest_with(contact_case *x, const char *name, bool no_fallback, bool minimum_norm) {
  picus_solver_options options = picus_default_solver_options();
  options.solver = name;
  options.minimum_norm = minimum_norm;
  options.no_fallback = no_fallback;
  picus_clear_error(context);
  picus_status status = case_solve(x, context, options);
  bool known = status == PICUS_OK || status == PICUS_NOT_CONVERGED || status == PICUS_NO_SOLUTION ||
               (status == PICUS_ERROR_UNSUPPORTED && no_fallback);
  if (!CHECK(known)) printf("  %s: status %d\n", name, (int)status);
  CHECK(x->info.status == status);
  CHECK((status == PICUS_OK) == (picus_last_error(context)->status == PICUS_OK));
  for (int k = 0; k < x->problem.size; k++) CHECK(isfinite(x->P[k]));
  for (int i = 0; i < x->problem.law_count; i++) CHECK(x->modes[i] >= PICUS_OPEN && x->modes[i] <= PICUS_SLIP);
  if (status == PICUS_OK) {
    picus_residual again = picus_contact_residual(&x->problem, x->P, NULL);
    CHECK(again.relative == x->info.residual.relative && again.worst_law == x->info.residual.worst_law);
    if (!CHECK(again.relative < 1e-10)) printf("  %s: residual %g counts as solved\n", name, again.relative);
  }
}

static void require_honest(contact_case *x, const char *name, bool no_fallback) {
  require_honest_with(x, name, no_fallback, false);
}

static void require_honest_all(contact_case *x) {
  for (int k = 0; k < 6; k++)
    for (int way = 0; way < 4; way++) {
      case_cold(x);
      require_honest_with(x, names[k], way % 2 == 1, way > 1);
    }
}

static void two_contacts(contact_case *x, double mu) {
  test_random random = {4};
  case_clear(x);
  case_add(x, PICUS_COULOMB, 2, mu);
  case_add(x, PICUS_COULOMB, 2, mu);
  case_random_G(x, &random, 8);
  for (int k = 0; k < 4; k++) x->c[k] = k % 2 ? 0.4 : -1;
}

static void numbers_that_are_none(void) {
  static contact_case x;
  static const double bad[] = {NAN, INFINITY, -INFINITY};
  for (int laws = 1; laws <= 2; laws++)
    for (int b = 0; b < 3; b++)
      for (int place = 0; place < 3; place++)
        for (int k = 0; k < 6; k++) {
          two_contacts(&x, 0.3);
          if (laws == 1) {
            x.problem.law_count = 1;
            x.problem.size = 2;
          }
          double *const places[] = {&x.G[3], &x.c[1], &x.laws[0].radius};
          *places[place] = bad[b];
          x.P[0] = 5;
          picus_solver_options options = picus_default_solver_options();
          options.solver = names[k];
          CHECK(case_solve(&x, context, options) == PICUS_NOT_CONVERGED);
          CHECK(isinf(x.info.residual.relative) && x.info.iterations == 0);
          CHECK(strstr(picus_last_error(context)->message, "not finite") != NULL);
          for (int j = 0; j < x.problem.size; j++) CHECK(x.P[j] == 0);
        }
}

static void a_spoilt_warm_start(void) {
  static contact_case x;
  for (int k = 0; k < 6; k++) {
    two_contacts(&x, 0.3);
    x.P[0] = NAN;
    x.P[1] = INFINITY;
    x.P[2] = -1e300;
    x.P[3] = 1e300;
    x.modes[0] = (picus_mode)77;
    x.modes[1] = PICUS_SLIP;
    require_honest(&x, names[k], true);
    CHECK(x.info.status == PICUS_OK);
  }
}

static void rows_of_zeros(void) {
  static contact_case x;
  for (int row = 0; row < 4; row++)
    for (int sign = -1; sign <= 1; sign++) {
      two_contacts(&x, 0.3);
      for (int k = 0; k < 4; k++) x.G[4 * row + k] = x.G[4 * k + row] = 0;
      x.c[row] = sign;
      require_honest_all(&x);
      case_cold(&x);
      bool solvable = row % 2 == 1 || sign >= 0; /* a contact on nothing that closes cannot be stopped */
      picus_status status = case_solve(&x, context, picus_default_solver_options());
      CHECK((status == PICUS_OK) == solvable);
    }
  two_contacts(&x, 0.3);
  memset(x.G, 0, sizeof x.G);
  require_honest_all(&x);
  memset(x.c, 0, sizeof x.c);
  require_honest_all(&x);
  CHECK(x.info.status == PICUS_OK);
}

static void friction_none_and_huge(void) {
  static contact_case x;
  static const double coefficients[] = {0, 1e-300, 1e-12, 1e3, 1e6, 1e12, 1e100};
  for (int k = 0; k < 7; k++) {
    two_contacts(&x, coefficients[k]);
    require_honest_all(&x);
    case_cold(&x);
    if (!CHECK(case_solve(&x, context, picus_default_solver_options()) == PICUS_OK))
      printf("  mu = %g: %s\n", coefficients[k], picus_last_error(context)->message);
    if (coefficients[k] == 0) CHECK(x.P[1] == 0 && x.P[3] == 0);
    if (coefficients[k] >= 1e3) CHECK(x.modes[0] == PICUS_STICK && x.modes[1] == PICUS_STICK);
  }
}

static void contacts_given_many_times(void) {
  static contact_case x;
  for (int copies = 2; copies <= 12; copies++)
    for (int slips = 0; slips <= 1; slips++) {
      case_clear(&x);
      for (int i = 0; i < copies; i++) case_add(&x, PICUS_COULOMB, 2, 0.5);
      int n = x.problem.size;
      const double G[2][2] = {{2, 0.3}, {0.3, 1}};
      for (int i = 0; i < n; i++) {
        x.c[i] = i % 2 ? (slips ? 3 : 0.1) : -1;
        for (int j = 0; j < n; j++) x.G[i * n + j] = G[i % 2][j % 2];
      }
      require_honest_all(&x);
      for (int k = 0; k < 6; k++) {
        case_cold(&x);
        picus_solver_options options = picus_default_solver_options();
        options.solver = names[k];
        CHECK(case_solve(&x, context, options) == PICUS_OK);
        double normal = 0, tangential = 0;
        for (int i = 0; i < n; i += 2) {
          normal += x.P[i];
          tangential += x.P[i + 1];
        }
        double expected = slips ? 1 / (2 - 0.5 * 0.3) : (1 + 0.1 * 0.3) / (2 - 0.09);
        CHECK_NEAR(normal, expected, 1e-11);
        CHECK_NEAR(tangential, slips ? -0.5 * expected : -(0.2 + 0.3) / (2 - 0.09), 1e-11);
      }
    }
}

/* Matrices that are no Delassus matrices at all, with entries that nobody would type. */
static void random_nonsense(void) {
  static contact_case x;
  static const double odd[] = {0, 0, 1, -1, 1e-300, -1e300, 1e-20, 1e20, 0.5, 2};
  test_random random = {666};
  for (int round = 0; round < 1500; round++) {
    case_clear(&x);
    int laws = test_integer(&random, 1, 5), kinds = round % 2 ? 3 : 5;
    for (int i = 0; i < laws; i++) switch (test_integer(&random, 0, kinds)) {
      case 0:
        case_add(&x, PICUS_BILATERAL, 1, 0);
        break;
      case 1:
        case_add(&x, PICUS_UNILATERAL, 1, 0);
        break;
      case 2:
        case_add(&x, PICUS_COULOMB, 2, fabs(odd[test_integer(&random, 0, 9)]));
        break;
      case 3:
        case_add(&x, PICUS_RESERVOIR, 1, fabs(odd[test_integer(&random, 0, 9)]));
        break;
      case 4:
        case_add(&x, PICUS_COULOMB, 3, fabs(odd[test_integer(&random, 0, 9)]));
        break;
      default:
        case_add(&x, PICUS_RESERVOIR, 2, fabs(odd[test_integer(&random, 0, 9)]));
      }
    bool wild = round % 3 == 0;
    for (int k = 0; k < x.problem.size * x.problem.size; k++)
      x.G[k] = wild ? odd[test_integer(&random, 0, 9)] : test_uniform(&random, -1, 1);
    for (int k = 0; k < x.problem.size; k++)
      x.c[k] = wild ? odd[test_integer(&random, 0, 9)] : test_uniform(&random, -1, 1);
    case_cold(&x);
    require_honest(&x, names[round % 6], round % 12 >= 6);
  }
}

/* Singular Delassus matrices with many more rows than degrees of freedom, where a solution exists: c lies in the range
 * of G, so that some percussion brings everything to rest. */
static void many_more_rows_than_motion(void) {
  static contact_case x;
  test_random random = {99};
  int unsolved = 0;
  for (int round = 0; round < 300; round++) {
    case_clear(&x);
    int contacts = test_integer(&random, 3, 12), dof = test_integer(&random, 2, 4);
    for (int i = 0; i < contacts; i++) case_add(&x, PICUS_COULOMB, 2, test_uniform(&random, 0.1, 0.8));
    int n = x.problem.size;
    case_random_G(&x, &random, dof);
    for (int i = 0; i < n; i++) x.c[i] = 0;
    for (int j = 0; j < n; j++) {
      double P = j % 2 ? 0 : test_uniform(&random, 0, 1); /* a normal load that would do it */
      for (int i = 0; i < n; i++) x.c[i] -= x.G[i * n + j] * P;
    }
    case_cold(&x);
    require_honest(&x, "auto", false);
    unsolved += x.info.status != PICUS_OK;
  }
  CHECK(unsolved == 0);
}

static void no_laws(void) {
  static contact_case x;
  case_clear(&x);
  for (int k = 0; k < 6; k++) {
    picus_solver_options options = picus_default_solver_options();
    options.solver = names[k];
    CHECK(case_solve(&x, context, options) == PICUS_OK);
    CHECK(x.info.residual.relative == 0 && x.info.residual.worst_law == -1 && x.info.solver != NULL);
  }
}

static void rows_that_do_not_fit(void) {
  static contact_case x;
  two_contacts(&x, 0.3);
  x.laws[1].dim = 3;
  CHECK(case_solve(&x, context, picus_default_solver_options()) == PICUS_ERROR_DIMENSION);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"numbers_that_are_none", numbers_that_are_none},
      {"a_spoilt_warm_start", a_spoilt_warm_start},
      {"rows_of_zeros", rows_of_zeros},
      {"friction_none_and_huge", friction_none_and_huge},
      {"contacts_given_many_times", contacts_given_many_times},
      {"random_nonsense", random_nonsense},
      {"many_more_rows_than_motion", many_more_rows_than_motion},
      {"no_laws", no_laws},
      {"rows_that_do_not_fit", rows_that_do_not_fit},
  };
  if (picus_context_create(NULL, &context) != PICUS_OK) return 1;
  int result = test_main(argc, argv, "solver_hostile", cases, (int)(sizeof cases / sizeof *cases));
  picus_context_destroy(context);
  return result;
}
