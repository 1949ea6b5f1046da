/* Contacts between shapes: poses of bodies and frames, collision detection before each step, and the laws it finds. */
#include "base/elementary.h"
#include "source/model_sources.h"

#include "base/tasks.h"
#include "formulas/switch_formulas.h"
#include "model/internal.h"
#include "source/shapes_source.h"
#include "system/law_set.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A contact with at most this gap takes part: round-off must not drop a contact at rest. */
static const double closed_gap = 1e-9;
/* An overlap of at most this depth may remain at the end of a step. */
static const double deepest_gap = 1e-10;
/* Contacts are listed from this distance on, relative to the size of the body: forces may change velocities within a
 * step. */
static const double relative_margin = 0.01;

/* --- motions -------------------------------------------------------------------------------------------------- */

static v3 vector_at(const double *x) { return (v3){x[0], x[1], x[2]}; }

static void turn_planar(double phi, picus_pose *pose) {
  const double c = picus_cos(phi), s = picus_sin(phi);
  pose->axis[0] = (v3){c, s, 0};
  pose->axis[1] = (v3){-s, c, 0};
}

/* The columns of R = R_h(p) / |p|^2. */
static void turn_spatial(const double *p, picus_pose *pose) {
  const double s = 2 / (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
  const double xx = p[1] * p[1], yy = p[2] * p[2], zz = p[3] * p[3];
  const double xy = p[1] * p[2], yz = p[2] * p[3], zx = p[3] * p[1];
  const double x = p[0] * p[1], y = p[0] * p[2], z = p[0] * p[3];
  pose->axis[0] = (v3){1 - s * (yy + zz), s * (xy + z), s * (zx - y)};
  pose->axis[1] = (v3){s * (xy - z), 1 - s * (zz + xx), s * (yz + x)};
  pose->axis[2] = (v3){s * (zx + y), s * (yz - x), 1 - s * (xx + yy)};
}

static void place_body(const shape_carrier *c, const source_point *point, shape_motion *m) {
  const double *q = point->system_q + c->q0, *u = point->system_u + c->u0;
  *m = (shape_motion){.pose = picus_pose_identity()};
  m->pose.origin = (v3){q[0], q[1], c->axes > 2 ? q[2] : 0};
  m->velocity = (v3){u[0], u[1], c->axes > 2 ? u[2] : 0};
  if (c->turns == CARRIER_TURNS_IN_PLANE) {
    turn_planar(q[c->axes], &m->pose);
    m->spin = (v3){0, 0, u[c->axes]};
  } else if (c->turns == CARRIER_TURNS_IN_SPACE) {
    turn_spatial(q + c->axes, &m->pose);
    m->spin = pose_direction(&m->pose, vector_at(u + c->axes));
  }
}

static void place_frame(const double *values, shape_motion *m) {
  const double *R = values + 3;
  m->pose = (picus_pose){vector_at(values), {{R[0], R[3], R[6]}, {R[1], R[4], R[7]}, {R[2], R[5], R[8]}}};
  m->velocity = vector_at(values + 12);
  m->spin = pose_direction(&m->pose, vector_at(values + 15));
  m->acceleration = vector_at(values + 18);
  m->spin_increase = pose_direction(&m->pose, vector_at(values + 21));
}

static void run_frames(const shapes_source *s, const source_point *point, shapes_work *w) {
  if (!s->tape) return;
  w->registers[0] = point->t;
  for (int i = 0; i < s->input_count; i++) {
    const formula_input *at = &s->inputs[i];
    w->registers[at->value] = point->inputs[i].value;
    if (at->rate < 0) continue;
    w->registers[at->rate] = point->inputs[i].rate;
    w->registers[at->since] = point->inputs[i].since;
  }
  picus_switches_load(s->system, point->sides, w->registers);
  picus_tape_run(s->tape, 0, w->registers);
  picus_tape_read(s->tape, 0, w->registers, w->frames);
}

/* Work on carriers, which are independent of each other. */
typedef struct carrier_work {
  const shapes_source *source;
  const source_point *point;
  double dt;
} carrier_work;
static void place_carriers(void *user, int first, int end) {
  const carrier_work *work = user;
  shapes_work *w = work->point->work;
  for (int k = first; k < end; k++) {
    const shape_carrier *c = &work->source->carriers[k];
    if (c->frame < 0) place_body(c, work->point, &w->motions[k]);
    if (c->frame >= 0 && !c->fixed) place_frame(w->frames + CARRIER_NUMBERS * (size_t)c->frame, &w->motions[k]);
    if (c->fixed) w->motions[k] = c->rest;
  }
}

/* The motions of all carriers at the point. */
static picus_status find_motions(const shapes_source *s, picus_context *context, const source_point *point) {
  shapes_work *w = point->work;
  if (w->placed) return PICUS_OK;
  run_frames(s, point, w);
  carrier_work work = {.source = s, .point = point};
  picus_status status = picus_tasks_over(context, s->carrier_count, PICUS_TASK_OF_ROWS, place_carriers, &work);
  w->placed = !status;
  return status;
}

static void set_point(const void *self, const source_point *point) {
  (void)self;
  shapes_work *w = point->work;
  w->placed = false;
  w->known_count = 0;
}

/* --- detection ------------------------------------------------------------------------------------------------ */

/* The largest distance of a point of a body from the origin of a frame: beyond it no part of a half-space meets one. */
static double farthest_from(const shapes_source *s, const shapes_work *w, v3 origin) {
  double farthest = 0;
  for (int k = 0; k < s->carrier_count; k++) {
    const shape_carrier *c = &s->carriers[k];
    if (c->frame < 0) farthest = fmax(farthest, v3_length(v3_sub(w->motions[k].pose.origin, origin)) + c->reach);
  }
  return farthest;
}

/* The way of the points of a turning carrier by its spin and its increase within dt. */
static double turned_way(const shapes_source *s, const shapes_work *w, int k, double dt) {
  const shape_motion *m = &w->motions[k];
  const double angle = dt * (2 * v3_length(m->spin) + dt * v3_length(m->spin_increase));
  if (angle == 0) return 0;
  return angle * (isfinite(s->carriers[k].reach) ? s->carriers[k].reach : farthest_from(s, w, m->pose.origin));
}

/* How far the points of a carrier move at most within dt, beside forces: the margin. Bodies have no acceleration but
 * their weight; that of frames is known. */
static double margin_of(const shapes_source *s, const shapes_work *w, int k, double dt) {
  const shape_carrier *c = &s->carriers[k];
  const shape_motion *m = &w->motions[k];
  const double way = dt * (2 * v3_length(m->velocity) + dt * (c->gravity + v3_length(m->acceleration)));
  return closed_gap + relative_margin * c->size + way + turned_way(s, w, k, dt);
}

/* Bodies of a step that have moved further than their thickness, and may have passed through others. */
typedef struct long_ways {
  int body, others; /* the one that moved furthest, and the number of others; body -1: none */
  double way;
} long_ways;

/* Each body counts once in the life of an evaluation. */
static void check_way(const shapes_source *s, shapes_work *w, int k, long_ways *found) {
  const shape_carrier *c = &s->carriers[k];
  const double way = v3_length(v3_sub(w->motions[k].pose.origin, w->last[k]));
  if (w->warned[k] || !(c->size > 0) || way <= c->size) return;
  w->warned[k] = true;
  if (found->body >= 0) found->others++;
  if (found->body >= 0 && way <= found->way) return;
  found->body = k;
  found->way = way;
}

static void tell_ways(const shapes_source *s, picus_context *context, const long_ways *found) {
  const shape_carrier *c = &s->carriers[found->body];
  char others[64] = "";
  if (found->others > 0)
    snprintf(others, sizeof others, ", as %d other%s did", found->others, found->others > 1 ? " bodies" : " body");
  picus_log(context, PICUS_LOG_WARNING,
            "'%s' moved by %.3g m in one step, more than its thickness of %.3g m%s; it may have passed through other "
            "bodies: use smaller steps",
            c->name, found->way, c->size, others);
}

/* Whether the last detection was made for the step that ends here. */
static bool follows_last(const source_point *point) {
  const shapes_work *w = point->work;
  const double passed = point->t - w->last_t;
  return passed > 0 && passed <= (1 + 1e-9) * w->last_dt;
}

static void check_ways(const shapes_source *s, picus_context *context, const source_point *point, double dt) {
  shapes_work *w = point->work;
  const bool follows = follows_last(point);
  long_ways found = {.body = -1};
  for (int k = 0; k < s->carrier_count; k++) {
    if (follows && !w->looks_inside) check_way(s, w, k, &found);
    w->last[k] = w->motions[k].pose.origin;
  }
  if (found.body >= 0) tell_ways(s, context, &found);
  w->last_t = point->t;
  w->last_dt = dt;
}

/* Two frames do not touch. */
static bool can_act(const shapes_source *s, const picus_touch *touch) {
  return s->carriers[s->carrier_of[touch->a]].frame < 0 || s->carriers[s->carrier_of[touch->b]].frame < 0;
}

static bool has_pair(const shapes_work *w, uint64_t pair) {
  size_t low = 0, high = w->pair_count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (w->pairs[middle] < pair)
      low = middle + 1;
    else
      high = middle;
  }
  return low < w->pair_count && w->pairs[low] == pair;
}

