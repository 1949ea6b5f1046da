/* Contacts of spatial cores with corners: the pair of features of largest separation, and the corners of the area in
 * which two faces, or the ends of the stretch along which two edges, lie on each other. */
#include "collision/narrow.h"

#include <math.h>

/* The part of a core that faces the other one: a face, the edge of a segment, or a point. */
typedef struct patch {
  const placed *on;
  int face; /* -1: none */
  int count;
  const int *corners;
} patch;

static const int own_corners[2] = {0, 1};

static patch patch_along(const placed *p, v3 n) {
  int face = placed_face_along(p, n);
  if (face < 0) return (patch){p, -1, p->core->vertex_count < 2 ? 1 : 2, own_corners};
  return (patch){p, face, p->core->faces[face].count, p->core->loops + p->core->faces[face].first};
}

static v3 corner(const patch *p, int k) { return p->on->vertices[p->corners[k % p->count]]; }

/* Corners of `points` inside of the face of `on`. */
static void add_corners(const narrow_pair *pair, const patch *on, const patch *points, bool on_a, candidates *out) {
  if (on->face < 0) return;
  for (int k = 0; k < points->count; k++) {
    if (picus_outside_face(on->on, on->face, corner(points, k)) > narrow_same_place * pair->scale) continue;
    picus_feature face = a_face(on->face), vertex = a_vertex(points->corners[k]);
    picus_candidates_add(pair, on_a ? pair_of(face, vertex) : pair_of(vertex, face), out);
  }
}

/* The edges at a vertex: of polyhedra by their list, else all edges. */
static int edges_at(const polytope *p, int vertex, const int **list) {
  *list = p->star ? p->star_edges + p->star[vertex] : NULL;
  return p->star ? p->star[vertex + 1] - p->star[vertex] : p->edge_count;
}

static int edge_between(const polytope *p, int from, int to) {
  const int *list, count = edges_at(p, from, &list);
  for (int n = 0; n < count; n++) {
    const int k = list ? list[n] : n, *end = p->edges[k].vertex;
    if ((end[0] == from && end[1] == to) || (end[0] == to && end[1] == from)) return k;
  }
  return -1;
}

/* Whether the segments p0 p1 and q0 q1 cross, seen along n. */
static bool segments_cross(v3 n, const v3 p[2], const v3 q[2]) {
  v3 along = v3_cross(n, v3_sub(p[1], p[0])), across = v3_cross(n, v3_sub(q[1], q[0]));
  double q0 = v3_dot(along, v3_sub(q[0], p[0])), q1 = v3_dot(along, v3_sub(q[1], p[0]));
  double p0 = v3_dot(across, v3_sub(p[0], q[0])), p1 = v3_dot(across, v3_sub(p[1], q[0]));
  return ((q0 < 0 && q1 > 0) || (q0 > 0 && q1 < 0)) && ((p0 < 0 && p1 > 0) || (p0 > 0 && p1 < 0));
}

/* Whether the nearest points of the lines through two segments lie in the segments. */
static bool are_nearest_inside(const v3 p[2], const v3 q[2], double tolerance) {
  const v3 u = v3_sub(p[1], p[0]), v = v3_sub(q[1], q[0]), d = v3_sub(q[0], p[0]), n = v3_cross(u, v);
  const double square = v3_square(n);
  if (!(square > 0)) return false;
  const double s = v3_dot(v3_cross(d, v), n) / square, t = v3_dot(v3_cross(d, u), n) / square;
  const double at_p = tolerance / v3_length(u), at_q = tolerance / v3_length(v);
  return s >= -at_p && s <= 1 + at_p && t >= -at_q && t <= 1 + at_q;
}

/* Whether the segments p0 p1 and q0 q1 lie along each other, seen along n: where they cross is a matter of round-off,
 * and the ends of the stretch that they have in common are corners. */
static bool are_along(v3 n, const v3 p[2], const v3 q[2], double tolerance) {
  const v3 u = v3_sub(p[1], p[0]), v = v3_sub(q[1], q[0]);
  return fabs(v3_dot(n, v3_cross(u, v))) <= tolerance * fmax(v3_length(u), v3_length(v));
}

static void add_crossings(const narrow_pair *pair, const patch *a, const patch *b, v3 n, candidates *out) {
  const int sides_a = a->count == 2 ? 1 : a->count, sides_b = b->count == 2 ? 1 : b->count;
  const double same = narrow_same_place * pair->scale;
  if (a->count < 2 || b->count < 2) return;
  for (int i = 0; i < sides_a; i++)
    for (int j = 0; j < sides_b; j++) {
      const v3 p[2] = {corner(a, i), corner(a, i + 1)}, q[2] = {corner(b, j), corner(b, j + 1)};
      if (!segments_cross(n, p, q) || !are_nearest_inside(p, q, same) || are_along(n, p, q, same)) continue;
      int e = edge_between(a->on->core, a->corners[i], a->corners[(i + 1) % a->count]);
      int f = edge_between(b->on->core, b->corners[j], b->corners[(j + 1) % b->count]);
      picus_candidates_add(pair, pair_of(an_edge(e), an_edge(f)), out);
    }
}

