/* Conditions of a motion in one set of modes: numbers that are positive where they hold, and zero where the sequence of
 * switching points changes. */
#ifndef PICUS_FLOW_CONDITIONS_H
#define PICUS_FLOW_CONDITIONS_H

#include "flow/flow.h"

typedef enum condition_kind {
  CONDITION_NONE,
  CONDITION_DURATION, /* of a phase */
  CONDITION_APPROACH, /* velocity of an impact */
  CONDITION_IMPACT,   /* the modes of an impact are those that a solver finds: -1 where not */
  CONDITION_REST,     /* laws that hold have no velocity at the start of a phase: below 0 where they have */
  CONDITION_GAP,      /* of an open contact, least value inside the phase */
  CONDITION_CLUTCH,   /* velocity of an open clutch */
  CONDITION_FORCE,    /* of a closed law */
  CONDITION_RESERVE,  /* of sticking friction: 1 - force / bound */
  CONDITION_SLIP,     /* velocity of slip in its direction */
  CONDITION_REVERSAL, /* acceleration of slip after its reversal */
  CONDITION_SIDE      /* of a switching function */
} condition_kind;
typedef struct condition {
  condition_kind kind;
  int phase, index; /* of the law or switching function; -1: none */
  double value, t;  /* relative to its largest value in the phase */
} condition;

#define VIOLATED 1e-9 /* of its largest value, below zero: a condition does not hold */
enum { CONDITIONS_MOST = 1024, CONDITION_SAMPLES = 24 };
typedef struct condition_list {
  int count;
  condition list[CONDITIONS_MOST]; /* if there are more, the lowest ones */
  flow_margins margins;
} condition_list;
void picus_conditions_clear(condition_list *out);
void picus_conditions_add(condition_list *out, condition c);
/* The worst of the conditions that do not hold; NULL: all do. */
const condition *picus_conditions_violated(const condition_list *m);
/* "the closed contact 'lower' would pull"; size: of text. */
void picus_condition_format(const picus_system *system, const condition *c, char *text, size_t size);

/* Part of a motion in one set of modes. */
typedef struct stretch {
  int phase; /* number in the conditions */
  const mode_set *modes;
  const trigger *before, *ends; /* NULL: no switching point */
  double t, d;                  /* s: its start and duration */
  const double *x;              /* n: at the start */
} stretch;

/* Work for a flow. */
typedef struct condition_work {
  flow *f;
  int count;
  condition_kind *kinds; /* count; CONDITION_NONE: no function */
  double *values;        /* (samples + 1) x count */
  double *states;  /* (samples + 1) x n; the last sample is the end of the stretch, if a switching point ends it */
  double *x, *now; /* n; count */
} condition_work;
picus_status picus_conditions_open(flow *f, condition_work *out);
void picus_conditions_close(condition_work *w); /* a zeroed one is fine */
/* Adds the conditions inside a stretch. */
picus_status picus_conditions_check(condition_work *w, const stretch *s, condition_list *out);
/* What a relative velocity is compared with, after an evaluation: the sum of its terms. */
double picus_velocity_terms(const flow *f, int row);
/* The same of a gap, after its Jacobian: f->gap_q. */
double picus_gap_terms(const flow *f, int law);

#endif
