/* The shapes, frames and contact sites of a drawing, and their checks. */
#include "model/internal.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* What a kind of shape needs. */
typedef struct shape_rule {
  const char *name;
  int least, most; /* points; most 0: any number */
  bool needs_radius, spatial;
} shape_rule;

static const shape_rule rules[PICUS_DRAW_KINDS] = {
    [PICUS_DRAW_LINE] = {"line", 2, 0, false, false},     [PICUS_DRAW_POLYGON] = {"polygon", 3, 0, false, false},
    [PICUS_DRAW_CIRCLE] = {"circle", 1, 1, true, false},  [PICUS_DRAW_SPRING] = {"spring", 2, 2, true, false},
    [PICUS_DRAW_ARROW] = {"arrow", 2, 2, false, false},   [PICUS_DRAW_TEXT] = {"text", 1, 1, false, false},
    [PICUS_DRAW_GROUND] = {"ground", 2, 0, false, false}, [PICUS_DRAW_SPHERE] = {"sphere", 1, 1, true, true},
    [PICUS_DRAW_BOX] = {"box", 2, 2, false, true},        [PICUS_DRAW_CYLINDER] = {"cylinder", 2, 2, true, true},
    [PICUS_DRAW_MESH] = {"mesh", 3, 0, false, false},
};

const char *picus_draw_kind_name(int kind) { return kind >= 0 && kind < PICUS_DRAW_KINDS ? rules[kind].name : NULL; }

static const char *const colours[] = {"ink",    "grey",   "light", "blue",  "red",  "green",
                                      "orange", "purple", "brown", "white", "none", NULL};
enum { COLOURS = sizeof colours / sizeof *colours - 1 };

const char *picus_draw_colour(int index) { return index >= 0 && index < COLOURS ? colours[index] : NULL; }

static const char *next_colour(const void *user, int k) {
  (void)user;
  return picus_draw_colour(k);
}

picus_draw_def picus_default_draw_def(picus_draw_kind kind) { return (picus_draw_def){.kind = kind}; }

picus_contact_site_def picus_default_contact_site_def(void) { return (picus_contact_site_def){.law = NULL}; }

void picus_model_release_drawing(picus_context *context, picus_model_draw *draw) {
  void *const arrays[] = {draw->frames, draw->shapes, draw->points, draw->faces, draw->sites, draw->limbs};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) picus_release(context, arrays[k]);
}

/* An expression of columns: displacements of flexible components must be recorded. */
static picus_status check_value(picus_model *model, picus_expr value, const char *what, const char *name) {
  picus_dependencies d;
  picus_status status = picus_model_examine(model, value, what, name, &d);
  int node = d.displacement >= 0 ? d.displacement : d.displacement_velocity;
  if (status || node < 0) return status;
  const picus_model_displacement *x = &model->nodes[node];
  const picus_model_structure *s = &model->structures[x->structure];
  if (s->recorded[x->index]) return PICUS_OK;
  return picus_model_fail(model, PICUS_ERROR_MODEL,
                          "%s '%s' depends on '%s', which is not recorded; add %d to 'record' of '%s'", what, name,
                          x->x_name, s->first + x->index, s->name);
}

/* The first two components, and the third if there is one. */
static picus_status check_vector(picus_model *model, const picus_draw_vector *v, const char *what, const char *name) {
  picus_status status = PICUS_OK;
  for (int i = 0; !status && i < 3; i++)
    if (i < 2 || picus_expr_given(v->x[i])) status = check_value(model, v->x[i], what, name);
  return status;
}

static picus_status check_colour(picus_model *model, const char *shape, const char *what, const char *colour) {
  if (!colour) return PICUS_OK;
  if (colour[0] == '#' && strlen(colour) == 7 && strspn(colour + 1, "0123456789abcdefABCDEF") == 6) return PICUS_OK;
  for (int k = 0; k < COLOURS; k++)
    if (strcmp(colours[k], colour) == 0) return PICUS_OK;
  const char *nearest = picus_nearest_name(colour, next_colour, NULL);
  if (nearest)
    return picus_model_fail(model, PICUS_ERROR_NAME, "'%s' of the %s is '%.40s'; did you mean '%s'?", what, shape,
                            colour, nearest);
  return picus_model_fail(model, PICUS_ERROR_NAME,
                          "'%s' of the %s is '%.40s'; colours are ink, grey, light, blue, red, green, orange, purple, "
                          "brown, white, none and \"#rrggbb\"",
                          what, shape, colour);
}

