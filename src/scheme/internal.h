/* Shared by the schemes: the state they advance, and the table of schemes. A scheme uses the system interface and the
 * contact problem of a step (step_problem.h), never a body, a file or the clock. */
#ifndef PICUS_SCHEME_INTERNAL_H
#define PICUS_SCHEME_INTERNAL_H

#include "scheme/step_problem.h"

#include <math.h>

typedef struct scheme_ops scheme_ops;
typedef struct stepper_snapshot stepper_snapshot;
typedef struct linear_motion linear_motion;

enum { PICUS_EVALUATIONS_MOST = 5, PICUS_SNAPSHOTS_MOST = 16 }; /* of a stepper */

/* Displacements against the drift of gaps; see gap_drift.c. */
typedef struct gap_drift {
  double *w;            /* nu */
  double *gap, *lambda; /* laws of the problem */
  int *seen;            /* the same: when they were visited last, */
  int *moved;           /* parts: and moved last */
} gap_drift;

/* The gap term of a scheme at velocity level; see gap_term.c. */
typedef struct gap_term {
  bool on;
  double *ahead;    /* law_count: f, the gap before the new velocity acts; the scheme fills it */
  double *velocity; /* law_count: v of xi = gamma + v of contacts */
  double *most;     /* law_count: the velocity that forces can give a contact in a step */
  bool *chosen;     /* law_count: laws of the contact problem */
  double *offset;   /* row_count */
  gap_drift drift;
} gap_term;

/* Bodies that sleep; see sleep.c. */
typedef struct sleepers {
  bool on;
  int *up;                   /* parts: another one of the same island; -1: no law acts on it */
  bool *wakes;               /* parts, of the first one of an island */
  double *given;             /* the same */
  double *change, *momentum; /* velocities */
} sleepers;

/* All data that a stepper carries from step to step, for returning to it: time, state, results of the last step at the
 * laws, dissipated energy, impacts, memory of the scheme. The numbers are in one block, in the order of the pointers.
 * When the laws change, all snapshots of a stepper follow. */
struct stepper_snapshot {
  double t;
  size_t count; /* numbers in values */
  double *values;
  double *q, *u, *q_low;                                /* into values */
  double *P, *dissipated, *driven, *work;               /* rows; laws; laws; works */
  double *totals;                                       /* watch_until and what is gone */
  double *opened, *closed, *struck, *impacts, *chatter; /* laws */
  double *memory, *law_memory;
  double *sides; /* of a stepper that holds them */
  picus_mode *modes;
};

/* Detection again at the end of a step; see redetection.c. */
typedef struct redetection {
  bool on;
  bool may_leave;         /* overlaps that no repetition removes are accepted and noted; else the step fails */
  stepper_snapshot begin; /* of the step */
} redetection;

/* Works by name; see works.c. */
typedef struct step_works {
  int count;
  double *work; /* count, J, since t_start */
  picus_evaluation *evaluation;
  double *q, *u;              /* at the start of a step, then in its middle */
  double *power, *stored[2];  /* count: powers, and what is stored at both ends of a step */
  double *attempt, *accepted; /* count: of a scheme that integrates powers at its stages */
  bool at_stages;             /* it did so in this step */
} step_works;

/* What the Newton iterations of a run try for; see newton_residual.h. */
typedef struct newton_goal {
  double balance; /* relative to the terms of the step */
  double gap;     /* m, of the schemes that project positions */
} newton_goal;

