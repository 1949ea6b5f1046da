/* Tables and records: datasets whose elements have named fields (compound types of HDF5). A record is one element, a
 * table a list of them. HDF5 takes a hundred thousand instructions to create a dataset, whatever its size: a record of
 * eighty numbers costs a tenth of eighty datasets. */
#ifndef PICUS_HDF5_RECORDS_H
#define PICUS_HDF5_RECORDS_H

#include <hdf5.h>
#include <picus/base.h>

/* One of numbers, integers and texts is given, with a value for each element. Texts have a space of `room` bytes, to
 * which they are truncated; 0: that of the longest. */
typedef struct picus_hdf5_field {
  const char *name;
  const double *numbers;
  const long *integers;
  const char *const *texts;
  size_t room;
} picus_hdf5_field;

typedef struct picus_hdf5_fields {
  size_t count;
  const picus_hdf5_field *list;
} picus_hdf5_fields;

/* A table has at least one element. All have at least one field, and a record has at most some hundred: the header of
 * a dataset takes 64 KiB. false: it failed. */
bool picus_hdf5_put_table(picus_context *context, hid_t parent, const char *name, size_t count,
                          picus_hdf5_fields fields);
bool picus_hdf5_put_record(picus_context *context, hid_t parent, const char *name, picus_hdf5_fields fields);
/* Replaces all values of a record in place: the file does not grow. Names, kinds and rooms of the fields are those with
 * which it was put. */
bool picus_hdf5_replace_record(picus_context *context, hid_t parent, const char *name, picus_hdf5_fields fields);

/* --- reading, from a file that may be anything -------------------------------------------------------------------- */

/* Whether a type has fields, all of which are texts of a fixed length or plain numbers: values without pointers. */
bool picus_hdf5_has_fields(hid_t type);
/* Numbers as machines have them, in either byte order. Others, which only damaged files have, let HDF5 1.10 read beyond
 * its buffers when it converts them. */
bool picus_hdf5_is_plain_number(hid_t type);

/* A field of elements as they are in the file. */
typedef struct picus_hdf5_place {
  hid_t type; /* of the field, to be closed */
  size_t offset, size, stride;
  bool is_text;
} picus_hdf5_place;
/* false: the type has no such field. */
bool picus_hdf5_find_field(hid_t type, const char *name, picus_hdf5_place *out);

#endif
