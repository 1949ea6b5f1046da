/* Time for measurements. */
#ifndef PICUS_BENCH_CLOCK_H
#define PICUS_BENCH_CLOCK_H

#include <time.h>

static inline double seconds_now(void) {
  struct timespec now;
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* What this thread alone has used, whatever else the machine does. */
static inline double processor_seconds_now(void) {
  struct timespec now;
  (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
