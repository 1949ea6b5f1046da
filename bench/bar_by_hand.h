/* The elastic bar of models/elastic-bar.lua by hand, see bar_by_hand.c. */
#ifndef PICUS_BENCH_BAR_BY_HAND_H
#define PICUS_BENCH_BAR_BY_HAND_H

#include <stdbool.h>

typedef struct bar_by_hand {
  int nodes;
  double dt;
  double *memory;
  double *q, *u;                  /* displacements and velocities of the nodes */
  double *stiffness, *beside;     /* K: diagonal, and the entries beside it */
  double *w, *inverse, *L, *wall; /* new velocities; factors of M + dt^2/4 K; its inverse times the wall's direction */
} bar_by_hand;

bool bar_by_hand_start(bar_by_hand *bar, int elements, double dt);
void bar_by_hand_run(bar_by_hand *bar, long steps);
void bar_by_hand_end(bar_by_hand *bar);

#endif
