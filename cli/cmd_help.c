/* picus help: the documents of the tool. */
#include "cli.h"

#include <string.h>

static const cli_option options[] = {
    {"man", NULL, "print the manual page as roff", false},
    {"markdown", NULL, "print the command line reference as Markdown", false},
    {"completion", NULL, "print the completion for bash", false},
};

static const char *scheme_name(int i) { return picus_scheme_at(i) ? picus_scheme_at(i)->name : NULL; }
static const char *solver_name(int i) { return picus_solver_at(i) ? picus_solver_at(i)->name : NULL; }

static void list_schemes_and_solvers(void) {
  int width = cli_widest(scheme_name);
  cli_print("\nSchemes:\n");
  for (int i = 0; picus_scheme_at(i); i++)
    cli_print("  %-*s  %s\n", width, scheme_name(i), picus_scheme_at(i)->summary);
  width = cli_widest(solver_name);
  cli_print("\nContact solvers:\n");
  for (int i = 0; picus_solver_at(i); i++)
    cli_print("  %-*s  %s\n", width, solver_name(i), picus_solver_at(i)->summary);
}

/* picus help schemes */
static int explain_schemes(void) {
  const int width = cli_widest(scheme_name);
  for (int i = 0; picus_scheme_at(i); i++) cli_print("%-*s  %s\n", width, scheme_name(i), picus_scheme_at(i)->summary);
  cli_print("\nWhich scheme:\n"
            "  few bodies, accuracy       picus run MODEL --adaptive\n"
            "  joints, moving surfaces    rattle\n"
            "  many contacts              moreau; rattle where penetration matters\n"
            "  stiff forces, flexible     moreau-jean; moreau-combined where penetration matters\n"
            "  long runs                  rattle; moreau-jean with elastic impacts\n"
            "docs/schemes.md has the reasons and measured numbers. On your model: picus compare MODEL --schemes all\n");
  return EXIT_DONE;
}

static int run(const cli_arguments *a) {
  const char *name = cli_operand(a, 0);
  if (name && strcmp(name, "schemes") == 0) return explain_schemes();
  const cli_command *command = name ? cli_command_find(name) : NULL;
  if (name && !command) {
    cli_complain("there is no command '%s'; 'picus --help' lists them", name);
    return EXIT_WRONG_INPUT;
  }
  if (cli_given(a, "man"))
    cli_write_man_page(stdout);
  else if (cli_given(a, "markdown"))
    cli_write_markdown(stdout);
  else if (cli_given(a, "completion"))
    cli_write_completion(stdout);
  else if (command)
    cli_write_help(stdout, command);
  else {
    cli_write_usage(stdout);
    list_schemes_and_solvers();
  }
  return EXIT_DONE;
}

const cli_command cli_help = {
    .name = "help",
    .operands = "[COMMAND|schemes]",
    .operands_least = 0,
    .operands_most = 1,
    .operand_kind = "",
    .summary = "Explain a command, or list commands, schemes and solvers",
    .description =
        "Without a command: a list of all commands, schemes and solvers. With schemes: which scheme for which model.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = NULL,
    .run = run};
