/* Files of VTK, version 1.0: the head is XML, the arrays follow in binary form, each compressed by zlib. */
#ifndef PICUS_VIEW_VTK_FILE_H
#define PICUS_VIEW_VTK_FILE_H

#include "view/json.h"

/* A growing array of bytes. */
typedef struct vtk_bytes {
  unsigned char *bytes;
  size_t size, capacity;
} vtk_bytes;
typedef struct vtk_array {
  const char *type, *name;
  int components;
  const vtk_bytes *list, *more; /* one after the other; more may be NULL */
  vtk_bytes packed;             /* as in the file */
  size_t offset;
} vtk_array;
/* Consecutive arrays in an element of the piece. */
typedef struct vtk_section {
  const char *element;
  int count;
} vtk_section;
typedef struct vtk_file {
  picus_context *context;
  const char *type;  /* PolyData or UnstructuredGrid */
  const char *sizes; /* attributes of the piece */
  const vtk_section *sections;
  int section_count;
  vtk_array *arrays;
} vtk_file;

picus_status picus_vtk_append(picus_context *context, vtk_bytes *list, const void *bytes, size_t size);
/* Compresses the arrays and writes everything. */
picus_status picus_vtk_write(vtk_file *file, picus_json *out);

#endif
