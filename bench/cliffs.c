/* Does the time of a step jump where a model grows by one body? Processor time per contact row, from a few rows to ten
 * thousand.
 *
 *   picus_cliffs FOLDER [--most ROWS] [--only SCENE] [--runs yes] [--figure FILE.png]     FOLDER: scenes/many
 *   picus_cliffs --from TABLE --figure FILE.png                              draws what was printed
 *
 * Prints a line for each size: scene, bodies, rows, ns per row and step, and the ratio to the size before, which is
 * measured again with it, in turns. The last line of a scene names its largest jump, up or down: the ratio or its
 * inverse. The figure shows all scenes.
 * Steps are made one by one; with --runs yes by whole runs, in which nobody looks at a step. */
#include "clock.h"
#include "plot/figure.h"

#include <math.h>
#include <picus/picus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 5, AGAIN = 3, SIZES_MOST = 256, FAMILIES = 4 };
#define LEAST_SECONDS 2e-3 /* of a round: short ones are repeated */
#define NOTABLE 1.2        /* a jump that is measured again: other work on the machine makes some */

/* A scene in contact from its first steps on. */
typedef struct family {
  const char *name;
  int unit, rows, fewer; /* a unit of so many bodies brings so many rows; so many fewer in all */
  int steps;             /* from the start */
  picus_override start;
} family;

static const family families[FAMILIES] = {
    {"woodpeckers", 1, 6, 0, 400, {NULL, 0}},
    {"balls-in-a-row", 2, 2, 1, 200, {NULL, 0}},
    {"spring-chain", 1, 2, 0, 100, {"height", 0.3}},
    {"falling-chain", 1, 4, 2, 50, {"height", 1e-3}},
};
static int rows_of(const family *of, int n) { return n * of->rows - of->fewer; }

typedef struct scene {
  bool by_runs;
  int rows, steps;
  picus_context *context;
  picus_model *model;
  picus_system *system;
  picus_sim *sim;
  double *q; /* at the start, and u behind it */
} scene;

typedef struct curve {
  size_t count;
  double rows[SIZES_MOST], cost[SIZES_MOST];
} curve;

static void close_scene(scene *s) {
  free(s->q);
  picus_sim_destroy(s->sim);
  picus_system_destroy(s->system);
  picus_model_destroy(s->model);
  picus_context_destroy(s->context);
  *s = (scene){0};
}

static bool open_scene(const char *path, const family *of, int n, bool by_runs, scene *s) {
  const picus_override overrides[] = {{"n", n * of->unit}, of->start};
  const picus_load_options options = {.override_count = of->start.name ? 2 : 1, .overrides = overrides};
  *s = (scene){.by_runs = by_runs, .rows = rows_of(of, n), .steps = of->steps};
  if (picus_context_create(NULL, &s->context) != PICUS_OK) return false;
  bool good = picus_model_load(s->context, path, &options, &s->model) == PICUS_OK &&
              picus_system_create(s->model, &s->system) == PICUS_OK;
  if (good) {
    picus_sim_options run = picus_model_sim_options(s->model);
    run.t_end = of->steps * run.dt; /* of runs */
    good = picus_sim_create(s->context, s->system, &run, &s->sim) == PICUS_OK;
  }
  if (!good) fprintf(stderr, "cliffs: %s with n = %d: %s\n", path, n, picus_last_error(s->context)->message);
  if (!good) return false;
  const size_t nq = (size_t)picus_system_nq(s->system), nu = (size_t)picus_system_nu(s->system);
  s->q = malloc((nq + nu) * sizeof *s->q);
  if (s->q) picus_system_start(s->system, s->q, s->q + nq);
  return s->q != NULL;
}

static bool make_steps(scene *s) {
  picus_status status = s->by_runs ? picus_sim_run(s->sim, NULL, NULL, NULL) : PICUS_OK;
  for (int k = 0; !status && !s->by_runs && k < s->steps; k++) status = picus_sim_step(s->sim, 0, NULL);
  if (status) fprintf(stderr, "cliffs: %s\n", picus_last_error(s->context)->message);
  return status == PICUS_OK;
}