typedef struct stepper {
  picus_context *context;
  const picus_system *system;
  const law_set *set; /* the laws of its steps */
  law_arrays arrays;  /* that follow it */
  /* for systems whose laws come and go: `laws` is the set, `next` the one that follows; see present_laws.c */
  changing_set laws, next;
  int *law_from;                                         /* laws: indices in the set before, in the last change */
  bool laws_are_uncertain;                               /* a change of the laws failed for lack of memory */
  picus_evaluation *evaluations[PICUS_EVALUATIONS_MOST]; /* that work with the set */
  int evaluation_count;
  stepper_snapshot *snapshots[PICUS_SNAPSHOTS_MOST];
  size_t snapshot_count;
  const scheme_ops *scheme;
  picus_evaluation *evaluation;
  double theta;
  picus_implicit_options options; /* of the implicit schemes */
  newton_goal newton_goal;        /* see picus_newton_goal_of */
  picus_half_explicit_options half_explicit;
  /* state */
  double t, *q, *u;
  double *q_low;  /* round-off error of q, added in the next step; NULL: not kept */
  double *memory; /* data of earlier steps for schemes that need it, memory_size numbers; zeros: nothing yet */
  size_t memory_size;
  double
      *law_memory; /* the same of laws, as the scheme chose: so many per row, block after block, then so many per law */
  int remembered_per_row, remembered_per_law;
  double *sides; /* of the switching functions, as in picus_evaluation_hold; then what an adaptive run notes of them */
  size_t side_numbers;    /* in snapshots */
  bool holds_sides;       /* in all steps, for an adaptive run */
  bool holds_times;       /* in this step: those of time alone */
  bool counts_switches;   /* in fixed steps, whose order they cost */
  int steps_unseen;       /* since then, the sides of the state were looked at */
  bool has_times;         /* with fixed steps: some functions switch with time alone, */
  double uneventful[2];   /* but none of them between these times */
  contact_state contacts; /* at its laws */
  bool has_forces;        /* law_memory starts with the contact forces of the last step; see picus_stepper_forces */
  /* where the steps of a scheme leave W, and the velocities before them and after them without percussions */
  struct {
    const picus_evaluation *directions;
    const double *u_begin, *u_free;
    void (*find_free)(struct stepper *s); /* fills u_free when a step is looked at; NULL: each step leaves it */
    double *const *impulse; /* row_count: apart from forces, in a scheme that tells them apart; NULL: it does not */
  } judged;
  gap_term gap_term;
  sleepers sleep;
  bool has_preloads; /* among its laws */
  redetection redetection;
  step_works works;
  step_problem problem;
  void *own;               /* data of the scheme: its create makes them, its release frees them */
  const double *last_gaps; /* law_count: the gaps that the last step was judged by */
  /* scratch for schemes */
  double *q_next, *u_next, *u_free, *h, *rate, *gap, *gap_begin, *q_change;
  double *largest; /* part_count: |q| of the coordinates of each part that are not straight, as last computed */
} stepper;

/* The error of a scheme in smooth motion is c_0 dt^order + c_1 dt^(order + power) + c_2 dt^(order + 2 power) + ...:
 * power 1 for all powers of dt, 2 for every other one, as for symmetric schemes. If some c are zero, a smaller order or
 * power is also valid, but takes more work. */
/* How the approach of a contact leads to penetration, for the warnings about contacts. */
typedef enum scheme_penetration {
  PENETRATES_NOT,           /* gaps are enforced at the end of every step */
  PENETRATES_BY_APPROACH,   /* contacts close at velocity level */
  PENETRATES_BY_RESTITUTION /* gaps are enforced between steps, weighted by the coefficient of restitution */
} scheme_penetration;

