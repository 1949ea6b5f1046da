/* Every solver on G whole and on G by blocks; gs and pjor against the others; units, warm starts, wrong input. */
#include "contact/internal.h"
#include "unit/solver_cases.h"

#include <stdio.h>

static picus_context *context;
static const char *const any_law[] = {"auto", "gs", "psor", "pjor"};
static const char *const planar_only[] = {"direct", "lemke"};

/* A chain: law i is coupled with its neighbours only. dof: columns of V shared by neighbours. */
static void random_chain(contact_case *x, test_random *random, int laws, bool spatial) {
  case_clear(x);
  for (int i = 0; i < laws; i++) case_add_random(x, random, 0.2, spatial);
  case_random_G(x, random, 2 * x->problem.size + 2);
  case_random_c(x, random);
  int first_row[CASE_LAWS + 1], n = x->problem.size;
  picus_contact_first_rows(&x->problem, first_row);
  for (int i = 0; i < laws; i++)
    for (int j = 0; j < i - 1; j++)
      for (int k = first_row[i]; k < first_row[i + 1]; k++)
        for (int l = first_row[j]; l < first_row[j + 1]; l++) x->G[k * n + l] = x->G[l * n + k] = 0;
  for (int k = 0; k < n; k++) x->G[k * (n + 1)] *= 1.5; /* definite also without the far blocks */
}

typedef struct outcome {
  picus_status status;
  double P[CASE_ROWS];
  picus_mode modes[CASE_LAWS];
  picus_solve_info info;
} outcome;

static picus_solver_options options_of(const char *name) {
  picus_solver_options options = picus_default_solver_options();
  options.solver = name;
  options.no_fallback = true;
  options.max_iterations = 100000;
  return options;
}

static outcome solve(const picus_contact_problem *problem, picus_solver_options options) {
  outcome o = {.status = PICUS_OK};
  picus_solver *solver = NULL;
  o.status = picus_solver_create(context, &options, &solver);
  if (o.status == PICUS_OK) o.status = picus_solver_solve(solver, problem, o.P, o.modes, &o.info);
  picus_solver_destroy(solver);
  return o;
}

static void same_outcome(const contact_case *x, const outcome *a, const outcome *b) {
  CHECK(a->status == b->status && a->info.iterations == b->info.iterations);
  CHECK(memcmp(a->P, b->P, (size_t)x->problem.size * sizeof *a->P) == 0);
  CHECK(memcmp(a->modes, b->modes, (size_t)x->problem.law_count * sizeof *a->modes) == 0);
  CHECK(a->info.residual.relative == b->info.residual.relative);
}

/* The same digits from both storages, and the right ones. */
static void whole_and_blocks(void) {
  test_random random = {21};
  static contact_case x;
  for (int round = 0; round < 300; round++) {
    bool spatial = round % 2;
    random_chain(&x, &random, test_integer(&random, 1, 12), spatial);
    picus_block_storage storage;
    REQUIRE(picus_block_storage_from_dense(context, &x.problem, &storage) == PICUS_OK);
    picus_contact_problem blocks = x.problem;
    blocks.G = NULL;
    blocks.blocks = &storage.matrix;
    for (int k = 0; k < (spatial ? 4 : 6); k++) {
      picus_solver_options options = options_of(k < 4 ? any_law[k] : planar_only[k - 4]);
      outcome a = solve(&x.problem, options), b = solve(&blocks, options);
      if (k != 3) CHECK(a.status == PICUS_OK); /* pjor may be slow */
      if (a.status == PICUS_OK) CHECK(case_error(&x, a.P) <= case_error_bound(1e-12));
      same_outcome(&x, &a, &b);
    }
    picus_block_storage_destroy(&storage);
  }
}

