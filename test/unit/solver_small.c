/* The shortcut of "auto" for few spatial contacts: what it solves, what it leaves to the others, and that nobody can
 * tell the difference but by the clock. */
#include "solver/islands.h"
#include "unit/solver_cases.h"

#include <picus/picus.h>
#include <stdio.h>

static picus_context *context;
static contact_case x;

typedef struct small_result {
  picus_residual residual;
  int iterations;
} small_result;

/* Contacts in space, and others among them. */
static void add_laws(test_random *random, int count, double largest_mu) {
  case_clear(&x);
  for (int i = 0; i < count; i++) {
    const int kind = i == 0 ? 5 : test_integer(random, 0, 5);
    if (kind == 0)
      case_add(&x, PICUS_BILATERAL, 1, 0);
    else if (kind == 1)
      case_add(&x, PICUS_UNILATERAL, 1, 0);
    else
      case_add(&x, PICUS_COULOMB, kind == 2 ? 2 : 3,
               test_integer(random, 0, 9) ? test_uniform(random, 0, largest_mu) : 0);
  }
}

static void make_random(test_random *random, int laws, double largest_mu, int more_dof, double scale) {
  add_laws(random, laws, largest_mu);
  case_random_G(&x, random, x.problem.size + more_dof);
  case_random_c(&x, random);
  for (int i = 0; i < x.problem.size * x.problem.size; i++) x.G[i] *= scale;
}

/* A rigid body on contacts in a plane below its centre of mass: redundant if more than two of them are closed, and two
 * that stick share a force along the line between them. */
static void make_body(test_random *random, int contacts, double mu) {
  double W[6][CASE_ROWS] = {{0}}, velocity[6];
  case_clear(&x);
  for (int i = 0; i < contacts; i++) {
    const double a = test_uniform(random, -1, 1), b = test_uniform(random, -1, 1);
    const double arms[3][6] = {{0, 0, 1, b, -a, 0}, {1, 0, 0, 0, -1, -b}, {0, 1, 0, 1, 0, a}};
    case_add(&x, PICUS_COULOMB, 3, mu);
    for (int k = 0; k < 3; k++)
      for (int d = 0; d < 6; d++) W[d][3 * i + k] = arms[k][d];
  }
  const int n = x.problem.size;
  for (int d = 0; d < 6; d++) velocity[d] = test_uniform(random, -1, 1) - (d == 2);
  for (int i = 0; i < n; i++)
    for (int d = 0; d < 6; d++) {
      x.c[i] += W[d][i] * velocity[d];
      for (int j = 0; j < n; j++) x.G[i * n + j] += W[d][i] * W[d][j];
    }
}

/* The method alone, on a problem that its stage in the plan admits. */
static bool try_small(double tolerance, int most_iterations, small_result *result) {
  picus_solver_options options = picus_default_solver_options();
  int law;
  options.tolerance = tolerance;
  options.max_iterations = most_iterations;
  *result = (small_result){{INFINITY, INFINITY, -1}, 0};
  if (x.problem.law_count > PICUS_SMALL_LAWS || x.problem.size > PICUS_SMALL_ROWS ||
      picus_small_solver.refusal(&x.problem, &law))
    return false;
  const picus_solver_memory memory = {.judged = &result->residual};
  return !picus_small_solver.solve(&options, &x.problem, memory, x.P, x.modes, &result->iterations);
}

/* What must hold whenever it claims a solution: the laws, and residual and modes as the judge of all solvers gives
 * them.
 */
static bool solve_small(double tolerance, small_result *result) {
  if (!try_small(tolerance, 10000, result)) return false;
  picus_mode modes[CASE_LAWS] = {PICUS_OPEN};
  const picus_residual judged = picus_contact_judge(&x.problem, x.P, NULL, NULL, modes);
  CHECK(judged.relative == result->residual.relative && judged.natural == result->residual.natural &&
        judged.worst_law == result->residual.worst_law);
  CHECK(memcmp(modes, x.modes, (size_t)x.problem.law_count * sizeof *modes) == 0);
  CHECK(result->residual.relative <= tolerance);
  CHECK(case_error(&x, x.P) <= case_error_bound(tolerance));
  return true;
}

