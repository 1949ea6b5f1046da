/* Item files: lines of a keyword and fields that are separated by |. */
#include "cli/paths.h"
#include "platform/files.h"
#include "reproduce.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS_MOST = 32, FILE_MOST = 1 << 22, ITEMS_MOST = 10000, CONTROLS_MOST = 20 };

typedef struct reading {
  reproduce_table *table;
  const char *name;
  int line;
  reproduce_item *item; /* the last one; NULL: none yet */
} reading;

static bool wrong(const reading *r, const char *message) {
  cli_complain("%s:%d: %s", r->name, r->line, r->table->failed ? reproduce_no_memory(r->table) : message);
  return false;
}

static bool wrong_about(const reading *r, const char *message, const char *what) {
  if (r->table->failed) return wrong(r, "");
  cli_complain("%s:%d: %s '%s'", r->name, r->line, message, what);
  return false;
}

/* An array of the table with room for one element more: capacities are powers of two. */
static void *grown(reproduce_table *table, void *array, int count, size_t size) {
  if (count > 0 && (count & (count - 1)) != 0) return array;
  void *larger = reproduce_take(table, count ? 2 * (size_t)count : 1, size);
  if (larger && count) memcpy(larger, array, (size_t)count * size);
  return larger;
}

static char *copy(reproduce_table *table, const char *text, size_t length) {
  char *made = reproduce_take(table, length, 1);
  if (made) memcpy(made, text, length);
  return made;
}

/* A copy without blanks at both ends. */
static char *trimmed(reproduce_table *table, const char *text, size_t length) {
  while (length && strchr(" \t\r", text[length - 1])) length--;
  while (length && strchr(" \t", *text)) text++, length--;
  return copy(table, text, length);
}

/* Cuts a line at its |; returns the number of fields, 0: out of memory or too many. */
static int cut(reading *r, const char *text, char **fields) {
  int count = 0;
  for (;; text++) {
    size_t length = strcspn(text, "|");
    if (count == FIELDS_MOST) return 0;
    fields[count] = trimmed(r->table, text, length);
    if (!fields[count++]) return 0;
    text += length;
    if (!*text) return count;
  }
}

/* --- the item of a line ------------------------------------------------------------------------------------------- */

static bool read_paper(reading *r, const char *rest) {
  char *fields[FIELDS_MOST];
  reproduce_table *t = r->table;
  if (cut(r, rest, fields) != 2 || !*fields[0] || !*fields[1]) return wrong(r, "a paper needs: paper ID | TITLE");
  t->papers = grown(t, t->papers, t->paper_count, sizeof *t->papers);
  if (!t->papers) return wrong(r, "");
  t->papers[t->paper_count++] = (reproduce_paper){fields[0], fields[1]};
  return true;
}

/* Ids become names of folders. */
static bool is_id(const char *text) {
  return *text && strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") == strlen(text);
}

static bool vary_item(reading *r, reproduce_item *item);

/* At the end of an item: it has a verdict, and its controls can be run. */
static bool check_item(reading *r) {
  reproduce_item *item = r->item;
  if (!item) return true;
  if (item->cannot || item->value_count) return vary_item(r, item);
  cli_complain("%s:%d: the item '%s' has neither a value nor 'cannot', so it would have no verdict", r->name,
               item->line, item->id);
  return false;
}

static bool read_item(reading *r, const char *rest) {
  char *fields[FIELDS_MOST];
  reproduce_table *t = r->table;
  if (!check_item(r)) return false;
  if (cut(r, rest, fields) != 3) return wrong(r, "an item needs: item ID | PLACE | WHAT");
  if (!is_id(fields[0])) return wrong_about(r, "an id has letters, digits and dashes only, not", fields[0]);
  if (t->item_count == ITEMS_MOST) return wrong(r, "a file has at most 10000 items");
  if (t->paper_count == 0) return wrong(r, "an item needs a paper before it");
  const int paper = t->paper_count - 1;
  if (!is_id(t->papers[paper].id))
    return wrong_about(r, "an id has letters, digits and dashes only, not", t->papers[paper].id);
  for (int k = 0; k < t->item_count; k++)
    if (strcmp(t->papers[t->items[k].paper].id, t->papers[paper].id) == 0 && strcmp(t->items[k].id, fields[0]) == 0)
      return wrong_about(r, "there is already an item", fields[0]);
  t->items = grown(t, t->items, t->item_count, sizeof *t->items);
  if (!t->items) return wrong(r, "");
  r->item = &t->items[t->item_count++];
  *r->item = (reproduce_item){.paper = paper, .id = fields[0], .place = fields[1], .what = fields[2], .line = r->line};
  return true;
}

