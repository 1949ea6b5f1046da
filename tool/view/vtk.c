/* A result for ParaView: shapes and contacts as PolyData files of VTK, flexible components as grids. */
#include "view/vtk.h"
#include "base/internal.h"
#include "view/json.h"
#include "view/scene.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

/* --- files -------------------------------------------------------------------------------------------------------- */

/* Files of VTK, version 1.0: the head is XML, the arrays follow in binary form, each compressed by zlib. */

/* A growing array of bytes. */
typedef struct vtk_bytes {
  unsigned char *bytes;
  size_t size, capacity;
} vtk_bytes;
typedef struct vtk_array {
  const char *type, *name;
  int components;
  const vtk_bytes *list, *more; /* one after the other; more may be NULL */
  vtk_bytes packed;             /* as in the file */
  size_t offset;
} vtk_array;
/* Consecutive arrays in an element of the piece. */
typedef struct vtk_section {
  const char *element;
  int count;
} vtk_section;
typedef struct vtk_file {
  picus_context *context;
  const char *type;  /* PolyData or UnstructuredGrid */
  const char *sizes; /* attributes of the piece */
  const vtk_section *sections;
  int section_count;
  vtk_array *arrays;
} vtk_file;

static picus_status vtk_append(picus_context *context, vtk_bytes *list, const void *bytes, size_t size) {
  if (size > list->capacity - list->size) {
    const size_t capacity = 2 * list->capacity + size + 256;
    unsigned char *grown = picus_reallocate(context, list->bytes, capacity, 1);
    if (!grown) return PICUS_ERROR_MEMORY;
    list->bytes = grown;
    list->capacity = capacity;
  }
  if (size) memcpy(list->bytes + list->size, bytes, size);
  list->size += size;
  return PICUS_OK;
}

/* Compresses one block behind the head of the packed array. */
static picus_status compress_block(picus_context *context, vtk_array *a, const unsigned char *bytes, size_t size) {
  uLongf packed = compressBound((uLong)size);
  unsigned char *stream = picus_allocate(context, packed, 1);
  if (!stream) return PICUS_ERROR_MEMORY;
  picus_status status = compress2(stream, &packed, bytes, (uLong)size, Z_DEFAULT_COMPRESSION) == Z_OK
                            ? PICUS_OK
                            : picus_fail(context, PICUS_ERROR_MEMORY, "out of memory for the array '%s'", a->name);
  /* number of blocks, size of a block, size of the last one if it is shorter, sizes when compressed */
  const uint64_t head[4] = {1, size, 0, packed};
  if (!status) status = vtk_append(context, &a->packed, head, sizeof head);
  if (!status) status = vtk_append(context, &a->packed, stream, packed);
  picus_release(context, stream);
  return status;
}

static picus_status pack(picus_context *context, vtk_array *a) {
  static const uint64_t empty[3] = {0};
  vtk_bytes all = {0};
  picus_status status = vtk_append(context, &all, a->list->bytes, a->list->size);
  if (!status && a->more) status = vtk_append(context, &all, a->more->bytes, a->more->size);
  if (!status && all.size == 0) status = vtk_append(context, &a->packed, empty, sizeof empty);
  if (!status && all.size > 0) status = compress_block(context, a, all.bytes, all.size);
  picus_release(context, all.bytes);
  return status;
}

static void put_array_head(picus_json *out, const vtk_array *a) {
  picus_json_format(
      out, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%zu\"/>\n",
      a->type, a->name, a->components, a->offset);
}

static void put_file(const vtk_file *file, int count, picus_json *out) {
  picus_json_format(out,
                    "<?xml version=\"1.0\"?>\n<VTKFile type=\"%s\" version=\"1.0\" byte_order=\"LittleEndian\" "
                    "header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n<%s>\n<Piece %s>\n",
                    file->type, file->type, file->sizes);
  const vtk_array *a = file->arrays;
  for (int k = 0; k < file->section_count; k++) {
    picus_json_format(out, "<%s>\n", file->sections[k].element);
    for (int i = 0; i < file->sections[k].count; i++) put_array_head(out, a++);
    picus_json_format(out, "</%s>\n", file->sections[k].element);
  }
  picus_json_format(out, "</Piece>\n</%s>\n<AppendedData encoding=\"raw\">\n_", file->type);
  for (int k = 0; k < count; k++)
    picus_json_add(out, (const char *)file->arrays[k].packed.bytes, file->arrays[k].packed.size);
  picus_json_put(out, "\n</AppendedData>\n</VTKFile>\n");
}

/* Compresses the arrays and writes everything. */
static picus_status vtk_write(vtk_file *file, picus_json *out) {
  int count = 0;
  size_t offset = 0;
  picus_status status = PICUS_OK;
  for (int k = 0; k < file->section_count; k++) count += file->sections[k].count;
  for (int k = 0; !status && k < count; k++) {
    status = pack(file->context, &file->arrays[k]);
    file->arrays[k].offset = offset;
    offset += file->arrays[k].packed.size;
  }
  if (!status) put_file(file, count, out);
  for (int k = 0; k < count; k++) picus_release(file->context, file->arrays[k].packed.bytes);
  return status ? status : out->status;
}

/* --- shapes and contacts ------------------------------------------------------------------------------------------ */

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
  if (!m->status) m->status = vtk_append(m->context, list, bytes, size);
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
static picus_status put_mesh(vtk_mesh *m, bool contacts, picus_json *out) {
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
  return m->status ? m->status : vtk_write(&file, out);
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
  picus_status status = m.status ? m.status : put_mesh(&m, false, file);
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
  if (!status) status = m.status ? m.status : put_mesh(&m, true, file);
  picus_contact_list_release(scene->context, &list);
  release_mesh(&m);
  return status;
}

