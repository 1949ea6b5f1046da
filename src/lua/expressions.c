/* Symbolic values: expressions and conditions as Lua values in the pool of the model. A value holds only the handle;
 * the pool owns the expression. With plain numbers, all functions compute plain numbers. */
#include "expr/words.h"
#include "lua/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char formula_type[] = "formula";
static const char condition_type[] = "condition";
const char picus_lua_body_type[] = "body";

static picus_pool *pool_of(lua_State *L) { return picus_model_pool(picus_lua_session(L)->model); }

/* The expression could not be built; the context has the message of the pool. */
static void fail_expression(lua_State *L) {
  picus_status status = picus_pool_status(pool_of(L));
  const picus_error *error = picus_last_error(picus_lua_session(L)->context);
  char reason[256];
  snprintf(reason, sizeof reason, "%s", status && error->status == status ? error->message : picus_status_text(status));
  picus_lua_fail(L, status ? status : PICUS_ERROR_ARGUMENT, "an expression cannot be built: %s", reason);
}

static void push_value(lua_State *L, picus_expr expr, const char *type) {
  if (!picus_expr_valid(expr)) fail_expression(L);
  picus_lua_check_memory(L);
  picus_expr *value = lua_newuserdatauv(L, sizeof *value, 0);
  *value = expr;
  luaL_setmetatable(L, type);
}

void picus_lua_push_expr(lua_State *L, picus_expr expr) { push_value(L, expr, formula_type); }

bool picus_lua_is_body(lua_State *L, int index) { return luaL_testudata(L, index, picus_lua_body_type) != NULL; }
static bool is_condition(lua_State *L, int index) { return luaL_testudata(L, index, condition_type) != NULL; }

const char *picus_lua_type_text(lua_State *L, int index) {
  switch (lua_type(L, index)) {
  case LUA_TNONE:
  case LUA_TNIL:
    return "nil";
  case LUA_TNUMBER:
    return "a number";
  case LUA_TSTRING:
    return "a string";
  case LUA_TBOOLEAN:
    return "a boolean";
  case LUA_TTABLE:
    return "a table";
  case LUA_TFUNCTION:
    return "a function";
  default:
    if (picus_lua_is_body(L, index)) return "a body";
    return is_condition(L, index) ? "a condition" : "an expression";
  }
}

static picus_expr number_expr(lua_State *L, double value) {
  if (!isfinite(value))
    picus_lua_fail(L, PICUS_ERROR_NUMBER, "a number in an expression is not finite but %s",
                   isnan(value) ? "nan" : "inf");
  return picus_number(pool_of(L), value);
}

picus_expr picus_lua_to_expr(lua_State *L, int index, const char *what) {
  const picus_expr *value = luaL_testudata(L, index, formula_type);
  if (value) return *value;
  if (lua_type(L, index) != LUA_TNUMBER)
    picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "%s must be an expression or a number, not %s%s", what,
                   picus_lua_type_text(L, index), is_condition(L, index) ? "; use when(condition, a, b)" : "");
  double number = lua_tonumber(L, index);
  if (!isfinite(number))
    picus_lua_fail(L, PICUS_ERROR_NUMBER, "%s must be a finite number, not %s", what, isnan(number) ? "nan" : "inf");
  return number_expr(L, number);
}

double picus_lua_to_number(lua_State *L, int index, const char *what) {
  double number = 0;
  const picus_expr *value = luaL_testudata(L, index, formula_type);
  if (value && picus_expr_is_number(pool_of(L), *value, &number)) return number;
  if (lua_type(L, index) != LUA_TNUMBER)
    picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "%s must be a number, not %s%s", what, picus_lua_type_text(L, index),
                   value ? "; it must not depend on time, coordinates, velocities or inputs" : "");
  return lua_tonumber(L, index);
}

const char *picus_lua_to_text(lua_State *L, int index, const char *what) {
  if (lua_type(L, index) != LUA_TSTRING)
    picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "%s must be a string, not %s", what, picus_lua_type_text(L, index));
  size_t length;
  const char *text = lua_tolstring(L, index, &length);
  if (strlen(text) != length) picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "%s contains a zero byte", what);
  return text;
}

