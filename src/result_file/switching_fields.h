/* The fields of a switching point as files have them: one list, so that HDF5 and CSV agree. */
#ifndef PICUS_RESULT_FILE_SWITCHING_FIELDS_H
#define PICUS_RESULT_FILE_SWITCHING_FIELDS_H

#include <picus/result.h>

typedef enum picus_field_kind {
  PICUS_FIELD_NUMBER,
  PICUS_FIELD_LAW, /* the index of the law; its name if texts are possible */
  PICUS_FIELD_MODE,
  PICUS_FIELD_COUNT
} picus_field_kind;

typedef struct picus_switching_field {
  const char *name, *unit;
  picus_field_kind kind;
  size_t offset; /* in picus_switching */
  int slips;     /* only if some law has this many */
  bool is_later; /* files of earlier versions do not have it */
} picus_switching_field;

enum { PICUS_SWITCHING_FIELDS = 20 };
extern const picus_switching_field picus_switching_fields[PICUS_SWITCHING_FIELDS];

double picus_switching_value(const picus_switching *switching, const picus_switching_field *field);
void picus_switching_set(picus_switching *switching, const picus_switching_field *field, double value);
/* The largest number of slips of a law; 3 if there is no system. */
int picus_switching_slips(const picus_system *system);

#endif
