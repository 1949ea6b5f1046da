/* The solver object: names, options, fallbacks, warm starts, units, memory. */
#include "support/allocations.h"
#include "unit/solver_cases.h"

#include <stdio.h>
#include <stdlib.h>

static picus_context *context;
static const char *const names[] = {"auto", "direct", "psor", "lemke", "gs", "pjor"};

static void the_list_of_solvers(void) {
  static const char *const known[] = {"auto",  "direct", "gs",        "psor", "pjor",
                                      "lemke", "newton", "newton-jm", "admm", "homotopy"};
  int count = (int)(sizeof known / sizeof *known);
  for (int k = 0; k < count; k++) {
    const picus_solver_description *description = picus_solver_at(k);
    REQUIRE(description);
    CHECK_TEXT(description->name, known[k]);
    CHECK(strlen(description->summary) > 10 && !strchr(description->summary, '\n'));
    CHECK(strlen(description->reference) > 5);
  }
  CHECK(picus_solver_at(count) == NULL && picus_solver_at(-1) == NULL);
}

static void expect_refusal(picus_solver_options options, picus_status status, const char *part) {
  picus_solver *solver = (picus_solver *)&options; /* must be overwritten */
  CHECK(picus_solver_create(context, &options, &solver) == status);
  CHECK(solver == NULL);
  if (!CHECK(strstr(picus_last_error(context)->message, part) != NULL))
    printf("  \"%s\" is not in \"%s\"\n", part, picus_last_error(context)->message);
}

static void wrong_options(void) {
  static const double bad_tolerances[] = {0, -1e-9, NAN, INFINITY}, bad_relaxations[] = {0, 2, -1, NAN, INFINITY};
  picus_solver_options options = picus_default_solver_options();
  CHECK_TEXT(options.solver, "auto");
  CHECK(options.tolerance == 1e-12 && options.max_iterations == 10000 && options.relaxation == 1 &&
        !options.no_fallback && options.facets == 8);
  options.solver = "psro";
  expect_refusal(options, PICUS_ERROR_NAME, "did you mean \"psor\"");
  options.solver = "Lemke";
  expect_refusal(options, PICUS_ERROR_NAME, "did you mean \"lemke\"");
  options.solver = "conjugate gradients";
  expect_refusal(options, PICUS_ERROR_NAME, "choose one of auto, direct, gs, psor, pjor, lemke");
  options.solver = "";
  expect_refusal(options, PICUS_ERROR_NAME, "no solver");
  options.solver = NULL;
  expect_refusal(options, PICUS_ERROR_ARGUMENT, "auto");
  for (int k = 0; k < 4; k++) {
    options = picus_default_solver_options();
    options.tolerance = bad_tolerances[k];
    expect_refusal(options, PICUS_ERROR_ARGUMENT, "tolerance");
  }
  for (int k = 0; k < 5; k++) {
    options = picus_default_solver_options();
    options.relaxation = bad_relaxations[k];
    expect_refusal(options, PICUS_ERROR_ARGUMENT, "relaxation");
  }
  options = picus_default_solver_options();
  options.max_iterations = 0;
  expect_refusal(options, PICUS_ERROR_ARGUMENT, "max_iterations");
  picus_solver *solver;
  CHECK(picus_solver_create(context, NULL, &solver) == PICUS_OK); /* defaults */
  CHECK(picus_solver_reserve(solver, -1, 3) == PICUS_ERROR_ARGUMENT);
  picus_solver_destroy(solver);
  picus_solver_destroy(NULL);
}

/* --- fallbacks ------------------------------------------------------------------------------------------------ */

static void unilateral_pair(contact_case *x, double coupling) {
  case_clear(x);
  case_add(x, PICUS_UNILATERAL, 1, 0);
  case_add(x, PICUS_UNILATERAL, 1, 0);
  x->G[0] = x->G[3] = 1;
  x->G[1] = x->G[2] = coupling;
  x->c[0] = x->c[1] = -1;
}

static picus_status solve_with(contact_case *x, const char *name, int max_iterations, bool no_fallback) {
  picus_solver_options options = picus_default_solver_options();
  options.solver = name;
  options.max_iterations = max_iterations;
  options.no_fallback = no_fallback;
  case_cold(x);
  return case_solve(x, context, options);
}

