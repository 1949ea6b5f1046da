/* Cylinders against half-spaces and spheres, and what they rest on: boxes, each other, meshes. */
#include "collision_support.h"

#include <math.h>

static picus_shape_def cylinder(double length, double radius) {
  return (picus_shape_def){.kind = PICUS_SHAPE_CYLINDER, .size = {length}, .radius = radius};
}

static bool make(two_things *t, picus_shape_def a, picus_shape_def b) {
  *t = (two_things){.a = {.def = a, .pose = picus_pose_identity()}, .b = {.def = b, .pose = picus_pose_identity()}};
  return two_create(t);
}

/* The signed distance of a point from a cylinder, in its frame. */
static double point_distance(const picus_shape_def *def, v3 p) {
  const double beyond = hypot(p.x, p.y) - def->radius, above = fabs(p.z) - def->size[0] / 2;
  return (beyond > 0 && above > 0 ? hypot(beyond, above) : fmax(beyond, above)) - def->rounding;
}

static void check_rates(const two_things *t, const manifold *m, test_random *random) {
  for (int k = 0; k < m->count; k++) {
    const contact_geometry *c = &m->contact[k];
    picus_pose poses[2] = {t->a.pose, t->b.pose};
    v3 v[2], w[2];
    double velocity[2], ahead[2];
    for (int s = 0; s < 2; s++) {
      v[s] = (v3){test_uniform(random, -1, 1), test_uniform(random, -1, 1), test_uniform(random, -1, 1)};
      w[s] = (v3){test_uniform(random, -1, 1), test_uniform(random, -1, 1), test_uniform(random, -1, 1)};
      velocity[s] = v3_dot(c->normal, v3_add(v[s], v3_cross(w[s], v3_sub(c->point[s], poses[s].origin))));
    }
    for (int s = 0; s < 2; s++) {
      const double h = s ? 1e-6 : -1e-6;
      picus_pose near[2] = {moved(poses[0], v3_scale(h, v[0]), v3_scale(h, w[0])),
                            moved(poses[1], v3_scale(h, v[1]), v3_scale(h, w[1]))};
      contact_geometry again;
      picus_contact_gap(&t->a.shape, &t->b.shape, near, picus_feature_unpack(picus_feature_pack(m->feature[k])),
                        &again);
      ahead[s] = again.gap;
    }
    CHECK_NEAR((ahead[1] - ahead[0]) / 2e-6, velocity[1] - velocity[0], 1e-6);
  }
}

static void spheres(void) {
  test_random random = {1};
  for (int round = 0; round < 200; round++) {
    two_things t;
    const double scale = pow(10, test_uniform(&random, -6, 6));
    const bool first = round % 2;
    thing_define(&random, PICUS_SHAPE_CYLINDER + (round % 4 < 2 ? 0 : THING_ROUNDED), false, scale,
                 first ? &t.a : &t.b);
    thing_define(&random, PICUS_SHAPE_SPHERE, false, scale, first ? &t.b : &t.a);
    REQUIRE(two_create(&t));
    for (int pose = 0; pose < 50; pose++) {
      t.a.pose = random_pose(&random, false, scale);
      t.b.pose = random_pose(&random, false, scale);
      const thing *c = first ? &t.a : &t.b, *ball = first ? &t.b : &t.a;
      manifold m = two_collide(&t, 100 * scale), n = two_collide_exchanged(&t, 100 * scale);
      if (!CHECK(m.count == 1 && n.count == 1)) continue;
      const double gap = point_distance(&c->def, pose_point_back(&c->pose, ball->pose.origin)) - ball->def.radius;
      const double tolerance = 1e-12 * (t.a.size + t.b.size);
      CHECK_NEAR(m.contact[0].gap, gap, tolerance);
      CHECK_NEAR(n.contact[0].gap, gap, tolerance);
      CHECK(v3_length(v3_add(m.contact[0].normal, n.contact[0].normal)) < 1e-9);
      CHECK_NEAR(separation(&t.a, &t.b, m.contact[0].normal), gap, tolerance);
      if (gap > tolerance) {
        CHECK(thing_outside(&t.a, m.contact[0].point[0]) < tolerance);
        CHECK(thing_outside(&t.b, m.contact[0].point[1]) < tolerance);
      }
    }
    two_release(&t);
  }
}

