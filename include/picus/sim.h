/* Simulation: the schemes, what a step and a run report, and the driver that steps a system to t_end. */
#ifndef PICUS_SIM_H
#define PICUS_SIM_H

#include <picus/base.h>
#include <picus/contact.h>
#include <picus/model.h>
#include <picus/options.h>
#include <picus/system.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- schemes ---------------------------------------------------------------------------------------------------- */

/* The schemes by index, from 0; NULL ends the list. */
typedef struct picus_scheme_description {
  const char *name;
  const char *summary;
  const char *reference;
  bool implicit; /* uses theta and picus_implicit_options */
  bool forces; /* contact forces and impulses are reported separately, in more columns; uses picus_half_explicit_options
                */
} picus_scheme_description;
PICUS_API const picus_scheme_description *picus_scheme_at(int index); /* Lifetime: static */

/* Names as in model files and on the command line, by number; NULL: no such number. */
PICUS_API const char *picus_forecast_name(int forecast);        /* Lifetime: static */
PICUS_API const char *picus_metric_name(int metric);            /* Lifetime: static */
PICUS_API const char *picus_slip_direction_name(int direction); /* Lifetime: static */
/* Lifetime: static. */
PICUS_API const char *picus_restitution_name(int restitution); /* by number; NULL: no such number */
PICUS_API const char *picus_impact_law_name(int impact);       /* the same */

/* The tableaux of half-explicit-rk by number, and one by its name; NULL: no such tableau. */
PICUS_API const char *picus_tableau_name(int index);                  /* Lifetime: static */
PICUS_API const picus_tableau *picus_tableau_named(const char *name); /* Lifetime: static */

/* The contact problem of one step, right after the solver ran; valid during the call only. */
typedef struct picus_watched_problem {
  double t; /* s, start of the step */
  const picus_contact_problem *problem;
  const double *start, *P; /* initial guess and result of the solver, size doubles each */
  const picus_solve_info *info;
} picus_watched_problem;
typedef void (*picus_contact_watch_fn)(void *user, const picus_watched_problem *watched);

/* --- data of a step, of a law after it, and of a run ------------------------------------------------------------ */

/* Painleve paradox: friction so strong that a sliding contact has several solutions, or none without an impact. */
typedef enum picus_paradox {
  PICUS_PARADOX_NONE,
  PICUS_PARADOX_INDETERMINATE, /* several: the contact may open, continue to slide, or stop at once */
  PICUS_PARADOX_INCONSISTENT,  /* only an impact without collision */
  PICUS_PARADOX_STEEP, /* several, because friction falls with the slip speed faster than inertia allows at dt */
  PICUS_PARADOX_LOCKED /* none that slips: a guide locks itself, its friction grows faster than what pushes it */
} picus_paradox;
/* The solution chosen in the step. */
typedef enum picus_branch { PICUS_BRANCH_OPENED, PICUS_BRANCH_SLID, PICUS_BRANCH_IMPACT } picus_branch;

/* The laws with the largest residuals of a contact problem that was accepted above its tolerance. */
enum { PICUS_WORST_LAWS = 3 };
typedef struct picus_worst_laws {
  int above;                         /* laws above the tolerance; 0: no problem was accepted */
  int law[PICUS_WORST_LAWS];         /* the worst of them, the worst first; only as many as there are */
  double relative[PICUS_WORST_LAWS]; /* as in picus_residual */
} picus_worst_laws;

