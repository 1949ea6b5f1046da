/* Cores with corners: vertices, edges and faces from the corners of a polygon or the faces of a polyhedron. */
#include "shape/polytope.h"
#include "base/internal.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

void picus_polytope_release(picus_context *context, polytope *p) {
  picus_release(context, p->vertices);
  picus_release(context, p->normals);
  picus_release(context, p->offsets);
  picus_release(context, p->edges);
  picus_release(context, p->faces);
  picus_release(context, p->loops);
  picus_release(context, p->directions);
  picus_release(context, p->star);
  picus_release(context, p->star_edges);
  *p = (polytope){0};
}

/* Arrays for the counts that p already has. */
static picus_status allocate(picus_context *context, polytope *p) {
  p->vertices = picus_allocate(context, (size_t)p->vertex_count, sizeof *p->vertices);
  p->normals = picus_allocate(context, (size_t)p->face_count, sizeof *p->normals);
  p->offsets = picus_allocate(context, (size_t)p->face_count, sizeof *p->offsets);
  p->edges = picus_allocate(context, (size_t)p->edge_count, sizeof *p->edges);
  p->faces = picus_allocate(context, (size_t)p->face_count, sizeof *p->faces);
  p->loops = picus_allocate(context, (size_t)p->loop_count, sizeof *p->loops);
  p->directions = picus_allocate(context, (size_t)p->edge_count, sizeof *p->directions);
  return p->vertices && p->normals && p->offsets && p->edges && p->faces && p->loops && p->directions
             ? PICUS_OK
             : PICUS_ERROR_MEMORY;
}

picus_status picus_polytope_half_space(picus_context *context, v3 normal, polytope *out) {
  *out = (polytope){.face_count = 1};
  picus_status status = allocate(context, out);
  if (!status) out->normals[0] = normal;
  return status;
}

picus_status picus_polytope_points(picus_context *context, const v3 *points, int count, polytope *out) {
  *out = (polytope){.vertex_count = count, .edge_count = count - 1};
  picus_status status = allocate(context, out);
  if (status) return status;
  memcpy(out->vertices, points, (size_t)count * sizeof *points);
  if (count == 2) {
    out->edges[0] = (polytope_edge){{0, 1}, {-1, -1}, 0, {0, 0, 0}};
    out->directions[0] = v3_unit(v3_sub(points[1], points[0]));
    out->direction_count = 1;
  }
  return PICUS_OK;
}

picus_status picus_polytope_polygon(picus_context *context, const v3 *corners, int count, polytope *out) {
  *out = (polytope){.vertex_count = count, .face_count = count, .loop_count = 2 * count};
  picus_status status = allocate(context, out);
  if (status) return status;
  memcpy(out->vertices, corners, (size_t)count * sizeof *corners);
  for (int i = 0; i < count; i++) {
    int next = (i + 1) % count;
    v3 along = v3_unit(v3_sub(corners[next], corners[i]));
    out->faces[i] = (polytope_face){2 * i, 2};
    out->loops[2 * i] = i;
    out->loops[2 * i + 1] = next;
    out->normals[i] = (v3){along.y, -along.x, 0};
    out->offsets[i] = v3_dot(out->normals[i], v3_middle(corners[i], corners[next]));
  }
  return PICUS_OK;
}

/* --- polyhedra ------------------------------------------------------------------------------------------------ */

/* The normal of a face by Newell's sum, from differences to one corner so that the place of the body does not matter.
 */
static void set_plane(polytope *p, int f) {
  const int *loop = p->loops + p->faces[f].first, count = p->faces[f].count;
  v3 origin = p->vertices[loop[0]], sum = {0, 0, 0}, middle = {0, 0, 0};
  for (int k = 1; k + 1 < count; k++)
    sum = v3_add(sum, v3_cross(v3_sub(p->vertices[loop[k]], origin), v3_sub(p->vertices[loop[k + 1]], origin)));
  for (int k = 0; k < count; k++) middle = v3_along(middle, 1.0 / count, v3_sub(p->vertices[loop[k]], origin));
  p->normals[f] = v3_unit(sum);
  p->offsets[f] = v3_dot(p->normals[f], v3_add(origin, middle));
}

/* Pairs of edges of polytopes with more edges than this are not compared one by one: parallel ones need not be found.
 */
enum { MOST_COMPARED = 256 };

static int direction_of(polytope *p, v3 unit) {
  for (int k = 0; k < p->direction_count && p->edge_count <= MOST_COMPARED; k++)
    if (v3_square(v3_cross(p->directions[k], unit)) < DBL_EPSILON * DBL_EPSILON) return k;
  p->directions[p->direction_count] = unit;
  return p->direction_count++;
}

/* A side of a face, from the corner of smaller number. */
typedef struct side {
  int low, high, at; /* at: its place in loops */
} side;

static int by_corners(const void *left, const void *right) {
  const side *a = left, *b = right;
  if (a->low != b->low) return a->low < b->low ? -1 : 1;
  if (a->high != b->high) return a->high < b->high ? -1 : 1;
  return a->at < b->at ? -1 : a->at > b->at;
}

