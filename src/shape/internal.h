/* Shapes: a core with a radius around it. The core of a disk or sphere is a point, that of a capsule a segment; a box,
 * polygon or polyhedron has itself as core and radius 0 unless it is rounded. Lengths have one unit. */
#ifndef PICUS_SHAPE_INTERNAL_H
#define PICUS_SHAPE_INTERNAL_H

#include "shape/vectors.h"

#include <picus/base.h>
#include <picus/bodies.h>

/* Vertices, edges and faces. A planar polytope has no edges: its faces are its sides, with two vertices each, so that
 * planar and spatial faces both have a normal. A segment in the plane has two faces back to back; a point or a spatial
 * segment has none. */
typedef struct polytope_edge {
  int vertex[2];
  int face[2];   /* -1: none */
  int direction; /* index of the unit vector from vertex[0] to vertex[1], up to its sign */
  v3 outward;    /* between the normals of its faces; zero without faces */
} polytope_edge;
typedef struct polytope_face {
  int first, count; /* its vertices in loops: counterclockwise seen from outside */
} polytope_face;
typedef struct polytope {
  int vertex_count, edge_count, face_count, direction_count, loop_count;
  v3 *vertices;
  v3 *normals;     /* of faces, unit, outwards */
  double *offsets; /* of faces: normal . x = offset in the face */
  polytope_edge *edges;
  polytope_face *faces;
  int *loops;
  v3 *directions; /* of edges, unit; no two parallel if there are few */
  int *star;      /* of polyhedra, of each vertex: where its edges begin in star_edges; one more number than vertices */
  int *star_edges;
} polytope;

typedef enum shape_core { CORE_POLYTOPE, CORE_HALF_SPACE, CORE_SURFACE, CORE_CYLINDER, CORE_ELLIPSOID } shape_core;
typedef struct surface picus_surface;

/* What contacts of spheres and disks need comes first: it is in one line of the cache. */
typedef struct picus_shape {
  picus_shape_kind kind;
  shape_core core;
  bool planar;
  bool is_ball;                    /* a sphere or disk: the core is the origin of its frame */
  double radius;                   /* around the core */
  double bound;                    /* radius of a sphere around the core; infinite for half-spaces */
  v3 centre;                       /* of that sphere */
  double half_length, core_radius; /* of a cylinder */
  v3 radii;                        /* of an ellipsoid */
  polytope polytope;               /* of a surface: all its vertices, edges and faces */
  picus_surface *surface;          /* NULL for other cores */
} picus_shape;

/* Checks the definition and builds the shape. On failure the context has a message, and out holds nothing. */
picus_status picus_shape_create(picus_context *context, const picus_shape_def *def, picus_shape *out);
void picus_shape_release(picus_context *context, picus_shape *shape);
/* Of a body of this shape, in the frame of the shape. */
typedef struct picus_mass {
  double mass;
  v3 centre;
  double inertia[9]; /* about the centre, row-major; planar: the last entry counts */
} picus_mass;
/* density: mass by volume; planar: by area. */
picus_status picus_shape_mass(picus_context *context, const picus_shape *shape, double density, picus_mass *out);

const char *picus_shape_kind_name(picus_shape_kind kind);
const char *picus_shape_kind_article(picus_shape_kind kind); /* "a" or "an" */

/* The box around a shape at a pose, sides parallel to the axes. */
typedef struct picus_bounds {
  double low[3], high[3];
} picus_bounds;
picus_bounds picus_shape_bounds(const picus_shape *shape, const picus_pose *pose);

typedef enum feature_kind {
  FEATURE_VERTEX = 1,
  FEATURE_EDGE = 2,
  FEATURE_FACE = 3,
  FEATURE_RIM = 4,
  FEATURE_SIDE = 5
} feature_kind; /* the last two: of cylinders; ellipsoids have a side alone */
typedef struct picus_feature {
  feature_kind kind;
  int index; /* below 2^28 */
} picus_feature;
#endif
