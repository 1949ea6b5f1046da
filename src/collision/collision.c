/* Bodies with shapes: poses of the colliders, pairs from the broad phase, contacts from the narrow phase, in order. */
#include "base/internal.h"
#include "collision/internal.h"

#include <string.h>

struct picus_collision {
  picus_context *context;
  int collider_count, body_count;
  picus_collider *colliders;
  picus_pose *poses;    /* of the colliders */
  picus_bounds *bounds; /* of the colliders, with margin */
  broad_phase *broad;
  narrow_space space;
  picus_touch *touches;
  size_t touch_capacity;
  int touch_count;
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

static void place_collider(picus_collision *c, int k, const picus_pose *pose, double margin) {
  c->poses[k] = *pose;
  c->bounds[k] = picus_shape_bounds(c->colliders[k].shape, pose);
  for (int d = 0; d < 3; d++) {
    c->bounds[k].low[d] -= margin;
    c->bounds[k].high[d] += margin;
  }
}

static picus_status reserve_space(picus_collision *c) {
  narrow_size size = {0};
  for (int k = 0; k < c->collider_count; k++) picus_narrow_need(c->colliders[k].shape, &size);
  return picus_narrow_reserve(c->context, &size, &c->space);
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
  status = c->colliders && c->poses && c->bounds ? PICUS_OK : PICUS_ERROR_MEMORY;
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
  picus_narrow_release(context, &c->space);
  picus_release(context, c->colliders);
  picus_release(context, c->poses);
  picus_release(context, c->bounds);
  picus_release(context, c->touches);
  picus_release(context, c);
}

static double margin_of(const picus_collision *c, const double *margins, int collider) {
  const int body = c->colliders[collider].body;
  return body < 0 ? 0 : margins[body];
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
static void place_colliders(picus_collision *c, const picus_pose *poses, const double *margins) {
  for (int k = 0; k < c->collider_count; k++) {
    const picus_collider *collider = &c->colliders[k];
    if (collider->body < 0) continue;
    const picus_pose pose = pose_compose(&poses[collider->body], &collider->frame);
    place_collider(c, k, &pose, margins[collider->body]);
  }
}

static picus_status add_touch(picus_collision *c, const picus_touch *touch) {
  if ((size_t)c->touch_count >= c->touch_capacity) {
    picus_status status =
        picus_grow(c->context, &c->touches, (size_t)c->touch_count, &c->touch_capacity, sizeof *c->touches);
    if (status) return status;
  }
  c->touches[c->touch_count++] = *touch;
  return PICUS_OK;
}

/* The contacts of a pair, by feature. */
static picus_status add_touches(picus_collision *c, const picus_pair *pair, const manifold *found) {
  const int first = c->touch_count;
  for (int k = 0; k < found->count; k++) {
    picus_touch touch = {
        pair->ids, picus_feature_pack(found->feature[k]), pair->a, pair->b, found->contact[k], {{0, 0, 0}, {0, 0, 0}}};
    picus_contact_tangents(c->colliders[pair->a].shape->planar, touch.geometry.normal, touch.tangent);
    picus_status status = add_touch(c, &touch);
    if (status) return status;
    for (int at = c->touch_count - 1; at > first && c->touches[at - 1].feature > touch.feature; at--) {
      c->touches[at] = c->touches[at - 1];
      c->touches[at - 1] = touch;
    }
  }
  return PICUS_OK;
}

picus_status picus_collision_detect(picus_collision *c, const picus_pose *poses, const double *margins,
                                    picus_touches *out) {
  picus_status status = check_state(c, poses, margins);
  if (status) return status;
  place_colliders(c, poses, margins);
  picus_pairs pairs;
  status = picus_broad_find(c->broad, c->bounds, &pairs);
  if (status) return status;
  c->touch_count = 0;
  for (int k = 0; k < pairs.count; k++) {
    const int a = pairs.at[k].a, b = pairs.at[k].b;
    const shape_pair pair = {c->colliders[a].shape,
                             c->colliders[b].shape,
                             {c->poses[a], c->poses[b]},
                             margin_of(c, margins, a) + margin_of(c, margins, b)};
    manifold found;
    picus_narrow(&pair, &c->space, &found);
    status = add_touches(c, &pairs.at[k], &found);
    if (status) return status;
  }
  *out = (picus_touches){c->touches, c->touch_count, pairs.count};
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
