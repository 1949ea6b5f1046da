/* Studies: points of samples, values against the rows of single runs, any number of threads, journals that were cut,
 * and runs that fail. */

#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <picus/study.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- points ------------------------------------------------------------------------------------------------------- */

/* A study over ranges from 0 to 1 of options, which are not run. */
static picus_study *open_samples(simulation *s, picus_sim_options *options, picus_sampling sampling, int axes,
                                 long samples, uint64_t seed) {
  static const char *const names[PICUS_SOBOL_AXES] = {"dt",     "theta",  "t_end", "rtol", "atol",  "eN", "f", "x",
                                                      "dt_max", "dt_min", "g",     "m",    "omega", "a",  "b", "c"};
  picus_study_axis list[PICUS_SOBOL_AXES];
  picus_study_def def = picus_default_study_def();
  picus_study *study = NULL;
  for (int k = 0; k < axes; k++) list[k] = (picus_study_axis){.kind = PICUS_AXIS_PARAMETER, names[k], .high = 1};
  def.model = s->model;
  def.system = s->system;
  def.options = options;
  def.axis_count = axes;
  def.axes = list;
  def.sampling = sampling;
  def.samples = samples;
  def.seed = seed;
  CHECK(picus_study_create(s->context, &def, &study) == PICUS_OK);
  return study;
}

/* The first points of the tables of Joe and Kuo, and one of later ones, computed by another program (SciPy 1.10,
 * scipy.stats.qmc.Sobol without scrambling). */
static void sobol_points_are_those_of_others(void) {
  static const double first[8][3] = {{0, 0, 0},
                                     {0.5, 0.5, 0.5},
                                     {0.75, 0.25, 0.25},
                                     {0.25, 0.75, 0.75},
                                     {0.375, 0.375, 0.625},
                                     {0.875, 0.875, 0.125},
                                     {0.625, 0.125, 0.875},
                                     {0.125, 0.625, 0.375}};
  static const double later[PICUS_SOBOL_AXES] = {
      0.2197265625, 0.0966796875, 0.5185546875, 0.6767578125, 0.2802734375, 0.9072265625, 0.0458984375, 0.8994140625,
      0.5009765625, 0.0693359375, 0.0849609375, 0.2548828125, 0.1611328125, 0.3837890625, 0.1435546875, 0.3701171875};
  picus_sim_options options;
  simulation s;
  REQUIRE(simulation_load(&s, "bouncing-ball", "", &options));
  picus_study *study = open_samples(&s, &options, PICUS_SAMPLING_SOBOL, PICUS_SOBOL_AXES, 1024, 0);
  REQUIRE(study && picus_study_count(study) == 1024);
  for (long k = 0; k < 8; k++)
    for (int axis = 0; axis < 3; axis++) CHECK(picus_study_row_at(study, k).point[axis] == first[k][axis]);
  for (int axis = 0; axis < PICUS_SOBOL_AXES; axis++) {
    char hit[1024] = {0};
    CHECK(picus_study_row_at(study, 1000).point[axis] == later[axis]);
    for (long k = 0; k < 1024; k++) hit[(int)(1024 * picus_study_row_at(study, k).point[axis])]++;
    for (int k = 0; k < 1024; k++) CHECK(hit[k] == 1); /* one in each interval */
  }
  picus_study_destroy(study);
  simulation_close(&s);
}

