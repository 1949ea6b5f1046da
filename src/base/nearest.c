/* The nearest known name, for messages about unknown ones. */
#include "base/internal.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST_NAME = 64 };

static int smaller(int a, int b) { return a < b ? a : b; }

/* Levenshtein distance, upper and lower case counting as equal; names longer than LONGEST_NAME are never near. */
static int edit_distance(const char *a, const char *b) {
  size_t na = strlen(a), nb = strlen(b);
  if (na > LONGEST_NAME || nb > LONGEST_NAME) return LONGEST_NAME;
  int row[LONGEST_NAME + 1];
  for (size_t j = 0; j <= nb; j++) row[j] = (int)j;
  for (size_t i = 1; i <= na; i++) {
    int diagonal = row[0];
    row[0] = (int)i;
    for (size_t j = 1; j <= nb; j++) {
      int same = tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 1]);
      int replaced = diagonal + (same ? 0 : 1);
      diagonal = row[j];
      row[j] = smaller(replaced, 1 + smaller(row[j], row[j - 1]));
    }
  }
  return row[nb];
}

const char *picus_nearest_name(const char *name, const char *(*next)(const void *user, int k), const void *user) {
  const char *nearest = NULL;
  int nearest_distance = smaller(3, (int)(strlen(name) + 2) / 2); /* further away than this is not a slip of the pen */
  for (int k = 0;; k++) {
    const char *candidate = next(user, k);
    if (!candidate) return nearest;
    int distance = edit_distance(name, candidate);
    if (distance > nearest_distance || (nearest && distance == nearest_distance)) continue;
    nearest = candidate;
    nearest_distance = distance;
  }
}