/* A G of blocks that have no counterpart: of a contact that acts on the next one, but not the other way round. */
static void blocks_without_counterpart(void) {
  test_random random = {27};
  static contact_case x;
  enum { LAWS = 12 };
  for (int round = 0; round < 50; round++) {
    random_chain(&x, &random, LAWS, true);
    int first_row[CASE_LAWS + 1], n = x.problem.size;
    picus_contact_first_rows(&x.problem, first_row);
    for (int i = 1; i < LAWS; i++)
      for (int k = first_row[i]; k < first_row[i + 1]; k++)
        for (int l = 0; l < first_row[i]; l++) x.G[k * n + l] = 0;
    picus_block_storage storage;
    REQUIRE(picus_block_storage_from_dense(context, &x.problem, &storage) == PICUS_OK);
    picus_contact_problem blocks = x.problem;
    blocks.G = NULL;
    blocks.blocks = &storage.matrix;
    const outcome whole = solve(&x.problem, options_of("newton")), parts = solve(&blocks, options_of("newton"));
    CHECK(whole.status == parts.status);
    if (parts.status == PICUS_OK) CHECK(case_error(&x, parts.P) <= case_error_bound(1e-12));
    picus_block_storage_destroy(&storage);
  }
}

static void gs_agrees_with_the_others(void) {
  test_random random = {22};
  static contact_case x;
  double worst = 0;
  for (int round = 0; round < 1000; round++) {
    bool spatial = round % 2;
    case_clear(&x);
    int laws = test_integer(&random, 1, 8);
    for (int i = 0; i < laws; i++) case_add_random(&x, &random, 0.2, spatial);
    case_random_G(&x, &random, 2 * x.problem.size + 2);
    case_random_c(&x, &random);
    picus_solver_options options = options_of("gs");
    options.tolerance = 1e-13;
    outcome gs = solve(&x.problem, options);
    CHECK(gs.status == PICUS_OK && case_error(&x, gs.P) <= 1e-12);
    for (int k = 0; k < (spatial ? 1 : 3); k++) {
      static const char *const others[] = {"psor", "direct", "lemke"};
      options.solver = others[k];
      outcome other = solve(&x.problem, options);
      CHECK(other.status == PICUS_OK);
      worst = fmax(worst, case_difference(x.problem.size, gs.P, other.P));
    }
    options.solver = "pjor";
    outcome pjor = solve(&x.problem, options);
    CHECK(pjor.status == PICUS_OK);
    worst = fmax(worst, case_difference(x.problem.size, gs.P, pjor.P));
  }
  printf("  largest difference %.2g\n", worst);
  CHECK(worst < 1e-9);
}

/* G that is not symmetric, as implicit schemes make it: a little, and more. */
static void unsymmetric_problems(void) {
  test_random random = {23};
  static contact_case x;
  for (int round = 0; round < 400; round++) {
    case_clear(&x);
    int laws = test_integer(&random, 1, 6);
    for (int i = 0; i < laws; i++) case_add_random(&x, &random, 0.2, true);
    case_random_G(&x, &random, 2 * x.problem.size + 2);
    case_random_c(&x, &random);
    double more = round % 2 ? 0.2 : 0.01;
    for (int k = 0; k < x.problem.size * x.problem.size; k++) x.G[k] *= 1 + more * test_uniform(&random, -1, 1);
    outcome gs = solve(&x.problem, options_of("gs"));
    CHECK(gs.status == PICUS_OK && case_error(&x, gs.P) <= case_error_bound(1e-12));
  }
}

/* case_error_bound holds for any P in the sets of the laws, near a solution and far from it. */
static void the_two_measures(void) {
  test_random random = {27};
  static contact_case x;
  double largest = 0;
  for (int round = 0; round < 20000; round++) {
    case_clear(&x);
    int laws = test_integer(&random, 1, 3);
    for (int i = 0; i < laws; i++) case_add_random(&x, &random, 0.2, true);
    case_random_G(&x, &random, test_integer(&random, 1, 2 * x.problem.size));
    case_random_c(&x, &random);
    double size = pow(10, test_uniform(&random, -3, 1));
    for (int k = 0; k < x.problem.size; k++) x.P[k] = size * test_uniform(&random, -1, 1);
    picus_contact_project(&x.problem, x.P);
    double relative = picus_contact_residual(&x.problem, x.P, NULL).relative, error = case_error(&x, x.P);
    CHECK(error <= case_error_bound(relative));
    if (relative > 1e-6) largest = fmax(largest, error / relative);
  }
  printf("  largest ratio of the two measures %.2f\n", largest);
  CHECK(largest > 1);
}

