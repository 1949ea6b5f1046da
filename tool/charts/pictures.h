/* Pictures of results in files. */
#ifndef PICUS_CLI_PICTURES_H
#define PICUS_CLI_PICTURES_H

#include "cli/cli.h"

#include "plot/sketch.h"
#include "view/picture.h"

/* The strokes of a picture into a PNG. */
void cli_sketch_picture(picus_sketch *sketch, const picus_picture *picture);
/* As .png or .svg. */
picus_status cli_save_picture(picus_context *context, const picus_picture *picture, const picus_camera *camera,
                              const char *path);
/* picus plot --at: the drawing of a result at a time, with its contacts, or what --show names. The exit code. */
int cli_plot_scene(const cli_arguments *a, picus_context *context, const char *path);

#endif