struct scheme_ops {
  picus_scheme_description description;
  scheme_penetration penetrates;
  bool looks_at_middle; /* gaps are evaluated at the midpoint of a step, reached with its initial velocity; else at its
                           end */
  bool forecasts;       /* contacts are chosen by the forecast of the options, or by one like it */
  bool even_at_rest;    /* symmetric, with errors of even powers of dt alone from dt^2 on, where forces depend on
                           positions and time alone, rates are q' = u, and the closed laws have constant directions */
  int order, power;     /* for extrapolation; order 0: the scheme cannot be the base of an adaptive run, because it */
  const char *not_adaptive;
  /* Forces are explicit, so that large steps are unstable: all forces, or position-dependent forces. */
  bool explicit_forces, explicit_stiffness;
  bool laws_in_middle; /* laws hold with the directions of the middle of a step; the stepper's laws_at_end is heeded */
  bool velocity_level; /* nothing but velocities keeps contacts closed: gaps drift within the O(dt) of a step */
  bool has_gap_term;   /* the option gap_term applies */
  bool has_sleep;      /* the option sleep applies: its memory is free */
  bool by_factors;     /* G of many laws is not formed: A is M, and the step needs no blocks of G */
  unsigned jacobians;  /* that a step takes from the stepper's evaluation, see picus_evaluation_request */
  /* Optional: rejects systems that the scheme does not support, and allocates its memory beyond that of the stepper. */
  picus_status (*create)(stepper *s);
  /* Optional: rejects a law that appears later. */
  picus_status (*check_law)(const stepper *s, const picus_system_law *law);
  void (*release)(stepper *s);
  /* Optional, for own data: the stepper restarts from another state; the next step has no guess from the last one. */
  void (*restart)(stepper *s);
  void (*forget_guess)(stepper *s);
  /* Optional, for own data: the laws have changed; arrays have followed. */
  void (*change_laws)(stepper *s);
  /* Optional, for own data: what the last step leaves for the next one, in a checkpoint. */
  void (*archive)(stepper *s, picus_archive *archive);
  /* For schemes whose steps can be unstable: a step of free linear motion, without laws; see linear_motion.h. NULL: all
   * steps are stable, or it is not known. */
  void (*linear_step)(const linear_motion *motion, double dt, double *x, double *v);
  /* Advances the state by dt and fills info but for t, dt. On failure the state is untouched. */
  picus_status (*step)(stepper *s, double dt, picus_step_info *info);
};

extern const scheme_ops picus_moreau_scheme, picus_moreau_jean_scheme, picus_moreau_projected_scheme,
    picus_moreau_combined_scheme, picus_schatzman_paoli_scheme, picus_trapezoidal_position_scheme, picus_rattle_scheme,
    picus_moreau_explicit_scheme, picus_half_explicit_scheme, picus_half_explicit_acc_scheme;
extern const scheme_ops picus_half_explicit_rk_schemes[]; /* by the order of the tableau, from 1 */
const scheme_ops *picus_scheme_find(const char *name);    /* NULL: unknown */
/* The same with the order that the options give it; the scheme is known. */
const scheme_ops *picus_scheme_of(const picus_sim_options *options);

/* The laws that may act within dt from a state of the stepper, for systems whose laws come and go; called between
 * steps. Laws that one of the kept snapshots needs stay, whether they may act or not. On failure the laws are those
 * before. */
typedef struct law_search {
  double t;
  const double *q, *u;
  double dt;
  const stepper_snapshot *const *kept;
  int kept_count;
} law_search;
picus_status picus_stepper_find_laws(stepper *s, const law_search *search);
/* The same from the present state, keeping nothing: before a step of a run with fixed steps. */
static inline picus_status picus_stepper_update_laws(stepper *s, double dt) {
  if (!s->system->appears) return PICUS_OK;
  /* with the gap term, contacts act that the next step would cross */
  const double ahead = s->gap_term.on ? 2 * dt : dt;
  return picus_stepper_find_laws(s, &(law_search){.t = s->t, .q = s->q, .u = s->u, .dt = ahead});
}
/* Adds the laws that overlap at time t and at the positions of the stepper and have not been present; *added: how many,
 * the index of each of them in the set before is -1 in law_from. */
picus_status picus_stepper_add_overlaps(stepper *s, double t, int *added);
/* Only fixed laws are left; data of the others go into the totals. */
void picus_stepper_forget_laws(stepper *s);
void picus_stepper_fill_laws(stepper *s); /* row_restitution and usual_gap, from the laws */
/* Memory of a scheme in law_memory; zeros for laws that are new. */
picus_status picus_stepper_remember_laws(stepper *s, int per_row, int per_law);

/* options: checked by the caller. On failure the stepper must still be released. */
picus_status picus_stepper_create(picus_context *context, const picus_system *system, const scheme_ops *scheme,
                                  const picus_sim_options *options, stepper *out);
void picus_stepper_release(stepper *s); /* a zeroed one is fine */
/* Another evaluation for a scheme, with the laws and inputs of the stepper, PICUS_EVALUATIONS_MOST in all; the scheme
 * destroys it. */
