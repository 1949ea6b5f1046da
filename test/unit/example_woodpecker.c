/* The first example builds the woodpecker from texts: the same motion as the model file, bit for bit. */
#include "support/check.h"

int example_main(void);
#define main example_main
#include "../../examples/c/woodpecker.c"
#undef main

#include <string.h>

enum { MODELS = 2, STEPS = 100000 };

static void the_example_moves_as_the_model_file(void) {
  picus_context *context;
  picus_model *models[MODELS] = {NULL, NULL};
  picus_system *systems[MODELS] = {NULL, NULL};
  picus_sim *sims[MODELS] = {NULL, NULL};
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  REQUIRE(picus_model_load(context, "woodpecker", NULL, &models[0]) == PICUS_OK);
  REQUIRE(picus_model_create(context, "woodpecker", &models[1]) == PICUS_OK && woodpecker(models[1]) == PICUS_OK);
  const picus_sim_options options = picus_model_sim_options(models[0]);
  for (int k = 0; k < MODELS; k++) {
    REQUIRE(picus_system_create(models[k], &systems[k]) == PICUS_OK);
    REQUIRE(picus_sim_create(context, systems[k], &options, &sims[k]) == PICUS_OK);
  }
  int different = 0;
  for (int i = 0; i < STEPS && !different; i++) {
    picus_state state[MODELS];
    picus_law_state laws[MODELS][3];
    memset(laws, 0, sizeof laws);
    for (int k = 0; k < MODELS; k++) {
      REQUIRE(picus_sim_step(sims[k], 0, NULL) == PICUS_OK && picus_sim_laws(sims[k], laws[k]) == PICUS_OK);
      state[k] = picus_sim_state(sims[k]);
    }
    for (int j = 0; j < 3; j++) {
      different += memcmp(&state[0].q[j], &state[1].q[j], sizeof(double)) != 0;
      different += memcmp(&state[0].u[j], &state[1].u[j], sizeof(double)) != 0;
      different += memcmp(&laws[0][j].PN, &laws[1][j].PN, sizeof(double)) != 0 || laws[0][j].mode != laws[1][j].mode;
    }
    if (different) printf("  step %d\n", i);
  }
  CHECK(different == 0);
  CHECK(picus_sim_state(sims[1]).q[0] < -0.1);
  for (int k = 0; k < MODELS; k++) {
    picus_sim_destroy(sims[k]);
    picus_system_destroy(systems[k]);
    picus_model_destroy(models[k]);
  }
  picus_context_destroy(context);
}

int main(int argc, char **argv) {
  const test_case cases[] = {{"the_example_moves_as_the_model_file", the_example_moves_as_the_model_file}};
  return test_main(argc, argv, "example_woodpecker", cases, (int)(sizeof cases / sizeof *cases));
}
