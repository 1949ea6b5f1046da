/* Which contacts a pair of shapes has: as many as needed to rest on, at the right places, with features that stay the
 * same while shapes slide. */
#include "collision_support.h"

#include <math.h>

static bool make(two_things *t, picus_shape_def a, picus_shape_def b) {
  *t = (two_things){.a = {.def = a, .pose = picus_pose_identity()}, .b = {.def = b, .pose = picus_pose_identity()}};
  return two_create(t);
}

static picus_shape_def box(double x, double y, double z) {
  return (picus_shape_def){.kind = PICUS_SHAPE_BOX, .size = {x, y, z}};
}
static picus_shape_def rectangle(double x, double y) {
  return (picus_shape_def){.kind = PICUS_SHAPE_RECTANGLE, .size = {x, y}};
}
static picus_shape_def floor_of(bool planar) {
  return (picus_shape_def){.kind = PICUS_SHAPE_HALF_SPACE, .planar = planar};
}

static bool has_point(const manifold *m, v3 point, double gap) {
  for (int k = 0; k < m->count; k++)
    if (v3_length(v3_sub(m->contact[k].point[1], point)) < 1e-12 && fabs(m->contact[k].gap - gap) < 1e-12) return true;
  return false;
}

static bool all_along(const manifold *m, v3 normal) {
  for (int k = 0; k < m->count; k++)
    if (v3_length(v3_sub(m->contact[k].normal, normal)) > 1e-12) return false;
  return true;
}

static void box_on_floor(void) {
  two_things t;
  REQUIRE(make(&t, floor_of(false), box(2, 4, 6)));
  t.b.pose.origin = (v3){1, 1, 3 + 1e-3};
  manifold m = two_collide(&t, 0.01);
  CHECK(m.count == 4 && all_along(&m, (v3){0, 0, 1}));
  for (int k = 0; k < 4; k++) CHECK(has_point(&m, (v3){k & 1 ? 2 : 0, k & 2 ? 3 : -1, 1e-3}, 1e-3));
  m = two_collide(&t, 1e-4);
  CHECK(m.count == 0);
  m = two_collide(&t, 100); /* all eight corners are in reach: the four low ones are taken */
  CHECK(m.count == 4);
  for (int k = 0; k < 4; k++) CHECK(has_point(&m, (v3){k & 1 ? 2 : 0, k & 2 ? 3 : -1, 1e-3}, 1e-3));
  two_release(&t);
}

static void rectangle_on_floor(void) {
  two_things t;
  REQUIRE(make(&t, floor_of(true), rectangle(2, 1)));
  t.b.pose.origin = (v3){1, 0.5 - 1e-3, 0};
  manifold m = two_collide(&t, 0.01);
  CHECK(m.count == 2 && all_along(&m, (v3){0, 1, 0}));
  CHECK(has_point(&m, (v3){0, -1e-3, 0}, -1e-3) && has_point(&m, (v3){2, -1e-3, 0}, -1e-3));
  two_release(&t);
}

/* A small box on a large one, a large one on a small one, and one that hangs over the edge. */
static void box_on_box(void) {
  for (int round = 0; round < 3; round++) {
    two_things t;
    REQUIRE(make(&t, round == 1 ? box(1, 1, 1) : box(4, 4, 1), round == 1 ? box(4, 4, 1) : box(1, 1, 1)));
    t.b.pose.origin = (v3){round == 2 ? 2 : 0.25, 0, 1 + 1e-6};
    manifold m = two_collide(&t, 0.01);
    CHECK(m.count == 4 && all_along(&m, (v3){0, 0, 1}));
    const double low = round == 0 ? -0.25 : round == 1 ? -0.5 : 1.5, high = round == 0 ? 0.75 : round == 1 ? 0.5 : 2;
    for (int k = 0; k < 4; k++) CHECK(has_point(&m, (v3){k & 1 ? low : high, k & 2 ? 0.5 : -0.5, 0.5 + 1e-6}, 1e-6));
    two_release(&t);
  }
}

