/* The gap between two features of polytopes as a smooth function of the poses. Everything is computed in the frame of
 * a. Distances are those of the cores; the radii come last. */
#include "collision/curved.h"

#include <float.h>

enum { INDEX_BITS = 28 };

uint64_t picus_feature_pack(feature_pair pair) {
  return (uint64_t)pair.a.kind << (2 * INDEX_BITS + 4) | (uint64_t)pair.a.index << (INDEX_BITS + 4) |
         (uint64_t)pair.b.kind << INDEX_BITS | (uint64_t)pair.b.index;
}

feature_pair picus_feature_unpack(uint64_t packed) {
  const uint64_t index = ((uint64_t)1 << INDEX_BITS) - 1;
  return (feature_pair){
      {(feature_kind)(packed >> (2 * INDEX_BITS + 4)), (int)(packed >> (INDEX_BITS + 4) & index)},
      {(feature_kind)(packed >> INDEX_BITS & 15), (int)(packed & index)},
  };
}

/* Of a cylinder: its ends, its side, and points of its two rims. */
static bool has_round_feature(picus_feature f) {
  if (f.kind == FEATURE_FACE) return f.index < 2;
  if (f.kind == FEATURE_SIDE) return f.index == 0;
  return f.kind == FEATURE_RIM && f.index < 2 * RIM_STRIDE && f.index % RIM_STRIDE <= RIM_BACK;
}

static bool is_round(const picus_shape *shape) { return shape->core == CORE_CYLINDER || shape->core == CORE_ELLIPSOID; }

static bool has_feature(const picus_shape *shape, picus_feature f) {
  if (shape->core == CORE_CYLINDER) return has_round_feature(f);
  if (shape->core == CORE_ELLIPSOID) return f.kind == FEATURE_SIDE && f.index == 0;
  switch (f.kind) {
  case FEATURE_VERTEX:
    return f.index < shape->polytope.vertex_count;
  case FEATURE_EDGE:
    return f.index < shape->polytope.edge_count;
  case FEATURE_FACE:
    return f.index < shape->polytope.face_count;
  default:
    return false;
  }
}

bool picus_features_can_touch(const picus_shape *a, const picus_shape *b, feature_pair pair) {
  if (!has_feature(a, pair.a) || !has_feature(b, pair.b)) return false;
  if (is_round(a) || is_round(b)) return true;
  const bool face_a = pair.a.kind == FEATURE_FACE, face_b = pair.b.kind == FEATURE_FACE;
  return (!face_a || pair.b.kind == FEATURE_VERTEX) && (!face_b || pair.a.kind == FEATURE_VERTEX);
}

/* A core whose features are seen from the frame of a: relative is NULL for a itself. */
typedef struct seen {
  const polytope *core;
  const picus_pose *relative;
} seen;

typedef struct seen_edge {
  v3 from, along; /* along: unit */
  v3 outward;
} seen_edge;

static v3 point_of(seen s, v3 x) { return s.relative ? pose_point(s.relative, x) : x; }
static v3 direction_of(seen s, v3 d) { return s.relative ? pose_direction(s.relative, d) : d; }
static v3 vertex_of(seen s, int k) { return point_of(s, s.core->vertices[k]); }
static seen_edge edge_of(seen s, int k) {
  const polytope_edge *edge = &s.core->edges[k];
  v3 from = s.core->vertices[edge->vertex[0]], to = s.core->vertices[edge->vertex[1]];
  return (seen_edge){point_of(s, from), direction_of(s, v3_unit(v3_sub(to, from))), direction_of(s, edge->outward)};
}

static nearest_points vertex_vertex(seen s, seen t, feature_pair pair) {
  nearest_points n = {0, {1, 0, 0}, {vertex_of(s, pair.a.index), vertex_of(t, pair.b.index)}};
  v3 d = v3_sub(n.point[1], n.point[0]);
  n.distance = v3_length(d);
  if (n.distance > 0) n.normal = v3_unit(d);
  return n;
}

/* From an edge of s to a vertex of t. The part of the difference along the edge is removed twice: the second time
 * removes the round-off of the first. */
