/* Loading models from files, from text, and by the name of a shipped model. */
#include "model/internal.h"
#include "model_file/internal.h"
#include "model_file/shipped.h"
#include "platform/files.h"

#include <errno.h>
#include <picus/model.h>
#include <stdio.h>
#include <string.h>

/* --- shipped models ----------------------------------------------------------------------------------------------- */

int picus_shipped_model_count(void) { return picus_shipped_models_count; }

const char *picus_shipped_model_name(int index) {
  return index >= 0 && index < picus_shipped_models_count ? picus_shipped_models[index].name : NULL;
}

const char *picus_shipped_model_text(const char *name, size_t *length) {
  for (int i = 0; i < picus_shipped_models_count; i++) {
    if (strcmp(picus_shipped_models[i].name, name) != 0) continue;
    if (length) *length = picus_shipped_models[i].length;
    return picus_shipped_models[i].text;
  }
  return NULL;
}

/* --- loading ------------------------------------------------------------------------------------------------------ */

static const size_t default_memory_limit = (size_t)1 << 30;
static const uint64_t default_instruction_limit = 200000000;

/* "models/my-model.lua" -> "my-model": the model's name until the file gives another. */
static void name_from_file(const char *file, char *name, size_t size) {
  const char *slash = strrchr(file, '/');
  const char *base = slash ? slash + 1 : file;
  size_t length = strlen(base);
  if (length > 4 && strcmp(base + length - 4, ".lua") == 0) length -= 4;
  if (length == 0)
    snprintf(name, size, "model");
  else
    snprintf(name, size, "%.*s", (int)(length < 200 ? length : 200), base);
}

/* The text of a model, and where it comes from. */
typedef struct model_text {
  const char *name;   /* of the file, for messages */
  const char *folder; /* of the file; NULL: it comes from none */
  const char *text;
  size_t length;
} model_text;

picus_status picus_lua_start_model(picus_context *context, const char *name, const char *text, size_t length,
                                   const picus_load_options *options, picus_model **model) {
  char short_name[256];
  name_from_file(name, short_name, sizeof short_name);
  char *copy = picus_allocate(context, length + 1, 1);
  if (!copy) return PICUS_ERROR_MEMORY;
  if (length) memcpy(copy, text, length);
  picus_status status = picus_model_create(context, short_name, model);
  if (!status) status = picus_model_set_source(*model, copy);
  picus_release(context, copy);
  for (int i = 0; !status && options && i < options->override_count; i++)
    status = picus_model_override(*model, options->overrides[i].name, options->overrides[i].value);
  return status;
}

picus_status picus_lua_end_model(picus_model *model) {
  const picus_status status = picus_model_draw_rest(model);
  if (!status) picus_model_set_place(model, (picus_place){NULL, 0});
  return status;
}

static int prepare(lua_State *L) {
  picus_lua_open_libraries(L);
  picus_lua_open_expressions(L);
  picus_lua_open_symbols(L);
  picus_lua_open_keywords(L);
  picus_lua_open_flexible(L);
  picus_lua_open_beams(L);
  picus_lua_open_bodies(L);
  picus_lua_open_joints(L);
  picus_lua_open_body_forces(L);
  picus_lua_open_pairs(L);
  picus_lua_open_shapes(L);
  picus_lua_open_draw(L);
  picus_lua_open_signals(L);
  picus_lua_open_include(L);
  picus_lua_open_powers(L);
  return 0;
}

picus_lua picus_lua_new_session(picus_context *context, picus_model *model, const char *file,
                                const picus_load_options *options) {
  static const picus_load_options defaults = {0};
  const picus_load_options *o = options ? options : &defaults;
  return (picus_lua){.context = context,
                     .model = model,
                     .file = file,
                     .kind = "model file",
                     .prepare = prepare,
                     .folder = o->folder,
                     .options = options,
                     .memory_limit = o->memory_limit ? o->memory_limit : default_memory_limit,
                     .instruction_limit = o->instruction_limit ? o->instruction_limit : default_instruction_limit};
}

static picus_status load_text(picus_context *context, const model_text *source, const picus_load_options *options,
                              picus_model **out) {
  *out = NULL;
  picus_model *model = NULL;
  picus_status status = picus_lua_check_text(context, source->name, source->text, source->length);
  if (!status) status = picus_lua_start_model(context, source->name, source->text, source->length, options, &model);
  if (!status && source->folder) status = picus_model_note_file(model, source->name);
  if (!status) {
    picus_lua session = picus_lua_new_session(context, model, source->name, options);
    session.text = picus_model_source(model);
    if (source->folder) session.folder = source->folder;
    status = picus_lua_open(&session);
    if (!status) status = picus_lua_run(&session);
    picus_lua_close(&session);
    if (!status) status = picus_lua_end_model(model);
  }
  if (status)
    picus_model_destroy(model);
  else
    *out = model;
  return status;
}

picus_status picus_model_load_text(picus_context *context, const char *name, const char *text, size_t length,
                                   const picus_load_options *options, picus_model **out) {
  return load_text(context, &(model_text){name, NULL, text, length}, options, out);
}

/* --- texts that come piece by piece ------------------------------------------------------------------------------ */

struct picus_model_reader {
  picus_lua session;
  picus_context *context;
  char *name;
  bool has_failed;
};

