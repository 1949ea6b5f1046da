/* Errors on standard error, contexts, and loading a model with its --set options. */
#include "base/internal.h"
#include "run_options.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *cli_error_text(const picus_context *context) {
  const picus_error *error = picus_last_error(context);
  if (!error->status) return picus_status_text(PICUS_ERROR_MEMORY); /* of the tool itself: all others are stored */
  return error->message[0] ? error->message : picus_status_text(error->status);
}

int cli_report_error(const picus_context *context, int exit_code) {
  const picus_error *error = picus_last_error(context);
  if (error->file[0])
    cli_fprint(stderr, "picus: %s:%d: %s\n", error->file, error->line, cli_error_text(context));
  else
    cli_complain("%s", cli_error_text(context));
  return exit_code;
}

static void print_log(void *user, picus_log_level level, const char *message) {
  (void)user;
  cli_fprint(stderr, "%s: %s\n", level == PICUS_LOG_WARNING ? "warning" : "note", message);
}

picus_context *cli_context(bool quiet) {
  picus_context_def def = picus_default_context_def();
  def.log = quiet ? NULL : print_log;
  picus_context *context;
  if (!picus_context_create(&def, &context)) return context;
  cli_complain("out of memory");
  return NULL;
}

bool cli_use_threads(picus_context *context, const cli_arguments *arguments) {
  long threads = 0;
  if (!cli_integer(arguments, "threads", &threads)) return false;
  if (cli_given(arguments, "threads") && threads < 1) threads = -1; /* 0 means something to the library alone */
  picus_status status = picus_context_set_threads(context, threads > INT_MAX ? INT_MAX : (int)threads);
  if (status == PICUS_ERROR_ARGUMENT)
    cli_complain("--threads must be an integer from 1 to 256, not %s", cli_value(arguments, "threads", 0));
  else if (status)
    cli_report_error(context, EXIT_RUN_FAILED);
  return !status;
}

/* A number, or an expression of numbers, such as 2*pi/6; NAN: neither. */
double cli_number_of(picus_context *context, const char *text) {
  char *end;
  const double number = strtod(text, &end);
  if (end > text && *end == '\0') return number;
  double value = NAN;
  picus_model *model = NULL;
  if (picus_model_create(context, "numbers", &model)) return NAN;
  const picus_expr expr = picus_expr_parse(model, text);
  if (!picus_expr_is_number(picus_model_pool(model), expr, &value)) value = NAN;
  picus_model_destroy(model);
  picus_clear_error(context);
  return value;
}

/* NAME=VALUE */
static bool parse_override(picus_context *context, const char *text, picus_override *out) {
  const char *equals = strchr(text, '=');
  const double value = equals && equals > text ? cli_number_of(context, equals + 1) : NAN;
  if (isnan(value)) {
    cli_complain("--set takes NAME=VALUE with a number or a formula such as 2*pi/6, not '%.100s'", text);
    return false;
  }
  size_t length = (size_t)(equals - text);
  char *name = malloc(length + 1);
  if (!name) {
    cli_complain("out of memory");
    return false;
  }
  memcpy(name, text, length);
  name[length] = '\0';
  out->name = name;
  out->value = value;
  return true;
}

static picus_override *parse_overrides(picus_context *context, const cli_arguments *arguments, int *count) {
  int given = 0;
  while (cli_value(arguments, "set", given)) given++;
  picus_override *overrides = calloc((size_t)given + 1, sizeof *overrides);
  *count = 0;
  for (int i = 0; overrides && i < given; i++) {
    if (!parse_override(context, cli_value(arguments, "set", i), &overrides[*count])) {
      for (int k = 0; k < *count; k++) free((void *)overrides[k].name);
      free(overrides);
      return NULL;
    }
    ++*count;
  }
  return overrides;
}

/* The system of the model, within the limits of --derive-memory and --derive-nodes, until Ctrl-C. */
static picus_status derive(const cli_arguments *arguments, cli_model *loaded) {
  double megabytes = 0, nodes = 0;
  (void)cli_number(arguments, "derive-memory", &megabytes); /* checked before */
  (void)cli_number(arguments, "derive-nodes", &nodes);
  picus_derivation derivation = {.memory_limit = (size_t)(megabytes * 0x1p20),
                                 .node_limit = (uint64_t)nodes,
                                 .interrupt = cli_interrupted,
                                 .native = cli_given(arguments, "native")};
  cli_catch_ends();
  return picus_system_create_within(loaded->model, &derivation, &loaded->system);
}

/* false, already reported: a limit of the model file or of the derivation is not a number in its range. */
static bool check_limits(const cli_arguments *arguments) {
  static const char *const names[] = {"model-memory", "derive-memory", "derive-nodes"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    double value = 1;
    if (!cli_number(arguments, names[k], &value)) return false;
    if (value >= 1 && value <= 1e12) continue;
    cli_complain("--%s must be between 1 and 1e12, not %s", names[k], cli_value(arguments, names[k], 0));
    return false;
  }
  return true;
}

