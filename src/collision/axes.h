/* Directions of largest separation of two spatial cores. */
#ifndef PICUS_COLLISION_AXES_H
#define PICUS_COLLISION_AXES_H

#include "collision/narrow.h"

typedef enum axis_kind { AXIS_NONE, AXIS_FACE_A, AXIS_FACE_B, AXIS_EDGES, AXIS_NEAREST } axis_kind;
typedef struct axis {
  axis_kind kind;
  double value;         /* signed distance of the cores; if beyond the reach, a lower bound of it */
  v3 normal;            /* from a to b, in the frame of a */
  feature_pair feature; /* features that it belongs to */
} axis;
axis picus_find_axis(const narrow_pair *pair);

/* How far a point lies outside of a face, seen along the normal of the face; negative inside. */
double picus_outside_face(const placed *p, int face, v3 point);

#endif
