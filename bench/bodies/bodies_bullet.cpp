// Disks and spheres in a box by Bullet. Prints one row.
//
//   bodies_bullet disks|spheres N H T_END ITERATIONS
//
// Two thresholds of Bullet are lengths, chosen for bodies of a metre; they are lowered for bodies of a centimetre.
// Bodies do not sleep. A disk is a sphere that moves in a plane, with the inertia of a disk.
#include "bodies.h"

#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <btBulletDynamicsCommon.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

extern btScalar gContactBreakingThreshold;

namespace {

struct run {
  const bodies_scene &scene;
  double h;
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher;
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world;
  std::vector<std::unique_ptr<btCollisionShape>> shapes;
  std::vector<std::unique_ptr<btRigidBody>> bodies;

  run(const bodies_scene &s, double step, int iterations)
      : scene(s), h(step), dispatcher(&configuration), world(&dispatcher, &broadphase, &solver, &configuration) {
    world.setGravity(s.planar ? btVector3(0, -s.gravity, 0) : btVector3(0, 0, -s.gravity));
    world.getSolverInfo().m_numIterations = iterations;
    const int up = s.planar ? 1 : 2;
    for (int axis = 0; axis <= up; axis++) {
      add_wall(axis, 1, 0);
      if (axis != up) add_wall(axis, -1, -s.width);
    }
    for (int i = 0; i < s.n; i++) add_body(i);
  }
  ~run() {
    for (auto &body : bodies) world.removeRigidBody(body.get());
  }

  btRigidBody &add(btCollisionShape *shape, double mass, const btVector3 &inertia, const btVector3 &place) {
    shapes.emplace_back(shape);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
    info.m_startWorldTransform.setOrigin(place);
    info.m_friction = std::sqrt(scene.mu); // those of a pair are multiplied
    info.m_restitution = 0;
    bodies.emplace_back(new btRigidBody(info));
    world.addRigidBody(bodies.back().get());
    return *bodies.back();
  }
  void add_wall(int axis, double sign, double offset) {
    btVector3 normal(0, 0, 0);
    normal[axis] = sign;
    add(new btStaticPlaneShape(normal, offset), 0, btVector3(0, 0, 0), btVector3(0, 0, 0)).setUserIndex(-1);
  }
  void add_body(int i) {
    const double J = scene.inertia[i];
    const double *x = scene.x + 3 * i;
    btRigidBody &body =
        add(new btSphereShape(scene.radius[i]), scene.mass[i], btVector3(J, J, J), btVector3(x[0], x[1], x[2]));
    body.setUserIndex(i);
    body.setActivationState(DISABLE_DEACTIVATION);
    if (!scene.planar) return;
    body.setLinearFactor(btVector3(1, 1, 0));
    body.setAngularFactor(btVector3(0, 0, 1));
  }
};

bool step(void *self) {
  run &r = *static_cast<run *>(self);
  r.world.stepSimulation(r.h, 0);
  return true;
}

btVector3 velocity_at(const btCollisionObject *object, const btVector3 &point) {
  const btRigidBody *body = btRigidBody::upcast(object);
  return body->getVelocityInLocalPoint(point - body->getCenterOfMassPosition());
}

// Impulses of a manifold act on its first body, along the normal on the second one. Velocities and points at the end of
// the step: bodies have moved by h u since then, which changes the arms by so much.
bool step_measured(void *self, bodies_residual *residual) {
  run &r = *static_cast<run *>(self);
  step(self);
  for (int m = 0; m < r.dispatcher.getNumManifolds(); m++) {
    const btPersistentManifold &manifold = *r.dispatcher.getManifoldByIndexInternal(m);
    for (int k = 0; k < manifold.getNumContacts(); k++) {
      const btManifoldPoint &c = manifold.getContactPoint(k);
      const btVector3 p = c.m_appliedImpulse * c.m_normalWorldOnB +
                          c.m_appliedImpulseLateral1 * c.m_lateralFrictionDir1 +
                          c.m_appliedImpulseLateral2 * c.m_lateralFrictionDir2;
      const btVector3 u = velocity_at(manifold.getBody0(), c.m_positionWorldOnA) -
                          velocity_at(manifold.getBody1(), c.m_positionWorldOnB);
      if (c.m_appliedImpulse == 0 && c.getDistance() > 0) continue; // not in touch
      const double own_u[3] = {u.x(), u.y(), u.z()}, own_p[3] = {p.x(), p.y(), p.z()},
                   normal[3] = {c.m_normalWorldOnB.x(), c.m_normalWorldOnB.y(), c.m_normalWorldOnB.z()};
      bodies_residual_add_vectors(residual, &r.scene, r.h, own_u, own_p, normal);
    }
  }
  return true;
}

void positions(void *self, double *x) {
  for (const auto &body : static_cast<run *>(self)->bodies) {
    const int i = body->getUserIndex();
    if (i < 0) continue;
    const btVector3 place = body->getCenterOfMassPosition();
    for (int d = 0; d < 3; d++) x[3 * i + d] = place[d];
  }
}

} // namespace

int main(int count, char **argument) {
  bodies_scene scene;
  if (count != 6 || !heap_scene_make(&scene, argument[1], std::atoi(argument[2]), 0)) {
    std::fprintf(stderr, "usage: bodies_bullet disks|spheres N H T_END ITERATIONS\n");
    return 2;
  }
  gDbvtMargin = 0.002;
  gContactBreakingThreshold = 0.001;
  const double h = std::atof(argument[3]);
  const std::string name = std::string("Bullet ") + argument[5] + " iterations";
  bool fine = false;
  {
    auto r = std::make_unique<run>(scene, h, std::atoi(argument[5]));
    const bodies_engine engine = {name.c_str(), r.get(), step, step_measured, positions};
    fine = bodies_run(&scene, &engine, h, std::atof(argument[4]));
  }
  heap_scene_release(&scene);
  return fine ? 0 : 1;
}
