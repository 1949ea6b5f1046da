/* Fuzz target: checkpoints with a right check sum. An input whose first byte is odd stands behind the header of a
 * checkpoint as it is; others are lists of changes of a valid one, which get much further: a place, a length, and
 * bytes, or one of the numbers that programs stumble over. What is rejected is rejected with a sentence; what is
 * accepted makes steps, which may fail with a sentence. The test checkpoint_misuse changes bytes of a checkpoint
 * without libFuzzer. */
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

/* A list of changes, each of 4 bytes or more: place (2), kind and length, bytes. */
static void change_some(uint8_t *data, size_t size, const uint8_t *bytes, size_t left) {
  static const uint64_t rare[] = {
      0, 1, UINT64_MAX, UINT64_C(1) << 63, UINT64_C(1) << 31, 0x7FF0000000000000, 0x7FF8000000000000, 4096};
  while (left >= 4 && size > HEADER + 8) {
    const size_t place = HEADER + (bytes[0] | (size_t)bytes[1] << 8) % (size - HEADER - 8);
    const uint8_t kind = bytes[2];
    const size_t length = 1 + (kind & 7);
    if (kind & 128)
      memcpy(data + place, &rare[bytes[3] % 8], sizeof rare[0]);
    else if (left < 3 + length)
      return;
    else
      memcpy(data + place, bytes + 3, length);
    const size_t used = kind & 128 ? 4 : 3 + length;
    bytes += used;
    left -= used;
  }
}

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
    for (int k = 0; k < 3; k++) fuzz_accepted(context, picus_sim_step(sim, 1e-3, NULL)); /* contacts are there */
    size_t own = 0;
    picus_sim_save(sim, NULL, 0, &own);
    const bool is_list = size > 0 && bytes[0] % 2 == 0;
    const size_t all = is_list ? own : HEADER + size + sizeof(uint64_t);
    uint8_t *data = malloc(own > all ? own : all);
    picus_sim_save(sim, data, own, &own);
    if (is_list)
      change_some(data, all - sizeof(uint64_t), bytes + 1, size - 1);
    else if (size > 0)
      memcpy(data + HEADER, bytes, size);
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