static void half_spaces(void) {
  test_random random = {2};
  for (int round = 0; round < 200; round++) {
    two_things t;
    const bool first = round % 2;
    thing_define(&random, PICUS_SHAPE_CYLINDER + (round % 4 < 2 ? 0 : THING_ROUNDED), false, 1, first ? &t.a : &t.b);
    thing_define(&random, PICUS_SHAPE_HALF_SPACE, false, 1, first ? &t.b : &t.a);
    REQUIRE(two_create(&t));
    for (int pose = 0; pose < 50; pose++) {
      t.a.pose = random_pose(&random, false, 1);
      t.b.pose = random_pose(&random, false, 1);
      const thing *c = first ? &t.a : &t.b, *plane = first ? &t.b : &t.a;
      const v3 up = plane->pose.axis[2];
      const double gap = -thing_support(c, v3_minus(up)) - v3_dot(up, plane->pose.origin);
      manifold m = two_collide(&t, 100);
      if (!CHECK(m.count > 0)) continue;
      CHECK_NEAR(m.contact[0].gap, gap, 1e-12);
      CHECK_NEAR(thing_outside(c, m.contact[0].point[!first]), 0, 1e-12);
      CHECK(v3_length(v3_sub(m.contact[0].normal, first ? v3_minus(up) : up)) < 1e-13);
      for (int k = 0; k < m.count; k++) {
        CHECK(m.contact[k].gap >= gap - 1e-12);
        CHECK(thing_outside(c, m.contact[k].point[!first]) < 1e-12);
      }
      check_rates(&t, &m, &random);
    }
    two_release(&t);
  }
}

/* Rates at spheres, where the distance from rims is not small. */
static void sphere_rates(void) {
  test_random random = {3};
  two_things t;
  REQUIRE(make(&t, cylinder(1, 0.5), (picus_shape_def){.kind = PICUS_SHAPE_SPHERE, .radius = 0.2}));
  for (int pose = 0; pose < 2000; pose++) {
    t.a.pose = random_pose(&random, false, 1);
    t.b.pose = random_pose(&random, false, 1);
    manifold m = two_collide(&t, 100);
    const v3 p = pose_point_back(&t.a.pose, t.b.pose.origin);
    if (m.contact[0].gap > 0.1 && hypot(p.x, p.y) > 0.05) check_rates(&t, &m, &random);
  }
  two_release(&t);
}

/* A line almost parallel to the end of a cylinder sinks beside the rim. The features stay those of a line that leans on
 * the rim; their gap stays the distance, and its direction turns no faster than it does on a circle of its size. */
static void past_the_end_of_a_rim(void) {
  two_things t;
  REQUIRE(make(&t, cylinder(2, 0.5), (picus_shape_def){.kind = PICUS_SHAPE_SEGMENT, .size = {2}}));
  const feature_pair leans = {{FEATURE_RIM, 8 + 5}, {FEATURE_EDGE, 0}};
  const double beside = 0.01, step = 1e-5;
  const picus_pose lying = moved(picus_pose_identity(), (v3){0.5 + beside, 0, 1}, (v3){2 * atan(1) + 0.02, 0, 0});
  contact_geometry last = {.gap = NAN};
  for (int k = -2000; k <= 2000; k++) {
    const picus_pose poses[2] = {picus_pose_identity(), moved(lying, (v3){0, 0, -step * k}, (v3){0, 0, 0})};
    contact_geometry now;
    picus_contact_gap(&t.a.shape, &t.b.shape, poses, leans, &now);
    CHECK(now.gap >= beside - 1e-12);
    if (k > -2000) CHECK(fabs(now.gap - last.gap) <= 1.01 * step);
    if (k > -2000) CHECK(v3_length(v3_sub(now.normal, last.normal)) <= 1.01 * step / beside);
    last = now;
  }
  CHECK(last.normal.z < 0);
  two_release(&t);
}

/* A line that lies across the end of a cylinder and tilts a little to both sides: its two contacts stay where they are
 * and keep their names. */
