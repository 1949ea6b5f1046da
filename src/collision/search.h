/* Which features of two large cores can attain the largest separation. */
#ifndef PICUS_COLLISION_SEARCH_H
#define PICUS_COLLISION_SEARCH_H

#include "collision/narrow.h"

/* Cores with fewer edges are compared edge by edge. */
enum { SEARCH_FEWEST_EDGES = 64 };
bool picus_search_is_worth(const narrow_pair *pair);
/* Fills the lists in the memory of the pair. false: some direction separates the cores by more than the reach, and
 * *separation is how far. */
bool picus_search(const narrow_pair *pair, feature_list list[2], double *separation);

#endif
