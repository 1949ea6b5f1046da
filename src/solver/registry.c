/* The names a user can choose, and the solvers that run under each of them. */
#include "solver/internal.h"

/* Described by its first solver, except for "auto", which is none. */
static const picus_solver_chain chains[] = {
    {.description = {"auto", "direct for small problems, then psor, then lcp: whatever solves it first",
                     "Picus, docs/solvers.md"},
     .solvers = {&picus_direct_solver, &picus_psor_solver, &picus_lcp_solver, &picus_direct_solver},
     .chooses = true},
    {.solvers = {&picus_direct_solver, &picus_psor_solver, &picus_lcp_solver, &picus_direct_solver}},
    {.solvers = {&picus_psor_solver, &picus_lcp_solver, &picus_direct_solver}},
    {.solvers = {&picus_admm_solver}},
    {.solvers = {&picus_homotopy_solver}},
    {.solvers = {&picus_lcp_solver, &picus_psor_solver, &picus_direct_solver}},
};

const picus_solver_chain *picus_solver_chain_at(int index) {
  return index >= 0 && index < (int)(sizeof chains / sizeof *chains) ? &chains[index] : NULL;
}

const picus_solver_description *picus_solver_at(int index) {
  const picus_solver_chain *chain = picus_solver_chain_at(index);
  if (!chain) return NULL;
  return chain->description.name ? &chain->description : &chain->solvers[0]->description;
}
