/* The keywords of what acts between two bodies: joints and motors, force elements, contacts. Each keyword is a row of
 * a table or one function that reads the keys and adds the element to the model. */
#include "model_file/internal.h"

#include <stdio.h>
#include <string.h>

/* --- joints and motors -------------------------------------------------------------------------------------------- */

/* Keywords: revolute, spherical, prismatic, cylindrical, universal, weld, distance, gear, motor,
 * linear_motor. Each takes { "name", a, b, ... }. */

typedef struct joint_word {
  const char *name;
  picus_joint_kind kind;
  bool point_needed, drive;
  const char *known[8];
} joint_word;

static const joint_word joint_words[] = {
    {"revolute", PICUS_REVOLUTE, true, false, {"at", "points", "axis", "axes", "mu", "radius", NULL}},
    {"spherical", PICUS_SPHERICAL, true, false, {"at", "points", "mu", "radius", NULL}},
    {"prismatic", PICUS_PRISMATIC, false, false, {"at", "points", "axis", "axes", "mu", "guide", NULL}},
    {"cylindrical", PICUS_CYLINDRICAL, false, false, {"at", "points", "axis", "axes", "mu", "radius", NULL}},
    {"universal", PICUS_UNIVERSAL, true, false, {"at", "points", "axes", "mu", "radius", NULL}},
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

/* revolute { ... } and the other joints, by their row in the table of words. */
static int say_joint(lua_State *L) {
  const joint_word *word = &joint_words[lua_tointeger(L, lua_upvalueindex(1))];
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
  picus_lua_get_coefficient(&table, "mu", &def.mu, &def.mu_formula);
  picus_lua_get_number(&table, "radius", &def.radius);
  picus_lua_get_number(&table, "guide", &def.guide);
  if (word->drive) {
    picus_lua_get_expr(&table, "speed", &def.speed);
    picus_lua_get_expr(&table, "position", &def.position);
  }
  picus_lua_require(L, picus_model_add_joint(picus_lua_model_here(L), &def));
  return 0;
}

void picus_lua_open_joints(lua_State *L) {
  for (size_t i = 0; i < sizeof joint_words / sizeof *joint_words; i++) {
    lua_pushinteger(L, (lua_Integer)i);
    lua_pushcclosure(L, say_joint, 1);
    lua_setglobal(L, joint_words[i].name);
  }
}

/* --- force elements ----------------------------------------------------------------------------------------------- */

/* Keywords: spring, torsion_spring, actuator, body_force. */

/* point_a = { ... }, point_b = { ... } in the frames of the bodies; the centres of mass if they are not given. */
static void read_points(const picus_lua_table *table, double (*points)[3]) {
  picus_lua_get_numbers(table, "point_a", 2, 3, points[0]);
  picus_lua_get_numbers(table, "point_b", 2, 3, points[1]);
}

/* stiffness = number, or an expression in time and inputs */
static void read_stiffness(const picus_lua_table *table, picus_spring_def *def) {
  picus_expr stiffness;
  if (!picus_lua_get_expr(table, "stiffness", &stiffness)) return;
  if (!picus_expr_is_number(picus_model_pool(picus_lua_model_here(table->L)), stiffness, &def->stiffness))
    def->varying_stiffness = stiffness;
}

/* spring { a, b, point_a = ..., point_b = ..., stiffness = ..., damping = ..., length = ... } */
static int say_spring(lua_State *L) {
  static const char *const known[] = {"point_a", "point_b", "stiffness", "damping", "length", NULL};
  picus_lua_table table =
      picus_lua_argument_table(L, "spring", "spring { a, b, stiffness = 100, damping = 0, length = 0.1 }");
  picus_lua_check_keys(&table, 2, known);
  picus_spring_def def = picus_default_spring_def();
  def.a = picus_lua_get_body(&table, 1);
  def.b = picus_lua_get_body(&table, 2);
  read_points(&table, def.point);
  read_stiffness(&table, &def);
  picus_lua_get_number(&table, "damping", &def.damping);
  picus_lua_get_number(&table, "length", &def.rest);
  picus_lua_require(L, picus_model_add_spring(picus_lua_model_here(L), &def));
  return 0;
}

static int say_torsion_spring(lua_State *L) {
  static const char *const known[] = {"axis", "stiffness", "damping", "angle", NULL};
  picus_lua_table table =
      picus_lua_argument_table(L, "torsion_spring", "torsion_spring { a, b, stiffness = 1, damping = 0, angle = 0 }");
  picus_lua_check_keys(&table, 2, known);
  picus_spring_def def = picus_default_spring_def();
  def.a = picus_lua_get_body(&table, 1);
  def.b = picus_lua_get_body(&table, 2);
  picus_lua_get_numbers(&table, "axis", 3, 3, def.axis);
  read_stiffness(&table, &def);
  picus_lua_get_number(&table, "damping", &def.damping);
  picus_lua_get_number(&table, "angle", &def.rest);
  picus_lua_require(L, picus_model_add_torsion_spring(picus_lua_model_here(L), &def));
  return 0;
}

/* actuator { a, b, force = formula } along the line between two points, or torque = formula about an axis */
static int say_actuator(lua_State *L) {
  static const char *const known[] = {"point_a", "point_b", "axis", "force", "torque", NULL};
  picus_lua_table table =
      picus_lua_argument_table(L, "actuator", "actuator { a, b, force = expression } or torque = expression");
  picus_lua_check_keys(&table, 2, known);
  picus_spring_def def = picus_default_spring_def();
  def.a = picus_lua_get_body(&table, 1);
  def.b = picus_lua_get_body(&table, 2);
  read_points(&table, def.point);
  picus_lua_get_numbers(&table, "axis", 3, 3, def.axis);
  bool pushes = picus_lua_get_expr(&table, "force", &def.actuation);
  bool turns = picus_lua_get_expr(&table, "torque", &def.actuation);
  if (pushes == turns)
    return picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "actuator needs either force = expression or torque = expression");
  picus_model *model = picus_lua_model_here(L);
  picus_lua_require(L, pushes ? picus_model_add_spring(model, &def) : picus_model_add_torsion_spring(model, &def));
  return 0;
}

