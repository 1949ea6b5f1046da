/* The linear system of coupled.h for factored problems. */
#ifndef PICUS_SOLVER_COUPLED_BODIES_H
#define PICUS_SOLVER_COUPLED_BODIES_H

#include "solver/coupled.h"

/* Memory that grows between problems and is kept; starts as zeros but for the context. */
typedef struct picus_body_graph {
  picus_context *context;
  picus_block_lu lu;
  int nodes;
  int *first, *row_start, *column; /* of the nodes: see picus_block_pattern */
  int *node_of, *place_of;         /* of each velocity of the system; place_of: among those that laws change */
  uint64_t *laws_of;               /* a hash of the laws of each velocity */
  uint64_t *pairs;                 /* of nodes */
  double *dv;                      /* changes of velocities */
  double *C;                       /* factored, of each law */
  int *pivots;
  size_t unknown_capacity, row_capacity, pair_capacity, column_capacity;
} picus_body_graph;
void picus_body_graph_release(picus_body_graph *graph);

/* Once per problem; false: out of memory. The others as in coupled.h. */
bool picus_coupled_bodies_prepare(picus_coupled_system *system);
bool picus_coupled_bodies_factor(picus_coupled_system *system, double most_operations);
int picus_coupled_bodies_sign(const picus_coupled_system *system);
void picus_coupled_bodies_solve(const picus_coupled_system *system, double *x);

#endif
