/* The recorder between a source of rows and sinks: columns, blocks, and what happens when a sink fails. */
#define _POSIX_C_SOURCE 200809L
#include "base/internal.h"
#include "record_fake.h"

#include <picus/picus.h>

/* A sink that remembers what it was asked to do. */
typedef struct probe {
  picus_context *context;
  bool fail_open, fail_write, fail_close;
  long fail_after; /* writes that succeed before fail_write */
  int opened, closed, destroyed;
  long writes, rows, last_block;
  double checksum;
  picus_status end_status;
  char end_message[128];
} probe;

static picus_status probe_open(void *self, const picus_run_description *run, int column_count,
                               const picus_column *columns) {
  probe *p = self;
  (void)run;
  CHECK(column_count > 0 && strcmp(columns[0].name, "t") == 0);
  p->opened++;
  return p->fail_open ? picus_fail(p->context, PICUS_ERROR_IO, "probe: no room") : PICUS_OK;
}

static picus_status probe_write(void *self, long row_count, int column_count, const double *rows) {
  probe *p = self;
  p->writes++;
  if (p->fail_write && p->writes > p->fail_after)
    return picus_fail(p->context, PICUS_ERROR_IO, "probe: write %ld failed", p->writes);
  for (long k = 0; k < row_count; k++) p->checksum += rows[k * column_count];
  p->rows += row_count;
  p->last_block = row_count;
  return PICUS_OK;
}

static picus_status probe_close(void *self, const picus_summary *summary) {
  probe *p = self;
  p->closed++;
  p->end_status = summary->status;
  snprintf(p->end_message, sizeof p->end_message, "%s", picus_last_error(p->context)->message);
  return p->fail_close ? picus_fail(p->context, PICUS_ERROR_IO, "probe: not closed") : PICUS_OK;
}

static void probe_destroy(void *self) { ((probe *)self)->destroyed++; }

static picus_sink probe_sink(probe *p) {
  return (picus_sink){
      .self = p, .open = probe_open, .write = probe_write, .close = probe_close, .destroy = probe_destroy};
}

enum { BLOCK = 8192 }; /* rows of a few columns */

static void blocks_of_rows(void) {
  static const struct {
    int columns;
    long block;
  } cases[] = {{1, 8192}, {30, 4096}, {100, 2048}, {2048, 1024}, {5000, 419}};
  for (int k = 0; k < 5; k++) {
    picus_context *context;
    REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
    probe p = {.context = context};
    fake f;
    REQUIRE(fake_open(&f, context, cases[k].columns, 100) == PICUS_OK);
    CHECK(picus_recorder_add_sink(f.recorder, probe_sink(&p)) == PICUS_OK);
    CHECK(picus_recorder_begin(f.recorder) == PICUS_OK);
    long rows = 2 * cases[k].block + 5;
    CHECK(fake_rows(&f, rows) == PICUS_OK);
    CHECK(p.writes == 2 && p.rows == 2 * cases[k].block);
    CHECK(picus_recorder_rows(f.recorder) == rows);
    CHECK(fake_end(&f, PICUS_OK) == PICUS_OK);
    CHECK(p.writes == 3 && p.rows == rows && p.last_block == 5);
    CHECK_NEAR(p.checksum, 1e-3 * 0.5 * (double)rows * (double)(rows - 1), 1e-6);
    picus_recorder_destroy(f.recorder);
    CHECK(p.opened == 1 && p.closed == 1 && p.destroyed == 1);
    CHECK(picus_context_memory(context) == 0);
    picus_context_destroy(context);
  }
}

static void one_failed_sink_does_not_stop_the_others(void) {
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  probe good = {.context = context}, bad = {.context = context, .fail_write = true, .fail_after = 1};
  fake f;
  REQUIRE(fake_open(&f, context, 3, 100) == PICUS_OK);
  CHECK(picus_recorder_add_sink(f.recorder, probe_sink(&bad)) == PICUS_OK);
  CHECK(picus_recorder_add_sink(f.recorder, probe_sink(&good)) == PICUS_OK);
  CHECK(picus_recorder_begin(f.recorder) == PICUS_OK);
  CHECK(fake_rows(&f, 2 * BLOCK - 1) == PICUS_OK);
  CHECK(fake_rows(&f, 1) == PICUS_ERROR_IO);
  CHECK_TEXT(picus_last_error(context)->message, "probe: write 2 failed");
  CHECK(fake_rows(&f, 2000) == PICUS_OK); /* a caller may go on with what is left */
  picus_clear_error(context);
  CHECK(fake_end(&f, PICUS_OK) == PICUS_ERROR_IO);
  CHECK_TEXT(picus_last_error(context)->message, "probe: write 2 failed");
  CHECK(good.rows == 2 * BLOCK + 2000 && good.closed == 1);
  CHECK(bad.writes == 2 && bad.closed == 1);
  CHECK(fake_end(&f, PICUS_OK) == PICUS_OK); /* a second end does nothing */
  CHECK(good.closed == 1);
  picus_recorder_destroy(f.recorder);
  CHECK(good.destroyed == 1 && bad.destroyed == 1);
  picus_context_destroy(context);
}

