/* Study files: see picus/study_file.h. */
#include "base/file_names.h"
#include "base/growing_text.h"
#include "base/input_file.h"
#include "model/internal.h"
#include "model_file/internal.h"
#include "options/table.h"
#include "sim/model_options.h"

#include <math.h>
#include <picus/study_file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 1000, MOST_VALUES = 1000000, FILE_BYTES = 16 << 20, NUMBER_SIZE = 32 };

typedef struct study_word {
  char *option; /* without the dashes */
  char *value;  /* NULL: a flag */
} study_word;

struct picus_study_file {
  picus_context *context;
  char *model;
  int count;
  study_word *words; /* in the order of the file */
  size_t capacity;
};

/* --- words -------------------------------------------------------------------------------------------------------- */

static picus_study_file *file_of(lua_State *L) { return picus_lua_session(L)->study; }

/* Adds a word; its value is taken over. */
static void add_word(lua_State *L, const char *option, char *value) {
  picus_study_file *file = file_of(L);
  picus_context *context = file->context;
  picus_status status = PICUS_OK;
  if (file->count == MOST_WORDS) {
    picus_release(context, value);
    picus_lua_fail(L, PICUS_ERROR_FILE_LIMIT, "a study file gives at most %d options", MOST_WORDS);
  }
  char *name = picus_copy_text(context, option);
  if (name) status = picus_grow(context, &file->words, (size_t)file->count, &file->capacity, sizeof *file->words);
  if (!name || status) {
    picus_release(context, name);
    picus_release(context, value);
    picus_lua_require(L, PICUS_ERROR_MEMORY);
  }
  file->words[file->count++] = (study_word){name, value};
}

static void add_text(lua_State *L, const char *option, const char *text) {
  char *copy = picus_copy_text(file_of(L)->context, text);
  if (!copy) picus_lua_require(L, PICUS_ERROR_MEMORY);
  add_word(L, option, copy);
}

/* With as many digits as the number needs; the sandbox has the locale of C. */
static void write_number(lua_State *L, double number, char text[NUMBER_SIZE]) {
  if (!isfinite(number)) picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "a number of a study must be finite, not %g", number);
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, NUMBER_SIZE, "%.*g", digits, number);
    if (strtod(text, NULL) == number) return;
  }
}

static void add_number(lua_State *L, const char *option, double number) {
  char text[NUMBER_SIZE];
  write_number(L, number, text);
  add_text(L, option, text);
}

/* --- study { ... } ------------------------------------------------------------------------------------------------ */

/* A text, or a list of texts as one with blanks. */
static void add_texts(const picus_lua_table *table, const char *key, const char *option) {
  enum { MOST = 256 };
  const char *texts[MOST];
  const int count = picus_lua_get_texts(table, key, MOST, texts);
  size_t size = 1;
  for (int k = 0; k < count; k++) size += strlen(texts[k]) + 1;
  if (count == 0) return;
  char *all = picus_allocate(file_of(table->L)->context, size, 1);
  if (!all) picus_lua_require(table->L, PICUS_ERROR_MEMORY);
  for (size_t used = 0, k = 0; k < (size_t)count; k++)
    used += (size_t)snprintf(all + used, size - used, "%s%s", k ? " " : "", texts[k]);
  add_word(table->L, option, all);
}

static void add_entry(const picus_lua_table *table, const char *key, const char *option) {
  const char *text = picus_lua_get_text(table, key);
  if (text) add_text(table->L, option, text);
}

static void add_count(const picus_lua_table *table, const char *key, const char *option) {
  double number;
  if (!picus_lua_get_number(table, key, &number)) return;
  if (!(number >= 0 && number <= 0x1p53) || number != floor(number))
    picus_lua_fail(table->L, PICUS_ERROR_ARGUMENT, "'%s' of %s must be an integer of at least 0", key, table->title);
  add_number(table->L, option, number);
}

/* The model of the file: a path with a slash or an ending is relative to the folder of the study file. */
static void take_model(lua_State *L, const char *name) {
  picus_study_file *file = file_of(L);
  const char *folder = picus_lua_session(L)->folder;
  const size_t length = strlen(name), size = strlen(folder) + length + 2;
  const bool is_path = strchr(name, '/') || (length > 4 && strcmp(name + length - 4, ".lua") == 0);
  if (file->model) picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "study is given twice");
  if (!*name) picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "the name of the model is empty");
  file->model = picus_allocate(file->context, size, 1);
  if (!file->model) picus_lua_require(L, PICUS_ERROR_MEMORY);
  snprintf(file->model, size, "%s%s%s", is_path && *name != '/' ? folder : "", is_path && *name != '/' ? "/" : "",
           name);
}

