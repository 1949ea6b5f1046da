/* The solver object: its memory, and the execution of plans (plan.h), whose methods take over from one another. */
#include "base/internal.h"
#include "linalg/internal.h"
#include "options/table.h"
#include "simultaneous/coupled.h"
#include "solver/dependence.h"
#include "solver/internal.h"
#include "solver/islands.h"
#include "solver/joint_elimination.h"
#include "sweep/body_problem.h"

#include <string.h>

#define ROUNDING_EXCUSES 1e-9 /* a relative residual above this never counts as solved */
#define NEAR_ROUNDING 4       /* times the round-off of xi: other solvers come no closer */
#define ROUNDING_LIMIT 1e-6   /* above this relative residual round-off is no excuse for anything */
#define NEARLY_SOLVED 1e-6    /* below this relative residual, a solver's result "no solution" does not count */
#define SHARPER 1e-3          /* times the tolerance: of a solution from which the minimum-norm percussion is sought */

struct picus_solver {
  picus_context *context;
  picus_solver_options options;
  picus_solver_options of_method; /* the same, with the tolerance and the limit of the method that runs */
  const picus_plan_table *table;
  int law_capacity, row_capacity;  /* problem size of the memory */
  double *best_P, *start_P;        /* size each; the second is the initial guess, and lies behind the first */
  double *whole_G;                 /* of a block-sparse problem, for solvers that need a dense G */
  picus_block_storage blocks;      /* of a factored problem, for solvers that need a block-sparse G */
  picus_contact_problem by_blocks; /* with these */
  bool blocks_are_current;         /* they belong to the problem that is being solved */
  picus_solver_memory memory;      /* shared by the solvers, which run one after the other */
  int *involved;                   /* law_count flags: laws that exclude a solution; then the list of them */
  int conflict_count;              /* laws at the head of involved, after a solve without solution */
  picus_sparse_system reduced, coupled;
  picus_block_lu law_blocks;
  picus_body_memory bodies;
  picus_body_graph graph;
  picus_goal goal;
  picus_plan plan;               /* of the present problem */
  picus_problem_part part;       /* what it is a part of */
  picus_budget budget;           /* of factorizations in a run with many contacts */
  bool keeps_solutions;          /* picus_solver_keep_solutions */
  bool trusts;                   /* picus_solver_trust */
  picus_island_workers *islands; /* NULL: no problem had any yet */
  picus_dependence dependence;   /* of constraints */
  picus_joints joints;
  picus_stage_watch watch;
};

picus_solver_options picus_default_solver_options(void) { return picus_option_defaults().sim.solver; }

/* --- create, reserve, destroy --------------------------------------------------------------------------------- */

static const char *name_at(const void *user, int index) {
  (void)user;
  const picus_solver_description *description = picus_solver_at(index);
  return description ? description->name : NULL;
}

/* -1: there is none. */
static int find_number(const char *name) {
  if (strcmp(name, "lcp") == 0) name = picus_planar_lemke_solver.description.name; /* its second name */
  for (int k = 0; name_at(NULL, k); k++)
    if (strcmp(name, name_at(NULL, k)) == 0) return k;
  return -1;
}

const picus_solver_description *picus_solver_find(const char *name) {
  return name ? picus_solver_at(find_number(name)) : NULL;
}

/* NULL, with the error set, if there is no such solver. */
static const picus_plan_table *find_table(picus_context *context, const char *name) {
  if (!name) {
    picus_fail(context, PICUS_ERROR_ARGUMENT, "no solver is named; \"auto\" chooses one");
    return NULL;
  }
  if (find_number(name) >= 0) return picus_plan_table_at(find_number(name));
  const char *nearest = picus_nearest_name(name, name_at, NULL);
  char known[PICUS_NAMES_TEXT];
  picus_write_names(known, name_at, NULL);
  if (nearest)
    picus_fail(context, PICUS_ERROR_NAME, "there is no solver \"%s\"; did you mean \"%s\"?", name, nearest);
  else
    picus_fail(context, PICUS_ERROR_NAME, "there is no solver \"%s\"; choose one of %s", name, known);
  return NULL;
}

static picus_status check_options(picus_context *context, const picus_solver_options *options) {
  picus_status status = picus_options_check(context, &(picus_run_options){.sim.solver = *options}, true);
  if (status || options->facets % 2 == 0) return status;
  return picus_fail(context, PICUS_ERROR_ARGUMENT, "facets = %d of a friction pyramid must be an even number",
                    options->facets);
}

/* Everything is small until the first problem reserves its memory. */
picus_status picus_solver_create(picus_context *context, const picus_solver_options *options, picus_solver **out) {
  picus_solver_options chosen = options ? *options : picus_default_solver_options();
  *out = NULL;
  const picus_plan_table *table = find_table(context, chosen.solver);
  if (!table) return picus_last_error(context)->status;
  picus_status status = check_options(context, &chosen);
  if (status) return status;
  picus_solver *solver = picus_allocate(context, 1, sizeof *solver);
  if (!solver) return PICUS_ERROR_MEMORY;
  solver->context = context;
  solver->table = table;
  solver->options = chosen;
  solver->options.solver = picus_solver_find(chosen.solver)->name; /* outlives the caller's text */
  solver->of_method = solver->options;
  solver->memory.limits = &picus_no_limits;
  solver->memory.reduced = &solver->reduced;
  solver->memory.coupled = &solver->coupled;
  solver->memory.blocks = &solver->law_blocks;
  solver->law_blocks.context = context;
  solver->memory.bodies = &solver->bodies;
  solver->bodies.context = context;
  solver->memory.graph = &solver->graph;
  solver->graph.context = context;
  solver->goal = (picus_goal){.tolerance = chosen.tolerance, .accept_residual = chosen.accept_residual};
  solver->budget = picus_budget_new();
  solver->dependence = (picus_dependence){.context = context, .constraints = -1};
  solver->joints.context = context;
  *out = solver;
  return PICUS_OK;
}

