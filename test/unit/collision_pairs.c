/* Every pair of shapes at thousands of random poses. A signed distance has certificates: its normal shows that it is
 * not larger (separation by closed forms of the support), the two nearest points show that it is not smaller if the
 * shapes are apart; if they overlap, brute force over all directions does. */
#include "collision_support.h"

#include <math.h>

static const int planar_kinds[] = {PICUS_SHAPE_DISK,
                                   PICUS_SHAPE_SEGMENT,
                                   PICUS_SHAPE_CAPSULE,
                                   PICUS_SHAPE_RECTANGLE,
                                   PICUS_SHAPE_POLYGON,
                                   PICUS_SHAPE_RECTANGLE + THING_ROUNDED,
                                   PICUS_SHAPE_POLYGON + THING_ROUNDED,
                                   PICUS_SHAPE_HALF_SPACE};
static const int spatial_kinds[] = {PICUS_SHAPE_SPHERE,
                                    PICUS_SHAPE_SEGMENT,
                                    PICUS_SHAPE_CAPSULE,
                                    PICUS_SHAPE_BOX,
                                    PICUS_SHAPE_BOX + THING_ROUNDED,
                                    PICUS_SHAPE_POLYHEDRON,
                                    PICUS_SHAPE_POLYHEDRON + THING_ROUNDED,
                                    PICUS_SHAPE_HALF_SPACE};
enum { PLANAR = sizeof planar_kinds / sizeof *planar_kinds, SPATIAL = sizeof spatial_kinds / sizeof *spatial_kinds };

typedef void (*look_fn)(two_things *t, test_random *random);

/* Calls a look for each pair of kinds, at several poses of several shapes. */
static void visit(const int *kinds, int count, bool planar, int rounds, look_fn look) {
  test_random random = {planar ? 11 : 12};
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++) {
      if (kinds[i] == PICUS_SHAPE_HALF_SPACE && kinds[j] == PICUS_SHAPE_HALF_SPACE) continue;
      for (int round = 0; round < rounds; round++) {
        two_things t;
        thing_define(&random, kinds[i], planar, 1, &t.a);
        thing_define(&random, kinds[j], planar, 1, &t.b);
        REQUIRE(two_create(&t));
        for (int pose = 0; pose < 10; pose++) {
          t.a.pose = random_pose(&random, planar, 1);
          t.b.pose = random_pose(&random, planar, 1);
          look(&t, &random);
        }
        two_release(&t);
      }
    }
}

static bool is_usable(const manifold *m) {
  bool good = true;
  for (int k = 0; k < m->count; k++) {
    const contact_geometry *c = &m->contact[k];
    good = good && isfinite(c->gap) && fabs(v3_length(c->normal) - 1) < 1e-14;
    good = good && isfinite(v3_length(c->point[0])) && isfinite(v3_length(c->point[1]));
  }
  return good;
}

static void check_certificate(two_things *t, test_random *random) {
  (void)random;
  manifold m = two_collide(t, 100);
  const double scale = t->a.size + t->b.size;
  if (!CHECK(m.count > 0) || !CHECK(is_usable(&m))) return;
  const contact_geometry *c = &m.contact[0];
  if (t->a.size > 0 && t->b.size > 0) CHECK_NEAR(separation(&t->a, &t->b, c->normal), c->gap, 1e-12 * scale);
  v3 rest = v3_sub(v3_sub(c->point[1], c->point[0]), v3_scale(c->gap, c->normal));
  CHECK(v3_length(rest) < 1e-12 * scale);
  const double core_gap = c->gap + t->a.shape.radius + t->b.shape.radius;
  if (t->a.size <= 0 || t->b.size <= 0) { /* a half-space: the lowest point */
    const thing *plane = t->a.size > 0 ? &t->b : &t->a, *other = t->a.size > 0 ? &t->a : &t->b;
    v3 up = plane->pose.axis[t->a.shape.planar ? 1 : 2];
    double expected = -thing_support(other, v3_minus(up)) - v3_dot(up, plane->pose.origin) - plane->shape.radius;
    CHECK_NEAR(c->gap, expected, 1e-12 * scale);
  } else if (core_gap > 1e-9) {
    CHECK(thing_outside(&t->a, c->point[0]) < 1e-12 * scale);
    CHECK(thing_outside(&t->b, c->point[1]) < 1e-12 * scale);
  } else {
    CHECK_NEAR(c->gap, brute_depth(&t->a, &t->b), 1e-12 * scale);
  }
}

