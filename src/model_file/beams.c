/* The words of beams: beam, framework. They return a table whose ux[i], vx[i] and so on are the symbols of the
 * displacements and velocities of node i. */
#include "model/internal.h"
#include "model_file/internal.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COMPONENTS = 6 };
static const char *const displacements[COMPONENTS + 1] = {"ux", "uy", "uz", "rx", "ry", "rz", NULL};
static const char *const velocities[COMPONENTS] = {"vx", "vy", "vz", "wx", "wy", "wz"};

static const char beam_usage[] =
    "beam { \"rod\", length = 1, elements = 10, circle = 0.01, density = 7800, young = 2.1e11 }";
static const char framework_usage[] = "framework { \"portal\", nodes = {{0, 0}, {0, 3}}, members = {{1, 2}}, ... }";

/* component.ux[i]. Upvalues: name of the framework, component, is it the velocity? */
static int symbol_index(lua_State *L) {
  const char *name = lua_tostring(L, lua_upvalueindex(1));
  const int component = (int)lua_tointeger(L, lua_upvalueindex(2));
  const bool velocity = lua_toboolean(L, lua_upvalueindex(3));
  int exact;
  lua_Integer number = lua_tointegerx(L, 2, &exact);
  if (lua_type(L, 2) != LUA_TNUMBER || !exact || number < INT_MIN || number > INT_MAX)
    return picus_lua_fail(L, PICUS_ERROR_NAME, "the index of a node of '%s' must be a number, not %s", name,
                          picus_lua_type_text(L, 2));
  picus_expr x, v;
  picus_lua_require(
      L, picus_model_beam_node(picus_lua_model_here(L), name, (int)number, (picus_component)component, &x, &v));
  picus_lua_push_expr(L, velocity ? v : x);
  return 1;
}

/* component:node(i), or component.node(i): the node as a body. Upvalue: name of the framework. */
static int say_node(lua_State *L) {
  const char *name = lua_tostring(L, lua_upvalueindex(1));
  const int at = lua_istable(L, 1) ? 2 : 1;
  int exact;
  lua_Integer number = lua_tointegerx(L, at, &exact);
  if (lua_type(L, at) != LUA_TNUMBER || !exact || number < INT_MIN || number > INT_MAX)
    return picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "%s:node(i) takes the number of a node, an integer, not %s", name,
                          lua_type(L, at) == LUA_TNUMBER ? lua_tostring(L, at) : picus_lua_type_text(L, at));
  picus_body body;
  picus_lua_require(L, picus_model_make_node(picus_lua_model_here(L), name, (int)number, &body));
  picus_lua_push_body(L, &body);
  return 1;
}

static int refuse_assignment(lua_State *L) {
  return picus_lua_fail(L, PICUS_ERROR_FILE_SYNTAX, "'%s' is read-only", lua_tostring(L, lua_upvalueindex(1)));
}

static int unknown_key(lua_State *L) {
  const char *name = lua_tostring(L, lua_upvalueindex(1));
  const bool spatial = lua_toboolean(L, lua_upvalueindex(2));
  return picus_lua_fail(L, PICUS_ERROR_NAME, "'%s' has no '%.40s'; it has %s, nodes, section and node(i)", name,
                        luaL_tolstring(L, 2, NULL),
                        spatial ? "ux[i], uy[i], uz[i], rx[i], ry[i], rz[i], vx[i], vy[i], vz[i], wx[i], wy[i], wz[i]"
                                : "ux[i], uy[i], rz[i], vx[i], vy[i], wz[i]");
}

static void push_symbols(lua_State *L, const char *name, int component, bool velocity) {
  lua_newtable(L);
  lua_newtable(L);
  lua_pushstring(L, name);
  lua_pushinteger(L, component);
  lua_pushboolean(L, velocity);
  lua_pushcclosure(L, symbol_index, 3);
  lua_setfield(L, -2, "__index");
  lua_pushstring(L, name);
  lua_pushcclosure(L, refuse_assignment, 1);
  lua_setfield(L, -2, "__newindex");
  lua_setmetatable(L, -2);
}

