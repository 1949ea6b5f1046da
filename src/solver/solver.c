/* The solver object: its memory, and the chain of solvers that takes over from one another. */
#include "base/internal.h"
#include "solver/internal.h"

#include <stdio.h>
#include <string.h>

#define ROUNDING_EXCUSES 1e-9 /* a relative residual above this never counts as solved, whatever the numbers */
#define NEARLY_SOLVED 1e-6    /* a relative residual below which a solver that saw no solution is not believed */

enum { NAMES_TEXT = 160 };

struct picus_solver {
  picus_context *context;
  picus_solver_options options;
  const picus_solver_chain *chain;
  bool starts_direct;             /* the closed forms for one law may be used */
  int law_capacity, row_capacity; /* what the memory is for */
  double *best_P;                 /* size */
  double *whole_G;                /* of a problem given by blocks, for the solvers that need it whole */
  picus_solver_memory memory;     /* shared by the solvers, which run one after the other */
  picus_sparse_system reduced, coupled;
};

picus_solver_options picus_default_solver_options(void) {
  return (picus_solver_options){
      .solver = "auto", .tolerance = 1e-12, .max_iterations = 10000, .relaxation = 1, .no_fallback = false};
}

/* --- create, reserve, destroy --------------------------------------------------------------------------------- */

static const char *name_at(const void *user, int index) {
  (void)user;
  const picus_solver_description *description = picus_solver_at(index);
  return description ? description->name : NULL;
}

/* The names visited by next, with commas; a text that is too long is cut. */
static void write_names(char text[NAMES_TEXT], const char *(*next)(const void *user, int k), const void *user) {
  text[0] = '\0';
  for (int k = 0, used = 0; next(user, k) && used >= 0 && used < NAMES_TEXT; k++)
    used += snprintf(text + used, (size_t)(NAMES_TEXT - used), "%s%s", k ? ", " : "", next(user, k));
}

/* NULL, with the error set, if there is no such solver. */
static const picus_solver_chain *find_chain(picus_context *context, const char *name) {
  if (!name) {
    picus_fail(context, PICUS_ERROR_ARGUMENT, "no solver is named; \"auto\" chooses one");
    return NULL;
  }
  for (int k = 0; name_at(NULL, k); k++)
    if (strcmp(name, name_at(NULL, k)) == 0) return picus_solver_chain_at(k);
  const char *nearest = picus_nearest_name(name, name_at, NULL);
  char known[NAMES_TEXT];
  write_names(known, name_at, NULL);
  if (nearest)
    picus_fail(context, PICUS_ERROR_NAME, "there is no solver \"%s\"; did you mean \"%s\"?", name, nearest);
  else
    picus_fail(context, PICUS_ERROR_NAME, "there is no solver \"%s\"; known are %s", name, known);
  return NULL;
}

static picus_status check_options(picus_context *context, const picus_solver_options *options) {
  if (!(isfinite(options->tolerance) && options->tolerance > 0))
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "the tolerance of the contact solver is %g, but must be positive",
                      options->tolerance);
  if (options->max_iterations < 1)
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "the contact solver may take %d iterations, but needs at least 1",
                      options->max_iterations);
  if (!(options->relaxation > 0 && options->relaxation < 2))
    return picus_fail(context, PICUS_ERROR_ARGUMENT,
                      "the relaxation of the contact solver is %g, but must lie between 0 and 2", options->relaxation);
  return PICUS_OK;
}

picus_status picus_solver_create(picus_context *context, const picus_solver_options *options, picus_solver **out) {
  picus_solver_options chosen = options ? *options : picus_default_solver_options();
  *out = NULL;
  const picus_solver_chain *chain = find_chain(context, chosen.solver);
  if (!chain) return picus_last_error(context)->status;
  picus_status status = check_options(context, &chosen);
  if (status != PICUS_OK) return status;
  picus_solver *solver = picus_allocate(context, 1, sizeof *solver);
  if (!solver) return PICUS_ERROR_MEMORY;
  solver->context = context;
  solver->chain = chain;
  solver->options = chosen;
  solver->memory.reduced = &solver->reduced;
  solver->memory.coupled = &solver->coupled;
  solver->options.solver = picus_solver_at(0)->name;
  for (int k = 0; name_at(NULL, k); k++)
    if (picus_solver_chain_at(k) == chain) solver->options.solver = name_at(NULL, k); /* outlives the caller's text */
  solver->starts_direct = chain->stages[0].ops == &picus_direct_solver;
  *out = solver;
  return PICUS_OK;
}

