/* Beams against closed forms: deflections, patch tests, rigid motions, frequencies with their orders, whirl. */
#include "support/check.h"
#include "support/eigen.h"

#include <math.h>
#include <picus/picus.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* A model by its text, its system, and M, K, C (with G), f as dense matrices. */
typedef struct dense {
  picus_context *context;
  picus_model *model;
  picus_system *system;
  int n;
  double *M, *K, *C, *f;
} dense;

static void close_dense(dense *d) {
  free(d->M), free(d->K), free(d->C), free(d->f);
  picus_system_destroy(d->system);
  picus_model_destroy(d->model);
  CHECK(picus_context_memory(d->context) == 0);
  picus_context_destroy(d->context);
}

static bool read_matrices(dense *d) {
  picus_evaluation *e = NULL;
  d->n = picus_system_nq(d->system);
  const size_t n = (size_t)d->n;
  d->M = calloc(n * n, sizeof(double)), d->K = calloc(n * n, sizeof(double)), d->C = calloc(n * n, sizeof(double));
  d->f = calloc(n, sizeof(double));
  double *zero = calloc(n, sizeof(double));
  bool read = CHECK(d->M && d->K && d->C && d->f && zero) &&
              CHECK(picus_evaluation_create(d->context, d->system, &e) == PICUS_OK);
  if (read) {
    picus_evaluation_set_point(e, 0, zero, zero);
    read = CHECK(picus_evaluate_mass(e, d->M) == PICUS_OK) &&
           CHECK(picus_evaluate_force_jacobian(e, d->K, d->C) == PICUS_OK) &&
           CHECK(picus_evaluate_force(e, d->f) == PICUS_OK);
    for (size_t i = 0; i < n * n; i++) d->K[i] = -d->K[i], d->C[i] = -d->C[i];
  }
  picus_evaluation_destroy(e);
  free(zero);
  return read;
}

static bool open_system(dense *d, const char *format, va_list arguments) {
  char text[2000];
  *d = (dense){0};
  vsnprintf(text, sizeof text, format, arguments);
  bool opened =
      CHECK(picus_context_create(NULL, &d->context) == PICUS_OK) &&
      CHECK(picus_model_load_text(d->context, "beams.lua", text, strlen(text), NULL, &d->model) == PICUS_OK) &&
      CHECK(picus_system_create(d->model, &d->system) == PICUS_OK);
  if (!opened) printf("  %s\n", picus_last_error(d->context)->message);
  return opened;
}

static bool open_dense(dense *d, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  bool opened = open_system(d, format, arguments);
  va_end(arguments);
  return opened && read_matrices(d);
}

/* K q = f by elimination with pivots, in place. */
static void solve(int n, double *A, double *b) {
  for (int j = 0; j < n; j++) {
    int p = j;
    for (int i = j + 1; i < n; i++)
      if (fabs(A[i * n + j]) > fabs(A[p * n + j])) p = i;
    for (int k = 0; k < n; k++) {
      double a = A[j * n + k];
      A[j * n + k] = A[p * n + k], A[p * n + k] = a;
    }
    double a = b[j];
    b[j] = b[p], b[p] = a;
    for (int i = j + 1; i < n; i++) {
      double factor = A[i * n + j] / A[j * n + j];
      for (int k = j; k < n; k++) A[i * n + k] -= factor * A[j * n + k];
      b[i] -= factor * b[j];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++) b[i] -= A[i * n + k] * b[k];
    b[i] /= A[i * n + i];
  }
}

/* Index of a displacement by its name; -1: there is none. */
static int index_of(const dense *d, const char *name) {
  for (int i = 0; i < d->n; i++)
    if (strcmp(picus_system_q_name(d->system, i), name) == 0) return i;
  return -1;
}

static double deflection(const dense *d, const char *name) {
  int i = index_of(d, name);
  return CHECK(i >= 0) ? d->f[i] : NAN;
}

static void add_force(dense *d, const char *name, double force) {
  int i = index_of(d, name);
  if (CHECK(i >= 0)) d->f[i] += force;
}

/* Static deflections are exact at the nodes, whatever their number: a cantilever with end load, under its weight,
 * pulled and twisted. */
