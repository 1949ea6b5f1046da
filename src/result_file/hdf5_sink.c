/* The HDF5 sink: one extendible dataset per column at the root of the file, or one for very many of them, and the run's
 * description under /picus.
 *
 * Each block of rows ends with a commit (see hdf5/staged.h), so that a full disk or the death of the process costs at
 * most the rows since the last block. The file format is the oldest of HDF5: it has no mark for open files, with which
 * later formats are unreadable after a crash, and its chunk indices have no checksums that an incomplete write could
 * break. */
#include "base/internal.h"
#include "base/output_file.h"
#include "hdf5/packed_chunk.h"
#include "hdf5/read.h"
#include "hdf5/support.h"
#include "record/internal.h"
#include "result_file/sink_tables.h"
#include "table/column_table.h"
#include "table/contact_table.h"
#include "table/description.h"
#include "table/event_table.h"
#include "table/node_table.h"

#include <errno.h>
#include <picus/result.h>
#include <stdio.h>
#include <string.h>

enum {
  MOST_CHUNK_ROWS = 16384,    /* long runs: few chunks, quick to read */
  LEAST_CHUNK_ROWS = 32,      /* short runs: small files */
  DEFAULT_CHUNK_ROWS = 1024,  /* length of the run unknown */
  CHUNKS_TOGETHER = 8u << 20, /* bytes: one chunk of every column is at most this much */
  GATHERED = 8, /* columns that are read from the rows together: a line of the cache has as many numbers */
  MESSAGE_SIZE = 1024,
  STATUS_SIZE = MESSAGE_SIZE + 16 /* "failed: " before a message */
};

typedef struct hdf5_sink {
  picus_context *context;
  char *path;
  const picus_run_description *run;
  int column_count;
  const picus_column *columns;
  picus_output_file output;
  picus_staged_file *staged; /* NULL: not open */
  hid_t file;
  hid_t *datasets;          /* column_count; those in the table have none */
  picus_hdf5_columns table; /* of many columns */
  picus_hdf5_event_log event_log;
  picus_hdf5_states states;
  picus_hdf5_contacts contacts;
  picus_hdf5_nodes nodes;
  picus_row_sums sums;
  bool has_new_laws;     /* not committed */
  long rows, switchings; /* committed */
  bool failed;           /* a write failed: later rows are dropped */
  char failure[MESSAGE_SIZE];
  const picus_storage *storage; /* of the recorder */
  const switch_log *switches;   /* likewise */
  picus_packer *packer;         /* NULL: columns are not compressed */
  bool has_checkpoint;          /* one counts on the file */
  hsize_t chunk;                /* rows */
  double *gathered;             /* values of GATHERED columns in a block, column by column */
  signed char *modes;           /* the same for a mode column */
} hdf5_sink;

/* A name HDF5 takes as one link and not as a path. */
static bool is_link_name(const char *name) {
  return name[0] != '\0' && strchr(name, '/') == NULL && strcmp(name, ".") != 0;
}

static picus_status check_names(hdf5_sink *sink) {
  for (int k = 0; k < sink->column_count; k++) {
    const char *name = sink->columns[k].name;
    if (is_link_name(name) && strcmp(name, "picus") != 0) continue;
    return picus_fail(sink->context, PICUS_ERROR_NAME,
                      "a column named '%s' cannot be stored in '%s'; choose a name without '/', other than 'picus'",
                      name, sink->path);
  }
  const picus_system *system = sink->run->system;
  for (int k = 0; system && k < picus_system_node_table_count(system); k++) {
    const char *name = picus_system_node_table(system, k).name;
    if (is_link_name(name)) continue;
    return picus_fail(sink->context, PICUS_ERROR_NAME,
                      "the nodes of '%s' cannot be stored in '%s'; choose a name without '/'", name, sink->path);
  }
  const picus_model *model = sink->run->model;
  for (int k = 0; model && k < picus_model_parameter_count(model); k++) {
    const char *name = picus_model_parameter(model, k).name;
    if (is_link_name(name)) continue;
    return picus_fail(sink->context, PICUS_ERROR_NAME,
                      "a parameter named '%s' cannot be stored in '%s'; choose a name without '/'", name, sink->path);
  }
  return PICUS_OK;
}