/* Parts of the data of a step. The contact problems of a step: */
typedef struct picus_step_solver {
  picus_solve_info last;  /* the last solve, with the iterations of all; zeros if no law is active */
  double residual;        /* largest picus_residual.relative */
  picus_worst_laws worst; /* of the one with the largest residual among those that were accepted above the tolerance */
} picus_step_solver;
/* Gaps and constraints at the evaluation points of the scheme. */
typedef struct picus_step_gaps {
  double lowest;           /* m, smallest gap; +infinity without contacts */
  int lowest_law;          /* -1: none */
  double constraint_error; /* m or rad, largest |g| of position constraints; 0 without them */
  int constraint_law;      /* -1: none */
} picus_step_gaps;
/* A paradox at a sliding contact; in an adaptive run the first among the substeps. */
typedef struct picus_step_paradox {
  picus_paradox kind;
  int law; /* its law and the chosen solution, if there is a paradox */
  picus_branch branch;
} picus_step_paradox;
/* Implicit schemes; else zeros. */
typedef struct picus_step_implicit {
  int newton_iterations;       /* linear systems solved for velocities */
  int projection_iterations;   /* problems solved for positions */
  int set_iterations;          /* active sets tried */
  int prox_first, prox_second; /* rattle with prox_r: iterations of the paper in both stages, */
  int prox_failed;             /* and stages in which it did not converge */
  double projection;           /* largest |tau|, the correction of positions, in the unit of the metric */
} picus_step_implicit;
/* Contacts of shapes in schemes at position level. */
typedef struct picus_step_shapes {
  int repetitions; /* the step was repeated so often with contacts found at its end */
  double overlap;  /* m, depth of the deepest contact found at the end that the step was not repeated with; 0: none */
  int overlap_law; /* its law */
} picus_step_shapes;

/* Data of one step. */
typedef struct picus_step_info {
  double t, dt;      /* s, end of the step and step size */
  int order;         /* order of the step in an adaptive run; else 0 */
  int active;        /* laws in the contact problem; 0: free flight */
  int impacts;       /* contacts whose relative velocity jumped in this step (docs/results.md) */
  int chatter;       /* contacts that closed within four steps after opening */
  int impact_limits; /* impacts whose law would have gained energy: they gained none, see docs/theory/impacts.md */
  double gained;     /* J, energy that contacts gained in an impact by Newton's law; 0: none */
  double dissipated; /* J, energy dissipated by the laws in this step */
  int asleep;        /* option sleep: bodies that sleep */
  int switches;      /* fixed steps of order 2 or more, every 64th: comparisons, min, max, abs and sign in expressions
                        that changed since */
  picus_step_solver solver;
  picus_step_gaps gaps;
  picus_step_paradox paradox;
  picus_step_implicit implicit;
  picus_step_shapes shapes;
} picus_step_info; /* Lifetime: its texts are static */

/* Number of steps with one kind of paradox, and the first of them. */
typedef struct picus_paradox_count {
  long steps; /* with this kind of paradox */
  double t;   /* s, end of the first step */
  int law;    /* of the first one */
  picus_branch branch;
} picus_paradox_count;

/* Warnings of runs with fixed steps; see docs/results.md. Contacts passed through between two evaluations of their gap:
 * the number of passages, and time and law of the first. Then either travel is the motion in one step and gap
 * the largest gap so far, or travel = 0 and gap is the depth between two steps. */
typedef struct picus_passage_count {
  long count;         /* passages */
  double t;           /* s, of the first one */
  int law;            /* law of the system: detected contacts are not examined */
  double travel, gap; /* m */
} picus_passage_count;
/* Characters of the name of a law in a summary, with the 0 at its end; longer names are truncated. Detected contacts
 * have no other trace there. */
enum { PICUS_SUMMARY_NAME = 64 };
/* Number of steps with a penetration larger than the scheme explains; for the deepest: time, law, depth and explained
 * depth. */
typedef struct picus_depth_count {
  long steps; /* with such a depth */
  double t;   /* s, of the deepest */
  int law;    /* of the deepest */
  char name[PICUS_SUMMARY_NAME];
  double depth, explained; /* m */
} picus_depth_count;

/* Contacts of shapes that overlapped at the end of a step although no law of the step held them: number of steps; for
 * the deepest: time, contact and depth. */
typedef struct picus_overlap_count {
  long steps; /* with an overlap */
  double t;   /* s, of the deepest */
  char name[PICUS_SUMMARY_NAME];
  double depth; /* m */
} picus_overlap_count;

/* For the step with the largest residual among those that were accepted above the tolerance: time, residual, laws above
 * the tolerance, and names and residuals of the worst of them. */
typedef struct picus_accepted_residual {
  double t, relative;                              /* s; dimensionless */
  long laws;                                       /* above the tolerance */
  char name[PICUS_WORST_LAWS][PICUS_SUMMARY_NAME]; /* "": there are fewer */
  double of_law[PICUS_WORST_LAWS];                 /* their residuals, relative */
} picus_accepted_residual;

