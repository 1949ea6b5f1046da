/* Rows in memory, ends of runs, and rollouts: the numbers of single runs, for any number of threads. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Runs s into a memory and returns its status. */
static picus_status run_into(simulation *s, picus_memory *memory, unsigned parts, picus_recorder **recorder) {
  const picus_run_description run = {s->model, s->system, picus_sim_options_of(s->sim), ""};
  picus_status status = picus_recorder_create(s->context, &run, recorder);
  if (!status) status = picus_recorder_add_memory(*recorder, memory, parts);
  return status ? status : picus_sim_run(s->sim, *recorder, NULL, NULL);
}

/* Runs of a loaded model with so many values of one parameter. */
static void vary_one(const simulation *s, const picus_sim_options *options, const char *const *name,
                     const double *values, int count, picus_rollout_def *def) {
  def->model = s->model;
  def->system = s->system;
  def->options = options;
  def->count = count;
  def->parameter_count = 1;
  def->parameters = name;
  def->values = values;
}

static void memory_has_the_rows_of_a_sink(void) {
  simulation s, twin;
  recorded_rows rows = {0};
  picus_memory *memory;
  picus_recorder *recorder = NULL;
  REQUIRE(simulation_open(&s, "woodpecker", "", 1e-4, 0.5, NULL));
  REQUIRE(simulation_open(&twin, "woodpecker", "", 1e-4, 0.5, NULL));
  REQUIRE(simulation_run(&twin, &rows, NULL));
  REQUIRE(picus_memory_create(s.context, &memory) == PICUS_OK);
  CHECK(picus_memory_values(memory, 0) == NULL && picus_memory_row_count(memory) == 0);
  CHECK(run_into(&s, memory, PICUS_MEMORY_SWITCHINGS, &recorder) == PICUS_OK);
  REQUIRE(picus_memory_row_count(memory) == rows.row_count && rows.row_count > 500);
  REQUIRE(picus_memory_column_count(memory) == rows.column_count);
  for (int k = 0; k < rows.column_count; k++) {
    CHECK(strcmp(picus_memory_column(memory, k).name, rows.names[k]) == 0);
    CHECK(picus_memory_find(memory, rows.names[k]) == k);
    const double *values = picus_memory_values(memory, k);
    for (long i = 0; i < rows.row_count; i++)
      CHECK(memcmp(&values[i], &rows.values[i * rows.column_count + k], sizeof *values) == 0);
  }
  CHECK(picus_memory_switching_count(memory) > 20);
  CHECK(picus_memory_switchings(memory)[0].name == NULL);
  CHECK(picus_memory_find(memory, "no such") == -1 && picus_memory_values(memory, -1) == NULL);
  CHECK(*picus_memory_column(memory, rows.column_count).name == '\0');
  picus_recorder_destroy(recorder);
  CHECK(run_into(&s, memory, 0, &recorder) == PICUS_ERROR_ARGUMENT); /* it is used */
  picus_recorder_destroy(recorder);
  picus_memory_destroy(memory);
  recorded_rows_free(&rows);
  simulation_close(&twin);
  simulation_close(&s);
}

static void memory_has_detected_contacts(void) {
  simulation s;
  picus_memory *memory;
  picus_recorder *recorder;
  int count = 0;
  REQUIRE(simulation_open(&s, "disks", "n=3", 0, 0.3, NULL));
  REQUIRE(picus_memory_create(s.context, &memory) == PICUS_OK);
  CHECK(run_into(&s, memory, PICUS_MEMORY_SWITCHINGS | PICUS_MEMORY_CONTACTS, &recorder) == PICUS_OK);
  picus_recorder_destroy(recorder); /* names live with the memory */
  REQUIRE(picus_memory_switching_count(memory) > 0);
  const picus_switching *first = picus_memory_switchings(memory);
  CHECK(first->name && *first->name);
  long total = 0;
  for (long row = 0; row < picus_memory_row_count(memory); row++) {
    const picus_contact_point *contacts = picus_memory_contacts(memory, row, &count);
    CHECK((contacts == NULL) == (count == 0));
    for (int k = 0; k < count; k++) CHECK(isfinite(contacts[k].gap));
    total += count;
  }
  CHECK(total > 0);
  CHECK(picus_memory_contacts(memory, -1, &count) == NULL && count == 0);
  CHECK(picus_memory_contacts(memory, 1L << 40, &count) == NULL && count == 0);
  picus_memory_destroy(memory);
  simulation_close(&s);
}

