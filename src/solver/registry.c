/* The names a user can choose, and the solvers that run under each of them. */
#include "solver/internal.h"

#define WORTH_FINISHING 1e-4 /* a relative residual below which the modes are probably right */

enum {
  AUTO_DIRECT_ROWS = 128, /* "auto" guesses modes up to this size; beyond, sweeps are cheaper than elimination */
  WHOLE_ROWS = 600,       /* pivoting takes seconds and tens of megabytes beyond this size: only on demand */
  AUTO_SWEEPS = 200,      /* of gs in "auto": what it has not solved by then, newton finishes sooner */
  AUTO_PATH = 300         /* of homotopy on small problems: one that takes longer has no solution, as a rule */
};

/* What follows when the named solver gives up. */
#define PIVOTING                                                                                                       \
  { .ops = &picus_lcp_solver, .most_rows = WHOLE_ROWS }
#define FINISH                                                                                                         \
  { .ops = &picus_direct_solver, .most_rows = WHOLE_ROWS, .residual_below = WORTH_FINISHING }

/* Described by its first solver, except for "auto", which is none. */
static const picus_solver_chain chains[] = {
    {.description = {"auto", "direct for small problems, then gs, newton, homotopy: whatever solves it first",
                     "Picus, docs/solvers.md"},
     .stages =
         {{.ops = &picus_direct_solver, .most_rows = AUTO_DIRECT_ROWS},
          {.ops = &picus_gs_solver, .max_iterations = AUTO_SWEEPS},
          {.ops = &picus_newton_solver},
          {.ops = &picus_homotopy_solver, .fresh = true, .most_rows = AUTO_DIRECT_ROWS, .max_iterations = AUTO_PATH},
          {.ops = &picus_homotopy_solver, .fresh = true, .least_rows = AUTO_DIRECT_ROWS + 1},
          PIVOTING,
          {.ops = &picus_psor_solver},
          FINISH},
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
