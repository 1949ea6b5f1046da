/* The ledger of switching points: modes and impacts of all laws before and after each accepted step, whatever the
 * scheme. Impacts are those that the stepper counts (src/scheme/impacts.c); each is in one entry.
 *
 * Impacts that accumulate (Zeno) show as closings of one law whose intervals shrink, d_1 >= d_2 >= ... up to the step
 * that limits how well they are known. With d_k = d_1 r^(k-1) they come together at t_n + d_n r / (1 - r). The law has
 * reached its accumulation point, as far as steps can tell, when the intervals have shrunk from at least 16 steps to at
 * most 4: at least by the factor 4, in which 3 intervals or more must agree. Below that impacts and steps cannot be
 * told apart. Adaptive runs end an accumulation before the first flight of 4 steps or less. */
#include "base/internal.h"
#include "record/internal.h"
#include "sim/internal.h"

#include <math.h>

enum { INTERVALS_LEAST = 3, FIRST_INTERVAL_STEPS = 16 };

/* How the closings of a contact follow each other. */
typedef struct closings {
  int intervals;       /* that shrink, up to now; 0: at most one closing is known */
  double last;         /* s, time of the last closing; NAN: none yet */
  double first, least; /* s, the first and the shortest of these intervals */
  bool is_reported;
} closings;

typedef struct watched_law {
  bool can_open;
  int slips, normal, friction; /* rows in P; normal -1: it has none */
  double slip[3];              /* direction while it slips */
  double at_switch;            /* J, what the stepper had counted as dissipated after the last switching point */
  closings closings;
} watched_law;

enum { UNKNOWN_MODE = -1 }; /* only the first step will tell */

/* Nearly all steps switch nothing, so what they look at lies together. */
struct picus_ledger {
  picus_context *context;
  int law_count;
  watched_law *laws;
  int *modes;         /* after the last step */
  double *dissipated; /* the same, as the stepper counts it, J */
  double *impacts;    /* the same */
};

picus_status picus_ledger_create(picus_context *context, const picus_system *system, picus_ledger **out) {
  *out = NULL;
  picus_ledger *ledger = picus_allocate(context, 1, sizeof *ledger);
  if (!ledger) return PICUS_ERROR_MEMORY;
  ledger->context = context;
  ledger->law_count = picus_system_law_count(system);
  size_t count = (size_t)ledger->law_count;
  ledger->laws = picus_allocate(context, count, sizeof *ledger->laws);
  ledger->modes = picus_allocate(context, count, sizeof *ledger->modes);
  ledger->dissipated = picus_allocate(context, count, sizeof *ledger->dissipated);
  ledger->impacts = picus_allocate(context, count, sizeof *ledger->impacts);
  if (!ledger->laws || !ledger->modes || !ledger->dissipated || !ledger->impacts) {
    picus_ledger_destroy(ledger);
    return PICUS_ERROR_MEMORY;
  }
  for (int i = 0; i < ledger->law_count; i++) {
    picus_system_law law = picus_system_law_at(system, i);
    bool has_normal = law.kind != PICUS_RESERVOIR;
    ledger->laws[i] = (watched_law){.can_open = law.kind == PICUS_UNILATERAL || law.kind == PICUS_COULOMB,
                                    .slips = law.slips,
                                    .normal = has_normal ? law.first_row : -1,
                                    .friction = law.first_row + (has_normal ? 1 : 0)};
  }
  *out = ledger;
  return PICUS_OK;
}

void picus_ledger_destroy(picus_ledger *ledger) {
  if (!ledger) return;
  picus_release(ledger->context, ledger->laws);
  picus_release(ledger->context, ledger->modes);
  picus_release(ledger->context, ledger->dissipated);
  picus_release(ledger->context, ledger->impacts);
  picus_release(ledger->context, ledger);
}

/* The slip is against the friction: the direction of xi in the law (Studer 2008 (9)), which is that of the slip at the
 * end of the step where eF = 0. Without friction there is no direction: it stays the last one. */
static void update_direction(watched_law *law, const double *P) {
  const double *PF = P + law->friction;
  if (law->slips == 1) {
    if (PF[0] != 0) law->slip[0] = PF[0] < 0 ? 1 : -1;
    return;
  }
  double square = 0;
  for (int k = 0; k < law->slips; k++) square += PF[k] * PF[k];
  if (!(square > 0)) return;
  double length = sqrt(square);
  for (int k = 0; k < law->slips; k++) law->slip[k] = -PF[k] / length;
}

/* Before the first step of a run no law has a mode. A contact with a gap is open, and so is one that the bodies run
 * into or leave; of the others the first step tells the mode, and that is no switching point. A run that goes on knows.
 */
picus_status picus_ledger_begin(picus_ledger *ledger, picus_sim *sim, picus_law_state *states) {
  picus_status status = picus_sim_laws(sim, states);
  if (status) return status;
  for (int i = 0; i < ledger->law_count; i++) {
    watched_law *law = &ledger->laws[i];
    const picus_law_state *state = &states[i];
    bool is_apart = law->can_open && (state->gap > 0 || state->normal_velocity != 0);
    ledger->modes[i] = state->mode != PICUS_OPEN || is_apart ? (int)state->mode : UNKNOWN_MODE;
    law->at_switch = ledger->dissipated[i] = state->dissipated;
    ledger->impacts[i] = (double)state->impacts;
    law->closings = (closings){.last = NAN};
    for (int k = 0; k < 3; k++) law->slip[k] = 0;
    if (state->mode == PICUS_SLIP) update_direction(law, sim->stepper.P);
  }
  return PICUS_OK;
}