static void line_across_an_end(void) {
  two_things t;
  manifold first = {0};
  REQUIRE(make(&t, cylinder(2, 0.5), (picus_shape_def){.kind = PICUS_SHAPE_SEGMENT, .size = {2}}));
  for (int k = -100; k <= 100; k++) {
    t.b.pose = moved(picus_pose_identity(), (v3){0.1, 0, 1.001}, (v3){2 * atan(1) + 1e-6 * k, 0, 0});
    const manifold m = two_collide(&t, 0.01);
    if (k == -100) first = m;
    if (!CHECK(m.count == 2)) continue;
    for (int i = 0; i < 2; i++) {
      const int other = picus_feature_pack(m.feature[i]) != picus_feature_pack(first.feature[0]);
      CHECK(picus_feature_pack(m.feature[i]) == picus_feature_pack(first.feature[other]));
      CHECK(v3_length(v3_sub(m.contact[i].point[0], first.contact[other].point[0])) < 1e-3);
    }
  }
  two_release(&t);
}

/* A cylinder that tilts over a plane to both sides: no gap of a contact named at the start has a tip on the way, so
 * that slopes change little. */
static void tilt_to_both_sides(void) {
  two_things t;
  REQUIRE(make(&t, (picus_shape_def){.kind = PICUS_SHAPE_HALF_SPACE}, cylinder(2, 0.5)));
  for (int round = 0; round < 20; round++) {
    const v3 about = {1e-3 * cos(0.7 * round), 1e-3 * sin(0.7 * round), 0};
    t.b.pose = moved(picus_pose_identity(), (v3){0, 0, 1}, about);
    const manifold m = two_collide(&t, 0.1);
    CHECK(m.count == 4);
    for (int i = 0; i < m.count; i++) {
      contact_geometry at[3];
      for (int k = 0; k < 3; k++) {
        const picus_pose poses[2] = {t.a.pose, moved(picus_pose_identity(), (v3){0, 0, 1}, v3_scale(1 - k, about))};
        picus_contact_gap(&t.a.shape, &t.b.shape, poses, m.feature[i], &at[k]);
      }
      CHECK_NEAR(at[0].gap + at[2].gap, 2 * at[1].gap, 2e-6);
    }
  }
  two_release(&t);
}

static void rest(void) {
  two_things t;
  REQUIRE(make(&t, (picus_shape_def){.kind = PICUS_SHAPE_HALF_SPACE}, cylinder(2, 0.5)));
  for (int round = 0; round < 40; round++) { /* upright, with tilts of 0, round-off and less than a degree */
    const double tilt = round ? pow(10, -2 - round / 2.0) : 0, angle = 0.7 * round;
    t.b.pose = moved(picus_pose_identity(), (v3){0, 0, 1}, v3_scale(tilt, (v3){cos(angle), sin(angle), 0}));
    manifold m = two_collide(&t, 0.02);
    CHECK(m.count == 4);
    double least = INFINITY; /* the centre lies inside of what they span, by a good part of the radius */
    for (int n = 0; n < 64; n++) {
      double reach = -INFINITY;
      for (int k = 0; k < m.count; k++)
        reach = fmax(reach, m.contact[k].point[1].x * cos(0.1 * n) + m.contact[k].point[1].y * sin(0.1 * n));
      least = fmin(least, reach);
    }
    CHECK(least > 0.15);
    for (int k = 0; k < m.count; k++) CHECK(m.contact[k].point[1].z < 0.011);
  }
  t.b.pose = moved(picus_pose_identity(), (v3){0, 0, 0.5}, (v3){2 * atan(1), 0, 0}); /* on its side */
  manifold m = two_collide(&t, 1e-3);
  CHECK(m.count == 2);
  for (int k = 0; k < m.count; k++) {
    CHECK_NEAR(m.contact[k].gap, 0, 1e-15);
    CHECK_NEAR(fabs(m.contact[k].point[1].y), 1, 1e-15);
  }
  two_release(&t);
}

static void special_positions(void) {
  two_things t;
  REQUIRE(make(&t, cylinder(2, 0.5), (picus_shape_def){.kind = PICUS_SHAPE_SPHERE, .radius = 0.25}));
  static const v3 places[] = {{0, 0, 0}, {0, 0, 1}, {0.5, 0, 1}, {0.5, 0, 0}, {0, 0, -1}, {0.2, 0, 0.7}};
  static const double gaps[] = {-0.75, -0.25, -0.25, -0.25, -0.25, -0.55};
  for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
    t.b.pose.origin = places[k];
    manifold m = two_collide(&t, 1);
    CHECK(m.count == 1 && fabs(v3_length(m.contact[0].normal) - 1) < 1e-15);
    CHECK_NEAR(m.contact[0].gap, gaps[k], 1e-15);
  }
  two_release(&t);
}