/* Compressed chunks are written once: a block consists of whole ones. In short runs they are small. */
static hsize_t packed_chunk_rows(const hdf5_sink *sink) {
  hsize_t chunk = (hsize_t)picus_recorder_block_rows((size_t)sink->column_count);
  double rows = picus_expected_rows(sink->run->options);
  if (rows == 0) rows = DEFAULT_CHUNK_ROWS;
  while (chunk % 2 == 0 && (double)chunk / 2 >= rows && chunk / 2 >= LEAST_CHUNK_ROWS) chunk /= 2;
  return chunk;
}

/* Chunks that divide the expected rows evenly, within limits of size. */
static hsize_t plain_chunk_rows(const hdf5_sink *sink) {
  size_t most = CHUNKS_TOGETHER / (sizeof(double) * (size_t)(sink->column_count - sink->table.width));
  if (most > MOST_CHUNK_ROWS) most = MOST_CHUNK_ROWS;
  if (most < LEAST_CHUNK_ROWS) most = LEAST_CHUNK_ROWS;
  double rows = picus_expected_rows(sink->run->options);
  if (rows == 0) return most < DEFAULT_CHUNK_ROWS ? most : DEFAULT_CHUNK_ROWS;
  if (rows <= LEAST_CHUNK_ROWS) return LEAST_CHUNK_ROWS;
  if (rows >= 1e6 * (double)most) return most;
  size_t count = (size_t)(rows / (double)most) + 1;
  return (hsize_t)(rows / (double)count) + 1;
}

static picus_packed_type type_of(const hdf5_sink *sink, const picus_column *column) {
  if (column->kind == PICUS_COLUMN_MODE) return PICUS_PACKED_BYTE;
  return picus_storage_is_single(sink->storage, column) ? PICUS_PACKED_SINGLE : PICUS_PACKED_DOUBLE;
}

/* Bytes of a row: at least, if all that is compressed were zeros, and without compression. */
typedef struct row_room {
  double least, most;
} row_room;

static row_room room_of_row(const hdf5_sink *sink) {
  enum { BEST = 1032 }; /* the most that deflate gains: 258 bytes in two bits */
  static const double sizes[] = {[PICUS_PACKED_DOUBLE] = 8, [PICUS_PACKED_SINGLE] = 4, [PICUS_PACKED_BYTE] = 1};
  double plain = 0, packed = picus_hdf5_nodes_bytes(sink->run->system);
  for (int k = 0; k < sink->column_count; k++) {
    if (picus_hdf5_columns_has(&sink->table, k))
      packed += sizeof(double);
    else if (sink->packer)
      packed += sizes[type_of(sink, &sink->columns[k])];
    else
      plain += sizes[type_of(sink, &sink->columns[k])];
  }
  return (row_room){plain + packed / BEST, plain + packed};
}

static hid_t create_column(const hdf5_sink *sink, const picus_column *column, hid_t space, hid_t creation,
                           hid_t access) {
  const hid_t types[] = {[PICUS_PACKED_DOUBLE] = H5T_IEEE_F64LE,
                         [PICUS_PACKED_SINGLE] = H5T_IEEE_F32LE,
                         [PICUS_PACKED_BYTE] = H5T_STD_I8LE};
  hid_t dataset =
      H5Dcreate2(sink->file, column->name, types[type_of(sink, column)], space, H5P_DEFAULT, creation, access);
  if (dataset >= 0 && picus_hdf5_put_attribute(dataset, "unit", column->unit ? column->unit : "") &&
      picus_hdf5_put_attribute(dataset, "label", column->label) &&
      picus_hdf5_put_attribute(dataset, "kind", picus_column_kind_name(column->kind)))
    return dataset;
  if (dataset >= 0) H5Dclose(dataset);
  return -1;
}

