/* Static equilibria with friction against closed forms, and the conditions of equilibrium for random systems. */
#include "support/allocations.h"
#include "support/check.h"

#include <math.h>
#include <picus/picus.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
enum { MOST = 400 };

typedef struct rest {
  picus_context *context;
  picus_model *model;
  picus_system *system;
  picus_sim *sim;
  double q[MOST], force[MOST];
} rest;

static void close_rest(rest *r) {
  picus_sim_destroy(r->sim);
  picus_system_destroy(r->system);
  picus_model_destroy(r->model);
  CHECK(picus_context_memory(r->context) == 0);
  picus_context_destroy(r->context);
}

static picus_status find_rest(rest *r, const char *text) {
  *r = (rest){0};
  if (!CHECK(picus_context_create(NULL, &r->context) == PICUS_OK)) return PICUS_ERROR_MEMORY;
  picus_status status = picus_model_load_text(r->context, "m.lua", text, strlen(text), NULL, &r->model);
  if (!status) status = picus_system_create(r->model, &r->system);
  picus_sim_options options = picus_default_sim_options();
  options.scheme = "moreau-jean", options.dt = 1e-3, options.t_end = 1;
  if (!status) status = picus_sim_create(r->context, r->system, &options, &r->sim);
  return status ? status : picus_sim_find_equilibrium(r->sim, r->q, r->force);
}

static bool rests_in(rest *r, const char *format, va_list arguments) {
  static char text[20000];
  vsnprintf(text, sizeof text, format, arguments);
  if (CHECK(find_rest(r, text) == PICUS_OK)) return true;
  printf("  %s\n", picus_last_error(r->context)->message);
  return false;
}

static bool rests(rest *r, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  bool found = rests_in(r, format, arguments);
  va_end(arguments);
  return found;
}

static double of(const rest *r, const char *name) {
  for (int i = 0; i < picus_system_nq(r->system); i++)
    if (strcmp(picus_system_q_name(r->system, i), name) == 0) return r->q[i];
  CHECK(false);
  return NAN;
}

/* A block on a slope: friction alone holds it. On a steeper slope nothing does, and the message says so. */
static void slope(void) {
  const char *text = "local q, u = coordinates {{'x', velocity = 'v', start = 0.3}, {'y', velocity = 'w'}}\n"
                     "kinetic(3 * (u.v^2 + u.w^2) / 2)\npotential(3 * 10 * (q.y * math.cos(%g) - q.x * math.sin(%g)))\n"
                     "contact {'floor', gap = q.y, slip = u.v, mu = 0.5}\n";
  rest r;
  if (rests(&r, text, 0.4, 0.4)) {
    CHECK_NEAR(r.q[0], 0.3, 1e-10);
    CHECK_NEAR(r.force[0], 30 * cos(0.4), 1e-9);
    CHECK_NEAR(r.force[1], -30 * sin(0.4), 1e-9);
  }
  close_rest(&r);
  char steep[1000];
  snprintf(steep, sizeof steep, text, 0.6, 0.6);
  CHECK(find_rest(&r, steep) == PICUS_ERROR_MODEL);
  CHECK(strstr(picus_last_error(r.context)->message, "equilibrium with friction"));
  close_rest(&r);
}

/* A wheel on a slope: rolling friction holds it up to tan(slope) = rolling / R. */
static void wheel(void) {
  const char *text =
      "local q, u = coordinates {{'x', velocity = 'v'}, {'y', velocity = 'w'}, {'phi', velocity = 'o'}}\n"
      "kinetic(u.v^2 + u.w^2 + u.o^2)\npotential(20 * (q.y * math.cos(%g) - q.x * math.sin(%g)))\n"
      "contact {'floor', gap = q.y, slip = u.v - 0.5 * u.o, mu = 0.9, roll = u.o, rolling = 0.1}\n";
  rest r;
  if (rests(&r, text, 0.15, 0.15)) {
    CHECK_NEAR(r.q[0], 0, 1e-10);
    CHECK_NEAR(r.force[0], 20 * cos(0.15), 1e-9);
    CHECK_NEAR(r.force[1], -20 * sin(0.15), 1e-9);
    CHECK_NEAR(r.force[2], -0.5 * 20 * sin(0.15), 1e-9);
  }
  close_rest(&r);
  char steep[1000];
  snprintf(steep, sizeof steep, text, 0.3, 0.3);
  CHECK(find_rest(&r, steep) == PICUS_ERROR_MODEL);
  close_rest(&r);
}

/* A mass on a rough floor with a stretched spring: it stays if k x <= mu m g, otherwise it slides up to k x = mu m g,
 * from either side. The same with friction of a given force, and in motion with much damping. */