/* --- what it solves --------------------------------------------------------------------------------------------- */

/* With little friction the solution is unique: that of gs. */
static void agrees_with_gs(void) {
  static const double scales[] = {1, 1e-8, 1e8};
  test_random random = {31};
  double worst = 0, P[CASE_ROWS];
  int solved = 0;
  enum { ROUNDS = 900 };
  for (int round = 0; round < ROUNDS; round++) {
    small_result result;
    make_random(&random, test_integer(&random, 2, 8), 0.25, 1 + x.problem.size * (round % 2), scales[round % 3]);
    if (x.problem.size > PICUS_SMALL_ROWS || !solve_small(1e-12, &result)) continue;
    solved++;
    memcpy(P, x.P, sizeof P);
    if (case_solve_alone(&x, context, "gs") != PICUS_OK) continue; /* beyond round-off, then */
    worst = fmax(worst, case_difference(x.problem.size, P, x.P));
  }
  printf("  %d of %d solved, largest difference %.1e\n", solved, ROUNDS, worst);
  CHECK(solved > 0.9 * ROUNDS);
  CHECK(worst < 1e-7); /* G of one more degree of freedom than rows has condition numbers up to 1e6 */
}

/* Any friction: there may be several solutions, or none. */
static void solves_any_friction(void) {
  test_random random = {32};
  int solved = 0;
  enum { ROUNDS = 900 };
  for (int round = 0; round < ROUNDS; round++) {
    small_result result;
    make_random(&random, test_integer(&random, 2, 6), round % 2 ? 10 : 1, 4, 1);
    if (solve_small(1e-12, &result)) solved++;
  }
  printf("  %d of %d solved\n", solved, ROUNDS);
  CHECK(solved > 0.9 * ROUNDS);
}

/* From a solution of a problem with slightly different velocities one to three steps are enough. */
static void takes_few_steps_from_a_warm_start(void) {
  test_random random = {33};
  int steps = 0, solved = 0;
  for (int round = 0; round < 300; round++) {
    small_result result;
    make_random(&random, 4, 0.3, 8, 1);
    if (!solve_small(1e-12, &result)) continue;
    for (int k = 0; k < x.problem.size; k++) x.c[k] *= 1 + test_uniform(&random, -1e-4, 1e-4);
    if (!CHECK(solve_small(1e-12, &result))) continue;
    steps += result.iterations;
    solved++;
  }
  printf("  %.2f steps\n", (double)steps / solved);
  CHECK(solved > 250 && steps < 3 * solved);
}

/* A solution is solved for once more, so that errors within the tolerance do not stay from step to step, unless the
 * caller wants to keep it. */
static void keeps_solutions_on_demand(void) {
  test_random random = {34};
  small_result result;
  double P[CASE_ROWS];
  make_random(&random, 4, 0.3, 8, 1);
  CHECK(solve_small(1e-12, &result));
  for (int k = 0; k < x.problem.size; k++) x.P[k] *= 1 + 1e-5;
  memcpy(P, x.P, sizeof P);
  picus_solver_options loose = picus_default_solver_options();
  picus_solver *solver;
  loose.tolerance = 1e-3;
  REQUIRE(picus_solver_create(context, &loose, &solver) == PICUS_OK);
  picus_solver_keep_solutions(solver, true);
  CHECK(picus_solver_solve(solver, &x.problem, x.P, x.modes, &x.info) == PICUS_OK);
  CHECK(x.info.iterations == 0 && memcmp(P, x.P, sizeof P) == 0);
  picus_solver_keep_solutions(solver, false);
  CHECK(picus_solver_solve(solver, &x.problem, x.P, x.modes, &x.info) == PICUS_OK);
  CHECK(x.info.iterations > 0 && x.info.residual.relative < 1e-8);
  picus_solver_destroy(solver);
}

