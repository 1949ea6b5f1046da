/* Runs the commands of items as processes of the tool itself, several items at a time. What is complete and unchanged
 * is kept: DIR/PAPER/ITEM/complete lists the steps and their times. */
#include "cli/paths.h"
#include "cli/saved_text.h"
#include "reproduce.h"

#include "base/input_file.h"
#include "base/internal.h"
#include "platform/files.h"
#include "platform/threads.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 4096 };

static void path_in(const reproduce_run *run, const char *name, char path[PATH_SIZE]) {
  snprintf(path, PATH_SIZE, "%s/%s", run->folder, name);
}

/* The number of a command among the commands of its item, from 1. */
static int command_number(const reproduce_item *item, int step) {
  int number = 0;
  for (int k = 0; k <= step; k++) number += item->steps[k].words != NULL;
  return number;
}

/* --- what is complete --------------------------------------------------------------------------------------------- */

typedef struct complete_run {
  const reproduce_session *session;
  const reproduce_run *run;
} complete_run;

static void list_steps(FILE *file, const void *user) {
  const complete_run *c = user;
  fprintf(file, "%s\n", c->session->stamp);
  for (int k = 0; k < c->run->item->step_count; k++)
    fprintf(file, "%.3f %.6f\t%s\n", c->run->seconds[k], c->run->cpu[k], c->run->item->steps[k].text);
}

static void write_complete(const reproduce_session *s, const reproduce_run *run) {
  char path[PATH_SIZE];
  path_in(run, "complete", path);
  (void)cli_save_text(s->context, path, list_steps, &(complete_run){s, run}); /* else it is computed again next time */
}

/* Are these the steps of the item, and is every shown file there? Reads the times. */
static bool is_complete(const reproduce_session *s, reproduce_run *run) {
  char path[PATH_SIZE], *line = NULL;
  size_t size = 0;
  path_in(run, "complete", path);
  FILE *file = picus_stream_read(path);
  bool same = file && cli_next_line(file, &line, &size) > 0 && strncmp(line, s->stamp, strlen(s->stamp)) == 0;
  for (int k = 0; same && k < run->item->step_count; k++) {
    const size_t length = cli_next_line(file, &line, &size);
    char *text = length > 0 ? strchr(line, '\t') : NULL;
    if (text) line[length - 1] = '\0';
    same = text && strcmp(text + 1, run->item->steps[k].text) == 0;
    char *end = line;
    if (same) run->seconds[k] = strtod(line, &end);
    if (same) run->cpu[k] = strtod(end, NULL);
  }
  same = same && cli_next_line(file, &line, &size) == 0;
  free(line);
  if (file) fclose(file);
  for (int k = 0; same && k < run->item->shown_count; k++) {
    path_in(run, run->item->shown[k].file, path);
    same = run->item->shown[k].kind == SHOWN_OUTPUT || picus_path_exists(path);
  }
  return same;
}

/* 0, or an error number. */
static int make_folders(const char *path) {
  char part[PATH_SIZE];
  snprintf(part, sizeof part, "%s", path);
  for (char *p = part + 1; *p; p++) {
    if (!picus_is_separator(*p)) continue;
    const char separator = *p;
    *p = '\0';
    const int error = picus_folder_make(part);
    if (error && error != EEXIST) return error;
    *p = separator;
  }
  const int error = picus_folder_make(part);
  return error == EEXIST ? 0 : error;
}

/* Before the first step: no marks and tables of an earlier call stay. */
static bool prepare(reproduce_run *run) {
  char path[PATH_SIZE];
  const int error = make_folders(run->folder);
  if (error) {
    cli_complain("cannot create the folder '%s': %s", run->folder, strerror(error));
    return false;
  }
  path_in(run, "complete", path);
  (void)picus_remove(path);
  for (int k = 0; k < run->item->step_count; k++) {
    if (!run->item->steps[k].table) continue;
    path_in(run, run->item->steps[k].table, path);
    (void)picus_remove(path);
  }
  return true;
}

/* --- commands ----------------------------------------------------------------------------------------------------- */

void reproduce_stream_name(int number, int stream, char name[REPRODUCE_NAME_SIZE]) {
  snprintf(name, REPRODUCE_NAME_SIZE, "command-%d.%s", number, stream == 0 ? "out" : "err");
}

/* Standard output and standard error of a command go to files of the item. */
static bool open_streams(const reproduce_session *s, reproduce_run *run, int number) {
  char name[REPRODUCE_NAME_SIZE], path[PATH_SIZE];
  for (int k = 0; k < 2; k++) {
    reproduce_stream_name(number, k, name);
    path_in(run, name, path);
    if (!picus_output_open(s->context, path, &run->streams[k])) continue;
    snprintf(run->reason, sizeof run->reason, "%s", cli_error_text(s->context));
    if (k == 1) picus_output_discard(&run->streams[0]);
    return false;
  }
  return true;
}

