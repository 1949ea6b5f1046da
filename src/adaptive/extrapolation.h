/* One step of high order from base steps of any scheme (Studer, Leine and Glocker 2008, sections 5 to 9), and what is
 * watched along the substeps of its rows: gaps of open contacts, velocities that alternate, switching functions. */
#ifndef PICUS_ADAPTIVE_EXTRAPOLATION_H
#define PICUS_ADAPTIVE_EXTRAPOLATION_H

#include "stepper/impacts.h"

/* How an extrapolation step ended (Studer 2008, 9.2). */
typedef enum step_outcome {
  STEP_SMOOTH,     /* every substep in its initial modes; accurate */
  STEP_INACCURATE, /* every substep in these modes; the error test failed */
  STEP_DETECTED,   /* a substep in other modes; rejected */
  STEP_RESOLVED    /* the same in a step that is not longer than dt_min: taken, with its modes */
} step_outcome;

/* Gaps of open contacts along the substeps of a row (gaps.c). */
typedef struct gap_watch {
  stepper *stepper;
  bool has_contacts;
  int substeps;       /* of the row that was made last */
  double *path;       /* q and u at the start of the step and at the ends of its substeps */
  double *gap, *rate; /* of the laws, at the same points */
  double *velocities; /* scratch, rows */
} gap_watch;
picus_status picus_gaps_create(stepper *s, gap_watch *out);
void picus_gaps_release(gap_watch *w); /* a zeroed one is fine */
/* The stepper is at the end of this substep, from 1, of the row that is being made. */
void picus_gaps_note_state(gap_watch *w, int substep);
/* The last row, from begin; the step ends in the modes of end. *missed: a contact that is open at all evaluations may
 * have closed in between. Stores in the stepper how fast the gaps close. only_ends: does only that. */
picus_status picus_gaps_look(gap_watch *w, const stepper_snapshot *begin, const stepper_snapshot *end, double dt,
                             bool only_ends, bool *missed);

/* Velocities that alternate from step to step, or from substep to substep of a row (alternating_motion.c). */
typedef struct alternation {
  const stepper *stepper;
  double decay;   /* a change that is smaller than so much of the last one does not count; 0: all do */
  int steps;      /* since the start */
  int *streak;    /* nu: changes in a row that alternate in sign with the one before */
  double *u;      /* nu: after the last step */
  double *change; /* nu: in it */
  double *least;  /* nu: smallest |change| of the streak and of the one before it */
} alternation;
picus_status picus_alternation_create(const stepper *s, double decay, alternation *out);
void picus_alternation_release(alternation *a); /* a zeroed one is fine */
/* Before the first step, and after each one. */
void picus_alternation_begin(alternation *a);
void picus_alternation_note(alternation *a);
/* Of a velocity that has alternated since the start, over two changes of sign at least; else 0. */
double picus_alternation_amplitude(const alternation *a, int velocity);

typedef struct extrapolation_options {
  double dt_min;
  double atol, rtol;
  int order_max;
  int order; /* fixed; 0: by the error */
  picus_substeps substeps;
  bool as_printed; /* no substep is shorter than dt_min, and all powers of dt are removed (Studer 2008, 9.2) */
} extrapolation_options;

/* Switching functions along the substeps of a row (switch_points.c). */
typedef struct switch_watch {
  stepper *stepper;
  int count;
  double atol, rtol;
  int substeps;   /* of the row that was made last */
  double *path;   /* q and u at the ends of its substeps */
  double *a, *b;  /* at one point */
  double *none;   /* NAN: no side is held */
  double *values; /* a - b: at the start, inside of the row, at the end of the step, and at the end of the row */
  double *scale;  /* the largest |a| + |b| of the step */
  double *h[2];   /* forces and rates with either side */
} switch_watch;
typedef struct switch_crossing {
  int index;           /* the function that leaves its side first; -1: none */
  double place;        /* part of the step, as far as is known */
  bool at_once;        /* it does so from the start on */
  bool is_unclear;     /* the step is too long to know of all of them */
  double begin, value; /* at the start and at the end of the step, positive on its side */
  double rounding;     /* of them */
} switch_crossing;
picus_status picus_switches_create(stepper *s, const extrapolation_options *options, switch_watch *out);
void picus_switches_watch_release(switch_watch *w); /* a zeroed one is fine */
/* The stepper is at the end of this substep, from 1, of the row that is being made. */
void picus_switches_note_state(switch_watch *w, int substep);
/* The sides after a state, from its values; and of functions of time alone. is_first: nothing is known of earlier ones.
 * The stepper holds them. */
void picus_switches_read(switch_watch *w, stepper_snapshot *x, bool is_first);
void picus_switches_note_time(const switch_watch *w, stepper_snapshot *x);
/* Which function leaves its side in the smooth step just made, from begin. */
void picus_switches_look(switch_watch *w, const stepper_snapshot *begin, const stepper_snapshot *end, double dt,
                         switch_crossing *out);
