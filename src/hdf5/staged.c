/* Files whose changes become visible together: data goes to the file, metadata waits in memory until a commit writes
 * it in the order that staged.h gives. */
#include "hdf5/staged.h"
#include "base/internal.h"
#include "platform/files.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

enum {
  SPAN_SIZE = 1 << 16, /* bytes that are overwritten at once */
  SPAN_GAP = 1 << 12   /* largest distance between two pieces of a span */
};

/* A staged piece of metadata: bytes of the store that belong at an address of the file. */
typedef struct piece {
  uint64_t address;
  size_t size;
  size_t store; /* offset of its bytes */
  int order;
} piece;

struct picus_staged_file {
  picus_context *context;
  int descriptor;
  bool is_read_only;
  int error;               /* of the first call that failed; nothing is committed after it */
  uint64_t committed;      /* length of the file at the last commit */
  uint64_t wanted;         /* length it shall have after the next one */
  uint64_t end;            /* of everything written or staged */
  uint64_t commits;        /* how many there were */
  uint64_t expected;       /* length of a file that was cut; else 0 */
  bool has_missed;         /* bytes that it lacks were read */
  bool probes;             /* looks for data, does not read it */
  bool has_place;          /* data was looked for, here: */
  uint64_t place;          /* address */
  size_t place_size;       /* bytes */
  bool lacks_memory;       /* of a reader */
  piece *pieces;           /* by address, not overlapping */
  size_t count, capacity;  /* of pieces */
  unsigned char *store;    /* bytes of the pieces */
  size_t used, store_size; /* of the store */
  unsigned char span[SPAN_SIZE];
};

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }
static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }
static uint64_t end_of(const piece *p) { return p->address + p->size; }

void picus_staged_fail(picus_staged_file *file, int error) {
  if (!file->error) file->error = error;
}

/* Takes the descriptor over, also on failure. */
static picus_staged_file *open_descriptor(picus_context *context, int descriptor, picus_staged_mode mode, int *error) {
  picus_facts facts;
  *error = ENOMEM;
  picus_staged_file *file = picus_allocate(context, 1, sizeof *file);
  if (!file) goto failed;
  file->context = context;
  file->descriptor = descriptor;
  file->is_read_only = mode == PICUS_STAGED_READ;
  *error = picus_facts_of_open(descriptor, &facts);
  if (!*error && facts.kind != PICUS_REGULAR_FILE)
    *error = ESPIPE; /* a device or a pipe cannot be written at any place */
  if (!*error && mode == PICUS_STAGED_CREATE) *error = picus_file_resize(descriptor, 0);
  if (*error) goto failed;
  file->committed = mode == PICUS_STAGED_CREATE ? 0 : (uint64_t)facts.size;
  file->wanted = file->end = file->committed;
  return file;
failed:
  (void)picus_file_close(descriptor);
  picus_release(context, file);
  return NULL;
}

picus_staged_file *picus_staged_open(picus_context *context, const char *path, picus_staged_mode mode, int *error) {
  static const unsigned how[] = {PICUS_OPEN_READ | PICUS_OPEN_WRITE | PICUS_OPEN_CREATE,
                                 PICUS_OPEN_READ | PICUS_OPEN_WRITE, PICUS_OPEN_READ};
  int descriptor;
  *error = picus_file_open(path, how[mode], &descriptor);
  return *error ? NULL : open_descriptor(context, descriptor, mode, error);
}

picus_staged_file *picus_staged_attach(picus_context *context, int descriptor, picus_staged_mode mode, int *error) {
  int copy;
  *error = picus_file_duplicate(descriptor, &copy);
  return *error ? NULL : open_descriptor(context, copy, mode, error);
}

void picus_staged_renew(picus_staged_file *file) {
  picus_facts facts;
  if (file->is_read_only && !picus_facts_of_open(file->descriptor, &facts))
    file->committed = file->wanted = file->end = (uint64_t)facts.size;
}

void picus_staged_close(picus_staged_file *file) {
  if (!file) return;
  if (!file->is_read_only) picus_file_resize(file->descriptor, file->committed);
  (void)picus_file_close(file->descriptor);
  picus_release(file->context, file->pieces);
  picus_release(file->context, file->store);
  picus_release(file->context, file);
}

