#include "support/rollers.h"

#include "base/internal.h"
#include "statics/internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OWN = 3 }; /* x, y and phi of a ball */

int rollers_pairs(const rollers *r) { return r->balls * r->count + r->balls * (r->balls - 1) / 2; }

/* Pairs are numbered: ball by ball with all rollers, then pairs of balls. other < 0: a roller, -1 - other. */
static void bodies_of(const rollers *r, int pair, int *ball, int *other) {
  if (pair < r->balls * r->count) {
    *ball = pair / r->count;
    *other = -1 - pair % r->count;
    return;
  }
  pair -= r->balls * r->count;
  for (*ball = 1; pair >= *ball; ++*ball) pair -= *ball;
  *other = pair;
}

uint64_t rollers_key(const rollers *r, int pair) {
  const uint64_t number = (uint64_t)pair + 1;
  return r->scramble ? number * 0x9e3779b97f4a7c15u : number;
}

/* --- one pair ----------------------------------------------------------------------------------------------------- */

typedef struct meeting {
  int ball, other;
  double gap, d, nx, ny;
  double radius, other_radius;
} meeting;

static meeting meet(const rollers *r, const double *q, int pair) {
  meeting m = {.radius = r->ball_radius};
  bodies_of(r, pair, &m.ball, &m.other);
  const double *own = q + OWN * m.ball;
  double dx, dy;
  if (m.other < 0) {
    dx = own[0] - r->x[-1 - m.other];
    dy = own[1] - r->y[-1 - m.other];
    m.other_radius = r->radius[-1 - m.other];
  } else {
    dx = own[0] - q[OWN * m.other];
    dy = own[1] - q[OWN * m.other + 1];
    m.other_radius = r->ball_radius;
  }
  m.d = sqrt(dx * dx + dy * dy);
  m.nx = dx / m.d;
  m.ny = dy / m.d;
  m.gap = m.d - m.radius - m.other_radius;
  return m;
}

/* Parts that hold coordinates of the pair, in increasing order. */
static int parts_of(const rollers *r, const meeting *m, int *parts) {
  int count = 0;
  for (int p = 0; p < r->parts->count; p++) {
    const int first = r->parts->first[p], end = first + r->parts->size[p];
    bool meets = first < OWN * (m->ball + 1) && end > OWN * m->ball;
    if (m->other >= 0) meets = meets || (first < OWN * (m->other + 1) && end > OWN * m->other);
    if (meets) parts[count++] = p;
  }
  return count;
}

/* A row of the law from the numbers of both bodies. */
typedef struct pair_row {
  double own[OWN], other[OWN];
} pair_row;

static double *write_row(const rollers *r, const meeting *m, const pair_row *row, double *out) {
  int parts[2 * OWN];
  const int count = parts_of(r, m, parts);
  for (int k = 0; k < count; k++) {
    const int first = r->parts->first[parts[k]];
    for (int i = first; i < first + r->parts->size[parts[k]]; i++)
      *out++ = i / OWN == m->ball ? row->own[i % OWN] : i / OWN == m->other ? row->other[i % OWN] : 0;
  }
  return out;
}

static double scale_of(const rollers *r, int ball) { return ball == 0 && r->scale > 0 ? r->scale : 1; }

/* Rows of W^T: along the normal, and along the tangent (-ny, nx) with the surfaces' motion. */
static double *write_directions(const rollers *r, const meeting *m, double *W) {
  const double x = scale_of(r, m->ball), other_x = scale_of(r, m->other);
  const pair_row normal = {{x * m->nx, m->ny, 0}, {-other_x * m->nx, -m->ny, 0}};
  const pair_row slip = {{-x * m->ny, m->nx, -m->radius}, {other_x * m->ny, -m->nx, -m->other_radius}};
  W = write_row(r, m, &normal, W);
  return r->mu > 0 ? write_row(r, m, &slip, W) : W;
}

/* The row of the rolling law. */
static double *write_rolling(const rollers *r, const meeting *m, double *W) {
  return write_row(r, m, &(pair_row){{0, 0, 1}, {0, 0, -1}}, W);
}

static double *write_gap_slopes(const rollers *r, const meeting *m, double *out) {
  return write_row(r, m, &(pair_row){{m->nx, m->ny, 0}, {-m->nx, -m->ny, 0}}, out);
}

