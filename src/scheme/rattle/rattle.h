/* The two stages of the scheme rattle, and the linearized kinematics of the first one. */
#ifndef PICUS_SCHEME_RATTLE_H
#define PICUS_SCHEME_RATTLE_H

#include "scheme/implicit.h"
#include "step_problem/given_slip.h"
#include "stepper/impacts.h"

/* The dependence of the positions of a part at the end of the step on its midpoint velocities, if q' is not u: X =
 * dq_end/du = (1 - dt/2 drate/dq)^-1 dt/2 (B_begin + B_end). */
typedef struct rattle_part {
  double *slope;      /* X, nq x nu */
  double *B_begin;    /* nq x nu */
  rate_factors rates; /* at the end, with dt/2 */
  double *u, dt;      /* of linear rates, nu: with which the factors were made */
  bool has_slope;     /* X is that of the present iterate */
} rattle_part;

/* The iteration of the paper on prox equations, for its number of iterations; r = 0: it is not counted. */
typedef struct rattle_prox {
  double r;
  int n;              /* rows of all laws */
  double *G, *J;      /* n x n: G, and the linear system of an iteration */
  double *c, *xi, *P; /* n: xi = G P + c */
  double *next;       /* n: right side, then P of the next iterate */
  double *X;          /* n x nu: A^-1 w of each row */
  double *P1, *P2;    /* n: percussions of both stages of the last step, from which the iterations start */
  double *half;       /* nu: u_h of the last step */
  bool has_last;      /* there is a last step; else P1 is found from the forces at the start */
  double *u, *guess;  /* nu: scratch */
  int *pivots;        /* n */
} rattle_prox;

/* The last iteration of a step whose iterations keep their rows, because the residual has stalled. */
typedef struct kept_iterate {
  bool keeps_rows, known;
  int slow;          /* iterations with these rows that stalled */
  double *u, *f, *P; /* nu, nu, row_count: its solution, the change from the iterate before, its percussions */
} kept_iterate;

typedef struct rattle_step {
  picus_evaluation *end;                  /* at (t_end, q_end); the stepper's own stays at the start of the step */
  system_matrix matrix;                   /* A = M_begin - dt/2 dh/du */
  bool matrix_constant, damping_constant; /* A, and dh/du alone: then A changes from step to step, not within one */
  double matrix_dt;                       /* of the factor; 0: none */
  step_problem problem;                   /* of the first stage; the second stage has that of the stepper */
  bool rows_are_W;                        /* the laws' slopes in u are W itself: constant directions and q' = u */
  rattle_part *parts;
  double *dh_dq, *dh_du, *drate_dq, *B, *dgap_dq, *dgamma_dq; /* of one part */
  double *coupling_u;                                         /* dh/du of the couplings of the system */

  /* the step */
  double dt, t_begin, t_end;
  double *gamma_begin; /* row_count: relative velocities of the state */
  /* the iterate of the first stage */
  double *u, *q, *u_free;
  double *u_unloaded;             /* the state's, changed by the forces of the step; when an impact is searched for */
  double *q_low;                  /* round-off error of q, if the stepper keeps it */
  bool has_B_begin;               /* of parts with linear rates, in this step */
  double *h, *balance, *momentum; /* h(t, q_begin, u), M (u - u_begin) - dt/2 h, M (u - u_begin) */
  bool has_force;                 /* h is that of the step, whatever u: the balance is linear in u */
  bool has_rounding;              /* of the gaps of this step */
  double *rate_begin, *rate;      /* q' at both ends with u */
  double *gap, *offset, *rounding, *rows;
  double *gap_begin;     /* law_count: at the start, for preloads and impacts there */
  double *forecast;      /* law_count: -1 for contacts that take part */
  row_energies energies; /* row_count */
  double
      *gap_noise; /* law_count: round-off of the gaps' own expressions, zeros unless measured in this step; scratch */
  double *slip_velocity; /* row_count: relative velocities of the first stage, in the mean of the step or at its end */
  bool *taken_back;      /* law_count: P1 is taken back in the second stage, which finds P alone */
  given_slip slip;
  rattle_prox prox;
  newton_residual residual;
  kept_iterate last;
  velocity_guess guess; /* of u_h - u_0 */
  double t_kept;        /* where the last step ended, */
  double *u_kept;       /* nu: with this velocity; the guess is for a step from there */
} rattle_step;
/* Of a stepper of this scheme. */
static inline rattle_step *rattle_of(const stepper *s) { return s->own; }

/* --- rattle.c: the first stage at the present u, and its laws linearized there --- */
picus_status picus_rattle_look(stepper *s);
picus_status picus_rattle_linearize(stepper *s);

/* --- rattle_prox.c: the iteration of the paper, counted in info --- */
picus_status picus_rattle_prox_create(stepper *s);
/* Before a step of dt: where its iterations start; and after it. */
picus_status picus_rattle_prox_begin(stepper *s, double dt);
void picus_rattle_prox_end(stepper *s);
void picus_rattle_prox_restart(stepper *s);
void picus_rattle_prox_archive(stepper *s, picus_archive *archive);
picus_status picus_rattle_prox_first(stepper *s, picus_step_info *info);
/* After the laws of the second stage are chosen. */
void picus_rattle_prox_second(stepper *s, picus_step_info *info);

/* --- rattle_slopes.c: linearized kinematics --- */
picus_status picus_rattle_slopes_create(stepper *s);
/* B at the start of the step; that of linear rates is found when it is needed. */
picus_status picus_rattle_begin_rates(stepper *s);
/* q and q_low from u: q = q_begin + dt/2 (q'(q_begin, u) + q'(q, u)), to round-off; leaves r->end at (t_end, q, u). */
picus_status picus_rattle_positions(stepper *s);
/* A at the current u, factored; and a constant G of the first stage, whose problem is currently that of the stepper.
 * first: of the iterations of a step. */
picus_status picus_rattle_matrix(stepper *s, bool first);
/* The slopes of gaps over dt and of relative velocities in u, into r->rows. */
picus_status picus_rattle_rows(stepper *s);

/* --- rattle_start.c: contacts that are closed at the start and approach there --- */
/* After the second stage, with u_end: whether contacts that it left out must take part, because they were closed at the
 * start of a step that begins with an impact and violate their law; then all contacts closed there, into r->forecast.
 */
picus_status picus_rattle_join_closed(stepper *s, const double *u_end, bool *join);

#endif