/* Parts of the totals of a run. Contact problems: */
typedef struct picus_summary_solver {
  long iterations, iterations_max; /* of all steps, and the largest number in one step */
  long fallbacks;                  /* contact problems solved by a fallback solver */
  long accepted; /* steps with a contact problem whose residual is above the tolerance, but accepted */
  picus_accepted_residual worst_accepted;
  double worst_residual;   /* largest picus_residual.relative, and its time, s */
  double worst_residual_t; /* s */
} picus_summary_solver;
/* Gaps and constraints at the evaluation points of the scheme, and warnings at contacts of runs with fixed steps. */
typedef struct picus_summary_gaps {
  double penetration;   /* m, largest -gap, >= 0; its time, s, and law (-1: none) */
  double penetration_t; /* s */
  int penetration_law;  /* -1: none */
  char penetration_name[PICUS_SUMMARY_NAME];
  double constraint;   /* m or rad, largest |g| of a position constraint; its time, s, and law (-1: none) */
  double constraint_t; /* s */
  int constraint_law;  /* -1: none */
  picus_passage_count passed;
  picus_depth_count unexplained;
} picus_summary_gaps;
/* The balance of energy, J: end - start = driven + work - dissipated - spurious, and the error of the scheme. */
typedef struct picus_summary_energy {
  double start, end;             /* kinetic + potential */
  double dissipated;             /* by all laws but spurious */
  double dissipated_by_impulses; /* part of it; schemes with contact forces, else 0 */
  double spurious;               /* that constraints at rest took after the first step: error of the scheme */
  double driven;                 /* work of moving surfaces and motors */
  double work;                   /* work of forces, damping and prescribed motions (picus_sim_work) */
} picus_summary_energy;
/* Implicit schemes: totals, and largest number in one step (Acary 2012, Table 3). */
typedef struct picus_summary_implicit {
  long newton_iterations, newton_iterations_max;
  long projection_iterations, projection_iterations_max;
  long set_iterations, set_iterations_max;
  long prox_first, prox_first_max, prox_second, prox_second_max; /* rattle with prox_r (Breuling 2023, Table 1) */
  long prox_failed;
  double worst_projection; /* largest |tau|, in the unit of the metric */
} picus_summary_implicit;
/* Contacts of shapes in schemes at position level with fixed steps. */
typedef struct picus_summary_shapes {
  long repeated;        /* steps repeated with contacts that were found at their end */
  long repetitions_max; /* in one step */
  picus_overlap_count overlaps;
} picus_summary_shapes;
/* Adaptive runs; their steps are the accepted ones. */
typedef struct picus_summary_adaptive {
  long base_steps;             /* steps of the scheme, including those of rejected steps: the work */
  long rejected;               /* rejected steps: a switching point, or too large an error */
  long switching_points;       /* steps in which a law changed mode, and zeros of switching functions of expressions */
  long order_largest;          /* among the accepted steps */
  double dt_least, dt_largest; /* s */
  long missed;                 /* accepted smooth steps with an error above tolerance: dt_min forbids smaller steps; */
  long rounded;                /* in this number of them, the error is round-off, which smaller steps do not reduce */
  double worst_miss;           /* their largest ratio of estimated error to tolerance, and its time, s */
  double worst_miss_t;         /* s */
} picus_summary_adaptive;

/* Energy of impacts: steps in which Newton's law gained some, the sum in J, and the end of the first, s; and impacts by
 * other laws whose percussions were limited because they would have gained some. See docs/theory/impacts.md. */
typedef struct picus_summary_impact_energy {
  long gains;
  double gained, gained_t; /* J, s */
  long limited;
} picus_summary_impact_energy;

