/* The words of joints and motors: revolute, spherical, prismatic, cylindrical, universal, weld, distance, gear, motor,
 * linear_motor. Each takes { "name", a, b, ... }. */
#include "model_file/internal.h"

#include <stdio.h>

typedef struct joint_word {
  const char *name;
  picus_joint_kind kind;
  bool point_needed, drive;
  const char *known[8];
} joint_word;

static const joint_word words[] = {
    {"revolute", PICUS_REVOLUTE, true, false, {"at", "points", "axis", "axes", NULL}},
    {"spherical", PICUS_SPHERICAL, true, false, {"at", "points", NULL}},
    {"prismatic", PICUS_PRISMATIC, false, false, {"at", "points", "axis", "axes", NULL}},
    {"cylindrical", PICUS_CYLINDRICAL, false, false, {"at", "points", "axis", "axes", NULL}},
    {"universal", PICUS_UNIVERSAL, true, false, {"at", "points", "axes", NULL}},
    {"weld", PICUS_WELD, false, false, {"at", "points", NULL}},
    {"distance", PICUS_DISTANCE, false, false, {"points", "length", NULL}},
    {"gear", PICUS_GEAR, false, false, {"ratio", "axis", "axes", NULL}},
    {"motor", PICUS_MOTOR, false, true, {"axis", "speed", "position", NULL}},
    {"linear_motor", PICUS_LINEAR_MOTOR, false, true, {"at", "points", "axis", "axes", "speed", "position", NULL}},
};

/* key = { { ... }, { ... } }: two vectors of two or three numbers */
static bool get_two_vectors(const picus_lua_table *table, const char *key, double (*vectors)[3]) {
  lua_State *L = table->L;
  char title[128];
  snprintf(title, sizeof title, "'%s' of %.80s", key, table->title);
  lua_pushstring(L, key);
  int type = lua_rawget(L, table->index);
  if (type == LUA_TNIL) {
    lua_pop(L, 1);
    return false;
  }
  if (type != LUA_TTABLE || lua_rawlen(L, -1) != 2)
    picus_lua_fail(L, PICUS_ERROR_DIMENSION, "%s must be { { x, y }, { x, y } }, one entry per body", title);
  picus_lua_table pair = picus_lua_inner_table(L, -1, title);
  for (int side = 0; side < 2; side++) {
    if (lua_rawgeti(L, pair.index, side + 1) != LUA_TTABLE || lua_rawlen(L, -1) < 2 || lua_rawlen(L, -1) > 3)
      picus_lua_fail(L, PICUS_ERROR_DIMENSION, "%s must be { { x, y }, { x, y } }, one entry per body", title);
    for (int i = 0; i < (int)lua_rawlen(L, -1); i++) {
      lua_rawgeti(L, -1, i + 1);
      vectors[side][i] = picus_lua_to_number(L, -1, title);
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return true;
}

/* The place of the joint: at (and axis) in the inertial frame in the initial configuration, or points (and axes) in the
 * frames of the bodies. */
static void read_place(const picus_lua_table *table, const joint_word *word, picus_joint_def *def) {
  lua_State *L = table->L;
  bool at = picus_lua_get_numbers(table, "at", 2, 3, def->point[0]) > 0;
  bool points = get_two_vectors(table, "points", def->point);
  bool axis = picus_lua_get_numbers(table, "axis", 2, 3, def->axis[0]) > 0;
  bool axes = get_two_vectors(table, "axes", def->axis);
  if ((at && points) || (axis && axes))
    picus_lua_fail(L, PICUS_ERROR_ARGUMENT,
                   "%s defines its place twice; use either 'at' and 'axis' (inertial frame, initial configuration) or "
                   "'points' and 'axes' (frames of the bodies)",
                   table->title);
  def->in_body_frames = points;
  if (points && axis)
    picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "%s has 'points' in the frames of its bodies; use 'axes' instead of 'axis'",
                   table->title);
  if (axes && !points && def->kind != PICUS_UNIVERSAL && def->kind != PICUS_GEAR)
    picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "%s has 'axes' in the frames of its bodies; add 'points' in these frames",
                   table->title);
  if (axis && def->kind == PICUS_GEAR)
    for (int i = 0; i < 3; i++) def->axis[1][i] = def->axis[0][i];
  if (at || points) return;
  if (word->point_needed)
    picus_lua_fail(L, PICUS_ERROR_ARGUMENT,
                   "%s needs a place: at = { ... } in the inertial frame, initial configuration, or points = { { ... "
                   "}, { ... } } in the frames of its bodies",
                   table->title);
  for (int i = 0; i < 3; i++) def->point[0][i] = def->b->start_position[i];
}

static int say_joint(lua_State *L) {
  const joint_word *word = &words[lua_tointeger(L, lua_upvalueindex(1))];
  char usage[128];
  snprintf(usage, sizeof usage, "%s { \"name\", body_a, body_b, ... }", word->name);
  picus_lua_table table = picus_lua_argument_table(L, word->name, usage);
  picus_joint_def def = picus_default_joint_def(word->kind);
  def.name = picus_lua_table_name(&table);
  picus_lua_check_keys(&table, 3, word->known);
  def.a = picus_lua_get_body(&table, 2);
  def.b = picus_lua_get_body(&table, 3);
  if (word->kind == PICUS_DISTANCE) {
    def.in_body_frames = true;
    get_two_vectors(&table, "points", def.point);
    if (picus_lua_get_number(&table, "length", &def.length) && !(def.length > 0))
      return picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "the length of %s is %g; it must be positive", table.title,
                            def.length);
  } else {
    read_place(&table, word, &def);
  }
  if (word->kind == PICUS_GEAR && !picus_lua_get_number(&table, "ratio", &def.ratio))
    return picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "%s needs a ratio", table.title);
  if (word->drive) {
    picus_lua_get_expr(&table, "speed", &def.speed);
    picus_lua_get_expr(&table, "position", &def.position);
  }
  picus_lua_require(L, picus_model_add_joint(picus_lua_model_here(L), &def));
  return 0;
}

void picus_lua_open_joints(lua_State *L) {
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    lua_pushinteger(L, (lua_Integer)i);
    lua_pushcclosure(L, say_joint, 1);
    lua_setglobal(L, words[i].name);
  }
}
