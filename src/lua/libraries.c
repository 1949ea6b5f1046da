/* The part of Lua's libraries that a model file may use: computation only, the same in every run, and nothing that runs
 * long inside C without checking the limits (therefore no patterns: a pattern can take exponential time). */
#include "lua/internal.h"

#include <limits.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- table.sort --------------------------------------------------------------------------------------------------- */

/* table.sort of model files. Lua's own takes its pivots from the clock where the partitions of a long list are unequal,
 * and elements that compare equal then have another order in each run. A merge sort needs no pivots, and equal elements
 * keep their order. */

enum { LIST = 1, ORDER = 2, SPARE = 3 }; /* on the stack: the list, the function or nil, a list of the same length */

/* Whether entry i of the list at index comes before its entry j. */
static bool is_before(lua_State *L, int index, lua_Integer i, lua_Integer j) {
  bool before;
  if (lua_isnil(L, ORDER)) {
    lua_rawgeti(L, index, i);
    lua_rawgeti(L, index, j);
    before = lua_compare(L, -2, -1, LUA_OPLT);
    lua_pop(L, 2);
  } else {
    lua_pushvalue(L, ORDER);
    lua_rawgeti(L, index, i);
    lua_rawgeti(L, index, j);
    lua_call(L, 2, 1);
    before = lua_toboolean(L, -1);
    lua_pop(L, 1);
  }
  return before;
}

/* Merges the ordered entries first ... middle - 1 and middle ... end - 1 of one list into the other. */
static void merge(lua_State *L, int from, lua_Integer first, lua_Integer middle, lua_Integer end) {
  lua_Integer left = first, right = middle;
  for (lua_Integer k = first; k < end; k++) {
    bool takes_right = left == middle || (right < end && is_before(L, from, right, left));
    lua_rawgeti(L, from, takes_right ? right++ : left++);
    lua_rawseti(L, LIST + SPARE - from, k);
  }
}

/* Sort.c: table.sort. */
static int sort_list(lua_State *L) {
  luaL_checktype(L, LIST, LUA_TTABLE);
  if (!lua_isnoneornil(L, ORDER)) luaL_checktype(L, ORDER, LUA_TFUNCTION);
  lua_settop(L, ORDER);
  const lua_Integer count = (lua_Integer)lua_rawlen(L, LIST);
  lua_createtable(L, (int)(count < INT_MAX ? count : INT_MAX), 0);
  int from = LIST;
  for (lua_Integer width = 1; width < count; width *= 2) {
    for (lua_Integer first = 1; first <= count; first += 2 * width) {
      lua_Integer middle = first + width <= count ? first + width : count + 1;
      lua_Integer end = middle + width <= count ? middle + width : count + 1;
      merge(L, from, first, middle, end);
    }
    from = LIST + SPARE - from;
  }
  if (from == LIST) return 0;
  for (lua_Integer k = 1; k <= count; k++) {
    lua_rawgeti(L, SPARE, k);
    lua_rawseti(L, LIST, k);
  }
  return 0;
}

/* --- libraries ---------------------------------------------------------------------------------------------------- */

static const char *const base_names[] = {"assert", "error", "ipairs", "select", "tonumber", "type", NULL};
static const char *const string_names[] = {"byte", "char",    "format", "len",   "lower",
                                           "rep",  "reverse", "sub",    "upper", NULL};
static const char *const table_names[] = {"concat", "insert", "move", "pack", "remove", "sort", "unpack", NULL};
static const char *const math_names[] = {"abs", "acos",       "asin", "atan",      "ceil", "cos",    "deg",
                                         "exp", "floor",      "fmod", "huge",      "log",  "max",    "maxinteger",
                                         "min", "mininteger", "modf", "pi",        "rad",  "random", "randomseed",
                                         "sin", "sqrt",       "tan",  "tointeger", "type", "ult",    NULL};
/* Known from elsewhere and left out: their users deserve a better answer than "unknown". */
static const char *const left_out[] = {"collectgarbage",
                                       "coroutine",
                                       "debug",
                                       "dofile",
                                       "getmetatable",
                                       "io",
                                       "load",
                                       "loadfile",
                                       "loadstring",
                                       "os",
                                       "package",
                                       "pcall",
                                       "rawequal",
                                       "rawget",
                                       "rawlen",
                                       "rawset",
                                       "require",
                                       "setmetatable",
                                       "utf8",
                                       "warn",
                                       "xpcall",
                                       "_G",
                                       "string.dump",
                                       "string.find",
                                       "string.gmatch",
                                       "string.gsub",
                                       "string.match",
                                       "string.pack",
                                       "string.packsize",
                                       "string.unpack",
                                       NULL};

static bool listed(const char *const *names, const char *name) {
  for (; *names; names++)
    if (strcmp(*names, name) == 0) return true;
  return false;
}

