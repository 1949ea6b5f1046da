/* Order of rattle where directions turn: slip in two and three dimensions, a knife edge. With slip directions in the
 * mean of a step the order is 2, with those of the paper at its end 1; references are closed forms, Runge-Kutta
 * solutions of the smooth equations of sliding, and the tables of the shipped models. */
#include "support/check.h"
#include "support/reference.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>

enum { NUMBERS_MOST = 8, SIZES = 4 };

typedef struct turning {
  const char *name, *text;
  double t_end, dt; /* largest step; halved SIZES - 1 times */
  int count;        /* of coordinates to compare, then as many velocities */
  void (*solution)(double t, double *qu);
  double most_error; /* at the smallest step */
  double end_order;  /* of the paper's rule */
} turning;

/* --- the smooth equations of sliding ------------------------------------------------------------------------------ */

typedef void (*rate_fn)(const double *y, double *rate);

/* Kutta's scheme of order 4 with so many steps that its error is below 1e-11. */
static void integrate(int n, rate_fn rate, double t, double *y) {
  enum { STEPS = 20000 };
  double k[4][NUMBERS_MOST], z[NUMBERS_MOST], dt = t / STEPS;
  static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  for (int step = 0; step < STEPS; step++) {
    for (int s = 0; s < 4; s++) {
      for (int i = 0; i < n; i++) z[i] = y[i] + (s ? at[s] * dt * k[s - 1][i] : 0);
      rate(z, k[s]);
    }
    for (int i = 0; i < n; i++)
      for (int s = 0; s < 4; s++) y[i] += weight[s] * dt * k[s][i];
  }
}

/* A mass on an incline, pushed across it: friction opposes the velocity, which gravity turns downhill. */
static const char incline_text[] =
    "model('incline', 'a mass is pushed across an incline')\n"
    "local q, u = coordinates {{'x', velocity = 'vx', start = {0, 1}},\n"
    "  {'y', velocity = 'vy', start = {0, 0.2}}, {'z', velocity = 'vz', start = {0, 0}}}\n"
    "kinetic((u.vx^2 + u.vy^2 + u.vz^2) / 2)\n"
    "potential(5 * q.y + 8 * q.z)\n"
    "contact {'incline', gap = q.z, slip = {u.vx, u.vy}, mu = 0.5}\n"
    "simulate {scheme = 'rattle', dt = 1e-3, t_end = 1}\n";
static void incline_rate(const double *y, double *rate) {
  double v = sqrt(y[2] * y[2] + y[3] * y[3]);
  rate[0] = y[2];
  rate[1] = y[3];
  rate[2] = -4 * y[2] / v;
  rate[3] = -4 * y[3] / v - 5;
}
static void incline_solution(double t, double *y) {
  y[0] = y[1] = 0;
  y[2] = 1;
  y[3] = 0.2;
  integrate(4, incline_rate, t, y);
}

/* A disk that slides and spins, Coulomb-Contensou friction: the ratio of both changes. */
static const char disk_text[] = "model('disk', 'a disk slides and spins')\n"
                                "local q, u = coordinates {{'x', velocity = 'vx', start = {0, 2}},\n"
                                "  {'phi', velocity = 'w', start = {0, 20}}, {'y', velocity = 'vy', start = {0, 0}},\n"
                                "  {'z', velocity = 'vz', start = {0, 0}}}\n"
                                "kinetic((u.vx^2 + u.vy^2 + u.vz^2 + 0.005 * u.w^2) / 2)\n"
                                "potential(9.81 * q.z)\n"
                                "contact {'floor', gap = q.z, slip = {u.vx, u.vy, 0.1 * u.w}, mu = 0.3}\n"
                                "simulate {scheme = 'rattle', dt = 1e-3, t_end = 0.5}\n";
