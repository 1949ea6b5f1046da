/* Energy and percussions by pair of bodies and of materials: closed forms of sliding boxes, the energy audit and the
 * momentum of bodies that tumble, with all schemes, and runs without the option. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define G 9.81

/* Two boxes slide until the end, or until they rest. */
static const char *const sliders =
    "gravity {0, 0, -9.81}\nmaterial {'wood', mu = 0.3}\nmaterial {'ice', 'wood', mu = 0.1}\nmaterial {'ice', mu = 0}\n"
    "half_space {'deck', normal = {0, 0, 1}, material = 'wood'}\n"
    "box {'a', size = {0.4, 0.3, 0.1}, mass = 2, position = {0, 0, 0.05}, velocity = {2, 0, 0}, material = 'wood'}\n"
    "box {'b', size = {0.4, 0.3, 0.1}, mass = 3, position = {0, 2, 0.05}, velocity = {1, 0, 0}, material = 'ice'}\n";
/* Disks that fall between planes; contacts come and go. The pin is a contact of its own. */
static const char *const disks =
    "gravity {0, -9.81}\nmaterial {'steel', mu = 0.3, eN = 0.4}\nmaterial {'steel', 'wall', mu = 0.5, eN = 0.2}\n"
    "half_space {'floor', normal = {0, 1}, material = 'wall'}\n"
    "half_space {'left', normal = {1, 0}, position = {-0.3, 0}, material = 'wall'}\n"
    "half_space {'right', normal = {-0.8, 0.6}, position = {0.3, 0}, material = 'wall'}\n"
    "for i = 1, 4 do disk {'d' .. i, suffix = tostring(i), radius = 0.05, mass = 2, material = 'steel',\n"
    "  position = {-0.2 + 0.03 * i, 0.06 + 0.11 * i}, velocity = {1 - 0.4 * i, -0.5 * i}, omega = 3 * i} end\n"
    "local q, u = coordinates { {'z', velocity = 'w', start = {1, -1}} }\n"
    "kinetic(u.w^2 / 2)\ncontact {'pin', gap = q.z - 0.9, eN = 0.5}\nforce {z = -20}\n";

typedef struct run_of {
  const char *scheme;
  picus_pair_sum pairs;
  long every;
  double sample, dt;
  bool adaptive;
} run_of;

static bool run(const char *text, run_of how, double t_end, simulation *s, recorded_rows *rows,
                picus_summary *summary) {
  picus_sim_options o;
  if (!simulation_load_text(s, text, &o)) return false;
  o.scheme = how.scheme;
  o.pairs = how.pairs;
  o.dt = how.dt > 0 ? how.dt : 1e-3;
  o.t_end = t_end;
  o.every = how.every > 0 ? how.every : 1;
  o.sample = how.sample;
  o.adaptive = how.adaptive;
  o.dt_min = 1e-6;
  o.dt_max = 1e-2;
  o.atol = o.rtol = 1e-7;
  return simulation_start(s, &o) && simulation_run(s, rows, summary);
}

static void end(simulation *s, recorded_rows *rows) {
  recorded_rows_free(rows);
  simulation_close(s);
}

/* Of the last row, or of all rows. */
static double last_of(const recorded_rows *rows, const char *name) {
  return recorded_value(rows, rows->row_count - 1, name);
}
static double sum_of(const recorded_rows *rows, const char *name) {
  double sum = 0;
  for (long k = 0; k < rows->row_count; k++) sum += recorded_value(rows, k, name);
  return sum;
}

/* Box a stops after v / (mu g) = 0.68 s, box b slides on: both dissipate mu m g times their way. The resultants are the
 * weights, and the changes of momentum. */
