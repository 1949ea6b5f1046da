/* Loads one model again and again, each time with other values of some parameters. Up to the line that first reads one
 * of them the file does the same in all loads, so each load begins there, with a copy of the memory as it was. The
 * models are those that picus_model_load_text makes. */
#ifndef PICUS_MODEL_FILE_LOADER_H
#define PICUS_MODEL_FILE_LOADER_H

#include <picus/model.h>

typedef struct picus_loader picus_loader;

/* context: can be rewound, and holds nothing else. of: its text is loaded; it stays. */
picus_status picus_loader_create(picus_context *context, const picus_model *of, int count, const char *const *names,
                                 picus_loader **out);
/* Rewinds the context: models of earlier loads are gone, with all that was made of them, and are not destroyed. */
picus_status picus_loader_load(picus_loader *loader, const double *values, picus_model **model);

#endif
