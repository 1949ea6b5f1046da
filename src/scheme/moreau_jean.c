/* The scheme of Moreau and Jean (Jean and Moreau 1987; Acary 2012, 3.1): theta method, contacts on velocity level. */
#include "scheme/theta_step.h"

static const theta_rules rules = {
    .projection = PROJECT_NOTHING, .activate = picus_theta_activate_by_forecast, .look = picus_theta_look};

static picus_status create(stepper *s) { return picus_theta_create(s, false); }

static picus_status step(stepper *s, double dt, picus_step_info *info) {
  picus_status status = picus_theta_begin(s, dt, dt, 1, false, NULL);
  if (status == PICUS_OK) status = picus_theta_solve(s, &rules, info);
  if (status == PICUS_OK) picus_theta_accept(s, info);
  return status;
}

const scheme_ops picus_moreau_jean_scheme = {
    .description = {.name = "moreau-jean",
                    .summary = "Moreau-Jean: implicit (theta), contacts on velocity level, order 1, smooth motion 2",
                    .reference = "Jean and Moreau 1987; Acary 2012, section 3.1",
                    .implicit = true},
    .create = create,
    .release = picus_theta_release,
    .step = step};
