/* Moreau-Jean with all gaps projected at the end of the step (Acary 2012, section 4, Algorithm 1). */
#include "scheme/theta/theta_step.h"

static picus_status create(stepper *s) { return picus_theta_create(s, true); }

static picus_status step(stepper *s, double dt, picus_step_info *info) {
  return picus_theta_step(s, dt, PROJECT_ALL, info);
}

const scheme_ops picus_moreau_projected_scheme = {
    .description = {.name = "moreau-projected",
                    .summary = "Moreau-Jean with projected positions: constraints at both levels, order 1",
                    .reference = "Acary 2012, section 4, Algorithm 1",
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
