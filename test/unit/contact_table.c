/* The table of contacts that come and go in result files: what is written is read back bit for bit, the percussions
 * balance the motion in the same file, and events name their laws. */
#define _POSIX_C_SOURCE 200809L
#include "contact_fake.h"

#include "sim/internal.h"

static picus_sim_options fixed_steps(void) {
  picus_sim_options o = picus_default_sim_options();
  o.scheme = "moreau";
  o.dt = 1e-3;
  o.t_end = 1;
  o.every = 1;
  return o;
}

/* --- a sink that keeps everything --- */

typedef struct kept {
  picus_contact_point *contacts;
  size_t count, capacity;
  int numbers[4096];
  double t[4096];
  long rows;
  char laws[256][PICUS_LAW_NAME];
  uint64_t keys[256];
  int law_count;
  long switchings;
} kept;

static picus_status keep_contacts(void *self, const picus_contact_sample *sample) {
  kept *to = self;
  CHECK(sample->row == to->rows);
  to->t[to->rows] = sample->t;
  to->numbers[to->rows++] = sample->count;
  for (int k = 0; k < sample->count; k++) {
    if (to->count == to->capacity) {
      to->capacity = 2 * to->capacity + 64;
      to->contacts = realloc(to->contacts, to->capacity * sizeof *to->contacts);
      if (!to->contacts) abort();
    }
    to->contacts[to->count++] = sample->contacts[k];
  }
  return PICUS_OK;
}
static picus_status keep_law(void *self, const picus_switching *first) {
  kept *to = self;
  if (to->law_count < 256) {
    snprintf(to->laws[to->law_count], PICUS_LAW_NAME, "%s", first->name);
    to->keys[to->law_count++] = first->key;
  }
  return PICUS_OK;
}
static picus_status count_switchings(void *self, long count, const picus_switching *switchings) {
  (void)switchings;
  ((kept *)self)->switchings += count;
  return PICUS_OK;
}

/* Runs into a file and into memory. */
static bool run_balls(balls *b, const picus_sim_options *options, const char *path, kept *to) {
  picus_run_description run = {b->model, b->system, options, "test"};
  picus_sim *sim = NULL;
  picus_recorder *recorder = NULL;
  picus_status status = picus_sim_create(b->context, b->system, options, &sim);
  if (!status) status = picus_recorder_create(b->context, &run, &recorder);
  if (!status) status = picus_recorder_add_hdf5(recorder, path);
  if (!status && to)
    status = picus_recorder_add_sink(recorder, (picus_sink){.self = to,
                                                            .write_contacts = keep_contacts,
                                                            .write_law = keep_law,
                                                            .write_switchings = count_switchings});
  if (!status) status = picus_sim_run(sim, recorder, NULL, NULL);
  if (status) printf("  %s\n", picus_last_error(b->context)->message);
  picus_recorder_destroy(recorder);
  picus_sim_destroy(sim);
  return status == PICUS_OK;
}

static const double *column(picus_result *result, const char *name) {
  const double *values = NULL;
  CHECK(picus_result_values(result, picus_result_find(result, name), &values) == PICUS_OK);
  return values;
}

/* --- tests -------------------------------------------------------------------------------------------------------- */

static void compare_with_sink(picus_result *result, const kept *from) {
  CHECK(picus_result_contact_rows(result) == from->rows && picus_result_row_count(result) == from->rows);
  const double *t = column(result, "t");
  for (long row = 0, at = 0; row < from->rows; row++) {
    const picus_contact_point *contacts;
    if (!CHECK(picus_result_contact_count(result, row) == from->numbers[row]) || !CHECK(t[row] == from->t[row]) ||
        !CHECK(picus_result_contacts(result, row, &contacts) == PICUS_OK))
      return;
    for (int k = 0; k < from->numbers[row]; k++)
      if (!CHECK(same_contact(&contacts[k], &from->contacts[at++]))) return;
  }
}

