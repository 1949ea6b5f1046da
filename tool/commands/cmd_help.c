/* picus help: the documents of the tool, and what the manual says of a word of model files. */
#include "cli/cli.h"
#include "cli/run_options.h"
#include "shipped_texts.h"

#include <ctype.h>
#include <string.h>

/* --- words of model files ----------------------------------------------------------------------------------------- */

/* picus help WORD: what the manual says of a word of model files. The manual is the only source. A passage is about a
 * word if it is
 *   - the section that has the word as its title,
 *   - a paragraph that begins with the word, and what follows up to the next such paragraph,
 *   - a row of a table of keywords that begins with it.
 * If there is none, it is the section to which the table of all keywords refers. */

typedef struct reading {
  const cli_shipped_text *page;
  const char *word;
  char title[128];  /* of the section */
  bool titled;      /* it is printed */
  bool is_section;  /* everything up to the next title is about the word */
  bool is_passage;  /* everything up to the next paragraph about a word is */
  bool is_code;     /* inside of a fence */
  bool is_keywords; /* inside of a table of keywords */
  bool after_blank; /* the line begins a paragraph */
  int found;        /* lines printed */
} reading;

static bool is_letter(char c) { return isalnum((unsigned char)c) || c == '_'; }

static bool begins(const char *text, const char *word) {
  const size_t length = strlen(word);
  return strncmp(text, word, length) == 0 && !is_letter(text[length]);
}

/* Whether the text has this word, as a word of its own. */
static bool mentions(const char *text, const char *end, const char *word) {
  for (const char *at = text; (at = strstr(at, word)) && at < end; at++)
    if ((at == text || !is_letter(at[-1])) && begins(at, word)) return true;
  return false;
}

/* The bracket opens the text of a link, not a list. */
static bool opens_link(const char *bracket, const char *end) {
  const char *closing = strchr(bracket, ']');
  return closing && closing < end && closing[1] == '(';
}

/* A line without the signs of Markdown: of a link remains its text. */
static void print_text(const char *line, const char *end) {
  for (const char *at = line; at < end; at++) {
    const char *closing = *at == ']' && at[1] == '(' ? strchr(at, ')') : NULL;
    if (closing && closing < end)
      at = closing;
    else if (strncmp(at, "**", 2) == 0)
      at++;
    else if (*at != '`' && !(*at == '[' && opens_link(at, end)))
      cli_print("%c", *at);
  }
}

/* A row of a table: its cells with dashes between them. */
static void print_row(const char *line, const char *end) {
  const char *before = "";
  for (const char *cell = line + 1; cell < end;) {
    const char *bar = cell;
    while (bar < end && *bar != '|') bar++;
    const char *first = cell, *last = bar;
    while (first < last && *first == ' ') first++;
    while (last > first && last[-1] == ' ') last--;
    if (first < last) {
      cli_print("%s", before);
      print_text(first, last);
      before = "  -  ";
    }
    cell = bar + 1;
  }
}

static void print_line(reading *r, const char *line, const char *end) {
  if (!r->titled && r->found) cli_print("\n");
  if (!r->titled) cli_print("%s (docs/%s.md)\n\n", r->title, r->page->name);
  r->titled = true;
  r->found++;
  cli_print(line < end ? "  " : "");
  if (*line == '|')
    print_row(line, end);
  else
    print_text(line, end);
  cli_print("\n");
}

static void read_title(reading *r, const char *line, const char *end) {
  while (*line == '#' || *line == ' ') line++;
  snprintf(r->title, sizeof r->title, "%.*s", (int)(end - line), line);
  r->titled = r->is_passage = r->is_keywords = false;
  r->is_section = begins(line, r->word);
}

/* A paragraph that begins with a word of model files: "**contact** is ..." or "`draw` adds ...". */
static bool begins_passage(const reading *r, const char *line) {
  if (!r->after_blank || r->is_code) return false;
  return strncmp(line, "**", 2) == 0 || (*line == '`' && strncmp(line, "```", 3) != 0);
}

static bool is_about(const reading *r, const char *line, const char *end) {
  const char *stop = strchr(line, '.'); /* one paragraph may begin with two words */
  char marked[80];
  if (snprintf(marked, sizeof marked, "**%s**", r->word) < (int)sizeof marked && strstr(line, marked) &&
      strstr(line, marked) < end)
    return true;
  return *line == '`' && mentions(line, stop && stop < end ? stop : end, r->word) && begins(line + 1, r->word);
}

