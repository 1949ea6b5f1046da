/* Clocks on POSIX systems. */
#define _POSIX_C_SOURCE 200809L
#include "platform/clock.h"

#include <sys/resource.h>
#include <time.h>

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
