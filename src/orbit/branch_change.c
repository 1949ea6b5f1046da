/* Changes of the sequence of switching points along a branch: their names, and the sequence on the other side where it
 * follows from this one. At the change both sequences have the same orbit. */
#include "orbit/branch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SLOW 1e-6 /* of the terms of a velocity: the approach that shows the modes of an impact without one */

/* --- building ----------------------------------------------------------------------------------------------------- */

typedef struct builder {
  branch_walk *w;
  const cycle *at;
  const condition *c;
  branch_change *change;
  cycle *out;
  double *faster; /* n: the state behind a new impact, if it were a little faster */
} builder;

static const char *law_name(const builder *b, int law) { return b->at->system->fixed.laws[law].data.name; }
static int wrap(const cycle *c, int k) { return ((k % c->count) + c->count) % c->count; }

static bool same_laws(const cycle *c, int i, int k) {
  return picus_mode_set_equals(c->system, &c->phases[i].modes, &c->phases[k].modes);
}

/* The same cycle from phase `first` on. */
static picus_status rotate(const cycle *c, int first, bool is_timed, cycle *out) {
  picus_status status = picus_cycle_create(c->context, c->system, c->count, out);
  double t = *picus_cycle_time(c);
  for (int k = 0; !status && k < c->count; k++) picus_cycle_copy_phase(c, wrap(c, first + k), out, k);
  for (int k = 0; k < first; k++) t += *picus_cycle_duration(c, k);
  if (status) return status;
  if (first > 0 && is_timed) t -= picus_cycle_period(c);
  *picus_cycle_time(out) = t;
  *picus_cycle_parameter(out) = *picus_cycle_parameter(c);
  return status;
}

/* Phases first + 1 to first + count become part of phase first, which then ends as the last of them. The cycle begins
 * with it if they go beyond the last phase. */
static picus_status merge(builder *b, int first, int count) {
  cycle turned = {0};
  const bool is_all = count >= b->at->count, is_inside = first + count < b->at->count;
  const int turn = is_inside ? 0 : first, at = first - turn;
  picus_status status = rotate(b->at, turn, b->w->b.is_timed, &turned);
  const int rest = is_all ? 1 : b->at->count - count;
  if (!status) status = picus_cycle_create(b->at->context, b->at->system, rest, b->out);
  if (!status) {
    *picus_cycle_time(b->out) = *picus_cycle_time(&turned);
    *picus_cycle_parameter(b->out) = *picus_cycle_parameter(&turned);
    for (int k = 0; k <= at; k++) picus_cycle_copy_phase(&turned, k, b->out, k);
    cycle_phase *p = &b->out->phases[at];
    if (is_all) { /* no switching point is left */
      p->ends = (trigger){.kind = TRIGGER_END};
      p->jump = FLOW_CONTINUES;
      p->law = p->event = -1;
      *picus_cycle_duration(b->out, 0) = picus_cycle_period(&turned);
    } else {
      const cycle_phase *last = &turned.phases[at + count];
      p->ends = last->ends;
      p->jump = last->jump;
      p->law = last->law;
      p->event = last->event;
      picus_mode_set_copy(turned.system, &last->struck, &p->struck);
      for (int k = at + 1; k <= at + count; k++) *picus_cycle_duration(b->out, at) += *picus_cycle_duration(&turned, k);
    }
    for (int k = at + 1; k < rest; k++) picus_cycle_copy_phase(&turned, k + count, b->out, k);
  }
  picus_cycle_release(&turned);
  b->change->has_cycle = !status;
  return status;
}

/* Copies of phase k, which follow it. */
static picus_status repeat(builder *b, int k, int copies) {
  const cycle *c = b->at;
  picus_status status = picus_cycle_create(c->context, c->system, c->count + copies, b->out);
  for (int i = 0; !status && i < b->out->count; i++)
    picus_cycle_copy_phase(c, i <= k ? i : i <= k + copies ? k : i - copies, b->out, i);
  if (status) return status;
  *picus_cycle_time(b->out) = *picus_cycle_time(c);
  *picus_cycle_parameter(b->out) = *picus_cycle_parameter(c);
  b->change->has_cycle = true;
  return status;
}

