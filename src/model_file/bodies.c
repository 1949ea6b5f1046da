/* The keywords for bodies: particle, planar_body, spatial_body, frame, gravity; and bodies as Lua values with the
 * expressions of their points. */
#include "base/elementary.h"
#include "model/internal.h"
#include "model_file/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Pushes the list of all bodies: [i] = name, [name] = value. */
static void push_list(lua_State *L) { lua_rawgeti(L, LUA_REGISTRYINDEX, picus_lua_session(L)->bodies); }

void picus_lua_push_body(lua_State *L, const picus_body *body) {
  picus_body *value = lua_newuserdatauv(L, sizeof *value, 0);
  *value = *body;
  luaL_setmetatable(L, picus_lua_body_type);
}

/* Pushes a new body and puts it on the list. */
static void push_body(lua_State *L, const picus_body *body) {
  push_list(L);
  lua_pushstring(L, body->name);
  lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
  lua_pushstring(L, body->name);
  picus_lua_push_body(L, body);
  lua_pushvalue(L, -1);
  lua_insert(L, -4); /* value, list, name, value */
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

const picus_body *picus_lua_get_body(const picus_lua_table *table, int position) {
  lua_State *L = table->L;
  const picus_body *body = NULL;
  int type = lua_rawgeti(L, table->index, position);
  if (type == LUA_TSTRING) {
    push_list(L);
    lua_pushvalue(L, -2);
    if (lua_rawget(L, -2) == LUA_TNIL) {
      char suggestion[100];
      picus_lua_suggest(L, -2, lua_tostring(L, -3), suggestion, sizeof suggestion);
      picus_lua_fail(L, PICUS_ERROR_NAME, "%s: there is no body '%.60s'%s", table->title, lua_tostring(L, -3),
                     suggestion);
    }
    body = lua_touserdata(L, -1); /* the list holds it */
    lua_pop(L, 2);
  } else {
    body = luaL_testudata(L, -1, picus_lua_body_type);
    if (!body)
      picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "entry %d of %s must be a body or the name of one, not %s", position,
                     table->title, picus_lua_type_text(L, -1));
  }
  lua_pop(L, 1);
  return body;
}

static void check_new_name(lua_State *L, const char *name) {
  push_list(L);
  lua_pushstring(L, name);
  if (lua_rawget(L, -2) != LUA_TNIL)
    picus_lua_fail(L, PICUS_ERROR_NAME, "the name '%.60s' is already used by another body or frame", name);
  lua_pop(L, 2);
}

