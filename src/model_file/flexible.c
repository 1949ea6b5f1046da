/* The words of flexible components: bar, structure. They return a table whose x[i] and v[i] are the symbols of the
 * displacements and velocities. */
#include "base/input_file.h"
#include "model/internal.h"
#include "model_file/internal.h"
#include "text_format/internal.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_PER_ENTRY = 64 }; /* of a matrix while it is read and put into the model */

static const char bar_usage[] =
    "bar { \"rod\", elements = 100, length = 1, area = 1e-4, density = 7800, young = 2.1e11 }";
static const char structure_usage[] = "structure { \"part\", mass = \"M.mtx\", stiffness = \"K.mtx\" }";

/* component.x[i], component.v[i]. Upvalues: name of the component, is it the velocity? */
static int symbol_index(lua_State *L) {
  const char *name = lua_tostring(L, lua_upvalueindex(1));
  bool velocity = lua_toboolean(L, lua_upvalueindex(2));
  int exact;
  lua_Integer number = lua_tointegerx(L, 2, &exact);
  if (lua_type(L, 2) != LUA_TNUMBER || !exact || number < INT_MIN || number > INT_MAX)
    return picus_lua_fail(L, PICUS_ERROR_NAME, "the index of a displacement of '%s' must be a number, not %s", name,
                          picus_lua_type_text(L, 2));
  picus_expr x, v;
  picus_lua_require(L, picus_model_node(picus_lua_model_here(L), name, (int)number, &x, &v));
  picus_lua_push_expr(L, velocity ? v : x);
  return 1;
}

static int refuse_assignment(lua_State *L) {
  return picus_lua_fail(L, PICUS_ERROR_FILE_SYNTAX, "the flexible component '%s' is read-only",
                        lua_tostring(L, lua_upvalueindex(1)));
}

static int symbol_count(lua_State *L) {
  const char *name = lua_tostring(L, lua_upvalueindex(1));
  lua_pushinteger(L, picus_model_structure_size(picus_lua_session(L)->model, name));
  return 1;
}

/* component.KEY for a KEY that it has not. */
static int unknown_key(lua_State *L) {
  return picus_lua_fail(L, PICUS_ERROR_NAME, "the flexible component '%s' has no '%.40s'; it has x[i], v[i] and size",
                        lua_tostring(L, lua_upvalueindex(1)), picus_lua_push_text(L, 2));
}

static void set_method(lua_State *L, const char *method, lua_CFunction function, const char *name, bool velocity) {
  lua_pushstring(L, name);
  lua_pushboolean(L, velocity);
  lua_pushcclosure(L, function, 2);
  lua_setfield(L, -2, method);
}

static void push_symbols(lua_State *L, const char *name, bool velocity) {
  lua_newtable(L);
  lua_newtable(L);
  set_method(L, "__index", symbol_index, name, velocity);
  set_method(L, "__newindex", refuse_assignment, name, velocity);
  set_method(L, "__len", symbol_count, name, velocity);
  lua_setmetatable(L, -2);
}

static int push_component(lua_State *L, const char *name) {
  lua_newtable(L);
  push_symbols(L, name, false);
  lua_setfield(L, -2, "x");
  push_symbols(L, name, true);
  lua_setfield(L, -2, "v");
  lua_pushinteger(L, picus_model_structure_size(picus_lua_session(L)->model, name));
  lua_setfield(L, -2, "size");
  lua_newtable(L);
  set_method(L, "__index", unknown_key, name, false);
  set_method(L, "__newindex", refuse_assignment, name, false);
  lua_setmetatable(L, -2);
  return 1;
}

double picus_lua_require_number(const picus_lua_table *table, const char *key) {
  double value = 0;
  if (!picus_lua_get_number(table, key, &value))
    picus_lua_fail(table->L, PICUS_ERROR_ARGUMENT, "%s needs '%s'", table->title, key);
  return value;
}

