/* Reads the tables of definitions in a model file, with messages about their errors. */
#include "base/input_file.h"
#include "base/internal.h"
#include "lua/internal.h"
#include "model/internal.h"
#include "options/table.h"
#include "platform/files.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

picus_lua_table picus_lua_argument_table(lua_State *L, const char *word, const char *usage) {
  if (lua_gettop(L) != 1 || lua_type(L, 1) != LUA_TTABLE)
    picus_lua_fail(L, PICUS_ERROR_FILE_SYNTAX, "%s takes one table: %s", word, usage);
  return picus_lua_inner_table(L, 1, word);
}

picus_lua_table picus_lua_inner_table(lua_State *L, int index, const char *title) {
  picus_lua_table table = {.L = L, .index = lua_absindex(L, index)};
  snprintf(table.title, sizeof table.title, "%s", title);
  return table;
}

const char *picus_lua_table_name(picus_lua_table *table) {
  lua_State *L = table->L;
  char word[sizeof table->title], what[128];
  snprintf(word, sizeof word, "%s", table->title);
  if (lua_rawgeti(L, table->index, 1) == LUA_TNIL)
    picus_lua_fail(L, PICUS_ERROR_NAME, "%s needs a name as its first entry: { \"name\", ... }", word);
  snprintf(what, sizeof what, "the name of %s (its first entry)", word);
  const char *name = picus_lua_to_text(L, -1, what);
  lua_pop(L, 1); /* the table holds it */
  snprintf(table->title, sizeof table->title, "%.30s '%.50s'", word, name);
  return name;
}

static void fail_key(const picus_lua_table *table, const char *key, const char *const *known) {
  lua_State *L = table->L;
  char suggestion[100];
  lua_newtable(L);
  for (int i = 0; known[i]; i++) {
    lua_pushstring(L, known[i]);
    lua_rawseti(L, -2, i + 1);
  }
  picus_lua_suggest(L, -1, key, suggestion, sizeof suggestion);
  picus_lua_fail(L, PICUS_ERROR_NAME, "%s has no entry '%.60s'%s", table->title, key, suggestion);
}

static bool is_known(const char *key, const char *const *known) {
  for (int i = 0; known[i]; i++)
    if (strcmp(known[i], key) == 0) return true;
  return false;
}

