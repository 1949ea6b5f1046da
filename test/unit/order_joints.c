/* What the schemes promise for motion that only joints constrain: Moreau's and the implicit schemes hold constraints at
 * velocity level with W at one point of the step, which costs an order; without constraints theta = 1/2 has order 2.
 * `picus help` and the documents say so. */
#include "support/check.h"
#include "support/simulate.h"
#include "support/study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A double pendulum of rods with minimal coordinates, and the same rods as bodies with joints. */
static const char by_angles[] =
    "local q, u = coordinates { { 'a', velocity = 'va', start = 1 }, { 'b', velocity = 'vb', start = 1.8 } }\n"
    "local x1, y1 = 0.5 * sin(q.a), -0.5 * cos(q.a)\n"
    "local x2, y2 = sin(q.a) + 0.5 * sin(q.b), -cos(q.a) - 0.5 * cos(q.b)\n"
    "kinetic(u.va^2 / 6 + u.va^2 / 2 + u.vb^2 / 6 + u.va * u.vb * cos(q.a - q.b) / 2)\n"
    "potential(9.81 * (y1 + y2))\n"
    "observe { 'x', x2 }\n"
    "observe { 'y', y2 }\n"
    "simulate { dt = 0.01, t_end = 0.5, sample = 0.5 }\n";
static const char by_joints[] =
    "gravity { 0, -9.81 }\n"
    "local x1, y1 = 0.5 * sin(1), -0.5 * cos(1)\n"
    "local x2, y2 = sin(1) + 0.5 * sin(1.8), -cos(1) - 0.5 * cos(1.8)\n"
    "local first = planar_body { 'first', mass = 1, inertia = 1 / 12, position = { x1, y1 }, angle = 1 }\n"
    "local second = planar_body { 'second', mass = 1, inertia = 1 / 12, position = { x2, y2 }, angle = 1.8 }\n"
    "revolute { 'hip', ground, first, at = { 0, 0 } }\n"
    "revolute { 'knee', first, second, at = { sin(1), -cos(1) } }\n"
    "local q = coordinates {}\n"
    "observe { 'x', q.x_second }\n"
    "observe { 'y', q.y_second }\n"
    "simulate { dt = 0.01, t_end = 0.5, sample = 0.5 }\n";

/* Where the second rod's centre is at the end. */
static bool end_point(const char *text, const char *scheme, double dt, double *x, double *y) {
  simulation s;
  picus_sim_options options;
  recorded_rows rows = {0};
  bool done = simulation_load_text(&s, text, &options);
  options.scheme = scheme;
  options.dt = dt;
  done = done && simulation_start(&s, &options) && simulation_run(&s, &rows, NULL);
  *x = done ? recorded_value(&rows, rows.row_count - 1, "x") : NAN;
  *y = done ? recorded_value(&rows, rows.row_count - 1, "y") : NAN;
  recorded_rows_free(&rows);
  simulation_close(&s);
  return done;
}

static void check_order(const char *text, const char *label, const char *scheme, double order) {
  double x0, y0, dt[STUDY_SIZES], error[STUDY_SIZES];
  REQUIRE(end_point(by_angles, "rattle", 2e-5, &x0, &y0));
  for (int i = 0; i < STUDY_SIZES; i++) {
    double x, y;
    dt[i] = 0.01 / study_factors[i];
    REQUIRE(end_point(text, scheme, dt[i], &x, &y));
    error[i] = hypot(x - x0, y - y0);
  }
  printf("  %s, %s:\n", scheme, label);
  study_check_order("error", dt, error, order - 0.15, order + 0.15);
}

static void joints_cost_an_order(void) {
  const char *const schemes[] = {"moreau-jean", "moreau-projected", "moreau-combined", "schatzman-paoli"};
  for (int i = 0; i < 4; i++) {
    check_order(by_angles, "angles", schemes[i], 2);
    check_order(by_joints, "joints", schemes[i], 1);
  }
  check_order(by_joints, "joints", "moreau-explicit", 1);
  check_order(by_joints, "joints", "rattle", 2);
  check_order(by_joints, "joints", "half-explicit", 2);
}

/* No scheme with order 1 under constraints promises order 2 in all smooth motion. */
static void descriptions_promise_order_two_in_free_motion_only(void) {
  for (int i = 0; picus_scheme_at(i); i++) {
    const picus_scheme_description *scheme = picus_scheme_at(i);
    if (strcmp(scheme->name, "rattle") == 0 || strncmp(scheme->name, "half-explicit", 13) == 0) continue;
    if (strcmp(scheme->name, "trapezoidal-position") == 0) continue; /* promises nothing */
    CHECK(strstr(scheme->summary, "order 1") != NULL);
    CHECK(strstr(scheme->summary, "smooth") == NULL);
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"joints_cost_an_order", joints_cost_an_order},
      {"descriptions_promise_order_two_in_free_motion_only", descriptions_promise_order_two_in_free_motion_only},
  };
  return test_main(argc, argv, "order_joints", cases, sizeof cases / sizeof cases[0]);
}