/* The same steps from the start, as often as it takes; seconds of a step, or -1. */
static double round_of(scene *s) {
  const double *u = s->q + picus_system_nq(s->system);
  double seconds = 0;
  long made = 0;
  do {
    if (picus_sim_set_state(s->sim, 0, s->q, u) != PICUS_OK) return -1;
    const double begin = process_seconds_now();
    if (!make_steps(s)) return -1;
    made += s->steps;
    seconds += process_seconds_now() - begin;
  } while (seconds < LEAST_SECONDS);
  return seconds / (double)made;
}

/* Two sizes take turns, and the best of each counts: other work on the machine disturbs both alike. */
static bool take_turns(scene *a, scene *b, double *of_a, double *of_b) {
  for (int k = 0; k < ROUNDS; k++) {
    const double first = round_of(a), second = round_of(b);
    if (first < 0 || second < 0) return false;
    if (first < *of_a) *of_a = first;
    if (second < *of_b) *of_b = second;
  }
  return true;
}

static double jump_of(double ratio) { return ratio < 1 ? 1 / ratio : ratio; }

/* Time of a step per row, of both. */
static bool compare(scene *a, scene *b, double *of_a, double *of_b) {
  double first = INFINITY, second = INFINITY;
  for (int k = 0; k <= AGAIN; k++) {
    if (!take_turns(a, b, &first, &second)) return false;
    *of_a = first / a->rows;
    *of_b = second / b->rows;
    if (jump_of(*of_b / *of_a) < NOTABLE) break;
  }
  return true;
}

/* Every number of units up to 16, then 8 % more each time. */
static int next_size(int n) { return n < 16 ? n + 1 : n + 1 + n / 12; }

/* A size, and the one before, which was measured again: the figure has the better of the two. Costs in ns. */
static void note(curve *c, double rows, double cost, double before) {
  if (c->count > 0 && before > 0 && before < c->cost[c->count - 1]) c->cost[c->count - 1] = before;
  if (c->count == SIZES_MOST) return;
  c->rows[c->count] = rows;
  c->cost[c->count++] = cost;
}

static bool measure(const char *folder, const family *of, int most_rows, bool by_runs, curve *c) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s.lua", folder, of->name);
  int n = (3 + of->rows + of->fewer) / of->rows, worst_rows = 0;
  double worst = 1;
  scene last = {0}, now = {0};
  bool good = open_scene(path, of, n, by_runs, &last);
  for (int next; good && rows_of(of, next = next_size(n)) <= most_rows; n = next) {
    double before = 0, after = 0;
    good = open_scene(path, of, next, by_runs, &now) && compare(&last, &now, &before, &after);
    if (!good) break;
    if (c->count == 0) {
      note(c, rows_of(of, n), 1e9 * before, 0);
      printf("%-16s %7d %7d %10.2f\n", of->name, n * of->unit, rows_of(of, n), 1e9 * before);
    }
    note(c, rows_of(of, next), 1e9 * after, 1e9 * before);
    printf("%-16s %7d %7d %10.2f %8.3f\n", of->name, next * of->unit, rows_of(of, next), 1e9 * after, after / before);
    (void)fflush(stdout);
    if (jump_of(after / before) > jump_of(worst)) {
      worst = after / before;
      worst_rows = rows_of(of, next);
    }
    close_scene(&last);
    last = now;
    now = (scene){0};
  }
  close_scene(&last);
  close_scene(&now);
  printf("%-16s largest jump %.3f %s, at %d rows\n", of->name, jump_of(worst), worst < 1 ? "down" : "up", worst_rows);
  return good;
}

