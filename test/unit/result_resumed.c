/* A resumed run of a model with tables of nodes, or with switching functions, has the file of the unbroken run: all
 * datasets, those of storage alone (tails, check sums) included. */
#define _POSIX_C_SOURCE 200809L
#include "record_fake.h"
#include "support/simulate.h"

#include <hdf5.h>
#include <picus/result.h>
#include <stdlib.h>
#include <string.h>

/* --- two files ---------------------------------------------------------------------------------------------------- */

typedef struct two_files {
  hid_t other;
  long compared, differ;
} two_files;

static bool depends_on_clock(const char *name) {
  return strstr(name, "seconds") || strstr(name, "command") || strstr(name, "date") || strstr(name, "wall");
}

/* The bytes of a dataset; NULL: it has none, or texts of any length. */
static unsigned char *bytes_of(hid_t file, const char *name, size_t *size) {
  hid_t data = H5Dopen2(file, name, H5P_DEFAULT);
  *size = 0;
  if (data < 0) return NULL;
  hid_t type = H5Dget_type(data), space = H5Dget_space(data);
  unsigned char *bytes = NULL;
  if (H5Tis_variable_str(type) <= 0) {
    *size = H5Tget_size(type) * (size_t)H5Sget_simple_extent_npoints(space);
    bytes = calloc(*size + 1, 1);
    if (bytes && *size > 0) CHECK(H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) >= 0);
    const int seconds = H5Tget_class(type) == H5T_COMPOUND ? H5Tget_member_index(type, "seconds") : -1;
    if (bytes && seconds >= 0) memset(bytes + H5Tget_member_offset(type, (unsigned)seconds), 0, sizeof(double));
  }
  H5Sclose(space);
  H5Tclose(type);
  H5Dclose(data);
  return bytes;
}

static herr_t compare(hid_t file, const char *name, const H5O_info_t *info, void *user) {
  two_files *files = user;
  if (info->type != H5O_TYPE_DATASET || depends_on_clock(name)) return 0;
  size_t size, other_size;
  unsigned char *one = bytes_of(file, name, &size), *other = bytes_of(files->other, name, &other_size);
  const bool same = (one != NULL) == (other != NULL) && size == other_size && (!one || !memcmp(one, other, size));
  files->compared++;
  if (!same) printf("  '%s' differs: %zu and %zu bytes\n", name, size, other_size);
  files->differ += !same;
  free(one);
  free(other);
  return 0;
}

static void check_files(const char *whole, const char *resumed) {
  hid_t file = H5Fopen(whole, H5F_ACC_RDONLY, H5P_DEFAULT);
  two_files files = {.other = H5Fopen(resumed, H5F_ACC_RDONLY, H5P_DEFAULT)};
  REQUIRE(file >= 0 && files.other >= 0);
  CHECK(H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, compare, &files) >= 0);
  CHECK(files.compared > 15 && files.differ == 0);
  H5Fclose(files.other);
  H5Fclose(file);
}

/* --- runs --------------------------------------------------------------------------------------------------------- */

typedef struct saved_run {
  long stop, steps; /* after which it is saved and stopped; 0: never */
  unsigned char *bytes;
  size_t size;
} saved_run;

static int save_and_stop(void *user, picus_sim *sim, const picus_step_info *info) {
  saved_run *r = user;
  if (!info || ++r->steps != r->stop) return 0;
  CHECK(picus_sim_save(sim, NULL, 0, &r->size) == PICUS_OK);
  r->bytes = malloc(r->size + 1);
  CHECK(r->bytes && picus_sim_save(sim, r->bytes, r->size, &r->size) == PICUS_OK);
  return 1;
}

