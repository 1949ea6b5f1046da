/* Fuzz target: any bytes behind the header of a checkpoint, with a right check sum. What is rejected is rejected with a
 * sentence; what is accepted makes steps, which may fail with a sentence. The test checkpoint_misuse changes bytes of a
 * checkpoint without libFuzzer. */
#include "base/archive.h"
#include "fuzz.h"

#include <string.h>

static const char text[] = "gravity {0, -9.81}\n"
                           "material {'default', mu = 0.3, eN = 0.2}\n"
                           "disk {'a', radius = 0.5, density = 1, position = {0, 0.5}, velocity = {1, 0}}\n"
                           "disk {'b', radius = 0.5, density = 1, position = {0.1, 1.5}}\n"
                           "half_space {'floor', normal = {0, 1}, position = {0, 0}, extent = 2}\n"
                           "simulate {dt = 1e-3, t_end = 0.1}\n";

static int stop_soon(void *user, picus_sim *sim, const picus_step_info *info) {
  int *left = user;
  (void)sim, (void)info;
  return --*left <= 0;
}

enum { HEADER = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  picus_context *context = NULL;
  picus_model *model = NULL;
  picus_system *system = NULL;
  picus_sim *sim = NULL;
  if (picus_context_create(NULL, &context)) return 0;
  picus_status status = picus_model_load_text(context, "fuzz", text, sizeof text - 1, NULL, &model);
  if (!status) status = picus_system_create(model, &system);
  picus_sim_options options = status ? picus_default_sim_options() : picus_model_sim_options(model);
  if (!status) status = picus_sim_create(context, system, &options, &sim);
  if (!status) {
    size_t own = 0, all = HEADER + size + sizeof(uint64_t);
    picus_sim_save(sim, NULL, 0, &own);
    uint8_t *data = malloc(own > all ? own : all);
    picus_sim_save(sim, data, own, &own);
    if (size > 0) memcpy(data + HEADER, bytes, size);
    const uint64_t length = all;
    memcpy(data + 48, &length, sizeof length);
    const uint64_t sum = picus_check_sum(data, all - sizeof sum);
    memcpy(data + all - sizeof sum, &sum, sizeof sum);
    int left = 5;
    const picus_run_hooks hooks = {.user = &left, .step = stop_soon};
    if (fuzz_accepted(context, picus_sim_load(sim, data, all, PICUS_LOAD_CHANGED_MODEL)))
      fuzz_accepted(context, picus_sim_run(sim, NULL, &hooks, NULL));
    free(data);
  }
  picus_sim_destroy(sim);
  picus_system_destroy(system);
  picus_model_destroy(model);
  fuzz_end(context);
  return 0;
}
