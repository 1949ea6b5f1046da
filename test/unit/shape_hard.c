/* Hard configurations of bodies with shapes: redundant, badly scaled, jammed, impossible. The right answer or the right
 * message. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double value_of(const simulation *s, const char *name) {
  const picus_state state = picus_sim_state(s->sim);
  for (int i = 0; i < state.nq; i++)
    if (strcmp(picus_system_q_name(s->system, i), name) == 0) return state.q[i];
  for (int i = 0; i < state.nu; i++)
    if (strcmp(picus_system_u_name(s->system, i), name) == 0) return state.u[i];
  CHECK(false);
  return NAN;
}

static double fastest(const simulation *s) {
  const picus_state state = picus_sim_state(s->sim);
  double most = 0;
  for (int i = 0; i < state.nu; i++) most = fmax(most, fabs(state.u[i]));
  return most;
}

static picus_status step(simulation *s, int count) {
  picus_status status = PICUS_OK;
  for (int k = 0; k < count && !status; k++) status = picus_sim_step(s->sim, 0, NULL);
  return status;
}

/* A disk in a corner, pressed by three others from all sides: more contacts than degrees of freedom. */
static void disk_in_a_corner(void) {
  static const char model[] = "gravity {0, 0}\n"
                              "material {'default', mu = 0.5}\n"
                              "half_space {'floor', normal = {0, 1}, position = {0, 0}}\n"
                              "half_space {'wall', normal = {1, 0}, position = {0, 0}}\n"
                              "local r = 0.1\n"
                              "disk {'caught', radius = r, mass = 1, position = {r, r}}\n"
                              "for k, a in ipairs {0, pi / 4, pi / 2} do\n"
                              "  local d = disk {'pusher' .. k, radius = r / 4, mass = 0.1, position = {r + 1.25 * r * "
                              "cos(a), r + 1.25 * r * sin(a)}}\n"
                              "  body_force {d, force = {-10 * cos(a), -10 * sin(a)}}\n"
                              "end\n"
                              "simulate {dt = 1e-3, t_end = 1}\n";
  static const char *const schemes[] = {"moreau", "moreau-combined", "rattle"};
  for (size_t k = 0; k < sizeof schemes / sizeof schemes[0]; k++) {
    simulation s;
    picus_sim_options options;
    REQUIRE(simulation_load_text(&s, model, &options));
    options.scheme = schemes[k];
    REQUIRE(simulation_start(&s, &options));
    CHECK(step(&s, 200) == PICUS_OK);
    CHECK_NEAR(value_of(&s, "x_caught"), 0.1, 1e-12);
    CHECK_NEAR(value_of(&s, "y_caught"), 0.1, 1e-12);
    /* the gap tolerance of the projection, 1e-12 m, over dt */
    if (!CHECK(fastest(&s) < 1e-9)) printf("  %s: %.1e\n", schemes[k], fastest(&s));
    simulation_close(&s);
  }
}

/* A heavy block on light ones, a million times heavier: it neither sinks nor drifts. */
static void heavy_on_light(void) {
  static const char model[] =
      "gravity {0, 0, -9.81}\n"
      "material {'default', mu = 0.5}\n"
      "floor {'floor'}\n"
      "for k = 1, 5 do\n"
      "  box {'b' .. k, suffix = tostring(k), size = {0.2, 0.2, 0.2}, mass = k == 5 and 1e6 or 1,\n"
      "    position = {0, 0, 0.2 * k - 0.1}}\n"
      "end\n"
      "simulate {scheme = 'moreau', dt = 5e-3, t_end = 2}\n";
  simulation s;
  REQUIRE(simulation_open_text(&s, model));
  CHECK(step(&s, 400) == PICUS_OK);
  CHECK_NEAR(value_of(&s, "z5"), 0.9, 1e-9);
  CHECK_NEAR(value_of(&s, "x5"), 0, 1e-9);
  CHECK_NEAR(value_of(&s, "z1"), 0.1, 1e-9);
  printf("  mass ratio 1e6: fastest velocity at the end %.1e\n", fastest(&s));
  simulation_close(&s);
}

/* A wedge of half angle a between two walls: pushed in by a force it stays; when the force ends friction holds its
 * weight if mu > cot(90 deg - a), that is tan a, with walls that open downwards. */
static void wedge(double mu, double *moved) {
  static const char model[] = "local a, mu = 0.2, %.17g\n"
                              "gravity {0, 9.81}\n" /* pulls the wedge out of its hole */
                              "material {'default', mu = mu}\n"
                              "half_space {'left', normal = {cos(a), sin(a)}, position = {-0.1, 0}}\n"
                              "half_space {'right', normal = {-cos(a), sin(a)}, position = {0.1, 0}}\n"
                              "local h = 0.1\n"
                              "local w = polygon {'wedge', suffix = '', mass = 1, points = {{-0.1, 0}, {0.1, 0}, {0.1 "
                              "- h * tan(a), -h}, {-0.1 + h * tan(a), -h}},\n"
                              "  position = {0, %.17g}}\n"
                              "body_force {w, force = {0, -30}}\n"
                              "simulate {scheme = 'rattle', dt = 1e-3, t_end = 1}\n";
  /* the centre of mass of the trapezoid below its upper edge */
  const double h = 0.1, top = 0.2, bottom = 0.2 - 2 * h * tan(0.2);
  const double centre = -h / 3 * (top + 2 * bottom) / (top + bottom);
  char text[2048];
  snprintf(text, sizeof text, model, mu, centre);
  simulation s;
  REQUIRE(simulation_open_text(&s, text));
  CHECK(step(&s, 500) == PICUS_OK);
  *moved = fabs(value_of(&s, "y") - centre);
  simulation_close(&s);
}
static void wedge_jams(void) {
  double moved;
  wedge(0.1, &moved);
  CHECK(moved < 1e-9);
  wedge(0.5, &moved);
  CHECK(moved < 1e-9);
}

