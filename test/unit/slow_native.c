/* Native code of all shipped models: steps of several schemes have the bits of the interpreter. */
#define _XOPEN_SOURCE 700
#include "native_support.h"

enum { STEPS = 25, MANY = 500 };
static const char *const schemes[] = {NULL, "moreau-jean", "rattle"}; /* NULL: that of the model */

typedef struct loaded {
  picus_context *context;
  picus_model *model;
  picus_system *system;
} loaded;

static bool load(const char *name, const picus_derivation *derivation, loaded *out) {
  *out = (loaded){0};
  return CHECK(picus_context_create(NULL, &out->context) == PICUS_OK) &&
         CHECK(picus_model_load(out->context, name, NULL, &out->model) == PICUS_OK) &&
         CHECK(picus_system_create_within(out->model, derivation, &out->system) == PICUS_OK);
}

static void unload(loaded *l) {
  picus_system_destroy(l->system);
  picus_model_destroy(l->model);
  CHECK(picus_context_memory(l->context) == 0);
  picus_context_destroy(l->context);
}

/* Some steps; energy has what the tapes of energies give. The status of the first failure, of any kind. */
static picus_status move(const loaded *l, const char *scheme, double *state, double energy[2]) {
  picus_sim *sim = NULL;
  picus_sim_options options = picus_model_sim_options(l->model);
  options.adaptive = false;
  if (scheme) {
    options.scheme = scheme;
    options.gap_term = false;
  }
  picus_status status = picus_sim_create(l->context, l->system, &options, &sim);
  for (int k = 0; !status && k < STEPS; k++) status = picus_sim_step(sim, 0, NULL);
  if (!status) status = picus_sim_energy(sim, &energy[0], &energy[1]);
  if (sim) {
    const picus_state now = picus_sim_state(sim);
    memcpy(state, now.q, (size_t)picus_system_nq(l->system) * sizeof *state);
    memcpy(state + picus_system_nq(l->system), now.u, (size_t)picus_system_nu(l->system) * sizeof *state);
  }
  picus_sim_destroy(sim);
  return status;
}

static long compare(const char *name, const picus_derivation *derivation) {
  loaded plain, native;
  long compared = 0;
  if (load(name, NULL, &plain) && load(name, derivation, &native)) {
    const size_t count = (size_t)picus_system_nq(plain.system) + (size_t)picus_system_nu(plain.system);
    double *expected = calloc(count + 1, sizeof *expected), *got = calloc(count + 1, sizeof *got);
    /* heaps have their formulas in one scheme as in another */
    const size_t ways = count > MANY ? 1 : sizeof schemes / sizeof *schemes;
    for (size_t k = 0; expected && got && k < ways; k++) {
      double energy[2][2] = {{0}};
      const picus_status status = move(&plain, schemes[k], expected, energy[0]);
      CHECK(move(&native, schemes[k], got, energy[1]) == status);
      CHECK(memcmp(expected, got, count * sizeof *expected) == 0 && memcmp(energy[0], energy[1], sizeof *energy) == 0);
      if (!status) compared += (long)count + 2;
    }
    const picus_native_report report = picus_system_native(native.system);
    CHECK(report.interpreted == 0 && report.note[0] == '\0');
    printf("  %s: %ld operations, %ld numbers compared\n", name, report.operations, compared);
    free(expected);
    free(got);
  }
  unload(&plain);
  unload(&native);
  return compared;
}

static void shipped_models_have_the_same_bits(void) {
  if (!native_begin()) return;
  const picus_derivation derivation = native_options(native_path("cache"));
  const int stride = (int)test_size(4, 2, 1);
  for (int k = 0; k < picus_shipped_model_count(); k += stride)
    CHECK(compare(picus_shipped_model_name(k), &derivation) > 0);
  native_end();
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"shipped_models_have_the_same_bits", shipped_models_have_the_same_bits}};
  return test_main(argc, argv, "slow_native", cases, sizeof cases / sizeof *cases);
}