/* Totals of a run; part of every result. An index beyond the laws of the system stands for a detected contact. */
typedef struct picus_summary {
  picus_status status;   /* result of the run */
  long steps;            /* accepted ones */
  double t_start, t_end; /* s; t_end: time reached */
  double seconds;        /* wall-clock time of stepping and file output */
  long contact_steps;    /* steps with at least one active law */
  long shortened;        /* subdivided steps: not solved at full step size */
  long impacts;          /* jumps of the relative velocity of a contact, counted per step (docs/results.md) */
  long chatter;          /* contacts that closed within four steps after opening */
  long rows;             /* recorded */
  /* 1: the event log contains detected contacts only up to events_until, s (picus_recorder_limit_events); else 0 */
  long events_cut;
  double events_until;
  /* fixed steps of order 2 or more with a switch of an expression: lower bound of their number; time of the first */
  long switched;
  double switched_t; /* s */
  picus_summary_solver solver;
  picus_summary_gaps gaps;
  picus_summary_energy energy;
  picus_paradox_count indeterminate, inconsistent, steep, locked; /* paradoxes of each kind */
  picus_summary_impact_energy impact_energy;
  picus_summary_implicit implicit;
  picus_summary_shapes shapes;
  picus_summary_adaptive adaptive;
  long model_events;                   /* events of the model that happened */
  char stopped_by[PICUS_SUMMARY_NAME]; /* the event that ended the run; "": none */
} picus_summary;

typedef struct picus_state {
  double t;            /* s */
  int nq, nu;          /* sizes of q and u */
  const double *q, *u; /* these arrays do not move: as long as the simulation, they hold its current state */
} picus_state;

/* One law at the current state: gap and velocities there, percussion and mode of the last step. */
typedef struct picus_law_state {
  double gap, normal_velocity; /* m and m/s; rad and rad/s if the gap is an angle */
  double slip[3];              /* m/s or rad/s */
  double PN, PF[3];            /* N s, of the last step */
  picus_mode mode;
  double dissipated; /* J, since t_start */
  double driven;     /* J, since t_start: work of its moving surface or motor */
  /* schemes with contact forces, else zeros: PN = dt (force_begin + force_end) / 2 + impulse, and so on */
  double force_begin[4], force_end[4]; /* N, at both ends of the last step, by rows: normal, if any, then friction */
  double impulse[4];                   /* N s, at its end */
  double dissipated_by_impulses;       /* J, since t_start, part of dissipated */
  long impacts, chatter;               /* since t_start, as in picus_summary */
} picus_law_state;

/* A switching point: in this step the mode of a law changed, planar slip changed its sign, or a closed contact had an
 * impact and kept its mode. The law switched within the step or, if the scheme evaluates gaps at midpoints, at most
 * half a step before it. A direction of slip is a unit vector, in planar friction the sign of the slip velocity; it is
 * zero if the law does not slip. Percussion and dissipated energy belong to the step: for a contact that closes, to the
 * impact. */
typedef struct picus_switching {
  double t, dt; /* s, end and size of the step */
  int law;      /* index in the system; detected laws follow, in the order of their first switching points */
  picus_mode from, to;
  double from_slip[3], to_slip[3]; /* unit vectors, or 0 */
  double PN, PF[3];   /* N s, percussion (contact impulse) of the step; PN also for bilateral constraints */
  double lost;        /* J, dissipated by the law in the step */
  double lost_before; /* J, dissipated by the law since its last switching point, before the step */
  int impact;         /* 1: the law had an impact in the step, as in picus_summary; 0: none */
  int bounces;        /* number of impacts of an accumulation point detected here; 0: none */
  double limit;       /* s, limit of the accumulating impacts; NAN: none */
  /* Detected law: its source and key in the system, and its name. Else -1, 0 and NULL. */
  int source;
  uint64_t key;
  const char *name;
  int slips;       /* friction rows of such a law */
  int rolls;       /* 1: it is the rolling friction of the contact with this key */
} picus_switching; /* Lifetime: name lives until the next step; it is NULL in blocks of switching points */

/* Decision of an adaptive run about a step that it has tried (Studer 2008, tables II and IV to VI). */
typedef enum picus_decision_kind {
  PICUS_DECISION_SMOOTH,     /* the step becomes the previous one, and the previous one is accepted */
  PICUS_DECISION_INACCURATE, /* the step is repeated with a smaller size */
  PICUS_DECISION_DETECTED,   /* it or the previous one contains a switching point: both are rejected */
  PICUS_DECISION_RESOLVED,   /* a step of size dt_min that contains a switching point is accepted */
  PICUS_DECISION_FAILED      /* a contact problem or a value of the step has no solution; a smaller one is tried */
} picus_decision_kind;
typedef struct picus_decision {
  picus_decision_kind kind;
  double t, dt;                  /* s, start and size of the step */
  int order;                     /* of its result; of a detected switching point: reached so far */
  double error;                  /* estimate over tolerance; 0: not tested */
  long base_steps;               /* that it took */
  double t_accepted, t_previous; /* s, ends of the accepted and of the previous step afterwards; equal: none */
  double t_no_increase;          /* s, the size does not grow before */
  double dt_next;                /* s, size of the next step */
} picus_decision;
typedef void (*picus_decision_fn)(void *user, const picus_decision *decision);

