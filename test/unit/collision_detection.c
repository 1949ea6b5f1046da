/* Broad phase and contact list: all pairs and no others, in order, whatever happened before and however bodies are
 * numbered; groups, masks and bodies kept apart; no allocation after the first calls. */
#include "collision_support.h"

#include "support/allocations.h"

enum { BODIES = 60, SHAPES = 8, MOST_COLLIDERS = 2 * BODIES + 3 };

typedef struct scene {
  picus_context *context;
  bool planar;
  thing things[SHAPES];
  picus_shape land; /* a surface */
  int collider_count;
  picus_collider colliders[MOST_COLLIDERS];
  picus_pose poses[BODIES];
  double margins[BODIES];
} scene;

/* Bodies of one or two shapes of sizes that differ by a factor of 100, over a floor and beside a static shape. */
static bool make_scene(test_random *random, bool planar, picus_context *context, scene *s) {
  static const int kinds[2][SHAPES] = {
      {PICUS_SHAPE_SPHERE, PICUS_SHAPE_BOX, PICUS_SHAPE_CAPSULE, PICUS_SHAPE_BOX + THING_ROUNDED,
       PICUS_SHAPE_POLYHEDRON, PICUS_SHAPE_SPHERE, PICUS_SHAPE_BOX, PICUS_SHAPE_HALF_SPACE},
      {PICUS_SHAPE_DISK, PICUS_SHAPE_RECTANGLE, PICUS_SHAPE_CAPSULE, PICUS_SHAPE_POLYGON, PICUS_SHAPE_SEGMENT,
       PICUS_SHAPE_DISK, PICUS_SHAPE_POLYGON, PICUS_SHAPE_HALF_SPACE}};
  *s = (scene){.context = context, .planar = planar};
  for (int k = 0; k < SHAPES; k++) {
    thing_define(random, kinds[planar][k], planar, k == 6 ? 3 : k == 5 ? 0.03 : 0.4, &s->things[k]);
    if (!thing_create(context, &s->things[k])) return false;
  }
  static const double line[] = {-2, 0, 0, 0, 1, 0, 1, 0.5, 0, 2, 1, 0};
  static const double points[] = {-2, -2, 0, 2, -2, 0, 2, 2, 0, -2, 2, 0, 0, 0, 1};
  static const int triangles[][3] = {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};
  const picus_shape_def land = {.kind = planar ? PICUS_SHAPE_POLYLINE : PICUS_SHAPE_MESH,
                                .points = planar ? line : points,
                                .point_count = planar ? 4 : 5,
                                .triangles = triangles,
                                .triangle_count = 4};
  if (picus_shape_create(context, &land, &s->land)) return false;
  for (int body = 0; body < BODIES; body++) {
    s->poses[body] = random_pose(random, planar, 2);
    s->margins[body] = test_uniform(random, 0, 0.1);
    for (int n = test_integer(random, 1, 2); n > 0; n--)
      s->colliders[s->collider_count++] = (picus_collider){
          &s->things[test_integer(random, 0, 5)].shape, body, 0, random_pose(random, planar, 0.2), 1, 1};
  }
  for (int n = 0; n < 2; n++)
    s->colliders[s->collider_count++] =
        (picus_collider){&s->things[6 + n].shape, PICUS_STATIC_BODY, 0, random_pose(random, planar, 2), 1, 1};
  s->colliders[s->collider_count++] =
      (picus_collider){&s->land, PICUS_STATIC_BODY, 0, random_pose(random, planar, 1), 1, 1};
  for (int k = 0; k < s->collider_count; k++) s->colliders[k].id = (uint32_t)(7919 * k % 1009);
  return true;
}

static void release_scene(scene *s) {
  for (int k = 0; k < SHAPES; k++) picus_shape_release(s->context, &s->things[k].shape);
  picus_shape_release(s->context, &s->land);
}

static picus_collision *create(const scene *s) {
  picus_collision_def def = {.colliders = s->colliders, .collider_count = s->collider_count, .body_count = BODIES};
  picus_collision *c = NULL;
  CHECK(picus_collision_create(s->context, &def, &c) == PICUS_OK);
  return c;
}

