/* The contact problem of a step: what steps leave at the laws, the problem of the active ones, its request by a scheme,
 * and its solution. It knows neither the scheme nor its stepper. */
#ifndef PICUS_STEP_PROBLEM_STEP_PROBLEM_H
#define PICUS_STEP_PROBLEM_STEP_PROBLEM_H

#include "base/internal.h"
#include "contact/internal.h"
#include "step_problem/contact_plan.h"
#include "step_problem/impact_laws.h"
#include "step_problem/law_arrays.h"
#include "sweep/anderson.h"

#include <picus/contact.h>
#include <picus/options.h>
#include <picus/sim.h>

/* What laws that have vanished leave behind. */
typedef struct law_totals {
  double dissipated;       /* J */
  double driven;           /* J */
  double impacts, chatter; /* integers */
} law_totals;

/* Data for counting impacts and chatter; see accept.c. */
typedef struct contact_history {
  double watch_until; /* s, one number for all laws: until then every closed contact is watched */
  /* s, laws: starts of the steps in which each law last opened, closed (without chatter), and had an impact; -infinity:
   * never */
  double *opened, *closed, *struck;
  double *impacts, *chatter; /* laws: since the start of the run; integers */
  law_totals gone;
} contact_history;

/* What steps leave at the laws of a set, and how their contact problems are solved: all that a contact problem needs
 * besides its request. A stepper has one, and the problems of its stages share it. */
typedef struct contact_state {
  picus_context *context;
  const law_set *set;
  law_arrays *arrays; /* that follow the set */
  picus_solver *solver;
  /* results of the last step, per row and per law */
  double *P;
  picus_mode *modes;
  double *dissipated; /* J, since t_start */
  double *driven;     /* J, since t_start: work of moving surfaces and motors, - P chi */
  contact_history history;
  bool dependent; /* constraints of the system depend on others */
  bool unjudged;  /* and what they prescribe has not been judged in a first state */
  bool watched;   /* closed contacts are checked for an impact in every step, until history.watch_until */
  /* for adaptive runs; else zeros */
  bool keep_doubtful_modes; /* a mode that differs from the last one by round-off only stays unchanged */
  double *gap_rounding;     /* laws: a gap that is not larger counts as closed; zeros unless noted */
  double closed_slack;      /* a contact that was closed takes part as long as its gap is not larger, m; or INFINITY */
  double gap_accuracy; /* m: no law has a larger slack, so that its gap costs no more energy than tolerances allow */
  struct {
    double atol, rtol; /* of velocities, m/s and 1 */
  } velocity_accuracy;
  picus_restitution restitution; /* when e acts: PICUS_RESTITUTION_ALWAYS unless the run is adaptive */
  double restitution_dt;         /* dt_min of the adaptive run */
  double *row_restitution;       /* row_count: e of each row, or as last evaluated; see picus_impact_set_restitution */
  bool adheres;                  /* some contacts do */
  impact_laws *impacts;          /* NULL: all contacts have Newton's impact law */
  /* laws, as last evaluated; NULL: no coefficient of a law varies. See varying_laws.c */
  law_coefficients *coefficients, *other_coefficients;
  double *slip_speed;
  double *last_used, *last_found; /* laws: radii of the last iteration, of laws that constraints load */
  double *load_mixing;            /* the last iterations of their radii */
  bool has_loaded;                /* there are such laws */
  double *usual_gap; /* laws: the largest gap with which each acts in fixed steps; INFINITY: it acts in all of them */
  double open_gap;   /* the largest of these: no law acts if all laws are contacts and their gaps are larger */
  bool has_joints;   /* some of its laws are constraints with a gap, which is an error of positions */
  bool laws_at_end;  /* laws hold at the end of a step, as far as `turning` tells, not in its middle */
  double *turning;   /* rows: what velocities of laws change from the start to the middle of a step, with u held, m/s,
                      * and scratch of the same size; NULL: nothing changes, or the scheme has its laws elsewhere */
  double *closing;   /* laws: acceleration at which the gap closes, m/s^2, as last seen while it was open; or NULL */
  /* watches the contact problems; NULL: none */
  picus_contact_watch_fn watch;
  void *watch_user;
} contact_state;

