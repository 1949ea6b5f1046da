/* Hard configurations of bodies with shapes: redundant, badly scaled, jammed, impossible. The right answer or the right
 * message. */
#include "sim/internal.h"
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

/* A billion times heavier, on eight contacts: the percussions cancel at the light box, whose velocities are accurate to
 * 1e-8 m/s. Solvers stop at the round-off of percussions: no step fails, and on average a step takes fewer iterations
 * than one method may take. */
static void heavy_on_light_in_all_schemes(void) {
  static const char model[] = "gravity {0, 0, -9.81}\nmaterial {'default', mu = 0.5}\nfloor {'floor'}\n"
                              "box {'light', size = {0.2, 0.2, 0.2}, mass = 1e-3, position = {0, 0, 0.1}}\n"
                              "box {'heavy', size = {0.3, 0.3, 0.3}, mass = 1e6, position = {0.02, 0, 0.35}}\n"
                              "simulate {dt = 1e-3, t_end = 1}\n";
  static const char *const schemes[] = {"moreau",           "moreau-jean",     "rattle",         "half-explicit",
                                        "moreau-projected", "moreau-combined", "moreau-explicit"};
  for (size_t k = 0; k < sizeof schemes / sizeof schemes[0]; k++) {
    simulation s;
    picus_sim_options options;
    picus_status status = PICUS_OK;
    long iterations = 0;
    REQUIRE(simulation_load_text(&s, model, &options));
    options.scheme = schemes[k];
    REQUIRE(simulation_start(&s, &options));
    for (int n = 0; n < 100 && !status; n++) {
      picus_step_info info;
      status = picus_sim_step(s.sim, 0, &info);
      iterations += info.solver.last.iterations;
    }
    if (!CHECK(status == PICUS_OK)) printf("  %s: %s\n", schemes[k], picus_last_error(s.context)->message);
    CHECK_NEAR(value_of(&s, "z_heavy"), 0.35, 1e-8);
    CHECK_NEAR(value_of(&s, "z_light"), 0.1, 1e-8);
    if (!CHECK(iterations < 100 * 3000)) printf("  %s: %ld iterations\n", schemes[k], iterations);
    simulation_close(&s);
  }
}

/* Between two bodies that fall alike the velocity without percussions cannot tell whether their contact acts. Where it
 * was left out after a gap of round-off the heavy box fell for a step, and the projection moved the light one by 6 mm
 * to make room. */
static void projected_stack_stays(void) {
  static const char model[] = "gravity {0, 0, -9.81}\nmaterial {'default', mu = 0.847}\nfloor {'floor'}\n"
                              "box {'light', size = {0.2, 0.2, 0.2}, mass = 1e-3, position = {0, 0, 0.1}}\n"
                              "local b = 0.371\n"
                              "box {'heavy', size = {b, b, b}, mass = 1.15e6, position = {0.0155, 0, 0.2 + b / 2}}\n"
                              "simulate {scheme = 'moreau-projected', dt = 1e-3, t_end = 0.2}\n";
  simulation s;
  REQUIRE(simulation_open_text(&s, model));
  CHECK(step(&s, 200) == PICUS_OK);
  CHECK_NEAR(value_of(&s, "x_light"), 0, 1e-6);
  CHECK_NEAR(value_of(&s, "y_light"), 0, 1e-6);
  CHECK_NEAR(value_of(&s, "x_heavy"), 0.0155, 1e-6);
  simulation_close(&s);
}

