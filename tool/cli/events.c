/* Switching points into events: Studer 2008, Table VII, lists contacts that close and open at the same instant. */
#include "events.h"

#include <math.h>
#include <stdlib.h>

static bool belongs_to(const cli_event *event, const picus_switching *switchings, const picus_switching *next) {
  const picus_switching *last = &switchings[event->last];
  return next->t - last->t <= (CLI_EVENT_STEPS + 0.5) * fmax(last->dt, next->dt); /* half a step for round-off */
}

static void add(cli_event *event, const picus_switching *switching, long index) {
  event->lost += switching->lost + (event->count > 0 ? switching->lost_before : 0);
  event->last = index;
  event->count++;
  event->PN += switching->PN;
  event->impacts += switching->impact;
  for (int k = 0; k < 3; k++) event->PF[k] += switching->PF[k];
  if (switching->bounces > 0) {
    event->bounces = switching->bounces;
    event->limit = switching->limit;
  }
}

long cli_find_events(int law_count, int law, long count, const picus_switching *switchings, cli_event **out) {
  cli_event *list = calloc((size_t)count + 1, sizeof *list);
  long *open = calloc((size_t)law_count + 1, sizeof *open); /* of each law: 1 + its last event; 0: none yet */
  long found = list && open ? 0 : -1;
  for (long k = 0; found >= 0 && k < count; k++) {
    int of = switchings[k].law;
    if (law >= 0 && of != law) continue;
    if (open[of] == 0 || !belongs_to(&list[open[of] - 1], switchings, &switchings[k])) {
      list[found] = (cli_event){.first = k, .law = of, .limit = NAN};
      open[of] = ++found;
    }
    add(&list[open[of] - 1], &switchings[k], k);
  }
  free(open);
  if (found < 0) free(list);
  *out = found < 0 ? NULL : list;
  return found;
}
