/* Flexible components: their matrices, their place beside formulas, matrices from files, what they cost in memory. */
#define _POSIX_C_SOURCE 200809L
#include "support/check.h"

#include <math.h>
#include <picus/picus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static picus_context *context;

static void complain(void) { printf("  %s\n", picus_last_error(context)->message); }

static bool begin(void) { return CHECK(picus_context_create(NULL, &context) == PICUS_OK); }
static void end(void) {
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

static picus_model *load_text(const char *text) {
  picus_model *model = NULL;
  if (!CHECK(picus_model_load_text(context, "flexible.lua", text, strlen(text), NULL, &model) == PICUS_OK)) complain();
  return model;
}

static picus_system *system_of(picus_model *model) {
  picus_system *system = NULL;
  if (model && !CHECK(picus_system_create(model, &system) == PICUS_OK)) complain();
  return system;
}

/* M, C, K and the load of a bar with three elements, read off the system by its public functions. */
static void matrices_of_a_bar(void) {
  enum { NODES = 4 };
  REQUIRE(begin());
  picus_model *model = load_text("bar {'rod', elements = 3, length = 1.5, area = 2, density = 5, young = 7,\n"
                                 "  damping = {0.25, 0.5}, gravity = 3, start = {0.1, -1}}\n");
  picus_system *system = system_of(model);
  picus_evaluation *e = NULL;
  REQUIRE(system && picus_evaluation_create(context, system, &e) == PICUS_OK);
  const double element_mass = 5 * 2 * 0.5, element_stiffness = 7 * 2 / 0.5;
  double M[NODES * NODES], K[NODES * NODES], C[NODES * NODES], h[NODES];
  double q[NODES], u[NODES], zero[NODES] = {0};
  picus_system_start(system, q, u);
  for (int i = 0; i < NODES; i++) CHECK(q[i] == 0.1 && u[i] == -1);
  CHECK_TEXT(picus_system_q_name(system, 0), "rod.x0");
  CHECK_TEXT(picus_system_u_name(system, 3), "rod.v3");
  picus_evaluation_set_point(e, 0, zero, zero);
  REQUIRE(picus_evaluate_mass(e, M) == PICUS_OK);
  REQUIRE(picus_evaluate_force_jacobian(e, K, C) == PICUS_OK);
  REQUIRE(picus_evaluate_force(e, h) == PICUS_OK);
  for (int i = 0; i < NODES; i++) {
    const bool inner = i > 0 && i < NODES - 1;
    CHECK_NEAR(h[i], 3 * element_mass * (inner ? 1 : 0.5), 1e-14);
    for (int j = 0; j < NODES; j++) {
      double m = i == j ? element_mass / 3 * (inner ? 2 : 1) : abs(i - j) == 1 ? element_mass / 6 : 0;
      double k = i == j ? element_stiffness * (inner ? 2 : 1) : abs(i - j) == 1 ? -element_stiffness : 0;
      CHECK_NEAR(M[i * NODES + j], m, 1e-14);
      CHECK_NEAR(K[i * NODES + j], -k, 1e-13);
      CHECK_NEAR(C[i * NODES + j], -(0.25 * m + 0.5 * k), 1e-13);
    }
  }
  /* h and the energies at any point */
  double T, V, expected_T = 0, expected_V = 0;
  for (int i = 0; i < NODES; i++) q[i] = 0.3 * i * i - 0.2, u[i] = 1.0 / (i + 1);
  picus_evaluation_set_point(e, 0, q, u);
  REQUIRE(picus_evaluate_force(e, h) == PICUS_OK && picus_evaluate_energy(e, &T, &V) == PICUS_OK);
  for (int i = 0; i < NODES; i++) {
    double load = 3 * element_mass * (i > 0 && i < NODES - 1 ? 1 : 0.5), force = load;
    expected_V -= load * q[i];
    for (int j = 0; j < NODES; j++) {
      force += K[i * NODES + j] * q[j] + C[i * NODES + j] * u[j];
      expected_T += 0.5 * u[i] * M[i * NODES + j] * u[j];
      expected_V -= 0.5 * q[i] * K[i * NODES + j] * q[j];
    }
    CHECK_NEAR(h[i], force, 1e-12);
  }
  CHECK_NEAR(T, expected_T, 1e-12);
  CHECK_NEAR(V, expected_V, 1e-12);
  picus_evaluation_destroy(e);
  picus_system_destroy(system);
  picus_model_destroy(model);
  end();
}

/* Free vibration in mode k: nodes move as cos(k pi i / N) with w^2 = 6 (E / rho) / l^2 (1 - cos) / (2 + cos); Moreau's
 * rule, the leapfrog method here, turns the phase by acos(1 - (dt w)^2 / 2) in each step, exactly. */
static void free_vibration(void) {
  enum { N = 20, MODE = 7, STEPS = 500 };
  REQUIRE(begin());
  picus_model *model = load_text("bar {'rod', elements = 20, length = 2, area = 0.1, density = 3, young = 12}\n");
  picus_system *system = system_of(model);
  REQUIRE(system);
  picus_sim_options options = picus_default_sim_options();
  options.dt = 0.01;
  options.t_end = 10;
  picus_sim *sim = NULL;
  REQUIRE(picus_sim_create(context, system, &options, &sim) == PICUS_OK);
  double q[N + 1], u[N + 1] = {0};
  const double angle = MODE * acos(-1.0) / N, l = 2.0 / N;
  for (int i = 0; i <= N; i++) q[i] = cos(angle * i);
  REQUIRE(picus_sim_set_state(sim, 0, q, u) == PICUS_OK);
  const double w2 = 6 * (12.0 / 3) / (l * l) * (1 - cos(angle)) / (2 + cos(angle));
  const double phase = acos(1 - 0.01 * 0.01 * w2 / 2);
  for (int n = 1; n <= STEPS; n++) {
    REQUIRE(picus_sim_step(sim, 0, NULL) == PICUS_OK);
    picus_state state = picus_sim_state(sim);
    for (int i = 0; i <= N; i++) CHECK_NEAR(state.q[i], cos(n * phase) * q[i], 1e-10);
  }
  picus_sim_destroy(sim);
  picus_system_destroy(system);
  picus_model_destroy(model);
  end();
}

/* A mass falls on a bar that stands on springs of the laws: once with the bar as a component, once with every node as a
 * coordinate of formulas. */
static const char mixed[] =
    "local p = parameters {N = 5}\n"
    "local q, u = coordinates {{'y', velocity = 'vy', start = {-0.3, 2}}, {'z', velocity = 'vz', start = {1, 0.5}}}\n"
    "kinetic(0.7 * u.vy^2 / 2 + (0.2 + 0.1 * sin(q.y)^2) * u.vz^2 / 2)\n"
    "potential(q.z^2)\n"
    "local rod = bar {'rod', elements = p.N, length = 1, area = 0.5, density = 4, young = 30, damping = {0.1, 0.02},\n"
    "  gravity = 0.3, start = {0.05, -0.2}}\n"
    "contact {'hit', gap = rod.x[0] - q.y - 0.1 * sin(t), eN = 0.3}\n"
    "contact {'wall', gap = 0.4 + 0.1 * t - rod.x[p.N], slip = rod.v[2] - u.vz * cos(q.z), mu = 0.2, eN = 0.5}\n"
    "contact {'own', gap = q.y + 0.5, eN = 0.1}\n"
    "friction {'brake', slip = rod.v[3] - 0.1, reservoir = 0.05}\n"
    "constraint {'tie', velocity = rod.v[1] - rod.v[2] + 0.5 * u.vz}\n"
    "observe {'stretch', rod.x[p.N] - rod.x[0] + q.z * rod.v[1]}\n"
    "force {['rod.x4'] = 2 * sin(5 * t), ['rod.v5'] = when(lt(t, 1), 0.5, 0), y = 0.1}\n"
    "force {['rod.x4'] = 0.3}\n"
    "simulate {scheme = 'moreau', dt = 1e-3, t_end = 2}\n";

static const char by_formulas[] =
    "local p = parameters {N = 5}\n"
    "local q, u = coordinates {{'y', velocity = 'vy', start = {-0.3, 2}}, {'z', velocity = 'vz', start = {1, 0.5}}}\n"
    "kinetic(0.7 * u.vy^2 / 2 + (0.2 + 0.1 * sin(q.y)^2) * u.vz^2 / 2)\n"
    "potential(q.z^2)\n"
    "for i = 0, p.N do coordinates {{'x' .. i, velocity = 'v' .. i, start = {0.05, -0.2}}} end\n"
    "local rod = {x = {}, v = {}}\n"
    "for i = 0, p.N do rod.x[i], rod.v[i] = q['x' .. i], u['v' .. i] end\n"
    "local l, m, k = 1 / p.N, 4 * 0.5 / p.N, 30 * 0.5 * p.N\n"
    "for i = 1, p.N do\n"
    "  local a, b, x, y = rod.v[i - 1], rod.v[i], rod.x[i - 1], rod.x[i]\n"
    "  kinetic(m * (a^2 + a * b + b^2) / 6)\n"
    "  potential(k * (x - y)^2 / 2 - 0.3 * m * (x + y) / 2)\n"
    "  dissipation(0.1 * m * (a^2 + a * b + b^2) / 6 + 0.02 * k * (a - b)^2 / 2)\n"
    "end\n"
    "contact {'hit', gap = rod.x[0] - q.y - 0.1 * sin(t), eN = 0.3}\n"
    "contact {'wall', gap = 0.4 + 0.1 * t - rod.x[p.N], slip = rod.v[2] - u.vz * cos(q.z), mu = 0.2, eN = 0.5}\n"
    "contact {'own', gap = q.y + 0.5, eN = 0.1}\n"
    "friction {'brake', slip = rod.v[3] - 0.1, reservoir = 0.05}\n"
    "constraint {'tie', velocity = rod.v[1] - rod.v[2] + 0.5 * u.vz}\n"
    "observe {'stretch', rod.x[p.N] - rod.x[0] + q.z * rod.v[1]}\n"
    "force {x4 = 2 * sin(5 * t) + 0.3, v5 = when(lt(t, 1), 0.5, 0), y = 0.1}\n"
    "simulate {scheme = 'moreau', dt = 1e-3, t_end = 2}\n";

typedef struct twin {
  picus_model *model;
  picus_system *system;
  picus_sim *sim;
} twin;

static bool open_twin_with(twin *t, picus_model *model, const char *scheme) {
  *t = (twin){.model = model, .system = system_of(model)};
  if (!t->system) return false;
  picus_sim_options options = picus_model_sim_options(t->model);
  if (scheme) options.scheme = scheme;
  if (CHECK(picus_sim_create(context, t->system, &options, &t->sim) == PICUS_OK)) return true;
  complain();
  return false;
}

static bool open_twin(twin *t, picus_model *model) { return open_twin_with(t, model, NULL); }

static void close_twin(twin *t) {
  picus_sim_destroy(t->sim);
  picus_system_destroy(t->system);
  picus_model_destroy(t->model);
}

/* Steps both and compares states, percussions and energies; the numbers of coordinates agree in their order. */
static void compare_twins(twin *a, twin *b, int steps, double tolerance) {
  enum { LAWS_MOST = 8 };
  picus_law_state laws_a[LAWS_MOST], laws_b[LAWS_MOST];
  const int laws = picus_system_law_count(a->system);
  REQUIRE(laws <= LAWS_MOST && laws == picus_system_law_count(b->system));
  double pressed = 0;
  for (int n = 0; n < steps; n++) {
    REQUIRE(picus_sim_step(a->sim, 0, NULL) == PICUS_OK);
    REQUIRE(picus_sim_step(b->sim, 0, NULL) == PICUS_OK);
    picus_state sa = picus_sim_state(a->sim), sb = picus_sim_state(b->sim);
    REQUIRE(sa.nq == sb.nq && sa.nu == sb.nu);
    bool same = true;
    for (int i = 0; i < sa.nq; i++) same = same && fabs(sa.q[i] - sb.q[i]) <= tolerance;
    for (int i = 0; i < sa.nu; i++) same = same && fabs(sa.u[i] - sb.u[i]) <= tolerance;
    REQUIRE(picus_sim_laws(a->sim, laws_a) == PICUS_OK && picus_sim_laws(b->sim, laws_b) == PICUS_OK);
    for (int i = 0; i < laws; i++) {
      same = same && fabs(laws_a[i].gap - laws_b[i].gap) <= tolerance && fabs(laws_a[i].PN - laws_b[i].PN) <= tolerance;
      same = same && fabs(laws_a[i].PF[0] - laws_b[i].PF[0]) <= tolerance && laws_a[i].mode == laws_b[i].mode;
      pressed += fabs(laws_a[i].PN) + fabs(laws_a[i].PF[0]);
    }
    double Ta, Va, Tb, Vb;
    REQUIRE(picus_sim_energy(a->sim, &Ta, &Va) == PICUS_OK && picus_sim_energy(b->sim, &Tb, &Vb) == PICUS_OK);
    same = same && fabs(Ta - Tb) <= tolerance && fabs(Va - Vb) <= tolerance;
    if (!CHECK(same)) {
      printf("  at step %d\n", n);
      return;
    }
  }
  CHECK(pressed > 0.1);
}

static void beside_formulas(void) {
  static const char *const schemes[] = {"moreau", "moreau-jean", "moreau-projected", "moreau-combined", "rattle"};
  for (int i = 0; i < 5; i++) {
    REQUIRE(begin());
    twin a = {0}, b = {0};
    if (open_twin_with(&a, load_text(mixed), schemes[i]) && open_twin_with(&b, load_text(by_formulas), schemes[i])) {
      CHECK(!picus_system_constant_parts(a.system).directions); /* the slip of 'wall' depends on z */
      printf("  %s\n", schemes[i]);
      compare_twins(&a, &b, 2000, 1e-9);
    }
    close_twin(&a);
    close_twin(&b);
    end();
  }
}

/* Springs, dampers and forces between nodes and coordinates, and laws that are not linear in displacements, once with
 * the bar as a component and once by formulas. */
static const char coupled_terms[] = "potential(3 * (rod.x[4] - q.y)^2 + 2 * sin(rod.x[1]) * q.z + 0.5 * rod.x[2]^4)\n"
                                    "dissipation(0.2 * (rod.v[4] - u.vy)^2)\n"
                                    "force {z = 0.3 * rod.v[2] * rod.x[0], [FORCED] = -0.4 * rod.v[5] * u.vz + q.y^2}\n"
                                    "contact {'ring', gap = (0.16 - rod.x[0]^2 - q.y^2) / 0.8, slip = (rod.x[0] * u.vy "
                                    "- q.y * rod.v[0]) / 0.4, mu = 0.2,\n"
                                    "  eN = 0.3}\n"
                                    "contact {'wall', gap = 0.4 + 0.1 * t - rod.x[p.N], eN = 0.5}\n"
                                    "observe {'stretch', rod.x[p.N] - rod.x[0] + q.z * rod.v[1]}\n"
                                    "simulate {scheme = 'moreau', dt = 1e-3, t_end = 2}\n";

static picus_model *load_coupled(const char *bars, const char *forced) {
  char text[4000];
  const char *place = strstr(coupled_terms, "FORCED"), *end = strstr(bars, "contact {");
  snprintf(text, sizeof text, "%.*s%.*s'%s'%s", (int)(end - bars), bars, (int)(place - coupled_terms), coupled_terms,
           forced, place + strlen("FORCED"));
  return load_text(text);
}

static void coupled_beside_formulas(void) {
  static const char *const schemes[] = {"moreau",           "moreau-explicit", "half-explicit", "moreau-jean",
                                        "moreau-projected", "moreau-combined", "rattle"};
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    REQUIRE(begin());
    twin a = {0}, b = {0};
    if (open_twin_with(&a, load_coupled(mixed, "rod.x5"), schemes[i]) &&
        open_twin_with(&b, load_coupled(by_formulas, "x5"), schemes[i])) {
      printf("  %s\n", schemes[i]);
      compare_twins(&a, &b, 2000, 1e-9);
    }
    close_twin(&a);
    close_twin(&b);
    end();
  }
}

