/* Internals of the recorder: its interface to the run driver, and its two halves, the columns of a system and the core
 * that passes rows of any source to the sinks. */
#ifndef PICUS_RECORD_INTERNAL_H
#define PICUS_RECORD_INTERNAL_H

#include "base/archive.h"
#include "system/law_set.h"

#include <picus/result.h>

struct stepper_snapshot;

/* A step as the recorder sees it: the simulation's own arrays after the step, read only. */
typedef struct picus_step_view {
  const picus_system *system;
  const law_set *set; /* the laws of the arrays below */
  double t;           /* s, end of the step */
  const double *q, *u;
  const input_value *inputs;  /* in use in the step */
  const picus_mode *modes;    /* law_count */
  const double *dissipated;   /* J, law_count, since the start of the run */
  const double *impacts;      /* law_count, since the start of the run; integers */
  const double *P;            /* N s, row_count */
  const double *P1;           /* the same of the first stage; NULL: the scheme has none */
  const double *switch_times; /* s, law_count: when a law switched in the step; not finite, or NULL: at its end */
  const struct stepper_snapshot *const *ends; /* two: see picus_switch_log_take; NULL, or of NULL: not needed */
  bool skips_short_flights;                   /* flights of a contact of up to four steps are suppressed */
  /* where laws come and go, at the end of the step; NULL: a row of this time follows */
  const picus_law_state *laws; /* law_count */
  const law_place *places;     /* of those that are not fixed */
} picus_step_view;

/* A row as the recorder sees it: a state, which may lie inside of a step, and the values there. */
typedef struct picus_row_view {
  const picus_system *system;
  picus_state state;
  const picus_law_state *laws; /* law_count */
  const double *P;             /* N s, rows of the system: since the last row */
  const double *P1;            /* the same of the first stage; NULL: the scheme has none */
  const double *works;         /* J, since the start: works of the system by name */
  double kinetic, potential;   /* J */
  double dt;                   /* s, size and order of the step, in adaptive runs */
  int order;
  double residual;              /* largest of the steps since the last row */
  picus_evaluation *evaluation; /* of the system, at the state: for the observed values */
  /* where laws come and go, else NULL; laws above has all laws of the set */
  const law_set *set;
  const law_place *places; /* of those that are not fixed */
} picus_row_view;

/* For the run driver. begin opens the sinks. The call in which a sink fails returns its error; the other sinks
 * continue, and rows are accepted while one is left. end must always be called: it writes the buffers, closes every
 * sink and returns the first error. If the run itself failed, its message stays on the context. */
picus_status picus_recorder_begin(picus_recorder *recorder);
/* After begin, before the first step, and after every accepted step: data for the event log. If no sink takes switching
 * points, the cost is one comparison. laws: of the initial state of the run. */
picus_status picus_recorder_watch(picus_recorder *recorder, const picus_step_view *step, const picus_law_state *laws);
picus_status picus_recorder_take_step(picus_recorder *recorder, const picus_step_view *step,
                                      const picus_step_info *info);
/* P of the view: of the last step; the recorder records the sum since its last row if it has been given the steps. */
picus_status picus_recorder_take_row(picus_recorder *recorder, const picus_row_view *row);
picus_status picus_recorder_end(picus_recorder *recorder, const picus_summary *summary);
/* For checkpoints, which must not count rows that a sink could not write: an error if one has failed before. Writes the
 * buffers, but not rows to sinks that take whole blocks only; then counts, sums, event log
 * and the rows that were not written. A recorder that is read has not begun yet. set: the laws of the run at that time.
 */
picus_status picus_recorder_flush(picus_recorder *recorder);
void picus_recorder_archive(picus_recorder *recorder, const law_set *set, picus_archive *archive);
bool picus_recorder_wants_rows(const picus_recorder *recorder); /* false: all its sinks take switching points only */
bool picus_recorder_wants_contacts(const picus_recorder *recorder); /* of rows with places */
bool picus_recorder_wants_places(const picus_recorder *recorder);   /* of rows: for contacts or for pairs */
bool picus_recorder_follows_places(const picus_recorder *recorder); /* of every step, also if a row of it follows */
long picus_recorder_rows(const picus_recorder *recorder);           /* taken so far */
/* Whether contacts that come and go are missing in the event log, and from which time on. */
bool picus_recorder_cut_events(const picus_recorder *recorder, double *until);