static bool add_text(reading *r, const char *rest, const char ***list, int *count) {
  *list = grown(r->table, *list, *count, sizeof **list);
  char *text = trimmed(r->table, rest, strlen(rest));
  if (!*list || !text) return wrong(r, "");
  (*list)[(*count)++] = text;
  return true;
}

static bool read_note(reading *r, const char *rest) { return add_text(r, rest, &r->item->notes, &r->item->note_count); }
static bool read_assumed(reading *r, const char *rest) {
  return add_text(r, rest, &r->item->assumed, &r->item->assumed_count);
}
static bool read_cannot(reading *r, const char *rest) {
  r->item->cannot = trimmed(r->table, rest, strlen(rest));
  return r->item->cannot && *r->item->cannot ? true : wrong(r, "'cannot' needs a reason");
}

static bool read_quantity(reading *r, const char *text, quantity *out) {
  int count = 0;
  const char *message;
  char **words = reproduce_split(r->table, text, &count, &message);
  if (words) message = reproduce_read_quantity(count, words, out);
  return message ? wrong_about(r, message, text) : true;
}

/* --- expectations ------------------------------------------------------------------------------------------------- */

static bool to_number(const char *text, double *out) {
  char *end;
  *out = strtod(text, &end);
  return end != text && !*end && isfinite(*out);
}

/* X within T, X within P%, above X, below X, between A and B, shown */
static bool parse_expectation(int count, char **w, reproduce_value *v) {
  if (count == 1 && strcmp(w[0], "shown") == 0) {
    v->expected = EXPECT_SHOWN;
    return true;
  }
  if (count == 2 && (strcmp(w[0], "above") == 0 || strcmp(w[0], "below") == 0)) {
    v->expected = w[0][0] == 'a' ? EXPECT_ABOVE : EXPECT_BELOW;
    return to_number(w[1], &v->a);
  }
  if (count == 4 && strcmp(w[0], "between") == 0 && strcmp(w[2], "and") == 0) {
    v->expected = EXPECT_BETWEEN;
    return to_number(w[1], &v->a) && to_number(w[3], &v->b) && v->a <= v->b;
  }
  if (count != 3 || strcmp(w[1], "within") != 0 || !to_number(w[0], &v->a)) return false;
  v->expected = EXPECT_NEAR;
  const size_t length = strlen(w[2]);
  const bool percent = length > 1 && w[2][length - 1] == '%';
  if (percent) w[2][length - 1] = '\0';
  if (!to_number(w[2], &v->b) || v->b < 0) return false;
  if (percent) v->b *= fabs(v->a) / 100;
  return true;
}

/* What a value is compared with: without a word a reference of the item, and nothing if it is only shown. */
static bool read_against(reading *r, const char *text, reproduce_value *v) {
  static const char *const words[] = {"number", "statement", "reference", "own", "bound"};
  const bool one_sided = v->expected == EXPECT_ABOVE || v->expected == EXPECT_BELOW;
  int kind = *text ? 0 : AGAINST_OWN;
  while (*text && kind < AGAINST_NOTHING && strcmp(words[kind], text) != 0) kind++;
  if (kind == AGAINST_NOTHING)
    return wrong_about(r, "a value is compared with a number, statement, reference, own or bound, not", text);
  v->against = v->expected == EXPECT_SHOWN ? AGAINST_NOTHING : (reproduce_against)kind;
  if (v->against == AGAINST_NUMBER && one_sided)
    return wrong(r, "a printed number is compared by 'within' or 'between', not by a limit at one side");
  if (v->against == AGAINST_BOUND && !one_sided) return wrong(r, "a bound is 'above X' or 'below X'");
  if (v->against <= AGAINST_STATEMENT && !v->paper) return wrong(r, "what the paper prints is missing");
  return true;
}