/* ends_early: flights of up to four steps are not begun, so that the last interval is the one before such a flight. */
static void note_closing(closings *c, double dt, bool ends_early, picus_switching *event) {
  double interval = event->t - c->last;
  bool is_first = isnan(c->last);
  c->last = event->t;
  if (is_first) return;
  if (c->intervals == 0 || interval > c->least + dt) { /* it does not shrink: a new beginning */
    *c = (closings){.intervals = 1, .last = event->t, .first = interval, .least = interval};
    return;
  }
  c->intervals++;
  c->least = fmin(c->least, interval);
  if (c->is_reported || c->intervals < INTERVALS_LEAST || c->first < FIRST_INTERVAL_STEPS * dt) return;
  const double ratio = pow(interval / c->first, 1.0 / (c->intervals - 1));
  const double shortest = ends_early ? ratio * interval - dt : interval; /* an interval is known to a step */
  if (shortest > PICUS_LEDGER_RESOLUTION * dt) return;
  c->is_reported = true;
  event->bounces = c->intervals + 1;
  event->limit = event->t + interval * ratio / (1 - ratio);
}

/* At the end of the step, unless an adaptive run knows better. */
static double time_of_switch(const picus_sim *sim, int index) {
  const double *times = sim->driver.onset.times;
  return times && isfinite(times[index]) ? times[index] : sim->stepper.t;
}

static picus_switching describe(const picus_ledger *ledger, int index, const picus_sim *sim,
                                const picus_step_info *info) {
  const stepper *s = &sim->stepper;
  const watched_law *law = &ledger->laws[index];
  const picus_mode to = s->modes[index];
  const bool impact = s->history.impacts[index] > ledger->impacts[index];
  picus_mode from = (picus_mode)ledger->modes[index];
  if (ledger->modes[index] == UNKNOWN_MODE) from = impact ? to : PICUS_OPEN; /* it was closed when it was hit */
  picus_switching event = {.t = time_of_switch(sim, index),
                           .dt = info->dt,
                           .law = index,
                           .from = from,
                           .to = to,
                           .impact = impact,
                           .limit = NAN};
  if (law->normal >= 0) event.PN = s->P[law->normal];
  for (int k = 0; k < law->slips; k++) event.PF[k] = s->P[law->friction + k];
  for (int k = 0; k < law->slips && from == PICUS_SLIP; k++) event.from_slip[k] = law->slip[k];
  event.lost = s->dissipated[index] - ledger->dissipated[index];
  event.lost_before = ledger->dissipated[index] - law->at_switch;
  return event;
}

static picus_status switch_law(picus_ledger *ledger, int index, const picus_sim *sim, const picus_step_info *info,
                               picus_switching_fn emit, void *user) {
  const stepper *s = &sim->stepper;
  watched_law *law = &ledger->laws[index];
  picus_switching event = describe(ledger, index, sim, info);
  bool is_new = ledger->modes[index] == UNKNOWN_MODE;
  ledger->modes[index] = (int)event.to;
  for (int k = 0; k < law->slips; k++) law->slip[k] = 0;
  if (event.to == PICUS_SLIP) update_direction(law, s->P);
  for (int k = 0; k < law->slips; k++) event.to_slip[k] = law->slip[k];
  if (event.from == PICUS_OPEN && event.to != PICUS_OPEN && law->can_open)
    note_closing(&law->closings, event.dt, s->restitution == PICUS_RESTITUTION_IMPACTS, &event);
  ledger->impacts[index] = s->history.impacts[index];
  if (is_new && !event.impact) return PICUS_OK;
  law->at_switch = s->dissipated[index];
  return emit(user, &event);
}

/* The first law from a number on that has switched, or -1. Those before it are noted as they are: planar slip
 * has turned round where the friction acts along the slip there was, and spatial slip has its new direction. */
static int first_switched(picus_ledger *ledger, const stepper *s, bool impacts, int from) {
  const picus_mode *modes = s->modes;
  const int *before = ledger->modes, count = ledger->law_count;
  for (int i = from; i < count; i++) {
    if ((int)modes[i] != before[i]) return i;
    if (impacts && s->history.impacts[i] > ledger->impacts[i]) return i;
    if (modes[i] == PICUS_OPEN) continue;
    if (modes[i] == PICUS_SLIP) {
      watched_law *law = &ledger->laws[i];
      if (law->slips == 1 && s->P[law->friction] * law->slip[0] > 0) return i;
      if (law->slips > 1 || law->slip[0] == 0) update_direction(law, s->P);
    }
    ledger->dissipated[i] = s->dissipated[i];
  }
  return -1;
}

int picus_ledger_look(picus_ledger *ledger, const picus_sim *sim, const picus_step_info *info) {
  return first_switched(ledger, &sim->stepper, info->impacts > 0, 0);
}

picus_status picus_ledger_note(picus_ledger *ledger, const picus_sim *sim, const picus_step_info *info, int first,
                               picus_switching_fn emit, void *user) {
  const stepper *s = &sim->stepper;
  picus_status status = PICUS_OK;
  for (int i = first; i >= 0; i = first_switched(ledger, s, info->impacts > 0, i + 1)) {
    picus_status emitted = switch_law(ledger, i, sim, info, emit, user);
    if (!status) status = emitted;
    ledger->dissipated[i] = s->dissipated[i];
  }
  return status;
}
