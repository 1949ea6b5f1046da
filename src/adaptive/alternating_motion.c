/* Motions that steps multiply by -1.
 *
 * A symmetric implicit scheme multiplies a velocity whose force is far too stiff for its step by nearly -1 in each
 * step, whatever the size: (1 - z) / (1 + z), where z is half the rate of the force times the step. The rows of a
 * tableau with odd numbers of substeps then agree with each other, and all are wrong: such a motion has decayed, or
 * vibrates many times, within the step. It shows in the substeps of a single row, where the changes of the velocity
 * alternate in sign. Those of a motion that the substeps resolve do not: two changes of sign within three substeps are
 * a vibration that is as fast as the substeps. Half the smallest of these changes is the amplitude of the alternating
 * part, and an error of the step. Runs with fixed steps have an alarm for the same (src/sim/alarm.h). */
#include "adaptive/internal.h"

#include "base/internal.h"

#include <math.h>
#include <string.h>

enum { CHANGES_LEAST = 3 }; /* of a velocity, with two changes of sign */

picus_status picus_alternation_create(const stepper *s, double decay, alternation *out) {
  const size_t nu = (size_t)s->system->nu;
  *out = (alternation){.stepper = s,
                       .decay = decay,
                       .u = picus_allocate(s->context, 3 * nu, sizeof(double)),
                       .streak = picus_allocate(s->context, nu, sizeof *out->streak)};
  if (!out->u || !out->streak) return PICUS_ERROR_MEMORY;
  out->change = out->u + nu;
  out->least = out->change + nu;
  picus_alternation_begin(out);
  return PICUS_OK;
}

void picus_alternation_release(alternation *a) {
  if (a->stepper) {
    picus_release(a->stepper->context, a->u);
    picus_release(a->stepper->context, a->streak);
  }
  *a = (alternation){0};
}

void picus_alternation_begin(alternation *a) {
  const int nu = a->stepper->system->nu;
  picus_copy(nu, a->stepper->u, a->u);
  picus_clear(nu, a->change);
  memset(a->streak, 0, (size_t)nu * sizeof *a->streak);
  a->steps = 0;
}

void picus_alternation_note(alternation *a) {
  const double *u = a->stepper->u, decay = a->decay;
  double *last = a->u, *changes = a->change, *least = a->least;
  int *streak = a->streak;
  a->steps++;
  for (int i = 0, nu = a->stepper->system->nu; i < nu; i++) {
    const double change = u[i] - last[i], size = fabs(change);
    const bool alternates = change * changes[i] < 0 && size >= decay * fabs(changes[i]);
    streak[i] = alternates ? streak[i] + 1 : 0;
    least[i] = alternates && least[i] < size ? least[i] : size;
    changes[i] = change;
    last[i] = u[i];
  }
}

double picus_alternation_amplitude(const alternation *a, int velocity) {
  const bool is_whole = a->steps >= CHANGES_LEAST && a->streak[velocity] == a->steps - 1;
  return is_whole ? 0.5 * a->least[velocity] : 0;
}
