/* What a recorder consists of, for the files that implement it. */
#ifndef PICUS_RECORD_RECORDER_STATE_H
#define PICUS_RECORD_RECORDER_STATE_H

#include "base/internal.h"
#include "record/internal.h"
#include "record/pair_sums.h"

/* --- percussions of contacts -------------------------------------------------------------------------------------- */

/* Percussions of contacts that come and go since the last row. A contact is found again by source and key, also if it
 * has vanished in the meantime: none loses its percussion. */
enum { PICUS_CONTACT_PERCUSSIONS = 6 }; /* PN, PF and PR */

typedef struct contact_sum {
  picus_contact_point point;                /* at the end of the last step in which it acted */
  double before[PICUS_CONTACT_PERCUSSIONS]; /* of complete steps since the last row */
  double last[PICUS_CONTACT_PERCUSSIONS];   /* of the last step */
} contact_sum;

typedef struct contact_sums {
  size_t count, capacity, next_capacity;
  contact_sum *sums, *next; /* in increasing order of source and key; next: memory for the list after a step */
} contact_sums;

void picus_contact_sums_release(picus_context *context, contact_sums *sums);
/* After a step. left: the share of the step before it that no row has yet. */
picus_status picus_contact_sums_add(picus_context *context, contact_sums *sums, const picus_step_view *step,
                                    double left);
/* The contacts of a row: those that touch, and all that acted since the row before, in increasing order. NULL sums:
 * with the percussions of the last step. share: of the last step in this row. The sums begin anew. */
typedef struct contact_points {
  picus_contact_point *points;
  size_t count, capacity;
} contact_points;
picus_status picus_contact_sums_take(picus_context *context, contact_sums *sums, const picus_row_view *row,
                                     double share, contact_points *out);
void picus_contact_sums_archive(contact_sums *sums, picus_archive *archive);
void picus_contact_point_archive(picus_contact_point *point, picus_archive *archive);

/* --- the recorder ------------------------------------------------------------------------------------------------- */

enum { BUFFER_SWITCHINGS = 256, MESSAGE_SIZE = 1024 };

typedef struct recorder_sink {
  picus_sink sink;
  char *path; /* of a file; NULL: a user's sink */
  bool is_open, failed;
} recorder_sink;

/* A copy of the context's error slot. */
typedef struct kept_error {
  picus_status status;
  char message[MESSAGE_SIZE];
  char file[MESSAGE_SIZE];
  int line;
} kept_error;

/* Percussions since the last row, so that rows apart by many steps lose none: rows of the system. Inside of a step they
 * grow linearly. */
typedef struct percussion_sums {
  size_t rows;         /* of the laws of the system */
  size_t count;        /* rows or, with those of the first stage after them, twice as many */
  double *before;      /* of complete steps since the last row */
  double *last;        /* of the last step, */
  double begin, end;   /* which took this time, s, */
  double told;         /* and whose share is in a row already */
  double *since_row;   /* for a row */
  bool is_on, is_bare; /* steps have been given; none is in before */
} percussion_sums;

/* The largest residual of steps since the last row: of complete ones, and of the last one. */
typedef struct residual_sum {
  double before, last;
} residual_sum;

/* Contacts of the last rows, which a file keeps only when it has a block of them. */
typedef struct contact_tail {
  bool is_on;                   /* the run is going to be saved */
  picus_safe_rows_fn safe_rows; /* NULL: nobody keeps contacts */
  void *self;
  long first_row;
  size_t row_count, row_capacity, count, capacity;
  int *counts; /* of each row */
  picus_contact_point *contacts;
} contact_tail;

/* Rows of an incomplete block that a checkpoint had. */
typedef struct kept_rows {
  size_t count;
  double *rows; /* row-major */
} kept_rows;

struct picus_recorder {
  picus_context *context;
  picus_run_description run;
  picus_column_list columns;
  picus_storage storage;
  int *chosen; /* places of the columns in a row of all columns of the system; NULL: all are recorded */
  double *whole_row;
  size_t first_of_pairs; /* place of the columns of pairs in such a row */
  recorder_sink *sinks;
  size_t sink_count, sink_capacity;
  double *buffer;
  long capacity, buffered, rows;
  picus_whole_blocks_fn whole_blocks; /* of the sink in the tail; NULL: no sink needs them */
  kept_rows kept;
  bool has_begun, has_ended;
  kept_error first_error;
  picus_row_extras extras;    /* of its rows */
  bool has_system;            /* rows and switching points are those of run.system; false: of another source */
  picus_event_log *event_log; /* NULL: no sink takes switching points */
  switch_log switch_log;
  state_log state_log;
  picus_switching *switchings;
  long buffered_switchings;
  contact_points contacts; /* of the row that is being taken */
  double *nodes;           /* displacements and velocities of a table in a row; NULL: no sink takes them */
  percussion_sums sums;
  residual_sum residual;
  pair_sums pairs;
  percussion_sums pair_percussions;  /* of their steps */
  contact_sums contact_sums;         /* the same for laws that come and go, if a sink takes them */
  long event_limit, changing_events; /* of contacts that come and go; negative: none */
  bool events_cut;
  double events_until;       /* s, if they were cut */
  int fixed_laws, told_laws; /* laws of the system; laws that come and go and had a switching point */
  /* for checkpoints */
  long switching_count;
  uint64_t last_row; /* check sum of the last row that was written */
  contact_tail tail;
  picus_replay_fn replay; /* NULL: the run begins anew */
  void *replay_user;
};

/* The contacts of the next row, for a checkpoint; nothing if none is going to be made. */
picus_status picus_recorder_extend_tail(picus_recorder *recorder, int count, const picus_contact_point *contacts);

#endif