/* A pair that overlaps and was not in the last list met within the step although it was outside of the margin: forces
 * that are large relative to the weight. Once in the life of an evaluation. */
static void check_pair(const shapes_source *s, picus_context *context, shapes_work *w, const picus_touch *touch) {
  if (w->warned_of_pair || touch->geometry.gap >= -deepest_gap || !can_act(s, touch) || has_pair(w, touch->pair))
    return;
  w->warned_of_pair = true;
  picus_log(context, PICUS_LOG_WARNING,
            "'%s' and '%s' overlap by %.3g m: they met within one step although they were far apart at its start; "
            "forces are large for this step size: use smaller steps, or a scheme at position level such as rattle",
            s->carriers[s->carrier_of[touch->a]].name, s->carriers[s->carrier_of[touch->b]].name, -touch->geometry.gap);
}

/* The pairs of this detection, for the next one; follows: the last one was a step ago. */
static picus_status check_pairs(const shapes_source *s, picus_context *context, shapes_work *w, bool follows,
                                const picus_touches *found) {
  for (int k = 0; follows && k < found->count; k++) check_pair(s, context, w, &found->at[k]);
  w->pair_count = 0;
  for (int k = 0; k < found->count; k++) {
    if (w->pair_count > 0 && w->pairs[w->pair_count - 1] == found->at[k].pair) continue;
    picus_status status = picus_grow(context, &w->pairs, w->pair_count, &w->pair_capacity, sizeof *w->pairs);
    if (status) return status;
    w->pairs[w->pair_count++] = found->at[k].pair;
  }
  return PICUS_OK;
}