/* Modes with a force on a node: (4 -1; -1 1) - omega^2 / 6 (2 1; 1 2), so omega^4 / 12 - 2 omega^2 + 3 = 0. */
static void modes_with_coupled_forces(void) {
  REQUIRE(begin());
  picus_model *model = load_text("local b = bar {'b', elements = 1, length = 1, area = 1, density = 1, young = 1}\n"
                                 "potential(3 * b.x[0]^2 / 2)\n");
  picus_system *system = system_of(model);
  picus_modes *modes = NULL;
  picus_modes_options wanted = {.count = 1};
  if (CHECK(system && picus_modes_create(context, system, &wanted, &modes) == PICUS_OK))
    CHECK_NEAR(picus_modes_at(modes, 0).omega, sqrt(12 - sqrt(144 - 36)), 1e-12);
  picus_modes_destroy(modes);
  picus_system_destroy(system);
  picus_model_destroy(model);
  end();
}

/* All public derivatives of the mixed system against those of formulas. */
static void jacobians_beside_formulas(void) {
  enum { MOST = 8 * 8 };
  REQUIRE(begin());
  twin a = {0}, b = {0};
  if (open_twin(&a, load_text(mixed)) && open_twin(&b, load_text(by_formulas))) {
    picus_evaluation *e[2] = {NULL, NULL};
    REQUIRE(picus_evaluation_create(context, a.system, &e[0]) == PICUS_OK);
    REQUIRE(picus_evaluation_create(context, b.system, &e[1]) == PICUS_OK);
    double q[8], u[8], P[6], first[2][MOST], second[2][MOST], W[2][MOST], chi[2][6], third[2][MOST], fourth[2][MOST],
        fifth[2][MOST];
    for (int i = 0; i < 8; i++) q[i] = 0.3 * sin(i + 1.0), u[i] = cos(2 * i + 0.5);
    for (int i = 0; i < 6; i++) P[i] = i - 2.2;
    REQUIRE(picus_system_row_count(a.system) == 6 && picus_system_nq(a.system) == 8);
    for (int k = 0; k < 2; k++) {
      picus_evaluation_set_point(e[k], 0.7, q, u);
      CHECK(picus_evaluate_force_jacobian(e[k], first[k], second[k]) == PICUS_OK);
      CHECK(picus_evaluate_directions(e[k], W[k], chi[k]) == PICUS_OK);
      CHECK(picus_evaluate_gap_jacobian(e[k], third[k]) == PICUS_OK);
      CHECK(picus_evaluate_velocity_jacobian(e[k], fourth[k]) == PICUS_OK);
      CHECK(picus_evaluate_direction_jacobian(e[k], P, fifth[k]) == PICUS_OK);
    }
    for (int i = 0; i < MOST; i++) {
      CHECK_NEAR(first[0][i], first[1][i], 1e-11);
      CHECK_NEAR(second[0][i], second[1][i], 1e-11);
      CHECK_NEAR(fifth[0][i], fifth[1][i], 1e-13);
    }
    for (int i = 0; i < 6 * 8; i++) {
      CHECK_NEAR(W[0][i], W[1][i], 1e-14);
      CHECK_NEAR(fourth[0][i], fourth[1][i], 1e-13);
      if (i < 5 * 8) CHECK_NEAR(third[0][i], third[1][i], 1e-14);
    }
    for (int i = 0; i < 6; i++) CHECK_NEAR(chi[0][i], chi[1][i], 1e-14);
    picus_evaluation_destroy(e[0]);
    picus_evaluation_destroy(e[1]);
  }
  close_twin(&a);
  close_twin(&b);
  end();
}

