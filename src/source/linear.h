/* The part of a flexible component. */
#ifndef PICUS_SYSTEM_LINEAR_H
#define PICUS_SYSTEM_LINEAR_H

#include "model/internal.h"
#include "system/internal.h"

/* Fails if the mass matrix is not positive definite, with the place of the structure. */
picus_status picus_linear_create(picus_context *context, const picus_model_structure *structure, system_source *out);
/* Its part. */
void picus_linear_describe(const system_source *source, system_part *out);

#endif