static void samples_fill_their_ranges(void) {
  enum { COUNT = 1000 };
  picus_sim_options options;
  simulation s;
  REQUIRE(simulation_load(&s, "bouncing-ball", "", &options));
  for (int sampling = PICUS_SAMPLING_RANDOM; sampling <= PICUS_SAMPLING_LATIN; sampling++) {
    picus_study *one = open_samples(&s, &options, (picus_sampling)sampling, 2, COUNT, 1);
    picus_study *same = open_samples(&s, &options, (picus_sampling)sampling, 2, COUNT, 1);
    picus_study *other = open_samples(&s, &options, (picus_sampling)sampling, 2, COUNT, 2);
    char hit[2][COUNT] = {{0}};
    double mean[2] = {0}, product = 0;
    long equal = 0;
    REQUIRE(one && same && other);
    for (long k = 0; k < COUNT; k++) {
      const double *x = picus_study_row_at(one, k).point;
      CHECK(x[0] >= 0 && x[0] < 1 && x[1] >= 0 && x[1] < 1);
      CHECK(memcmp(x, picus_study_row_at(same, k).point, 2 * sizeof *x) == 0);
      equal += x[0] == picus_study_row_at(other, k).point[0];
      product += (x[0] - 0.5) * (x[1] - 0.5) / COUNT;
      for (int axis = 0; axis < 2; axis++) {
        mean[axis] += x[axis] / COUNT;
        hit[axis][(int)(COUNT * x[axis])]++;
      }
    }
    CHECK(equal == 0);
    CHECK_NEAR(product, 0, 5 / (12 * sqrt(COUNT)));
    for (int axis = 0; axis < 2; axis++)
      CHECK_NEAR(mean[axis], 0.5, sampling == PICUS_SAMPLING_LATIN ? 0.5 / COUNT : 5 / sqrt(12 * COUNT));
    for (int k = 0; sampling == PICUS_SAMPLING_LATIN && k < COUNT; k++) CHECK(hit[0][k] == 1 && hit[1][k] == 1);
    picus_study_destroy(one);
    picus_study_destroy(same);
    picus_study_destroy(other);
  }
  simulation_close(&s);
}

/* --- runs --------------------------------------------------------------------------------------------------------- */

static const double restitutions[] = {0.3, 0.5, 0.7}, heights[] = {0.5, 1, 1.5, 2}, sizes[] = {1e-2, 5e-3};
static const char *const wanted[] = {"q", "v", "max(q)", "min(v)", "mean(q)", "impacts", "steps"};
static const picus_study_axis axes[] = {{PICUS_AXIS_PARAMETER, "e", 3, restitutions, 0, 0},
                                        {PICUS_AXIS_START, "q", 4, heights, 0, 0},
                                        {PICUS_AXIS_OPTION, "dt", 2, sizes, 0, 0}};

static picus_study_def new_def(const simulation *s, const picus_sim_options *options) {
  picus_study_def def = picus_default_study_def();
  def.model = s->model;
  def.system = s->system;
  def.options = options;
  def.axis_count = 3;
  def.axes = axes;
  def.collect_count = 7;
  def.collect = wanted;
  return def;
}

/* The row against all rows of the same run. */
static void check_row(const picus_study_row *row, double t_end) {
  char overrides[40];
  picus_sim_options options;
  recorded_rows rows = {0};
  picus_summary summary;
  simulation s;
  snprintf(overrides, sizeof overrides, "e=%.17g", row->point[0]);
  REQUIRE(simulation_load(&s, "bouncing-ball", overrides, &options));
  options.dt = row->point[2];
  options.t_end = t_end;
  options.sample = 0;
  options.every = 1;
  REQUIRE(simulation_start(&s, &options));
  REQUIRE(picus_sim_set_state(s.sim, 0, &row->point[1], (double[]){0}) == PICUS_OK);
  REQUIRE(simulation_run(&s, &rows, &summary));
  double most = -INFINITY, least = INFINITY, area = 0;
  for (long k = 0; k < rows.row_count; k++) {
    const double q = recorded_value(&rows, k, "q"), t = recorded_value(&rows, k, "t");
    most = fmax(most, q);
    least = fmin(least, recorded_value(&rows, k, "v"));
    if (k > 0) area += 0.5 * (q + recorded_value(&rows, k - 1, "q")) * (t - recorded_value(&rows, k - 1, "t"));
  }
  CHECK(row->values[0] == recorded_value(&rows, rows.row_count - 1, "q"));
  CHECK(row->values[1] == recorded_value(&rows, rows.row_count - 1, "v"));
  CHECK(row->values[2] == most && row->values[3] == least);
  CHECK_NEAR(row->values[4], area / t_end, 1e-14);
  CHECK(row->values[5] == (double)summary.impacts && row->values[6] == (double)summary.steps);
  recorded_rows_free(&rows);
  simulation_close(&s);
}

