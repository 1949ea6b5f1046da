/* The names a user can choose, and the solvers that run under each of them. */
#include "solver/internal.h"
#include "solver/work.h"

#define NEARLY_COMPATIBLE                                                                                              \
  1e-6                       /* a relative residual below which contacts that stick may lack nothing but directions    \
                              */
#define FEW_LOOSE 0.2        /* share of the laws that open or slip where almost all stick */
#define FEW_DIGITS 100       /* times the tolerance: sweeps get there where paths are long */
#define ROUGH 5e-6           /* a tolerance that a splitting reaches sooner than a long path */
#define WORTH_FINISHING 1e-4 /* a relative residual below which the modes are probably right */

enum {
  AUTO_CASES_ROWS = 8,   /* "auto" tries all mode sets up to this size */
  AUTO_DIRECT_ROWS = 24, /* and a few of them up to this; beyond, sweeps are cheaper than elimination */
  AUTO_GUESSES = 12,     /* so many */
  AUTO_REPEAT_ROWS = 48, /* from a warm start the first guess is almost always right: one elimination, exact */
  AUTO_REPEATS = 2,
  AUTO_WARM_STEPS = 5,       /* without gain: newton finds the modes that have changed since a warm start soon */
  AUTO_SWEEPS = 100,         /* of gs: newton costs about as much */
  AUTO_SWEEPS_DEAR = 1000,   /* the same in heaps, */
  AUTO_SWEEPS_MOST = 3000,   /* and where sweeps weigh their work */
  AUTO_JOINT_STEPS = 8,      /* of newton before sweeps: modes of few contacts are found soon or not at all */
  AUTO_STEPS = 16,           /* of newton: harder problems are for homotopy */
  AUTO_PIVOT_ROWS = 160,     /* pivoting takes less than a path up to this size */
  AUTO_REDUNDANT_ROWS = 192, /* its rank takes size^2 times the rank */
  AUTO_PATH_ROWS = 128,
  AUTO_FEW_PIVOTS = 48,      /* up to here pivoting takes less than a short path */
  AUTO_SPARSE_ROWS = 161,    /* from here on a step of homotopy takes no more than one of newton */
  AUTO_LONG_PATH_ROWS = 401, /* from here on a path takes hundreds of steps where many contacts slip */
  AUTO_SHORT_PATH = 24,      /* of homotopy where almost all contacts stick: it takes 6 to 12 steps there */
  AUTO_PATH = 300, /* of homotopy up to AUTO_PATH_ROWS: a small problem that takes longer has no solution, as a rule */
  AUTO_SPLITTINGS = 2000, /* of admm: an iteration takes a twentieth of a factorization */
  WHOLE_ROWS = 600,       /* pivoting takes seconds and tens of megabytes beyond this size: only on demand */
  SPARSE_ROWS = 400,
  MANY_NEIGHBOURS = 10 /* blocks for each law on the average: factors of a large problem fill up */
};

static bool factors_are_dear(const picus_contact_problem *problem) {
  return problem->size > SPARSE_ROWS && picus_operator_of(problem)->neighbours(problem) > MANY_NEIGHBOURS;
}

static bool is_no_heap(const picus_contact_problem *problem, const picus_mode *modes, bool heap) {
  (void)modes;
  (void)problem;
  return !heap;
}

/* Sweeps over a G with blocks or without zeros weigh their work against that of the others (sweeps.c). */
static bool sweeps_are_weighed(const picus_contact_problem *problem, const picus_mode *modes, bool heap) {
  (void)modes;
  (void)heap; /* has factors */
  return !picus_operator_of(problem)->by_velocities;
}

/* From a warm start newton follows soon; in a heap it does not. */
static bool newton_is_near(const picus_contact_problem *problem, const picus_mode *modes, bool heap) {
  return !heap && sweeps_are_weighed(problem, modes, heap);
}

/* Those over bodies do not: a limit has to do. */
static bool others_are_dear(const picus_contact_problem *problem, const picus_mode *modes, bool heap) {
  (void)modes;
  return picus_operator_of(problem)->by_velocities && (heap || factors_are_dear(problem));
}
static bool others_are_cheap(const picus_contact_problem *problem, const picus_mode *modes, bool heap) {
  return picus_operator_of(problem)->by_velocities && !others_are_dear(problem, modes, heap);
}