static void boxes_slide(void) {
  static const run_of how[] = {{.scheme = "moreau"},
                               {.scheme = "moreau-explicit", .every = 7},
                               {.scheme = "moreau-jean", .every = 10},
                               {.scheme = "moreau-projected"},
                               {.scheme = "moreau-combined", .every = 1000},
                               {.scheme = "rattle", .sample = 0.1},
                               {.scheme = "half-explicit"},
                               {.scheme = "half-explicit-rk"},
                               {.scheme = "rattle", .sample = 0.0625, .adaptive = true}};
  const double way_b = 1 - 0.1 * G / 2;
  for (size_t k = 0; k < sizeof how / sizeof how[0]; k++) {
    simulation s;
    recorded_rows rows = {0};
    picus_summary summary;
    run_of bodies = how[k];
    bodies.pairs = PICUS_PAIRS_BODIES;
    REQUIRE(run(sliders, bodies, 1, &s, &rows, &summary));
    CHECK_NEAR(last_of(&rows, "E.diss.a-deck"), 0.5 * 2 * 4, 1e-6); /* half-explicit-rk: the step in which it stops */
    CHECK_NEAR(last_of(&rows, "E.diss.b-deck"), 0.1 * 3 * G * way_b, 1e-9);
    CHECK_NEAR(last_of(&rows, "E.diss.a-b"), 0, 0);
    CHECK_NEAR(sum_of(&rows, "a-deck.PN"), 2 * G, 1e-9);
    CHECK_NEAR(sum_of(&rows, "a-deck.Pz"), 2 * G, 1e-9);
    CHECK_NEAR(sum_of(&rows, "a-deck.Px"), -2 * 2, 1e-9);
    CHECK_NEAR(sum_of(&rows, "b-deck.Px"), -0.1 * 3 * G, 1e-9);
    CHECK_NEAR(sum_of(&rows, "b-deck.PF"), 0.1 * 3 * G, 1e-9);
    CHECK_NEAR(sum_of(&rows, "b-deck.Py"), 0, 1e-9);
    end(&s, &rows);
  }
}

/* The sum over all pairs and laws is what the run dissipated; the percussions change the momentum of the disks. */
static void pairs_close_the_balance(void) {
  static const run_of how[] = {{.scheme = "moreau", .every = 9},
                               {.scheme = "moreau-explicit", .every = 5},
                               {.scheme = "moreau-jean"},
                               {.scheme = "moreau-projected", .every = 50},
                               {.scheme = "moreau-combined", .every = 7},
                               {.scheme = "rattle", .sample = 0.013},
                               {.scheme = "half-explicit", .dt = 5e-4},
                               {.scheme = "half-explicit-rk", .dt = 5e-4},
                               {.scheme = "rattle", .adaptive = true}};
  static const picus_pair_sum kinds[] = {PICUS_PAIRS_BODIES, PICUS_PAIRS_MATERIALS};
  for (size_t k = 0; k < sizeof how / sizeof how[0]; k++)
    for (int kind = 0; kind < 2; kind++) {
      simulation s;
      recorded_rows rows = {0};
      picus_summary summary;
      run_of this = how[k];
      this.pairs = kinds[kind];
      if (this.adaptive && !test_is_long()) this.sample = 0.05;
      REQUIRE(run(disks, this, this.adaptive ? 0.3 : 0.6, &s, &rows, &summary));
      double sum = 0, Py = 0, momentum = 0;
      for (int c = 0; c < rows.column_count; c++) {
        const char *name = rows.names[c], *dot = strrchr(name, '.');
        if (strncmp(name, "E.diss.", 7) == 0) sum += last_of(&rows, name);
        if (dot && strcmp(dot, ".Py") == 0 && (strstr(name, "floor") || strstr(name, "left") || strstr(name, "right")))
          Py += sum_of(&rows, name);
      }
      if (!CHECK(fabs(sum - summary.energy.dissipated) <= 1e-12 * summary.energy.dissipated))
        printf("  %s: %.17g of %.17g J\n", this.scheme, sum, summary.energy.dissipated);
      CHECK(summary.energy.dissipated > 1);
      for (int i = 1; i <= 4; i++) {
        char name[16];
        snprintf(name, sizeof name, "vy%d", i);
        momentum += 2 * (last_of(&rows, name) - recorded_value(&rows, 0, name) + G * last_of(&rows, "t"));
      }
      if (kind == 0) CHECK_NEAR(Py, momentum, 1e-11);
      CHECK(recorded_column(&rows, kind == 0 ? "E.diss.d1-d2" : "E.diss.steel-wall") >= 0);
      CHECK(recorded_column(&rows, "E.diss.pin") >= 0);
      end(&s, &rows);
    }
}

/* Forces between bodies are opposite, and pairs have the totals of the recorder. */
static void totals_are_those_of_the_columns(void) {
  simulation s;
  picus_sim_options o;
  picus_recorder *recorder = NULL;
  REQUIRE(simulation_load_text(&s, disks, &o));
  o.pairs = PICUS_PAIRS_BODIES;
  o.dt = 1e-3;
  o.t_end = 0.4;
  REQUIRE(simulation_start(&s, &o));
  recorded_rows rows = {0};
  const picus_run_description description = {s.model, s.system, &o, "test"};
  REQUIRE(picus_recorder_create(s.context, &description, &recorder) == PICUS_OK);
  REQUIRE(picus_recorder_add_sink(recorder, recorded_rows_sink(&rows)) == PICUS_OK);
  REQUIRE(picus_sim_run(s.sim, recorder, NULL, NULL) == PICUS_OK);
  CHECK(picus_recorder_pair_count(recorder) == 4 * 3 / 2 + 4 * 3);
  for (int k = 0; k < picus_recorder_pair_count(recorder); k++) {
    const picus_pair_total pair = picus_recorder_pair(recorder, k);
    char name[48];
    snprintf(name, sizeof name, "E.diss.%s", pair.name);
    CHECK_NEAR(last_of(&rows, name), pair.dissipated, 1e-14);
    snprintf(name, sizeof name, "%s.PN", pair.name);
    CHECK_NEAR(sum_of(&rows, name), pair.PN, 1e-12);
  }
  picus_recorder_destroy(recorder);
  end(&s, &rows);
}