/* Removes all entries of the table on top of the stack but the listed ones. */
static void keep_only(lua_State *L, const char *const *names) {
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    lua_pop(L, 1);
    if (lua_type(L, -1) == LUA_TSTRING && listed(names, lua_tostring(L, -1))) continue;
    lua_pushvalue(L, -1);
    lua_pushnil(L);
    lua_rawset(L, -4); /* clearing an entry is allowed during a traversal */
  }
}

/* A key with all that its place depends on. No two keys of a table are equal, so that their order in the table, which
 * differs from run to run, does not count. */
typedef struct sortable_key {
  enum { KEY_NUMBER, KEY_TEXT, KEY_BOOLEAN, KEY_OTHER } rank;
  double number;       /* NUMBER, BOOLEAN */
  lua_Integer integer; /* NUMBER: large integers may have the same double; the float 2^63 counts as the largest one */
  const char *text;    /* TEXT: may contain zero bytes */
  size_t length;
  int position;
} sortable_key;

static int compare_texts(const sortable_key *x, const sortable_key *y) {
  int order = memcmp(x->text, y->text, x->length < y->length ? x->length : y->length);
  return order ? order : (x->length > y->length) - (x->length < y->length);
}

static int compare_keys(const void *a, const void *b) {
  const sortable_key *x = a, *y = b;
  if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
  if (x->rank == KEY_TEXT) return compare_texts(x, y);
  if (x->number != y->number) return x->number < y->number ? -1 : 1;
  return (x->integer > y->integer) - (x->integer < y->integer);
}

/* The key on top of the stack. */
static sortable_key read_key(lua_State *L, int position) {
  sortable_key key = {.rank = KEY_OTHER, .position = position};
  switch (lua_type(L, -1)) {
  case LUA_TNUMBER:
    key.rank = KEY_NUMBER;
    key.number = lua_tonumber(L, -1);
    key.integer = lua_isinteger(L, -1) ? lua_tointeger(L, -1) : LUA_MAXINTEGER;
    break;
  case LUA_TSTRING:
    key.rank = KEY_TEXT;
    key.text = lua_tolstring(L, -1, &key.length);
    break;
  case LUA_TBOOLEAN:
    key.rank = KEY_BOOLEAN;
    key.number = lua_toboolean(L, -1);
    break;
  default:
    break;
  }
  return key;
}

static int count_entries(lua_State *L, int index) {
  int count = 0;
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) count++;
  return count;
}

/* Lua orders such keys by their addresses. */
static int refuse_keys(lua_State *L, int type) {
  return picus_lua_fail(L, PICUS_ERROR_FILE_SYNTAX,
                        "a table with keys of type %s has no reproducible order; use numbers or strings as keys",
                        lua_typename(L, type));
}

int picus_lua_sorted_keys(lua_State *L, int index) {
  index = lua_absindex(L, index);
  luaL_checkstack(L, 6, NULL);
  int count = count_entries(L, index);
  picus_lua_charge(L, 4 * (uint64_t)count);
  sortable_key *keys = lua_newuserdatauv(L, (size_t)(count + 1) * sizeof *keys, 0);
  lua_createtable(L, count, 0); /* the keys in Lua's order */
  int position = 0, others = 0;
  for (lua_pushnil(L); lua_next(L, index);) {
    lua_pop(L, 1);
    sortable_key key = read_key(L, ++position);
    if (key.rank == KEY_OTHER && ++others > 1) return refuse_keys(L, lua_type(L, -1));
    keys[position - 1] = key;
    lua_pushvalue(L, -1);
    lua_rawseti(L, -3, position);
  }
  qsort(keys, (size_t)count, sizeof *keys, compare_keys);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, -2, keys[i].position);
    lua_rawseti(L, -2, i + 1);
  }
  lua_replace(L, -3);
  lua_pop(L, 1);
  return count;
}

/* The strings in a sequence of sorted keys; the keys before and after them are not names. */
typedef struct sequence {
  lua_State *L;
  int index;
  int skipped; /* entries before the first text */
} sequence;

static const char *next_text(const void *user, int k) {
  const sequence *names = user;
  int type = lua_rawgeti(names->L, names->index, names->skipped + k + 1);
  const char *name = type == LUA_TSTRING ? lua_tostring(names->L, -1) : NULL; /* stays valid: the sequence holds it */
  lua_pop(names->L, 1);
  return name;
}

void picus_lua_suggest(lua_State *L, int index, const char *name, char *sentence, size_t size) {
  sequence names = {L, lua_absindex(L, index), 0};
  while (lua_rawgeti(L, names.index, names.skipped + 1) == LUA_TNUMBER) {
    lua_pop(L, 1);
    names.skipped++;
  }
  lua_pop(L, 1);
  const char *nearest = picus_nearest_name(name, next_text, &names);
  if (nearest)
    snprintf(sentence, size, "; did you mean '%.60s'?", nearest);
  else
    sentence[0] = '\0';
}

