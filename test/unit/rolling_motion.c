/* Rolling friction in motion, against closed forms: a disk (J = m r^2 / 2) or a ball (J = 2 m r^2 / 5) that rolls
 * without slip is decelerated by rho g / (r (1 + J / (m r^2))), stops and stays; on an incline it stays up to
 * tan(alpha) = rho / r. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define G 9.81
#define R 0.1
#define RHO 0.004

/* Every scheme with friction. */
static const char *const schemes[] = {"moreau",          "moreau-explicit", "moreau-jean",   "moreau-projected",
                                      "moreau-combined", "rattle",          "half-explicit", "half-explicit-rk"};
enum { SCHEMES = sizeof schemes / sizeof *schemes };

static double value_of(const simulation *s, const char *name) {
  picus_state state = picus_sim_state(s->sim);
  for (int i = 0; i < state.nq; i++)
    if (strcmp(picus_system_q_name(s->system, i), name) == 0) return state.q[i];
  for (int i = 0; i < state.nu; i++)
    if (strcmp(picus_system_u_name(s->system, i), name) == 0) return state.u[i];
  CHECK(false);
  return NAN;
}

static picus_law_state law_of(simulation *s, const char *name) {
  picus_law_state states[16];
  if (!CHECK(picus_sim_laws(s->sim, states) == PICUS_OK)) return (picus_law_state){0};
  for (int i = 0; i < picus_system_law_count(s->system); i++)
    if (strcmp(picus_system_law_at(s->system, i).name, name) == 0) return states[i];
  CHECK(false);
  return (picus_law_state){0};
}

/* A disk of mass 2 on a floor that is inclined by alpha, with the initial speed v of rolling. */
static bool open_disk(simulation *s, const char *scheme, double alpha, double v, double dt, double t_end) {
  char text[1024];
  snprintf(text, sizeof text,
           "gravity {%.17g, %.17g}\n"
           "local disk = planar_body {'disk', mass = 2, inertia = 0.01, position = {0, 0.1}, velocity = {%.17g, 0}, "
           "omega = %.17g}\n"
           "plane_contact {'floor', ground, disk, normal = {0, 1}, radius = 0.1, mu = 0.3, rolling = %.17g}\n"
           "simulate {scheme = '%s', dt = %.17g, t_end = %.17g}\n",
           G * sin(alpha), -G * cos(alpha), v, -v / R, RHO, scheme, dt, t_end);
  return simulation_open_text(s, text);
}

/* Constant forces: every scheme has the exact velocity up to the step in which the disk stops. */
static void disk_decelerates_and_stays(void) {
  const double a = RHO * G / (1.5 * R), v = 0.4, stop = v / a, way = v * v / (2 * a);
  for (int k = 0; k < SCHEMES; k++) {
    for (int late = 0; late < 2; late++) {
      simulation s;
      picus_summary summary;
      const double dt = 1e-3, t_end = late ? stop + 0.5 : 0.5 * stop;
      if (open_disk(&s, schemes[k], 0, v, dt, t_end) && CHECK(picus_sim_run(s.sim, NULL, NULL, &summary) == PICUS_OK)) {
        const double x = value_of(&s, "x_disk"), vx = value_of(&s, "vx_disk"), w = value_of(&s, "omega_disk");
        const double reached = picus_sim_state(s.sim).t;
        if (late) {
          CHECK_NEAR(x, way, 2 * v * dt);
          if (!CHECK(fabs(vx) < 1e-14 && fabs(w) < 1e-13)) printf("  %s creeps: %g %g\n", schemes[k], vx, w);
          CHECK(law_of(&s, "floor_rolling").mode == PICUS_STICK);
          /* all of the kinetic energy; half-explicit-rk knows the energy of the step in which friction stops a body to
           * O(dt) of that step only, as for a sliding block */
          CHECK_NEAR(summary.energy.dissipated, 0.5 * 2 * v * v * 1.5,
                     strcmp(schemes[k], "half-explicit-rk") ? 1e-12 : 1e-8);
        } else {
          if (!CHECK(fabs(vx - (v - a * reached)) < 1e-12)) printf("  %s: %g\n", schemes[k], vx - (v - a * reached));
          CHECK_NEAR(w, -vx / R, 1e-11);
          CHECK_NEAR(x, v * reached - a * reached * reached / 2, v * dt);
          CHECK(law_of(&s, "floor_rolling").mode == PICUS_SLIP && law_of(&s, "floor").mode == PICUS_STICK);
          const double PR = law_of(&s, "floor_rolling").PF[0], PN = law_of(&s, "floor").PN;
          CHECK_NEAR(PR / PN, RHO, 1e-13); /* it opposes the rolling, w < 0 */
        }
      }
      simulation_close(&s);
    }
  }
}

