/* The solver object: its memory, and the chain of solvers that takes over from one another. */
#include "base/internal.h"
#include "linalg/internal.h"
#include "options/table.h"
#include "solver/account.h"
#include "solver/body_problem.h"
#include "solver/coupled_bodies.h"
#include "solver/dependence.h"
#include "solver/islands.h"
#include "solver/minimum_norm.h"
#include "solver/small.h"

#include <stdio.h>
#include <string.h>

#define ROUNDING_EXCUSES 1e-9 /* a relative residual above this never counts as solved */
#define NEAR_ROUNDING 4       /* times the round-off of xi: other solvers come no closer */
#define NEARLY_SOLVED 1e-6    /* below this relative residual, a solver's result "no solution" does not count */
#define SHARPER 1e-3          /* times the tolerance: of a solution from which the minimum-norm percussion is sought */

enum { NAMES_TEXT = 160, CONFLICT_TEXT = 160, LAWS_NAMED = 8 };
enum { MOST_ROWS = 1 << 26 }; /* several vectors of so many rows can still be counted with an int */
enum {
  /* smaller problems are not searched for islands, but solved at once, unless all laws are apart: elimination takes
   * less than the search; with laws of one row each, as contacts without friction have, also for larger ones */
  ISLAND_ROWS = 8,
  PLAIN_ISLAND_ROWS = 48,
  HEAP_ROWS = 128 /* an island in a heap with more rows is treated as a heap */
};

struct picus_solver {
  picus_context *context;
  picus_solver_options options;
  const picus_solver_chain *chain;
  bool starts_direct;              /* the closed forms for one law may be used */
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
  picus_body_memory bodies;
  picus_body_graph graph;
  double many_tolerance, many_accept; /* picus_solver_set_many; 0: as in the options */
  double tolerance, accept_residual;  /* of the present problem */
  picus_problem_part part;            /* what it is a part of; zeros: of nothing */
  picus_account account;              /* of what is spent on heaps */
  bool thrifty;                       /* they have spent all: of the present problem, only sweeps are tried */
  bool keeps_solutions;               /* picus_solver_keep_solutions */
  picus_island_crew *islands;         /* NULL: no problem had any yet */
  picus_dependence dependence;        /* of constraints */
  picus_stage_watch watch;
};