static double start_of(const cycle *c, int k) {
  double t = *picus_cycle_time(c);
  for (int i = 0; i < k; i++) t += *picus_cycle_duration(c, i);
  return t;
}

/* A phase without duration in which a law slips is put in before phase k; it ends where the law sticks. */
static picus_status add_slip(builder *b, int k, int law, double sign) {
  cycle before = *b->out;
  picus_status status = picus_cycle_create(before.context, before.system, before.count + 1, b->out);
  for (int i = 0; !status && i < b->out->count; i++) picus_cycle_copy_phase(&before, i <= k ? i : i - 1, b->out, i);
  if (!status) {
    cycle_phase *p = &b->out->phases[k];
    *picus_cycle_time(b->out) = *picus_cycle_time(&before);
    *picus_cycle_parameter(b->out) = *picus_cycle_parameter(&before);
    *picus_cycle_duration(b->out, k) = 0;
    p->modes.modes[law] = PICUS_SLIP;
    p->modes.signs[law] = sign;
    p->ends = (trigger){.kind = TRIGGER_STICKS, .index = law, .sign = sign};
    p->jump = FLOW_CONTINUES;
    p->law = p->event = -1;
  }
  picus_cycle_release(&before);
  return status;
}

/* The new impact at the end of phase k sets friction in motion that holds behind it: a law slips before it sticks
 * again, in the direction that it has after a faster impact. Of several laws the order in which they stick is not
 * known, and contacts may bounce off: then the neighbour does not follow from this cycle. */
static picus_status add_slip_after(builder *b, int k) {
  flow *f = &b->w->b.f;
  const cycle_phase *p = &b->out->phases[k];
  const int next = (k + 1) % b->out->count;
  int found = -1;
  for (int i = 0; i < b->at->system->fixed.law_count; i++) {
    const picus_system_law *law = &b->at->system->fixed.laws[i].data;
    const picus_mode holds = b->out->phases[next].modes.modes[i];
    if (i == p->law || holds == PICUS_OPEN || law->kind == PICUS_BILATERAL) continue;
    if (p->struck.modes[i] == holds || (law->kind == PICUS_RESERVOIR && holds == PICUS_SLIP)) continue;
    b->change->has_cycle = found < 0 && holds == PICUS_STICK && law->slips == 1 &&
                           (law->kind == PICUS_RESERVOIR || p->struck.modes[i] == PICUS_SLIP);
    if (!b->change->has_cycle) return PICUS_OK;
    found = i;
  }
  if (found < 0) return PICUS_OK;
  const trigger sticks = {.kind = TRIGGER_STICKS, .index = found};
  const int row = picus_flow_row_of(f, &sticks);
  double slip = f->base.chi[row];
  for (int j = 0; j < f->base.nu; j++) slip += f->base.W[row * f->base.nu + j] * b->faster[f->base.nq + j];
  return slip == 0 ? PICUS_OK : add_slip(b, next, found, slip > 0 ? 1 : -1);
}

/* The modes of the impact at the end of phase k of the new cycle, if it were a little faster; x: the state before it,
 * and on return behind it. */
static picus_status find_impact(builder *b, int k, double t, double *x) {
  flow *f = &b->w->b.f;
  field *g = &f->base;
  cycle_phase *p = &b->out->phases[k];
  picus_flow_set_modes(f, &p->modes);
  picus_status status = picus_field_evaluate(g, t, x);
  if (status) return status;
  const int row = picus_flow_row_of(f, &p->ends);
  double *direction = f->x_before, mass = 0;
  memcpy(direction, g->W + (size_t)row * (size_t)g->nu, (size_t)g->nu * sizeof *direction);
  picus_evaluation_solve_mass(g->at, direction);
  for (int j = 0; j < g->nu; j++) mass += g->W[row * g->nu + j] * direction[j];
  const double lack = fmax(0, SLOW * picus_velocity_terms(f, row) + g->gamma[row]);
  memcpy(f->x_after, x, (size_t)f->n * sizeof *x);
  for (int j = 0; j < g->nu; j++) f->x_after[g->nq + j] -= lack * direction[j] / mass;
  picus_mode_set_copy(b->at->system, &p->modes, &p->struck);
  p->struck.modes[p->law] = PICUS_STICK;
  status = picus_jump_impact(g, t, f->x_after, &p->struck, true, b->faster);
  if (status) return status;
  memcpy(f->x_before, x, (size_t)f->n * sizeof *x);
  return picus_jump_impact(g, t, f->x_before, &p->struck, false, x);
}

