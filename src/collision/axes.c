/* The direction of largest separation of two spatial cores: normals of faces, perpendiculars to two edges, and, if
 * they are apart, the line between their nearest vertices and edges. Each direction is a lower bound of the signed
 * distance, and the right one is among them, so the largest value is the signed distance. For cores with many edges,
 * a search on the sphere of directions first leaves out the features that cannot attain it. */
#include "collision/narrow.h"

#include <stdlib.h>

/* --- search on the sphere of directions --------------------------------------------------------------------------- */

/* The largest separation of two polyhedra by branch and bound on the sphere of directions.
 *
 * The sphere is divided into triangles. At the middle n of a triangle, the two cores have the extreme vertices a and
 * b, found by steps to better neighbours. Their difference w = b - a bounds the separation along every other
 * direction m from above: h(m) <= m.w. If this bound, over the triangle, is below the best separation so far, the
 * triangle is left out; otherwise it is divided into four. What remains in the end are small triangles around the
 * best direction. The features that are extreme along one of their directions are compared one by one. */

enum { MOST_CELLS = 256, MOST_LEVELS = 8 };

typedef struct cell {
  v3 corner[3];
  int at[2]; /* vertices that are extreme along its middle */
  v3 middle;
  double sine, cosine; /* of its largest angle from the middle */
  double bound;
} cell;

typedef struct sphere_search {
  const narrow_pair *pair;
  double best, round_off;
  int count;
  cell cells[MOST_CELLS];
} sphere_search;

static bool search_is_worth(const narrow_pair *pair) {
  const polytope *a = pair->a.core, *b = pair->b.core;
  return a->star && b->star && pair->marks[0] &&
         (double)a->edge_count * b->edge_count > (double)SEARCH_FEWEST_EDGES * SEARCH_FEWEST_EDGES;
}

/* Bounds the separation on a cell; first: where to look for the extreme vertices. */
static void measure(sphere_search *s, cell *c, const int first[2]) {
  c->middle = v3_unit(v3_add(c->corner[0], v3_add(c->corner[1], c->corner[2])));
  double low = 1, high_a, low_b;
  for (int k = 0; k < 3; k++) low = fmin(low, v3_dot(c->middle, c->corner[k]));
  c->cosine = low;
  c->sine = sqrt(fmax(0, 1 - low * low));
  c->at[0] = placed_climb(&s->pair->a, c->middle, first[0], &high_a);
  c->at[1] = placed_climb(&s->pair->b, v3_minus(c->middle), first[1], &low_b);
  const v3 w = v3_sub(s->pair->b.vertices[c->at[1]], s->pair->a.vertices[c->at[0]]);
  const double along = v3_dot(c->middle, w), across = v3_length(v3_along(w, -along, c->middle));
  if (along > s->best) s->best = along;
  const bool contains = along > 0 && across * c->cosine <= along * c->sine;
  c->bound = contains ? v3_length(w) : along * c->cosine + across * c->sine;
}

static bool is_hopeless(const sphere_search *s, const cell *c) { return c->bound < s->best - s->round_off; }

static int by_bound(const void *left, const void *right) {
  const cell *a = left, *b = right;
  if (a->bound != b->bound) return a->bound > b->bound ? -1 : 1;
  for (int d = 0; d < 3; d++) {
    const double x = d == 0 ? a->middle.x : d == 1 ? a->middle.y : a->middle.z;
    const double y = d == 0 ? b->middle.x : d == 1 ? b->middle.y : b->middle.z;
    if (x != y) return x < y ? -1 : 1;
  }
  return 0;
}

static void start(sphere_search *s) {
  static const int first[2] = {0, 0};
  s->count = 8;
  for (int k = 0; k < 8; k++) {
    const v3 x = {k & 1 ? 1 : -1, 0, 0}, y = {0, k & 2 ? 1 : -1, 0}, z = {0, 0, k & 4 ? 1 : -1};
    s->cells[k] = (cell){.corner = {x, y, z}};
    measure(s, &s->cells[k], k ? s->cells[k - 1].at : first);
  }
}

