/* The source of contacts between the shapes of bodies and frames. It has no coordinates: its laws act between the parts
 * of others, and come and go. */
#ifndef PICUS_SYSTEM_SHAPES_H
#define PICUS_SYSTEM_SHAPES_H

#include "model/internal.h"
#include "system/internal.h"

extern const source_ops picus_shapes_ops;
static inline bool picus_model_has_shapes(const picus_model *model) { return model->collisions.collider_count > 0; }
/* Copies the shapes; the model may be gone later. The parts of the system must have their places. */
picus_status picus_shapes_create(picus_model *model, picus_system *system, system_source *out);
/* Fails with the pair and the depth if shapes overlap in the initial state. */
picus_status picus_shapes_check_start(const picus_model *model, picus_system *system);

#endif