static void psor_gives_way_to_lemke(void) {
  static contact_case x;
  unilateral_pair(&x, 0.9); /* three sweeps are too few, three pivots are enough */
  CHECK(solve_with(&x, "psor", 3, true) == PICUS_NOT_CONVERGED);
  CHECK(x.info.fallbacks == 0 && x.info.iterations == 3);
  CHECK_TEXT(x.info.solver, "psor");
  CHECK(strstr(picus_last_error(context)->message, "tried: psor") != NULL);
  CHECK(solve_with(&x, "psor", 3, false) == PICUS_OK);
  CHECK(x.info.fallbacks == 1 && x.info.iterations == 6);
  CHECK_TEXT(x.info.solver, "lemke");
  CHECK_NEAR(x.P[0], 1 / 1.9, 1e-14);
}

static void direct_gives_way_to_sweeps(void) {
  static contact_case x;
  unilateral_pair(&x, 0); /* the first guess, open, is wrong; one sweep solves what is not coupled */
  CHECK(solve_with(&x, "direct", 1, true) == PICUS_NOT_CONVERGED);
  CHECK(solve_with(&x, "direct", 1, false) == PICUS_OK);
  CHECK(x.info.fallbacks == 1 && x.info.iterations == 2);
  CHECK_TEXT(x.info.solver, "psor");
  CHECK(x.P[0] == 1 && x.P[1] == 1);
  CHECK(solve_with(&x, "auto", 1, false) == PICUS_OK); /* one by one, each in closed form */
  CHECK(x.info.fallbacks == 0 && x.info.iterations == 1 && x.info.islands == 2);
  CHECK_TEXT(x.info.solver, "direct");
  CHECK(x.P[0] == 1 && x.P[1] == 1);
  unilateral_pair(&x, 1e-14); /* coupled, but one sweep is near enough */
  CHECK(solve_with(&x, "auto", 1, false) == PICUS_OK);
  CHECK(x.info.fallbacks == 1 && x.info.iterations == 2);
  CHECK_TEXT(x.info.solver, "gs");
}

static void direct_gives_spatial_friction_to_psor(void) {
  static contact_case x;
  case_clear(&x);
  case_add(&x, PICUS_UNILATERAL, 1, 0);
  case_add(&x, PICUS_COULOMB, 3, 0.3);
  for (int k = 0; k < 4; k++) {
    x.G[k * 5] = 1;
    x.c[k] = -1;
  }
  CHECK(solve_with(&x, "direct", 100, false) == PICUS_OK);
  CHECK(x.info.fallbacks == 1);
  CHECK_TEXT(x.info.solver, "psor");
  CHECK(solve_with(&x, "direct", 100, true) == PICUS_ERROR_UNSUPPORTED);
  CHECK(strstr(picus_last_error(context)->message, "law 1") != NULL);
  CHECK(strstr(picus_last_error(context)->message, "direct") != NULL);
  CHECK(solve_with(&x, "auto", 100, true) == PICUS_OK); /* auto knows what to choose: not a fallback */
  CHECK(x.info.fallbacks == 0);
}

/* Two constraints that contradict each other: nobody can solve it, and all who tried are named. */
static void everything_fails(void) {
  static contact_case x;
  case_clear(&x);
  case_add(&x, PICUS_BILATERAL, 1, 0);
  case_add(&x, PICUS_BILATERAL, 1, 0);
  for (int k = 0; k < 4; k++) x.G[k] = 1;
  x.c[0] = 0;
  x.c[1] = 1;
  picus_status status = solve_with(&x, "auto", 100, false);
  CHECK(status == PICUS_NO_SOLUTION || status == PICUS_NOT_CONVERGED);
  CHECK(x.info.fallbacks == 4 && x.info.iterations > 4);
  const picus_error *error = picus_last_error(context);
  CHECK(error->status == status);
  bool named = strstr(error->message, "tried: direct, gs, newton, lemke, homotopy") != NULL;
  if (!CHECK(named && strstr(error->message, "law ") && strstr(error->message, "residual")))
    printf("  %d fallbacks: %s\n", x.info.fallbacks, error->message);
  CHECK(x.info.residual.relative == picus_contact_residual(&x.problem, x.P, NULL).relative);
  CHECK(x.info.residual.relative > 1e-5); /* |P| counts at most 1000 times the free percussion in its scale */
}