static void auto_reports_it(void) {
  test_random random = {35};
  small_result result;
  for (double tolerance = 1e-4; tolerance > 1e-15; tolerance *= 0.1) {
    picus_solver_options options = picus_default_solver_options();
    make_random(&random, 3, 0.3, 9, 1);
    bool joints = false; /* contacts that are left without them can have a closed form */
    for (int i = 0; i < x.problem.law_count; i++) joints = joints || x.problem.laws[i].kind == PICUS_BILATERAL;
    options.tolerance = tolerance;
    CHECK(case_solve(&x, context, options) == PICUS_OK);
    CHECK(x.info.fallbacks == 0 || tolerance < 1e-13);
    if (tolerance > 1e-13 && !joints) CHECK_TEXT(x.info.solver, "newton");
    CHECK(x.info.iterations > 0 && x.info.residual.relative <= fmax(tolerance, 1e-13));
  }
  make_random(&random, 3, 0.3, 9, 1);
  CHECK(!try_small(1e-12, 0, &result));
}

/* --- what it leaves to the others ------------------------------------------------------------------------------- */

/* false, with P and modes as they were. */
static void refuses(const char *what) {
  small_result result;
  double P[CASE_ROWS];
  picus_mode modes[CASE_LAWS];
  memcpy(P, x.P, sizeof P);
  memcpy(modes, x.modes, sizeof modes);
  if (!CHECK(!try_small(1e-12, 10000, &result))) printf("  %s\n", what);
  CHECK(memcmp(P, x.P, sizeof P) == 0 && memcmp(modes, x.modes, sizeof modes) == 0);
}

/* Among the percussions of redundant contacts the others choose, as they always did: where it claims a solution, it is
 * the only one. */
static void leaves_redundant_contacts(void) {
  test_random random = {36};
  int claimed = 0, left = 0;
  for (int round = 0; round < 400; round++) {
    small_result result;
    double P[CASE_ROWS], start[CASE_ROWS];
    make_body(&random, 2 + round % 3, round % 2 ? 0.2 : 0.7);
    if (round % 4 > 1) /* a warm start that is no solution: it must not draw the result to it */
      for (int i = 0; i < x.problem.law_count; i++) x.P[3 * i] = test_uniform(&random, 0, 1);
    memcpy(start, x.P, sizeof start);
    if (!solve_small(1e-12, &result)) {
      left++;
      continue;
    }
    claimed++;
    memcpy(P, x.P, sizeof P);
    memcpy(x.P, start, sizeof start);
    picus_solver_options options = picus_default_solver_options();
    options.solver = "gs";
    if (case_solve(&x, context, options) != PICUS_OK) continue;
    if (!CHECK(case_difference(x.problem.size, P, x.P) < 1e-7 || x.laws[0].radius > 0.5))
      printf("  round %d: another solution, %.1e away\n", round, case_difference(x.problem.size, P, x.P));
  }
  printf("  %d solved, %d left\n", claimed, left);
  CHECK(claimed > 100 && left > 50);
}

/* Four contacts that stick, of one body. */
static void leaves_a_box_at_rest(void) {
  test_random random = {37};
  make_body(&random, 4, 1);
  const double down[6] = {0, 0, -1, 0, 0, 0};
  for (int i = 0; i < x.problem.size; i++) x.c[i] = i % 3 == 0 ? down[2] : 0;
  refuses("a box at rest");
  CHECK(case_solve(&x, context, picus_default_solver_options()) == PICUS_OK);
}

