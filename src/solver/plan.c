/* The plans of all solvers: one table of stages for each name, every threshold of "auto", the features of problems and
 * results that stages depend on, and the budget of granular matter.
 *
 * Measured: the command `make bench-solvers BENCH_OPTIONS=--profile` prints how often each stage decides and what it
 * takes; [auto] is the item or section of bench/notes/auto.md that describes the limit. */
#include "base/elementary.h"
#include "simultaneous/coupled.h"
#include "simultaneous/scaling.h"
#include "solver/islands.h"

#include <limits.h>

/* --- thresholds ----------------------------------------------------------------------------------------------- */

/* Iterations of the method in the same stage. */
enum {
  GUESSES = 20,            /* mode sets of direct [auto 1] */
  REPEATS = 2,             /* the same from a warm start [auto 1] */
  JOINT_STEPS = 8,         /* of newton before sweeps: modes of few contacts are found soon or not at all [auto 2] */
  WARM_STEPS = 5,          /* of newton without gain: it soon finds the modes that have changed [auto 2] */
  STEPS = 16,              /* of newton without gain: harder problems are for homotopy [auto 4] */
  SWEEPS_WEIGHED = 3000,   /* of gs and psor that compare their work with that of the others [auto 3] */
  SWEEPS = 100,            /* of gs over bodies: newton takes about as much [auto, sweeps or factorizations] */
  SWEEPS_EXPENSIVE = 1000, /* the same where others would take very long [auto, work budget] */
  PATH = 300,              /* of homotopy up to PICUS_PATH_ROWS [auto 9] */
  PROXIMAL_STEPS = 200,    /* of proximal: it takes 20 to 40 on the average, and less than a path [auto 5] */
  SPLITTINGS = 2000        /* of admm: each takes a twentieth of a factorization [auto 6] */
};

enum { MANY_NEIGHBOURS = 10 }; /* blocks for each law on the average: factors of a large G fill up [auto] */
#define NEARLY_COMPATIBLE 1e-6 /* relative residual: contacts that stick may lack nothing but directions [auto 8] */
#define WORTH_FINISHING 1e-4   /* relative residual: the modes are probably right; after methods that were named */
#define ROUGH 5e-6             /* a tolerance that admm reaches sooner than a long path [auto 6] */
#define ENOUGH 5e-11 /* a natural map of about 1e-8 g dt: paths are not worth their time [auto, work budget] */

/* The budget of granular matter counts work in sweeps over one row, measured for [auto, work budget]. */
#define STEP_SWEEPS 25.0          /* work of the other parts of a step: detection, evaluation, assembly */
#define FACTORIZATION_SWEEPS 25.0 /* work of a step of newton or homotopy with its factorization: 12 to 33 */
enum {
  FACTORIZATIONS = 1000, /* of one method; paths of several hundred rows take 100 to 400 */
  BUDGET_MOST = 400,     /* factorizations that can be saved up, or owed */
  FREE_PATH = 50,      /* factorizations for each problem of PICUS_BUDGET_ROWS: a path in every second or third step */
  LONGER_PAUSE = 4,    /* times, after each attempt of sweeps that failed [auto, warm starts] */
  LONGEST_PAUSE = 255, /* problems [auto, warm starts] */
  CREEPING = 10000,    /* problems after one in which contacts crept: gaps may begin it again [auto, creep] */
  SEARCH_MOST = 100    /* the same as BUDGET_MOST where contacts creep; 400 change hardly anything [auto, creep] */
};

/* The limits of stages (sweep/method.h). */
static const picus_limits weighed = {.others_follow = true, .rate_seen = 12, .early = 2}, /* [auto 3] */
    weighed_warm = {.others_follow = true, .rate_seen = 3, .early = 1, .is_warm = true},  /* [auto 2] */
    stagnant = {.others_follow = true, .patience = 32, .gain = 0.5}; /* of sweeps alone [auto, work budget] */

/* --- the tables ------------------------------------------------------------------------------------------------ */

/* The stages that follow the method that the user named. */
#define PIVOTING                                                                                                       \
  { .ops = &picus_planar_lemke_solver, .most_rows = PICUS_WHOLE_ROWS }
#define FINISH                                                                                                         \
  { .ops = &picus_direct_solver, .most_rows = PICUS_WHOLE_ROWS, .residual_below = WORTH_FINISHING }

