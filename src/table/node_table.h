/* The nodes of flexible components in a result file: for each component the group picus/nodes/NAME with the datasets
 * displacements and velocities, rows x nodes x components, compressed. To be called while HDF5 is quiet.
 *
 * As in the table of contacts, a compressed chunk is written once, when it is full or the run ends: one that changes
 * could move, and a process that is killed would leave an index that points to other data. So that no row is lost, the
 * rows of the incomplete chunk are in the datasets displacements_tail and velocities_tail as well, which have a fixed
 * place. Row r is in the first dataset if it is that long, otherwise at r minus its length in the tail. The order of
 * writing makes this true at every moment: full chunks, a commit, their successors in the tail, the rows, a commit. */
#ifndef PICUS_TABLE_NODE_TABLE_H
#define PICUS_TABLE_NODE_TABLE_H

#include "table/record_fields.h"

#include <hdf5.h>
#include <picus/result.h>

enum { PICUS_NODE_LISTS = 2 }; /* displacements and velocities */
extern const char *const picus_node_lists[PICUS_NODE_LISTS];
extern const char *const picus_node_tails[PICUS_NODE_LISTS];

/* One table that is written. */
typedef struct picus_hdf5_node_table {
  hid_t lists[PICUS_NODE_LISTS], tails[PICUS_NODE_LISTS]; /* no tails if every row is a chunk */
  hsize_t nodes, components;
  size_t width, chunk_rows;
  hsize_t rows;                      /* in chunks that were handed to HDF5 */
  double *waiting[PICUS_NODE_LISTS]; /* chunk_rows x width: the rows of the incomplete chunk */
  size_t waiting_count, tail_count;  /* of them; those that are in the tail */
} picus_hdf5_node_table;

/* A zeroed one is closed. */
typedef struct picus_hdf5_nodes {
  picus_context *context;
  int count;
  picus_hdf5_node_table *tables;
} picus_hdf5_nodes;

/* false: it failed. expected_rows: of the run; 0: unknown. */
bool picus_hdf5_nodes_create(picus_context *context, hid_t file, const picus_system *system, double expected_rows,
                             picus_hdf5_nodes *out);
bool picus_hdf5_nodes_append(picus_hdf5_nodes *nodes, const picus_node_sample *sample);
/* After a commit of the chunks, and before the rows: what is not in a chunk. */
bool picus_hdf5_nodes_write_tails(picus_hdf5_nodes *nodes);
bool picus_hdf5_nodes_end(picus_hdf5_nodes *nodes); /* the incomplete chunks */
/* Once that is committed: the rows that were left in the tails depend on when blocks were written. */
bool picus_hdf5_nodes_clear_tails(picus_hdf5_nodes *nodes);
bool picus_hdf5_nodes_close(picus_hdf5_nodes *nodes);
double picus_hdf5_nodes_bytes(const picus_system *system); /* of a row, without compression */

/* The tables of a file, for reading. */
typedef struct picus_stored_nodes {
  picus_node_table shown; /* its texts and arrays belong to it */
  long rows;              /* that are in the file */
  bool is_cut;
} picus_stored_nodes;
typedef struct picus_node_index {
  int count;
  picus_stored_nodes *tables;
} picus_node_index;
/* Released by the caller also after an error. */
picus_status picus_hdf5_nodes_measure(picus_context *context, const char *path, hid_t file, picus_file_state state,
                                      long rows, picus_node_index *out);
void picus_node_index_release(picus_context *context, picus_node_index *index);
typedef struct picus_node_range {
  const picus_stored_nodes *table;
  int list; /* 0: displacements, 1: velocities */
  long first, count;
} picus_node_range;
picus_status picus_hdf5_nodes_read(picus_context *context, const char *path, hid_t file, const picus_node_range *range,
                                   double *values);

#endif
