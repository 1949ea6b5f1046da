/* Static surfaces: polylines and triangle meshes against convex shapes. */
#include "collision_support.h"

#include <math.h>

enum { SIDE = 9, POINTS = SIDE * SIDE, TRIANGLES = 2 * (SIDE - 1) * (SIDE - 1) };

typedef struct terrain {
  double points[3 * POINTS];
  int triangles[TRIANGLES][3];
  double line[3 * SIDE];
} terrain;

/* Heights between 0 and `rough` over the square -4 ... 4; the line: the same along x. */
static void make_terrain(test_random *random, double rough, terrain *t) {
  for (int k = 0; k < POINTS; k++) {
    t->points[3 * k] = k % SIDE - 4;
    t->points[3 * k + 1] = k / SIDE - 4;
    t->points[3 * k + 2] = test_uniform(random, 0, rough);
  }
  for (int k = 0; k < SIDE; k++) {
    t->line[3 * k] = k - 4;
    t->line[3 * k + 1] = test_uniform(random, 0, rough);
    t->line[3 * k + 2] = 0;
  }
  int count = 0;
  for (int y = 0; y + 1 < SIDE; y++)
    for (int x = 0; x + 1 < SIDE; x++) {
      const int a = y * SIDE + x, b = a + 1, c = a + SIDE, d = c + 1;
      const int flip = (x + y) % 2;
      const int first[2][3] = {{a, b, d}, {a, b, c}}, second[2][3] = {{a, d, c}, {b, d, c}};
      memcpy(t->triangles[count++], first[flip], sizeof first[flip]);
      memcpy(t->triangles[count++], second[flip], sizeof second[flip]);
    }
}

static picus_shape_def surface_def(const terrain *t, bool planar) {
  if (planar) return (picus_shape_def){.kind = PICUS_SHAPE_POLYLINE, .points = t->line, .point_count = SIDE};
  return (picus_shape_def){.kind = PICUS_SHAPE_MESH,
                           .points = t->points,
                           .point_count = POINTS,
                           .triangles = t->triangles,
                           .triangle_count = TRIANGLES};
}

/* A surface a and a shape b. */
static bool make_pair(two_things *t, const picus_shape_def *surface, thing b) {
  *t = (two_things){.b = b};
  t->a.def = *surface;
  t->a.pose = picus_pose_identity();
  if (picus_context_create(NULL, &t->context)) return false;
  if (picus_shape_create(t->context, surface, &t->a.shape) || !thing_create(t->context, &t->b)) return false;
  t->a.size = t->a.shape.bound;
  narrow_size size = {0};
  picus_narrow_need(&t->a.shape, &size);
  picus_narrow_need(&t->b.shape, &size);
  return picus_narrow_reserve(t->context, &size, &t->space) == PICUS_OK;
}

static double distance_to_triangle(const terrain *t, int triangle, v3 p) {
  v3 c[3];
  for (int k = 0; k < 3; k++) memcpy(&c[k], t->points + 3 * t->triangles[triangle][k], sizeof c[k]);
  v3 n = v3_unit(v3_cross(v3_sub(c[1], c[0]), v3_sub(c[2], c[0])));
  bool inside = true;
  double best = INFINITY;
  for (int k = 0; k < 3; k++) {
    v3 from = c[k], along = v3_sub(c[(k + 1) % 3], from), d = v3_sub(p, from);
    if (v3_dot(v3_cross(along, n), d) > 0) inside = false;
    double place = fmin(fmax(v3_dot(d, along) / v3_square(along), 0), 1);
    best = fmin(best, v3_length(v3_along(d, -place, along)));
  }
  return inside ? fabs(v3_dot(n, v3_sub(p, c[0]))) : best;
}

static double distance_to_line(const terrain *t, v3 p) {
  double best = INFINITY;
  for (int k = 0; k + 1 < SIDE; k++) {
    v3 from = {t->line[3 * k], t->line[3 * k + 1], 0}, to = {t->line[3 * k + 3], t->line[3 * k + 4], 0};
    v3 along = v3_sub(to, from), d = v3_sub(p, from);
    double place = fmin(fmax(v3_dot(d, along) / v3_square(along), 0), 1);
    best = fmin(best, v3_length(v3_along(d, -place, along)));
  }
  return best;
}

static bool all_unit(const manifold *m) {
  bool good = true;
  for (int k = 0; k < m->count; k++)
    good = good && fabs(v3_length(m->contact[k].normal) - 1) < 1e-13 && isfinite(m->contact[k].gap);
  return good;
}