/* Each cell that has hope becomes four. If they are too many, those of the largest bounds stay: only where hulls of
 * very many faces lie deep in each other, all about equally deep in all directions. */
static void divide(sphere_search *s) {
  cell next[MOST_CELLS];
  int count = 0;
  qsort(s->cells, (size_t)s->count, sizeof *s->cells, by_bound);
  for (int k = 0; k < s->count && count + 4 <= MOST_CELLS; k++) {
    const cell *c = &s->cells[k];
    if (is_hopeless(s, c)) continue;
    v3 m[3]; /* in the middle of each side */
    for (int i = 0; i < 3; i++) m[i] = v3_unit(v3_add(c->corner[i], c->corner[(i + 1) % 3]));
    const cell parts[4] = {{.corner = {c->corner[0], m[0], m[2]}},
                           {.corner = {m[0], c->corner[1], m[1]}},
                           {.corner = {m[2], m[1], c->corner[2]}},
                           {.corner = {m[0], m[1], m[2]}}};
    for (int i = 0; i < 4; i++) {
      next[count] = parts[i];
      measure(s, &next[count], c->at);
      if (!is_hopeless(s, &next[count])) count++;
    }
  }
  s->count = 0;
  for (int k = 0; k < count; k++)
    if (!is_hopeless(s, &next[k])) s->cells[s->count++] = next[k];
}

/* --- features of the cells that remain ---------------------------------------------------------------------------- */

static bool mark(int *marks, int k) {
  const bool fresh = !marks[k];
  marks[k] = 1;
  return fresh;
}

/* Vertices that may be extreme along a direction of the cell: v is, along m, only if m.(a - v) <= 0, and m differs from
 * the middle by at most 2 sin(radius / 2). They hang together over edges. */
static void spread(const placed *p, v3 n, const cell *c, int from, int *marks, feature_list *out) {
  const polytope *core = p->core;
  const double reach = sqrt(fmax(0, 2 - 2 * c->cosine)) + 1e-12;
  const v3 origin = p->vertices[from];
  int first = out->vertex_count;
  if (mark(marks, from))
    out->vertices[out->vertex_count++] = from;
  else
    first = 0; /* a cell next to this one was here: all of its vertices may have new neighbours */
  for (int k = first; k < out->vertex_count; k++) {
    const int v = out->vertices[k];
    for (int i = core->star[v]; i < core->star[v + 1]; i++) {
      const polytope_edge *e = &core->edges[core->star_edges[i]];
      const int other = e->vertex[e->vertex[0] == v];
      const v3 d = v3_sub(origin, p->vertices[other]);
      if (v3_dot(n, d) > reach * v3_length(d)) continue;
      if (mark(marks, other)) out->vertices[out->vertex_count++] = other;
    }
  }
}

/* Edges whose ends are in the list, and faces at them all of whose corners are. */
static void list_edges(const placed *p, const int *marks, feature_list *out) {
  const polytope *core = p->core;
  for (int k = 0; k < out->vertex_count; k++) {
    const int v = out->vertices[k];
    for (int i = core->star[v]; i < core->star[v + 1]; i++) {
      const int number = core->star_edges[i];
      const polytope_edge *e = &core->edges[number];
      if (e->vertex[0] != v || !marks[e->vertex[1]]) continue;
      out->edges[out->edge_count++] = number;
      for (int side = 0; side < 2; side++) {
        const polytope_face *f = &core->faces[e->face[side]];
        const int *loop = core->loops + f->first;
        bool whole = true;
        int least = loop[0], first = 0;
        for (int n = 0; n < f->count; n++) {
          whole = whole && marks[loop[n]];
          if (loop[n] < least) {
            least = loop[n];
            first = n;
          }
        }
        /* once: at the side that begins or ends at the corner of smallest number and goes on in the loop */
        const int after = loop[(first + 1) % f->count];
        const bool here =
            (e->vertex[0] == least && e->vertex[1] == after) || (e->vertex[1] == least && e->vertex[0] == after);
        if (whole && here) out->faces[out->face_count++] = e->face[side];
      }
    }
  }
}