/* inertia = J (planar), { Jx, Jy, Jz }, or three rows of three */
static void read_inertia(const picus_lua_table *table, picus_body_kind kind, double J[9]) {
  lua_State *L = table->L;
  if (!picus_lua_has(table, "inertia"))
    picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "%s needs its inertia about the centre of mass", table->title);
  if (kind == PICUS_PLANAR_BODY) {
    picus_lua_get_number(table, "inertia", &J[8]);
    return;
  }
  const int top = lua_gettop(L);
  lua_getfield(L, table->index, "inertia");
  bool rows = lua_type(L, -1) == LUA_TTABLE && lua_rawgeti(L, -1, 1) == LUA_TTABLE;
  lua_settop(L, top);
  if (!rows) {
    double moments[3];
    picus_lua_get_numbers(table, "inertia", 3, 3, moments);
    for (int i = 0; i < 3; i++) J[4 * i] = moments[i];
    return;
  }
  lua_getfield(L, table->index, "inertia");
  picus_lua_table tensor = picus_lua_inner_table(L, -1, table->title);
  for (int i = 0; i < 3; i++) {
    if (lua_rawgeti(L, tensor.index, i + 1) != LUA_TTABLE || lua_rawlen(L, -1) != 3 || lua_rawlen(L, tensor.index) != 3)
      picus_lua_fail(L, PICUS_ERROR_DIMENSION, "'inertia' of %s must be { Jx, Jy, Jz } or three rows of three",
                     table->title);
    for (int j = 0; j < 3; j++) {
      lua_rawgeti(L, -1, j + 1);
      J[3 * i + j] = picus_lua_to_number(L, -1, "an entry of 'inertia'");
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

void picus_lua_get_orientation(const picus_lua_table *table, double p[4]) {
  double axis[3] = {0}, angle = 0;
  bool turned = picus_lua_get_number(table, "angle", &angle);
  bool about = picus_lua_get_numbers(table, "axis", 3, 3, axis) > 0;
  bool given = picus_lua_get_numbers(table, "orientation", 4, 4, p) > 0;
  if (turned != about || (given && turned))
    picus_lua_fail(table->L, PICUS_ERROR_ARGUMENT,
                   "the orientation of %s needs either orientation = { p0, p1, p2, p3 } or axis and angle",
                   table->title);
  if (!turned) return;
  double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  if (!(fabs(length - 1) <= 1e-9))
    picus_lua_fail(table->L, PICUS_ERROR_MODEL, "the axis of %s has the length %.6g; it must be a unit vector",
                   table->title, length);
  p[0] = picus_cos(0.5 * angle);
  for (int i = 0; i < 3; i++) p[1 + i] = picus_sin(0.5 * angle) * axis[i];
}

static void add_shapes(lua_State *L, const picus_body *body, const picus_lua_shapes *shapes) {
  for (int k = 0; k < shapes->count; k++) picus_lua_require(L, picus_body_add_shape(body, &shapes->defs[k]));
}

int picus_lua_make_body(picus_lua_table *table, const picus_body_def *def, const picus_lua_shapes *shapes) {
  lua_State *L = table->L;
  picus_model *model = picus_lua_model_here(L);
  int q = picus_model_coordinate_count(model), u = picus_model_velocity_count(model);
  check_new_name(L, def->name);
  picus_body body;
  picus_lua_require(L, picus_model_add_body(model, def, &body));
  const picus_lua *session = picus_lua_session(L);
  if (session->has_gravity) picus_lua_require(L, picus_body_add_gravity(&body, session->gravity));
  picus_lua_store_symbols(L, q, u);
  add_shapes(L, &body, shapes);
  lua_settop(L, table->index);
  push_body(L, &body);
  return 1;
}

int picus_lua_make_frame(picus_lua_table *table, const picus_frame_def *def, const picus_lua_shapes *shapes) {
  lua_State *L = table->L;
  check_new_name(L, def->name);
  picus_body body;
  picus_lua_require(L, picus_model_make_frame(picus_lua_model_here(L), def, &body));
  add_shapes(L, &body, shapes);
  push_body(L, &body);
  return 1;
}

static void read_common(picus_lua_table *table, const char *const *known, picus_body_def *def) {
  def->name = picus_lua_table_name(table);
  picus_lua_check_keys(table, 1, known);
  def->suffix = picus_lua_get_text(table, "suffix");
}

/* Mass and inertia as given, or by the density of the shapes. */
static void read_inertia_of(const picus_lua_table *table, picus_lua_shapes *shapes, picus_body_def *def) {
  if (picus_lua_has(table, "density")) {
    if (picus_lua_has(table, "inertia"))
      picus_lua_fail(table->L, PICUS_ERROR_ARGUMENT, "%s needs either density or mass and inertia", table->title);
    picus_lua_weigh_shapes(table, shapes, def);
    return;
  }
  if (!picus_lua_get_number(table, "mass", &def->mass))
    picus_lua_fail(table->L, PICUS_ERROR_ARGUMENT, "%s needs its mass", table->title);
  if (def->kind != PICUS_PARTICLE) read_inertia(table, def->kind, def->inertia);
}

static int say_particle(lua_State *L) {
  static const char *const known[] = {"mass", "position", "velocity", "suffix", "shape", NULL};
  picus_lua_table table =
      picus_lua_argument_table(L, "particle", "particle { \"name\", mass = 1, position = { 0, 0 } }");
  picus_body_def def = picus_default_body_def(PICUS_PARTICLE);
  read_common(&table, known, &def);
  int dimension = picus_lua_get_numbers(&table, "position", 2, 3, def.position);
  if (dimension == 0)
    return picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "%s needs its position: { x, y } in the plane or { x, y, z }",
                          table.title);
  picus_lua_get_numbers(&table, "velocity", dimension, dimension, def.velocity);
  def.planar = dimension == 2;
  picus_lua_shapes shapes = picus_lua_read_shapes(&table, dimension);
  read_inertia_of(&table, &shapes, &def);
  return picus_lua_make_body(&table, &def, &shapes);
}

static int say_planar_body(lua_State *L) {
  static const char *const known[] = {"mass",  "inertia", "position", "angle",   "velocity",
                                      "omega", "suffix",  "shape",    "density", NULL};
  picus_lua_table table = picus_lua_argument_table(
      L, "planar_body", "planar_body { \"name\", mass = 1, inertia = 1, position = { 0, 0 }, angle = 0 }");
  picus_body_def def = picus_default_body_def(PICUS_PLANAR_BODY);
  read_common(&table, known, &def);
  picus_lua_shapes shapes = picus_lua_read_shapes(&table, 2);
  read_inertia_of(&table, &shapes, &def);
  picus_lua_get_numbers(&table, "position", 2, 2, def.position);
  picus_lua_get_number(&table, "angle", &def.angle);
  picus_lua_get_numbers(&table, "velocity", 2, 2, def.velocity);
  picus_lua_get_number(&table, "omega", &def.angular_velocity[2]);
  return picus_lua_make_body(&table, &def, &shapes);
}

static int say_spatial_body(lua_State *L) {
  static const char *const known[] = {"mass",     "inertia", "position", "orientation", "axis",    "angle",
                                      "velocity", "omega",   "suffix",   "shape",       "density", NULL};
  picus_lua_table table = picus_lua_argument_table(
      L, "spatial_body", "spatial_body { \"name\", mass = 1, inertia = { Jx, Jy, Jz }, position = { 0, 0, 0 } }");
  picus_body_def def = picus_default_body_def(PICUS_SPATIAL_BODY);
  read_common(&table, known, &def);
  picus_lua_shapes shapes = picus_lua_read_shapes(&table, 3);
  read_inertia_of(&table, &shapes, &def);
  picus_lua_get_numbers(&table, "position", 3, 3, def.position);
  picus_lua_get_orientation(&table, def.orientation);
  picus_lua_get_numbers(&table, "velocity", 3, 3, def.velocity);
  picus_lua_get_numbers(&table, "omega", 3, 3, def.angular_velocity);
  return picus_lua_make_body(&table, &def, &shapes);
}

/* frame { "name", position = { functions of t }, axis = { ... }, angle = function of t } */
static int say_frame(lua_State *L) {
  static const char *const known[] = {"position", "orientation", "axis", "angle", "shape", NULL};
  picus_lua_table table =
      picus_lua_argument_table(L, "frame", "frame { \"name\", position = { x, y, z }, axis = { 0, 0, 1 }, angle = 0 }");
  picus_model *model = picus_lua_model_here(L);
  picus_frame_def def = picus_default_frame_def(model);
  def.name = picus_lua_table_name(&table);
  picus_lua_check_keys(&table, 1, known);
  int count = 0;
  if (picus_lua_has(&table, "position")) {
    count = picus_lua_get_exprs(&table, "position", 3, def.position.x);
    if (count == 1)
      return picus_lua_fail(L, PICUS_ERROR_DIMENSION, "'position' of %s must have 2 or 3 entries", table.title);
  }
  picus_lua_get_numbers(&table, "orientation", 4, 4, def.orientation);
  picus_lua_get_numbers(&table, "axis", 3, 3, def.axis);
  picus_lua_get_expr(&table, "angle", &def.angle);
  const picus_lua_shapes shapes = picus_lua_read_shapes(&table, count);
  return picus_lua_make_frame(&table, &def, &shapes);
}

/* follower { "name", position = { formulas } }: a frame on coordinates of the model */
static int say_follower(lua_State *L) {
  static const char *const known[] = {"position", NULL};
  picus_lua_table table = picus_lua_argument_table(L, "follower", "follower { \"name\", position = { q.x, q.y } }");
  picus_model *model = picus_lua_model_here(L);
  const char *name = picus_lua_table_name(&table);
  picus_lua_check_keys(&table, 1, known);
  const picus_expr zero = picus_number(picus_model_pool(model), 0);
  picus_vector position = {{zero, zero, zero}};
  if (picus_lua_get_exprs(&table, "position", 3, position.x) < 2)
    return picus_lua_fail(L, PICUS_ERROR_DIMENSION, "'position' of %s must have 2 or 3 components", table.title);
  check_new_name(L, name);
  picus_body body;
  picus_lua_require(L, picus_model_make_follower(model, name, position, &body));
  picus_lua_push_body(L, &body);
  return 1;
}

/* gravity { gx, gy, gz }: on all bodies, including later ones */
static int say_gravity(lua_State *L) {
  picus_lua_table list = picus_lua_argument_table(L, "gravity", "gravity { 0, -9.81 } or gravity { 0, 0, -9.81 }");
  picus_lua *session = picus_lua_session(L);
  static const char *const none[] = {NULL};
  picus_lua_check_keys(&list, 3, none);
  if (session->has_gravity) return picus_lua_fail(L, PICUS_ERROR_MODEL, "gravity is defined twice");
  int count = (int)lua_rawlen(L, 1);
  if (count < 2) return picus_lua_fail(L, PICUS_ERROR_DIMENSION, "gravity has %d entries; it must have 2 or 3", count);
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, 1, i + 1);
    session->gravity[i] = picus_lua_to_number(L, -1, "an entry of gravity");
    lua_pop(L, 1);
  }
  session->has_gravity = true;
  session->gravity_count = count;
  picus_lua_model_here(L);
  push_list(L); /* the bodies so far; those to come take it from the session */
  for (lua_Integer i = 1; lua_rawgeti(L, 2, i) == LUA_TSTRING; i++) {
    lua_rawget(L, 2);
    picus_lua_require(L, picus_body_add_gravity(lua_touserdata(L, -1), session->gravity));
    lua_settop(L, 2);
  }
  return 0;
}

