/* Ellipsoids with every other shape: closed forms on half-spaces and for equal radii, certificates of signed distances,
 * brute force over points, extreme radii, and how gap and normal change with the poses. */
#include "collision_pair_checks.h"

#include "source/contact_motion.h"

static const int kinds[] = {PICUS_SHAPE_SPHERE,
                            PICUS_SHAPE_SEGMENT,
                            PICUS_SHAPE_CAPSULE,
                            PICUS_SHAPE_BOX,
                            PICUS_SHAPE_BOX + THING_ROUNDED,
                            PICUS_SHAPE_POLYHEDRON,
                            PICUS_SHAPE_POLYHEDRON + THING_ROUNDED,
                            PICUS_SHAPE_CYLINDER,
                            PICUS_SHAPE_CYLINDER + THING_ROUNDED,
                            PICUS_SHAPE_ELLIPSOID};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void visit(int rounds, int poses, double extent, look_fn look) {
  test_random random = {31};
  for (int k = 0; k < 2 * KINDS; k++)
    for (int round = 0; round < rounds; round++) {
      two_things t;
      thing_define(&random, k % 2 ? PICUS_SHAPE_ELLIPSOID : kinds[k / 2], false, 1, &t.a);
      thing_define(&random, k % 2 ? kinds[k / 2] : PICUS_SHAPE_ELLIPSOID, false, 1, &t.b);
      REQUIRE(two_create(&t));
      for (int pose = 0; pose < poses; pose++) {
        t.a.pose = random_pose(&random, false, extent);
        t.b.pose = random_pose(&random, false, extent);
        look(&t, &random);
      }
      two_release(&t);
    }
}

static void distances(void) { visit(rounds_of(16), 10, 1.5, check_certificate); }
static void depths(void) { visit(rounds_of(6), 8, 0.3, check_certificate); }
static void exchange(void) { visit(rounds_of(25), 8, 1, check_exchange); }
static void gradients(void) { visit(rounds_of(25), 8, 0.8, check_gradient); }
static void continuity(void) { visit(4, 4, 0.7, check_continuity); }
static void scales(void) { visit(10, 3, 1, check_scaling); }

/* --- half-spaces ------------------------------------------------------------------------------------------------- */

static picus_shape_def ellipsoid(double a, double b, double c) {
  return (picus_shape_def){.kind = PICUS_SHAPE_ELLIPSOID, .size = {a, b, c}};
}

static bool make(two_things *t, picus_shape_def a, picus_shape_def b) {
  *t = (two_things){.a = {.def = a, .pose = picus_pose_identity()}, .b = {.def = b, .pose = picus_pose_identity()}};
  return two_create(t);
}

static void half_spaces(void) {
  test_random random = {1};
  for (int round = 0; round < 300; round++) {
    two_things t;
    const picus_shape_def ground = {.kind = PICUS_SHAPE_HALF_SPACE};
    const double flat = round % 3 ? 1 : 1e-3, long_one = round % 3 || round % 5 ? 1 : 5;
    const picus_shape_def stone = ellipsoid(test_uniform(&random, 0.5, 2), long_one, flat);
    REQUIRE(make(&t, round % 2 ? stone : ground, round % 2 ? ground : stone));
    thing *e = round % 2 ? &t.a : &t.b, *plane = round % 2 ? &t.b : &t.a;
    e->pose = random_pose(&random, false, 2);
    plane->pose = random_pose(&random, false, 2);
    const v3 up = plane->pose.axis[2], m = pose_direction_back(&e->pose, up);
    const double h = sqrt(pow(stone.size[0] * m.x, 2) + pow(stone.size[1] * m.y, 2) + pow(stone.size[2] * m.z, 2));
    const double gap = v3_dot(up, v3_sub(e->pose.origin, plane->pose.origin)) - h;
    const manifold found = two_collide(&t, 1e5);
    if (!CHECK(found.count == 1)) continue;
    const contact_geometry *c = &found.contact[0];
    CHECK_NEAR(c->gap, gap, 1e-15 * (long_one + 5));
    CHECK(v3_length(v3_sub(c->normal, round % 2 ? v3_minus(up) : up)) <= 1e-15);
    const v3 on = pose_point_back(&e->pose, c->point[!(round % 2)]);
    CHECK_NEAR(pow(on.x / stone.size[0], 2) + pow(on.y / stone.size[1], 2) + pow(on.z / stone.size[2], 2), 1, 1e-9);
    two_release(&t);
  }
}