picus_status picus_stepper_add_evaluation(stepper *s, picus_evaluation **out);
/* The inputs from now on, between two steps: nothing of the last step is a guess for the next one. Snapshots do not
 * contain inputs: they are the same for all attempts at a step. */
void picus_stepper_set_inputs(stepper *s, const input_value *inputs);
/* Whether time, positions and velocities are the stepper's own, bit by bit. */
bool picus_stepper_is_at(const stepper *s, double t, const double *q, const double *u);
/* Restarts from another state, without data of earlier steps: later steps equal those of a new stepper bit for bit. */
void picus_stepper_restart(stepper *s, double t, const double *q, const double *u);
/* The next step starts from its state alone, not from what the last one may have left as a first iterate. */
void picus_stepper_forget_guess(stepper *s);
/* One step of a scheme, by which everybody makes them: quaternions have the length 1 again afterwards. B u turns a
 * quaternion along its tangent, so that its length grows by O(dt^2) at most and no order is lost; gaps of bodies do not
 * depend on it. */
picus_status picus_stepper_step(const scheme_ops *scheme, stepper *s, double dt, picus_step_info *info);

/* The same, if redetection.on: laws come and go and the scheme keeps gaps. It is repeated with the laws that overlap at
 * its end. picus_redetection_create comes before, once all memory of the scheme is known. */
picus_status picus_stepper_step_with_detection(const scheme_ops *scheme, stepper *s, double dt, picus_step_info *info);
picus_status picus_redetection_create(stepper *s);

/* The times at which a step evaluates forces and motions at its ends: if they jump in time at one of these, the step
 * uses the values on its own side. */
void picus_step_times(const stepper *s, double dt, double *begin, double *end);

/* q_next := q + dt rate, with q_low; q_change then is the new q_low, if it is kept. */
void picus_step_advance(stepper *s, double dt, const double *rate);

/* Schemes with contact forces, else NULL: forces at the ends of the last step and impulses at its end, row_count each;
 * J that impulses dissipated since t_start, law_count. */
typedef struct contact_forces {
  const double *begin, *end, *impulse, *impulse_loss;
} contact_forces;
contact_forces picus_stepper_forces(const stepper *s);

/* Forces (N) and modes of the laws at the state, from accelerations; see start_forces.c. force: rows, modes: laws; all
 * 0 and open if it fails. Before the first step, and with the laws that are fixed. */
picus_status picus_stepper_find_forces(stepper *s, const picus_solver_options *options, double *force,
                                       picus_mode *modes);

/* An impact at the start of the closed contacts that approach, before the first step; see start_impact.c. dt: of the
 * first step, for laws that come and go. */
picus_status picus_stepper_start_impact(stepper *s, const picus_solver_options *options, double dt);

/* From now on q_low keeps the round-off error of q, in schemes that use it. Steps so short that they would not change a
 * coordinate then add up to the right motion. */
picus_status picus_stepper_keep_rounding(stepper *s);
/* For adaptive runs: e according to restitution, with the step dt_min that resolves impacts. */
picus_status picus_stepper_limit_restitution(stepper *s, picus_restitution restitution, double dt_min);
/* sum + *low = a + b with the sum rounded once (Knuth, Seminumerical Algorithms, 4.2.2). */
static inline double picus_two_sum(double a, double b, double *low) {
  double sum = a + b, part = sum - a;
  *low = (a - (sum - part)) + (b - part);
  return sum;
}

/* The scale of the round-off of a gap: sum |dg/dq_j q_j|, with the rows dg/dq B of W. Where B is not the identity, the
 * largest of these coordinates of the part replaces all: it is computed once for all laws. */
