/* The fields of records as files have them, switching points and contacts: one list for each, so that HDF5 and CSV
 * agree. */
#ifndef PICUS_TABLE_RECORD_FIELDS_H
#define PICUS_TABLE_RECORD_FIELDS_H

#include "system/law_set.h"

#include <picus/result.h>

typedef enum picus_field_kind {
  PICUS_FIELD_NUMBER,
  PICUS_FIELD_LAW, /* the index of the law; its name if texts are possible */
  PICUS_FIELD_MODE,
  PICUS_FIELD_COUNT,
  PICUS_FIELD_BODY, /* the index of the body, -1: none; its name if texts are possible */
  PICUS_FIELD_KEY   /* 64 bits, which a double does not hold */
} picus_field_kind;

typedef struct picus_record_field {
  const char *name, *unit;
  picus_field_kind kind;
  size_t offset; /* in the record */
  int slips;     /* only if some law has this many */
  bool is_later; /* files of earlier versions do not have it */
} picus_record_field;

/* Why lists of a file that is read may differ in length. */
typedef struct picus_file_state {
  bool is_partial; /* its run has not come to an end: it goes on, was killed, or failed */
  bool is_cut;     /* the end of the file is missing */
} picus_file_state;

enum { PICUS_SWITCHING_FIELDS = 20, PICUS_CONTACT_FIELDS = 26 };
extern const picus_record_field picus_switching_fields[PICUS_SWITCHING_FIELDS];
extern const picus_record_field picus_contact_fields[PICUS_CONTACT_FIELDS];

/* Not of keys. */
double picus_record_value(const void *record, const picus_record_field *field);
void picus_record_set(void *record, const picus_record_field *field, double value);
/* The name of a law that comes and goes, from its first switching point. */
void picus_contact_law_name(const picus_switching *first, char name[PICUS_LAW_NAME]);
/* The largest number of slips of a law; 3 if there is no system, or if laws come and go. */
int picus_switching_slips(const picus_system *system);

#endif
