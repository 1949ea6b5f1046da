/* One-way clutches and the preload of pre-stressed springs against closed forms, in all schemes and solvers. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The last row of a run, or false if the scheme rejects the model. */
static bool ends(const char *model, const char *scheme, double dt, const char *more, recorded_rows *rows) {
  char text[4096];
  simulation s;
  picus_summary summary;
  *rows = (recorded_rows){0};
  snprintf(text, sizeof text, "%s\nsimulate {scheme = '%s', dt = %.17g%s}\n", model, scheme, dt, more);
  const bool fine = simulation_open_text(&s, text) && simulation_run(&s, rows, &summary);
  simulation_close(&s);
  return fine;
}

static double last(const recorded_rows *rows, const char *column) {
  return rows->row_count ? recorded_value(rows, rows->row_count - 1, column) : NAN;
}

/* --- a clutch between two wheels ---------------------------------------------------------------------------------- */

/* The torque 3 cos t drives the wheel a until it overtakes b, at sin t = 2/3. Both then turn together until the torque
 * changes its sign, and b goes on alone. */
static const char *const wheels =
    "local q, u = coordinates { {'a', velocity = 'wa'}, {'b', velocity = 'wb', start = {0, 1}} }\n"
    "kinetic(u.wa^2 + u.wb^2 / 2)\n"
    "force {wa = 3 * cos(t)}\n"
    "clutch {'free', velocity = u.wb - u.wa}\n"
    "simulate {t_end = 6}";

static double error_of_wheels(const recorded_rows *rows) {
  return fmax(fabs(last(rows, "wb") - 4.0 / 3), fabs(last(rows, "wa") - (4.0 / 3 + 1.5 * (sin(6) - 1))));
}

static bool at_velocity_level(const char *scheme) {
  static const char *const others[] = {"schatzman-paoli", "trapezoidal-position", "half-explicit-acc"};
  for (size_t k = 0; k < sizeof others / sizeof *others; k++)
    if (strcmp(scheme, others[k]) == 0) return false;
  return true;
}

static void check_order(const char *model, const char *scheme, double (*error_of)(const recorded_rows *), double most) {
  double dt[4], error[4];
  for (int n = 0; n < 4; n++) {
    recorded_rows rows;
    dt[n] = 8.3e-3 / (1 << n);
    error[n] = ends(model, scheme, dt[n], "", &rows) ? error_of(&rows) : INFINITY;
    recorded_rows_free(&rows);
    if (!CHECK(error[n] < most * dt[n])) printf("  %s, dt = %g: error %g\n", scheme, dt[n], error[n]);
  }
  printf("  %-22s %.1e ... %.1e\n", scheme, error[0], error[3]);
}

static void clutch_in_all_schemes(void) {
  const picus_scheme_description *scheme;
  int count = 0;
  for (int k = 0; (scheme = picus_scheme_at(k)); k++) {
    if (!at_velocity_level(scheme->name)) continue;
    check_order(wheels, scheme->name, error_of_wheels, 1);
    count++;
  }
  CHECK(count == 8);
}

/* No force while it runs free, none that pulls, no velocity against it. */
static void clutch_presses_or_runs_free(void) {
  recorded_rows rows;
  if (ends(wheels, "moreau", 1e-3, "", &rows))
    for (long i = 0; i < rows.row_count; i++) {
      const double v = recorded_value(&rows, i, "free.v"), P = recorded_value(&rows, i, "free.P");
      CHECK(v > -1e-12 && P >= 0 && fabs(v * P) < 1e-14);
      CHECK((P > 0) == (recorded_value(&rows, i, "free.mode") == PICUS_STICK));
    }
  CHECK(recorded_column(&rows, "free.gap") < 0 && recorded_column(&rows, "free.vN") < 0);
  recorded_rows_free(&rows);
}

