/* Shapes and contacts as PolyData files of VTK. */
#include "view/vtk.h"
#include "base/internal.h"
#include "view/drawn_contacts.h"
#include "view/vtk_file.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { ROUND = 24, RINGS = 12 };

typedef struct vtk_mesh {
  picus_context *context;
  picus_status status;
  vtk_bytes points;                     /* 3 doubles each */
  vtk_bytes lines, line_ends;           /* 64-bit integers */
  vtk_bytes areas, area_ends;           /* the same, of polygons */
  vtk_bytes line_objects, area_objects; /* 32-bit integers, one for each cell */
  vtk_bytes forces, modes, gaps;        /* of contacts */
  int64_t point_count, line_count, area_count;
} vtk_mesh;

static void append(vtk_mesh *m, vtk_bytes *list, const void *bytes, size_t size) {
  if (!m->status) m->status = picus_vtk_append(m->context, list, bytes, size);
}

static int64_t add_point(vtk_mesh *m, const double p[3]) {
  double finite[3];
  for (int i = 0; i < 3; i++) finite[i] = isfinite(p[i]) ? p[i] : 0;
  append(m, &m->points, finite, sizeof finite);
  return m->point_count++;
}

/* A line or polygon through the last count points. */
static void add_cell(vtk_mesh *m, bool area, int64_t first, int count, int object) {
  vtk_bytes *cells = area ? &m->areas : &m->lines, *ends = area ? &m->area_ends : &m->line_ends;
  for (int64_t k = first; k < first + count; k++) append(m, cells, &k, sizeof k);
  const int64_t end = (int64_t)(cells->size / sizeof(int64_t));
  const int32_t number = object;
  append(m, ends, &end, sizeof end);
  append(m, area ? &m->area_objects : &m->line_objects, &number, sizeof number);
  if (area)
    m->area_count++;
  else
    m->line_count++;
}

static void add_triangle(vtk_mesh *m, const int64_t corner[3], int object) {
  const int32_t number = object;
  append(m, &m->areas, corner, 3 * sizeof *corner);
  const int64_t end = (int64_t)(m->areas.size / sizeof(int64_t));
  append(m, &m->area_ends, &end, sizeof end);
  append(m, &m->area_objects, &number, sizeof number);
  m->area_count++;
}

/* A point of the frame of a shape in the inertial frame. */
static void turn(const picus_scene *s, int frame, const double local[3], double p[3]) {
  const picus_draw_frame *f = &s->drawing->frames[frame];
  for (int i = 0; i < 3; i++) {
    p[i] = frame == 0 ? local[i] : picus_scene_value(s, f->position[i]);
    for (int j = 0; frame > 0 && j < 3; j++) p[i] += picus_scene_value(s, f->rotation[3 * i + j]) * local[j];
  }
}

static void local_point(const picus_scene *s, const picus_draw_shape *shape, int i, double p[3]) {
  for (int k = 0; k < 3; k++) p[k] = picus_scene_value(s, s->drawing->points[shape->first_point + i][k]);
}

static void add_circle(vtk_mesh *m, const picus_scene *s, const picus_draw_shape *shape, int object) {
  const double radius = picus_scene_value(s, shape->radius);
  const int64_t first = m->point_count;
  for (int k = 0; k < 2 * ROUND; k++) {
    double local[3], p[3];
    local_point(s, shape, 0, local);
    local[0] += radius * cos(3.14159265358979323846 * k / ROUND);
    local[1] += radius * sin(3.14159265358979323846 * k / ROUND);
    turn(s, shape->frame, local, p);
    add_point(m, p);
  }
  add_cell(m, true, first, 2 * ROUND, object);
}

/* Rings of quadrilaterals: a sphere, or a cylinder from a to b. */
static void add_rings(vtk_mesh *m, int64_t first, int rings, int object) {
  for (int i = 0; i + 1 < rings; i++)
    for (int k = 0; k < ROUND; k++) {
      const int64_t a = first + (int64_t)i * ROUND + k, b = first + (int64_t)i * ROUND + (k + 1) % ROUND;
      const int64_t lower[3] = {a, b, b + ROUND}, upper[3] = {a, b + ROUND, a + ROUND};
      add_triangle(m, lower, object);
      add_triangle(m, upper, object);
    }
}

