#define _POSIX_C_SOURCE 200809L
#include "progress_file.h"

#include "base/output_file.h"
#include "base/printable.h"

#include <math.h>
#include <string.h>
#include <time.h>

enum { TEXT_SIZE = 2048, NAME_SIZE = 200 };

static double now(void) {
  struct timespec time_now;
  clock_gettime(CLOCK_MONOTONIC, &time_now);
  return (double)time_now.tv_sec + 1e-9 * (double)time_now.tv_nsec;
}

static const char kind[] = "a progress file";

bool cli_progress_file_check(picus_context *context, const char *path) {
  if (!path || !picus_output_check_regular(context, path, kind)) return true;
  cli_report_error(context, EXIT_WRONG_INPUT);
  return false;
}

void cli_progress_file_begin(cli_progress_file *f, picus_context *context, const char *path, const char *model) {
  *f = (cli_progress_file){.context = context, .path = path, .model = model, .begin = now()};
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
  const double time = now();
  if (!is_due && time - f->last < f->pause) return;
  const int length = describe(f, state, time - f->begin, text);
  if (length <= 0 || length >= TEXT_SIZE) return;
  picus_status status = picus_output_check_regular(f->context, f->path, kind);
  if (!status) status = picus_output_save(f->context, f->path, text, (size_t)length);
  if (status && !f->told_failure)
    cli_complain("the progress cannot be written: %s", picus_last_error(f->context)->message);
  if (status) picus_clear_error(f->context);
  f->told_failure = f->told_failure || status;
  f->last = now();
  f->pause = fmax(1, 200 * (f->last - time)); /* on a slow disk less often: it costs at most 0.5 % */
}
