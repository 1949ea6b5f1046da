/* The context: allocator and log hooks, the error slot with its status and message, and the memory account. */
#include "base/arena.h"
#include "base/internal.h"
#include "base/printable.h"
#include "base/tasks.h"

#include <picus/base.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_SIZE = 1024, FILE_SIZE = 512 };

struct picus_context {
  picus_context_def def;
  picus_error error;
  char message[MESSAGE_SIZE];
  char file[FILE_SIZE];
  picus_context *parent; /* of a context within another one; else NULL */
  picus_lock *lock;      /* of the allocator, if threads share it; else NULL */
  /* Bytes of its own objects, which its own thread changes, and of those of contexts within it, which any thread may
   * change. All accesses are relaxed: they are counts, nobody concludes anything else from them. */
  atomic_size_t memory, lent, memory_peak;
  size_t told;        /* bytes that the parent knows of */
  size_t memory_most; /* bytes of its own objects allowed now; SIZE_MAX: no limit */
  bool memory_refused, is_beside;
  picus_tasks *tasks; /* NULL: one thread */
  picus_arena *arena; /* NULL: it cannot be rewound */
  size_t marked_memory, marked_lent;
};

/* Header of every block, so that releasing needs no size. The union keeps the block aligned for any type. */
typedef union block_header {
  size_t size; /* of the user's part, bytes */
  max_align_t align;
} block_header;

static void *default_allocate(void *user, void *old, size_t old_size, size_t new_size) {
  (void)user;
  (void)old_size;
  if (new_size == 0) {
    free(old);
    return NULL;
  }
  return realloc(old, new_size);
}

static size_t load(const atomic_size_t *count) { return atomic_load_explicit(count, memory_order_relaxed); }

size_t picus_context_memory(const picus_context *context) { return load(&context->memory) + load(&context->lent); }
size_t picus_context_memory_peak(const picus_context *context) { return load(&context->memory_peak); }

static void note_peak(picus_context *context) {
  const size_t now = picus_context_memory(context);
  size_t peak = load(&context->memory_peak);
  while (now > peak && !atomic_compare_exchange_weak_explicit(&context->memory_peak, &peak, now, memory_order_relaxed,
                                                              memory_order_relaxed)) {
  }
}

/* Contexts beside each other tell their parent of so many bytes at once: if each block were told, their threads would
 * wait for each other's counts. */
static const size_t untold_most = 1u << 16;

static void tell_parent(picus_context *context, size_t now) {
  atomic_fetch_add_explicit(&context->parent->lent, now - context->told, memory_order_relaxed);
  context->told = now;
  note_peak(context->parent);
}

/* A block of the context has another size. Unsigned numbers may wrap on the way. */
static void count_change(picus_context *context, size_t old_bytes, size_t bytes) {
  const size_t now = load(&context->memory) - old_bytes + bytes;
  atomic_store_explicit(&context->memory, now, memory_order_relaxed);
  note_peak(context);
  if (!context->parent) return;
  const size_t untold = now > context->told ? now - context->told : context->told - now;
  if (!context->is_beside || untold >= untold_most) tell_parent(context, now);
}

picus_context_def picus_default_context_def(void) {
  return (picus_context_def){.allocate = default_allocate, .allocate_user = NULL, .log = NULL, .log_user = NULL};
}

picus_status picus_context_create(const picus_context_def *def, picus_context **out) {
  picus_context_def hooks = def ? *def : picus_default_context_def();
  if (!hooks.allocate) hooks.allocate = default_allocate;
  *out = NULL;
  picus_context *context = hooks.allocate(hooks.allocate_user, NULL, 0, sizeof *context);
  if (!context) return PICUS_ERROR_MEMORY;
  memset(context, 0, sizeof *context);
  context->def = hooks;
  context->memory_most = SIZE_MAX;
  picus_clear_error(context);
  *out = context;
  return PICUS_OK;
}

picus_status picus_context_create_within(picus_context *parent, picus_context **out) {
  picus_status status = picus_context_create(&parent->def, out);
  if (status) return picus_fail(parent, status, "out of memory: %zu more bytes are needed", sizeof(picus_context));
  (*out)->parent = parent;
  return PICUS_OK;
}

