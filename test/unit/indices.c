/* The rule of base.h for indices, kinds and counts: one case for each function of the public headers that takes one
 * (test/scripts/indices.sh compares this list with the headers). None crashes, and what they return is nothing of
 * meaning. */
#include "support/check.h"

#include <limits.h>
#include <math.h>
#include <picus/bodies.h>
#include <picus/picus.h>
#include <stdio.h>
#include <string.h>

static const char text[] = "parameters { m = 1 }\n"
                           "local i = inputs { { 'f', start = 0, unit = 'N' } }\n"
                           "local q, u = coordinates { { 'x', velocity = 'v', start = { 1, 0 } } }\n"
                           "kinetic(u.v^2 / 2) force { x = i.f - 9.81 }\n"
                           "contact { 'stop', gap = q.x, eN = 0.5 }\n"
                           "gravity { 0, 0, -9.81 }\n"
                           "material { 'default', mu = 0.3 }\n"
                           "floor { 'floor', extent = 1 }\n"
                           "sphere { 'ball', radius = 0.1, mass = 1, position = { 0, 0, 0.1 } }\n"
                           "beam { 'b', length = 1, elements = 2, rectangle = { 0.02, 0.02 }, density = 7800,\n"
                           "  young = 2.1e11, supports = { { 0, 'clamped' } }, table = true }\n"
                           "plot { y = { 'x' } }\n"
                           "simulate { scheme = 'moreau-jean', dt = 1e-3, t_end = 2e-2 }\n";
static const char result_path[] = "indices.h5", other_path[] = "indices.csv";

static int count_of_row; /* contacts */

/* Objects of all kinds that have indices. */
static struct {
  picus_context *context;
  picus_model *model, *built;
  picus_system *system;
  picus_sim *sim;
  picus_recorder *recorder;
  picus_result *result;
  picus_memory *memory;
  picus_rollout *rollout;
  picus_study *study;
  picus_study_table *table;
  picus_study_file *study_file;
  picus_model *wheel; /* with an orbit */
  picus_system *wheel_system;
  picus_sensitivity *sensitivity;
  picus_orbit *orbit;
  picus_orbit_branch *branch;
  picus_linearization *linearization;
  picus_pool *pool;
  picus_expr x;
  picus_tape *tape;
  picus_modes *modes;
  picus_evaluation *evaluation;
  picus_solver *solver;
  picus_body ground, body;
} o;

/* The file of a study that was not run, and a study file. */
static bool make_study_files(void) {
  static const char results[] = "indices-study.h5", words[] = "indices-study.lua";
  FILE *file = fopen(words, "w");
  if (!CHECK(file != NULL)) return false;
  const bool is_written = CHECK(fputs("study { 'woodpecker' } set { 'mu', 0.3 }", file) >= 0);
  const bool done = CHECK(fclose(file) == 0) && is_written &&
                    CHECK(picus_study_file_read(o.context, words, &o.study_file) == PICUS_OK) &&
                    CHECK(picus_study_write_hdf5(o.study, results) == PICUS_OK) &&
                    CHECK(picus_study_table_open(o.context, results, false, &o.table) == PICUS_OK);
  (void)remove(words);
  (void)remove(results);
  return done;
}

static bool has_no_word(int column) {
  char word[8] = "x";
  picus_study_table_word(o.table, column, sizeof word, word);
  return !*word;
}

