/* The event log: modes and impacts of all laws before and after each accepted step, for every scheme. Impacts are those
 * that the stepper counts (src/stepper/accept.c); each is in one switching point.
 *
 * Impacts that accumulate (Zeno) are closings of one law with shrinking intervals, d_1 >= d_2 >= ... up to one step,
 * which limits their accuracy. With d_k = d_1 r^(k-1) their limit is t_n + d_n r / (1 - r). The law has reached its
 * accumulation point, within the resolution of the steps, when the intervals have shrunk from at least 16 steps to at
 * most 4: at least by the factor 4, in which 3 intervals or more must agree. Shorter intervals are not resolved.
 * Adaptive runs end an accumulation before the first flight of 4 steps or less. */
#include "base/elementary.h"
#include "base/internal.h"
#include "record/internal.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { INTERVALS_LEAST = 3, FIRST_INTERVAL_STEPS = 16 };

/* How the closings of a contact follow each other. */
typedef struct closings {
  int intervals;       /* that shrink, up to now; 0: at most one closing is known */
  double last;         /* s, time of the last closing; NAN: none yet */
  double first, least; /* s, the first and the shortest of these intervals */
  bool is_reported;
} closings;

/* What the log keeps of a law beside its mode. */
typedef struct past_switching {
  int slips;        /* of the law, which may have vanished */
  double slip[3];   /* direction while it slips */
  double at_switch; /* J, dissipated energy of the stepper after the last switching point */
  closings closings;
} past_switching;

/* The number of a law in switching points. */
typedef struct numbered_law {
  law_identity identity;
  int number;
} numbered_law;

enum { UNKNOWN_MODE = -1 }; /* known after the first step */

/* Almost no step has a switching point, so the data that every step needs are contiguous. */
struct picus_event_log {
  picus_context *context;
  int law_count;
  past_switching *laws;
  int *modes;         /* after the last step */
  double *dissipated; /* the same, as the stepper counts it, J */
  double *impacts;    /* the same */
  /* where laws come and go */
  unsigned long version; /* of the set that the laws above are of */
  law_identity *identities;
  size_t capacity;
  picus_event_log *former; /* memory for a change of the laws */
  int *from;
  size_t from_capacity;
  numbered_law *numbered; /* that had switching points, in the order of their identities */
  size_t numbered_count, numbered_capacity;
  int first_number;
  bool fixed_only; /* laws that come and go are left out */
};

static past_switching nothing_yet(const picus_system_law *law) {
  return (past_switching){.slips = law->slips, .closings = {.last = NAN}};
}

static bool can_open(const picus_system_law *law) {
  return law->has_gap && (law->kind == PICUS_UNILATERAL || law->kind == PICUS_COULOMB);
}

static bool has_normal(const picus_system_law *law) {
  return law->kind != PICUS_RESERVOIR && law->kind != PICUS_ROLLING;
}

/* The friction of a law in the percussions of a step. */
static const double *friction_of(const picus_system_law *law, const double *P) {
  return P + law->first_row + has_normal(law);
}

/* Memory for so many laws; the content is lost. */
static picus_status allocate_laws(picus_event_log *log, size_t count) {
  void *const blocks[] = {log->laws, log->modes, log->dissipated, log->impacts, log->identities};
  for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) picus_release(log->context, blocks[i]);
  log->capacity = 0;
  log->laws = picus_allocate(log->context, count, sizeof *log->laws);
  log->modes = picus_allocate(log->context, count, sizeof *log->modes);
  log->dissipated = picus_allocate(log->context, count, sizeof *log->dissipated);
  log->impacts = picus_allocate(log->context, count, sizeof *log->impacts);
  log->identities = picus_allocate(log->context, count, sizeof *log->identities);
  if (!log->laws || !log->modes || !log->dissipated || !log->impacts || !log->identities) return PICUS_ERROR_MEMORY;
  log->capacity = count;
  return PICUS_OK;
}

static picus_status create_empty(picus_context *context, size_t count, picus_event_log **out) {
  *out = picus_allocate(context, 1, sizeof **out);
  if (!*out) return PICUS_ERROR_MEMORY;
  (*out)->context = context;
  return allocate_laws(*out, count);
}

