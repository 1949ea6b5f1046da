/* Words of item files: lines split as a shell splits them, and quantities. */
#include "reproduce.h"

#include <stdlib.h>
#include <string.h>

/* Loops and braces expand a file; these limits are far beyond the shipped ones. */
enum { BYTES_MOST = 1 << 26, WORDS_MOST = 10000, BRACES_MOST = 100 };

const char *reproduce_no_memory(const reproduce_table *table) {
  return table->is_too_large ? "the file expands to more than 64 MiB; write fewer loops and braces" : "out of memory";
}

void *reproduce_take(reproduce_table *table, size_t count, size_t size) {
  enum { OVERHEAD = 32 }; /* of an allocation, with the head of the block */
  const size_t used = table->block_bytes + OVERHEAD;
  table->is_too_large = table->is_too_large || used > BYTES_MOST || count + 1 > (BYTES_MOST - used) / size;
  const size_t bytes = table->is_too_large ? 0 : (count + 1) * size;
  reproduce_block *block = table->is_too_large ? NULL : calloc(1, sizeof *block + bytes);
  if (!block) {
    table->failed = true;
    return NULL;
  }
  block->next = table->blocks;
  table->blocks = block;
  table->block_bytes += bytes + OVERHEAD;
  return block->memory;
}

/* --- splitting ---------------------------------------------------------------------------------------------------- */

typedef struct word_list {
  reproduce_table *table;
  char **words;
  int count, capacity;
  const char *wrong; /* NULL: nothing, or no memory */
} word_list;

static bool add_word(word_list *list, char *word) {
  if (list->count == WORDS_MOST) {
    list->wrong = "the line expands to more than 10000 words; write fewer braces";
    return false;
  }
  if (list->count == list->capacity) {
    int capacity = list->capacity ? 2 * list->capacity : 16;
    char **words = reproduce_take(list->table, (size_t)capacity, sizeof *words);
    if (!words) return false;
    if (list->count) memcpy(words, list->words, (size_t)list->count * sizeof *words);
    list->words = words;
    list->capacity = capacity;
  }
  list->words[list->count++] = word;
  return true;
}

/* a{b,c}d becomes abd and acd; further braces are expanded in turn. A brace without a comma stays. */
static bool add_expanded(word_list *list, char *word, int depth) {
  char *open = strchr(word, '{'), *close = open ? strchr(open, '}') : NULL;
  if (depth > BRACES_MOST) {
    list->wrong = "a word has more than 100 pairs of braces";
    return false;
  }
  if (!close || !memchr(open, ',', (size_t)(close - open))) return add_word(list, word);
  const size_t length = strlen(word);
  for (char *part = open + 1; part <= close;) {
    char *end = part + strcspn(part, ",}");
    char *made = reproduce_take(list->table, length, 1);
    if (!made) return false;
    memcpy(made, word, (size_t)(open - word));
    memcpy(made + (open - word), part, (size_t)(end - part));
    strcat(made, close + 1);
    if (!add_expanded(list, made, depth + 1)) return false;
    part = end + 1;
  }
  return true;
}

char **reproduce_split(reproduce_table *table, const char *text, int *count, const char **wrong) {
  word_list list = {.table = table};
  *wrong = NULL;
  while (!table->failed) {
    text += strspn(text, " \t");
    if (!*text) break;
    char *word = reproduce_take(table, strlen(text), 1), quote = '\0', *to = word;
    bool quoted = false;
    if (!word) break;
    for (; *text && (quote || !strchr(" \t", *text)); text++) {
      if (quote ? *text == quote : *text == '\'' || *text == '"') {
        quote = quote ? '\0' : *text;
        quoted = true;
      } else
        *to++ = *text;
    }
    if (quote) {
      *wrong = "a quotation mark is not closed";
      return NULL;
    }
    if (!(quoted ? add_word(&list, word) : add_expanded(&list, word, 0))) break;
  }
  *wrong = table->failed ? reproduce_no_memory(table) : list.wrong;
  *count = list.count;
  return *wrong ? NULL : list.count ? list.words : reproduce_take(table, 1, sizeof(char *));
}