static picus_status prepare(const shapes_source *s, picus_context *context, shapes_work *w) {
  if (w->collision) return PICUS_OK;
  const picus_collision_def def = {.colliders = s->colliders,
                                   .collider_count = s->collider_count,
                                   .body_count = s->moving_count,
                                   .apart = s->apart,
                                   .apart_count = s->apart_count};
  return picus_collision_create(context, &def, &w->collision);
}

/* Poses and margins of the bodies that move. */
static void give_poses(void *user, int first, int end) {
  const carrier_work *work = user;
  const shapes_work *w = work->point->work;
  for (int k = first; k < end; k++) {
    const shape_carrier *c = &work->source->carriers[k];
    if (c->moving < 0) continue;
    w->poses[c->moving] = w->motions[k].pose;
    w->margins[c->moving] = work->dt >= 0 ? margin_of(work->source, w, k, work->dt) : 0;
  }
}

/* Whether bodies, their velocities and the step are those of the last detection. Where frames move, this is not known.
 */
static bool is_detected(const shapes_source *s, const source_point *point, double dt) {
  const last_detection *last = &((const shapes_work *)point->work)->detected;
  return last->known && !s->tape && last->dt == dt && picus_equal(s->system->nq, point->system_q, last->q) &&
         picus_equal(s->system->nu, point->system_u, last->u);
}

static picus_status detect_anew(const shapes_source *s, picus_context *context, const source_point *point, double dt) {
  shapes_work *w = point->work;
  last_detection *last = &w->detected;
  carrier_work work = {.source = s, .point = point, .dt = dt};
  last->known = false;
  picus_status status = picus_tasks_over(context, s->carrier_count, PICUS_TASK_OF_ROWS, give_poses, &work);
  if (!status) status = picus_collision_detect(w->collision, w->poses, w->margins, &last->found);
  if (status) return status;
  last->known = true;
  last->dt = dt;
  picus_copy(s->system->nq, point->system_q, last->q);
  picus_copy(s->system->nu, point->system_u, last->u);
  return PICUS_OK;
}

/* What touches within the margins of a step of dt; -1: without margins. */
static picus_status detect(const shapes_source *s, picus_context *context, const source_point *point, double dt,
                           picus_touches *out) {
  shapes_work *w = point->work;
  picus_status status = prepare(s, context, w);
  if (!status) status = find_motions(s, context, point);
  if (!status && !is_detected(s, point, dt)) status = detect_anew(s, context, point, dt);
  if (!status) *out = w->detected.found;
  return status;
}

/* The same for a step that begins here. */
static picus_status detect_for_step(const shapes_source *s, picus_context *context, const source_point *point,
                                    double dt, picus_touches *out) {
  shapes_work *w = point->work;
  picus_status status = detect(s, context, point, dt, out);
  if (status || dt <= 0) return status;
  status = check_pairs(s, context, w, follows_last(point), out);
  if (!status) check_ways(s, context, point, dt);
  return status;
}

/* Members of a law: the colliders that touch, and the pair of their features. */
static uint64_t feature_of(const system_law *law) {
  uint64_t feature;
  memcpy(&feature, &law->members[2], sizeof feature);
  return feature;
}

/* The parts that hold velocities of a carrier or of both, increasing. */
static int merge_parts(const shapes_source *s, const picus_touch *touch, int *parts) {
  const shape_carrier *a = &s->carriers[s->carrier_of[touch->a]], *b = &s->carriers[s->carrier_of[touch->b]];
  int i = 0, j = 0, count = 0;
  while (i < a->part_count || j < b->part_count) {
    const int p = i < a->part_count ? a->part0 + i : INT32_MAX, r = j < b->part_count ? b->part0 + j : INT32_MAX;
    parts[count++] = p < r ? p : r;
    i += p <= r;
    j += r <= p;
  }
  return count;
}

static const shape_material *material_of(const shapes_source *s, int a, int b) {
  return &s->materials[s->material_of[a] * s->material_count + s->material_of[b]];
}

static picus_status add_touch(const shapes_source *s, const picus_touch *touch, appearing_laws *list) {
  int parts[2 * CARRIER_PARTS];
  const shape_material *m = material_of(s, touch->a, touch->b);
  const bool rolls = m->rolling > 0 || m->can_roll;
  system_law law = {.data = {.kind = m->has_friction ? PICUS_COULOMB : PICUS_UNILATERAL,
                             .slips = s->planar            ? 1
                                      : m->spin_factor > 0 ? 3
                                                           : 2,
                             .mu = m->mu,
                             .eN = m->eN,
                             .eF = m->eF,
                             .impact = m->impact,
                             .adhesion = m->adhesion,
                             .rolling = m->rolling,
                             .varies = m->varying > 0},
                    .key = picus_touch_key(touch),
                    .members = {touch->a, touch->b},
                    .rolls = !rolls      ? 0
                             : s->planar ? 1
                                         : 2,
                    .slack = closed_gap,
                    .part_count = merge_parts(s, touch, parts),
                    .parts = parts};
  memcpy(&law.members[2], &touch->feature, sizeof touch->feature);
  return picus_appearing_laws_add(list, &law);
}

