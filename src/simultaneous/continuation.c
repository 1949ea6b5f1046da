/* Problems of redundant contacts that are compatible except for a tiny part, such as a box at rest on its corners.
 *
 * With more rows than degrees of freedom G is singular, and c = c_r + c_o has a part c_r in its range, which
 * percussions can balance, and a part c_o across, which they cannot: xi keeps it. For a body almost at rest, c_o comes
 * from the curvature of its motion, about 1e-9 of c. If all contacts would stick, they cannot stick exactly: they creep
 * with velocities of the size of c_o, and the directions of this creep decide how friction is shared among them. Sweeps
 * and proximal steps move percussions by about c_o in each iteration and take 1e9 of them; Newton's method starts from
 * sticking contacts, which have no direction.
 *
 * The solution hardly depends on the size of c_o, since its direction decides: percussions of c_r + K c_o differ from
 * those of c by O(K c_o). For K c_o of a few percent of c the problem is an ordinary one of slipping contacts. K is
 * then lowered to 1, each solution being the initial guess of the next. The final residual is that of the problem
 * itself. */
#include "base/elementary.h"
#include "sweep/method.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define RANK 1e-8           /* a column of G that leaves less of itself across the others depends on them */
#define LOWERING 10         /* of K in a step, at most */
#define ROUNDINGS 16        /* |c_o| below so many roundings of c is none */
#define SAFETY 0.1          /* of the tolerance with K c_o */
#define MOST_ROUNDING 1e-12 /* a residual */
#define LOOSEST 1e-8        /* tolerance with K c_o, for every K */
enum { NEWTON_STEPS = 40, SWEEPS = 100, PATH = 300, MOST_STEPS = 60 };

typedef struct continuation {
  const picus_solver_options *options;
  picus_contact_problem problem; /* with c_r + K c_o */
  const double *c;
  double *basis;  /* of the range of G, orthonormal: the first rows */
  double *across; /* c_o */
  double *c_K;
  double *kept;               /* P before a solver ran */
  double *anchor;             /* P at the start of a step of K */
  double K_N, K_F;            /* initial; 1: nothing to enlarge */
  picus_solver_memory memory; /* of newton and gs */
  int *iterations;
} continuation;

static picus_memory_need continuation_need(int law_count, int size) {
  const picus_solver_ops *const inner[] = {&picus_newton_solver, &picus_gs_solver, &picus_homotopy_solver};
  const size_t n = (size_t)size;
  picus_memory_need most = {0, 0};
  for (size_t k = 0; k < sizeof inner / sizeof inner[0]; k++) {
    picus_memory_need need = inner[k]->need(law_count, size);
    if (need.doubles > most.doubles) most.doubles = need.doubles;
    if (need.ints > most.ints) most.ints = need.ints;
  }
  return (picus_memory_need){.doubles = n * n + 4 * n + most.doubles, .ints = most.ints};
}

static void prepare(continuation *w, const picus_solver_options *options, const picus_contact_problem *problem,
                    picus_solver_memory memory, int *iterations) {
  const size_t n = (size_t)problem->size;
  *w = (continuation){.options = options, .problem = *problem, .c = problem->c, .iterations = iterations};
  w->basis = memory.doubles;
  w->across = w->basis + n * n;
  w->c_K = w->across + n;
  w->kept = w->c_K + n;
  w->anchor = w->kept + n;
  memory.doubles = w->anchor + n;
  w->memory = memory;
  w->problem.c = w->c_K;
}

static bool is_friction_row(const picus_law *law, int row) {
  return !picus_normal_rows(law->kind) || (law->kind == PICUS_COULOMB && row > 0);
}

/* c_o, by the range of G. Each vector of its basis is removed twice for safety. */
static void find_across(continuation *w) {
  const int n = w->problem.size;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) w->basis[(ptrdiff_t)j * n + i] = w->problem.G[(ptrdiff_t)i * n + j];
  memcpy(w->across, w->c, (size_t)n * sizeof *w->across);
  const int rank = picus_orthonormal_rows(n, n, RANK, w->basis);
  for (int r = 0; r < 2 * rank; r++) {
    const double *e = w->basis + (ptrdiff_t)(r / 2) * n;
    picus_add_multiple(n, w->across, -picus_dot(n, e, w->across), e, w->across);
  }
}

/* Whether P solves the problem with K c_o to the tolerance or to round-off, but for percussions so large that round-off
 * alone leaves a residual; *relative: its residual. */
static bool is_solution(continuation *w, double tolerance, const double *P, picus_mode *modes, double *relative) {
  *relative = picus_contact_judge(&w->problem, P, NULL, NULL, modes).relative;
  if (*relative <= tolerance) return true;
  return *relative <= MOST_ROUNDING && *relative <= picus_contact_rounding_floor(&w->problem, P);
}