/* body_force { body, point = { ... }, force = { formulas }, torque = { formulas } or one about z } */
static int say_body_force(lua_State *L) {
  static const char *const known[] = {"point", "force", "torque", NULL};
  picus_lua_table table =
      picus_lua_argument_table(L, "body_force", "body_force { body, point = { 0, 0 }, force = { Fx, Fy } }");
  picus_lua_check_keys(&table, 1, known);
  const picus_body *body = picus_lua_get_body(&table, 1);
  picus_model *model = picus_lua_model_here(L);
  picus_expr zero = picus_number(picus_model_pool(model), 0);
  picus_vector force = {{zero, zero, zero}}, torque = force;
  double point[3] = {0};
  picus_lua_get_numbers(&table, "point", 2, 3, point);
  bool pushes = picus_lua_has(&table, "force"), turns = picus_lua_has(&table, "torque");
  if (!pushes && !turns)
    return picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "body_force needs a force = { ... } or a torque");
  if (pushes && picus_lua_get_exprs(&table, "force", 3, force.x) < 2)
    return picus_lua_fail(L, PICUS_ERROR_DIMENSION, "'force' of body_force must have 2 or 3 components");
  if (turns) {
    int count = picus_lua_get_exprs(&table, "torque", 3, torque.x);
    if (count == 2)
      return picus_lua_fail(L, PICUS_ERROR_DIMENSION, "'torque' of body_force must have one or three values");
    if (count == 1) torque = (picus_vector){{zero, zero, torque.x[0]}};
  }
  if (pushes) picus_lua_require(L, picus_body_add_force(body, point, force));
  if (turns) picus_lua_require(L, picus_body_add_torque(body, torque));
  return 0;
}

void picus_lua_open_body_forces(lua_State *L) {
  lua_register(L, "spring", say_spring);
  lua_register(L, "torsion_spring", say_torsion_spring);
  lua_register(L, "actuator", say_actuator);
  lua_register(L, "body_force", say_body_force);
}

/* --- contacts ----------------------------------------------------------------------------------------------------- */

/* Keywords: plane_contact, notch_contact, ball_contact, hole_contact, rim_contact,
 * level_contact, journal_contact. Each takes { "name", a, b, ... }: a carries the surface, b comes against it. */

#define FRICTION_KEYS "mu", "eN", "eF", "spin_radius", "rolling", "impact", "surface", "adhesion"

typedef struct pair_word {
  const char *name;
  picus_pair_kind kind;
  const char *known[18];
} pair_word;

static const pair_word contact_words[] = {
    {"plane_contact", PICUS_BALL_PLANE, {"origin", "normal", "point", "radius", FRICTION_KEYS, NULL}},
    {"notch_contact", PICUS_BALL_PLANE, {"origin", "normal", "point", "radius", "width", FRICTION_KEYS, NULL}},
    {"ball_contact", PICUS_BALL_BALL, {"point_a", "point_b", "radius_a", "radius_b", FRICTION_KEYS, NULL}},
    {"hole_contact", PICUS_PIN_HOLE, {"point_a", "point_b", "radius_a", "radius_b", "axis", FRICTION_KEYS, NULL}},
    {"rim_contact", PICUS_RIM_PLANE, {"origin", "normal", "centre", "axis", "radius", FRICTION_KEYS, NULL}},
    {"level_contact", PICUS_POINT_LEVEL, {"level", "point", FRICTION_KEYS, NULL}},
    {"journal_contact",
     PICUS_JOURNAL,
     {"point_a", "point_b", "radius_a", "radius_b", "axis", "axial", "mu", "eN", "eF", "impact", "adhesion"}},
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
  picus_lua_get_coefficient(table, "mu", &def->mu, &def->mu_formula);
  picus_lua_get_coefficient(table, "eN", &def->eN, &def->eN_formula);
  picus_lua_get_coefficient(table, "eF", &def->eF, &def->eF_formula);
  picus_lua_get_coefficient(table, "spin_radius", &def->spin_radius, &def->spin_radius_formula);
  picus_lua_get_coefficient(table, "rolling", &def->rolling, &def->rolling_formula);
  picus_lua_get_impact(table, &def->impact);
  picus_lua_get_exprs(table, "surface", 3, def->surface);
  picus_lua_get_number(table, "adhesion", &def->adhesion);
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
  const pair_word *word = &contact_words[index];
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
  for (size_t i = 0; i < sizeof contact_words / sizeof *contact_words; i++) {
    lua_pushinteger(L, (lua_Integer)i);
    lua_pushcclosure(L, say_pair, 1);
    lua_setglobal(L, contact_words[i].name);
  }
}