static void add_sphere(vtk_mesh *m, const picus_scene *s, const picus_draw_shape *shape, int object) {
  const double radius = picus_scene_value(s, shape->radius), pi = 3.14159265358979323846;
  const int64_t first = m->point_count;
  for (int i = 0; i <= RINGS; i++)
    for (int k = 0; k < ROUND; k++) {
      double local[3], p[3];
      local_point(s, shape, 0, local);
      local[0] += radius * sin(pi * i / RINGS) * cos(2 * pi * k / ROUND);
      local[1] += radius * sin(pi * i / RINGS) * sin(2 * pi * k / ROUND);
      local[2] += radius * cos(pi * i / RINGS);
      turn(s, shape->frame, local, p);
      add_point(m, p);
    }
  add_rings(m, first, RINGS + 1, object);
}

static void add_cylinder(vtk_mesh *m, const picus_scene *s, const picus_draw_shape *shape, int object) {
  const double radius = picus_scene_value(s, shape->radius);
  double a[3], b[3];
  local_point(s, shape, 0, a);
  local_point(s, shape, 1, b);
  double e[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
  const double length = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
  for (int i = 0; i < 3; i++) e[i] = length > 0 ? e[i] / length : i == 2;
  const int axis = fabs(e[2]) < 0.9 ? 2 : 0;
  double n[3] = {axis == 2 ? -e[1] : 0, axis == 2 ? e[0] : -e[2], axis == 2 ? 0 : e[1]}; /* axis x e */
  const double size = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  for (int i = 0; i < 3; i++) n[i] /= size;
  const double o[3] = {e[1] * n[2] - e[2] * n[1], e[2] * n[0] - e[0] * n[2], e[0] * n[1] - e[1] * n[0]};
  const int64_t first = m->point_count;
  for (int end = 0; end < 2; end++)
    for (int k = 0; k < ROUND; k++) {
      const double angle = 2 * 3.14159265358979323846 * k / ROUND;
      double local[3], p[3];
      for (int i = 0; i < 3; i++) local[i] = (end ? b[i] : a[i]) + radius * (cos(angle) * n[i] + sin(angle) * o[i]);
      turn(s, shape->frame, local, p);
      add_point(m, p);
    }
  add_rings(m, first, 2, object);
  for (int end = 0; end < 2; end++) add_cell(m, true, first + (int64_t)end * ROUND, ROUND, object);
}

static void add_box(vtk_mesh *m, const picus_scene *s, const picus_draw_shape *shape, int object) {
  static const int faces[6][4] = {{0, 1, 3, 2}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 3, 7, 5}};
  double a[3], b[3];
  local_point(s, shape, 0, a);
  local_point(s, shape, 1, b);
  for (int k = 0; k < 6; k++) {
    const int64_t first = m->point_count;
    for (int i = 0; i < 4; i++) {
      const int corner = faces[k][i];
      const double local[3] = {corner & 4 ? b[0] : a[0], corner & 2 ? b[1] : a[1], corner & 1 ? b[2] : a[2]};
      double p[3];
      turn(s, shape->frame, local, p);
      add_point(m, p);
    }
    add_cell(m, true, first, 4, object);
  }
}

static void add_plain(vtk_mesh *m, const picus_scene *s, const picus_draw_shape *shape, int object) {
  const int64_t first = m->point_count;
  for (int i = 0; i < shape->count; i++) {
    double p[3];
    picus_scene_point(s, shape->frame, s->drawing->points[shape->first_point + i], p);
    add_point(m, p);
  }
  if (shape->kind != PICUS_DRAW_MESH) {
    const bool floor = shape->kind == PICUS_DRAW_GROUND && shape->count > 2 && shape->fill[0];
    add_cell(m, shape->kind == PICUS_DRAW_POLYGON || floor, first, shape->count, object);
    return;
  }
  for (int k = 0; k < shape->face_count; k++) {
    int64_t corner[3];
    for (int i = 0; i < 3; i++) corner[i] = first + s->drawing->faces[shape->first_face + k][i];
    add_triangle(m, corner, object);
  }
}

static void add_shape(vtk_mesh *m, const picus_scene *s, int index) {
  const picus_draw_shape *shape = &s->drawing->shapes[index];
  switch (shape->kind) {
  case PICUS_DRAW_TEXT:
    break;
  case PICUS_DRAW_CIRCLE:
    add_circle(m, s, shape, index);
    break;
  case PICUS_DRAW_SPHERE:
    add_sphere(m, s, shape, index);
    break;
  case PICUS_DRAW_CYLINDER:
    add_cylinder(m, s, shape, index);
    break;
  case PICUS_DRAW_BOX:
    add_box(m, s, shape, index);
    break;
  default:
    add_plain(m, s, shape, index);
  }
}