static void a_run_is_read_back(const char *scheme, bool adaptive, double sample) {
  static kept from;
  balls b;
  picus_result *result = NULL;
  picus_sim_options options = fixed_steps();
  options.scheme = scheme;
  options.sample = sample;
  if (adaptive) {
    options.adaptive = true;
    options.dt_min = 1e-5;
    options.dt_max = 1e-2;
    options.atol = options.rtol = 1e-6;
    options.t_end = 0.3;
  }
  from = (kept){0};
  REQUIRE(balls_open(&b, balls_falling(4), NULL));
  const char *path = scratch("run.h5");
  if (CHECK(run_balls(&b, &options, path, &from)) && CHECK(!picus_result_open(b.context, path, &result))) {
    compare_with_sink(result, &from);
    CHECK(from.count > (sample > 0 ? 5 : 100));
    CHECK(picus_result_body_count(result) == 4);
    CHECK_TEXT(picus_result_body(result, 3), "ball3");
    CHECK_TEXT(picus_result_body(result, 4), "");
  }
  picus_result_close(result);
  free(from.contacts);
  scratch_remove("run.h5");
  balls_close(&b);
}

static void runs_are_read_back(void) {
  a_run_is_read_back("moreau", false, 0);
  a_run_is_read_back("rattle", false, 0);
  a_run_is_read_back("moreau-projected", false, 0.05);
  a_run_is_read_back("rattle", true, 0);
  a_run_is_read_back("rattle", true, 0.01);
}

/* M (u+ - u-) = h dt + sum of the percussions of its contacts, from one file: with m = 1, h = (0.5, -9.81). */
static void percussions_balance_the_motion(void) {
  balls b;
  picus_result *result = NULL;
  const picus_sim_options options = fixed_steps();
  REQUIRE(balls_open(&b, balls_falling(6), NULL));
  const char *path = scratch("balance.h5");
  if (!CHECK(run_balls(&b, &options, path, NULL)) || !CHECK(!picus_result_open(b.context, path, &result))) return;
  const double *vx[6], *vy[6];
  long between = 0;
  for (int i = 0; i < 6; i++) {
    char name[8];
    snprintf(name, sizeof name, "vx%d", i);
    vx[i] = column(result, name);
    snprintf(name, sizeof name, "vy%d", i);
    vy[i] = column(result, name);
  }
  for (long row = 1; row < picus_result_row_count(result); row++) {
    const picus_contact_point *contacts;
    double P[6][2] = {{0}};
    REQUIRE(!picus_result_contacts(result, row, &contacts));
    for (int k = 0; k < picus_result_contact_count(result, row); k++) {
      const picus_contact_point *c = &contacts[k];
      for (int side = 0; side < 2; side++) {
        if (c->body[side] < 0) continue;
        for (int j = 0; j < 2; j++)
          P[c->body[side]][j] += (side ? -1 : 1) * (c->PN * c->normal[j] + c->PF[0] * c->tangent[j]);
      }
      between += c->body[1] >= 0;
    }
    /* normals are those of the end of the step, percussions act along those of its midpoint: they turn by 1e-3 */
    for (int i = 0; i < 6; i++) {
      const double size = fabs(P[i][0]) + fabs(P[i][1]);
      CHECK_NEAR(vx[i][row] - vx[i][row - 1], 0.5e-3 + P[i][0], 1e-13 + 2e-2 * size);
      CHECK_NEAR(vy[i][row] - vy[i][row - 1], -9.81e-3 + P[i][1], 1e-13 + 2e-2 * size);
    }
  }
  CHECK(between > 10);
  picus_result_close(result);
  scratch_remove("balance.h5");
  balls_close(&b);
}

