/* HDF5 1.10 trusts the header of a dataset when it opens it: it divides by sizes of chunks that may be 0 or missing,
 * calls functions of storage that does not exist, and follows lists of other files. So the header is read here first
 * (HDF5 file format specification, IV.A): a dataset is opened only if its data is in the file, if its chunks have a
 * size for each extent, of which none is 0 and whose product the file can hold, if data in the header itself is as
 * long as the extents say, and if fill values, filters and links end within their messages. */
#include "base/internal.h"
#include "hdf5/read.h"
#include "hdf5/staged.h"
#include "hdf5/support.h"

#include <string.h>

enum {
  MOST_PIECES = 256,      /* of a header */
  WINDOW = 512,           /* bytes that are read at once */
  LOOK = 288,             /* bytes of a message that matter */
  MOST_RANK = 32,         /* of HDF5 */
  WIDE = 8,               /* bytes of an address, and of a length */
  BEST_COMPRESSION = 1032 /* of deflate */
};
static const double small_chunk = 1 << 26; /* bytes: any file may have it, though it is empty */

enum {
  DATASPACE = 0x01,
  DATATYPE = 0x03,
  OLD_FILL_VALUE = 0x04,
  FILL_VALUE = 0x05,
  LINK = 0x06,
  EXTERNAL_FILES = 0x07,
  LAYOUT = 0x08,
  FILTERS = 0x0B,
  CONTINUATION = 0x10
};
enum { COMPACT = 0, CONTIGUOUS = 1, CHUNKED = 2 };

typedef struct message {
  int type;
  bool is_shared; /* lies elsewhere */
  const unsigned char *data;
  size_t size;      /* of data */
  size_t whole;     /* of the message */
  uint64_t address; /* of its first byte */
} message;

typedef struct piece {
  uint64_t address, size;
} piece;

/* What the messages of a header say of a dataset. */
typedef struct header {
  picus_staged_file *staged;
  uint64_t base;  /* of all addresses */
  int version;    /* of the header */
  bool has_order; /* its messages have numbers */
  piece pieces[MOST_PIECES];
  int piece_count;
  uint64_t window_start;
  size_t window_size;
  unsigned char window[WINDOW]; /* of the file */
  int spaces, types, layouts;
  int storage, chunk_rank, rank; /* chunk_rank counts the size of a value as well */
  double values;                 /* by the extents; -1: not known */
  uint64_t compact_size;         /* bytes of data in the header */
  uint64_t chunk[MOST_RANK + 1], value_size;
} header;

static uint64_t number_at(const unsigned char *bytes, size_t size) {
  uint64_t number = 0;
  for (size_t k = size; k-- > 0;) number = number << 8 | bytes[k];
  return number;
}

/* The least bytes that a number needs. */
static size_t bytes_of(uint64_t number) {
  size_t bytes = 1;
  while (number >>= 8) bytes++;
  return bytes;
}

/* Chunks of a layout message: `at` is the place of their number of sizes, `sizes` that of the sizes, of `width` bytes
 * each. */
static bool read_chunk(header *h, const message *m, size_t at, size_t sizes, size_t width) {
  if (m->size <= sizes || width < 1 || width > WIDE) return false;
  h->chunk_rank = m->data[at];
  if (h->chunk_rank < 2 || h->chunk_rank > MOST_RANK + 1 || m->size < sizes + (size_t)h->chunk_rank * width)
    return false;
  for (int k = 0; k < h->chunk_rank; k++) h->chunk[k] = number_at(m->data + sizes + (size_t)k * width, width);
  return true;
}

