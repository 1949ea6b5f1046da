/* Forces that name displacements of flexible components, in implicit schemes: exact tangents over all parts, as one
 * sparse matrix. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A planar body, a spatial body with a quaternion, two beams and a bar, coupled by everything that forces can contain.
 */
static const char tangled[] =
    "local a = planar_body {'a', mass = 2, inertia = 0.3, position = {0.3, 0.1}, angle = 0.2, velocity = {0.1, 0.4}}\n"
    "local s = spatial_body {'s', mass = 3, inertia = {0.3, 0.4, 0.5}, position = {1, 1, 1}, axis = {0, 0, 1},\n"
    "  angle = 0.4, omega = {1, 2, 3}}\n"
    "local q, u = coordinates {{'z', velocity = 'w', start = 0.1}}\n"
    "kinetic(u.w^2)\n"
    "local b = beam {'b', length = 1, elements = 4, circle = 0.02, density = 7800, young = 2e9, supports = {{0, "
    "'clamped'}}}\n"
    "local c = beam {'c', spatial = true, length = 1, elements = 3, circle = 0.02, density = 7800, young = 2e9,\n"
    "  supports = {{0, 'clamped'}}}\n"
    "local r = bar {'r', length = 1, elements = 3, area = 1e-4, density = 7800, young = 2e9}\n"
    "local x, y = a:point {0.1, 0.2}\n"
    "local X, Y, Z = s:point {0.1, 0.2, 0.3}\n"
    "local vX, vY = s:velocity {0.1, 0.2, 0.3}\n"
    "potential(50 * (x - b.ux[2])^2 * (y - b.uy[4])^2 + 20 * (X - c.uz[3])^4 + 10 * (b.uy[3] - c.uy[2])^2 * Y^2)\n"
    "potential(30 * sin(r.x[2]) * q.z + 5 * r.x[0]^4)\n"
    "dissipation(4 * (vX - b.vy[4])^2 * (1 + b.uy[4]^2) + 3 * (u.w - r.v[1])^2)\n"
    "force {['c.ry2'] = -3 * c.wx[2] * c.wz[2] * Z, ['b.ux3'] = u.w * b.vx[3] * x, w = 2 * c.rx[3] * b.vy[1]}\n"
    "simulate {scheme = 'moreau-jean', theta = 0.5, dt = 1e-3, t_end = 0.01}\n";

typedef struct state {
  int nq, nu;
  double *q, *u, *plus, *minus;
} state;

static state scattered(const picus_system *system, unsigned seed) {
  const int nq = picus_system_nq(system), nu = picus_system_nu(system);
  state s = {nq, nu, calloc((size_t)nq, 8), calloc((size_t)nu, 8), calloc((size_t)nu, 8), calloc((size_t)nu, 8)};
  if (!CHECK(s.q && s.u && s.plus && s.minus)) exit(1);
  picus_system_start(system, s.q, s.u);
  unsigned long long r = seed;
  for (int i = 0; i < nq + nu; i++) {
    r = r * 6364136223846793005ULL + 1442695040888963407ULL;
    const double d = (double)(r >> 40) / 16777216.0 - 0.5;
    if (i < nq)
      s.q[i] += d;
    else
      s.u[i - nq] += d;
  }
  return s;
}

static void release(state *s) { free(s->q), free(s->u), free(s->plus), free(s->minus); }