picus_status picus_context_create_beside(picus_context *parent, picus_lock *lock, picus_context **out) {
  picus_status status = picus_context_create_within(parent, out);
  picus_context *context = *out;
  if (status || !context) return status;
  context->is_beside = true;
  if (context->def.allocate != default_allocate) context->lock = lock; /* the default one serves all threads at once */
  context->def.log = NULL;                                             /* a host's function, for one thread */
  return PICUS_OK;
}

picus_status picus_context_create_rewindable(picus_context *parent, picus_lock *lock, picus_context **out) {
  picus_status status = picus_context_create_beside(parent, lock, out);
  picus_context *context = *out;
  if (status || !context) return status;
  context->arena = picus_arena_create(&context->def, context->lock);
  if (!context->arena) {
    picus_context_destroy(context);
    *out = NULL;
    return picus_fail(parent, PICUS_ERROR_MEMORY, "out of memory: cannot make a context");
  }
  context->lock = NULL; /* the arena takes it */
  context->def.allocate = picus_arena_allocate;
  context->def.allocate_user = context->arena;
  return PICUS_OK;
}

picus_status picus_context_mark(picus_context *context) {
  if (!picus_arena_mark(context->arena))
    return picus_fail(context, PICUS_ERROR_MEMORY, "out of memory: a model cannot be kept");
  context->marked_memory = load(&context->memory);
  context->marked_lent = load(&context->lent);
  return PICUS_OK;
}

void picus_context_rewind(picus_context *context) {
  picus_arena_rewind(context->arena);
  atomic_store_explicit(&context->lent, context->marked_lent, memory_order_relaxed);
  count_change(context, load(&context->memory), context->marked_memory);
  picus_clear_error(context);
}

void picus_context_destroy(picus_context *context) {
  if (!context) return;
  picus_tasks_destroy(context, context->tasks);
  if (context->parent) tell_parent(context, context->arena ? 0 : load(&context->memory));
  const picus_context_def hooks = context->parent ? context->parent->def : context->def;
  picus_arena_destroy(context->arena);
  hooks.allocate(hooks.allocate_user, context, sizeof *context, 0);
}

picus_tasks *picus_context_tasks(const picus_context *context) { return context->tasks; }
void picus_context_keep_tasks(picus_context *context, picus_tasks *tasks) { context->tasks = tasks; }

const picus_error *picus_last_error(const picus_context *context) { return &context->error; }

void picus_clear_error(picus_context *context) {
  context->message[0] = '\0';
  context->file[0] = '\0';
  context->error = (picus_error){PICUS_OK, context->message, context->file, 0};
}

static picus_status set_error(picus_context *context, picus_status status, const char *file, int line,
                              const char *format, va_list arguments) {
  char message[MESSAGE_SIZE];
  vsnprintf(message, sizeof message, format, arguments);
  picus_printable(message, false, context->message, sizeof context->message);
  snprintf(context->file, sizeof context->file, "%s", file ? file : "");
  context->error = (picus_error){status, context->message, context->file, file ? line : 0};
  return status;
}

picus_status(picus_fail)(picus_context *context, picus_status status, const char *format, ...) {
  va_list arguments;
  if (!context) return status;
  va_start(arguments, format);
  set_error(context, status, NULL, 0, format, arguments);
  va_end(arguments);
  return status;
}

picus_status picus_fail_at(picus_context *context, picus_status status, const char *file, int line, const char *format,
                           ...) {
  va_list arguments;
  va_start(arguments, format);
  set_error(context, status, file, line, format, arguments);
  va_end(arguments);
  return status;
}

