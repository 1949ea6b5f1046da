/* Results whose end is missing: cut anywhere, they have the first rows of the whole file, or say that they have none.
 * picus resume makes the whole ones of them again. */
#define _POSIX_C_SOURCE 200809L
#define _XOPEN_SOURCE 700
#include "record_fake.h"
#include "support/same_results.h"
#include "support/tool.h"

#include <hdf5.h>
#include <sys/stat.h>

/* --- cutting --- */

typedef struct bytes {
  unsigned char *at;
  size_t size;
} bytes;

static bool read_bytes(const char *path, bytes *out) {
  struct stat facts;
  FILE *file = fopen(path, "rb");
  *out = (bytes){0};
  if (!file) return false;
  if (fstat(fileno(file), &facts) == 0) out->at = malloc((size_t)facts.st_size + 1);
  if (out->at) out->size = fread(out->at, 1, (size_t)facts.st_size, file);
  fclose(file);
  return out->size > 0;
}

static bool write_bytes(const char *path, const unsigned char *at, size_t size) {
  FILE *file = fopen(path, "wb");
  if (!file) return false;
  const bool done = fwrite(at, 1, size, file) == size;
  return fclose(file) == 0 && done;
}

static char last_log[1024];
static void keep_log(void *user, picus_log_level level, const char *message) {
  (void)user;
  if (level == PICUS_LOG_WARNING) snprintf(last_log, sizeof last_log, "%s", message);
}

/* --- a cut result is the beginning of the whole one --- */

static bool same_columns(picus_result *whole, picus_result *cut) {
  const size_t size = (size_t)picus_result_row_count(cut) * sizeof(double);
  for (int k = 0; k < picus_result_column_count(whole); k++) {
    const double *a, *b;
    if (picus_result_values(whole, k, &a) || picus_result_values(cut, k, &b)) return false;
    if (size > 0 && memcmp(a, b, size) != 0) return false;
  }
  return picus_result_column_count(whole) == picus_result_column_count(cut);
}

static bool same_switchings(picus_result *whole, picus_result *cut) {
  const picus_switching *a, *b;
  const long count = picus_result_switching_count(cut);
  if (count > picus_result_switching_count(whole)) return false;
  if (count <= 0) return true;
  if (picus_result_switchings(whole, &a) || picus_result_switchings(cut, &b)) return false;
  for (long k = 0; k < count; k++)
    if (a[k].t != b[k].t || a[k].law != b[k].law || a[k].to != b[k].to || a[k].PN != b[k].PN || a[k].key != b[k].key)
      return false;
  return true;
}

static bool same_contacts(picus_result *whole, picus_result *cut) {
  const long rows = picus_result_contact_rows(cut);
  if (rows > picus_result_row_count(cut)) return false;
  for (long row = 0; row < rows; row++) {
    const picus_contact_point *a, *b;
    const int count = picus_result_contact_count(cut, row);
    if (count != picus_result_contact_count(whole, row)) return false;
    if (count == 0) continue;
    if (picus_result_contacts(whole, row, &a) || picus_result_contacts(cut, row, &b)) return false;
    for (int i = 0; i < count; i++)
      if (a[i].key != b[i].key || a[i].body[0] != b[i].body[0] || memcmp(&a[i].gap, &b[i].gap, sizeof a[i].gap) != 0)
        return false;
  }
  return true;
}

static bool same_nodes(picus_result *whole, picus_result *cut) {
  bool same = picus_result_node_table_count(whole) == picus_result_node_table_count(cut);
  for (int k = 0; same && k < picus_result_node_table_count(cut); k++) {
    const picus_node_table table = picus_result_node_table_at(cut, k);
    const long rows = picus_result_node_table_rows(cut, k);
    const size_t size = (size_t)rows * (size_t)table.node_count * (size_t)table.component_count;
    double *values[2] = {calloc(size + 1, sizeof(double)), calloc(size + 1, sizeof(double))};
    same = rows <= picus_result_row_count(cut) && values[0] && values[1] &&
           !picus_result_node_table_read(whole, k, 0, rows, (double *[2]){values[0], NULL}) &&
           !picus_result_node_table_read(cut, k, 0, rows, (double *[2]){values[1], NULL}) &&
           memcmp(values[0], values[1], size * sizeof(double)) == 0;
    free(values[0]);
    free(values[1]);
  }
  return same;
}

