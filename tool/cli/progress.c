/* The progress bar (on a terminal only) and Ctrl-C. */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"

#include <math.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

/* Set by the signal handler: the only state that cannot belong to an object. */
static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal_number) {
  (void)signal_number;
  interrupted = 1;
}

void cli_catch_ends(void) {
  /* SA_RESETHAND: a second Ctrl-C ends the program at once */
  struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  struct sigaction hangup;
  if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN) /* nohup ignores it */
    sigaction(SIGHUP, &action, NULL);
}

void cli_catch_interrupts(void) {
  cli_catch_ends();
  signal(SIGPIPE, SIG_IGN);
}

int cli_interrupted(void *unused) {
  (void)unused;
  return interrupted;
}

static double now(void) {
  struct timespec time_now;
  clock_gettime(CLOCK_MONOTONIC, &time_now);
  return (double)time_now.tv_sec + 1e-9 * (double)time_now.tv_nsec;
}

void cli_progress_begin(cli_progress *progress, const char *name, bool quiet, double t_begin) {
  *progress = (cli_progress){.name = name, .shown = !quiet && isatty(STDERR_FILENO), .t_begin = t_begin};
  progress->begin = now();
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
  const double time_now = now(), elapsed = time_now - progress->begin;
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
  if (interrupted) return 1;
  if (!progress->shown) return 0;
  const double span = t_end - progress->t_begin, elapsed = now() - progress->begin;
  char text[64];
  snprintf(text, sizeof text, "t = %-9.4g  %.3g steps/s", t, elapsed > 0 ? (double)steps / elapsed : 0);
  cli_progress_show(progress, span > 0 ? (t - progress->t_begin) / span : 1, text);
  return 0;
}

void cli_progress_end(cli_progress *progress) {
  if (progress->drawn) cli_fprint(stderr, "\r%*s\r", 110, "");
  progress->drawn = false;
}
