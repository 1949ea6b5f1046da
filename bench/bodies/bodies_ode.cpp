// Spheres in a box by the quick step of ODE. Prints one row.
//
//   bodies_ode spheres N H T_END ITERATIONS
//
// Contacts are hard (default cfm and erp), with friction proportional to the normal force (dContactApprox1): a pyramid.
#include "bodies.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ode/ode.h>
#include <string>
#include <vector>

namespace {

struct touch {
  dJointFeedback feedback;
  dJointID joint;
  dContactGeom geom;
  dBodyID body[2];
};

struct run {
  const bodies_scene &scene;
  double h;
  dWorldID world;
  dSpaceID space;
  dJointGroupID group;
  std::vector<dBodyID> bodies;
  std::vector<touch> touches;
  size_t used = 0;

  run(const bodies_scene &s, double step, int iterations) : scene(s), h(step) {
    world = dWorldCreate();
    space = dHashSpaceCreate(nullptr);
    group = dJointGroupCreate(0);
    dWorldSetGravity(world, 0, 0, -s.gravity);
    dWorldSetQuickStepNumIterations(world, iterations);
    dWorldSetAutoDisableFlag(world, 0);
    dHashSpaceSetLevels(space, -8, 0); // cells from 4 mm to 1 m
    dCreatePlane(space, 0, 0, 1, 0);
    dCreatePlane(space, 1, 0, 0, 0);
    dCreatePlane(space, -1, 0, 0, -s.width);
    dCreatePlane(space, 0, 1, 0, 0);
    dCreatePlane(space, 0, -1, 0, -s.width);
    touches.resize(16 * static_cast<size_t>(s.n) + 64); // their places must not change within a step
    for (int i = 0; i < s.n; i++) add_body(i);
  }
  ~run() {
    dJointGroupDestroy(group);
    dSpaceDestroy(space);
    dWorldDestroy(world);
  }
  void add_body(int i) {
    dBodyID body = dBodyCreate(world);
    dMass mass;
    dMassSetSphereTotal(&mass, scene.mass[i], scene.radius[i]);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, scene.x[3 * i], scene.x[3 * i + 1], scene.x[3 * i + 2]);
    dGeomID geom = dCreateSphere(space, scene.radius[i]);
    dGeomSetBody(geom, body);
    bodies.push_back(body);
  }
};

void collide(void *data, dGeomID a, dGeomID b) {
  run &r = *static_cast<run *>(data);
  dContact contact;
  if (r.used == r.touches.size() || !dCollide(a, b, 1, &contact.geom, sizeof(dContact))) return;
  contact.surface.mode = dContactApprox1;
  contact.surface.mu = r.scene.mu;
  touch &t = r.touches[r.used++];
  t.joint = dJointCreateContact(r.world, r.group, &contact);
  t.geom = contact.geom;
  t.body[0] = dGeomGetBody(a);
  t.body[1] = dGeomGetBody(b);
  dJointAttach(t.joint, t.body[0], t.body[1]);
  dJointSetFeedback(t.joint, &t.feedback);
}

bool step(void *self) {
  run &r = *static_cast<run *>(self);
  dJointGroupEmpty(r.group);
  r.used = 0;
  dSpaceCollide(r.space, &r, collide);
  dWorldQuickStep(r.world, r.h);
  return true;
}

// The velocity of the body at the end of the step, at the arm of its start.
void add_velocity(const run &r, dBodyID body, const double *point, double sign, double *u) {
  if (!body) return;
  const dReal *x = dBodyGetPosition(body), *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body);
  double arm[3];
  for (int d = 0; d < 3; d++) arm[d] = point[d] - (x[d] - r.h * v[d]);
  u[0] += sign * (v[0] + w[1] * arm[2] - w[2] * arm[1]);
  u[1] += sign * (v[1] + w[2] * arm[0] - w[0] * arm[2]);
  u[2] += sign * (v[2] + w[0] * arm[1] - w[1] * arm[0]);
}

// The normal of ODE points to the first body; feedback is the force on it, or on the second one if there is no first.
bool step_measured(void *self, bodies_residual *residual) {
  run &r = *static_cast<run *>(self);
  step(self);
  for (size_t k = 0; k < r.used; k++) {
    const touch &t = r.touches[k];
    double u[3] = {0, 0, 0}, p[3], normal[3];
    for (int d = 0; d < 3; d++) {
      p[d] = r.h * (t.body[0] ? t.feedback.f1[d] : -t.feedback.f2[d]);
      normal[d] = t.geom.normal[d];
    }
    add_velocity(r, t.body[0], t.geom.pos, 1, u);
    add_velocity(r, t.body[1], t.geom.pos, -1, u);
    bodies_residual_add_vectors(residual, &r.scene, r.h, u, p, normal);
  }
  return true;
}

void positions(void *self, double *x) {
  const run &r = *static_cast<run *>(self);
  for (int i = 0; i < r.scene.n; i++)
    for (int d = 0; d < 3; d++) x[3 * i + d] = dBodyGetPosition(r.bodies[static_cast<size_t>(i)])[d];
}

} // namespace

int main(int count, char **argument) {
  bodies_scene scene;
  if (count != 6 || std::string(argument[1]) != "spheres" ||
      !heap_scene_make(&scene, "spheres", std::atoi(argument[2]), 0)) {
    std::fprintf(stderr, "usage: bodies_ode spheres N H T_END ITERATIONS\n");
    return 2;
  }
  dInitODE2(0);
  const double h = std::atof(argument[3]);
  const std::string name = std::string("ODE ") + argument[5] + " iterations";
  bool fine = false;
  {
    run r(scene, h, std::atoi(argument[5]));
    const bodies_engine engine = {name.c_str(), &r, step, step_measured, positions};
    fine = bodies_run(&scene, &engine, h, std::atof(argument[4]));
  }
  dCloseODE();
  heap_scene_release(&scene);
  return fine ? 0 : 1;
}