/* An operand of + - * / ^ or an argument of a function. */
static picus_expr operand(lua_State *L, int index) {
  const picus_expr *value = luaL_testudata(L, index, formula_type);
  if (value) return *value;
  if (lua_type(L, index) == LUA_TNUMBER) return number_expr(L, lua_tonumber(L, index));
  const char *hint = "";
  if (is_condition(L, index)) hint = "; use when(condition, a, b)";
  if (lua_isnoneornil(L, index)) hint = ": a value is missing; is a name misspelt?";
  picus_lua_fail(L, PICUS_ERROR_FILE_SYNTAX, "an expression cannot contain %s%s", picus_lua_type_text(L, index), hint);
  return (picus_expr){-1};
}

/* Operators. Upvalue: the picus_op. */
static int binary_operator(lua_State *L) {
  picus_op op = (picus_op)lua_tointeger(L, lua_upvalueindex(1));
  picus_expr a = operand(L, 1), b = operand(L, 2);
  picus_lua_push_expr(L, picus_binary(pool_of(L), op, a, b));
  return 1;
}

static int negate(lua_State *L) {
  picus_lua_push_expr(L, picus_unary(pool_of(L), PICUS_NEGATE, operand(L, 1)));
  return 1;
}

/* Upvalue: the operator as written. */
static int no_operator(lua_State *L) {
  return picus_lua_fail(L, PICUS_ERROR_FILE_SYNTAX, "expressions and conditions do not support the operator %s",
                        lua_tostring(L, lua_upvalueindex(1)));
}

static int no_comparison(lua_State *L) {
  return picus_lua_fail(L, PICUS_ERROR_FILE_SYNTAX,
                        "expressions have no value while the file runs, so <, <=, >, >= and == cannot compare them; "
                        "use lt(a, b), le, gt, ge, eq or ne inside when(condition, a, b)");
}

static int no_condition_arithmetic(lua_State *L) {
  return picus_lua_fail(L, PICUS_ERROR_FILE_SYNTAX, "a condition is not a number; use when(condition, a, b)");
}

static int to_text(lua_State *L) {
  const picus_expr *value = luaL_testudata(L, 1, formula_type);
  if (!value) value = luaL_checkudata(L, 1, condition_type);
  char text[2048];
  picus_lua_charge(L, (uint64_t)picus_pool_size(pool_of(L)));
  picus_expr_format(pool_of(L), *value, text, sizeof text);
  if (strlen(text) == sizeof text - 1) memcpy(text + sizeof text - 4, "...", 4);
  lua_pushstring(L, text);
  return 1;
}

static int concatenate(lua_State *L) {
  for (int i = 1; i <= 2; i++)
    if (lua_type(L, i) != LUA_TUSERDATA && !lua_isstring(L, i))
      return picus_lua_fail(L, PICUS_ERROR_FILE_SYNTAX, "an expression cannot be joined with %s by ..",
                            picus_lua_type_text(L, i));
  luaL_tolstring(L, 1, NULL);
  luaL_tolstring(L, 2, NULL);
  lua_concat(L, 2);
  return 1;
}

/* Functions. Upvalue: the number of the word. */
static const picus_word *word_of(lua_State *L) { return picus_word_at((int)lua_tointeger(L, lua_upvalueindex(1))); }

/* Checks the number of arguments of a function and returns whether all are plain numbers. */
static bool all_numbers(lua_State *L, const picus_word *word) {
  const int count = lua_gettop(L), least = word->least, most = word->most ? word->most : LUAI_MAXSTACK;
  if (count < least || count > most)
    picus_lua_fail(L, PICUS_ERROR_FILE_SYNTAX, "%s takes %d%s argument%s, not %d", word->name, least,
                   most == least ? "" : (most == least + 1 ? " or 2" : " or more"), most == 1 ? "" : "s", count);
  bool numbers = true;
  for (int i = 1; i <= count; i++)
    if (lua_type(L, i) != LUA_TNUMBER) {
      operand(L, i); /* fails unless it is a formula */
      numbers = false;
    }
  return numbers;
}

/* Functions of one or two arguments. */
static int call_function(lua_State *L) {
  const picus_word *word = word_of(L);
  if (all_numbers(L, word)) {
    const double numbers[2] = {lua_tonumber(L, 1), lua_tonumber(L, 2)};
    lua_pushnumber(L, picus_word_calculate(word, lua_gettop(L), numbers));
    return 1;
  }
  const int count = lua_gettop(L);
  const picus_expr arguments[2] = {operand(L, 1), count > 1 ? operand(L, 2) : (picus_expr){0}};
  picus_lua_push_expr(L, picus_word_build(pool_of(L), word, count, arguments));
  return 1;
}

