/* The keywords of shapes: box, sphere, disk and others, which make a body or a fixed frame with a shape; the entry
 * shape = { ... } of bodies and frames; material; collide. */
#include "base/elementary.h"
#include "model/internal.h"
#include "model_file/internal.h"

#include <math.h>
#include <picus/bodies.h>
#include <stdio.h>
#include <string.h>

#define SURFACE_KEYS "material", "group", "hidden", "fill", "surface", "surface_spin"

typedef struct shape_word {
  const char *name;
  picus_shape_kind kind;
  int dimension; /* 2: planar, 3: spatial, 0: both */
  const char *known[6];
} shape_word;

static const shape_word words[] = {
    {"disk", PICUS_SHAPE_DISK, 2, {"radius", NULL}},
    {"sphere", PICUS_SHAPE_SPHERE, 3, {"radius", NULL}},
    {"half_space", PICUS_SHAPE_HALF_SPACE, 0, {"normal", "extent", NULL}},
    {"plane", PICUS_SHAPE_HALF_SPACE, 0, {"normal", "extent", NULL}},
    {"segment", PICUS_SHAPE_SEGMENT, 0, {"length", "rounding", NULL}},
    {"capsule", PICUS_SHAPE_CAPSULE, 0, {"length", "radius", NULL}},
    {"rectangle", PICUS_SHAPE_RECTANGLE, 2, {"size", "rounding", NULL}},
    {"box", PICUS_SHAPE_BOX, 3, {"size", "rounding", NULL}},
    {"polygon", PICUS_SHAPE_POLYGON, 2, {"points", "rounding", NULL}},
    {"polyhedron", PICUS_SHAPE_POLYHEDRON, 3, {"points", "file", "scale", "rounding", NULL}},
    {"cylinder", PICUS_SHAPE_CYLINDER, 3, {"length", "radius", "rounding", NULL}},
    {"ellipsoid", PICUS_SHAPE_ELLIPSOID, 3, {"radii", NULL}},
    {"polyline", PICUS_SHAPE_POLYLINE, 2, {"points", NULL}},
    {"mesh", PICUS_SHAPE_MESH, 3, {"points", "triangles", "closed", "file", "scale", NULL}},
};
enum { WORDS = sizeof words / sizeof *words, KNOWN = 28, MOST_SHAPES = 10000, MOST_POINTS = 1 << 22 };

/* Appends names to a list that ends with NULL. */
static void add_known(const char **known, const char *const *more) {
  int at = 0;
  while (known[at]) at++;
  for (int k = 0; more[k] && at + 1 < KNOWN; k++) known[at++] = more[k];
  known[at] = NULL;
}

static bool get_flag(const picus_lua_table *table, const char *key, bool *value) {
  lua_State *L = table->L;
  lua_pushstring(L, key);
  const int type = lua_rawget(L, table->index);
  if (type != LUA_TNIL && type != LUA_TBOOLEAN)
    picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "'%s' of %s must be true or false, not %s", key, table->title,
                   picus_lua_type_text(L, -1));
  if (type == LUA_TBOOLEAN) *value = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return type == LUA_TBOOLEAN;
}

/* --- geometry ------------------------------------------------------------------------------------------------- */

/* Pushes the list of an entry; its length. */
static lua_Unsigned push_list(const picus_lua_table *table, const char *key, const char *form) {
  lua_State *L = table->L;
  lua_pushstring(L, key);
  if (lua_rawget(L, table->index) != LUA_TTABLE)
    picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "%s needs %s = %s", table->title, key, form);
  const lua_Unsigned count = lua_rawlen(L, -1);
  if (count > MOST_POINTS)
    picus_lua_fail(L, PICUS_ERROR_DIMENSION, "'%s' of %s has too many entries; the limit is %d", key, table->title,
                   MOST_POINTS);
  return count;
}

/* A block that lives as long as the table at index anchor. */
static void *new_block(lua_State *L, int anchor, size_t size) {
  void *block = lua_newuserdatauv(L, size ? size : 1, 0);
  lua_rawseti(L, anchor, (lua_Integer)lua_rawlen(L, anchor) + 1);
  return block;
}

