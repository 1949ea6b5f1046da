// The slider-crank with play in its guide (Acary 2012, section 6.4.1; data as models/slider-crank.lua) in Siconos: the
// same equations, scheme, step size and tolerance as Picus, without output files. Prints one line: name, steps per
// second, error of theta1 at the end, which must be t = 0.13 s.
//
//   siconos_slider_crank SOLVER DT STEPS TOLERANCE
#include "implicit_reference.h"

#include <SiconosKernel.hpp>
#include <SolverOptions.h>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

const double l1 = 0.153, l2 = 0.306, half_length = 0.05, half_height = 0.025, play = 0.001;
const double m1 = 0.038, m2 = 0.038, m3 = 0.076, J1 = 7.4e-5, J2 = 5.9e-4, J3 = 2.7e-6, gravity = 9.81;
const double restitution = 0.4, friction = 0.01;
const double coupling = (m2 / 2 + m3) * l1 * l2;

// Matrices are column-major.
void mass(unsigned, double *q, double *M, unsigned, double *) {
  std::memset(M, 0, 9 * sizeof *M);
  M[0] = J1 + m1 * l1 * l1 / 4 + (m2 + m3) * l1 * l1;
  M[4] = J2 + m2 * l2 * l2 / 4 + m3 * l2 * l2;
  M[1] = M[3] = coupling * std::cos(q[0] - q[1]);
  M[8] = J3;
}

void gyroscopic(unsigned, double *q, double *u, double *f, unsigned, double *) {
  const double s = coupling * std::sin(q[0] - q[1]);
  f[0] = s * u[1] * u[1];
  f[1] = -s * u[0] * u[0];
  f[2] = 0;
}

void gyroscopic_by_q(unsigned, double *q, double *u, double *D, unsigned, double *) {
  const double c = coupling * std::cos(q[0] - q[1]);
  std::memset(D, 0, 9 * sizeof *D);
  D[0] = c * u[1] * u[1];
  D[3] = -D[0];
  D[1] = -c * u[0] * u[0];
  D[4] = -D[1];
}

void gyroscopic_by_u(unsigned, double *q, double *u, double *D, unsigned, double *) {
  const double s = coupling * std::sin(q[0] - q[1]);
  std::memset(D, 0, 9 * sizeof *D);
  D[3] = 2 * s * u[1];
  D[1] = -2 * s * u[0];
}

void weight(double, unsigned, double *q, double *, double *f, unsigned, double *) {
  f[0] = gravity * (m1 / 2 + m2 + m3) * l1 * std::cos(q[0]);
  f[1] = gravity * (m2 / 2 + m3) * l2 * std::cos(q[1]);
  f[2] = 0;
}

void weight_by_q(double, unsigned, double *q, double *, double *D, unsigned, double *) {
  std::memset(D, 0, 9 * sizeof *D);
  D[0] = -gravity * (m1 / 2 + m2 + m3) * l1 * std::sin(q[0]);
  D[4] = -gravity * (m2 / 2 + m3) * l2 * std::sin(q[1]);
}

// The corner at (side, level) of the slider: its gap, and its position along the guide, whose rate is the slip.
class Corner : public LagrangianScleronomousR {
public:
  Corner(double side, double level) : _along(side * half_length), _up(level * half_height), _level(level) {}

  void initialize(Interaction &interaction) override {
    LagrangianScleronomousR::initialize(interaction);
    if (!_jachq) _jachq = std::make_shared<SimpleMatrix>(2, 3);
  }

  void computeh(const BlockVector &q, BlockVector &, SiconosVector &y) override {
    const double s3 = std::sin(q(2)), c3 = std::cos(q(2));
    const double x = l1 * std::cos(q(0)) + l2 * std::cos(q(1)) + _along * c3 - _up * s3;
    const double height = l1 * std::sin(q(0)) + l2 * std::sin(q(1)) + _along * s3 + _up * c3;
    y(0) = half_height + play - _level * height;
    y(1) = x;
  }

