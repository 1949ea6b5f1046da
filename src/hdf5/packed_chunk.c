/* Chunks of a dataset as the filters of HDF5 store them: how they are packed when they are written, and unpacked when
 * they are read. */
#include "hdf5/packed_chunk.h"
#include "base/byte_words.h"
#include "base/checksums.h"
#include "base/internal.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

/* --- planes of bytes ---------------------------------------------------------------------------------------------- */

/* Values as planes of bytes, as the filter shuffle of HDF5 arranges them: byte 0 of all values, then byte 1 of all. */

enum { WORD = 8 };

/* Transposes the 8 x 8 bytes of eight words: word i then has byte i of each. */
static void transpose(uint64_t w[WORD]) {
  static const uint64_t even[3] = {0x00FF00FF00FF00FF, 0x0000FFFF0000FFFF, 0x00000000FFFFFFFF};
  for (int level = 0; level < 3; level++) {
    const int step = 1 << level, shift = 8 << level;
    for (int i = 0; i < WORD; i++) {
      if (i & step) continue;
      const uint64_t a = w[i], b = w[i + step];
      w[i] = (a & even[level]) | (b & even[level]) << shift;
      w[i + step] = (a >> shift & even[level]) | (b & ~even[level]);
    }
  }
}

/* `count` values of 8 bytes into planes of which each has space for `length` bytes. */
static void planes_split(const void *values, size_t count, size_t length, unsigned char *planes) {
  const unsigned char *from = values;
  uint64_t word[WORD];
  size_t k = 0;
  for (; k + WORD <= count; k += WORD) {
    memcpy(word, from + k * WORD, sizeof word);
    transpose(word);
    for (size_t j = 0; j < WORD; j++) picus_put_word(word[j], planes + j * length + k);
  }
  for (; k < count; k++) {
    memcpy(word, from + k * WORD, sizeof word[0]);
    for (size_t j = 0; j < WORD; j++) planes[j * length + k] = (unsigned char)(word[0] >> (8 * j));
  }
}

static size_t join_words(const unsigned char *planes, size_t count, unsigned char *values) {
  uint64_t word[WORD];
  size_t k = 0;
  for (; k + WORD <= count; k += WORD) {
    for (size_t j = 0; j < WORD; j++) word[j] = picus_get_word(planes + j * count + k);
    transpose(word);
    for (size_t j = 0; j < WORD; j++) picus_put_word(word[j], values + (k + j) * WORD);
  }
  return k;
}

/* Planes of `count` bytes into values of `width` bytes. */
static void planes_join(const unsigned char *planes, size_t count, size_t width, unsigned char *values) {
  const size_t done = width == WORD ? join_words(planes, count, values) : 0;
  for (size_t k = done; k < count; k++)
    for (size_t j = 0; j < width; j++) values[k * width + j] = planes[j * count + k];
}

/* --- packing ------------------------------------------------------------------------------------------------------ */

enum {
  LEVEL = 1,
  WINDOW_BITS = -15, /* no head, no check sum */
  MEMORY_LEVEL = 6,  /* a small table: it is cleared for each plane */
  WIDEST = sizeof(double)
};

struct picus_packer {
  picus_context *context;
  z_stream stream;
  bool is_ready; /* the stream */
  unsigned char *planes, *packed;
  size_t most_values, room;
};

static void *take(void *context, uInt count, uInt size) { return picus_allocate(context, count, size); }
static void give_back(void *context, void *memory) { picus_release(context, memory); }

picus_packer *picus_packer_create(picus_context *context, size_t most_values) {
  picus_packer *packer = picus_allocate(context, 1, sizeof *packer);
  if (!packer) return NULL;
  packer->context = context;
  packer->most_values = most_values;
  packer->stream = (z_stream){.zalloc = take, .zfree = give_back, .opaque = context};
  packer->planes = picus_allocate(context, most_values, WIDEST);
  packer->is_ready =
      packer->planes && deflateInit2(&packer->stream, LEVEL, Z_DEFLATED, WINDOW_BITS, MEMORY_LEVEL, Z_RLE) == Z_OK;
  if (packer->is_ready) {
    enum { ENDS = 64 }; /* bytes for the ends of blocks */
    packer->room = WIDEST * ((size_t)deflateBound(&packer->stream, (uLong)most_values) + ENDS);
    packer->packed = picus_allocate(context, packer->room, 1);
  }
  if (packer->packed) return packer;
  picus_packer_destroy(packer);
  return NULL;
}