/* The rows that a cut file has: -1 if none can be read, with a message. */
static long rows_of_cut(picus_context *context, picus_result *whole, const char *path) {
  picus_result *cut = NULL;
  last_log[0] = '\0';
  if (picus_result_open(context, path, &cut)) {
    const char *message = picus_last_error(context)->message;
    if (!CHECK(strstr(message, "is truncated: it has ") || strstr(message, "is not an HDF5 file") ||
               strstr(message, "is empty")))
      printf("  %s\n", message);
    CHECK(!strstr(message, "unknown"));
    return -1;
  }
  const long rows = picus_result_row_count(cut);
  char sentence[64];
  snprintf(sentence, sizeof sentence, "its first %ld of %ld rows can be read", rows, picus_result_row_count(whole));
  const bool fine = CHECK(picus_result_is_cut(cut)) && CHECK(strstr(last_log, sentence) != NULL) &&
                    CHECK(same_columns(whole, cut)) && CHECK(same_switchings(whole, cut)) &&
                    CHECK(same_contacts(whole, cut)) && CHECK(same_nodes(whole, cut));
  picus_result_close(cut);
  if (!fine) printf("  %s; %s\n", last_log, picus_last_error(context)->message);
  return rows;
}

/* Cuts a file at some places, in ascending order. No longer piece may have fewer rows, and the rows that are lost are
 * at most a share of all more than the bytes that are. */
static void cut_at(const char *path, size_t count, const size_t *places, double least_share) {
  picus_context *context;
  picus_result *whole;
  bytes all;
  REQUIRE(picus_context_create(&(picus_context_def){.log = keep_log}, &context) == PICUS_OK);
  REQUIRE(read_bytes(path, &all) && write_bytes(scratch("cut.h5"), all.at, all.size));
  REQUIRE(picus_result_open(context, path, &whole) == PICUS_OK);
  CHECK(!picus_result_is_cut(whole));
  const double rows = (double)picus_result_row_count(whole);
  long longer = picus_result_row_count(whole);
  for (size_t k = count; k-- > 0;) { /* shorter and shorter */
    if (places[k] >= all.size) continue;
    if (!CHECK(truncate(scratch("cut.h5"), (off_t)places[k]) == 0)) break;
    const long left = rows_of_cut(context, whole, scratch("cut.h5"));
    const double share = (double)places[k] / (double)all.size;
    if (!CHECK(left <= longer) || !CHECK((double)left >= rows * (share - least_share)))
      printf("  cut at %zu of %zu: %ld rows of %.0f, longer %ld\n", places[k], all.size, left, rows, longer);
    longer = left;
  }
  picus_result_close(whole);
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
  free(all.at);
  scratch_remove("cut.h5");
}

static void cut_evenly(const char *path, size_t count, double least_share) {
  struct stat facts;
  size_t *places = calloc(count, sizeof *places);
  REQUIRE(places && stat(path, &facts) == 0);
  for (size_t k = 0; k < count; k++) places[k] = (size_t)((double)facts.st_size * (double)k / (double)count);
  cut_at(path, count, places, least_share);
  free(places);
}

static int compare_places(const void *a, const void *b) {
  const size_t x = *(const size_t *)a, y = *(const size_t *)b;
  return (x > y) - (x < y);
}

/* Where chunks of a column begin and end, and a byte before. */
static void cut_at_chunks(const char *path, const char *column, hsize_t every, double least_share) {
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), list = H5Dopen2(file, column, H5P_DEFAULT);
  hid_t space = H5Dget_space(list);
  hsize_t count = 0;
  H5Dget_num_chunks(list, space, &count);
  count /= every;
  size_t *places = calloc(3 * (size_t)count + 1, sizeof *places);
  REQUIRE(places && count > 1);
  for (hsize_t k = 0; k < count; k++) {
    hsize_t offset, size;
    haddr_t address;
    unsigned mask;
    CHECK(H5Dget_chunk_info(list, space, k * every, &offset, &mask, &address, &size) >= 0);
    places[3 * k] = (size_t)address;
    places[3 * k + 1] = (size_t)(address + size) - 1;
    places[3 * k + 2] = (size_t)(address + size);
  }
  H5Sclose(space);
  H5Dclose(list);
  H5Fclose(file);
  qsort(places, 3 * (size_t)count, sizeof *places, compare_places);
  cut_at(path, 3 * (size_t)count, places, least_share);
  free(places);
}