/* Just below and just above tan(alpha) = rho / r. */
static void disk_on_an_incline(void) {
  for (int k = 0; k < SCHEMES; k++)
    for (int steep = 0; steep < 2; steep++) {
      simulation s;
      picus_summary summary;
      const double alpha = atan(RHO / R) * (steep ? 1.01 : 0.99), dt = 2e-3;
      const double a = G * (sin(alpha) - RHO / R * cos(alpha)) / 1.5;
      if (open_disk(&s, schemes[k], alpha, 0, dt, 1) && CHECK(picus_sim_run(s.sim, NULL, NULL, &summary) == PICUS_OK)) {
        const double x = value_of(&s, "x_disk"), vx = value_of(&s, "vx_disk"), t = picus_sim_state(s.sim).t;
        if (steep) {
          CHECK_NEAR(vx, a * t, 1e-12);
          CHECK_NEAR(x, a * t * t / 2, a * dt);
        } else {
          if (!CHECK(fabs(vx) < 1e-14 && fabs(x) < 1e-14)) printf("  %s: %g %g\n", schemes[k], vx, x);
          CHECK(law_of(&s, "floor_rolling").mode == PICUS_STICK);
        }
      }
      simulation_close(&s);
    }
}

/* --- in space ------------------------------------------------------------------------------------------------------
 */

static bool open_ball(simulation *s, const char *scheme, double angle, double v, double dt, double t_end,
                      const char *more) {
  char text[1024];
  snprintf(text, sizeof text,
           "gravity {0, 0, -9.81}\n"
           "local ball = spatial_body {'ball', mass = 2, inertia = {0.008, 0.008, 0.008}, position = {0, 0, 0.1}, "
           "velocity = {%.17g, %.17g, 0}, omega = {%.17g, %.17g, 0}}\n"
           "plane_contact {'floor', ground, ball, normal = {0, 0, 1}, radius = 0.1, mu = 0.3, rolling = %.17g%s}\n"
           "simulate {scheme = '%s', dt = %.17g, t_end = %.17g}\n",
           v * cos(angle), v * sin(angle), -v * sin(angle) / R, v * cos(angle) / R, RHO, more, scheme, dt, t_end);
  return simulation_open_text(s, text);
}

/* The ball keeps its direction, whatever it is, and stops. */
static void ball_keeps_its_direction(void) {
  const double a = RHO * G / (1.4 * R), v = 0.3, dt = 1e-3;
  for (int k = 0; k < SCHEMES; k++)
    for (int late = 0; late < 2; late++) {
      simulation s;
      picus_summary summary;
      const double angle = 0.7 + 2 * k, t_end = late ? v / a + 0.2 : 0.2;
      if (open_ball(&s, schemes[k], angle, v, dt, t_end, "") &&
          CHECK(picus_sim_run(s.sim, NULL, NULL, &summary) == PICUS_OK)) {
        const double vx = value_of(&s, "vx_ball"), vy = value_of(&s, "vy_ball");
        const double along = vx * cos(angle) + vy * sin(angle), across = vy * cos(angle) - vx * sin(angle);
        const double rest = late ? 0 : v - a * picus_sim_state(s.sim).t;
        if (!CHECK(fabs(along - rest) < 1e-11 && fabs(across) < 1e-11))
          printf("  %s: %g %g\n", schemes[k], along - rest, across);
        CHECK(law_of(&s, "floor_rolling").mode == (late ? PICUS_STICK : PICUS_SLIP));
      }
      simulation_close(&s);
    }
}

