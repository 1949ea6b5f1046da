/* The options of a run. Types only: models keep the defaults of their run in them, schemes and runs read them. */
#ifndef PICUS_OPTIONS_H
#define PICUS_OPTIONS_H

#include <picus/base.h>
#include <picus/contact.h>

/* How the implicit schemes decide, before a step, which contacts act in it (Acary 2012, 4.4). */
typedef enum picus_forecast {
  PICUS_FORECAST_EXPLICIT, /* g + s dt U <= 0: gap and gap velocity at the begin of the step, s = forecast_factor */
  PICUS_FORECAST_FREE,     /* g + dt (theta U_free + (1 - theta) U) <= 0: where the step would end without contacts */
  PICUS_FORECAST_MIXED     /* free for contacts that were closed within the last four steps, else explicit */
} picus_forecast;
/* In which metric positions are moved back to their constraints (Acary 2012, remark 3). */
typedef enum picus_metric {
  PICUS_METRIC_IDENTITY, /* along W tau */
  PICUS_METRIC_INERTIA   /* along M^-1 W tau, M being the matrix of the step's Newton iteration */
} picus_metric;
/* Where rattle takes the velocities of laws in the first half of a step, and the direction of persistent slip. */
typedef enum picus_slip_direction {
  PICUS_SLIP_MEAN, /* mean of both ends, at the velocity in the middle: order 2 where the direction turns */
  PICUS_SLIP_END   /* at the end of the step (Breuling et al. 2023): order 1 there */
} picus_slip_direction;
/* Options of moreau-jean, moreau-projected, moreau-combined and schatzman-paoli, see docs/theory/implicit.md, and of
 * rattle, see docs/theory/rattle.md. */
typedef struct picus_implicit_options {
  picus_forecast forecast;
  double forecast_factor;              /* s, in [0, 2] */
  picus_metric metric;                 /* of the projection */
  bool coupled;                        /* one problem for percussions and projection instead of one after the other */
  double newton_tolerance;             /* on the balance of momentum, relative to its own terms, which shrink with dt */
  double projection_tolerance;         /* on the gaps of the projected schemes, in their unit, m */
  int newton_max;                      /* iterations before a step is given up */
  picus_slip_direction slip_direction; /* of rattle */
} picus_implicit_options;

/* Into how many substeps the rows of an extrapolation divide a step. */
typedef enum picus_substeps {
  PICUS_SUBSTEPS_ODD,    /* 1, 3, 5, 7, ...: a lasting contact with restitution keeps its energy down */
  PICUS_SUBSTEPS_NATURAL /* 1, 2, 3, 4, ...: for comparison; pumps energy into a lasting contact with restitution */
} picus_substeps;
enum { PICUS_ORDER_MOST = 12 }; /* of an extrapolation */
/* Where the coefficient of restitution of a contact acts in an adaptive run; with fixed steps it always does. */
typedef enum picus_restitution {
  PICUS_RESTITUTION_ALWAYS,  /* in every step, as in Studer 2008, section 3: also in contacts that stay closed */
  PICUS_RESTITUTION_IMPACTS, /* where an open contact closes and the rebound lasts longer than some dt_min */
  PICUS_RESTITUTION_MODIFIED /* e^(dt / dt_min) in every step (Studer 2008, 8.2) */
} picus_restitution;

typedef struct picus_sim_options {
  const char *scheme;          /* "moreau"; see picus_scheme_at */
  double dt;                   /* s, > 0 */
  double t_start, t_end;       /* s */
  double theta;                /* in [0,1]; for the schemes that have one */
  picus_solver_options solver; /* of the contact problems */
  long every;                  /* record every n-th step; 0: not by steps */
  double sample;               /* s; record at exactly t_start + k sample; 0: not by time */
  picus_implicit_options implicit;
  /* Steps and order chosen by extrapolation and a search for switching points; see docs/theory/adaptive.md. The scheme
   * is the one that makes the substeps; dt only serves dt_min where that is not given. */
  bool adaptive;
  double dt_min, dt_max;   /* s, > 0; 0: a hundredth of dt, and from the system's own time scales */
  double atol, rtol;       /* error of a step in each coordinate and velocity x: atol + rtol |x| */
  int order_max;           /* largest order of a step, 1 to PICUS_ORDER_MOST */
  int order;               /* this order in every smooth step, without a test of the error; 0: order by the error */
  picus_substeps substeps; /* how the rows of an extrapolation divide a step */
  picus_restitution restitution; /* where coefficients of restitution act */
} picus_sim_options;

#endif
