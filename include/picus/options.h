/* The options of a run. Types only: models keep the defaults of their run in them, schemes and runs read them. */
#ifndef PICUS_OPTIONS_H
#define PICUS_OPTIONS_H

#include <picus/base.h>
#include <picus/contact.h>

/* Forecast of the active contacts of a step in the implicit schemes (Acary 2012, 4.4). */
typedef enum picus_forecast {
  PICUS_FORECAST_EXPLICIT, /* g + s dt U <= 0: gap and gap velocity at the start of the step, s = forecast_factor */
  PICUS_FORECAST_FREE,     /* g + dt (theta U_free + (1 - theta) U) <= 0: gap at the end of a step without contacts */
  PICUS_FORECAST_MIXED     /* free for contacts closed within the last four steps, else explicit */
} picus_forecast;
/* Metric of the projection of positions onto their constraints (Acary 2012, remark 3). */
typedef enum picus_metric {
  PICUS_METRIC_IDENTITY, /* along W tau */
  PICUS_METRIC_INERTIA   /* along M^-1 W tau, with M the matrix of the Newton iteration of the step */
} picus_metric;
/* How a projected scheme finds the projection of positions. */
typedef enum picus_projection {
  PICUS_PROJECTION_DECOUPLED, /* in each Newton iteration, by a problem of its own after that of the percussions */
  PICUS_PROJECTION_COUPLED,   /* in each Newton iteration, in one problem with the percussions */
  PICUS_PROJECTION_AFTER      /* after the Newton iteration, until the gaps are closed */
} picus_projection;
/* Where rattle evaluates the relative velocities in the first half of a step, and the direction of persistent slip. */
typedef enum picus_slip_direction {
  PICUS_SLIP_MEAN, /* mean of both ends, at the midpoint velocity: order 2 if the direction turns */
  PICUS_SLIP_END   /* at the end of the step (Breuling et al. 2023): order 1 if the direction turns */
} picus_slip_direction;
/* Options of moreau-jean, moreau-projected, moreau-combined and schatzman-paoli, see docs/theory/implicit.md, and of
 * rattle, see docs/theory/rattle.md. */
typedef struct picus_implicit_options {
  picus_forecast forecast;
  double forecast_factor; /* s, in [0, 2] */
  picus_metric metric;    /* metric of the projection */
  picus_projection projection;
  double newton_tolerance;             /* on the momentum balance, relative to its own terms, which shrink with dt */
  double projection_tolerance;         /* on the gaps of the projected schemes, m */
  int newton_max;                      /* largest number of iterations per step */
  picus_slip_direction slip_direction; /* rattle */
  double prox_r;    /* rattle: also count the iterations of Breuling et al. (2023) with this r; 0: no */
  bool mean_forces; /* moreau-jean and its projected schemes: M at the end of a step and the mean of the forces of both
                     * ends, theta h_1 + (1 - theta) h_0, instead of M and h at the point in between */
  bool newton_printed; /* moreau-jean and its projected schemes: Newton's iteration as Acary 2012 prints it */
  bool stages;         /* rattle with fixed steps: rows also have the percussions of both stages */
} picus_implicit_options;

/* A tableau of a half-explicit Runge-Kutta method with s stages: the rows 2 ... s of A, then b. Row l has l numbers,
 * the last of which is positive. */
enum { PICUS_STAGES_MOST = 8 };
typedef struct picus_tableau {
  int stages; /* 0: the default, BH3 */
  int order;  /* that it must have, 1 to 4; 0: as its rows give it */
  double rows[PICUS_STAGES_MOST][PICUS_STAGES_MOST];
} picus_tableau;

/* Options of the half-explicit schemes, see docs/theory/half-explicit.md. */
typedef struct picus_half_explicit_options {
  bool predicted; /* half-explicit: forces at the start of a step of the contacts that its initial velocity closes, by
                     eqs. (75) to (77) of Schindler et al. 2015, for comparison: it does not converge with impacts */
  double closed_gap;     /* m, >= 0: wider gaps are open; 0: those beyond round-off */
  int impact_substeps;   /* a step with an impact is made in so many equal ones; 0 or 1: in one */
  picus_tableau tableau; /* half-explicit-rk */
} picus_half_explicit_options;

