/* picus --version: the version, and from what and how it was built (cmake/PicusBuild.cmake). */
#include "cli/cli.h"

#ifndef PICUS_BUILT_FROM
#define PICUS_BUILT_FROM "unknown build"
#endif

void cli_print_version(void) { cli_print("picus %s (%s)\n", PICUS_VERSION, PICUS_BUILT_FROM); }
