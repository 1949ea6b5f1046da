/* HDF5 results, written and read back: values, names, the description of the run, determinism. */
#define _POSIX_C_SOURCE 200809L
#include "record_fake.h"
#include "sim/internal.h"

#include <picus/picus.h>
#include <stdint.h>
#include <time.h>

static picus_context *context;

static bool begin(void) { return picus_context_create(NULL, &context) == PICUS_OK; }

static void end(void) {
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

static bool open_result(const char *path, picus_result **result) {
  bool fine = CHECK(picus_result_open(context, path, result) == PICUS_OK);
  if (!fine) printf("  %s\n", picus_last_error(context)->message);
  return fine;
}

/* A file of fake rows. */
static bool write_fake(const char *path, int column_count, long rows, double expected_rows, picus_status status) {
  fake f;
  bool fine = CHECK(fake_open(&f, context, column_count, expected_rows) == PICUS_OK) &&
              CHECK(picus_recorder_add_hdf5(f.recorder, path) == PICUS_OK) &&
              CHECK(picus_recorder_begin(f.recorder) == PICUS_OK) && CHECK(fake_rows(&f, rows) == PICUS_OK) &&
              CHECK(fake_end(&f, status) == PICUS_OK);
  if (!fine) printf("  %s\n", picus_last_error(context)->message);
  picus_recorder_destroy(f.recorder);
  return fine;
}

/* --- values --- */

static double random_bits(test_random *random) {
  uint64_t bits = 0;
  for (int k = 0; k < 4; k++) bits = bits << 16 | (uint64_t)test_integer(random, 0, 65535);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static picus_status fill_bits(void *source, double *row) {
  test_random *random = source;
  row[0] = random_bits(random);
  row[1] = -0.0;
  row[2] = test_integer(random, 0, 1) ? HUGE_VAL : -HUGE_VAL;
  row[3] = -NAN;
  row[4] = ldexp(test_uniform(random, 0, 1), -1040);
  row[5] = 5e-324;
  row[6] = test_integer(random, 0, 2); /* the mode */
  return PICUS_OK;
}

static void values_read_back_bit_for_bit(void) {
  enum { ROWS = 2500 };
  REQUIRE(begin());
  fake f;
  REQUIRE(fake_open(&f, context, 7, ROWS) == PICUS_OK);
  CHECK(picus_recorder_add_hdf5(f.recorder, scratch("bits.h5")) == PICUS_OK);
  CHECK(picus_recorder_begin(f.recorder) == PICUS_OK);
  test_random random = {11};
  for (int k = 0; k < ROWS; k++) CHECK(picus_recorder_add_row(f.recorder, fill_bits, &random) == PICUS_OK);
  CHECK(fake_end(&f, PICUS_OK) == PICUS_OK);
  picus_recorder_destroy(f.recorder);
  picus_result *result;
  REQUIRE(open_result(scratch("bits.h5"), &result));
  CHECK(picus_result_row_count(result) == ROWS && picus_result_column_count(result) == 7);
  const double *values[7];
  for (int i = 0; i < 7; i++) REQUIRE(picus_result_values(result, i, &values[i]) == PICUS_OK);
  test_random again = {11};
  for (int k = 0; k < ROWS; k++) {
    double row[7];
    fill_bits(&again, row);
    for (int i = 0; i < 7; i++) REQUIRE(memcmp(&row[i], &values[i][k], sizeof(double)) == 0);
  }
  const double *same;
  CHECK(picus_result_values(result, 3, &same) == PICUS_OK && same == values[3]); /* loaded once */
  CHECK(picus_result_values(result, 7, &same) == PICUS_ERROR_ARGUMENT && same == NULL);
  picus_result_close(result);
  scratch_remove("bits.h5");
  end();
}

/* Lengths around the ends of blocks and chunks, with and without knowing how long the run will be. */
static void lengths_of_all_kinds(void) {
  static const long rows[] = {0, 1, 31, 32, 33, 1023, 1025, 8192, 8193, 40000};
  static const double expected[] = {0, 1, 1000, 5000, 1e6, 1e7, NAN};
  REQUIRE(begin());
  for (int i = 0; i < 10; i++)
    for (int k = 0; k < 7; k++) {
      REQUIRE(write_fake(scratch("length.h5"), 4, rows[i], expected[k], PICUS_OK));
      picus_result *result;
      REQUIRE(open_result(scratch("length.h5"), &result));
      CHECK(picus_result_row_count(result) == rows[i]);
      CHECK(fake_matches(result, 4));
      picus_result_close(result);
    }
  scratch_remove("length.h5");
  end();
}

/* What cannot fit is refused before the first row, and an older file stays. */
static void too_many_rows_are_refused(void) {
  static const double expected[] = {1e300, 1e15, INFINITY, 9e11};
  REQUIRE(begin());
  REQUIRE(write_fake(scratch("many.h5"), 100, 3, 3, PICUS_OK));
  for (int k = 0; k < 4; k++) {
    fake f;
    picus_result *result;
    REQUIRE(fake_open(&f, context, 100, expected[k]) == PICUS_OK);
    CHECK(picus_recorder_add_hdf5(f.recorder, scratch("many.h5")) == PICUS_OK);
    CHECK(picus_recorder_begin(f.recorder) < 0);
    CHECK(strstr(picus_last_error(context)->message, k < 3 ? "exceed the limit of 1e+12" : "bytes are free") != NULL);
    CHECK(fake_end(&f, PICUS_ERROR_IO) < 0);
    picus_recorder_destroy(f.recorder);
    REQUIRE(open_result(scratch("many.h5"), &result));
    CHECK(picus_result_row_count(result) == 3);
    picus_result_close(result);
  }
  scratch_remove("many.h5");
  end();
}

static void short_runs_make_small_files(void) {
  REQUIRE(begin());
  REQUIRE(write_fake(scratch("small.h5"), 20, 100, 100, PICUS_OK));
  size_t size = 0;
  char *bytes = read_whole(scratch("small.h5"), &size);
  printf("  %zu bytes\n", size);
  /* 16 kB of numbers; the rest are headers and indices of 20 columns, 20 lists of the event log, 20 options, 70
   * statistics (400 bytes each) */
  CHECK(bytes && size < 126400);
  free(bytes);
  scratch_remove("small.h5");
  end();
}

/* A recorder without compression, so that a value is found in the bytes of its file. */
static bool write_plain(const char *path, long rows, bool is_single) {
  fake f;
  picus_summary summary = {.rows = rows};
  bool done = CHECK(fake_open(&f, context, 5, (double)rows) == PICUS_OK) &&
              CHECK(picus_recorder_set_compressed(f.recorder, false) == PICUS_OK) &&
              CHECK(picus_recorder_set_single(f.recorder, is_single) == PICUS_OK) &&
              CHECK(picus_recorder_add_hdf5(f.recorder, path) == PICUS_OK) &&
              CHECK(picus_recorder_begin(f.recorder) == PICUS_OK) && CHECK(fake_rows(&f, rows) == PICUS_OK) &&
              CHECK(picus_recorder_end(f.recorder, &summary) == PICUS_OK);
  picus_recorder_destroy(f.recorder);
  return done;
}

/* Changes one bit of a value in a file; false: it is not there once. */
static bool change_bit(const char *path, double value) {
  size_t size = 0, found = SIZE_MAX, count = 0;
  char *bytes = read_whole(path, &size);
  for (size_t k = 0; bytes && k + sizeof value <= size; k++)
    if (memcmp(bytes + k, &value, sizeof value) == 0) {
      found = k;
      count++;
    }
  if (bytes && count == 1) bytes[found] ^= 4;
  FILE *file = bytes && count == 1 ? fopen(path, "wb") : NULL;
  const bool done = file && fwrite(bytes, 1, size, file) == size;
  if (file) fclose(file);
  free(bytes);
  return done;
}

/* Its column is not read, and the message names it and its block. */
static void a_changed_bit_is_noticed(void) {
  const long block = picus_recorder_block_rows(5), rows = 2 * block + 452;
  const long changed[] = {3, block, rows - 1};
  picus_result *result;
  const double *values;
  REQUIRE(begin());
  for (int k = 0; k < 3; k++) {
    const char *path = scratch("bit.h5");
    char named[64];
    snprintf(named, sizeof named, "rows %ld to %ld", k * block, k < 2 ? (k + 1) * block - 1 : rows - 1);
    REQUIRE(write_plain(path, rows, false) && change_bit(path, fake_value(changed[k], 2)));
    REQUIRE(open_result(path, &result));
    CHECK(picus_result_values(result, 1, &values) == PICUS_OK && values[3] == fake_value(3, 1));
    CHECK(picus_result_values(result, 2, &values) == PICUS_ERROR_IO && !values);
    const char *message = picus_last_error(context)->message;
    CHECK(strstr(message, "column 'q2'") && strstr(message, named) && strstr(message, "checksum"));
    double *copied = calloc((size_t)rows, sizeof *copied);
    REQUIRE(copied);
    CHECK(picus_result_read(result, 1, copied) == PICUS_OK && copied[3] == fake_value(3, 1));
    CHECK(picus_result_read(result, 2, copied) == PICUS_ERROR_IO);
    free(copied);
    picus_result_close(result);
    scratch_remove("bit.h5");
  }
  REQUIRE(write_plain(scratch("bit.h5"), rows, true) && open_result(scratch("bit.h5"), &result));
  for (int k = 0; k < 5; k++) CHECK(picus_result_values(result, k, &values) == PICUS_OK);
  picus_result_close(result);
  scratch_remove("bit.h5");
  end();
}

static void memory_does_not_grow_with_the_run(void) {
  size_t peaks[2];
  for (int k = 0; k < 2; k++) {
    REQUIRE(begin());
    REQUIRE(write_fake(scratch("long.h5"), 12, k == 0 ? 10000 : 100000, k == 0 ? 10000 : 1e5, PICUS_OK));
    peaks[k] = picus_context_memory_peak(context);
    end();
  }
  /* a buffer of 8192 rows, one of 256 switching points, and what the file needs for writing and compressing them */
  CHECK(peaks[1] == peaks[0] && peaks[1] < 2000000);
  REQUIRE(begin());
  picus_result *result;
  REQUIRE(open_result(scratch("long.h5"), &result));
  CHECK(picus_result_row_count(result) == 100000 && fake_matches(result, 12));
  picus_result_close(result);
  scratch_remove("long.h5");
  end();
}

/* One column at a time, in memory of the caller. */
static void columns_are_read_one_by_one(void) {
  enum { ROWS = 60000, COLUMNS = 12 };
  double *values = malloc(ROWS * sizeof *values);
  REQUIRE(values && begin());
  REQUIRE(write_fake(scratch("long.h5"), COLUMNS, ROWS, ROWS, PICUS_OK));
  end();
  REQUIRE(begin());
  picus_result *result;
  REQUIRE(open_result(scratch("long.h5"), &result));
  for (int k = 0; k < COLUMNS; k++) {
    CHECK(picus_result_read(result, k, values) == PICUS_OK);
    bool same = true;
    for (long row = 0; row < ROWS; row++) same = same && values[row] == fake_value(row, k);
    CHECK(same);
  }
  CHECK(picus_context_memory_peak(context) < ROWS * sizeof(double)); /* one chunk at a time; no column is kept */
  CHECK(picus_result_read(result, COLUMNS, values) == PICUS_ERROR_ARGUMENT);
  const double *kept;
  CHECK(picus_result_values(result, 3, &kept) == PICUS_OK && picus_result_read(result, 3, values) == PICUS_OK);
  CHECK(memcmp(kept, values, ROWS * sizeof *values) == 0);
  picus_result_close(result);
  free(values);
  scratch_remove("long.h5");
  end();
}

static void many_columns(void) {
  enum { COLUMNS = 1500 };
  REQUIRE(begin());
  REQUIRE(write_fake(scratch("wide.h5"), COLUMNS, 1500, 1500, PICUS_OK));
  picus_result *result;
  REQUIRE(open_result(scratch("wide.h5"), &result));
  CHECK(picus_result_row_count(result) == 1500 && fake_matches(result, COLUMNS));
  CHECK(picus_result_find(result, "q1234") == 1234); /* columns keep their order */
  picus_result_close(result);
  scratch_remove("wide.h5");
  end();
}

/* --- names, units and the description --- */

/* A falling mass with everything a description can have. */
typedef struct described {
  picus_model *model;
  picus_system *system;
  picus_sim_options options;
  picus_run_description run;
  char *source;
} described;

static bool describe(described *d, size_t source_size) {
  *d = (described){0};
  d->source = malloc(source_size + 1);
  memset(d->source, '-', source_size);
  d->source[source_size] = '\0';
  memcpy(d->source, "-- a h\xC3\xA4mmer", 12);
  picus_expr z = {0}, v = {0};
  double m = 0, g = 0;
  if (picus_model_create(context, "hammer", &d->model)) return false;
  picus_pool *pool = picus_model_pool(d->model);
  picus_coordinate_def def = picus_default_coordinate_def();
  def.name = "z";
  def.velocity = "vz";
  def.start = 1;
  def.unit = "m";
  def.label = "h\xC3\xB6he z";
  picus_contact_def contact = picus_default_contact_def();
  contact.name = "anvil";
  contact.slips = 1;
  contact.mu = 0.3;
  contact.eN = 0.5;
  static const char *const first[] = {"z", "anvil.gap"}, *const second[] = {"vz"};
  picus_status status = picus_model_set_name(d->model, "hammer", "a mass that falls on an anvil");
  if (!status) status = picus_model_set_source(d->model, d->source);
  if (!status) status = picus_model_override(d->model, "m", 2.5);
  if (!status) status = picus_model_add_parameter(d->model, "m", 1, "kg", "its mass", &m);
  if (!status) status = picus_model_add_parameter(d->model, "g", 9.81, NULL, NULL, &g);
  if (!status) status = picus_model_add_coordinate(d->model, &def, &z, &v);
  contact.gap = z;
  contact.slip[0] = picus_mul(pool, picus_number(pool, 0.5), v);
  picus_expr half_m = picus_number(pool, 0.5 * m), weight = picus_number(pool, m * g);
  if (!status) status = picus_model_add_kinetic(d->model, picus_mul(pool, half_m, picus_mul(pool, v, v)));
  if (!status) status = picus_model_add_potential(d->model, picus_mul(pool, weight, z));
  if (!status) status = picus_model_add_contact(d->model, &contact);
  if (!status) status = picus_model_add_plot(d->model, "t", 2, first);
  if (!status) status = picus_model_add_plot(d->model, "z", 1, second);
  if (!status) status = picus_system_create(d->model, &d->system);
  d->options = picus_default_sim_options();
  d->options.dt = 0.01;
  d->options.t_end = 0.6;
  d->options.every = 2;
  d->options.solver.solver = "psor";
  d->run = (picus_run_description){d->model, d->system, &d->options, "picus run hammer --set m=2.5"};
  if (status) printf("  %s\n", picus_last_error(context)->message);
  return status == PICUS_OK;
}

static void describe_end(described *d) {
  picus_system_destroy(d->system);
  picus_model_destroy(d->model);
  free(d->source);
}

static bool run_described(described *d, const char *path, double seconds, picus_summary *summary) {
  picus_recorder *recorder;
  picus_sim *sim;
  bool fine = CHECK(picus_recorder_create(context, &d->run, &recorder) == PICUS_OK) &&
              CHECK(picus_sim_create(context, d->system, &d->options, &sim) == PICUS_OK) &&
              CHECK(picus_recorder_add_hdf5(recorder, path) == PICUS_OK);
  if (!fine) return false;
  CHECK(picus_recorder_begin(recorder) == PICUS_OK);
  for (int k = 0; k <= 60; k++) {
    if (k % 2 == 0) CHECK(picus_sim_record_row(sim, recorder) == PICUS_OK);
    CHECK(picus_sim_step(sim, 0, NULL) == PICUS_OK);
  }
  *summary = (picus_summary){.steps = 60,
                             .seconds = seconds,
                             .t_end = 0.6,
                             .contact_steps = 7,
                             .gaps.penetration = 1e-3,
                             .gaps.penetration_law = 0,
                             .energy.start = 24.525};
  CHECK(picus_recorder_end(recorder, summary) == PICUS_OK);
  picus_sim_destroy(sim);
  picus_recorder_destroy(recorder);
  return true;
}

static void description_reads_back(void) {
  static const char *const keys[] = {"version",
                                     "command",
                                     "status",
                                     "model.name",
                                     "model.description",
                                     "model.source",
                                     "parameters.m",
                                     "parameters.g",
                                     "units.m",
                                     "options.summed_percussions",
                                     "options.scheme",
                                     "options.solver",
                                     "options.dt",
                                     "options.t_start",
                                     "options.t_end",
                                     "options.gap_term",
                                     "options.assemble",
                                     "options.sleep",
                                     "options.start_impact",
                                     "options.tolerance",
                                     "options.accept_residual",
                                     "options.heap_tolerance",
                                     "options.max_iterations",
                                     "options.relaxation",
                                     "options.no_fallback",
                                     "options.minimum_norm",
                                     "options.every",
                                     "options.sample",
                                     "options.adaptive",
                                     "options.impact",
                                     "laws.anvil.kind",
                                     "laws.anvil.mu",
                                     "laws.anvil.reservoir",
                                     "laws.anvil.eN",
                                     "laws.anvil.eF",
                                     "laws.anvil.slips",
                                     "statistics.steps"};
  REQUIRE(begin());
  described d;
  picus_summary summary;
  REQUIRE(describe(&d, 200000)); /* longer than an attribute could be */
  REQUIRE(run_described(&d, scratch("hammer.h5"), 0.5, &summary));
  picus_result *result;
  REQUIRE(open_result(scratch("hammer.h5"), &result));
  for (int k = 0; k < (int)(sizeof keys / sizeof keys[0]); k++) {
    bool is_text;
    CHECK_TEXT(picus_result_key(result, k, &is_text), keys[k]);
  }
  CHECK_TEXT(picus_result_text(result, "version"), PICUS_VERSION);
  CHECK_TEXT(picus_result_text(result, "command"), "picus run hammer --set m=2.5");
  CHECK_TEXT(picus_result_text(result, "status"), "done");
  CHECK_TEXT(picus_result_text(result, "model.name"), "hammer");
  CHECK_TEXT(picus_result_text(result, "model.description"), "a mass that falls on an anvil");
  CHECK_TEXT(picus_result_text(result, "model.source"), d.source);
  CHECK(picus_result_number(result, "parameters.m") == 2.5 && picus_result_number(result, "parameters.g") == 9.81);
  CHECK_TEXT(picus_result_text(result, "units.m"), "kg");
  CHECK_TEXT(picus_result_text(result, "options.solver"), "psor");
  CHECK_TEXT(picus_result_text(result, "options.scheme"), "moreau");
  CHECK(picus_result_number(result, "options.dt") == 0.01 && picus_result_number(result, "options.every") == 2);
  CHECK_TEXT(picus_result_text(result, "laws.anvil.kind"), "coulomb");
  CHECK(picus_result_number(result, "laws.anvil.mu") == 0.3 && picus_result_number(result, "laws.anvil.eN") == 0.5);
  CHECK(picus_result_number(result, "statistics.steps") == 60 && picus_result_number(result, "statistics.rows") == 31);
  CHECK(picus_result_number(result, "statistics.seconds") == 0.5);
  CHECK(picus_result_number(result, "statistics.worst_penetration") == 1e-3);
  CHECK_TEXT(picus_result_text(result, "statistics.worst_penetration_law"), "anvil");
  CHECK(picus_result_number(result, "statistics.energy_start") == 24.525);
  CHECK_TEXT(picus_result_text(result, "options.dt"), ""); /* a number is no text, and the other way round */
  CHECK(isnan(picus_result_number(result, "model.name")) && isnan(picus_result_number(result, "no.such.key")));
  CHECK_TEXT(picus_result_text(result, "no.such.key"), "");
  CHECK(picus_result_plot_count(result) == 2);
  picus_plot_panel panel = picus_result_plot(result, 0);
  CHECK_TEXT(panel.x, "t");
  CHECK(panel.count == 2);
  CHECK_TEXT(panel.y[0], "z");
  CHECK_TEXT(panel.y[1], "anvil.gap");
  panel = picus_result_plot(result, 1);
  CHECK_TEXT(panel.x, "z");
  CHECK(panel.count == 1);
  picus_column column = picus_result_column(result, 1);
  CHECK_TEXT(column.name, "z");
  CHECK_TEXT(column.unit, "m");
  CHECK_TEXT(column.label, "h\xC3\xB6he z");
  CHECK(column.kind == PICUS_COLUMN_COORDINATE);
  CHECK(picus_result_find(result, "anvil.mode") == 7 && picus_result_column(result, 7).kind == PICUS_COLUMN_MODE);
  CHECK(picus_result_find(result, "nothing") == -1);
  CHECK(picus_result_row_count(result) == 31);
  const double *t;
  CHECK(picus_result_values(result, 0, &t) == PICUS_OK && fabs(t[30] - 0.6) < 1e-12);
  picus_result_close(result);
  describe_end(&d);
  scratch_remove("hammer.h5");
  end();
}

/* Same input, same file: to the byte, and only the wall time may differ. */
static void two_runs_give_the_same_bytes(void) {
  REQUIRE(begin());
  size_t sizes[3] = {0};
  char *bytes[3];
  static const char *const names[] = {"first.h5", "second.h5", "third.h5"};
  for (int k = 0; k < 3; k++) {
    described d;
    picus_summary summary;
    REQUIRE(describe(&d, 5000));
    REQUIRE(run_described(&d, scratch(names[k]), k < 2 ? 0.5 : 0.75, &summary));
    describe_end(&d);
    bytes[k] = read_whole(scratch(names[k]), &sizes[k]);
    REQUIRE(bytes[k]);
    scratch_remove(names[k]);
    struct timespec a_bit = {1, 100000000}; /* HDF5 stores times to the second, where it does */
    if (k == 0) nanosleep(&a_bit, NULL);
  }
  CHECK(sizes[0] == sizes[1] && memcmp(bytes[0], bytes[1], sizes[0]) == 0);
  CHECK(sizes[0] == sizes[2]);
  size_t different = 0;
  for (size_t k = 0; k < sizes[0] && sizes[0] == sizes[2]; k++) different += bytes[0][k] != bytes[2][k];
  CHECK(different > 0 && different <= sizeof(double));
  for (int k = 0; k < 3; k++) free(bytes[k]);
  end();
}

static void status_tells_how_the_run_ended(void) {
  REQUIRE(begin());
  picus_result *result;
  fake f;
  REQUIRE(write_fake(scratch("status.h5"), 4, 10, 10, PICUS_INTERRUPTED));
  REQUIRE(open_result(scratch("status.h5"), &result));
  CHECK_TEXT(picus_result_text(result, "status"), "interrupted");
  picus_result_close(result);
  REQUIRE(fake_open(&f, context, 4, 10) == PICUS_OK);
  CHECK(picus_recorder_add_hdf5(f.recorder, scratch("status.h5")) == PICUS_OK);
  CHECK(picus_recorder_begin(f.recorder) == PICUS_OK && fake_rows(&f, 10000) == PICUS_OK);
  REQUIRE(open_result(scratch("status.h5"), &result)); /* the older result stays until the run has ended */
  CHECK_TEXT(picus_result_text(result, "status"), "interrupted");
  picus_result_close(result);
  REQUIRE(open_result(scratch("status.h5.part"), &result)); /* a look at a run that goes on */
  CHECK_TEXT(picus_result_text(result, "status"), "running");
  CHECK(picus_result_row_count(result) == 8192 && fake_matches(result, 4));
  picus_result_close(result);
  picus_result *none;
  CHECK(picus_result_open(context, "no such file", &none) == PICUS_ERROR_IO); /* puts a sentence on the context */
  CHECK(fake_end(&f, PICUS_ERROR_IO) == PICUS_OK);
  picus_recorder_destroy(f.recorder);
  REQUIRE(open_result(scratch("status.h5"), &result));
  CHECK_TEXT(picus_result_text(result, "status"), "failed: cannot read 'no such file': No such file or directory");
  CHECK(picus_result_row_count(result) == 10000);
  picus_result_close(result);
  scratch_remove("status.h5");
  end();
}

static void a_recorder_destroyed_in_the_middle_leaves_its_blocks(void) {
  REQUIRE(begin());
  fake f;
  picus_result *result;
  REQUIRE(fake_open(&f, context, 4, 10000) == PICUS_OK);
  CHECK(picus_recorder_add_hdf5(f.recorder, scratch("middle.h5")) == PICUS_OK);
  CHECK(picus_recorder_begin(f.recorder) == PICUS_OK && fake_rows(&f, 20000) == PICUS_OK);
  picus_recorder_destroy(f.recorder);
  REQUIRE(open_result(scratch("middle.h5"), &result));
  CHECK(picus_result_row_count(result) == 16384 && fake_matches(result, 4));
  CHECK_TEXT(picus_result_text(result, "status"), "running");
  picus_result_close(result);
  scratch_remove("middle.h5");
  end();
}

static void an_old_file_is_replaced(void) {
  REQUIRE(begin());
  REQUIRE(write_fake(scratch("old.h5"), 20, 5000, 5000, PICUS_OK));
  REQUIRE(write_fake(scratch("old.h5"), 3, 10, 10, PICUS_OK));
  picus_result *result;
  REQUIRE(open_result(scratch("old.h5"), &result));
  CHECK(picus_result_row_count(result) == 10 && fake_matches(result, 3));
  picus_result_close(result);
  scratch_remove("old.h5");
  end();
}

static void places_where_no_file_can_be(void) {
  static const char *const paths[] = {"no/such/folder/x.h5", ".", "/dev/null"};
  for (int k = 0; k < 3; k++) {
    REQUIRE(begin());
    fake f;
    REQUIRE(fake_open(&f, context, 5, 100) == PICUS_OK);
    CHECK(picus_recorder_add_hdf5(f.recorder, paths[k]) == PICUS_OK);
    CHECK(picus_recorder_begin(f.recorder) == PICUS_ERROR_IO);
    CHECK(strncmp(picus_last_error(context)->message, "cannot create '", 15) == 0);
    CHECK(strstr(picus_last_error(context)->message, paths[k]) != NULL);
    picus_recorder_destroy(f.recorder);
    end();
  }
}

static void names_that_hdf5_cannot_take(void) {
  static const char *const names[] = {"picus", "a/b", ".", ""};
  for (int k = 0; k < 4; k++) {
    REQUIRE(begin());
    picus_column_list list = {0};
    picus_run_description run = {.command = ""};
    picus_recorder *recorder;
    CHECK(fake_columns(context, 2, &list) == PICUS_OK);
    CHECK(picus_columns_add(context, &list, (picus_column){names[k], "", "", PICUS_COLUMN_OBSERVABLE}) == PICUS_OK);
    REQUIRE(picus_recorder_create_core(context, &run, &list, &recorder) == PICUS_OK);
    CHECK(picus_recorder_add_hdf5(recorder, scratch("name.h5")) == PICUS_OK);
    CHECK(picus_recorder_begin(recorder) == PICUS_ERROR_NAME);
    picus_recorder_destroy(recorder);
    end();
  }
}

/* Reading: every allocation fails once. */
static void memory_may_run_out_while_reading(void) {
  REQUIRE(begin());
  described d;
  picus_summary summary;
  REQUIRE(describe(&d, 100));
  REQUIRE(run_described(&d, scratch("memory.h5"), 0.5, &summary));
  describe_end(&d);
  end();
  int granted = 0;
  for (bool done = false; !done && granted < 2000; granted++) {
    int left = granted + 1;
    picus_context_def def = {.allocate = limited_allocate, .allocate_user = &left};
    picus_context *limited;
    picus_result *result = NULL;
    REQUIRE(picus_context_create(&def, &limited) == PICUS_OK);
    picus_status status = picus_result_open(limited, scratch("memory.h5"), &result);
    const double *values;
    if (!status) status = picus_result_values(result, 1, &values);
    CHECK(status == PICUS_OK || status == PICUS_ERROR_MEMORY);
    picus_result_close(result);
    CHECK(picus_context_memory(limited) == 0);
    done = status == PICUS_OK;
    picus_context_destroy(limited);
  }
  CHECK(granted > 100 && granted < 2000);
  scratch_remove("memory.h5");
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"values_read_back_bit_for_bit", values_read_back_bit_for_bit},
      {"lengths_of_all_kinds", lengths_of_all_kinds},
      {"too_many_rows_are_refused", too_many_rows_are_refused},
      {"short_runs_make_small_files", short_runs_make_small_files},
      {"a_changed_bit_is_noticed", a_changed_bit_is_noticed},
      {"memory_does_not_grow_with_the_run", memory_does_not_grow_with_the_run},
      {"columns_are_read_one_by_one", columns_are_read_one_by_one},
      {"many_columns", many_columns},
      {"description_reads_back", description_reads_back},
      {"two_runs_give_the_same_bytes", two_runs_give_the_same_bytes},
      {"status_tells_how_the_run_ended", status_tells_how_the_run_ended},
      {"a_recorder_destroyed_in_the_middle_leaves_its_blocks", a_recorder_destroyed_in_the_middle_leaves_its_blocks},
      {"an_old_file_is_replaced", an_old_file_is_replaced},
      {"places_where_no_file_can_be", places_where_no_file_can_be},
      {"names_that_hdf5_cannot_take", names_that_hdf5_cannot_take},
      {"memory_may_run_out_while_reading", memory_may_run_out_while_reading},
  };
  int result = test_main(argc, argv, "record_hdf5", cases, sizeof cases / sizeof cases[0]);
  scratch_end();
  return result;
}
