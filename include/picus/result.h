/* Results in files: writing them while a run goes on, and reading them back. */
#ifndef PICUS_RESULT_H
#define PICUS_RESULT_H

#include <picus/base.h>
#include <picus/column.h>
#include <picus/contact.h>
#include <picus/model.h>
#include <picus/recorder.h>
#include <picus/step.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sinks that write a file, to be added before the run. Files grow in PATH.part and get their name at the end of the
 * run, also of one that failed; until then an older file stays. No two of them may be one file, and none a file that
 * the model was read from. */
PICUS_API picus_status picus_recorder_add_hdf5(picus_recorder *recorder, const char *path);
PICUS_API picus_status picus_recorder_add_csv(picus_recorder *recorder, const char *path);
/* The switching points alone; the HDF5 file has them beside its rows. */
PICUS_API picus_status picus_recorder_add_switching_csv(picus_recorder *recorder, const char *path);

/* Results read back from an HDF5 file written by Picus. Columns are loaded whole. Where there is no such file but
 * PATH.part, of a run that goes on or was killed, that is opened, and a note in the log says so. */
typedef struct picus_result picus_result;
PICUS_API picus_status picus_result_open(picus_context *context, const char *path, picus_result **out);
PICUS_API void picus_result_close(picus_result *result);
PICUS_API int picus_result_column_count(const picus_result *result);
/* Lifetime: its texts live as long as the result. */
PICUS_API picus_column picus_result_column(const picus_result *result, int index);
PICUS_API int picus_result_find(const picus_result *result, const char *name); /* -1: no such column */
PICUS_API long picus_result_row_count(const picus_result *result);
/* values: row_count doubles. Lifetime: that of the result. */
PICUS_API picus_status picus_result_values(picus_result *result, int column, const double **values);
/* The laws of the run, by the index that switching points use. */
typedef struct picus_result_law {
  const char *name;
  const char *kind; /* "unilateral", "coulomb", "reservoir", "bilateral" */
  int slips;
} picus_result_law;
PICUS_API int picus_result_law_count(const picus_result *result);
/* Lifetime: its texts live as long as the result. */
PICUS_API picus_result_law picus_result_law_at(const picus_result *result, int index);
/* The switching points in the order of time, owned by the result, valid until it is closed; count -1: the file has no
 * ledger, as files of earlier versions. */
PICUS_API long picus_result_switching_count(const picus_result *result);
/* Lifetime: that of the result. */
PICUS_API picus_status picus_result_switchings(picus_result *result, const picus_switching **switchings);
/* Writes them as picus_recorder_add_switching_csv does. law: of which; -1: of all. */
PICUS_API picus_status picus_result_export_switchings(picus_result *result, int law, const char *path);
/* "open", "stick", "slip", and "closed" for a law without friction. */
PICUS_API const char *picus_mode_text(picus_mode mode, int slips); /* Lifetime: that of the program */
/* Text kept with the run: "model.name", "model.source", "options.scheme", "version", "command", "status", ... ; ""
 * where the file has none. Numbers ("options.dt", "statistics.steps", "parameters.mu"): NAN where it has none.
 * Lifetime: that of the result. */
PICUS_API const char *picus_result_text(const picus_result *result, const char *key);
PICUS_API double picus_result_number(const picus_result *result, const char *key);
/* Adds numbers under GROUP.NAME to a result file that is complete. The group must be new. */
PICUS_API picus_status picus_result_add_numbers(picus_context *context, const char *path, const char *group, int count,
                                                const char *const *names, const double *numbers);
/* All keys in the file's order, from 0, until NULL. A key has a text or a number, as is_text says. Lifetime: that of
 * the result. */
PICUS_API const char *picus_result_key(const picus_result *result, int index, bool *is_text);
/* The model's default figure, stored with the run. */
PICUS_API int picus_result_plot_count(const picus_result *result);
/* Lifetime: that of the result. */
PICUS_API picus_plot_panel picus_result_plot(const picus_result *result, int index);

#ifdef __cplusplus
}
#endif

#endif
