/* The linear system that admm and homotopy share:  B G' + C,  G' the Delassus matrix in scaled percussions, B and C one
 * small matrix per law. Its pattern is that of G, or of the bodies of a factored problem (coupled_bodies.c), so that
 * the elimination order is computed once per solve. */
#ifndef PICUS_SIMULTANEOUS_COUPLED_H
#define PICUS_SIMULTANEOUS_COUPLED_H

#include "sweep/method.h"

typedef double picus_law_matrix[PICUS_LAW_ROWS][PICUS_LAW_ROWS];
typedef double picus_law_vector[PICUS_LAW_ROWS];

/* A problem in variables without units: P_i = s_i load p_i and x_i = s_i xi_i / load with s_i = 1 / sqrt(mean diagonal
 * of G_ii) and load the largest s_i |c_i|. Then x = G' p + c', G'_ij = s_i G_ij s_j has blocks with a mean diagonal of
 * 1 and the largest |c'_i| is 1. */
typedef struct picus_scaled_problem {
  const picus_contact_problem *problem;
  double *scale; /* s_i of each law */
  double load;
  int *first_row; /* law_count + 1 */
  double *P, *xi; /* size: the unscaled pair that belongs to the last velocity */
} picus_scaled_problem;

picus_memory_need picus_scaled_need(int law_count, int size);
/* Takes its arrays from the start of memory and moves memory past them. */
void picus_scaled_prepare(picus_scaled_problem *scaled, const picus_contact_problem *problem,
                          picus_solver_memory *memory);
void picus_scaled_from(const picus_scaled_problem *scaled, const double *P, double *p);
void picus_scaled_to(const picus_scaled_problem *scaled, const double *p, double *P);
/* x := G' p + c'. */
void picus_scaled_velocity(picus_scaled_problem *scaled, const double *p, double *x);
/* The radius of a law in scaled percussions: mu stays as it is; rho of a rolling law is that of p_N. */
double picus_scaled_radius(const picus_scaled_problem *scaled, int law);
/* The relative residual of p after projection on the sets of the laws; scaled->P is the projection. */
double picus_scaled_judge(picus_scaled_problem *scaled, const double *p);

typedef struct picus_coupled_system {
  const picus_scaled_problem *scaled;
  picus_law_matrix *B, *C;     /* of each law; the caller fills them */
  picus_law_vector *B_N, *C_N; /* of each rolling law: the same for x and p of the normal row of its contact */
  double *dense;
  int *pivots;
  picus_sparse_system *sparse;    /* kept from one solve to the next */
  struct picus_body_graph *graph; /* of factored problems; the same */
  bool has_graph;
} picus_coupled_system;

picus_memory_need picus_coupled_need(int law_count, int size);
void picus_coupled_prepare(picus_coupled_system *system, const picus_scaled_problem *scaled,
                           picus_solver_memory *memory);
/* false: singular, or not enough memory. */
bool picus_coupled_factor(picus_coupled_system *system);
/* The sign of the determinant of the factored system, 1 or -1. */
int picus_coupled_sign(const picus_coupled_system *system);
void picus_coupled_solve(const picus_coupled_system *system, double *x);

/* --- on the graph of the bodies (coupled_bodies.c) -------------------------------------------------------------------
 */

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

/* Of the contacts, at least four in five: then a path of homotopy is short. homotopy.c. */
bool picus_nearly_all_stick(const picus_contact_problem *problem, const picus_mode *modes);

#endif
