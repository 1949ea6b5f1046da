/* Memory that can return to an earlier moment: chunks in a list, used from their beginnings, and lists of released
 * blocks by size. */
#include "base/arena.h"

#include <stdint.h>
#include <string.h>

enum {
  UNIT = 16,              /* bytes; every block begins at a multiple of it */
  EXACT = 64,             /* blocks of up to so many units have a list for each size, */
  SIZES = 65 + 4 * 64,    /* larger ones four lists from one power of two to the next */
  FIRST_CHUNK = 64 * 1024 /* bytes; each further chunk is as large as all before */
};

typedef struct chunk {
  struct chunk *next;
  size_t size, used;   /* bytes of data */
  unsigned char *kept; /* of the mark: a copy of the first kept_used bytes */
  size_t kept_used, kept_size;
} chunk;
enum { CHUNK_HEAD = (sizeof(chunk) + UNIT - 1) / UNIT * UNIT };

/* A released block. */
typedef struct hole {
  struct hole *next;
} hole;

/* All that decides where the next block is. */
typedef struct layout {
  chunk *current; /* those after it are empty */
  hole *holes[SIZES];
} layout;

struct picus_arena {
  picus_context_def host;
  picus_lock *lock;
  chunk *first;
  size_t total; /* bytes of all chunks */
  layout now, marked;
};

static void *ask_host(const picus_arena *arena, void *old, size_t old_size, size_t new_size) {
  if (arena->lock) picus_lock_take(arena->lock);
  void *block = arena->host.allocate(arena->host.allocate_user, old, old_size, new_size);
  if (arena->lock) picus_lock_give(arena->lock);
  return block;
}

static unsigned char *data_of(chunk *c) { return (unsigned char *)c + CHUNK_HEAD; }

picus_arena *picus_arena_create(const picus_context_def *host, picus_lock *lock) {
  const picus_arena start = {.host = *host, .lock = lock};
  picus_arena *arena = ask_host(&start, NULL, 0, sizeof *arena);
  if (arena) *arena = start;
  return arena;
}

void picus_arena_destroy(picus_arena *arena) {
  if (!arena) return;
  for (chunk *c = arena->first, *next; c; c = next) {
    next = c->next;
    if (c->kept) ask_host(arena, c->kept, c->kept_size, 0);
    ask_host(arena, c, CHUNK_HEAD + c->size, 0);
  }
  const picus_arena host = {.host = arena->host, .lock = arena->lock};
  ask_host(&host, arena, sizeof *arena, 0);
}

/* The list of blocks that hold so many bytes, and their size; 0: too many. */
static size_t round_up(size_t bytes, int *list) {
  if (bytes > SIZE_MAX / 4) return 0;
  const size_t units = bytes / UNIT + (bytes % UNIT != 0);
  if (units <= EXACT) {
    *list = (int)units;
    return units * UNIT;
  }
  int shift = 4;
  while (units - 1 >= (size_t)8 << shift) shift++;
  const size_t quarters = ((units - 1) >> shift) + 1; /* 5 to 8 */
  *list = EXACT + 1 + 4 * (shift - 4) + (int)(quarters - 5);
  return (quarters << shift) * UNIT;
}

static chunk *add_chunk(picus_arena *arena, size_t least) {
  size_t size = arena->total > FIRST_CHUNK ? arena->total : FIRST_CHUNK;
  if (size < least) size = least;
  chunk *c = ask_host(arena, NULL, 0, CHUNK_HEAD + size);
  if (!c) return NULL;
  *c = (chunk){.size = size};
  chunk **end = &arena->first;
  while (*end) end = &(*end)->next;
  *end = c;
  arena->total += size;
  return c;
}

static void *take(picus_arena *arena, size_t bytes) {
  int list = 0;
  const size_t size = round_up(bytes, &list);
  if (!size) return NULL;
  hole *released = arena->now.holes[list];
  if (released) {
    arena->now.holes[list] = released->next;
    return released;
  }
  chunk *c = arena->now.current ? arena->now.current : arena->first;
  while (c && c->size - c->used < size) c = c->next;
  if (!c && !(c = add_chunk(arena, size))) return NULL;
  arena->now.current = c;
  c->used += size;
  return data_of(c) + c->used - size;
}

static void give_back(picus_arena *arena, void *block, size_t bytes) {
  int list = 0;
  (void)round_up(bytes, &list);
  hole *released = block;
  released->next = arena->now.holes[list];
  arena->now.holes[list] = released;
}

void *picus_arena_allocate(void *user, void *old, size_t old_size, size_t new_size) {
  picus_arena *arena = user;
  int old_list = 0, new_list = 0;
  if (!old) return take(arena, new_size);
  if (new_size && round_up(old_size, &old_list) == round_up(new_size, &new_list)) return old;
  void *block = new_size ? take(arena, new_size) : NULL;
  if (new_size && !block) return NULL;
  if (block) memcpy(block, old, old_size < new_size ? old_size : new_size);
  give_back(arena, old, old_size);
  return block;
}

/* Room for a copy of a chunk, beside the copy that it has. */
static bool reserve_copy(const picus_arena *arena, chunk *c) {
  if (c->kept_size >= c->used) return true;
  unsigned char *larger = ask_host(arena, c->kept, c->kept_size, c->used);
  if (!larger) return false;
  c->kept = larger;
  c->kept_size = c->used;
  return true;
}

bool picus_arena_mark(picus_arena *arena) {
  for (chunk *c = arena->first; c; c = c->next)
    if (!reserve_copy(arena, c)) return false;
  for (chunk *c = arena->first; c; c = c->next) {
    if (c->used) memcpy(c->kept, data_of(c), c->used);
    c->kept_used = c->used;
  }
  arena->marked = arena->now;
  return true;
}

void picus_arena_rewind(picus_arena *arena) {
  for (chunk *c = arena->first; c; c = c->next) {
    if (c->kept_used) memcpy(data_of(c), c->kept, c->kept_used);
    c->used = c->kept_used;
  }
  arena->now = arena->marked;
}
