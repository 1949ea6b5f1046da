/* A step of a half-explicit scheme: with an impact, in parts if the options say so; and with the impact at its start.
 */
#include "scheme/half_explicit/half_explicit.h"

#include "base/internal.h"

#include <string.h>

/* A step with an impact in shorter ones (section 6.2). Percussions and impulses are sums over the parts, forces are
 * means, or those at the ends of the step. */
static picus_status step_in_parts(stepper *s, double dt, picus_step_info *info) {
  half_explicit_step *r = half_explicit_of(s);
  const int parts = s->half_explicit.impact_substeps, rows = s->set->row_count;
  const double t = s->t;
  picus_status status = PICUS_OK;
  picus_snapshot_save(s, &r->start);
  picus_clear(4 * rows, r->sums);
  for (int k = 0; k < parts && !status; k++) {
    bool impact = false;
    status = r->attempt(s, dt / parts, &impact, info);
    if (status) break;
    picus_system_normalise(s->system, s->q);
    if (k == 0) memcpy(r->sums + 4 * (size_t)rows, s->law_memory, (size_t)rows * sizeof *r->sums);
    for (int i = 0; i < 3 * rows; i++) r->sums[i] += s->law_memory[i];
    for (int i = 0; i < rows; i++) r->sums[3 * rows + i] += s->contacts.P[i];
    s->t = t + (k + 1) * (dt / parts);
  }
  s->t = t; /* the caller adds dt */
  if (status) {
    picus_snapshot_restore(&r->start, s);
    return status;
  }
  for (int i = 0; i < rows; i++) {
    s->law_memory[i] = r->forces_at_ends ? r->sums[4 * rows + i] : r->sums[i] / parts;
    if (!r->forces_at_ends) s->law_memory[rows + i] = r->sums[rows + i] / parts;
    s->law_memory[2 * rows + i] = r->sums[2 * rows + i];
    s->contacts.P[i] = r->sums[3 * rows + i];
  }
  picus_step_problem_disown(&s->problem);
  return PICUS_OK;
}

picus_status picus_half_explicit_step(stepper *s, double dt, picus_step_info *info) {
  half_explicit_step *r = half_explicit_of(s);
  bool impact = r->can_divide;
  picus_status status = r->attempt(s, dt, &impact, info);
  if (!status && impact && r->can_divide) status = step_in_parts(s, dt, info);
  if (status)
    picus_half_explicit_start_undo(s);
  else if (r->start_impact.acts)
    picus_half_explicit_start_accept(s, info);
  return status;
}
