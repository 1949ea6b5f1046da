/* Whether a motion along a sequence of switching points obeys its laws: its conditions along all phases.
 *
 * An adaptive run may miss a short flight. After an impact without bounce, or at another switching point, the force of
 * a contact may have to pull at first: the contact then lifts off at once, by little, and lands again. The run sees
 * only that it is closed. Such a flight is put into the sequence here. */
#include "flow/conditions.h"

#include <math.h>
#include <string.h>

enum { FLIGHTS_MOST = 64, DOUBLINGS = 40 };

struct flow_check {
  condition_work work;
  condition_list list; /* of the last phase */
  flow_margins margins;
  int flight_phase, flight_law; /* a closed contact pulls at the start of a phase; -1: none */
  double flight;                /* s: how long it flies, roughly */
};

/* The first in time of the conditions that do not hold. */
static const condition *find_first(const condition_list *m) {
  const condition *first = NULL;
  condition_list one = {.count = 1};
  for (int k = 0; k < m->count; k++) {
    one.list[0] = m->list[k];
    if (picus_conditions_violated(&one) && (!first || m->list[k].t < first->t)) first = &m->list[k];
  }
  return first;
}

/* A force that grows from below zero is zero after h; with a third derivative that is constant, the gap is zero again
 * after 3 h. *flight: 0: it stays below zero. */
static picus_status find_flight(flow_check *c, const stretch *s, int law, double *flight) {
  flow *f = c->work.f;
  const int row = f->system->fixed.laws[law].data.first_row;
  picus_status status = PICUS_OK;
  *flight = 0;
  for (double h = ldexp(s->d, -DOUBLINGS); !status && h <= s->d; h *= 2) {
    memcpy(c->work.x, s->x, (size_t)f->n * sizeof(double));
    status = picus_flow_carry(f, false, s->t, h, h, c->work.x);
    if (!status) status = picus_field_evaluate(&f->base, s->t + h, c->work.x);
    if (status || f->base.lambda[row] < 0) continue;
    *flight = 3 * h;
    break;
  }
  return status;
}

static void take_margins(flow_margins *to, const flow_margins *from) {
  if (from->gap < to->gap) to->gap = from->gap, to->gap_law = from->gap_law;
  if (from->reserve < to->reserve) to->reserve = from->reserve, to->reserve_law = from->reserve_law;
}

picus_status picus_flow_check_phase(flow *f, flow_check *c, const stretch *s) {
  char what[160];
  picus_conditions_clear(&c->list);
  if (!(s->d > 0)) return PICUS_OK;
  picus_status status = picus_conditions_check(&c->work, s, &c->list);
  const condition *first = status ? NULL : find_first(&c->list);
  take_margins(&c->margins, &c->list.margins);
  if (!first) return status;
  const condition wrong = *first;
  if (wrong.kind == CONDITION_FORCE && wrong.t <= s->t) {
    status = find_flight(c, s, wrong.index, &c->flight);
    if (!status && c->flight > 0) c->flight_phase = s->phase, c->flight_law = wrong.index;
    if (status) return status;
  }
  picus_condition_format(f->system, &wrong, what, sizeof what);
  return picus_fail(f->context, PICUS_NO_SOLUTION,
                    "the motion with this sequence of switching points does not exist: %s at t = %.9g; smaller "
                    "tolerances or a smaller dt_min may find another sequence",
                    what, wrong.t);
}

picus_status picus_flow_admit(flow *f, sequence *s, flow_path *path, const double *x, flow_margins *margins) {
  flow_check *c = picus_allocate(f->context, 1, sizeof *c);
  double *y = picus_allocate(f->context, (size_t)f->n, sizeof *y);
  picus_status status = c && y ? picus_conditions_open(f, &c->work) : PICUS_ERROR_MEMORY;
  flow_path checked = *path;
  for (int flights = 0; !status; flights++) {
    picus_conditions_clear(&c->list);
    c->margins = c->list.margins;
    c->flight_law = -1;
    checked.check = c;
    memcpy(y, x, (size_t)f->n * sizeof *y);
    status = picus_flow_follow_state(f, &checked, y);
    if (!status || c->flight_law < 0 || flights == FLIGHTS_MOST) break;
    status = picus_sequence_add_flight(s, c->flight_phase, c->flight_law, c->flight);
    checked.count++;
  }
  if (!status) {
    path->count = checked.count;
    *margins = f->margins;
    take_margins(margins, &c->margins);
  }
  if (c) picus_conditions_close(&c->work);
  picus_release(f->context, c);
  picus_release(f->context, y);
  return status;
}
