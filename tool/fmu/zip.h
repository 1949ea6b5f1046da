/* Zip archives (APPNOTE 6.3) of a few files, compressed by deflate where this saves space. The same files give the same
 * bytes: all have the date 1980-01-01. */
#ifndef PICUS_FMU_ZIP_H
#define PICUS_FMU_ZIP_H

#include "view/json.h"

typedef struct fmu_zip {
  picus_json files, directory;
  int count;
  picus_status status; /* the first failure; later calls do nothing */
} fmu_zip;

void fmu_zip_begin(picus_context *context, fmu_zip *zip);
/* name: with slashes, in UTF-8; program: with the permission to run */
void fmu_zip_add(fmu_zip *zip, const char *name, const void *bytes, size_t size, bool program);
/* The archive is in zip->files. */
picus_status fmu_zip_end(fmu_zip *zip);
void fmu_zip_release(fmu_zip *zip);

#endif