static void planar_distances(void) { visit(planar_kinds, PLANAR, true, 40, check_certificate); }
static void spatial_distances(void) { visit(spatial_kinds, SPATIAL, false, 60, check_certificate); }

static void check_exchange(two_things *t, test_random *random) {
  (void)random;
  manifold m = two_collide(t, 100), n = two_collide_exchanged(t, 100);
  const double scale = t->a.size + t->b.size;
  if (!CHECK(m.count && n.count)) return;
  CHECK_NEAR(m.contact[0].gap, n.contact[0].gap, 1e-12 * scale);
  CHECK(v3_length(v3_add(m.contact[0].normal, n.contact[0].normal)) < 1e-9);
}

static void exchange(void) {
  visit(planar_kinds, PLANAR, true, 20, check_exchange);
  visit(spatial_kinds, SPATIAL, false, 20, check_exchange);
}

/* All contacts: the same gap again from the features, and its velocity from the normal and the points. */
static void check_gradient(two_things *t, test_random *random) {
  manifold m = two_collide(t, 100);
  const bool planar = t->a.shape.planar;
  for (int k = 0; k < m.count; k++) {
    const contact_geometry *c = &m.contact[k];
    contact_geometry again;
    feature_pair feature = picus_feature_unpack(picus_feature_pack(m.feature[k]));
    picus_pose poses[2] = {t->a.pose, t->b.pose};
    picus_contact_gap(&t->a.shape, &t->b.shape, poses, feature, &again);
    CHECK(again.gap == c->gap);
    v3 v[2], w[2];
    double velocity[2], ahead[2];
    for (int s = 0; s < 2; s++) {
      v[s] = (v3){test_uniform(random, -1, 1), test_uniform(random, -1, 1), planar ? 0 : test_uniform(random, -1, 1)};
      w[s] = (v3){planar ? 0 : test_uniform(random, -1, 1), planar ? 0 : test_uniform(random, -1, 1),
                  test_uniform(random, -1, 1)};
      velocity[s] = v3_dot(c->normal, v3_add(v[s], v3_cross(w[s], v3_sub(c->point[s], poses[s].origin))));
    }
    const double h = 1e-5;
    for (int s = 0; s < 2; s++) {
      const double sign = s ? h : -h;
      picus_pose near[2] = {moved(poses[0], v3_scale(sign, v[0]), v3_scale(sign, w[0])),
                            moved(poses[1], v3_scale(sign, v[1]), v3_scale(sign, w[1]))};
      picus_contact_gap(&t->a.shape, &t->b.shape, near, feature, &again);
      ahead[s] = again.gap;
    }
    /* the error of the difference is h^2 times the third derivative, which grows as the inverse square of the distance
     * of the cores where points or lines face each other, and of the angle between two edges */
    const bool curved = m.feature[k].a.kind != FEATURE_FACE && m.feature[k].b.kind != FEATURE_FACE;
    const double core_gap = c->gap + t->a.shape.radius + t->b.shape.radius;
    if (!curved || fabs(core_gap) > 0.05) CHECK_NEAR((ahead[1] - ahead[0]) / (2 * h), velocity[1] - velocity[0], 1e-5);
  }
}

static void gradients(void) {
  visit(planar_kinds, PLANAR, true, 20, check_gradient);
  visit(spatial_kinds, SPATIAL, false, 20, check_gradient);
}

/* Along a motion the signed distance changes by at most the way of the points: no jumps, whatever features take over.
 */
