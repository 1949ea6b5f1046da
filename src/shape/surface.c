/* Static surfaces: checks, neighbours and the grid of their faces. Outside is on the left of a polyline, and where the
 * corners of a triangle run counterclockwise. */
#include "shape/surface.h"
#include "base/elementary.h"

#include "base/internal.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { MOST_FACES = 1 << 24 };

/* A side of a triangle, from the corner of smaller number. */
typedef struct side {
  int low, high, face, at;
  bool forward; /* the triangle runs from low to high */
} side;

static int by_corners(const void *left, const void *right) {
  const side *a = left, *b = right;
  if (a->low != b->low) return a->low < b->low ? -1 : 1;
  if (a->high != b->high) return a->high < b->high ? -1 : 1;
  return a->face < b->face ? -1 : a->face > b->face;
}

/* --- checks ----------------------------------------------------------------------------------------------------- */

static picus_status check_triangles(picus_context *context, const picus_shape_def *def) {
  if (!def->triangles || def->triangle_count < 1 || def->triangle_count > MOST_FACES)
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "a mesh needs 1 to %d triangles, not %d", MOST_FACES,
                      def->triangles ? def->triangle_count : 0);
  for (int f = 0; f < def->triangle_count; f++) {
    const int *t = def->triangles[f];
    for (int k = 0; k < 3; k++)
      if (t[k] < 0 || t[k] >= def->point_count)
        return picus_fail(context, PICUS_ERROR_ARGUMENT,
                          "triangle %d of the mesh names point %d, but there are %d points", f + 1, t[k] + 1,
                          def->point_count);
    const double *p = def->points + 3 * (size_t)t[0], *q = def->points + 3 * (size_t)t[1],
                 *r = def->points + 3 * (size_t)t[2];
    v3 a = {q[0] - p[0], q[1] - p[1], q[2] - p[2]}, b = {r[0] - p[0], r[1] - p[1], r[2] - p[2]}, c = v3_sub(b, a);
    const double longest = fmax(v3_square(a), fmax(v3_square(b), v3_square(c)));
    if (!(v3_length(v3_cross(a, b)) > 1e-10 * longest))
      return picus_fail(context, PICUS_ERROR_ARGUMENT,
                        "triangle %d of the mesh (points %d, %d, %d) has no area; leave it out", f + 1, t[0] + 1,
                        t[1] + 1, t[2] + 1);
  }
  return PICUS_OK;
}

static picus_status check_neighbours(picus_context *context, const side *sides, int count, bool closed) {
  for (int k = 0; k < count; k++) {
    const side *s = &sides[k];
    int same = 1;
    while (k + same < count && sides[k + same].low == s->low && sides[k + same].high == s->high) same++;
    if (same > 2)
      return picus_fail(context, PICUS_ERROR_ARGUMENT,
                        "the edge between points %d and %d of the mesh belongs to %d triangles; at most two may meet",
                        s->low + 1, s->high + 1, same);
    if (same == 2 && s->forward == s[1].forward)
      return picus_fail(context, PICUS_ERROR_ARGUMENT,
                        "triangles %d and %d of the mesh have opposite orientations; swap two points of one of them",
                        s->face + 1, s[1].face + 1);
    if (same == 1 && closed)
      return picus_fail(context, PICUS_ERROR_ARGUMENT,
                        "the mesh has a hole: the edge between points %d and %d belongs to triangle %d alone",
                        s->low + 1, s->high + 1, s->face + 1);
    k += same - 1;
  }
  return PICUS_OK;
}

/* Six times the volume within a closed mesh is positive if its triangles look outwards. */
static picus_status check_outside(picus_context *context, const picus_shape_def *def) {
  const double *o = def->points;
  double sum = 0;
  for (int f = 0; f < def->triangle_count && def->closed; f++) {
    v3 p[3];
    for (int k = 0; k < 3; k++) {
      const double *x = def->points + 3 * (size_t)def->triangles[f][k];
      p[k] = (v3){x[0] - o[0], x[1] - o[1], x[2] - o[2]};
    }
    sum += v3_dot(p[0], v3_cross(p[1], p[2]));
  }
  if (sum >= 0) return PICUS_OK;
  return picus_fail(context, PICUS_ERROR_ARGUMENT,
                    "the mesh is inside out: all its triangles face inwards; swap two points of each triangle");
}