static void values_are_those_of_single_runs(void) {
  picus_sim_options options;
  picus_study *study;
  simulation s;
  REQUIRE(simulation_load(&s, "bouncing-ball", "", &options));
  options.t_end = 1;
  const picus_study_def def = new_def(&s, &options);
  REQUIRE(picus_study_create(s.context, &def, &study) == PICUS_OK);
  REQUIRE(picus_study_count(study) == 24 && picus_study_value_count(study) == 7);
  CHECK(strcmp(picus_study_value_name(study, 2), "max(q)") == 0 && strcmp(picus_study_axis_name(study, 1), "q") == 0);
  REQUIRE(picus_study_run(study, &(picus_study_run_options){0}) == PICUS_OK);
  CHECK(picus_study_done(study) == 24);
  for (long k = 0; k < 24; k++) {
    const picus_study_row row = picus_study_row_at(study, k);
    CHECK(row.is_done && !row.status && *row.message == '\0');
    CHECK(row.point[0] == restitutions[k / 8] && row.point[1] == heights[k / 2 % 4] && row.point[2] == sizes[k % 2]);
    check_row(&row, 1);
  }
  picus_study_destroy(study);
  simulation_close(&s);
}

static char *read_file(const char *path, long *size) {
  FILE *file = fopen(path, "rb");
  *size = -1;
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  *size = ftell(file);
  rewind(file);
  char *bytes = malloc((size_t)*size + 1);
  if (bytes && fread(bytes, 1, (size_t)*size, file) != (size_t)*size) *size = -1;
  fclose(file);
  return bytes;
}

static void write_file(const char *path, const char *bytes, long size) {
  FILE *file = fopen(path, "wb");
  if (file) fwrite(bytes, 1, (size_t)size, file);
  if (file) fclose(file);
}

static bool same_files(const char *a, const char *b) {
  long sizes_of[2];
  char *bytes[2] = {read_file(a, &sizes_of[0]), read_file(b, &sizes_of[1])};
  const bool same =
      sizes_of[0] > 0 && sizes_of[0] == sizes_of[1] && memcmp(bytes[0], bytes[1], (size_t)sizes_of[0]) == 0;
  free(bytes[0]);
  free(bytes[1]);
  return same;
}

static void files_do_not_depend_on_threads_and_parts(void) {
  char name[2][32];
  picus_sim_options options;
  simulation s;
  REQUIRE(simulation_load(&s, "bouncing-ball", "", &options));
  options.t_end = 0.5;
  const picus_study_def def = new_def(&s, &options);
  for (int k = 1; k <= 4; k++) { /* with 1, 2 and 3 threads, and three parts that are merged */
    picus_study *study;
    REQUIRE(picus_context_set_threads(s.context, k % 4 + (k == 4)) == PICUS_OK);
    REQUIRE(picus_study_create(s.context, &def, &study) == PICUS_OK);
    for (int part = 1; k == 4 && part <= 3; part++) {
      picus_study *own;
      const picus_study_run_options run = {.journal = part == 1   ? "part-1"
                                                      : part == 2 ? "part-2"
                                                                  : "part-3",
                                           .part = part,
                                           .part_count = 3};
      REQUIRE(picus_study_create(s.context, &def, &own) == PICUS_OK);
      remove(run.journal);
      CHECK(picus_study_run(own, &run) == PICUS_OK && picus_study_done(own) == 8);
      picus_study_destroy(own);
      CHECK(picus_study_read_journal(study, run.journal) == PICUS_OK && picus_study_done(study) == 8 * part);
    }
    if (k < 4) CHECK(picus_study_run(study, &(picus_study_run_options){0}) == PICUS_OK);
    snprintf(name[0], sizeof name[0], "study-%d.h5", k);
    snprintf(name[1], sizeof name[1], "study-%d.csv", k);
    CHECK(picus_study_write_hdf5(study, name[0]) == PICUS_OK && picus_study_write_csv(study, name[1]) == PICUS_OK);
    CHECK(same_files(name[0], "study-1.h5") && same_files(name[1], "study-1.csv"));
    picus_study_destroy(study);
  }
  simulation_close(&s);
}