/* Described by its first method, except for "auto", which is none. */
static const picus_plan_table tables[] = {
    {.description = {"auto", "direct for small problems, then gs, newton, homotopy; the first that succeeds",
                     "Picus, docs/solvers.md"},
     .closed_forms = INT_MAX,
     .islands_of = PICUS_ISLAND_ROWS,
     .islands_plain = PICUS_PLAIN_ISLAND_ROWS,
     .joints_of = PICUS_CONDENSED_ROWS,
     .stages =
         {{.ops = &picus_closed_form_solver, .is_trial = true, .most_laws = 1},
          {.ops = &picus_small_solver,
           .is_trial = true,
           .excludes = PICUS_BODIES,
           .most_laws = PICUS_SMALL_LAWS,
           .most_rows = PICUS_SMALL_ROWS},
          {.ops = &picus_direct_solver, .most_rows = PICUS_CASES_ROWS},
          {.ops = &picus_direct_solver,
           .least_rows = PICUS_CASES_ROWS + 1,
           .most_rows = PICUS_GUESSES_ROWS,
           .max_iterations = GUESSES},
          {.ops = &picus_direct_solver,
           .needs = PICUS_WARM,
           .least_rows = PICUS_GUESSES_ROWS + 1,
           .most_rows = PICUS_REPEAT_ROWS,
           .max_iterations = REPEATS},
          {.ops = &picus_newton_solver,
           .needs = PICUS_JOINTED,
           .least_rows = PICUS_GUESSES_ROWS + 1,
           .max_iterations = JOINT_STEPS},
          {.ops = &picus_gs_solver,
           .limits = &weighed_warm,
           .tells_pause = true,
           .needs = PICUS_WARM,
           .excludes = PICUS_GRANULAR | PICUS_BODIES | PICUS_STEPPED,
           .least_rows = PICUS_GUESSES_ROWS + 1,
           .max_iterations = SWEEPS_WEIGHED},
          {.ops = &picus_newton_solver,
           .start = PICUS_AS_GIVEN,
           .limits = &weighed,
           .tells_pause = true,
           .needs = PICUS_WARM,
           .excludes = PICUS_GRANULAR | PICUS_BODIES,
           .least_rows = PICUS_GUESSES_ROWS + 1,
           .max_iterations = WARM_STEPS},
          {.ops = &picus_gs_solver,
           .limits = &weighed,
           .tells_pause = true,
           .excludes = PICUS_GRANULAR | PICUS_BODIES,
           .max_iterations = SWEEPS_WEIGHED},
          {.ops = &picus_gs_solver,
           .limits = &weighed,
           .needs = PICUS_BODIES,
           .excludes = PICUS_GRANULAR | PICUS_FILLS,
           .max_iterations = SWEEPS},
          {.ops = &picus_gs_solver,
           .limits = &weighed,
           .needs = PICUS_BODIES | PICUS_FILLS,
           .excludes = PICUS_GRANULAR,
           .max_iterations = SWEEPS_EXPENSIVE},
          {.ops = &picus_gs_solver, .limits = &stagnant, .needs = PICUS_GRANULAR, .max_iterations = SWEEPS_EXPENSIVE},
          {.ops = &picus_newton_solver, .limits = &weighed, .excludes = PICUS_GRANULAR, .max_iterations = STEPS},
          {.ops = &picus_proximal_solver,
           .excludes = PICUS_GRANULAR,
           .until_creep = true,
           .least_rows = PICUS_CASES_ROWS + 1,
           .most_rows = PICUS_WHOLE_ROWS,
           .max_iterations = PROXIMAL_STEPS},
          {.ops = &picus_gs_solver,
           .excludes = PICUS_GRANULAR | PICUS_BODIES,
           .most_rows = PICUS_ROUNDING_ROWS,
           .residual_below = NEARLY_COMPATIBLE,
           .max_iterations = SWEEPS_WEIGHED},
          {.ops = &picus_admm_solver,
           .start = PICUS_FROM_ZERO,
           .excludes = PICUS_GRANULAR | PICUS_BODIES,
           .unless_sticking = true,
           .least_rows = PICUS_LONG_PATH_ROWS + 1,
           .least_tolerance = ROUGH,
           .max_iterations = SPLITTINGS},
          {.ops = &picus_planar_lemke_solver, .most_rows = PICUS_PIVOT_ROWS},
          {.ops = &picus_continuation_solver,
           .excludes = PICUS_GRANULAR,
           .unless_creeping = true,
           .most_rows = PICUS_RANK_ROWS,
           .residual_below = NEARLY_COMPATIBLE},
          {.ops = &picus_homotopy_solver,
           .start = PICUS_FROM_ZERO,
           .unless_creeping = true,
           .until_creep = true,
           .most_rows = PICUS_PATH_ROWS,
           .max_iterations = PATH},
          {.ops = &picus_homotopy_solver,
           .start = PICUS_FROM_ZERO,
           .excludes = PICUS_GRANULAR,
           .unless_creeping = true,
           .until_creep = true,
           .least_rows = PICUS_PATH_ROWS + 1},
          {.ops = &picus_planar_lemke_solver, /* proves that there is no solution */
           .excludes = PICUS_GRANULAR,
           .least_rows = PICUS_PIVOT_ROWS + 1,
           .most_rows = PICUS_WHOLE_ROWS}}},
    {.closed_forms = 1,
     .stages = {{.ops = &picus_closed_form_solver, .is_trial = true, .most_laws = 1},
                {.ops = &picus_direct_solver},
                {.ops = &picus_psor_solver},
                PIVOTING,
                FINISH}},
    {.stages = {{.ops = &picus_gs_solver}, {.ops = &picus_psor_solver}, PIVOTING, FINISH}},
    {.stages = {{.ops = &picus_psor_solver}, PIVOTING, FINISH}},
    {.stages = {{.ops = &picus_pjor_solver}, {.ops = &picus_psor_solver}, PIVOTING, FINISH}},
    {.stages = {{.ops = &picus_lemke_solver}, {.ops = &picus_gs_solver}, {.ops = &picus_psor_solver}, FINISH}},
    {.stages = {{.ops = &picus_newton_solver}, {.ops = &picus_gs_solver}, PIVOTING, FINISH}},
    {.stages = {{.ops = &picus_newton_jm_solver}, {.ops = &picus_gs_solver}, PIVOTING, FINISH}},
    {.stages = {{.ops = &picus_admm_solver}, {.ops = &picus_homotopy_solver}}},
    {.stages = {{.ops = &picus_homotopy_solver}, {.ops = &picus_gs_solver}}},
};

