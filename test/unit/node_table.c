/* Tables of the nodes of flexible components: the same numbers as the columns, also in files of runs that ended badly,
 * and sentences for files that lie. */
#define _POSIX_C_SOURCE 200809L
#include "record_fake.h"
#include "unit/counted_writes.h"

#include <picus/picus.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

/* A bar whose chunks have 409 rows, which do not divide the blocks of 2048; a framework with supports. */
static const char *const text =
    "bar {'rod', elements = 9, length = 2, area = 1, density = 3, young = 700, start = {0.1, 2}}\n"
    "framework {'gate', nodes = {{0, 0}, {0, 3}, {4, 3}}, members = {{1, 2}, {2, 3}},\n"
    "  elements = 3, rectangle = {0.1, 0.1}, density = 7800, young = 2e11,\n"
    "  supports = {{1, 'clamped'}}, velocity_start = {uy = 0.5}}\n"
    "simulate {scheme = 'moreau-jean', dt = 1e-3, t_end = 4}\n";

typedef struct bench {
  picus_context *context;
  picus_model *model;
  picus_system *system;
  picus_sim *sim;
  picus_run_description run;
} bench;

static void complain(const picus_context *context) { printf("  %s\n", picus_last_error(context)->message); }

static bool build(bench *b, picus_status status) {
  picus_sim_options options = {0};
  if (!status) options = picus_model_sim_options(b->model);
  if (!status) status = picus_system_create(b->model, &b->system);
  if (!status) status = picus_sim_create(b->context, b->system, &options, &b->sim);
  if (!CHECK(!status)) complain(b->context);
  if (!status) b->run = (picus_run_description){b->model, b->system, picus_sim_options_of(b->sim), ""};
  return !status;
}

static bool open_bench(bench *b, const char *lua) {
  *b = (bench){0};
  if (!CHECK(picus_context_create(NULL, &b->context) == PICUS_OK)) return false;
  return build(b, picus_model_load_text(b->context, "nodes.lua", lua, strlen(lua), NULL, &b->model));
}

static void close_bench(bench *b) {
  picus_sim_destroy(b->sim);
  picus_system_destroy(b->system);
  picus_model_destroy(b->model);
  CHECK(picus_context_memory(b->context) == 0);
  picus_context_destroy(b->context);
}

/* Also adds a sink of the caller, which is opened after the file. */
static picus_status run_with(bench *b, const char *path, const picus_sink *other) {
  picus_recorder *recorder = NULL;
  picus_status status = picus_recorder_create(b->context, &b->run, &recorder);
  if (!status) status = picus_recorder_add_hdf5(recorder, path);
  if (!status && other) status = picus_recorder_add_sink(recorder, *other);
  if (!status) status = picus_sim_run(b->sim, recorder, NULL, NULL);
  picus_recorder_destroy(recorder);
  return status;
}

static picus_status run_to(bench *b, const char *path) { return run_with(b, path, NULL); }

enum { MOST_WIDTH = 32 };

/* The column of a value of a table; NULL: there is none, because the component is supported. */
static const double *column_of(picus_result *result, const picus_node_table *t, int place, bool velocity) {
  char name[128];
  const double *column = NULL;
  const int node = place / t->component_count, k = place % t->component_count;
  snprintf(name, sizeof name, "%s.%s%d", t->name, velocity ? t->velocities[k] : t->displacements[k], t->first + node);
  const int index = picus_result_find(result, name);
  if (index >= 0) CHECK(picus_result_values(result, index, &column) == PICUS_OK);
  return column;
}

static bool agrees(const double *column, long row, double value) {
  return column ? memcmp(&column[row], &value, sizeof value) == 0 : value == 0;
}

