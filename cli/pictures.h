/* Pictures of results in files. */
#ifndef PICUS_CLI_PICTURES_H
#define PICUS_CLI_PICTURES_H

#include "cli.h"

#include "plot/sketch.h"
#include "view/picture.h"

/* The strokes of a picture into a PNG. */
void cli_sketch_picture(picus_sketch *sketch, const picus_picture *picture);
/* picus plot --at: the drawing of a result at a time, with its contacts. The exit code. */
int cli_plot_scene(const cli_arguments *a, picus_context *context, const char *path);

#endif
