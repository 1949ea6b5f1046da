/* An impact before the first step makes a start consistent: against closed forms, and against one short step. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The velocities at the start of a model; false: it does not load. */
static bool velocities(const char *model, const char *more, double *u) {
  char text[4096];
  simulation s;
  snprintf(text, sizeof text, "%s\nsimulate {dt = 1e-3, t_end = 1%s}\n", model, more);
  const bool fine = simulation_open_text(&s, text);
  if (fine) memcpy(u, picus_sim_state(s.sim).u, (size_t)picus_system_nu(s.system) * sizeof *u);
  simulation_close(&s);
  return fine;
}

static const char *const mass =
    "local q, u = coordinates { {'x', velocity = 'v', start = {0, 2}}, {'y', velocity = 'w', start = {0, -1}} }\n"
    "kinetic(u.v^2 + u.w^2)\npotential(20 * q.y)\n"
    "contact {'floor', gap = q.y, slip = u.v, mu = 0.3, eN = 0.5, eF = 0}\n";

/* P_N = m (1 + e) 1 m/s, and friction of 0.3 P_N: the slip does not stop. */
static void mass_on_a_floor(void) {
  double u[2];
  if (velocities(mass, ", start_impact = true", u)) {
    CHECK_NEAR(u[0], 2 - 0.3 * 1.5, 1e-12);
    CHECK_NEAR(u[1], 0.5, 1e-12);
  }
  if (velocities(mass, "", u)) CHECK(u[0] == 2 && u[1] == -1);
}

/* assemble: the impact after the joints are closed, unless the model says no. */
static void part_of_assemble(void) {
  double u[3];
  if (velocities(mass, ", assemble = true", u)) {
    CHECK_NEAR(u[0], 2 - 0.3 * 1.5, 1e-12);
    CHECK_NEAR(u[1], 0.5, 1e-12);
  }
  if (velocities(mass, ", assemble = true, start_impact = false", u)) CHECK(u[0] == 2 && u[1] == -1);
  if (velocities(mass, ", assemble = false", u)) CHECK(u[0] == 2 && u[1] == -1);
  /* a rod whose hinge is open by 1 cm and whose velocities do not fit */
  static const char *const rod =
      "local q, u = coordinates { {'x', velocity = 'v', start = {1.01, 0.3}}, {'y', velocity = 'w', start = {0, -2}},\n"
      "  {'phi', velocity = 'omega', start = {0, -2}} }\n"
      "kinetic((u.v^2 + u.w^2) / 2 + u.omega^2 / 6)\n"
      "constraint {'hx', position = q.x - cos(q.phi)}\nconstraint {'hy', position = q.y - sin(q.phi)}\n"
      "contact {'end', gap = q.y + sin(q.phi), eN = 0.25}\n";
  if (velocities(rod, ", assemble = true", u)) {
    CHECK_NEAR(u[0], 0, 1e-12);
    CHECK_NEAR(u[1], 0.5, 1e-12);
    CHECK_NEAR(u[2], 0.5, 1e-12);
  }
}

/* Two masses on each other, the upper one falls: with e = 0 both stay, with e = 1 Newton's law of both contacts. A
 * friction element takes no part. */
static void stack(void) {
  static const char *const masses =
      "local q, u = coordinates { {'a', velocity = 'va'}, {'b', velocity = 'vb', start = {0, -3}} }\n"
      "kinetic((u.va^2 + u.vb^2) / 2)\nfriction {'rub', slip = u.vb, reservoir = 100}\n";
  for (int e = 0; e < 2; e++) {
    char text[1024];
    double u[2];
    snprintf(text, sizeof text,
             "%scontact {'floor', gap = q.a, eN = %d}\ncontact {'middle', gap = q.b - q.a, eN = %d}\n", masses, e, e);
    if (!velocities(text, ", start_impact = true", u)) continue;
    CHECK_NEAR(u[0], 0, 1e-12);
    CHECK_NEAR(u[1], e ? 3 : 0, 1e-12);
  }
}

/* A rod on a hinge strikes with its end: the constraint takes part. Inertia about the hinge m l^2 / 3. */
static void hinged_rod(void) {
  static const char *const rod =
      "local q, u = coordinates { {'x', velocity = 'v', start = {1, 0}}, {'y', velocity = 'w', start = {0, -2}},\n"
      "  {'phi', velocity = 'omega', start = {0, -2}} }\n"
      "kinetic((u.v^2 + u.w^2) / 2 + u.omega^2 / 6)\n"
      "constraint {'hx', position = q.x - cos(q.phi)}\n"
      "constraint {'hy', position = q.y - sin(q.phi)}\n"
      "contact {'end', gap = q.y + sin(q.phi), eN = 0.25}\n";
  double u[3];
  if (velocities(rod, ", start_impact = true", u)) {
    CHECK_NEAR(u[0], 0, 1e-12);
    CHECK_NEAR(u[1], 0.5, 1e-12);
    CHECK_NEAR(u[2], 0.5, 1e-12);
  }
}

