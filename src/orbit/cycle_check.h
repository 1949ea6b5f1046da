/* Whether a cycle is a motion. */
#ifndef PICUS_ORBIT_CYCLE_CHECK_H
#define PICUS_ORBIT_CYCLE_CHECK_H

#include "orbit/cycle.h"

typedef enum condition_kind {
  CONDITION_NONE,
  CONDITION_DURATION, /* of a phase */
  CONDITION_APPROACH, /* velocity of an impact */
  CONDITION_IMPACT,   /* the modes of an impact are those that a solver finds: -1 where not */
  CONDITION_GAP,      /* of an open contact, least value inside the phase */
  CONDITION_CLUTCH,   /* velocity of an open clutch */
  CONDITION_FORCE,    /* of a closed law */
  CONDITION_RESERVE,  /* of sticking friction, relative to its bound */
  CONDITION_SLIP,     /* velocity of slip in its direction */
  CONDITION_REVERSAL, /* acceleration of slip after its reversal */
  CONDITION_SIDE      /* of a switching function */
} condition_kind;
/* A number that is positive where the condition holds. */
typedef struct condition {
  condition_kind kind;
  int phase, index; /* of the law or switching function; -1: none */
  double value, t;  /* relative to its largest value in the phase */
} condition;

enum { CONDITIONS_MOST = 1024 };
#define VIOLATED 1e-9
typedef struct cycle_margins {
  int count;
  condition conditions[CONDITIONS_MOST];
  double velocity, reserve, gap; /* as of picus_orbit_data */
  int velocity_law, reserve_law, gap_law;
} cycle_margins;

/* All conditions of a cycle. */
picus_status picus_cycle_check(cycle_problem *b, const cycle *c, cycle_margins *out);
/* The worst of the conditions that do not hold; NULL: all do. */
const condition *picus_cycle_violation(const cycle_margins *m);
/* The value of the condition of the same kind; INFINITY: there is none. */
double picus_cycle_condition(const cycle_margins *m, const condition *like);

#endif