/* The same pairs as fixed laws have columns with the same numbers. */
static void contacts_agree_with_columns_of_fixed_laws(void) {
  balls b, named;
  picus_result *result = NULL, *columns = NULL;
  const picus_sim_options options = fixed_steps();
  rollers of = balls_falling(2);
  REQUIRE(balls_open(&b, of, NULL));
  of.appear = false;
  REQUIRE(balls_open(&named, of, NULL));
  const char *path = scratch("table.h5"), *other = scratch("columns.h5");
  if (!CHECK(run_balls(&b, &options, path, NULL)) || !CHECK(run_balls(&named, &options, other, NULL)) ||
      !CHECK(!picus_result_open(b.context, path, &result)) ||
      !CHECK(!picus_result_open(named.context, other, &columns)))
    return;
  CHECK(picus_result_contact_rows(columns) == -1 && picus_result_contact_count(columns, 0) == 0);
  long seen = 0;
  for (long row = 0; row < picus_result_row_count(result); row++) {
    const picus_contact_point *contacts;
    REQUIRE(!picus_result_contacts(result, row, &contacts));
    for (int k = 0; k < picus_result_contact_count(result, row); k++) {
      static const char *const fields[] = {"gap", "vN", "PN", "PF", "mode"};
      const picus_contact_point *c = &contacts[k];
      const double values[] = {c->gap, c->vN, c->PN, c->PF[0], (double)c->mode};
      const int pair = (int)c->key - 1, roller = pair % of.count;
      char law[32], name[64];
      if (pair < 2 * of.count)
        snprintf(law, sizeof law, "ball%d-roller%d", pair / of.count, roller);
      else
        snprintf(law, sizeof law, "ball1-ball0");
      for (int i = 0; i < 5; i++) {
        snprintf(name, sizeof name, "%s.%s", law, fields[i]);
        CHECK_NEAR(values[i], column(columns, name)[row], 1e-11);
      }
      seen++;
    }
  }
  CHECK(seen > 500);
  picus_result_close(result);
  picus_result_close(columns);
  scratch_remove("table.h5");
  scratch_remove("columns.h5");
  balls_close(&b);
  balls_close(&named);
}

/* Rolling friction is a law behind its contact: no row of its own, but its percussion, and its own events. */
static void rolling_friction_belongs_to_its_contact(void) {
  static kept from;
  balls b;
  picus_result *result = NULL;
  const picus_sim_options options = fixed_steps();
  rollers of = balls_falling(3);
  of.rolling = 0.01;
  from = (kept){0};
  REQUIRE(balls_open(&b, of, NULL));
  const char *path = scratch("rolling.h5");
  if (CHECK(run_balls(&b, &options, path, &from)) && CHECK(!picus_result_open(b.context, path, &result))) {
    compare_with_sink(result, &from);
    int acting = 0, rolling = 0;
    for (size_t k = 0; k < from.count; k++) {
      CHECK(fabs(from.contacts[k].PR[0]) <= 0.01 * from.contacts[k].PN * (1 + 1e-9) + 1e-15);
      acting += from.contacts[k].PR[0] != 0;
    }
    for (int k = 0; k < picus_result_law_count(result); k++)
      rolling += strcmp(picus_result_law_at(result, k).kind, "rolling") == 0;
    CHECK(acting > 50 && rolling > 0);
  }
  picus_result_close(result);
  free(from.contacts);
  scratch_remove("rolling.h5");
  balls_close(&b);
}