static bool create_columns(hdf5_sink *sink) {
  hsize_t none = 0, unlimited = H5S_UNLIMITED;
  hid_t space = H5Screate_simple(1, &none, &unlimited);
  hid_t creation = sink->packer ? picus_hdf5_table_creation(1, &sink->chunk) : picus_hdf5_list_creation(sink->chunk);
  hid_t access = picus_hdf5_list_access();
  bool done = space >= 0 && creation >= 0 && access >= 0;
  for (int k = 0; done && k < sink->column_count; k++) {
    if (picus_hdf5_columns_has(&sink->table, k)) continue;
    sink->datasets[k] = create_column(sink, &sink->columns[k], space, creation, access);
    done = sink->datasets[k] >= 0;
  }
  if (access >= 0) H5Pclose(access);
  if (creation >= 0) H5Pclose(creation);
  if (space >= 0) H5Sclose(space);
  return done;
}

/* Makes the buffers of HDF5 the state of the file. */
static bool commit(hdf5_sink *sink) {
  const bool done = H5Fflush(sink->file, H5F_SCOPE_LOCAL) >= 0 && picus_staged_commit(sink->staged);
  if (done) picus_hdf5_contacts_note_commit(&sink->contacts);
  return done;
}

/* The message about the failure that has just happened, with the reason of the system if there is one. */
static picus_status report(hdf5_sink *sink, const char *what) {
  char reason[PICUS_REASON_SIZE];
  int error = sink->staged ? picus_staged_error(sink->staged) : 0;
  if (error)
    picus_system_reason(error, reason);
  else
    picus_hdf5_reason(reason);
  bool no_memory = error ? error == ENOMEM : picus_last_error(sink->context)->status == PICUS_ERROR_MEMORY;
  picus_status status = no_memory ? PICUS_ERROR_MEMORY : PICUS_ERROR_IO;
  if (no_memory) snprintf(reason, sizeof reason, "out of memory");
  if (sink->rows > 0)
    picus_fail(sink->context, status, "cannot %s '%s': %s; its first %ld rows are safe", what, sink->path, reason,
               sink->rows);
  else
    picus_fail(sink->context, status, "cannot %s '%s': %s; it contains no rows", what, sink->path, reason);
  sink->failed = true;
  snprintf(sink->failure, sizeof sink->failure, "%s", picus_last_error(sink->context)->message);
  return status;
}

static bool close_datasets(hdf5_sink *sink) {
  bool done = true;
  for (int k = 0; sink->datasets && k < sink->column_count; k++) {
    if (sink->datasets[k] >= 0 && H5Dclose(sink->datasets[k]) < 0) done = false;
    sink->datasets[k] = -1;
  }
  return done;
}

static bool close_file(hdf5_sink *sink) {
  bool done = close_datasets(sink);
  done = picus_hdf5_columns_close(&sink->table) && done;
  done = picus_hdf5_event_log_close(&sink->event_log) && done;
  done = picus_hdf5_states_close(&sink->states) && done;
  done = picus_hdf5_contacts_close(&sink->contacts) && done;
  done = picus_hdf5_nodes_close(&sink->nodes) && done;
  done = picus_row_sums_close(&sink->sums) && done;
  if (sink->file >= 0 && H5Fclose(sink->file) < 0) done = false;
  sink->file = -1;
  return done;
}

static void close_staged(hdf5_sink *sink) {
  picus_staged_close(sink->staged);
  sink->staged = NULL;
}

static picus_status open_staged(hdf5_sink *sink, picus_staged_mode mode) {
  int error = 0;
  char reason[PICUS_REASON_SIZE];
  sink->staged = picus_staged_attach(sink->context, sink->output.descriptor, mode, &error);
  if (sink->staged) return PICUS_OK;
  if (error == ENOMEM) return PICUS_ERROR_MEMORY;
  picus_system_reason(error, reason);
  return picus_fail(sink->context, PICUS_ERROR_IO, "cannot create '%s': %s", sink->path, reason);
}

static picus_status open_output(hdf5_sink *sink) {
  picus_status status = picus_output_check_regular(sink->context, sink->path, "an HDF5 file");
  return status ? status : picus_output_open(sink->context, sink->path, &sink->output);
}