/* Files for the tests below, in a folder of their own. */
static char folder[64], outside[64];

static void write_text(const char *name, const char *text) {
  char path[200];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "wb");
  if (!CHECK(file)) return;
  fputs(text, file);
  fclose(file);
}

static picus_status load_file(const char *text, picus_model **model) {
  char path[200];
  write_text("model.lua", text);
  snprintf(path, sizeof path, "%s/model.lua", folder);
  return picus_model_load(context, path, NULL, model);
}

/* A bar of two elements written by hand as M.mtx and K.mtx: the same motion as the component 'bar'. */
static void matrices_from_files(void) {
  REQUIRE(begin());
  /* rho S l = 3: M = [1 .5 0; .5 2 .5; 0 .5 1], E S / l = 8 */
  write_text("M.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n1 1 1\n2 1 .5\n2 2 2\n3 2 .5\n3 3 1\n");
  write_text("K.mtx", "%%MatrixMarket matrix array real general\n3 3\n8 -8 0\n-8 16 -8\n0 -8 8\n");
  write_text("C.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 1\n2 2 0.25\n");
  twin a = {0}, b = {0};
  picus_model *model = NULL;
  if (!CHECK(load_file("local s = structure {'s', mass = 'M.mtx', stiffness = './K.mtx', rayleigh = {0, 0.01},\n"
                       "  velocity_start = {-1, -1, -1}, start = {0.1, 0.1, 0.1}, load = {0, 0, -1}, unit = 'm'}\n"
                       "contact {'wall', gap = s.x[1], eN = 0.4}\n"
                       "simulate {scheme = 'moreau', dt = 1e-3, t_end = 3}\n",
                       &model) == PICUS_OK))
    complain();
  if (open_twin(&a, model) &&
      open_twin(&b,
                load_text("local q, u = coordinates {{'a', velocity = 'va', start = {0.1, -1}}, {'b', velocity = 'vb', "
                          "start = {0.1, -1}}, {'c', velocity = 'vc', start = {0.1, -1}}}\n"
                          "mass {{1, .5, 0}, {.5, 2, .5}, {0, .5, 1}}\n"
                          "potential(4 * (q.a - q.b)^2 + 4 * (q.b - q.c)^2 + q.c)\n"
                          "dissipation(0.04 * (u.va - u.vb)^2 + 0.04 * (u.vb - u.vc)^2)\n"
                          "contact {'wall', gap = q.a, eN = 0.4}\n"
                          "simulate {scheme = 'moreau', dt = 1e-3, t_end = 3}\n"))) {
    CHECK_TEXT(picus_system_q_name(a.system, 0), "s.x1");
    compare_twins(&a, &b, 3000, 1e-10);
  }
  close_twin(&a);
  close_twin(&b);
  model = NULL;
  CHECK(load_file("structure {'s', mass = 'M.mtx', stiffness = 'K.mtx', damping = 'C.mtx'}\n", &model) == PICUS_OK);
  picus_system *system = system_of(model);
  picus_evaluation *e = NULL;
  if (system && CHECK(picus_evaluation_create(context, system, &e) == PICUS_OK)) {
    double K[9], C[9], state[3] = {0};
    picus_evaluation_set_point(e, 0, state, state);
    CHECK(picus_evaluate_force_jacobian(e, K, C) == PICUS_OK);
    for (int i = 0; i < 9; i++) CHECK_NEAR(C[i], i == 4 ? -0.25 : 0, 0);
    CHECK_NEAR(K[1], 8, 0);
  }
  picus_evaluation_destroy(e);
  picus_system_destroy(system);
  picus_model_destroy(model);
  end();
}

