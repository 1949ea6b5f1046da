/* The gap term of moreau, moreau-explicit and moreau-jean: gaps that do not become negative, the same limit, no energy
 * from contacts. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const schemes[] = {"moreau", "moreau-explicit", "moreau-jean"};
enum { SCHEMES = sizeof schemes / sizeof *schemes };

/* All rows of a model with these run options behind it. */
static bool run(const char *model, const char *scheme, double dt, double t_end, const char *more, recorded_rows *rows,
                picus_summary *summary) {
  char text[8192];
  simulation s;
  snprintf(text, sizeof text, "%s\nsimulate {scheme = '%s', dt = %.17g, t_end = %.17g%s}\n", model, scheme, dt, t_end,
           more);
  *rows = (recorded_rows){0};
  bool fine = simulation_open_text(&s, text) && simulation_run(&s, rows, summary);
  simulation_close(&s);
  return fine;
}

static double least(const recorded_rows *rows, const char *column) {
  double least = INFINITY;
  for (long i = 0; i < rows->row_count; i++) least = fmin(least, recorded_value(rows, i, column));
  return least;
}

/* The largest growth of the total energy from row to row. */
static double energy_gained(const recorded_rows *rows) {
  double gained = 0;
  for (long i = 1; i < rows->row_count; i++)
    gained = fmax(gained, recorded_value(rows, i, "E.total") - recorded_value(rows, i - 1, "E.total"));
  return gained;
}

/* --- a mass that falls -------------------------------------------------------------------------------------------- */

static const char *const mass = "gravity {0, -9.81}\n"
                                "local m = particle {'m', mass = 2, position = {0, 1}}\n"
                                "plane_contact {'floor', ground, m, normal = {0, 1}, eN = 0}\n";

/* At any step size it comes to rest on the floor, never below it by more than the residual of the solver explains. */
static void falling_mass_rests_on_the_floor(void) {
  static const double sizes[] = {0.1, 0.037, 1e-2, 1e-3, 3.3e-4};
  for (int k = 0; k < SCHEMES; k++)
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
      recorded_rows rows;
      picus_summary summary;
      if (run(mass, schemes[k], sizes[n], 1, ", gap_term = true", &rows, &summary)) {
        const double lowest = least(&rows, "floor.gap");
        if (!CHECK(lowest > -1e-12 * 9.81 * sizes[n])) printf("  %s, dt = %g: %g\n", schemes[k], sizes[n], lowest);
        CHECK(fabs(recorded_value(&rows, rows.row_count - 1, "floor.gap")) < 1e-14);
        CHECK(fabs(recorded_value(&rows, rows.row_count - 1, "floor.vN")) < 1e-12);
        CHECK(least(&rows, "floor.PN") >= 0);
        if (strcmp(schemes[k], "moreau-explicit") != 0) /* which gains energy in flight */
          CHECK(energy_gained(&rows) < 1e-13);
        CHECK(summary.energy.dissipated > 0);
      }
      recorded_rows_free(&rows);
    }
}

/* Without it the mass stays where the midpoint rule finds it, O(dt) below the floor. */
static void without_it_the_mass_sinks(void) {
  recorded_rows rows;
  picus_summary summary;
  if (run(mass, "moreau", 1.1e-2, 1, "", &rows, &summary)) CHECK(least(&rows, "floor.gap") < -1e-3);
  recorded_rows_free(&rows);
}

/* --- restitution -------------------------------------------------------------------------------------------------- */

static void say_ball(char *text, size_t size, double e) {
  snprintf(text, size,
           "gravity {0, -10}\nlocal m = particle {'m', mass = 1, position = {0, 1.25}}\n"
           "plane_contact {'floor', ground, m, normal = {0, 1}, eN = %g}\n",
           e);
}

/* Height of the ball at t = 1: it falls for 0.5 s, hits with 5 m/s. */
static double exact_height(double e) { return 5 * e * 0.5 - 10 * 0.5 * 0.5 / 2; }