static void check_continuity(two_things *t, test_random *random) {
  const bool planar = t->a.shape.planar;
  const double h = 1e-3, scale = t->a.size + t->b.size;
  v3 v = {test_uniform(random, -1, 1), test_uniform(random, -1, 1), planar ? 0 : test_uniform(random, -1, 1)};
  v3 w = {planar ? 0 : test_uniform(random, -1, 1), planar ? 0 : test_uniform(random, -1, 1),
          test_uniform(random, -3, 3)};
  double last = NAN;
  for (int step = 0; step < 100; step++) {
    manifold m = two_collide(t, 100);
    if (!CHECK(m.count > 0)) return;
    const double reach = t->b.size > 0 ? t->b.size + v3_length(t->b.shape.centre) : 10 + t->a.size;
    const double way = h * (v3_length(v) + v3_length(w) * reach) + 1e-12 * scale;
    if (step) CHECK(fabs(m.contact[0].gap - last) <= way);
    last = m.contact[0].gap;
    t->b.pose = moved(t->b.pose, v3_scale(h, v), v3_scale(h, w));
  }
}

static void continuity(void) {
  visit(planar_kinds, PLANAR, true, 3, check_continuity);
  visit(spatial_kinds, SPATIAL, false, 3, check_continuity);
}

/* --- hard cases -------------------------------------------------------------------------------------------------- */

/* The same pair with all lengths multiplied by a power of two has all lengths multiplied, to the last bit. */
static void check_scaling(two_things *t, test_random *random) {
  (void)random;
  static const int exponents[] = {-40, -20, 20, 40, 100, -100};
  manifold m = two_collide(t, 100);
  for (size_t e = 0; e < sizeof exponents / sizeof *exponents; e++) {
    const double factor = ldexp(1, exponents[e]);
    two_things s = *t;
    thing *both[2] = {&s.a, &s.b};
    for (int k = 0; k < 2; k++) {
      for (int i = 0; i < 3; i++) both[k]->def.size[i] *= factor;
      for (int i = 0; i < 3 * THING_POINTS; i++) both[k]->points[i] *= factor;
      both[k]->def.radius *= factor;
      both[k]->pose.origin = v3_scale(factor, both[k]->pose.origin);
    }
    REQUIRE(two_create(&s));
    manifold n = two_collide(&s, 100 * factor);
    CHECK(n.count == m.count);
    for (int k = 0; k < n.count && k < m.count; k++) CHECK(n.contact[k].gap == factor * m.contact[k].gap);
    two_release(&s);
  }
}

static void tiny_and_huge(void) {
  visit(planar_kinds, PLANAR, true, 2, check_scaling);
  visit(spatial_kinds, SPATIAL, false, 2, check_scaling);
}

/* Shapes of different scales, 1e-6 to 1e6, close to each other. */
static void mixed_scales(void) {
  test_random random = {5};
  for (int planar = 0; planar < 2; planar++)
    for (int round = 0; round < 3000; round++) {
      const int *kinds = planar ? planar_kinds : spatial_kinds, count = planar ? PLANAR : SPATIAL;
      two_things t;
      double scales[2] = {pow(10, test_uniform(&random, -6, 6)), pow(10, test_uniform(&random, -6, 6))};
      thing_define(&random, kinds[test_integer(&random, 0, count - 2)], planar, scales[0], &t.a);
      thing_define(&random, kinds[test_integer(&random, 0, count - 1)], planar, scales[1], &t.b);
      REQUIRE(two_create(&t));
      t.a.pose = random_pose(&random, planar, scales[0]);
      t.b.pose = random_pose(&random, planar, fmax(scales[0], scales[1]));
      manifold m = two_collide(&t, 1e9), n = two_collide_exchanged(&t, 1e9);
      if (CHECK(m.count && n.count && is_usable(&m) && is_usable(&n))) {
        const double scale = t.a.size + t.b.size + fabs(m.contact[0].gap);
        CHECK_NEAR(m.contact[0].gap, n.contact[0].gap, 1e-12 * scale);
        if (t.b.size > 0) CHECK_NEAR(separation(&t.a, &t.b, m.contact[0].normal), m.contact[0].gap, 1e-12 * scale);
      }
      two_release(&t);
    }
}

