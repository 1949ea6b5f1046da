/* A ball on a shaken table, solved from impact to impact. test/data/cases/shaken-table.lua is the model. */
#ifndef PICUS_TEST_SHAKEN_TABLE_H
#define PICUS_TEST_SHAKEN_TABLE_H

#include "support/check.h"

#include <stddef.h>

/* y'' = -g above a table at A sin(w t), restitution e. */
typedef struct shaken_table {
  double A, w, e, y0, v0, t_end;
} shaken_table;

typedef struct ball {
  double t, y, v;
  int impacts;
} ball;

/* The state at t_end. */
ball shaken_table_solve(const shaken_table *p);
shaken_table shaken_table_random(test_random *random);
/* How the motion amplifies an error of its start, and of the time at which we look: an end just at an impact has no
 * velocity to be compared. */
double shaken_table_amplification(const shaken_table *p);
/* "A=...,w=...": the parameters of the model. */
void shaken_table_overrides(const shaken_table *p, char *out, size_t size);

#endif