static bool create_tables(hdf5_sink *sink, double expected_rows) {
  const picus_system *system = sink->run->system;
  return picus_hdf5_event_log_create(&sink->event_log, sink->file, picus_switching_slips(system)) &&
         (!system || picus_hdf5_states_create(sink->context, sink->file, system, &sink->states)) &&
         picus_hdf5_contacts_create(sink->context, sink->file, system, &sink->contacts) &&
         picus_hdf5_nodes_create(sink->context, sink->file, system, expected_rows, &sink->nodes) &&
         (sink->packer || /* compressed chunks have the sums of zlib */
          picus_row_sums_create(sink->context, sink->file,
                                (picus_summed_rows){(size_t)(sink->column_count - sink->table.width),
                                                    picus_recorder_block_rows((size_t)sink->column_count),
                                                    expected_rows},
                                &sink->sums)) &&
         picus_hdf5_columns_create(sink->file, picus_recorder_block_rows((size_t)sink->column_count), expected_rows,
                                   &sink->table);
}

/* Of the file, that grow. */
static size_t list_count(const hdf5_sink *sink) {
  const size_t contacts = sink->contacts.is_open ? PICUS_CONTACT_FIELDS + PICUS_LAW_LISTS + 2 : 0;
  const size_t nodes = 2 * PICUS_NODE_LISTS * (size_t)sink->nodes.count;
  return (size_t)(sink->column_count - sink->table.width) + PICUS_SWITCHING_FIELDS + contacts + nodes + 2;
}

static picus_status open_file(hdf5_sink *sink) {
  const double expected_rows = picus_expected_rows(sink->run->options);
  const row_room row = room_of_row(sink);
  picus_status status = open_output(sink);
  if (!status) status = picus_output_check_room(&sink->output, expected_rows, row.least, row.most);
  if (!status) status = open_staged(sink, PICUS_STAGED_CREATE);
  if (status) {
    picus_output_discard(&sink->output);
    return status;
  }
  sink->file = picus_hdf5_create_staged(sink->context, sink->staged, sink->path);
  if (sink->file >= 0 && create_columns(sink) &&
      picus_hdf5_describe(sink->context, sink->file, sink->run, sink->column_count, sink->columns) &&
      create_tables(sink, expected_rows) && commit(sink) && picus_hdf5_limit_cache(sink->file, list_count(sink)))
    return PICUS_OK;
  status = report(sink, "create");
  close_file(sink);
  close_staged(sink);
  picus_output_discard(&sink->output);
  return status;
}

/* With tables of nodes, rows are not compressed, nor in one table if the run is saved: a checkpoint does not keep the
 * nodes of rows that the file lacks, so all rows must be there. */
static bool has_nodes(const hdf5_sink *sink) {
  const picus_system *system = sink->run->system;
  return system && picus_system_node_table_count(system) > 0;
}

/* Memory for a block of one column, and chunks. */
static picus_status prepare(hdf5_sink *sink) {
  picus_context *context = sink->context;
  const size_t rows = (size_t)picus_recorder_block_rows((size_t)sink->column_count);
  const bool packs = !sink->storage->is_plain && !has_nodes(sink) && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0;
  sink->datasets = picus_allocate(context, (size_t)sink->column_count, sizeof *sink->datasets);
  sink->gathered = picus_allocate(context, GATHERED * rows, sizeof *sink->gathered);
  sink->modes = packs ? NULL : picus_allocate(context, rows, sizeof *sink->modes);
  for (int k = 0; sink->datasets && k < sink->column_count; k++) sink->datasets[k] = -1;
  if (packs) sink->packer = picus_packer_create(context, rows);
  sink->chunk = packs ? packed_chunk_rows(sink) : plain_chunk_rows(sink);
  return sink->datasets && sink->gathered && (packs ? (void *)sink->packer : sink->modes) ? PICUS_OK
                                                                                          : PICUS_ERROR_MEMORY;
}

static picus_status sink_open(void *self, const picus_run_description *run, int column_count,
                              const picus_column *columns) {
  hdf5_sink *sink = self;
  sink->run = run;
  sink->column_count = column_count;
  sink->columns = columns;
  if (!has_nodes(sink) || !sink->storage->is_saved) sink->table = picus_hdf5_columns_choose(column_count, columns);
  picus_status status = check_names(sink);
  if (!status) status = picus_hdf5_check_room(sink->context);
  if (status) return status;
  picus_hdf5_quiet quiet = picus_hdf5_quiet_begin();
  status = prepare(sink);
  if (!status) status = open_file(sink);
  picus_hdf5_quiet_end(quiet);
  return status;
}