static picus_status check_polyline(picus_context *context, const picus_shape_def *def) {
  for (int k = 0; k + 1 < def->point_count; k++) {
    const double *p = def->points + 3 * (size_t)k;
    if (p[0] == p[3] && p[1] == p[4])
      return picus_fail(context, PICUS_ERROR_ARGUMENT, "points %d and %d of the polyline are the same; leave one out",
                        k + 1, k + 2);
  }
  return PICUS_OK;
}

/* --- vertices, edges, faces ------------------------------------------------------------------------------------- */

static bool allocate(picus_context *context, polytope *p, picus_surface *s) {
  const size_t vertices = (size_t)p->vertex_count, faces = (size_t)p->face_count, edges = (size_t)p->edge_count;
  p->vertices = picus_allocate(context, vertices, sizeof *p->vertices);
  p->normals = picus_allocate(context, faces, sizeof *p->normals);
  p->offsets = picus_allocate(context, faces, sizeof *p->offsets);
  p->faces = picus_allocate(context, faces, sizeof *p->faces);
  p->loops = picus_allocate(context, (size_t)p->loop_count, sizeof *p->loops);
  p->edges = picus_allocate(context, edges, sizeof *p->edges);
  p->directions = picus_allocate(context, edges, sizeof *p->directions);
  s->face_edges = picus_allocate(context, (size_t)p->loop_count, sizeof *s->face_edges);
  s->convex = picus_allocate(context, edges, sizeof *s->convex);
  s->plane = picus_allocate(context, faces, sizeof *s->plane);
  s->vertex_normal = picus_allocate(context, vertices, sizeof *s->vertex_normal);
  s->vertex_start = picus_allocate(context, vertices + 1, sizeof *s->vertex_start);
  s->vertex_edges = picus_allocate(context, 2 * (edges + faces), sizeof *s->vertex_edges);
  return p->vertices && p->normals && p->offsets && p->faces && p->loops && p->edges && p->directions &&
         s->face_edges && s->convex && s->plane && s->vertex_normal && s->vertex_start && s->vertex_edges;
}

static void set_points(const picus_shape_def *def, polytope *p) {
  for (int k = 0; k < p->vertex_count; k++) {
    const double *x = def->points + 3 * (size_t)k;
    p->vertices[k] = (v3){x[0], x[1], x[2]};
  }
}

static void set_face(polytope *p, int f, int sides, v3 normal) {
  p->faces[f] = (polytope_face){sides * f, sides};
  p->normals[f] = v3_unit(normal);
  v3 middle = {0, 0, 0};
  for (int k = 0; k < sides; k++) middle = v3_along(middle, 1.0 / sides, p->vertices[p->loops[sides * f + k]]);
  p->offsets[f] = v3_dot(p->normals[f], middle);
}

/* The ends of an edge (planar: of a face). */
static const int *ends_of(const picus_shape *shape, int line) {
  return shape->planar ? shape->polytope.loops + 2 * line : shape->polytope.edges[line].vertex;
}

/* Which edges (planar: faces) end at each vertex. */
static void list_neighbours(picus_shape *shape) {
  picus_surface *s = shape->surface;
  const int count = shape->planar ? shape->polytope.face_count : shape->polytope.edge_count;
  const int vertex_count = shape->polytope.vertex_count;
  for (int k = 0; k < count; k++)
    for (int e = 0; e < 2; e++) s->vertex_start[ends_of(shape, k)[e] + 1]++;
  for (int k = 0; k < vertex_count; k++) s->vertex_start[k + 1] += s->vertex_start[k];
  for (int k = count; k-- > 0;)
    for (int e = 0; e < 2; e++) s->vertex_edges[--s->vertex_start[ends_of(shape, k)[e] + 1]] = k;
  for (int k = 0; k < vertex_count; k++) s->vertex_start[k] = s->vertex_start[k + 1];
  s->vertex_start[vertex_count] = 2 * count;
}

static void add_vertex_normals(const polytope *p, picus_surface *s) {
  for (int f = 0; f < p->face_count; f++) {
    const int *loop = p->loops + p->faces[f].first, count = p->faces[f].count;
    for (int k = 0; k < count; k++) {
      v3 a = v3_sub(p->vertices[loop[(k + 1) % count]], p->vertices[loop[k]]);
      v3 b = v3_sub(p->vertices[loop[(k + count - 1) % count]], p->vertices[loop[k]]);
      double angle = count == 2 ? 1 : picus_atan2(v3_length(v3_cross(a, b)), v3_dot(a, b));
      s->vertex_normal[loop[k]] = v3_along(s->vertex_normal[loop[k]], angle, p->normals[f]);
    }
  }
}