/* How far the points of b reach at least, in all horizontal directions, from a place. */
static double reach_around(const manifold *m, v3 place) {
  double least = INFINITY;
  for (int n = 0; n < 64; n++) {
    double reach = -INFINITY;
    for (int k = 0; k < m->count; k++) {
      const v3 d = v3_sub(m->contact[k].point[1], place);
      reach = fmax(reach, d.x * cos(0.1 * n) + d.y * sin(0.1 * n));
    }
    least = fmin(least, reach);
  }
  return least;
}

static void check_level(const manifold *m, double gap) {
  for (int k = 0; k < m->count; k++) {
    CHECK_NEAR(m->contact[k].gap, gap, 1e-12);
    CHECK(v3_length(v3_sub(m->contact[k].normal, (v3){0, 0, 1})) < 1e-9);
  }
}

static picus_shape_def box(double x, double y, double z) {
  return (picus_shape_def){.kind = PICUS_SHAPE_BOX, .size = {x, y, z}};
}

static bool same_features(const manifold *m, const manifold *n) {
  bool same = m->count == n->count;
  for (int k = 0; k < m->count && same; k++) {
    bool found = false;
    for (int i = 0; i < n->count; i++)
      found = found || picus_feature_pack(m->feature[k]) == picus_feature_pack(n->feature[i]);
    same = found;
  }
  return same;
}

/* Standing on a wide box, on a narrow one, and over its edge; slid and turned about its axis. */
static void standing(void) {
  two_things t;
  REQUIRE(make(&t, box(4, 4, 1), cylinder(2, 0.5)));
  manifold first = {0};
  for (int round = 0; round < 40; round++) {
    t.b.pose = moved(picus_pose_identity(), (v3){0.02 * round, 0.01 * round, 1.5 + 1e-6}, (v3){0, 0, 0.003 * round});
    manifold m = two_collide(&t, 0.01);
    CHECK(m.count == 4);
    check_level(&m, 1e-6);
    CHECK(reach_around(&m, t.b.pose.origin) > 0.3);
    if (!round) first = m;
    CHECK(same_features(&m, &first));
  }
  for (int round = 0; round < 20; round++) { /* hanging over: its centre stays inside as long as it is over the box */
    t.b.pose = moved(picus_pose_identity(), (v3){1.55 + 0.02 * round, 0.1, 1.5}, (v3){0, 0, 0.3 * round});
    manifold m = two_collide(&t, 0.01);
    CHECK(m.count >= 3);
    check_level(&m, 0);
    CHECK(reach_around(&m, t.b.pose.origin) > fmin(0.15, 2 - t.b.pose.origin.x - 0.001));
    for (int k = 0; k < m.count; k++) CHECK(m.contact[k].point[1].x < 2 + 1e-12);
  }
  two_release(&t);
  REQUIRE(make(&t, box(0.4, 0.4, 1), cylinder(2, 0.5)));
  t.b.pose.origin = (v3){0.05, 0, 1.5};
  manifold m = two_collide(&t, 0.01);
  CHECK(m.count == 4); /* the corners of the box */
  check_level(&m, 0);
  for (int k = 0; k < m.count; k++) CHECK_NEAR(fabs(m.contact[k].point[1].x), 0.2, 1e-12);
  two_release(&t);
}

/* Lying on a box: two points of the line, at its ends or at the edges of the box. */
static void lying(void) {
  two_things t;
  REQUIRE(make(&t, box(4, 4, 1), cylinder(2, 0.5)));
  manifold first = {0};
  for (int round = 0; round < 40; round++) {
    t.b.pose = moved(picus_pose_identity(), (v3){0, 0, 0}, (v3){2 * atan(1), 0, 0});
    t.b.pose = moved(t.b.pose, (v3){0.02 * round, 0, 1 + 1e-5}, (v3){0, 0, 0.02 * round});
    manifold m = two_collide(&t, 0.01);
    CHECK(m.count == 2);
    check_level(&m, 1e-5);
    CHECK_NEAR(v3_length(v3_sub(m.contact[0].point[1], m.contact[1].point[1])), 2, 1e-9);
    if (!round) first = m;
    CHECK(same_features(&m, &first));
  }
  t.b.pose = moved(picus_pose_identity(), (v3){1.9, 1.5, 1}, (v3){2 * atan(1), 0, 0});
  manifold m = two_collide(&t, 1e-3);
  CHECK(m.count == 2);
  check_level(&m, 0);
  for (int k = 0; k < m.count; k++)
    CHECK(fabs(m.contact[k].point[1].y - 0.5) < 1e-9 || fabs(m.contact[k].point[1].y - 2) < 1e-9);
  two_release(&t);
}

