/* The words of dynamics, laws, outputs and the run. */
#include "model/internal.h"
#include "model_file/internal.h"
#include "options/table.h"
#include "sim/model_options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static picus_expr only_formula(lua_State *L, const char *word) {
  if (lua_gettop(L) != 1)
    picus_lua_fail(L, PICUS_ERROR_FILE_SYNTAX, "%s takes one expression: %s(expression); it has %d arguments", word,
                   word, lua_gettop(L));
  char what[64];
  snprintf(what, sizeof what, "the argument of %s", word);
  return picus_lua_to_expr(L, 1, what);
}

static int say_kinetic(lua_State *L) {
  picus_expr energy = only_formula(L, "kinetic");
  picus_lua_require(L, picus_model_add_kinetic(picus_lua_model_here(L), energy));
  return 0;
}

static int say_potential(lua_State *L) {
  picus_expr energy = only_formula(L, "potential");
  picus_lua_require(L, picus_model_add_potential(picus_lua_model_here(L), energy));
  return 0;
}

static int say_dissipation(lua_State *L) {
  picus_expr power = only_formula(L, "dissipation");
  picus_lua_require(L, picus_model_add_dissipation(picus_lua_model_here(L), power));
  return 0;
}

/* force { coordinate = expression, ... } */
static int say_force(lua_State *L) { return picus_lua_set_each(L, "force", "the force on", picus_model_add_force); }

/* The length of the list at index, which has to be one. */
static int list_length(lua_State *L, int index, const char *what) {
  enum { LONGEST_LIST = 10000 };
  if (lua_type(L, index) != LUA_TTABLE)
    picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "%s must be a list { ... }, not %s", what, picus_lua_type_text(L, index));
  lua_Unsigned length = lua_rawlen(L, index);
  if (length < 1 || length > LONGEST_LIST)
    picus_lua_fail(L, PICUS_ERROR_DIMENSION, "%s must have 1 to %d entries", what, LONGEST_LIST);
  return (int)length;
}

static void read_row(lua_State *L, int index, const char *what, int count, picus_expr *row) {
  for (int j = 0; j < count; j++) {
    lua_rawgeti(L, index, j + 1);
    row[j] = picus_lua_to_expr(L, -1, what);
    lua_pop(L, 1);
  }
}

/* mass { { M11, M12 }, { M21, M22 } } */
static int say_mass(lua_State *L) {
  picus_lua_argument_table(L, "mass", "mass { { M11, M12 }, { M21, M22 } }");
  int count = list_length(L, 1, "the mass matrix");
  if (count != picus_model_velocity_count(picus_lua_session(L)->model))
    return picus_lua_fail(
        L, PICUS_ERROR_DIMENSION,
        "the mass matrix must have one row for each of the %d velocities, not %d; define all velocities before it",
        picus_model_velocity_count(picus_lua_session(L)->model), count);
  picus_expr *M = lua_newuserdatauv(L, (size_t)count * (size_t)count * sizeof *M, 0);
  for (int i = 0; i < count; i++) {
    char what[64];
    snprintf(what, sizeof what, "row %d of the mass matrix", i + 1);
    lua_rawgeti(L, 1, i + 1);
    int length = list_length(L, -1, what);
    if (length != count)
      return picus_lua_fail(L, PICUS_ERROR_DIMENSION, "%s has %d entries, but there are %d velocities", what, length,
                            count);
    read_row(L, lua_gettop(L), what, count, M + (size_t)i * (size_t)count);
    lua_pop(L, 1);
  }
  picus_lua_require(L, picus_model_set_mass_matrix(picus_lua_model_here(L), count, M));
  return 0;
}

/* force_vector { h1, h2, ... } */
static int say_force_vector(lua_State *L) {
  picus_lua_argument_table(L, "force_vector", "force_vector { h1, h2 }");
  int count = list_length(L, 1, "the force vector");
  picus_expr *h = lua_newuserdatauv(L, (size_t)count * sizeof *h, 0);
  read_row(L, 1, "an entry of the force vector", count, h);
  picus_lua_require(L, picus_model_set_force_vector(picus_lua_model_here(L), count, h));
  return 0;
}

