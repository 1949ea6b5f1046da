/* Friction of guides and joints, |P_F| <= mu |P| of their constraints, against closed forms, an ordinary differential
 * equation and a carriage with a thin clearance; guides that lock themselves; what is refused. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const schemes[] = {"moreau",          "moreau-explicit", "moreau-jean",      "moreau-projected",
                                      "moreau-combined", "half-explicit",   "half-explicit-rk", "rattle"};
/* moreau and moreau-explicit take forces that depend on velocities at the start of a step: order 1 */
static const double orders[] = {1, 1, 2, 2, 2, 2, 3, 2};
enum { SCHEMES = sizeof schemes / sizeof *schemes };
static const double pi = 3.14159265358979323846;

typedef struct outcome {
  double a, b; /* values of the observed a and b at the end */
  picus_summary summary;
} outcome;

static bool run(const char *text, const char *scheme, const char *solver, double dt, double t_end, outcome *out) {
  simulation s;
  picus_sim_options options;
  recorded_rows rows = {0};
  bool done = simulation_load_text(&s, text, &options);
  if (done) {
    options.scheme = scheme;
    if (solver) options.solver.solver = solver;
    options.dt = dt;
    options.t_end = t_end;
    done = simulation_start(&s, &options) && simulation_run(&s, &rows, &out->summary);
  }
  if (done) {
    out->a = recorded_value(&rows, rows.row_count - 1, "a");
    out->b = recorded_value(&rows, rows.row_count - 1, "b");
  }
  recorded_rows_free(&rows);
  simulation_close(&s);
  return done;
}

/* --- joints in space ---------------------------------------------------------------------------------------------- */

/* Tolerances: of schemes whose joints have the directions of the midpoint, and of those with the laws at the end. */
static void over_all_schemes(const char *text, double dt, double t_end, double a, double b, const double tolerance[2]) {
  for (int k = 0; k < SCHEMES; k++) {
    outcome o;
    if (!CHECK(run(text, schemes[k], NULL, dt, t_end, &o))) continue;
    if (!CHECK(fmax(fabs(o.a - a), fabs(o.b - b)) < tolerance[k >= 5]))
      printf("  %s: %.12g and %.12g, not %.12g and %.12g\n", schemes[k], o.a, o.b, a, b);
  }
}

/* A shaft that turns and slides at once: with J = m r^2 the direction of its slip does not change. */
static void shafts_slide_and_turn(void) {
  static const char text[] =
      "gravity {0, 0, -9.81}\nlocal d = spatial_body {'d', mass = 2, inertia = {0.0008, 0.0008, 0.0008}, velocity = "
      "{1, 0, 0}, omega = {30, 0, 0}}\n"
      "cylindrical {'c', ground, d, at = {0, 0, 0}, axis = {1, 0, 0}, mu = 0.2, radius = 0.02}\n"
      "local q, u = coordinates {}\nobserve {'a', u.vx_d}\nobserve {'b', u.wx_d / 30}\n";
  const double rest = 1 - 0.2 * 9.81 * 0.4 / sqrt(1 + 0.6 * 0.6);
  over_all_schemes(text, 1e-3, 0.4, rest, rest, (double[]){1e-10, 1e-10});
}

/* Both pins of a cross carry the weight of a sphere, whichever turns: its rates about the axes of a and b fall alike.
 */
static void crosses_have_two_pins(void) {
  static const char text[] =
      "gravity {0, 0, -9.81}\nlocal d = spatial_body {'d', mass = 2, inertia = {0.01, 0.01, 0.01}, omega = {7, 5, 0}}\n"
      "universal {'c', ground, d, points = {{0, 0, 0}, {0, 0, 0}}, axes = {{1, 0, 0}, {0, 1, 0}}, mu = 0.2, radius = "
      "0.02}\nlocal q, u = coordinates {}\nobserve {'a', sqrt(u.wx_d^2 + u.wz_d^2)}\nobserve {'b', u.wy_d}\n";
  const double lost = 0.2 * 0.02 * 2 * 9.81 / 0.01 * 0.4;
  over_all_schemes(text, 1e-4, 0.4, 7 - lost, 5 - lost, (double[]){2e-3, 1e-7});
}