/* __index of the globals and of each library: reading an undefined name. Upvalue: "" or "string.". */
static int undefined_name(lua_State *L) {
  const char *prefix = lua_tostring(L, lua_upvalueindex(1));
  if (lua_type(L, 2) != LUA_TSTRING) return 0;
  const char *name = lua_tostring(L, 2);
  char full[80], suggestion[100];
  snprintf(full, sizeof full, "%s%.60s", prefix, name);
  if (listed(left_out, full)) return picus_lua_fail(L, PICUS_ERROR_NAME, "'%s' is not available in a model file", full);
  picus_lua_sorted_keys(L, 1);
  picus_lua_suggest(L, -1, name, suggestion, sizeof suggestion);
  return picus_lua_fail(L, PICUS_ERROR_NAME, "'%s' is not defined%s", full, suggestion);
}

static void guard(lua_State *L, const char *prefix) {
  lua_newtable(L);
  lua_pushstring(L, prefix);
  lua_pushcclosure(L, undefined_name, 1);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
}

const char *picus_lua_push_text(lua_State *L, int index) {
  int type = lua_type(L, index);
  bool has_address = type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TUSERDATA ||
                     type == LUA_TLIGHTUSERDATA || type == LUA_TTHREAD;
  if (!has_address || luaL_getmetafield(L, index, "__tostring") != LUA_TNIL) {
    if (has_address) lua_pop(L, 1);
    return luaL_tolstring(L, index, NULL);
  }
  return lua_pushstring(L, lua_typename(L, type));
}

static int to_text(lua_State *L) {
  luaL_checkany(L, 1);
  picus_lua_push_text(L, 1);
  return 1;
}

/* string.format: %s takes texts as tostring makes them, %p is an address. A format may contain zero bytes. Upvalue:
 * Lua's own function. */
static int format_text(lua_State *L) {
  size_t length;
  int argument = 1;
  const char *at = luaL_checklstring(L, 1, &length), *end = at + length;
  for (; at < end && (at = memchr(at, '%', (size_t)(end - at))) != NULL; at++) {
    at += 1 + strspn(at + 1, "-+ #0123456789.");
    if (*at == '%') continue;
    if (!*at || ++argument > lua_gettop(L)) break; /* Lua's function reports the error */
    if (*at == 'p')
      return picus_lua_fail(L, PICUS_ERROR_FILE_SYNTAX,
                            "'%%p' in a format prints an address, which differs from run to run; remove it");
    if (*at != 's') continue;
    picus_lua_push_text(L, argument);
    lua_replace(L, argument);
  }
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, 1);
  return 1;
}

static void hide_addresses(lua_State *L) {
  lua_register(L, "tostring", to_text);
  lua_getglobal(L, "string");
  lua_getfield(L, -1, "format");
  lua_pushcclosure(L, format_text, 1);
  lua_setfield(L, -2, "format");
  lua_pop(L, 1);
}

static int print(lua_State *L) {
  luaL_Buffer line;
  int count = lua_gettop(L);
  luaL_buffinit(L, &line);
  for (int i = 1; i <= count; i++) {
    if (i > 1) luaL_addchar(&line, '\t');
    picus_lua_push_text(L, i);
    luaL_addvalue(&line);
  }
  luaL_pushresult(&line);
  picus_log(picus_lua_session(L)->context, PICUS_LOG_NOTE, "%s", lua_tostring(L, -1));
  return 0;
}

/* The iterator of pairs. Upvalues: table, its sorted keys, position. */
static int next_pair(lua_State *L) {
  lua_Integer position = lua_tointeger(L, lua_upvalueindex(3)) + 1;
  lua_pushinteger(L, position);
  lua_replace(L, lua_upvalueindex(3));
  if (lua_rawgeti(L, lua_upvalueindex(2), position) == LUA_TNIL) return 1;
  lua_pushvalue(L, -1);
  lua_rawget(L, lua_upvalueindex(1));
  return 2;
}

/* pairs(t): a closure over the current keys, in fixed order; views use their own table through __pairs. */
static int sorted_pairs(lua_State *L) {
  luaL_checkany(L, 1);
  lua_settop(L, 1);
  if (luaL_getmetafield(L, 1, "__pairs") != LUA_TNIL) {
    lua_pushvalue(L, 1);
    lua_call(L, 1, 1);
    return 1;
  }
  luaL_checktype(L, 1, LUA_TTABLE);
  picus_lua_sorted_keys(L, 1);
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, next_pair, 3);
  return 1;
}