/* A model reads no file outside its folder, and what is wrong in a file is said with the line of the model. */
static void files_that_are_refused(void) {
  static const struct {
    const char *file, *fragment;
  } cases[] = {
      {"../OUTSIDE", "outside the folder"}, {"/etc/hostname", "relative to the folder"},
      {"link.mtx", "outside the folder"},   {"missing.mtx", "missing.mtx"},
      {"", "relative to the folder"},       {".", "outside the folder"},
      {"deep/../../OUTSIDE", "outside"},    {"bad.mtx", "line 3"},
      {"wide.mtx", "4 x 4, but its mass"},  {"skew.mtx", "not symmetric"},
  };
  REQUIRE(begin());
  char path[200];
  write_text("M.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 2 1\n");
  write_text("bad.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 nan\n2 2 1\n");
  write_text("wide.mtx", "%%MatrixMarket matrix coordinate real symmetric\n4 4 2\n1 1 1\n2 2 1\n");
  write_text("skew.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 1\n2 1 -1\n");
  FILE *file = fopen(outside, "wb");
  REQUIRE(file);
  fputs("%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 2 1\n", file);
  fclose(file);
  snprintf(path, sizeof path, "%s/deep", folder);
  mkdir(path, 0700);
  snprintf(path, sizeof path, "%s/link.mtx", folder);
  char target[128];
  snprintf(target, sizeof target, "../%s", outside);
  CHECK(symlink(target, path) == 0);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char name[128], text[400];
    const char *mark = strstr(cases[i].file, "OUTSIDE");
    snprintf(name, sizeof name, "%.*s%s", (int)(mark ? mark - cases[i].file : 100), cases[i].file, mark ? outside : "");
    snprintf(text, sizeof text, "\nstructure {'s', mass = 'M.mtx', stiffness = '%s'}\n", name);
    picus_model *model = NULL;
    picus_status status = load_file(text, &model);
    const picus_error *error = picus_last_error(context);
    CHECK(status < 0 && model == NULL && error->line == 2);
    if (!CHECK(strstr(error->message, cases[i].fragment))) printf("  %s: %s\n", name, error->message);
    CHECK(picus_context_memory(context) == 0);
  }
  picus_model *model = NULL;
  const char *text = "structure {'s', mass = 'M.mtx', stiffness = 'M.mtx'}\n";
  CHECK(picus_model_load_text(context, "text", text, strlen(text), NULL, &model) == PICUS_ERROR_UNSUPPORTED);
  /* a file that needs more memory than the model may hold */
  write_text("large.mtx", "%%MatrixMarket matrix coordinate real general\n100000 100000 90000000\n1 1 1\n");
  CHECK(load_file("structure {'s', mass = 'large.mtx', stiffness = 'M.mtx'}\n", &model) < 0);
  CHECK(strstr(picus_last_error(context)->message, "90000000 entries exceed the limit"));
  /* links inside the folder are fine */
  snprintf(path, sizeof path, "%s/inner.mtx", folder);
  CHECK(symlink("M.mtx", path) == 0);
  CHECK(load_file("structure {'s', mass = 'inner.mtx', stiffness = 'M.mtx'}\n", &model) == PICUS_OK);
  picus_model_destroy(model);
  end();
}

