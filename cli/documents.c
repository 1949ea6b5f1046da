/* Help, man page, CLI reference and completion, all written from the table of commands. */
#include "cli.h"

#include <ctype.h>
#include <string.h>

static const char tagline[] = "nonsmooth dynamics: contact, impact and Coulomb friction by time stepping";

int cli_widest(const char *(*text)(int index)) {
  int widest = 0;
  for (int i = 0; text(i); i++)
    if ((int)strlen(text(i)) > widest) widest = (int)strlen(text(i));
  return widest;
}

static const char *command_name(int i) { return cli_command_at(i) ? cli_command_at(i)->name : NULL; }
static const char *command_operands(int i) { return cli_command_at(i) ? cli_command_at(i)->operands : NULL; }

void cli_write_usage(FILE *file) {
  const int name_width = cli_widest(command_name), operand_width = cli_widest(command_operands);
  fprintf(file, "picus %s - %s\n\nusage: picus COMMAND ...\n\n", PICUS_VERSION, tagline);
  for (int i = 0; cli_command_at(i); i++) {
    const cli_command *c = cli_command_at(i);
    fprintf(file, "  %-*s %-*s  %s\n", name_width, c->name, operand_width, c->operands, c->summary);
  }
  fprintf(file, "\n'picus COMMAND --help' explains a command. A first run:\n\n"
                "  picus run woodpecker --out woodpecker.h5\n  picus plot woodpecker.h5\n");
}

static void write_usage_line(FILE *file, const cli_command *c) {
  fprintf(file, "picus %s%s%s%s", c->name, c->operands[0] ? " " : "", c->operands,
          c->option_count ? " [OPTION]..." : "");
}

static void option_head(const cli_option *o, char *text, size_t size) {
  snprintf(text, size, "--%s%s%s", o->name, o->argument ? " " : "", o->argument ? o->argument : "");
}

void cli_write_help(FILE *file, const cli_command *c) {
  fprintf(file, "usage: ");
  write_usage_line(file, c);
  fprintf(file, "\n\n%s.\n\n%s\n", c->summary, c->description);
  if (c->option_count) fprintf(file, "\nOptions:\n");
  char head[80];
  int width = 0;
  for (int i = 0; i < c->option_count; i++) {
    option_head(&c->options[i], head, sizeof head);
    if ((int)strlen(head) > width) width = (int)strlen(head);
  }
  for (int i = 0; i < c->option_count; i++) {
    option_head(&c->options[i], head, sizeof head);
    fprintf(file, "  %-*s  %s%s\n", width, head, c->options[i].help, c->options[i].repeatable ? " (repeatable)" : "");
  }
  if (c->examples && c->examples[0]) fprintf(file, "\nExamples:\n");
  for (int i = 0; c->examples && c->examples[i]; i += 2)
    fprintf(file, "  %s\n      %s\n", c->examples[i], c->examples[i + 1]);
}

/* Text in a man page: dashes are minus signs, and a leading dot would be a request. */
static void write_roff(FILE *file, const char *text) {
  bool line_start = true;
  for (; *text; text++) {
    if (line_start && (*text == '.' || *text == '\'')) fputs("\\&", file);
    if (*text == '-')
      fputs("\\-", file);
    else if (*text == '\\')
      fputs("\\e", file);
    else if (*text == '\n' && text[1] == '\n') {
      fputs("\n.PP\n", file);
      text++;
    } else
      fputc(*text, file);
    line_start = *text == '\n';
  }
}

void cli_write_man_page(FILE *file) {
  fprintf(file, ".TH PICUS 1 \"\" \"picus %s\" \"User Commands\"\n.SH NAME\npicus \\- %s\n.SH SYNOPSIS\n",
          PICUS_VERSION, tagline);
  for (int i = 0; cli_command_at(i); i++) {
    fprintf(file, ".B ");
    write_usage_line(file, cli_command_at(i));
    fprintf(file, "\n.br\n");
  }
  fprintf(file, ".SH COMMANDS\n");
  for (int i = 0; cli_command_at(i); i++) {
    const cli_command *c = cli_command_at(i);
    fprintf(file, ".SS ");
    write_usage_line(file, c);
    fputc('\n', file);
    write_roff(file, c->summary);
    fprintf(file, ".\n.PP\n");
    write_roff(file, c->description);
    fputc('\n', file);
    for (int k = 0; k < c->option_count; k++) {
      char head[80];
      option_head(&c->options[k], head, sizeof head);
      fprintf(file, ".TP\n.B ");
      write_roff(file, head);
      fputc('\n', file);
      write_roff(file, c->options[k].help);
      fputc('\n', file);
    }
    for (int k = 0; c->examples && c->examples[k]; k += 2) {
      fprintf(file, ".TP\nExample: \\fB");
      write_roff(file, c->examples[k]);
      fprintf(file, "\\fR\n");
      write_roff(file, c->examples[k + 1]);
      fputc('\n', file);
    }
  }
  fprintf(file, ".SH EXIT STATUS\n.TP\n0\ndone\n.TP\n1\nthe simulation failed or was interrupted; results up to there "
                "are kept\n.TP\n2\nthe input is wrong: model, option, file\n");
}

