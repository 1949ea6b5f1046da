/* The tables of nodes in a result file, written and read back; node_table.h describes their layout. */
#include "table/node_table.h"
#include "base/internal.h"
#include "hdf5/read.h"
#include "hdf5/support.h"
#include "system/node_tables.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* --- writing ------------------------------------------------------------------------------------------------------ */

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

/* --- reading ------------------------------------------------------------------------------------------------------ */

/* The file may be damaged: every length and index is checked. */

enum { MOST_NODES = INT_MAX / (8 * PICUS_NODE_COMPONENTS) };

static picus_status damaged(picus_context *context, const char *path, const char *name) {
  return picus_fail(context, PICUS_ERROR_IO, "the table of the nodes of '%s' in '%s' is damaged", name, path);
}

static hid_t open_list(hid_t group, const char *name) {
  hid_t list = picus_hdf5_open(group, name);
  if (list < 0 || H5Iget_type(list) == H5I_DATASET) return list;
  H5Oclose(list);
  return -1;
}

/* Its rows, if it has the shape of the table; -1: it has not, or is not there. */
static int64_t list_rows(hid_t group, const char *name, const picus_node_table *t) {
  const hsize_t size[RANK - 1] = {(hsize_t)t->node_count, (hsize_t)t->component_count};
  hid_t list = open_list(group, name);
  const int64_t rows = list >= 0 ? picus_hdf5_table_length(list, RANK, size) : -1;
  if (list >= 0) H5Oclose(list);
  return rows;
}

/* Nodes and components, from the shape of the displacements. */
static bool read_shape(hid_t group, picus_node_table *t) {
  hsize_t size[RANK] = {0, 0, 0};
  hid_t list = open_list(group, picus_node_lists[0]), space = list >= 0 ? H5Dget_space(list) : -1;
  bool found = space >= 0 && H5Sget_simple_extent_ndims(space) == RANK &&
               H5Sget_simple_extent_dims(space, size, NULL) == RANK && size[1] >= 1 && size[1] <= MOST_NODES &&
               size[2] >= 1 && size[2] <= PICUS_NODE_COMPONENTS;
  if (space >= 0) H5Sclose(space);
  if (list >= 0) H5Oclose(list);
  t->node_count = found ? (int)size[1] : 0;
  t->component_count = found ? (int)size[2] : 0;
  return found;
}

/* component_count texts; false: the list is missing or has another length. */
static picus_status read_texts(picus_context *context, hid_t group, const char *name, const picus_node_table *t,
                               const char *texts[PICUS_NODE_COMPONENTS], bool *found) {
  picus_name_list list = {0};
  picus_status status = picus_hdf5_read_texts(context, group, name, &list);
  if (!status && list.count != (size_t)t->component_count) *found = false;
  for (size_t k = 0; !status && *found && k < list.count; k++) {
    texts[k] = list.names[k];
    list.names[k] = NULL; /* taken over */
  }
  picus_names_release(context, &list);
  return status;
}

static picus_status read_names(picus_context *context, hid_t group, picus_node_table *t, bool *found) {
  picus_status status = read_texts(context, group, "displacement_names", t, t->displacements, found);
  if (!status && *found) status = read_texts(context, group, "velocity_names", t, t->velocities, found);
  if (!status && *found) status = read_texts(context, group, "displacement_units", t, t->displacement_units, found);
  if (!status && *found) status = read_texts(context, group, "velocity_units", t, t->velocity_units, found);
  return status;
}

typedef struct matrix {
  hsize_t columns;
  int64_t rows;
  double *values; /* NULL: there is none */
} matrix;

