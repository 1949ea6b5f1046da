/* Signals of model files: tables of numbers, states of controllers, what laws did in the last step, and events.
 *
 *   table(x, { {x1, y1}, {x2, y2}, ... }, { kind = "cubic" })
 *   table(x, "road.csv", { column = "height" })
 *
 *   state {"I", start = 0, rate = expression}
 *   state {"k", start = 0, every = 1e-3, next = expression}
 *   gap("foot"), force("foot"), mode("foot")
 *   on {"touch-down", law = "foot", becomes = "closed", set = { hops = hops + 1 }}
 *
 * `table` is also Lua's own library, so it is that library with a call; `force` also gives generalized forces. */
#include "model_file/internal.h"
#include "text_format/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char table_usage[] = "table(x, { {x1, y1}, {x2, y2}, ... }) or table(x, \"file.csv\", { column = 2 })";
enum { BYTES_PER_POINT = 64 };

/* The word of an entry among some; its number, 0 if it is not given. */
static int get_word(const picus_lua_table *table, const char *key, const char *const words[2]) {
  const char *given = picus_lua_get_text(table, key);
  for (int k = 0; given && k < 2; k++)
    if (strcmp(given, words[k]) == 0) return k;
  if (given)
    picus_lua_fail(table->L, PICUS_ERROR_ARGUMENT, "'%s' of %s is \"%.60s\"; it must be \"%s\" or \"%s\"", key,
                   table->title, given, words[0], words[1]);
  return 0;
}

static data_column get_column(const picus_lua_table *table, const char *key, int number) {
  lua_State *L = table->L;
  data_column column = {.number = number};
  double given;
  lua_getfield(L, table->index, key);
  const bool is_text = lua_type(L, -1) == LUA_TSTRING;
  lua_pop(L, 1);
  if (is_text)
    column.name = picus_lua_get_text(table, key);
  else if (picus_lua_get_number(table, key, &given)) {
    if (!(given >= 1 && given <= 1e6) || given != floor(given))
      picus_lua_fail(L, PICUS_ERROR_ARGUMENT,
                     "'%s' of %s is %g; it must be the name of a column or its number, 1, 2 ...", key, table->title,
                     given);
    column.number = (int)given;
  }
  return column;
}

/* Both numbers of point i of the list at index 2. */
static void read_pair(lua_State *L, int i, double *x, double *y) {
  lua_rawgeti(L, 2, i + 1);
  if (lua_type(L, -1) != LUA_TTABLE || lua_rawlen(L, -1) != 2)
    picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "point %d of a table must be {x, y}: %s", i + 1, table_usage);
  lua_rawgeti(L, -1, 1);
  lua_rawgeti(L, -2, 2);
  *x = picus_lua_to_number(L, -2, "x of a point of a table");
  *y = picus_lua_to_number(L, -1, "y of a point of a table");
  lua_pop(L, 3);
}

/* The points of the list at index 2; the memory is a value on the stack. */
static void read_list(lua_State *L, picus_table_def *def) {
  const lua_Unsigned count = lua_rawlen(L, 2);
  if (count > 10000000)
    picus_lua_fail(L, PICUS_ERROR_FILE_LIMIT,
                   "a table has more than 1e7 points in the model file; read it from a file");
  double *x = lua_newuserdatauv(L, (size_t)(2 * count + 1) * sizeof *x, 0), *y = x + count;
  for (int i = 0; i < (int)count; i++) read_pair(L, i, &x[i], &y[i]);
  def->count = (int)count;
  def->x = x;
  def->y = y;
}

static picus_expr build(lua_State *L, const picus_table_def *def) {
  picus_pool *pool = picus_model_pool(picus_lua_session(L)->model);
  return picus_expr_table(pool, def, picus_lua_to_expr(L, 1, "x of a table"));
}

static picus_expr table_of_file(const picus_lua_table *options, picus_table_def *def) {
  lua_State *L = options->L;
  const picus_lua *session = picus_lua_session(L);
  const data_column columns[2] = {get_column(options, "x", 1), get_column(options, "column", 2)};
  char path[PICUS_PATH_SIZE];
  data_points points;
  const picus_model_file file = picus_lua_read_file(options, lua_tostring(L, 2), path);
  picus_lua_to_expr(L, 1, "x of a table"); /* fails before there are points */
  picus_lua_require(
      L, picus_points_parse(session->context, path, &file, columns, session->memory_limit / BYTES_PER_POINT, &points));
  def->count = points.count;
  def->x = points.x;
  def->y = points.y;
  const picus_expr made = build(L, def);
  picus_points_release(session->context, &points);
  picus_lua_charge(L, 10 * (uint64_t)def->count);
  return made;
}