static int push_framework(lua_State *L, const char *name, bool spatial, bool is_beam) {
  luaL_checkstack(L, 8, NULL);
  lua_newtable(L);
  for (int c = 0; c < COMPONENTS; c++) {
    if (!spatial && c >= PICUS_UZ && c <= PICUS_RY) continue;
    push_symbols(L, name, c, false);
    lua_setfield(L, -2, displacements[c]);
    push_symbols(L, name, c, true);
    lua_setfield(L, -2, velocities[c]);
  }
  lua_pushinteger(L, picus_model_framework_nodes(picus_lua_session(L)->model, name));
  lua_setfield(L, -2, "nodes");
  picus_lua_push_sections(L, name, is_beam);
  lua_setfield(L, -2, "section");
  lua_pushstring(L, name);
  lua_pushcclosure(L, say_node, 1);
  lua_setfield(L, -2, "node");
  lua_newtable(L);
  lua_pushstring(L, name);
  lua_pushboolean(L, spatial);
  lua_pushcclosure(L, unknown_key, 2);
  lua_setfield(L, -2, "__index");
  lua_pushstring(L, name);
  lua_pushcclosure(L, refuse_assignment, 1);
  lua_setfield(L, -2, "__newindex");
  lua_setmetatable(L, -2);
  return 1;
}

/* A block of Lua's, which stays on the stack; at least one byte. */
static void *push_block(lua_State *L, size_t count, size_t size) {
  void *block = lua_newuserdatauv(L, count * size + 1, 0);
  memset(block, 0, count * size + 1);
  return block;
}

/* An integer under a key or a position, from least to most. */
static int to_integer(const picus_lua_table *table, const char *what, double value, int least) {
  if (!(value >= least && value <= 1e7) || value != floor(value))
    picus_lua_fail(table->L, PICUS_ERROR_ARGUMENT, "%s of %s is %g; it must be an integer from %d to 1e7", what,
                   table->title, value, least);
  return (int)value;
}

static int integer_at(const picus_lua_table *table, int position, const char *what) {
  char text[160];
  snprintf(text, sizeof text, "%s of %s (its entry %d)", what, table->title, position);
  lua_rawgeti(table->L, table->index, position);
  double value = picus_lua_to_number(table->L, -1, text);
  lua_pop(table->L, 1);
  return to_integer(table, what, value, -1000000);
}

/* The number of tables in the list under a key, and the list on the stack; 0 and nil: there is none. */
static int push_list(const picus_lua_table *table, const char *key) {
  lua_State *L = table->L;
  luaL_checkstack(L, 8, NULL);
  lua_pushstring(L, key);
  int type = lua_rawget(L, table->index);
  if (type == LUA_TNIL) return 0;
  lua_Unsigned length = type == LUA_TTABLE ? lua_rawlen(L, -1) : 0;
  if (type != LUA_TTABLE || length > INT_MAX / 16)
    picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "'%s' of %s must be a list of tables, not %s", key, table->title,
                   picus_lua_type_text(L, -1));
  picus_lua_charge(L, 10 * (uint64_t)length);
  return (int)length;
}

/* The table at position i, from 1, of the list at the top of the stack; it is pushed. */
static picus_lua_table push_item(const picus_lua_table *table, int list, int i, const char *what) {
  lua_State *L = table->L;
  char title[96];
  snprintf(title, sizeof title, "%s %d of %.60s", what, i, table->title);
  if (lua_rawgeti(L, list, i) != LUA_TTABLE)
    picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "%s must be a table, not %s", title, picus_lua_type_text(L, -1));
  return picus_lua_inner_table(L, -1, title);
}

/* Values by the names of components: { uy = 1, rz = 2 }. */
static void get_components(const picus_lua_table *table, const char *key, double values[COMPONENTS]) {
  lua_State *L = table->L;
  char title[96];
  luaL_checkstack(L, 8, NULL);
  lua_pushstring(L, key);
  int type = lua_rawget(L, table->index);
  snprintf(title, sizeof title, "'%s' of %.70s", key, table->title);
  if (type != LUA_TNIL && type != LUA_TTABLE)
    picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "%s must be a table of components such as { uy = 1 }, not %s", title,
                   picus_lua_type_text(L, -1));
  if (type == LUA_TTABLE) {
    picus_lua_table inner = picus_lua_inner_table(L, -1, title);
    picus_lua_check_keys(&inner, 0, displacements);
    for (int c = 0; c < COMPONENTS; c++) picus_lua_get_number(&inner, displacements[c], &values[c]);
  }
  lua_pop(L, 1);
}