/* A row of the active laws, found again only when these change. */
typedef struct active_row {
  int global;   /* among all rows */
  int law, row; /* its law among all laws, and its number there */
  int u0, n;    /* velocities of its only part; n = 0: the law has several parts */
  int from, to; /* entries of W beyond are zero */
  size_t W0;    /* its place in W */
  double restitution;
  double G[4]; /* of a decoupled planar contact, in its first row; see contact_plan.h */
} active_row;

/* The contact problem of one step: active laws, G, c, and the position of its rows. Two epochs tell what of its plan is
 * still valid: that of the active laws, and that of A and W. It does not know the scheme or its stepper: a scheme has
 * as many as it solves per step. */
typedef struct step_problem {
  const contact_state *contacts; /* of the laws that it chooses from, */
  const law_set *set;            /* and these laws */
  int active_count;
  int *active;            /* law indices, increasing */
  bool *acts;             /* law_count: whether each is active */
  unsigned long laws_now; /* epochs, from 1 on: of the active laws, */
  unsigned long matrices; /* and of A and W, where problems share them */
  unsigned long accepted; /* the active laws of the last accepted step; 0: the results of laws are of another one */
  contact_plan plan;
  bool started; /* P and modes are a guess of this step: set since its laws were chosen */
  double dt;    /* of the laws below; 0: not filled */
  int size;
  picus_law *laws;  /* of the problem */
  active_row *rows; /* size */
  delassus_matrix G;
  constant_delassus constant; /* G of all rows, while W and A are constant */
  double *c, *P;              /* size */
  double *start;              /* size: P before the solve, for the watch function */
  double *shift;              /* size: what preloads add to c; else 0 */
  bool has_prescribed;        /* constraints prescribe velocities other than 0: */
  double *prescribed;         /* active_count; see left_out.c */
  picus_left_out left_out;    /* of the active laws, by the solver; constraints that were left out have */
  double *left;               /* size: these velocities, and 0 in all other rows */
  double left_rounding;       /* round-off of all constraints: of such a velocity over sqrt(G_rr) */
  /* size: relative velocities at the start of the step, and at its end without percussions */
  double *gamma_begin, *gamma_free;
  double *inverse_W; /* A^-1 w of the active rows, if not constant */
  double *coupled_W; /* the same where A couples parts, so that it is wider */
  size_t coupled_W_size;
  const double **solved;        /* size: A^-1 w of each row */
  picus_mode *modes;            /* active_count */
  bool *doubtful;               /* active_count: round-off alone may have changed the mode since the last step */
  double *xi, *argument;        /* size: scratch for the doubt; after apply argument is G P, if G is factored */
  const double *GP;             /* argument, while it is G P and the scratch of the factors is A^-1 W P; else NULL */
  int *struck;                  /* laws of impacts; see accept.c */
  double *pull, *pulled, *held; /* size: adhesive percussions, c and P with them; or NULL */
  double *transfer;             /* size: energy that rows dissipate in an impact, beyond that of one solve; or NULL */
} step_problem;

static inline bool picus_law_can_open(const picus_system_law *law) {
  return law->has_gap && (law->kind == PICUS_UNILATERAL || law->kind == PICUS_COULOMB);
}
/* A one-way clutch: as a contact that is always closed, and opens by its velocity alone. */
static inline bool picus_law_is_clutch(const picus_system_law *law) {
  return law->kind == PICUS_UNILATERAL && !law->has_gap;
}
/* Whether a law has percussions in an impact: the force of a friction element is finite, that of a joint is not. */
static inline bool picus_law_strikes(const picus_system_law *law) {
  return law->kind != PICUS_RESERVOIR || law->loaded;
}
/* The mode of a law that does not act: a constraint is closed at all times, every other law is open until a step finds
 * its mode. */
