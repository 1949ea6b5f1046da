/* Controls: variations of items that must make them disagree, so that no check of an item is void; and the counts of
 * what values are compared with. */
#include "reproduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- reading ------------------------------------------------------------------------------------------------------ */

/* Where the number of a word such as 1e-4 or mu=0.3 begins; NULL: it has none. */
static const char *number_in(const char *word, double *out) {
  const char *equals = strrchr(word, '=');
  const char *begin = equals ? equals + 1 : word;
  char *end;
  *out = strtod(begin, &end);
  return end != begin && !*end ? begin : NULL;
}

/* Do both words give the same parameter another number, beyond a factor of two? */
static bool is_too_far(const char *a, size_t m, const char *b, size_t n) {
  char from[64], to[64];
  double x, y;
  if (m >= sizeof from || n >= sizeof to) return false;
  snprintf(from, sizeof from, "%.*s", (int)m, a);
  snprintf(to, sizeof to, "%.*s", (int)n, b);
  const char *p = number_in(from, &x), *q = number_in(to, &y);
  if (!p || !q || p - from != q - to || strncmp(from, to, (size_t)(p - from)) != 0) return false;
  return x * y != 0 && !(y / x >= 0.499999 && y / x <= 2.000001);
}

const char *reproduce_check_control(const reproduce_control *control) {
  const char *a = control->from, *b = control->to;
  if (strcmp(a, b) == 0) return "the control changes nothing";
  while (*a && *b) {
    const size_t m = strcspn(a, " \t"), n = strcspn(b, " \t");
    if (is_too_far(a, m, b, n)) return "a control changes a number by a factor of two at most";
    a += m + strspn(a + m, " \t");
    b += n + strspn(b + n, " \t");
  }
  return NULL;
}

char *reproduce_vary(reproduce_table *table, const char *text, const reproduce_control *control, bool *found) {
  const size_t from = strlen(control->from), to = strlen(control->to);
  size_t size = strlen(text);
  for (const char *at = text; (at = strstr(at, control->from)) != NULL; at += from) size += to;
  char *made = reproduce_take(table, size, 1), *end = made;
  while (made && *text) {
    if (strncmp(text, control->from, from) == 0) {
      memcpy(end, control->to, to);
      end += to;
      text += from;
      *found = true;
    } else
      *end++ = *text++;
  }
  return made;
}

/* --- counting ----------------------------------------------------------------------------------------------------- */

const char *reproduce_against_text(reproduce_against against) {
  static const char *const texts[AGAINST_KINDS] = {[AGAINST_NUMBER] = "printed number",
                                                   [AGAINST_STATEMENT] = "printed statement",
                                                   [AGAINST_REFERENCE] = "independent reference",
                                                   [AGAINST_OWN] = "own reference",
                                                   [AGAINST_BOUND] = "bound",
                                                   [AGAINST_NOTHING] = "nothing"};
  return texts[against];
}

reproduce_counts reproduce_count(const reproduce_session *s, const reproduce_result *results) {
  reproduce_counts counts = {0};
  for (int k = 0; k < s->count; k++)
    for (int v = 0; v < s->runs[k].item->value_count; v++) {
      const reproduce_value *value = &s->runs[k].item->values[v];
      counts.of[value->against]++;
      counts.agree[value->against] += results[k].within[v] && value->against != AGAINST_NOTHING;
      counts.one_sided += value->expected == EXPECT_ABOVE || value->expected == EXPECT_BELOW;
      const bool is_chosen = value->against == AGAINST_STATEMENT || value->against == AGAINST_BOUND;
      counts.chosen += is_chosen;
      counts.explained += is_chosen && value->limit;
    }
  return counts;
}

bool reproduce_needs_control(const reproduce_item *item) {
  for (int v = 0; v < item->value_count; v++)
    if (item->values[v].expected != EXPECT_SHOWN && !item->values[v].reason) return true;
  return false;
}

int reproduce_disagreeing(const reproduce_item *item, const reproduce_result *result) {
  int count = 0;
  for (int v = 0; v < item->value_count; v++)
    count += !item->values[v].reason && !isnan(result->values[v]) && !result->within[v];
  return count;
}

/* --- the report --------------------------------------------------------------------------------------------------- */

static const reproduce_control *control_of(const reproduce_session *s, const reproduce_item *varied) {
  for (int k = 0; k < s->table->item_count; k++)
    for (int c = 0; c < s->table->items[k].control_count; c++)
      if (s->table->items[k].controls[c].varied == varied) return &s->table->items[k].controls[c];
  return NULL;
}

