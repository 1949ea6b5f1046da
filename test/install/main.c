/* A user's program: a mass of 1 kg falls from 1 m and bounces with eN = 0.5, so it must rise to 0.25 m again. */
#include <picus/picus.h>
#include <stdio.h>

int main(void) {
  picus_context *context;
  picus_model *model;
  picus_system *system;
  picus_sim *sim;
  picus_expr y, v;
  picus_coordinate_def coordinate = picus_default_coordinate_def();
  coordinate.name = "y", coordinate.velocity = "v", coordinate.start = 1;
  if (picus_context_create(NULL, &context) || picus_model_create(context, "bouncing-mass", &model)) return 1;
  picus_pool *pool = picus_model_pool(model);
  if (picus_model_add_coordinate(model, &coordinate, &y, &v) ||
      picus_model_add_kinetic(model, picus_mul(pool, picus_number(pool, 0.5), picus_mul(pool, v, v))) ||
      picus_model_add_potential(model, picus_mul(pool, picus_number(pool, 9.81), y)))
    return fprintf(stderr, "%s\n", picus_last_error(context)->message), 1;
  picus_contact_def floor = picus_default_contact_def();
  floor.name = "floor", floor.gap = y, floor.eN = 0.5;
  picus_sim_options options = picus_default_sim_options();
  options.dt = 1e-4, options.t_end = 0.8;
  if (picus_model_add_contact(model, &floor) || picus_system_create(model, &system) ||
      picus_sim_create(context, system, &options, &sim))
    return fprintf(stderr, "%s\n", picus_last_error(context)->message), 1;
  double height = 0;
  while (picus_sim_state(sim).t < options.t_end && !picus_sim_step(sim, 0, NULL))
    if (picus_sim_state(sim).u[0] > 0) height = picus_sim_state(sim).q[0]; /* at last: the top of the first bounce */
  printf("picus %s: rises to %.3f m\n", PICUS_VERSION, height);
  picus_sim_destroy(sim);
  picus_system_destroy(system);
  picus_model_destroy(model);
  picus_context_destroy(context);
  return height < 0.249 || height > 0.251;
}