/* --- the changes -------------------------------------------------------------------------------------------------- */

static picus_status say(builder *b, picus_orbit_kind kind, int law, const char *format, const char *name) {
  b->change->kind = kind;
  b->change->law = law;
  snprintf(b->change->what, sizeof b->change->what, format, name);
  return PICUS_OK;
}

static picus_status graze(builder *b) {
  const int k = b->c->phase, law = b->c->index;
  (void)say(b, PICUS_ORBIT_GRAZING, law, "the impact of '%.100s' grazes: its approach velocity is 0", law_name(b, law));
  return b->at->count == 1 || same_laws(b->at, k, wrap(b->at, k + 1)) ? merge(b, k, 1) : PICUS_OK;
}

/* The neighbouring sequence where a contact touches in its flight: the phase is divided by an impact there. */
static picus_status touch(builder *b) {
  const int k = b->c->phase, law = b->c->index;
  const double t = start_of(b->at, k), d = b->c->t - t;
  (void)say(b, PICUS_ORBIT_TOUCH, law, "'%.100s' touches in its flight: a new impact begins", law_name(b, law));
  const bool is_end =
      fabs(d) < SLOW * b->w->b.period || fabs(d - *picus_cycle_duration(b->at, k)) < SLOW * b->w->b.period;
  if (is_end && b->at->phases[k].ends.kind != TRIGGER_END)
    return say(b, PICUS_ORBIT_TOUCH, law, "'%.100s' is reached at the same time as another switching point",
               law_name(b, law));
  picus_status status = repeat(b, k, 1);
  double *x = status ? NULL : picus_cycle_state(b->out, k + 1);
  if (status) return status;
  cycle_phase *p = &b->out->phases[k];
  if (p->ends.kind == TRIGGER_END) { /* the first switching point begins the period */
    picus_cycle_release(b->out);
    status = picus_cycle_copy(b->at, b->out);
    if (status) return status;
    p = &b->out->phases[0];
    x = picus_cycle_state(b->out, 0);
    *picus_cycle_time(b->out) = b->c->t;
  } else {
    *picus_cycle_duration(b->out, k) = d;
    *picus_cycle_duration(b->out, k + 1) -= d;
  }
  p->ends = (trigger){.kind = TRIGGER_GAP, .index = law};
  p->jump = FLOW_IMPACT;
  p->law = law;
  p->event = -1;
  picus_flow_set_modes(&b->w->b.f, &p->modes);
  status = picus_cycle_carry(&b->w->b, t, d, x);
  if (!status) status = find_impact(b, k, b->c->t, x);
  return status ? status : add_slip_after(b, k);
}

/* A reversal of slip holds: a stick phase without duration is put in. */
static picus_status hold(builder *b) {
  const int k = b->c->phase, before = wrap(b->at, k - 1), law = b->c->index;
  (void)say(b, PICUS_ORBIT_STICK, law, "the reversal of the slip of '%.100s' holds: a stick phase begins",
            law_name(b, law));
  picus_status status = repeat(b, k, 1);
  if (status) return status;
  cycle_phase *p = &b->out->phases[k];
  picus_mode_set_copy(b->at->system, &b->at->phases[before].modes, &p->modes);
  p->modes.modes[law] = PICUS_STICK;
  p->modes.signs[law] = 0;
  p->ends = (trigger){.kind = TRIGGER_SLIPS, .index = law, .sign = b->at->phases[k].modes.signs[law]};
  p->jump = FLOW_CONTINUES;
  p->law = p->event = -1;
  *picus_cycle_duration(b->out, k) = 0;
  return status;
}

