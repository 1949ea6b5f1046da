/* A file that is complete or not there. It grows in NAME.part, beside NAME and behind symbolic links, and gets its name
 * when it is published: until then an older file of that name stays as it is.
 *
 * NAME.part is locked as long as it is written. The system frees the lock when the process ends, however that happens,
 * so that a part without a lock belongs to a process that was killed. It is not overwritten: whoever writes NAME next
 * first moves it to NAME.part.1, NAME.part.2, ..., whichever is free, and says so in the log.
 *
 * What is not a regular file (a pipe, a device, /dev/stdout) is written to directly: part is NULL. */
#ifndef PICUS_BASE_OUTPUT_FILE_H
#define PICUS_BASE_OUTPUT_FILE_H

#include "base/file_names.h"

#include <picus/base.h>

typedef struct picus_output_file {
  picus_context *context;
  char *path;     /* as it was given */
  char *target;   /* behind symbolic links */
  char *part;     /* NULL: written directly */
  int descriptor; /* for reading and writing, of a pipe or device for writing only; -1: not open */
} picus_output_file;

bool picus_output_is_direct(const char *path); /* it has no part */
/* Can it be written? Looks, and neither makes nor changes anything. */
picus_status picus_output_check(picus_context *context, const char *path);
/* Opens it, empty. On failure the file holds nothing. */
picus_status picus_output_open(picus_context *context, const char *path, picus_output_file *file);
/* Is there room for so many rows of so many bytes each, as far as that can be known before? */
picus_status picus_output_check_room(const picus_output_file *file, double rows, double row_bytes);
/* Writes all of the bytes behind what is there. */
picus_status picus_output_write(picus_output_file *file, const void *bytes, size_t size);
/* Makes the file at another path, which must be in the same folder, the content so far; that name is gone then. */
picus_status picus_output_take(picus_output_file *file, const char *other);
/* Gives the file its name, as soon as its content is on the disk, and closes it. If that fails the part stays, and the
 * sentence says so. */
picus_status picus_output_publish(picus_output_file *file);
/* The same for a file that is written in one go: open, write, publish; what fails on the way leaves no part. */
picus_status picus_output_save(picus_context *context, const char *path, const void *bytes, size_t size);
/* Closes and removes the part: an older file of that name stays. */
void picus_output_discard(picus_output_file *file);
/* Closes what is open and leaves the part; then the file holds nothing. Zeroed files are fine. */
void picus_output_release(picus_output_file *file);

/* For readers: the path itself, or its part where there is no such file but a part. */
void picus_find_written(const char *path, char found[PICUS_PATH_SIZE]);
/* Says in the log that a file that is not complete is being written, or that its run was killed. */
void picus_tell_incomplete(picus_context *context, const char *path, long rows);
/* Says in the log that there is a part beside a file that is complete. */
void picus_tell_newer(picus_context *context, const char *path);
bool picus_is_part(const char *path);          /* by its name */
bool picus_is_being_written(const char *path); /* it is locked by a process that writes it */

#endif