/* A mass matrix that is not positive definite is found, and blamed on its structure. */
static void singular_mass(void) {
  REQUIRE(begin());
  write_text("Z.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 1\n2 1 1\n2 2 1\n");
  picus_model *model = NULL;
  picus_system *system = NULL;
  REQUIRE(load_file("\nstructure {'s', mass = 'Z.mtx', stiffness = 'Z.mtx'}\n", &model) == PICUS_OK);
  CHECK(picus_system_create(model, &system) == PICUS_ERROR_MODEL);
  CHECK(picus_last_error(context)->line == 2 && strstr(picus_last_error(context)->message, "'s.v2'"));
  picus_model_destroy(model);
  end();
}

/* Wide patterns, entries given twice, from C: random sparse matrices against dense sums. */
static void structures_from_c(void) {
  enum { N = 12, ENTRIES = 40 };
  test_random random = {5};
  for (int trial = 0; trial < 30; trial++) {
    REQUIRE(begin());
    double dense[2][N * N] = {{0}};
    int row[2][2 * ENTRIES + N], column[2][2 * ENTRIES + N];
    double value[2][2 * ENTRIES + N];
    picus_structure_def def = picus_default_structure_def();
    def.name = "net";
    def.first = 1;
    for (int m = 0; m < 2; m++) {
      size_t count = 0;
      for (int i = 0; i < N; i++) row[m][count] = column[m][count] = i, value[m][count++] = 20;
      for (int k = 0; k < ENTRIES; k++) {
        int i = test_integer(&random, 0, N - 1), j = test_integer(&random, 0, N - 1);
        double x = test_uniform(&random, -1, 1);
        row[m][count] = i, column[m][count] = j, value[m][count++] = x;
        row[m][count] = j, column[m][count] = i, value[m][count++] = x;
      }
      for (size_t k = 0; k < count; k++) dense[m][row[m][k] * N + column[m][k]] += value[m][k];
      *(m ? &def.stiffness : &def.mass) = (picus_matrix){N, count, row[m], column[m], value[m]};
    }
    static const int wanted[] = {3, 11};
    def.record = wanted;
    def.record_count = 2;
    picus_model *model;
    REQUIRE(picus_model_create(context, "net", &model) == PICUS_OK);
    REQUIRE(picus_model_add_structure(model, &def) == PICUS_OK);
    CHECK(picus_model_structure_size(model, "net") == N && picus_model_structure_size(model, "ten") == 0);
    picus_expr x, v;
    CHECK(picus_model_node(model, "net", 4, &x, &v) == PICUS_OK);
    CHECK(picus_model_symbol(model, "net.x4").id == x.id && picus_model_symbol(model, "net.v4").id == v.id);
    CHECK(!picus_expr_valid(picus_model_symbol(model, "net.x13")));
    CHECK(picus_model_node(model, "net", 0, &x, &v) == PICUS_ERROR_DIMENSION && !picus_expr_valid(x));
    CHECK(picus_model_node(model, "nett", 1, &x, NULL) == PICUS_ERROR_NAME);
    CHECK(picus_model_add_structure(model, &def) == PICUS_ERROR_NAME); /* the name is taken */
    picus_system *system = system_of(model);
    picus_evaluation *e = NULL;
    REQUIRE(system && picus_evaluation_create(context, system, &e) == PICUS_OK);
    double M[N * N], K[N * N], C[N * N], q[N] = {0}, u[N] = {0};
    picus_evaluation_set_point(e, 0, q, u);
    CHECK(picus_evaluate_mass(e, M) == PICUS_OK && picus_evaluate_force_jacobian(e, K, C) == PICUS_OK);
    for (int i = 0; i < N * N; i++) {
      CHECK_NEAR(M[i], dense[0][i], 1e-13);
      CHECK_NEAR(K[i], -dense[1][i], 1e-13);
      CHECK(C[i] == 0);
    }
    picus_evaluation_destroy(e);
    picus_system_destroy(system);
    picus_model_destroy(model);
    end();
  }
}

