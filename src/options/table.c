/* The table of run options, their values and ranges. */
#include "options/table.h"

#include "base/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const forecasts[] = {
    [PICUS_FORECAST_EXPLICIT] = "explicit", [PICUS_FORECAST_FREE] = "free", [PICUS_FORECAST_MIXED] = "mixed", NULL};
static const char *const metrics[] = {[PICUS_METRIC_IDENTITY] = "identity", [PICUS_METRIC_INERTIA] = "inertia", NULL};
static const char *const projections[] = {[PICUS_PROJECTION_DECOUPLED] = "decoupled",
                                          [PICUS_PROJECTION_COUPLED] = "coupled",
                                          [PICUS_PROJECTION_AFTER] = "after",
                                          NULL};
static const char *const slip_directions[] = {[PICUS_SLIP_MEAN] = "mean", [PICUS_SLIP_END] = "end", NULL};
static const char *const sequences[] = {[PICUS_SUBSTEPS_ODD] = "odd", [PICUS_SUBSTEPS_NATURAL] = "natural", NULL};
static const char *const step_controls[] = {
    [PICUS_STEP_CONTROL_FORECAST] = "forecast", [PICUS_STEP_CONTROL_PAPER] = "paper", NULL};
static const char *const impact_laws[] = {[PICUS_IMPACT_OF_RUN] = "newton",
                                          [PICUS_IMPACT_POISSON] = "poisson",
                                          [PICUS_IMPACT_SEQUENTIAL] = "sequential",
                                          NULL};
static const char *const pairs[] = {
    [PICUS_PAIRS_NONE] = "none", [PICUS_PAIRS_BODIES] = "bodies", [PICUS_PAIRS_MATERIALS] = "materials", NULL};
static const char *const restitutions[] = {[PICUS_RESTITUTION_ALWAYS] = "always",
                                           [PICUS_RESTITUTION_IMPACTS] = "impacts",
                                           [PICUS_RESTITUTION_MODIFIED] = "modified",
                                           NULL};

/* Forms of ranges. */
#define RANGE_ANY() .low = -INFINITY, .high = INFINITY
#define RANGE_ABOVE(least) .low = (least), .high = INFINITY, .above_low = true
#define RANGE_FROM(least) .low = (least), .high = INFINITY
#define RANGE_WITHIN(least, most) .low = (least), .high = (most)
#define RANGE_BETWEEN(least, most) .low = (least), .high = (most), .above_low = true, .below_high = true
#define RANGE_UP_TO(least, most) .low = (least), .high = (most), .below_high = true
#define RANGE_YES_OR_NO() .low = 0, .high = 1
#define RANGE_WORDS(list) .words = (list)