/* Tens of spheres in a box that cannot all stick: which of them creeps, and how fast, is not sought for seconds. */
static void tens_of_spheres_settle(void) {
  static const int counts[] = {11, 15, 20, 30};
  for (int k = 0; k < (int)(sizeof counts / sizeof *counts); k++) {
    const int count = counts[k];
    simulation s;
    picus_sim_options options;
    picus_status status = PICUS_OK;
    char size[16];
    int most = 0;
    double residual = 0;
    snprintf(size, sizeof size, "n=%d", count);
    REQUIRE(simulation_load(&s, "spheres", size, &options));
    REQUIRE(simulation_start(&s, &options));
    for (int n = 0; n < 260 && !status; n++) {
      picus_step_info info;
      status = picus_sim_step(s.sim, 0, &info);
      most = info.solver.last.iterations > most ? info.solver.last.iterations : most;
      residual = fmax(residual, info.solver.last.residual.relative);
    }
    printf("  %d spheres: at most %d iterations, residual %.1e\n", count, most, residual);
    if (!CHECK(status == PICUS_OK)) printf("  %s\n", picus_last_error(s.context)->message);
    CHECK(most < 400 && residual <= 1e-6);
    simulation_close(&s);
  }
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

static const char tumbling_boxes[] =
    "gravity {0, 0, -9.81}\n"
    "material {'default', mu = 0.4, eN = 0.2}\n"
    "floor {'floor'}\n"
    "local s = 7\n"
    "local function rnd() s = (1664525 * s + 1013904223) % 2^32; return s / 2^32 end\n"
    "for i = 1, 8 do\n"
    "  box {'b' .. i, size = {0.2, 0.15, 0.1}, density = 1000, position = {0.1 * rnd(), 0.1 * rnd(), 0.2 + 0.3 * i},\n"
    "    axis = {0.6, 0.8, 0}, angle = 6 * rnd(), omega = {4 * rnd(), -3 * rnd(), 2}}\n"
    "end\n"
    "simulate {scheme = 'rattle', dt = 1e-3, t_end = 2}\n";

/* One step, or the same time in shorter ones, as a run makes them; adds up the repetitions. */
static picus_status step_in_parts(simulation *s, double dt, int divisions, long *repetitions) {
  picus_step_info info;
  s->sim->stepper.redetection.may_leave = divisions == 0; /* overlaps of a step that can be divided are a failure */
  picus_status status = picus_sim_step(s->sim, dt, &info);
  if (!status) *repetitions += info.shapes.repetitions;
  if (status <= 0 || divisions == 0) return status;
  status = step_in_parts(s, 0.5 * dt, divisions - 1, repetitions);
  return status ? status : step_in_parts(s, 0.5 * dt, divisions - 1, repetitions);
}

/* Steps of a scheme until 1.2 s: how often they were repeated, and the deepest overlap at their ends. */
static double tumble(const char *scheme, double dt, long *repetitions) {
  simulation s;
  picus_sim_options options;
  double deepest = 0;
  if (!CHECK(simulation_load_text(&s, tumbling_boxes, &options))) return INFINITY;
  options.scheme = scheme;
  options.dt = dt;
  if (!CHECK(simulation_start(&s, &options))) return INFINITY;
  for (double t = 0; t < 1.2; t += dt) {
    if (!CHECK(step_in_parts(&s, dt, 10, repetitions) == PICUS_OK)) {
      printf("  %s: %s\n", scheme, picus_last_error(s.context)->message);
      break;
    }
    deepest = fmax(deepest, overlap_now(&s));
  }
  simulation_close(&s);
  return deepest;
}

/* Boxes that tumble on each other: features change inside of a step, so that the laws found at its start do not
 * suffice. The step is repeated with those found at its end, and no overlap is left, for large steps and small ones.
 * Without repetition the overlaps are up to 1.7e-3 m at dt = 1e-3. */
static void features_that_change(void) {
  static const char *const schemes[] = {"rattle", "moreau-combined", "moreau-projected"};
  static const double sizes[] = {4e-3, 1e-3};
  for (size_t k = 0; k < sizeof schemes / sizeof schemes[0]; k++) {
    long all = 0;
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++) {
      long repetitions = 0;
      const double deepest = tumble(schemes[k], sizes[n], &repetitions);
      printf("  %s, dt = %g: overlap of tumbling boxes %.1e m, %ld repetitions\n", schemes[k], sizes[n], deepest,
             repetitions);
      CHECK(deepest < 1e-10);
      all += repetitions;
    }
    CHECK(all > 0);
  }
}

/* A box slides over the edge of a table and falls: nothing pushes it back or sideways, whatever features it passes. Its
 * energy never grows. */
static void over_the_edge(void) {
  static const char model[] =
      "gravity {0, 0, -9.81}\n"
      "material {'default', mu = 0.2}\n"
      "box {'table', fixed = true, size = {1, 1, 0.1}, position = {0, 0, -0.05}}\n"
      "box {'crate', suffix = '', size = {0.2, 0.15, 0.1}, mass = 1, position = {0.3, 0.02, 0.05},\n"
      "  axis = {0, 0, 1}, angle = %.17g, velocity = {%.17g, 0.1, 0}}\n"
      "simulate {scheme = '%s', dt = 2e-3, t_end = 1}\n";
  static const char *const schemes[] = {"rattle", "moreau-combined"};
  for (int k = 0; k < 12; k++) {
    char text[2048];
    snprintf(text, sizeof text, model, 0.3 * k, 1 + 0.2 * k, schemes[k % 2]);
    simulation s;
    REQUIRE(simulation_open_text(&s, text));
    double deepest = 0, kinetic, potential, last = INFINITY, growth = 0;
    long repetitions = 0;
    for (int i = 0; i < 400; i++) {
      if (!CHECK(step_in_parts(&s, 2e-3, 10, &repetitions) == PICUS_OK)) {
        printf("  %s, %d: %s\n", schemes[k % 2], k, picus_last_error(s.context)->message);
        break;
      }
      deepest = fmax(deepest, overlap_now(&s));
      CHECK(picus_sim_energy(s.sim, &kinetic, &potential) == PICUS_OK);
      growth = fmax(growth, kinetic + potential - last);
      last = kinetic + potential;
    }
    CHECK(value_of(&s, "z") < -0.5);
    CHECK(deepest < 1e-10);
    if (!CHECK(growth < 1e-4)) printf("  %s, %d: energy grows by %.1e J in a step\n", schemes[k % 2], k, growth);
    simulation_close(&s);
  }
}