static void clear(int *marks, const feature_list *list) {
  for (int k = 0; k < list->vertex_count; k++) marks[list->vertices[k]] = 0;
}

/* Fills the lists in the memory of the pair. false: some direction separates the cores by more than the reach, and
 * *separation is how far. */
static bool search(const narrow_pair *pair, feature_list list[2], double *separation) {
  sphere_search s = {.pair = pair, .best = -INFINITY, .round_off = 1e-12 * pair->scale};
  const int faces =
      pair->a.core->face_count > pair->b.core->face_count ? pair->a.core->face_count : pair->b.core->face_count;
  const double smallest = 1.5 / sqrt(faces);
  start(&s);
  for (int level = 0; level < MOST_LEVELS && s.best <= pair->reach; level++) {
    divide(&s);
    if (!s.count || s.cells[0].sine < smallest) break;
  }
  *separation = s.best;
  if (s.best > pair->reach) return false;
  const placed *both[2] = {&pair->a, &pair->b};
  for (int side = 0; side < 2; side++) {
    list[side] = pair->lists[side];
    for (int k = 0; k < s.count; k++) {
      const cell *c = &s.cells[k];
      spread(both[side], side ? v3_minus(c->middle) : c->middle, c, c->at[side], pair->marks[side], &list[side]);
    }
    list_edges(both[side], pair->marks[side], &list[side]);
    clear(pair->marks[side], &list[side]);
  }
  return true;
}

/* --- axes --------------------------------------------------------------------------------------------------------- */

/* More products of directions and vertices than this: pairs of edges are sorted out first. */
enum { MOST_PLAIN_WORK = 4096 };

static void face_axis(const narrow_pair *pair, bool of_a, int f, separating_axis *best) {
  const placed *on = of_a ? &pair->a : &pair->b, *other = of_a ? &pair->b : &pair->a;
  double lowest;
  int vertex = placed_lowest(other, on->normals[f], &lowest);
  double value = lowest - on->offsets[f];
  if (best->kind != AXIS_NONE && value <= best->value + narrow_round_off * pair->scale) return;
  v3 normal = of_a ? on->normals[f] : v3_minus(on->normals[f]);
  *best = (separating_axis){of_a ? AXIS_FACE_A : AXIS_FACE_B, value, normal,
                            of_a ? pair_of(a_face(f), a_vertex(vertex)) : pair_of(a_vertex(vertex), a_face(f))};
}

static void face_axes(const narrow_pair *pair, bool of_a, separating_axis *best) {
  const int count = of_a ? pair->a.core->face_count : pair->b.core->face_count;
  for (int f = 0; f < count && !(best->kind != AXIS_NONE && best->value > pair->reach); f++)
    face_axis(pair, of_a, f, best);
}

/* The edge of this direction that lies farthest along n. */
static int edge_along(const placed *p, int direction, v3 n) {
  int best = -1;
  double largest = -INFINITY;
  for (int k = 0; k < p->core->edge_count; k++) {
    if (p->core->edges[k].direction != direction) continue;
    const int *end = p->core->edges[k].vertex;
    double value = v3_dot(n, p->vertices[end[0]]) + v3_dot(n, p->vertices[end[1]]);
    if (value > largest) {
      largest = value;
      best = k;
    }
  }
  return best;
}

/* Whether an edge is what a core has farthest along n. */
static bool is_extreme(const narrow_pair *pair, const placed *p, int edge, v3 n, double high) {
  return v3_dot(n, p->vertices[p->core->edges[edge].vertex[0]]) >= high - 10 * narrow_round_off * pair->scale;
}

/* The least separation by which two edges are better than the best so far. A face is right for all vertices above it,
 * so that edges must be better by more than the tilt that round-off gives to faces at rest. */
static double least_of_edges(const narrow_pair *pair, const separating_axis *best) {
  const bool is_face = best->kind == AXIS_FACE_A || best->kind == AXIS_FACE_B;
  return best->value + (is_face ? narrow_same_depth : narrow_round_off) * pair->scale;
}