const picus_plan_table *picus_plan_table_at(int index) {
  return index >= 0 && index < (int)(sizeof tables / sizeof *tables) ? &tables[index] : NULL;
}

const picus_solver_description *picus_solver_at(int index) {
  const picus_plan_table *table = picus_plan_table_at(index);
  if (!table) return NULL;
  if (table->description.name) return &table->description;
  const picus_stage *stage = table->stages;
  while (stage->is_trial) stage++;
  return &stage->ops->description;
}

/* --- islands ---------------------------------------------------------------------------------------------------- */

bool picus_plan_searches_islands(const picus_plan_table *table, const picus_contact_problem *problem) {
  if (table->islands_of == 0) return false;
  const int solved_at_once = problem->size > problem->law_count ? table->islands_of : table->islands_plain;
  if (problem->size > solved_at_once) return !picus_small_is_connected(problem);
  return problem->law_count > 1 && picus_laws_are_decoupled(problem);
}

int picus_plan_island_rows(const picus_plan_table *table, int law_count, int rows) {
  if (law_count < 2) return 0;
  return rows < table->islands_plain ? rows : table->islands_plain;
}

/* --- joints ----------------------------------------------------------------------------------------------------- */

static int joint_rows(const picus_contact_problem *problem) {
  int rows = 0;
  for (int i = 0; i < problem->law_count; i++) rows += problem->laws[i].kind == PICUS_BILATERAL;
  return rows;
}

bool picus_plan_eliminates_joints(const picus_plan_table *table, const picus_contact_problem *problem) {
  if (table->joints_of == 0 || problem->law_count < 2) return false;
  const int joints = joint_rows(problem);
  return joints > 0 && problem->size - joints <= table->joints_of;
}

/* --- budget ----------------------------------------------------------------------------------------------------- */

/* A factorization of so many rows. */
static long long factorization_rows(int rows) { return rows + (long long)rows * rows / PICUS_FILLED_ROWS; }

picus_budget picus_budget_new(void) { return (picus_budget){.left = INFINITY, .search_left = INFINITY}; }

void picus_budget_note(picus_budget *budget, const picus_stage *stage, int iterations, int rows) {
  if (rows <= PICUS_BUDGET_ROWS) return;
  if (stage->ops->factorizes) budget->factored += iterations * factorization_rows(rows);
  if (stage->ops == &picus_gs_solver && stage->limits) budget->swept += (long long)iterations * rows;
}

void picus_budget_take(picus_budget *budget, picus_budget *other) {
  budget->swept += other->swept;
  budget->factored += other->factored;
  budget->searched += other->searched;
  budget->crept |= other->crept;
  budget->warm_swept += other->warm_swept;
  budget->warm_failed += other->warm_failed;
  budget->warm_stepped += other->warm_stepped;
  other->swept = other->factored = 0;
  other->searched = 0;
  other->crept = false;
  other->warm_swept = other->warm_stepped = other->warm_failed = 0;
}