/* d(W^T u)/dq: the normal turns with the positions. */
static double *write_velocity_slopes(const rollers *r, const meeting *m, const double *u, double *out) {
  double vx = scale_of(r, m->ball) * u[OWN * m->ball], vy = u[OWN * m->ball + 1];
  if (m->other >= 0) {
    vx -= scale_of(r, m->other) * u[OWN * m->other];
    vy -= u[OWN * m->other + 1];
  }
  const double xx = (1 - m->nx * m->nx) / m->d, xy = -m->nx * m->ny / m->d, yy = (1 - m->ny * m->ny) / m->d;
  const double slopes[2][2] = {{xx * vx + xy * vy, xy * vx + yy * vy}, {-xy * vx + xx * vy, -yy * vx + xy * vy}};
  for (int k = 0; k < (r->mu > 0 ? 2 : 1); k++)
    out = write_row(r, m, &(pair_row){{slopes[k][0], slopes[k][1], 0}, {-slopes[k][0], -slopes[k][1], 0}}, out);
  return out;
}

/* --- fixed laws --------------------------------------------------------------------------------------------------- */

static picus_status no_work(const void *self, picus_context *c, void **work) {
  (void)self, (void)c;
  *work = NULL;
  return PICUS_OK;
}
static void no_work_destroy(const void *self, picus_context *c, void *work) { (void)self, (void)c, (void)work; }
static picus_status nothing(const void *self, picus_context *c, const source_point *point, double *out) {
  (void)self, (void)c, (void)point, (void)out;
  return PICUS_OK;
}
static picus_status no_energy(const void *self, picus_context *c, const source_point *point, double *T, double *V) {
  (void)self, (void)c, (void)point;
  *T = *V = 0;
  return PICUS_OK;
}
static void no_destroy(void *self, picus_context *c) { (void)self, (void)c; }

static picus_status fixed_gaps(const void *self, picus_context *c, const source_point *point, double *gap) {
  const rollers *r = self;
  (void)c;
  const int laws = r->rolling > 0 ? 2 : 1;
  for (int i = 0; i < rollers_pairs(r); i++) gap[laws * i] = meet(r, point->system_q, i).gap;
  return PICUS_OK;
}
static picus_status fixed_directions(const void *self, picus_context *c, const source_point *point, double *W,
                                     double *chi) {
  const rollers *r = self;
  (void)c;
  for (int i = 0; i < rollers_pairs(r); i++) {
    const meeting m = meet(r, point->system_q, i);
    W = write_directions(r, &m, W);
    if (r->rolling > 0) W = write_rolling(r, &m, W);
    for (int k = 0; k < 1 + (r->mu > 0) + (r->rolling > 0); k++) *chi++ = 0;
  }
  return PICUS_OK;
}
static picus_status fixed_gap_jacobian(const void *self, picus_context *c, const source_point *point, double *dg_dq) {
  const rollers *r = self;
  (void)c;
  for (int i = 0; i < rollers_pairs(r); i++) {
    const meeting m = meet(r, point->system_q, i);
    const double *own = dg_dq;
    dg_dq = write_gap_slopes(r, &m, dg_dq);
    if (r->rolling > 0) dg_dq += dg_dq - own; /* zeros: the rolling law has no gap */
  }
  return PICUS_OK;
}
static picus_status fixed_velocity_jacobian(const void *self, picus_context *c, const source_point *point,
                                            double *dgamma_dq) {
  const rollers *r = self;
  (void)c;
  for (int i = 0; i < rollers_pairs(r); i++) {
    const meeting m = meet(r, point->system_q, i);
    dgamma_dq = write_velocity_slopes(r, &m, point->system_u, dgamma_dq);
    if (r->rolling > 0) dgamma_dq = write_row(r, &m, &(pair_row){{0}, {0}}, dgamma_dq);
  }
  return PICUS_OK;
}

/* --- laws that come and go ---------------------------------------------------------------------------------------- */

static picus_status list_pair(const rollers *r, const meeting *m, int pair, appearing_laws *list) {
  int parts[2 * OWN];
  const system_law law = {.data = {.kind = r->mu > 0 ? PICUS_COULOMB : PICUS_UNILATERAL,
                                   .slips = 1,
                                   .mu = r->mu,
                                   .eN = r->eN,
                                   .eF = r->eF,
                                   .rolling = r->rolling},
                          .key = rollers_key(r, r->repeat_key ? 0 : pair),
                          .members = {pair},
                          .rolls = r->rolling > 0,
                          .part_count = parts_of(r, m, parts),
                          .parts = parts};
  return picus_appearing_laws_add(list, &law);
}

