/* Tapes as native code: written as C, compiled by the system's compiler into a shared object, kept in the user's cache
 * and loaded. The code does the operations of the interpreter, each rounded by itself, in the same order, and calls the
 * same functions: values have the same bits. */
#ifndef PICUS_NATIVE_NATIVE_H
#define PICUS_NATIVE_NATIVE_H

#include <picus/expr.h>

enum { PICUS_NATIVE_NOTE_SIZE = 256, PICUS_NATIVE_OPERATIONS_MOST = 2000000, PICUS_NATIVE_CACHE_MOST = 256 << 20 };

/* The loaded code of some tapes. */
typedef struct picus_native picus_native;

typedef struct picus_native_request {
  int tape_count;
  picus_tape *const *tapes;     /* NULL among them: none */
  const char *cache;            /* the folder of shared objects; NULL: picus in $XDG_CACHE_HOME, or in ~/.cache */
  const char *compiler;         /* words, such as "ccache gcc"; NULL: $CC, or the first of cc, gcc, clang */
  double seconds;               /* limit of one run of the compiler */
  long most_operations;         /* more would take too long; 0: PICUS_NATIVE_OPERATIONS_MOST */
  long cache_most;              /* bytes of all objects in the cache; 0: PICUS_NATIVE_CACHE_MOST */
  int (*interrupt)(void *user); /* may be NULL */
  void *user;
} picus_native_request;

typedef struct picus_native_outcome {
  picus_native *code;                /* NULL: the tapes are interpreted; destroy it after them */
  long operations;                   /* of the tapes */
  bool compiled;                     /* false: found in the cache */
  char note[PICUS_NATIVE_NOTE_SIZE]; /* why they are interpreted, or "" */
} picus_native_outcome;

/* From now on, the tapes run as native code. What keeps them from it, such as a system without compiler, is no failure:
 * see the note. Fails if memory runs out, or with PICUS_INTERRUPTED. */
picus_status picus_native_create(picus_context *context, const picus_native_request *request,
                                 picus_native_outcome *outcome);
void picus_native_destroy(picus_native *native); /* NULL is fine */

#endif