static bool read_value(reading *r, const char *rest) {
  char *fields[FIELDS_MOST];
  const int count = cut(r, rest, fields);
  reproduce_item *item = r->item;
  if (count < 3 || count > 6 || !*fields[0])
    return wrong(r, "a value needs: value LABEL | QUANTITY | EXPECTED [| COMPARED WITH [| PAPER [| WHY IT DIFFERS]]]");
  reproduce_value v = {.label = fields[0], .text = fields[1], .line = r->line};
  v.paper = count > 4 && *fields[4] ? fields[4] : NULL;
  v.reason = count > 5 && *fields[5] ? fields[5] : NULL;
  if (!read_quantity(r, fields[1], &v.what)) return false;
  int words = 0;
  const char *message;
  char **list = reproduce_split(r->table, fields[2], &words, &message);
  if (!list) return wrong(r, message);
  if (!parse_expectation(words, list, &v))
    return wrong_about(r,
                       "expected is 'X within T', 'X within P%', 'above X', 'below X', 'between A and B' or 'shown', "
                       "not",
                       fields[2]);
  if (!read_against(r, count > 3 ? fields[3] : "", &v)) return false;
  item->values = grown(r->table, item->values, item->value_count, sizeof *item->values);
  if (!item->values) return wrong(r, "");
  item->values[item->value_count++] = v;
  return true;
}

/* A text about the last value, which has none yet: `word` and what it says. */
static bool read_about(reading *r, const char *rest, const char *word, const char *says, const char **text) {
  const reproduce_value *v = &r->item->values[r->item->value_count - 1];
  char message[128];
  if (*text) {
    snprintf(message, sizeof message, "a value has one line '%s'", word);
    return wrong(r, message);
  }
  if (v->expected == EXPECT_SHOWN) {
    snprintf(message, sizeof message, "a value that is only shown has no line '%s'", word);
    return wrong(r, message);
  }
  *text = trimmed(r->table, rest, strlen(rest));
  if (*text && **text) return true;
  snprintf(message, sizeof message, "'%s' says %s", word, says);
  return wrong(r, message);
}

/* The reason of the limit of the last value. */
static bool read_limit(reading *r, const char *rest) {
  reproduce_item *item = r->item;
  if (!item->value_count) return wrong(r, "'limit' comes after a value");
  return read_about(r, rest, "limit", "where the limit of the value comes from",
                    &item->values[item->value_count - 1].limit);
}

/* Why no control makes the last value disagree. */
static bool read_unmoved(reading *r, const char *rest) {
  reproduce_item *item = r->item;
  if (!item->value_count) return wrong(r, "'unmoved' comes after a value");
  return read_about(r, rest, "unmoved", "why no control makes the value disagree",
                    &item->values[item->value_count - 1].unmoved);
}

/* --- steps -------------------------------------------------------------------------------------------------------- */

static reproduce_step *add_step(reading *r, const char *text) {
  reproduce_item *item = r->item;
  item->steps = grown(r->table, item->steps, item->step_count, sizeof *item->steps);
  char *kept = item->steps ? trimmed(r->table, text, strlen(text)) : NULL;
  if (!kept) return NULL;
  reproduce_step *step = &item->steps[item->step_count++];
  *step = (reproduce_step){.text = kept, .line = r->line};
  return step;
}

/* The files that a command writes; bad: one that it may not write. */
typedef struct output_list {
  reproduce_table *table;
  reproduce_step *step;
  const char *bad;
} output_list;

static void take_output(void *user, const cli_output *output) {
  output_list *list = user;
  reproduce_step *step = list->step;
  const size_t length = strlen(output->path);
  char *kept = reproduce_take(list->table, length + 1, 1);
  if (kept) snprintf(kept, length + 2, "%s%s", output->path, output->is_folder ? "/" : "");
  step->outputs = kept ? grown(list->table, step->outputs, step->output_count, sizeof *step->outputs) : NULL;
  if (!step->outputs) {
    step->output_count = 0;
    return;
  }
  step->outputs[step->output_count++] = kept;
  if (!cli_path_is_plain(kept)) list->bad = kept;
}