/* The list under a key as numbers in a block of Lua's, which stays on the stack; its length, or -1: there is none. */
static int get_numbers(const picus_lua_table *table, const char *key, double **numbers) {
  lua_State *L = table->L;
  char what[160];
  *numbers = NULL;
  snprintf(what, sizeof what, "'%s' of %s", key, table->title);
  lua_pushstring(L, key);
  int type = lua_rawget(L, table->index);
  if (type == LUA_TNIL) return -1;
  if (type != LUA_TTABLE)
    picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "%s must be a list of numbers, not %s", what, picus_lua_type_text(L, -1));
  int list = lua_gettop(L);
  lua_Unsigned length = lua_rawlen(L, list);
  if (length > INT_MAX / 16) picus_lua_fail(L, PICUS_ERROR_DIMENSION, "%s is too long", what);
  *numbers = lua_newuserdatauv(L, ((size_t)length + 1) * sizeof **numbers, 0);
  for (lua_Unsigned i = 0; i < length; i++) {
    lua_rawgeti(L, list, (lua_Integer)i + 1);
    (*numbers)[i] = picus_lua_to_number(L, -1, what);
    lua_pop(L, 1);
  }
  picus_lua_charge(L, (uint64_t)length);
  return (int)length;
}

/* record = { numbers }: which displacements become columns; -1: all. */
int picus_lua_get_record(const picus_lua_table *table, const int **record) {
  double *numbers;
  int count = get_numbers(table, "record", &numbers);
  if (count < 0) return -1;
  int *list = lua_newuserdatauv(table->L, ((size_t)count + 1) * sizeof *list, 0);
  for (int i = 0; i < count; i++) {
    if (!(fabs(numbers[i]) < 1e9) || numbers[i] != floor(numbers[i]))
      picus_lua_fail(table->L, PICUS_ERROR_ARGUMENT,
                     "'record' of %s contains %g, which is not the number of a displacement", table->title, numbers[i]);
    list[i] = (int)numbers[i];
  }
  *record = list;
  return count;
}

int picus_lua_get_choice(const picus_lua_table *table, const char *key) {
  lua_State *L = table->L;
  lua_pushstring(L, key);
  const int type = lua_rawget(L, table->index);
  const int choice = type == LUA_TNIL ? -1 : lua_toboolean(L, -1);
  if (type != LUA_TNIL && type != LUA_TBOOLEAN)
    picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "'%s' of %s must be true or false, not %s", key, table->title,
                   picus_lua_type_text(L, -1));
  lua_pop(L, 1);
  return choice;
}

/* Rayleigh damping: beta, or { alpha, beta }. */
void picus_lua_get_rayleigh(const picus_lua_table *table, const char *key, double *alpha, double *beta) {
  lua_State *L = table->L;
  lua_pushstring(L, key);
  bool list = lua_rawget(L, table->index) == LUA_TTABLE;
  lua_pop(L, 1);
  if (!list) {
    picus_lua_get_number(table, key, beta);
    return;
  }
  double *numbers;
  int count = get_numbers(table, key, &numbers);
  if (count != 2 || !numbers) {
    picus_lua_fail(L, PICUS_ERROR_DIMENSION, "'%s' of %s must be beta or { alpha, beta }, for C = alpha M + beta K",
                   key, table->title);
    return;
  }
  *alpha = numbers[0];
  *beta = numbers[1];
}

/* bar { ... } */
static int say_bar(lua_State *L) {
  static const char *const known[] = {"elements", "length", "area",   "density", "young", "damping",
                                      "gravity",  "start",  "record", "table",   NULL};
  picus_lua_table table = picus_lua_argument_table(L, "bar", bar_usage);
  picus_bar_def def = picus_default_bar_def();
  def.name = picus_lua_table_name(&table);
  picus_lua_check_keys(&table, 1, known);
  double elements = picus_lua_require_number(&table, "elements");
  if (!(elements >= 1 && elements <= 1e7) || elements != floor(elements))
    return picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "'elements' of %s is %g; it must be an integer from 1 to 1e7",
                          table.title, elements);
  def.elements = (int)elements;
  def.length = picus_lua_require_number(&table, "length");
  def.area = picus_lua_require_number(&table, "area");
  def.density = picus_lua_require_number(&table, "density");
  def.young = picus_lua_require_number(&table, "young");
  picus_lua_get_number(&table, "gravity", &def.gravity);
  picus_lua_get_rayleigh(&table, "damping", &def.alpha, &def.beta);
  double *start;
  int given = get_numbers(&table, "start", &start);
  if (given == 0 || given > 2)
    return picus_lua_fail(L, PICUS_ERROR_DIMENSION, "'start' of %s must be { displacement, velocity } of all nodes",
                          table.title);
  if (given > 0) def.start = start[0];
  if (given > 1) def.velocity_start = start[1];
  def.record_count = picus_lua_get_record(&table, &def.record);
  def.table = picus_lua_get_choice(&table, "table");
  picus_lua_charge(L, 20 * (uint64_t)def.elements);
  picus_lua_require(L, picus_model_add_bar(picus_lua_model_here(L), &def));
  picus_lua_check_memory(L);
  return push_component(L, def.name);
}

