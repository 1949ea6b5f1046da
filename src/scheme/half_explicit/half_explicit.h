/* The half-explicit scheme at velocity level: data of a step, and what is connected with an impact. */
#ifndef PICUS_SCHEME_HALF_EXPLICIT_H
#define PICUS_SCHEME_HALF_EXPLICIT_H

#include "scheme/internal.h"
#include "step_problem/given_slip.h"
#include "stepper/impacts.h"
#include "system/components.h"

/* Forces at acceleration level with friction: the unknown rows, and their equations. */
typedef struct sliding_row {
  int law, row;
  bool slides; /* its normal force also has the friction of its slip */
} sliding_row;
typedef struct sliding_forces {
  int count;
  sliding_row *rows;
  double *matrix; /* PICUS_SLIDING_ROWS squared, then two vectors */
  int *pivots;
} sliding_forces;

/* The impact at the start of a step; see half_explicit_impact.c. */
typedef struct start_impact {
  bool acts, stopped;    /* stopped: by a second impulse */
  double *u;             /* nu: the velocity before it */
  double *impulse;       /* row_count, N s */
  row_energies energies; /* row_count, J */
  double passed;         /* J, through its contacts */
  picus_mode *modes;     /* law_count */
  bool *jumps;           /* law_count: the velocity jumps, */
  jump_kind *kinds;      /* law_count: which counts as this, */
  double *counted;       /* law_count: beyond these impacts before the step */
} start_impact;

/* One step of a scheme. *impact: whether it may be left undone if there is an impact; then, whether there is one. */
typedef picus_status (*half_explicit_attempt)(stepper *s, double dt, bool *impact, picus_step_info *info);

typedef struct half_explicit_step {
  picus_evaluation *begin, *end; /* at (t_0, q_0) and at (t_1, q_1); the stepper's own is at (t_1, q~) */
  step_problem first;            /* for lambda+; the stepper's own is for lambda- */
  step_problem other;            /* of a step with an impact: lambda- and Lambda of some laws */
  given_slip slip;               /* directions of slip in the problems of forces */
  bool needs_forecast;           /* q~ is needed: for W, for q', or for the active set */

  bool opens_by_law; /* a closed contact stays closed until its law opens it, whatever its gap */

  /* the step */
  double dt, t_begin, t_end;
  double widest;                              /* m: wider gaps are open, whatever their round-off */
  double *gap_begin, *gap_end, *gap_forecast; /* law_count */
  bool *closed_begin, *closed_end;            /* law_count */
  bool *chosen, *acting;                      /* law_count: the laws of one contact problem; those with lambda+ */
  double *q_forecast, *rate, *rate_forecast;  /* q~ = q_0 + dt q'(q_0, u_0), and q' there */
  double *u_forced;                           /* u_0 + dt M_0^-1 h_0 */
  double *u_1;                                /* with lambda+ */
  double *u_kept;                             /* with the part of lambda+ that the step keeps */
  double *u_before;                           /* before the impulse */
  double *u_unloaded;                         /* at the end, by forces of the model alone */
  double *change;                             /* dt/2 M_1^-1 h_1 */
  double *P1, *P2, *Lambda;                   /* row_count: dt lambda+, dt/2 lambda-, impulse */
  row_energies energies;                      /* row_count, J */
  double *transfer;                           /* row_count, J: as in step_problem, of the impulse; or NULL */
  start_impact start_impact;
  bool velocities_drift; /* nothing but accelerations keeps the velocities of closed laws; then: */
  double *pressed;       /* nu: change of velocities in the step by the last forces of the laws */
  double *u_explained;   /* nu: velocities that all forces of the step explain, without cancellation */
  velocity_components components;
  bool *impulsive; /* law_count: connected with an impact */
  /* steps with an impact in parts */
  bool can_divide;
  half_explicit_attempt attempt;
  bool forces_at_ends; /* forces of a subdivided step: of its first and its last part; else means over the parts */
  stepper_snapshot start;
  double *sums; /* like the memory; percussions; forces at the start of the first part */
  /* half-explicit-acc and half-explicit-rk: forces at acceleration level */
  step_problem forces;
  double *law_accelerations;       /* row_count: of the laws without those of the velocities */
  double *at_rest;                 /* nu: zeros */
  double *a_begin, *a_end;         /* nu: accelerations at the ends of the step */
  double *force_begin, *force_end; /* row_count */
  /* half-explicit-rk */
  sliding_forces sliding;
  const picus_tableau *tableau;
  double *rates, *accelerations; /* stages x nq, stages x nu */
  double *q_stage, *u_stage;     /* the point that a stage leads to */
  bool jams;                     /* a contact has an impulse in the first stage */
} half_explicit_step;
static inline half_explicit_step *half_explicit_of(stepper *s) { return s->own; }

/* The memory of the scheme, which results also show. */
typedef struct half_explicit_memory {
  double *force_begin, *force_end, *impulse; /* row_count: lambda+, lambda-, N; Lambda, N s */
  double *impulse_loss;                      /* law_count: J, since t_start, by impulses alone */
  double
      *left; /* law_count, half-explicit-acc: velocity of a closed law by the drift of steps, in its first row, m/s */
} half_explicit_memory;
half_explicit_memory picus_half_explicit_memory(const stepper *s, double *values);