picus_status picus_event_log_create(picus_context *context, const picus_system *system, picus_event_log **out) {
  const int count = picus_system_law_count(system);
  picus_event_log *log = NULL;
  *out = NULL;
  picus_status status = create_empty(context, (size_t)count, &log);
  if (!status) status = create_empty(context, 0, &log->former);
  if (status) {
    picus_event_log_destroy(log);
    return status;
  }
  log->law_count = log->first_number = count;
  for (int i = 0; i < count; i++) {
    const picus_system_law law = picus_system_law_at(system, i);
    log->laws[i] = nothing_yet(&law);
    log->identities[i] = (law_identity){.source = -1, .key = (uint64_t)i};
  }
  *out = log;
  return PICUS_OK;
}

void picus_event_log_destroy(picus_event_log *log) {
  if (!log) return;
  picus_event_log_destroy(log->former);
  void *const blocks[] = {log->laws,       log->modes, log->dissipated, log->impacts,
                          log->identities, log->from,  log->numbered};
  for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) picus_release(log->context, blocks[i]);
  picus_release(log->context, log);
}

/* Slip is opposite to friction: the direction of xi in the law (Studer 2008 (9)), which is the slip at the end of the
 * step if eF = 0. Without friction there is no direction: the last one stays. */
static void update_direction(past_switching *past, const double *PF) {
  if (past->slips == 1) {
    if (PF[0] != 0) past->slip[0] = PF[0] < 0 ? 1 : -1;
    return;
  }
  double square = 0;
  for (int k = 0; k < past->slips; k++) square += PF[k] * PF[k];
  if (!(square > 0)) return;
  double length = sqrt(square);
  for (int k = 0; k < past->slips; k++) past->slip[k] = -PF[k] / length;
}

/* Before the first step of a run no law has a mode. A contact with a gap is open, and so is one with approaching or
 * separating bodies; the mode of the others follows from the first step and is not a switching point. A continued run
 * has all modes. */
void picus_event_log_begin(picus_event_log *log, const picus_step_view *step, const picus_law_state *states) {
  log->law_count = log->first_number; /* laws that come and go are found with the first step */
  log->version = 0;
  for (int i = 0; i < log->law_count; i++) {
    const picus_system_law *law = &step->set->laws[i].data;
    past_switching *past = &log->laws[i];
    const picus_law_state *state = &states[i];
    const bool is_open = can_open(law) && (state->gap > 0 || state->normal_velocity != 0);
    log->modes[i] = state->mode != PICUS_OPEN || is_open ? (int)state->mode : UNKNOWN_MODE;
    *past = nothing_yet(law);
    past->at_switch = log->dissipated[i] = state->dissipated;
    log->impacts[i] = (double)state->impacts;
    if (state->mode == PICUS_SLIP) update_direction(past, friction_of(law, step->P));
  }
}

/* ends_early: flights of up to four steps are suppressed, so that the last interval precedes such a flight. */
static void note_closing(closings *c, double dt, bool ends_early, picus_switching *point) {
  double interval = point->t - c->last;
  bool is_first = isnan(c->last);
  c->last = point->t;
  if (is_first) return;
  if (c->intervals == 0 || interval > c->least + dt) { /* it does not shrink: start again */
    *c = (closings){.intervals = 1, .last = point->t, .first = interval, .least = interval};
    return;
  }
  c->intervals++;
  c->least = fmin(c->least, interval);
  if (c->is_reported || c->intervals < INTERVALS_LEAST || c->first < FIRST_INTERVAL_STEPS * dt) return;
  const double ratio = picus_pow(interval / c->first, 1.0 / (c->intervals - 1));
  const double shortest = ends_early ? ratio * interval - dt : interval; /* an interval is known to a step */
  if (shortest > PICUS_EVENT_LOG_RESOLUTION * dt) return;
  c->is_reported = true;
  point->bounces = c->intervals + 1;
  point->limit = point->t + interval * ratio / (1 - ratio);
}

/* At the end of the step, unless an adaptive run has a better time. */
static double time_of_switch(const picus_step_view *step, int index) {
  const double *times = step->switch_times;
  return times && isfinite(times[index]) ? times[index] : step->t;
}

