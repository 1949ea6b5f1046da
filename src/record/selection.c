/* Columns that are named by patterns. */
#include "base/internal.h"
#include "record/internal.h"

#include <string.h>

/* '*' stands for any letters, '?' for one. After a star, the shortest match that works is taken: only the last star
 * needs to be tried again. */
static bool matches(const char *pattern, size_t length, const char *name) {
  const char *end = pattern + length, *star = NULL, *retry = NULL;
  while (*name) {
    if (pattern < end && *pattern == '*') {
      star = ++pattern;
      retry = name;
    } else if (pattern < end && (*pattern == '?' || *pattern == *name)) {
      pattern++;
      name++;
    } else if (star) {
      pattern = star;
      name = ++retry;
    } else {
      return false;
    }
  }
  while (pattern < end && *pattern == '*') pattern++;
  return pattern == end;
}

static const char *column_name(const void *user, int k) {
  const picus_column_list *list = user;
  return k < (int)list->count ? list->columns[k].name : NULL;
}

static picus_status fail_unknown(picus_context *context, const picus_column_list *list, const char *word,
                                 size_t length) {
  enum { MOST = 60 };
  char name[MOST + 1] = "";
  memcpy(name, word, length < MOST ? length : MOST);
  const char *nearest = picus_nearest_name(name, column_name, list);
  return picus_fail(context, PICUS_ERROR_NAME, "no column of the results matches '%s'%s%s%s", name,
                    nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

picus_status picus_columns_choose(picus_context *context, const picus_column_list *list, const char *patterns,
                                  bool *chosen) {
  static const char separators[] = ", \t\r\n";
  bool is_empty = true;
  for (size_t k = 0; k < list->count; k++) chosen[k] = list->columns[k].kind == PICUS_COLUMN_TIME;
  for (const char *word = patterns + strspn(patterns, separators); *word; word += strspn(word, separators)) {
    const size_t length = strcspn(word, separators);
    bool found = false;
    for (size_t k = 0; k < list->count; k++) {
      if (!matches(word, length, list->columns[k].name)) continue;
      chosen[k] = found = true;
    }
    if (!found) return fail_unknown(context, list, word, length);
    is_empty = false;
    word += length;
  }
  if (!is_empty) return PICUS_OK;
  return picus_fail(context, PICUS_ERROR_ARGUMENT, "the list of columns to record is empty; '*' stands for all");
}