void picus_solver_trust(picus_solver *solver) { solver->trusts = true; }

void picus_solver_set_many(picus_solver *solver, picus_many many) { solver->goal.many = many; }

void picus_solver_watch_stages(picus_solver *solver, picus_stage_watch watch) { solver->watch = watch; }

void picus_solver_keep_solutions(picus_solver *solver, bool keep) { solver->keeps_solutions = keep; }

void picus_solver_forget(picus_solver *solver) {
  picus_sparse_forget_pivots(&solver->reduced);
  picus_sparse_forget_pivots(&solver->coupled);
}

void picus_solver_set_dependent(picus_solver *solver, int constraints, int dependent) {
  solver->dependence.constraints = constraints;
  solver->dependence.most = dependent;
}

void picus_solver_set_prescribed(picus_solver *solver, picus_prescribed prescribed) {
  solver->dependence.prescribed = prescribed;
}

picus_left_out picus_solver_left_out(const picus_solver *solver) { return solver->dependence.found; }

void picus_solver_copy_many(picus_solver *solver, const picus_solver *other) {
  picus_solver_set_many(solver, other->goal.many);
  picus_solver_set_dependent(solver, other->dependence.constraints, other->dependence.most);
}

void picus_solver_follow(picus_solver *solver, const picus_solver *other) {
  picus_solver_copy_many(solver, other);
  solver->dependence.prescribed = other->dependence.prescribed;
  solver->keeps_solutions = other->keeps_solutions;
  solver->watch = other->watch;
}

void picus_solver_archive(picus_solver *solver, picus_archive *a) {
  picus_archive_mark(a, "solver");
  picus_sparse_archive(&solver->reduced, false, a);
  picus_sparse_archive(&solver->coupled, false, a);
  picus_archive_double(a, &solver->budget.left);
  picus_archive_double(a, &solver->budget.search_left);
  picus_archive_int(a, &solver->budget.creeping);
  picus_archive_int(a, &solver->budget.wait);
  picus_archive_int(a, &solver->budget.pause);
}

double picus_solver_granular_share(const picus_solver *solver, int law_count) {
  const bool budgeted = 2 * law_count > PICUS_BUDGET_ROWS; /* not less than two rows for each contact */
  if (picus_budget_creeps(&solver->budget) || (budgeted && picus_budget_is_spent(&solver->budget))) return 1;
  return picus_granular_share(law_count);
}

void picus_solver_restart(picus_solver *solver) { solver->budget = picus_budget_new(); }

picus_budget *picus_solver_budget(picus_solver *solver) { return &solver->budget; }

double picus_solver_tolerance(const picus_solver *solver, int law_count) {
  return picus_goal_tolerance(&solver->goal, law_count);
}

static void release_memory(picus_solver *solver) {
  picus_release(solver->context, solver->best_P);
  picus_release(solver->context, solver->whole_G);
  picus_release(solver->context, solver->memory.doubles);
  picus_release(solver->context, solver->memory.ints);
  picus_release(solver->context, solver->involved);
  solver->best_P = solver->start_P = solver->whole_G = solver->memory.doubles = NULL;
  solver->memory.ints = solver->involved = NULL;
  solver->conflict_count = 0;
  solver->law_capacity = solver->row_capacity = 0;
}

void picus_solver_destroy(picus_solver *solver) {
  if (!solver) return;
  release_memory(solver);
  if (solver->blocks.context) picus_block_storage_destroy(&solver->blocks);
  picus_sparse_release(&solver->reduced);
  picus_sparse_release(&solver->coupled);
  picus_block_lu_release(&solver->law_blocks);
  picus_body_memory_release(&solver->bodies);
  picus_body_graph_release(&solver->graph);
  picus_island_workers_destroy(solver->islands);
  picus_dependence_release(&solver->dependence);
  picus_joints_release(&solver->joints);
  picus_release(solver->context, solver);
}

static void take_larger(picus_memory_need need, picus_memory_need *most) {
  if (need.doubles > most->doubles) most->doubles = need.doubles;
  if (need.ints > most->ints) most->ints = need.ints;
}

/* A stage with a size limit needs memory up to that limit only. whole: entries of a dense G, if needed. */
static picus_memory_need plan_need(const picus_solver *solver, int law_count, int size, size_t *whole) {
  picus_memory_need most = {0, 0};
  *whole = 0;
  for (const picus_stage *stage = solver->table->stages; !picus_plan_ends(solver->table, stage); stage++) {
    if (size < stage->least_rows) continue;
    int rows = stage->most_rows && size > stage->most_rows ? stage->most_rows : size;
    int laws = law_count < rows ? law_count : rows;
    if (stage->ops->need_by_options)
      take_larger(stage->ops->need_by_options(&solver->options, laws, rows), &most);
    else if (stage->ops->need)
      take_larger(stage->ops->need(laws, rows), &most);
    size_t numbers = stage->ops->needs_whole_G ? (size_t)rows * (size_t)rows : 0;
    if (numbers > *whole) *whole = numbers;
  }
  if (solver->options.minimum_norm) { /* newton runs before it, gs after it */
    int rows = size < PICUS_MINIMUM_NORM_ROWS ? size : PICUS_MINIMUM_NORM_ROWS;
    take_larger(picus_gs_solver.need(law_count, size), &most);
    take_larger(picus_newton_solver.need(law_count, size), &most);
    take_larger(picus_minimum_norm_need(law_count < rows ? law_count : rows, rows), &most);
    if ((size_t)rows * (size_t)rows > *whole) *whole = (size_t)rows * (size_t)rows;
  }
  return most;
}

