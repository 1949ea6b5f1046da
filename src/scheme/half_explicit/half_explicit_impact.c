/* The laws that an impact in the step concerns. */
#include "scheme/half_explicit/half_explicit.h"

static bool strikes(const stepper *s, const half_explicit_step *r, int i) {
  return r->closed_end[i] && !r->closed_begin[i] && picus_law_can_open(&s->set->laws[i].data);
}

picus_status picus_half_explicit_find_impulsive(stepper *s, bool *any) {
  half_explicit_step *r = half_explicit_of(s);
  const law_set *set = s->set;
  velocity_components *c = &r->components;
  *any = false;
  for (int i = 0; i < set->law_count && !*any; i++) *any = strikes(s, r, i);
  if (!*any) return PICUS_OK;
  picus_status status = picus_evaluation_update_directions(r->end);
  if (status) return status;
  picus_components_clear(c);
  picus_components_join_matrix(c, &r->begin->mass);
  picus_components_join_matrix(c, &r->end->mass);
  for (int i = 0; i < set->law_count; i++) {
    if (r->acting[i]) picus_components_join_law(c, &set->laws[i], r->begin->W);
    if (r->acting[i] || r->closed_end[i]) picus_components_join_law(c, &set->laws[i], r->end->W);
  }
  for (int i = 0; i < set->law_count; i++)
    if (strikes(s, r, i)) picus_components_mark(c, &set->laws[i], r->end->W);
  for (int i = 0; i < set->law_count; i++)
    r->impulsive[i] = picus_components_is_marked(c, &set->laws[i], r->end->W) ||
                      (r->acting[i] && picus_components_is_marked(c, &set->laws[i], r->begin->W));
  return PICUS_OK;
}