static void read_row(const picus_lua_table *table, const char *key, lua_Unsigned k, int entries, double *row) {
  lua_State *L = table->L;
  char what[160];
  snprintf(what, sizeof what, "entry %d of '%s' of %s", (int)k + 1, key, table->title);
  if (lua_rawgeti(L, -1, (lua_Integer)k + 1) != LUA_TTABLE || lua_rawlen(L, -1) != (lua_Unsigned)entries)
    picus_lua_fail(L, PICUS_ERROR_DIMENSION, "%s must be a list of %d numbers", what, entries);
  for (int i = 0; i < entries; i++) {
    lua_rawgeti(L, -1, i + 1);
    row[i] = picus_lua_to_number(L, -1, what);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

static void read_points(const picus_lua_table *table, int anchor, int dimension, picus_shape_def *def) {
  const lua_Unsigned count = push_list(table, "points", dimension == 2 ? "{ { x, y }, ... }" : "{ { x, y, z }, ... }");
  double *points = new_block(table->L, anchor, 3 * (size_t)count * sizeof *points);
  for (lua_Unsigned k = 0; k < count; k++) {
    points[3 * k + 2] = 0;
    read_row(table, "points", k, dimension, points + 3 * k);
  }
  lua_pop(table->L, 1);
  def->points = points;
  def->point_count = (int)count;
}

static void read_triangles(const picus_lua_table *table, int anchor, picus_shape_def *def) {
  const lua_Unsigned count = push_list(table, "triangles", "{ { i, j, k }, ... }, numbers of points");
  int(*triangles)[3] = new_block(table->L, anchor, (size_t)count * sizeof *triangles);
  for (lua_Unsigned k = 0; k < count; k++) {
    double row[3];
    read_row(table, "triangles", k, 3, row);
    for (int i = 0; i < 3; i++) {
      if (!(row[i] >= 1 && row[i] <= def->point_count && row[i] == floor(row[i])))
        picus_lua_fail(table->L, PICUS_ERROR_DIMENSION, "triangle %d of %s names point %g; there are points 1 to %d",
                       (int)k + 1, table->title, row[i], def->point_count);
      triangles[k][i] = (int)row[i] - 1;
    }
  }
  lua_pop(table->L, 1);
  def->triangles = (const int(*)[3])triangles;
  def->triangle_count = (int)count;
}

/* A mesh that was read, released by Lua's collector. */
typedef struct held_mesh {
  picus_context *context;
  picus_mesh mesh;
} held_mesh;

static int collect_mesh(lua_State *L) {
  held_mesh *held = lua_touserdata(L, 1);
  if (held) picus_mesh_release(held->context, &held->mesh);
  return 0;
}

static held_mesh *new_mesh(lua_State *L, int anchor) {
  held_mesh *held = lua_newuserdatauv(L, sizeof *held, 0);
  *held = (held_mesh){.context = picus_lua_session(L)->context};
  lua_newtable(L);
  lua_pushcfunction(L, collect_mesh);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
  lua_rawseti(L, anchor, (lua_Integer)lua_rawlen(L, anchor) + 1);
  return held;
}

/* file = "hill.stl", scale = 0.001 */
static void read_file(const picus_lua_table *table, int anchor, picus_shape_def *def) {
  lua_State *L = table->L;
  char path[PICUS_PATH_SIZE];
  double scale = 1;
  if (picus_lua_has(table, "points") || picus_lua_has(table, "triangles"))
    picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "%s needs either a file or points", table->title);
  picus_lua_get_number(table, "scale", &scale);
  if (!(scale > 0 && isfinite(scale)))
    picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "'scale' of %s is %g; it must be positive", table->title, scale);
  const picus_model_file file = picus_lua_read_file(table, picus_lua_get_text(table, "file"), path);
  held_mesh *held = new_mesh(L, anchor);
  picus_lua_require(L, picus_mesh_parse(held->context, path, file.bytes, file.size, &held->mesh));
  picus_lua_charge(L, 20 * (uint64_t)held->mesh.point_count);
  picus_lua_check_memory(L);
  for (int k = 0; k < 3 * held->mesh.point_count; k++) held->mesh.points[k] *= scale;
  def->points = held->mesh.points;
  def->point_count = held->mesh.point_count;
  if (def->kind != PICUS_SHAPE_MESH) return;
  def->triangles = (const int(*)[3])held->mesh.triangles;
  def->triangle_count = held->mesh.triangle_count;
}

