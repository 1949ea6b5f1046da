/* Work and precision: a model by every scheme with fixed steps and by adaptive runs, with the error against a reference
 * that Picus finds first, and what each costs. Prints a table (Markdown) and draws a figure.
 *
 *   picus_work_precision [FIGURE.png [ACCURACY OF THE REFERENCE]]    one second of the woodpecker
 *   picus_work_precision --models FIGURE.png                         five models, a panel each: error over steps */
#include "clock.h"
#include "plot/figure.h"

#include <picus/picus.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS_MOST = 16, CURVES_MOST = 16, REPETITIONS = 3 };

/* A model with the times of its study. */
typedef struct subject {
  const char *model, *title;
  picus_override override;                /* NULL: none */
  double t_end, sample, sizes[5], dt_max; /* s */
  int first_digits, last_digits;          /* of dt_min in adaptive runs */
  int coordinate_count;
  const char *coordinates[4];
} subject;

/* The woodpecker from the start without penetration: schemes that look at positions would correct that of the paper. */
static const subject subjects[] = {{"woodpecker",
                                    "Woodpecker, one second",
                                    {"phiM0", -6.0 / 58.0},
                                    1,
                                    1e-3,
                                    {1e-3, 2e-4, 5e-5, 1e-5, 2e-6},
                                    5e-3,
                                    6,
                                    13,
                                    3,
                                    {"y", "phiM", "phiS"}},
                                   {"impact-oscillator",
                                    "Impact oscillator",
                                    {NULL, 0},
                                    2,
                                    1e-2,
                                    {1e-2, 2e-3, 4e-4, 8e-5, 1.6e-5},
                                    2e-2,
                                    4,
                                    11,
                                    1,
                                    {"x"}},
                                   {"sliding-mass",
                                    "Mass on a slope",
                                    {NULL, 0},
                                    6,
                                    1e-2,
                                    {1e-2, 2e-3, 4e-4, 8e-5, 1.6e-5},
                                    0.1,
                                    4,
                                    11,
                                    2,
                                    {"x", "y"}},
                                   {"rocking-block",
                                    "Rocking block",
                                    {NULL, 0},
                                    2,
                                    1e-2,
                                    {1e-2, 2e-3, 4e-4, 8e-5, 1.6e-5},
                                    1e-2,
                                    4,
                                    11,
                                    3,
                                    {"x", "y", "theta"}},
                                   {"pendulum-in-ring",
                                    "Pendulum in a ring",
                                    {NULL, 0},
                                    5,
                                    1e-2,
                                    {1e-2, 2e-3, 4e-4, 8e-5, 1.6e-5},
                                    1e-2,
                                    4,
                                    11,
                                    4,
                                    {"x", "y", "psi", "phi"}}};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };
static const char reference_path[] = "work-precision-reference.h5", run_path[] = "work-precision-run.h5";

typedef struct curve {
  char label[64];
  int count;
  double size[POINTS_MOST]; /* dt or dt_min, s */
  double steps[POINTS_MOST], seconds[POINTS_MOST], error[POINTS_MOST];
} curve;

typedef struct study {
  const subject *subject;
  picus_context *context;
  picus_model *model;
  picus_system *system;
  curve curves[CURVES_MOST];
  int curve_count;
} study;

static bool failed(const study *s, const char *what) {
  fprintf(stderr, "work-precision: %s: %s\n", what, picus_last_error(s->context)->message);
  return false;
}

static bool open_study(study *s, const subject *chosen) {
  const picus_load_options load = {.override_count = chosen->override.name ? 1 : 0, .overrides = &chosen->override};
  *s = (study){.subject = chosen};
  if (picus_context_create(NULL, &s->context) != PICUS_OK) return false;
  if (picus_model_load(s->context, chosen->model, &load, &s->model) != PICUS_OK ||
      picus_system_create(s->model, &s->system) != PICUS_OK)
    return failed(s, chosen->model);
  return true;
}

static bool find_reference(study *s, double accuracy) {
  picus_sim_options o = picus_model_sim_options(s->model);
  o.scheme = "rattle"; /* round-off in the runs of moreau is larger than the accuracy */
  o.t_end = s->subject->t_end;
  o.sample = s->subject->sample;
  picus_run_description run = {.model = s->model, .system = s->system, .options = &o, .command = "work-precision"};
  picus_reference_options options = picus_default_reference_options();
  picus_reference_report report;
  options.accuracy = accuracy;
  options.path = reference_path;
  if (picus_reference_search(s->context, &run, &options, &report) != PICUS_OK) return failed(s, "reference");
  printf("Reference: estimated error %.1e of the range of each column, %ld base steps in %d attempts.\n\n",
         report.accuracy, report.base_steps, report.attempt_count);
  return true;
}

