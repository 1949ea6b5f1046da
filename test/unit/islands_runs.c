/* Runs of models whose contacts form islands, heaps or both: the same bits for every number of threads, the same motion
 * as without islands, and words for an island that cannot be solved. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Towers apart from each other; every other one falls first. */
static const char TOWERS[] =
    "model 'towers'\n"
    "gravity {0, 0, -9.81}\n"
    "material {'default', mu = 0.5}\n"
    "floor {'floor'}\n"
    "for i = 0, 5 do\n"
    "  local drop = i % 2 == 1 and 0.002 * (1 + i % 7) or 0\n"
    "  for k = 1, 3 do\n"
    "    local name = i .. '_' .. k\n"
    "    box {'cube' .. name, suffix = name, size = {0.2, 0.2, 0.2}, mass = k,\n"
    "      position = {0.4 * i, 0, drop + (k - 0.5) * 0.2}, angle = drop * k, axis = {0, 0, 1}}\n"
    "  end\n"
    "end\n"
    "simulate {scheme = 'moreau', dt = 2e-3, t_end = 0.06}\n";

/* Disks in two boxes, one of them with many. */
static const char GRAINS[] = "model 'grains'\n"
                             "gravity {0, -9.81}\n"
                             "material {'default', mu = 0.3}\n"
                             "half_space {'floor', normal = {0, 1}}\n"
                             "for i = 0, 159 do\n"
                             "  local c, r = i % 10, i // 10\n"
                             "  disk {'d' .. i, suffix = tostring(i), radius = 0.01, density = 1000,\n"
                             "    position = {0.021 * c + 0.001 * (r % 2) + (i > 119 and 1 or 0), 0.0101 + 0.0201 * r "
                             "- (i > 119 and 0.24 or 0)}}\n"
                             "end\n"
                             "simulate {scheme = 'moreau', gap_term = true, dt = 1e-3, t_end = 0.06}\n";

/* Disks and spheres close together, pushed to one side: one island of more than 4000 contacts, which are swept in
 * colours, and mixed. */
static const char PACKED_DISKS[] =
    "model 'packed-disks'\n"
    "gravity {4, -9.81}\n"
    "material {'default', mu = 0.2}\n"
    "local r, columns = 0.01, 50\n"
    "half_space {'floor', normal = {0, 1}, position = {0, -r}}\n"
    "half_space {'right', normal = {-1, 0}, position = {(2 * columns + 1) * r, 0}}\n"
    "for i = 0, 1499 do\n"
    "  local c, k = i % columns, i // columns\n"
    "  disk {'d' .. i, suffix = tostring(i), radius = r, density = 1000 + 10 * (i % 7),\n"
    "    position = {(2 * c + k % 2 + 1) * r, k * r * sqrt(3)}}\n"
    "end\n"
    "simulate {scheme = 'moreau', gap_term = true, dt = 1e-3, t_end = 5e-3, tolerance = 1e-5, accept_residual = 0.5}\n";
static const char PACKED_SPHERES[] =
    "model 'packed-spheres'\n"
    "gravity {2, 3, -9.81}\n"
    "material {'default', mu = 0.3}\n"
    "local r, n = 0.01, 12\n"
    "half_space {'floor', normal = {0, 0, 1}, position = {0, 0, -r}}\n"
    "half_space {'right', normal = {-1, 0, 0}, position = {(2 * n - 1) * r, 0, 0}}\n"
    "half_space {'back', normal = {0, -1, 0}, position = {0, (2 * n - 1) * r, 0}}\n"
    "for i = 0, n^3 - 1 do\n"
    "  sphere {'s' .. i, suffix = tostring(i), radius = r, density = 1000 + 10 * (i % 7),\n"
    "    position = {2 * r * (i % n), 2 * r * (i // n % n), 2 * r * (i // n^2)}}\n"
    "end\n"
    "simulate {scheme = 'moreau', gap_term = true, dt = 1e-3, t_end = 5e-3, tolerance = 1e-5, accept_residual = 0.5}\n";

typedef struct run_case {
  const char *name, *text, *scheme;
  double t_end;
} run_case;