static void without_a_working_sink_rows_are_refused(void) {
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  probe bad = {.context = context, .fail_write = true};
  fake f;
  REQUIRE(fake_open(&f, context, 3, 100) == PICUS_OK);
  CHECK(picus_recorder_add_sink(f.recorder, probe_sink(&bad)) == PICUS_OK);
  CHECK(fake_rows(&f, 1) == PICUS_ERROR_ARGUMENT); /* not begun */
  CHECK(picus_recorder_begin(f.recorder) == PICUS_OK);
  CHECK(picus_recorder_begin(f.recorder) == PICUS_ERROR_ARGUMENT);
  probe late = {.context = context};
  CHECK(picus_recorder_add_sink(f.recorder, probe_sink(&late)) == PICUS_ERROR_ARGUMENT && late.destroyed == 1);
  CHECK(fake_rows(&f, BLOCK) == PICUS_ERROR_IO);
  picus_clear_error(context);
  CHECK(fake_rows(&f, 1) == PICUS_ERROR_IO);
  CHECK_TEXT(picus_last_error(context)->message, "probe: write 1 failed");
  CHECK(fake_end(&f, PICUS_ERROR_IO) == PICUS_ERROR_IO);
  CHECK(bad.writes == 1 && bad.closed == 1);
  picus_recorder_destroy(f.recorder);
  picus_context_destroy(context);
}

static void a_sink_that_cannot_open_ends_the_beginning(void) {
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  probe first = {.context = context}, bad = {.context = context, .fail_open = true}, last = {.context = context};
  fake f;
  REQUIRE(fake_open(&f, context, 3, 100) == PICUS_OK);
  CHECK(picus_recorder_add_sink(f.recorder, probe_sink(&first)) == PICUS_OK);
  CHECK(picus_recorder_add_sink(f.recorder, probe_sink(&bad)) == PICUS_OK);
  CHECK(picus_recorder_add_sink(f.recorder, probe_sink(&last)) == PICUS_OK);
  CHECK(picus_recorder_begin(f.recorder) == PICUS_ERROR_IO);
  CHECK_TEXT(picus_last_error(context)->message, "probe: no room");
  CHECK(fake_end(&f, PICUS_ERROR_IO) == PICUS_ERROR_IO);
  CHECK(first.closed == 1 && bad.closed == 0 && last.opened == 0 && last.closed == 0);
  picus_recorder_destroy(f.recorder);
  CHECK(first.destroyed == 1 && bad.destroyed == 1 && last.destroyed == 1);
  picus_context_destroy(context);
}

static void the_failure_of_a_run_keeps_its_sentence(void) {
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  probe bad = {.context = context, .fail_close = true}, good = {.context = context};
  fake f;
  REQUIRE(fake_open(&f, context, 3, 100) == PICUS_OK);
  CHECK(picus_recorder_add_sink(f.recorder, probe_sink(&bad)) == PICUS_OK);
  CHECK(picus_recorder_add_sink(f.recorder, probe_sink(&good)) == PICUS_OK);
  CHECK(picus_recorder_begin(f.recorder) == PICUS_OK);
  CHECK(fake_rows(&f, 10) == PICUS_OK);
  picus_fail_at(context, PICUS_ERROR_STEP, "a.lua", 3, "the bird flew away");
  CHECK(fake_end(&f, PICUS_ERROR_STEP) == PICUS_ERROR_IO);
  CHECK_TEXT(bad.end_message, "the bird flew away");
  CHECK_TEXT(good.end_message, "the bird flew away");
  CHECK(good.end_status == PICUS_ERROR_STEP && good.rows == 10);
  CHECK(picus_last_error(context)->status == PICUS_ERROR_STEP && picus_last_error(context)->line == 3);
  CHECK_TEXT(picus_last_error(context)->message, "the bird flew away");
  CHECK_TEXT(picus_last_error(context)->file, "a.lua");
  picus_recorder_destroy(f.recorder);
  picus_context_destroy(context);
}