static void release_memory(picus_solver *solver) {
  picus_release(solver->context, solver->best_P);
  picus_release(solver->context, solver->whole_G);
  picus_release(solver->context, solver->memory.doubles);
  picus_release(solver->context, solver->memory.ints);
  solver->best_P = solver->whole_G = solver->memory.doubles = NULL;
  solver->memory.ints = NULL;
  solver->law_capacity = solver->row_capacity = 0;
}

void picus_solver_destroy(picus_solver *solver) {
  if (!solver) return;
  release_memory(solver);
  picus_sparse_release(&solver->reduced);
  picus_sparse_release(&solver->coupled);
  picus_release(solver->context, solver);
}

static bool meant_for_size(const picus_solver_stage *stage, int size) {
  return (!stage->most_rows || size <= stage->most_rows) && size >= stage->least_rows;
}

static int chain_length(const picus_solver *solver) {
  int length = 0;
  while (length < PICUS_CHAIN_LENGTH && solver->chain->stages[length].ops) length++;
  return solver->options.no_fallback && !solver->chain->chooses ? 1 : length;
}

/* A stage with a limit on the size needs memory up to that limit only. whole: numbers of G for those that need it. */
static picus_memory_need chain_need(const picus_solver *solver, int law_count, int size, size_t *whole) {
  picus_memory_need most = {0, 0};
  *whole = 0;
  for (int k = 0; k < chain_length(solver); k++) {
    const picus_solver_stage *stage = &solver->chain->stages[k];
    if (size < stage->least_rows) continue;
    int rows = stage->most_rows && size > stage->most_rows ? stage->most_rows : size;
    picus_memory_need need = stage->ops->need(law_count < rows ? law_count : rows, rows);
    if (need.doubles > most.doubles) most.doubles = need.doubles;
    if (need.ints > most.ints) most.ints = need.ints;
    size_t numbers = stage->ops->needs_whole_G ? (size_t)rows * (size_t)rows : 0;
    if (numbers > *whole) *whole = numbers;
  }
  return most;
}

picus_status picus_solver_reserve(picus_solver *solver, int law_count, int size) {
  picus_context *context = solver->context;
  if (law_count < 0 || size < 0)
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "there is no room to reserve for %d laws and %d rows", law_count,
                      size);
  if (law_count <= solver->law_capacity && size <= solver->row_capacity) return PICUS_OK;
  int laws = law_count > solver->law_capacity ? law_count : solver->law_capacity;
  int rows = size > solver->row_capacity ? size : solver->row_capacity;
  size_t whole;
  picus_memory_need need = chain_need(solver, laws, rows, &whole);
  release_memory(solver);
  solver->best_P = picus_allocate(context, (size_t)rows, sizeof(double));
  solver->whole_G = picus_allocate(context, whole, sizeof(double));
  solver->memory.doubles = picus_allocate(context, need.doubles, sizeof(double));
  solver->memory.ints = picus_allocate(context, need.ints, sizeof(int));
  if (!solver->best_P || !solver->whole_G || !solver->memory.doubles || !solver->memory.ints) {
    release_memory(solver);
    return PICUS_ERROR_MEMORY;
  }
  solver->law_capacity = laws;
  solver->row_capacity = rows;
  return PICUS_OK;
}

/* --- solve ---------------------------------------------------------------------------------------------------- */

/* The only way to PICUS_OK: the residual of P as it will be returned, computed from G and c. The tolerance gives way to
 * rounding: where xi itself cannot be evaluated more precisely than that, no P can be better. */
static bool is_solved(const picus_solver *solver, const picus_contact_problem *problem, const double *P,
                      picus_mode *modes, picus_residual *residual) {
  *residual = picus_contact_judge(problem, P, NULL, NULL, modes);
  if (residual->relative <= solver->options.tolerance) return true;
  if (!(residual->relative <= ROUNDING_EXCUSES)) return false;
  return residual->relative <= picus_contact_rounding_floor(problem, P);
}

