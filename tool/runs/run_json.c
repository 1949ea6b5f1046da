/* picus run --json: a run for other programs, which read one line. It is a study with one point. */
#include "run_parts.h"
#include "sweep.h"
#include "view/json.h"

/* Options of a run that has no files and no summary, besides these. */
static bool check_options(const cli_arguments *a) {
  static const char *const others[] = {
      "out",     "csv",       "events",     "contacts",        "against",    "view",          "every", "sample",
      "columns", "decisions", "checkpoint", "nice-exit-after", "dump-worst", "progress-file", NULL};
  for (int k = 0; others[k]; k++)
    if (cli_given(a, others[k])) {
      cli_complain("--json prints one line of values and writes no files: leave out --%s", others[k]);
      return false;
    }
  return true;
}

/* {"model": ..., "status": ..., "message": ..., "values": {...}}; a value that is not finite is null. */
static int print_line(const cli_arguments *a, picus_context *context, const picus_study *study) {
  const picus_study_row row = picus_study_row_at(study, 0);
  picus_json line;
  if (picus_json_begin(context, &line)) return cli_report_error(context, EXIT_RUN_FAILED);
  picus_json_put(&line, "{\"model\":");
  picus_json_string(&line, cli_operand(a, 0));
  picus_json_format(&line, ",\"status\":\"%s\",\"message\":", picus_status_name(row.status));
  picus_json_string(&line, row.message);
  picus_json_put(&line, ",\"values\":{");
  for (int k = 0; k < picus_study_value_count(study); k++) {
    if (k > 0) picus_json_put(&line, ",");
    picus_json_string(&line, picus_study_value_name(study, k));
    picus_json_put(&line, ":");
    picus_json_number(&line, row.values[k]);
  }
  picus_json_put(&line, "}}");
  picus_json_add(&line, "", 1); /* the end of the text */
  const picus_status status = line.status;
  if (!status) cli_print("%s\n", line.bytes);
  picus_json_release(&line);
  if (status) return cli_report_error(context, EXIT_RUN_FAILED);
  return row.status ? EXIT_RUN_FAILED : EXIT_DONE;
}

static int interrupted(void *user, long done, long count) { return (void)done, (void)count, cli_interrupted(user); }

static int make_run(cli_sweep_job *s, const cli_model *loaded) {
  const picus_study_run_options run = {.progress = interrupted};
  picus_study *study;
  int code = cli_sweep_create(s, loaded, &study);
  if (code) return code;
  cli_catch_interrupts();
  code = picus_study_run(study, &run) ? cli_report_error(s->context, EXIT_RUN_FAILED)
                                      : print_line(s->arguments, s->context, study);
  picus_study_destroy(study);
  return code;
}

int cli_run_json(const cli_arguments *a) {
  static const cli_sweep_axis axes[] = {{"start", PICUS_AXIS_START}};
  picus_context *context = cli_context(true);
  cli_sweep_job s = {.arguments = a, .context = context, .def = picus_default_study_def()};
  cli_model loaded = {0};
  if (!context) return EXIT_RUN_FAILED;
  int code = EXIT_WRONG_INPUT;
  if (check_options(a) && cli_use_threads(context, a) && cli_sweep_read_axes(&s, 1, axes) && cli_sweep_read_collect(&s))
    code = cli_load(context, a, &loaded);
  if (code == EXIT_DONE) code = make_run(&s, &loaded);
  cli_unload(&loaded);
  cli_sweep_release(&s);
  picus_context_destroy(context);
  return code;
}
