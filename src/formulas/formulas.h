/* The source that evaluates a model of formulas: tapes for the equations of motion and for their Jacobians. */
#ifndef PICUS_SYSTEM_FORMULAS_H
#define PICUS_SYSTEM_FORMULAS_H

#include "derive/equations.h"
#include "formulas/rigid.h"
#include "native/native.h"
#include "system/internal.h"

/* The order in which a step needs values; a later stage reuses results of earlier ones at the same point. */
typedef enum formula_stage {
  STAGE_RATE, /* q' */
  STAGE_GAPS,
  STAGE_FORCE,      /* h */
  STAGE_LOADS,      /* given forces on flexible components */
  STAGE_MASS,       /* entries of M */
  STAGE_DIRECTIONS, /* entries of W, then chi */
  STAGE_ENERGY,     /* T, V */
  STAGE_OBSERVE,
  STAGE_COUNT
} formula_stage;

/* The same of the law tape. */
enum { LAW_STAGE_GAPS, LAW_STAGE_DIRECTIONS, LAW_STAGE_COUNT };

/* Entries of matrices that are not zero, in the order of a stage's outputs: by increasing row. */
typedef struct formula_entries {
  int count;
  int *row, *column; /* of the source */
  size_t *at;        /* in the matrix of the part, or among the values of all laws */
  int *part_start;   /* parts + 1: the entries of each part; NULL: of laws */
} formula_entries;

/* Some schemes need only the first Jacobian at one point, and only those of the laws at another. Each group has its own
 * tape, so that it does not cost the other one. */
enum { JACOBIAN_FIRST_OF_LAWS = JACOBIAN_RATE_Q };
typedef enum jacobian_group { JACOBIANS_OF_FORCES, JACOBIANS_OF_LAWS, JACOBIAN_GROUP_COUNT } jacobian_group;
static inline jacobian_group picus_jacobian_group(jacobian_kind kind) {
  return (int)kind < JACOBIAN_FIRST_OF_LAWS ? JACOBIANS_OF_FORCES : JACOBIANS_OF_LAWS;
}
/* Its stage of the group's tape. */
static inline int picus_jacobian_stage(jacobian_kind kind) {
  return (int)kind - ((int)kind < JACOBIAN_FIRST_OF_LAWS ? 0 : JACOBIAN_FIRST_OF_LAWS);
}

/* The Jacobians of one request. */
typedef struct formula_jacobians {
  unsigned kinds;
  picus_tape *tape[JACOBIAN_GROUP_COUNT]; /* NULL: no Jacobian of the group is in the set */
  formula_entries entries[JACOBIAN_COUNT];
  int *v_variable, *P_variable; /* the given v (nu) and P (row_count) of JACOBIAN_MASS_Q and JACOBIAN_DIRECTION_Q */
  bool *constant[2];            /* part_count: is dh/du, dh/dq of the part constant? By JACOBIAN_FORCE_U, FORCE_Q */
  bool couplings_constant[2];   /* the same of the couplings, by JACOBIAN_COUPLING_U, COUPLING_Q */
  bool often;                   /* requested by a scheme: native code is worth its time */
  picus_native_outcome native;  /* code of the tapes */
  struct formula_jacobians *next;
} formula_jacobians;

typedef struct formula_later formula_later;

/* Displacements and velocities of flexible components in the expressions: their registers in the tape, and their
 * positions in q and u of the system. */
typedef struct formula_nodes {
  int count;
  int *x_variable, *v_variable;
  int *q, *u;
  int load_count;
  int *load; /* load_count: nodes on which given forces act, in the order of STAGE_LOADS */
} formula_nodes;

/* The registers of an input; rate and since are -1 if it has no rate. */
typedef struct formula_input {
  int value, rate, since;
} formula_input;

/* Laws whose coefficients vary, in the order of the tape's outputs: radius, its derivative by the slip speed, eN, eF
 * of each. */
typedef struct formula_coefficients {
  int count;
  int *law, *speed_variable; /* the latter is 0 if no formula of the law has the slip speed */
  picus_tape *tape;
  picus_tape *slip_tape; /* slip velocities of these laws, three of each, for switching functions; NULL: not needed */
} formula_coefficients;

typedef struct formulas_source {
  int nq, nu, law_count, row_count;
  int part_count;
  system_part *parts;  /* sizes and constants; places are counted from the source's own first ones */
  int *coupled;        /* the lists of the parts */
  bool identity_rates; /* of all parts */
  picus_tape *tape;
  picus_tape *law_tape; /* gaps, then directions, for callers that need nothing else */
  int work_count;
  picus_tape *power_tape;  /* powers of the works, then what they store; NULL: there are none */
  picus_tape *switch_tape; /* a and b of the switching functions; NULL: there are none */
  picus_tape *action_tape; /* of the controls; NULL: there are none */
  formula_coefficients varying;
  const picus_system *system; /* that has them */
  int time, *q_variable, *u_variable;
  int input_count;
  formula_input *inputs;
  int stage_outputs[STAGE_COUNT];
  int longest_output;   /* over the stages that are read into it */
  formula_entries mass; /* both halves */
  formula_entries W;
  formula_nodes nodes;
  rigid_bodies rigid;           /* of the same parts, beneath the formulas */
  picus_native_outcome *native; /* code of the tapes; NULL: not asked for */
  formula_later *later;         /* Jacobians, and what deriving them takes; see formulas_request.c */
} formulas_source;

/* Values of the Jacobians of one request. */
typedef struct jacobian_work {
  const formula_jacobians *jacobians;
  double *registers[JACOBIAN_GROUP_COUNT]; /* of the tapes */
  int stages_done[JACOBIAN_GROUP_COUNT];   /* at the current point; -1: the point is not loaded */
} jacobian_work;