/* --- quantities --------------------------------------------------------------------------------------------------- */

/* The kinds of arguments: f file, c column or columns, n number, w word, s above or below, m norm; after / optional. */
static const struct {
  const char *name, *arguments;
} kinds[QUANTITY_KINDS] = {
    [QUANTITY_NUMBER] = {"number", "n"},
    [QUANTITY_ROW] = {"row", "fcn"},
    [QUANTITY_LAST] = {"last", "fc"},
    [QUANTITY_MAX] = {"max", "fc/nn"},
    [QUANTITY_MIN] = {"min", "fc/nn"},
    [QUANTITY_PEAK] = {"peak", "fc/nn"},
    [QUANTITY_MEAN] = {"mean", "fc/nn"},
    [QUANTITY_RMS] = {"rms", "fc/nn"},
    [QUANTITY_SUM] = {"sum", "fc/nn"},
    [QUANTITY_TURNS] = {"turns", "fc/nn"},
    [QUANTITY_CLIMB] = {"climb", "fc/nn"},
    [QUANTITY_AT] = {"at", "fcn"},
    [QUANTITY_COUNT] = {"count", "fcsn/nn"},
    [QUANTITY_FIRST] = {"first", "fcsn/nn"},
    [QUANTITY_UNTIL] = {"until", "fcsn/nn"},
    [QUANTITY_TOGETHER] = {"together", "fcsn/nn"},
    [QUANTITY_ORDER] = {"order", "fcc/nn"},
    [QUANTITY_EVENT] = {"event", "fwwwn"},
    [QUANTITY_EVENTS] = {"events", "fw"},
    [QUANTITY_ERROR] = {"error", "mffc"},
    [QUANTITY_SPECTRAL] = {"spectral", "ffc"},
    [QUANTITY_PRINTED] = {"printed", "nwn"},
    [QUANTITY_CPU] = {"cpu", "n"},
    [QUANTITY_STATISTIC] = {"statistic", "fw"},
    [QUANTITY_NORM] = {"norm", "mffc"},
    [QUANTITY_DISTINCT] = {"distinct", "fc/nn"},
};

static bool fits(char kind, const char *word) {
  char *end;
  switch (kind) {
  case 'n':
    (void)strtod(word, &end);
    return end != word && !*end;
  case 's':
    return strcmp(word, "above") == 0 || strcmp(word, "below") == 0;
  case 'm':
    return strcmp(word, "uniform") == 0 || strcmp(word, "l1") == 0 || strcmp(word, "l2") == 0;
  default:
    return *word != '\0';
  }
}

/* Reads a term up to the end or an operator; returns what is wrong. */
static const char *read_term(int count, char **words, quantity_term *out) {
  if (count == 0) return "a quantity is missing";
  int kind = 0;
  while (kind < QUANTITY_KINDS && strcmp(kinds[kind].name, words[0]) != 0) kind++;
  if (kind == QUANTITY_KINDS) return "the kind of the quantity is unknown; docs/reproduce.md lists them";
  const char *pattern = kinds[kind].arguments, *optional = strchr(pattern, '/');
  const int least = (int)(optional ? (size_t)(optional - pattern) : strlen(pattern));
  const int most = (int)strlen(pattern) - (optional != NULL);
  if (count - 1 != least && count - 1 != most) return "the quantity has the wrong number of arguments";
  for (int k = 1; k < count; k++)
    if (!fits(pattern[k - 1 + (k > least)], words[k])) return "an argument of the quantity is not of its kind";
  *out = (quantity_term){(quantity_kind)kind, count - 1, words + 1};
  return NULL;
}

const char *reproduce_read_quantity(int count, char **words, quantity *out) {
  *out = (quantity){0};
  int end = 0;
  while (end < count && !(strlen(words[end]) == 1 && strchr("+-/*", words[end][0]))) end++;
  const char *wrong = read_term(end, words, &out->first);
  if (wrong || end == count) return wrong;
  out->operation = words[end][0];
  return read_term(count - end - 1, words + end + 1, &out->second);
}
