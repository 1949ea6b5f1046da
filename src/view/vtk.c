/* PolyData files of VTK, version 1.0: the head is XML, the arrays follow in binary form as zlib streams. The streams
 * are stored, not compressed (RFC 1951, block type 0), which needs no library. */
#include "view/vtk.h"
#include "base/internal.h"
#include "view/contacts.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { ROUND = 24, RINGS = 12 };

/* A growing array of bytes. */
typedef struct byte_list {
  unsigned char *bytes;
  size_t size, capacity;
} byte_list;

typedef struct vtk_mesh {
  picus_context *context;
  picus_status status;
  byte_list points;                     /* 3 doubles each */
  byte_list lines, line_ends;           /* 64-bit integers */
  byte_list areas, area_ends;           /* the same, of polygons */
  byte_list line_objects, area_objects; /* 32-bit integers, one for each cell */
  byte_list forces, modes, gaps;        /* of contacts */
  int64_t point_count, line_count, area_count;
} vtk_mesh;

static void append(vtk_mesh *m, byte_list *list, const void *bytes, size_t size) {
  if (m->status) return;
  if (size > list->capacity - list->size) {
    size_t capacity = 2 * list->capacity + size + 256;
    unsigned char *grown = picus_reallocate(m->context, list->bytes, capacity, 1);
    if (!grown) {
      m->status = PICUS_ERROR_MEMORY;
      return;
    }
    list->bytes = grown;
    list->capacity = capacity;
  }
  memcpy(list->bytes + list->size, bytes, size);
  list->size += size;
}

static int64_t add_point(vtk_mesh *m, const double p[3]) {
  double finite[3];
  for (int i = 0; i < 3; i++) finite[i] = isfinite(p[i]) ? p[i] : 0;
  append(m, &m->points, finite, sizeof finite);
  return m->point_count++;
}

