/* Flexible components for ParaView: nodes and elements where they are at rest, with displacements and velocities. */
#include "base/internal.h"
#include "view/vtk.h"
#include "view/vtk_file.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

enum { VERTEX = 1, LINE = 3 }; /* kinds of cells in VTK */

typedef struct node_grid {
  picus_context *context;
  picus_status status;
  const picus_node_table *table;
  vtk_bytes points, connectivity, ends, kinds;
  vtk_bytes vectors[4]; /* displacement, rotation, velocity, angular velocity */
} node_grid;

static void append(node_grid *g, vtk_bytes *list, const void *bytes, size_t size) {
  if (!g->status) g->status = picus_vtk_append(g->context, list, bytes, size);
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
  append(g, &g->points, point, sizeof point);
  for (int k = 0; k < 4; k++) {
    double v[3];
    for (int i = 0; i < 3; i++)
      v[i] = component(g->table, k < 2 ? displacements : velocities,
                       k < 2 ? g->table->displacements : g->table->velocities, letters[k], i);
    append(g, &g->vectors[k], v, sizeof v);
  }
}

static void add_cell(node_grid *g, int count, const int *nodes) {
  const uint8_t kind = count == 2 ? LINE : VERTEX;
  for (int k = 0; k < count; k++) {
    const int64_t node = nodes[k];
    append(g, &g->connectivity, &node, sizeof node);
  }
  const int64_t end = (int64_t)(g->connectivity.size / sizeof(int64_t));
  append(g, &g->ends, &end, sizeof end);
  append(g, &g->kinds, &kind, sizeof kind);
}

/* Elements; the nodes themselves if they are unknown. */
static int64_t add_cells(node_grid *g) {
  const picus_node_table *t = g->table;
  const bool has_elements = t->elements && t->element_count > 0;
  for (int k = 0; has_elements && k < t->element_count; k++) add_cell(g, 2, &t->elements[2 * k]);
  for (int k = 0; !has_elements && k < t->node_count; k++) add_cell(g, 1, &k);
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
  return picus_vtk_write(&file, out);
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