static void close_streams(reproduce_run *run) {
  for (int k = 0; k < 2; k++)
    if (run->streams[k].path) (void)picus_output_publish(&run->streams[k]);
}

/* No link in the folder of the item leads its outputs to another place. */
static bool stays_below(reproduce_run *run, const reproduce_step *step) {
  char path[PATH_SIZE];
  for (int k = 0; k < step->output_count; k++) {
    path_in(run, step->outputs[k], path);
    if (cli_path_is_in(run->folder, path)) continue;
    snprintf(run->reason, sizeof run->reason, "'%.200s' is not in the folder of the item, or is a link",
             step->outputs[k]);
    return false;
  }
  return true;
}

static bool start_command(const reproduce_session *s, reproduce_run *run) {
  const reproduce_step *step = &run->item->steps[run->step];
  if (!stays_below(run, step) || !open_streams(s, run, command_number(run->item, run->step))) return false;
  const int error = picus_process_start(&(picus_program){.words = (const char *const *)step->words,
                                                         .path = s->tool,
                                                         .folder = run->folder,
                                                         .input = -1,
                                                         .output = run->streams[0].descriptor,
                                                         .errors = run->streams[1].descriptor},
                                        &run->process);
  if (error) {
    snprintf(run->reason, sizeof run->reason, "cannot start a process: %s", strerror(error));
    close_streams(run);
    return false;
  }
  run->begin = picus_clock_steady();
  return true;
}

/* The last line that a command wrote to standard error. */
static void last_words(const reproduce_run *run, int number, char *out, size_t size) {
  char name[REPRODUCE_NAME_SIZE], path[PATH_SIZE], line[512];
  out[0] = '\0';
  reproduce_stream_name(number, 1, name);
  path_in(run, name, path);
  FILE *file = picus_stream_read(path);
  while (file && fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = '\0';
    if (line[0]) snprintf(out, size, ": %.250s", line);
  }
  if (file) fclose(file);
}

/* --- tables ------------------------------------------------------------------------------------------------------- */

/* A table with one row more. */
typedef struct longer_table {
  const reproduce_step *step;
  const unsigned char *bytes; /* so far */
  size_t size;
  const double *values;
} longer_table;

static void write_table(FILE *file, const void *user) {
  const longer_table *t = user;
  const reproduce_step *step = t->step;
  if (t->size > 0) fwrite(t->bytes, 1, t->size, file);
  for (int k = 0; t->size == 0 && k < step->cell_count; k++)
    fprintf(file, "%s%s", k ? "," : "", step->cells[k].heading);
  if (t->size == 0) fputc('\n', file);
  for (int k = 0; k < step->cell_count; k++) fprintf(file, "%s%.9g", k ? "," : "", t->values[k]);
  fputc('\n', file);
}

static bool save_row(const reproduce_session *s, reproduce_run *run, const double *values) {
  enum { TABLE_MOST = 1 << 24 };
  const reproduce_step *step = &run->item->steps[run->step];
  char path[PATH_SIZE];
  unsigned char *bytes = NULL;
  size_t size = 0;
  path_in(run, step->table, path);
  bool fine = !picus_path_exists(path) || !picus_file_bytes(s->context, path, TABLE_MOST, &bytes, &size);
  fine = fine && cli_save_text(s->context, path, write_table, &(longer_table){step, bytes, size, values});
  if (!fine) snprintf(run->reason, sizeof run->reason, "cannot write '%.200s'", step->table);
  picus_release(s->context, bytes);
  return fine;
}

static bool add_row(const reproduce_session *s, reproduce_run *run) {
  const reproduce_step *step = &run->item->steps[run->step];
  double *values = calloc((size_t)step->cell_count + 1, sizeof *values);
  bool fine = values != NULL;
  if (!fine) snprintf(run->reason, sizeof run->reason, "out of memory");
  for (int k = 0; fine && k < step->cell_count; k++) {
    values[k] = reproduce_evaluate(s->context, run, &step->cells[k].what, run->reason, sizeof run->reason);
    fine = !isnan(values[k]);
  }
  fine = fine && save_row(s, run, values);
  free(values);
  return fine;
}

/* --- the schedule ------------------------------------------------------------------------------------------------- */

static void tell(reproduce_session *s, const reproduce_run *run) {
  if (s->quiet) return;
  cli_progress_end(&s->progress);
  double seconds = 0;
  for (int k = 0; k < run->item->step_count; k++) seconds += run->seconds[k];
  cli_print("%-4s %-12s %s", s->table->papers[run->item->paper].id, run->item->id,
            run->state == ITEM_FAILED ? "failed"
            : run->kept               ? "kept"
                                      : "run");
  if (run->state == ITEM_FAILED)
    cli_print(": %s\n", run->reason);
  else
    cli_print(" (%.1f s)\n", seconds);
  fflush(stdout);
}

