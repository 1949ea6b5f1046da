/* The nearest known name, for messages about unknown ones. */
#include "base/internal.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST_NAME = 64 };

static int smaller(int a, int b) { return a < b ? a : b; }

/* Costs of a typing error: a wrong, missing or extra letter costs LETTER, two exchanged neighbours a little less, upper
 * instead of lower case almost nothing. */
enum { LETTER = 4, EXCHANGE = 3, CASE = 1 };

static int replacement_price(char a, char b) {
  if (a == b) return 0;
  return tolower((unsigned char)a) == tolower((unsigned char)b) ? CASE : LETTER;
}

/* Edit distance with exchanges (optimal string alignment); names longer than LONGEST_NAME are never near. */
static int edit_distance(const char *a, const char *b) {
  size_t na = strlen(a), nb = strlen(b);
  if (na > LONGEST_NAME || nb > LONGEST_NAME) return LETTER * LONGEST_NAME;
  int rows[3][LONGEST_NAME + 1]; /* the last three rows of the table */
  for (size_t j = 0; j <= nb; j++) rows[0][j] = LETTER * (int)j;
  for (size_t i = 1; i <= na; i++) {
    int *row = rows[i % 3];
    const int *last = rows[(i + 2) % 3], *before_last = rows[(i + 1) % 3];
    row[0] = LETTER * (int)i;
    for (size_t j = 1; j <= nb; j++) {
      int changed = last[j - 1] + replacement_price(a[i - 1], b[j - 1]);
      row[j] = smaller(changed, LETTER + smaller(last[j], row[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = smaller(row[j], before_last[j - 2] + EXCHANGE);
    }
  }
  return rows[na % 3][nb];
}

const char *picus_nearest_name(const char *name, const char *(*next)(const void *user, int k), const void *user) {
  const char *nearest = NULL;
  int nearest_distance = LETTER * smaller(3, (int)(strlen(name) + 2) / 2); /* further away is not a slip of the pen */
  for (int k = 0;; k++) {
    const char *candidate = next(user, k);
    if (!candidate) return nearest;
    int distance = edit_distance(name, candidate);
    if (distance > nearest_distance || (nearest && distance == nearest_distance)) continue;
    nearest = candidate;
    nearest_distance = distance;
  }
}
