/* A hopper with a controller in C, which sets the torques of hip and knee before each step, against the same control
 * law as expressions in the model. Torques that are held over a step are accurate to first order: the difference is
 * proportional to dt. */
#include <math.h>
#include <picus/picus.h>
#include <stdio.h>
#include <string.h>

enum { STEPS_MOST = 4096, Y_TRUNK = 1, PHI_THIGH = 5, PHI_SHANK = 8 }; /* coordinates: x, y, phi of each body */

/* A trunk on a vertical rail, a thigh, a shank, and a foot that may leave the ground. outside = 1: torques are inputs.
 */
static const char hopper[] =
    "local p = parameters { outside = 0 }\n"
    "local i = inputs { {'hip', unit = 'N m'}, {'knee', unit = 'N m'} }\n"
    "gravity { 0, -9.81 }\n"
    "local a, l = 0.55, 0.25\n"
    "local y, kx, ky = 2 * l * cos(a), l * sin(a), l * cos(a)\n"
    "local trunk = planar_body {'trunk', mass = 3, inertia = 0.05, position = {0, y}}\n"
    "local thigh = planar_body {'thigh', mass = 0.5, inertia = 0.003, angle = a - pi / 2, position = {kx / 2, y - ky / "
    "2}}\n"
    "local shank = planar_body {'shank', mass = 0.3, inertia = 0.002, angle = -a - pi / 2, position = {kx / 2, ky / "
    "2}}\n"
    "prismatic {'rail', ground, trunk, axis = {0, 1}}\n"
    "revolute {'hip-joint', trunk, thigh, at = {0, y}}\n"
    "revolute {'knee-joint', thigh, shank, at = {kx, ky}}\n"
    "plane_contact {'foot', ground, shank, normal = {0, 1}, point = {l / 2, 0}, mu = 0.8}\n"
    "local goal = a + 0.2 * sin(14 * t)\n"
    "local hip = 60 * (goal - thigh:angle() - pi / 2) - 2 * thigh:omega()\n"
    "local knee = 60 * (thigh:angle() - shank:angle() - 2 * goal) - 2 * (shank:omega() - thigh:omega())\n"
    "actuator {trunk, thigh, torque = p.outside == 1 and i.hip or hip}\n"
    "actuator {thigh, shank, torque = p.outside == 1 and i.knee or knee}\n"
    "simulate {scheme = 'moreau', t_end = 1}\n";

typedef struct record {
  bool controls;
  int count; /* heights of the trunk so far */
  double height[STEPS_MOST];
} record;

/* Called before the first step and after each one: the control law of the model, from the present state. */
static int step(void *user, picus_sim *sim, const picus_step_info *info) {
  record *r = user;
  const picus_state now = picus_sim_state(sim);
  const double pi = acos(-1), goal = 0.55 + 0.2 * sin(14 * now.t);
  const double thigh = now.q[PHI_THIGH], shank = now.q[PHI_SHANK], w1 = now.u[PHI_THIGH], w2 = now.u[PHI_SHANK];
  (void)info;
  if (r->count == STEPS_MOST) return 1; /* ends the run */
  r->height[r->count++] = now.q[Y_TRUNK];
  if (!r->controls) return 0;
  picus_status status = picus_sim_set_input(sim, "hip", 60 * (goal - thigh - pi / 2) - 2 * w1, 0);
  if (!status) status = picus_sim_set_input(sim, "knee", 60 * (thigh - shank - 2 * goal) - 2 * (w2 - w1), 0);
  return status ? 1 : 0;
}

static picus_status run(picus_context *context, double dt, record *r) {
  picus_model *model = NULL;
  picus_system *system = NULL;
  picus_sim *sim = NULL;
  const picus_override outside = {"outside", r->controls ? 1 : 0};
  const picus_load_options load = {.override_count = 1, .overrides = &outside};
  picus_status status = picus_model_load_text(context, "hopper", hopper, strlen(hopper), &load, &model);
  if (!status) status = picus_system_create(model, &system);
  if (!status) {
    picus_sim_options options = picus_model_sim_options(model);
    options.dt = dt;
    status = picus_sim_create(context, system, &options, &sim);
  }
  const picus_run_hooks hooks = {.user = r, .step = step};
  if (!status) status = picus_sim_run(sim, NULL, &hooks, NULL);
  picus_sim_destroy(sim);
  picus_system_destroy(system);
  picus_model_destroy(model);
  return status;
}

int main(void) {
  picus_context *context;
  if (picus_context_create(NULL, &context)) return 1;
  picus_status status = PICUS_OK;
  for (int k = 0; k < 4 && !status; k++) {
    static record inside, outside;
    inside = (record){.controls = false}, outside = (record){.controls = true};
    const double dt = 2e-3 / (1 << k);
    status = run(context, dt, &inside);
    if (!status) status = run(context, dt, &outside);
    double highest = 0, difference = 0;
    for (int i = 0; i < inside.count && i < outside.count; i++) {
      highest = fmax(highest, outside.height[i]);
      difference = fmax(difference, fabs(outside.height[i] - inside.height[i]));
    }
    printf("dt = %.2f ms: trunk at most %.3f m high, difference %.2f mm\n", 1e3 * dt, highest, 1e3 * difference);
  }
  if (status) fprintf(stderr, "%s\n", picus_last_error(context)->message);
  picus_context_destroy(context);
  return status;
}
