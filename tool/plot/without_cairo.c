/* Built instead of the files that need cairo (PICUS_WITH_CAIRO=OFF): no figure and no picture of pixels exists, and
 * what would make one fails with a message. */
#include "base/internal.h"
#include "plot/figure.h"
#include "plot/sketch.h"

static picus_status fail(picus_context *context) {
  return picus_fail(context, PICUS_ERROR_UNSUPPORTED,
                    "this Picus was built without cairo and draws no figures and no PNG; write tables (picus export) "
                    "or SVG (picus render), or take one that was built with cairo");
}

picus_figure_def picus_default_figure_def(void) { return (picus_figure_def){0}; }
picus_panel_def picus_default_panel_def(void) { return (picus_panel_def){0}; }
picus_series_def picus_default_series_def(void) { return (picus_series_def){0}; }
picus_reference_def picus_default_reference_def(void) { return (picus_reference_def){0}; }

picus_status picus_figure_check_path(picus_context *context, const char *path) {
  (void)path;
  return fail(context);
}

picus_status picus_figure_create(picus_context *context, const picus_figure_def *def, picus_figure **out) {
  (void)def;
  *out = NULL;
  return fail(context);
}

void picus_figure_destroy(picus_figure *figure) { (void)figure; }

picus_status picus_figure_add_panel(picus_figure *figure, const picus_panel_def *def, int *panel) {
  (void)figure, (void)def;
  *panel = 0;
  return PICUS_ERROR_UNSUPPORTED;
}

picus_status picus_figure_add_series(picus_figure *figure, int panel, const picus_series_def *def) {
  (void)figure, (void)panel, (void)def;
  return PICUS_ERROR_UNSUPPORTED;
}

picus_status picus_figure_add_reference(picus_figure *figure, int panel, const picus_reference_def *def) {
  (void)figure, (void)panel, (void)def;
  return PICUS_ERROR_UNSUPPORTED;
}

picus_figure_ignored picus_figure_ignored_values(const picus_figure *figure) {
  (void)figure;
  return (picus_figure_ignored){0};
}

picus_status picus_figure_save(const picus_figure *figure, const char *path) {
  (void)figure, (void)path;
  return PICUS_ERROR_UNSUPPORTED;
}

picus_status picus_sketch_create(picus_context *context, int width, int height, picus_sketch **out) {
  (void)width, (void)height;
  *out = NULL;
  return fail(context);
}

void picus_sketch_clip(picus_sketch *sketch, double x, double y, double width, double height) {
  (void)sketch, (void)x, (void)y, (void)width, (void)height;
}

void picus_sketch_add(picus_sketch *sketch, const picus_mark *mark) { (void)sketch, (void)mark; }

const unsigned char *picus_sketch_pixels(picus_sketch *sketch, size_t *size) {
  (void)sketch;
  *size = 0;
  return NULL;
}

picus_status picus_sketch_save(picus_sketch *sketch, const char *path) {
  (void)sketch, (void)path;
  return PICUS_ERROR_UNSUPPORTED;
}

void picus_sketch_destroy(picus_sketch *sketch) { (void)sketch; }
