/* The parts of the solver "newton": the contribution of a law to a step, the linear system of a step, the search. */
#ifndef PICUS_SIMULTANEOUS_NEWTON_H
#define PICUS_SIMULTANEOUS_NEWTON_H

#include "sweep/method.h"

/* The radius of the friction ball: mu times the argument P_N - r xi_N of the normal projection (Alart, Curnier 1991),
 * or mu P_N (Jean, Moreau 1987). */
typedef enum picus_newton_form { PICUS_ALART_CURNIER, PICUS_JEAN_MOREAU } picus_newton_form;

/* A law in scaled variables, p = P / s and s xi with s = 1 / sqrt(mean diagonal of G_ii): both are roots of energies,
 * in any units. r: the steps in the arguments of its projections. */
typedef struct picus_newton_scale {
  double s, normal_r, friction_r;
} picus_newton_scale;

/* The linear equations of one law in a step dp = known + E z with new unknowns z:
 *   B xi_new + own z = target,      one row for each unknown. */
typedef struct picus_law_step {
  int unknowns, first;                      /* their number, and the index of the first in the complete system */
  bool whole;                               /* E and B are unit matrices: closed or sticking rows */
  double E[PICUS_LAW_ROWS][PICUS_LAW_ROWS]; /* rows of the law, unknowns */
  double B[PICUS_LAW_ROWS][PICUS_LAW_ROWS]; /* unknowns, rows of the law */
  double own[PICUS_LAW_ROWS], target[PICUS_LAW_ROWS];
  double known[PICUS_LAW_ROWS];
  bool follows; /* a rolling law on the boundary of its ball: dp = known + E z + follow z_N, z_N the first unknown of
                   its contact, the change of p_N */
  double follow[PICUS_LAW_ROWS];
} picus_law_step;

/* The contact of a rolling law: of its last argument max(p_N - r xi_N, 0) and its p_N, in the scale of the rolling law
 * times rho, that is as radii; and rho in this scale, d radius / d p_N. closed: p_N is an unknown of the step. */
typedef struct picus_newton_contact {
  double argument, normal, slope;
  bool closed;
} picus_newton_contact;

/* newton_step.c: all in scaled variables p and xi of one law. Rolling laws have functions of their own. */
void picus_newton_linearize(const picus_law *law, picus_newton_form form, picus_newton_scale scale, const double *p,
                            const double *xi, picus_law_step *step);
void picus_newton_linearize_rolling(int dim, double radius, const picus_newton_contact *contact,
                                    picus_newton_scale scale, const double *p, const double *xi, picus_law_step *step);
/* Square of the length of p - prox(p - r xi). */
double picus_newton_defect(const picus_law *law, picus_newton_form form, picus_newton_scale scale, const double *p,
                           const double *xi);
double picus_newton_rolling_defect(int dim, double radius, picus_newton_scale scale, const double *p, const double *xi);
/* p_N - r xi_N of a contact. */
static inline double picus_newton_normal_argument(picus_newton_scale scale, const double *p, const double *xi) {
  return p[0] - scale.normal_r * xi[0];
}

/* The system of all laws. A block-sparse G has block-sparse factors, which skip zeros and have their places in all
 * steps. Of others, up to PICUS_SPARSE_ROWS unknowns it is dense, above PICUS_SPARSE_ALWAYS_ROWS it is sparse, and
 * between them as many zeros as it has decide. Only the first and the last allocate memory. */
typedef struct picus_newton_system {
  const picus_contact_problem *problem;
  const int *first_row;
  const picus_newton_scale *scales;
  picus_law_step *steps;
  int unknowns;
  bool is_dense;
  double *dense; /* memory for PICUS_SPARSE_ALWAYS_ROWS or size unknowns, whichever is less */
  int *pivots;
  picus_sparse_system *sparse; /* kept from one solve to the next */
  picus_block_lu *blocks;      /* the same */
  double block_operations;     /* 0: the pattern has not been analysed yet */
  bool by_blocks;              /* the rows of each law are a node, those without an unknown too */
} picus_newton_system;
/* The order of the dense matrix for which memory is needed. */
static inline size_t picus_newton_dense_order(int size) {
  return (size_t)(size < PICUS_SPARSE_ALWAYS_ROWS ? size : PICUS_SPARSE_ALWAYS_ROWS);
}
/* The change of row k of a law in a step with the unknowns z of all laws. */
static inline double picus_newton_change(const picus_law_step *step, int k, const double *z) {
  double change = step->whole ? z[step->first + k] : step->known[k];
  for (int l = 0; !step->whole && l < step->unknowns; l++) change += step->E[k][l] * z[step->first + l];
  return step->follows ? change + step->follow[k] * z[step[-1].first] : change;
}
/* Factors the equations of system->steps, with regularization times the unit matrix added to scaled G. */
bool picus_newton_factor(picus_newton_system *system, double regularization);
void picus_newton_solve(const picus_newton_system *system, double *z);

#endif
