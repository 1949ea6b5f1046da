/* Cylinders with every other convex shape at random poses. Certificates of a signed distance: its normal separates by
 * exactly the gap, by closed forms of the supports; apart, the nearest points lie in the shapes; overlapping, no other
 * direction separates more, of many that are searched uphill. */
#include "collision_pair_checks.h"

static const int kinds[] = {PICUS_SHAPE_SPHERE,
                            PICUS_SHAPE_SEGMENT,
                            PICUS_SHAPE_CAPSULE,
                            PICUS_SHAPE_BOX,
                            PICUS_SHAPE_BOX + THING_ROUNDED,
                            PICUS_SHAPE_POLYHEDRON,
                            PICUS_SHAPE_POLYHEDRON + THING_ROUNDED,
                            PICUS_SHAPE_CYLINDER,
                            PICUS_SHAPE_CYLINDER + THING_ROUNDED};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void visit(int rounds, int poses, double extent, look_fn look) {
  test_random random = {21};
  for (int k = 0; k < 2 * KINDS; k++)
    for (int round = 0; round < rounds; round++) {
      two_things t;
      const int cylinder = PICUS_SHAPE_CYLINDER + (round % 3 ? 0 : THING_ROUNDED);
      thing_define(&random, k % 2 ? cylinder : kinds[k / 2], false, 1, &t.a);
      thing_define(&random, k % 2 ? kinds[k / 2] : cylinder, false, 1, &t.b);
      REQUIRE(two_create(&t));
      for (int pose = 0; pose < poses; pose++) {
        t.a.pose = random_pose(&random, false, extent);
        t.b.pose = random_pose(&random, false, extent);
        look(&t, &random);
      }
      two_release(&t);
    }
}

static void distances(void) { visit(rounds_of(16), 10, 1, check_certificate); }
static void depths(void) { visit(rounds_of(6), 8, 0.3, check_certificate); }

static void exchange(void) { visit(rounds_of(25), 8, 1, check_exchange); }

static void gradients(void) { visit(rounds_of(25), 8, 0.8, check_gradient); }

static void continuity(void) { visit(4, 4, 0.7, check_continuity); }

static void scales(void) { visit(10, 3, 1, check_scaling); }

/* Very different sizes, thin and flat cylinders. */
static void mixed_scales(void) {
  test_random random = {5};
  for (int round = 0; round < 3000; round++) {
    two_things t;
    double size[2] = {pow(10, test_uniform(&random, -6, 6)), pow(10, test_uniform(&random, -6, 6))};
    thing_define(&random, PICUS_SHAPE_CYLINDER, false, size[0], &t.a);
    thing_define(&random, kinds[test_integer(&random, 0, KINDS - 1)], false, size[1], &t.b);
    if (round % 3 == 0) t.a.def.size[0] *= 1e-3;
    if (round % 3 == 1) t.a.def.radius *= 1e-3;
    REQUIRE(two_create(&t));
    t.a.pose = random_pose(&random, false, size[0]);
    t.b.pose = random_pose(&random, false, fmax(size[0], size[1]));
    manifold m = two_collide(&t, 1e9), n = two_collide_exchanged(&t, 1e9);
    if (CHECK(m.count && n.count && is_usable(&m) && is_usable(&n))) {
      const double scale = t.a.size + t.b.size + fabs(m.contact[0].gap);
      CHECK_NEAR(m.contact[0].gap, n.contact[0].gap, 1e-12 * scale);
      CHECK_NEAR(separation(&t.a, &t.b, m.contact[0].normal), m.contact[0].gap, 1e-12 * scale);
    }
    two_release(&t);
  }
}

