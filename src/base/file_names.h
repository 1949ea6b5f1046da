/* Which file a path names, whatever its alias: symbolic links, hard links, "./" and the like. Nothing is opened. */
#ifndef PICUS_BASE_FILE_NAMES_H
#define PICUS_BASE_FILE_NAMES_H

#include <stdbool.h>

enum { PICUS_PATH_SIZE = 4096 }; /* bytes of the longest path that the system takes, with its end */

/* The name behind symbolic links, also behind one that leads to nothing yet. 0, or the system's error number. */
int picus_follow_links(const char *path, char target[PICUS_PATH_SIZE]);
/* Where a file grows until it is complete: TARGET.part. 0, or the system's error number. */
int picus_part_name(const char *path, char part[PICUS_PATH_SIZE]);
/* The folder that a path lies in. */
void picus_folder_name(const char *path, char folder[PICUS_PATH_SIZE]);

/* Do two paths name one regular file, or will they once it is there? Existing files are compared by device and inode.
 * Devices and pipes are never the same: each write to them stands for itself. */
bool picus_same_file(const char *a, const char *b);
/* Would writing to an output change a file, be it the output itself or its part? */
bool picus_output_touches(const char *output, const char *file);

#endif
