/* G by factors: the same problem given three ways has the same residuals and the same answer. */
#include "contact/internal.h"
#include "support/allocations.h"
#include "unit/solver_cases.h"

#include <stdio.h>
#include <stdlib.h>

enum { BODIES = 12, BODY = 6, UNKNOWNS = BODIES * BODY, WIDTH = 2 * BODY };

static picus_context *context;
static const char *const all[] = {"auto",   "gs",        "psor", "pjor",     "lemke",
                                  "newton", "newton-jm", "admm", "homotopy", "direct"};

/* Bodies with random inertia, and laws that act on one or two of them. */
typedef struct bodies {
  contact_case whole; /* G multiplied out here, by the test */
  picus_factored_matrix factors;
  picus_block_storage storage;
  picus_contact_problem by_blocks, by_factors;
  int count, dof; /* bodies, velocities of each */
  double inverse[BODIES][BODY][BODY];
  int start[CASE_LAWS + 1], column[CASE_LAWS * WIDTH];
  size_t offset[CASE_LAWS];
  double W[CASE_ROWS * WIDTH], change[CASE_ROWS * WIDTH], scratch[UNKNOWNS];
} bodies;

static bodies b; /* one at a time: it is large */

/* M^-1 x for all bodies: what a user's factorization would do. */
static void solve_mass(void *user, double *x) {
  const bodies *system = user;
  for (int k = 0; k < system->count; k++) {
    double old[BODY];
    memcpy(old, x + (ptrdiff_t)k * system->dof, (size_t)system->dof * sizeof *old);
    for (int i = 0; i < system->dof; i++) {
      double sum = 0;
      for (int j = 0; j < system->dof; j++) sum += system->inverse[k][i][j] * old[j];
      x[k * system->dof + i] = sum;
    }
  }
}

static void random_inertia(test_random *random) {
  for (int k = 0; k < b.count; k++) {
    double V[BODY][BODY];
    for (int i = 0; i < b.dof; i++)
      for (int j = 0; j < b.dof; j++) V[i][j] = test_uniform(random, -0.5, 0.5);
    for (int i = 0; i < b.dof; i++)
      for (int j = 0; j < b.dof; j++) {
        b.inverse[k][i][j] = i == j ? 0.5 : 0;
        for (int l = 0; l < b.dof; l++) b.inverse[k][i][j] += V[i][l] * V[j][l];
      }
  }
}

static void add_columns(test_random *random, int law) {
  int first = test_integer(random, 0, b.count - 1), second = test_integer(random, 0, b.count); /* count: the ground */
  int low = first < second ? first : second, high = first < second ? second : first, at = b.start[law];
  for (int body = low; body <= high; body += high > low ? high - low : 1)
    for (int d = 0; body < b.count && d < b.dof; d++) b.column[at++] = body * b.dof + d;
  b.start[law + 1] = at;
}

/* The whole G from W and M^-1, entry by entry. */
static void multiply_out(void) {
  static double dense[2][CASE_ROWS][UNKNOWNS];
  int n = b.whole.problem.size, unknowns = b.count * b.dof;
  memset(dense, 0, sizeof dense);
  for (int i = 0, row = 0; i < b.whole.problem.law_count; row += b.whole.laws[i++].dim)
    for (int k = 0, width = b.start[i + 1] - b.start[i]; k < b.whole.laws[i].dim; k++)
      for (int c = 0; c < width; c++)
        dense[0][row + k][b.column[b.start[i] + c]] = b.W[b.offset[i] + (size_t)(k * width + c)];
  for (int r = 0; r < n; r++) {
    memcpy(dense[1][r], dense[0][r], sizeof dense[1][r]);
    solve_mass(&b, dense[1][r]);
  }
  for (int r = 0; r < n; r++)
    for (int s = 0; s < n; s++) {
      double sum = 0;
      for (int u = 0; u < unknowns; u++) sum += dense[0][r][u] * dense[1][s][u];
      b.whole.G[r * n + s] = sum;
    }
}