static picus_status note_columns(void *self, const picus_run_description *run, int count, const picus_column *columns) {
  (void)run;
  char *list = self;
  for (int i = 0; i < count; i++) {
    strcat(list, columns[i].name);
    strcat(list, " ");
  }
  return PICUS_OK;
}
static picus_status drop(void *self, long rows, int columns, const double *values) {
  (void)self, (void)columns;
  for (long k = 0; k < rows; k++) CHECK(values[k * columns + 1] == 0.5 && values[k * columns + 3] == 2);
  return PICUS_OK;
}
static picus_status close_sink(void *self, const picus_summary *summary) {
  (void)self, (void)summary;
  return PICUS_OK;
}
static void destroy_sink(void *self) { (void)self; }

/* Only the chosen displacements are columns; plots may name no others. */
static void chosen_columns(void) {
  REQUIRE(begin());
  twin a = {0};
  char list[400] = "";
  const char *text =
      "local b = bar {'b', elements = 9, length = 1, area = 1, density = 1, young = 1, start = {0.5, 2},\n"
      "  record = {7, 0}}\n"
      "plot {y = {'b.x7', 'b.v0'}}\n"
      "simulate {scheme = 'moreau', dt = 0.01, t_end = 0}\n";
  if (open_twin(&a, load_text(text))) {
    picus_run_description run = {a.model, a.system, picus_sim_options_of(a.sim), ""};
    picus_recorder *recorder = NULL;
    picus_sink sink = {.self = list, .open = note_columns, .write = drop, .close = close_sink, .destroy = destroy_sink};
    CHECK(picus_recorder_create(context, &run, &recorder) == PICUS_OK);
    CHECK(picus_recorder_add_sink(recorder, sink) == PICUS_OK);
    CHECK(picus_sim_run(a.sim, recorder, NULL, NULL) == PICUS_OK);
    picus_recorder_destroy(recorder);
    CHECK_TEXT(list, "t b.x0 b.x7 b.v0 b.v7 E.kin E.pot E.total ");
  }
  close_twin(&a);
  end();
}

