/* A result that is open, for the files that read its parts. */
#ifndef PICUS_RESULT_FILE_RESULT_INTERNAL_H
#define PICUS_RESULT_FILE_RESULT_INTERNAL_H

#include "base/name_index.h"
#include "hdf5/read.h"
#include "hdf5/support.h"
#include "record/internal.h"
#include "table/column_table.h"
#include "table/contact_table.h"
#include "table/node_table.h"

#include <picus/result.h>

/* A text or number under its key. */
typedef struct picus_result_entry {
  char *key;
  char *text; /* NULL: a number */
  double number;
} picus_result_entry;

typedef struct picus_result_panel {
  char *x;
  picus_name_list y;
} picus_result_panel;

typedef struct picus_stored_law {
  char *name, *kind;
  int slips;
  int source; /* -1: a law of the system */
  uint64_t key;
} picus_stored_law;

/* States at events. */
typedef struct stored_states {
  bool is_read;
  picus_name_list events, columns; /* names; of all numbers of an entry */
  size_t count, width;
  double *entries; /* as in state_log */
  picus_state_at_event *list;
} stored_states;

struct picus_result {
  picus_context *context;
  char *path;
  picus_staged_file *staged;
  hid_t file;
  bool is_live; /* a run writes to it */
  bool is_cut;  /* its end is missing */
  picus_column_list columns;
  picus_name_index column_names;
  picus_stored_columns table; /* of many columns */
  double **values;            /* one for each column; NULL: not loaded yet */
  long rows;
  long all_rows; /* of the file, if the result shows some of them only; else 0 */
  picus_result_entry *entries;
  size_t entry_count, entry_capacity;
  picus_result_panel *panels;
  size_t panel_count, panel_capacity;
  picus_stored_law *laws;
  size_t law_count, law_capacity;
  long switching_count;        /* -1: no event log */
  picus_switching *switchings; /* NULL: not loaded yet */
  bool has_read_switches;
  picus_name_list switch_names[3]; /* "x < 0.5", "x = 0.5", "x > 0.5" of each function */
  picus_switch_change *switch_changes;
  long switch_change_count;
  stored_states states;
  picus_contact_index contact_index;
  picus_name_list bodies;
  picus_contact_point *contacts; /* of some rows: opening and uncompressing lists for each row would take too long */
  size_t contact_capacity;
  long contact_row, contact_row_end; /* these rows */
  picus_node_index nodes;
  bool has_read_sums;
  picus_stored_sums sums;
  bool has_read_drawing;
  picus_drawing *drawing; /* NULL: none, or not read yet */
};

/* --- result_description.c: what is under /picus --- */

/* picus: that group. */
picus_status picus_result_read_description(picus_result *result, hid_t picus);
/* The laws that come and go and have switching points: they follow those of the system. */
picus_status picus_result_read_contact_laws(picus_result *result);
picus_status picus_result_read_bodies(picus_result *result);
void picus_result_release_description(picus_result *result);

/* --- state_table.c --- */

void picus_result_release_states(picus_result *result);
/* Numbers of an entry as in state_log, of the states that have been read. */
const double *picus_result_state_entry(const picus_result *result, long index);

/* --- result_columns.c --- */

static inline bool picus_result_is_thin(const picus_result *result) { return result->all_rows > 0; }
/* The row of the file that is shown as that row: the first one, the last one, and others between them. */
static inline long picus_result_file_row(const picus_result *result, long row) {
  if (!picus_result_is_thin(result)) return row;
  const long parts = result->rows - 1, length = result->all_rows - 1;
  return row * (length / parts) + row * (length % parts) / parts;
}

picus_status picus_result_read_columns(picus_result *result, hid_t picus);
void picus_result_release_columns(picus_result *result);

/* How many of the first rows of the file are shown. */
long picus_result_shown_rows(const picus_result *result, long rows);

/* --- result.c: blocks of values, of files that may be written meanwhile --- */

enum { PICUS_RESULT_TRIES = 50 }; /* of reading a file that changes meanwhile */
/* what: the name of a column, or a range of contacts */
typedef picus_status (*picus_result_read_fn)(picus_result *result, const void *what, void *values);
picus_status picus_result_fill_block(picus_result *result, picus_result_read_fn read, const void *what, size_t size,
                                     void *block);
/* A block of values that a function fills from the file; NULL: the status gives the reason. */
void *picus_result_load_block(picus_result *result, picus_result_read_fn read, const void *what, size_t count,
                              size_t size, picus_status *status);

#endif
