/* The proximal Newton method on contacts of few bodies: G is singular, and c has a part across its range, of any size,
 * so that contacts creep with velocities of this size. */
#include "simultaneous/newton.h"
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LAWS_MOST = 24, ROWS_MOST = 5 * LAWS_MOST, VELOCITIES = 24 };

typedef struct redundant {
  picus_contact_problem problem;
  picus_law laws[LAWS_MOST];
  double G[ROWS_MOST * ROWS_MOST], c[ROWS_MOST];
} redundant;

static uint64_t state;
static double draw(void) { /* -1 to 1 */
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (double)(int64_t)state / 9223372036854775808.0;
}

/* Contacts on so many velocities that percussions P in their sets stop, except for normal velocities of the size of
 * creep, most of which lie across the range of G. They open, so that there is a solution. rolls: with rolling friction.
 */
static void make_problem(uint64_t seed, int contacts, double creep, bool rolls, redundant *x) {
  static double W[ROWS_MOST][VELOCITIES];
  double P[ROWS_MOST];
  int rows = 0, laws = 0;
  state = 2 * seed + 1;
  for (int k = 0; k < 8; k++) draw();
  for (int i = 0; i < contacts; i++) {
    x->laws[laws++] = (picus_law){PICUS_COULOMB, 3, 0.2 + 0.3 * fabs(draw())};
    if (rolls) x->laws[laws++] = (picus_law){PICUS_ROLLING, 2, 0.1};
    for (int r = 0; r < (rolls ? 5 : 3); r++, rows++) {
      const int body = 6 * (i % (VELOCITIES / 6)), other = 6 * ((i + 1 + i / 4) % (VELOCITIES / 6));
      for (int k = 0; k < VELOCITIES; k++) W[rows][k] = 0;
      for (int k = 0; k < 6; k++) {
        W[rows][body + k] = draw();
        if (other != body) W[rows][other + k] = draw();
      }
      x->c[rows] = r == 0 ? creep * fabs(draw()) : 0;
      const double radius = r < 3 ? x->laws[laws - 1 - rolls].radius : 0.1;
      P[rows] = r == 0 ? 1 : 0.7 * radius * draw();
    }
  }
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < rows; j++) {
      double sum = 0;
      for (int k = 0; k < VELOCITIES; k++) sum += W[i][k] * W[j][k];
      x->G[i * rows + j] = sum;
      x->c[i] -= sum * P[j];
    }
  x->problem = (picus_contact_problem){.law_count = laws, .laws = x->laws, .size = rows, .G = x->G, .c = x->c};
}

/* By one method alone. Returns the relative residual of P. */
static double solve_with(const picus_solver_ops *ops, const picus_contact_problem *problem, int most, double *P,
                         int *iterations) {
  picus_solver_options options = picus_default_solver_options();
  picus_sparse_system sparse = {0};
  picus_mode modes[LAWS_MOST] = {PICUS_OPEN};
  picus_residual judged;
  const picus_memory_need need = ops->need(problem->law_count, problem->size);
  picus_solver_memory memory = {.doubles = calloc(need.doubles + 1, sizeof(double)),
                                .ints = calloc(need.ints + 1, sizeof(int)),
                                .reduced = &sparse,
                                .limits = &picus_no_limits,
                                .judged = &judged};
  options.max_iterations = most;
  *iterations = 0;
  if (memory.doubles && memory.ints) ops->solve(&options, problem, memory, P, modes, iterations);
  free(memory.doubles);
  free(memory.ints);
  picus_sparse_release(&sparse);
  return picus_contact_residual(problem, P, NULL).relative;
}

/* 1e-3 to 1e-11 of c, from nothing. Below 1e-8 the residual is far below the tolerance of tens of bodies at once, and
 * steps that move percussions come to the round-off of xi. */
static void creep_of_any_size(void) {
  static redundant x;
  enum { EACH = 25, STEPS = 300 };
  for (int digits = 3; digits <= 11; digits += 2) {
    int solved = 0, solved_by_newton = 0, steps = 0;
    for (uint64_t k = 0; k < EACH; k++) {
      double P[ROWS_MOST] = {0}, Q[ROWS_MOST] = {0};
      int taken;
      make_problem(k, 16, pow(10, -digits), false, &x);
      const double residual = solve_with(&picus_proximal_solver, &x.problem, STEPS, P, &taken);
      solved += residual <= 1e-12;
      steps += taken;
      CHECK(residual <= fmax(1e-12, 0.1 * pow(10, -digits)));
      solved_by_newton += solve_with(&picus_newton_solver, &x.problem, STEPS, Q, &taken) <= 1e-12;
    }
    printf("  creep 1e-%d: %d of %d solved, %.1f steps each; by newton %d\n", digits, solved, (int)EACH,
           (double)steps / EACH, solved_by_newton);
    CHECK(digits == 9 || solved >= EACH - 2);
    CHECK(solved >= solved_by_newton);
  }
}

static void rolling_friction(void) {
  static redundant x;
  int solved = 0;
  for (uint64_t k = 0; k < 20; k++) {
    double P[ROWS_MOST] = {0};
    int taken;
    make_problem(k, 12, 1e-5, true, &x);
    const double residual = solve_with(&picus_proximal_solver, &x.problem, 300, P, &taken);
    solved += residual <= 1e-12;
    CHECK(residual <= 1e-6);
  }
  printf("  rolling: %d of 20 solved\n", solved);
  CHECK(solved >= 18);
}

/* A thousand times the velocities, percussions and masses: the same steps, to the last bit for powers of two. */
static void units_do_not_matter(void) {
  static redundant x, y;
  for (uint64_t k = 0; k < 10; k++) {
    double P[ROWS_MOST] = {0}, Q[ROWS_MOST] = {0};
    int taken, again;
    make_problem(k, 16, 1e-6, false, &x);
    make_problem(k, 16, 1e-6, false, &y);
    for (int i = 0; i < y.problem.size; i++) y.c[i] *= 1024;
    for (int i = 0; i < y.problem.size * y.problem.size; i++) y.G[i] /= 4096;
    solve_with(&picus_proximal_solver, &x.problem, 100, P, &taken);
    solve_with(&picus_proximal_solver, &y.problem, 100, Q, &again);
    CHECK(taken == again);
    for (int i = 0; i < x.problem.size; i++) CHECK(Q[i] == 1024.0 * 4096 * P[i]);
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"creep_of_any_size", creep_of_any_size},
                                    {"rolling_friction", rolling_friction},
                                    {"units_do_not_matter", units_do_not_matter}};
  return test_main(argc, argv, "solver_proximal", cases, sizeof cases / sizeof cases[0]);
}