/* Matrices that were read, released by Lua's collector if something fails before they are used. */
typedef struct matrix_set {
  picus_context *context;
  picus_matrix mass, stiffness, damping, gyroscopic;
} matrix_set;

static int collect_matrices(lua_State *L) {
  matrix_set *set = lua_touserdata(L, 1);
  if (!set) return 0;
  picus_matrix_release(set->context, &set->mass);
  picus_matrix_release(set->context, &set->stiffness);
  picus_matrix_release(set->context, &set->damping);
  picus_matrix_release(set->context, &set->gyroscopic);
  return 0;
}

static matrix_set *push_matrices(lua_State *L) {
  matrix_set *set = lua_newuserdatauv(L, sizeof *set, 0);
  *set = (matrix_set){.context = picus_lua_session(L)->context};
  lua_newtable(L);
  lua_pushcfunction(L, collect_matrices);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
  return set;
}

static bool read_matrix(const picus_lua_table *table, const char *key, picus_matrix *matrix) {
  const char *name = picus_lua_get_text(table, key);
  char path[PICUS_PATH_SIZE];
  if (!name) return false;
  const picus_model_file file = picus_lua_read_file(table, name, path);
  const picus_lua *session = picus_lua_session(table->L);
  const size_t most = session->memory_limit / BYTES_PER_ENTRY;
  picus_lua_require(table->L, picus_matrix_parse(session->context, path, &file, most, matrix));
  picus_lua_charge(table->L, 10 * (uint64_t)matrix->count);
  picus_lua_check_memory(table->L);
  return true;
}

/* A list with one number for each displacement. */
static const double *get_vector(const picus_lua_table *table, const char *key, int size) {
  double *numbers;
  int count = get_numbers(table, key, &numbers);
  if (count >= 0 && count != size)
    picus_lua_fail(table->L, PICUS_ERROR_DIMENSION, "'%s' of %s has %d numbers, but there are %d displacements", key,
                   table->title, count, size);
  return numbers;
}

static int say_structure(lua_State *L) {
  static const char *const known[] = {"mass",   "stiffness", "damping", "gyroscopic",     "rayleigh",
                                      "load",   "reference", "start",   "velocity_start", "unit",
                                      "record", "table",     NULL};
  picus_lua_table table = picus_lua_argument_table(L, "structure", structure_usage);
  picus_structure_def def = picus_default_structure_def();
  def.name = picus_lua_table_name(&table);
  picus_lua_check_keys(&table, 1, known);
  matrix_set *set = push_matrices(L);
  if (!read_matrix(&table, "mass", &set->mass) || !read_matrix(&table, "stiffness", &set->stiffness))
    return picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "%s needs 'mass' and 'stiffness': %s", table.title, structure_usage);
  read_matrix(&table, "damping", &set->damping);
  read_matrix(&table, "gyroscopic", &set->gyroscopic);
  def.mass = set->mass;
  def.stiffness = set->stiffness;
  def.damping = set->damping;
  def.gyroscopic = set->gyroscopic;
  def.first = 1; /* as rows are counted in the files */
  picus_lua_get_rayleigh(&table, "rayleigh", &def.alpha, &def.beta);
  def.load = get_vector(&table, "load", def.mass.order);
  def.reference = get_vector(&table, "reference", def.mass.order);
  def.start = get_vector(&table, "start", def.mass.order);
  def.velocity_start = get_vector(&table, "velocity_start", def.mass.order);
  def.unit = picus_lua_get_text(&table, "unit");
  def.record_count = picus_lua_get_record(&table, &def.record);
  def.table = picus_lua_get_choice(&table, "table");
  picus_lua_require(L, picus_model_add_structure(picus_lua_model_here(L), &def));
  picus_lua_check_memory(L);
  return push_component(L, def.name);
}

void picus_lua_open_flexible(lua_State *L) {
  lua_register(L, "bar", say_bar);
  lua_register(L, "structure", say_structure);
}
