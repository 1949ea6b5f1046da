/* The models that ship with Picus. */
#include "model_file/shipped.h"

#include <picus/model.h>
#include <string.h>

int picus_shipped_model_count(void) { return picus_shipped_models_count; }

const char *picus_shipped_model_name(int index) {
  return index >= 0 && index < picus_shipped_models_count ? picus_shipped_models[index].name : NULL;
}

const char *picus_shipped_model_text(const char *name, size_t *length) {
  for (int i = 0; i < picus_shipped_models_count; i++) {
    if (strcmp(picus_shipped_models[i].name, name) != 0) continue;
    if (length) *length = picus_shipped_models[i].length;
    return picus_shipped_models[i].text;
  }
  return NULL;
}
