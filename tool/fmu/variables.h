/* The variables of an FMU: the time, the parameters and inputs of a model, and the columns of its results. */
#ifndef PICUS_FMU_VARIABLES_H
#define PICUS_FMU_VARIABLES_H

#include <picus/model.h>
#include <picus/result.h>

typedef enum fmu_kind { FMU_TIME, FMU_PARAMETER, FMU_INPUT, FMU_OUTPUT, FMU_LOCAL } fmu_kind;

typedef struct fmu_variable {
  fmu_kind kind;
  int index;         /* of the parameter, the input or the column */
  char *name;        /* unique in the FMU */
  char *own_name;    /* in the model */
  char *unit, *text; /* "": none */
  double start;      /* of parameters and inputs */
  bool is_discrete;
} fmu_variable;

/* The value reference of a variable is its number. */
typedef struct fmu_variables {
  fmu_variable *list;
  size_t count, capacity;
} fmu_variables;

/* columns: of a recorder of the system with the options of the run */
picus_status fmu_variables_create(picus_context *context, const picus_model *model, const picus_system *system,
                                  const picus_recorder *columns, fmu_variables *out);
void fmu_variables_release(picus_context *context, fmu_variables *variables);
/* Whether both have the same names in the same places. */
bool fmu_variables_agree(const fmu_variables *a, const fmu_variables *b);

#endif