/* Slip comes to zero inside a phase: it is split, with a stick phase without duration between. */
static picus_status stop(builder *b) {
  const int k = b->c->phase, law = b->c->index;
  const double t = start_of(b->at, k), d = b->c->t - t, sign = b->at->phases[k].modes.signs[law];
  (void)say(b, PICUS_ORBIT_STICK, law, "the slip of '%.100s' stops: a stick phase begins", law_name(b, law));
  if (b->at->phases[k].ends.kind == TRIGGER_END) return PICUS_OK;
  picus_status status = repeat(b, k, 2);
  if (status) return status;
  cycle_phase *p = &b->out->phases[k], *stick = p + 1;
  p->ends = (trigger){.kind = TRIGGER_STICKS, .index = law, .sign = sign};
  stick->ends = (trigger){.kind = TRIGGER_SLIPS, .index = law, .sign = sign};
  stick->modes.modes[law] = PICUS_STICK;
  stick->modes.signs[law] = 0;
  p->jump = stick->jump = FLOW_CONTINUES;
  p->law = p->event = stick->law = stick->event = -1;
  *picus_cycle_duration(b->out, k) = d;
  *picus_cycle_duration(b->out, k + 1) = 0;
  *picus_cycle_duration(b->out, k + 2) -= d;
  double *x = picus_cycle_state(b->out, k + 1);
  picus_flow_set_modes(&b->w->b.f, &p->modes);
  status = picus_cycle_carry(&b->w->b, t, d, x);
  memcpy(picus_cycle_state(b->out, k + 2), x, (size_t)b->at->n * sizeof *x);
  return status;
}

/* Modes of an impact are those that it has beyond. */
static picus_status strike_otherwise(builder *b, const cycle *beyond) {
  const int k = b->c->phase, law = b->c->index;
  (void)say(b, PICUS_ORBIT_IMPACT, law, "an impact of '%.100s' changes between stick and slip", law_name(b, law));
  picus_status status = repeat(b, k, 0);
  if (status) return status;
  double *x = picus_allocate(b->at->context, (size_t)b->at->n, sizeof *x);
  if (!x) return PICUS_ERROR_MEMORY;
  memcpy(x, picus_cycle_state(beyond, k), (size_t)b->at->n * sizeof *x);
  picus_flow_set_modes(&b->w->b.f, &b->out->phases[k].modes);
  const double t = start_of(beyond, k), d = *picus_cycle_duration(beyond, k);
  status = picus_cycle_carry(&b->w->b, t, d, x);
  if (!status) status = find_impact(b, k, t + d, x);
  picus_release(b->at->context, x);
  return status;
}

/* Modes of the phase between two switching points in the other order: those before the first one with what the second
 * one changes. */
static void swap_modes(const cycle *c, int before, int between, int after, mode_set *out) {
  picus_mode_set_copy(c->system, &c->phases[before].modes, out);
  const mode_set *a = &c->phases[between].modes, *b = &c->phases[after].modes;
  for (int i = 0; i < c->system->fixed.law_count; i++) {
    if (a->modes[i] == b->modes[i] && a->signs[i] == b->signs[i]) continue;
    out->modes[i] = b->modes[i];
    out->signs[i] = b->signs[i];
  }
  for (int i = 0; i < c->system->switch_count; i++)
    if (a->sides[i] != b->sides[i]) out->sides[i] = b->sides[i];
}

/* Two switching points at the same time change their order. */
static picus_status exchange(builder *b, int k) {
  const cycle *c = b->at;
  const int before = wrap(c, k - 1), after = wrap(c, k + 1);
  const cycle_phase *p = &c->phases[before], *q = &c->phases[k];
  (void)say(b, PICUS_ORBIT_ORDER, q->law, "two switching points change their order%.1s", "");
  const bool is_last = k == 0; /* the section would be between them */
  if (c->count < 3 || is_last || (p->jump == FLOW_IMPACT && q->jump == FLOW_IMPACT) || p->ends.kind == TRIGGER_END)
    return PICUS_OK;
  picus_status status = repeat(b, k, 0);
  if (status) return status;
  cycle_phase *first = &b->out->phases[before], *second = &b->out->phases[k];
  double *x = picus_cycle_state(b->out, k);
  const double t = start_of(c, k);
  first->ends = q->ends, first->jump = q->jump, first->law = q->law, first->event = q->event;
  second->ends = p->ends, second->jump = p->jump, second->law = p->law, second->event = p->event;
  swap_modes(c, before, k, after, &second->modes);
  memcpy(x, picus_cycle_state(c, before), (size_t)c->n * sizeof *x);
  picus_flow_set_modes(&b->w->b.f, &first->modes);
  status = picus_cycle_carry(&b->w->b, t - *picus_cycle_duration(c, before), *picus_cycle_duration(c, before), x);
  if (!status && first->jump == FLOW_IMPACT) status = find_impact(b, before, t, x);
  if (!status && second->jump == FLOW_IMPACT) {
    double *at = picus_allocate(c->context, (size_t)c->n, sizeof *at);
    if (!at) return PICUS_ERROR_MEMORY;
    memcpy(at, x, (size_t)c->n * sizeof *at);
    status = find_impact(b, k, t, at);
    picus_release(c->context, at);
  }
  return status;
}

