/* Shapes: what they consist of, and the message for each definition that makes no shape. */
#include "collision_support.h"

#include <math.h>

/* Faces look outwards, their loops run counterclockwise, edges join the two faces they say, and the sphere encloses
 * everything. */
static void check_polytope(const picus_shape *shape) {
  const polytope *p = &shape->polytope;
  const double tolerance = 1e-13 * (shape->bound + v3_length(shape->centre));
  for (int k = 0; k < p->vertex_count; k++)
    CHECK(v3_length(v3_sub(p->vertices[k], shape->centre)) <= shape->bound * (1 + 1e-15));
  for (int f = 0; f < p->face_count; f++) {
    const int *loop = p->loops + p->faces[f].first;
    CHECK_NEAR(v3_length(p->normals[f]), 1, 1e-15);
    for (int k = 0; k < p->vertex_count; k++) CHECK(v3_dot(p->normals[f], p->vertices[k]) <= p->offsets[f] + tolerance);
    for (int k = 0; k < p->faces[f].count; k++) {
      v3 from = p->vertices[loop[k]], to = p->vertices[loop[(k + 1) % p->faces[f].count]];
      CHECK_NEAR(v3_dot(p->normals[f], from), p->offsets[f], tolerance);
      if (!shape->planar)
        for (int l = 0; l < p->faces[f].count; l++)
          CHECK(v3_dot(v3_cross(p->normals[f], v3_sub(to, from)), v3_sub(p->vertices[loop[l]], from)) >=
                -tolerance * shape->bound);
    }
  }
  for (int e = 0; e < p->edge_count && p->face_count; e++) {
    const polytope_edge *edge = &p->edges[e];
    v3 along = v3_sub(p->vertices[edge->vertex[1]], p->vertices[edge->vertex[0]]);
    CHECK(edge->face[0] != edge->face[1] && edge->face[0] >= 0 && edge->face[1] >= 0);
    for (int s = 0; s < 2; s++) {
      CHECK_NEAR(v3_dot(p->normals[edge->face[s]], along), 0, tolerance);
      CHECK(v3_dot(p->normals[edge->face[s]], edge->outward) > 0);
    }
    CHECK(v3_length(v3_cross(p->directions[edge->direction], along)) <= tolerance);
  }
  if (!shape->planar && p->face_count > 1) CHECK(p->vertex_count - p->edge_count + p->face_count == 2); /* Euler */
}