/* The quaternion that turns the outer normal of a half-space, z or in the plane y, to a given direction. */
static void turn_to(const double n[3], int dimension, double p[4]) {
  if (dimension == 2) {
    const double half = 0.5 * picus_atan2(-n[0], n[1]);
    p[0] = picus_cos(half);
    p[3] = picus_sin(half);
    return;
  }
  const double w = 1 + n[2], length = sqrt(w * w + n[0] * n[0] + n[1] * n[1]);
  if (length < 1e-8) { /* downwards */
    p[0] = 0;
    p[1] = 1;
    return;
  }
  p[0] = w / length;
  p[1] = -n[1] / length;
  p[2] = n[0] / length;
}

static void read_normal(const picus_lua_table *table, int *dimension, picus_body_shape_def *out) {
  double n[3] = {0};
  lua_State *L = table->L;
  const int count = picus_lua_get_numbers(table, "normal", *dimension ? *dimension : 2, *dimension ? *dimension : 3, n);
  if (count == 0)
    picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "%s needs the normal of its surface, pointing to the free side",
                   table->title);
  const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  if (!(length > 0 && isfinite(length)))
    picus_lua_fail(L, PICUS_ERROR_MODEL, "the normal of %s must be finite and not zero", table->title);
  for (int i = 0; i < 3; i++) n[i] /= length;
  *dimension = count;
  turn_to(n, count, out->orientation);
}

/* surface = { vx, vy }, surface_spin = omega: a belt, a turntable */
static void read_surface(const picus_lua_table *table, picus_body_shape_def *out) {
  picus_lua_get_exprs(table, "surface", 3, out->surface);
  picus_lua_get_expr(table, "surface_spin", &out->surface_spin);
}

/* Kind and sizes; *dimension becomes 2 or 3 if it was open and the shape tells. */
static void read_shape(const picus_lua_table *table, const shape_word *word, int anchor, int *dimension,
                       picus_body_shape_def *out) {
  *out = picus_default_body_shape_def(word->kind);
  picus_shape_def *def = &out->shape;
  if (word->dimension) *dimension = word->dimension;
  if (word->kind == PICUS_SHAPE_HALF_SPACE) read_normal(table, dimension, out);
  const int sizes = word->kind == PICUS_SHAPE_BOX ? 3 : word->kind == PICUS_SHAPE_RECTANGLE ? 2 : 0;
  if (sizes && !picus_lua_get_numbers(table, "size", sizes, sizes, def->size))
    picus_lua_fail(table->L, PICUS_ERROR_ARGUMENT, "%s needs its size: %s", table->title,
                   sizes == 3 ? "{ along x, along y, along z }" : "{ along x, along y }");
  if (word->kind == PICUS_SHAPE_ELLIPSOID && !picus_lua_get_numbers(table, "radii", 3, 3, def->size))
    picus_lua_fail(table->L, PICUS_ERROR_ARGUMENT, "%s needs its radii: { along x, along y, along z }", table->title);
  const bool rounded_by_radius = word->kind != PICUS_SHAPE_CYLINDER;
  picus_lua_get_number(table, "length", &def->size[0]);
  picus_lua_get_number(table, "radius", &def->radius);
  picus_lua_get_number(table, "rounding",
                       rounded_by_radius && !picus_lua_has(table, "radius") ? &def->radius : &def->rounding);
  picus_lua_get_number(table, "extent", &out->extent);
  const bool by_points = word->kind == PICUS_SHAPE_POLYGON || word->kind == PICUS_SHAPE_POLYHEDRON ||
                         word->kind == PICUS_SHAPE_POLYLINE || word->kind == PICUS_SHAPE_MESH;
  const bool by_file = picus_lua_has(table, "file");
  if (by_file) read_file(table, anchor, def);
  if (by_points && !by_file) read_points(table, anchor, *dimension, def);
  if (word->kind == PICUS_SHAPE_MESH && !by_file) read_triangles(table, anchor, def);
  get_flag(table, "closed", &def->closed);
  get_flag(table, "hidden", &out->hidden);
  out->fill = picus_lua_get_text(table, "fill");
  out->material = picus_lua_get_text(table, "material");
  out->group = picus_lua_get_text(table, "group");
  read_surface(table, out);
  def->planar = *dimension == 2;
}

