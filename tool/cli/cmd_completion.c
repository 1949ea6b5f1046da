/* picus completion: completion of command lines by shells. */
#include "cli.h"

static const cli_option options[] = {
    {"line", "LINE", "print the words that can end this command line; the scripts ask it", false},
};

static const char *const examples[] = {"picus completion bash > ~/.local/share/bash-completion/completions/picus",
                                       "for one user of bash",
                                       "picus completion zsh > ~/.zfunc/_picus",
                                       "for zsh, if fpath has ~/.zfunc",
                                       "picus completion fish > ~/.config/fish/completions/picus.fish",
                                       "for fish",
                                       NULL};

static int run(const cli_arguments *a) {
  const char *shell = cli_operand(a, 0);
  if (shell && cli_given(a, "line")) {
    cli_complain("completion takes a shell or --line, not both");
    return EXIT_WRONG_INPUT;
  }
  if (shell) return cli_write_completion(stdout, shell) ? EXIT_DONE : EXIT_WRONG_INPUT;
  if (!cli_given(a, "line")) {
    cli_complain("completion needs a shell: bash, zsh or fish");
    return EXIT_WRONG_INPUT;
  }
  cli_complete(cli_value(a, "line", 0));
  return EXIT_DONE;
}

const cli_command cli_completion = {.name = "completion",
                                    .operands = "[SHELL]",
                                    .operands_least = 0,
                                    .operands_most = 1,
                                    .operand_kind = "",
                                    .summary = "Print a script that completes command lines in a shell",
                                    .description =
                                        "SHELL is bash, zsh or fish. The script completes commands, options, models, "
                                        "parameters, columns and files; it\n"
                                        "asks this tool, so all shells complete the same words. Packages install it.",
                                    .options = options,
                                    .option_count = sizeof options / sizeof options[0],
                                    .examples = examples,
                                    .run = run};
