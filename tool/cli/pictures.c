/* Pictures of results as files. */
#include "pictures.h"

#include "base/internal.h"
#include "base/output_file.h"

#include <string.h>

void cli_sketch_picture(picus_sketch *sketch, const picus_picture *picture) {
  for (size_t i = 0; i < picture->stroke_count; i++) {
    const picus_stroke *s = &picture->strokes[i];
    const picus_mark mark = {(picus_mark_kind)s->kind,
                             s->count,
                             (const double(*)[2])picture->points + s->first,
                             s->radius,
                             s->width,
                             s->line,
                             s->fill,
                             s->text};
    picus_sketch_add(sketch, &mark);
  }
}

picus_status cli_save_picture(picus_context *context, const picus_picture *picture, const picus_camera *camera,
                              const char *path) {
  const size_t length = strlen(path);
  picus_sketch *sketch = NULL;
  picus_json svg;
  picus_status status;
  if (length > 4 && strcmp(path + length - 4, ".svg") == 0) {
    status = picus_json_begin(context, &svg);
    if (!status) status = picus_picture_svg(picture, camera, &svg);
    if (!status) status = picus_output_save(context, path, svg.bytes, svg.size);
    picus_json_release(&svg);
    return status;
  }
  if (length < 5 || strcmp(path + length - 4, ".png") != 0)
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "a scene is drawn as .png or .svg, not '%s'", path);
  status = picus_sketch_create(context, camera->width, camera->height, &sketch);
  if (!status) cli_sketch_picture(sketch, picture);
  if (!status) status = picus_sketch_save(sketch, path);
  picus_sketch_destroy(sketch);
  return status;
}
