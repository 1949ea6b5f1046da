/* Parts of a system: blocks of coordinates and velocities, their couplings and groups. */
#ifndef PICUS_SYSTEM_PARTS_H
#define PICUS_SYSTEM_PARTS_H

#include "system/part_matrix.h"

/* Coordinates and velocities that depend on no others but by laws and forces: the finest blocks in which M and the
 * derivatives of rates fall apart. Parts that forces couple are one group. The derivatives of the forces on a part are
 * as wide as the coupled parts together, which stand side by side in increasing order. */
typedef struct system_part {
  int source;
  int q0, nq; /* block of q */
  int u0, nu; /* block of u, and of M */
  bool mass_constant, identity_rates;
  bool position_forces; /* on it: they do not depend on velocities */
  int straight;         /* of its first coordinates: each is the integral of one velocity, which changes no other one */
  bool linear_rates;    /* the other rates do not contain these, and are linear in q: drate/dq depends on u alone */
  bool tangents_constant; /* dh/dq and dh/du are constant; see source_ops.tangent_constant */
  /* of the fastest motion x of a flexible component: x^T K x / x^T M x in 1/s^2, x^T C x / x^T M x in 1/s; zeros:
   * unknown
   */
  double fastest_stiffness, fastest_damping;
  const part_pattern *pattern; /* of M, dh/dq and dh/du; NULL: dense. Owned by the source */
  int group;
  int coupled_count; /* parts in dh/dq and dh/du, itself among them, in increasing order */
  const int *coupled;
  int q_width, u_width; /* their coordinates and velocities together */
  int q_own, u_own;     /* columns before its own */
  const int *place;     /* of each value of its dh/du in the matrix of a mixed group; NULL: in their order */
} system_part;

/* Derivatives of the force on one velocity beyond dh/dq and dh/du of its part: by one displacement of a part with a
 * pattern, or by all coordinates and velocities of a dense part. They arise from forces that name nodes of flexible
 * components, and are listed by increasing row, then column. */
typedef struct system_coupling {
  int row, row_part;
  int part; /* of the columns */
  int q0, nq, u0, nu;
  size_t by_q, by_u; /* its first values among those of all couplings */
  size_t at;         /* of (row, u0) among the values of the matrix of its group */
} system_coupling;

/* Parts one after the other that forces couple: a block of the iteration matrices of implicit schemes. */
typedef struct system_group {
  int part0, part_count;
  int u0, nu;
  const part_pattern *pattern; /* that of its only part, or ... */
  part_pattern own;            /* ... of these: rows as wide as dh/du of their part, or ... */
  int *row_start, *column;
  bool mixed; /* ... the places of dh/du of its parts, dense or with a pattern, and those of couplings */
  int coupling0, coupling_count;
  int *place; /* of the parts */
} system_group;

#endif