static bool make_result(void) {
  picus_sim_options options = picus_model_sim_options(o.model);
  picus_run_description run = {o.model, o.system, &options, ""};
  picus_recorder *recorder = NULL;
  bool done =
      CHECK(picus_sim_create(o.context, o.system, &options, &o.sim) == PICUS_OK) &&
      CHECK(picus_recorder_create(o.context, &run, &recorder) == PICUS_OK) &&
      CHECK(picus_recorder_add_hdf5(recorder, result_path) == PICUS_OK) &&
      CHECK(picus_memory_create(o.context, &o.memory) == PICUS_OK) &&
      CHECK(picus_recorder_add_memory(recorder, o.memory, PICUS_MEMORY_CONTACTS | PICUS_MEMORY_NODES) == PICUS_OK) &&
      CHECK(picus_sim_run(o.sim, recorder, NULL, NULL) == PICUS_OK);
  picus_recorder_destroy(recorder);
  picus_rollout_def many = picus_default_rollout_def();
  picus_study_def study = picus_default_study_def();
  many.model = o.model;
  many.system = o.system;
  many.options = &options;
  study.model = o.model;
  study.system = o.system;
  study.options = &options;
  return done && CHECK(picus_rollout_create(o.context, &many, &o.rollout) == PICUS_OK) &&
         CHECK(picus_study_create(o.context, &study, &o.study) == PICUS_OK) && make_study_files() &&
         CHECK(picus_recorder_create(o.context, &run, &o.recorder) == PICUS_OK) &&
         CHECK(picus_result_open(o.context, result_path, &o.result) == PICUS_OK);
}

static bool make_bodies(void) {
  bool done = CHECK(picus_model_create(o.context, "built", &o.built) == PICUS_OK);
  picus_frame_def frame = picus_default_frame_def(o.built);
  picus_body_def body = picus_default_body_def(PICUS_SPATIAL_BODY);
  frame.name = "ground";
  body.name = "body";
  body.mass = body.inertia[0] = body.inertia[4] = body.inertia[8] = 1;
  return done && CHECK(picus_model_make_frame(o.built, &frame, &o.ground) == PICUS_OK) &&
         CHECK(picus_model_add_body(o.built, &body, &o.body) == PICUS_OK);
}

static bool make_orbit(void) {
  static const char wheel[] = "model('wheel', 'an orbit')\n"
                              "local p = parameters {f = {1, '', 'force'}}\n"
                              "local q, u = coordinates {{'x', velocity = 'v', start = {0.5, 1.1}}}\n"
                              "kinetic(u.v^2 / 2)\nforce {x = p.f - u.v}\n"
                              "on {'turn', when = q.x - 1, direction = 'rises', set = {x = q.x - 1}}\n"
                              "simulate {adaptive = true, dt = 1e-3, t_end = 3}\n";
  if (!CHECK(picus_model_load_text(o.context, "wheel.lua", wheel, strlen(wheel), NULL, &o.wheel) == PICUS_OK) ||
      !CHECK(picus_system_create(o.wheel, &o.wheel_system) == PICUS_OK))
    return false;
  const picus_sim_options options = picus_model_sim_options(o.wheel);
  const picus_orbit_def orbit = {.model = o.wheel, .system = o.wheel_system, .options = &options};
  const picus_orbit_branch_def branch = {.orbit = orbit, .parameter = "f", .from = 1, .to = 1.1};
  const picus_linearization_def linearization = {.model = o.wheel, .system = o.wheel_system, .options = &options};
  const picus_sensitivity_def sensitivity = {.model = o.wheel, .system = o.wheel_system, .options = &options};
  return CHECK(picus_sensitivity_create(o.context, &sensitivity, &o.sensitivity) == PICUS_OK) &&
         CHECK(picus_orbit_create(o.context, &orbit, &o.orbit) == PICUS_OK) &&
         CHECK(picus_orbit_branch_create(o.context, &branch, &o.branch) == PICUS_OK) &&
         CHECK(picus_linearization_create(o.context, &linearization, &o.linearization) == PICUS_OK);
}

