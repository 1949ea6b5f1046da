/* modelDescription.xml of an FMU. */
#ifndef PICUS_FMU_MODEL_DESCRIPTION_H
#define PICUS_FMU_MODEL_DESCRIPTION_H

#include "fmu/variables.h"
#include "view/json.h"

typedef struct fmu_description {
  int version;             /* 2 or 3 */
  const char *name, *text; /* of the model */
  const char *identifier;  /* of the library in the FMU */
  const char *token;
  const picus_sim_options *options;
  const fmu_variables *variables;
  bool has_rates; /* of inputs */
} fmu_description;

/* Adds it to text, whose status tells whether memory ran out. */
void fmu_description_write(const fmu_description *description, picus_json *text);

#endif