static void add_edges(polytope *p, const side *sides, int count, picus_surface *s) {
  int edges = 0;
  for (int k = 0; k < count; k++, edges++) {
    const side *first = &sides[k];
    const bool shared = k + 1 < count && sides[k + 1].low == first->low && sides[k + 1].high == first->high;
    polytope_edge *e = &p->edges[edges];
    *e = (polytope_edge){{first->low, first->high}, {first->face, -1}, edges, p->normals[first->face]};
    p->directions[edges] = v3_unit(v3_sub(p->vertices[first->high], p->vertices[first->low]));
    s->face_edges[3 * first->face + first->at] = edges;
    s->convex[edges] = true;
    if (!shared) continue;
    const side *second = &sides[++k];
    s->face_edges[3 * second->face + second->at] = edges;
    e->face[1] = second->face;
    v3 sum = v3_add(p->normals[first->face], p->normals[second->face]);
    if (v3_length(sum) > 1e-9) e->outward = v3_unit(sum);
    const v3 far = p->vertices[p->loops[3 * second->face + (second->at + 2) % 3]];
    v3 to = v3_unit(v3_sub(far, p->vertices[second->low]));
    s->convex[edges] = v3_dot(p->normals[first->face], to) < -1e-9;
  }
  p->edge_count = edges;
}

/* A mesh of triangles as a polytope: its edges from the sides of its triangles, which must fit. */
static picus_status build_mesh(picus_context *context, const picus_shape_def *def, picus_shape *shape) {
  polytope *p = &shape->polytope;
  const int count = 3 * def->triangle_count;
  picus_status status = check_triangles(context, def);
  if (status || !def->triangles) return status;
  *p = (polytope){
      .vertex_count = def->point_count, .edge_count = count, .face_count = def->triangle_count, .loop_count = count};
  side *sides = picus_allocate(context, (size_t)count, sizeof *sides);
  if (!sides) return PICUS_ERROR_MEMORY;
  for (int k = 0; k < count; k++) {
    const int *t = def->triangles[k / 3], from = t[k % 3], to = t[(k + 1) % 3];
    sides[k] = (side){from < to ? from : to, from < to ? to : from, k / 3, k % 3, from < to};
  }
  qsort(sides, (size_t)count, sizeof *sides, by_corners);
  status = check_neighbours(context, sides, count, def->closed);
  if (!status) status = check_outside(context, def);
  if (!status && !allocate(context, p, shape->surface)) status = PICUS_ERROR_MEMORY;
  if (!status) {
    set_points(def, p);
    for (int f = 0; f < p->face_count; f++) {
      for (int k = 0; k < 3; k++) p->loops[3 * f + k] = def->triangles[f][k];
      const v3 a = p->vertices[p->loops[3 * f]];
      set_face(p, f, 3,
               v3_cross(v3_sub(p->vertices[p->loops[3 * f + 1]], a), v3_sub(p->vertices[p->loops[3 * f + 2]], a)));
    }
    add_edges(p, sides, count, shape->surface);
    list_neighbours(shape);
  }
  picus_release(context, sides);
  return status;
}

static picus_status build_polyline(picus_context *context, const picus_shape_def *def, picus_shape *shape) {
  polytope *p = &shape->polytope;
  picus_status status = check_polyline(context, def);
  if (status) return status;
  *p = (polytope){
      .vertex_count = def->point_count, .face_count = def->point_count - 1, .loop_count = 2 * def->point_count - 2};
  if (!allocate(context, p, shape->surface)) return PICUS_ERROR_MEMORY;
  set_points(def, p);
  for (int f = 0; f < p->face_count; f++) {
    v3 along = v3_sub(p->vertices[f + 1], p->vertices[f]);
    p->loops[2 * f] = f + 1; /* as in polygons, seen from outside: from right to left */
    p->loops[2 * f + 1] = f;
    set_face(p, f, 2, (v3){-along.y, along.x, 0});
  }
  list_neighbours(shape);
  return PICUS_OK;
}

