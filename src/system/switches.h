/* Switching functions: where an expression of the equations of motion changes its branch. */
#ifndef PICUS_SYSTEM_SWITCHES_H
#define PICUS_SYSTEM_SWITCHES_H

#include "system/internal.h"

#include <picus/expr.h>

/* a and b of a comparison, of min or max; of abs(a) and sign(a) b is 0. The branch changes where s = a - b does. Of a
 * table a is its argument x, and s the distance from the ends of the zone in which x is or which is held: positive in
 * even zones, negative in odd ones (expr/point_table.c). The side of a table has the sign of s and the size 1 + zone;
 * that of others has the size 1. */
struct system_switch {
  picus_expr a, b; /* in every pool that has the equations */
  uint64_t key;    /* of what is compared, among all switching functions */
  int variables;   /* the first of its variables, which are one after the other */
  bool is_timed;   /* s is c (t - t_zero) */
  bool rises;      /* then: c > 0 */
  double t_zero;
  const struct picus_table *table; /* NULL: it is a comparison. Lives as long as the tapes of the system */
  bool runs_with_time;             /* x of a table is x_zero + x_rate t: it switches at the times of its kinks */
  double x_zero, x_rate;
  char *text;      /* "x = 0.5", for messages */
  bool is_swapped; /* it has b on its left */
};

typedef enum switch_variable {
  VARIABLE_HELD,  /* 0: expressions compare a and b; 1: they take the side. Of a table: 1 + the zone, or 0 */
  VARIABLE_ABOVE, /* 1: a > b */
  VARIABLE_BELOW,
  VARIABLE_SIGN, /* 1: a > b, -1: a < b */
  VARIABLE_OPPOSITE,
  SWITCH_VARIABLES
} switch_variable;

void picus_switches_release(picus_system *system);
/* Whether the variable holds a side of switching function k, which no expression of a user contains. */
static inline bool picus_switch_has_variable(const picus_system *system, int k, int variable) {
  const int first = system->switches[k].variables;
  return variable >= first && variable < first + SWITCH_VARIABLES;
}

#endif