static void plain_edge_axis(const narrow_pair *pair, int i, int j, separating_axis *best) {
  v3 n = picus_perpendicular_to(pair->a.directions[i], pair->b.directions[j]);
  if (v3_square(n) == 0) return;
  const extent a = placed_extent(&pair->a, n), b = placed_extent(&pair->b, n);
  for (int sign = 0; sign < 2; sign++) {
    const double value = sign ? a.low - b.high : b.low - a.high;
    if (best->kind != AXIS_NONE && value <= least_of_edges(pair, best)) continue;
    const v3 along = sign ? v3_minus(n) : n, back = v3_minus(along);
    const int e = edge_along(&pair->a, i, along), f = edge_along(&pair->b, j, back);
    if (is_extreme(pair, &pair->a, e, along, sign ? -a.low : a.high) &&
        is_extreme(pair, &pair->b, f, back, sign ? b.high : -b.low))
      *best = (separating_axis){AXIS_EDGES, value, along, pair_of(an_edge(e), an_edge(f))};
  }
}

/* The directions perpendicular to an edge direction of each core, tested against all vertices. */
static void plain_edge_axes(const narrow_pair *pair, separating_axis *best) {
  for (int i = 0; i < pair->a.core->direction_count; i++)
    for (int j = 0; j < pair->b.core->direction_count && !(best->value > pair->reach); j++)
      plain_edge_axis(pair, i, j, best);
}

/* Two edges touch each other in some position without turning only if the arcs between the normals of their faces cross
 * on the sphere, the second one with its sign changed: the ends of each arc lie on different sides of the great circle
 * through the other one, and the arcs on one half. heights: of the normals of b along edge i of a. */
static bool arcs_cross(const narrow_pair *pair, int i, int j, const double *heights) {
  const polytope_edge *e = &pair->a.core->edges[i], *f = &pair->b.core->edges[j];
  const double c = -heights[f->face[0]], d = -heights[f->face[1]];
  if (c * d > 0) return false;
  const v3 along = v3_sub(pair->b.vertices[f->vertex[1]], pair->b.vertices[f->vertex[0]]);
  const double a = v3_dot(pair->a.normals[e->face[0]], along), b = v3_dot(pair->a.normals[e->face[1]], along);
  return a * b <= 0 && c * b >= 0;
}

static void sorted_edge_axis(const narrow_pair *pair, int i, int j, separating_axis *best) {
  const polytope_edge *e = &pair->a.core->edges[i], *f = &pair->b.core->edges[j];
  v3 n = picus_perpendicular_to(pair->a.directions[e->direction], pair->b.directions[f->direction]);
  if (v3_dot(n, e->outward) < 0) n = v3_minus(n);
  const v3 between = v3_sub(pair->b.vertices[f->vertex[0]], pair->a.vertices[e->vertex[0]]);
  const double least = least_of_edges(pair, best);
  if (v3_square(n) == 0 || v3_dot(n, between) <= least) return;
  const double value = placed_extent(&pair->b, n).low - placed_extent(&pair->a, n).high;
  if (value > least) *best = (separating_axis){AXIS_EDGES, value, n, pair_of(an_edge(i), an_edge(j))};
}

static void sorted_edge_axes(const narrow_pair *pair, separating_axis *best) {
  double *heights = pair->heights;
  for (int i = 0; i < pair->a.core->edge_count; i++) {
    const int *end = pair->a.core->edges[i].vertex;
    const v3 along = v3_sub(pair->a.vertices[end[1]], pair->a.vertices[end[0]]);
    for (int f = 0; f < pair->b.core->face_count; f++) heights[f] = v3_dot(pair->b.normals[f], along);
    for (int j = 0; j < pair->b.core->edge_count && !(best->value > pair->reach); j++)
      if (arcs_cross(pair, i, j, heights)) sorted_edge_axis(pair, i, j, best);
  }
}

static bool has_solid_edges(const polytope *p) { return p->face_count > 2; }

