/* The parts of native code: text, compiler, cache. */
#ifndef PICUS_NATIVE_INTERNAL_H
#define PICUS_NATIVE_INTERNAL_H

#include "base/checksums.h"
#include "base/file_names.h"
#include "base/internal.h"
#include "expr/tape.h"
#include "native/native.h"

/* ---- native_text.c */
typedef struct native_text {
  picus_context *context;
  char *bytes;
  size_t length, capacity;
  size_t functions; /* written so far */
  bool failed;      /* out of memory */
} native_text;
void picus_native_write(native_text *text, const char *format, ...) PICUS_PRINTF(2, 3);
/* The functions of some tapes, and the table of all of them, as C. */
void picus_native_write_tapes(native_text *text, int tape_count, picus_tape *const *tapes);
/* Functions of a tape: a stage has one for each so many instructions, because compilers take more time for each
 * instruction of a long function. */
enum { NATIVE_FUNCTION_LENGTH = 400 };
int picus_native_function_count(const picus_tape *tape, int stage);

typedef enum native_end {
  NATIVE_DONE,
  NATIVE_FAILED,
  NATIVE_NOT_FOUND,
  NATIVE_TOO_LONG,
  NATIVE_INTERRUPTED
} native_end;

/* ---- native_compiler.c */
enum { NATIVE_WORDS_MOST = 16, NATIVE_COMMAND_SIZE = 1024, NATIVE_VERSION_SIZE = 1024 };
typedef struct native_compiler {
  int word_count;
  const char *words[NATIVE_WORDS_MOST + 1]; /* in the command */
  char command[NATIVE_COMMAND_SIZE];
  char version[NATIVE_VERSION_SIZE]; /* what it says about itself */
} native_compiler;
/* All return NATIVE_DONE, or another end and a note. */
native_end picus_native_find_compiler(const picus_native_request *request, native_compiler *compiler, char *note);
native_end picus_native_compile(const picus_native_request *request, const native_compiler *compiler,
                                const char *source, const char *object, char *note);
extern const char *const picus_native_flags[]; /* ended by NULL */

/* ---- native_cache.c: all return false with a note */
void picus_native_note(char *note, const char *format, ...) PICUS_PRINTF(2, 3);
/* Finds or creates the folder, which only the user may write. */
bool picus_native_open_cache(const char *given, char folder[PICUS_PATH_SIZE], char *note);
/* Is the file one of the user's, and as it was published? */
bool picus_native_is_intact(picus_context *context, const char *path);
/* A folder of its own in the cache to work in. */
bool picus_native_begin_work(const char *folder, char work[PICUS_PATH_SIZE], char *note);
bool picus_native_save_source(const char *path, const native_text *text, char *note);
/* Seals an object with its check sum and renames it. */
bool picus_native_publish(picus_context *context, const char *object, const char *path, char *note);
void picus_native_end_work(const char *work); /* removes the folder and the files that a build has in it */
enum { NATIVE_OBJECT_MOST = 1 << 30 };        /* bytes */
#define NATIVE_SOURCE_NAME "tapes.c"
#define NATIVE_OBJECT_NAME "tapes.so"
#define NATIVE_WORK_PREFIX "build-"

void picus_native_note_use(const char *path); /* of an object in the cache */
/* Removes what killed compilers have left, and the objects whose use is the longest ago, until all have at most so many
 * bytes; that of the key `kept` stays. What cannot be removed stays too. */
void picus_native_trim(picus_context *context, const char *folder, const char *kept, long most);

#endif