static int say_contact(lua_State *L) {
  static const char *const known[] = {"gap",     "slip",   "mu",      "eN",       "eF", "roll",
                                      "rolling", "impact", "surface", "adhesion", NULL};
  picus_lua_table table = picus_lua_argument_table(
      L, "contact", "contact { \"name\", gap = expression, slip = expression, mu = 0.3, eN = 0 }");
  picus_contact_def def = picus_default_contact_def();
  def.name = picus_lua_table_name(&table);
  picus_lua_check_keys(&table, 1, known);
  picus_lua_get_expr(&table, "gap", &def.gap);
  def.slips = picus_lua_get_exprs(&table, "slip", 3, def.slip);
  picus_lua_get_coefficient(&table, "mu", &def.mu, &def.mu_formula);
  picus_lua_get_coefficient(&table, "eN", &def.eN, &def.eN_formula);
  picus_lua_get_coefficient(&table, "eF", &def.eF, &def.eF_formula);
  def.rolls = picus_lua_get_exprs(&table, "roll", 2, def.roll);
  picus_lua_get_coefficient(&table, "rolling", &def.rolling, &def.rolling_formula);
  picus_lua_get_impact(&table, &def.impact);
  def.surfaces = picus_lua_get_exprs(&table, "surface", 3, def.surface);
  picus_lua_get_number(&table, "adhesion", &def.adhesion);
  picus_lua_require(L, picus_model_add_contact(picus_lua_model_here(L), &def));
  return 0;
}

/* slip_speed(): in formulas of mu and the like */
static int say_slip_speed(lua_State *L) {
  if (lua_gettop(L) > 0)
    return picus_lua_fail(L, PICUS_ERROR_ARGUMENT,
                          "slip_speed() takes no arguments: it is the slip speed of the law whose mu, reservoir, "
                          "rolling, eN or eF has it");
  picus_lua_push_expr(L, picus_model_slip_speed(picus_lua_model_here(L)));
  return 1;
}

static int say_friction(lua_State *L) {
  static const char *const known[] = {"slip", "reservoir", "eF", "mu", "load", "length", NULL};
  const char *loads[PICUS_LOADS_MOST];
  picus_lua_table table =
      picus_lua_argument_table(L, "friction", "friction { \"name\", slip = expression, reservoir = force }");
  picus_friction_def def = picus_default_friction_def();
  def.name = picus_lua_table_name(&table);
  picus_lua_check_keys(&table, 1, known);
  def.slips = picus_lua_get_exprs(&table, "slip", 3, def.slip);
  picus_lua_get_coefficient(&table, "reservoir", &def.reservoir, &def.reservoir_formula);
  picus_lua_get_coefficient(&table, "eF", &def.eF, &def.eF_formula);
  picus_lua_get_coefficient(&table, "mu", &def.mu, &def.mu_formula);
  picus_lua_get_number(&table, "length", &def.length);
  def.load_count = picus_lua_get_texts(&table, "load", PICUS_LOADS_MOST, loads);
  def.loads = loads;
  picus_lua_require(L, picus_model_add_friction(picus_lua_model_here(L), &def));
  return 0;
}

static int say_clutch(lua_State *L) {
  static const char *const known[] = {"velocity", NULL};
  picus_lua_table table = picus_lua_argument_table(L, "clutch", "clutch { \"name\", velocity = expression }");
  picus_clutch_def def = picus_default_clutch_def();
  def.name = picus_lua_table_name(&table);
  picus_lua_check_keys(&table, 1, known);
  picus_lua_get_expr(&table, "velocity", &def.velocity);
  picus_lua_require(L, picus_model_add_clutch(picus_lua_model_here(L), &def));
  return 0;
}

