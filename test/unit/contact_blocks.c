/* G by blocks gives the same as G whole, and what is wrong with blocks is said. */
#include "contact/internal.h"
#include "solver_cases.h"

#include <picus/base.h>

/* A random problem of all kinds of laws in which about half of the blocks are zero. */
static void random_problem(contact_case *x, test_random *random, int laws) {
  case_clear(x);
  for (int i = 0; i < laws; i++) {
    picus_law_kind kind = (picus_law_kind)test_integer(random, 0, 3);
    int dim = kind == PICUS_COULOMB     ? test_integer(random, 2, 4)
              : kind == PICUS_RESERVOIR ? test_integer(random, 1, 3)
                                        : 1;
    case_add(x, kind, dim, test_uniform(random, 0, 1));
  }
  case_random_G(x, random, x->problem.size + 3);
  case_random_c(x, random);
  int first_row[CASE_LAWS + 1], n = x->problem.size;
  picus_contact_first_rows(&x->problem, first_row);
  for (int i = 0; i < laws; i++)
    for (int j = 0; j < i; j++) {
      if (test_uniform(random, 0, 1) < 0.5) continue;
      for (int k = first_row[i]; k < first_row[i + 1]; k++)
        for (int l = first_row[j]; l < first_row[j + 1]; l++) x->G[k * n + l] = x->G[l * n + k] = 0;
    }
}

/* The same problem by blocks. */
static picus_contact_problem by_blocks(const contact_case *x, const picus_block_storage *storage) {
  picus_contact_problem problem = x->problem;
  problem.G = NULL;
  problem.blocks = &storage->matrix;
  return problem;
}

static void blocks_and_whole_agree(void) {
  test_random random = {11};
  picus_context *context = NULL;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  static contact_case x;
  static double G[CASE_ROWS * CASE_ROWS];
  for (int run = 0; run < 200; run++) {
    random_problem(&x, &random, test_integer(&random, 1, 20));
    picus_block_storage storage;
    REQUIRE(picus_block_storage_from_dense(context, &x.problem, &storage) == PICUS_OK);
    picus_contact_problem blocks = by_blocks(&x, &storage);
    CHECK(picus_contact_problem_check(context, &blocks) == PICUS_OK);
    int n = x.problem.size;
    double P[CASE_ROWS], xi[CASE_ROWS], block_xi[CASE_ROWS];
    for (int k = 0; k < n; k++) P[k] = test_uniform(&random, -1, 1);
    if (run % 2) picus_contact_project(&x.problem, P);
    picus_residual a = picus_contact_residual(&x.problem, P, xi), b = picus_contact_residual(&blocks, P, block_xi);
    CHECK(memcmp(xi, block_xi, (size_t)n * sizeof *xi) == 0);
    CHECK(a.relative == b.relative && a.natural == b.natural && a.worst_law == b.worst_law);
    CHECK(picus_contact_rounding_floor(&x.problem, P) == picus_contact_rounding_floor(&blocks, P));
    picus_residuals all = picus_contact_residuals(&x.problem, P), of_blocks = picus_contact_residuals(&blocks, P);
    CHECK(all.signorini == of_blocks.signorini && all.cone == of_blocks.cone);
    CHECK(all.dissipation == of_blocks.dissipation && all.fclib == of_blocks.fclib);
    picus_contact_to_dense(&blocks, G);
    CHECK(memcmp(G, x.G, (size_t)(n * n) * sizeof *G) == 0);
    picus_block_storage_destroy(&storage);
  }
  picus_context_destroy(context);
}

static void single_blocks(void) {
  test_random random = {12};
  picus_context *context = NULL;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  static contact_case x;
  random_problem(&x, &random, 15);
  picus_block_storage storage;
  REQUIRE(picus_block_storage_from_dense(context, &x.problem, &storage) == PICUS_OK);
  picus_contact_problem blocks = by_blocks(&x, &storage);
  int first_row[CASE_LAWS + 1], n = x.problem.size, stored = 0;
  picus_contact_first_rows(&blocks, first_row);
  CHECK(first_row[15] == n);
  for (int i = 0; i < 15; i++) {
    size_t stride;
    double own[PICUS_OWN_BLOCK];
    const picus_operator *G = picus_operator_of(&blocks);
    for (int b = 0; b < G->block_count(&blocks, i); b++, stored++) {
      picus_block block = G->block_at(&blocks, first_row, i, b);
      for (int k = 0; k < x.laws[i].dim; k++)
        for (int l = 0; l < block.dim; l++)
          CHECK(block.values[(size_t)k * block.stride + (size_t)l] ==
                x.G[(first_row[i] + k) * n + block.first_row + l]);
    }
    CHECK(G->own_block(&blocks, i, first_row[i], own, &stride)[0] == x.G[first_row[i] * (n + 1)]);
  }
  CHECK(stored < 15 * 15);
  picus_block_storage_destroy(&storage);
  picus_context_destroy(context);
}

static void wrong_blocks_are_refused(void) {
  picus_context *context = NULL;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  picus_law laws[] = {{PICUS_UNILATERAL, 1, 0}, {PICUS_COULOMB, 2, 0.5}};
  double c[] = {1, 2, 3}, values[] = {1, 0.1, 0.2, 0.1, 0.2, 2, 0, 0, 2};
  int first_row[] = {0, 1, 3}, row_start[] = {0, 2, 4}, column[] = {0, 1, 0, 1};
  size_t offset[] = {0, 1, 3, 5};
  picus_block_matrix blocks = {first_row, row_start, column, offset, values};
  picus_contact_problem problem = {.law_count = 2, .laws = laws, .size = 3, .c = c, .blocks = &blocks};
  double P[3] = {0};
  CHECK(picus_contact_problem_check(context, &problem) == PICUS_OK);
  CHECK(isfinite(picus_contact_residual(&problem, P, NULL).relative));
  column[2] = 1; /* columns that do not increase */
  CHECK(picus_contact_problem_check(context, &problem) == PICUS_ERROR_DIMENSION);
  CHECK(isinf(picus_contact_residual(&problem, P, NULL).relative));
  column[2] = 0, column[3] = 2; /* a law that is not there, and no diagonal */
  CHECK(picus_contact_problem_check(context, &problem) == PICUS_ERROR_DIMENSION);
  column[3] = 1, first_row[1] = 2;
  CHECK(picus_contact_problem_check(context, &problem) == PICUS_ERROR_DIMENSION);
  first_row[1] = 1, row_start[1] = 5;
  CHECK(picus_contact_problem_check(context, &problem) == PICUS_ERROR_DIMENSION);
  row_start[1] = 2, values[4] = NAN;
  CHECK(picus_contact_problem_check(context, &problem) == PICUS_ERROR_NUMBER);
  CHECK(picus_contact_residual(&problem, P, NULL).worst_law == 1);
  values[4] = 0.2, blocks.offset = NULL;
  CHECK(picus_contact_problem_check(context, &problem) == PICUS_ERROR_ARGUMENT);
  blocks.offset = offset, problem.G = values; /* twice */
  CHECK(picus_contact_problem_check(context, &problem) == PICUS_ERROR_ARGUMENT);
  problem.G = NULL, problem.blocks = NULL;
  CHECK(picus_contact_problem_check(context, &problem) == PICUS_ERROR_ARGUMENT);
  picus_context_destroy(context);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"blocks_and_whole_agree", blocks_and_whole_agree},
      {"single_blocks", single_blocks},
      {"wrong_blocks_are_refused", wrong_blocks_are_refused},
  };
  return test_main(argc, argv, "contact_blocks", cases, (int)(sizeof cases / sizeof *cases));
}
