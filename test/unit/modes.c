/* Natural modes against closed forms, and static equilibria with contacts. */
#include "support/allocations.h"
#include "support/check.h"

#include <math.h>
#include <picus/picus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

typedef struct found {
  picus_context *context;
  picus_model *model;
  picus_system *system;
  picus_modes *modes;
} found;

static void close_found(found *f) {
  picus_modes_destroy(f->modes);
  picus_system_destroy(f->system);
  picus_model_destroy(f->model);
  CHECK(picus_context_memory(f->context) == 0);
  picus_context_destroy(f->context);
}

static bool open_modes(found *f, const char *text, int count, bool equilibrium) {
  *f = (found){0};
  picus_modes_options options = picus_default_modes_options();
  options.count = count;
  options.equilibrium = options.contacts = equilibrium;
  bool opened =
      CHECK(picus_context_create(NULL, &f->context) == PICUS_OK) &&
      CHECK(picus_model_load_text(f->context, "modes.lua", text, strlen(text), NULL, &f->model) == PICUS_OK) &&
      CHECK(picus_system_create(f->model, &f->system) == PICUS_OK) &&
      CHECK(picus_modes_create(f->context, f->system, &options, &f->modes) == PICUS_OK);
  if (!opened) printf("  %s\n", picus_last_error(f->context)->message);
  return opened;
}

static double omega(const found *f, int i) { return picus_modes_at(f->modes, i).omega; }

static double state_of(const found *f, const char *name) {
  for (int i = 0; i < picus_system_nq(f->system); i++)
    if (strcmp(picus_system_q_name(f->system, i), name) == 0) return picus_modes_state(f->modes)[i];
  CHECK(false);
  return NAN;
}

/* Largest entry of K x - omega^2 M x relative to omega^2 M x. */
static double residual(const found *f, int m) {
  const int n = picus_system_nu(f->system);
  const size_t square = (size_t)n * (size_t)n;
  double *M = calloc(square, sizeof *M), *K = calloc(square, sizeof *K), *C = calloc(square, sizeof *C);
  double *zero = calloc((size_t)n, sizeof *zero), worst = 0, size = 0;
  picus_evaluation *e = NULL;
  if (CHECK(M && K && C && zero && picus_evaluation_create(f->context, f->system, &e) == PICUS_OK)) {
    picus_evaluation_set_point(e, 0, picus_modes_state(f->modes), zero);
    CHECK(picus_evaluate_mass(e, M) == PICUS_OK && picus_evaluate_force_jacobian(e, K, C) == PICUS_OK);
    const picus_natural_mode mode = picus_modes_at(f->modes, m);
    for (int i = 0; i < n; i++) {
      double force = 0, inertia = 0;
      for (int j = 0; j < n; j++) force -= K[i * n + j] * mode.shape[j], inertia += M[i * n + j] * mode.shape[j];
      worst = fmax(worst, fabs(force - mode.omega * mode.omega * inertia));
      size = fmax(size, fabs(mode.omega * mode.omega * inertia));
    }
  }
  picus_evaluation_destroy(e);
  free(M), free(K), free(C), free(zero);
  return worst / size;
}

/* A clamped spatial beam of 64 elements: bending twice, torsion, extension, all by closed forms. */
static void clamped_beam(void) {
  found f;
  if (open_modes(&f,
                 "beam {'b', length = 2, elements = 64, circle = 0.1, density = 2, young = 500, poisson = 0.25,\n"
                 "  spatial = true, supports = {{0, 'clamped'}}, damping = {0.2, 1e-3}}\n",
                 7, false)) {
    const double bending = sqrt(500 * pi / 4 * 1e-4 / (2 * pi * 0.01)) / 4; /* times (k L)^2 */
    const double roots[] = {1.8751040687119611, 4.6940911329741746, 7.8547574382376126};
    CHECK(picus_modes_count(f.modes) == 7);
    for (int i = 0; i < 4; i++) { /* the leading term of the error of frequencies is (k h)^4 / 1440 */
      const double k = roots[i / 2];
      CHECK_NEAR(omega(&f, i) / (k * k * bending), 1, 1.05 * pow(k / 64, 4) / 1440);
    }
    CHECK_NEAR(omega(&f, 4), pi / 4 * sqrt(200.0 / 2), 1e-3); /* torsion */
    CHECK_NEAR(omega(&f, 5) / (roots[2] * roots[2] * bending), 1, 1.05 * pow(roots[2] / 64, 4) / 1440);
    for (int i = 0; i < 7; i++) {
      const picus_natural_mode mode = picus_modes_at(f.modes, i);
      CHECK(mode.shape_imaginary == NULL);
      CHECK_NEAR(mode.damping, 0.5 * (0.2 / mode.omega + 1e-3 * mode.omega), 1e-9);
      CHECK(residual(&f, i) < 1e-5);
    }
  }
  close_found(&f);
}

