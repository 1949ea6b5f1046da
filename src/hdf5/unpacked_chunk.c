#include "hdf5/unpacked_chunk.h"
#include "base/checksums.h"
#include "base/internal.h"
#include "hdf5/planes.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

enum { SUM_SIZE = 4 };

/* Bytes on their way through the filters, in one of two buffers in turn. */
struct picus_unpacker {
  picus_context *context;
  picus_filter filters[PICUS_MOST_FILTERS];
  int count;
  size_t length; /* of a chunk */
  size_t most;   /* bytes between two filters: check sums may follow the values */
  z_stream stream;
  bool is_ready; /* the stream */
  unsigned char *stored, *buffers[2];
  size_t room; /* of stored */
  const unsigned char *bytes;
  size_t size; /* of bytes */
  int next;    /* buffer */
};

static void *take(void *context, uInt count, uInt size) { return picus_allocate(context, count, size); }
static void give_back(void *context, void *memory) { picus_release(context, memory); }

picus_unpacker *picus_unpacker_create(picus_context *context, const picus_filter *filters, int count, size_t length) {
  picus_unpacker *u = picus_allocate(context, 1, sizeof *u);
  if (!u) return NULL;
  u->context = context;
  u->count = count;
  u->length = length;
  u->most = length + (size_t)count * SUM_SIZE;
  u->stream = (z_stream){.zalloc = take, .zfree = give_back, .opaque = context};
  bool has_room = true;
  for (int k = 0; k < count; k++) {
    u->filters[k] = filters[k];
    if (filters[k].kind == PICUS_FILTER_DEFLATE && !u->is_ready)
      has_room = has_room && (u->is_ready = inflateInit(&u->stream) == Z_OK);
  }
  for (int k = 0; has_room && count > 0 && k < 2; k++)
    has_room = (u->buffers[k] = picus_allocate(context, u->most, 1)) != NULL;
  if (has_room) return u;
  picus_unpacker_destroy(u);
  return NULL;
}

void picus_unpacker_destroy(picus_unpacker *unpacker) {
  if (!unpacker) return;
  if (unpacker->is_ready) inflateEnd(&unpacker->stream);
  picus_release(unpacker->context, unpacker->stored);
  for (int k = 0; k < 2; k++) picus_release(unpacker->context, unpacker->buffers[k]);
  picus_release(unpacker->context, unpacker);
}

unsigned char *picus_unpacker_room(picus_unpacker *unpacker, size_t size) {
  if (size > unpacker->room) {
    unsigned char *larger = picus_reallocate(unpacker->context, unpacker->stored, size, 1);
    if (!larger) return NULL;
    unpacker->stored = larger;
    unpacker->room = size;
  }
  return unpacker->stored;
}

static unsigned char *turn(picus_unpacker *u) {
  u->next = 1 - u->next;
  return u->buffers[u->next];
}

/* The size of uInt limits the bytes that zlib takes at once. */
static bool undo_deflate(picus_unpacker *u) {
  const uInt most = (uInt)-1;
  unsigned char *to = turn(u);
  if (u->size > most || u->most > most || inflateReset(&u->stream) != Z_OK) return false;
  u->stream.next_in = (unsigned char *)(uintptr_t)u->bytes; /* zlib does not write to it */
  u->stream.avail_in = (uInt)u->size;
  u->stream.next_out = to;
  u->stream.avail_out = (uInt)u->most;
  if (inflate(&u->stream, Z_FINISH) != Z_STREAM_END) return false;
  u->bytes = to;
  u->size = u->most - u->stream.avail_out;
  return true;
}

static bool undo_shuffle(picus_unpacker *u, size_t width) {
  if (width == 0 || u->size > u->most) return false;
  unsigned char *to = turn(u);
  const size_t count = u->size / width, joined = count * width;
  picus_planes_join(u->bytes, count, width, to);
  memcpy(to + joined, u->bytes + joined, u->size - joined);
  u->bytes = to;
  return true;
}

static bool undo_sum(picus_unpacker *u) {
  uint32_t sum = 0;
  if (u->size < SUM_SIZE) return false;
  u->size -= SUM_SIZE;
  for (size_t k = SUM_SIZE; k-- > 0;) sum = sum << 8 | u->bytes[u->size + k];
  return sum == picus_fletcher32(u->bytes, u->size);
}

static bool undo(picus_unpacker *u, const picus_filter *filter, const char **name) {
  static const char *const names[] = {"deflate", "shuffle", "fletcher32"};
  *name = names[filter->kind];
  if (filter->kind == PICUS_FILTER_DEFLATE) return undo_deflate(u);
  return filter->kind == PICUS_FILTER_SHUFFLE ? undo_shuffle(u, filter->width) : undo_sum(u);
}

const unsigned char *picus_unpacker_unpack(picus_unpacker *unpacker, size_t size, uint32_t omitted,
                                           char reason[PICUS_REASON_SIZE]) {
  const char *name = "";
  unpacker->bytes = unpacker->stored;
  unpacker->size = size;
  for (int k = unpacker->count - 1; k >= 0; k--) {
    if (omitted >> k & 1 || undo(unpacker, &unpacker->filters[k], &name)) continue;
    snprintf(reason, PICUS_REASON_SIZE, "a chunk cannot be decoded (%s)", name);
    return NULL;
  }
  if (unpacker->size == unpacker->length) return unpacker->bytes;
  snprintf(reason, PICUS_REASON_SIZE, "a chunk has %zu bytes in place of %zu", unpacker->size, unpacker->length);
  return NULL;
}