/* A matrix of so many columns, if there is one; *found false: it is something else. */
static picus_status read_matrix(picus_context *context, hid_t group, const char *name, matrix *m, bool *found) {
  if (H5Lexists(group, name, H5P_DEFAULT) <= 0) return PICUS_OK;
  hid_t list = open_list(group, name);
  m->rows = list >= 0 ? picus_hdf5_table_length(list, 2, &m->columns) : -1;
  picus_status status = PICUS_OK;
  if (m->rows <= 0 || m->rows > MOST_NODES)
    *found = false;
  else if (!(m->values = picus_allocate(context, (size_t)m->rows * (size_t)m->columns, sizeof *m->values)))
    status = PICUS_ERROR_MEMORY;
  else if (!picus_hdf5_read_part(list, H5T_NATIVE_DOUBLE,
                                 &(picus_hdf5_part){.rank = 2, .count = {(hsize_t)m->rows, m->columns}}, m->values,
                                 NULL))
    *found = false;
  if (list >= 0) H5Oclose(list);
  return status;
}

static picus_status read_positions(picus_context *context, hid_t group, picus_node_table *t, bool *found) {
  matrix positions = {.columns = 3};
  picus_status status = read_matrix(context, group, "positions", &positions, found);
  t->positions = positions.values;
  if (positions.values && positions.rows != t->node_count) *found = false;
  return status;
}

static picus_status read_elements(picus_context *context, hid_t group, picus_node_table *t, bool *found) {
  matrix numbers = {.columns = 2};
  picus_status status = read_matrix(context, group, "elements", &numbers, found);
  const size_t count = status || !*found ? 0 : 2 * (size_t)numbers.rows;
  int *elements = count > 0 ? picus_allocate(context, count, sizeof *elements) : NULL;
  if (count > 0 && !elements) status = PICUS_ERROR_MEMORY;
  for (size_t k = 0; elements && k < count; k++) {
    const bool is_node = numbers.values[k] >= 0 && numbers.values[k] < t->node_count;
    elements[k] = is_node ? (int)numbers.values[k] : 0;
    if (!is_node) *found = false;
  }
  t->elements = elements;
  t->element_count = elements ? (int)numbers.rows : 0;
  picus_release(context, numbers.values);
  return status;
}

static void read_first(hid_t group, picus_node_table *t) {
  double first = 0;
  hid_t number = open_list(group, "first");
  if (number >= 0 && picus_hdf5_read_number(number, &first) && fabs(first) < 1e9) t->first = (int)first;
  if (number >= 0) H5Oclose(number);
}

/* The rows of a list and its tail, which continues a list only if that is complete; -1: it is damaged. */
static int64_t stored_rows(hid_t group, int k, const picus_node_table *t, bool has_tail) {
  const int64_t rows = list_rows(group, picus_node_lists[k], t);
  if (rows < 0 || !has_tail || H5Lexists(group, picus_node_tails[k], H5P_DEFAULT) <= 0) return rows;
  const int64_t tail = list_rows(group, picus_node_tails[k], t);
  return tail < 0 ? -1 : rows + tail;
}

/* What the result says about its rows. */
typedef struct run_rows {
  const char *path;
  picus_file_state state;
  long count;
} run_rows;

static picus_status measure(picus_context *context, hid_t group, const run_rows *run, picus_stored_nodes *out,
                            bool *found) {
  picus_node_table *t = &out->shown;
  *found = read_shape(group, t);
  picus_status status = *found ? read_names(context, group, t, found) : PICUS_OK;
  if (!status && *found) status = read_positions(context, group, t, found);
  if (!status && *found) status = read_elements(context, group, t, found);
  if (status || !*found) return status;
  read_first(group, t);
  out->rows = run->count;
  out->is_cut = run->state.is_cut;
  const bool is_whole = !run->state.is_partial && !run->state.is_cut;
  for (int k = 0; k < PICUS_NODE_LISTS; k++) {
    const int64_t stored = stored_rows(group, k, t, run->state.is_partial && !run->state.is_cut);
    if (stored < 0 || (is_whole && stored < run->count)) *found = false;
    if (stored < out->rows) out->rows = stored > 0 ? (long)stored : 0;
  }
  return PICUS_OK;
}

