/* Simulation: a scheme stepping a system, and the driver that runs it to its end. */
#ifndef PICUS_SIM_H
#define PICUS_SIM_H

#include <picus/base.h>
#include <picus/contact.h>
#include <picus/system.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct picus_sim picus_sim;
typedef struct picus_recorder picus_recorder;

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
/* Names as in model files and on the command line, by number; NULL: there is no such one. */
PICUS_API const char *picus_forecast_name(int forecast);        /* Lifetime: that of the program */
PICUS_API const char *picus_metric_name(int metric);            /* Lifetime: that of the program */
PICUS_API const char *picus_slip_direction_name(int direction); /* Lifetime: that of the program */
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
/* Lifetime: that of the program. */
PICUS_API const char *picus_restitution_name(int restitution); /* by number; NULL: there is no such one */

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

/* The options a run starts from: those of the model's simulate { ... } over Picus' own defaults. */
PICUS_API picus_sim_options picus_default_sim_options(void);
/* Lifetime: its texts live as long as the model. */
PICUS_API picus_sim_options picus_model_sim_options(const picus_model *model);

/* Painleve's paradox: friction so strong that a contact that slides has several solutions or none without an impact. */
typedef enum picus_paradox {
  PICUS_PARADOX_NONE,
  PICUS_PARADOX_INDETERMINATE, /* several: the contact may open, slide on, or be stopped at once */
  PICUS_PARADOX_INCONSISTENT   /* none but an impact without collision */
} picus_paradox;
/* What the step took of them. */
typedef enum picus_branch { PICUS_BRANCH_OPENED, PICUS_BRANCH_SLID, PICUS_BRANCH_IMPACT } picus_branch;

/* The base scheme for adaptive runs and references: rattle; moreau-jean for systems with flexible components, whose
 * stiffness rattle takes where it is known; moreau where a contact starts with a negative gap, from which rattle would
 * push the bodies apart. Lifetime: for ever. */
PICUS_API const char *picus_adaptive_scheme(picus_context *context, const picus_system *system, double t_start);

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

/* The context is the one all messages of this simulation go to. The system must outlive the simulation. Lifetime:
 * `*out` until `picus_sim_destroy`, before the system. */
PICUS_API picus_status picus_sim_create(picus_context *context, const picus_system *system,
                                        const picus_sim_options *options, picus_sim **out);
PICUS_API void picus_sim_destroy(picus_sim *sim);
PICUS_API const picus_sim_options *picus_sim_options_of(const picus_sim *sim); /* Lifetime: that of the simulation */
PICUS_API const picus_system *picus_sim_system(const picus_sim *sim);          /* Lifetime: that of the system */
/* Begins again from another state, with the bits of a new simulation that starts there; dissipated energies begin at 0.
 * A state that is the present one bit by bit, time included, changes nothing at all. */
PICUS_API picus_status picus_sim_set_state(picus_sim *sim, double t, const double *q, const double *u);

typedef struct picus_state {
  double t;
  int nq, nu;
  const double *q, *u; /* views, valid until the next step */
} picus_state;
PICUS_API picus_state picus_sim_state(const picus_sim *sim); /* Lifetime: until the next step */

/* One law at the state reached: gap and velocities there, percussion and mode of the last step. */
typedef struct picus_law_state {
  double gap, normal_velocity;
  double slip[3];
  double PN, PF[3]; /* N s, of the last step */
  picus_mode mode;
  double dissipated;     /* J, since the start of the run */
  long impacts, chatter; /* since the start of the run, as in picus_summary */
} picus_law_state;
/* states: law_count. */
PICUS_API picus_status picus_sim_laws(picus_sim *sim, picus_law_state *states);
PICUS_API picus_status picus_sim_energy(picus_sim *sim, double *kinetic, double *potential);

/* One step of size dt (0: the option's). On failure the state is the one before the step. info may be NULL. */
PICUS_API picus_status picus_sim_step(picus_sim *sim, double dt, picus_step_info *info);

/* Called now and then during a run; non-zero stops the run with PICUS_INTERRUPTED. */
typedef int (*picus_progress_fn)(void *user, double t, double t_end, long steps);
typedef struct picus_run_hooks {
  picus_progress_fn progress; /* may be NULL */
  void *user;
  int event_count;           /* further times at which a step must end exactly */
  const double *event_times; /* any order */
} picus_run_hooks;
/* Steps to t_end, landing on event and sample times. recorder and hooks may be NULL. Whatever ends the run, the
 * recorder holds everything up to there and summary says how it went. PICUS_ERROR_NUMBER: something is not finite, and
 * the message names it; PICUS_ERROR_STEP: fixed steps grow in a way that halved ones do not confirm. */
PICUS_API picus_status picus_sim_run(picus_sim *sim, picus_recorder *recorder, const picus_run_hooks *hooks,
                                     picus_summary *summary);

/* The contact problem of one step, just after the solver dealt with it; all of it is valid during the call only. */
typedef struct picus_contact_event {
  double t; /* begin of the step */
  const picus_contact_problem *problem;
  const double *start, *P; /* what the solver started from and what it found, size doubles each */
  const picus_solve_info *info;
} picus_contact_event;
typedef void (*picus_contact_watch_fn)(void *user, const picus_contact_event *event);
/* Calls watch after each contact problem, solved or not; NULL: no more. Lifetime: `user` is needed until the watch is
 * removed or the simulation destroyed. */
PICUS_API void picus_sim_watch_contacts(picus_sim *sim, picus_contact_watch_fn watch, void *user);

/* The schemes by number, from 0, until NULL. */
typedef struct picus_scheme_description {
  const char *name;
  const char *summary;
  const char *reference;
  bool implicit; /* theta and picus_implicit_options mean something to it */
} picus_scheme_description;
PICUS_API const picus_scheme_description *picus_scheme_at(int index); /* Lifetime: that of the program */

#ifdef __cplusplus
}
#endif

#endif