/* abs and sign of an integer of Lua are integers, and so is the sign of every number. */
static int call_integer_function(lua_State *L) {
  const bool is_abs = word_of(L)->op == PICUS_ABS, is_number = lua_gettop(L) == 1 && lua_type(L, 1) == LUA_TNUMBER;
  const double x = lua_tonumber(L, 1);
  if (is_number && is_abs && lua_isinteger(L, 1) && lua_tointeger(L, 1) > LUA_MININTEGER)
    lua_pushinteger(L, lua_tointeger(L, 1) < 0 ? -lua_tointeger(L, 1) : lua_tointeger(L, 1));
  else if (is_number && !is_abs && !isnan(x))
    lua_pushinteger(L, (x > 0) - (x < 0));
  else
    return call_function(L);
  return 1;
}

/* min and max of any number of arguments. */
static int call_extreme(lua_State *L) {
  const picus_word *word = word_of(L);
  const picus_op op = word->op;
  int count = lua_gettop(L);
  if (all_numbers(L, word)) {
    int best = 1;
    for (int i = 2; i <= count; i++)
      if (op == PICUS_MIN ? lua_compare(L, i, best, LUA_OPLT) : lua_compare(L, best, i, LUA_OPLT)) best = i;
    lua_pushvalue(L, best);
    return 1;
  }
  picus_expr result = operand(L, 1);
  for (int i = 2; i <= count; i++) result = picus_binary(pool_of(L), op, result, operand(L, i));
  picus_lua_push_expr(L, result);
  return 1;
}

static int compare(lua_State *L) {
  const picus_word *word = word_of(L);
  if (all_numbers(L, word)) {
    const int op = word->op == PICUS_LESS ? LUA_OPLT : (word->op == PICUS_EQUAL ? LUA_OPEQ : LUA_OPLE);
    const int holds = word->swapped ? lua_compare(L, 2, 1, op) : lua_compare(L, 1, 2, op);
    lua_pushboolean(L, holds != word->negated);
    return 1;
  }
  const picus_expr right = operand(L, 2), left = operand(L, 1);
  push_value(L, picus_word_condition(pool_of(L), word, left, right), condition_type);
  return 1;
}

/* The condition at index; false: it is a boolean of Lua. */
static bool to_condition(lua_State *L, int index, const char *word, picus_expr *condition) {
  const picus_expr *value = luaL_testudata(L, index, condition_type);
  if (value) {
    *condition = *value;
    return true;
  }
  if (lua_type(L, index) != LUA_TBOOLEAN)
    picus_lua_fail(L, PICUS_ERROR_FILE_SYNTAX,
                   "%s needs a condition, not %s; lt, le, gt, ge, eq, ne, all, any and no make conditions", word,
                   picus_lua_type_text(L, index));
  return false;
}

/* all(...) and any(...). */
static int combine(lua_State *L) {
  const picus_op op = word_of(L)->op;
  bool neutral = op == PICUS_AND, symbolic = false, decided = false;
  picus_expr result = {0};
  int count = lua_gettop(L);
  for (int i = 1; i <= count; i++) {
    picus_expr condition;
    if (!to_condition(L, i, op == PICUS_AND ? "all" : "any", &condition)) {
      if ((bool)lua_toboolean(L, i) != neutral) decided = true;
      continue;
    }
    result = symbolic ? picus_binary(pool_of(L), op, result, condition) : condition;
    symbolic = true;
  }
  if (decided || !symbolic)
    lua_pushboolean(L, decided ? !neutral : neutral);
  else
    push_value(L, result, condition_type);
  return 1;
}

static int negate_condition(lua_State *L) {
  picus_expr condition;
  if (to_condition(L, 1, "no", &condition))
    push_value(L, picus_unary(pool_of(L), PICUS_NOT, condition), condition_type);
  else
    lua_pushboolean(L, !lua_toboolean(L, 1));
  return 1;
}