/* Commands write below the folder of their item only: the file may come from somebody else. */
static bool check_outputs(reading *r, reproduce_step *step) {
  output_list list = {.table = r->table, .step = step};
  cli_arguments *arguments = cli_parse(r->table->find(step->words[1]), step->word_count, step->words);
  if (!arguments) return wrong_about(r, "the options of the command are wrong:", step->text);
  const bool has_help = cli_wants_help(arguments), allows = cli_given(arguments, "allow-paths");
  if (!has_help && !cli_for_each_output(arguments, take_output, &list)) r->table->failed = true;
  cli_arguments_free(arguments);
  if (r->table->failed) return wrong(r, "");
  if (allows) return wrong(r, "a command of an item has no option --allow-paths");
  return list.bad ? wrong_about(r, "a command of an item writes to the folder of the item only, not to", list.bad)
                  : true;
}

static bool read_command(reading *r, const char *line) {
  const char *message;
  reproduce_step *step = add_step(r, line);
  if (!step) return wrong(r, "");
  step->words = reproduce_split(r->table, line, &step->word_count, &message);
  if (!step->words) return wrong(r, message);
  if (step->word_count < 2) return wrong(r, "a command needs a name after 'picus'");
  if (!r->table->find(step->words[1])) return wrong_about(r, "there is no command", step->words[1]);
  if (strcmp(step->words[1], "reproduce") == 0) return wrong(r, "an item cannot call picus reproduce");
  return check_outputs(r, step);
}

/* Files of an item stay in its folder. */
static bool is_file_name(const char *text) { return *text && *text != '.' && strcspn(text, "/\\") == strlen(text); }

static bool read_row(reading *r, const char *line) {
  char *fields[FIELDS_MOST];
  const int count = cut(r, line + strlen("row"), fields);
  if (count < 2) return wrong(r, "a row needs: row FILE.csv | HEADING = QUANTITY | ...");
  if (!is_file_name(fields[0])) return wrong_about(r, "not the name of a file in the folder of the item:", fields[0]);
  reproduce_step *step = add_step(r, line);
  if (!step) return wrong(r, "");
  step->table = fields[0];
  step->cells = reproduce_take(r->table, (size_t)count, sizeof *step->cells);
  if (!step->cells) return wrong(r, "");
  for (int k = 1; k < count; k++) {
    char *equals = strstr(fields[k], " = ");
    if (!equals) return wrong_about(r, "a cell needs HEADING = QUANTITY, not", fields[k]);
    *equals = '\0';
    if (strpbrk(fields[k], ",\""))
      return wrong_about(r, "a heading has neither a comma nor a quotation mark, unlike", fields[k]);
    step->cells[step->cell_count].heading = fields[k];
    if (!read_quantity(r, equals + 3, &step->cells[step->cell_count++].what)) return false;
  }
  return true;
}

/* model FILE.lua | TEXT: TEXT may contain any character */
static bool read_model(reading *r, const char *line) {
  const char *name = line + strcspn(line, " \t"), *bar = strchr(name, '|');
  name += strspn(name, " \t");
  if (!bar) return wrong(r, "a model needs: model FILE.lua | LUA");
  reproduce_step *step = add_step(r, line);
  char *file = step ? trimmed(r->table, name, (size_t)(bar - name)) : NULL;
  char *lua = file ? trimmed(r->table, bar + 1, strlen(bar + 1)) : NULL;
  if (!lua) return wrong(r, "");
  const size_t length = strlen(file);
  if (!is_file_name(file) || length < 5 || strcmp(file + length - 4, ".lua") != 0)
    return wrong_about(r, "not the name of a .lua file in the folder of the item:", file);
  step->model = file;
  step->lua = lua;
  return true;
}

static bool starts_with(const char *text, const char *word) {
  const size_t length = strlen(word);
  return strncmp(text, word, length) == 0 && (!text[length] || strchr(" \t", text[length]));
}

static bool read_step(reading *r, const char *line) {
  if (starts_with(line, "picus")) return read_command(r, line);
  if (starts_with(line, "row")) return read_row(r, line);
  if (starts_with(line, "model")) return read_model(r, line);
  return wrong_about(r, "a loop repeats 'picus ...' or 'row ...', not", line);
}

/* text with $name replaced */
static char *substitute(reproduce_table *table, const char *text, const char *name, const char *value) {
  const size_t name_length = strlen(name), value_length = strlen(value);
  size_t size = strlen(text);
  for (const char *at = text; (at = strchr(at, '$')) != NULL; at++) size += value_length;
  char *made = reproduce_take(table, size, 1), *to = made;
  while (made && *text) {
    if (*text == '$' && strncmp(text + 1, name, name_length) == 0) {
      memcpy(to, value, value_length);
      to += value_length;
      text += 1 + name_length;
    } else
      *to++ = *text++;
  }
  return made;
}

