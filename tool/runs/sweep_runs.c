/* The runs of picus sweep, by one process or by the ranks of an MPI job, their journals and files.
 *
 * A process writes its own journal. All read the journals that are there before any of them makes a run; the first one
 * reads those of the others at the end. So a study that was killed continues with any number of processes. */
#include "base/output_file.h"
#include "cli/run_options.h"
#include "platform/files.h"
#include "platform/threads.h"
#include "sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- journals ----------------------------------------------------------------------------------------------------- */

/* The journal that this process writes; "": none. */
static bool own_journal(const cli_sweep_job *s, char name[PICUS_PATH_SIZE]) {
  int length = 0;
  name[0] = '\0';
  if (!*s->journal) return true;
  if (s->part_count) return cli_sweep_journal_of_part(s, s->part, s->part_count, name);
  if (cli_ranks_count(s->ranks) == 1)
    length = snprintf(name, PICUS_PATH_SIZE, "%s", s->journal);
  else
    length = snprintf(name, PICUS_PATH_SIZE, "%s.rank-%d", s->journal, cli_ranks_number(s->ranks) + 1);
  return length > 0 && length < PICUS_PATH_SIZE;
}

typedef picus_status (*journal_function)(picus_study *study, const char *path);
/* ".rank-3", ".1-of-4"; empty: of a process alone. */
typedef bool (*ending_function)(const char *rest);

static bool is_of_rank(const char *rest) { return !*rest || strncmp(rest, ".rank-", 6) == 0; }
static bool is_of_any(const char *rest) { return is_of_rank(rest) || (*rest == '.' && strstr(rest, "-of-")); }

typedef struct journal_visit {
  const cli_sweep_job *job;
  const char *name; /* of the journal, in its folder */
  picus_study *study;
  ending_function is_wanted;
  journal_function function;
  picus_status status;
} journal_visit;

static bool visit_journal(void *user, const char *entry) {
  journal_visit *v = user;
  const size_t length = strlen(v->name), before = (size_t)(v->name - v->job->journal);
  char path[2 * PICUS_PATH_SIZE];
  if (strncmp(entry, v->name, length) != 0 || !v->is_wanted(entry + length)) return true;
  snprintf(path, sizeof path, "%.*s%s", (int)before, v->job->journal, entry);
  v->status = v->function(v->study, path);
  return !v->status;
}

/* Calls a function for the journals that processes have left. */
static picus_status for_journals(const cli_sweep_job *s, picus_study *study, ending_function is_wanted,
                                 journal_function function) {
  char folder[PICUS_PATH_SIZE];
  journal_visit visit = {s, picus_last_name(s->journal), study, is_wanted, function, PICUS_OK};
  picus_folder_name(s->journal, folder);
  (void)picus_folder_list(folder, visit_journal, &visit);
  return visit.status;
}

/* Reads the journals that may have runs of this study. */
static picus_status read_journals(const cli_sweep_job *s, picus_study *study) {
  char name[PICUS_PATH_SIZE];
  if (!*s->journal) return PICUS_OK;
  if (!s->part_count) return for_journals(s, study, is_of_rank, picus_study_read_journal);
  return own_journal(s, name) ? picus_study_read_journal(study, name) : PICUS_OK;
}

/* --- files -------------------------------------------------------------------------------------------------------- */

/* A line for each point, with its varied values and its attractor. */
static picus_status save_basins(const cli_sweep_job *s, const picus_study *study, const int *basins) {
  const long points = picus_study_count(study);
  const int axes = picus_study_axis_count(study);
  size_t size = 0, room = 32 * (size_t)(points + 1) * (size_t)(axes + 2) + 4096;
  for (int k = 0; k < axes; k++) room += strlen(picus_study_axis_name(study, k));
  char *all = malloc(room);
  if (!all) return PICUS_ERROR_MEMORY;
  size += (size_t)snprintf(all + size, room - size, "point");
  for (int k = 0; k < axes; k++)
    size += (size_t)snprintf(all + size, room - size, ",%s", picus_study_axis_name(study, k));
  size += (size_t)snprintf(all + size, room - size, ",attractor\n");
  for (long i = 0; i < points; i++) {
    size += (size_t)snprintf(all + size, room - size, "%ld", i);
    for (int k = 0; k < axes; k++)
      size += (size_t)snprintf(all + size, room - size, ",%.17g", picus_study_row_at(study, i).point[k]);
    size += (size_t)snprintf(all + size, room - size, ",%d\n", basins[i]);
  }
  const picus_status status = picus_output_save(s->context, cli_value(s->arguments, "basins", 0), all, size);
  free(all);
  return status;
}