static inline picus_mode picus_law_idle_mode(const picus_system_law *law) {
  return law->kind == PICUS_BILATERAL ? PICUS_STICK : PICUS_OPEN;
}
/* Whether a law can be open: friction elements stick or slip, and are open only before their first step. */
static inline bool picus_law_has_open_mode(picus_law_kind kind) {
  return kind != PICUS_BILATERAL && kind != PICUS_RESERVOIR;
}
/* The share of a coefficient e that acts in a step, in an adaptive run. */
double picus_step_acting_restitution(const contact_state *state, int law, int row, double e, double dt, double gamma);
/* Coefficient of restitution of a row in a step of size dt that starts with the velocity gamma of this row. */
double picus_step_restitution_at(const contact_state *state, int law, int row, double dt, double gamma);
static inline double picus_step_restitution(const contact_state *state, int law, int row, double dt, double gamma) {
  double e = state->row_restitution[state->set->laws[law].data.first_row + row];
  return state->restitution == PICUS_RESTITUTION_ALWAYS || e == 0
             ? e
             : picus_step_restitution_at(state, law, row, dt, gamma);
}

/* offset := chi + e gamma of all rows: Newton's law at the end of a step that starts with the velocities gamma. */
void picus_step_offset(const contact_state *state, double dt, const double *chi, const double *gamma, double *offset);

/* Memory of a contact problem for all laws of the set. */
picus_status picus_step_problem_create(const contact_state *contacts, step_problem *out);
/* G of all rows, if M and W are constant; the evaluation has a point. */
picus_status picus_step_problem_fill_constant(step_problem *problem, picus_evaluation *evaluation);
void picus_step_problem_forget(step_problem *problem); /* as it was when it was created */
/* Whether the active laws are those of the last accepted step, whose percussions and modes the laws have. */
static inline bool picus_step_problem_persists(const step_problem *p) { return p->accepted == p->laws_now; }
/* The results of laws are not those of the active ones from now on: the next step that is accepted clears the others.
 */
static inline void picus_step_problem_disown(step_problem *p) { p->accepted = 0; }
/* Constants of laws, or a constant G, have changed: the next problem makes its plan anew. */
static inline void picus_step_problem_drop_plan(step_problem *p) { p->plan.laws = 0; }
/* A contact with adhesion that has been torn off, or that was closed before: it is open at any gap above 0. */
static inline bool picus_step_is_torn(const contact_state *state, int law) {
  return state->adheres && state->set->laws[law].data.adhesion > 0 && state->modes[law] == PICUS_OPEN &&
         state->history.opened[law] > -INFINITY;
}
/* The largest gap with which a contact counts as closed: 0, except in adaptive runs. There a closed contact opens by
 * its law, not by the drift of its gap, which is of the size of the tolerance and of the round-off of many steps. */
#define PICUS_DRIFT_ROUNDINGS 1e4 /* of gaps, in a persistent contact */
static inline double picus_step_largest_closed_gap(const contact_state *state, int law) {
  const double rounding = state->gap_rounding[law],
               given = picus_step_is_torn(state, law) ? 0 : state->set->laws[law].slack;
  const double slack = state->gap_accuracy > 0 && given > state->gap_accuracy ? state->gap_accuracy : given;
  const double closed =
      state->modes[law] == PICUS_OPEN ? rounding : PICUS_DRIFT_ROUNDINGS * rounding + state->closed_slack;
  return closed > slack ? closed : slack;
}
/* Whether a contact closes at this gap, open before. */
static inline bool picus_step_closes(const contact_state *state, int law, double gap) {
  return picus_law_can_open(&state->set->laws[law].data) && state->modes[law] == PICUS_OPEN &&
         gap <= picus_step_largest_closed_gap(state, law);
}
/* Whether an open contact takes part when another one closes: the accuracy of the run does not tell which of them is
 * the first. A box that falls flat would otherwise tilt, the more likely the shorter the steps are. Adaptive runs only.
 */
