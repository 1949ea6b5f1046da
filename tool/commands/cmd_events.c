/* picus events: the switching points of a run. */
#include "base/internal.h"
#include "cli/cli.h"
#include "events.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- events ------------------------------------------------------------------------------------------------------- */

/* Switching points into events: Studer 2008, Table VII, lists contacts that close and open at the same instant. */

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

/* --- the command -------------------------------------------------------------------------------------------------- */

static const cli_option options[] = {
    {"law", "NAME", "switching points of this law only; default all laws", false},
    {"raw", NULL, "one line per switching point", false},
    {"switches", NULL, "changes of conditions and kinks in expressions, which adaptive runs locate, instead of laws",
     false},
    {"states", NULL,
     "the state at each event of the model (on, stop_when), before what it sets, and at each switching point of a "
     "declared law",
     false},
    {"csv", "F.csv",
     "write all switching points to a CSV file (-: standard output), with full precision, instead of printing them",
     false},
};

static const char *const examples[] = {"picus events woodpecker.h5",
                                       "events of a run: impacts, stick and slip",
                                       "picus events woodpecker.h5 --law beak --raw",
                                       "all switching points of one contact",
                                       "picus events woodpecker.h5 --csv events.csv",
                                       "all switching points for another program",
                                       "picus events relay.h5 --switches",
                                       "when conditions such as gt(q.x, 0) changed",
                                       "picus events woodpecker.h5 --states --csv states.csv",
                                       "a section: coordinates and velocities at impacts",
                                       NULL};

enum { MODE_SIZE = 48 };

static bool is_rolling(const picus_result_law *law) { return strcmp(law->kind, "rolling") == 0; }

/* "open", "slip+", "slip (0.60, -0.80)"; rolling laws: "roll" in place of "slip" */
static void mode_words(picus_mode mode, const double *slip, const picus_result_law *law, char text[MODE_SIZE]) {
  const int slips = law->slips;
  const char *word = mode == PICUS_SLIP && is_rolling(law) ? "roll" : picus_mode_text(mode, slips);
  bool has_direction = mode == PICUS_SLIP && (slip[0] != 0 || slip[1] != 0 || slip[2] != 0);
  if (!has_direction)
    snprintf(text, MODE_SIZE, "%s", word);
  else if (slips == 1)
    snprintf(text, MODE_SIZE, "%s%c", word, slip[0] > 0 ? '+' : '-');
  else if (slips == 2)
    snprintf(text, MODE_SIZE, "%s (%.2f, %.2f)", word, slip[0], slip[1]);
  else
    snprintf(text, MODE_SIZE, "%s (%.2f, %.2f, %.2f)", word, slip[0], slip[1], slip[2]);
}

/* Widths of the columns with words; long names and spatial slip need more than the least. */
typedef struct event_widths {
  int law, path;
} event_widths;

static const event_widths least_widths = {16, 28};

static void widen(event_widths *widths, const char *law, const char *path) {
  const int law_length = (int)strlen(law), path_length = (int)strlen(path);
  if (law_length > widths->law) widths->law = law_length;
  if (path_length > widths->path) widths->path = path_length;
}

static void print_head(event_widths w) {
  cli_print("%-16s %-*s %-*s %12s %12s %12s  %s\n", "t", w.law, "law", w.path, "from -> to", "PN", "PF", "dissipated",
            "impact");
  cli_print("%-16s %-*s %-*s %12s %12s %12s\n", "s", w.law, "", w.path, "", "N s", "N s", "J");
}

static double friction_of(const double *PF, int slips) {
  return slips == 1 ? PF[0] : sqrt(PF[0] * PF[0] + PF[1] * PF[1] + PF[2] * PF[2]);
}

/* A switching point on its own. */
static cli_event event_of(const picus_switching *s) {
  return (cli_event){.PN = s->PN,
                     .PF = {s->PF[0], s->PF[1], s->PF[2]},
                     .lost = s->lost,
                     .impacts = s->impact,
                     .bounces = s->bounces,
                     .limit = s->limit};
}

