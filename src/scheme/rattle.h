/* The two stages of the scheme rattle, and the linearised kinematics of the first one. */
#ifndef PICUS_SCHEME_RATTLE_H
#define PICUS_SCHEME_RATTLE_H

#include "scheme/newton_residual.h"

/* How the positions of a part at the end of the step follow its velocities in the middle, where q' is not u:
 * X = dq_end/du = (1 - dt/2 drate/dq)^-1 dt/2 (B_begin + B_end). */
typedef struct rattle_part {
  double *slope;   /* X, nq x nu */
  double *B_begin; /* nq x nu */
  double *factor;  /* 1 - dt/2 drate/dq at the end, nq x nq, factored */
  int *pivots;
} rattle_part;

/* The contact problem of the second stage with the directions of persistent slip given: P_F = - radius d. Such a law
 * has one unknown, P_N, or none, and a problem with fewer rows is left. */
typedef struct rattle_slip {
  bool possible; /* there are laws whose slip has a direction, and it is the mean one that counts */
  int given_count;
  bool *given;       /* law_count: whose direction is given */
  double *direction; /* row_count: d in the friction rows of these */
  int law_count, size;
  picus_law *laws;
  int *law_of; /* law_count: which of the active laws */
  int *row_of; /* size: which of their rows */
  double *G, *c, *P;
  double *known; /* percussions that are known, of all active rows */
  picus_mode *modes;
} rattle_slip;

struct rattle_step {
  picus_evaluation *end; /* at (t_end, q_end); the stepper's own stays at the begin of the step */
  system_matrix matrix;  /* A = M_begin - dt/2 dh/du */
  bool matrix_constant;
  double matrix_dt;         /* of the factor, where A is constant; 0: none */
  step_problem problem;     /* of the first stage; changes places with that of the stepper while the stage runs */
  delassus_matrix delassus; /* the same for G, where it is constant */
  bool rows_are_W;          /* the laws' slopes in u are W itself: constant directions and q' = u */
  rattle_part *parts;
  double *dh_dq, *dh_du, *drate_dq, *B, *dgap_dq, *dgamma_dq; /* of one part */

  /* the step */
  double dt, t_begin, t_end;
  double *gamma_begin; /* row_count: law velocities of the state */
  /* the iterate of the first stage */
  double *u, *q, *u_free;
  double *q_low;                  /* what rounding cuts off q, if the stepper keeps it */
  double *h, *balance, *momentum; /* h(t, q_begin, u), M (u - u_begin) - dt/2 h, M (u - u_begin) */
  double *rate_begin, *rate;      /* q' at both ends with u */
  double *gap, *offset, *rounding, *rows;
  double *forecast;  /* law_count: -1 for contacts that take part */
  double *losses;    /* row_count */
  double *gap_noise; /* law_count: rounding of the gaps' own expressions, zeros unless measured in this step; scratch */
  double *slip_velocity; /* row_count: law velocities of the first stage, in the mean of the step or at its end */
  bool *taken_back;      /* law_count: P1 is taken back in the second stage, which finds P alone */
  rattle_slip slip;
  newton_residual residual;
};

/* --- rattle_slopes.c: linearised kinematics --- */
picus_status picus_rattle_slopes_create(stepper *s);
void picus_rattle_slopes_release(stepper *s);
/* B where the step begins. */
picus_status picus_rattle_begin_rates(stepper *s);
/* q and q_low from u: q = q_begin + dt/2 (q'(q_begin, u) + q'(q, u)), to rounding; leaves r->end at (t_end, q, u). */
picus_status picus_rattle_positions(stepper *s);
/* A at the present u, factored; and G of the first stage, whose problem is the stepper's now, where it is constant. */
picus_status picus_rattle_matrix(stepper *s);
/* The slopes of gaps over dt and of law velocities in u, into r->rows. */
picus_status picus_rattle_rows(stepper *s);

/* --- rattle_slip.c: the direction of persistent slip --- */
picus_status picus_rattle_slip_create(stepper *s);
void picus_rattle_slip_release(stepper *s);
/* The second stage with the slip directions of the first one, for laws in persistent slip of two or three dimensions.
 * *taken: they all slip that way at the end of the step as well, u and the percussions are its result. Otherwise the
 * laws themselves must find their directions. */
picus_status picus_rattle_slip_solve(stepper *s, const contact_request *request, double *u, picus_step_info *info,
                                     bool *taken);

#endif
