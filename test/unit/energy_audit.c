/* The energy audit: the change of kinetic + potential energy equals the work of everything that is booked by name, less
 * what laws dissipate, up to the error of the scheme; and percussions add up whatever rows are recorded. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each has forces of other kinds. */
static const char *const models[] = {
    /* 0: a support that moves (T and V depend on time), damping, a force, a belt with friction */
    "local q, u = coordinates {{'x', velocity = 'v', start = 0.1}}\n"
    "kinetic(0.5 * 2 * (u.v + 0.3 * cos(3 * t))^2)\n"
    "potential(0.5 * (40 + 10 * sin(2 * t)) * (q.x + 0.1 * sin(3 * t))^2)\n"
    "dissipation(0.5 * 1.5 * u.v^2)\n"
    "force {x = 2 * sin(5 * t) - 0.3 * u.v * q.x}\n"
    "friction {'belt', slip = u.v - 1.5 - 0.2 * sin(t), reservoir = 0.8}\n",
    /* 1: a mass matrix and a force vector, general rates */
    "local q, u = coordinates {{'a', start = 0.2}, {'b', velocity = 'w', start = 0.1}}\n"
    "velocities {{'s', start = 0.4}}\n"
    "rates {a = u.s * (1 + 0.1 * sin(q.b)) + 0.05 * cos(t)}\n"
    "mass {{1 + 0.2 * q.a^2, 0.1}, {0.1, 2 + cos(q.b)}}\n"
    "force_vector {-5 * q.b + u.s * u.w, -3 * q.b - 0.2 * u.s}\n"
    "potential(2 * q.a^2)\n",
    /* 2: bodies with a motor, an actuator, a damper on a frame that moves, a force and a torque */
    "gravity {0, -9.81}\n"
    "local shaker = frame {'shaker', position = {0.05 * sin(4 * t), 0.02 * cos(3 * t)}}\n"
    "local arm = planar_body {'arm', mass = 1, inertia = 0.05, position = {0.3, 0}, velocity = {0, 0.6}, omega = 2}\n"
    "local bob = planar_body {'bob', mass = 0.4, inertia = 0.01, position = {0.8, 0.1}}\n"
    "revolute {'pivot', ground, arm, at = {0, 0}}\n"
    "motor {'drive', ground, arm, speed = 2 + 0.5 * sin(3 * t)}\n"
    "spring {shaker, bob, point_a = {0.8, -0.5}, stiffness = 30, damping = 0.7, length = 0.3}\n"
    "spring {arm, bob, point_a = {0.3, 0}, stiffness = 50, damping = 0.2}\n"
    "actuator {arm, bob, force = 0.4 * sin(2 * t)}\n"
    "torsion_spring {ground, bob, stiffness = 0.2, damping = 0.05}\n"
    "body_force {bob, point = {0.1, 0}, force = {0.3, 0.2 * cos(t)}, torque = 0.02}\n",
    /* 3: a flexible bar with damping and a force at its end */
    "local rod = bar {'rod', elements = 6, length = 1, area = 1e-2, density = 200, young = 1e4, damping = 1e-3}\n"
    "constraint {'held', position = rod.x[0]}\n"
    "force {['rod.x6'] = 3 * sin(20 * t)}\n"};
enum { MODELS = sizeof models / sizeof *models };

/* Whether a model is smooth and a scheme accepts it. */
static const struct {
  const char *name;
  int order; /* of the balance in smooth motion */
} schemes[] = {{"moreau", 1},          {"moreau-jean", 1},   {"moreau-projected", 1}, {"moreau-combined", 1},
               {"moreau-explicit", 1}, {"half-explicit", 2}, {"rattle", 2},           {"half-explicit-rk", 3}};
enum { SCHEMES = sizeof schemes / sizeof *schemes };

static double balance(const picus_summary *s) {
  return s->energy.end - s->energy.start + s->energy.dissipated - s->energy.driven - s->energy.work;
}

