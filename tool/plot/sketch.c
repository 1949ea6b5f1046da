/* Sketches: lines, areas, circles and texts painted by cairo onto pixels, saved as PNG. */
#include "plot/sketch.h"
#include "base/internal.h"
#include "base/output_file.h"
#include "plot/font.h"

#include <cairo.h>
#include <string.h>

struct picus_sketch {
  picus_context *context;
  cairo_surface_t *surface;
  cairo_t *cairo;
};

void picus_sketch_destroy(picus_sketch *s) {
  if (!s) return;
  if (s->cairo) cairo_destroy(s->cairo);
  if (s->surface) cairo_surface_destroy(s->surface);
  picus_release(s->context, s);
}

picus_status picus_sketch_create(picus_context *context, int width, int height, picus_sketch **out) {
  *out = NULL;
  picus_sketch *s = picus_allocate(context, 1, sizeof *s);
  if (!s) return PICUS_ERROR_MEMORY;
  s->context = context;
  s->surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
  s->cairo = cairo_create(s->surface);
  if (cairo_status(s->cairo) != CAIRO_STATUS_SUCCESS) {
    picus_sketch_destroy(s);
    return picus_fail(context, PICUS_ERROR_MEMORY, "out of memory for a picture of %d x %d pixels", width, height);
  }
  cairo_set_source_rgb(s->cairo, 1, 1, 1);
  cairo_paint(s->cairo);
  cairo_set_line_join(s->cairo, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap(s->cairo, CAIRO_LINE_CAP_ROUND);
  picus_select_font(s->cairo);
  cairo_set_font_size(s->cairo, 14);
  *out = s;
  return PICUS_OK;
}

void picus_sketch_clip(picus_sketch *s, double x, double y, double width, double height) {
  cairo_reset_clip(s->cairo);
  cairo_rectangle(s->cairo, x, y, width, height);
  cairo_clip(s->cairo);
}

static void set_colour(cairo_t *cairo, long colour) {
  cairo_set_source_rgb(cairo, (double)(colour >> 16 & 255) / 255, (double)(colour >> 8 & 255) / 255,
                       (double)(colour & 255) / 255);
}

static void add_text(cairo_t *cairo, const picus_mark *m) {
  cairo_text_extents_t size;
  if (m->line < 0) return;
  cairo_text_extents(cairo, m->text, &size);
  cairo_move_to(cairo, m->points[0][0] - size.width / 2 - size.x_bearing,
                m->points[0][1] - size.height / 2 - size.y_bearing);
  set_colour(cairo, m->line);
  cairo_show_text(cairo, m->text);
  cairo_new_path(cairo);
}

/* Lighter where the light comes from, darker at the rim. */
static void set_ball(cairo_t *cairo, const picus_mark *m) {
  const double x = m->points[0][0], y = m->points[0][1], r = m->radius;
  cairo_pattern_t *shades = cairo_pattern_create_radial(x - 0.3 * r, y - 0.4 * r, 0, x, y, r);
  const double parts[3] = {0.55, 0, -0.4}, offsets[3] = {0, 0.5, 1};
  for (int k = 0; k < 3; k++) {
    double c[3];
    for (int i = 0; i < 3; i++) {
      const double value = (double)(m->fill >> (16 - 8 * i) & 255) / 255;
      c[i] = parts[k] > 0 ? value + parts[k] * (1 - value) : value * (1 + parts[k]);
    }
    cairo_pattern_add_color_stop_rgb(shades, offsets[k], c[0], c[1], c[2]);
  }
  cairo_set_source(cairo, shades);
  cairo_pattern_destroy(shades);
}

void picus_sketch_add(picus_sketch *s, const picus_mark *m) {
  cairo_t *cairo = s->cairo;
  if (m->count < 1) return;
  if (m->kind == PICUS_MARK_TEXT) {
    add_text(cairo, m);
    return;
  }
  cairo_new_path(cairo);
  if (m->kind == PICUS_MARK_CIRCLE || m->kind == PICUS_MARK_BALL)
    cairo_arc(cairo, m->points[0][0], m->points[0][1], m->radius, 0, 2 * 3.14159265358979323846);
  else
    for (int i = 0; i < m->count; i++) cairo_line_to(cairo, m->points[i][0], m->points[i][1]);
  if (m->kind == PICUS_MARK_AREA) cairo_close_path(cairo);
  if (m->fill >= 0 && m->kind != PICUS_MARK_LINE) {
    if (m->kind == PICUS_MARK_BALL)
      set_ball(cairo, m);
    else
      set_colour(cairo, m->fill);
    cairo_fill_preserve(cairo);
  }
  if (m->line >= 0) {
    set_colour(cairo, m->line);
    cairo_set_line_width(cairo, m->width);
    cairo_stroke(cairo);
  }
  cairo_new_path(cairo);
}

const unsigned char *picus_sketch_pixels(picus_sketch *s, size_t *size) {
  cairo_surface_flush(s->surface);
  *size = (size_t)cairo_image_surface_get_stride(s->surface) * (size_t)cairo_image_surface_get_height(s->surface);
  return cairo_image_surface_get_data(s->surface);
}

typedef struct png_bytes {
  picus_context *context;
  unsigned char *bytes;
  size_t size, capacity;
} png_bytes;

static cairo_status_t take_bytes(void *user, const unsigned char *data, unsigned length) {
  png_bytes *png = user;
  if (length > png->capacity - png->size) {
    size_t capacity = 2 * png->capacity + length + 4096;
    unsigned char *grown = picus_reallocate(png->context, png->bytes, capacity, 1);
    if (!grown) return CAIRO_STATUS_NO_MEMORY;
    png->bytes = grown;
    png->capacity = capacity;
  }
  memcpy(png->bytes + png->size, data, length);
  png->size += length;
  return CAIRO_STATUS_SUCCESS;
}

picus_status picus_sketch_save(picus_sketch *s, const char *path) {
  png_bytes png = {s->context, NULL, 0, 0};
  cairo_surface_flush(s->surface);
  cairo_status_t done = cairo_surface_write_to_png_stream(s->surface, take_bytes, &png);
  picus_status status = PICUS_OK;
  if (done != CAIRO_STATUS_SUCCESS)
    status = picus_fail(s->context, PICUS_ERROR_MEMORY, "cannot draw '%s': %s", path, cairo_status_to_string(done));
  if (!status) status = picus_output_save(s->context, path, png.bytes, png.size);
  picus_release(s->context, png.bytes);
  return status;
}
