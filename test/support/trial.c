#include "support/trial.h"
#include "support/check.h"

#include <math.h>
#include <stdio.h>

bool trial_run(trial t, trial_outcome *o) {
  simulation s;
  picus_sim_options options;
  picus_recorder *recorder = NULL;
  *o = (trial_outcome){0};
  bool fine = simulation_load(&s, t.model, t.overrides, &options);
  if (t.dt > 0) options.dt = t.dt;
  if (t.t_end > 0) options.t_end = t.t_end;
  if (t.dt_min > 0) {
    options.adaptive = true;
    options.dt_min = t.dt_min;
  }
  options.sample = t.sample > 0 ? t.sample : options.t_end;
  fine = fine && simulation_start(&s, &options);
  if (fine) {
    const picus_run_description description = {s.model, s.system, picus_sim_options_of(s.sim), "test"};
    picus_status status = picus_recorder_create(s.context, &description, &recorder);
    if (!status) status = picus_recorder_add_hdf5(recorder, "trial.h5");
    if (!status) status = picus_sim_run(s.sim, recorder, NULL, &o->summary);
    picus_recorder_destroy(recorder);
    fine = CHECK(status == PICUS_OK);
    if (!fine) printf("  %s: %s\n", t.model, picus_last_error(s.context)->message);
  }
  simulation_close(&s);
  fine = fine && CHECK(picus_context_create(NULL, &o->context) == PICUS_OK) &&
         CHECK(picus_result_open(o->context, "trial.h5", &o->result) == PICUS_OK);
  return fine;
}

void trial_end(trial_outcome *o) {
  picus_result_close(o->result);
  picus_context_destroy(o->context);
}

double trial_value(const trial_outcome *o, const char *name, int number, long row) {
  char column[64];
  const double *values = NULL;
  if (number >= 0)
    snprintf(column, sizeof column, "%s%d", name, number);
  else
    snprintf(column, sizeof column, "%s", name);
  const int index = picus_result_find(o->result, column);
  if (!CHECK(index >= 0) || picus_result_values(o->result, index, &values)) return NAN;
  return values[row < 0 ? picus_result_row_count(o->result) - 1 : row];
}
