/* Moreau-Jean with all gaps projected at the end of the step (Acary 2012, section 4, Algorithm 1). */
#include "scheme/theta_step.h"

static const theta_rules rules = {
    .projection = PROJECT_ALL, .activate = picus_theta_activate_by_forecast, .look = picus_theta_look};

static picus_status create(stepper *s) { return picus_theta_create(s, true); }

static picus_status step(stepper *s, double dt, picus_step_info *info) {
  picus_status status = picus_theta_begin(s, dt, dt, 1, false, NULL);
  if (status == PICUS_OK) status = picus_theta_solve(s, &rules, info);
  if (status == PICUS_OK) picus_theta_accept(s, info);
  return status;
}

const scheme_ops picus_moreau_projected_scheme = {
    .description = {.name = "moreau-projected",
                    .summary = "Moreau-Jean with projected positions: constraints on both levels, order 1",
                    .reference = "Acary 2012, section 4, Algorithm 1",
                    .implicit = true},
    .create = create,
    .release = picus_theta_release,
    .step = step};
