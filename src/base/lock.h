/* A lock for the few objects that threads share and that change. Always held for a short piece of code in one function,
 * and never while another one is held. */
#ifndef PICUS_BASE_LOCK_H
#define PICUS_BASE_LOCK_H

#include "base/internal.h"

typedef struct picus_lock picus_lock;

picus_status picus_lock_create(picus_context *context, picus_lock **out);
void picus_lock_destroy(picus_context *context, picus_lock *lock); /* NULL is fine */
void picus_lock_take(picus_lock *lock);
void picus_lock_give(picus_lock *lock);

#endif