/* Each problem earns the work of its sweeps and of the rest of a step. Tens of bodies are solved exactly, as a rule:
 * near PICUS_BUDGET_ROWS a problem may also try a path in each step. Larger ones earn less and less of that, without a
 * jump, and problems that are granular by their size earn nothing: their factors fill up, and newton hardly ever
 * arrives. */
void picus_budget_settle(picus_budget *budget, int law_count, int rows) {
  const double size = (double)rows / PICUS_BUDGET_ROWS, path = FACTORIZATION_SWEEPS * FREE_PATH * PICUS_BUDGET_ROWS;
  const double of_size = size > 1 ? path / (size * size * size * size) : path;
  const double earned =
      (1 - picus_granular_share(law_count)) * (fmax(STEP_SWEEPS * rows, of_size) + (double)budget->swept);
  const double most = FACTORIZATION_SWEEPS * BUDGET_MOST * (double)factorization_rows(rows);
  budget->left = fmin(budget->left + earned, most) - FACTORIZATION_SWEEPS * (double)budget->factored;
  budget->left = fmax(budget->left, -most);
  budget->swept = budget->factored = 0;
}

void picus_budget_note_warm(picus_budget *budget, const picus_stage *stage, bool solved, int rows) {
  if (!stage->tells_pause || rows <= PICUS_GUESSES_ROWS) return;
  if (!stage->ops->factorizes)
    budget->warm_swept += solved ? rows : 0;
  else if (solved)
    budget->warm_stepped += rows;
  else
    budget->warm_failed += rows;
}

void picus_budget_settle_warm(picus_budget *budget) {
  const long long stepped = budget->warm_stepped, swept = budget->warm_swept, failed = budget->warm_failed;
  budget->warm_swept = budget->warm_stepped = budget->warm_failed = 0;
  if (stepped + swept + failed == 0) return;
  if (swept >= stepped) {
    if (swept > 0) budget->pause /= 2;
    budget->wait = 0;
  } else if (failed > stepped) {
    budget->wait = 0;
  } else if (budget->wait > 0) {
    budget->wait--;
  } else {
    const bool is_short = budget->pause >= 0 && budget->pause < LONGEST_PAUSE / LONGER_PAUSE;
    budget->pause = is_short ? LONGER_PAUSE * (budget->pause + 1) - 1 : LONGEST_PAUSE;
    budget->wait = budget->pause;
  }
}

/* Sweeps that compare their work with that of the others are no search. */
static bool is_search(const picus_stage *stage) {
  return stage->ops->factorizes || !stage->limits || stage->limits->rate_seen == 0;
}

void picus_budget_note_search(picus_budget *budget, const picus_stage *stage, int iterations, int rows) {
  if (!is_search(stage)) return;
  budget->searched += (stage->ops->factorizes ? FACTORIZATION_SWEEPS : 1) * (double)iterations * rows;
}

/* Each problem earns the work of the other parts of its step. */
void picus_budget_settle_search(picus_budget *budget, int rows) {
  const double most = FACTORIZATION_SWEEPS * SEARCH_MOST * (double)rows;
  budget->search_left = fmin(budget->search_left + STEP_SWEEPS * (double)rows, most) - budget->searched;
  budget->search_left = fmax(budget->search_left, -most);
  budget->searched = 0;
  if (budget->crept)
    budget->creeping = CREEPING;
  else if (budget->creeping > 0)
    budget->creeping--;
  budget->crept = false;
}

/* --- plans ------------------------------------------------------------------------------------------------------ */

double picus_goal_tolerance(const picus_goal *goal, int law_count) {
  const double usual = goal->tolerance, most = picus_larger(usual, goal->many.tolerance);
  const double share = picus_granular_share(law_count);
  return share == 0 ? usual : share == 1 ? most : usual * picus_pow(most / usual, share);
}

/* What stages and goals depend on, found once: the stages compare it (picus_plan_runs). A contact alone has no more
 * than the first two. */
