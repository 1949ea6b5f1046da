/* picus run --start RESULT.h5@T: the state in a row of a result, by names, as the start of a run; --start NAME=VALUE:
 * the initial value of a coordinate or a velocity. */
#include "base/internal.h"
#include "platform/files.h"
#include "run_parts.h"

#include <math.h>
#include <picus/picus.h>
#include <stdlib.h>
#include <string.h>

typedef struct start {
  picus_context *context;
  const char *path; /* of the result */
  picus_result *result;
  const picus_system *system;
  long row;
} start;

/* "run.h5@1.5": the name of the file without the time, to be freed; T: NAN without a time. A name may contain an @. */
static picus_status split(picus_context *context, const char *text, double *T, char **path) {
  const char *at = strrchr(text, '@');
  *T = at && at > text ? cli_number_of(context, at + 1) : NAN;
  const bool has_time = isfinite(*T);
  if (!has_time) *T = NAN;
  const size_t length = has_time ? (size_t)(at - text) : strlen(text);
  *path = malloc(length + 1);
  if (!*path) return picus_fail(context, PICUS_ERROR_MEMORY, "out of memory");
  memcpy(*path, text, length);
  (*path)[length] = '\0';
  if (has_time || !at || picus_path_exists(text)) return PICUS_OK;
  return picus_fail(context, PICUS_ERROR_ARGUMENT,
                    "--start takes RESULT.h5@T with a time T in s, such as 0.5, not '%.100s'", text);
}

/* The last row up to a time, or of all. */
static picus_status find_row(start *s, double T, double *t) {
  const double *times = NULL;
  const long rows = picus_result_row_count(s->result);
  const int column = picus_result_find(s->result, "t");
  if (rows == 0 || column < 0)
    return picus_fail(s->context, PICUS_ERROR_ARGUMENT, "'%s' has no rows to start from", s->path);
  picus_status status = picus_result_values(s->result, column, &times);
  if (status) return status;
  s->row = rows - 1;
  if (!isnan(T)) {
    if (T < times[0] || T > times[rows - 1])
      return picus_fail(s->context, PICUS_ERROR_ARGUMENT, "'%s' has rows from t = %.9g to %.9g; %.9g is not among them",
                        s->path, times[0], times[rows - 1], T);
    while (s->row > 0 && times[s->row] > T) s->row--;
  }
  *t = times[s->row];
  return PICUS_OK;
}

static picus_status take(const start *s, const char *name, picus_column_kind kind, double *value) {
  const double *values = NULL;
  const int column = picus_result_find(s->result, name);
  const bool is_there = column >= 0 && picus_result_column(s->result, column).kind == kind;
  if (!is_there)
    return picus_fail(s->context, PICUS_ERROR_NAME,
                      "'%s' has no %s '%s' of the model; --start needs the same coordinates and velocities", s->path,
                      kind == PICUS_COLUMN_COORDINATE ? "coordinate" : "velocity", name);
  picus_status status = picus_result_values(s->result, column, &values);
  if (!status) *value = values[s->row];
  return status;
}

/* What the result has, the model must have. */
static picus_status check_names(const start *s) {
  const int nq = picus_system_nq(s->system), nu = picus_system_nu(s->system);
  for (int k = 0; k < picus_result_column_count(s->result); k++) {
    const picus_column column = picus_result_column(s->result, k);
    bool found = column.kind != PICUS_COLUMN_COORDINATE && column.kind != PICUS_COLUMN_VELOCITY;
    for (int i = 0; !found && i < nq; i++) found = strcmp(picus_system_q_name(s->system, i), column.name) == 0;
    for (int i = 0; !found && i < nu; i++) found = strcmp(picus_system_u_name(s->system, i), column.name) == 0;
    if (!found)
      return picus_fail(s->context, PICUS_ERROR_NAME,
                        "the model has no coordinate or velocity '%s' of '%s'; --start needs the same ones",
                        column.name, s->path);
  }
  return PICUS_OK;
}

/* Inputs and states of controllers that the result has; the others keep their initial values. */
static picus_status take_inputs(const start *s, picus_sim *sim) {
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < picus_system_input_count(s->system); k++) {
    const int column = picus_result_find(s->result, picus_system_input_at(s->system, k).name);
    const double *values = NULL;
    if (column < 0 || picus_result_column(s->result, column).kind != PICUS_COLUMN_INPUT) continue;
    status = picus_result_values(s->result, column, &values);
    if (!status) status = picus_sim_set_input_at(sim, k, values[s->row], picus_sim_input(sim, k).rate);
  }
  return status;
}