/* What Picus says about a run, the last sentence. */
static void keep_message(void *user, picus_log_level level, const char *message) {
  (void)level;
  snprintf(user, 256, "%.255s", message);
}

static bool open_with_log(simulation *s, const char *text, const char *scheme, char *message) {
  const picus_context_def log = {.log = keep_message, .log_user = message};
  *s = (simulation){0};
  message[0] = '\0';
  if (!CHECK(picus_context_create(&log, &s->context) == PICUS_OK) ||
      !CHECK(picus_model_load_text(s->context, "test.lua", text, strlen(text), NULL, &s->model) == PICUS_OK) ||
      !CHECK(picus_system_create(s->model, &s->system) == PICUS_OK))
    return false;
  picus_sim_options options = picus_default_sim_options();
  options.scheme = scheme;
  options.dt = 1e-3;
  return CHECK(picus_sim_create(s->context, s->system, &options, &s->sim) == PICUS_OK);
}

/* A ball at rest that a force of ten thousand weights drives into a wall within one step: far outside of the margin at
 * its start. Position-level schemes stop it at the wall. Others let it overlap for a step, and the pair is named. */
static void from_outside_the_margin(void) {
  static const char model[] = "gravity {0, 0}\n"
                              "rectangle {'wall', size = {1, 1}, fixed = true, position = {0.62, 0}}\n"
                              "local b = disk {'ball', suffix = '', radius = 0.1, mass = 1, position = {0, 0}}\n"
                              "body_force {b, force = {1e5, 0}}\n"
                              "simulate {dt = 1e-3, t_end = 0.01}\n";
  static const struct {
    const char *scheme;
    bool stops;
  } runs[] = {{"rattle", true},  {"moreau-combined", true}, {"moreau-projected", true},
              {"moreau", false}, {"moreau-jean", false},    {"half-explicit", false}};
  for (size_t k = 0; k < sizeof runs / sizeof runs[0]; k++) {
    char message[256];
    simulation s;
    REQUIRE(open_with_log(&s, model, runs[k].scheme, message));
    double deepest = 0;
    for (int i = 0; i < 10; i++) {
      CHECK(step(&s, 1) == PICUS_OK);
      deepest = fmax(deepest, value_of(&s, "x") - 0.02);
    }
    printf("  %s: overlap %.1e m\n", runs[k].scheme, deepest);
    CHECK(runs[k].stops ? deepest < 1e-10 : deepest > 1e-3);
    const bool is_named = strstr(message, "'ball' and 'wall' overlap") != NULL;
    if (!CHECK(is_named != runs[k].stops)) printf("  %s: %s\n", runs[k].scheme, message);
    simulation_close(&s);
  }
}

/* Adaptive runs reject a step, and the one before, if a contact that is found after it has closed within it. So boxes
 * that tumble do not overlap at the end of any step, by detection anew in a second simulation. */
static void adaptive_tumbling(void) {
  simulation s, look;
  picus_sim_options options;
  double deepest = 0;
  long steps = 0;
  REQUIRE(simulation_load_text(&look, tumbling_boxes, &options) && simulation_start(&look, &options));
  REQUIRE(simulation_open_adaptive_text(
      &s, tumbling_boxes, (adaptive_run){.dt_min = 1e-5, .tolerance = 1e-4, .t_end = 0.45, .scheme = "rattle"}));
  for (picus_state state = picus_sim_state(s.sim); state.t < 0.45; state = picus_sim_state(s.sim), steps++) {
    if (!CHECK(picus_sim_advance(s.sim, 0.45, NULL) == PICUS_OK)) break;
    state = picus_sim_state(s.sim);
    CHECK(picus_sim_set_state(look.sim, state.t, state.q, state.u) == PICUS_OK);
    deepest = fmax(deepest, overlap_now(&look));
  }
  printf("  %ld steps, overlap %.1e m\n", steps, deepest);
  CHECK(deepest < 1e-10);
  simulation_close(&look);
  simulation_close(&s);
}

/* Twenty disks with friction, with adaptive steps: percussions of round-off at contacts that only graze are no
 * switching points. */