/* --- shapes of a body ----------------------------------------------------------------------------------------- */

static const char *next_word(const void *user, int k) {
  (void)user;
  return k < WORDS ? words[k].name : NULL;
}

static const shape_word *find_word(lua_State *L, const char *name) {
  for (int k = 0; k < WORDS; k++)
    if (strcmp(words[k].name, name) == 0) return &words[k];
  const char *nearest = picus_nearest_name(name, next_word, NULL);
  picus_lua_fail(L, PICUS_ERROR_NAME, "there is no shape '%.40s'; %s%s%s", name,
                 nearest ? "did you mean '"
                         : "shapes are disk, sphere, half_space, segment, capsule, rectangle, box, "
                           "polygon, polyhedron, cylinder, ellipsoid, polyline and mesh",
                 nearest ? nearest : "", nearest ? "'?" : "");
  return NULL;
}

/* Where the shape is in its body: at = { ... } and, in the plane, angle; in space orientation, or axis and angle. */
static void read_placement(const picus_lua_table *table, int *dimension, picus_body_shape_def *out) {
  const int count =
      picus_lua_get_numbers(table, "at", *dimension ? *dimension : 2, *dimension ? *dimension : 3, out->position);
  if (*dimension == 0) *dimension = count;
  if (*dimension == 0)
    picus_lua_fail(table->L, PICUS_ERROR_ARGUMENT, "%s needs at = { x, y } or { x, y, z }: it may be planar or spatial",
                   table->title);
  out->shape.planar = *dimension == 2;
  if (out->shape.kind == PICUS_SHAPE_HALF_SPACE) return;
  double angle = 0;
  if (*dimension == 3) {
    picus_lua_get_orientation(table, out->orientation);
  } else if (picus_lua_get_number(table, "angle", &angle)) {
    out->orientation[0] = picus_cos(0.5 * angle);
    out->orientation[3] = picus_sin(0.5 * angle);
  }
}

/* The shape in the table at the top of the stack. */
static void read_inner(const picus_lua_table *outer, int anchor, int dimension, picus_body_shape_def *out) {
  static const char *const placement[] = {SURFACE_KEYS, "at", "angle", "axis", "orientation", NULL};
  lua_State *L = outer->L;
  char title[96];
  const char *known[KNOWN] = {NULL};
  if (lua_rawgeti(L, -1, 1) != LUA_TSTRING)
    picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "a shape of %s begins with its kind: { \"box\", ... }", outer->title);
  const shape_word *word = find_word(L, picus_lua_to_text(L, -1, "the kind of a shape"));
  lua_pop(L, 1);
  snprintf(title, sizeof title, "the %s of %.60s", word->name, outer->title);
  picus_lua_table table = picus_lua_inner_table(L, -1, title);
  add_known(known, word->known);
  add_known(known, placement);
  picus_lua_check_keys(&table, 1, known);
  read_shape(&table, word, anchor, &dimension, out);
  read_placement(&table, &dimension, out);
}