/* Coins on each other, one cylinder along another, across it, on its end. */
static void on_each_other(void) {
  two_things t;
  REQUIRE(make(&t, cylinder(1, 0.5), cylinder(1, 0.5)));
  for (int round = 0; round < 10; round++) {
    t.b.pose.origin = (v3){0.04 * round, 0.02 * round, 1};
    manifold m = two_collide(&t, 1e-3);
    CHECK(m.count == 4);
    check_level(&m, 0);
    CHECK(reach_around(&m, v3_scale(0.5, t.b.pose.origin)) > 0.1);
    for (int k = 0; k < m.count; k++) { /* in both disks */
      const v3 p = m.contact[k].point[1];
      CHECK(hypot(p.x, p.y) < 0.5 + 1e-9 && hypot(p.x - 0.04 * round, p.y - 0.02 * round) < 0.5 + 1e-9);
    }
  }
  t.b.pose.origin = (v3){0, 1, 0.3}; /* side by side */
  manifold m = two_collide(&t, 1e-3);
  CHECK(m.count == 2);
  for (int k = 0; k < m.count; k++) {
    CHECK_NEAR(m.contact[k].gap, 0, 1e-12);
    CHECK(fabs(m.contact[k].point[0].z - 0.5) < 1e-9 || fabs(m.contact[k].point[0].z + 0.2) < 1e-9);
  }
  t.b.pose = moved(picus_pose_identity(), (v3){0, 1, 0}, (v3){0, 2 * atan(1), 0}); /* across */
  m = two_collide(&t, 1e-3);
  CHECK(m.count == 1 && fabs(m.contact[0].gap) < 1e-12 &&
        v3_length(v3_sub(m.contact[0].point[0], (v3){0, 0.5, 0})) < 1e-9);
  t.b.pose = moved(picus_pose_identity(), (v3){0.2, 0, 1}, (v3){0, 2 * atan(1), 0}); /* lying on the end */
  m = two_collide(&t, 1e-3);
  CHECK(m.count == 2);
  check_level(&m, 0);
  for (int k = 0; k < m.count; k++)
    CHECK(fabs(m.contact[k].point[1].x - 0.5) < 1e-9 || fabs(m.contact[k].point[1].x + 0.3) < 1e-9);
  two_release(&t);
}

