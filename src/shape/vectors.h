/* Vectors and poses of collision detection. Planar shapes live in the plane z = 0. */
#ifndef PICUS_SHAPE_VECTORS_H
#define PICUS_SHAPE_VECTORS_H

#include <math.h>

typedef struct v3 {
  double x, y, z;
} v3;

static inline v3 v3_add(v3 a, v3 b) { return (v3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline v3 v3_sub(v3 a, v3 b) { return (v3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline v3 v3_scale(double s, v3 a) { return (v3){s * a.x, s * a.y, s * a.z}; }
static inline v3 v3_minus(v3 a) { return (v3){-a.x, -a.y, -a.z}; }
/* a + s b */
static inline v3 v3_along(v3 a, double s, v3 b) { return (v3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z}; }
static inline double v3_dot(v3 a, v3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline v3 v3_cross(v3 a, v3 b) {
  return (v3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline double v3_square(v3 a) { return v3_dot(a, a); }
static inline double v3_length(v3 a) { return sqrt(v3_dot(a, a)); }
static inline v3 v3_middle(v3 a, v3 b) { return v3_scale(0.5, v3_add(a, b)); }
/* The unit vector; a must not be zero. The largest component is divided out first, so that no square underflows. */
static inline v3 v3_unit(v3 a) {
  const double x = fabs(a.x), y = fabs(a.y), z = fabs(a.z), of_two = y > z ? y : z; /* fmax would be a call */
  const double largest = x > of_two ? x : of_two;
  v3 b = v3_scale(1 / largest, a);
  return v3_scale(1 / v3_length(b), b);
}
/* A unit vector perpendicular to the unit vector a. */
static inline v3 v3_perpendicular(v3 a) {
  v3 axis = fabs(a.x) < 0.6 ? (v3){1, 0, 0} : (v3){0, 1, 0};
  return v3_unit(v3_cross(a, axis));
}

/* A place and an orientation: the origin, and the axes of the frame as unit vectors. */
typedef struct picus_pose {
  v3 origin;
  v3 axis[3];
} picus_pose;

static inline picus_pose picus_pose_identity(void) {
  return (picus_pose){{0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
}
/* Components of a direction and of a point, from the frame to the one outside of it, and back. */
static inline v3 pose_direction(const picus_pose *p, v3 d) {
  return (v3){p->axis[0].x * d.x + p->axis[1].x * d.y + p->axis[2].x * d.z,
              p->axis[0].y * d.x + p->axis[1].y * d.y + p->axis[2].y * d.z,
              p->axis[0].z * d.x + p->axis[1].z * d.y + p->axis[2].z * d.z};
}
static inline v3 pose_point(const picus_pose *p, v3 x) { return v3_add(p->origin, pose_direction(p, x)); }
static inline v3 pose_direction_back(const picus_pose *p, v3 d) {
  return (v3){v3_dot(p->axis[0], d), v3_dot(p->axis[1], d), v3_dot(p->axis[2], d)};
}
static inline v3 pose_point_back(const picus_pose *p, v3 x) { return pose_direction_back(p, v3_sub(x, p->origin)); }
/* The frame inner, given in the frame outer, seen from outside. */
static inline picus_pose pose_compose(const picus_pose *outer, const picus_pose *inner) {
  return (picus_pose){pose_point(outer, inner->origin),
                      {pose_direction(outer, inner->axis[0]), pose_direction(outer, inner->axis[1]),
                       pose_direction(outer, inner->axis[2])}};
}
/* b as seen from a. Differences come first: contacts far from the origin are as exact as the poses. */
static inline picus_pose pose_relative(const picus_pose *a, const picus_pose *b) {
  return (picus_pose){
      pose_point_back(a, b->origin),
      {pose_direction_back(a, b->axis[0]), pose_direction_back(a, b->axis[1]), pose_direction_back(a, b->axis[2])}};
}

#endif