static int by_key(const void *left, const void *right) {
  const picus_touch *a = left, *b = right;
  if (a->pair != b->pair) return a->pair < b->pair ? -1 : 1;
  return a->feature < b->feature ? -1 : a->feature > b->feature;
}

static picus_pose pose_of(const scene *s, const picus_collider *c) {
  return c->body < 0 ? c->frame : pose_compose(&s->poses[c->body], &c->frame);
}

/* Whether the boxes of a pair overlap. Only surfaces need to ask: they also see what lies behind them. */
static bool boxes_overlap(const shape_pair *pair) {
  picus_bounds a = picus_shape_bounds(pair->a, &pair->poses[0]), b = picus_shape_bounds(pair->b, &pair->poses[1]);
  for (int d = 0; d < 3; d++)
    if (a.low[d] - pair->margin > b.high[d] || b.low[d] - pair->margin > a.high[d]) return false;
  return true;
}

/* All pairs by a double loop. */
static int all_touches(const scene *s, picus_touch *out) {
  int count = 0;
  narrow_space space;
  narrow_size size = {0};
  for (int k = 0; k < SHAPES; k++) picus_narrow_need(&s->things[k].shape, &size);
  CHECK(picus_narrow_reserve(s->context, &size, &space) == PICUS_OK);
  for (int i = 0; i < s->collider_count; i++)
    for (int j = 0; j < s->collider_count; j++) {
      const picus_collider *a = &s->colliders[i], *b = &s->colliders[j];
      if (a->id >= b->id || a->body == b->body) continue;
      shape_pair pair = {a->shape, b->shape, {pose_of(s, a), pose_of(s, b)}, 0};
      pair.margin = (a->body < 0 ? 0 : s->margins[a->body]) + (b->body < 0 ? 0 : s->margins[b->body]);
      manifold m = {.count = 0};
      if (boxes_overlap(&pair)) picus_narrow(&pair, &space, &m);
      for (int k = 0; k < m.count; k++)
        out[count++] = (picus_touch){.pair = (uint64_t)a->id << 32 | b->id,
                                     .feature = picus_feature_pack(m.feature[k]),
                                     .a = i,
                                     .b = j,
                                     .geometry = m.contact[k]};
    }
  picus_narrow_release(s->context, &space);
  qsort(out, (size_t)count, sizeof *out, by_key);
  return count;
}

static bool is_same(const picus_touch *a, const picus_touch *b) {
  return a->pair == b->pair && a->feature == b->feature && memcmp(&a->geometry, &b->geometry, sizeof a->geometry) == 0;
}

static picus_touch expected[20000];

