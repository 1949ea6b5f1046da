/* Section forces and stresses of beams: diagrams by statics, equilibrium of nodes in motion, stresses by closed forms.
 */
#include "support/check.h"

#include <math.h>
#include <picus/picus.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
enum { FORCES = 6 };

/* A model by its text, its system, and a state by the variables of its expressions. */
typedef struct scene {
  picus_context *context;
  picus_model *model;
  picus_system *system;
  int n;
  double *q, *u, *variables;
} scene;

static void close_scene(scene *s) {
  free(s->q), free(s->u), free(s->variables);
  picus_system_destroy(s->system);
  picus_model_destroy(s->model);
  CHECK(picus_context_memory(s->context) == 0);
  picus_context_destroy(s->context);
}

static bool open_scene(scene *s, const char *format, va_list arguments) {
  char text[2000];
  *s = (scene){0};
  vsnprintf(text, sizeof text, format, arguments);
  bool opened = CHECK(picus_context_create(NULL, &s->context) == PICUS_OK) &&
                CHECK(picus_model_load_text(s->context, "m.lua", text, strlen(text), NULL, &s->model) == PICUS_OK) &&
                CHECK(picus_system_create(s->model, &s->system) == PICUS_OK);
  if (!opened) {
    printf("  %s\n", picus_last_error(s->context)->message);
    return false;
  }
  s->n = picus_system_nq(s->system);
  s->q = calloc((size_t)s->n, sizeof *s->q), s->u = calloc((size_t)s->n, sizeof *s->u);
  return CHECK(s->q && s->u);
}

static bool load_scene(scene *s, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  bool opened = open_scene(s, format, arguments);
  va_end(arguments);
  return opened;
}

/* q := the static equilibrium. */
static bool settle(scene *s) {
  picus_modes *modes = NULL;
  picus_modes_options options = picus_default_modes_options();
  options.count = 1;
  options.equilibrium = true;
  bool found = CHECK(picus_modes_create(s->context, s->system, &options, &modes) == PICUS_OK);
  if (found) memcpy(s->q, picus_modes_state(modes), (size_t)s->n * sizeof *s->q);
  picus_modes_destroy(modes);
  return found;
}

static double value_of(scene *s, picus_expr expr) {
  picus_pool *pool = picus_model_pool(s->model);
  const int count = picus_variable_count(pool);
  double value = NAN, *variables = calloc((size_t)count, sizeof *variables);
  for (int i = 0; variables && i < count; i++)
    for (int k = 0; k < s->n; k++) {
      if (strcmp(picus_variable_name(pool, i), picus_system_q_name(s->system, k)) == 0) variables[i] = s->q[k];
      if (strcmp(picus_variable_name(pool, i), picus_system_u_name(s->system, k)) == 0) variables[i] = s->u[k];
    }
  CHECK(variables && picus_expr_evaluate(pool, expr, variables, &value) == PICUS_OK);
  free(variables);
  return value;
}

static void read_forces(scene *s, picus_station at, double values[FORCES]) {
  picus_section_forces f;
  for (int i = 0; i < FORCES; i++) values[i] = NAN;
  if (!CHECK(picus_model_section_forces(s->model, "b", &at, &f) == PICUS_OK)) {
    printf("  %s\n", picus_last_error(s->context)->message);
    return;
  }
  const picus_expr expressions[FORCES] = {f.N, f.Qy, f.Qz, f.Mx, f.My, f.Mz};
  for (int i = 0; i < FORCES; i++) values[i] = value_of(s, expressions[i]);
}

static void cross(const double a[3], const double b[3], double out[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Local axes of a member along x, with the default `up`. */
static void make_axes(const double x[3], double axes[9]) {
  const double length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]), across = hypot(x[0], x[1]);
  for (int i = 0; i < 3; i++) axes[i] = x[i] / length;
  axes[3] = -x[1] / across, axes[4] = x[0] / across, axes[5] = 0; /* up x x, normalized */
  cross(axes, axes + 3, axes + 6);
}

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* A cantilever in a general direction with forces and moments at its tip: N, Q and Mx are constant, the moment is
 * (tip - x) x F + M, for every theory and every station, on both sides of nodes. */
