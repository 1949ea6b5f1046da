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
          CHECK(v3_dot(v3_cross(p->normals[f], v3_sub(to, from)), v3_sub(p->vertices[loop[l]], from)) >= -tolerance);
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
  for (int kind = 0; kind < PICUS_SHAPE_KINDS; kind++)
    for (int round = 0; round < 100; round++) {
      const bool planar =
          kind == PICUS_SHAPE_DISK || kind == PICUS_SHAPE_RECTANGLE || kind == PICUS_SHAPE_POLYGON || round % 2;
      thing t;
      thing_define(&random, kind + (round % 3 ? 0 : THING_ROUNDED), planar, pow(10, test_uniform(&random, -6, 6)), &t);
      REQUIRE(thing_create(context, &t));
      if (t.size) check_polytope(&t.shape);
      for (int n = 0; n < 20 && t.size; n++) { /* the support of the core and of the bounds, against closed forms */
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

static void wrong_definitions(void) {
  static const double line[] = {0, 0, 0, 1, 1, 0, 2, 2, 0, 5, 5, 0}, lifted[] = {0, 0, 0, 1, 0, 0, 0, 1, 0.5};
  static const double none[] = {0, 0, 0, 1, 0, 0, 0, NAN, 0}, dot[] = {1, 1, 0, 1, 1, 0, 1, 1, 0};
  static const struct {
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
      {{.kind = PICUS_SHAPE_KINDS}, "there is no shape of kind 8"},
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
      {"wrong_definitions", wrong_definitions},
  };
  return test_main(argc, argv, "collision_shapes", cases, (int)(sizeof cases / sizeof *cases));
}