static void same_as_all_pairs(void) {
  test_random random = {1};
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  for (int round = 0; round < 40; round++) {
    static scene s;
    REQUIRE(make_scene(&random, round % 2, context, &s));
    picus_collision *c = create(&s);
    for (int step = 0; step < 10; step++) { /* small and large motions: lists that hold and lists that do not */
      picus_touches found;
      REQUIRE(picus_collision_detect(c, s.poses, s.margins, &found) == PICUS_OK);
      int count = all_touches(&s, expected);
      CHECK(found.count == count && count > 0);
      for (int k = 0; k < count && k < found.count; k++) {
        CHECK(is_same(&found.at[k], &expected[k]));
        CHECK(found.at[k].a == expected[k].a && found.at[k].b == expected[k].b);
      }
      const double way = step % 3 ? 0.002 : 0.5;
      for (int k = 0; k < BODIES; k++) {
        v3 v = {test_uniform(&random, -way, way), test_uniform(&random, -way, way),
                s.planar ? 0 : test_uniform(&random, -way, way)};
        s.poses[k] = moved(s.poses[k], v, (v3){0, 0, test_uniform(&random, -way, way)});
      }
    }
    picus_collision_destroy(c);
    release_scene(&s);
  }
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

/* Colliders and bodies in another order, but with the same ids: the same touches, to the last bit. */
static void other_order(void) {
  test_random random = {2};
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  for (int round = 0; round < 20; round++) {
    static scene s, t;
    REQUIRE(make_scene(&random, round % 2, context, &s));
    t = s;
    int body[BODIES];
    for (int k = 0; k < BODIES; k++) body[k] = k;
    for (int k = BODIES - 1; k > 0; k--) {
      int other = test_integer(&random, 0, k), kept = body[k];
      body[k] = body[other];
      body[other] = kept;
    }
    for (int k = 0; k < BODIES; k++) {
      t.poses[body[k]] = s.poses[k];
      t.margins[body[k]] = s.margins[k];
    }
    for (int k = 0; k < s.collider_count; k++) {
      picus_collider *moved_to = &t.colliders[s.collider_count - 1 - k];
      *moved_to = s.colliders[k];
      if (moved_to->body >= 0) moved_to->body = body[moved_to->body];
    }
    picus_collision *c = create(&s), *d = create(&t);
    picus_touches first, second;
    CHECK(picus_collision_detect(c, s.poses, s.margins, &first) == PICUS_OK);
    CHECK(picus_collision_detect(d, t.poses, t.margins, &second) == PICUS_OK);
    CHECK(first.count == second.count && first.count > 0);
    for (int k = 0; k < first.count && k < second.count; k++) CHECK(is_same(&first.at[k], &second.at[k]));
    picus_collision_destroy(c);
    picus_collision_destroy(d);
    release_scene(&s);
  }
  picus_context_destroy(context);
}

static void who_may_touch(void) {
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  picus_shape ball;
  REQUIRE(picus_shape_create(context, &(picus_shape_def){.kind = PICUS_SHAPE_SPHERE, .radius = 1}, &ball) == PICUS_OK);
  picus_pose poses[4];
  double margins[4] = {0};
  picus_collider colliders[6];
  for (int k = 0; k < 4; k++) poses[k] = picus_pose_identity();
  for (int k = 0; k < 6; k++)
    colliders[k] = (picus_collider){&ball, k < 4 ? k : -1, (uint32_t)k, picus_pose_identity(), 1, 1};
  static const int apart[3][2] = {{3, 0}, {1, 2}, {2, 3}};
  picus_collision_def def = {colliders, 6, 4, apart, 3};
  /* 15 pairs, less one of two static shapes, less three apart */
  for (int round = 0; round < 2; round++) {
    picus_collision *c;
    picus_touches found;
    REQUIRE(picus_collision_create(context, &def, &c) == PICUS_OK);
    CHECK(picus_collision_detect(c, poses, margins, &found) == PICUS_OK);
    CHECK(found.count == (round ? 8 : 11));
    for (int k = 0; k < found.count; k++) {
      const int a = colliders[found.at[k].a].body, b = colliders[found.at[k].b].body;
      CHECK(!(a == 0 && b == 3) && !(a == 1 && b == 2) && !(a == 2 && b == 3) && a != b);
      CHECK(found.at[k].geometry.gap == -2);
      if (round) CHECK(!(found.at[k].a == 0 && found.at[k].b != 1));
    }
    picus_collision_destroy(c);
    colliders[0].groups = 2; /* the other groups do not see it ... */
    colliders[1].mask = 3;   /* ... but 1 does: 0-1 stays; 0-2, 0-4 and 0-5 go */
  }
  /* a mask works from both sides */
  colliders[0].mask = 4;
  picus_collision *c;
  picus_touches found;
  REQUIRE(picus_collision_create(context, &def, &c) == PICUS_OK);
  CHECK(picus_collision_detect(c, poses, margins, &found) == PICUS_OK);
  CHECK(found.count == 7);
  picus_collision_destroy(c);
  picus_shape_release(context, &ball);
  picus_context_destroy(context);
}

static void margins(void) {
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  picus_shape ball;
  REQUIRE(picus_shape_create(context, &(picus_shape_def){.kind = PICUS_SHAPE_SPHERE, .radius = 1}, &ball) == PICUS_OK);
  picus_pose poses[2] = {picus_pose_identity(), picus_pose_identity()};
  picus_collider colliders[2] = {{&ball, 0, 5, picus_pose_identity(), 1, 1},
                                 {&ball, 1, 2, picus_pose_identity(), 1, 1}};
  picus_collision_def def = {.colliders = colliders, .collider_count = 2, .body_count = 2};
  picus_collision *c;
  picus_touches found;
  REQUIRE(picus_collision_create(context, &def, &c) == PICUS_OK);
  poses[1].origin = (v3){1.8, 1.2, 0}; /* a gap of 0.163 */
  CHECK(picus_collision_detect(c, poses, (double[]){0.1, 0.05}, &found) == PICUS_OK && found.count == 0);
  CHECK(picus_collision_detect(c, poses, (double[]){0.1, 0.07}, &found) == PICUS_OK && found.count == 1);
  CHECK(found.at[0].a == 1 && found.at[0].b == 0 && found.at[0].pair == ((uint64_t)2 << 32 | 5));
  CHECK_NEAR(found.at[0].geometry.gap, sqrt(4.68) - 2, 1e-15);
  CHECK_NEAR(found.at[0].geometry.normal.x, -1.8 / sqrt(4.68), 1e-15); /* from the smaller id to the larger one */
  picus_collision_destroy(c);
  picus_shape_release(context, &ball);
  picus_context_destroy(context);
}

static void nothing_is_allocated_again(void) {
  test_random random = {4};
  test_allocations counter = test_grant_all();
  picus_context_def hooks = {.allocate = test_allocate, .allocate_user = &counter};
  picus_context *context;
  REQUIRE(picus_context_create(&hooks, &context) == PICUS_OK);
  static scene s;
  REQUIRE(make_scene(&random, false, context, &s));
  picus_collision *c = create(&s);
  picus_touches found;
  picus_pose squeezed[BODIES];
  for (int k = 0; k < BODIES; k++) {
    squeezed[k] = s.poses[k];
    squeezed[k].origin = v3_scale(0.3, s.poses[k].origin);
  }
  REQUIRE(picus_collision_detect(c, squeezed, s.margins, &found) == PICUS_OK); /* the most contacts come first */
  const int most = found.count;
  const long before = counter.calls;
  for (int step = 0; step < 50; step++) {
    for (int k = 0; k < BODIES; k++) s.poses[k].origin = v3_scale(1.05, s.poses[k].origin);
    CHECK(picus_collision_detect(c, s.poses, s.margins, &found) == PICUS_OK);
    CHECK(found.count < most);
  }
  CHECK(counter.calls == before);
  picus_collision_destroy(c);
  release_scene(&s);
  picus_context_destroy(context);
}

/* Each allocation fails once: a status, nothing lost, and the next call works. */
static void refused_memory(void) {
  for (long n = 1;; n++) { /* number 0 is the context */
    test_random random = {5};
    test_allocations counter = test_refuse_one(n);
    picus_context_def hooks = {.allocate = test_allocate, .allocate_user = &counter};
    picus_context *context;
    static scene s;
    REQUIRE(picus_context_create(&hooks, &context) == PICUS_OK);
    picus_collision *c = NULL;
    picus_touches found;
    bool made = make_scene(&random, n % 2, context, &s);
    if (made) {
      picus_collision_def def = {.colliders = s.colliders, .collider_count = s.collider_count, .body_count = BODIES};
      picus_status status = picus_collision_create(context, &def, &c);
      if (!status) status = picus_collision_detect(c, s.poses, s.margins, &found);
      CHECK(status == PICUS_OK || status == PICUS_ERROR_MEMORY);
      if (c && status) CHECK(picus_collision_detect(c, s.poses, s.margins, &found) == PICUS_OK && found.count > 0);
      picus_collision_destroy(c);
    }
    release_scene(&s);
    CHECK(picus_context_memory(context) == 0);
    picus_context_destroy(context);
    if (counter.calls <= n) return;
  }
}

static void what_is_wrong(void) {
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  picus_shape ball, disk;
  REQUIRE(picus_shape_create(context, &(picus_shape_def){.kind = PICUS_SHAPE_SPHERE, .radius = 1}, &ball) == PICUS_OK);
  REQUIRE(picus_shape_create(context, &(picus_shape_def){.kind = PICUS_SHAPE_DISK, .radius = 1}, &disk) == PICUS_OK);
  picus_collider colliders[2] = {{&ball, 0, 5, picus_pose_identity(), 1, 1},
                                 {&ball, 1, 5, picus_pose_identity(), 1, 1}};
  picus_collision_def def = {.colliders = colliders, .collider_count = 2, .body_count = 2};
  picus_collision *c;
  CHECK(picus_collision_create(context, &def, &c) == PICUS_ERROR_NAME && !c);
  CHECK_TEXT(picus_last_error(context)->message, "colliders 0 and 1 have the same id 5; give each its own");
  colliders[1].id = 6;
  colliders[1].body = 2;
  CHECK(picus_collision_create(context, &def, &c) == PICUS_ERROR_DIMENSION && !c);
  CHECK_TEXT(picus_last_error(context)->message, "collider 1 belongs to body 2, but there are 2 bodies");
  colliders[1].body = 1;
  colliders[1].shape = &disk;
  CHECK(picus_collision_create(context, &def, &c) == PICUS_ERROR_UNSUPPORTED && !c);
  CHECK_TEXT(picus_last_error(context)->message,
             "collider 1 is planar and collider 0 is spatial; use one kind for all");
  colliders[1].shape = &ball;
  REQUIRE(picus_collision_create(context, &def, &c) == PICUS_OK);
  picus_pose poses[2] = {picus_pose_identity(), picus_pose_identity()};
  picus_touches found;
  poses[1].origin.y = NAN;
  CHECK(picus_collision_detect(c, poses, (double[]){0, 0}, &found) == PICUS_ERROR_NUMBER);
  CHECK_TEXT(picus_last_error(context)->message, "the pose of body 1 is not finite; contacts cannot be found");
  poses[1].origin.y = 0;
  CHECK(picus_collision_detect(c, poses, (double[]){0, -1}, &found) == PICUS_ERROR_NUMBER);
  CHECK_TEXT(picus_last_error(context)->message, "the margin of body 1 is -1; it must be finite and not negative");
  picus_collision_destroy(c);
  picus_shape_release(context, &ball);
  picus_shape_release(context, &disk);
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

/* A body far away, and all bodies at one place. */
static void far_and_near(void) {
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  picus_shape ball;
  REQUIRE(picus_shape_create(context, &(picus_shape_def){.kind = PICUS_SHAPE_SPHERE, .radius = 1e-3}, &ball) ==
          PICUS_OK);
  enum { COUNT = 50 };
  picus_pose poses[COUNT];
  double margins[COUNT] = {0};
  picus_collider colliders[COUNT];
  for (int k = 0; k < COUNT; k++) {
    poses[k] = picus_pose_identity();
    colliders[k] = (picus_collider){&ball, k, (uint32_t)k, picus_pose_identity(), 1, 1};
  }
  picus_collision_def def = {.colliders = colliders, .collider_count = COUNT, .body_count = COUNT};
  picus_collision *c;
  picus_touches found;
  REQUIRE(picus_collision_create(context, &def, &c) == PICUS_OK);
  CHECK(picus_collision_detect(c, poses, margins, &found) == PICUS_OK && found.count == COUNT * (COUNT - 1) / 2);
  for (int k = 0; k < found.count; k++) CHECK(isfinite(found.at[k].geometry.normal.x));
  poses[0].origin.x = poses[1].origin.x = 1e250;
  poses[2].origin.x = poses[3].origin.x = -1e250;
  CHECK(picus_collision_detect(c, poses, margins, &found) == PICUS_OK);
  CHECK(found.count == 2 + (COUNT - 4) * (COUNT - 5) / 2);
  picus_collision_destroy(c);
  picus_shape_release(context, &ball);
  picus_context_destroy(context);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"same_as_all_pairs", same_as_all_pairs}, {"other_order", other_order},
      {"who_may_touch", who_may_touch},         {"margins", margins},
      {"far_and_near", far_and_near},           {"nothing_is_allocated_again", nothing_is_allocated_again},
      {"refused_memory", refused_memory},       {"what_is_wrong", what_is_wrong},
  };
  return test_main(argc, argv, "collision_detection", cases, (int)(sizeof cases / sizeof *cases));
}
