/* The stability limit of explicit forces: closed forms of every scheme, against motions of random systems just below
 * and above it, of bars and beams; what it must not count; no warning for shipped models. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const explicit_schemes[] = {"moreau", "half-explicit", "half-explicit-acc", "half-explicit-rk",
                                               "moreau-explicit"};
enum { EXPLICIT = sizeof explicit_schemes / sizeof explicit_schemes[0] };

/* At the initial state; dt = 1e-30 is accepted by every system. */
static bool limit_of(simulation *s, const picus_sim_options *given, picus_stability *out) {
  picus_sim_options options = *given;
  options.dt = 1e-30;
  options.t_end = 0;
  if (!simulation_start(s, &options)) return false;
  const picus_status status = picus_sim_stability(s->sim, out);
  CHECK(status == PICUS_OK);
  picus_sim_destroy(s->sim);
  s->sim = NULL;
  return status == PICUS_OK;
}

static double limit_of_text(const char *text, const char *scheme) {
  simulation s;
  picus_sim_options options;
  picus_stability found = {.dt_limit = -1};
  if (!simulation_load_text(&s, text, &options)) return -1;
  options.scheme = scheme;
  limit_of(&s, &options, &found);
  simulation_close(&s);
  return found.dt_limit;
}

static double oscillator(const char *scheme, double omega, double damping) {
  char text[300];
  snprintf(text, sizeof text,
           "local q, u = coordinates { {'x', velocity = 'v', start = {1, 0}} }\nkinetic(u.v^2)\n"
           "force {x = -2 * %.17g * q.x - 2 * %.17g * u.v}\nsimulate {dt = 1, t_end = 1}\n",
           omega * omega, damping);
  return limit_of_text(text, scheme);
}

/* moreau: (omega dt)^2 + 2 d dt = 4; half-explicit: (omega dt)^2 = 4 - 2 d dt + (d dt)^2 and d dt <= 2; rattle: omega
 * dt = 2; the classic scheme: dt = d / omega^2 if it vibrates. */
static void oscillator_with_damping(void) {
  for (int k = 0; k <= 12; k++) {
    const double omega = 37.5, d = omega * 0.25 * k, moreau = 4 / (d + sqrt(d * d + 4 * omega * omega));
    const double a = omega * omega - d * d;
    double half = fabs(a) < 1e-9 * omega * omega ? 2 / d : (-d + sqrt(d * d + 4 * a)) / a;
    if (a < 0 && d * d + 4 * a < 0) half = INFINITY; /* no step violates the first condition */
    if (d > 0) half = fmin(half, 2 / d);
    const double found[3] = {oscillator("moreau", omega, d), oscillator("half-explicit", omega, d),
                             oscillator("rattle", omega, d)};
    if (k % 4 == 0)
      printf("  d/omega %.2f: moreau %.5g s (%.5g), half-explicit %.5g s (%.5g)\n", d / omega, found[0], moreau,
             found[1], half);
    CHECK_NEAR(found[0], moreau, 2e-3 * moreau);
    CHECK_NEAR(found[1], half, 2e-3 * half);
    CHECK_NEAR(oscillator("half-explicit-acc", omega, d), half, 2e-3 * half);
    CHECK_NEAR(found[2], 2 / omega, 1e-3 / omega);
  }
  /* |1 + dt s|^2 = 1 - d dt + (omega dt)^2: a limit by damping, and without it a growth of 1e-3 per step */
  CHECK_NEAR(oscillator("moreau-explicit", 10, 10), (10 + sqrt(100 + 400 * (exp(2e-3) - 1))) / 200, 2e-4);
  CHECK_NEAR(oscillator("moreau-explicit", 10, 0), sqrt(exp(2e-3) - 1) / 10, 2e-5);
  /* 1 + z + z^2/2 + z^3/6 on the axes */
  CHECK_NEAR(oscillator("half-explicit-rk", 10, 0), sqrt(3.0) / 10, 5e-4);
  CHECK_NEAR(oscillator("half-explicit-rk", 0, 10), 2.5127453 / 10, 5e-4);
}