static void spring_on_floor(void) {
  const double starts[] = {0.04, 0.2, -0.3};
  for (int k = 0; k < 3; k++)
    for (int given = 0; given < 2; given++) {
      rest r;
      const double x0 = starts[k], most = 0.25 * 2 * 10 / 50.0; /* 0.1 m */
      const char *law = given ? "friction {'floor', slip = u.v, reservoir = 5}\n"
                              : "contact {'floor', gap = q.y, slip = u.v, mu = 0.25}\n";
      if (rests(&r,
                "local q, u = coordinates {{'x', velocity = 'v', start = %g}, {'y', velocity = 'w'}}\n"
                "kinetic(u.v^2 + u.w^2)\npotential(50 * q.x^2 / 2 + %s)\ndissipation(200 * u.v^2)\n%s",
                x0, given ? "q.y^2" : "20 * q.y", law)) {
        const double x = fabs(x0) <= most ? x0 : copysign(most, x0);
        CHECK_NEAR(of(&r, "x"), x, 1e-10);
        CHECK_NEAR(r.force[given ? 0 : 1], 50 * x, 1e-8);
        if (!given) {
          picus_sim_options options = picus_default_sim_options();
          options.scheme = "moreau-jean", options.dt = 1e-2, options.t_end = 100;
          picus_sim *sim = NULL;
          REQUIRE(picus_sim_create(r.context, r.system, &options, &sim) == PICUS_OK);
          for (int i = 0; i < 10000; i++) REQUIRE(picus_sim_step(sim, 0, NULL) == PICUS_OK);
          CHECK_NEAR(picus_sim_state(sim).q[0], x, 1e-6);
          picus_sim_destroy(sim);
        }
      }
      close_rest(&r);
    }
}

/* A cantilever that its weight presses on a stop, pulled at its tip: it sticks, or slides by (F - mu N) L / E A. Its
 * modes have the tip held. */
static void pulled_cantilever(void) {
  const double L = 2, E = 500, A = pi * 0.01, I = pi / 4 * 1e-4, weight = 2 * A * 3, N = 3.0 / 8 * weight * L, mu = 0.4;
  for (int k = 0; k < 2; k++) {
    const double F = (k ? 1.5 : 0.5) * mu * N;
    rest r;
    if (rests(&r,
              "local b = beam {'b', length = 2, elements = 16, circle = 0.1, density = 2, young = 500,\n"
              "  supports = {{0, 'clamped'}}, gravity = {0, -3}}\nforce {['b.ux16'] = %.17g}\n"
              "contact {'stop', gap = b.uy[16], slip = b.vx[16], mu = 0.4}\n"
              "contact {'far', gap = 5 - b.uy[16], slip = b.vx[16], mu = 0.4}\n",
              F)) {
      CHECK_NEAR(r.force[0], N, 1e-9);
      CHECK_NEAR(r.force[1], k ? -mu * N : -F, 1e-9);
      CHECK_NEAR(of(&r, "b.ux16"), k ? (F - mu * N) * L / (E * A) : 0, 1e-10);
      CHECK(r.force[2] == 0 && r.force[3] == 0);
      picus_modes *modes = NULL;
      picus_modes_options options = picus_default_modes_options();
      options.count = 2, options.q = r.q, options.contacts = true;
      REQUIRE(picus_modes_create(r.context, r.system, &options, &modes) == PICUS_OK);
      const double root = 3.9266023120479190, bending = root * root / 4 * sqrt(E * I / (2 * A));
      CHECK_NEAR(picus_modes_at(modes, 0).omega / bending, 1, 1e-4);
      picus_modes_destroy(modes);
    }
    close_rest(&r);
  }
}

