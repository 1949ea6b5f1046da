/* Contacts of cylinders with half-spaces and with spheres, in closed form. The core is a cylinder about z; its features
 * are the two faces, the two rims and the side between them. */
#include "collision/narrow.h"

/* Number of a rim: 8 times the end (0: below, 1: above), plus 0 for its point nearest to the other shape, which moves
 * along the rim, or 1 ... 4 for the points fixed to it on the axes x, y, -x, -y. */
enum { RIM_POINTS = 5, RIM_STRIDE = 8 };

static picus_feature a_rim(int end, int point) { return (picus_feature){FEATURE_RIM, RIM_STRIDE * end + point}; }

static double end_of(const picus_shape *cylinder, int end) {
  return end ? cylinder->half_length : -cylinder->half_length;
}

/* The direction of (x, y), and its length; x if it has none. */
static v3 radial(v3 p, double *length) {
  *length = hypot(p.x, p.y);
  return *length > 0 ? (v3){p.x / *length, p.y / *length, 0} : (v3){1, 0, 0};
}

static v3 rim_point(const picus_shape *cylinder, int rim, v3 towards) {
  static const v3 fixed[4] = {{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}};
  const int point = rim % RIM_STRIDE;
  double length;
  v3 p = v3_scale(cylinder->core_radius, point ? fixed[(point - 1) % 4] : radial(towards, &length));
  p.z = end_of(cylinder, rim / RIM_STRIDE);
  return p;
}

/* --- gaps, in the frame of the cylinder, from it to the other core ------------------------------------------------ */

static nearest_points to_half_space(const picus_shape *cylinder, picus_feature mine, v3 normal, double offset) {
  const v3 p = rim_point(cylinder, mine.index, v3_minus(normal));
  const double distance = v3_dot(normal, p) - offset;
  return (nearest_points){distance, v3_minus(normal), {p, v3_along(p, -distance, normal)}};
}

static nearest_points to_point(const picus_shape *cylinder, picus_feature mine, v3 p) {
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
  const v3 on = rim_point(cylinder, mine.index, p), d = v3_sub(p, on);
  const double distance = v3_length(d);
  return (nearest_points){distance, distance > 0 ? v3_unit(d) : out, {on, p}};
}

nearest_points picus_cylinder_nearest(const picus_shape *cylinder, const picus_shape *other, const picus_pose *relative,
                                      picus_feature mine) {
  if (other->core == CORE_HALF_SPACE) {
    const v3 normal = pose_direction(relative, other->polytope.normals[0]);
    return to_half_space(cylinder, mine, normal, v3_dot(normal, relative->origin));
  }
  return to_point(cylinder, mine, pose_point(relative, other->polytope.vertices[0]));
}

/* --- contacts ----------------------------------------------------------------------------------------------------- */

/* The feature nearest to a point, or, inside, the one through which the way out is shortest. */
static picus_feature feature_at(const picus_shape *cylinder, v3 p) {
  const double beyond = hypot(p.x, p.y) - cylinder->core_radius, above = fabs(p.z) - cylinder->half_length;
  const int end = p.z > 0;
  if (beyond > 0 && above > 0) return a_rim(end, 0);
  return beyond > above ? (picus_feature){FEATURE_SIDE, 0} : a_face(end);
}

static feature_pair in_order(bool first, picus_feature mine, picus_feature other) {
  return first ? pair_of(mine, other) : pair_of(other, mine);
}

static void collide_half_space(const narrow_pair *pair, bool first, manifold *out) {
  const picus_pose *ground = &pair->shapes->poses[first];
  candidates list;
  picus_candidates_start(pair, 0, (v3){0, 0, 0}, &list);
  list.normal = first ? v3_minus(ground->axis[2]) : ground->axis[2];
  list.gap = INFINITY;
  for (int end = 0; end < 2; end++) { /* the lowest point of all is that of one of the rims */
    contact_geometry lowest;
    picus_pair_gap(pair, in_order(first, a_rim(end, 0), a_face(0)), &lowest);
    if (lowest.gap < list.gap) list.gap = lowest.gap;
  }
  for (int point = 0; point < RIM_POINTS; point++)
    for (int end = 0; end < 2; end++) picus_candidates_add(pair, in_order(first, a_rim(end, point), a_face(0)), &list);
  picus_candidates_reduce(&list, MANIFOLD_MOST, out);
}

void picus_narrow_cylinder(const narrow_pair *pair, bool first, manifold *out) {
  const shape_pair *shapes = pair->shapes;
  const picus_shape *cylinder = first ? shapes->a : shapes->b, *other = first ? shapes->b : shapes->a;
  if (other->core == CORE_HALF_SPACE) {
    collide_half_space(pair, first, out);
    return;
  }
  const picus_pose relative = pose_relative(&shapes->poses[!first], &shapes->poses[first]);
  const v3 p = pose_point(&relative, other->polytope.vertices[0]);
  out->feature[0] = in_order(first, feature_at(cylinder, p), a_vertex(0));
  picus_pair_gap(pair, out->feature[0], &out->contact[0]);
  out->count = out->contact[0].gap <= shapes->margin;
}

bool picus_cylinder_supports(const picus_shape *other) {
  return other->core == CORE_HALF_SPACE || (other->core == CORE_POLYTOPE && other->polytope.vertex_count == 1);
}
