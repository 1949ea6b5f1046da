// The woodpecker toy (Glocker & Studer 2005, equations 14 to 16, Table I) in Siconos: the same problem, step size and
// tolerance as Picus, without output files. Prints one line: solver, steps per second, error of phiS at the last and
// largest error at any of those times of the reference that the run reaches.
//
//   siconos_woodpecker SOLVER STORAGE DT STEPS TOLERANCE
#include "woodpecker_reference.h"

#include <SiconosKernel.hpp>
#include <SolverOptions.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

const double r_O = 0.0025, r_M = 0.0031, h_M = 0.0058, l_M = 0.010, l_G = 0.015, h_S = 0.02, l_S = 0.0201;
const double m_M = 0.0003, m_S = 0.0045, J_M = 5.0e-9, J_S = 7.0e-7, c_phi = 0.0056, gravity = 9.81;
const double friction = 0.3;

SP::SiconosVector vector3(double a, double b, double c) {
  SP::SiconosVector v(new SiconosVector(3));
  (*v)(0) = a;
  (*v)(1) = b;
  (*v)(2) = c;
  return v;
}

SP::SimpleMatrix matrix(unsigned rows, const double *entries) {
  SP::SimpleMatrix m(new SimpleMatrix(rows, 3));
  for (unsigned i = 0; i < rows; i++) {
    for (unsigned j = 0; j < 3; j++) (*m)(i, j) = entries[3 * i + j];
  }
  return m;
}

SP::LagrangianDS woodpecker() {
  const double M[9] = {m_S + m_M,
                       m_S * l_M,
                       m_S * l_G,
                       m_S * l_M,
                       J_M + m_S * l_M * l_M,
                       m_S * l_M * l_G,
                       m_S * l_G,
                       m_S * l_M * l_G,
                       J_S + m_S * l_G * l_G};
  const double K[9] = {0, 0, 0, 0, c_phi, -c_phi, 0, -c_phi, c_phi};
  SP::LagrangianLinearTIDS toy(
      new LagrangianLinearTIDS(vector3(0, -0.1036, -0.2788), vector3(-0.3411, 0, -7.4583), matrix(3, M)));
  toy->setKPtr(matrix(3, K));
  toy->setFExtPtr(vector3(-(m_S + m_M) * gravity, -m_S * l_M * gravity, -m_S * l_G * gravity));
  return toy;
}

void add_contact(NonSmoothDynamicalSystem &system, SP::LagrangianDS toy, double restitution, double gap_at_zero,
                 const double (&directions)[6]) {
  SP::SiconosVector offset(new SiconosVector(2));
  (*offset)(0) = gap_at_zero;
  SP::NonSmoothLaw law(new NewtonImpactFrictionNSL(restitution, 0, friction, 2));
  SP::Relation relation(new LagrangianLinearTIR(matrix(2, directions), offset));
  system.link(SP::Interaction(new Interaction(law, relation)), toy);
}

SP::NonSmoothDynamicalSystem system_with_contacts(SP::LagrangianDS toy, double t_end) {
  SP::NonSmoothDynamicalSystem system(new NonSmoothDynamicalSystem(0, t_end));
  system->insertDynamicalSystem(toy);
  add_contact(*system, toy, 0.5, l_M + l_G - l_S - r_O, {0, 0, -h_S, 1, l_M, l_G - l_S});
  add_contact(*system, toy, 0, r_M - r_O, {0, h_M, 0, 1, r_M, 0});
  add_contact(*system, toy, 0, r_M - r_O, {0, -h_M, 0, 1, r_M, 0});
  return system;
}

int solver_number(const char *name) {
  if (std::strcmp(name, "nsgs") == 0) return SICONOS_FRICTION_2D_NSGS;
  if (std::strcmp(name, "cpg") == 0) return SICONOS_FRICTION_2D_CPG;
  if (std::strcmp(name, "lemke") == 0) return SICONOS_FRICTION_2D_LEMKE;
  if (std::strcmp(name, "enum") == 0) return SICONOS_FRICTION_2D_ENUM;
  std::fprintf(stderr, "siconos_woodpecker: unknown solver %s; known: nsgs cpg lemke enum\n", name);
  std::exit(2);
}

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

} // namespace

int main(int count, char **argument) {
  if (count != 6) {
    std::fprintf(stderr, "usage: siconos_woodpecker nsgs|cpg|lemke|enum dense|blocks DT STEPS TOLERANCE\n");
    return 2;
  }
  const double dt = std::atof(argument[3]), tolerance = std::atof(argument[5]);
  const long steps = std::atol(argument[4]);
  SP::LagrangianDS toy = woodpecker();
  SP::NonSmoothDynamicalSystem system = system_with_contacts(toy, dt * static_cast<double>(steps + 2));

  SP::FrictionContact problem(new FrictionContact(2, solver_number(argument[1])));
  problem->setMStorageType(std::strcmp(argument[2], "dense") == 0 ? NM_DENSE : NM_SPARSE_BLOCK);
  problem->numericsSolverOptions()->dparam[SICONOS_DPARAM_TOL] = tolerance;
  SP::TimeDiscretisation times(new TimeDiscretisation(0, dt));
  SP::MoreauJeanOSI scheme(new MoreauJeanOSI(0.5));
  SP::TimeStepping simulation(new TimeStepping(system, times, scheme, problem));
  simulation->setNewtonOptions(SICONOS_TS_LINEAR); // the system is linear: one Newton iteration
  simulation->initialize();

  const SiconosVector &q = *toy->q();
  double error = 0, largest_error = 0, seconds = 0;
  long done = 0;
  for (int k = 0; k < woodpecker_reference_count; k++) {
    const long reference_step = std::lround(woodpecker_reference[k][0] / dt), target = std::min(steps, reference_step);
    const double start = seconds_now();
    for (; done < target; done++) {
      simulation->computeOneStep();
      simulation->nextStep();
    }
    seconds += seconds_now() - start;
    if (done == reference_step) error = std::fabs(q(2) - woodpecker_reference[k][3]);
    largest_error = std::fmax(largest_error, error);
  }
  std::printf("siconos-%s-%s %.6g %.3g %.3g\n", argument[1], argument[2], static_cast<double>(done) / seconds, error,
              largest_error);
  return 0;
}
