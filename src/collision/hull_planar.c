/* Convex hull of points in the plane: Andrew's monotone chain (1979). */
#include "collision/polytope.h"

#include <stdlib.h>

static int by_place(const void *left, const void *right) {
  const v3 *a = left, *b = right;
  if (a->x != b->x) return a->x < b->x ? -1 : 1;
  return a->y < b->y ? -1 : a->y > b->y;
}

/* Whether b is right of the line from a to c by more than the tolerance: a corner of a counterclockwise hull. */
static bool is_corner(v3 a, v3 b, v3 c, double tolerance) {
  v3 along = v3_sub(c, a), to = v3_sub(b, a);
  return along.y * to.x - along.x * to.y > tolerance * v3_length(along);
}

static int chain(const v3 *points, int count, int step, double tolerance, v3 *corners) {
  int found = 0;
  for (int k = 0; k < count; k++) {
    const v3 *next = points + (ptrdiff_t)k * step;
    while (found >= 2 && !is_corner(corners[found - 2], corners[found - 1], *next, tolerance)) found--;
    if (found == 1 && v3_length(v3_sub(*next, corners[0])) <= tolerance) continue;
    corners[found++] = *next;
  }
  return found;
}

int picus_hull_planar(v3 *points, int count, double tolerance, v3 *corners) {
  qsort(points, (size_t)count, sizeof *points, by_place);
  int lower = chain(points, count, 1, tolerance, corners);
  if (lower < 2) return lower;
  int upper =
      chain(points + count - 1, count, -1, tolerance, corners + lower - 1); /* starts where the lower one ends */
  return lower + upper - 2;
}