static picus_status fill_info(picus_solve_info *info, picus_status status, const picus_solve_info *source) {
  if (info) {
    *info = *source;
    info->status = status;
  }
  return status;
}

/* Zero percussions and their residual, for problems that cannot be worked on. */
static picus_status give_up(const picus_contact_problem *problem, double *P, picus_mode *modes, picus_solve_info *info,
                            picus_status status) {
  for (int k = 0; k < problem->size; k++) P[k] = 0;
  for (int i = 0; i < problem->law_count; i++) modes[i] = PICUS_OPEN;
  picus_solve_info nothing = {.solver = "none", .residual = {INFINITY, INFINITY, -1}};
  return fill_info(info, status, &nothing);
}

static picus_status refuse_not_finite(picus_solver *solver, const picus_contact_problem *problem, int law, double *P,
                                      picus_mode *modes, picus_solve_info *info) {
  picus_status status = picus_fail(
      solver->context, PICUS_NOT_CONVERGED,
      "the contact problem cannot be solved: a number in the rows or the radius of law %d is not finite", law);
  give_up(problem, P, modes, info, status);
  if (info) info->residual.worst_law = law;
  return status;
}

/* The state of a solve that goes through several solvers. */
typedef struct attempt {
  picus_solve_info best; /* residual and solver of best_P */
  bool no_solution;      /* a solver showed that there is none */
  const char *tried[PICUS_CHAIN_LENGTH];
  int tried_count;
} attempt;

/* The problem as the solver wants it: as it is, or with G whole, expanded from its blocks. */
static picus_contact_problem problem_for(picus_solver *solver, const picus_solver_ops *ops,
                                         const picus_contact_problem *problem) {
  picus_contact_problem given = *problem;
  if (!ops->needs_whole_G || problem->G) return given;
  picus_contact_expand(problem, solver->whole_G);
  given.G = solver->whole_G;
  given.blocks = NULL;
  return given;
}

/* Runs one solver from the start that is in P and modes, and leaves the best so far there. */
static bool run_stage(picus_solver *solver, const picus_solver_stage *stage, const picus_contact_problem *problem,
                      double *P, picus_mode *modes, attempt *a) {
  const picus_solver_ops *ops = stage->ops;
  picus_solver_options options = solver->options;
  bool limited = stage->max_iterations && !options.no_fallback && stage->max_iterations < options.max_iterations;
  if (limited) options.max_iterations = stage->max_iterations;
  if (stage->enough > options.tolerance && !options.no_fallback) options.tolerance = stage->enough;
  size_t bytes = (size_t)problem->size * sizeof *P;
  picus_residual residual;
  int iterations = 0;
  picus_contact_problem given = problem_for(solver, ops, problem);
  picus_status claim = PICUS_NOT_CONVERGED;
  if (stage->fresh && a->tried_count > 0) {
    memset(P, 0, bytes);
    for (int i = 0; i < problem->law_count; i++) modes[i] = PICUS_OPEN;
  }
  if (given.G || !ops->needs_whole_G) claim = ops->solve(&options, &given, solver->memory, P, modes, &iterations);
  picus_contact_project(problem, P);
  bool solved = is_solved(solver, problem, P, modes, &residual);
  if (!isfinite(residual.relative)) { /* nothing is better than what went out of range */
    memset(P, 0, bytes);
    residual = picus_contact_judge(problem, P, NULL, NULL, modes);
  }
  a->no_solution = a->no_solution || claim == PICUS_NO_SOLUTION;
  a->best.iterations += iterations;
  if (solved || a->tried_count == 0 || residual.relative < a->best.residual.relative) {
    a->best.residual = residual;
    a->best.solver = ops->description.name;
    if (!solved) memcpy(solver->best_P, P, bytes);
  } else {
    memcpy(P, solver->best_P, bytes);
    picus_contact_judge(problem, P, NULL, NULL, modes);
  }
  a->tried[a->tried_count++] = ops->description.name;
  return solved;
}

static const char *tried_at(const void *user, int k) {
  const attempt *a = user;
  return k < a->tried_count ? a->tried[k] : NULL;
}