void picus_stepper_find_largest(stepper *s, const double *q);
static inline double picus_law_gap_terms(const stepper *s, const system_law *law, const double *row, const double *q) {
  double sum = 0;
  for (int b = 0; b < law->part_count; b++) {
    const system_part *part = &s->system->parts[law->parts[b]];
    const double *own = q + part->q0, largest = s->largest[law->parts[b]];
    const int straight = part->identity_rates ? part->nu : part->straight;
    for (int i = 0; i < straight; i++) sum += fabs(row[i]) * fabs(own[i]);
    for (int i = straight; i < part->nu; i++) sum += fabs(row[i]) * largest;
    row += part->nu;
  }
  return sum;
}
/* The round-off of the expression of each gap at (t, q), by samples: noise becomes the maximum of its old value and the
 * samples. Each round takes other samples. scratch: nq; noise: law_count, and room for 3 law_count gaps behind it. */
picus_status picus_gap_noise(picus_evaluation *e, const moving_point *at, int round, double *scratch, double *noise);
/* The possible effect of the round-off of coordinates on each gap at a state, into gap_rounding. */
picus_status picus_stepper_note_gap_rounding(stepper *s, const moving_point *at);

picus_status picus_snapshot_create(stepper *s, stepper_snapshot *out);
void picus_snapshot_release(stepper *s, stepper_snapshot *snapshot);                         /* a zeroed one is fine */
void picus_snapshot_find(const stepper *s, stepper_snapshot *snapshot);                      /* its memory has moved */
void picus_snapshot_carry(stepper *s, const law_change *change, stepper_snapshot *snapshot); /* to the laws of s */
void picus_snapshot_save(const stepper *s, stepper_snapshot *out);
void picus_snapshot_restore(const stepper_snapshot *snapshot, stepper *s);
void picus_snapshot_copy(const stepper *s, const stepper_snapshot *from, stepper_snapshot *to);

/* --- archive.c: the stepper in a checkpoint. A reader has been created with the same system and options, and has the
 * laws, the state and all that steps depend on afterwards. Inputs included. --- */
void picus_stepper_archive(stepper *s, picus_archive *archive);
/* A snapshot of the laws that the stepper has. */
void picus_snapshot_archive(const stepper *s, stepper_snapshot *snapshot, picus_archive *archive);
/* Laws read from a checkpoint, in s->next, become those of the stepper (present_laws.c). */
picus_status picus_stepper_adopt_laws(stepper *s);

/* Notes the lowest gap of the contacts, and the worst error of the constraints, of all laws' gaps. */
void picus_step_note_joints(const stepper *s, const double *gap, picus_step_info *info);
static inline void picus_step_note_gaps(stepper *s, const double *gap, picus_step_info *info) {
  const double *usual = s->contacts.usual_gap;
  s->last_gaps = gap;
  for (int i = 0, count = s->set->law_count; i < count; i++)
    if (gap[i] < info->gaps.lowest && usual[i] < INFINITY) {
      info->gaps.lowest = gap[i];
      info->gaps.lowest_law = i;
    }
  if (s->contacts.has_joints) picus_step_note_joints(s, gap, info);
}
/* Energy that each row of the system dissipates, and work of its moving surface or motor. */
typedef struct row_energies {
  double *lost, *driven;
} row_energies;
/* Accepts the step: stores percussions, modes and energies in the stepper, impacts and dissipation in info. energies:
 * NULL: those of one solve from u_begin to u with the directions in `judged`. */
void picus_step_problem_accept(stepper *s, const row_energies *energies, picus_step_info *info);
/* A percussion this many times larger than in the last step may be an impact. */
#define PICUS_GROWN 8
#define PICUS_EXPLAINED 4 /* times the change that forces and motion of a step explain: a larger change is a jump */
/* Whether friction could be so strong at an active contact that a step has several solutions or none; and which it is,
 * into info, before the modes of the step are noted (paradox.c). */
bool picus_step_problem_may_jam(const step_problem *problem);
void picus_step_note_paradox(const stepper *s, picus_step_info *info);
/* The same for the initial state of a run, where touching contacts may open without being active in a step. */
picus_status picus_stepper_examine_start(stepper *s, double dt, picus_step_info *info);