picus_solver_options picus_default_solver_options(void) { return picus_option_defaults().sim.solver; }

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
static const picus_solver_chain *find_chain(picus_context *context, const char *name) {
  if (!name) {
    picus_fail(context, PICUS_ERROR_ARGUMENT, "no solver is named; \"auto\" chooses one");
    return NULL;
  }
  if (find_number(name) >= 0) return picus_solver_chain_at(find_number(name));
  const char *nearest = picus_nearest_name(name, name_at, NULL);
  char known[NAMES_TEXT];
  write_names(known, name_at, NULL);
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

picus_status picus_solver_create(picus_context *context, const picus_solver_options *options, picus_solver **out) {
  picus_solver_options chosen = options ? *options : picus_default_solver_options();
  *out = NULL;
  const picus_solver_chain *chain = find_chain(context, chosen.solver);
  if (!chain) return picus_last_error(context)->status;
  picus_status status = check_options(context, &chosen);
  if (status) return status;
  picus_solver *solver = picus_allocate(context, 1, sizeof *solver);
  if (!solver) return PICUS_ERROR_MEMORY;
  solver->context = context;
  solver->chain = chain;
  solver->options = chosen;
  solver->options.solver = picus_solver_find(chosen.solver)->name; /* outlives the caller's text */
  solver->memory.reduced = &solver->reduced;
  solver->memory.coupled = &solver->coupled;
  solver->memory.bodies = &solver->bodies;
  solver->bodies.context = context;
  solver->memory.graph = &solver->graph;
  solver->graph.context = context;
  solver->account = picus_account_new();
  solver->dependence = (picus_dependence){.context = context};
  solver->starts_direct = chain->stages[0].ops == &picus_direct_solver;
  *out = solver;
  return PICUS_OK;
}

void picus_solver_set_many(picus_solver *solver, double tolerance, double accept_residual) {
  solver->many_tolerance = tolerance;
  solver->many_accept = accept_residual;
  if (solver->islands) picus_island_crew_set_many(solver->islands, tolerance, accept_residual);
}

void picus_solver_watch_stages(picus_solver *solver, picus_stage_watch watch) {
  solver->watch = watch;
  if (solver->islands) picus_island_crew_watch_stages(solver->islands, watch);
}

void picus_solver_keep_solutions(picus_solver *solver, bool keep) { solver->keeps_solutions = keep; }

void picus_solver_forget(picus_solver *solver) {
  picus_sparse_forget_pivots(&solver->reduced);
  picus_sparse_forget_pivots(&solver->coupled);
}

void picus_solver_set_dependent(picus_solver *solver, int constraints, int dependent) {
  solver->dependence.constraints = constraints;
  solver->dependence.most = dependent;
  if (solver->islands) picus_island_crew_set_dependent(solver->islands, constraints, dependent);
}

void picus_solver_set_prescribed(picus_solver *solver, picus_prescribed prescribed) {
  solver->dependence.prescribed = prescribed;
}

picus_left_out picus_solver_left_out(const picus_solver *solver) { return solver->dependence.found; }

void picus_solver_copy_many(picus_solver *solver, const picus_solver *other) {
  picus_solver_set_many(solver, other->many_tolerance, other->many_accept);
  picus_solver_set_dependent(solver, other->dependence.constraints, other->dependence.most);
}

void picus_solver_archive(picus_solver *solver, picus_archive *a) {
  picus_archive_mark(a, "solver");
  picus_sparse_archive(&solver->reduced, false, a);
  picus_sparse_archive(&solver->coupled, false, a);
  picus_archive_double(a, &solver->account.credit);
}

double picus_solver_heap_share(const picus_solver *solver, int law_count) {
  const bool pile = 2 * law_count > PICUS_PILE_ROWS; /* not less than two rows for each contact */
  return pile && picus_account_is_overdrawn(&solver->account) ? 1 : picus_heap_share(law_count);
}

void picus_solver_restart(picus_solver *solver) { solver->account = picus_account_new(); }

picus_account *picus_solver_account(picus_solver *solver) { return &solver->account; }

static int whole_laws(const picus_solver *solver, int law_count) {
  return solver->part.numbers ? solver->part.whole_laws : law_count;
}

double picus_solver_tolerance(const picus_solver *solver, int law_count) {
  const double usual = solver->options.tolerance, most = picus_larger(usual, solver->many_tolerance);
  const double share = picus_heap_share(law_count);
  return share == 0 ? usual : share == 1 ? most : usual * pow(most / usual, share);
}

static bool has_joints(const picus_contact_problem *problem) {
  for (int i = 0; i < problem->law_count; i++)
    if (problem->laws[i].kind == PICUS_BILATERAL) return true;
  return false;
}

/* Contacts alone, too many for all solvers. With joints a run does not go on: bodies would come apart. */
static bool is_pile(const picus_contact_problem *problem) {
  return problem->size > PICUS_PILE_ROWS && !has_joints(problem);
}

/* Islands have the tolerance of the whole problem: a heap that falls apart is not asked for more. */
static void choose_tolerance(picus_solver *solver, const picus_contact_problem *problem) {
  const int laws = whole_laws(solver, problem->law_count);
  const picus_solver_options *options = &solver->options;
  solver->tolerance = picus_solver_tolerance(solver, laws);
  const bool goes_on =
      solver->many_accept > 0 && (laws > PICUS_MANY_LAWS || (problem->size > HEAP_ROWS && !has_joints(problem)));
  solver->accept_residual =
      goes_on ? picus_larger(options->accept_residual, solver->many_accept) : options->accept_residual;
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
  picus_body_memory_release(&solver->bodies);
  picus_body_graph_release(&solver->graph);
  picus_island_crew_destroy(solver->islands);
  picus_dependence_release(&solver->dependence);
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

static void take_larger(picus_memory_need need, picus_memory_need *most) {
  if (need.doubles > most->doubles) most->doubles = need.doubles;
  if (need.ints > most->ints) most->ints = need.ints;
}

/* A stage with a size limit needs memory up to that limit only. whole: entries of a dense G, if needed. */
static picus_memory_need chain_need(const picus_solver *solver, int law_count, int size, size_t *whole) {
  picus_memory_need most = {0, 0};
  *whole = 0;
  for (int k = 0; k < chain_length(solver); k++) {
    const picus_solver_stage *stage = &solver->chain->stages[k];
    if (size < stage->least_rows) continue;
    int rows = stage->most_rows && size > stage->most_rows ? stage->most_rows : size;
    int laws = law_count < rows ? law_count : rows;
    picus_memory_need need = stage->ops->need_by_options ? stage->ops->need_by_options(&solver->options, laws, rows)
                                                         : stage->ops->need(laws, rows);
    take_larger(need, &most);
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
  if (law_count < 0 || size < 0 || law_count > MOST_ROWS || size > MOST_ROWS)
    return picus_fail(context, PICUS_ERROR_ARGUMENT,
                      "cannot reserve memory for %d laws and %d rows; a problem has at most %d rows", law_count, size,
                      (int)MOST_ROWS);
  picus_status status = picus_dependence_reserve(&solver->dependence, size);
  if (status || (law_count <= solver->law_capacity && size <= solver->row_capacity)) return status;
  int laws = law_count > solver->law_capacity ? law_count : solver->law_capacity;
  int rows = size > solver->row_capacity ? size : solver->row_capacity;
  size_t whole;
  picus_memory_need need = chain_need(solver, laws, rows, &whole);
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

static picus_status need_crew(picus_solver *solver) {
  if (solver->islands) return PICUS_OK;
  picus_status status = picus_island_crew_create(solver->context, &solver->options, &solver->islands);
  if (status) return status;
  picus_island_crew_set_many(solver->islands, solver->many_tolerance, solver->many_accept);
  picus_island_crew_set_dependent(solver->islands, solver->dependence.constraints, solver->dependence.most);
  picus_island_crew_watch_stages(solver->islands, solver->watch);
  return PICUS_OK;
}

/* Islands of problems with a dense G as well; those of large ones take their memory when they are found. */
picus_status picus_solver_reserve(picus_solver *solver, int law_count, int size) {
  picus_status status = picus_solver_reserve_whole(solver, law_count, size);
  if (status || law_count < 2 || !solver->chain->chooses) return status;
  const int rows = size < PLAIN_ISLAND_ROWS ? size : PLAIN_ISLAND_ROWS;
  status = need_crew(solver);
  return status ? status : picus_island_crew_reserve(solver->islands, law_count < rows ? law_count : rows, rows);
}

/* --- solve ---------------------------------------------------------------------------------------------------- */

/* An island is solved relative to its own scale if that is possible; where its forces are the round-off of others,
 * relative to the scale of the whole problem. */
static void relate_to_whole(const picus_solver *solver, const picus_contact_problem *problem, const double *P,
                            picus_residual *residual) {
  const double whole = solver->part.whole_scale;
  if (!(whole > 0 && isfinite(whole)) || residual->relative <= solver->tolerance) return;
  const double own = picus_contact_scale(problem, P);
  if (own < whole) residual->relative *= own / whole;
}

/* Of a P that does not reach the tolerance by itself. */
static bool is_excused(const picus_solver *solver, const picus_contact_problem *problem, const double *P,
                       picus_residual *residual) {
  relate_to_whole(solver, problem, P, residual);
  if (residual->relative <= solver->tolerance) return true;
  if (!(residual->relative <= ROUNDING_EXCUSES)) return false;
  return residual->relative <= picus_contact_rounding_floor(problem, P);
}

/* The only way to PICUS_OK: the residual of P as it will be returned, computed from G and c. Round-off limits the
 * tolerance: if xi itself cannot be evaluated more precisely, no P can be better. Inline: for steps of microseconds. */
static inline bool is_solved(const picus_solver *solver, const picus_contact_problem *problem, const double *P,
                             picus_mode *modes, picus_residual *residual) {
  *residual = picus_contact_judge(problem, P, NULL, NULL, modes);
  return residual->relative <= solver->tolerance || is_excused(solver, problem, P, residual);
}

/* The number of a law in the whole problem. */
static int number_of(const picus_solver *solver, int law) {
  return solver->part.numbers && law >= 0 ? solver->part.numbers[law] : law;
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
  picus_status status =
      picus_fail(solver->context, PICUS_NOT_CONVERGED,
                 "the contact problem cannot be solved: a number in the rows or the radius of law %d is not finite",
                 number_of(solver, law));
  give_up(problem, P, modes, info, status);
  if (info) info->residual.worst_law = law;
  return status;
}

/* Of heaps only sweeps are tried: paths take minutes there, and Newton's method hardly ever arrives. The same holds for
 * large islands in a heap. */
static bool is_heap(const picus_solver *solver, const picus_contact_problem *problem) {
  if (solver->part.numbers ? solver->part.thrifty : solver->thrifty) return is_pile(problem);
  if (!picus_operator_of(problem)->by_velocities || whole_laws(solver, problem->law_count) <= PICUS_MANY_LAWS)
    return false;
  return problem->law_count > PICUS_MANY_LAWS || problem->size > HEAP_ROWS;
}

/* The state of a solve that goes through several solvers. */
typedef struct attempt {
  picus_solve_info best; /* residual and solver of best_P */
  bool no_solution;      /* a solver showed that there is none */
  bool warm;             /* the initial guess was not zero */
  const char *tried[PICUS_CHAIN_LENGTH];
  int tried_count;
} attempt;

/* Whether a solver takes G in its form. */
static bool takes(const picus_solver_ops *ops, const picus_contact_problem *problem) {
  const picus_operator *G = picus_operator_of(problem);
  if (ops->needs_whole_G) return G->is_whole;
  if (!G->by_velocities) return true;
  return ops->takes_factors && (!ops->prefers_factors || ops->prefers_factors(problem));
}

/* The problem in a form that a solver takes: as it is, or with a dense or block-sparse G, into *changed; blocks are
 * formed once per solve. NULL: out of memory. */
static const picus_contact_problem *problem_for(picus_solver *solver, const picus_solver_ops *ops,
                                                const picus_contact_problem *problem, picus_contact_problem *changed) {
  if (takes(ops, problem)) return problem;
  if (ops->needs_whole_G) {
    if (!solver->whole_G) return NULL;
    *changed = picus_contact_to_dense(problem, solver->whole_G);
    return changed;
  }
  if (!solver->blocks_are_current) {
    if (solver->blocks.context) picus_block_storage_destroy(&solver->blocks);
    if (picus_contact_to_blocks(solver->context, problem, &solver->blocks, &solver->by_blocks)) return NULL;
    solver->blocks_are_current = true;
  }
  return &solver->by_blocks;
}

/* Pivots and the few mode sets that direct tries take little beside these. */
static bool is_dear(const picus_solver_ops *ops) {
  return ops == &picus_newton_solver || ops == &picus_homotopy_solver || ops == &picus_continuation_solver;
}

static void note_work(picus_solver *solver, const picus_solver_stage *stage, int iterations, int rows) {
  if (rows <= PICUS_PILE_ROWS) return;
  if (is_dear(stage->ops)) picus_account_add_factorizations(&solver->account, iterations, rows);
  if (stage->ops == &picus_gs_solver && stage->opening != PICUS_ALONE)
    picus_account_add_sweeps(&solver->account, iterations, rows);
}

static void report_stage(const picus_solver *solver, const picus_solver_stage *stage, int iterations, bool solved) {
  if (solver->watch.see)
    solver->watch.see(solver->watch.user, (int)(stage - solver->chain->stages), iterations, solved);
}

/* Runs one solver from the initial guess in P and modes, and leaves the best result so far there. */
static bool run_stage(picus_solver *solver, const picus_solver_stage *stage, const picus_contact_problem *problem,
                      double *P, picus_mode *modes, attempt *a) {
  const picus_solver_ops *ops = stage->ops;
  picus_solver_options options = solver->options;
  options.tolerance = solver->tolerance;
  bool limited = stage->max_iterations && !options.no_fallback && stage->max_iterations < options.max_iterations;
  if (limited) options.max_iterations = stage->max_iterations;
  const bool watched = solver->many_accept > 0 && is_dear(ops) && is_pile(problem);
  if (watched && options.max_iterations > PICUS_FACTORIZATIONS_MOST) options.max_iterations = PICUS_FACTORIZATIONS_MOST;
  if (stage->enough > options.tolerance && !options.no_fallback) options.tolerance = stage->enough;
  size_t bytes = (size_t)problem->size * sizeof *P;
  picus_residual residual;
  int iterations = 0;
  picus_contact_problem changed_form;
  picus_status claim = PICUS_NOT_CONVERGED;
  report_stage(solver, stage, -1, false);
  if (stage->start == PICUS_FROM_ZERO && a->tried_count > 0) {
    memset(P, 0, bytes);
    for (int i = 0; i < problem->law_count; i++) modes[i] = PICUS_OPEN;
  }
  if (stage->start == PICUS_AS_GIVEN) memcpy(P, solver->start_P, bytes);
  picus_residual judged = {INFINITY, INFINITY, -1};
  picus_solver_memory memory = solver->memory;
  memory.judged = &judged;
  memory.heap = is_heap(solver, problem);
  memory.opening = stage->opening;
  const picus_contact_problem *given = problem_for(solver, ops, problem, &changed_form);
  if (given) claim = ops->solve(&options, given, memory, P, modes, &iterations);
  const bool changed = picus_contact_project(problem, P);
  /* the same judge of the same P and G need not be asked again */
  const bool known = !changed && given == problem && judged.relative <= solver->tolerance;
  if (known) residual = judged;
  bool solved = known || is_solved(solver, problem, P, modes, &residual);
  if (!isfinite(residual.relative)) { /* zero is better than values out of range */
    memset(P, 0, bytes);
    residual = picus_contact_judge(problem, P, NULL, NULL, modes);
    relate_to_whole(solver, problem, P, &residual);
  }
  if (claim == PICUS_NO_SOLUTION) {
    for (int i = 0; i < problem->law_count; i++) solver->involved[i] |= solver->memory.ints[i] != 0;
    a->no_solution = true;
  }
  a->best.iterations += iterations;
  note_work(solver, stage, iterations, problem->size);
  if (solved || a->tried_count == 0 || residual.relative < a->best.residual.relative) {
    a->best.residual = residual;
    a->best.solver = ops->description.name;
    a->best.facets = !solved && !claim && ops->uses_pyramids ? options.facets : 0;
    if (!solved) memcpy(solver->best_P, P, bytes);
  } else {
    memcpy(P, solver->best_P, bytes);
    picus_contact_judge(problem, P, NULL, NULL, modes);
  }
  a->tried[a->tried_count++] = ops->description.name;
  report_stage(solver, stage, iterations, solved);
  return solved;
}

static const char *tried_at(const void *user, int k) {
  const attempt *a = user;
  return k < a->tried_count ? a->tried[k] : NULL;
}

/* From flags to a list of laws, in place; returns how many there are. */
static int list_involved(int law_count, int *involved) {
  int count = 0;
  for (int i = 0; i < law_count; i++)
    if (involved[i]) involved[count++] = i;
  return count;
}

/* ": laws 0, 3, 4 cannot be satisfied together", or nothing if none are known. */
static void write_conflict(const picus_solver *solver, char text[CONFLICT_TEXT]) {
  int count = solver->conflict_count, named = count < LAWS_NAMED ? count : LAWS_NAMED;
  size_t used = 0;
  text[0] = '\0';
  if (count == 0) return;
  used += (size_t)snprintf(text, CONFLICT_TEXT, count == 1 ? ": law" : ": laws");
  for (int k = 0; k < named; k++)
    used += (size_t)snprintf(text + used, CONFLICT_TEXT - used, "%s %d", k ? "," : "",
                             number_of(solver, solver->involved[k]));
  if (count > named) used += (size_t)snprintf(text + used, CONFLICT_TEXT - used, " and %d others", count - named);
  (void)snprintf(text + used, CONFLICT_TEXT - used, " cannot be satisfied%s", count > 1 ? " together" : "");
}

const int *picus_solver_conflict(const picus_solver *solver, int *count) {
  *count = solver->conflict_count;
  return *count ? solver->involved : NULL;
}

/* The problem that was solved instead, for spatial friction; otherwise nothing. */
static void write_approximation(const attempt *a, char text[CONFLICT_TEXT]) {
  text[0] = '\0';
  if (a->best.facets)
    (void)snprintf(text, CONFLICT_TEXT,
                   " with round friction cones, only with pyramids of %d facets (more facets reduce the error)",
                   a->best.facets);
}

static picus_status say_unsolved(picus_solver *solver, const picus_contact_problem *problem, const attempt *a) {
  bool none = a->no_solution && a->best.residual.relative > NEARLY_SOLVED;
  char tried[NAMES_TEXT], more[CONFLICT_TEXT];
  write_names(tried, tried_at, a);
  if (none) solver->conflict_count = list_involved(problem->law_count, solver->involved);
  if (none)
    write_conflict(solver, more);
  else
    write_approximation(a, more);
  return picus_fail(solver->context, none ? PICUS_NO_SOLUTION : PICUS_NOT_CONVERGED,
                    "%s%s: the best relative residual is %.3g (tolerance %.3g), worst at law %d of 0 to %d; tried: %s",
                    none ? "the contact problem seems to have no solution" : "the contact problem was not solved", more,
                    a->best.residual.relative, solver->tolerance, number_of(solver, a->best.residual.worst_law),
                    whole_laws(solver, problem->law_count) - 1, tried);
}

static picus_status refuse_kind(picus_solver *solver, int law, const char *why) {
  return picus_fail(solver->context, PICUS_ERROR_UNSUPPORTED,
                    "the solver %s cannot solve law %d: %s; choose gs or auto", solver->options.solver,
                    number_of(solver, law), why);
}

static bool is_cold(const picus_contact_problem *problem, const double *P) {
  for (int k = 0; k < problem->size; k++)
    if (P[k] != 0) return false;
  return true;
}

/* What is enough for heaps is enough for a pile, if newton does not find better. */
static bool is_enough(const picus_solver *solver, const picus_contact_problem *problem, const attempt *a) {
  return a->best.residual.relative <= solver->many_tolerance && is_pile(problem);
}

/* Paths take ten times as long as all else, and are not for a pile that is solved well enough; nor are the last resorts
 * before an error, because a run goes on. */
static bool is_worth_a_path(const picus_solver *solver, const picus_solver_stage *stage,
                            const picus_contact_problem *problem, const attempt *a) {
  if (!(solver->many_accept > 0) || stage->opening == PICUS_OPENS || stage->opening == PICUS_OPENS_WARM) return true;
  if (!is_pile(problem)) return true;
  const bool last_resort = stage->ops == &picus_newton_solver || stage->ops == &picus_psor_solver;
  return !(last_resort && stage->opening == PICUS_ALONE) && !is_enough(solver, problem, a);
}

/* Whether a stage of the chain should run now. */
static bool has_its_turn(const picus_solver *solver, const picus_solver_stage *stage,
                         const picus_contact_problem *problem, const picus_mode *modes, const attempt *a) {
  if (!meant_for_size(stage, problem->size)) return false;
  if (stage->suits && !stage->suits(problem, modes, is_heap(solver, problem))) return false;
  if (a->tried_count > 0 && solver->options.no_fallback) return false;
  if (!is_worth_a_path(solver, stage, problem, a)) return false;
  if (stage->warm && !a->warm) return false;
  if (solver->tolerance < stage->least_tolerance) return false;
  if (stage->within > 0 && !(a->best.residual.relative < stage->within * solver->tolerance)) return false;
  return stage->residual_below == 0 || a->best.residual.relative < stage->residual_below;
}

/* Percussions a billion times those that would stop the free motion, as of a heavy body on a light one: no solver comes
 * closer than round-off allows, and what is left would be accepted after all of them. */
static bool is_at_rounding(const picus_solver *solver, const picus_contact_problem *problem, const double *P,
                           const attempt *a) {
  const double best = a->best.residual.relative;
  if (!(best > ROUNDING_EXCUSES && best <= solver->accept_residual)) return false;
  return best <= NEAR_ROUNDING * picus_contact_rounding_floor(problem, P);
}

static picus_status run_chain(picus_solver *solver, const picus_contact_problem *problem, double *P, picus_mode *modes,
                              picus_solve_info *info) {
  attempt a = {.best = {.residual = {INFINITY, INFINITY, -1}, .solver = "none"}};
  const char *first_refusal = NULL;
  int refusing_law = -1;
  if (solver->keeps_solutions && is_solved(solver, problem, P, modes, &a.best.residual)) {
    a.best.solver = solver->options.solver;
    return fill_info(info, PICUS_OK, &a.best);
  }
  a.best.residual = (picus_residual){INFINITY, INFINITY, -1};
  a.warm = !is_cold(problem, P);
  if (a.warm && solver->chain->chooses) memcpy(solver->start_P, P, (size_t)problem->size * sizeof *P);
  memset(solver->involved, 0, (size_t)problem->law_count * sizeof *solver->involved);
  for (int k = 0; k < chain_length(solver); k++) {
    const picus_solver_stage *stage = &solver->chain->stages[k];
    int law = -1;
    const char *refusal = stage->ops->refusal ? stage->ops->refusal(problem, &law) : NULL;
    if (refusal && k == 0 && !solver->chain->chooses) { /* of the solver that the user named */
      first_refusal = refusal;
      refusing_law = law;
    }
    if (refusal || !has_its_turn(solver, stage, problem, modes, &a)) continue;
    if (a.tried_count > 0 || first_refusal) a.best.fallbacks++;
    if (run_stage(solver, stage, problem, P, modes, &a)) return fill_info(info, PICUS_OK, &a.best);
    if (is_at_rounding(solver, problem, P, &a)) break;
  }
  if (a.tried_count == 0) return give_up(problem, P, modes, info, refuse_kind(solver, refusing_law, first_refusal));
  const bool enough = is_enough(solver, problem, &a);
  a.best.accepted = !enough && a.best.residual.relative <= solver->accept_residual; /* P is the best one found */
  if (enough || a.best.accepted) return fill_info(info, PICUS_OK, &a.best);
  return fill_info(info, say_unsolved(solver, problem, &a), &a.best);
}

/* Few spatial contacts: a solution that is found at once, the same for a dense and a block-sparse G. If none is found,
 * nothing has happened. */
static bool solve_few(const picus_solver *solver, const picus_contact_problem *problem, double *P, picus_mode *modes,
                      picus_solve_info *info) {
  const picus_small_task task = {solver->tolerance, solver->options.max_iterations, solver->keeps_solutions};
  double G[PICUS_SMALL_ROWS * PICUS_SMALL_ROWS];
  picus_small_result result;
  if (!solver->chain->chooses || !picus_is_small(problem)) return false;
  const picus_contact_problem whole = picus_contact_to_dense(problem, G);
  if (!picus_solve_small(&whole, &task, P, modes, &result)) return false;
  const picus_solve_info few = {
      .iterations = result.iterations, .solver = picus_newton_solver.description.name, .residual = result.residual};
  fill_info(info, PICUS_OK, &few);
  return true;
}

static picus_status solve_any(picus_solver *solver, const picus_contact_problem *problem, double *P, picus_mode *modes,
                              picus_solve_info *info) {
  solver->conflict_count = 0;
  solver->blocks_are_current = false;
  choose_tolerance(solver, problem);
  if (problem->law_count == 0 && problem->size == 0) {
    picus_solve_info nothing = {.solver = solver->options.solver, .residual = {0, 0, -1}};
    return fill_info(info, PICUS_OK, &nothing);
  }
  /* One law has a closed form, and its residual proves it: then no other check is needed. */
  const bool is_safe =
      picus_operator_of(problem)->is_whole || solver->part.numbers || picus_contact_problem_fits(problem);
  if (solver->starts_direct && is_safe && picus_solve_single_law(problem, P)) {
    picus_solve_info single = {.iterations = 1, .solver = picus_direct_solver.description.name};
    if (is_solved(solver, problem, P, modes, &single.residual)) return fill_info(info, PICUS_OK, &single);
  }
  if (is_safe && solve_few(solver, problem, P, modes, info)) return PICUS_OK;
  if (!solver->part.numbers && !picus_contact_problem_fits(problem)) /* a part belongs to a problem that does */
    return picus_fail(solver->context, PICUS_ERROR_DIMENSION,
                      "the rows of the %d laws do not match the %d rows of the contact problem", problem->law_count,
                      problem->size);
  int spoilt = picus_contact_first_not_finite(problem);
  if (spoilt >= 0) return refuse_not_finite(solver, problem, spoilt, P, modes, info);
  picus_status status = picus_solver_reserve_whole(solver, problem->law_count, problem->size);
  if (status) return status;
  return run_chain(solver, problem, P, modes, info);
}

double picus_solver_direct_tolerance(const picus_solver *solver, int law_count) {
  const bool one_by_one = law_count == 1 || solver->chain->chooses;
  return solver->starts_direct && one_by_one && !solver->options.minimum_norm ? solver->options.tolerance : -1;
}

/* A better solution near P, if Newton's method finds one: which contacts are at rest shows only beyond the noise that
 * the tolerance allows. */
static void sharpen(picus_solver *solver, const picus_contact_problem *problem, double *P, picus_mode *modes,
                    int *iterations) {
  size_t bytes = (size_t)problem->size * sizeof *P;
  double relative = picus_contact_judge(problem, P, NULL, NULL, NULL).relative;
  picus_solver_options options = solver->options;
  options.tolerance = SHARPER * solver->tolerance;
  memcpy(solver->best_P, P, bytes);
  picus_contact_problem changed_form;
  const picus_contact_problem *given = problem_for(solver, &picus_newton_solver, problem, &changed_form);
  if (!given) return;
  picus_newton_solver.solve(&options, given, solver->memory, P, modes, iterations);
  picus_contact_project(problem, P);
  if (!(picus_contact_judge(problem, P, NULL, NULL, modes).relative < relative)) memcpy(P, solver->best_P, bytes);
}

/* The dual of minimum_norm.c has one cone for each contact, without rolling friction. */
static bool has_rolling(const picus_contact_problem *problem) {
  for (int i = 0; i < problem->law_count; i++)
    if (problem->laws[i].kind == PICUS_ROLLING) return true;
  return false;
}

/* Replaces a solution by the minimum-norm percussion that does the same, if that is found and solves the problem as
 * well.
 */
static picus_status shorten(picus_solver *solver, const picus_contact_problem *problem, double *P, picus_mode *modes,
                            picus_solve_info *info) {
  size_t bytes = (size_t)problem->size * sizeof *P;
  picus_residual residual;
  int iterations = 0;
  if (problem->size == 0 || problem->size > PICUS_MINIMUM_NORM_ROWS || has_rolling(problem)) return PICUS_OK;
  picus_status status = picus_solver_reserve_whole(solver, problem->law_count, problem->size);
  if (status) return status;
  picus_contact_problem changed_form; /* direct needs a dense G, as minimum_norm.c does */
  const picus_contact_problem *whole = problem_for(solver, &picus_direct_solver, problem, &changed_form);
  if (!whole) return PICUS_OK;
  sharpen(solver, problem, P, modes, &iterations);
  memcpy(solver->best_P, P, bytes);
  bool found = picus_minimum_norm(whole, solver->tolerance, solver->memory, P);
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

static inline picus_status solve_as_given(picus_solver *solver, const picus_contact_problem *problem, double *P,
                                          picus_mode *modes, picus_solve_info *info) {
  picus_status status = solve_any(solver, problem, P, modes, info);
  return !status && solver->options.minimum_norm ? shorten(solver, problem, P, modes, info) : status;
}

/* The problem without the constraints that follow from others. *left_out: there are some, and it has been solved. */
static picus_status solve_independent(picus_solver *solver, const picus_contact_problem *problem, double *P,
                                      picus_mode *modes, picus_solve_info *info, bool *left_out) {
  picus_dependence *d = &solver->dependence;
  const picus_problem_part part = solver->part;
  *left_out = false;
  if (!part.numbers && !picus_contact_problem_fits(problem)) return PICUS_OK; /* is reported by solve_any */
  if (problem->size > PICUS_DEPENDENT_ROWS || picus_contact_first_not_finite(problem) >= 0) return PICUS_OK;
  picus_status status = picus_dependence_reserve(d, problem->size);
  if (status) return status;
  const double tolerance = picus_solver_tolerance(solver, whole_laws(solver, problem->law_count));
  *left_out = picus_dependence_find(d, problem, tolerance, part.numbers, P, modes);
  if (!*left_out) return PICUS_OK;
  solver->part = (picus_problem_part){.whole_laws = whole_laws(solver, problem->law_count),
                                      .whole_scale = part.whole_scale,
                                      .numbers = d->numbers,
                                      .thrifty = part.numbers ? part.thrifty : solver->thrifty};
  status = solve_as_given(solver, &d->kept, d->P, d->modes, info);
  solver->part = part;
  picus_dependence_share(d, problem, P, modes);
  if (info && info->residual.worst_law >= 0) info->residual.worst_law = d->own[info->residual.worst_law];
  for (int k = 0; k < solver->conflict_count; k++) solver->involved[k] = d->own[solver->involved[k]];
  return status;
}

picus_status picus_solver_judge_prescribed(picus_solver *solver, const picus_contact_problem *problem,
                                           picus_prescribed prescribed) {
  picus_dependence *d = &solver->dependence;
  d->found = (picus_left_out){0};
  if (d->most == 0 || problem->size > PICUS_DEPENDENT_ROWS || picus_contact_first_not_finite(problem) >= 0)
    return PICUS_OK;
  picus_status status = picus_dependence_reserve(d, problem->size);
  if (status) return status;
  d->prescribed = prescribed;
  picus_dependence_judge(d, problem);
  d->prescribed = (picus_prescribed){0};
  return PICUS_OK;
}

static picus_status solve_whole(picus_solver *solver, const picus_contact_problem *problem, double *P,
                                picus_mode *modes, picus_solve_info *info) {
  solver->dependence.found = (picus_left_out){0};
  if (solver->dependence.most > 0) {
    bool left_out;
    picus_status status = solve_independent(solver, problem, P, modes, info, &left_out);
    if (status || left_out) return status;
  }
  return solve_as_given(solver, problem, P, modes, info);
}

picus_status picus_solver_solve_part(picus_solver *solver, const picus_contact_problem *problem,
                                     const picus_problem_part *part, double *P, picus_mode *modes,
                                     picus_solve_info *info) {
  solver->part = *part;
  picus_status status = solve_whole(solver, problem, P, modes, info);
  solver->part = (picus_problem_part){0};
  return status;
}

/* After a solve of islands that ended in PICUS_NO_SOLUTION. */
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
  if (!picus_contact_problem_fits(problem)) return PICUS_OK; /* is reported by solve_any */
  picus_status status = need_crew(solver);
  if (status) return status;
  picus_island_task task = {.keeps_solutions = solver->keeps_solutions,
                            .thrifty = solver->thrifty,
                            .prescribed = solver->dependence.prescribed,
                            .large = solver,
                            .problem = problem,
                            .P = P,
                            .modes = modes,
                            .info = info};
  status = picus_island_crew_solve(solver->islands, &task);
  *found = task.found;
  if (*found) solver->dependence.found = picus_island_crew_left_out(solver->islands);
  picus_account_take(&solver->account, &task.spent);
  if (*found) keep_conflict(solver, &task);
  return status;
}

const int *picus_solver_island(const picus_solver *solver, int law, int *count) {
  return picus_island_crew_laws(solver->islands, law, count);
}

static picus_status solve(picus_solver *solver, const picus_contact_problem *problem, double *P, picus_mode *modes,
                          picus_solve_info *info) {
  const int solved_at_once = problem->size > problem->law_count ? ISLAND_ROWS : PLAIN_ISLAND_ROWS;
  const bool searched = problem->size > solved_at_once ? !picus_small_is_connected(problem)
                                                       : problem->law_count > 1 && picus_laws_are_apart(problem);
  if (searched && solver->chain->chooses) {
    bool found;
    picus_status status = solve_islands(solver, problem, P, modes, info, &found);
    if (status || found) return status;
  }
  return solve_whole(solver, problem, P, modes, info);
}

picus_status picus_solver_solve(picus_solver *solver, const picus_contact_problem *problem, double *P,
                                picus_mode *modes, picus_solve_info *info) {
  const bool has_account = solver->many_accept > 0 && problem->size > PICUS_PILE_ROWS;
  if (has_account) solver->thrifty = picus_account_is_overdrawn(&solver->account);
  picus_status status = solve(solver, problem, P, modes, info);
  if (has_account) {
    picus_account_settle(&solver->account, problem->law_count, problem->size);
    solver->thrifty = false;
  }
  return status;
}
