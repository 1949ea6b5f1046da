/* Results: columns, recorders that write them, and result files that are read back. */
#ifndef PICUS_RESULT_H
#define PICUS_RESULT_H

#include <picus/base.h>
#include <picus/bodies.h>
#include <picus/contact.h>
#include <picus/model.h>
#include <picus/options.h>
#include <picus/sim.h>
#include <picus/system.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- columns ---------------------------------------------------------------------------------------------------- */

/* The columns of a result. */
typedef enum picus_column_kind {
  PICUS_COLUMN_TIME,
  PICUS_COLUMN_COORDINATE,
  PICUS_COLUMN_VELOCITY,
  PICUS_COLUMN_GAP,
  PICUS_COLUMN_LAW_VELOCITY,
  PICUS_COLUMN_PERCUSSION,
  PICUS_COLUMN_MODE,
  PICUS_COLUMN_ENERGY,
  PICUS_COLUMN_STEP, /* step size and order, in adaptive runs; residual of the contact problems */
  PICUS_COLUMN_OBSERVABLE,
  PICUS_COLUMN_INPUT,
  PICUS_COLUMN_FORCE,   /* contact force at an end of a step, in schemes that have such forces */
  PICUS_COLUMN_IMPULSE, /* contact impulse at the end of a step, in these schemes */
  PICUS_COLUMN_WORK     /* since the start of the run */
} picus_column_kind;

typedef struct picus_column {
  const char *name;  /* "phiS", "beak.gap", "E.kin" */
  const char *unit;  /* "" if unknown */
  const char *label; /* in figures; never NULL */
  picus_column_kind kind;
} picus_column;

/* --- recording -------------------------------------------------------------------------------------------------- */

/* Recording a run as rows of named columns.
 *
 * The recorder copies rows into a buffer of fixed size and passes full buffers to its sinks: files or user-defined
 * functions. Memory does not grow with the length of the run. */
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
  /* States at events in blocks, after the switching points: entries: count x width, each with the number of the event
   * of the model (or -1), that of the switching point (or -1), t, and the recorded coordinates, velocities and inputs.
   */
  picus_status (*write_states)(void *self, long count, int width, const double *entries);
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
  long rows;         /* recorded */
  uint64_t last_row; /* checksum of the last row */
  long switchings;   /* recorded */
  long states;       /* at events, recorded */
  long contact_rows; /* rows whose contacts are not in the checkpoint */
} picus_row_mark;
PICUS_API picus_row_mark picus_recorder_mark(const picus_recorder *recorder);
/* The error of the first sink that failed, with which the run will end; PICUS_OK: none. */
PICUS_API picus_status picus_recorder_status(const picus_recorder *recorder);
PICUS_API int picus_recorder_column_count(const picus_recorder *recorder);
/* Contacts of shapes by pair, if the option pairs asks for them: energy and normal percussions since the start, after
 * the last step. Their columns are E.diss.NAME, NAME.PN and so on. */
typedef struct picus_pair_total {
  const char *name;      /* "a-b" */
  double dissipated, PN; /* J, N s */
} picus_pair_total;      /* Lifetime: its name lives as long as the recorder */
PICUS_API int picus_recorder_pair_count(const picus_recorder *recorder);
PICUS_API picus_pair_total picus_recorder_pair(const picus_recorder *recorder, int index);
/* Lifetime: its texts live as long as the recorder. */
PICUS_API picus_column picus_recorder_column(const picus_recorder *recorder, int index);

/* --- rows in memory ---------------------------------------------------------------------------------------------- */

/* The rows of one run in memory, column by column, with its switching points and, on request, its detected contacts
 * and nodes: for programs that use them at once. Its size grows with the run. */