static bool read_layout(header *h, const message *m) {
  enum { OLD_STORAGE = 2, STORAGE = 1, LEAST = 4 };
  h->layouts++;
  if (m->is_shared || m->size < LEAST) return false;
  const int version = m->data[0];
  if (version < 1 || version > 4) return false;
  h->storage = m->data[version < 3 ? OLD_STORAGE : STORAGE];
  if (h->storage == COMPACT) {
    h->compact_size = number_at(m->data + 2, 2);
    return version >= 3 && LEAST + h->compact_size <= m->whole;
  }
  if (h->storage == CONTIGUOUS) return m->size >= (version < 3 ? 8 + WIDE + 4 * (size_t)m->data[1] : 2 + 2 * WIDE);
  if (h->storage != CHUNKED) return false;
  if (version < 3) return read_chunk(h, m, 1, 8 + WIDE, 4);
  if (version == 3) return read_chunk(h, m, 2, 3 + WIDE, 4);
  return m->size > 5 && read_chunk(h, m, 3, 5, m->data[4]);
}

/* The product of the extents in a dataspace message, which the most of each may follow; -1: they are not all there. */
static double count_values(const message *m) {
  enum { OLD_EXTENTS = 8, EXTENTS = 4, NO_DATA = 2, HAS_MOST = 1 };
  if (m->is_shared || m->size < EXTENTS || m->data[1] > MOST_RANK) return -1;
  const size_t rank = m->data[1], at = m->data[0] == 1 ? OLD_EXTENTS : EXTENTS;
  double values = m->data[0] != 1 && m->data[3] == NO_DATA ? 0 : 1;
  if (m->size < at + (m->data[2] & HAS_MOST ? 2 : 1) * rank * WIDE) return -1;
  for (size_t k = 0; k < rank; k++) values *= (double)number_at(m->data + at + k * WIDE, WIDE);
  return values;
}

static bool add_piece(header *h, const message *m) {
  if (m->is_shared || m->size < 2 * (size_t)WIDE || h->piece_count == MOST_PIECES) return false;
  h->pieces[h->piece_count++] = (piece){number_at(m->data, WIDE), number_at(m->data + WIDE, WIDE)};
  return true;
}

/* --- messages that HDF5 copies or follows beyond their end --- */

/* The bytes that a type takes in a message, and those of its values; 0: it is neither a number nor a text, or it does
 * not end within `size` bytes. Their properties have a fixed length. */
enum { TYPE_HEAD = 8 };
static size_t simple_type(const unsigned char *bytes, size_t size, uint64_t *value_size) {
  enum { INTEGER = 0, FLOAT = 1, TEXT = 3 };
  if (size < TYPE_HEAD) return 0;
  const int kind = bytes[0] & 0xF;
  const size_t length = TYPE_HEAD + (kind == INTEGER ? 4u : kind == FLOAT ? 12u : 0u);
  *value_size = number_at(bytes + 4, 4);
  if (kind != INTEGER && kind != FLOAT && kind != TEXT) return 0;
  return *value_size > 0 && size >= length ? length : 0;
}

/* A member of a type with fields: its name, its place in the value, and its type. The bytes that it takes; 0: it is not
 * one of ours, or leaves the message or the value. */
static size_t check_member(const unsigned char *bytes, size_t size, int version, uint64_t value_size) {
  enum { OLD_EXTENTS = 28, NAME_UNIT = 8 };
  const unsigned char *end = memchr(bytes, 0, size);
  if (!end || end == bytes) return 0;
  const size_t name = (size_t)(end - bytes), width = version == 1 ? 4 : bytes_of(value_size);
  size_t at = version == 1 ? (name / NAME_UNIT + 1) * NAME_UNIT : name + 1;
  const size_t head = width + (version == 1 ? OLD_EXTENTS : 0);
  if (at > size || size - at < head) return 0;
  const uint64_t offset = number_at(bytes + at, width);
  if (version == 1 && bytes[at + width] != 0) return 0; /* it has extents */
  at += head;
  uint64_t member_size;
  const size_t type = simple_type(bytes + at, size - at, &member_size);
  return type > 0 && member_size <= value_size && offset <= value_size - member_size ? at + type : 0;
}

/* Fields of numbers and texts (specification, IV.A.2.d, class 6): all of the message is read, since HDF5 1.10 takes
 * members to end within it. */
