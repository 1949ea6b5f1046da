/* The words that make names: model, parameters, inputs, coordinates, velocities, rates; and p, q, u, by which a file
 * reads them. */
#include "model/internal.h"
#include "model_file/internal.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The kind of names in a view. */
typedef enum view_kind { VIEW_PARAMETERS, VIEW_COORDINATES, VIEW_VELOCITIES, VIEW_INPUTS } view_kind;
static const char *const view_nouns[] = {"parameter", "coordinate", "velocity", "input"};

static int store_of(const picus_lua *session, view_kind kind) {
  const int stores[] = {session->parameters, session->coordinates, session->velocities, session->inputs};
  return stores[kind];
}

/* Puts the value on top of the stack under its name into a store, and pops it. */
static void store_value(lua_State *L, view_kind kind, const char *name) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, store_of(picus_lua_session(L), kind));
  lua_pushstring(L, name);
  lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
  lua_pushstring(L, name);
  lua_pushvalue(L, -3);
  lua_rawset(L, -3);
  lua_pop(L, 2);
}

static bool is_stored(lua_State *L, view_kind kind, const char *name) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, store_of(picus_lua_session(L), kind));
  lua_pushstring(L, name);
  bool stored = lua_rawget(L, -2) != LUA_TNIL;
  lua_pop(L, 2);
  return stored;
}

static int fail_unknown(lua_State *L, view_kind kind, const char *name) {
  if (kind == VIEW_COORDINATES && is_stored(L, VIEW_VELOCITIES, name))
    return picus_lua_fail(L, PICUS_ERROR_NAME, "'%s' is a velocity, not a coordinate; use the second table", name);
  if (kind == VIEW_VELOCITIES && is_stored(L, VIEW_COORDINATES, name))
    return picus_lua_fail(L, PICUS_ERROR_NAME, "'%s' is a coordinate, not a velocity; use the first table", name);
  char suggestion[100];
  lua_rawgeti(L, LUA_REGISTRYINDEX, store_of(picus_lua_session(L), kind));
  picus_lua_suggest(L, -1, name, suggestion, sizeof suggestion);
  return picus_lua_fail(L, PICUS_ERROR_NAME, "there is no %s '%.60s'%s", view_nouns[kind], name, suggestion);
}

/* --- parameters that vary from load to load -----------------------------------------------------------------------
 *
 * Until the file reads one of them, its work is the same in all loads; so it pauses there, once, and later loads begin
 * there (loader.c). */

/* They may repeat each other: the last value counts, and the first entry has the rest. */
static picus_lua_varied *find_varied(const picus_lua *session, const char *name) {
  for (int k = 0; k < session->varied_count; k++)
    if (strcmp(session->varied[k].name, name) == 0) return &session->varied[k];
  return NULL;
}

/* A count stays an integer of Lua, so that it can be part of a name: "ball" .. i. */
static void push_parameter(lua_State *L, double value, bool is_integer) {
  if (is_integer && value == floor(value) && fabs(value) < 1e15)
    lua_pushinteger(L, (lua_Integer)value);
  else
    lua_pushnumber(L, value);
}

/* Gives the file the values of this load, in place of those that it had when it paused. */
static void renew_parameters(lua_State *L) {
  const picus_lua *session = picus_lua_session(L);
  lua_rawgeti(L, LUA_REGISTRYINDEX, session->parameters);
  for (int k = 0; k < session->varied_count; k++) {
    const picus_lua_varied *varied = find_varied(session, session->varied[k].name);
    const int index = picus_model_find_parameter(session->model, varied->name);
    if (index < 0) continue; /* the file has not defined it yet */
    lua_pushstring(L, varied->name);
    push_parameter(L, picus_model_parameter(session->model, index).value, varied->is_integer);
    lua_rawset(L, -3);
  }
  lua_pop(L, 1);
}

/* Whether to pause before the value of a parameter is read; NULL: of any. */
static bool must_pause(lua_State *L, const char *name) {
  picus_lua *session = picus_lua_session(L);
  if (session->has_read || (name ? !find_varied(session, name) : session->varied_count == 0)) return false;
  session->has_read = true;
  return lua_isyieldable(L); /* else the loads begin at the first line */
}

/* --- views ---------------------------------------------------------------------------------------------------------
 */

