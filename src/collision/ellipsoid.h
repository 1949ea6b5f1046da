/* Ellipsoids: points and curvature from normals, and nearest points to features of other shapes. Their only feature is
 * their whole side; the point of contact moves over it. */
#ifndef PICUS_COLLISION_ELLIPSOID_H
#define PICUS_COLLISION_ELLIPSOID_H

#include "collision/narrow.h"

/* The largest value of n.x, its point, and how the point moves if the normal changes: h, grad h and (grad grad h) d,
 * in the frame of the ellipsoid. */
double picus_ellipsoid_support(const picus_shape *ellipsoid, v3 n);
v3 picus_ellipsoid_point(const picus_shape *ellipsoid, v3 n);
v3 picus_ellipsoid_bend(const picus_shape *ellipsoid, v3 n, v3 d);

/* From an ellipsoid, in its frame, to a feature of another shape. */
nearest_points picus_ellipsoid_nearest(const picus_shape *ellipsoid, const picus_shape *other,
                                       const picus_pose *relative, picus_feature theirs);

#endif