static void print_event(event_widths w, double t, const picus_result_law *law, const char *path,
                        const cli_event *event) {
  cli_print("%-16.12g %-*s %-*s", t, w.law, law->name, w.path, path);
  if (strcmp(law->kind, "reservoir") == 0 || is_rolling(law))
    cli_print(" %12s", "-");
  else
    cli_print(" %12.6g", event->PN);
  if (law->slips > 0)
    cli_print(" %12.6g", friction_of(event->PF, law->slips));
  else
    cli_print(" %12s", "-");
  cli_print(" %12.6g%s\n", event->lost, event->impacts ? "  *" : "");
  if (event->bounces > 0)
    cli_print("%-16s %-*s accumulation point: %d impacts in ever shorter intervals, limit t = %.9g s\n", "", w.law,
              law->name, event->bounces, event->limit);
}

/* The modes before and after a switching point. */
static void switching_path(const picus_switching *s, const picus_result_law *law, char *path, size_t size) {
  char from[MODE_SIZE], to[MODE_SIZE];
  mode_words(s->from, s->from_slip, law, from);
  mode_words(s->to, s->to_slip, law, to);
  snprintf(path, size, "%s -> %s", from, to);
}

static void print_raw(picus_result *result, int law, long count, const picus_switching *switchings) {
  char path[2 * MODE_SIZE + 8];
  event_widths widths = least_widths;
  for (int printing = 0; printing < 2; printing++) {
    if (printing) print_head(widths);
    for (long k = 0; k < count; k++) {
      const picus_switching *s = &switchings[k];
      if (law >= 0 && s->law != law) continue;
      const picus_result_law of = picus_result_law_at(result, s->law);
      switching_path(s, &of, path, sizeof path);
      const cli_event alone = event_of(s);
      if (printing)
        print_event(widths, s->t, &of, path, &alone);
      else
        widen(&widths, of.name, path);
    }
  }
}

/* Two switching points show the mode between them; more show only their number. */
static void event_path(const cli_event *event, const picus_switching *switchings, const picus_result_law *law,
                       char *path, size_t size) {
  char from[MODE_SIZE], to[MODE_SIZE], middle[MODE_SIZE];
  const picus_switching *first = &switchings[event->first], *last = &switchings[event->last];
  mode_words(first->from, first->from_slip, law, from);
  mode_words(first->to, first->to_slip, law, middle);
  mode_words(last->to, last->to_slip, law, to);
  if (event->count == 1)
    snprintf(path, size, "%s -> %s", from, to);
  else if (event->count == 2)
    snprintf(path, size, "%s -> %s -> %s", from, middle, to);
  else
    snprintf(path, size, "%s -> .. -> %s (%ld times)", from, to, event->count);
}

static bool print_events(picus_result *result, int law, long count, const picus_switching *switchings) {
  cli_event *events;
  long found = cli_find_events(picus_result_law_count(result), law, count, switchings, &events);
  if (found < 0) {
    cli_complain("out of memory");
    return false;
  }
  char path[3 * MODE_SIZE + 16];
  event_widths widths = least_widths;
  for (int printing = 0; printing < 2; printing++) {
    if (printing) print_head(widths);
    for (long k = 0; k < found; k++) {
      const cli_event *event = &events[k];
      const picus_result_law of = picus_result_law_at(result, event->law);
      event_path(event, switchings, &of, path, sizeof path);
      if (printing)
        print_event(widths, switchings[event->first].t, &of, path, event);
      else
        widen(&widths, of.name, path);
    }
  }
  free(events);
  return true;
}

static const char *next_law(const void *user, int k) {
  return k < picus_result_law_count(user) ? picus_result_law_at(user, k).name : NULL;
}

/* The index of the requested law, -1 for all; -2 if there is no such law, already reported. */
static int chosen_law(const cli_arguments *a, const picus_result *result) {
  const char *name = cli_value(a, "law", 0);
  if (!name) return -1;
  for (int k = 0; k < picus_result_law_count(result); k++)
    if (strcmp(next_law(result, k), name) == 0) return k;
  const char *nearest = picus_nearest_name(name, next_law, result);
  if (nearest)
    cli_complain("'%s' has no law '%s'; did you mean '%s'?", cli_operand(a, 0), name, nearest);
  else
    cli_complain("'%s' has no law '%s'", cli_operand(a, 0), name);
  return -2;
}