static void state_does_not_move(void) {
  static const char *const names[] = {"woodpecker", "slider-crank-bodies", "tippedisk", "box-tumbling"};
  for (int k = 0; k < 4; k++) {
    simulation s;
    REQUIRE(simulation_open(&s, names[k], "", 0, 0.02, NULL));
    const picus_state before = picus_sim_state(s.sim);
    for (int i = 0; i < 20; i++) CHECK(picus_sim_step(s.sim, 0, NULL) == PICUS_OK);
    CHECK(picus_sim_run(s.sim, NULL, NULL, NULL) == PICUS_OK);
    const picus_state after = picus_sim_state(s.sim);
    CHECK(before.q == after.q && before.u == after.u);
    simulation_close(&s);
  }
}

static void end_of_a_run(void) {
  simulation s;
  REQUIRE(simulation_open(&s, "bouncing-ball", "", 1e-3, 0.5, NULL));
  CHECK(picus_sim_run(s.sim, NULL, NULL, NULL) == PICUS_OK && picus_sim_state(s.sim).t == 0.5);
  CHECK(picus_sim_set_end(s.sim, 0.75) == PICUS_OK);
  CHECK(picus_sim_run(s.sim, NULL, NULL, NULL) == PICUS_OK && picus_sim_state(s.sim).t == 0.75);
  CHECK(picus_sim_set_end(s.sim, 0.7) == PICUS_ERROR_ARGUMENT);
  CHECK(picus_sim_set_end(s.sim, NAN) == PICUS_ERROR_NUMBER);
  CHECK(picus_sim_set_end(s.sim, 1e300) == PICUS_ERROR_ARGUMENT); /* dt is below round-off there */
  CHECK(picus_sim_options_of(s.sim)->t_end == 0.75);
  simulation_close(&s);
}

static void options_by_name(void) {
  simulation s;
  picus_sim_options own, o;
  REQUIRE(simulation_load(&s, "woodpecker", "", &own));
  own = picus_model_sim_options(s.model);
  const picus_setting some[] = {{"scheme", "rattle", 0}, {"dt", NULL, 1e-3}, {"no_fallback", NULL, 1}};
  REQUIRE(picus_model_choose_options(s.model, 3, some, &o) == PICUS_OK);
  CHECK(strcmp(o.scheme, "rattle") == 0 && o.dt == 1e-3 && o.solver.no_fallback && !o.adaptive);
  const picus_setting fine = {"dt_min", NULL, 1e-7}, early = {"assemble", NULL, 1}, unknown = {"tolerence", NULL, 1},
                      wrong = {"scheme", NULL, 1}, low = {"dt", NULL, -1};
  REQUIRE(picus_model_choose_options(s.model, 1, &fine, &o) == PICUS_OK);
  CHECK(o.adaptive && o.dt_min == 1e-7);
  CHECK(picus_model_choose_options(s.model, 1, &early, &o) == PICUS_ERROR_ARGUMENT);
  CHECK(picus_model_choose_options(s.model, 1, &unknown, &o) == PICUS_ERROR_NAME);
  CHECK(strstr(picus_last_error(s.context)->message, "tolerance") && picus_last_error(s.context)->line == 0);
  CHECK(picus_model_choose_options(s.model, 1, &wrong, &o) == PICUS_ERROR_ARGUMENT);
  CHECK(picus_model_choose_options(s.model, 1, &low, &o) == PICUS_ERROR_ARGUMENT);
  o = picus_model_sim_options(s.model);
  CHECK(memcmp(&o, &own, sizeof o) == 0); /* the model has not changed */
  simulation_close(&s);
}

/* --- rollouts --------------------------------------------------------------------------------------------------- */