/* All rows of all tables, in blocks of an odd size. */
static bool tables_match(picus_result *result) {
  enum { BLOCK = 37 };
  bool fine = picus_result_node_table_count(result) > 0;
  for (int i = 0; fine && i < picus_result_node_table_count(result); i++) {
    const picus_node_table t = picus_result_node_table_at(result, i);
    const int width = t.node_count * t.component_count;
    const long rows = picus_result_node_table_rows(result, i);
    double *values[2] = {calloc((size_t)(BLOCK * width), sizeof(double)),
                         calloc((size_t)(BLOCK * width), sizeof(double))};
    const double *columns[2][MOST_WIDTH];
    fine = rows == picus_result_row_count(result) && values[0] && values[1] && width <= MOST_WIDTH;
    for (int k = 0; fine && k < 2 * width; k++) columns[k % 2][k / 2] = column_of(result, &t, k / 2, k % 2 == 1);
    for (long first = 0; fine && first < rows; first += BLOCK) {
      const long count = rows - first < BLOCK ? rows - first : BLOCK;
      fine = picus_result_node_table_read(result, i, first, count, values) == PICUS_OK;
      for (long k = 0; fine && k < count * width; k++)
        fine = agrees(columns[0][k % width], first + k / width, values[0][k]) &&
               agrees(columns[1][k % width], first + k / width, values[1][k]);
    }
    free(values[0]);
    free(values[1]);
  }
  return fine;
}

/* Opens a file; its rows if all tables agree with the columns, otherwise -1. */
static long rows_left(const char *path) {
  picus_context *context;
  picus_result *result = NULL;
  long rows = -1;
  if (picus_context_create(NULL, &context)) return -1;
  if (picus_result_open(context, path, &result))
    complain(context);
  else if (tables_match(result))
    rows = picus_result_row_count(result);
  else
    complain(context);
  picus_result_close(result);
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
  return rows;
}

/* --- what is stored ----------------------------------------------------------------------------------------------- */

static void tables_have_the_values_of_the_columns(void) {
  bench b;
  picus_result *result = NULL;
  const char *path = scratch("run.h5");
  REQUIRE(open_bench(&b, text));
  REQUIRE(run_to(&b, path) == PICUS_OK && picus_result_open(b.context, path, &result) == PICUS_OK);
  CHECK(picus_result_row_count(result) == 4001 && tables_match(result));
  REQUIRE(picus_result_node_table_count(result) == 2);
  const picus_node_table rod = picus_result_node_table_at(result, 0), gate = picus_result_node_table_at(result, 1);
  CHECK_TEXT(rod.name, "rod");
  CHECK(rod.node_count == 10 && rod.component_count == 1 && rod.element_count == 9 && rod.first == 0);
  CHECK_TEXT(rod.displacements[0], "x");
  CHECK_TEXT(rod.velocity_units[0], "m/s");
  for (int k = 0; k < 9; k++) CHECK(rod.elements[2 * k] == k && rod.elements[2 * k + 1] == k + 1);
  for (int k = 0; k < 10; k++) CHECK_NEAR(rod.positions[3 * k], 2.0 * k / 9, 1e-15);
  CHECK(gate.node_count == 7 && gate.component_count == 3 && gate.element_count == 6 && gate.first == 1);
  CHECK_TEXT(gate.displacements[2], "rz");
  CHECK_TEXT(gate.velocities[2], "wz");
  CHECK_TEXT(gate.displacement_units[2], "rad");
  static const int elements[] = {0, 3, 3, 4, 4, 1, 1, 5, 5, 6, 6, 2};
  CHECK(memcmp(gate.elements, elements, sizeof elements) == 0);
  CHECK_NEAR(gate.positions[3 * 4 + 1], 2, 1e-15);
  double row[21];
  CHECK(!picus_result_node_table_read(result, 1, 4000, 1, (double *const[2]){NULL, row}) && row[0] == 0 && row[4] != 0);
  CHECK(picus_result_find_node_table(result, "gate") == 1 && picus_result_find_node_table(result, "x") == -1);
  CHECK(picus_result_node_table_read(result, 2, 0, 1, (double *const[2]){row, NULL}) == PICUS_ERROR_ARGUMENT);
  CHECK(picus_result_node_table_read(result, 0, 4001, 1, (double *const[2]){row, NULL}) == PICUS_ERROR_ARGUMENT);
  CHECK(picus_result_node_table_read(result, 0, -1, 1, (double *const[2]){row, NULL}) == PICUS_ERROR_ARGUMENT);
  CHECK(strstr(picus_last_error(b.context)->message, "of the nodes of 'rod' are not in") != NULL);
  CHECK(picus_result_export_nodes(result, 7, scratch("n.csv")) == PICUS_ERROR_ARGUMENT);
  picus_result_close(result);
  close_bench(&b);
  scratch_remove("run.h5");
}

