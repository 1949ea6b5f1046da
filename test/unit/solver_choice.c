/* What "auto" chooses: which solver solves problems of which kind, what it weighs, and that it never loses a problem.
 */
#include "scenes.h"
#include "solver/work.h"
#include "support/check.h"

#include <picus/picus.h>
#include <stdio.h>
#include <string.h>

static picus_context *context;

enum { MOST_ROWS = 8000 };
static double P[MOST_ROWS], again[MOST_ROWS], c[MOST_ROWS];
static picus_mode modes[MOST_ROWS];

static picus_problem *create(const scene_def *def) {
  picus_problem *problem = NULL;
  CHECK(scene_create(context, def, &problem) == PICUS_OK);
  CHECK(picus_problem_contacts(problem)->size <= MOST_ROWS);
  return problem;
}

static picus_status solve_from(const picus_contact_problem *p, double tolerance, double *start,
                               picus_solve_info *info) {
  picus_solver_options options = picus_default_solver_options();
  picus_solver *solver = NULL;
  memset(modes, 0, sizeof modes);
  options.tolerance = tolerance;
  CHECK(picus_solver_create(context, &options, &solver) == PICUS_OK);
  picus_status status = picus_solver_solve(solver, p, start, modes, info);
  picus_solver_destroy(solver);
  return status;
}

static picus_status solve(const picus_contact_problem *p, double tolerance, double *out, picus_solve_info *info) {
  memset(out, 0, (size_t)p->size * sizeof *out);
  return solve_from(p, tolerance, out, info);
}

/* Of one solver alone, from P. */
static int more_iterations_of(const char *name, const picus_contact_problem *p, double tolerance, double *start) {
  picus_solver_options options = picus_default_solver_options();
  picus_solver *solver = NULL;
  picus_solve_info info = {0};
  options.solver = name;
  options.tolerance = tolerance;
  options.no_fallback = true;
  CHECK(picus_solver_create(context, &options, &solver) == PICUS_OK);
  CHECK(picus_solver_solve(solver, p, start, modes, &info) == PICUS_OK);
  picus_solver_destroy(solver);
  return info.iterations;
}

static int iterations_of(const char *name, const picus_contact_problem *p, double tolerance, double *out) {
  memset(out, 0, (size_t)p->size * sizeof *out);
  return more_iterations_of(name, p, tolerance, out);
}

/* --- the rules -------------------------------------------------------------------------------------------------- */

typedef struct choice {
  scene_def scene;
  double tolerance;
  const char *allowed; /* the methods that may end it */
  const char *why;
} choice;

/* A method that is not allowed takes much longer on such a problem, or is not exact; which of the others ends it is a
 * matter of tuning. */
static void methods_by_features(void) {
  static const choice choices[] = {
      {{"stack", 1, 2, 2}, 1e-12, "direct", "two planar contacts: mode sets"},
      {{"chute", 20, 3, 2}, 1e-8, "gs newton", "fast sweeps"},
      {{"stack", 20, 2, 3}, 1e-12, "newton homotopy", "slow sweeps, dense factors"},
      {{"stack", 40, 3, 1}, 1e-12, "newton homotopy", "slow sweeps, sparse factors"},
      {{"box", 225, 2, 2}, 1e-12, "newton homotopy", "slow sweeps, all contacts stick"},
      {{"chute", 40, 3, 9}, 1e-4, "admm psor gs", "many contacts slip, a rough answer is enough: no long path"},
      {{"chute", 30, 2, 2}, 1e-8, "lemke newton", "many contacts slip, few planar ones: no long path"},
      {{"chain", 20, 2, 1}, 1e-8, "gs newton", "many rows are joints"},
  };
  for (size_t k = 0; k < sizeof choices / sizeof choices[0]; k++) {
    picus_problem *problem = create(&choices[k].scene);
    const picus_contact_problem *p = picus_problem_contacts(problem);
    picus_solve_info info = {0};
    CHECK(solve(p, choices[k].tolerance, P, &info) == PICUS_OK);
    if (!CHECK(strstr(choices[k].allowed, info.solver)))
      printf("  %s-%d, %s: solved by %s after %d others\n", choices[k].scene.family, choices[k].scene.n, choices[k].why,
             info.solver, info.fallbacks);
    CHECK(picus_contact_residual(p, P, again).relative <= choices[k].tolerance);
    picus_problem_destroy(problem);
  }
}

/* Loads have changed a little: sweeps carry the change from body to body, newton does not, and it starts where the last
 * solution is, not where the sweeps have come to. */
static void newton_soon_from_a_warm_start(void) {
  static const scene_def scenes[] = {{"stack", 20, 3, 2}, {"chute", 30, 3, 2}, {"arch", 6, 3, 2}};
  for (size_t s = 0; s < sizeof scenes / sizeof scenes[0]; s++) {
    picus_problem *problem = create(&scenes[s]);
    picus_contact_problem p = *picus_problem_contacts(problem);
    picus_solve_info info = {0};
    CHECK(solve(&p, 1e-12, P, &info) == PICUS_OK);
    for (int k = 0; k < p.size; k++) c[k] = p.c[k] * (1 + 1e-4 * ((k * 37) % 11 - 5) / 5);
    p.c = c;
    CHECK(solve_from(&p, 1e-8, P, &info) == PICUS_OK);
    const int warm = info.iterations;
    CHECK(info.residual.relative <= 1e-8 && solve(&p, 1e-8, again, &info) == PICUS_OK);
    if (!CHECK(warm < info.iterations)) printf("  %s: %d, from zero %d\n", scenes[s].family, warm, info.iterations);
    picus_problem_destroy(problem);
  }
}

/* Sweeps that come down to the tolerance slowly must not stop at each to see whether they have arrived: without the
 * mixing of the others they would never. */