/* Before: laws of b.whole, count, dof. */
static bool finish(test_random *random) {
  random_inertia(random);
  size_t at = 0;
  for (int i = 0; i < b.whole.problem.law_count; i++) {
    add_columns(random, i);
    b.offset[i] = at;
    at += (size_t)(b.whole.laws[i].dim * (b.start[i + 1] - b.start[i]));
  }
  for (size_t k = 0; k < at; k++) b.W[k] = test_uniform(random, -1, 1);
  case_random_c(&b.whole, random);
  b.factors = (picus_factored_matrix){.unknowns = b.count * b.dof,
                                      .start = b.start,
                                      .column = b.column,
                                      .offset = b.offset,
                                      .W = b.W,
                                      .change = b.change,
                                      .scratch = b.scratch};
  multiply_out();
  b.by_blocks = b.by_factors = b.whole.problem;
  b.by_blocks.G = b.by_factors.G = NULL;
  b.by_factors.factors = &b.factors;
  bool fine = picus_factored_matrix_fill(context, &b.factors, b.whole.problem.law_count, b.whole.laws, solve_mass, &b,
                                         b.change) == PICUS_OK;
  fine = fine && picus_block_storage_from_dense(context, &b.whole.problem, &b.storage) == PICUS_OK;
  b.by_blocks.blocks = &b.storage.matrix;
  return CHECK(fine) && CHECK(picus_contact_problem_check(context, &b.by_factors) == PICUS_OK);
}

static bool random_bodies(test_random *random, int count, int laws, double mu, bool spatial) {
  memset(&b, 0, sizeof b);
  case_clear(&b.whole);
  b.count = count;
  b.dof = spatial ? 6 : 3;
  for (int i = 0; i < laws; i++) case_add_random(&b.whole, random, mu, spatial);
  return finish(random);
}

typedef struct outcome {
  picus_status status;
  double P[CASE_ROWS];
  picus_mode modes[CASE_LAWS];
  picus_solve_info info;
} outcome;

static outcome solve(const picus_contact_problem *problem, const char *name, bool minimum_norm) {
  outcome o = {.status = PICUS_OK};
  picus_solver_options options = picus_default_solver_options();
  picus_solver *solver = NULL;
  options.solver = name;
  options.tolerance = 1e-13;
  options.max_iterations = 100000;
  options.no_fallback = strcmp(name, "auto") != 0;
  options.minimum_norm = minimum_norm;
  o.status = picus_solver_create(context, &options, &solver);
  if (o.status == PICUS_OK) o.status = picus_solver_solve(solver, problem, o.P, o.modes, &o.info);
  picus_solver_destroy(solver);
  return o;
}

static void residuals_agree(void) {
  test_random random = {51};
  double P[CASE_ROWS], xi[3][CASE_ROWS];
  for (int round = 0; round < 300; round++) {
    if (!random_bodies(&random, test_integer(&random, 1, BODIES), test_integer(&random, 1, 15), 0.5, round % 2)) return;
    for (int k = 0; k < b.whole.problem.size; k++) P[k] = test_uniform(&random, -1, 1);
    const picus_contact_problem *ways[3] = {&b.whole.problem, &b.by_blocks, &b.by_factors};
    picus_residual r[3];
    picus_residuals s[3];
    for (int w = 0; w < 3; w++) {
      r[w] = picus_contact_residual(ways[w], P, xi[w]);
      s[w] = picus_contact_residuals(ways[w], P);
    }
    for (int w = 1; w < 3; w++) {
      for (int k = 0; k < b.whole.problem.size; k++) CHECK_NEAR(xi[w][k], xi[0][k], 1e-13);
      CHECK_NEAR(r[w].relative, r[0].relative, 1e-13 * r[0].relative);
      CHECK(r[w].worst_law == r[0].worst_law && s[w].worst_dissipation == s[0].worst_dissipation);
      CHECK_NEAR(s[w].fclib, s[0].fclib, 1e-13 * s[0].fclib);
    }
    double floor_of_G = picus_contact_rounding_floor(&b.whole.problem, P),
           floor = picus_contact_rounding_floor(&b.by_factors, P);
    CHECK(floor >= floor_of_G * (1 - 1e-10) && floor < 1e3 * floor_of_G);
    picus_block_storage blocks;
    REQUIRE(picus_block_storage_from_factors(context, &b.by_factors, &blocks) == PICUS_OK);
    picus_contact_problem expanded = b.by_blocks;
    expanded.blocks = &blocks.matrix;
    CHECK(picus_contact_problem_check(context, &expanded) == PICUS_OK);
    static double G[CASE_ROWS * CASE_ROWS];
    picus_contact_to_dense(&expanded, G);
    for (int k = 0; k < b.whole.problem.size * b.whole.problem.size; k++) CHECK_NEAR(G[k], b.whole.G[k], 1e-13);
    picus_contact_to_dense(&b.by_factors, G);
    for (int k = 0; k < b.whole.problem.size * b.whole.problem.size; k++) CHECK_NEAR(G[k], b.whole.G[k], 1e-13);
    picus_block_storage_destroy(&blocks);
    picus_block_storage_destroy(&b.storage);
  }
}

