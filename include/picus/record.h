/* Recording a run as rows of named columns, and reading results back.
 *
 * The recorder copies rows into a buffer of fixed size and passes full buffers to its sinks: files or user-defined
 * functions. Memory does not grow with the length of the run. */
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
  PICUS_COLUMN_STEP, /* step size and order, in adaptive runs */
  PICUS_COLUMN_OBSERVABLE
} picus_column_kind;

typedef struct picus_column {
  const char *name;  /* "phiS", "beak.gap", "E.kin" */
  const char *unit;  /* "" if unknown */
  const char *label; /* in figures; never NULL */
  picus_column_kind kind;
} picus_column;

/* A switching point: in this step the mode of a law changed, planar slip changed its sign, or a closed contact had an
 * impact and kept its mode. The law switched within the step or, if the scheme evaluates gaps at midpoints, at most
 * half a step before it. A direction of slip is a unit vector, in planar friction the sign of the slip velocity; it is
 * zero if the law does not slip. Percussion and dissipated energy are those of the step: for a contact that closes,
 * those of the impact. */
typedef struct picus_switching {
  double t, dt; /* s, end and size of the step */
  int law;      /* index in the system */
  picus_mode from, to;
  double from_slip[3], to_slip[3];
  double PN, PF[3];   /* N s, percussion (contact impulse) of the step; PN also for bilateral constraints */
  double lost;        /* J, dissipated by the law in the step */
  double lost_before; /* J, dissipated by the law since its last switching point, before the step */
  int impact;         /* 1: the law had an impact in the step, as in picus_summary; 0: none */
  int bounces;        /* number of impacts of an accumulation point detected here; 0: none */
  double limit;       /* s, limit of the accumulating impacts; NAN: none */
} picus_switching;

/* Description of the run, stored with its rows. Strings belong to the caller and must outlive the recorder. */
typedef struct picus_run_description {
  const picus_model *model; /* NULL: a system from functions */
  const picus_system *system;
  const picus_sim_options *options;
  const char *command; /* command that started the run; "" if unknown */
} picus_run_description;

/* Destination of rows. Each function returns PICUS_OK or an error, with its message on the context. After an error the
 * sink is closed and receives no more rows; other sinks continue. Any function may be NULL, but not both write and
 * write_switchings. */
typedef struct picus_sink {
  void *self;
  picus_status (*open)(void *self, const picus_run_description *run, int column_count, const picus_column *columns);
  /* rows: row_count x column_count, row-major */
  picus_status (*write)(void *self, long row_count, int column_count, const double *rows);
  /* Called once, also after an error or an interrupt: completes the file. */
  picus_status (*close)(void *self, const picus_summary *summary);
  void (*destroy)(void *self);
  /* The switching points of all laws, ordered by time, in blocks like the rows. */
  picus_status (*write_switchings)(void *self, long count, const picus_switching *switchings);
} picus_sink;

/* Lifetime: `*out` until `picus_recorder_destroy`, before what `run` points to. */
PICUS_API picus_status picus_recorder_create(picus_context *context, const picus_run_description *run,
                                             picus_recorder **out);
PICUS_API void picus_recorder_destroy(picus_recorder *recorder);
/* Before the run. Lifetime: `sink` belongs to the recorder from now on, which destroys it.
 *
 * Data is written to PATH.part, which is renamed to PATH at the end of the run, also if the run failed; until then an
 * older file PATH stays. Two sinks must not write the same file, and none may write a file that the model was read
 * from. */
PICUS_API picus_status picus_recorder_add_sink(picus_recorder *recorder, picus_sink sink);
PICUS_API picus_status picus_recorder_add_hdf5(picus_recorder *recorder, const char *path);
PICUS_API picus_status picus_recorder_add_csv(picus_recorder *recorder, const char *path);
/* Switching points only; the HDF5 file contains them in addition to its rows. */
PICUS_API picus_status picus_recorder_add_switching_csv(picus_recorder *recorder, const char *path);
PICUS_API int picus_recorder_column_count(const picus_recorder *recorder);
/* Lifetime: its texts live as long as the recorder. */
PICUS_API picus_column picus_recorder_column(const picus_recorder *recorder, int index);

/* Results read from an HDF5 file written by Picus. Columns are loaded completely. If only PATH.part exists, from a run
 * that is unfinished or was killed, that file is opened, with a note in the log. */
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
/* The laws of the run, indexed as in switching points. */
typedef struct picus_result_law {
  const char *name;
  const char *kind; /* "unilateral", "coulomb", "reservoir", "bilateral" */
  int slips;
} picus_result_law;
PICUS_API int picus_result_law_count(const picus_result *result);
/* Lifetime: its texts live as long as the result. */
PICUS_API picus_result_law picus_result_law_at(const picus_result *result, int index);
/* The switching points, ordered by time, owned by the result and valid until it is closed. Count -1: the file has no
 * event log, as in files of earlier versions. */
PICUS_API long picus_result_switching_count(const picus_result *result);
/* Lifetime: that of the result. */
PICUS_API picus_status picus_result_switchings(picus_result *result, const picus_switching **switchings);
/* Writes the switching points of one law (-1: all laws) as picus_recorder_add_switching_csv does. */
PICUS_API picus_status picus_result_export_switchings(picus_result *result, int law, const char *path);
/* "open", "stick", "slip", and "closed" for a law without friction. */
PICUS_API const char *picus_mode_text(picus_mode mode, int slips); /* Lifetime: that of the program */
/* Text stored with the run: "model.name", "model.source", "options.scheme", "version", "command", "status", ... ; "" if
 * missing. Numbers ("options.dt", "statistics.steps", "parameters.mu"): NAN if missing. Lifetime: that of the
 * result. */
PICUS_API const char *picus_result_text(const picus_result *result, const char *key);
PICUS_API double picus_result_number(const picus_result *result, const char *key);
/* Adds numbers under GROUP.NAME to a complete result file. The group must be new. */
PICUS_API picus_status picus_result_add_numbers(picus_context *context, const char *path, const char *group, int count,
                                                const char *const *names, const double *numbers);
/* All keys in file order, by index from 0; NULL ends the list. is_text: the key has a text, otherwise a number.
 * Lifetime: that of the result. */
PICUS_API const char *picus_result_key(const picus_result *result, int index, bool *is_text);
/* The default figure of the model, stored with the run. */
PICUS_API int picus_result_plot_count(const picus_result *result);
/* Lifetime: that of the result. */
PICUS_API picus_plot_panel picus_result_plot(const picus_result *result, int index);

#ifdef __cplusplus
}
#endif

#endif
