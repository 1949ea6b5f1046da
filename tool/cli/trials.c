/* Which schemes are tried with which step sizes, and the orders that follow from their errors. */
#include "trials.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char adaptive_word[] = "adaptive";

static bool add(cli_trials *trials, const char *scheme, bool adaptive, double step) {
  if (trials->count == trials->capacity) {
    int capacity = trials->capacity ? 2 * trials->capacity : 64;
    cli_trial *list = realloc(trials->list, (size_t)capacity * sizeof *list);
    if (!list) {
      cli_complain("out of memory");
      return false;
    }
    trials->list = list;
    trials->capacity = capacity;
  }
  cli_trial *t = &trials->list[trials->count++];
  *t = (cli_trial){.adaptive = adaptive,
                   .step = step,
                   .position_error = NAN,
                   .velocity_error = NAN,
                   .position_order = NAN,
                   .velocity_order = NAN};
  snprintf(t->scheme, sizeof t->scheme, "%s%.40s", adaptive ? "adaptive " : "", scheme);
  return true;
}

/* The next part of a list with commas, copied; NULL: the end. */
static const char *next_part(const char *list, char *part, size_t size) {
  if (!*list) return NULL;
  size_t length = strcspn(list, ",");
  snprintf(part, size, "%.*s", (int)length, list);
  return list + length + (list[length] == ',');
}

/* Positive numbers with commas; the number of them, 0: already reported. */
static int read_steps(const char *option, const char *list, int most, double *steps) {
  char part[64];
  int count = 0;
  for (const char *rest = list; (rest = next_part(rest, part, sizeof part)) != NULL;) {
    char *end;
    double value = strtod(part, &end);
    if (end == part || *end || !(value > 0) || !isfinite(value)) {
      cli_complain("--%s takes positive numbers with commas, not '%s'", option, list);
      return 0;
    }
    if (count == most) {
      cli_complain("--%s takes at most %d numbers", option, most);
      return 0;
    }
    steps[count++] = value;
  }
  if (count == 0) cli_complain("--%s takes positive numbers with commas, not an empty list", option);
  return count;
}

static bool is_scheme(const char *name) {
  for (int k = 0; picus_scheme_at(k); k++)
    if (strcmp(picus_scheme_at(k)->name, name) == 0) return true;
  return false;
}

enum { STEPS_MOST = 20 };
typedef struct steps {
  int dt_count, tolerance_count;
  double dt[STEPS_MOST], tolerance[STEPS_MOST];
} steps;

static bool add_scheme(cli_trials *trials, const steps *s, const char *scheme, bool adaptive) {
  const int count = adaptive ? s->tolerance_count : s->dt_count;
  for (int k = 0; k < count; k++)
    if (!add(trials, scheme, adaptive, adaptive ? s->tolerance[k] : s->dt[k])) return false;
  return true;
}

/* A name of the list: a scheme, "adaptive", or "adaptive:SCHEME". */
static bool add_name(cli_trials *trials, const steps *s, const char *name, const char *base) {
  const size_t length = sizeof adaptive_word - 1;
  const bool adaptive = strncmp(name, adaptive_word, length) == 0 && (!name[length] || name[length] == ':');
  const char *scheme = !adaptive ? name : name[length] ? name + length + 1 : base;
  if (is_scheme(scheme)) return add_scheme(trials, s, scheme, adaptive);
  cli_complain("--schemes takes 'all', or names with commas; there is no scheme '%s' ('picus help' lists them)",
               scheme);
  return false;
}

static bool add_all(cli_trials *trials, const steps *s, const char *base) {
  for (int k = 0; picus_scheme_at(k); k++)
    if (!add_scheme(trials, s, picus_scheme_at(k)->name, false)) return false;
  return add_scheme(trials, s, base, true);
}

static bool read_lists(const cli_arguments *a, double dt, steps *out) {
  *out = (steps){.dt_count = 3, .tolerance_count = 3, .dt = {dt, dt / 2, dt / 4}, .tolerance = {1e-5, 1e-7, 1e-9}};
  if (cli_given(a, "dt")) out->dt_count = read_steps("dt", cli_value(a, "dt", 0), STEPS_MOST, out->dt);
  if (cli_given(a, "tolerances"))
    out->tolerance_count = read_steps("tolerances", cli_value(a, "tolerances", 0), STEPS_MOST, out->tolerance);
  return out->dt_count > 0 && out->tolerance_count > 0;
}

bool cli_trials_choose(cli_trials *trials, const cli_arguments *arguments, const char *base, double dt) {
  steps s;
  if (!read_lists(arguments, dt, &s)) return false;
  const char *list = cli_value(arguments, "schemes", 0);
  if (strcmp(list, "all") == 0) return add_all(trials, &s, base);
  char name[CLI_TRIAL_NAME];
  for (const char *rest = list; (rest = next_part(rest, name, sizeof name)) != NULL;)
    if (!add_name(trials, &s, name, base)) return false;
  if (trials->count > 0) return true;
  cli_complain("--schemes takes 'all', or names with commas, not an empty list");
  return false;
}

void cli_trials_release(cli_trials *trials) {
  free(trials->list);
  *trials = (cli_trials){0};
}

/* The exponent p of e = C h^p through two trials; NAN where it has no meaning. */
static double order(double step, double before, double error, double error_before) {
  double p = log(error / error_before) / log(step / before);
  return error > 0 && error_before > 0 && isfinite(p) ? p : NAN;
}

void cli_trials_find_orders(cli_trials *trials) {
  for (int k = 1; k < trials->count; k++) {
    cli_trial *t = &trials->list[k];
    const cli_trial *b = t - 1;
    if (t->adaptive || b->adaptive || strcmp(t->scheme, b->scheme) != 0 || !t->done || !b->done) continue;
    if (fmin(t->position_error, b->position_error) > trials->accuracy)
      t->position_order = order(t->step, b->step, t->position_error, b->position_error);
    if (fmin(t->velocity_error, b->velocity_error) > trials->accuracy)
      t->velocity_order = order(t->step, b->step, t->velocity_error, b->velocity_error);
  }
}
