/* Bodies in drawings: their frames, the sites of their contacts, and their shapes for collision detection as shapes
 * of a drawing. */
#include "base/elementary.h"
#include "bodies/internal.h"

#include <math.h>
#include <string.h>

/* --- frames of bodies --------------------------------------------------------------------------------------------- */

static bool is_same(const picus_model_draw_frame *frame, const picus_body *body) {
  for (int i = 0; i < 3; i++)
    if (frame->position.x[i].id != body->position.x[i].id) return false;
  for (int i = 0; i < 9; i++)
    if (frame->rotation[i].id != body->rotation[i].id) return false;
  return strcmp(frame->name, body->name) == 0;
}

/* Bodies know their frame: a search among all of them takes minutes for 10^5 bodies. */
static int *frame_of_body(const picus_body *body) {
  picus_model_body *own = body->kind == PICUS_FRAME || body->kind == PICUS_NODE ? NULL : picus_body_own_data(body);
  return own ? &own->draw_frame : NULL;
}

static int find_frame(const picus_body *body) {
  const picus_model_draw *draw = &body->model->draw;
  const int *known = frame_of_body(body);
  if (known && (*known == 0 || is_same(&draw->frames[*known - 1], body))) return *known;
  int k = draw->frame_count; /* from the end: shapes of a body usually follow each other */
  while (k > 0 && !is_same(&draw->frames[k - 1], body)) k--;
  return k;
}

picus_status picus_body_add_draw_frame(const picus_body *body, int *frame) {
  *frame = 0;
  if (body->kind == PICUS_FRAME && strcmp(body->name, "ground") == 0) return PICUS_OK;
  *frame = find_frame(body);
  if (*frame > 0) return PICUS_OK;
  picus_draw_frame_def def = {.name = body->name, .planar = body->planar};
  for (int i = 0; i < 3; i++) def.position.x[i] = body->position.x[i];
  memcpy(def.rotation, body->rotation, sizeof def.rotation);
  picus_status status = picus_model_add_draw_frame(body->model, &def, frame);
  int *known = frame_of_body(body);
  if (!status && known) *known = *frame;
  return status;
}

static picus_draw_vector components(picus_vector v, bool planar) {
  picus_draw_vector out = {{v.x[0], v.x[1], planar ? PICUS_NO_EXPR : v.x[2]}};
  return out;
}

picus_status picus_bodies_set_site(picus_model *model, const char *law, bool planar, const picus_vector site[4]) {
  picus_contact_site_def def = picus_default_contact_site_def();
  def.law = law;
  def.place = components(site[0], planar);
  def.normal = components(site[1], planar);
  for (int k = 0; k < (planar ? 1 : 2); k++) def.tangent[k] = components(site[2 + k], planar);
  return picus_model_set_contact_site(model, &def);
}

/* --- shapes ------------------------------------------------------------------------------------------------------- */

enum { ARC = 12 }; /* sides of half a circle */

/* A drawing in the making: points in the frame of the shape. */
typedef struct sketch {
  picus_model *model;
  picus_draw_def def;
  const picus_body_shape_def *placed;
  double R[9];
} sketch;

static picus_draw_vector point_of(const sketch *s, v3 local) {
  const double in[3] = {local.x, local.y, local.z};
  double out[3];
  picus_draw_vector v;
  picus_numbers_rotate(s->R, in, out);
  for (int i = 0; i < 3; i++) v.x[i] = picus_number(s->model->pool, out[i] + s->placed->position[i]);
  if (s->placed->shape.planar) v.x[2] = PICUS_NO_EXPR;
  return v;
}

static picus_status draw_few(sketch *s, picus_draw_kind kind, int count, const v3 *points, double radius) {
  picus_draw_vector drawn[2 * ARC + 2];
  for (int k = 0; k < count; k++) drawn[k] = point_of(s, points[k]);
  s->def.kind = kind;
  s->def.count = count;
  s->def.points = drawn;
  s->def.radius = radius > 0 ? picus_number(s->model->pool, radius) : PICUS_NO_EXPR;
  picus_status status = picus_model_add_draw(s->model, &s->def);
  s->def.points = NULL;
  return status;
}

/* A list of any length, with faces or without. */
static picus_status draw_many(sketch *s, picus_draw_kind kind, int count, const v3 *points) {
  picus_draw_vector *drawn = picus_allocate(s->model->context, (size_t)count, sizeof *drawn);
  if (!drawn) return PICUS_ERROR_MEMORY;
  for (int k = 0; k < count; k++) drawn[k] = point_of(s, points[k]);
  s->def.kind = kind;
  s->def.count = count;
  s->def.points = drawn;
  picus_status status = picus_model_add_draw(s->model, &s->def);
  picus_release(s->model->context, drawn);
  return status;
}