static const picus_body *self_of(lua_State *L, const char *method) {
  const picus_body *body = luaL_testudata(L, 1, picus_lua_body_type);
  if (!body)
    picus_lua_fail(L, PICUS_ERROR_FILE_SYNTAX, "%s is a method of bodies; write body:%s( ... ) with a colon", method,
                   method);
  return body;
}

/* The point at argument 2, { x, y } or { x, y, z }, numbers or expressions; the centre of mass if there is none. */
static picus_vector argument_point(lua_State *L, const char *method) {
  picus_pool *pool = picus_model_pool(picus_lua_session(L)->model);
  picus_vector point = {{picus_number(pool, 0), picus_number(pool, 0), picus_number(pool, 0)}};
  if (lua_isnoneornil(L, 2)) return point;
  if (lua_type(L, 2) != LUA_TTABLE || lua_rawlen(L, 2) < 2 || lua_rawlen(L, 2) > 3)
    picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "%s takes a point { x, y } or { x, y, z } in the frame of the body",
                   method);
  for (int i = 0; i < (int)lua_rawlen(L, 2); i++) {
    lua_rawgeti(L, 2, i + 1);
    point.x[i] = picus_lua_to_expr(L, -1, "a component of the point");
    lua_pop(L, 1);
  }
  return point;
}