void cli_write_markdown(FILE *file) {
  fprintf(file, "# Command line reference\n\nWritten by `picus help --markdown` from the tool's own tables; a test "
                "compares the two.\n\nExit codes: 0 done; 1 the simulation failed or was interrupted (results up to "
                "there are kept); 2 the input is wrong.\n");
  for (int i = 0; cli_command_at(i); i++) {
    const cli_command *c = cli_command_at(i);
    fprintf(file, "\n## picus %s\n\n    ", c->name);
    write_usage_line(file, c);
    fprintf(file, "\n\n%s.\n\n%s\n", c->summary, c->description);
    if (c->option_count) fprintf(file, "\n| option | meaning |\n|---|---|\n");
    for (int k = 0; k < c->option_count; k++) {
      char head[80];
      option_head(&c->options[k], head, sizeof head);
      fprintf(file, "| `%s` | %s%s |\n", head, c->options[k].help, c->options[k].repeatable ? " (repeatable)" : "");
    }
    if (c->examples && c->examples[0]) fprintf(file, "\nExamples:\n\n");
    for (int k = 0; c->examples && c->examples[k]; k += 2)
      fprintf(file, "    %s\n\n%c%s.\n\n", c->examples[k], toupper((unsigned char)c->examples[k + 1][0]),
              c->examples[k + 1] + 1);
  }
}

static void write_completion_words(FILE *file, const cli_command *c) {
  for (int k = 0; k < c->option_count; k++) fprintf(file, "--%s ", c->options[k].name);
  fprintf(file, "--help");
}

void cli_write_completion(FILE *file) {
  fprintf(file, "# bash completion for picus; written by 'picus help --completion'.\n"
                "_picus() {\n"
                "  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} words='' kind=''\n"
                "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    COMPREPLY=($(compgen -W '");
  for (int i = 0; cli_command_at(i); i++) fprintf(file, "%s ", cli_command_at(i)->name);
  fprintf(file, "--help --version' -- \"$word\"))\n    return\n  fi\n  case ${COMP_WORDS[1]} in\n");
  for (int i = 0; cli_command_at(i); i++) {
    const cli_command *c = cli_command_at(i);
    fprintf(file, "  %s) kind='%s' words='", c->name, c->operand_kind);
    write_completion_words(file, c);
    fprintf(file, "' ;;\n");
  }
  fprintf(file, "  esac\n"
                "  case $previous in\n"
                "  --scheme) COMPREPLY=($(compgen -W '");
  for (int i = 0; picus_scheme_at(i); i++) fprintf(file, "%s%s", i ? " " : "", picus_scheme_at(i)->name);
  fprintf(file, "' -- \"$word\")); return ;;\n  --solver) COMPREPLY=($(compgen -W '");
  for (int i = 0; picus_solver_at(i); i++) fprintf(file, "%s%s", i ? " " : "", picus_solver_at(i)->name);
  fprintf(file, "' -- \"$word\")); return ;;\n  esac\n"
                "  case $word in\n"
                "  -*) COMPREPLY=($(compgen -W \"$words\" -- \"$word\")); return ;;\n  esac\n"
                "  case $kind in\n"
                "  model) COMPREPLY=($(compgen -W \"$(picus list --names 2>/dev/null)\" -- \"$word\")"
                " $(compgen -f -X '!*.lua' -- \"$word\")) ;;\n"
                "  result) COMPREPLY=($(compgen -f -X '!*.h5' -- \"$word\")) ;;\n"
                "  problem) COMPREPLY=($(compgen -f -X '!*.hdf5' -- \"$word\")) ;;\n"
                "  esac\n  return 0\n}\ncomplete -o default -F _picus picus\n");
}