static picus_status check_text(picus_model *model, const char *shape, const char *what, const char *text) {
  enum { LONGEST = 200 };
  if (!text) return PICUS_OK;
  if (strlen(text) > LONGEST)
    return picus_model_fail(model, PICUS_ERROR_ARGUMENT, "the %s of a %s has more than %d bytes", what, shape, LONGEST);
  for (const char *c = text; *c; c++)
    if ((unsigned char)*c < ' ' || *c == 127)
      return picus_model_fail(model, PICUS_ERROR_ARGUMENT, "the %s of a %s must be one line of printable text", what,
                              shape);
  return PICUS_OK;
}

static picus_status check_faces(picus_model *model, const picus_draw_def *def) {
  if (def->kind == PICUS_DRAW_MESH && def->face_count < 1)
    return picus_model_fail(model, PICUS_ERROR_DIMENSION, "a mesh needs at least one face");
  for (int k = 0; k < 3 * def->face_count; k++)
    if (def->faces[k] < 0 || def->faces[k] >= def->count)
      return picus_model_fail(model, PICUS_ERROR_DIMENSION, "face %d of a mesh names a point that it does not have",
                              k / 3 + 1);
  return PICUS_OK;
}

static picus_status check_count(picus_model *model, const shape_rule *rule, int count) {
  bool fits = count >= rule->least && (rule->most == 0 || count <= rule->most);
  if (fits) return PICUS_OK;
  return picus_model_fail(model, PICUS_ERROR_DIMENSION, "a %s needs %s%d point%s, not %d", rule->name,
                          rule->most == 0 ? "at least " : "", rule->least, rule->least == 1 ? "" : "s", count);
}

static picus_status check_shape(picus_model *model, const picus_draw_def *def) {
  if ((int)def->kind < 0 || def->kind >= PICUS_DRAW_KINDS)
    return picus_model_fail(model, PICUS_ERROR_ARGUMENT, "there is no shape number %d", (int)def->kind);
  const shape_rule *rule = &rules[def->kind];
  picus_status status = check_count(model, rule, def->count);
  for (int i = 0; !status && i < def->count; i++)
    status = check_vector(model, &def->points[i], "a point of the shape", rule->name);
  if (!status && rule->needs_radius && !picus_expr_given(def->radius))
    status = picus_model_fail(model, PICUS_ERROR_ARGUMENT, "a %s needs a radius", rule->name);
  if (!status && picus_expr_given(def->radius))
    status = check_value(model, def->radius, "the radius of the shape", rule->name);
  if (!status && def->kind == PICUS_DRAW_TEXT && !(def->text && *def->text))
    status = picus_model_fail(model, PICUS_ERROR_ARGUMENT, "a text needs text = \"...\"");
  if (!status && (def->frame < 0 || def->frame > model->draw.frame_count))
    status = picus_model_fail(model, PICUS_ERROR_ARGUMENT, "a %s is in frame %d, which does not exist", rule->name,
                              def->frame);
  if (!status && !(def->width >= 0 && def->width <= 100))
    status = picus_model_fail(model, PICUS_ERROR_NUMBER, "the line width of a %s is %g; it must be 0 to 100 pixels",
                              rule->name, def->width);
  if (!status) status = check_text(model, rule->name, "text", def->text);
  if (!status) status = check_text(model, rule->name, "name", def->name);
  if (!status) status = check_colour(model, rule->name, "line", def->line);
  if (!status) status = check_colour(model, rule->name, "fill", def->fill);
  return status ? status : check_faces(model, def);
}

static picus_status append_points(picus_model *model, const picus_draw_def *def) {
  picus_model_draw *draw = &model->draw;
  picus_status status = PICUS_OK;
  for (int i = 0; !status && i < def->count; i++) {
    status = picus_grow(model->context, &draw->points, (size_t)draw->point_count, &draw->point_capacity,
                        sizeof *draw->points);
    if (!status) draw->points[draw->point_count++] = def->points[i];
  }
  for (int i = 0; !status && i < def->face_count; i++) {
    status =
        picus_grow(model->context, &draw->faces, (size_t)draw->face_count, &draw->face_capacity, sizeof *draw->faces);
    if (!status) memcpy(draw->faces[draw->face_count++], def->faces + 3 * (size_t)i, sizeof *draw->faces);
  }
  return status;
}

