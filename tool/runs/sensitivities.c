/* picus run --sensitivity: the motion with its derivatives by parameters and initial values. */
#include "run_parts.h"

#include <picus/orbit.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_MOST = 256 };

typedef struct name_list {
  char *text;
  const char *names[NAMES_MOST];
  int count;
} name_list;

static bool read_names(const cli_arguments *a, name_list *out) {
  const char *given = cli_value(a, "sensitivity", 0);
  *out = (name_list){.text = malloc(strlen(given) + 1)};
  if (!out->text) return false;
  memcpy(out->text, given, strlen(given) + 1);
  bool inside = false;
  for (char *c = out->text; *c; c++) {
    const bool ends = strchr(", \t\n", *c) != NULL;
    if (ends) *c = '\0';
    if (!ends && !inside && out->count < NAMES_MOST) out->names[out->count++] = c;
    inside = !ends;
  }
  if (out->count > 0) return true;
  cli_complain("--sensitivity takes names of parameters, coordinates or velocities, such as 'mu,eN'");
  return false;
}

/* A run with derivatives has neither laws nor checkpoints. */
static bool check_others(const cli_arguments *a) {
  static const char *const others[] = {
      "events",          "event-limit",     "contacts",      "start",     "against",    "view",  "checkpoint",
      "checkpoint-keep", "nice-exit-after", "progress-file", "decisions", "dump-worst", "worst", "fixed"};
  for (size_t k = 0; k < sizeof others / sizeof *others; k++)
    if (cli_given(a, others[k])) {
      cli_complain("--sensitivity and --%s exclude each other", others[k]);
      return false;
    }
  return true;
}

static const char *state_name(const picus_system *system, int k) {
  const int nq = picus_system_nq(system);
  return k < nq ? picus_system_q_name(system, k) : picus_system_u_name(system, k - nq);
}

static void print_end(const cli_arguments *a, const picus_sensitivity *s, const picus_system *system) {
  const int n = picus_sensitivity_state_count(s), count = picus_sensitivity_count(s);
  const long last = picus_sensitivity_rows(s) - 1;
  if (cli_given(a, "quiet")) return;
  cli_print("%s: %d switching points; derivatives at t = %.9g s\n\n  %-16s %20s", cli_operand(a, 0),
            picus_sensitivity_point_count(s), picus_sensitivity_times(s)[last], "", "value");
  for (int k = 0; k < count; k++) cli_print(" %17s%s", "d/d", picus_sensitivity_name(s, k));
  cli_print("\n");
  for (int i = 0; i < n; i++) {
    cli_print("  %-16s %20.12g", state_name(system, i), picus_sensitivity_states(s)[last * n + i]);
    for (int k = 0; k < count; k++) cli_print(" %20.12g", picus_sensitivity_values(s)[(last * count + k) * n + i]);
    cli_print("\n");
  }
}

static picus_status write_files(picus_context *context, const cli_arguments *a, const picus_sensitivity *s,
                                const picus_run_description *run) {
  picus_recorder *recorder = NULL;
  if (!cli_given(a, "out") && !cli_given(a, "csv")) return PICUS_OK;
  picus_status status = picus_sensitivity_recorder(s, run, &recorder);
  if (!status && cli_given(a, "columns")) status = picus_recorder_select(recorder, cli_value(a, "columns", 0));
  if (!status && cli_given(a, "out")) status = picus_recorder_add_hdf5(recorder, cli_value(a, "out", 0));
  if (!status && cli_given(a, "csv")) status = picus_recorder_add_csv(recorder, cli_value(a, "csv", 0));
  if (!status) status = picus_sensitivity_record(s, recorder);
  picus_recorder_destroy(recorder);
  (void)context;
  return status;
}

int cli_run_sensitivities(picus_context *context, const cli_arguments *a, const cli_model *loaded,
                          picus_sim_options *options) {
  name_list names = {0};
  picus_sensitivity *s = NULL;
  options->adaptive = true;
  int code = check_others(a) && read_names(a, &names) ? EXIT_DONE : EXIT_WRONG_INPUT;
  if (code == EXIT_DONE) {
    const picus_sensitivity_def def = {loaded->model, loaded->system, options, names.count, names.names};
    const picus_run_description run = {loaded->model, loaded->system, options, cli_command_line(a)};
    picus_status status = picus_sensitivity_create(context, &def, &s);
    const bool is_input = status == PICUS_ERROR_NAME || status == PICUS_ERROR_ARGUMENT;
    if (!status) status = write_files(context, a, s, &run);
    if (status) code = cli_report_error(context, is_input ? EXIT_WRONG_INPUT : EXIT_RUN_FAILED);
  }
  if (code == EXIT_DONE) print_end(a, s, loaded->system);
  picus_sensitivity_destroy(s);
  free(names.text);
  return code;
}