/* Two pads of a guide in space: side forces outside of the pads and torques in any direction across the axis. */
static void guides_in_space(void) {
  static const struct {
    double y, z, c, ey, ez, load;
  } list[] = {{3, 4, 0.3, 0, 0, 7.5},
              {-3, 4, 0.3, 0, 0, 7.5},
              {3, 4, 0.1, 0, 0, 5},
              {0, 0, 0, 0.06, -0.08, 5},
              {4, 0, 0.2, 0, 0.1, 0}};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    char text[900];
    /* the last one: pads with N/2 + M/L and N/2 - M/L, N = (4, 0), M/L = (0.8, 1) / 0.4 from both forces */
    const double load = list[i].load > 0 ? list[i].load : hypot(2 + 2, 2.5) + hypot(2 - 2, 2.5);
    snprintf(text, sizeof text,
             "local d = spatial_body {'d', mass = 2, inertia = {0.01, 0.01, 0.01}}\n"
             "prismatic {'c', ground, d, at = {0, 0, 0}, axis = {1, 0, 0}, mu = 0.5, guide = 0.4}\n"
             "body_force {d, force = {10, 0, 0}}\nbody_force {d, force = {0, %g, %g}, point = {%g, 0, 0}}\n"
             "body_force {d, force = {10, 0, 0}, point = {0, %g, %g}}\nlocal q, u = coordinates {}\n"
             "observe {'a', u.vx_d}\nobserve {'b', q.y_d}\n",
             list[i].y, list[i].z, list[i].c, list[i].ey, list[i].ez);
    over_all_schemes(text, 1e-3, 1, (20 - 0.5 * load) / 2, 0, (double[]){1e-9, 1e-9});
  }
}

/* --- constant loads --------------------------------------------------------------------------------------------- */

static const char rotor[] = "gravity {0, -9.81}\n"
                            "local d = planar_body {'d', mass = 2, inertia = 0.01, omega = 20}\n"
                            "revolute {'bearing', ground, d, at = {0, 0}, mu = 0.2, radius = 0.02}\n"
                            "local q, u = coordinates {}\nobserve {'a', q.phi_d}\nobserve {'b', u.omega_d}\n";
static const char rail[] = "gravity {0, -9.81}\n"
                           "local d = planar_body {'d', mass = 2, inertia = 0.01}\n"
                           "prismatic {'rail', ground, d, at = {0, 0}, axis = {cos(pi / 6), -sin(pi / 6)}, mu = 0.2}\n"
                           "local q, u = coordinates {}\n"
                           "observe {'a', sqrt(q.x_d^2 + q.y_d^2)}\nobserve {'b', sqrt(u.vx_d^2 + u.vy_d^2)}\n";
static const char socket[] =
    "gravity {0, 0, -9.81}\n"
    "local d = spatial_body {'d', mass = 2, inertia = {0.01, 0.01, 0.01}, omega = {12, 0, 16}}\n"
    "spherical {'socket', ground, d, at = {0, 0, 0}, mu = 0.2, radius = 0.02}\n"
    "local q, u = coordinates {}\n"
    "observe {'a', u.wx_d}\nobserve {'b', u.wz_d}\n";
static const char spindle[] =
    "gravity {0, 0, -9.81}\n"
    "local d = spatial_body {'d', mass = 2, inertia = {0.01, 0.01, 0.01}, omega = {20, 0, 0}}\n"
    "revolute {'bearing', ground, d, at = {0, 0, 0}, axis = {1, 0, 0}, mu = 0.2, radius = "
    "0.02}\n"
    "local q, u = coordinates {}\nobserve {'a', u.wx_d}\nobserve {'b', u.wz_d}\n";