/* A piston that is driven into rigid blocks between walls: there is no motion that fits, and the message says so. */
static void overfull_box(void) {
  static const char model[] =
      "gravity {0, 0}\n"
      "half_space {'wall', normal = {1, 0}, position = {0, 0}}\n"
      "for k = 1, 3 do\n"
      "  rectangle {'block' .. k, size = {0.1, 0.1}, mass = 1, position = {0.1 * k - 0.05, 0}}\n"
      "end\n"
      "frame {'piston', position = {0.3 - 0.5 * t, 0}, shape = {'rectangle', size = {0.1, 0.1}, at = {0.05, 0}}}\n"
      "simulate {scheme = '%s', dt = 1e-3, t_end = 1}\n";
  static const char *const schemes[] = {"moreau", "moreau-jean", "rattle"};
  for (size_t k = 0; k < sizeof schemes / sizeof schemes[0]; k++) {
    char text[2048];
    snprintf(text, sizeof text, model, schemes[k]);
    simulation s;
    REQUIRE(simulation_open_text(&s, text));
    CHECK(step(&s, 50) != PICUS_OK);
    const char *message = picus_last_error(s.context)->message;
    if (!CHECK(strstr(message, "not solved") && strstr(message, "block"))) printf("  %s: %s\n", schemes[k], message);
    simulation_close(&s);
  }
}

/* The deepest overlap by detection anew at the present state, whatever features the last step was solved with. */
static double overlap_now(simulation *s) {
  enum { MOST = 2000 };
  picus_law_state states[MOST];
  double deepest = 0;
  if (!CHECK(picus_sim_find_laws(s->sim, 0) == PICUS_OK && picus_sim_present_count(s->sim) <= MOST) ||
      !CHECK(picus_sim_present_laws(s->sim, states) == PICUS_OK))
    return INFINITY;
  for (int k = 0; k < picus_sim_present_count(s->sim); k++) deepest = fmax(deepest, -states[k].gap);
  return deepest;
}

/* Boxes that tumble on each other: features change inside of a step, and a step solved with the old ones may leave an
 * overlap. It is bounded, and falls with dt. */
static void features_that_change(void) {
  static const char model[] = "gravity {0, 0, -9.81}\n"
                              "material {'default', mu = 0.4, eN = 0.2}\n"
                              "floor {'floor'}\n"
                              "local s = 7\n"
                              "local function rnd() s = (1664525 * s + 1013904223) % 2^32; return s / 2^32 end\n"
                              "for i = 1, 8 do\n"
                              "  box {'b' .. i, size = {0.2, 0.15, 0.1}, density = 1000, position = {0.1 * rnd(), 0.1 "
                              "* rnd(), 0.2 + 0.3 * i},\n"
                              "    axis = {0.6, 0.8, 0}, angle = 6 * rnd(), omega = {4 * rnd(), -3 * rnd(), 2}}\n"
                              "end\n"
                              "simulate {scheme = 'rattle', dt = 1e-3, t_end = 2}\n";
  static const char *const schemes[] = {"rattle", "moreau-combined", "moreau-projected"};
  for (size_t k = 0; k < sizeof schemes / sizeof schemes[0]; k++) {
    double deepest[2] = {0, 0};
    for (int fine = 0; fine < 2; fine++) {
      simulation s;
      picus_sim_options options;
      REQUIRE(simulation_load_text(&s, model, &options));
      options.scheme = schemes[k];
      options.dt = fine ? 2.5e-4 : 1e-3;
      REQUIRE(simulation_start(&s, &options));
      for (int i = 0; i < (fine ? 4800 : 1200); i++) {
        if (!CHECK(picus_sim_step(s.sim, 0, NULL) == PICUS_OK)) {
          printf("  %s: %s\n", schemes[k], picus_last_error(s.context)->message);
          break;
        }
        deepest[fine] = fmax(deepest[fine], overlap_now(&s));
      }
      simulation_close(&s);
    }
    printf("  %s: overlap of tumbling boxes %.1e and %.1e m at dt = 1e-3 and 2.5e-4 s\n", schemes[k], deepest[0],
           deepest[1]);
    CHECK(deepest[0] < 2e-3);
    CHECK(deepest[1] < 0.5 * deepest[0] || deepest[1] < 1e-10);
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"disk_in_a_corner", disk_in_a_corner},
                                    {"heavy_on_light", heavy_on_light},
                                    {"wedge_jams", wedge_jams},
                                    {"overfull_box", overfull_box},
                                    {"features_that_change", features_that_change}};
  return test_main(argc, argv, "shape_hard", cases, sizeof cases / sizeof cases[0]);
}
