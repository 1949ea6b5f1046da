/* Many laws: the Delassus matrix is block-sparse beyond PICUS_DENSE_ROWS rows and has the numbers of W^T M^-1 W; copies
 * of one system in one model move as the one does, with every scheme. */
#include "base/internal.h"
#include "linalg/internal.h"
#include "step_problem/law_arrays.h"
#include "support/check.h"
#include "support/simulate.h"
#include "system/delassus.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the matrix -------------------------------------------------------------------------------------------------- */

/* Links that hang together by joints, each with a contact of friction to the ground: 4 rows a link. */
static const char chain_text[] = "gravity {0, -9.81}\n"
                                 "local last\n"
                                 "for i = 1, 80 do\n"
                                 "  local link = planar_body {'b' .. i, mass = 1 + i % 3, inertia = 0.1,\n"
                                 "    position = {i - 0.5, 2}}\n"
                                 "  if last then revolute {'j' .. i, last, link, at = {i - 1, 2}} end\n"
                                 "  plane_contact {'c' .. i, ground, link, origin = {0, 0}, normal = {0, 1},\n"
                                 "    point = {0.5, 0.1}, mu = 0.3}\n"
                                 "  last = link\n"
                                 "end\n"
                                 "simulate {scheme = 'moreau', dt = 1e-3, t_end = 1}\n";

typedef struct bench {
  simulation of;
  picus_evaluation *e;
  double *W, *inverse; /* rows x nu, dense: W^T and (M^-1 W)^T */
} bench;

static bool open_bench(bench *b) {
  *b = (bench){0};
  if (!simulation_open_text(&b->of, chain_text)) return false;
  const picus_system *s = b->of.system;
  if (!CHECK(s->fixed.row_count > PICUS_DENSE_ROWS && s->part_count == 80)) return false;
  const size_t rows = (size_t)s->fixed.row_count, nu = (size_t)s->nu;
  double *chi = malloc(rows * sizeof *chi);
  b->W = malloc(rows * nu * sizeof(double));
  b->inverse = malloc(rows * nu * sizeof(double));
  bool fine = CHECK(picus_evaluation_create(b->of.context, s, &b->e) == PICUS_OK) && chi && b->W && b->inverse;
  if (fine) picus_evaluation_set_point(b->e, 0, s->q_start, s->u_start);
  fine = fine && CHECK(picus_evaluate_directions(b->e, b->W, chi) == PICUS_OK) &&
         CHECK(picus_evaluation_factor_mass(b->e) == PICUS_OK);
  if (fine) memcpy(b->inverse, b->W, rows * nu * sizeof(double));
  for (size_t r = 0; fine && r < rows; r++) picus_evaluation_solve_mass(b->e, b->inverse + r * nu);
  free(chi);
  return fine;
}

static void close_bench(bench *b) {
  picus_evaluation_destroy(b->e);
  free(b->W);
  free(b->inverse);
  simulation_close(&b->of);
}

static int choose_laws(test_random *random, const picus_system *s, int *laws) {
  int count = 0;
  const int share = test_integer(random, 1, 4);
  for (int i = 0; i < s->fixed.law_count; i++)
    if (test_integer(random, 0, share) == 0) laws[count++] = i;
  return count;
}

/* Every entry of the chosen laws, and products of rows with a vector. */
static void check_matrix(const bench *b, const delassus_matrix *m, const int *laws) {
  const picus_system *s = b->of.system;
  double *P = malloc((size_t)(m->size + 1) * sizeof *P), worst = 0, worst_row = 0;
  for (int i = 0; i < m->size; i++) P[i] = cos(i);
  for (int k = 0, row = 0; k < m->law_count; k++)
    for (int r = 0; r < (m->first_rows ? 1 : s->fixed.laws[laws[k]].data.dim); r++, row++) {
      const double *w = b->W + (size_t)(s->fixed.laws[laws[k]].data.first_row + r) * (size_t)s->nu;
      double sum = 0;
      for (int l = 0, column = 0; l < m->law_count; l++) {
        const picus_system_law *other = &s->fixed.laws[laws[l]].data;
        const double *entries = picus_delassus_entries(m, k, row, l, column);
        for (int c = 0; c < (m->first_rows ? 1 : other->dim); c++, column++) {
          double expected = picus_dot(s->nu, w, b->inverse + (size_t)(other->first_row + c) * (size_t)s->nu);
          worst = fmax(worst, fabs(entries[c] - expected));
          sum += expected * P[column];
        }
      }
      worst_row = fmax(worst_row, fabs(picus_delassus_row(m, k, row, P) - sum));
    }
  CHECK_NEAR(worst, 0, 1e-13);
  CHECK_NEAR(worst_row, 0, 1e-11);
  free(P);
}