/* --- equal radii: a sphere --------------------------------------------------------------------------------------- */

static void as_sphere(void) {
  test_random random = {2};
  for (int k = 0; k < KINDS; k++)
    for (int round = 0; round < 100; round++) {
      two_things t, ball;
      const double r = random_length(&random, 1);
      thing_define(&random, kinds[k], false, 1, &t.b);
      t.a.def = ellipsoid(r, r, r);
      ball.a.def = (picus_shape_def){.kind = PICUS_SHAPE_SPHERE, .radius = r};
      ball.b = t.b;
      REQUIRE(two_create(&t) && two_create(&ball));
      t.a.pose = random_pose(&random, false, 1);
      t.b.pose = random_pose(&random, false, 1);
      ball.a.pose = t.a.pose;
      ball.b.pose = t.b.pose;
      const manifold m = two_collide(&t, 100), n = two_collide(&ball, 100);
      const double scale = t.a.size + t.b.size;
      if (CHECK(m.count == 1 && n.count >= 1)) {
        CHECK_NEAR(m.contact[0].gap, n.contact[0].gap, 2e-15 * scale);
        CHECK(v3_length(v3_sub(m.contact[0].normal, n.contact[0].normal)) < 1e-7);
      }
      two_release(&t);
      two_release(&ball);
    }
}

/* --- extreme radii ----------------------------------------------------------------------------------------------- */

/* Needles and leaves, 1 : 1000, of sizes 1e-6 to 1e6. */
static void extreme(void) {
  test_random random = {3};
  for (int round = 0; round < 2000; round++) {
    two_things t;
    const double scale = pow(10, test_uniform(&random, -6, 6));
    const picus_shape_def flat = ellipsoid(scale, scale * (round % 2 ? 1e-3 : 1), scale * 1e-3);
    thing_define(&random, kinds[round % KINDS], false, scale, &t.b);
    t.a.def = flat;
    if (round % 20 == 9) t.b.def = ellipsoid(scale * 1e-3, scale * (round % 40 == 9 ? 1e-3 : 1), scale);
    REQUIRE(two_create(&t));
    t.a.pose = random_pose(&random, false, scale);
    t.b.pose = random_pose(&random, false, scale);
    const manifold m = two_collide(&t, 1e9), n = two_collide_exchanged(&t, 1e9);
    if (CHECK(m.count == 1 && n.count == 1 && is_usable(&m) && is_usable(&n))) {
      const contact_geometry *c = &m.contact[0];
      const double size = t.a.size + t.b.size;
      CHECK_NEAR(c->gap, n.contact[0].gap, 1e-13 * size);
      CHECK_NEAR(separation(&t.a, &t.b, c->normal), c->gap, 1e-14 * size);
      if (c->gap > 1e-9 * size) {
        CHECK(thing_outside(&t.a, c->point[0]) < 1e-10 * size);
        CHECK(thing_outside(&t.b, c->point[1]) < 1e-10 * size);
      }
      /* of a leaf that a cylinder has passed through, the shortest way out may be missed */
      const bool passed = t.b.def.kind == PICUS_SHAPE_CYLINDER;
      if (c->gap <= 0 && round % 4 == 0 && !passed) CHECK(c->gap >= climb(&t.a, &t.b, &random) - 1e-12 * size);
    }
    two_release(&t);
  }
}

/* The centre of a sphere in the middle, on the axes, in the planes of symmetry, on the surface. */
static void special_points(void) {
  test_random random = {4};
  for (int round = 0; round < 2000; round++) {
    two_things t;
    const double values[] = {1e-3, 0.3, 0.3, 1, 1, 1000};
    const picus_shape_def e = ellipsoid(values[test_integer(&random, 0, 4)], values[test_integer(&random, 0, 4)], 1);
    REQUIRE(make(&t, e, (picus_shape_def){.kind = PICUS_SHAPE_SPHERE, .radius = 1e-3}));
    double p[3];
    for (int k = 0; k < 3; k++) {
      const int which = test_integer(&random, 0, 5);
      p[k] = e.size[k] * (which == 0   ? 0
                          : which == 1 ? 1
                          : which == 2 ? 1e-12
                          : which == 3 ? -1 + 1e-9
                                       : test_uniform(&random, -2, 2));
    }
    t.b.pose.origin = (v3){p[0], p[1], p[2]};
    const manifold m = two_collide(&t, 100);
    if (CHECK(m.count == 1 && is_usable(&m))) {
      const contact_geometry *c = &m.contact[0];
      const double level = sqrt(pow(p[0] / e.size[0], 2) + pow(p[1] / e.size[1], 2) + pow(p[2] / e.size[2], 2));
      if (fabs(level - 1) > 1e-8) CHECK((c->gap + 1e-3 > 0) == (level > 1));
      CHECK_NEAR(separation(&t.a, &t.b, c->normal), c->gap, 1e-14);
      const v3 on = c->point[0];
      CHECK_NEAR(pow(on.x / e.size[0], 2) + pow(on.y / e.size[1], 2) + pow(on.z / e.size[2], 2), 1, 1e-6);
    }
    two_release(&t);
  }
}