typedef struct picus_memory picus_memory;
PICUS_API picus_status picus_memory_create(picus_context *context, picus_memory **out);
PICUS_API void picus_memory_destroy(picus_memory *memory);
/* Besides the rows, bits: */
enum { PICUS_MEMORY_SWITCHINGS = 1, PICUS_MEMORY_CONTACTS = 2, PICUS_MEMORY_NODES = 4, PICUS_MEMORY_STATES = 8 };
/* Before the run, once for each memory. The memory stays with the caller and must outlive the recorder. */
PICUS_API picus_status picus_recorder_add_memory(picus_recorder *recorder, picus_memory *memory, unsigned parts);
PICUS_API long picus_memory_row_count(const picus_memory *memory);
PICUS_API int picus_memory_column_count(const picus_memory *memory);
/* Lifetime: its texts live as long as the memory. */
PICUS_API picus_column picus_memory_column(const picus_memory *memory, int index);
PICUS_API int picus_memory_find(const picus_memory *memory, const char *name); /* -1: no such column */
/* row_count values, one after the other. Lifetime: after the run as long as the memory. */
PICUS_API const double *picus_memory_values(const picus_memory *memory, int column);
PICUS_API long picus_memory_switching_count(const picus_memory *memory);
/* Ordered by time. Lifetime: after the run as long as the memory. */
PICUS_API const picus_switching *picus_memory_switchings(const picus_memory *memory);
/* The contacts of a row, and their number; NULL and 0 if they were not requested. Lifetime: after the run as long as
 * the memory. */
PICUS_API const picus_contact_point *picus_memory_contacts(const picus_memory *memory, long row, int *count);
/* The displacements or velocities of the nodes of a table (picus_system_node_table) in all rows, row_count x node_count
 * x component_count; NULL if they were not requested, or if there are none. Lifetime: after the run as long as the
 * memory. */
PICUS_API const double *picus_memory_nodes(const picus_memory *memory, int table, bool velocities);

/* --- result files ----------------------------------------------------------------------------------------------- */

/* Result files: writing them during a run, and reading them back. */
/* Sinks that write a file, to be added before the run. Data is written to PATH.part, which is renamed to PATH at the
 * end of the run, even if the run failed; until then an older file PATH stays. Two sinks must not write the same file,
 * and none may write a file that the model was read from. */
PICUS_API picus_status picus_recorder_add_hdf5(picus_recorder *recorder, const char *path);
PICUS_API picus_status picus_recorder_add_csv(picus_recorder *recorder, const char *path);
/* Switching points only; the HDF5 file contains them in addition to its rows. */
PICUS_API picus_status picus_recorder_add_switching_csv(picus_recorder *recorder, const char *path);
/* Detected contacts, a line for each contact of each row; the HDF5 file contains them in addition to its rows.
 */
PICUS_API picus_status picus_recorder_add_contact_csv(picus_recorder *recorder, const char *path);

/* Results read from an HDF5 file written by Picus. Columns are loaded completely. If only PATH.part exists, from a run
 * that is unfinished or was killed, that file is opened, with a note in the log. */
typedef struct picus_result picus_result;
PICUS_API picus_status picus_result_open(picus_context *context, const char *path, picus_result **out);
PICUS_API void picus_result_close(picus_result *result);
/* True if the file is truncated, for example by an interrupted copy. The result then has only rows that are complete in
 * all columns, and the log contains a warning. */
PICUS_API bool picus_result_is_cut(const picus_result *result);
/* For programs that use HDF5 through Picus only, before their first file: HDF5 does nothing when the process ends. All
 * files are closed by then, and HDF5 1.10 crashes there if it could not read a file that it was changing. */
PICUS_API void picus_result_skip_exit(void);
/* Before picus_sim_run continues from a checkpoint: the recorder first receives the rows, switching points, contacts
 * and nodes of the result that the checkpoint has counted, so its files equal those of an uninterrupted run. Lifetime:
 * the result is needed until the run has begun. */
