/* Recording a run as rows of named columns.
 *
 * The recorder copies rows into a buffer of fixed size and hands full buffers to its sinks: files, or a user's own
 * function. Memory does not grow with the length of the run. */
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

/* What a file says about the run besides its rows. Strings belong to the caller and must outlive the recorder. */
typedef struct picus_run_description {
  const picus_model *model; /* may be NULL: a system from functions */
  const picus_system *system;
  const picus_sim_options *options;
  const char *command; /* how the run was started; "" if unknown */
} picus_run_description;

/* Where rows go. Each function returns PICUS_OK or an error whose sentence it has put on the context. After an error a
 * sink gets nothing more but is closed; other sinks go on. All may be NULL, but not both write and write_switchings. */
typedef struct picus_sink {
  void *self;
  picus_status (*open)(void *self, const picus_run_description *run, int column_count, const picus_column *columns);
  /* rows: row_count x column_count, row-major */
  picus_status (*write)(void *self, long row_count, int column_count, const double *rows);
  /* Called once, also after an error or an interrupt: completes the file. */
  picus_status (*close)(void *self, const picus_summary *summary);
  void (*destroy)(void *self);
  /* The switching points of all laws, in the order of time, in blocks like the rows. */
  picus_status (*write_switchings)(void *self, long count, const picus_switching *switchings);
} picus_sink;

/* Lifetime: `*out` until `picus_recorder_destroy`, before what `run` points to. */
PICUS_API picus_status picus_recorder_create(picus_context *context, const picus_run_description *run,
                                             picus_recorder **out);
PICUS_API void picus_recorder_destroy(picus_recorder *recorder);
/* Before the run. Lifetime: `sink` belongs to the recorder from now on, which destroys it. */
PICUS_API picus_status picus_recorder_add_sink(picus_recorder *recorder, picus_sink sink);
PICUS_API int picus_recorder_column_count(const picus_recorder *recorder);
/* Lifetime: its texts live as long as the recorder. */
PICUS_API picus_column picus_recorder_column(const picus_recorder *recorder, int index);

#ifdef __cplusplus
}
#endif

#endif