void picus_lua_check_keys(const picus_lua_table *table, int positions, const char *const *known) {
  lua_State *L = table->L;
  int count = picus_lua_sorted_keys(L, table->index); /* sorted: the same mistake is reported in every run */
  for (int i = 1; i <= count; i++) {
    int type = lua_rawgeti(L, -1, i);
    if (type == LUA_TNUMBER && lua_tonumber(L, -1) >= 1 && lua_tonumber(L, -1) <= positions) {
      lua_pop(L, 1);
      continue;
    }
    if (type != LUA_TSTRING)
      picus_lua_fail(L, PICUS_ERROR_NAME, "%s has an unexpected unnamed entry (%s); write name = value", table->title,
                     picus_lua_push_text(L, -1));
    const char *key = picus_lua_to_text(L, -1, "a key");
    if (!is_known(key, known)) fail_key(table, key, known);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

/* Pushes the entry; if there is one, its description for messages goes to what. */
static int push_entry(const picus_lua_table *table, const char *key, char *what, size_t size) {
  luaL_checkstack(table->L, 4, NULL);
  lua_pushstring(table->L, key);
  int type = lua_rawget(table->L, table->index);
  what[0] = '\0';
  if (type != LUA_TNIL) snprintf(what, size, "'%s' of %s", key, table->title);
  return type;
}

bool picus_lua_has(const picus_lua_table *table, const char *key) {
  char what[160];
  bool found = push_entry(table, key, what, sizeof what) != LUA_TNIL;
  lua_pop(table->L, 1);
  return found;
}

bool picus_lua_get_number(const picus_lua_table *table, const char *key, double *value) {
  char what[160];
  bool found = push_entry(table, key, what, sizeof what) != LUA_TNIL;
  if (found) *value = picus_lua_to_number(table->L, -1, what);
  lua_pop(table->L, 1);
  return found;
}

bool picus_lua_get_expr(const picus_lua_table *table, const char *key, picus_expr *expr) {
  char what[160];
  bool found = push_entry(table, key, what, sizeof what) != LUA_TNIL;
  if (found) *expr = picus_lua_to_expr(table->L, -1, what);
  lua_pop(table->L, 1);
  return found;
}

bool picus_lua_get_coefficient(const picus_lua_table *table, const char *key, double *value, picus_expr *formula) {
  char what[160];
  const int type = push_entry(table, key, what, sizeof what);
  if (type == LUA_TUSERDATA)
    *formula = picus_lua_to_expr(table->L, -1, what);
  else if (type != LUA_TNIL)
    *value = picus_lua_to_number(table->L, -1, what);
  lua_pop(table->L, 1);
  return type != LUA_TNIL;
}

const char *picus_lua_get_text(const picus_lua_table *table, const char *key) {
  char what[160];
  bool found = push_entry(table, key, what, sizeof what) != LUA_TNIL;
  const char *text = found ? picus_lua_to_text(table->L, -1, what) : NULL;
  lua_pop(table->L, 1); /* the table holds it */
  return text;
}

void picus_lua_get_impact(const picus_lua_table *table, picus_impact_law *impact) {
  const char *word = picus_lua_get_text(table, "impact");
  if (!word) return;
  const int law = picus_option_find_word(PICUS_OPTION_impact, word);
  if (law < 0)
    picus_lua_fail(table->L, PICUS_ERROR_NAME,
                   "'impact' of %s is \"%s\"; it must be \"newton\", \"poisson\" or \"sequential\"", table->title,
                   word);
  *impact = law == PICUS_IMPACT_OF_RUN ? PICUS_IMPACT_NEWTON : (picus_impact_law)law;
}

int picus_lua_get_numbers(const picus_lua_table *table, const char *key, int least, int most, double *numbers) {
  char what[160];
  lua_State *L = table->L;
  int type = push_entry(table, key, what, sizeof what);
  int count = 0;
  if (type != LUA_TNIL && type != LUA_TTABLE)
    picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "%s must be a list of numbers, not %s", what, picus_lua_type_text(L, -1));
  if (type == LUA_TTABLE) {
    lua_Unsigned length = lua_rawlen(L, -1);
    if (length < (lua_Unsigned)least || length > (lua_Unsigned)most)
      picus_lua_fail(L, PICUS_ERROR_DIMENSION,
                     least == most ? "%s has %d entries; it must have %d" : "%s has %d entries; it must have %d or %d",
                     what, (int)(length > 1000000 ? 1000000 : length), least, most);
    for (count = 0; count < (int)length; count++) {
      lua_rawgeti(L, -1, count + 1);
      numbers[count] = picus_lua_to_number(L, -1, what);
      lua_pop(L, 1);
    }
  }
  lua_pop(L, 1);
  return count;
}

int picus_lua_get_exprs(const picus_lua_table *table, const char *key, int limit, picus_expr *exprs) {
  char what[160];
  lua_State *L = table->L;
  int type = push_entry(table, key, what, sizeof what);
  int count = 0;
  if (type == LUA_TTABLE) {
    lua_Unsigned length = lua_rawlen(L, -1);
    if (length < 1 || length > (lua_Unsigned)limit)
      picus_lua_fail(L, PICUS_ERROR_DIMENSION, "%s has %d entries; it must have 1 to %d", what,
                     (int)(length > 1000000 ? 1000000 : length), limit);
    for (count = 0; count < (int)length; count++) {
      lua_rawgeti(L, -1, count + 1);
      exprs[count] = picus_lua_to_expr(L, -1, what);
      lua_pop(L, 1);
    }
  } else if (type != LUA_TNIL) {
    exprs[count++] = picus_lua_to_expr(L, -1, what);
  }
  lua_pop(L, 1);
  return count;
}

int picus_lua_get_texts(const picus_lua_table *table, const char *key, int limit, const char **texts) {
  char what[160];
  lua_State *L = table->L;
  const int type = push_entry(table, key, what, sizeof what);
  int count = 0;
  if (type == LUA_TTABLE) {
    const lua_Unsigned length = lua_rawlen(L, -1);
    if (length < 1 || length > (lua_Unsigned)limit)
      picus_lua_fail(L, PICUS_ERROR_DIMENSION, "%s has %d entries; it must have 1 to %d", what,
                     (int)(length > 1000000 ? 1000000 : length), limit);
    for (; count < (int)length; count++) {
      lua_rawgeti(L, -1, count + 1);
      texts[count] = picus_lua_to_text(L, -1, what);
      lua_pop(L, 1);
    }
  } else if (type != LUA_TNIL) {
    texts[count++] = picus_lua_to_text(L, -1, what);
  }
  lua_pop(L, 1);
  return count;
}

void picus_lua_find_file(const picus_lua_table *table, const char *name, char found[PICUS_PATH_SIZE]) {
  lua_State *L = table->L;
  const char *folder = picus_lua_session(L)->folder;
  if (!folder)
    picus_lua_fail(
        L, PICUS_ERROR_UNSUPPORTED,
        "%s names the file '%.200s', but the model does not come from a file, so there is no folder to search",
        table->title, name);
  if (!*name || picus_is_absolute(name))
    picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "%s: '%.200s' must be a path relative to the folder of the model file",
                   table->title, name);
  char place[PICUS_PATH_SIZE], home[PICUS_PATH_SIZE], reason[PICUS_REASON_SIZE];
  const int length = snprintf(place, sizeof place, "%s/%s", folder, name);
  int error = length < 0 || (size_t)length >= sizeof place ? ENAMETOOLONG : 0;
  if (!error) error = picus_real_path(folder, home);
  if (!error) error = picus_real_path(place, found);
  if (error) {
    picus_system_reason(error, reason);
    picus_lua_fail(L, PICUS_ERROR_IO, "%s: cannot read '%.200s': %s", table->title, name, reason);
  }
  size_t inside = strlen(home);
  if (inside > 0 && picus_is_separator(home[inside - 1])) inside--; /* the root */
  if (strncmp(found, home, inside) != 0 || !picus_is_separator(found[inside]))
    picus_lua_fail(L, PICUS_ERROR_ARGUMENT,
                   "%s: '%.200s' is outside the folder of the model file; move it into that folder", table->title,
                   name);
}

