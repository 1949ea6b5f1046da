/* Polyhedra of many corners: hulls against the property that defines them, and the search for the largest separation
 * against the comparison of all pairs of features. */
#include "collision_support.h"
#include "shape/internal.h"

#include <math.h>
#include <stdlib.h>

typedef enum cloud { SPHERE, BALL, GRID, PRISM, LENS, CLOUDS } cloud;

static v3 cloud_point(test_random *random, cloud kind, int k, int count) {
  v3 d;
  do d = (v3){test_uniform(random, -1, 1), test_uniform(random, -1, 1), test_uniform(random, -1, 1)};
  while (v3_length(d) > 1 || v3_length(d) < 0.01);
  const double angle = 4 * acos(-1) * k / count;
  switch (kind) {
  case SPHERE:
    return v3_unit(d);
  case GRID:
    return (v3){round(8 * d.x) / 8, round(8 * d.y) / 8, round(8 * d.z) / 8};
  case PRISM:
    return (v3){cos(angle), sin(angle), k < count / 2 ? -0.5 : 0.5};
  case LENS:
    return (v3){d.x, d.y, d.x * d.x + d.y * d.y};
  default:
    return d;
  }
}

static bool make_hull(picus_context *context, test_random *random, cloud kind, int count, picus_shape *out) {
  double *points = malloc(3 * (size_t)count * sizeof *points);
  if (!points) return false;
  for (int k = 0; k < count; k++) {
    const v3 p = cloud_point(random, kind, k, count);
    points[3 * k] = p.x;
    points[3 * k + 1] = p.y;
    points[3 * k + 2] = p.z;
  }
  const picus_shape_def def = {.kind = PICUS_SHAPE_POLYHEDRON, .points = points, .point_count = count};
  const picus_status status = picus_shape_create(context, &def, out);
  bool inside = true; /* every point lies below every face */
  for (int f = 0; f < out->polytope.face_count && !status && (double)f * count < 1e7; f++)
    for (int k = 0; k < count; k++) {
      const v3 p = {points[3 * k], points[3 * k + 1], points[3 * k + 2]};
      inside = inside && v3_dot(out->polytope.normals[f], p) <= out->polytope.offsets[f] + 1e-11;
    }
  CHECK(inside);
  free(points);
  return status == PICUS_OK;
}

