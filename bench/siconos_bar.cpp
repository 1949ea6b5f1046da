// The elastic bar that hits a wall (Acary 2012, section 6.2; data as models/elastic-bar.lua) in Siconos: the same
// equations, scheme, step size and tolerance as Picus, without output files. Prints one line: name, steps per second,
// error of the free end at the end, which must be t = 3.6e-4 s.
//
//   siconos_bar dense|sparse ELEMENTS DT STEPS
#include "implicit_reference.h"

#include <SiconosKernel.hpp>
#include <SolverOptions.h>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// A tridiagonal matrix by its elements [same other; other same].
SP::SimpleMatrix assemble(unsigned elements, double same, double other, bool sparse) {
  const unsigned n = elements + 1;
  SP::SimpleMatrix m(sparse ? new SimpleMatrix(n, n, Siconos::SPARSE, n) : new SimpleMatrix(n, n));
  for (unsigned i = 0; i < n; i++) {
    m->setValue(i, i, (i == 0 || i == elements ? 1 : 2) * same);
    if (i > 0) m->setValue(i, i - 1, other);
    if (i < elements) m->setValue(i, i + 1, other);
  }
  return m;
}

} // namespace

int main(int count, char **argument) {
  if (count != 5) {
    std::fprintf(stderr, "usage: siconos_bar dense|sparse ELEMENTS DT STEPS\n");
    return 2;
  }
  const bool sparse = std::strcmp(argument[1], "sparse") == 0;
  const unsigned elements = static_cast<unsigned>(std::atoi(argument[2])), nodes = elements + 1;
  const double dt = std::atof(argument[3]);
  const long steps = std::atol(argument[4]);
  const double length = 1, area = 3.14159e-4, density = 7800, young = 2.1e11, element = length / elements;
  SP::SiconosVector q(new SiconosVector(nodes, 0.)), u(new SiconosVector(nodes, -0.1));
  SP::LagrangianLinearTIDS bar(new LagrangianLinearTIDS(
      q, u, assemble(elements, density * area * element / 3, density * area * element / 6, sparse)));
  bar->setKPtr(assemble(elements, young * area / element, -young * area / element, sparse));
  SP::SimpleMatrix H(new SimpleMatrix(1, nodes));
  (*H)(0, 0) = 1;
  SP::NonSmoothLaw law(new NewtonImpactNSL(0));
  SP::Relation relation(new LagrangianLinearTIR(H));
  SP::NonSmoothDynamicalSystem system(new NonSmoothDynamicalSystem(0, dt * static_cast<double>(steps + 2)));
  system->insertDynamicalSystem(bar);
  system->link(SP::Interaction(new Interaction(law, relation)), bar);
  SP::LCP problem(new LCP());
  SP::TimeDiscretisation times(new TimeDiscretisation(0, dt));
  SP::MoreauJeanOSI scheme(new MoreauJeanOSI(0.5));
  SP::TimeStepping simulation(new TimeStepping(system, times, scheme, problem));
  simulation->setNewtonOptions(SICONOS_TS_LINEAR); // the system is linear: one Newton iteration
  simulation->initialize();
  simulation->computeOneStep(); // the first step factors the matrices
  simulation->nextStep();
  const double start = seconds_now();
  for (long k = 1; k < steps; k++) {
    simulation->computeOneStep();
    simulation->nextStep();
  }
  const double seconds = seconds_now() - start;
  std::printf("bar-siconos-%s %.6g %.3g\n", argument[1], static_cast<double>(steps - 1) / seconds,
              std::fabs((*bar->q())(elements)-elastic_bar_free_end));
  return 0;
}
