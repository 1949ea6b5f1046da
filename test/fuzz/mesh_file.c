/* Fuzz target: any bytes as a mesh; the first byte tells the format. What is read must be usable: finite points, all
 * different, triangles of three points, as many as the file has. What is refused must be refused with a message. Meshes
 * and hulls of small files are built as shapes. */
#define _POSIX_C_SOURCE 200809L
#include "fuzz.h"

#include "shape/internal.h"

#include <ctype.h>
#include <math.h>
#include <picus/bodies.h>
#include <strings.h>

static void check(const picus_mesh *m) {
  fuzz_demand(m->point_count > 0 && m->triangle_count >= 0);
  for (int k = 0; k < 3 * m->point_count; k++) fuzz_demand(isfinite(m->points[k]));
  for (int f = 0; f < m->triangle_count; f++)
    for (int k = 0; k < 3; k++) {
      const int from = m->triangles[f][k], to = m->triangles[f][(k + 1) % 3];
      fuzz_demand(from >= 0 && from < m->point_count && from != to);
    }
}

/* Bytes of an STL file that is not text: no triangle of the file is left out silently. */
static void check_count(const picus_mesh *m, const uint8_t *bytes, size_t size) {
  size_t blank = 0;
  while (blank < size && isspace(bytes[blank])) blank++;
  const bool is_text = size - blank >= 5 && strncasecmp((const char *)bytes + blank, "solid", 5) == 0;
  if (!is_text && size >= 84) fuzz_demand((size_t)m->triangle_count + (size_t)m->dropped_count == (size - 84) / 50);
}

static void build(picus_context *context, const picus_mesh *m, picus_shape_kind kind, bool closed) {
  const picus_shape_def def = {.kind = kind,
                               .points = m->points,
                               .point_count = m->point_count,
                               .triangles = (const int(*)[3])m->triangles,
                               .triangle_count = m->triangle_count,
                               .closed = closed};
  picus_shape shape;
  if (fuzz_accepted(context, picus_shape_create(context, &def, &shape))) picus_shape_release(context, &shape);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  if (!size) return 0;
  picus_context *context = NULL;
  if (picus_context_create(NULL, &context)) return 0;
  picus_mesh mesh;
  if (fuzz_accepted(context,
                    picus_mesh_parse(context, bytes[0] & 1 ? "mesh.obj" : "mesh.stl", bytes + 1, size - 1, &mesh))) {
    check(&mesh);
    if (!(bytes[0] & 1)) check_count(&mesh, bytes + 1, size - 1);
    build(context, &mesh, PICUS_SHAPE_MESH, bytes[0] & 2);
    build(context, &mesh, PICUS_SHAPE_POLYHEDRON, false);
  }
  picus_mesh_release(context, &mesh);
  fuzz_end(context);
  return 0;
}