/* A simulation that is ready, and the file of the part that was saved; NULL: the run begins. */
static void run_simulation(simulation *sim, saved_run *stop, const saved_run *from, const char *earlier,
                           const char *path) {
  simulation s = *sim;
  picus_recorder *recorder = NULL;
  picus_result *result = NULL;
  const picus_run_description run = {.model = s.model, .system = s.system, .options = picus_sim_options_of(s.sim)};
  CHECK(picus_recorder_create(s.context, &run, &recorder) == PICUS_OK);
  CHECK(picus_recorder_add_hdf5(recorder, path) == PICUS_OK);
  if (earlier) {
    CHECK(picus_result_open(s.context, earlier, &result) == PICUS_OK);
    CHECK(picus_sim_load(s.sim, from->bytes, from->size, PICUS_LOAD_SAME_MODEL) == PICUS_OK);
    picus_recorder_continue(recorder, result);
  }
  const picus_run_hooks hooks = {.user = stop, .step = save_and_stop};
  const picus_status status = picus_sim_run(s.sim, recorder, stop->stop > 0 ? &hooks : NULL, NULL);
  if (!CHECK(status == (stop->stop > 0 ? PICUS_INTERRUPTED : PICUS_OK)))
    printf("  %s\n", picus_last_error(s.context)->message);
  picus_recorder_destroy(recorder);
  picus_result_close(result);
  simulation_close(sim);
}

static void run_part(const char *model, double t_end, saved_run *stop, const saved_run *from, const char *earlier,
                     const char *path) {
  simulation s;
  picus_sim_options options;
  REQUIRE(simulation_load(&s, model, "", &options));
  options.t_end = t_end;
  REQUIRE(simulation_start(&s, &options));
  run_simulation(&s, stop, from, earlier, path);
}

static void files_of_beams_are_the_same(void) {
  static const struct {
    const char *model;
    double t_end;
    long stops[2];
  } runs[] = {{"cantilever-stop", 0.05, {177, 0}}, {"cantilever-stop", 0.05, {13, 300}}, {"rotor", 0.01, {901, 0}}};
  for (size_t k = 0; k < sizeof runs / sizeof runs[0]; k++) {
    saved_run whole = {0}, first = {.stop = runs[k].stops[0]}, second = {.stop = runs[k].stops[1]}, last = {0};
    run_part(runs[k].model, runs[k].t_end, &whole, NULL, NULL, scratch("whole.h5"));
    run_part(runs[k].model, runs[k].t_end, &first, NULL, NULL, scratch("first.h5"));
    if (second.stop > 0)
      run_part(runs[k].model, runs[k].t_end, &second, &first, scratch("first.h5"), scratch("second.h5"));
    const bool twice = second.stop > 0;
    run_part(runs[k].model, runs[k].t_end, &last, twice ? &second : &first,
             twice ? scratch("second.h5") : scratch("first.h5"), scratch("resumed.h5"));
    check_files(scratch("whole.h5"), scratch("resumed.h5"));
    free(first.bytes);
    free(second.bytes);
  }
  static const char *const names[] = {"whole.h5", "first.h5", "second.h5", "resumed.h5"};
  for (int k = 0; k < 4; k++) scratch_remove(names[k]);
}

/* Changes by the state, by impacts and with time; the checkpoint may lie before, between and behind them. */
static void files_of_switches_are_the_same(void) {
  const char *text =
      "model('switches','')\nlocal q,u = coordinates {{'x',velocity='v',start={1,0}}}\nkinetic(u.v^2/2)\n"
      "force {x=-9.81+when(lt(0.5,q.x),0.1,0)+max(0,-u.v)*0.1+when(lt(t,0.7),1,0)}\n"
      "contact {'floor',gap=q.x,eN=0.8}\n";
  const adaptive_run options = {.dt_min = 1e-6, .tolerance = 1e-7, .t_end = 2, .scheme = "rattle"};
  static const long stops[] = {1, 2, 3, 5, 8, 13, 21, 34};
  simulation s;
  saved_run whole = {0};
  REQUIRE(simulation_open_adaptive_text(&s, text, options));
  run_simulation(&s, &whole, NULL, NULL, scratch("whole.h5"));
  for (size_t k = 0; k < sizeof stops / sizeof stops[0]; k++) {
    saved_run first = {.stop = stops[k]}, last = {0};
    REQUIRE(simulation_open_adaptive_text(&s, text, options));
    run_simulation(&s, &first, NULL, NULL, scratch("first.h5"));
    REQUIRE(first.bytes != NULL && simulation_open_adaptive_text(&s, text, options));
    run_simulation(&s, &last, &first, scratch("first.h5"), scratch("resumed.h5"));
    check_files(scratch("whole.h5"), scratch("resumed.h5"));
    free(first.bytes);
  }
  static const char *const names[] = {"whole.h5", "first.h5", "resumed.h5"};
  for (int k = 0; k < 3; k++) scratch_remove(names[k]);
}

