/* Contacts of cylinders: the features of largest separation, and others where ends, sides, faces and edges lie on
 * each other. The core is a cylinder about z; its features are the two faces, the two rims and the side between them.
 */
#include "base/elementary.h"
#include "collision/curved.h"
#include "collision/narrow.h"

/* --- the direction of largest separation -------------------------------------------------------------------------- */

/* The direction of largest separation of a cylinder from a core with corners or from another cylinder.
 *
 * Along n, the separation from a core with corners is the smallest n.v over its vertices minus the support of the
 * cylinder. On the sphere of directions, each vertex has a region, each edge an arc and each face a point. The largest
 * separation is at the normal of a face, at the best direction on an arc, which is that of a point and the shadow of
 * the cylinder along the edge, or at the direction from the cylinder to a vertex. Features give an upper bound of what
 * their direction separates; only if it beats the best one so far, all vertices are asked. So every value is a true
 * separation, and the right direction is among them. */

static double support(const picus_shape *cylinder, v3 n) {
  return cylinder_support(cylinder, n.z, picus_hypot(n.x, n.y));
}

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
    const double distance = picus_hypot(l.from.x, l.from.y);
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
  const bool inside = picus_hypot(p.x, p.y) < c->cylinder->core_radius && fabs(p.z) < c->cylinder->half_length;
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