static inline bool picus_step_closes_alike(const contact_state *state, int law, double gap) {
  return state->gap_accuracy > 0 && picus_law_can_open(&state->set->laws[law].data) &&
         state->modes[law] == PICUS_OPEN && gap <= picus_step_largest_closed_gap(state, law) + state->gap_accuracy;
}
/* Whether gaps of a fixed step choose the laws of the last choice again. Rolling laws follow their contacts. */
static inline bool picus_step_problem_is_same_choice(const step_problem *p, const double *gap) {
  const contact_state *state = p->contacts;
  if (state->keep_doubtful_modes || state->adheres || p->set->present) return false;
  const double *usual = state->usual_gap;
  const bool *acts = p->acts;
  for (int i = 0, count = p->set->law_count; i < count; i++)
    if (acts[i] == (gap[i] > usual[i])) return false;
  return true;
}

/* Chooses the active laws: contacts with at most this gap, and every law without a gap. */
void picus_step_problem_activate_anew(step_problem *p, const double *gap, picus_step_info *info);
static inline void picus_step_problem_activate(step_problem *p, const double *gap, picus_step_info *info) {
  if (!picus_step_problem_is_same_choice(p, gap)) {
    picus_step_problem_activate_anew(p, gap, info);
    return;
  }
  p->started = false;
  info->active = p->active_count;
}
/* The same with a choice by the scheme, one for each law. */
void picus_step_problem_choose(step_problem *p, const bool *chosen);
/* After a solve: more laws are chosen. The others keep their percussions and modes, with which the next solve begins.
 */
void picus_step_problem_join(step_problem *p, const bool *chosen);

/* Where coefficients that vary are evaluated; zeros: at the point of the directions, with their velocity. */
typedef struct friction_point {
  const picus_evaluation *at[2]; /* t, q and inputs, the mean of both; NULL: the directions; NULL: one alone */
  const double *slip;            /* row_count: slip velocities; NULL: ... */
  double share; /* ... (1 - share) of u_begin and share of the result; 0: the velocity of the directions */
} friction_point;

/* Directions of slip that a scheme gives (given_slip.h), and the evaluation that has its laws at the point that the
 * problem leads to. */
typedef struct given_slip given_slip;
typedef struct slip_request {
  given_slip *given; /* NULL: none */
  const picus_evaluation *laws;
  bool is_explicit; /* the directions do not depend on the solution: see changes_little */
} slip_request;

/* Laws that a solution needs as well may join the problem. */
typedef struct law_joining {
  /* after a solution; *joined: the problem is to be solved again, with more laws. NULL: it has the laws that it had */
  picus_status (*join)(void *user, picus_step_info *info, bool *joined);
  void *user;
} law_joining;

/* The problem of a scheme: find P and u with A (u - u_free) = W P and the laws between P and xi = V^T u + offset, where
 * V is W or another set of directions. */