/* The same motion, bit for bit, and no other columns, without the option. */
static void nothing_else_changes(void) {
  static const picus_pair_sum kinds[] = {PICUS_PAIRS_NONE, PICUS_PAIRS_BODIES, PICUS_PAIRS_MATERIALS};
  simulation s[3];
  recorded_rows rows[3] = {{0}};
  picus_summary summary;
  for (int k = 0; k < 3; k++)
    REQUIRE(run(disks, (run_of){.scheme = "moreau", .pairs = kinds[k], .every = 10}, 0.3, &s[k], &rows[k], &summary));
  for (int c = 0; c < rows[0].column_count; c++) {
    CHECK(strncmp(rows[0].names[c], "E.diss", 6) != 0);
    for (int k = 1; k < 3; k++)
      for (long r = 0; r < rows[0].row_count; r++)
        if (recorded_value(&rows[k], r, rows[0].names[c]) != recorded_value(&rows[0], r, rows[0].names[c])) {
          CHECK_TEXT(rows[0].names[c], "the same");
          break;
        }
  }
  CHECK(rows[1].column_count == rows[0].column_count + 1 + 18 * 5);
  CHECK(rows[2].column_count == rows[0].column_count + 1 + 2 * 3);
  for (int k = 0; k < 3; k++) end(&s[k], &rows[k]);
}

/* Bodies that cannot touch are no pairs; too many pairs end with a sentence, before the run. */
static void pairs_are_those_that_touch(void) {
  simulation s;
  picus_sim_options o;
  picus_recorder *recorder = NULL;
  REQUIRE(simulation_load_text(&s,
                               "gravity {0, -9.81}\nmaterial {'default', mu = 0.3}\nfloor {'floor'}\n"
                               "for i = 1, 3 do disk {'d' .. i, radius = 0.05, mass = 2, position = {i, 1}} end\n"
                               "disk {'g', radius = 0.05, mass = 2, position = {9, 1}, group = 'ghosts'}\n"
                               "collide {groups = {'ghosts', 'default'}, on = false}\n"
                               "collide {bodies = {'d1', 'd2'}, on = false}\n",
                               &o));
  o.pairs = PICUS_PAIRS_BODIES;
  o.dt = 1e-3;
  o.t_end = 0.01;
  REQUIRE(simulation_start(&s, &o));
  const picus_run_description description = {s.model, s.system, &o, "test"};
  REQUIRE(picus_recorder_create(s.context, &description, &recorder) == PICUS_OK);
  CHECK(picus_recorder_pair_count(recorder) == 5); /* d1-d3, d2-d3, and three with the floor */
  picus_recorder_destroy(recorder);
  simulation_close(&s);

  REQUIRE(simulation_load_text(&s,
                               "gravity {0, -9.81}\nfor i = 1, 60 do disk {'d' .. i, radius = 0.05, mass = 2, position "
                               "= {i, 1}} end\n",
                               &o));
  o.pairs = PICUS_PAIRS_BODIES;
  o.dt = 1e-3;
  o.t_end = 0.01;
  REQUIRE(simulation_start(&s, &o));
  const picus_run_description many = {s.model, s.system, &o, "test"};
  CHECK(picus_recorder_create(s.context, &many, &recorder) == PICUS_ERROR_ARGUMENT);
  CHECK(strstr(picus_last_error(s.context)->message, "more than 1000 pairs of bodies can touch") != NULL);
  simulation_close(&s);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"boxes_slide", boxes_slide},
                                    {"pairs_close_the_balance", pairs_close_the_balance},
                                    {"totals_are_those_of_the_columns", totals_are_those_of_the_columns},
                                    {"nothing_else_changes", nothing_else_changes},
                                    {"pairs_are_those_that_touch", pairs_are_those_that_touch}};
  return test_main(argc, argv, "pair_sums", cases, sizeof cases / sizeof cases[0]);
}
