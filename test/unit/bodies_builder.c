/* Rigid bodies through the C functions: the same system as from a model file, and what they refuse. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <string.h>

static const char text[] =
    "gravity { 0, 0, -9.81 }\n"
    "local a = spatial_body { 'a', mass = 2, inertia = { 0.1, 0.2, 0.3 }, position = { 0, 0, 0.5 }, omega = { 1, 2, 3 "
    "} }\n"
    "local b = particle { 'b', mass = 1, position = { 0.5, 0, 0.5 } }\n"
    "spherical { 'tip', ground, a, at = { 0, 0, 0 } }\n"
    "distance { 'rod', a, b }\n"
    "spring { ground, b, stiffness = 30, damping = 1, length = 0.4 }\n"
    "body_force { a, point = { 0, 0, 0.2 }, force = { sin(t), 0, 0 } }\n"
    "plane_contact { 'floor', ground, b, normal = { 0, 0, 1 }, radius = 0.1, mu = 0.3, eN = 0.5 }\n"
    "simulate { dt = 1e-3, t_end = 0.5 }\n";

static picus_status add_bodies(picus_model *model, picus_body *ground, picus_body *a, picus_body *b) {
  const double gravity[3] = {0, 0, -9.81};
  picus_frame_def frame = picus_default_frame_def(model);
  frame.name = "ground";
  picus_status status = picus_model_make_frame(model, &frame, ground);
  picus_body_def spatial = picus_default_body_def(PICUS_SPATIAL_BODY),
                 particle = picus_default_body_def(PICUS_PARTICLE);
  spatial.name = "a", spatial.mass = 2;
  spatial.inertia[0] = 0.1, spatial.inertia[4] = 0.2, spatial.inertia[8] = 0.3;
  spatial.position[2] = 0.5;
  for (int i = 0; i < 3; i++) spatial.angular_velocity[i] = i + 1;
  particle.name = "b", particle.mass = 1;
  particle.position[0] = particle.position[2] = 0.5;
  if (!status) status = picus_model_add_body(model, &spatial, a);
  if (!status) status = picus_model_add_body(model, &particle, b);
  if (!status) status = picus_body_add_gravity(a, gravity);
  if (!status) status = picus_body_add_gravity(b, gravity);
  return status;
}

static picus_status add_connections(picus_model *model, const picus_body *ground, const picus_body *a,
                                    const picus_body *b) {
  picus_pool *pool = picus_model_pool(model);
  picus_expr zero = picus_number(pool, 0);
  picus_joint_def tip = picus_default_joint_def(PICUS_SPHERICAL), rod = picus_default_joint_def(PICUS_DISTANCE);
  tip.name = "tip", tip.a = ground, tip.b = a;
  rod.name = "rod", rod.a = a, rod.b = b, rod.in_body_frames = true;
  picus_spring_def spring = picus_default_spring_def();
  spring.a = ground, spring.b = b;
  spring.stiffness = 30, spring.damping = 1, spring.rest = 0.4;
  picus_pair_def floor = picus_default_pair_def(PICUS_BALL_PLANE);
  floor.name = "floor", floor.a = ground, floor.b = b;
  floor.radius[1] = 0.1, floor.mu = 0.3, floor.eN = 0.5; /* the normal is (0, 0, 1) by default */
  const double point[3] = {0, 0, 0.2};
  picus_vector force = {{picus_unary(pool, PICUS_SIN, picus_model_time(model)), zero, zero}};
  picus_status status = picus_model_add_joint(model, &tip);
  if (!status) status = picus_model_add_joint(model, &rod);
  if (!status) status = picus_model_add_spring(model, &spring);
  if (!status) status = picus_body_add_force(a, point, force);
  return status ? status : picus_model_add_pair(model, &floor);
}

