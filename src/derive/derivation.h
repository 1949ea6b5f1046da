/* The tools with which the equations of motion are derived, shared by kinematics and inertia. */
#ifndef PICUS_SYSTEM_DERIVATION_H
#define PICUS_SYSTEM_DERIVATION_H

#include "derive/equations.h"
#include "expr/internal.h"

typedef struct derivation {
  picus_model *model;
  picus_pool *pool;
  equations *eq;
  int32_t *zeros;             /* for each variable: 0 in place of a velocity, else -1 */
  picus_replacements at_rest; /* by these */
  int *velocity_of;           /* for each coordinate: the velocity that is its derivative; -1: none */
  picus_gradient gradient;    /* of the expression in hand */
  picus_linear linear;        /* the same */
  picus_id_stack variables;   /* the same */
} derivation;

/* An expression of the model, for messages. */
typedef struct named_expr {
  picus_expr expr;
  const char *what, *name;
  picus_place place;
  bool rigid;         /* velocities of flexible components are ignored */
  bool *is_nonlinear; /* NULL: that it is not linear is an error; else it is noted here */
} named_expr;

picus_expr picus_derive_zero(derivation *d);
/* Adds to an entry of one of the matrices. */
picus_status picus_derive_entry(derivation *d, expr_matrix *matrix, int row, int column, picus_expr value);
/* Checked once per row of a matrix: if a limit is exceeded, derivation stops. */
picus_status picus_derive_go_on(derivation *d);
/* The index of a variable among the velocities (nodes after those of the model), and among the coordinates; -1:
 * none. */
int picus_derive_velocity(const derivation *d, int variable);
int picus_derive_coordinate(const derivation *d, int variable);
/* The expression with all velocities 0. */
picus_expr picus_derive_at_rest(derivation *d, picus_expr expr);
/* Makes an expression free of u: unchanged, or, if it only seems to depend on u (an undetected cancellation), at u = 0.
 * *is_free: whether that was possible. */
picus_status picus_derive_free_of_velocities(derivation *d, picus_expr *expr, bool *is_free);

/* --- body_formulas.c */
/* eq->native: bodies without formulas of their own inertia or rates; none if as_formulas. */
picus_status picus_derive_choose_bodies(derivation *d, bool as_formulas);
/* Of the quaternions of all bodies: rows of B; and rates of those that are formulas. */
picus_status picus_derive_quaternion_rates(derivation *d);
/* Of bodies that are formulas: entries of M, the potential energy of weights, gyroscopic torques in h; of the others
 * the weights in h, which are constants. */
picus_status picus_derive_body_inertias(derivation *d);
void picus_derive_weight_energy(derivation *d);
void picus_derive_body_forces(derivation *d);
/* --- kinematics.c: B, beta, and W, chi, gaps of the laws */
picus_status picus_derive_rates(derivation *d);
/* Fails if the coordinate is a state whose rate is not linear in the velocities. */
picus_status picus_derive_reject_state(const derivation *d, int coordinate, const char *what);
picus_status picus_derive_laws(derivation *d);
/* --- works.c: powers of forces, damping and prescribed motions, after all others */
picus_status picus_derive_works(derivation *d);
/* --- inertia.c: M and h */
picus_status picus_derive_mass(derivation *d);
picus_status picus_derive_forces(derivation *d);
/* Constant entries of M and their kinetic energy: all that are given, and one. */
picus_status picus_derive_inertias(derivation *d);
picus_status picus_derive_inertia(derivation *d, picus_model_inertia inertia);

#endif
