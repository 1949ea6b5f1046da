/* Recording a run as rows of named columns.
 *
 * The recorder copies rows into a buffer of fixed size and passes full buffers to its sinks: files or user-defined
 * functions. Memory does not grow with the length of the run. */
#ifndef PICUS_RECORDER_H
#define PICUS_RECORDER_H

#include <picus/base.h>
#include <picus/column.h>
#include <picus/model.h>
#include <picus/options.h>
#include <picus/step.h>
#include <picus/system.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct picus_recorder picus_recorder;

/* Description of the run, stored with its rows. Strings belong to the caller and must outlive the recorder. */
typedef struct picus_run_description {
  const picus_model *model; /* NULL: a system from functions */
  const picus_system *system;
  const picus_sim_options *options;
  const char *command; /* command that started the run; "" if unknown */
} picus_run_description;

/* Destination of rows. Each function returns PICUS_OK or an error, with its message on the context. After an error the
 * sink is closed and receives no more rows; other sinks continue. Any function may be NULL, but not all of write,
 * write_switchings, write_contacts and write_nodes. */
typedef struct picus_sink {
  void *self;
  picus_status (*open)(void *self, const picus_run_description *run, int column_count, const picus_column *columns);
  /* rows: row_count x column_count, row-major */
  picus_status (*write)(void *self, long row_count, int column_count, const double *rows);
  /* Called once, even after an error or an interrupt: completes the file. */
  picus_status (*close)(void *self, const picus_summary *summary);
  void (*destroy)(void *self);
  /* The switching points of all laws, ordered by time, in blocks like the rows. */
  picus_status (*write_switchings)(void *self, long count, const picus_switching *switchings);
  /* A detected law, before its first switching point. A sink without this function receives only switching points of
   * the system's own laws. */
  picus_status (*write_law)(void *self, const picus_switching *first);
  /* The contacts of every row, in systems with detected laws; before the block with the row. */
  picus_status (*write_contacts)(void *self, const picus_contact_sample *sample);
  /* The nodes of every row, table by table (picus_system_node_table); before the block with the row. */
  picus_status (*write_nodes)(void *self, const picus_node_sample *sample);
} picus_sink;

/* Lifetime: `*out` until `picus_recorder_destroy`, before what `run` points to. */
PICUS_API picus_status picus_recorder_create(picus_context *context, const picus_run_description *run,
                                             picus_recorder **out);
PICUS_API void picus_recorder_destroy(picus_recorder *recorder);
/* Before the run. Lifetime: the recorder takes ownership of `sink`. */
PICUS_API picus_status picus_recorder_add_sink(picus_recorder *recorder, picus_sink sink);
/* Before the run: maximum number of switching points of detected contacts for the sinks; default 1 000 000. The step in
 * which this number is reached is the last step with such contacts, so the event log is complete up to a time, which
 * the summary contains. 0: none; negative: all. Switching points of the system's own laws are not limited. */
PICUS_API void picus_recorder_limit_events(picus_recorder *recorder, long most);
/* Before the run: records the columns whose names match one of the patterns, and the time. Patterns are separated by
 * spaces or commas; '*' stands for any letters, '?' for one. A pattern that matches no column is an error. Once only.
 */
PICUS_API picus_status picus_recorder_select(picus_recorder *recorder, const char *patterns);
/* Before the run: rounds all numbers of rows but the time to single precision (IEEE 754, 32 bits), in all sinks.
 * Numbers beyond 3.4e38 become infinite. Files then need about half of the space. Default: double precision. */
PICUS_API picus_status picus_recorder_set_single(picus_recorder *recorder, bool is_single);
/* Before the run: whether HDF5 files are compressed (shuffle and deflate, which every HDF5 reader supports). Default:
 * yes. Uncompressed rows take about half of the time and twice the space. Tables of many columns are always compressed.
 */
PICUS_API picus_status picus_recorder_set_compressed(picus_recorder *recorder, bool is_compressed);
/* For checkpoints, after picus_sim_save: the rows, switching points and contact rows that only the results contain, not
 * the checkpoint. */
typedef struct picus_row_mark {
  long rows;
  uint64_t last_row; /* checksum of the last row */
  long switchings;
  long contact_rows; /* rows whose contacts are not in the checkpoint */
} picus_row_mark;
PICUS_API picus_row_mark picus_recorder_mark(const picus_recorder *recorder);
/* The error of the first sink that failed, with which the run will end; PICUS_OK: none. */
PICUS_API picus_status picus_recorder_status(const picus_recorder *recorder);
PICUS_API int picus_recorder_column_count(const picus_recorder *recorder);
/* Lifetime: its texts live as long as the recorder. */
PICUS_API picus_column picus_recorder_column(const picus_recorder *recorder, int index);

#ifdef __cplusplus
}
#endif

#endif