/* Order 1, to the same limit as without the gap term, above the floor, without energy from the impact. */
static void ball_bounces_with_order_1(void) {
  char text[512];
  say_ball(text, sizeof text, 0.8);
  for (int k = 0; k < SCHEMES; k++) {
    double dt[5] = {0}, error[5] = {0};
    for (int n = 0; n < 5; n++) {
      recorded_rows rows;
      picus_summary summary;
      dt[n] = 7.3e-3 / (1 << n);
      if (run(text, schemes[k], dt[n], 1, ", gap_term = true", &rows, &summary)) {
        CHECK(least(&rows, "floor.gap") >= 0);
        CHECK(summary.impacts == 1 && summary.energy.dissipated > 0);
        if (strcmp(schemes[k], "moreau-explicit") != 0) CHECK(energy_gained(&rows) < 1e-12);
        error[n] = fabs(recorded_value(&rows, rows.row_count - 1, "y_m") - exact_height(0.8));
      }
      recorded_rows_free(&rows);
    }
    const double order = log(error[0] / error[4]) / log(16);
    printf("  %-16s %.2e ... %.2e, order %.2f\n", schemes[k], error[0], error[4], order);
    for (int n = 0; n < 5; n++) CHECK(error[n] < 20 * dt[n]);
    CHECK(order > 0.6);
  }
}

/* A ball that bounces until its flights are shorter than the steps comes to rest; e = 1 keeps its energy. */
static void ball_comes_to_rest(void) {
  char text[512];
  for (int k = 0; k < SCHEMES; k++) {
    recorded_rows rows;
    picus_summary summary;
    say_ball(text, sizeof text, 0.5);
    if (run(text, schemes[k], 1e-3, 3, ", gap_term = true", &rows, &summary)) {
      CHECK(least(&rows, "floor.gap") >= -1e-15);
      CHECK(fabs(recorded_value(&rows, rows.row_count - 1, "floor.gap")) < 1e-14);
      CHECK(fabs(recorded_value(&rows, rows.row_count - 1, "floor.vN")) < 1e-12);
      CHECK(summary.impacts >= 6); /* 5 e^n m/s above g dt = 0.01 m/s */
    }
    recorded_rows_free(&rows);
    say_ball(text, sizeof text, 1);
    if (run(text, schemes[k], 1e-3, 5, ", gap_term = true", &rows, &summary)) {
      CHECK(least(&rows, "floor.gap") >= 0 && summary.impacts == 5);
      CHECK_NEAR(recorded_value(&rows, rows.row_count - 1, "E.total"), 12.5,
                 strcmp(schemes[k], "moreau-explicit") ? 1e-11 : 0.3);
    }
    recorded_rows_free(&rows);
  }
}

/* --- stacks --------------------------------------------------------------------------------------------------------
 */

enum { HIGH = 8 };

/* Balls above each other, the heaviest on top, dropped with gaps between them. */
static void say_stack(char *text, size_t size, double e, double ratio) {
  char *at = text, *end = text + size;
  at += snprintf(at, (size_t)(end - at), "gravity {0, -9.81}\nlocal b = {}\n");
  for (int i = 0; i < HIGH; i++) {
    at += snprintf(at, (size_t)(end - at), "b[%d] = planar_body {'b%d', mass = %g, inertia = %g, position = {0, %g}}\n",
                   i + 1, i, pow(ratio, i / (HIGH - 1.0)), 0.005 * pow(ratio, i / (HIGH - 1.0)), 0.15 + 0.25 * i);
    if (i == 0)
      at += snprintf(at, (size_t)(end - at),
                     "plane_contact {'c0', ground, b[1], normal = {0, 1}, radius = 0.1, mu = 0.3, eN = %g}\n", e);
    else
      at += snprintf(at, (size_t)(end - at),
                     "ball_contact {'c%d', b[%d], b[%d], radius_a = 0.1, radius_b = 0.1, mu = 0.3, eN = %g}\n", i, i,
                     i + 1, e);
  }
}