static void tip_load(void) {
  static const char *const theories[] = {"euler-bernoulli", "rayleigh", "timoshenko"};
  const double F[3] = {2, -3, 1.5}, T[3] = {0.7, 0.2, -0.4}, direction[3] = {1, 2, 2};
  for (int k = 0; k < 3; k++) {
    scene s;
    if (load_scene(&s,
                   "beam {'b', density = 4, young = 2e5, poisson = 0.25, rectangle = {0.1, 0.3}, spatial = true,\n"
                   "  segments = {{length = 0.9, elements = 3}, {length = 0.6, elements = 2, circle = 0.1}},\n"
                   "  theory = '%s', direction = {1, 2, 2}, supports = {{0, 'clamped'}}}\n"
                   "force {['b.ux5'] = 2, ['b.uy5'] = -3, ['b.uz5'] = 1.5}\n"
                   "force {['b.rx5'] = 0.7, ['b.ry5'] = 0.2, ['b.rz5'] = -0.4}\n",
                   theories[k]) &&
        settle(&s)) {
      double axes[9], worst = 0;
      make_axes(direction, axes);
      for (int i = 0; i <= 30; i++) {
        const double x = 0.05 * i, arm[3] = {axes[0] * (1.5 - x), axes[1] * (1.5 - x), axes[2] * (1.5 - x)};
        double M[3], found[FORCES];
        cross(arm, F, M);
        for (int c = 0; c < 3; c++) M[c] += T[c];
        for (int before = 0; before < 2; before++) {
          read_forces(&s, (picus_station){.member = -1, .x = x, .before = before}, found);
          for (int c = 0; c < 3; c++) {
            worst = fmax(worst, fabs(found[c] - dot(axes + 3 * c, F)));
            worst = fmax(worst, fabs(found[3 + c] - dot(axes + 3 * c, M)));
          }
        }
      }
      printf("  %s: largest error of N, Q, M %.1e of about 4\n", theories[k], worst);
      CHECK(worst < 1e-10);
    }
    close_scene(&s);
  }
}

/* Sensors give the strain of the element. A load q inside the elements, as the weight, makes the moments of nodes wrong
 * by q l^2 / 12 and the shear forces of both sides of a node by q l / 2: errors that vanish with the element size. */
static void weight(void) {
  const double q = 2 * pi * 0.01 * 3, L = 2;
  for (int n = 2; n <= 8; n *= 2) {
    scene s;
    if (load_scene(&s,
                   "beam {'b', length = 2, elements = %d, circle = 0.1, density = 2, young = 500,\n"
                   "  supports = {{0, 'clamped'}}, gravity = {0, -3}, theory = 'timoshenko'}\n",
                   n) &&
        settle(&s)) {
      const double l = L / n;
      for (int i = 1; i < n; i++) {
        const double rest = L - i * l;
        double f[FORCES];
        for (int before = 0; before < 2; before++) {
          read_forces(&s, (picus_station){.member = -1, .x = i * l, .before = before}, f);
          CHECK_NEAR(f[5], -q * rest * rest / 2 + q * l * l / 12, 1e-11);
          CHECK_NEAR(f[1], -q * rest + (before ? -1 : 1) * q * l / 2, 1e-11);
        }
      }
    }
    close_scene(&s);
  }
}

/* Any motion of a framework in space: the section forces at a node, those of members that begin less those of members
 * that end there, are all forces on the node but its load. */
