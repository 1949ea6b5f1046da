/* The contents of a figure: checked and stored, nothing drawn. */
#include "plot/internal.h"

#include <math.h>
#include <stdio.h>

picus_figure_def picus_default_figure_def(void) { return (picus_figure_def){.arrangement = PICUS_FIGURE_AUTOMATIC}; }

picus_panel_def picus_default_panel_def(void) {
  return (picus_panel_def){.x = {.low = NAN, .high = NAN}, .y = {.low = NAN, .high = NAN}};
}

picus_series_def picus_default_series_def(void) { return (picus_series_def){.colour = -1}; }

picus_reference_def picus_default_reference_def(void) { return (picus_reference_def){.series = -1}; }

static char *copy_label(picus_context *context, const char *label) {
  return picus_copy_text(context, label ? label : "");
}

/* ---- The figure ---- */

static picus_status check_size(picus_context *context, const char *what, double points) {
  if (points == 0 || (points >= 50 && points <= 14400)) return PICUS_OK;
  return picus_fail(context, PICUS_ERROR_ARGUMENT,
                    "the %s of the figure is %g points; it must be from 50 to 14400, or 0 for automatic", what, points);
}

picus_status picus_figure_create(picus_context *context, const picus_figure_def *def, picus_figure **out) {
  *out = NULL;
  picus_figure_def chosen = def ? *def : picus_default_figure_def();
  picus_status status = check_size(context, "width", chosen.width);
  if (!status) status = check_size(context, "height", chosen.height);
  if (status) return status;
  if (chosen.columns < 0)
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "a figure cannot have %d columns of panels", chosen.columns);
  if (chosen.pixels != 0 && (chosen.pixels < 100 || chosen.pixels > 20000))
    return picus_fail(context, PICUS_ERROR_ARGUMENT,
                      "the width is %d pixels; it must be from 100 to 20000, or 0 for 1600", chosen.pixels);
  picus_figure *figure = picus_allocate(context, 1, sizeof *figure);
  if (!figure) return PICUS_ERROR_MEMORY;
  figure->context = context;
  figure->def = chosen;
  figure->title = copy_label(context, chosen.title);
  figure->def.title = figure->title;
  if (!figure->title) {
    picus_figure_destroy(figure);
    return PICUS_ERROR_MEMORY;
  }
  *out = figure;
  return PICUS_OK;
}

static void release_axis(picus_context *context, picus_plot_axis *axis) {
  picus_release(context, axis->label);
  for (int i = 0; axis->names && i < axis->name_count; i++) picus_release(context, axis->names[i]);
  picus_release(context, axis->names);
}

static void release_panel(picus_context *context, picus_plot_panel *panel) {
  picus_release(context, panel->title);
  release_axis(context, &panel->x);
  release_axis(context, &panel->y);
  for (size_t i = 0; i < panel->series_count; i++) picus_release(context, panel->series[i].label);
  for (size_t i = 0; i < panel->reference_count; i++) picus_release(context, panel->references[i].label);
  picus_release(context, panel->series);
  picus_release(context, panel->references);
}

void picus_figure_destroy(picus_figure *figure) {
  if (!figure) return;
  for (size_t i = 0; i < figure->panel_count; i++) release_panel(figure->context, &figure->panels[i]);
  picus_release(figure->context, figure->panels);
  picus_release(figure->context, figure->title);
  picus_release(figure->context, figure);
}

/* ---- Panels ---- */

static picus_status check_end(picus_context *context, const char *name, const picus_axis_def *axis, double end) {
  if (isnan(end)) return PICUS_OK;
  if (fabs(end) > PICUS_PLOT_LARGEST)
    return picus_fail(context, PICUS_ERROR_NUMBER, "the %s axis cannot end at %g", name, end);
  if (axis->scale == PICUS_AXIS_LOG && end < PICUS_PLOT_SMALLEST)
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "the %s axis is logarithmic and cannot end at %g", name, end);
  return PICUS_OK;
}

static picus_status check_axis(picus_context *context, const char *name, const picus_axis_def *axis) {
  picus_status status = check_end(context, name, axis, axis->low);
  if (!status) status = check_end(context, name, axis, axis->high);
  if (status) return status;
  if (axis->low >= axis->high) /* false if one is NAN */
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "the %s axis cannot run from %g to %g; give the smaller end first",
                      name, axis->low, axis->high);
  if (axis->name_count < 0 || (axis->name_count > 0 && !axis->names))
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "the %s axis has %d names, but the list is NULL", name,
                      axis->name_count);
  if (axis->name_count > 0 && axis->scale == PICUS_AXIS_LOG)
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "the %s axis has names for its values and cannot be logarithmic",
                      name);
  return PICUS_OK;
}

/* On failure, copied texts stay in axis, to be released. */
static picus_status copy_axis(picus_context *context, const picus_axis_def *def, picus_plot_axis *axis) {
  *axis = (picus_plot_axis){
      .label = copy_label(context, def->label), .scale = def->scale, .low = def->low, .high = def->high};
  if (!axis->label) return PICUS_ERROR_MEMORY;
  if (def->name_count == 0) return PICUS_OK;
  axis->names = picus_allocate(context, (size_t)def->name_count, sizeof *axis->names);
  if (!axis->names) return PICUS_ERROR_MEMORY;
  for (; axis->name_count < def->name_count; axis->name_count++) {
    axis->names[axis->name_count] = copy_label(context, def->names[axis->name_count]);
    if (!axis->names[axis->name_count]) return PICUS_ERROR_MEMORY;
  }
  return PICUS_OK;
}