static void joints_slow_down_as_their_load_says(void) {
  const double slower = 0.2 * 0.02 * 2 * 9.81 / 0.01, g = 9.81 * (sin(pi / 6) - 0.2 * cos(pi / 6));
  for (int k = 0; k < SCHEMES; k++) {
    outcome o;
    REQUIRE(run(rotor, schemes[k], NULL, 1e-3, 1, &o));
    CHECK_NEAR(o.b, 20 - slower, 1e-10);
    REQUIRE(run(rail, schemes[k], NULL, 1e-3, 1, &o));
    CHECK_NEAR(o.b, g, 1e-10);
    CHECK_NEAR(o.a, g / 2, strcmp(schemes[k], "moreau-explicit") == 0 ? 2e-3 : 1e-10);
    REQUIRE(run(socket, schemes[k], NULL, 1e-3, 1, &o));
    CHECK_NEAR(o.a, 0.6 * (20 - slower), 1e-9);
    CHECK_NEAR(o.b, 0.8 * (20 - slower), 1e-9);
    REQUIRE(run(spindle, schemes[k], NULL, 1e-3, 1, &o));
    CHECK_NEAR(o.a, 20 - slower, 1e-9);
    CHECK(o.summary.locked.steps == 0);
  }
}

static void every_solver_serves(void) {
  static const char *const solvers[] = {"auto", "gs", "newton", "homotopy", "direct", "lemke", "psor", "pjor", "admm"};
  for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++) {
    outcome o;
    REQUIRE(run(rail, "moreau", solvers[k], 1e-3, 0.2, &o));
    CHECK_NEAR(o.b, 0.2 * 9.81 * (sin(pi / 6) - 0.2 * cos(pi / 6)), 1e-8);
    CHECK(fabs(o.summary.energy.end - o.summary.energy.start + o.summary.energy.dissipated) < 1e-8);
  }
}

/* A shaft at rest in its bearing does not turn until the torque exceeds mu r |F|. */
static void joints_stick(void) {
  const char *text = "gravity {0, -9.81}\n"
                     "local d = planar_body {'d', mass = 2, inertia = 0.01}\n"
                     "revolute {'bearing', ground, d, at = {0, 0}, mu = 0.2, radius = 0.02}\n"
                     "body_force {d, torque = 0.1 * t}\n"
                     "local q, u = coordinates {}\nobserve {'a', q.phi_d}\nobserve {'b', u.omega_d}\n";
  const double limit = 0.2 * 0.02 * 2 * 9.81, t0 = limit / 0.1, t = 1.5;
  const double omega = (0.05 * (t * t - t0 * t0) - limit * (t - t0)) / 0.01;
  for (int k = 0; k < SCHEMES; k++) {
    outcome o;
    REQUIRE(run(text, schemes[k], NULL, 1e-3, 0.78, &o));
    CHECK_NEAR(o.a, 0, 1e-12);
    REQUIRE(run(text, schemes[k], NULL, 1e-3, t, &o));
    CHECK_NEAR(o.b, omega, 2e-2);
  }
}

/* --- loads that change ------------------------------------------------------------------------------------------ */

/* A bead on a rod that rotates with omega: N = 2 m omega r', r'' = omega^2 r - 2 mu omega |r'|. The load is the torque
 * N r of the drive, so that the coefficient is mu / r. Outwards N is positive with omega > 0, negative with omega < 0.
 */
static void bead_on_a_rotating_rod(void) {
  const double mu = 0.3, r0 = 0.5, v0 = 0.2, t = 1;
  for (int sign = -1; sign <= 1; sign += 2) {
    const double w = 2, root = sqrt(mu * mu + 1), fast = w * (-mu + root), slow = w * (-mu - root);
    const double A = (v0 - slow * r0) / (fast - slow), B = r0 - A;
    const double r = A * exp(fast * t) + B * exp(slow * t), v = A * fast * exp(fast * t) + B * slow * exp(slow * t);
    char text[900];
    snprintf(text, sizeof text,
             "local q, u = coordinates { {'r', velocity = 'v', start = {%g, %g}}, {'phi', velocity = 'w', start = {0, "
             "%g}} }\n"
             "kinetic(1.5 * (u.v^2 + q.r^2 * u.w^2) / 2)\n"
             "constraint {'drive', velocity = u.w - %g}\n"
             "friction {'rod', slip = u.v, mu = %g / q.r, load = 'drive'}\n"
             "observe {'a', q.r}\nobserve {'b', u.v}\n",
             r0, v0, sign * w, sign * w, mu);
    for (int k = 0; k < SCHEMES; k++) {
      outcome coarse, fine;
      REQUIRE(run(text, schemes[k], NULL, 1e-2, t, &coarse));
      REQUIRE(run(text, schemes[k], NULL, 5e-3, t, &fine));
      const double before = hypot(coarse.a - r, coarse.b - v), after = hypot(fine.a - r, fine.b - v);
      printf("  omega %+g %-16s %.1e order %.2f\n", sign * w, schemes[k], after, log2(before / after));
      CHECK(log2(before / after) > orders[k] - 0.2);
    }
  }
}

