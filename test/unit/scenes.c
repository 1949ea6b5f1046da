/* The families of contact problems: they are what they say, the same seed gives the same, and they can be solved. */
#include "scenes.h"
#include "support/check.h"

#include <math.h>
#include <picus/picus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static picus_problem *create(picus_context *context, const char *family, int n, int dimension,
                             unsigned long long seed) {
  picus_problem *problem = NULL;
  scene_def def = {family, n, dimension, seed};
  CHECK(scene_create(context, &def, &problem) == PICUS_OK);
  return problem;
}

static double block_entry(const picus_contact_problem *p, int i, int j, int k, int l) {
  const picus_block_matrix *b = p->blocks;
  for (int n = b->row_start[i]; n < b->row_start[i + 1]; n++)
    if (b->column[n] == j) return b->values[b->offset[n] + (size_t)(k * p->laws[j].dim + l)];
  return 0;
}

static bool is_symmetric(const picus_contact_problem *p) {
  for (int i = 0; i < p->law_count; i++)
    for (int j = 0; j < i; j++)
      for (int k = 0; k < p->laws[i].dim; k++)
        for (int l = 0; l < p->laws[j].dim; l++)
          if (fabs(block_entry(p, i, j, k, l) - block_entry(p, j, i, l, k)) > 1e-14 * fabs(block_entry(p, i, i, k, k)))
            return false;
  return true;
}

/* The supports of a stack carry its weight: the sum of the percussions at the ground is the momentum that gravity
 * gives to all boxes. */
static void weight(void) {
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  picus_problem *problem = create(context, "stack", 3, 2, 7);
  const picus_contact_problem *p = picus_problem_contacts(problem);
  CHECK(p->law_count == 6 && p->size == 12);
  double P[12] = {0};
  picus_mode modes[6] = {PICUS_OPEN};
  picus_solver_options options = picus_default_solver_options();
  picus_solver *solver = NULL;
  picus_solve_info info;
  REQUIRE(picus_solver_create(context, &options, &solver) == PICUS_OK);
  CHECK(picus_solver_solve(solver, p, P, modes, &info) == PICUS_OK);
  double up[3], mass[3];
  for (int k = 0; k < 3; k++) {
    up[k] = P[4 * k] + P[4 * k + 2];
    /* vertical coupling of the faces below and above a box: - 1 / mass - turning, which cancels for the mean of the two
     * ends about the centre; so the mass is taken from equilibrium instead */
    mass[k] = up[k] / (9.81 * 0.01);
  }
  CHECK(mass[0] > mass[1] && mass[1] > mass[2]);
  for (int k = 0; k < 3; k++) {
    double own = mass[k] - (k < 2 ? mass[k + 1] : 0);
    CHECK(own > 0.9 && own < 1.1);
  }
  picus_solver_destroy(solver);
  picus_problem_destroy(problem);
  picus_context_destroy(context);
}

static void all_families(void) {
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  for (int f = 0; scene_family_at(f); f++)
    for (int dimension = 2; dimension <= 3; dimension++) {
      picus_problem *problem = create(context, scene_family_at(f), 9, dimension, 1);
      picus_problem *again = create(context, scene_family_at(f), 9, dimension, 1);
      picus_problem *other = create(context, scene_family_at(f), 9, dimension, 2);
      REQUIRE(problem && again && other);
      const picus_contact_problem *p = picus_problem_contacts(problem), *q = picus_problem_contacts(again);
      CHECK(picus_contact_problem_check(context, p) == PICUS_OK);
      CHECK(p->law_count >= 9 && is_symmetric(p));
      CHECK(p->size == q->size && memcmp(p->c, q->c, (size_t)p->size * sizeof *p->c) == 0);
      size_t values = p->blocks->offset[p->blocks->row_start[p->law_count] - 1];
      CHECK(memcmp(p->blocks->values, q->blocks->values, values * sizeof(double)) == 0);
      bool differs = picus_problem_contacts(other)->size != p->size;
      for (int k = 0; !differs && k < p->size; k++) differs = picus_problem_contacts(other)->c[k] != p->c[k];
      for (size_t k = 0; !differs && k < values; k++)
        differs = picus_problem_contacts(other)->blocks->values[k] != p->blocks->values[k];
      CHECK(differs);
      picus_problem_destroy(problem);
      picus_problem_destroy(again);
      picus_problem_destroy(other);
    }
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

/* Solved by auto, from zero. The relative residual that was reached. */
static double solve_scene(picus_context *context, const picus_contact_problem *p, const char *name, double tolerance) {
  double *P = calloc((size_t)p->size, sizeof *P);
  picus_mode *modes = calloc((size_t)p->law_count, sizeof *modes);
  picus_solver_options options = picus_default_solver_options();
  options.tolerance = tolerance;
  picus_solver *solver = NULL;
  picus_solve_info info;
  if (!CHECK(picus_solver_create(context, &options, &solver) == PICUS_OK)) return INFINITY;
  if (!CHECK(picus_solver_solve(solver, p, P, modes, &info) == PICUS_OK))
    printf("  %s to %g: %s\n", name, tolerance, picus_last_error(context)->message);
  double relative = picus_contact_residual(p, P, NULL).relative;
  picus_solver_destroy(solver);
  free(P);
  free(modes);
  return relative;
}

/* Every family in both dimensions, at 1e-8 and at 1e-12. */
static void solvable(void) {
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  for (int f = 0; scene_family_at(f); f++)
    for (int dimension = 2; dimension <= 3; dimension++)
      for (unsigned long long seed = 3; seed < 6; seed++) {
        picus_problem *problem = create(context, scene_family_at(f), seed == 5 ? 24 : 8, dimension, seed);
        const picus_contact_problem *p = picus_problem_contacts(problem);
        const char *name = picus_problem_notes_of(problem)->title;
        CHECK(solve_scene(context, p, name, 1e-8) <= 1e-8);
        CHECK(solve_scene(context, p, name, 1e-12) <= 1e-12);
        picus_problem_destroy(problem);
      }
  picus_context_destroy(context);
}

static const test_case cases[] = {
    {"every family, symmetric and repeatable", all_families},
    {"a stack weighs what its boxes weigh", weight},
    {"small ones are solved", solvable},
};

int main(int argc, char **argv) {
  return test_main(argc, argv, "scenes", cases, (int)(sizeof cases / sizeof cases[0]));
}