/* study { "woodpecker", collect = ..., section = ..., ... } */
static int say_study(lua_State *L) {
  static const char *const keys[] = {"collect", "section",  "section_every", "last", "sampling",    "samples",
                                     "seed",    "continue", "out",           "csv",  "section_csv", NULL};
  picus_lua_table table = picus_lua_argument_table(L, "study", "study { \"MODEL\", collect = \"y\", ... }");
  double number;
  picus_lua_check_keys(&table, 1, keys);
  take_model(L, picus_lua_table_name(&table));
  add_texts(&table, "collect", "collect");
  add_entry(&table, "section", "section");
  if (picus_lua_get_number(&table, "section_every", &number)) add_number(L, "section-every", number);
  add_count(&table, "last", "last");
  add_entry(&table, "sampling", "sampling");
  add_count(&table, "samples", "samples");
  add_count(&table, "seed", "seed");
  add_entry(&table, "continue", "continue");
  add_entry(&table, "out", "out");
  add_entry(&table, "csv", "csv");
  add_entry(&table, "section_csv", "section-csv");
  return 0;
}

/* --- set, start, vary --------------------------------------------------------------------------------------------- */

/* "NAME=1,2,3" of the list on the top of the stack. */
static char *join_numbers(const picus_lua_table *table, const char *name) {
  lua_State *L = table->L;
  picus_context *context = file_of(L)->context;
  const lua_Unsigned count = lua_rawlen(L, -1);
  if (count < 1 || count > MOST_VALUES)
    picus_lua_fail(L, PICUS_ERROR_DIMENSION, "'values' of %s must be a list of 1 to %d numbers", table->title,
                   MOST_VALUES);
  char number[NUMBER_SIZE];
  picus_lua_charge(L, 10 * count);
  for (lua_Unsigned k = 0; k < count; k++) { /* what is no number fails before there is memory to lose */
    lua_rawgeti(L, -1, (lua_Integer)k + 1);
    write_number(L, picus_lua_to_number(L, -1, "an entry of 'values'"), number);
    lua_pop(L, 1);
  }
  picus_growing_text text = {.context = context};
  picus_growing_format(&text, "%s=", name);
  for (lua_Unsigned k = 0; k < count; k++) {
    lua_rawgeti(L, -1, (lua_Integer)k + 1);
    write_number(L, lua_tonumber(L, -1), number);
    picus_growing_format(&text, "%s%s", k ? "," : "", number);
    lua_pop(L, 1);
  }
  if (text.status) picus_release(context, text.bytes);
  if (text.status) picus_lua_require(L, text.status);
  return text.bytes;
}

/* { "mu", 0.3 }, { "mu", values = {0.1, 0.2} }, { "mu", from = 0.1, to = 0.5, count = 20 }; without count: samples. */
static int say_axis(lua_State *L, const char *word) {
  static const char *const keys[] = {"values", "from", "to", "count", NULL};
  char usage[160], ends[3][NUMBER_SIZE], text[512];
  double low, high, count = 0, value;
  snprintf(usage, sizeof usage, "%s { \"NAME\", from = 0.1, to = 0.5, count = 20 }", word);
  picus_lua_table table = picus_lua_argument_table(L, word, usage);
  picus_lua_check_keys(&table, 2, keys);
  const char *name = picus_lua_table_name(&table);
  if (!*name || strlen(name) > 200 || strchr(name, '='))
    return picus_lua_fail(L, PICUS_ERROR_NAME, "%s is no name of something that varies", table.title);
  const bool has_value = lua_rawgeti(L, table.index, 2) != LUA_TNIL, has_range = picus_lua_has(&table, "from");
  const bool has_values = picus_lua_has(&table, "values");
  if (has_value + has_range + has_values != 1 || has_range != picus_lua_has(&table, "to") ||
      (picus_lua_has(&table, "count") && !has_range))
    return picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "%s needs a number, values = {...}, or from, to and count",
                          table.title);
  if (has_value) {
    value = picus_lua_to_number(L, -1, "the value");
    write_number(L, value, ends[0]);
    snprintf(text, sizeof text, "%s=%s", name, ends[0]);
  } else if (has_range) {
    picus_lua_get_number(&table, "from", &low);
    picus_lua_get_number(&table, "to", &high);
    const bool has_count = picus_lua_get_number(&table, "count", &count);
    write_number(L, low, ends[0]);
    write_number(L, high, ends[1]);
    write_number(L, count, ends[2]);
    snprintf(text, sizeof text, "%s=%s:%s%s%s", name, ends[0], ends[1], has_count ? ":" : "", has_count ? ends[2] : "");
  } else {
    lua_pushstring(L, "values");
    if (lua_rawget(L, table.index) != LUA_TTABLE)
      return picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "'values' of %s must be a list of numbers", table.title);
    add_word(L, word, join_numbers(&table, name));
    return 0;
  }
  add_text(L, word, text);
  return 0;
}