picus_lua_shapes picus_lua_read_shapes(const picus_lua_table *table, int dimension) {
  lua_State *L = table->L;
  picus_lua_shapes shapes = {0};
  lua_pushstring(L, "shape");
  const int type = lua_rawget(L, table->index);
  if (type == LUA_TNIL) {
    lua_pop(L, 1);
    return shapes;
  }
  if (type != LUA_TTABLE)
    picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "'shape' of %s must be { \"box\", ... } or a list of shapes, not %s",
                   table->title, picus_lua_type_text(L, -1));
  const int list = lua_gettop(L), anchor = list + 1;
  lua_newtable(L);
  const bool single = lua_rawgeti(L, list, 1) != LUA_TTABLE;
  lua_pop(L, 1);
  const lua_Unsigned count = single ? 1 : lua_rawlen(L, list);
  if (count > MOST_SHAPES)
    picus_lua_fail(L, PICUS_ERROR_DIMENSION, "%s has too many shapes; the limit is %d", table->title, MOST_SHAPES);
  picus_body_shape_def *defs = new_block(L, anchor, (size_t)count * sizeof *defs);
  for (lua_Unsigned k = 0; k < count; k++) {
    if (single)
      lua_pushvalue(L, list);
    else if (lua_rawgeti(L, list, (lua_Integer)k + 1) != LUA_TTABLE)
      picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "entry %d of 'shape' of %s must be a shape { \"box\", ... }", (int)k + 1,
                     table->title);
    read_inner(table, anchor, dimension, &defs[k]);
    lua_pop(L, 1);
  }
  lua_remove(L, list); /* the anchor stays */
  shapes.count = (int)count;
  shapes.defs = defs;
  return shapes;
}

void picus_lua_weigh_shapes(const picus_lua_table *table, picus_lua_shapes *shapes, picus_body_def *def) {
  lua_State *L = table->L;
  double density = 0, mass = 0;
  const bool by_density = picus_lua_get_number(table, "density", &density);
  const bool by_mass = picus_lua_get_number(table, "mass", &mass);
  if (by_density == by_mass) picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "%s needs either density or mass", table->title);
  if (shapes->count == 0) picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "%s has a density, but no shape", table->title);
  picus_shape_inertia inertia;
  picus_lua_require(L, picus_shapes_inertia(picus_lua_model_here(L), shapes->count, shapes->defs,
                                            by_density ? density : 1, &inertia));
  const double factor = by_mass ? mass / inertia.mass : 1;
  def->mass = factor * inertia.mass;
  for (int i = 0; i < 9; i++) def->inertia[i] = factor * inertia.inertia[i];
  for (int k = 0; k < shapes->count; k++) /* the origin of a body is its centre of mass */
    for (int i = 0; i < 3; i++) shapes->defs[k].position[i] -= inertia.centre[i];
}

/* --- a body and its shape in one table ------------------------------------------------------------------------ */

static bool is_always_fixed(picus_shape_kind kind) {
  return kind == PICUS_SHAPE_HALF_SPACE || kind == PICUS_SHAPE_POLYLINE || kind == PICUS_SHAPE_MESH;
}

/* position, and the dimension if the shape leaves it open. */
static void read_position(const picus_lua_table *table, int *dimension, double position[3]) {
  const int count =
      picus_lua_get_numbers(table, "position", *dimension ? *dimension : 2, *dimension ? *dimension : 3, position);
  if (*dimension == 0 && count == 0)
    picus_lua_fail(table->L, PICUS_ERROR_ARGUMENT, "%s needs its position: { x, y } in the plane or { x, y, z }",
                   table->title);
  if (*dimension == 0) *dimension = count;
}

static int make_fixed(picus_lua_table *table, int dimension, const double position[3], const picus_lua_shapes *shapes) {
  lua_State *L = table->L;
  picus_model *model = picus_lua_model_here(L);
  picus_frame_def def = picus_default_frame_def(model);
  double angle = 0;
  lua_rawgeti(L, table->index, 1);
  def.name = lua_tostring(L, -1);
  for (int i = 0; i < 3; i++) def.position.x[i] = picus_number(picus_model_pool(model), position[i]);
  if (dimension == 3) {
    picus_lua_get_orientation(table, def.orientation);
  } else if (picus_lua_get_number(table, "angle", &angle)) {
    def.orientation[0] = picus_cos(0.5 * angle);
    def.orientation[3] = picus_sin(0.5 * angle);
  }
  return picus_lua_make_frame(table, &def, shapes);
}