/* next(t, key) in the order of pairs. */
static int sorted_next(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 2);
  int count = picus_lua_sorted_keys(L, 1);
  int at = 1;
  if (!lua_isnil(L, 2)) {
    for (bool found = false; !found; at++) {
      if (at > count) return luaL_error(L, "next: the table has no such key");
      lua_rawgeti(L, 3, at);
      found = lua_rawequal(L, -1, 2);
      lua_pop(L, 1);
    }
  }
  if (lua_rawgeti(L, 3, at) == LUA_TNIL) return 1;
  lua_pushvalue(L, -1);
  lua_rawget(L, 1);
  return 2;
}

static uint64_t range_length(lua_State *L, int first, int last) {
  lua_Integer from = luaL_optinteger(L, first, 1);
  lua_Integer to = luaL_opt(L, luaL_checkinteger, last, (lua_Integer)lua_rawlen(L, 1));
  return from > to ? 0 : (uint64_t)to - (uint64_t)from + 1;
}

/* How much work a library function does in C for the arguments on the stack. */
static uint64_t work_of_length(lua_State *L) { return lua_rawlen(L, 1) / 4; }
static uint64_t work_of_concat(lua_State *L) { return range_length(L, 3, 4); }
static uint64_t work_of_unpack(lua_State *L) { return range_length(L, 2, 3); }
static uint64_t work_of_move(lua_State *L) { return range_length(L, 2, 3); }
static uint64_t work_of_sort(lua_State *L) {
  uint64_t length = lua_rawlen(L, 1), levels = 1;
  while (length >> levels) levels++;
  return length * levels;
}
static uint64_t work_of_rep(lua_State *L) {
  luaL_checkstring(L, 1);
  lua_Integer count = luaL_checkinteger(L, 2);
  return count > 0 ? (uint64_t)count : 0;
}

typedef struct charged_function {
  const char *library, *name;
  uint64_t (*work)(lua_State *L);
} charged_function;
static const charged_function charged_functions[] = {
    {"table", "insert", work_of_length}, {"table", "remove", work_of_length}, {"table", "concat", work_of_concat},
    {"table", "unpack", work_of_unpack}, {"table", "move", work_of_move},     {"table", "sort", work_of_sort},
    {"string", "rep", work_of_rep},
};

/* Upvalues: number of the charged function, Lua's own function. */
static int call_charged(lua_State *L) {
  const charged_function *function = &charged_functions[lua_tointeger(L, lua_upvalueindex(1))];
  if (strcmp(function->library, "table") == 0) luaL_checktype(L, 1, LUA_TTABLE);
  picus_lua_charge(L, function->work(L));
  lua_pushvalue(L, lua_upvalueindex(2));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  return lua_gettop(L);
}

static void wrap_charged_functions(lua_State *L) {
  lua_getglobal(L, "table");
  lua_pushcfunction(L, sort_list);
  lua_setfield(L, -2, "sort");
  lua_pop(L, 1);
  for (size_t i = 0; i < sizeof charged_functions / sizeof *charged_functions; i++) {
    lua_getglobal(L, charged_functions[i].library);
    lua_pushinteger(L, (lua_Integer)i);
    lua_getfield(L, -2, charged_functions[i].name);
    lua_pushcclosure(L, call_charged, 2);
    lua_setfield(L, -2, charged_functions[i].name);
    lua_pop(L, 1);
  }
}

/* Without an argument Lua takes a seed from the clock: a run could not be repeated. */
static int random_seed(lua_State *L) {
  luaL_checknumber(L, 1);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_pushvalue(L, 1);
  lua_call(L, 1, 0);
  return 0;
}

static void fix_random_numbers(lua_State *L) {
  lua_getglobal(L, "math");
  lua_getfield(L, -1, "randomseed");
  lua_pushcclosure(L, random_seed, 1);
  lua_pushvalue(L, -1);
  lua_setfield(L, -3, "randomseed");
  lua_pushinteger(L, 1);
  lua_call(L, 1, 0);
  lua_pop(L, 1);
}

static void open_library(lua_State *L, const char *name, lua_CFunction open, const char *const *names) {
  luaL_requiref(L, name, open, 1);
  keep_only(L, names);
  char prefix[16];
  snprintf(prefix, sizeof prefix, "%s.", name);
  guard(L, prefix);
  lua_pop(L, 1);
}

void picus_lua_open_libraries(lua_State *L) {
  luaL_requiref(L, "_G", luaopen_base, 0);
  keep_only(L, base_names);
  guard(L, "");
  lua_pop(L, 1);
  open_library(L, "string", luaopen_string, string_names);
  open_library(L, "table", luaopen_table, table_names);
  open_library(L, "math", luaopen_math, math_names);
  wrap_charged_functions(L);
  fix_random_numbers(L);
  hide_addresses(L);
  lua_register(L, "print", print);
  lua_register(L, "pairs", sorted_pairs);
  lua_register(L, "next", sorted_next);
}