/* Every entry of dh/dq and dh/du against central differences. */
static void derivatives_are_exact(void) {
  simulation x;
  if (!simulation_open_text(&x, tangled)) return;
  picus_evaluation *e = NULL;
  REQUIRE(picus_evaluation_create(x.context, x.system, &e) == PICUS_OK);
  double worst = 0, largest = 0;
  for (unsigned seed = 1; seed <= 3; seed++) {
    state s = scattered(x.system, seed);
    double *by_q = calloc((size_t)(s.nu * s.nq), 8), *by_u = calloc((size_t)(s.nu * s.nu), 8);
    REQUIRE(by_q && by_u);
    picus_evaluation_set_point(e, 0, s.q, s.u);
    CHECK(picus_evaluate_force_jacobian(e, by_q, by_u) == PICUS_OK);
    for (int j = 0; j < s.nq + s.nu; j++) {
      double *v = j < s.nq ? &s.q[j] : &s.u[j - s.nq], old = *v, d = 1e-6;
      *v = old + d;
      picus_evaluation_set_point(e, 0, s.q, s.u);
      CHECK(picus_evaluate_force(e, s.plus) == PICUS_OK);
      *v = old - d;
      picus_evaluation_set_point(e, 0, s.q, s.u);
      CHECK(picus_evaluate_force(e, s.minus) == PICUS_OK);
      *v = old;
      for (int i = 0; i < s.nu; i++) {
        const double slope = (s.plus[i] - s.minus[i]) / (2 * d);
        const double exact = j < s.nq ? by_q[i * s.nq + j] : by_u[i * s.nu + j - s.nq];
        worst = fmax(worst, fabs(slope - exact) / (1 + 1e-6 * fmax(fabs(s.plus[i]), fabs(s.minus[i])) + fabs(exact)));
        largest = fmax(largest, fabs(exact));
      }
    }
    free(by_q), free(by_u), release(&s);
  }
  printf("  largest error of a derivative, relative: %.2g (entries up to %.2g)\n", worst, largest);
  CHECK(worst < 1e-4);
  picus_evaluation_destroy(e);
  simulation_close(&x);
}

/* Displacements at the end of a run; the average of Newton's iterations in a step. */
static double *end_of(const char *text, const char *scheme, double dt, double *iterations, int *count) {
  simulation x;
  picus_sim_options options;
  double *q = NULL;
  if (!simulation_load_text(&x, text, &options)) return NULL;
  options.scheme = scheme;
  options.dt = dt;
  if (simulation_start(&x, &options)) {
    const long steps = lround(options.t_end / dt);
    double sum = 0;
    for (long k = 0; k < steps; k++) {
      picus_step_info info;
      if (!CHECK(picus_sim_step(x.sim, dt, &info) == PICUS_OK)) {
        printf("  %s: %s\n", scheme, picus_last_error(x.context)->message);
        break;
      }
      sum += info.implicit.newton_iterations;
    }
    *count = picus_system_nq(x.system);
    q = calloc((size_t)*count, sizeof *q);
    if (!CHECK(q != NULL)) exit(1);
    memcpy(q, picus_sim_state(x.sim).q, (size_t)*count * sizeof *q);
    if (iterations) *iterations = sum / (double)steps;
  }
  simulation_close(&x);
  return q;
}

static double distance(const double *a, const double *b, int n) {
  double worst = 0;
  for (int i = 0; a && b && i < n; i++) worst = fmax(worst, fabs(a[i] - b[i]));
  return worst;
}

/* Implicit schemes agree with the explicit one at a small step, with their orders. */
static void schemes_agree(void) {
  static const struct {
    const char *scheme;
    double order;
  } cases[] = {
      {"moreau-jean", 2}, {"moreau-projected", 2}, {"moreau-combined", 2}, {"rattle", 2}, {"schatzman-paoli", 2}};
  int n = 0;
  double *reference = end_of(tangled, "moreau", 2.5e-7, NULL, &n);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    double dt[3], error[3], iterations = 0;
    for (int i = 0; i < 3; i++) {
      dt[i] = 1e-4 / (1 << i);
      double *q = end_of(tangled, cases[k].scheme, dt[i], &iterations, &n);
      error[i] = distance(q, reference, n);
      free(q);
    }
    const double order = observed_order(3, dt, error);
    printf("  %-17s errors %.2e %.2e %.2e, order %.2f, %.2f iterations\n", cases[k].scheme, error[0], error[1],
           error[2], order, iterations);
    CHECK(order > cases[k].order - 0.2);
    CHECK(iterations < 4);
  }
  free(reference);
}