/* On a terminal: items and commands that are done. */
static void show_progress(reproduce_session *s) {
  int items = 0, commands = 0, done = 0;
  char text[64];
  for (int k = 0; k < s->count; k++) {
    const reproduce_run *run = &s->runs[k];
    const bool ended = run->state == ITEM_COMPLETE || run->state == ITEM_FAILED;
    items += ended;
    commands += run->item->step_count;
    done += ended ? run->item->step_count : run->state == ITEM_RUNNING ? run->step : 0;
  }
  snprintf(text, sizeof text, "%d of %d items", items, s->count);
  cli_progress_show(&s->progress, commands ? (double)done / commands : 1, text);
}

static void end_run(reproduce_session *s, reproduce_run *run, item_state state) {
  run->state = state;
  if (state == ITEM_COMPLETE && !run->kept) write_complete(s, run);
  if (run->item->step_count > 0 || state == ITEM_FAILED) tell(s, run);
}

static void write_lua(FILE *file, const void *user) { fprintf(file, "%s\n", ((const reproduce_step *)user)->lua); }

static bool save_model(const reproduce_session *s, reproduce_run *run) {
  const reproduce_step *step = &run->item->steps[run->step];
  char path[PATH_SIZE];
  path_in(run, step->model, path);
  if (cli_save_text(s->context, path, write_lua, step)) return true;
  snprintf(run->reason, sizeof run->reason, "cannot write '%.200s'", step->model);
  return false;
}

/* Goes on to the next command; models are written and rows of tables are added at once. */
static void proceed(reproduce_session *s, reproduce_run *run) {
  for (; run->step < run->item->step_count; run->step++) {
    const reproduce_step *step = &run->item->steps[run->step];
    if (step->words) {
      if (!start_command(s, run)) end_run(s, run, ITEM_FAILED);
      return;
    }
    const double begin = picus_clock_steady();
    if (!(step->model ? save_model(s, run) : add_row(s, run))) {
      end_run(s, run, ITEM_FAILED);
      return;
    }
    run->seconds[run->step] = picus_clock_steady() - begin;
  }
  end_run(s, run, ITEM_COMPLETE);
}

static void begin_run(reproduce_session *s, reproduce_run *run) {
  run->state = ITEM_RUNNING;
  if (is_complete(s, run)) {
    run->kept = true;
    end_run(s, run, ITEM_COMPLETE);
  } else if (!prepare(run))
    end_run(s, run, ITEM_FAILED);
  else
    proceed(s, run);
}

static void finish_command(reproduce_session *s, reproduce_run *run, picus_process_state state, int code) {
  close_streams(run);
  run->seconds[run->step] = picus_clock_steady() - run->begin;
  if (state == PICUS_PROCESS_ENDED && code == 0) {
    run->step++;
    proceed(s, run);
    return;
  }
  const int number = command_number(run->item, run->step);
  char words[256];
  last_words(run, number, words, sizeof words);
  snprintf(run->reason, sizeof run->reason, "command %d ended %s %d%s", number,
           state == PICUS_PROCESS_KILLED ? "by signal" : "with code", code, words);
  end_run(s, run, ITEM_FAILED);
}

static int running(const reproduce_session *s) {
  int count = 0;
  for (int k = 0; k < s->count; k++) count += s->runs[k].state == ITEM_RUNNING;
  return count;
}

static void collect(reproduce_session *s) {
  for (int k = 0; k < s->count; k++) {
    int code;
    reproduce_run *run = &s->runs[k];
    if (!run->process.own) continue;
    const double before = picus_clock_children();
    const picus_process_state state = picus_process_look(&run->process, false, &code);
    if (state == PICUS_PROCESS_RUNS) continue;
    run->cpu[run->step] = picus_clock_children() - before;
    finish_command(s, run, state, code);
  }
}

/* Ends the commands under way and waits for them. */
static void give_up(const reproduce_session *s) {
  for (int k = 0; k < s->count; k++)
    if (s->runs[k].process.own) picus_process_ask_to_end(&s->runs[k].process);
  for (int k = 0; k < s->count; k++) {
    int code;
    if (s->runs[k].process.own) (void)picus_process_look(&s->runs[k].process, true, &code);
    close_streams(&s->runs[k]);
    if (s->runs[k].state != ITEM_COMPLETE && s->runs[k].state != ITEM_FAILED) s->runs[k].state = ITEM_LEFT;
  }
}

bool reproduce_run_all(reproduce_session *s) {
  int next = 0;
  cli_progress_begin(&s->progress, "reproduce", s->quiet, 0);
  while ((next < s->count || running(s) > 0) && !cli_interrupted(NULL)) {
    while (next < s->count && running(s) < s->jobs) begin_run(s, &s->runs[next++]);
    if (running(s) > 0) picus_clock_wait(0.005);
    collect(s);
    show_progress(s);
  }
  cli_progress_end(&s->progress);
  if (!cli_interrupted(NULL)) return true;
  give_up(s);
  cli_complain("interrupted; the same command continues with the incomplete items");
  return false;
}
