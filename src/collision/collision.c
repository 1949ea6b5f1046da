/* Bodies with shapes: poses of the colliders, pairs from the broad phase, contacts from the narrow phase, in order. */
#include "base/tasks.h"
#include "collision/internal.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* Contacts of a range of pairs. count may exceed the capacity: so many need room. */
typedef struct touch_list {
  picus_touch *at;
  size_t capacity, count;
} touch_list;

/* What a task needs for itself. */
typedef struct narrow_worker {
  narrow_space space;
  touch_list list;
} narrow_worker;

/* The ball around a collider, or a half-space, and how far it may move. */
typedef struct collider_ball {
  v3 centre;            /* of a half-space: a point of its plane */
  double radius, bound; /* of the shape */
  double margin;
  bool is_ground; /* a half-space, with this normal */
  v3 normal;
} collider_ball;

struct picus_collision {
  picus_context *context;
  int collider_count, body_count;
  picus_collider *colliders;
  picus_pose *poses;    /* of the colliders */
  picus_bounds *bounds; /* of the colliders, with margin */
  collider_ball *balls; /* of the colliders */
  broad_phase *broad;
  narrow_worker *workers; /* one for each task; all contacts end in the list of the first */
  int worker_count;
};

static picus_status check(picus_context *context, const picus_collision_def *def) {
  for (int k = 0; k < def->collider_count; k++) {
    const picus_collider *c = &def->colliders[k];
    if (c->body < PICUS_STATIC_BODY || c->body >= def->body_count)
      return picus_fail(context, PICUS_ERROR_DIMENSION, "collider %d belongs to body %d, but there are %d bodies", k,
                        c->body, def->body_count);
    if (c->shape->planar != def->colliders[0].shape->planar)
      return picus_fail(context, PICUS_ERROR_UNSUPPORTED,
                        "collider %d is %s and collider 0 is %s; use one kind for all", k,
                        c->shape->planar ? "planar" : "spatial", c->shape->planar ? "spatial" : "planar");
  }
  return PICUS_OK;
}

static collider_ball ball_of(const picus_shape *shape, const picus_pose *pose, double margin) {
  collider_ball ball = {.radius = shape->radius, .margin = margin, .is_ground = shape->core == CORE_HALF_SPACE};
  if (ball.is_ground) {
    ball.normal = pose_direction(pose, shape->polytope.normals[0]);
    ball.centre = v3_along(pose->origin, shape->polytope.offsets[0], ball.normal);
  } else {
    ball.centre = pose_point(pose, shape->centre);
    ball.bound = shape->bound;
  }
  return ball;
}

static void place_collider(picus_collision *c, int k, const picus_pose *pose, double margin) {
  const picus_shape *shape = c->colliders[k].shape;
  c->poses[k] = *pose;
  c->balls[k] = ball_of(shape, pose, margin);
  c->bounds[k] = picus_shape_bounds(shape, pose);
  for (int d = 0; d < 3; d++) {
    c->bounds[k].low[d] -= margin;
    c->bounds[k].high[d] += margin;
  }
}

static picus_status reserve_space(picus_collision *c) {
  const int count = picus_tasks_for(c->context, INT_MAX, 1);
  narrow_size size = {0};
  for (int k = 0; k < c->collider_count; k++) picus_narrow_need(c->colliders[k].shape, &size);
  c->workers = picus_allocate(c->context, (size_t)count, sizeof *c->workers);
  if (!c->workers) return PICUS_ERROR_MEMORY;
  picus_status status = PICUS_OK;
  for (; !status && c->worker_count < count; c->worker_count++)
    status = picus_narrow_reserve(c->context, &size, &c->workers[c->worker_count].space);
  return status;
}

