/* Pictures of a scene: shapes, contacts and axes of a row as paths in pixels, projected and ordered by depth in
 * space. */
#include "view/picture.h"
#include "base/internal.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NO_COLOUR = -1, INK = 0x1b1f24, ROUND = 40 };

static long colour_of(const char *name, long other) {
  static const struct {
    const char *name;
    long value;
  } known[] = {{"ink", INK},        {"grey", 0x8b949e},  {"light", 0xdfe5ec},  {"blue", 0x5b9be0},
               {"red", 0xd1495b},   {"green", 0x4ba678}, {"orange", 0xe59a3c}, {"purple", 0x8f6bd0},
               {"brown", 0xb08157}, {"white", 0xffffff}, {"none", NO_COLOUR}};
  if (name[0] == '#' && strlen(name) == 7 && strspn(name + 1, "0123456789abcdefABCDEF") == 6)
    return strtol(name + 1, NULL, 16);
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (strcmp(known[k].name, name) == 0) return known[k].value;
  return other;
}

/* A colour between it and white (part 1) or black (part -1). */
long picus_tinted(long colour, double part) {
  long out = 0;
  for (int k = 16; k >= 0; k -= 8) {
    const double value = (double)(colour >> k & 255);
    out |= (long)(part > 0 ? value + part * (255 - value) : value * (1 + part)) << k;
  }
  return out;
}

/* ---- camera */

static double along(const double axis[3], const double p[3]) {
  return axis[0] * p[0] + axis[1] * p[1] + axis[2] * p[2];
}

/* The box of a picture: right, up and away from the viewer, low and high. */
static void widen(double box[6], const double at[3], double radius) {
  for (int i = 0; i < 3; i++)
    if (!isfinite(at[i]) || !isfinite(radius)) return;
  for (int i = 0; i < 3; i++) {
    box[i] = fmin(box[i], at[i] - radius);
    box[3 + i] = fmax(box[3 + i], at[i] + radius);
  }
}

static void widen_by_shape(const picus_scene *s, const picus_camera *c, const picus_draw_shape *shape, double box[6],
                           const double *limit) {
  double radius = shape->kind == PICUS_DRAW_CIRCLE || shape->kind == PICUS_DRAW_SPHERE
                      ? fabs(picus_scene_value(s, shape->radius))
                      : 0;
  for (int i = 0; i < shape->count; i++) {
    double p[3];
    picus_scene_point(s, shape->frame, s->drawing->points[shape->first_point + i], p);
    double at[3] = {along(c->right, p), along(c->up, p), along(c->away, p)};
    for (int k = 0; limit && k < 3; k++) at[k] = fmin(limit[3 + k], fmax(limit[k], at[k]));
    widen(box, at, radius);
  }
}

picus_view picus_default_view(void) { return (picus_view){.azimuth = -1.0, .elevation = 0.45}; }

static picus_camera aim(const picus_scene *s, const picus_view *view) {
  const double ca = cos(view->azimuth), sa = sin(view->azimuth), ce = cos(view->elevation), se = sin(view->elevation);
  picus_camera c = {.right = {1, 0, 0}, .up = {0, 1, 0}, .away = {0, 0, -1}};
  if (!s->drawing->planar)
    c = (picus_camera){.right = {-sa, ca, 0}, .up = {-se * ca, -se * sa, ce}, .away = {-ce * ca, -ce * sa, -se}};
  c.thick = 1;
  return c;
}

/* The box of what moves between two rows, and of fixed shapes near it. */
static void measure(picus_scene *s, const picus_camera *c, long first, long last, double box[6]) {
  enum { SAMPLES = 100 };
  for (int i = 0; i < 3; i++) box[i] = DBL_MAX, box[3 + i] = -DBL_MAX;
  for (int k = 0; k < SAMPLES; k++) {
    picus_scene_evaluate(s, first + (long)((double)k / (SAMPLES - 1) * (double)(last - first)));
    for (int i = 0; i < s->drawing->shape_count; i++)
      if (picus_scene_shape_moves(s, &s->drawing->shapes[i])) widen_by_shape(s, c, &s->drawing->shapes[i], box, NULL);
  }
  const bool has_moving = box[0] <= box[3];
  const double grown = has_moving ? 0.15 * fmax(box[3] - box[0], box[4] - box[1]) : 0;
  double limit[6];
  for (int i = 0; i < 3; i++) limit[i] = box[i] - grown, limit[3 + i] = box[3 + i] + grown;
  for (int i = 0; i < s->drawing->shape_count; i++)
    if (!picus_scene_shape_moves(s, &s->drawing->shapes[i]))
      widen_by_shape(s, c, &s->drawing->shapes[i], box, has_moving ? limit : NULL);
}