static bool make_objects(void) {
  const picus_modes_options modes = picus_default_modes_options();
  const picus_solver_options solver = picus_default_solver_options();
  if (!CHECK(picus_context_create(NULL, &o.context) == PICUS_OK) ||
      !CHECK(picus_model_load_text(o.context, "indices.lua", text, strlen(text), NULL, &o.model) == PICUS_OK) ||
      !CHECK(picus_system_create(o.model, &o.system) == PICUS_OK) || !make_result() || !make_bodies() ||
      !make_orbit() || !CHECK(picus_modes_create(o.context, o.system, &modes, &o.modes) == PICUS_OK) ||
      !CHECK(picus_evaluation_create(o.context, o.system, &o.evaluation) == PICUS_OK) ||
      !CHECK(picus_solver_create(o.context, &solver, &o.solver) == PICUS_OK) ||
      !CHECK(picus_pool_create(o.context, &o.pool) == PICUS_OK))
    return false;
  o.x = picus_variable(o.pool, "x");
  const picus_expr sine = picus_unary(o.pool, PICUS_SIN, o.x);
  return CHECK(picus_tape_create(o.pool, 1, &(picus_tape_stage){1, &sine}, &o.tape) == PICUS_OK);
}

static void release_objects(void) {
  picus_tape_destroy(o.tape);
  picus_pool_destroy(o.pool);
  picus_solver_destroy(o.solver);
  picus_evaluation_destroy(o.evaluation);
  picus_modes_destroy(o.modes);
  picus_study_destroy(o.study);
  picus_study_table_close(o.table);
  picus_study_file_destroy(o.study_file);
  picus_sensitivity_destroy(o.sensitivity);
  picus_linearization_destroy(o.linearization);
  picus_orbit_branch_destroy(o.branch);
  picus_orbit_destroy(o.orbit);
  picus_system_destroy(o.wheel_system);
  picus_model_destroy(o.wheel);
  picus_rollout_destroy(o.rollout);
  picus_memory_destroy(o.memory);
  picus_result_close(o.result);
  picus_recorder_destroy(o.recorder);
  picus_sim_destroy(o.sim);
  picus_system_destroy(o.system);
  picus_model_destroy(o.model);
  picus_model_destroy(o.built);
  CHECK(picus_context_memory(o.context) == 0);
  picus_context_destroy(o.context);
  remove(result_path);
  remove(other_path);
}

static bool is_empty(const char *name) { return name && !*name; }
static bool fails(picus_status status) { return status == PICUS_ERROR_ARGUMENT; }
static bool is_refused(picus_status status) { return status < 0 && *picus_last_error(o.context)->message; }
static bool is_no_table(picus_node_table t) { return is_empty(t.name) && t.node_count == 0 && !t.positions; }
static bool is_no_column(picus_column c) { return is_empty(c.name) && is_empty(c.unit) && is_empty(c.label); }
static void do_tasks(void *user, int count, picus_task_fn task, void *work) {
  (void)user;
  for (int i = 0; i < count; i++) task(work, i);
}