picus_status picus_solver_reserve_whole(picus_solver *solver, int law_count, int size) {
  picus_context *context = solver->context;
  if (law_count < 0 || size < 0 || law_count > PICUS_LARGEST_ROWS || size > PICUS_LARGEST_ROWS)
    return picus_fail(context, PICUS_ERROR_ARGUMENT,
                      "cannot reserve memory for %d laws and %d rows; a problem has at most %d rows", law_count, size,
                      (int)PICUS_LARGEST_ROWS);
  picus_status status = picus_dependence_reserve(&solver->dependence, size);
  if (status || (law_count <= solver->law_capacity && size <= solver->row_capacity)) return status;
  /* projections have bilateral rows without constraints */
  const bool joints = solver->dependence.constraints != 0 || size <= PICUS_ROUNDING_ROWS;
  if (joints && solver->table->joints_of > 0 && !picus_joints_reserve(&solver->joints, law_count, size))
    return PICUS_ERROR_MEMORY;
  int laws = law_count > solver->law_capacity ? law_count : solver->law_capacity;
  int rows = size > solver->row_capacity ? size : solver->row_capacity;
  size_t whole;
  picus_memory_need need = plan_need(solver, laws, rows, &whole);
  release_memory(solver);
  solver->best_P = picus_allocate(context, 2 * (size_t)rows, sizeof(double));
  solver->start_P = solver->best_P ? solver->best_P + rows : NULL;
  solver->whole_G = picus_allocate(context, whole, sizeof(double));
  solver->memory.doubles = picus_allocate(context, need.doubles, sizeof(double));
  solver->memory.ints = picus_allocate(context, need.ints, sizeof(int));
  solver->involved = picus_allocate(context, (size_t)laws, sizeof(int));
  if (!solver->best_P || !solver->whole_G || !solver->memory.doubles || !solver->memory.ints || !solver->involved) {
    release_memory(solver);
    return PICUS_ERROR_MEMORY;
  }
  solver->law_capacity = laws;
  solver->row_capacity = rows;
  return PICUS_OK;
}

static picus_status need_workers(picus_solver *solver) {
  if (solver->islands) return PICUS_OK;
  return picus_island_workers_create(solver->context, &solver->options, solver, &solver->islands);
}

/* Islands of problems with a dense G as well; those of large ones take their memory when they are found. */
picus_status picus_solver_reserve(picus_solver *solver, int law_count, int size) {
  picus_status status = picus_solver_reserve_whole(solver, law_count, size);
  const int rows = picus_plan_island_rows(solver->table, law_count, size);
  if (status || rows == 0) return status;
  status = need_workers(solver);
  return status ? status : picus_island_workers_reserve(solver->islands, law_count < rows ? law_count : rows, rows);
}

/* --- solve ---------------------------------------------------------------------------------------------------- */

/* An island is solved relative to its own scale if that is possible; where its forces are the round-off of others,
 * relative to the scale of the whole problem. */
static void relate_to_whole(const picus_solver *solver, const picus_contact_problem *problem, const double *P,
                            picus_residual *residual) {
  const double whole = solver->part.scale;
  if (!(whole > 0 && isfinite(whole)) || residual->relative <= solver->plan.tolerance) return;
  const double own = picus_contact_scale(problem, P);
  if (own < whole) residual->relative *= own / whole;
}

/* Whether a P above the tolerance counts as solved: in relation to the whole, or because round-off allows no better. */
static bool is_excused(const picus_solver *solver, const picus_contact_problem *problem, const double *P,
                       picus_residual *residual) {
  relate_to_whole(solver, problem, P, residual);
  if (residual->relative <= solver->plan.tolerance) return true;
  if (!(residual->relative <= ROUNDING_EXCUSES)) return false;
  return residual->relative <= picus_contact_rounding_floor(problem, P);
}

/* The only way to PICUS_OK: the residual of P as it will be returned, computed from G and c. Round-off limits the
 * tolerance: if xi itself cannot be evaluated more precisely, no P can be better. Inline: for steps of microseconds. */