/* --- planes ----------------------------------------------------------------------------------------------------- */

/* Faces that continue each other in one plane are one face to a body that slides over them: its contact must not end at
 * one and begin at the next. A plane is that of its first face, and the others lie in it up to round-off, which is that
 * of their points, and of the points of the first face times the lever. */
typedef struct plane_search {
  const picus_shape *shape;
  double rounding; /* of points */
  double height;   /* least one of the first face */
  int *stack;      /* faces whose neighbours are to be looked at */
  int count;
} plane_search;

static v3 corner(const polytope *p, int face, int k) { return p->vertices[p->loops[p->faces[face].first + k]]; }

/* Of a segment, its length. */
static double least_height(const polytope *p, int face) {
  const v3 a = v3_sub(corner(p, face, 1), corner(p, face, 0));
  if (p->faces[face].count == 2) return v3_length(a);
  const v3 b = v3_sub(corner(p, face, 2), corner(p, face, 0)), c = v3_sub(b, a);
  return v3_length(v3_cross(a, b)) / sqrt(fmax(v3_square(a), fmax(v3_square(b), v3_square(c))));
}

static bool lies_in_plane(const plane_search *x, int plane, int face) {
  const polytope *p = &x->shape->polytope;
  if (!(v3_dot(p->normals[plane], p->normals[face]) > 0)) return false;
  for (int k = 0; k < p->faces[face].count; k++) {
    const v3 v = corner(p, face, k);
    const double lever = v3_length(v3_sub(v, corner(p, plane, 0))) / x->height;
    const double distance = v3_dot(p->normals[plane], v) - p->offsets[plane];
    if (!(fabs(distance) <= x->rounding * (1 + lever))) return false;
  }
  return true;
}

static void look_at_neighbour(plane_search *x, int plane, int face) {
  int *of_face = &x->shape->surface->plane[face];
  if (*of_face >= 0 || !lies_in_plane(x, plane, face)) return;
  *of_face = plane;
  x->stack[x->count++] = face;
}

static void look_at_neighbours(plane_search *x, int plane, int face) {
  const polytope *p = &x->shape->polytope;
  for (int k = 0; k < 3 && !x->shape->planar; k++) {
    const int *sides = p->edges[x->shape->surface->face_edges[3 * face + k]].face;
    if (sides[1] >= 0) look_at_neighbour(x, plane, sides[sides[0] == face]);
  }
  if (!x->shape->planar) return;
  if (face > 0) look_at_neighbour(x, plane, face - 1);
  if (face + 1 < p->face_count) look_at_neighbour(x, plane, face + 1);
}

static picus_status find_planes(picus_context *context, picus_shape *shape) {
  enum { ROUNDINGS = 8 };
  const polytope *p = &shape->polytope;
  plane_search x = {.shape = shape, .stack = picus_allocate(context, (size_t)p->face_count, sizeof *x.stack)};
  double largest = 0;
  if (!x.stack) return PICUS_ERROR_MEMORY;
  for (int k = 0; k < p->vertex_count; k++) largest = fmax(largest, v3_length(p->vertices[k]));
  x.rounding = ROUNDINGS * DBL_EPSILON * largest;
  for (int f = 0; f < p->face_count; f++) shape->surface->plane[f] = -1;
  for (int f = 0; f < p->face_count; f++) {
    if (shape->surface->plane[f] >= 0) continue;
    x.height = least_height(p, f);
    shape->surface->plane[f] = f;
    look_at_neighbours(&x, f, f);
    while (x.count > 0) look_at_neighbours(&x, f, x.stack[--x.count]);
  }
  picus_release(context, x.stack);
  return PICUS_OK;
}

/* --- grid ------------------------------------------------------------------------------------------------------- */

static picus_bounds box_of_face(const polytope *p, int face) {
  picus_bounds b = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  for (int k = 0; k < p->faces[face].count; k++) {
    const v3 v = p->vertices[p->loops[p->faces[face].first + k]];
    const double x[3] = {v.x, v.y, v.z};
    for (int d = 0; d < 3; d++) {
      b.low[d] = fmin(b.low[d], x[d]);
      b.high[d] = fmax(b.high[d], x[d]);
    }
  }
  return b;
}

static int cell_of(const picus_surface *s, int d, double x) {
  const double place = floor((x - s->low[d]) / s->cell_size[d]);
  return place > 0 ? place < s->cells[d] ? (int)place : s->cells[d] - 1 : 0;
}