static bool has_fields(header *h, const message *m) {
  const int version = m->data[0] >> 4;
  const uint64_t count = number_at(m->data + 1, 2);
  size_t at = TYPE_HEAD;
  if (version != 1 && version != 3) return false;
  picus_context *context = picus_staged_context(h->staged);
  unsigned char *bytes = picus_allocate(context, m->whole, 1);
  if (!bytes) picus_staged_lack_memory(h->staged);
  bool done = bytes && count > 0 && picus_staged_read(h->staged, h->base + m->address, m->whole, bytes);
  for (uint64_t k = 0; done && k < count; k++) {
    const size_t length = check_member(bytes + at, m->whole - at, version, h->value_size);
    done = length > 0;
    at += length;
  }
  picus_release(context, bytes);
  return done;
}

/* Others than numbers, texts and fields of them are not read. */
static bool read_type(header *h, const message *m) {
  enum { FIELDS = 6 };
  h->types++;
  if (m->is_shared || m->size < TYPE_HEAD) return false;
  if ((m->data[0] & 0xF) != FIELDS) return simple_type(m->data, m->size, &h->value_size) > 0;
  h->value_size = number_at(m->data + 4, 4);
  return h->value_size > 0 && has_fields(h, m);
}

/* The value is as long as it says. */
static bool has_fill_value(const message *m) {
  enum { DEFINED = 0x20 };
  size_t at = 0; /* of the length */
  if (m->is_shared || m->size < 2) return false;
  if (m->type == FILL_VALUE) {
    const int version = m->data[0];
    if (version == 3 && !(m->data[1] & DEFINED)) return true;
    if (version == 2 && m->size >= 4 && m->data[3] == 0) return true;
    at = version == 3 ? 2 : 4;
  }
  return m->size >= at + 4 && number_at(m->data + at, 4) <= m->whole - at - 4;
}

/* Filters with their names and parameters, in the part of the message that is seen: Picus knows only short ones. */
static bool has_filters(const message *m) {
  enum { FIRST_NAMED = 256 };
  if (m->is_shared || m->size < 2) return false;
  const bool is_old = m->data[0] == 1;
  size_t at = is_old ? 8 : 2;
  for (int k = 0; k < m->data[1]; k++) {
    if (m->size < at + (is_old ? 8 : 6)) return false;
    const bool is_named = is_old || number_at(m->data + at, 2) >= FIRST_NAMED;
    const size_t name = is_named ? (size_t)number_at(m->data + at + 2, 2) : 0;
    const size_t head = is_named ? 8 : 6;
    if (m->size < at + head) return false;
    const size_t count = (size_t)number_at(m->data + at + head - 2, 2);
    at += head + (is_old ? (name + 7) / 8 * 8 : name) + 4 * (count + (is_old ? count % 2 : 0));
    if (at > m->size) return false;
  }
  return true;
}

/* A name, and the address or the text that it stands for. */
static bool has_link(const message *m) {
  enum { WIDTH = 0x03, ORDER = 0x04, KIND = 0x08, CHARACTERS = 0x10 };
  if (m->is_shared || m->size < 3) return false;
  const unsigned flags = m->data[1];
  const bool is_hard = !(flags & KIND) || m->data[2] == 0;
  const size_t width = (size_t)1 << (flags & WIDTH);
  size_t at = 2 + (flags & KIND ? 1u : 0u) + (flags & ORDER ? (size_t)WIDE : 0u) + (flags & CHARACTERS ? 1u : 0u);
  if (at + width > m->size) return false;
  const uint64_t name = number_at(m->data + at, width);
  at += width;
  if (name == 0 || name > m->whole - at) return false;
  at += (size_t)name;
  if (is_hard) return m->whole - at >= WIDE;
  return at + 2 <= m->size && number_at(m->data + at, 2) <= m->whole - at - 2;
}

