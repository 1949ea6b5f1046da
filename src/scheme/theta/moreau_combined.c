/* Activation and projection combined (Acary 2012, section 5, Algorithm 2): a contact acts in a step if the step without
 * it would end below the contact, and only contacts that act are projected: to g = 0 if they push. */
#include "scheme/theta/theta_step.h"
#include "stepper/impacts.h"

#include <math.h>

static const theta_rules rules = {.projection = PROJECT_ACTIVE, .activate = NULL, .look = picus_theta_look};

static picus_status create(stepper *s) { return picus_theta_create(s, true); }

/* (66): adds the contacts that the step found closed. The forecast stores the set: 0 inside, 1 outside. */
static bool grow_set(stepper *s) {
  theta_step *t = theta_of(s);
  bool grown = false;
  for (int i = 0; i < s->set->law_count; i++) {
    if (!picus_law_can_open(&s->set->laws[i].data) || t->forecast[i] <= 0) continue;
    if (t->gap[i] > picus_step_largest_closed_gap(&s->contacts, i)) continue;
    t->forecast[i] = 0;
    grown = true;
  }
  return grown;
}

static picus_status step(stepper *s, double dt, picus_step_info *info) {
  theta_step *t = theta_of(s);
  const theta_shape shape = picus_theta_shape(s, dt);
  picus_status status = picus_theta_begin(s, dt, &shape);
  for (int i = 0; i < s->set->law_count; i++) t->forecast[i] = 1;
  bool grown = true;
  while (!status && grown) { /* at most once for each contact */
    picus_step_problem_activate(&s->problem, t->forecast, info);
    status = picus_theta_solve(s, &rules, info);
    info->implicit.set_iterations++;
    grown = !status && grow_set(s);
    if (status || grown || !picus_step_may_strike(s)) continue;
    const closed_look look = {.dt = dt, .u_end = t->w, .gap = t->gap_begin, .ahead = t->forecast};
    status = picus_step_add_closed(s, &look, info, &grown);
  }
  if (status) return status;
  picus_theta_accept(s, info);
  picus_theta_advance(s, t->w);
  return PICUS_OK;
}

const scheme_ops picus_moreau_combined_scheme = {
    .description = {.name = "moreau-combined",
                    .summary = "Moreau-Jean with combined activation and projection: no chatter, order 1",
                    .reference = "Acary 2012, section 5, Algorithm 2",
                    .implicit = true},
    .order = 1,
    .power = 1,
    .forecasts = true,
    .jacobians = PICUS_THETA_JACOBIANS,
    .create = create,
    .release = picus_theta_release,
    .forget_guess = picus_theta_forget,
    .archive = picus_theta_archive,
    .change_laws = picus_theta_change_laws,
    .step = step};
