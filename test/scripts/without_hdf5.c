/* A run with the library without HDF5: rows in memory and in a CSV file, and a sentence instead of an HDF5 file. */
#include <picus/picus.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  picus_context *context = NULL;
  picus_model *model = NULL;
  picus_system *system = NULL;
  picus_sim *sim = NULL;
  picus_recorder *recorder = NULL;
  picus_memory *memory = NULL;
  picus_result *result = NULL;
  if (picus_context_create(NULL, &context) || picus_model_load(context, "woodpecker", NULL, &model) ||
      picus_system_create(model, &system))
    return 1;
  const picus_sim_options options = picus_model_sim_options(model);
  if (picus_sim_create(context, system, &options, &sim)) return 2;
  const picus_run_description run = {model, system, &options, "test"};
  if (picus_recorder_create(context, &run, &recorder) || picus_memory_create(context, &memory)) return 3;
  if (picus_recorder_add_hdf5(recorder, "run.h5") != PICUS_ERROR_UNSUPPORTED) return 4;
  puts(picus_last_error(context)->message);
  if (picus_result_open(context, "run.h5", &result) != PICUS_ERROR_UNSUPPORTED || result) return 5;
  puts(picus_last_error(context)->message);
  if (picus_recorder_add_csv(recorder, "run.csv") || picus_recorder_add_memory(recorder, memory, 0)) return 6;
  picus_summary summary;
  if (picus_sim_set_end(sim, 0.01) || picus_sim_run(sim, recorder, NULL, &summary)) return 7;
  printf("%ld rows\n", picus_memory_row_count(memory));
  picus_recorder_destroy(recorder);
  picus_memory_destroy(memory);
  picus_sim_destroy(sim);
  picus_system_destroy(system);
  picus_model_destroy(model);
  picus_context_destroy(context);
  return 0;
}
