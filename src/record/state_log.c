/* The log of states at events: the state at each event of the model, before what it sets, and at each switching point
 * of a declared law, at the end of its step. It has the coordinates, velocities and inputs that rows have. */
#include "record/internal.h"

#include "base/internal.h"
#include "system/internal.h"

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