picus_status picus_model_add_draw(picus_model *model, const picus_draw_def *def) {
  picus_model_draw *draw = &model->draw;
  picus_status status = check_shape(model, def);
  if (!status)
    status = picus_grow(model->context, &draw->shapes, (size_t)draw->shape_count, &draw->shape_capacity,
                        sizeof *draw->shapes);
  if (status) return status;
  const char *name = def->name;
  if (!name && def->frame > 0) name = draw->frames[def->frame - 1].name;
  picus_model_shape shape = {.kind = def->kind,
                             .frame = def->frame,
                             .first_point = draw->point_count,
                             .count = def->count,
                             .first_face = draw->face_count,
                             .face_count = def->face_count,
                             .name = picus_model_keep_text(model, name),
                             .text = picus_model_keep_text(model, def->text),
                             .line = picus_model_keep_text(model, def->line),
                             .fill = picus_model_keep_text(model, def->fill),
                             .width = def->width,
                             .radius = def->radius};
  if (!shape.name || !shape.text || !shape.line || !shape.fill) return PICUS_ERROR_MEMORY;
  status = append_points(model, def);
  if (!status) draw->shapes[draw->shape_count++] = shape;
  return status;
}

picus_status picus_model_add_draw_frame(picus_model *model, const picus_draw_frame_def *def, int *frame) {
  picus_model_draw *draw = &model->draw;
  const char *name = def->name ? def->name : "";
  picus_status status = check_text(model, "frame", "name", name);
  if (!status) status = check_vector(model, &def->position, "the position of the frame", name);
  for (int i = 0; !status && i < 9; i++)
    status = check_value(model, def->rotation[i], "the rotation of the frame", name);
  if (!status)
    status = picus_grow(model->context, &draw->frames, (size_t)draw->frame_count, &draw->frame_capacity,
                        sizeof *draw->frames);
  if (status) return status;
  picus_model_draw_frame added = {
      .name = picus_model_keep_text(model, name), .planar = def->planar, .position = def->position};
  if (!added.name) return PICUS_ERROR_MEMORY;
  memcpy(added.rotation, def->rotation, sizeof added.rotation);
  draw->frames[draw->frame_count++] = added;
  *frame = draw->frame_count;
  return PICUS_OK;
}

static const char *next_law(const void *user, int k) {
  const picus_model *model = user;
  return k < model->law_count ? model->laws[k].name : NULL;
}

static bool has_vector(const picus_draw_vector *v) { return picus_expr_given(v->x[0]) || picus_expr_given(v->x[1]); }

static picus_status check_site(picus_model *model, const picus_contact_site_def *def, const picus_model_law *law) {
  if (law->kind == PICUS_MODEL_CONSTRAINT || law->kind == PICUS_MODEL_CLUTCH || law->kind == PICUS_MODEL_PRELOAD)
    return picus_model_fail(model, PICUS_ERROR_MODEL,
                            "'%s' is a %s; only contacts and friction elements have "
                            "a place in the drawing",
                            law->name,
                            law->kind == PICUS_MODEL_CLUTCH    ? "clutch"
                            : law->kind == PICUS_MODEL_PRELOAD ? "preload"
                                                               : "constraint");
  picus_status status = check_vector(model, &def->place, "the place of the contact", def->law);
  if (!status && law->kind == PICUS_MODEL_CONTACT)
    status = check_vector(model, &def->normal, "the normal of the contact", def->law);
  for (int k = 0; !status && k < 2; k++)
    if (has_vector(&def->tangent[k]))
      status = check_vector(model, &def->tangent[k], "a tangent of the contact", def->law);
  return status;
}

/* The site of a law, found from the end: it is usually the last one. */
static picus_model_site *find_site(picus_model_draw *draw, int law) {
  for (int k = draw->site_count - 1; k >= 0; k--)
    if (draw->sites[k].law == law) return &draw->sites[k];
  return NULL;
}

picus_status picus_model_set_contact_site(picus_model *model, const picus_contact_site_def *def) {
  picus_model_draw *draw = &model->draw;
  picus_name_entry found = picus_model_find_name(model, def->law ? def->law : "");
  if (found.kind != PICUS_NAME_LAW)
    return picus_model_fail_unknown(model, model->place, "contact or friction element", def->law ? def->law : "",
                                    next_law, model);
  picus_status status = check_site(model, def, &model->laws[found.index]);
  if (status) return status;
  bool is_last = draw->site_count == 0 || draw->sites[draw->site_count - 1].law < found.index;
  picus_model_site *site = is_last ? NULL : find_site(draw, found.index);
  if (!site) {
    status =
        picus_grow(model->context, &draw->sites, (size_t)draw->site_count, &draw->site_capacity, sizeof *draw->sites);
    if (status) return status;
    site = &draw->sites[draw->site_count++];
  }
  *site = (picus_model_site){.law = found.index, .place = def->place, .normal = def->normal};
  for (int k = 0; k < 2; k++) site->tangent[k] = def->tangent[k];
  return PICUS_OK;
}