static picus_status list_again(const void *self, const system_law *law, appearing_laws *list, bool *known) {
  const rollers *r = self;
  const int pair = law->members[0];
  *known = pair >= 0 && pair < rollers_pairs(r) && law->key == rollers_key(r, pair);
  if (!*known) return PICUS_OK;
  meeting m = {0};
  bodies_of(r, pair, &m.ball, &m.other);
  return list_pair(r, &m, pair, list);
}

static picus_status collide(const void *self, picus_context *c, const source_point *point, double dt,
                            appearing_laws *list) {
  const rollers *r = self;
  (void)c;
  picus_status status = PICUS_OK;
  for (int i = 0; !status && i < rollers_pairs(r); i++) {
    const meeting m = meet(r, point->system_q, i);
    if (m.gap > r->margin + dt * r->speed) continue;
    status = list_pair(r, &m, i, list);
  }
  return status;
}

static void name(const void *self, const system_law *law, char *text, size_t size) {
  int ball, other;
  bodies_of(self, law->members[0], &ball, &other);
  if (other < 0)
    snprintf(text, size, "ball%d-roller%d", ball, -1 - other);
  else
    snprintf(text, size, "ball%d-ball%d", ball, other);
}

static bool is_rolling(const present_laws *laws, int i) { return laws->laws[i].data.kind == PICUS_ROLLING; }

static picus_status gaps(const void *self, picus_context *c, const source_point *point, const present_laws *laws,
                         double *gap) {
  (void)c;
  for (int i = 0; i < laws->count; i++)
    gap[i] = is_rolling(laws, i) ? 0 : meet(self, point->system_q, laws->laws[i].members[0]).gap;
  return PICUS_OK;
}
static picus_status directions(const void *self, picus_context *c, const source_point *point, const present_laws *laws,
                               double *W, double *chi) {
  (void)c, (void)chi;
  const rollers *r = self;
  if (r->searches) *r->searches += laws->count;
  for (int i = 0; i < laws->count; i++) {
    const meeting m = meet(self, point->system_q, laws->laws[i].members[0]);
    double *own = W + laws->laws[i].W0 - laws->laws[0].W0;
    if (is_rolling(laws, i))
      write_rolling(self, &m, own);
    else
      write_directions(self, &m, own);
  }
  return PICUS_OK;
}
static picus_status gap_jacobian(const void *self, picus_context *c, const source_point *point,
                                 const present_laws *laws, double *dg_dq) {
  (void)c;
  for (int i = 0; i < laws->count; i++) {
    const meeting m = meet(self, point->system_q, laws->laws[i].members[0]);
    if (is_rolling(laws, i)) continue;
    write_gap_slopes(self, &m, dg_dq + laws->laws[i].gap_q0 - laws->laws[0].gap_q0);
  }
  return PICUS_OK;
}
static picus_status velocity_jacobian(const void *self, picus_context *c, const source_point *point,
                                      const present_laws *laws, double *dgamma_dq) {
  (void)c;
  for (int i = 0; i < laws->count; i++) {
    const meeting m = meet(self, point->system_q, laws->laws[i].members[0]);
    if (is_rolling(laws, i)) continue;
    write_velocity_slopes(self, &m, point->system_u, dgamma_dq + laws->laws[i].Q0 - laws->laws[0].Q0);
  }
  return PICUS_OK;
}