static void names_must_differ(void) {
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  picus_column_list list = {0};
  picus_run_description run = {.command = ""};
  picus_recorder *recorder;
  CHECK(fake_columns(context, 4, &list) == PICUS_OK);
  CHECK(picus_columns_add(context, &list, (picus_column){"q2", "", "twice", PICUS_COLUMN_OBSERVABLE}) == PICUS_OK);
  CHECK(picus_recorder_create_core(context, &run, &list, &recorder) == PICUS_ERROR_NAME);
  CHECK(strstr(picus_last_error(context)->message, "'q2'") != NULL);
  CHECK(recorder == NULL && picus_context_memory(context) == 0);
  fake f;
  REQUIRE(fake_open(&f, context, 3, 100) == PICUS_OK);
  CHECK(picus_recorder_add_csv(f.recorder, scratch("same")) == PICUS_OK);
  CHECK(picus_recorder_add_hdf5(f.recorder, scratch("same")) == PICUS_ERROR_ARGUMENT);
  CHECK(picus_recorder_add_hdf5(f.recorder, "") == PICUS_ERROR_ARGUMENT);
  picus_recorder_destroy(f.recorder); /* never begun: no file */
  CHECK(access(scratch("same"), F_OK) != 0);
  picus_context_destroy(context);
}

/* --- columns of a real system ------------------------------------------------------------------------------------ */

static picus_context *context;
static picus_model *model;
static picus_system *bird;

/* Two coordinates, one law of every kind, two observed values. */
static bool build_bird(void) {
  if (picus_context_create(NULL, &context) || picus_model_create(context, "bird", &model)) return false;
  picus_pool *pool = picus_model_pool(model);
  picus_coordinate_def def = picus_default_coordinate_def();
  picus_expr x = {-1}, vx = {-1}, y = {-1}, vy = {-1};
  def.name = "x";
  def.velocity = "vx";
  def.start = 0.5;
  def.velocity_start = 1.5;
  def.unit = "m";
  def.label = "distance";
  picus_status status = picus_model_add_coordinate(model, &def, &x, &vx);
  def = picus_default_coordinate_def();
  def.name = "y";
  def.velocity = "vy";
  def.start = 2;
  if (!status) status = picus_model_add_coordinate(model, &def, &y, &vy);
  picus_expr half = picus_number(pool, 0.5);
  picus_expr squares = picus_add(pool, picus_mul(pool, vx, vx), picus_mul(pool, vy, vy));
  if (!status) status = picus_model_add_kinetic(model, picus_mul(pool, half, squares));
  if (!status) status = picus_model_add_potential(model, picus_mul(pool, picus_number(pool, 10), y));
  picus_contact_def plain = picus_default_contact_def(), rough = picus_default_contact_def();
  plain.name = "wall";
  plain.gap = x;
  rough.name = "floor";
  rough.gap = y;
  rough.slips = 1;
  rough.slip[0] = vx;
  rough.mu = 0.3;
  picus_friction_def brake = picus_default_friction_def();
  brake.name = "brake";
  brake.slips = 2;
  brake.slip[0] = vx;
  brake.slip[1] = vy;
  brake.reservoir = 0.25;
  picus_constraint_def rail = picus_default_constraint_def();
  rail.name = "rail";
  rail.velocity = picus_sub(pool, vx, picus_number(pool, 1.5));
  if (!status) status = picus_model_add_contact(model, &plain);
  if (!status) status = picus_model_add_contact(model, &rough);
  if (!status) status = picus_model_add_friction(model, &brake);
  if (!status) status = picus_model_add_constraint(model, &rail);
  if (!status) status = picus_model_add_observable(model, "sum", picus_add(pool, x, y), "m", "x plus y");
  if (!status) status = picus_model_add_observable(model, "clock", picus_model_time(model), NULL, NULL);
  if (!status) status = picus_system_create(model, &bird);
  if (status) printf("  %s\n", picus_last_error(context)->message);
  return status == PICUS_OK;
}

