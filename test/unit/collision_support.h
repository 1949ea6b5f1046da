/* Random shapes at random poses, and what is known about them without the code under test: support functions and
 * distances of points in closed form, from the definitions. */
#ifndef PICUS_TEST_COLLISION_SUPPORT_H
#define PICUS_TEST_COLLISION_SUPPORT_H

#include "collision/internal.h"
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THING_POINTS = 12, THING_ROUNDED = 100 };

typedef struct thing {
  picus_shape_def def;
  double points[3 * THING_POINTS];
  picus_shape shape;
  picus_pose pose;
  double size; /* of the shape, radius included; 0: unbounded */
} thing;

static inline double random_length(test_random *random, double scale) {
  return scale * exp(test_uniform(random, -1.2, 0.5));
}

static inline picus_pose random_pose(test_random *random, bool planar, double extent) {
  picus_pose pose = picus_pose_identity();
  double q[4], square;
  do {
    square = 0;
    for (int k = 0; k < 4; k++) {
      q[k] = planar && (k == 1 || k == 2) ? 0 : test_uniform(random, -1, 1);
      square += q[k] * q[k];
    }
  } while (square > 1 || square < 0.01);
  double a = q[0], b = q[1], c = q[2], d = q[3], s = 1 / square;
  pose.axis[0] = v3_unit((v3){s * (a * a + b * b - c * c - d * d), 2 * s * (b * c + a * d), 2 * s * (b * d - a * c)});
  v3 y = {2 * s * (b * c - a * d), s * (a * a - b * b + c * c - d * d), 2 * s * (c * d + a * b)};
  pose.axis[1] = v3_unit(v3_along(y, -v3_dot(y, pose.axis[0]), pose.axis[0]));
  pose.axis[2] = v3_cross(pose.axis[0], pose.axis[1]);
  pose.origin = (v3){test_uniform(random, -extent, extent), test_uniform(random, -extent, extent),
                     planar ? 0 : test_uniform(random, -extent, extent)};
  return pose;
}

/* kind: of the shape, plus THING_ROUNDED for rounded ones. */
static inline void thing_define(test_random *random, int kind, bool planar, double scale, thing *out) {
  *out = (thing){.def = {.kind = (picus_shape_kind)(kind % THING_ROUNDED), .planar = planar},
                 .pose = picus_pose_identity()};
  picus_shape_def *def = &out->def;
  const bool round = def->kind == PICUS_SHAPE_DISK || def->kind == PICUS_SHAPE_SPHERE ||
                     def->kind == PICUS_SHAPE_CAPSULE || def->kind == PICUS_SHAPE_CYLINDER;
  for (int k = 0; k < 3; k++) def->size[k] = random_length(random, scale);
  if (round || kind >= THING_ROUNDED) def->radius = random_length(random, 0.4 * scale);
  if (def->kind == PICUS_SHAPE_ELLIPSOID) def->radius = 0;
  if (def->kind == PICUS_SHAPE_CYLINDER && kind >= THING_ROUNDED) def->rounding = random_length(random, 0.2 * scale);
  if (def->kind == PICUS_SHAPE_POLYGON || def->kind == PICUS_SHAPE_POLYHEDRON) {
    def->point_count = test_integer(random, planar ? 3 : 4, THING_POINTS);
    for (int k = 0; k < 3 * def->point_count; k++)
      out->points[k] = planar && k % 3 == 2 ? 0 : test_uniform(random, -scale, scale);
    def->points = out->points;
  }
}

static inline bool thing_create(picus_context *context, thing *t) {
  if (t->def.points) t->def.points = t->points; /* the thing may have been copied */
  picus_status status = picus_shape_create(context, &t->def, &t->shape);
  t->size = t->shape.core == CORE_HALF_SPACE ? 0 : t->shape.bound + t->shape.radius;
  return status == PICUS_OK;
}

/* --- closed forms, in the frame of the shape -------------------------------------------------------------------- */