static picus_status take_state(const start *s, picus_sim *sim) {
  const int nq = picus_system_nq(s->system), nu = picus_system_nu(s->system);
  double *q = picus_allocate(s->context, (size_t)nq + (size_t)nu + 1, sizeof *q), *u = q + nq;
  picus_status status = q ? PICUS_OK : PICUS_ERROR_MEMORY;
  for (int k = 0; !status && k < nq; k++)
    status = take(s, picus_system_q_name(s->system, k), PICUS_COLUMN_COORDINATE, &q[k]);
  for (int k = 0; !status && k < nu; k++)
    status = take(s, picus_system_u_name(s->system, k), PICUS_COLUMN_VELOCITY, &u[k]);
  if (!status) status = check_names(s);
  if (!status) status = picus_sim_set_state(sim, picus_sim_options_of(sim)->t_start, q, u);
  if (!status) status = take_inputs(s, sim);
  picus_release(s->context, q);
  return status;
}

/* The coordinate or velocity that "NAME=VALUE" names: its place among q, then u, or -1; *value: NAN if it is no number.
 */
static int find_named(picus_context *context, const picus_system *system, const char *text, double *value) {
  const char *equals = strchr(text, '=');
  const int nq = picus_system_nq(system), count = nq + picus_system_nu(system);
  for (int k = 0; equals && k < count; k++) {
    const char *name = k < nq ? picus_system_q_name(system, k) : picus_system_u_name(system, k - nq);
    if (strlen(name) != (size_t)(equals - text) || strncmp(name, text, (size_t)(equals - text)) != 0) continue;
    *value = cli_number_of(context, equals + 1);
    return k;
  }
  return -1;
}

static picus_status set_one(picus_context *context, const char *text, int k, double value, picus_sim *sim) {
  const picus_state now = picus_sim_state(sim);
  if (!isfinite(value))
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "--start takes NAME=VALUE with a number, not '%.100s'", text);
  double *q = picus_allocate(context, (size_t)now.nq + (size_t)now.nu + 1, sizeof *q), *u = q + now.nq;
  if (!q) return PICUS_ERROR_MEMORY;
  memcpy(q, now.q, (size_t)now.nq * sizeof *q);
  memcpy(u, now.u, (size_t)now.nu * sizeof *u);
  q[k] = value;
  picus_status status = picus_sim_set_state(sim, picus_sim_options_of(sim)->t_start, q, u);
  picus_release(context, q);
  return status;
}

static picus_status take_result(picus_context *context, const cli_arguments *a, const char *text, picus_sim *sim) {
  double T, t = 0;
  char *path = NULL;
  picus_status status = split(context, text, &T, &path);
  start s = {.context = context, .path = path, .system = picus_sim_system(sim)};
  if (!status) status = picus_result_open(context, path, &s.result);
  if (!status) status = find_row(&s, T, &t);
  if (!status) status = take_state(&s, sim);
  if (!status && !cli_given(a, "quiet"))
    cli_print("  start           state of '%s' at t = %.9g s%s\n", path, t,
              !isnan(T) && t < T ? ", its last row before the given time" : "");
  picus_result_close(s.result);
  free(path);
  return status;
}

#define DEEPEST (-1e-5) /* m: as for the state of a model */

/* Given values may violate contacts and constraints; states of results have the gaps that their schemes leave. */
static picus_status check_gaps(picus_context *context, picus_sim *sim) {
  const picus_system *system = picus_sim_system(sim);
  const int count = picus_system_law_count(system);
  picus_law_state *laws = picus_allocate(context, (size_t)count + 1, sizeof *laws);
  picus_status status = laws ? picus_sim_laws(sim, laws) : PICUS_ERROR_MEMORY;
  for (int i = 0; !status && i < count; i++) {
    const picus_system_law law = picus_system_law_at(system, i);
    const double gap = law.kind == PICUS_BILATERAL ? -fabs(laws[i].gap) : laws[i].gap;
    if (law.has_gap && gap < DEEPEST)
      status = picus_fail(context, PICUS_ERROR_MODEL, "with the values of --start, '%s' has the initial gap %.6g",
                          law.name, laws[i].gap);
  }
  picus_release(context, laws);
  return status;
}

picus_status cli_take_start(picus_context *context, const cli_arguments *a, picus_sim *sim) {
  picus_status status = PICUS_OK;
  const char *text;
  bool named = false;
  for (int i = 0; !status && (text = cli_value(a, "start", i)); i++) {
    double value = NAN;
    const int k = find_named(context, picus_sim_system(sim), text, &value);
    named = named || k >= 0;
    status = k < 0 ? take_result(context, a, text, sim) : set_one(context, text, k, value, sim);
  }
  return status || !named ? status : check_gaps(context, sim);
}
