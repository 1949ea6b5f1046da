/* The recorder from the inside: what the run driver asks of it, and its two halves, the columns of a system and the
 * core that carries rows of any source to the sinks. */
#ifndef PICUS_RECORD_INTERNAL_H
#define PICUS_RECORD_INTERNAL_H

#include <picus/record.h>

/* For the run driver. begin opens the sinks. The call in which a sink fails returns that error; the other sinks go on,
 * and rows may still be taken as long as one is left. end must be called whatever happened: it writes what is buffered,
 * closes every sink and returns the first error of any. Where the run itself failed, its sentence stays on the
 * context. */
picus_status picus_recorder_begin(picus_recorder *recorder);
picus_status picus_recorder_take_row(picus_recorder *recorder, picus_sim *sim);
picus_status picus_recorder_end(picus_recorder *recorder, const picus_summary *summary);
long picus_recorder_rows(const picus_recorder *recorder); /* taken so far */

/* Columns with texts of their own. */
typedef struct picus_column_list {
  picus_column *columns;
  size_t count, capacity;
} picus_column_list;
picus_status picus_columns_add(picus_context *context, picus_column_list *list, picus_column column); /* copies */
void picus_columns_release(picus_context *context, picus_column_list *list);
/* Names and order as in docs/results.md. */
picus_status picus_columns_of_system(picus_context *context, const picus_system *system, bool adaptive,
                                     picus_column_list *list);
/* Fills a row of these columns with the state a simulation has reached. laws: room for all laws. */
picus_status picus_columns_fill(picus_sim *sim, picus_law_state *laws, double *row);

/* The core: any columns, rows by a function. The list is taken over, also on failure. */
typedef picus_status (*picus_row_fn)(void *source, double *row);
picus_status picus_recorder_create_core(picus_context *context, const picus_run_description *run,
                                        picus_column_list *columns, picus_recorder **out);
picus_status picus_recorder_add_row(picus_recorder *recorder, picus_row_fn fill, void *source);

/* For sinks that write a file of their own: create makes the sink but does not touch the file yet. */
typedef picus_status (*picus_sink_create_fn)(picus_context *context, const char *path, picus_sink *out);
picus_status picus_recorder_add_file(picus_recorder *recorder, const char *path, picus_sink_create_fn create);

#endif