static nearest_points edge_vertex(seen s, seen t, feature_pair pair) {
  seen_edge e = edge_of(s, pair.a.index);
  v3 v = vertex_of(t, pair.b.index), d = v3_sub(v, e.from);
  const double round_off = 4 * DBL_EPSILON * v3_length(d);
  double place = v3_dot(d, e.along);
  d = v3_along(d, -place, e.along);
  double rest = v3_dot(d, e.along);
  d = v3_along(d, -rest, e.along);
  nearest_points n = {v3_length(d), {0, 0, 0}, {v3_along(e.from, place + rest, e.along), v}};
  n.normal = n.distance > round_off ? v3_unit(d) : v3_perpendicular(e.along);
  return n;
}

/* From a face of s to a vertex of t. */
static nearest_points face_vertex(seen s, seen t, feature_pair pair) {
  v3 normal = direction_of(s, s.core->normals[pair.a.index]), v = vertex_of(t, pair.b.index);
  double offset = s.core->offsets[pair.a.index];
  if (s.relative) offset += v3_dot(normal, s.relative->origin);
  double distance = v3_dot(normal, v) - offset;
  return (nearest_points){distance, normal, {v3_along(v, -distance, normal), v}};
}

v3 picus_perpendicular_to(v3 a, v3 b) {
  v3 n = v3_cross(a, b);
  double sine = v3_length(n);
  if (sine < 1e-14) return (v3){0, 0, 0};
  n = v3_scale(1 / sine, n);
  for (int round = 0; round < 3 && sine < 1e-2; round++) { /* round-off of the product was divided by the sine */
    n = v3_unit(v3_along(n, -v3_dot(n, a), a));
    n = v3_unit(v3_along(n, -v3_dot(n, b), b));
  }
  return n;
}

static nearest_points edge_edge(seen s, seen t, feature_pair pair) {
  seen_edge e = edge_of(s, pair.a.index), f = edge_of(t, pair.b.index);
  v3 d = v3_sub(f.from, e.from), n = picus_perpendicular_to(e.along, f.along);
  if (v3_square(n) == 0) { /* parallel: the distance of the lines, at any place */
    nearest_points lines =
        edge_vertex(s, t, (feature_pair){pair.a, {FEATURE_VERTEX, t.core->edges[pair.b.index].vertex[0]}});
    return lines;
  }
  double side = v3_dot(n, e.outward);
  if (v3_square(e.outward) == 0) side = v3_square(f.outward) == 0 ? v3_dot(n, d) : -v3_dot(n, f.outward);
  if (side < 0) n = v3_minus(n);
  v3 across = v3_cross(f.along, n); /* perpendicular to f and n: where e crosses f, seen along n */
  double place = v3_dot(d, across) / v3_dot(e.along, across);
  double distance = v3_dot(n, d);
  v3 on_e = v3_along(e.from, place, e.along);
  return (nearest_points){distance, n, {on_e, v3_along(on_e, distance, n)}};
}

static nearest_points turned(nearest_points n) {
  return (nearest_points){n.distance, v3_minus(n.normal), {n.point[1], n.point[0]}};
}

static nearest_points find_nearest(seen a, seen b, feature_pair pair) {
  const feature_pair exchanged = {pair.b, pair.a};
  if (pair.a.kind == FEATURE_FACE) return face_vertex(a, b, pair);
  if (pair.b.kind == FEATURE_FACE) return turned(face_vertex(b, a, exchanged));
  if (pair.a.kind == FEATURE_EDGE && pair.b.kind == FEATURE_EDGE) return edge_edge(a, b, pair);
  if (pair.a.kind == FEATURE_EDGE) return edge_vertex(a, b, pair);
  if (pair.b.kind == FEATURE_EDGE) return turned(edge_vertex(b, a, exchanged));
  return vertex_vertex(a, b, pair);
}

/* The centre of a sphere or disk, at the origin of its frame: the axes of the frame do not matter. */
static bool is_centre(const picus_shape *shape, picus_feature f) {
  if (shape->is_ball) return true;
  if (f.kind != FEATURE_VERTEX || is_round(shape)) return false;
  const v3 *v = &shape->polytope.vertices[f.index];
  return v->x == 0 && v->y == 0 && v->z == 0;
}

/* Of two spheres or disks: most contacts of a heap. */
static nearest_points centre_centre(const picus_pose poses[2]) {
  const v3 d = pose_point_back(&poses[0], poses[1].origin);
  const double distance = v3_length(d);
  return (nearest_points){distance, distance > 0 ? v3_unit(d) : (v3){1, 0, 0}, {{0, 0, 0}, d}};
}

