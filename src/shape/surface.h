/* Static surfaces: polylines in the plane, triangle meshes in space. */
#ifndef PICUS_SHAPE_SURFACE_H
#define PICUS_SHAPE_SURFACE_H

#include "shape/internal.h"

/* Which features can touch from outside, and where the faces are. The faces lie in a grid of cells, listed cell by
 * cell. */
struct surface {
  int *face_edges; /* spatial: the edges of each face, in the order of its loop */
  bool *convex;    /* of each edge: it sticks out */
  int *plane;      /* of each face: the first one of those that continue it in the same plane; it stands for them all */
  v3 *vertex_normal; /* normals of its faces, weighted by their angles: tells outside from inside (Baerentzen, Aanaes
                        2005) */
  int *vertex_start; /* of each vertex: where its edges begin in vertex_edges; planar: its faces */
  int *vertex_edges;
  int cells[3];
  double low[3], cell_size[3];
  int *cell_start; /* cells + 1 */
  int *cell_faces;
};

picus_status picus_surface_create(picus_context *context, const picus_shape_def *def, picus_shape *shape);
void picus_surface_release(picus_context *context, picus_surface *surface);

/* Calls visit for each face whose box overlaps a box in the frame of the surface, once. */
typedef void (*face_visitor)(void *user, int face);
void picus_surface_visit(const picus_shape *shape, const picus_bounds *box, face_visitor visit, void *user);

/* Whether a surface can touch with this feature in this direction, given in its frame and away from it: a face always;
 * a vertex or an edge if it sticks out and the direction lies between the normals of its faces. */
bool picus_surface_touches(const picus_shape *shape, picus_feature feature, v3 direction);

#endif