static int call_when(lua_State *L) {
  if (lua_gettop(L) != 3)
    return picus_lua_fail(L, PICUS_ERROR_FILE_SYNTAX, "when takes 3 arguments, a condition and two values, not %d",
                          lua_gettop(L));
  picus_expr condition;
  if (to_condition(L, 1, "when", &condition)) {
    const picus_expr otherwise = operand(L, 3), then = operand(L, 2);
    picus_lua_push_expr(L, picus_when(pool_of(L), condition, then, otherwise));
  } else {
    lua_pushvalue(L, lua_toboolean(L, 1) ? 2 : 3);
  }
  return 1;
}

/* Registers a function under its name among the globals and, if Lua has one of that name, also in math. */
static void define(lua_State *L, const char *name, lua_CFunction function, lua_Integer upvalue) {
  lua_pushinteger(L, upvalue);
  lua_pushcclosure(L, function, 1);
  lua_getglobal(L, "math");
  lua_pushstring(L, name);
  if (lua_rawget(L, -2) != LUA_TNIL) {
    lua_pushvalue(L, -3);
    lua_setfield(L, -3, name);
  }
  lua_pop(L, 2);
  lua_setglobal(L, name);
}

static void set_metamethod(lua_State *L, const char *name, lua_CFunction function) {
  lua_pushcfunction(L, function);
  lua_setfield(L, -2, name);
}

/* Common part of expressions and conditions; the metatable is on top of the stack. */
static void set_common_metamethods(lua_State *L) {
  static const char *const missing[][2] = {{"__mod", "%"},  {"__idiv", "//"}, {"__band", "&"},
                                           {"__bor", "|"},  {"__bxor", "~"},  {"__shl", "<<"},
                                           {"__shr", ">>"}, {"__bnot", "~"},  {"__len", "#"}};
  for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) {
    lua_pushstring(L, missing[i][1]);
    lua_pushcclosure(L, no_operator, 1);
    lua_setfield(L, -2, missing[i][0]);
  }
  static const char *const compared[] = {"__lt", "__le", "__eq"};
  for (size_t i = 0; i < 3; i++) set_metamethod(L, compared[i], no_comparison);
  set_metamethod(L, "__tostring", to_text);
  set_metamethod(L, "__concat", concatenate);
}

static void make_types(lua_State *L) {
  static const struct {
    const char *name;
    picus_op op;
  } operators[] = {{"__add", PICUS_ADD},
                   {"__sub", PICUS_SUBTRACT},
                   {"__mul", PICUS_MULTIPLY},
                   {"__div", PICUS_DIVIDE},
                   {"__pow", PICUS_POWER}};
  size_t count = sizeof operators / sizeof *operators;
  luaL_newmetatable(L, formula_type);
  for (size_t i = 0; i < count; i++) {
    lua_pushinteger(L, operators[i].op);
    lua_pushcclosure(L, binary_operator, 1);
    lua_setfield(L, -2, operators[i].name);
  }
  set_metamethod(L, "__unm", negate);
  set_common_metamethods(L);
  luaL_newmetatable(L, condition_type);
  for (size_t i = 0; i < count; i++) set_metamethod(L, operators[i].name, no_condition_arithmetic);
  set_metamethod(L, "__unm", no_condition_arithmetic);
  set_common_metamethods(L);
  lua_pop(L, 2);
}

static lua_CFunction function_of(const picus_word *word) {
  switch (word->kind) {
  case PICUS_WORD_EXTREME:
    return call_extreme;
  case PICUS_WORD_COMPARE:
    return compare;
  case PICUS_WORD_COMBINE:
    return combine;
  case PICUS_WORD_NO:
    return negate_condition;
  case PICUS_WORD_WHEN:
    return call_when;
  case PICUS_WORD_UNARY:
  case PICUS_WORD_LOG:
  case PICUS_WORD_ATAN:
    break;
  }
  return word->op == PICUS_ABS || word->op == PICUS_SIGN ? call_integer_function : call_function;
}

void picus_lua_open_expressions(lua_State *L) {
  make_types(L);
  for (int i = 0; picus_word_at(i); i++) define(L, picus_word_at(i)->name, function_of(picus_word_at(i)), i);
  picus_lua_push_expr(L, picus_model_time(picus_lua_session(L)->model));
  lua_setglobal(L, "t");
  lua_pushnumber(L, 3.14159265358979323846);
  lua_setglobal(L, "pi");
}