static inline bool is_solved(const picus_solver *solver, const picus_contact_problem *problem, const double *P,
                             picus_mode *modes, picus_residual *residual) {
  *residual = picus_contact_judge(problem, P, NULL, NULL, modes);
  return residual->relative <= solver->plan.tolerance || is_excused(solver, problem, P, residual);
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

static picus_law_numbers law_numbers(const picus_solver *solver) {
  return (picus_law_numbers){solver->part.numbers, solver->part.whole.laws};
}

static picus_status refuse_not_finite(picus_solver *solver, const picus_contact_problem *problem, int law, double *P,
                                      picus_mode *modes, picus_solve_info *info) {
  picus_status status = picus_fail_not_finite(solver->context, law_numbers(solver), law);
  give_up(problem, P, modes, info, status);
  if (info) info->residual.worst_law = law;
  return status;
}

/* The state of a solve that goes through several solvers. */
typedef struct attempt {
  picus_solve_info best; /* residual and solver of best_P */
  bool no_solution;      /* a solver showed that there is none */
  const char *tried[PICUS_PLAN_LENGTH];
  int tried_count;
} attempt;

/* The problem in a form that a solver takes: as it is, or with a dense or block-sparse G, into *changed; blocks are
 * formed once per solve. NULL: out of memory. */
static const picus_contact_problem *problem_for(picus_solver *solver, const picus_solver_ops *ops,
                                                const picus_contact_problem *problem, picus_contact_problem *changed) {
  const picus_operator *G = picus_operator_of(problem);
  if (ops->needs_whole_G) {
    if (G->is_whole) return problem;
    if (!solver->whole_G) return NULL;
    *changed = picus_contact_to_dense(problem, solver->whole_G);
    return changed;
  }
  if (!G->by_velocities) return problem;
  if (ops->takes_factors && (!ops->prefers_factors || ops->prefers_factors(problem))) return problem;
  if (!solver->blocks_are_current) {
    if (solver->blocks.context) picus_block_storage_destroy(&solver->blocks);
    if (picus_contact_to_blocks(solver->context, problem, &solver->blocks, &solver->by_blocks)) return NULL;
    solver->blocks_are_current = true;
  }
  return &solver->by_blocks;
}

static void report_stage(const picus_solver *solver, const picus_stage *stage, int iterations, bool solved) {
  if (solver->watch.see)
    solver->watch.see(solver->watch.user, (int)(stage - solver->table->stages), iterations, solved);
}

/* The end of one method: its own claim, and what the residual says. */
typedef struct outcome {
  picus_status claim;
  bool solved;
  int iterations;
  picus_residual residual;
} outcome;

/* Runs a method from P and modes. The answer of a trial counts only if the trial claims one, and is in the sets of the
 * laws. */
static inline outcome run_method(picus_solver *solver, const picus_stage *stage, const picus_contact_problem *problem,
                                 double *P, picus_mode *modes) {
  outcome o = {.claim = PICUS_NOT_CONVERGED, .residual = {INFINITY, INFINITY, -1}};
  const picus_solver_options *given_options = &solver->options, *options = &solver->of_method;
  const int most = given_options->max_iterations;
  solver->of_method.tolerance = picus_plan_tolerance(&solver->plan, stage);
  solver->of_method.max_iterations =
      stage->is_trial ? most : picus_plan_limit(&solver->plan, stage, given_options->no_fallback, most);
  picus_solver_memory memory = solver->memory;
  memory.judged = &o.residual;
  if (stage->limits) memory.limits = stage->limits;
  picus_contact_problem changed_form;
  report_stage(solver, stage, -1, false);
  const picus_contact_problem *given = problem_for(solver, stage->ops, problem, &changed_form);
  if (given) o.claim = stage->ops->solve(options, given, memory, P, modes, &o.iterations);
  const bool changed = !stage->is_trial && picus_contact_project(problem, P);
  /* the same judge of the same P and G need not be asked again */
  const bool known = !changed && given == problem && o.residual.relative <= solver->plan.tolerance;
  const bool fails = stage->is_trial && o.claim;
  o.solved = !fails && (known || is_solved(solver, problem, P, modes, &o.residual));
  report_stage(solver, stage, o.iterations, o.solved);
  return o;
}

/* The first stages of a plan, which find the answer of small problems at once or not at all: a failure counts neither
 * as an attempt nor as a fallback, and what it leaves in P is the start of the next stage. A number that is not finite
 * needs no check here: no residual would be small. */
static bool run_trial(picus_solver *solver, const picus_stage *stage, const picus_contact_problem *problem, double *P,
                      picus_mode *modes, picus_solve_info *best) {
  int law;
  if (stage->ops->refusal && stage->ops->refusal(problem, &law)) return false;
  const outcome o = run_method(solver, stage, problem, P, modes);
  if (!o.solved) return false;
  best->solver = stage->ops->description.name;
  best->residual = o.residual;
  best->iterations = o.iterations;
  return true;
}

/* Runs one solver from the initial guess in P and modes, and leaves the best result so far there. */
static bool run_stage(picus_solver *solver, const picus_stage *stage, const picus_contact_problem *problem, double *P,
                      picus_mode *modes, attempt *a) {
  const picus_solver_ops *ops = stage->ops;
  size_t bytes = (size_t)problem->size * sizeof *P;
  if (stage->start == PICUS_FROM_ZERO && a->tried_count > 0) {
    memset(P, 0, bytes);
    for (int i = 0; i < problem->law_count; i++) modes[i] = PICUS_OPEN;
  }
  if (stage->start == PICUS_AS_GIVEN) memcpy(P, solver->start_P, bytes);
  outcome o = run_method(solver, stage, problem, P, modes);
  if (!isfinite(o.residual.relative)) { /* zero is better than values out of range */
    memset(P, 0, bytes);
    o.residual = picus_contact_judge(problem, P, NULL, NULL, modes);
    relate_to_whole(solver, problem, P, &o.residual);
  }
  if (o.claim == PICUS_NO_SOLUTION) {
    for (int i = 0; i < problem->law_count; i++) solver->involved[i] |= solver->memory.ints[i] != 0;
    a->no_solution = true;
  }
  a->best.iterations += o.iterations;
  picus_budget_note(&solver->budget, stage, o.iterations, problem->size);
  if (solver->plan.starts_warm) picus_budget_note_warm(&solver->budget, stage, o.solved, problem->size);
  if (o.solved || a->tried_count == 0 || o.residual.relative < a->best.residual.relative) {
    a->best.residual = o.residual;
    a->best.solver = ops->description.name;
    a->best.facets = !o.solved && !o.claim && ops->uses_pyramids ? solver->options.facets : 0;
    if (!o.solved) memcpy(solver->best_P, P, bytes);
  } else {
    memcpy(P, solver->best_P, bytes);
    picus_contact_judge(problem, P, NULL, NULL, modes);
  }
  a->tried[a->tried_count++] = ops->description.name;
  return o.solved;
}

const int *picus_solver_conflict(const picus_solver *solver, int *count) {
  *count = solver->conflict_count;
  return *count ? solver->involved : NULL;
}

static picus_status say_unsolved(picus_solver *solver, const picus_contact_problem *problem, const attempt *a) {
  const bool none = a->no_solution && a->best.residual.relative > NEARLY_SOLVED;
  for (int i = 0; none && i < problem->law_count; i++) /* from flags to a list, in place */
    if (solver->involved[i]) solver->involved[solver->conflict_count++] = i;
  return picus_fail_unsolved(solver->context, &(picus_unsolved){.laws = law_numbers(solver),
                                                                .tolerance = solver->plan.tolerance,
                                                                .best = &a->best,
                                                                .tried = a->tried,
                                                                .tried_count = a->tried_count,
                                                                .conflict = solver->involved,
                                                                .conflict_count = solver->conflict_count,
                                                                .no_solution = none});
}

/* Two kinds of problem in which 1e-12 cannot be had, or not in a reasonable time, and whose best P is accepted. */
typedef enum obstacle {
  NO_OBSTACLE,
  /* percussions a billion times those that would stop the free motion, as of a heavy body on a light one: xi is their
   * round-off. A method that ended by itself is as close as any other; one that was stopped early may come closer */
  ROUNDING,
  /* redundant contacts that cannot all stick, because a tiny part of their velocities cannot be balanced
   * (continuation.c): which of them creeps how fast is beyond the accuracy of a step. If round-off, too, is above the
   * tolerance, as where contacts are wedged, other methods may help: they are tried while the budget lasts */
  CREEP
} obstacle;

/* What keeps the best P so far above the tolerance, if it is known. last: the stage that has just ended. */
static obstacle find_obstacle(const picus_solver *solver, const picus_contact_problem *problem, const double *P,
                              const picus_stage *last, double best) {
  if (!(best <= ROUNDING_LIMIT)) return NO_OBSTACLE;
  const double floor = picus_contact_rounding_floor(problem, P);
  if (best > ROUNDING_EXCUSES && best <= (last->limits ? 1 : NEAR_ROUNDING) * floor) return ROUNDING;
  const bool searches_on = solver->plan.creep_tolerance <= solver->plan.tolerance;
  const bool is_tried = searches_on && floor > solver->plan.tolerance;
  return best <= solver->plan.creep && !is_tried ? CREEP : NO_OBSTACLE;
}

/* The stages of the plan, one after the other, until one solves the problem: first the trials, then the methods, whose
 * best answer counts if none of them arrives. */
static picus_status run_plan(picus_solver *solver, const picus_contact_problem *problem, double *P, picus_mode *modes,
                             picus_solve_info *info) {
  const picus_plan *plan = &solver->plan;
  attempt a; /* without the names of methods */
  a.best = (picus_solve_info){.solver = solver->options.solver};
  if (solver->keeps_solutions && is_solved(solver, problem, P, modes, &a.best.residual))
    return fill_info(info, PICUS_OK, &a.best);
  const picus_stage *stage = plan->table->stages;
  for (; stage->is_trial; stage++)
    if (picus_plan_runs(plan, stage, problem, NULL) && run_trial(solver, stage, problem, P, modes, &a.best))
      return fill_info(info, PICUS_OK, &a.best);
  a.best.residual = (picus_residual){INFINITY, INFINITY, -1};
  a.no_solution = false;
  a.tried_count = 0;
  const char *first_refusal = NULL;
  int refusing_law = -1;
  obstacle limited_by = NO_OBSTACLE;
  memcpy(solver->start_P, P, (size_t)problem->size * sizeof *P);
  memset(solver->involved, 0, (size_t)problem->law_count * sizeof *solver->involved);
  for (; !picus_plan_ends(plan->table, stage); stage++) {
    const picus_findings found = {a.best.residual.relative, limited_by == CREEP, modes};
    int law = -1;
    if (a.tried_count > 0 && solver->options.no_fallback) break;
    if (!picus_plan_runs(plan, stage, problem, &found)) continue;
    const char *refusal = stage->ops->refusal ? stage->ops->refusal(problem, &law) : NULL;
    if (refusal) {
      if (stage->ops->description.name != solver->options.solver) continue; /* else it is the user's choice */
      first_refusal = refusal;
      refusing_law = law;
      if (solver->options.no_fallback) break;
      continue;
    }
    if (a.tried_count > 0 || first_refusal) a.best.fallbacks++;
    const int spoilt = a.tried_count > 0 ? -1 : picus_contact_first_not_finite(problem);
    if (spoilt >= 0) return refuse_not_finite(solver, problem, spoilt, P, modes, info);
    const int before = a.best.iterations;
    if (run_stage(solver, stage, problem, P, modes, &a)) return fill_info(info, PICUS_OK, &a.best);
    limited_by = find_obstacle(solver, problem, P, stage, a.best.residual.relative);
    if (a.best.residual.relative <= plan->creep)
      picus_budget_note_search(&solver->budget, stage, a.best.iterations - before, problem->size);
    if (limited_by == ROUNDING) break;
  }
  if (a.tried_count == 0)
    return give_up(
        problem, P, modes, info,
        picus_fail_kind(solver->context, solver->options.solver, law_numbers(solver), refusing_law, first_refusal));
  const bool enough = a.best.residual.relative <= plan->enough;
  solver->budget.crept |= !enough && limited_by == CREEP;
  const double acceptable = fmax(plan->accept_residual, plan->creep);
  a.best.accepted = !enough && (limited_by || a.best.residual.relative <= acceptable); /* the best P */
  if (enough || a.best.accepted) return fill_info(info, PICUS_OK, &a.best);
  return fill_info(info, say_unsolved(solver, problem, &a), &a.best);
}

static picus_status solve_any(picus_solver *solver, const picus_contact_problem *problem, double *P, picus_mode *modes,
                              picus_solve_info *info) {
  solver->conflict_count = 0;
  solver->blocks_are_current = false;
  if (problem->law_count == 0 && problem->size == 0) {
    picus_solve_info nothing = {.solver = solver->options.solver, .residual = {0, 0, -1}};
    return fill_info(info, PICUS_OK, &nothing);
  }
  picus_status status = picus_solver_reserve_whole(solver, problem->law_count, problem->size);
  if (status) return status;
  picus_plan_make(solver->table, &solver->goal, &solver->part.whole, problem, P, &solver->plan);
  if (solver->part.tolerance > 0) solver->plan.tolerance = fmin(solver->plan.tolerance, solver->part.tolerance);
  return run_plan(solver, problem, P, modes, info);
}

double picus_solver_closed_form_tolerance(const picus_solver *solver, int law_count) {
  const bool is_answer = law_count <= solver->table->closed_forms && !solver->options.minimum_norm &&
                         !solver->keeps_solutions; /* a guess may be the answer */
  return is_answer ? solver->options.tolerance : -1;
}

/* A better solution near P, if Newton's method finds one: which contacts are at rest shows only beyond the noise that
 * the tolerance allows. */
static void sharpen(picus_solver *solver, const picus_contact_problem *problem, double *P, picus_mode *modes,
                    int *iterations) {
  size_t bytes = (size_t)problem->size * sizeof *P;
  double relative = picus_contact_judge(problem, P, NULL, NULL, NULL).relative;
  picus_solver_options options = solver->options;
  options.tolerance = SHARPER * solver->plan.tolerance;
  memcpy(solver->best_P, P, bytes);
  picus_contact_problem changed_form;
  const picus_contact_problem *given = problem_for(solver, &picus_newton_solver, problem, &changed_form);
  if (!given) return;
  picus_newton_solver.solve(&options, given, solver->memory, P, modes, iterations);
  picus_contact_project(problem, P);
  if (!(picus_contact_judge(problem, P, NULL, NULL, modes).relative < relative)) memcpy(P, solver->best_P, bytes);
}

/* Replaces a solution by the minimum-norm percussion that does the same, if that is found and solves the problem as
 * well. The dual of minimum_norm.c has one cone for each contact, without rolling friction. */
static picus_status shorten(picus_solver *solver, const picus_contact_problem *problem, double *P, picus_mode *modes,
                            picus_solve_info *info) {
  size_t bytes = (size_t)problem->size * sizeof *P;
  picus_residual residual;
  int iterations = 0;
  if (problem->size == 0 || problem->size > PICUS_MINIMUM_NORM_ROWS || picus_contact_has_rolling(problem))
    return PICUS_OK;
  picus_status status = picus_solver_reserve_whole(solver, problem->law_count, problem->size);
  if (status) return status;
  picus_contact_problem changed_form; /* direct needs a dense G, as minimum_norm.c does */
  const picus_contact_problem *whole = problem_for(solver, &picus_direct_solver, problem, &changed_form);
  if (!whole) return PICUS_OK;
  sharpen(solver, problem, P, modes, &iterations);
  memcpy(solver->best_P, P, bytes);
  bool found = picus_minimum_norm(whole, solver->plan.tolerance, solver->memory, P);
  picus_contact_project(problem, P);
  if (found && !is_solved(solver, problem, P, modes, &residual)) {
    /* a smaller P reduces the scale of the residual: a few sweeps make up for it */
    picus_gs_solver.solve(&solver->options, problem, solver->memory, P, modes, &iterations);
    picus_contact_project(problem, P);
    found = is_solved(solver, problem, P, modes, &residual);
  }
  if (!found) {
    memcpy(P, solver->best_P, bytes);
    residual = picus_contact_judge(problem, P, NULL, NULL, modes);
    relate_to_whole(solver, problem, P, &residual);
  }
  if (info) {
    info->minimum_norm = found;
    info->iterations += iterations;
    info->residual = residual;
  }
  return PICUS_OK;
}

/* --- smaller problems ------------------------------------------------------------------------------------------- */

/* A way to a problem with fewer laws, and back. condense: leaves out->problem NULL if the problem is solved as it is.
 * expand: P and modes of the problem from those of the smaller one, and *found for it; false if the problem has to be
 * solved as a whole, from P. */
typedef struct reduced {
  const picus_contact_problem *problem;
  double *P;
  picus_mode *modes;
  const int *numbers; /* of its laws in the whole */
  double scale;       /* as in picus_problem_part */
  double tolerance;   /* the same; */
  double strict;      /* and, if the whole then misses its own, this one (0: none) */
} reduced;
typedef struct reduction {
  picus_status (*condense)(picus_solver *solver, const picus_contact_problem *problem, double *P, picus_mode *modes,
                           reduced *out);
  bool (*expand)(picus_solver *solver, const picus_contact_problem *problem, double *P, picus_mode *modes,
                 picus_solve_info *found);
} reduction;

/* The constraints that follow from others are left out (dependence.h). */
static picus_status leave_out_dependent(picus_solver *solver, const picus_contact_problem *problem, double *P,
                                        picus_mode *modes, reduced *out) {
  picus_dependence *d = &solver->dependence;
  const picus_problem_part *part = &solver->part;
  if (d->most <= 0 || problem->size > PICUS_RANK_ROWS || picus_contact_first_not_finite(problem) >= 0) return PICUS_OK;
  picus_status status = picus_dependence_reserve(d, problem->size);
  if (status) return status;
  const double tolerance = picus_solver_tolerance(solver, part->whole.laws);
  if (picus_dependence_find(d, problem, tolerance, part->numbers, P, modes))
    *out = (reduced){&d->kept, d->P, d->modes, d->numbers, part->scale, part->tolerance, 0};
  return PICUS_OK;
}

static bool share_with_dependent(picus_solver *solver, const picus_contact_problem *problem, double *P,
                                 picus_mode *modes, picus_solve_info *found) {
  picus_dependence *d = &solver->dependence;
  picus_dependence_share(d, problem, P, modes);
  if (found->residual.worst_law >= 0) found->residual.worst_law = d->own[found->residual.worst_law];
  for (int k = 0; k < solver->conflict_count; k++) solver->involved[k] = d->own[solver->involved[k]];
  return true;
}

/* What is left to contacts is solved to this, with looser tolerances as well: where percussions of contacts and joints
 * cancel, their errors do work. It is the round-off of a contact of which HELD of its diagonal is left
 * (joint_elimination.c). */
#define OF_CONTACTS 1e-10
#define OF_WHOLE 1e-8 /* if that fails, and the problem is solved as a whole */

/* Contacts that joints nearly hold have a larger scale than the whole: they are solved to their share of its tolerance,
 * but only where the whole would miss it. Few do, and there the share may lie below what any method reaches. */
static double share_of(double scale, const picus_contact_problem *contacts) {
  const double own = picus_contact_scale(contacts, NULL);
  return own > scale ? scale / own : 1;
}

/* Joints are eliminated (joint_elimination.h), unless P is to be kept. */
static picus_status eliminate_joints(picus_solver *solver, const picus_contact_problem *problem, double *P,
                                     picus_mode *modes, reduced *out) {
  picus_joints *j = &solver->joints;
  picus_residual residual;
  if (solver->options.minimum_norm || !picus_plan_eliminates_joints(solver->table, problem)) return PICUS_OK;
  solver->plan.tolerance = picus_solver_tolerance(solver, solver->part.whole.laws);
  if (solver->keeps_solutions && is_solved(solver, problem, P, modes, &residual)) return PICUS_OK;
  picus_status status = picus_solver_reserve_whole(solver, problem->law_count, problem->size);
  if (status || !picus_joints_eliminate(j, problem, solver->part.numbers, P, modes)) return status;
  if (j->contacts.law_count == 0) { /* then nothing is left that has a scale */
    *out = (reduced){&j->contacts, j->P, j->modes, j->numbers, 0, 0, 0};
    return PICUS_OK;
  }
  const double scale = picus_contact_scale(problem, NULL), share = share_of(scale, &j->contacts);
  const double tolerance = fmin(solver->plan.tolerance, OF_CONTACTS);
  const double strict = share * solver->plan.tolerance;
  *out = (reduced){&j->contacts, j->P, j->modes, j->numbers, scale, tolerance, strict < tolerance ? strict : 0};
  return PICUS_OK;
}

/* The percussions of the joints, to the tolerance or round-off. */
static bool finish_joints(picus_solver *solver, const picus_contact_problem *problem, double *P, picus_mode *modes,
                          picus_residual *residual) {
  *residual = picus_contact_judge(problem, P, NULL, NULL, modes);
  if (residual->relative <= solver->plan.tolerance) return true;
  picus_joints_refine(&solver->joints, problem, P);
  return is_solved(solver, problem, P, modes, residual);
}

#define MOST_YIELD                                                                                                     \
  1e-5 /* relative residual that contacts which yield may leave; else the problem is solved as a whole */
/* Contacts that yield leave a residual of the problem as it was: it is reported as accepted. */
static bool finish_yielding(picus_solver *solver, const picus_contact_problem *problem, double *P, picus_mode *modes,
                            picus_solve_info *found) {
  const picus_contact_problem yielding = picus_joints_yielding(&solver->joints, problem);
  if (!finish_joints(solver, &yielding, P, modes, &found->residual)) return false;
  found->accepted = !is_solved(solver, problem, P, NULL, &found->residual); /* modes: of the contacts that yield */
  return found->residual.relative <= MOST_YIELD;
}

/* If this fails, the problem is solved as a whole, as strictly as its contacts would have been. */
static bool expand_joints(picus_solver *solver, const picus_contact_problem *problem, double *P, picus_mode *modes,
                          picus_solve_info *found) {
  picus_joints *j = &solver->joints;
  if (j->contacts.law_count == 0)
    *found = (picus_solve_info){.solver = picus_direct_solver.description.name, .iterations = 1};
  solver->plan.tolerance = picus_solver_tolerance(solver, solver->part.whole.laws);
  picus_joints_expand(j, P);
  const bool is_known = !found->status && !found->accepted;
  if (found->status) picus_clear_error(solver->context);
  if (is_known && j->yields && finish_yielding(solver, problem, P, modes, found)) return true;
  if (is_known && !j->yields && finish_joints(solver, problem, P, modes, &found->residual)) return true;
  solver->part.tolerance = fmin(solver->plan.tolerance, OF_WHOLE);
  return false;
}

static picus_status solve_as_given(picus_solver *solver, const picus_contact_problem *problem, double *P,
                                   picus_mode *modes, picus_solve_info *info) {
  picus_status status = solve_any(solver, problem, P, modes, info);
  return !status && solver->options.minimum_norm ? shorten(solver, problem, P, modes, info) : status;
}

static picus_status solve_rest(picus_solver *solver, int next, const picus_contact_problem *problem, double *P,
                               picus_mode *modes, picus_solve_info *info);

/* The smaller problem to a tolerance, by the reductions from `next` on. */
static void solve_reduced(picus_solver *solver, int next, const reduced *rest, double tolerance,
                          picus_solve_info *found) {
  const picus_problem_part part = solver->part;
  const int iterations = found->iterations;
  solver->part.numbers = rest->numbers;
  solver->part.scale = rest->scale;
  solver->part.tolerance = tolerance;
  *found = (picus_solve_info){.solver = solver->options.solver, .residual = {INFINITY, INFINITY, -1}};
  found->status = solve_rest(solver, next, rest->problem, rest->P, rest->modes, found);
  found->iterations += iterations;
  solver->part = part;
}

/* A problem that is not searched for islands: by what remains of it after the reductions from this one on. */
static picus_status solve_rest(picus_solver *solver, int next, const picus_contact_problem *problem, double *P,
                               picus_mode *modes, picus_solve_info *info) {
  static const reduction reductions[] = {{leave_out_dependent, share_with_dependent},
                                         {eliminate_joints, expand_joints}};
  const picus_problem_part part = solver->part;
  for (; next < (int)(sizeof reductions / sizeof *reductions); next++) {
    reduced rest = {0};
    picus_solve_info found = {0};
    picus_status status = reductions[next].condense(solver, problem, P, modes, &rest);
    if (status) return status;
    if (!rest.problem) continue;
    for (double tolerance = rest.tolerance;; tolerance = rest.strict) {
      solver->part = part;
      solve_reduced(solver, next + 1, &rest, tolerance, &found);
      const bool is_last = found.status || found.accepted || tolerance == rest.strict || rest.strict == 0;
      if (reductions[next].expand(solver, problem, P, modes, &found)) return fill_info(info, found.status, &found);
      if (is_last) break;
    }
  }
  return solve_as_given(solver, problem, P, modes, info);
}

static inline picus_status solve_whole(picus_solver *solver, const picus_contact_problem *problem, double *P,
                                       picus_mode *modes, picus_solve_info *info) {
  solver->dependence.found = (picus_left_out){0};
  const bool alone = problem->law_count < 2 && solver->dependence.most <= 0; /* nothing can be left out */
  return alone ? solve_as_given(solver, problem, P, modes, info) : solve_rest(solver, 0, problem, P, modes, info);
}

picus_status picus_solver_judge_prescribed(picus_solver *solver, const picus_contact_problem *problem,
                                           picus_prescribed prescribed) {
  picus_dependence *d = &solver->dependence;
  d->found = (picus_left_out){0};
  if (d->most == 0 || problem->size > PICUS_RANK_ROWS || picus_contact_first_not_finite(problem) >= 0) return PICUS_OK;
  picus_status status = picus_dependence_reserve(d, problem->size);
  if (status) return status;
  d->prescribed = prescribed;
  picus_dependence_judge(d, problem);
  d->prescribed = (picus_prescribed){0};
  return PICUS_OK;
}

void picus_solver_set_part(picus_solver *solver, const picus_problem_part *part) {
  solver->part = part ? *part : (picus_problem_part){0};
}

/* Keeps the laws that contradict each other, after a solve of islands that ended in PICUS_NO_SOLUTION. */
static void keep_conflict(picus_solver *solver, const picus_island_task *task) {
  solver->conflict_count = 0;
  if (task->conflict_count == 0 || picus_solver_reserve_whole(solver, task->problem->law_count, task->problem->size))
    return;
  memcpy(solver->involved, task->conflict, (size_t)task->conflict_count * sizeof *task->conflict);
  solver->conflict_count = task->conflict_count;
}

/* *found: the problem has several islands, which have been solved. */
static picus_status solve_islands(picus_solver *solver, const picus_contact_problem *problem, double *P,
                                  picus_mode *modes, picus_solve_info *info, bool *found) {
  *found = false;
  picus_status status = need_workers(solver);
  if (status) return status;
  picus_island_task task = {.whole = solver->part.whole, .problem = problem, .P = P, .modes = modes, .info = info};
  status = picus_island_workers_solve(solver->islands, &task);
  *found = task.found;
  if (*found) solver->dependence.found = picus_island_workers_left_out(solver->islands);
  picus_budget_take(&solver->budget, &task.spent);
  if (*found) keep_conflict(solver, &task);
  return status;
}

const int *picus_solver_island(const picus_solver *solver, int law, int *count) {
  return picus_island_workers_laws(solver->islands, law, count);
}

/* A whole problem, whose islands are solved one by one; or a part of one, which is no further divided. The budgets of a
 * run are settled after each whole problem. */
picus_status picus_solver_solve(picus_solver *solver, const picus_contact_problem *problem, double *P,
                                picus_mode *modes, picus_solve_info *info) {
  if (solver->part.numbers) return solve_whole(solver, problem, P, modes, info);
  solver->conflict_count = 0;
  if (!solver->trusts && !picus_contact_problem_fits(problem)) return picus_fail_rows(solver->context, problem);
  const bool runs = solver->goal.many.accept_residual > 0, budgeted = runs && problem->size > PICUS_BUDGET_ROWS;
  bool found = false;
  picus_status status = PICUS_OK;
  const picus_budget *budget = &solver->budget;
  solver->part = (picus_problem_part){.whole = {.laws = problem->law_count,
                                                .runs = runs,
                                                .spent = budgeted && picus_budget_is_spent(budget),
                                                .searches = picus_budget_searches(budget),
                                                .stepped = picus_budget_steps_first(budget)}};
  if (picus_plan_searches_islands(solver->table, problem))
    status = solve_islands(solver, problem, P, modes, info, &found);
  if (!status && !found) status = solve_whole(solver, problem, P, modes, info);
  if (budgeted) picus_budget_settle(&solver->budget, problem->law_count, problem->size);
  if (runs) picus_budget_settle_warm(&solver->budget);
  if (solver->goal.many.creep > 0) picus_budget_settle_search(&solver->budget, problem->size);
  return status;
}
