/* picus: dispatches the first argument to its command. */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static const cli_command *const commands[] = {&cli_run,  &cli_reference, &cli_compare, &cli_solve,  &cli_plot,
                                              &cli_view, &cli_render,    &cli_export,  &cli_events, &cli_list,
                                              &cli_show, &cli_check,     &cli_info,    &cli_help};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

const cli_command *cli_command_at(int index) { return index >= 0 && index < COMMAND_COUNT ? commands[index] : NULL; }

const cli_command *cli_command_find(const char *name) {
  for (int i = 0; i < COMMAND_COUNT; i++)
    if (strcmp(commands[i]->name, name) == 0) return commands[i];
  return NULL;
}

/* Runs the command; returns the exit code. */
static int dispatch(int argc, char **argv) {
  if (argc < 2) {
    cli_write_usage(stderr);
    return EXIT_WRONG_INPUT;
  }
  const char *word = argv[1];
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
    cli_write_usage(stdout);
    return EXIT_DONE;
  }
  if (strcmp(word, "--version") == 0) {
    cli_print("picus %s\n", PICUS_VERSION);
    return EXIT_DONE;
  }
  const cli_command *command = cli_command_find(word);
  if (!command) {
    cli_complain("there is no command '%s'; 'picus --help' lists them", word);
    return EXIT_WRONG_INPUT;
  }
  cli_arguments *arguments = cli_parse(command, argc, argv);
  if (!arguments) return EXIT_WRONG_INPUT;
  int code = EXIT_DONE;
  if (cli_wants_help(arguments))
    cli_write_help(stdout, command);
  else
    code = command->run(arguments);
  cli_arguments_free(arguments);
  return code;
}

/* The first opened file would take the number of a closed standard stream, and output would go into that file. A
 * read-only descriptor takes its place. */
static void occupy_standard_streams(void) {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++)
    if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF) (void)!open("/dev/null", O_RDONLY);
}

int main(int argc, char **argv) {
  occupy_standard_streams();
  (void)signal(SIGXFSZ, SIG_IGN); /* exceeding a file size limit is a write error like a full disk, not a signal */
  errno = 0;
  int code = dispatch(argc, argv);
  bool had_failed = ferror(stdout) != 0; /* within a table: the rest may have been written */
  int reason = fflush(stdout) != 0 && !had_failed ? errno : 0;
  if (!had_failed && !reason) return code;
  if (reason)
    cli_complain("standard output could not be written: %s", strerror(reason));
  else
    cli_complain("standard output could not be written");
  return code ? code : EXIT_RUN_FAILED;
}