/* Nearest points by brute force: a net of points of both ellipsoids, refined where they are nearest. */
static v3 at_angles(const thing *t, const double angle[2]) {
  const double *r = t->def.size;
  return pose_point(
      &t->pose, (v3){r[0] * cos(angle[0]) * cos(angle[1]), r[1] * cos(angle[0]) * sin(angle[1]), r[2] * sin(angle[0])});
}

static double brute_distance(const two_things *t) {
  const thing *both[2] = {&t->a, &t->b};
  double best = INFINITY, angle[4] = {0, 0, 0, 0};
  for (int code = 0; code < 20736; code++) {
    const double trial[4] = {0.5 * (code % 12) - 3, 0.5 * (code / 12 % 12) - 3, 0.5 * (code / 144 % 12) - 3,
                             0.5 * (code / 1728) - 3};
    const double d = v3_length(v3_sub(at_angles(both[1], trial + 2), at_angles(both[0], trial)));
    if (d >= best) continue;
    best = d;
    memcpy(angle, trial, sizeof angle);
  }
  for (double step = 0.3; step > 1e-9; step *= 0.7) {
    bool better = true;
    for (int tries = 0; tries < 200 && better; tries++) {
      better = false;
      for (int code = 0; code < 81; code++) {
        double trial[4];
        for (int k = 0, rest = code; k < 4; k++, rest /= 3) trial[k] = angle[k] + step * (rest % 3 - 1);
        const double d = v3_length(v3_sub(at_angles(both[1], trial + 2), at_angles(both[0], trial)));
        if (d >= best) continue;
        better = true;
        best = d;
        memcpy(angle, trial, sizeof angle);
      }
    }
  }
  return best;
}

static void brute_force(void) {
  test_random random = {5};
  int apart = 0;
  while (apart < 6) {
    two_things t;
    thing_define(&random, PICUS_SHAPE_ELLIPSOID, false, 1, &t.a);
    thing_define(&random, PICUS_SHAPE_ELLIPSOID, false, 1, &t.b);
    REQUIRE(two_create(&t));
    t.a.pose = random_pose(&random, false, 1.5);
    t.b.pose = random_pose(&random, false, 1.5);
    const manifold m = two_collide(&t, 100);
    if (m.contact[0].gap > 0.05 && ++apart) CHECK_NEAR(m.contact[0].gap, brute_distance(&t), 1e-9);
    two_release(&t);
  }
}

/* --- changes with the poses -------------------------------------------------------------------------------------- */

