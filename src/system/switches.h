/* Switching functions: where an expression of the equations of motion changes its branch. */
#ifndef PICUS_SYSTEM_SWITCHES_H
#define PICUS_SYSTEM_SWITCHES_H

#include "system/internal.h"

#include <picus/expr.h>

/* a and b of a comparison, of min or max; of abs(a) and sign(a) b is 0. The branch changes where s = a - b does. */
struct system_switch {
  picus_expr a, b; /* in every pool that has the equations */
  int variables;   /* the first of its variables, which are one after the other */
  bool is_timed;   /* s is c (t - t_zero) */
  bool rises;      /* then: c > 0 */
  double t_zero;
  char *text;      /* "x = 0.5", for messages */
  bool is_swapped; /* it has b on its left */
};

typedef enum switch_variable {
  VARIABLE_HELD,  /* 0: expressions compare a and b; 1: they take the side */
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
