/* Convex hulls of points, in the plane and in space. */
#include "base/internal.h"
#include "shape/polytope.h"

#include <math.h>
#include <stdlib.h>

/* --- in the plane ------------------------------------------------------------------------------------------------- */

/* Andrew's monotone chain (1979): the lower and the upper outline of the points, sorted by x. */

static int by_place(const void *left, const void *right) {
  const v3 *a = left, *b = right;
  if (a->x != b->x) return a->x < b->x ? -1 : 1;
  return a->y < b->y ? -1 : a->y > b->y;
}

/* Whether b is right of the line from a to c by more than the tolerance: a corner of a counterclockwise hull. */
static bool is_planar_corner(v3 a, v3 b, v3 c, double tolerance) {
  v3 along = v3_sub(c, a), to = v3_sub(b, a);
  return along.y * to.x - along.x * to.y > tolerance * v3_length(along);
}

static int chain(const v3 *points, int count, int step, double tolerance, v3 *corners) {
  int found = 0;
  for (int k = 0; k < count; k++) {
    const v3 *next = points + (ptrdiff_t)k * step;
    while (found >= 2 && !is_planar_corner(corners[found - 2], corners[found - 1], *next, tolerance)) found--;
    if (found == 1 && v3_length(v3_sub(*next, corners[0])) <= tolerance) continue;
    corners[found++] = *next;
  }
  return found;
}

int picus_hull_planar(v3 *points, int count, double tolerance, v3 *corners) {
  qsort(points, (size_t)count, sizeof *points, by_place);
  int lower = chain(points, count, 1, tolerance, corners);
  if (lower < 2) return lower;
  int upper =
      chain(points + count - 1, count, -1, tolerance, corners + lower - 1); /* starts where the lower one ends */
  return lower + upper - 2;
}

/* --- in space ----------------------------------------------------------------------------------------------------- */

/* Quickhull (Barber, Dobkin, Huhdanpaa 1996): each triangle holds points that it sees. The farthest of them is added
 * next: the triangles that see it give way to a cone of triangles over their outline, which share their points.
 * Triangles in one plane become one face in the end. Points that are closer to the hull than the tolerance do not
 * count, so that round-off makes no faces. */

typedef struct triangle {
  int corner[3];
  v3 normal;
  double area;
  int neighbour[3]; /* behind the side that begins at each corner */
  int face;         /* of the result */
  int points;       /* first of the points that it sees, -1: none */
  bool gone, seen;
} triangle;

/* A side of the outline: from a corner to another one, and the triangle behind it, which stays. */
typedef struct outline_side {
  int from, to, behind;
} outline_side;

typedef struct builder {
  picus_context *context;
  const v3 *points;
  int count;
  double tolerance;
  triangle *triangles;
  int triangle_count;
  size_t triangle_capacity;
  int alive_count;
  int *next;             /* of each point: the next one of its triangle */
  int *begin;            /* of each point: the new triangle whose side begins there */
  outline_side *outline; /* of the triangles that see a point */
  int outline_count;
  size_t outline_capacity;
  int *visible; /* triangles that see it */
  int visible_count;
  size_t visible_capacity;
} builder;

static double height(const builder *b, const triangle *t, int point) {
  return v3_dot(t->normal, v3_sub(b->points[point], b->points[t->corner[0]]));
}

/* Twice the area times the normal, from the corner between the two shortest sides: there the product of a thin triangle
 * is exact. */
static v3 area_vector(const v3 p[3]) {
  double longest = -1;
  int at = 0;
  for (int k = 0; k < 3; k++) {
    const double square = v3_square(v3_sub(p[(k + 2) % 3], p[(k + 1) % 3])); /* of the side opposite to corner k */
    if (square > longest) {
      longest = square;
      at = k;
    }
  }
  return v3_cross(v3_sub(p[(at + 1) % 3], p[at]), v3_sub(p[(at + 2) % 3], p[at]));
}

static picus_status add_triangle(builder *b, int i, int j, int k) {
  const v3 twice = area_vector((v3[3]){b->points[i], b->points[j], b->points[k]});
  if ((size_t)b->triangle_count >= b->triangle_capacity) {
    picus_status status =
        picus_grow(b->context, &b->triangles, (size_t)b->triangle_count, &b->triangle_capacity, sizeof *b->triangles);
    if (status) return status;
  }
  double area = v3_length(twice) / 2;
  v3 normal = area > 0 ? v3_unit(twice) : (v3){0, 0, 0};
  b->triangles[b->triangle_count++] = (triangle){{i, j, k}, normal, area, {-1, -1, -1}, -1, -1, false, false};
  b->alive_count++;
  return PICUS_OK;
}