/* The largest of the terms of the balance. */
static double scale(const picus_summary *s) {
  return fmax(fmax(fabs(s->energy.start), fabs(s->energy.end)), fmax(fabs(s->energy.work), fabs(s->energy.driven)));
}

static bool run_text(const char *text, const char *scheme, double dt, double t_end, picus_summary *summary) {
  char all[4096];
  simulation s;
  snprintf(all, sizeof all, "%ssimulate {scheme = '%s', dt = %.17g, t_end = %.17g}\n", text, scheme, dt, t_end);
  bool fine = simulation_open_text(&s, all) && CHECK(picus_sim_run(s.sim, NULL, NULL, summary) == PICUS_OK);
  simulation_close(&s);
  return fine;
}

static void balance_has_the_order_of_the_scheme(void) {
  for (int m = 0; m < MODELS; m++)
    for (int k = 0; k < SCHEMES; k++) {
      enum { SIZES = 3 };
      double dt[SIZES], error[SIZES];
      bool fine = true, exact = true;
      for (int i = 0; fine && i < SIZES; i++) {
        picus_summary summary;
        dt[i] = 2e-3 / (1 << i);
        fine = run_text(models[m], schemes[k].name, dt[i], 0.6, &summary);
        error[i] = fine ? fabs(balance(&summary)) / scale(&summary) : NAN;
        exact = exact && error[i] < 1e-11;
      }
      const double order = fine && !exact ? observed_order(SIZES, dt, error) : NAN;
      if (fine && !CHECK(exact || order > schemes[k].order - 0.2))
        printf("  model %d, %s: order %.2f, errors %.2e %.2e %.2e\n", m, schemes[k].name, order, error[0], error[1],
               error[2]);
      /* explicit Euler pumps energy into the modes of the bar: that is its error */
      const bool pumps = strcmp(schemes[k].name, "moreau-explicit") == 0;
      if (!CHECK(error[SIZES - 1] < (pumps ? 0.3 : 1e-2)))
        printf("  model %d, %s: %.2e\n", m, schemes[k].name, error[SIZES - 1]);
    }
}

/* Sum of all booked work against the change of the energy. */
static void adaptive_runs_balance_to_1e_9(void) {
  static const char *const bases[] = {"moreau", "rattle"};
  for (int m = 0; m < MODELS; m++)
    for (int k = 0; k < 2; k++) {
      simulation s;
      picus_summary summary;
      const adaptive_run run = {.dt_min = 1e-10, .dt_max = 2e-2, .tolerance = 1e-10, .t_end = 0.5, .scheme = bases[k]};
      if (simulation_open_adaptive_text(&s, models[m], run) &&
          CHECK(picus_sim_run(s.sim, NULL, NULL, &summary) == PICUS_OK)) {
        if (!CHECK(fabs(balance(&summary)) <= 1e-9 * scale(&summary)))
          printf("  model %d, %s: %.3e of %.3e\n", m, bases[k], balance(&summary), scale(&summary));
      }
      simulation_close(&s);
    }
}

/* The same for laws that switch, for surfaces that prescribe the motion, so that the state alone tells nothing of the
 * forces, and for contacts of shapes. */
