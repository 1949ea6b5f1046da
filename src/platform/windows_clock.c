/* Clocks on Windows. */
#include "platform/clock.h"

#include <stdint.h>
#include <windows.h>

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
