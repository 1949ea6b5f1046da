/* What a result has is told to the sinks of another recorder. */
#include "base/internal.h"
#include "result_file/result_internal.h"

#include <picus/result.h>
#include <string.h>

typedef struct replay {
  picus_context *context;
  picus_result *result;
  const picus_told *told;
  int column_count;
  const double **columns;
  long row;
  double *nodes[2];
} replay;

/* Of a row that the file may lack. */
static const double *kept_row(const replay *r) {
  return r->told->kept + (size_t)(r->row - r->told->written) * (size_t)r->column_count;
}

static picus_status fill(void *source, double *row) {
  const replay *r = source;
  if (r->row >= r->told->written)
    memcpy(row, kept_row(r), (size_t)r->column_count * sizeof *row);
  else
    for (int k = 0; k < r->column_count; k++) row[k] = r->columns[k][r->row];
  return PICUS_OK;
}

static picus_status missing(const replay *r, const char *what) {
  return picus_fail(r->context, PICUS_ERROR_IO, "the results lack %s that the checkpoint has counted", what);
}

static picus_status load_columns(replay *r) {
  picus_status status = PICUS_OK;
  r->columns = picus_allocate(r->context, (size_t)r->column_count, sizeof *r->columns);
  if (!r->columns) return PICUS_ERROR_MEMORY;
  for (int k = 0; !status && k < r->column_count; k++) status = picus_result_values(r->result, k, &r->columns[k]);
  return status;
}

static picus_status tell_switchings(const replay *r, picus_recorder *recorder) {
  const picus_switching *list = NULL;
  const int laws = picus_result_law_count(r->result);
  if (r->told->switchings == 0) return PICUS_OK;
  if (picus_result_switching_count(r->result) < r->told->switchings) return missing(r, "switching points");
  picus_status status = picus_result_switchings(r->result, &list);
  for (long k = 0; !status && k < r->told->switchings; k++) {
    picus_switching one = list[k];
    if (one.law < 0 || one.law >= laws) return missing(r, "laws");
    const picus_result_law law = picus_result_law_at(r->result, one.law);
    const bool is_fixed = law.source < 0;
    one.source = law.source;
    one.key = law.key;
    one.slips = is_fixed ? 0 : law.slips;
    one.rolls = !is_fixed && strcmp(law.kind, "rolling") == 0;
    one.name = is_fixed ? NULL : law.name;
    status = picus_recorder_add_switching(recorder, &one);
  }
  return status;
}

static picus_status tell_states(const replay *r, picus_recorder *recorder) {
  picus_event_states all;
  if (r->told->states == 0) return PICUS_OK;
  picus_status status = picus_result_event_states(r->result, &all);
  if (!status && all.count < r->told->states) return missing(r, "states at events");
  for (long k = 0; !status && k < r->told->states; k++)
    status = picus_recorder_add_state(recorder, picus_result_state_entry(r->result, k));
  return status;
}

/* From the file, or the last rows from the checkpoint. */
static picus_status tell_contacts(const replay *r, picus_recorder *recorder, double t) {
  const picus_told *told = r->told;
  const picus_contact_point *contacts = NULL;
  if (r->row < picus_result_contact_rows(r->result)) {
    const int count = picus_result_contact_count(r->result, r->row);
    picus_status status = count > 0 ? picus_result_contacts(r->result, r->row, &contacts) : PICUS_OK;
    return status ? status : picus_recorder_add_contacts(recorder, t, count, contacts);
  }
  if (r->row < told->first_row || r->row >= told->first_row + (long)told->row_count) return missing(r, "contacts");
  const size_t place = (size_t)(r->row - told->first_row);
  contacts = told->contacts;
  for (size_t k = 0; k < place; k++) contacts += told->counts[k];
  return picus_recorder_add_contacts(recorder, t, told->counts[place], contacts);
}

static picus_status tell_nodes(const replay *r, picus_recorder *recorder, double t) {
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < picus_result_node_table_count(r->result); k++) {
    status = picus_result_node_table_read(r->result, k, r->row, 1, r->nodes);
    const picus_node_sample sample = {
        .row = r->row, .t = t, .table = k, .displacements = r->nodes[0], .velocities = r->nodes[1]};
    if (!status) status = picus_recorder_add_nodes(recorder, &sample);
  }
  return status;
}

static picus_status allocate_nodes(replay *r) {
  size_t most = 0;
  for (int k = 0; k < picus_result_node_table_count(r->result); k++) {
    const picus_node_table table = picus_result_node_table_at(r->result, k);
    const size_t size = (size_t)table.node_count * (size_t)table.component_count;
    if (size > most) most = size;
  }
  r->nodes[0] = picus_allocate(r->context, 2 * most, sizeof(double));
  r->nodes[1] = r->nodes[0] + most;
  return r->nodes[0] ? PICUS_OK : PICUS_ERROR_MEMORY;
}

static picus_status tell_all(replay *r, picus_recorder *recorder) {
  const int time = picus_result_find(r->result, "t");
  if (time < 0 || picus_result_row_count(r->result) < r->told->written) return missing(r, "rows");
  picus_status status = load_columns(r);
  if (!status) status = allocate_nodes(r);
  if (!status) status = tell_switchings(r, recorder);
  if (!status) status = tell_states(r, recorder);
  for (r->row = 0; !status && r->row < r->told->rows; r->row++) {
    const double t = r->row < r->told->written ? r->columns[time][r->row] : kept_row(r)[time];
    if (picus_result_contact_rows(r->result) >= 0) status = tell_contacts(r, recorder, t);
    if (!status) status = tell_nodes(r, recorder, t);
    if (!status) status = picus_recorder_add_row(recorder, fill, r);
  }
  return status;
}

static picus_status replay_result(void *user, picus_recorder *recorder, const picus_told *told) {
  picus_context *context = picus_recorder_context(recorder);
  replay r = {.context = context, .result = user, .told = told, .column_count = picus_result_column_count(user)};
  picus_status status = r.column_count == picus_recorder_column_count(recorder) ? PICUS_OK : missing(&r, "columns");
  if (!status) status = tell_all(&r, recorder);
  picus_release(context, r.columns);
  picus_release(context, r.nodes[0]);
  return status;
}

void picus_recorder_continue(picus_recorder *recorder, picus_result *result) {
  picus_recorder_set_replay(recorder, replay_result, result);
}