/* Two processes that take from one queue. */
typedef struct two_processes {
  long entries, taken, claims;
} two_processes;

static void claim_three(void *user, long *first, long *count) {
  two_processes *q = user;
  *first = q->taken;
  *count = q->entries - q->taken < 3 ? q->entries - q->taken : 3;
  q->taken += *count;
  q->claims++;
}

/* The second process has a run already, which all know: it is in no one's queue. */
static void a_queue_is_shared(void) {
  picus_sim_options options;
  simulation s;
  REQUIRE(simulation_load(&s, "bouncing-ball", "", &options));
  options.t_end = 0.5;
  const picus_study_def def = new_def(&s, &options);
  picus_study *all, *first, *second;
  REQUIRE(picus_study_create(s.context, &def, &all) == PICUS_OK);
  REQUIRE(picus_study_create(s.context, &def, &first) == PICUS_OK);
  REQUIRE(picus_study_create(s.context, &def, &second) == PICUS_OK);
  remove("queue-1");
  remove("queue-2");
  const picus_study_run_options small = {.journal = "queue-2", .part = 3, .part_count = 24};
  CHECK(picus_study_run(second, &small) == PICUS_OK && picus_study_read_journal(first, "queue-2") == PICUS_OK);
  CHECK(picus_study_missing(first) == 23 && picus_study_missing(second) == 23);
  two_processes queue = {.entries = picus_study_missing(first), .taken = 20}; /* the last three for the first */
  CHECK(picus_study_run(
            first, &(picus_study_run_options){.journal = "queue-1", .claim = claim_three, .user = &queue}) == PICUS_OK);
  CHECK(picus_study_done(first) == 4 && queue.claims == 1);
  queue = (two_processes){.entries = 20};
  CHECK(picus_study_run(second, &(picus_study_run_options){
                                    .journal = "queue-2", .claim = claim_three, .user = &queue}) == PICUS_OK);
  CHECK(picus_study_done(second) == 21 && queue.claims == 8);
  CHECK(picus_study_read_journal(second, "queue-1") == PICUS_OK && picus_study_missing(second) == 0);
  CHECK(picus_study_run(all, &(picus_study_run_options){0}) == PICUS_OK);
  CHECK(picus_study_write_csv(all, "queue-all.csv") == PICUS_OK);
  CHECK(picus_study_write_csv(second, "queue.csv") == PICUS_OK && same_files("queue-all.csv", "queue.csv"));
  CHECK(picus_study_run(first, &(picus_study_run_options){.part = 1, .part_count = 2, .claim = claim_three}) ==
        PICUS_ERROR_ARGUMENT);
  picus_study_destroy(all);
  picus_study_destroy(first);
  picus_study_destroy(second);
  simulation_close(&s);
}

/* --- journals ----------------------------------------------------------------------------------------------------- */

static int count_calls(void *user, long done, long count) {
  (void)done, (void)count;
  ++*(int *)user;
  return 0;
}

/* Continues with the first bytes of a journal; the runs that were made again. */
static long continue_from(simulation *s, const picus_study_def *def, const char *bytes, long size) {
  picus_study *study;
  int calls = 0;
  long before = -1;
  write_file("cut.journal", bytes, size);
  if (picus_study_create(s->context, def, &study)) return -1;
  if (!picus_study_read_journal(study, "cut.journal")) before = picus_study_done(study);
  const picus_study_run_options run = {.journal = "cut.journal", .progress = count_calls, .user = &calls};
  CHECK(picus_study_run(study, &run) == PICUS_OK && picus_study_done(study) == 24);
  CHECK(picus_study_write_csv(study, "cut.csv") == PICUS_OK && same_files("cut.csv", "journal.csv"));
  picus_study_destroy(study);
  return before < 0 ? -1 : 24 - before;
}

