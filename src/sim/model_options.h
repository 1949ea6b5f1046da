/* Options of a model's run by their names. */
#ifndef PICUS_SIM_MODEL_OPTIONS_H
#define PICUS_SIM_MODEL_OPTIONS_H

#include <picus/model.h>

/* An error, with the nearest name, if no run option has this one. */
picus_status picus_model_check_run_option(picus_model *model, const char *option);

#endif
