/* Simulation: a scheme that steps a system, and the driver that runs it to t_end. */
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
/* Where rattle evaluates the relative velocities in the first half of a step, and the direction of persistent slip. */
typedef enum picus_slip_direction {
  PICUS_SLIP_MEAN, /* mean of both ends, at the midpoint velocity: order 2 if the direction turns */
  PICUS_SLIP_END   /* at the end of the step (Breuling et al. 2023): order 1 if the direction turns */
} picus_slip_direction;
/* Names as in model files and on the command line, by number; NULL: no such number. */
PICUS_API const char *picus_forecast_name(int forecast);        /* Lifetime: that of the program */
PICUS_API const char *picus_metric_name(int metric);            /* Lifetime: that of the program */
PICUS_API const char *picus_slip_direction_name(int direction); /* Lifetime: that of the program */
/* Options of moreau-jean, moreau-projected, moreau-combined and schatzman-paoli, see docs/theory/implicit.md, and of
 * rattle, see docs/theory/rattle.md. */
typedef struct picus_implicit_options {
  picus_forecast forecast;
  double forecast_factor;      /* s, in [0, 2] */
  picus_metric metric;         /* metric of the projection */
  bool coupled;                /* one coupled problem for percussions and projection, instead of two in sequence */
  double newton_tolerance;     /* on the momentum balance, relative to its own terms, which shrink with dt */
  double projection_tolerance; /* on the gaps of the projected schemes, m */
  int newton_max;              /* largest number of iterations per step */
  picus_slip_direction slip_direction; /* rattle */
} picus_implicit_options;

/* Number of substeps in the rows of an extrapolation. */
typedef enum picus_substeps {
  PICUS_SUBSTEPS_ODD,    /* 1, 3, 5, 7, ...: the energy of a persistent contact with restitution stays bounded */
  PICUS_SUBSTEPS_NATURAL /* 1, 2, 3, 4, ...: for comparison; adds energy to a persistent contact with restitution */
} picus_substeps;
enum { PICUS_ORDER_MOST = 12 }; /* of an extrapolation */
/* When the coefficient of restitution of a contact acts in an adaptive run; with fixed steps it always acts. */
typedef enum picus_restitution {
  PICUS_RESTITUTION_ALWAYS,  /* in every step, as in Studer 2008, section 3: also in persistent contacts */
  PICUS_RESTITUTION_IMPACTS, /* when an open contact closes and the rebound lasts longer than a few dt_min */
  PICUS_RESTITUTION_MODIFIED /* e^(dt / dt_min) in every step (Studer 2008, 8.2) */
} picus_restitution;
/* Lifetime: that of the program. */
PICUS_API const char *picus_restitution_name(int restitution); /* by number; NULL: no such number */

typedef struct picus_sim_options {
  const char *scheme;          /* "moreau"; see picus_scheme_at */
  double dt;                   /* s, > 0 */
  double t_start, t_end;       /* s */
  double theta;                /* in [0,1]; for the schemes that use it */
  picus_solver_options solver; /* of contact problems */
  long every;                  /* record every n-th step; 0: off */
  double sample;               /* s; record at exactly t_start + k sample; 0: off */
  picus_implicit_options implicit;
  /* Step size and order from extrapolation and a search for switching points; see docs/theory/adaptive.md. The scheme
   * makes the substeps; dt only sets the default of dt_min. */
  bool adaptive;
  double dt_min, dt_max;         /* s, > 0; 0: dt/100, and from the time scales of the system */
  double atol, rtol;             /* tolerance of a step in each coordinate and velocity x: atol + rtol |x| */
  int order_max;                 /* largest order of a step, 1 to PICUS_ORDER_MOST */
  int order;                     /* fixed order of smooth steps, without error control; 0: order from the error */
  picus_substeps substeps;       /* of the rows of an extrapolation */
  picus_restitution restitution; /* when coefficients of restitution act */
} picus_sim_options;

/* Options of a run: the defaults of Picus; those of simulate { ... } in the model replace them. */
PICUS_API picus_sim_options picus_default_sim_options(void);
/* Lifetime: its texts live as long as the model. */
PICUS_API picus_sim_options picus_model_sim_options(const picus_model *model);

/* Painleve paradox: friction so strong that a sliding contact has several solutions, or none without an impact. */
typedef enum picus_paradox {
  PICUS_PARADOX_NONE,
  PICUS_PARADOX_INDETERMINATE, /* several: the contact may open, continue to slide, or stop at once */
  PICUS_PARADOX_INCONSISTENT   /* only an impact without collision */
} picus_paradox;
/* The solution chosen in the step. */
typedef enum picus_branch { PICUS_BRANCH_OPENED, PICUS_BRANCH_SLID, PICUS_BRANCH_IMPACT } picus_branch;