static void a_model_in_c_equals_the_file(void) {
  simulation file, built = {0};
  picus_body ground, a, b;
  REQUIRE(simulation_open_text(&file, text));
  REQUIRE(picus_context_create(NULL, &built.context) == PICUS_OK);
  REQUIRE(picus_model_create(built.context, "built", &built.model) == PICUS_OK);
  REQUIRE(add_bodies(built.model, &ground, &a, &b) == PICUS_OK);
  REQUIRE(add_connections(built.model, &ground, &a, &b) == PICUS_OK);
  CHECK(picus_model_set_run_number(built.model, "dt", 1e-3) == PICUS_OK);
  CHECK(picus_model_set_run_number(built.model, "t_end", 0.5) == PICUS_OK);
  REQUIRE(picus_system_create(built.model, &built.system) == PICUS_OK);
  picus_sim_options options = picus_model_sim_options(built.model);
  REQUIRE(simulation_start(&built, &options));
  CHECK(picus_sim_run(file.sim, NULL, NULL, NULL) == PICUS_OK &&
        picus_sim_run(built.sim, NULL, NULL, NULL) == PICUS_OK);
  picus_state from_file = picus_sim_state(file.sim), from_c = picus_sim_state(built.sim);
  REQUIRE(from_file.nq == 10 && from_c.nq == 10 && from_c.nu == 9);
  for (int i = 0; i < 10; i++) CHECK_NEAR(from_c.q[i], from_file.q[i], 1e-13);
  for (int i = 0; i < 9; i++) CHECK_NEAR(from_c.u[i], from_file.u[i], 1e-12);
  simulation_close(&file);
  simulation_close(&built);
}

/* Mistakes that a model file cannot make. */
static void what_only_c_can_do_wrong(void) {
  picus_context *context;
  picus_model *model, *other;
  picus_body ground, a, b, foreign;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  REQUIRE(picus_model_create(context, "one", &model) == PICUS_OK);
  REQUIRE(picus_model_create(context, "other", &other) == PICUS_OK);
  REQUIRE(add_bodies(model, &ground, &a, &b) == PICUS_OK);
  picus_body_def def = picus_default_body_def(PICUS_FRAME);
  def.name = "f", def.mass = 1, def.inertia[0] = def.inertia[4] = def.inertia[8] = 1;
  CHECK(picus_model_add_body(other, &def, &foreign) == PICUS_ERROR_ARGUMENT);
  def.kind = PICUS_PLANAR_BODY;
  REQUIRE(picus_model_add_body(other, &def, &foreign) == PICUS_OK);
  picus_joint_def joint = picus_default_joint_def(PICUS_SPHERICAL);
  joint.name = "j", joint.a = &a, joint.b = &foreign;
  CHECK(picus_model_add_joint(model, &joint) == PICUS_ERROR_ARGUMENT);
  joint.b = NULL;
  CHECK(picus_model_add_joint(model, &joint) == PICUS_ERROR_ARGUMENT);
  joint.b = &b, joint.kind = PICUS_DISTANCE, joint.length = NAN;
  CHECK(picus_model_add_joint(model, &joint) == PICUS_ERROR_ARGUMENT);
  picus_pair_def pair = picus_default_pair_def(PICUS_POINT_LEVEL);
  pair.name = "c", pair.a = &ground, pair.b = &a;
  CHECK(picus_model_add_pair(model, &pair) == PICUS_ERROR_ARGUMENT);
  CHECK(picus_model_mark_quaternion(model, "nothing") == PICUS_ERROR_NAME);
  CHECK(picus_model_mark_quaternion(model, "z_b") == PICUS_ERROR_DIMENSION);
  CHECK(picus_model_add_inertia(model, "x_a", "vx_a", 1) == PICUS_ERROR_NAME);
  CHECK(picus_model_add_inertia(model, "vx_a", "vx_a", NAN) == PICUS_ERROR_NUMBER);
  picus_model_destroy(other);
  picus_model_destroy(model);
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

int main(int argc, char **argv) {
  static const test_case list[] = {
      {"a_model_in_c_equals_the_file", a_model_in_c_equals_the_file},
      {"what_only_c_can_do_wrong", what_only_c_can_do_wrong},
  };
  return test_main(argc, argv, "bodies_builder", list, sizeof list / sizeof *list);
}