/* Motions without stiffness: six of a free framework, and of a mass beside a clamped beam. */
static void zero_modes(void) {
  found f;
  if (open_modes(&f,
                 "framework {'f', nodes = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0.5}}, members = {{1, 2}, {2, 3}},\n"
                 "  elements = 5, circle = 0.05, density = 8, young = 1e4}\n",
                 9, false)) {
    for (int i = 0; i < 9; i++) CHECK(i < 6 ? omega(&f, i) == 0 : omega(&f, i) > 1);
  }
  close_found(&f);
  if (open_modes(&f,
                 "local q, u = coordinates {{'x', velocity = 'v'}}\nkinetic(3 * u.v^2)\n"
                 "beam {'b', length = 1, elements = 4, circle = 0.05, density = 8, young = 1e4,\n"
                 "  supports = {{0, 'clamped'}}}\n",
                 2, false)) {
    CHECK(omega(&f, 0) == 0 && omega(&f, 1) > 1);
    CHECK(fabs(picus_modes_at(f.modes, 0).shape[0]) > 0.4); /* the mass: x^T M x = 1 with M = 6 */
  }
  close_found(&f);
}

/* Systems of formulas and bodies: two masses on springs; a pendulum in a joint, whose stiffness is the joint force; one
 * upside down, which falls. */
static void formulas_and_joints(void) {
  found f;
  if (open_modes(&f,
                 "local q, u = coordinates {{'x', velocity = 'v'}, {'y', velocity = 'w'}}\n"
                 "kinetic(2 * u.v^2 / 2 + 3 * u.w^2 / 2)\npotential(5 * q.x^2 / 2 + 7 * (q.y - q.x)^2 / 2)\n",
                 5, false)) {
    const double b = 12.0 / 2 + 7.0 / 3, c = 5.0 * 7 / 6, root = sqrt(b * b / 4 - c);
    CHECK(picus_modes_count(f.modes) == 2);
    CHECK_NEAR(omega(&f, 0), sqrt(b / 2 - root), 1e-12);
    CHECK_NEAR(omega(&f, 1), sqrt(b / 2 + root), 1e-12);
  }
  close_found(&f);
  for (int up = 0; up < 2; up++) {
    char text[300];
    snprintf(text, sizeof text,
             "gravity {0, -9.81}\nlocal a = planar_body {'a', mass = 2, inertia = 0.1, position = {0, %g}}\n"
             "revolute {'pin', ground, a, points = {{0, 0}, {0, %g}}}\n",
             up ? 0.5 : -0.5, up ? -0.5 : 0.5);
    if (open_modes(&f, text, 3, false)) {
      CHECK(picus_modes_count(f.modes) == 1);
      CHECK_NEAR(omega(&f, 0), (up ? -1 : 1) * sqrt(2 * 9.81 * 0.5 / (0.1 + 2 * 0.25)), 1e-9);
    }
    close_found(&f);
  }
}