/* Rows to append to all datasets. */
typedef struct row_piece {
  const double *rows;
  hsize_t first, count, length; /* the first row, the rows, and those of the datasets with them */
  hid_t memory, target;         /* their places: all columns are equally long and share them */
} row_piece;

/* The whole chunks of the block, and the last one of the run, which may have zeros at its end. */
static bool append_packed(hdf5_sink *sink, int column, const row_piece *piece, const double *values) {
  const picus_packed_type type = type_of(sink, &sink->columns[column]);
  bool done = H5Dset_extent(sink->datasets[column], &piece->length) >= 0;
  for (hsize_t k = 0; done && k < piece->count; k += sink->chunk) {
    const hsize_t left = piece->count - k, place = piece->first + k;
    size_t size;
    const void *bytes = picus_packer_pack(
        sink->packer, type, values + k, (size_t)(left < sink->chunk ? left : sink->chunk), (size_t)sink->chunk, &size);
    if (!bytes) picus_staged_fail(sink->staged, ENOMEM);
    done = bytes && H5Dwrite_chunk(sink->datasets[column], H5P_DEFAULT, 0, &place, size, bytes) >= 0;
  }
  return done;
}

static bool append_plain(hdf5_sink *sink, int column, const row_piece *piece, double *values) {
  const picus_packed_type type = type_of(sink, &sink->columns[column]);
  const bool is_mode = type == PICUS_PACKED_BYTE;
  for (size_t k = 0; type == PICUS_PACKED_SINGLE && k < piece->count; k++)
    values[k] = (double)(float)values[k]; /* as they are read back */
  const size_t place = (size_t)(column < sink->table.first ? column : column - sink->table.width);
  picus_row_sums_add(&sink->sums, place, values, (size_t)piece->count);
  for (size_t k = 0; is_mode && k < piece->count; k++) sink->modes[k] = (signed char)values[k];
  hid_t dataset = sink->datasets[column];
  return H5Dset_extent(dataset, &piece->length) >= 0 &&
         H5Dwrite(dataset, is_mode ? H5T_NATIVE_SCHAR : H5T_NATIVE_DOUBLE, piece->memory, piece->target, H5P_DEFAULT,
                  is_mode ? (const void *)sink->modes : values) >= 0;
}

/* Up to GATHERED columns. */
static bool append_columns(hdf5_sink *sink, int first, const row_piece *piece) {
  const int left = sink->column_count - first, width = left < GATHERED ? left : GATHERED;
  const size_t count = (size_t)piece->count;
  const double *from = piece->rows + first;
  double *to = sink->gathered;
  if (width == GATHERED)
    for (size_t k = 0; k < count; k++, from += sink->column_count)
      for (size_t i = 0; i < GATHERED; i++) to[i * count + k] = from[i];
  else
    for (size_t k = 0; k < count; k++, from += sink->column_count)
      for (int i = 0; i < width; i++) to[(size_t)i * count + k] = from[i];
  bool done = true;
  for (int i = 0; done && i < width; i++) {
    double *values = sink->gathered + (size_t)i * count;
    if (!picus_hdf5_columns_has(&sink->table, first + i))
      done =
          sink->packer ? append_packed(sink, first + i, piece, values) : append_plain(sink, first + i, piece, values);
  }
  return done;
}

static bool append_block(hdf5_sink *sink, long start, hsize_t count, const double *rows) {
  row_piece piece = {.rows = rows, .first = (hsize_t)start, .count = count, .length = (hsize_t)start + count};
  piece.memory = H5Screate_simple(1, &piece.count, NULL);
  piece.target = H5Screate_simple(1, &piece.length, NULL);
  bool done = piece.memory >= 0 && piece.target >= 0 &&
              H5Sselect_hyperslab(piece.target, H5S_SELECT_SET, &piece.first, NULL, &piece.count, NULL) >= 0;
  for (int k = 0; done && k < sink->column_count; k += GATHERED) done = append_columns(sink, k, &piece);
  const picus_row_block block = {start, (long)count, sink->column_count, rows};
  done = done && picus_hdf5_columns_append(&sink->table, &block) &&
         (sink->packer || picus_row_sums_append(&sink->sums, piece.length));
  if (piece.target >= 0) H5Sclose(piece.target);
  if (piece.memory >= 0) H5Sclose(piece.memory);
  return done && picus_staged_error(sink->staged) == 0;
}