/* Traces and G P that are known already change nothing; a trace that is not finite shows that a number is not. */
static void known_products_give_the_same_bits(void) {
  test_random random = {57};
  for (int round = 0; round < 100; round++) {
    if (!random_bodies(&random, test_integer(&random, 1, BODIES), test_integer(&random, 1, 15), 0.5, round % 2)) return;
    const picus_contact_problem *problem = &b.by_factors;
    double P[CASE_ROWS], xi[CASE_ROWS], GP[CASE_ROWS], trace[CASE_LAWS], relative[2][4] = {{0}};
    int law[2][4] = {{0}}, above[2];
    for (int k = 0; k < problem->size; k++) P[k] = test_integer(&random, 0, 3) ? test_uniform(&random, -1, 1) : 0;
    const picus_residual plain = picus_contact_residual(problem, P, xi);
    for (int i = 0; i < problem->law_count; i++) trace[i] = picus_operator_of(problem)->trace(problem, i, 0);
    for (int i = 0, row = 0; i < problem->law_count; row += problem->laws[i++].dim)
      picus_factors_velocities(problem, i, GP + row);
    above[0] = picus_contact_worst_laws(problem, P, NULL, &(picus_law_shares){1e-3, 4, law[0], relative[0]});
    b.factors.trace = trace;
    const picus_residual known = picus_contact_residual(problem, P, xi);
    CHECK(known.relative == plain.relative && known.worst_law == plain.worst_law);
    above[1] = picus_contact_worst_laws(problem, P, GP, &(picus_law_shares){1e-3, 4, law[1], relative[1]});
    CHECK(above[0] == above[1] && memcmp(law[0], law[1], sizeof law[0]) == 0);
    for (int k = 0; k < 4; k++) CHECK(relative[0][k] == relative[1][k]);
    const int spoilt = test_integer(&random, 0, problem->law_count - 1);
    b.change[b.offset[spoilt]] = round % 3 ? NAN : INFINITY;
    b.factors.trace = NULL;
    trace[spoilt] = picus_operator_of(problem)->trace(problem, spoilt, 0);
    b.factors.trace = trace;
    CHECK(picus_contact_residual(problem, P, NULL).worst_law == spoilt);
    picus_block_storage_destroy(&b.storage);
  }
}

/* Enough freedom for a unique answer: every solver, three ways. */
static void answers_agree(void) {
  test_random random = {52};
  double worst = 0;
  int solved = 0;
  for (int round = 0; round < 60; round++) {
    bool spatial = round % 2;
    if (!random_bodies(&random, BODIES, test_integer(&random, 1, 6), 0.2, spatial)) return;
    int count = (int)(sizeof all / sizeof *all);
    for (int k = 0; k < count; k++) {
      outcome whole = solve(&b.whole.problem, all[k], false), blocks = solve(&b.by_blocks, all[k], false);
      outcome factors = solve(&b.by_factors, all[k], false);
      bool has_to = strcmp(all[k], "pjor") != 0 && (!spatial || k < 4 || (k > 4 && k < 9)); /* not lemke, direct */
      if (has_to && !CHECK(whole.status == PICUS_OK && blocks.status == PICUS_OK && factors.status == PICUS_OK))
        printf("  round %d, %s: %d %d %d\n", round, all[k], (int)whole.status, (int)blocks.status, (int)factors.status);
      if (whole.status != PICUS_OK || factors.status != PICUS_OK) continue;
      solved++;
      worst = fmax(worst, case_difference(b.whole.problem.size, whole.P, factors.P));
      CHECK(memcmp(whole.modes, factors.modes, (size_t)b.whole.problem.law_count * sizeof *whole.modes) == 0);
    }
    picus_block_storage_destroy(&b.storage);
  }
  printf("  %d solves, largest difference %.1e\n", solved, worst);
  CHECK(solved > 500 && worst < 1e-9);
}

