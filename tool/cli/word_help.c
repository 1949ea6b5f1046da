/* picus help WORD: what the manual says of a word of model files. The manual is the only source. A passage is about a
 * word if it is
 *   - the section that has the word as its title,
 *   - a paragraph that begins with the word, and what follows up to the next such paragraph,
 *   - a row of a table of keywords that begins with it.
 * If there is none, it is the section to which the table of all keywords refers. */
#include "cli.h"
#include "shipped_texts.h"

#include <ctype.h>
#include <string.h>

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

bool cli_is_word(const char *word) {
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

bool cli_explain_word(const char *word) {
  if (!*word || strspn(word, "abcdefghijklmnopqrstuvwxyz_0123456789") != strlen(word)) return false;
  char anchor[64];
  return read_pages(word, read_line) > 0 || (find_section(word, anchor) && read_pages(anchor, read_section) > 0);
}