/* Drilling is not rolling: a ball that spins about the normal feels no rolling friction; with spin friction beside it,
 * both act. */
static void spin_is_not_rolling(void) {
  for (int spin_friction = 0; spin_friction < 2; spin_friction++) {
    simulation s;
    picus_summary summary;
    char text[1024];
    snprintf(text, sizeof text,
             "gravity {0, 0, -9.81}\n"
             "local ball = spatial_body {'ball', mass = 2, inertia = {0.008, 0.008, 0.008}, position = {0, 0, 0.1}, "
             "omega = {0, 0, 30}}\n"
             "plane_contact {'floor', ground, ball, normal = {0, 0, 1}, radius = 0.1, mu = 0.3, rolling = 0.01%s}\n"
             "simulate {scheme = 'moreau', dt = 1e-3, t_end = 0.5}\n",
             spin_friction ? ", spin_radius = 0.02" : "");
    if (simulation_open_text(&s, text) && CHECK(picus_sim_run(s.sim, NULL, NULL, &summary) == PICUS_OK)) {
      const double factor = 3 * 3.14159265358979323846 / 16 * 0.02, torque = 0.3 * 2 * G * factor;
      CHECK_NEAR(value_of(&s, "wz_ball"), spin_friction ? 30 - torque / 0.008 * 0.5 : 30, 1e-9);
      CHECK(law_of(&s, "floor_rolling").mode == PICUS_STICK);
    }
    simulation_close(&s);
  }
}

/* --- general laws and adaptive runs ---------------------------------------------------------------------------- */

/* The same disk as expressions: roll = phi'. */
static void general_contact(void) {
  simulation s;
  picus_summary summary;
  const double a = RHO * G / (1.5 * R);
  if (simulation_open_text(&s, "local q, u = coordinates {{'x', velocity = 'vx', start = {0, 0.4}}, {'y', velocity = "
                               "'vy', start = {0.1, 0}}, {'phi', velocity = 'w', start = {0, -4}}}\n"
                               "kinetic(u.vx^2 + u.vy^2 + 0.005 * u.w^2)\n potential(2 * 9.81 * q.y)\n"
                               "contact {'floor', gap = q.y - 0.1, slip = u.vx + 0.1 * u.w, mu = 0.3, roll = u.w, "
                               "rolling = 0.004}\n"
                               "simulate {scheme = 'moreau', dt = 1e-3, t_end = 0.3}\n") &&
      CHECK(picus_sim_run(s.sim, NULL, NULL, &summary) == PICUS_OK))
    CHECK_NEAR(value_of(&s, "vx"), 0.4 - a * picus_sim_state(s.sim).t, 1e-12);
  simulation_close(&s);
}

/* Adaptive: the time at which the disk stops is found. */
static void adaptive_run_finds_the_stop(void) {
  simulation s;
  recorded_switchings switchings = {0};
  picus_summary summary;
  const double a = RHO * G / (1.5 * R), stop = 0.4 / a;
  char text[1024];
  snprintf(text, sizeof text,
           "gravity {0, -9.81}\n"
           "local disk = planar_body {'disk', mass = 2, inertia = 0.01, position = {0, 0.1}, velocity = {0.4, 0}, "
           "omega = -4}\n"
           "plane_contact {'floor', ground, disk, normal = {0, 1}, radius = 0.1, mu = 0.3, rolling = %.17g}\n"
           "simulate {scheme = 'moreau', adaptive = true, atol = 1e-8, rtol = 1e-8, dt_min = 1e-7, t_end = 3}\n",
           RHO);
  if (simulation_open_text(&s, text) && simulation_run_event_log(&s, NULL, &switchings, &summary)) {
    double found = NAN;
    for (long i = 0; i < switchings.count; i++)
      if (switchings.list[i].from == PICUS_SLIP && switchings.list[i].to == PICUS_STICK &&
          strcmp(picus_system_law_at(s.system, switchings.list[i].law).name, "floor_rolling") == 0)
        found = switchings.list[i].t;
    CHECK_NEAR(found, stop, 1e-6);
    CHECK_NEAR(value_of(&s, "x_disk"), 0.4 * 0.4 / (2 * a), 1e-6);
    CHECK(fabs(value_of(&s, "vx_disk")) < 1e-12);
  }
  recorded_switchings_free(&switchings);
  simulation_close(&s);
}

