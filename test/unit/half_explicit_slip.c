/* Half-explicit schemes where the direction of slip turns: they keep their order, and adaptive runs keep their
 * tolerance; against Kutta's solution of the smooth equations of sliding. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>

/* A disk on an incline, Coulomb-Contensou friction: gravity turns the slip, and its spin shares the friction. */
typedef struct sliding_disk {
  double mu, g[3], radius, inertia; /* g: along x and y, and onto the incline; mass 1 */
  double v[3];                      /* vx, vy and spin at the start */
} sliding_disk;

static sliding_disk any_disk(test_random *r) {
  sliding_disk d = {.mu = test_uniform(r, 0.2, 0.6),
                    .g = {test_uniform(r, -2, 2), test_uniform(r, -6, 6), test_uniform(r, 5, 10)},
                    .radius = test_uniform(r, 0.05, 0.2),
                    .inertia = test_uniform(r, 0.002, 0.02),
                    .v = {test_uniform(r, 1.5, 3), test_uniform(r, -2, 2), test_uniform(r, -30, 30)}};
  return d;
}

static void rates(const sliding_disk *d, const double *v, double *a) {
  const double spin = d->radius * v[2], slip = sqrt(v[0] * v[0] + v[1] * v[1] + spin * spin);
  const double F = d->mu * d->g[2] / slip;
  a[0] = d->g[0] - F * v[0];
  a[1] = d->g[1] - F * v[1];
  a[2] = -F * d->radius * spin / d->inertia;
}

/* Positions and velocities at t by Kutta's scheme of order 4, and the least slip until then. */
static double solve(const sliding_disk *d, double t, double *y) {
  enum { STEPS = 20000 };
  static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  const double dt = t / STEPS;
  double least = INFINITY;
  for (int i = 0; i < 3; i++) {
    y[i] = 0;
    y[3 + i] = d->v[i];
  }
  for (int step = 0; step < STEPS; step++) {
    double k[4][6], z[3];
    for (int s = 0; s < 4; s++) {
      for (int i = 0; i < 3; i++) k[s][i] = z[i] = y[3 + i] + (s ? at[s] * dt * k[s - 1][3 + i] : 0);
      rates(d, z, k[s] + 3);
    }
    for (int i = 0; i < 6; i++)
      for (int s = 0; s < 4; s++) y[i] += weight[s] * dt * k[s][i];
    least = fmin(least, sqrt(y[3] * y[3] + y[4] * y[4] + d->radius * d->radius * y[5] * y[5]));
  }
  return least;
}

/* One that slides all the time and does not come close to rest. */
static sliding_disk any_slider(test_random *r, double t, double *y) {
  for (;;) {
    const sliding_disk d = any_disk(r);
    if (solve(&d, t, y) > 0.3) return d;
  }
}

typedef struct base {
  const char *scheme;
  double order;
} base;
static const base bases[] = {{"half-explicit", 2}, {"half-explicit-rk", 3}, {"rattle", 2}};
enum { BASES = sizeof bases / sizeof bases[0] };

/* Error at the end with fixed steps of size dt, or in an adaptive run with this tolerance; NAN: it failed. */
static double run(const sliding_disk *d, const base *b, double t_end, double dt, double tolerance, const double *y) {
  char text[1200];
  snprintf(text, sizeof text,
           "local q, u = coordinates {{'x', velocity = 'vx', start = {0, %.17g}}, {'y', velocity = 'vy', start = {0, "
           "%.17g}},\n  {'phi', velocity = 'w', start = {0, %.17g}}, {'z', velocity = 'vz', start = {0, 0}}}\n"
           "kinetic((u.vx^2 + u.vy^2 + u.vz^2 + %.17g * u.w^2) / 2)\n"
           "potential(-(%.17g) * q.x - (%.17g) * q.y + %.17g * q.z)\n"
           "contact {'incline', gap = q.z, slip = {u.vx, u.vy, %.17g * u.w}, mu = %.17g}\n"
           "simulate {dt = 1e-3, t_end = 1}\n",
           d->v[0], d->v[1], d->v[2], d->inertia, d->g[0], d->g[1], d->g[2], d->radius, d->mu);
  simulation s;
  picus_sim_options o;
  double error = NAN;
  if (!simulation_load_text(&s, text, &o)) return NAN;
  o.scheme = b->scheme;
  o.t_end = t_end;
  o.dt = dt;
  o.adaptive = tolerance > 0;
  o.atol = o.rtol = o.dt_min = tolerance;
  if (simulation_start(&s, &o) && picus_sim_run(s.sim, NULL, NULL, NULL) == PICUS_OK) {
    const picus_state at = picus_sim_state(s.sim);
    error = 0;
    for (int i = 0; i < 3; i++)
      error =
          fmax(error, fmax(fabs(at.q[i] - y[i]) / (1 + fabs(y[i])), fabs(at.u[i] - y[3 + i]) / (1 + fabs(y[3 + i]))));
  }
  simulation_close(&s);
  return error;
}

static void turning_slip_keeps_the_order(void) {
  test_random r = {3};
  for (int c = 0; c < 8; c++) {
    double y[6], dt[3] = {4e-3, 2e-3, 1e-3}, error[3];
    const sliding_disk d = any_slider(&r, 0.5, y);
    for (int b = 0; b < BASES; b++) {
      for (int k = 0; k < 3; k++) error[k] = run(&d, &bases[b], 0.5, dt[k], 0, y);
      const double order = observed_order(3, dt, error);
      if (!CHECK(order > bases[b].order - 0.3))
        printf("  disk %d, %s: %.2e %.2e %.2e, order %.2f\n", c, bases[b].scheme, error[0], error[1], error[2], order);
    }
  }
}

static void adaptive_errors_fall_with_the_tolerance(void) {
  test_random r = {4};
  double worst[BASES][4] = {{0}};
  for (int c = 0; c < 25; c++) {
    double y[6];
    const sliding_disk d = any_slider(&r, 0.5, y);
    for (int b = 0; b < BASES; b++)
      for (int k = 0; k < 4; k++) {
        const double tolerance = pow(10, -5 - 2 * k), error = run(&d, &bases[b], 0.5, 1e-3, tolerance, y);
        worst[b][k] = fmax(worst[b][k], error / tolerance);
        if (!CHECK(error <= 100 * tolerance)) printf("  disk %d, %s, %g: %.2e\n", c, bases[b].scheme, tolerance, error);
      }
  }
  for (int b = 0; b < BASES; b++)
    printf("  %-16s errors over tolerance 1e-5 ... 1e-11: %.2g %.2g %.2g %.2g\n", bases[b].scheme, worst[b][0],
           worst[b][1], worst[b][2], worst[b][3]);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"turning_slip_keeps_the_order", turning_slip_keeps_the_order},
      {"adaptive_errors_fall_with_the_tolerance", adaptive_errors_fall_with_the_tolerance},
  };
  return test_main(argc, argv, "half_explicit_slip", cases, (int)(sizeof cases / sizeof *cases));
}
