/* table.sort of model files. Lua's own takes its pivots from the clock where the partitions of a long list are unequal,
 * and elements that compare equal then have another order in each run. A merge sort needs no pivots, and equal elements
 * keep their order. */
#include "model_file/internal.h"

#include <limits.h>

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

int picus_lua_sort(lua_State *L) {
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
