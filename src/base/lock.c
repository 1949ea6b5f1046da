/* Locks of POSIX: the thread sanitizer does not know those of C11. */
#define _POSIX_C_SOURCE 200809L
#include "base/lock.h"

#include <pthread.h>

struct picus_lock {
  pthread_mutex_t mutex;
};

picus_status picus_lock_create(picus_context *context, picus_lock **out) {
  picus_lock *lock = picus_allocate(context, 1, sizeof *lock);
  *out = NULL;
  if (!lock) return PICUS_ERROR_MEMORY;
  if (pthread_mutex_init(&lock->mutex, NULL) != 0) {
    picus_release(context, lock);
    return picus_fail(context, PICUS_ERROR_MEMORY, "the operating system has no lock left; close other programs");
  }
  *out = lock;
  return PICUS_OK;
}

void picus_lock_destroy(picus_context *context, picus_lock *lock) {
  if (!lock) return;
  (void)pthread_mutex_destroy(&lock->mutex);
  picus_release(context, lock);
}

/* A lock that is used as lock.h says has no errors to report. */
void picus_lock_take(picus_lock *lock) { (void)pthread_mutex_lock(&lock->mutex); }
void picus_lock_give(picus_lock *lock) { (void)pthread_mutex_unlock(&lock->mutex); }