/* Phase k is a flight after an impact without bounce, and the contact is closed behind it. */
static bool is_hop(const cycle *c, int k) {
  const trigger *in = &c->phases[wrap(c, k - 1)].ends, *out = &c->phases[k].ends;
  return c->count > 2 && in->kind == TRIGGER_GAP && out->kind == TRIGGER_GAP && in->index == out->index &&
         c->phases[wrap(c, k + 1)].modes.modes[in->index] != PICUS_OPEN;
}

/* The same cycle without phase k, whose duration is zero. */
static picus_status leave_out(builder *b, int k) {
  const cycle *c = b->at;
  picus_status status = picus_cycle_create(c->context, c->system, c->count - 1, b->out);
  for (int i = 0; !status && i + 1 < c->count; i++) picus_cycle_copy_phase(c, i < k ? i : i + 1, b->out, i);
  if (!status) {
    *picus_cycle_time(b->out) = *picus_cycle_time(c);
    *picus_cycle_parameter(b->out) = *picus_cycle_parameter(c);
  }
  b->change->has_cycle = !status;
  return status;
}

/* A phase loses its duration. */
static picus_status lose(builder *b) {
  const cycle *c = b->at;
  const int k = b->c->phase, before = wrap(c, k - 1), after = wrap(c, k + 1);
  const trigger *in = &c->phases[before].ends, *out = &c->phases[k].ends;
  const bool is_same = in->kind >= TRIGGER_GAP && in->kind != TRIGGER_SIDE && out->kind >= TRIGGER_GAP &&
                       out->kind != TRIGGER_SIDE && in->index == out->index;
  if (is_same && in->kind == TRIGGER_STICKS && out->kind == TRIGGER_SLIPS) {
    (void)say(b, PICUS_ORBIT_UNSTICK, in->index, "the stick phase of '%.100s' becomes 0 and is lost",
              law_name(b, in->index));
    if (c->phases[before].modes.signs[in->index] == c->phases[after].modes.signs[in->index]) return merge(b, before, 2);
    return leave_out(b, k);
  }
  if (is_same && in->kind == TRIGGER_OPENS && out->kind == TRIGGER_GAP) {
    (void)say(b, PICUS_ORBIT_LAND, in->index, "the flight of '%.100s' becomes 0 and is lost", law_name(b, in->index));
    return same_laws(c, before, after) && (c->count > 2 || b->w->b.is_timed) ? merge(b, before, 2) : PICUS_OK;
  }
  if (is_hop(c, k)) {
    (void)say(b, PICUS_ORBIT_LAND, in->index, "'%.100s' no longer lifts off after its impact: it stays closed",
              law_name(b, in->index));
    return leave_out(b, k);
  }
  if (is_same && in->kind == TRIGGER_GAP && out->kind == TRIGGER_GAP)
    return say(b, PICUS_ORBIT_CHATTER, in->index, "the flight of '%.100s' between two impacts becomes 0",
               law_name(b, in->index));
  if (is_same && in->kind == TRIGGER_GAP && out->kind == TRIGGER_OPENS)
    return say(b, PICUS_ORBIT_LIFT, in->index, "the closed phase of '%.100s' becomes 0", law_name(b, in->index));
  return exchange(b, k);
}

