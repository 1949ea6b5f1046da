/* What a step finds and leaves at its contacts: the lowest gaps, percussions and energies that are accepted, impacts,
 * paradoxes of friction, closed contacts that an impact reaches; and what is found at the start of a run. */
#ifndef PICUS_STEPPER_IMPACTS_H
#define PICUS_STEPPER_IMPACTS_H

#include "stepper/internal.h"

/* Notes the lowest gap of the contacts, and the worst error of the constraints, of all laws' gaps. */
void picus_step_note_joints(const stepper *s, const double *gap, picus_step_info *info);
static inline void picus_step_note_gaps(stepper *s, const double *gap, picus_step_info *info) {
  const double *usual = s->contacts.usual_gap;
  double lowest = info->gaps.lowest;
  int law = info->gaps.lowest_law;
  s->last_gaps = gap;
  for (int i = 0, count = s->set->law_count; i < count; i++)
    if (gap[i] < lowest && usual[i] < INFINITY) {
      lowest = gap[i];
      law = i;
    }
  info->gaps.lowest = lowest;
  info->gaps.lowest_law = law;
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

/* --- impacts and chatter --- */
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
/* Of the energy that passes through contacts. Less is not the law of the impact but the step, along which directions
 * turn: 1.1e-7 at most in the shipped models with their dt (newtons-cradle), 5.8e-5 with ten times this dt. */
#define PICUS_GAINED 1e-4
/* Energy that all contacts of an impact lost, and energy that passed through them. */
static inline void picus_impacts_note_gain(double lost, double passed, picus_step_info *info) {
  if (lost < -PICUS_GAINED * passed) info->gained -= lost;
}
/* Whether the relative velocity of law k jumps in this step. */
bool picus_law_jumps(stepper *s, int k, int at, impact_count *count);

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
/* After the solve of a step: laws that its solution needs as well join the problem, at most once each. With the gap
 * term these are contacts that the velocity would cross; else, in an impact, contacts that are closed at its start and
 * would end it against Newton's law. *joined: the problem is to be solved again. gaps: NULL without the gap term. */
picus_status picus_step_join_laws(stepper *s, const closed_look *look, const gap_step *gaps, picus_step_info *info,
                                  bool *joined);
/* The same with the numbers of stepper.joining, for the request of a problem that is to be solved again by itself;
 * user: the stepper. */
picus_status picus_step_join_solved(void *user, picus_step_info *info, bool *joined);

/* --- laws that are approached --- */
typedef struct approach_rule {
  const picus_evaluation *at;                   /* W and chi of the state */
  const double *u_forced;                       /* its velocity after a step, by forces alone */
  double (*left)(stepper *s, int law, int row); /* m/s or rad/s: what steps of the scheme may leave in a closed law */
} approach_rule;
/* Whether the velocity of the state points into a closed law, beyond what earlier steps may have left. */
bool picus_law_is_approached(stepper *s, const approach_rule *rule, int law);
double picus_approach_residual(const stepper *s); /* of the solver, relative to the terms of a velocity: */
double picus_approach_terms(const stepper *s, const approach_rule *rule, int law, int row);

/* --- start_of_run.c --- */
/* What picus_step_note_paradox finds in the initial state of a run, where touching contacts may open without being
 * active in a step. */
picus_status picus_stepper_examine_start(stepper *s, double dt, picus_step_info *info);
/* Before the first step: the error if constraints contradict each other there. */
picus_status picus_stepper_judge_prescribed(stepper *s);

/* Forces (N) and modes of the laws at the state, from accelerations; force: rows, modes: laws; all
 * 0 and open if it fails. Before the first step, and with the laws that are fixed. */
picus_status picus_stepper_find_forces(stepper *s, const picus_solver_options *options, double *force,
                                       picus_mode *modes);

/* An impact at the start of the closed contacts that approach, before the first step. dt: of the
 * first step, for laws that come and go. */
picus_status picus_stepper_start_impact(stepper *s, const picus_solver_options *options, double dt);

#endif
