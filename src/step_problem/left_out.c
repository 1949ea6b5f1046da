/* Constraints that follow from others (solver/dependence.h): what they prescribe, for the solver to compare, and the
 * velocities of those that it left out, which go with the drift of positions or the error of a linearization.
 *
 * Prescribed velocities contradict each other, or do not, where all constraints hold, as in the first state of a run:
 * there they are judged to round-off. Steps have W and chi of states that have drifted, or of an iterate, which matters
 * if the combination of the constraints depends on positions (a Hooke's joint with a motor on each shaft). A problem
 * whose rows V are those of another point is not judged unless chi there is known; another one of its step is. */
#include "step_problem/step_problem.h"

#include <float.h>
#include <math.h>

/* The relative change of rows by the drift of positions in a step: a contradiction of prescribed velocities that begins
 * later in a run is named only if it is larger. */
#define DRIFT 1e-2

void picus_step_note_prescribed(step_problem *p, const contact_request *request) {
  const double *chi = request->rows ? request->rows_chi : request->directions->chi;
  p->left_out = (picus_left_out){0};
  p->has_prescribed = false;
  for (int k = 0; chi && k < p->active_count; k++) {
    const picus_system_law *law = &p->set->laws[p->active[k]].data;
    p->prescribed[k] = law->kind == PICUS_BILATERAL ? chi[law->first_row] : 0;
    p->has_prescribed = p->has_prescribed || p->prescribed[k] != 0; /* else rest satisfies all of them */
  }
}

picus_prescribed picus_step_prescribed(step_problem *p, const solver_call *call) {
  if (!p->has_prescribed) return (picus_prescribed){0};
  if (!call->laws) return (picus_prescribed){p->prescribed, DRIFT};
  double *of_call = p->argument; /* free until the problem is solved */
  for (int k = 0; k < call->problem.law_count; k++) of_call[k] = p->prescribed[call->laws[k]];
  return (picus_prescribed){of_call, DRIFT};
}

void picus_step_take_left_out(step_problem *p, const solver_call *call) {
  p->left_out = picus_solver_left_out(p->contacts->solver);
  if (call->laws && p->left_out.contradicts) p->left_out.law = call->laws[p->left_out.law];
}

/* The terms of the velocity of a constraint over sqrt(G_rr): before and in the step, and at the point of W, where
 * forces take the place of percussions and accelerations that of velocities. */
static double terms_of(const step_problem *p, const contact_request *request, int k, double weight) {
  const system_law *law = &p->set->laws[p->active[k]];
  const picus_evaluation *e = request->directions;
  const int row = law->data.first_row;
  const double *V = picus_law_row(law, request->rows ? request->rows : e->W, 0);
  const double *const velocities[] = {request->u_free, request->u_begin, e->u};
  double most = 0;
  for (size_t i = 0; i < sizeof velocities / sizeof velocities[0]; i++)
    most = picus_larger(most, picus_law_row_terms(p->set->system, law, V, velocities[i]));
  return weight * (most + fabs(request->offset ? request->offset[row] : 0) + fabs(e->chi[row]));
}

static picus_status contradict(const step_problem *p, double t) {
  return picus_fail(p->contacts->context, PICUS_NO_SOLUTION,
                    "at t = %.9g the constraint '%s' contradicts the others: if these hold, its velocity is %.3g "
                    "instead of 0; remove it, or make it agree with them",
                    t, p->set->laws[p->active[p->left_out.law]].data.name, p->left_out.velocity);
}

picus_status picus_step_note_left_out(step_problem *p, const contact_request *request) {
  if (p->left_out.contradicts) return contradict(p, request->t);
  p->left_out.any = p->left_out.any && !p->G.is_factored;
  if (!p->left_out.any) return PICUS_OK;
  p->left_rounding = 0;
  for (int k = 0, at = 0; k < p->active_count; at += p->laws[k++].dim) {
    for (int r = 0; r < p->laws[k].dim; r++) p->left[at + r] = 0;
    const double diagonal = picus_delassus_diagonal(&p->G, k, at);
    if (p->laws[k].kind != PICUS_BILATERAL || !(diagonal > 0)) continue;
    const double weight = 1 / sqrt(diagonal), terms = terms_of(p, request, k, weight);
    const int row = p->rows[at].global;
    p->left[at] = p->c[at] + picus_delassus_row(&p->G, k, at, p->P);
    p->c[at] -= p->left[at]; /* xi is 0, as for all constraints */
    p->left_rounding += 8 * DBL_EPSILON * terms + (request->rounding ? weight * request->rounding[row] : 0);
  }
  return PICUS_OK;
}

picus_status picus_step_judge_prescribed(step_problem *p, double t) {
  const picus_contact_problem problem = picus_delassus_problem(&p->G, p->laws, p->c);
  if (!p->has_prescribed) return PICUS_OK;
  picus_status status =
      picus_solver_judge_prescribed(p->contacts->solver, &problem, (picus_prescribed){p->prescribed, 0});
  if (!status) p->left_out = picus_solver_left_out(p->contacts->solver);
  return !status && p->left_out.contradicts ? contradict(p, t) : status;
}
