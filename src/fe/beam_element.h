/* The matrices of a straight beam element with two nodes of six components each. docs/theory/beams.md derives them. */
#ifndef PICUS_MODEL_BEAM_ELEMENT_H
#define PICUS_MODEL_BEAM_ELEMENT_H

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

#endif
