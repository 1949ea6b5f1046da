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

/* What all threads of this process have used. */
static inline double process_seconds_now(void) {
  struct timespec now;
  (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A stop watch for work in one thread: processor time, which other work on the machine leaves alone; but asking for it
 * takes half a microsecond, so that short work is measured by the wall clock, and repeated often. */
typedef struct stop_watch {
  double wall, processor;
} stop_watch;
static inline stop_watch stop_watch_start(void) {
  double processor = processor_seconds_now();
  return (stop_watch){seconds_now(), processor};
}
static inline double stop_watch_read(stop_watch begin) {
  double wall = seconds_now() - begin.wall;
  return wall < 1e-4 ? wall : processor_seconds_now() - begin.processor;
}

#endif