/* Columns that own their texts. */
typedef struct picus_column_list {
  picus_column *columns;
  size_t count, capacity;
} picus_column_list;
picus_status picus_columns_add(picus_context *context, picus_column_list *list, picus_column column); /* copies */
void picus_columns_release(picus_context *context, picus_column_list *list);
/* What rows have beyond the state and the laws. */
typedef struct picus_row_extras {
  bool steps;    /* size and order of the step, in adaptive runs */
  bool forces;   /* contact forces and impulses apart */
  bool stages;   /* percussions of both stages */
  bool residual; /* of contact problems, where a run may continue above the tolerance */
} picus_row_extras;
picus_row_extras picus_row_extras_of(const picus_system *system, const picus_sim_options *options); /* NULL: none */
/* Names and order as in docs/results.md. */
picus_status picus_columns_of_system(picus_context *context, const picus_system *system, picus_row_extras extras,
                                     picus_column_list *list);
/* Those that match one of the patterns, and the time; chosen: list->count. */
picus_status picus_columns_choose(picus_context *context, const picus_column_list *list, const char *patterns,
                                  bool *chosen);
/* Forgets the others; places: where the columns that stay were. */
void picus_columns_keep(picus_context *context, picus_column_list *list, const bool *chosen, int *places);
/* The recorded coordinates, velocities and inputs: columns, and the numbers of a state; returns where they end. */
picus_status picus_columns_of_state(picus_context *context, const picus_system *system, picus_column_list *list);
double *picus_columns_fill_state(const picus_system *system, const picus_state *state, const input_value *inputs,
                                 double *row);
/* Fills a row of these columns. */
picus_status picus_columns_fill(const picus_row_view *view, picus_row_extras extras, double *row);

/* The core: any columns, rows by a function. The list is taken over, also on failure. */
typedef picus_status (*picus_row_fn)(void *source, double *row);
picus_status picus_recorder_create_core(picus_context *context, const picus_run_description *run,
                                        picus_column_list *columns, picus_recorder **out);
picus_status picus_recorder_add_row(picus_recorder *recorder, picus_row_fn fill, void *source);
/* The rows of a block that sinks get; only the last one has fewer. */
long picus_recorder_block_rows(size_t column_count);

/* The event log: finds the switching points of all laws by comparing their modes after each step, the same for every
 * scheme. emit gets one switching point at a time. */
typedef struct picus_event_log picus_event_log;
typedef picus_status (*picus_switching_fn)(void *user, const picus_switching *switching);
picus_status picus_event_log_create(picus_context *context, const picus_system *system, picus_event_log **out);
void picus_event_log_destroy(picus_event_log *log); /* NULL is fine */
void picus_event_log_begin(picus_event_log *log, const picus_step_view *step, const picus_law_state *laws);
/* After an accepted step, before look, if the laws have changed since the last one: laws that vanished have opened. */
bool picus_event_log_is_behind(const picus_event_log *log, const picus_step_view *step);
picus_status picus_event_log_follow(picus_event_log *log, const picus_step_view *step, const picus_step_info *info,
                                    picus_switching_fn emit, void *user);
/* After each accepted step: look, and if it returns the number of a switched law instead of -1, note. They are separate
 * because almost every step needs only look, which must be cheap. */
int picus_event_log_look(picus_event_log *log, const picus_step_view *step, const picus_step_info *info);
picus_status picus_event_log_note(picus_event_log *log, const picus_step_view *step, const picus_step_info *info,
                                  int first, picus_switching_fn emit, void *user);
/* From the next step on, laws that come and go are not looked at. */
void picus_event_log_leave_contacts(picus_event_log *log);
/* In a checkpoint. set: the laws of the run at that time. */
void picus_event_log_archive(picus_event_log *log, const law_set *set, picus_archive *archive);
/* Impacts that follow each other within this many steps are not resolved. */
enum { PICUS_EVENT_LOG_RESOLUTION = 4 };

/* --- logs.c: changes of the switching functions of expressions --- */

typedef struct switch_change {
  double t;     /* s */
  int function; /* its number in the system */
  int side;     /* after it: 1: the left of the text of the function is larger; -1: the right */
} switch_change;
/* Adaptive runs locate them. They are few, and kept here until files are completed; checkpoints have them. */
typedef struct switch_log {
  const picus_system *system; /* NULL: nobody takes switching points */
  bool has_begun;             /* the sides of a state are known */
  double *sides, *changed;    /* of each function: its side, and the time of its last change; NULL: not needed yet */
  switch_change *changes;
  size_t count, capacity;
  long all; /* changes, of which the first ones are kept */
} switch_log;
void picus_switch_log_release(picus_context *context, switch_log *log);
/* After each accepted step: the states before it, whose sides may be others than those after the step before, and after
 * it. */
picus_status picus_switch_log_take(picus_context *context, switch_log *log,
                                   const struct stepper_snapshot *const ends[2]);
void picus_switch_log_archive(switch_log *log, picus_archive *archive);
const switch_log *picus_recorder_switch_log(const picus_recorder *recorder); /* constant after creation */

/* --- logs.c: states at events --- */

