/* What is known about a step, about a law after it, and about a whole run. Types only: schemes and runs fill them,
 * sinks and programs read them. */
#ifndef PICUS_STEP_H
#define PICUS_STEP_H

#include <picus/base.h>
#include <picus/contact.h>

/* Painleve's paradox: friction so strong that a contact that slides has several solutions or none without an impact. */
typedef enum picus_paradox {
  PICUS_PARADOX_NONE,
  PICUS_PARADOX_INDETERMINATE, /* several: the contact may open, slide on, or be stopped at once */
  PICUS_PARADOX_INCONSISTENT   /* none but an impact without collision */
} picus_paradox;
/* What the step took of them. */
typedef enum picus_branch { PICUS_BRANCH_OPENED, PICUS_BRANCH_SLID, PICUS_BRANCH_IMPACT } picus_branch;

/* Everything that is known about one step. */
typedef struct picus_step_info {
  double t, dt;             /* end of the step and its size */
  int order;                /* of the step, in an adaptive run; else 0 */
  int active;               /* laws that took part in the contact problem; 0: free flight */
  int impacts;              /* contacts whose relative velocity jumped in this step (docs/results.md) */
  int chatter;              /* contacts that closed within four steps after they had opened */
  double lowest_gap;        /* smallest gap where the scheme looked; +infinity without contacts */
  int lowest_gap_law;       /* -1: none */
  double dissipated;        /* energy taken out by the laws in this step, J */
  picus_solve_info solve;   /* of the last contact problem of the step, iterations of all; zeros if active is 0 */
  double constraint_error;  /* largest |g| of the position constraints where the scheme looked; 0 without them */
  int constraint_error_law; /* -1: none */
  picus_paradox paradox;    /* at a contact that slides; in an adaptive run the first of the substeps */
  int paradox_law;          /* where, and what was taken, if there is one */
  picus_branch paradox_branch;
  /* implicit schemes; else zeros */
  int newton_iterations;     /* linear systems solved for the velocities */
  int projection_iterations; /* problems solved for the positions */
  int set_iterations;        /* sets of active laws tried */
  double projection;         /* largest |tau|: how far the positions were moved back, in the metric's own unit */
} picus_step_info;           /* Lifetime: its texts live as long as the program */

/* Steps of a run with one kind of paradox, and the first of them. */
typedef struct picus_paradox_count {
  long steps;
  double t; /* s, end of the first one */
  int law;
  picus_branch branch;
} picus_paradox_count;

/* Warnings of runs with fixed steps; see docs/results.md. A contact that was passed through between two looks at its
 * gap: how often, and of the first one the time, the law, and either how far it moved in a step (travel) and how far it
 * was ever open (gap), or travel = 0 and how deep it was on the way (gap). */
typedef struct picus_passage_count {
  long count;
  double t;
  int law;
  double travel, gap;
} picus_passage_count;
/* Steps with a penetration beyond what the scheme explains, and of the deepest the time, the law and what is explained.
 */
typedef struct picus_depth_count {
  long steps;
  double t;
  int law;
  double depth, explained;
} picus_depth_count;

/* Sums over a run; part of every result. */
typedef struct picus_summary {
  picus_status status; /* how the run ended */
  long steps;
  double t_start, t_end; /* reached */
  double seconds;        /* wall time of the stepping, files included */
  long contact_steps;    /* steps with at least one active law */
  long solver_iterations, solver_iterations_max;
  long fallbacks;        /* contact problems that a second solver had to finish */
  long shortened;        /* steps that had to be divided because they could not be solved at full size */
  double worst_residual; /* largest picus_residual.relative, and when */
  double worst_residual_t;
  long impacts;             /* contacts whose relative velocity jumped, counted step by step (docs/results.md) */
  long chatter;             /* closings within four steps after the contact had opened */
  double worst_penetration; /* largest -gap where the scheme looked, >= 0; when, and at which law (-1: none) */
  double worst_penetration_t;
  int worst_penetration_law;
  double
      worst_constraint; /* largest |g| of a position constraint where the scheme looked; when, and which (-1: none) */
  double worst_constraint_t;
  int worst_constraint_law;
  double energy_start, energy_end; /* kinetic + potential, J */
  double dissipated;               /* by all laws, J */
  long rows;                       /* recorded */
  picus_paradox_count indeterminate, inconsistent;
  /* implicit schemes: sums over all steps, and the most in one step (Acary 2012, Table 3) */
  long newton_iterations, newton_iterations_max;
  long projection_iterations, projection_iterations_max;
  long set_iterations, set_iterations_max;
  double worst_projection; /* largest |tau| of a step */
  /* adaptive runs; steps are the accepted ones */
  long base_steps;       /* steps of the scheme, those of rejected steps included: the work */
  long rejected;         /* steps computed and given up: a switching point, or not accurate enough */
  long switching_points; /* steps of size dt_min in which a law changed its mode */
  long order_largest;
  double dt_least, dt_largest; /* s */
  long missed;       /* smooth steps that miss their tolerance and were taken, as dt_min forbids shorter ones */
  double worst_miss; /* the largest estimated error of these over its tolerance, and when */
  double worst_miss_t;
  /* warnings at contacts, fixed steps */
  picus_passage_count passed;
  picus_depth_count unexplained;
} picus_summary;

typedef struct picus_state {
  double t;
  int nq, nu;
  const double *q, *u; /* views, valid until the next step */
} picus_state;

/* One law at the state reached: gap and velocities there, percussion and mode of the last step. */
typedef struct picus_law_state {
  double gap, normal_velocity;
  double slip[3];
  double PN, PF[3]; /* N s, of the last step */
  picus_mode mode;
  double dissipated;     /* J, since the start of the run */
  long impacts, chatter; /* since the start of the run, as in picus_summary */
} picus_law_state;

/* A switching point: a law was found in another mode after a step than after the step before, or planar slip turned
 * round, or a closed contact had an impact, with the same mode before and after. The law switched within the step, or,
 * where the scheme looks at gaps at midpoints, at most half a step before it. A direction of slip is a unit vector, in
 * planar friction the sign of the slip alone; it is zero where the law does not slip. Percussion and energy lost belong
 * to the step: for a contact that closes they are those of the impact.
 */
typedef struct picus_switching {
  double t, dt; /* s, end and size of the step */
  int law;      /* index in the system */
  picus_mode from, to;
  double from_slip[3], to_slip[3];
  double PN, PF[3];   /* N s, percussion of the step; PN also for bilateral constraints */
  double lost;        /* J, taken out by the law in the step */
  double lost_before; /* J, taken out by the law since its last switching point, before the step */
  int impact;         /* 1: the law had an impact in the step, as in picus_summary; 0: none */
  int bounces;        /* of an accumulation point that shows here; 0: none */
  double limit;       /* s, where the accumulating impacts come together; NAN: none */
} picus_switching;

#endif
