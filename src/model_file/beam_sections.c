/* shaft.section(x) and portal.section(member, x): a table whose N, Qy, ... Mz, stress, shear_stress, mises and fibre(y,
 * z) are expressions. They are built when the file asks for them. */
#include "model_file/internal.h"

#include <limits.h>
#include <math.h>
#include <picus/flexible.h>
#include <string.h>

typedef struct cut {
  picus_station at;
  char name[]; /* of the framework */
} cut;

static const cut *cut_here(lua_State *L) { return lua_touserdata(L, lua_upvalueindex(1)); }

static int push_checked(lua_State *L, picus_status status, picus_expr value) {
  picus_lua_require(L, status);
  picus_lua_push_expr(L, value);
  return 1;
}

static int fibre(lua_State *L) {
  const cut *c = cut_here(L);
  const double y = picus_lua_to_number(L, 1, "y of a fibre"),
               z = lua_isnoneornil(L, 2) ? 0 : picus_lua_to_number(L, 2, "z of a fibre");
  picus_expr value;
  picus_status status = picus_model_fibre_stress(picus_lua_model_here(L), c->name, &c->at, y, z, &value);
  return push_checked(L, status, value);
}

/* Index of a word in a list; -1: it is not there. */
static int find_word(const char *word, const char *const *words) {
  for (int i = 0; words[i]; i++)
    if (strcmp(word, words[i]) == 0) return i;
  return -1;
}

static int value_of_cut(lua_State *L) {
  static const char *const forces[] = {"N", "Qy", "Qz", "Mx", "My", "Mz", NULL};
  static const char *const stresses[] = {"stress", "shear_stress", "mises", NULL};
  const cut *c = cut_here(L);
  const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
  const int force = find_word(key, forces), stress = find_word(key, stresses);
  if (force >= 0) {
    picus_section_forces f;
    picus_status status = picus_model_section_forces(picus_lua_model_here(L), c->name, &c->at, &f);
    const picus_expr values[] = {f.N, f.Qy, f.Qz, f.Mx, f.My, f.Mz};
    return push_checked(L, status, values[force]);
  }
  if (stress >= 0) {
    picus_section_stresses s;
    picus_status status = picus_model_section_stresses(picus_lua_model_here(L), c->name, &c->at, &s);
    const picus_expr values[] = {s.normal, s.shear, s.mises};
    return push_checked(L, status, values[stress]);
  }
  if (strcmp(key, "fibre") == 0) {
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_pushcclosure(L, fibre, 1);
    return 1;
  }
  return picus_lua_fail(L, PICUS_ERROR_NAME,
                        "a section of '%s' has no '%.40s'; it has N, Qy, Qz, Mx, My, Mz, stress, shear_stress, mises "
                        "and fibre(y, z)",
                        c->name, luaL_tolstring(L, 2, NULL));
}

static int refuse_assignment(lua_State *L) {
  return picus_lua_fail(L, PICUS_ERROR_FILE_SYNTAX, "a section of '%s' is read-only", cut_here(L)->name);
}

static void push_cut(lua_State *L, const char *name, const picus_station *at) {
  const size_t size = strlen(name) + 1;
  lua_newtable(L);
  lua_newtable(L);
  cut *c = lua_newuserdatauv(L, sizeof *c + size, 0);
  c->at = *at;
  memcpy(c->name, name, size);
  lua_pushvalue(L, -1);
  lua_pushcclosure(L, value_of_cut, 1);
  lua_setfield(L, -3, "__index");
  lua_pushcclosure(L, refuse_assignment, 1);
  lua_setfield(L, -2, "__newindex");
  lua_setmetatable(L, -2);
}

/* Upvalues: name, is it a beam? */
static int section(lua_State *L) {
  const char *name = lua_tostring(L, lua_upvalueindex(1));
  const bool is_beam = lua_toboolean(L, lua_upvalueindex(2));
  const int places = is_beam ? 1 : 2, given = lua_gettop(L);
  picus_station at = {.member = -1};
  if (given < places || given > places + 1)
    return picus_lua_fail(L, PICUS_ERROR_FILE_SYNTAX, "write %s.section(%sx) or %s.section(%sx, \"before\")", name,
                          is_beam ? "" : "member, ", name, is_beam ? "" : "member, ");
  if (!is_beam) {
    const double number = picus_lua_to_number(L, 1, "the member of a section");
    if (!(number >= 1 && number <= INT_MAX) || number != floor(number))
      return picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "the member of a section of '%s' is %g; members count from 1",
                            name, number);
    at.member = (int)number - 1;
  }
  at.x = picus_lua_to_number(L, places, "x of a section");
  if (given > places) {
    const char *side = picus_lua_to_text(L, places + 1, "the side of a section");
    if (strcmp(side, "before") != 0 && strcmp(side, "after") != 0)
      return picus_lua_fail(L, PICUS_ERROR_NAME,
                            "the side of a section of '%s' is '%.40s'; it must be 'before' or 'after'", name, side);
    at.before = strcmp(side, "before") == 0;
  }
  picus_section_forces forces; /* a place that is not there fails here, not where a value is read */
  picus_lua_require(L, picus_model_section_forces(picus_lua_model_here(L), name, &at, &forces));
  push_cut(L, name, &at);
  return 1;
}

void picus_lua_push_sections(lua_State *L, const char *name, bool is_beam) {
  lua_pushstring(L, name);
  lua_pushboolean(L, is_beam);
  lua_pushcclosure(L, section, 2);
}
