/* The table of contacts in a result file: parallel lists in picus/contacts, compressed, with any number of contacts for
 * each row of the results; picus/contacts/count has their numbers, row by row. The names of the bodies are in
 * picus/bodies, the laws of these contacts that have switching points in picus/contact_laws. To be called while HDF5 is
 * quiet.
 *
 * A compressed chunk that changes may move, and HDF5 gives its former place away before the commit: a process that is
 * killed would leave an index that points to other data. So contacts are collected until a chunk is full, and every
 * chunk is written once; the last one when the run ends. A process that dies loses the contacts of an incomplete
 * chunk. */
#ifndef PICUS_TABLE_CONTACT_TABLE_H
#define PICUS_TABLE_CONTACT_TABLE_H

#include "table/record_fields.h"

#include <hdf5.h>

enum { PICUS_CONTACT_CHUNK = 4096, PICUS_COUNT_PIECE = 1024 };

/* The lists of laws that come and go. */
enum { PICUS_LAW_NAMES, PICUS_LAW_KEYS, PICUS_LAW_SOURCES, PICUS_LAW_SLIPS, PICUS_LAW_ROLLS, PICUS_LAW_LISTS };

/* A zeroed one is closed. */
typedef struct picus_hdf5_contacts {
  picus_context *context;
  bool is_open;
  hid_t lists[PICUS_CONTACT_FIELDS], row_list, count_list, laws[PICUS_LAW_LISTS];
  hid_t name_type;
  long contacts, rows, law_count; /* handed to HDF5 */
  long complete_rows;             /* whose contacts all are */
  long next_row;                  /* behind the last one that was appended */
  long safe_rows;                 /* that are in the file with their counts and contacts: at the last commit */
  /* not yet handed to HDF5 */
  picus_contact_point *waiting; /* PICUS_CONTACT_CHUNK */
  int64_t *waiting_row;         /* of each of them */
  size_t waiting_count;
  int *counts; /* PICUS_COUNT_PIECE */
  size_t count_count;
  union contact_values {
    double numbers[PICUS_CONTACT_CHUNK];
    uint64_t keys[PICUS_CONTACT_CHUNK];
  } * values; /* of one field */
} picus_hdf5_contacts;

/* false: it failed. Nothing is created if the laws of the system do not come and go. */
bool picus_hdf5_contacts_create(picus_context *context, hid_t file, const picus_system *system,
                                picus_hdf5_contacts *out);
bool picus_hdf5_contacts_append(picus_hdf5_contacts *table, const picus_contact_sample *sample);
bool picus_hdf5_contacts_add_law(picus_hdf5_contacts *table, const picus_switching *first);
/* Hands the counts of all rows to HDF5; is_end: also the contacts of an incomplete chunk. */
bool picus_hdf5_contacts_flush(picus_hdf5_contacts *table, bool is_end);
/* After a commit: what was handed to HDF5 is in the file. */
void picus_hdf5_contacts_note_commit(picus_hdf5_contacts *table);
bool picus_hdf5_contacts_close(picus_hdf5_contacts *table);

/* The table of a file, for reading. */
typedef struct picus_contact_index {
  long rows;      /* that have all their contacts; -1: the file has no table */
  int64_t *first; /* rows + 1: where the contacts of each row start */
} picus_contact_index;
/* is_partial: lists may differ in length, as after a killed process. */
picus_status picus_hdf5_contacts_measure(picus_context *context, const char *path, hid_t file, bool is_partial,
                                         long rows, picus_contact_index *out);
typedef struct picus_contact_range {
  int64_t first;
  size_t count;
  const picus_contact_index *index;
  long row; /* of the first one */
} picus_contact_range;
/* Modes and bodies that do not exist become open and -1. Contacts that are of other rows than the counts say are
 * damage.
 */
picus_status picus_hdf5_contacts_read(picus_context *context, const char *path, hid_t file, int body_count,
                                      picus_contact_range range, picus_contact_point *contacts);

#endif