/* The accuracy of the times. */
static void say_resolution(const picus_result *result, long count, const picus_switching *switchings) {
  double shortest = INFINITY, longest = 0;
  long impacts = 0;
  for (long k = 0; k < count; k++) {
    shortest = fmin(shortest, switchings[k].dt);
    longest = fmax(longest, switchings[k].dt);
    impacts += switchings[k].impact;
  }
  cli_print("%s: %ld switching point%s, %ld impact%s, scheme %s", picus_result_text(result, "model.name"), count,
            count == 1 ? "" : "s", impacts, impacts == 1 ? "" : "s", picus_result_text(result, "options.scheme"));
  if (count > 0 && longest - shortest <= 1e-6 * longest)
    cli_print("; times accurate to one step of %.6g s", longest);
  else if (count > 0)
    cli_print("; times accurate to one step of %.6g to %.6g s", shortest, longest);
  cli_print("\n\n");
}

/* Why a result has no changes; NULL: because there were none. */
static const char *why_no_switches(const picus_result *result) {
  if (picus_result_number(result, "switches.changes") >= 0) return NULL;
  if (!(picus_result_number(result, "options.adaptive") > 0)) return "the steps are fixed: they locate no switches";
  const char *status = picus_result_text(result, "status");
  if (strcmp(status, "running") == 0) return "the run has not ended: it writes them at its end";
  return "no expression has a condition or a kink, or an earlier version of Picus wrote the file";
}

static void print_switches(const picus_result *result, long count, const picus_switch_change *changes) {
  const double all = picus_result_number(result, "switches.changes");
  const char *reason = why_no_switches(result);
  cli_print("%s: %ld change%s of switching functions%s%s\n", picus_result_text(result, "model.name"), count,
            count == 1 ? "" : "s", reason ? "; " : "", reason ? reason : "");
  if (all > (double)count) cli_print("the first %ld of %.0f; the others are not stored\n", count, all);
  if (count > 0) cli_print("\n%-16s %s\ns\n", "t", "from -> to");
  for (long k = 0; k < count; k++) cli_print("%-16.12g %s -> %s\n", changes[k].t, changes[k].from, changes[k].to);
}

static int show_switches(const cli_arguments *a, picus_context *context, picus_result *result) {
  const picus_switch_change *changes;
  long count;
  if (cli_given(a, "law") || cli_given(a, "raw")) {
    cli_complain("--switches lists functions of expressions, not laws; leave out --law and --raw");
    return EXIT_WRONG_INPUT;
  }
  if (picus_result_switch_changes(result, &count, &changes)) return cli_report_error(context, EXIT_WRONG_INPUT);
  if (!cli_given(a, "csv"))
    print_switches(result, count, changes);
  else if (picus_result_export_switch_changes(result, cli_value(a, "csv", 0)))
    return cli_report_error(context, EXIT_WRONG_INPUT);
  return EXIT_DONE;
}

/* What the state is of: an event of the model, or a switching point. */
static void state_words(picus_result *result, const picus_switching *points, const picus_state_at_event *s,
                        char text[3 * MODE_SIZE]) {
  if (s->event) {
    snprintf(text, 3 * MODE_SIZE, "%s", s->event);
    return;
  }
  char path[2 * MODE_SIZE + 8];
  const picus_result_law law = picus_result_law_at(result, points[s->switching].law);
  switching_path(&points[s->switching], &law, path, sizeof path);
  snprintf(text, 3 * MODE_SIZE, "%s: %s%s", law.name, path, points[s->switching].impact ? " *" : "");
}

static bool is_chosen(const picus_state_at_event *s, const picus_switching *points, int law) {
  return law < 0 || (s->switching >= 0 && points[s->switching].law == law);
}

