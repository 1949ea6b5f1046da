/* The section of a run: its states at some instants, of which the last ones are kept. The instants are events of the
 * model, switching points of a law, or multiples of a time. States at events come from the recorder's log of states;
 * states at multiples of a time are rows. */
#include "record/internal.h"
#include "study/internal.h"
#include "system/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ENTRY_TIME = STATE_TIME }; /* where the columns of a section begin in an entry of the log of states */

static const char *const changes[] = {"", "closes", "opens", "sticks", "slips", "impact"};
enum { CHANGES = sizeof changes / sizeof *changes };

/* --- what is asked for ----------------------------------------------------------------------------------------------
 */

static int find_event(const picus_system *system, const char *name) {
  for (int k = 0; system->controls && k < system->controls->event_count; k++)
    if (strcmp(system->controls->events[k].name, name) == 0) return k;
  return -1;
}

static int find_law(const picus_system *system, const char *name) {
  for (int k = 0; k < picus_system_law_count(system); k++)
    if (strcmp(picus_system_law_at(system, k).name, name) == 0) return k;
  return -1;
}

typedef struct name_list {
  const picus_system *system;
  int laws;
} name_list;
static const char *next_name(const void *user, int k) {
  const name_list *list = user;
  const int events = list->system->controls ? list->system->controls->event_count : 0;
  if (k < list->laws) return picus_system_law_at(list->system, k).name;
  return k < list->laws + events ? list->system->controls->events[k - list->laws].name : NULL;
}