picus_camera picus_camera_fit(picus_scene *s, const picus_view *view, long first, long last, int width, int height) {
  const picus_view usual = picus_default_view();
  picus_camera c = aim(s, view ? view : &usual);
  double box[6], side[3];
  measure(s, &c, first, last, box);
  for (int i = 0; i < 3; i++) {
    side[i] = fmax(box[3 + i] - box[i], 1e-12);
    c.middle[i] = 0.5 * (box[i] + box[3 + i]);
  }
  c.width = width;
  c.height = height;
  c.scale = fmin(0.9 * width / side[0], 0.9 * height / side[1]);
  if (view && view->perspective && !s->drawing->planar) { /* the nearest points are larger by eye / (eye - side / 2) */
    c.eye = 2.5 * fmax(fmax(side[0], side[1]), side[2]);
    c.scale *= 1 - 0.5 * side[2] / c.eye;
  }
  c.x = 0.5 * width - c.scale * c.middle[0];
  c.y = 0.5 * height + c.scale * c.middle[1];
  return c;
}

/* The pixel of a point, and how large things are there; NAN behind the eye. */
static double project(const picus_camera *c, const double p[3], double pixel[2]) {
  double x = along(c->right, p), y = along(c->up, p), size = 1;
  if (c->eye > 0) {
    const double far = c->eye + along(c->away, p) - c->middle[2];
    size = far > 0.01 * c->eye ? c->eye / far : NAN;
    x = c->middle[0] + size * (x - c->middle[0]);
    y = c->middle[1] + size * (y - c->middle[1]);
  }
  pixel[0] = c->x + c->scale * x;
  pixel[1] = c->y - c->scale * y;
  return size;
}

/* ---- strokes */

typedef struct drawing_pen {
  picus_picture *picture;
  const picus_scene *scene;
  const picus_camera *camera;
  picus_status status;
  picus_stroke style; /* of the shape */
  bool casts;         /* draws the shadows of shapes on a horizontal floor */
  double floor;       /* m, its height */
} drawing_pen;

static const double light[3] = {-0.36, -0.48, 0.8}; /* where it comes from, as in pages */

static void begin_stroke(drawing_pen *pen, picus_stroke_kind kind) {
  picus_picture *p = pen->picture;
  if (pen->status) return;
  pen->status = picus_grow(p->context, &p->strokes, p->stroke_count, &p->stroke_capacity, sizeof *p->strokes);
  if (pen->status) return;
  picus_stroke stroke = pen->style;
  stroke.kind = kind;
  stroke.first = (int)p->point_count;
  p->strokes[p->stroke_count++] = stroke;
}

static picus_status keep_point(picus_picture *p, const double pixel[2]) {
  picus_status status = picus_grow(p->context, &p->points, p->point_count, &p->point_capacity, sizeof *p->points);
  if (!status) memcpy(p->points[p->point_count++], pixel, sizeof *p->points);
  return status;
}

static void add_pixel(drawing_pen *pen, double x, double y) {
  picus_picture *p = pen->picture;
  if (!pen->status) pen->status = keep_point(p, (const double[2]){x, y});
  if (!pen->status) p->strokes[p->stroke_count - 1].count++;
}

static void add_point(drawing_pen *pen, const double p[3]) {
  double pixel[2];
  const double above = pen->casts ? fmax(0, p[2] - pen->floor) / light[2] : 0;
  project(pen->camera, (const double[3]){p[0] - above * light[0], p[1] - above * light[1], p[2] - above * light[2]},
          pixel);
  add_pixel(pen, pixel[0], pixel[1]);
  if (pen->status) return;
  picus_stroke *stroke = &pen->picture->strokes[pen->picture->stroke_count - 1];
  stroke->depth += (along(pen->camera->away, p) - stroke->depth) / stroke->count;
}

static void world_point(const drawing_pen *pen, const picus_draw_shape *shape, int i, double p[3]) {
  picus_scene_point(pen->scene, shape->frame, pen->scene->drawing->points[shape->first_point + i], p);
}

static void stroke_points(drawing_pen *pen, const picus_draw_shape *shape, picus_stroke_kind kind) {
  begin_stroke(pen, kind);
  for (int i = 0; i < shape->count; i++) {
    double p[3];
    world_point(pen, shape, i, p);
    add_point(pen, p);
  }
}