/* Motions that grow by themselves, or are blocked, or have no forces, are no limit. */
static void what_is_no_limit(void) {
  for (int k = 0; k < EXPLICIT; k++) {
    CHECK(isinf(limit_of_text("local q, u = coordinates { {'x', velocity = 'v'} }\nkinetic(u.v^2)\n"
                              "potential(-3 * q.x^2)\nsimulate {dt = 1, t_end = 1}\n",
                              explicit_schemes[k])));
    CHECK(isinf(limit_of_text("local q, u = coordinates { {'x', velocity = 'v'} }\nkinetic(u.v^2)\n"
                              "potential(9.81 * q.x)\nsimulate {dt = 1, t_end = 1}\n",
                              explicit_schemes[k])));
  }
  /* a hard spring between two coordinates that a constraint keeps together, and a soft one */
  static const char blocked[] = "local q, u = coordinates { {'x', velocity = 'v'}, {'y', velocity = 'w'} }\n"
                                "kinetic(u.v^2 / 2 + u.w^2 / 2)\npotential(1e10 * (q.x - q.y)^2 + 4 * (q.x + q.y)^2)\n"
                                "constraint {'rod', position = q.x - q.y}\nsimulate {dt = 1, t_end = 1}\n";
  CHECK_NEAR(limit_of_text(blocked, "half-explicit"), 0.5, 1e-3);
  CHECK(isinf(limit_of_text(blocked, "moreau-jean")));
  /* a bead on a hoop that turns: it leaves its place by itself, and round-off frees no motion that constraints hold */
  static const char hoop[] =
      "local q, u = coordinates { {'r', velocity = 'vr', start = 0.4}, {'f', velocity = 'vf', start = {0, 6}},\n"
      "  {'z', velocity = 'vz', start = -0.3} }\n"
      "kinetic((u.vr^2 + u.vz^2 + (u.vf * q.r)^2) / 2)\npotential(9.81 * q.z)\n"
      "constraint {'hoop', position = q.r^2 + q.z^2 - 0.25}\nconstraint {'turn', position = q.f - 6 * t}\n"
      "simulate {dt = 1e-3, t_end = 1}\n";
  for (int k = 0; k < EXPLICIT; k++) CHECK(isinf(limit_of_text(hoop, explicit_schemes[k])));
  CHECK(isinf(limit_of_text(hoop, "rattle")));
  /* gyroscopic forces hold a mass on a hill: an implicit step has them, the estimate has not */
  CHECK(isinf(limit_of_text("local q, u = coordinates {{'x', velocity = 'v'}, {'y', velocity = 'w'}}\n"
                            "kinetic((u.v^2 + u.w^2) / 2 + 50 * (q.x * u.w - q.y * u.v))\n"
                            "potential(-10 * (q.x^2 + q.y^2))\nsimulate {dt = 1e-3, t_end = 1}\n",
                            "rattle")));
}

/* A chain of n masses between walls: omega = 2 sin(n pi / (2 n + 2)). Independent oscillators: the fastest one counts.
 */
static void chains_and_groups(void) {
  char text[800];
  for (int n = 1; n <= 160; n = n < 12 ? n + 1 : 2 * n) {
    snprintf(text, sizeof text,
             "local n, list = %d, {}\nfor i = 1, n do list[i] = {'x' .. i, velocity = 'v' .. i} end\n"
             "local q, u = coordinates(list)\nlocal T, V = 0, q.x1^2 / 2 + q['x' .. n]^2 / 2\n"
             "for i = 1, n do T = T + u['v' .. i]^2 / 2 end\n"
             "for i = 2, n do V = V + (q['x' .. i] - q['x' .. (i - 1)])^2 / 2 end\nkinetic(T)\npotential(V)\n"
             "simulate {dt = 1, t_end = 1}\n",
             n);
    const double exact = 1 / sin(n * acos(-1) / (2 * n + 2)), found = limit_of_text(text, "half-explicit");
    if (n > 16) printf("  %d masses: %.5f s, exactly %.5f s\n", n, found, exact);
    CHECK(found > 0.999 * exact && found < (n <= 16 ? 1.001 : 1.03) * exact);
  }
  for (int n = 2; n <= 12; n += 5) {
    snprintf(text, sizeof text,
             "local n, list = %d, {}\nfor i = 1, n do list[i] = {'x' .. i, velocity = 'v' .. i} end\n"
             "local q, u = coordinates(list)\nlocal T, V = 0, 0\n"
             "for i = 1, n do T, V = T + u['v' .. i]^2 / 2, V + (1 + i %% 5)^2 * q['x' .. i]^2 / 2 end\n"
             "kinetic(T)\npotential(V)\nsimulate {dt = 1, t_end = 1}\n",
             n);
    const double omega = n < 4 ? 3 : 5;
    CHECK_NEAR(limit_of_text(text, "moreau"), 2 / omega, 1e-3);
  }
}

static double random_number(unsigned long long *state) {
  *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (double)(*state >> 11) / 9007199254740992.0 - 0.5;
}