/* A cantilever whose tip carries a spring to a sprung mass: the frequencies are those with the matrices of a framework
 * that has the same springs itself. Here only implicit steps of the tip are compared, to round-off. */
static void spring_by_formula_equals_spring_of_beam(void) {
  static const char head[] =
      "local k, d = 4e3, 30\n"
      "local b = beam {'b', length = 1, elements = 6, circle = 0.02, density = 7800, young = 2e11, supports = {{0, "
      "'clamped'}}, velocity_start = {uy = 0.1}%s}\n%s"
      "simulate {scheme = 'moreau-jean', theta = 0.5, dt = 1e-3, t_end = 0.05}\n";
  char inside[600], outside[600];
  snprintf(inside, sizeof inside, head, ", springs = {{6, stiffness = {uy = k}, damping = {uy = d}}}", "");
  snprintf(outside, sizeof outside, head, "", "potential(k * b.uy[6]^2 / 2)\ndissipation(d * b.vy[6]^2 / 2)\n");
  static const char *const schemes[] = {"moreau-jean", "moreau-projected", "moreau-combined"};
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    int n = 0;
    double *a = end_of(inside, schemes[i], 1e-3, NULL, &n), *b = end_of(outside, schemes[i], 1e-3, NULL, &n);
    printf("  %s: difference %.2g of %.2g\n", schemes[i], distance(a, b, n), fabs(a ? a[n - 2] : 0));
    CHECK(distance(a, b, n) < 1e-13);
    free(a), free(b);
  }
}

/* A long beam on a body: time and memory grow in proportion to the number of elements. */
static void growth_is_linear(void) {
  double seconds[3], bytes[3];
  const int elements[3] = {2500, 5000, 10000};
  for (int i = 0; i < 3; i++) {
    char text[900];
    snprintf(text, sizeof text,
             "local N = %d\n"
             "local m = particle {'m', mass = 1, position = {0.5, -0.2}}\n"
             "local b = beam {'b', length = 1, elements = N, circle = 0.01, density = 7800, young = 2e11, "
             "supports = {{0, 'clamped'}, {N, 'clamped'}}, record = {N // 2}}\n"
             "local x, y = m:point()\n"
             "potential(1e4 * (x - 0.5 - b.ux[N // 2])^2 + 1e4 * (y + 0.2 - b.uy[N // 2])^2 + 9.81 * y)\n"
             "simulate {scheme = 'moreau-jean', theta = 0.5, dt = 1e-4, t_end = 1}\n",
             elements[i]);
    simulation x;
    if (!simulation_open_text(&x, text)) return;
    picus_step_info info;
    CHECK(picus_sim_step(x.sim, 1e-4, &info) == PICUS_OK); /* the factor of the first step */
    const clock_t begin = clock();
    for (int k = 0; k < 60; k++)
      if (!CHECK(picus_sim_step(x.sim, 1e-4, &info) == PICUS_OK)) break;
    seconds[i] = (double)(clock() - begin) / CLOCKS_PER_SEC / 60;
    bytes[i] = (double)picus_context_memory(x.context);
    printf("  %5d elements: %.3f ms a step, %.0f bytes an element\n", elements[i], 1e3 * seconds[i],
           bytes[i] / elements[i]);
    simulation_close(&x);
  }
  CHECK(bytes[2] < 2.2 * bytes[1] && bytes[1] < 2.2 * bytes[0]);
  CHECK(seconds[2] < 8 * seconds[0]); /* quadratic growth would be a factor of 16 */
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"derivatives_are_exact", derivatives_are_exact},
      {"schemes_agree", schemes_agree},
      {"spring_by_formula_equals_spring_of_beam", spring_by_formula_equals_spring_of_beam},
      {"growth_is_linear", growth_is_linear},
  };
  return test_main(argc, argv, "node_forces", cases, sizeof cases / sizeof cases[0]);
}