static void cantilever_statics(void) {
  const double L = 1.3, E = 2e5, nu = 0.25, G = E / (2 * (1 + nu)), a = 0.1, b = 0.3, rho = 4, g = 2;
  const double A = a * b, Iz = b * a * a * a / 12, Iy = a * b * b * b / 12, kappa = 10 * (1 + nu) / (12 + 11 * nu);
  static const char *const theories[] = {"euler-bernoulli", "rayleigh", "timoshenko"};
  for (int n = 1; n <= 4; n += 3)
    for (int k = 0; k < 3; k++) {
      dense d;
      if (open_dense(&d,
                     "beam {'b', length = 1.3, elements = %d, rectangle = {0.1, 0.3}, density = 4, young = 2e5,\n"
                     "  poisson = 0.25, spatial = true, theory = '%s', supports = {{0, 'clamped'}},\n"
                     "  gravity = {0, 0, -2}}\n",
                     n, theories[k])) {
        char end[6][8];
        static const char *const components[] = {"ux", "uy", "uz", "rx", "ry", "rz"};
        for (int c = 0; c < 6; c++) snprintf(end[c], sizeof end[c], "b.%s%d", components[c], n);
        add_force(&d, end[0], 3);
        add_force(&d, end[1], 5);
        add_force(&d, end[3], 7);
        solve(d.n, d.K, d.f);
        const double shear = k == 2 ? 1 / (kappa * G * A) : 0, q = -rho * A * g;
        CHECK_NEAR(deflection(&d, end[0]), 3 * L / (E * A), 1e-12);
        CHECK_NEAR(deflection(&d, end[1]), 5 * L * L * L / (3 * E * Iz) + 5 * L * shear, 1e-10);
        CHECK_NEAR(deflection(&d, end[5]), 5 * L * L / (2 * E * Iz), 1e-10);
        CHECK_NEAR(deflection(&d, end[2]), q * pow(L, 4) / (8 * E * Iy) + q * L * L / 2 * shear, 1e-11);
        CHECK_NEAR(deflection(&d, end[4]), -q * pow(L, 3) / (6 * E * Iy), 1e-11);
        /* torsion of a rectangle 3 : 1, factor 0.2633 (Timoshenko and Goodier, table 7) */
        CHECK_NEAR(deflection(&d, end[3]) * G / (7 * L), 1 / (0.2633 * b * a * a * a), 1.0);
      }
      close_dense(&d);
    }
}

/* An angle of two legs, clamped below, with a force down at the end of the horizontal leg of length b:
 * u = F b^2 (3 a + b) / (3 E I) + F a / (E A), sideways F a^2 b / (2 E I). Beam segments of different sections: the sum
 * of flexibilities. */
static void frame_statics(void) {
  const double a = 2, b = 1.5, EI = 2e6 * 3e-4, EA = 2e6 * 0.02, F = 10;
  dense d;
  if (open_dense(&d, "framework {'f', nodes = {{0, 0}, {0, 2}, {1.5, 2}}, members = {{1, 2, elements = 3}, {2, 3}},\n"
                     "  area = 0.02, Iz = 3e-4, density = 1, young = 2e6, supports = {{1, 'clamped'}}}\n")) {
    add_force(&d, "f.uy3", -F);
    solve(d.n, d.K, d.f);
    CHECK_NEAR(deflection(&d, "f.uy3"), -F * b * b * (3 * a + b) / (3 * EI) - F * a / EA, 1e-12);
    CHECK_NEAR(deflection(&d, "f.ux3"), F * a * a * b / (2 * EI), 1e-12);
    CHECK_NEAR(deflection(&d, "f.rz2"), -F * a * b / EI, 1e-12);
  }
  close_dense(&d);
  if (open_dense(
          &d, "beam {'s', segments = {{length = 1, elements = 2, Iz = 1e-4}, {length = 2, elements = 3, Iz = 2e-4}},\n"
              "  area = 0.01, density = 1, young = 1e6, supports = {{0, 'clamped'}}}\n")) {
    add_force(&d, "s.uy5", 1);
    solve(d.n, d.K, d.f);
    /* integral of (3 - x)^2 / (E I(x)) */
    CHECK_NEAR(deflection(&d, "s.uy5"), (27.0 - 8) / 3 / 100 + 8.0 / 3 / 200, 1e-12);
  }
  close_dense(&d);
}

/* Constant strains are exact on elements of different length: no resulting force at the inner nodes. */
static void patch_tests(void) {
  dense d;
  if (open_dense(&d,
                 "beam {'b', segments = {{length = 0.2}, {length = 0.7}, {length = 0.35}}, rectangle = {0.1, 0.2},\n"
                 "  density = 3, young = 100, theory = 'timoshenko', spatial = true}\n")) {
    static const double x[4] = {0, 0.2, 0.9, 1.25};
    const double shear_stiffness = 10 * 1.3 / 15.3 * 100 / 2.6 * 0.02, EIz = 100 * 0.2 * 1e-3 / 12;
    for (int state = 0; state < 4; state++) {
      double q[24] = {0};
      for (int i = 0; i < 4; i++) {
        double *node = q + 6 * i;
        if (state == 0) node[0] = x[i];                            /* extension */
        if (state == 1) node[3] = x[i];                            /* twist */
        if (state == 2) node[1] = x[i] * x[i] / 2, node[5] = x[i]; /* curvature in x-y */
        if (state == 3) {                                          /* constant shear force Q = 1 */
          node[1] = -x[i] * x[i] * x[i] / (6 * EIz) + x[i] / shear_stiffness;
          node[5] = -x[i] * x[i] / (2 * EIz);
        }
      }
      for (int i = 6; i < 18; i++) {
        double sum = 0, size = 0;
        for (int j = 0; j < 24; j++) sum += d.K[i * 24 + j] * q[j], size += fabs(d.K[i * 24 + j] * q[j]);
        CHECK_NEAR(sum, 0, 1e-14 * (size + 1e-300));
      }
    }
  }
  close_dense(&d);
}

/* Rigid motions of a bent spatial framework: no elastic force; translation has the energy of the total mass, rotation
 * of the moment of inertia of the slender rods (with their own rotary inertia where the theory has it). */