/* The same mechanics in other units: velocities, and with them c, times one factor, G times another. */
static void change_units(const contact_case *x, double G_unit, double c_unit, contact_case *y) {
  int n = x->problem.size;
  memcpy(y, x, sizeof *y);
  y->problem.laws = y->laws;
  y->problem.G = y->G;
  y->problem.c = y->c;
  for (int i = 0; i < n * n; i++) y->G[i] *= G_unit;
  for (int i = 0; i < n; i++) y->c[i] *= c_unit;
  for (int i = 0; i < y->problem.law_count; i++)
    if (y->laws[i].kind == PICUS_RESERVOIR) y->laws[i].radius *= c_unit / G_unit;
}

/* Every solver takes the same iterations to the same percussions: with units that differ by powers of two, and with
 * grams and millimetres in place of kilograms and metres. */
static void units_do_not_matter(void) {
  static const double G_units[] = {1e-3, 1.0 / (1LL << 40), 1LL << 40, 1, 1LL << 20};
  static const double c_units[] = {1e3, 1, 1.0 / (1LL << 30), 1LL << 40, 1.0 / (1LL << 20)};
  test_random random = {24};
  static contact_case x, y;
  int solves = 0;
  for (int round = 0; round < 40; round++) {
    bool spatial = round % 2;
    random_chain(&x, &random, 8, spatial);
    for (int k = 0; picus_solver_at(k); k++) {
      picus_solver_options options = options_of(picus_solver_at(k)->name);
      options.tolerance = 1e-9; /* above rounding, which does depend on units here and there */
      outcome first = solve(&x.problem, options);
      if (first.status == PICUS_ERROR_UNSUPPORTED) continue;
      for (int u = 0; u < 5; u++) {
        change_units(&x, G_units[u], c_units[u], &y);
        outcome other = solve(&y.problem, options);
        if (!CHECK(other.info.iterations == first.info.iterations && other.status == first.status))
          printf("  round %d, %s, units %d: %d iterations, then %d\n", round, options.solver, u, first.info.iterations,
                 other.info.iterations);
        for (int i = 0; i < x.problem.size; i++)
          CHECK_NEAR(other.P[i] * G_units[u] / c_units[u], first.P[i], u == 0 ? 1e-10 : 1e-12);
        solves++;
      }
    }
  }
  CHECK(solves > 40 * 9 * 5);
}

/* One body in the plane that stands on many contacts: three degrees of freedom, G of rank three. */
static void many_feet(contact_case *x, int feet, double mu, double side) {
  case_clear(x);
  for (int i = 0; i < feet; i++) case_add(x, PICUS_COULOMB, 2, mu);
  double W[2 * CASE_LAWS][3];
  int n = 2 * feet;
  for (int i = 0; i < feet; i++) {
    double at = feet > 1 ? -1 + 2.0 * i / (feet - 1) : 0;
    memcpy(W[2 * i], (double[]){0, 1, at}, sizeof W[0]);
    memcpy(W[2 * i + 1], (double[]){1, 0, 0.5}, sizeof W[0]);
    x->c[2 * i] = -1;
    x->c[2 * i + 1] = side;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) x->G[i * n + j] = W[i][0] * W[j][0] + W[i][1] * W[j][1] + 3 * W[i][2] * W[j][2];
}

/* The feet share the load as they like, but the whole of it is known: m v, and friction mu of it or what stops. */
static void redundant_contacts(void) {
  static contact_case x;
  for (int feet = 1; feet <= 30; feet++)
    for (int slips = 0; slips < 2; slips++) {
      many_feet(&x, feet, 0.3, slips ? 2 : 0.1);
      outcome gs = solve(&x.problem, options_of("gs"));
      double normal = 0, tangential = 0;
      for (int i = 0; i < feet; i++) {
        normal += gs.P[2 * i];
        tangential += gs.P[2 * i + 1];
      }
      CHECK(gs.status == PICUS_OK);
      if (feet == 1) continue; /* tips over */
      CHECK_NEAR(normal, 1, 1e-10);
      CHECK_NEAR(tangential, slips ? -0.3 : -0.1, 1e-10);
    }
}

