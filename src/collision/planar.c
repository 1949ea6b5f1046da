/* Contacts of planar polygons, segments and points: separating axes, and the two ends of the stretch along which two
 * sides face each other. All contacts are vertex and face or two vertices. */
#include "collision/narrow.h"

/* A face of one core and the vertex of the other one that lies deepest below it. */
typedef struct face_vertex {
  int face, vertex;
  double distance;
} face_vertex;

static face_vertex best_face(const placed *faces, const placed *vertices) {
  face_vertex best = {-1, -1, -INFINITY};
  for (int f = 0; f < faces->core->face_count; f++) {
    double lowest;
    int vertex = placed_lowest(vertices, faces->normals[f], &lowest);
    double distance = lowest - faces->offsets[f];
    if (distance > best.distance) best = (face_vertex){f, vertex, distance};
  }
  return best;
}

/* Places of the ends of a face along a direction. */
static void ends_of(const placed *p, int face, v3 along, double place[2]) {
  const int *loop = p->core->loops + p->core->faces[face].first;
  for (int k = 0; k < 2; k++) place[k] = v3_dot(along, p->vertices[loop[k]]);
}

static v3 along_face(const placed *p, int face) {
  v3 n = p->normals[face];
  return (v3){-n.y, n.x, 0};
}

/* The nearest two vertices. */
static feature_pair nearest_vertices(const narrow_pair *pair) {
  feature_pair best = pair_of(a_vertex(0), a_vertex(0));
  double least = INFINITY;
  for (int i = 0; i < pair->a.core->vertex_count; i++)
    for (int j = 0; j < pair->b.core->vertex_count; j++) {
      double square = v3_square(v3_sub(pair->b.vertices[j], pair->a.vertices[i]));
      if (square < least) {
        least = square;
        best = pair_of(a_vertex(i), a_vertex(j));
      }
    }
  return best;
}

/* A face of `on` against the side of `other` that faces it most: the two ends of the stretch they have in common. Each
 * end is a vertex of one of them, which is a contact with the face of the other. */
typedef struct facing {
  const placed *on, *other;
  face_vertex best;
  bool on_a; /* on is a */
} facing;

/* How far the deepest vertex lies beside the face. */
static double outside_face(const facing *f) {
  v3 along = along_face(f->on, f->best.face);
  double place[2], at = v3_dot(along, f->other->vertices[f->best.vertex]);
  ends_of(f->on, f->best.face, along, place);
  return fmax(place[0] - at, at - place[1]);
}

static feature_pair in_order(const facing *f, picus_feature on, picus_feature other) {
  return f->on_a ? pair_of(on, other) : pair_of(other, on);
}

static void add_ends(const narrow_pair *pair, const facing *f, candidates *out) {
  const int side = placed_face_along(f->other, v3_minus(f->on->normals[f->best.face]));
  if (side < 0) return;
  v3 along = along_face(f->on, f->best.face);
  double mine[2], theirs[2];
  ends_of(f->on, f->best.face, along, mine);
  ends_of(f->other, side, along, theirs); /* runs backwards: theirs[1] is the lower end */
  const int *my_ends = f->on->core->loops + f->on->core->faces[f->best.face].first;
  const int *their_ends = f->other->core->loops + f->other->core->faces[side].first;
  const double same = narrow_same_place * pair->scale;
  if (fmax(mine[0], theirs[1]) > fmin(mine[1], theirs[0]) + same) return; /* one lies beside the other */
  for (int end = 0; end < 2; end++) {
    double outside = end ? theirs[0] - mine[1] : mine[0] - theirs[1];
    if (outside <= same)
      picus_candidates_add(pair, in_order(f, a_face(f->best.face), a_vertex(their_ends[!end])), out);
    else
      picus_candidates_add(pair, in_order(f, a_vertex(my_ends[end]), a_face(side)), out);
  }
}

/* The face that separates most. */
static facing best_facing(const narrow_pair *pair) {
  facing first = {&pair->a, &pair->b, best_face(&pair->a, &pair->b), true};
  facing second = {&pair->b, &pair->a, best_face(&pair->b, &pair->a), false};
  const bool exchange =
      first.best.face < 0 || second.best.distance > first.best.distance + narrow_round_off * pair->scale;
  return exchange ? second : first;
}

/* Two vertices are nearest, and no face. */
static bool add_vertices(const narrow_pair *pair, const facing *f, candidates *out) {
  if (f->best.face >= 0 && outside_face(f) <= 0) return false;
  feature_pair vertices = nearest_vertices(pair);
  v3 d = v3_sub(pair->b.vertices[vertices.b.index], pair->a.vertices[vertices.a.index]);
  v3 n = v3_square(d) > 0 ? v3_unit(d) : (v3){1, 0, 0};
  double distance = placed_extent(&pair->b, n).low - placed_extent(&pair->a, n).high;
  if (f->best.face >= 0 && distance <= f->best.distance + narrow_round_off * pair->scale) return false;
  picus_candidates_start(pair, distance, n, out);
  picus_candidates_add(pair, vertices, out);
  return true;
}

void picus_narrow_planar(const narrow_pair *pair, manifold *out) {
  const facing f = best_facing(pair);
  if (f.best.face >= 0 && f.best.distance > pair->reach) return;
  candidates list;
  if (!add_vertices(pair, &f, &list)) {
    v3 n = f.on->normals[f.best.face];
    feature_pair deepest = in_order(&f, a_face(f.best.face), a_vertex(f.best.vertex));
    picus_candidates_start(pair, f.best.distance, f.on_a ? n : v3_minus(n), &list);
    if (outside_face(&f) <= narrow_same_place * pair->scale) picus_candidates_add(pair, deepest, &list);
    add_ends(pair, &f, &list);
    if (!list.count) picus_candidates_add(pair, deepest, &list);
  }
  picus_candidates_reduce(&list, MANIFOLD_PLANAR, out);
}