static void events_name_laws_that_come_and_go(void) {
  static kept from;
  balls b;
  picus_result *result = NULL;
  const picus_sim_options options = fixed_steps();
  const picus_switching *list = NULL;
  rollers of = balls_falling(4);
  of.wall = true; /* one law of the system itself */
  from = (kept){0};
  REQUIRE(balls_open(&b, of, NULL));
  const char *path = scratch("events.h5"), *csv = scratch("events.csv");
  if (!CHECK(run_balls(&b, &options, path, &from)) || !CHECK(!picus_result_open(b.context, path, &result)) ||
      !CHECK(!picus_result_switchings(result, &list)))
    return;
  CHECK(picus_result_switching_count(result) == from.switchings && from.switchings > 20);
  CHECK(picus_result_law_count(result) == 1 + from.law_count && from.law_count > 5);
  CHECK(picus_result_law_at(result, 0).source == -1);
  for (int k = 0; k < from.law_count; k++) {
    const picus_result_law law = picus_result_law_at(result, 1 + k);
    CHECK_TEXT(law.name, from.laws[k]);
    CHECK(law.key == from.keys[k] && law.source == 1 && law.slips == 1);
    CHECK_TEXT(law.kind, "coulomb");
  }
  for (long k = 0; k < picus_result_switching_count(result); k++)
    CHECK(list[k].key == (list[k].law > 0 ? from.keys[list[k].law - 1] : 0));
  CHECK(!picus_result_export_switchings(result, -1, csv));
  size_t size = 0;
  char *text = read_whole(csv, &size);
  CHECK(text && strstr(text, from.laws[from.law_count - 1]) != NULL);
  free(text);
  picus_result_close(result);
  free(from.contacts);
  scratch_remove("events.h5");
  scratch_remove("events.csv");
  balls_close(&b);
}

/* A CSV file of the run and one of the result are equal. */
static void csv_of_a_run_and_of_its_result_are_equal(void) {
  balls b;
  picus_result *result = NULL;
  picus_sim_options options = fixed_steps();
  picus_sim *sim = NULL;
  picus_recorder *recorder = NULL;
  options.sample = 0.01;
  REQUIRE(balls_open(&b, balls_falling(3), NULL));
  picus_run_description run = {b.model, b.system, &options, "test"};
  const char *path = scratch("a.h5"), *files[6];
  static const char *const names[6] = {"run-contacts.csv", "contacts.csv",   "run.csv",
                                       "rows.csv",         "run-events.csv", "events.csv"};
  for (int k = 0; k < 6; k++) files[k] = scratch(names[k]);
  CHECK(!picus_sim_create(b.context, b.system, &options, &sim) && !picus_recorder_create(b.context, &run, &recorder));
  CHECK(!picus_recorder_add_hdf5(recorder, path) && !picus_recorder_add_contact_csv(recorder, files[0]));
  CHECK(!picus_recorder_add_csv(recorder, files[2]) && !picus_recorder_add_switching_csv(recorder, files[4]));
  CHECK(!picus_sim_run(sim, recorder, NULL, NULL));
  CHECK(!picus_result_open(b.context, path, &result));
  CHECK(!picus_result_export_contacts(result, files[1]) && !picus_result_export_rows(result, files[3]));
  CHECK(!picus_result_export_switchings(result, -1, files[5]));
  for (int k = 0; k < 4; k += 2) { /* events have one slip in the result, three possible ones in the run */
    size_t sizes[2] = {0, 0};
    char *texts[2] = {read_whole(files[k], &sizes[0]), read_whole(files[k + 1], &sizes[1])};
    CHECK(texts[0] && texts[1] && sizes[0] > 1000 && sizes[0] == sizes[1] && memcmp(texts[0], texts[1], sizes[0]) == 0);
    free(texts[0]);
    free(texts[1]);
  }
  CHECK(picus_result_export_contacts(result, path) == PICUS_ERROR_ARGUMENT); /* the result itself */
  picus_recorder_destroy(recorder);
  picus_sim_destroy(sim);
  picus_result_close(result);
  scratch_remove("a.h5");
  for (int k = 0; k < 6; k++) scratch_remove(names[k]);
  balls_close(&b);
}

