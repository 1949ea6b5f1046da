/* The commands, and which one the first argument names. */
#include "cli/paths.h"

#include <string.h>

static const cli_command *const commands[] = {
    &cli_run,    &cli_sweep,     &cli_study,      &cli_orbit,  &cli_branch, &cli_lyapunov, &cli_linearize,
    &cli_resume, &cli_reference, &cli_compare,    &cli_solve,  &cli_plot,   &cli_view,     &cli_live,
    &cli_render, &cli_export,    &cli_import,     &cli_events, &cli_list,   &cli_show,     &cli_check,
    &cli_info,   &cli_reproduce, &cli_completion, &cli_help};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

const cli_command *cli_command_at(int index) { return index >= 0 && index < COMMAND_COUNT ? commands[index] : NULL; }

const cli_command *cli_command_find(const char *name) {
  for (int i = 0; i < COMMAND_COUNT; i++)
    if (strcmp(commands[i]->name, name) == 0) return commands[i];
  return NULL;
}

int cli_dispatch(int argc, char **argv) {
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
    cli_print_version();
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
    code = cli_paths_check_arguments(arguments) ? command->run(arguments) : EXIT_WRONG_INPUT;
  cli_arguments_free(arguments);
  return code;
}
