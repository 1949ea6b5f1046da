/* Constraints of small and of large systems: rank, redundant ones, and assembly. A reference with dense matrices is
 * made here from M and W alone. */
#include "linalg/row_factor.h"
#include "support/check.h"

#include <math.h>
#include <picus/picus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct trial {
  picus_context *context;
  picus_model *model;
  picus_system *system;
  double *q, *u;
  bool *redundant;
  picus_constraint_report report;
} trial;

static bool begin(trial *t, const char *text) {
  *t = (trial){0};
  bool good = CHECK(picus_context_create(NULL, &t->context) == PICUS_OK) &&
              CHECK(picus_model_load_text(t->context, "text", text, strlen(text), NULL, &t->model) == PICUS_OK) &&
              CHECK(picus_system_create(t->model, &t->system) == PICUS_OK);
  if (!good) {
    puts(t->context ? picus_last_error(t->context)->message : "");
    return false;
  }
  t->q = calloc((size_t)picus_system_nq(t->system), sizeof *t->q);
  t->u = calloc((size_t)picus_system_nu(t->system), sizeof *t->u);
  t->redundant = calloc((size_t)picus_system_law_count(t->system), sizeof *t->redundant);
  if (!CHECK(t->q && t->u && t->redundant)) return false;
  picus_system_start(t->system, t->q, t->u);
  return true;
}

static void end(trial *t) {
  free(t->q);
  free(t->u);
  free(t->redundant);
  picus_system_destroy(t->system);
  picus_model_destroy(t->model);
  CHECK(picus_context_memory(t->context) == 0);
  picus_context_destroy(t->context);
}

static void examine(trial *t) {
  picus_evaluation *e = NULL;
  REQUIRE(picus_evaluation_create(t->context, t->system, &e) == PICUS_OK);
  picus_evaluation_set_point(e, 0, t->q, t->u);
  CHECK(picus_system_examine_constraints(e, &t->report, t->redundant) == PICUS_OK);
  picus_evaluation_destroy(e);
}

/* --- a dense reference ------------------------------------------------------------------------------------------- */