static void other_laws_balance_to_1e_9(void) {
  static const char *const more[] = {
      /* 0: a one-way clutch */
      "local q, u = coordinates { {'a', velocity = 'wa', start = {0, 2}}, {'b', velocity = 'wb', start = {0, 1}} }\n"
      "kinetic(0.5 * 0.4 * u.wa^2 + 0.5 * 1.1 * u.wb^2)\nforce {a = 1.5 * sin(7 * t), b = -0.4 * u.wb}\n"
      "clutch {'c', velocity = u.wb - u.wa}\n",
      /* 1: a preload with damping and a force */
      "local q, u = coordinates { {'x', velocity = 'v', start = {0.1, 0.5}} }\nkinetic(u.v^2)\n"
      "preload {'p', displacement = q.x, limits = {-1, 2}}\nforce {x = 0.3 * cos(5 * t)}\n"
      "dissipation(0.05 * u.v^2)\n",
      /* 2: a table that moves up and down carries a mass */
      "local q, u = coordinates { {'y', velocity = 'v'} }\nkinetic(u.v^2 / 2)\npotential(9.81 * q.y)\n"
      "contact {'table', gap = q.y - 0.01 * sin(10 * t)}\n",
      /* 3: a motor against a spring: nothing is free */
      "local q, u = coordinates { {'x', velocity = 'v'} }\nkinetic(u.v^2 / 2)\npotential(20 * q.x^2)\n"
      "constraint {'m', velocity = u.v - sin(3 * t)}\n",
      /* 4: shapes on a belt that moves and shakes */
      "gravity {0, -9.81}\nmaterial {'default', mu = 0.4, eN = 0.3}\n"
      "frame {'belt', position = {0.4 * t, 0.01 * sin(10 * t)}, shape = {'rectangle', size = {6, 0.2}}}\n"
      "disk {'d', radius = 0.1, mass = 1.3, position = {0, 0.35}, velocity = {-0.3, 0}, omega = 4}\n",
      /* 5: a box on a belt */
      "gravity {0, -9.81}\nmaterial {'default', mu = 0.4, eN = 0.3}\n"
      "frame {'belt', position = {0.4 * t, 0}, shape = {'rectangle', size = {6, 0.2}}}\n"
      "rectangle {'box', size = {0.3, 0.2}, mass = 1.3, position = {0, 0.2}, velocity = {-0.3, 0}}\n",
      /* 6: rolling and spinning friction */
      "gravity {0, 0, -9.81}\nmaterial {'default', mu = 0.3, eN = 0.4, rolling = 2e-3, spin_radius = 1e-3}\n"
      "floor {'floor'}\nsphere {'s', radius = 0.1, mass = 1.3, position = {0, 0, 0.2}, velocity = {1, 0, 0}, "
      "omega = {3, 0, 5}}\n"};
  static const char *const bases[] = {"moreau", "rattle", "moreau-jean"};
  for (size_t m = 0; m < sizeof more / sizeof *more; m++)
    for (int k = 0; k < 3; k++) {
      simulation s;
      picus_summary summary;
      const adaptive_run run = {.dt_min = 1e-10, .dt_max = 2e-2, .tolerance = 1e-10, .t_end = 0.5, .scheme = bases[k]};
      if (simulation_open_adaptive_text(&s, more[m], run) &&
          CHECK(picus_sim_run(s.sim, NULL, NULL, &summary) == PICUS_OK)) {
        printf("  model %zu, %-11s: balance %.1e of %.1e J\n", m, bases[k], balance(&summary), scale(&summary));
        CHECK(scale(&summary) > 0.04 && fabs(balance(&summary)) <= 1e-9 * scale(&summary));
      }
      simulation_close(&s);
    }
}

/* With impacts and friction that switches. Schemes at position level move the woodpecker's start, whose gap is
 * negative. */
static void shipped_models_balance_to_1e_9(void) {
  static const struct {
    const char *model, *scheme;
    double t_end;
  } runs[] = {{"woodpecker", "moreau", 0.1},    {"impact-oscillator", "rattle", 0.3}, {"slider-crank", "rattle", 0.01},
              {"slider-roller", "rattle", 0.3}, {"rocking-block", "rattle", 0.3},     {"sliding-mass", "moreau", 0.3}};
  for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
    simulation s;
    picus_summary summary;
    const adaptive_run run = {
        .dt_min = 1e-10, .tolerance = 1e-10, .t_end = runs[k].t_end, .order_max = 8, .scheme = runs[k].scheme};
    if (simulation_open_adaptive(&s, runs[k].model, "", run) &&
        CHECK(picus_sim_run(s.sim, NULL, NULL, &summary) == PICUS_OK)) {
      if (!CHECK(fabs(balance(&summary)) <= 1e-9 * scale(&summary)))
        printf("  %s: %.3e of %.3e\n", runs[k].model, balance(&summary), scale(&summary));
    }
    simulation_close(&s);
  }
}