static void stack_does_not_overlap(void) {
  char text[4096];
  for (int k = 0; k < SCHEMES; k++)
    for (int heavy = 0; heavy < 2; heavy++)
      for (int elastic = 0; elastic < 2; elastic++) {
        recorded_rows rows;
        picus_summary summary;
        const double ratio = heavy ? 1000 : 1;
        say_stack(text, sizeof text, elastic ? 0.4 : 0, ratio);
        if (run(text, schemes[k], 2e-3, 3, ", gap_term = true", &rows, &summary)) {
          double lowest = INFINITY, fastest = 0, highest = 0;
          for (int i = 0; i < HIGH; i++) {
            char name[16];
            snprintf(name, sizeof name, "c%d.gap", i);
            lowest = fmin(lowest, least(&rows, name));
            highest = fmax(highest, fabs(recorded_value(&rows, rows.row_count - 1, name)));
            snprintf(name, sizeof name, "vy_b%d", i);
            fastest = fmax(fastest, fabs(recorded_value(&rows, rows.row_count - 1, name)));
          }
          printf("  %-16s mass ratio %4g, e = %.1f: lowest gap %.1e m, at the end %.1e m, %.1e m/s, energy +%.1e J\n",
                 schemes[k], ratio, elastic ? 0.4 : 0, lowest, highest, fastest, energy_gained(&rows));
          CHECK(lowest > -1e-12 && highest < 1e-10 && fastest < 1e-9);
          if (strcmp(schemes[k], "moreau-explicit") != 0) CHECK(energy_gained(&rows) < 1e-9 * ratio);
        }
        recorded_rows_free(&rows);
      }
}

/* --- curved surfaces ---------------------------------------------------------------------------------------------- */

/* A bead that slides in a circular bowl and back: the gap is not linear. It stays above -C dt^2, and the bead does not
 * rise above its start. */
static void bead_in_a_bowl(void) {
  static const char *const bowl = "gravity {0, -9.81}\nlocal m = particle {'m', mass = 1, position = {-0.999, 0}}\n"
                                  "hole_contact {'bowl', ground, m, point_a = {0, 0}, point_b = {0, 0}, radius_a = 1, "
                                  "radius_b = 1e-3, mu = 0}\n";
  for (int k = 0; k < SCHEMES; k++) {
    double lowest[2] = {0}, gained[2] = {0};
    for (int n = 0; n < 2; n++) {
      recorded_rows rows;
      picus_summary summary;
      if (run(bowl, schemes[k], 4e-3 / (1 << n), 3, ", gap_term = true", &rows, &summary)) {
        lowest[n] = least(&rows, "bowl.gap");
        for (long i = 0; i < rows.row_count; i++)
          gained[n] = fmax(gained[n], recorded_value(&rows, i, "E.total") - recorded_value(&rows, 0, "E.total"));
      }
      recorded_rows_free(&rows);
    }
    printf("  %-16s lowest gap %.2e and %.2e m, energy +%.1e and +%.1e J\n", schemes[k], lowest[0], lowest[1],
           gained[0], gained[1]);
    CHECK(lowest[0] > -4e-3 * 4e-3 * 20 && lowest[1] > -2e-3 * 2e-3 * 20);
    CHECK(gained[1] < 0.05 && gained[1] <= gained[0] + 1e-9);
  }
}

/* --- contacts within reach ---------------------------------------------------------------------------------------- */

/* A row of balls with gaps: the first one is fast, and its impact drives the others on. Contacts that were not within
 * reach before the step are found after the solve. */
static void driven_contacts_are_found(void) {
  char text[4096], *at = text, *end = text + sizeof text;
  at += snprintf(at, (size_t)(end - at), "local b = {}\n");
  for (int i = 0; i < 5; i++)
    at += snprintf(at, (size_t)(end - at),
                   "b[%d] = particle {'b%d', mass = %g, position = {%.17g, 0}, velocity = {%g, 0}}\n", i + 1, i,
                   i ? 1 : 100.0, 0.2002 * i, i ? 0.0 : 50);
  for (int i = 1; i < 5; i++)
    at += snprintf(at, (size_t)(end - at),
                   "ball_contact {'c%d', b[%d], b[%d], radius_a = 0.1, radius_b = 0.1, eN = %g}\n", i, i, i + 1,
                   i % 2 ? 0.0 : 0.5);
  for (int k = 0; k < SCHEMES; k++) {
    recorded_rows rows;
    picus_summary summary;
    if (run(text, schemes[k], 1e-2, 0.5, ", gap_term = true", &rows, &summary))
      for (int i = 1; i < 5; i++) {
        char name[16];
        snprintf(name, sizeof name, "c%d.gap", i);
        if (!CHECK(least(&rows, name) > -1e-12)) printf("  %s %s %g\n", schemes[k], name, least(&rows, name));
      }
    CHECK(energy_gained(&rows) < 1e-8);
    recorded_rows_free(&rows);
  }
}