picus_status picus_model_reader_create(picus_context *context, const char *name, const picus_load_options *options,
                                       picus_model_reader **out) {
  *out = NULL;
  picus_model *model = NULL;
  picus_model_reader *reader = picus_allocate(context, 1, sizeof *reader);
  if (!reader) return PICUS_ERROR_MEMORY;
  *reader = (picus_model_reader){.context = context, .name = picus_copy_text(context, name)};
  picus_status status = reader->name ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (!status) status = picus_lua_start_model(context, name, "", 0, options, &model);
  reader->session = picus_lua_new_session(context, model, reader->name, options);
  if (!status) status = picus_lua_open(&reader->session);
  if (status) {
    picus_model_reader_destroy(reader);
    return status;
  }
  *out = reader;
  return PICUS_OK;
}

picus_status picus_model_reader_add(picus_model_reader *reader, const char *text, size_t length) {
  if (reader->has_failed)
    return picus_fail(reader->context, PICUS_ERROR_ARGUMENT,
                      "the model reader has failed before; make another one for the corrected text");
  picus_status status = picus_lua_check_text(reader->context, reader->name, text, length);
  char *piece = status ? NULL : picus_allocate(reader->context, length + 1, 1);
  if (!status && !piece) status = PICUS_ERROR_MEMORY;
  if (!status) {
    if (length) memcpy(piece, text, length);
    reader->session.text = piece;
    status = picus_lua_run(&reader->session);
    reader->session.text = "";
  }
  picus_release(reader->context, piece);
  if (status) reader->has_failed = true;
  return status;
}

void picus_model_reader_destroy(picus_model_reader *reader) {
  if (!reader) return;
  picus_context *context = reader->context;
  picus_lua_close(&reader->session);
  picus_model_destroy(reader->session.model);
  picus_release(context, reader->name);
  picus_release(context, reader);
}

/* --- files -------------------------------------------------------------------------------------------------------- */

/* Reads the complete file into a block of the context; an endless device or pipe stops at the limit. */
static picus_status read_file(picus_context *context, const char *path, size_t limit, char **text, size_t *length) {
  *text = NULL;
  *length = 0;
  FILE *file = picus_stream_read(path);
  if (!file) return picus_fail(context, PICUS_ERROR_IO, "'%s' cannot be opened: %s", path, strerror(errno));
  picus_status status = PICUS_OK;
  for (size_t capacity = 0; !status;) {
    if (*length == capacity) {
      capacity = capacity ? 2 * capacity : 16384;
      char *larger = picus_reallocate(context, *text, capacity, 1);
      if (!larger) {
        status = PICUS_ERROR_MEMORY;
        break;
      }
      *text = larger;
    }
    errno = 0;
    size_t count = fread(*text + *length, 1, capacity - *length, file);
    *length += count;
    if (*length > limit)
      status = picus_fail_at(context, PICUS_ERROR_FILE_LIMIT, path, 0,
                             "the model file exceeds its memory limit of %zu kB", limit / 1024);
    else if (ferror(file))
      status = picus_fail(context, PICUS_ERROR_IO, "'%s' cannot be read: %s", path, strerror(errno));
    else if (count == 0)
      break;
  }
  fclose(file);
  return status;
}

static picus_status load_file(picus_context *context, const char *path, const picus_load_options *options,
                              picus_model **out) {
  size_t limit = options && options->memory_limit ? options->memory_limit : default_memory_limit;
  size_t length;
  char *text;
  picus_status status = read_file(context, path, limit, &text, &length);
  char *folder = status ? NULL : picus_copy_text(context, path);
  if (!status && !folder) status = PICUS_ERROR_MEMORY;
  if (!status) {
    char *slash = strrchr(folder, '/');
    if (slash) slash[slash == folder ? 1 : 0] = '\0';
    if (!slash && *folder) folder[0] = '.', folder[1] = '\0'; /* a name alone: the folder we are in */
    status = load_text(context, &(model_text){path, folder, text, length}, options, out);
  }
  picus_release(context, folder);
  picus_release(context, text);
  return status;
}

static const char *next_shipped(const void *user, int k) {
  (void)user;
  return picus_shipped_model_name(k);
}

static bool file_exists(const char *path) {
  FILE *file = picus_stream_read(path);
  if (file) fclose(file);
  return file != NULL;
}

picus_status picus_model_load(picus_context *context, const char *path, const picus_load_options *options,
                              picus_model **out) {
  *out = NULL;
  size_t length = strlen(path);
  bool looks_like_file = strchr(path, '/') || (length > 4 && strcmp(path + length - 4, ".lua") == 0);
  size_t shipped_length;
  const char *shipped = looks_like_file ? NULL : picus_shipped_model_text(path, &shipped_length);
  if (shipped) {
    char file[256];
    snprintf(file, sizeof file, "%s.lua", path);
    return picus_model_load_text(context, file, shipped, shipped_length, options, out);
  }
  if (file_exists(path)) return load_file(context, path, options, out);
  int reason = errno;
  char name[256];
  name_from_file(path, name, sizeof name);
  const char *nearest = picus_nearest_name(name, next_shipped, NULL);
  return picus_fail(context, PICUS_ERROR_IO, "'%s' is neither a file (%s) nor a shipped model%s%s%s", path,
                    strerror(reason), nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}
