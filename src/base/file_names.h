/* The file that a path names, regardless of aliases: symbolic links, hard links, "./" and so on. Nothing is opened. */
#ifndef PICUS_BASE_FILE_NAMES_H
#define PICUS_BASE_FILE_NAMES_H

#include "platform/files.h"

#include <stdbool.h>

/* The name after resolving symbolic links, also if the target does not exist yet. 0, or the system's error number. */
int picus_follow_links(const char *path, char target[PICUS_PATH_SIZE]);
/* The name of an incomplete file: TARGET.part. 0, or the system's error number. */
int picus_part_name(const char *path, char part[PICUS_PATH_SIZE]);
/* The folder of a path. */
void picus_folder_name(const char *path, char folder[PICUS_PATH_SIZE]);
/* The last name of a path: what follows its last slash. */
const char *picus_last_name(const char *path);

/* Names that Picus derives from the name of an output: NAME.part (an incomplete file), NAME.checkpoint,
 * NAME.checkpoint.before, NAME.attempt (of a reference), and all of these with numbers, such as NAME.part.1. Does the
 * rest behind NAME belong to such a name? */
bool picus_is_derived_ending(const char *rest);
/* Does a name end like one of them, whatever stands before? No output may: it could belong to another run. */
bool picus_has_derived_ending(const char *path);

/* Do two paths name the same regular file, now or once it exists? Existing files are compared by device and inode.
 * Devices and pipes are never the same: writes to them are independent. */
bool picus_same_file(const char *a, const char *b);
/* Would writing to an output change a file, be it the output itself or its part? */
bool picus_output_touches(const char *output, const char *file);

#endif
