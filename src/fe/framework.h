/* What the sum of a framework and its section forces share. */
#ifndef PICUS_MODEL_FRAMEWORK_H
#define PICUS_MODEL_FRAMEWORK_H

#include "fe/beam_element.h"
#include "model/internal.h"

double picus_framework_length(const picus_framework_def *def, const picus_member *member);
/* The element of which a member consists, with its local axes. */
picus_status picus_framework_element(picus_model *model, const picus_framework_def *def, int index, beam_element *out);
/* Copies what section forces need. The arrays of `out` belong to the caller, also after an error. */
picus_status picus_framework_keep_shape(picus_model *model, const picus_framework_def *def, picus_framework_shape *out);

#endif
