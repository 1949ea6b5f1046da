/* The direction of largest separation of a cylinder from a core with corners or from another cylinder.
 *
 * Along n, the separation from a core with corners is the smallest n.v over its vertices minus the support of the
 * cylinder. On the sphere of directions, each vertex has a region, each edge an arc and each face a point. The largest
 * separation is at the normal of a face, at the best direction on an arc, which is that of a point and the shadow of
 * the cylinder along the edge, or at the direction from the cylinder to a vertex. Features give an upper bound of what
 * their direction separates; only if it beats the best one so far, all vertices are asked. So every value is a true
 * separation, and the right direction is among them. */
#include "collision/cylinder.h"

static double support(const picus_shape *cylinder, v3 n) { return cylinder_support(cylinder, n.z, hypot(n.x, n.y)); }

/* Of two cylinders. */
static double separation(const cylinder_pair *c, v3 n) {
  const v3 z = c->relative.axis[2], across = v3_cross(n, z);
  return v3_dot(n, c->relative.origin) - support(c->cylinder, n) -
         cylinder_support(c->cylinder2, v3_dot(n, z), v3_length(across));
}

static double separate(const cylinder_pair *c, v3 n) {
  if (c->cylinder2) return separation(c, n);
  double lowest;
  placed_lowest(&c->other, n, &lowest);
  return lowest - support(c->cylinder, n);
}

static void consider(const cylinder_pair *c, cylinder_axis candidate, cylinder_axis *best) {
  const double least = best->value + narrow_round_off * c->pair->scale;
  if (best->found && candidate.value <= least) return;
  const double bound = candidate.value;
  candidate.value = separate(c, candidate.normal);
  candidate.found = true;
  if (bound < INFINITY && candidate.value < bound - 1e-12 * c->pair->scale) return; /* other features lie before it */
  if (!best->found || candidate.value > least) *best = candidate;
}

/* --- with corners ------------------------------------------------------------------------------------------------- */

static void ends(const cylinder_pair *c, cylinder_axis *best) {
  for (int end = 0; end < 2; end++) {
    const v3 n = {0, 0, end ? 1 : -1};
    double lowest;
    const int vertex = placed_lowest(&c->other, n, &lowest);
    consider(c, (cylinder_axis){true, lowest - c->cylinder->half_length, n, a_face(end), a_vertex(vertex)}, best);
  }
}

static void faces(const cylinder_pair *c, cylinder_axis *best) {
  for (int f = 0; f < c->other.core->face_count; f++) {
    const v3 n = v3_minus(c->other.normals[f]);
    const double value = -c->other.offsets[f] - support(c->cylinder, n);
    consider(c, (cylinder_axis){true, value, n, a_rim(n.z > 0, RIM_NEAREST), a_face(f)}, best);
  }
}

static void edge(const cylinder_pair *c, int k, cylinder_axis *best) {
  const line l = edge_line(&c->other, k);
  v3 n = picus_perpendicular_to((v3){0, 0, 1}, l.along);
  if (v3_square(n) == 0) {
    const double distance = hypot(l.from.x, l.from.y);
    n = distance > 0 ? v3_unit((v3){l.from.x, l.from.y, 0}) : (v3){1, 0, 0};
  }
  for (int sign = 0; sign < 2; sign++, n = v3_minus(n)) {
    const double value = v3_dot(n, l.from) - c->cylinder->core_radius;
    consider(c, (cylinder_axis){true, value, n, a_side(), an_edge(k)}, best);
  }
  for (int end = 0; end < 2; end++) {
    const circle rim = rim_of(c->cylinder, end);
    nearest_points found;
    if (!picus_rim_line(&rim, &l, RIM_FRONT, &found) || found.normal.z * rim.axis.z < 0) continue;
    consider(c, (cylinder_axis){true, found.distance, found.normal, a_rim(end, RIM_FRONT), an_edge(k)}, best);
  }
}