/* The velocities of normal, tangents, spin and rolling along a motion of the poses, by differences. */
static void check_slopes(two_things *t, test_random *random) {
  const manifold m = two_collide(t, 100);
  if (!CHECK(m.count == 1) || fabs(m.contact[0].gap) < 0.1 || m.contact[0].gap < -0.3) return;
  shape_motion motion[2] = {{.pose = t->a.pose}, {.pose = t->b.pose}};
  touch_change change = {.by_time = false};
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 3; i++) {
      (&motion[side].velocity.x)[i] = test_uniform(random, -1, 1);
      (&motion[side].spin.x)[i] = test_uniform(random, -1, 1);
      (&change.shift[side].x)[i] = test_uniform(random, -1, 1);
      (&change.turn[side].x)[i] = test_uniform(random, -1, 1);
    }
  touching touch = {.shape = {&t->a.shape, &t->b.shape}, .feature = m.feature[0], .spin_factor = 0.1};
  for (int side = 0; side < 2; side++) touch.motion[side] = &motion[side];
  touch_site site;
  double slopes[TOUCH_ROWS], rates[2][TOUCH_ROWS] = {{0}};
  picus_touch_find(&touch, &site);
  picus_touch_slopes(&touch, &site, &change, slopes);
  for (int size = 0; size < 2; size++)
    for (int k = 0; k < 4; k++) {
      static const double weight[4] = {8, -8, -1, 1}, place[4] = {1, -1, 2, -2};
      const double h = size ? 2.5e-4 : 5e-4;
      shape_motion near[2] = {motion[0], motion[1]};
      touching there = touch;
      for (int side = 0; side < 2; side++) {
        const v3 shift = v3_scale(place[k] * h, change.shift[side]), turn = v3_scale(place[k] * h, change.turn[side]);
        near[side].pose = moved(near[side].pose, shift, turn);
        near[side].spin = pose_direction(&near[side].pose, pose_direction_back(&motion[side].pose, motion[side].spin));
        there.motion[side] = &near[side];
      }
      touch_site at;
      picus_touch_find(&there, &at);
      for (int row = 0; row < TOUCH_ROWS; row++) {
        touch_row r;
        picus_touch_row(&there, &at, row, &r);
        const double velocity = picus_touch_velocity(&there, &r, 0) + picus_touch_velocity(&there, &r, 1);
        rates[size][row] += weight[k] * velocity / (12 * h);
      }
    }
  for (int row = 0; row < TOUCH_ROWS; row++) {
    const double size = fabs(rates[1][row]) + 1;
    if (fabs(rates[0][row] - rates[1][row]) > 1e-9 * size) continue; /* the differences are not exact here */
    if (!CHECK_NEAR(slopes[row], rates[1][row], 1e-8 * size))
      printf("  kinds %d %d features %d %d row %d\n", t->a.def.kind, t->b.def.kind, m.feature[0].a.kind,
             m.feature[0].b.kind, row);
  }
}
static void slopes(void) { visit(rounds_of(25), 8, 1.2, check_slopes); }

/* --- surfaces ----------------------------------------------------------------------------------------------------- */

/* A flat mesh is a half-space, wherever the ellipsoid is over its triangles; over the edge of a roof, the roof is its
 * convex hull. */
static void on_meshes(void) {
  static const double flat[] = {-9, -9, 0, 9, -9, 0, 9, 9, 0, -9, 9, 0, 0.3, 0.2, 0};
  static const double roof[] = {-9, -9, -9, 9, -9, -9, 9, 0, 0, -9, 0, 0, 9, 9, -9, -9, 9, -9};
  static const int fan[][3] = {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}},
                   sides[][3] = {{0, 1, 2}, {0, 2, 3}, {3, 2, 4}, {3, 4, 5}};
  test_random random = {6};
  for (int round = 0; round < 600; round++) {
    const bool is_roof = round % 2;
    two_things t, hull;
    picus_shape_def mesh = {.kind = PICUS_SHAPE_MESH,
                            .points = is_roof ? roof : flat,
                            .point_count = is_roof ? 6 : 5,
                            .triangles = is_roof ? sides : fan,
                            .triangle_count = 4};
    picus_shape_def solid = {.kind = PICUS_SHAPE_POLYHEDRON, .points = roof, .point_count = 6};
    if (!is_roof) solid = (picus_shape_def){.kind = PICUS_SHAPE_HALF_SPACE};
    const picus_shape_def stone = ellipsoid(random_length(&random, 1), random_length(&random, 1), 0.3);
    const picus_pose at = random_pose(&random, false, 1.5), ground = random_pose(&random, false, 1);
    t = (two_things){.a = {.def = stone}, .b = {.def = mesh}};
    hull = (two_things){.a = {.def = stone}, .b = {.def = solid}};
    picus_context_create(NULL, &t.context);
    REQUIRE(!picus_shape_create(t.context, &mesh, &t.b.shape) && !picus_shape_create(t.context, &stone, &t.a.shape));
    narrow_size size = {0};
    picus_narrow_need(&t.a.shape, &size);
    REQUIRE(!picus_narrow_reserve(t.context, &size, &t.space));
    picus_context_create(NULL, &hull.context);
    REQUIRE(!picus_shape_create(hull.context, &solid, &hull.b.shape) &&
            !picus_shape_create(hull.context, &stone, &hull.a.shape));
    picus_narrow_need(&hull.b.shape, &size);
    REQUIRE(!picus_narrow_reserve(hull.context, &size, &hull.space));
    t.b.pose = hull.b.pose = ground;
    t.a.pose = hull.a.pose = at;
    t.a.pose.origin = hull.a.pose.origin = pose_point(&ground, at.origin);
    const manifold n = two_collide(&hull, 100), m = two_collide(&t, 2);
    if (n.contact[0].gap > 1e-6 && n.contact[0].gap < 1.9 && CHECK(m.count > 0)) {
      CHECK_NEAR(m.contact[0].gap, n.contact[0].gap, 1e-13 * 10);
      CHECK(v3_length(v3_sub(m.contact[0].normal, n.contact[0].normal)) < 1e-7);
      const manifold back = two_collide_exchanged(&t, 2);
      if (CHECK(back.count == m.count)) CHECK_NEAR(back.contact[0].gap, m.contact[0].gap, 1e-13 * 10);
    }
    two_release(&t);
    two_release(&hull);
  }
}

