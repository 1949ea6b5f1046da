/* Disjoint sets that are joined step by step (union-find). Each element refers to one before it, or to itself; the
 * first element of a set is its root. Begin with up[i] = i. */
#ifndef PICUS_BASE_DISJOINT_SETS_H
#define PICUS_BASE_DISJOINT_SETS_H

#include <stdbool.h>

static inline int picus_set_root(int *up, int element) {
  while (up[element] != element) element = up[element] = up[up[element]];
  return element;
}

/* true: two sets became one. */
static inline bool picus_sets_join(int *up, int a, int b) {
  a = picus_set_root(up, a);
  b = picus_set_root(up, b);
  if (a < b)
    up[b] = a;
  else
    up[a] = b;
  return a != b;
}

#endif