/* A free chain of masses and springs, as one part and as a group of many: 2 sqrt(k / m) sin(j pi / 2 n). */
static void spring_chains(void) {
  for (int n = 20; n <= 100; n += 80) {
    char text[400];
    snprintf(text, sizeof text,
             "local last\nfor i = 1, %d do\n"
             "  local q, u = coordinates {{'x' .. i, velocity = 'v' .. i}}\n  kinetic(3 * u['v' .. i]^2 / 2)\n"
             "  if last then potential(7 * (q['x' .. i] - last)^2 / 2) end\n  last = q['x' .. i]\nend\n",
             n);
    found f;
    if (open_modes(&f, text, 6, false)) {
      CHECK(omega(&f, 0) == 0);
      for (int j = 1; j < 6; j++) CHECK_NEAR(omega(&f, j), 2 * sqrt(7.0 / 3) * sin(j * pi / (2 * n)), 1e-10);
    }
    close_found(&f);
  }
}

/* A beam tied to a body by constraints: a tip mass, against the root of its frequency equation, and against the same
 * mass fixed to the node. */
static void tied_body(void) {
  static const char *const texts[] = {
      "local q, u = coordinates {{'y', velocity = 'v'}}\nkinetic(3 * u.v^2 / 2)\n"
      "local b = beam {'b', length = 2, elements = 16, circle = 0.1, density = 2, young = 500,\n"
      "  supports = {{0, 'clamped'}}}\nconstraint {'tie', position = b.uy[16] - q.y}\n",
      "beam {'b', length = 2, elements = 16, circle = 0.1, density = 2, young = 500,\n"
      "  supports = {{0, 'clamped'}}, bodies = {{16, mass = 3}}}\n"};
  double result[2][2] = {{0}};
  for (int k = 0; k < 2; k++) {
    found f;
    /* the tip mass of the second one moves along x as well: its lowest modes are bending */
    if (open_modes(&f, texts[k], 2, false)) result[k][0] = omega(&f, 0), result[k][1] = omega(&f, 1);
    close_found(&f);
  }
  CHECK_NEAR(result[0][0] / result[1][0], 1, 1e-9);
  /* 1 + cos cosh + r x (cos sinh - sin cosh) = 0, r = mass ratio */
  const double r = 3 / (2 * pi * 0.01 * 2);
  double low = 0.1, high = 1.8;
  for (int i = 0; i < 100; i++) {
    const double x = 0.5 * (low + high);
    const double value = 1 + cos(x) * cosh(x) + r * x * (cos(x) * sinh(x) - sin(x) * cosh(x));
    if (value > 0)
      low = x;
    else
      high = x;
  }
  CHECK_NEAR(result[0][0] / (low * low / 4 * sqrt(500 * pi / 4 * 1e-4 / (2 * pi * 0.01))), 1, 1e-6);
}

/* Whirl: a free spinning beam nutates with Jp spin / Jt; a hinged shaft with a disc has split tilting frequencies. */
static void whirl(void) {
  found f;
  if (open_modes(&f,
                 "beam {'b', length = 1, elements = 10, circle = 0.01, density = 7800, young = 2.1e11,\n"
                 "  spatial = true, theory = 'rayleigh', spin = 100}\n",
                 8, false)) {
    const double Jp = 0.5e-4, Jt = 1.0 / 12 + 0.25e-4;
    for (int i = 0; i < 5; i++) CHECK(omega(&f, i) == 0);
    CHECK_NEAR(omega(&f, 5), Jp / Jt * 100, 1e-6);
    CHECK(omega(&f, 6) < 580.6 && omega(&f, 7) > omega(&f, 6) + 0.1);
    CHECK(picus_modes_at(f.modes, 7).shape_imaginary != NULL);
  }
  close_found(&f);
  if (open_modes(&f,
                 "beam {'b', length = 2, elements = 2, circle = 0.1, density = 1e-6, young = 1e3, spatial = true,\n"
                 "  supports = {{0, 'hinged', 'rx'}, {1, 'ux', 'rx'}, {2, 'hinged', 'rx'}},\n"
                 "  bodies = {{1, mass = 3, inertia = {0.5, 0.3, 0.3}}}, spin = 0.3}\n",
                 4, false)) {
    const double EI = 1e3 * pi / 4 * 1e-4, w = sqrt(48 * EI / 24), half = 0.5 * 0.3 / 0.6, k = 12 * EI / 2 / 0.3;
    CHECK_NEAR(omega(&f, 0), w, 1e-7);
    CHECK_NEAR(omega(&f, 1), w, 1e-7);
    CHECK_NEAR(omega(&f, 2), sqrt(half * half + k) - half, 1e-6);
    CHECK_NEAR(omega(&f, 3), sqrt(half * half + k) + half, 1e-6);
    /* forward whirl of the last one: ry and rz turn in the sense of the spin, Im(conj(ry) rz) and its omega agree */
    const picus_natural_mode mode = picus_modes_at(f.modes, 3);
    CHECK(mode.whirl == 1 && picus_modes_at(f.modes, 2).whirl == -1 && picus_modes_at(f.modes, 0).whirl == 0);
    int y = -1, z = -1;
    for (int i = 0; i < picus_system_nu(f.system); i++) {
      if (strcmp(picus_system_u_name(f.system, i), "b.wy1") == 0) y = i;
      if (strcmp(picus_system_u_name(f.system, i), "b.wz1") == 0) z = i;
    }
    REQUIRE(y >= 0 && z >= 0);
    /* motion Re(a exp(i w t)): turns from y to z if Im(conj(a_y) a_z) < 0 */
    CHECK(mode.shape[y] * mode.shape_imaginary[z] - mode.shape_imaginary[y] * mode.shape[z] < 0);
  }
  close_found(&f);
}