/* The options at index 3, or none. */
static picus_lua_table get_options(lua_State *L, const char *file) {
  static const char *const of_file[] = {"kind", "outside", "column", "x", NULL};
  static const char *const of_list[] = {"kind", "outside", NULL};
  char title[96];
  snprintf(title, sizeof title, file ? "table '%.60s'" : "a table", file);
  if (lua_isnoneornil(L, 3)) {
    lua_settop(L, 2);
    lua_newtable(L);
  }
  if (lua_type(L, 3) != LUA_TTABLE)
    picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "the options of %s must be { kind = \"cubic\" } or the like, not %s", title,
                   picus_lua_type_text(L, 3));
  const picus_lua_table options = picus_lua_inner_table(L, 3, title);
  picus_lua_check_keys(&options, 0, file ? of_file : of_list);
  return options;
}

static int call_table(lua_State *L) {
  static const char *const kinds[2] = {"linear", "cubic"}, *const beyond[2] = {"constant", "fail"};
  lua_remove(L, 1); /* the library */
  const bool is_file = lua_type(L, 2) == LUA_TSTRING, is_number = lua_type(L, 1) == LUA_TNUMBER;
  if (lua_gettop(L) < 2 || lua_gettop(L) > 3 || (!is_file && lua_type(L, 2) != LUA_TTABLE))
    return picus_lua_fail(L, PICUS_ERROR_FILE_SYNTAX, "table needs x and points: %s", table_usage);
  const char *file = is_file ? picus_lua_to_text(L, 2, "the file of a table") : NULL;
  const picus_lua_table options = get_options(L, file);
  picus_table_def def = {.name = options.title};
  def.kind = get_word(&options, "kind", kinds) ? PICUS_TABLE_CUBIC : PICUS_TABLE_LINEAR;
  def.fail_outside = get_word(&options, "outside", beyond) == 1;
  picus_expr made;
  if (is_file)
    made = table_of_file(&options, &def);
  else {
    read_list(L, &def);
    made = build(L, &def);
  }
  double value;
  if (is_number && picus_expr_is_number(picus_model_pool(picus_lua_session(L)->model), made, &value))
    lua_pushnumber(L, value);
  else
    picus_lua_push_expr(L, made);
  return 1;
}

/* --- states ------------------------------------------------------------------------------------------------------- */

static const char state_usage[] =
    "state {\"name\", start = 0, rate = expression} or state {\"name\", start = 0, every = 1e-3, next = expression}";

/* The entry `rate` or `next`: an expression, or a function that makes one of the state itself, which is at the index
 * `self`. */
static picus_expr get_change(const picus_lua_table *table, const char *key, int self) {
  lua_State *L = table->L;
  char what[160];
  snprintf(what, sizeof what, "'%s' of %s", key, table->title);
  lua_getfield(L, table->index, key);
  if (lua_type(L, -1) == LUA_TFUNCTION) {
    lua_pushvalue(L, self);
    lua_call(L, 1, 1);
  }
  const picus_expr made = picus_lua_to_expr(L, -1, what);
  lua_pop(L, 1);
  return made;
}

/* state { ... }: continuous with a rate, sampled with every and next, or held. */
static int say_state(lua_State *L) {
  static const char *const known[] = {"start", "rate", "every", "next", "unit", "label", NULL};
  picus_lua_table table = picus_lua_argument_table(L, "state", state_usage);
  picus_state_def def = {.kind = PICUS_STATE_HELD};
  def.name = picus_lua_table_name(&table);
  picus_lua_check_keys(&table, 1, known);
  const bool has_rate = picus_lua_has(&table, "rate"), has_next = picus_lua_has(&table, "next");
  const bool is_sampled = picus_lua_get_number(&table, "every", &def.every);
  if (has_rate && (is_sampled || has_next))
    return picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "%s has a rate and is sampled; give one of the two: %s", table.title,
                          state_usage);
  if (has_next && !is_sampled)
    return picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "%s has 'next' but not 'every', the time between two samples in s",
                          table.title);
  if (has_rate) def.kind = PICUS_STATE_CONTINUOUS;
  if (is_sampled) def.kind = PICUS_STATE_SAMPLED;
  picus_lua_get_number(&table, "start", &def.start);
  def.unit = picus_lua_get_text(&table, "unit");
  def.label = picus_lua_get_text(&table, "label");
  picus_expr value;
  picus_lua_require(L, picus_model_add_state(picus_lua_model_here(L), &def, &value));
  picus_lua_push_expr(L, value);
  const int self = lua_gettop(L);
  if (has_rate) {
    const picus_expr rate = get_change(&table, "rate", self);
    picus_lua_require(L, picus_model_set_rate(picus_lua_model_here(L), def.name, rate));
  }
  if (has_next) {
    const picus_expr next = get_change(&table, "next", self);
    picus_lua_require(L, picus_model_set_next(picus_lua_model_here(L), def.name, next));
  }
  lua_settop(L, self);
  return 1;
}

