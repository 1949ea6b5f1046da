/* Shared by the HDF5 writer and reader: silence, reasons, small pieces of a file. All ids are HDF5 ids; a negative id
 * means failure, and the caller closes every id it gets. */
#ifndef PICUS_HDF5_SUPPORT_H
#define PICUS_HDF5_SUPPORT_H

#include "base/input_file.h"
#include "hdf5/staged.h"

#include <hdf5.h>
#include <picus/base.h>

/* HDF5 prints its error stack by default. Between begin and end it is quiet; then the setting of the host program is
 * restored. */
typedef struct picus_hdf5_quiet {
  H5E_auto2_t function;
  void *data;
} picus_hdf5_quiet;
picus_hdf5_quiet picus_hdf5_quiet_begin(void);
void picus_hdf5_quiet_end(picus_hdf5_quiet quiet);

/* Call before opening a file: HDF5 1.10 crashes if memory runs out while it starts or opens a file. */
picus_status picus_hdf5_check_room(picus_context *context);

/* The innermost complaint of HDF5's error stack, right after the call that failed: the next one clears it. */
void picus_hdf5_reason(char reason[PICUS_REASON_SIZE]);

/* A file whose writes go through a staged file; name is for HDF5's messages only. */
hid_t picus_hdf5_create_staged(picus_context *context, picus_staged_file *staged, const char *name);
/* reason: of a failure; may be NULL. */
hid_t picus_hdf5_open_staged(picus_context *context, picus_staged_file *staged, const char *name, unsigned flags,
                             char reason[PICUS_REASON_SIZE]);
/* The staged file of an object of HDF5; NULL: it failed. */
picus_staged_file *picus_hdf5_staged_of(hid_t object);
/* From now on, nodes of chunk indices lie in spaces of their own, of at least so many bytes, the first of them here: a
 * file that is cut later still has the index of what is before. false: it failed. */
bool picus_hdf5_keep_nodes_together(hid_t object, hsize_t bytes);
/* What the system could not read is neither missing nor damaged: its reason in place of a status that says so, or that
 * is PICUS_OK because what is missing is optional. */
picus_status picus_hdf5_read_status(picus_context *context, picus_staged_file *staged, const char *path,
                                    picus_status status);

/* Writing: groups keep the order of creation; texts are UTF-8; nothing carries a time. false: it failed. */
hid_t picus_hdf5_create_group(hid_t parent, const char *name);
bool picus_hdf5_put_attribute(hid_t object, const char *name, const char *text);
bool picus_hdf5_put_number(hid_t group, const char *name, double value);
bool picus_hdf5_put_integer(hid_t group, const char *name, long value);
/* With space for at least size characters, for a text that is replaced later. */
bool picus_hdf5_put_text(picus_context *context, hid_t group, const char *name, const char *text, size_t size);
/* A dataset of at least one value, written once: from values of a type, stored as values of another type. */
bool picus_hdf5_put_dataset(hid_t group, const char *name, hid_t stored, hid_t space, hid_t type, const void *values);
/* The text truncated to size bytes, not inside a character of UTF-8, and padded with zeros. */
void picus_hdf5_pad_text(char *to, size_t size, const char *text);
/* Lists of at least one value; texts are padded to the longest. */
bool picus_hdf5_put_numbers(hid_t group, const char *name, size_t count, const double *values);
bool picus_hdf5_put_texts(picus_context *context, hid_t group, const char *name, size_t count,
                          const char *const *texts);

/* How lists are created and opened that grow during a run: in chunks of so many values, which are written at
 * once. */
hid_t picus_hdf5_list_creation(hsize_t chunk);
hid_t picus_hdf5_list_access(void);
/* HDF5 keeps what it knows of a file: all nodes of its chunk indices, up to 32 MB. What is needed again for so many
 * lists is the end of each; the memory of a long run then does not grow. false: it failed. */
bool picus_hdf5_limit_cache(hid_t file, size_t list_count);
/* The same for tables, compressed: a chunk that changes after it was written may move in the file. */
hid_t picus_hdf5_table_creation(int rank, const hsize_t *chunk);
/* For few values of another type than that of the list: HDF5 would clear a megabyte for each write. */
hid_t picus_hdf5_small_transfer(void);
hid_t picus_hdf5_text_type(size_t size); /* UTF-8, padded with zeros */

/* Replaces an earlier value in place, by one of the same type and size: the file does not grow. */
bool picus_hdf5_replace(hid_t group, const char *name, size_t size, const void *value);
/* The same of a text, truncated to the available space. */
enum { PICUS_TEXT_ROOM = 1024 }; /* the most a text can have that is to be replaced */
bool picus_hdf5_replace_text(hid_t group, const char *name, const char *text);

#endif