/* The point is in the middle of the gap; the rollers do not move. */
static picus_status place(const void *self, picus_context *c, const source_point *point, const present_laws *laws,
                          law_place *places) {
  const rollers *r = self;
  (void)c;
  for (int i = 0; i < laws->count; i++) {
    const meeting m = meet(r, point->system_q, laws->laws[i].members[0]);
    const double *own = point->system_q + OWN * m.ball, reach = m.radius + m.gap / 2;
    places[i] = (law_place){.point = {own[0] - reach * m.nx, own[1] - reach * m.ny},
                            .normal = {m.nx, m.ny},
                            .tangent = {r->mu > 0 ? -m.ny : 0, r->mu > 0 ? m.nx : 0},
                            .body = {m.ball, m.other}};
  }
  return PICUS_OK;
}
static int body_count(const void *self) { return ((const rollers *)self)->balls; }
static const char *body_name(const void *self, int body) {
  static const char names[BALLS_MOST][8] = {
      "ball0",  "ball1",  "ball2",  "ball3",  "ball4",  "ball5",  "ball6",  "ball7",  "ball8",  "ball9",
      "ball10", "ball11", "ball12", "ball13", "ball14", "ball15", "ball16", "ball17", "ball18", "ball19",
      "ball20", "ball21", "ball22", "ball23", "ball24", "ball25", "ball26", "ball27", "ball28", "ball29",
      "ball30", "ball31", "ball32", "ball33", "ball34", "ball35", "ball36", "ball37", "ball38", "ball39"};
  (void)self;
  return names[body];
}

/* --- the system --------------------------------------------------------------------------------------------------- */

static const appearing_ops appearing = {.collide = collide,
                                        .list_again = list_again,
                                        .name = name,
                                        .gaps = gaps,
                                        .directions = directions,
                                        .gap_jacobian = gap_jacobian,
                                        .velocity_jacobian = velocity_jacobian,
                                        .place = place,
                                        .body_count = body_count,
                                        .body_name = body_name};
#define COMMON                                                                                                         \
  .kind = "rollers", .work_create = no_work, .work_destroy = no_work_destroy, .rate = nothing, .force = nothing,       \
  .energy = no_energy, .destroy = no_destroy
static const source_ops fixed_ops = {COMMON, .gaps = fixed_gaps, .directions = fixed_directions,
                                     .gap_jacobian = fixed_gap_jacobian, .velocity_jacobian = fixed_velocity_jacobian};
static const source_ops appearing_source = {COMMON, .gaps = nothing, .appearing = &appearing};

typedef struct text_writer {
  char *at, *end;
} text_writer;

static void say(text_writer *w, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  w->at += vsnprintf(w->at, (size_t)(w->end - w->at), format, arguments);
  va_end(arguments);
}

static void say_coordinates(text_writer *w, const rollers *r) {
  say(w, "local q, u = coordinates {\n");
  for (int i = 0; i < r->balls; i++)
    say(w,
        "{'x%d', velocity = 'vx%d', start = {%.17g, %.17g}}, {'y%d', velocity = 'vy%d', start = {%.17g, %.17g}}, "
        "{'phi%d', velocity = 'w%d'},\n",
        i, i, r->ball_x[i], r->ball_vx[i], i, i, r->ball_y[i], r->ball_vy[i], i, i);
  say(w, "}\n");
}

/* With x0' = scale vx0: velocities are then no derivatives. */
static void say_scaled(text_writer *w, const rollers *r) {
  say(w, "local q, u = coordinates {\n");
  for (int i = 0; i < r->balls; i++)
    say(w, "{'x%d', start = %.17g}, {'y%d', start = %.17g}, {'phi%d', start = 0},\n", i, r->ball_x[i], i, r->ball_y[i],
        i);
  say(w, "}\nvelocities {\n");
  for (int i = 0; i < r->balls; i++)
    say(w, "{'vx%d', start = %.17g}, {'vy%d', start = %.17g}, {'w%d', start = 0},\n", i, r->ball_vx[i] / scale_of(r, i),
        i, r->ball_vy[i], i);
  say(w, "}\nrates {");
  for (int i = 0; i < r->balls; i++)
    say(w, "x%d = %.17g * u.vx%d, y%d = u.vy%d, phi%d = u.w%d, ", i, scale_of(r, i), i, i, i, i, i);
  say(w, "}\n");
}

