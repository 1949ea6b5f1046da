/* The words of force elements on bodies: spring, torsion_spring, actuator, body_force. */
#include "model_file/internal.h"

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