/* Two components for planar bodies, three for the others. */
static int push_vector(lua_State *L, const picus_body *body, picus_vector v) {
  int count = body->planar && body->kind != PICUS_FRAME ? 2 : 3;
  for (int i = 0; i < count; i++) picus_lua_push_expr(L, v.x[i]);
  return count;
}

static int body_point(lua_State *L) {
  const picus_body *body = self_of(L, "point");
  return push_vector(L, body, picus_body_point_of(body, argument_point(L, "point")));
}

static int body_velocity(lua_State *L) {
  const picus_body *body = self_of(L, "velocity");
  return push_vector(L, body, picus_body_velocity_of(body, argument_point(L, "velocity")));
}

static int body_direction(lua_State *L) {
  const picus_body *body = self_of(L, "direction");
  return push_vector(L, body, picus_body_direction_of(body, argument_point(L, "direction")));
}

static int body_angle(lua_State *L) {
  const picus_body *body = self_of(L, "angle");
  if (!picus_expr_valid(body->angle))
    return picus_lua_fail(L, PICUS_ERROR_MODEL,
                          "'%s' has no single angle; body:direction { x, y, z } gives the directions of its frame",
                          body->name);
  picus_lua_push_expr(L, body->angle);
  return 1;
}

/* Angular velocity: one value in the plane, three components in the body frame otherwise. */
static int body_omega(lua_State *L) {
  const picus_body *body = self_of(L, "omega");
  if (body->kind == PICUS_PLANAR_BODY || (body->kind == PICUS_NODE && body->planar)) {
    picus_lua_push_expr(L, body->spin.x[2]);
    return 1;
  }
  for (int i = 0; i < 3; i++) picus_lua_push_expr(L, body->spin.x[i]);
  return 3;
}