/* Faces as fans of triangles. */
static picus_status draw_faces(sketch *s, const polytope *p) {
  size_t count = 0, at = 0;
  for (int f = 0; f < p->face_count; f++) count += (size_t)p->faces[f].count - 2;
  int *faces = picus_allocate(s->model->context, 3 * count, sizeof *faces);
  if (!faces) return PICUS_ERROR_MEMORY;
  for (int f = 0; f < p->face_count; f++) {
    const int *loop = p->loops + p->faces[f].first;
    for (int k = 1; k + 1 < p->faces[f].count; k++) {
      faces[at++] = loop[0];
      faces[at++] = loop[k];
      faces[at++] = loop[k + 1];
    }
  }
  s->def.faces = faces;
  s->def.face_count = (int)count;
  picus_status status = draw_many(s, PICUS_DRAW_MESH, p->vertex_count, p->vertices);
  picus_release(s->model->context, faces);
  return status;
}

static picus_status draw_half_space(sketch *s, bool planar) {
  const double L = s->placed->extent > 0 ? s->placed->extent : 1;
  if (planar) return draw_few(s, PICUS_DRAW_GROUND, 2, (v3[2]){{-L, 0, 0}, {L, 0, 0}}, 0);
  return draw_few(s, PICUS_DRAW_GROUND, 4, (v3[4]){{-L, -L, 0}, {L, -L, 0}, {L, L, 0}, {-L, L, 0}}, 0);
}

static picus_status draw_capsule(sketch *s, const picus_shape *shape) {
  const double x = s->placed->shape.size[0] / 2, r = shape->radius;
  if (!shape->planar) {
    const v3 ends[2] = {{0, 0, -x}, {0, 0, x}};
    picus_status status = draw_few(s, PICUS_DRAW_CYLINDER, 2, ends, r);
    for (int k = 0; !status && k < 2; k++) status = draw_few(s, PICUS_DRAW_SPHERE, 1, &ends[k], r);
    return status;
  }
  v3 outline[2 * ARC + 2];
  for (int k = 0; k <= ARC; k++) {
    const double angle = 3.14159265358979323846 * ((double)k / ARC - 0.5);
    outline[k] = (v3){x + r * picus_cos(angle), r * picus_sin(angle), 0};
    outline[ARC + 1 + k] = v3_minus(outline[k]);
  }
  return draw_few(s, PICUS_DRAW_POLYGON, 2 * ARC + 2, outline, 0);
}

/* A spoke shows how a disk turns. */
static picus_status draw_disk(sketch *s, double radius) {
  picus_status status = draw_few(s, PICUS_DRAW_CIRCLE, 1, &(v3){0, 0, 0}, radius);
  s->def.fill = NULL;
  return status ? status : draw_few(s, PICUS_DRAW_LINE, 2, (v3[2]){{0, 0, 0}, {radius, 0, 0}}, 0);
}

static picus_status draw_box(sketch *s, const picus_shape *shape) {
  const double *size = s->placed->shape.size;
  const v3 corner = {size[0] / 2, size[1] / 2, size[2] / 2};
  const double *p = s->placed->orientation;
  if (p[1] != 0 || p[2] != 0 || p[3] != 0) return draw_faces(s, &shape->polytope);
  return draw_few(s, PICUS_DRAW_BOX, 2, (v3[2]){v3_minus(corner), corner}, 0);
}