static picus_status load_balls(picus_context *context, const rollers *r, picus_model **model) {
  const size_t size = 1024 + 1024 * (size_t)r->balls;
  char *text = malloc(size);
  if (!text) return PICUS_ERROR_MEMORY;
  text_writer w = {text, text + size};
  if (r->scale > 0)
    say_scaled(&w, r);
  else
    say_coordinates(&w, r);
  for (int i = 0; i < r->balls; i++) {
    const double scale = scale_of(r, i);
    if (r->scale > 0) { /* of one ball */
      say(&w, "mass {{%.17g, 0, 0}, {0, 1, 0}, {0, 0, 0.04}}\n", scale * scale);
      say(&w, "force_vector {%.17g, -9.81, 0}\n", 0.5 * scale);
    } else {
      say(&w, "kinetic((u.vx%d^2 + u.vy%d^2) / 2 + 0.02 * u.w%d^2)\n", i, i, i);
      say(&w, "potential(9.81 * q.y%d - 0.5 * q.x%d)\n", i, i);
    }
  }
  if (r->wall) say(&w, "contact {'wall', gap = 2.5 - q.x0, eN = 0.5}\n");
  for (int i = 0; r->drawn && i < r->balls; i++)
    say(&w, "draw {'circle', {q.x%d, q.y%d}, radius = %.17g, fill = 'blue', name = 'ball%d'}\n", i, i, r->ball_radius,
        i);
  say(&w, "simulate {dt = 1e-3, t_end = 1}\n");
  picus_status status = picus_model_load_text(context, "balls.lua", text, strlen(text), NULL, model);
  free(text);
  return status;
}

static picus_status name_law(picus_context *context, const char *text, const meeting *m, const rollers *r,
                             system_law *law) {
  int parts[2 * OWN];
  law->part_count = parts_of(r, m, parts);
  law->parts = picus_allocate(context, (size_t)law->part_count, sizeof *law->parts);
  if (!law->parts) return PICUS_ERROR_MEMORY;
  memcpy(law->parts, parts, (size_t)law->part_count * sizeof *parts);
  law->name = picus_copy_text(context, text);
  return law->name ? PICUS_OK : PICUS_ERROR_MEMORY;
}

/* One fixed law for each pair, after those of the model, or two. */
static picus_status name_pairs(picus_context *context, const rollers *r, picus_system *s, int own) {
  picus_status status = PICUS_OK;
  system_law *law = &s->fixed.laws[own];
  for (int i = 0; !status && i < rollers_pairs(r); i++) {
    char text[PICUS_LAW_NAME];
    const meeting m = meet(r, s->q_start, i);
    name(r, &(system_law){.members = {i}}, text, sizeof text);
    law->data = (picus_system_law){.kind = r->mu > 0 ? PICUS_COULOMB : PICUS_UNILATERAL,
                                   .has_gap = true,
                                   .slips = r->mu > 0,
                                   .mu = r->mu,
                                   .eN = r->eN,
                                   .eF = r->eF};
    status = name_law(context, text, &m, r, law++);
    if (status || !(r->rolling > 0)) continue;
    strncat(text, "_rolling", sizeof text - 1 - strlen(text));
    law->data = (picus_system_law){.kind = PICUS_ROLLING, .slips = 1, .rolling = r->rolling};
    status = name_law(context, text, &m, r, law++);
  }
  return status;
}

/* A source without parts, after that of the balls. */
static picus_status add_source(picus_context *context, const rollers *r, picus_system *s) {
  const int own = s->fixed.law_count, pairs = r->appear ? 0 : (r->rolling > 0 ? 2 : 1) * rollers_pairs(r);
  system_source *sources = picus_reallocate(context, s->sources, 2, sizeof *sources);
  if (!sources) return PICUS_ERROR_MEMORY;
  s->sources = sources;
  system_law *laws = picus_reallocate(context, s->fixed.laws, (size_t)(own + pairs), sizeof *laws);
  if (!laws) return PICUS_ERROR_MEMORY;
  s->fixed.laws = laws;
  s->fixed.law_count = own + pairs;
  s->sources[1] = (system_source){.ops = r->appear ? &appearing_source : &fixed_ops,
                                  .self = (void *)(uintptr_t)r,
                                  .part0 = s->part_count,
                                  .law_count = pairs};
  s->source_count = 2;
  r->parts->count = s->part_count;
  for (int p = 0; p < s->part_count; p++) {
    r->parts->first[p] = s->parts[p].u0;
    r->parts->size[p] = s->parts[p].nu;
  }
  picus_status status = picus_system_layout_parts(s);
  if (!status && !r->appear) status = name_pairs(context, r, s, own);
  if (!status) status = picus_system_layout_laws(s);
  return status ? status : picus_system_check_start(s, NULL);
}

picus_status rollers_system(picus_context *context, const rollers *r, picus_model **model, picus_system **out) {
  *model = NULL;
  *out = NULL;
  picus_status status = load_balls(context, r, model);
  if (!status) status = picus_system_create(*model, out);
  return status ? status : add_source(context, r, *out);
}
