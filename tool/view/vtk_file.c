#include "view/vtk_file.h"
#include "base/internal.h"

#include <stdint.h>
#include <string.h>
#include <zlib.h>

picus_status picus_vtk_append(picus_context *context, vtk_bytes *list, const void *bytes, size_t size) {
  if (size > list->capacity - list->size) {
    const size_t capacity = 2 * list->capacity + size + 256;
    unsigned char *grown = picus_reallocate(context, list->bytes, capacity, 1);
    if (!grown) return PICUS_ERROR_MEMORY;
    list->bytes = grown;
    list->capacity = capacity;
  }
  if (size) memcpy(list->bytes + list->size, bytes, size);
  list->size += size;
  return PICUS_OK;
}

/* Compresses one block behind the head of the packed array. */
static picus_status compress_block(picus_context *context, vtk_array *a, const unsigned char *bytes, size_t size) {
  uLongf packed = compressBound((uLong)size);
  unsigned char *stream = picus_allocate(context, packed, 1);
  if (!stream) return PICUS_ERROR_MEMORY;
  picus_status status = compress2(stream, &packed, bytes, (uLong)size, Z_DEFAULT_COMPRESSION) == Z_OK
                            ? PICUS_OK
                            : picus_fail(context, PICUS_ERROR_MEMORY, "out of memory for the array '%s'", a->name);
  /* number of blocks, size of a block, size of the last one if it is shorter, sizes when compressed */
  const uint64_t head[4] = {1, size, 0, packed};
  if (!status) status = picus_vtk_append(context, &a->packed, head, sizeof head);
  if (!status) status = picus_vtk_append(context, &a->packed, stream, packed);
  picus_release(context, stream);
  return status;
}

static picus_status pack(picus_context *context, vtk_array *a) {
  static const uint64_t empty[3] = {0};
  vtk_bytes all = {0};
  picus_status status = picus_vtk_append(context, &all, a->list->bytes, a->list->size);
  if (!status && a->more) status = picus_vtk_append(context, &all, a->more->bytes, a->more->size);
  if (!status && all.size == 0) status = picus_vtk_append(context, &a->packed, empty, sizeof empty);
  if (!status && all.size > 0) status = compress_block(context, a, all.bytes, all.size);
  picus_release(context, all.bytes);
  return status;
}

static void put_array_head(picus_json *out, const vtk_array *a) {
  picus_json_format(
      out, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%zu\"/>\n",
      a->type, a->name, a->components, a->offset);
}

static void put_file(const vtk_file *file, int count, picus_json *out) {
  picus_json_format(out,
                    "<?xml version=\"1.0\"?>\n<VTKFile type=\"%s\" version=\"1.0\" byte_order=\"LittleEndian\" "
                    "header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n<%s>\n<Piece %s>\n",
                    file->type, file->type, file->sizes);
  const vtk_array *a = file->arrays;
  for (int k = 0; k < file->section_count; k++) {
    picus_json_format(out, "<%s>\n", file->sections[k].element);
    for (int i = 0; i < file->sections[k].count; i++) put_array_head(out, a++);
    picus_json_format(out, "</%s>\n", file->sections[k].element);
  }
  picus_json_format(out, "</Piece>\n</%s>\n<AppendedData encoding=\"raw\">\n_", file->type);
  for (int k = 0; k < count; k++)
    picus_json_add(out, (const char *)file->arrays[k].packed.bytes, file->arrays[k].packed.size);
  picus_json_put(out, "\n</AppendedData>\n</VTKFile>\n");
}

picus_status picus_vtk_write(vtk_file *file, picus_json *out) {
  int count = 0;
  size_t offset = 0;
  picus_status status = PICUS_OK;
  for (int k = 0; k < file->section_count; k++) count += file->sections[k].count;
  for (int k = 0; !status && k < count; k++) {
    status = pack(file->context, &file->arrays[k]);
    file->arrays[k].offset = offset;
    offset += file->arrays[k].packed.size;
  }
  if (!status) put_file(file, count, out);
  for (int k = 0; k < count; k++) picus_release(file->context, file->arrays[k].packed.bytes);
  return status ? status : out->status;
}