/* The first piece that ends after the address; count if there is none. */
static size_t find_piece(const picus_staged_file *file, uint64_t address) {
  size_t low = 0, high = file->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (end_of(&file->pieces[middle]) > address)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/* 0, or the error number. Beyond the end of the file there are zeros. */
static int read_file(int descriptor, uint64_t address, size_t size, unsigned char *to) {
  size_t have;
  const int error = picus_file_read_at(descriptor, address, to, size, &have);
  if (error) return error;
  memset(to + have, 0, size - have);
  return 0;
}

/* --- files that were cut --- */

void picus_staged_expect(picus_staged_file *file, uint64_t length) {
  file->expected = file->is_read_only && length > file->committed ? length : 0;
  file->has_missed = false;
}

bool picus_staged_is_cut(const picus_staged_file *file) { return file->expected > 0; }
uint64_t picus_staged_size(const picus_staged_file *file) { return file->committed; }

bool picus_staged_take_miss(picus_staged_file *file) {
  const bool missed = file->has_missed;
  file->has_missed = false;
  return missed;
}

void picus_staged_miss(picus_staged_file *file) { file->has_missed = true; }

void picus_staged_probe(picus_staged_file *file, bool probes) { file->probes = probes; }

static void note_miss(picus_staged_file *file, uint64_t address, size_t size) {
  if (file->expected > 0 && (address > file->committed || size > file->committed - address)) file->has_missed = true;
}

bool picus_staged_look_for(picus_staged_file *file, uint64_t address, size_t size) {
  if (!file->probes) return false;
  note_miss(file, address, size);
  file->has_place = true;
  file->place = address;
  file->place_size = size;
  return true;
}

bool picus_staged_take_place(picus_staged_file *file, uint64_t *address, size_t *size) {
  const bool found = file->has_place;
  *address = file->place;
  *size = file->place_size;
  file->has_place = false;
  return found;
}

void picus_staged_lack_memory(picus_staged_file *file) { file->lacks_memory = true; }

bool picus_staged_take_lack(picus_staged_file *file) {
  const bool lacked = file->lacks_memory;
  file->lacks_memory = false;
  return lacked;
}

picus_context *picus_staged_context(const picus_staged_file *file) { return file->context; }

bool picus_staged_read(picus_staged_file *file, uint64_t address, size_t size, void *bytes) {
  unsigned char *to = bytes;
  note_miss(file, address, size);
  const int error = read_file(file->descriptor, address, size, to);
  if (error) {
    picus_staged_fail(file, error);
    return false;
  }
  for (size_t k = find_piece(file, address); k < file->count && file->pieces[k].address < address + size; k++) {
    const piece *p = &file->pieces[k];
    uint64_t from = larger(p->address, address), until = smaller(end_of(p), address + size);
    memcpy(to + (from - address), file->store + p->store + (from - p->address), (size_t)(until - from));
  }
  return true;
}

void picus_staged_write_data(picus_staged_file *file, uint64_t address, size_t size, const void *bytes) {
  file->end = larger(file->end, address + size);
  if (file->error) return;
  int error = picus_file_write_at(file->descriptor, address, bytes, size);
  if (error) picus_staged_fail(file, error);
}

/* Reserves size more bytes in the store; returns their offset, or SIZE_MAX. */
static size_t take_store(picus_staged_file *file, size_t size) {
  if (size > file->store_size - file->used) {
    if (size > SIZE_MAX / 2 - file->store_size) return SIZE_MAX;
    size_t bytes = 2 * file->store_size + size;
    unsigned char *store = picus_reallocate(file->context, file->store, bytes, 1);
    if (!store) return SIZE_MAX;
    file->store = store;
    file->store_size = bytes;
  }
  size_t place = file->used;
  file->used += size;
  return place;
}

/* Replaces the pieces [first, last) by one, which covers them. */
static bool put_piece(picus_staged_file *file, size_t first, size_t last, piece covering) {
  if (first == last && picus_grow(file->context, &file->pieces, file->count, &file->capacity, sizeof(piece)))
    return false;
  memmove(file->pieces + first + 1, file->pieces + last, (file->count - last) * sizeof(piece));
  file->pieces[first] = covering;
  file->count = file->count - (last - first) + 1;
  return true;
}

static bool stage(picus_staged_file *file, uint64_t address, size_t size, int order, const void *bytes) {
  size_t first = find_piece(file, address), last = first;
  while (last < file->count && file->pieces[last].address < address + size) last++;
  if (last == first + 1 && file->pieces[first].address == address && file->pieces[first].size == size) {
    memcpy(file->store + file->pieces[first].store, bytes, size);
    file->pieces[first].order = order;
    return true;
  }
  /* Space that was given back and taken anew may overlap older pieces: join them under the new bytes. */
  uint64_t from = address, until = address + size;
  if (last > first) {
    from = smaller(from, file->pieces[first].address);
    until = larger(until, end_of(&file->pieces[last - 1]));
  }
  size_t place = take_store(file, (size_t)(until - from));
  if (place == SIZE_MAX) return false;
  for (size_t k = first; k < last; k++) {
    const piece *old = &file->pieces[k];
    memcpy(file->store + place + (old->address - from), file->store + old->store, old->size);
    if (old->order > order) order = old->order;
  }
  memcpy(file->store + place + (address - from), bytes, size);
  return put_piece(file, first, last, (piece){from, (size_t)(until - from), place, order});
}

void picus_staged_write_metadata(picus_staged_file *file, uint64_t address, size_t size, int order, const void *bytes) {
  file->end = larger(file->end, address + size);
  if (size > 0 && !stage(file, address, size, order, bytes)) picus_staged_fail(file, ENOMEM);
}

void picus_staged_set_length(picus_staged_file *file, uint64_t length) { file->wanted = length; }

uint64_t picus_staged_length(const picus_staged_file *file) { return larger(file->end, file->expected); }

int picus_staged_error(const picus_staged_file *file) { return file->error; }

/* The part of a piece in [from, until). */
static int write_part(const picus_staged_file *file, const piece *p, uint64_t from, uint64_t until) {
  from = larger(from, p->address);
  until = smaller(until, end_of(p));
  if (from >= until) return 0;
  return picus_file_write_at(file->descriptor, from, file->store + p->store + (from - p->address),
                             (size_t)(until - from));
}

/* From piece k on: pieces that follow each other without a gap, with a single write. Returns the piece after them. */
static size_t write_run(picus_staged_file *file, size_t k, uint64_t end, int *error) {
  const uint64_t from = larger(file->pieces[k].address, end);
  size_t size = 0, last = k;
  for (; last < file->count && larger(file->pieces[last].address, end) == from + size; last++) {
    const piece *p = &file->pieces[last];
    const size_t skipped = (size_t)(from + size - p->address), part = p->size - skipped;
    if (part > SPAN_SIZE - size) break;
    memcpy(file->span + size, file->store + p->store + skipped, part);
    size += part;
  }
  *error = last == k ? write_part(file, &file->pieces[k], end, UINT64_MAX)
                     : picus_file_write_at(file->descriptor, from, file->span, size);
  return last == k ? k + 1 : last;
}

/* Writes all pieces that need new space on the disk. */
static int write_behind(picus_staged_file *file, uint64_t end) {
  int error = 0;
  for (size_t k = find_piece(file, end); k < file->count && !error;) k = write_run(file, k, end, &error);
  return error || file->wanted <= end ? error : picus_file_resize(file->descriptor, file->wanted);
}

/* Writes neighbouring pieces of one order number, from piece k on, with a single write, which minimizes the time in
 * which only some datasets have grown. The bytes between the pieces are read and written back. Returns the piece after
 * the span. */
static size_t write_span(picus_staged_file *file, size_t k, uint64_t end, int *error) {
  int order = file->pieces[k].order;
  uint64_t from = file->pieces[k].address, until = smaller(end_of(&file->pieces[k]), end);
  size_t last = k + 1; /* after the last piece of the span */
  for (size_t i = last; i < file->count && file->pieces[i].address < smaller(end, until + SPAN_GAP); i++) {
    if (file->pieces[i].order != order) continue;
    if (smaller(end_of(&file->pieces[i]), end) - from > SPAN_SIZE) break;
    until = smaller(end_of(&file->pieces[i]), end);
    last = i + 1;
  }
  if (last == k + 1) {
    *error = write_part(file, &file->pieces[k], 0, end);
    return last;
  }
  *error = read_file(file->descriptor, from, (size_t)(until - from), file->span);
  if (*error) return last;
  for (size_t i = k; i < last; i++) {
    const piece *p = &file->pieces[i];
    if (p->order == order)
      memcpy(file->span + (p->address - from), file->store + p->store, (size_t)(smaller(end_of(p), end) - p->address));
  }
  *error = picus_file_write_at(file->descriptor, from, file->span, (size_t)(until - from));
  return last;
}

/* Pieces that change existing bytes, by ascending order number. */
static int write_before(picus_staged_file *file, uint64_t end) {
  int order = INT_MIN, next = INT_MIN, error = 0;
  for (bool more = true; more; order = next) {
    more = false;
    size_t behind = 0; /* pieces of this order before it are done */
    for (size_t k = 0; k < file->count && file->pieces[k].address < end; k++) {
      const piece *p = &file->pieces[k];
      if (p->order == order && k >= behind) behind = write_span(file, k, end, &error);
      if (error) return error;
      if (p->order > order && (!more || p->order < next)) {
        next = p->order;
        more = true;
      }
    }
  }
  return 0;
}

bool picus_staged_commit(picus_staged_file *file) {
  if (file->error) return false;
  uint64_t end = file->committed;
  int error = write_behind(file, end);
  if (!error) {
    file->committed = larger(end, file->wanted); /* from here on the file may refer to the new part */
    error = write_before(file, end);
  }
  if (!error && file->wanted < end) error = picus_file_resize(file->descriptor, file->wanted);
  if (error) {
    picus_staged_fail(file, error);
    return false;
  }
  file->committed = file->end = file->wanted;
  file->count = file->used = 0;
  file->commits++;
  return true;
}

uint64_t picus_staged_commits(const picus_staged_file *file) { return file->commits; }