/* A contact problem, a body, a joint ... of a kind that does not exist is refused. */
static bool refuses_body(int k) {
  picus_body_def def = picus_default_body_def((picus_body_kind)k);
  picus_body out;
  def.name = "new";
  def.mass = def.inertia[0] = def.inertia[4] = def.inertia[8] = 1;
  return fails(picus_model_add_body(o.built, &def, &out));
}
static bool refuses_joint(int k) {
  picus_joint_def def = picus_default_joint_def((picus_joint_kind)k);
  def.name = "new";
  def.a = &o.ground;
  def.b = &o.body;
  return fails(picus_model_add_joint(o.built, &def));
}
static bool refuses_pair(int k) {
  picus_pair_def def = picus_default_pair_def((picus_pair_kind)k);
  def.name = "new";
  def.a = &o.ground;
  def.b = &o.body;
  return fails(picus_model_add_pair(o.built, &def));
}
static bool refuses_shape(int k) {
  picus_body_shape_def def = picus_default_body_shape_def((picus_shape_kind)k);
  return is_refused(picus_body_add_shape(&o.body, &def));
}
static bool refuses_draw(int k) {
  picus_draw_def def = picus_default_draw_def((picus_draw_kind)k);
  return is_refused(picus_model_add_draw(o.built, &def));
}
static bool records_end(int k) {
  picus_summary summary;
  picus_recorder *recorder = NULL;
  const picus_run_description run = {o.model, o.system, picus_sim_options_of(o.sim), ""};
  bool done = !picus_recorder_create(o.context, &run, &recorder) && !picus_sim_record_begin(o.sim, recorder, &summary);
  if (done) (void)picus_sim_record_end(o.sim, recorder, (picus_status)k, &summary);
  picus_recorder_destroy(recorder);
  return done;
}
static bool is_no_law(picus_system_law law) { return is_empty(law.name) && law.dim == 0; }
static bool is_no_present_law(picus_present_law law) { return is_no_law(law.law) && law.source == -1 && law.key == 0; }
static bool reads_nothing(int k) {
  double values[2] = {7, 7}, registers[64] = {0};
  picus_tape_read(o.tape, k, registers, values);
  return values[0] == 7 && values[1] == 7;
}
static bool runs_nothing(int k) {
  double registers[64] = {0};
  picus_tape_run(o.tape, k, registers);
  for (int i = 0; i < 64; i++)
    if (registers[i] != 0) return false;
  return true;
}
static bool is_no_input(picus_input_def d) { return is_empty(d.name) && d.start == 0; }
static bool is_no_system_input(picus_system_input i) { return is_empty(i.name) && is_empty(i.unit) && i.start == 0; }
static bool is_no_result_law(picus_result_law l) { return is_empty(l.name) && is_empty(l.kind) && l.source == -1; }
static bool is_no_panel(picus_plot_panel p) { return is_empty(p.x) && p.count == 0 && !p.y; }
static bool is_no_mode(picus_natural_mode m) { return m.omega == 0 && !m.shape && !m.shape_imaginary; }
static bool reads_no_rows(int k) {
  double *const values[2] = {NULL, NULL};
  return fails(picus_result_node_table_read(o.result, k, 0, 0, values)) &&
         fails(picus_result_node_table_read(o.result, 0, k, 1, values)) &&
         fails(picus_result_node_table_read(o.result, 0, 0, k, values));
}
static bool has_no_values(int k) {
  const double *values;
  return fails(picus_result_values(o.result, k, &values)) && !values;
}
static bool has_no_contacts(int k) {
  const picus_contact_point *contacts;
  (void)picus_result_contacts(o.result, k, &contacts);
  return !contacts;
}
static bool has_no_key(int k) {
  bool is_text;
  return !picus_result_key(o.result, k, &is_text);
}

typedef struct indexed {
  const char *name;
  bool (*is_right)(int k); /* for a k that is out of range */
  bool negative;           /* only negative numbers are out of range: a count, whose array is as long as it says */
} indexed;

/* CASE(function, what holds for an index k out of range); COUNT: the same for a number of entries. */
#define CASE(name, holds)                                                                                              \
  static bool case_##name(int k) { return (holds); }
#define COUNT(name, holds) CASE(name, holds)
#include "indices.h"
#undef CASE
#undef COUNT
#define CASE(name, holds) {#name, case_##name, false},
#define COUNT(name, holds) {#name, case_##name, true},
static const indexed functions[] = {
#include "indices.h"
};

static void every_function_checks_its_index(void) {
  static const int numbers[] = {-1, -2, -1000, INT_MIN, 100000, INT_MAX};
  if (make_objects()) {
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
      for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if (numbers[k] < 0 || !functions[i].negative)
          if (!CHECK(functions[i].is_right(numbers[k]))) printf("  %s(%d)\n", functions[i].name, numbers[k]);
  }
  release_objects();
}