static double dot(int n, const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/* M = L L^T in the lower triangle, then rows of W^T times L^-T. */
static void to_metric(int nu, double *M, int rows, double *W) {
  for (int j = 0; j < nu; j++)
    for (int i = j; i < nu; i++) {
      const double value = M[i * nu + j] - dot(j, M + i * nu, M + j * nu);
      M[i * nu + j] = i == j ? sqrt(value) : value / M[j * nu + j];
    }
  for (int r = 0; r < rows; r++)
    for (int i = 0; i < nu; i++) W[r * nu + i] = (W[r * nu + i] - dot(i, M + i * nu, W + r * nu)) / M[i * nu + i];
}

/* The rank of the bilateral rows, by Gram-Schmidt in the order of the laws, three times; compares redundant rows. */
static int reference_rank(trial *t) {
  const int nu = picus_system_nu(t->system), rows = picus_system_row_count(t->system);
  double *M = calloc((size_t)(nu * nu), sizeof *M), *W = calloc((size_t)(rows * nu), sizeof *W);
  double *chi = calloc((size_t)rows, sizeof *chi);
  picus_evaluation *e = NULL;
  int rank = 0;
  if (!CHECK(M && W && chi) || !CHECK(picus_evaluation_create(t->context, t->system, &e) == PICUS_OK)) return -1;
  picus_evaluation_set_point(e, 0, t->q, t->u);
  CHECK(picus_evaluate_mass(e, M) == PICUS_OK && picus_evaluate_directions(e, W, chi) == PICUS_OK);
  to_metric(nu, M, rows, W);
  for (int i = 0; i < picus_system_law_count(t->system); i++) {
    const picus_system_law law = picus_system_law_at(t->system, i);
    if (law.kind != PICUS_BILATERAL) continue;
    double *row = W + law.first_row * nu;
    const double length = sqrt(dot(nu, row, row));
    for (int pass = 0; pass < 3; pass++)
      for (int j = 0; j < rank; j++) {
        const double along = dot(nu, W + j * nu, row); /* the basis takes the place of rows that are done */
        for (int k = 0; k < nu; k++) row[k] -= along * W[j * nu + k];
      }
    const double left = sqrt(dot(nu, row, row));
    CHECK(t->redundant[i] == !(left > 1e-7 * length));
    if (!(left > 1e-7 * length)) continue;
    for (int k = 0; k < nu; k++) W[rank * nu + k] = row[k] / left;
    rank++;
  }
  picus_evaluation_destroy(e);
  free(M);
  free(W);
  free(chi);
  return rank;
}

/* --- mechanisms -------------------------------------------------------------------------------------------------- */

/* Links of a chain from (0, 0) along x, and after each `every` of them a mechanism beside it, with its names. */
static const char CHAIN[] =
    "local n, every = %d, %d\n"
    "local last = ground\n"
    "for i = 1, n do\n"
    "  local b = planar_body {'b' .. i, mass = 1 + i %% 3, inertia = 0.1, position = {i - 0.5, 0}}\n"
    "  revolute {'j' .. i, last, b, at = {i - 1, 0}}\n"
    "  last = b\n"
    "  if i %% every == 0 then\n"
    "    %s\n"
    "  end\n"
    "end\nsimulate {dt = 0.01, t_end = 1}\n";
/* Two cranks and a coupler: a parallelogram; a third crank in the middle follows the others: one redundant constraint.
 */
static const char PARALLEL[] =
    "local c = planar_body {'c' .. i, mass = 2, inertia = 0.3, position = {i + 0.5, 1}}\n"
    "for k = 0, 2 do\n"
    "  local r = planar_body {'r' .. k .. '_' .. i, mass = 1, inertia = 0.1, position = {i + k / 2, 0.5}}\n"
    "  revolute {'foot' .. k .. '_' .. i, b, r, at = {i + k / 2, 0}}\n"
    "  revolute {'head' .. k .. '_' .. i, r, c, at = {i + k / 2, 1}}\n"
    "end\n";
static char *chain_with(int n, int every, const char *mechanism) {
  enum { SIZE = 4096 };
  char *text = malloc(SIZE);
  if (text) snprintf(text, SIZE, CHAIN, n, every, mechanism);
  return text;
}

/* A four-bar linkage of spatial bodies: planar, so that three of its twenty constraints are redundant. */
static const char SPATIAL[] =
    "local n, chain = %d, %d\n"
    "for i = 1, n do\n"
    "  local y = 10 * i\n"
    "  local function bar(name, x, z)\n"
    "    return spatial_body {name .. i, mass = 1, inertia = {0.1, 0.2, 0.15}, position = {x, y, z}}\n"
    "  end\n"
    "  local a, b, c = bar('a', 0, 0.5), bar('b', 0.5, 1), bar('c', 1, 0.5)\n"
    "  local function hinge(name, p, q, x, z)\n"
    "    revolute {name .. i, p, q, at = {x, y, z}, axis = {0, 1, 0}}\n"
    "  end\n"
    "  hinge('h1_', ground, a, 0, 0)\n"
    "  hinge('h2_', a, b, 0, 1)\n"
    "  hinge('h3_', b, c, 1, 1)\n"
    "  hinge('h4_', c, ground, 1, 0)\n"
    "end\n"
    "local last = ground\n"
    "for k = 1, chain do\n"
    "  local s = spatial_body {'s' .. k, mass = 1, inertia = {1, 1, 1}, position = {0, 0, -k + 0.5}}\n"
    "  spherical {'t' .. k, last, s, at = {0, 0, -k + 1}}\n"
    "  last = s\n"
    "end\nsimulate {dt = 0.01, t_end = 1}\n";

static void check_chain(int n, int every, const char *mechanism, int redundant_each, bool with_reference) {
  trial t;
  char *text = chain_with(n, every, mechanism);
  REQUIRE(text);
  const bool good = begin(&t, text);
  free(text);
  if (!good) return;
  examine(&t);
  const int redundant = redundant_each * (n / every);
  CHECK(t.report.constraints - t.report.rank == redundant);
  CHECK(t.report.freedom == picus_system_nu(t.system) - t.report.rank);
  int marked = 0;
  for (int i = 0; i < picus_system_law_count(t.system); i++) {
    const char *name = picus_system_law_at(t.system, i).name;
    marked += t.redundant[i];
    if (t.redundant[i]) CHECK(!strstr(name, "j")); /* never the chain */
  }
  CHECK(marked == redundant);
  if (with_reference) CHECK(reference_rank(&t) == t.report.rank);
  end(&t);
}

static void redundant_mechanisms_in_chains(void) {
  check_chain(4, 4, "", 0, true);
  check_chain(40, 40, "", 0, true);
  check_chain(2, 2, PARALLEL, 1, true); /* dense */
  check_chain(3, 1, PARALLEL, 1, true);
  check_chain(40, 5, PARALLEL, 1, true);
  const bool reduced = test_is_reduced();
  check_chain(reduced ? 500 : 4000, 50, PARALLEL, 1, false);
}

static void planar_linkages_in_space(void) {
  static const int counts[][2] = {{1, 0}, {2, 0}, {3, 0}, {4, 20}, {50, 1000}};
  for (int k = 0; k < 5; k++) {
    char text[4096];
    trial t;
    snprintf(text, sizeof text, SPATIAL, counts[k][0], counts[k][1]);
    if (!begin(&t, text)) return;
    examine(&t);
    CHECK(t.report.constraints == 20 * counts[k][0] + 3 * counts[k][1]);
    CHECK(t.report.rank == 17 * counts[k][0] + 3 * counts[k][1]);
    if (k < 4) CHECK(reference_rank(&t) == t.report.rank);
    end(&t);
  }
}

/* Constraints that nearly depend on earlier ones are told from those that do. */
static void nearly_redundant(void) {
  static const char *const offsets[] = {"1e-12", "1e-9", "1e-5", "1e-3"};
  for (int k = 0; k < 4; k++) {
    trial t;
    char text[1024];
    snprintf(text, sizeof text,
             "local n, list, T = 60, {}, 0\nfor i = 1, n do list[i] = {'x' .. i, velocity = 'v' .. i} end\n"
             "local q, u = coordinates(list)\n"
             "for i = 1, n do kinetic((1 + i) * u['v' .. i]^2 / 2) end\n"
             "for i = 1, n - 1 do constraint {'c' .. i, position = q['x' .. i] - q['x' .. (i + 1)]} end\n"
             "constraint {'near', position = q.x1 - q.x2 + %s * q.x60}\n"
             "simulate {dt = 0.01, t_end = 1}\n",
             offsets[k]);
    if (!begin(&t, text)) return;
    examine(&t);
    CHECK(t.report.constraints == 60);
    CHECK(reference_rank(&t) == t.report.rank);
    CHECK(t.redundant[59] == (t.report.rank == 59));
    CHECK(t.report.rank == (k < 2 ? 59 : 60));
    end(&t);
  }
}

/* --- assembly ---------------------------------------------------------------------------------------------------- */

/* So many equal pendulums of 16 links, disturbed; side by side they are a large system. */
static const char PENDULUMS[] =
    "for p = 1, %d do\n"
    "  local last = ground\n"
    "  for i = 1, 16 do\n"
    "    local b = planar_body {'b' .. p .. '_' .. i, mass = 1 + i %% 3, inertia = 0.1, position = {i - 0.5, 0},\n"
    "      velocity = {0.1 * i, -0.2}, omega = 0.3}\n"
    "    revolute {'j' .. p .. '_' .. i, last, b, at = {i - 1, 0}}\n"
    "    last = b\n"
    "  end\n"
    "end\nsimulate {dt = 0.01, t_end = 1}\n";

static void disturb(trial *t, int period, double size) {
  for (int i = 0; i < picus_system_nq(t->system); i++) t->q[i] += size * sin(1.0 + i % period);
}

static void assembly_of_copies_is_that_of_one(void) {
  trial one, many;
  char text[1024];
  snprintf(text, sizeof text, PENDULUMS, 1);
  if (!begin(&one, text)) return;
  snprintf(text, sizeof text, PENDULUMS, 5);
  if (!begin(&many, text)) return;
  const int n = picus_system_nq(one.system);
  disturb(&one, n, 0.05);
  disturb(&many, n, 0.05);
  CHECK(picus_system_assemble(one.context, one.system, 0, one.q, one.u) == PICUS_OK);
  CHECK(picus_system_assemble(many.context, many.system, 0, many.q, many.u) == PICUS_OK);
  for (int i = 0; i < 5 * n; i++) {
    CHECK_NEAR(many.q[i], one.q[i % n], 1e-10);
    CHECK_NEAR(many.u[i], one.u[i % n], 1e-10);
  }
  examine(&many);
  CHECK(many.report.worst_position < 1e-12 && many.report.worst_velocity < 1e-12);
  end(&one);
  end(&many);
}

/* Redundant loops in a chain of thousands of links. */
static void assembly_of_a_long_chain(void) {
  trial t;
  char *text = chain_with(test_is_reduced() ? 300 : 3000, 100, PARALLEL);
  REQUIRE(text);
  const bool good = begin(&t, text);
  free(text);
  if (!good) return;
  disturb(&t, 1000000, 1e-3);
  for (int i = 0; i < picus_system_nu(t.system); i++) t.u[i] = 0.1 * cos(1.0 * i);
  CHECK(picus_system_assemble(t.context, t.system, 0, t.q, t.u) == PICUS_OK);
  examine(&t);
  double largest = 0;
  for (int i = 0; i < picus_system_nq(t.system); i++) largest = fmax(largest, fabs(t.q[i]));
  CHECK(t.report.worst_position <= 1e-13 * largest && t.report.worst_velocity < 1e-12);
  end(&t);
}

static void what_does_not_fit_is_named(void) {
  picus_context *context;
  picus_model *model = NULL;
  picus_system *system = NULL;
  char text[4096];
  snprintf(text, sizeof text, PENDULUMS, 4);
  strcat(text, "local far = planar_body {'far', mass = 1, inertia = 1, position = {0, 0}}\n"
               "revolute {'here', ground, far, at = {0, 0}}\n"
               "revolute {'there', ground, far, points = {{5, 0}, {1, 0}}}\n"
               "simulate {assemble = true}\n");
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  REQUIRE(picus_model_load_text(context, "text", text, strlen(text), NULL, &model) == PICUS_OK);
  CHECK(picus_system_create(model, &system) == PICUS_ERROR_MODEL);
  const char *message = picus_last_error(context)->message;
  if (!CHECK(strstr(message, "'here_") || strstr(message, "'there_"))) puts(message);
  picus_model_destroy(model);
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

/* --- the factor -------------------------------------------------------------------------------------------------- */

static unsigned random_state;
static double random_number(void) {
  random_state = random_state * 1664525u + 1013904223u;
  return (double)(random_state >> 8) / (1 << 24) * 2 - 1;
}

enum { COLUMNS = 30, ROWS = 60, LONGEST = 4 };

/* Which columns of a dense matrix depend on earlier ones, by Gram-Schmidt. */
static void find_dependent(double (*A)[ROWS], bool *dependent) {
  for (int c = 0; c < COLUMNS; c++) {
    const double length = sqrt(dot(ROWS, A[c], A[c]));
    for (int pass = 0; pass < 2; pass++)
      for (int j = 0; j < c; j++) {
        const double along = dot(ROWS, A[j], A[c]);
        for (int r = 0; r < ROWS; r++) A[c][r] -= along * A[j][r];
      }
    const double left = sqrt(dot(ROWS, A[c], A[c]));
    dependent[c] = !(left > 1e-10 * length);
    for (int r = 0; r < ROWS; r++) A[c][r] = dependent[c] ? 0 : A[c][r] / left;
  }
}

/* Random sparse rows: R^T R is the sum of their squares, columns that are copies of earlier ones are dropped. */
static void factor_of_random_rows(void) {
  enum { N = COLUMNS };
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  for (unsigned seed = 1; seed <= 50; seed++) {
    size_t start[ROWS + 1] = {0};
    int column[ROWS * LONGEST];
    double value[ROWS * LONGEST], G[N][N] = {{0}}, A[N][ROWS] = {{0}};
    const bool twins = seed % 2;
    random_state = seed;
    for (int r = 0; r < ROWS; r++) {
      size_t at = start[r];
      int c = (int)((random_number() + 1) * N / 2) % N;
      for (int k = 0; k < LONGEST && c < N; k++) {
        column[at] = c;
        value[at++] = random_number();
        c += 1 + (int)((random_number() + 1) * 3);
      }
      start[r + 1] = at;
    }
    if (twins) /* column 2i + 1 is a copy of 2i wherever both are in a row; elsewhere both are zero */
      for (int r = 0; r < ROWS; r++)
        for (size_t i = start[r]; i < start[r + 1]; i++) {
          const bool pair = column[i] % 2 == 0 && i + 1 < start[r + 1] && column[i + 1] == column[i] + 1;
          if (pair)
            value[i + 1] = value[i], i++;
          else
            value[i] = 0;
        }
    picus_row_factor f;
    const picus_row_patterns patterns = {ROWS, start, column};
    REQUIRE(picus_row_factor_create(context, N, &patterns, &f) == PICUS_OK);
    for (int r = 0; r < ROWS; r++) {
      picus_row_factor_add(&f, (int)(start[r + 1] - start[r]), column + start[r], value + start[r]);
      for (size_t i = start[r]; i < start[r + 1]; i++) A[column[i]][r] = value[i];
      for (size_t i = start[r]; i < start[r + 1]; i++)
        for (size_t j = start[r]; j < start[r + 1]; j++) G[column[i]][column[j]] += value[i] * value[j];
    }
    for (int i = 0; i < N; i++)
      for (int j = i; j < N; j++) {
        double sum = 0;
        for (int k = 0; k <= i; k++) {
          double a = 0, b = 0;
          for (size_t m = f.start[k]; m < f.start[k + 1]; m++) {
            if (f.column[m] == i) a = f.value[m];
            if (f.column[m] == j) b = f.value[m];
          }
          sum += a * b;
        }
        CHECK_NEAR(sum, G[i][j], 1e-13);
      }
    bool dropped[N], dependent[N];
    const int rank = picus_row_factor_drop(&f, 1e-10, dropped);
    int kept = 0;
    find_dependent(A, dependent);
    for (int i = 0; i < N; i++) {
      kept += !dropped[i];
      CHECK(dropped[i] == dependent[i]);
      if (twins && i % 2) CHECK(dropped[i]);
    }
    CHECK(kept == rank);
    picus_row_factor_release(&f);
  }
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"redundant_mechanisms_in_chains", redundant_mechanisms_in_chains},
                                    {"planar_linkages_in_space", planar_linkages_in_space},
                                    {"nearly_redundant", nearly_redundant},
                                    {"assembly_of_copies_is_that_of_one", assembly_of_copies_is_that_of_one},
                                    {"assembly_of_a_long_chain", assembly_of_a_long_chain},
                                    {"what_does_not_fit_is_named", what_does_not_fit_is_named},
                                    {"factor_of_random_rows", factor_of_random_rows}};
  return test_main(argc, argv, "system_constraints", cases, (int)(sizeof cases / sizeof *cases));
}