picus_status picus_collision_create(picus_context *context, const picus_collision_def *def, picus_collision **out) {
  *out = NULL;
  picus_status status = check(context, def);
  if (status) return status;
  picus_collision *c = picus_allocate(context, 1, sizeof *c);
  if (!c) return PICUS_ERROR_MEMORY;
  const size_t count = (size_t)def->collider_count;
  c->context = context;
  c->collider_count = def->collider_count;
  c->body_count = def->body_count;
  c->colliders = picus_allocate(context, count, sizeof *c->colliders);
  c->poses = picus_allocate(context, count, sizeof *c->poses);
  c->bounds = picus_allocate(context, count, sizeof *c->bounds);
  c->balls = picus_allocate(context, count, sizeof *c->balls);
  status = c->colliders && c->poses && c->bounds && c->balls ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (!status && count) memcpy(c->colliders, def->colliders, count * sizeof *c->colliders);
  for (int k = 0; k < def->collider_count && !status; k++)
    if (c->colliders[k].body < 0) place_collider(c, k, &c->colliders[k].frame, 0);
  if (!status) status = reserve_space(c);
  if (!status) status = picus_broad_create(context, def, &c->broad);
  if (status) {
    picus_collision_destroy(c);
    return status;
  }
  *out = c;
  return PICUS_OK;
}

void picus_collision_destroy(picus_collision *c) {
  if (!c) return;
  picus_context *context = c->context;
  picus_broad_destroy(c->broad);
  for (int k = 0; k < c->worker_count; k++) {
    picus_narrow_release(context, &c->workers[k].space);
    picus_release(context, c->workers[k].list.at);
  }
  picus_release(context, c->workers);
  picus_release(context, c->colliders);
  picus_release(context, c->poses);
  picus_release(context, c->bounds);
  picus_release(context, c->balls);
  picus_release(context, c);
}

static picus_status check_state(const picus_collision *c, const picus_pose *poses, const double *margins) {
  for (int k = 0; k < c->body_count; k++) {
    double all[12];
    memcpy(all, &poses[k], sizeof all);
    if (!picus_all_finite(all, 12))
      return picus_fail(c->context, PICUS_ERROR_NUMBER, "the pose of body %d is not finite; contacts cannot be found",
                        k);
    if (!(margins[k] >= 0 && margins[k] < INFINITY))
      return picus_fail(c->context, PICUS_ERROR_NUMBER,
                        "the margin of body %d is %g; it must be finite and not negative", k, margins[k]);
  }
  return PICUS_OK;
}

/* Static ones have their place from the start: a terrain may have very many points. */
typedef struct place_work {
  picus_collision *collision;
  const picus_pose *poses;
  const double *margins;
} place_work;

static void place_colliders(void *user, int first, int end) {
  const place_work *work = user;
  for (int k = first; k < end; k++) {
    const picus_collider *collider = &work->collision->colliders[k];
    if (collider->body < 0) continue;
    const picus_pose pose = pose_compose(&work->poses[collider->body], &collider->frame);
    place_collider(work->collision, k, &pose, work->margins[collider->body]);
  }
}

/* --- narrow phase --------------------------------------------------------------------------------------------- */

typedef struct narrow_work {
  picus_collision *collision;
  picus_pairs pairs;
  int task_count;
} narrow_work;

/* The contacts of a pair, by feature. */
static void add_touches(const picus_pair *pair, const manifold *found, touch_list *list) {
  const size_t first = list->count;
  list->count += (size_t)found->count;
  if (list->count > list->capacity) return;
  for (int k = 0; k < found->count; k++) {
    picus_touch touch = {pair->ids, picus_feature_pack(found->feature[k]), pair->a, pair->b, found->contact[k]};
    size_t at = first + (size_t)k;
    for (; at > first && list->at[at - 1].feature > touch.feature; at--) list->at[at] = list->at[at - 1];
    list->at[at] = touch;
  }
}