/* --- refusals ------------------------------------------------------------------------------------------------------
 */

static void refused(const char *text, const char *message) {
  picus_context *context;
  picus_model *model = NULL;
  picus_system *system = NULL;
  picus_sim *sim = NULL;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  picus_status status = picus_model_load_text(context, "roll.lua", text, strlen(text), NULL, &model);
  if (!status) status = picus_system_create(model, &system);
  picus_sim_options options = picus_default_sim_options();
  if (!status) options = picus_model_sim_options(model);
  if (!status) status = picus_sim_create(context, system, &options, &sim);
  CHECK(status != PICUS_OK);
  if (!CHECK(strstr(picus_last_error(context)->message, message) != NULL))
    printf("  %s\n", picus_last_error(context)->message);
  picus_sim_destroy(sim);
  picus_system_destroy(system);
  picus_model_destroy(model);
  picus_context_destroy(context);
}

static void wrong_models_get_sentences(void) {
  char text[1024];
  static const char *const body = "local b = planar_body {'b', mass = 1, inertia = 1, position = {0, 1}}\n";
  static const char *const without[] = {"half-explicit-acc", "schatzman-paoli"};
  for (int k = 0; k < 2; k++) {
    snprintf(text, sizeof text,
             "%splane_contact {'f', ground, b, normal = {0, 1}, rolling = 0.1}\nsimulate {scheme = '%s', dt = 1e-3, "
             "t_end = 1}\n",
             body, without[k]);
    refused(text, "does not support friction, but 'f_rolling' has friction");
  }
  snprintf(text, sizeof text, "%splane_contact {'f', ground, b, normal = {0, 1}, rolling = -0.1}\n", body);
  refused(text, "the rolling radius of contact 'f' is -0.1; it must not be negative");
  snprintf(text, sizeof text, "%scontact {'f', gap = b.position[2], rolling = 0.1}\n", body);
  refused("local q, u = coordinates {{'y', velocity = 'v'}}\nkinetic(u.v^2)\ncontact {'f', gap = q.y, rolling = 0.1}\n",
          "has the rolling radius 0.1 but no rolling velocity; add roll, or omit rolling");
  refused("local q, u = coordinates {{'y', velocity = 'v'}}\nkinetic(u.v^2)\ncontact {'f', gap = q.y, rolling = 0.1, "
          "roll = q.y}\n",
          "the rolling velocity of contact 'f' does not depend on a velocity");
  refused("local q, u = coordinates {{'y', velocity = 'v'}}\nkinetic(u.v^2)\nobserve {'f_rolling', q.y}\ncontact {'f', "
          "gap = q.y, rolling = 0.1, roll = u.v}\n",
          "the name 'f_rolling' of a rolling law is already used");
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"disk_decelerates_and_stays", disk_decelerates_and_stays},
      {"disk_on_an_incline", disk_on_an_incline},
      {"ball_keeps_its_direction", ball_keeps_its_direction},
      {"spin_is_not_rolling", spin_is_not_rolling},
      {"general_contact", general_contact},
      {"adaptive_run_finds_the_stop", adaptive_run_finds_the_stop},
      {"wrong_models_get_sentences", wrong_models_get_sentences},
  };
  return test_main(argc, argv, "rolling_motion", cases, (int)(sizeof cases / sizeof *cases));
}
