/* The motion as a smooth flow between switching points. An adaptive run finds the sequence of switching points; the
 * flow then follows this sequence to round-off, together with tangents: derivatives of the state by the initial state
 * and by parameters.
 *
 * Between two switching points the modes of all laws, and the sides of all switching functions, are fixed. The forces
 * of laws that hold are then functions of the state, which follow from the accelerations, and the motion is an ordinary
 * differential equation. At a switching point velocities may jump. */
#ifndef PICUS_FLOW_INTERNAL_H
#define PICUS_FLOW_INTERNAL_H

#include "base/internal.h"
#include "system/internal.h"

#include <picus/orbit.h>
#include <picus/sim.h>

/* --- dense.c: small dense matrices, row-major --------------------------------------------------------------------- */

/* A = P L U Q by complete pivoting: solves consistent systems whose rows depend on each other as well. */
typedef struct pivoted {
  int size, rank;
  double *A; /* size x size: factors */
  int *row, *column;
} pivoted;
/* Pivots below `smallest` times the largest one count as zero. */
void picus_pivoted_factor(pivoted *p, int size, double smallest);
/* x := A^-1 x; components of dependent columns are 0. work: size. */
void picus_pivoted_solve(const pivoted *p, double *x, double *work);
/* Eigenvalues of A (n x n, destroyed) in decreasing order of their absolute values; those that its rank makes zero are
 * exactly 0, for a matrix whose round-off is far below 1. false: no convergence. work: PICUS_EIGEN_WORK n^2 numbers. */
enum { PICUS_EIGEN_WORK = 4 };
bool picus_eigenvalues(int n, double *A, picus_multiplier *values, double *work);

/* --- field.c: the smooth motion in a set of modes ----------------------------------------------------------------- */

/* What is fixed between two switching points. */
typedef struct mode_set {
  picus_mode *modes; /* laws */
  double *signs;     /* laws: of planar slip, 1 or -1; 0: there is none */
  double *sides;     /* switch_count: of switching functions */
} mode_set;
picus_status picus_mode_set_create(picus_context *context, const picus_system *system, mode_set *out);
void picus_mode_set_release(picus_context *context, mode_set *m);
void picus_mode_set_copy(const picus_system *system, const mode_set *from, mode_set *to);
/* Whether the laws have the same modes and directions of slip. */
bool picus_mode_set_equals(const picus_system *system, const mode_set *a, const mode_set *b);
/* The law that a row of relative velocities belongs to. */
int picus_law_of_row(const picus_system *system, int row);

/* The derivatives of a field at its point; prepared on request. */
typedef struct field_slopes {
  double *M_inverse;          /* nu x nu */
  double *force_q;            /* nu x nq: d(h + W lambda - M a)/dq with lambda and a fixed */
  double *force_u;            /* nu x nu */
  double *rate_q, *B;         /* nq x nq, nq x nu */
  double *gamma_q;            /* rows x nq: dgamma/dq at u */
  double *acceleration_q;     /* rows x nq: d(W^T a)/dq */
  double *mass_q, *scratch_q; /* nu x nq */
} field_slopes;

/* The field of a system at a point, with the modes that were set; each system and each thread has its own. */
typedef struct field {
  picus_context *context;
  const picus_system *system;
  picus_evaluation *at, *aside; /* at the point; at displaced points */
  int nq, nu, n, laws, rows;
  const mode_set *modes;
  double t, *x;                    /* n: the point, q and u */
  double *rate;                    /* n: its derivative by time, q' and the accelerations a */
  double *W, *chi, *gamma, *kappa; /* rows x nu; rows */
  double *lambda;                  /* rows: forces of laws, N */
  int held_count, *held;           /* rows whose relative velocity is kept */
  double *columns, *solved; /* held x nu: the direction of the force of each, with its sliding friction; M^-1 of it */
  pivoted G;
  double *rhs, *work, *h;         /* rows; rows; nu */
  law_coefficients *coefficients; /* laws */
  law_coefficients *elsewhere;    /* the same at displaced points */
  double *speeds;                 /* laws: of slip */
  field_slopes slopes;
  double *ahead, *terms, *radii; /* n; rows: kappa; laws: radii, at displaced points */
  double *gaps, *a, *b;          /* laws; switch_count */
  double *actions;               /* of controls */
} field;