static picus_switching describe(const picus_event_log *log, int index, const picus_step_view *step,
                                const picus_step_info *info) {
  const picus_system_law *law = &step->set->laws[index].data;
  const past_switching *past = &log->laws[index];
  const double *PF = friction_of(law, step->P);
  const picus_mode to = step->modes[index];
  const bool impact = step->impacts[index] > log->impacts[index];
  picus_mode from = (picus_mode)log->modes[index];
  if (log->modes[index] == UNKNOWN_MODE) from = impact ? to : PICUS_OPEN; /* it was closed when it was hit */
  picus_switching point = {.t = time_of_switch(step, index),
                           .dt = info->dt,
                           .law = index,
                           .from = from,
                           .to = to,
                           .impact = impact,
                           .limit = NAN,
                           .source = log->identities[index].source};
  if (has_normal(law)) point.PN = step->P[law->first_row];
  for (int k = 0; k < law->slips; k++) point.PF[k] = PF[k];
  for (int k = 0; k < law->slips && from == PICUS_SLIP; k++) point.from_slip[k] = past->slip[k];
  point.lost = step->dissipated[index] - log->dissipated[index];
  point.lost_before = log->dissipated[index] - past->at_switch;
  return point;
}

/* The place of a law among the numbered ones, or where it belongs. */
static size_t place_of(const picus_event_log *log, law_identity identity) {
  size_t low = 0, high = log->numbered_count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (picus_law_identity_compare(log->numbered[middle].identity, identity) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* A law that comes and goes gets a number with its first switching point, and keeps it when it comes back. */
static picus_status number_law(picus_event_log *log, law_identity identity, int *number) {
  const size_t place = place_of(log, identity);
  if (place == log->numbered_count || picus_law_identity_compare(log->numbered[place].identity, identity) != 0) {
    picus_status status =
        picus_grow(log->context, &log->numbered, log->numbered_count, &log->numbered_capacity, sizeof *log->numbered);
    if (status) return status;
    memmove(log->numbered + place + 1, log->numbered + place, (log->numbered_count - place) * sizeof *log->numbered);
    log->numbered[place] = (numbered_law){identity, log->first_number + (int)log->numbered_count++};
  }
  *number = log->numbered[place].number;
  return PICUS_OK;
}

/* Number, key and name of the law of a switching point. step: NULL if the law has vanished. */
static picus_status name_law(picus_event_log *log, const picus_step_view *step, int index, picus_switching *point) {
  const law_identity identity = log->identities[index];
  if (identity.source < 0) return PICUS_OK;
  point->key = identity.key;
  point->name = step ? step->set->laws[index].data.name : NULL;
  point->slips = log->laws[index].slips;
  point->rolls = identity.rolls ? 1 : 0;
  return number_law(log, identity, &point->law);
}

static picus_status switch_law(picus_event_log *log, int index, const picus_step_view *step,
                               const picus_step_info *info, picus_switching_fn emit, void *user) {
  const picus_system_law *law = &step->set->laws[index].data;
  past_switching *past = &log->laws[index];
  picus_switching point = describe(log, index, step, info);
  bool is_new = log->modes[index] == UNKNOWN_MODE;
  log->modes[index] = (int)point.to;
  for (int k = 0; k < law->slips; k++) past->slip[k] = 0;
  if (point.to == PICUS_SLIP) update_direction(past, friction_of(law, step->P));
  for (int k = 0; k < law->slips; k++) point.to_slip[k] = past->slip[k];
  if (point.from == PICUS_OPEN && point.to != PICUS_OPEN && can_open(law))
    note_closing(&past->closings, point.dt, step->skips_short_flights, &point);
  log->impacts[index] = step->impacts[index];
  if (is_new && !point.impact) return PICUS_OK;
  past->at_switch = step->dissipated[index];
  picus_status status = name_law(log, step, index, &point);
  return status ? status : emit(user, &point);
}

/* The first law from a number on that has switched, or -1. The state of the laws before it is stored: planar slip has
 * reversed if friction acts along the previous slip, and spatial slip has its new direction. */
static int first_switched(picus_event_log *log, const picus_step_view *step, bool impacts, int from) {
  const picus_mode *modes = step->modes;
  const int *before = log->modes, count = log->law_count;
  for (int i = from; i < count; i++) {
    if ((int)modes[i] != before[i]) return i;
    if (impacts && step->impacts[i] > log->impacts[i]) return i;
    if (modes[i] == PICUS_OPEN) continue;
    if (modes[i] == PICUS_SLIP) {
      past_switching *past = &log->laws[i];
      const double *PF = friction_of(&step->set->laws[i].data, step->P);
      if (past->slips == 1 && PF[0] * past->slip[0] > 0) return i;
      if (past->slips > 1 || past->slip[0] == 0) update_direction(past, PF);
    }
    log->dissipated[i] = step->dissipated[i];
  }
  return -1;
}

int picus_event_log_look(picus_event_log *log, const picus_step_view *step, const picus_step_info *info) {
  return first_switched(log, step, info->impacts > 0, 0);
}

picus_status picus_event_log_note(picus_event_log *log, const picus_step_view *step, const picus_step_info *info,
                                  int first, picus_switching_fn emit, void *user) {
  picus_status status = PICUS_OK;
  for (int i = first; i >= 0; i = first_switched(log, step, info->impacts > 0, i + 1)) {
    picus_status emitted = switch_law(log, i, step, info, emit, user);
    if (!status) status = emitted;
    log->dissipated[i] = step->dissipated[i];
  }
  return status;
}

/* --- laws that come and go -------------------------------------------------------------------------------------- */

/* A law that was closed when it vanished has opened in this step. */
static picus_status open_vanished(picus_event_log *log, int index, const picus_step_view *step,
                                  const picus_step_info *info, picus_switching_fn emit, void *user) {
  const past_switching *past = &log->laws[index];
  if (log->modes[index] == PICUS_OPEN || log->modes[index] == UNKNOWN_MODE) return PICUS_OK;
  picus_switching point = {.t = step->t,
                           .dt = info->dt,
                           .law = index,
                           .from = (picus_mode)log->modes[index],
                           .to = PICUS_OPEN,
                           .lost_before = log->dissipated[index] - past->at_switch,
                           .limit = NAN,
                           .source = log->identities[index].source};
  for (int k = 0; k < past->slips && point.from == PICUS_SLIP; k++) point.from_slip[k] = past->slip[k];
  picus_status status = name_law(log, NULL, index, &point);
  return status ? status : emit(user, &point);
}

static picus_status reserve(picus_event_log *log, size_t count) {
  picus_status status = PICUS_OK;
  if (count > log->former->capacity) status = allocate_laws(log->former, count + count / 2 + 8);
  while (!status && count > log->from_capacity)
    status = picus_grow(log->context, &log->from, log->from_capacity, &log->from_capacity, sizeof *log->from);
  return status;
}

static void exchange(picus_event_log *log) {
  picus_event_log *other = log->former;
  const picus_event_log own = *log;
  log->laws = other->laws;
  log->modes = other->modes;
  log->dissipated = other->dissipated;
  log->impacts = other->impacts;
  log->identities = other->identities;
  log->capacity = other->capacity;
  other->laws = own.laws;
  other->modes = own.modes;
  other->dissipated = own.dissipated;
  other->impacts = own.impacts;
  other->identities = own.identities;
  other->capacity = own.capacity;
}

/* A law that appears was open before the step. */
static void take_new(picus_event_log *log, int i) {
  log->modes[i] = PICUS_OPEN;
  log->dissipated[i] = log->impacts[i] = 0;
}

void picus_event_log_leave_contacts(picus_event_log *log) {
  log->fixed_only = true;
  log->law_count = log->first_number;
  picus_release(log->context, log->numbered);
  log->numbered = NULL;
  log->numbered_count = log->numbered_capacity = 0;
}

picus_status picus_event_log_follow(picus_event_log *log, const picus_step_view *step, const picus_step_info *info,
                                    picus_switching_fn emit, void *user) {
  const law_set *set = step->set;
  picus_status status = reserve(log, (size_t)set->law_count);
  if (status) return status;
  picus_law_set_match(set, log->law_count, log->identities, log->from);
  for (int i = 0, next = 0; i < log->law_count; i++) {
    while (next < set->law_count && log->from[next] < i) next++;
    if (next < set->law_count && log->from[next] == i) continue;
    picus_status emitted = open_vanished(log, i, step, info, emit, user);
    if (!status) status = emitted;
  }
  exchange(log); /* the values before are in `former` */
  const picus_event_log *former = log->former;
  for (int i = 0; i < set->law_count; i++) {
    const int from = log->from[i];
    log->identities[i] = picus_law_identity(set, i);
    log->laws[i] = from >= 0 ? former->laws[from] : nothing_yet(&set->laws[i].data);
    if (from < 0) {
      take_new(log, i);
      continue;
    }
    log->modes[i] = former->modes[from];
    log->dissipated[i] = former->dissipated[from];
    log->impacts[i] = former->impacts[from];
  }
  log->law_count = set->law_count;
  log->version = set->version;
  return status;
}

bool picus_event_log_is_behind(const picus_event_log *log, const picus_step_view *step) {
  return step->set && step->set->version != log->version && !log->fixed_only;
}

/* --- checkpoints ------------------------------------------------------------------------------------------------ */

static void archive_identity(law_identity *identity, int sources, picus_archive *a) {
  picus_archive_choice(a, &identity->source, -1, sources - 1);
  picus_archive_bool(a, &identity->rolls);
  picus_archive_word(a, &identity->key);
}

static void archive_past(past_switching *past, picus_archive *a) {
  closings *c = &past->closings;
  picus_archive_choice(a, &past->slips, 0, 3);
  picus_archive_doubles(a, past->slip, 3);
  picus_archive_double(a, &past->at_switch);
  picus_archive_choice(a, &c->intervals, 0, INT_MAX / 2);
  picus_archive_double(a, &c->last);
  picus_archive_double(a, &c->first);
  picus_archive_double(a, &c->least);
  picus_archive_bool(a, &c->is_reported);
}

/* Laws that have changed since are found with the next step. */
static void compare_laws(picus_event_log *log, const law_set *set, bool current, picus_archive *a) {
  const int count = log->fixed_only ? log->first_number : set->law_count;
  if (current && count != log->law_count) picus_archive_reject(a, "the event log has other laws");
  if (!current && set->present == NULL) picus_archive_reject(a, "the event log has other laws");
  for (int i = 0; current && !a->status && i < log->law_count; i++)
    if (log->laws[i].slips != set->laws[i].data.slips ||
        picus_law_identity_compare(log->identities[i], picus_law_identity(set, i)) != 0)
      picus_archive_reject(a, "the event log has other laws");
  log->version = current ? set->version : set->version - 1;
}

static void archive_numbered(picus_event_log *log, int sources, picus_archive *a) {
  size_t count = log->numbered_count;
  picus_archive_count(a, &count, 2 * sizeof(uint64_t));
  if (picus_archive_reads(a)) log->numbered_count = 0;
  for (size_t i = 0; !a->status && i < count; i++) {
    if (a->direction == ARCHIVE_READS)
      a->status = picus_grow(log->context, &log->numbered, i, &log->numbered_capacity, sizeof *log->numbered);
    if (a->status) return;
    archive_identity(&log->numbered[i].identity, sources, a);
    picus_archive_choice(a, &log->numbered[i].number, log->first_number, log->first_number + (int)count - 1);
    if (!picus_archive_reads(a)) continue;
    if (i > 0 && picus_law_identity_compare(log->numbered[i - 1].identity, log->numbered[i].identity) >= 0)
      picus_archive_reject(a, "numbered laws are not in order");
    log->numbered_count = i + 1;
  }
}

void picus_event_log_archive(picus_event_log *log, const law_set *set, picus_archive *a) {
  size_t count = (size_t)log->law_count;
  const int sources = set->system->source_count;
  picus_archive_mark(a, "event log");
  picus_archive_bool(a, &log->fixed_only);
  bool current = log->fixed_only || log->version == set->version;
  picus_archive_bool(a, &current);
  picus_archive_count(a, &count, sizeof(closings));
  if (picus_archive_reads(a)) {
    if (count < (size_t)log->first_number || count > INT_MAX / 2) picus_archive_reject(a, "laws are missing");
    if (!a->status && count > log->capacity) a->status = allocate_laws(log, count);
    log->law_count = a->status ? 0 : (int)count;
  }
  for (size_t i = 0; !a->status && i < count; i++) {
    archive_identity(&log->identities[i], sources, a);
    archive_past(&log->laws[i], a);
    picus_archive_choice(a, &log->modes[i], UNKNOWN_MODE, PICUS_SLIP);
    picus_archive_double(a, &log->dissipated[i]);
    picus_archive_double(a, &log->impacts[i]);
    if (picus_archive_reads(a) && i > 0 && picus_law_identity_compare(log->identities[i - 1], log->identities[i]) >= 0)
      picus_archive_reject(a, "laws are not in order");
  }
  archive_numbered(log, sources, a);
  if (picus_archive_reads(a)) compare_laws(log, set, current, a);
}
