/* Convex hull of points in space: points are added one by one; the triangles that see a point give way to a cone of
 * triangles over their outline. Triangles in one plane become one face in the end. Points that are closer to the hull
 * than the tolerance do not count, so that round-off makes no faces. */
#include "base/internal.h"
#include "collision/polytope.h"

#include <math.h>

typedef struct triangle {
  int corner[3];
  v3 normal;
  double area;
  int neighbour[3]; /* behind the side that begins at each corner */
  int face;         /* of the result */
} triangle;

typedef struct builder {
  picus_context *context;
  const v3 *points;
  int count;
  double tolerance;
  triangle *triangles;
  int triangle_count;
  size_t triangle_capacity;
  int (*outline)[2]; /* directed sides of the triangles that see a point */
  int outline_count;
  size_t outline_capacity;
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
  b->triangles[b->triangle_count++] = (triangle){{i, j, k}, normal, area, {-1, -1, -1}, -1};
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
  return status;
}

/* --- one point more --------------------------------------------------------------------------------------------- */

static picus_status add_side(builder *b, int from, int to) {
  for (int k = 0; k < b->outline_count; k++)
    if (b->outline[k][0] == to && b->outline[k][1] == from) { /* both triangles go: the side lies inside */
      b->outline[k][0] = b->outline[--b->outline_count][0];
      b->outline[k][1] = b->outline[b->outline_count][1];
      return PICUS_OK;
    }
  if ((size_t)b->outline_count >= b->outline_capacity) {
    picus_status status =
        picus_grow(b->context, &b->outline, (size_t)b->outline_count, &b->outline_capacity, sizeof *b->outline);
    if (status) return status;
  }
  b->outline[b->outline_count][0] = from;
  b->outline[b->outline_count++][1] = to;
  return PICUS_OK;
}

/* Whether a point lies on a corner of the hull, to 1e-9 of the extent: between points closer than that there would be
 * faces whose normals are round-off. */
static bool is_corner(const builder *b, int point) {
  for (int k = 0; k < b->triangle_count; k++)
    for (int side = 0; side < 3; side++)
      if (v3_length(v3_sub(b->points[point], b->points[b->triangles[k].corner[side]])) <= 1e4 * b->tolerance)
        return true;
  return false;
}

static picus_status add_point(builder *b, int point) {
  b->outline_count = 0;
  int kept = 0;
  bool seen = false;
  for (int k = 0; k < b->triangle_count && !seen; k++) seen = height(b, &b->triangles[k], point) > b->tolerance;
  if (!seen || is_corner(b, point)) return PICUS_OK;
  for (int k = 0; k < b->triangle_count; k++) {
    triangle *t = &b->triangles[k];
    if (height(b, t, point) > b->tolerance) {
      for (int side = 0; side < 3; side++) {
        picus_status status = add_side(b, t->corner[side], t->corner[(side + 1) % 3]);
        if (status) return status;
      }
    } else {
      b->triangles[kept++] = *t;
    }
  }
  b->triangle_count = kept;
  for (int k = 0; k < b->outline_count; k++) {
    picus_status status = add_triangle(b, b->outline[k][0], b->outline[k][1], point);
    if (status) return status;
  }
  if (b->triangle_count > 2 * HULL_MOST_VERTICES)
    return picus_fail(b->context, PICUS_ERROR_FILE_LIMIT,
                      "the hull of the %d points of the polyhedron has more than %d corners; give it fewer points",
                      b->count, HULL_MOST_VERTICES);
  return PICUS_OK;
}

/* --- faces ------------------------------------------------------------------------------------------------------ */

/* Side of t that runs from one corner to another; -1: none. */
static int side_of(const triangle *t, int from, int to) {
  for (int k = 0; k < 3; k++)
    if (t->corner[k] == from && t->corner[(k + 1) % 3] == to) return k;
  return -1;
}

static bool find_neighbours(builder *b) {
  for (int k = 0; k < b->triangle_count; k++)
    for (int side = 0; side < 3; side++) {
      triangle *t = &b->triangles[k];
      for (int n = 0; n < b->triangle_count && t->neighbour[side] < 0; n++)
        if (side_of(&b->triangles[n], t->corner[(side + 1) % 3], t->corner[side]) >= 0) t->neighbour[side] = n;
      if (t->neighbour[side] < 0) return false;
    }
  return true;
}

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

/* Begins each face with its largest triangle, whose plane is the most certain. */
static int find_faces(builder *b, int *waiting) {
  for (int face = 0;; face++) {
    int largest = -1;
    for (int k = 0; k < b->triangle_count; k++)
      if (b->triangles[k].face < 0 && (largest < 0 || b->triangles[k].area > b->triangles[largest].area)) largest = k;
    if (largest < 0) return face;
    spread_face(b, largest, face, waiting);
  }
}

