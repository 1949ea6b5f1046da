/* The group /picus/drawing of a result file. Layout: docs/results.md. */
#ifndef PICUS_RESULT_FILE_DRAWING_H
#define PICUS_RESULT_FILE_DRAWING_H

#include <hdf5.h>
#include <picus/bodies.h>

/* Writes the drawing of the model into the group /picus; true also if there is none. */
bool picus_hdf5_describe_drawing(picus_context *context, hid_t parent, const picus_model *model);
/* Reads it back; *out is NULL if the file has none. What it contains is checked: all numbers are in their ranges. */
picus_status picus_hdf5_read_drawing(picus_context *context, const char *path, hid_t file, picus_drawing **out);

#endif