static picus_status read_table(picus_context *context, hid_t group, const char *name, const run_rows *run,
                               picus_node_index *out) {
  picus_stored_nodes *table = &out->tables[out->count++];
  bool found = false;
  table->shown.name = picus_copy_text(context, name);
  if (!table->shown.name) return PICUS_ERROR_MEMORY;
  hid_t object = picus_hdf5_open(group, name);
  picus_status status = PICUS_OK;
  if (picus_hdf5_content_of(object) == PICUS_HDF5_GROUP) status = measure(context, object, run, table, &found);
  if (object >= 0) H5Oclose(object);
  return status || found ? status : damaged(context, run->path, name);
}

picus_status picus_hdf5_nodes_measure(picus_context *context, const char *path, hid_t file, picus_file_state state,
                                      long rows, picus_node_index *out) {
  picus_name_list names = {0};
  const run_rows run = {path, state, rows};
  *out = (picus_node_index){0};
  hid_t group = picus_hdf5_open_group(file, "picus/nodes");
  if (group < 0) return PICUS_OK;
  picus_status status = picus_hdf5_list(context, path, group, &names);
  if (!status && names.count > 0) {
    out->tables = picus_allocate(context, names.count, sizeof *out->tables);
    if (!out->tables) status = PICUS_ERROR_MEMORY;
  }
  for (size_t k = 0; !status && k < names.count; k++) status = read_table(context, group, names.names[k], &run, out);
  picus_names_release(context, &names);
  H5Oclose(group);
  return status;
}

void picus_node_index_release(picus_context *context, picus_node_index *index) {
  for (int i = 0; i < index->count; i++) picus_node_table_release(context, &index->tables[i].shown);
  picus_release(context, index->tables);
  *index = (picus_node_index){0};
}

/* Rows of a list that has at least so many. */
static bool read_part(hid_t list, const picus_node_table *t, long first, long count, double *values) {
  const picus_hdf5_part part = {.rank = RANK,
                                .first = {(hsize_t)first},
                                .count = {(hsize_t)count, (hsize_t)t->node_count, (hsize_t)t->component_count}};
  return count == 0 || picus_hdf5_read_part(list, H5T_NATIVE_DOUBLE, &part, values, NULL);
}

/* From the list as far as it goes now, then from the tail: a run that goes on may have lengthened it. */
static bool read_range(hid_t group, const picus_node_range *range, double *values) {
  const picus_node_table *t = &range->table->shown;
  const int64_t rows = range->table->is_cut ? range->table->rows : list_rows(group, picus_node_lists[range->list], t);
  if (rows < 0) return false;
  long here = rows > range->first ? (long)(rows - range->first) : 0;
  if (here > range->count) here = range->count;
  hid_t list = open_list(group, picus_node_lists[range->list]);
  bool done = read_part(list, t, range->first, here, values);
  if (list >= 0) H5Oclose(list);
  if (!done || here == range->count) return done;
  const long first = (long)(range->first + here - rows), count = range->count - here;
  if (list_rows(group, picus_node_tails[range->list], t) < first + count) return false;
  list = open_list(group, picus_node_tails[range->list]);
  done = read_part(list, t, first, count, values + (size_t)here * (size_t)t->node_count * (size_t)t->component_count);
  if (list >= 0) H5Oclose(list);
  return done;
}

picus_status picus_hdf5_nodes_read(picus_context *context, const char *path, hid_t file, const picus_node_range *range,
                                   double *values) {
  const char *name = range->table->shown.name;
  hid_t group = picus_hdf5_open_group(file, "picus/nodes");
  hid_t table = group >= 0 ? picus_hdf5_open(group, name) : -1;
  const bool done = picus_hdf5_content_of(table) == PICUS_HDF5_GROUP && read_range(table, range, values);
  if (table >= 0) H5Oclose(table);
  if (group >= 0) H5Oclose(group);
  return done ? PICUS_OK : damaged(context, path, name);
}