/* A block on a belt: friction accelerates it with mu g until it moves with the belt. The drive does twice the work that
 * the block gets. */
static void belt_does_its_work(void) {
  const double mu = 0.25, g = 9.81, v = 0.6, m = 3;
  picus_summary summary;
  char text[512];
  snprintf(text, sizeof text,
           "local q, u = coordinates {{'x', velocity = 'v'}}\nkinetic(1.5 * u.v^2)\n"
           "friction {'belt', slip = u.v - %.17g, reservoir = %.17g}\n",
           v, mu * m * g);
  for (int k = 0; k < SCHEMES; k++) {
    if (!run_text(text, schemes[k].name, 1e-3, 0.5, &summary)) continue;
    CHECK_NEAR(summary.energy.driven, m * v * v, 1e-3 * m * v * v);
    CHECK_NEAR(summary.energy.dissipated, 0.5 * m * v * v, 1e-3 * m * v * v);
    CHECK(summary.energy.work == 0);
    /* half-explicit-rk knows the energy of the step in which friction ends to O(dt) of that step only */
    CHECK_NEAR(balance(&summary), 0, strcmp(schemes[k].name, "half-explicit-rk") ? 1e-12 : 1e-6);
  }
}

/* Names, and their works in closed form: a constant force on a mass, a damper that takes all of it. */
static void works_have_names(void) {
  simulation s;
  picus_summary summary;
  REQUIRE(simulation_open_text(&s, "local a = planar_body {'a', mass = 2, inertia = 1, velocity = {1, 0}}\n"
                                   "body_force {a, force = {3, 0}, torque = 0.5}\n"
                                   "local q, u = coordinates {{'z', velocity = 'w', start = 1}}\n"
                                   "kinetic(0.5 * u.w^2)\n"
                                   "force {z = 4}\n"
                                   "simulate {dt = 1e-3, t_end = 1}\n"));
  CHECK(picus_sim_run(s.sim, NULL, NULL, &summary) == PICUS_OK);
  CHECK(picus_system_work_count(s.system) == 2);
  CHECK_TEXT(picus_system_work_name(s.system, 0), "force.a");
  CHECK_TEXT(picus_system_work_name(s.system, 1), "force.z");
  /* v0 t + F t^2 / (2 m) times F, and M^2 t^2 / (2 J); F^2 t^2 / (2 m) */
  CHECK_NEAR(picus_sim_work(s.sim, 0), 3 * (1 + 0.75) + 0.125, 1e-12);
  CHECK_NEAR(picus_sim_work(s.sim, 1), 8, 1e-12);
  CHECK_NEAR(balance(&summary), 0, 1e-12);
  simulation_close(&s);
}

/* Many forces share the last account, and nothing is lost. */
static void many_forces_share_an_account(void) {
  picus_summary summary;
  char *text = calloc(1, 1 << 16);
  REQUIRE(text != NULL);
  strcat(text, "local _, u\n");
  for (int i = 0; i < 100; i++)
    sprintf(text + strlen(text),
            "_, u = coordinates {{'x%d', velocity = 'v%d'}}\nkinetic(0.5 * u.v%d^2)\nforce {x%d = 1 + %d}\n", i, i, i,
            i, i);
  strcat(text, "simulate {dt = 1e-2, t_end = 0.1}\n");
  simulation s;
  if (simulation_open_text(&s, text)) {
    CHECK(picus_sim_run(s.sim, NULL, NULL, &summary) == PICUS_OK);
    CHECK(picus_system_work_count(s.system) == 32);
    CHECK_TEXT(picus_system_work_name(s.system, 31), "other");
    CHECK_NEAR(balance(&summary), 0, 1e-9);
    simulation_close(&s);
  }
  free(text);
}

