/* The progress of a run: the bar on a terminal, Ctrl-C, and a small file for batch queues. */
#include "base/output_file.h"
#include "base/printable.h"
#include "cli.h"
#include "platform/console.h"
#include "platform/threads.h"

#include <math.h>
#include <string.h>

/* --- on a terminal ------------------------------------------------------------------------------------------------ */

void cli_catch_ends(void) { picus_console_catch_ends(); }

void cli_catch_interrupts(void) {
  picus_console_catch_ends();
  picus_console_ignore_broken_pipes();
}

int cli_interrupted(void *unused) {
  (void)unused;
  return picus_console_end_is_wanted();
}

enum { LONG_SECONDS = 10 };

cli_long_work cli_long_work_begin(const cli_arguments *a, const picus_system *system) {
  return (cli_long_work){.begin = picus_clock_steady(),
                         .numbers = picus_system_nq(system) + picus_system_nu(system),
                         .is_quiet = cli_given(a, "quiet")};
}

int cli_long_work_ends(void *work) {
  cli_long_work *w = work;
  if (!w->is_quiet && picus_clock_steady() - w->begin > LONG_SECONDS) {
    cli_fprint(
        stderr,
        "note: %d coordinates and velocities, and as many derivatives of each, are followed through a period; this "
        "takes long if the motion is stiff, as that of many elements is. Ctrl-C tells how far it is\n",
        w->numbers);
    w->is_quiet = true;
  }
  return cli_interrupted(NULL);
}

void cli_progress_begin(cli_progress *progress, const char *name, bool quiet, double t_begin) {
  *progress = (cli_progress){.name = name, .shown = !quiet && picus_console_is_terminal(stderr), .t_begin = t_begin};
  progress->begin = picus_clock_steady();
  progress->last = progress->begin;
}

static void write_duration(char *text, size_t size, double seconds) {
  if (!isfinite(seconds))
    snprintf(text, size, "?");
  else if (seconds >= 3600)
    snprintf(text, size, "%ld:%02ld:%02ld", (long)seconds / 3600, (long)seconds / 60 % 60, (long)seconds % 60);
  else
    snprintf(text, size, "%ld:%02ld", (long)seconds / 60, (long)seconds % 60);
}

void cli_progress_show(cli_progress *progress, double share, const char *text) {
  enum { WIDTH = 30 };
  char bar[WIDTH + 1], left[32];
  const double time_now = picus_clock_steady(), elapsed = time_now - progress->begin;
  if (!progress->shown || time_now - progress->last < 0.1) return;
  const int filled = (int)(share * WIDTH);
  for (int i = 0; i < WIDTH; i++) bar[i] = i < filled ? '#' : '.';
  bar[WIDTH] = '\0';
  write_duration(left, sizeof left, share > 0 ? elapsed * (1 - share) / share : NAN);
  cli_fprint(stderr, "\r%s [%s] %3.0f %%  %s  %s left   ", progress->name, bar, 100 * share, text, left);
  fflush(stderr);
  progress->last = time_now;
  progress->drawn = true;
}

int cli_progress_update(void *user, double t, double t_end, long steps) {
  cli_progress *progress = user;
  if (picus_console_end_is_wanted()) return 1;
  if (!progress->shown) return 0;
  const double span = t_end - progress->t_begin, elapsed = picus_clock_steady() - progress->begin;
  char text[64];
  snprintf(text, sizeof text, "t = %-9.4g  %.3g steps/s", t, elapsed > 0 ? (double)steps / elapsed : 0);
  cli_progress_show(progress, span > 0 ? (t - progress->t_begin) / span : 1, text);
  return 0;
}

void cli_progress_end(cli_progress *progress) {
  if (progress->drawn) cli_fprint(stderr, "\r%*s\r", 110, "");
  progress->drawn = false;
}

/* --- in a file ---------------------------------------------------------------------------------------------------- */

enum { TEXT_SIZE = 2048, NAME_SIZE = 200 };

static const char kind[] = "a progress file";

bool cli_progress_file_check(picus_context *context, const char *path) {
  if (!path || !picus_output_check_regular(context, path, kind)) return true;
  cli_report_error(context, EXIT_WRONG_INPUT);
  return false;
}

void cli_progress_file_begin(cli_progress_file *f, picus_context *context, const char *path, const char *model) {
  *f = (cli_progress_file){.context = context, .path = path, .model = model, .begin = picus_clock_steady()};
}

void cli_progress_file_start(cli_progress_file *f, double t_start, double t) {
  f->t_start = t_start;
  f->t_begin = t;
}

/* A number, or null. */
static const char *number(double value, char text[32]) {
  if (isfinite(value))
    snprintf(text, 32, "%.9g", value);
  else
    snprintf(text, 32, "null");
  return text;
}

/* A name of any bytes as a string of JSON: characters that are not printable UTF-8 are shown as \xHH. */
static void copy_name(const char *name, char text[2 * NAME_SIZE]) {
  char clean[NAME_SIZE];
  size_t length = 0;
  picus_printable(name, false, clean, sizeof clean);
  for (const char *c = clean; *c; c++) {
    if (*c == '"' || *c == '\\' || *c == '\t') text[length++] = '\\';
    text[length++] = *c == '\t' ? 't' : *c;
  }
  text[length] = '\0';
}

static int describe(const cli_progress_file *f, const cli_progress_state *s, double elapsed, char text[TEXT_SIZE]) {
  const double span = s->t_end - f->t_start, rate = elapsed > 0 ? (s->t - f->t_begin) / elapsed : 0;
  const double share = span > 0 ? fmin(fmax((s->t - f->t_start) / span, 0), 1) : 1;
  const double left = s->t >= s->t_end ? 0 : rate > 0 ? (s->t_end - s->t) / rate : NAN;
  char numbers[7][32], name[2 * NAME_SIZE];
  copy_name(f->model, name);
  return snprintf(text, TEXT_SIZE,
                  "{\"model\": \"%s\", \"status\": \"%s\", \"t\": %s, \"t_end\": %s, \"fraction\": %s, "
                  "\"steps\": %ld, \"elapsed_s\": %s, \"left_s\": %s, \"t_per_s\": %s, \"checkpoint_t\": %s}\n",
                  name, s->status, number(s->t, numbers[0]), number(s->t_end, numbers[1]), number(share, numbers[2]),
                  s->steps, number(elapsed, numbers[3]), number(left, numbers[4]), number(rate, numbers[5]),
                  number(s->checkpoint_t, numbers[6]));
}

void cli_progress_file_write(cli_progress_file *f, const cli_progress_state *state, bool is_due) {
  char text[TEXT_SIZE];
  if (!f->path) return;
  const double time = picus_clock_steady();
  if (!is_due && time - f->last < f->pause) return;
  const int length = describe(f, state, time - f->begin, text);
  if (length <= 0 || length >= TEXT_SIZE) return;
  picus_status status = picus_output_check_regular(f->context, f->path, kind);
  if (!status) status = picus_output_save(f->context, f->path, text, (size_t)length);
  if (status && !f->told_failure)
    cli_complain("the progress cannot be written: %s", picus_last_error(f->context)->message);
  if (status) picus_clear_error(f->context);
  f->told_failure = f->told_failure || status;
  f->last = picus_clock_steady();
  f->pause = fmax(1, 200 * (f->last - time)); /* on a slow disk less often: it costs at most 0.5 % */
}
