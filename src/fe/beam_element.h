/* Beams: the matrices of a straight element with two nodes of six components each (docs/theory/beams.md derives
 * them), the properties of its cross-section, and what the sum of a framework and its section forces share. */
#ifndef PICUS_MODEL_BEAM_ELEMENT_H
#define PICUS_MODEL_BEAM_ELEMENT_H

#include "model/internal.h"

#include <picus/flexible.h>

enum { BEAM_ORDER = 12, BEAM_SQUARE = BEAM_ORDER * BEAM_ORDER };

typedef struct beam_element {
  double length;
  double area, Iy, Iz, torsion; /* of the section; the polar moment is Iy + Iz */
  double shear_y, shear_z;      /* shear factors */
  double density, young, shear; /* shear: modulus */
  picus_beam_theory theory;
  bool lumped;
  double spin;
  bool rotating;
  double alpha, beta;
  double torsion_damping; /* of this element, N m s; < 0: alpha M */
  double axes[9];         /* rows: local x, y, z in global components */
} beam_element;

/* Row-major, components of the first node, then of the second one. C: damping, G: gyroscopic and Coriolis terms. */
typedef struct beam_matrices {
  double M[BEAM_SQUARE], K[BEAM_SQUARE], C[BEAM_SQUARE], G[BEAM_SQUARE];
} beam_matrices;

/* Makes an n x n matrix exactly symmetric (sign 1) or skew-symmetric (-1): sums of elements must not show round-off. */
void picus_mirror(int n, double sign, double *A);
/* Phi = 12 E I / (kappa G A l^2) of bending in the local x-y or x-z plane; 0 without shear deformation. */
double picus_beam_element_shear(const beam_element *element, bool is_xy);
/* In global components. */
void picus_beam_element_matrices(const beam_element *element, beam_matrices *out);

/* --- cross-sections ----------------------------------------------------------------------------------------------- */

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

/* --- frameworks --------------------------------------------------------------------------------------------------- */

double picus_framework_length(const picus_framework_def *def, const picus_member *member);
/* The element of which a member consists, with its local axes. */
picus_status picus_framework_element(picus_model *model, const picus_framework_def *def, int index, beam_element *out);
/* Copies what section forces need. The arrays of `out` belong to the caller, also after an error. */
picus_status picus_framework_keep_shape(picus_model *model, const picus_framework_def *def, picus_framework_shape *out);

#endif
