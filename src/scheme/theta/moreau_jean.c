/* The schemes of Moreau and Jean: the theta method with contacts at velocity level (Jean and Moreau 1987; Acary 2012,
 * section 3.1), with all gaps projected at the end of the step (section 4, Algorithm 1), and with activation and
 * projection combined (section 5, Algorithm 2). */
#include "scheme/theta/theta_step.h"
#include "stepper/impacts.h"

#include <math.h>

static picus_status create(stepper *s, bool projects) {
  const picus_status status = picus_theta_create(s, projects);
  if (status) return status;
  theta_of(s)->as_printed = s->options.newton_printed;
  if (!s->options.mean_forces) return PICUS_OK;
  if (!s->system->constants.identity_rates)
    return picus_fail(
        s->context, PICUS_ERROR_UNSUPPORTED,
        "mean_forces needs coordinates whose derivatives are the velocities, which bodies in space do not "
        "have; leave it out");
  return PICUS_FIXED(&s->arrays, sizeof(double), (size_t)s->system->nu, &theta_of(s)->h_begin);
}

static picus_status create_plain(stepper *s) { return create(s, false); }

static picus_status step_at_velocities(stepper *s, double dt, picus_step_info *info) {
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
    .has_adhesion = true,
    .penetrates = PENETRATES_BY_APPROACH,
    .jacobians = PICUS_THETA_JACOBIANS,
    .create = create_plain,
    PICUS_THETA_SHARED,
    .step = step_at_velocities};

/* --- Algorithm 1: all gaps are projected --- */

static picus_status create_projected(stepper *s) { return create(s, true); }

static picus_status step_projected(stepper *s, double dt, picus_step_info *info) {
  return picus_theta_step(s, dt, PROJECT_ALL, info);
}

const scheme_ops picus_moreau_projected_scheme = {
    .description = {.name = "moreau-projected",
                    .summary = "Moreau-Jean with projected positions: constraints at both levels, order 1",
                    .reference = "Acary 2012, section 4, Algorithm 1",
                    .implicit = true},
    .order = 1,
    .power = 1,
    .jacobians = PICUS_THETA_JACOBIANS,
    .create = create_projected,
    PICUS_THETA_SHARED,
    .step = step_projected};

/* --- Algorithm 2: a contact acts in a step if the step without it would end below the contact, and only contacts that
 * act are projected: to g = 0 if they push --- */

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

/* A contact that pressed in the last step and stays closed if its relative velocity does not change acts in this one:
 * without it, the step would end below it, or it has no percussion. So the set of a persistent contact is found in one
 * pass. */
static bool persists(const stepper *s, int i) {
  const theta_step *t = theta_of(s);
  const int row = s->set->laws[i].data.first_row;
  if (t->as_printed || !picus_law_can_open(&s->set->laws[i].data) || !(s->contacts.P[row] > 0)) return false;
  const double closed = fmax(s->options.projection_tolerance, picus_step_largest_closed_gap(&s->contacts, i));
  return t->gap_begin[i] + t->dt * t->gamma_begin[row] <= closed;
}

static picus_status step_combined(stepper *s, double dt, picus_step_info *info) {
  static const theta_rules rules = {.projection = PROJECT_ACTIVE, .look = picus_theta_look};
  theta_step *t = theta_of(s);
  const theta_shape shape = picus_theta_shape(s, dt);
  picus_status status = picus_theta_begin(s, dt, &shape);
  for (int i = 0; i < s->set->law_count; i++) t->forecast[i] = persists(s, i) ? 0 : 1;
  bool grown = true;
  while (!status && grown) { /* at most once for each contact */
    picus_step_problem_activate(&s->problem, t->forecast, info);
    status = picus_theta_iterate(s, &rules, info);
    info->implicit.set_iterations++;
    grown = !status && grow_set(s);
    const closed_look look = {.dt = dt, .u_end = t->w, .gap = t->gap_begin, .ahead = t->forecast};
    if (!status && !grown) status = picus_step_join_laws(s, &look, NULL, info, &grown);
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
    .jacobians = PICUS_THETA_JACOBIANS,
    .create = create_projected,
    PICUS_THETA_SHARED,
    .step = step_combined};