static void warm_starts(void) {
  test_random random = {25};
  static contact_case x;
  int cold = 0, warm = 0;
  for (int round = 0; round < 100; round++) {
    random_chain(&x, &random, 10, true);
    picus_solver *solver = NULL;
    picus_solver_options options = options_of("gs");
    picus_solve_info info;
    REQUIRE(picus_solver_create(context, &options, &solver) == PICUS_OK);
    case_cold(&x);
    CHECK(picus_solver_solve(solver, &x.problem, x.P, x.modes, &info) == PICUS_OK);
    cold += info.iterations;
    CHECK(picus_solver_solve(solver, &x.problem, x.P, x.modes, &info) == PICUS_OK);
    warm += info.iterations;
    picus_solver_destroy(solver);
  }
  printf("  sweeps: cold %d, warm %d\n", cold, warm);
  CHECK(warm <= 2 * 100 && cold > 5 * warm);
}

/* Relaxation changes the way, not the answer. */
static void relaxation_of_gs(void) {
  test_random random = {26};
  static contact_case x;
  for (int round = 0; round < 100; round++) {
    random_chain(&x, &random, 6, true);
    outcome plain = solve(&x.problem, options_of("gs"));
    picus_solver_options options = options_of("gs");
    options.relaxation = test_uniform(&random, 0.4, 1.4);
    outcome relaxed = solve(&x.problem, options);
    CHECK(relaxed.status == PICUS_OK);
    CHECK(case_difference(x.problem.size, plain.P, relaxed.P) < 1e-9);
  }
}

/* What cannot be solved ends, and says so: numbers that are not finite, wrong patterns, walls that come closer. */
static void wrong_blocks(void) {
  picus_law laws[] = {{PICUS_UNILATERAL, 1, 0}, {PICUS_UNILATERAL, 1, 0}};
  double c[] = {-1, -1}, values[] = {1, -1, -1, 1};
  int first_row[] = {0, 1, 2}, row_start[] = {0, 2, 4}, column[] = {0, 1, 0, 1};
  size_t offset[] = {0, 1, 2, 3};
  picus_block_matrix blocks = {first_row, row_start, column, offset, values};
  picus_contact_problem problem = {.law_count = 2, .laws = laws, .size = 2, .c = c, .blocks = &blocks};
  for (int k = 0; k < 4; k++) {
    outcome o = solve(&problem, options_of(any_law[k]));
    CHECK(o.status == PICUS_NOT_CONVERGED || o.status == PICUS_NO_SOLUTION);
    CHECK(o.info.residual.relative > 1e-4);
  }
  picus_solver_options options = picus_default_solver_options();
  CHECK(solve(&problem, options).status == PICUS_NO_SOLUTION);
  values[1] = NAN;
  for (int k = 0; k < 4; k++) CHECK(solve(&problem, options_of(any_law[k])).status == PICUS_NOT_CONVERGED);
  values[1] = -1, column[1] = 7;
  for (int k = 0; k < 4; k++) CHECK(solve(&problem, options_of(any_law[k])).status == PICUS_ERROR_DIMENSION);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"whole_and_blocks", whole_and_blocks},
      {"blocks_without_counterpart", blocks_without_counterpart},
      {"gs_agrees_with_the_others", gs_agrees_with_the_others},
      {"unsymmetric_problems", unsymmetric_problems},
      {"the_two_measures", the_two_measures},
      {"units_do_not_matter", units_do_not_matter},
      {"redundant_contacts", redundant_contacts},
      {"warm_starts", warm_starts},
      {"relaxation_of_gs", relaxation_of_gs},
      {"wrong_blocks", wrong_blocks},
  };
  if (picus_context_create(NULL, &context) != PICUS_OK) return 1;
  int result = test_main(argc, argv, "solver_blocks", cases, (int)(sizeof cases / sizeof *cases));
  picus_context_destroy(context);
  return result;
}