/* max n.x over the shape; n is a unit vector. */
static inline double local_support(const thing *t, v3 n) {
  const double x = t->def.size[0] / 2, y = t->def.size[1] / 2, z = t->def.size[2] / 2;
  double value = -INFINITY;
  switch (t->def.kind) {
  case PICUS_SHAPE_DISK:
  case PICUS_SHAPE_SPHERE:
    return t->def.radius;
  case PICUS_SHAPE_SEGMENT:
  case PICUS_SHAPE_CAPSULE:
    return x * fabs(t->def.planar ? n.x : n.z) + t->def.radius;
  case PICUS_SHAPE_RECTANGLE:
    return x * fabs(n.x) + y * fabs(n.y) + t->def.radius;
  case PICUS_SHAPE_BOX:
    return x * fabs(n.x) + y * fabs(n.y) + z * fabs(n.z) + t->def.radius;
  case PICUS_SHAPE_CYLINDER:
    return x * fabs(n.z) + t->def.radius * hypot(n.x, n.y) + t->def.rounding;
  case PICUS_SHAPE_ELLIPSOID:
    return 2 * v3_length((v3){x * n.x, y * n.y, z * n.z});
  case PICUS_SHAPE_HALF_SPACE: {
    v3 up = t->def.planar ? (v3){0, 1, 0} : (v3){0, 0, 1};
    return v3_dot(v3_sub(n, up), v3_sub(n, up)) < 1e-20 ? t->def.radius : INFINITY;
  }
  default:
    for (int k = 0; k < t->def.point_count; k++)
      value = fmax(value, v3_dot(n, (v3){t->points[3 * k], t->points[3 * k + 1], t->points[3 * k + 2]}));
    return value + t->def.radius;
  }
}

static inline double thing_support(const thing *t, v3 n) {
  return local_support(t, pose_direction_back(&t->pose, n)) + v3_dot(n, t->pose.origin);
}

/* min n.b - max n.a: a lower bound of the signed distance. */
static inline double separation(const thing *a, const thing *b, v3 n) {
  return -thing_support(b, v3_minus(n)) - thing_support(a, n);
}

/* How far a point lies outside of the shape; at most 0 inside. For hulls of points a lower bound. */
static inline double thing_outside(const thing *t, v3 world) {
  v3 p = pose_point_back(&t->pose, world);
  const double x = t->def.size[0] / 2, y = t->def.size[1] / 2, z = t->def.size[2] / 2, r = t->def.radius;
  v3 d = {0, 0, 0};
  switch (t->def.kind) {
  case PICUS_SHAPE_DISK:
  case PICUS_SHAPE_SPHERE:
    return v3_length(p) - r;
  case PICUS_SHAPE_SEGMENT:
  case PICUS_SHAPE_CAPSULE:
    if (t->def.planar) return hypot(fmax(fabs(p.x) - x, 0), hypot(p.y, p.z)) - r;
    return hypot(fmax(fabs(p.z) - x, 0), hypot(p.x, p.y)) - r;
  case PICUS_SHAPE_RECTANGLE:
    d = (v3){fmax(fabs(p.x) - x, 0), fmax(fabs(p.y) - y, 0), p.z};
    return v3_length(d) - r;
  case PICUS_SHAPE_BOX:
    d = (v3){fmax(fabs(p.x) - x, 0), fmax(fabs(p.y) - y, 0), fmax(fabs(p.z) - z, 0)};
    return v3_length(d) - r;
  case PICUS_SHAPE_CYLINDER:
    return hypot(fmax(hypot(p.x, p.y) - r, 0), fmax(fabs(p.z) - x, 0)) - t->def.rounding;
  case PICUS_SHAPE_ELLIPSOID: /* outside a lower bound */
    return 2 * (v3_length((v3){p.x / x, p.y / y, p.z / z}) / 2 - 1) * fmin(x, fmin(y, z));
  case PICUS_SHAPE_HALF_SPACE:
    return (t->def.planar ? p.y : p.z) - r;
  default:
    break;
  }
  /* the largest distance from sides or faces, all directions that three points span: not more than the radius exactly
   * inside, if the nearest point lies in a face; elsewhere a lower bound */
  double worst = -INFINITY;
  for (int i = 0; i < t->def.point_count; i++)
    for (int j = 0; j < t->def.point_count; j++)
      for (int k = 0; k < (t->shape.planar ? 1 : j); k++) {
        const double *q = t->points;
        v3 a = {q[3 * i], q[3 * i + 1], q[3 * i + 2]}, b = {q[3 * j], q[3 * j + 1], q[3 * j + 2]};
        v3 c = {q[3 * k], q[3 * k + 1], q[3 * k + 2]};
        v3 n = v3_cross(v3_sub(b, a), t->shape.planar ? (v3){0, 0, 1} : v3_sub(c, a));
        if (v3_length(n) < 1e-12) continue;
        n = v3_unit(n);
        worst = fmax(worst, v3_dot(n, p) - local_support(t, n));
        worst = fmax(worst, -v3_dot(n, p) - local_support(t, v3_minus(n)));
      }
  return worst;
}