static picus_status find_neighbour(builder *b, const cycle *beyond) {
  const condition *c = b->c;
  switch (c->kind) {
  case CONDITION_APPROACH:
    return graze(b);
  case CONDITION_GAP:
    return touch(b);
  case CONDITION_DURATION:
    return lose(b);
  case CONDITION_REVERSAL:
    return hold(b);
  case CONDITION_SLIP:
    return stop(b);
  case CONDITION_IMPACT:
    return strike_otherwise(b, beyond);
  case CONDITION_FORCE:
    return say(b, PICUS_ORBIT_LIFT, c->index, "the force of the closed contact '%.100s' becomes 0: it opens",
               law_name(b, c->index));
  case CONDITION_RESERVE:
    return say(b, PICUS_ORBIT_SLIP, c->index, "the friction of '%.100s' reaches its bound: it slips",
               law_name(b, c->index));
  case CONDITION_REST:
    return say(b, PICUS_ORBIT_SWITCH, c->index, "'%.100s' would move where it holds", law_name(b, c->index));
  case CONDITION_CLUTCH:
    return say(b, PICUS_ORBIT_TOUCH, c->index, "the clutch '%.100s' closes", law_name(b, c->index));
  default:
    return say(b, PICUS_ORBIT_SWITCH, -1, "'%.100s' changes its branch", picus_switch_text(b->at->system, c->index));
  }
}

picus_status picus_branch_neighbour(branch_walk *w, const cycle *at, const cycle *beyond, const condition *c,
                                    branch_change *change, cycle *out) {
  builder b = {w, at, c, change, out, picus_allocate(w->b.context, (size_t)at->n, sizeof(double))};
  *change = (branch_change){.law = -1};
  *out = (cycle){0};
  picus_status status = b.faster ? picus_cycle_load_near(&w->b, *picus_cycle_parameter(at)) : PICUS_ERROR_MEMORY;
  if (!status) status = find_neighbour(&b, beyond);
  picus_release(w->b.context, b.faster);
  return status;
}

/* --- doubling ----------------------------------------------------------------------------------------------------- */

/* Both halves of the doubled orbit are the same at the flip. Its matrix has two directions that it makes zero: that of
 * the single branch, and the new one, which is perpendicular to it. */
picus_status picus_branch_double(branch_walk *w, const branch_point *flip, branch_point *out) {
  const cycle *c = &flip->c;
  const bool is_smooth = c->phases[0].ends.kind == TRIGGER_END;
  const int copies = is_smooth ? 1 : 2, block = c->count * (c->n + 1);
  cycle twice = {0};
  picus_status status = picus_cycle_create(c->context, c->system, copies * c->count, &twice);
  for (int k = 0; !status && k < twice.count; k++) picus_cycle_copy_phase(c, k % c->count, &twice, k);
  if (!status) {
    *picus_cycle_time(&twice) = *picus_cycle_time(c);
    *picus_cycle_parameter(&twice) = *picus_cycle_parameter(c);
    if (is_smooth) *picus_cycle_duration(&twice, 0) *= 2;
    w->orbit.turns = 2 * (w->orbit.turns > 0 ? w->orbit.turns : 1);
    w->b.p = NAN; /* its period changes */
    status = picus_branch_point_create(w, &twice, out);
  }
  double *across = status ? NULL : picus_allocate(c->context, (size_t)twice.size, sizeof *across);
  if (!status && !across) status = PICUS_ERROR_MEMORY;
  if (!status) status = picus_cycle_assemble(&w->b, &out->c);
  if (!status) {
    picus_cycle_scale(&w->b, c);
    for (int i = 0; i < block; i++)
      for (int k = 0; k < copies; k++) across[k * block + i] = flip->tangent[i] * w->b.scale[i];
    if (is_smooth) across[c->n] *= 2;
    for (int i = 0; i < 2; i++)
      across[twice.size - 2 + i] = flip->tangent[c->size - 2 + i] * w->b.scale[c->size - 2 + i];
    picus_cycle_scale(&w->b, &out->c);
    for (int i = 0; i < twice.size; i++) across[i] /= w->b.scale[i];
    picus_cycle_tangent(&w->b, &out->c, NULL, across, out->tangent);
  }
  picus_release(c->context, across);
  picus_cycle_release(&twice);
  return status;
}
