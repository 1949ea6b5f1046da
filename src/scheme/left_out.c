/* Constraints that the solver left out of a contact problem, because they follow from the others (solver/dependence.h).
 *
 * What is left of their velocities goes with the distance of the constraints from being dependent, which is the drift
 * of positions, or with the error of a linearization. Anything more is a contradiction between constraints, such as two
 * motors with different speeds on one shaft. No check is needed
 *   - if no constraint has an offset: a system at rest satisfies all of them, so that there is no contradiction;
 *   - if V belongs to a forecast position: the distance is the geometric mean of V's and W's, and the forecast has
 *     drifted much more than W; the last problem of the step, at its end, is checked in its place;
 *   - where gaps are the unknowns of an iteration: it ends only when the gaps of all constraints close. */
#include "scheme/internal.h"

#include <float.h>
#include <math.h>

#define EXPLAINED 1e3 /* times distance and velocity: what drift can leave; found with linkages in space: 150 */
#define ROUNDINGS 1e3 /* of a velocity */
#define CLEAR 1e-2    /* of the velocities: less may be drift, which the summary states as the error of constraints */

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

/* Of the velocity of a constraint, if the system is at rest. */
static double offset_of(const contact_request *request, int row) {
  return request->offset ? request->offset[row] : request->directions->chi[row];
}

static picus_status contradict(const step_problem *p, const contact_request *request, int k, double velocity) {
  return picus_fail(p->contacts->context, PICUS_NO_SOLUTION,
                    "at t = %.9g the constraint '%s' contradicts the others: if these hold, its velocity is %.3g "
                    "instead of 0; remove it, or make it agree with them",
                    request->t, p->set->laws[p->active[k]].data.name, velocity);
}

picus_status picus_step_note_left_out(step_problem *p, const contact_request *request) {
  const double distance = picus_solver_dependence(p->contacts->solver);
  p->has_left = distance >= 0 && !p->G.is_factored;
  if (!p->has_left) return PICUS_OK;
  double scale = 0, worst = 0, velocity = 0;
  int law = 0;
  bool at_rest = true; /* is a solution */
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
    at_rest = at_rest && offset_of(request, row) == 0;
    scale = picus_larger(scale, terms);
    if (!(weight * fabs(p->left[at]) > worst)) continue;
    worst = weight * fabs(p->left[at]);
    velocity = p->left[at];
    law = k;
  }
  const bool judged_by_gaps = request->rounding && p->set->laws[p->active[law]].data.has_gap;
  if (at_rest || request->forecast || judged_by_gaps ||
      worst <= (CLEAR + EXPLAINED * distance) * scale + ROUNDINGS * p->left_rounding)
    return PICUS_OK;
  return contradict(p, request, law, velocity);
}
