/* A file that is either complete or absent. It is written as NAME.part, next to the target of NAME, and renamed when it
 * is published: until then an older file of that name stays unchanged.
 *
 * NAME.part is locked as long as it is written. The system frees the lock when the process ends, however that happens,
 * so that a part without a lock belongs to a process that was killed. It is not overwritten: the next writer of NAME
 * first renames it to NAME.part.1, NAME.part.2, ..., whichever is free, with a note in the log.
 *
 * A pipe, a device, /dev/stdout and so on are written directly: part is NULL. */
#ifndef PICUS_BASE_OUTPUT_FILE_H
#define PICUS_BASE_OUTPUT_FILE_H

#include "base/file_names.h"

#include <picus/base.h>

enum { PICUS_PARTS_MOST = 10000 }; /* NAME.part.N: N is below */

typedef struct picus_output_file {
  picus_context *context;
  char *path;     /* as it was given */
  char *target;   /* after resolving symbolic links */
  char *part;     /* NULL: written directly */
  int descriptor; /* for reading and writing, of a pipe or device for writing only; -1: not open */
} picus_output_file;

bool picus_output_is_direct(const char *path); /* it has no part */
/* Can it be written? Only checks; creates and changes nothing. */
picus_status picus_output_check(picus_context *context, const char *path);
/* The same for a file that cannot be a pipe or device, which would also make an opening wait for a reader. kind: "an
 * HDF5 file". */
picus_status picus_output_check_regular(picus_context *context, const char *path, const char *kind);
/* Opens it, empty. On failure the structure owns nothing. */
picus_status picus_output_open(picus_context *context, const char *path, picus_output_file *file);
/* Is there space for this many rows, as far as can be known in advance? least: bytes that a row takes in any case; if
 * they do not fit, that is an error. most: bytes without compression; if they may not fit, a warning says so. */
picus_status picus_output_check_room(const picus_output_file *file, double rows, double least, double most);
/* Appends all bytes. */
picus_status picus_output_write(picus_output_file *file, const void *bytes, size_t size);
/* Makes the file at another path, which must be in the same folder, the content so far; that name is gone then. */
picus_status picus_output_take(picus_output_file *file, const char *other);
/* Renames the file as soon as its content is on the disk, and closes it. If that fails, the part stays and the message
 * states it. */
picus_status picus_output_publish(picus_output_file *file);
/* The same for a file that is written at once: open, write, publish; a failure leaves no part. */
picus_status picus_output_save(picus_context *context, const char *path, const void *bytes, size_t size);
/* Closes and removes the part: an older file of that name stays. */
void picus_output_discard(picus_output_file *file);
/* Closes the file and leaves the part; then the structure owns nothing. Zeroed structures are allowed. */
void picus_output_release(picus_output_file *file);

/* For readers: the path itself, or its part if only the part exists. */
void picus_find_written(const char *path, char found[PICUS_PATH_SIZE]);
/* Notes in the log that an incomplete file is being written, or that its run was killed. */
void picus_tell_incomplete(picus_context *context, const char *path, long rows);
/* Notes in the log that there is a part next to a complete file. */
void picus_tell_newer(picus_context *context, const char *path);
bool picus_is_part(const char *path);          /* by its name */
bool picus_is_being_written(const char *path); /* it is locked by a process that writes it */

#endif