/* A line or polygon through the last count points. */
static void add_cell(vtk_mesh *m, bool area, int64_t first, int count, int object) {
  byte_list *cells = area ? &m->areas : &m->lines, *ends = area ? &m->area_ends : &m->line_ends;
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
    add_cell(m, shape->kind == PICUS_DRAW_POLYGON, first, shape->count, object);
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

typedef struct array_entry {
  const char *type, *name;
  int components;
  const byte_list *list, *more; /* one after the other; more may be NULL */
} array_entry;

static uint32_t adler(uint32_t sum, const unsigned char *bytes, size_t size) {
  uint32_t a = sum & 0xffff, b = sum >> 16;
  for (size_t k = 0; k < size; k++) {
    a = (a + bytes[k]) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

enum { STORED = 65535, STREAM_EXTRA = 2 + 4 };

static size_t stored_size(size_t size) {
  size_t blocks = size ? (size + STORED - 1) / STORED : 1;
  return size + 5 * blocks + STREAM_EXTRA;
}

/* A zlib stream of stored blocks. */
static void put_stream(picus_json *file, const unsigned char *bytes, size_t size) {
  static const char head[2] = {0x78, 0x01};
  picus_json_add(file, head, sizeof head);
  size_t done = 0;
  do {
    const size_t block = size - done < STORED ? size - done : STORED;
    const unsigned length = (unsigned)block;
    const char lead[5] = {done + block == size ? 1 : 0, (char)(length & 255), (char)(length >> 8),
                          (char)(~length & 255), (char)(~length >> 8 & 255)};
    picus_json_add(file, lead, sizeof lead);
    if (block) picus_json_add(file, (const char *)bytes + done, block);
    done += block;
  } while (done < size);
  const uint32_t sum = adler(1, bytes, size);
  const char tail[4] = {(char)(sum >> 24), (char)(sum >> 16 & 255), (char)(sum >> 8 & 255), (char)(sum & 255)};
  picus_json_add(file, tail, sizeof tail);
}

/* Joins the parts of an array. */
static picus_status put_array(picus_context *context, picus_json *file, const array_entry *a) {
  const size_t size = a->list->size + (a->more ? a->more->size : 0);
  unsigned char *bytes = picus_allocate(context, size, 1);
  if (!bytes) return PICUS_ERROR_MEMORY;
  if (a->list->size) memcpy(bytes, a->list->bytes, a->list->size);
  if (a->more && a->more->size) memcpy(bytes + a->list->size, a->more->bytes, a->more->size);
  /* number of blocks, size of a block, size of the last one if it is shorter, sizes as stored */
  const uint64_t head[4] = {size ? 1 : 0, size, 0, stored_size(size)};
  picus_json_add(file, (const char *)head, (size ? 4 : 3) * sizeof *head);
  if (size) put_stream(file, bytes, size);
  picus_release(context, bytes);
  return file->status;
}

static void put_array_head(picus_json *file, const array_entry *a, size_t *offset) {
  const size_t size = a->list->size + (a->more ? a->more->size : 0);
  picus_json_format(
      file, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%zu\"/>\n",
      a->type, a->name, a->components, *offset);
  *offset += size ? 32 + stored_size(size) : 24;
}

/* count arrays in the order of the groups: points, lines (2), polygons (2), data of cells or points. */
static picus_status put_file(vtk_mesh *m, bool contacts, picus_json *file) {
  const byte_list *verts = &m->lines;
  const array_entry arrays[] = {
      {"Float64", "points", 3, &m->points, NULL},   {"Int64", "connectivity", 1, verts, NULL},
      {"Int64", "offsets", 1, &m->line_ends, NULL}, {"Int64", "connectivity", 1, &m->areas, NULL},
      {"Int64", "offsets", 1, &m->area_ends, NULL}, {"Int32", "shape", 1, &m->line_objects, &m->area_objects},
      {"Float64", "force", 3, &m->forces, NULL},    {"Int32", "mode", 1, &m->modes, NULL},
      {"Float64", "gap", 1, &m->gaps, NULL}};
  size_t offset = 0;
  picus_json_put(file,
                 "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
                 "header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n<PolyData>\n");
  picus_json_format(file,
                    "<Piece NumberOfPoints=\"%lld\" NumberOfVerts=\"%lld\" NumberOfLines=\"%lld\" NumberOfStrips=\"0\" "
                    "NumberOfPolys=\"%lld\">\n<Points>\n",
                    (long long)m->point_count, contacts ? (long long)m->line_count : 0,
                    contacts ? 0 : (long long)m->line_count, (long long)m->area_count);
  put_array_head(file, &arrays[0], &offset);
  picus_json_put(file, contacts ? "</Points>\n<Verts>\n" : "</Points>\n<Lines>\n");
  for (int k = 1; k < 3; k++) put_array_head(file, &arrays[k], &offset);
  picus_json_put(file, contacts ? "</Verts>\n<Polys>\n" : "</Lines>\n<Polys>\n");
  for (int k = 3; k < 5; k++) put_array_head(file, &arrays[k], &offset);
  picus_json_put(file, contacts ? "</Polys>\n<PointData>\n" : "</Polys>\n<CellData>\n");
  const int first = contacts ? 6 : 5, last = contacts ? 9 : 6;
  for (int k = first; k < last; k++) put_array_head(file, &arrays[k], &offset);
  picus_json_put(file, contacts ? "</PointData>\n" : "</CellData>\n");
  picus_json_put(file, "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_");
  picus_status status = m->status;
  for (int k = 0; !status && k < 5; k++) status = put_array(m->context, file, &arrays[k]);
  for (int k = first; !status && k < last; k++) status = put_array(m->context, file, &arrays[k]);
  picus_json_put(file, "\n</AppendedData>\n</VTKFile>\n");
  return status ? status : file->status;
}

static void release_mesh(vtk_mesh *m) {
  const byte_list lists[] = {m->points,       m->lines,        m->line_ends, m->areas, m->area_ends,
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