static picus_status collide(const void *self, picus_context *context, const source_point *point, double dt,
                            appearing_laws *list) {
  const shapes_source *s = self;
  shapes_work *w = point->work;
  picus_touches found;
  w->looks_inside = list->looks_inside;
  picus_status status = detect_for_step(s, context, point, dt, &found);
  for (int k = 0; !status && k < found.count; k++)
    if (can_act(s, &found.at[k])) status = add_touch(s, &found.at[k], list);
  return status;
}

/* At the end of a step: with the margins of the next one, which most often is as long and asks for no other detection.
 */
static picus_status overlaps(const void *self, picus_context *context, const source_point *point,
                             appearing_laws *list) {
  const shapes_source *s = self;
  picus_touches found;
  picus_status status = detect(s, context, point, ((shapes_work *)point->work)->last_dt, &found);
  for (int k = 0; !status && k < found.count; k++)
    if (can_act(s, &found.at[k]) && found.at[k].geometry.gap < -deepest_gap) status = add_touch(s, &found.at[k], list);
  return status;
}

/* The feature of a contact is one of the pair of shapes that it names; so is the key. */
static picus_status list_again(const void *self, const system_law *law, appearing_laws *list, bool *known) {
  const shapes_source *s = self;
  const int a = law->members[0], b = law->members[1];
  *known = false;
  if (a < 0 || b < 0 || a >= s->collider_count || b >= s->collider_count || s->carrier_of[a] == s->carrier_of[b])
    return PICUS_OK;
  const picus_collider *ca = &s->colliders[a], *cb = &s->colliders[b];
  picus_touch touch = {.feature = feature_of(law), .a = a, .b = b};
  touch.pair = picus_touch_pair(ca, cb);
  *known = picus_touch_key(&touch) == law->key && can_act(s, &touch) &&
           picus_features_can_touch(ca->shape, cb->shape, picus_feature_unpack(touch.feature));
  return *known ? add_touch(s, &touch, list) : PICUS_OK;
}

static int say_shape(const shapes_source *s, int collider, char *text, size_t size) {
  const shape_carrier *c = &s->carriers[s->carrier_of[collider]];
  if (c->collider_count == 1) return snprintf(text, size, "%.22s", c->name);
  return snprintf(text, size, "%.18s.%d", c->name, s->number_of[collider]);
}

/* Features that a shape has only one of need no number. */
static void say_feature(const picus_shape *shape, picus_feature f, char *text, size_t size) {
  static const char letters[] = {
      [FEATURE_VERTEX] = 'v', [FEATURE_EDGE] = 'e', [FEATURE_FACE] = 'f', [FEATURE_RIM] = 'r', [FEATURE_SIDE] = 's'};
  const bool alone =
      shape->core == CORE_HALF_SPACE || shape->core == CORE_ELLIPSOID || shape->polytope.vertex_count == 1;
  text[0] = '\0';
  if (!alone) snprintf(text, size, "%c%d", letters[f.kind], f.index + 1);
}

/* "crate/floor:v3": corner 3 of the crate on the floor. */
static void name(const void *self, const system_law *law, char *text, size_t size) {
  const shapes_source *s = self;
  const feature_pair f = picus_feature_unpack(feature_of(law));
  char a[32], b[32], of_a[16], of_b[16];
  say_shape(s, law->members[0], a, sizeof a);
  say_shape(s, law->members[1], b, sizeof b);
  say_feature(s->colliders[law->members[0]].shape, f.a, of_a, sizeof of_a);
  say_feature(s->colliders[law->members[1]].shape, f.b, of_b, sizeof of_b);
  snprintf(text, size, "%s/%s%s%s%s", a, b, of_a[0] || of_b[0] ? ":" : "", of_a, of_b);
}

/* --- laws that are present ------------------------------------------------------------------------------------ */

/* The surface of a collider that moves, in the inertial frame. */
static touch_surface surface_of(const shapes_source *s, const shapes_work *w, int collider) {
  const double *x =
      w->frames + CARRIER_NUMBERS * (size_t)s->frame_count + SURFACE_NUMBERS * (size_t)(s->surface_of[collider] - 1);
  const picus_pose *body = &w->motions[s->carrier_of[collider]].pose, *own = &s->frames[collider];
  const v3 axis = pose_direction(body, own->axis[2]);
  return (touch_surface){.velocity = pose_direction(body, vector_at(x)),
                         .increase = pose_direction(body, vector_at(x + 4)),
                         .spin = v3_scale(x[3], axis),
                         .spin_increase = v3_scale(x[7], axis),
                         .origin = pose_point(body, own->origin)};
}

