/* Gaps of schemes at velocity level: the gap term, which keeps them from becoming negative, and their drift. */
#ifndef PICUS_STEPPER_GAP_TERM_H
#define PICUS_STEPPER_GAP_TERM_H

#include "step_problem/step_problem.h"

typedef struct stepper stepper;

/* Displacements against the drift of gaps; see gap_term.c. */
typedef struct gap_drift {
  double *w;            /* nu */
  double *gap, *lambda; /* laws of the problem */
  int *seen;            /* the same: when they were visited last, */
  int *moved;           /* parts: and moved last */
} gap_drift;

/* The gap term of a scheme at velocity level; see gap_term.c. */
typedef struct gap_term {
  bool on;
  double *ahead;    /* law_count: f, the gap before the new velocity acts; the scheme fills it */
  double *velocity; /* law_count: v of xi = gamma + v of contacts */
  double *most;     /* law_count: the velocity that forces can give a contact in a step */
  bool *chosen;     /* law_count: laws of the contact problem */
  double *offset;   /* row_count */
  gap_drift drift;
} gap_term;

picus_status picus_gap_term_create(stepper *s);
/* What a step knows before its contact problem; gamma_begin: row_count, or NULL: W^T u_begin + chi. */
typedef struct gap_step {
  double dt;
  const picus_evaluation *directions; /* W and chi of all laws, up to date */
  const double *u_begin, *u_free, *gamma_begin;
} gap_step;
/* From the gaps ahead: the laws of the problem and the velocities v, and the offset of a request, of all laws; then the
 * offset again, with another W. */
picus_status picus_gap_term_begin(stepper *s, const gap_step *step, double *offset, picus_step_info *info);
void picus_gap_term_fill(stepper *s, const gap_step *step, double *offset);
/* After the solve: contacts that were not chosen, but that the velocity u would cross, become laws of the problem; at
 * most once each. */
picus_status picus_gap_term_add_missed(stepper *s, const gap_step *step, const double *u, picus_step_info *info,
                                       bool *missed);

/* Slack of the gaps of persistent contacts in granular matter, which count as 0: shares of the way that forces give in
 * a step. */
#define PICUS_OVERLAP_SLACK 2e-4
#define PICUS_GAP_SLACK 1e-3
static inline bool picus_gap_is_beyond(double gap, double way) {
  return gap > PICUS_GAP_SLACK * way || gap < -PICUS_OVERLAP_SLACK * way;
}

/* --- drift of gaps --- */
picus_status picus_gap_drift_create(stepper *s);
/* After the solve of a step with the gap term. true: the step moves its positions by dt w in addition. */
bool picus_gap_drift_find(stepper *s, double dt);
/* Then, once the step is made: the work of forces on this way counts as dissipated by the contacts. */
void picus_gap_drift_settle(stepper *s, picus_step_info *info);

#endif