static void rows_without_contacts_have_none(void) {
  balls b;
  picus_result *result = NULL;
  picus_sim_options options = fixed_steps();
  rollers of = balls_falling(1);
  of.ball_y[0] = 100; /* never gets there */
  REQUIRE(balls_open(&b, of, NULL));
  const char *path = scratch("none.h5");
  options.t_end = 0.05;
  if (CHECK(run_balls(&b, &options, path, NULL)) && CHECK(!picus_result_open(b.context, path, &result))) {
    CHECK(picus_result_contact_rows(result) == 51);
    const picus_contact_point *contacts = (const picus_contact_point *)&of;
    for (long row = -1; row < 53; row++) {
      CHECK(picus_result_contact_count(result, row) == 0);
      CHECK(!picus_result_contacts(result, row, &contacts) && contacts == NULL);
    }
  }
  picus_result_close(result);
  scratch_remove("none.h5");
  balls_close(&b);
}

static void any_number_of_contacts_is_read_back(void) {
  balls b;
  fake f;
  picus_result *result = NULL;
  REQUIRE(balls_open(&b, balls_falling(3), NULL));
  const char *path = scratch("fake.h5");
  CHECK(!fake_contacts_open(&f, &b, 7, 1210) && !picus_recorder_add_hdf5(f.recorder, path));
  CHECK(!picus_recorder_begin(f.recorder) && !fake_contact_rows(&f, 1210) && !fake_end(&f, PICUS_OK));
  picus_recorder_destroy(f.recorder);
  if (CHECK(!picus_result_open(b.context, path, &result))) {
    CHECK(picus_result_contact_rows(result) == 1210 && fake_matches(result, 7) && fake_contacts_match(result));
  }
  picus_result_close(result);
  scratch_remove("fake.h5");
  balls_close(&b);
}

/* From one contact to 10^5 in a row; the memory of the sink stays as it is. */
static void tables_grow_to_many_contacts(void) {
  balls b;
  fake f;
  picus_result *result = NULL;
  const int numbers[] = {1, 10, 1000, FAKE_MOST, FAKE_MOST, 0, FAKE_MOST};
  REQUIRE(balls_open(&b, balls_falling(3), NULL));
  picus_contact_point *contacts = malloc(FAKE_MOST * sizeof *contacts);
  REQUIRE(contacts != NULL);
  const char *path = scratch("many.h5");
  CHECK(!fake_contacts_open(&f, &b, 7, 10) && !picus_recorder_add_hdf5(f.recorder, path));
  CHECK(!picus_recorder_begin(f.recorder));
  const size_t before = picus_context_memory(b.context);
  for (int row = 0; row < 7; row++) {
    for (int k = 0; k < numbers[row]; k++) contacts[k] = fake_contact(row, k);
    CHECK(!picus_recorder_add_contacts(f.recorder, row, numbers[row], contacts));
    CHECK(!picus_recorder_add_row(f.recorder, fake_fill, &f));
  }
  CHECK(picus_context_memory(b.context) < before + (1 << 20)); /* staged metadata */
  CHECK(!fake_end(&f, PICUS_OK));
  picus_recorder_destroy(f.recorder);
  if (CHECK(!picus_result_open(b.context, path, &result)))
    for (int row = 0; row < 7; row++) {
      const picus_contact_point *found;
      CHECK(picus_result_contact_count(result, row) == numbers[row]);
      CHECK(!picus_result_contacts(result, row, &found));
      bool same = true;
      for (int k = 0; same && k < numbers[row]; k++) {
        const picus_contact_point expected = fake_contact(row, k);
        same = same_contact(&found[k], &expected);
      }
      CHECK(same);
    }
  picus_result_close(result);
  free(contacts);
  scratch_remove("many.h5");
  balls_close(&b);
}