static int make_moving(picus_lua_table *table, int dimension, const double position[3], picus_lua_shapes *shapes) {
  picus_body_def def = picus_default_body_def(dimension == 2 ? PICUS_PLANAR_BODY : PICUS_SPATIAL_BODY);
  lua_State *L = table->L;
  lua_rawgeti(L, table->index, 1);
  def.name = lua_tostring(L, -1);
  def.suffix = picus_lua_get_text(table, "suffix");
  memcpy(def.position, position, sizeof def.position);
  picus_lua_weigh_shapes(table, shapes, &def);
  picus_lua_get_numbers(table, "velocity", dimension, dimension, def.velocity);
  if (dimension == 2) {
    picus_lua_get_number(table, "angle", &def.angle);
    picus_lua_get_number(table, "omega", &def.angular_velocity[2]);
  } else {
    picus_lua_get_orientation(table, def.orientation);
    picus_lua_get_numbers(table, "omega", 3, 3, def.angular_velocity);
  }
  return picus_lua_make_body(table, &def, shapes);
}

/* sphere { ... }, box { ... } and the others: a body or a frame with this shape. */
static int say_shape(lua_State *L) {
  static const char *const of_frame[] = {SURFACE_KEYS, "position", "angle", "axis", "orientation", NULL};
  static const char *const of_body[] = {"density", "mass", "velocity", "omega", "suffix", "fixed", NULL};
  const shape_word *word = &words[lua_tointeger(L, lua_upvalueindex(1))];
  char usage[128];
  const char *known[KNOWN] = {NULL};
  snprintf(usage, sizeof usage, "%s { \"name\", ... }", word->name);
  picus_lua_table table = picus_lua_argument_table(L, word->name, usage);
  picus_lua_table_name(&table);
  add_known(known, word->known);
  add_known(known, of_frame);
  bool fixed = is_always_fixed(word->kind);
  if (!fixed) add_known(known, of_body);
  picus_lua_check_keys(&table, 1, known);
  get_flag(&table, "fixed", &fixed);
  lua_newtable(L); /* the anchor */
  int dimension = word->dimension;
  double position[3] = {0};
  picus_body_shape_def def;
  if (word->kind == PICUS_SHAPE_HALF_SPACE && (picus_lua_has(&table, "angle") || picus_lua_has(&table, "orientation")))
    picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "%s has a normal, so it needs no angle and no orientation", table.title);
  read_shape(&table, word, lua_gettop(L), &dimension, &def);
  read_position(&table, &dimension, position);
  def.shape.planar = dimension == 2;
  picus_lua_shapes shapes = {1, &def};
  if (fixed && (picus_lua_has(&table, "density") || picus_lua_has(&table, "mass")))
    picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "%s is fixed, so it needs no mass", table.title);
  if (fixed) return make_fixed(&table, dimension, position, &shapes);
  if (!picus_lua_has(&table, "density") && !picus_lua_has(&table, "mass"))
    picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "%s needs its density or its mass, or fixed = true", table.title);
  return make_moving(&table, dimension, position, &shapes);
}

/* floor { "name", height = 0 }: the half-space below, against gravity. */
static int say_floor(lua_State *L) {
  static const char *const known[] = {SURFACE_KEYS, "height", "extent", NULL};
  picus_lua_table table = picus_lua_argument_table(L, "floor", "floor { \"name\", height = 0 }");
  const picus_lua *session = picus_lua_session(L);
  picus_lua_table_name(&table);
  picus_lua_check_keys(&table, 1, known);
  const double *g = session->gravity, length = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
  if (!session->has_gravity || !(length > 0))
    picus_lua_fail(L, PICUS_ERROR_MODEL, "%s lies across gravity, which must be defined before; or use half_space",
                   table.title);
  picus_body_shape_def def = picus_default_body_shape_def(PICUS_SHAPE_HALF_SPACE);
  double up[3], position[3], height = 0;
  for (int i = 0; i < 3; i++) up[i] = -g[i] / length;
  turn_to(up, session->gravity_count, def.orientation);
  picus_lua_get_number(&table, "height", &height);
  picus_lua_get_number(&table, "extent", &def.extent);
  get_flag(&table, "hidden", &def.hidden);
  def.fill = picus_lua_get_text(&table, "fill");
  def.material = picus_lua_get_text(&table, "material");
  def.group = picus_lua_get_text(&table, "group");
  read_surface(&table, &def);
  def.shape.planar = session->gravity_count == 2;
  for (int i = 0; i < 3; i++) position[i] = height * up[i];
  const picus_lua_shapes shapes = {1, &def};
  return make_fixed(&table, session->gravity_count, position, &shapes);
}