/* Two bodies and 30 contacts: redundant, so velocities and residuals are compared, and the shortest percussions. */
static void many_contacts_on_few_bodies(void) {
  test_random random = {53};
  static const char *const names[] = {"gs", "psor", "newton", "auto"};
  double worst[2] = {0};
  int solved = 0;
  for (int round = 0; round < 30; round++) {
    memset(&b, 0, sizeof b);
    case_clear(&b.whole);
    b.count = 2;
    b.dof = 3;
    for (int i = 0; i < 30; i++) case_add(&b.whole, PICUS_UNILATERAL, 1, 0);
    if (!finish(&random)) return;
    double P[30], xi[2][30]; /* feasible: c = - G P + what opens */
    for (int k = 0; k < 30; k++) P[k] = k % 3 ? 0 : test_uniform(&random, 0, 1);
    memset(b.whole.c, 0, sizeof b.whole.c);
    picus_contact_residual(&b.by_factors, P, xi[0]);
    for (int k = 0; k < 30; k++) b.whole.c[k] = (k % 3 == 1 ? test_uniform(&random, 0, 1) : 0) - xi[0][k];
    for (int k = 0; k < 4; k++) {
      outcome whole = solve(&b.whole.problem, names[k], true), factors = solve(&b.by_factors, names[k], true);
      if (k > 1) CHECK(whole.status == PICUS_OK && factors.status == PICUS_OK); /* sweeps may be slow */
      if (whole.status != PICUS_OK || factors.status != PICUS_OK) continue;
      solved++;
      picus_contact_residual(&b.whole.problem, whole.P, xi[0]);
      picus_contact_residual(&b.by_factors, factors.P, xi[1]);
      for (int i = 0; i < 30; i++) worst[0] = fmax(worst[0], fabs(xi[1][i] - xi[0][i]));
      CHECK(whole.info.minimum_norm && factors.info.minimum_norm);
      worst[1] = fmax(worst[1], case_difference(30, whole.P, factors.P));
    }
    picus_block_storage_destroy(&b.storage);
  }
  printf("  %d solves: velocities %.1e, shortest percussions %.1e apart\n", solved, worst[0], worst[1]);
  CHECK(solved > 100 && worst[0] < 1e-10 && worst[1] < 1e-8);
}

static void expect(picus_status status, const char *part) {
  CHECK(picus_contact_problem_check(context, &b.by_factors) == status);
  if (!CHECK(strstr(picus_last_error(context)->message, part) != NULL))
    printf("  \"%s\" is not in \"%s\"\n", part, picus_last_error(context)->message);
}

static void wrong_factors(void) {
  test_random random = {54};
  if (!random_bodies(&random, 3, 4, 0.3, false)) return;
  b.by_factors.G = b.whole.G;
  expect(PICUS_ERROR_ARGUMENT, "more than one G");
  b.by_factors.G = NULL;
  double *scratch = b.factors.scratch;
  b.factors.scratch = NULL;
  expect(PICUS_ERROR_ARGUMENT, "missing");
  b.factors.scratch = scratch;
  int column = b.column[0];
  b.column[0] = b.column[1];
  expect(PICUS_ERROR_DIMENSION, "law 0");
  CHECK(solve(&b.by_factors, "gs", false).status == PICUS_ERROR_DIMENSION);
  b.column[0] = column;
  b.factors.unknowns = 2;
  expect(PICUS_ERROR_DIMENSION, "columns of law");
  CHECK(picus_contact_residual(&b.by_factors, b.whole.P, NULL).relative == INFINITY);
  b.factors.unknowns = 9;
  b.start[0] = 1;
  expect(PICUS_ERROR_DIMENSION, "start at 1");
  b.start[0] = 0;
  double value = b.change[b.offset[2]];
  b.change[b.offset[2]] = NAN;
  expect(PICUS_ERROR_NUMBER, "law 2");
  CHECK(solve(&b.by_factors, "gs", false).status == PICUS_NOT_CONVERGED);
  b.change[b.offset[2]] = value;
  b.start[4] -= 1; /* the last law forgets a velocity that M couples */
  CHECK(picus_factored_matrix_fill(context, &b.factors, 4, b.whole.laws, solve_mass, &b, b.change) ==
        PICUS_ERROR_ARGUMENT);
  CHECK(strstr(picus_last_error(context)->message, "law 3 changes velocity") != NULL);
  picus_block_storage_destroy(&b.storage);
}