static void rigid_motions(void) {
  static const char *const theories[] = {"euler-bernoulli", "rayleigh", "timoshenko"};
  const double p[4][3] = {{0.3, -0.2, 0.1}, {0.9, 0.5, 0.4}, {0.2, 1.1, 1.7}, {0.2, 1.1, 2.9}};
  for (int k = 0; k < 3; k++) {
    dense d;
    if (open_dense(&d,
                   "framework {'f', nodes = {{0.3, -0.2, 0.1}, {0.9, 0.5, 0.4}, {0.2, 1.1, 1.7}, {0.2, 1.1, 2.9}},\n"
                   "  members = {{1, 2}, {2, 3, up = {0, 1, 0}}, {3, 4}}, tube = {0.05, 0.03}, density = 10,\n"
                   "  young = 1000, theory = '%s', damping = {0.5, 0.01},\n"
                   "  bodies = {{2, mass = 0.3, inertia = {0.1, 0.2, 0.3}, offset = {0.1, -0.2, 0.05}}}}\n",
                   theories[k])) {
      REQUIRE(d.n == 24);
      double stiffness = 0;
      for (int i = 0; i < d.n; i++) stiffness = fmax(stiffness, fabs(d.K[i * d.n + i]));
      double T[6][24];
      for (int c = 0; c < 6; c++)
        for (int i = 0; i < 4; i++) {
          double *node = &T[c][6 * i];
          for (int j = 0; j < 6; j++) node[j] = j == c;
          if (c == 3) node[1] = -p[i][2], node[2] = p[i][1];
          if (c == 4) node[0] = p[i][2], node[2] = -p[i][0];
          if (c == 5) node[0] = -p[i][1], node[1] = p[i][0];
        }
      double inertia[6] = {0}; /* of rods: exact by Simpson's rule over the ends and the middle */
      const double area = pi * (25e-4 - 9e-4), I = pi / 4 * (625e-8 - 81e-8);
      for (int m = 0; m < 3; m++) {
        double e[3], length = 0;
        for (int j = 0; j < 3; j++) e[j] = p[m + 1][j] - p[m][j], length += e[j] * e[j];
        length = sqrt(length);
        for (int s = 0; s < 3; s++)
          for (int c = 0; c < 6; c++) {
            const int j = c % 3, a = (j + 1) % 3, b = (j + 2) % 3;
            const double ra = p[m][a] + 0.5 * s * e[a], rb = p[m][b] + 0.5 * s * e[b],
                         weight = (s == 1 ? 4.0 : 1.0) / 6;
            inertia[c] += weight * 10 * area * length * (c < 3 ? 1 : ra * ra + rb * rb);
          }
        for (int c = 3; c < 6; c++) {
          const double along = e[c - 3] / length; /* polar moment about the axis, I across it */
          inertia[c] += 10 * length * (2 * I * along * along + (k ? I * (1 - along * along) : 0));
        }
      }
      const double centre[3] = {1.0, 0.3, 0.45};
      for (int c = 0; c < 6; c++) {
        const int j = c % 3, a = (j + 1) % 3, b = (j + 2) % 3;
        inertia[c] += c < 3 ? 0.3 : 0.3 * (centre[a] * centre[a] + centre[b] * centre[b]) + 0.1 * (j + 1);
      }
      for (int c = 0; c < 6; c++) {
        double mass = 0;
        for (int i = 0; i < d.n; i++) {
          double force = 0;
          for (int j = 0; j < d.n; j++) {
            force += d.K[i * d.n + j] * T[c][j];
            mass += T[c][i] * d.M[i * d.n + j] * T[c][j];
          }
          CHECK_NEAR(force, 0, 1e-13 * stiffness);
        }
        CHECK_NEAR(mass, inertia[c], 1e-12);
      }
      for (int i = 0; i < d.n * d.n; i++) CHECK(isfinite(d.C[i]));
    }
    close_dense(&d);
  }
}

/* The first frequencies of a beam: eigenvalues of the dense matrices. */
static bool frequencies(dense *d, double *omega, int count) {
  double *lambda = calloc((size_t)d->n, sizeof *lambda);
  bool found = lambda && d->n >= count && CHECK(test_eigenvalues(d->n, d->K, d->M, lambda, NULL) == 0);
  for (int i = 0; found && i < count; i++) omega[i] = sqrt(fmax(lambda[i], 0));
  free(lambda);
  return found;
}

/* Euler-Bernoulli: roots k L of the frequency equations, omega = k^2 sqrt(E I / rho A). The error decreases as h^4 with
 * consistent mass and as h^2 with lumped mass. */