picus_status picus_field_create(picus_context *context, const picus_system *system, field *out);
void picus_field_release(field *f); /* a zeroed one is fine */
/* From now on these modes hold; they must stay. */
void picus_field_set_modes(field *f, const mode_set *modes);
/* The rate, forces and accelerations at a point. */
picus_status picus_field_evaluate(field *f, double t, const double *x);
/* Derivatives at the point of the last evaluation. */
picus_status picus_field_prepare(field *f);
/* dx' of a tangent dx (n), size: of each coordinate and velocity, n. */
picus_status picus_field_tangent(field *f, const double *size, const double *dx, double *dx_rate);
/* The rows that hold in a set of modes, with the directions of their forces, for W and gamma of the field. */
void picus_field_choose_rows(field *f, const mode_set *modes);
/* s := G^-1 s, numbers of the held rows. */
void picus_field_solve_held(field *f, double *s);
/* Radii of friction of all laws at the point. */
picus_status picus_field_coefficients(field *f, const mode_set *modes);

/* Differences of order six: f(k h) for k = 1, 2, 3 and -1, -2, -3; forward differences of order five. */
enum { DIFFERENCE_POINTS = 6 };
extern const double picus_forward_places[DIFFERENCE_POINTS], picus_forward_weights[DIFFERENCE_POINTS];
extern const double picus_difference_places[DIFFERENCE_POINTS], picus_difference_weights[DIFFERENCE_POINTS];
#define PICUS_DIFFERENCE 1e-3 /* h, relative to the size of a variable */

/* --- jump.c: what ends a phase, and what happens there ---------------------------------------------------------------
 */

/* The first zero of one of these functions ends a phase; they are positive before. */
typedef enum trigger_kind {
  TRIGGER_END,    /* of the motion: at a time */
  TRIGGER_TIME,   /* a stop time, or the zero of a function of time */
  TRIGGER_GAP,    /* a contact closes */
  TRIGGER_CLUTCH, /* a one-way clutch closes */
  TRIGGER_OPENS,  /* a contact or clutch opens: lambda_N */
  TRIGGER_SLIPS,  /* friction reaches its bound: mu lambda_N - |lambda_F| */
  TRIGGER_STICKS, /* slip ends or reverses */
  TRIGGER_SIDE    /* a switching function of expressions */
} trigger_kind;
typedef struct trigger {
  trigger_kind kind;
  int index;   /* of the law, or of the switching function; of a stop time: its number in the system, or -1 */
  double sign; /* of slip before (STICKS) or after (SLIPS); of a side before */
  double t;    /* of TIME and END */
} trigger;
/* At the point of the last evaluation. */
picus_status picus_trigger_value(field *f, const trigger *g, double *value);

typedef enum flow_jump { FLOW_CONTINUES, FLOW_IMPACT, FLOW_EVENT } flow_jump;

/* The state behind an impact of the closed laws. modes: on entry those before it, with the contacts that strike closed;
 * on return those in the impact. find: by a solver; else they are known. */
picus_status picus_jump_impact(field *f, double t, const double *x, mode_set *modes, bool find, double *x_after);
/* Then, at the same point: its derivative in the modes of the impact. dx (n) becomes that behind it, at a fixed time.
 */
picus_status picus_jump_impact_prepare(field *f, const double *x, const double *x_after);
void picus_jump_impact_tangent(field *f, double *dx);
/* The state behind an event of the model, which sets coordinates and velocities. */
picus_status picus_jump_event(field *f, int event, double t, const double *x, double *x_after);

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
  trigger passed; /* the last one */
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
/* Tangents become admissible at the start: those of constraints and closed contacts are zero. */
picus_status picus_flow_project(flow *f, const mode_set *modes, double t, double *y);
/* The state moves onto the constraints and closed contacts, and with it the first `columns` tangents and those of the
 * parameter. */
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