static void nodal_equilibrium(void) {
  const double nodes[4][3] = {{0, 0, 0}, {1, 2, 0.5}, {3, 1, 1}, {2, -1, 2}};
  const int members[4][2] = {{0, 1}, {1, 2}, {2, 3}, {0, 2}}, elements[4] = {1, 2, 1, 3};
  static const char *const theories[] = {"euler-bernoulli", "rayleigh", "timoshenko"};
  test_random random = {7};
  for (int k = 0; k < 3; k++) {
    scene s;
    double h[100], f[100], zero[100] = {0};
    picus_evaluation *e = NULL;
    if (load_scene(&s,
                   "framework {'b', nodes = {{0, 0, 0}, {1, 2, 0.5}, {3, 1, 1}, {2, -1, 2}},\n"
                   "  members = {{1, 2}, {2, 3, elements = 2, tube = {0.2, 0.1}}, {3, 4}, {1, 3, elements = 3}},\n"
                   "  rectangle = {0.1, 0.2}, density = 3, young = 1e3, theory = '%s', damping = {0, 0.3},\n"
                   "  gravity = {1, 2, 3}}\n",
                   theories[k]) &&
        CHECK(s.n == 42) && CHECK(picus_evaluation_create(s.context, s.system, &e) == PICUS_OK)) {
      double sum[7][FORCES] = {{0}}, worst = 0;
      for (int i = 0; i < s.n; i++) s.q[i] = test_uniform(&random, -1, 1), s.u[i] = test_uniform(&random, -1, 1);
      picus_evaluation_set_point(e, 0, zero, zero);
      CHECK(picus_evaluate_force(e, f) == PICUS_OK);
      picus_evaluation_set_point(e, 0, s.q, s.u);
      CHECK(picus_evaluate_force(e, h) == PICUS_OK);
      for (int m = 0, inner = 4; m < 4; inner += elements[m] - 1, m++) {
        double x[3], axes[9];
        for (int c = 0; c < 3; c++) x[c] = nodes[members[m][1]][c] - nodes[members[m][0]][c];
        make_axes(x, axes);
        const double l = sqrt(dot(x, x)) / elements[m];
        for (int i = 0; i < 2 * elements[m]; i++) { /* both ends of each element */
          const bool end = i % 2;
          const int at = i / 2 + end;
          const int node = at == 0 ? members[m][0] : at == elements[m] ? members[m][1] : inner + at - 1;
          double found[FORCES];
          read_forces(&s, (picus_station){.member = m, .x = at * l, .before = end}, found);
          for (int c = 0; c < FORCES; c++)
            for (int a = 0; a < 3; a++) sum[node][c] += (end ? -1 : 1) * axes[3 * a + c % 3] * found[3 * (c / 3) + a];
        }
      }
      for (int i = 0; i < s.n; i++) {
        const char *name = picus_system_q_name(s.system, i); /* b.ux1 ... */
        const int c = (name[2] == 'r' ? 3 : 0) + name[3] - 'x', node = (int)strtol(name + 4, NULL, 10) - 1;
        worst = fmax(worst, fabs(sum[node][c] - (h[i] - f[i])));
      }
      printf("  %s: largest error of the forces on a node %.1e\n", theories[k], worst);
      CHECK(worst < 1e-11);
    }
    picus_evaluation_destroy(e);
    close_scene(&s);
  }
}

/* The moment in the middle of a hinged beam that bends as sin(pi x / L), at a node: order 2. */
static void moments_converge(void) {
  double error[3];
  for (int k = 0; k < 3; k++) {
    const int n = 4 << k;
    scene s;
    error[k] = NAN;
    if (load_scene(&s, "beam {'b', length = 2, elements = %d, circle = 0.1, density = 2, young = 500}\n", n)) {
      for (int i = 0; i < s.n; i++) {
        const char *name = picus_system_q_name(s.system, i);
        const double x = pi * (double)strtol(name + 4, NULL, 10) / n;
        if (name[2] == 'u' && name[3] == 'y') s.q[i] = sin(x);
        if (name[2] == 'r') s.q[i] = pi / 2 * cos(x);
      }
      double f[FORCES];
      read_forces(&s, (picus_station){.member = -1, .x = 1}, f);
      error[k] = fabs(f[5] / (-500 * pi / 4 * 1e-4 * pi * pi / 4) - 1);
    }
    close_scene(&s);
  }
  printf("  errors %.2e %.2e %.2e\n", error[0], error[1], error[2]);
  CHECK_NEAR(log2(error[0] / error[1]), 2, 0.1);
  CHECK_NEAR(log2(error[1] / error[2]), 2, 0.05);
}

