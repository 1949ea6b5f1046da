/* Gaps between features of a cylinder and of another core, in the frame of the cylinder. */
#include "base/elementary.h"
#include "collision/curved.h"

/* Below this sine of the tilt of a cylinder it stands almost flat on a plane. */
static const double flat_tilt = 0.02;
static const double place_angle = 2 * 3.14159265358979323846 / RIM_PLACES;

static const double beside =
    0.87; /* cosine of 30 degrees: at most one of the fixed points is so close to another one */

/* The direction of (x, y), and its length; x if it has none. */
static v3 radial(v3 p, double *length) {
  *length = picus_hypot(p.x, p.y);
  return *length > 0 ? (v3){p.x / *length, p.y / *length, 0} : (v3){1, 0, 0};
}

static const v3 fixed[4] = {{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}};

v3 picus_rim_point(const picus_shape *cylinder, int rim, v3 towards) {
  const int point = rim % RIM_STRIDE;
  double length;
  const bool is_fixed = point >= RIM_FIXED && point <= RIM_FIXED_LAST;
  v3 out = is_fixed ? fixed[point - RIM_FIXED] : radial(towards, &length);
  if (point == RIM_PLACED) {
    const int place = rim / (2 * RIM_STRIDE);
    const double angle = place_angle * place;
    out = (v3){picus_cos(angle), picus_sin(angle), 0};
  }
  v3 p = v3_scale(cylinder->core_radius, out);
  p.z = end_of(cylinder, rim_end(rim));
  return p;
}

picus_feature picus_lowest_of_rim(int end, v3 down) {
  if (picus_hypot(down.x, down.y) >= flat_tilt) return a_rim(end, RIM_NEAREST);
  const int place = (int)lround(picus_atan2(down.y, down.x) / place_angle);
  return a_rim(2 * ((place + RIM_PLACES) % RIM_PLACES) + end, RIM_PLACED);
}

int picus_points_of_rim(const circle *rim, v3 down, double depth, picus_feature *out) {
  const int end = rim->axis.z > 0;
  double tilt;
  const v3 lowest = radial(down, &tilt);
  /* the lowest fixed one is at most 45 degrees away from it */
  const bool stands = (1 - 0.70710678118654752) * tilt * rim->radius <= depth;
  int count = 0;
  if (!stands) out[count++] = picus_lowest_of_rim(end, down);
  for (int k = 0; k < 4; k++)
    if (stands || v3_dot(fixed[k], lowest) < beside) out[count++] = a_rim(end, RIM_FIXED + k);
  return count;
}

static nearest_points to_plane(const picus_shape *cylinder, picus_feature mine, v3 normal, double offset) {
  const v3 p = picus_rim_point(cylinder, mine.index, v3_minus(normal));
  const double distance = v3_dot(normal, p) - offset;
  return (nearest_points){distance, v3_minus(normal), {p, v3_along(p, -distance, normal)}};
}

nearest_points picus_cylinder_to_point(const picus_shape *cylinder, picus_feature mine, v3 p) {
  double length;
  const v3 out = radial(p, &length);
  if (mine.kind == FEATURE_FACE) {
    const v3 n = {0, 0, mine.index ? 1 : -1};
    return (nearest_points){n.z * p.z - cylinder->half_length, n, {{p.x, p.y, end_of(cylinder, mine.index)}, p}};
  }
  if (mine.kind == FEATURE_SIDE) {
    const v3 on = {cylinder->core_radius * out.x, cylinder->core_radius * out.y, p.z};
    return (nearest_points){length - cylinder->core_radius, out, {on, p}};
  }
  const v3 on = picus_rim_point(cylinder, mine.index, p), d = v3_sub(p, on);
  const double distance = v3_length(d);
  return (nearest_points){distance, distance > 0 ? v3_unit(d) : out, {on, p}};
}

picus_feature picus_cylinder_feature_at(const picus_shape *cylinder, v3 p) {
  const double beyond = picus_hypot(p.x, p.y) - cylinder->core_radius, above = fabs(p.z) - cylinder->half_length;
  const int end = p.z > 0;
  if (beyond > 0 && above > 0) return a_rim(end, RIM_NEAREST);
  return beyond > above ? a_side() : a_face(end);
}