/* next_values { state = expression, ... } */
static int say_next(lua_State *L) {
  return picus_lua_set_each(L, "next_values", "the next value of", picus_model_set_next);
}

/* --- signals of laws ---------------------------------------------------------------------------------------------- */

/* Upvalue: the picus_signal. */
static int call_signal(lua_State *L) {
  const picus_signal signal = (picus_signal)lua_tointeger(L, lua_upvalueindex(1));
  picus_expr value;
  const char *law = picus_lua_to_text(L, 1, "the name of a law");
  picus_lua_require(L, picus_model_add_signal(picus_lua_model_here(L), law, signal, &value));
  picus_lua_push_expr(L, value);
  return 1;
}

/* force("foot") is a signal, force { x = ... } adds generalized forces. Upvalues: the picus_signal, the keyword. */
static int call_force(lua_State *L) {
  if (lua_type(L, 1) == LUA_TSTRING) return call_signal(L);
  lua_pushvalue(L, lua_upvalueindex(2));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, 0);
  return 0;
}

static void open_law_signals(lua_State *L) {
  lua_pushinteger(L, PICUS_SIGNAL_GAP);
  lua_pushcclosure(L, call_signal, 1);
  lua_setglobal(L, "gap");
  lua_pushinteger(L, PICUS_SIGNAL_MODE);
  lua_pushcclosure(L, call_signal, 1);
  lua_setglobal(L, "mode");
  lua_pushinteger(L, PICUS_SIGNAL_FORCE);
  lua_getglobal(L, "force");
  lua_pushcclosure(L, call_force, 2);
  lua_setglobal(L, "force");
}

/* --- events ------------------------------------------------------------------------------------------------------- */

static const char event_usage[] = "on {\"name\", when = expression, set = { NAME = expression }} or on {\"name\", law "
                                  "= \"foot\", becomes = \"closed\"}";
enum { SETTINGS_MOST = 1000 };

/* The expression at index whose zero is meant; of a condition a < b it is b - a, which then rises. */
static picus_expr zero_of(lua_State *L, int index, const char *what, picus_event_direction *direction) {
  picus_pool *pool = picus_model_pool(picus_lua_session(L)->model);
  const picus_expr *condition = luaL_testudata(L, index, "condition");
  if (!condition) return picus_lua_to_expr(L, index, what);
  const picus_op op = picus_expr_op(pool, *condition);
  if (op != PICUS_LESS && op != PICUS_LESS_EQUAL)
    picus_lua_fail(
        L, PICUS_ERROR_UNSUPPORTED,
        "%s must be an expression, or one of the conditions lt, le, gt and ge; use several events instead of "
        "all and any",
        what);
  *direction = PICUS_EVENT_RISES;
  return picus_sub(pool, picus_expr_argument(pool, *condition, 1), picus_expr_argument(pool, *condition, 0));
}

static void get_when(const picus_lua_table *table, picus_event_def *def) {
  static const char *const directions[] = {"both", "rises", "falls"};
  char what[160];
  snprintf(what, sizeof what, "'when' of %s", table->title);
  lua_getfield(table->L, table->index, "when");
  def->when = zero_of(table->L, -1, what, &def->direction);
  const bool is_condition = luaL_testudata(table->L, -1, "condition") != NULL;
  lua_pop(table->L, 1);
  const char *given = picus_lua_get_text(table, "direction");
  if (!given) return;
  if (is_condition)
    picus_lua_fail(table->L, PICUS_ERROR_ARGUMENT, "%s has a condition, which becomes true; omit 'direction'",
                   table->title);
  for (int k = 0; k < 3; k++)
    if (strcmp(given, directions[k]) == 0) {
      def->direction = (picus_event_direction)k;
      return;
    }
  picus_lua_fail(table->L, PICUS_ERROR_ARGUMENT,
                 "'direction' of %s is \"%.60s\"; it must be \"rises\", \"falls\" or \"both\"", table->title, given);
}

static void get_becomes(const picus_lua_table *table, picus_event_def *def) {
  static const char *const changes[] = {"open", "closed", "stick", "slip", "impact"};
  const char *given = picus_lua_get_text(table, "becomes");
  def->law = picus_lua_get_text(table, "law");
  if (!given) picus_lua_fail(table->L, PICUS_ERROR_ARGUMENT, "%s has a law and needs 'becomes'", table->title);
  for (int k = 0; given && k < 5; k++)
    if (strcmp(given, changes[k]) == 0) {
      def->change = (picus_event_change)k;
      return;
    }
  picus_lua_fail(table->L, PICUS_ERROR_ARGUMENT,
                 "'becomes' of %s is \"%.60s\"; it must be \"open\", \"closed\", \"stick\", \"slip\" or \"impact\"",
                 table->title, given);
}