/* The keys of section and material: those that the table has replace what the member has already. */
#define MEMBER_KEYS                                                                                                    \
  "circle", "tube", "rectangle", "area", "Iy", "Iz", "torsion", "shear_y", "shear_z", "fibre_y", "fibre_z",            \
      "torsion_modulus", "density", "young", "poisson", "shear", "up"

static void get_section(const picus_lua_table *table, picus_section *section) {
  double sizes[2];
  if (picus_lua_get_number(table, "circle", &sizes[0]))
    *section = (picus_section){.kind = PICUS_SECTION_CIRCLE, .radius = sizes[0]};
  if (picus_lua_get_numbers(table, "tube", 2, 2, sizes))
    *section = (picus_section){.kind = PICUS_SECTION_TUBE, .radius = sizes[0], .inner_radius = sizes[1]};
  if (picus_lua_get_numbers(table, "rectangle", 2, 2, sizes))
    *section = (picus_section){.kind = PICUS_SECTION_RECTANGLE, .size_y = sizes[0], .size_z = sizes[1]};
  if (picus_lua_has(table, "area")) section->kind = PICUS_SECTION_GIVEN;
  picus_lua_get_number(table, "area", &section->area);
  picus_lua_get_number(table, "Iy", &section->Iy);
  picus_lua_get_number(table, "Iz", &section->Iz);
  picus_lua_get_number(table, "torsion", &section->torsion);
  picus_lua_get_number(table, "shear_y", &section->shear_y);
  picus_lua_get_number(table, "shear_z", &section->shear_z);
  picus_lua_get_number(table, "fibre_y", &section->fibre_y);
  picus_lua_get_number(table, "fibre_z", &section->fibre_z);
  picus_lua_get_number(table, "torsion_modulus", &section->torsion_modulus);
}

static void get_member(const picus_lua_table *table, picus_member *member) {
  get_section(table, &member->section);
  picus_lua_get_number(table, "density", &member->density);
  picus_lua_get_number(table, "young", &member->young);
  picus_lua_get_number(table, "poisson", &member->poisson);
  picus_lua_get_number(table, "shear", &member->shear);
  picus_lua_get_numbers(table, "up", 3, 3, member->up);
}

static int get_elements(const picus_lua_table *table, int otherwise) {
  double elements = otherwise;
  picus_lua_get_number(table, "elements", &elements);
  return to_integer(table, "'elements'", elements, 1);
}

/* The bits of one word of a support. */
static unsigned fixed_by(const picus_lua_table *table, const char *word) {
  if (strcmp(word, "clamped") == 0) return 0x3f;
  if (strcmp(word, "hinged") == 0) return 0x7;
  for (int c = 0; c < COMPONENTS; c++)
    if (strcmp(word, displacements[c]) == 0) return 1u << c;
  picus_lua_fail(table->L, PICUS_ERROR_NAME, "%s cannot be '%.40s'; use clamped, hinged, ux, uy, uz, rx, ry or rz",
                 table->title, word);
  return 0;
}

