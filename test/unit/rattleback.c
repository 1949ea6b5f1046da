/* The rattleback against the equations of an ellipsoid that rolls without slip: with n the vertical and w the angular
 * velocity in the frame of the body, s(n) the lowest point and v = -w x s,
 *
 *   J w' + w x J w = s x (m (v' + w x v) + m g n),  n' = -w x n,
 *
 * integrated here with the classical method of order 4. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>

typedef struct vec {
  double x[3];
} vec;

static const vec squares = {{0.2 * 0.2, 0.03 * 0.03, 0.02 * 0.02}};
static const double J[3][3] = {{2e-4, -2e-5, 0}, {-2e-5, 1.6e-3, 0}, {0, 0, 1.7e-3}}, mass = 1, gravity = 9.81;

static vec cross(vec a, vec b) {
  return (vec){
      {a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2], a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
}
static double dot(vec a, vec b) { return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2]; }
static vec along(vec a, double s, vec b) {
  return (vec){{a.x[0] + s * b.x[0], a.x[1] + s * b.x[1], a.x[2] + s * b.x[2]}};
}
static vec times(vec d, vec a) { return (vec){{d.x[0] * a.x[0], d.x[1] * a.x[1], d.x[2] * a.x[2]}}; }
static const vec zero;

/* M x = b by Cramer's rule; columns of M. */
static vec solve(const vec M[3], vec b) {
  const double whole = dot(M[0], cross(M[1], M[2]));
  return (vec){
      {dot(b, cross(M[1], M[2])) / whole, dot(M[0], cross(b, M[2])) / whole, dot(M[0], cross(M[1], b)) / whole}};
}

typedef struct stone {
  vec n, w;
} stone;

static stone rate(stone y) {
  const vec turn = cross(y.n, y.w); /* n' */
  const double h = sqrt(dot(y.n, times(squares, y.n)));
  const vec top = along(zero, 1 / h, times(squares, y.n)), s = along(zero, -1, top);
  const vec s_rate = along(along(zero, -1 / h, times(squares, turn)), dot(top, turn) / h, top);
  /* v' = -w' x s - w x s': what does not contain w' */
  vec pull = along(zero, mass, cross(s_rate, y.w));
  pull = along(pull, mass, cross(y.w, cross(s, y.w)));
  pull = along(pull, mass * gravity, y.n);
  vec Jw = zero, M[3];
  for (int k = 0; k < 3; k++) {
    const vec column = {{J[0][k], J[1][k], J[2][k]}}, unit = {{k == 0, k == 1, k == 2}};
    Jw = along(Jw, y.w.x[k], column);
    M[k] = along(column, -mass, cross(s, cross(s, unit)));
  }
  return (stone){turn, solve(M, along(cross(s, pull), -1, cross(y.w, Jw)))};
}

static stone plus(stone y, double h, stone d) { return (stone){along(y.n, h, d.n), along(y.w, h, d.w)}; }

/* The spin at whole seconds. */
static void integrate(double h, int seconds, double *spin) {
  const double angle = 3.14159265358979323846 / 180;
  stone y = {{{0, sin(angle), cos(angle)}}, {{0, -5 * sin(angle), -5 * cos(angle)}}};
  const long steps = lround(1 / h);
  for (int second = 0; second < seconds; second++) {
    for (long k = 0; k < steps; k++) {
      const stone a = rate(y), b = rate(plus(y, h / 2, a)), c = rate(plus(y, h / 2, b)), d = rate(plus(y, h, c));
      y = plus(plus(plus(plus(y, h / 6, a), h / 3, b), h / 3, c), h / 6, d);
    }
    spin[second] = dot(y.n, y.w);
  }
}

/* The spin at the end of a run, with fixed steps, or with dt = 0 adaptive. */
static bool run(double dt, double t_end, double *spin, picus_summary *summary) {
  simulation s;
  picus_sim_options options;
  recorded_rows rows = {0};
  const adaptive_run exact = {
      .dt_min = 1e-6, .dt_max = 0.01, .tolerance = 1e-8, .t_end = t_end, .sample = t_end, .scheme = "rattle"};
  bool done =
      dt > 0 ? simulation_load(&s, "rattleback", "", &options) : simulation_open_adaptive(&s, "rattleback", "", exact);
  if (dt > 0) {
    options.dt = dt;
    options.t_end = t_end;
    done = done && simulation_start(&s, &options);
  }
  done = done && simulation_run(&s, &rows, summary);
  if (done) *spin = recorded_value(&rows, rows.row_count - 1, "spin");
  recorded_rows_free(&rows);
  simulation_close(&s);
  return done;
}

/* It turns back, and both integrations agree with each other and with the figure in the manual. */
static void turns_back(void) {
  double coarse[10], fine[10], spin;
  integrate(2e-4, 10, coarse);
  integrate(1e-4, 10, fine);
  CHECK_NEAR(coarse[9], fine[9], 1e-6);
  CHECK_NEAR(fine[9], 4.96835, 1e-5);
  picus_summary summary;
  REQUIRE(run(0, 5, &spin, &summary));
  printf("  adaptive: wrong by %.1e rad/s at 5 s\n", spin - fine[4]);
  CHECK_NEAR(spin, fine[4], 1e-7);
  CHECK(summary.gaps.penetration < 1e-12);
}

/* Fixed steps: of order 2. */
static void of_order_two(void) {
  double exact[4], error[2];
  integrate(2e-4, 4, exact);
  for (int k = 0; k < 2; k++) {
    double spin;
    picus_summary summary;
    REQUIRE(run(5e-4 / (1 << k), 4, &spin, &summary));
    error[k] = fabs(spin - exact[3]);
  }
  printf("  errors %.2e %.2e\n", error[0], error[1]);
  CHECK(error[0] / error[1] > 3.5 && error[0] / error[1] < 4.5);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"turns_back", turns_back}, {"of_order_two", of_order_two}};
  return test_main(argc, argv, "rattleback", cases, (int)(sizeof cases / sizeof *cases));
}