/* Rows that are not packed, in pieces that end where the blocks of their sums end. */
static bool append_rows(hdf5_sink *sink, long count, const double *rows) {
  const long block = picus_recorder_block_rows((size_t)sink->column_count);
  bool done = true;
  for (long k = 0, next; done && k < count; k += next) {
    const long start = sink->rows + k, left = sink->packer ? count : block - start % block;
    next = left < count - k ? left : count - k;
    done = append_block(sink, start, (hsize_t)next, rows + (size_t)k * (size_t)sink->column_count);
  }
  return done;
}

/* Space for the nodes of all chunk indices: those of the columns, of which the run may say how many there will be, and
 * two more for the other lists, which most runs do not fill. */
static hsize_t node_bytes(const hdf5_sink *sink) {
  enum { NODE = 2700, USED = 56, USUAL = 3, MOST = 1 << 28 }; /* bytes; chunks in a node, for a long list; nodes */
  const double rows = picus_expected_rows(sink->run->options), blocks = (double)(rows / (double)sink->chunk);
  const double nodes = rows == 0 ? USUAL : blocks < USED ? 0 : blocks / USED + USUAL;
  double lists = 2 * PICUS_SWITCHING_FIELDS, columns = (double)(sink->column_count - sink->table.width);
  if (sink->contacts.is_open) lists += 2 * PICUS_CONTACT_FIELDS;
  lists += 2 * PICUS_NODE_LISTS * sink->nodes.count + (sink->table.width > 0 ? 2 * USED : 0);
  const double bytes = (columns * nodes + lists) * NODE;
  return bytes < MOST ? (hsize_t)bytes : MOST;
}

static picus_status sink_write(void *self, long row_count, int column_count, const double *rows) {
  hdf5_sink *sink = self;
  (void)column_count;
  picus_hdf5_quiet quiet = picus_hdf5_quiet_begin();
  /* a commit of their own: no row of a file has only some of its lists of contacts, or lacks nodes */
  const bool has_tables = sink->contacts.is_open || sink->nodes.count > 0;
  bool done = sink->rows == 0 || picus_hdf5_keep_nodes_together(sink->file, node_bytes(sink));
  done = done && (!has_tables || (picus_hdf5_contacts_flush(&sink->contacts, false) && commit(sink)));
  done = done && picus_hdf5_nodes_write_tails(&sink->nodes);
  done = done && append_rows(sink, row_count, rows) && commit(sink);
  picus_status status = done ? PICUS_OK : report(sink, "write");
  if (done) sink->rows += row_count;
  picus_hdf5_quiet_end(quiet);
  return status;
}

static picus_status sink_write_switchings(void *self, long count, const picus_switching *switchings) {
  hdf5_sink *sink = self;
  picus_hdf5_quiet quiet = picus_hdf5_quiet_begin();
  /* laws first: no switching point of a file belongs to a law that it does not have */
  bool done = !sink->has_new_laws || commit(sink);
  sink->has_new_laws = false;
  done = done && picus_hdf5_event_log_append(&sink->event_log, count, switchings) && commit(sink);
  picus_status status = done ? PICUS_OK : report(sink, "write");
  if (done) sink->switchings += count;
  picus_hdf5_quiet_end(quiet);
  return status;
}

static picus_status sink_write_states(void *self, long count, int width, const double *entries) {
  hdf5_sink *sink = self;
  picus_hdf5_quiet quiet = picus_hdf5_quiet_begin();
  bool done = picus_hdf5_states_append(&sink->states, (size_t)count, (size_t)width, entries) && commit(sink);
  picus_status status = done ? PICUS_OK : report(sink, "write");
  picus_hdf5_quiet_end(quiet);
  return status;
}