/* for NAME in A B C: STEP; STEP may be another loop */
static bool read_loop(reading *r, const char *line, int depth) {
  const char *colon = strstr(line, ": ");
  int count = 0;
  const char *message = NULL;
  char *head = colon ? copy(r->table, line, (size_t)(colon - line)) : NULL;
  char **words = head ? reproduce_split(r->table, head, &count, &message) : NULL;
  if (head && !words) return wrong(r, message);
  if (!words || count < 4 || strcmp(words[2], "in") != 0 || !is_id(words[1]))
    return wrong(r, "a loop needs: for NAME in A B ...: picus ... or row ...");
  if (depth > 3) return wrong(r, "loops are nested too deep");
  const char *body = colon + 2 + strspn(colon + 2, " \t");
  for (int k = 3; k < count; k++) {
    char *step = substitute(r->table, body, words[1], words[k]);
    if (!step) return wrong(r, "");
    if (!(starts_with(step, "for") ? read_loop(r, step, depth + 1) : read_step(r, step))) return false;
  }
  return true;
}

static bool read_shown(reading *r, const char *rest, shown_kind kind) {
  char *fields[FIELDS_MOST];
  reproduce_item *item = r->item;
  if (cut(r, rest, fields) != 2) return wrong(r, "this entry needs a file (or the number of a command) | CAPTION");
  double number = 0;
  if (kind == SHOWN_OUTPUT ? !to_number(fields[0], &number) : !is_file_name(fields[0]))
    return wrong_about(r, "not the name of a file in the folder of the item:", fields[0]);
  item->shown = grown(r->table, item->shown, item->shown_count, sizeof *item->shown);
  if (!item->shown) return wrong(r, "");
  item->shown[item->shown_count++] = (reproduce_shown){kind, fields[0], fields[1]};
  return true;
}

/* --- controls ----------------------------------------------------------------------------------------------------- */

static bool read_control(reading *r, const char *rest) {
  char *fields[FIELDS_MOST];
  reproduce_item *item = r->item;
  if (cut(r, rest, fields) != 3 || !*fields[0] || !*fields[1])
    return wrong(r, "a control needs: control WHAT IT CHANGES | TEXT OF A COMMAND | OTHER TEXT");
  const reproduce_control control = {.what = fields[0], .from = fields[1], .to = fields[2], .line = r->line};
  const char *message = reproduce_check_control(&control);
  if (message) return wrong(r, message);
  if (item->control_count == CONTROLS_MOST) return wrong(r, "an item has at most 20 controls");
  item->controls = grown(r->table, item->controls, item->control_count, sizeof *item->controls);
  if (!item->controls) return wrong(r, "");
  item->controls[item->control_count++] = control;
  return true;
}

/* The item of a control: other steps, read as lines of the file are; no figures. */
static bool vary_steps(reading *r, const reproduce_item *item, const reproduce_control *control) {
  bool found = false;
  for (int k = 0; k < item->step_count; k++) {
    char *text =
        item->steps[k].table ? item->steps[k].text : reproduce_vary(r->table, item->steps[k].text, control, &found);
    if (!text) return wrong(r, "");
    if (!read_step(r, text)) return false;
  }
  return found ? true : wrong_about(r, "no command of the item contains the text of the control", control->from);
}