/* Two faces, or a face and a segment, that are almost parallel. */
static void add_faces(const narrow_pair *pair, v3 n, candidates *out) {
  const patch a = patch_along(&pair->a, n), b = patch_along(&pair->b, v3_minus(n));
  add_corners(pair, &a, &b, true, out);
  add_corners(pair, &b, &a, false, out);
  add_crossings(pair, &a, &b, n, out);
}

/* Two edges that are almost parallel: the ends of the stretch that they have in common. */
static void add_edges(const narrow_pair *pair, int i, int j, candidates *out) {
  const int *mine = pair->a.core->edges[i].vertex, *theirs = pair->b.core->edges[j].vertex;
  const v3 p[2] = {pair->a.vertices[mine[0]], pair->a.vertices[mine[1]]};
  const v3 q[2] = {pair->b.vertices[theirs[0]], pair->b.vertices[theirs[1]]};
  v3 along = v3_unit(v3_sub(p[1], p[0])), other = v3_unit(v3_sub(q[1], q[0]));
  if (v3_square(v3_cross(along, other)) > 0.01) return;
  const bool same_way = v3_dot(along, other) > 0;
  const double same = narrow_same_place * pair->scale;
  for (int end = 0; end < 2; end++) {
    const int facing = same_way ? end : !end;
    double outside = v3_dot(along, v3_sub(q[facing], p[end])) * (end ? 1 : -1);
    if (outside <= same)
      picus_candidates_add(pair, pair_of(an_edge(i), a_vertex(theirs[facing])), out);
    else
      picus_candidates_add(pair, pair_of(a_vertex(mine[end]), an_edge(j)), out);
  }
}

/* The edges of a feature: itself, or those at a vertex. */
static int edges_of(const polytope *p, picus_feature feature, const int **list) {
  if (feature.kind == FEATURE_VERTEX) return edges_at(p, feature.index, list);
  *list = NULL;
  return 1;
}
static int edge_of(const polytope *p, picus_feature feature, const int *list, int n) {
  if (feature.kind != FEATURE_VERTEX) return feature.index;
  const int k = list ? list[n] : n;
  return p->edges[k].vertex[0] == feature.index || p->edges[k].vertex[1] == feature.index ? k : -1;
}

/* Pairs of edges at the nearest features. */
static void add_parallel_edges(const narrow_pair *pair, feature_pair nearest, candidates *out) {
  if (nearest.a.kind == FEATURE_VERTEX && nearest.b.kind == FEATURE_VERTEX) return;
  const int *list_a, *list_b;
  const int count_a = edges_of(pair->a.core, nearest.a, &list_a), count_b = edges_of(pair->b.core, nearest.b, &list_b);
  for (int i = 0; i < count_a; i++)
    for (int j = 0; j < count_b; j++) {
      const int e = edge_of(pair->a.core, nearest.a, list_a, i), f = edge_of(pair->b.core, nearest.b, list_b, j);
      if (e >= 0 && f >= 0) add_edges(pair, e, f, out);
    }
}

/* Whether the features of the axis face each other. Where faces are parallel, the deepest vertex may lie beside the
 * other face, and edges may cross beside each other: then the area that the faces have in common has other corners. */
static bool is_opposite(const narrow_pair *pair, const separating_axis *best) {
  const double same = narrow_same_place * pair->scale;
  const picus_feature a = best->feature.a, b = best->feature.b;
  if (best->kind == AXIS_FACE_A) return picus_outside_face(&pair->a, a.index, pair->b.vertices[b.index]) <= same;
  if (best->kind == AXIS_FACE_B) return picus_outside_face(&pair->b, b.index, pair->a.vertices[a.index]) <= same;
  if (best->kind != AXIS_EDGES) return true;
  v3 p[2], q[2];
  for (int end = 0; end < 2; end++) {
    p[end] = pair->a.vertices[pair->a.core->edges[a.index].vertex[end]];
    q[end] = pair->b.vertices[pair->b.core->edges[b.index].vertex[end]];
  }
  return are_nearest_inside(p, q, same);
}

void picus_narrow_spatial(const narrow_pair *pair, manifold *out) {
  separating_axis best = picus_find_axis(pair);
  if (best.kind == AXIS_NONE || best.value > pair->reach) return;
  candidates list;
  picus_candidates_start(pair, best.value, best.normal, &list);
  if (best.kind == AXIS_NEAREST || best.kind == AXIS_EDGES) { /* the features determine the direction, also its sign */
    contact_geometry nearest;
    picus_pair_gap(pair, best.feature, &nearest);
    /* an edge of a surface touches on its outer side only */
    if (!pair->element || v3_dot(list.normal, nearest.normal) > 0) list.normal = nearest.normal;
  }
  if (is_opposite(pair, &best)) picus_candidates_add(pair, best.feature, &list);
  if (best.kind != AXIS_NEAREST) add_faces(pair, best.normal, &list);
  if (best.kind == AXIS_EDGES || best.kind == AXIS_NEAREST) add_parallel_edges(pair, best.feature, &list);
  /* slivers: no corner of the common area may be as near as the shapes are */
  if (picus_candidates_distance(&list) > narrow_same_height * pair->scale)
    picus_candidates_add(pair, best.feature, &list);
  picus_candidates_reduce(&list, MANIFOLD_MOST, out);
}
