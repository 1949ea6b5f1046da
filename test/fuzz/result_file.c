/* Fuzz target: result files with damage, of a model with columns only, of one with contacts that come and go, or of one
 * with tables of nodes; the last byte of an input chooses it, the others are edits. What is opened can be read to its
 * last value, text and switching point, compared and exported; what is refused is refused with a sentence. */
#define _POSIX_C_SOURCE 200809L
#include "fuzz.h"
#include "hdf5_edits.h"

#include <unistd.h>

static const char model_text[] =
    "model('block', 'on an incline')\n"
    "local p = parameters {mu = {0.4, '', 'friction'}}\n"
    "local q, u = coordinates {{'x', velocity = 'vx', start = {0, 1}, unit = 'm'}, {'z', velocity = 'vz', start = "
    "{0.01, 0}}}\n"
    "kinetic((u.vx^2 + u.vz^2) / 2)\npotential(9.81 * q.z)\n"
    "contact {'floor', gap = q.z, slip = u.vx, mu = p.mu, eN = 0.5}\nobserve {'twice', 2 * q.x}\n"
    "plot {x = 't', y = {'vx', 'vz'}}\n"
    "draw {'polygon', {q.x, q.z}, {q.x + 1, q.z}, {q.x, q.z + sin(t)}, fill = 'red', name = 'block'}\n"
    "draw {'mesh', {q.x, 0, 0}, {0, q.z, 0}, {0, 0, 1}, faces = {{1, 2, 3}}}\n"
    "draw {'contact', 'floor', at = {q.x, q.z}, normal = {0, 1}}\n";

static const char disks_text[] = "gravity {0, -9.81}\nmaterial {'default', mu = 0.3, eN = 0.2}\n"
                                 "disk {'a', radius = 0.5, density = 1, position = {0, 0.51}, velocity = {1, 0}}\n"
                                 "disk {'b', radius = 0.5, density = 1, position = {0.1, 1.52}}\n"
                                 "half_space {'floor', normal = {0, 1}, position = {0, 0}, extent = 2}\n";

static const char beam_text[] =
    "local b = beam {'b', elements = 3, length = 1, circle = 0.02, density = 1000, young = 1e7,\n"
    "  supports = {{0, 'clamped'}}, bodies = {{3, mass = 1}}, record = {3}}\n"
    "contact {'stop', gap = b.uy[3] + 1e-3}\n";

typedef struct text {
  const char *bytes;
  size_t size;
} text;
enum { TEXTS = 3 };
static const text texts[TEXTS] = {
    {model_text, sizeof model_text - 1}, {disks_text, sizeof disks_text - 1}, {beam_text, sizeof beam_text - 1}};

/* A short run in a file. */
static picus_status record(picus_context *context, const picus_model *model, const picus_system *system,
                           const char *path) {
  picus_sim_options options = picus_default_sim_options();
  picus_sim *sim = NULL;
  picus_recorder *recorder = NULL;
  options.dt = 1e-3;
  options.t_end = 0.06; /* with some impacts */
  picus_run_description run = {model, system, &options, "fuzz"};
  picus_status status = picus_sim_create(context, system, &options, &sim);
  if (!status) status = picus_recorder_create(context, &run, &recorder);
  if (!status) status = picus_recorder_add_hdf5(recorder, path);
  if (!status) status = picus_sim_run(sim, recorder, NULL, NULL);
  picus_recorder_destroy(recorder);
  picus_sim_destroy(sim);
  return status;
}

static void make_result(const char *path, const text *of) {
  picus_context *context = NULL;
  picus_model *model = NULL;
  picus_system *system = NULL;
  fuzz_demand(picus_context_create(NULL, &context) == PICUS_OK);
  picus_status status = picus_model_load_text(context, "block.lua", of->bytes, of->size, NULL, &model);
  if (!status) status = picus_system_create(model, &system);
  if (!status) status = record(context, model, system, path);
  if (status) fprintf(stderr, "%s\n", picus_last_error(context)->message);
  fuzz_demand(status == PICUS_OK);
  picus_system_destroy(system);
  picus_model_destroy(model);
  fuzz_end(context);
}

static double sum_of_text(const char *text) {
  double sum = 0;
  fuzz_demand(text != NULL);
  for (; *text; text++) sum += *text;
  return sum;
}

static double read_columns(picus_context *context, picus_result *result) {
  double sum = 0;
  for (int i = 0; i < picus_result_column_count(result); i++) {
    picus_column column = picus_result_column(result, i);
    const double *values = NULL;
    sum += sum_of_text(column.name) + sum_of_text(column.unit) + sum_of_text(column.label) +
           picus_result_find(result, column.name);
    if (!fuzz_accepted(context, picus_result_values(result, i, &values))) continue;
    for (long k = 0; k < picus_result_row_count(result); k++) sum += values[k];
  }
  return sum;
}

static double read_facts(picus_result *result) {
  double sum = 0;
  bool is_text;
  const char *key;
  for (int i = 0; (key = picus_result_key(result, i, &is_text)) != NULL; i++)
    sum += is_text ? sum_of_text(picus_result_text(result, key)) : picus_result_number(result, key);
  for (int i = 0; i < picus_result_plot_count(result); i++) {
    picus_plot_panel panel = picus_result_plot(result, i);
    sum += sum_of_text(panel.x);
    for (int k = 0; k < panel.count; k++) sum += sum_of_text(panel.y[k]);
  }
  for (int i = 0; i < picus_result_law_count(result); i++) {
    picus_result_law law = picus_result_law_at(result, i);
    sum += sum_of_text(law.name) + sum_of_text(law.kind) + law.slips;
  }
  return sum;
}

