/* Bodies with shapes. Picus finds the contacts between them in each step: signed distances with exact gradients. Shapes
 * belong to bodies or to frames, fixed or moving; several may belong to one. All shapes of a model are planar, or all
 * are spatial.
 *
 * Functions that fail leave their message on the model's context. Texts and points are copied. Units are SI. */
#ifndef PICUS_SHAPES_H
#define PICUS_SHAPES_H

#include <picus/base.h>
#include <picus/bodies.h>
#include <picus/geometry.h>
#include <picus/model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct picus_body_shape_def {
  picus_shape_def shape;
  double position[3];    /* of the frame of the shape, in the frame of the body */
  double orientation[4]; /* of the frame of the shape: unit quaternion, scalar first */
  const char *material;  /* NULL: "default" */
  const char *group;     /* NULL: "default" */
  bool hidden;           /* not part of the drawing of the model */
  const char *fill;      /* colour in the drawing, as in drawing.h; NULL: blue for bodies, light for frames */
  double extent;         /* HALF_SPACE: how far drawings show it around its origin, m; 0: 1 m */
} picus_body_shape_def;
PICUS_API picus_body_shape_def picus_default_body_shape_def(picus_shape_kind kind);
/* Polylines and meshes belong to frames only. */
PICUS_API picus_status picus_body_add_shape(const picus_body *body, const picus_body_shape_def *def);

/* Mass, centre of mass and inertia of shapes of one density, kg/m^3 (planar: kg/m^2), in the frame of the body. Where
 * shapes overlap, mass counts twice. */
typedef struct picus_shape_inertia {
  double mass, centre[3];
  double inertia[9]; /* about the centre, row-major; planar: the last entry counts */
} picus_shape_inertia;
PICUS_API picus_status picus_shapes_inertia(picus_model *model, int count, const picus_body_shape_def *defs,
                                            double density, picus_shape_inertia *out);

/* Laws of contacts between shapes of two materials. Contacts of the material "default" with itself have no friction and
 * no restitution unless they are defined. All other pairs of materials that can meet must be defined. */
typedef struct picus_material_def {
  const char *a, *b; /* names of materials; b NULL: a with itself */
  double mu;         /* 0: no friction */
  double eN, eF;
  double spin_radius; /* m; > 0: spatial contacts with spin friction (Contensou), contact area of this radius */
  double rolling;     /* m; > 0: rolling friction: a torque of at most rolling times the normal force */
} picus_material_def;
PICUS_API picus_status picus_model_add_material(picus_model *model, const picus_material_def *def);

/* Whether shapes of two groups touch, by default yes. a and b may be the same group. At most 32 groups. */
PICUS_API picus_status picus_model_collide_groups(picus_model *model, const char *a, const char *b, bool on);
/* Whether two bodies or frames touch, by default yes, unless a joint connects them. */
PICUS_API picus_status picus_model_collide_bodies(picus_model *model, const picus_body *a, const picus_body *b,
                                                  bool on);

#ifdef __cplusplus
}
#endif

#endif
