/* Scaling that takes the units out of a problem, and what the solvers for planar friction refuse. */
#include "solver/internal.h"

#include <float.h>

void picus_scale_factors(const picus_contact_problem *problem, double *d) {
  int size = problem->size;
  for (int i = 0; i < size; i++) {
    double diagonal = fabs(problem->G[(size_t)i * (size_t)(size + 1)]);
    if (!(diagonal > DBL_MIN)) diagonal = picus_law_stiffness(problem, i, 1);
    d[i] = 1 / sqrt(diagonal);
  }
}

const char *picus_refuse_spatial_friction(const picus_contact_problem *problem, int *law) {
  for (int i = 0; i < problem->law_count; i++) {
    picus_law_kind kind = problem->laws[i].kind;
    int friction_rows = kind == PICUS_COULOMB ? problem->laws[i].dim - 1 : problem->laws[i].dim;
    if (friction_rows < 2) continue;
    *law = i;
    return "friction in more than one direction";
  }
  return NULL;
}