static void rollout_has_the_bits_of_single_runs(void) {
  enum { RUNS = 7 };
  static const char *const names[] = {"e"};
  picus_rollout *rollouts[3] = {NULL};
  picus_sim_options options;
  simulation s, single;
  REQUIRE(simulation_load(&s, "bouncing-ball", "", &options));
  options.sample = 0.125;
  options.t_end = 2;
  picus_rollout_def def = picus_default_rollout_def();
  def.model = s.model;
  def.system = s.system;
  def.options = &options;
  def.count = RUNS;
  def.parameter_count = 1;
  def.parameters = names;
  def.columns = "q v";
  double e[RUNS];
  for (int i = 0; i < RUNS; i++) e[i] = 0.1 * (i + 1);
  def.values = e;
  for (int threads = 1; threads <= 3; threads++) {
    REQUIRE(picus_context_set_threads(s.context, threads) == PICUS_OK);
    REQUIRE(picus_rollout_create(s.context, &def, &rollouts[threads - 1]) == PICUS_OK);
  }
  const picus_rollout *r = rollouts[0];
  REQUIRE(picus_rollout_rows(r) == 17 && picus_rollout_count(r) == RUNS && picus_rollout_column_count(r) == 3);
  CHECK(strcmp(picus_rollout_column(r, 1), "q") == 0 && *picus_rollout_column(r, 3) == '\0');
  const size_t bytes = sizeof(double) * RUNS * 17 * 3;
  for (int k = 1; k < 3; k++) CHECK(memcmp(picus_rollout_values(r), picus_rollout_values(rollouts[k]), bytes) == 0);
  for (int i = 0; i < RUNS; i++) {
    char overrides[32];
    recorded_rows rows = {0};
    snprintf(overrides, sizeof overrides, "e=%.17g", e[i]);
    REQUIRE(simulation_load(&single, "bouncing-ball", overrides, &(picus_sim_options){0}));
    REQUIRE(simulation_start(&single, &options));
    REQUIRE(simulation_run(&single, &rows, NULL));
    for (int row = 0; row < 17; row++)
      CHECK(picus_rollout_values(r)[(i * 17 + row) * 3 + 1] == recorded_value(&rows, row, "q"));
    CHECK(picus_rollout_ends(r)[i].status == PICUS_OK && picus_rollout_ends(r)[i].t == 2);
    recorded_rows_free(&rows);
    simulation_close(&single);
  }
  for (int k = 0; k < 3; k++) picus_rollout_destroy(rollouts[k]);
  simulation_close(&s);
}

static const char pushed[] = "local i = inputs {{\"push\", start = 0}}\n"
                             "local q, u = coordinates {{\"x\", velocity = \"v\"}}\n"
                             "kinetic(u.v^2 / 2)\nforce {x = i.push}\n"
                             "contact {\"wall\", gap = 100 - q.x}\n"
                             "simulate {dt = 1e-3, t_end = 1}\n";

/* A mass under piecewise constant forces: its velocity is their sum. */
static void rollout_sets_inputs_and_states(void) {
  static const char *const names[] = {"push"};
  static const double forces[2][4] = {{1, 2, 3, 4}, {-8, 0, 0, 8}}, q[2] = {0, 5}, u[2] = {0, 1};
  picus_sim_options options;
  picus_rollout *rollout;
  simulation s;
  REQUIRE(simulation_load_text(&s, pushed, &options));
  picus_rollout_def def = picus_default_rollout_def();
  def.model = s.model;
  def.system = s.system;
  def.options = &options;
  def.count = 2;
  def.q = q;
  def.u = u;
  def.input_count = 1;
  def.inputs = names;
  def.interval_count = 4;
  def.input_values = forces[0];
  def.columns = "x v push";
  REQUIRE(picus_rollout_create(s.context, &def, &rollout) == PICUS_OK);
  REQUIRE(picus_rollout_rows(rollout) == 1);
  const double *values = picus_rollout_values(rollout);
  CHECK(values[0] == 1 && values[4] == 1); /* t */
  CHECK_NEAR(values[2], 2.5, 1e-12);
  CHECK_NEAR(values[6], 1, 1e-12);
  CHECK_NEAR(values[5], 5 + 1 - 8 * (0.25 * 0.25 / 2 + 0.25 * 0.75) + 8 * 0.25 * 0.25 / 2, 1e-3);
  picus_rollout_destroy(rollout);
  def.inputs = (const char *const[]){"pull"};
  CHECK(picus_rollout_create(s.context, &def, &rollout) == PICUS_ERROR_NAME && !rollout);
  simulation_close(&s);
}

static int stop_after_two(void *user, long done, long count) {
  (void)count;
  (*(int *)user)++;
  return done >= 2;
}

