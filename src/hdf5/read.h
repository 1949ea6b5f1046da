/* Reading pieces of an HDF5 file that may be anything. All functions are to be called while HDF5 is quiet. */
#ifndef PICUS_HDF5_READ_H
#define PICUS_HDF5_READ_H

#include "base/input_file.h"
#include "hdf5/staged.h"

#include <hdf5.h>
#include <picus/base.h>

/* An object by its path from here, along hard links: it is in this file. -1: there is none, or HDF5 must not open it
 * (object.c). The file has no changes that wait in HDF5. To be closed as an object. */
hid_t picus_hdf5_open(hid_t parent, const char *path);

/* Names of the hard links in a group, in order of creation if the group stores it, or of the fields of a table. path:
 * of the file, for messages. */
typedef struct picus_name_list {
  char **names;
  size_t count, capacity;
} picus_name_list;
picus_status picus_hdf5_list(picus_context *context, const char *path, hid_t group, picus_name_list *list);
void picus_names_release(picus_context *context, picus_name_list *list);

typedef enum picus_hdf5_content {
  PICUS_HDF5_NOTHING, /* neither of these, or not readable */
  PICUS_HDF5_GROUP,
  PICUS_HDF5_TEXT,   /* a scalar text */
  PICUS_HDF5_NUMBER, /* a scalar number */
  PICUS_HDF5_TEXTS,  /* a list of them */
  PICUS_HDF5_NUMBERS,
  PICUS_HDF5_TABLE /* a record or a list of records (hdf5/records.h) */
} picus_hdf5_content;
picus_hdf5_content picus_hdf5_content_of(hid_t object);

/* *out is a copy; NULL, with PICUS_OK, if there is no readable text. */
picus_status picus_hdf5_read_text(picus_context *context, hid_t dataset, char **out);
bool picus_hdf5_read_number(hid_t dataset, double *value);
/* Lists in a group, or fields of a table: count values, to be released; the count is 0 if there is no such list. */
picus_status picus_hdf5_read_texts(picus_context *context, hid_t group, const char *name, picus_name_list *list);
picus_status picus_hdf5_read_numbers(picus_context *context, hid_t group, const char *name, size_t *count,
                                     double **values);
picus_status picus_hdf5_read_keys(picus_context *context, hid_t group, const char *name, size_t *count,
                                  uint64_t **keys); /* whole numbers of 64 bits */
/* The same, if it is a group. */
hid_t picus_hdf5_open_group(hid_t parent, const char *path);

/* A part of a dataset: count[k] values from first[k] on, along each of its extents. */
enum { PICUS_HDF5_MOST_RANK = 4 };
typedef struct picus_hdf5_part {
  int rank;
  hsize_t first[PICUS_HDF5_MOST_RANK], count[PICUS_HDF5_MOST_RANK];
} picus_hdf5_part;
/* Reads a part as values of a type; nothing else reads datasets that have extents. A chunk that is missing or damaged
 * is an error. false: the reason, if it is wanted. */
bool picus_hdf5_read_part(hid_t dataset, hid_t type, const picus_hdf5_part *part, void *values,
                          char reason[PICUS_REASON_SIZE]);

/* The length of a list, of a cut file as far as it is there (hdf5/cut.h); -1 if the dataset is not a list or declares
 * more values than the file contains. Lists in other files and virtual datasets are not followed. */
int64_t picus_hdf5_list_length(hid_t dataset);
/* Whether a list has so many values. Those of a cut file must have been measured before: its length is that. */
bool picus_hdf5_list_has(hid_t dataset, int64_t count);
/* The same for a table of numbers with `rank` extents, of which those after the first one are size[0], size[1], ... */
int64_t picus_hdf5_table_length(hid_t dataset, int rank, const hsize_t *size);

/* --- files that are cut ------------------------------------------------------------------------------------------- */

/* Files that end before they should: a copy that was interrupted, a disk that lost their end. HDF5 rejects them. Here
 * they are opened with zeros in place of what is missing, and every list is as long as its first chunks that are
 * complete. To be called while HDF5 is quiet. */

/* Finds out whether a file, which is opened for reading and which nobody writes, is cut. */
void picus_hdf5_find_cut(picus_staged_file *staged);

#endif