static picus_status say_unsolved(picus_solver *solver, const picus_contact_problem *problem, const attempt *a) {
  bool none = a->no_solution && a->best.residual.relative > NEARLY_SOLVED;
  char tried[NAMES_TEXT];
  write_names(tried, tried_at, a);
  return picus_fail(solver->context, none ? PICUS_NO_SOLUTION : PICUS_NOT_CONVERGED,
                    "%s: the best relative residual is %.3g (tolerance %.3g), worst at law %d of 0 to %d; tried: %s",
                    none ? "the contact problem seems to have no solution" : "the contact problem was not solved",
                    a->best.residual.relative, solver->options.tolerance, a->best.residual.worst_law,
                    problem->law_count - 1, tried);
}

static picus_status refuse_kind(picus_solver *solver, const picus_contact_problem *problem, int law, const char *why,
                                double *P, picus_mode *modes, picus_solve_info *info) {
  picus_status status =
      picus_fail(solver->context, PICUS_ERROR_UNSUPPORTED, "the solver %s cannot solve law %d: %s; choose gs or auto",
                 solver->options.solver, law, why);
  return give_up(problem, P, modes, info, status);
}

static bool is_cold(const picus_contact_problem *problem, const double *P) {
  for (int k = 0; k < problem->size; k++)
    if (P[k] != 0) return false;
  return true;
}

/* Whether a stage of the chain should run now, from the start P. */
static bool has_its_turn(const picus_solver *solver, const picus_solver_stage *stage,
                         const picus_contact_problem *problem, const double *P, const attempt *a) {
  if (!meant_for_size(stage, problem->size) || (stage->suits && !stage->suits(problem))) return false;
  if (a->tried_count > 0 && solver->options.no_fallback) return false;
  if (stage->warm && is_cold(problem, P)) return false;
  return stage->residual_below == 0 || a->best.residual.relative < stage->residual_below;
}

static picus_status run_chain(picus_solver *solver, const picus_contact_problem *problem, double *P, picus_mode *modes,
                              picus_solve_info *info) {
  attempt a = {.best = {.residual = {INFINITY, INFINITY, -1}, .solver = "none"}};
  const char *first_refusal = NULL;
  int refusing_law = -1;
  for (int k = 0; k < chain_length(solver); k++) {
    const picus_solver_stage *stage = &solver->chain->stages[k];
    int law = -1;
    const char *refusal = stage->ops->refusal ? stage->ops->refusal(problem, &law) : NULL;
    if (refusal && k == 0 && !solver->chain->chooses) {
      first_refusal = refusal;
      refusing_law = law;
    }
    if (refusal || !has_its_turn(solver, stage, problem, P, &a)) continue;
    if (a.tried_count > 0 || first_refusal) a.best.fallbacks++;
    if (run_stage(solver, stage, problem, P, modes, &a)) return fill_info(info, PICUS_OK, &a.best);
  }
  if (a.tried_count == 0) return refuse_kind(solver, problem, refusing_law, first_refusal, P, modes, info);
  return fill_info(info, say_unsolved(solver, problem, &a), &a.best);
}

picus_status picus_solver_solve(picus_solver *solver, const picus_contact_problem *problem, double *P,
                                picus_mode *modes, picus_solve_info *info) {
  if (problem->law_count == 0 && problem->size == 0) {
    picus_solve_info nothing = {.solver = solver->options.solver, .residual = {0, 0, -1}};
    return fill_info(info, PICUS_OK, &nothing);
  }
  bool blocks_are_safe = problem->G || picus_contact_problem_fits(problem);
  if (solver->starts_direct && blocks_are_safe && picus_solve_single_law(problem, P)) {
    picus_solve_info single = {.iterations = 1, .solver = picus_direct_solver.description.name};
    if (is_solved(solver, problem, P, modes, &single.residual)) return fill_info(info, PICUS_OK, &single);
  }
  if (!picus_contact_problem_fits(problem))
    return picus_fail(solver->context, PICUS_ERROR_DIMENSION,
                      "the rows of the %d laws do not fit the %d rows of the contact problem", problem->law_count,
                      problem->size);
  int spoilt = picus_contact_first_not_finite(problem);
  if (spoilt >= 0) return refuse_not_finite(solver, problem, spoilt, P, modes, info);
  picus_status status = picus_solver_reserve(solver, problem->law_count, problem->size);
  if (status != PICUS_OK) return status;
  return run_chain(solver, problem, P, modes, info);
}
