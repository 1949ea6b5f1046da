/* A run: what it knows besides its simulation, and its part in a checkpoint. */
#ifndef PICUS_SIM_RUN_H
#define PICUS_SIM_RUN_H

#include "platform/threads.h"
#include "scheme/internal.h"
#include "sim/alarm.h"
#include "sim/internal.h"

/* --- callbacks ---------------------------------------------------------------------------------------------------- */

/* The functions of a program that a run calls: after steps and at switching points. They may set inputs, which act from
 * the next step on. */
typedef struct run_callbacks {
  picus_sim *sim;
  const picus_run_hooks *hooks; /* NULL: there are no functions to call */
  picus_event_log *log;         /* for the function that is called at switching points; NULL: none */
  bool is_stopped;              /* a function wants the run to end */
} run_callbacks;

/* --- contacts that were passed ------------------------------------------------------------------------------------ */

/* Warnings of runs with fixed steps: penetrations that the scheme does not explain, and contacts that were passed
 * through between two evaluations of their gaps.
 *
 * A scheme at velocity level closes a contact at the first evaluation with g <= 0 and removes its approach velocity.
 * Until then it penetrates no deeper than dt |gamma|, with gamma the gap velocity before the step, and from then on by
 * at most dt/2 |gamma| per step: without curvature of the gap, gamma would be zero. This is explained:
 *
 *   dt (|gamma| + |dt a|) when it closes, and dt |gamma| more in every step that takes it deeper,
 *
 * where dt a is the change of gamma by forces; without the part of gamma that a step leaves in a contact whose law was
 * active, beyond dt a: a law that does not act explains nothing; if the gap closed faster in the previous step, that
 * velocity counts as gamma. The rule of Schatzman and Paoli keeps (q_{k+1} + e q_{k-1}) / (1 + e) out of the contact:
 * twice e times the same is explained. The other schemes enforce the gaps themselves. */

/* An evaluation needs no action while 2 gap >= trigger for every contact: an open contact has not halved its gap since
 * the last evaluation, so that at this rate it will not close before the next one; a closed contact is not deeper than
 * before, or than explained. */
typedef struct passage_watch {
  bool is_on; /* there are contacts, or may be */
  /* laws, of which only those that can open count; the stepper carries them along when its laws change */
  double *trigger;   /* open: the gap at the last evaluation; closed: -2 times a depth that needs no warning */
  double *widest;    /* largest gap so far */
  double *lowest;    /* lowest gap so far, at most 0 */
  double *approach;  /* > 0: at the last evaluation it was about to close, having moved this far since the one before */
  double *explained; /* penetration since it closed */
  /* while a gap is about to close: the end of the last step, and the rates there */
  bool about_to_close;
  double t, *q, *rate;    /* nq */
  double *place, *gap;    /* nq, law_count: a place on the way, and the gaps there */
  picus_summary *summary; /* results */
} passage_watch;

picus_status picus_passage_create(stepper *s, picus_summary *summary, passage_watch *out);
void picus_passage_release(stepper *s, passage_watch *watch); /* a zeroed one is fine */
/* After a step in which something is to be done. */
picus_status picus_passage_examine(passage_watch *watch, stepper *s, const picus_step_info *info);
/* At the end of the run, which may be between two evaluations. */
picus_status picus_passage_at_end(passage_watch *watch, stepper *s, double dt);

/* Whether the gaps of a step need no examination. A contact skipped before another one triggers one needs none. Nothing
 * changes if it is asked again. */
static inline bool picus_passage_is_uneventful(passage_watch *w, const stepper *s) {
  const double *usual = s->contacts.usual_gap;
  if (w->about_to_close) return false;
  for (int i = 0, count = s->set->law_count; i < count; i++) {
    const double gap = s->last_gaps[i];
    if (!(usual[i] < INFINITY)) continue; /* no contact */
    if (2 * gap < w->trigger[i]) return false;
    if (gap <= 0) {
      if (gap < w->lowest[i]) w->lowest[i] = gap;
      continue;
    }
    w->trigger[i] = gap;
    if (gap > w->widest[i]) w->widest[i] = gap;
  }
  return true;
}

/* After every step. */
static inline picus_status picus_passage_look(passage_watch *w, stepper *s, const picus_step_info *info) {
  return picus_passage_is_uneventful(w, s) ? PICUS_OK : picus_passage_examine(w, s, info);
}

/* --- the run ------------------------------------------------------------------------------------------------------ */

typedef struct run {
  picus_sim *sim;
  picus_recorder *recorder;
  picus_step_view view; /* of the last step, for the recorder; its arrays stay where they are */
  const picus_run_hooks *hooks;
  picus_summary *summary;
  double *stops; /* sorted stop times in (t_start, t_end), and t_end */
  int stop_count, next_stop;
  long next_sample;
  double t_complete;             /* the end of the last complete step */
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
  bool is_attended;     /* callbacks or controls of the model act after every complete step */
  picus_step_info info; /* of the last step */
  bool in_parts;        /* a step is being made in parts */
  bool resumes;         /* from a checkpoint, */
  picus_archive saved;  /* whose part about the run is read as the run is set up */
} run;

/* --- run_archive.c --- */
/* In two parts, because a recorder that continues must know its counts before its sinks are opened. Both end in the
 * status of the archive. */
void picus_run_archive_recorder(run *r, picus_archive *archive);
void picus_run_archive(run *r, picus_archive *archive);

#endif