/* --- tolerances ----------------------------------------------------------------------------------------------- */

/* Too few sweeps: an error, unless the residual that remains is accepted; then the flag says so. */
static void a_residual_is_accepted(void) {
  static contact_case x;
  test_random random = {77};
  int accepted = 0, solved = 0, failed = 0;
  for (int round = 0; round < 300; round++) {
    case_clear(&x);
    for (int i = 0; i < 4; i++) case_add(&x, PICUS_COULOMB, 3, 0.4);
    case_random_G(&x, &random, x.problem.size);
    case_random_c(&x, &random);
    picus_solver_options options = picus_default_solver_options();
    options.solver = "gs";
    options.no_fallback = true;
    options.max_iterations = 5;
    options.accept_residual = 1e-2;
    case_cold(&x);
    const picus_status status = case_solve(&x, context, options);
    const double residual = picus_contact_residual(&x.problem, x.P, NULL).relative;
    CHECK(x.info.residual.relative == residual);
    CHECK((status == PICUS_OK) == (residual <= 1e-2));
    CHECK(x.info.accepted == (residual > options.tolerance && residual <= 1e-2));
    accepted += x.info.accepted;
    solved += !status && !x.info.accepted;
    failed += status != PICUS_OK;
  }
  printf("  %d accepted, %d solved, %d failed\n", accepted, solved, failed);
  CHECK(accepted > 10 && failed > 0);
  picus_solver_options options = picus_default_solver_options();
  options.accept_residual = 1;
  expect_refusal(options, PICUS_ERROR_ARGUMENT, "accept_residual");
}

static void the_tolerance_is_kept(void) {
  static contact_case x;
  test_random random = {12};
  for (int round = 0; round < 300; round++) {
    case_clear(&x);
    for (int i = 0; i < 3; i++) case_add(&x, PICUS_COULOMB, round % 2 ? 2 : 3, 0.4);
    case_random_G(&x, &random, x.problem.size);
    case_random_c(&x, &random);
    picus_solver_options options = picus_default_solver_options();
    options.solver = "psor";
    options.no_fallback = true;
    options.tolerance = pow(10, -test_integer(&random, 1, 12));
    case_cold(&x);
    if (case_solve(&x, context, options) == PICUS_OK)
      CHECK(picus_contact_residual(&x.problem, x.P, NULL).relative <= options.tolerance);
    else
      CHECK(x.info.residual.relative > options.tolerance);
  }
}

/* A tolerance below what double precision can evaluate stops at rounding instead of failing. */
static void a_tolerance_below_rounding(void) {
  static contact_case x;
  test_random random = {13};
  for (int round = 0; round < 200; round++) {
    case_clear(&x);
    for (int i = 0; i < 4; i++) case_add(&x, PICUS_COULOMB, 2, 0.2);
    case_random_G(&x, &random, 20);
    case_random_c(&x, &random);
    for (int k = 0; k < 4; k++) {
      picus_solver_options options = picus_default_solver_options();
      options.solver = names[k];
      options.tolerance = 1e-30;
      case_cold(&x);
      CHECK(case_solve(&x, context, options) == PICUS_OK);
      CHECK(x.info.residual.relative < 1e-14);
    }
  }
}

/* --- warm starts ---------------------------------------------------------------------------------------------- */

static void a_warm_start_is_used(void) {
  static contact_case x;
  test_random random = {14};
  for (int round = 0; round < 200; round++) {
    case_clear(&x);
    for (int i = 0; i < 4; i++) case_add(&x, PICUS_COULOMB, 2, 0.2);
    case_random_G(&x, &random, 20);
    case_random_c(&x, &random);
    for (int k = 1; k < 3; k++) {
      picus_solver_options options = picus_default_solver_options();
      options.solver = names[k];
      case_cold(&x);
      CHECK(case_solve(&x, context, options) == PICUS_OK);
      double P[CASE_ROWS];
      memcpy(P, x.P, sizeof P);
      int cold = x.info.iterations;
      CHECK(case_solve(&x, context, options) == PICUS_OK);
      CHECK(x.info.iterations <= (k == 1 ? 1 : 2) && x.info.iterations <= cold);
      CHECK(case_difference(x.problem.size, P, x.P) < 1e-12);
    }
  }
}

