/* What a law does, read from the arguments of its projections (Studer 2008, section 4): an argument inside the set
 * means that the law enforces its kinematic equation, one on the boundary or outside that it impresses its force. */
#include "contact/internal.h"

static picus_mode friction_mode(int dim, double radius, const double *argument) {
  return picus_length(dim, argument) < radius ? PICUS_STICK : PICUS_SLIP;
}

picus_mode picus_law_mode(const picus_law *law, const double *P, const double *argument) {
  switch (law->kind) {
  case PICUS_BILATERAL:
    return PICUS_STICK;
  case PICUS_UNILATERAL:
    return argument[0] > 0 ? PICUS_STICK : PICUS_OPEN;
  case PICUS_COULOMB:
    if (!(argument[0] > 0)) return PICUS_OPEN;
    return friction_mode(law->dim - 1, law->radius * picus_prox_positive(P[0]), argument + 1);
  case PICUS_RESERVOIR:
    return friction_mode(law->dim, law->radius, argument);
  }
  return PICUS_OPEN;
}