static void find_touching(const shapes_source *s, const shapes_work *w, const system_law *law, touching *out) {
  out->has_surface = false;
  out->feature = picus_feature_unpack(feature_of(law));
  for (int side = 0; side < 2; side++) {
    const int collider = law->members[side], carrier = s->carrier_of[collider];
    out->shape[side] = s->colliders[collider].shape;
    out->frame[side] = s->is_home[collider] ? NULL : &s->frames[collider];
    out->motion[side] = &w->motions[carrier];
    const bool moves = s->surface_count > 0 && s->surface_of[collider] > 0;
    out->surface[side] = moves ? surface_of(s, w, collider) : (touch_surface){.velocity = {0, 0, 0}};
    out->has_surface = out->has_surface || moves;
    out->driven[side] = s->carriers[carrier].frame >= 0;
  }
  out->spin_factor = material_of(s, law->members[0], law->members[1])->spin_factor;
}

/* The row of a touch that is the first one of a law; a rolling law has no gap. */
static bool is_rolling(const system_law *law) { return law->data.kind == PICUS_ROLLING; }
static int first_row(const system_law *law) { return is_rolling(law) ? TOUCH_ROLL : 0; }

/* Gaps, directions or places of laws, which are independent of each other. */
typedef struct law_work {
  const shapes_source *source;
  const shapes_work *shapes;
  const present_laws *laws;
  known_touch *known;
  size_t known_count;
  double *gap, *W, *chi;
  law_place *places;
} law_work;
/* Motions at the point, then the laws in tasks. */
static picus_status run_laws(const source_point *point, picus_context *context, law_work *work, range_fn range) {
  picus_status status = find_motions(work->source, context, point);
  work->shapes = point->work;
  return status ? status : picus_tasks_over(context, work->laws->count, PICUS_TASK_OF_PAIRS, range, work);
}

static void find_gap(const law_work *work, int i) {
  touching t;
  const system_law *law = &work->laws->laws[i];
  known_touch *known = &work->known[i];
  work->gap[i] = 0;
  known->key = ~law->key;
  if (is_rolling(law)) return;
  find_touching(work->source, work->shapes, law, &t);
  picus_touch_geometry(&t, &known->geometry);
  known->key = law->key;
  work->gap[i] = known->geometry.gap;
}

/* A law whose gap was asked for at this point needs not be measured again. */
static void find_site(const law_work *work, int i, const touching *t, touch_site *out) {
  if ((size_t)i >= work->known_count || work->known[i].key != work->laws->laws[i].key) {
    picus_touch_find(t, out);
    return;
  }
  out->geometry = work->known[i].geometry;
  picus_touch_complete(t, out);
}

static void find_gaps(void *user, int first, int end) {
  for (int i = first; i < end; i++) find_gap(user, i);
}

static picus_status gaps(const void *self, picus_context *context, const source_point *point, const present_laws *laws,
                         double *gap) {
  shapes_work *w = point->work;
  const size_t count = (size_t)laws->count;
  picus_status status = PICUS_OK;
  w->known_count = 0;
  while (!status && w->known_capacity < count)
    status = picus_grow(context, &w->known, w->known_capacity, &w->known_capacity, sizeof *w->known);
  law_work work = {.source = self, .laws = laws, .known = w->known, .gap = gap};
  if (!status) status = run_laws(point, context, &work, find_gaps);
  if (!status) w->known_count = count;
  return status;
}

/* Adds numbers of the velocities, or coordinates, of a carrier to a row of a law. */
static void add_to_row(const picus_system *system, const system_law *law, bool coordinates, const carrier_numbers *n,
                       double *row) {
  for (int b = 0; b < law->part_count; b++) {
    const system_part *part = &system->parts[law->parts[b]];
    const int first = coordinates ? part->q0 : part->u0, size = coordinates ? part->nq : part->nu;
    if (n->first >= first && n->first + n->count <= first + size) { /* all of them, as a rule */
      for (int i = 0; i < n->count; i++) row[n->first - first + i] += n->value[i];
      return;
    }
    for (int i = 0; i < n->count; i++) {
      const int at = n->first + i - first;
      if (at >= 0 && at < size) row[at] += n->value[i];
    }
    row += size;
  }
}

/* The numbers of a row for the velocities of a carrier. */
static carrier_numbers velocities_of(const shape_carrier *c, const shape_motion *m, v3 linear, v3 angular) {
  carrier_numbers n = {.first = c->u0, .count = c->axes, .value = {linear.x, linear.y, linear.z}};
  if (c->turns == CARRIER_TURNS_IN_PLANE) n.value[n.count++] = angular.z;
  if (c->turns == CARRIER_TURNS_IN_SPACE) {
    const v3 own = pose_direction_back(&m->pose, angular);
    n.value[n.count++] = own.x;
    n.value[n.count++] = own.y;
    n.value[n.count++] = own.z;
  }
  return n;
}

