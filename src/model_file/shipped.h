/* The table of model files compiled into the library; see cmake/EmbedTexts.cmake. */
#ifndef PICUS_MODEL_FILE_SHIPPED_H
#define PICUS_MODEL_FILE_SHIPPED_H

#include <stddef.h>

typedef struct picus_shipped_model {
  const char *name;
  const char *text; /* terminated */
  size_t length;
} picus_shipped_model;

extern const picus_shipped_model picus_shipped_models[]; /* sorted by name, ended by NULL */
extern const int picus_shipped_models_count;

#endif