static bool read_message(header *h, const message *m) {
  switch (m->type) {
  case DATASPACE:
    h->spaces++;
    h->values = count_values(m);
    h->rank = h->values >= 0 ? m->data[1] : -1;
    return h->values >= 0;
  case DATATYPE:
    return read_type(h, m);
  case OLD_FILL_VALUE:
  case FILL_VALUE:
    return has_fill_value(m);
  case FILTERS:
    return has_filters(m);
  case LINK:
    return has_link(m);
  case LAYOUT:
    return read_layout(h, m);
  case CONTINUATION:
    return add_piece(h, m);
  default:
    return m->type != EXTERNAL_FILES;
  }
}

/* The next bytes of the file, of which `left` belong to a piece; NULL: they cannot be read. */
static const unsigned char *look(header *h, uint64_t address, size_t size, uint64_t left) {
  if (address < h->window_start || address + size > h->window_start + h->window_size) {
    h->window_start = address;
    h->window_size = left < WINDOW ? (size_t)left : WINDOW;
    if (!picus_staged_read(h->staged, h->base + address, h->window_size, h->window)) {
      h->window_size = 0;
      return NULL;
    }
  }
  return h->window + (address - h->window_start);
}

static bool read_messages(header *h, piece p) {
  const bool is_old = h->version == 1;
  const size_t head = is_old ? 8 : h->has_order ? 6 : 4;
  for (uint64_t at = 0; p.size - at >= head;) {
    const uint64_t left = p.size - at;
    const size_t seen = left < LOOK ? (size_t)left : LOOK;
    const unsigned char *b = look(h, p.address + at, seen, left);
    if (!b) return false;
    const size_t size = (size_t)number_at(b + (is_old ? 2 : 1), 2);
    const message m = {.type = is_old ? (int)number_at(b, 2) : b[0],
                       .is_shared = (b[is_old ? 4 : 3] & 2) != 0,
                       .data = b + head,
                       .size = size < seen - head ? size : seen - head,
                       .whole = size,
                       .address = p.address + at + head};
    if (size > left - head || !read_message(h, &m)) return false;
    at += head + size;
  }
  return true;
}

/* A piece of messages, of which `front` bytes before and `back` bytes behind them are none. */
static bool read_piece(header *h, piece p, size_t front, size_t back) {
  const uint64_t length = picus_staged_length(h->staged) - h->base;
  if (p.size < front + back || p.size > length || p.address > length - p.size) return false;
  return read_messages(h, (piece){p.address + front, p.size - front - back});
}

/* The first piece, of a header of the first version or of the second one. */
static bool find_start(header *h, uint64_t address, piece *p) {
  enum { LONGEST = 34, TIMES = 0x20, PHASES = 0x10, ORDER = 0x04, WIDTH = 0x03 };
  unsigned char bytes[LONGEST];
  if (!picus_staged_read(h->staged, h->base + address, LONGEST, bytes)) return false;
  size_t at = 16;
  uint64_t size = number_at(bytes + 8, 4);
  h->version = bytes[0];
  if (memcmp(bytes, "OHDR", 4) == 0) {
    const size_t width = (size_t)1 << (bytes[5] & WIDTH);
    h->version = bytes[4];
    h->has_order = (bytes[5] & ORDER) != 0;
    at = 6 + (bytes[5] & TIMES ? 16u : 0u) + (bytes[5] & PHASES ? 4u : 0u);
    size = number_at(bytes + at, width);
    at += width;
    if (h->version != 2) return false;
  } else if (h->version != 1)
    return false;
  *p = (piece){address + at, size};
  return true;
}

static bool has_fine_chunks(const header *h) {
  const double bytes = (double)picus_staged_length(h->staged) * BEST_COMPRESSION;
  const uint64_t most_values = UINT32_MAX;
  uint64_t values = 1;
  if (h->rank < 1 || h->chunk_rank != h->rank + 1) return false;
  for (int k = 0; k < h->rank; k++) {
    if (h->chunk[k] < 1 || h->chunk[k] > most_values / values) return false;
    values *= h->chunk[k];
  }
  const double size = (double)values * (double)h->value_size;
  return h->value_size > 0 && h->chunk[h->rank] == h->value_size && (size <= small_chunk || size <= bytes);
}