/* A mesh of bands from pole to pole. */
static picus_status draw_ellipsoid(sketch *s, const picus_shape *shape) {
  enum { BANDS = 12, AROUND = 24, POINTS = (BANDS - 1) * AROUND + 2, FACES = 2 * AROUND * (BANDS - 1) };
  const double pi = 3.14159265358979323846;
  v3 points[POINTS];
  int faces[3 * FACES], at = 0;
  for (int i = 1; i < BANDS; i++)
    for (int k = 0; k < AROUND; k++) {
      const double down = pi * i / BANDS, round = 2 * pi * k / AROUND;
      points[(i - 1) * AROUND + k] =
          (v3){shape->radii.x * picus_sin(down) * picus_cos(round), shape->radii.y * picus_sin(down) * picus_sin(round),
               shape->radii.z * picus_cos(down)};
    }
  points[POINTS - 2] = (v3){0, 0, shape->radii.z};
  points[POINTS - 1] = (v3){0, 0, -shape->radii.z};
  for (int i = 0; i < BANDS; i++)
    for (int k = 0; k < AROUND; k++) {
      const int next = (k + 1) % AROUND, above = (i - 1) * AROUND, below = i * AROUND;
      const int corner[2][3] = {{i ? above + k : POINTS - 2, below + k, below + next},
                                {above + k, i < BANDS - 1 ? below + next : POINTS - 1, above + next}};
      for (int side = i == BANDS - 1; side < (i ? 2 : 1); side++)
        for (int c = 0; c < 3; c++) faces[at++] = corner[side][c];
    }
  s->def.faces = faces;
  s->def.face_count = FACES;
  picus_status status = draw_many(s, PICUS_DRAW_MESH, POINTS, points);
  s->def.faces = NULL;
  return status;
}

/* The drawing of a shape, by its kind. */
static picus_status draw(sketch *s, const picus_shape *shape) {
  const polytope *p = &shape->polytope;
  const double x = s->placed->shape.size[0] / 2;
  switch (shape->kind) {
  case PICUS_SHAPE_DISK:
    return draw_disk(s, shape->radius);
  case PICUS_SHAPE_SPHERE:
    return draw_few(s, PICUS_DRAW_SPHERE, 1, &(v3){0, 0, 0}, shape->radius);
  case PICUS_SHAPE_HALF_SPACE:
    return draw_half_space(s, shape->planar);
  case PICUS_SHAPE_SEGMENT:
    return draw_few(s, PICUS_DRAW_LINE, 2, p->vertices, 0);
  case PICUS_SHAPE_CAPSULE:
    return draw_capsule(s, shape);
  case PICUS_SHAPE_CYLINDER:
    return draw_few(s, PICUS_DRAW_CYLINDER, 2, (v3[2]){{0, 0, -x}, {0, 0, x}}, shape->core_radius);
  case PICUS_SHAPE_ELLIPSOID:
    return draw_ellipsoid(s, shape);
  case PICUS_SHAPE_BOX:
    return draw_box(s, shape);
  case PICUS_SHAPE_RECTANGLE:
  case PICUS_SHAPE_POLYGON:
    return draw_many(s, PICUS_DRAW_POLYGON, p->vertex_count, p->vertices);
  case PICUS_SHAPE_POLYLINE:
    return draw_many(s, PICUS_DRAW_GROUND, p->vertex_count, p->vertices);
  case PICUS_SHAPE_POLYHEDRON:
  case PICUS_SHAPE_MESH:
  case PICUS_SHAPE_KINDS:
    break;
  }
  return draw_faces(s, p);
}

picus_status picus_bodies_draw_shape(const picus_body *body, const picus_body_shape_def *def,
                                     const picus_shape *shape) {
  picus_body_shape_def placed = *def;
  placed.shape.planar = shape->planar;
  sketch s = {.model = body->model, .def = picus_default_draw_def(PICUS_DRAW_LINE), .placed = &placed};
  picus_numbers_rotation(def->orientation, s.R);
  const bool filled = shape->kind != PICUS_SHAPE_SEGMENT && shape->kind != PICUS_SHAPE_POLYLINE &&
                      !(shape->planar && shape->kind == PICUS_SHAPE_HALF_SPACE);
  if (filled) s.def.fill = def->fill ? def->fill : body->kind == PICUS_FRAME ? "light" : "blue";
  s.def.width = 1; /* many small shapes lie side by side */
  picus_status status = picus_body_add_draw_frame(body, &s.def.frame);
  if (s.def.frame == 0) s.def.name = body->name;
  return status ? status : draw(&s, shape);
}

picus_status picus_bodies_draw_link(const picus_body *const bodies[2], const double (*points)[3], bool planar,
                                    picus_expr radius) {
  const bool is_spring = picus_expr_given(radius);
  picus_draw_def def = picus_default_draw_def(is_spring ? PICUS_DRAW_SPRING : PICUS_DRAW_LINE);
  picus_draw_vector ends[2];
  for (int k = 0; k < 2; k++) {
    if (bodies[k]->kind == PICUS_NODE) return PICUS_OK;
    ends[k] = components(picus_body_point(bodies[k], points[k]), planar);
  }
  def.count = 2;
  def.points = ends;
  def.radius = radius;
  def.line = "grey";
  def.width = is_spring ? 1.4 : 2;
  return picus_model_add_draw(bodies[0]->model, &def);
}
