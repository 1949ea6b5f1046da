/* Builders of polytopes. Each allocates the arrays and fills them; the caller releases them, also after a failure. */
#ifndef PICUS_SHAPE_POLYTOPE_H
#define PICUS_SHAPE_POLYTOPE_H

#include "shape/internal.h"

/* One point or the two ends of a spatial segment. */
picus_status picus_polytope_points(picus_context *context, const v3 *points, int count, polytope *out);
/* A planar polygon by its corners, counterclockwise; two corners: a segment in the plane. */
picus_status picus_polytope_polygon(picus_context *context, const v3 *corners, int count, polytope *out);
/* One face through the origin, without vertices. */
picus_status picus_polytope_half_space(picus_context *context, v3 normal, polytope *out);
picus_status picus_polytope_box(picus_context *context, v3 half, polytope *out);

/* A convex polyhedron by its faces: loops lists the vertices of one face after the other, counterclockwise from
 * outside.
 */
typedef struct face_list {
  const v3 *vertices;
  int vertex_count;
  const int *sides; /* of each face: how many vertices */
  const int *loops;
  int face_count;
} face_list;
picus_status picus_polytope_faces(picus_context *context, const face_list *list, polytope *out);

/* The convex hull of points in space. flatness: the thickness, relative to the length, below which points lie in one
 * plane or on one line. */
enum { HULL_MOST_VERTICES = 20000 };
picus_status picus_polytope_hull(picus_context *context, const v3 *points, int count, double flatness, polytope *out);

/* The vertex that lies farthest along a direction, by steps to better neighbours from a first one. */
int picus_polytope_highest(const polytope *p, v3 direction, int from);

void picus_polytope_release(picus_context *context, polytope *polytope);

/* The corners of the convex hull of planar points, counterclockwise, from the leftmost one; corners has room for all
 * points and one more. Points within tolerance of a side are left out. Returns the number of corners. */
int picus_hull_planar(v3 *points, int count, double tolerance, v3 *corners);

#endif