static uint64_t hash(uint64_t h, const double *values, int count) {
  const unsigned char *bytes = (const unsigned char *)values;
  for (size_t k = 0; k < (size_t)count * sizeof *values; k++) h = (h ^ bytes[k]) * 1099511628211u;
  return h;
}

typedef struct noted_run {
  const simulation *s;
  uint64_t hash; /* of all states */
  int islands;   /* most of a step */
  int active, iterations;
} noted_run;

static int note_step(void *user, picus_sim *sim, const picus_step_info *info) {
  noted_run *n = user;
  const picus_state state = picus_sim_state(sim);
  n->hash = hash(hash(n->hash, state.q, picus_system_nq(n->s->system)), state.u, picus_system_nu(n->s->system));
  if (info && info->solver.last.islands > n->islands) n->islands = info->solver.last.islands;
  if (info && info->active > n->active) n->active = info->active;
  if (info && info->solver.last.iterations > n->iterations) n->iterations = info->solver.last.iterations;
  return 0;
}

/* The run with the hash of all its states; 0: it failed. */
static noted_run run_on(const run_case *c, int threads) {
  simulation s;
  picus_sim_options options;
  noted_run noted = {.s = &s, .hash = 14695981039346656037u};
  const picus_run_hooks hooks = {.user = &noted, .step = note_step};
  if (!simulation_load_text(&s, c->text, &options)) return (noted_run){0};
  if (c->scheme) options.scheme = c->scheme;
  if (c->t_end > 0) options.t_end = c->t_end;
  CHECK(picus_context_set_threads(s.context, threads) == PICUS_OK);
  if (!simulation_start(&s, &options)) return (noted_run){0};
  const bool done = CHECK(picus_sim_run(s.sim, NULL, &hooks, NULL) == PICUS_OK);
  if (!done) printf("  %s\n", picus_last_error(s.context)->message);
  simulation_close(&s);
  if (!done) noted.hash = 0;
  return noted;
}

static void every_number_of_threads_gives_the_same_bits(void) {
  static const run_case cases[] = {{"towers", TOWERS, NULL, 0},
                                   {"towers", TOWERS, "moreau-explicit", 0},
                                   {"towers", TOWERS, "rattle", 0.02},
                                   {"towers", TOWERS, "moreau-jean", 0.02},
                                   {"towers", TOWERS, "moreau-combined", 0.02},
                                   {"grains", GRAINS, NULL, 0}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const noted_run alone = run_on(&cases[k], 1);
    printf("  %s, %s: up to %d islands\n", cases[k].name, cases[k].scheme ? cases[k].scheme : "moreau", alone.islands);
    CHECK(alone.hash != 0 && alone.islands > 1);
    for (int threads = 2; threads <= (test_is_reduced() ? 2 : 8); threads += threads == 3 ? 5 : 1)
      CHECK(run_on(&cases[k], threads).hash == alone.hash);
  }
}

static void heaps_in_colours_give_the_same_bits(void) {
  static const run_case cases[] = {{"packed disks", PACKED_DISKS, NULL, 0},
                                   {"packed spheres", PACKED_SPHERES, NULL, 0}};
  for (size_t k = 0; k < (test_is_reduced() ? 1 : sizeof cases / sizeof *cases); k++) {
    const noted_run alone = run_on(&cases[k], 1);
    printf("  %s: %d contacts, up to %d sweeps\n", cases[k].name, alone.active, alone.iterations);
    CHECK(alone.hash != 0 && alone.active > 4000 && alone.iterations > 10);
    for (int threads = 2; threads <= (test_is_reduced() ? 2 : 8); threads += threads == 3 ? 5 : 1)
      CHECK(run_on(&cases[k], threads).hash == alone.hash);
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"every_number_of_threads_gives_the_same_bits", every_number_of_threads_gives_the_same_bits},
      {"heaps_in_colours_give_the_same_bits", heaps_in_colours_give_the_same_bits},
  };
  return test_main(argc, argv, "islands_runs", cases, sizeof cases / sizeof *cases);
}