/* One element, clamped, with a tip displacement that gives unit forces, in several sections. */
typedef struct stress_case {
  const char *section;
  double forces[FORCES]; /* at the root: N, Qy, Qz, Mx, My, Mz; of the tip load */
  double normal, shear;
  double digits; /* relative accuracy of `shear`; 0: exact */
} stress_case;

static void stresses(void) {
  const double A = pi * 4, I = pi * 4, tube = pi * 3, tube_I = pi / 4 * 15;
  const stress_case cases[] = {
      {"circle = 2", {-3, 0, 0, 0, 0, 0}, 3 / A, 0, 0},
      {"circle = 2", {0, 0, 0, 0, 3, 4}, 5 * 2 / I, 0, 0},
      {"circle = 2", {1, 0, 0, 0, 0, 4}, 1 / A + 4 * 2 / I, 0, 0},
      {"circle = 2", {0, 0, 0, 5, 0, 0}, 0, 5 * 2 / (2 * I), 0},
      {"circle = 2", {0, 3, -4, 0, 4, 3}, 5 * 2 / I, 4.0 / 3 * 5 / A, 0},
      {"tube = {2, 1}", {0, 3, 0, 2, 0, 3}, 3 * 2 / tube_I, 4.0 / 3 * 3 * 7 / 5 / tube + 2 * 2 / (2 * tube_I), 0},
      {"rectangle = {2, 3}", {1, 0, 0, 0, 3, 4}, 1.0 / 6 + 4 * 1 / 2.0 + 3 * 1.5 / 4.5, 0, 0},
      {"rectangle = {2, 3}", {0, 3, 4, 0, -4, 3}, 3 / 2.0 + 4 * 1.5 / 4.5, 1.5 * 5 / 6, 0},
      {"rectangle = {2, 2}",
       {0, 0, 0, 1, 0, 0},
       0,
       1 / (0.208 * 8),
       1e-3}, /* the table of Timoshenko and Goodier has three digits */
      {"rectangle = {4, 2}", {0, 0, 0, 1, 0, 0}, 0, 1 / (0.246 * 16), 1e-3},
      {"rectangle = {2, 20}", {0, 0, 0, 1, 0, 0}, 0, 1 / (0.312 * 80), 2e-3},
      {"area = 2, Iy = 3, Iz = 5, torsion = 1, fibre_y = 7, fibre_z = 11, torsion_modulus = 13",
       {1, 2, 0, 3, 4, 5},
       1 / 2.0 + 4 * 11 / 3.0 + 5 * 7 / 5.0,
       2 / 2.0 + 3 / 13.0,
       0},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const stress_case *c = &cases[k];
    const double *f = c->forces; /* at the root; the tip has the moments without those of Q */
    scene s;
    if (load_scene(&s,
                   "local b = beam {'b', length = 1, elements = 1, %s, density = 1, young = 1e3, spatial = true,\n"
                   "  supports = {{0, 'clamped'}}}\n"
                   "force {['b.ux1'] = %.17g, ['b.uy1'] = %.17g, ['b.uz1'] = %.17g}\n"
                   "force {['b.rx1'] = %.17g, ['b.ry1'] = %.17g, ['b.rz1'] = %.17g}\n",
                   c->section, f[0], f[1], f[2], f[3], f[4] + f[2], f[5] - f[1]) &&
        settle(&s)) {
      picus_section_stresses found;
      const picus_station root = {.member = -1};
      REQUIRE(picus_model_section_stresses(s.model, "b", &root, &found) == PICUS_OK);
      CHECK_NEAR(value_of(&s, found.normal), c->normal, 1e-9);
      const double shear = value_of(&s, found.shear);
      CHECK_NEAR(shear, c->shear, c->digits * c->shear + 1e-9);
      CHECK_NEAR(value_of(&s, found.mises), sqrt(c->normal * c->normal + 3 * shear * shear), 1e-9);
    }
    close_scene(&s);
  }
}