static bool draw(const curve *curves, const char *path) {
  picus_context *context = NULL;
  picus_figure *figure = NULL;
  picus_figure_def def = picus_default_figure_def();
  picus_panel_def panel = picus_default_panel_def();
  def.title = "Processor time of a step";
  panel.x.scale = panel.y.scale = PICUS_AXIS_LOG;
  panel.x.label = "contact rows of the model";
  panel.y.label = "time per row (ns)";
  if (picus_context_create(NULL, &context) != PICUS_OK) return false;
  picus_status status = picus_figure_create(context, &def, &figure);
  if (!status) status = picus_figure_add_panel(figure, &panel, NULL);
  for (int i = 0; !status && i < FAMILIES; i++) {
    picus_series_def series = picus_default_series_def();
    if (curves[i].count == 0) continue;
    series.label = families[i].name;
    series.count = curves[i].count;
    series.x = curves[i].rows;
    series.y = curves[i].cost;
    series.style = PICUS_SERIES_LINE_POINTS;
    status = picus_figure_add_series(figure, 0, &series);
  }
  if (!status) status = picus_figure_save(figure, path);
  if (status) fprintf(stderr, "cliffs: %s: %s\n", path, picus_last_error(context)->message);
  picus_figure_destroy(figure);
  picus_context_destroy(context);
  return status == PICUS_OK;
}

/* A line "scene bodies rows cost ..." of the table. */
static void read_line(char *line, curve *curves) {
  char *rest = line + strcspn(line, " ");
  if (*rest == '\0') return;
  *rest++ = '\0';
  char *behind_bodies, *behind_rows, *behind = rest;
  (void)strtol(rest, &behind_bodies, 10);
  const long rows = strtol(behind_bodies, &behind_rows, 10);
  const double cost = rows > 0 ? strtod(behind_rows, &behind) : 0, ratio = cost > 0 ? strtod(behind, NULL) : 0;
  for (int k = 0; k < FAMILIES && cost > 0; k++)
    if (strcmp(line, families[k].name) == 0) note(&curves[k], (double)rows, cost, ratio > 0 ? cost / ratio : 0);
}

/* What an earlier run has printed; one that ended early will do. */
static bool read_table(const char *path, curve *curves) {
  char line[256];
  FILE *file = fopen(path, "r");
  if (!file) return false;
  while (fgets(line, sizeof line, file)) read_line(line, curves);
  (void)fclose(file);
  return true;
}

int main(int argc, char **argv) {
  static curve curves[FAMILIES];
  int most = 10000;
  bool by_runs = false;
  const char *only = NULL, *path = NULL;
  if (argc == 5 && strcmp(argv[1], "--from") == 0 && strcmp(argv[3], "--figure") == 0)
    return read_table(argv[2], curves) && draw(curves, argv[4]) ? 0 : 1;
  bool good = argc > 1 && argc % 2 == 0;
  for (int k = 2; good && k + 1 < argc; k += 2) {
    if (strcmp(argv[k], "--most") == 0)
      most = (int)strtol(argv[k + 1], NULL, 10);
    else if (strcmp(argv[k], "--only") == 0)
      only = argv[k + 1];
    else if (strcmp(argv[k], "--figure") == 0)
      path = argv[k + 1];
    else if (strcmp(argv[k], "--runs") == 0)
      by_runs = strcmp(argv[k + 1], "yes") == 0;
    else
      good = false;
  }
  if (!good) {
    fprintf(stderr, "usage: picus_cliffs FOLDER [--most ROWS] [--only SCENE] [--runs yes] [--figure FILE.png]\n");
    return 2;
  }
  printf("%-16s %7s %7s %10s %8s\n", "scene", "bodies", "rows", "ns/row", "ratio");
  for (int k = 0; k < FAMILIES; k++)
    if (!only || strcmp(only, families[k].name) == 0)
      good = measure(argv[1], &families[k], most, by_runs, &curves[k]) && good;
  if (path) good = draw(curves, path) && good;
  return good ? 0 : 1;
}