/* The base scheme for adaptive runs and references: rattle; moreau-jean for systems with flexible components, whose
 * stiffness rattle treats explicitly; moreau if a contact starts with a negative gap, because rattle would push the
 * bodies apart. Lifetime: for ever. */
PICUS_API const char *picus_adaptive_scheme(picus_context *context, const picus_system *system, double t_start);

/* Data of one step. */
typedef struct picus_step_info {
  double t, dt;             /* s, end of the step and step size */
  int order;                /* order of the step in an adaptive run; else 0 */
  int active;               /* laws in the contact problem; 0: free flight */
  int impacts;              /* contacts whose relative velocity jumped in this step (docs/results.md) */
  int chatter;              /* contacts that closed within four steps after opening */
  double lowest_gap;        /* smallest gap at the scheme's evaluation points; +infinity without contacts */
  int lowest_gap_law;       /* -1: none */
  double dissipated;        /* energy dissipated by the laws in this step, J */
  picus_solve_info solve;   /* last contact problem of the step, with the iterations of all; zeros if active is 0 */
  double constraint_error;  /* largest |g| of position constraints at the scheme's evaluation points; 0 without them */
  int constraint_error_law; /* -1: none */
  picus_paradox paradox;    /* at a sliding contact; in an adaptive run the first among the substeps */
  int paradox_law;          /* its law and the chosen solution, if there is a paradox */
  picus_branch paradox_branch;
  /* implicit schemes; else zeros */
  int newton_iterations;     /* linear systems solved for velocities */
  int projection_iterations; /* problems solved for positions */
  int set_iterations;        /* active sets tried */
  double projection;         /* largest |tau|, the correction of positions, in the unit of the metric */
} picus_step_info;           /* Lifetime: its texts live as long as the program */

/* Number of steps with one kind of paradox, and the first of them. */
typedef struct picus_paradox_count {
  long steps;
  double t; /* s, end of the first step */
  int law;
  picus_branch branch;
} picus_paradox_count;

/* Warnings of runs with fixed steps; see docs/results.md. Contacts passed through between two evaluations of their gap:
 * the number of passages, and for the first one its time and law. Then either travel is the motion in one step and gap
 * the largest gap so far, or travel = 0 and gap is the depth on the way. */
typedef struct picus_passage_count {
  long count;
  double t;
  int law;
  double travel, gap;
} picus_passage_count;
/* Number of steps with a penetration larger than the scheme explains; for the deepest: time, law, depth and explained
 * depth. */
typedef struct picus_depth_count {
  long steps;
  double t;
  int law;
  double depth, explained;
} picus_depth_count;

/* Totals of a run; part of every result. */
typedef struct picus_summary {
  picus_status status; /* result of the run */
  long steps;
  double t_start, t_end; /* s; t_end: time reached */
  double seconds;        /* wall-clock time of stepping and file output */
  long contact_steps;    /* steps with at least one active law */
  long solver_iterations, solver_iterations_max;
  long fallbacks;        /* contact problems solved by a fallback solver */
  long shortened;        /* subdivided steps: not solved at full step size */
  double worst_residual; /* largest picus_residual.relative, and its time */
  double worst_residual_t;
  long impacts;             /* jumps of the relative velocity of a contact, counted per step (docs/results.md) */
  long chatter;             /* contacts that closed within four steps after opening */
  double worst_penetration; /* largest -gap at the scheme's evaluation points, >= 0; its time and law (-1: none) */
  double worst_penetration_t;
  int worst_penetration_law;
  double worst_constraint; /* largest |g| of a position constraint there; its time and law (-1: none) */
  double worst_constraint_t;
  int worst_constraint_law;
  double energy_start, energy_end; /* kinetic + potential, J */
  double dissipated;               /* by all laws, J */
  long rows;                       /* recorded */
  picus_paradox_count indeterminate, inconsistent;
  /* implicit schemes: totals, and largest number in one step (Acary 2012, Table 3) */
  long newton_iterations, newton_iterations_max;
  long projection_iterations, projection_iterations_max;
  long set_iterations, set_iterations_max;
  double worst_projection; /* largest |tau| */
  /* adaptive runs; steps counts accepted steps */
  long base_steps;       /* steps of the scheme, including those of rejected steps: the work */
  long rejected;         /* rejected steps: a switching point, or too large an error */
  long switching_points; /* steps of size dt_min in which a law changed mode */
  long order_largest;
  double dt_least, dt_largest; /* s */
  long missed;                 /* accepted smooth steps with an error above tolerance, as dt_min forbids smaller ones */
  double worst_miss;           /* their largest ratio of estimated error to tolerance, and its time */
  double worst_miss_t;
  /* warnings at contacts, fixed steps */
  picus_passage_count passed;
  picus_depth_count unexplained;
} picus_summary;