/* A spring whose stiffness is an input: setting it does work. */
static void inputs_that_are_set_do_work(void) {
  simulation s;
  picus_step_info info;
  REQUIRE(simulation_open_text(&s, "local i = inputs {{'k', start = 10}}\n"
                                   "local q, u = coordinates {{'x', velocity = 'v', start = 0.3}}\n"
                                   "kinetic(0.5 * u.v^2)\npotential(0.5 * i.k * q.x^2)\n"
                                   "simulate {scheme = 'moreau-jean', dt = 1e-3, t_end = 1}\n"));
  double kinetic, potential, before, after;
  CHECK(picus_sim_energy(s.sim, &kinetic, &potential) == PICUS_OK);
  before = kinetic + potential;
  for (int i = 0; i < 400; i++) {
    if (i == 150) CHECK(picus_sim_set_input(s.sim, "k", 25, 0) == PICUS_OK);
    CHECK(picus_sim_step(s.sim, 0, &info) == PICUS_OK);
  }
  CHECK(picus_sim_energy(s.sim, &kinetic, &potential) == PICUS_OK);
  after = kinetic + potential;
  REQUIRE(picus_system_work_count(s.system) == 1);
  CHECK_TEXT(picus_system_work_name(s.system, 0), "inputs");
  CHECK(fabs(after - before) > 0.01);
  CHECK_NEAR(picus_sim_work(s.sim, 0), after - before, 1e-12);
  simulation_close(&s);
}

static double sum_of(const recorded_rows *rows, const char *name) {
  double sum = 0;
  for (long i = 0; i < rows->row_count; i++) sum += recorded_value(rows, i, name);
  return sum;
}

/* The same impulse in all rows together, with every step, with every tenth and with samples; also inside of adaptive
 * steps. With a row for each step the bits are those of the step. */
static void samples_lose_no_impulse(void) {
  static const char model[] = "local q, u = coordinates {{'x', velocity = 'v', start = 0.02}}\nkinetic(0.5 * u.v^2)\n"
                              "potential(9.81 * q.x)\ncontact {'floor', gap = q.x, eN = 0.6}\n";
  static const char *const runs[] = {"simulate {dt = 1e-3, t_end = 0.4, every = 1}\n",
                                     "simulate {dt = 1e-3, t_end = 0.4, every = 10}\n",
                                     "simulate {dt = 1e-3, t_end = 0.4, sample = 0.04}\n",
                                     "simulate {adaptive = true, dt_min = 1e-8, t_end = 0.4, sample = 0.003}\n"};
  double sums[4] = {0};
  for (int k = 0; k < 4; k++) {
    char text[512];
    simulation s;
    recorded_rows rows = {0};
    picus_summary summary;
    snprintf(text, sizeof text, "%s%s", model, runs[k]);
    if (!simulation_open_text(&s, text)) continue;
    if (simulation_run(&s, &rows, &summary)) sums[k] = sum_of(&rows, "floor.PN");
    const picus_state end = picus_sim_state(s.sim);
    /* momentum: the weight's impulse and that of the floor */
    const double last = recorded_value(&rows, rows.row_count - 1, "t");
    if (k < 3) CHECK_NEAR(sums[k], end.u[0] + 9.81 * 0.4, 1e-12);
    if (k == 3) CHECK_NEAR(sums[k], recorded_value(&rows, rows.row_count - 1, "v") + 9.81 * last, 1e-6);
    recorded_rows_free(&rows);
    simulation_close(&s);
  }
  CHECK_NEAR(sums[1], sums[0], 1e-12);
  CHECK_NEAR(sums[2], sums[0], 1e-12);
}

/* Columns of works follow the balance from row to row. */
static void rows_have_the_works(void) {
  simulation s;
  recorded_rows rows = {0};
  picus_summary summary;
  char text[4096];
  snprintf(text, sizeof text, "%ssimulate {scheme = 'rattle', dt = 1e-3, t_end = 0.5}\n", models[0]);
  REQUIRE(simulation_open_text(&s, text));
  if (simulation_run(&s, &rows, &summary)) {
    static const char *const works[] = {"E.work.force.x", "E.work.damping", "E.work.time", "belt.work"};
    const long last = rows.row_count - 1;
    double sum = 0;
    for (int k = 0; k < 4; k++) {
      CHECK(recorded_column(&rows, works[k]) >= 0);
      CHECK(recorded_value(&rows, 0, works[k]) == 0);
      sum += recorded_value(&rows, last, works[k]);
    }
    CHECK_NEAR(sum, summary.energy.work + summary.energy.driven, 1e-12);
    CHECK(recorded_value(&rows, last, "E.work.damping") < 0);
  }
  recorded_rows_free(&rows);
  simulation_close(&s);
}