static picus_status write_basins(const cli_sweep_job *s, const picus_study *study) {
  double tolerance = 1e-3;
  int count = 0, *basins = calloc((size_t)picus_study_count(study) + 1, sizeof *basins);
  if (!basins) return PICUS_ERROR_MEMORY;
  if (cli_given(s->arguments, "basins-tol"))
    tolerance = cli_number_of(s->context, cli_value(s->arguments, "basins-tol", 0));
  picus_status status = picus_study_basins(study, tolerance, basins, &count);
  if (!status) status = save_basins(s, study, basins);
  if (!status && !cli_given(s->arguments, "quiet")) cli_print("%d attractor%s\n", count, count == 1 ? "" : "s");
  free(basins);
  return status;
}

static int write_files(const cli_sweep_job *s, const picus_study *study) {
  const cli_arguments *a = s->arguments;
  picus_status status = cli_given(a, "check") ? picus_study_check(study, cli_value(a, "check", 0)) : PICUS_OK;
  if (!status && cli_given(a, "out")) status = picus_study_write_hdf5(study, cli_value(a, "out", 0));
  if (!status && cli_given(a, "csv")) status = picus_study_write_csv(study, cli_value(a, "csv", 0));
  if (!status && cli_given(a, "section-csv"))
    status = picus_study_write_section_csv(study, cli_value(a, "section-csv", 0));
  if (!status && cli_given(a, "basins")) status = write_basins(s, study);
  return status ? cli_report_error(s->context, EXIT_RUN_FAILED) : EXIT_DONE;
}

static long count_failed(const picus_study *study) {
  long failed = 0;
  for (long k = 0; k < picus_study_count(study); k++) {
    const picus_study_row row = picus_study_row_at(study, k);
    failed += row.is_done && row.status;
  }
  return failed;
}

/* A table for each value: what differs, the difference to the next point, and the order. */
static void print_orders(const picus_study *study) {
  for (int value = 0; value < picus_study_value_count(study); value++) {
    int axis = -1;
    for (long k = 0; k < picus_study_count(study); k++) {
      const picus_study_order order = picus_study_order_at(study, k, value);
      if (order.axis < 0) continue;
      if (order.axis != axis)
        cli_print("\n%s\n  %12s %14s %8s\n", picus_study_value_name(study, value),
                  picus_study_axis_name(study, order.axis), "difference", "order");
      axis = order.axis;
      cli_print("  %12.6g %14.4g", order.x, order.difference);
      if (isfinite(order.order)) cli_print(" %8.3f", order.order);
      cli_print("\n");
    }
  }
}

static void print_end(const cli_sweep_job *s, const picus_study *study, long before) {
  const cli_arguments *a = s->arguments;
  const long failed = count_failed(study), done = picus_study_done(study);
  char name[PICUS_PATH_SIZE];
  if (cli_given(a, "quiet")) return;
  cli_print("%s: %ld of %ld runs", cli_operand(a, 0), done, picus_study_count(study));
  if (before) cli_print(", %ld of them from the journal", before);
  if (failed) cli_print(", %ld failed: see their messages", failed);
  if (cli_ranks_count(s->ranks) > 1) cli_print(", by %d processes", cli_ranks_count(s->ranks));
  cli_print("\n");
  if (s->part_count && own_journal(s, name)) cli_print("part %ld of %ld is in %s\n", s->part, s->part_count, name);
  for (int k = 0; !s->part_count && *s->journal && cli_sweep_results[k]; k++)
    if (cli_given(a, cli_sweep_results[k])) cli_print("results in %s\n", cli_value(a, cli_sweep_results[k], 0));
  if (cli_given(a, "orders") && !s->part_count) print_orders(study);
}

/* --- runs --------------------------------------------------------------------------------------------------------- */

typedef struct watcher {
  cli_ranks *ranks;
  cli_progress progress;
  long before; /* runs that journals had */
  double end;  /* of --nice-exit-after, by the clock (s) */
  bool time_is_over;
} watcher;

static int show(void *user, long done, long count) {
  watcher *w = user;
  char text[64];
  done = w->before + cli_ranks_serve(w->ranks, done - w->before);
  snprintf(text, sizeof text, "%ld of %ld runs", done, count);
  cli_progress_show(&w->progress, (double)done / (double)count, text);
  w->time_is_over = picus_clock_steady() > w->end;
  return w->time_is_over || cli_interrupted(NULL);
}

static void claim(void *user, long *first, long *count) { cli_ranks_claim(((watcher *)user)->ranks, first, count); }

/* The exit code; only the first process reports an interruption. */
static int explain(const cli_sweep_job *s, const watcher *w, picus_status status) {
  const bool is_wrong = status == PICUS_ERROR_IO || status == PICUS_ERROR_ARGUMENT;
  if (!status) return EXIT_DONE;
  if (status == PICUS_INTERRUPTED && w->time_is_over && *s->journal) return EXIT_TRY_AGAIN;
  if (status == PICUS_INTERRUPTED && cli_ranks_number(s->ranks) > 0) return EXIT_RUN_FAILED;
  return cli_report_error(s->context, is_wrong ? EXIT_WRONG_INPUT : EXIT_RUN_FAILED);
}