/* --- units ---------------------------------------------------------------------------------------------------- */

static void random_mix(contact_case *x, test_random *random) {
  case_clear(x);
  for (int i = 0; i < 4; i++) case_add_random(x, random, 0.4, false);
  case_random_G(x, random, x->problem.size + 3);
  case_random_c(x, random);
}

/* G times 4^a and c times 2^b: the same floating-point operations up to exponents, hence the same bits. */
static void scaling_changes_nothing(void) {
  static contact_case x, y;
  test_random random = {15};
  for (int round = 0; round < 400; round++) {
    random_mix(&x, &random);
    memcpy(&y, &x, sizeof y);
    y.problem.laws = y.laws;
    y.problem.G = y.G;
    y.problem.c = y.c;
    int a = 2 * test_integer(&random, -100, 100), b = test_integer(&random, -200, 200), n = x.problem.size;
    for (int k = 0; k < n * n; k++) y.G[k] = ldexp(y.G[k], a);
    for (int k = 0; k < n; k++) y.c[k] = ldexp(y.c[k], b);
    for (int i = 0; i < 4; i++)
      if (y.laws[i].kind == PICUS_RESERVOIR) y.laws[i].radius = ldexp(y.laws[i].radius, b - a);
    for (int k = 0; k < 4; k++) {
      CHECK(solve_with(&x, names[k], 10000, true) == PICUS_OK);
      CHECK(solve_with(&y, names[k], 10000, true) == PICUS_OK);
      CHECK(x.info.iterations == y.info.iterations);
      CHECK(x.info.residual.relative == y.info.residual.relative);
      for (int i = 0; i < 4; i++) CHECK(x.modes[i] == y.modes[i]);
      for (int j = 0; j < n; j++) CHECK(ldexp(x.P[j], b - a) == y.P[j]);
    }
  }
}

/* Every row in a unit of its own: P_i and xi_i scaled by s_i and 1 / s_i. The answer is the same percussion. */
static void mixed_units(void) {
  static contact_case x, y;
  test_random random = {16};
  for (int round = 0; round < 300; round++) {
    case_clear(&x);
    case_add(&x, PICUS_BILATERAL, 1, 0);
    case_add(&x, PICUS_UNILATERAL, 1, 0);
    case_add(&x, PICUS_COULOMB, 2, 0.3);
    case_random_G(&x, &random, 9);
    case_random_c(&x, &random);
    memcpy(&y, &x, sizeof y);
    y.problem.laws = y.laws;
    y.problem.G = y.G;
    y.problem.c = y.c;
    double s[4];
    for (int k = 0; k < 4; k++) s[k] = ldexp(1, test_integer(&random, -12, 12));
    s[3] = s[2]; /* the friction cone ties these two together */
    for (int i = 0; i < 4; i++) {
      y.c[i] *= s[i];
      for (int j = 0; j < 4; j++) y.G[4 * i + j] *= s[i] * s[j];
    }
    for (int k = 1; k < 4; k += 2) { /* the exact solvers; psor stops on one measure for all rows */
      CHECK(solve_with(&x, names[k], 10000, true) == PICUS_OK);
      CHECK(solve_with(&y, names[k], 10000, true) == PICUS_OK);
      CHECK(x.info.iterations == y.info.iterations);
      for (int j = 0; j < 4; j++) CHECK_NEAR(s[j] * y.P[j], x.P[j], 1e-12);
    }
  }
}

/* --- memory --------------------------------------------------------------------------------------------------- */

static void no_allocation_after_reserve(void) {
  static contact_case x;
  test_random random = {77};
  test_allocations a = test_grant_all();
  picus_context *counted;
  picus_context_def def = {.allocate = test_allocate, .allocate_user = &a};
  REQUIRE(picus_context_create(&def, &counted) == PICUS_OK);
  for (int k = 0; k < 6; k++) {
    picus_solver *solver;
    picus_solver_options options = picus_default_solver_options();
    options.solver = names[k];
    options.max_iterations = 50; /* so that some solves fail and go through all solvers */
    REQUIRE(picus_solver_create(counted, &options, &solver) == PICUS_OK);
    REQUIRE(picus_solver_reserve(solver, 8, 16) == PICUS_OK);
    long before = a.calls;
    for (int round = 0; round < 300; round++) {
      case_clear(&x);
      int laws = test_integer(&random, 0, 8);
      for (int i = 0; i < laws; i++)
        if (round % 5 == 0)
          case_add(&x, PICUS_RESERVOIR, test_integer(&random, 1, 2), 0.2);
        else
          case_add(&x, PICUS_COULOMB, 2, 0.9);
      case_random_G(&x, &random, test_integer(&random, 2, 20));
      case_random_c(&x, &random);
      case_cold(&x);
      picus_solver_solve(solver, &x.problem, x.P, x.modes, NULL);
    }
    CHECK(a.calls == before);
    picus_solver_destroy(solver);
  }
  CHECK(picus_context_memory(counted) == 0);
  picus_context_destroy(counted);
}

