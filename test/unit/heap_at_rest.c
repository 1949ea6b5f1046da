/* A heap at rest whose gaps are not exactly zero. The gap term must not drive them: a contact between others cannot
 * open or close without slip, and sweeps would stay on a plateau. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Spheres in a cubic packing, each up to 0.8e-9 m beside its place: gaps of -1.6e-9 to 1.6e-9 m, within the slack of
 * the gap term, 2e-4 g dt^2 = 2e-9 m. */
static const char PACKING[] =
    "model 'packing'\n"
    "gravity {0, 0, -9.81}\n"
    "material {'default', mu = 0.5}\n"
    "local r, c = 0.01, 7\n"
    "local width = 2 * r * c\n"
    "half_space {'floor', normal = {0, 0, 1}}\n"
    "half_space {'left', normal = {1, 0, 0}}\n"
    "half_space {'right', normal = {-1, 0, 0}, position = {width, 0, 0}}\n"
    "half_space {'front', normal = {0, 1, 0}}\n"
    "half_space {'back', normal = {0, -1, 0}, position = {0, width, 0}}\n"
    "local state = 12345\n"
    "local function beside()\n"
    "  state = (1664525 * state + 1013904223) % 2^32\n"
    "  return 0.8e-9 * (2 * state / 2^32 - 1)\n"
    "end\n"
    "for i = 0, c^3 - 1 do\n"
    "  local x, y, z = i % c, i // c % c, i // c^2\n"
    "  sphere {'sphere' .. i + 1, suffix = tostring(i + 1), radius = r, density = 1000 + 100 * (i % 11),\n"
    "    position = {r + 2 * r * x + beside(), r + 2 * r * y + beside(), r + 2 * r * z + beside()}}\n"
    "end\n"
    "simulate {scheme = 'moreau', gap_term = true, dt = 1e-3, t_end = 0.04}\n";

enum { HEAP_LAWS = 1000, STEPS = 40, SETTLED = 20 };

static bool open_packing(simulation *m, double heap_tolerance) {
  picus_sim_options options;
  if (!CHECK(simulation_load_text(m, PACKING, &options))) return false;
  options.solver.heap_tolerance = heap_tolerance;
  return CHECK(simulation_start(m, &options));
}

static void gaps_within_their_slack_leave_no_plateau(void) {
  simulation m;
  if (!open_packing(&m, 5e-11)) return;
  double worst = 0;
  int sweeps = 0, active = 0;
  for (int k = 0; k < STEPS; k++) {
    picus_step_info info;
    if (!CHECK(!picus_sim_step(m.sim, 0, &info))) break;
    if (k < SETTLED) continue;
    CHECK(!info.solver.last.accepted);
    worst = fmax(worst, info.solver.residual);
    sweeps = info.solver.last.iterations > sweeps ? info.solver.last.iterations : sweeps;
    active = info.active;
  }
  printf("  %d contacts at rest: relative residual %.2g at most, %d sweeps at most\n", active, worst, sweeps);
  CHECK(active > HEAP_LAWS);
  CHECK(worst <= 5e-11); /* a natural map of about 1e-8 g dt */
  simulation_close(&m);
}

/* Steps with a tolerance of heaps: how far a coordinate moves after the first of them, in which the packing is loaded.
 * 0: the usual tolerance. */
static double creep_of(double heap_tolerance, long *sweeps) {
  enum { LONG = 200 };
  simulation m;
  double start[7 * 7 * 7 * 7], moved = 0; /* seven coordinates of each sphere */
  *sweeps = 0;
  if (!open_packing(&m, heap_tolerance)) return INFINITY;
  const double promised = picus_sim_options_of(m.sim)->solver.heap_tolerance;
  const int nq = picus_system_nq(m.system);
  CHECK(nq <= (int)(sizeof start / sizeof *start));
  for (int k = 0; k < LONG; k++) {
    picus_step_info info;
    if (!CHECK(!picus_sim_step(m.sim, 0, &info))) break;
    *sweeps += info.solver.last.iterations;
    if (k == SETTLED) memcpy(start, picus_sim_state(m.sim).q, (size_t)nq * sizeof *start);
    if (k > SETTLED) CHECK(!info.solver.last.accepted && info.solver.residual <= promised);
  }
  const picus_state end = picus_sim_state(m.sim);
  for (int k = 0; k < nq; k++) moved = fmax(moved, fabs(end.q[k] - start[k]));
  simulation_close(&m);
  return moved;
}

/* What the usual tolerance of heaps guarantees: where nothing moves every step is solved to it, and nothing creeps. */
static void nothing_creeps(void) {
  long sweeps[2];
  const double usual = creep_of(0, &sweeps[0]), sharp = creep_of(1e-12, &sweeps[1]);
  printf("  motion %.2g m with %ld sweeps; to 1e-12 %.2g m with %ld\n", usual, sweeps[0], sharp, sweeps[1]);
  CHECK(usual < 1e-8); /* 1e-3 g dt^2, a millionth of a radius */
  CHECK(sweeps[0] <= sweeps[1]);
}

/* A thousand balls, each rolling down from the top of a ball that cannot move, as the balls of a heap do in their
 * grooves: each step ends on the tangent, (v dt)^2 / 2 (R + r) above. */
static const char ROLLING[] = "model 'rolling'\n"
                              "gravity {0, 0, -9.81}\n"
                              "material {'default', mu = 0.8}\n"
                              "local R, r, c, angle = 0.05, 0.01, 33, 0.05\n"
                              "local tops = {}\n"
                              "for i = 0, c^2 - 1 do\n"
                              "  local x, y = 0.2 * (i % c), 0.2 * (i // c)\n"
                              "  tops[i + 1] = {'sphere', radius = R, at = {x, y, -R}}\n"
                              "  sphere {'ball' .. i + 1, suffix = tostring(i + 1), radius = r, density = 1000,\n"
                              "    position = {x + (R + r) * sin(angle), y, (R + r) * cos(angle) - R}}\n"
                              "end\n"
                              "frame {'tops', shape = tops}\n"
                              "simulate {scheme = 'moreau', gap_term = true, dt = 1e-3, t_end = 0.05}\n";