/* The metamethods of a view. Upvalue: its kind. */
static int read_view(lua_State *L) {
  view_kind kind = (view_kind)lua_tointeger(L, lua_upvalueindex(1));
  lua_rawgeti(L, LUA_REGISTRYINDEX, store_of(picus_lua_session(L), kind));
  lua_pushvalue(L, 2);
  int type = lua_rawget(L, -2);
  if (lua_type(L, 2) == LUA_TNUMBER) { /* by position: its name, then its value; nil beyond the end, as in a list */
    if (type != LUA_TNIL) lua_rawget(L, -2);
    return 1;
  }
  if (type != LUA_TNIL) return 1;
  if (lua_type(L, 2) != LUA_TSTRING)
    return picus_lua_fail(L, PICUS_ERROR_NAME, "the key of a %s must be its name, not %s", view_nouns[kind],
                          picus_lua_type_text(L, 2));
  return fail_unknown(L, kind, lua_tostring(L, 2));
}

static int read_after_pause(lua_State *L, int status, lua_KContext ignored) {
  (void)status, (void)ignored;
  renew_parameters(L);
  return read_view(L);
}

static int view_index(lua_State *L) {
  const view_kind kind = (view_kind)lua_tointeger(L, lua_upvalueindex(1));
  const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : NULL;
  if (kind == VIEW_PARAMETERS && must_pause(L, name)) return lua_yieldk(L, 0, 0, read_after_pause);
  return read_view(L);
}

static int view_assign(lua_State *L) {
  view_kind kind = (view_kind)lua_tointeger(L, lua_upvalueindex(1));
  return picus_lua_fail(L, PICUS_ERROR_FILE_SYNTAX, "'%s' cannot be assigned: a %s is read-only here%s",
                        luaL_tolstring(L, 2, NULL), view_nouns[kind],
                        kind == VIEW_PARAMETERS ? "; define it in parameters { ... }" : "");
}

static int view_length(lua_State *L) {
  view_kind kind = (view_kind)lua_tointeger(L, lua_upvalueindex(1));
  lua_rawgeti(L, LUA_REGISTRYINDEX, store_of(picus_lua_session(L), kind));
  lua_pushinteger(L, (lua_Integer)lua_rawlen(L, -1));
  return 1;
}

/* The iterator of pairs(view), in the order of definition. Upvalues: kind, position. */
static int view_next(lua_State *L) {
  view_kind kind = (view_kind)lua_tointeger(L, lua_upvalueindex(1));
  lua_Integer position = lua_tointeger(L, lua_upvalueindex(2)) + 1;
  lua_pushinteger(L, position);
  lua_replace(L, lua_upvalueindex(2));
  lua_rawgeti(L, LUA_REGISTRYINDEX, store_of(picus_lua_session(L), kind));
  if (lua_rawgeti(L, -1, position) == LUA_TNIL) return 1;
  lua_pushvalue(L, -1);
  lua_rawget(L, -3);
  return 2;
}

static int view_pairs(lua_State *L) {
  if (lua_tointeger(L, lua_upvalueindex(1)) == VIEW_PARAMETERS) picus_lua_session(L)->has_read = true;
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, view_next, 2);
  return 1;
}

static void push_new_view(lua_State *L, view_kind kind) {
  static const struct {
    const char *name;
    lua_CFunction function;
  } methods[] = {{"__index", view_index}, {"__newindex", view_assign}, {"__len", view_length}, {"__pairs", view_pairs}};
  lua_newtable(L);
  lua_newtable(L);
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    lua_pushinteger(L, kind);
    lua_pushcclosure(L, methods[i].function, 1);
    lua_setfield(L, -2, methods[i].name);
  }
  lua_setmetatable(L, -2);
}

/* model "name" or model("name", "description") */
static int say_model(lua_State *L) {
  picus_lua *session = picus_lua_session(L);
  const char *name = picus_lua_to_text(L, 1, "the name of the model");
  const char *description = lua_isnoneornil(L, 2) ? NULL : picus_lua_to_text(L, 2, "the description of the model");
  if (session->named) return picus_lua_fail(L, PICUS_ERROR_NAME, "the name of the model is defined twice");
  session->named = true;
  picus_lua_require(L, picus_model_set_name(picus_lua_model_here(L), name, description));
  return 0;
}

