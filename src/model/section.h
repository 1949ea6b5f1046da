/* The properties of cross-sections. */
#ifndef PICUS_MODEL_SECTION_H
#define PICUS_MODEL_SECTION_H

#include "model/beam_element.h"

/* Fills area, Iy, Iz, torsion and shear factors of the element; poisson is used for the factors of known shapes. The
 * sizes are positive and finite. */
void picus_section_properties(const picus_section *section, double poisson, beam_element *element);
/* What is wrong with a section: text and value for "the TEXT of ... is VALUE"; NULL: nothing. */
const char *picus_section_fault(const picus_section *section, bool spatial, picus_beam_theory theory, double *value);

#endif
