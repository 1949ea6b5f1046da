/* Files of earlier versions describe their run by a dataset for each number, text or list, where later ones have
 * records and tables. A file is rewritten in that layout with HDF5 alone; it has to say the same. */
#define _POSIX_C_SOURCE 200809L
#include "record_fake.h"
#include "support/simulate.h"

#include <hdf5.h>
#include <math.h>
#include <picus/result.h>
#include <stdlib.h>
#include <string.h>

static void record(const char *model, const char *path) {
  simulation s;
  REQUIRE(simulation_open(&s, model, "", 1e-3, 0.05, NULL));
  picus_recorder *recorder = NULL;
  const picus_run_description run = {.model = s.model, .system = s.system, .options = picus_sim_options_of(s.sim)};
  CHECK(picus_recorder_create(s.context, &run, &recorder) == PICUS_OK &&
        picus_recorder_add_hdf5(recorder, path) == PICUS_OK && picus_sim_run(s.sim, recorder, NULL, NULL) == PICUS_OK);
  picus_recorder_destroy(recorder);
  simulation_close(&s);
}

/* --- the earlier layout ------------------------------------------------------------------------------------------- */

/* One field of all elements. */
static void *read_field(hid_t table, const char *name, hid_t *type) {
  hid_t all = H5Dget_type(table), space = H5Dget_space(table);
  const int k = H5Tget_member_index(all, name);
  *type = H5Tget_member_type(all, (unsigned)k);
  hid_t one = H5Tcreate(H5T_COMPOUND, H5Tget_size(*type));
  H5Tinsert(one, name, 0, *type);
  void *values = calloc((size_t)H5Sget_simple_extent_npoints(space), H5Tget_size(*type));
  CHECK(k >= 0 && values && H5Dread(table, one, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  H5Tclose(one);
  H5Sclose(space);
  H5Tclose(all);
  return values;
}

static void put(hid_t group, const char *name, hid_t type, hid_t space, const void *values) {
  hid_t set = H5Dcreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  CHECK(set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  H5Dclose(set);
}

/* Each field as a dataset with the extents of the table: of a record a scalar. */
static void split_fields(hid_t picus, hid_t table, const char *name) {
  hid_t all = H5Dget_type(table), space = H5Dget_space(table);
  hid_t group = H5Gcreate2(picus, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  for (int k = 0; k < H5Tget_nmembers(all); k++) {
    hid_t type;
    char *field = H5Tget_member_name(all, (unsigned)k);
    void *values = read_field(table, field, &type);
    put(group, field, type, space, values);
    free(values);
    H5free_memory(field);
    H5Tclose(type);
  }
  H5Gclose(group);
  H5Sclose(space);
  H5Tclose(all);
}

/* Element k of texts of a type that are padded with zeros. */
static void text_at(const char *texts, hid_t type, size_t k, char out[256]) {
  const size_t size = H5Tget_size(type);
  memset(out, 0, 256);
  memcpy(out, texts + k * size, size < 255 ? size : 255);
}

/* parameters/NAME and units/NAME. */
static void split_parameters(hid_t picus, hid_t table) {
  hid_t name_type, value_type, unit_type, scalar = H5Screate(H5S_SCALAR), space = H5Dget_space(table);
  char *names = read_field(table, "name", &name_type), *units = read_field(table, "unit", &unit_type);
  double *values = read_field(table, "value", &value_type);
  hid_t parameters = H5Gcreate2(picus, "parameters", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hid_t unit_group = H5Gcreate2(picus, "units", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  for (size_t k = 0; k < (size_t)H5Sget_simple_extent_npoints(space); k++) {
    char name[256], unit[256];
    text_at(names, name_type, k, name);
    text_at(units, unit_type, k, unit);
    put(parameters, name, value_type, scalar, &values[k]);
    if (unit[0]) put(unit_group, name, unit_type, scalar, unit);
  }
  free(names);
  free(units);
  free(values);
  const hid_t types[] = {name_type, value_type, unit_type};
  for (int k = 0; k < 3; k++) H5Tclose(types[k]);
  H5Gclose(parameters);
  H5Gclose(unit_group);
  H5Sclose(space);
  H5Sclose(scalar);
}

static void rewrite(const char *path) {
  static const char *const parts[] = {"columns", "options", "laws", "statistics", "parameters"};
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), picus = H5Gopen2(file, "picus", H5P_DEFAULT);
  REQUIRE(picus >= 0);
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
    hid_t table = H5Dopen2(picus, parts[k], H5P_DEFAULT);
    REQUIRE(table >= 0);
    REQUIRE(H5Ldelete(picus, parts[k], H5P_DEFAULT) >= 0);
    if (strcmp(parts[k], "parameters") == 0)
      split_parameters(picus, table);
    else
      split_fields(picus, table, parts[k]);
    H5Dclose(table);
  }
  H5Gclose(picus);
  CHECK(H5Fclose(file) >= 0);
}

/* --- what they say ------------------------------------------------------------------------------------------------ */

static int count_keys(const picus_result *result) {
  int count = 0;
  while (picus_result_key(result, count, NULL)) count++;
  return count;
}

static void check_entries(const picus_result *later, const picus_result *earlier) {
  const int count = count_keys(later);
  CHECK(count > 100 && count_keys(earlier) == count);
  for (int k = 0; k < count; k++) {
    const char *key = picus_result_key(later, k, NULL);
    const double a = picus_result_number(later, key), b = picus_result_number(earlier, key);
    if (!CHECK(strcmp(picus_result_text(later, key), picus_result_text(earlier, key)) == 0 &&
               (a == b || (isnan(a) && isnan(b)))))
      printf("  %s\n", key);
  }
}

static void check_same(const picus_result *later, const picus_result *earlier) {
  check_entries(later, earlier);
  CHECK(picus_result_column_count(later) == picus_result_column_count(earlier));
  for (int k = 0; k < picus_result_column_count(later); k++) {
    const picus_column a = picus_result_column(later, k), b = picus_result_column(earlier, k);
    CHECK(strcmp(a.name, b.name) == 0 && strcmp(a.unit, b.unit) == 0 && strcmp(a.label, b.label) == 0 &&
          a.kind == b.kind);
  }
  CHECK(picus_result_law_count(later) > 0 && picus_result_law_count(later) == picus_result_law_count(earlier));
  for (int k = 0; k < picus_result_law_count(later); k++) {
    const picus_result_law a = picus_result_law_at(later, k), b = picus_result_law_at(earlier, k);
    CHECK(strcmp(a.name, b.name) == 0 && strcmp(a.kind, b.kind) == 0 && a.slips == b.slips);
  }
}

static void same_description(void) {
  const char *later_path = scratch("later.h5"), *earlier_path = scratch("earlier.h5");
  picus_context *context;
  picus_result *later, *earlier;
  record("woodpecker", later_path);
  size_t size;
  char *bytes = read_whole(later_path, &size);
  REQUIRE(bytes && write_whole(earlier_path, bytes, size));
  free(bytes);
  rewrite(earlier_path);
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  REQUIRE(picus_result_open(context, later_path, &later) == PICUS_OK);
  REQUIRE(picus_result_open(context, earlier_path, &earlier) == PICUS_OK);
  CHECK(picus_result_number(later, "statistics.seconds") > 0);
  check_same(later, earlier);
  picus_result_close(later);
  picus_result_close(earlier);
  picus_context_destroy(context);
  scratch_remove("later.h5");
  scratch_remove("earlier.h5");
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"same_description", same_description}};
  const int code = test_main(argc, argv, "result_earlier", cases, sizeof cases / sizeof cases[0]);
  scratch_end();
  return code;
}