/* No law, laws that act on nothing. */
static void empty_factors(void) {
  test_random random = {55};
  if (!random_bodies(&random, 2, 1, 0.3, false)) return;
  picus_block_storage_destroy(&b.storage);
  b.by_factors.law_count = b.by_factors.size = 0;
  CHECK(solve(&b.by_factors, "gs", false).status == PICUS_OK);
  memset(&b, 0, sizeof b);
  case_clear(&b.whole);
  case_add(&b.whole, PICUS_UNILATERAL, 1, 0);
  b.whole.c[0] = 1;
  b.factors = (picus_factored_matrix){
      .start = b.start, .column = b.column, .offset = b.offset, .W = b.W, .change = b.change, .scratch = b.scratch};
  b.by_factors = b.whole.problem;
  b.by_factors.G = NULL;
  b.by_factors.factors = &b.factors;
  for (int k = 0; k < 10; k++) CHECK(solve(&b.by_factors, all[k], false).status == PICUS_OK);
}

/* The sweeping solvers take no memory after reserve; the others some, and give it back. */
static void memory(void) {
  test_random random = {56};
  if (!random_bodies(&random, 4, 8, 0.2, true)) return;
  test_allocations a = test_grant_all();
  picus_context *counted;
  picus_context_def def = {.allocate = test_allocate, .allocate_user = &a};
  REQUIRE(picus_context_create(&def, &counted) == PICUS_OK);
  for (int k = 0; k < 4; k++) {
    picus_solver_options options = picus_default_solver_options();
    picus_solver *solver;
    options.solver = k == 0 ? "gs" : k == 1 ? "psor" : k == 2 ? "pjor" : "newton";
    options.no_fallback = true;
    REQUIRE(picus_solver_create(counted, &options, &solver) == PICUS_OK);
    REQUIRE(picus_solver_reserve(solver, b.whole.problem.law_count, b.whole.problem.size) == PICUS_OK);
    for (int round = 0; round < 2; round++) {
      long before = a.calls;
      case_cold(&b.whole);
      picus_solver_solve(solver, &b.by_factors, b.whole.P, b.whole.modes, NULL);
      CHECK(k == 3 ? a.calls > before : a.calls == before);
    }
    picus_solver_destroy(solver);
  }
  CHECK(picus_context_memory(counted) == 0);
  for (int refuse_at = 1; refuse_at < 20; refuse_at++) { /* a chain without its blocks goes on with what is left */
    a = test_refuse_one(refuse_at);
    picus_solver *solver;
    if (picus_solver_create(counted, NULL, &solver) != PICUS_OK) continue;
    case_cold(&b.whole);
    picus_status status = picus_solver_solve(solver, &b.by_factors, b.whole.P, b.whole.modes, NULL);
    CHECK(status == PICUS_OK || status == PICUS_ERROR_MEMORY);
    picus_solver_destroy(solver);
    CHECK(picus_context_memory(counted) == 0);
  }
  picus_context_destroy(counted);
  picus_block_storage_destroy(&b.storage);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"residuals_agree", residuals_agree},
      {"known_products_give_the_same_bits", known_products_give_the_same_bits},
      {"answers_agree", answers_agree},
      {"many_contacts_on_few_bodies", many_contacts_on_few_bodies},
      {"wrong_factors", wrong_factors},
      {"empty_factors", empty_factors},
      {"memory", memory},
  };
  if (picus_context_create(NULL, &context) != PICUS_OK) return 1;
  int result = test_main(argc, argv, "contact_factors", cases, (int)(sizeof cases / sizeof *cases));
  picus_context_destroy(context);
  return result;
}