/* A start that is consistent stays as it is, bit by bit: contacts that are open, at rest or part. */
static void consistent_starts_stay(void) {
  static const char *const models[] = {"woodpecker", "slider-crank", "slope", "bouncing-ball", "spheres"};
  for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
    simulation s, other;
    picus_sim_options options, own;
    if (simulation_load(&s, models[k], "", &options) && simulation_load(&other, models[k], "", &own)) {
      options.start_impact = true;
      if (simulation_start(&s, &options) && simulation_start(&other, &own)) {
        const picus_state a = picus_sim_state(s.sim), b = picus_sim_state(other.sim);
        CHECK(memcmp(a.u, b.u, (size_t)a.nu * sizeof *a.u) == 0);
        CHECK(picus_sim_step(s.sim, 0, NULL) == PICUS_OK && picus_sim_step(other.sim, 0, NULL) == PICUS_OK);
        const picus_state c = picus_sim_state(s.sim), d = picus_sim_state(other.sim);
        if (!CHECK(memcmp(c.u, d.u, (size_t)c.nu * sizeof *c.u) == 0 &&
                   memcmp(c.q, d.q, (size_t)c.nq * sizeof *c.q) == 0))
          printf("  %s\n", models[k]);
      }
    }
    simulation_close(&s);
    simulation_close(&other);
  }
}

/* Random velocities of a block that falls on two corners with friction: the same as a step of 1e-9 s from the same
 * start. */
static void as_a_short_step(void) {
  test_random random = {18};
  for (int k = 0; k < 50; k++) {
    char text[2048];
    double u[3];
    snprintf(text, sizeof text,
             "local q, u = coordinates { {'x', velocity = 'v', start = {0, %.17g}}, {'y', velocity = 'w', start = {1, "
             "%.17g}},\n"
             "  {'phi', velocity = 'omega', start = {0, %.17g}} }\n"
             "kinetic((u.v^2 + u.w^2) / 2 + u.omega^2 / 3)\npotential(10 * q.y)\n"
             "contact {'left', gap = q.y - cos(q.phi) - sin(q.phi), slip = u.v + u.omega, mu = 0.4, eN = 0.3}\n"
             "contact {'right', gap = q.y - cos(q.phi) + sin(q.phi), slip = u.v + u.omega, mu = 0.4, eN = 0.3}\n",
             test_uniform(&random, -2, 2), test_uniform(&random, -4, -2.1), test_uniform(&random, -2, 2));
    if (!velocities(text, ", start_impact = true", u)) continue;
    simulation s;
    strcat(text, "simulate {dt = 1e-9, t_end = 1}\n");
    if (simulation_open_text(&s, text)) {
      CHECK(picus_sim_step(s.sim, 0, NULL) == PICUS_OK);
      for (int i = 0; i < 3; i++) CHECK_NEAR(picus_sim_state(s.sim).u[i], u[i], 1e-6);
    }
    simulation_close(&s);
  }
}

/* The run starts from there: first row, energy, and a second impact does not follow. */
static void run_starts_after_it(void) {
  char text[2048];
  simulation s;
  recorded_rows rows = {0};
  picus_summary summary;
  snprintf(text, sizeof text, "%s\nsimulate {dt = 1e-3, t_end = 0.05, start_impact = true}\n", mass);
  if (simulation_open_text(&s, text) && simulation_run(&s, &rows, &summary)) {
    CHECK_NEAR(recorded_value(&rows, 0, "w"), 0.5, 1e-12);
    CHECK_NEAR(summary.energy.start, 1.55 * 1.55 + 0.25, 1e-12);
    CHECK(summary.impacts == 0 && recorded_value(&rows, 0, "floor.PN") == 0);
    CHECK_NEAR(recorded_value(&rows, 1, "y"), 0.5e-3 - 5e-6, 1e-9);
  }
  recorded_rows_free(&rows);
  simulation_close(&s);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"mass_on_a_floor", mass_on_a_floor},
                                    {"part_of_assemble", part_of_assemble},
                                    {"stack", stack},
                                    {"hinged_rod", hinged_rod},
                                    {"consistent_starts_stay", consistent_starts_stay},
                                    {"as_a_short_step", as_a_short_step},
                                    {"run_starts_after_it", run_starts_after_it}};
  return test_main(argc, argv, "start_impact", cases, sizeof cases / sizeof cases[0]);
}