static void hulls(void) {
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  test_random random = {1};
  for (cloud kind = 0; kind < CLOUDS; kind++)
    for (int count = 20; count <= 20000; count *= 10) {
      picus_shape s;
      if (!CHECK(make_hull(context, &random, kind, count, &s))) continue;
      const polytope *p = &s.polytope;
      CHECK(p->vertex_count - p->edge_count + p->face_count == 2);
      if (kind == SPHERE || kind == PRISM || kind == LENS) CHECK(p->vertex_count == count);
      if (kind == PRISM) CHECK(p->face_count == count / 2 + 2);
      picus_shape_release(context, &s);
    }
  picus_shape s;
  CHECK(!make_hull(context, &random, SPHERE, 21000, &s));
  CHECK_TEXT(picus_last_error(context)->message,
             "the hull of the 21000 points of the polyhedron has more than 20000 corners; give it fewer points");
  CHECK(make_hull(context, &random, BALL, 300000, &s));
  picus_shape_release(context, &s);
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

typedef struct two_hulls {
  picus_context *context;
  picus_shape a, b;
  narrow_space space;
} two_hulls;

static bool make_two(two_hulls *t, test_random *random, const cloud kind[2], const int count[2]) {
  narrow_size size = {0};
  if (picus_context_create(NULL, &t->context)) return false;
  if (!make_hull(t->context, random, kind[0], count[0], &t->a)) return false;
  if (!make_hull(t->context, random, kind[1], count[1], &t->b)) return false;
  picus_narrow_need(&t->a, &size);
  picus_narrow_need(&t->b, &size);
  return picus_narrow_reserve(t->context, &size, &t->space) == PICUS_OK;
}

static void release_two(two_hulls *t) {
  picus_shape_release(t->context, &t->a);
  picus_shape_release(t->context, &t->b);
  picus_narrow_release(t->context, &t->space);
  CHECK(picus_context_memory(t->context) == 0);
  picus_context_destroy(t->context);
}

/* Places b at a gap from a, along a random direction, by two steps. */
static void bring_near(const two_hulls *t, test_random *random, double gap, picus_pose poses[2]) {
  poses[0] = random_pose(random, false, 1);
  poses[1] = random_pose(random, false, 1);
  for (int k = 0; k < 3; k++) {
    manifold m = {0};
    picus_narrow(&(shape_pair){&t->a, &t->b, {poses[0], poses[1]}, 100}, &t->space, &m);
    if (m.count) poses[1].origin = v3_along(poses[1].origin, gap - m.contact[0].gap, m.contact[0].normal);
  }
}

/* Without marks all features are compared. */
static void same_as_all_pairs(void) {
  test_random random = {2};
  static const double gaps[] = {0.5, 1e-3, 0, -1e-6, -0.01, -0.2};
  int different = 0, count = 0;
  for (int round = 0; round < 60; round++) {
    const cloud kind[2] = {(cloud)(round % CLOUDS), (cloud)(round / CLOUDS % CLOUDS)};
    const int points[2] = {test_integer(&random, 20, 160), test_integer(&random, 20, 160)};
    two_hulls t;
    REQUIRE(make_two(&t, &random, kind, points));
    narrow_space plain = t.space;
    plain.marks[0] = NULL;
    for (int pose = 0; pose < 30; pose++) {
      picus_pose poses[2];
      bring_near(&t, &random, gaps[pose % 6], poses);
      if (pose % 5 == 0) poses[1] = poses[0]; /* in each other */
      const shape_pair pair = {&t.a, &t.b, {poses[0], poses[1]}, 100};
      manifold m = {0}, n = {0};
      picus_narrow(&pair, &t.space, &m);
      picus_narrow(&pair, &plain, &n);
      if (!CHECK(m.count && n.count)) continue;
      CHECK_NEAR(m.contact[0].gap, n.contact[0].gap, 1e-12 * (t.a.bound + t.b.bound));
      different += v3_length(v3_sub(m.contact[0].normal, n.contact[0].normal)) > 1e-9;
      count++;
    }
    release_two(&t);
  }
  CHECK(different < count / 20); /* directions of equal depth */
}

/* Resting on each other: as many contacts as with all pairs. */
static void prisms_at_rest(void) {
  test_random random = {3};
  two_hulls t;
  REQUIRE(make_two(&t, &random, (const cloud[2]){PRISM, PRISM}, (const int[2]){80, 120}));
  for (int round = 0; round < 20; round++) {
    picus_pose poses[2] = {picus_pose_identity(),
                           moved(picus_pose_identity(), (v3){0.05 * round, 0, 1 - 1e-9}, (v3){0, 0, 0.1 * round})};
    manifold m = {0};
    picus_narrow(&(shape_pair){&t.a, &t.b, {poses[0], poses[1]}, 1e-3}, &t.space, &m);
    CHECK(m.count == 4);
    for (int k = 0; k < m.count; k++) {
      CHECK_NEAR(m.contact[k].gap, -1e-9, 1e-13);
      CHECK(v3_length(v3_sub(m.contact[k].normal, (v3){0, 0, 1})) < 1e-12);
    }
  }
  release_two(&t);
}

/* Many corners: no direction separates more, apart: the nearest points lie in both hulls. */
static void many_corners(void) {
  test_random random = {4};
  two_hulls t;
  REQUIRE(make_two(&t, &random, (const cloud[2]){SPHERE, LENS}, (const int[2]){20000, 5000}));
  for (int round = 0; round < 40; round++) {
    static const double gaps[] = {0.3, 1e-3, 0, -1e-6, -0.01};
    picus_pose poses[2];
    bring_near(&t, &random, gaps[round % 5], poses);
    manifold m = {0}, n = {0};
    picus_narrow(&(shape_pair){&t.a, &t.b, {poses[0], poses[1]}, 100}, &t.space, &m);
    picus_narrow(&(shape_pair){&t.b, &t.a, {poses[1], poses[0]}, 100}, &t.space, &n);
    if (!CHECK(m.count && n.count)) continue;
    const contact_geometry *c = &m.contact[0];
    CHECK_NEAR(c->gap, n.contact[0].gap, 1e-12);
    double high = -INFINITY, low = INFINITY;
    for (int k = 0; k < t.a.polytope.vertex_count; k++)
      high = fmax(high, v3_dot(c->normal, pose_point(&poses[0], t.a.polytope.vertices[k])));
    for (int k = 0; k < t.b.polytope.vertex_count; k++)
      low = fmin(low, v3_dot(c->normal, pose_point(&poses[1], t.b.polytope.vertices[k])));
    CHECK_NEAR(low - high, c->gap, 1e-12);
    const v3 p = pose_point_back(&poses[0], c->point[0]), q = pose_point_back(&poses[1], c->point[1]);
    for (int f = 0; f < t.a.polytope.face_count && c->gap > 0; f++)
      CHECK(v3_dot(t.a.polytope.normals[f], p) < t.a.polytope.offsets[f] + 1e-12);
    for (int f = 0; f < t.b.polytope.face_count && c->gap > 0; f++)
      CHECK(v3_dot(t.b.polytope.normals[f], q) < t.b.polytope.offsets[f] + 1e-12);
  }
  release_two(&t);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"hulls", hulls},
      {"same_as_all_pairs", same_as_all_pairs},
      {"prisms_at_rest", prisms_at_rest},
      {"many_corners", many_corners},
  };
  return test_main(argc, argv, "collision_large_hulls", cases, (int)(sizeof cases / sizeof *cases));
}