static void bending_frequencies(void) {
  static const struct {
    const char *supports;
    int first; /* after the rigid motions */
    double root[3];
  } cases[] = {
      {"{0, 'clamped'}", 0, {1.8751040687119611, 4.6940911329741746, 7.8547574382376126}},
      {"{0, 'uy'}, {N, 'uy'}", 0, {3.14159265358979323846, 2 * 3.14159265358979323846, 3 * 3.14159265358979323846}},
      {"", 2, {4.7300407448627040, 7.8532046240958376, 10.9956078380016709}},
      {"{0, 'clamped'}, {N, 'clamped'}", 0, {4.7300407448627040, 7.8532046240958376, 10.9956078380016709}}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    for (int lumped = 0; lumped < 2; lumped++) {
      double error[2][3] = {{0}};
      for (int level = 0; level < 2; level++) {
        dense d;
        const int n = 12 << level;
        /* ux is held everywhere, so that bending is alone */
        if (open_dense(&d,
                       "local N, supports = %d, {}\nfor i = 0, N do supports[i + 1] = {i, 'ux'} end\n"
                       "for _, s in ipairs {%s} do supports[#supports + 1] = s end\n"
                       "beam {'b', length = 2, elements = N, area = 0.5, Iz = 3, density = 4, young = 8,\n"
                       "  mass = '%s', supports = supports}\n",
                       n, cases[k].supports, lumped ? "lumped" : "consistent")) {
          double omega[5];
          if (frequencies(&d, omega, cases[k].first + 3))
            for (int m = 0; m < 3; m++) {
              const double exact = pow(cases[k].root[m] / 2, 2) * sqrt(8 * 3 / (4 * 0.5));
              error[level][m] = fabs(omega[cases[k].first + m] / exact - 1);
            }
          for (int m = 0; m < cases[k].first; m++) CHECK(omega[m] < 1e-4);
        }
        close_dense(&d);
      }
      for (int m = 0; m < 3; m++) {
        const double order = log2(error[0][m] / error[1][m]);
        printf("  %s, %s, mode %d: error %.2e, order %.2f\n", cases[k].supports, lumped ? "lumped" : "consistent",
               m + 1, error[1][m], order);
        CHECK(lumped ? order > 1.8 && order < 2.3 : order > 3.8 && order < 4.3);
      }
    }
}

/* A hinged beam with rotary inertia and shear: omega^2 is a root of
 * rho^2 I / (kappa G) w^2 ... : (E I k^4 / (rho A)) - w (1 + k^2 I/A (1 + E/(kappa G))) + w^2 rho I / (A kappa G) = 0.
 */
static double hinged_frequency(double k, double EI, double rhoA, double rhoI, double shear) {
  const double a = shear > 0 ? rhoA * rhoI / shear : 0, b = rhoA + k * k * (rhoI + (shear > 0 ? rhoA * EI / shear : 0));
  const double c = EI * pow(k, 4);
  return sqrt(2 * c / (b + sqrt(b * b - 4 * a * c)));
}

static void hinged_theories(void) {
  static const char *const theories[] = {"euler-bernoulli", "rayleigh", "timoshenko"};
  const double E = 50, nu = 0.3, A = 0.3 * 0.2, I = 0.2 * 0.027 / 12, rho = 2;
  const double shear = 10 * (1 + nu) / (12 + 11 * nu) * E / (2 * (1 + nu)) * A;
  for (int k = 0; k < 3; k++) {
    double error[2] = {0};
    for (int level = 0; level < 2; level++) {
      const int n = 16 << level;
      dense d;
      if (open_dense(&d,
                     "local N, supports = %d, {}\nfor i = 0, N do supports[i + 1] = {i, 'ux'} end\n"
                     "supports[N + 2], supports[N + 3] = {0, 'uy'}, {N, 'uy'}\n"
                     "beam {'b', length = 2, elements = N, rectangle = {0.3, 0.2}, density = 2, young = 50,\n"
                     "  theory = '%s', supports = supports}\n",
                     n, theories[k])) {
        double omega[3];
        if (frequencies(&d, omega, 3))
          for (int m = 0; m < 3; m++) {
            const double exact =
                hinged_frequency((m + 1) * pi / 2, E * I, rho * A, k ? rho * I : 0, k == 2 ? shear : 0);
            if (m == 2) error[level] = fabs(omega[m] / exact - 1);
          }
      }
      close_dense(&d);
    }
    printf("  %s: error %.2e, order %.2f\n", theories[k], error[1], log2(error[0] / error[1]));
    /* with shear the interpolation of the rotations becomes linear as the elements become shorter than the height */
    CHECK_NEAR(log2(error[0] / error[1]), k == 2 ? 2 : 4, 0.1);
  }
}

/* A slender Timoshenko beam approaches Euler-Bernoulli with the square of height / length. */
static void slender_limit(void) {
  double difference[2] = {0};
  for (int level = 0; level < 2; level++) {
    double omega[2] = {0};
    for (int k = 0; k < 2; k++) {
      dense d;
      if (open_dense(&d,
                     "local supports = {{0, 'clamped'}}\nfor i = 1, 16 do supports[i + 1] = {i, 'ux'} end\n"
                     "beam {'b', length = 1, elements = 16, rectangle = {%g, 1}, density = 1, young = 1,\n"
                     "  theory = '%s', supports = supports}\n",
                     level ? 0.01 : 0.02, k ? "timoshenko" : "euler-bernoulli"))
        frequencies(&d, &omega[k], 1);
      close_dense(&d);
    }
    difference[level] = 1 - omega[1] / omega[0];
  }
  printf("  differences %.3e and %.3e\n", difference[0], difference[1]);
  CHECK(difference[1] > 0 && difference[1] < 3e-4);
  CHECK_NEAR(log2(difference[0] / difference[1]), 2, 0.02);
}

/* Extension and twist of a clamped rod: (2 m - 1) pi / 2 c / L, with c^2 = E / rho or G J / (rho Ip); order 2. */
static void axial_and_torsional_frequencies(void) {
  static const char *const held[] = {"'uy', 'uz', 'rx', 'ry', 'rz'", "'ux', 'uy', 'uz', 'ry', 'rz'"};
  for (int torsion = 0; torsion < 2; torsion++) {
    double error[2] = {0};
    for (int level = 0; level < 2; level++) {
      dense d;
      const int n = 16 << level;
      if (open_dense(&d,
                     "local supports = {{0, 'clamped'}}\nfor i = 1, %d do supports[i + 1] = {i, %s} end\n"
                     "beam {'b', length = 3, elements = %d, area = 0.1, Iy = 1, Iz = 2, torsion = 0.5, density = 5,\n"
                     "  young = 20, shear = 7, spatial = true, supports = supports}\n",
                     n, held[torsion], n)) {
        double omega[2];
        REQUIRE(d.n == n);
        if (frequencies(&d, omega, 2))
          error[level] = fabs(omega[1] / (1.5 * pi / 3 * sqrt(torsion ? 7 * 0.5 / (5 * 3.0) : 20.0 / 5)) - 1);
      }
      close_dense(&d);
    }
    CHECK_NEAR(log2(error[0] / error[1]), 2, 0.05);
  }
}

/* Damping: alpha M + beta K, and in torsion c (2 1; 1 2) l / 6 instead of alpha M. */
static void damping_matrices(void) {
  dense d;
  if (open_dense(&d, "beam {'b', length = 2, elements = 1, circle = 0.5, density = 3, young = 7, spatial = true,\n"
                     "  damping = {0.4, 0.02}, torsion_damping = 0.9,\n"
                     "  springs = {{0, stiffness = {uy = 5}, damping = {uy = 6}}, {0, 1, damping = {ux = 8}}}}\n")) {
    for (int i = 0; i < 12; i++)
      for (int j = 0; j < 12; j++) {
        const bool torsion = i % 6 == 3 && j % 6 == 3;
        double M = d.M[i * 12 + j], K = d.K[i * 12 + j] - (i == 1 && j == 1 ? 5 : 0);
        double expected = torsion ? 0.9 * 2 * (i == j ? 2 : 1) / 6 + 0.02 * K : 0.4 * M + 0.02 * K;
        if (i == 1 && j == 1) expected += 6;
        if (i % 6 == 0 && j % 6 == 0) expected += i == j ? 8 : -8;
        CHECK_NEAR(d.C[i * 12 + j], expected, 1e-13);
      }
  }
  close_dense(&d);
}

/* Whirl of a beam: frequencies with G in C. */
static bool whirl(dense *d, double *omega) {
  for (int i = 0; i < d->n; i++)
    for (int j = 0; j < d->n; j++) CHECK(d->C[i * d->n + j] == -d->C[j * d->n + i]);
  return CHECK(test_whirl_frequencies(d->n, d->M, d->C, d->K, omega) == 0);
}

/* A disc in the middle of a light hinged shaft: deflection and tilting are uncoupled. Deflection: 48 E I / (L^3 m), no
 * influence of the spin; tilting: Jt w^2 -+ Jp spin w - 12 E I / L = 0. In rotating axes the forward frequencies
 * decrease by the spin and the backward ones increase. */
static void jeffcott_rotor(void) {
  const double EI = 1e3 * pi / 4 * 1e-4, L = 2, m = 3, Jp = 0.5, Jt = 0.3;
  for (int rotating = 0; rotating < 2; rotating++)
    for (int s = 0; s < 3; s++) {
      const double spin = 0.15 * s;
      dense d;
      if (open_dense(&d,
                     "beam {'b', length = 2, elements = 2, circle = 0.1, density = 1e-5, young = 1e3, spatial = true,\n"
                     "  supports = {{0, 'hinged', 'rx'}, {1, 'ux', 'rx'}, {2, 'hinged', 'rx'}}, theory = 'rayleigh',\n"
                     "  bodies = {{1, mass = 3, inertia = {0.5, 0.3, 0.3}}}, spin = %g, axes = '%s'}\n",
                     spin, rotating ? "rotating" : "inertial")) {
        double omega[16], expected[4];
        REQUIRE(d.n == 8);
        const double w = sqrt(48 * EI / (L * L * L * m)), half = Jp * spin / (2 * Jt), k = 12 * EI / L / Jt;
        const double shift = rotating ? spin : 0;
        expected[0] = w - shift, expected[1] = w + shift;
        expected[2] = sqrt(half * half + k) - half + shift, expected[3] = sqrt(half * half + k) + half - shift;
        for (int i = 0; i < 4; i++)
          for (int j = i + 1; j < 4; j++)
            if (expected[j] < expected[i]) {
              double a = expected[i];
              expected[i] = expected[j], expected[j] = a;
            }
        if (whirl(&d, omega))
          for (int i = 0; i < 4; i++) CHECK_NEAR(omega[i], expected[i], 3e-7);
      }
      close_dense(&d);
    }
}

/* In rotating axes K is singular at a critical speed of forward whirl: w = sqrt(48 E I / (L^3 m)) for the deflection;
 * tilting with Jp < Jt at (Jt - Jp) w^2 = 12 E I / L, and none with Jp > Jt. */
static void critical_speeds(void) {
  const double EI = 1e3 * pi / 4 * 1e-4, first = sqrt(48 * EI / (8 * 3)), second = sqrt(12 * EI / 2 / (0.3 - 0.1));
  const double speeds[] = {0.999 * first, 1.001 * first, 0.999 * second, 1.001 * second, 100};
  const int negative[2][5] = {{0, 2, 2, 4, 4}, {0, 2, 2, 2, 2}}; /* eigenvalues of K, two for each direction */
  for (int large = 0; large < 2; large++)
    for (int s = 0; s < 5; s++) {
      dense d;
      if (open_dense(&d,
                     "beam {'b', length = 2, elements = 2, circle = 0.1, density = 1e-9, young = 1e3, spatial = true,\n"
                     "  supports = {{0, 'hinged', 'rx'}, {1, 'ux', 'rx'}, {2, 'hinged', 'rx'}}, axes = 'rotating',\n"
                     "  bodies = {{1, mass = 3, inertia = {%g, 0.3, 0.3}}}, spin = %.17g}\n",
                     large ? 0.5 : 0.1, speeds[s])) {
        double lambda[8];
        int count = 0;
        CHECK(test_eigenvalues(d.n, d.K, d.M, lambda, NULL) == 0);
        for (int i = 0; i < d.n; i++) count += lambda[i] < 0;
        CHECK(count == negative[large][s]);
      }
      close_dense(&d);
    }
}

/* A spinning hinged shaft with rotary inertia: (rho A + rho I k^2) w^2 -+ 2 rho I spin k^2 w - E I k^4 = 0. */
static void spinning_shaft(void) {
  const double I = pi / 4 * 1e-4, A = pi * 0.01, E = 1e3, rho = 2, spin = 40;
  dense d;
  if (open_dense(&d, "local s = {}\nfor i = 0, 12 do s[i + 1] = {i, 'ux', 'rx'} end\n"
                     "s[14], s[15] = {0, 'hinged'}, {12, 'hinged'}\n"
                     "beam {'b', length = 2, elements = 12, circle = 0.1, density = 2, young = 1e3, spatial = true,\n"
                     "  supports = s, theory = 'rayleigh', spin = 40}\n")) {
    double omega[64];
    if (whirl(&d, omega))
      for (int m = 0; m < 2; m++) {
        const double k2 = pow((m + 1) * pi / 2, 2), mass = rho * A + rho * I * k2, g = rho * I * spin * k2 / mass;
        const double root = sqrt(g * g + E * I * k2 * k2 / mass);
        CHECK_NEAR(omega[2 * m] / (root - g), 1, 1e-4);
        CHECK_NEAR(omega[2 * m + 1] / (root + g), 1, 1e-4);
        CHECK(omega[2 * m + 1] / omega[2 * m] > 1.01); /* the spin splits them */
      }
  }
  close_dense(&d);
}

/* A body with an offset in rotating axes pulls with m spin^2 e; at rest (Jeffcott) the deflection is
 * e spin^2 / (w^2 - spin^2). */
static void unbalance(void) {
  const double EI = 1e3 * pi / 4 * 1e-4, w2 = 48 * EI / (8 * 3.0), spin = 0.3, e = 0.01;
  dense d;
  if (open_dense(&d, "beam {'b', length = 2, elements = 2, circle = 0.1, density = 1e-9, young = 1e3, spatial = true,\n"
                     "  supports = {{0, 'hinged', 'rx'}, {1, 'ux', 'rx'}, {2, 'hinged', 'rx'}}, axes = 'rotating',\n"
                     "  bodies = {{1, mass = 3, inertia = {0.5, 0.3, 0.3}, offset = {0, 0.01, 0}}}, spin = 0.3}\n")) {
    solve(d.n, d.K, d.f);
    CHECK_NEAR(deflection(&d, "b.uy1"), e * spin * spin / (w2 - spin * spin), 1e-10);
    CHECK_NEAR(deflection(&d, "b.uz1"), 0, 1e-12);
  }
  close_dense(&d);
}

static picus_sim *simulate(dense *d, const char *scheme, double dt) {
  picus_sim *sim = NULL;
  picus_sim_options options = picus_default_sim_options();
  options.dt = dt;
  options.t_end = 1e9;
  options.scheme = scheme;
  if (!CHECK(picus_sim_create(d->context, d->system, &options, &sim) == PICUS_OK))
    printf("  %s\n", picus_last_error(d->context)->message);
  return sim;
}

/* rattle: the energy of a vibrating, spinning beam oscillates with O(dt^2) and does not drift. */
static void energy_without_drift(void) {
  for (int spinning = 0; spinning < 2; spinning++) {
    double swing[2] = {0};
    for (int level = 0; level < 2; level++) {
      dense d;
      picus_sim *sim = NULL;
      const double dt = level ? 1e-3 : 2e-3;
      if (open_dense(&d,
                     "beam {'b', length = 2, elements = 4, circle = 0.1, density = 1, young = 300, spatial = true,\n"
                     "  theory = 'timoshenko', supports = {{0, 'clamped'}}, velocity_start = {uy = 0.3, uz = -0.1},\n"
                     "  bodies = {{4, mass = 0.1, inertia = {0.01, 0.006, 0.006}}}, spin = %d}\n",
                     spinning ? 30 : 0) &&
          (sim = simulate(&d, "rattle", dt))) {
        double T, V, first = 0, early = 0, late = 0;
        const int steps = (int)(100 / dt), part = steps / 10;
        for (int n = 0; n < steps; n++) {
          REQUIRE(picus_sim_step(sim, 0, NULL) == PICUS_OK && picus_sim_energy(sim, &T, &V) == PICUS_OK);
          if (n == 0) first = T + V;
          swing[level] = fmax(swing[level], fabs(T + V - first));
          if (n < part) early += (T + V) / part;
          if (n >= steps - part) late += (T + V) / part;
        }
        printf("  spin %d, dt %g: energy %.6g J, swing %.2e, drift %.2e\n", spinning, dt, first, swing[level],
               late - early);
        CHECK(fabs(late - early) < 0.02 * swing[level]);
        CHECK(swing[level] < 0.05 * first);
      }
      picus_sim_destroy(sim);
      close_dense(&d);
    }
    CHECK_NEAR(log2(swing[0] / swing[1]), 2, 0.4);
  }
}

/* A blow at one end of a long rod arrives at the other one after L / c, c = sqrt(E / rho), or sqrt(G J / (rho Ip)). */
static void wave_speed(void) {
  for (int torsion = 0; torsion < 2; torsion++) {
    dense d;
    picus_sim *sim = NULL;
    if (open_dense(&d,
                   "local s = {}\nfor i = 0, 200 do s[i + 1] = {i, %s} end\n"
                   "beam {'b', length = 10, elements = 200, circle = 0.1, density = 2, young = 50, poisson = 0.25,\n"
                   "  spatial = true, mass = 'lumped', supports = s, damping = 1e-3}\n",
                   torsion ? "'ux', 'uy', 'uz', 'ry', 'rz'" : "'uy', 'uz', 'rx', 'ry', 'rz'") &&
        (sim = simulate(&d, "rattle", 2e-3))) {
      double q[201] = {0}, u[201] = {0};
      REQUIRE(d.n == 201);
      for (int i = 0; i < 40; i++) u[i] = pow(sin(i * pi / 40), 2); /* half of it runs to the right as a wave */
      REQUIRE(picus_sim_set_state(sim, 0, q, u) == PICUS_OK);
      const double c = sqrt(torsion ? 20.0 / 2 : 50.0 / 2);
      double largest = 0, arrival = 0;
      for (int n = 0; n < (int)(14 / c / 2e-3); n++) {
        REQUIRE(picus_sim_step(sim, 0, NULL) == PICUS_OK);
        picus_state state = picus_sim_state(sim);
        if (state.u[160] > largest) largest = state.u[160], arrival = state.t;
      }
      printf("  speed %.4f, expected %.4f\n", 7 / arrival, c);
      CHECK_NEAR(7 / arrival / c, 1, 5e-3); /* from node 20 to node 160 */
    }
    picus_sim_destroy(sim);
    close_dense(&d);
  }
}

/* From C: the same matrices as from Lua; symbols of nodes; a supported component is 0. */
static void frameworks_from_c(void) {
  dense d;
  if (open_dense(&d, "framework {'f', nodes = {{0, 0}, {1, 2}, {3, 2}}, members = {{1, 2, elements = 2}, {2, 3}},\n"
                     "  rectangle = {0.1, 0.2}, density = 3, young = 70, theory = 'timoshenko', mass = 'lumped',\n"
                     "  supports = {{1, 'hinged'}}, damping = {0.1, 0.2}, gravity = {1, -2}, start = {uy = 0.5},\n"
                     "  bodies = {{3, mass = 2, inertia = 0.5, offset = {0, 0.1}}}}\n")) {
    static const double positions[] = {0, 0, 0, 1, 2, 0, 3, 2, 0};
    picus_member members[2] = {picus_default_member(), picus_default_member()};
    for (int i = 0; i < 2; i++) {
      members[i].from = i, members[i].to = i + 1, members[i].elements = 2 - i;
      members[i].section = (picus_section){.kind = PICUS_SECTION_RECTANGLE, .size_y = 0.1, .size_z = 0.2};
      members[i].density = 3, members[i].young = 70;
    }
    const picus_support support = {0, 1u << PICUS_UX | 1u << PICUS_UY};
    const picus_node_body body = {2, 2, {0, 0, 0.5}, {0, 0.1, 0}};
    picus_framework_def def = picus_default_framework_def();
    def.name = "f", def.first = 1;
    def.node_count = 3, def.positions = positions, def.member_count = 2, def.members = members;
    def.support_count = 1, def.supports = &support, def.body_count = 1, def.bodies = &body;
    def.theory = PICUS_BEAM_TIMOSHENKO, def.lumped = true, def.alpha = 0.1, def.beta = 0.2;
    def.gravity[0] = 1, def.gravity[1] = -2, def.start[PICUS_UY] = 0.5;
    dense c = {0};
    REQUIRE(picus_context_create(NULL, &c.context) == PICUS_OK);
    REQUIRE(picus_model_create(c.context, "c", &c.model) == PICUS_OK);
    REQUIRE(picus_model_add_framework(c.model, &def) == PICUS_OK);
    CHECK(picus_model_framework_nodes(c.model, "f") == 4 && picus_model_structure_size(c.model, "f") == 10);
    picus_expr x, v;
    double value = 1;
    CHECK(picus_model_beam_node(c.model, "f", 2, PICUS_RZ, &x, &v) == PICUS_OK);
    CHECK(picus_model_symbol(c.model, "f.rz2").id == x.id && picus_model_symbol(c.model, "f.wz2").id == v.id);
    CHECK(picus_model_beam_node(c.model, "f", 1, PICUS_UY, &x, NULL) == PICUS_OK);
    CHECK(picus_expr_is_number(picus_model_pool(c.model), x, &value) && value == 0);
    CHECK(picus_model_beam_node(c.model, "f", 5, PICUS_UX, &x, NULL) == PICUS_ERROR_DIMENSION);
    CHECK(picus_model_beam_node(c.model, "f", 2, PICUS_UZ, &x, NULL) == PICUS_ERROR_ARGUMENT);
    CHECK(picus_model_node(c.model, "f", 2, &x, NULL) == PICUS_ERROR_ARGUMENT);
    CHECK(picus_model_add_framework(c.model, &def) == PICUS_ERROR_NAME); /* the name is taken */
    REQUIRE(picus_system_create(c.model, &c.system) == PICUS_OK);
    if (read_matrices(&c)) {
      REQUIRE(c.n == d.n);
      for (int i = 0; i < c.n; i++) {
        CHECK_TEXT(picus_system_q_name(c.system, i), picus_system_q_name(d.system, i));
        CHECK(c.f[i] == d.f[i]);
      }
      for (int i = 0; i < c.n * c.n; i++) CHECK(c.M[i] == d.M[i] && c.K[i] == d.K[i] && c.C[i] == d.C[i]);
      double q[10], u[10];
      picus_system_start(c.system, q, u);
      for (int i = 0; i < c.n; i++)
        CHECK(q[i] == (strstr(picus_system_q_name(c.system, i), ".uy") ? 0.5 : 0) && u[i] == 0);
    }
    close_dense(&c);
  }
  close_dense(&d);
}

/* Model, system and simulation of 100000 spatial elements. */
static void memory_is_linear(void) {
  double each[2] = {0};
  for (int level = 0; level < 2; level++) {
    const int n = level ? 100000 : 10000;
    dense d = {0};
    char text[400];
    snprintf(text, sizeof text,
             "local b = beam {'b', length = 1, elements = %d, circle = 0.01, density = 1, young = 1, spatial = true,\n"
             "  record = {0}}\ncontact {'c', gap = b.uy[%d] + 1}\n",
             n, n);
    REQUIRE(picus_context_create(NULL, &d.context) == PICUS_OK);
    if (CHECK(picus_model_load_text(d.context, "b.lua", text, strlen(text), NULL, &d.model) == PICUS_OK) &&
        CHECK(picus_system_create(d.model, &d.system) == PICUS_OK)) {
      picus_sim *sim = simulate(&d, "moreau-jean", 1e-3);
      if (sim) CHECK(picus_sim_step(sim, 0, NULL) == PICUS_OK);
      each[level] = (double)picus_context_memory(d.context) / n;
      picus_sim_destroy(sim);
    } else {
      printf("  %s\n", picus_last_error(d.context)->message);
    }
    close_dense(&d);
  }
  printf("  %.0f and %.0f bytes for each element\n", each[0], each[1]);
  CHECK(each[1] < 1.1 * each[0]);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"cantilever_statics", cantilever_statics},
                                    {"frame_statics", frame_statics},
                                    {"patch_tests", patch_tests},
                                    {"rigid_motions", rigid_motions},
                                    {"bending_frequencies", bending_frequencies},
                                    {"hinged_theories", hinged_theories},
                                    {"slender_limit", slender_limit},
                                    {"axial_and_torsional_frequencies", axial_and_torsional_frequencies},
                                    {"damping_matrices", damping_matrices},
                                    {"jeffcott_rotor", jeffcott_rotor},
                                    {"critical_speeds", critical_speeds},
                                    {"spinning_shaft", spinning_shaft},
                                    {"unbalance", unbalance},
                                    {"energy_without_drift", energy_without_drift},
                                    {"wave_speed", wave_speed},
                                    {"frameworks_from_c", frameworks_from_c},
                                    {"memory_is_linear", memory_is_linear}};
  return test_main(argc, argv, "beams", cases, (int)(sizeof cases / sizeof *cases));
}
