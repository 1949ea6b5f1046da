/* The terminal and the streams of a program on POSIX systems. */
#define _POSIX_C_SOURCE 200809L
#include "platform/console.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

/* Set by the signal handler: the only state that cannot belong to an object. */
static volatile sig_atomic_t end_is_wanted;

/* The first opened file would take the number of a closed standard stream, and output would go into that file. A
 * read-only descriptor takes its place. */
static void occupy_standard_streams(void) {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++)
    if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF) (void)!open("/dev/null", O_RDONLY);
}

void picus_console_begin(int *argc, char ***argv) {
  (void)argc;
  (void)argv;
  occupy_standard_streams();
  (void)signal(SIGXFSZ, SIG_IGN);
}

bool picus_console_is_terminal(FILE *stream) { return isatty(fileno(stream)) == 1; }

static void on_signal(int number) {
  (void)number;
  end_is_wanted = 1;
}

void picus_console_catch_ends(void) {
  const struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
  struct sigaction hangup;
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN) /* nohup ignores it */
    sigaction(SIGHUP, &action, NULL);
}

bool picus_console_end_is_wanted(void) { return end_is_wanted; }
void picus_console_ignore_broken_pipes(void) { (void)signal(SIGPIPE, SIG_IGN); }

int picus_console_divert_output(int *descriptor) {
  *descriptor = dup(STDOUT_FILENO);
  return *descriptor < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0 ? errno : 0;
}
