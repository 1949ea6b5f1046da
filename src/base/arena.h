/* Memory that can return to an earlier moment. Blocks come from chunks of the host's allocator; a mark copies what the
 * chunks hold, and a rewind copies it back to the same places, so that pointers among the blocks stay valid. For one
 * thread. Called by the context. */
#ifndef PICUS_BASE_ARENA_H
#define PICUS_BASE_ARENA_H

#include "base/internal.h"
#include "base/tasks.h"

typedef struct picus_arena picus_arena;

/* lock: of the host's allocator; NULL: none. NULL: out of memory. */
picus_arena *picus_arena_create(const picus_context_def *host, picus_lock *lock);
void picus_arena_destroy(picus_arena *arena); /* with all blocks; NULL is fine */
/* An allocator in the form of the context's; user is the arena. */
void *picus_arena_allocate(void *user, void *old, size_t old_size, size_t new_size);
/* Keeps the blocks as they are now, in place of an earlier mark; false: out of memory, and the earlier one stays. */
bool picus_arena_mark(picus_arena *arena);
/* Restores the blocks of the mark with their contents and drops all others; without a mark it drops all blocks. */
void picus_arena_rewind(picus_arena *arena);

#endif