/* Switching times and velocities of an adaptive run. */
static void clutch_in_adaptive_runs(void) {
  static const char *const bases[] = {"moreau", "moreau-jean", "rattle", "half-explicit"};
  for (size_t k = 0; k < sizeof bases / sizeof *bases; k++) {
    simulation s;
    recorded_switchings points = {0};
    picus_summary summary;
    recorded_rows rows = {0};
    const adaptive_run run = {.tolerance = 1e-9, .dt_min = 1e-7, .dt_max = 0.1, .scheme = bases[k]};
    if (simulation_open_adaptive_text(&s, wheels, run) && simulation_run_event_log(&s, NULL, &points, &summary)) {
      if (CHECK(points.count == 2)) {
        CHECK_NEAR(points.list[0].t, asin(2.0 / 3), 2e-7);
        CHECK_NEAR(points.list[1].t, asin(1), 2e-7);
        CHECK(points.list[0].to == PICUS_STICK && points.list[1].to == PICUS_OPEN);
      }
    }
    recorded_switchings_free(&points);
    simulation_close(&s);
    if (simulation_open_adaptive_text(&s, wheels, run) && simulation_run(&s, &rows, &summary))
      if (!CHECK(error_of_wheels(&rows) < 1e-7)) printf("  %s: error %g\n", bases[k], error_of_wheels(&rows));
    recorded_rows_free(&rows);
    simulation_close(&s);
  }
}

/* A pendulum that winds a wheel up: velocity of the clutch depends on time and drives it. */
static void driven_clutch_books_its_work(void) {
  static const char *const ratchet = "local q, u = coordinates { {'a', velocity = 'w', start = {0, 0}} }\n"
                                     "kinetic(u.w^2 / 2)\n"
                                     "clutch {'drive', velocity = u.w - sin(t)}\n"
                                     "simulate {t_end = 3}";
  recorded_rows rows;
  if (ends(ratchet, "rattle", 1e-3, "", &rows)) {
    CHECK_NEAR(last(&rows, "w"), 1, 1e-5);
    CHECK_NEAR(last(&rows, "drive.work"), 0.5, 1e-3);
  }
  recorded_rows_free(&rows);
}

/* --- preloads ----------------------------------------------------------------------------------------------------- */

/* On its seat until the force 0.5 + 0.3 t exceeds 1.5 N, at t = 10/3, then with the damping 4 v away from it. */
static const char *const seated = "local q, u = coordinates { {'x', velocity = 'v'} }\n"
                                  "kinetic(u.v^2 / 2)\n"
                                  "dissipation(2 * u.v^2)\n"
                                  "force {v = 0.5 + 0.3 * t}\n"
                                  "preload {'seat', displacement = q.x, limits = {-1.5, 2}}\n"
                                  "simulate {t_end = 5}";

static double error_of_seated(const recorded_rows *rows) {
  const double after = 5 - 10.0 / 3, decay = 1 - exp(-4 * after);
  const double x = 0.0375 * after * after - 0.01875 * after + 0.01875 / 4 * decay, v = 0.075 * after - 0.01875 * decay;
  return fmax(fabs(last(rows, "x") - x), fabs(last(rows, "v") - v));
}

/* A mass between two preloaded springs: x'' = -sgn x, with the period 4 sqrt(2 x_0). */
static const char *const swinging = "local q, u = coordinates { {'x', velocity = 'v', start = {0.5, 0}} }\n"
                                    "kinetic(u.v^2 / 2)\n"
                                    "preload {'seat', displacement = q.x, force = 1}\n"
                                    "simulate {t_end = 4}";

static double error_of_swinging(const recorded_rows *rows) {
  return fmax(fabs(last(rows, "x") - 0.5), fabs(last(rows, "v")));
}

static void preload_in_all_schemes(void) {
  const picus_scheme_description *scheme;
  int count = 0;
  for (int k = 0; (scheme = picus_scheme_at(k)); k++) {
    if (strcmp(scheme->name, "half-explicit-acc") == 0) continue;
    check_order(seated, scheme->name, error_of_seated, 0.2);
    check_order(swinging, scheme->name, error_of_swinging, 10);
    count++;
  }
  CHECK(count == 10);
}

/* The force is that of the displacement, or any between the limits on the seat; nothing drifts there. */
static void preload_is_a_relay(void) {
  const picus_scheme_description *scheme;
  for (int k = 0; (scheme = picus_scheme_at(k)); k++) {
    recorded_rows rows;
    if (strcmp(scheme->name, "half-explicit-acc") == 0) continue;
    if (ends(seated, scheme->name, 1e-3, "", &rows))
      for (long i = 1; i < rows.row_count; i++) {
        const double x = recorded_value(&rows, i, "seat.gap"), P = recorded_value(&rows, i, "seat.P");
        const double mode = recorded_value(&rows, i, "seat.mode"), t = recorded_value(&rows, i, "t");
        CHECK(fabs(P) <= 1.75e-3 * (1 + 1e-12));
        if (mode == PICUS_STICK) CHECK(fabs(x) < 1e-15 && t < 3.34);
        if (x > 1e-6) CHECK(fabs(P + 1.75e-3) < 1e-15 && mode == PICUS_SLIP);
      }
    recorded_rows_free(&rows);
  }
}