/* --- half_explicit.c: what the schemes share --- */
/* drifts: nothing but accelerations keeps the velocities of closed laws. */
picus_status picus_half_explicit_create(stepper *s, half_explicit_attempt attempt_step, bool drifts);
/* One step of half-explicit. */
picus_status picus_half_explicit_trapezoidal(stepper *s, double dt, bool *impact, picus_step_info *info);
/* Rejects the option `predicted` in a scheme that has no use for it. */
picus_status picus_half_explicit_check_options(const stepper *s);
void picus_half_explicit_restart(stepper *s);
/* Forces, gaps and closed contacts at the start, M_0^-1 h_0 in s->h; q~, if it is needed. With the impact there. */
picus_status picus_half_explicit_begin(stepper *s, double dt, picus_step_info *info);
/* Whether contacts are closed, by their gaps at the point of the evaluation. */
picus_status picus_half_explicit_find_closed(stepper *s, picus_evaluation *e, const double *gap, bool *closed);
/* The same at the end of the step, with contacts that close alike. */
picus_status picus_half_explicit_find_closed_at_end(stepper *s);
double picus_half_explicit_drift(stepper *s, picus_evaluation *e, int law);
/* The directions of slip in a problem of forces that act at a point: friction of a law in persistent slip opposes the
 * slip there, with u in that evaluation. laws: at the point that the problem leads to. */
slip_request picus_half_explicit_slip(stepper *s, const step_problem *p, const picus_evaluation *at,
                                      const picus_evaluation *laws);
/* A step with an impact: the laws that keep their forces, into r->chosen; the stepper's problem of all laws closed at
 * the end, which is not solved; the impulses, from u_before to u_next; modes of a problem, into that of all, for the
 * laws in both. */
void picus_half_explicit_choose_kept(stepper *s, const bool *closed);
picus_status picus_half_explicit_prepare_record(stepper *s);
picus_status picus_half_explicit_impulse_stage(stepper *s, picus_step_info *info);
void picus_half_explicit_keep_common_modes(step_problem *all, const step_problem *p);
/* q_1 with u_1 in r, and forces and gaps there. */
picus_status picus_half_explicit_find_positions(stepper *s);
picus_status picus_half_explicit_look_at_end(stepper *s);
/* Forces, impulses and losses of the step, by P1, P2, Lambda and the velocities in r. */
void picus_half_explicit_remember(stepper *s);
/* Accepts the step with P1, P2, Lambda and losses of r, and the state in q_next, u_next. */
void picus_half_explicit_accept(stepper *s, picus_step_info *info);

void picus_half_explicit_linear_step(const linear_motion *motion, double dt, double *x, double *v);

/* --- half_explicit_forces.c --- */
picus_status picus_half_explicit_forces_create(stepper *s);
/* A point with M^-1 h there. */
typedef struct force_point {
  picus_evaluation *evaluation;
  const double *a_free;
} force_point;
/* The change of velocities in this step by forces lambda of the laws at the point of the evaluation, into r->pressed.
 */
picus_status picus_half_explicit_press(stepper *s, picus_evaluation *e, const double *lambda);
/* Whether a law opens at the start of the step no faster than the last step left it: not after an impulse. */
bool picus_half_explicit_is_drift(stepper *s, int law);
/* Forces of the laws in r->chosen at acceleration level, W^T u' + d(W^T)/dt u + dchi/dt against lambda; and u'. */
picus_status picus_half_explicit_forces(stepper *s, const force_point *at, double *a, double *lambda,
                                        picus_step_info *info);
/* The laws in `closed` that have forces at the point of the evaluation: contacts that do not open by their velocity,
 * into r->chosen. */
void picus_half_explicit_choose_pressing(stepper *s, const picus_evaluation *e, const double *a_free,
                                         const bool *closed);

/* --- forces with friction --- */
picus_status picus_half_explicit_sliding_create(stepper *s);
/* Forces at the point of the evaluation into r->force_end, by the modes of the stepper's problem; a_free: M^-1 h there,
 * changes. *found: false if a mode is about to change, if constraints are redundant, or with more than
 * PICUS_SLIDING_ROWS rows. */
picus_status picus_half_explicit_sliding_forces(stepper *s, picus_evaluation *e, double *a_free, bool *found);

/* --- half_explicit_impact.c --- */
/* A step by the attempt of the scheme; with an impact, in parts if the options say so. */
picus_status picus_half_explicit_step(stepper *s, double dt, picus_step_info *info);

picus_status picus_half_explicit_start_create(stepper *s);
/* At the start of a step, with closed_begin, u_forced and r->begin: if a closed law is violated, the impulse, and
 * s->u after it; once in a step. Then the step has to begin again. */
picus_status picus_half_explicit_strike(stepper *s, picus_step_info *info, bool *struck);
/* After the step: the velocity is that before it again, or the impulse is added to what the step left at the laws. */
void picus_half_explicit_start_undo(stepper *s);
void picus_half_explicit_start_accept(stepper *s, picus_step_info *info);

/* --- half_explicit_impact.c --- */
/* Marks the laws connected with a contact that closes in this step, in r->impulsive; *any: there is such a contact. Two
 * laws are connected if they act on velocities that M or closed laws connect; springs do not connect. */
picus_status picus_half_explicit_find_impulsive(stepper *s, bool *any);

/* What an impulse of a row dissipates in an impact beyond that of one solve. */
static inline double picus_half_explicit_transfer(const half_explicit_step *r, int row) {
  return r->transfer && r->Lambda[row] != 0 ? r->transfer[row] : 0;
}

#endif