/* --- materials and collisions --------------------------------------------------------------------------------- */

/* material { "wood", mu = 0.5 }: wood on wood; material { "wood", "steel", mu = 0.3 }: wood on steel */
static int say_material(lua_State *L) {
  static const char *const known[] = {"mu", "eN", "eF", "spin_radius", "rolling", "impact", "adhesion", NULL};
  picus_lua_table table = picus_lua_argument_table(L, "material", "material { \"wood\", \"steel\", mu = 0.3 }");
  picus_material_def def = {.a = picus_lua_table_name(&table)};
  picus_lua_check_keys(&table, 2, known);
  if (lua_rawgeti(L, table.index, 2) != LUA_TNIL) def.b = picus_lua_to_text(L, -1, "the second entry of material");
  picus_lua_get_coefficient(&table, "mu", &def.mu, &def.mu_formula);
  picus_lua_get_coefficient(&table, "eN", &def.eN, &def.eN_formula);
  picus_lua_get_coefficient(&table, "eF", &def.eF, &def.eF_formula);
  picus_lua_get_number(&table, "spin_radius", &def.spin_radius);
  picus_lua_get_coefficient(&table, "rolling", &def.rolling, &def.rolling_formula);
  picus_lua_get_impact(&table, &def.impact);
  picus_lua_get_number(&table, "adhesion", &def.adhesion);
  picus_lua_require(L, picus_model_add_material(picus_lua_model_here(L), &def));
  return 0;
}

static picus_lua_table inner_pair(const picus_lua_table *table, const char *key) {
  lua_State *L = table->L;
  lua_pushstring(L, key);
  if (lua_rawget(L, table->index) != LUA_TTABLE || lua_rawlen(L, -1) != 2)
    picus_lua_fail(L, PICUS_ERROR_DIMENSION, "'%s' of collide must be a list of two: { a, b }", key);
  return picus_lua_inner_table(L, -1, key);
}

/* collide { bodies = { a, b }, on = false }, collide { groups = { "a", "b" }, on = false } */
static int say_collide(lua_State *L) {
  static const char *const known[] = {"bodies", "groups", "on", NULL};
  picus_lua_table table = picus_lua_argument_table(L, "collide", "collide { bodies = { a, b }, on = false }");
  bool on = true;
  picus_lua_check_keys(&table, 0, known);
  const bool bodies = picus_lua_has(&table, "bodies");
  if (bodies == picus_lua_has(&table, "groups"))
    picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "collide needs either bodies = { a, b } or groups = { \"a\", \"b\" }");
  if (!get_flag(&table, "on", &on)) picus_lua_fail(L, PICUS_ERROR_ARGUMENT, "collide needs on = true or on = false");
  picus_lua_table pair = inner_pair(&table, bodies ? "bodies" : "groups");
  picus_model *model = picus_lua_model_here(L);
  if (bodies) {
    picus_lua_require(
        L, picus_model_collide_bodies(model, picus_lua_get_body(&pair, 1), picus_lua_get_body(&pair, 2), on));
    return 0;
  }
  lua_rawgeti(L, pair.index, 1);
  lua_rawgeti(L, pair.index, 2);
  const char *a = picus_lua_to_text(L, -2, "the first group of collide");
  const char *b = picus_lua_to_text(L, -1, "the second group of collide");
  picus_lua_require(L, picus_model_collide_groups(model, a, b, on));
  return 0;
}

void picus_lua_open_shapes(lua_State *L) {
  for (int i = 0; i < WORDS; i++) {
    lua_pushinteger(L, i);
    lua_pushcclosure(L, say_shape, 1);
    lua_setglobal(L, words[i].name);
  }
  lua_register(L, "floor", say_floor);
  lua_register(L, "material", say_material);
  lua_register(L, "collide", say_collide);
}