#define ROW(id, field, type, cli, value, by_default, form, numbers, measure, whose, text_of_help)                      \
  [PICUS_OPTION_##id] = {.name = #id,                                                                                  \
                         .flag = (cli),                                                                                \
                         .argument = (value),                                                                          \
                         .unit = (measure),                                                                            \
                         .runs = (whose),                                                                              \
                         .help = (text_of_help),                                                                       \
                         .kind = PICUS_OPTION_##type,                                                                  \
                         .offset = offsetof(picus_run_options, field),                                                 \
                         by_default,                                                                                   \
                         RANGE_##form numbers},
const picus_option picus_option_table[PICUS_OPTION_TOTAL] = {PICUS_RUN_OPTIONS(ROW)};

/* Fields have the types of their kinds. */
#define TYPE_FLAG bool
#define TYPE_INTEGER int
#define TYPE_COUNT long
#define TYPE_NUMBER double
#define TYPE_WORD int
#define TYPE_NAME const char *
#define TYPE_OF_TABLEAU picus_tableau
#define FIT(id, field, type, cli, value, by_default, form, numbers, measure, whose, text_of_help)                      \
  _Static_assert(sizeof(((picus_run_options *)NULL)->field) == sizeof(TYPE_##type), #id);
PICUS_RUN_OPTIONS(FIT)

int picus_option_find(const char *name) {
  for (int k = 0; name && k < PICUS_OPTION_TOTAL; k++)
    if (strcmp(picus_option_table[k].name, name) == 0) return k;
  return -1;
}

const char *picus_option_name_at(const void *unused, int k) {
  (void)unused;
  return k >= 0 && k < PICUS_OPTION_TOTAL ? picus_option_table[k].name : NULL;
}

const char *picus_option_word(int option, int k) {
  const char *const *words = picus_option_table[option].words;
  for (int i = 0; k >= 0 && i < k; i++)
    if (!words[i]) return NULL;
  return k >= 0 ? words[k] : NULL;
}

int picus_option_find_word(int option, const char *word) {
  for (int k = 0; picus_option_word(option, k); k++)
    if (strcmp(picus_option_word(option, k), word) == 0) return k;
  return -1;
}

bool picus_option_takes_text(int option) {
  const picus_option *o = &picus_option_table[option];
  return o->words || o->kind == PICUS_OPTION_NAME || o->kind == PICUS_OPTION_OF_TABLEAU;
}

bool picus_option_is_early(int option) { return option == PICUS_OPTION_t_start || option == PICUS_OPTION_assemble; }

bool picus_option_may_change(int option) { return option == PICUS_OPTION_t_end || option == PICUS_OPTION_dt_max; }

/* --- values ------------------------------------------------------------------------------------------------------- */

static const void *field_of(const picus_run_options *options, int option) {
  return (const char *)options + picus_option_table[option].offset;
}

double picus_option_number(const picus_run_options *options, int option) {
  const void *field = field_of(options, option);
  int word;
  switch (picus_option_table[option].kind) {
  case PICUS_OPTION_FLAG:
    return *(const bool *)field;
  case PICUS_OPTION_INTEGER:
    return *(const int *)field;
  case PICUS_OPTION_COUNT:
    return (double)*(const long *)field;
  case PICUS_OPTION_NUMBER:
    return *(const double *)field;
  case PICUS_OPTION_WORD:
    memcpy(&word, field, sizeof word); /* an enum */
    return word;
  case PICUS_OPTION_NAME:
  case PICUS_OPTION_OF_TABLEAU:
    break;
  }
  return 0;
}

void picus_option_set_number(picus_run_options *options, int option, double value) {
  void *field = (char *)options + picus_option_table[option].offset;
  const int word = (int)value;
  switch (picus_option_table[option].kind) {
  case PICUS_OPTION_FLAG:
    *(bool *)field = value != 0;
    break;
  case PICUS_OPTION_INTEGER:
    *(int *)field = word;
    break;
  case PICUS_OPTION_COUNT:
    *(long *)field = (long)value;
    break;
  case PICUS_OPTION_NUMBER:
    *(double *)field = value;
    break;
  case PICUS_OPTION_WORD:
    memcpy(field, &word, sizeof word);
    break;
  case PICUS_OPTION_NAME:
  case PICUS_OPTION_OF_TABLEAU:
    break;
  }
}

const char *picus_option_text(const picus_run_options *options, int option) {
  const picus_option *o = &picus_option_table[option];
  if (o->kind == PICUS_OPTION_NAME) return *(const char *const *)field_of(options, option);
  return o->words ? picus_option_word(option, (int)picus_option_number(options, option)) : NULL;
}

void picus_option_set_name(picus_run_options *options, int option, const char *name) {
  *(const char **)((char *)options + picus_option_table[option].offset) = name;
}

picus_run_options picus_option_defaults(void) {
  picus_run_options options = {.assemble = false};
  for (int k = 0; k < PICUS_OPTION_TOTAL; k++)
    if (picus_option_table[k].kind == PICUS_OPTION_NAME)
      picus_option_set_name(&options, k, picus_option_table[k].text);
    else
      picus_option_set_number(&options, k, picus_option_table[k].number);
  return options;
}

bool picus_option_is_default(const picus_run_options *options, int option) {
  const picus_option *o = &picus_option_table[option];
  if (o->kind == PICUS_OPTION_NAME) return strcmp(picus_option_text(options, option), o->text) == 0;
  if (o->kind == PICUS_OPTION_OF_TABLEAU) return ((const picus_tableau *)field_of(options, option))->stages == 0;
  return picus_option_number(options, option) == o->number;
}

void picus_options_follow(picus_run_options *options, const bool given[PICUS_OPTION_TOTAL]) {
  picus_sim_options *o = &options->sim;
  if (given[PICUS_OPTION_tolerance] && !given[PICUS_OPTION_heap_tolerance])
    o->solver.heap_tolerance = o->solver.tolerance; /* also if it equals the default */
  if (given[PICUS_OPTION_sample] && o->sample > 0 && !given[PICUS_OPTION_every]) o->every = 0; /* one or the other */
  if (given[PICUS_OPTION_every] && !given[PICUS_OPTION_sample]) o->sample = 0;
  if (given[PICUS_OPTION_order_max] && !given[PICUS_OPTION_order]) o->order = 0;
}

/* --- ranges ------------------------------------------------------------------------------------------------------- */

enum { NUMBER_TEXT = 40 };

static bool is_whole(int option) { return picus_option_table[option].kind != PICUS_OPTION_NUMBER; }

bool picus_option_allows(int option, double value) {
  const picus_option *o = &picus_option_table[option];
  if (o->words) return value >= 0 && value == floor(value) && value < 100 && picus_option_word(option, (int)value);
  if (!isfinite(value) || (is_whole(option) && value != floor(value))) return false;
  return (o->above_low ? value > o->low : value >= o->low) && (o->below_high ? value < o->high : value <= o->high);
}

/* 1e6 instead of 1e+06 */
static void write_number(char text[NUMBER_TEXT], double value) {
  int zeros = 0;
  double rest = value;
  while (rest >= 10 && fmod(rest, 10) == 0) {
    rest /= 10;
    zeros++;
  }
  if (zeros > 4)
    snprintf(text, NUMBER_TEXT, "%ge%d", rest, zeros);
  else
    snprintf(text, NUMBER_TEXT, "%g", value);
}

void picus_option_range(int option, double value, char text[PICUS_RANGE_TEXT]) {
  const picus_option *o = &picus_option_table[option];
  char low[NUMBER_TEXT], high[NUMBER_TEXT];
  write_number(low, o->low);
  write_number(high, isfinite(o->high) ? o->high : 0);
  if (o->words)
    snprintf(text, PICUS_RANGE_TEXT, "one of its words");
  else if (o->kind == PICUS_OPTION_FLAG)
    snprintf(text, PICUS_RANGE_TEXT, "true or false");
  else if (!isfinite(o->low) || !isfinite(value))
    snprintf(text, PICUS_RANGE_TEXT, "finite");
  else if (!isfinite(o->high))
    snprintf(text, PICUS_RANGE_TEXT, o->above_low ? "greater than %s" : "%s or greater", low);
  else if (is_whole(option))
    snprintf(text, PICUS_RANGE_TEXT, "an integer from %s to %s", low, high);
  else if (o->above_low)
    snprintf(text, PICUS_RANGE_TEXT, "between %s and %s", low, high);
  else
    snprintf(text, PICUS_RANGE_TEXT, "in [%s, %s%c", low, high, o->below_high ? ')' : ']');
}

static bool is_of_solver(int option) {
  const size_t begin = offsetof(picus_run_options, sim.solver), offset = picus_option_table[option].offset;
  return offset >= begin && offset < begin + sizeof(picus_solver_options);
}

picus_status picus_options_check(picus_context *context, const picus_run_options *options, bool of_solver) {
  char range[PICUS_RANGE_TEXT];
  for (int k = 0; k < PICUS_OPTION_TOTAL; k++) {
    const picus_option *o = &picus_option_table[k];
    const double value = picus_option_number(options, k);
    if (o->kind == PICUS_OPTION_NAME || o->kind == PICUS_OPTION_OF_TABLEAU || (of_solver && !is_of_solver(k))) continue;
    if (value == o->number || picus_option_allows(k, value) || !(of_solver || picus_option_applies(k, &options->sim)))
      continue;
    if (o->words) return picus_fail(context, PICUS_ERROR_ARGUMENT, "there is no %s %d", o->name, (int)value);
    picus_option_range(k, value, range);
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "%s = %g must be %s", o->name, value, range);
  }
  return PICUS_OK;
}

/* --- runs that heed an option ------------------------------------------------------------------------------------- */

static bool begins_with(const char *list, size_t length, const char *name) {
  return name && strlen(name) == length && strncmp(list, name, length) == 0;
}

bool picus_option_applies(int option, const picus_sim_options *options) {
  const char *at = picus_option_table[option].runs;
  bool is_named = *at == '\0';
  while (*at) {
    const size_t length = strcspn(at, ",;:");
    is_named = is_named || begins_with(at, length, options->scheme) ||
               begins_with(at, length, options->solver.solver) ||
               begins_with(at, length, options->adaptive ? "adaptive steps" : "fixed steps");
    at += length;
    if (*at == ';' && !is_named) return false;
    if (*at == ';') is_named = false;
    at += 2; /* and a space */
  }
  return is_named;
}

void picus_options_drop(picus_sim_options *options, const bool *dropped) {
  const picus_run_options defaults = picus_option_defaults();
  picus_run_options all = {.sim = *options};
  for (int k = 0; k < PICUS_OPTION_TOTAL; k++) {
    if ((dropped && !dropped[k]) || picus_option_applies(k, options)) continue;
    picus_option_set_number(&all, k, picus_option_number(&defaults, k));
    if (k == PICUS_OPTION_tableau) all.sim.half_explicit.tableau = defaults.sim.half_explicit.tableau;
  }
  *options = all.sim;
}

void picus_option_tell_ignored(picus_context *context, int option) {
  const picus_option *o = &picus_option_table[option];
  picus_log(context, PICUS_LOG_WARNING, "%s has no effect in this run: it is for %.*s; leave it out", o->name,
            (int)strcspn(o->runs, ":"), o->runs);
}
