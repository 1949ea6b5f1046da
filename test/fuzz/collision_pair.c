/* Fuzz target: two shapes at two poses. Numbers are read so that special positions are likely: few different values,
 * scales from 1e-6 to 1e6. Each contact must be finite, with a unit normal; exchanging the shapes must not change the
 * signed distance, which is at least that of spheres around the shapes; definitions that are no shapes must fail with a
 * message. */
#include "fuzz.h"

#include "collision/internal.h"

#include <math.h>

typedef struct reader {
  const uint8_t *bytes;
  size_t size, at;
} reader;

static int next(reader *r) { return r->at < r->size ? r->bytes[r->at++] : 0; }

/* A multiple of 1/8 between -16 and 16, or, with full digits, anything near it. */
static double next_number(reader *r) {
  int byte = next(r);
  double value = (byte - 128) / 8.0;
  return byte % 16 == 15 ? value + (next(r) - 128) / 8192.0 : value;
}

enum { POINTS = 16, TRIANGLES = 8 };

typedef struct parts {
  double points[3 * POINTS];
  int triangles[TRIANGLES][3];
} parts;

static picus_shape_def next_shape(reader *r, bool planar, parts *p) {
  const int first = next(r), exponent = next(r) % 13 - 6;
  const double scale = next(r) % 4 ? 1 : pow(10, exponent);
  picus_shape_def def = {.kind = (picus_shape_kind)(first % PICUS_SHAPE_KINDS), .planar = planar, .points = p->points};
  for (int k = 0; k < 3; k++) def.size[k] = scale * fabs(next_number(r));
  if (first & 128 || def.kind == PICUS_SHAPE_DISK || def.kind == PICUS_SHAPE_SPHERE ||
      def.kind == PICUS_SHAPE_CAPSULE || def.kind == PICUS_SHAPE_CYLINDER)
    def.radius = scale * next_number(r);
  if (first & 64) def.rounding = scale * next_number(r);
  def.point_count = next(r) % (POINTS + 1);
  for (int k = 0; k < 3 * def.point_count; k++) p->points[k] = k % 3 == 2 && planar ? 0 : scale * next_number(r);
  if (def.kind != PICUS_SHAPE_MESH) return def;
  def.triangles = p->triangles;
  def.triangle_count = next(r) % (TRIANGLES + 1);
  for (int k = 0; k < 3 * def.triangle_count; k++) p->triangles[k / 3][k % 3] = next(r) % (POINTS + 1);
  return def;
}

static picus_pose next_pose(reader *r, bool planar) {
  double q[4], square = 0;
  for (int k = 0; k < 4; k++) {
    q[k] = planar && (k == 1 || k == 2) ? 0 : next(r) - 128;
    square += q[k] * q[k];
  }
  picus_pose pose = picus_pose_identity();
  if (square > 0) {
    const double a = q[0], b = q[1], c = q[2], d = q[3], s = 1 / square;
    pose.axis[0] = v3_unit((v3){s * (a * a + b * b - c * c - d * d), 2 * s * (b * c + a * d), 2 * s * (b * d - a * c)});
    v3 y = {2 * s * (b * c - a * d), s * (a * a - b * b + c * c - d * d), 2 * s * (c * d + a * b)};
    pose.axis[1] = v3_unit(v3_along(y, -v3_dot(y, pose.axis[0]), pose.axis[0]));
    pose.axis[2] = v3_cross(pose.axis[0], pose.axis[1]);
  }
  pose.origin = (v3){next_number(r), next_number(r), planar ? 0 : next_number(r)};
  return pose;
}

static void check(const manifold *m) {
  fuzz_demand(m->count >= 0 && m->count <= MANIFOLD_SURFACE);
  for (int k = 0; k < m->count; k++) {
    const contact_geometry *c = &m->contact[k];
    fuzz_demand(isfinite(c->gap) && fabs(v3_length(c->normal) - 1) < 1e-12);
    fuzz_demand(isfinite(v3_length(c->point[0])) && isfinite(v3_length(c->point[1])));
  }
}

static double size_of(const picus_shape *shape) { return isfinite(shape->bound) ? shape->bound + shape->radius : 0; }

static bool bounded(const picus_shape *shape) { return isfinite(shape->bound) && shape->core != CORE_HALF_SPACE; }

static bool is_solid(const picus_shape *shape) { return shape->core != CORE_HALF_SPACE && shape->core != CORE_SURFACE; }

static void collide(picus_context *context, reader *r, const picus_shape *a, const picus_shape *b) {
  const bool solid = is_solid(a) || is_solid(b);
  if (a->planar != b->planar || !solid) return;
  narrow_size need = {0};
  narrow_space space;
  picus_narrow_need(a, &need);
  picus_narrow_need(b, &need);
  if (picus_narrow_reserve(context, &need, &space)) return;
  picus_pose p = next_pose(r, a->planar), q = next_pose(r, a->planar);
  manifold m, n;
  picus_narrow(&(shape_pair){a, b, {p, q}, 1e9}, &space, &m);
  picus_narrow(&(shape_pair){b, a, {q, p}, 1e9}, &space, &n);
  check(&m);
  check(&n);
  if (a->core != CORE_SURFACE && b->core != CORE_SURFACE) { /* a surface may have nothing in front of it */
    fuzz_demand(m.count > 0 && n.count > 0 && m.count <= MANIFOLD_MOST);
    const double scale = size_of(a) + size_of(b) + v3_length(v3_sub(p.origin, q.origin)) + fabs(m.contact[0].gap);
    /* Overlaps of two cylinders by a large part of their size can depend on the order (docs/theory/collision.md). */
    const bool deep = a->core == CORE_CYLINDER && b->core == CORE_CYLINDER && m.contact[0].gap < 0;
    fuzz_demand(fabs(m.contact[0].gap - n.contact[0].gap) <= (deep ? 1e-3 : 1e-11) * scale);
    const double centres = v3_length(v3_sub(pose_point(&q, b->centre), pose_point(&p, a->centre)));
    const double sizes = size_of(a) + size_of(b);
    if (bounded(a) && bounded(b)) fuzz_demand(m.contact[0].gap >= centres - sizes - 1e-11 * scale);
  }
  picus_narrow_release(context, &space);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  reader r = {bytes, size, 0};
  picus_context *context = NULL;
  if (picus_context_create(NULL, &context)) return 0;
  const bool planar = next(&r) & 1;
  parts p[2];
  picus_shape a, b;
  picus_shape_def first = next_shape(&r, planar, &p[0]), second = next_shape(&r, planar, &p[1]);
  if (fuzz_accepted(context, picus_shape_create(context, &first, &a))) {
    if (fuzz_accepted(context, picus_shape_create(context, &second, &b))) {
      collide(context, &r, &a, &b);
      picus_shape_release(context, &b);
    }
    picus_shape_release(context, &a);
  }
  fuzz_end(context);
  return 0;
}
