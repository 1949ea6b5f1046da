/* Recording a run as rows of named columns, and reading recorded results back.
 *
 * The recorder copies rows into a buffer of fixed size and hands full buffers to its sinks: files, or a user's own
 * function. Memory does not grow with the length of the run. */
#ifndef PICUS_RECORD_H
#define PICUS_RECORD_H

#include <picus/base.h>
#include <picus/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum picus_column_kind {
  PICUS_COLUMN_TIME,
  PICUS_COLUMN_COORDINATE,
  PICUS_COLUMN_VELOCITY,
  PICUS_COLUMN_GAP,
  PICUS_COLUMN_LAW_VELOCITY,
  PICUS_COLUMN_PERCUSSION,
  PICUS_COLUMN_MODE,
  PICUS_COLUMN_ENERGY,
  PICUS_COLUMN_STEP, /* size and order of the step, in adaptive runs */
  PICUS_COLUMN_OBSERVABLE
} picus_column_kind;

typedef struct picus_column {
  const char *name;  /* "phiS", "beak.gap", "E.kin" */
  const char *unit;  /* "" where unknown */
  const char *label; /* for figures; never NULL */
  picus_column_kind kind;
} picus_column;

/* A switching point: a law was found in another mode after a step than after the step before, or planar slip turned
 * round, or a closed contact had an impact, with the same mode before and after. The law switched within the step, or,
 * where the scheme looks at gaps at midpoints, at most half a step before it. A direction of slip is a unit vector, in
 * planar friction the sign of the slip alone; it is zero where the law does not slip. Percussion and energy lost belong
 * to the step: for a contact that closes they are those of the impact.
 */
typedef struct picus_switching {
  double t, dt; /* s, end and size of the step */
  int law;      /* index in the system */
  picus_mode from, to;
  double from_slip[3], to_slip[3];
  double PN, PF[3];   /* N s, percussion of the step; PN also for bilateral constraints */
  double lost;        /* J, taken out by the law in the step */
  double lost_before; /* J, taken out by the law since its last switching point, before the step */
  int impact;         /* 1: the law had an impact in the step, as in picus_summary; 0: none */
  int bounces;        /* of an accumulation point that shows here; 0: none */
  double limit;       /* s, where the accumulating impacts come together; NAN: none */
} picus_switching;

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
/* Before the run. Lifetime: `sink` belongs to the recorder from now on, which destroys it.
 *
 * Files grow in PATH.part and get their name at the end of the run, also of one that failed; until then an older file
 * stays. No two of them may be one file, and none a file that the model was read from. */
PICUS_API picus_status picus_recorder_add_sink(picus_recorder *recorder, picus_sink sink);
PICUS_API picus_status picus_recorder_add_hdf5(picus_recorder *recorder, const char *path);
PICUS_API picus_status picus_recorder_add_csv(picus_recorder *recorder, const char *path);
/* The switching points alone; the HDF5 file has them beside its rows. */
PICUS_API picus_status picus_recorder_add_switching_csv(picus_recorder *recorder, const char *path);
PICUS_API int picus_recorder_column_count(const picus_recorder *recorder);
/* Lifetime: its texts live as long as the recorder. */
PICUS_API picus_column picus_recorder_column(const picus_recorder *recorder, int index);

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
