/* Logs of a run beside that of events: when conditions and kinks of expressions changed their side, and the states at
 * events. */
#include "record/internal.h"

#include "base/internal.h"
#include "stepper/internal.h"
#include "system/internal.h"

#include <limits.h>
#include <string.h>

/* --- changes of switching functions ------------------------------------------------------------------------------- */

/* The log of switching functions: when a condition or a kink of an expression changed its side.
 *
 * An adaptive run notes in every state the side of each function and the time of its last change. Comparing these times
 * after each step finds all changes; a side that differs without such a time is round-off of a function that stays 0. A
 * function may turn at the start of a step, where the step before has been taken already, so that both ends of a step
 * are looked at. */

enum { CHANGES_MOST = 1 << 20 };

void picus_switch_log_release(picus_context *context, switch_log *log) {
  picus_release(context, log->sides);
  picus_release(context, log->changes);
  *log = (switch_log){0};
}

static picus_status prepare(picus_context *context, switch_log *log) {
  const size_t count = (size_t)log->system->switch_count;
  if (log->sides) return PICUS_OK;
  log->sides = picus_allocate(context, 2 * count, sizeof *log->sides);
  if (!log->sides) return PICUS_ERROR_MEMORY;
  log->changed = log->sides + count;
  return PICUS_OK;
}

static picus_status add(picus_context *context, switch_log *log, switch_change change) {
  if (log->all++ >= CHANGES_MOST) return PICUS_OK;
  picus_status status = picus_grow(context, &log->changes, log->count, &log->capacity, sizeof *log->changes);
  if (!status) log->changes[log->count++] = change;
  return status;
}

/* Sides at one end of a step. */
static picus_status compare(picus_context *context, switch_log *log, const double *sides) {
  const int count = log->system->switch_count;
  const double *const changed = sides + (size_t)SIDE_CHANGED * (size_t)count;
  picus_status status = PICUS_OK;
  for (int k = 0; k < count && !status; k++) {
    if (log->has_begun && changed[k] != log->changed[k] && sides[k] != log->sides[k])
      status = add(
          context, log,
          (switch_change){.t = changed[k], .function = k, .side = picus_switch_text_side(log->system, k, sides[k])});
    log->sides[k] = sides[k];
    log->changed[k] = changed[k];
  }
  log->has_begun = true;
  return status;
}

picus_status picus_switch_log_take(picus_context *context, switch_log *log, const stepper_snapshot *const ends[2]) {
  picus_status status = prepare(context, log);
  for (int i = 0; i < 2 && !status; i++) status = compare(context, log, ends[i]->sides);
  return status;
}

static void archive_change(const switch_log *log, switch_change *c, picus_archive *a) {
  picus_archive_double(a, &c->t);
  picus_archive_choice(a, &c->function, 0, log->system->switch_count - 1);
  picus_archive_choice(a, &c->side, -1, 1);
}

void picus_switch_log_archive(switch_log *log, picus_archive *a) {
  picus_archive_mark(a, "switches");
  picus_archive_bool(a, &log->has_begun);
  picus_archive_long(a, &log->all);
  picus_archive_count(a, &log->count, sizeof(double));
  if (picus_archive_reads(a)) {
    if (log->count > CHANGES_MOST || (!log->has_begun && log->count > 0) ||
        (log->has_begun && log->system->switch_count == 0))
      picus_archive_reject(a, "it has changes of switching functions that cannot be");
    if (!a->status && log->has_begun) a->status = prepare(a->context, log);
    while (!a->status && log->capacity < log->count)
      a->status = picus_grow(a->context, &log->changes, log->capacity, &log->capacity, sizeof *log->changes);
  }
  if (a->status) {
    if (a->direction == ARCHIVE_READS) log->count = 0;
    return;
  }
  if (log->has_begun) picus_archive_doubles(a, log->sides, 2 * (size_t)log->system->switch_count);
  for (size_t k = 0; k < log->count && !a->status; k++) archive_change(log, &log->changes[k], a);
}

/* --- states at events --------------------------------------------------------------------------------------------- */

/* The log of states at events: the state at each event of the model, before what it sets, and at each switching point
 * of a declared law, at the end of its step. It has the coordinates, velocities and inputs that rows have. */

enum {
  ENTRIES = 256,   /* that are buffered, */
  NUMBERS = 8192,  /* or that have so many numbers */
  WIDTH_MOST = 256 /* numbers of an entry, up to which switching points have states: many bodies have many of them */
};

void picus_state_log_release(picus_context *context, state_log *log) {
  picus_release(context, log->entries);
  *log = (state_log){0};
}

picus_status picus_state_log_columns(picus_context *context, const picus_system *system, picus_column_list *list) {
  static const picus_column head[] = {[STATE_EVENT] = {"event", "", "event of the model", PICUS_COLUMN_STEP},
                                      [STATE_SWITCHING] = {"switching", "", "switching point", PICUS_COLUMN_STEP},
                                      [STATE_TIME] = {"t", "s", "time", PICUS_COLUMN_TIME}};
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < STATE_HEAD; k++) status = picus_columns_add(context, list, head[k]);
  return status ? status : picus_columns_of_state(context, system, list);
}

picus_status picus_state_log_begin(picus_context *context, state_log *log, const picus_system *system) {
  log->system = system;
  log->width = STATE_HEAD;
  for (int k = 0; k < system->nq; k++) log->width += picus_system_q_recorded(system, k);
  for (int k = 0; k < system->nu; k++) log->width += picus_system_u_recorded(system, k);
  for (int k = 0; k < system->input_count; k++) log->width += !system->input_names[k].unrecorded;
  log->capacity = ENTRIES * log->width > NUMBERS ? NUMBERS / log->width + 1 : ENTRIES;
  log->entries = picus_allocate(context, log->capacity * log->width, sizeof *log->entries);
  return log->entries ? PICUS_OK : PICUS_ERROR_MEMORY;
}

bool picus_state_log_width_allows_switchings(size_t width) { return width <= WIDTH_MOST; }
bool picus_state_log_takes_switchings(const state_log *log) {
  return picus_state_log_width_allows_switchings(log->width);
}

double *picus_state_log_add(state_log *log) {
  log->all++;
  return log->entries + log->count++ * log->width;
}

void picus_state_log_fill(const state_log *log, const state_entry *entry, double *numbers) {
  numbers[STATE_EVENT] = entry->event;
  numbers[STATE_SWITCHING] = (double)entry->switching;
  numbers[STATE_TIME] = entry->state.t;
  picus_columns_fill_state(log->system, &entry->state, entry->inputs, numbers + STATE_HEAD);
}