nearest_points picus_side_line(double radius, const line *l, v3 outward) {
  const v3 axis = {0, 0, 1};
  v3 n = picus_perpendicular_to(axis, l->along);
  if (v3_square(n) == 0) { /* parallel: at any place */
    double length;
    const v3 out = radial(l->from, &length), on = {radius * out.x, radius * out.y, l->from.z};
    return (nearest_points){length - radius, out, {on, l->from}};
  }
  const double side = v3_square(outward) > 0 ? -v3_dot(n, outward) : v3_dot(n, l->from);
  if (side < 0) n = v3_minus(n);
  const v3 across = v3_cross(l->along, n); /* perpendicular to the line and n: where the axis crosses the line */
  const double place = v3_dot(l->from, across) / v3_dot(axis, across), distance = v3_dot(n, l->from);
  const v3 on = {radius * n.x, radius * n.y, place};
  return (nearest_points){distance - radius, n, {on, v3_along(on, distance - radius, n)}};
}

/* The same for a line with a radius around it: the axis of another cylinder. */
static nearest_points around(nearest_points n, double radius) {
  n.distance -= radius;
  n.point[1] = v3_along(n.point[1], -radius, n.normal);
  return n;
}

static nearest_points turned(nearest_points n) {
  return (nearest_points){n.distance, v3_minus(n.normal), {n.point[1], n.point[0]}};
}

static nearest_points to_line(const picus_shape *cylinder, picus_feature mine, const line *l, v3 outward) {
  if (mine.kind != FEATURE_RIM) return picus_side_line(cylinder->core_radius, l, outward);
  const circle rim = rim_of(cylinder, rim_end(mine.index));
  nearest_points n;
  picus_rim_line(&rim, l, rim_which(mine.index), &n);
  return n;
}

/* From my end to a rim of the other cylinder: its fixed points, or the lowest one. */
static nearest_points to_rim_below(const picus_shape *cylinder, int end, const picus_shape *other,
                                   const picus_pose *relative, int rim) {
  const v3 n = {0, 0, end ? 1 : -1};
  const v3 p = pose_point(relative, picus_rim_point(other, rim, pose_direction_back(relative, v3_minus(n))));
  return (nearest_points){n.z * p.z - cylinder->half_length, n, {{p.x, p.y, end_of(cylinder, end)}, p}};
}

static nearest_points to_cylinder(const picus_shape *cylinder, const picus_shape *other, const picus_pose *relative,
                                  feature_pair f) {
  const line axis = {relative->origin, relative->axis[2]}, own = {{0, 0, 0}, {0, 0, 1}};
  if (f.b.kind == FEATURE_SIDE) return around(to_line(cylinder, f.a, &axis, (v3){0, 0, 0}), other->core_radius);
  if (f.b.kind == FEATURE_FACE) {
    const v3 normal = f.b.index ? axis.along : v3_minus(axis.along);
    return to_plane(cylinder, f.a, normal, v3_dot(normal, axis.from) + other->half_length);
  }
  if (f.a.kind == FEATURE_FACE) return to_rim_below(cylinder, f.a.index, other, relative, f.b.index);
  const circle theirs = rim_seen(other, relative, rim_end(f.b.index));
  if (f.a.kind == FEATURE_SIDE) {
    nearest_points n;
    picus_rim_line(&theirs, &own, rim_which(f.b.index), &n);
    return turned(around(n, cylinder->core_radius));
  }
  const circle mine = rim_of(cylinder, f.a.index / RIM_STRIDE);
  return picus_rim_rim(&mine, &theirs, f.a.index % RIM_STRIDE);
}

nearest_points picus_cylinder_nearest(const picus_shape *cylinder, const picus_shape *other, const picus_pose *relative,
                                      feature_pair f) {
  const polytope *core = &other->polytope;
  if (other->core == CORE_CYLINDER) return to_cylinder(cylinder, other, relative, f);
  if (f.b.kind == FEATURE_FACE) {
    const v3 normal = pose_direction(relative, core->normals[f.b.index]);
    return to_plane(cylinder, f.a, normal, core->offsets[f.b.index] + v3_dot(normal, relative->origin));
  }
  if (f.b.kind == FEATURE_EDGE) {
    const polytope_edge *e = &core->edges[f.b.index];
    const v3 from = core->vertices[e->vertex[0]], along = v3_sub(core->vertices[e->vertex[1]], from);
    const line l = {pose_point(relative, from), pose_direction(relative, v3_unit(along))};
    return to_line(cylinder, f.a, &l, pose_direction(relative, e->outward));
  }
  return picus_cylinder_to_point(cylinder, f.a, pose_point(relative, core->vertices[f.b.index]));
}
