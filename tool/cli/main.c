/* picus: standard streams, signals and the exit code around the commands. */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* The first opened file would take the number of a closed standard stream, and output would go into that file. A
 * read-only descriptor takes its place. */
static void occupy_standard_streams(void) {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++)
    if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF) (void)!open("/dev/null", O_RDONLY);
}

int main(int argc, char **argv) {
  occupy_standard_streams();
  (void)signal(SIGXFSZ, SIG_IGN); /* exceeding a file size limit is a write error like a full disk, not a signal */
  picus_result_skip_exit();
  errno = 0;
  int code = cli_dispatch(argc, argv);
  bool had_failed = ferror(stdout) != 0; /* within a table: the rest may have been written */
  int reason = fflush(stdout) != 0 && !had_failed ? errno : 0;
  if (!had_failed && !reason) return code;
  if (reason)
    cli_complain("standard output could not be written: %s", strerror(reason));
  else
    cli_complain("standard output could not be written");
  return code ? code : EXIT_RUN_FAILED;
}