/* A detected contact at the state of a row: its position, and its percussions since the previous row. Rows list the
 * contacts that touch (closed, or open with a gap that is not positive) and the contacts that acted since the previous
 * row. A contact that has disappeared in the meantime is open, at its last position, with the gap and the velocities of
 * that time. The mean force on the first body since the previous row is (PN normal + PF[0] tangent + PF[1] normal x
 * tangent) divided by this time. */
typedef struct picus_contact_point {
  uint64_t key;      /* unique in its source, the same in all rows */
  int source;        /* which source of the system has the law */
  int body[2];       /* -1: not a body that moves, or unknown */
  double point[3];   /* m, in the inertial frame; NAN: unknown, as normal and tangent */
  double normal[3];  /* unit vector from the second body to the first */
  double tangent[3]; /* unit vector of the first slip; zero without friction */
  double gap;        /* m */
  double vN;         /* m/s, gap velocity */
  double slip[3];    /* m/s; the third is a spin velocity */
  double PN, PF[3];  /* N s, sums of all steps since the previous row */
  double mu;         /* coefficient of friction; of one that varies: at the start of the run, without slip */
  double PR[2];      /* N m s, of rolling friction */
  picus_mode mode;
} picus_contact_point;
/* All contacts of a row. */
typedef struct picus_contact_sample {
  long row;  /* from 0 */
  double t;  /* s */
  int count; /* in contacts */
  const picus_contact_point *contacts;
} picus_contact_sample; /* Lifetime: its contacts live until the next step */

/* --- simulation ------------------------------------------------------------------------------------------------- */

typedef struct picus_sim picus_sim;
typedef struct picus_recorder picus_recorder;

/* Options of a run: the defaults of Picus; values of simulate { ... } in the model replace them. */
PICUS_API picus_sim_options picus_default_sim_options(void);
/* Lifetime: its texts live as long as the model. */
PICUS_API picus_sim_options picus_model_sim_options(const picus_model *model);
/* A value of an option, with the names of simulate { ... }: a text, or if text is NULL a number. */
typedef struct picus_setting {
  const char *name, *text;
  double number;
} picus_setting;
/* The same with some options set, as picus run would: an option of adaptive runs makes the run adaptive, dt without one
 * makes its steps fixed. The model does not change. Lifetime: texts of out as long as the model. */
PICUS_API picus_status picus_model_choose_options(picus_model *model, int count, const picus_setting *settings,
                                                  picus_sim_options *out);

/* The base scheme for adaptive runs and references: rattle; moreau-jean for systems with flexible components, whose
 * stiffness rattle treats explicitly; moreau if a contact starts with a negative gap, because rattle would push the
 * bodies apart. Lifetime: static. */
PICUS_API const char *picus_adaptive_scheme(picus_context *context, const picus_system *system, double t_start);

/* All messages of the simulation go to this context. The system must outlive the simulation. Lifetime: `*out` until
 * `picus_sim_destroy`, before the system. */
PICUS_API picus_status picus_sim_create(picus_context *context, const picus_system *system,
                                        const picus_sim_options *options, picus_sim **out);
PICUS_API void picus_sim_destroy(picus_sim *sim);
PICUS_API const picus_sim_options *picus_sim_options_of(const picus_sim *sim); /* Lifetime: as long as the simulation */
PICUS_API const picus_system *picus_sim_system(const picus_sim *sim);          /* Lifetime: as long as the system */
/* Restarts from another state, bit for bit like a new simulation that starts there; dissipated energies start at 0.
 * Setting the current state, equal bit for bit including time, changes nothing. PICUS_ERROR_ARGUMENT: dt (or dt_min)
 * of the options would not change so large a time. */