/* Hatching of a ground, on its right side, in pixels. */
static void hatch(drawing_pen *pen, size_t first, int count) {
  for (int k = 0; k + 1 < count; k++) {
    double a[2], b[2];
    memcpy(a, pen->picture->points[first + (size_t)k], sizeof a);
    memcpy(b, pen->picture->points[first + (size_t)k + 1], sizeof b);
    const double length = hypot(b[0] - a[0], b[1] - a[1]);
    if (!(length > 0 && length < 1e5)) continue;
    const double u[2] = {(b[0] - a[0]) / length, (b[1] - a[1]) / length};
    const double thick = pen->camera->thick;
    const int marks = (int)fmax(1, round(length / (9 * thick)));
    for (int i = 0; i < marks; i++) {
      const double at = (i + 0.5) * length / marks, x = a[0] + at * u[0], y = a[1] + at * u[1];
      if (x < 0 || y < 0 || x > pen->camera->width || y > pen->camera->height) continue;
      pen->style.width = 0.7 * thick;
      begin_stroke(pen, PICUS_STROKE_LINE);
      add_pixel(pen, x, y);
      add_pixel(pen, x - thick * (7 * u[1] + 5 * u[0]), y + thick * (7 * u[0] - 5 * u[1]));
    }
  }
}

static void shade(drawing_pen *pen, const double (*p)[3]);