/* In the frame of a, or of b: that of an ellipsoid, else that of a cylinder. */
static nearest_points nearest_of(const picus_shape *a, const picus_shape *b, const picus_pose poses[2],
                                 feature_pair pair, int *frame) {
  *frame = b->core == CORE_ELLIPSOID ? a->core != CORE_ELLIPSOID : b->core == CORE_CYLINDER && !is_round(a);
  if (is_centre(a, pair.a) && is_centre(b, pair.b)) return centre_centre(poses);
  if (!is_round(a) && is_centre(b, pair.b)) {
    picus_pose centre = picus_pose_identity();
    centre.origin = pose_point_back(&poses[0], poses[1].origin);
    return find_nearest((seen){&a->polytope, NULL}, (seen){&b->polytope, &centre}, pair);
  }
  const picus_pose relative = pose_relative(&poses[*frame], &poses[!*frame]);
  if (a->core == CORE_ELLIPSOID) return picus_ellipsoid_nearest(a, b, &relative, pair.b);
  if (b->core == CORE_ELLIPSOID) return turned(picus_ellipsoid_nearest(b, a, &relative, pair.a));
  if (a->core == CORE_CYLINDER) return picus_cylinder_nearest(a, b, &relative, pair);
  if (b->core == CORE_CYLINDER) return turned(picus_cylinder_nearest(b, a, &relative, pair_of(pair.b, pair.a)));
  return find_nearest((seen){&a->polytope, NULL}, (seen){&b->polytope, &relative}, pair);
}

void picus_contact_gap(const picus_shape *a, const picus_shape *b, const picus_pose poses[2], feature_pair pair,
                       contact_geometry *out) {
  int frame;
  const nearest_points n = nearest_of(a, b, poses, pair, &frame);
  out->normal = pose_direction(&poses[frame], n.normal);
  out->gap = n.distance - a->radius - b->radius;
  out->point[0] = pose_point(&poses[frame], v3_along(n.point[0], a->radius, n.normal));
  out->point[1] = pose_point(&poses[frame], v3_along(n.point[1], -b->radius, n.normal));
  out->radius[0] = a->radius;
  out->radius[1] = b->radius;
}

/* The rotation that carries k = (2, 3, 6) / 7 into the normal on the shortest way carries the two vectors perpendicular
 * to k, (3, -6, 2) / 7 and (6, 2, -3) / 7, into the tangents: t = e - (e . n) / (1 + k . n) (k + n). Opposite to k
 * there is none; k is not a direction that floors and walls have. */
static const v3 pole = {2.0 / 7, 3.0 / 7, 6.0 / 7}, carried = {3.0 / 7, -6.0 / 7, 2.0 / 7};
static const double opposite = 1e-9; /* of 1 + k . n */

void picus_contact_tangents(bool planar, v3 n, v3 out[2]) {
  if (planar) {
    out[0] = (v3){-n.y, n.x, 0};
    out[1] = (v3){0, 0, 1};
    return;
  }
  const double height = 1 + v3_dot(pole, n);
  v3 t = height > opposite ? v3_along(carried, -v3_dot(carried, n) / height, v3_add(pole, n)) : carried;
  t = v3_unit(v3_along(t, -v3_dot(t, n), n));
  out[0] = t;
  out[1] = v3_cross(n, t);
}

void picus_contact_turn_tangents(bool planar, const v3 frame[3], v3 change, v3 out[2]) {
  if (planar) {
    out[0] = (v3){-change.y, change.x, 0};
    out[1] = (v3){0, 0, 0};
    return;
  }
  const v3 n = frame[0];
  const double height = 1 + v3_dot(pole, n), part = v3_dot(carried, n);
  out[0] = v3_scale(-v3_dot(change, frame[1]), n);
  if (height > opposite) {
    const double factor = (part * v3_dot(pole, change) / height - v3_dot(carried, change)) / height;
    out[0] = v3_along(v3_scale(factor, v3_add(pole, n)), -part / height, change);
  }
  out[1] = v3_add(v3_cross(change, frame[1]), v3_cross(n, out[0]));
}