/* Largest error of the coordinates, each relative to its range. */
static bool measure_error(study *s, double *error) {
  picus_result *result = NULL, *reference = NULL;
  picus_comparison *c = NULL;
  picus_status status = picus_result_open(s->context, run_path, &result);
  if (!status) status = picus_result_open(s->context, reference_path, &reference);
  if (!status)
    status =
        picus_result_compare(s->context, result, reference, s->subject->coordinate_count, s->subject->coordinates, &c);
  *error = 0;
  for (int k = 0; !status && k < c->column_count; k++)
    *error = fmax(*error, c->columns[k].uniform / c->columns[k].range);
  picus_comparison_destroy(s->context, c);
  picus_result_close(reference);
  picus_result_close(result);
  return status == PICUS_OK || failed(s, "comparison");
}

static picus_status run_once(study *s, const picus_sim_options *options, bool recorded, picus_summary *summary,
                             double *seconds) {
  picus_sim_options o = *options;
  o.sample = recorded ? s->subject->sample : 0;
  o.every = 0;
  picus_sim *sim = NULL;
  picus_recorder *recorder = NULL;
  picus_status status = picus_sim_create(s->context, s->system, &o, &sim);
  picus_run_description run = {.model = s->model, .system = s->system, .options = &o, .command = "work-precision"};
  if (!status && recorded) status = picus_recorder_create(s->context, &run, &recorder);
  if (!status && recorded) status = picus_recorder_add_hdf5(recorder, run_path);
  *seconds = processor_seconds_now();
  if (!status) status = picus_sim_run(sim, recorder, NULL, summary);
  *seconds = processor_seconds_now() - *seconds;
  picus_recorder_destroy(recorder);
  picus_sim_destroy(sim);
  return status;
}

/* The error from a recorded run, the time from runs that record nothing: the best of some. */
static bool add_point(study *s, curve *c, const picus_sim_options *o) {
  picus_summary summary = {0};
  double error, once, seconds = INFINITY;
  if (run_once(s, o, true, &summary, &once) != PICUS_OK) return failed(s, c->label);
  if (!measure_error(s, &error)) return false;
  for (int k = 0; k < REPETITIONS && !(k > 0 && seconds > 2); k++) {
    if (run_once(s, o, false, &summary, &once) != PICUS_OK) return failed(s, c->label);
    seconds = fmin(seconds, once);
  }
  c->size[c->count] = o->adaptive ? o->dt_min : o->dt;
  c->steps[c->count] = (double)(o->adaptive ? summary.adaptive.base_steps : summary.steps);
  c->seconds[c->count] = seconds;
  c->error[c->count++] = error;
  return true;
}

static bool fixed_steps(study *s, const char *scheme) {
  const double *sizes = s->subject->sizes;
  picus_sim_options o = picus_model_sim_options(s->model);
  picus_sim *sim = NULL;
  o.scheme = scheme;
  o.adaptive = false;
  o.t_end = s->subject->t_end;
  curve *c = &s->curves[s->curve_count++];
  snprintf(c->label, sizeof c->label, "%s", scheme);
  if (picus_sim_create(s->context, s->system, &o, &sim) != PICUS_OK) return true; /* it refuses the model: no points */
  picus_sim_destroy(sim);
  for (size_t k = 0; k < sizeof s->subject->sizes / sizeof *sizes; k++) {
    o.dt = sizes[k];
    if (!add_point(s, c, &o)) return false;
  }
  return true;
}

static bool adaptive_steps(study *s, const char *scheme) {
  picus_sim_options o = picus_model_sim_options(s->model);
  o.scheme = scheme;
  o.t_end = s->subject->t_end;
  o.adaptive = true;
  o.dt_max = s->subject->dt_max;
  o.order_max = 8;
  curve *c = &s->curves[s->curve_count++];
  snprintf(c->label, sizeof c->label, "adaptive, base %s", scheme);
  for (int digits = s->subject->first_digits; digits <= s->subject->last_digits; digits++) {
    o.dt_min = pow(10, -digits);
    o.atol = o.rtol = fmax(o.dt_min / 10, 1e-14);
    if (!add_point(s, c, &o)) return false;
  }
  return true;
}

static void print_table(const study *s) {
  double unit = s->curves[0].seconds[3]; /* moreau */
  printf("| run | dt or dt_min, s | error / range | steps of the scheme | time |\n|---|---|---|---|---|\n");
  for (int i = 0; i < s->curve_count; i++) {
    const curve *c = &s->curves[i];
    for (int k = 0; k < c->count; k++)
      printf("| %s | %.0e | %.1e | %.0f | %.2g |\n", c->label, c->size[k], c->error[k], c->steps[k],
             c->seconds[k] / unit);
  }
  printf("\nTime: 1 is what moreau takes with fixed steps of %g s.\n", s->curves[0].size[3]);
}