/* Ten periods: the energy, 0.5 J in the spring, neither grows nor decays. What is stored is booked at the law. */
static void preload_keeps_the_energy(void) {
  static const char *const schemes[] = {"moreau", "moreau-jean", "rattle", "half-explicit", "half-explicit-rk"};
  for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
    recorded_rows rows;
    if (ends(swinging, schemes[k], 1.03e-3, ", t_end = 40", &rows))
      for (long i = rows.row_count - 4000; i < rows.row_count; i++) {
        const double x = recorded_value(&rows, i, "x"), v = recorded_value(&rows, i, "v");
        if (!CHECK(fabs(v * v / 2 + fabs(x) - 0.5) < 0.03)) {
          printf("  %s: %g J\n", schemes[k], v * v / 2 + fabs(x));
          break;
        }
      }
    recorded_rows_free(&rows);
  }
}

static void preload_in_adaptive_runs(void) {
  static const char *const bases[] = {"moreau", "moreau-jean", "rattle", "half-explicit"};
  for (size_t k = 0; k < sizeof bases / sizeof *bases; k++) {
    const adaptive_run run = {.tolerance = 1e-9, .dt_min = 1e-7, .dt_max = 0.1, .scheme = bases[k]};
    for (int other = 0; other < 2; other++) {
      simulation s;
      recorded_rows rows = {0};
      picus_summary summary;
      if (simulation_open_adaptive_text(&s, other ? swinging : seated, run) && simulation_run(&s, &rows, &summary)) {
        const double error = other ? error_of_swinging(&rows) : error_of_seated(&rows);
        if (!CHECK(error < 5e-6)) printf("  %s: error %g\n", bases[k], error);
        printf("  %-14s error %.1e, %ld switching points\n", bases[k], error, summary.adaptive.switching_points);
      }
      recorded_rows_free(&rows);
      simulation_close(&s);
    }
  }
}

/* A mass that falls on a preloaded spring with a stiffness: at rest it is where c x = m g - F, and if the preload is
 * greater than the weight on the seat. From above the spring does not act. */
static void preload_to_one_side(void) {
  static const char *const catcher = "local q, u = coordinates { {'y', velocity = 'v', start = {0.2, 0}} }\n"
                                     "kinetic(u.v^2 / 2)\n"
                                     "force {v = -10}\n"
                                     "preload {'buffer', displacement = q.y, limits = {0, 30}}\n"
                                     "simulate {t_end = 0.4}";
  recorded_rows rows;
  /* it falls for 0.2 s with 10 m/s^2 and has 2 m/s; 20 m/s^2 stop it in 0.1 s, 0.1 m below, and return it */
  if (ends(catcher, "rattle", 1e-4, "", &rows)) {
    CHECK_NEAR(last(&rows, "y"), 0, 1e-3);
    CHECK_NEAR(last(&rows, "v"), 2, 1e-2);
  }
  recorded_rows_free(&rows);
}

/* --- solvers, statics, C ------------------------------------------------------------------------------------------ */

static void all_solvers_agree(void) {
  const picus_solver_description *solver;
  int count = 0;
  for (; (solver = picus_solver_at(count)); count++) {
    char more[64];
    recorded_rows rows;
    snprintf(more, sizeof more, ", solver = '%s'", solver->name);
    if (!CHECK(ends(wheels, "moreau", 1e-3, more, &rows) && error_of_wheels(&rows) < 1e-3)) printf("  %s\n", more);
    recorded_rows_free(&rows);
    if (!CHECK(ends(seated, "moreau", 1e-3, more, &rows) && error_of_seated(&rows) < 1e-4)) printf("  %s\n", more);
    recorded_rows_free(&rows);
  }
  CHECK(count >= 6);
}