PICUS_API picus_status picus_sim_set_state(picus_sim *sim, double t, const double *q, const double *u);

/* Lifetime: q and u as long as the simulation; every step changes their values. */
PICUS_API picus_state picus_sim_state(const picus_sim *sim);
/* Another t_end for later runs, which begin at the current state; not while a run steps. */
PICUS_API picus_status picus_sim_set_end(picus_sim *sim, double t_end);

/* Sets an input from the current time t, by its name or its index: it is value + rate (time - t) until it is set again.
 * It acts in the next step, during all of it, and in later steps. An input in a gap, in the motion of a frame or in the
 * position of a motor should not jump: set its rate, and the value that it has reached. rate must be 0 for an input
 * without a rate. Values must be finite. picus_sim_set_state keeps the current values. */
PICUS_API picus_status picus_sim_set_input(picus_sim *sim, const char *name, double value, double rate);
PICUS_API picus_status picus_sim_set_input_at(picus_sim *sim, int index, double value, double rate);
/* The input as set last, at the current time; zeros: no such index. */
PICUS_API picus_input picus_sim_input(const picus_sim *sim, int index);

/* Pulls a place on a handle (picus_model_add_handles) towards a target, as by a spring of free length 0 with a damper:
 * force = stiffness (target - place - time * velocity of the place). It acts from the next step on, until it is changed
 * or let go: push NULL, or stiffness 0. One handle is pulled at a time. Its work is the work term "push". */
typedef struct picus_push {
  int handle;       /* from 0 */
  double place[3];  /* a, b, c of picus_handle */
  double target[3]; /* m, in the inertial frame; planar models: the third is ignored */
  double stiffness; /* N/m, >= 0 */
  double time;      /* s, >= 0: damping / stiffness */
} picus_push;
PICUS_API picus_status picus_sim_push(picus_sim *sim, const picus_push *push);

/* The laws that the system was created with. states: law_count. */
/* The events of the model, in its order: how often each happened since t_start, and when last. */
typedef struct picus_event_state {
  const char *name;
  long count;
  double t;          /* s; NAN: it did not happen yet */
} picus_event_state; /* Lifetime: its name lives as long as the system */
PICUS_API int picus_sim_event_count(const picus_sim *sim);
PICUS_API picus_event_state picus_sim_event(const picus_sim *sim, int index);
PICUS_API picus_status picus_sim_laws(picus_sim *sim, picus_law_state *states);

/* Detected laws: contacts that exist while bodies are close to each other. A simulation finds them before each step.
 * They follow the laws of the system; a step, with all its attempts, has one set of laws. Laws are renumbered in each
 * set: source and key identify them. */
typedef struct picus_present_law {
  picus_system_law law; /* first_row: among the rows of the present laws */
  bool is_fixed;        /* a law of the system; then its key is its number */
  int source;           /* which source of the system has the law; -1: fixed */
  uint64_t key;         /* unique in its source */
} picus_present_law;
/* Lifetime: its texts live until the next step. */
PICUS_API picus_present_law picus_sim_present_law(const picus_sim *sim, int law);
/* Number of present laws, the laws of the system among them; before the first step only these. */
PICUS_API int picus_sim_present_count(const picus_sim *sim);
/* states: picus_sim_present_count. */
PICUS_API picus_status picus_sim_present_laws(picus_sim *sim, picus_law_state *states);
/* Finds the laws that may act within dt from the current state (0: dt of the options), as a step would. */
PICUS_API picus_status picus_sim_find_laws(picus_sim *sim, double dt);
/* Forces and modes of the laws at the start, from accelerations: closed contacts that neither part nor strike, with
 * friction opposite to their slip, friction elements, constraints. force: rows of the present laws, N; modes:
 * picus_sim_present_count. With contacts of shapes call picus_sim_find_laws before; without it, and without shapes,
 * these are the laws of the system: picus_system_row_count and picus_system_law_count. Not after a step. Results have
 * the modes, and the forces of schemes with forces, in their first row. */