typedef struct contact_request {
  double t;                           /* start of the step, for messages and for the watch function */
  double dt;                          /* that a force of friction elements acts */
  const picus_evaluation *directions; /* W and chi, up to date */
  const system_matrix *matrix;        /* A, factored: M, or the iteration matrix of an implicit scheme */
  bool symmetric;                     /* A is */
  bool stays;                         /* A and W are those of the last problem, up to picus_step_problem_renew */
  const double *u_begin, *u_free;     /* velocity before the step, and after it without percussions */
  const double *offset;               /* row_count; NULL: chi + e (W^T u_begin + chi) */
  bool restores;  /* laws of impacts act: e is in the offset; for laws other than Newton's, the velocities ... */
  bool is_impact; /* ... of an impact without a step, */
  const double *gamma_begin; /* row_count: before it; NULL: W^T u_begin + chi */
  const double *rows;        /* V, stored like W; NULL: W. Not with constant directions */
  const double *rows_chi;    /* row_count: chi at the point of V, if it is another one; NULL: not known */
  const double *ahead;       /* law_count: displacements of preloads before the new velocity acts; NULL: none */
  double ahead_dt;           /* for which it then acts; 0: dt */
  const double *rounding;    /* row_count: round-off of offset beyond that of its size; NULL: none */
  friction_point friction;
  slip_request slip;
  law_joining joining;
} contact_request;
/* The request of an impact with the velocity u, without a step, at the point of an evaluation. */
static inline contact_request picus_impact_request(double t, double dt, const picus_evaluation *e, const double *u) {
  return (contact_request){.t = t,
                           .dt = dt,
                           .directions = e,
                           .matrix = &e->mass,
                           .symmetric = true,
                           .u_begin = u,
                           .u_free = u,
                           .restores = true,
                           .is_impact = true};
}
/* A, or W, is another one from now on. */
static inline void picus_step_problem_renew(step_problem *p) { p->matrices++; }
/* The guess of the next solve: P and modes of the active laws, from factor P of all rows and from the last modes. */
void picus_step_problem_guess(step_problem *p, double factor, const double *P);
/* The percussions of the problem, among all rows; those of other laws stay as they are. */
void picus_step_problem_keep(const step_problem *p, double *P);
/* The same of other values of its rows. */
void picus_step_problem_spread(const step_problem *p, const double *values, double *of_rows);
/* Fills the problem of the active laws: laws, G, c, and the initial P. */
picus_status picus_step_problem_prepare(step_problem *p, const contact_request *request);
/* Solves for the percussions of the active laws, and again as long as laws join them; they stay in the problem until
 * they are accepted. */
picus_status picus_step_problem_solve(step_problem *p, const contact_request *request, double *u,
                                      picus_step_info *info);
/* A problem for the solver, with at most the rows of the active laws. */
typedef struct solver_call {
  picus_contact_problem problem;
  const int *laws;   /* places of its laws among the active ones; NULL: they are the same */
  double *P;         /* the guess, then the result */
  picus_mode *modes; /* results */
} solver_call;
/* A solver on such a problem; contacts with adhesion hold by p->dt times their adhesion. */
picus_status picus_step_problem_solve_by(step_problem *p, picus_solver *solver, const solver_call *call,
                                         picus_solve_info *info);
/* The solver on a problem with the active laws or some of them, whose residual and iterations count for the step. */
picus_status picus_step_problem_call_solver(step_problem *p, double t, const solver_call *call, picus_step_info *info);
/* A problem of the step that was solved, or accepted: its residual, and where it was left. */
typedef struct solved_problem {
  const picus_contact_problem *problem;
  const double *P;
  const picus_solve_info *solve;
  int (*number)(const void *user, int k); /* of its k-th law among the laws that are present */
  const void *user;
  const double *GP; /* NULL: not known */
} solved_problem;
void picus_step_note_residual(const picus_solver *solver, const solved_problem *solved, picus_step_info *info);
/* u from P of a prepared problem. */
picus_status picus_step_problem_apply(step_problem *p, const contact_request *request, double *u);
/* After apply: the row-th entry of G P, which belongs to the active law k. */
static inline double picus_step_problem_row(const step_problem *p, int k, int row) {
  return p->G.is_factored ? p->argument[row] : picus_delassus_row(&p->G, k, row, p->P);
}
/* The difference of xi of the active laws from the last solve, if W, u or offset have changed since: the largest
 * |difference| / sqrt(G_rr), in sqrt(J), minus the part that round-off can cause. *law: its law. */
double picus_step_problem_change(const step_problem *p, const contact_request *request, const double *u, int *law);
/* A message for a solver that failed on the problem; returns its status. */
picus_status picus_step_problem_explain(const step_problem *p, double t, const picus_solve_info *solve);
/* sum += W P of the active laws. */
void picus_step_problem_add_impulse(const step_problem *p, const picus_evaluation *directions, double *sum);