  void computeJachq(const BlockVector &q, BlockVector &) override {
    const double s3 = std::sin(q(2)), c3 = std::cos(q(2));
    SimpleMatrix &H = *_jachq;
    H(0, 0) = -_level * l1 * std::cos(q(0));
    H(0, 1) = -_level * l2 * std::cos(q(1));
    H(0, 2) = -_level * (_along * c3 - _up * s3);
    H(1, 0) = -l1 * std::sin(q(0));
    H(1, 1) = -l2 * std::sin(q(1));
    H(1, 2) = -_along * s3 - _up * c3;
  }

private:
  double _along, _up, _level;
};

int solver_number(const char *name) {
  if (std::strcmp(name, "nsgs") == 0) return SICONOS_FRICTION_2D_NSGS;
  if (std::strcmp(name, "lemke") == 0) return SICONOS_FRICTION_2D_LEMKE;
  if (std::strcmp(name, "enum") == 0) return SICONOS_FRICTION_2D_ENUM;
  std::fprintf(stderr, "siconos_slider_crank: unknown solver %s; known: nsgs lemke enum\n", name);
  std::exit(2);
}

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

SP::LagrangianDS slider_crank() {
  SP::SiconosVector q(new SiconosVector(3)), u(new SiconosVector(3));
  (*u)(0) = 150;
  (*u)(1) = -75;
  SP::LagrangianDS crank(new LagrangianDS(q, u));
  crank->setComputeMassFunction(mass);
  crank->setComputeFGyrFunction(gyroscopic);
  crank->setComputeJacobianFGyrqFunction(gyroscopic_by_q);
  crank->setComputeJacobianFGyrqDotFunction(gyroscopic_by_u);
  crank->setComputeFIntFunction(weight);
  crank->setComputeJacobianFIntqFunction(weight_by_q);
  return crank;
}

} // namespace

int main(int count, char **argument) {
  if (count != 5) {
    std::fprintf(stderr, "usage: siconos_slider_crank nsgs|lemke|enum DT STEPS TOLERANCE\n");
    return 2;
  }
  const double dt = std::atof(argument[2]), tolerance = std::atof(argument[4]);
  const long steps = std::atol(argument[3]);
  SP::LagrangianDS crank = slider_crank();
  SP::NonSmoothDynamicalSystem system(new NonSmoothDynamicalSystem(0, dt * static_cast<double>(steps + 2)));
  system->insertDynamicalSystem(crank);
  for (double level : {1.0, -1.0}) {
    for (double side : {-1.0, 1.0}) {
      SP::NonSmoothLaw law(new NewtonImpactFrictionNSL(restitution, 0, friction, 2));
      SP::Relation relation(new Corner(side, level));
      system->link(SP::Interaction(new Interaction(law, relation)), crank);
    }
  }
  SP::FrictionContact problem(new FrictionContact(2, solver_number(argument[1])));
  problem->setMStorageType(NM_SPARSE_BLOCK);
  problem->numericsSolverOptions()->dparam[SICONOS_DPARAM_TOL] = tolerance;
  SP::TimeDiscretisation times(new TimeDiscretisation(0, dt));
  SP::MoreauJeanOSI scheme(new MoreauJeanOSI(0.5));
  SP::TimeStepping simulation(new TimeStepping(system, times, scheme, problem));
  simulation->setNewtonTolerance(1e-10); // Acary 2012, Table 2
  simulation->setNewtonMaxIteration(20);
  simulation->initialize();
  const double start = seconds_now();
  for (long k = 0; k < steps; k++) {
    simulation->computeOneStep();
    simulation->nextStep();
  }
  const double seconds = seconds_now() - start;
  std::printf("crank-siconos-%s %.6g %.3g\n", argument[1], static_cast<double>(steps) / seconds,
              std::fabs((*crank->q())(0) - slider_crank_theta1));
  return 0;
}
