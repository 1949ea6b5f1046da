/* The part that evaluates a model of formulas: tapes for the equations of motion and for their Jacobians. */
#ifndef PICUS_SYSTEM_FORMULAS_H
#define PICUS_SYSTEM_FORMULAS_H

#include "system/equations.h"
#include "system/internal.h"

/* The order in which a step needs values; a later stage reuses results of earlier ones at the same point. */
typedef enum formula_stage {
  STAGE_RATE, /* q' */
  STAGE_GAPS,
  STAGE_FORCE,      /* h */
  STAGE_LOADS,      /* given forces on flexible components */
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

/* In the order in which an implicit step needs them. */
typedef enum jacobian_kind {
  JACOBIAN_FORCE_Q,
  JACOBIAN_FORCE_U,
  JACOBIAN_MASS_Q, /* of M v, v given */
  JACOBIAN_RATE_Q,
  JACOBIAN_RATE_U,
  JACOBIAN_GAP_Q,
  JACOBIAN_VELOCITY_Q,  /* of W^T u + chi */
  JACOBIAN_DIRECTION_Q, /* of W P, P given */
  JACOBIAN_COUNT
} jacobian_kind;

/* Displacements and velocities of flexible components in the expressions: their registers in the tape, and their
 * positions in q and u of the system. */
typedef struct formula_nodes {
  int count;
  int *x_variable, *v_variable;
  int *q, *u; /* set by picus_formulas_place_nodes */
  int load_count;
  int *load; /* load_count: nodes on which given forces act, in the order of STAGE_LOADS */
} formula_nodes;

/* W if laws also act on other parts: the width of a row is that of all parts it acts on. */
typedef struct formula_rows {
  size_t *own;  /* row_count: position of the part's own velocities in a row of W; SIZE_MAX: none */
  size_t width; /* of all rows together */
  size_t node_count;
  int *node, *node_row; /* node_count: of which node and row */
  size_t *node_at;      /* node_count: place in W */
} formula_rows;

typedef struct formulas_part {
  int nq, nu, law_count, row_count, observable_count;
  bool identity_rates;
  bool tangents_constant; /* found by picus_formulas_compile_jacobians */
  picus_tape *tape;
  picus_tape *law_tape; /* gaps, then directions, for callers that need nothing else */
  int time, *q_variable, *u_variable;
  int stage_outputs[STAGE_COUNT];
  int longest_output; /* over all stages of both tapes */
  picus_tape *jacobian_tape;
  sparse_entries jacobian[JACOBIAN_COUNT];
  formula_nodes nodes;
  formula_rows rows;            /* used if nodes.count > 0 */
  int *v_variable, *P_variable; /* the given v (nu) and P (row_count) of JACOBIAN_MASS_Q and JACOBIAN_DIRECTION_Q */
} formulas_part;

/* Data of the part in an evaluation. */
typedef struct formulas_work {
  double *registers;          /* of the tape */
  double *law_registers;      /* of the law tape */
  double *jacobian_registers; /* of the Jacobian tape */
  double *output;             /* longest_output */
  int stages_done;            /* at the current point */
  int law_stages_done;        /* the same of the law tape */
  int jacobian_stages_done;   /* the same of the Jacobian tape; -1: the point is not loaded */
} formulas_work;

extern const part_ops picus_formulas_ops;

/* part_ops.explain, in formulas_explain.c. */
void picus_formulas_explain(const void *self, const part_point *point, const picus_system *system, part_entry entry,
                            char *text, size_t size);

/* Compiles the equations into a part; constant quantities are noted on it. */
picus_status picus_formulas_create(picus_model *model, const equations *equations, system_part *out);
/* The blocks of laws that act on flexible components, before the layout, and the positions of their entries after it.
 * The part is the first of the system; the structures of the model follow in their order. */
picus_status picus_formulas_set_blocks(const picus_model *model, const equations *equations, picus_system *system);
picus_status picus_formulas_place_nodes(const picus_model *model, picus_system *system);
/* The Jacobian tape, in formulas_jacobian.c. */
picus_status picus_formulas_compile_jacobians(picus_model *model, const equations *equations, formulas_part *part);

#endif
