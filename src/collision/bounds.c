/* Boxes around shapes, with sides parallel to the axes. */
#include "collision/internal.h"

static picus_bounds everything(void) {
  return (picus_bounds){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
}

picus_bounds picus_shape_bounds(const picus_shape *shape, const picus_pose *pose) {
  if (shape->core == CORE_HALF_SPACE) return everything();
  const polytope *core = &shape->polytope;
  v3 first = pose_point(pose, core->vertices[0]), low = first, high = first;
  for (int k = 1; k < core->vertex_count; k++) {
    v3 v = pose_point(pose, core->vertices[k]);
    low = (v3){fmin(low.x, v.x), fmin(low.y, v.y), fmin(low.z, v.z)};
    high = (v3){fmax(high.x, v.x), fmax(high.y, v.y), fmax(high.z, v.z)};
  }
  const double r = shape->radius;
  return (picus_bounds){{low.x - r, low.y - r, low.z - r}, {high.x + r, high.y + r, high.z + r}};
}