void picus_log(picus_context *context, picus_log_level level, const char *format, ...) {
  if (!context->def.log) return;
  char message[MESSAGE_SIZE], shown[MESSAGE_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  picus_printable(message, false, shown, sizeof shown);
  context->def.log(context->def.log_user, level, shown);
}

static void *out_of_memory(picus_context *context, size_t bytes) {
  picus_fail(context, PICUS_ERROR_MEMORY, "out of memory: %zu more bytes are needed", bytes);
  return NULL;
}

void picus_memory_limit(picus_context *context, size_t bytes) {
  const size_t now = load(&context->memory);
  context->memory_most = bytes < SIZE_MAX - now ? now + bytes : SIZE_MAX;
  context->memory_refused = false;
}

bool picus_memory_unlimit(picus_context *context) {
  context->memory_most = SIZE_MAX;
  return context->memory_refused;
}

static size_t room_left(const picus_context *context) {
  const size_t now = load(&context->memory);
  return context->memory_most > now ? context->memory_most - now : 0;
}

static void *call_allocator(const picus_context *context, void *old, size_t old_size, size_t new_size) {
  if (context->lock) picus_lock_take(context->lock);
  void *block = context->def.allocate(context->def.allocate_user, old, old_size, new_size);
  if (context->lock) picus_lock_give(context->lock);
  return block;
}

void *picus_reallocate_unset(picus_context *context, void *old, size_t count, size_t size) {
  if (size && count > (SIZE_MAX - sizeof(block_header)) / size) return out_of_memory(context, SIZE_MAX);
  size_t bytes = count * size;
  block_header *header = old ? (block_header *)old - 1 : NULL;
  size_t old_bytes = header ? header->size : 0;
  if (bytes > old_bytes && bytes - old_bytes > room_left(context)) {
    context->memory_refused = true;
    return out_of_memory(context, bytes);
  }
  block_header *block =
      call_allocator(context, header, header ? old_bytes + sizeof *header : 0, bytes + sizeof *header);
  if (!block) return out_of_memory(context, bytes);
  block->size = bytes;
  count_change(context, old_bytes, bytes);
  return block + 1;
}

void *picus_allocate_unset(picus_context *context, size_t count, size_t size) {
  return picus_reallocate_unset(context, NULL, count, size);
}

void *picus_reallocate(picus_context *context, void *old, size_t count, size_t size) {
  const size_t old_bytes = old ? ((block_header *)old - 1)->size : 0;
  char *data = picus_reallocate_unset(context, old, count, size);
  if (data && count * size > old_bytes) memset(data + old_bytes, 0, count * size - old_bytes);
  return data;
}

void *picus_allocate(picus_context *context, size_t count, size_t size) {
  return picus_reallocate(context, NULL, count, size);
}

void picus_release(picus_context *context, void *block) {
  if (!block) return;
  block_header *header = (block_header *)block - 1;
  count_change(context, header->size, 0);
  (void)call_allocator(context, header, header->size + sizeof *header, 0);
}

picus_status picus_check_heap(picus_context *context, size_t bytes) {
  void *volatile block = malloc(bytes); /* volatile: or the compiler leaves both calls out */
  if (!block) (void)out_of_memory(context, bytes);
  picus_status status = block ? PICUS_OK : PICUS_ERROR_MEMORY;
  free(block);
  return status;
}

char *picus_copy_text(picus_context *context, const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = picus_allocate(context, size, 1);
  if (copy) memcpy(copy, text, size);
  return copy;
}

picus_status picus_grow(picus_context *context, void *array_pointer, size_t count, size_t *capacity, size_t size) {
  if (count < *capacity) return PICUS_OK;
  void **array = array_pointer;
  size_t larger = *capacity ? 2 * *capacity : 8;
  void *block = picus_reallocate(context, *array, larger, size);
  if (!block) return PICUS_ERROR_MEMORY;
  *array = block;
  *capacity = larger;
  return PICUS_OK;
}

/* --- names of statuses -------------------------------------------------------------------------------------------- */

const char *picus_status_name(picus_status status) {
  switch (status) {
#define STATUS_NAME(name, value, text)                                                                                 \
  case name:                                                                                                           \
    return #name;
    PICUS_STATUS_LIST(STATUS_NAME)
#undef STATUS_NAME
  }
  return "PICUS_STATUS_UNKNOWN";
}

const char *picus_status_text(picus_status status) {
  switch (status) {
#define STATUS_TEXT(name, value, text)                                                                                 \
  case name:                                                                                                           \
    return text;
    PICUS_STATUS_LIST(STATUS_TEXT)
#undef STATUS_TEXT
  }
  return "unknown status";
}
