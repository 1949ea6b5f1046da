/* Switching functions of a system: their sides at a time, their texts. source/switch_formulas.c finds them in the
 * equations of a model. */
#include "system/switches.h"

#include "base/internal.h"

#include <math.h>

void picus_switches_release(picus_system *system) {
  for (int k = 0; k < system->switch_count; k++) picus_release(system->context, system->switches[k].text);
  picus_release(system->context, system->switches);
}

double picus_switch_side_at(const picus_system *system, int index, double t) {
  const system_switch *s = &system->switches[index];
  if (!s->is_timed) return NAN;
  return (t > s->t_zero) == s->rises ? 1 : -1;
}

double picus_switch_side_after(const picus_system *system, int index, double t) {
  const system_switch *s = &system->switches[index];
  if (!s->is_timed) return NAN;
  return (t >= s->t_zero) == s->rises ? 1 : -1;
}

bool picus_switch_is_near(const picus_system *system, int index, double t, double slack) {
  const system_switch *s = &system->switches[index];
  return s->is_timed && fabs(t - s->t_zero) <= slack;
}

const char *picus_switch_text(const picus_system *system, int index) { return system->switches[index].text; }

int picus_switch_text_side(const picus_system *system, int index, double side) {
  return (side > 0) != system->switches[index].is_swapped ? 1 : -1;
}