static void print_states(picus_result *result, const picus_switching *points, const picus_event_states *all, int law) {
  char words[3 * MODE_SIZE];
  int width = 5;
  long chosen = 0;
  for (long k = 0; k < all->count; k++) {
    state_words(result, points, &all->states[k], words);
    if (!is_chosen(&all->states[k], points, law)) continue;
    chosen++;
    if ((int)strlen(words) > width) width = (int)strlen(words);
  }
  cli_print("%s: %ld state%s at events\n", picus_result_text(result, "model.name"), chosen, chosen == 1 ? "" : "s");
  if (chosen > 0) cli_print("\n%-*s", width, "event");
  for (int i = 0; chosen > 0 && i < all->column_count; i++) cli_print(" %15s", all->columns[i]);
  if (chosen > 0) cli_print("\n");
  for (long k = 0; k < all->count; k++) {
    if (!is_chosen(&all->states[k], points, law)) continue;
    state_words(result, points, &all->states[k], words);
    cli_print("%-*s", width, words);
    for (int i = 0; i < all->column_count; i++) cli_print(" %15.9g", all->states[k].values[i]);
    cli_print("\n");
  }
}

static int show_states(const cli_arguments *a, picus_context *context, picus_result *result) {
  picus_event_states all;
  const picus_switching *points = NULL;
  const int law = chosen_law(a, result);
  if (law < -1) return EXIT_WRONG_INPUT;
  picus_status status = picus_result_event_states(result, &all);
  if (!status) status = picus_result_switchings(result, &points);
  if (!status && cli_given(a, "csv"))
    status = picus_result_export_event_states(result, law, cli_value(a, "csv", 0));
  else if (!status)
    print_states(result, points, &all, law);
  return status ? cli_report_error(context, EXIT_WRONG_INPUT) : EXIT_DONE;
}

static int show(const cli_arguments *a, picus_context *context, picus_result *result) {
  if (cli_given(a, "switches")) return show_switches(a, context, result);
  if (cli_given(a, "states")) return show_states(a, context, result);
  int law = chosen_law(a, result);
  const picus_switching *switchings;
  if (law < -1) return EXIT_WRONG_INPUT;
  if (picus_result_switchings(result, &switchings)) return cli_report_error(context, EXIT_WRONG_INPUT);
  if (cli_given(a, "csv")) {
    if (!picus_result_export_switchings(result, law, cli_value(a, "csv", 0))) return EXIT_DONE;
    return cli_report_error(context, EXIT_WRONG_INPUT);
  }
  long count = picus_result_switching_count(result);
  say_resolution(result, count, switchings);
  if (cli_given(a, "raw"))
    print_raw(result, law, count, switchings);
  else if (!print_events(result, law, count, switchings))
    return EXIT_RUN_FAILED;
  return EXIT_DONE;
}

static int run(const cli_arguments *a) {
  picus_context *context = cli_context(false);
  if (!context) return EXIT_RUN_FAILED;
  picus_result *result = NULL;
  int code = !picus_result_open(context, cli_operand(a, 0), &result) ? show(a, context, result)
                                                                     : cli_report_error(context, EXIT_WRONG_INPUT);
  picus_result_close(result);
  picus_context_destroy(context);
  return code;
}

const cli_command cli_events = {
    .name = "events",
    .operands = "RESULT.h5",
    .operands_least = 1,
    .operands_most = 1,
    .operand_kind = "result",
    .summary = "List the switching points of a run",
    .description =
        "A law switches when a contact closes or opens, when friction changes between stick and slip, and when\n"
        "planar slip changes its sign. Each line shows the time, the law, the modes before and after, the percussion\n"
        "(contact impulse) and the energy that the law dissipates. Switching points of one law that follow each other\n"
        "within four steps form one event and one line: an impact closes a contact and opens it at once. A star marks\n"
        "lines with an impact. Accumulation points are reported as such.\n"
        "\n"
        "--switches lists when conditions and kinks of expressions (when, max, min, abs, sign) changed instead, each\n"
        "with the comparison that held before and the one that holds after.\n"
        "\n"
        "--states lists the coordinates, velocities, inputs and states of controllers: at events of the model, before "
        "they\n"
        "set anything, and at switching points of declared laws, at the end of the step.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .run = run};
