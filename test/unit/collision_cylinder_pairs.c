/* Cylinders with every other convex shape at random poses. Certificates of a signed distance: its normal separates by
 * exactly the gap, by closed forms of the supports; apart, the nearest points lie in the shapes; overlapping, no other
 * direction separates more, of many that are searched uphill. */
#include "collision_support.h"

#include <math.h>

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

typedef void (*look_fn)(two_things *t, test_random *random);

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

static bool is_usable(const manifold *m) {
  bool good = m->count <= MANIFOLD_MOST;
  for (int k = 0; k < m->count; k++) {
    const contact_geometry *c = &m->contact[k];
    good = good && isfinite(c->gap) && fabs(v3_length(c->normal) - 1) < 1e-14;
    good = good && isfinite(v3_length(c->point[0])) && isfinite(v3_length(c->point[1]));
  }
  return good;
}

/* The largest separation found uphill from many directions: a lower bound of the signed distance. */
static double climb(const thing *a, const thing *b, test_random *random) {
  enum { STARTS = 300, TOPS = 6 };
  v3 top[TOPS];
  double value[TOPS];
  int count = 0;
  for (int k = 0; k < STARTS; k++) {
    v3 n = {test_uniform(random, -1, 1), test_uniform(random, -1, 1), test_uniform(random, -1, 1)};
    if (v3_length(n) < 0.1 || v3_length(n) > 1) continue;
    n = v3_unit(n);
    const double here = separation(a, b, n);
    if (count == TOPS && here <= value[TOPS - 1]) continue;
    int at = count < TOPS ? count++ : TOPS - 1;
    for (; at > 0 && value[at - 1] < here; at--) {
      top[at] = top[at - 1];
      value[at] = value[at - 1];
    }
    top[at] = n;
    value[at] = here;
  }
  double best = -INFINITY;
  for (int k = 0; k < count; k++) {
    for (double step = 0.3; step > 1e-9; step *= 0.6)
      for (int tries = 0; tries < 12; tries++) {
        v3 d = {test_uniform(random, -step, step), test_uniform(random, -step, step),
                test_uniform(random, -step, step)};
        const v3 n = v3_unit(v3_add(top[k], d));
        const double here = separation(a, b, n);
        if (here <= value[k]) continue;
        value[k] = here;
        top[k] = n;
      }
    best = fmax(best, value[k]);
  }
  return best;
}

static void check_certificate(two_things *t, test_random *random) {
  manifold m = two_collide(t, 100);
  const double scale = t->a.size + t->b.size;
  if (!CHECK(m.count > 0) || !CHECK(is_usable(&m))) return;
  const contact_geometry *c = &m.contact[0];
  CHECK_NEAR(separation(&t->a, &t->b, c->normal), c->gap, 1e-12 * scale);
  v3 rest = v3_sub(v3_sub(c->point[1], c->point[0]), v3_scale(c->gap, c->normal));
  CHECK(v3_length(rest) < 1e-12 * scale);
  const double core_gap = c->gap + t->a.shape.radius + t->b.shape.radius;
  if (core_gap > 1e-9) {
    CHECK(thing_outside(&t->a, c->point[0]) < 1e-12 * scale);
    CHECK(thing_outside(&t->b, c->point[1]) < 1e-12 * scale);
  } else {
    const double found = climb(&t->a, &t->b, random);
    if (!CHECK(c->gap >= found - 1e-12 * scale))
      printf("  kinds %d %d: gap %.15g, found %.15g\n", t->a.def.kind, t->b.def.kind, c->gap, found);
  }
}

static int rounds_of(long whole) { return (int)test_size(whole / 2, whole / 2, whole); }
static void distances(void) { visit(rounds_of(16), 10, 1, check_certificate); }
static void depths(void) { visit(rounds_of(6), 8, 0.3, check_certificate); }

static void check_exchange(two_things *t, test_random *random) {
  (void)random;
  manifold m = two_collide(t, 100), n = two_collide_exchanged(t, 100);
  const double scale = t->a.size + t->b.size;
  if (!CHECK(m.count && n.count)) return;
  CHECK_NEAR(m.contact[0].gap, n.contact[0].gap, 1e-12 * scale);
  CHECK(v3_length(v3_add(m.contact[0].normal, n.contact[0].normal)) < 1e-6);
}
static void exchange(void) { visit(rounds_of(25), 8, 1, check_exchange); }

