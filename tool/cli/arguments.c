/* Parses the options and operands of a command by its table, and writes the words of a command as one text. */
#include "base/internal.h"
#include "cli.h"
#include "platform/console.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* --- words of a command ------------------------------------------------------------------------------------------- */

static bool is_plain(const char *word) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%";
  return *word && word[strspn(word, plain)] == '\0';
}

/* A single quote within quotes: the quotes end, one follows behind a backslash, and they begin again. */
static char *append(char *to, const char *word) {
  const bool quotes = !is_plain(word);
  if (quotes) *to++ = '\'';
  for (; *word; word++) {
    if (*word == '\'') {
      memcpy(to, "'\\'", 3);
      to += 3;
    }
    *to++ = *word;
  }
  if (quotes) *to++ = '\'';
  return to;
}

char *cli_join_words(int count, const char *const *words) {
  size_t length = sizeof "picus";
  for (int i = 1; i < count; i++) length += 4 * strlen(words[i]) + 3;
  char *text = malloc(length), *end = text;
  if (!text) return NULL;
  end = append(end, "picus");
  for (int i = 1; i < count; i++) {
    *end++ = ' ';
    end = append(end, words[i]);
  }
  *end = '\0';
  return text;
}

/* Copies a word without its quotes; returns what follows it. */
static const char *take_word(const char *from, char **to) {
  bool is_quoted = false;
  for (; *from && (is_quoted || *from != ' '); from++) {
    if (*from == '\'')
      is_quoted = !is_quoted;
    else if (*from == '\\' && !is_quoted && from[1])
      *(*to)++ = *++from;
    else
      *(*to)++ = *from;
  }
  *(*to)++ = '\0';
  return from;
}

char **cli_split_words(const char *text, int *count) {
  const size_t length = strlen(text), most = length / 2 + 2; /* a word and its space, and NULL */
  char **words = calloc(most * sizeof *words + length + 1, 1);
  *count = 0;
  if (!words) return NULL;
  char *to = (char *)(words + most);
  for (const char *from = text + strspn(text, " "); *from; from += strspn(from, " ")) {
    words[(*count)++] = to;
    from = take_word(from, &to);
  }
  return words;
}

/* --- options and operands ----------------------------------------------------------------------------------------- */

typedef struct given_option {
  const cli_option *option;
  const char *value;
} given_option;

struct cli_arguments {
  const cli_command *command;
  given_option *given;
  int given_count;
  const char **operands;
  int operand_count;
  bool help;
  char *line;
  char standard_output[32]; /* the file that "-" stands for; empty: not used */
};

static const char *next_option(const void *user, int k) {
  const cli_command *command = user;
  return k < command->option_count ? command->options[k].name : NULL;
}

static const cli_option *find_option(const cli_command *command, const char *name, size_t length) {
  for (int i = 0; i < command->option_count; i++)
    if (strlen(command->options[i].name) == length && strncmp(command->options[i].name, name, length) == 0)
      return &command->options[i];
  return NULL;
}

static bool unknown_option(const cli_command *command, const char *name) {
  const char *nearest = picus_nearest_name(name, next_option, command);
  if (nearest)
    cli_complain("%s has no option '--%s'; did you mean '--%s'?", command->name, name, nearest);
  else
    cli_complain("%s has no option '--%s'; 'picus %s --help' lists them", command->name, name, command->name);
  return false;
}

/* One argument that starts with --; may take the next argument as its value. */
static bool parse_option(cli_arguments *a, int argc, char **argv, int *at) {
  const char *name = argv[*at] + 2;
  const char *equals = strchr(name, '=');
  size_t length = equals ? (size_t)(equals - name) : strlen(name);
  const cli_option *option = find_option(a->command, name, length);
  if (!option) {
    char word[128];
    snprintf(word, sizeof word, "%.*s", (int)(length < 100 ? length : 100), name);
    return unknown_option(a->command, word);
  }
  const char *value = equals ? equals + 1 : NULL;
  if (option->argument && !value) {
    if (*at + 1 >= argc) {
      cli_complain("--%s needs a value: --%s %s", option->name, option->name, option->argument);
      return false;
    }
    value = argv[++*at];
  }
  if (!option->argument && value) {
    cli_complain("--%s takes no value", option->name);
    return false;
  }
  if (!option->repeatable && cli_given(a, option->name)) {
    cli_complain("--%s is given twice", option->name);
    return false;
  }
  a->given[a->given_count++] = (given_option){option, value ? value : ""};
  return true;
}