/* Rows that are thinned, by steps and by times inside of steps. */
/* A memory that keeps nodes has the numbers of the file; one that does not has none. */
static void tables_in_memory_are_those_of_the_file(void) {
  static const char *const path = "nodes_memory.h5";
  bench b;
  picus_recorder *recorder = NULL;
  picus_memory *with = NULL, *without = NULL;
  picus_result *result = NULL;
  if (!open_bench(&b, text)) return;
  REQUIRE(picus_recorder_create(b.context, &b.run, &recorder) == PICUS_OK);
  REQUIRE(picus_memory_create(b.context, &with) == PICUS_OK && picus_memory_create(b.context, &without) == PICUS_OK);
  CHECK(picus_recorder_add_hdf5(recorder, path) == PICUS_OK);
  CHECK(picus_recorder_add_memory(recorder, with, PICUS_MEMORY_NODES) == PICUS_OK);
  CHECK(picus_recorder_add_memory(recorder, without, 0) == PICUS_OK);
  CHECK(picus_sim_run(b.sim, recorder, NULL, NULL) == PICUS_OK);
  picus_recorder_destroy(recorder);
  REQUIRE(picus_result_open(b.context, path, &result) == PICUS_OK);
  const long rows = picus_memory_row_count(with);
  for (int k = 0; k < picus_result_node_table_count(result); k++) {
    const picus_node_table t = picus_result_node_table_at(result, k);
    const size_t size = (size_t)rows * (size_t)t.node_count * (size_t)t.component_count * sizeof(double);
    double *values[2] = {malloc(size), malloc(size)};
    REQUIRE(values[0] && values[1]);
    CHECK(picus_result_node_table_read(result, k, 0, rows, values) == PICUS_OK);
    for (int v = 0; v < 2; v++) {
      CHECK(memcmp(values[v], picus_memory_nodes(with, k, v), size) == 0);
      CHECK(!picus_memory_nodes(without, k, v));
      free(values[v]);
    }
  }
  CHECK(picus_result_node_table_count(result) == 2);
  picus_result_close(result);
  picus_memory_destroy(without);
  picus_memory_destroy(with);
  close_bench(&b);
}

static void tables_are_thinned_as_rows_are(void) {
  static const char *const thin[] = {"every = 7", "sample = 0.0137", "sample = 5"};
  static const long expected[] = {573, 292, 1};
  for (int k = 0; k < 3; k++) {
    bench b;
    char lua[1200];
    snprintf(lua, sizeof lua, "%s", text);
    char *end = strstr(lua, "t_end = 4}");
    REQUIRE(end != NULL);
    snprintf(end, sizeof lua - (size_t)(end - lua), "t_end = 4, %s}\n", thin[k]);
    REQUIRE(open_bench(&b, lua));
    CHECK(run_to(&b, scratch("thin.h5")) == PICUS_OK);
    const long rows = rows_left(scratch("thin.h5"));
    if (!CHECK(rows == expected[k])) printf("  %ld rows with %s\n", rows, thin[k]);
    close_bench(&b);
    scratch_remove("thin.h5");
  }
}

static int count_tables(const char *lua) {
  bench b;
  int count = -1;
  if (open_bench(&b, lua)) count = picus_system_node_table_count(b.system);
  close_bench(&b);
  return count;
}

static void only_small_components_by_default(void) {
#define BAR(n, more)                                                                                                   \
  "bar {'b', elements = " n ", length = 1, area = 1, density = 1, young = 1, record = {0}" more "}\n"                  \
  "simulate {scheme = 'moreau-jean', dt = 1e-3, t_end = 0.002}\n"
  CHECK(count_tables(BAR("999", "")) == 1);
  CHECK(count_tables(BAR("1000", "")) == 0);
  CHECK(count_tables(BAR("1000", ", table = true")) == 1);
  CHECK(count_tables(BAR("10", ", table = false")) == 0);
  bench b;
  picus_result *result = NULL;
  REQUIRE(open_bench(&b, BAR("20000", ", table = true")));
  REQUIRE(!run_to(&b, scratch("large.h5")) && !picus_result_open(b.context, scratch("large.h5"), &result));
  CHECK(picus_result_column_count(result) == 6);
  CHECK(picus_result_node_table_count(result) == 1 && picus_result_node_table_rows(result, 0) == 3);
  static double values[3 * 20001];
  CHECK(!picus_result_node_table_read(result, 0, 0, 3, (double *const[2]){values, NULL}) && values[60000] == 0);
  picus_result_close(result);
  close_bench(&b);
  scratch_remove("large.h5");
  picus_context *context;
  picus_model *model = NULL;
  static const char wrong[] = "bar {'b', elements = 3, length = 1, area = 1, density = 1, young = 1, table = 'yes'}\n";
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  CHECK(picus_model_load_text(context, "w.lua", wrong, strlen(wrong), NULL, &model) == PICUS_ERROR_ARGUMENT);
  CHECK(strstr(picus_last_error(context)->message, "must be true or false, not ") != NULL);
  picus_context_destroy(context);
}