/* --- cases --- */

static void write_fake(const char *path, int columns, long rows, double expected_rows, bool is_compressed) {
  picus_context *context;
  fake f;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  REQUIRE(fake_open(&f, context, columns, expected_rows) == PICUS_OK);
  REQUIRE(picus_recorder_set_compressed(f.recorder, is_compressed) == PICUS_OK);
  REQUIRE(picus_recorder_add_hdf5(f.recorder, path) == PICUS_OK && picus_recorder_begin(f.recorder) == PICUS_OK);
  REQUIRE(fake_rows(&f, rows) == PICUS_OK);
  picus_summary summary = fake_summary(PICUS_OK);
  summary.rows = rows;
  CHECK(picus_recorder_end(f.recorder, &summary) == PICUS_OK);
  picus_recorder_destroy(f.recorder);
  picus_context_destroy(context);
}

static void compressed_columns(void) {
  write_fake(scratch("packed.h5"), 5, 60000, 60000, true);
  cut_evenly(scratch("packed.h5"), 200, 0.2);
  cut_at_chunks(scratch("packed.h5"), "q1", 1, 0.2);
  cut_at_chunks(scratch("packed.h5"), "q4", 1, 0.2);
  scratch_remove("packed.h5");
}

/* Chunks of 1001 rows, a hundred of them: roots of indices have moved. */
static void plain_columns_with_deep_indices(void) {
  write_fake(scratch("plain.h5"), 3, 102400, 1000, false);
  cut_evenly(scratch("plain.h5"), 40, 0.2);
  cut_at_chunks(scratch("plain.h5"), "q2", 5, 0.2);
  scratch_remove("plain.h5");
}

static void tables_of_many_columns(void) {
  write_fake(scratch("wide.h5"), 3100, 3 * picus_recorder_block_rows(3100), 0, true);
  cut_evenly(scratch("wide.h5"), 6, 0.5);
  scratch_remove("wide.h5");
}

/* The whole result of a command at a path of the scratch folder. */
static bool run_tool(const char *command, const char *path) {
  char words[800];
  snprintf(words, sizeof words, "%s --quiet --out %s", command, path);
  const tool_end end = tool_run(words, NULL);
  if (!CHECK(end.code == 0)) printf("  %s\n", end.errors);
  return end.code == 0;
}

static void cut_run(const char *command, size_t count) {
  if (run_tool(command, scratch("run.h5"))) cut_evenly(scratch("run.h5"), count, 0.99);
  scratch_remove("run.h5");
}

static void contacts_nodes_and_events(void) {
  cut_run("run woodpecker --dt 1e-4 --t-end 4", (size_t)test_size(20, 20, 40));
  cut_run("run woodpecker --adaptive --dt-min 1e-7 --dt-max 2e-3 --t-end 0.5", 20);
  cut_run("run dominoes --set n=4 --t-end 0.6", (size_t)test_size(20, 20, 40));
  cut_run("run cantilever-stop --every 4 --t-end 0.05", (size_t)test_size(20, 20, 40));
}

/* A cut result goes on from a checkpoint that fits, or from the start. */
static void resume_cut(const char *name, const char *command, int cuts) {
  bytes all;
  char resume[300], words[400], why[SAME_RESULTS_WHY] = "";
  int refused = 0;
  snprintf(words, sizeof words, "%s --checkpoint 0.02t --checkpoint-keep 99", command);
  REQUIRE(run_tool(words, scratch("r.h5")) && read_bytes(scratch("r.h5"), &all));
  REQUIRE(write_bytes(scratch("whole.h5"), all.at, all.size));
  snprintf(resume, sizeof resume, "resume %s", scratch("r.h5"));
  for (int k = 1; k <= cuts; k++) {
    const size_t size = (size_t)((double)(all.size - 1) * k / cuts);
    REQUIRE(write_bytes(scratch("r.h5"), all.at, size));
    const tool_end end = tool_run(resume, NULL);
    if (end.code == 2) { /* what to do is said */
      refused++;
      CHECK(strstr(end.errors, "begins the run again") && strstr(end.errors, "not even its complete description"));
      continue;
    }
    if (!CHECK(end.code == 0) || !CHECK(strstr(end.errors, "is truncated") != NULL)) printf("  %s\n", end.errors);
    if (!CHECK(same_results(scratch("r.h5"), scratch("whole.h5"), why))) printf("  %s, cut %d: %s\n", name, k, why);
  }
  CHECK(refused < cuts);
  free(all.at);
  snprintf(words, sizeof words, "rm -f %s/r.h5* %s/whole.h5", scratch_folder, scratch_folder);
  CHECK(system(words) == 0);
}