/* The same of one function, for which every value beyond 0 counts. */
void picus_switches_look_at(const switch_watch *w, const stepper_snapshot *begin, int k, switch_crossing *found);
/* After a look: the value of a function at the end of the step; the time from its start to the next zero, by the last
 * substep, and of which function. */
double picus_switches_value(const switch_watch *w, const stepper_snapshot *begin, int k);
double picus_switches_predict(const switch_watch *w, const stepper_snapshot *begin, double dt, int *index);
/* The other side of a function holds from this state on. Fails where both sides lead back. */
picus_status picus_switches_turn(switch_watch *w, stepper_snapshot *begin, int k);
/* After a look: the sides after the step, which ends at the zero of one function; -1: of none. */
picus_status picus_switches_finish(switch_watch *w, const stepper_snapshot *begin, stepper_snapshot *end, int crossed);

/* The powers order, order + power, order + 2 power, ... of dt in the error of a base step, and what removes them. */
typedef struct expansion {
  int order, power;
  int row_count;                                      /* of the tableau, at most */
  double weights[PICUS_ORDER_MOST][PICUS_ORDER_MOST]; /* T_kk = sum_i weights[k][i] T_i1 */
} expansion;

typedef struct extrapolation {
  picus_context *context;
  stepper *stepper;
  extrapolation_options options;
  int substeps[PICUS_ORDER_MOST]; /* n_i */
  expansion any, even;            /* in every motion; where only even powers occur */
  bool may_be_even;               /* there are such motions */
  const expansion *powers;        /* one of them: in the tableau that is being made */
  double *rows[PICUS_ORDER_MOST]; /* T_i1: the numbers of a snapshot */
  double *velocities;             /* rows, scratch */
  gap_watch gaps;
  alternation alternation;
  switch_watch switches;
  double *last, *best, *kept; /* T_{k-1,k-1}, T_kk, and the result */
  double *P_sum, *P_before;   /* percussions of the substeps of a row; of the substep before */
  double dt_resolve; /* steps up to this size may resolve a switching point that changes velocities by no more than the
                      * tolerance; dt_min resolves all */
  long base_steps;   /* since create; those for states inside steps do not count */
} extrapolation;

/* The weights of T_kk for an error of powers order, order + power, order + 2 power, ... of dt / substeps[i]. */
void picus_extrapolation_weights(int row, const int *substeps, int order, int power, double *weights);

picus_status picus_extrapolation_create(stepper *s, const extrapolation_options *options, extrapolation *out);
void picus_extrapolation_release(extrapolation *e); /* a zeroed one is fine */

/* |T_kk - T_{k-1,k-1}|: over its tolerance, the largest of all numbers; itself, the largest of q and of u. */
typedef struct step_error {
  double relative, q, u;
  double roundings; /* the largest of q and of u over the round-off of the numbers that are combined */
  bool is_rounding; /* the driver has found that shorter steps do not reduce it */
  bool alternates;  /* the largest one is a velocity that the substeps multiply by -1, */
  int velocity;     /* this one */
} step_error;

typedef struct extrapolated_step {
  step_outcome outcome;
  step_error error; /* zeros in a step that is not tested */
  int rows;         /* of the tableau */
  int order;        /* of the result */
  bool is_even;     /* with the weights for even powers of dt */
  bool laws_at_end; /* of the stepper, in the substeps */
  picus_step_info info;
} extrapolated_step;

/* From begin to t_end = begin->t + dt. end receives the result unless the outcome is STEP_DETECTED or the status is not
 * PICUS_OK. */
picus_status picus_extrapolation_step(extrapolation *e, const stepper_snapshot *begin, double dt, double t_end,
                                      stepper_snapshot *end, extrapolated_step *step);
/* Whether the smooth step just made, longer than dt_min, may have missed a contact that closed and opened again. */
picus_status picus_extrapolation_look(extrapolation *e, const stepper_snapshot *begin, double dt,
                                      const stepper_snapshot *end, bool *missed);
/* Forces and surfaces are others after this end of a step: closed contacts whose surfaces hit or leave them count as
 * open, so that the next step resolves the impact. */
picus_status picus_extrapolation_open_hit(extrapolation *e, stepper_snapshot *end);
/* Two base steps of half the size with any modes: the stepper is left there. */
picus_status picus_extrapolation_halves(extrapolation *e, const stepper_snapshot *begin, double dt);
/* One base step, with any modes: the stepper is left at its end. *agree: its modes are those of begin. */
picus_status picus_extrapolation_probe(extrapolation *e, const stepper_snapshot *begin, double dt,
                                       picus_step_info *info, bool *agree);
/* The state after dt from the rows of this step, with any modes: for points inside an accepted step. */
picus_status picus_extrapolation_state(extrapolation *e, const stepper_snapshot *begin, double dt,
                                       const extrapolated_step *step, double *q, double *u);

#endif