static void rectangle_on_rectangle(void) {
  for (int round = 0; round < 4; round++) {
    two_things t;
    REQUIRE(make(&t, round == 1 ? rectangle(1, 1) : rectangle(4, 1), round == 1 ? rectangle(4, 1) : rectangle(1, 1)));
    t.b.pose.origin = (v3){round == 2 ? 2 : 0.25, round == 3 ? 1 - 1e-3 : 1 + 1e-6, 0};
    manifold m = two_collide(&t, 0.01);
    CHECK(m.count == 2 && all_along(&m, (v3){0, 1, 0}));
    const double low = round == 1 ? -0.5 : round == 2 ? 1.5 : -0.25, high = round == 1 ? 0.5 : round == 2 ? 2 : 0.75;
    const double gap = round == 3 ? -1e-3 : 1e-6;
    CHECK(has_point(&m, (v3){low, 0.5 + gap, 0}, gap) && has_point(&m, (v3){high, 0.5 + gap, 0}, gap));
    two_release(&t);
  }
}

/* Equal boxes in line, turned about the vertical by any angle: four points that span the common area. */
static void turned_boxes(void) {
  two_things t;
  REQUIRE(make(&t, box(1, 1, 1), box(1, 1, 1)));
  for (int round = 0; round <= 900; round++) {
    const double angle = round < 100 ? pow(10, -round / 6.0) : round * 1e-3;
    t.b.pose = moved((picus_pose){{0, 0, 1}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, (v3){0, 0, 0}, (v3){0, 0, angle});
    manifold m = two_collide(&t, 0.01);
    CHECK(m.count == 4 && all_along(&m, (v3){0, 0, 1}));
    double area = 0; /* of the four points, as two triangles in the order of their angles */
    double order[4];
    int at[4] = {0, 1, 2, 3};
    for (int k = 0; k < m.count; k++) {
      CHECK(fabs(m.contact[k].gap) < 1e-14);
      CHECK(fmax(fabs(m.contact[k].point[0].x), fabs(m.contact[k].point[0].y)) < 0.5 + 1e-6);
      order[k] = atan2(m.contact[k].point[0].y, m.contact[k].point[0].x);
    }
    for (int k = 0; k < 4; k++)
      for (int l = 0; l < 3; l++)
        if (order[at[l]] > order[at[l + 1]]) {
          int kept = at[l];
          at[l] = at[l + 1];
          at[l + 1] = kept;
        }
    for (int k = 0; k < 4; k++) {
      v3 p = m.contact[at[k]].point[0], q = m.contact[at[(k + 1) % 4]].point[0];
      area += (p.x * q.y - p.y * q.x) / 2;
    }
    CHECK(area > 0.58); /* turned by 45 degrees, four corners of the regular octagon: 0.586 */
  }
  two_release(&t);
}

/* The corner of a cube on a face: one contact; an edge: two. */
static void corners_and_edges(void) {
  two_things t;
  REQUIRE(make(&t, box(4, 4, 1), box(1, 1, 1)));
  t.b.pose =
      moved(picus_pose_identity(), (v3){0, 0, 0.5 + sqrt(0.75)}, v3_scale(atan(sqrt(2)), v3_unit((v3){1, -1, 0})));
  manifold m = two_collide(&t, 0.01);
  CHECK(m.count == 1 && all_along(&m, (v3){0, 0, 1}));
  CHECK_NEAR(m.contact[0].gap, 0, 1e-12);
  t.b.pose = moved(picus_pose_identity(), (v3){0, 0, 0.5 + sqrt(0.5)}, (v3){atan(1), 0, 0});
  m = two_collide(&t, 0.01);
  CHECK(m.count == 2 && all_along(&m, (v3){0, 0, 1}));
  CHECK(has_point(&m, (v3){0.5, 0, 0.5}, 0) && has_point(&m, (v3){-0.5, 0, 0.5}, 0));
  two_release(&t);
}

static void capsules(void) {
  two_things t;
  picus_shape_def capsule = {.kind = PICUS_SHAPE_CAPSULE, .size = {2}, .radius = 0.25};
  REQUIRE(make(&t, box(1, 1, 1), capsule)); /* across a face: it reaches over both edges */
  t.b.pose = moved(picus_pose_identity(), (v3){0, 0, 0.75}, (v3){0, 2 * atan(1), 0});
  manifold m = two_collide(&t, 0.01);
  CHECK(m.count == 2 && all_along(&m, (v3){0, 0, 1}));
  CHECK(has_point(&m, (v3){-0.5, 0, 0.5}, 0) && has_point(&m, (v3){0.5, 0, 0.5}, 0));
  two_release(&t);
  REQUIRE(make(&t, capsule, capsule)); /* side by side, one half a length ahead; then crossed */
  t.b.pose.origin = (v3){0.5, 0, 1};
  m = two_collide(&t, 0.01);
  CHECK(m.count == 2 && all_along(&m, (v3){1, 0, 0}));
  CHECK(has_point(&m, (v3){0.25, 0, 0}, 0) && has_point(&m, (v3){0.25, 0, 1}, 0));
  t.b.pose = moved(t.b.pose, (v3){0, 0, 0}, (v3){1, 0, 0});
  m = two_collide(&t, 0.01);
  CHECK(m.count == 1);
  two_release(&t);
  REQUIRE(make(&t, floor_of(false), capsule));
  t.b.pose = moved(picus_pose_identity(), (v3){0, 0, 0.25}, (v3){0, 2 * atan(1), 0});
  m = two_collide(&t, 0.01);
  CHECK(m.count == 2);
  two_release(&t);
}

/* While a box slides and turns a little on another one, no pair of features changes; tilting by round-off neither. */
static void features_stay(void) {
  test_random random = {9};
  two_things t;
  REQUIRE(make(&t, box(4, 4, 1), box(1, 1, 1)));
  uint64_t first[4] = {0};
  for (int step = 0; step < 500; step++) {
    v3 noise = {test_uniform(&random, -1e-10, 1e-10), test_uniform(&random, -1e-10, 1e-10), 1e-3 * step};
    t.b.pose = moved(picus_pose_identity(), (v3){1e-3 * step, 0, 1 + test_uniform(&random, -1e-10, 1e-10)}, noise);
    manifold m = two_collide(&t, 0.01);
    REQUIRE(m.count == 4);
    uint64_t now[4];
    for (int k = 0; k < 4; k++) now[k] = picus_feature_pack(m.feature[k]);
    for (int k = 0; k < 4; k++) {
      bool found = step == 0;
      for (int l = 0; l < 4; l++) found = found || now[l] == first[k];
      CHECK(found);
    }
    if (!step) memcpy(first, now, sizeof first);
  }
  two_release(&t);
}

static void tangents(void) {
  test_random random = {3};
  for (int round = 0; round < 1000; round++) {
    v3 n = random_pose(&random, round % 2, 1).axis[0], t[2], u[2];
    picus_contact_tangents(round % 2, n, t);
    CHECK(fabs(v3_dot(n, t[0])) < 1e-15 && fabs(v3_dot(n, t[1])) < 1e-15 && fabs(v3_dot(t[0], t[1])) < 1e-15);
    CHECK(v3_length(v3_sub(v3_cross(n, t[0]), t[1])) < 1e-14);
    v3 near = v3_unit(v3_along(n, 1e-6, round % 2 ? t[0] : v3_add(t[0], t[1])));
    picus_contact_tangents(round % 2, near, u);
    const double height = 1 + v3_dot(n, (v3){2.0 / 7, 3.0 / 7, 6.0 / 7});
    CHECK(v3_length(v3_sub(u[0], t[0])) < 1e-5 / fmin(1, height));
  }
  v3 t[2];
  picus_contact_tangents(false, (v3){-2.0 / 7, -3.0 / 7, -6.0 / 7}, t);
  CHECK_NEAR(v3_length(t[0]), 1, 1e-15);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"box_on_floor", box_on_floor}, {"rectangle_on_floor", rectangle_on_floor},
      {"box_on_box", box_on_box},     {"rectangle_on_rectangle", rectangle_on_rectangle},
      {"turned_boxes", turned_boxes}, {"corners_and_edges", corners_and_edges},
      {"capsules", capsules},         {"features_stay", features_stay},
      {"tangents", tangents},
  };
  return test_main(argc, argv, "collision_manifolds", cases, (int)(sizeof cases / sizeof *cases));
}