/* --- closed_at_start.c --- */
/* A solve that ends the step with u_end. */
typedef struct closed_look {
  double dt;
  const double *u_end;
  const double *gap;          /* law_count: at the start or in the middle of the step */
  double *ahead;              /* law_count: the gaps that chose the laws */
  const moving_point *middle; /* where the stepper's evaluation has its directions; NULL: it is not needed there */
} closed_look;
/* Whether a law of the solved problem may have an impact in this step: in fixed steps, if its percussion is much larger
 * than in the previous step, or if its velocity at the start is much larger than the effect of forces. The percussion
 * alone says nothing after a step with an impact. Steps of adaptive runs differ in length: all of them may. */
static inline bool picus_step_may_strike(const stepper *s) {
  const step_problem *p = &s->problem;
  if (s->contacts.keep_doubtful_modes) return true;
  for (int k = 0, at = 0; k < p->active_count; at += p->laws[k++].dim) {
    const double P = p->P[at], before = s->contacts.P[p->rows[at].global];
    const double gamma = p->gamma_begin[at], forces = p->gamma_free[at] - gamma;
    const bool grows = fabs(P) > PICUS_GROWN * fabs(before);
    const bool approaches = P != 0 && 2 * fabs(gamma) > PICUS_EXPLAINED * fabs(forces); /* e is at most 1 */
    if ((grows || approaches) && p->laws[k].kind != PICUS_RESERVOIR) return true;
  }
  return false;
}
/* After the solve of a step that may strike: if it is an impact, contacts that are closed at its start and would end it
 * against Newton's law become laws of the problem, at most once each, and the problem is to be solved again. */
picus_status picus_step_add_closed(stepper *s, const closed_look *look, picus_step_info *info, bool *added);

/* --- left_out.c --- */
/* Before the first step: the error if constraints contradict each other there. */
picus_status picus_stepper_judge_prescribed(stepper *s);

/* --- held_sides.c --- */
/* For each switching function: number by number, see switches.c of src/adaptive. The last is the time of its last
 * change. */
enum { SIDE_CHANGED = 3, SIDE_NUMBERS = 4 };
picus_status picus_stepper_create_sides(stepper *s, bool adaptive);
/* Around a step of a run with fixed steps, if there are switching functions. */
void picus_stepper_hold_times(stepper *s, double dt);
void picus_stepper_release_times(stepper *s);
/* After a step, if the stepper counts switches. */
void picus_stepper_count_switches(stepper *s, double dt, picus_step_info *info);
void picus_stepper_forget_switches(stepper *s);

/* --- works.c --- */
picus_status picus_works_create(stepper *s);
void picus_works_release(stepper *s);
/* Before a step, and after it, if there are works. */
void picus_works_begin(stepper *s);
void picus_works_add(stepper *s, double dt);
/* For a scheme of higher order: the powers at a stage act for dt; then the stages since the first one count. */
void picus_works_add_stage(stepper *s, picus_evaluation *e, double dt, bool is_first);
void picus_works_accept_stages(stepper *s);
double picus_works_total(const stepper *s);  /* J, all works by name */
double picus_driven_total(const stepper *s); /* J, all laws, present and gone */
/* J since t_start: what constraints at rest dissipated, which the exact motion does not. */
double picus_constraint_losses(const stepper *s);

/* --- approach.c --- */
typedef struct approach_rule {
  const picus_evaluation *at;                   /* W and chi of the state */
  const double *u_forced;                       /* its velocity after a step, by forces alone */
  double (*left)(stepper *s, int law, int row); /* m/s or rad/s: what steps of the scheme may leave in a closed law */
} approach_rule;
/* Whether the velocity of the state points into a closed law, beyond what earlier steps may have left. */
bool picus_law_is_approached(stepper *s, const approach_rule *rule, int law);
double picus_approach_residual(const stepper *s); /* of the solver, relative to the terms of a velocity: */
double picus_approach_terms(const stepper *s, const approach_rule *rule, int law, int row);

/* --- sleep.c --- */
picus_status picus_sleep_create(stepper *s);
void picus_sleep_release(stepper *s);
/* After the contact problem of a step: velocities u of bodies that sleep become zero. */
void picus_sleep_settle(stepper *s, const system_matrix *mass, double *u, picus_step_info *info);

