/* picus.txt has a line for each fact:
 *
 *   picus-fmu 1            this format
 *   token 1f3a...          of modelDescription.xml
 *   model ball.lua         name of the model file
 *   set m 0.5              a parameter or the start of an input
 *   number dt 1e-05        an option of the run, by its name in simulate { ... }
 *   word scheme rattle
 *   data ground.stl        a file that the model names; they are data-1, data-2, ...
 */
#include "fmu/package.h"
#include "base/decimal.h"
#include "base/growing_text.h"
#include "base/input_file.h"
#include "base/internal.h"
#include "model/internal.h"
#include "options/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_ROOM = 4096, FILES_MOST = 10000 };
static const size_t settings_most = (size_t)16 << 20, model_most = (size_t)256 << 20, data_most = (size_t)2 << 30;

/* --- writing ------------------------------------------------------------------------------------------------------ */

/* Lines, one for each fact. */
typedef struct lines {
  picus_growing_text text;
  picus_decimal_powers powers;
} lines;

static void put(lines *l, const char *text) { picus_growing_put(&l->text, text); }

static void put_fact(lines *l, const char *kind, const char *name, const char *value) {
  put(l, kind);
  put(l, " ");
  put(l, name);
  put(l, value ? " " : "");
  put(l, value ? value : "");
  put(l, "\n");
}

static void put_number(lines *l, const char *kind, const char *name, double value) {
  char text[PICUS_DECIMAL_SIZE + 1];
  *picus_decimal_write(&l->powers, value, text) = '\0';
  put_fact(l, kind, name, text);
}

static bool is_tableau(const picus_tableau *a, const picus_tableau *b) {
  if (a->stages != b->stages || a->order != b->order) return false;
  for (int k = 0; k < PICUS_STAGES_MOST; k++)
    for (int i = 0; i < PICUS_STAGES_MOST; i++)
      if (a->rows[k][i] != b->rows[k][i]) return false;
  return true;
}

static const char *tableau_of(const picus_tableau *tableau) {
  for (int k = 0; picus_tableau_name(k); k++)
    if (is_tableau(picus_tableau_named(picus_tableau_name(k)), tableau)) return picus_tableau_name(k);
  return NULL; /* the default, or one of the model's text */
}

static void put_options(lines *l, const picus_model *model, const picus_sim_options *sim) {
  const picus_run_options options = {.sim = *sim, .assemble = model->run.values.assemble};
  for (int k = 0; k < PICUS_OPTION_TOTAL; k++) {
    const picus_option *o = &picus_option_table[k];
    if (o->kind == PICUS_OPTION_OF_TABLEAU) {
      const char *name = tableau_of(&sim->half_explicit.tableau);
      if (name) put_fact(l, "word", o->name, name);
    } else if (picus_option_is_default(&options, k))
      continue;
    else if (picus_option_takes_text(k))
      put_fact(l, "word", o->name, picus_option_text(&options, k));
    else
      put_number(l, "number", o->name, picus_option_number(&options, k));
  }
}

/* Values of parameters that differ from those of the text, and where the inputs start. */
static void put_values(lines *l, const picus_model *model) {
  for (int k = 0; k < picus_model_parameter_count(model); k++) {
    const picus_parameter p = picus_model_parameter(model, k);
    if (p.value != p.default_value) put_number(l, "set", p.name, p.value);
  }
  for (int k = 0; k < picus_model_input_count(model); k++) {
    const picus_input_def input = picus_model_input(model, k);
    put_number(l, "set", input.name, input.start);
  }
}

static bool is_one_line(const char *text) { return !strpbrk(text, "\n\r"); }