/* For each place in loops, the place of the same side in another face; -1: none. */
static picus_status find_twins(picus_context *context, const polytope *p, int *twin) {
  side *sides = picus_allocate(context, (size_t)p->loop_count, sizeof *sides);
  if (!sides) return PICUS_ERROR_MEMORY;
  for (int f = 0; f < p->face_count; f++)
    for (int k = 0; k < p->faces[f].count; k++) {
      const int *loop = p->loops + p->faces[f].first, from = loop[k], to = loop[(k + 1) % p->faces[f].count];
      const int at = p->faces[f].first + k;
      twin[at] = -1;
      sides[at] = (side){from < to ? from : to, from < to ? to : from, at};
    }
  qsort(sides, (size_t)p->loop_count, sizeof *sides, by_corners);
  for (int k = 0; k + 1 < p->loop_count; k++) {
    if (sides[k].low != sides[k + 1].low || sides[k].high != sides[k + 1].high) continue;
    twin[sides[k].at] = sides[k + 1].at;
    twin[sides[k + 1].at] = sides[k].at;
    k++;
  }
  picus_release(context, sides);
  return PICUS_OK;
}

/* Each edge belongs to two faces. Edges are numbered in the order of the faces. */
static picus_status add_edges(picus_context *context, polytope *p) {
  const int expected = p->edge_count;
  int *twin = picus_allocate(context, (size_t)p->loop_count, sizeof *twin);
  int *face = picus_allocate(context, (size_t)p->loop_count, sizeof *face);
  picus_status status = twin && face ? find_twins(context, p, twin) : PICUS_ERROR_MEMORY;
  for (int f = 0; f < p->face_count && !status; f++)
    for (int k = 0; k < p->faces[f].count; k++) face[p->faces[f].first + k] = f;
  p->edge_count = 0;
  for (int f = 0; f < p->face_count && !status; f++)
    for (int k = 0; k < p->faces[f].count; k++) {
      const int *loop = p->loops + p->faces[f].first, at = p->faces[f].first + k;
      if ((twin[at] >= 0 && twin[at] < at) || p->edge_count == expected) continue;
      const int other = twin[at] >= 0 ? face[twin[at]] : -1;
      p->edges[p->edge_count++] =
          (polytope_edge){{loop[k], loop[(k + 1) % p->faces[f].count]}, {f, other}, 0, {0, 0, 0}};
    }
  for (int k = 0; k < p->edge_count && !status; k++) {
    polytope_edge *edge = &p->edges[k];
    v3 along = v3_sub(p->vertices[edge->vertex[1]], p->vertices[edge->vertex[0]]);
    edge->direction = direction_of(p, v3_unit(along));
    edge->outward = v3_unit(v3_add(p->normals[edge->face[0]], p->normals[edge->face[1] < 0 ? 0 : edge->face[1]]));
  }
  picus_release(context, twin);
  picus_release(context, face);
  return status;
}

static picus_status add_star(picus_context *context, polytope *p) {
  p->star = picus_allocate(context, (size_t)p->vertex_count + 1, sizeof *p->star);
  p->star_edges = picus_allocate(context, 2 * (size_t)p->edge_count, sizeof *p->star_edges);
  if (!p->star || !p->star_edges) return PICUS_ERROR_MEMORY;
  for (int k = 0; k < p->edge_count; k++)
    for (int e = 0; e < 2; e++) p->star[p->edges[k].vertex[e] + 1]++;
  for (int k = 0; k < p->vertex_count; k++) p->star[k + 1] += p->star[k];
  for (int k = 0; k < p->edge_count; k++)
    for (int e = 0; e < 2; e++) p->star_edges[p->star[p->edges[k].vertex[e]]++] = k;
  for (int k = p->vertex_count; k > 0; k--) p->star[k] = p->star[k - 1];
  p->star[0] = 0;
  return PICUS_OK;
}

int picus_polytope_highest(const polytope *p, v3 direction, int from) {
  double value = v3_dot(direction, p->vertices[from]);
  for (int best = from;; from = best) {
    for (int k = p->star[from]; k < p->star[from + 1]; k++) {
      const polytope_edge *e = &p->edges[p->star_edges[k]];
      const int other = e->vertex[e->vertex[0] == from];
      const double here = v3_dot(direction, p->vertices[other]);
      if (here <= value) continue;
      value = here;
      best = other;
    }
    if (best == from) return best;
  }
}

picus_status picus_polytope_faces(picus_context *context, const face_list *list, polytope *out) {
  *out = (polytope){.vertex_count = list->vertex_count, .face_count = list->face_count};
  for (int f = 0; f < list->face_count; f++) out->loop_count += list->sides[f];
  out->edge_count = out->loop_count / 2;
  picus_status status = allocate(context, out);
  if (status) return status;
  memcpy(out->vertices, list->vertices, (size_t)list->vertex_count * sizeof *list->vertices);
  memcpy(out->loops, list->loops, (size_t)out->loop_count * sizeof *list->loops);
  for (int f = 0, first = 0; f < list->face_count; first += list->sides[f++]) {
    out->faces[f] = (polytope_face){first, list->sides[f]};
    set_plane(out, f);
  }
  status = add_edges(context, out);
  return status ? status : add_star(context, out);
}

picus_status picus_polytope_box(picus_context *context, v3 half, polytope *out) {
  static const int loops[24] = {0, 2, 6, 4, 1, 5, 7, 3, 0, 4, 5, 1, 2, 3, 7, 6, 0, 1, 3, 2, 4, 6, 7, 5};
  static const int sides[6] = {4, 4, 4, 4, 4, 4};
  v3 corners[8]; /* number 4 [x > 0] + 2 [y > 0] + [z > 0] */
  for (int k = 0; k < 8; k++)
    corners[k] = (v3){k & 4 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 1 ? half.z : -half.z};
  const face_list list = {corners, 8, sides, loops, 6};
  return picus_polytope_faces(context, &list, out);
}
