/* The half-explicit scheme at velocity level: data of a step, and what is connected with an impact. */
#ifndef PICUS_SCHEME_HALF_EXPLICIT_H
#define PICUS_SCHEME_HALF_EXPLICIT_H

#include "scheme/internal.h"
#include "system/components.h"

typedef struct half_explicit_step {
  picus_evaluation *begin, *end; /* at (t_0, q_0) and at (t_1, q_1); the stepper's own is at (t_1, q~) */
  step_problem first;            /* for lambda+; the stepper's own is for lambda- */
  step_problem other;            /* of a step with an impact: lambda- and Lambda of some laws */
  bool needs_forecast;           /* q~ is needed: for W, for q', or for the active set */

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
  double *losses;                             /* row_count, J */
  velocity_components components;
  bool *impulsive; /* law_count: connected with an impact */
  /* steps with an impact in parts */
  bool can_divide;
  stepper_snapshot start;
  double *sums; /* like the memory */
} half_explicit_step;
static inline half_explicit_step *half_explicit_of(stepper *s) { return s->own; }

/* The memory of the scheme, which results also show. */
typedef struct half_explicit_memory {
  double *force_begin, *force_end, *impulse; /* row_count: lambda+, lambda-, N; Lambda, N s */
  double *impulse_loss;                      /* law_count: J, since t_start, by impulses alone */
} half_explicit_memory;
half_explicit_memory picus_half_explicit_memory(const stepper *s, double *values);

/* Marks the laws connected with a contact that closes in this step, in r->impulsive; *any: there is such a contact. Two
 * laws are connected if they act on velocities that M or closed laws connect; springs do not connect. */
picus_status picus_half_explicit_find_impulsive(stepper *s, bool *any);

#endif