typedef struct kept_nodes {
  long samples, last_row;
  double sum;
} kept_nodes;

static picus_status keep_nodes(void *self, const picus_node_sample *sample) {
  kept_nodes *kept = self;
  kept->samples++;
  kept->last_row = sample->row;
  kept->sum += sample->displacements[0] + sample->velocities[0];
  return PICUS_OK;
}

/* A model in C, its matrices given, and a sink of the user. */
static void from_c(void) {
  int index[] = {0, 1};
  double mass[] = {1, 2}, stiffness[] = {3, 4};
  const double start[] = {0.25, 0};
  bench b = {0};
  kept_nodes kept = {0};
  picus_recorder *recorder = NULL;
  REQUIRE(!picus_context_create(NULL, &b.context) && !picus_model_create(b.context, "c", &b.model));
  picus_structure_def def = picus_default_structure_def();
  CHECK(def.table == -1 && picus_default_bar_def().table == -1 && picus_default_framework_def().table == -1);
  def.name = "pair";
  def.first = 1;
  def.mass = (picus_matrix){2, 2, index, index, mass};
  def.stiffness = (picus_matrix){2, 2, index, index, stiffness};
  def.start = start;
  picus_status status = picus_model_add_structure(b.model, &def);
  def.name = "silent";
  def.table = 0;
  if (!status) status = picus_model_add_structure(b.model, &def);
  picus_sim_options options = picus_default_sim_options();
  options.scheme = "moreau-jean";
  options.dt = 0.01;
  options.t_end = 0.1;
  if (!status) status = picus_system_create(b.model, &b.system);
  if (!status) status = picus_sim_create(b.context, b.system, &options, &b.sim);
  REQUIRE(!status);
  b.run = (picus_run_description){NULL, b.system, picus_sim_options_of(b.sim), ""};
  const picus_node_table t = picus_system_node_table(b.system, 0);
  CHECK(picus_system_node_table_count(b.system) == 1 && !t.positions && !t.elements && t.first == 1);
  CHECK(!picus_recorder_create(b.context, &b.run, &recorder));
  CHECK(!picus_recorder_add_sink(recorder, (picus_sink){.self = &kept, .write_nodes = keep_nodes}));
  CHECK(!picus_recorder_add_hdf5(recorder, scratch("c.h5")) && !picus_sim_run(b.sim, recorder, NULL, NULL));
  picus_recorder_destroy(recorder);
  CHECK(kept.samples == 11 && kept.last_row == 10 && kept.sum > 0);
  CHECK(rows_left(scratch("c.h5")) == 11);
  close_bench(&b);
  scratch_remove("c.h5");
}

/* --- runs that end badly ------------------------------------------------------------------------------------------ */

/* From now on, when the file is there without rows, writes count. */
static picus_status start_counting(void *self, const picus_run_description *run, int count,
                                   const picus_column *columns) {
  (void)run, (void)count, (void)columns;
  writes_left = *(const long *)self;
  writes_done = 0;
  return PICUS_OK;
}
static picus_status drop_rows(void *self, long rows, int columns, const double *values) {
  (void)self, (void)rows, (void)columns, (void)values;
  return PICUS_OK;
}

