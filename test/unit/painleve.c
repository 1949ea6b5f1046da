/* A rod that slides with strong friction (Painleve 1895): which steps have several solutions or none, and what the
 * schemes take, against the closed form of one contact. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char rod[] = TEST_DATA "/cases/painleve.lua";
static const char *const schemes[] = {"moreau", "moreau-jean", "moreau-projected", "moreau-combined", "rattle"};
enum { SCHEMES = sizeof schemes / sizeof schemes[0] };

static bool run(const char *scheme, const char *overrides, double dt, double t_end, recorded_rows *rows,
                picus_summary *summary) {
  simulation s;
  picus_sim_options options;
  *rows = (recorded_rows){0};
  *summary = (picus_summary){0};
  bool done = simulation_load(&s, rod, overrides, &options);
  if (done) {
    options.scheme = scheme;
    options.dt = dt;
    options.t_end = t_end;
    done = simulation_start(&s, &options) && simulation_run(&s, rows, summary);
  }
  simulation_close(&s);
  return done;
}

/* The contact either acts with a percussion or not at all: without one, momentum changes by gravity alone. */
static void rattle_loses_no_momentum_without_percussions(void) {
  recorded_rows rows;
  picus_summary summary;
  REQUIRE(run("rattle", "v=-2,om=3", 1e-4, 0.01, &rows, &summary));
  for (long k = 1; k < rows.row_count; k++) {
    if (recorded_value(&rows, k, "tip.PN") > 0) continue;
    CHECK_NEAR(recorded_value(&rows, k, "vx_rod"), recorded_value(&rows, k - 1, "vx_rod"), 1e-13);
    CHECK_NEAR(recorded_value(&rows, k, "omega_rod"), recorded_value(&rows, k - 1, "omega_rod"), 1e-13);
  }
  double balance = summary.energy.end - summary.energy.start + summary.energy.dissipated;
  printf("  balance %.2g J, first percussion %.4g N s\n", balance, recorded_value(&rows, 1, "tip.PN"));
  CHECK(recorded_value(&rows, 1, "tip.PN") > 0.5); /* the impact comes at once */
  CHECK(fabs(balance) < 1e-3);
  recorded_rows_free(&rows);
}

static void paradoxes_are_reported(void) {
  for (int k = 0; k < SCHEMES; k++) {
    recorded_rows rows;
    picus_summary s;
    REQUIRE(run(schemes[k], "v=-2,om=3", 1e-4, 0.01, &rows, &s));
    CHECK(s.inconsistent.steps == 1 && s.indeterminate.steps == 0);
    CHECK(s.inconsistent.law == 0 && s.inconsistent.branch == PICUS_BRANCH_IMPACT && s.inconsistent.t < 2.5e-4);
    recorded_rows_free(&rows);
    REQUIRE(run(schemes[k], "v=-2,om=6", 1e-4, 0.01, &rows, &s));
    CHECK(s.inconsistent.steps == 0 && s.indeterminate.steps >= 1);
    CHECK(s.indeterminate.law == 0 && s.indeterminate.branch == PICUS_BRANCH_OPENED);
    recorded_rows_free(&rows);
    REQUIRE(run(schemes[k], "v=2,om=3", 1e-4, 0.01, &rows, &s));
    CHECK(s.inconsistent.steps == 0 && s.indeterminate.steps == 0);
    recorded_rows_free(&rows);
  }
}

static double uniform(unsigned long *seed, double low, double high) {
  *seed = (*seed * 1103515245UL + 12345UL) & 0x7fffffffUL;
  return low + (high - low) * (double)*seed / (double)0x7fffffffUL;
}

/* Random rods. The tip of one at angle th that slides with -v has
 *   N m = 1 + 3 cos^2 th - 3 mu sin th cos th    (half length l, inertia m l^2 / 3)
 *   a_N = -g + l omega^2 sin th. */
