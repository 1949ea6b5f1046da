/* The table of schemes. A scheme uses the system interface and the phases of a step (src/stepper), never a body, a file
 * or the clock. */
#ifndef PICUS_SCHEME_INTERNAL_H
#define PICUS_SCHEME_INTERNAL_H

#include "stepper/internal.h"

#include <picus/options.h>
#include <picus/sim.h>

extern const scheme_ops picus_moreau_scheme, picus_moreau_jean_scheme, picus_moreau_projected_scheme,
    picus_moreau_combined_scheme, picus_schatzman_paoli_scheme, picus_trapezoidal_position_scheme, picus_rattle_scheme,
    picus_moreau_explicit_scheme, picus_half_explicit_scheme, picus_half_explicit_acc_scheme;
extern const scheme_ops picus_half_explicit_rk_schemes[]; /* by the order of the tableau, from 1 */
const scheme_ops *picus_scheme_find(const char *name);    /* NULL: unknown */
/* The same with the order that the options give it; the scheme is known. */
const scheme_ops *picus_scheme_of(const picus_sim_options *options);

/* Tableaux of half-explicit Runge-Kutta methods. */

enum { PICUS_TABLEAU_ORDER_MOST = 4 };

/* The first condition of order that a tableau violates. */
typedef struct picus_tableau_violation {
  int order;
  const char *condition;
  double value; /* of its left side */
} picus_tableau_violation;

/* The order of a tableau of valid form; *violation, which may be NULL: the condition that limits it. */
int picus_tableau_order(const picus_tableau *tableau, picus_tableau_violation *violation);
/* The one of the options, or BH3. */
const picus_tableau *picus_tableau_of(const picus_half_explicit_options *options);
/* c of the point that a row leads to. */
double picus_tableau_node(const picus_tableau *tableau, int row);
/* The form of a tableau, and the order that it claims. */
picus_status picus_tableau_check(picus_context *context, const picus_tableau *tableau);

#endif