static double read_switchings(picus_context *context, picus_result *result) {
  const picus_switching *switchings = NULL;
  double sum = 0;
  if (!fuzz_accepted(context, picus_result_switchings(result, &switchings))) return 0;
  for (long k = 0; k < picus_result_switching_count(result); k++) {
    fuzz_demand(switchings[k].law >= 0 && switchings[k].law < picus_result_law_count(result));
    sum += switchings[k].t + sum_of_text(picus_mode_text(switchings[k].from, 1));
    sum += sum_of_text(picus_mode_text(switchings[k].to, 0));
  }
  return sum;
}

static double read_contacts(picus_context *context, picus_result *result) {
  double sum = 0;
  for (long row = 0; row < picus_result_contact_rows(result); row++) {
    const picus_contact_point *contacts = NULL;
    if (!fuzz_accepted(context, picus_result_contacts(result, row, &contacts))) return sum;
    for (int k = 0; k < picus_result_contact_count(result, row); k++) {
      for (int i = 0; i < 2; i++)
        if (contacts[k].body[i] >= 0) sum += sum_of_text(picus_result_body(result, contacts[k].body[i]));
      sum += contacts[k].gap + sum_of_text(picus_mode_text(contacts[k].mode, 1));
    }
  }
  return sum;
}

static double read_nodes(picus_context *context, picus_result *result) {
  double sum = 0;
  for (int k = 0; k < picus_result_node_table_count(result); k++) {
    const picus_node_table table = picus_result_node_table_at(result, k);
    const long rows = picus_result_node_table_rows(result, k);
    const size_t count = (size_t)table.node_count * (size_t)table.component_count;
    if (rows < 1 || count > 100000) continue;
    double *values = calloc(2 * count + 1, sizeof *values);
    fuzz_demand(values != NULL);
    double *const lists[2] = {values, values + count};
    if (fuzz_accepted(context, picus_result_node_table_read(result, k, rows - 1, 1, lists)))
      for (size_t i = 0; i < 2 * count; i++) sum += values[i];
    sum += sum_of_text(table.name);
    free(values);
  }
  return sum;
}

static double read_drawing(picus_context *context, picus_result *result) {
  const picus_drawing *d;
  if (!fuzz_accepted(context, picus_result_drawing(result, &d)) || !d) return 0;
  double *variables = calloc((size_t)d->variable_count + 1, sizeof *variables), sum = 0;
  double *values = calloc((size_t)d->step_count + 1, sizeof *values);
  fuzz_demand(variables && values);
  picus_drawing_evaluate(d, variables, values);
  for (int k = 0; k < d->shape_count; k++)
    for (int i = 0; i < d->shapes[k].count; i++)
      for (int j = 0; j < 3; j++) {
        int step = d->points[d->shapes[k].first_point + i][j];
        if (step >= 0) sum += values[step];
      }
  for (int k = 0; k < d->site_count; k++) sum += sum_of_text(d->sites[k].law);
  free(variables);
  free(values);
  return sum;
}

static volatile double keep_reading; /* or the compiler sees that nobody wants the sums */

static void read_all(picus_context *context, const char *path, const char *original) {
  picus_result *result = NULL, *reference = NULL;
  picus_comparison *comparison = NULL;
  const char *table = "fuzz-result.csv";
  if (fuzz_accepted(context, picus_result_open(context, path, &result))) {
    keep_reading = read_columns(context, result) + read_facts(result) + read_switchings(context, result) +
                   read_drawing(context, result) + read_contacts(context, result) + read_nodes(context, result);
    fuzz_accepted(context, picus_result_export_switchings(result, -1, table));
    fuzz_accepted(context, picus_result_export_rows(result, table));
    if (picus_result_contact_rows(result) >= 0) fuzz_accepted(context, picus_result_export_contacts(result, table));
    for (int k = 0; k < picus_result_node_table_count(result); k++)
      fuzz_accepted(context, picus_result_export_nodes(result, k, table));
    if (fuzz_accepted(context, picus_result_open(context, original, &reference)))
      fuzz_accepted(context, picus_result_compare(context, result, reference, 0, NULL, &comparison));
    picus_comparison_destroy(context, comparison);
  }
  picus_result_close(reference);
  picus_result_close(result);
  remove(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  static fuzz_original originals[TEXTS];
  char path[64], original_path[64];
  picus_context *context = NULL;
  const int which = size > 0 ? bytes[size - 1] % TEXTS : 0;
  fuzz_original *original = &originals[which];
  snprintf(path, sizeof path, "fuzz-result-%ld.h5", (long)getpid());
  snprintf(original_path, sizeof original_path, "fuzz-original-%d-%ld.h5", which, (long)getpid());
  if (!original->bytes) {
    fuzz_begin_hdf5();
    make_result(original_path, &texts[which]);
    fuzz_demand(fuzz_original_read(original, original_path));
  }
  if (!fuzz_original_write(original, path) || picus_context_create(NULL, &context)) return 0;
  fuzz_edit_hdf5(path, bytes, size > 0 ? size - 1 : 0);
  long before = fuzz_open_objects();
  read_all(context, path, original_path);
  fuzz_demand(fuzz_open_objects() == before);
  fuzz_end(context);
  remove(path);
  return 0;
}