static const luaL_Reg methods[] = {{"point", body_point}, {"velocity", body_velocity}, {"direction", body_direction},
                                   {"angle", body_angle}, {"omega", body_omega},       {NULL, NULL}};

static int body_index(lua_State *L) {
  const picus_body *body = luaL_checkudata(L, 1, picus_lua_body_type);
  const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
  if (strcmp(key, "name") == 0) {
    lua_pushstring(L, body->name);
    return 1;
  }
  for (const luaL_Reg *m = methods; m->name; m++)
    if (strcmp(m->name, key) == 0) {
      lua_pushcfunction(L, m->func);
      return 1;
    }
  return picus_lua_fail(L, PICUS_ERROR_NAME,
                        "a body has no '%.40s'; it has name, point, velocity, direction, angle and omega", key);
}

static int body_assign(lua_State *L) {
  const picus_body *body = luaL_checkudata(L, 1, picus_lua_body_type);
  return picus_lua_fail(L, PICUS_ERROR_FILE_SYNTAX, "the body '%s' is read-only", body->name);
}

static int body_text(lua_State *L) {
  const picus_body *body = luaL_checkudata(L, 1, picus_lua_body_type);
  lua_pushfstring(L, "body '%s'", body->name);
  return 1;
}

void picus_lua_open_bodies(lua_State *L) {
  picus_lua *session = picus_lua_session(L);
  lua_newtable(L);
  session->bodies = luaL_ref(L, LUA_REGISTRYINDEX);
  luaL_newmetatable(L, picus_lua_body_type);
  lua_pushcfunction(L, body_index);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, body_assign);
  lua_setfield(L, -2, "__newindex");
  lua_pushcfunction(L, body_text);
  lua_setfield(L, -2, "__tostring");
  lua_pop(L, 1);
  lua_register(L, "particle", say_particle);
  lua_register(L, "planar_body", say_planar_body);
  lua_register(L, "spatial_body", say_spatial_body);
  lua_register(L, "frame", say_frame);
  lua_register(L, "follower", say_follower);
  lua_register(L, "gravity", say_gravity);
  picus_frame_def def = picus_default_frame_def(session->model);
  def.name = "ground";
  picus_body ground;
  picus_lua_require(L, picus_model_make_frame(session->model, &def, &ground));
  push_body(L, &ground);
  lua_setglobal(L, "ground");
}
