/* No shipped models: the page brings the text of its own. */
#include "model_file/shipped.h"

const picus_shipped_model picus_shipped_models[] = {{0}};
const int picus_shipped_models_count = 0;
