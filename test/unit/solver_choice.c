/* What "auto" chooses: which solver solves problems of which kind, what it weighs, and that it never loses a problem.
 */
#include "scenes.h"
#include "solver/plan.h"
#include "support/check.h"
#include "sweep/sweeps.h"

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

/* What a solve takes, in the unit of sweep/sweeps.h: iterations times a factorization or a sweep. */
typedef struct work_done {
  const picus_plan_table *table;
  const picus_contact_problem *problem;
  double work;
} work_done;

/* Of a sweep, a pivot or a factorization; an iteration of admm takes a twentieth of that. */
static double work_of_iteration(const picus_solver_ops *ops, const picus_contact_problem *p) {
  if (ops == &picus_admm_solver) return picus_factor_work(p, 1) / 20;
  return ops->factorizes ? picus_factor_work(p, 1) : picus_sweep_work(p);
}

static void add_work(void *user, int stage, int iterations, bool solved) {
  work_done *done = user;
  (void)solved;
  if (iterations <= 0) return;
  done->work += iterations * work_of_iteration(done->table->stages[stage].ops, done->problem);
}

/* INFINITY: it does not solve the problem within this work. */
static double work_of(const char *name, const picus_contact_problem *p, double tolerance, double most, double *out) {
  picus_solver_options options = picus_default_solver_options();
  picus_solver *solver;
  picus_solve_info info;
  work_done done = {.problem = p};
  for (int k = 0; !done.table; k++)
    if (strcmp(picus_solver_at(k)->name, name) == 0) done.table = picus_plan_table_at(k);
  const double one = work_of_iteration(done.table->stages[0].ops, p);
  options.solver = name;
  options.tolerance = tolerance;
  options.no_fallback = strcmp(name, "auto") != 0;
  if (most / one < options.max_iterations) options.max_iterations = 1 + (int)(most / one);
  memset(out, 0, (size_t)p->size * sizeof *out);
  if (picus_solver_create(context, &options, &solver)) return INFINITY;
  picus_solver_watch_stages(solver, (picus_stage_watch){add_work, &done});
  const picus_status status = picus_solver_solve(solver, p, out, modes, &info);
  picus_solver_destroy(solver);
  return status ? INFINITY : done.work;
}

typedef struct choice {
  scene_def scene;
  double tolerance, most; /* work of auto over that of the best method */
  const char *why;
} choice;

/* The promise of auto: the residual, for little more work than the method that suits the problem best. Which method
 * ends it is a matter of tuning. Sweeps before the others cost no more than these; where many contacts slip, admm comes
 * after sweeps and a short path. */
static void little_more_work_than_the_best(void) {
  static const char *const methods[] = {"gs", "newton", "homotopy", "psor", "admm"};
  static const choice choices[] = {
      {{"chute", 20, 3, 2}, 1e-8, 2, "fast sweeps"},
      {{"stack", 20, 2, 3}, 1e-12, 2, "slow sweeps, dense factors"},
      {{"stack", 40, 3, 1}, 1e-12, 2, "slow sweeps, sparse factors"},
      {{"box", 225, 2, 2}, 1e-12, 2, "slow sweeps, all contacts stick"},
      {{"chute", 40, 3, 9}, 1e-4, 4, "many contacts slip, a rough answer is enough"},
      {{"chute", 30, 2, 2}, 1e-8, 2, "many contacts slip, few planar ones"},
      {{"chain", 20, 2, 1}, 1e-8, 2, "many rows are joints"},
  };
  for (size_t k = 0; k < sizeof choices / sizeof choices[0]; k++) {
    const choice *x = &choices[k];
    picus_problem *problem = create(&x->scene);
    const picus_contact_problem *p = picus_problem_contacts(problem);
    const double work = work_of("auto", p, x->tolerance, INFINITY, P);
    double best = work; /* others may take more */
    CHECK(picus_contact_residual(p, P, again).relative <= x->tolerance);
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++)
      best = fmin(best, work_of(methods[m], p, x->tolerance, best, again));
    printf("  %s-%d, %s: %.2f of the best\n", x->scene.family, x->scene.n, x->why, work / best);
    CHECK(work <= x->most * best);
    picus_problem_destroy(problem);
  }
}

/* Up to PICUS_CASES_ROWS all mode sets are tried: exact, without another method. */
static void mode_sets_of_few_planar_contacts(void) {
  for (unsigned long long seed = 1; seed <= 20; seed++) {
    picus_problem *problem = create(&(scene_def){"stack", 1, 2, seed});
    const picus_contact_problem *p = picus_problem_contacts(problem);
    picus_solve_info info = {0};
    CHECK(p->size <= PICUS_CASES_ROWS && solve(p, 1e-15, P, &info) == PICUS_OK);
    CHECK(info.fallbacks == 0 && picus_contact_residual(p, P, again).relative <= 1e-14);
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
      {"little_more_work_than_the_best", little_more_work_than_the_best},
      {"mode_sets_of_few_planar_contacts", mode_sets_of_few_planar_contacts},
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