enum { ROLLING_STEPS = 50 };
#define OPEN_SLACK 1e-8 /* 1e-3 g dt^2, beyond which a velocity would close the gap */

/* The largest gap of a contact that is closed. */
static double largest_closed_gap(simulation *m, picus_law_state *states) {
  double largest = 0;
  if (!CHECK(!picus_sim_present_laws(m->sim, states))) return INFINITY;
  for (int i = 0; i < picus_sim_present_count(m->sim); i++)
    if (states[i].mode != PICUS_OPEN) largest = fmax(largest, states[i].gap);
  return largest;
}

static double energy_of(simulation *m) {
  double kinetic = NAN, potential = NAN;
  CHECK(!picus_sim_energy(m->sim, &kinetic, &potential));
  return kinetic + potential;
}

/* Positions move, and forces do work on the way: it counts as dissipated. */
static void drift_is_taken_back(void) {
  static picus_law_state states[2 * HEAP_LAWS];
  simulation m;
  picus_sim_options options;
  picus_step_info info = {0};
  double largest = 0, dissipated = 0;
  if (!CHECK(simulation_load_text(&m, ROLLING, &options)) || !CHECK(simulation_start(&m, &options))) return;
  const double begin = energy_of(&m);
  for (int k = 0; k < ROLLING_STEPS; k++) {
    if (!CHECK(!picus_sim_step(m.sim, 0, &info)) || !CHECK(picus_sim_present_count(m.sim) <= 2 * HEAP_LAWS)) break;
    if (k > 0) largest = fmax(largest, largest_closed_gap(&m, states));
    dissipated += info.dissipated;
  }
  const picus_state end = picus_sim_state(m.sim);
  const double way = 1e-3 * fabs(end.u[0]);
  printf("  %d balls with %.3g m/s: gaps up to %.2g m, each step adds %.2g m\n", info.active, end.u[0], largest,
         way * way / (2 * 0.06));
  CHECK(info.active > HEAP_LAWS);
  CHECK(largest < 0.8 * OPEN_SLACK);
  const double balance = energy_of(&m) + dissipated - begin;
  printf("  balance of energy %.2g J of %.3g J\n", balance, begin);
  CHECK(fabs(balance) < 1e-12 * fabs(begin));
  simulation_close(&m);
}

/* A few spheres that settle have more contact rows than they can move in, too. While they settle, some steps are
 * accepted because contacts creep; then the gaps have their slack, and at rest every step is solved to the tolerance of
 * small problems. Without it up to nine steps in ten were accepted, for ever. */
static void few_spheres_come_to_rest(void) {
  static const char *const sizes[] = {"n=12", "n=15", "n=20"};
  static picus_law_state states[HEAP_LAWS];
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    simulation m;
    if (!CHECK(simulation_open(&m, "spheres", sizes[k], 0, 0, NULL))) return;
    long crept = 0, left = 0;
    picus_step_info info = {0};
    while (picus_sim_state(m.sim).t < 1.5 && CHECK(!picus_sim_step(m.sim, 0, &info)))
      *(picus_sim_state(m.sim).t < 1 ? &crept : &left) += info.solver.last.accepted;
    double lowest = 0;
    if (CHECK(!picus_sim_present_laws(m.sim, states)))
      for (int i = 0; i < picus_sim_present_count(m.sim); i++) lowest = fmin(lowest, states[i].gap);
    printf("  %s: %ld steps accepted until 1 s, %ld later; overlap %.2g m\n", sizes[k], crept, left, -lowest);
    CHECK(crept > 0 && left == 0);
    CHECK(-lowest < 2e-9); /* 2e-4 g dt^2 */
    simulation_close(&m);
  }
}

/* With much friction spheres wedge each other: percussions whose round-off is above 1e-12, and contacts that creep.
 * Such steps are accepted up to 1e-6 (94 contacts: up to what heaps may leave), and paths that gain nothing end. */
static void wedged_spheres_go_on(void) {
  static const char *const sizes[] = {"n=30,mu=2", "n=84,mu=2"};
  static const double until[] = {0.5, 0.3}, left[] = {1e-6, 0.1};
  for (int k = 0; k < 2; k++) {
    simulation m;
    picus_summary summary;
    if (!CHECK(simulation_open(&m, "spheres", sizes[k], 0, until[k], NULL))) return;
    CHECK(picus_sim_run(m.sim, NULL, NULL, &summary) == PICUS_OK);
    printf("  %s: relative residual %.2g at most, %ld iterations of %ld steps\n", sizes[k],
           summary.solver.worst_residual, summary.solver.iterations, summary.steps);
    CHECK_NEAR(summary.t_end, until[k], 1e-9);
    CHECK(summary.solver.worst_residual <= left[k]);
    CHECK(summary.solver.iterations < 100 * summary.steps);
    simulation_close(&m);
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"gaps_within_their_slack_leave_no_plateau", gaps_within_their_slack_leave_no_plateau},
      {"nothing_creeps", nothing_creeps},
      {"drift_is_taken_back", drift_is_taken_back},
      {"few_spheres_come_to_rest", few_spheres_come_to_rest},
      {"wedged_spheres_go_on", wedged_spheres_go_on},
  };
  return test_main(argc, argv, "heap_at_rest", cases, sizeof cases / sizeof *cases);
}