/* --- overlaps ------------------------------------------------------------------------------------------------------
 */

/* A sphere that overlaps with a wall beside it: gravity has no part along the normal of the wall, and opens it all the
 * same, by no more than it could give in a step. */
static void overlap_with_a_wall_opens(void) {
  static const char *const sphere =
      "gravity {0, 0, -9.81}\nmaterial {'default', mu = 0.3, eN = 0}\n"
      "half_space {'floor', normal = {0, 0, 1}, position = {0, 0, 0}}\n"
      "half_space {'wall', normal = {1, 0, 0}, position = {0, 0, 0}}\n"
      "sphere {'s', suffix = '1', radius = 0.1, density = 1000, position = {%.17g, 0, 0.1}}\n";
  static const double overlaps[] = {1e-8, 1e-6};
  for (int k = 0; k < SCHEMES; k++)
    for (size_t n = 0; n < sizeof overlaps / sizeof *overlaps; n++) {
      char text[1024];
      recorded_rows rows;
      picus_summary summary;
      snprintf(text, sizeof text, sphere, 0.1 - overlaps[n]);
      if (run(text, schemes[k], 1e-3, 0.05, ", gap_term = true", &rows, &summary)) {
        const double x = recorded_value(&rows, rows.row_count - 1, "x1") - 0.1;
        if (!CHECK(x > -1e-12)) printf("  %s, overlap %g: %g\n", schemes[k], overlaps[n], x);
        CHECK(x < 9.81e-3 * 0.05); /* it moves away no faster than g dt */
      }
      recorded_rows_free(&rows);
    }
}

/* --- refusals ------------------------------------------------------------------------------------------------------
 */

static void refused(const char *options, const char *message) {
  char text[1024];
  picus_context *context;
  picus_model *model = NULL;
  picus_system *system = NULL;
  picus_sim *sim = NULL;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  snprintf(text, sizeof text, "%s\nsimulate {dt = 1e-3, t_end = 1, gap_term = true, %s}\n", mass, options);
  picus_status status = picus_model_load_text(context, "gap.lua", text, strlen(text), NULL, &model);
  picus_sim_options o = {0};
  if (!status) status = picus_system_create(model, &system);
  if (!status) o = picus_model_sim_options(model);
  if (!status) status = picus_sim_create(context, system, &o, &sim);
  CHECK(status == PICUS_ERROR_UNSUPPORTED);
  if (!CHECK(strstr(picus_last_error(context)->message, message) != NULL))
    printf("  %s\n", picus_last_error(context)->message);
  picus_sim_destroy(sim);
  picus_system_destroy(system);
  picus_model_destroy(model);
  picus_context_destroy(context);
}

static void schemes_without_it_are_named(void) {
  static const char *const position[] = {"rattle", "moreau-projected", "moreau-combined", "schatzman-paoli"};
  static const char *const forces[] = {"half-explicit", "half-explicit-acc", "half-explicit-rk"};
  char options[64];
  for (size_t k = 0; k < sizeof position / sizeof *position; k++) {
    snprintf(options, sizeof options, "scheme = '%s'", position[k]);
    refused(options, "keeps gaps at position level, so gap_term does not apply to it");
  }
  for (size_t k = 0; k < sizeof forces / sizeof *forces; k++) {
    snprintf(options, sizeof options, "scheme = '%s'", forces[k]);
    refused(options, "works with contact forces, so gap_term does not apply to it");
  }
  refused("scheme = 'moreau', adaptive = true", "an adaptive run locates its impacts and has no gap term");
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"falling_mass_rests_on_the_floor", falling_mass_rests_on_the_floor},
      {"without_it_the_mass_sinks", without_it_the_mass_sinks},
      {"ball_bounces_with_order_1", ball_bounces_with_order_1},
      {"ball_comes_to_rest", ball_comes_to_rest},
      {"stack_does_not_overlap", stack_does_not_overlap},
      {"bead_in_a_bowl", bead_in_a_bowl},
      {"driven_contacts_are_found", driven_contacts_are_found},
      {"overlap_with_a_wall_opens", overlap_with_a_wall_opens},
      {"schemes_without_it_are_named", schemes_without_it_are_named},
  };
  return test_main(argc, argv, "gap_term", cases, (int)(sizeof cases / sizeof *cases));
}