/* Runs in a process of its own, which dies at the n-th write; *writes: how many there are, if it does not. */
static bool try_dying(const char *path, long n, long *writes) {
  int pipe_ends[2], exit_status = 0;
  if (!CHECK(pipe(pipe_ends) == 0)) return true;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    bench b;
    if (!open_bench(&b, text)) _exit(1);
    const picus_sink counter = {.self = &n, .open = start_counting, .write = drop_rows};
    if (run_with(&b, path, &counter)) _exit(2);
    if (write(pipe_ends[1], &writes_done, sizeof writes_done) != sizeof writes_done) _exit(3);
    _exit(0);
  }
  close(pipe_ends[1]);
  const bool completed = read(pipe_ends[0], writes, sizeof *writes) == sizeof *writes;
  close(pipe_ends[0]);
  CHECK(child > 0 && waitpid(child, &exit_status, 0) == child && WIFEXITED(exit_status) &&
        WEXITSTATUS(exit_status) == 0);
  return completed;
}

/* At writes all over the run, and at all of its last ones, where it ends. */
static void every_write_leaves_all_nodes(void) {
  const long one_by_one = test_size(5, 8, 20);
  long writes = 0, ignored, seen = 0, previous = 0;
  char path[128];
  snprintf(path, sizeof path, "%s", scratch("between.h5"));
  REQUIRE(try_dying(path, -1, &writes) && writes > 100);
  CHECK(rows_left(path) == 4001);
  scratch_remove("between.h5");
  for (long n = 0; n < writes; n += n + one_by_one < writes ? 1 + writes / (2 * one_by_one) : 1) {
    REQUIRE(!try_dying(path, n, &ignored));
    const long rows = rows_left(path);
    if (!CHECK(rows >= previous)) printf("  %ld rows after write %ld of %ld\n", rows, n, writes);
    seen += rows > previous;
    previous = rows;
    scratch_remove("between.h5");
  }
  CHECK(seen >= 2 && previous == 4001);
}

static void a_killed_process_leaves_its_nodes(void) {
  test_random random = {5};
  long most = 0;
  for (int k = 0; k < 4; k++) {
    const char *path = scratch("killed.h5"), *part = scratch("killed.h5.part");
    int exit_status = 0;
    struct stat facts;
    fflush(stdout);
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      bench b;
      char lua[1200];
      snprintf(lua, sizeof lua, "%s", text);
      char *end = strstr(lua, "t_end = 4}");
      snprintf(end, sizeof lua - (size_t)(end - lua), "t_end = 1000}\n");
      if (open_bench(&b, lua)) run_to(&b, path);
      _exit(1);
    }
    for (int waited = 0; waited < 20000 && (stat(part, &facts) != 0 || facts.st_size < 4000000); waited++)
      nanosleep(&(struct timespec){0, 1000000}, NULL); /* until some blocks are there */
    nanosleep(&(struct timespec){0, (long)test_uniform(&random, 0, 6e7)}, NULL);
    if (k == 0) CHECK(rows_left(path) > 0); /* while it is written */
    CHECK(kill(child, SIGKILL) == 0 && waitpid(child, &exit_status, 0) == child && WIFSIGNALED(exit_status));
    const long rows = rows_left(path);
    CHECK(rows >= 0 && rows % 2048 == 0);
    if (rows > most) most = rows;
    scratch_remove("killed.h5");
  }
  CHECK(most >= 2048);
}

static void a_full_disk_keeps_the_nodes_before(void) {
  static const rlim_t limits[] = {20000, 400000, 700000, 1200000, 1600000, 1000000000};
  long previous = 0, failed = 0;
  for (size_t k = 0; k < sizeof limits / sizeof limits[0]; k++) {
    const char *path = scratch("full.h5");
    int exit_status = 0;
    struct stat facts;
    fflush(stdout);
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      struct rlimit limit = {limits[k], limits[k]};
      bench b;
      signal(SIGXFSZ, SIG_IGN);
      if (!open_bench(&b, text) || setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(10);
      const picus_status status = run_to(&b, path);
      if (status && !strstr(picus_last_error(b.context)->message, "File too large")) _exit(11);
      _exit(status ? 1 : 0);
    }
    CHECK(waitpid(child, &exit_status, 0) == child);
    CHECK(WIFEXITED(exit_status) && WEXITSTATUS(exit_status) <= 1);
    failed += WEXITSTATUS(exit_status) == 1;
    if (stat(path, &facts) != 0) continue; /* no rows */
    const long rows = rows_left(path);
    CHECK(rows >= previous);
    previous = rows;
    scratch_remove("full.h5");
  }
  CHECK(failed >= 3 && previous == 4001);
}