/* Makes the missing runs of this process, and waits for the other processes. */
static int make_runs(cli_sweep_job *s, picus_study *study, const char *journal) {
  watcher w = {.ranks = s->ranks,
               .before = picus_study_done(study),
               .end = s->exit_after > 0 ? picus_clock_steady() + s->exit_after : INFINITY};
  const picus_study_run_options run = {.journal = *journal ? journal : NULL,
                                       .part = (int)s->part,
                                       .part_count = (int)s->part_count,
                                       .claim = s->part_count ? NULL : claim,
                                       .progress = show,
                                       .user = &w};
  const bool is_first = cli_ranks_number(s->ranks) == 0;
  cli_ranks_set_queue(s->ranks, picus_study_missing(study), picus_context_threads(s->context));
  cli_catch_interrupts();
  cli_progress_begin(&w.progress, cli_operand(s->arguments, 0), !is_first || cli_given(s->arguments, "quiet"), 0);
  const picus_status status = picus_study_run(study, &run);
  cli_ranks_serve(s->ranks, picus_study_done(study) - w.before);
  cli_ranks_leave_queue(s->ranks, status);
  cli_progress_end(&w.progress);
  return cli_ranks_agree(s->ranks, explain(s, &w, status));
}

int cli_sweep_create(cli_sweep_job *s, const cli_model *loaded, picus_study **study) {
  const cli_arguments *a = s->arguments;
  picus_sim_options o = picus_model_sim_options(loaded->model);
  if (!cli_choose_adaptive(a, &o) || !cli_read_run_options(a, &o)) return EXIT_WRONG_INPUT;
  if (o.adaptive) cli_choose_base(s->context, a, loaded, &o);
  cli_keep_heeded(s->context, a, loaded->model, &o);
  picus_study_def def = s->def;
  def.command = s->command;
  def.model = loaded->model;
  def.system = loaded->system;
  def.options = &o;
  return picus_study_create(s->context, &def, study) ? cli_report_error(s->context, EXIT_WRONG_INPUT) : EXIT_DONE;
}

int cli_sweep_run(cli_sweep_job *s, picus_study *study) {
  char journal[PICUS_PATH_SIZE] = "";
  int code = study && own_journal(s, journal) ? EXIT_DONE : EXIT_WRONG_INPUT;
  if (code == EXIT_DONE && (read_journals(s, study) || (cli_given(s->arguments, "check") &&
                                                        picus_study_check(study, cli_value(s->arguments, "check", 0)))))
    code = cli_report_error(s->context, EXIT_WRONG_INPUT);
  code = cli_ranks_agree(s->ranks, code); /* no process writes before all have read */
  if (code) return code;
  const long before = picus_study_done(study);
  code = make_runs(s, study, journal);
  if (cli_ranks_number(s->ranks) > 0) return code;
  if (cli_ranks_count(s->ranks) > 1 && read_journals(s, study)) return cli_report_error(s->context, EXIT_WRONG_INPUT);
  if ((code == EXIT_RUN_FAILED || code == EXIT_TRY_AGAIN) && *journal)
    cli_complain("%ld of %ld runs are in '%s'; the same command continues with the others", picus_study_done(study),
                 picus_study_count(study), journal);
  if (code == EXIT_DONE && !s->part_count) code = write_files(s, study);
  if (code == EXIT_DONE && !s->part_count && *journal && for_journals(s, study, is_of_rank, picus_study_remove_journal))
    code = cli_report_error(s->context, EXIT_RUN_FAILED);
  if (code == EXIT_DONE) print_end(s, study, before);
  return code;
}

/* The runs of all parts, which must be complete. */
static int take_parts(cli_sweep_job *s, picus_study *study) {
  char name[PICUS_PATH_SIZE];
  for (long part = 1; part <= s->merge; part++)
    if (!cli_sweep_journal_of_part(s, part, s->merge, name) || picus_study_read_journal(study, name))
      return cli_report_error(s->context, EXIT_WRONG_INPUT);
  const long missing = picus_study_count(study) - picus_study_done(study);
  for (long k = 0; missing && k < picus_study_count(study); k++) {
    if (picus_study_row_at(study, k).is_done) continue;
    cli_complain("%ld of %ld runs are missing; complete --part %ld/%ld first", missing, picus_study_count(study),
                 (long)picus_study_part_of(study, k, (int)s->merge), s->merge);
    return EXIT_RUN_FAILED;
  }
  return EXIT_DONE;
}

int cli_sweep_collect(cli_sweep_job *s, picus_study *study) {
  int code = EXIT_DONE;
  if (s->merge)
    code = take_parts(s, study);
  else if (for_journals(s, study, is_of_any, picus_study_read_journal))
    code = cli_report_error(s->context, EXIT_WRONG_INPUT);
  if (code == EXIT_DONE) code = write_files(s, study);
  if (code == EXIT_DONE) print_end(s, study, 0);
  return code;
}