static bool is_judged(const reproduce_value *v) { return v->expected != EXPECT_SHOWN && !v->reason; }

static bool is_control_of(const reproduce_item *item, const reproduce_item *varied) {
  for (int c = 0; c < item->control_count; c++)
    if (item->controls[c].varied == varied) return true;
  return false;
}

/* Was a control of the item run? */
static bool is_controlled(const reproduce_session *s, const reproduce_item *item) {
  for (int k = 0; k < s->count; k++)
    if (is_control_of(item, s->runs[k].item)) return true;
  return false;
}

/* Does a control of the item make its value v disagree? */
static bool is_moved(const reproduce_session *s, const reproduce_result *results, const reproduce_item *item, int v) {
  for (int k = 0; k < s->count; k++)
    if (s->runs[k].state == ITEM_COMPLETE && is_control_of(item, s->runs[k].item) && !isnan(results[k].values[v]) &&
        !results[k].within[v])
      return true;
  return false;
}

reproduce_coverage reproduce_cover(const reproduce_session *s, const reproduce_result *results) {
  reproduce_coverage cover = {0};
  for (int k = 0; k < s->table->item_count; k++) {
    const reproduce_item *item = &s->table->items[k];
    for (int v = 0; v < item->value_count && is_controlled(s, item); v++) {
      if (!is_judged(&item->values[v])) continue;
      const bool moved = is_moved(s, results, item, v);
      cover.judged++;
      cover.moved += moved;
      cover.explained += !moved && item->values[v].unmoved;
    }
  }
  return cover;
}

static void cell(FILE *file, const char *text) {
  for (; *text; text++) {
    if (strchr("|*_`\\<[", *text)) fputc('\\', file);
    fputc((unsigned char)*text < ' ' ? ' ' : *text, file);
  }
}

static void write_control(FILE *file, const reproduce_session *s, int k, const reproduce_result *result) {
  const reproduce_item *item = s->runs[k].item;
  const reproduce_control *control = control_of(s, item);
  const char *separator = "";
  fprintf(file, "| %s %s | ", s->table->papers[item->paper].id, item->id);
  cell(file, control ? control->what : "");
  fputs(" | ", file);
  if (s->runs[k].state != ITEM_COMPLETE) {
    fputs("**failed**: ", file);
    cell(file, s->runs[k].reason);
  } else if (!reproduce_disagreeing(item, result))
    fputs("**none**", file);
  for (int v = 0; s->runs[k].state == ITEM_COMPLETE && v < item->value_count; v++) {
    if (item->values[v].reason || isnan(result->values[v]) || result->within[v]) continue;
    fputs(separator, file);
    cell(file, item->values[v].label);
    fprintf(file, ": %.4g", result->values[v]);
    separator = "; ";
  }
  fputs(" |\n", file);
}

/* The values that no control reaches, and why: their items can fail, but these values were not seen to. */
static void write_uncovered(FILE *file, const reproduce_session *s, const reproduce_result *results) {
  const reproduce_coverage cover = reproduce_cover(s, results);
  fprintf(file, "\n%d of %d values that are judged are made to disagree by a control.", cover.moved, cover.judged);
  if (cover.moved == cover.judged) {
    fputs("\n", file);
    return;
  }
  fprintf(file,
          " Of the others %d of %d\nsay why none does:\n\n| item | value | why no control makes it disagree "
          "|\n|---|---|---|\n",
          cover.explained, cover.judged - cover.moved);
  for (int k = 0; k < s->table->item_count; k++) {
    const reproduce_item *item = &s->table->items[k];
    for (int v = 0; v < item->value_count && is_controlled(s, item); v++) {
      if (!is_judged(&item->values[v]) || is_moved(s, results, item, v)) continue;
      fprintf(file, "| %s %s | ", s->table->papers[item->paper].id, item->id);
      cell(file, item->values[v].label);
      fputs(" | ", file);
      if (item->values[v].unmoved)
        cell(file, item->values[v].unmoved);
      else
        fputs("**not said**", file);
      fputs(" |\n", file);
    }
  }
}

void reproduce_write_controls(FILE *file, const reproduce_session *s, const reproduce_result *results) {
  fprintf(
      file,
      "# Controls of the items\n\nWritten by `picus reproduce --controls`, Picus %s. Each control changes one thing "
      "that an item is about\n(numbers by a factor of two at most) and must make it disagree.\n\n| item and "
      "control | what is changed | values that disagree |\n|---|---|---|\n",
      PICUS_VERSION);
  for (int k = 0; k < s->count; k++) write_control(file, s, k, &results[k]);
  write_uncovered(file, s, results);
}