static void all_kinds(void) {
  test_random random = {1};
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  for (int kind = 0; kind < PICUS_SHAPE_POLYLINE; kind++)
    for (int round = 0; round < 100; round++) {
      bool planar =
          kind == PICUS_SHAPE_DISK || kind == PICUS_SHAPE_RECTANGLE || kind == PICUS_SHAPE_POLYGON || round % 2;
      if (kind == PICUS_SHAPE_SPHERE || kind == PICUS_SHAPE_BOX || kind == PICUS_SHAPE_POLYHEDRON) planar = false;
      if (kind == PICUS_SHAPE_CYLINDER) continue;
      thing t;
      thing_define(&random, kind + (round % 3 ? 0 : THING_ROUNDED), planar, pow(10, test_uniform(&random, -6, 6)), &t);
      REQUIRE(thing_create(context, &t));
      if (t.size > 0) check_polytope(&t.shape);
      for (int n = 0; n < 20 && t.size > 0; n++) { /* the support of the core and of the bounds, against closed forms */
        t.pose = random_pose(&random, t.shape.planar, 1);
        v3 direction = random_pose(&random, t.shape.planar, 1).axis[0];
        double largest = -INFINITY;
        for (int k = 0; k < t.shape.polytope.vertex_count; k++)
          largest = fmax(largest, v3_dot(direction, pose_point(&t.pose, t.shape.polytope.vertices[k])));
        CHECK_NEAR(largest + t.shape.radius, thing_support(&t, direction), 1e-9 * t.size + 1e-14);
        picus_bounds bounds = picus_shape_bounds(&t.shape, &t.pose);
        CHECK_NEAR(bounds.high[0], thing_support(&t, (v3){1, 0, 0}), 1e-9 * t.size + 1e-14);
        CHECK_NEAR(bounds.low[1], -thing_support(&t, (v3){0, -1, 0}), 1e-9 * t.size + 1e-14);
      }
      picus_shape_release(context, &t.shape);
    }
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

/* Points inside of a hull, repeated ones and points on a side are no corners. */
static void polygon_corners(void) {
  static const double points[] = {0, 0, 0, 2, 0, 0, 2, 2, 0, 0, 2, 0, 1, 1, 0, 1, 0, 0, 2, 1, 0, 0, 0, 0, 0.3, 0.2, 0};
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  picus_shape shape;
  REQUIRE(picus_shape_create(context,
                             &(picus_shape_def){.kind = PICUS_SHAPE_POLYGON, .points = points, .point_count = 9},
                             &shape) == PICUS_OK);
  CHECK(shape.polytope.vertex_count == 4 && shape.polytope.face_count == 4);
  check_polytope(&shape);
  picus_shape_release(context, &shape);
  picus_context_destroy(context);
}

/* Hulls of lattice points: the cube of 27 points has 8 corners and 6 faces; so has every turned one. Points on a sphere
 * are all corners. */
static void hulls(void) {
  test_random random = {2};
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  for (int round = 0; round < 200; round++) {
    double points[3 * 64];
    const int side = 2 + round % 3, count = side * side * side;
    picus_pose pose = random_pose(&random, false, round % 2 ? 10 : 0);
    if (round < 10) pose = picus_pose_identity();
    for (int k = 0; k < count; k++) {
      v3 p = pose_point(&pose, (v3){k % side, 2 * (k / side % side), 3 * (k / side / side)});
      memcpy(points + 3 * k, &p, sizeof p);
    }
    picus_shape_def def = {.kind = PICUS_SHAPE_POLYHEDRON, .points = points, .point_count = count};
    picus_shape shape;
    if (!CHECK(picus_shape_create(context, &def, &shape) == PICUS_OK)) break;
    CHECK(shape.polytope.vertex_count == 8 && shape.polytope.face_count == 6 && shape.polytope.edge_count == 12);
    check_polytope(&shape);
    picus_shape_release(context, &shape);
  }
  /* repeated points, and points very near to each other: what is built is sound, or there is a message */
  int built = 0;
  for (int round = 0; round < 300; round++) {
    double points[3 * 24];
    const double near = pow(10, test_uniform(&random, -17, -2));
    for (int k = 0; k < 24; k++)
      for (int d = 0; d < 3; d++)
        points[3 * k + d] =
            k < 12 ? test_uniform(&random, -1, 1) : points[3 * (k - 12) + d] + near * test_integer(&random, -1, 1);
    picus_shape_def def = {.kind = PICUS_SHAPE_POLYHEDRON, .points = points, .point_count = 24};
    picus_shape shape;
    if (picus_shape_create(context, &def, &shape)) continue;
    built++;
    for (int k = 0; k < shape.polytope.direction_count; k++)
      CHECK_NEAR(v3_length(shape.polytope.directions[k]), 1, 1e-14);
    for (int f = 0; f < shape.polytope.face_count; f++)
      for (int k = 0; k < 24; k++)
        CHECK(v3_dot(shape.polytope.normals[f], (v3){points[3 * k], points[3 * k + 1], points[3 * k + 2]}) <=
              shape.polytope.offsets[f] + 1e-8);
    picus_shape_release(context, &shape);
  }
  CHECK(built > 200);
  static double ball[3 * 400];
  for (int round = 0; round < 10; round++) {
    const int count = 40 * (round + 1);
    for (int k = 0; k < count; k++) {
      v3 p = random_pose(&random, false, 1).axis[0];
      memcpy(ball + 3 * k, &p, sizeof p);
    }
    picus_shape_def def = {.kind = PICUS_SHAPE_POLYHEDRON, .points = ball, .point_count = count};
    picus_shape shape;
    if (!CHECK(picus_shape_create(context, &def, &shape) == PICUS_OK)) break;
    CHECK(shape.polytope.vertex_count == count && shape.polytope.face_count == 2 * count - 4);
    check_polytope(&shape);
    picus_shape_release(context, &shape);
  }
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

/* --- mass ------------------------------------------------------------------------------------------------------- */

static picus_mass mass_of(picus_context *context, const picus_shape_def *def, double density) {
  picus_shape shape;
  picus_mass mass = {0};
  CHECK(picus_shape_create(context, def, &shape) == PICUS_OK);
  CHECK(picus_shape_mass(context, &shape, density, &mass) == PICUS_OK);
  picus_shape_release(context, &shape);
  return mass;
}

static void check_mass(const picus_mass *m, double mass, v3 inertia) {
  CHECK_NEAR(m->mass, mass, 1e-13 * mass);
  CHECK_NEAR(m->inertia[0], inertia.x, 1e-13 * inertia.z);
  CHECK_NEAR(m->inertia[4], inertia.y, 1e-13 * inertia.z);
  CHECK_NEAR(m->inertia[8], inertia.z, 1e-13 * inertia.z);
  for (int k = 0; k < 9; k++)
    if (k % 4) CHECK_NEAR(m->inertia[k], 0, 1e-13 * inertia.z);
  CHECK(v3_length(m->centre) < 1e-14);
}

static void masses_in_closed_form(void) {
  const double pi = 4 * atan(1), r = 0.3, a = 1.1, b = 0.7, c = 0.5;
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  picus_mass m = mass_of(context, &(picus_shape_def){.kind = PICUS_SHAPE_SPHERE, .radius = r}, 2);
  double mass = 2 * 4 * pi / 3 * r * r * r;
  check_mass(&m, mass, (v3){0.4 * mass * r * r, 0.4 * mass * r * r, 0.4 * mass * r * r});
  m = mass_of(context, &(picus_shape_def){.kind = PICUS_SHAPE_DISK, .radius = r}, 2);
  mass = 2 * pi * r * r;
  check_mass(&m, mass, (v3){mass * r * r / 4, mass * r * r / 4, mass * r * r / 2});
  m = mass_of(context, &(picus_shape_def){.kind = PICUS_SHAPE_RECTANGLE, .size = {a, b}}, 2);
  mass = 2 * a * b;
  check_mass(&m, mass, (v3){mass * b * b / 12, mass * a * a / 12, mass * (a * a + b * b) / 12});
  m = mass_of(context, &(picus_shape_def){.kind = PICUS_SHAPE_BOX, .size = {a, b, c}}, 2);
  mass = 2 * a * b * c;
  check_mass(&m, mass, (v3){mass * (b * b + c * c) / 12, mass * (a * a + c * c) / 12, mass * (a * a + b * b) / 12});
  /* planar capsule: a rectangle and the halves of a disk, whose centres lie 4 r / (3 pi) outside */
  m = mass_of(context, &(picus_shape_def){.kind = PICUS_SHAPE_CAPSULE, .planar = true, .size = {a}, .radius = r}, 1);
  const double disk = pi * r * r, far = 4 * r / (3 * pi), mid = 2 * a * r;
  mass = disk + mid;
  double yy = disk * r * r / 4 + mid * r * r / 3, xx = disk * (r * r / 4 + a * a / 4 + a * far) + mid * a * a / 12;
  check_mass(&m, mass, (v3){yy, xx, xx + yy});
  m = mass_of(context, &(picus_shape_def){.kind = PICUS_SHAPE_CYLINDER, .size = {a}, .radius = r}, 2);
  mass = 2 * pi * r * r * a;
  check_mass(&m, mass, (v3){mass * (r * r / 4 + a * a / 12), mass * (r * r / 4 + a * a / 12), mass * r * r / 2});
  /* volume of a rounded box by Steiner's formula, and the limit of a small box, which is a sphere */
  m = mass_of(context, &(picus_shape_def){.kind = PICUS_SHAPE_BOX, .size = {a, b, c}, .radius = r}, 1);
  mass = a * b * c + 2 * r * (a * b + b * c + c * a) + pi * r * r * (a + b + c) + 4 * pi / 3 * r * r * r;
  CHECK_NEAR(m.mass, mass, 1e-13 * mass);
  m = mass_of(context, &(picus_shape_def){.kind = PICUS_SHAPE_BOX, .size = {1e-12, 1e-12, 1e-12}, .radius = r}, 2);
  mass = 2 * 4 * pi / 3 * r * r * r;
  CHECK_NEAR(m.inertia[0], 0.4 * mass * r * r, 1e-10 * mass);
  CHECK_NEAR(m.inertia[8], 0.4 * mass * r * r, 1e-10 * mass);
  /* and of a long thin one, which is a capsule */
  picus_mass n = mass_of(context, &(picus_shape_def){.kind = PICUS_SHAPE_CAPSULE, .size = {a}, .radius = r}, 1);
  m = mass_of(context, &(picus_shape_def){.kind = PICUS_SHAPE_BOX, .size = {1e-12, 1e-12, a}, .radius = r}, 1);
  CHECK_NEAR(m.mass, n.mass, 1e-10 * n.mass);
  for (int k = 0; k < 9; k++) CHECK_NEAR(m.inertia[k], n.inertia[k], 1e-10 * n.mass);
  /* a thin cylinder rounded by r is a capsule */
  m = mass_of(context, &(picus_shape_def){.kind = PICUS_SHAPE_CYLINDER, .size = {a}, .radius = 1e-12, .rounding = r},
              1);
  CHECK_NEAR(m.mass, n.mass, 1e-10 * n.mass);
  for (int k = 0; k < 9; k++) CHECK_NEAR(m.inertia[k], n.inertia[k], 1e-10 * n.mass);
  picus_context_destroy(context);
}

/* Any shape against sums over random points: a few parts in a thousand. */
static void masses_by_sampling(void) {
  enum { SAMPLES = 200000 };
  static const int kinds[] = {PICUS_SHAPE_CAPSULE,           PICUS_SHAPE_RECTANGLE + THING_ROUNDED,
                              PICUS_SHAPE_POLYGON,           PICUS_SHAPE_SEGMENT + THING_ROUNDED,
                              PICUS_SHAPE_CAPSULE + 1000,    PICUS_SHAPE_BOX + THING_ROUNDED + 1000,
                              PICUS_SHAPE_POLYHEDRON + 1000, PICUS_SHAPE_CYLINDER + THING_ROUNDED + 1000};
  test_random random = {3};
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
    const bool planar = kinds[kind] < 1000;
    thing t;
    thing_define(&random, kinds[kind] % 1000, planar, 1, &t);
    if (t.def.point_count > 6) t.def.point_count = 6; /* the test of a point takes the cube of it */
    REQUIRE(thing_create(context, &t));
    picus_mass m;
    REQUIRE(picus_shape_mass(context, &t.shape, 1, &m) == PICUS_OK);
    picus_pose home = picus_pose_identity();
    picus_bounds box = picus_shape_bounds(&t.shape, &home);
    double volume = 1, sum = 0, second[9] = {0};
    for (int d = 0; d < (planar ? 2 : 3); d++) volume *= box.high[d] - box.low[d];
    v3 first = {0, 0, 0};
    for (int k = 0; k < SAMPLES; k++) {
      double x[3] = {0};
      for (int d = 0; d < (planar ? 2 : 3); d++) x[d] = test_uniform(&random, box.low[d], box.high[d]);
      v3 p = {x[0], x[1], x[2]};
      if (thing_outside(&t, p) > 0) continue;
      sum++;
      first = v3_add(first, p);
      v3 d = v3_sub(p, m.centre);
      const double e[3] = {d.x, d.y, d.z};
      for (int i = 0; i < 9; i++) second[i] += (i % 4 ? 0 : v3_square(d)) - e[i / 3] * e[i % 3];
    }
    const double noise = 8 / sqrt(SAMPLES);
    CHECK_NEAR(sum / SAMPLES * volume, m.mass, noise * m.mass);
    CHECK(v3_length(v3_sub(v3_scale(1 / sum, first), m.centre)) < noise * t.size);
    for (int i = 0; i < 9; i++)
      CHECK_NEAR(second[i] / SAMPLES * volume, m.inertia[i], noise * m.mass * t.size * t.size);
    picus_shape_release(context, &t.shape);
  }
  picus_context_destroy(context);
}

/* A rounded polyhedron is what remains of many directions: the mass of a turned one is turned, a box given by its
 * corners is a box, and its place costs no digits. */
static void masses_of_polyhedra(void) {
  test_random random = {4};
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  for (int round = 0; round < 100; round++) {
    const double size[3] = {random_length(&random, 1), random_length(&random, 1), random_length(&random, 1)};
    const double radius = round % 2 ? random_length(&random, 0.3) : 0;
    picus_pose pose = random_pose(&random, false, 100);
    double points[24];
    for (int k = 0; k < 8; k++) {
      v3 p = pose_point(&pose, (v3){(k & 1) * size[0], (k >> 1 & 1) * size[1], (k >> 2 & 1) * size[2]});
      memcpy(points + 3 * k, &p, sizeof p);
    }
    picus_mass m = mass_of(
        context, &(picus_shape_def){.kind = PICUS_SHAPE_BOX, .size = {size[0], size[1], size[2]}, .radius = radius}, 1);
    picus_mass n = mass_of(
        context,
        &(picus_shape_def){.kind = PICUS_SHAPE_POLYHEDRON, .points = points, .point_count = 8, .radius = radius}, 1);
    CHECK_NEAR(n.mass, m.mass, 1e-11 * m.mass);
    v3 middle = pose_point(&pose, (v3){size[0] / 2, size[1] / 2, size[2] / 2});
    CHECK(v3_length(v3_sub(n.centre, middle)) < 1e-11);
    for (int k = 0; k < 3; k++) { /* each axis of the box is a principal axis */
      v3 e = pose.axis[k];
      v3 turned = {n.inertia[0] * e.x + n.inertia[1] * e.y + n.inertia[2] * e.z,
                   n.inertia[3] * e.x + n.inertia[4] * e.y + n.inertia[5] * e.z,
                   n.inertia[6] * e.x + n.inertia[7] * e.y + n.inertia[8] * e.z};
      CHECK(v3_length(v3_along(turned, -m.inertia[4 * k], e)) < 1e-10 * m.inertia[4 * k]);
    }
  }
  picus_context_destroy(context);
}

static void no_mass(void) {
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  picus_shape shape;
  picus_mass mass;
  REQUIRE(picus_shape_create(context, &(picus_shape_def){.kind = PICUS_SHAPE_HALF_SPACE}, &shape) == PICUS_OK);
  CHECK(picus_shape_mass(context, &shape, 1, &mass) == PICUS_ERROR_UNSUPPORTED);
  CHECK_TEXT(picus_last_error(context)->message, "a half-space has no mass; give mass and inertia of the body");
  picus_shape_release(context, &shape);
  for (int planar = 0; planar < 2; planar++) {
    picus_shape_def def = {.kind = PICUS_SHAPE_SEGMENT, .planar = planar, .size = {1}};
    REQUIRE(picus_shape_create(context, &def, &shape) == PICUS_OK);
    CHECK(picus_shape_mass(context, &shape, 1, &mass) == PICUS_ERROR_ARGUMENT);
    CHECK_TEXT(picus_last_error(context)->message, "a segment without thickness has no mass; give it a radius");
    CHECK(picus_shape_mass(context, &shape, 0, &mass) == PICUS_ERROR_ARGUMENT);
    CHECK_TEXT(picus_last_error(context)->message, "the density of a segment is 0; it must be positive");
    picus_shape_release(context, &shape);
  }
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

static void wrong_definitions(void) {
  static const double line[] = {0, 0, 0, 1, 1, 0, 2, 2, 0, 5, 5, 0}, lifted[] = {0, 0, 0, 1, 0, 0, 0, 1, 0.5};
  static const double none[] = {0, 0, 0, 1, 0, 0, 0, NAN, 0}, dot[] = {1, 1, 0, 1, 1, 0, 1, 1, 0};
  static const double sheet[] = {0, 0, 0, 1, 0, 1, 0, 1, 1, 1, 1, 2, 0.5, 0.5, 1};
  const struct {
    picus_shape_def def;
    const char *message;
  } wrong[] = {
      {{.kind = PICUS_SHAPE_DISK}, "a disk needs a radius between 1e-100 and 1e+100, not 0"},
      {{.kind = PICUS_SHAPE_SPHERE, .radius = -1}, "a sphere needs a radius between 1e-100 and 1e+100, not -1"},
      {{.kind = PICUS_SHAPE_SPHERE, .radius = NAN}, "a sphere needs a radius between 1e-100 and 1e+100, not nan"},
      {{.kind = PICUS_SHAPE_BOX, .size = {1, 0, 1}}, "a box needs a size in y between 1e-100 and 1e+100, not 0"},
      {{.kind = PICUS_SHAPE_BOX, .size = {1, 1, 1}, .radius = -0.1},
       "a box cannot be rounded by the radius -0.1; 0 leaves it sharp"},
      {{.kind = PICUS_SHAPE_RECTANGLE, .size = {1, -2}},
       "a rectangle needs a height between 1e-100 and 1e+100, not -2"},
      {{.kind = PICUS_SHAPE_CAPSULE, .size = {INFINITY}, .radius = 1},
       "a capsule needs a length between 1e-100 and 1e+100, not inf"},
      {{.kind = PICUS_SHAPE_CAPSULE, .size = {1}}, "a capsule needs a radius between 1e-100 and 1e+100, not 0"},
      {{.kind = PICUS_SHAPE_POLYGON}, "a polygon needs 3 to 1048576 points, not 0"},
      {{.kind = PICUS_SHAPE_POLYGON, .points = line, .point_count = 2}, "a polygon needs 3 to 1048576 points, not 2"},
      {{.kind = PICUS_SHAPE_POLYGON, .points = line, .point_count = 4},
       "the 4 points of the polygon lie on one line; a segment or capsule has that shape"},
      {{.kind = PICUS_SHAPE_POLYGON, .points = dot, .point_count = 3},
       "the 3 points of the polygon lie on one line; a segment or capsule has that shape"},
      {{.kind = PICUS_SHAPE_POLYGON, .points = lifted, .point_count = 3},
       "point 3 of the polygon has z = 0.5; planar points have z = 0"},
      {{.kind = PICUS_SHAPE_POLYGON, .points = none, .point_count = 3},
       "point 3 of the polygon is (0, nan, 0); give numbers below 1e+100"},
      {{.kind = PICUS_SHAPE_POLYHEDRON, .points = line, .point_count = 3},
       "a polyhedron needs 4 to 1048576 points, not 3"},
      {{.kind = PICUS_SHAPE_POLYHEDRON, .points = line, .point_count = 4},
       "the 4 points of the polyhedron lie on one line; give it some thickness"},
      {{.kind = PICUS_SHAPE_POLYHEDRON, .points = sheet, .point_count = 5},
       "the 5 points of the polyhedron lie in one plane; give it some thickness"},
      {{.kind = PICUS_SHAPE_POLYHEDRON, .points = (double[12]){0}, .point_count = 4},
       "the 4 points of the polyhedron lie at one place; give it some thickness"},
      {{.kind = PICUS_SHAPE_KINDS}, "there is no shape of kind 13"},
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
      {"all_kinds", all_kinds},
      {"polygon_corners", polygon_corners},
      {"hulls", hulls},
      {"masses_in_closed_form", masses_in_closed_form},
      {"masses_by_sampling", masses_by_sampling},
      {"masses_of_polyhedra", masses_of_polyhedra},
      {"no_mass", no_mass},
      {"wrong_definitions", wrong_definitions},
  };
  return test_main(argc, argv, "collision_shapes", cases, (int)(sizeof cases / sizeof *cases));
}