/* Masses in space on springs of different stiffness, with spatial friction, tied to neighbours: all conditions hold. */
static void random_masses(void) {
  test_random random = {11};
  for (int trial = 0; trial < 12; trial++) {
    static char text[20000];
    double k[10][3], start[10][3];
    const int n = test_integer(&random, 1, 10);
    int at = snprintf(text, sizeof text, "local q, u = coordinates {\n");
    for (int i = 0; i < n; i++) {
      for (int c = 0; c < 3; c++) k[i][c] = test_uniform(&random, 20, 200), start[i][c] = test_uniform(&random, -1, 1);
      start[i][2] = fabs(start[i][2]) - 0.3;
      if (start[i][2] < 0) start[i][2] = 0;
      at += snprintf(text + at, sizeof text - (size_t)at,
                     "  {'x%d', velocity = 'u%d', start = %.17g}, {'y%d', velocity = 'v%d', start = %.17g},\n"
                     "  {'z%d', velocity = 'w%d', start = %.17g},\n",
                     i, i, start[i][0], i, i, start[i][1], i, i, start[i][2]);
    }
    at += snprintf(text + at, sizeof text - (size_t)at, "}\n");
    for (int i = 0; i < n; i++) {
      at += snprintf(text + at, sizeof text - (size_t)at,
                     "kinetic(u.u%d^2 + u.v%d^2 + u.w%d^2)\n"
                     "potential((%.17g * q.x%d^2 + %.17g * q.y%d^2 + %.17g * (q.z%d + 0.4)^2) / 2)\n"
                     "contact {'c%d', gap = q.z%d, slip = {u.u%d, u.v%d}, mu = %g}\n",
                     i, i, i, k[i][0], i, k[i][1], i, k[i][2], i, i, i, i, i, 0.2 + 0.1 * i);
      if (i > 0)
        at += snprintf(text + at, sizeof text - (size_t)at,
                       "potential(30 * ((q.x%d - q.x%d)^2 + (q.y%d - q.y%d)^2 + (q.z%d - q.z%d)^2))\n", i, i - 1, i,
                       i - 1, i, i - 1);
    }
    rest r;
    if (rests(&r, "%s", text)) {
      double h[3 * 10], zero[3 * 10] = {0}, worst = 0;
      picus_evaluation *e = NULL;
      REQUIRE(picus_evaluation_create(r.context, r.system, &e) == PICUS_OK);
      picus_evaluation_set_point(e, 0, r.q, zero);
      REQUIRE(picus_evaluate_force(e, h) == PICUS_OK);
      for (int i = 0; i < n; i++) { /* the rows of a contact are z, x, y */
        const double *P = r.force + 3 * i, *x = r.q + 3 * i, mu = 0.2 + 0.1 * i;
        const double sx = x[0] - start[i][0], sy = x[1] - start[i][1], slip = hypot(sx, sy),
                     friction = hypot(P[1], P[2]);
        worst = fmax(worst, fabs(h[3 * i] + P[1]) + fabs(h[3 * i + 1] + P[2]) + fabs(h[3 * i + 2] + P[0]));
        CHECK(P[0] >= -1e-9 && x[2] >= -1e-10 && fabs(P[0] * x[2]) < 1e-8 && friction <= mu * P[0] + 1e-8);
        if (slip > 1e-8) {
          CHECK_NEAR(friction, mu * P[0], 1e-7);
          CHECK(fabs(P[1] * slip + friction * sx) + fabs(P[2] * slip + friction * sy) < 1e-7);
        }
      }
      printf("  %d masses: largest force that remains %.1e N\n", n, worst);
      CHECK(worst < 1e-8);
      picus_evaluation_destroy(e);
    }
    close_rest(&r);
  }
}

/* Every refused allocation is an error, and nothing is lost. */
static void refused_memory(void) {
  static const char text[] = "local b = beam {'b', length = 2, elements = 2, circle = 0.1, density = 2, young = 500,\n"
                             "  supports = {{0, 'clamped'}}, gravity = {0, -3}}\n"
                             "contact {'stop', gap = b.uy[2], slip = b.vx[2], mu = 0.4}\n";
  for (long n = 0;; n += 3) {
    test_allocations granted = test_grant_first(n);
    picus_context_def def = {.allocate = test_allocate, .allocate_user = &granted};
    rest r = {0};
    if (picus_context_create(&def, &r.context) != PICUS_OK) continue;
    picus_sim_options options = picus_default_sim_options();
    options.scheme = "moreau-jean", options.dt = 1e-3, options.t_end = 1;
    picus_status status = picus_model_load_text(r.context, "m.lua", text, strlen(text), NULL, &r.model);
    if (!status) status = picus_system_create(r.model, &r.system);
    if (!status) status = picus_sim_create(r.context, r.system, &options, &r.sim);
    if (!status) status = picus_sim_find_equilibrium(r.sim, r.q, r.force);
    CHECK(status == PICUS_OK || status == PICUS_ERROR_MEMORY);
    close_rest(&r);
    CHECK(granted.outstanding == 0);
    if (status == PICUS_OK) return;
    REQUIRE(n < 100000);
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"slope", slope},
                                    {"wheel", wheel},
                                    {"spring_on_floor", spring_on_floor},
                                    {"pulled_cantilever", pulled_cantilever},
                                    {"random_masses", random_masses},
                                    {"refused_memory", refused_memory}};
  return test_main(argc, argv, "equilibrium", cases, sizeof cases / sizeof *cases);
}
