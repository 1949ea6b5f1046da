/* A model built by functions instead of a model file: a block slides up an incline, stops and sticks, because the
 * friction coefficient 0.5 is larger than the incline's slope tan(20 deg) = 0.364. */
#include <math.h>
#include <picus/picus.h>
#include <stdio.h>

enum { GRAVITY, MASS, ANGLE, FRICTION, SPEED, PARAMETERS };

static picus_status add_parameters(picus_model *model, double *p) {
  static const picus_parameter list[PARAMETERS] = {{"g", 0, 9.81, "m/s^2", "gravity"},
                                                   {"m", 0, 2.0, "kg", "mass"},
                                                   {"alpha", 0, 0.34906585039886591, "rad", "angle of the incline"},
                                                   {"mu", 0, 0.5, "", "friction coefficient"},
                                                   {"v0", 0, 3.0, "m/s", "speed at the start, uphill"}};
  picus_status status = PICUS_OK;
  for (int i = 0; i < PARAMETERS && !status; i++)
    status =
        picus_model_add_parameter(model, list[i].name, list[i].default_value, list[i].unit, list[i].description, &p[i]);
  return status;
}

static picus_status add_coordinate(picus_model *model, const char *name, const char *velocity, double speed,
                                   picus_expr *q, picus_expr *u) {
  picus_coordinate_def def = picus_default_coordinate_def();
  def.name = name, def.velocity = velocity, def.velocity_start = speed, def.unit = "m";
  return picus_model_add_coordinate(model, &def, q, u);
}

/* x runs uphill along the incline, z away from it. */
static picus_status define(picus_model *model, const double *p) {
  picus_pool *pool = picus_model_pool(model);
  picus_expr x, z, vx, vz;
  picus_status status = add_coordinate(model, "x", "vx", p[SPEED], &x, &vx);
  if (!status) status = add_coordinate(model, "z", "vz", 0, &z, &vz);
  if (status) return status;

  /* T = m/2 (vx^2 + vz^2),  V = m g (x sin(alpha) + z cos(alpha)) */
  picus_expr squares = picus_add(pool, picus_mul(pool, vx, vx), picus_mul(pool, vz, vz));
  picus_expr height = picus_add(pool, picus_mul(pool, picus_number(pool, sin(p[ANGLE])), x),
                                picus_mul(pool, picus_number(pool, cos(p[ANGLE])), z));
  status = picus_model_add_kinetic(model, picus_mul(pool, picus_number(pool, 0.5 * p[MASS]), squares));
  if (!status)
    status = picus_model_add_potential(model, picus_mul(pool, picus_number(pool, p[MASS] * p[GRAVITY]), height));
  if (status) return status;

  picus_contact_def contact = picus_default_contact_def();
  contact.name = "incline", contact.gap = z;
  contact.slips = 1, contact.slip[0] = vx, contact.mu = p[FRICTION];
  return picus_model_add_contact(model, &contact);
}

static picus_status run(picus_context *context, const picus_system *system, const double *p) {
  picus_sim_options options = picus_default_sim_options();
  options.dt = 1e-3, options.t_end = 1;
  picus_sim *sim = NULL;
  picus_summary summary;
  picus_law_state law;
  picus_status status = picus_sim_create(context, system, &options, &sim);
  if (!status) status = picus_sim_run(sim, NULL, NULL, &summary);
  if (!status) status = picus_sim_laws(sim, &law);
  if (!status) {
    picus_state state = picus_sim_state(sim);
    double deceleration = p[GRAVITY] * (sin(p[ANGLE]) + p[FRICTION] * cos(p[ANGLE]));
    printf("stopped at x = %.4f m (closed form %.4f), speed %.1e m/s, %s\n", state.q[0],
           p[SPEED] * p[SPEED] / (2 * deceleration), fabs(state.u[0]),
           law.mode == PICUS_STICK ? "sticking" : "slipping");
    printf("normal force %.6f N, friction force %.6f N (closed form %.6f and %.6f)\n", law.PN / options.dt,
           law.PF[0] / options.dt, p[MASS] * p[GRAVITY] * cos(p[ANGLE]), p[MASS] * p[GRAVITY] * sin(p[ANGLE]));
    printf("energy %.6f J at the start, %.6f J at the end, %.6f J dissipated\n", summary.energy.start,
           summary.energy.end, summary.energy.dissipated);
  }
  picus_sim_destroy(sim);
  return status;
}

int main(void) {
  picus_context *context;
  picus_model *model = NULL;
  picus_system *system = NULL;
  double p[PARAMETERS];
  if (picus_context_create(NULL, &context)) return 1;
  picus_status status = picus_model_create(context, "block-on-incline", &model);
  if (!status) status = add_parameters(model, p);
  if (!status) status = define(model, p);
  if (!status) status = picus_system_create(model, &system);
  if (!status) status = run(context, system, p);
  if (status) fprintf(stderr, "%s\n", picus_last_error(context)->message);
  picus_system_destroy(system);
  picus_model_destroy(model);
  picus_context_destroy(context);
  return status;
}