/* A + shift 1 with a symmetric positive A, as a Lua table of rows. */
static size_t write_matrix(char *to, size_t size, const char *name, int n, double factor, unsigned long long *state) {
  double R[36];
  size_t at = (size_t)snprintf(to, size, "local %s = {", name);
  for (int i = 0; i < n * n; i++) R[i] = random_number(state);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = i == j ? 0.05 : 0;
      for (int k = 0; k < n; k++) sum += R[i * n + k] * R[j * n + k];
      at += (size_t)snprintf(to + at, size - at, "%s%.17g%s", j ? ", " : "{", factor * sum, j == n - 1 ? "}, " : "");
    }
  return at + (size_t)snprintf(to + at, size - at, "}\n");
}

/* The largest |u| after many steps of a multiple of the limit, from the same initial state. */
static double size_after(simulation *s, const picus_sim_options *given, double dt, int steps) {
  picus_sim_options options = *given;
  double largest = 0;
  options.dt = dt;
  options.t_end = steps * dt;
  if (!simulation_start(s, &options)) return NAN;
  for (int k = 0; k < steps && largest < 1e30; k++) {
    CHECK(picus_sim_step(s->sim, 0, NULL) == PICUS_OK);
    const picus_state state = picus_sim_state(s->sim);
    for (int i = 0; i < state.nu; i++) largest = fmax(largest, fabs(state.u[i]));
  }
  picus_sim_destroy(s->sim);
  s->sim = NULL;
  return largest;
}

/* Random M, K and C that share no modes: the motion stays bounded just below the limit and explodes just above it. */
static void random_systems(void) {
  unsigned long long state = 14;
  for (int trial = 0; trial < 24; trial++) {
    const int n = 1 + trial % 6;
    char text[8000];
    size_t at = write_matrix(text, sizeof text, "M", n, 2, &state);
    at += write_matrix(text + at, sizeof text - at, "K", n, 400, &state);
    at += write_matrix(text + at, sizeof text - at, "C", n, trial % 3 == 0 ? 0 : 8.0 * (trial % 5 + 1), &state);
    snprintf(
        text + at, sizeof text - at,
        "local n, list = %d, {}\nfor i = 1, n do list[i] = {'x' .. i, velocity = 'v' .. i, start = {1 / i, 0}} end\n"
        "local q, u = coordinates(list)\nlocal T = 0\n"
        "for i = 1, n do\n  local h = 0\n  for j = 1, n do\n    T = T + M[i][j] * u['v' .. i] * u['v' .. j] / 2\n"
        "    h = h - K[i][j] * q['x' .. j] - C[i][j] * u['v' .. j]\n  end\n  force {['x' .. i] = h}\nend\n"
        "kinetic(T)\nsimulate {dt = 1, t_end = 1}\n",
        n);
    simulation s;
    picus_sim_options options;
    if (!simulation_load_text(&s, text, &options)) continue;
    for (int k = 0; k < EXPLICIT - 1; k++) { /* the classic scheme grows slowly at any step */
      picus_stability found;
      options.scheme = explicit_schemes[k];
      if (!limit_of(&s, &options, &found)) continue;
      const double below = size_after(&s, &options, 0.99 * found.dt_limit, 4000);
      const double above = size_after(&s, &options, 1.02 * found.dt_limit, 4000);
      if (trial < 3)
        printf("  n = %d, %s: limit %.4g s, %.2g below, %.2g above\n", n, options.scheme, found.dt_limit, below, above);
      CHECK(isfinite(found.dt_limit) && below < 1e4 && above > 1e6);
      CHECK(found.velocity >= 0 && found.velocity < n && found.omega > 0);
    }
    simulation_close(&s);
  }
}

/* The highest mode of a bar of N elements with consistent masses is sqrt(12) c0 / l; of a beam, that of all its modes.
 */
static void bars_and_beams(void) {
  static const int elements[] = {3, 20, 100, 1000, 20000};
  for (int k = 0; k < 5; k++) {
    simulation s;
    picus_sim_options options;
    picus_stability found;
    char overrides[40];
    snprintf(overrides, sizeof overrides, "N=%d", elements[k]);
    REQUIRE(simulation_load(&s, "elastic-bar", overrides, &options));
    options.scheme = "half-explicit";
    const double exact = 2 / (sqrt(12.0) * sqrt(2.1e11 / 7800) * elements[k]);
    if (limit_of(&s, &options, &found)) {
      printf("  bar of %d elements: %.5g s, exactly %.5g s\n", elements[k], found.dt_limit, exact);
      CHECK(found.dt_limit > 0.999 * exact && found.dt_limit < 1.02 * exact);
    }
    simulation_close(&s);
  }
  static const char *const theories[] = {"euler-bernoulli", "rayleigh", "timoshenko"};
  for (int k = 0; k < 3; k++) {
    char text[400];
    simulation s;
    picus_sim_options options;
    picus_stability found;
    picus_modes *modes = NULL;
    snprintf(text, sizeof text,
             "beam {'b', length = 1.3, elements = 5, rectangle = {0.1, 0.1}, density = 4, young = 2e5,\n"
             "  poisson = 0.25, theory = '%s', supports = {{0, 'clamped'}}}\nsimulate {dt = 1e-9, t_end = 1}\n",
             theories[k]);
    REQUIRE(simulation_load_text(&s, text, &options));
    picus_modes_options wanted = picus_default_modes_options();
    wanted.count = 1000;
    options.scheme = "moreau";
    if (limit_of(&s, &options, &found) && !picus_modes_create(s.context, s.system, &wanted, &modes)) {
      const double highest = picus_modes_at(modes, picus_modes_count(modes) - 1).omega;
      printf("  beam, %s: %.5g s, by its highest mode %.5g s\n", theories[k], found.dt_limit, 2 / highest);
      CHECK_NEAR(found.dt_limit, 2 / highest, 2e-3 / highest);
    } else
      CHECK(false);
    picus_modes_destroy(modes);
    simulation_close(&s);
  }
}