/* Joints in most rows: sweeps carry percussions from joint to joint, a factorization solves all of them at once. */
static bool joints_prevail(const picus_contact_problem *problem, const picus_mode *modes, bool heap) {
  (void)modes;
  (void)heap;
  int rows = 0;
  for (int i = 0; i < problem->law_count; i++) rows += problem->laws[i].kind == PICUS_BILATERAL;
  return 2 * rows > problem->size && !factors_are_dear(problem);
}

/* Almost all contacts stick, as far as the sweeps have found out. A path from zero is short then. */
static bool nearly_all_stick(const picus_contact_problem *problem, const picus_mode *modes, bool heap) {
  int loose = 0;
  for (int i = 0; i < problem->law_count; i++) loose += modes[i] != PICUS_STICK;
  return !heap && loose <= FEW_LOOSE * problem->law_count;
}

/* The same with factors of G: newton would need blocks, homotopy takes the graph of the bodies. */
static bool stick_on_blocks(const picus_contact_problem *problem, const picus_mode *modes, bool heap) {
  return !picus_operator_of(problem)->by_velocities && nearly_all_stick(problem, modes, heap);
}
static bool slip_on_blocks(const picus_contact_problem *problem, const picus_mode *modes, bool heap) {
  return !heap && !picus_operator_of(problem)->by_velocities && !nearly_all_stick(problem, modes, heap);
}
static bool stick_on_bodies(const picus_contact_problem *problem, const picus_mode *modes, bool heap) {
  return picus_operator_of(problem)->by_velocities && nearly_all_stick(problem, modes, heap);
}

/* The fallback chain when the named solver fails. */
#define PIVOTING                                                                                                       \
  { .ops = &picus_planar_lemke_solver, .most_rows = WHOLE_ROWS }
#define FINISH                                                                                                         \
  { .ops = &picus_direct_solver, .most_rows = WHOLE_ROWS, .residual_below = WORTH_FINISHING }