static void rollout_reports_failures(void) {
  static const char *const names[] = {"e"};
  static const double e[] = {0.5, 7, 0.25};
  picus_sim_options options;
  picus_rollout *rollout;
  simulation s;
  int calls = 0;
  REQUIRE(simulation_load(&s, "bouncing-ball", "", &options));
  options.t_end = 0.25;
  picus_rollout_def def = picus_default_rollout_def();
  CHECK(picus_rollout_create(s.context, &def, &rollout) == PICUS_ERROR_ARGUMENT);
  vary_one(&s, &options, names, e, 3, &def);
  REQUIRE(picus_rollout_create(s.context, &def, &rollout) == PICUS_OK);
  const picus_rollout_end *ends = picus_rollout_ends(rollout);
  CHECK(!ends[0].status && !ends[2].status && ends[1].status < 0);
  CHECK(strstr(ends[1].message, "eN") && ends[1].rows == 0 && ends[0].rows == 1 && !*ends[0].message);
  CHECK(isnan(picus_rollout_values(rollout)[picus_rollout_column_count(rollout)]));
  picus_rollout_destroy(rollout);
  def.progress = stop_after_two;
  def.user = &calls;
  CHECK(picus_rollout_create(s.context, &def, &rollout) == PICUS_INTERRUPTED && !rollout && calls >= 2);
  def.columns = "nothing";
  CHECK(picus_rollout_create(s.context, &def, &rollout) == PICUS_ERROR_NAME && !rollout);
  def.count = 0;
  CHECK(picus_rollout_create(s.context, &def, &rollout) == PICUS_ERROR_ARGUMENT);
  simulation_close(&s);
}

/* A parameter that changes the columns: runs that lack one fail, others have their values under the right names. */
static void rollout_finds_its_columns(void) {
  static const char *const names[] = {"n"};
  static const double n[] = {3, 1, 4};
  picus_sim_options options;
  picus_rollout *rollout;
  simulation s, single;
  REQUIRE(simulation_load(&s, "disks", "n=3", &options));
  options.t_end = 0.05;
  options.every = 1000000000; /* the first row and the last one, as in the rollout */
  picus_rollout_def def = picus_default_rollout_def();
  vary_one(&s, &options, names, n, 3, &def);
  REQUIRE(picus_rollout_create(s.context, &def, &rollout) == PICUS_OK);
  const picus_rollout_end *ends = picus_rollout_ends(rollout);
  CHECK(!ends[0].status && !ends[2].status && ends[1].status == PICUS_ERROR_NAME);
  CHECK(strstr(ends[1].message, "no column") && ends[1].rows == 0);
  recorded_rows rows = {0};
  REQUIRE(simulation_load(&single, "disks", "n=4", &(picus_sim_options){0}));
  REQUIRE(simulation_start(&single, &options) && simulation_run(&single, &rows, NULL));
  const int width = picus_rollout_column_count(rollout);
  for (int k = 0; k < width; k++) {
    const double expected = recorded_value(&rows, rows.row_count - 1, picus_rollout_column(rollout, k));
    if (!CHECK(memcmp(&picus_rollout_values(rollout)[2 * width + k], &expected, sizeof expected) == 0))
      printf("    %s: %.17g, %.17g\n", picus_rollout_column(rollout, k), picus_rollout_values(rollout)[2 * width + k],
             expected);
  }
  recorded_rows_free(&rows);
  simulation_close(&single);
  picus_rollout_destroy(rollout);
  simulation_close(&s);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"memory_has_the_rows_of_a_sink", memory_has_the_rows_of_a_sink},
                                    {"memory_has_detected_contacts", memory_has_detected_contacts},
                                    {"state_does_not_move", state_does_not_move},
                                    {"end_of_a_run", end_of_a_run},
                                    {"options_by_name", options_by_name},
                                    {"rollout_has_the_bits_of_single_runs", rollout_has_the_bits_of_single_runs},
                                    {"rollout_sets_inputs_and_states", rollout_sets_inputs_and_states},
                                    {"rollout_reports_failures", rollout_reports_failures},
                                    {"rollout_finds_its_columns", rollout_finds_its_columns}};
  return test_main(argc, argv, "rollout", cases, (int)(sizeof cases / sizeof *cases));
}
