/* picus: standard streams, signals and the exit code around the commands. */
#include "cli/cli.h"
#include "platform/console.h"

#include <errno.h>
#include <string.h>

int main(int argc, char **argv) {
  picus_console_begin(&argc, &argv);
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