/* The smallest gap of a ball over a rough surface: its centre's distance from the nearest of all triangles. */
static void balls(void) {
  test_random random = {1};
  for (int round = 0; round < 60; round++) {
    const bool planar = round % 2;
    terrain land;
    make_terrain(&random, 1, &land);
    picus_shape_def def = surface_def(&land, planar);
    thing ball;
    two_things t;
    thing_define(&random, planar ? PICUS_SHAPE_DISK : PICUS_SHAPE_SPHERE, planar, 0.5, &ball);
    REQUIRE(make_pair(&t, &def, ball));
    for (int pose = 0; pose < 100; pose++) {
      v3 at = {test_uniform(&random, -3, 3), planar ? test_uniform(&random, 1, 2) : test_uniform(&random, -3, 3),
               planar ? 0 : test_uniform(&random, 1, 2)};
      t.a.pose = random_pose(&random, planar, 1);
      t.b.pose = random_pose(&random, planar, 1);
      t.b.pose.origin = pose_point(&t.a.pose, at);
      double expected = planar ? distance_to_line(&land, at) : INFINITY;
      for (int k = 0; k < TRIANGLES && !planar; k++) expected = fmin(expected, distance_to_triangle(&land, k, at));
      manifold m = two_collide(&t, 3), n = two_collide_exchanged(&t, 3);
      if (!CHECK(m.count > 0 && m.count == n.count && all_unit(&m))) continue;
      CHECK_NEAR(m.contact[0].gap, expected - t.b.shape.radius, 1e-12 * t.a.size);
      CHECK_NEAR(n.contact[0].gap, m.contact[0].gap, 1e-12 * t.a.size);
    }
    two_release(&t);
  }
}

/* A flat surface of many triangles is a half-space: the same gap, always upwards, no contacts with its inner edges. */
static void flat_surfaces(void) {
  test_random random = {2};
  static const int kinds[2][5] = {{PICUS_SHAPE_SPHERE, PICUS_SHAPE_BOX, PICUS_SHAPE_CAPSULE, PICUS_SHAPE_POLYHEDRON,
                                   PICUS_SHAPE_BOX + THING_ROUNDED},
                                  {PICUS_SHAPE_DISK, PICUS_SHAPE_RECTANGLE, PICUS_SHAPE_CAPSULE, PICUS_SHAPE_POLYGON,
                                   PICUS_SHAPE_POLYGON + THING_ROUNDED}};
  terrain land;
  make_terrain(&random, 0, &land);
  for (int round = 0; round < 200; round++) {
    const bool planar = round % 2;
    picus_shape_def def = surface_def(&land, planar);
    thing body;
    two_things t;
    thing_define(&random, kinds[planar][round / 2 % 5], planar, 0.5, &body);
    REQUIRE(make_pair(&t, &def, body));
    for (int pose = 0; pose < 20; pose++) {
      const v3 up = planar ? (v3){0, 1, 0} : (v3){0, 0, 1};
      t.b.pose = random_pose(&random, planar, 2);
      double lowest = -thing_support(&t.b, v3_minus(up)), gap = test_uniform(&random, -0.05, 0.05);
      t.b.pose.origin = v3_along(t.b.pose.origin, gap - lowest, up);
      manifold m = two_collide(&t, 0.1);
      if (!CHECK(m.count > 0 && all_unit(&m))) continue;
      CHECK_NEAR(m.contact[0].gap, gap, 1e-12 * t.a.size);
      for (int k = 0; k < m.count; k++) {
        CHECK(v3_length(v3_sub(m.contact[k].normal, up)) < 1e-12);
        CHECK(m.feature[k].a.kind == FEATURE_FACE && m.feature[k].b.kind == FEATURE_VERTEX);
      }
    }
    two_release(&t);
  }
}

/* The surface of a convex polyhedron, as a closed mesh, against the polyhedron itself: the same distance from any other
 * shape apart from it. */