static void journals_lose_at_most_what_was_cut(void) {
  picus_sim_options options;
  picus_study *study;
  simulation s;
  long size;
  REQUIRE(simulation_load(&s, "bouncing-ball", "", &options));
  options.t_end = 0.2;
  const picus_study_def def = new_def(&s, &options);
  remove("whole.journal");
  REQUIRE(picus_study_create(s.context, &def, &study) == PICUS_OK);
  REQUIRE(picus_study_run(study, &(picus_study_run_options){.journal = "whole.journal"}) == PICUS_OK);
  REQUIRE(picus_study_write_csv(study, "journal.csv") == PICUS_OK);
  picus_study_destroy(study);
  char *bytes = read_file("whole.journal", &size);
  const long head = 8 + 32, record = (size - head) / 24; /* all records are equally long */
  REQUIRE(bytes && size == head + 24 * record);
  CHECK(continue_from(&s, &def, bytes, size) == 0);
  for (long cut = 0; cut < head; cut += 13) CHECK(continue_from(&s, &def, bytes, cut) == 24);
  for (long cut = head; cut < size; cut += record / 2 - 1)
    CHECK(continue_from(&s, &def, bytes, cut) == 24 - (cut - head) / record);
  bytes[head + 5 * record + 40] ^= 1; /* the sixth record is damaged: five are left */
  CHECK(continue_from(&s, &def, bytes, size) == 19);
  bytes[head + 5 * record + 40] ^= 1;
  memset(bytes + size - 3 * record, 0, (size_t)(3 * record)); /* a disk that lost its last blocks */
  CHECK(continue_from(&s, &def, bytes, size) == 3);
  free(bytes);
  simulation_close(&s);
}

static void journals_of_other_studies_are_rejected(void) {
  static const char *const fewer[] = {"q"};
  picus_sim_options options, other;
  picus_study *study;
  simulation s;
  REQUIRE(simulation_load(&s, "bouncing-ball", "", &options));
  options.t_end = 0.1;
  other = options;
  other.t_end = 0.11;
  picus_study_def def = new_def(&s, &options);
  const picus_study_run_options run = {.journal = "other.journal"};
  remove(run.journal);
  REQUIRE(picus_study_create(s.context, &def, &study) == PICUS_OK);
  REQUIRE(picus_study_run(study, &run) == PICUS_OK);
  picus_study_destroy(study);
  for (int k = 0; k < 3; k++) {
    def = new_def(&s, k == 0 ? &other : &options);
    if (k == 1) def.axis_count = 2;
    if (k == 2) def.collect_count = 1, def.collect = fewer;
    REQUIRE(picus_study_create(s.context, &def, &study) == PICUS_OK);
    CHECK(picus_study_run(study, &run) == PICUS_ERROR_ARGUMENT);
    CHECK(strstr(picus_last_error(s.context)->message, "belongs to another study") != NULL);
    CHECK(picus_study_read_journal(study, run.journal) == PICUS_ERROR_ARGUMENT && picus_study_done(study) == 0);
    picus_study_destroy(study);
  }
  write_file("no.journal", "these are the notes of somebody, and they are longer than the title of a journal", 80);
  REQUIRE(picus_study_create(s.context, &def, &study) == PICUS_OK);
  CHECK(picus_study_run(study, &(picus_study_run_options){.journal = "no.journal"}) == PICUS_ERROR_IO);
  CHECK(picus_study_run(study, &(picus_study_run_options){.journal = "."}) == PICUS_ERROR_IO);
  picus_study_destroy(study);
  simulation_close(&s);
}

/* --- continuation ------------------------------------------------------------------------------------------------- */

/* x^4/4 - x^2/2 - F x has two wells while |F| < 2/sqrt(27) = 0.3849. */
static const char wells[] = "model \"wells\"\n"
                            "local p = parameters {F = 0, c = 2}\n"
                            "local q, u = coordinates {{\"x\", velocity = \"v\", start = {-1, 0}}}\n"
                            "kinetic (u.v^2 / 2)\n"
                            "potential (q.x^4 / 4 - q.x^2 / 2 - p.F * q.x)\n"
                            "force {x = -p.c * u.v}\n"
                            "simulate {dt = 0.02, t_end = 100}\n";
enum { FORCES = 21, DAMPINGS = 2, WELLS = 2 * FORCES * DAMPINGS };

