/* The effect of the round-off of coordinates on gaps. */
#include "stepper/internal.h"

#include <float.h>
#include <math.h>

#define GAP_ROUNDINGS 8 /* of the coordinates and of the terms of a gap */
#define PROBE 1e-11     /* displacement of a coordinate relative to the largest: its square is below round-off */
#define NOISE_MARGIN 4  /* ratio of the true round-off to the largest of a few samples */
enum { PATTERNS = 4, SIZES = 37 };

void picus_stepper_find_largest(stepper *s, const double *q) {
  if (s->system->constants.identity_rates) return;
  for (int p = 0; p < s->system->part_count; p++) {
    const system_part *part = &s->system->parts[p];
    double largest = 0;
    for (int i = part->q0 + part->straight; !part->identity_rates && i < part->q0 + part->nq; i++)
      if (fabs(q[i]) > largest) largest = fabs(q[i]);
    s->largest[p] = largest;
  }
}

/* One pattern of displacements: each coordinate by a share of the largest, with signs and sizes that differ from
 * coordinate to coordinate and from pattern to pattern. */
static void displace_some(const double *q, int begin, int end, int pattern, double probe, double *out) {
  double largest = DBL_MIN;
  for (int i = begin; i < end; i++) largest = fmax(largest, fabs(q[i]));
  for (int i = begin; i < end; i++) {
    const int kind = (i * (2 * pattern + 3) + pattern) % SIZES - SIZES / 2;
    out[i] = q[i] + probe * largest * kind;
  }
}
/* The positions of a body and its quaternion separately: they may differ by orders of magnitude. */
static void displace(const picus_system *system, const double *q, int pattern, double sign, double *out) {
  for (int p = 0; p < system->part_count; p++) {
    const system_part *part = &system->parts[p];
    const int middle = part->q0 + (part->identity_rates ? 0 : part->straight);
    displace_some(q, part->q0, middle, pattern, sign * PROBE, out);
    displace_some(q, middle, part->q0 + part->nq, pattern, sign * PROBE, out);
  }
}

size_t picus_gap_noise_size(const law_sizes *n) { return 4 * n->laws; }

/* The second difference of a gap over displacements so small that its curvature is negligible shows the round-off of
 * its expression: of cancelling constants, for instance, which products of slopes and coordinates do not include. */
picus_status picus_gap_noise(picus_evaluation *e, const moving_point *at, int round, double *scratch, double *noise) {
  const size_t laws = (size_t)e->set->law_count;
  double *middle = noise + laws, *ahead = middle + laws, *behind = ahead + laws;
  picus_evaluation_set_point(e, at->t, at->q, at->u);
  picus_status status = picus_evaluate_gaps(e, middle);
  for (int k = 0; !status && k < PATTERNS; k++) {
    const int pattern = round * PATTERNS + k;
    displace(e->system, at->q, pattern, 1, scratch);
    picus_evaluation_set_point(e, at->t, scratch, at->u);
    status = picus_evaluate_gaps(e, ahead);
    displace(e->system, at->q, pattern, -1, scratch);
    picus_evaluation_set_point(e, at->t, scratch, at->u);
    if (!status) status = picus_evaluate_gaps(e, behind);
    for (size_t i = 0; !status && i < laws; i++)
      noise[i] = fmax(noise[i], NOISE_MARGIN * fabs(ahead[i] - 2 * middle[i] + behind[i]));
  }
  return status;
}

/* |dg/dt| |t| and |dg/dq| |q| summed over the coordinates: the rows of W are dg/dq B. */
picus_status picus_stepper_note_gap_rounding(stepper *s, const moving_point *at) {
  picus_evaluation_set_point(s->evaluation, at->t, at->q, at->u);
  picus_status status = picus_evaluation_update_directions(s->evaluation);
  if (status) return status;
  picus_stepper_find_largest(s, at->q);
  for (int k = 0; k < s->set->law_count; k++) {
    const system_law *law = &s->set->laws[k];
    double terms = law->data.has_gap || law->data.displaced
                       ? picus_law_gap_terms(s, law, picus_law_row(law, s->evaluation->W, 0), at->q) +
                             fabs(s->evaluation->chi[law->data.first_row] * at->t)
                       : 0;
    s->contacts.gap_rounding[k] = GAP_ROUNDINGS * DBL_EPSILON * terms;
  }
  return PICUS_OK;
}
