/* What schemes share: the state they advance, the contact problem of a step, and the table of schemes. A scheme knows
 * the system interface and the contact problem, never a body, a file or the clock. */
#ifndef PICUS_SCHEME_INTERNAL_H
#define PICUS_SCHEME_INTERNAL_H

#include "system/internal.h"

#include <picus/contact.h>
#include <picus/sim.h>

/* The contact problem of one step: active laws, G, c, and where the rows belong. Where G is constant it is gathered
 * only when the active set changes. */
typedef struct step_problem {
  int active_count;
  int *active; /* law indices, increasing */
  bool stale;  /* active differs from the last step that succeeded: laws and G have to be filled again */
  double dt;   /* of the laws below; 0: not filled */
  int size;
  picus_law *laws;        /* of the problem */
  double *G, *c, *P;      /* size x size, size, size */
  double *start;          /* size: P before the solve, for those who watch */
  double *begin, *free;   /* law velocities at the begin of the step and without percussions, size */
  double *inverse_mass_W; /* M^-1 w of the active rows, where it is not constant */
  const double **solved;  /* size: M^-1 w of each row */
  picus_mode *modes;      /* active_count */
  double *xi, *argument;  /* size: scratch for the doubt about modes */
} step_problem;

typedef struct stepper {
  picus_context *context;
  const picus_system *system;
  picus_evaluation *evaluation;
  picus_solver *solver;
  double theta;
  /* state */
  double t, *q, *u;
  double *q_low; /* what rounding cut off q, to be added in the next step; NULL: is lost */
  /* results of the last step, per row and per law */
  double *P;
  picus_mode *modes;
  double *dissipated; /* since the start, J */
  step_problem problem;
  /* what adaptive runs ask for; zeros: nothing */
  bool keep_doubtful_modes; /* a mode that differs from the last one by no more than rounding stays as it was */
  double *gap_rounding;     /* laws: a gap that is not larger counts as closed; zeros unless noted */
  double closed_slack;      /* a contact that was closed takes part as long as its gap is not larger, m */
  double restitution_dt;    /* > 0: restitution e^(dt / restitution_dt) (Studer 2008, 8.2) */
  /* state of its own that a scheme carries from step to step, made by picus_stepper_reserve_memory */
  double *memory;
  size_t memory_count;
  /* who looks at the contact problems; NULL: nobody */
  picus_contact_watch_fn watch;
  void *watch_user;
  /* scratch for schemes */
  double *q_next, *u_next, *u_free, *h, *rate, *gap, *q_change;
} stepper;

/* The error of a scheme in smooth motion is c_0 dt^order + c_1 dt^(order + power) + c_2 dt^(order + 2 power) + ...:
 * power 1 for all powers of dt, 2 for every other one, as schemes have that are their own inverse. */
typedef struct scheme_ops {
  picus_scheme_description description;
  int order, power;
  size_t memory_count; /* doubles of stepper.memory */
  /* Advances the state by dt and fills info but for t, dt. On failure the state is untouched. */
  picus_status (*step)(stepper *s, double dt, picus_step_info *info);
} scheme_ops;

extern const scheme_ops picus_moreau_scheme;
const scheme_ops *picus_scheme_find(const char *name); /* NULL: unknown */

picus_status picus_stepper_create(picus_context *context, const picus_system *system,
                                  const picus_solver_options *solver, stepper *out);
void picus_stepper_release(stepper *s); /* a zeroed one is fine */

/* From now on q_low keeps what rounding cuts off q, in schemes that care. Steps so short that they would not move a
 * coordinate add up to the right motion. */
picus_status picus_stepper_keep_rounding(stepper *s);
/* sum + *low = a + b with the sum rounded once (Knuth, Seminumerical Algorithms, 4.2.2). */
static inline double picus_two_sum(double a, double b, double *low) {
  double sum = a + b, part = sum - a;
  *low = (a - (sum - part)) + (b - part);
  return sum;
}

/* What rounding of the coordinates may do to each gap at the stepper's state, into gap_rounding. */
picus_status picus_stepper_note_gap_rounding(stepper *s);

/* Memory that the scheme keeps between steps; zeroed. */
picus_status picus_stepper_reserve_memory(stepper *s, size_t count);

/* All that a stepper carries from step to step, to come back to it: time, state, what the last step left at the laws,
 * energy dissipated, the scheme's own memory. The numbers lie in one block: nq of q, nu of u, rows of P, laws of
 * dissipated, nq of q_low, memory. */
typedef struct stepper_snapshot {
  double t;
  size_t count; /* numbers in values */
  double *values;
  double *q, *u, *P, *dissipated, *q_low, *memory; /* into values */
  picus_mode *modes;
} stepper_snapshot;
picus_status picus_snapshot_create(const stepper *s, stepper_snapshot *out);
void picus_snapshot_release(picus_context *context, stepper_snapshot *snapshot); /* a zeroed one is fine */
void picus_snapshot_save(const stepper *s, stepper_snapshot *out);
void picus_snapshot_restore(const stepper_snapshot *snapshot, stepper *s);
void picus_snapshot_copy(const stepper *s, const stepper_snapshot *from, stepper_snapshot *to);

/* Chooses the active laws: contacts with gap <= 0, and every law that has no gap to open. Notes the lowest gap. */
void picus_step_problem_activate(stepper *s, const double *gap, picus_step_info *info);
/* Solves for the percussions of the active laws and adds M^-1 W P to u_free, giving u_end. M must be factored and the
 * directions evaluated at the point where the scheme wants them. u_begin is the velocity before the step. Percussions,
 * modes and dissipation are noted on the stepper, the rest in info. */
picus_status picus_step_problem_solve(stepper *s, double dt, const double *u_begin, const double *u_free, double *u_end,
                                      picus_step_info *info);

#endif