static void edge_axes(const narrow_pair *pair, separating_axis *best) {
  const polytope *a = pair->a.core, *b = pair->b.core;
  const double work = (double)a->direction_count * b->direction_count * (a->vertex_count + b->vertex_count);
  if (work > MOST_PLAIN_WORK && has_solid_edges(a) && has_solid_edges(b))
    sorted_edge_axes(pair, best);
  else
    plain_edge_axes(pair, best);
}

/* --- nearest vertices and edges --------------------------------------------------------------------------------- */

typedef struct closest {
  double enough; /* no distance up to this changes the axis */
  double square;
  v3 difference; /* from a to b */
  feature_pair feature;
} closest;

/* true: nearer points would not change the axis any more. */
static bool keep(closest *best, v3 d, feature_pair feature) {
  double square = v3_square(d);
  if (!(square < best->square)) return false;
  *best = (closest){best->enough, square, d, feature};
  return sqrt(square) <= best->enough;
}

/* Vertices of one core against the edges of the other; a vertex that faces an end of the edge belongs to that end.
 * true: as keep. */
static bool vertices_to_edges(const narrow_pair *pair, bool edges_of_a, const feature_list *list, closest *best) {
  const placed *on = edges_of_a ? &pair->a : &pair->b, *other = edges_of_a ? &pair->b : &pair->a;
  const feature_list *edges = list ? &list[!edges_of_a] : NULL, *vertices = list ? &list[edges_of_a] : NULL;
  const int edge_count = edges ? edges->edge_count : on->core->edge_count;
  const int vertex_count = vertices ? vertices->vertex_count : other->core->vertex_count;
  for (int n = 0; n < edge_count; n++) {
    const int k = edges ? edges->edges[n] : n;
    const int *end = on->core->edges[k].vertex;
    v3 from = on->vertices[end[0]], along = v3_sub(on->vertices[end[1]], from);
    const double square = v3_square(along);
    for (int m = 0; m < vertex_count; m++) {
      const int i = vertices ? vertices->vertices[m] : m;
      v3 d = v3_sub(other->vertices[i], from);
      double place = v3_dot(d, along);
      picus_feature near = place <= 0 ? a_vertex(end[0]) : place >= square ? a_vertex(end[1]) : an_edge(k);
      d = v3_along(d, place <= 0 ? 0 : place >= square ? -1 : -place / square, along);
      if (keep(best, edges_of_a ? d : v3_minus(d),
               edges_of_a ? pair_of(near, a_vertex(i)) : pair_of(a_vertex(i), near)))
        return true;
    }
  }
  return false;
}

/* A point and a point or segment, or two parallel segments, on top of each other: any direction perpendicular to a
 * segment is right. */
static void touch_without_direction(const narrow_pair *pair, double distance, feature_pair nearest,
                                    separating_axis *best) {
  *best = (separating_axis){AXIS_NEAREST, distance, {1, 0, 0}, nearest};
  if (pair->a.core->edge_count) {
    best->normal = v3_perpendicular(pair->a.directions[0]);
    best->feature = pair_of(an_edge(0), nearest.b.kind == FEATURE_VERTEX ? nearest.b : a_vertex(0));
  } else if (pair->b.core->edge_count) {
    best->normal = v3_perpendicular(pair->b.directions[0]);
    best->feature = pair_of(nearest.a, an_edge(0));
  }
}

/* The part of a direction perpendicular to the edge of a feature. The difference from a very long edge has the
 * round-off of its ends, which the length of the edge would multiply. */
static v3 across_edge(const placed *p, picus_feature feature, v3 n) {
  if (feature.kind != FEATURE_EDGE) return n;
  const v3 along = p->directions[p->core->edges[feature.index].direction];
  for (int round = 0; round < 2; round++) n = v3_unit(v3_along(n, -v3_dot(n, along), along));
  return n;
}