/* --- varying_laws.c: coefficients of laws that vary --- */
picus_status picus_varying_create(contact_state *state);
void picus_varying_reset(const contact_state *state); /* to those of the data of the laws */
/* Coefficients of all laws, and row_restitution; at: for the point and the velocity of an evaluation with W. */
picus_status picus_varying_evaluate(const contact_state *state, const contact_request *request);
picus_status picus_varying_evaluate_at(const contact_state *state, const picus_evaluation *at);
/* Without slip, at a point. */
picus_status picus_varying_evaluate_still(const contact_state *state, picus_evaluation *e, double t, const double *q,
                                          const double *u);
double picus_law_radius_now(const contact_state *state, int law); /* as last evaluated; or constant */
/* |P| of the constraints that load a law, of each one number in P; or their forces. */
double picus_law_load(const system_law *law, const double *P);
/* The same for the active laws of a problem whose plan is made; then its solution. */
picus_status picus_varying_prepare(step_problem *p, const contact_request *request);
/* The state of its iteration, which begins with zeros. */
typedef struct varying_iteration {
  int count, worse;
  double factor;         /* of corrections */
  double change;         /* the largest of a radius, relative to its size, */
  double before;         /* and one iteration ago */
  bool is_slow;          /* it gains less than FAST */
  bool leaps;            /* a radius is searched for elsewhere */
  picus_anderson mixing; /* of loads, if corrections of each by itself do not settle */
  struct {
    int law;               /* active law whose guide may lock itself, from 1 on; 0: none */
    int tries;             /* problems that have been solved to confirm it, from 1 on */
    double radius, needed; /* of the solution that is confirmed */
    double load;           /* of the first try */
  } lock;
  struct {
    int law;       /* active law that is tried at rest, from 1 on; 0: none */
    int next;      /* active law to be tried next */
    double radius; /* of its slip */
  } rest;
} varying_iteration;
/* After each solution u: corrects the radii of the problem. true: it is to be solved again. */
bool picus_varying_continues(step_problem *p, const contact_request *request, const double *u, varying_iteration *it,
                             picus_step_info *info, picus_status *status);
/* The largest difference of a friction percussion from that of the last solve, if coefficients are evaluated anew, as
 * in picus_step_problem_change. */
double picus_varying_change(const step_problem *p, const contact_request *request, const double *u, int *law);

/* --- left_out.c: constraints that follow from others --- */
/* Before a solve, if the system has such constraints. */
void picus_step_note_prescribed(step_problem *p, const contact_request *request);
picus_prescribed picus_step_prescribed(step_problem *p, const solver_call *call); /* of the laws of a call */
/* After it: what the solver left out, and the error if constraints contradict each other. */
void picus_step_take_left_out(step_problem *p, const solver_call *call);
picus_status picus_step_note_left_out(step_problem *p, const contact_request *request);
/* Of a problem that is prepared, in a state where all constraints hold: the error if they contradict each other. */
picus_status picus_step_judge_prescribed(step_problem *p, double t);

/* --- paradox.c --- */
/* Whether friction could be so strong at an active contact that a step has several solutions or none; and which it is,
 * into info, before the modes of the step are noted. */
bool picus_step_problem_may_jam(const step_problem *problem);
void picus_step_note_paradox(const step_problem *problem, picus_step_info *info);

/* Fails with PICUS_ERROR_NUMBER and the name of a velocity that is not finite after the step from t; else PICUS_OK. */
picus_status picus_step_blame_velocity(const contact_state *state, double t, const double *u);
static inline picus_status picus_step_check_finite(const contact_state *state, double t, const double *u) {
  return picus_all_finite(u, (size_t)state->set->system->nu) ? PICUS_OK : picus_step_blame_velocity(state, t, u);
}

#endif