static bool check_operands(const cli_arguments *a) {
  const cli_command *command = a->command;
  if (a->operand_count < command->operands_least) {
    cli_complain("%s needs %s; see 'picus %s --help'", command->name, command->operands, command->name);
    return false;
  }
  if (command->operands_most >= 0 && a->operand_count > command->operands_most) {
    cli_complain("unexpected argument '%s'; see 'picus %s --help'", a->operands[command->operands_most], command->name);
    return false;
  }
  return true;
}

static bool is_table(const cli_option *option) {
  const size_t length = option->argument ? strlen(option->argument) : 0;
  return length > 4 && strcmp(option->argument + length - 4, ".csv") == 0;
}

/* A table that is written to "-" is standard output. What the tool has to say then goes to standard error, so that
 * another program can read the table. */
static bool redirect_tables(cli_arguments *a) {
  for (int i = 0; i < a->given_count; i++) {
    if (!is_table(a->given[i].option) || strcmp(a->given[i].value, "-") != 0) continue;
    if (a->standard_output[0]) {
      cli_complain("only one table can be written to standard output; give the others a file");
      return false;
    }
    if (cli_given(a, "checkpoint")) {
      cli_complain(
          "a table on standard output cannot be continued after an interruption; give --%s a file, or leave out "
          "--checkpoint",
          a->given[i].option->name);
      return false;
    }
    int table;
    const int error = picus_console_divert_output(&table);
    if (error) {
      cli_complain("cannot write to standard output: %s", strerror(error));
      return false;
    }
    snprintf(a->standard_output, sizeof a->standard_output, "/dev/fd/%d", table);
    a->given[i].value = a->standard_output;
  }
  return true;
}

cli_arguments *cli_parse(const cli_command *command, int argc, char **argv) {
  cli_arguments *a = calloc(1, sizeof *a);
  if (a) {
    a->command = command;
    a->given = calloc((size_t)argc, sizeof *a->given);
    a->operands = calloc((size_t)argc, sizeof *a->operands);
    a->line = cli_join_words(argc, (const char *const *)argv);
  }
  bool fine = a && a->given && a->operands && a->line;
  if (!fine) cli_complain("out of memory");
  bool only_operands = false;
  for (int i = 2; fine && i < argc; i++) {
    const char *word = argv[i];
    if (only_operands || word[0] != '-' || word[1] == '\0')
      a->operands[a->operand_count++] = word;
    else if (strcmp(word, "--") == 0)
      only_operands = true;
    else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
      a->help = true;
    else if (word[1] != '-')
      fine = unknown_option(command, word + 1);
    else
      fine = parse_option(a, argc, argv, &i);
  }
  if (fine && !a->help) fine = check_operands(a) && redirect_tables(a);
  if (fine) return a;
  cli_arguments_free(a);
  return NULL;
}

void cli_arguments_free(cli_arguments *a) {
  if (!a) return;
  free(a->given);
  free(a->operands);
  free(a->line);
  free(a);
}

bool cli_wants_help(const cli_arguments *a) { return a->help; }
const cli_command *cli_command_of(const cli_arguments *a) { return a->command; }
int cli_operand_count(const cli_arguments *a) { return a->operand_count; }
const char *cli_operand(const cli_arguments *a, int index) {
  return index < a->operand_count ? a->operands[index] : NULL;
}
const char *cli_command_line(const cli_arguments *a) { return a->line; }

const char *cli_value(const cli_arguments *a, const char *option, int k) {
  for (int i = 0; i < a->given_count; i++)
    if (strcmp(a->given[i].option->name, option) == 0 && k-- == 0) return a->given[i].value;
  return NULL;
}

bool cli_given(const cli_arguments *a, const char *option) { return cli_value(a, option, 0) != NULL; }

bool cli_number(const cli_arguments *a, const char *option, double *out) {
  const char *text = cli_value(a, option, 0);
  if (!text) return true;
  char *end;
  double value = strtod(text, &end);
  if (end == text || *end != '\0' || isnan(value)) {
    cli_complain("--%s takes a number, not '%s'", option, text);
    return false;
  }
  *out = value;
  return true;
}

bool cli_integer(const cli_arguments *a, const char *option, long *out) {
  const char *text = cli_value(a, option, 0);
  if (!text) return true;
  char *end;
  errno = 0;
  long value = strtol(text, &end, 10);
  if (end == text || *end != '\0' || errno) {
    cli_complain("--%s takes an integer, not '%s'", option, text);
    return false;
  }
  *out = value;
  return true;
}