/* Nothing grows with the square of the number of nodes: model, system and simulation of 100000 elements. */
static void memory_is_linear(void) {
  REQUIRE(begin());
  twin a = {0};
  const char *text =
      "local b = bar {'b', elements = 100000, length = 1, area = 1, density = 1, young = 1, record = {0}}\n"
      "contact {'left', gap = b.x[0] + 1}\n"
      "contact {'right', gap = 1 - b.x[100000]}\n"
      "simulate {scheme = 'moreau', dt = 1e-6, t_end = 1}\n";
  if (open_twin(&a, load_text(text))) {
    CHECK(picus_sim_step(a.sim, 0, NULL) == PICUS_OK);
    printf("  %.0f bytes for each node\n", (double)picus_context_memory(context) / 100001);
    CHECK(picus_context_memory(context) < 2000u * 100001u);
  }
  close_twin(&a);
  end();
}

static long requests;
static void *count_requests(void *user, void *old, size_t old_size, size_t new_size) {
  (void)user, (void)old_size;
  requests += new_size > 0;
  if (new_size > 0) return realloc(old, new_size);
  free(old);
  return NULL;
}

/* A bar and a structure without a narrow band, hit by a mass: no scheme allocates in a step. */
static void steps_allocate_nothing(void) {
  static const char *const schemes[] = {"moreau", "moreau-jean", "moreau-projected", "moreau-combined"};
  picus_context_def def = {.allocate = count_requests};
  write_text(
      "M.mtx",
      "%%MatrixMarket matrix coordinate real symmetric\n6 6 7\n1 1 2\n2 2 2\n3 3 2\n4 4 2\n5 5 2\n6 6 2\n6 1 .5\n");
  write_text("K.mtx", "%%MatrixMarket matrix coordinate real symmetric\n6 6 8\n1 1 2\n2 2 2\n3 3 2\n4 4 2\n5 5 2\n6 6 "
                      "2\n5 1 1\n6 2 -1\n");
  for (int i = 0; i < 4; i++) {
    REQUIRE(picus_context_create(&def, &context) == PICUS_OK);
    picus_model *model = NULL;
    CHECK(load_file("local q, u = coordinates {{'y', velocity = 'v', start = {0.5, -1}}}\n"
                    "kinetic(u.v^2)\n"
                    "local b = bar {'b', elements = 9, length = 1, area = 1, density = 1, young = 1}\n"
                    "local s = structure {'s', mass = 'M.mtx', stiffness = 'K.mtx'}\n"
                    "contact {'one', gap = q.y - b.x[0], slip = b.v[3] - s.v[2], mu = 0.3}\n"
                    "contact {'two', gap = b.x[9] - s.x[6] + 0.1}\n"
                    "simulate {dt = 0.01, t_end = 1}\n",
                    &model) == PICUS_OK);
    twin a = {0};
    a.model = model;
    a.system = system_of(model);
    picus_sim_options options = picus_model_sim_options(model);
    options.scheme = schemes[i];
    if (a.system && CHECK(picus_sim_create(context, a.system, &options, &a.sim) == PICUS_OK)) {
      long before = requests, active = 0;
      for (int n = 0; n < 200; n++) {
        picus_step_info info;
        CHECK(picus_sim_step(a.sim, 0, &info) == PICUS_OK);
        active += info.active;
      }
      CHECK(requests == before);
      CHECK(active > 10);
    }
    close_twin(&a);
    end();
  }
}