void picus_packer_destroy(picus_packer *packer) {
  if (!packer) return;
  if (packer->is_ready) deflateEnd(&packer->stream);
  picus_release(packer->context, packer->planes);
  picus_release(packer->context, packer->packed);
  picus_release(packer->context, packer);
}

/* --- shuffle: byte j of all values, then byte j + 1 --- */

static void shuffle_singles(const double *values, size_t count, size_t length, unsigned char *planes) {
  for (size_t k = 0; k < count; k++) {
    const float value = (float)values[k];
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    for (size_t j = 0; j < 4; j++) planes[j * length + k] = (unsigned char)(word >> (8 * j));
  }
}

static void shuffle_bytes(const double *values, size_t count, unsigned char *planes) {
  for (size_t k = 0; k < count; k++) planes[k] = (unsigned char)(signed char)values[k];
}

/* --- deflate (RFC 1951): blocks of whole bytes, one after the other --- */

typedef struct bit_writer {
  unsigned char *to;
  uint32_t bits;
  int count; /* of bits, less than 8 between calls */
} bit_writer;

/* The lowest bit first. */
static void put_bits(bit_writer *w, uint32_t bits, int count) {
  w->bits |= bits << w->count;
  w->count += count;
  for (; w->count >= 8; w->count -= 8, w->bits >>= 8) *w->to++ = (unsigned char)w->bits;
}

/* A Huffman code: the highest bit first. */
static void put_code(bit_writer *w, uint32_t code, int count) {
  uint32_t turned = 0;
  for (int k = 0; k < count; k++) turned |= (code >> k & 1) << (count - 1 - k);
  put_bits(w, turned, count);
}

/* The fixed codes of bytes; of repetitions of the last byte, 3 to 10 or 258 times; and of the end. */
static void put_byte(bit_writer *w, unsigned char byte) {
  put_code(w, byte < 144 ? 0x30u + byte : 0x190u + (byte - 144u), byte < 144 ? 8 : 9);
}

static void put_repetition(bit_writer *w, size_t times) {
  enum { DISTANCE_BITS = 5 }; /* its code is 0 */
  if (times == 258)
    put_code(w, 0xC5, 8);
  else
    put_code(w, (uint32_t)times - 2, 7);
  put_code(w, 0, DISTANCE_BITS);
}

/* Closes a block, and fills the byte with the start of an empty one that is not compressed. */
static unsigned char *end_block(bit_writer *w) {
  static const unsigned char empty[] = {0, 0, 0xFF, 0xFF};
  put_code(w, 0, 7);
  put_bits(w, 0, 3);
  if (w->count > 0) put_bits(w, 0, 8 - w->count);
  memcpy(w->to, empty, sizeof empty);
  return w->to + sizeof empty;
}

/* One byte, repeated. */
static unsigned char *put_constant(unsigned char byte, size_t length, unsigned char *to) {
  bit_writer w = {.to = to};
  put_bits(&w, 2, 3); /* not the last block, fixed codes */
  put_byte(&w, byte);
  size_t left = length - 1;
  for (; left >= 258; left -= 258) put_repetition(&w, 258);
  for (; left >= 13; left -= 10) put_repetition(&w, 10);
  if (left > 10) {
    put_repetition(&w, left - 3);
    left = 3;
  }
  if (left >= 3)
    put_repetition(&w, left);
  else
    for (; left > 0; left--) put_byte(&w, byte);
  return end_block(&w);
}