static void convex_meshes(void) {
  test_random random = {3};
  static const int kinds[5] = {PICUS_SHAPE_SPHERE, PICUS_SHAPE_BOX, PICUS_SHAPE_CAPSULE, PICUS_SHAPE_POLYHEDRON,
                               PICUS_SHAPE_SEGMENT};
  int apart = 0;
  for (int round = 0; round < 100; round++) {
    two_things solid, t;
    thing_define(&random, PICUS_SHAPE_POLYHEDRON, false, 1, &solid.a);
    thing_define(&random, kinds[round % 5], false, 0.7, &solid.b);
    REQUIRE(two_create(&solid));
    const polytope *p = &solid.a.shape.polytope;
    double points[3 * THING_POINTS];
    int triangles[2 * THING_POINTS][3], count = 0;
    memcpy(points, p->vertices, (size_t)p->vertex_count * sizeof *p->vertices);
    for (int f = 0; f < p->face_count; f++)
      for (int k = 1; k + 1 < p->faces[f].count; k++, count++) {
        const int *loop = p->loops + p->faces[f].first, corner[3] = {loop[0], loop[k], loop[k + 1]};
        memcpy(triangles[count], corner, sizeof corner);
      }
    picus_shape_def def = {.kind = PICUS_SHAPE_MESH,
                           .points = points,
                           .point_count = p->vertex_count,
                           .triangles = triangles,
                           .triangle_count = count,
                           .closed = true};
    thing other = solid.b;
    other.shape = (picus_shape){0};
    REQUIRE(make_pair(&t, &def, other));
    for (int pose = 0; pose < 50; pose++) {
      t.a.pose = solid.a.pose = random_pose(&random, false, 1.5);
      t.b.pose = solid.b.pose = random_pose(&random, false, 1.5);
      manifold m = two_collide(&t, 3), n = two_collide(&solid, 3);
      if (!n.count || n.contact[0].gap + t.b.shape.radius < 1e-9) continue; /* too far, or they overlap */
      apart++;
      if (CHECK(m.count > 0 && all_unit(&m)))
        CHECK_NEAR(m.contact[0].gap, n.contact[0].gap, 1e-12 * (t.a.size + t.b.size));
    }
    two_release(&t);
    two_release(&solid);
  }
  CHECK(apart > 1000);
}

/* Boxes and other bodies that touch rough ground: all contacts are where they say, and their gaps have the right rate.
 */
static void rates(void) {
  test_random random = {4};
  static const int kinds[2][3] = {{PICUS_SHAPE_SPHERE, PICUS_SHAPE_BOX, PICUS_SHAPE_POLYHEDRON},
                                  {PICUS_SHAPE_DISK, PICUS_SHAPE_RECTANGLE, PICUS_SHAPE_POLYGON}};
  int contacts = 0;
  for (int round = 0; round < 60; round++) {
    const bool planar = round % 2;
    terrain land;
    make_terrain(&random, 0.5, &land);
    picus_shape_def def = surface_def(&land, planar);
    thing body;
    two_things t;
    thing_define(&random, kinds[planar][round / 2 % 3], planar, 0.5, &body);
    REQUIRE(make_pair(&t, &def, body));
    for (int pose = 0; pose < 50; pose++) {
      t.b.pose = random_pose(&random, planar, 2);
      if (!planar) t.b.pose.origin.z = test_uniform(&random, 0.3, 1.2);
      if (planar) t.b.pose.origin.y = test_uniform(&random, 0.3, 1.2);
      manifold m = two_collide(&t, 0.05);
      for (int k = 0; k < m.count; k++, contacts++) {
        const contact_geometry *c = &m.contact[k];
        v3 v = {test_uniform(&random, -1, 1), test_uniform(&random, -1, 1), planar ? 0 : test_uniform(&random, -1, 1)};
        v3 w = {planar ? 0 : test_uniform(&random, -1, 1), planar ? 0 : test_uniform(&random, -1, 1),
                test_uniform(&random, -1, 1)};
        v3 rest = v3_sub(v3_sub(c->point[1], c->point[0]), v3_scale(c->gap, c->normal));
        CHECK(v3_length(rest) < 1e-12 * t.a.size);
        double ahead[2], velocity = v3_dot(c->normal, v3_add(v, v3_cross(w, v3_sub(c->point[1], t.b.pose.origin))));
        for (int s = 0; s < 2; s++) {
          const double h = s ? 1e-6 : -1e-6;
          picus_pose poses[2] = {t.a.pose, moved(t.b.pose, v3_scale(h, v), v3_scale(h, w))};
          contact_geometry near;
          picus_contact_gap(&t.a.shape, &t.b.shape, poses, m.feature[k], &near);
          ahead[s] = near.gap;
        }
        const double core_gap = c->gap + t.b.shape.radius;
        if (fabs(core_gap) > 0.01 || m.feature[k].a.kind == FEATURE_FACE)
          CHECK_NEAR((ahead[1] - ahead[0]) / 2e-6, velocity, 1e-6);
      }
    }
    two_release(&t);
  }
  CHECK(contacts > 500);
}

/* A box one hundredth deep in a wall beside a high step is pushed out of the wall, not lifted over the step. */
static void step(void) {
  const double line[] = {-4, 0, 0, 0, 0, 0, 0, 3, 0, 4, 3, 0};
  picus_shape_def def = {.kind = PICUS_SHAPE_POLYLINE, .points = line, .point_count = 4};
  two_things t;
  REQUIRE(make_pair(&t, &def, (thing){.def = {.kind = PICUS_SHAPE_RECTANGLE, .size = {1, 1}}}));
  t.b.pose = picus_pose_identity();
  t.b.pose.origin = (v3){-0.49, 0.5, 0};
  manifold m = two_collide(&t, 1e-3);
  CHECK(m.count == 3); /* a corner on the floor, two in the wall */
  for (int k = 0; k < m.count; k++) {
    CHECK(m.contact[k].normal.y > 0.99 || m.contact[k].normal.x < -0.99);
    CHECK(m.contact[k].gap > -0.011);
  }
  two_release(&t);
}