picus_status fmu_package_describe(picus_context *context, const char *name, const picus_model *model,
                                  const picus_sim_options *options, char **out) {
  lines *l = picus_allocate(context, 1, sizeof *l);
  if (!l) return PICUS_ERROR_MEMORY;
  l->text.context = context;
  picus_decimal_prepare(&l->powers);
  put_fact(l, "model", is_one_line(name) ? name : "model", NULL);
  put_values(l, model);
  put_options(l, model, options);
  for (int k = 0; k < picus_model_file_count(model); k++) {
    const char *file = picus_model_file_at(model, k).name;
    if (!is_one_line(file))
      l->text.status =
          picus_fail(context, PICUS_ERROR_UNSUPPORTED, "a file that the model names has a line break in its name");
    else
      put_fact(l, "data", file, NULL);
  }
  const picus_status status = l->text.status;
  *out = l->text.bytes;
  if (status) picus_release(context, l->text.bytes);
  picus_release(context, l);
  return status;
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static picus_status reject(picus_context *context, int line, const char *why) {
  return picus_fail(context, PICUS_ERROR_MODEL, "%s:%d of the FMU %s; export it again", FMU_SETTINGS_FILE, line, why);
}

static picus_status read_setting(picus_context *context, fmu_package *p, int line, bool is_word, const char *name,
                                 char *value) {
  const int option = picus_option_find(name);
  if (option < 0) return reject(context, line, "names an option that this version of Picus does not have");
  picus_setting *s = &p->options[p->option_count++];
  *s = (picus_setting){.name = name, .text = is_word ? value : NULL};
  if (is_word) return PICUS_OK;
  char *end;
  s->number = strtod(value, &end);
  if (*end || end == value || !isfinite(s->number)) return reject(context, line, "has an option that is no number");
  if (picus_option_allows(option, s->number) || s->number == picus_option_table[option].number) return PICUS_OK;
  return reject(context, line, "has an option beyond its range");
}

static picus_status read_override(picus_context *context, fmu_package *p, int line, const char *name, char *value) {
  char *end;
  const double number = strtod(value, &end);
  if (*end || end == value || !isfinite(number)) return reject(context, line, "has a value that is no number");
  p->overrides[p->override_count++] = (picus_override){name, number};
  return PICUS_OK;
}

static picus_status read_line(picus_context *context, fmu_package *p, int line, char *text) {
  char *rest = strchr(text, ' ');
  if (!rest) return reject(context, line, "is not a fact with a value");
  *rest++ = '\0';
  if (strcmp(text, "token") == 0) {
    p->token = rest;
    return PICUS_OK;
  }
  if (strcmp(text, "model") == 0) {
    p->name = rest;
    return PICUS_OK;
  }
  if (strcmp(text, "data") == 0) {
    if (p->file_count == FILES_MOST) return reject(context, line, "names too many files");
    p->files[p->file_count++].name = rest;
    return PICUS_OK;
  }
  char *value = strrchr(rest, ' ');
  if (!value) return reject(context, line, "has a name without a value");
  *value++ = '\0';
  if (strcmp(text, "set") == 0) return read_override(context, p, line, rest, value);
  const bool is_word = strcmp(text, "word") == 0;
  if (is_word || strcmp(text, "number") == 0) return read_setting(context, p, line, is_word, rest, value);
  return reject(context, line, "has a fact that this version of Picus does not know");
}

static picus_status read_lines(picus_context *context, fmu_package *p) {
  static const char first[] = "picus-fmu 1\n";
  if (strncmp(p->settings, first, sizeof first - 1) != 0)
    return reject(context, 1, "is not 'picus-fmu 1', the format of this version of Picus");
  size_t count = 1;
  for (const char *c = p->settings; *c; c++) count += *c == '\n';
  p->overrides = picus_allocate(context, count, sizeof *p->overrides);
  p->options = picus_allocate(context, count, sizeof *p->options);
  p->files = picus_allocate(context, count, sizeof *p->files);
  if (!p->overrides || !p->options || !p->files) return PICUS_ERROR_MEMORY;
  picus_status status = PICUS_OK;
  int number = 2;
  for (char *line = p->settings + sizeof first - 1, *next; !status && *line; line = next, number++) {
    next = strchr(line, '\n');
    if (!next) return reject(context, number, "has no end: the file is cut off");
    *next++ = '\0';
    status = read_line(context, p, number, line);
  }
  if (!status && (!p->token || !p->name)) status = reject(context, number, "ends without a token and a model");
  return status;
}

/* PICUS_ERROR_IO with the path in the message, as picus_file_bytes has it. */
static picus_status read_file(picus_context *context, const char *folder, const char *name, size_t most,
                              unsigned char **bytes, size_t *size) {
  char path[PATH_ROOM];
  if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
    return picus_fail(context, PICUS_ERROR_IO, "the path of the FMU's resources is longer than %d bytes", PATH_ROOM);
  return picus_file_bytes(context, path, most, bytes, size);
}

static picus_status read_settings(picus_context *context, const char *folder, fmu_package *p) {
  unsigned char *bytes = NULL;
  size_t size = 0;
  picus_status status = read_file(context, folder, FMU_SETTINGS_FILE, settings_most, &bytes, &size);
  if (!bytes) return status ? status : PICUS_ERROR_MEMORY;
  p->settings = (char *)bytes;
  return strlen(p->settings) == size ? read_lines(context, p) : reject(context, 1, "holds a zero byte");
}

static picus_status read_data(picus_context *context, const char *folder, fmu_package *p) {
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < p->file_count; k++) {
    char name[32];
    unsigned char *bytes = NULL;
    snprintf(name, sizeof name, FMU_DATA_FILE, k + 1);
    status = read_file(context, folder, name, data_most, &bytes, &p->files[k].size);
    p->files[k].bytes = bytes;
  }
  return status;
}