static picus_status sink_write_law(void *self, const picus_switching *first) {
  hdf5_sink *sink = self;
  picus_hdf5_quiet quiet = picus_hdf5_quiet_begin();
  bool done = picus_hdf5_contacts_add_law(&sink->contacts, first);
  sink->has_new_laws = true;
  picus_status status = done ? PICUS_OK : report(sink, "write");
  picus_hdf5_quiet_end(quiet);
  return status;
}

static picus_status sink_write_contacts(void *self, const picus_contact_sample *sample) {
  hdf5_sink *sink = self;
  picus_hdf5_quiet quiet = picus_hdf5_quiet_begin();
  bool done = picus_hdf5_contacts_append(&sink->contacts, sample) && picus_staged_error(sink->staged) == 0;
  picus_status status = done ? PICUS_OK : report(sink, "write");
  picus_hdf5_quiet_end(quiet);
  return status;
}

static picus_status sink_write_nodes(void *self, const picus_node_sample *sample) {
  hdf5_sink *sink = self;
  picus_hdf5_quiet quiet = picus_hdf5_quiet_begin();
  bool done = picus_hdf5_nodes_append(&sink->nodes, sample) && picus_staged_error(sink->staged) == 0;
  picus_status status = done ? PICUS_OK : report(sink, "write");
  picus_hdf5_quiet_end(quiet);
  return status;
}

static void describe_end(const hdf5_sink *sink, const picus_summary *summary, char text[STATUS_SIZE]) {
  const picus_error *error = picus_last_error(sink->context);
  if (sink->failed)
    snprintf(text, STATUS_SIZE, "failed: %s", sink->failure);
  else if (!summary->status)
    snprintf(text, STATUS_SIZE, "done");
  else if (summary->status == PICUS_INTERRUPTED)
    snprintf(text, STATUS_SIZE, "interrupted");
  else
    snprintf(text, STATUS_SIZE, "failed: %s",
             error->status == summary->status ? error->message : picus_status_text(summary->status));
}

/* After a failed write: back to the last commit, reopened, because HDF5 holds data that never reached the file. */
static bool return_to_last_commit(hdf5_sink *sink) {
  close_file(sink);
  close_staged(sink);
  if (open_staged(sink, PICUS_STAGED_CHANGE)) return false;
  sink->file = picus_hdf5_open_staged(sink->context, sink->staged, sink->path, H5F_ACC_RDWR, NULL);
  return sink->file >= 0;
}

/* How many rows all columns of the file have. */
static long rows_in_file(const hdf5_sink *sink) {
  int64_t shortest = sink->rows;
  picus_stored_columns table;
  if (picus_hdf5_columns_measure(sink->context, sink->path, sink->file, (size_t)sink->column_count, &table))
    shortest = 0;
  else if (table.width > 0 && table.rows < shortest)
    shortest = table.rows;
  for (int k = 0; k < sink->column_count; k++) {
    if (picus_hdf5_columns_has(&sink->table, k)) continue;
    hid_t dataset = picus_hdf5_open(sink->file, sink->columns[k].name);
    int64_t length = dataset >= 0 ? picus_hdf5_list_length(dataset) : 0;
    if (length < shortest) shortest = length > 0 ? length : 0;
    if (dataset >= 0) H5Oclose(dataset);
  }
  return (long)shortest;
}

static bool is_empty(const hdf5_sink *sink) { return sink->rows == 0 && sink->switchings == 0; }

/* A file without rows goes, unless a checkpoint has them and the run continues from it. */
static void leave_empty(hdf5_sink *sink) {
  if (sink->has_checkpoint)
    picus_output_release(&sink->output);
  else
    picus_output_discard(&sink->output);
}