/* One solver on the problem with K c_o, from the P that is there; a worse P is not kept. */
static bool run(continuation *w, const picus_solver_ops *ops, double tolerance, int max_iterations, double *P,
                picus_mode *modes) {
  picus_solver_options options = *w->options;
  const size_t bytes = (size_t)w->problem.size * sizeof *P;
  options.tolerance = tolerance;
  if (max_iterations < options.max_iterations) options.max_iterations = max_iterations;
  double before, after;
  if (is_solution(w, tolerance, P, modes, &before)) return true;
  memcpy(w->kept, P, bytes);
  if (ops == &picus_homotopy_solver) memset(P, 0, bytes); /* an initial guess close to the solution spoils its path */
  ops->solve(&options, &w->problem, w->memory, P, modes, w->iterations);
  picus_contact_project(&w->problem, P);
  const bool solved = is_solution(w, tolerance, P, modes, &after);
  if (!(after < before)) memcpy(P, w->kept, bytes);
  return solved;
}

/* The problem with K_N^t and K_F^t times the normal and the friction rows of c_o, from the current P. xi and its error
 * shrink with K: with K c_o, a residual of K times the tolerance is sufficient. thoroughly: with all solvers. */
static bool solve_at(continuation *w, double t, bool thoroughly, double *P, picus_mode *modes) {
  const double N = picus_pow(w->K_N, t), F = picus_pow(w->K_F, t), K = w->K_N == 1 ? F : w->K_F == 1 ? N : fmin(N, F);
  const double tolerance = fmax(w->options->tolerance, fmin(SAFETY * K * w->options->tolerance, LOOSEST));
  for (int k = 0, row = 0; k < w->problem.law_count; k++)
    for (int r = 0; r < w->problem.laws[k].dim; r++, row++)
      w->c_K[row] = w->c[row] + ((is_friction_row(&w->problem.laws[k], r) ? F : N) - 1) * w->across[row];
  if (run(w, &picus_newton_solver, tolerance, NEWTON_STEPS, P, modes) ||
      run(w, &picus_gs_solver, tolerance, SWEEPS, P, modes))
    return true;
  return thoroughly && (run(w, &picus_homotopy_solver, tolerance, PATH, P, modes) ||
                        run(w, &picus_newton_solver, tolerance, NEWTON_STEPS, P, modes));
}

/* The possible enlargement of the rows of c_o, for each kind separately: one may be 1e4 times smaller than the other,
 * and determines its own percussions. false: there is no such part, or it is not tiny. */
static bool choose_factors(continuation *w, double share) {
  const int n = w->problem.size;
  const double all = sqrt(picus_dot(n, w->c, w->c)), none = ROUNDINGS * DBL_EPSILON * all;
  double N = 0, F = 0;
  for (int k = 0, row = 0; k < w->problem.law_count; k++)
    for (int r = 0; r < w->problem.laws[k].dim; r++, row++)
      *(is_friction_row(&w->problem.laws[k], r) ? &F : &N) += w->across[row] * w->across[row];
  w->K_N = sqrt(N) > none ? fmax(share * all / sqrt(N), 1) : 1;
  w->K_F = sqrt(F) > none ? fmax(share * all / sqrt(F), 1) : 1;
  return fmax(w->K_N, w->K_F) > 1;
}

/* Down the path, t from 1 to 0. A step that fails is repeated from its start with a shorter one. */
static bool follow(continuation *w, double *P, picus_mode *modes) {
  const size_t bytes = (size_t)w->problem.size * sizeof *P;
  const double usual = 1 / ceil(picus_ln(fmax(w->K_N, w->K_F)) / picus_ln(LOWERING)), least = usual / 8;
  double t = 1, step = usual;
  bool anchored = solve_at(w, 1, true, P, modes);
  for (int tried = 0; t > 0 && tried < MOST_STEPS; tried++) {
    const double next = t > 1.01 * step ? t - step : 0;
    /* no earlier solution, or no shorter step: try every solver, and continue with any result */
    const bool is_least = !anchored || step <= least;
    memcpy(w->anchor, P, bytes);
    const bool solved = solve_at(w, next, is_least, P, modes);
    if (solved || is_least) {
      t = next;
      step = solved ? fmin(1.5 * step, usual) : usual;
      anchored = solved;
      if (t == 0) return solved;
    } else {
      memcpy(P, w->anchor, bytes);
      step *= 0.5;
    }
  }
  return false;
}

static picus_status continuation_solve(const picus_solver_options *options, const picus_contact_problem *problem,
                                       picus_solver_memory memory, double *P, picus_mode *modes, int *iterations) {
  static const double shares[] = {1e-2, 1e-1,
                                  1e-3}; /* of c that its tiny part is enlarged to; one almost always suffices */
  continuation w;
  prepare(&w, options, problem, memory, iterations);
  find_across(&w);
  for (size_t k = 0; k < sizeof shares / sizeof shares[0]; k++)
    if (choose_factors(&w, shares[k]) && follow(&w, P, modes)) return PICUS_OK;
  return PICUS_NOT_CONVERGED;
}

const picus_solver_ops picus_continuation_solver = {
    .description = {"continuation", "redundant contacts that stick except for a tiny part of their velocities",
                    "Picus, docs/solvers.md"},
    .needs_whole_G = true,
    .factorizes = true,
    .need = continuation_need,
    .solve = continuation_solve,
};
