/* The largest separation of two polyhedra by branch and bound on the sphere of directions.
 *
 * The sphere is divided into triangles. At the middle n of a triangle, the two cores have the extreme vertices a and b,
 * found by steps to better neighbours. Their difference w = b - a bounds the separation along every other direction m
 * from above: h(m) <= m.w. If this bound, over the triangle, is below the best separation so far, the triangle is left
 * out; otherwise it is divided into four. What remains in the end are small triangles around the best direction. The
 * features that are extreme along one of their directions are compared one by one. */
#include "collision/search.h"

#include <stdlib.h>

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

bool picus_search_is_worth(const narrow_pair *pair) {
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

/* --- features of the cells that remain -----------------------------------------------------------------------------
 */

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

bool picus_search(const narrow_pair *pair, feature_list list[2], double *separation) {
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
