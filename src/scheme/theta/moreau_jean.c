/* The scheme of Moreau and Jean (Jean and Moreau 1987; Acary 2012, 3.1): theta method, contacts at velocity level. */
#include "scheme/theta/theta_step.h"

static picus_status create(stepper *s) { return picus_theta_create(s, false); }

static picus_status step(stepper *s, double dt, picus_step_info *info) {
  return s->gap_term.on ? picus_theta_gap_step(s, dt, info) : picus_theta_step(s, dt, PROJECT_NOTHING, info);
}

const scheme_ops picus_moreau_jean_scheme = {
    .description = {.name = "moreau-jean",
                    .summary =
                        "Moreau-Jean: implicit (theta), contacts at velocity level, order 1; order 2 without contacts "
                        "and joints",
                    .reference = "Jean and Moreau 1987; Acary 2012, section 3.1",
                    .implicit = true},
    .order = 1,
    .power = 1,
    .velocity_level = true,
    .has_gap_term = true,
    .penetrates = PENETRATES_BY_APPROACH,
    .forecasts = true,
    .jacobians = PICUS_THETA_JACOBIANS,
    .create = create,
    .release = picus_theta_release,
    .forget_guess = picus_theta_forget,
    .archive = picus_theta_archive,
    .change_laws = picus_theta_change_laws,
    .step = step};