static void subsets_have_the_right_entries(void) {
  bench b;
  delassus_matrix some = {0};
  constant_delassus all = {0};
  REQUIRE(open_bench(&b));
  const picus_system *s = b.of.system;
  CHECK(picus_delassus_create(b.of.context, &s->fixed, &some) == PICUS_OK);
  law_arrays arrays;
  picus_law_arrays_begin(b.of.context, &s->fixed, &arrays);
  CHECK(PICUS_SCRATCH(&arrays, sizeof(double), picus_by_W, &all.inverse_W) == PICUS_OK);
  CHECK(PICUS_SCRATCH(&arrays, sizeof *all.solved, picus_by_row, &all.solved) == PICUS_OK);
  CHECK(PICUS_SCRATCH(&arrays, sizeof *all.laws, picus_by_law, &all.laws) == PICUS_OK);
  CHECK(picus_law_arrays_add_matrix(&arrays, &s->fixed, &all.matrix) == PICUS_OK);
  picus_constant_delassus_begin(&all, &s->fixed);
  CHECK(picus_evaluation_update_directions(b.e) == PICUS_OK);
  picus_constant_delassus_fill(&all, b.e, &b.e->mass);
  check_matrix(&b, &all.matrix, all.laws);
  int *laws = malloc((size_t)s->fixed.law_count * sizeof *laws);
  const double **solved = malloc((size_t)s->fixed.row_count * sizeof *solved);
  test_random random = {3};
  for (int round = 0; round < 8; round++) {
    const int count = choose_laws(&random, s, laws);
    int rows = 0;
    for (int k = 0; k < count; k++)
      for (int r = 0; r < s->fixed.laws[laws[k]].data.dim; r++)
        solved[rows++] = all.solved[s->fixed.laws[laws[k]].data.first_row + r];
    picus_delassus_gather(&all.matrix, &s->fixed, count, laws, &some);
    CHECK(some.size == rows);
    check_matrix(&b, &some, laws);
    delassus_request request = {
        .set = &s->fixed, .law_count = count, .laws = laws, .V = b.e->W, .matrix = &b.e->mass, .solved = solved};
    for (int symmetric = 0; symmetric < 2; symmetric++) {
      request.symmetric = symmetric;
      picus_delassus_assemble(&some, &request);
      CHECK(some.size == rows);
      check_matrix(&b, &some, laws);
    }
    for (int k = 0; k < count; k++) solved[k] = all.solved[s->fixed.laws[laws[k]].data.first_row];
    request.first_rows = true;
    for (int symmetric = 0; symmetric < 2; symmetric++) {
      request.symmetric = symmetric;
      picus_delassus_assemble(&some, &request);
      CHECK(some.size == count);
      check_matrix(&b, &some, laws);
    }
  }
  free(laws);
  free(solved);
  picus_delassus_release(b.of.context, &some);
  picus_law_arrays_release(&arrays);
  close_bench(&b);
}

/* --- copies ------------------------------------------------------------------------------------------------------ */

/* Blocks that fall on a floor, slide and rock: contacts with friction on two corners each. */
static const char blocks_text[] =
    "gravity {0, -9.81}\n"
    "for i = 1, %d do\n"
    "  local b = planar_body {'b' .. i, mass = 2, inertia = 0.05, position = {5 * i, 0.33},\n"
    "    velocity = {1.5, 0}, angle = 0.1, omega = -1}\n"
    "  for k, x in ipairs {-0.2, 0.2} do\n"
    "    plane_contact {'c' .. i .. '-' .. k, ground, b, origin = {0, 0}, normal = {0, 1},\n"
    "      point = {x, -0.3}, mu = 0.4, eN = 0.2}\n"
    "  end\n"
    "end\n"
    "simulate {scheme = 'moreau', dt = 1e-3, t_end = 0.4, sample = 0.4}\n";

/* The end of a run of n blocks: 3 coordinates of the one that is asked for, counted from its place. */
static bool end_of(int n, int block, const char *scheme, double end[3]) {
  char text[1024];
  simulation s;
  picus_sim_options options;
  snprintf(text, sizeof text, blocks_text, n);
  if (!simulation_load_text(&s, text, &options)) return false;
  options.scheme = scheme;
  bool fine = simulation_start(&s, &options);
  for (int step = 0; fine && step < 400; step++) {
    picus_step_info info;
    fine = CHECK(picus_sim_step(s.sim, 1e-3, &info) == PICUS_OK);
  }
  const double *q = fine ? picus_sim_state(s.sim).q : NULL;
  for (int k = 0; fine && k < 3; k++) end[k] = q[3 * block + k] - (k == 0 ? 5 * (block + 1) : 0);
  simulation_close(&s);
  return fine;
}

static void copies_move_as_one(void) {
  static const char *const schemes[] = {"moreau", "moreau-jean", "moreau-projected", "moreau-combined", "rattle"};
  enum { COPIES = 70 }; /* 280 rows */
  for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
    double one[3], first[3], last[3];
    REQUIRE(end_of(1, 0, schemes[k], one));
    REQUIRE(end_of(COPIES, 0, schemes[k], first) && end_of(COPIES, COPIES - 1, schemes[k], last));
    for (int i = 0; i < 3; i++) {
      CHECK_NEAR(first[i], one[i], 1e-9);
      CHECK_NEAR(last[i], one[i], 1e-9);
    }
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"subsets_have_the_right_entries", subsets_have_the_right_entries},
                                    {"copies_move_as_one", copies_move_as_one}};
  return test_main(argc, argv, "system_delassus", cases, sizeof cases / sizeof *cases);
}