/* --- the first tetrahedron -------------------------------------------------------------------------------------- */

/* The point farthest from the first `known` ones: from a point, a line, a plane. */
static int farthest(const builder *b, const int *corner, int known, double *distance) {
  int best = 0;
  *distance = -1;
  v3 origin = b->points[corner[0]], along = {0, 0, 0}, normal = {0, 0, 0};
  if (known > 1) along = v3_unit(v3_sub(b->points[corner[1]], origin));
  if (known > 2) normal = v3_unit(v3_cross(along, v3_sub(b->points[corner[2]], origin)));
  for (int k = 0; k < b->count; k++) {
    v3 d = v3_sub(b->points[k], origin);
    if (known == 2) d = v3_along(d, -v3_dot(d, along), along);
    double value = known == 3 ? fabs(v3_dot(normal, d)) : v3_length(d);
    if (value > *distance) {
      *distance = value;
      best = k;
    }
  }
  return best;
}

/* The first tetrahedron of the hull: four points as far from each other as possible. */
static picus_status start(builder *b, double flatness) {
  static const char *const flat[] = {"at one place", "on one line", "in one plane"};
  int corner[4] = {0};
  double extent = 0;
  for (int known = 1; known < 4; known++) {
    double distance;
    corner[known] = farthest(b, corner, known, &distance);
    if (known == 1) extent = distance;
    if (!(distance > flatness * extent))
      return picus_fail(b->context, PICUS_ERROR_ARGUMENT,
                        "the %d points of the polyhedron lie %s; give it some thickness", b->count, flat[known - 1]);
  }
  b->tolerance = 1e-13 * extent;
  v3 p = b->points[corner[0]];
  v3 normal = v3_cross(v3_sub(b->points[corner[1]], p), v3_sub(b->points[corner[2]], p));
  if (v3_dot(normal, v3_sub(b->points[corner[3]], p)) > 0) { /* the fourth one lies behind the first triangle */
    int kept = corner[1];
    corner[1] = corner[2];
    corner[2] = kept;
  }
  picus_status status = add_triangle(b, corner[0], corner[1], corner[2]);
  if (!status) status = add_triangle(b, corner[0], corner[3], corner[1]);
  if (!status) status = add_triangle(b, corner[1], corner[3], corner[2]);
  if (!status) status = add_triangle(b, corner[2], corner[3], corner[0]);
  static const int sides[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
  for (int k = 0; k < 4 && !status; k++)
    for (int side = 0; side < 3; side++)
      for (int n = 0; n < 4; n++)
        for (int i = 0; i < 3; i++)
          if (sides[n][i] == sides[k][(side + 1) % 3] && sides[n][(i + 1) % 3] == sides[k][side])
            b->triangles[k].neighbour[side] = n;
  return status;
}

/* --- one point more --------------------------------------------------------------------------------------------- */

/* Gives a point to the first of some triangles that sees it; none: it lies inside. */
static void assign(builder *b, int point, int first, int last) {
  for (int k = first; k < last; k++) {
    triangle *t = &b->triangles[k];
    if (!(height(b, t, point) > b->tolerance)) continue;
    b->next[point] = t->points;
    t->points = point;
    return;
  }
}

/* Takes the farthest point out of the list of a triangle. */
static int take_farthest(builder *b, triangle *t) {
  int best = t->points, before = -1;
  double largest = height(b, t, best);
  for (int last = best, k = b->next[best]; k >= 0; last = k, k = b->next[k]) {
    const double value = height(b, t, k);
    if (value > largest || (value >= largest && k < best)) {
      largest = value;
      best = k;
      before = last;
    }
  }
  if (before < 0)
    t->points = b->next[best];
  else
    b->next[before] = b->next[best];
  return best;
}

static picus_status push_visible(builder *b, int t) {
  if ((size_t)b->visible_count >= b->visible_capacity) {
    picus_status status =
        picus_grow(b->context, &b->visible, (size_t)b->visible_count, &b->visible_capacity, sizeof *b->visible);
    if (status) return status;
  }
  b->triangles[t].seen = true;
  b->visible[b->visible_count++] = t;
  return PICUS_OK;
}

static picus_status push_side(builder *b, outline_side side) {
  if ((size_t)b->outline_count >= b->outline_capacity) {
    picus_status status =
        picus_grow(b->context, &b->outline, (size_t)b->outline_count, &b->outline_capacity, sizeof *b->outline);
    if (status) return status;
  }
  b->outline[b->outline_count++] = side;
  return PICUS_OK;
}

/* The triangles that see a point, from one of them over their sides, and their outline. */
static picus_status find_visible(builder *b, int point, int from) {
  b->visible_count = b->outline_count = 0;
  picus_status status = push_visible(b, from);
  for (int k = 0; k < b->visible_count && !status; k++)
    for (int side = 0; side < 3 && !status; side++) {
      const triangle *t = &b->triangles[b->visible[k]];
      const int behind = t->neighbour[side];
      if (b->triangles[behind].seen) continue;
      if (height(b, &b->triangles[behind], point) > b->tolerance)
        status = push_visible(b, behind);
      else
        status = push_side(b, (outline_side){t->corner[side], t->corner[(side + 1) % 3], behind});
    }
  return status;
}

/* Whether a point lies on a corner of the triangles that see it, to 1e-9 of the extent: between points closer than that
 * there would be faces whose normals are round-off. */
static bool is_corner(const builder *b, int point) {
  for (int k = 0; k < b->visible_count; k++)
    for (int side = 0; side < 3; side++) {
      const int corner = b->triangles[b->visible[k]].corner[side];
      if (v3_length(v3_sub(b->points[point], b->points[corner])) <= 1e4 * b->tolerance) return true;
    }
  return false;
}

/* Side of t that runs from one corner to another; -1: none. */
static int side_of(const triangle *t, int from, int to) {
  for (int k = 0; k < 3; k++)
    if (t->corner[k] == from && t->corner[(k + 1) % 3] == to) return k;
  return -1;
}

static picus_status not_certain(const builder *b) {
  return picus_fail(
      b->context, PICUS_ERROR_ARGUMENT,
      "the hull of the %d points of the polyhedron is not certain to round-off; leave out points that lie "
      "almost in a face or on an edge",
      b->count);
}

/* A triangle over each side of the outline, with the point as third corner. */
static picus_status add_cone(builder *b, int point) {
  const int first = b->triangle_count;
  for (int k = 0; k < b->outline_count; k++) b->begin[b->outline[k].from] = -1;
  for (int k = 0; k < b->outline_count; k++) {
    const outline_side *s = &b->outline[k];
    if (b->begin[s->from] >= 0) return not_certain(b); /* the outline meets itself */
    picus_status status = add_triangle(b, s->from, s->to, point);
    if (status) return status;
    b->begin[s->from] = first + k;
    b->triangles[first + k].neighbour[0] = s->behind;
    triangle *behind = &b->triangles[s->behind];
    const int side = side_of(behind, s->to, s->from);
    if (side < 0) return not_certain(b);
    behind->neighbour[side] = first + k;
  }
  for (int k = 0; k < b->outline_count; k++) {
    const int after = b->begin[b->outline[k].to];
    if (after < first) return not_certain(b);
    b->triangles[first + k].neighbour[1] = after; /* behind the side from `to` to the point */
    b->triangles[after].neighbour[2] = first + k;
  }
  return PICUS_OK;
}

static picus_status add_point(builder *b, int point, int from) {
  picus_status status = find_visible(b, point, from);
  if (status) return status;
  const bool same = is_corner(b, point);
  for (int k = 0; k < b->visible_count; k++) b->triangles[b->visible[k]].seen = false;
  if (same) return PICUS_OK;
  const int first = b->triangle_count;
  status = add_cone(b, point);
  for (int k = 0; k < b->visible_count && !status; k++) {
    triangle *t = &b->triangles[b->visible[k]];
    t->gone = true;
    b->alive_count--;
    for (int p = t->points, after; p >= 0; p = after) {
      after = b->next[p];
      assign(b, p, first, b->triangle_count);
    }
    t->points = -1;
  }
  if (!status && b->alive_count > 2 * HULL_MOST_VERTICES)
    status = picus_fail(b->context, PICUS_ERROR_FILE_LIMIT,
                        "the hull of the %d points of the polyhedron has more than %d corners; give it fewer points",
                        b->count, HULL_MOST_VERTICES);
  return status;
}

/* Adds points until no triangle sees any. New triangles stand behind the old ones in the list. */
static picus_status add_points(builder *b) {
  b->next = picus_allocate(b->context, (size_t)b->count, sizeof *b->next);
  b->begin = picus_allocate(b->context, (size_t)b->count, sizeof *b->begin);
  if (!b->next || !b->begin) return PICUS_ERROR_MEMORY;
  for (int k = 0; k < b->count; k++) assign(b, k, 0, b->triangle_count);
  picus_status status = PICUS_OK;
  for (int k = 0; k < b->triangle_count && !status; k++)
    while (!status && !b->triangles[k].gone && b->triangles[k].points >= 0) {
      const int point = take_farthest(b, &b->triangles[k]);
      status = add_point(b, point, k);
    }
  return status;
}

/* Leaves out the triangles that are gone. */
static void compact(builder *b) {
  int kept = 0;
  for (int k = 0; k < b->triangle_count; k++)
    if (!b->triangles[k].gone) b->triangles[k].face = kept++; /* its new number */
  for (int k = 0; k < b->triangle_count; k++)
    for (int side = 0; side < 3 && !b->triangles[k].gone; side++)
      b->triangles[k].neighbour[side] = b->triangles[b->triangles[k].neighbour[side]].face;
  for (int k = 0, to = 0; k < b->triangle_count; k++)
    if (!b->triangles[k].gone) b->triangles[to++] = b->triangles[k];
  b->triangle_count = kept;
  for (int k = 0; k < kept; k++) b->triangles[k].face = -1;
}

/* --- faces ------------------------------------------------------------------------------------------------------ */

/* The triangles of one face: from the first one over sides behind which the next one lies in the same plane. */
static void spread_face(builder *b, int first, int face, int *waiting) {
  int count = 1;
  waiting[0] = first;
  b->triangles[first].face = face;
  while (count > 0) {
    const triangle *t = &b->triangles[waiting[--count]];
    for (int side = 0; side < 3; side++) {
      triangle *next = &b->triangles[t->neighbour[side]];
      const int corner = next->corner[(side_of(next, t->corner[(side + 1) % 3], t->corner[side]) + 2) % 3];
      if (next->face >= 0 || fabs(height(b, &b->triangles[first], corner)) > 4 * b->tolerance) continue;
      next->face = face;
      waiting[count++] = t->neighbour[side];
    }
  }
}

typedef struct by_size {
  double area;
  int number;
} by_size;

static int larger_first(const void *left, const void *right) {
  const by_size *a = left, *b = right;
  if (a->area != b->area) return a->area > b->area ? -1 : 1;
  return a->number < b->number ? -1 : a->number > b->number;
}

/* Begins each face with its largest triangle, whose plane is the most certain. */
static int find_faces(builder *b, by_size *order, int *waiting) {
  int face = 0;
  for (int k = 0; k < b->triangle_count; k++) order[k] = (by_size){b->triangles[k].area, k};
  qsort(order, (size_t)b->triangle_count, sizeof *order, larger_first);
  for (int k = 0; k < b->triangle_count; k++)
    if (b->triangles[order[k].number].face < 0) spread_face(b, order[k].number, face++, waiting);
  return face;
}

/* A side of a triangle. */
typedef struct hull_side {
  int triangle, side;
} hull_side;

/* The next side of the outline of a face: around the end of this one, within the face. */
static hull_side next_side(const builder *b, hull_side at) {
  const int face = b->triangles[at.triangle].face;
  hull_side next = {at.triangle, (at.side + 1) % 3};
  for (int steps = 0; steps < b->triangle_count; steps++) {
    const triangle *t = &b->triangles[next.triangle];
    const int behind = t->neighbour[next.side];
    if (b->triangles[behind].face != face) break;
    const int twin = side_of(&b->triangles[behind], t->corner[(next.side + 1) % 3], t->corner[next.side]);
    next = (hull_side){behind, (twin + 1) % 3};
  }
  return next;
}

/* Arrays of the result: corners in the order of the points, faces with their loops. */
typedef struct faces {
  v3 *vertices;
  int *number;        /* of each point: its corner, or -1 */
  int (*around)[3];   /* of each point: faces at it, plus 1, as many as three */
  hull_side *outline; /* of each face: a side of its outline */
  by_size *order;
  int *sides, *loops;
  int vertex_count, face_count, loop_count;
} faces;

/* A point in three faces is a corner; in one or two it lies in a face or on an edge. */
static void count_faces(const builder *b, faces *out) {
  for (int k = 0; k < b->triangle_count; k++)
    for (int side = 0; side < 3; side++) {
      const triangle *t = &b->triangles[k];
      int *seen = out->around[t->corner[side]], i = 0;
      while (i < 3 && seen[i] && seen[i] != t->face + 1) i++;
      if (i < 3) seen[i] = t->face + 1;
      if (b->triangles[t->neighbour[side]].face != t->face) out->outline[t->face] = (hull_side){k, side};
    }
}

static bool trace_face(const builder *b, int face, faces *out) {
  const hull_side begin = out->outline[face];
  if (begin.triangle < 0) return false;
  hull_side at = begin;
  int steps = 0;
  do {
    const int corner = out->number[b->triangles[at.triangle].corner[at.side]];
    if (corner >= 0) {
      out->loops[out->loop_count++] = corner;
      out->sides[face]++;
    }
    at = next_side(b, at);
  } while ((at.triangle != begin.triangle || at.side != begin.side) && ++steps <= 3 * b->triangle_count);
  return steps <= 3 * b->triangle_count && out->sides[face] >= 3;
}

static bool trace_faces(const builder *b, faces *out) {
  for (int k = 0; k < out->face_count; k++) out->outline[k].triangle = -1;
  count_faces(b, out);
  for (int k = 0; k < b->count; k++) {
    out->number[k] = -1;
    if (!out->around[k][2]) continue;
    out->number[k] = out->vertex_count;
    out->vertices[out->vertex_count++] = b->points[k];
  }
  for (int face = 0; face < out->face_count; face++)
    if (out->loop_count > 3 * b->triangle_count || !trace_face(b, face, out)) return false;
  return out->vertex_count - out->loop_count / 2 + out->face_count == 2; /* Euler */
}

/* Every corner lies below every face, and in its own faces; edges have a length. Written so that what is no number
 * fails. */
static bool is_convex(const polytope *p, double tolerance) {
  for (int f = 0; f < p->face_count; f++) {
    const int highest = picus_polytope_highest(p, p->normals[f], p->loops[p->faces[f].first]);
    if (!(v3_dot(p->normals[f], p->vertices[highest]) <= p->offsets[f] + tolerance)) return false;
    for (int k = 0; k < p->faces[f].count; k++) {
      v3 v = p->vertices[p->loops[p->faces[f].first + k]];
      if (!(fabs(v3_dot(p->normals[f], v) - p->offsets[f]) <= tolerance)) return false;
    }
  }
  for (int k = 0; k < p->edge_count; k++) {
    const polytope_edge *e = &p->edges[k];
    const double length = v3_length(v3_sub(p->vertices[e->vertex[1]], p->vertices[e->vertex[0]]));
    if (!(length > tolerance) || !(v3_length(e->outward) > 0.5) || e->face[1] < 0) return false;
  }
  return true;
}

static void release_faces(picus_context *context, faces *f) {
  picus_release(context, f->vertices);
  picus_release(context, f->number);
  picus_release(context, f->around);
  picus_release(context, f->outline);
  picus_release(context, f->order);
  picus_release(context, f->sides);
  picus_release(context, f->loops);
}

static picus_status build_faces(builder *b, polytope *out) {
  faces f = {0};
  const size_t points = (size_t)b->count, triangles = (size_t)b->triangle_count;
  f.vertices = picus_allocate(b->context, points, sizeof *f.vertices);
  f.number = picus_allocate(b->context, points, sizeof *f.number);
  f.around = picus_allocate(b->context, points, sizeof *f.around);
  f.outline = picus_allocate(b->context, triangles, sizeof *f.outline);
  f.order = picus_allocate(b->context, triangles, sizeof *f.order);
  f.sides = picus_allocate(b->context, triangles, sizeof *f.sides);
  f.loops = picus_allocate(b->context, 6 * triangles + 6, sizeof *f.loops);
  const bool memory = f.vertices && f.number && f.around && f.outline && f.order && f.sides && f.loops;
  picus_status status = memory ? PICUS_OK : PICUS_ERROR_MEMORY;
  bool good = false;
  if (!status) {
    f.face_count = find_faces(b, f.order, f.loops);
    good = trace_faces(b, &f);
  }
  if (good) {
    const face_list list = {f.vertices, f.vertex_count, f.sides, f.loops, f.face_count};
    status = picus_polytope_faces(b->context, &list, out);
    good = !status && is_convex(out, 20 * b->tolerance);
  }
  if (!status && !good) status = not_certain(b);
  release_faces(b->context, &f);
  return status;
}

picus_status picus_polytope_hull(picus_context *context, const v3 *points, int count, double flatness, polytope *out) {
  builder b = {.context = context, .points = points, .count = count};
  picus_status status = start(&b, flatness);
  if (!status) status = add_points(&b);
  if (!status) {
    compact(&b);
    status = build_faces(&b, out);
  }
  picus_release(context, b.triangles);
  picus_release(context, b.outline);
  picus_release(context, b.visible);
  picus_release(context, b.next);
  picus_release(context, b.begin);
  return status;
}
