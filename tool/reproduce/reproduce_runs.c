/* Runs the commands of items as processes of the tool itself, several items at a time. What is complete and unchanged
 * is kept: DIR/PAPER/ITEM/complete lists the steps and their times. */
#define _POSIX_C_SOURCE 200809L
#include "cli/paths.h"
#include "cli/saved_text.h"
#include "reproduce.h"

#include "base/input_file.h"
#include "base/internal.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* CPU time of all processes that have ended and were waited for. */
static double cpu_of_ended(void) {
  struct rusage used = {0};
  (void)getrusage(RUSAGE_CHILDREN, &used);
  return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

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
  FILE *file = fopen(path, "r");
  bool same = file && getline(&line, &size, file) > 0 && strncmp(line, s->stamp, strlen(s->stamp)) == 0;
  for (int k = 0; same && k < run->item->step_count; k++) {
    const ssize_t length = getline(&line, &size, file);
    char *text = length > 0 ? strchr(line, '\t') : NULL;
    if (text) line[length - 1] = '\0';
    same = text && strcmp(text + 1, run->item->steps[k].text) == 0;
    char *end = line;
    if (same) run->seconds[k] = strtod(line, &end);
    if (same) run->cpu[k] = strtod(end, NULL);
  }
  same = same && getline(&line, &size, file) < 0;
  free(line);
  if (file) fclose(file);
  for (int k = 0; same && k < run->item->shown_count; k++) {
    path_in(run, run->item->shown[k].file, path);
    same = run->item->shown[k].kind == SHOWN_OUTPUT || access(path, R_OK) == 0;
  }
  return same;
}

static bool make_folders(const char *path) {
  char part[PATH_SIZE];
  snprintf(part, sizeof part, "%s", path);
  for (char *p = part + 1; *p; p++) {
    if (*p != '/') continue;
    *p = '\0';
    if (mkdir(part, 0777) != 0 && errno != EEXIST) return false;
    *p = '/';
  }
  return mkdir(part, 0777) == 0 || errno == EEXIST;
}

/* Before the first step: no marks and tables of an earlier call stay. */
static bool prepare(reproduce_run *run) {
  char path[PATH_SIZE];
  if (!make_folders(run->folder)) {
    cli_complain("cannot create the folder '%s': %s", run->folder, strerror(errno));
    return false;
  }
  path_in(run, "complete", path);
  remove(path);
  for (int k = 0; k < run->item->step_count; k++) {
    if (!run->item->steps[k].table) continue;
    path_in(run, run->item->steps[k].table, path);
    remove(path);
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

/* In the child: output into files, then the tool. Does not return. */
static void become(const reproduce_session *s, const reproduce_run *run, char *const *words) {
  if (chdir(run->folder) != 0) _exit(126);
  for (int k = 0; k < 2; k++)
    if (dup2(run->streams[k].descriptor, STDOUT_FILENO + k) < 0) _exit(126);
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  signal(SIGPIPE, SIG_DFL);
  execv(s->tool, words);
  _exit(127);
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
  fflush(NULL);
  const pid_t process = fork();
  if (process == 0) become(s, run, step->words);
  if (process < 0) {
    snprintf(run->reason, sizeof run->reason, "cannot start a process: %s", strerror(errno));
    close_streams(run);
    return false;
  }
  run->process = process;
  run->begin = now();
  return true;
}

/* The last line that a command wrote to standard error. */
static void last_words(const reproduce_run *run, int number, char *out, size_t size) {
  char name[REPRODUCE_NAME_SIZE], path[PATH_SIZE], line[512];
  out[0] = '\0';
  reproduce_stream_name(number, 1, name);
  path_in(run, name, path);
  FILE *file = fopen(path, "r");
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
  bool fine = access(path, F_OK) != 0 || !picus_file_bytes(s->context, path, TABLE_MOST, &bytes, &size);
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
  run->process = 0;
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
    const double begin = now();
    if (!(step->model ? save_model(s, run) : add_row(s, run))) {
      end_run(s, run, ITEM_FAILED);
      return;
    }
    run->seconds[run->step] = now() - begin;
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

static void finish_command(reproduce_session *s, reproduce_run *run, int status) {
  run->process = 0;
  close_streams(run);
  run->seconds[run->step] = now() - run->begin;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    run->step++;
    proceed(s, run);
    return;
  }
  const int number = command_number(run->item, run->step);
  char words[256];
  last_words(run, number, words, sizeof words);
  if (WIFSIGNALED(status))
    snprintf(run->reason, sizeof run->reason, "command %d ended by signal %d%s", number, WTERMSIG(status), words);
  else
    snprintf(run->reason, sizeof run->reason, "command %d ended with code %d%s", number, WEXITSTATUS(status), words);
  end_run(s, run, ITEM_FAILED);
}

static int running(const reproduce_session *s) {
  int count = 0;
  for (int k = 0; k < s->count; k++) count += s->runs[k].state == ITEM_RUNNING;
  return count;
}

static void collect(reproduce_session *s) {
  for (int k = 0; k < s->count; k++) {
    int status = 0;
    reproduce_run *run = &s->runs[k];
    const double before = run->process > 0 ? cpu_of_ended() : 0;
    if (run->process <= 0 || waitpid((pid_t)run->process, &status, WNOHANG) <= 0) continue;
    run->cpu[run->step] = cpu_of_ended() - before;
    finish_command(s, run, status);
  }
}

/* Ends the commands under way and waits for them. */
static void give_up(const reproduce_session *s) {
  for (int k = 0; k < s->count; k++)
    if (s->runs[k].process > 0) kill((pid_t)s->runs[k].process, SIGTERM);
  for (int k = 0; k < s->count; k++) {
    if (s->runs[k].process > 0) waitpid((pid_t)s->runs[k].process, NULL, 0);
    close_streams(&s->runs[k]);
    if (s->runs[k].state != ITEM_COMPLETE && s->runs[k].state != ITEM_FAILED) s->runs[k].state = ITEM_LEFT;
  }
}

bool reproduce_run_all(reproduce_session *s) {
  const struct timespec pause = {.tv_nsec = 5000000};
  int next = 0;
  cli_progress_begin(&s->progress, "reproduce", s->quiet, 0);
  while ((next < s->count || running(s) > 0) && !cli_interrupted(NULL)) {
    while (next < s->count && running(s) < s->jobs) begin_run(s, &s->runs[next++]);
    if (running(s) > 0) nanosleep(&pause, NULL);
    collect(s);
    show_progress(s);
  }
  cli_progress_end(&s->progress);
  if (!cli_interrupted(NULL)) return true;
  give_up(s);
  cli_complain("interrupted; the same command continues with the incomplete items");
  return false;
}
