/* A zip archive: each file after its local header, then the directory, then the end record. Numbers are little-endian.
 */
#include "fmu/zip.h"
#include "base/internal.h"

#include <stdint.h>
#include <string.h>
#include <zlib.h>

enum { VERSION = 20, UNIX = 3 << 8, UTF8_NAMES = 1 << 11, STORED = 0, DEFLATED = 8, FIRST_DATE = (1 << 5) | 1 };
static const size_t size_most = 0xfffffffeu;

typedef struct entry {
  const char *name;
  uint32_t sum, packed_size, size, place;
  uint16_t method;
} entry;

static void put16(picus_json *to, unsigned value) {
  const char bytes[2] = {(char)(value & 255), (char)(value >> 8 & 255)};
  picus_json_add(to, bytes, sizeof bytes);
}
static void put32(picus_json *to, uint32_t value) {
  put16(to, value & 0xffff);
  put16(to, value >> 16);
}

/* What the local header and the directory have in common. */
static void put_facts(picus_json *to, const entry *e) {
  put16(to, VERSION);
  put16(to, UTF8_NAMES);
  put16(to, e->method);
  put16(to, 0); /* time */
  put16(to, FIRST_DATE);
  put32(to, e->sum);
  put32(to, e->packed_size);
  put32(to, e->size);
  put16(to, (unsigned)strlen(e->name));
  put16(to, 0); /* no extra field */
}

static void put_local(picus_json *to, const entry *e) {
  put32(to, 0x04034b50);
  put_facts(to, e);
  picus_json_put(to, e->name);
}

static void put_directory(picus_json *to, const entry *e, bool program) {
  put32(to, 0x02014b50);
  put16(to, UNIX | VERSION);
  put_facts(to, e);
  put16(to, 0); /* no comment, */
  put16(to, 0); /* first disk, */
  put16(to, 0); /* no text */
  put32(to, (uint32_t)(program ? 0100755 : 0100644) << 16);
  put32(to, e->place);
  picus_json_put(to, e->name);
}

/* The bytes by deflate without a header; NULL: they would not become shorter, or memory ran out. */
static unsigned char *deflated(picus_context *context, const void *bytes, size_t size, size_t *packed_size) {
  z_stream stream = {0};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK) return NULL;
  unsigned char *packed = size ? picus_allocate_unset(context, size, 1) : NULL;
  stream.next_in = (unsigned char *)bytes; /* zlib only reads there */
  stream.avail_in = (uInt)size;
  stream.next_out = packed;
  stream.avail_out = (uInt)size;
  const bool is_shorter = packed && deflate(&stream, Z_FINISH) == Z_STREAM_END;
  *packed_size = stream.total_out;
  deflateEnd(&stream);
  if (is_shorter) return packed;
  picus_release(context, packed);
  return NULL;
}

void fmu_zip_begin(picus_context *context, fmu_zip *zip) {
  *zip = (fmu_zip){0};
  zip->status = picus_json_begin(context, &zip->files);
  if (!zip->status) zip->status = picus_json_begin(context, &zip->directory);
}

void fmu_zip_add(fmu_zip *zip, const char *name, const void *bytes, size_t size, bool program) {
  picus_context *context = zip->files.context;
  if (zip->status) return;
  if (size > size_most - zip->files.size || strlen(name) > 0xffff) {
    zip->status = picus_fail(context, PICUS_ERROR_UNSUPPORTED, "the files of the FMU have more than 4 GB");
    return;
  }
  entry e = {.name = name, .size = (uint32_t)size, .packed_size = (uint32_t)size, .place = (uint32_t)zip->files.size};
  size_t packed_size;
  unsigned char *packed = deflated(context, bytes, size, &packed_size);
  e.sum = (uint32_t)crc32_z(crc32_z(0, NULL, 0), bytes, size);
  if (packed) {
    e.method = DEFLATED;
    e.packed_size = (uint32_t)packed_size;
  }
  put_local(&zip->files, &e);
  picus_json_add(&zip->files, packed ? (const char *)packed : bytes, e.packed_size);
  put_directory(&zip->directory, &e, program);
  zip->count++;
  picus_release(context, packed);
}

picus_status fmu_zip_end(fmu_zip *zip) {
  if (zip->status) return zip->status;
  const size_t place = zip->files.size;
  picus_json_add(&zip->files, zip->directory.bytes, zip->directory.size);
  put32(&zip->files, 0x06054b50);
  put32(&zip->files, 0); /* disks */
  put16(&zip->files, (unsigned)zip->count);
  put16(&zip->files, (unsigned)zip->count);
  put32(&zip->files, (uint32_t)zip->directory.size);
  put32(&zip->files, (uint32_t)place);
  put16(&zip->files, 0); /* no comment */
  return zip->files.status ? zip->files.status : zip->directory.status;
}

void fmu_zip_release(fmu_zip *zip) {
  if (zip->files.context) picus_json_release(&zip->files);
  if (zip->directory.context) picus_json_release(&zip->directory);
  *zip = (fmu_zip){0};
}