static picus_status fail_name(const picus_study *study, const char *name) {
  const name_list list = {study->system, picus_system_law_count(study->system)};
  const char *nearest = picus_nearest_name(name, next_name, &list);
  return picus_fail(study->context, PICUS_ERROR_NAME,
                    "a section needs a law or an event of the model, not '%.100s'%s%s%s", name,
                    nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

/* "beak", "beak:closes"; the name of an event may have a colon, too, if it is a crossing. */
static picus_status read_name(picus_study *study, const char *text) {
  study_section *s = &study->section;
  const char *colon = strrchr(text, ':');
  const size_t length = colon ? (size_t)(colon - text) : strlen(text);
  s->name = picus_copy_text(study->context, text);
  if (!s->name) return PICUS_ERROR_MEMORY;
  s->kind = find_event(study->system, s->name) >= 0 ? SECTION_EVENT : SECTION_LAW;
  if (s->kind == SECTION_EVENT) return PICUS_OK;
  s->name[length] = '\0';
  if (s->kind == SECTION_LAW && find_law(study->system, s->name) < 0) return fail_name(study, s->name);
  for (int k = 1; colon && k < CHANGES; k++)
    if (strcmp(colon + 1, changes[k]) == 0) s->change = (section_change)k;
  if (!colon || s->change) return PICUS_OK;
  return picus_fail(study->context, PICUS_ERROR_NAME,
                    "'%.100s': a law closes, opens, sticks, slips or has an impact; its changes are :closes, :opens, "
                    ":sticks, :slips and :impact",
                    text);
}

/* The columns of an entry of the log of states, from the time on. */
static picus_status find_columns(picus_study *study) {
  study_section *s = &study->section;
  picus_column_list list = {0};
  picus_status status = picus_state_log_columns(study->context, study->system, &list);
  if (!status) s->columns = picus_allocate(study->context, list.count, sizeof *s->columns);
  if (!status && !s->columns) status = PICUS_ERROR_MEMORY;
  for (size_t k = ENTRY_TIME; !status && k < list.count; k++) {
    s->columns[s->width] = picus_copy_text(study->context, list.columns[k].name);
    status = s->columns[s->width++] ? PICUS_OK : PICUS_ERROR_MEMORY;
  }
  picus_columns_release(study->context, &list);
  return status;
}

/* The last row of a run is that of its end, whose values are collected. */
static picus_status check_duration(picus_context *context, double duration, double period) {
  const double periods = duration / period;
  if (periods > 0.5 && fabs(periods - round(periods)) < 1e-6 * periods) return PICUS_OK;
  return picus_fail(context, PICUS_ERROR_ARGUMENT,
                    "a run of %.9g s does not last a multiple of %.9g s, the time between the states of its section",
                    duration, period);
}

static bool varies_time(const picus_study *study) {
  for (int k = 0; k < study->axis_count; k++)
    if (strcmp(study->axes[k].name, "t_end") == 0 || strcmp(study->axes[k].name, "t_start") == 0) return true;
  return false;
}

static picus_status check_section(const picus_study *study, long last) {
  const study_section *s = &study->section;
  const size_t most = (PICUS_JOURNAL_RECORD / 2) / ((size_t)s->width * sizeof(double));
  if (last < 1 || (size_t)last > most)
    return picus_fail(study->context, PICUS_ERROR_ARGUMENT,
                      "a section keeps 1 to %zu states of each run of this model, not %ld", most, last);
  if (s->kind == SECTION_LAW && !picus_state_log_width_allows_switchings((size_t)s->width + ENTRY_TIME))
    return picus_fail(
        study->context, PICUS_ERROR_UNSUPPORTED,
        "this model has too many coordinates for states at switching points of '%s'; define an event with "
        "'on' in the model file",
        s->name);
  for (int k = 0; s->kind == SECTION_TIMES && k < study->value_count; k++)
    if (study->values[k].kind > COLLECT_LAST && study->values[k].kind < COLLECT_TOTAL)
      return picus_fail(study->context, PICUS_ERROR_UNSUPPORTED,
                        "'%s' needs all steps, states at multiples of %.9g s only some; make two studies",
                        study->values[k].name, s->period);
  if (s->kind != SECTION_TIMES || varies_time(study)) return PICUS_OK;
  return check_duration(study->context, study->options.t_end - study->options.t_start, s->period);
}

picus_status picus_study_find_section(picus_study *study, const picus_study_def *def) {
  study_section *s = &study->section;
  picus_status status = PICUS_OK;
  if (!def->section && def->section_period == 0) return status;
  if (def->section && def->section_period != 0)
    return picus_fail(study->context, PICUS_ERROR_ARGUMENT,
                      "a section has states at '%.100s' or at multiples of a time, not both", def->section);
  if (!def->section && !(def->section_period > 0 && isfinite(def->section_period)))
    return picus_fail(study->context, PICUS_ERROR_ARGUMENT,
                      "the time between states must be a number above 0, not %.9g", def->section_period);
  s->kind = SECTION_TIMES;
  s->period = def->section_period;
  if (def->section) status = read_name(study, def->section);
  s->last = def->section_last;
  if (!status) status = find_columns(study);
  if (!status) status = check_section(study, s->last);
  if (!status && s->kind == SECTION_TIMES) study->options.sample = s->period;
  return status;
}

void picus_study_release_section(picus_study *study) {
  study_section *s = &study->section;
  for (int k = 0; k < s->width; k++) picus_release(study->context, s->columns[k]);
  picus_release(study->context, s->columns);
  picus_release(study->context, s->name);
}

/* --- states of a run ------------------------------------------------------------------------------------------------
 */

/* Keeps one more state, in place of the first one if there are enough. */
static double *next_entry(section_fold *f) {
  const study_section *s = &f->study->section;
  return f->entries + (f->count++ % s->last) * s->width;
}

/* The laws and events of this run: parameters may have changed their order. */
static picus_status open_section(void *self, const picus_run_description *run, int column_count,
                                 const picus_column *columns) {
  section_fold *f = self;
  const study_section *s = &f->study->section;
  if (s->kind == SECTION_EVENT) f->index = find_event(run->system, s->name);
  if (s->kind == SECTION_LAW) f->index = find_law(run->system, s->name);
  if (f->index < 0) return picus_fail(f->context, PICUS_ERROR_NAME, "the run has no law or event '%s'", s->name);
  if (s->kind == SECTION_TIMES) {
    const picus_status status = check_duration(f->context, run->options->t_end - run->options->t_start, s->period);
    if (status) return status;
  }
  for (int k = 0; s->kind == SECTION_TIMES && k < s->width; k++) {
    f->columns[k] = -1;
    for (int c = 0; c < column_count && f->columns[k] < 0; c++)
      if (strcmp(columns[c].name, s->columns[k]) == 0) f->columns[k] = c;
    if (f->columns[k] < 0) return picus_fail(f->context, PICUS_ERROR_NAME, "the run has no column '%s'", s->columns[k]);
  }
  return PICUS_OK;
}

static bool is_change(const picus_switching *switching, section_change change) {
  switch (change) {
  case CHANGE_CLOSES:
    return switching->from == PICUS_OPEN && switching->to != PICUS_OPEN;
  case CHANGE_OPENS:
    return switching->from != PICUS_OPEN && switching->to == PICUS_OPEN;
  case CHANGE_STICKS:
    return switching->from == PICUS_SLIP && switching->to == PICUS_STICK;
  case CHANGE_SLIPS:
    return switching->from == PICUS_STICK && switching->to == PICUS_SLIP;
  case CHANGE_IMPACT:
    return switching->impact != 0;
  default:
    return true;
  }
}

/* The numbers of the switching points whose states follow. */
static picus_status mark_switchings(void *self, long count, const picus_switching *switchings) {
  section_fold *f = self;
  for (long k = 0; k < count; k++, f->switchings++) {
    if (switchings[k].law != f->index || !is_change(&switchings[k], f->study->section.change)) continue;
    if (picus_grow(f->context, &f->wanted, f->wanted_count, &f->wanted_capacity, sizeof *f->wanted))
      return PICUS_ERROR_MEMORY;
    f->wanted[f->wanted_count++] = f->switchings;
  }
  return PICUS_OK;
}

/* Of detected laws as well: their switching points count. */
static picus_status see_law(void *self, const picus_switching *first) {
  (void)self, (void)first;
  return PICUS_OK;
}

static bool is_wanted(section_fold *f, const double *entry) {
  if (f->study->section.kind == SECTION_EVENT) return entry[STATE_EVENT] == f->index;
  while (f->seen < f->wanted_count && (double)f->wanted[f->seen] < entry[STATE_SWITCHING]) f->seen++;
  return f->seen < f->wanted_count && (double)f->wanted[f->seen] == entry[STATE_SWITCHING];
}

static picus_status take_states(void *self, long count, int width, const double *entries) {
  section_fold *f = self;
  const size_t size = (size_t)f->study->section.width * sizeof(double);
  for (long k = 0; k < count; k++)
    if (is_wanted(f, entries + k * width)) memcpy(next_entry(f), entries + k * width + ENTRY_TIME, size);
  memmove(f->wanted, f->wanted + f->seen, (f->wanted_count - f->seen) * sizeof *f->wanted);
  f->wanted_count -= f->seen;
  f->seen = 0;
  return PICUS_OK;
}

/* Rows at multiples of the period; the first and the last row of a run may be others. */
static picus_status take_rows(void *self, long row_count, int column_count, const double *rows) {
  section_fold *f = self;
  const study_section *s = &f->study->section;
  for (long i = 0; i < row_count; i++) {
    const double *row = rows + i * column_count, periods = (row[0] - f->t_start) / s->period;
    if (periods < 0.5 || fabs(periods - round(periods)) > 1e-6) continue;
    double *to = next_entry(f);
    for (int k = 0; k < s->width; k++) to[k] = row[f->columns[k]];
  }
  return PICUS_OK;
}

static void destroy_section(void *self) {
  section_fold *f = self;
  picus_release(f->context, f->wanted);
  f->wanted = NULL;
}

picus_sink picus_study_section_sink(section_fold *fold) {
  if (fold->study->section.kind == SECTION_TIMES)
    return (picus_sink){.self = fold, .open = open_section, .write = take_rows};
  return (picus_sink){.self = fold,
                      .open = open_section,
                      .write_switchings = mark_switchings,
                      .write_law = see_law,
                      .write_states = take_states,
                      .destroy = destroy_section};
}

static void reverse(double *entries, long from, long to, int width) {
  for (long i = from, j = to - 1; i < j; i++, j--)
    for (int k = 0; k < width; k++) {
      const double kept = entries[i * width + k];
      entries[i * width + k] = entries[j * width + k];
      entries[j * width + k] = kept;
    }
}

/* The ring becomes a list, by three reversals. */
long picus_study_section_end(section_fold *fold) {
  const study_section *s = &fold->study->section;
  if (fold->count <= s->last) return fold->count;
  const long first = fold->count % s->last;
  reverse(fold->entries, 0, first, s->width);
  reverse(fold->entries, first, s->last, s->width);
  reverse(fold->entries, 0, s->last, s->width);
  return s->last;
}