/* --- files that lie ----------------------------------------------------------------------------------------------- */

/* The few functions of HDF5 that change a file; see record_hostile.c. */
extern int64_t H5T_IEEE_F64LE_g, H5T_STD_I32LE_g, H5T_NATIVE_DOUBLE_g, H5T_C_S1_g;
int64_t H5Fopen(const char *name, unsigned flags, int64_t access);
int H5Fclose(int64_t file);
int64_t H5Screate_simple(int rank, const uint64_t *extent, const uint64_t *largest);
int H5Sclose(int64_t space);
int64_t H5Dcreate2(int64_t parent, const char *name, int64_t type, int64_t space, int64_t link, int64_t creation,
                   int64_t access);
int64_t H5Dopen2(int64_t parent, const char *name, int64_t access);
int H5Dset_extent(int64_t dataset, const uint64_t *extent);
int H5Dwrite(int64_t dataset, int64_t type, int64_t memory, int64_t file, int64_t transfer, const void *values);
int H5Dclose(int64_t dataset);
int H5Ldelete(int64_t parent, const char *name, int64_t access);

static int64_t change(const char *path) {
  bench b;
  char lua[1200];
  snprintf(lua, sizeof lua, "%s", text);
  char *end = strstr(lua, "t_end = 4}");
  snprintf(end, sizeof lua - (size_t)(end - lua), "t_end = 0.05}\n");
  const bool fine = open_bench(&b, lua) && run_to(&b, path) == PICUS_OK;
  close_bench(&b);
  return CHECK(fine) ? H5Fopen(path, 1, 0) : -1;
}

/* Opens and reads everything; NULL: without a complaint. */
static void expect(const char *path, const char *part) {
  picus_context *context;
  picus_result *result = NULL;
  static double values[2][51 * 21];
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  picus_status status = picus_result_open(context, path, &result);
  for (int i = 0; !status && i < picus_result_node_table_count(result); i++) {
    status = picus_result_node_table_read(result, i, 0, picus_result_node_table_rows(result, i),
                                          (double *const[2]){values[0], values[1]});
    if (!status) status = picus_result_export_nodes(result, i, scratch("lies.csv"));
  }
  const char *message = status ? picus_last_error(context)->message : "";
  if (!CHECK(part ? strstr(message, part) != NULL : message[0] == '\0'))
    printf("  expected \"%s\", got \"%s\"\n", part ? part : "", message);
  picus_result_close(result);
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
  scratch_remove("lies.csv");
}

/* rank 0: it is missing */
static void replace_list(const char *name, bool is_text, int rank, const uint64_t *extent, const char *complaint) {
  const char *path = scratch("lies.h5");
  int64_t file = change(path);
  REQUIRE(file >= 0);
  CHECK(H5Ldelete(file, name, 0) >= 0);
  if (rank > 0) {
    int64_t space = H5Screate_simple(rank, extent, NULL);
    int64_t dataset = H5Dcreate2(file, name, is_text ? H5T_C_S1_g : H5T_IEEE_F64LE_g, space, 0, 0, 0);
    CHECK(dataset >= 0 && H5Dclose(dataset) >= 0 && H5Sclose(space) >= 0);
  }
  CHECK(H5Fclose(file) >= 0);
  expect(path, complaint);
  scratch_remove("lies.h5");
}