/* The corners of the core, in the world; 0: it has none of its own (half-space). */
static inline int thing_corners(const thing *t, v3 *out) {
  const double x = t->def.size[0] / 2, y = t->def.size[1] / 2, z = t->def.size[2] / 2;
  int count = 0;
  switch (t->def.kind) {
  case PICUS_SHAPE_HALF_SPACE:
    return 0;
  case PICUS_SHAPE_DISK:
  case PICUS_SHAPE_SPHERE:
    out[count++] = (v3){0, 0, 0};
    break;
  case PICUS_SHAPE_SEGMENT:
  case PICUS_SHAPE_CAPSULE:
    for (int s = -1; s < 2; s += 2) out[count++] = t->def.planar ? (v3){s * x, 0, 0} : (v3){0, 0, s * x};
    break;
  case PICUS_SHAPE_RECTANGLE:
    for (int k = 0; k < 4; k++) out[count++] = (v3){k & 1 ? x : -x, k & 2 ? y : -y, 0};
    break;
  case PICUS_SHAPE_BOX:
    for (int k = 0; k < 8; k++) out[count++] = (v3){k & 1 ? x : -x, k & 2 ? y : -y, k & 4 ? z : -z};
    break;
  default:
    for (int k = 0; k < t->def.point_count; k++)
      out[count++] = (v3){t->points[3 * k], t->points[3 * k + 1], t->points[3 * k + 2]};
  }
  for (int k = 0; k < count; k++) out[k] = pose_point(&t->pose, out[k]);
  return count;
}

/* The signed distance by brute force, for shapes that overlap: the largest separation along all directions that faces
 * of the difference of two polytopes can have, that is, perpendicular to differences of corners. */
static inline double brute_depth(const thing *a, const thing *b) {
  v3 corners[2][THING_POINTS], differences[2 * THING_POINTS * THING_POINTS];
  int count = 0;
  const thing *both[2] = {a, b};
  for (int s = 0; s < 2; s++) {
    int corner_count = thing_corners(both[s], corners[s]);
    for (int i = 0; i < corner_count; i++)
      for (int j = i + 1; j < corner_count; j++) differences[count++] = v3_sub(corners[s][i], corners[s][j]);
  }
  double best = -INFINITY;
  for (int i = 0; i < count; i++)
    for (int j = 0; j < i || (a->shape.planar && j == 0); j++) {
      v3 n = v3_cross(differences[i], a->shape.planar ? (v3){0, 0, 1} : differences[j]);
      if (v3_length(n) <= 1e-9 * v3_length(differences[i]) * (a->shape.planar ? 1 : v3_length(differences[j])))
        continue;
      n = v3_unit(n);
      best = fmax(best, fmax(separation(a, b, n), separation(a, b, v3_minus(n))));
    }
  return best;
}

/* --- what is under test ------------------------------------------------------------------------------------------ */

typedef struct two_things {
  picus_context *context;
  thing a, b;
  narrow_space space;
} two_things;

static inline bool two_create(two_things *t) {
  if (picus_context_create(NULL, &t->context)) return false;
  if (!thing_create(t->context, &t->a) || !thing_create(t->context, &t->b)) return false;
  narrow_size size = {0};
  picus_narrow_need(&t->a.shape, &size);
  picus_narrow_need(&t->b.shape, &size);
  return picus_narrow_reserve(t->context, &size, &t->space) == PICUS_OK;
}

static inline void two_release(two_things *t) {
  picus_shape_release(t->context, &t->a.shape);
  picus_shape_release(t->context, &t->b.shape);
  picus_narrow_release(t->context, &t->space);
  CHECK(picus_context_memory(t->context) == 0);
  picus_context_destroy(t->context);
}

static inline manifold two_collide(const two_things *t, double margin) {
  shape_pair pair = {&t->a.shape, &t->b.shape, {t->a.pose, t->b.pose}, margin};
  manifold out = {0};
  picus_narrow(&pair, &t->space, &out);
  return out;
}

static inline manifold two_collide_exchanged(const two_things *t, double margin) {
  shape_pair pair = {&t->b.shape, &t->a.shape, {t->b.pose, t->a.pose}, margin};
  manifold out = {0};
  picus_narrow(&pair, &t->space, &out);
  return out;
}

/* A small motion of a pose: translation v, rotation w, to second order and orthonormal to round-off. */
static inline picus_pose moved(picus_pose pose, v3 v, v3 w) {
  picus_pose out = pose;
  double angle = v3_length(w);
  out.origin = v3_add(pose.origin, v);
  for (int k = 0; k < 3 && angle > 0; k++) {
    v3 u = v3_scale(1 / angle, w), e = pose.axis[k];
    v3 turned = v3_scale(cos(angle), e);
    turned = v3_along(turned, sin(angle), v3_cross(u, e));
    out.axis[k] = v3_along(turned, (1 - cos(angle)) * v3_dot(u, e), u);
  }
  return out;
}

#endif