/* --- gap_term.c --- */
picus_status picus_gap_term_create(stepper *s);
/* What a step knows before its contact problem; gamma_begin: row_count, or NULL: W^T u_begin + chi. */
typedef struct gap_step {
  double dt;
  const picus_evaluation *directions; /* W and chi of all laws, up to date */
  const double *u_begin, *u_free, *gamma_begin;
} gap_step;
/* From the gaps ahead: the laws of the problem and the velocities v; then the offset of a request. */
void picus_gap_term_choose(stepper *s, const gap_step *step, picus_step_info *info);
void picus_gap_term_fill(stepper *s, const gap_step *step, double *offset);
/* After the solve: contacts that were not chosen, but that the velocity u would cross, become laws of the problem; at
 * most once each. */
picus_status picus_gap_term_add_missed(stepper *s, const gap_step *step, const double *u, picus_step_info *info,
                                       bool *missed);
/* All of it, for explicit schemes. */
picus_status picus_gap_term_solve(stepper *s, const contact_request *request, const gap_step *step, double *u,
                                  picus_step_info *info);

/* Slack of the gaps of persistent contacts in heaps, which count as 0: shares of the way that forces give in a step. */
#define PICUS_OVERLAP_SLACK 2e-4
#define PICUS_GAP_SLACK 1e-3
static inline bool picus_gap_is_beyond(double gap, double way) {
  return gap > PICUS_GAP_SLACK * way || gap < -PICUS_OVERLAP_SLACK * way;
}

/* --- gap_drift.c --- */
picus_status picus_gap_drift_create(stepper *s);
void picus_gap_drift_release(stepper *s);
/* After the solve of a step with the gap term. true: the step moves its positions by dt w in addition. */
bool picus_gap_drift_find(stepper *s, double dt);
/* Then, once the step is made: the work of forces on this way counts as dissipated by the contacts. */
void picus_gap_drift_settle(stepper *s, picus_step_info *info);

/* --- impacts.c --- */
#define PICUS_RESOLVED_STEPS 4.5 /* closings within four steps are not resolved; half a step for round-off */
typedef struct impact_count {
  int closing;      /* contacts that closed with an impact in this step */
  int struck;       /* laws listed in the problem: these, and closed ones that jumped */
  int chatter;      /* contacts that closed shortly after they opened */
  bool has_free;    /* the velocity without percussions is known */
  bool is_at_begin; /* the evaluation is at the start of the step */
  bool has_all;     /* gamma of all laws there is known */
} impact_count;     /* begins with zeros */
picus_status picus_impacts_create(stepper *s);
/* Restart: no contact has opened or struck yet. */
void picus_impacts_forget(stepper *s);
/* Law k of the contact problem, whose rows start at `at`, has a new mode, or a percussion far larger than before; the
 * stepper still has the old ones. */
void picus_impacts_look(stepper *s, int k, int at, picus_mode mode, impact_count *count);
/* After all laws: counts the impacts on the stepper and in info. */
void picus_impacts_note(stepper *s, const impact_count *count, picus_step_info *info);
/* What a jump of a contact at the start of a step of size dt counts as; and its count, after the step. */
typedef enum jump_kind { JUMP_NOT_COUNTED, JUMP_IS_IMPACT, JUMP_IS_CHATTER } jump_kind;
jump_kind picus_impacts_judge(const stepper *s, int law, double dt);
void picus_impacts_add(stepper *s, int law, jump_kind kind, picus_step_info *info);
/* Whether the relative velocity of law k jumps in this step. */
bool picus_law_jumps(stepper *s, int k, int at, impact_count *count);

/* Fails with PICUS_ERROR_NUMBER and the name of a velocity that is not finite after the step from t; else PICUS_OK. */
picus_status picus_step_blame_velocity(const contact_state *c, double t, const double *u);
static inline picus_status picus_step_check_finite(const contact_state *c, double t, const double *u) {
  return picus_all_finite(u, (size_t)c->set->system->nu) ? PICUS_OK : picus_step_blame_velocity(c, t, u);
}

#endif
