/* From a figure to a file: the surface of each format, drawn in memory, written in one go. */
#include "base/output_file.h"
#include "plot/internal.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <ctype.h>
#include <math.h>
#include <string.h>

#define DEFAULT_PIXELS 1600
#define MOST_PIXELS 30000.0 /* cairo's limit is 32767 */

typedef enum file_format { FORMAT_NONE, FORMAT_PNG, FORMAT_SVG, FORMAT_PDF } file_format;

static bool ends_like(const char *path, const char *ending) {
  size_t length = strlen(path), n = strlen(ending);
  if (length <= n) return false;
  for (size_t i = 0; i < n; i++)
    if (tolower((unsigned char)path[length - n + i]) != ending[i]) return false;
  return true;
}

static file_format format_of(const char *path) {
  if (ends_like(path, ".png")) return FORMAT_PNG;
  if (ends_like(path, ".svg")) return FORMAT_SVG;
  if (ends_like(path, ".pdf")) return FORMAT_PDF;
  return FORMAT_NONE;
}

picus_status picus_figure_check_path(picus_context *context, const char *path) {
  if (format_of(path) != FORMAT_NONE) return PICUS_OK;
  return picus_fail(context, PICUS_ERROR_ARGUMENT,
                    "the format of the figure \"%s\" is unknown; its name must end in .png, .svg or .pdf", path);
}

static cairo_status_t append(void *closure, const unsigned char *data, unsigned int length) {
  return picus_bytes_append(closure, data, length) ? CAIRO_STATUS_NO_MEMORY : CAIRO_STATUS_SUCCESS;
}

static picus_status check_cairo(picus_context *context, cairo_status_t status) {
  if (status == CAIRO_STATUS_SUCCESS) return PICUS_OK;
  if (status == CAIRO_STATUS_NO_MEMORY) return picus_fail(context, PICUS_ERROR_MEMORY, "out of memory while drawing");
  return picus_fail(context, PICUS_ERROR_UNSUPPORTED, "the figure cannot be drawn: %s", cairo_status_to_string(status));
}

/* ---- Surfaces ---- */

static double pixels_per_point(const picus_layout *layout) {
  int pixels = layout->figure->def.pixels ? layout->figure->def.pixels : DEFAULT_PIXELS;
  return fmin(pixels / layout->width, MOST_PIXELS / layout->height);
}

static cairo_surface_t *create_surface(const picus_layout *layout, file_format format, picus_bytes *buffer) {
  double width = layout->width, height = layout->height;
  if (format == FORMAT_PNG) {
    double scale = pixels_per_point(layout);
    return cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)lround(width * scale), (int)lround(height * scale));
  }
  if (format == FORMAT_SVG) {
    cairo_surface_t *surface = cairo_svg_surface_create_for_stream(append, buffer, width, height);
    cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PT);
    return surface;
  }
  cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(append, buffer, width, height);
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "");
  return surface;
}

static picus_status draw_on(const picus_layout *layout, file_format format, cairo_surface_t *surface) {
  cairo_t *cairo = cairo_create(surface);
  double scale = format == FORMAT_PNG ? pixels_per_point(layout) : 1;
  cairo_scale(cairo, scale, scale);
  if (format != FORMAT_PDF) { /* a page is white by itself */
    cairo_set_source_rgb(cairo, 1, 1, 1);
    cairo_paint(cairo);
  }
  picus_status status =
      picus_layout_draw(layout, (picus_canvas){.cairo = cairo, .pixel = format == FORMAT_PNG ? 1 / scale : 0});
  if (!status) status = check_cairo(layout->figure->context, cairo_status(cairo));
  cairo_destroy(cairo);
  return status;
}

static picus_status render(const picus_layout *layout, file_format format, picus_bytes *buffer) {
  picus_context *context = layout->figure->context;
  cairo_surface_t *surface = create_surface(layout, format, buffer);
  picus_status status = check_cairo(context, cairo_surface_status(surface));
  if (!status) status = draw_on(layout, format, surface);
  if (!status && format == FORMAT_PNG) {
    status = check_cairo(context, cairo_surface_write_to_png_stream(surface, append, buffer));
  }
  cairo_surface_finish(surface); /* the vector formats write here */
  if (!status) status = check_cairo(context, cairo_surface_status(surface));
  cairo_surface_destroy(surface);
  if (!status && format == FORMAT_SVG) status = picus_svg_renumber(buffer);
  return status;
}

/* ---- Files ---- */

/* Any surface can measure text. */
static picus_status create_layout(const picus_figure *figure, picus_layout **layout) {
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
  cairo_t *cairo = cairo_create(surface);
  picus_status status = check_cairo(figure->context, cairo_status(cairo));
  if (!status) status = picus_layout_create(figure, cairo, layout);
  cairo_destroy(cairo);
  cairo_surface_destroy(surface);
  return status;
}

picus_status picus_figure_save(const picus_figure *figure, const char *path) {
  picus_context *context = figure->context;
  picus_status status = picus_figure_check_path(context, path);
  if (status) return status;
  if (figure->panel_count == 0)
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "the figure for \"%s\" has no panel", path);
  picus_layout *layout = NULL;
  status = create_layout(figure, &layout);
  picus_bytes buffer = {.context = context};
  if (!status) status = render(layout, format_of(path), &buffer);
  if (!status) status = picus_output_save(context, path, buffer.data, buffer.count);
  picus_release(context, buffer.data);
  picus_layout_destroy(layout);
  return status;
}