PICUS_API void picus_recorder_continue(picus_recorder *recorder, picus_result *result);
/* Whether the result has the rows, switching points, contacts and nodes of the mark. */
PICUS_API bool picus_result_holds(picus_result *result, picus_row_mark mark);
/* For results that do not fit in memory. If there are more than `most` rows, only `shown` of them (2 to 10^9) are
 * visible from now on, with their contacts and nodes: evenly spaced, including the first and the last. Call it before
 * anything is read; the log contains a note. */
PICUS_API void picus_result_thin(picus_result *result, long most, long shown);
PICUS_API int picus_result_column_count(const picus_result *result);
/* Lifetime: its texts live as long as the result. */
PICUS_API picus_column picus_result_column(const picus_result *result, int index);
PICUS_API int picus_result_find(const picus_result *result, const char *name); /* -1: no such column */
PICUS_API long picus_result_row_count(const picus_result *result);
/* values: row_count doubles. Lifetime: as long as the result. */
PICUS_API picus_status picus_result_values(picus_result *result, int column, const double **values);
/* The same into memory of the caller, for large results: the result itself keeps the column only if it is part of a
 * table of very many. */
PICUS_API picus_status picus_result_read(picus_result *result, int column, double *values);
/* The laws of the run, indexed as in switching points: the laws of the system, then detected laws with switching
 * points. */
typedef struct picus_result_law {
  const char *name;
  const char *kind; /* "unilateral", "coulomb", "reservoir", "bilateral" */
  int slips;        /* friction rows */
  int source;       /* source and key of a detected law; else -1 and 0 */
  uint64_t key;     /* */
} picus_result_law;
PICUS_API int picus_result_law_count(const picus_result *result);
/* Lifetime: its texts live as long as the result. */
PICUS_API picus_result_law picus_result_law_at(const picus_result *result, int index);
/* The switching points, ordered by time, owned by the result and valid until it is closed. Count -1: the file has no
 * event log, as in files of earlier versions. */
PICUS_API long picus_result_switching_count(const picus_result *result);
/* Lifetime: as long as the result. */
PICUS_API picus_status picus_result_switchings(picus_result *result, const picus_switching **switchings);
/* Writes the switching points of one law (-1: of all laws) as picus_recorder_add_switching_csv does. */
PICUS_API picus_status picus_result_export_switchings(picus_result *result, int law, const char *path);
/* A change of a condition or of a kink in an expression, which adaptive runs locate. */
typedef struct picus_switch_change {
  double t;              /* s */
  const char *function;  /* "x = 0.5", */
  const char *from, *to; /* "x < 0.5", "x > 0.5" */
  int side;              /* after it: 1: x > 0.5; -1: x < 0.5 */
} picus_switch_change;
/* All of a run, ordered by time. A run that has not ended, and one with fixed steps, have none. The first 1 048 576 are
 * kept; "switches.changes" has the number of all. Lifetime: as long as the result. */
PICUS_API picus_status picus_result_switch_changes(picus_result *result, long *count,
                                                   const picus_switch_change **changes);
/* Writes them as CSV: t, function, from, to. */
PICUS_API picus_status picus_result_export_switch_changes(picus_result *result, const char *path);
/* The state at an event of the model (`on`, `stop_when`), before what it sets, or at a switching point of a law of the
 * system, at the end of its step. */
typedef struct picus_state_at_event {
  double t;             /* s */
  const char *event;    /* of the model; NULL: */
  long switching;       /* the number of the switching point; else -1 */
  const double *values; /* column_count */
} picus_state_at_event;
/* columns: t, and the recorded coordinates, velocities and inputs with the states of controllers. */
typedef struct picus_event_states {
  long count;
  int column_count;
  const char *const *columns;
  const picus_state_at_event *states; /* ordered by time */
} picus_event_states;
/* With more than 253 columns only those at events of the model. Lifetime: as long as the result. */
PICUS_API picus_status picus_result_event_states(picus_result *result, picus_event_states *out);
/* The same of a run in memory, if they were requested; switching points have theirs only with PICUS_MEMORY_SWITCHINGS.
 * Lifetime: as long as the memory. */
