/* Locks, conditions, threads and clocks on Windows. */
#include "platform/threads.h"

#include <stdint.h>
#include <stdlib.h>
#include <windows.h>

_Static_assert(sizeof(SRWLOCK) == sizeof(picus_mutex), "a lock is a pointer");
_Static_assert(sizeof(CONDITION_VARIABLE) == sizeof(picus_condition), "a condition is a pointer");

static SRWLOCK *lock_of(picus_mutex *mutex) { return (SRWLOCK *)(void *)mutex; }
static CONDITION_VARIABLE *condition_of(picus_condition *condition) { return (CONDITION_VARIABLE *)(void *)condition; }

bool picus_mutex_create(picus_mutex *mutex) {
  InitializeSRWLock(lock_of(mutex));
  return true;
}

void picus_mutex_destroy(picus_mutex *mutex) { (void)mutex; }
void picus_mutex_take(picus_mutex *mutex) { AcquireSRWLockExclusive(lock_of(mutex)); }
void picus_mutex_give(picus_mutex *mutex) { ReleaseSRWLockExclusive(lock_of(mutex)); }

bool picus_condition_create(picus_condition *condition) {
  InitializeConditionVariable(condition_of(condition));
  return true;
}

void picus_condition_destroy(picus_condition *condition) { (void)condition; }
void picus_condition_wait(picus_condition *condition, picus_mutex *mutex) {
  (void)SleepConditionVariableSRW(condition_of(condition), lock_of(mutex), INFINITE, 0);
}
void picus_condition_wake(picus_condition *condition) { WakeAllConditionVariable(condition_of(condition)); }

typedef struct thread_start {
  void *(*work)(void *);
  void *argument;
} thread_start;

static DWORD WINAPI begin(void *start) {
  const thread_start own = *(thread_start *)start;
  HeapFree(GetProcessHeap(), 0, start);
  (void)own.work(own.argument);
  return 0;
}

bool picus_thread_start(picus_thread *thread, void *(*work)(void *), void *argument) {
  thread_start *start = HeapAlloc(GetProcessHeap(), 0, sizeof *start);
  if (!start) return false;
  *start = (thread_start){work, argument};
  thread->own = CreateThread(NULL, 0, begin, start, 0, NULL);
  if (!thread->own) HeapFree(GetProcessHeap(), 0, start);
  return thread->own != NULL;
}

void picus_thread_join(picus_thread *thread) {
  (void)WaitForSingleObject(thread->own, INFINITE);
  (void)CloseHandle(thread->own);
}

int picus_cores(void) {
  DWORD_PTR own, all;
  int count = 0;
  if (GetProcessAffinityMask(GetCurrentProcess(), &own, &all))
    for (; own; own &= own - 1) count++;
  return count > 0 ? count : 1;
}

/* --- clocks ------------------------------------------------------------------------------------------------------- */

/* Clocks on Windows. */

/* Units of 100 ns. */
static double seconds_of(FILETIME time) {
  return 1e-7 * (double)((uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime);
}

double picus_clock_steady(void) {
  LARGE_INTEGER count, rate;
  QueryPerformanceFrequency(&rate);
  QueryPerformanceCounter(&count);
  return (double)count.QuadPart / (double)rate.QuadPart;
}

double picus_clock_date(void) {
  FILETIME now;
  GetSystemTimeAsFileTime(&now);
  return seconds_of(now) - 11644473600.0; /* from 1601 to 1970 */
}

double picus_clock_thread(void) {
  FILETIME begin, end, system, user;
  if (!GetThreadTimes(GetCurrentThread(), &begin, &end, &system, &user)) return 0;
  return seconds_of(system) + seconds_of(user);
}

double picus_clock_process(void) {
  FILETIME begin, end, system, user;
  if (!GetProcessTimes(GetCurrentProcess(), &begin, &end, &system, &user)) return 0;
  return seconds_of(system) + seconds_of(user);
}

double picus_clock_children(void) { return 0; } /* Windows does not add them up */

void picus_clock_wait(double seconds) { Sleep((DWORD)(1000 * seconds + 0.999)); }