/* HDF5 copies as many bytes as the extents say. */
static bool has_compact_data(const header *h) {
  return h->value_size > 0 && h->values >= 0 && h->values * (double)h->value_size <= (double)h->compact_size;
}

/* One of each message, as far as HDF5 looks for it: none decides that was not read here. */
static bool is_fine(const header *h) {
  if (h->layouts == 0) return true; /* no dataset that HDF5 could open */
  return h->layouts == 1 && h->spaces == 1 && h->types == 1 && (h->storage != CHUNKED || has_fine_chunks(h)) &&
         (h->storage != COMPACT || has_compact_data(h));
}

static bool read_header(header *h, uint64_t address) {
  const size_t front = 4, back = 4; /* signature and check sum of a further piece of the second version */
  piece first;
  uint64_t bytes = 0;
  if (!find_start(h, address, &first) || !read_piece(h, first, 0, 0)) return false;
  for (int k = 0; k < h->piece_count; k++) {
    bytes += h->pieces[k].size; /* pieces that follow each other in a circle end here */
    if (bytes > picus_staged_length(h->staged)) return false;
    if (!read_piece(h, h->pieces[k], h->version == 1 ? 0 : front, h->version == 1 ? 0 : back)) return false;
  }
  return true;
}

/* Addresses and lengths of eight bytes, as everybody writes them. */
static bool find_base(hid_t object, uint64_t *base) {
  hsize_t user = 0;
  size_t address_size = 0, length_size = 0;
  hid_t file = H5Iget_file_id(object), creation = file >= 0 ? H5Fget_create_plist(file) : -1;
  const bool found = creation >= 0 && H5Pget_userblock(creation, &user) >= 0 &&
                     H5Pget_sizes(creation, &address_size, &length_size) >= 0 && address_size == WIDE &&
                     length_size == WIDE;
  if (creation >= 0) H5Pclose(creation);
  if (file >= 0) H5Fclose(file);
  *base = user;
  return found;
}

static bool may_open(hid_t parent, uint64_t address) {
  header h;
  memset(&h, 0, sizeof h);
  h.staged = picus_hdf5_staged_of(parent);
  return h.staged && find_base(parent, &h.base) && h.base <= picus_staged_length(h.staged) &&
         address < picus_staged_length(h.staged) - h.base && read_header(&h, address) && is_fine(&h);
}

/* Along one link. */
static hid_t open_child(hid_t parent, const char *name) {
#if H5_VERSION_GE(1, 12, 0)
  H5L_info1_t link;
  const bool found = H5Lexists(parent, name, H5P_DEFAULT) > 0 && H5Lget_info1(parent, name, &link, H5P_DEFAULT) >= 0;
#else
  H5L_info_t link;
  const bool found = H5Lexists(parent, name, H5P_DEFAULT) > 0 && H5Lget_info(parent, name, &link, H5P_DEFAULT) >= 0;
#endif
  if (!found || link.type != H5L_TYPE_HARD || !may_open(parent, link.u.address)) return -1;
  return H5Oopen(parent, name, H5P_DEFAULT);
}

hid_t picus_hdf5_open(hid_t parent, const char *path) {
  enum { MOST_NAME = 255 };
  char name[MOST_NAME + 1];
  const char *slash = strchr(path, '/');
  if (!slash) return open_child(parent, path);
  const size_t length = (size_t)(slash - path);
  if (length > MOST_NAME) return -1;
  memcpy(name, path, length);
  name[length] = '\0';
  hid_t group = open_child(parent, name);
  hid_t object = group >= 0 && H5Iget_type(group) == H5I_GROUP ? picus_hdf5_open(group, slash + 1) : -1;
  if (group >= 0) H5Oclose(group);
  return object;
}