static int say_set(lua_State *L) { return say_axis(L, "set"); }
static int say_start(lua_State *L) { return say_axis(L, "start"); }
static int say_vary(lua_State *L) { return say_axis(L, "vary"); }

/* --- simulate { ... } --------------------------------------------------------------------------------------------- */

static void add_flag(lua_State *L, const picus_option *option, bool value) {
  if (value)
    add_word(L, option->flag, NULL);
  else if (strcmp(option->name, "adaptive") == 0)
    add_word(L, "fixed", NULL);
  else
    picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "'%s' of simulate can only be true in a study file; leave it out",
                   option->name);
}

/* The options of a run, with the names of model files. */
static int say_simulate(lua_State *L) {
  picus_lua_argument_table(L, "simulate", "simulate { dt = 1e-3, t_end = 1 }");
  const int count = picus_lua_sorted_keys(L, 1);
  for (int i = 1; i <= count; i++) {
    char what[100];
    if (lua_rawgeti(L, 2, i) != LUA_TSTRING)
      return picus_lua_fail(L, PICUS_ERROR_NAME, "simulate has an unnamed entry; write option = value");
    const char *name = picus_lua_to_text(L, -1, "a key of simulate");
    snprintf(what, sizeof what, "'%.60s' of simulate", name);
    picus_lua_require(L, picus_model_check_run_option(picus_lua_model_here(L), name));
    const picus_option *option = &picus_option_table[picus_option_find(name)];
    lua_pushvalue(L, -1);
    const int type = lua_rawget(L, 1);
    if (type == LUA_TBOOLEAN && option->kind == PICUS_OPTION_FLAG)
      add_flag(L, option, lua_toboolean(L, -1) != 0);
    else if (type == LUA_TSTRING)
      add_text(L, option->flag, picus_lua_to_text(L, -1, what));
    else
      add_number(L, option->flag, picus_lua_to_number(L, -1, what));
    lua_pop(L, 2);
  }
  return 0;
}

/* --- the file ----------------------------------------------------------------------------------------------------- */

static int prepare(lua_State *L) {
  picus_lua_open_libraries(L);
  picus_lua_open_expressions(L);
  picus_lua_open_powers(L);
  lua_register(L, "study", say_study);
  lua_register(L, "set", say_set);
  lua_register(L, "start", say_start);
  lua_register(L, "vary", say_vary);
  lua_register(L, "simulate", say_simulate);
  return 0;
}

static picus_status run_file(picus_study_file *file, const char *path, const char *text, size_t length) {
  char folder[PICUS_PATH_SIZE];
  picus_model *empty = NULL;
  picus_status status = picus_lua_check_text(file->context, path, text, length);
  if (!status) status = picus_model_create(file->context, "study", &empty);
  if (!status) {
    picus_folder_name(path, folder);
    picus_lua session = picus_lua_new_session(file->context, empty, path, NULL);
    session.text = text;
    session.folder = folder;
    session.kind = "study file";
    session.prepare = prepare;
    session.study = file;
    status = picus_lua_open(&session);
    if (!status) status = picus_lua_run(&session);
    picus_lua_close(&session);
  }
  picus_model_destroy(empty);
  if (status || file->model) return status;
  return picus_fail_at(file->context, PICUS_ERROR_ARGUMENT, path, 0,
                       "the file has no study { \"MODEL\", ... }, so it is no study file");
}

picus_status picus_study_file_read(picus_context *context, const char *path, picus_study_file **out) {
  unsigned char *bytes = NULL;
  size_t length = 0;
  *out = NULL;
  picus_status status = picus_check_readable(context, path);
  if (!status) status = picus_file_bytes(context, path, FILE_BYTES, &bytes, &length);
  picus_study_file *file = status ? NULL : picus_allocate(context, 1, sizeof *file);
  if (!status && !file) status = PICUS_ERROR_MEMORY;
  if (file) {
    *file = (picus_study_file){.context = context};
    status = run_file(file, path, (const char *)bytes, length);
  }
  picus_release(context, bytes);
  if (status)
    picus_study_file_destroy(file);
  else
    *out = file;
  return status;
}

void picus_study_file_destroy(picus_study_file *file) {
  if (!file) return;
  for (int k = 0; k < file->count; k++) {
    picus_release(file->context, file->words[k].option);
    picus_release(file->context, file->words[k].value);
  }
  picus_release(file->context, file->words);
  picus_release(file->context, file->model);
  picus_release(file->context, file);
}

const char *picus_study_file_model(const picus_study_file *file) { return file->model; }
int picus_study_file_count(const picus_study_file *file) { return file->count; }
const char *picus_study_file_option(const picus_study_file *file, int index) {
  return index >= 0 && index < file->count ? file->words[index].option : NULL;
}
const char *picus_study_file_value(const picus_study_file *file, int index) {
  return index >= 0 && index < file->count ? file->words[index].value : NULL;
}