/* A flat mesh is a half-space; a pyramid below touches with its tip, a ridge with its edge. */
static void on_meshes(void) {
  static const double points[] = {-3, -3, 0, 3, -3, 0, 3, 3, 0, -3, 3, 0};
  static const int flat[][3] = {{0, 1, 2}, {0, 2, 3}};
  static const double ridge[] = {-3, 0, 0, 3, 0, 0, 3, 3, -1, -3, 3, -1, 3, -3, -1, -3, -3, -1};
  static const int roof[][3] = {{0, 1, 2}, {0, 2, 3}, {1, 0, 4}, {0, 5, 4}};
  picus_shape_def defs[2] = {
      {.kind = PICUS_SHAPE_MESH, .points = points, .point_count = 4, .triangles = flat, .triangle_count = 2},
      {.kind = PICUS_SHAPE_MESH, .points = ridge, .point_count = 6, .triangles = roof, .triangle_count = 4}};
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  const picus_shape_def ground = {.kind = PICUS_SHAPE_HALF_SPACE}, round_def = cylinder(2, 0.5);
  picus_shape plane, mesh[2], body;
  REQUIRE(picus_shape_create(context, &ground, &plane) == PICUS_OK);
  REQUIRE(picus_shape_create(context, &round_def, &body) == PICUS_OK);
  for (int k = 0; k < 2; k++) REQUIRE(picus_shape_create(context, &defs[k], &mesh[k]) == PICUS_OK);
  test_random random = {4};
  const narrow_space none = {0};
  for (int round = 0; round < 3000; round++) {
    picus_pose poses[2] = {picus_pose_identity(), random_pose(&random, false, 1)};
    poses[1].origin.z = fabs(poses[1].origin.z); /* a body wholly behind a surface does not touch it */
    manifold m = {0}, n = {0}, back = {0};
    picus_narrow(&(shape_pair){&plane, &body, {poses[0], poses[1]}, 0.1}, &none, &n);
    picus_narrow(&(shape_pair){&mesh[0], &body, {poses[0], poses[1]}, 0.1}, &none, &m);
    picus_narrow(&(shape_pair){&body, &mesh[0], {poses[1], poses[0]}, 0.1}, &none, &back);
    CHECK((m.count > 0) == (n.count > 0) && (m.count > 0) == (back.count > 0));
    if (!m.count || !n.count || !back.count) continue;
    CHECK_NEAR(m.contact[0].gap, n.contact[0].gap, 1e-12);
    CHECK_NEAR(back.contact[0].gap, n.contact[0].gap, 1e-12);
    for (int k = 0; k < m.count; k++) CHECK(v3_length(v3_sub(m.contact[k].normal, (v3){0, 0, 1})) < 1e-12);
  }
  for (int round = 0; round < 2000; round++) { /* over the ridge: the distance of an edge from the cylinder */
    picus_pose poses[2] = {picus_pose_identity(), random_pose(&random, false, 0.5)};
    poses[1].origin.z += 1;
    manifold m = {0}, n = {0};
    picus_narrow(&(shape_pair){&mesh[1], &body, {poses[0], poses[1]}, 1}, &none, &m);
    const picus_shape_def edge = {.kind = PICUS_SHAPE_SEGMENT, .size = {6}};
    picus_shape segment;
    REQUIRE(picus_shape_create(context, &edge, &segment) == PICUS_OK);
    narrow_size need = {0};
    narrow_space space;
    picus_narrow_need(&segment, &need);
    REQUIRE(picus_narrow_reserve(context, &need, &space) == PICUS_OK);
    const picus_pose along = {{0, 0, 0}, {{0, 0, -1}, {0, 1, 0}, {1, 0, 0}}};
    picus_narrow(&(shape_pair){&segment, &body, {along, poses[1]}, 1}, &space, &n);
    if (n.count && n.contact[0].gap > 0.01 && n.contact[0].normal.z > 0.96) { /* between the normals of the faces */
      double least = INFINITY;
      for (int k = 0; k < m.count; k++) least = fmin(least, m.contact[k].gap);
      CHECK_NEAR(least, n.contact[0].gap, 1e-12);
    }
    picus_narrow_release(context, &space);
    picus_shape_release(context, &segment);
  }
  picus_pose poses[2] = {picus_pose_identity(), moved(picus_pose_identity(), (v3){0, 0, 1}, (v3){0, 0, 0.3})};
  manifold m = {0};
  picus_narrow(&(shape_pair){&mesh[0], &body, {poses[0], poses[1]}, 0.01}, &none, &m);
  CHECK(m.count >= 4 && reach_around(&m, (v3){0, 0, 0}) > 0.3);
  poses[1] = moved(picus_pose_identity(), (v3){0, 0, 0.5}, (v3){2 * atan(1), 0, 0});
  picus_narrow(&(shape_pair){&mesh[0], &body, {poses[0], poses[1]}, 0.01}, &none, &m);
  CHECK(m.count >= 2);
  picus_shape_release(context, &plane);
  picus_shape_release(context, &body);
  for (int k = 0; k < 2; k++) picus_shape_release(context, &mesh[k]);
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"spheres", spheres},
      {"half_spaces", half_spaces},
      {"past_the_end_of_a_rim", past_the_end_of_a_rim},
      {"line_across_an_end", line_across_an_end},
      {"tilt_to_both_sides", tilt_to_both_sides},
      {"rest", rest},
      {"sphere_rates", sphere_rates},
      {"special_positions", special_positions},
      {"standing", standing},
      {"lying", lying},
      {"on_each_other", on_each_other},
      {"on_meshes", on_meshes},
  };
  return test_main(argc, argv, "collision_cylinders", cases, (int)(sizeof cases / sizeof *cases));
}
