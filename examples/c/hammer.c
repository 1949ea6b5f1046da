/* A hammer, a point mass, hits a bar of finite elements. Until the wave returns from the other end, the bar acts on the
 * hammer as a damper of strength Z = S sqrt(E rho), so that its velocity decays as exp(-Z t / m). */
#include <math.h>
#include <picus/picus.h>
#include <stdio.h>

static const double mass = 5, speed = 1, length = 1, area = 3e-4, density = 7800, young = 2.1e11;

static picus_status define(picus_model *model) {
  picus_pool *pool = picus_model_pool(model);
  picus_expr y, v, tip;
  picus_coordinate_def hammer = picus_default_coordinate_def();
  hammer.name = "y", hammer.velocity = "v", hammer.velocity_start = speed, hammer.unit = "m";
  picus_status status = picus_model_add_coordinate(model, &hammer, &y, &v);
  if (!status)
    status = picus_model_add_kinetic(model, picus_mul(pool, picus_number(pool, 0.5 * mass), picus_mul(pool, v, v)));
  if (status) return status;

  picus_bar_def bar = picus_default_bar_def();
  bar.name = "bar", bar.elements = 400;
  bar.length = length, bar.area = area, bar.density = density, bar.young = young;
  status = picus_model_add_bar(model, &bar);
  if (!status) status = picus_model_node(model, "bar", 0, &tip, NULL);
  if (status) return status;

  picus_contact_def contact = picus_default_contact_def();
  contact.name = "face", contact.gap = picus_sub(pool, tip, y);
  return picus_model_add_contact(model, &contact);
}

static picus_status run(picus_context *context, const picus_system *system) {
  const double travel = length / sqrt(young / density), impedance = area * sqrt(young * density);
  picus_sim_options options = picus_default_sim_options();
  options.scheme = "moreau-jean";
  options.dt = travel / 1000, options.t_end = 2 * travel;
  picus_sim *sim = NULL;
  picus_law_state law;
  picus_status status = picus_sim_create(context, system, &options, &sim);
  for (int part = 1; part <= 3 && !status; part++) {
    for (int k = 0; k < 500 && !status; k++) status = picus_sim_step(sim, 0, NULL);
    if (!status) status = picus_sim_laws(sim, &law);
    if (status) break;
    picus_state state = picus_sim_state(sim);
    double exact = speed * exp(-impedance * state.t / mass);
    printf("t = %.4e s: hammer %.3f m/s (closed form %.3f), force %.0f N (closed form %.0f)\n", state.t, state.u[0],
           exact, law.PN / options.dt, impedance * exact);
  }
  picus_sim_destroy(sim);
  return status;
}

int main(void) {
  picus_context *context;
  picus_model *model = NULL;
  picus_system *system = NULL;
  if (picus_context_create(NULL, &context)) return 1;
  picus_status status = picus_model_create(context, "hammer", &model);
  if (!status) status = define(model);
  if (!status) status = picus_system_create(model, &system);
  if (!status) printf("%d velocities in the system\n", picus_system_nu(system));
  if (!status) status = run(context, system);
  if (status) fprintf(stderr, "%s\n", picus_last_error(context)->message);
  picus_system_destroy(system);
  picus_model_destroy(model);
  picus_context_destroy(context);
  return status ? 1 : 0;
}