/* All messages of the simulation go to this context. The system must outlive the simulation. Lifetime: `*out` until
 * `picus_sim_destroy`, before the system. */
PICUS_API picus_status picus_sim_create(picus_context *context, const picus_system *system,
                                        const picus_sim_options *options, picus_sim **out);
PICUS_API void picus_sim_destroy(picus_sim *sim);
PICUS_API const picus_sim_options *picus_sim_options_of(const picus_sim *sim); /* Lifetime: that of the simulation */
PICUS_API const picus_system *picus_sim_system(const picus_sim *sim);          /* Lifetime: that of the system */
/* Restarts from another state, bit for bit like a new simulation that starts there; dissipated energies start at 0.
 * Setting the current state, equal bit for bit including time, changes nothing. */
PICUS_API picus_status picus_sim_set_state(picus_sim *sim, double t, const double *q, const double *u);

typedef struct picus_state {
  double t;
  int nq, nu;
  const double *q, *u; /* valid until the next step */
} picus_state;
PICUS_API picus_state picus_sim_state(const picus_sim *sim); /* Lifetime: until the next step */

/* One law at the current state: gap and velocities there, percussion and mode of the last step. */
typedef struct picus_law_state {
  double gap, normal_velocity;
  double slip[3];
  double PN, PF[3]; /* N s, of the last step */
  picus_mode mode;
  double dissipated;     /* J, since t_start */
  long impacts, chatter; /* since t_start, as in picus_summary */
} picus_law_state;
/* states: law_count. */
PICUS_API picus_status picus_sim_laws(picus_sim *sim, picus_law_state *states);
PICUS_API picus_status picus_sim_energy(picus_sim *sim, double *kinetic, double *potential);

/* One step of size dt (0: dt of the options). On failure the state is that before the step. info may be NULL. */
PICUS_API picus_status picus_sim_step(picus_sim *sim, double dt, picus_step_info *info);

/* Called occasionally during a run; non-zero stops the run with PICUS_INTERRUPTED. */
typedef int (*picus_progress_fn)(void *user, double t, double t_end, long steps);
typedef struct picus_run_hooks {
  picus_progress_fn progress; /* may be NULL */
  void *user;
  int event_count;           /* additional stop times, at which a step ends exactly */
  const double *event_times; /* any order */
} picus_run_hooks;
/* Steps to t_end; steps end exactly at stop times and sample times. recorder and hooks may be NULL. However the run
 * ends, the recorder holds all rows up to that time and summary describes the run. PICUS_ERROR_NUMBER: a value is not
 * finite, and the message names it. PICUS_ERROR_STEP: the motion grows in a way that halved steps do not confirm. */
PICUS_API picus_status picus_sim_run(picus_sim *sim, picus_recorder *recorder, const picus_run_hooks *hooks,
                                     picus_summary *summary);

/* The contact problem of one step, right after the solver ran; valid during the call only. */
typedef struct picus_contact_event {
  double t; /* s, start of the step */
  const picus_contact_problem *problem;
  const double *start, *P; /* initial guess and result of the solver, size doubles each */
  const picus_solve_info *info;
} picus_contact_event;
typedef void (*picus_contact_watch_fn)(void *user, const picus_contact_event *event);
/* Calls watch after each contact problem, solved or not; NULL: stops watching. Lifetime: `user` is needed until the
 * watch is removed or the simulation destroyed. */
PICUS_API void picus_sim_watch_contacts(picus_sim *sim, picus_contact_watch_fn watch, void *user);

/* The schemes by index, from 0; NULL ends the list. */
typedef struct picus_scheme_description {
  const char *name;
  const char *summary;
  const char *reference;
  bool implicit; /* uses theta and picus_implicit_options */
} picus_scheme_description;
PICUS_API const picus_scheme_description *picus_scheme_at(int index); /* Lifetime: that of the program */

#ifdef __cplusplus
}
#endif

#endif
