/* Shapes for collision detection: kinds and sizes. shapes.h gives them to bodies. Lengths are in m. */
#ifndef PICUS_GEOMETRY_H
#define PICUS_GEOMETRY_H

#include <picus/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum picus_shape_kind {
  PICUS_SHAPE_DISK,       /* planar; radius */
  PICUS_SHAPE_SPHERE,     /* radius */
  PICUS_SHAPE_HALF_SPACE, /* z <= 0; planar: y <= 0. A plane is the half-space below it */
  PICUS_SHAPE_SEGMENT,    /* size[0] along z; planar: along x */
  PICUS_SHAPE_CAPSULE,    /* size[0] between the centres of its ends, along z; planar: along x; radius */
  PICUS_SHAPE_RECTANGLE,  /* planar; size[0] along x, size[1] along y */
  PICUS_SHAPE_BOX,        /* size along x, y, z */
  PICUS_SHAPE_POLYGON,    /* planar; the convex hull of the points */
  PICUS_SHAPE_POLYHEDRON, /* the convex hull of the points */
  PICUS_SHAPE_CYLINDER,   /* size[0] along z; radius; its rims rounded outwards by rounding */
  PICUS_SHAPE_POLYLINE,   /* planar, static; the points in order; outside is on the left */
  PICUS_SHAPE_MESH,       /* static; triangles counterclockwise seen from outside */
  PICUS_SHAPE_KINDS
} picus_shape_kind;

typedef struct picus_shape_def {
  picus_shape_kind kind;
  bool planar;     /* of half-spaces, segments and capsules; the other kinds determine it */
  double radius;   /* of disk, sphere, capsule, cylinder; of the other kinds: by which the shape is rounded outwards */
  double rounding; /* of a cylinder: by which it is rounded outwards */
  double size[3];  /* full lengths */
  const double *points; /* three numbers each; planar: the third is 0 */
  int point_count;
  const int (*triangles)[3]; /* of a mesh: numbers of points, from 0 */
  int triangle_count;
  bool closed; /* of a mesh: it must have no holes and no border */
} picus_shape_def;

#ifdef __cplusplus
}
#endif

#endif