/* The same for its coordinates: a change dp of the quaternion turns the body by 2 Im(p* dp) / |p|^2, in its frame. */
static carrier_numbers coordinates_of(const shape_carrier *c, const double *q, v3 linear, v3 angular_own) {
  carrier_numbers n = {.first = c->q0, .count = c->axes, .value = {linear.x, linear.y, linear.z}};
  if (c->turns == CARRIER_TURNS_IN_PLANE) n.value[n.count++] = angular_own.z;
  if (c->turns == CARRIER_TURNS_IN_SPACE) {
    const double *p = q + c->q0 + c->axes;
    const double s = 2 / (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    const v3 a = v3_scale(s, angular_own);
    double *turn = n.value + c->axes;
    n.count = c->axes + 4;
    turn[0] = -(a.x * p[1] + a.y * p[2] + a.z * p[3]);
    turn[1] = a.x * p[0] - a.y * p[3] + a.z * p[2];
    turn[2] = a.x * p[3] + a.y * p[0] - a.z * p[1];
    turn[3] = -a.x * p[2] + a.y * p[1] + a.z * p[0];
  }
  return n;
}

/* The same for a rigid body of space, at its place in the row. */
static void add_spatial(const shape_motion *m, v3 linear, v3 angular, double *row) {
  const v3 own = pose_direction_back(&m->pose, angular);
  row[0] += linear.x;
  row[1] += linear.y;
  row[2] += linear.z;
  row[3] += own.x;
  row[4] += own.y;
  row[5] += own.z;
}

/* Where the velocities of a carrier stand in the rows of a law; -1: in several places, or not at all. */
static int place_in_row(const picus_system *system, const system_law *law, const shape_carrier *c) {
  const int turns = c->turns == CARRIER_TURNS_IN_SPACE ? 3 : c->turns == CARRIER_TURNS_IN_PLANE ? 1 : 0;
  for (int b = 0, at = 0; b < law->part_count; b++) {
    const system_part *part = &system->parts[law->parts[b]];
    if (c->u0 >= part->u0 && c->u0 + c->axes + turns <= part->u0 + part->nu) return at + c->u0 - part->u0;
    at += part->nu;
  }
  return -1;
}

/* Rows of W and chi of one law: velocities of both bodies at the contact, in its frame. */
static void find_directions_of(const law_work *work, int i) {
  const shapes_source *s = work->source;
  const present_laws *laws = work->laws;
  const system_law *law = &laws->laws[i];
  double *rows = work->W + (law->W0 - laws->laws[0].W0),
         *own_chi = work->chi + (law->data.first_row - laws->laws[0].data.first_row);
  touching t;
  touch_site site;
  find_touching(s, work->shapes, &laws->laws[i], &t);
  find_site(work, i, &t, &site);
  const shape_carrier *carrier[2];
  int place[2];
  for (int side = 0; side < 2; side++) {
    carrier[side] = &s->carriers[s->carrier_of[laws->laws[i].members[side]]];
    place[side] = t.driven[side] ? -1 : place_in_row(s->system, law, carrier[side]);
  }
  for (int r = 0; r < law->data.dim; r++, rows += law->width) {
    touch_row row;
    picus_touch_row(&t, &site, first_row(law) + r, &row);
    if (t.has_surface) own_chi[r] += picus_touch_surface_velocity(&t, &site, first_row(law) + r);
    for (int side = 0; side < 2; side++) {
      if (t.driven[side]) {
        own_chi[r] += picus_touch_velocity(&t, &row, side);
        continue;
      }
      if (place[side] >= 0 && carrier[side]->axes == 3 && carrier[side]->turns == CARRIER_TURNS_IN_SPACE) {
        add_spatial(t.motion[side], row.linear[side], row.angular[side], rows + place[side]);
        continue;
      }
      const carrier_numbers n = velocities_of(carrier[side], t.motion[side], row.linear[side], row.angular[side]);
      add_to_row(s->system, law, false, &n, rows);
    }
  }
}

static void find_directions(void *user, int first, int end) {
  for (int i = first; i < end; i++) find_directions_of(user, i);
}

static picus_status directions(const void *self, picus_context *context, const source_point *point,
                               const present_laws *laws, double *W, double *chi) {
  const shapes_work *w = point->work;
  law_work work = {.source = self, .laws = laws, .known = w->known, .known_count = w->known_count, .W = W, .chi = chi};
  return run_laws(point, context, &work, find_directions);
}

static picus_status gap_jacobian(const void *self, picus_context *context, const source_point *point,
                                 const present_laws *laws, double *dg_dq) {
  const shapes_source *s = self;
  picus_status status = find_motions(s, context, point);
  if (status) return status;
  for (int i = 0; i < laws->count; i++) {
    const system_law *law = &laws->laws[i];
    touching t;
    touch_site site;
    touch_row row;
    if (is_rolling(law)) continue;
    find_touching(s, point->work, &laws->laws[i], &t);
    picus_touch_find(&t, &site);
    picus_touch_row(&t, &site, 0, &row);
    for (int side = 0; side < 2; side++) {
      const shape_carrier *c = &s->carriers[s->carrier_of[laws->laws[i].members[side]]];
      if (c->frame >= 0) continue;
      const v3 own = pose_direction_back(&t.motion[side]->pose, row.angular[side]);
      const carrier_numbers n = coordinates_of(c, point->system_q, row.linear[side], own);
      add_to_row(s->system, law, true, &n, dg_dq + (law->gap_q0 - laws->laws[0].gap_q0));
    }
  }
  return PICUS_OK;
}

/* Slopes of all rows along the axes of one side: shifts along the axes of the inertial frame, turns about those of the
 * body. */
static void side_slopes(const shape_carrier *c, const touching *t, const touch_site *site, int side,
                        double slopes[6][TOUCH_ROWS]) {
  static const v3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  memset(slopes, 0, 6 * sizeof *slopes);
  for (int k = 0; k < c->axes; k++) {
    touch_change change = {0};
    change.shift[side] = unit[k];
    picus_touch_slopes(t, site, &change, slopes[k]);
  }
  for (int k = c->turns == CARRIER_TURNS_IN_PLANE ? 2 : 0; k < 3 && c->turns != CARRIER_STRAIGHT; k++) {
    touch_change change = {0};
    change.turn[side] = t->motion[side]->pose.axis[k];
    picus_touch_slopes(t, site, &change, slopes[3 + k]);
  }
}

static picus_status velocity_jacobian(const void *self, picus_context *context, const source_point *point,
                                      const present_laws *laws, double *dgamma_dq) {
  const shapes_source *s = self;
  picus_status status = find_motions(s, context, point);
  if (status) return status;
  for (int i = 0; i < laws->count; i++) {
    const system_law *law = &laws->laws[i];
    touching t;
    touch_site site;
    find_touching(s, point->work, &laws->laws[i], &t);
    picus_touch_find(&t, &site);
    for (int side = 0; side < 2; side++) {
      const shape_carrier *c = &s->carriers[s->carrier_of[laws->laws[i].members[side]]];
      double d[6][TOUCH_ROWS];
      if (c->frame >= 0) continue;
      side_slopes(c, &t, &site, side, d);
      for (int r = 0; r < law->data.dim; r++) {
        const int k = first_row(law) + r;
        const carrier_numbers n =
            coordinates_of(c, point->system_q, (v3){d[0][k], d[1][k], d[2][k]}, (v3){d[3][k], d[4][k], d[5][k]});
        add_to_row(s->system, law, true, &n,
                   dgamma_dq + (law->Q0 - laws->laws[0].Q0) + (size_t)r * (size_t)law->q_width);
      }
    }
  }
  return PICUS_OK;
}

/* By time alone: frames move. */
static picus_status velocity_drift(const void *self, picus_context *context, const source_point *point,
                                   const present_laws *laws, double *dgamma_dt) {
  const shapes_source *s = self;
  picus_status status = find_motions(s, context, point);
  if (status) return status;
  for (int i = 0; i < laws->count; i++) {
    const system_law *law = &laws->laws[i];
    touching t;
    touch_site site;
    touch_change change = {.by_time = true};
    double slopes[TOUCH_ROWS];
    find_touching(s, point->work, &laws->laws[i], &t);
    if (!t.driven[0] && !t.driven[1] && !t.has_surface) continue;
    for (int side = 0; side < 2; side++) {
      if (!t.driven[side]) continue;
      change.shift[side] = t.motion[side]->velocity;
      change.turn[side] = t.motion[side]->spin;
      change.velocity[side] = t.motion[side]->acceleration;
      change.spin[side] = t.motion[side]->spin_increase;
    }
    picus_touch_find(&t, &site);
    picus_touch_slopes(&t, &site, &change, slopes);
    for (int r = 0; r < law->data.dim; r++)
      dgamma_dt[law->data.first_row - laws->laws[0].data.first_row + r] = slopes[first_row(law) + r];
  }
  return PICUS_OK;
}

/* The normal points from the first body of a touch to the second one, which it pushes. */
static void find_place(const law_work *work, int i) {
  const shapes_source *s = work->source;
  const present_laws *laws = work->laws;
  const bool slips = laws->laws[i].data.slips > 0;
  touching t;
  touch_site site;
  find_touching(s, work->shapes, &laws->laws[i], &t);
  picus_touch_find(&t, &site);
  const v3 middle = v3_middle(site.geometry.point[0], site.geometry.point[1]), n = site.direction[0],
           tangent = slips ? site.direction[1] : (v3){0, 0, 0};
  law_place *out = &work->places[i];
  *out = (law_place){
      .point = {middle.x, middle.y, middle.z}, .normal = {n.x, n.y, n.z}, .tangent = {tangent.x, tangent.y, tangent.z}};
  for (int side = 0; side < 2; side++)
    out->body[!side] = t.driven[side] ? -1 : s->carrier_of[laws->laws[i].members[side]];
}

static void find_places(void *user, int first, int end) {
  for (int i = first; i < end; i++) find_place(user, i);
}

static picus_status place(const void *self, picus_context *context, const source_point *point, const present_laws *laws,
                          law_place *places) {
  law_work work = {.source = self, .laws = laws, .places = places};
  return run_laws(point, context, &work, find_places);
}
static int body_count(const void *self) { return ((const shapes_source *)self)->carrier_count; }
static const char *body_name(const void *self, int body) { return ((const shapes_source *)self)->carriers[body].name; }

/* --- the source ----------------------------------------------------------------------------------------------- */

static void work_destroy(const void *self, picus_context *context, void *memory) {
  (void)self;
  shapes_work *w = memory;
  picus_collision_destroy(w->collision);
  void *const arrays[] = {w->motions,    w->poses,      w->margins, w->registers, w->frames,
                          w->warned,     w->last,       w->pairs,   w->known,     w->material_registers,
                          w->detected.q, w->detected.u, w};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) picus_release(context, arrays[k]);
}