static void nearest_axis(const narrow_pair *pair, const feature_list *list, separating_axis *best) {
  const double least = best->value + narrow_round_off * pair->scale;
  closest c = {.enough = best->kind == AXIS_NONE ? -1 : least, .square = INFINITY};
  if (!pair->a.core->edge_count && !pair->b.core->edge_count)
    keep(&c, v3_sub(pair->b.vertices[0], pair->a.vertices[0]), pair_of(a_vertex(0), a_vertex(0)));
  if (vertices_to_edges(pair, true, list, &c) || vertices_to_edges(pair, false, list, &c)) return;
  const double distance = sqrt(c.square);
  if (best->kind == AXIS_NONE && distance <= narrow_round_off * pair->scale) {
    touch_without_direction(pair, distance, c.feature, best);
  } else if (distance > least) {
    v3 n = across_edge(&pair->a, c.feature.a, across_edge(&pair->b, c.feature.b, v3_unit(c.difference)));
    double value = placed_extent(&pair->b, n).low - placed_extent(&pair->a, n).high;
    if (best->kind == AXIS_NONE || value > least) *best = (separating_axis){AXIS_NEAREST, value, n, c.feature};
  }
}

/* --- is the best axis so far the line between nearest points? --------------------------------------------------- */

/* How far a point lies outside of a face, seen along its normal. */
double picus_outside_face(const placed *p, int face, v3 point) {
  const polytope_face *f = &p->core->faces[face];
  const int *loop = p->core->loops + f->first;
  double outside = -INFINITY;
  for (int k = 0; k < f->count; k++) {
    v3 from = p->vertices[loop[k]], along = v3_sub(p->vertices[loop[(k + 1) % f->count]], from);
    v3 out = v3_cross(along, p->normals[face]);
    double distance = v3_dot(out, v3_sub(point, from)) / v3_length(out);
    if (distance > outside) outside = distance;
  }
  return outside;
}

static bool is_nearest(const narrow_pair *pair, const separating_axis *best) {
  if (best->kind == AXIS_FACE_A)
    return picus_outside_face(&pair->a, best->feature.a.index, pair->b.vertices[best->feature.b.index]) <= 0;
  if (best->kind == AXIS_FACE_B)
    return picus_outside_face(&pair->b, best->feature.b.index, pair->a.vertices[best->feature.a.index]) <= 0;
  return false;
}

/* The same for large cores: only features of the lists. */
static void listed_axes(const narrow_pair *pair, const feature_list list[2], separating_axis *best) {
  for (int k = 0; k < list[0].face_count; k++) face_axis(pair, true, list[0].faces[k], best);
  for (int k = 0; k < list[1].face_count; k++) face_axis(pair, false, list[1].faces[k], best);
  for (int n = 0; n < list[0].edge_count; n++) {
    const int i = list[0].edges[n], *end = pair->a.core->edges[i].vertex;
    const v3 along = v3_sub(pair->a.vertices[end[1]], pair->a.vertices[end[0]]);
    for (int m = 0; m < list[1].edge_count; m++) {
      const int j = list[1].edges[m], *face = pair->b.core->edges[j].face;
      for (int side = 0; side < 2; side++) pair->heights[face[side]] = v3_dot(pair->b.normals[face[side]], along);
      if (arcs_cross(pair, i, j, pair->heights)) sorted_edge_axis(pair, i, j, best);
    }
  }
}

separating_axis picus_find_axis(const narrow_pair *pair) {
  separating_axis best = {.kind = AXIS_NONE, .value = -INFINITY};
  if (search_is_worth(pair)) {
    feature_list list[2];
    if (!search(pair, list, &best.value)) return best;
    best.value = -INFINITY;
    listed_axes(pair, list, &best);
    if (best.kind != AXIS_NONE && best.value < -1e-12 * pair->scale) return best; /* they overlap */
    if (best.kind == AXIS_NONE || !is_nearest(pair, &best)) nearest_axis(pair, list, &best);
    return best;
  }
  face_axes(pair, true, &best);
  if (best.value <= pair->reach) face_axes(pair, false, &best);
  if (best.value <= pair->reach) edge_axes(pair, &best);
  if (best.value > pair->reach) return best;
  const bool solid = has_solid_edges(pair->a.core) || has_solid_edges(pair->b.core);
  if (solid && best.value < -1e-12 * pair->scale) return best; /* they overlap */
  if (!is_nearest(pair, &best)) nearest_axis(pair, NULL, &best);
  return best;
}
