/* Events: switching points of one law that belong together, such as an impact, at which a contact closes and opens.
 */
#ifndef PICUS_CLI_EVENTS_H
#define PICUS_CLI_EVENTS_H

#include <picus/sim.h>

typedef struct cli_event {
  long first, last; /* indices of its first and last switching point in the list */
  long count;       /* of its switching points */
  int law;          /* of all of them */
  double PN, PF[3]; /* N s, sums over the steps of its switching points */
  double lost;      /* J, dissipated by the law from the first to the last */
  int impacts;      /* of its switching points */
  int bounces;      /* of an accumulation point, or 0 */
  double limit;     /* s, if it is one */
} cli_event;

/* One law's switching points that follow each other within this many steps are one event. */
enum { CLI_EVENT_STEPS = 4 };

/* Finds the events of a law, or of all (law -1), ordered by their start; returns their number, or -1: out of memory.
 * The caller frees *out. */
long cli_find_events(int law_count, int law, long count, const picus_switching *switchings, cli_event **out);

#endif
