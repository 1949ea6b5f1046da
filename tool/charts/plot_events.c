/* Times of events of a result, for marks in figures: of laws, of impacts, of events of the model. */
#include "plot_source.h"

#include <stdlib.h>
#include <string.h>

/* Collects times; of equal ones only the first. */
typedef struct time_list {
  double from, to;
  long count, most;
  double *times; /* most + 1 */
} time_list;

static void add_time(time_list *list, double t) {
  if (t < list->from || t > list->to || list->count > list->most) return;
  if (list->count > 0 && list->times[list->count - 1] == t) return;
  list->times[list->count++] = t;
}

static picus_status add_entries_of_laws(plot_source *source, const char *name, time_list *list, bool *known) {
  const picus_switching *switchings = NULL;
  const bool any_impact = strcmp(name, "impacts") == 0;
  const long listed = picus_result_switching_count(source->result);
  picus_status status = listed > 0 ? picus_result_switchings(source->result, &switchings) : PICUS_OK;
  *known = any_impact;
  for (int k = 0; k < picus_result_law_count(source->result); k++)
    *known = *known || strcmp(picus_result_law_at(source->result, k).name, name) == 0;
  for (long k = 0; !status && k < listed; k++) {
    const picus_switching *s = &switchings[k];
    if (any_impact ? s->impact != 0 : strcmp(picus_result_law_at(source->result, s->law).name, name) == 0)
      add_time(list, s->t);
  }
  return status;
}

static picus_status add_events_of_model(plot_source *source, const char *name, time_list *list, bool *known) {
  picus_event_states events = {0};
  picus_status status = picus_result_event_states(source->result, &events);
  for (long k = 0; !status && k < events.count; k++) {
    const picus_state_at_event *state = &events.states[k];
    if (!state->event || strcmp(state->event, name) != 0) continue;
    *known = true;
    add_time(list, state->t);
  }
  return status;
}

bool plot_source_event_times(plot_source *source, const char *name, long most, double **times, long *count) {
  const double *t = NULL;
  bool law = false, event = false;
  *times = NULL;
  *count = 0;
  if (!source->result) {
    cli_complain("'%s' is a table and has no events", source->path);
    return false;
  }
  if (!plot_source_values(source, picus_result_find(source->result, "t"), PLOT_PERCUSSION, &t)) return false;
  if (source->count == 0) return true;
  time_list list = {.from = t[0], .to = t[source->count - 1], .most = most};
  list.times = calloc((size_t)most + 1, sizeof *list.times);
  if (!list.times) {
    cli_complain("out of memory");
    return false;
  }
  if (add_entries_of_laws(source, name, &list, &law) || (!law && add_events_of_model(source, name, &list, &event))) {
    free(list.times);
    return cli_report_error(source->context, EXIT_WRONG_INPUT) == EXIT_DONE;
  }
  if (!law && !event)
    cli_complain("'%s' has no event '%s'; --events takes impacts, the name of a law, or of an event of the model that "
                 "happened ('picus events' lists them)",
                 source->path, name);
  else if (list.count > most)
    cli_complain("'%s' has more than %ld events '%s' in the figure; choose a shorter time with --from and --to",
                 source->path, most, name);
  if ((!law && !event) || list.count > most) {
    free(list.times);
    return false;
  }
  *times = list.times;
  *count = list.count;
  return true;
}