PICUS_API picus_status picus_sim_find_forces(picus_sim *sim, double *force, picus_mode *modes);
/* Totals of laws that have disappeared. */
typedef struct picus_vanished_laws {
  double dissipated;     /* J, since t_start */
  double driven;         /* J, since t_start */
  long impacts, chatter; /* since t_start, as in picus_summary */
} picus_vanished_laws;
PICUS_API picus_vanished_laws picus_sim_vanished_laws(const picus_sim *sim);

/* Work since t_start of one of the names of the system, J. Change of kinetic + potential energy = all work terms +
 * picus_law_state.driven of all laws - their dissipated energy + error of the scheme. */
PICUS_API double picus_sim_work(const picus_sim *sim, int index);
PICUS_API picus_status picus_sim_energy(picus_sim *sim, double *kinetic, double *potential);

/* The stability limit of a scheme that takes forces at known states: moreau, moreau-explicit, the half-explicit schemes
 * and, for position-dependent forces, rattle. It is estimated at the current state, without contacts, from the fastest
 * motions of the system; of a system with few velocities it is exact. Derives and allocates, as picus_modes_create. */
typedef struct picus_stability {
  double dt_limit; /* s: larger steps grow; INFINITY: no limit is known or there is none; NAN: too large a system */
  int velocity;    /* velocity that dominates the motion which limits dt; -1: none */
  double omega, damping; /* rad/s and 1/s of this motion: x^T K x / x^T M x = omega^2, x^T C x / x^T M x = damping */
} picus_stability;
PICUS_API picus_status picus_sim_stability(picus_sim *sim, picus_stability *out);

/* One step of size dt (0: dt of the options). On failure the state is that before the step. info may be NULL. */
PICUS_API picus_status picus_sim_step(picus_sim *sim, double dt, picus_step_info *info);

/* One step of an adaptive simulation, of the size that it chooses; it ends at t_stop or earlier, and exactly at stop
 * times of the model. The driver computes steps ahead and uses later steps to check earlier ones. Pass the same t_stop
 * until it is reached: a new t_stop or a changed input discards the steps computed ahead. On failure the state before
 * the step is kept. info may be NULL. */
PICUS_API picus_status picus_sim_advance(picus_sim *sim, double t_stop, picus_step_info *info);

/* For a program that takes the steps itself and records them as a run does. begin opens the sinks, before the first
 * step; it fills the summary. step follows each step: switching points, and the totals of the summary. row adds a row
 * of the current state, whenever one is wanted. end must be called in any case: it closes the sinks with the summary;
 * status is the status of the last step. */
PICUS_API picus_status picus_sim_record_begin(picus_sim *sim, picus_recorder *recorder, picus_summary *summary);
PICUS_API picus_status picus_sim_record_step(picus_sim *sim, picus_recorder *recorder, const picus_step_info *info,
                                             picus_summary *summary);
PICUS_API picus_status picus_sim_record_row(picus_sim *sim, picus_recorder *recorder);
PICUS_API picus_status picus_sim_record_end(picus_sim *sim, picus_recorder *recorder, picus_status status,
                                            picus_summary *summary);

/* Called occasionally during a run; non-zero stops the run with PICUS_INTERRUPTED. */
typedef int (*picus_progress_fn)(void *user, double t, double t_end, long steps);
/* Called before the first step, without info, and after every step, when its row has been recorded. It may set inputs,
 * which act in the next step: an adaptive run recomputes the steps computed ahead. It must not change the state.
 * Non-zero stops the run with PICUS_INTERRUPTED. info: of the step; if the step was subdivided, of its last part. */
typedef int (*picus_step_fn)(void *user, picus_sim *sim, const picus_step_info *info);
/* The same at every switching point, as the event log has it, before the row is recorded and before the function above
 * is called for this step. */
typedef int (*picus_event_fn)(void *user, picus_sim *sim, const picus_switching *event);
/* Called as often as the progress, between two steps, for programs that save checkpoints with picus_sim_save; and once
 * more after the last step, with is_end, so that the run can be extended. Another status than PICUS_OK ends the run. */
typedef picus_status (*picus_checkpoint_fn)(void *user, picus_sim *sim, bool is_end);
/* Called when an event of the model happens, before it sets anything: picus_sim_state and picus_sim_input have the
 * state at the event, picus_sim_event its name and time. A log of events is made with it. */
typedef void (*picus_model_event_fn)(void *user, const picus_sim *sim, int event);