/* Percussions of both stages of rattle, in rows of seven steps: a checkpoint lies inside of their sums. prox_r: the
 * counts of iterations go on, too. */
static void files_of_stages_are_the_same(void) {
  static const long stops[] = {3, 45, 60};
  for (size_t k = 0; k < 1 + sizeof stops / sizeof stops[0]; k++) {
    saved_run first = {.stop = k > 0 ? stops[k - 1] : 0}, last = {0};
    for (int part = 0; part < (k > 0 ? 2 : 1); part++) {
      simulation s;
      picus_sim_options options;
      REQUIRE(simulation_load(&s, "rotating-ball", "", &options));
      options.t_end = 1;
      options.every = 7;
      options.implicit.stages = true;
      options.implicit.prox_r = 0.1;
      REQUIRE(simulation_start(&s, &options));
      run_simulation(&s, part ? &last : &first, part ? &first : NULL, part ? scratch("first.h5") : NULL,
                     scratch(k == 0 ? "whole.h5"
                             : part ? "resumed.h5"
                                    : "first.h5"));
    }
    if (k > 0) check_files(scratch("whole.h5"), scratch("resumed.h5"));
    free(first.bytes);
  }
  static const char *const names[] = {"whole.h5", "first.h5", "resumed.h5"};
  for (int k = 0; k < 3; k++) scratch_remove(names[k]);
}

/* Energy and percussions by pair: contacts vanish before and behind a checkpoint. */
static void files_of_pairs_are_the_same(void) {
  const char *text =
      "gravity {0, -9.81}\nmaterial {'default', mu = 0.3, eN = 0.5}\nfloor {'floor'}\n"
      "half_space {'left', normal = {0.8, 0.6}, position = {-0.3, 0}}\n"
      "for i = 1, 3 do rectangle {'d' .. i, size = {0.1, 0.05}, mass = 2,\n"
      "  position = {-0.2 + 0.03 * i, 0.06 + 0.11 * i}, velocity = {-0.4, -0.5 * i}, omega = 3 * i} end\n"
      "simulate {scheme = 'moreau', dt = 1e-3, t_end = 0.5, every = 7, pairs = 'bodies'}\n";
  static const long stops[] = {0, 3, 99, 250, 420};
  for (size_t k = 0; k < sizeof stops / sizeof stops[0]; k++) {
    saved_run first = {.stop = stops[k]}, last = {0};
    for (int part = 0; part < (k > 0 ? 2 : 1); part++) {
      simulation s;
      REQUIRE(simulation_open_text(&s, text));
      run_simulation(&s, part ? &last : &first, part ? &first : NULL, part ? scratch("first.h5") : NULL,
                     scratch(k == 0 ? "whole.h5"
                             : part ? "resumed.h5"
                                    : "first.h5"));
    }
    if (k > 0) check_files(scratch("whole.h5"), scratch("resumed.h5"));
    free(first.bytes);
  }
  static const char *const names[] = {"whole.h5", "first.h5", "resumed.h5"};
  for (int k = 0; k < 3; k++) scratch_remove(names[k]);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"files_of_beams_are_the_same", files_of_beams_are_the_same},
                                    {"files_of_switches_are_the_same", files_of_switches_are_the_same},
                                    {"files_of_stages_are_the_same", files_of_stages_are_the_same},
                                    {"files_of_pairs_are_the_same", files_of_pairs_are_the_same}};
  int code = test_main(argc, argv, "result_resumed", cases, sizeof cases / sizeof cases[0]);
  scratch_end();
  return code;
}