/* Number of substeps in the rows of an extrapolation. */
typedef enum picus_substeps {
  PICUS_SUBSTEPS_ODD,    /* 1, 3, 5, 7, ...: the energy of a persistent contact with restitution stays bounded */
  PICUS_SUBSTEPS_NATURAL /* 1, 2, 3, 4, ...: for comparison; adds energy to a persistent contact with restitution */
} picus_substeps;
enum { PICUS_ORDER_MOST = 12 }; /* of an extrapolation */
/* How an adaptive run chooses the sizes of its steps. */
typedef enum picus_step_control {
  PICUS_STEP_CONTROL_FORECAST, /* ahead of impacts that it predicts; sizes grow by the estimated error */
  PICUS_STEP_CONTROL_PAPER     /* tables I to VI of Studer 2008 as printed: halved and doubled, for comparison */
} picus_step_control;
/* When the coefficient of restitution of a contact acts in an adaptive run; with fixed steps it always acts. */
typedef enum picus_restitution {
  PICUS_RESTITUTION_ALWAYS,  /* in every step, as in Studer 2008, section 3: also in persistent contacts */
  PICUS_RESTITUTION_IMPACTS, /* when an open contact closes and the rebound lasts longer than a few dt_min */
  PICUS_RESTITUTION_MODIFIED /* e^(dt / dt_min) in every step (Studer 2008, 8.2) */
} picus_restitution;

/* What is known of the velocities after an impact. */
typedef enum picus_impact_law {
  PICUS_IMPACT_OF_RUN,     /* of a contact: the law of the run; of a run: Newton's */
  PICUS_IMPACT_POISSON,    /* compression, then expansion with a share of its percussions (Glocker and Pfeiffer 1995) */
  PICUS_IMPACT_SEQUENTIAL, /* one collision after the other, as if touching contacts had the same small gap */
  PICUS_IMPACT_NEWTON      /* of a contact: gamma+ = - e gamma-, of all contacts at once */
} picus_impact_law;

/* By what contacts of shapes are summed up in results. */
typedef enum picus_pair_sum {
  PICUS_PAIRS_NONE,     /* no sums */
  PICUS_PAIRS_BODIES,   /* by pair of bodies and frames */
  PICUS_PAIRS_MATERIALS /* by pair of materials */
} picus_pair_sum;

typedef struct picus_sim_options {
  const char *scheme;          /* "moreau"; see picus_scheme_at */
  double dt;                   /* s, > 0 */
  double t_start, t_end;       /* s */
  double theta;                /* in [0,1]; for the schemes that use it */
  picus_solver_options solver; /* of contact problems */
  long every;                  /* record every n-th step; 0: off; no effect with sample */
  double sample;               /* s; record at exactly t_start + k sample; 0: off */
  picus_implicit_options implicit;
  picus_half_explicit_options half_explicit;
  /* Step size and order from extrapolation and a search for switching points; see docs/theory/adaptive.md. The scheme
   * makes the substeps; dt only sets the default of dt_min. */
  bool adaptive;
  double dt_min, dt_max;   /* s, > 0; 0: dt/100, and from the time scales of the system */
  double atol, rtol;       /* tolerance of a step in each coordinate and velocity x: atol + rtol |x| */
  int order_max;           /* largest order of a step, 1 to PICUS_ORDER_MOST; with even powers of dt up to two more */
  int order;               /* fixed order of smooth steps, without error control; 0: order from the error */
  picus_substeps substeps; /* of the rows of an extrapolation */
  picus_step_control step_control;
  picus_restitution restitution; /* when coefficients of restitution act */
  /* A smooth step that misses its tolerance at the largest order is accepted and counted, not repeated with a smaller
   * size (Studer 2008, 9.3: "accept the results and proceed"). */
  bool accept_inaccurate;
  /* Results also have the energy that each law dissipates, and of contacts of shapes energy and percussions by pair. */
  picus_pair_sum pairs;
  /* Of contacts that name no impact law. Others than Newton's: moreau, moreau-explicit, rattle, half-explicit and its
   * variants; see docs/theory/impacts.md. */
  picus_impact_law impact;
  /* moreau, moreau-explicit, moreau-jean with fixed steps: contacts approach by no more than their gap in a step, so
   * that gaps do not become negative; see docs/theory/moreau.md. */
  bool gap_term;
  /* moreau, moreau-explicit with fixed steps: bodies that have been at rest for 20 steps, with all bodies that they
   * touch, have no velocity until something moves them; see docs/theory/moreau.md. */
  bool sleep;
  /* The impact of the closed contacts that approach at the start, before the first step and without a part in the
   * balance of energy. Without it the first step has this impact, in every scheme. */
  bool start_impact;
} picus_sim_options;

#endif