/* Described by its first solver, except for "auto", which is none. */
static const picus_solver_chain chains[] = {
    {.description = {"auto", "direct for small problems, then gs, newton, homotopy; the first that succeeds",
                     "Picus, docs/solvers.md"},
     .stages =
         {{.ops = &picus_direct_solver, .most_rows = AUTO_CASES_ROWS},
          {.ops = &picus_direct_solver,
           .least_rows = AUTO_CASES_ROWS + 1,
           .most_rows = AUTO_DIRECT_ROWS,
           .max_iterations = AUTO_GUESSES},
          {.ops = &picus_direct_solver,
           .least_rows = AUTO_DIRECT_ROWS + 1,
           .most_rows = AUTO_REPEAT_ROWS,
           .warm = true,
           .max_iterations = AUTO_REPEATS},
          {.ops = &picus_newton_solver,
           .least_rows = AUTO_DIRECT_ROWS + 1,
           .suits = joints_prevail,
           .max_iterations = AUTO_JOINT_STEPS},
          {.ops = &picus_gs_solver,
           .opening = PICUS_OPENS_WARM,
           .least_rows = AUTO_DIRECT_ROWS + 1,
           .suits = newton_is_near,
           .warm = true,
           .max_iterations = AUTO_SWEEPS_MOST},
          {.ops = &picus_newton_solver,
           .opening = PICUS_OPENS,
           .least_rows = AUTO_DIRECT_ROWS + 1,
           .suits = newton_is_near,
           .warm = true,
           .start = PICUS_AS_GIVEN,
           .max_iterations = AUTO_WARM_STEPS},
          {.ops = &picus_gs_solver,
           .opening = PICUS_OPENS,
           .suits = sweeps_are_weighed,
           .max_iterations = AUTO_SWEEPS_MOST},
          {.ops = &picus_gs_solver, .opening = PICUS_OPENS, .suits = others_are_cheap, .max_iterations = AUTO_SWEEPS},
          {.ops = &picus_gs_solver,
           .opening = PICUS_OPENS,
           .suits = others_are_dear,
           .max_iterations = AUTO_SWEEPS_DEAR},
          {.ops = &picus_homotopy_solver,
           .start = PICUS_FROM_ZERO,
           .least_rows = AUTO_SPARSE_ROWS,
           .suits = stick_on_bodies,
           .max_iterations = AUTO_SHORT_PATH},
          {.ops = &picus_newton_solver, .opening = PICUS_OPENS, .suits = is_no_heap, .max_iterations = AUTO_STEPS},
          {.ops = &picus_homotopy_solver,
           .start = PICUS_FROM_ZERO,
           .least_rows = AUTO_FEW_PIVOTS + 1,
           .suits = stick_on_blocks,
           .max_iterations = AUTO_SHORT_PATH},
          {.ops = &picus_homotopy_solver,
           .start = PICUS_FROM_ZERO,
           .least_rows = AUTO_LONG_PATH_ROWS,
           .suits = slip_on_blocks,
           .least_tolerance = ROUGH,
           .max_iterations = AUTO_SHORT_PATH},
          {.ops = &picus_admm_solver,
           .start = PICUS_FROM_ZERO,
           .least_rows = AUTO_LONG_PATH_ROWS,
           .suits = slip_on_blocks,
           .least_tolerance = ROUGH,
           .max_iterations = AUTO_SPLITTINGS},
          {.ops = &picus_homotopy_solver,
           .start = PICUS_FROM_ZERO,
           .least_rows = AUTO_SPARSE_ROWS,
           .suits = slip_on_blocks,
           .within = FEW_DIGITS,
           .max_iterations = AUTO_SHORT_PATH},
          {.ops = &picus_psor_solver,
           .opening = PICUS_OPENS_A_PATH,
           .least_rows = AUTO_SPARSE_ROWS,
           .suits = slip_on_blocks,
           .within = FEW_DIGITS,
           .max_iterations = AUTO_SWEEPS_MOST},
          {.ops = &picus_planar_lemke_solver, .most_rows = AUTO_PIVOT_ROWS},
          {.ops = &picus_continuation_solver,
           .most_rows = AUTO_REDUNDANT_ROWS,
           .suits = is_no_heap,
           .residual_below = NEARLY_COMPATIBLE},
          {.ops = &picus_homotopy_solver,
           .start = PICUS_FROM_ZERO,
           .most_rows = AUTO_PATH_ROWS,
           .max_iterations = AUTO_PATH},
          {.ops = &picus_homotopy_solver,
           .start = PICUS_FROM_ZERO,
           .least_rows = AUTO_PATH_ROWS + 1,
           .suits = is_no_heap},
          {.ops = &picus_continuation_solver,
           .most_rows = AUTO_REDUNDANT_ROWS,
           .suits = is_no_heap,
           .residual_below = NEARLY_COMPATIBLE},
          {.ops = &picus_planar_lemke_solver,
           .least_rows = AUTO_PIVOT_ROWS + 1,
           .most_rows = WHOLE_ROWS,
           .suits = is_no_heap},
          {.ops = &picus_newton_solver, .suits = is_no_heap},
          {.ops = &picus_psor_solver, .suits = is_no_heap},
          {.ops = &picus_direct_solver,
           .most_rows = WHOLE_ROWS,
           .suits = is_no_heap,
           .residual_below = WORTH_FINISHING}},
     .chooses = true},
    {.stages = {{.ops = &picus_direct_solver}, {.ops = &picus_psor_solver}, PIVOTING, FINISH}},
    {.stages = {{.ops = &picus_gs_solver}, {.ops = &picus_psor_solver}, PIVOTING, FINISH}},
    {.stages = {{.ops = &picus_psor_solver}, PIVOTING, FINISH}},
    {.stages = {{.ops = &picus_pjor_solver}, {.ops = &picus_psor_solver}, PIVOTING, FINISH}},
    {.stages = {{.ops = &picus_lemke_solver}, {.ops = &picus_gs_solver}, {.ops = &picus_psor_solver}, FINISH}},
    {.stages = {{.ops = &picus_newton_solver}, {.ops = &picus_gs_solver}, PIVOTING, FINISH}},
    {.stages = {{.ops = &picus_newton_jm_solver}, {.ops = &picus_gs_solver}, PIVOTING, FINISH}},
    {.stages = {{.ops = &picus_admm_solver}, {.ops = &picus_homotopy_solver}}},
    {.stages = {{.ops = &picus_homotopy_solver}, {.ops = &picus_gs_solver}}},
};

const picus_solver_chain *picus_solver_chain_at(int index) {
  return index >= 0 && index < (int)(sizeof chains / sizeof *chains) ? &chains[index] : NULL;
}

const picus_solver_description *picus_solver_at(int index) {
  const picus_solver_chain *chain = picus_solver_chain_at(index);
  if (!chain) return NULL;
  return chain->description.name ? &chain->description : &chain->stages[0].ops->description;
}