/* The first index beyond the last one, and the last one itself. */
static void the_range_ends_where_it_says(void) {
  if (make_objects()) {
    const int columns = picus_result_column_count(o.result), laws = picus_system_law_count(o.system);
    const int works = picus_system_nu(o.system), tables = picus_result_node_table_count(o.result);
    CHECK(columns > 3 && laws > 0 && tables == 1 && picus_modes_count(o.modes) > 0);
    CHECK(!is_no_column(picus_result_column(o.result, columns - 1)));
    CHECK(is_no_column(picus_result_column(o.result, columns)));
    CHECK(is_no_column(picus_result_column(o.result, picus_result_find(o.result, "nosuch"))));
    CHECK(!is_no_table(picus_result_node_table_at(o.result, 0)) &&
          is_no_table(picus_result_node_table_at(o.result, 1)));
    CHECK(picus_result_node_table_rows(o.result, 0) > 1 && picus_result_node_table_rows(o.result, 1) == 0);
    CHECK(!is_no_law(picus_system_law_at(o.system, laws - 1)) && is_no_law(picus_system_law_at(o.system, laws)));
    CHECK(picus_system_u_name(o.system, works - 1) && !picus_system_u_name(o.system, works));
    CHECK(!is_no_mode(picus_modes_at(o.modes, 0)) && is_no_mode(picus_modes_at(o.modes, picus_modes_count(o.modes))));
    CHECK(!is_no_panel(picus_result_plot(o.result, 0)) && is_no_panel(picus_result_plot(o.result, 1)));
    const int present = picus_sim_present_count(o.sim);
    CHECK(!is_no_present_law(picus_sim_present_law(o.sim, present - 1)));
    CHECK(is_no_present_law(picus_sim_present_law(o.sim, present)));
  }
  release_objects();
}

static void stop_times_are_checked(void) {
  static const double times[] = {0.01, NAN, 0.02};
  picus_run_hooks hooks = {.stop_count = -3, .stop_times = times};
  if (make_objects()) {
    const picus_sim_options options = picus_model_sim_options(o.model);
    picus_sim_destroy(o.sim);
    CHECK(picus_sim_create(o.context, o.system, &options, &o.sim) == PICUS_OK);
    CHECK(fails(picus_sim_run(o.sim, NULL, &hooks, NULL)));
    CHECK_TEXT(picus_last_error(o.context)->message,
               "stop_count = -3 stop times are given; it must be 0 or the length of stop_times");
    hooks.stop_count = 3;
    CHECK(picus_sim_run(o.sim, NULL, &hooks, NULL) == PICUS_ERROR_NUMBER);
    CHECK_TEXT(picus_last_error(o.context)->message, "stop time 2 of 3 is not a number");
    hooks.stop_times = NULL;
    CHECK(fails(picus_sim_run(o.sim, NULL, &hooks, NULL)));
    CHECK(picus_sim_state(o.sim).t == 0);
    hooks.stop_times = times;
    hooks.stop_count = 1;
    CHECK(picus_sim_run(o.sim, NULL, &hooks, NULL) == PICUS_OK);
  }
  release_objects();
}

/* A step that does not change the time is an error, not a step. */
static void time_advances_in_every_step(void) {
  if (make_objects()) {
    const picus_state at = picus_sim_state(o.sim);
    CHECK(fails(picus_sim_set_state(o.sim, 1e300, at.q, at.u)));
    CHECK_TEXT(picus_last_error(o.context)->message,
               "the step size dt = 0.001 is below round-off at time 1e+300; use a larger step");
    CHECK(fails(picus_sim_set_state(o.sim, -1e20, at.q, at.u)));
    CHECK(picus_sim_set_state(o.sim, 1e9, at.q, at.u) == PICUS_OK);
    CHECK(fails(picus_sim_step(o.sim, 1e-9, NULL)));
    CHECK(picus_sim_step(o.sim, 1e-3, NULL) == PICUS_OK && picus_sim_state(o.sim).t > 1e9);
  }
  release_objects();
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"every_function_checks_its_index", every_function_checks_its_index},
      {"the_range_ends_where_it_says", the_range_ends_where_it_says},
      {"stop_times_are_checked", stop_times_are_checked},
      {"time_advances_in_every_step", time_advances_in_every_step},
  };
  return test_main(argc, argv, "indices", cases, sizeof cases / sizeof cases[0]);
}
