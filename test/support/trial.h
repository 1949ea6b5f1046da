/* A run of a model into a file, and the columns of the result. For models with more columns than a test keeps in
 * memory. */
#ifndef PICUS_TEST_TRIAL_H
#define PICUS_TEST_TRIAL_H

#include "support/simulate.h"

/* With the model's own scheme. */
typedef struct trial {
  const char *model, *overrides;
  double dt, t_end, sample; /* 0: the model's; sample 0: the end only */
  double dt_min;            /* > 0: an adaptive run */
} trial;

typedef struct trial_outcome {
  picus_summary summary;
  picus_result *result;
  picus_context *context;
} trial_outcome;

/* False if something failed: a check has failed, too. The file is trial.h5. */
bool trial_run(trial t, trial_outcome *o);
void trial_end(trial_outcome *o);
/* The value of a column, its name with a number (-1: none), in a row; row -1: the last one. */
double trial_value(const trial_outcome *o, const char *name, int number, long row);

#endif