/* preload { "name", displacement = formula, force = F } or limits = { lower, upper } */
static int say_preload(lua_State *L) {
  static const char *const known[] = {"displacement", "force", "limits", NULL};
  picus_lua_table table =
      picus_lua_argument_table(L, "preload", "preload { \"name\", displacement = expression, force = 10 }");
  picus_preload_def def = picus_default_preload_def();
  double limits[2] = {0, 0};
  def.name = picus_lua_table_name(&table);
  picus_lua_check_keys(&table, 1, known);
  picus_lua_get_expr(&table, "displacement", &def.displacement);
  const bool given = picus_lua_get_numbers(&table, "limits", 2, 2, limits) > 0;
  if (given == picus_lua_get_number(&table, "force", &limits[1]))
    return picus_lua_fail(L, PICUS_ERROR_MODEL, "preload '%s' needs either a force or limits; it has %s", def.name,
                          given ? "both" : "none");
  if (!given && limits[1] < 0)
    return picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "the force of preload '%s' is %g; it must not be negative", def.name,
                          limits[1]);
  def.lower = given ? limits[0] : -limits[1];
  def.upper = limits[1];
  picus_lua_require(L, picus_model_add_preload(picus_lua_model_here(L), &def));
  return 0;
}

static int say_constraint(lua_State *L) {
  static const char *const known[] = {"position", "velocity", NULL};
  picus_lua_table table = picus_lua_argument_table(
      L, "constraint", "constraint { \"name\", position = expression } or velocity = expression");
  picus_constraint_def def = picus_default_constraint_def();
  def.name = picus_lua_table_name(&table);
  picus_lua_check_keys(&table, 1, known);
  picus_lua_get_expr(&table, "position", &def.position);
  picus_lua_get_expr(&table, "velocity", &def.velocity);
  picus_lua_require(L, picus_model_add_constraint(picus_lua_model_here(L), &def));
  return 0;
}

/* observe { "name", formula, unit = "m", label = "text" } */
static int say_observe(lua_State *L) {
  static const char *const known[] = {"unit", "label", NULL};
  picus_lua_table table = picus_lua_argument_table(L, "observe", "observe { \"name\", expression, unit = \"m\" }");
  const char *name = picus_lua_table_name(&table);
  char what[128];
  picus_lua_check_keys(&table, 2, known);
  snprintf(what, sizeof what, "the second entry of %s", table.title);
  lua_rawgeti(L, 1, 2);
  picus_expr value = picus_lua_to_expr(L, -1, what);
  const char *unit = picus_lua_get_text(&table, "unit"), *label = picus_lua_get_text(&table, "label");
  picus_lua_require(L, picus_model_add_observable(picus_lua_model_here(L), name, value, unit, label));
  return 0;
}

/* stop_time(t1, t2, ...) */
static int say_stop_time(lua_State *L) {
  int count = lua_gettop(L);
  if (count == 0) return picus_lua_fail(L, PICUS_ERROR_FILE_SYNTAX, "stop_time takes times: stop_time(t1, t2, ...)");
  for (int i = 1; i <= count; i++) {
    double time = picus_lua_to_number(L, i, "a stop time");
    picus_lua_require(L, picus_model_add_stop_time(picus_lua_model_here(L), time));
  }
  return 0;
}

/* plot { x = "column", y = "column" or { "column", ... } } */
static int say_plot(lua_State *L) {
  static const char *const known[] = {"x", "y", NULL};
  picus_lua_table table = picus_lua_argument_table(L, "plot", "plot { x = \"column\", y = { \"column\", ... } }");
  picus_lua_check_keys(&table, 0, known);
  const char *x = picus_lua_get_text(&table, "x");
  if (!picus_lua_has(&table, "y"))
    return picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "plot needs y = \"column\" or y = { \"column\", ... }");
  lua_getfield(L, 1, "y");
  int count = 1;
  const char **y;
  if (lua_type(L, 2) == LUA_TTABLE) {
    count = list_length(L, 2, "'y' of plot");
    y = lua_newuserdatauv(L, (size_t)count * sizeof *y, 0);
    for (int i = 0; i < count; i++) {
      lua_rawgeti(L, 2, i + 1);
      y[i] = picus_lua_to_text(L, -1, "a column in 'y' of plot"); /* the list holds it */
      lua_pop(L, 1);
    }
  } else {
    y = lua_newuserdatauv(L, sizeof *y, 0);
    y[0] = picus_lua_to_text(L, 2, "'y' of plot");
  }
  picus_lua_require(L, picus_model_add_plot(picus_lua_model_here(L), x ? x : "t", count, y));
  return 0;
}

