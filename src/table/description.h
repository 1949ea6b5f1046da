/* The group /picus of a result file: everything about a run besides its rows. Layout: docs/results.md. */
#ifndef PICUS_TABLE_DESCRIPTION_H
#define PICUS_TABLE_DESCRIPTION_H

#include <hdf5.h>
#include <picus/bodies.h>
#include <picus/result.h>

/* "time", "coordinate", ...: how files name the kind of a column. Unknown names are observables. */
const char *picus_column_kind_name(picus_column_kind kind);
picus_column_kind picus_column_kind_of(const char *name);

/* Before the first row; the run's status is "running" and its statistics are zeros. */
bool picus_hdf5_describe(picus_context *context, hid_t file, const picus_run_description *run, int column_count,
                         const picus_column *columns);
/* At the end, in place: the file does not grow, so this also works on a full disk. */
bool picus_hdf5_finish(picus_context *context, hid_t file, const picus_system *system, const picus_summary *summary,
                       const char *status);

/* --- the drawing -------------------------------------------------------------------------------------------------- */

/* The group /picus/drawing. Layout: docs/results.md. */

/* Writes the drawing of the model into the group /picus; true also if there is none. */
bool picus_hdf5_describe_drawing(picus_context *context, hid_t parent, const picus_model *model);
/* Reads it back; *out is NULL if the file has none. What it contains is checked: all numbers are in their ranges. */
picus_status picus_hdf5_read_drawing(picus_context *context, const char *path, hid_t file, picus_drawing **out);

#endif
