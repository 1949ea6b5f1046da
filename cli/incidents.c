/* Switching points into incidents: Studer 2008, Table VII, lists contacts that close and open at the same instant. */
#include "incidents.h"

#include <math.h>
#include <stdlib.h>

static bool belongs_to(const cli_incident *incident, const picus_switching *switchings, const picus_switching *next) {
  const picus_switching *last = &switchings[incident->last];
  return next->t - last->t <= (CLI_INCIDENT_STEPS + 0.5) * fmax(last->dt, next->dt); /* half a step for round-off */
}

static void add(cli_incident *incident, const picus_switching *switching, long index) {
  incident->lost += switching->lost + (incident->count > 0 ? switching->lost_before : 0);
  incident->last = index;
  incident->count++;
  incident->PN += switching->PN;
  incident->impacts += switching->impact;
  for (int k = 0; k < 3; k++) incident->PF[k] += switching->PF[k];
  if (switching->bounces > 0) {
    incident->bounces = switching->bounces;
    incident->limit = switching->limit;
  }
}

long cli_find_incidents(int law_count, int law, long count, const picus_switching *switchings, cli_incident **out) {
  cli_incident *list = calloc((size_t)count + 1, sizeof *list);
  long *open = calloc((size_t)law_count + 1, sizeof *open); /* of each law: 1 + its last incident; 0: none yet */
  long found = list && open ? 0 : -1;
  for (long k = 0; found >= 0 && k < count; k++) {
    int of = switchings[k].law;
    if (law >= 0 && of != law) continue;
    if (open[of] == 0 || !belongs_to(&list[open[of] - 1], switchings, &switchings[k])) {
      list[found] = (cli_incident){.first = k, .law = of, .limit = NAN};
      open[of] = ++found;
    }
    add(&list[open[of] - 1], &switchings[k], k);
  }
  free(open);
  if (found < 0) free(list);
  *out = found < 0 ? NULL : list;
  return found;
}