static picus_status work_create(const void *self, picus_context *context, void **out) {
  const shapes_source *s = self;
  const size_t carriers = (size_t)s->carrier_count;
  shapes_work *w = picus_allocate(context, 1, sizeof *w);
  if (!w) return PICUS_ERROR_MEMORY;
  w->motions = picus_allocate(context, carriers, sizeof *w->motions);
  w->poses = picus_allocate(context, carriers, sizeof *w->poses);
  w->margins = picus_allocate(context, carriers, sizeof *w->margins);
  w->warned = picus_allocate(context, carriers, sizeof *w->warned);
  w->last = picus_allocate(context, carriers, sizeof *w->last);
  w->frames =
      picus_allocate(context, CARRIER_NUMBERS * (size_t)s->frame_count + SURFACE_NUMBERS * (size_t)s->surface_count,
                     sizeof *w->frames);
  w->registers =
      picus_allocate(context, s->tape ? (size_t)picus_tape_register_count(s->tape) : 0, sizeof *w->registers);
  w->material_registers = picus_allocate(context, picus_shapes_material_registers(s), sizeof(double));
  w->detected.q = picus_allocate(context, (size_t)s->system->nq, sizeof(double));
  w->detected.u = picus_allocate(context, (size_t)s->system->nu, sizeof(double));
  if (!w->motions || !w->poses || !w->margins || !w->warned || !w->last || !w->frames || !w->registers ||
      !w->material_registers || !w->detected.q || !w->detected.u) {
    work_destroy(self, context, w);
    return PICUS_ERROR_MEMORY;
  }
  if (s->tape) picus_tape_prepare(s->tape, w->registers);
  *out = w;
  return PICUS_OK;
}