/* The surface of a half-space: filled if we look at it, and then everything is in front of it. */
static void stroke_floor(drawing_pen *pen, const picus_draw_shape *shape) {
  double p[3][3], a[3], b[3];
  for (int k = 0; k < 3; k++) world_point(pen, shape, k, p[k]);
  for (int i = 0; i < 3; i++) a[i] = p[1][i] - p[0][i], b[i] = p[2][i] - p[0][i];
  const double n[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  pen->style.behind = along(n, pen->camera->away) < 0;
  if (!pen->style.behind) pen->style.fill = NO_COLOUR;
  stroke_points(pen, shape, PICUS_STROKE_AREA);
  shade(pen, (const double(*)[3])p);
}

static void stroke_ground(drawing_pen *pen, const picus_draw_shape *shape) {
  if (!pen->scene->drawing->planar && shape->count > 2 && pen->style.fill >= 0) {
    stroke_floor(pen, shape);
    return;
  }
  const size_t first = pen->picture->point_count;
  stroke_points(pen, shape, PICUS_STROKE_LINE);
  if (!pen->status && pen->scene->drawing->planar) hatch(pen, first, shape->count);
}

static void stroke_spring(drawing_pen *pen, const picus_draw_shape *shape, double radius) {
  enum { TURNS = 8 };
  double a[3], b[3];
  world_point(pen, shape, 0, a);
  world_point(pen, shape, 1, b);
  const picus_camera *c = pen->camera;
  double A[2], B[2];
  project(c, a, A);
  project(c, b, B);
  const double d[2] = {B[0] - A[0], B[1] - A[1]}, length = fmax(hypot(d[0], d[1]), 1e-9);
  begin_stroke(pen, PICUS_STROKE_LINE);
  add_pixel(pen, A[0], A[1]);
  for (int k = 0; k <= 2 * TURNS; k++) {
    const double f = 0.15 + 0.7 * k / (2 * TURNS), side = k == 0 || k == 2 * TURNS ? 0 : k % 2 ? 1 : -1;
    const double off = side * (radius > 0 ? radius * c->scale : 5 * c->thick) / length;
    add_pixel(pen, A[0] + f * d[0] - off * d[1], A[1] + f * d[1] + off * d[0]);
  }
  add_pixel(pen, B[0], B[1]);
}

/* The head of an arrow whose line, from point `first` to the next, is the last stroke. */
static void stroke_head(drawing_pen *pen, size_t first) {
  if (pen->status) return;
  double a[2], b[2];
  memcpy(a, pen->picture->points[first], sizeof a);
  memcpy(b, pen->picture->points[first + 1], sizeof b);
  const double length = hypot(b[0] - a[0], b[1] - a[1]);
  if (!(length > 0.5)) return;
  const double head = fmin(9 * pen->camera->thick, 0.4 * length), x = head * (b[0] - a[0]) / length,
               y = head * (b[1] - a[1]) / length;
  pen->style.fill = pen->style.line;
  begin_stroke(pen, PICUS_STROKE_AREA);
  add_pixel(pen, b[0], b[1]);
  add_pixel(pen, b[0] - x - 0.45 * y, b[1] - y + 0.45 * x);
  add_pixel(pen, b[0] - x + 0.45 * y, b[1] - y - 0.45 * x);
}

static void stroke_arrow(drawing_pen *pen, const picus_draw_shape *shape) {
  const size_t first = pen->picture->point_count;
  stroke_points(pen, shape, PICUS_STROKE_LINE);
  stroke_head(pen, first);
}

/* Two vectors of length 1 that are orthogonal to an axis and to each other. */
static void span_across(const double axis[3], double n[3], double o[3]) {
  const int least =
      fabs(axis[0]) < fabs(axis[1]) ? (fabs(axis[0]) < fabs(axis[2]) ? 0 : 2) : (fabs(axis[1]) < fabs(axis[2]) ? 1 : 2);
  const int next = (least + 1) % 3, other = (least + 2) % 3;
  n[least] = 0, n[next] = -axis[other], n[other] = axis[next];
  const double length = sqrt(along(n, n));
  for (int i = 0; i < 3; i++) n[i] /= length;
  for (int i = 0; i < 3; i++) o[i] = axis[(i + 1) % 3] * n[(i + 2) % 3] - axis[(i + 2) % 3] * n[(i + 1) % 3];
}

/* The rays of the light that touch the ball: a circle across the light. */
static void stroke_shadow_of_ball(drawing_pen *pen, const double middle[3], double radius) {
  double n[3], o[3];
  span_across(light, n, o);
  begin_stroke(pen, PICUS_STROKE_AREA);
  for (int k = 0; k < ROUND; k++) {
    const double angle = 2 * 3.14159265358979323846 * k / ROUND, c = radius * cos(angle), d = radius * sin(angle);
    add_point(pen, (const double[3]){middle[0] + c * n[0] + d * o[0], middle[1] + c * n[1] + d * o[1],
                                     middle[2] + c * n[2] + d * o[2]});
  }
}

static void stroke_circle(drawing_pen *pen, const picus_draw_shape *shape, double radius) {
  double p[3], local[3];
  world_point(pen, shape, 0, p);
  if (pen->casts && shape->kind == PICUS_DRAW_SPHERE) {
    stroke_shadow_of_ball(pen, p, radius);
    return;
  }
  if (pen->scene->drawing->planar || shape->kind == PICUS_DRAW_SPHERE) {
    double pixel[2];
    pen->style.radius = radius * pen->camera->scale * project(pen->camera, p, pixel);
    if (!pen->scene->drawing->planar && pen->style.fill < 0) pen->style.fill = pen->style.line;
    begin_stroke(pen, pen->scene->drawing->planar ? PICUS_STROKE_CIRCLE : PICUS_STROKE_BALL);
    add_point(pen, p);
    return;
  }
  const picus_draw_frame *f = &pen->scene->drawing->frames[shape->frame];
  begin_stroke(pen, PICUS_STROKE_AREA);
  for (int k = 0; k < ROUND; k++) {
    const double angle = 2 * 3.14159265358979323846 * k / ROUND, v[2] = {radius * cos(angle), radius * sin(angle)};
    for (int i = 0; i < 3; i++)
      local[i] = shape->frame == 0 ? p[i] + (i < 2 ? v[i] : 0)
                                   : p[i] + picus_scene_value(pen->scene, f->rotation[3 * i]) * v[0] +
                                         picus_scene_value(pen->scene, f->rotation[3 * i + 1]) * v[1];
    add_point(pen, local);
  }
}

/* Darkens the last stroke, a face in space, by its angle to the light. */
static void shade(drawing_pen *pen, const double (*p)[3]) {
  if (pen->status || pen->casts || pen->scene->drawing->planar) return;
  picus_stroke *stroke = &pen->picture->strokes[pen->picture->stroke_count - 1];
  double a[3], b[3];
  for (int i = 0; i < 3; i++) a[i] = p[1][i] - p[0][i], b[i] = p[2][i] - p[0][i];
  const double n[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  const double length = sqrt(along(n, n));
  if (!(length > 0) || stroke->fill < 0) return;
  const double bright = 0.6 + 0.4 * fabs(along(n, light)) / length;
  long shaded = 0;
  for (int k = 16; k >= 0; k -= 8) shaded |= (long)(bright * (double)(stroke->fill >> k & 255)) << k;
  if (stroke->line == stroke->fill) stroke->line = shaded;
  stroke->fill = shaded;
}

static void stroke_faces(drawing_pen *pen, const picus_draw_shape *shape) {
  for (int k = 0; k < shape->face_count; k++) {
    double p[3][3];
    begin_stroke(pen, PICUS_STROKE_AREA);
    for (int i = 0; i < 3; i++) {
      world_point(pen, shape, pen->scene->drawing->faces[shape->first_face + k][i], p[i]);
      add_point(pen, p[i]);
    }
    shade(pen, (const double(*)[3])p);
  }
}

/* The six faces between two corners, along the axes of the frame. */
static void stroke_box(drawing_pen *pen, const picus_draw_shape *shape) {
  static const int faces[6][4] = {{0, 1, 3, 2}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 3, 7, 5}};
  const int *a = pen->scene->drawing->points[shape->first_point],
            *b = pen->scene->drawing->points[shape->first_point + 1];
  for (int k = 0; k < 6; k++) {
    double p[4][3];
    begin_stroke(pen, PICUS_STROKE_AREA);
    for (int i = 0; i < 4; i++) {
      const int corner = faces[k][i];
      const int steps[3] = {corner & 4 ? b[0] : a[0], corner & 2 ? b[1] : a[1], corner & 1 ? b[2] : a[2]};
      picus_scene_point(pen->scene, shape->frame, steps, p[i]);
      add_point(pen, p[i]);
    }
    shade(pen, (const double(*)[3])p);
  }
}

/* Faces of a cylinder: its side in strips, and both ends. */
static void stroke_cylinder(drawing_pen *pen, const picus_draw_shape *shape, double radius) {
  enum { SIDES = 24 };
  double ends[2][3], axis[3], n[3], o[3], ring[2][SIDES][3];
  const picus_stroke style = pen->style;
  for (int k = 0; k < 2; k++) world_point(pen, shape, k, ends[k]);
  for (int i = 0; i < 3; i++) axis[i] = ends[1][i] - ends[0][i];
  const double length = sqrt(along(axis, axis));
  if (!(length > 0)) return;
  for (int i = 0; i < 3; i++) axis[i] /= length;
  span_across(axis, n, o);
  for (int k = 0; k < SIDES; k++)
    for (int i = 0; i < 3; i++) {
      const double angle = 2 * 3.14159265358979323846 * k / SIDES;
      for (int e = 0; e < 2; e++) ring[e][k][i] = ends[e][i] + radius * (cos(angle) * n[i] + sin(angle) * o[i]);
    }
  pen->style.fill = style.fill >= 0 ? style.fill : style.line;
  for (int e = 0; e < 2; e++) {
    begin_stroke(pen, PICUS_STROKE_AREA);
    for (int k = 0; k < SIDES; k++) add_point(pen, ring[e][k]);
    shade(pen, (const double(*)[3])ring[e]);
  }
  pen->style.line = pen->style.fill;
  pen->style.width = 0.6;
  for (int k = 0; k < SIDES; k++) {
    const int next = (k + 1) % SIDES;
    begin_stroke(pen, PICUS_STROKE_AREA);
    add_point(pen, ring[0][k]);
    add_point(pen, ring[0][next]);
    add_point(pen, ring[1][next]);
    add_point(pen, ring[1][k]);
    const double face[3][3] = {{ring[0][k][0], ring[0][k][1], ring[0][k][2]},
                               {ring[0][next][0], ring[0][next][1], ring[0][next][2]},
                               {ring[1][k][0], ring[1][k][1], ring[1][k][2]}};
    shade(pen, face);
  }
}

/* The smaller side of the box around a stroke, of a line its length; pixels. */
static double size_of_stroke(const picus_picture *p, const picus_stroke *s) {
  double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
  if (s->kind == PICUS_STROKE_CIRCLE || s->kind == PICUS_STROKE_BALL) return 2 * s->radius;
  for (int k = 0; k < s->count; k++)
    for (int i = 0; i < 2; i++) {
      low[i] = fmin(low[i], p->points[s->first + k][i]);
      high[i] = fmax(high[i], p->points[s->first + k][i]);
    }
  return s->kind == PICUS_STROKE_LINE ? hypot(high[0] - low[0], high[1] - low[1])
                                      : fmin(high[0] - low[0], high[1] - low[1]);
}

/* Small shapes have thin lines, so that their colours are seen; wide lines are meant to be wide. */
static void thin_lines(const drawing_pen *pen, const picus_draw_shape *shape, size_t first) {
  const bool flat = pen->scene->drawing->planar, area = shape->kind == PICUS_DRAW_POLYGON && flat,
             round = shape->kind == PICUS_DRAW_SPHERE || (shape->kind == PICUS_DRAW_CIRCLE && flat),
             mark = shape->kind == PICUS_DRAW_LINE && shape->frame > 0 && shape->count == 2;
  if (pen->status || shape->width > 1.5 || !(area || round || mark)) return;
  for (size_t k = first; k < pen->picture->stroke_count; k++) {
    picus_stroke *s = &pen->picture->strokes[k];
    s->width = fmin(s->width, fmax(0.1, 0.12 * size_of_stroke(pen->picture, s)));
  }
}

/* The strokes of one shape of a drawing, by its kind. */
static void stroke_shape(drawing_pen *pen, const picus_draw_shape *shape) {
  const double radius = fabs(picus_scene_value(pen->scene, shape->radius));
  pen->style = (picus_stroke){.line = colour_of(shape->line, INK),
                              .fill = colour_of(shape->fill, NO_COLOUR),
                              .width = (shape->width > 0 ? shape->width : 1.4) * pen->camera->thick,
                              .moves = picus_scene_shape_moves(pen->scene, shape),
                              .text = shape->text};
  switch (shape->kind) {
  case PICUS_DRAW_POLYGON:
    stroke_points(pen, shape, PICUS_STROKE_AREA);
    break;
  case PICUS_DRAW_CIRCLE:
  case PICUS_DRAW_SPHERE:
    stroke_circle(pen, shape, radius);
    break;
  case PICUS_DRAW_SPRING:
    stroke_spring(pen, shape, radius);
    break;
  case PICUS_DRAW_ARROW:
    stroke_arrow(pen, shape);
    break;
  case PICUS_DRAW_TEXT:
    stroke_points(pen, shape, PICUS_STROKE_TEXT);
    break;
  case PICUS_DRAW_GROUND:
    stroke_ground(pen, shape);
    break;
  case PICUS_DRAW_BOX:
    stroke_box(pen, shape);
    break;
  case PICUS_DRAW_MESH:
    pen->style.line = pen->style.fill;
    pen->style.width = 0.6;
    stroke_faces(pen, shape);
    break;
  case PICUS_DRAW_CYLINDER:
    stroke_cylinder(pen, shape, radius);
    break;
  default:
    stroke_points(pen, shape, PICUS_STROKE_LINE);
  }
}

/* ---- shadows */

enum { FLOOR_CORNERS = 8, CUT_POINTS = 128 };

/* A horizontal half-space at rest, seen from above, that is filled: shadows fall on the lowest one. */
typedef struct shadow_floor {
  double height;
  int corners; /* 0: there is none */
  double corner[FLOOR_CORNERS][2];
  long colour;
} shadow_floor;

/* first: the stroke of the shape */
static void look_for_floor(const drawing_pen *pen, const picus_draw_shape *shape, size_t first, shadow_floor *floor) {
  const picus_picture *p = pen->picture;
  if (pen->status || shape->kind != PICUS_DRAW_GROUND || p->stroke_count == first || pen->scene->drawing->planar)
    return;
  const picus_stroke *stroke = &p->strokes[first];
  double at[FLOOR_CORNERS][3], low = HUGE_VAL, high = -HUGE_VAL;
  if (!stroke->behind || stroke->moves || shape->count < 3 || shape->count > FLOOR_CORNERS) return;
  for (int k = 0; k < shape->count; k++) {
    world_point(pen, shape, k, at[k]);
    low = fmin(low, at[k][2]), high = fmax(high, at[k][2]);
  }
  const double wide = hypot(at[1][0] - at[0][0], at[1][1] - at[0][1]);
  if (!(high - low <= 1e-9 * wide) || (floor->corners > 0 && low >= floor->height)) return;
  *floor = (shadow_floor){.height = low, .corners = shape->count, .colour = picus_tinted(stroke->fill, -0.2)};
  memcpy(floor->corner, p->points + stroke->first, (size_t)shape->count * sizeof floor->corner[0]);
}

/* The part of an area on one side of the line through a and b (Sutherland and Hodgman). Returns the number of its
 * points. */
static int cut_area(const double a[2], const double b[2], int count, const double (*from)[2], double (*to)[2]) {
  int kept = 0;
  for (int k = 0; k < count && kept + 2 <= CUT_POINTS; k++) {
    const double *p = from[k], *q = from[(k + 1) % count];
    const double u = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
    const double v = (b[0] - a[0]) * (q[1] - a[1]) - (b[1] - a[1]) * (q[0] - a[0]);
    if (u >= 0) memcpy(to[kept++], p, sizeof to[0]);
    if ((u < 0) == (v < 0)) continue;
    const double f = u / (u - v);
    to[kept][0] = p[0] + f * (q[0] - p[0]);
    to[kept++][1] = p[1] + f * (q[1] - p[1]);
  }
  return kept;
}

/* Cuts a shadow at the edges of the floor. False: nothing of it is left. */
static bool cut_shadow(drawing_pen *pen, picus_stroke *shadow, const shadow_floor *floor) {
  picus_picture *p = pen->picture;
  double points[2][CUT_POINTS][2], turn = 0;
  int count = shadow->count, now = 0;
  if (count < 3 || count > CUT_POINTS) return false;
  memcpy(points[0], p->points + shadow->first, (size_t)count * sizeof points[0][0]);
  for (int k = 0; k < floor->corners; k++) {
    const double *a = floor->corner[k], *b = floor->corner[(k + 1) % floor->corners];
    turn += a[0] * b[1] - a[1] * b[0];
  }
  for (int k = 0; k < floor->corners && count > 0; k++, now = 1 - now) {
    const double *a = floor->corner[k], *b = floor->corner[(k + 1) % floor->corners];
    count = cut_area(turn > 0 ? a : b, turn > 0 ? b : a, count, (const double(*)[2])points[now], points[1 - now]);
  }
  shadow->first = (int)p->point_count;
  shadow->count = count;
  for (int k = 0; k < count && !pen->status; k++) pen->status = keep_point(p, points[now][k]);
  return count > 2;
}

/* The shadows of all filled shapes: areas of one colour on the floor, below everything else. */
static void draw_shadows(drawing_pen *pen, const shadow_floor *floor) {
  picus_picture *p = pen->picture;
  const size_t first = p->stroke_count;
  size_t kept = first;
  if (floor->corners == 0) return;
  pen->casts = true;
  pen->floor = floor->height;
  for (int k = 0; k < pen->scene->drawing->shape_count && !pen->status; k++) {
    const picus_draw_kind kind = pen->scene->drawing->shapes[k].kind;
    if (kind != PICUS_DRAW_GROUND && kind != PICUS_DRAW_TEXT) stroke_shape(pen, &pen->scene->drawing->shapes[k]);
  }
  for (size_t k = first; k < p->stroke_count && !pen->status; k++) {
    picus_stroke shadow = p->strokes[k];
    if (shadow.kind != PICUS_STROKE_AREA || shadow.fill < 0 || !cut_shadow(pen, &shadow, floor)) continue;
    shadow.line = shadow.fill = floor->colour;
    shadow.width = 0.3;
    shadow.behind = shadow.moves = true; /* above the floor */
    p->strokes[kept++] = shadow;
  }
  p->stroke_count = kept;
  pen->casts = false;
}

/* Strokes with a coordinate that is not finite disappear. */
static void drop_wrong(picus_picture *p) {
  size_t kept = 0;
  for (size_t k = 0; k < p->stroke_count; k++) {
    bool fine = isfinite(p->strokes[k].radius);
    for (int i = 0; i < p->strokes[k].count; i++) {
      const double *at = p->points[p->strokes[k].first + i];
      fine = fine && fabs(at[0]) < 1e6 && fabs(at[1]) < 1e6;
    }
    if (fine) p->strokes[kept++] = p->strokes[k];
  }
  p->stroke_count = kept;
}

/* What nothing is behind comes first, then what does not move, as the background; then farther strokes before nearer
 * ones; equal ones keep their order. */
static int compare_depth(const void *a, const void *b) {
  const picus_stroke *x = a, *y = b;
  if (x->behind != y->behind) return x->behind ? -1 : 1;
  if (x->moves != y->moves) return x->moves ? 1 : -1;
  if (x->depth != y->depth) return x->depth > y->depth ? -1 : 1;
  return x->first < y->first ? -1 : x->first > y->first;
}

picus_status picus_picture_draw(picus_picture *picture, picus_scene *scene, const picus_camera *camera, long row) {
  drawing_pen pen = {.picture = picture, .scene = scene, .camera = camera};
  shadow_floor floor = {0};
  picture->stroke_count = picture->point_count = 0;
  picus_scene_evaluate(scene, row);
  for (int k = 0; k < scene->drawing->shape_count; k++) {
    const size_t first = picture->stroke_count;
    stroke_shape(&pen, &scene->drawing->shapes[k]);
    thin_lines(&pen, &scene->drawing->shapes[k], first);
    look_for_floor(&pen, &scene->drawing->shapes[k], first, &floor);
  }
  draw_shadows(&pen, &floor);
  if (pen.status) return pen.status;
  drop_wrong(picture);
  if (!scene->drawing->planar && picture->stroke_count > 1)
    qsort(picture->strokes, picture->stroke_count, sizeof *picture->strokes, compare_depth);
  return PICUS_OK;
}

/* ---- contacts */

static const long mode_colours[] = {[PICUS_OPEN] = 0x8b949e, [PICUS_STICK] = 0x009e73, [PICUS_SLIP] = 0xd55e00};

static double size_of(const double v[3]) { return sqrt(along(v, v)); }

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

picus_status picus_usual_force(picus_context *context, const picus_contact_list *list, double *force) {
  double *sizes = picus_allocate(context, list->count, sizeof *sizes);
  size_t count = 0;
  *force = 0;
  if (!sizes) return PICUS_ERROR_MEMORY;
  for (size_t k = 0; k < list->count; k++) {
    const double size = size_of(list->contacts[k].force);
    if (list->contacts[k].mode != PICUS_OPEN && size > 0 && isfinite(size)) sizes[count++] = size;
  }
  if (count > 1) qsort(sizes, count, sizeof *sizes, ascending);
  if (count > 0) *force = sizes[count / 2];
  picus_release(context, sizes);
  return PICUS_OK;
}

/* The length of an arrow in units of that of the usual force. */
static double arrow_length(double force) { return force <= 1 ? force : 1 + 0.35 * log(force); }

/* The usual size of what moves, m: the median of the diagonals of its shapes. 0: nothing moves. */
static picus_status typical_size(const picus_scene *s, double *size) {
  const picus_drawing *d = s->drawing;
  double *sizes = picus_allocate(s->context, (size_t)d->shape_count + 1, sizeof *sizes);
  size_t count = 0;
  *size = 0;
  if (!sizes) return PICUS_ERROR_MEMORY;
  for (int k = 0; k < d->shape_count; k++) {
    const picus_camera axes = {.right = {1, 0, 0}, .up = {0, 1, 0}, .away = {0, 0, 1}};
    double box[6] = {DBL_MAX, DBL_MAX, DBL_MAX, -DBL_MAX, -DBL_MAX, -DBL_MAX};
    if (d->shapes[k].kind == PICUS_DRAW_TEXT || !picus_scene_shape_moves(s, &d->shapes[k])) continue;
    widen_by_shape(s, &axes, &d->shapes[k], box, NULL);
    const double side[3] = {box[3] - box[0], box[4] - box[1], d->planar ? 0 : box[5] - box[2]};
    if (box[0] <= box[3] && size_of(side) > 0) sizes[count++] = size_of(side);
  }
  if (count > 1) qsort(sizes, count, sizeof *sizes, ascending);
  if (count > 0) *size = sizes[count / 2];
  picus_release(s->context, sizes);
  return PICUS_OK;
}

/* Pixels of the arrow of the usual force and of the radius of a mark: of the size of a body, and neither lost in the
 * picture nor larger than it; smaller where there are many. */
static void usual_marks(const picus_camera *c, double size, size_t count, double *arrow, double *dot) {
  const double least = fmin(c->width, c->height), body = size > 0 ? size * c->scale : HUGE_VAL;
  const double crowd = fmin(1, 0.35 + sqrt(12 / fmax(12, (double)count)));
  *arrow = crowd * fmin(0.2 * least, fmax(0.018 * least, 0.9 * body));
  *dot = fmax(0.8 * c->thick, crowd * fmin(3 * c->thick, 0.06 * body));
}

/* most: pixels of the arrow of the usual force; dot: of the radius of a mark */
static void stroke_contact(drawing_pen *pen, const picus_scene_contact *contact, double usual, double most,
                           double dot) {
  const long colour = mode_colours[contact->mode];
  const double thick = pen->camera->thick, size = size_of(contact->force);
  double at[2];
  project(pen->camera, contact->place, at);
  if (contact->mode != PICUS_OPEN) {
    const size_t first = pen->picture->point_count;
    const double pixels = size > 0 && usual > 0 ? most * arrow_length(size / usual) / size : 0;
    pen->style = (picus_stroke){
        .line = colour, .fill = NO_COLOUR, .width = fmin(2 * thick, fmax(0.7, 0.06 * most)), .moves = true};
    begin_stroke(pen, PICUS_STROKE_LINE);
    add_pixel(pen, at[0], at[1]);
    add_pixel(pen, at[0] + pixels * along(pen->camera->right, contact->force),
              at[1] - pixels * along(pen->camera->up, contact->force));
    stroke_head(pen, first);
  }
  pen->style = (picus_stroke){
      .line = colour, .fill = contact->mode == PICUS_OPEN ? 0xffffff : colour, .width = 1.2 * thick, .moves = true};
  pen->style.radius = dot;
  begin_stroke(pen, PICUS_STROKE_CIRCLE);
  add_pixel(pen, at[0], at[1]);
}

picus_status picus_picture_add_contacts(picus_picture *picture, const picus_scene *scene, const picus_camera *camera,
                                        const picus_contact_list *list) {
  drawing_pen pen = {.picture = picture, .scene = scene, .camera = camera};
  double usual;
  pen.status = picus_usual_force(picture->context, list, &usual);
  double size = 0, arrow, dot;
  if (!pen.status) pen.status = typical_size(scene, &size);
  usual_marks(camera, size, list->count, &arrow, &dot);
  for (size_t k = 0; !pen.status && k < list->count; k++) stroke_contact(&pen, &list->contacts[k], usual, arrow, dot);
  if (!pen.status) drop_wrong(picture);
  return pen.status;
}

picus_status picus_picture_pose(picus_picture *picture, picus_scene *scene, const picus_camera *camera, long row,
                                bool contacts) {
  picus_contact_list list = {0};
  picus_status status = picus_picture_draw(picture, scene, camera, row);
  if (!status && contacts) status = picus_scene_contacts(scene, row, &list);
  if (!status && contacts) status = picus_picture_add_contacts(picture, scene, camera, &list);
  picus_contact_list_release(picture->context, &list);
  return status;
}

picus_status picus_picture_add_line(picus_picture *picture, const picus_camera *camera, const double ends[2][3],
                                    long colour, double width) {
  drawing_pen pen = {
      .picture = picture, .camera = camera, .style = {.line = colour, .fill = NO_COLOUR, .width = width}};
  for (int i = 0; i < 6; i++)
    if (!isfinite(ends[i / 3][i % 3])) return PICUS_OK;
  pen.style.moves = true;
  begin_stroke(&pen, PICUS_STROKE_LINE);
  for (int k = 0; k < 2; k++) add_point(&pen, ends[k]);
  return pen.status;
}

void picus_picture_release(picus_picture *picture) {
  picus_release(picture->context, picture->strokes);
  picus_release(picture->context, picture->points);
  *picture = (picus_picture){0};
}
