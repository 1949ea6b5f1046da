/* Boxes around shapes, with sides parallel to the axes. */
#include "collision/polytope.h"

static picus_bounds everything(void) {
  return (picus_bounds){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
}

static picus_bounds around_cylinder(const picus_shape *shape, const picus_pose *pose) {
  const double x[3] = {pose->origin.x, pose->origin.y, pose->origin.z};
  const double axis[3] = {pose->axis[2].x, pose->axis[2].y, pose->axis[2].z};
  picus_bounds b;
  for (int d = 0; d < 3; d++) {
    const double across = 1 - axis[d] * axis[d];
    const double half =
        shape->half_length * fabs(axis[d]) + shape->core_radius * sqrt(across > 0 ? across : 0) + shape->radius;
    b.low[d] = x[d] - half;
    b.high[d] = x[d] + half;
  }
  return b;
}

/* Of a polyhedron with many vertices: by steps to better neighbours. */
enum { MOST_COMPARED = 64 };
static picus_bounds around_many(const picus_shape *shape, const picus_pose *pose) {
  picus_bounds b;
  int at = 0;
  for (int d = 0; d < 3; d++)
    for (int side = 0; side < 2; side++) {
      const double sign = side ? 1 : -1;
      const v3 out = {d == 0 ? sign : 0, d == 1 ? sign : 0, d == 2 ? sign : 0};
      at = picus_polytope_highest(&shape->polytope, pose_direction_back(pose, out), at);
      const double reach = v3_dot(out, pose_point(pose, shape->polytope.vertices[at])) + shape->radius;
      *(side ? &b.high[d] : &b.low[d]) = sign * reach;
    }
  return b;
}

picus_bounds picus_shape_bounds(const picus_shape *shape, const picus_pose *pose) {
  if (shape->core == CORE_HALF_SPACE) return everything();
  if (shape->core == CORE_CYLINDER) return around_cylinder(shape, pose);
  const polytope *core = &shape->polytope;
  const double r = shape->radius;
  if (shape->is_ball) {
    const v3 x = pose->origin;
    return (picus_bounds){{x.x - r, x.y - r, x.z - r}, {x.x + r, x.y + r, x.z + r}};
  }
  if (core->star && core->vertex_count > MOST_COMPARED) return around_many(shape, pose);
  v3 first = pose_point(pose, core->vertices[0]), low = first, high = first;
  for (int k = 1; k < core->vertex_count; k++) {
    v3 v = pose_point(pose, core->vertices[k]);
    low = (v3){fmin(low.x, v.x), fmin(low.y, v.y), fmin(low.z, v.z)};
    high = (v3){fmax(high.x, v.x), fmax(high.y, v.y), fmax(high.z, v.z)};
  }
  return (picus_bounds){{low.x - r, low.y - r, low.z - r}, {high.x + r, high.y + r, high.z + r}};
}