/* The file of --out is HDF5: .h5, .hdf5, or no extension. false, already reported: it has another extension. */
static bool check_extension(const cli_arguments *arguments) {
  const char *path = cli_value(arguments, "out", 0);
  if (!path) return true;
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
  if (!dot || dot == name || strcmp(dot, ".h5") == 0 || strcmp(dot, ".hdf5") == 0) return true;
  cli_complain("--out writes HDF5, so '%s' must end in .h5 or .hdf5; use --csv FILE.csv for CSV", path);
  return false;
}

void cli_choose_base(picus_context *context, const cli_arguments *arguments, const cli_model *loaded,
                     picus_sim_options *out) {
  if (cli_given(arguments, "scheme") || picus_model_sim_options(loaded->model).adaptive) return;
  out->scheme = picus_adaptive_scheme(context, loaded->system, out->t_start);
}

int cli_load(picus_context *context, const cli_arguments *arguments, cli_model *out) {
  return cli_load_given(context, arguments, NULL, out);
}

static picus_status load_model(picus_context *context, const cli_arguments *arguments, const cli_given_model *given,
                               picus_load_options *options, picus_model **out) {
  if (!given) return picus_model_load(context, cli_operand(arguments, 0), options, out);
  options->has_files = true;
  options->file_count = given->file_count;
  options->files = given->files;
  return picus_model_load_text(context, given->name, given->text, strlen(given->text), options, out);
}

/* --section may be an expression: then the model has an event where it is 0. Other names, which may contain -, are
 * those of laws and events, or wrong, which is reported later, with the nearest one. */
static picus_status add_crossing(picus_context *context, const cli_arguments *arguments, picus_model *model) {
  const char *text = cli_value(arguments, "section", 0);
  const size_t length = text ? strcspn(text, ":") : 0;
  char name[256];
  if (length == 0 || length >= sizeof name) return PICUS_OK;
  memcpy(name, text, length);
  name[length] = '\0';
  const bool is_expression = strpbrk(name, " +*/^()") || picus_expr_valid(picus_model_symbol(model, name));
  picus_clear_error(context);
  return is_expression ? picus_model_add_crossing(model, text) : PICUS_OK;
}

int cli_load_with(picus_context *context, const cli_arguments *arguments, const cli_given_model *given, int count,
                  const picus_override *overrides, cli_model *out) {
  *out = (cli_model){0};
  double t_start;
  if (!check_limits(arguments) || !check_extension(arguments) || !cli_number(arguments, "t-start", &t_start))
    return EXIT_WRONG_INPUT;
  double megabytes = 0;
  (void)cli_number(arguments, "model-memory", &megabytes); /* checked before */
  picus_load_options options = {
      .override_count = count, .overrides = overrides, .memory_limit = (size_t)(megabytes * 0x1p20)};
  picus_status status = load_model(context, arguments, given, &options, &out->model);
  if (!status) status = cli_set_early_options(arguments, out->model);
  if (!status) status = add_crossing(context, arguments, out->model);
  if (!status) status = derive(arguments, out);
  if (!status) return EXIT_DONE;
  cli_unload(out);
  return cli_report_error(context, status == PICUS_INTERRUPTED ? EXIT_RUN_FAILED : EXIT_WRONG_INPUT);
}

int cli_load_given(picus_context *context, const cli_arguments *arguments, const cli_given_model *given,
                   cli_model *out) {
  int count;
  picus_override *overrides = parse_overrides(context, arguments, &count);
  if (!overrides) return EXIT_WRONG_INPUT;
  const int code = cli_load_with(context, arguments, given, count, overrides, out);
  for (int k = 0; k < count; k++) free((void *)overrides[k].name);
  free(overrides);
  return code;
}

void cli_unload(cli_model *loaded) {
  picus_system_destroy(loaded->system);
  picus_model_destroy(loaded->model);
  *loaded = (cli_model){0};
}

/* --- results of very many rows ------------------------------------------------------------------------------------ */

enum {
  MOST_ROWS = 1 << 25, /* 256 MB a column */
  SHOWN_ROWS = 4096    /* more than a figure has points side by side */
};

void cli_thin(picus_result *result) { picus_result_thin(result, MOST_ROWS, SHOWN_ROWS); }

picus_status cli_open_thinned(picus_context *context, const char *path, picus_result **result) {
  picus_status status = picus_result_open(context, path, result);
  if (!status) cli_thin(*result);
  return status;
}

picus_status cli_thin_pair(picus_context *context, picus_result *result, picus_result *other) {
  const long rows = picus_result_row_count(result), others = picus_result_row_count(other);
  if (rows != others && (rows > MOST_ROWS || others > MOST_ROWS))
    return picus_fail(context, PICUS_ERROR_ARGUMENT,
                      "results of %ld and %ld rows cannot be compared: above %d rows, both must have equally many",
                      rows, others, MOST_ROWS);
  cli_thin(result);
  cli_thin(other);
  return PICUS_OK;
}
