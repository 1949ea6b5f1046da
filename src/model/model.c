/* The container: creation, name, source, places and the text it owns. */
#include "model/internal.h"

#include <stdio.h>
#include <string.h>

enum { SENTENCE_SIZE = 1024 };

picus_status picus_model_fail(picus_model *model, picus_status status, const char *format, ...) {
  char sentence[SENTENCE_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  return picus_fail_at(model->context, status, model->place.file, model->place.line, "%s", sentence);
}

picus_status picus_model_note_failed_expr(picus_model *model, picus_status status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(model->failed_text, sizeof model->failed_text, format, arguments);
  va_end(arguments);
  model->failed_status = status;
  return picus_model_fail(model, status, "%s", model->failed_text);
}

const char *picus_model_keep_text(picus_model *model, const char *text) {
  if (!text || !*text) return "";
  if (picus_grow(model->context, &model->texts, model->text_count, &model->text_capacity, sizeof *model->texts))
    return NULL;
  char *copy = picus_copy_text(model->context, text);
  if (copy) model->texts[model->text_count++] = copy;
  return copy;
}

picus_status picus_model_own_variable(picus_model *model, picus_expr symbol, picus_variable_kind kind, int index) {
  if (!picus_expr_valid(symbol)) return picus_pool_status(model->pool);
  size_t variable = (size_t)picus_expr_variable_index(model->pool, symbol);
  if (variable >= model->variable_count) {
    size_t count = 2 * variable + 8;
    picus_model_variable *larger = picus_reallocate(model->context, model->variables, count, sizeof *larger);
    if (!larger) return PICUS_ERROR_MEMORY;
    model->variables = larger;
    model->variable_count = count;
  }
  model->variables[variable] = (picus_model_variable){kind, index};
  return PICUS_OK;
}

picus_status picus_model_create(picus_context *context, const char *name, picus_model **out) {
  *out = NULL;
  picus_model *model = picus_allocate(context, 1, sizeof *model);
  if (!model) return PICUS_ERROR_MEMORY;
  model->context = context;
  model->name = model->description = model->source = "";
  model->run.values = picus_option_defaults();
  picus_status status = picus_model_set_name(model, name, NULL);
  if (!status) status = picus_pool_create(context, &model->pool);
  if (!status) {
    model->time = picus_variable(model->pool, "t");
    status = picus_model_own_variable(model, model->time, PICUS_VARIABLE_TIME, 0);
  }
  if (status)
    picus_model_destroy(model);
  else
    *out = model;
  return status;
}

void picus_model_destroy(picus_model *model) {
  if (!model) return;
  picus_context *context = model->context;
  picus_pool_destroy(model->pool);
  for (int i = 0; i < model->plot_count; i++) picus_release(context, model->plots[i].y);
  picus_release(context, model->handles);
  picus_release(context, model->ranges);
  picus_release(context, (void *)model->crossings);
  for (size_t i = 0; i < model->text_count; i++) picus_release(context, model->texts[i]);
  for (int i = 0; i < model->structure_count; i++) picus_model_release_structure(context, &model->structures[i]);
  for (size_t i = 0; i < model->kept_file_count; i++) picus_release(context, (void *)model->kept_files[i].bytes);
  picus_model_release_drawing(context, &model->draw);
  picus_model_release_collisions(context, &model->collisions);
  void *const arrays[] = {model->structures, model->nodes,  model->parameters,   model->overrides,   model->coordinates,
                          model->velocities, model->mass,   model->force_vector, model->laws,        model->observables,
                          model->stop_times, model->plots,  model->texts,        model->names,       model->variables,
                          model->marks,      model->walk,   model->inertias,     model->quaternions, model->files,
                          model->bodies,     model->inputs, model->kept_files,   model->sampled,     model->signals,
                          model->settings,   model->events};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) picus_release(context, arrays[i]);
  picus_release(context, model);
}

static bool has_control_character(const char *text) {
  for (; *text; text++)
    if ((unsigned char)*text < ' ') return true;
  return false;
}

picus_status picus_model_set_name(picus_model *model, const char *name, const char *description) {
  if (!name || !*name) return picus_model_fail(model, PICUS_ERROR_NAME, "the name of a model must not be empty");
  if (has_control_character(name))
    return picus_model_fail(model, PICUS_ERROR_NAME, "the name of a model must be one line of printable text");
  const char *kept_name = picus_model_keep_text(model, name);
  const char *kept_description = picus_model_keep_text(model, description);
  if (!kept_name || !kept_description) return PICUS_ERROR_MEMORY;
  model->name = kept_name;
  model->description = kept_description;
  return PICUS_OK;
}

const char *picus_model_name(const picus_model *model) { return model->name; }
const char *picus_model_description(const picus_model *model) { return model->description; }
picus_context *picus_model_context(const picus_model *model) { return model->context; }
const char *picus_model_source(const picus_model *model) { return model->source; }
picus_pool *picus_model_pool(picus_model *model) { return model->pool; }
picus_expr picus_model_time(picus_model *model) { return model->time; }

picus_status picus_model_set_source(picus_model *model, const char *text) {
  const char *kept = picus_model_keep_text(model, text);
  if (!kept) return PICUS_ERROR_MEMORY;
  model->source = kept;
  return PICUS_OK;
}

picus_status picus_model_note_file(picus_model *model, const char *path) {
  picus_status status =
      picus_grow(model->context, &model->files, model->file_count, &model->file_capacity, sizeof *model->files);
  const char *kept = status ? NULL : picus_model_keep_text(model, path);
  if (!kept) return PICUS_ERROR_MEMORY;
  model->files[model->file_count++] = kept;
  return PICUS_OK;
}

picus_status picus_model_keep_file(picus_model *model, const char *name, unsigned char *bytes, size_t size) {
  picus_status status = picus_grow(model->context, &model->kept_files, model->kept_file_count,
                                   &model->kept_file_capacity, sizeof *model->kept_files);
  const char *kept = status ? NULL : picus_model_keep_text(model, name);
  if (!kept) {
    picus_release(model->context, bytes);
    return PICUS_ERROR_MEMORY;
  }
  model->kept_files[model->kept_file_count++] = (picus_model_file){kept, bytes, size};
  return PICUS_OK;
}

int picus_model_file_count(const picus_model *model) { return (int)model->kept_file_count; }

picus_model_file picus_model_file_at(const picus_model *model, int index) {
  return index >= 0 && (size_t)index < model->kept_file_count ? model->kept_files[index]
                                                              : (picus_model_file){.name = ""};
}

void picus_model_set_place(picus_model *model, picus_place place) {
  if (!place.file) {
    model->place = (picus_place){NULL, 0};
    return;
  }
  /* The name of the model file is kept once; those of included files are kept with them. */
  for (size_t k = 0; k < model->kept_file_count; k++)
    if (model->kept_files[k].name == place.file) {
      model->place = place;
      return;
    }
  if (!model->file || strcmp(model->file, place.file) != 0) model->file = picus_model_keep_text(model, place.file);
  model->place = (picus_place){model->file, place.line};
}