/* The tilting frequency of the disc of a hinged shaft at a spin, forward or backward. */
static double tilting(double spin, int whirl) {
  char text[600];
  snprintf(text, sizeof text,
           "beam {'b', length = 2, elements = 2, circle = 0.1, density = 1e-6, young = 1e3, spatial = true,\n"
           "  supports = {{0, 'hinged', 'rx'}, {1, 'hinged', 'rx'}, {2, 'hinged', 'rx'}},\n"
           "  bodies = {{1, mass = 3, inertia = {0.2, 0.3, 0.3}}}, spin = %.17g}\n",
           spin);
  found f;
  double value = NAN;
  if (open_modes(&f, text, 2, false))
    for (int i = 0; i < 2; i++)
      if (picus_modes_at(f.modes, i).whirl == whirl) value = omega(&f, i);
  close_found(&f);
  return value;
}

/* Campbell's diagram of the tilting disc: Jt omega^2 -+ Jp spin omega = k, critical where omega = spin. */
static void campbell(void) {
  const double k = 12 * 1e3 * pi / 4 * 1e-4 / 2, Jp = 0.2, Jt = 0.3;
  for (double spin = 0.1; spin < 20; spin *= 2.3) {
    const double half = Jp * spin / (2 * Jt), root = sqrt(half * half + k / Jt);
    CHECK_NEAR(tilting(spin, 1) / (root + half), 1, 1e-6);
    CHECK_NEAR(tilting(spin, -1) / (root - half), 1, 1e-6);
  }
  for (int whirl = -1; whirl <= 1; whirl += 2) {
    double low = 0.01, high = 100;
    for (int i = 0; i < 40; i++) {
      const double spin = 0.5 * (low + high);
      if (tilting(spin, whirl) > spin)
        low = spin;
      else
        high = spin;
    }
    printf("  critical speed %.6f, %s whirl\n", low, whirl > 0 ? "forward" : "backward");
    CHECK_NEAR(low / sqrt(k / (Jt - whirl * Jp)), 1, 1e-6);
  }
}

/* A cantilever that its weight presses on a stop: deflection and frequencies of a beam with a hinged end. A second stop
 * stays open. Without weight nothing presses, and with the weight upwards the beam leaves the stop. */