PICUS_API picus_status picus_memory_event_states(picus_memory *memory, picus_event_states *out);
/* Writes those of one law, or all (-1), as CSV: event (the name of the event, or of the law), switching, t, ... */
PICUS_API picus_status picus_result_export_event_states(picus_result *result, int law, const char *path);
/* Detected contacts. Number of rows whose contacts are in the file: all, unless the run was killed; -1: the run
 * had no such laws. */
PICUS_API long picus_result_contact_rows(const picus_result *result);
/* Their number in a row; 0: the row has none in the file. */
PICUS_API int picus_result_contact_count(const picus_result *result, long row);
/* The contacts of a row: picus_result_contact_count. Lifetime: until the next call, or as long as the result. */
PICUS_API picus_status picus_result_contacts(picus_result *result, long row, const picus_contact_point **contacts);
/* The bodies that contacts refer to by index. */
PICUS_API int picus_result_body_count(const picus_result *result);
/* Its name; "": no such body. Lifetime: as long as the result. */
PICUS_API const char *picus_result_body(const picus_result *result, int body);
/* The nodes of flexible components: a table for each of them. */
PICUS_API int picus_result_node_table_count(const picus_result *result);
/* Lifetime: its texts and arrays live as long as the result. */
PICUS_API picus_node_table picus_result_node_table_at(const picus_result *result, int table);
PICUS_API int picus_result_find_node_table(const picus_result *result, const char *name); /* -1: no such component */
/* The rows of the result that have nodes: all, even if the run was killed. */
PICUS_API long picus_result_node_table_rows(const picus_result *result, int table);
/* Reads rows first to first + count - 1 into memory of the caller: displacements into values[0], velocities into
 * values[1], count x node_count x component_count each. Either may be NULL. */
PICUS_API picus_status picus_result_node_table_read(picus_result *result, int table, long first, long count,
                                                    double *const values[2]);
/* Writes a table as CSV: a line for each node of each row. */
PICUS_API picus_status picus_result_export_nodes(picus_result *result, int table, const char *path);
/* Writes all rows as picus_recorder_add_csv does. */
PICUS_API picus_status picus_result_export_rows(picus_result *result, const char *path);
/* Writes the contacts of all rows as picus_recorder_add_contact_csv does. */
PICUS_API picus_status picus_result_export_contacts(picus_result *result, const char *path);
/* "open", "stick", "slip", and "closed" for a law without friction. */
PICUS_API const char *picus_mode_text(picus_mode mode, int slips); /* Lifetime: static */
/* Text stored with the run: "model.name", "model.source", "options.scheme", "version", "command", "status", ... ; "" if
 * missing. Numbers ("options.dt", "statistics.steps", "parameters.mu"): NAN if missing. Lifetime: as long as the
 * result. */
PICUS_API const char *picus_result_text(const picus_result *result, const char *key);
PICUS_API double picus_result_number(const picus_result *result, const char *key);
/* Adds numbers under GROUP.NAME to a complete result file. The group must be new. */
PICUS_API picus_status picus_result_add_numbers(picus_context *context, const char *path, const char *group, int count,
                                                const char *const *names, const double *numbers);
/* All keys in file order, by index from 0; NULL ends the list. is_text: the key has a text, otherwise a number.
 * Lifetime: as long as the result. */
PICUS_API const char *picus_result_key(const picus_result *result, int index, bool *is_text);
/* The default figure of the model, stored with the run. */
PICUS_API int picus_result_plot_count(const picus_result *result);
/* Lifetime: as long as the result. */
PICUS_API picus_plot_panel picus_result_plot(const picus_result *result, int index);
/* The drawing of the model; NULL: the file has none. Lifetime: as long as the result. */
PICUS_API picus_status picus_result_drawing(picus_result *result, const picus_drawing **drawing);

#ifdef __cplusplus
}
#endif

#endif