/* Pushes the table of an entry and its sorted keys; their number, 0: it is not given. */
static int push_keys(const picus_lua_table *table, const char *key) {
  lua_State *L = table->L;
  const int type = lua_getfield(L, table->index, key);
  if (type != LUA_TNIL && type != LUA_TTABLE)
    picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "'%s' of %s must be { NAME = value, ... }, not %s", key, table->title,
                   picus_lua_type_text(L, -1));
  if (type == LUA_TNIL) return 0;
  const int count = picus_lua_sorted_keys(L, lua_gettop(L));
  if (count > SETTINGS_MOST)
    picus_lua_fail(L, PICUS_ERROR_FILE_LIMIT, "'%s' of %s has more than %d entries", key, table->title, SETTINGS_MOST);
  return count;
}

/* The name number k of push_keys, and its value on top of the stack. */
static const char *push_entry(lua_State *L, int keys, int k) {
  lua_rawgeti(L, keys, k + 1);
  const char *name = picus_lua_to_text(L, -1, "a name in 'set' or 'switch' of an event");
  lua_rawget(L, keys - 1); /* the table holds the name */
  return name;
}

static void get_settings(const picus_lua_table *table, picus_event_def *def) {
  lua_State *L = table->L;
  const int count = push_keys(table, "set"), keys = lua_gettop(L);
  picus_event_setting *settings = lua_newuserdatauv(L, (size_t)(count + 1) * sizeof *settings, 0);
  for (int k = 0; k < count; k++) {
    char what[200];
    settings[k].name = push_entry(L, keys, k);
    snprintf(what, sizeof what, "'%.60s' in 'set' of %s", settings[k].name, table->title);
    settings[k].value = picus_lua_to_expr(L, -1, what);
    lua_pop(L, 1);
  }
  def->setting_count = count;
  def->settings = settings;
}

static void get_switches(const picus_lua_table *table, picus_event_def *def) {
  lua_State *L = table->L;
  const int count = push_keys(table, "switch"), keys = lua_gettop(L);
  picus_event_switch *switches = lua_newuserdatauv(L, (size_t)(count + 1) * sizeof *switches, 0);
  for (int k = 0; k < count; k++) {
    switches[k].law = push_entry(L, keys, k);
    const char *word = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
    if (strcmp(word, "on") != 0 && strcmp(word, "off") != 0)
      picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "'%.60s' in 'switch' of %s must be \"on\" or \"off\"", switches[k].law,
                     table->title);
    switches[k].on = strcmp(word, "on") == 0;
    lua_pop(L, 1);
  }
  def->switch_count = count;
  def->switches = switches;
}

static int say_on(lua_State *L) {
  static const char *const known[] = {"when", "direction", "law", "becomes", "set", "switch", "stop", NULL};
  picus_lua_table table = picus_lua_argument_table(L, "on", event_usage);
  picus_event_def def = {.direction = PICUS_EVENT_CROSSES};
  def.name = picus_lua_table_name(&table);
  picus_lua_check_keys(&table, 1, known);
  const bool has_when = picus_lua_has(&table, "when"), has_law = picus_lua_has(&table, "law");
  if (has_when == has_law)
    return picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "%s needs either 'when' or 'law': %s", table.title, event_usage);
  if (has_when) get_when(&table, &def);
  if (has_law) get_becomes(&table, &def);
  get_settings(&table, &def);
  get_switches(&table, &def);
  def.stops = picus_lua_get_choice(&table, "stop") == 1;
  picus_lua_require(L, picus_model_add_event(picus_lua_model_here(L), &def));
  return 0;
}

/* stop_when(expression or condition) */
static int say_stop_when(lua_State *L) {
  char name[40];
  picus_event_def def = {.name = name, .stops = true};
  if (lua_gettop(L) != 1)
    return picus_lua_fail(L, PICUS_ERROR_FILE_SYNTAX, "stop_when takes one expression or condition, not %d",
                          lua_gettop(L));
  snprintf(name, sizeof name, "stop-%d", picus_lua_session(L)->stop_count++ + 1);
  def.when = zero_of(L, 1, "stop_when", &def.direction);
  picus_lua_require(L, picus_model_add_event(picus_lua_model_here(L), &def));
  return 0;
}

void picus_lua_open_signals(lua_State *L) {
  lua_register(L, "on", say_on);
  lua_register(L, "stop_when", say_stop_when);
  lua_register(L, "state", say_state);
  lua_register(L, "next_values", say_next);
  open_law_signals(L);
  lua_getglobal(L, "table");
  lua_newtable(L);
  lua_pushcfunction(L, call_table);
  lua_setfield(L, -2, "__call");
  lua_setmetatable(L, -2);
  lua_pop(L, 1);
}