static void lists_that_are_missing_or_wrong(void) {
  static const char damaged[] = "the table of the nodes of 'gate' in";
  static const uint64_t right[] = {51, 7, 3}, narrow[] = {51, 7, 2}, wide[] = {51, 7, 7}, few[] = {51, 6, 3};
  static const uint64_t short_one[] = {50, 7, 3}, huge[] = {51, 1u << 30, 6}, points[] = {6, 3};
  replace_list("picus/nodes", false, 0, NULL, NULL); /* a run without flexible components */
  replace_list("picus/nodes", false, 1, right, NULL);
  replace_list("picus/nodes/rod", false, 0, NULL, NULL);
  replace_list("picus/nodes/gate", false, 1, right, damaged);
  static const char *const lists[] = {"picus/nodes/gate/displacements", "picus/nodes/gate/velocities"};
  for (int k = 0; k < 2; k++) {
    replace_list(lists[k], false, 0, NULL, damaged);
    replace_list(lists[k], true, 3, right, damaged);
    replace_list(lists[k], false, 1, right, damaged);
    replace_list(lists[k], false, 3, right, damaged); /* without data */
    replace_list(lists[k], false, 3, narrow, damaged);
    replace_list(lists[k], false, 3, wide, damaged);
    replace_list(lists[k], false, 3, few, damaged);
    replace_list(lists[k], false, 3, short_one, damaged);
    replace_list(lists[k], false, 3, huge, damaged);
  }
  replace_list("picus/nodes/gate/velocity_names", true, 0, NULL, damaged);
  replace_list("picus/nodes/gate/displacement_units", true, 1, right, damaged);
  replace_list("picus/nodes/gate/first", false, 0, NULL, NULL);
  replace_list("picus/nodes/gate/positions", false, 0, NULL, NULL); /* unknown */
  replace_list("picus/nodes/gate/positions", false, 2, points, damaged);
  replace_list("picus/nodes/gate/elements", false, 0, NULL, NULL);
  replace_list("picus/nodes/gate/elements", false, 1, right, damaged);
}

static void lengths_that_are_wrong(void) {
  static const uint64_t lengths[] = {0, 1, 50, (uint64_t)1 << 40, (uint64_t)1 << 60};
  char path[128];
  snprintf(path, sizeof path, "%s", scratch("lies.h5"));
  for (int k = 0; k < 5; k++) {
    const uint64_t extent[3] = {lengths[k], 7, 3};
    int64_t file = change(path), dataset = file >= 0 ? H5Dopen2(file, "picus/nodes/gate/velocities", 0) : -1;
    REQUIRE(dataset >= 0);
    CHECK(H5Dset_extent(dataset, extent) >= 0 && H5Dclose(dataset) >= 0 && H5Fclose(file) >= 0);
    expect(path, "the table of the nodes of 'gate' in");
    scratch_remove("lies.h5");
  }
}

static void numbers_that_are_wrong(void) {
  static const double numbers[] = {NAN, -1, 1e300, INFINITY, 7};
  static const struct {
    const char *name, *complaint;
  } lists[] = {{"displacements", NULL},
               {"velocities", NULL},
               {"positions", NULL},
               {"first", NULL},
               {"elements", "the table of the nodes of 'gate' in"}};
  char path[128];
  snprintf(path, sizeof path, "%s", scratch("lies.h5"));
  static double values[51 * 21];
  for (int k = 0; k < 5; k++)
    for (int i = k < 4 ? 0 : 1; i < 5; i++) { /* NAN as an integer may be 0, a node */
      char name[64];
      snprintf(name, sizeof name, "picus/nodes/gate/%s", lists[k].name);
      for (int j = 0; j < 51 * 21; j++) values[j] = numbers[i];
      int64_t file = change(path), dataset = file >= 0 ? H5Dopen2(file, name, 0) : -1;
      REQUIRE(dataset >= 0);
      CHECK(H5Dwrite(dataset, H5T_NATIVE_DOUBLE_g, 0, 0, 0, values) >= 0);
      CHECK(H5Dclose(dataset) >= 0 && H5Fclose(file) >= 0);
      expect(path, lists[k].complaint);
      scratch_remove("lies.h5");
    }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"tables_have_the_values_of_the_columns", tables_have_the_values_of_the_columns},
      {"tables_in_memory_are_those_of_the_file", tables_in_memory_are_those_of_the_file},
      {"tables_are_thinned_as_rows_are", tables_are_thinned_as_rows_are},
      {"only_small_components_by_default", only_small_components_by_default},
      {"from_c", from_c},
      {"every_write_leaves_all_nodes", every_write_leaves_all_nodes},
      {"a_killed_process_leaves_its_nodes", a_killed_process_leaves_its_nodes},
      {"a_full_disk_keeps_the_nodes_before", a_full_disk_keeps_the_nodes_before},
      {"lists_that_are_missing_or_wrong", lists_that_are_missing_or_wrong},
      {"lengths_that_are_wrong", lengths_that_are_wrong},
      {"numbers_that_are_wrong", numbers_that_are_wrong},
  };
  int result = test_main(argc, argv, "node_table", cases, sizeof cases / sizeof cases[0]);
  scratch_end();
  return result;
}
