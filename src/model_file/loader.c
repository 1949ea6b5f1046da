/* Loads of one model with other values of some parameters: the session of Lua and the model are in a context that can
 * be rewound, and so is this loader, which a rewind gives the fields that it had at the mark. */
#include "model_file/loader.h"

#include "model/internal.h"
#include "model_file/internal.h"

#include <string.h>

struct picus_loader {
  picus_context *context;
  const picus_model *of;
  picus_load_options options;
  picus_lua session;
};

/* The files that the model keeps, and the parameters that vary, with any values. */
static picus_status set_options(picus_loader *loader, const picus_model *of, int count, const char *const *names) {
  picus_context *context = loader->context;
  const size_t files = (size_t)picus_model_file_count(of);
  picus_override *overrides = picus_allocate(context, (size_t)count, sizeof *overrides);
  picus_model_file *named = picus_allocate(context, files, sizeof *named);
  if (!overrides || !named) return PICUS_ERROR_MEMORY;
  for (int k = 0; k < count; k++) overrides[k].name = names[k];
  for (size_t k = 0; k < files; k++) named[k] = picus_model_file_at(of, (int)k);
  loader->options = (picus_load_options){
      .override_count = count, .overrides = overrides, .has_files = true, .file_count = (int)files, .files = named};
  return PICUS_OK;
}

static picus_status open_session(picus_loader *loader, const picus_model *of, int count, const char *const *names) {
  picus_context *context = loader->context;
  const char *name = picus_model_name(of), *text = picus_model_source(of);
  picus_model *model = NULL;
  picus_lua_varied *varied = picus_allocate(context, (size_t)count, sizeof *varied);
  if (!varied) return PICUS_ERROR_MEMORY;
  for (int k = 0; k < count; k++) varied[k].name = names[k];
  picus_status status = picus_lua_check_text(context, name, text, strlen(text));
  if (!status) status = picus_lua_start_model(context, name, text, strlen(text), &loader->options, &model);
  if (status) return status;
  loader->session = picus_lua_new_session(context, model, name, &loader->options);
  loader->session.text = picus_model_source(model);
  loader->session.varied = varied;
  loader->session.varied_count = count;
  status = picus_lua_open(&loader->session);
  return status ? status : picus_lua_compile(&loader->session);
}

picus_status picus_loader_create(picus_context *context, const picus_model *of, int count, const char *const *names,
                                 picus_loader **out) {
  *out = NULL;
  picus_loader *loader = picus_allocate(context, 1, sizeof *loader);
  if (!loader) return PICUS_ERROR_MEMORY;
  loader->context = context;
  loader->of = of;
  picus_status status = set_options(loader, of, count, names);
  if (!status) status = open_session(loader, of, count, names);
  if (!status) status = picus_context_mark(context);
  if (!status) *out = loader;
  return status;
}

picus_status picus_loader_load(picus_loader *loader, const double *values, picus_model **out) {
  picus_lua *session = &loader->session;
  *out = NULL;
  picus_context_rewind(loader->context);
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < session->varied_count; k++)
    status = picus_model_vary(session->model, session->varied[k].name, values[k]);
  if (!status) status = picus_lua_continue(session);
  if (!status && session->is_paused) {
    status = picus_context_mark(loader->context);
    if (!status) status = picus_lua_continue(session);
  }
  if (!status) status = picus_lua_end_model(session->model);
  if (!status) status = picus_model_repeat_crossings(session->model, loader->of);
  if (!status) *out = session->model;
  return status;
}
