/* The woodpecker toy (Glocker and Studer 2005), the model `woodpecker` in C: a bird on a spring descends a pole, held
 * by friction between its strokes. Expressions are texts with the words of model files. */
#include <picus/picus.h>
#include <stdio.h>

#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

static picus_status woodpecker(picus_model *model) {
  static const picus_override data[] = {{"rO", 0.0025}, {"rM", 0.0031}, {"hM", 0.0058}, {"lM", 0.010},  {"lG", 0.015},
                                        {"hS", 0.02},   {"lS", 0.0201}, {"mM", 0.0003}, {"mS", 0.0045}, {"JM", 5.0e-9},
                                        {"JS", 7.0e-7}, {"c", 0.0056},  {"g", 9.81}};
  static const picus_coordinate_def q[] = {
      {.name = "y", .velocity = "v", .velocity_start = -0.3411, .unit = "m"},
      {.name = "phiM", .velocity = "omegaM", .start = -0.1036, .unit = "rad"},
      {.name = "phiS", .velocity = "omegaS", .start = -0.2788, .velocity_start = -7.4583, .unit = "rad"}};
  picus_status status = PICUS_OK;
  for (int k = 0; k < COUNT(data) && !status; k++)
    status = picus_model_add_parameter(model, data[k].name, data[k].value, NULL, NULL, NULL);
  for (int k = 0; k < COUNT(q) && !status; k++) status = picus_model_add_coordinate(model, &q[k], NULL, NULL);
#define E(text) picus_expr_parse(model, text)
  if (!status) status = picus_model_add_kinetic(model, E("mM*v^2/2 + JM*omegaM^2/2"));
  if (!status) status = picus_model_add_kinetic(model, E("mS*(v + lM*omegaM + lG*omegaS)^2/2 + JS*omegaS^2/2"));
  if (!status) status = picus_model_add_potential(model, E("mM*g*y + mS*g*(y + lM*phiM + lG*phiS)"));
  if (!status) status = picus_model_add_potential(model, E("c*(phiM - phiS)^2/2"));
  const picus_expr edge = E("v + rM*omegaM"), beak = E("v + lM*omegaM + (lG - lS)*omegaS");
  const picus_contact_def contacts[] = {
      {.name = "beak", .gap = E("lM + lG - lS - rO - hS*phiS"), .slips = 1, .slip = {beak}, .mu = 0.3, .eN = 0.5},
      {.name = "lower", .gap = E("rM - rO + hM*phiM"), .slips = 1, .slip = {edge}, .mu = 0.3},
      {.name = "upper", .gap = E("rM - rO - hM*phiM"), .slips = 1, .slip = {edge}, .mu = 0.3}};
  for (int k = 0; k < COUNT(contacts) && !status; k++) status = picus_model_add_contact(model, &contacts[k]);
  return status;
}

int main(void) {
  picus_context *context;
  picus_model *model = NULL;
  picus_system *system = NULL;
  picus_sim *sim = NULL;
  picus_sim_options options = picus_default_sim_options();
  picus_summary summary;
  options.dt = 1e-5, options.t_end = 1;
  if (picus_context_create(NULL, &context)) return 1;
  picus_status status = picus_model_create(context, "woodpecker", &model);
  if (!status) status = woodpecker(model);
  if (!status) status = picus_system_create(model, &system);
  if (!status) status = picus_sim_create(context, system, &options, &sim);
  if (!status) status = picus_sim_run(sim, NULL, NULL, &summary);
  if (!status)
    printf("%ld steps, %ld impacts; the sleeve has descended %.4f m\n", summary.steps, summary.impacts,
           -picus_sim_state(sim).q[0]);
  if (status) fprintf(stderr, "%s\n", picus_last_error(context)->message);
  picus_sim_destroy(sim);
  picus_system_destroy(system);
  picus_model_destroy(model);
  picus_context_destroy(context);
  return status;
}
