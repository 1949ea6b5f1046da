/* The state that steps advance, with the laws that act on it. The interface of a scheme is in scheme_ops.h, what a step
 * leaves at its contacts in impacts.h, the phases that a scheme is made of in stepper_phases.h. */
#ifndef PICUS_STEPPER_INTERNAL_H
#define PICUS_STEPPER_INTERNAL_H

#include "stepper/gap_term.h"
#include "stepper/scheme_ops.h"
#include "stepper/snapshot.h"

#include <math.h>
#include <string.h>

enum { PICUS_EVALUATIONS_MOST = 5, PICUS_SNAPSHOTS_MOST = 16 }; /* of a stepper */

/* Bodies that sleep; see sleep.c. */
typedef struct sleepers {
  bool on;
  int *up;                   /* parts: another one of the same island; -1: no law acts on it */
  bool *wakes;               /* parts, of the first one of an island */
  double *given;             /* the same */
  double *change, *momentum; /* velocities */
} sleepers;

/* Detection again at the end of a step; see present_laws.c. */
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

/* What the Newton iterations of a run try for; see scheme/implicit.h. */
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
  picus_evaluation *evaluations[PICUS_EVALUATIONS_MOST]; /* that work with the set; the stepper owns them */
  int evaluation_count;
  stepper_snapshot *snapshots[PICUS_SNAPSHOTS_MOST];
  size_t snapshot_count;
  const scheme_ops *scheme;
  picus_evaluation *evaluation;
  double theta;
  picus_implicit_options options; /* of the implicit schemes */
  newton_goal newton_goal;        /* see stepper.c */
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
  int steps_unseen;       /* since then, the sides of the state were compared */
  bool has_times;         /* with fixed steps: some functions switch with time alone, */
  double uneventful[2];   /* but none of them between these times */
  contact_state contacts; /* at its laws */
  bool has_forces;        /* law_memory starts with the contact forces of the last step; see picus_stepper_forces */
  /* where the steps of a scheme leave W, and the velocities before them and after them without percussions */
  struct {
    const picus_evaluation *directions;
    const double *u_begin, *u_free;
    void (*find_free)(struct stepper *s); /* fills u_free when an impact is counted; NULL: each step leaves it */
    double *const *impulse; /* row_count, in a scheme that distinguishes impulses from forces; else NULL */
  } judged;
  gap_term gap_term;
  sleepers sleep;
  bool has_preloads; /* among its laws */
  redetection redetection;
  step_works works;
  bool attended; /* something is to be done before or after the steps of the scheme */
  step_problem problem;
  contact_request request; /* of the problem, in the phases; t, dt and ahead are those of the step */
  struct {                 /* for laws that join the problem while it is solved: see closed_look */
    double *ahead;
    const moving_point *middle;
    const gap_step *gaps; /* with the gap term */
  } joining;
  void *own;               /* data of the scheme */
  const double *last_gaps; /* law_count: the gaps that the last step was judged by */
  /* scratch for schemes */
  double *q_next, *u_next, *u_free, *h, *rate, *gap, *gap_begin, *q_change;
  double *largest; /* part_count: |q| of the coordinates of each part that are not straight, as last computed */
} stepper;

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
/* Another evaluation, with the laws and inputs of the stepper, PICUS_EVALUATIONS_MOST in all. */
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
/* The data of a step before it is made. Compilers clear 64 bytes by wide stores, but all of it by a loop. */
static inline void picus_step_info_begin(picus_step_info *info, double t, double dt) {
  const size_t part = 64, last = sizeof *info / part * part;
  for (size_t k = 0; k < last; k += part) memset((char *)info + k, 0, part);
  memset((char *)info + last, 0, sizeof *info - last);
  info->t = t;
  info->dt = dt;
  info->gaps.lowest = INFINITY;
  info->gaps.lowest_law = info->gaps.constraint_law = -1;
}
/* One step of the scheme, the only way to make one. In systems that need more than its equations (`attended`),
 * constraints are judged before the first one, works and switches are noted, and quaternions have the length 1 again
 * afterwards: B u turns a quaternion along its tangent, so that its length grows by O(dt^2) at most and no order is
 * lost; gaps of bodies do not depend on it. */
picus_status picus_stepper_begin_attended(stepper *s, double dt);
void picus_stepper_end_attended(stepper *s, double dt, bool is_made, picus_step_info *info);
static inline picus_status picus_stepper_step(stepper *s, double dt, picus_step_info *info) {
  picus_status status = s->attended ? picus_stepper_begin_attended(s, dt) : PICUS_OK;
  if (status) return status;
  status = s->scheme->step(s, dt, info);
  if (s->attended) picus_stepper_end_attended(s, dt, !status, info);
  return status;
}

/* The same, if redetection.on: laws come and go and the scheme keeps gaps. It is repeated with the laws that overlap at
 * its end. picus_redetection_create comes before, once all memory of the scheme is known. */
picus_status picus_stepper_step_with_detection(stepper *s, double dt, picus_step_info *info);
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
size_t picus_gap_noise_size(const law_sizes *n); /* numbers in `noise`, with its scratch */
picus_status picus_gap_noise(picus_evaluation *e, const moving_point *at, int round, double *scratch, double *noise);
/* The possible effect of the round-off of coordinates on each gap at a state, into gap_rounding. */
picus_status picus_stepper_note_gap_rounding(stepper *s, const moving_point *at);

/* --- held_sides.c --- */
/* For each switching function: number by number, see switches.c of src/adaptive. The last is the time of its last
 * change. */
enum { SIDE_CHANGED = 3, SIDE_NUMBERS = 4 };
/* Another state at the same time: what the scheme remembers of the last step is forgotten, but not what it counted. */
void picus_stepper_jump(stepper *s, const double *q, const double *u);
picus_status picus_stepper_create_sides(stepper *s, bool adaptive);
/* Around a step of a run with fixed steps, if there are switching functions. */
void picus_stepper_hold_times(stepper *s, double dt);
void picus_stepper_release_times(stepper *s);
/* After a step, if the stepper counts switches. */
void picus_stepper_count_switches(stepper *s, double dt, picus_step_info *info);
void picus_stepper_forget_switches(stepper *s);

/* --- works.c --- */
picus_status picus_works_create(stepper *s);
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

/* --- sleep.c --- */
picus_status picus_sleep_create(stepper *s);
/* After the contact problem of a step: velocities u of bodies that sleep become zero. */
void picus_sleep_settle(stepper *s, const system_matrix *mass, double *u, picus_step_info *info);

#endif