static picus_study *open_wells(simulation *s, const picus_sim_options *options, picus_continuation continuation) {
  static const double dampings[DAMPINGS] = {2, 1.5};
  static const char *const collected[] = {"max(x)"};
  double forces[FORCES];
  for (int k = 0; k < FORCES; k++) forces[k] = -0.5 + 0.05 * k;
  const picus_study_axis both[] = {{PICUS_AXIS_PARAMETER, "c", DAMPINGS, dampings, 0, 0},
                                   {PICUS_AXIS_PARAMETER, "F", FORCES, forces, 0, 0}};
  picus_study_def def = picus_default_study_def();
  picus_study *study = NULL;
  def.model = s->model;
  def.system = s->system;
  def.options = options;
  def.axis_count = 2;
  def.axes = both;
  def.collect_count = 1;
  def.collect = collected;
  def.continuation = continuation;
  CHECK(picus_study_create(s->context, &def, &study) == PICUS_OK);
  return study;
}

/* Forth, x stays in the left well until it has gone, and back, in the right one. */
static void runs_continue_through_hysteresis(void) {
  picus_sim_options options;
  simulation s;
  REQUIRE(simulation_load_text(&s, wells, &options));
  picus_study *study = open_wells(&s, &options, PICUS_CONTINUATION_FORTH_AND_BACK);
  REQUIRE(study && picus_study_count(study) == WELLS && picus_study_value_count(study) == 3);
  CHECK(strcmp(picus_study_value_name(study, 1), "x") == 0); /* collected in any case */
  REQUIRE(picus_study_run(study, &(picus_study_run_options){0}) == PICUS_OK);
  for (int k = 0; k < WELLS; k++) {
    const picus_study_row row = picus_study_row_at(study, k);
    const double F = row.point[1];
    const bool is_back = k % (2 * FORCES) >= FORCES;
    REQUIRE(row.is_done && !row.status);
    CHECK_NEAR(F, -0.5 + 0.05 * (is_back ? 2 * FORCES - 1 - k % (2 * FORCES) : k % (2 * FORCES)), 1e-15);
    CHECK((row.values[1] > 0) == (F > (is_back ? -0.3849 : 0.3849)));
    CHECK_NEAR(pow(row.values[1], 3) - row.values[1], F, 1e-8);
  }
  picus_study_destroy(study);
  simulation_close(&s);
}

/* Each run against one that is started where the one before it ended. */
static void continued_runs_are_those_of_single_runs(void) {
  picus_sim_options options, own;
  simulation s, single;
  REQUIRE(simulation_load_text(&s, wells, &options));
  options.t_end = 3; /* still in motion */
  picus_study *study = open_wells(&s, &options, PICUS_CONTINUATION_FORTH);
  REQUIRE(study && picus_study_count(study) == WELLS / 2);
  REQUIRE(picus_study_run(study, &(picus_study_run_options){0}) == PICUS_OK);
  for (int k = 1; k < FORCES; k++) {
    const picus_study_row former = picus_study_row_at(study, k - 1), row = picus_study_row_at(study, k);
    char text[sizeof wells + 40];
    const char *place = strstr(wells, "F = 0") + 4;
    snprintf(text, sizeof text, "%.*s%.17g%s", (int)(place - wells), wells, row.point[1], place + 1);
    REQUIRE(simulation_load_text(&single, text, &own));
    own.t_end = 3;
    REQUIRE(simulation_start(&single, &own));
    REQUIRE(picus_sim_set_state(single.sim, 0, &former.values[1], &former.values[2]) == PICUS_OK);
    REQUIRE(picus_sim_run(single.sim, NULL, NULL, NULL) == PICUS_OK);
    CHECK(picus_sim_state(single.sim).q[0] == row.values[1] && picus_sim_state(single.sim).u[0] == row.values[2]);
    simulation_close(&single);
  }
  picus_study_destroy(study);
  simulation_close(&s);
}

