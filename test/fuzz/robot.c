/* Fuzz target: any bytes as a robot; the first byte chooses whether the root of a URDF floats. What is read becomes the
 * text of a model; what is refused is refused with a message. Small texts are also run as model files. */
#include "fuzz.h"

#include "base/internal.h"
#include "text_format/robot.h"

#include <string.h>

static void load(picus_context *context, const char *text) {
  const picus_load_options options = {
      .memory_limit = (size_t)64 << 20, .instruction_limit = 1000000, .has_files = true};
  picus_model *model = NULL;
  (void)fuzz_accepted(context, picus_model_load_text(context, "robot.lua", text, strlen(text), &options, &model));
  picus_model_destroy(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  if (!size) return 0;
  picus_context *context = NULL;
  if (picus_context_create(NULL, &context)) return 0;
  const robot_source source = {.name = "robot.xml", .bytes = bytes + 1, .size = size - 1, .is_floating = bytes[0] & 1};
  char *text = NULL, *notes = NULL;
  if (fuzz_accepted(context, picus_robot_import(context, &source, &text, &notes))) {
    fuzz_demand(text != NULL && notes != NULL);
    if (strlen(text) < 20000) load(context, text);
  }
  picus_release(context, text);
  picus_release(context, notes);
  picus_clear_error(context);
  fuzz_end(context);
  return 0;
}