static void runs_go_on(void) {
  resume_cut("fixed steps", "run woodpecker --dt 1e-5 --t-end 0.2", 4);
  resume_cut("not compressed", "run woodpecker --dt 1e-5 --t-end 0.1 --uncompressed", 3);
  resume_cut("adaptive steps", "run woodpecker --adaptive --dt-min 1e-7 --dt-max 2e-3 --t-end 0.2", 3);
  resume_cut("shapes", "run dominoes --set n=4 --t-end 0.2", 4);
  resume_cut("a beam", "run cantilever-stop --every 4 --t-end 0.05", 4);
}

/* A length that is a lie, up to the largest one: no crash, no memory for what is not there. */
static void lengths_that_are_lies(void) {
  bytes all;
  picus_context *context;
  picus_result *result = NULL;
  int cut = 0;
  write_fake(scratch("lie.h5"), 5, 9000, 9000, true);
  REQUIRE(read_bytes(scratch("lie.h5"), &all));
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  for (int bit = 0; bit < 64; bit++) {
    unsigned char *end = all.at + 40 + bit / 8;
    *end ^= (unsigned char)(1 << bit % 8);
    REQUIRE(write_bytes(scratch("lie.h5"), all.at, all.size));
    if (!picus_result_open(context, scratch("lie.h5"), &result) && picus_result_is_cut(result)) {
      CHECK(picus_result_row_count(result) == 9000 && fake_matches(result, 5));
      cut++;
    }
    picus_result_close(result);
    result = NULL;
    *end ^= (unsigned char)(1 << bit % 8);
  }
  CHECK(cut > 30);
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
  free(all.at);
  scratch_remove("lie.h5");
}

/* Chunks that say they are longer than a chunk can be: HDF5 believes it. */
static void chunks_that_are_lies(void) {
  enum { TYPE = 4, FIRST_KEY = 24 }; /* of a node of an index */
  bytes all;
  picus_context *context;
  picus_result *result = NULL;
  int changed = 0;
  write_fake(scratch("lie.h5"), 3, 9000, 9000, false);
  REQUIRE(read_bytes(scratch("lie.h5"), &all) && picus_context_create(NULL, &context) == PICUS_OK);
  for (size_t k = 0; k + 64 < all.size; k++)
    if (memcmp(all.at + k, "TREE\1", TYPE + 1) == 0) {
      memcpy(all.at + k + FIRST_KEY, "\xff\xff\xff\x01", 4);
      changed++;
    }
  CHECK(changed > 2);
  REQUIRE(write_bytes(scratch("lie.h5"), all.at, all.size - 1));
  if (!picus_result_open(context, scratch("lie.h5"), &result)) CHECK(picus_result_row_count(result) == 0);
  picus_result_close(result);
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
  free(all.at);
  scratch_remove("lie.h5");
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"compressed_columns", compressed_columns},
                                    {"plain_columns_with_deep_indices", plain_columns_with_deep_indices},
                                    {"tables_of_many_columns", tables_of_many_columns},
                                    {"contacts_nodes_and_events", contacts_nodes_and_events},
                                    {"runs_go_on", runs_go_on},
                                    {"lengths_that_are_lies", lengths_that_are_lies},
                                    {"chunks_that_are_lies", chunks_that_are_lies}};
  const int result = test_main(argc, argv, "slow_result_cut", cases, sizeof cases / sizeof cases[0]);
  scratch_end();
  return result;
}