static void random_rods_against_the_closed_form(void) {
  unsigned long seed = 7;
  int counts[3] = {0};
  for (int k = 0; k < 300; k++) {
    double th = uniform(&seed, 20, 85), mu = uniform(&seed, 0, 3), om = uniform(&seed, -8, 8),
           v = uniform(&seed, -3, 3), x = th * acos(-1) / 180;
    double N = 1 + 3 * cos(x) * cos(x) + (v < 0 ? -1 : 1) * 3 * mu * sin(x) * cos(x);
    double a = -9.81 + 0.5 * om * om * sin(x);
    if (fabs(N) < 0.01 || fabs(a) < 0.05 || fabs(v) < 0.1) continue; /* too close for steps of 1e-4 */
    picus_paradox expected = N > 0   ? PICUS_PARADOX_NONE
                             : a > 0 ? PICUS_PARADOX_INDETERMINATE
                                     : PICUS_PARADOX_INCONSISTENT;
    char overrides[128];
    snprintf(overrides, sizeof overrides, "th=%.17g,mu=%.17g,om=%.17g,v=%.17g", th, mu, om, v);
    recorded_rows rows;
    picus_summary s;
    REQUIRE(run("moreau-jean", overrides, 1e-4, 1e-4, &rows, &s));
    picus_paradox found = s.inconsistent.steps    ? PICUS_PARADOX_INCONSISTENT
                          : s.indeterminate.steps ? PICUS_PARADOX_INDETERMINATE
                                                  : PICUS_PARADOX_NONE;
    if (!test_check(found == expected, __FILE__, __LINE__, "the closed form"))
      printf("  %s: N m = %g, a = %g, found %d\n", overrides, N, a, (int)found);
    counts[expected]++;
    recorded_rows_free(&rows);
    /* rattle may take percussions of its first stage back for some steps, each of which it reports */
    REQUIRE(run("rattle", overrides, 1e-4, 2e-3, &rows, &s));
    CHECK((s.inconsistent.steps + s.indeterminate.steps > 0) == (expected != PICUS_PARADOX_NONE));
    if (expected == PICUS_PARADOX_INCONSISTENT) CHECK(s.inconsistent.steps > 0);
    recorded_rows_free(&rows);
  }
  printf("  %d rods without a paradox, %d indeterminate, %d inconsistent\n", counts[0], counts[1], counts[2]);
  CHECK(counts[1] > 10 && counts[2] > 10);
}

/* A tall box that slides on two corners: the front one alone would jam, both together cannot. */
static const char box_text[] =
    "model('box', 'a box slides on two corners')\n"
    "gravity {0, -9.81}\n"
    "local box = planar_body {'box', mass = 1, inertia = 0.2, position = {0, 0.6}, velocity = {-2, 0}}\n"
    "plane_contact {'left', ground, box, normal = {0, 1}, point = {-0.6, -0.6}, mu = 0.8}\n"
    "plane_contact {'right', ground, box, normal = {0, 1}, point = {0.6, -0.6}, mu = 0.8}\n"
    "simulate {scheme = 'moreau', dt = 1e-4, t_end = 0.1}\n";

static void two_contacts_are_counted_together(void) {
  simulation s;
  picus_sim_options options;
  recorded_rows rows;
  picus_summary summary;
  for (int k = 0; k < SCHEMES; k++) {
    REQUIRE(simulation_load_text(&s, box_text, &options));
    options.scheme = schemes[k];
    REQUIRE(simulation_start(&s, &options));
    REQUIRE(simulation_run(&s, &rows, &summary));
    CHECK_NEAR(recorded_value(&rows, rows.row_count - 1, "vx_box"), -2 + 0.8 * 9.81 * 0.1, 1e-9);
    CHECK(summary.inconsistent.steps == 0 && summary.indeterminate.steps == 0);
    recorded_rows_free(&rows);
    simulation_close(&s);
  }
}

/* A frictionless support beside the tip: as the last law it has no row behind its own. The rod jams as without it. */
static void a_frictionless_contact_beside(void) {
  static const char text[] =
      "model('rod', 'a rod with a frictionless foot')\n"
      "gravity {0, -9.81}\n"
      "local th = pi / 3\n"
      "local rod = planar_body {'rod', mass = 1, inertia = 0.25 / 3, position = {0.5 * cos(th), 0.5 * sin(th)},\n"
      "  angle = th, velocity = {-2, 0}}\n"
      "local other = planar_body {'other', mass = 1, inertia = 1, position = {3, 0}}\n"
      "plane_contact {'tip', ground, rod, normal = {0, 1}, point = {-0.5, 0}, mu = 2}\n"
      "plane_contact {'foot', ground, other, normal = {0, 1}, point = {0, 0}}\n"
      "simulate {scheme = 'rattle', dt = 1e-4, t_end = 1e-3}\n";
  simulation s;
  picus_sim_options options;
  picus_summary summary = {0};
  REQUIRE(simulation_load_text(&s, text, &options));
  REQUIRE(simulation_start(&s, &options));
  REQUIRE(picus_sim_run(s.sim, NULL, NULL, &summary) == PICUS_OK);
  CHECK(summary.inconsistent.steps == 1 && summary.inconsistent.law == 0 && summary.indeterminate.steps == 0);
  simulation_close(&s);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"rattle_loses_no_momentum_without_percussions", rattle_loses_no_momentum_without_percussions},
      {"paradoxes_are_reported", paradoxes_are_reported},
      {"random_rods_against_the_closed_form", random_rods_against_the_closed_form},
      {"two_contacts_are_counted_together", two_contacts_are_counted_together},
      {"a_frictionless_contact_beside", a_frictionless_contact_beside}};
  return test_main(argc, argv, "painleve", cases, (int)(sizeof cases / sizeof *cases));
}