/* With threads, in parts, and from journals that were cut anywhere in a chain. */
static void chains_do_not_depend_on_threads_parts_and_cuts(void) {
  picus_sim_options options;
  simulation s;
  long size;
  REQUIRE(simulation_load_text(&s, wells, &options));
  options.t_end = 1;
  for (int k = 0; k < 2; k++) {
    REQUIRE(picus_context_set_threads(s.context, k + 1) == PICUS_OK);
    picus_study *study = open_wells(&s, &options, PICUS_CONTINUATION_FORTH_AND_BACK);
    remove("chain.journal");
    REQUIRE(study && picus_study_run(study, &(picus_study_run_options){.journal = "chain.journal"}) == PICUS_OK);
    CHECK(picus_study_write_csv(study, k ? "chain-2.csv" : "chain-1.csv") == PICUS_OK);
    picus_study_destroy(study);
  }
  CHECK(same_files("chain-1.csv", "chain-2.csv"));
  char *bytes = read_file("chain.journal", &size);
  for (long cut = size; cut > 0; cut -= size / 7) {
    picus_study *study = open_wells(&s, &options, PICUS_CONTINUATION_FORTH_AND_BACK);
    write_file("chain-cut.journal", bytes, cut);
    REQUIRE(study && picus_study_read_journal(study, "chain-cut.journal") == PICUS_OK);
    CHECK((picus_study_done(study) == WELLS) == (cut == size));
    CHECK(picus_study_run(study, &(picus_study_run_options){.journal = "chain-cut.journal"}) == PICUS_OK);
    CHECK(picus_study_write_csv(study, "chain-cut.csv") == PICUS_OK && same_files("chain-1.csv", "chain-cut.csv"));
    picus_study_destroy(study);
  }
  free(bytes);
  picus_study *study = open_wells(&s, &options, PICUS_CONTINUATION_FORTH_AND_BACK);
  for (int part = 3; part >= 1; part--) { /* there are two chains: part 3 has none */
    CHECK(picus_study_run(study, &(picus_study_run_options){.part = part, .part_count = 3}) == PICUS_OK);
    CHECK(picus_study_done(study) == (3 - part) * WELLS / 2);
  }
  CHECK(picus_study_part_of(study, WELLS / 2 - 1, 3) == 1 && picus_study_part_of(study, WELLS / 2, 3) == 2);
  CHECK(picus_study_write_csv(study, "chain-parts.csv") == PICUS_OK && same_files("chain-1.csv", "chain-parts.csv"));
  picus_study_destroy(study);
  simulation_close(&s);
}

/* --- failures ----------------------------------------------------------------------------------------------------- */

static int stop_at_once(void *user, long done, long count) {
  (void)user, (void)done, (void)count;
  return 1;
}

static void failed_runs_are_rows(void) {
  static const double values[] = {0.5, 3, 0.2};
  const picus_study_axis axis = {PICUS_AXIS_PARAMETER, "e", 3, values, 0, 0};
  picus_sim_options options;
  picus_study *study;
  simulation s;
  REQUIRE(simulation_load(&s, "bouncing-ball", "", &options));
  picus_study_def def = new_def(&s, &options);
  def.axis_count = 1;
  def.axes = &axis;
  REQUIRE(picus_study_create(s.context, &def, &study) == PICUS_OK);
  CHECK(picus_study_run(study, &(picus_study_run_options){.progress = stop_at_once}) == PICUS_INTERRUPTED);
  CHECK(picus_study_done(study) < 3);
  remove("failed.journal");
  REQUIRE(picus_study_run(study, &(picus_study_run_options){.journal = "failed.journal"}) == PICUS_OK);
  const picus_study_row row = picus_study_row_at(study, 1);
  CHECK(row.is_done && row.status == PICUS_ERROR_ARGUMENT && strstr(row.message, "eN of contact") != NULL);
  for (int k = 0; k < 7; k++) CHECK(isnan(row.values[k]) && !isnan(picus_study_row_at(study, 2).values[k]));
  picus_study_destroy(study);
  REQUIRE(picus_study_create(s.context, &def, &study) == PICUS_OK);
  CHECK(*picus_study_row_at(study, 3).message == '\0' && !picus_study_row_at(study, -1).point);
  REQUIRE(picus_study_read_journal(study, "failed.journal") == PICUS_OK);
  CHECK(strstr(picus_study_row_at(study, 1).message, "eN of contact") != NULL); /* from the journal as well */
  CHECK(picus_study_remove_journal(study, "failed.journal") == PICUS_OK);
  CHECK(fopen("failed.journal", "rb") == NULL);
  picus_study_destroy(study);
  simulation_close(&s);
}

