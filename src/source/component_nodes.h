/* Tables of the nodes of flexible components. */
#ifndef PICUS_SOURCE_COMPONENT_NODES_H
#define PICUS_SOURCE_COMPONENT_NODES_H

#include "model/internal.h"
#include "system/internal.h"

/* Those of all components of a model that have one. */
picus_status picus_system_make_node_tables(const picus_model *model, picus_system *system);

#endif