static void vertex(const cylinder_pair *c, int k, cylinder_axis *best) {
  const v3 p = c->other.vertices[k];
  picus_feature mine = picus_cylinder_feature_at(c->cylinder, p);
  const bool inside = hypot(p.x, p.y) < c->cylinder->core_radius && fabs(p.z) < c->cylinder->half_length;
  if (inside) mine = a_side(); /* the way out through an end is that of another vertex, or the same */
  const nearest_points found = picus_cylinder_to_point(c->cylinder, mine, p);
  consider(c, (cylinder_axis){true, found.distance, found.normal, mine, a_vertex(k)}, best);
}

/* --- two cylinders ------------------------------------------------------------------------------------------------ */

/* The end of the other cylinder that is lower along n. */
static int lower_end(const cylinder_pair *c, v3 n) { return v3_dot(n, c->relative.axis[2]) < 0; }

static void both_ends(const cylinder_pair *c, cylinder_axis *best) {
  for (int end = 0; end < 2; end++) {
    const v3 n = {0, 0, end ? 1 : -1};
    consider(c, (cylinder_axis){true, INFINITY, n, a_face(end), a_rim(lower_end(c, n), RIM_NEAREST)}, best);
    const v3 m = end ? v3_minus(c->relative.axis[2]) : c->relative.axis[2];
    consider(c, (cylinder_axis){true, INFINITY, m, a_rim(m.z > 0, RIM_NEAREST), a_face(end)}, best);
  }
}

static void both_sides(const cylinder_pair *c, cylinder_axis *best) {
  const line axis = {c->relative.origin, c->relative.axis[2]}, own = {{0, 0, 0}, {0, 0, 1}};
  const nearest_points sides = picus_side_line(c->cylinder->core_radius, &axis, (v3){0, 0, 0});
  consider(c, (cylinder_axis){true, INFINITY, sides.normal, a_side(), a_side()}, best);
  for (int end = 0; end < 2; end++) {
    nearest_points found;
    const circle rim = rim_of(c->cylinder, end), other = rim_seen(c->cylinder2, &c->relative, end);
    if (picus_rim_line(&rim, &axis, RIM_FRONT, &found)) {
      const double value = found.distance - c->cylinder2->core_radius;
      consider(c, (cylinder_axis){true, value, found.normal, a_rim(end, RIM_FRONT), a_side()}, best);
    }
    if (picus_rim_line(&other, &own, RIM_FRONT, &found)) {
      const double value = found.distance - c->cylinder->core_radius;
      consider(c, (cylinder_axis){true, value, v3_minus(found.normal), a_side(), a_rim(end, RIM_FRONT)}, best);
    }
  }
}

static void both_rims(const cylinder_pair *c, cylinder_axis *best) {
  for (int k = 0; k < 4; k++) {
    const circle rim = rim_of(c->cylinder, k & 1), other = rim_seen(c->cylinder2, &c->relative, k >> 1);
    const nearest_points found = picus_rim_rim(&rim, &other, RIM_NEAREST);
    const v3 rest = v3_along(v3_sub(found.point[1], found.point[0]), -found.distance, found.normal);
    if (v3_length(rest) > 1e-9 * c->pair->scale) continue; /* other features lie between the rims */
    consider(c,
             (cylinder_axis){true, found.distance, found.normal, a_rim(k & 1, RIM_NEAREST), a_rim(k >> 1, RIM_NEAREST)},
             best);
  }
}

cylinder_axis picus_cylinder_axis(const cylinder_pair *c) {
  cylinder_axis best = {.value = -INFINITY};
  if (c->cylinder2) {
    both_ends(c, &best);
    if (best.value <= c->pair->reach) both_sides(c, &best);
    if (best.value <= c->pair->reach) both_rims(c, &best);
    return best;
  }
  ends(c, &best);
  faces(c, &best);
  for (int k = 0; k < c->other.core->edge_count && best.value <= c->pair->reach; k++) edge(c, k, &best);
  for (int k = 0; k < c->other.core->vertex_count && best.value <= c->pair->reach; k++) vertex(c, k, &best);
  return best;
}