/* --- mass, and what is refused ----------------------------------------------------------------------------------- */

static void masses(void) {
  picus_context *context = NULL;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  const picus_shape_def def = ellipsoid(0.2, 0.3, 0.5);
  picus_shape shape;
  picus_mass mass;
  REQUIRE(picus_shape_create(context, &def, &shape) == PICUS_OK);
  REQUIRE(picus_shape_mass(context, &shape, 3, &mass) == PICUS_OK);
  const double m = 3 * 4.0 / 3 * 3.14159265358979323846 * 0.2 * 0.3 * 0.5;
  CHECK_NEAR(mass.mass, m, 1e-15);
  CHECK_NEAR(mass.inertia[0], m / 5 * (0.09 + 0.25), 1e-15);
  CHECK_NEAR(mass.inertia[4], m / 5 * (0.04 + 0.25), 1e-15);
  CHECK_NEAR(mass.inertia[8], m / 5 * (0.04 + 0.09), 1e-15);
  CHECK(mass.inertia[1] == 0 && v3_length(mass.centre) == 0);
  picus_pose pose = picus_pose_identity();
  const picus_bounds b = picus_shape_bounds(&shape, &pose);
  CHECK(b.low[0] == -0.2 && b.high[1] == 0.3 && b.high[2] == 0.5);
  picus_shape_release(context, &shape);
  picus_context_destroy(context);
}

static void refusals(void) {
  static const struct {
    double radii[3], radius;
    const char *message;
  } wrong[] = {
      {{0, 1, 1}, 0, "an ellipsoid needs a radius along x between 1e-100 and 1e+100, not 0"},
      {{1, -1, 1}, 0, "an ellipsoid needs a radius along y between 1e-100 and 1e+100, not -1"},
      {{1, 1, NAN}, 0, "an ellipsoid needs a radius along z between 1e-100 and 1e+100, not nan"},
      {{INFINITY, 1, 1}, 0, "an ellipsoid needs a radius along x between 1e-100 and 1e+100, not inf"},
      {{1, 1e-5, 1}, 0, "the radii of an ellipsoid are 1, 1e-05 and 1; they may differ by a factor of at most 10000"},
      {{1, 1, 1}, 0.1, "an ellipsoid cannot be rounded; leave out the radius 0.1"},
  };
  picus_context *context = NULL;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    picus_shape_def def = ellipsoid(wrong[k].radii[0], wrong[k].radii[1], wrong[k].radii[2]);
    picus_shape shape;
    def.radius = wrong[k].radius;
    CHECK(picus_shape_create(context, &def, &shape) != PICUS_OK);
    if (!CHECK(strstr(picus_last_error(context)->message, wrong[k].message) != NULL))
      printf("  %s\n", picus_last_error(context)->message);
  }
  picus_context_destroy(context);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"half_spaces", half_spaces}, {"as_sphere", as_sphere},
      {"distances", distances},     {"depths", depths},
      {"exchange", exchange},       {"gradients", gradients},
      {"continuity", continuity},   {"scales", scales},
      {"extreme", extreme},         {"special_points", special_points},
      {"brute_force", brute_force}, {"slopes", slopes},
      {"on_meshes", on_meshes},     {"masses", masses},
      {"refusals", refusals},
  };
  return test_main(argc, argv, "collision_ellipsoids", cases, (int)(sizeof cases / sizeof *cases));
}
