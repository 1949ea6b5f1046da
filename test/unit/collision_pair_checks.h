/* What holds for every pair of convex shapes, one of them round: certificates of the signed distance, exchange of the
 * shapes, rates from normals and points, continuity, and scales. */
#ifndef PICUS_TEST_COLLISION_PAIR_CHECKS_H
#define PICUS_TEST_COLLISION_PAIR_CHECKS_H

#include "collision_support.h"

#include <math.h>

typedef void (*look_fn)(two_things *t, test_random *random);

static inline bool is_usable(const manifold *m) {
  bool good = m->count <= MANIFOLD_MOST;
  for (int k = 0; k < m->count; k++) {
    const contact_geometry *c = &m->contact[k];
    good = good && isfinite(c->gap) && fabs(v3_length(c->normal) - 1) < 1e-14;
    good = good && isfinite(v3_length(c->point[0])) && isfinite(v3_length(c->point[1]));
  }
  return good;
}

/* The largest separation found uphill from many directions: a lower bound of the signed distance. */
static inline double climb(const thing *a, const thing *b, test_random *random) {
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

static inline void check_certificate(two_things *t, test_random *random) {
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

static inline int rounds_of(long whole) { return (int)test_size(whole / 2, whole / 2, whole); }

static inline void check_exchange(two_things *t, test_random *random) {
  (void)random;
  manifold m = two_collide(t, 100), n = two_collide_exchanged(t, 100);
  const double scale = t->a.size + t->b.size;
  if (!CHECK(m.count && n.count)) return;
  CHECK_NEAR(m.contact[0].gap, n.contact[0].gap, 1e-12 * scale);
  CHECK(v3_length(v3_add(m.contact[0].normal, n.contact[0].normal)) < 1e-6);
}

/* All contacts: the same gap again from the features, and its velocity from the normal and the points. */
static inline void check_gradient(two_things *t, test_random *random) {
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

static inline void check_continuity(two_things *t, test_random *random) {
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

/* All lengths multiplied by a power of two. */
static inline void check_scaling(two_things *t, test_random *random) {
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

#endif