static void memory_that_is_refused(void) {
  static contact_case x;
  test_random random = {78};
  random_mix(&x, &random);
  bool all = false; /* memory was granted */
  for (int refuse_at = 1; !all; refuse_at++) {
    test_allocations a = test_refuse_one(refuse_at);
    picus_context *counted;
    picus_context_def def = {.allocate = test_allocate, .allocate_user = &a};
    REQUIRE(picus_context_create(&def, &counted) == PICUS_OK);
    picus_solver *solver;
    picus_status status = picus_solver_create(counted, NULL, &solver);
    CHECK(status == (refuse_at == 1 ? PICUS_ERROR_MEMORY : PICUS_OK));
    if (status == PICUS_OK) {
      case_cold(&x);
      status = picus_solver_solve(solver, &x.problem, x.P, x.modes, NULL);
      all = a.calls <= refuse_at;
      CHECK(status == (all ? PICUS_OK : PICUS_ERROR_MEMORY));
      a.refused = 0; /* and then there is memory again */
      CHECK(picus_solver_solve(solver, &x.problem, x.P, x.modes, NULL) == PICUS_OK);
    }
    picus_solver_destroy(solver);
    CHECK(picus_context_memory(counted) == 0);
    picus_context_destroy(counted);
  }
}

/* A solver that is given larger and smaller problems in turn. */
static void sizes_that_change(void) {
  static contact_case x;
  test_random random = {79};
  for (int k = 0; k < 4; k++) {
    picus_solver *solver;
    picus_solver_options options = picus_default_solver_options();
    options.solver = names[k];
    REQUIRE(picus_solver_create(context, &options, &solver) == PICUS_OK);
    for (int round = 0; round < 100; round++) {
      case_clear(&x);
      int laws = test_integer(&random, 1, CASE_LAWS);
      for (int i = 0; i < laws; i++) case_add(&x, PICUS_COULOMB, 2, 0.2);
      case_random_G(&x, &random, 2 * x.problem.size);
      case_random_c(&x, &random);
      case_cold(&x);
      CHECK(picus_solver_solve(solver, &x.problem, x.P, x.modes, &x.info) == PICUS_OK);
      CHECK(case_error(&x, x.P) < 1e-11);
      CHECK(x.info.fallbacks == 0);
    }
    picus_solver_destroy(solver);
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"the_list_of_solvers", the_list_of_solvers},
      {"wrong_options", wrong_options},
      {"psor_gives_way_to_lemke", psor_gives_way_to_lemke},
      {"direct_gives_way_to_sweeps", direct_gives_way_to_sweeps},
      {"direct_gives_spatial_friction_to_psor", direct_gives_spatial_friction_to_psor},
      {"everything_fails", everything_fails},
      {"a_residual_is_accepted", a_residual_is_accepted},
      {"the_tolerance_is_kept", the_tolerance_is_kept},
      {"a_tolerance_below_rounding", a_tolerance_below_rounding},
      {"a_warm_start_is_used", a_warm_start_is_used},
      {"scaling_changes_nothing", scaling_changes_nothing},
      {"mixed_units", mixed_units},
      {"no_allocation_after_reserve", no_allocation_after_reserve},
      {"memory_that_is_refused", memory_that_is_refused},
      {"sizes_that_change", sizes_that_change},
  };
  if (picus_context_create(NULL, &context) != PICUS_OK) return 1;
  int result = test_main(argc, argv, "solver_chain", cases, (int)(sizeof cases / sizeof *cases));
  picus_context_destroy(context);
  return result;
}