/* Ledges: a box on a convex edge touches the edge, not only faces. */
static void ridge(void) {
  const double points[] = {-1, -1, 0, -1, 1, 0, 0, -1, 1, 0, 1, 1, 1, -1, 0, 1, 1, 0};
  const int triangles[][3] = {{0, 2, 1}, {1, 2, 3}, {2, 4, 3}, {3, 4, 5}};
  picus_shape_def def = {
      .kind = PICUS_SHAPE_MESH, .points = points, .point_count = 6, .triangles = triangles, .triangle_count = 4};
  two_things t;
  REQUIRE(make_pair(&t, &def, (thing){.def = {.kind = PICUS_SHAPE_BOX, .size = {1, 1, 1}}}));
  t.b.pose = picus_pose_identity();
  t.b.pose.origin = (v3){0.2, 0, 1.5 + 1e-6};
  manifold m = two_collide(&t, 1e-3);
  CHECK(m.count == 2);
  for (int k = 0; k < m.count; k++) {
    CHECK(v3_length(v3_sub(m.contact[k].normal, (v3){0, 0, 1})) < 1e-12);
    CHECK_NEAR(m.contact[k].gap, 1e-6, 1e-14);
    CHECK_NEAR(fabs(m.contact[k].point[0].y), 0.5, 1e-12);
    CHECK_NEAR(m.contact[k].point[0].x, 0, 1e-12);
  }
  two_release(&t);
}

static void wrong_surfaces(void) {
  static const double points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1}, twice[] = {0, 0, 0, 1, 0, 0, 1, 0, 0};
  static const int outside[][3] = {{0, 1, 5}}, line[][3] = {{0, 1, 1}}, inside_out[][3] = {{0, 1, 2}, {0, 1, 3}};
  static const int three[][3] = {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}}, hole[][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}};
  const struct {
    picus_shape_def def;
    const char *message;
  } wrong[] = {
      {{.kind = PICUS_SHAPE_MESH, .points = points, .point_count = 5}, "a mesh needs 1 to 16777216 triangles, not 0"},
      {{.kind = PICUS_SHAPE_MESH, .points = points, .point_count = 5, .triangles = outside, .triangle_count = 1},
       "triangle 1 of the mesh names point 6, but there are 5 points"},
      {{.kind = PICUS_SHAPE_MESH, .points = points, .point_count = 5, .triangles = line, .triangle_count = 1},
       "triangle 1 of the mesh (points 1, 2, 2) has no area; leave it out"},
      {{.kind = PICUS_SHAPE_MESH, .points = points, .point_count = 5, .triangles = inside_out, .triangle_count = 2},
       "triangles 1 and 2 of the mesh have opposite orientations; swap two points of one of them"},
      {{.kind = PICUS_SHAPE_MESH, .points = points, .point_count = 5, .triangles = three, .triangle_count = 3},
       "the edge between points 1 and 2 of the mesh belongs to 3 triangles; at most two may meet"},
      {{.kind = PICUS_SHAPE_MESH,
        .points = points,
        .point_count = 5,
        .triangles = hole,
        .triangle_count = 3,
        .closed = true},
       "the mesh has a hole: the edge between points 2 and 3 belongs to triangle 1 alone"},
      {{.kind = PICUS_SHAPE_POLYLINE, .points = twice, .point_count = 3},
       "points 2 and 3 of the polyline are the same; leave one out"},
      {{.kind = PICUS_SHAPE_POLYLINE, .points = twice, .point_count = 1},
       "a polyline needs 2 to 1048576 points, not 1"},
  };
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    picus_shape shape;
    CHECK(picus_shape_create(context, &wrong[k].def, &shape) != PICUS_OK);
    CHECK_TEXT(picus_last_error(context)->message, wrong[k].message);
    CHECK(picus_context_memory(context) == 0);
  }
  picus_context_destroy(context);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"balls", balls},
      {"flat_surfaces", flat_surfaces},
      {"convex_meshes", convex_meshes},
      {"rates", rates},
      {"step", step},
      {"ridge", ridge},
      {"wrong_surfaces", wrong_surfaces},
  };
  return test_main(argc, argv, "collision_surfaces", cases, (int)(sizeof cases / sizeof *cases));
}
