/* Scaling that makes a problem dimensionless, and the laws that the solvers for planar friction reject. */
#include "simultaneous/scaling.h"

#include <float.h>

void picus_scale_factors(const picus_contact_problem *problem, double *d) {
  for (int i = 0, row = 0; i < problem->law_count; row += problem->laws[i++].dim) {
    size_t stride;
    double own[PICUS_OWN_BLOCK] = {0};
    const double *block = picus_operator_of(problem)->own_block(problem, i, row, own, &stride);
    for (int k = 0; k < problem->laws[i].dim; k++) {
      double diagonal = fabs(block[(size_t)k * (stride + 1)]);
      d[row + k] = 1 / sqrt(diagonal > 4 * DBL_MIN ? diagonal : picus_mean_stiffness(problem));
    }
  }
}

void picus_scale_balls_alike(const picus_contact_problem *problem, double *d) {
  for (int i = 0, row = 0; i < problem->law_count; row += problem->laws[i++].dim) {
    const picus_law *law = &problem->laws[i];
    int normal_rows = picus_normal_rows(law->kind), first = row + normal_rows, count = law->dim - normal_rows;
    if (count < 2) continue;
    double sum = 0;
    for (int k = first; k < first + count; k++) sum += 1 / (d[k] * d[k]);
    for (int k = first; k < first + count; k++) d[k] = 1 / sqrt(sum / count);
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