/* The cells that a box overlaps. */
static void cells_of(const picus_surface *s, const picus_bounds *box, int first[3], int last[3]) {
  for (int d = 0; d < 3; d++) {
    first[d] = cell_of(s, d, box->low[d]);
    last[d] = cell_of(s, d, box->high[d]);
  }
}

/* About as many cells as faces: per axis by the extent. */
static void choose_cells(const polytope *p, picus_surface *s) {
  picus_bounds all = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  double size = 0;
  for (int f = 0; f < p->face_count; f++) {
    const picus_bounds b = box_of_face(p, f);
    for (int d = 0; d < 3; d++) {
      all.low[d] = fmin(all.low[d], b.low[d]);
      all.high[d] = fmax(all.high[d], b.high[d]);
    }
    size += fmax(b.high[0] - b.low[0], fmax(b.high[1] - b.low[1], b.high[2] - b.low[2])) / p->face_count;
  }
  for (;; size *= 1.5) { /* no more cells than four times the faces */
    double product = 1;
    for (int d = 0; d < 3; d++) product *= ceil(fmax((all.high[d] - all.low[d]) / size, 1));
    if (product <= 4.0 * p->face_count + 8) break;
  }
  for (int d = 0; d < 3; d++) {
    s->low[d] = all.low[d];
    s->cells[d] = (int)ceil(fmax((all.high[d] - all.low[d]) / size, 1));
    s->cell_size[d] = fmax((all.high[d] - all.low[d]) / s->cells[d], 1e-3 * size);
  }
}

/* Calls for each cell of a box: counts (list NULL) or enters the face. */
static void enter_face(picus_surface *s, const polytope *p, int face, int *list) {
  int first[3], last[3];
  const picus_bounds box = box_of_face(p, face);
  cells_of(s, &box, first, last);
  for (int z = first[2]; z <= last[2]; z++)
    for (int y = first[1]; y <= last[1]; y++)
      for (int x = first[0]; x <= last[0]; x++) {
        const int cell = (z * s->cells[1] + y) * s->cells[0] + x;
        if (list)
          list[s->cell_start[cell]++] = face;
        else
          s->cell_start[cell + 1]++;
      }
}

static picus_status build_grid(picus_context *context, const polytope *p, picus_surface *s) {
  choose_cells(p, s);
  const int cells = s->cells[0] * s->cells[1] * s->cells[2];
  s->cell_start = picus_allocate(context, (size_t)cells + 1, sizeof *s->cell_start);
  if (!s->cell_start) return PICUS_ERROR_MEMORY;
  for (int f = 0; f < p->face_count; f++) enter_face(s, p, f, NULL);
  for (int k = 0; k < cells; k++) s->cell_start[k + 1] += s->cell_start[k];
  s->cell_faces = picus_allocate(context, (size_t)s->cell_start[cells], sizeof *s->cell_faces);
  if (!s->cell_faces) return PICUS_ERROR_MEMORY;
  for (int f = 0; f < p->face_count; f++) enter_face(s, p, f, s->cell_faces);
  for (int k = cells; k > 0; k--) s->cell_start[k] = s->cell_start[k - 1];
  s->cell_start[0] = 0;
  return PICUS_OK;
}

static bool overlap(const picus_bounds *a, const picus_bounds *b) {
  for (int d = 0; d < 3; d++)
    if (!(a->low[d] <= b->high[d] && b->low[d] <= a->high[d])) return false;
  return true;
}

/* A face that lies in several cells is visited in the first one of those that the box overlaps. */
static void visit_cell(const picus_shape *shape, const picus_bounds *box, const int cell[3], face_visitor visit,
                       void *user) {
  const picus_surface *s = shape->surface;
  int query_first[3], query_last[3];
  cells_of(s, box, query_first, query_last);
  const int number = (cell[2] * s->cells[1] + cell[1]) * s->cells[0] + cell[0];
  for (int k = s->cell_start[number]; k < s->cell_start[number + 1]; k++) {
    const picus_bounds face = box_of_face(&shape->polytope, s->cell_faces[k]);
    int first[3], last[3];
    if (!overlap(&face, box)) continue;
    cells_of(s, &face, first, last);
    bool here = true;
    for (int d = 0; d < 3; d++) here = here && cell[d] == (first[d] > query_first[d] ? first[d] : query_first[d]);
    if (here) visit(user, s->cell_faces[k]);
  }
}