picus_status fmu_package_read(picus_context *context, const char *folder, fmu_package *out) {
  *out = (fmu_package){0};
  unsigned char *text = NULL;
  picus_status status = read_settings(context, folder, out);
  if (!status) status = read_file(context, folder, FMU_MODEL_FILE, model_most, &text, &out->text_size);
  out->text = (char *)text;
  if (!status) status = read_data(context, folder, out);
  if (status) fmu_package_release(context, out);
  return status;
}

void fmu_package_release(picus_context *context, fmu_package *package) {
  for (int k = 0; k < package->file_count; k++) picus_release(context, (void *)package->files[k].bytes);
  picus_release(context, package->files);
  picus_release(context, package->overrides);
  picus_release(context, package->options);
  picus_release(context, package->settings);
  picus_release(context, package->text);
  *package = (fmu_package){0};
}

/* --- the model ---------------------------------------------------------------------------------------------------- */

/* Every option that is not in the package has its default, whatever the text of the model says: the package has what
 * the run of the exporter had. A tableau that has no name is that of the text. */
static picus_status choose_options(picus_context *context, const fmu_package *p, const picus_model *model,
                                   picus_run_options *out) {
  picus_run_options options = picus_option_defaults();
  options.sim.half_explicit.tableau = picus_model_sim_options(model).half_explicit.tableau;
  for (int k = 0; k < p->option_count; k++) {
    const picus_setting *s = &p->options[k];
    const int option = picus_option_find(s->name);
    const picus_option *o = &picus_option_table[option];
    if ((s->text != NULL) != (picus_option_takes_text(option) || o->kind == PICUS_OPTION_OF_TABLEAU))
      return picus_fail(context, PICUS_ERROR_MODEL, "%s of the FMU gives option '%s' a value of another kind",
                        FMU_SETTINGS_FILE, s->name);
    const int word = o->words && s->text ? picus_option_find_word(option, s->text) : 0;
    const picus_tableau *tableau = o->kind == PICUS_OPTION_OF_TABLEAU ? picus_tableau_named(s->text) : NULL;
    if (word < 0 || (o->kind == PICUS_OPTION_OF_TABLEAU && !tableau))
      return picus_fail(context, PICUS_ERROR_MODEL, "%s of the FMU gives option '%s' a word that it does not have",
                        FMU_SETTINGS_FILE, s->name);
    if (tableau)
      options.sim.half_explicit.tableau = *tableau;
    else if (o->kind == PICUS_OPTION_NAME)
      picus_option_set_name(&options, option, s->text);
    else
      picus_option_set_number(&options, option, s->text ? word : s->number);
  }
  *out = options;
  return PICUS_OK;
}

/* Those that must be known before the equations are derived. */
static picus_status set_early_options(picus_model *model, const picus_run_options *options) {
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < PICUS_OPTION_TOTAL; k++)
    if (picus_option_is_early(k))
      status = picus_model_set_run_number(model, picus_option_table[k].name, picus_option_number(options, k));
  return status;
}

static picus_status load_model(picus_context *context, const fmu_package *p, double t_start, int count,
                               const picus_override *values, fmu_loaded *out) {
  picus_run_options options;
  const picus_load_options load = {
      .override_count = count, .overrides = values, .has_files = true, .file_count = p->file_count, .files = p->files};
  picus_status status = picus_model_load_text(context, p->name, p->text, p->text_size, &load, &out->model);
  if (!status) status = choose_options(context, p, out->model, &options);
  if (!status && !isnan(t_start)) options.sim.t_start = t_start;
  if (!status) status = set_early_options(out->model, &options);
  if (!status) out->options = options.sim;
  const picus_derivation derivation = {.memory_limit = (size_t)4 << 30, .node_limit = 10000000000u};
  return status ? status : picus_system_create_within(out->model, &derivation, &out->system);
}

picus_status fmu_package_load(picus_context *context, const fmu_package *package, double t_start, int extra_count,
                              const picus_override *extra, fmu_loaded *out) {
  *out = (fmu_loaded){0};
  int count = 0;
  picus_override *values =
      picus_allocate(context, (size_t)package->override_count + (size_t)extra_count + 1, sizeof *values);
  if (!values) return PICUS_ERROR_MEMORY;
  for (int k = 0; k < package->override_count; k++) {
    bool is_replaced = false;
    for (int i = 0; i < extra_count; i++) is_replaced |= strcmp(extra[i].name, package->overrides[k].name) == 0;
    if (!is_replaced) values[count++] = package->overrides[k];
  }
  for (int k = 0; k < extra_count; k++) values[count++] = extra[k];
  picus_status status = load_model(context, package, t_start, count, values, out);
  picus_release(context, values);
  if (status) fmu_loaded_release(out);
  return status;
}

void fmu_loaded_release(fmu_loaded *loaded) {
  picus_system_destroy(loaded->system);
  picus_model_destroy(loaded->model);
  *loaded = (fmu_loaded){0};
}