/* A pendulum on a joint conserves its energy. What the joint takes is the error of the scheme, which the balance shows:
 * it has the order of the scheme, and is not booked as dissipated. */
static void joints_dissipate_nothing(void) {
  static const char pendulum[] =
      "gravity {0, -9.81}\n"
      "local b = planar_body {'b', mass = 1, inertia = 0.02, position = {0.5, 0}, velocity = {0, 1}, omega = 2}\n"
      "revolute {'pivot', ground, b, at = {0, 0}}\n";
  for (int k = 0; k < SCHEMES; k++) {
    enum { SIZES = 3 };
    double dt[SIZES], error[SIZES];
    for (int i = 0; i < SIZES; i++) {
      picus_summary summary = {0};
      dt[i] = 4e-3 / (1 << i);
      REQUIRE(run_text(pendulum, schemes[k].name, dt[i], 1, &summary));
      error[i] = fabs(balance(&summary));
      const double first_step = 20 * dt[i] * dt[i]; /* is not told from an initial velocity that violates the joint */
      if (!CHECK(fabs(summary.energy.dissipated) <= first_step))
        printf("  %s, dt = %g: dissipated %.2e J\n", schemes[k].name, dt[i], summary.energy.dissipated);
      if (k < 2) /* moreau and moreau-jean have no other error of energy here */
        CHECK_NEAR(balance(&summary), -summary.energy.spurious, 0.02 * summary.energy.spurious);
    }
    const double order = observed_order(SIZES, dt, error);
    if (!CHECK(order > schemes[k].order - 0.2))
      printf("  %s: order %.2f, errors %.2e %.2e %.2e\n", schemes[k].name, order, error[0], error[1], error[2]);
  }
}

/* Initial velocities that violate a joint have an inelastic impact at the start: this energy is lost, not an error. */
static void violated_joints_dissipate(void) {
  static const char rod[] = "local q, u = coordinates {{'x', velocity = 'v', start = {0, 1}}, {'y', velocity = 'w'}}\n"
                            "kinetic(u.v^2 / 2 + 3 * u.w^2 / 2)\nconstraint {'rod', position = q.x - q.y}\n";
  for (int k = 0; k < 5; k++) {
    picus_summary summary = {0};
    REQUIRE(run_text(rod, schemes[k].name, 1e-3, 0.1, &summary));
    if (!CHECK(fabs(summary.energy.dissipated - 0.375) < 1e-12 && fabs(balance(&summary)) < 1e-12))
      printf("  %s: dissipated %.9g J, balance %.2e J\n", schemes[k].name, summary.energy.dissipated,
             balance(&summary));
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"balance_has_the_order_of_the_scheme", balance_has_the_order_of_the_scheme},
                                    {"adaptive_runs_balance_to_1e_9", adaptive_runs_balance_to_1e_9},
                                    {"other_laws_balance_to_1e_9", other_laws_balance_to_1e_9},
                                    {"shipped_models_balance_to_1e_9", shipped_models_balance_to_1e_9},
                                    {"belt_does_its_work", belt_does_its_work},
                                    {"works_have_names", works_have_names},
                                    {"many_forces_share_an_account", many_forces_share_an_account},
                                    {"inputs_that_are_set_do_work", inputs_that_are_set_do_work},
                                    {"samples_lose_no_impulse", samples_lose_no_impulse},
                                    {"joints_dissipate_nothing", joints_dissipate_nothing},
                                    {"violated_joints_dissipate", violated_joints_dissipate},
                                    {"rows_have_the_works", rows_have_the_works}};
  return test_main(argc, argv, "energy_audit", cases, sizeof cases / sizeof *cases);
}
