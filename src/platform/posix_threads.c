/* Locks, conditions, threads and clocks on POSIX systems. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "platform/threads.h"

#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

bool picus_mutex_create(picus_mutex *mutex) { return pthread_mutex_init(&mutex->own, NULL) == 0; }
void picus_mutex_destroy(picus_mutex *mutex) { (void)pthread_mutex_destroy(&mutex->own); }
void picus_mutex_take(picus_mutex *mutex) { (void)pthread_mutex_lock(&mutex->own); }
void picus_mutex_give(picus_mutex *mutex) { (void)pthread_mutex_unlock(&mutex->own); }

bool picus_condition_create(picus_condition *condition) { return pthread_cond_init(&condition->own, NULL) == 0; }
void picus_condition_destroy(picus_condition *condition) { (void)pthread_cond_destroy(&condition->own); }
void picus_condition_wait(picus_condition *condition, picus_mutex *mutex) {
  (void)pthread_cond_wait(&condition->own, &mutex->own);
}
void picus_condition_wake(picus_condition *condition) { (void)pthread_cond_broadcast(&condition->own); }

bool picus_thread_start(picus_thread *thread, void *(*work)(void *), void *argument) {
  sigset_t all, before;
  (void)sigfillset(&all);
  (void)pthread_sigmask(SIG_SETMASK, &all, &before);
  const bool started = pthread_create(&thread->own, NULL, work, argument) == 0;
  (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
  return started;
}

void picus_thread_join(picus_thread *thread) { (void)pthread_join(thread->own, NULL); }

int picus_cores(void) {
#ifdef CPU_COUNT
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set) < 1 ? 1 : CPU_COUNT(&set);
#endif
  const long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count < 1 ? 1 : count > 4096 ? 4096 : (int)count;
}

/* --- clocks ------------------------------------------------------------------------------------------------------- */

/* Clocks on POSIX systems. */

#define _POSIX_C_SOURCE 200809L

static double read_clock(clockid_t clock) {
  struct timespec now = {0, 0};
  (void)clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double picus_clock_steady(void) { return read_clock(CLOCK_MONOTONIC); }
double picus_clock_date(void) { return read_clock(CLOCK_REALTIME); }
double picus_clock_thread(void) { return read_clock(CLOCK_THREAD_CPUTIME_ID); }
double picus_clock_process(void) { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }

double picus_clock_children(void) {
  struct rusage used = {0};
  (void)getrusage(RUSAGE_CHILDREN, &used);
  return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

void picus_clock_wait(double seconds) {
  const long whole = (long)seconds;
  (void)nanosleep(&(struct timespec){.tv_sec = whole, .tv_nsec = (long)(1e9 * (seconds - (double)whole))}, NULL);
}