static unsigned find_features(const picus_whole *whole, const picus_contact_problem *problem, const double *P) {
  const picus_operator *G = picus_operator_of(problem);
  const bool many = whole->laws > PICUS_MANY_LAWS, bodies = G->by_velocities;
  unsigned found = 0;
  for (int k = 0; k < problem->size && !found; k++)
    if (P[k] != 0) found = whole->stepped ? PICUS_WARM | PICUS_STEPPED : PICUS_WARM;
  if (bodies) found |= PICUS_BODIES;
  if (problem->size <= PICUS_GUESSES_ROWS && !many) return found; /* the rest belongs to larger problems */
  const int joints = joint_rows(problem);
  const bool large = problem->size > PICUS_BUDGET_ROWS && joints == 0;
  const bool part = problem->law_count > PICUS_MANY_LAWS || problem->size > PICUS_GRANULAR_ROWS;
  if (joints == 0) found |= PICUS_CONTACTS;
  int spatial; /* friction along lines only is solved by pivoting where contacts creep as elsewhere */
  if (whole->searches || !picus_refuse_spatial_friction(problem, &spatial)) found |= PICUS_SEARCHED;
  if (many || (problem->size > PICUS_GRANULAR_ROWS && joints == 0)) found |= PICUS_CROWDED;
  if (problem->size <= PICUS_GUESSES_ROWS) return found;
  if (problem->size > PICUS_FILL_ROWS && G->neighbours(problem) > MANY_NEIGHBOURS) found |= PICUS_FILLS;
  if (2 * joints > problem->size && !(found & PICUS_FILLS)) found |= PICUS_JOINTED;
  if (large && whole->runs) found |= PICUS_BUDGETED;
  /* only sweeps are tried: paths take minutes, and Newton's method hardly ever converges. The same holds for large
   * islands of granular matter, and for smaller problems of contacts alone while the budget is spent */
  if (whole->spent ? large : bodies && many && part) found |= PICUS_GRANULAR;
  return found;
}

/* Islands have the tolerance of the whole problem: granular matter that falls into parts is not asked for more. With
 * joints, a poor answer is not accepted below PICUS_MANY_LAWS: bodies would come off each other. */
void picus_plan_make(const picus_plan_table *table, const picus_goal *goal, const picus_whole *whole,
                     const picus_contact_problem *problem, const double *P, picus_plan *plan) {
  const picus_many many = goal->many;
  const unsigned found = find_features(whole, problem, P);
  *plan = (picus_plan){.table = table,
                       .features = found,
                       .starts_warm = found & PICUS_WARM,
                       .tolerance = picus_goal_tolerance(goal, whole->laws),
                       .accept_residual = goal->accept_residual,
                       .creep = found & PICUS_CONTACTS ? many.creep : 0};
  plan->creep_tolerance = found & PICUS_SEARCHED ? plan->tolerance : picus_larger(plan->tolerance, plan->creep);
  if (found & PICUS_CROWDED) plan->accept_residual = picus_larger(goal->accept_residual, many.accept_residual);
  if (!(found & PICUS_BUDGETED)) return;
  plan->enough = fmax(plan->tolerance, fmin(ENOUGH, many.tolerance));
  plan->most_factorizations = FACTORIZATIONS;
}

bool picus_plan_runs(const picus_plan *plan, const picus_stage *stage, const picus_contact_problem *problem,
                     const picus_findings *found) {
  const unsigned features = plan->features;
  if (stage->most_laws && problem->law_count > stage->most_laws) return false;
  if (stage->needs & ~features || stage->excludes & features) return false;
  if (problem->size < stage->least_rows || (stage->most_rows && problem->size > stage->most_rows)) return false;
  if (!found) return true;
  if (stage->unless_sticking && picus_nearly_all_stick(problem, found->modes)) return false;
  /* paths take ten times as long as all else, and are not for a problem that is solved well enough */
  const bool is_weighed = stage->limits && stage->limits->rate_seen > 0;
  if (features & PICUS_BUDGETED && !is_weighed && found->residual <= plan->enough) return false;
  if (stage->unless_creeping && found->creeping) return false;
  if (found->creeping && !(features & PICUS_SEARCHED) && is_search(stage)) return false;
  if (plan->tolerance < stage->least_tolerance) return false;
  return stage->residual_below == 0 || found->residual < stage->residual_below;
}

double picus_plan_tolerance(const picus_plan *plan, const picus_stage *stage) {
  return stage->until_creep ? picus_larger(plan->tolerance, plan->creep_tolerance) : plan->tolerance;
}

int picus_plan_limit(const picus_plan *plan, const picus_stage *stage, bool no_fallback, int given) {
  int most = given;
  if (stage->max_iterations && !no_fallback && stage->max_iterations < most) most = stage->max_iterations;
  const int factorizations = stage->ops->factorizes ? plan->most_factorizations : 0;
  if (factorizations && factorizations < most) most = factorizations;
  return most;
}
