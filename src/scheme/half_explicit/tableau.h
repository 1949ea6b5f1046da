/* Tableaux of half-explicit Runge-Kutta methods. */
#ifndef PICUS_SCHEME_TABLEAU_H
#define PICUS_SCHEME_TABLEAU_H

#include <picus/options.h>
#include <picus/sim.h>

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