/* More than the margin, whatever round-off says: most pairs of a heap and of its walls. */
static bool are_far(const collider_ball *a, const collider_ball *b, double margin) {
  const v3 d = v3_sub(b->centre, a->centre);
  const double reach = (margin + a->radius + b->radius + a->bound + b->bound) * (1 + 1e-9);
  if (!a->is_ground && !b->is_ground) return v3_square(d) > reach * reach;
  if (a->is_ground && b->is_ground) return true;
  const double height = a->is_ground ? v3_dot(a->normal, d) : -v3_dot(b->normal, d);
  return height > reach + 1e-9 * (fabs(d.x) + fabs(d.y) + fabs(d.z));
}

/* The pairs of a task. */
static picus_status search_pairs(void *user, int task) {
  const narrow_work *work = user;
  const picus_collision *c = work->collision;
  narrow_worker *worker = &c->workers[task];
  const int end = picus_task_start(work->pairs.count, work->task_count, task + 1);
  worker->list.count = 0;
  for (int k = picus_task_start(work->pairs.count, work->task_count, task); k < end; k++) {
    const picus_pair *ids = &work->pairs.at[k];
    const collider_ball *a = &c->balls[ids->a], *b = &c->balls[ids->b];
    const double margin = a->margin + b->margin;
    if (are_far(a, b, margin)) continue;
    const shape_pair pair = {
        c->colliders[ids->a].shape, c->colliders[ids->b].shape, {c->poses[ids->a], c->poses[ids->b]}, margin};
    manifold found;
    picus_narrow(&pair, &worker->space, &found);
    add_touches(ids, &found, &worker->list);
  }
  return PICUS_OK;
}

static picus_status make_room(picus_context *context, touch_list *list, size_t count) {
  if (count <= list->capacity) return PICUS_OK;
  picus_touch *at = picus_reallocate(context, list->at, count + count / 2, sizeof *at);
  if (!at) return PICUS_ERROR_MEMORY;
  list->at = at;
  list->capacity = count + count / 2;
  return PICUS_OK;
}

/* A task whose list was too short is done again; then all lists follow each other in the first one. */
static picus_status join_lists(narrow_work *work) {
  picus_collision *c = work->collision;
  size_t count = 0;
  for (int k = 0; k < work->task_count; k++) {
    touch_list *list = &c->workers[k].list;
    count += list->count;
    if (list->count <= list->capacity) continue;
    picus_status status = make_room(c->context, list, list->count);
    if (status) return status;
    search_pairs(work, k);
  }
  touch_list *all = &c->workers[0].list;
  picus_status status = make_room(c->context, all, count);
  for (int k = 1; !status && k < work->task_count; k++) {
    const touch_list *list = &c->workers[k].list;
    if (list->count > 0) memcpy(all->at + all->count, list->at, list->count * sizeof *list->at);
    all->count += list->count;
  }
  return status;
}

picus_status picus_collision_detect(picus_collision *c, const picus_pose *poses, const double *margins,
                                    picus_touches *out) {
  picus_status status = check_state(c, poses, margins);
  if (status) return status;
  place_work places = {.collision = c, .poses = poses, .margins = margins};
  status = picus_tasks_over(c->context, c->collider_count, PICUS_TASK_OF_ROWS, place_colliders, &places);
  if (status) return status;
  narrow_work work = {.collision = c};
  status = picus_broad_find(c->broad, c->bounds, &work.pairs);
  if (status) return status;
  work.task_count = picus_tasks_for(c->context, work.pairs.count, PICUS_TASK_OF_PAIRS);
  if (work.task_count > c->worker_count) work.task_count = c->worker_count;
  status = picus_tasks_run(c->context, work.task_count, search_pairs, &work);
  if (!status) status = join_lists(&work);
  if (status) return status;
  *out = (picus_touches){c->workers[0].list.at, (int)c->workers[0].list.count, work.pairs.count};
  return PICUS_OK;
}

/* The finalizer of splitmix64 (Steele, Lea, Flood 2014): a bijection of 64-bit numbers. */
static uint64_t mix(uint64_t z) {
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

uint64_t picus_touch_key(const picus_touch *touch) {
  return mix(touch->pair + 0x9e3779b97f4a7c15u * mix(touch->feature));
}
