/* Locks, conditions, threads and clocks of the operating system. Locks and threads are not those of C11, which the
 * thread sanitizer does not support. A lock that is used correctly has no errors to report. */
#ifndef PICUS_PLATFORM_THREADS_H
#define PICUS_PLATFORM_THREADS_H

#include <stdbool.h>
#ifndef _WIN32
#include <pthread.h>
#endif

#ifdef _WIN32
typedef struct picus_mutex {
  void *own;
} picus_mutex;
typedef struct picus_condition {
  void *own;
} picus_condition;
typedef struct picus_thread {
  void *own;
} picus_thread;
#else
typedef struct picus_mutex {
  pthread_mutex_t own;
} picus_mutex;
typedef struct picus_condition {
  pthread_cond_t own;
} picus_condition;
typedef struct picus_thread {
  pthread_t own;
} picus_thread;
#endif

bool picus_mutex_create(picus_mutex *mutex); /* false: the system has none left */
void picus_mutex_destroy(picus_mutex *mutex);
void picus_mutex_take(picus_mutex *mutex);
void picus_mutex_give(picus_mutex *mutex);

bool picus_condition_create(picus_condition *condition);
void picus_condition_destroy(picus_condition *condition);
void picus_condition_wait(picus_condition *condition, picus_mutex *mutex); /* it may return early */
void picus_condition_wake(picus_condition *condition);                     /* all that wait */

/* The thread gets no signals: they go to the threads of the program. */
bool picus_thread_start(picus_thread *thread, void *(*work)(void *), void *argument);
void picus_thread_join(picus_thread *thread);

int picus_cores(void); /* that this process may use, at least 1 */

/* Clocks of the operating system, in seconds. */

double picus_clock_steady(void);       /* since some moment; never turned back */
double picus_clock_date(void);         /* since 1970 */
double picus_clock_thread(void);       /* CPU time of this thread */
double picus_clock_process(void);      /* CPU time of this process */
double picus_clock_children(void);     /* CPU time of all processes that were started and waited for */
void picus_clock_wait(double seconds); /* sleeps at least so long, or until a signal */

#endif
