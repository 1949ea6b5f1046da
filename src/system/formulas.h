/* The part that evaluates a model of formulas: tapes for the equations of motion and for their Jacobians. */
#ifndef PICUS_SYSTEM_FORMULAS_H
#define PICUS_SYSTEM_FORMULAS_H

#include "system/equations.h"
#include "system/internal.h"

/* Order in which a step needs things; a later stage reuses what earlier ones computed at the same point. */
typedef enum formula_stage {
  STAGE_RATE, /* q' */
  STAGE_GAPS,
  STAGE_FORCE,      /* h */
  STAGE_MASS,       /* M, lower triangle by rows */
  STAGE_DIRECTIONS, /* W, then chi */
  STAGE_ENERGY,     /* T, V */
  STAGE_OBSERVE,
  STAGE_COUNT
} formula_stage;

/* Entries of a Jacobian that are not zero: stage `stage` of the Jacobian tape gives their values. */
typedef struct sparse_entries {
  int count;
  int *row, *column;
} sparse_entries;

typedef enum jacobian_kind {
  JACOBIAN_FORCE_Q,
  JACOBIAN_FORCE_U,
  JACOBIAN_GAP_Q,
  JACOBIAN_RATE_Q,
  JACOBIAN_RATE_U,
  JACOBIAN_MASS_Q,      /* of M v, v given */
  JACOBIAN_VELOCITY_Q,  /* of W^T u + chi */
  JACOBIAN_DIRECTION_Q, /* of W P, P given */
  JACOBIAN_COUNT
} jacobian_kind;

typedef struct formulas_part {
  int nq, nu, law_count, row_count, observable_count;
  bool identity_rates;
  bool tangents_constant; /* found by picus_formulas_compile_jacobians */
  picus_tape *tape;
  int time, *q_variable, *u_variable;
  int stage_outputs[STAGE_COUNT];
  int longest_output; /* over all stages of both tapes */
  picus_tape *jacobian_tape;
  sparse_entries jacobian[JACOBIAN_COUNT];
  int *v_variable, *P_variable; /* the given v (nu) and P (row_count) of JACOBIAN_MASS_Q and JACOBIAN_DIRECTION_Q */
} formulas_part;

extern const part_ops picus_formulas_ops;

/* Compiles the equations into a part; constant quantities are noted on it. */
picus_status picus_formulas_create(picus_model *model, const equations *equations, system_part *out);
/* The Jacobian tape, in formulas_jacobian.c. */
picus_status picus_formulas_compile_jacobians(picus_model *model, const equations *equations, formulas_part *part);

#endif
