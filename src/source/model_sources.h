/* The sources of a system that is made from a model: flexible components, the tables of their nodes, and contacts
 * between shapes. */
#ifndef PICUS_SOURCE_MODEL_SOURCES_H
#define PICUS_SOURCE_MODEL_SOURCES_H

#include "model/internal.h"
#include "system/internal.h"

/* The part of a flexible component. Fails if the mass matrix is not positive definite, with the place of the structure.
 */
picus_status picus_linear_create(picus_context *context, const picus_model_structure *structure, system_source *out);
/* Its part. */
void picus_linear_describe(const system_source *source, system_part *out);

/* Tables of the nodes of all flexible components of a model that have one. */
picus_status picus_system_make_node_tables(const picus_model *model, picus_system *system);

/* The source of contacts between the shapes of bodies and frames. It has no coordinates: its laws act between the parts
 * of others, and come and go. */
extern const source_ops picus_shapes_ops;
static inline bool picus_model_has_shapes(const picus_model *model) { return model->collisions.collider_count > 0; }
/* Copies the shapes; the model may be gone later. The parts of the system must have their places. */
picus_status picus_shapes_create(picus_model *model, picus_system *system, system_source *out);
/* Fails with the pair and the depth if shapes overlap in the initial state. */
picus_status picus_shapes_check_start(const picus_model *model, picus_system *system);

#endif
