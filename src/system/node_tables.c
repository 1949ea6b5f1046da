/* The nodes of flexible components in a state. */
#include "system/node_tables.h"
#include "base/internal.h"

void picus_node_table_release(picus_context *context, const picus_node_table *t) {
  for (int k = 0; k < PICUS_NODE_COMPONENTS; k++) {
    picus_release(context, (void *)t->displacements[k]);
    picus_release(context, (void *)t->velocities[k]);
    picus_release(context, (void *)t->displacement_units[k]);
    picus_release(context, (void *)t->velocity_units[k]);
  }
  picus_release(context, (void *)t->name);
  picus_release(context, (void *)t->positions);
  picus_release(context, (void *)t->elements);
}

void picus_system_release_node_tables(picus_system *system) {
  picus_context *context = system->context;
  for (int i = 0; i < system->node_table_count; i++) {
    picus_node_table_release(context, &system->node_tables[i].shown);
    picus_release(context, system->node_tables[i].index);
  }
  picus_release(context, system->node_tables);
}

int picus_system_node_table_count(const picus_system *system) { return system->node_table_count; }

picus_node_table picus_system_node_table(const picus_system *system, int index) {
  if (index < 0 || index >= system->node_table_count) return (picus_node_table){.name = ""};
  return system->node_tables[index].shown;
}

void picus_system_fill_nodes(const picus_system *system, int table, const picus_state *state, double *displacements,
                             double *velocities) {
  const system_node_table *t = &system->node_tables[table];
  const size_t count = (size_t)t->shown.node_count * (size_t)t->shown.component_count;
  const double *q = state->q + t->q0, *u = state->u + t->u0;
  for (size_t i = 0; i < count; i++) {
    const int at = t->index[i];
    displacements[i] = at < 0 ? 0 : q[at];
    velocities[i] = at < 0 ? 0 : u[at];
  }
}
