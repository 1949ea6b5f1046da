/* Cylinders as seen from one frame with nearest points of their rims, and ellipsoids. */
#ifndef PICUS_COLLISION_CURVED_H
#define PICUS_COLLISION_CURVED_H

#include "collision/narrow.h"

/* Number of a rim: 8 times the end (0: below, 1: above), plus one of these; RIM_PLACED: plus 16 times its place. */
enum {
  RIM_NEAREST = 0, /* its point nearest to the other feature, which moves along the rim */
  RIM_FIXED = 1,   /* 1 ... 4: the points fixed to it on the axes x, y, -x, -y */
  RIM_FIXED_LAST = 4,
  RIM_FRONT = 5,  /* of two nearest points to a line or a rim: the one where the end looks at the line */
  RIM_BACK = 6,   /* the other one */
  RIM_PLACED = 7, /* fixed to it, at one of RIM_PLACES angles */
  RIM_STRIDE = 8,
  RIM_PLACES = 1 << 20,
  RIM_AHEAD = 2 * RIM_STRIDE + 5, /* of two nearest points to a line: the one ahead, in the direction of the line */
  RIM_BEHIND = 2 * RIM_STRIDE + 6
};
static inline int rim_end(int rim) { return rim / RIM_STRIDE % 2; }
static inline int rim_which(int rim) { return rim - RIM_STRIDE * rim_end(rim); }
static inline picus_feature a_rim(int end, int point) { return (picus_feature){FEATURE_RIM, RIM_STRIDE * end + point}; }
static inline picus_feature a_side(void) { return (picus_feature){FEATURE_SIDE, 0}; }

typedef struct circle {
  v3 centre, axis; /* axis: unit, away from the cylinder whose rim it is */
  double radius;
} circle;
typedef struct line {
  v3 from, along; /* along: unit */
} line;

/* Critical points of the distance between a circle and a line. Seen along the line, the line is a point and the circle
 * an ellipse, and such a point is where a normal of the ellipse meets the point. The front half of the ellipse is the
 * one whose normals have a component along the axis; it has at most one point where the distance is least, and so has
 * the back half. false: the half has none; out is then at the place where the distance changes least. */
bool picus_rim_line(const circle *rim, const line *l, int which, nearest_points *out);
/* The name of a front or back point that stays while a line across the end tilts: front and back change their places
 * where the line is parallel to the end, ahead and behind where it is parallel to the axis. */
int picus_rim_name(const circle *rim, const line *l, int which);
/* From one rim to another. RIM_NEAREST: between the two disks, if their nearest points lie on the rims. RIM_FRONT and
 * RIM_BACK: where the rims cross each other, seen along the axis. */
nearest_points picus_rim_rim(const circle *a, const circle *b, int which);

/* The largest value of n.x on a cylinder about z. */
static inline double cylinder_support(const picus_shape *cylinder, double along, double across) {
  return cylinder->half_length * fabs(along) + cylinder->core_radius * across;
}

/* The signed distance of the cores of a cylinder and another shape along the best direction, and its features: first
 * that of the cylinder. Vectors are in the frame of the cylinder. */
typedef struct cylinder_axis {
  bool found;
  double value;
  v3 normal;
  picus_feature mine, theirs;
} cylinder_axis;

typedef struct cylinder_pair {
  const narrow_pair *pair;
  bool first; /* the cylinder is a */
  const picus_shape *cylinder;
  placed other;                 /* its core, in the frame of the cylinder */
  const picus_shape *cylinder2; /* NULL: the other one has corners */
  picus_pose relative;          /* of the second cylinder */
} cylinder_pair;

static inline double end_of(const picus_shape *cylinder, int end) {
  return end ? cylinder->half_length : -cylinder->half_length;
}
static inline circle rim_of(const picus_shape *cylinder, int end) {
  return (circle){{0, 0, end_of(cylinder, end)}, {0, 0, end ? 1 : -1}, cylinder->core_radius};
}
static inline circle rim_seen(const picus_shape *cylinder, const picus_pose *relative, int end) {
  const v3 z = relative->axis[2];
  return (circle){v3_along(relative->origin, end_of(cylinder, end), z), end ? z : v3_minus(z), cylinder->core_radius};
}
static inline line edge_line(const placed *p, int edge) {
  const int *vertex = p->core->edges[edge].vertex;
  return (line){p->vertices[vertex[0]], v3_unit(v3_sub(p->vertices[vertex[1]], p->vertices[vertex[0]]))};
}
/* The feature of a cylinder nearest to a point in its frame, or, inside, the one through which the way out is shortest;
 * and from this feature to the point. */
picus_feature picus_cylinder_feature_at(const picus_shape *cylinder, v3 p);
nearest_points picus_cylinder_to_point(const picus_shape *cylinder, picus_feature mine, v3 p);
/* A point of a rim: fixed, or the one farthest along a direction. */
v3 picus_rim_point(const picus_shape *cylinder, int rim, v3 towards);
/* The point of a rim that is lowest over a plane; down: towards it. Almost flat, it runs around the rim within a step,
 * and its gap has a tip where the tilt is 0: then it is the point fixed to the rim that is there now. */
picus_feature picus_lowest_of_rim(int end, v3 down);
/* The points of a rim that may carry a cylinder on a plane: those fixed to it on the axes, and the lowest one, which
 * takes the place of a fixed one beside it: their rows would be almost the same. depth: by which points at equal
 * heights differ. Returns their number. */
enum { RIM_POINTS_MOST = 5 };
int picus_points_of_rim(const circle *rim, v3 down, double depth, picus_feature *out);
/* From the side of a cylinder to a line; outward: of the edge on the line, or zero. */
nearest_points picus_side_line(double radius, const line *l, v3 outward);

/* Ellipsoids: points and curvature from normals, and nearest points to features of other shapes. Their only feature is
 * their whole side; the point of contact moves over it. */

/* The largest value of n.x, its point, and how the point moves if the normal changes: h, grad h and (grad grad h) d,
 * in the frame of the ellipsoid. */
double picus_ellipsoid_support(const picus_shape *ellipsoid, v3 n);
v3 picus_ellipsoid_point(const picus_shape *ellipsoid, v3 n);
v3 picus_ellipsoid_bend(const picus_shape *ellipsoid, v3 n, v3 d);

/* From an ellipsoid, in its frame, to a feature of another shape. */
nearest_points picus_ellipsoid_nearest(const picus_shape *ellipsoid, const picus_shape *other,
                                       const picus_pose *relative, picus_feature theirs);

#endif