/* Places in an entry; the recorded coordinates, velocities and inputs follow. */
enum { STATE_EVENT, STATE_SWITCHING, STATE_TIME, STATE_HEAD };
/* A buffer in front of the sinks, like that of the rows. */
typedef struct state_log {
  const picus_system *system; /* NULL: no sink takes states */
  size_t width;               /* numbers of an entry */
  double *entries;
  size_t count, capacity;
  long all; /* also those that were written */
} state_log;
typedef struct state_entry {
  int event;      /* of the model; -1: none */
  long switching; /* number of the switching point; -1: none */
  picus_state state;
  const input_value *inputs;
} state_entry;
picus_status picus_state_log_begin(picus_context *context, state_log *log, const picus_system *system);
void picus_state_log_release(picus_context *context, state_log *log);
/* What the numbers of an entry are. */
picus_status picus_state_log_columns(picus_context *context, const picus_system *system, picus_column_list *list);
/* Systems of many numbers have states at events of the model only. width: numbers of an entry. */
bool picus_state_log_width_allows_switchings(size_t width);
bool picus_state_log_takes_switchings(const state_log *log);
double *picus_state_log_add(state_log *log); /* the numbers of another entry; the buffer is not full */
void picus_state_log_fill(const state_log *log, const state_entry *entry, double *numbers);
/* At an event of the model, before it sets anything. */
picus_status picus_recorder_take_event(picus_recorder *recorder, int event, const picus_state *state,
                                       const input_value *inputs);
/* For a source other than a simulation: the numbers of an entry. */
picus_status picus_recorder_add_state(picus_recorder *recorder, const double *numbers);

/* For sources other than a simulation. Contacts belong to the next row; those of each row come in one call. */
picus_status picus_recorder_add_contacts(picus_recorder *recorder, double t, int count,
                                         const picus_contact_point *contacts);
picus_status picus_recorder_add_switching(picus_recorder *recorder, const picus_switching *switching);

/* The approximate number of rows of a run according to its options; 0: unknown. */
double picus_expected_rows(const picus_sim_options *options);
/* Did a run fail before its first row and step? Then its file would be empty, and an older one should stay. */
bool picus_run_left_nothing(const picus_summary *summary);

/* A recorder of a run that continues from a checkpoint first gets what an earlier recorder told its sinks, rows and
 * switching points up to these counts, by a function that adds them. To be set before the run. */
typedef struct picus_told {
  long rows, switchings, states;
  uint64_t last_row;  /* check sum of the numbers of the last row that was written */
  long written;       /* rows, of which the file of the earlier recorder has at least these */
  const double *kept; /* the others, row-major */
  /* contacts of the last rows, from first_row on, which the file of the earlier recorder may lack */
  long first_row;
  size_t row_count;
  const int *counts; /* of each of these rows */
  const picus_contact_point *contacts;
} picus_told;
typedef picus_status (*picus_replay_fn)(void *user, picus_recorder *recorder, const picus_told *told);
void picus_recorder_set_replay(picus_recorder *recorder, picus_replay_fn replay, void *user);
/* Before a run that is going to be saved: from now on it keeps contacts that files do not have yet. */
void picus_recorder_keep_contacts(picus_recorder *recorder);
/* After begin: calls it, if it was set. */
picus_status picus_recorder_replay(picus_recorder *recorder);
picus_status picus_recorder_add_nodes(picus_recorder *recorder, const picus_node_sample *sample);
picus_context *picus_recorder_context(const picus_recorder *recorder);
/* For the sink that keeps contacts for others to read: of how many rows they are safe from the death of the process.
 * The recorder remembers the others for checkpoints. */
typedef long (*picus_safe_rows_fn)(const void *self);
/* And whether rows must come in whole blocks: checkpoints then keep those of an incomplete one. Called for each
 * checkpoint: from then on the file is needed, even without rows. */
typedef bool (*picus_whole_blocks_fn)(void *self);
void picus_recorder_set_keeper(picus_recorder *recorder, picus_safe_rows_fn safe_rows,
                               picus_whole_blocks_fn whole_blocks);
void *picus_recorder_last_sink(const picus_recorder *recorder); /* its self; after it was added */

/* How files store the rows. */
typedef struct picus_storage {
  bool is_single; /* all numbers but times */
  bool is_plain;  /* HDF5: not compressed */
  bool is_saved;  /* the run makes checkpoints */
} picus_storage;
const picus_storage *picus_recorder_storage(const picus_recorder *recorder); /* constant after begin */
bool picus_storage_is_single(const picus_storage *storage, const picus_column *column);

/* For sinks that write a file: create makes the sink but does not touch the file yet. */
typedef picus_status (*picus_sink_create_fn)(picus_context *context, const char *path, picus_sink *out);
picus_status picus_recorder_add_file(picus_recorder *recorder, const char *path, picus_sink_create_fn create);

#endif