/* All contacts: the same gap again from the features, and its velocity from the normal and the points. */
static void check_gradient(two_things *t, test_random *random) {
  manifold m = two_collide(t, 0.3);
  for (int k = 0; k < m.count; k++) {
    const contact_geometry *c = &m.contact[k];
    contact_geometry again;
    feature_pair feature = picus_feature_unpack(picus_feature_pack(m.feature[k]));
    picus_pose poses[2] = {t->a.pose, t->b.pose};
    picus_contact_gap(&t->a.shape, &t->b.shape, poses, feature, &again);
    CHECK(again.gap == c->gap);
    v3 v[2], w[2];
    double velocity[2], ahead[2][2];
    for (int s = 0; s < 2; s++) {
      v[s] = (v3){test_uniform(random, -1, 1), test_uniform(random, -1, 1), test_uniform(random, -1, 1)};
      w[s] = (v3){test_uniform(random, -1, 1), test_uniform(random, -1, 1), test_uniform(random, -1, 1)};
      velocity[s] = v3_dot(c->normal, v3_add(v[s], v3_cross(w[s], v3_sub(c->point[s], poses[s].origin))));
    }
    const double h = 1e-5;
    for (int size = 0; size < 2; size++)
      for (int s = 0; s < 2; s++) {
        const double way = (s ? h : -h) / (1 << size);
        picus_pose near[2] = {moved(poses[0], v3_scale(way, v[0]), v3_scale(way, w[0])),
                              moved(poses[1], v3_scale(way, v[1]), v3_scale(way, w[1]))};
        picus_contact_gap(&t->a.shape, &t->b.shape, near, feature, &again);
        ahead[size][s] = again.gap;
      }
    /* where two steps of the difference disagree, its error is not small: near the end of a rim's arc, lines through a
     * vertex */
    const double rate = (ahead[0][1] - ahead[0][0]) / (2 * h), finer = (ahead[1][1] - ahead[1][0]) / h;
    if (fabs(rate - finer) < 1e-7) CHECK_NEAR(finer, velocity[1] - velocity[0], 1e-6);
    if (fabs(finer - velocity[1] + velocity[0]) > 1e-6 && fabs(rate - finer) < 1e-7)
      printf("  features %d:%d %d:%d\n", feature.a.kind, feature.a.index, feature.b.kind, feature.b.index);
  }
}
static void gradients(void) { visit(rounds_of(25), 8, 0.8, check_gradient); }

static void check_continuity(two_things *t, test_random *random) {
  const double h = 1e-3, scale = t->a.size + t->b.size;
  v3 v = {test_uniform(random, -1, 1), test_uniform(random, -1, 1), test_uniform(random, -1, 1)};
  v3 w = {test_uniform(random, -1, 1), test_uniform(random, -1, 1), test_uniform(random, -3, 3)};
  double last = NAN;
  for (int step = 0; step < 200; step++) {
    manifold m = two_collide(t, 100);
    if (!CHECK(m.count > 0)) return;
    const double way = h * (v3_length(v) + v3_length(w) * (t->b.size + v3_length(t->b.shape.centre))) + 1e-12 * scale;
    if (step && !CHECK(fabs(m.contact[0].gap - last) <= way))
      printf("  kinds %d %d: %.15g %.15g\n", t->a.def.kind, t->b.def.kind, last, m.contact[0].gap);
    last = m.contact[0].gap;
    t->b.pose = moved(t->b.pose, v3_scale(h, v), v3_scale(h, w));
  }
}
static void continuity(void) { visit(4, 4, 0.7, check_continuity); }

/* All lengths multiplied by a power of two. */
static void check_scaling(two_things *t, test_random *random) {
  (void)random;
  manifold m = two_collide(t, 100);
  static const int exponents[] = {-20, 20, 40};
  for (int e = 0; e < 3; e++) {
    const double factor = ldexp(1, exponents[e]);
    two_things s = *t;
    thing *both[2] = {&s.a, &s.b};
    for (int k = 0; k < 2; k++) {
      for (int i = 0; i < 3; i++) both[k]->def.size[i] *= factor;
      for (int i = 0; i < 3 * THING_POINTS; i++) both[k]->points[i] *= factor;
      both[k]->def.radius *= factor;
      both[k]->def.rounding *= factor;
      both[k]->pose.origin = v3_scale(factor, both[k]->pose.origin);
    }
    REQUIRE(two_create(&s));
    manifold n = two_collide(&s, 100 * factor);
    if (CHECK(n.count > 0)) CHECK_NEAR(n.contact[0].gap / factor, m.contact[0].gap, 1e-13 * (t->a.size + t->b.size));
    two_release(&s);
  }
}
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