/* Data of the source in an evaluation. */
typedef struct formulas_work {
  double *registers;     /* of the tape */
  double *law_registers; /* of the law tape */
  double *power_registers;
  double *switch_registers;
  double *coefficient_registers, *slip_registers;
  double *action_registers;
  double *output;      /* longest_output */
  int stages_done;     /* at the current point */
  int law_stages_done; /* the same of the law tape */
  int request_count;
  jacobian_work requests[JACOBIAN_COUNT];     /* each brings at least one more kind */
  jacobian_work *jacobian_of[JACOBIAN_COUNT]; /* the request that brought a kind; NULL: none, or it is zero */
  unsigned kinds;                             /* of all requests */
} formulas_work;

extern const source_ops picus_formulas_ops;

/* source_ops.explain, in formulas_explain.c. */
void picus_formulas_explain(const system_source *source, const source_point *point, const picus_system *system,
                            value_place place, char *text, size_t size);

/* First the source with its parts. Then, when the system has the places of all parts, the parts of the laws; and when
 * it has the places of the laws, the tapes. The source is the first of the system, the structures of the model follow
 * in their order. */
picus_status picus_formulas_create(picus_model *model, const equations *equations, system_source *out);
void picus_formulas_describe(const system_source *source, system_part *parts);
/* Where the displacements and velocities of nodes are in q and u of the system. */
void picus_formulas_place_nodes(const picus_model *model, picus_system *system);
picus_status picus_formulas_set_law_parts(picus_model *model, picus_system *system);
picus_status picus_formulas_compile(picus_model *model, const equations *equations, picus_system *system);

/* formulas_parts.c: the finest parts, into formulas->parts. */
picus_status picus_formulas_find_parts(picus_model *model, const equations *equations, formulas_source *formulas);
/* formulas_coupling.c: the couplings of forces that name displacements, once the parts have their places. */
picus_status picus_formulas_find_couplings(picus_model *model, const equations *equations, picus_system *system);
/* Where the derivative of a force on a velocity by a coordinate, or by a velocity, is among the values of sorted
 * couplings, one of which has it. */
size_t picus_coupling_place(const system_coupling *couplings, int count, int row, bool by_coordinate, int column);
/* formulas_create.c: places of entries */
picus_status picus_formula_entries_create(picus_context *context, const expr_matrix *matrix, formula_entries *out);
void picus_formula_entries_release(picus_context *context, formula_entries *entries);
/* Places in matrices of parts: rows and columns are coordinates (true) or velocities of the source; columns of the part
 * itself, or of all that are coupled to it. The parts must have their places. */
typedef struct entry_matrix {
  bool q_rows, q_columns, coupled;
} entry_matrix;
picus_status picus_formula_entries_place(picus_context *context, const formulas_source *formulas, entry_matrix matrix,
                                         formula_entries *entries);

/* formulas_coefficients.c: coefficients of laws that vary. */
picus_status picus_formulas_compile_coefficients(picus_model *model, picus_system *system, formulas_source *formulas);
void picus_formulas_release_coefficients(picus_context *context, formulas_source *formulas);
picus_status picus_formulas_coefficient_work(picus_context *context, const formulas_source *formulas,
                                             formulas_work *work);
/* source_ops.coefficients; load puts t, q, u and nodes of the point into registers. */
typedef void (*formula_load)(const formulas_source *formulas, const source_point *point, double *registers);
void picus_formulas_coefficients(const formulas_source *formulas, const source_point *point, formula_load load,
                                 const double *speed, law_coefficients *out);
/* The slip speeds at the point, into the registers of another tape. */
void picus_formulas_load_slip_speeds(const formulas_source *formulas, const source_point *point, formula_load load,
                                     double *registers);

/* formulas_request.c: keeps what deriving Jacobians takes, so that the model may be changed or destroyed. Takes over
 * the equations. */
picus_status picus_formulas_keep(picus_model *model, equations *equations, const derivation_limits *limits,
                                 picus_system *system);
void picus_formulas_release_later(picus_context *context, formulas_source *formulas);
/* Adds what became of the native code of Jacobians. */
void picus_formulas_report_native(const formulas_source *formulas, picus_native_report *report);
/* formulas_request.c: code for the tapes of a system that is complete, if that is wanted. */
picus_status picus_formulas_make_native(picus_system *system, const derivation_limits *limits);
picus_status picus_formulas_compile_native(picus_context *context, const picus_derivation *options, int tape_count,
                                           picus_tape *const *tapes, picus_native_outcome *outcome);
void picus_formulas_release_native(picus_context *context, formulas_source *formulas);
void picus_native_report_add(const picus_native_outcome *outcome, picus_native_report *report);
/* source_ops.set_inputs, also for the Jacobians of a new request. */
void picus_formulas_set_inputs(const void *self, const source_point *point);
/* source_ops.request */
picus_status picus_formulas_request(const void *self, picus_context *context, const source_point *point, unsigned kinds,
                                    bool often);
void picus_formulas_release_requests(picus_context *context, formulas_work *work);

/* formulas_jacobian.c: derives a set of Jacobians in a pool that has the equations. */
typedef struct jacobian_sources {
  picus_pool *pool;
  const equations *eq;
  const picus_model_variable *variables; /* variable_count: of the model */
  int variable_count;
  const picus_system *system;
  const formulas_source *formulas;
} jacobian_sources;
picus_status picus_formulas_derive_jacobians(const jacobian_sources *from, unsigned kinds, formula_jacobians **out);
void picus_formula_jacobians_destroy(picus_context *context, formula_jacobians *jacobians); /* NULL is fine */

#endif
