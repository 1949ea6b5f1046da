/* The properties of cross-sections. */
#ifndef PICUS_MODEL_SECTION_H
#define PICUS_MODEL_SECTION_H

#include "fe/beam_element.h"

/* Fills area, Iy, Iz, torsion and shear factors of the element; poisson is used for the factors of known shapes. The
 * sizes are positive and finite. */
void picus_section_properties(const picus_section *section, double poisson, beam_element *element);
/* Largest stresses for unit section forces. A section without corners adds bending and shear of both planes as vectors.
 */
typedef struct section_stress {
  bool round;
  double tension;              /* 1 / A */
  double bending_y, bending_z; /* of My and Mz: outermost fibre / I */
  double shear_y, shear_z;     /* of Qy and Qz */
  double torsion;
} section_stress;
void picus_section_stress(const picus_section *section, double poisson, section_stress *out);
/* The size that stresses of a given section need and that it does not have: its key, NULL: nothing. */
const char *picus_section_stress_fault(const picus_section *section, bool spatial);
/* What is wrong with a section: text and value for "the TEXT of ... is VALUE"; NULL: nothing. */
const char *picus_section_fault(const picus_section *section, bool spatial, picus_beam_theory theory, double *value);

#endif
