/* The words of contacts between bodies: plane_contact, notch_contact, ball_contact, hole_contact, rim_contact,
 * level_contact, journal_contact. Each takes { "name", a, b, ... }: a carries the surface, b comes against it. */
#include "model_file/internal.h"

#include <stdio.h>
#include <string.h>

#define FRICTION_KEYS "mu", "eN", "eF", "spin_radius", "rolling"

typedef struct pair_word {
  const char *name;
  picus_pair_kind kind;
  const char *known[13];
} pair_word;

static const pair_word words[] = {
    {"plane_contact", PICUS_BALL_PLANE, {"origin", "normal", "point", "radius", FRICTION_KEYS, NULL}},
    {"notch_contact", PICUS_BALL_PLANE, {"origin", "normal", "point", "radius", "width", FRICTION_KEYS, NULL}},
    {"ball_contact", PICUS_BALL_BALL, {"point_a", "point_b", "radius_a", "radius_b", FRICTION_KEYS, NULL}},
    {"hole_contact", PICUS_PIN_HOLE, {"point_a", "point_b", "radius_a", "radius_b", "axis", FRICTION_KEYS, NULL}},
    {"rim_contact", PICUS_RIM_PLANE, {"origin", "normal", "centre", "axis", "radius", FRICTION_KEYS, NULL}},
    {"level_contact", PICUS_POINT_LEVEL, {"level", "point", FRICTION_KEYS, NULL}},
    {"journal_contact",
     PICUS_JOURNAL,
     {"point_a", "point_b", "radius_a", "radius_b", "axis", "axial", "mu", "eN", "eF"}},
};
enum { NOTCH = 1, LEVEL = 5 };

/* The function level(x, y[, z]) is called once, with symbols that stand for the coordinates in the frame of a. */
static void read_level(const picus_lua_table *table, picus_pair_def *def) {
  lua_State *L = table->L;
  picus_pool *pool = picus_model_pool(picus_lua_session(L)->model);
  static const char *const names[] = {"x", "y", "z"};
  char name[160];
  lua_pushstring(L, "level");
  if (lua_rawget(L, table->index) != LUA_TFUNCTION)
    picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "%s needs level = function(x, y) ... end, positive outside", table->title);
  for (int i = 0; i < 3; i++) {
    snprintf(name, sizeof name, "%s of %.100s", names[i], table->title);
    def->local[i] = picus_variable(pool, name);
    picus_lua_push_expr(L, def->local[i]);
  }
  lua_call(L, 3, 1);
  def->level = picus_lua_to_expr(L, -1, "the result of 'level'");
  lua_pop(L, 1);
}

static void read_geometry(const picus_lua_table *table, picus_pair_def *def) {
  picus_lua_get_numbers(table, "origin", 2, 3, def->point[0]);
  picus_lua_get_numbers(table, "point_a", 2, 3, def->point[0]);
  picus_lua_get_numbers(table, "point", 2, 3, def->point[1]);
  picus_lua_get_numbers(table, "point_b", 2, 3, def->point[1]);
  picus_lua_get_numbers(table, "centre", 2, 3, def->point[1]);
  picus_lua_get_number(table, "radius", &def->radius[1]);
  picus_lua_get_number(table, "radius_b", &def->radius[1]);
  picus_lua_get_number(table, "radius_a", &def->radius[0]);
  int side = def->kind == PICUS_RIM_PLANE ? 1 : 0;
  picus_lua_get_numbers(table, "axis", 3, 3, def->axis[side]);
  double normal[3] = {0};
  if (picus_lua_get_numbers(table, "normal", 2, 3, normal))
    memcpy(def->axis[0], normal, sizeof normal);
  else if (def->kind == PICUS_BALL_PLANE)
    picus_lua_fail(table->L, PICUS_ERROR_ARGUMENT, "%s needs the normal of its plane, pointing to the free side",
                   table->title);
}

static void read_material(const picus_lua_table *table, picus_pair_def *def) {
  picus_lua_get_number(table, "mu", &def->mu);
  picus_lua_get_number(table, "eN", &def->eN);
  picus_lua_get_number(table, "eF", &def->eF);
  picus_lua_get_number(table, "spin_radius", &def->spin_radius);
  picus_lua_get_number(table, "rolling", &def->rolling);
  def->frictionless = !picus_lua_has(table, "mu");
  if (!picus_lua_has(table, "axial")) return;
  lua_getfield(table->L, table->index, "axial");
  if (!lua_isboolean(table->L, -1))
    picus_lua_fail(table->L, PICUS_ERROR_ARGUMENT, "'axial' of %s must be true or false: friction along the axis",
                   table->title);
  def->radial = !lua_toboolean(table->L, -1);
  lua_pop(table->L, 1);
}

/* Two parallel walls: origin in the middle, normal across; NAME_low is at the start of the normal, NAME_high at its
 * end. */
static void add_notch(const picus_lua_table *table, const picus_pair_def *def) {
  lua_State *L = table->L;
  double width = 0;
  if (!picus_lua_get_number(table, "width", &width) || !(width > 0))
    picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "%s needs a positive width", table->title);
  for (int wall = 0; wall < 2; wall++) {
    picus_pair_def one = *def;
    char name[160];
    snprintf(name, sizeof name, "%.120s_%s", def->name, wall ? "high" : "low");
    one.name = name;
    double sense = wall ? -1 : 1;
    for (int i = 0; i < 3; i++) {
      one.axis[0][i] = sense * def->axis[0][i];
      one.point[0][i] = def->point[0][i] - 0.5 * width * one.axis[0][i];
    }
    picus_lua_require(L, picus_model_add_pair(picus_lua_model_here(L), &one));
  }
}

static int say_pair(lua_State *L) {
  lua_Integer index = lua_tointeger(L, lua_upvalueindex(1));
  const pair_word *word = &words[index];
  char usage[128];
  snprintf(usage, sizeof usage, "%s { \"name\", body_a, body_b, ... }", word->name);
  picus_lua_table table = picus_lua_argument_table(L, word->name, usage);
  picus_pair_def def = picus_default_pair_def(word->kind);
  def.name = picus_lua_table_name(&table);
  picus_lua_check_keys(&table, 3, word->known);
  def.a = picus_lua_get_body(&table, 2);
  def.b = picus_lua_get_body(&table, 3);
  read_geometry(&table, &def);
  read_material(&table, &def);
  if (index == NOTCH) {
    add_notch(&table, &def);
    return 0;
  }
  if (index == LEVEL) read_level(&table, &def);
  picus_lua_require(L, picus_model_add_pair(picus_lua_model_here(L), &def));
  return 0;
}

void picus_lua_open_pairs(lua_State *L) {
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    lua_pushinteger(L, (lua_Integer)i);
    lua_pushcclosure(L, say_pair, 1);
    lua_setglobal(L, words[i].name);
  }
}
