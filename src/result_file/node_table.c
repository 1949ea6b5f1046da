#include "result_file/node_table.h"
#include "base/internal.h"
#include "hdf5/support.h"

#include <string.h>

enum { CHUNK_BYTES = 32768, MOST_CHUNK_ROWS = 1024, RANK = 3 };

const char *const picus_node_lists[PICUS_NODE_LISTS] = {"displacements", "velocities"};
const char *const picus_node_tails[PICUS_NODE_LISTS] = {"displacements_tail", "velocities_tail"};

static size_t rows_of_chunk(size_t width, double expected_rows) {
  size_t rows = CHUNK_BYTES / (width * sizeof(double));
  if (rows > MOST_CHUNK_ROWS) rows = MOST_CHUNK_ROWS;
  if (expected_rows >= 1 && expected_rows < (double)rows) rows = (size_t)expected_rows;
  return rows > 0 ? rows : 1;
}

static hid_t chunk_creation(const picus_hdf5_node_table *table) {
  return picus_hdf5_table_creation(RANK, (const hsize_t[RANK]){table->chunk_rows, table->nodes, table->components});
}

/* At one place from the start, of its full size. */
static hid_t tail_creation(void) {
  hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  if (creation >= 0 && H5Pset_layout(creation, H5D_CONTIGUOUS) >= 0 &&
      H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY) >= 0 && H5Pset_obj_track_times(creation, false) >= 0)
    return creation;
  if (creation >= 0) H5Pclose(creation);
  return -1;
}

static hid_t create_list(hid_t group, const picus_hdf5_node_table *table, const char *name, bool is_tail) {
  const hsize_t size[RANK] = {is_tail ? table->chunk_rows : 0, table->nodes, table->components};
  const hsize_t most[RANK] = {is_tail ? table->chunk_rows : H5S_UNLIMITED, table->nodes, table->components};
  hid_t space = H5Screate_simple(RANK, size, most), access = picus_hdf5_list_access();
  hid_t creation = is_tail ? tail_creation() : chunk_creation(table), list = -1;
  if (space >= 0 && access >= 0 && creation >= 0)
    list = H5Dcreate2(group, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, access);
  if (creation >= 0) H5Pclose(creation);
  if (access >= 0) H5Pclose(access);
  if (space >= 0) H5Sclose(space);
  return list;
}

static bool create_lists(hid_t group, picus_hdf5_node_table *table) {
  bool done = true;
  for (int k = 0; done && k < PICUS_NODE_LISTS; k++) {
    table->lists[k] = create_list(group, table, picus_node_lists[k], false);
    done = table->lists[k] >= 0;
    if (!done || table->chunk_rows == 1) continue;
    table->tails[k] = create_list(group, table, picus_node_tails[k], true);
    done = table->tails[k] >= 0;
  }
  return done;
}