/* Where the side of the outline of a face that begins at a corner ends; -1: none. */
static int next_corner(const builder *b, int face, int from) {
  for (int k = 0; k < b->triangle_count; k++) {
    const triangle *t = &b->triangles[k];
    for (int side = 0; side < 3 && t->face == face; side++)
      if (t->corner[side] == from && b->triangles[t->neighbour[side]].face != face) return t->corner[(side + 1) % 3];
  }
  return -1;
}

/* In how many faces a point is a corner of a triangle. */
static int faces_at(const builder *b, int point) {
  int seen[3], count = 0;
  for (int k = 0; k < b->triangle_count; k++) {
    const triangle *t = &b->triangles[k];
    if (t->corner[0] != point && t->corner[1] != point && t->corner[2] != point) continue;
    bool known = false;
    for (int n = 0; n < count; n++) known = known || seen[n] == t->face;
    if (known) continue;
    if (count == 2) return 3;
    seen[count++] = t->face;
  }
  return count;
}

static int any_corner(const builder *b, int face, const int *number) {
  for (int k = 0; k < b->triangle_count; k++)
    for (int side = 0; side < 3; side++)
      if (b->triangles[k].face == face && number[b->triangles[k].corner[side]] >= 0)
        return b->triangles[k].corner[side];
  return -1;
}

/* Arrays of the result: corners in the order of the points, faces with their loops. */
typedef struct faces {
  v3 *vertices;
  int *number; /* of each point: its corner, or -1 */
  int *sides, *loops;
  int vertex_count, face_count, loop_count;
} faces;

static bool trace_face(const builder *b, int face, faces *out) {
  const int begin = any_corner(b, face, out->number);
  int at = begin, steps = 0;
  if (begin < 0) return false;
  do {
    if (out->number[at] >= 0) {
      out->loops[out->loop_count++] = out->number[at];
      out->sides[face]++;
    }
    at = next_corner(b, face, at);
  } while (at >= 0 && at != begin && ++steps <= b->triangle_count + 2);
  return at == begin && out->sides[face] >= 3;
}

static bool trace_faces(const builder *b, faces *out) {
  for (int k = 0; k < b->count; k++) out->number[k] = -1;
  for (int k = 0; k < b->triangle_count; k++)
    for (int side = 0; side < 3; side++) out->number[b->triangles[k].corner[side]] = 0;
  for (int k = 0; k < b->count; k++) {
    if (out->number[k] < 0) continue;
    out->number[k] = -1;
    if (faces_at(b, k) < 3) continue; /* in a face or on an edge */
    out->number[k] = out->vertex_count;
    out->vertices[out->vertex_count++] = b->points[k];
  }
  for (int face = 0; face < out->face_count; face++)
    if (!trace_face(b, face, out)) return false;
  return out->vertex_count - out->loop_count / 2 + out->face_count == 2; /* Euler */
}

/* Every corner lies below every face, and in its own faces; edges have a length. Written so that what is no number
 * fails. */
static bool is_convex(const polytope *p, double tolerance) {
  for (int f = 0; f < p->face_count; f++) {
    for (int k = 0; k < p->vertex_count; k++)
      if (!(v3_dot(p->normals[f], p->vertices[k]) <= p->offsets[f] + tolerance)) return false;
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

static picus_status build_faces(builder *b, polytope *out) {
  faces f = {0};
  const size_t points = (size_t)b->count, triangles = (size_t)b->triangle_count;
  f.vertices = picus_allocate(b->context, points, sizeof *f.vertices);
  f.number = picus_allocate(b->context, points, sizeof *f.number);
  f.sides = picus_allocate(b->context, triangles, sizeof *f.sides);
  f.loops = picus_allocate(b->context, 3 * triangles + 3, sizeof *f.loops);
  picus_status status = f.vertices && f.number && f.sides && f.loops ? PICUS_OK : PICUS_ERROR_MEMORY;
  bool good = !status && find_neighbours(b);
  if (good) {
    f.face_count = find_faces(b, f.loops);
    good = trace_faces(b, &f);
  }
  if (good) {
    const face_list list = {f.vertices, f.vertex_count, f.sides, f.loops, f.face_count};
    status = picus_polytope_faces(b->context, &list, out);
    good = !status && is_convex(out, 20 * b->tolerance);
  }
  if (!status && !good)
    status =
        picus_fail(b->context, PICUS_ERROR_ARGUMENT,
                   "the hull of the %d points of the polyhedron is not certain to round-off; leave out points that lie "
                   "almost in a face or on an edge",
                   b->count);
  picus_release(b->context, f.vertices);
  picus_release(b->context, f.number);
  picus_release(b->context, f.sides);
  picus_release(b->context, f.loops);
  return status;
}

picus_status picus_polytope_hull(picus_context *context, const v3 *points, int count, double flatness, polytope *out) {
  builder b = {.context = context, .points = points, .count = count};
  picus_status status = start(&b, flatness);
  for (int k = 0; k < count && !status; k++) status = add_point(&b, k);
  if (!status) status = build_faces(&b, out);
  picus_release(context, b.triangles);
  picus_release(context, b.outline);
  return status;
}