/* Schemes have the same looks in all panels: one without points has a gap. */
static picus_status add_curve(picus_figure *figure, int panel, const curve *c, const double *x) {
  static const double gap = NAN;
  picus_series_def series = picus_default_series_def();
  series.label = c->count > 0 || panel == 0 ? c->label : NULL;
  series.count = c->count > 0 ? (size_t)c->count : 1;
  series.x = c->count > 0 ? x : &gap;
  series.y = c->count > 0 ? c->error : &gap;
  series.style = PICUS_SERIES_LINE_POINTS;
  return picus_figure_add_series(figure, panel, &series);
}

static bool draw(study *s, const char *path) {
  double times[CURVES_MOST][POINTS_MOST], unit = s->curves[0].seconds[3];
  picus_figure *figure = NULL;
  picus_figure_def def = picus_default_figure_def();
  picus_panel_def panel = picus_default_panel_def();
  def.title = s->subject->title;
  def.width = PICUS_FIGURE_DOUBLE_COLUMN;
  def.arrangement = PICUS_FIGURE_GRID;
  panel.x.scale = panel.y.scale = PICUS_AXIS_LOG;
  panel.x.label = "steps of the scheme";
  panel.y.label = "largest error / range";
  picus_status status = picus_figure_create(s->context, &def, &figure);
  if (!status) status = picus_figure_add_panel(figure, &panel, NULL);
  panel.x.label = "time / time of moreau with 10^{-5} s";
  panel.legend = PICUS_LEGEND_NONE;
  if (!status) status = picus_figure_add_panel(figure, &panel, NULL);
  for (int i = 0; !status && i < s->curve_count; i++)
    for (int p = 0; !status && p < 2; p++) {
      const curve *c = &s->curves[i];
      for (int k = 0; k < c->count; k++) times[i][k] = c->seconds[k] / unit;
      status = add_curve(figure, p, c, p ? times[i] : c->steps);
    }
  if (!status) status = picus_figure_save(figure, path);
  picus_figure_destroy(figure);
  return status == PICUS_OK || failed(s, path);
}

/* A panel for each study. */
static bool draw_all(study *studies, const char *path) {
  picus_figure *figure = NULL;
  picus_figure_def def = picus_default_figure_def();
  picus_panel_def panel = picus_default_panel_def();
  def.width = PICUS_FIGURE_DOUBLE_COLUMN;
  def.arrangement = PICUS_FIGURE_GRID;
  panel.x.scale = panel.y.scale = PICUS_AXIS_LOG;
  panel.x.label = "steps of the scheme";
  picus_status status = picus_figure_create(studies->context, &def, &figure);
  for (int p = 0; !status && p < SUBJECTS; p++) {
    panel.y.label = studies[p].subject->title;
    panel.legend = p == 0 ? picus_default_panel_def().legend : PICUS_LEGEND_NONE;
    status = picus_figure_add_panel(figure, &panel, NULL);
    for (int i = 0; !status && i < studies[p].curve_count; i++)
      status = add_curve(figure, p, &studies[p].curves[i], studies[p].curves[i].steps);
  }
  if (!status) status = picus_figure_save(figure, path);
  picus_figure_destroy(figure);
  return status == PICUS_OK || failed(studies, path);
}

static bool run_study(study *s, const subject *chosen, double accuracy) {
  bool fine = open_study(s, chosen) && find_reference(s, accuracy);
  for (int k = 0; fine && picus_scheme_at(k); k++) fine = fixed_steps(s, picus_scheme_at(k)->name);
  fine = fine && adaptive_steps(s, "moreau") && adaptive_steps(s, "rattle");
  if (fine) print_table(s);
  remove(reference_path);
  remove(run_path);
  return fine;
}

static void close_study(study *s) {
  picus_system_destroy(s->system);
  picus_model_destroy(s->model);
  picus_context_destroy(s->context);
}

static bool run_models(const char *path) {
  static study studies[SUBJECTS];
  bool fine = true;
  for (int k = 0; fine && k < SUBJECTS; k++) {
    printf("%s%s\n\n", k ? "\n" : "", subjects[k].title);
    fine = run_study(&studies[k], &subjects[k], k ? 1e-8 : 1e-10);
  }
  fine = fine && draw_all(studies, path);
  for (int k = 0; k < SUBJECTS; k++) close_study(&studies[k]);
  return fine;
}

int main(int argc, char **argv) {
  static study s;
  if (argc > 2 && strcmp(argv[1], "--models") == 0) return run_models(argv[2]) ? 0 : 1;
  bool fine = run_study(&s, &subjects[0], argc > 2 ? strtod(argv[2], NULL) : 1e-10);
  if (fine && argc > 1) fine = draw(&s, argv[1]);
  close_study(&s);
  return fine ? 0 : 1;
}