static bool put_matrix(hid_t group, const char *name, hid_t type, const hsize_t size[2], const void *values) {
  const bool is_number = type == H5T_NATIVE_DOUBLE;
  hid_t space = H5Screate_simple(2, size, NULL), creation = H5Pcreate(H5P_DATASET_CREATE), list = -1;
  if (space >= 0 && creation >= 0 && H5Pset_obj_track_times(creation, false) >= 0)
    list =
        H5Dcreate2(group, name, is_number ? H5T_IEEE_F64LE : H5T_STD_I32LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  bool done = list >= 0 && H5Dwrite(list, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
  if (list >= 0 && H5Dclose(list) < 0) done = false;
  if (creation >= 0) H5Pclose(creation);
  if (space >= 0) H5Sclose(space);
  return done;
}

/* What does not change. */
static bool describe(picus_context *context, hid_t group, const picus_node_table *t) {
  const hsize_t positions[2] = {(hsize_t)t->node_count, 3}, elements[2] = {(hsize_t)t->element_count, 2};
  const size_t count = (size_t)t->component_count;
  return picus_hdf5_put_integer(group, "first", t->first) &&
         picus_hdf5_put_texts(context, group, "displacement_names", count, t->displacements) &&
         picus_hdf5_put_texts(context, group, "velocity_names", count, t->velocities) &&
         picus_hdf5_put_texts(context, group, "displacement_units", count, t->displacement_units) &&
         picus_hdf5_put_texts(context, group, "velocity_units", count, t->velocity_units) &&
         (!t->positions || put_matrix(group, "positions", H5T_NATIVE_DOUBLE, positions, t->positions)) &&
         (!t->elements || put_matrix(group, "elements", H5T_NATIVE_INT, elements, t->elements));
}

static bool create_table(picus_context *context, hid_t parent, const picus_node_table *t, double expected_rows,
                         picus_hdf5_node_table *table) {
  table->nodes = (hsize_t)t->node_count;
  table->components = (hsize_t)t->component_count;
  table->width = (size_t)t->node_count * (size_t)t->component_count;
  table->chunk_rows = rows_of_chunk(table->width, expected_rows);
  for (int k = 0; k < PICUS_NODE_LISTS; k++) {
    table->waiting[k] = picus_allocate(context, table->chunk_rows * table->width, sizeof(double));
    if (!table->waiting[k]) return false;
  }
  hid_t group = picus_hdf5_create_group(parent, t->name);
  bool done = group >= 0 && describe(context, group, t) && create_lists(group, table);
  if (group >= 0) H5Gclose(group);
  return done;
}

bool picus_hdf5_nodes_create(picus_context *context, hid_t file, const picus_system *system, double expected_rows,
                             picus_hdf5_nodes *out) {
  const int count = system ? picus_system_node_table_count(system) : 0;
  if (count == 0) return true;
  picus_hdf5_node_table *tables = picus_allocate(context, (size_t)count, sizeof *tables);
  if (!tables) return false;
  *out = (picus_hdf5_nodes){context, count, tables};
  for (int i = 0; i < count; i++)
    for (int k = 0; k < PICUS_NODE_LISTS; k++) tables[i].lists[k] = tables[i].tails[k] = -1;
  hid_t picus = H5Gopen2(file, "picus", H5P_DEFAULT);
  hid_t group = picus >= 0 ? picus_hdf5_create_group(picus, "nodes") : -1;
  bool done = group >= 0;
  for (int i = 0; done && i < count; i++) {
    const picus_node_table shown = picus_system_node_table(system, i);
    done = create_table(context, group, &shown, expected_rows, &tables[i]);
  }
  if (group >= 0) H5Gclose(group);
  if (picus >= 0) H5Gclose(picus);
  return done;
}

bool picus_hdf5_nodes_close(picus_hdf5_nodes *nodes) {
  bool done = true;
  for (int i = 0; i < nodes->count; i++)
    for (int k = 0; k < PICUS_NODE_LISTS; k++) {
      const picus_hdf5_node_table *table = &nodes->tables[i];
      if (table->lists[k] >= 0 && H5Dclose(table->lists[k]) < 0) done = false;
      if (table->tails[k] >= 0 && H5Dclose(table->tails[k]) < 0) done = false;
      picus_release(nodes->context, table->waiting[k]);
    }
  if (nodes->count > 0) picus_release(nodes->context, nodes->tables);
  *nodes = (picus_hdf5_nodes){0};
  return done;
}

/* count rows of values to the place `first` of a list. */
static bool write_rows(const picus_hdf5_node_table *table, hid_t list, hsize_t first, hsize_t count,
                       const double *values) {
  const hsize_t start[RANK] = {first, 0, 0}, size[RANK] = {count, table->nodes, table->components};
  hid_t memory = H5Screate_simple(RANK, size, NULL), target = H5Dget_space(list);
  bool done = memory >= 0 && target >= 0 && H5Sselect_hyperslab(target, H5S_SELECT_SET, start, NULL, size, NULL) >= 0 &&
              H5Dwrite(list, H5T_NATIVE_DOUBLE, memory, target, H5P_DEFAULT, values) >= 0;
  if (target >= 0) H5Sclose(target);
  if (memory >= 0) H5Sclose(memory);
  return done;
}

/* The rows that wait: a full chunk, or at the end of the run the rest. */
static bool write_chunk(picus_hdf5_node_table *table) {
  const hsize_t length[RANK] = {table->rows + table->waiting_count, table->nodes, table->components};
  bool done = true;
  if (table->waiting_count == 0) return true;
  for (int k = 0; done && k < PICUS_NODE_LISTS; k++)
    done = H5Dset_extent(table->lists[k], length) >= 0 &&
           write_rows(table, table->lists[k], table->rows, table->waiting_count, table->waiting[k]);
  table->rows += table->waiting_count;
  table->waiting_count = table->tail_count = 0;
  return done;
}

bool picus_hdf5_nodes_append(picus_hdf5_nodes *nodes, const picus_node_sample *sample) {
  if (sample->table >= nodes->count) return true;
  picus_hdf5_node_table *table = &nodes->tables[sample->table];
  const size_t at = table->waiting_count++ * table->width, size = table->width * sizeof(double);
  memcpy(table->waiting[0] + at, sample->displacements, size);
  memcpy(table->waiting[1] + at, sample->velocities, size);
  return table->waiting_count < table->chunk_rows || write_chunk(table);
}

bool picus_hdf5_nodes_write_tails(picus_hdf5_nodes *nodes) {
  bool done = true;
  for (int i = 0; done && i < nodes->count; i++) {
    picus_hdf5_node_table *table = &nodes->tables[i];
    const size_t first = table->tail_count, count = table->waiting_count - first;
    for (int k = 0; done && count > 0 && k < PICUS_NODE_LISTS; k++)
      done = write_rows(table, table->tails[k], first, count, table->waiting[k] + first * table->width);
    table->tail_count = table->waiting_count;
  }
  return done;
}

bool picus_hdf5_nodes_end(picus_hdf5_nodes *nodes) {
  bool done = true;
  for (int i = 0; done && i < nodes->count; i++) done = write_chunk(&nodes->tables[i]);
  return done;
}

static bool clear_tail(const picus_hdf5_node_table *table, int k) {
  if (table->tails[k] < 0) return true;
  memset(table->waiting[k], 0, table->chunk_rows * table->width * sizeof(double));
  return write_rows(table, table->tails[k], 0, table->chunk_rows, table->waiting[k]);
}

bool picus_hdf5_nodes_clear_tails(picus_hdf5_nodes *nodes) {
  bool done = true;
  for (int i = 0; i < nodes->count; i++)
    for (int k = 0; done && k < PICUS_NODE_LISTS; k++) done = clear_tail(&nodes->tables[i], k);
  return done;
}

double picus_hdf5_nodes_bytes(const picus_system *system) {
  double bytes = 0;
  for (int i = 0; system && i < picus_system_node_table_count(system); i++) {
    const picus_node_table t = picus_system_node_table(system, i);
    bytes += (double)PICUS_NODE_LISTS * sizeof(double) * (double)t.node_count * (double)t.component_count;
  }
  return bytes;
}
