/* Data of a step, of a law after the step, and of a complete run. Types only: schemes and runs fill them, sinks and
 * programs read them. */
#ifndef PICUS_STEP_H
#define PICUS_STEP_H

#include <picus/base.h>
#include <picus/contact.h>

/* Painleve paradox: friction so strong that a sliding contact has several solutions, or none without an impact. */
typedef enum picus_paradox {
  PICUS_PARADOX_NONE,
  PICUS_PARADOX_INDETERMINATE, /* several: the contact may open, continue to slide, or stop at once */
  PICUS_PARADOX_INCONSISTENT   /* only an impact without collision */
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

/* Data of one step. */
typedef struct picus_step_info {
  double t, dt;            /* s, end of the step and step size */
  int order;               /* order of the step in an adaptive run; else 0 */
  int active;              /* laws in the contact problem; 0: free flight */
  int impacts;             /* contacts whose relative velocity jumped in this step (docs/results.md) */
  int chatter;             /* contacts that closed within four steps after opening */
  double lowest_gap;       /* smallest gap at the scheme's evaluation points; +infinity without contacts */
  int lowest_gap_law;      /* -1: none */
  double dissipated;       /* energy dissipated by the laws in this step, J */
  picus_solve_info solve;  /* last contact problem of the step, with the iterations of all; zeros if active is 0 */
  double residual;         /* largest picus_residual.relative of its contact problems */
  picus_worst_laws left;   /* of the one with the largest residual among those that were accepted above the tolerance */
  double constraint_error; /* largest |g| of position constraints at the scheme's evaluation points; 0 without them */
  int constraint_error_law; /* -1: none */
  picus_paradox paradox;    /* at a sliding contact; in an adaptive run the first among the substeps */
  int paradox_law;          /* its law and the chosen solution, if there is a paradox */
  picus_branch paradox_branch;
  /* implicit schemes; else zeros */
  int newton_iterations;     /* linear systems solved for velocities */
  int projection_iterations; /* problems solved for positions */
  int set_iterations;        /* active sets tried */
  double projection;         /* largest |tau|, the correction of positions, in the unit of the metric */
  /* shapes, schemes at position level: repetitions: how often the step was repeated with contacts found at its end.
   * overlap, overlap_law: depth (m) and law of the deepest contact that no repetition included; 0: none */
  int repetitions;
  double overlap;
  int overlap_law;
  int asleep; /* option sleep: bodies that sleep */
  /* fixed steps of order 2 or more, every 64th: comparisons, min, max, abs and sign in expressions that changed since
   */
  int switches;
} picus_step_info; /* Lifetime: its texts are static */

/* Number of steps with one kind of paradox, and the first of them. */
typedef struct picus_paradox_count {
  long steps;
  double t; /* s, end of the first step */
  int law;
  picus_branch branch;
} picus_paradox_count;

/* Warnings of runs with fixed steps; see docs/results.md. Contacts passed through between two evaluations of their gap:
 * the number of passages, and time and law of the first. Then either travel is the motion in one step and gap
 * the largest gap so far, or travel = 0 and gap is the depth between two steps. */
typedef struct picus_passage_count {
  long count;
  double t;
  int law; /* law of the system: detected contacts are not examined */
  double travel, gap;
} picus_passage_count;
/* Characters of the name of a law in a summary, with the 0 at its end; longer names are truncated. Detected contacts
 * have no other trace there. */
enum { PICUS_SUMMARY_NAME = 64 };
/* Number of steps with a penetration larger than the scheme explains; for the deepest: time, law, depth and explained
 * depth. */
typedef struct picus_depth_count {
  long steps;
  double t;
  int law;
  char name[PICUS_SUMMARY_NAME];
  double depth, explained;
} picus_depth_count;

/* Contacts of shapes that overlapped at the end of a step although no law of the step held them: number of steps; for
 * the deepest: time, contact and depth. */
typedef struct picus_overlap_count {
  long steps;
  double t;
  char name[PICUS_SUMMARY_NAME];
  double depth;
} picus_overlap_count;

/* For the step with the largest residual among those that were accepted above the tolerance: time, residual, laws above
 * the tolerance, and names and residuals of the worst of them. */
typedef struct picus_accepted_residual {
  double t, relative;
  long laws;
  char name[PICUS_WORST_LAWS][PICUS_SUMMARY_NAME]; /* "": there are fewer */
  double of_law[PICUS_WORST_LAWS];
} picus_accepted_residual;

/* Totals of a run; part of every result. An index beyond the laws of the system stands for a detected contact. */
typedef struct picus_summary {
  picus_status status; /* result of the run */
  long steps;
  double t_start, t_end; /* s; t_end: time reached */
  double seconds;        /* wall-clock time of stepping and file output */
  long contact_steps;    /* steps with at least one active law */
  long solver_iterations, solver_iterations_max;
  long fallbacks; /* contact problems solved by a fallback solver */
  long accepted;  /* steps with a contact problem whose residual is above the tolerance, but accepted */
  picus_accepted_residual worst_accepted;
  long shortened;        /* subdivided steps: not solved at full step size */
  double worst_residual; /* largest picus_residual.relative, and its time */
  double worst_residual_t;
  long impacts;             /* jumps of the relative velocity of a contact, counted per step (docs/results.md) */
  long chatter;             /* contacts that closed within four steps after opening */
  double worst_penetration; /* largest -gap at the scheme's evaluation points, >= 0; its time and law (-1: none) */
  double worst_penetration_t;
  int worst_penetration_law;
  char worst_penetration_name[PICUS_SUMMARY_NAME];
  double worst_constraint; /* largest |g| of a position constraint there; its time and law (-1: none) */
  double worst_constraint_t;
  int worst_constraint_law;
  double energy_start, energy_end; /* kinetic + potential, J */
  double dissipated;               /* by all laws but spurious, J */
  double dissipated_by_impulses;   /* part of it; schemes with contact forces, else 0 */
  double spurious;                 /* J that constraints at rest took after the first step: error of the scheme */
  double driven;                   /* work of moving surfaces and motors, J */
  double work;                     /* work of forces, damping and prescribed motions (picus_sim_work), J */
  long rows;                       /* recorded */
  /* 1: the event log contains detected contacts only up to events_until, s (picus_recorder_limit_events); else 0 */
  long events_cut;
  double events_until;
  picus_paradox_count indeterminate, inconsistent;
  /* implicit schemes: totals, and largest number in one step (Acary 2012, Table 3) */
  long newton_iterations, newton_iterations_max;
  long projection_iterations, projection_iterations_max;
  long set_iterations, set_iterations_max;
  double worst_projection; /* largest |tau| */
  /* shapes, schemes at position level with fixed steps */
  long repeated;        /* steps repeated with contacts that were found at their end */
  long repetitions_max; /* in one step */
  picus_overlap_count overlaps;
  /* adaptive runs; steps counts accepted steps */
  long base_steps;       /* steps of the scheme, including those of rejected steps: the work */
  long rejected;         /* rejected steps: a switching point, or too large an error */
  long switching_points; /* steps in which a law changed mode, and zeros of switching functions of expressions */
  long order_largest;
  double dt_least, dt_largest; /* s */
  long missed;                 /* accepted smooth steps with an error above tolerance: dt_min forbids smaller steps; */
  long rounded;                /* in this number of them, the error is round-off, which smaller steps do not reduce */
  double worst_miss;           /* their largest ratio of estimated error to tolerance, and its time */
  double worst_miss_t;
  /* warnings at contacts, fixed steps */
  picus_passage_count passed;
  picus_depth_count unexplained;
  /* fixed steps of order 2 or more with a switch of an expression: lower bound of their number; time of the first */
  long switched;
  double switched_t;
} picus_summary;

typedef struct picus_state {
  double t;
  int nq, nu;
  const double *q, *u; /* valid until the next step */
} picus_state;

/* One law at the current state: gap and velocities there, percussion and mode of the last step. */
typedef struct picus_law_state {
  double gap, normal_velocity;
  double slip[3];
  double PN, PF[3]; /* N s, of the last step */
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
  double from_slip[3], to_slip[3];
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
  double mu;         /* coefficient of friction */
  double PR[2];      /* N m s, of rolling friction */
  picus_mode mode;
} picus_contact_point;
/* All contacts of a row. */
typedef struct picus_contact_sample {
  long row;
  double t; /* s */
  int count;
  const picus_contact_point *contacts;
} picus_contact_sample; /* Lifetime: its contacts live until the next step */

enum { PICUS_NODE_COMPONENTS = 6 }; /* of a node, at most */
/* The nodes of a flexible component, which results have as a table. A displacement of a component without nodes counts
 * as a node. */
typedef struct picus_node_table {
  const char *name; /* of the component */
  int first;        /* number of the first node in names */
  int node_count, component_count;
  const char *displacements[PICUS_NODE_COMPONENTS];      /* component_count names: "ux", ... */
  const char *velocities[PICUS_NODE_COMPONENTS];         /* "vx", ... */
  const char *displacement_units[PICUS_NODE_COMPONENTS]; /* "" if unknown */
  const char *velocity_units[PICUS_NODE_COMPONENTS];
  const double *positions; /* 3 for each node, without displacements, m; NULL: unknown */
  int element_count;
  const int *elements; /* two nodes each, from 0; NULL: unknown */
} picus_node_table;
/* A row of such a table: node_count x component_count values each, 0 for supported components. */
typedef struct picus_node_sample {
  long row;
  double t;  /* s */
  int table; /* index among the tables of the system */
  const double *displacements, *velocities;
} picus_node_sample; /* Lifetime: its values live until the next step */

#endif
