/* What the implicit schemes with contacts at position level share: the laws they support, and which contacts act. */
#include "scheme/theta/theta_step.h"

picus_status picus_theta_check_position_law(const stepper *s, const picus_system_law *law) {
  const char *scheme = s->scheme->description.name;
  if ((law->kind == PICUS_COULOMB && law->mu > 0) ||
      (law->kind == PICUS_RESERVOIR && law->reservoir > 0 && !law->displaced) || law->kind == PICUS_ROLLING)
    return picus_fail(s->context, PICUS_ERROR_UNSUPPORTED,
                      "the scheme %s does not support friction, but '%s' has friction; use moreau-jean or one of the "
                      "projected schemes",
                      scheme, law->name);
  if (!law->has_gap && law->kind != PICUS_RESERVOIR)
    return picus_fail(s->context, PICUS_ERROR_UNSUPPORTED,
                      "the scheme %s works at position level, but '%s' is a %s at velocity level; use "
                      "moreau-jean or one of the projected schemes",
                      scheme, law->name, picus_law_is_clutch(law) ? "clutch" : "constraint");
  return PICUS_OK;
}

void picus_theta_activate_crossed(stepper *s, bool first, picus_step_info *info) {
  theta_step *t = theta_of(s);
  bool changed = first;
  for (int i = 0; i < s->set->law_count; i++) {
    const system_law *law = &s->set->laws[i];
    double xi =
        picus_law_row_dot(s->system, law, picus_law_row(law, t->end->W, 0), t->w_free) + t->offset[law->data.first_row];
    bool joins = xi <= 0 && (first || t->forecast[i] > 0);
    if (first || joins) t->forecast[i] = joins ? -1 : 1;
    changed = changed || joins;
  }
  if (changed) picus_step_problem_activate(&s->problem, t->forecast, info);
}
