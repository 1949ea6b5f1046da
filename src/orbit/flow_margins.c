/* How far a motion stays from other sequences of switching points: gaps, contact forces, reserves of sticking friction,
 * and values whose sign chooses a branch. */
#include "orbit/flow.h"

#include <math.h>

static bool can_open(const picus_system_law *law) {
  return law->kind == PICUS_UNILATERAL || law->kind == PICUS_COULOMB;
}

void picus_flow_begin_margins(flow *f) {
  f->margins = (flow_margins){.velocity = INFINITY,
                              .velocity_law = -1,
                              .reserve = INFINITY,
                              .reserve_law = -1,
                              .gap = INFINITY,
                              .gap_law = -1,
                              .force = INFINITY,
                              .force_law = -1,
                              .side = -1};
  for (int i = 0; i < f->base.laws; i++) {
    f->gap_least[i] = f->force_least[i] = INFINITY;
    f->gap_most[i] = f->force_most[i] = 0;
  }
}

/* The least value inside an interval of the cubic with these values and slopes at its ends; INFINITY: it has none.
 */
static double lowest(double h, double a, double slope_a, double b, double slope_b) {
  double least = b < 0 ? b : INFINITY;
  if (!(slope_a < 0 && slope_b > 0)) return least;
  for (int k = 1; k < 32; k++) {
    const double s = k / 32., r = 1 - s;
    const double value = r * r * (1 + 2 * s) * a + s * s * (3 - 2 * s) * b + h * s * r * (r * slope_a - s * slope_b);
    if (value < least) least = value;
  }
  return least;
}

/* The force of a law that ends the phase comes to its bound there: that is no margin. */
static bool ends_phase(const phase *p, trigger_kind kind, int law) {
  for (int k = 0; k < p->end.trigger_count; k++)
    if (p->end.triggers[k].kind == kind && p->end.triggers[k].index == law) return true;
  return false;
}

/* At the end of a step of size h of a phase; 0: at its start. is_end: the trigger ends it there. */
picus_status picus_flow_note_margins(flow *f, const phase *p, double h, bool is_end) {
  field *b = &f->base;
  picus_status status = picus_evaluate_gaps(b->at, b->gaps);
  for (int i = 0; !status && i < b->laws; i++) {
    const picus_system_law *law = &f->system->fixed.laws[i].data;
    const double rate = b->gamma[law->first_row], gap = b->gaps[i];
    if (can_open(law) && law->has_gap && p->modes.modes[i] == PICUS_OPEN) {
      f->gap_most[i] = fmax(f->gap_most[i], fabs(gap));
      if (h > 0 && !is_end)
        f->gap_least[i] = fmin(f->gap_least[i], lowest(h, f->gap_last[i], f->gap_rate[i], gap, rate));
    }
    f->gap_last[i] = gap;
    f->gap_rate[i] = rate;
    if (is_end || h == 0) continue;
    if (can_open(law) && p->modes.modes[i] != PICUS_OPEN && !ends_phase(p, TRIGGER_OPENS, i)) {
      f->force_least[i] = fmin(f->force_least[i], b->lambda[law->first_row]);
      f->force_most[i] = fmax(f->force_most[i], fabs(b->lambda[law->first_row]));
    }
    if (law->slips == 0 || p->modes.modes[i] != PICUS_STICK || law->kind == PICUS_BILATERAL ||
        ends_phase(p, TRIGGER_SLIPS, i))
      continue;
    const double *force = b->lambda + law->first_row + law->dim - law->slips;
    const double bound = b->coefficients[i].radius * (law->kind == PICUS_RESERVOIR ? 1 : b->lambda[law->first_row]);
    const double reserve = 1 - picus_length(law->slips, force) / bound;
    if (!(reserve >= f->margins.reserve)) {
      f->margins.reserve = reserve;
      f->margins.reserve_law = i;
    }
  }
  return status;
}

void picus_flow_end_margins(flow *f) {
  for (int i = 0; i < f->base.laws; i++) {
    if (f->gap_most[i] > 0 && f->gap_least[i] / f->gap_most[i] < f->margins.gap) {
      f->margins.gap = f->gap_least[i] / f->gap_most[i];
      f->margins.gap_law = i;
    }
    if (f->force_most[i] > 0 && f->force_least[i] / f->force_most[i] < f->margins.force) {
      f->margins.force = f->force_least[i] / f->force_most[i];
      f->margins.force_law = i;
    }
  }
}