static void remove_files(void) {
  static const char *const names[] = {"M.mtx",    "K.mtx",     "C.mtx",    "Z.mtx",     "bad.mtx",   "wide.mtx",
                                      "skew.mtx", "large.mtx", "link.mtx", "inner.mtx", "model.lua", "deep"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    remove(path);
  }
  rmdir(folder);
  remove(outside);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"matrices_of_a_bar", matrices_of_a_bar},
      {"free_vibration", free_vibration},
      {"beside_formulas", beside_formulas},
      {"coupled_beside_formulas", coupled_beside_formulas},
      {"modes_with_coupled_forces", modes_with_coupled_forces},
      {"jacobians_beside_formulas", jacobians_beside_formulas},
      {"matrices_from_files", matrices_from_files},
      {"files_that_are_refused", files_that_are_refused},
      {"singular_mass", singular_mass},
      {"structures_from_c", structures_from_c},
      {"chosen_columns", chosen_columns},
      {"memory_is_linear", memory_is_linear},
      {"steps_allocate_nothing", steps_allocate_nothing},
  };
  snprintf(folder, sizeof folder, "flexible-%ld", (long)getpid());
  snprintf(outside, sizeof outside, "flexible-%ld.mtx", (long)getpid());
  mkdir(folder, 0700);
  int result = test_main(argc, argv, "flexible", cases, sizeof cases / sizeof cases[0]);
  remove_files();
  return result;
}