/* Stress of a fibre: tension above if the beam sags down at its tip, and on the outside in the other plane. */
static void fibres(void) {
  scene s;
  if (load_scene(&s,
                 "beam {'b', length = 2, elements = 2, rectangle = {2, 3}, density = 1, young = 1e3, spatial = true,\n"
                 "  supports = {{0, 'clamped'}}}\nforce {['b.uy2'] = -4, ['b.uz2'] = -5, ['b.ux2'] = 6}\n") &&
      settle(&s)) {
    picus_expr stress;
    const picus_station root = {.member = -1};
    REQUIRE(picus_model_fibre_stress(s.model, "b", &root, 1, 1.5, &stress) == PICUS_OK);
    CHECK_NEAR(value_of(&s, stress), 6.0 / 6 + 8.0 * 1 / 2 + 10 * 1.5 / 4.5, 1e-9);
    CHECK(picus_model_fibre_stress(s.model, "b", &root, NAN, 0, &stress) == PICUS_ERROR_NUMBER);
    CHECK(picus_model_fibre_stress(s.model, "c", &root, 0, 0, &stress) == PICUS_ERROR_NAME);
    const picus_station nowhere[] = {{.member = 2}, {.member = -2}, {.member = -1, .x = 2.1}, {.x = 1.1}, {.x = NAN}};
    for (int i = 0; i < 5; i++) {
      picus_section_forces f;
      CHECK(picus_model_section_forces(s.model, "b", &nowhere[i], &f) < 0);
    }
  }
  close_scene(&s);
}

/* Stations at nodes do not depend on round-off of x; the observed columns of a file are the same expressions. */
static void stations_in_files(void) {
  scene s;
  if (load_scene(&s, "local b = beam {'b', length = 0.7, elements = 7, circle = 0.1, density = 1, young = 1e3,\n"
                     "  supports = {{0, 'clamped'}}}\n"
                     "for i = 1, 6 do\n"
                     "  observe {'after' .. i, b.section(0.1 * i).Qy}\n"
                     "  observe {'before' .. i, b.section(0.7 * i / 7, 'before').Qy}\n"
                     "  observe {'stress' .. i, b.section(0.1 * i, 'after').mises, unit = 'N/m^2'}\n"
                     "  observe {'fibre' .. i, b.section(0.1 * i).fibre(0.1)}\n"
                     "end\n")) {
    for (int i = 0; i < s.n; i++) /* only node 3 has moved */
      if (strcmp(picus_system_q_name(s.system, i), "b.uy3") == 0) s.q[i] = 1;
    for (int i = 1; i <= 6; i++)
      for (int before = 0; before < 2; before++)
        for (int k = -1; k <= 1; k++) {
          double f[FORCES];
          read_forces(&s, (picus_station){.member = -1, .x = 0.1 * i * (1 + k * 2.3e-16), .before = before}, f);
          const int element = before ? i : i + 1; /* elements 3 and 4 are strained */
          const double Q = 12 * 1e3 * pi / 4 * 1e-4 / 1e-3;
          CHECK_NEAR(f[1] / Q, element == 3 ? 1 : element == 4 ? -1 : 0, 1e-9);
        }
  }
  close_scene(&s);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"tip_load", tip_load},
                                    {"weight", weight},
                                    {"nodal_equilibrium", nodal_equilibrium},
                                    {"moments_converge", moments_converge},
                                    {"stresses", stresses},
                                    {"fibres", fibres},
                                    {"stations_in_files", stations_in_files}};
  return test_main(argc, argv, "beam_sensors", cases, sizeof cases / sizeof *cases);
}