/* ---- the file */

/* Shapes have lines and a number for each cell, contacts have vertices and values for each point. */
static picus_status put_file(vtk_mesh *m, bool contacts, picus_json *out) {
  char sizes[200];
  vtk_array arrays[8] = {{.type = "Float64", .name = "points", .components = 3, .list = &m->points},
                         {.type = "Int64", .name = "connectivity", .components = 1, .list = &m->lines},
                         {.type = "Int64", .name = "offsets", .components = 1, .list = &m->line_ends},
                         {.type = "Int64", .name = "connectivity", .components = 1, .list = &m->areas},
                         {.type = "Int64", .name = "offsets", .components = 1, .list = &m->area_ends}};
  const vtk_array of_contacts[] = {{.type = "Float64", .name = "force", .components = 3, .list = &m->forces},
                                   {.type = "Int32", .name = "mode", .components = 1, .list = &m->modes},
                                   {.type = "Float64", .name = "gap", .components = 1, .list = &m->gaps}};
  const vtk_array of_shapes = {
      .type = "Int32", .name = "shape", .components = 1, .list = &m->line_objects, .more = &m->area_objects};
  const vtk_section sections[] = {{"Points", 1},
                                  {contacts ? "Verts" : "Lines", 2},
                                  {"Polys", 2},
                                  {contacts ? "PointData" : "CellData", contacts ? 3 : 1}};
  if (contacts)
    memcpy(arrays + 5, of_contacts, sizeof of_contacts);
  else
    arrays[5] = of_shapes;
  snprintf(sizes, sizeof sizes,
           "NumberOfPoints=\"%lld\" NumberOfVerts=\"%lld\" NumberOfLines=\"%lld\" NumberOfStrips=\"0\" "
           "NumberOfPolys=\"%lld\"",
           (long long)m->point_count, contacts ? (long long)m->line_count : 0, contacts ? 0 : (long long)m->line_count,
           (long long)m->area_count);
  vtk_file file = {m->context, "PolyData", sizes, sections, sizeof sections / sizeof *sections, arrays};
  return m->status ? m->status : picus_vtk_write(&file, out);
}

static void release_mesh(vtk_mesh *m) {
  const vtk_bytes lists[] = {m->points,       m->lines,        m->line_ends, m->areas, m->area_ends,
                             m->line_objects, m->area_objects, m->forces,    m->modes, m->gaps};
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) picus_release(m->context, lists[k].bytes);
}

picus_status picus_vtk_shapes(picus_scene *scene, long row, picus_json *file) {
  vtk_mesh m = {.context = scene->context};
  picus_scene_evaluate(scene, row);
  for (int k = 0; k < scene->drawing->shape_count; k++) add_shape(&m, scene, k);
  picus_status status = m.status ? m.status : put_file(&m, false, file);
  release_mesh(&m);
  return status;
}

/* ---- contacts */

static void add_contact(vtk_mesh *m, const picus_scene_contact *contact) {
  const int32_t mode = (int32_t)contact->mode;
  const int64_t point = add_point(m, contact->place);
  add_cell(m, false, point, 1, 0);
  append(m, &m->forces, contact->force, sizeof contact->force);
  append(m, &m->modes, &mode, sizeof mode);
  append(m, &m->gaps, &contact->gap, sizeof contact->gap);
}

/* A contact of a table whose place is not known cannot be drawn. */
static bool has_place(const picus_scene_contact *contact) {
  return isfinite(contact->place[0]) && isfinite(contact->place[1]) && isfinite(contact->place[2]);
}

picus_status picus_vtk_contacts(picus_scene *scene, long row, picus_json *file) {
  vtk_mesh m = {.context = scene->context};
  picus_contact_list list = {0};
  picus_status status = picus_scene_contacts(scene, row, &list);
  for (size_t k = 0; !status && k < list.count; k++)
    if (k < (size_t)scene->drawing->site_count || has_place(&list.contacts[k])) add_contact(&m, &list.contacts[k]);
  if (!status) status = m.status ? m.status : put_file(&m, true, file);
  picus_contact_list_release(scene->context, &list);
  release_mesh(&m);
  return status;
}