/* One row of a tableau, on top of the stack: as many numbers as its place in the list. */
static void read_tableau_row(lua_State *L, int row, picus_tableau *tableau) {
  const int length = row + 1;
  if (lua_type(L, -1) != LUA_TTABLE || (int)lua_rawlen(L, -1) != length)
    picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "row %d of 'tableau' must be a list of %d numbers", length, length);
  for (int k = 0; k < length; k++) {
    lua_rawgeti(L, -1, k + 1);
    tableau->rows[row][k] = picus_lua_to_number(L, -1, "a number of 'tableau'");
    lua_pop(L, 1);
  }
}

/* tableau = { {a21}, {a31, a32}, ..., {b1, ...}, order = p }, on top of the stack. */
static void read_tableau(lua_State *L) {
  picus_tableau tableau = {.stages = (int)lua_rawlen(L, -1)};
  if (tableau.stages < 1 || tableau.stages > PICUS_STAGES_MOST)
    picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "'tableau' of simulate has %d rows; it must have 1 to %d", tableau.stages,
                   PICUS_STAGES_MOST);
  for (int i = 0; i < tableau.stages; i++) {
    lua_rawgeti(L, -1, i + 1);
    read_tableau_row(L, i, &tableau);
    lua_pop(L, 1);
  }
  lua_pushliteral(L, "order");
  if (lua_rawget(L, -2) != LUA_TNIL) {
    const double order = picus_lua_to_number(L, -1, "'order' of 'tableau'");
    if (!(order >= 1 && order <= 4 && order == floor(order)))
      picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "'order' of 'tableau' is %g; it must be an integer from 1 to 4", order);
    tableau.order = (int)order;
  }
  lua_pop(L, 1);
  picus_lua_require(L, picus_model_set_run_tableau(picus_lua_model_here(L), &tableau));
}

/* simulate { option = number or text, or true or false, ... } */
static int say_simulate(lua_State *L) {
  picus_lua_argument_table(L, "simulate", "simulate { scheme = \"moreau\", dt = 1e-3, t_end = 1 }");
  int count = picus_lua_sorted_keys(L, 1);
  for (int i = 1; i <= count; i++) {
    if (lua_rawgeti(L, 2, i) != LUA_TSTRING)
      return picus_lua_fail(L, PICUS_ERROR_NAME, "simulate has an unnamed entry; write option = value");
    const char *option = picus_lua_to_text(L, -1, "a key of simulate");
    char what[100];
    snprintf(what, sizeof what, "'%.60s' of simulate", option);
    lua_pushvalue(L, -1);
    picus_model *model = picus_lua_model_here(L);
    picus_lua_require(L, picus_model_check_run_option(model, option)); /* before its value is read */
    int type = lua_rawget(L, 1);
    if (type == LUA_TBOOLEAN && picus_option_table[picus_option_find(option)].kind == PICUS_OPTION_FLAG)
      picus_lua_require(L, picus_model_set_run_number(model, option, lua_toboolean(L, -1)));
    else if (type == LUA_TTABLE && strcmp(option, "tableau") == 0)
      read_tableau(L);
    else if (type == LUA_TSTRING)
      picus_lua_require(L, picus_model_set_run_text(model, option, picus_lua_to_text(L, -1, what)));
    else
      picus_lua_require(L, picus_model_set_run_number(model, option, picus_lua_to_number(L, -1, what)));
    lua_pop(L, 2);
  }
  return 0;
}

void picus_lua_open_keywords(lua_State *L) {
  static const struct {
    const char *name;
    lua_CFunction function;
  } words[] = {{"kinetic", say_kinetic},      {"potential", say_potential}, {"dissipation", say_dissipation},
               {"force", say_force},          {"mass", say_mass},           {"force_vector", say_force_vector},
               {"contact", say_contact},      {"friction", say_friction},   {"constraint", say_constraint},
               {"observe", say_observe},      {"stop_time", say_stop_time}, {"clutch", say_clutch},
               {"preload", say_preload},      {"plot", say_plot},           {"simulate", say_simulate},
               {"slip_speed", say_slip_speed}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) lua_register(L, words[i].name, words[i].function);
}
