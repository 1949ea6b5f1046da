/* Clocks of the operating system, in seconds. */
#ifndef PICUS_PLATFORM_CLOCK_H
#define PICUS_PLATFORM_CLOCK_H

double picus_clock_steady(void);       /* since some moment; never turned back */
double picus_clock_date(void);         /* since 1970 */
double picus_clock_thread(void);       /* CPU time of this thread */
double picus_clock_process(void);      /* CPU time of this process */
double picus_clock_children(void);     /* CPU time of all processes that were started and waited for */
void picus_clock_wait(double seconds); /* sleeps at least so long, or until a signal */

#endif