static void equilibrium_on_a_stop(void) {
  const double EI = 500 * pi / 4 * 1e-4, rhoA = 2 * pi * 0.01, g[] = {1, 0, -1};
  for (int k = 0; k < 3; k++) {
    char text[500];
    snprintf(text, sizeof text,
             "local b = beam {'b', length = 2, elements = 32, circle = 0.1, density = 2, young = 500,\n"
             "  supports = {{0, 'clamped'}}, gravity = {0, %g}}\n"
             "contact {'stop', gap = b.uy[32] + 0.01}\ncontact {'other', gap = 100 - b.uy[32]}\n",
             -g[k]);
    found f;
    if (open_modes(&f, text, 2, true)) {
      const double free_end = -rhoA * g[k] * 16 / (8 * EI), root = k == 0 ? 3.9266023120479190 : 1.8751040687119611;
      CHECK_NEAR(state_of(&f, "b.uy32"), k == 0 ? -0.01 : free_end, 1e-9);
      CHECK_NEAR(omega(&f, 0) / (root * root / 4 * sqrt(EI / rhoA)), 1, 1e-6);
      /* middle of a propped cantilever: q L^4 / 192 E I, and 5/16 of the end */
      if (k == 0) CHECK_NEAR(state_of(&f, "b.uy16"), -rhoA * 16 / (192 * EI) - 0.01 * 5 / 16, 1e-9);
    }
    close_found(&f);
  }
}

/* Nothing holds a falling mass: no equilibrium, with a sentence. */
static void no_equilibrium(void) {
  found f = {0};
  const char *text = "local q, u = coordinates {{'y', velocity = 'v'}}\nkinetic(u.v^2)\npotential(q.y)\n";
  REQUIRE(picus_context_create(NULL, &f.context) == PICUS_OK);
  REQUIRE(picus_model_load_text(f.context, "m.lua", text, strlen(text), NULL, &f.model) == PICUS_OK);
  REQUIRE(picus_system_create(f.model, &f.system) == PICUS_OK);
  picus_modes_options options = picus_default_modes_options();
  options.equilibrium = true;
  CHECK(picus_modes_create(f.context, f.system, &options, &f.modes) == PICUS_ERROR_MODEL && !f.modes);
  CHECK(strstr(picus_last_error(f.context)->message, "no static equilibrium"));
  options.count = 0;
  CHECK(picus_modes_create(f.context, f.system, &options, &f.modes) == PICUS_ERROR_ARGUMENT);
  close_found(&f);
}

/* Every refused allocation is an error, and nothing is lost. */
static void refused_memory(void) {
  static const char text[] =
      "local q, u = coordinates {{'y', velocity = 'v'}}\nkinetic(3 * u.v^2 / 2)\n"
      "local b = beam {'b', length = 2, elements = 2, circle = 0.1, density = 2, young = 500, spatial = true,\n"
      "  supports = {{0, 'clamped'}}, spin = 1, theory = 'rayleigh', gravity = {0, -1, 0}}\n"
      "constraint {'tie', position = b.uz[2] - q.y}\ncontact {'stop', gap = b.uy[2]}\n";
  for (long n = 0;; n += 3) {
    test_allocations granted = test_grant_first(n);
    picus_context_def def = {.allocate = test_allocate, .allocate_user = &granted};
    found f = {0};
    picus_modes_options options = picus_default_modes_options();
    options.equilibrium = options.contacts = true;
    options.count = 3;
    if (picus_context_create(&def, &f.context) != PICUS_OK) continue;
    picus_status status = picus_model_load_text(f.context, "m.lua", text, strlen(text), NULL, &f.model);
    if (status == PICUS_OK) status = picus_system_create(f.model, &f.system);
    if (status == PICUS_OK) status = picus_modes_create(f.context, f.system, &options, &f.modes);
    CHECK(status == PICUS_OK || status == PICUS_ERROR_MEMORY);
    if (status > 0 || (status < 0 && status != PICUS_ERROR_MEMORY))
      printf("  %s\n", picus_last_error(f.context)->message);
    close_found(&f);
    CHECK(granted.outstanding == 0);
    if (status == PICUS_OK) return;
    REQUIRE(n < 100000);
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"clamped_beam", clamped_beam},
                                    {"zero_modes", zero_modes},
                                    {"formulas_and_joints", formulas_and_joints},
                                    {"spring_chains", spring_chains},
                                    {"tied_body", tied_body},
                                    {"whirl", whirl},
                                    {"campbell", campbell},
                                    {"equilibrium_on_a_stop", equilibrium_on_a_stop},
                                    {"no_equilibrium", no_equilibrium},
                                    {"refused_memory", refused_memory}};
  return test_main(argc, argv, "modes", cases, (int)(sizeof cases / sizeof *cases));
}
