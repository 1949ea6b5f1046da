/* Motions that a row multiplies by -1.
 *
 * A symmetric implicit scheme multiplies a velocity whose force is far too stiff for its step by nearly -1 in each
 * substep, whatever the size: (1 - z) / (1 + z), where z is half the rate of the force times the substep. The rows of a
 * tableau with odd numbers of substeps then agree with each other, and all are wrong: such a motion has decayed, or
 * vibrates many times, within the step. It shows in the substeps of a single row, where the changes of the velocity
 * alternate in sign. Those of a motion that the substeps resolve do not: two changes of sign within three substeps are
 * a vibration that is as fast as the substeps. Half the smallest of these changes is the amplitude of the alternating
 * part, and an error of the step. */
#include "adaptive/internal.h"

#include "base/internal.h"

#include <math.h>

enum { CHANGES_LEAST = 3 }; /* of a velocity, with two changes of sign */

picus_status picus_alternation_create(stepper *s, alternation *out) {
  const size_t nu = (size_t)s->system->nu;
  *out = (alternation){.stepper = s, .u = picus_allocate(s->context, 3 * nu, sizeof(double))};
  if (!out->u) return PICUS_ERROR_MEMORY;
  out->change = out->u + nu;
  out->least = out->change + nu;
  return PICUS_OK;
}

void picus_alternation_release(alternation *a) {
  if (a->stepper) picus_release(a->stepper->context, a->u);
  *a = (alternation){0};
}

void picus_alternation_begin(alternation *a) {
  picus_copy(a->stepper->system->nu, a->stepper->u, a->u);
  a->substeps = 0;
}

void picus_alternation_note(alternation *a) {
  const double *u = a->stepper->u;
  const bool is_first = a->substeps++ == 0;
  for (int i = 0; i < a->stepper->system->nu; i++) {
    const double change = u[i] - a->u[i];
    if (is_first)
      a->least[i] = fabs(change);
    else
      a->least[i] = change * a->change[i] < 0 ? fmin(a->least[i], fabs(change)) : 0;
    a->change[i] = change;
    a->u[i] = u[i];
  }
}

double picus_alternation_amplitude(const alternation *a, int velocity) {
  return a->substeps >= CHANGES_LEAST ? 0.5 * a->least[velocity] : 0;
}