/* Completes the description of the run in the file. */
static picus_status complete(hdf5_sink *sink, const picus_summary *summary) {
  char text[STATUS_SIZE];
  describe_end(sink, summary, text);
  picus_summary facts = *summary;
  picus_hdf5_quiet quiet = picus_hdf5_quiet_begin();
  bool done = !sink->failed || return_to_last_commit(sink);
  if (done && sink->failed) sink->rows = rows_in_file(sink);
  facts.rows = sink->rows;
  if (sink->contacts.is_open || sink->nodes.count > 0) /* before the file says that it is complete */
    done =
        done && picus_hdf5_contacts_flush(&sink->contacts, true) && picus_hdf5_nodes_end(&sink->nodes) && commit(sink);
  if (sink->switches->has_begun)
    done = done && picus_hdf5_put_switches(sink->context, sink->file, sink->switches) && commit(sink);
  done = done && picus_hdf5_nodes_clear_tails(&sink->nodes);
  done = done && picus_hdf5_finish(sink->context, sink->file, sink->run->system, &facts, text);
  done = close_file(sink) && done;
  done = done && picus_staged_commit(sink->staged);
  picus_status status = done ? PICUS_OK : report(sink, "complete");
  close_staged(sink);
  picus_hdf5_quiet_end(quiet);
  return status;
}

/* The file gets its name, unless nothing of the run is in it: then an older one of that name stays. */
static picus_status sink_close(void *self, const picus_summary *summary) {
  hdf5_sink *sink = self;
  if (!sink->staged) return PICUS_OK;
  bool had_failed = sink->failed;
  picus_status status = complete(sink, summary);
  /* switching points without the rows that belong to them are not worth an older result */
  const bool lost_all_rows = sink->failed && sink->rows == 0 && summary->rows > 0;
  if (lost_all_rows || (is_empty(sink) && (sink->failed || picus_run_left_nothing(summary)))) {
    leave_empty(sink);
    return had_failed ? PICUS_OK : status; /* a failure has been reported when it happened */
  }
  picus_status named = picus_output_publish(&sink->output);
  if (!status || had_failed) status = named;
  return status;
}

static void sink_destroy(void *self) {
  hdf5_sink *sink = self;
  if (sink->staged) { /* else HDF5 was perhaps not even started */
    picus_hdf5_quiet quiet = picus_hdf5_quiet_begin();
    close_file(sink);
    close_staged(sink);
    picus_hdf5_quiet_end(quiet);
  }
  if (is_empty(sink))
    leave_empty(sink);
  else
    picus_output_release(&sink->output); /* never closed: the part keeps its contents */
  picus_packer_destroy(sink->packer);
  picus_release(sink->context, sink->modes);
  picus_release(sink->context, sink->gathered);
  picus_release(sink->context, sink->datasets);
  picus_release(sink->context, sink->path);
  picus_release(sink->context, sink);
}

static picus_status sink_create(picus_context *context, const char *path, picus_sink *out) {
  hdf5_sink *sink = picus_allocate(context, 1, sizeof *sink);
  if (!sink) return PICUS_ERROR_MEMORY;
  sink->context = context;
  sink->file = -1;
  sink->path = picus_copy_text(context, path);
  if (!sink->path) {
    picus_release(context, sink);
    return PICUS_ERROR_MEMORY;
  }
  *out = (picus_sink){.self = sink,
                      .open = sink_open,
                      .write = sink_write,
                      .close = sink_close,
                      .destroy = sink_destroy,
                      .write_switchings = sink_write_switchings,
                      .write_law = sink_write_law,
                      .write_contacts = sink_write_contacts,
                      .write_nodes = sink_write_nodes,
                      .write_states = sink_write_states};
  return PICUS_OK;
}

static long safe_rows(const void *self) { return ((const hdf5_sink *)self)->contacts.safe_rows; }
/* Compressed chunks are written once. */
static bool whole_blocks(void *self) {
  hdf5_sink *sink = self;
  sink->has_checkpoint = true;
  return sink->packer || sink->table.width > 0;
}

picus_status picus_recorder_add_hdf5(picus_recorder *recorder, const char *path) {
  picus_status status = picus_recorder_add_file(recorder, path, sink_create);
  if (status) return status;
  picus_recorder_set_keeper(recorder, safe_rows, whole_blocks);
  hdf5_sink *sink = picus_recorder_last_sink(recorder);
  sink->storage = picus_recorder_storage(recorder);
  sink->switches = picus_recorder_switch_log(recorder);
  return PICUS_OK;
}