/* A tiny polyhedron beside a segment a thousand million times longer. */
static void long_and_tiny(void) {
  test_random random = {9};
  for (int round = 0; round < 3000; round++) {
    two_things t;
    thing_define(&random, PICUS_SHAPE_POLYHEDRON, false, 1e-3, &t.a);
    thing_define(&random, round % 2 ? PICUS_SHAPE_SEGMENT : PICUS_SHAPE_CAPSULE, false, 1e6, &t.b);
    REQUIRE(two_create(&t));
    t.a.pose = random_pose(&random, false, 0.03);
    t.b.pose = random_pose(&random, false, 0.03);
    manifold m = two_collide(&t, 100), n = two_collide_exchanged(&t, 100);
    if (CHECK(m.count && n.count)) {
      const double scale = t.a.size + t.b.size;
      CHECK_NEAR(m.contact[0].gap, n.contact[0].gap, 1e-13 * scale);
      CHECK_NEAR(separation(&t.a, &t.b, m.contact[0].normal), m.contact[0].gap, 1e-13 * scale);
    }
    two_release(&t);
  }
}

/* The same place and orientation, the same place, aligned, in one line, one inside of the other. */
static void special_positions(void) {
  test_random random = {6};
  for (int planar = 0; planar < 2; planar++)
    for (int i = 0; i < (planar ? PLANAR : SPATIAL) - 1; i++)
      for (int j = 0; j < (planar ? PLANAR : SPATIAL); j++)
        for (int round = 0; round < 200; round++) {
          const int *kinds = planar ? planar_kinds : spatial_kinds;
          two_things t;
          thing_define(&random, kinds[i], planar, 1, &t.a);
          thing_define(&random, kinds[j], planar, round % 3 ? 1 : 0.01, &t.b);
          if (round % 5 == 0 && kinds[i] == kinds[j]) t.b = t.a;
          REQUIRE(two_create(&t));
          t.a.pose = random_pose(&random, planar, 1);
          t.b.pose = t.a.pose;
          v3 shift = {test_integer(&random, -1, 1) * t.a.def.size[0] / 2,
                      test_integer(&random, -1, 1) * t.a.def.size[1] / 2,
                      planar ? 0 : test_integer(&random, -1, 1) * t.a.def.size[2] / 2};
          if (round % 2) t.b.pose.origin = pose_point(&t.a.pose, shift);
          if (round % 7 == 0) /* a quarter turn */
            t.b.pose = (picus_pose){t.b.pose.origin, {t.a.pose.axis[1], v3_minus(t.a.pose.axis[0]), t.a.pose.axis[2]}};
          if (round % 11 == 0) t.b.pose = moved(t.b.pose, (v3){0, 0, 0}, v3_scale(1e-9, t.a.pose.axis[2]));
          manifold m = two_collide(&t, 100), n = two_collide_exchanged(&t, 100);
          if (CHECK(m.count && n.count && is_usable(&m) && is_usable(&n))) {
            CHECK_NEAR(m.contact[0].gap, n.contact[0].gap, 1e-12 * (t.a.size + t.b.size));
            if (t.b.size > 0) {
              double expected = brute_depth(&t.a, &t.b), gap = m.contact[0].gap;
              CHECK_NEAR(separation(&t.a, &t.b, m.contact[0].normal), gap, 1e-12 * (t.a.size + t.b.size));
              if (isfinite(expected)) CHECK(gap >= expected - 1e-12 * (t.a.size + t.b.size));
            }
          }
          two_release(&t);
        }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"planar_distances", planar_distances},
      {"spatial_distances", spatial_distances},
      {"exchange", exchange},
      {"gradients", gradients},
      {"continuity", continuity},
      {"tiny_and_huge", tiny_and_huge},
      {"mixed_scales", mixed_scales},
      {"long_and_tiny", long_and_tiny},
      {"special_positions", special_positions},
  };
  return test_main(argc, argv, "collision_pairs", cases, (int)(sizeof cases / sizeof *cases));
}
