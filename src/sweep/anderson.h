/* Anderson's mixing: from the last sweeps, the combination whose change would be smallest. */
#ifndef PICUS_SWEEP_ANDERSON_H
#define PICUS_SWEEP_ANDERSON_H

#include <picus/base.h>
#include <stdbool.h>
#include <stddef.h>

enum { PICUS_ANDERSON_DEPTH = 8 };

typedef struct picus_anderson {
  int size;
  picus_context *context;             /* with threads for long vectors; NULL: none */
  double *sums;                       /* of each piece of the vectors */
  const double *weight;               /* of a row in the norm of changes */
  double *change;                     /* of the last sweep */
  double *after;                      /* P after the last sweep */
  double *change_steps, *after_steps; /* depth x size: differences of these from sweep to sweep */
  double products[PICUS_ANDERSON_DEPTH][PICUS_ANDERSON_DEPTH]; /* of the differences of change */
  int count, newest;                                           /* differences that are kept; row of the newest */
  bool wide;                                                   /* the processor has vectors of four doubles */
  double square;                                               /* of the change of the last sweep; < 0: there is none */
} picus_anderson;

/* Doubles for problems of this size. */
size_t picus_anderson_need(int size);
void picus_anderson_start(picus_anderson *a, int size, const double *weight, double *memory); /* without threads */
/* The next sweep is the first again. */
void picus_anderson_forget(picus_anderson *a);
/* P after a sweep that started at before; the mixture replaces it. If the change has grown, the history is cleared and
 * P stays; if it has grown without bound, the last mixture was bad and P returns to the end of the previous sweep. */
void picus_anderson_mix(picus_anderson *a, const double *before, double *P);

#endif
