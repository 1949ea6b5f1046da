/* The motion as a smooth flow between switching points. An adaptive run finds the sequence of switching points; the
 * flow then follows this sequence to round-off, together with tangents: derivatives of the state by the initial state
 * and by parameters.
 *
 * Between two switching points the modes of all laws, and the sides of all switching functions, are fixed. The forces
 * of laws that hold are then functions of the state, which follow from the accelerations, and the motion is an ordinary
 * differential equation. At a switching point velocities may jump. */
#ifndef PICUS_FLOW_INTERNAL_H
#define PICUS_FLOW_INTERNAL_H

#include "flow/sequence.h"

/* --- flow.c: the motion along a sequence, with tangents
 * ---------------------------------------------------------------- */

/* Systems whose parameter is p + k h, for the k of differences; k >= 0 where the parameter cannot be less. */
typedef struct variants {
  const double *places, *weights; /* the k, and the weights of values for the derivative times h */
  picus_model *models[DIFFERENCE_POINTS];
  picus_system *systems[DIFFERENCE_POINTS];
  field fields[DIFFERENCE_POINTS];
  double h;
} variants;

/* The least distances from another sequence. */
typedef struct flow_margins {
  double velocity; /* m/s or rad/s, smallest approach velocity of an impact; INFINITY: there was none */
  int velocity_law;
  double reserve; /* smallest 1 - |lambda_F| / (mu lambda_N) of sticking friction; INFINITY: none sticks */
  int reserve_law;
  double gap; /* smallest gap of an open contact inside a phase, over the largest; INFINITY: there was none */
  int gap_law;
} flow_margins;

typedef struct flow {
  picus_context *context;
  const picus_system *system;
  int n, columns; /* of the state; tangents */
  field base;
  int variant_count;
  variants *variants;          /* of parameters */
  int *variant_of;             /* columns: -1: none */
  const double *size;          /* n */
  smooth_step alone, together; /* of the state; of the state with its tangents */
  double *tolerance;           /* n (1 + columns) */
  double *y, *y_next;          /* n (1 + columns): state, then tangents, each of n numbers */
  double *rate_before, *rate_after, *x_before, *x_after, *shift; /* n */
  double *dt, *value; /* columns: change of the time of a switching point; work */
  mode_set struck;
  double *gap_q;        /* laws x nq */
  flow_margins margins; /* velocities of the last motion that was followed */
  flow_interrupt interrupt;
  double t;       /* s: reached */
  trigger passed; /* most recently */
  int next_stop;  /* of the path */
  /* switching points that were passed */
  picus_orbit_point *points;
  size_t point_count, point_capacity;
} flow;

/* Of the conditions of a motion, see flow_check.c. */
typedef struct flow_check flow_check;
/* Where a motion that is followed ends, and what is told about it. */
typedef struct flow_path {
  const sequence *sequence;
  int first, count; /* phases */
  bool is_section;  /* it ends at the switching point behind the last phase, after its jump; else at t_end */
  bool is_of_run;   /* it starts where the adaptive run did, and must stay with it */
  double t, t_end;  /* s */
  int stop_count;   /* times between, at which `stop` is called with the state and its tangents */
  const double *stops;
  picus_status (*stop)(void *user, double t, const double *y);
  void *user;
  flow_check *check; /* of each phase; NULL: none */
} flow_path;
/* names: a parameter for each of the last columns. The model is read again with other values of them. */
typedef struct flow_def {
  picus_model *model;
  const picus_system *system;
  int columns;
  int parameter_count;
  const char *const *parameters;
} flow_def;
/* A model with its system, read again with another value of a parameter.
 * Lifetime: `*model` until `picus_model_destroy`, `*system` until `picus_system_destroy`. */
picus_status picus_flow_load(picus_context *context, const picus_model *of, const picus_override *override,
                             picus_model **model, picus_system **system);
picus_status picus_flow_create(picus_context *context, const flow_def *def, flow *out);
void picus_flow_release(flow *f); /* a zeroed one is fine */
/* dx0/dp of the initial state by the parameters, into their columns of y. */
void picus_flow_differentiate_start(flow *f, double *y);
/* Tangents become admissible at the start: their rates at constraints and closed contacts are zero. */
picus_status picus_flow_project(flow *f, const mode_set *modes, double t, double *y);
/* The state moves onto the constraints and closed contacts, and with it the first `columns` tangents and the
 * tangents of the parameter. */
picus_status picus_flow_project_all(flow *f, const mode_set *modes, double t, int columns, double *y);
/* y: the state with its tangents, n (1 + columns), at the start and at the end; dt (columns): change of the time at the
 * end. */
picus_status picus_flow_follow(flow *f, const flow_path *path, double *y);
/* Whether the motion from x along a path obeys its laws in all phases; else a message says which one it violates, and
 * when. Short flights that the run has missed are put into the sequence of the path. */
picus_status picus_flow_admit(flow *f, sequence *s, flow_path *path, const double *x, flow_margins *margins);
/* Without tangents. */
picus_status picus_flow_follow_state(flow *f, const flow_path *path, double *x);

/* A value that is not finite, where derivatives are needed: the status, with a message that says so. */
picus_status picus_flow_explain(picus_context *context, picus_status status);

extern const picus_orbit_point picus_no_point; /* for an index that there is not */

#endif