/* supports = { {node, "clamped"}, {node, "uy", "rz"} } */
static void get_supports(const picus_lua_table *table, picus_framework_def *def) {
  lua_State *L = table->L;
  const int count = push_list(table, "supports"), list = lua_gettop(L);
  static const char *const none[] = {NULL};
  picus_support *supports = push_block(L, (size_t)count, sizeof *supports);
  for (int i = 0; i < count; i++) {
    picus_lua_table item = push_item(table, list, i + 1, "support");
    picus_lua_check_keys(&item, COMPONENTS + 1, none);
    supports[i].node = integer_at(&item, 1, "the node") - def->first;
    const int words = (int)lua_rawlen(L, item.index);
    if (words < 2)
      picus_lua_fail(L, PICUS_ERROR_DIMENSION, "%s needs a node and its kind: {1, \"clamped\"}", item.title);
    for (int k = 2; k <= words; k++) {
      lua_rawgeti(L, item.index, k);
      supports[i].fixed |= fixed_by(&item, picus_lua_to_text(L, -1, item.title));
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
  def->supports = supports;
  def->support_count = count;
}

/* bodies = { {node, mass = 1, inertia = {1, 1, 1}, offset = {0, 0, 0}} } */
static void get_bodies(const picus_lua_table *table, picus_framework_def *def) {
  static const char *const known[] = {"mass", "inertia", "offset", NULL};
  lua_State *L = table->L;
  const int count = push_list(table, "bodies"), list = lua_gettop(L), axes = def->spatial ? 3 : 2;
  picus_node_body *bodies = push_block(L, (size_t)count, sizeof *bodies);
  for (int i = 0; i < count; i++) {
    picus_lua_table item = push_item(table, list, i + 1, "body");
    picus_lua_check_keys(&item, 1, known);
    bodies[i].node = integer_at(&item, 1, "the node") - def->first;
    bodies[i].mass = picus_lua_require_number(&item, "mass");
    if (def->spatial)
      picus_lua_get_numbers(&item, "inertia", 3, 3, bodies[i].inertia);
    else
      picus_lua_get_number(&item, "inertia", &bodies[i].inertia[2]);
    picus_lua_get_numbers(&item, "offset", axes, axes, bodies[i].offset);
    lua_pop(L, 1);
  }
  def->bodies = bodies;
  def->body_count = count;
}

/* springs = { {node, stiffness = {uy = 1}}, {node, node, stiffness = {rz = 1}, damping = {rz = 1}} } */
static void get_springs(const picus_lua_table *table, picus_framework_def *def) {
  static const char *const known[] = {"stiffness", "damping", NULL};
  lua_State *L = table->L;
  const int count = push_list(table, "springs"), list = lua_gettop(L);
  picus_node_spring *springs = push_block(L, (size_t)count, sizeof *springs);
  for (int i = 0; i < count; i++) {
    picus_lua_table item = push_item(table, list, i + 1, "spring");
    picus_lua_check_keys(&item, 2, known);
    springs[i].node = integer_at(&item, 1, "the node") - def->first;
    springs[i].to = lua_rawlen(L, item.index) > 1 ? integer_at(&item, 2, "the second node") - def->first : -1;
    if (lua_rawlen(L, item.index) > 1 && springs[i].to < 0) springs[i].to = -2; /* a node that is not there */
    get_components(&item, "stiffness", springs[i].stiffness);
    get_components(&item, "damping", springs[i].damping);
    lua_pop(L, 1);
  }
  def->springs = springs;
  def->spring_count = count;
}

static int choose(const picus_lua_table *table, const char *key, const char *const *words) {
  const char *text = picus_lua_get_text(table, key);
  for (int i = 0; text && words[i]; i++)
    if (strcmp(text, words[i]) == 0) return i;
  if (!text) return 0;
  char list[160] = "";
  for (int i = 0; words[i]; i++) {
    size_t length = strlen(list);
    snprintf(list + length, sizeof list - length, "%s'%s'", i == 0 ? "" : (words[i + 1] ? ", " : " or "), words[i]);
  }
  picus_lua_fail(table->L, PICUS_ERROR_NAME, "'%s' of %s is '%.40s'; it must be %s", key, table->title, text, list);
  return 0;
}

#define FRAMEWORK_KEYS                                                                                                 \
  "elements", "theory", "mass", "damping", "torsion_damping", "supports", "bodies", "springs", "spin", "axes",         \
      "gravity", "start", "velocity_start", "record", "table", "motion"

/* All but nodes and members. */
static void get_common(const picus_lua_table *table, picus_framework_def *def) {
  static const char *const theories[] = {"euler-bernoulli", "rayleigh", "timoshenko", NULL};
  static const char *const masses[] = {"consistent", "lumped", NULL};
  static const char *const axes[] = {"inertial", "rotating", NULL};
  const int dimension = def->spatial ? 3 : 2;
  def->theory = (picus_beam_theory)choose(table, "theory", theories);
  def->lumped = choose(table, "mass", masses) == 1;
  def->rotating = choose(table, "axes", axes) == 1;
  picus_lua_get_rayleigh(table, "damping", &def->alpha, &def->beta);
  if (picus_lua_get_number(table, "torsion_damping", &def->torsion_damping) && def->torsion_damping < 0)
    picus_lua_fail(table->L, PICUS_ERROR_ARGUMENT, "'torsion_damping' of %s is %g; it must not be negative",
                   table->title, def->torsion_damping);
  picus_lua_get_number(table, "spin", &def->spin);
  if (picus_lua_has(table, "motion") && picus_lua_get_exprs(table, "motion", dimension, def->motion) != dimension)
    picus_lua_fail(table->L, PICUS_ERROR_DIMENSION, "'motion' of %s must have %d functions of time", table->title,
                   dimension);
  picus_lua_get_numbers(table, "gravity", dimension, dimension, def->gravity);
  get_components(table, "start", def->start);
  get_components(table, "velocity_start", def->velocity_start);
  get_supports(table, def);
  get_bodies(table, def);
  get_springs(table, def);
  def->record_count = picus_lua_get_record(table, &def->record);
  def->table = picus_lua_get_choice(table, "table");
}

static int finish(const picus_lua_table *table, const picus_framework_def *def, bool is_beam) {
  lua_State *L = table->L;
  uint64_t elements = 0;
  for (int i = 0; i < def->member_count; i++) elements += (uint64_t)def->members[i].elements;
  picus_lua_charge(L, 200 * elements);
  picus_lua_require(L, picus_model_add_framework(picus_lua_model_here(L), def));
  picus_lua_check_memory(L);
  return push_framework(L, def->name, def->spatial, is_beam);
}

/* A piece of a straight beam: so many equal elements. */
typedef struct segment {
  picus_member member;
  double length;
} segment;

static segment get_segment(const picus_lua_table *table, picus_member member, int elements) {
  segment s = {member, picus_lua_require_number(table, "length")};
  get_member(table, &s.member);
  s.member.elements = get_elements(table, elements);
  if (!(s.length > 0 && isfinite(s.length)))
    picus_lua_fail(table->L, PICUS_ERROR_ARGUMENT, "the length of %s is %g; it must be greater than 0", table->title,
                   s.length);
  return s;
}

/* The segments of a beam, on the stack; the beam itself is one if it has none. */
static int get_segments(const picus_lua_table *table, segment **segments) {
  static const char *const known[] = {"length", "elements", MEMBER_KEYS, NULL};
  lua_State *L = table->L;
  picus_member member = picus_default_member();
  const int count = push_list(table, "segments"), list = lua_gettop(L);
  *segments = push_block(L, (size_t)count + 1, sizeof **segments);
  if (count == 0) {
    (*segments)[0] = get_segment(table, member, 1);
    return 1;
  }
  get_member(table, &member);
  const int elements = get_elements(table, 1);
  for (int i = 0; i < count; i++) {
    picus_lua_table item = push_item(table, list, i + 1, "segment");
    picus_lua_check_keys(&item, 0, known);
    (*segments)[i] = get_segment(&item, member, elements);
    lua_pop(L, 1);
  }
  return count;
}

/* Every element is a member, so that nodes are numbered along the beam. */
static void lay_out_beam(lua_State *L, const segment *segments, int count, const double line[6],
                         picus_framework_def *def) {
  size_t elements = 0;
  for (int i = 0; i < count; i++) elements += (size_t)segments[i].member.elements;
  if (elements > 10000000) picus_lua_fail(L, PICUS_ERROR_DIMENSION, "a beam of more than 1e7 elements is too long");
  picus_member *members = push_block(L, elements, sizeof *members);
  double *positions = push_block(L, 3 * (elements + 1), sizeof *positions);
  double begin = 0;
  int node = 0;
  for (int k = 0; k < 3; k++) positions[k] = line[k];
  for (int i = 0; i < count; i++) {
    const int n = segments[i].member.elements;
    for (int j = 1; j <= n; j++, node++) {
      members[node] = segments[i].member;
      members[node].from = node;
      members[node].to = node + 1;
      members[node].elements = 1;
      for (int k = 0; k < 3; k++)
        positions[3 * (node + 1) + k] = line[k] + (begin + segments[i].length * j / n) * line[3 + k];
    }
    begin += segments[i].length;
  }
  def->members = members, def->positions = positions;
  def->member_count = node, def->node_count = node + 1;
}

static int say_beam(lua_State *L) {
  static const char *const known[] = {"length",    "segments",  "spatial",      "origin",
                                      "direction", MEMBER_KEYS, FRAMEWORK_KEYS, NULL};
  picus_lua_table table = picus_lua_argument_table(L, "beam", beam_usage);
  picus_framework_def def = picus_default_framework_def();
  def.name = picus_lua_table_name(&table);
  picus_lua_check_keys(&table, 1, known);
  lua_pushstring(L, "spatial");
  if (lua_rawget(L, table.index) != LUA_TNIL && lua_type(L, -1) != LUA_TBOOLEAN)
    return picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "'spatial' of %s must be true or false", table.title);
  def.spatial = lua_toboolean(L, -1);
  lua_pop(L, 1);
  segment *segments;
  const int count = get_segments(&table, &segments), dimension = def.spatial ? 3 : 2;
  double line[6] = {0, 0, 0, 1, 0, 0}; /* origin and direction */
  picus_lua_get_numbers(&table, "origin", dimension, dimension, line);
  picus_lua_get_numbers(&table, "direction", dimension, dimension, line + 3);
  const double length = sqrt(line[3] * line[3] + line[4] * line[4] + line[5] * line[5]);
  if (!(length > 0 && isfinite(length)))
    return picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "'direction' of %s has no length", table.title);
  for (int k = 3; k < 6; k++) line[k] /= length;
  lay_out_beam(L, segments, count, line, &def);
  get_common(&table, &def);
  return finish(&table, &def, true);
}