/* Forces at inner nodes are part of the limit: a hard spring between a beam and a body makes the motion faster. */
static void forces_at_nodes(void) {
  static const char text[] =
      "local q, u = coordinates { {'y', velocity = 'v', start = {0.01, 0}} }\nkinetic(u.v^2)\n"
      "local b = beam {'b', length = 1, elements = 4, rectangle = {0.1, 0.1}, density = 40, young = 2e4,\n"
      "  supports = {{0, 'clamped'}}, spatial = false}\n"
      "potential(3e5 * (q.y - b.uy[2])^2 / 2)\nsimulate {dt = 1e-9, t_end = 1}\n";
  simulation s;
  picus_sim_options options;
  picus_stability found, rattle;
  REQUIRE(simulation_load_text(&s, text, &options));
  options.scheme = "half-explicit";
  REQUIRE(limit_of(&s, &options, &found));
  const double below = size_after(&s, &options, 0.99 * found.dt_limit, 4000);
  const double above = size_after(&s, &options, 1.02 * found.dt_limit, 4000);
  printf("  limit %.4g s at velocity %d, %.2g below, %.2g above\n", found.dt_limit, found.velocity, below, above);
  CHECK(below < 1e4 && above > 1e6);
  options.scheme = "rattle";
  REQUIRE(limit_of(&s, &options, &rattle));
  CHECK_NEAR(rattle.dt_limit, found.dt_limit, 1e-3 * found.dt_limit);
  simulation_close(&s);
}

/* No shipped model exceeds the limit of its own run. */
static void shipped_models_are_stable(void) {
  for (int k = 0; k < picus_shipped_model_count(); k++) {
    const char *name = picus_shipped_model_name(k);
    simulation s;
    picus_sim_options options;
    picus_stability found;
    if (!simulation_load(&s, name, "", &options)) continue;
    const double dt = options.dt > 0 ? options.dt : options.dt_min;
    if (limit_of(&s, &options, &found)) {
      if (isfinite(found.dt_limit)) printf("  %s: dt = %g s, limit %.3g s\n", name, dt, found.dt_limit);
      CHECK(!(dt > found.dt_limit));
    }
    simulation_close(&s);
  }
}

/* A query changes nothing of the run. */
static void queries_leave_no_trace(void) {
  double end[2][3];
  for (int asked = 0; asked < 2; asked++) {
    simulation s;
    REQUIRE(simulation_open(&s, "woodpecker", "", 1e-4, 0.1, NULL));
    picus_stability found;
    for (int k = 0; k < 500; k++) {
      if (asked && k % 50 == 0) CHECK(picus_sim_stability(s.sim, &found) == PICUS_OK && found.dt_limit > 1e-3);
      CHECK(picus_sim_step(s.sim, 0, NULL) == PICUS_OK);
    }
    memcpy(end[asked], picus_sim_state(s.sim).q, sizeof end[asked]);
    simulation_close(&s);
  }
  CHECK(memcmp(end[0], end[1], sizeof end[0]) == 0);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"oscillator_with_damping", oscillator_with_damping},
                                    {"what_is_no_limit", what_is_no_limit},
                                    {"chains_and_groups", chains_and_groups},
                                    {"random_systems", random_systems},
                                    {"bars_and_beams", bars_and_beams},
                                    {"forces_at_nodes", forces_at_nodes},
                                    {"shipped_models_are_stable", shipped_models_are_stable},
                                    {"queries_leave_no_trace", queries_leave_no_trace}};
  return test_main(argc, argv, "stability", cases, sizeof cases / sizeof cases[0]);
}