void picus_surface_visit(const picus_shape *shape, const picus_bounds *box, face_visitor visit, void *user) {
  int first[3], last[3], cell[3];
  cells_of(shape->surface, box, first, last);
  for (cell[2] = first[2]; cell[2] <= last[2]; cell[2]++)
    for (cell[1] = first[1]; cell[1] <= last[1]; cell[1]++)
      for (cell[0] = first[0]; cell[0] <= last[0]; cell[0]++) visit_cell(shape, box, cell, visit, user);
}

/* --- features ---------------------------------------------------------------------------------------------------- */

static const double slack = 1e-9; /* of directions */

static bool edge_touches(const picus_shape *shape, int k, v3 n) {
  const polytope *p = &shape->polytope;
  const polytope_edge *e = &p->edges[k];
  if (!shape->surface->convex[k] || v3_dot(n, e->outward) < 0) return false;
  for (int s = 0; s < 2 && e->face[s] >= 0; s++) { /* into the face, perpendicular to the edge */
    v3 into = v3_cross(p->normals[e->face[s]], p->directions[k]);
    const int *loop = p->loops + 3 * e->face[s];
    v3 middle = v3_scale(1.0 / 3, v3_add(p->vertices[loop[0]], v3_add(p->vertices[loop[1]], p->vertices[loop[2]])));
    if (v3_dot(into, v3_sub(middle, p->vertices[e->vertex[0]])) < 0) into = v3_minus(into);
    if (v3_dot(n, into) > slack) return false;
  }
  return true;
}

static bool vertex_touches(const picus_shape *shape, int k, v3 n) {
  const polytope *p = &shape->polytope;
  const picus_surface *s = shape->surface;
  bool outwards = false, convex = shape->planar;
  int count = 0;
  for (int i = s->vertex_start[k]; i < s->vertex_start[k + 1]; i++, count++) {
    const int line = s->vertex_edges[i], *end = ends_of(shape, line);
    v3 along = v3_unit(v3_sub(p->vertices[end[end[0] == k]], p->vertices[k]));
    if (v3_dot(n, along) > slack) return false;
    outwards = outwards || v3_dot(n, shape->planar ? p->normals[line] : p->edges[line].outward) > 0;
    convex = convex || s->convex[line];
  }
  if (shape->planar && count == 2) { /* a flat or hollow corner is nobody's nearest point */
    const int *lines = s->vertex_edges + s->vertex_start[k];
    const int other = p->loops[2 * lines[1]] == k ? p->loops[2 * lines[1] + 1] : p->loops[2 * lines[1]];
    v3 to = v3_unit(v3_sub(p->vertices[other], p->vertices[k]));
    convex = v3_dot(p->normals[lines[0]], to) < -slack;
  }
  return outwards && convex;
}

bool picus_surface_touches(const picus_shape *shape, picus_feature feature, v3 direction) {
  if (feature.kind == FEATURE_EDGE) return edge_touches(shape, feature.index, direction);
  if (feature.kind == FEATURE_VERTEX) return vertex_touches(shape, feature.index, direction);
  return true;
}

/* --- creation ---------------------------------------------------------------------------------------------------- */

picus_status picus_surface_create(picus_context *context, const picus_shape_def *def, picus_shape *shape) {
  shape->surface = picus_allocate(context, 1, sizeof *shape->surface);
  if (!shape->surface) return PICUS_ERROR_MEMORY;
  picus_status status = shape->planar ? build_polyline(context, def, shape) : build_mesh(context, def, shape);
  if (!status) add_vertex_normals(&shape->polytope, shape->surface);
  if (!status) status = find_planes(context, shape);
  if (!status) status = build_grid(context, &shape->polytope, shape->surface);
  return status;
}

void picus_surface_release(picus_context *context, picus_surface *s) {
  if (!s) return;
  picus_release(context, s->face_edges);
  picus_release(context, s->convex);
  picus_release(context, s->plane);
  picus_release(context, s->vertex_normal);
  picus_release(context, s->vertex_start);
  picus_release(context, s->vertex_edges);
  picus_release(context, s->cell_start);
  picus_release(context, s->cell_faces);
  picus_release(context, s);
}