static void disk_rate(const double *y, double *rate) {
  double slip = sqrt(y[2] * y[2] + 0.01 * y[3] * y[3]);
  rate[0] = y[2];
  rate[1] = y[3];
  rate[2] = -0.3 * 9.81 * y[2] / slip;
  rate[3] = -0.3 * 9.81 * 0.01 * y[3] / slip / 0.005;
}
static void disk_solution(double t, double *y) {
  y[0] = y[1] = 0;
  y[2] = 2;
  y[3] = 20;
  integrate(4, disk_rate, t, y);
}

/* A skate on an incline: it turns at a constant rate, and moves along its edge only. */
static const char skate_text[] = "model('skate', 'a knife edge on an incline')\n"
                                 "local q, u = coordinates {{'x', velocity = 'vx', start = {0, 0.5}},\n"
                                 "  {'y', velocity = 'vy', start = {0, 0}}, {'phi', velocity = 'w', start = {0, 2}}}\n"
                                 "kinetic((u.vx^2 + u.vy^2 + 0.3 * u.w^2) / 2)\n"
                                 "potential(-3 * q.x)\n"
                                 "constraint {'edge', velocity = sin(q.phi) * u.vx - cos(q.phi) * u.vy}\n"
                                 "simulate {scheme = 'rattle', dt = 1e-3, t_end = 2}\n";
static void skate_solution(double t, double *y) {
  const double w = 2, a = 3, v0 = 0.5, phi = w * t; /* v = v0 + a / w sin(phi) along (cos(phi), sin(phi)) */
  y[0] = v0 / w * sin(phi) + a / (4 * w * w) * (1 - cos(2 * phi));
  y[1] = v0 / w * (1 - cos(phi)) + a / (2 * w * w) * (phi - 0.5 * sin(2 * phi));
  y[2] = phi;
  const double v = v0 + a / w * sin(phi);
  y[3] = v * cos(phi);
  y[4] = v * sin(phi);
  y[5] = w;
}

static const turning incline = {"incline", incline_text, 1, 0.02, 2, incline_solution, 5e-5, 1};
static const turning disk = {"contensou", disk_text, 0.4, 0.01, 2, disk_solution, 2e-5, 1};
static const turning skate = {"skate", skate_text, 2, 0.02, 3, skate_solution, 1e-5, 1};

/* --- orders ------------------------------------------------------------------------------------------------------- */

/* Error at the end of the run; NAN if it fails. */
static double error_of(const turning *c, const picus_sim_options *changes, long *base_steps) {
  simulation s;
  picus_sim_options options;
  picus_summary summary = {0};
  double exact[NUMBERS_MOST], error = NAN;
  if (!simulation_load_text(&s, c->text, &options)) return NAN;
  picus_implicit_options implicit = options.implicit;
  options = *changes;
  options.scheme = "rattle";
  options.t_end = c->t_end;
  implicit.slip_direction = changes->implicit.slip_direction;
  options.implicit = implicit;
  if (simulation_start(&s, &options) && picus_sim_run(s.sim, NULL, NULL, &summary) == PICUS_OK) {
    picus_state state = picus_sim_state(s.sim);
    c->solution(c->t_end, exact);
    error = 0;
    for (int i = 0; i < c->count; i++) {
      error = fmax(error, fabs(state.q[i] - exact[i]));
      error = fmax(error, fabs(state.u[i] - exact[c->count + i]));
    }
    CHECK(summary.gaps.penetration <= 1e-12);
  }
  *base_steps = summary.adaptive.base_steps;
  simulation_close(&s);
  return error;
}

static double order_with(const turning *c, picus_slip_direction direction, double *last) {
  double dt[SIZES], error[SIZES];
  long unused = 0;
  for (int k = 0; k < SIZES; k++) {
    picus_sim_options options = picus_default_sim_options();
    options.dt = dt[k] = c->dt / pow(2, k);
    options.implicit.slip_direction = direction;
    error[k] = error_of(c, &options, &unused);
  }
  double order = observed_order(SIZES, dt, error);
  printf("  %-10s %-4s: errors %.2e ... %.2e for dt = %.2g ... %.2g, order %.2f\n", c->name,
         picus_slip_direction_name((int)direction), error[0], error[SIZES - 1], dt[0], dt[SIZES - 1], order);
  *last = error[SIZES - 1];
  return order;
}