typedef struct picus_run_hooks {
  picus_progress_fn progress; /* may be NULL, as the others */
  void *user;
  int stop_count;           /* in stop_times */
  const double *stop_times; /* s, besides those of the model, at which a step must end exactly; in any order */
  picus_step_fn step;
  picus_event_fn event;
  picus_checkpoint_fn checkpoint;
  picus_model_event_fn model_event;
} picus_run_hooks;
/* Steps to t_end; steps end exactly at stop times and sample times. recorder and hooks may be NULL. However the run
 * ends, the recorder holds all rows up to that time and summary describes the run. PICUS_ERROR_NUMBER: a value is not
 * finite, and the message names it. PICUS_ERROR_STEP: the motion grows in a way that halved steps do not confirm. */
PICUS_API picus_status picus_sim_run(picus_sim *sim, picus_recorder *recorder, const picus_run_hooks *hooks,
                                     picus_summary *summary);

/* Checkpoints: everything that the later steps of a simulation depend on, as bytes. A simulation that loads them takes
 * the steps that the original simulation would have taken, bit for bit. Saved between two steps of a program, or from
 * the functions `checkpoint` and `step` of a run; then the run is saved as well, with its recorder, and picus_sim_run
 * of the simulation that loads it continues it: rows, switching points and summary equal those of an uninterrupted run.
 * In such a run `step` is not called before the first step, and the recorder receives only data after the checkpoint.
 *
 * The simulation that loads must have been created with the same system and options; t_end may differ, which extends
 * the run. PICUS_ERROR_ARGUMENT: it has others, and the message names them. PICUS_ERROR_IO: the bytes are damaged, or
 * of another version of Picus. The bytes may come from untrusted sources. After a failure the simulation is at its
 * start. */
typedef enum picus_load {
  PICUS_LOAD_SAME_MODEL,   /* fails if the equations differ */
  PICUS_LOAD_CHANGED_MODEL /* continues with a model whose parameters were changed on purpose */
} picus_load;
/* size receives the number of bytes. data may be NULL: then it only does that. It is a failure if capacity is less, and
 * after a step that failed because numbers overflowed. */
PICUS_API picus_status picus_sim_save(picus_sim *sim, void *data, size_t capacity, size_t *size);
PICUS_API picus_status picus_sim_load(picus_sim *sim, const void *data, size_t size, picus_load load);
/* As above, with a file, which is replaced atomically. */
PICUS_API picus_status picus_sim_save_file(picus_sim *sim, const char *path);
PICUS_API picus_status picus_sim_load_file(picus_sim *sim, const char *path, picus_load load);

/* The static equilibrium that the system reaches from the current state of the simulation if its loads act in one
 * increment, with all contacts and friction: a contact sticks where it is, or has slipped against its friction force.
 * q (nq) receives it, force (rows of all laws) the forces of the laws in N; the simulation does not change.
 * PICUS_ERROR_MODEL: there is none nearby. Gives the state for picus_modes_options.q. */
PICUS_API picus_status picus_sim_find_equilibrium(picus_sim *sim, double *q, double *force);

/* Records mode shapes instead of a run: the first row is the state of the modes, row k the state displaced by the shape
 * of mode k with a largest velocity component of 1. The column t has the number of the mode. Changes the state of the
 * simulation. */
PICUS_API picus_status picus_sim_record_modes(picus_sim *sim, const picus_modes *modes, picus_recorder *recorder);

/* Calls watch after each contact problem, solved or not; NULL: stops watching. Lifetime: `user` is needed until the
 * watch is removed or the simulation destroyed. */
PICUS_API void picus_sim_watch_contacts(picus_sim *sim, picus_contact_watch_fn watch, void *user);
/* "smooth", "inaccurate", "detected", "resolved", "failed"; NULL: no such kind. Lifetime: static. */
PICUS_API const char *picus_decision_name(int kind);
/* Calls watch after each decision of an adaptive run; with fixed steps there are none. NULL: stops watching. Lifetime:
 * `user` is needed until the watch is removed or the simulation destroyed. */
PICUS_API void picus_sim_watch_decisions(picus_sim *sim, picus_decision_fn watch, void *user);

#ifdef __cplusplus
}
#endif

#endif
