/* From a figure to a file: the surface of each format, drawn in memory, written in one go. */
#include "base/output_file.h"
#include "plot/internal.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A file in memory. */
typedef struct file_bytes {
  picus_context *context;
  unsigned char *data;
  size_t count, capacity;
} file_bytes;

/* --- names inside an SVG file ------------------------------------------------------------------------------------- */

/* Renumbers the names inside an SVG file.
 *
 * cairo numbers surfaces and images over the lifetime of the process, so that the second figure would differ from the
 * same figure drawn first. Names of letters and hyphens followed by a number get numbers by their order in the file. */

static picus_status append_bytes(file_bytes *bytes, const void *data, size_t length) {
  if (length == 0) return PICUS_OK;
  if (!bytes->data || length > bytes->capacity - bytes->count) {
    size_t larger = 2 * bytes->capacity + length + 4096;
    unsigned char *block = picus_reallocate(bytes->context, bytes->data, larger, 1);
    if (!block) return PICUS_ERROR_MEMORY;
    bytes->data = block;
    bytes->capacity = larger;
  }
  memcpy(bytes->data + bytes->count, data, length);
  bytes->count += length;
  return PICUS_OK;
}

typedef struct name {
  const unsigned char *text;
  size_t prefix, length; /* of its letters, and of the complete name */
} name;

typedef struct name_list {
  name *names;
  size_t count, capacity;
} name_list;

/* The name at text, which ends before end; length 0 if it is not to be numbered. */
static name read_name(const unsigned char *text, const unsigned char *end) {
  const unsigned char *c = text;
  while (c < end && (isalpha(*c) || *c == '-')) c++;
  size_t prefix = (size_t)(c - text);
  while (c < end && isdigit(*c)) c++;
  bool closed = c < end && (*c == '"' || *c == ')');
  size_t length = (size_t)(c - text);
  return (name){text, prefix, prefix > 0 && length > prefix && closed ? length : 0};
}

/* Finds the next name from *at on: after id=" or, if references are included, after #. Moves *at to it. */
static bool next_name(const unsigned char **at, const unsigned char *end, bool references, name *found) {
  for (const unsigned char *c = *at; c < end; c++) {
    const unsigned char *text = NULL;
    if (*c == 'i' && end - c > 4 && memcmp(c, "id=\"", 4) == 0) text = c + 4;
    if (*c == '#' && references) text = c + 1;
    if (!text) continue;
    *found = read_name(text, end);
    if (found->length == 0) continue;
    *at = text;
    return true;
  }
  return false;
}

static size_t find(const name_list *list, const name *wanted) {
  for (size_t i = 0; i < list->count; i++)
    if (list->names[i].length == wanted->length && memcmp(list->names[i].text, wanted->text, wanted->length) == 0)
      return i;
  return list->count;
}

static picus_status collect_names(const file_bytes *svg, name_list *list) {
  const unsigned char *at = svg->data, *end = svg->data + svg->count;
  name found;
  while (next_name(&at, end, false, &found)) {
    at += found.length;
    if (find(list, &found) < list->count) continue;
    picus_status status = picus_grow(svg->context, &list->names, list->count, &list->capacity, sizeof *list->names);
    if (status) return status;
    list->names[list->count++] = found;
  }
  return PICUS_OK;
}

static picus_status rewrite(const file_bytes *svg, const name_list *list, file_bytes *out) {
  const unsigned char *copied = svg->data, *at = svg->data, *end = svg->data + svg->count;
  picus_status status = PICUS_OK;
  name found;
  while (!status && next_name(&at, end, true, &found)) {
    size_t index = find(list, &found);
    at += found.length;
    if (index == list->count) continue;
    char number[24];
    int digits = snprintf(number, sizeof number, "%zu", index);
    status = append_bytes(out, copied, (size_t)(found.text - copied) + found.prefix);
    if (!status) status = append_bytes(out, number, (size_t)digits);
    copied = at;
  }
  return status ? status : append_bytes(out, copied, (size_t)(end - copied));
}

/* Replaces the numbers in the names of an SVG file by ones that depend on the file alone. */
static picus_status svg_renumber(file_bytes *svg) {
  name_list list = {0};
  file_bytes out = {.context = svg->context};
  picus_status status = collect_names(svg, &list);
  if (!status) status = rewrite(svg, &list, &out);
  picus_release(svg->context, list.names);
  if (status) {
    picus_release(svg->context, out.data);
    return status;
  }
  picus_release(svg->context, svg->data);
  *svg = out;
  return PICUS_OK;
}

/* --- files -------------------------------------------------------------------------------------------------------- */

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
  return append_bytes(closure, data, length) ? CAIRO_STATUS_NO_MEMORY : CAIRO_STATUS_SUCCESS;
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

static cairo_surface_t *create_surface(const picus_layout *layout, file_format format, file_bytes *buffer) {
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

static picus_status render(const picus_layout *layout, file_format format, file_bytes *buffer) {
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
  if (!status && format == FORMAT_SVG) status = svg_renumber(buffer);
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
  file_bytes buffer = {.context = context};
  if (!status) status = render(layout, format_of(path), &buffer);
  if (!status) status = picus_output_save(context, path, buffer.data, buffer.count);
  picus_release(context, buffer.data);
  picus_layout_destroy(layout);
  return status;
}