static void check_turning(const turning *c) {
  double last, end;
  double order = order_with(c, PICUS_SLIP_MEAN, &last);
  CHECK(order > 1.9 && order < 2.15);
  CHECK(last < c->most_error);
  order = order_with(c, PICUS_SLIP_END, &end);
  CHECK_NEAR(order, c->end_order, 0.15);
  double tolerance = 1e-6, before = INFINITY;
  for (; tolerance > 1e-11; tolerance *= 1e-2) { /* the error falls with the tolerance */
    picus_sim_options options = picus_default_sim_options();
    options.adaptive = true;
    options.dt_min = 1e-7;
    options.dt_max = 0.1;
    options.atol = options.rtol = tolerance;
    long base_steps = 0;
    double error = error_of(c, &options, &base_steps);
    printf("  %-10s adaptive, tolerance %.0e: error %.2e with %ld base steps\n", c->name, tolerance, error, base_steps);
    CHECK(error < 30 * tolerance && (error < before || error < 1e-10) && base_steps < 5000);
    before = error;
  }
}

static void mass_on_an_incline(void) { check_turning(&incline); }
static void contensou_disk(void) { check_turning(&disk); }
static void knife_edge(void) { check_turning(&skate); }

/* --- shipped models ----------------------------------------------------------------------------------------------- */

typedef struct shipped {
  const char *model, *reference;
  double sample, t_end, dt;
  const char *columns[4][2];
  double most_error;
} shipped;

static double shipped_error(const shipped *c, double dt) {
  simulation s;
  picus_sim_options options;
  picus_summary summary;
  recorded_rows rows = {0};
  reference_table *table = reference_read(c->reference);
  double largest = NAN;
  if (table && simulation_load(&s, c->model, "", &options)) {
    options.scheme = "rattle";
    options.dt = dt;
    options.t_end = c->t_end;
    options.sample = c->sample;
    options.every = 0;
    if (simulation_start(&s, &options) && simulation_run(&s, &rows, &summary)) largest = 0;
    for (long k = 0; k < rows.row_count; k++)
      for (int i = 0; i < 4 && c->columns[i][0]; i++) {
        double error = recorded_value(&rows, k, c->columns[i][0]) - reference_value(table, k, c->columns[i][1]);
        largest = fmax(largest, fabs(error));
      }
    recorded_rows_free(&rows);
  }
  simulation_close(&s);
  reference_free(table);
  return largest;
}

static void check_shipped(const shipped *c) {
  double dt[SIZES], error[SIZES];
  for (int k = 0; k < SIZES; k++) error[k] = shipped_error(c, dt[k] = c->dt / pow(2, k));
  double order = observed_order(SIZES, dt, error);
  printf("  %s: errors %.2e ... %.2e for dt = %.2g ... %.2g, order %.2f\n", c->model, error[0], error[SIZES - 1], dt[0],
         dt[SIZES - 1], order);
  CHECK(order > 1.9 && order < 2.2 && error[SIZES - 1] < c->most_error);
}

static void sliding_mass(void) {
  static const shipped c = {"sliding-mass", "sliding_point_mass.csv", 0.04, 4, 2.5e-3, {{"x", "x"}, {"y", "y"}}, 2e-6};
  check_shipped(&c);
}

static void tippedisk(void) {
  static const shipped c = {
      "tippedisk", "tippedisk_mu0.3.csv", 0.01, 1, 2e-3, {{"x", "x"}, {"z", "z"}, {"beta", "beta"}, {"p0", "p0"}},
      1e-3};
  check_shipped(&c);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"mass_on_an_incline", mass_on_an_incline},
                                    {"contensou_disk", contensou_disk},
                                    {"knife_edge", knife_edge},
                                    {"sliding_mass", sliding_mass},
                                    {"tippedisk", tippedisk}};
  return test_main(argc, argv, "rattle_slip", cases, (int)(sizeof cases / sizeof *cases));
}
