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
} step_problem;

typedef struct stepper {
  picus_context *context;
  const picus_system *system;
  picus_evaluation *evaluation;
  picus_solver *solver;
  double theta;
  /* state */
  double t, *q, *u;
  /* results of the last step, per row and per law */
  double *P;
  picus_mode *modes;
  double *dissipated; /* since the start, J */
  step_problem problem;
  /* who looks at the contact problems; NULL: nobody */
  picus_contact_watch_fn watch;
  void *watch_user;
  /* scratch for schemes */
  double *q_next, *u_next, *u_free, *h, *rate, *gap;
} stepper;

typedef struct scheme_ops {
  picus_scheme_description description;
  /* Advances the state by dt and fills info but for t, dt. On failure the state is untouched. */
  picus_status (*step)(stepper *s, double dt, picus_step_info *info);
} scheme_ops;

extern const scheme_ops picus_moreau_scheme;
const scheme_ops *picus_scheme_find(const char *name); /* NULL: unknown */

picus_status picus_stepper_create(picus_context *context, const picus_system *system,
                                  const picus_solver_options *solver, stepper *out);
void picus_stepper_release(stepper *s); /* a zeroed one is fine */

/* Chooses the active laws: contacts with gap <= 0, and every law that has no gap to open. Notes the lowest gap. */
void picus_step_problem_activate(stepper *s, const double *gap, picus_step_info *info);
/* Solves for the percussions of the active laws and adds M^-1 W P to u_free, giving u_end. M must be factored and the
 * directions evaluated at the point where the scheme wants them. u_begin is the velocity before the step. Percussions,
 * modes and dissipation are noted on the stepper, the rest in info. */
picus_status picus_step_problem_solve(stepper *s, double dt, const double *u_begin, const double *u_free, double *u_end,
                                      picus_step_info *info);

#endif
