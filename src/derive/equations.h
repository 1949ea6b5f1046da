/* The equations of motion of a model of formulas, as expressions in t, q, u. */
#ifndef PICUS_SYSTEM_EQUATIONS_H
#define PICUS_SYSTEM_EQUATIONS_H

#include "derive/expr_matrix.h"
#include "expr/internal.h"
#include "model/internal.h"
#include <picus/system.h>

#define PICUS_WORK_INPUTS "inputs" /* of inputs that are set: V jumps */
#define PICUS_WORK_EVENTS "events" /* of events that set coordinates or velocities */
/* Work that is booked under a name: the integral of the power, and the change of what is stored. */
typedef struct equation_work {
  const char *name; /* of the model, or constant */
  picus_expr power, stored;
} equation_work;

typedef struct equations {
  int nq, nu, law_count, row_count;
  picus_expr *rate; /* nq: q' = B u + beta */
  expr_matrix B;    /* nq x nu */
  picus_expr *beta; /* nq */
  expr_matrix M;    /* nu x nu, its lower triangle */
  picus_expr *h;    /* nu */
  picus_expr *gap;  /* law_count; the number 0 if the law has none */
  expr_matrix W;    /* row_count x (nu + nodes): the rows of W^T; nu + i: the velocity of node i of the model's nodes */
  picus_expr *chi;  /* row_count */
  picus_expr *node_force; /* for each node of the model: the force on it; invalid: none */
  bool turning;           /* a relative velocity depends on displacements of nodes, or a node's share in it on q */
  picus_expr kinetic, potential;
  int work_count;
  equation_work *works; /* of everything that changes the energy and is no law */
  bool identity_rates;  /* q'_k = u_k for all k */
  int largest_dense;    /* velocities that forces couple and that are one part */
  bool *native; /* for each body of the model: its M, gyroscopic torque, energies and the rates of its quaternion
                   are not here, but in rigid.c */
} equations;

/* Derives all equations from the model, which must have passed picus_model_check, and checks their requirements: rates,
 * slip velocities and velocity constraints linear in u, M independent of u. options: bodies as formulas, and the size
 * of dense parts. */
picus_status picus_equations_derive(picus_model *model, const picus_derivation *options, equations *out);
void picus_equations_release(picus_context *context, equations *equations);

/* Number of rows of W^T that a law of the model has. */
int picus_model_law_rows(const picus_model_law *law);

/* Limits of deriving equations and Jacobians, and the messages of a derivation that exceeds them. */

/* What is derived, for the messages. */
typedef struct derivation_limits {
  picus_derivation most; /* complete: the limits are numbers */
  const char *model;
  int velocity_count, law_count;
} derivation_limits;

/* given: NULL, or with zeros for defaults. */
picus_derivation picus_derivation_complete(const picus_derivation *given);

/* Between begin and end, memory of the context is limited; the pool is watched from picus_limits_watch on, if it is
 * called. The end returns the status of the derivation, or an exceeded limit as the cause of its failure. */
void picus_limits_begin(picus_context *context, const derivation_limits *limits, picus_pool_watch *watch);
void picus_limits_watch(picus_pool *pool, picus_pool_watch *watch);
picus_status picus_limits_end(picus_context *context, picus_pool *pool, const derivation_limits *limits,
                              picus_pool_watch *watch, picus_status status);

#endif