static unsigned char *put_copy(const unsigned char *bytes, size_t length, unsigned char *to) {
  enum { MOST = 65535 };
  while (length > 0) {
    const size_t part = length < MOST ? length : MOST;
    const unsigned char head[] = {0, (unsigned char)part, (unsigned char)(part >> 8), (unsigned char)~part,
                                  (unsigned char)(~part >> 8)};
    memcpy(to, head, sizeof head);
    memcpy(to + sizeof head, bytes, part);
    to += sizeof head + part;
    bytes += part;
    length -= part;
  }
  return to;
}

/* By zlib; NULL: it failed. */
static unsigned char *put_runs(picus_packer *packer, unsigned char *bytes, size_t length, unsigned char *to) {
  z_stream *stream = &packer->stream;
  if (deflateReset(stream) != Z_OK) return NULL;
  stream->next_in = bytes;
  stream->avail_in = (uInt)length;
  stream->next_out = to;
  stream->avail_out = (uInt)(packer->packed + packer->room - to);
  return deflate(stream, Z_SYNC_FLUSH) == Z_OK && stream->avail_out > 0 ? stream->next_out : NULL;
}

/* Looks at 256 of the bytes: of as many random ones, 162 +- 7 are different. With half of that, an eighth is saved. */
static bool is_noise(const unsigned char *plane, size_t length) {
  enum { SAMPLES = 256, FROM = 80 };
  bool seen[256] = {false};
  int different = 0;
  if (length < SAMPLES) return false;
  for (size_t k = 0; k < SAMPLES; k++) {
    const unsigned char byte = plane[k * (length / SAMPLES)];
    different += !seen[byte];
    seen[byte] = true;
  }
  return different > FROM;
}

/* Adler's check sum (RFC 1950) continued by a byte that is repeated. */
static uLong check_constant(uLong sum, unsigned char byte, size_t length) {
  enum { PRIME = 65521 };
  const uint64_t a = sum & 0xFFFF, b = sum >> 16, n = length, v = byte;
  return (uLong)((b + n * a + v * (n * (n + 1) / 2 % PRIME)) % PRIME << 16 | (a + n * v) % PRIME);
}

static unsigned char *put_plane(picus_packer *packer, unsigned char *plane, size_t length, size_t count,
                                unsigned char *to, uLong *sum) {
  if (memcmp(plane, plane + 1, length - 1) == 0) {
    *sum = check_constant(*sum, plane[0], length);
    return put_constant(plane[0], length, to);
  }
  *sum = adler32(*sum, plane, (uInt)length);
  return is_noise(plane, count) ? put_copy(plane, length, to) : put_runs(packer, plane, length, to);
}

static size_t shuffle(picus_packed_type type, const double *values, size_t count, size_t length,
                      unsigned char *planes) {
  static const size_t widths[] = {8, 4, 1};
  for (size_t j = 0; j < widths[type]; j++) memset(planes + j * length + count, 0, length - count);
  if (type == PICUS_PACKED_DOUBLE)
    planes_split(values, count, length, planes);
  else if (type == PICUS_PACKED_SINGLE)
    shuffle_singles(values, count, length, planes);
  else
    shuffle_bytes(values, count, planes);
  return widths[type];
}

const void *picus_packer_pack(picus_packer *packer, picus_packed_type type, const double *values, size_t count,
                              size_t length, size_t *size) {
  static const unsigned char head[] = {0x78, 1}, end[] = {3, 0}; /* of zlib (RFC 1950); an empty last block */
  const size_t width = shuffle(type, values, count, length, packer->planes);
  unsigned char *to = packer->packed;
  uLong sum = adler32(0, NULL, 0);
  memcpy(to, head, sizeof head);
  to += sizeof head;
  for (size_t j = 0; to && j < width; j++) to = put_plane(packer, packer->planes + j * length, length, count, to, &sum);
  if (!to) return NULL;
  memcpy(to, end, sizeof end);
  to += sizeof end;
  for (int k = 3; k >= 0; k--) *to++ = (unsigned char)(sum >> (8 * k));
  *size = (size_t)(to - packer->packed);
  return packer->packed;
}

/* --- unpacking ---------------------------------------------------------------------------------------------------- */

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
  planes_join(u->bytes, count, width, to);
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
