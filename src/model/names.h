/* Names and variables of a model: what each name and each variable of the pool means, which names may be given, and
 * what an expression depends on. */
#ifndef PICUS_MODEL_NAMES_H
#define PICUS_MODEL_NAMES_H

#include <picus/model.h>

/* Meaning of a variable of the pool. Variables that a user created without the model stay FOREIGN. */
typedef enum picus_variable_kind {
  PICUS_VARIABLE_FOREIGN,
  PICUS_VARIABLE_TIME,
  PICUS_VARIABLE_COORDINATE,
  PICUS_VARIABLE_VELOCITY,
  PICUS_VARIABLE_DISPLACEMENT, /* of a flexible component, and ... */
  PICUS_VARIABLE_DISPLACEMENT_VELOCITY,
  PICUS_VARIABLE_INPUT,
  PICUS_VARIABLE_SLIP_SPEED /* of the law with this index; -1: of the law whose formula has it */
} picus_variable_kind;
typedef struct picus_model_variable {
  picus_variable_kind kind;
  int index; /* among coordinates, velocities, nodes, inputs or laws */
} picus_model_variable;

typedef enum picus_name_kind {
  PICUS_NAME_NONE,
  PICUS_NAME_COORDINATE,
  PICUS_NAME_VELOCITY,
  PICUS_NAME_LAW,
  PICUS_NAME_OBSERVABLE,
  PICUS_NAME_STRUCTURE,
  PICUS_NAME_INPUT
} picus_name_kind;
typedef struct picus_name_entry {
  const char *name; /* NULL: a free slot of the hash table */
  picus_name_kind kind;
  int index;
} picus_name_entry;

/* --- names -------------------------------------------------------------------------------------------------------- */

/* Letters, digits, _ and -, starting with a letter; what: the kind of thing in the message. */
picus_status picus_model_check_form(picus_model *model, const char *what, const char *name);
/* The same, and not reserved and not yet taken by a coordinate, velocity, law or observable. */
picus_status picus_model_check_name(picus_model *model, const char *what, const char *name);
picus_status picus_model_reserve_names(picus_model *model, size_t more);
void picus_model_register_name(picus_model *model, const char *name, picus_name_kind kind, int index);
picus_name_entry picus_model_find_name(const picus_model *model, const char *name);
/* For picus_nearest_name; user is the model. */
const char *picus_model_next_coordinate(const void *model, int k);
const char *picus_model_next_velocity(const void *model, int k);
const char *picus_model_next_symbol(const void *model, int k);    /* coordinates, then velocities */
const char *picus_model_next_parameter(const void *model, int k); /* parameters, then inputs */

picus_status picus_model_own_variable(picus_model *model, picus_expr symbol, picus_variable_kind kind, int index);

/* --- dependencies of expressions ---------------------------------------------------------------------------------- */

/* One coordinate and one velocity an expression depends on, and one node by its displacement and by its velocity, one
 * input, and one input without a rate; -1: none. */
typedef struct picus_dependencies {
  int coordinate, velocity;
  int displacement, displacement_velocity;
  int input, steady_input;
} picus_dependencies;
/* Fails if there is an input, or one without a rate. */
picus_status picus_model_refuse_inputs(picus_model *model, const picus_dependencies *on, const char *what);
picus_status picus_model_require_rates(picus_model *model, const picus_dependencies *on, const char *what,
                                       const char *name);
/* Checks that expr is an expression in t, q, u and inputs of this model; what and name appear in the message: "the gap
 * of contact", "beak". name may be NULL. */
picus_status picus_model_examine(picus_model *model, picus_expr expr, const char *what, const char *name,
                                 picus_dependencies *dependencies);
/* The same for kinetic energies, matrices and rates, which must not depend on flexible components. */
picus_status picus_model_examine_rigid(picus_model *model, picus_expr expr, const char *what, const char *name,
                                       picus_dependencies *dependencies);
/* The same for coefficients of laws, which may depend on the slip speed, but on no velocity. */
/* The error if an impact law is none; what: "contact". */
picus_status picus_model_check_impact(picus_model *model, picus_impact_law impact, const char *what, const char *name);
picus_status picus_model_examine_coefficient(picus_model *model, picus_expr formula, const char *what, const char *name,
                                             picus_dependencies *dependencies);
/* The meaning of a variable of the pool in the model; variables of others, and those that derivations add, are
 * foreign. */
picus_model_variable picus_model_variable_of(const picus_model *model, int index);

#endif
