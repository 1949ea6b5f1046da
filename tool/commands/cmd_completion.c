/* picus completion: completion of command lines by shells. */
#include "base/file_names.h"
#include "cli/cli.h"
#include "platform/files.h"

#include <stdlib.h>
#include <string.h>

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

/* --- words and scripts -------------------------------------------------------------------------------------------- */

/* Completion of command lines: `picus completion --line LINE` prints the words that can stand at the end of LINE, one
 * in a line. The scripts for bash, zsh and fish ask it, so that all shells know the same. */

typedef struct completing {
  picus_context *context;
  const cli_command *command;
  const char *prefix;  /* the beginning of the word that is completed */
  const char *operand; /* the first one; NULL: none yet */
} completing;

static void offer(const completing *c, const char *before, const char *word, const char *after) {
  char text[PICUS_PATH_SIZE];
  const int length = snprintf(text, sizeof text, "%s%s%s", before, word, after);
  if (length < (int)sizeof text && strncmp(text, c->prefix, strlen(c->prefix)) == 0) cli_print("%s\n", text);
}

static void offer_commands(const completing *c) {
  for (int i = 0; cli_command_at(i); i++) offer(c, "", cli_command_at(i)->name, "");
  offer(c, "--", "help", "");
  offer(c, "--", "version", "");
}

static void offer_options(const completing *c) {
  for (int k = 0; k < c->command->option_count; k++) offer(c, "--", c->command->options[k].name, "");
  offer(c, "--", "help", "");
}

