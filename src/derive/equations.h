/* The equations of motion of a model of formulas, as expressions in t, q, u. */
#ifndef PICUS_SYSTEM_EQUATIONS_H
#define PICUS_SYSTEM_EQUATIONS_H

#include "derive/expr_matrix.h"
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

#endif