static void wrong_studies_are_rejected(void) {
  static const double bad[] = {1, NAN}, size[] = {-1};
  static const picus_study_axis wrong[] = {{PICUS_AXIS_START, "z", 1, restitutions, 0, 0},
                                           {PICUS_AXIS_OPTION, "dtt", 1, restitutions, 0, 0},
                                           {PICUS_AXIS_OPTION, "scheme", 1, restitutions, 0, 0},
                                           {PICUS_AXIS_OPTION, "dt", 1, size, 0, 0},
                                           {PICUS_AXIS_PARAMETER, "e", 2, bad, 0, 0},
                                           {PICUS_AXIS_PARAMETER, "e", 0, NULL, 0, 1},
                                           {PICUS_AXIS_PARAMETER, "e", 1, NULL, 0, 1},
                                           {PICUS_AXIS_PARAMETER, "", 1, restitutions, 0, 0}};
  static const char *const collect[] = {"nothing", "sum(q)", "max(q", "max(nothing)", "impacts2"};
  picus_sim_options options;
  picus_study *study;
  simulation s;
  REQUIRE(simulation_load(&s, "bouncing-ball", "", &options));
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    picus_study_def def = new_def(&s, &options);
    def.axis_count = 1;
    def.axes = &wrong[k];
    CHECK(picus_study_create(s.context, &def, &study) < 0 && !study && *picus_last_error(s.context)->message);
  }
  for (size_t k = 0; k < sizeof collect / sizeof *collect; k++) {
    picus_study_def def = new_def(&s, &options);
    def.collect_count = 1;
    def.collect = &collect[k];
    CHECK(picus_study_create(s.context, &def, &study) < 0 && !study);
  }
  picus_study_def list = new_def(&s, &options);
  list.sampling = PICUS_SAMPLING_LIST; /* of 3, 4 and 2 values */
  CHECK(picus_study_create(s.context, &list, &study) == PICUS_ERROR_DIMENSION);
  list.sampling = PICUS_SAMPLING_SOBOL; /* values instead of a range */
  CHECK(picus_study_create(s.context, &list, &study) == PICUS_ERROR_ARGUMENT);
  static const picus_study_axis range[] = {{PICUS_AXIS_PARAMETER, "e", 0, NULL, 0, 1}};
  list.axes = range;
  list.axis_count = 1;
  list.samples = 4;
  list.continuation = PICUS_CONTINUATION_FORTH; /* of samples */
  CHECK(picus_study_create(s.context, &list, &study) == PICUS_ERROR_ARGUMENT);
  simulation_close(&s);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"sobol_points_are_those_of_others", sobol_points_are_those_of_others},
      {"samples_fill_their_ranges", samples_fill_their_ranges},
      {"values_are_those_of_single_runs", values_are_those_of_single_runs},
      {"files_do_not_depend_on_threads_and_parts", files_do_not_depend_on_threads_and_parts},
      {"a_queue_is_shared", a_queue_is_shared},
      {"journals_lose_at_most_what_was_cut", journals_lose_at_most_what_was_cut},
      {"journals_of_other_studies_are_rejected", journals_of_other_studies_are_rejected},
      {"runs_continue_through_hysteresis", runs_continue_through_hysteresis},
      {"continued_runs_are_those_of_single_runs", continued_runs_are_those_of_single_runs},
      {"chains_do_not_depend_on_threads_parts_and_cuts", chains_do_not_depend_on_threads_parts_and_cuts},
      {"failed_runs_are_rows", failed_runs_are_rows},
      {"wrong_studies_are_rejected", wrong_studies_are_rejected}};
  return test_main(argc, argv, "study", cases, (int)(sizeof cases / sizeof *cases));
}
