/* Status codes, the context with its hooks, and the error slot.
 *
 * The library never prints, exits or aborts. Every function that can fail returns a picus_status; the context holds its
 * message, which picus_last_error() returns. */
#ifndef PICUS_BASE_H
#define PICUS_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32) && defined(PICUS_BUILDS_LIBRARY)
#define PICUS_API __declspec(dllexport)
#define PICUS_PRINTF(format_index, first_argument)
#elif defined(__GNUC__) && !defined(_WIN32)
#define PICUS_API __attribute__((visibility("default")))
#define PICUS_PRINTF(format_index, first_argument) __attribute__((format(printf, format_index, first_argument)))
#else
#define PICUS_API
#define PICUS_PRINTF(format_index, first_argument)
#endif

/* 0: success; positive: recoverable, the state before the call is intact; negative: an error. */
#define PICUS_STATUS_LIST(X)                                                                                           \
  X(PICUS_OK, 0, "done")                                                                                               \
  X(PICUS_NOT_CONVERGED, 1, "an iteration did not reach its tolerance")                                                \
  X(PICUS_NO_SOLUTION, 2, "the contact problem has no solution")                                                       \
  X(PICUS_INTERRUPTED, 3, "interrupted on request")                                                                    \
  X(PICUS_ERROR_MEMORY, -1, "out of memory")                                                                           \
  X(PICUS_ERROR_ARGUMENT, -2, "an argument is out of range")                                                           \
  X(PICUS_ERROR_NAME, -3, "an unknown or repeated name")                                                               \
  X(PICUS_ERROR_DIMENSION, -4, "sizes do not match")                                                                   \
  X(PICUS_ERROR_NUMBER, -5, "not a finite number")                                                                     \
  X(PICUS_ERROR_MODEL, -6, "the model is mechanically inconsistent")                                                   \
  X(PICUS_ERROR_FILE_SYNTAX, -7, "the model file cannot be run")                                                       \
  X(PICUS_ERROR_FILE_LIMIT, -8, "a model exceeds a memory or work limit")                                              \
  X(PICUS_ERROR_SINGULAR, -9, "a matrix that must be regular is singular")                                             \
  X(PICUS_ERROR_STEP, -10, "a step of the simulation failed")                                                          \
  X(PICUS_ERROR_IO, -11, "a file cannot be read or written")                                                           \
  X(PICUS_ERROR_UNSUPPORTED, -12, "not supported in this combination")

typedef enum picus_status {
#define PICUS_STATUS_ENUM(name, value, text) name = (value),
  PICUS_STATUS_LIST(PICUS_STATUS_ENUM)
#undef PICUS_STATUS_ENUM
} picus_status;

/* Indices, numbers of kinds and counts are checked. If one is out of its range, as the -1 of a search that has found
 * nothing, a function that returns a status fails (PICUS_ERROR_ARGUMENT for an index). Others return nothing of
 * meaning, unless their comment states otherwise: NULL for a pointer, NAN for a physical quantity, 0 for a count, -1
 * for an index, the invalid expression, and for a structure one whose name is "", whose numbers are 0, whose indices
 * are -1 and whose other pointers are NULL. */

/* "PICUS_ERROR_NAME", and the text of the list above. Never NULL. */
PICUS_API const char *picus_status_name(picus_status status); /* Lifetime: static */
PICUS_API const char *picus_status_text(picus_status status); /* Lifetime: static */

typedef enum picus_log_level { PICUS_LOG_NOTE = 0, PICUS_LOG_WARNING = 1 } picus_log_level;

/* One function allocates, grows and frees, as in Lua: size 0 frees and returns NULL; old is NULL for a new block;
 * old_size is the size with which the block was allocated. */
typedef void *(*picus_allocate_fn)(void *user, void *old, size_t old_size, size_t new_size);
typedef void (*picus_log_fn)(void *user, picus_log_level level, const char *message);

typedef struct picus_context_def {
  picus_allocate_fn allocate; /* NULL: the C library's allocator */
  void *allocate_user;
  picus_log_fn log; /* NULL: notes and warnings are dropped */
  void *log_user;
} picus_context_def;

/* The last failure reported on a context. If the error does not come from a model file, file is "" and line is 0. */
typedef struct picus_error {
  picus_status status;
  const char *message;
  const char *file;
  int line; /* from 1 */
} picus_error;

/* Hooks and the error slot. Not shared between threads of the host: one context per thread. */
typedef struct picus_context picus_context;

PICUS_API picus_context_def picus_default_context_def(void);
/* def may be NULL: defaults. The context outlives every object created on it. */
PICUS_API picus_status picus_context_create(const picus_context_def *def, picus_context **out);
PICUS_API void picus_context_destroy(picus_context *context); /* NULL is allowed, here and in every destroy */
/* Lifetime: as long as the context; its texts change with the next error. */
PICUS_API const picus_error *picus_last_error(const picus_context *context);
PICUS_API void picus_clear_error(picus_context *context);

/* Threads. Large problems are divided into tasks that run in parallel; results are bitwise identical for any number of
 * threads. A context has one thread, the one that calls, unless it is given more: 1 to 256; 0: one for each core that
 * the process may use. They start when there is enough work and end with the context. Not while a function of the
 * context runs. */
PICUS_API picus_status picus_context_set_threads(picus_context *context, int threads);
/* For hosts with their own threads: run calls task(work, i) once for each i = 0 .. count - 1, in any order and on
 * any threads, and returns when all are done. threads: how many of them run in parallel. A NULL for run: one thread
 * again. */
typedef void (*picus_task_fn)(void *work, int task);
typedef void (*picus_run_tasks_fn)(void *user, int count, picus_task_fn task, void *work);
PICUS_API picus_status picus_context_set_tasks(picus_context *context, int threads, picus_run_tasks_fn run, void *user);
PICUS_API int picus_context_threads(const picus_context *context);

/* Bytes held by all objects of the context: now, and the peak so far. */
PICUS_API size_t picus_context_memory(const picus_context *context);
PICUS_API size_t picus_context_memory_peak(const picus_context *context);

#ifdef __cplusplus
}
#endif

#endif