static void adaptive_disks(void) {
  simulation s;
  picus_sim_options options;
  picus_summary summary;
  REQUIRE(simulation_load(&s, "disks", "n=20,columns=5", &options));
  options.scheme = "rattle";
  options.gap_term = false;
  options.adaptive = true;
  options.dt_min = 1e-5;
  options.dt = options.dt_max = 0;
  options.atol = options.rtol = 1e-4;
  options.t_end = 0.1;
  REQUIRE(simulation_start(&s, &options));
  CHECK(picus_sim_run(s.sim, NULL, NULL, &summary) == PICUS_OK);
  printf("  %ld base steps, %ld switching points\n", summary.adaptive.base_steps, summary.adaptive.switching_points);
  CHECK(summary.adaptive.switching_points < 200); /* 275 with them */
  CHECK(summary.gaps.penetration < 1e-10);
  simulation_close(&s);
}

/* Three bodies that move too far in a step are named together, once. */
static void ways_longer_than_bodies(void) {
  static const char model[] = "gravity {0, 0}\n"
                              "for i = 1, 3 do\n"
                              "  disk {'d' .. i, radius = 0.01, mass = 1, position = {0, i}, velocity = {30 + i, 0}}\n"
                              "end\n"
                              "disk {'slow', radius = 0.01, mass = 1, position = {0, 9}, velocity = {19, 0}}\n";
  char message[256];
  simulation s;
  REQUIRE(open_with_log(&s, model, "moreau", message));
  CHECK(step(&s, 2) == PICUS_OK);
  CHECK_TEXT(message, "'d3' moved by 0.033 m in one step, more than its thickness of 0.02 m, as 2 other bodies did; it "
                      "may have passed through other bodies: use smaller steps");
  message[0] = '\0';
  CHECK(step(&s, 5) == PICUS_OK);
  CHECK_TEXT(message, "");
  simulation_close(&s);
}

/* An adaptive run looks at gaps inside of steps: a fast body meets a thin plate, and nobody warns that it may have
 * passed through. */
static void long_ways_in_adaptive_runs(void) {
  test_random random = {23};
  for (int trial = 0; trial < 12; trial++) {
    const double speed = pow(10, test_uniform(&random, 0.5, 3)), plate = pow(10, test_uniform(&random, -3, -1.5));
    char model[1024], message[256];
    snprintf(model, sizeof model,
             "gravity {0, 0}\nmaterial {'default', eN = 0.5}\n"
             "rectangle {'plate', size = {%.17g, 2}, fixed = true, position = {3, 0}}\n"
             "disk {'fast', suffix = '', radius = 0.02, mass = 1, position = {0, 0}, velocity = {%.17g, 0}}\n",
             plate, speed);
    simulation s = {0};
    const picus_context_def log = {.log = keep_message, .log_user = message};
    picus_sim_options options = picus_default_sim_options();
    message[0] = '\0';
    options.adaptive = true;
    options.scheme = "rattle";
    options.dt_min = 1e-6 / speed;
    options.t_end = 6 / speed;
    picus_summary summary = {0};
    const bool made = CHECK(picus_context_create(&log, &s.context) == PICUS_OK) &&
                      CHECK(!picus_model_load_text(s.context, "test.lua", model, strlen(model), NULL, &s.model)) &&
                      CHECK(picus_system_create(s.model, &s.system) == PICUS_OK) &&
                      CHECK(picus_sim_create(s.context, s.system, &options, &s.sim) == PICUS_OK);
    if (made && CHECK(picus_sim_run(s.sim, NULL, NULL, &summary) == PICUS_OK)) {
      const double hit = 3 - plate / 2 - 0.02;
      CHECK(summary.impacts == 1);
      CHECK_NEAR(value_of(&s, "x"), hit - 0.5 * (6 - hit), 1e-5);
      CHECK_TEXT(message, "");
    }
    simulation_close(&s);
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"disk_in_a_corner", disk_in_a_corner},
                                    {"heavy_on_light", heavy_on_light},
                                    {"heavy_on_light_in_all_schemes", heavy_on_light_in_all_schemes},
                                    {"projected_stack_stays", projected_stack_stays},
                                    {"tens_of_spheres_settle", tens_of_spheres_settle},
                                    {"wedge_jams", wedge_jams},
                                    {"overfull_box", overfull_box},
                                    {"features_that_change", features_that_change},
                                    {"over_the_edge", over_the_edge},
                                    {"from_outside_the_margin", from_outside_the_margin},
                                    {"adaptive_tumbling", adaptive_tumbling},
                                    {"adaptive_disks", adaptive_disks},
                                    {"long_ways_in_adaptive_runs", long_ways_in_adaptive_runs},
                                    {"ways_longer_than_bodies", ways_longer_than_bodies}};
  return test_main(argc, argv, "shape_hard", cases, sizeof cases / sizeof cases[0]);
}
