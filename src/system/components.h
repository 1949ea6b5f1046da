/* Velocities that hang together rigidly: through an entry of a matrix such as M, or through a law. An impulse on one of
 * them changes no velocity of another component. */
#ifndef PICUS_SYSTEM_COMPONENTS_H
#define PICUS_SYSTEM_COMPONENTS_H

#include "system/law_rows.h"

typedef struct velocity_components {
  const picus_system *system;
  int *parent;  /* nu: a tree for each component, whose root is its smallest velocity */
  bool *marked; /* nu, of the roots */
} velocity_components;

/* Every velocity is a component of its own, none is marked. */
void picus_components_clear(velocity_components *components);
/* Joins the velocities between which the matrix has an entry that is not zero. */
void picus_components_join_matrix(velocity_components *components, const system_matrix *matrix);
/* Joins the velocities that a law acts on: entries of its rows in W that are not zero. */
void picus_components_join_law(velocity_components *components, const system_law *law, const double *W);
/* Marks the component of a law that was joined, with the same W; and whether it is marked. A law that acts on nothing
 * belongs to no component. */
void picus_components_mark(velocity_components *components, const system_law *law, const double *W);
bool picus_components_is_marked(velocity_components *components, const system_law *law, const double *W);

#endif