/* The same place, aligned, on one axis, touching, inside of each other. */
static void special_positions(void) {
  test_random random = {6};
  for (int k = 0; k < KINDS; k++)
    for (int round = 0; round < 400; round++) {
      two_things t;
      thing_define(&random, PICUS_SHAPE_CYLINDER, false, 1, &t.a);
      thing_define(&random, kinds[k], false, round % 3 ? 1 : 0.01, &t.b);
      if (round % 5 == 0 && kinds[k] == PICUS_SHAPE_CYLINDER) t.b = t.a;
      REQUIRE(two_create(&t));
      t.a.pose = random_pose(&random, false, round % 4 ? 1 : 0);
      if (round % 4 == 0) t.a.pose = picus_pose_identity();
      t.b.pose = t.a.pose;
      const double x = t.a.def.radius, z = t.a.def.size[0] / 2;
      v3 shift = {test_integer(&random, -2, 2) * x, test_integer(&random, -2, 2) * x, test_integer(&random, -2, 2) * z};
      if (round % 2) t.b.pose.origin = pose_point(&t.a.pose, shift);
      if (round % 7 == 0) /* the axes exchanged */
        t.b.pose = (picus_pose){t.b.pose.origin, {t.a.pose.axis[1], t.a.pose.axis[2], t.a.pose.axis[0]}};
      const double tilt = pow(10, -test_integer(&random, 3, 16));
      if (round % 11 == 0) t.b.pose = moved(t.b.pose, (v3){0, 0, 0}, v3_scale(tilt, t.a.pose.axis[round % 3]));
      manifold m = two_collide(&t, 100), n = two_collide_exchanged(&t, 100);
      if (CHECK(m.count && n.count && is_usable(&m) && is_usable(&n))) {
        const double scale = t.a.size + t.b.size, gap = m.contact[0].gap;
        CHECK_NEAR(gap, n.contact[0].gap, 1e-12 * scale);
        /* where a line touches a rim, the root of round-off determines the direction */
        CHECK_NEAR(separation(&t.a, &t.b, m.contact[0].normal), gap, 6e-8 * scale);
        if (round % 16 == 0) CHECK(gap >= climb(&t.a, &t.b, &random) - 1e-12 * scale);
      }
      two_release(&t);
    }
}

/* Cylinders much smaller than their distance, half of them with almost equal axes: the certificate of the distance up
 * to the round-off of the distance. */
static void small_and_far(void) {
  test_random random = {29};
  for (int round = 0; round < 400; round++) {
    two_things t;
    thing_define(&random, PICUS_SHAPE_CYLINDER, false, 1e-3, &t.a);
    thing_define(&random, PICUS_SHAPE_CYLINDER, false, 1e-3, &t.b);
    REQUIRE(two_create(&t));
    t.a.pose = random_pose(&random, false, 30);
    t.b.pose = random_pose(&random, false, 30);
    if (round % 2) {
      const v3 turn = {test_uniform(&random, -0.1, 0.1), test_uniform(&random, -0.1, 0.1), 0};
      const picus_pose alike = moved(t.a.pose, (v3){0, 0, 0}, turn);
      for (int k = 0; k < 3; k++) t.b.pose.axis[k] = alike.axis[k];
    }
    const manifold m = two_collide(&t, 1e3), n = two_collide_exchanged(&t, 1e3);
    if (CHECK(m.count && n.count)) {
      const contact_geometry *c = &m.contact[0];
      CHECK_NEAR(c->gap, n.contact[0].gap, 1e-12 * 30);
      CHECK_NEAR(separation(&t.a, &t.b, c->normal), c->gap, 1e-12 * 30);
      CHECK(thing_outside(&t.a, c->point[0]) < 1e-12 * 30 && thing_outside(&t.b, c->point[1]) < 1e-12 * 30);
    }
    two_release(&t);
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"distances", distances},         {"depths", depths},
      {"exchange", exchange},           {"gradients", gradients},
      {"continuity", continuity},       {"scales", scales},
      {"mixed_scales", mixed_scales},   {"special_positions", special_positions},
      {"small_and_far", small_and_far},
  };
  return test_main(argc, argv, "collision_cylinder_pairs", cases, (int)(sizeof cases / sizeof *cases));
}
