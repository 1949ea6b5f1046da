/* Steps of an ordinary differential equation to round-off, and the sequence of switching points that an adaptive run
 * finds. */
#ifndef PICUS_FLOW_SEQUENCE_H
#define PICUS_FLOW_SEQUENCE_H

#include "flow/field.h"

/* --- smooth_step.c: steps of an ordinary differential equation to round-off ------------------------------------------
 */

typedef picus_status (*rate_fn)(void *user, double t, const double *y, double *rate);
enum { SMOOTH_COLUMNS = 9 };
typedef struct smooth_step {
  picus_context *context;
  size_t size;
  double *table[SMOOTH_COLUMNS];       /* size each: rows of the tableau, extrapolated */
  double *first, *rate, *before, *now; /* size */
} smooth_step;
picus_status picus_smooth_create(picus_context *context, size_t size, smooth_step *out);
void picus_smooth_release(smooth_step *s); /* a zeroed one is fine */
/* A step of size h from y to `end`, by extrapolation of the midpoint rule. tolerance: of each number. *columns: that it
 * took; 0: it does not reach the tolerance. */
typedef struct smooth_problem {
  rate_fn rate;
  void *user;
  const double *tolerance; /* size */
} smooth_problem;
typedef struct smooth_interval {
  double t, h; /* from t to t + h */
} smooth_interval;
picus_status picus_smooth_step(smooth_step *s, const smooth_problem *p, smooth_interval over, const double *y,
                               double *end, int *columns);
/* The size of the next step. */
double picus_smooth_next(double h, int columns);

/* --- sequence.c: the switching points that an adaptive run finds
 * ------------------------------------------------------ */

enum { TRIGGERS_MOST = 8 };
/* What ends a phase. */
typedef struct phase_end {
  int trigger_count;
  trigger triggers[TRIGGERS_MOST]; /* the first of them to be 0 ends it */
  flow_jump jump;
  int law;             /* of an impact */
  int event;           /* of the model; -1: none */
  picus_status status; /* why a flow cannot follow it, */
  char *refusal;       /* and the message; NULL: it can */
} phase_end;
typedef struct phase {
  mode_set modes;
  double t_begin, t_end; /* s, of the adaptive run */
  double t_x, *x;        /* n: a state of this run, after the first step of the phase, and its time */
  phase_end end;
} phase;
typedef struct sequence {
  picus_context *context;
  const picus_system *system;
  int count;
  phase *phases;
  size_t capacity;
  double *size;  /* n: of each coordinate and velocity in the run */
  double *x_end; /* n: the last state of the run */
} sequence;
/* Where a run starts; NULL: from the initial state of the system. */
typedef struct flow_start {
  double t;
  const double *x;
} flow_start;
/* A request to stop, which is asked for often. */
typedef struct flow_interrupt {
  int (*ask)(void *user); /* NULL: none */
  void *user;
} flow_interrupt;
static inline bool picus_flow_is_stopped(flow_interrupt i) { return i.ask && i.ask(i.user) != 0; }
picus_status picus_sequence_record(picus_context *context, const picus_system *system, const picus_sim_options *options,
                                   const flow_start *start, flow_interrupt interrupt, sequence *out);
void picus_sequence_release(sequence *s); /* a zeroed one is fine */
/* The contact `law`, which is closed in phase k, is open at its start, for the time d, and lands again. */
picus_status picus_sequence_add_flight(sequence *s, int k, int law, double d);

#endif