/* phi'' of a pendulum whose bearing has the friction mu r |F|, with the F that phi'' leads to. */
static double pendulum_acceleration(double phi, double omega) {
  const double m = 2, l = 1, J = 0.1, mu = 0.3, r = 0.05, g = 9.81;
  double alpha = -m * g * l * sin(phi) / (J + m * l * l);
  for (int i = 0; i < 60; i++) {
    const double along = m * (l * omega * omega + g * cos(phi)), across = m * (l * alpha + g * sin(phi));
    const double torque = mu * r * hypot(along, across);
    alpha = (-m * g * l * sin(phi) - copysign(torque, omega)) / (J + m * l * l);
  }
  return alpha;
}

static void pendulum_with_bearing_friction(void) {
  const char *text = "gravity {0, -9.81}\n"
                     "local d = planar_body {'d', mass = 2, inertia = 0.1, position = {sin(2), -cos(2)}, angle = 2, "
                     "omega = -1, velocity = {-cos(2), -sin(2)}}\n"
                     "revolute {'pin', ground, d, at = {0, 0}, mu = 0.3, radius = 0.05}\n"
                     "local q, u = coordinates {}\nobserve {'a', q.phi_d}\nobserve {'b', u.omega_d}\n";
  double phi = 2, omega = -1; /* swings to the other side once, without stopping */
  const int n = 2000;
  const double t = 0.8, h = t / n;
  for (int i = 0; i < n; i++) {
    const double k1 = pendulum_acceleration(phi, omega),
                 k2 = pendulum_acceleration(phi + h / 2 * omega, omega + h / 2 * k1);
    const double k3 = pendulum_acceleration(phi + h / 2 * (omega + h / 2 * k1), omega + h / 2 * k2);
    const double k4 = pendulum_acceleration(phi + h * (omega + h / 2 * k2), omega + h * k3);
    phi += h * omega + h * h / 6 * (k1 + k2 + k3);
    omega += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  for (int k = 0; k < SCHEMES; k++) {
    outcome coarse, fine;
    REQUIRE(run(text, schemes[k], NULL, 4e-3, t, &coarse));
    REQUIRE(run(text, schemes[k], NULL, 1e-3, t, &fine));
    const double before = hypot(coarse.a - phi, coarse.b - omega), after = hypot(fine.a - phi, fine.b - omega);
    printf("  %-16s %.1e order %.2f\n", schemes[k], after, log2(before / after) / 2);
    /* schemes whose laws hold with the directions of the end of a step are of order 1 where these turn */
    const bool turns = strncmp(schemes[k], "moreau-", 7) == 0 || strcmp(schemes[k], "moreau") == 0;
    CHECK(log2(before / after) / 2 > (turns ? 0.8 : 1.8));
    CHECK(after < 3e-2);
  }
}

/* --- guides ----------------------------------------------------------------------------------------------------- */

static void drawer_text(char *text, size_t size, double mu, double e, bool clearance) {
  const char *guide = clearance
                          ? "local function pad(name, x, side)\n"
                            "  plane_contact {name, ground, d, origin = {0, -side * 1e-6}, normal = {0, side}, point "
                            "= {x, 0}, mu = mu}\nend\n"
                            "pad('p1', -0.2, 1) pad('p2', 0.2, 1) pad('p3', -0.2, -1) pad('p4', 0.2, -1)\n"
                          : "prismatic {'rails', ground, d, at = {0, 0}, axis = {1, 0}, mu = mu, guide = 0.4}\n";
  snprintf(text, size,
           "local mu = %.17g\n"
           "local d = planar_body {'d', mass = 4, inertia = 0.2, position = {0, 0}}\n%s"
           "body_force {d, point = {0, %.17g}, force = {20, 0}}\n"
           "local q, u = coordinates {}\nobserve {'a', q.x_d}\nobserve {'b', u.vx_d}\n",
           mu, guide, e);
}

/* The drawer moves with F (1 - 2 mu e / L) / m, or locks beyond e = L / (2 mu), however large F is. */
static void drawer_slides_or_locks(void) {
  for (int k = 0; k < SCHEMES; k++)
    for (int i = 0; i < 4; i++) {
      const double mu = 0.5, e = 0.2 + 0.1 * i + (i == 2 ? -0.001 : 0), moves = fmax(0, 5 * (1 - 2 * mu * e / 0.4));
      char text[1200];
      outcome o;
      drawer_text(text, sizeof text, mu, e, false);
      REQUIRE(run(text, schemes[k], NULL, 1e-3, 1, &o));
      CHECK_NEAR(o.b, moves, 1e-9);
    }
}

/* The same with four contacts and a clearance of 1e-6 m on both sides, in place of the joint. */
static void drawer_with_a_thin_clearance(void) {
  for (int i = 0; i < 3; i++) {
    const double mu = 0.5, e = 0.15 + 0.15 * i;
    char text[1200];
    outcome joint, contacts;
    drawer_text(text, sizeof text, mu, e, false);
    REQUIRE(run(text, "moreau", NULL, 1e-4, 0.5, &joint));
    drawer_text(text, sizeof text, mu, e, true);
    REQUIRE(run(text, "moreau", NULL, 1e-4, 0.5, &contacts));
    printf("  e = %.2f: joint %.6f m/s, clearance %.6f m/s\n", e, joint.b, contacts.b);
    CHECK_NEAR(contacts.b, joint.b, 5e-3);
  }
}

/* A drawer that moves, with its centre of mass beside the rails by d: braking turns it against them. 2 mu d > L: every
 * friction force causes a larger one, and it stops at once, by an impact without collision; the summary names it. */
static void moving_guides_lock(void) {
  const char *format = "gravity {0, -9.81}\n"
                       "local d = planar_body {'d', mass = 2, inertia = 0.01, position = {0, %g}, velocity = {1, 0}}\n"
                       "prismatic {'rail', ground, d, at = {0, 0}, axis = {1, 0}, mu = 0.4, guide = 0.1}\n"
                       "local q, u = coordinates {}\nobserve {'a', q.x_d}\nobserve {'b', u.vx_d}\n";
  for (int k = 0; k < SCHEMES; k++) {
    char text[900];
    outcome o;
    snprintf(text, sizeof text, format, 0.2);
    REQUIRE(run(text, schemes[k], NULL, 1e-3, 0.1, &o));
    CHECK_NEAR(o.b, 0, 1e-12);
    CHECK(o.summary.locked.steps == 1 && o.summary.locked.law == 2 && o.summary.locked.t < 2e-3);
    CHECK(fabs(o.summary.energy.end - o.summary.energy.start + o.summary.energy.dissipated) < 1e-3);
    snprintf(text, sizeof text, format, 0.02); /* load m g, or less by the torque */
    REQUIRE(run(text, schemes[k], NULL, 1e-3, 0.1, &o));
    CHECK_NEAR(o.b, 1 - 0.1 * 0.4 * 9.81, 1e-9);
    CHECK(o.summary.locked.steps == 0);
  }
}

/* --- adaptive runs ---------------------------------------------------------------------------------------------- */

static void adaptive_runs(void) {
  const char *text =
      "local q, u = coordinates { {'r', velocity = 'v', start = {0.5, 0.2}}, {'phi', velocity = 'w', start "
      "= {0, 2}} }\n"
      "kinetic(1.5 * (u.v^2 + q.r^2 * u.w^2) / 2)\n"
      "constraint {'drive', velocity = u.w - 2}\n"
      "friction {'rod', slip = u.v, mu = 0.3 / q.r, load = 'drive'}\n";
  const double w = 2, root = sqrt(0.09 + 1), fast = w * (-0.3 + root), slow = w * (-0.3 - root);
  const double A = (0.2 - slow * 0.5) / (fast - slow), r = A * exp(fast) + (0.5 - A) * exp(slow);
  static const char *const list[] = {"moreau", "moreau-jean", "half-explicit", "half-explicit-rk", "rattle"};
  for (int k = 0; k < 5; k++)
    for (double tolerance = 1e-6; tolerance > 5e-11; tolerance *= 1e-2) {
      simulation s;
      recorded_rows rows = {0};
      picus_summary summary;
      adaptive_run run_ = {
          .scheme = list[k], .dt_min = 1e-7, .dt_max = 0.05, .tolerance = tolerance, .order_max = 8, .t_end = 1};
      REQUIRE(simulation_open_adaptive_text(&s, text, run_) && simulation_run(&s, &rows, &summary));
      CHECK_NEAR(recorded_value(&rows, rows.row_count - 1, "r"), r, 20 * tolerance);
      recorded_rows_free(&rows);
      simulation_close(&s);
    }
}

/* The force of a guide, a carriage and a pin grows until it slips: at a known time, although the step that sees it ends
 * later. */
static void onsets_are_located(void) {
  static const char *const list[] = {"moreau", "moreau-jean", "half-explicit", "half-explicit-rk", "rattle"};
  static const struct {
    const char *text;
    double t;
  } models[] = {{"local q,u = coordinates {{'x',velocity='v'},{'y',velocity='w'}}\nkinetic(u.v^2/2+u.w^2/2)\n"
                 "constraint {'rail',velocity=u.w}\nforce {y=-10,x=t}\nfriction {'f',slip=u.v,mu=0.2,load='rail'}\n",
                 2},
                /* load |N/2 + M/L| + |N/2 - M/L| = 12 + 1.2 t with N = 10, M = 3 + 0.3 t, L = 0.5 */
                {"local q,u = coordinates {{'x',velocity='v'},{'y',velocity='w'},{'a',velocity='s'}}\n"
                 "kinetic(u.v^2/2+u.w^2/2+u.s^2/2)\nconstraint {'N',velocity=u.w}\nconstraint {'M',velocity=u.s}\n"
                 "force {y=-10,x=1+t,a=-3-0.3*t}\nfriction {'f',slip=u.v,mu=0.2,load={'N','M'},length=0.5}\n",
                 1.4 / 0.76},
                {"gravity {0,-10}\nlocal b = planar_body {'b',mass=1,inertia=0.1}\n"
                 "revolute {'f',ground,b,at={0,0},mu=0.3,radius=0.1}\nbody_force {b,torque=0.1*t^2}\n",
                 1.7320508075688772 /* sqrt(3) */}};
  for (size_t k = 0; k < sizeof models / sizeof models[0]; k++)
    for (int j = 0; j < 5; j++) {
      simulation s;
      recorded_switchings found = {0};
      picus_summary summary;
      const adaptive_run options = {
          .scheme = list[j], .dt_min = 1e-6, .dt_max = 0.1, .tolerance = 1e-9, .order_max = 8, .t_end = 4};
      REQUIRE(simulation_open_adaptive_text(&s, models[k].text, options));
      REQUIRE(simulation_run_event_log(&s, NULL, &found, &summary));
      double onset = NAN;
      for (long i = 0; i < found.count && isnan(onset); i++)
        if (found.list[i].from == PICUS_STICK && found.list[i].to == PICUS_SLIP) onset = found.list[i].t;
      CHECK_NEAR(onset, models[k].t, 1e-9);
      recorded_switchings_free(&found);
      simulation_close(&s);
    }
}

/* --- refusals --------------------------------------------------------------------------------------------------- */

/* A drawer that locked moves on when it is pulled, though a guide that slips this way could lock again in every step:
 * the motion continues, in all schemes alike. */
static void guides_that_may_lock_slide(void) {
  for (int k = 0; k < SCHEMES; k++) {
    simulation s;
    picus_sim_options options;
    picus_summary summary;
    recorded_rows rows = {0};
    REQUIRE(simulation_load(&s, "drawer", "d=0.5,v0=1", &options));
    options.scheme = schemes[k];
    REQUIRE(simulation_start(&s, &options) && simulation_run(&s, &rows, &summary));
    CHECK_NEAR(recorded_value(&rows, rows.row_count - 1, "vx"), 5.831966, 3e-3); /* it may move a step later */
    CHECK(summary.locked.steps > 0);
    recorded_rows_free(&rows);
    simulation_close(&s);
  }
}

/* Two guides with the same load, and with more friction than their load can have without them: whatever they do, their
 * percussions belong together. */
static void guides_load_each_other(void) {
  test_random random = {20261119};
  const long runs = test_study(20, 100, 1000);
  for (long n = 0; n < runs; n++) {
    char text[1200];
    const double mu[2] = {test_uniform(&random, 0, 3), test_uniform(&random, 0, 3)};
    snprintf(
        text, sizeof text,
        "local q, u = coordinates {{'x', velocity = 'v', start = {0, 1}}, {'y', velocity = 'w'}, {'z', velocity = "
        "'s', start = {0, %.17g}}}\nkinetic((u.v^2 + u.w^2 + u.s^2) / 2 + %.17g * u.v * u.s)\n"
        "constraint {'a', velocity = u.w + %.17g * u.v + %.17g * u.s}\nfriction {'f', slip = u.v, mu = %.17g, load "
        "= 'a'}\nfriction {'g', slip = u.s, mu = %.17g, load = 'a'}\nforce {x = %.17g, y = %.17g}\n",
        test_uniform(&random, -1, 1), test_uniform(&random, -0.9, 0.9), test_uniform(&random, -1, 1),
        test_uniform(&random, -1, 1), mu[0], mu[1], test_uniform(&random, -9, 9), test_uniform(&random, -30, 30));
    simulation s;
    picus_sim_options options;
    recorded_rows rows = {0};
    picus_summary summary;
    REQUIRE(simulation_load_text(&s, text, &options));
    options.scheme = schemes[n % SCHEMES];
    options.dt = 1e-2;
    options.t_end = 0.3;
    if (!CHECK(simulation_start(&s, &options) && simulation_run(&s, &rows, &summary))) printf("%s", text);
    const bool forces = strncmp(options.scheme, "half-explicit", 13) == 0; /* whose percussions are sums over stages */
    for (int row = 1; row < rows.row_count && !forces; row++) {
      const double load = fabs(recorded_value(&rows, row, "a.P"));
      const char *const names[] = {"f.PF", "g.PF"};
      for (int k = 0; k < 2; k++)
        CHECK(fabs(recorded_value(&rows, row, names[k])) <= mu[k] * load * (1 + 1e-9) + 1e-12);
    }
    recorded_rows_free(&rows);
    simulation_close(&s);
  }
}

/* A chain of thirty links that falls: what one joint does reaches the loads of all others. */
static void chains_of_joints_settle(void) {
  static const char text[] =
      "gravity {0, -9.81}\nlocal last = ground\nfor i = 1, 30 do\n"
      "local b = planar_body {'b' .. i, mass = 0.1, inertia = 1e-4, position = {0.1 * i - 0.05, 0}}\n"
      "revolute {'j' .. i, last, b, at = {0.1 * (i - 1), 0}, mu = 0.3, radius = 0.01}\nlast = b\nend\n";
  double end[2][2];
  for (int k = 0; k < 2; k++) {
    simulation s;
    picus_sim_options options;
    picus_summary summary;
    REQUIRE(simulation_load_text(&s, text, &options));
    options.scheme = k ? "rattle" : "moreau";
    options.dt = k ? 1e-3 : 2.5e-4;
    options.t_end = 0.1;
    REQUIRE(simulation_start(&s, &options));
    REQUIRE(picus_sim_run(s.sim, NULL, NULL, &summary) == PICUS_OK);
    for (int i = 0; i < 2; i++) end[k][i] = picus_sim_state(s.sim).q[3 * 29 + i];
    CHECK_NEAR(summary.energy.end - summary.energy.start + summary.energy.dissipated, 0, k ? 1e-5 : 1e-3);
    simulation_close(&s);
  }
  CHECK_NEAR(end[0][0], end[1][0], 1e-4);
  CHECK_NEAR(end[0][1], end[1][1], 1e-4);
}

static void refused_models(void) {
  static const char *const list[][2] = {
      {"friction {'f', slip = u.v, mu = 0.3}", "has mu but no load"},
      {"friction {'f', slip = u.v, mu = 0.3, load = 'none'}", "is not a constraint"},
      {"friction {'f', slip = u.v, mu = 0.3, load = 'floor'}", "is not a constraint"},
      {"friction {'f', slip = u.v, reservoir = 3, load = 'c'}", "a load and a reservoir"},
      {"friction {'f', slip = u.v, mu = 0.3, load = 'c', length = 1}", "needs two loads"},
      {"friction {'f', slip = u.v, mu = -1, load = 'c'}", "must not be negative"},
      {"friction {'f', slip = u.v, mu = 0.3, load = {'c', 'c', 'c', 'c', 'c', 'c', 'c'}}", "it must have 1 to 6"},
      {"local b = planar_body {'b', mass = 1, inertia = 1} revolute {'j', ground, b, at = {0, 0}, mu = 0.3}",
       "give the radius of its pin"},
      {"local b = particle {'b', mass = 1, position = {0, 0}} revolute {'j', ground, b, at = {0, 0}, mu = 0.3, radius "
       "= "
       "0.1}",
       "a particle does not turn"},
      {"local b = spatial_body {'b', mass = 1, inertia = {1, 1, 1}} prismatic {'j', ground, b, at = {0, 0, 0}, axis = "
       "{1, 0, 0}, mu = 0.3, guide = -0.1}",
       "at a positive distance"},
      {"local b = spatial_body {'b', mass = 1, inertia = {1, 1, 1}} universal {'j', ground, b, points = {{0, 0, 0}, "
       "{0, 0, 0}}, axes = {{1, 0, 0}, {0, 1, 0}}, mu = 0.3}",
       "give the radius of its pin"},
      {"friction {'f', slip = u.v, mu = 0.3, load = '-', length = 1}", "is not a constraint"},
      {"friction {'f', slip = u.v, mu = 0.3, load = {'c', '-c', 'c'}, length = 1}", "or four, two forces"},
      {"local b = planar_body {'b', mass = 1, inertia = 1} weld {'j', ground, b, at = {0, 0}, mu = 0.3}", "'mu'"},
  };
  for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
    char text[1200];
    picus_context *context;
    picus_model *model = NULL;
    snprintf(text, sizeof text,
             "local q, u = coordinates { {'x', velocity = 'v'}, {'y', velocity = 'vy', start = 1} }\n"
             "kinetic(u.v^2 + u.vy^2)\ncontact {'floor', gap = q.y}\nconstraint {'c', velocity = u.vy - u.v}\n%s\n",
             list[k][0]);
    REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
    CHECK(picus_model_load_text(context, "m.lua", text, strlen(text), NULL, &model) != PICUS_OK);
    if (!CHECK(strstr(picus_last_error(context)->message, list[k][1])))
      printf("  %s\n", picus_last_error(context)->message);
    picus_model_destroy(model);
    picus_context_destroy(context);
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"joints_slow_down_as_their_load_says", joints_slow_down_as_their_load_says},
                                    {"every_solver_serves", every_solver_serves},
                                    {"joints_stick", joints_stick},
                                    {"bead_on_a_rotating_rod", bead_on_a_rotating_rod},
                                    {"pendulum_with_bearing_friction", pendulum_with_bearing_friction},
                                    {"shafts_slide_and_turn", shafts_slide_and_turn},
                                    {"crosses_have_two_pins", crosses_have_two_pins},
                                    {"guides_in_space", guides_in_space},
                                    {"drawer_slides_or_locks", drawer_slides_or_locks},
                                    {"drawer_with_a_thin_clearance", drawer_with_a_thin_clearance},
                                    {"moving_guides_lock", moving_guides_lock},
                                    {"adaptive_runs", adaptive_runs},
                                    {"onsets_are_located", onsets_are_located},
                                    {"guides_that_may_lock_slide", guides_that_may_lock_slide},
                                    {"guides_load_each_other", guides_load_each_other},
                                    {"chains_of_joints_settle", chains_of_joints_settle},
                                    {"refused_models", refused_models}};
  return test_main(argc, argv, "joint_friction", cases, (int)(sizeof cases / sizeof *cases));
}