static void models_built_in_c(void) {
  picus_context *context;
  picus_model *model;
  picus_expr q, u;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  REQUIRE(picus_model_create(context, "built", &model) == PICUS_OK);
  picus_coordinate_def x = picus_default_coordinate_def();
  x.name = "x", x.velocity = "v";
  REQUIRE(picus_model_add_coordinate(model, &x, &q, &u) == PICUS_OK);
  picus_clutch_def clutch = picus_default_clutch_def();
  clutch.name = "c";
  CHECK(picus_model_add_clutch(model, &clutch) == PICUS_ERROR_MODEL);
  CHECK(strstr(picus_last_error(context)->message, "clutch 'c' has no velocity") != NULL);
  clutch.velocity = q;
  CHECK(picus_model_add_clutch(model, &clutch) == PICUS_ERROR_MODEL);
  clutch.velocity = u;
  CHECK(picus_model_add_clutch(model, &clutch) == PICUS_OK);
  picus_preload_def preload = picus_default_preload_def();
  preload.name = "p";
  CHECK(picus_model_add_preload(model, &preload) == PICUS_ERROR_MODEL);
  preload.displacement = u;
  CHECK(picus_model_add_preload(model, &preload) == PICUS_ERROR_MODEL);
  preload.displacement = q, preload.lower = 1, preload.upper = -1;
  CHECK(picus_model_add_preload(model, &preload) == PICUS_ERROR_ARGUMENT);
  CHECK(strstr(picus_last_error(context)->message, "lower limit 1 and the upper limit -1") != NULL);
  preload.upper = NAN;
  CHECK(picus_model_add_preload(model, &preload) == PICUS_ERROR_NUMBER);
  preload.lower = -1, preload.upper = 3;
  CHECK(picus_model_add_preload(model, &preload) == PICUS_OK);
  picus_model_destroy(model);
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

/* The sentence of a model that a scheme does not support. */
static void expect_rejected(const char *model, const char *scheme, const char *sentence) {
  simulation s;
  picus_sim_options options;
  if (simulation_load_text(&s, model, &options)) {
    options.scheme = scheme;
    options.dt = 1e-3;
    CHECK(picus_sim_create(s.context, s.system, &options, &s.sim) == PICUS_ERROR_UNSUPPORTED);
    if (!CHECK(strstr(picus_last_error(s.context)->message, sentence) != NULL))
      printf("  %s\n", picus_last_error(s.context)->message);
  }
  simulation_close(&s);
}

static void schemes_without_them_reject_them(void) {
  expect_rejected(wheels, "schatzman-paoli", "'free' is a clutch at velocity level");
  expect_rejected(wheels, "trapezoidal-position", "'free' is a clutch at velocity level");
  expect_rejected(wheels, "half-explicit-acc", "does not support the clutch 'free'");
  expect_rejected(seated, "half-explicit-acc", "does not support the preload 'seat'");
}

/* c x = F - 1.5 beyond the preload, x = 0 within; a clutch holds against a spring. */
static void statics(void) {
  static const struct { double force, x; } cases[] = {{1, 0}, {-1.9, 0}, {3.5, 0.02}, {-4, -0.02}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    char text[1024];
    simulation s;
    double q[1] = {NAN}, force[1] = {NAN};
    snprintf(text, sizeof text,
             "local q, u = coordinates { {'x', velocity = 'v', start = 0.3} }\nkinetic(u.v^2 / 2)\n"
             "potential(50 * q.x^2 - %g * q.x)\npreload {'seat', displacement = q.x, limits = {-1.5, 2}}\n"
             "simulate {t_end = 1, dt = 1e-3}\n",
             cases[k].force);
    if (simulation_open_text(&s, text)) {
      CHECK(picus_sim_find_equilibrium(s.sim, q, force) == PICUS_OK);
      CHECK_NEAR(q[0], cases[k].x, 1e-9);
    }
    simulation_close(&s);
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"clutch_in_all_schemes", clutch_in_all_schemes},
                                    {"clutch_presses_or_runs_free", clutch_presses_or_runs_free},
                                    {"clutch_in_adaptive_runs", clutch_in_adaptive_runs},
                                    {"driven_clutch_books_its_work", driven_clutch_books_its_work},
                                    {"preload_in_all_schemes", preload_in_all_schemes},
                                    {"preload_is_a_relay", preload_is_a_relay},
                                    {"preload_keeps_the_energy", preload_keeps_the_energy},
                                    {"preload_in_adaptive_runs", preload_in_adaptive_runs},
                                    {"preload_to_one_side", preload_to_one_side},
                                    {"all_solvers_agree", all_solvers_agree},
                                    {"models_built_in_c", models_built_in_c},
                                    {"schemes_without_them_reject_them", schemes_without_them_reject_them},
                                    {"statics", statics}};
  return test_main(argc, argv, "clutch_preload", cases, sizeof cases / sizeof cases[0]);
}
