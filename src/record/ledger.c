/* The ledger of switching points: modes of all laws before and after each accepted step, whatever the scheme.
 *
 * Impacts that accumulate (Zeno) show as closings of one law whose intervals shrink, d_1 >= d_2 >= ... up to the step
 * that limits how well they are known. With d_k = d_1 r^(k-1) they come together at t_n + d_n r / (1 - r). The law has
 * reached its accumulation point, as far as steps can tell, when the intervals have shrunk from at least 16 steps to at
 * most 4: at least by the factor 4, in which 3 intervals or more must agree. Below that impacts and steps cannot be
 * told apart. */
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
  bool is_known;               /* false: only the first step will tell the mode */
  double slip[3];              /* direction while it slips */
  double at_switch;            /* J, what the stepper had counted as dissipated after the last switching point */
  closings closings;
} watched_law;

/* Nearly all steps switch nothing, so what they look at lies together: the modes, and the laws that slip. */
struct picus_ledger {
  picus_context *context;
  int law_count;
  watched_law *laws;
  picus_mode *modes; /* after the last step */
  int *slipping, slipping_count;
  bool has_unknown; /* some law is not known yet */
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
  ledger->slipping = picus_allocate(context, count, sizeof *ledger->slipping);
  if (!ledger->laws || !ledger->modes || !ledger->slipping) {
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
  picus_release(ledger->context, ledger->slipping);
  picus_release(ledger->context, ledger);
}

static void list_slipping(picus_ledger *ledger) {
  ledger->slipping_count = 0;
  for (int i = 0; i < ledger->law_count; i++)
    if (ledger->modes[i] == PICUS_SLIP && ledger->laws[i].slips > 0) ledger->slipping[ledger->slipping_count++] = i;
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
  ledger->has_unknown = false;
  for (int i = 0; i < ledger->law_count; i++) {
    watched_law *law = &ledger->laws[i];
    const picus_law_state *state = &states[i];
    bool is_apart = law->can_open && (state->gap > 0 || state->normal_velocity != 0);
    ledger->modes[i] = state->mode;
    law->is_known = state->mode != PICUS_OPEN || is_apart;
    ledger->has_unknown = ledger->has_unknown || !law->is_known;
    law->at_switch = state->dissipated;
    law->closings = (closings){.last = NAN};
    for (int k = 0; k < 3; k++) law->slip[k] = 0;
    if (state->mode == PICUS_SLIP) update_direction(law, sim->stepper.P);
  }
  list_slipping(ledger);
  return PICUS_OK;
}

static void note_closing(closings *c, double dt, picus_switching *event) {
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
  bool is_at_its_end = c->intervals >= INTERVALS_LEAST && c->first >= FIRST_INTERVAL_STEPS * dt &&
                       interval <= PICUS_LEDGER_RESOLUTION * dt;
  if (!is_at_its_end || c->is_reported) return;
  double ratio = pow(interval / c->first, 1.0 / (c->intervals - 1));
  c->is_reported = true;
  event->bounces = c->intervals + 1;
  event->limit = event->t + interval * ratio / (1 - ratio);
}

static picus_switching describe(const watched_law *law, int index, picus_mode from, const stepper *s,
                                const picus_step_info *info) {
  picus_switching event = {.t = s->t, .dt = info->dt, .law = index, .from = from, .to = s->modes[index], .limit = NAN};
  if (law->normal >= 0) event.PN = s->P[law->normal];
  for (int k = 0; k < law->slips; k++) event.PF[k] = s->P[law->friction + k];
  for (int k = 0; k < law->slips && from == PICUS_SLIP; k++) event.from_slip[k] = law->slip[k];
  event.lost = s->lost[index];
  event.lost_before = s->dissipated[index] - event.lost - law->at_switch;
  return event;
}

static picus_status switch_law(picus_ledger *ledger, int index, const stepper *s, const picus_step_info *info,
                               picus_switching_fn emit, void *user) {
  watched_law *law = &ledger->laws[index];
  picus_switching event = describe(law, index, ledger->modes[index], s, info);
  bool is_new = !law->is_known;
  law->is_known = true;
  for (int k = 0; k < law->slips; k++) law->slip[k] = 0;
  if (event.to == PICUS_SLIP) update_direction(law, s->P);
  for (int k = 0; k < law->slips; k++) event.to_slip[k] = law->slip[k];
  if (event.from == PICUS_OPEN && law->can_open) note_closing(&law->closings, event.dt, &event);
  if (is_new) return PICUS_OK;
  law->at_switch = s->dissipated[index];
  return emit(user, &event);
}

static bool turned_round(const watched_law *law, const double *P) {
  return law->slips == 1 && P[law->friction] * law->slip[0] > 0; /* the friction acts along the slip there was */
}

/* All laws one by one, once it is clear that something has switched. */
static picus_status switch_laws(picus_ledger *ledger, const stepper *s, const picus_step_info *info,
                                picus_switching_fn emit, void *user) {
  picus_status status = PICUS_OK;
  for (int i = 0; i < ledger->law_count; i++) {
    const watched_law *law = &ledger->laws[i];
    bool slips_on = s->modes[i] == PICUS_SLIP && ledger->modes[i] == PICUS_SLIP;
    if (s->modes[i] == ledger->modes[i] && law->is_known && !(slips_on && turned_round(law, s->P))) continue;
    picus_status emitted = switch_law(ledger, i, s, info, emit, user);
    ledger->modes[i] = s->modes[i];
    if (!status) status = emitted;
  }
  ledger->has_unknown = false;
  list_slipping(ledger);
  return status;
}

picus_status picus_ledger_step(picus_ledger *ledger, const picus_sim *sim, const picus_step_info *info,
                               picus_switching_fn emit, void *user) {
  const stepper *s = &sim->stepper;
  bool switched = ledger->has_unknown;
  for (int i = 0; i < ledger->law_count; i++) switched |= s->modes[i] != ledger->modes[i];
  for (int k = 0; k < ledger->slipping_count && !switched; k++) {
    watched_law *law = &ledger->laws[ledger->slipping[k]];
    switched = turned_round(law, s->P);
    if (!switched) update_direction(law, s->P);
  }
  return switched ? switch_laws(ledger, s, info, emit, user) : PICUS_OK;
}