static bool ends_with(const char *text, const char *end) {
  const size_t length = strlen(text), tail = strlen(end);
  return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* Names of a folder that are offered. */
typedef struct offered_files {
  const completing *c;
  const char *folder, *ending;
} offered_files;

static bool offer_file(void *user, const char *name) {
  const offered_files *o = user;
  char path[PICUS_PATH_SIZE];
  picus_facts facts;
  if (name[0] == '.' || strpbrk(name, " \t\n'\"\\$`;&|<>()*?[]!#")) return true;
  if (snprintf(path, sizeof path, "%s%s", o->folder, name) >= (int)sizeof path) return true;
  const bool is_folder = !picus_facts_of(path, &facts) && facts.kind == PICUS_FOLDER;
  if (is_folder || ends_with(path, o->ending)) offer(o->c, "", path, is_folder ? "/" : "");
  return true;
}

/* Files with this ending, and folders, where the prefix points; names that a shell would quote are left to the shell.
 */
static void offer_files(const completing *c, const char *ending) {
  const char *slash = picus_last_separator(c->prefix);
  const int length = slash ? (int)(slash - c->prefix) + 1 : 0;
  char folder[PICUS_PATH_SIZE];
  if (length >= PICUS_PATH_SIZE) return;
  snprintf(folder, sizeof folder, "%.*s", length, c->prefix);
  (void)picus_folder_list(length ? folder : ".", offer_file, &(offered_files){c, folder, ending});
}

static void offer_operand(const completing *c) {
  const char *kind = c->command->operand_kind;
  if (strcmp(kind, "model") == 0) {
    for (int i = 0; picus_shipped_model_name(i); i++) offer(c, "", picus_shipped_model_name(i), "");
    offer_files(c, ".lua");
  } else if (strcmp(kind, "result") == 0)
    offer_files(c, ".h5");
  else if (strcmp(kind, "problem") == 0)
    offer_files(c, ".hdf5");
  else if (c->command == &cli_help)
    for (int i = 0; cli_help_topic(i); i++) offer(c, "", cli_help_topic(i), "");
}

/* NAME= of the parameters and inputs of the model. */
static void offer_parameters(const completing *c) {
  picus_model *model = NULL;
  if (!c->operand || picus_model_load(c->context, c->operand, NULL, &model)) return;
  for (int i = 0; i < picus_model_parameter_count(model); i++) offer(c, "", picus_model_parameter(model, i).name, "=");
  for (int i = 0; i < picus_model_input_count(model); i++) offer(c, "", picus_model_input(model, i).name, "=");
  picus_model_destroy(model);
}

static void offer_columns(const completing *c) {
  picus_result *result = NULL;
  if (!c->operand || picus_result_open(c->context, c->operand, &result)) return;
  for (int i = 0; i < picus_result_column_count(result); i++) offer(c, "", picus_result_column(result, i).name, "");
  picus_result_close(result);
}

static void offer_laws(const completing *c) {
  picus_result *result = NULL;
  if (!c->operand || picus_result_open(c->context, c->operand, &result)) return;
  for (int i = 0; i < picus_result_law_count(result); i++) offer(c, "", picus_result_law_at(result, i).name, "");
  picus_result_close(result);
}

static void offer_schemes(const completing *c) {
  for (int i = 0; picus_scheme_at(i); i++) offer(c, "", picus_scheme_at(i)->name, "");
}

static void offer_solvers(const completing *c) {
  for (int i = 0; picus_solver_at(i); i++) offer(c, "", picus_solver_at(i)->name, "");
}

/* Values of an option; of others, such as numbers and files, the shell knows more. */
static void offer_values(const completing *c, const char *option) {
  static const struct {
    const char *option, *kind; /* of the operand; NULL: any */
    void (*offer)(const completing *c);
  } values[] = {{"scheme", NULL, offer_schemes},    {"schemes", NULL, offer_schemes}, {"solver", NULL, offer_solvers},
                {"set", "model", offer_parameters}, {"x", "result", offer_columns},   {"y", "result", offer_columns},
                {"law", "result", offer_laws}};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    if (strcmp(values[i].option, option) == 0 &&
        (!values[i].kind || strcmp(values[i].kind, c->command->operand_kind) == 0))
      values[i].offer(c);
}

static const cli_option *option_named(const cli_command *command, const char *word) {
  for (int k = 0; k < command->option_count; k++)
    if (strncmp(word, "--", 2) == 0 && strcmp(command->options[k].name, word + 2) == 0) return &command->options[k];
  return NULL;
}

/* words: the complete ones, after the command. */
static void complete(completing *c, int count, char **words) {
  const cli_option *pending = NULL; /* an option that waits for its value */
  for (int i = 0; i < count; i++) {
    const cli_option *option = pending ? NULL : option_named(c->command, words[i]);
    if (!pending && words[i][0] != '-' && !c->operand) c->operand = words[i];
    pending = option && option->argument ? option : NULL;
  }
  if (pending)
    offer_values(c, pending->name);
  else if (c->prefix[0] == '-')
    offer_options(c);
  else {
    offer_operand(c);
    if (c->command == &cli_plot && c->operand) offer_columns(c);
  }
}

void cli_complete(const char *line) {
  int count = 0;
  char **words = cli_split_words(line, &count);
  const size_t length = strlen(line);
  const bool ended = length > 0 && line[length - 1] == ' '; /* the next word has not begun */
  completing c = {.context = cli_context(true), .prefix = ended || count < 2 ? "" : words[count - 1]};
  const int whole = words ? count - !ended : 0; /* complete words, the tool's name included */
  if (whole == 1)
    offer_commands(&c);
  else if (whole > 1 && c.context && (c.command = cli_command_find(words[1])))
    complete(&c, whole - 2, words + 2);
  picus_context_destroy(c.context);
  free(words);
}

bool cli_write_completion(FILE *file, const char *shell) {
  static const struct {
    const char *shell, *text;
  } scripts[] = {
      {"bash", "_picus() {\n"
               "  local IFS=$'\\n'\n"
               "  COMPREPLY=($(picus completion --line \"${COMP_LINE:0:COMP_POINT}\" 2>/dev/null))\n"
               "  [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *[=/] ]] || compopt -o nospace 2>/dev/null\n"
               "  return 0\n"
               "}\n"
               "complete -o default -F _picus picus\n"},
      {"zsh", "local -a found\n"
              "found=(${(f)\"$(picus completion --line \"${(j: :)words[1,CURRENT]}\" 2>/dev/null)\"})\n"
              "if (( $#found )); then\n"
              "  compadd -S '' -- ${(M)found:#*[=/]}\n"
              "  compadd -- ${found:#*[=/]}\n"
              "else\n"
              "  _files\n"
              "fi\n"},
      {"fish", "complete -c picus -a '(picus completion --line (commandline -cp | string join \" \") 2>/dev/null)'\n"},
  };
  for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
    if (strcmp(scripts[i].shell, shell) != 0) continue;
    if (strcmp(shell, "zsh") == 0) fputs("#compdef picus\n", file); /* zsh reads its first line */
    fprintf(file, "# completion for %s, written by 'picus completion %s'\n%s", shell, shell, scripts[i].text);
    return true;
  }
  cli_complain("completion: there is none for '%s'; it takes bash, zsh or fish", shell);
  return false;
}
