/* Vectors and rotations of formulas, shared by bodies, joints, force elements and contacts. */
#ifndef PICUS_BODIES_INTERNAL_H
#define PICUS_BODIES_INTERNAL_H

#include "model/internal.h"
#include "shape/internal.h"

#include <picus/bodies.h>

/* vectors.c */
picus_vector picus_vector_number(picus_pool *pool, const double v[3]);
picus_vector picus_vector_add(picus_pool *pool, picus_vector a, picus_vector b);
picus_vector picus_vector_sub(picus_pool *pool, picus_vector a, picus_vector b);
picus_vector picus_vector_scale(picus_pool *pool, picus_expr factor, picus_vector v);
picus_vector picus_vector_cross(picus_pool *pool, picus_vector a, picus_vector b);
picus_expr picus_vector_dot(picus_pool *pool, picus_vector a, picus_vector b);
/* R v, and R^T v; R row-major. */
picus_vector picus_vector_rotate(picus_pool *pool, const picus_expr R[9], picus_vector v);
picus_vector picus_vector_rotate_back(picus_pool *pool, const picus_expr R[9], picus_vector v);
/* |v|, with a finite derivative also at v = 0: a parabola replaces it within 1e-12. */
picus_expr picus_vector_length(picus_pool *pool, picus_vector v);
/* Two unit vectors at right angles to the unit vector n and to each other, without a singular direction (Duff et al.
 * 2017); n = e_z gives e_x and e_y. */
void picus_vector_tangents(picus_pool *pool, picus_vector n, picus_vector *first, picus_vector *second);

/* The same on numbers. */
void picus_numbers_rotate(const double R[9], const double v[3], double out[3]);
void picus_numbers_rotate_back(const double R[9], const double v[3], double out[3]);
double picus_numbers_length(const double v[3]);
void picus_numbers_tangents(const double n[3], double first[3], double second[3]);
/* R of a unit quaternion, row-major. */
void picus_numbers_rotation(const double p[4], double R[9]);

/* body.c */
/* Velocity of the material point of the body that is at the place (inertial frame): v + Omega x (place - r). */
picus_vector picus_body_velocity_at(const picus_body *body, picus_vector place);
/* The same of the material point in contact, whose nearest given point of the body is `point`, in its frame. Points of
 * nodes move linearly with their rotations. */
picus_vector picus_body_contact_velocity(const picus_body *body, const double point[3], picus_vector place);
/* A vector of the inertial frame in the frame of the body, initial configuration. */
void picus_body_to_local(const picus_body *body, const double v[3], double out[3]);
picus_status picus_body_check_name(picus_model *model, const char *what, const char *name);
/* What the model keeps of a body that has mass; NULL: it is none of the model. */
picus_model_body *picus_body_own_data(const picus_body *body);
/* At rest in the origin. */
picus_body picus_body_blank(picus_model *model, picus_body_kind kind, const char *name);
/* Can both be part of one joint, contact or force element? what and name appear in the message. *planar: the pair moves
 * in the plane. */
picus_status picus_body_check_pair(picus_model *model, const picus_body *a, const picus_body *b, const char *what,
                                   const char *name, bool *planar);
picus_status picus_body_check_unit(picus_model *model, const double v[3], const char *which, const char *what,
                                   const char *name);
/* Place, normal and tangents of a contact, for drawings. */
picus_status picus_bodies_set_site(picus_model *model, const char *law, bool planar, const picus_vector site[4]);

/* The shape as part of the drawing of the body, without its rounding. */
picus_status picus_bodies_draw_shape(const picus_body *body, const picus_body_shape_def *def, const picus_shape *shape);
/* A line between points of two bodies, with a radius, m, a spring. Nodes of flexible components have
 * none: their displacements may not be recorded. */
picus_status picus_bodies_draw_link(const picus_body *const bodies[2], const double (*points)[3], bool planar,
                                    picus_expr radius);

/* Notes a joint at points of two bodies, for picus_model_draw_rest. */
picus_status picus_bodies_add_limbs(const picus_body *const bodies[2], const double (*points)[3], bool planar);

/* Is its rotation R small, so that its angular velocity gives R' to the first order only? */
static inline bool picus_body_is_small(const picus_body *body) { return body->kind == PICUS_NODE; }
/* Has the body an orientation? A particle has none. */
static inline bool picus_body_turns(const picus_body *body) { return body->kind != PICUS_PARTICLE; }

#endif
