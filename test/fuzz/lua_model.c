/* Fuzz target: any text as a model file. What is accepted becomes a system, makes some steps, and its energies are
 * numbers or refused; nothing takes more than its limits; nothing is lost. A second load, whose Lua state has other
 * addresses and another seed, in another locale if the machine has one, prints the same. */
#include "fuzz.h"

#include <locale.h>
#include <string.h>

typedef struct notes {
  uint64_t sum; /* of the bytes of all notes, in their order */
  size_t count;
} notes;

static void note(void *user, picus_log_level level, const char *message) {
  notes *n = user;
  (void)level;
  for (const char *c = message; *c; c++) n->sum = (n->sum ^ (uint8_t)*c) * 1099511628211U;
  n->sum = (n->sum ^ 256) * 1099511628211U;
  n->count++;
}

/* Loads a text deeper in the stack and with other blocks in memory: Lua takes the seed of its tables from addresses. */
static int load_again(const uint8_t *bytes, size_t size, notes *printed) {
  volatile char depth[4096];
  picus_context *context = NULL;
  picus_model *model = NULL;
  picus_load_options load = {.memory_limit = 8 << 20, .instruction_limit = 200000};
  picus_context_def def = picus_default_context_def();
  void *between = malloc(3000 + size);
  depth[0] = depth[sizeof depth - 1] = 0;
  def.log = note;
  def.log_user = printed;
  picus_status status = PICUS_ERROR_MEMORY;
  if (!picus_context_create(&def, &context)) {
    status = picus_model_load_text(context, "fuzz.lua", (const char *)bytes, size, &load, &model);
    picus_model_destroy(model);
    fuzz_end(context);
  }
  free(between);
  return status == PICUS_OK && depth[0] == 0;
}

/* A locale that differs as much as possible: decimal commas, dotless letters, bytes above 127 as letters. */
static void take_locale(void) {
  static const char *const names[] = {"tr_TR.UTF-8", "tr_TR", "de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "C.UTF-8"};
  for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
    if (setlocale(LC_ALL, names[k])) return;
}

static int patience(void *user) {
  long *looks = user;
  return ++*looks > 100000;
}

/* A few steps, with the model's own options where they are for a short run. */
static void step(picus_context *context, const picus_model *model, const picus_system *system) {
  picus_sim_options options = picus_model_sim_options(model);
  picus_sim *sim = NULL;
  if (!(options.dt > 0)) options.dt = 1e-3;
  if (fuzz_accepted(context, picus_sim_create(context, system, &options, &sim))) {
    for (int k = 0; k < 5; k++)
      if (!fuzz_accepted(context, picus_sim_step(sim, 0, NULL))) break;
    double kinetic = 0, potential = 0;
    picus_sim_energy(sim, &kinetic, &potential);
  }
  picus_sim_destroy(sim);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  picus_context *context = NULL;
  picus_model *model = NULL;
  picus_system *system = NULL;
  long looks = 0;
  picus_load_options load = {.memory_limit = 8 << 20, .instruction_limit = 200000};
  picus_derivation derivation = {.memory_limit = 32 << 20, .node_limit = 200000, .interrupt = patience, .user = &looks};
  notes printed = {0}, again = {0};
  picus_context_def def = picus_default_context_def();
  def.log = note;
  def.log_user = &printed;
  if (picus_context_create(&def, &context)) return 0;
  picus_status status = picus_model_load_text(context, "fuzz.lua", (const char *)bytes, size, &load, &model);
  if (!status && printed.count) {
    take_locale();
    if (load_again(bytes, size, &again)) fuzz_demand(again.sum == printed.sum && again.count == printed.count);
    setlocale(LC_ALL, "C");
  }
  if (fuzz_accepted(context, status) &&
      fuzz_accepted(context, picus_system_create_within(model, &derivation, &system)) &&
      picus_system_nu(system) <= 50 && picus_system_law_count(system) <= 50)
    step(context, model, system);
  picus_system_destroy(system);
  picus_model_destroy(model);
  fuzz_end(context);
  return 0;
}