static const picus_model_file *find_named(const picus_model_file *files, size_t count, const char *name) {
  for (size_t k = 0; k < count; k++)
    if (strcmp(files[k].name, name) == 0) return &files[k];
  return NULL;
}

/* A copy of the bytes that were given with the model. */
static unsigned char *copy_given(const picus_lua_table *table, const char *name, size_t *size) {
  const picus_lua *session = picus_lua_session(table->L);
  const picus_model_file *given = find_named(session->options->files, (size_t)session->options->file_count, name);
  if (!given)
    picus_lua_fail(table->L, PICUS_ERROR_IO, "%s: the file '%.200s' is not among those given with the model",
                   table->title, name);
  *size = given ? given->size : 0; /* picus_lua_fail does not return */
  unsigned char *bytes = picus_allocate(session->context, *size + 1, 1);
  if (!bytes) picus_lua_require(table->L, PICUS_ERROR_MEMORY);
  if (bytes && given && *size > 0) memcpy(bytes, given->bytes, *size);
  return bytes;
}

picus_model_file picus_lua_read_file(const picus_lua_table *table, const char *name, char path[PICUS_PATH_SIZE]) {
  lua_State *L = table->L;
  const picus_lua *session = picus_lua_session(L);
  const bool is_given = session->options && session->options->has_files;
  unsigned char *bytes = NULL;
  size_t size = 0;
  snprintf(path, PICUS_PATH_SIZE, "%s", name);
  picus_lua_charge(L, 1000); /* calls of the system */
  if (!is_given) picus_lua_find_file(table, name, path);
  const picus_model_file *kept = find_named(session->model->kept_files, session->model->kept_file_count, name);
  if (kept) return *kept;
  if (is_given)
    bytes = copy_given(table, name, &size);
  else {
    picus_lua_require(L, picus_model_note_file(session->model, path));
    picus_lua_require(L, picus_file_bytes(session->context, path, session->memory_limit, &bytes, &size));
  }
  picus_lua_require(L, picus_model_keep_file(session->model, name, bytes, size));
  return picus_model_file_at(session->model, picus_model_file_count(session->model) - 1);
}

int picus_lua_set_each(lua_State *L, const char *keyword, const char *subject, picus_lua_set_fn set) {
  char text[100];
  snprintf(text, sizeof text, "%s { coordinate = expression, ... }", keyword);
  picus_lua_argument_table(L, keyword, text);
  int count = picus_lua_sorted_keys(L, 1);
  for (int i = 1; i <= count; i++) {
    if (lua_rawgeti(L, 2, i) != LUA_TSTRING)
      return picus_lua_fail(L, PICUS_ERROR_NAME, "%s has an unnamed entry; write coordinate = expression", keyword);
    snprintf(text, sizeof text, "a key of %s", keyword);
    const char *name = picus_lua_to_text(L, -1, text);
    snprintf(text, sizeof text, "%s '%.60s'", subject, name);
    lua_pushvalue(L, -1);
    lua_rawget(L, 1);
    picus_lua_require(L, set(picus_lua_model_here(L), name, picus_lua_to_expr(L, -1, text)));
    lua_pop(L, 2);
  }
  return 0;
}
