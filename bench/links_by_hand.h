/* The chain of bench/scenes/links.lua by hand, see links_by_hand.c. */
#ifndef PICUS_BENCH_LINKS_BY_HAND_H
#define PICUS_BENCH_LINKS_BY_HAND_H

#include <stdbool.h>

/* Of each link: x, y, phi and their rates; two percussions at the joint before it; a block of the factors. */
typedef struct links_by_hand {
  int count;
  double dt, length, mass;
  double *memory;
  double *q, *u, *P;
  double *ahead;    /* q in the middle of the step */
  double *arm;      /* half of the link at this time: x, y */
  double *diagonal; /* the inverse of the pivot, symmetric: xx, xy, yy */
  double *beside;   /* the block of this joint and the next one, 2 x 2 */
} links_by_hand;

bool links_by_hand_start(links_by_hand *chain, int count, double dt);
void links_by_hand_step(links_by_hand *chain);
void links_by_hand_end(links_by_hand *chain);

#endif