/* --- flexible components ------------------------------------------------------------------------------------------ */

/* Nodes and elements where they are at rest, with displacements and velocities. */

enum { VERTEX = 1, LINE = 3 }; /* kinds of cells in VTK */

typedef struct node_grid {
  picus_context *context;
  picus_status status;
  const picus_node_table *table;
  vtk_bytes points, connectivity, ends, kinds;
  vtk_bytes vectors[4]; /* displacement, rotation, velocity, angular velocity */
} node_grid;

static void append_to_grid(node_grid *g, vtk_bytes *list, const void *bytes, size_t size) {
  if (!g->status) g->status = vtk_append(g->context, list, bytes, size);
}

/* The component of a vector along an axis: "ux" of displacements ('u'), "rz" of rotations ('r'), ...; 0: the table has
 * none. A component without axes is along x. */
static double component(const picus_node_table *t, const double *values, const char *const *names, char letter,
                        int axis) {
  for (int k = 0; k < t->component_count; k++) {
    const char *name = names[k];
    if (name[0] != letter) continue;
    const int found = name[1] ? name[1] - 'x' : 0;
    if (found == axis) return isfinite(values[k]) ? values[k] : 0;
  }
  return 0;
}

static void add_node(node_grid *g, int node, const double *displacements, const double *velocities) {
  static const char letters[4] = {'u', 'r', 'v', 'w'};
  double point[3];
  for (int i = 0; i < 3; i++) {
    const double x = g->table->positions[3 * node + i];
    point[i] = isfinite(x) ? x : 0;
  }
  append_to_grid(g, &g->points, point, sizeof point);
  for (int k = 0; k < 4; k++) {
    double v[3];
    for (int i = 0; i < 3; i++)
      v[i] = component(g->table, k < 2 ? displacements : velocities,
                       k < 2 ? g->table->displacements : g->table->velocities, letters[k], i);
    append_to_grid(g, &g->vectors[k], v, sizeof v);
  }
}

static void add_node_cell(node_grid *g, int count, const int *nodes) {
  const uint8_t kind = count == 2 ? LINE : VERTEX;
  for (int k = 0; k < count; k++) {
    const int64_t node = nodes[k];
    append_to_grid(g, &g->connectivity, &node, sizeof node);
  }
  const int64_t end = (int64_t)(g->connectivity.size / sizeof(int64_t));
  append_to_grid(g, &g->ends, &end, sizeof end);
  append_to_grid(g, &g->kinds, &kind, sizeof kind);
}

/* Elements; the nodes themselves if they are unknown. */
static int64_t add_cells(node_grid *g) {
  const picus_node_table *t = g->table;
  const bool has_elements = t->elements && t->element_count > 0;
  for (int k = 0; has_elements && k < t->element_count; k++) add_node_cell(g, 2, &t->elements[2 * k]);
  for (int k = 0; !has_elements && k < t->node_count; k++) add_node_cell(g, 1, &k);
  return has_elements ? t->element_count : t->node_count;
}

static picus_status put_grid(node_grid *g, int64_t cells, picus_json *out) {
  char sizes[100];
  vtk_array arrays[] = {{.type = "Float64", .name = "points", .components = 3, .list = &g->points},
                        {.type = "Int64", .name = "connectivity", .components = 1, .list = &g->connectivity},
                        {.type = "Int64", .name = "offsets", .components = 1, .list = &g->ends},
                        {.type = "UInt8", .name = "types", .components = 1, .list = &g->kinds},
                        {.type = "Float64", .name = "displacement", .components = 3, .list = &g->vectors[0]},
                        {.type = "Float64", .name = "rotation", .components = 3, .list = &g->vectors[1]},
                        {.type = "Float64", .name = "velocity", .components = 3, .list = &g->vectors[2]},
                        {.type = "Float64", .name = "angular velocity", .components = 3, .list = &g->vectors[3]}};
  static const vtk_section sections[] = {{"Points", 1}, {"Cells", 3}, {"PointData", 4}};
  snprintf(sizes, sizeof sizes, "NumberOfPoints=\"%d\" NumberOfCells=\"%lld\"", g->table->node_count, (long long)cells);
  vtk_file file = {g->context, "UnstructuredGrid", sizes, sections, sizeof sections / sizeof *sections, arrays};
  return vtk_write(&file, out);
}

picus_status picus_vtk_nodes(picus_context *context, picus_result *result, int table, long row, picus_json *file) {
  const picus_node_table t = picus_result_node_table_at(result, table);
  const size_t values = (size_t)t.node_count * (size_t)t.component_count;
  double *read[2] = {picus_allocate(context, values, sizeof(double)), picus_allocate(context, values, sizeof(double))};
  node_grid g = {.context = context, .table = &t};
  g.status = read[0] && read[1] ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (!g.status) g.status = picus_result_node_table_read(result, table, row, 1, read);
  for (int k = 0; !g.status && k < t.node_count; k++) {
    const size_t at = (size_t)k * (size_t)t.component_count;
    add_node(&g, k, read[0] + at, read[1] + at);
  }
  const int64_t cells = g.status ? 0 : add_cells(&g);
  picus_status status = g.status ? g.status : put_grid(&g, cells, file);
  const vtk_bytes lists[] = {g.points,     g.connectivity, g.ends,       g.kinds,
                             g.vectors[0], g.vectors[1],   g.vectors[2], g.vectors[3]};
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) picus_release(context, lists[k].bytes);
  picus_release(context, read[0]);
  picus_release(context, read[1]);
  return status;
}