/* Reads the steps of all controls; afterwards the line is that where the item ended. */
static bool vary_item(reading *r, reproduce_item *item) {
  const int line = r->line;
  bool fine = true;
  for (int k = 0; fine && k < item->control_count; k++) {
    reproduce_control *control = &item->controls[k];
    const size_t length = strlen(item->id) + 8;
    char *id = reproduce_take(r->table, length, 1);
    r->line = control->line;
    control->varied = reproduce_take(r->table, 1, sizeof *control->varied);
    if (!id || !control->varied) return wrong(r, "");
    snprintf(id, length, "%s-%d", item->id, k + 1);
    *control->varied = *item;
    control->varied->id = id;
    control->varied->steps = NULL;
    control->varied->step_count = control->varied->shown_count = control->varied->control_count = 0;
    r->item = control->varied;
    fine = vary_steps(r, item, control);
  }
  r->item = item;
  r->line = line;
  return fine;
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

static bool read_line(reading *r, char *line) {
  const char *rest = line + strcspn(line, " \t");
  rest += strspn(rest, " \t");
  if (starts_with(line, "paper")) {
    if (!check_item(r)) return false;
    r->item = NULL;
    return read_paper(r, rest);
  }
  if (starts_with(line, "item")) return read_item(r, rest);
  if (!r->item) return wrong_about(r, "an item must come before the line", line);
  if (starts_with(line, "picus")) return read_command(r, line);
  if (starts_with(line, "row")) return read_row(r, line);
  if (starts_with(line, "model")) return read_model(r, line);
  if (starts_with(line, "for")) return read_loop(r, line, 0);
  if (starts_with(line, "value")) return read_value(r, rest);
  if (starts_with(line, "limit")) return read_limit(r, rest);
  if (starts_with(line, "unmoved")) return read_unmoved(r, rest);
  if (starts_with(line, "figure")) return read_shown(r, rest, SHOWN_FIGURE);
  if (starts_with(line, "table")) return read_shown(r, rest, SHOWN_TABLE);
  if (starts_with(line, "output")) return read_shown(r, rest, SHOWN_OUTPUT);
  if (starts_with(line, "note")) return read_note(r, rest);
  if (starts_with(line, "assumed")) return read_assumed(r, rest);
  if (starts_with(line, "cannot")) return read_cannot(r, rest);
  if (starts_with(line, "control")) return read_control(r, rest);
  return wrong_about(r, "unknown keyword in the line", line);
}

/* The length of a line without blanks at its end. */
static size_t used_length(const char *line, size_t length) {
  while (length && strchr(" \t\r", line[length - 1])) length--;
  return length;
}

/* The next line, with the ones that \ at its end joins; NULL: out of memory. */
static char *next_line(reading *r, const char **text, int *lines) {
  const char *end = *text;
  bool more = true;
  for (*lines = 0; more && *end; ++*lines) {
    const size_t length = strcspn(end, "\n"), used = used_length(end, length);
    more = used && end[used - 1] == '\\';
    end += length + (end[length] == '\n');
  }
  char *joined = reproduce_take(r->table, (size_t)(end - *text), 1), *to = joined;
  for (const char *from = *text; joined && from < end;) {
    const size_t length = strcspn(from, "\n"), used = used_length(from, length);
    size_t blank = to == joined ? 0 : strspn(from, " \t");
    const size_t last = used && from[used - 1] == '\\' ? used - 1 : used;
    if (last > blank) {
      memcpy(to, from + blank, last - blank);
      to += last - blank;
    }
    from += length + (from[length] == '\n');
  }
  *text = end;
  return joined;
}

bool reproduce_read(reproduce_table *table, const char *name, const char *text, size_t length) {
  reading r = {.table = table, .name = name, .line = 1};
  if (memchr(text, '\0', length)) return wrong(&r, "the file contains a zero byte");
  int lines = 0;
  for (; *text; r.line += lines) {
    char *line = next_line(&r, &text, &lines);
    if (!line) return wrong(&r, "");
    line += strspn(line, " \t");
    if (*line && *line != '#' && !read_line(&r, line)) return false;
  }
  return check_item(&r);
}

bool reproduce_read_file(reproduce_table *table, const char *path) {
  FILE *file = picus_stream_read(path);
  char *text = file ? malloc(FILE_MOST + 1) : NULL;
  const size_t length = text ? fread(text, 1, FILE_MOST, file) : 0;
  bool fine = text && !ferror(file);
  if (!fine)
    cli_complain("cannot read '%s': %s", path, strerror(errno));
  else if (length == FILE_MOST) {
    fine = false;
    cli_complain("'%s' is larger than %d bytes", path, FILE_MOST);
  }
  if (fine) {
    text[length] = '\0';
    fine = reproduce_read(table, path, text, length);
  }
  free(text);
  if (file) fclose(file);
  return fine;
}

void reproduce_release(reproduce_table *table) {
  for (reproduce_block *block = table->blocks, *next; block; block = next) {
    next = block->next;
    free(block);
  }
  *table = (reproduce_table){0};
}
