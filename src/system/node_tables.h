/* The nodes of flexible components as tables of results. */
#ifndef PICUS_SYSTEM_NODE_TABLES_H
#define PICUS_SYSTEM_NODE_TABLES_H

#include "system/internal.h"

/* One of them; its texts and arrays belong to it. */
struct system_node_table {
  picus_node_table shown;
  size_t q0, u0; /* the first displacement and velocity of the component */
  int *index;    /* node_count x component_count: of the displacement; -1: supported */
};

void picus_system_release_node_tables(picus_system *system);
/* The texts and arrays of a table that owns them. */
void picus_node_table_release(picus_context *context, const picus_node_table *table);
/* The values of a table in a state: node_count x component_count each. */
void picus_system_fill_nodes(const picus_system *system, int table, const picus_state *state, double *displacements,
                             double *velocities);

#endif
