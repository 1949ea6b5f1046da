#include "hdf5/packed_chunk.h"
#include "base/internal.h"
#include "hdf5/planes.h"

#include <string.h>
#include <zlib.h>

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
    picus_planes_split(values, count, length, planes);
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
