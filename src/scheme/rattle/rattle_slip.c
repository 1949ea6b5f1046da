/* The direction of persistent slip in rattle, to second order.
 *
 * In the paper (Breuling et al. 2023, (34)) the friction of a complete step opposes the slip at its end: a
 * right-endpoint rule, of order 1 if the direction turns. Here the total P_F = - mu P_N d of a law in persistent slip
 * opposes the mean slip of the first stage, d = (gamma(q_0, u_h) + gamma(q_1, u_h)) / |...|, a midpoint rule; see
 * given_slip.h. */
#include "scheme/rattle/rattle.h"

/* Laws that slip before the step and in its first stage have a direction, if their slip velocity has one. */
void picus_rattle_choose_directions(stepper *s) {
  rattle_step *r = rattle_of(s);
  const step_problem *p = &s->problem, *first_stage = &r->problem;
  for (int k = 0, j = 0; k < p->active_count; k++) {
    const int i = p->active[k];
    while (j < first_stage->active_count && first_stage->active[j] < i) j++;
    bool acted = j < first_stage->active_count && first_stage->active[j] == i;
    const picus_system_law *law = &s->set->laws[i].data;
    const bool slips = s->contacts.modes[i] == PICUS_SLIP && !(acted && first_stage->modes[j] == PICUS_STICK);
    r->slip.given[i] =
        slips && picus_given_slip_set(&r->slip, i, r->slip_velocity + law->first_row + law->dim - law->slips);
  }
}