/* The largest separation of a cylinder from a core with corners, or from another cylinder. */
static cylinder_axis find_axis(const cylinder_pair *c) {
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

/* --- contacts ----------------------------------------------------------------------------------------------------- */

/* Cosines of the angle between the axis and the normal of a contact: an end faces the other shape, or the side does. */
static const double end_faces = 0.9, side_faces = 0.45;

static feature_pair in_order(bool first, picus_feature mine, picus_feature other) {
  return first ? pair_of(mine, other) : pair_of(other, mine);
}

/* Rims with lines: edges of the other core, or the axis of the other cylinder or of this one. */
static void name_rims(const cylinder_pair *c, picus_feature *mine, picus_feature *theirs) {
  const bool with_edge = !c->cylinder2 && c->other.core && theirs->kind == FEATURE_EDGE;
  if (mine->kind == FEATURE_RIM && (with_edge || theirs->kind == FEATURE_SIDE)) {
    const circle rim = rim_of(c->cylinder, rim_end(mine->index));
    const line middle = {c->relative.origin, c->relative.axis[2]},
               l = with_edge ? edge_line(&c->other, theirs->index) : middle;
    *mine = a_rim(rim_end(mine->index), picus_rim_name(&rim, &l, rim_which(mine->index)));
  } else if (c->cylinder2 && mine->kind == FEATURE_SIDE && theirs->kind == FEATURE_RIM) {
    const circle rim = rim_seen(c->cylinder2, &c->relative, rim_end(theirs->index));
    const line own = {{0, 0, 0}, {0, 0, 1}};
    *theirs = a_rim(rim_end(theirs->index), picus_rim_name(&rim, &own, rim_which(theirs->index)));
  }
}

static void add(const cylinder_pair *c, picus_feature mine, picus_feature theirs, candidates *out) {
  name_rims(c, &mine, &theirs);
  picus_candidates_add(c->pair, in_order(c->first, mine, theirs), out);
}

static double tolerance(const cylinder_pair *c) { return narrow_same_place * c->pair->scale; }

static bool is_beside(const cylinder_pair *c, v3 p) { /* at the height of the side */
  return fabs(p.z) <= c->cylinder->half_length + tolerance(c);
}
static bool is_over_end(const cylinder_pair *c, v3 p) {
  return picus_hypot(p.x, p.y) <= c->cylinder->core_radius + tolerance(c);
}

/* --- half-spaces -------------------------------------------------------------------------------------------------- */

static void collide_half_space(const narrow_pair *pair, bool first, manifold *out) {
  const picus_pose *ground = &pair->shapes->poses[first];
  candidates list;
  picus_candidates_start(pair, 0, (v3){0, 0, 0}, &list);
  list.normal = first ? v3_minus(ground->axis[2]) : ground->axis[2];
  list.gap = INFINITY;
  for (int end = 0; end < 2; end++) { /* the lowest point of all is that of one of the rims */
    contact_geometry lowest;
    picus_pair_gap(pair, in_order(first, a_rim(end, RIM_NEAREST), a_face(0)), &lowest);
    if (lowest.gap < list.gap) list.gap = lowest.gap;
  }
  const v3 down = pose_direction_back(&pair->shapes->poses[!first], v3_minus(ground->axis[2]));
  for (int end = 0; end < 2; end++) {
    const circle rim = rim_of(first ? pair->shapes->a : pair->shapes->b, end);
    picus_feature points[RIM_POINTS_MOST];
    const int count = picus_points_of_rim(&rim, down, narrow_same_depth * pair->scale, points);
    for (int k = 0; k < count; k++) picus_candidates_add(pair, in_order(first, points[k], a_face(0)), &list);
  }
  picus_candidates_reduce(&list, MANIFOLD_MOST, out);
}

/* --- with corners ------------------------------------------------------------------------------------------------- */

/* Whether a point lies in an edge. */
static bool is_in_edge(const cylinder_pair *c, int edge, v3 p) {
  const int *end = c->other.core->edges[edge].vertex;
  const v3 from = c->other.vertices[end[0]], along = v3_sub(c->other.vertices[end[1]], from);
  const double length = v3_length(along), place = v3_dot(v3_sub(p, from), along) / length;
  return place >= -tolerance(c) && place <= length + tolerance(c);
}

static void add_vertex(const cylinder_pair *c, int vertex, double along, candidates *out) {
  const v3 p = c->other.vertices[vertex];
  if (fabs(along) > end_faces && is_over_end(c, p)) add(c, a_face(along > 0), a_vertex(vertex), out);
  if (fabs(along) < side_faces && is_beside(c, p)) add(c, a_side(), a_vertex(vertex), out);
}

static void add_rim_edge(const cylinder_pair *c, picus_feature rim, int edge, candidates *out) {
  const circle mine = rim_of(c->cylinder, rim.index / RIM_STRIDE);
  const line l = edge_line(&c->other, edge);
  nearest_points n;
  if (picus_rim_line(&mine, &l, rim.index % RIM_STRIDE, &n) && is_in_edge(c, edge, n.point[1]))
    add(c, rim, an_edge(edge), out);
}

static bool side_crosses(const cylinder_pair *c, int edge) {
  const line l = edge_line(&c->other, edge);
  const nearest_points n = picus_side_line(c->cylinder->core_radius, &l, (v3){0, 0, 0});
  return is_beside(c, n.point[0]) && is_in_edge(c, edge, n.point[1]);
}

/* An edge that lies on an end or along the side. */
static void add_edge(const cylinder_pair *c, int edge, double along, candidates *out) {
  for (int k = 0; k < 2; k++) add_vertex(c, c->other.core->edges[edge].vertex[k], along, out);
  if (fabs(along) > end_faces) {
    add_rim_edge(c, a_rim(along > 0, RIM_FRONT), edge, out);
    add_rim_edge(c, a_rim(along > 0, RIM_BACK), edge, out);
  } else if (fabs(along) < side_faces) {
    for (int end = 0; end < 2; end++) add_rim_edge(c, a_rim(end, RIM_NEAREST), edge, out);
    if (side_crosses(c, edge)) add(c, a_side(), an_edge(edge), out);
  }
}

/* The edge between two neighbours in the loop of a face. */
static int edge_of_face(const polytope *p, int face, int k) {
  const int *loop = p->loops + p->faces[face].first, from = loop[k], to = loop[(k + 1) % p->faces[face].count];
  const int *list = p->star ? p->star_edges + p->star[from] : NULL;
  const int count = p->star ? p->star[from + 1] - p->star[from] : p->edge_count;
  for (int n = 0; n < count; n++) {
    const int e = list ? list[n] : n, *end = p->edges[e].vertex;
    if ((end[0] == from && end[1] == to) || (end[0] == to && end[1] == from)) return e;
  }
  return -1;
}

static void add_rim_point(const cylinder_pair *c, int face, picus_feature rim, candidates *out) {
  const v3 p = picus_rim_point(c->cylinder, rim.index, v3_minus(c->other.normals[face]));
  if (picus_outside_face(&c->other, face, p) <= tolerance(c)) add(c, rim, a_face(face), out);
}

/* The face of the other core that looks at the cylinder. */
static void add_face(const cylinder_pair *c, int face, double along, candidates *out) {
  const int end = along > 0;
  const circle rim = rim_of(c->cylinder, end);
  picus_feature points[RIM_POINTS_MOST] = {a_rim(end, RIM_NEAREST)};
  const double depth = narrow_same_depth * c->pair->scale;
  const int count =
      fabs(along) > end_faces ? picus_points_of_rim(&rim, v3_minus(c->other.normals[face]), depth, points) : 1;
  for (int k = 0; k < count; k++) add_rim_point(c, face, points[k], out);
  if (fabs(along) < side_faces) add_rim_point(c, face, a_rim(!end, RIM_NEAREST), out);
  for (int k = 0; k < c->other.core->faces[face].count; k++)
    add_edge(c, edge_of_face(c->other.core, face, k), along, out);
}

/* Whether the features of the axis face each other. */
static bool is_opposite(const cylinder_pair *c, const cylinder_axis *best) {
  const picus_feature theirs = best->theirs;
  if (theirs.kind == FEATURE_VERTEX)
    return best->mine.kind != FEATURE_FACE || is_over_end(c, c->other.vertices[theirs.index]);
  if (theirs.kind == FEATURE_EDGE) return best->mine.kind != FEATURE_SIDE || side_crosses(c, theirs.index);
  const v3 p = picus_rim_point(c->cylinder, best->mine.index, v3_minus(c->other.normals[theirs.index]));
  return picus_outside_face(&c->other, theirs.index, p) <= tolerance(c);
}

static void add_corners(const cylinder_pair *c, const cylinder_axis *best, candidates *out) {
  const int face = placed_face_along(&c->other, v3_minus(best->normal));
  const bool is_carried = best->theirs.kind == FEATURE_FACE && face == best->theirs.index; /* by the points of a rim */
  if (!is_carried && is_opposite(c, best)) add(c, best->mine, best->theirs, out);
  if (best->theirs.kind == FEATURE_EDGE) add_edge(c, best->theirs.index, best->normal.z, out);
  if (face >= 0)
    add_face(c, face, best->normal.z, out);
  else if (c->other.core->edge_count)
    add_edge(c, 0, best->normal.z, out);
}

/* --- two cylinders ------------------------------------------------------------------------------------------------ */

typedef struct facing {
  double mine, theirs; /* cosines of the normal and the axes */
} facing;

static bool is_over_other_end(const cylinder_pair *c, v3 p) {
  const v3 q = pose_point_back(&c->relative, p);
  return picus_hypot(q.x, q.y) <= c->cylinder2->core_radius + tolerance(c);
}
static bool is_beside_other(const cylinder_pair *c, v3 p) {
  const v3 q = pose_point_back(&c->relative, p);
  return fabs(q.z) <= c->cylinder2->half_length + tolerance(c);
}

/* A point of my rim on an end of the other cylinder, and of its rim on my end. */
static void add_my_rim(const cylinder_pair *c, picus_feature rim, int end, candidates *out) {
  const v3 normal = v3_scale(end ? -1 : 1, c->relative.axis[2]);
  if (is_over_other_end(c, picus_rim_point(c->cylinder, rim.index, normal))) add(c, rim, a_face(end), out);
}
static void add_their_rim(const cylinder_pair *c, int end, picus_feature rim, candidates *out) {
  const v3 down = pose_direction_back(&c->relative, (v3){0, 0, end ? -1 : 1});
  if (is_over_end(c, pose_point(&c->relative, picus_rim_point(c->cylinder2, rim.index, down))))
    add(c, a_face(end), rim, out);
}

static void add_my_rim_side(const cylinder_pair *c, picus_feature rim, candidates *out) {
  const circle mine = rim_of(c->cylinder, rim.index / RIM_STRIDE);
  const line middle = {c->relative.origin, c->relative.axis[2]};
  nearest_points n;
  if (picus_rim_line(&mine, &middle, rim.index % RIM_STRIDE, &n) && is_beside_other(c, n.point[1]))
    add(c, rim, a_side(), out);
}
static void add_their_rim_side(const cylinder_pair *c, picus_feature rim, candidates *out) {
  const circle theirs = rim_seen(c->cylinder2, &c->relative, rim.index / RIM_STRIDE);
  const line middle = {{0, 0, 0}, {0, 0, 1}};
  nearest_points n;
  if (picus_rim_line(&theirs, &middle, rim.index % RIM_STRIDE, &n) && is_beside(c, n.point[1]))
    add(c, a_side(), rim, out);
}

/* Two rims that cross, seen along the normal: if the two nearest points were found. */
static void add_crossing(const cylinder_pair *c, int mine, int theirs, int which, candidates *out) {
  const circle a = rim_of(c->cylinder, mine), b = rim_seen(c->cylinder2, &c->relative, theirs);
  const nearest_points n = picus_rim_rim(&a, &b, which);
  const v3 rest = v3_along(v3_sub(n.point[1], n.point[0]), -n.distance, n.normal);
  if (v3_length(rest) <= 1e-12 * c->pair->scale) add(c, a_rim(mine, which), a_rim(theirs, RIM_NEAREST), out);
}

static bool sides_cross(const cylinder_pair *c) {
  const line middle = {c->relative.origin, c->relative.axis[2]};
  const nearest_points n = picus_side_line(c->cylinder->core_radius, &middle, (v3){0, 0, 0});
  return is_beside(c, n.point[0]) && is_beside_other(c, n.point[1]);
}

static bool cylinders_are_opposite(const cylinder_pair *c, const cylinder_axis *best) {
  if (best->mine.kind == FEATURE_SIDE && best->theirs.kind == FEATURE_SIDE) return sides_cross(c);
  if (best->mine.kind == FEATURE_FACE) {
    const v3 down = pose_direction_back(&c->relative, v3_minus(best->normal));
    return is_over_end(c, pose_point(&c->relative, picus_rim_point(c->cylinder2, best->theirs.index, down)));
  }
  if (best->theirs.kind == FEATURE_FACE)
    return is_over_other_end(c, picus_rim_point(c->cylinder, best->mine.index, best->normal));
  return true;
}

static void add_ends(const cylinder_pair *c, int mine, int theirs, candidates *out) {
  for (int point = RIM_NEAREST; point <= RIM_FIXED_LAST; point++) {
    add_my_rim(c, a_rim(mine, point), theirs, out);
    add_their_rim(c, mine, a_rim(theirs, point), out);
  }
  add_crossing(c, mine, theirs, RIM_FRONT, out);
  add_crossing(c, mine, theirs, RIM_BACK, out);
}

static void add_cylinders(const cylinder_pair *c, const cylinder_axis *best, candidates *out) {
  const facing f = {best->normal.z, v3_dot(best->normal, c->relative.axis[2])};
  const int mine = f.mine > 0, theirs = f.theirs < 0;
  if (cylinders_are_opposite(c, best)) add(c, best->mine, best->theirs, out);
  if (fabs(f.mine) > end_faces && fabs(f.theirs) > end_faces) add_ends(c, mine, theirs, out);
  if (fabs(f.mine) < side_faces && fabs(f.theirs) < side_faces && sides_cross(c)) add(c, a_side(), a_side(), out);
  for (int k = 0; k < 2; k++) {
    if (fabs(f.mine) > end_faces && fabs(f.theirs) < side_faces) {
      add_their_rim(c, mine, a_rim(k, RIM_NEAREST), out);
      add_my_rim_side(c, a_rim(mine, k ? RIM_BACK : RIM_FRONT), out);
    }
    if (fabs(f.mine) < side_faces && fabs(f.theirs) > end_faces) {
      add_my_rim(c, a_rim(k, RIM_NEAREST), theirs, out);
      add_their_rim_side(c, a_rim(theirs, k ? RIM_BACK : RIM_FRONT), out);
    }
    if (fabs(f.mine) < side_faces && fabs(f.theirs) < side_faces) {
      add_my_rim_side(c, a_rim(k, RIM_NEAREST), out);
      add_their_rim_side(c, a_rim(k, RIM_NEAREST), out);
    }
  }
}

/* ------------------------------------------------------------------------------------------------------------------ */

/* Whether one of the contacts is the signed distance. */
static bool has_distance(const candidates *list) {
  bool found = false;
  for (int k = 0; k < list->count; k++) {
    const contact_geometry *contact = &list->contact[k];
    found = found || (fabs(contact->gap - list->gap) <= 1e-12 * list->scale &&
                      v3_length(v3_sub(contact->normal, list->normal)) <= 1e-6);
  }
  return found;
}

static void collide(const cylinder_pair *c, manifold *out) {
  const cylinder_axis best = find_axis(c);
  if (best.value > c->pair->reach) return;
  candidates list;
  picus_candidates_start(c->pair, best.value, best.normal, &list);
  const v3 normal = pose_direction(&c->pair->shapes->poses[!c->first], best.normal);
  list.normal = c->first ? normal : v3_minus(normal);
  contact_geometry nearest; /* where any direction is right, as for a point on the axis, the features determine it */
  picus_pair_gap(c->pair, in_order(c->first, best.mine, best.theirs), &nearest);
  if (fabs(nearest.gap - list.gap) <= 1e-12 * c->pair->scale) list.normal = nearest.normal;
  if (c->cylinder2)
    add_cylinders(c, &best, &list);
  else
    add_corners(c, &best, &list);
  if (!has_distance(&list)) add(c, best.mine, best.theirs, &list);
  picus_candidates_reduce(&list, MANIFOLD_MOST, out);
}

void picus_narrow_cylinder_with(const narrow_pair *pair, bool first, const placed *other, manifold *out) {
  const cylinder_pair c = {pair, first, first ? pair->shapes->a : pair->shapes->b, *other, NULL, picus_pose_identity()};
  collide(&c, out);
}

void picus_narrow_cylinder(const narrow_pair *pair, bool first, const narrow_space *space, manifold *out) {
  const shape_pair *shapes = pair->shapes;
  const picus_shape *other = first ? shapes->b : shapes->a;
  if (other->core == CORE_HALF_SPACE) {
    collide_half_space(pair, first, out);
    return;
  }
  const picus_pose relative = pose_relative(&shapes->poses[!first], &shapes->poses[first]);
  if (other->core == CORE_CYLINDER) {
    const cylinder_pair c = {.pair = pair,
                             .first = first,
                             .cylinder = first ? shapes->a : shapes->b,
                             .cylinder2 = other,
                             .relative = relative};
    collide(&c, out);
    return;
  }
  const placed there = picus_place_core(&other->polytope, &relative, space);
  picus_narrow_cylinder_with(pair, first, &there, out);
}