/* Parameters are listed in the order of the file, which the table itself does not keep. */
typedef struct parameter_key {
  const char *name;
  size_t offset; /* of its definition in the text */
  int index;
} parameter_key;

static int compare_offsets(const void *a, const void *b) {
  const parameter_key *x = a, *y = b;
  if (x->offset != y->offset) return x->offset < y->offset ? -1 : 1;
  return x->index < y->index ? -1 : 1;
}

static size_t offset_of_line(const char *text, int line) {
  const char *start = text;
  for (int i = 1; i < line; i++) {
    const char *end = strchr(start, '\n');
    if (!end) break;
    start = end + 1;
  }
  return (size_t)(start - text);
}

static bool is_name_character(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Offset of the first `name =` (or ["name"] =) at or after from; SIZE_MAX: none. */
static size_t find_definition(const char *text, size_t from, const char *name) {
  size_t length = strlen(name);
  if (length == 0) return SIZE_MAX;
  for (const char *at = strstr(text + from, name); at; at = strstr(at + 1, name)) {
    if (at > text && is_name_character(at[-1])) continue;
    const char *after = at + length;
    if (is_name_character(*after)) continue;
    if ((*after == '"' || *after == '\'') && after[1] == ']') after += 2;
    after += strspn(after, " \t\r\n");
    if (after[0] == '=' && after[1] != '=') return (size_t)(at - text);
  }
  return SIZE_MAX;
}

/* range = { low, high }; false: not given */
static bool read_range(const picus_lua_table *table, double range[2]) {
  static const char *const no_names[] = {NULL};
  char title[128];
  lua_State *L = table->L;
  lua_pushstring(L, "range");
  const int type = lua_rawget(L, table->index);
  if (type == LUA_TNIL) {
    lua_pop(L, 1);
    return false;
  }
  snprintf(title, sizeof title, "'range' of %s", table->title);
  if (type != LUA_TTABLE) picus_lua_fail(L, PICUS_ERROR_MODEL, "%s must be two numbers, as in range = {0, 1}", title);
  picus_lua_table list = picus_lua_inner_table(L, -1, title);
  picus_lua_check_keys(&list, 2, no_names);
  for (int k = 0; k < 2; k++) {
    lua_rawgeti(L, list.index, k + 1);
    range[k] = picus_lua_to_number(L, -1, title);
  }
  lua_pop(L, 3);
  return true;
}

/* Defines the parameter whose entry is on top of the stack: a number, or { value, unit, description, range = { low,
 * high } }. */
static void define_parameter(lua_State *L, const char *name) {
  char what[96];
  double value, range[2];
  bool has_range = false;
  const char *unit = NULL, *description = NULL;
  int entry = lua_gettop(L);
  snprintf(what, sizeof what, "parameter '%.60s'", name);
  if (lua_type(L, entry) == LUA_TTABLE) {
    static const char *const keys[] = {"range", NULL};
    picus_lua_table table = picus_lua_inner_table(L, entry, what);
    picus_lua_check_keys(&table, 3, keys);
    has_range = read_range(&table, range);
    lua_rawgeti(L, entry, 1);
    if (lua_rawgeti(L, entry, 2) != LUA_TNIL) unit = picus_lua_to_text(L, -1, "the unit (second entry) of a parameter");
    if (lua_rawgeti(L, entry, 3) != LUA_TNIL)
      description = picus_lua_to_text(L, -1, "the description (third entry) of a parameter");
    lua_pop(L, 2);
  } else {
    lua_pushvalue(L, entry);
  }
  picus_lua_charge(L, 1 + (uint64_t)picus_model_parameter_count(picus_lua_session(L)->model) / 8); /* names compared */
  bool integer = lua_isinteger(L, -1);
  value = picus_lua_to_number(L, -1, what);
  picus_lua_require(L, picus_model_add_parameter(picus_lua_model_here(L), name, value, unit, description, &value));
  if (has_range)
    picus_lua_require(L, picus_model_set_parameter_range(picus_lua_model_here(L), name, range[0], range[1]));
  picus_lua_varied *varied = find_varied(picus_lua_session(L), name);
  if (varied) varied->is_integer = integer;
  push_parameter(L, value, integer);
  store_value(L, VIEW_PARAMETERS, name);
  lua_settop(L, entry - 1);
}

static int say_parameters(lua_State *L) {
  picus_lua_argument_table(L, "parameters", "parameters { name = value, name = { value, \"unit\", \"description\" } }");
  int count = picus_lua_sorted_keys(L, 1);
  parameter_key *keys = lua_newuserdatauv(L, (size_t)(count + 1) * sizeof *keys, 0);
  const picus_lua_place here = picus_lua_here(L);
  size_t from = offset_of_line(here.text, here.line);
  picus_lua_charge(L, (uint64_t)count * (strlen(here.text) - from) / 16);
  for (int i = 0; i < count; i++) {
    if (lua_rawgeti(L, 2, i + 1) != LUA_TSTRING)
      return picus_lua_fail(L, PICUS_ERROR_NAME, "parameters has an unnamed entry; write name = value");
    const char *name = picus_lua_to_text(L, -1, "a key of parameters");
    keys[i] = (parameter_key){name, find_definition(here.text, from, name), i};
    lua_pop(L, 1);
  }
  qsort(keys, (size_t)count, sizeof *keys, compare_offsets);
  for (int i = 0; i < count; i++) {
    lua_pushstring(L, keys[i].name);
    lua_rawget(L, 1);
    define_parameter(L, keys[i].name);
  }
  push_new_view(L, VIEW_PARAMETERS);
  return 1;
}

/* start = q0 or start = { q0, u0 } */
static void read_start(const picus_lua_table *table, picus_coordinate_def *def) {
  lua_State *L = table->L;
  lua_pushstring(L, "start");
  if (lua_rawget(L, table->index) == LUA_TTABLE) {
    static const char *const no_names[] = {NULL};
    char title[128];
    snprintf(title, sizeof title, "'start' of %s", table->title);
    picus_lua_table start = picus_lua_inner_table(L, -1, title);
    picus_lua_check_keys(&start, 2, no_names);
    lua_rawgeti(L, start.index, 1);
    def->start = picus_lua_to_number(L, -1, title);
    if (lua_rawgeti(L, start.index, 2) != LUA_TNIL) def->velocity_start = picus_lua_to_number(L, -1, title);
    lua_pop(L, 2);
  } else {
    picus_lua_get_number(table, "start", &def->start);
  }
  lua_pop(L, 1);
}

/* The coordinate whose table is on top of the stack. */
static void define_coordinate(lua_State *L) {
  static const char *const known[] = {"velocity", "start", "unit", "velocity_unit", "label", NULL};
  picus_lua_table table = picus_lua_inner_table(L, -1, "coordinate");
  picus_coordinate_def def = picus_default_coordinate_def();
  def.name = picus_lua_table_name(&table);
  picus_lua_check_keys(&table, 1, known);
  def.velocity = picus_lua_get_text(&table, "velocity");
  def.unit = picus_lua_get_text(&table, "unit");
  def.velocity_unit = picus_lua_get_text(&table, "velocity_unit");
  def.label = picus_lua_get_text(&table, "label");
  read_start(&table, &def);
  picus_expr q, u;
  picus_lua_require(L, picus_model_add_coordinate(picus_lua_model_here(L), &def, &q, &u));
  picus_lua_push_expr(L, q);
  store_value(L, VIEW_COORDINATES, def.name);
  if (!def.velocity) return;
  picus_lua_push_expr(L, u);
  store_value(L, VIEW_VELOCITIES, def.velocity);
}

/* The velocity whose table is on top of the stack. */
static void define_velocity(lua_State *L) {
  static const char *const known[] = {"start", "unit", NULL};
  picus_lua_table table = picus_lua_inner_table(L, -1, "velocity");
  const char *name = picus_lua_table_name(&table);
  picus_lua_check_keys(&table, 1, known);
  double start = 0;
  picus_lua_get_number(&table, "start", &start);
  picus_expr u;
  picus_lua_require(
      L, picus_model_add_velocity(picus_lua_model_here(L), name, start, picus_lua_get_text(&table, "unit"), &u));
  picus_lua_push_expr(L, u);
  store_value(L, VIEW_VELOCITIES, name);
}

/* The input whose table is on top of the stack. */
static void define_input(lua_State *L) {
  static const char *const known[] = {"start", "rate", "unit", "label", NULL};
  picus_lua_table table = picus_lua_inner_table(L, -1, "input");
  picus_input_def def = picus_default_input_def();
  def.name = picus_lua_table_name(&table);
  picus_lua_check_keys(&table, 1, known);
  if (find_varied(picus_lua_session(L), def.name)) picus_lua_session(L)->has_read = true;
  picus_lua_get_number(&table, "start", &def.start);
  def.has_rate = picus_lua_get_number(&table, "rate", &def.rate);
  def.unit = picus_lua_get_text(&table, "unit");
  def.label = picus_lua_get_text(&table, "label");
  picus_expr value;
  picus_lua_require(L, picus_model_add_input(picus_lua_model_here(L), &def, &value));
  picus_lua_push_expr(L, value);
  store_value(L, VIEW_INPUTS, def.name);
}

/* Calls define for each of a list of tables. */
static void define_each(lua_State *L, const char *word, const char *usage, void (*define)(lua_State *L)) {
  static const char *const no_names[] = {NULL};
  picus_lua_table list = picus_lua_argument_table(L, word, usage);
  lua_Unsigned count = lua_rawlen(L, 1);
  picus_lua_check_keys(&list, (int)(count < 10000000 ? count : 10000000), no_names);
  for (lua_Unsigned i = 1; i <= count; i++) {
    if (lua_rawgeti(L, 1, (lua_Integer)i) != LUA_TTABLE)
      picus_lua_fail(L, PICUS_ERROR_FILE_SYNTAX, "entry %d of %s must be a table, not %s: %s", (int)i, word,
                     picus_lua_type_text(L, -1), usage);
    define(L);
    lua_settop(L, 1);
  }
}

static int push_views(lua_State *L) {
  picus_lua *session = picus_lua_session(L);
  lua_rawgeti(L, LUA_REGISTRYINDEX, session->coordinate_view);
  lua_rawgeti(L, LUA_REGISTRYINDEX, session->velocity_view);
  return 2;
}

static int say_coordinates(lua_State *L) {
  define_each(L, "coordinates", "coordinates { { \"name\", velocity = \"name\", start = { q0, u0 } }, ... }",
              define_coordinate);
  return push_views(L);
}

static int say_velocities(lua_State *L) {
  define_each(L, "velocities", "velocities { { \"name\", start = u0 }, ... }", define_velocity);
  push_views(L);
  return 1; /* u */
}

static int say_inputs(lua_State *L) {
  define_each(L, "inputs", "inputs { { \"name\", start = value, unit = \"N\" }, ... }", define_input);
  push_new_view(L, VIEW_INPUTS);
  return 1;
}

/* rates { coordinate = expression, ... } */
static int say_rates(lua_State *L) { return picus_lua_set_each(L, "rates", "the rate of", picus_model_set_rate); }

void picus_lua_store_symbols(lua_State *L, int first_coordinate, int first_velocity) {
  const picus_model *model = picus_lua_session(L)->model;
  for (int i = first_coordinate; i < model->coordinate_count; i++) {
    picus_lua_push_expr(L, model->coordinates[i].symbol);
    store_value(L, VIEW_COORDINATES, model->coordinates[i].name);
  }
  for (int i = first_velocity; i < model->velocity_count; i++) {
    picus_lua_push_expr(L, model->velocities[i].symbol);
    store_value(L, VIEW_VELOCITIES, model->velocities[i].name);
  }
}

static int new_reference(lua_State *L) {
  lua_newtable(L);
  return luaL_ref(L, LUA_REGISTRYINDEX);
}

void picus_lua_open_symbols(lua_State *L) {
  picus_lua *session = picus_lua_session(L);
  session->parameters = new_reference(L);
  session->coordinates = new_reference(L);
  session->velocities = new_reference(L);
  session->inputs = new_reference(L);
  push_new_view(L, VIEW_COORDINATES);
  session->coordinate_view = luaL_ref(L, LUA_REGISTRYINDEX);
  push_new_view(L, VIEW_VELOCITIES);
  session->velocity_view = luaL_ref(L, LUA_REGISTRYINDEX);
  lua_register(L, "model", say_model);
  lua_register(L, "parameters", say_parameters);
  lua_register(L, "inputs", say_inputs);
  lua_register(L, "coordinates", say_coordinates);
  lua_register(L, "velocities", say_velocities);
  lua_register(L, "rates", say_rates);
}