static void sweeps_near_the_tolerance(void) {
  picus_problem *problem = create(&(scene_def){"stack", 6, 3, 2});
  const picus_contact_problem *p = picus_problem_contacts(problem);
  const int sweeps = iterations_of("gs", p, 1e-8, P);
  if (!CHECK(sweeps < 100)) printf("  %d sweeps\n", sweeps); /* 115 with a look at each */
  picus_problem_destroy(problem);
}

/* Redundant contacts give G small eigenvalues, along which a splitting with a large rho crawls: 1660 iterations of the
 * stack with rho = 1. A start that others have improved must not be worse than zero. */
static void splitting_of_redundant_contacts(void) {
  static const scene_def scenes[] = {{"stack", 20, 3, 2}, {"arch", 6, 3, 2}, {"chute", 30, 3, 2}};
  static const int most[] = {40, 40, 500};
  for (size_t s = 0; s < sizeof scenes / sizeof scenes[0]; s++) {
    picus_problem *problem = create(&scenes[s]);
    const picus_contact_problem *p = picus_problem_contacts(problem);
    const int from_zero = iterations_of("admm", p, 1e-4, P);
    iterations_of("gs", p, 1e-3, again);
    const int from_sweeps = more_iterations_of("admm", p, 1e-4, again);
    if (!CHECK(from_zero <= most[s]) || !CHECK(from_sweeps <= 2 * most[s]))
      printf("  %s: %d iterations from zero, %d from sweeps\n", scenes[s].family, from_zero, from_sweeps);
    picus_problem_destroy(problem);
  }
}

/* A packing in which newton changes the branches of most laws in every step: it must end after a few of them, so
 * that the problem takes no more than sweeps for the work of nine factorizations and four paths of homotopy. */
static void newton_that_leads_nowhere_ends(void) {
  picus_problem *problem = create(&(scene_def){"box", 27, 3, 2});
  const picus_contact_problem *p = picus_problem_contacts(problem);
  picus_solve_info info = {0};
  CHECK(solve(p, 1e-12, P, &info) == PICUS_OK);
  const int alone = iterations_of("homotopy", p, 1e-12, again);
  const double sweeps = 6 * picus_factor_work(p, 1) / picus_sweep_work(p); /* of the work of six factorizations */
  if (!CHECK(info.iterations < 1.5 * sweeps + 4 * alone + 40)) printf("  %d iterations\n", info.iterations);
  picus_problem_destroy(problem);
}

/* --- work ------------------------------------------------------------------------------------------------------- */

static double factor_over_sweep(const char *family, int n, int dimension) {
  picus_problem *problem = create(&(scene_def){family, n, dimension, 1});
  const picus_contact_problem *p = picus_problem_contacts(problem);
  const double ratio = picus_factor_work(p, 1) / picus_sweep_work(p);
  picus_problem_destroy(problem);
  return ratio;
}

/* A stack has a band of blocks: its factorization grows like a sweep. That of a packing grows faster, in space more so.
 */
static void work_by_couplings(void) {
  const double stack = factor_over_sweep("stack", 40, 3), taller = factor_over_sweep("stack", 160, 3);
  const double packing = factor_over_sweep("box", 216, 3), wider = factor_over_sweep("box", 512, 3);
  CHECK(taller < 1.3 * stack && taller > 0.7 * stack);
  CHECK(packing > 5 * stack);
  CHECK(wider > 1.5 * packing);
  if (!CHECK(factor_over_sweep("box", 225, 2) < factor_over_sweep("box", 64, 3)))
    printf("  %g %g %g %g\n", stack, taller, packing, wider);
}

/* --- nothing is lost -------------------------------------------------------------------------------------------- */

static void every_family(void) {
  static const struct {
    const char *family;
    int n;
  } sizes[] = {{"stack", 8}, {"tower", 6}, {"arch", 9}, {"chain", 10}, {"chute", 12}, {"box", 16}};
  static const double tolerances[] = {1e-4, 1e-8, 1e-12};
  for (size_t f = 0; f < sizeof sizes / sizeof sizes[0]; f++)
    for (int dimension = 2; dimension <= 3; dimension++)
      for (unsigned long long seed = 1; seed <= 4; seed++) {
        picus_problem *problem = create(&(scene_def){sizes[f].family, sizes[f].n, dimension, seed});
        const picus_contact_problem *p = picus_problem_contacts(problem);
        picus_solve_info info = {0};
        for (int t = 0; t < 3; t++) {
          if (!CHECK(solve(p, tolerances[t], P, &info) == PICUS_OK))
            printf("  %s-%dd-%d, seed %llu: %s\n", sizes[f].family, dimension, sizes[f].n, seed,
                   picus_last_error(context)->message);
          CHECK(solve(p, tolerances[t], again, &info) == PICUS_OK);
          CHECK(memcmp(P, again, (size_t)p->size * sizeof *P) == 0); /* nothing depends on time */
        }
        picus_problem_destroy(problem);
      }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"methods_by_features", methods_by_features},
      {"newton_soon_from_a_warm_start", newton_soon_from_a_warm_start},
      {"sweeps_near_the_tolerance", sweeps_near_the_tolerance},
      {"splitting_of_redundant_contacts", splitting_of_redundant_contacts},
      {"newton_that_leads_nowhere_ends", newton_that_leads_nowhere_ends},
      {"work_by_couplings", work_by_couplings},
      {"every_family", every_family},
  };
  if (picus_context_create(NULL, &context) != PICUS_OK) return 1;
  int result = test_main(argc, argv, "solver_choice", cases, (int)(sizeof cases / sizeof *cases));
  picus_context_destroy(context);
  return result;
}
