/* picus help: the documents of the tool. */
#include "run_options.h"

#include <string.h>

static const cli_option options[] = {
    {"man", NULL, "print the manual page as roff", false},
    {"markdown", NULL, "print the command line reference as Markdown", false},
    {"completion", "SHELL", "print the completion for bash, zsh or fish", false},
    {"complete", "LINE", "print the words that can end this command line; for completions", false},
};

static const char *const examples[] = {
    "picus help run",
    "the options of a command",
    "picus help contact",
    "a word of model files, with its entries",
    "picus help --completion bash > ~/.local/share/bash-completion/completions/picus",
    "completion of commands, options, models, parameters and columns",
    NULL};

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

/* picus help solvers */
static int explain_solvers(void) {
  const int width = cli_widest(solver_name);
  for (int i = 0; picus_solver_at(i); i++) cli_print("%-*s  %s\n", width, solver_name(i), picus_solver_at(i)->summary);
  cli_print("\nWhich solver:\n"
            "  everything                 auto, the default: it tries several and checks their answers\n"
            "  to see what a run solves   picus run MODEL --dump-worst DIR, then picus solve DIR/FILE --solver all\n"
            "docs/solvers.md has the methods and measured numbers.\n");
  return EXIT_DONE;
}

static const char *option_name(int k) { return picus_option_name_at(NULL, k); }

/* "greater than 0, in s; default 1e-3" */
static void explain_value(int k, char text[CLI_CHOICES_TEXT + 80]) {
  const picus_option *o = &picus_option_table[k];
  char choices[CLI_CHOICES_TEXT], range[PICUS_RANGE_TEXT], by_default[40] = "";
  const bool is_name = o->kind == PICUS_OPTION_NAME || o->kind == PICUS_OPTION_OF_TABLEAU;
  picus_option_range(k, 0, range);
  if (o->words) cli_join_choices(o->words, choices);
  if (o->words || o->text)
    snprintf(by_default, sizeof by_default, "; default %s", o->text ? o->text : o->words[(int)o->number]);
  else if (picus_option_allows(k, o->number) && o->number != 0)
    snprintf(by_default, sizeof by_default, "; default %g", o->number);
  const char *value = is_name ? "a name" : range;
  snprintf(text, CLI_CHOICES_TEXT + 80, "%s%s%s%s", o->words ? choices : value, *o->unit ? ", in " : "", o->unit,
           by_default);
}

/* picus help options */
static int explain_options(void) {
  const int width = cli_widest(option_name);
  char value[CLI_CHOICES_TEXT + 80];
  cli_print("Options of simulate { ... } in model files, and their names on the command line; 'picus help run' "
            "explains them:\n");
  for (int k = 0; k < PICUS_OPTION_TOTAL; k++) {
    explain_value(k, value);
    cli_print("  %-*s  --%-18s %s\n", width, option_name(k), picus_option_table[k].flag, value);
  }
  return EXIT_DONE;
}

/* Topics that are no command. */
static const struct {
  const char *name;
  int (*explain)(void);
} topics[] = {{"schemes", explain_schemes}, {"solvers", explain_solvers}, {"options", explain_options}};

static int explain(const char *name) {
  for (size_t i = 0; i < sizeof topics / sizeof *topics; i++)
    if (strcmp(topics[i].name, name) == 0) return topics[i].explain();
  if (cli_explain_word(name)) return EXIT_DONE;
  cli_complain("there is no command or word of model files '%s'; 'picus --help' lists the commands, "
               "docs/model-format.md the words",
               name);
  return EXIT_WRONG_INPUT;
}

const char *cli_help_topic(int index) {
  int commands = 0;
  while (cli_command_at(commands)) commands++;
  if (index < commands) return cli_command_at(index)->name;
  const size_t topic = (size_t)(index - commands);
  return topic < sizeof topics / sizeof *topics ? topics[topic].name : NULL;
}

static int run(const cli_arguments *a) {
  const char *name = cli_operand(a, 0);
  const cli_command *command = name ? cli_command_find(name) : NULL;
  if (name && !command) return explain(name);
  if (cli_given(a, "man"))
    cli_write_man_page(stdout);
  else if (cli_given(a, "markdown"))
    cli_write_markdown(stdout);
  else if (cli_given(a, "completion"))
    return cli_write_completion(stdout, cli_value(a, "completion", 0)) ? EXIT_DONE : EXIT_WRONG_INPUT;
  else if (cli_given(a, "complete"))
    cli_complete(cli_value(a, "complete", 0));
  else if (command) {
    cli_write_help(stdout, command);
    if (cli_is_word(name)) {
      cli_print("\nIn model files:\n\n");
      cli_explain_word(name);
    }
  } else {
    cli_write_usage(stdout);
    list_schemes_and_solvers();
  }
  return EXIT_DONE;
}

const cli_command cli_help = {
    .name = "help",
    .operands = "[COMMAND|WORD|schemes|solvers|options]",
    .operands_least = 0,
    .operands_most = 1,
    .operand_kind = "",
    .summary = "Explain a command or a word of model files",
    .description =
        "Without an operand: a list of all commands, schemes and solvers. With a word of model files, such as\n"
        "contact or revolute: what the manual says of it. With schemes: which scheme for which model. With options:\n"
        "the options of a run in model files and on the command line, with their ranges and defaults.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .run = run};