/* nodes = { {x, y}, ... } or { {x, y, z}, ... }; the first one decides whether it is planar. */
static void get_nodes(const picus_lua_table *table, picus_framework_def *def) {
  lua_State *L = table->L;
  const int count = push_list(table, "nodes"), list = lua_gettop(L);
  double *positions = push_block(L, 3 * (size_t)count, sizeof *positions);
  for (int i = 0; i < count; i++) {
    picus_lua_table item = push_item(table, list, i + 1, "node");
    const int dimension = (int)lua_rawlen(L, item.index);
    if (i == 0) def->spatial = dimension == 3;
    if (dimension != (def->spatial ? 3 : 2))
      picus_lua_fail(L, PICUS_ERROR_DIMENSION, "%s has %d coordinates; all nodes have two in the plane, three in space",
                     item.title, dimension);
    for (int k = 0; k < dimension; k++) {
      lua_rawgeti(L, item.index, k + 1);
      positions[3 * i + k] = picus_lua_to_number(L, -1, item.title);
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
  def->positions = positions;
  def->node_count = count;
}

/* members = { {1, 2, circle = 0.1, elements = 4}, ... } */
static void get_members(const picus_lua_table *table, picus_framework_def *def) {
  static const char *const known[] = {"elements", MEMBER_KEYS, NULL};
  lua_State *L = table->L;
  const int count = push_list(table, "members"), list = lua_gettop(L);
  picus_member *members = push_block(L, (size_t)count, sizeof *members), common = picus_default_member();
  get_member(table, &common);
  common.elements = get_elements(table, 1);
  for (int i = 0; i < count; i++) {
    picus_lua_table item = push_item(table, list, i + 1, "member");
    picus_lua_check_keys(&item, 2, known);
    members[i] = common;
    members[i].from = integer_at(&item, 1, "the first node") - def->first;
    members[i].to = integer_at(&item, 2, "the second node") - def->first;
    members[i].elements = get_elements(&item, common.elements);
    get_member(&item, &members[i]);
    lua_pop(L, 1);
  }
  def->members = members;
  def->member_count = count;
}

static int say_framework(lua_State *L) {
  static const char *const known[] = {"nodes", "members", MEMBER_KEYS, FRAMEWORK_KEYS, NULL};
  picus_lua_table table = picus_lua_argument_table(L, "framework", framework_usage);
  picus_framework_def def = picus_default_framework_def();
  def.name = picus_lua_table_name(&table);
  def.first = 1; /* as in the lists of the file */
  picus_lua_check_keys(&table, 1, known);
  get_nodes(&table, &def);
  get_members(&table, &def);
  get_common(&table, &def);
  return finish(&table, &def, false);
}

void picus_lua_open_beams(lua_State *L) {
  lua_register(L, "beam", say_beam);
  lua_register(L, "framework", say_framework);
}