picus_status picus_figure_add_panel(picus_figure *figure, const picus_panel_def *def, int *panel) {
  picus_context *context = figure->context;
  picus_status status = check_axis(context, "x", &def->x);
  if (!status) status = check_axis(context, "y", &def->y);
  if (status) return status;
  if (figure->panel_count == PICUS_FIGURE_MOST_PANELS)
    return picus_fail(context, PICUS_ERROR_DIMENSION, "a figure has at most %d panels; use several figures",
                      PICUS_FIGURE_MOST_PANELS);
  status = picus_grow(context, &figure->panels, figure->panel_count, &figure->panel_capacity, sizeof *figure->panels);
  if (status) return status;
  picus_plot_panel added = {.equal_aspect = def->equal_aspect, .legend = def->legend};
  added.title = copy_label(context, def->title);
  status = added.title ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (!status) status = copy_axis(context, &def->x, &added.x);
  if (!status) status = copy_axis(context, &def->y, &added.y);
  if (status) {
    release_panel(context, &added);
    return status;
  }
  if (panel) *panel = (int)figure->panel_count;
  figure->panels[figure->panel_count++] = added;
  return PICUS_OK;
}

/* NULL, with the error set, if there is no such panel. */
static picus_plot_panel *find_panel(picus_figure *figure, int index) {
  if (index >= 0 && (size_t)index < figure->panel_count) return &figure->panels[index];
  picus_fail(figure->context, PICUS_ERROR_ARGUMENT, "the figure has no panel %d; it has %zu", index,
             figure->panel_count);
  return NULL;
}

/* ---- Series and reference lines ---- */

static void count_ignored(picus_figure_ignored *ignored, size_t count, const double *values, picus_axis_scale scale) {
  for (size_t i = 0; i < count; i++) {
    if (fabs(values[i]) > PICUS_PLOT_LARGEST)
      ignored->infinite++;
    else if (scale == PICUS_AXIS_LOG && values[i] < PICUS_PLOT_SMALLEST)
      ignored->not_positive++;
  }
}

picus_status picus_figure_add_series(picus_figure *figure, int panel, const picus_series_def *def) {
  picus_plot_panel *target = find_panel(figure, panel);
  if (!target) return PICUS_ERROR_ARGUMENT;
  if (def->count > 0 && (!def->x || !def->y))
    return picus_fail(figure->context, PICUS_ERROR_ARGUMENT, "a series of %zu points lacks its %s values", def->count,
                      def->x ? "y" : "x");
  if (def->style == PICUS_SERIES_CELLS &&
      (!(def->cell[0] > 0 && def->cell[1] > 0) || target->x.scale != PICUS_AXIS_LINEAR ||
       target->y.scale != PICUS_AXIS_LINEAR))
    return picus_fail(figure->context, PICUS_ERROR_ARGUMENT, "a map needs cells with an area, and linear axes");
  picus_status status = picus_grow(figure->context, &target->series, target->series_count, &target->series_capacity,
                                   sizeof *target->series);
  if (status) return status;
  picus_plot_series added = {.count = def->count,
                             .x = def->x,
                             .y = def->y,
                             .style = def->style,
                             .colour = def->colour,
                             .level = def->level,
                             .ramp = def->ramp,
                             .cell = {def->cell[0], def->cell[1]},
                             .dashing = def->dashing};
  if (added.colour < 0) added.colour = (int)(target->series_count % 1000);
  added.label = copy_label(figure->context, def->label);
  if (!added.label) return PICUS_ERROR_MEMORY;
  target->series[target->series_count++] = added;
  count_ignored(&figure->ignored, def->count, def->x, target->x.scale);
  count_ignored(&figure->ignored, def->count, def->y, target->y.scale);
  return PICUS_OK;
}

static picus_status check_reference(picus_figure *figure, const picus_plot_panel *panel,
                                    const picus_reference_def *def) {
  if (!(fabs(def->value) <= PICUS_PLOT_LARGEST))
    return picus_fail(figure->context, PICUS_ERROR_NUMBER, "a reference line cannot be drawn for the value %g",
                      def->value);
  if (def->kind != PICUS_REFERENCE_SLOPE) return PICUS_OK;
  if (panel->x.scale != PICUS_AXIS_LOG || panel->y.scale != PICUS_AXIS_LOG)
    return picus_fail(figure->context, PICUS_ERROR_ARGUMENT, "a reference slope needs two logarithmic axes");
  if (fabs(def->value) > 100)
    return picus_fail(figure->context, PICUS_ERROR_ARGUMENT, "a reference slope of %g is too steep; use at most 100",
                      def->value);
  if (def->series >= 0 && (size_t)def->series >= panel->series_count)
    return picus_fail(figure->context, PICUS_ERROR_ARGUMENT,
                      "the reference slope refers to series %d, which does not exist", def->series);
  return PICUS_OK;
}

picus_status picus_figure_add_reference(picus_figure *figure, int panel, const picus_reference_def *def) {
  picus_plot_panel *target = find_panel(figure, panel);
  if (!target) return PICUS_ERROR_ARGUMENT;
  picus_status status = check_reference(figure, target, def);
  if (!status)
    status = picus_grow(figure->context, &target->references, target->reference_count, &target->reference_capacity,
                        sizeof *target->references);
  if (status) return status;
  char automatic[40] = "";
  if (def->kind == PICUS_REFERENCE_SLOPE)
    snprintf(automatic, sizeof automatic, "slope %s%.4g", def->value < 0 ? "\xE2\x88\x92" : "", fabs(def->value));
  char *label = picus_copy_text(figure->context, def->label ? def->label : automatic);
  if (!label) return PICUS_ERROR_MEMORY;
  target->references[target->reference_count++] =
      (picus_plot_reference){.kind = def->kind, .value = def->value, .label = label, .series = def->series};
  return PICUS_OK;
}

picus_figure_ignored picus_figure_ignored_values(const picus_figure *figure) { return figure->ignored; }