static void read_line(reading *r, const char *line, const char *end) {
  const bool is_fence = strncmp(line, "```", 3) == 0, is_blank = line == end;
  if (is_fence) r->is_code = !r->is_code;
  if (!r->is_code && *line == '#') {
    read_title(r, line, end);
    r->after_blank = true;
    return;
  }
  if (begins_passage(r, line)) r->is_passage = is_about(r, line, end);
  if (strncmp(line, "| keyword |", 11) == 0) r->is_keywords = true;
  if (*line != '|') r->is_keywords = false;
  const bool is_rule = strncmp(line, "|---", 4) == 0;
  const char *cell = r->is_keywords && strncmp(line, "| `", 3) == 0 ? strchr(line + 1, '|') : NULL;
  if (!is_fence && !is_rule && (r->is_section || r->is_passage || (cell && mentions(line, cell, r->word)))) {
    if (!is_blank || r->titled) print_line(r, line, end);
  }
  r->after_blank = is_blank;
}

/* The row of the table of all keywords with this word; NULL: it is none. *cell_end: the end of its first cell. */
static const char *keyword_row(const char *word, const char **cell_end) {
  for (const char *row = strstr(cli_shipped_pages[0].text, "| [`"); row; row = strstr(row + 1, "| [`")) {
    *cell_end = strstr(row, "](");
    if (*cell_end && mentions(row, *cell_end, word)) return row;
  }
  return NULL;
}

/* It is a word of model files. */
static bool is_word(const char *word) {
  const char *cell_end;
  return keyword_row(word, &cell_end) != NULL;
}

/* The section to which this table refers: its title as the link has it. */
static bool find_section(const char *word, char anchor[64]) {
  const char *link;
  if (!keyword_row(word, &link) || link[2] != '#') return false;
  snprintf(anchor, 64, "%.*s", (int)strcspn(link + 3, ")"), link + 3);
  return true;
}

/* "Bodies and frames" is the anchor bodies-and-frames. */
static bool is_anchor(const char *title, const char *anchor) {
  for (; *title && *anchor; title++, anchor++)
    if ((*title == ' ' ? '-' : tolower((unsigned char)*title)) != *anchor) return false;
  return *title == *anchor;
}

/* The word is the anchor of a section. */
static void read_section(reading *r, const char *line, const char *end) {
  const bool is_fence = strncmp(line, "```", 3) == 0;
  if (is_fence) r->is_code = !r->is_code;
  if (!r->is_code && *line == '#') {
    read_title(r, line, end);
    r->is_section = is_anchor(r->title, r->word);
  } else if (r->is_section && !is_fence && strncmp(line, "|---", 4) != 0 && (line < end || r->titled))
    print_line(r, line, end);
}

static int read_pages(const char *word, void (*read)(reading *r, const char *line, const char *end)) {
  int found = 0;
  for (int k = 0; k < cli_shipped_pages_count; k++) {
    reading r = {.page = &cli_shipped_pages[k], .word = word, .found = found};
    for (const char *line = r.page->text; *line;) {
      const char *end = line + strcspn(line, "\n");
      read(&r, line, end);
      line = *end ? end + 1 : end;
    }
    found = r.found;
  }
  return found;
}

/* Prints what the manual says of a word of model files. false: it says nothing. */
static bool explain_word(const char *word) {
  if (!*word || strspn(word, "abcdefghijklmnopqrstuvwxyz_0123456789") != strlen(word)) return false;
  char anchor[64];
  return read_pages(word, read_line) > 0 || (find_section(word, anchor) && read_pages(anchor, read_section) > 0);
}

/* --- the command -------------------------------------------------------------------------------------------------- */

static const cli_option options[] = {
    {"man", NULL, "print the manual page as roff", false},
    {"markdown", NULL, "print the command line reference as Markdown", false},
};

static const char *const examples[] = {"picus help run", "the options of a command", "picus help contact",
                                       "a word of model files, with its entries", NULL};

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
  if (explain_word(name)) return EXIT_DONE;
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
  else if (command) {
    cli_write_help(stdout, command);
    if (is_word(name)) {
      cli_print("\nIn model files:\n\n");
      explain_word(name);
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