static void refuses_other_problems(void) {
  test_random random = {38};
  const picus_law reservoir = {PICUS_RESERVOIR, 3, 0.1}, rolling = {PICUS_ROLLING, 3, 0.1};
  for (int k = 0; k < 2; k++) {
    case_clear(&x);
    for (int i = 0; i < 3; i++) case_add(&x, PICUS_COULOMB, 3, 0.3);
    x.laws[2] = k ? reservoir : rolling;
    case_random_G(&x, &random, 12);
    case_random_c(&x, &random);
    refuses(k ? "reservoir" : "rolling");
  }
  make_random(&random, 2, 0.3, 2, 1);
  x.problem.size++;
  refuses("rows without a law");
  make_random(&random, 2, 0.3, 2, 1);
  x.problem.size--;
  refuses("laws without rows");
  case_clear(&x);
  for (int i = 0; i < 11; i++) case_add(&x, PICUS_COULOMB, 3, 0.3);
  case_random_G(&x, &random, 40);
  case_random_c(&x, &random);
  refuses("eleven contacts");
  make_random(&random, 3, 0.3, 2, 1);
  memset(x.c, 0, sizeof x.c);
  refuses("nothing moves: no scale");
}

/* One number that is not finite, anywhere, in the columns of open contacts too; and rows that act on nothing. */
static void refuses_spoilt_numbers(void) {
  static const double spoilt[] = {NAN, INFINITY, -INFINITY};
  test_random random = {39};
  for (int round = 0; round < 400; round++) {
    const double value = spoilt[round % 3];
    make_random(&random, 3, 0.3, 3, 1);
    const int n = x.problem.size, where = test_integer(&random, 0, n - 1);
    x.c[0] = round % 7 < 4 ? x.c[0] : 1; /* open, more often */
    if (round % 5 == 0)
      x.c[where] = value;
    else if (round % 5 == 1)
      x.laws[0].radius = value;
    else
      x.G[where * n + test_integer(&random, 0, n - 1)] = value;
    refuses("spoilt");
  }
  for (int round = 0; round < 50; round++) {
    make_random(&random, 3, 0.3, 3, 1);
    const int n = x.problem.size, row = test_integer(&random, 0, n - 1);
    for (int k = 0; k < n; k++) x.G[row * n + k] = x.G[k * n + row] = 0;
    refuses("a row of zeros");
    if (case_solve(&x, context, picus_default_solver_options()) == PICUS_OK)
      CHECK(case_error(&x, x.P) <= case_error_bound(1e-12));
  }
}

/* --- parts ------------------------------------------------------------------------------------------------------ */

/* Two pairs of contacts that do not know of each other are two islands as before. */
static void islands_stay_islands(void) {
  test_random random = {40};
  for (int pairs = 0; pairs < 2; pairs++) {
    case_clear(&x);
    for (int i = 0; i < 4; i++) case_add(&x, PICUS_COULOMB, 3, 0.3);
    case_random_G(&x, &random, 14);
    case_random_c(&x, &random);
    for (int i = 0; pairs && i < 12; i++)
      for (int j = 0; j < 12; j++)
        if ((i / 3 + j / 3) % 2) x.G[i * 12 + j] = 0;
    CHECK(picus_small_is_connected(&x.problem) == !pairs);
    CHECK(case_solve(&x, context, picus_default_solver_options()) == PICUS_OK);
    CHECK(x.info.islands == (pairs ? 2 : 0));
  }
  x.problem.size = 11;
  CHECK(!picus_small_is_connected(&x.problem));
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"agrees_with_gs", agrees_with_gs},
      {"solves_any_friction", solves_any_friction},
      {"takes_few_steps_from_a_warm_start", takes_few_steps_from_a_warm_start},
      {"keeps_solutions_on_demand", keeps_solutions_on_demand},
      {"auto_reports_it", auto_reports_it},
      {"leaves_redundant_contacts", leaves_redundant_contacts},
      {"leaves_a_box_at_rest", leaves_a_box_at_rest},
      {"refuses_other_problems", refuses_other_problems},
      {"refuses_spoilt_numbers", refuses_spoilt_numbers},
      {"islands_stay_islands", islands_stay_islands},
  };
  if (picus_context_create(NULL, &context) != PICUS_OK) return 1;
  int result = test_main(argc, argv, "solver_small", cases, (int)(sizeof cases / sizeof *cases));
  picus_context_destroy(context);
  return result;
}