static void end_bird(void) {
  picus_system_destroy(bird);
  picus_model_destroy(model);
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

static void columns_of_a_system(void) {
  static const struct {
    const char *name, *unit, *label;
    picus_column_kind kind;
  } expected[] = {
      {"t", "s", "time", PICUS_COLUMN_TIME},
      {"x", "m", "distance", PICUS_COLUMN_COORDINATE},
      {"y", "", "y", PICUS_COLUMN_COORDINATE},
      {"vx", "m/s", NULL, PICUS_COLUMN_VELOCITY},
      {"vy", "", NULL, PICUS_COLUMN_VELOCITY},
      {"wall.gap", "m", "wall gap", PICUS_COLUMN_GAP},
      {"wall.vN", "m/s", "wall gap velocity", PICUS_COLUMN_LAW_VELOCITY},
      {"wall.PN", "N s", "wall normal percussion", PICUS_COLUMN_PERCUSSION},
      {"wall.mode", "", "wall mode", PICUS_COLUMN_MODE},
      {"floor.gap", "m", "floor gap", PICUS_COLUMN_GAP},
      {"floor.vN", "m/s", "floor gap velocity", PICUS_COLUMN_LAW_VELOCITY},
      {"floor.PN", "N s", "floor normal percussion", PICUS_COLUMN_PERCUSSION},
      {"floor.PF", "N s", "floor friction percussion", PICUS_COLUMN_PERCUSSION},
      {"floor.mode", "", "floor mode", PICUS_COLUMN_MODE},
      {"brake.PF1", "N s", "brake friction percussion 1", PICUS_COLUMN_PERCUSSION},
      {"brake.PF2", "N s", "brake friction percussion 2", PICUS_COLUMN_PERCUSSION},
      {"brake.mode", "", "brake mode", PICUS_COLUMN_MODE},
      {"rail.v", "", "rail velocity", PICUS_COLUMN_LAW_VELOCITY},
      {"rail.P", "", "rail percussion", PICUS_COLUMN_PERCUSSION},
      {"rail.mode", "", "rail mode", PICUS_COLUMN_MODE},
      {"E.kin", "J", "kinetic energy", PICUS_COLUMN_ENERGY},
      {"E.pot", "J", "potential energy", PICUS_COLUMN_ENERGY},
      {"E.total", "J", "total energy", PICUS_COLUMN_ENERGY},
      {"sum", "m", "x plus y", PICUS_COLUMN_OBSERVABLE},
      {"clock", "", "clock", PICUS_COLUMN_OBSERVABLE},
      {"rail.work", "J", "rail work of the drive", PICUS_COLUMN_WORK},
  };
  enum { COUNT = sizeof expected / sizeof expected[0] };
  REQUIRE(build_bird());
  picus_run_description run = {.model = model, .system = bird, .command = ""};
  picus_recorder *recorder;
  REQUIRE(picus_recorder_create(context, &run, &recorder) == PICUS_OK);
  CHECK(picus_recorder_column_count(recorder) == COUNT);
  for (int k = 0; k < COUNT && k < picus_recorder_column_count(recorder); k++) {
    picus_column column = picus_recorder_column(recorder, k);
    CHECK_TEXT(column.name, expected[k].name);
    CHECK_TEXT(column.unit, expected[k].unit);
    if (expected[k].label) CHECK_TEXT(column.label, expected[k].label);
    CHECK(column.kind == expected[k].kind);
  }
  picus_recorder_destroy(recorder);
  end_bird();
}

/* Keeps the last row it was given. */
typedef struct keeper {
  double row[32];
  long rows;
} keeper;

static picus_status keep_rows(void *self, long row_count, int column_count, const double *rows) {
  keeper *k = self;
  memcpy(k->row, rows + (row_count - 1) * column_count, (size_t)column_count * sizeof *rows);
  k->rows += row_count;
  return PICUS_OK;
}

static void a_row_is_the_state_of_the_simulation(void) {
  REQUIRE(build_bird());
  picus_sim_options options = picus_default_sim_options();
  options.dt = 0.01;
  options.t_end = 0.8; /* the floor is reached at t = 0.63 */
  options.every = 1;
  picus_run_description run = {.model = model, .system = bird, .options = &options, .command = ""};
  picus_recorder *recorder;
  picus_sim *sim;
  keeper kept = {.rows = 0};
  REQUIRE(picus_recorder_create(context, &run, &recorder) == PICUS_OK);
  REQUIRE(picus_sim_create(context, bird, &options, &sim) == PICUS_OK);
  CHECK(picus_recorder_add_sink(recorder, (picus_sink){.self = &kept, .write = keep_rows}) == PICUS_OK);
  picus_summary summary;
  CHECK(picus_sim_run(sim, recorder, NULL, &summary) == PICUS_OK);
  CHECK(kept.rows == 81 && summary.rows == 81);
  picus_law_state laws[4];
  double kinetic = 0, potential = 0;
  CHECK(picus_sim_laws(sim, laws) == PICUS_OK && picus_sim_energy(sim, &kinetic, &potential) == PICUS_OK);
  picus_state state = picus_sim_state(sim);
  const double expected[] = {state.t,
                             state.q[0],
                             state.q[1],
                             state.u[0],
                             state.u[1],
                             laws[0].gap,
                             laws[0].normal_velocity,
                             laws[0].PN,
                             (double)laws[0].mode,
                             laws[1].gap,
                             laws[1].normal_velocity,
                             laws[1].PN,
                             laws[1].PF[0],
                             (double)laws[1].mode,
                             laws[2].PF[0],
                             laws[2].PF[1],
                             (double)laws[2].mode,
                             laws[3].normal_velocity,
                             laws[3].PN,
                             (double)laws[3].mode,
                             kinetic,
                             potential,
                             kinetic + potential,
                             state.q[0] + state.q[1],
                             state.t,
                             laws[3].driven};
  for (int k = 0; k < 26; k++) CHECK(kept.row[k] == expected[k]);
  CHECK(kept.row[0] == 0.8 && kept.row[11] > 0); /* the floor carries */
  picus_sim_destroy(sim);
  picus_recorder_destroy(recorder);
  end_bird();
}

/* Every allocation of a recorder with both files fails once; nothing leaks, nothing crashes, the status says why. */
static void memory_may_run_out_anywhere(void) {
  int granted = 0;
  for (bool done = false; !done && granted < 2000; granted++) {
    int left = granted + 1; /* one for the context */
    picus_context_def def = {.allocate = limited_allocate, .allocate_user = &left};
    picus_context *limited;
    REQUIRE(picus_context_create(&def, &limited) == PICUS_OK);
    fake f;
    picus_status status = fake_open(&f, limited, 9, 3000);
    if (!status) status = picus_recorder_add_hdf5(f.recorder, scratch("memory.h5"));
    if (!status) status = picus_recorder_add_csv(f.recorder, scratch("memory.csv"));
    if (!status) status = picus_recorder_add_switching_csv(f.recorder, scratch("memory-events.csv"));
    if (!status) status = picus_recorder_begin(f.recorder);
    if (!status) status = fake_rows(&f, 3000);
    for (int k = 0; !status && k < 300; k++)
      status = picus_recorder_add_switching(f.recorder, &(picus_switching){.t = k, .limit = NAN});
    if (f.recorder) {
      picus_status closed = fake_end(&f, status);
      if (!status) status = closed;
    }
    picus_recorder_destroy(f.recorder);
    CHECK(status == PICUS_OK || status == PICUS_ERROR_MEMORY);
    CHECK(picus_context_memory(limited) == 0);
    done = status == PICUS_OK;
    picus_context_destroy(limited);
  }
  CHECK(granted > 40 && granted < 2000);
  scratch_remove("memory.h5");
  scratch_remove("memory.csv");
  scratch_remove("memory-events.csv");
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"blocks_of_rows", blocks_of_rows},
      {"one_failed_sink_does_not_stop_the_others", one_failed_sink_does_not_stop_the_others},
      {"without_a_working_sink_rows_are_refused", without_a_working_sink_rows_are_refused},
      {"a_sink_that_cannot_open_ends_the_beginning", a_sink_that_cannot_open_ends_the_beginning},
      {"the_failure_of_a_run_keeps_its_sentence", the_failure_of_a_run_keeps_its_sentence},
      {"names_must_differ", names_must_differ},
      {"columns_of_a_system", columns_of_a_system},
      {"a_row_is_the_state_of_the_simulation", a_row_is_the_state_of_the_simulation},
      {"memory_may_run_out_anywhere", memory_may_run_out_anywhere},
  };
  int result = test_main(argc, argv, "record_core", cases, sizeof cases / sizeof cases[0]);
  scratch_end();
  return result;
}
