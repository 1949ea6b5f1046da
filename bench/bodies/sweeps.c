/* Time of one sweep of gs for each contact, on the contact problem that a model has after some steps. Prints one row.
 *
 *   bodies_sweeps MODEL_FILE STEPS [NAME=VALUE ...]
 *
 * The shortest of some rounds, so that other work on the machine counts little. */
#include "clock.h"
#include "sweep/body_problem.h"

#include <picus/picus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 40, SWEEPS = 10, MOST_OVERRIDES = 8 };

typedef struct measurement {
  picus_context *context;
  double sweep, mixed; /* s for each contact: a sweep, and the velocities of percussions */
  int rounds, generals, colours;
} measurement;

static double time_of(picus_body_problem *b, bool loads) {
  double shortest = INFINITY;
  for (int round = 0; round < ROUNDS; round++) {
    const double begin = processor_seconds_now();
    for (int k = 0; k < SWEEPS; k++) {
      if (loads)
        picus_body_problem_load(b);
      else
        picus_body_problem_sweep(b);
    }
    shortest = fmin(shortest, (processor_seconds_now() - begin) / SWEEPS);
  }
  return shortest / (b->round_count + b->general_count);
}

static void measure(const picus_watched_problem *watched, bool is_coloured, measurement *out) {
  picus_body_memory memory = {.context = out->context};
  picus_body_problem b = {.problem = watched->problem, .is_coloured = is_coloured};
  double *vectors;
  if (!watched->problem->factors || !picus_body_problem_create(&memory, 1, &b, &vectors)) return;
  picus_body_problem_put(&b, watched->P);
  picus_body_problem_load(&b);
  out->sweep = time_of(&b, false);
  out->mixed = time_of(&b, true);
  out->rounds = b.round_count;
  out->generals = b.general_count;
  out->colours = b.colour_count;
  picus_body_memory_release(&memory);
}

static void watch(void *user, const picus_watched_problem *watched) {
  measurement *m = user;
  measure(watched, false, &m[0]);
  measure(watched, true, &m[1]);
}

static picus_status run(picus_context *context, const char *path, int steps, const picus_load_options *load,
                        measurement m[2]) {
  picus_model *model = NULL;
  picus_system *system = NULL;
  picus_sim *sim = NULL;
  picus_status status = picus_model_load(context, path, load, &model);
  if (!status) status = picus_system_create(model, &system);
  if (!status) {
    picus_sim_options options = picus_model_sim_options(model);
    options.scheme = "moreau";
    status = picus_sim_create(context, system, &options, &sim);
  }
  for (int k = 0; !status && k < steps; k++) {
    if (k == steps - 1) picus_sim_watch_contacts(sim, watch, m);
    status = picus_sim_step(sim, 0, NULL);
  }
  picus_sim_destroy(sim);
  picus_system_destroy(system);
  picus_model_destroy(model);
  return status;
}

int main(int count, char **argument) {
  picus_override overrides[MOST_OVERRIDES];
  picus_load_options load = {.overrides = overrides};
  for (int k = 3; k < count && load.override_count < MOST_OVERRIDES; k++) {
    char *equals = strchr(argument[k], '=');
    if (!equals) continue;
    *equals = '\0';
    overrides[load.override_count++] = (picus_override){argument[k], atof(equals + 1)};
  }
  picus_context *context;
  if (count < 3 || picus_context_create(NULL, &context)) {
    fprintf(stderr, "usage: bodies_sweeps MODEL_FILE STEPS [NAME=VALUE ...]\n");
    return 2;
  }
  measurement m[2] = {{.context = context}, {.context = context}};
  const picus_status status = run(context, argument[1], atoi(argument[2]), &load, m);
  if (status) fprintf(stderr, "bodies_sweeps: %s\n", picus_last_error(context)->message);
  const char *name = strrchr(argument[1], '/') ? strrchr(argument[1], '/') + 1 : argument[1];
  for (int k = 0; k < 2 && !status && m[k].rounds + m[k].generals > 0; k++)
    printf(
        "%-16s %6d round, %6d general contacts, %-9s %6.1f ns for a contact and sweep, %6.1f ns for its velocities\n",
        name, m[k].rounds, m[k].generals, k ? "colours:" : "in order:", 1e9 * m[k].sweep, 1e9 * m[k].mixed);
  picus_context_destroy(context);
  return status ? 1 : 0;
}
