/* Rigid bodies evaluated by code: constant blocks of M, rates of quaternions, gyroscopic torques, energies,
 * and their Jacobians. They belong to the source of formulas, which adds forces and laws on the same coordinates. All
 * indices are those of that source. */
#ifndef PICUS_SYSTEM_RIGID_H
#define PICUS_SYSTEM_RIGID_H

#include "derive/equations.h"
#include "system/internal.h"

/* Velocities with a constant inertia of their own, each the derivative of a coordinate: of translations and of planar
 * rotations. */
typedef struct rigid_axes {
  int count;
  int *q, *u;
  double *inertia; /* m or J */
  double *weight;  /* m g along the axis */
  int *part_start; /* parts + 1 */
} rigid_axes;

/* Rotations in space: the quaternion p with p' = p * (0, omega) / 2, omega in the body frame, J omega' = J omega x
 * omega. */
typedef struct rigid_rotations {
  int count;
  int *q, *u;       /* the first of four, and of three */
  double *J;        /* 9 each */
  bool *gyroscopic; /* J is not a multiple of the identity */
  int *part_start;  /* parts + 1 */
} rigid_rotations;

typedef struct rigid_bodies {
  rigid_axes axes;
  rigid_rotations rotations;
} rigid_bodies;

/* Those bodies of the model that the equations leave to this code, sorted into the parts of the source. A zeroed one
 * has none. */
picus_status picus_rigid_create(const picus_model *model, const equations *equations, rigid_bodies *out);
picus_status picus_rigid_set_parts(picus_context *context, system_part *parts, int part_count, rigid_bodies *bodies);
void picus_rigid_release(picus_context *context, rigid_bodies *bodies);
static inline bool picus_rigid_any(const rigid_bodies *bodies) { return bodies->axes.count > 0; }
static inline bool picus_rigid_turns(const rigid_bodies *bodies) { return bodies->rotations.count > 0; }

/* q' of the quaternions; those of the axes are formulas. */
void picus_rigid_rates(const rigid_bodies *bodies, const double *q, const double *u, double *q_dot);
/* h += gyroscopic torques; weights are constants among the formulas, where they cost nothing. */
void picus_rigid_add_torques(const rigid_bodies *bodies, const double *u, double *h);
void picus_rigid_add_energy(const rigid_bodies *bodies, const double *q, const double *u, double *kinetic,
                            double *potential);
/* Of one part: the entries of M; the gyroscopic torques in dh/du; the rows of quaternions in drate/dq and B. The first
 * coordinate and velocity of the part are given with it. */
void picus_rigid_mass(const rigid_bodies *bodies, const system_part *part, int index, double *M);
void picus_rigid_add_damping(const rigid_bodies *bodies, const system_part *part, int index, const double *u,
                             double *dh_du);
void picus_rigid_rate_slopes(const rigid_bodies *bodies, const system_part *part, int index, const source_point *point,
                             double *drate_dq, double *B);
/* Whether dh/du of the part is not constant. */
bool picus_rigid_part_turns(const rigid_bodies *bodies, int index);

#endif