static picus_status nothing(const void *self, picus_context *context, const source_point *point, double *out) {
  (void)self, (void)context, (void)point, (void)out;
  return PICUS_OK;
}
static picus_status no_energy(const void *self, picus_context *context, const source_point *point, double *kinetic,
                              double *potential) {
  (void)self, (void)context, (void)point;
  *kinetic = *potential = 0;
  return PICUS_OK;
}

static void destroy(void *self, picus_context *context) {
  shapes_source *s = self;
  for (int k = 0; s->shapes && k < s->shape_count; k++) picus_shape_release(context, &s->shapes[k]);
  for (int k = 0; s->carriers && k < s->carrier_count; k++) picus_release(context, s->carriers[k].name);
  picus_tape_destroy(s->tape);
  for (int k = 0; s->material_names && k < s->material_count; k++) picus_release(context, s->material_names[k]);
  for (int k = 0; k < s->varying_count; k++) picus_tape_destroy(s->varying[k]);
  void *const arrays[] = {s->carriers,  s->shapes,  s->colliders,   s->frames,         s->carrier_of,
                          s->number_of, s->inputs,  s->material_of, s->surface_of,     s->apart,
                          s->materials, s->is_home, s->varying,     s->material_names, s};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) picus_release(context, arrays[k]);
}

static const appearing_ops appearing = {.collide = collide,
                                        .overlaps = overlaps,
                                        .list_again = list_again,
                                        .name = name,
                                        .gaps = gaps,
                                        .directions = directions,
                                        .gap_jacobian = gap_jacobian,
                                        .velocity_jacobian = velocity_jacobian,
                                        .velocity_drift = velocity_drift,
                                        .coefficients = picus_shapes_coefficients,
                                        .place = place,
                                        .body_count = body_count,
                                        .body_name = body_name,
                                        .pairings = picus_shapes_pairings};
const source_ops picus_shapes_ops = {.kind = "shapes",
                                     .work_create = work_create,
                                     .work_destroy = work_destroy,
                                     .set_point = set_point,
                                     .rate = nothing,
                                     .force = nothing,
                                     .gaps = nothing,
                                     .energy = no_energy,
                                     .appearing = &appearing,
                                     .destroy = destroy};

/* --- the initial state ---------------------------------------------------------------------------------------- */

/* Initial gaps below this are rejected, as those of other contacts. */
static const double deepest_start_gap = -1e-5;

static picus_status check_touches(const picus_model *model, const shapes_source *s, const picus_touches *found) {
  const picus_touch *worst = NULL;
  for (int k = 0; k < found->count; k++)
    if (can_act(s, &found->at[k]) && (!worst || found->at[k].geometry.gap < worst->geometry.gap)) worst = &found->at[k];
  if (!worst || worst->geometry.gap >= deepest_start_gap) return PICUS_OK;
  const picus_place place = model->collisions.colliders[worst->b].place;
  char a[32], b[32];
  say_shape(s, worst->a, a, sizeof a);
  say_shape(s, worst->b, b, sizeof b);
  return picus_fail_at(model->context, PICUS_ERROR_MODEL, place.file, place.line,
                       "'%s' and '%s' overlap by %.6g m in the initial state; move them apart, or switch their "
                       "collision off",
                       a, b, -worst->geometry.gap);
}

picus_status picus_shapes_check_start(const picus_model *model, picus_system *system) {
  const int k = system->source_count - 1;
  const shapes_source *s = system->sources[k].self;
  picus_evaluation *e;
  picus_touches found;
  picus_status status = picus_evaluation_create(system->context, system, &e);
  if (status) return status;
  picus_evaluation_set_point(e, system->t_start, system->q_start, system->u_start);
  status = detect(s, system->context, &e->points[k], -1, &found);
  if (!status) status = check_touches(model, s, &found);
  picus_evaluation_destroy(e);
  return status;
}
