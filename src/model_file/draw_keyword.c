/* The keyword draw: shapes, and the sites of contacts. */
#include "model/internal.h"
#include "model_file/internal.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static const char usage[] = "draw { \"line\", { x1, y1 }, { x2, y2 } }";

/* The point or direction on the top of the stack, which is removed. */
static picus_draw_vector pop_vector(lua_State *L, const char *what) {
  picus_draw_vector v = {{{0}}};
  lua_Unsigned length = lua_type(L, -1) == LUA_TTABLE ? lua_rawlen(L, -1) : 0;
  if (length < 2 || length > 3) picus_lua_fail(L, PICUS_ERROR_DIMENSION, "%s must be { x, y } or { x, y, z }", what);
  for (int i = 0; i < (int)length; i++) {
    lua_rawgeti(L, -1, i + 1);
    v.x[i] = picus_lua_to_expr(L, -1, what);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return v;
}

static picus_draw_vector get_vector(const picus_lua_table *table, const char *key) {
  char what[160];
  snprintf(what, sizeof what, "'%s' of %s", key, table->title);
  lua_getfield(table->L, table->index, key);
  return pop_vector(table->L, what);
}

/* body = BODY or "name" */
static int get_frame(const picus_lua_table *table) {
  lua_State *L = table->L;
  if (!picus_lua_has(table, "body")) return 0;
  lua_createtable(L, 1, 0);
  lua_getfield(L, table->index, "body");
  lua_rawseti(L, -2, 1);
  char title[sizeof table->title];
  snprintf(title, sizeof title, "'body' of %.60s", table->title);
  picus_lua_table list = picus_lua_inner_table(L, -1, title);
  int frame = 0;
  picus_lua_require(L, picus_body_add_draw_frame(picus_lua_get_body(&list, 1), &frame));
  lua_pop(L, 1);
  return frame;
}

/* faces = { { 1, 2, 3 }, ... }: numbers of points, from 1; the block stays on the stack */
static void get_faces(const picus_lua_table *table, picus_draw_def *def) {
  lua_State *L = table->L;
  if (!picus_lua_has(table, "faces")) return;
  lua_getfield(L, table->index, "faces");
  lua_Unsigned count = lua_type(L, -1) == LUA_TTABLE ? lua_rawlen(L, -1) : 0;
  if (count < 1 || count > 10000000)
    picus_lua_fail(L, PICUS_ERROR_DIMENSION, "'faces' of %s must be a list of { i, j, k }", table->title);
  int *faces = lua_newuserdatauv(L, (size_t)count * 3 * sizeof *faces, 0);
  for (lua_Unsigned f = 0; f < count; f++) {
    if (lua_rawgeti(L, -2, (lua_Integer)f + 1) != LUA_TTABLE || lua_rawlen(L, -1) != 3)
      picus_lua_fail(L, PICUS_ERROR_DIMENSION, "a face of %s must have three points: { i, j, k }", table->title);
    for (int i = 0; i < 3; i++) {
      lua_rawgeti(L, -1, i + 1);
      double number = picus_lua_to_number(L, -1, "a point of a face");
      if (!(number >= 1 && number <= INT_MAX))
        picus_lua_fail(L, PICUS_ERROR_NUMBER, "points of a face count from 1, not %g", number);
      faces[3 * f + (lua_Unsigned)i] = (int)number - 1;
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
  def->faces = faces;
  def->face_count = (int)count;
}

static void get_points(const picus_lua_table *table, picus_draw_def *def) {
  lua_State *L = table->L;
  lua_Unsigned length = lua_rawlen(L, table->index);
  if (length > 10000000) picus_lua_fail(L, PICUS_ERROR_DIMENSION, "%s has too many points", table->title);
  def->count = (int)length - 1;
  picus_draw_vector *points = lua_newuserdatauv(L, (size_t)(length ? length : 1) * sizeof *points, 0);
  for (int i = 0; i < def->count; i++) {
    char what[160];
    snprintf(what, sizeof what, "point %d of %s", i + 1, table->title);
    lua_rawgeti(L, table->index, i + 2);
    points[i] = pop_vector(L, what);
  }
  def->points = points;
}

static int draw_contact(lua_State *L, picus_lua_table *table) {
  static const char *const known[] = {"at", "normal", "tangent", "tangent2", NULL};
  picus_lua_check_keys(table, 2, known);
  picus_contact_site_def def = picus_default_contact_site_def();
  lua_rawgeti(L, table->index, 2);
  def.law = picus_lua_to_text(L, -1, "the second entry of draw 'contact', the name of a law,");
  def.place = get_vector(table, "at");
  if (picus_lua_has(table, "normal")) def.normal = get_vector(table, "normal");
  if (picus_lua_has(table, "tangent")) def.tangent[0] = get_vector(table, "tangent");
  if (picus_lua_has(table, "tangent2")) def.tangent[1] = get_vector(table, "tangent2");
  picus_lua_require(L, picus_model_set_contact_site(picus_lua_model_here(L), &def));
  return 0;
}

static const char *next_kind(const void *user, int k) {
  (void)user;
  return k < PICUS_DRAW_KINDS ? picus_draw_kind_name(k) : k == PICUS_DRAW_KINDS ? "contact" : NULL;
}

static picus_draw_kind find_kind(lua_State *L, const char *name) {
  for (int k = 0; k < PICUS_DRAW_KINDS; k++)
    if (strcmp(next_kind(NULL, k), name) == 0) return (picus_draw_kind)k;
  const char *nearest = picus_nearest_name(name, next_kind, NULL);
  if (nearest) picus_lua_fail(L, PICUS_ERROR_NAME, "draw has no shape '%.40s'; did you mean '%s'?", name, nearest);
  picus_lua_fail(L, PICUS_ERROR_NAME,
                 "draw has no shape '%.40s'; shapes are line, polygon, circle, spring, arrow, text, ground, sphere, "
                 "box, cylinder, mesh and contact",
                 name);
  return PICUS_DRAW_LINE;
}

/* draw { "line", { x, y }, { x, y }, ..., body = body, name = "...", line = "blue", fill = "none", width = 1 } */
static int say_draw(lua_State *L) {
  static const char *const known[] = {"body", "name", "radius", "text", "line", "fill", "width", "faces", NULL};
  picus_lua_table table = picus_lua_argument_table(L, "draw", usage);
  const char *word = picus_lua_table_name(&table);
  picus_lua_model_here(L)->draw.by_hand = true;
  if (strcmp(word, "contact") == 0) return draw_contact(L, &table);
  picus_draw_def def = picus_default_draw_def(find_kind(L, word));
  picus_lua_check_keys(&table, INT_MAX, known);
  def.frame = get_frame(&table);
  get_points(&table, &def);
  get_faces(&table, &def);
  picus_lua_get_expr(&table, "radius", &def.radius);
  def.name = picus_lua_get_text(&table, "name");
  def.text = picus_lua_get_text(&table, "text");
  def.line = picus_lua_get_text(&table, "line");
  def.fill = picus_lua_get_text(&table, "fill");
  picus_lua_get_number(&table, "width", &def.width);
  picus_lua_require(L, picus_model_add_draw(picus_lua_model_here(L), &def));
  return 0;
}

void picus_lua_open_draw(lua_State *L) { lua_register(L, "draw", say_draw); }