/* After the first steps neither the simulation nor the recorder needs more memory. */
static void recording_needs_no_more_memory(void) {
  balls b;
  picus_sim_options options = fixed_steps();
  picus_sim *sim = NULL;
  picus_recorder *recorder = NULL;
  picus_summary summary;
  options.t_end = 3;
  REQUIRE(balls_open(&b, balls_falling(6), NULL));
  picus_run_description run = {b.model, b.system, &options, "test"};
  static kept to;
  to = (kept){0};
  CHECK(!picus_sim_create(b.context, b.system, &options, &sim) && !picus_recorder_create(b.context, &run, &recorder));
  CHECK(!picus_recorder_add_sink(recorder, (picus_sink){.self = &to, .write_contacts = keep_contacts}));
  CHECK(!picus_sim_record_begin(sim, recorder, &summary));
  size_t warm = 0; /* when a row had the most contacts */
  int most = 0, at = 0;
  for (int k = 0; k < 3000; k++) {
    picus_step_info info;
    if (!CHECK(!picus_sim_step(sim, 0, &info)) || !CHECK(!picus_sim_record_step(sim, recorder, &info, &summary)) ||
        !CHECK(!picus_sim_record_row(sim, recorder)))
      break;
    if (to.numbers[k] > most) most = to.numbers[k], warm = picus_context_memory(b.context), at = k;
  }
  CHECK(picus_context_memory(b.context) == warm && at < 2500 && to.count > 1000);
  CHECK(!picus_sim_record_end(sim, recorder, PICUS_OK, &summary));
  picus_recorder_destroy(recorder);
  picus_sim_destroy(sim);
  free(to.contacts);
  balls_close(&b);
}

/* Every allocation of writing and reading may fail, once each. */
static void refused_memory_is_reported(void) {
  long failures = 0;
  bool finished = false;
  const char *path = scratch("refused.h5");
  for (int granted = 0; granted < 4000 && !finished; granted += granted < 900 ? 3 : 1) {
    int left = 1 << 30;
    const picus_context_def def = {.allocate = limited_allocate, .allocate_user = &left};
    balls b;
    fake f = {0};
    picus_result *result = NULL;
    REQUIRE(balls_open(&b, balls_falling(2), &def));
    left = granted;
    picus_status status = fake_contacts_open(&f, &b, 3, 20);
    if (!status) status = picus_recorder_add_hdf5(f.recorder, path);
    if (!status) status = picus_recorder_begin(f.recorder);
    if (!status) status = fake_contact_rows(&f, 12);
    if (f.recorder) {
      picus_status ended = fake_end(&f, status);
      if (!status) status = ended;
    }
    picus_recorder_destroy(f.recorder);
    if (!status) status = picus_result_open(b.context, path, &result);
    if (!status && !fake_contacts_match(result)) status = picus_last_error(b.context)->status;
    if (status) failures++;
    CHECK(!status || status == PICUS_ERROR_MEMORY);
    finished = !status;
    left = 1 << 30;
    picus_result_close(result);
    balls_close(&b);
    scratch_remove("refused.h5");
  }
  CHECK(finished && failures > 50);
}

int main(int argc, char **argv) {
  const test_case cases[] = {
      {"runs_are_read_back", runs_are_read_back},
      {"percussions_balance_the_motion", percussions_balance_the_motion},
      {"contacts_agree_with_columns_of_fixed_laws", contacts_agree_with_columns_of_fixed_laws},
      {"rolling_friction_belongs_to_its_contact", rolling_friction_belongs_to_its_contact},
      {"events_name_laws_that_come_and_go", events_name_laws_that_come_and_go},
      {"csv_of_a_run_and_of_its_result_are_equal", csv_of_a_run_and_of_its_result_are_equal},
      {"rows_without_contacts_have_none", rows_without_contacts_have_none},
      {"any_number_of_contacts_is_read_back", any_number_of_contacts_is_read_back},
      {"tables_grow_to_many_contacts", tables_grow_to_many_contacts},
      {"recording_needs_no_more_memory", recording_needs_no_more_memory},
      {"refused_memory_is_reported", refused_memory_is_reported},
  };
  int code = test_main(argc, argv, "contact_table", cases, sizeof cases / sizeof cases[0]);
  scratch_end();
  return code;
}
