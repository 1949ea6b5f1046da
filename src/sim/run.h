/* A run: what it knows besides its simulation, and its part in a checkpoint. */
#ifndef PICUS_SIM_RUN_H
#define PICUS_SIM_RUN_H

#include "sim/alarm.h"
#include "sim/alternation.h"
#include "sim/callbacks.h"
#include "sim/passage.h"

#include <time.h>

typedef struct run {
  picus_sim *sim;
  picus_recorder *recorder;
  picus_step_view view; /* of the last step, for the recorder; its arrays stay where they are */
  const picus_run_hooks *hooks;
  picus_summary *summary;
  double *stops; /* sorted stop times in (t_start, t_end), and t_end */
  int stop_count, next_stop;
  long next_sample;
  double grid_begin, grid_steps; /* fixed steps: the grid of full steps since the last stop, and steps made on it */
  /* how often the clock is read: adapted so that it costs nothing and reacts within tens of milliseconds */
  long steps_to_check, check_interval;
  double last_check;
  double begin;
  double seconds_before;       /* of the run until its checkpoint */
  picus_paradox start_paradox; /* of the state that the run starts from, at this law */
  int start_law;
  growth_alarm alarm;            /* of fixed steps */
  long next_growth_look;         /* number of a step */
  alternation_alarm alternation; /* of fixed steps */
  passage_watch passage;         /* of fixed steps */
  run_callbacks callbacks;
  bool has_watchers;    /* a recorder or callbacks get every accepted step */
  picus_step_info info; /* of the last step */
  bool in_parts;        /* a step is being made in parts */
  bool resumes;         /* from a checkpoint, */
  picus_archive saved;  /* whose part about the run is read as the run is set up */
} run;

static inline double picus_run_now(void) {
  struct timespec time;
  timespec_get(&time, TIME_UTC);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* --- run_archive.c --- */
/* In two parts, because a recorder that goes on must know its counts before its sinks are opened. Both end in the
 * status of the archive. */
void picus_run_archive_recorder(run *r, picus_archive *archive);
void picus_run_archive(run *r, picus_archive *archive);

#endif
