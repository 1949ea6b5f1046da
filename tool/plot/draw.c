/* Panels: grid, curves, frame with ticks, and all texts around it. */
#include "plot/internal.h"

#include <math.h>

static void set_grey(cairo_t *cairo, double grey, double width) {
  cairo_set_source_rgb(cairo, grey, grey, grey);
  cairo_set_line_width(cairo, width);
  cairo_set_line_cap(cairo, CAIRO_LINE_CAP_BUTT);
}

static double at_x(const picus_frame *frame, double value) {
  return frame->box.x + frame->box.width * picus_axis_map_apply(&frame->x, value);
}

static double at_y(const picus_frame *frame, double value) {
  return frame->box.y + frame->box.height * (1 - picus_axis_map_apply(&frame->y, value));
}

static void line(cairo_t *cairo, double x0, double y0, double x1, double y1) {
  cairo_move_to(cairo, x0, y0);
  cairo_line_to(cairo, x1, y1);
}

static void draw_grid(const picus_panel_view *view, const picus_frame *frame, cairo_t *cairo) {
  picus_box box = frame->box;
  set_grey(cairo, 0.88, 0.4);
  for (int i = 0; i < view->x.ticks.count; i++) {
    double x = at_x(frame, view->x.ticks.value[i]);
    line(cairo, x, box.y, x, box.y + box.height);
  }
  for (int i = 0; i < view->y.ticks.count; i++) {
    double y = at_y(frame, view->y.ticks.value[i]);
    line(cairo, box.x, y, box.x + box.width, y);
  }
  cairo_stroke(cairo);
}

/* Ticks point inwards from all four sides. */
static void x_ticks(const picus_frame *frame, int count, const double *values, double length, cairo_t *cairo) {
  double top = frame->box.y, bottom = frame->box.y + frame->box.height;
  for (int i = 0; i < count; i++) {
    double x = at_x(frame, values[i]);
    line(cairo, x, bottom, x, bottom - length);
    line(cairo, x, top, x, top + length);
  }
}

static void y_ticks(const picus_frame *frame, int count, const double *values, double length, cairo_t *cairo) {
  double left = frame->box.x, right = frame->box.x + frame->box.width;
  for (int i = 0; i < count; i++) {
    double y = at_y(frame, values[i]);
    line(cairo, left, y, left + length, y);
    line(cairo, right, y, right - length, y);
  }
}

static void draw_frame(const picus_panel_view *view, const picus_frame *frame, cairo_t *cairo) {
  const double minor = 0.55 * PICUS_PLOT_TICK_LENGTH;
  set_grey(cairo, 0, 0.4);
  x_ticks(frame, view->x.ticks.minor_count, view->x.ticks.minor, minor, cairo);
  y_ticks(frame, view->y.ticks.minor_count, view->y.ticks.minor, minor, cairo);
  cairo_stroke(cairo);
  set_grey(cairo, 0, 0.6);
  x_ticks(frame, view->x.ticks.count, view->x.ticks.value, PICUS_PLOT_TICK_LENGTH, cairo);
  y_ticks(frame, view->y.ticks.count, view->y.ticks.value, PICUS_PLOT_TICK_LENGTH, cairo);
  cairo_rectangle(cairo, frame->box.x, frame->box.y, frame->box.width, frame->box.height);
  cairo_stroke(cairo);
}

static void draw_x_texts(const picus_panel_view *view, const picus_frame *frame, cairo_t *cairo) {
  if (!view->x_labelled) return;
  const picus_ticks *ticks = &view->x.ticks;
  picus_box box = frame->box;
  double ascent = 0, descent = 0, bottom = box.y + box.height + PICUS_PLOT_GAP_BELOW;
  for (int i = 0; i < ticks->count; i++) {
    picus_text_size size = picus_text_measure(cairo, ticks->label[i], PICUS_PLOT_TICK_FONT);
    ascent = fmax(ascent, size.ascent);
    descent = fmax(descent, size.descent);
  }
  for (int i = 0; i < ticks->count; i++) {
    picus_text_spot spot = {
        .x = at_x(frame, ticks->value[i]), .y = bottom + ascent, .align = 0.5, .max_width = box.width};
    picus_text_draw(cairo, ticks->label[i], PICUS_PLOT_TICK_FONT, spot);
  }
  picus_text_size note = picus_text_measure(cairo, ticks->note, PICUS_PLOT_TICK_FONT);
  picus_text_size label = picus_text_measure(cairo, view->panel->x.label, PICUS_PLOT_LABEL_FONT);
  double baseline = bottom + ascent + descent + 1.5 * PICUS_PLOT_GAP + fmax(note.ascent, label.ascent);
  double reserved = note.width > 0 ? 2 * (note.width + 2 * PICUS_PLOT_GAP) : 0; /* the label stays centred */
  picus_text_spot right = {.x = box.x + box.width, .y = baseline, .align = 1, .max_width = box.width};
  picus_text_spot middle = {.x = box.x + box.width / 2, .y = baseline, .align = 0.5, .max_width = box.width - reserved};
  picus_text_draw(cairo, ticks->note, PICUS_PLOT_TICK_FONT, right);
  picus_text_draw(cairo, view->panel->x.label, PICUS_PLOT_LABEL_FONT, middle);
}

static void draw_y_texts(const picus_panel_view *view, const picus_frame *frame, cairo_t *cairo) {
  const picus_ticks *ticks = &view->y.ticks;
  picus_box box = frame->box;
  double digit = picus_text_measure(cairo, "0", PICUS_PLOT_TICK_FONT).ascent;
  for (int i = 0; i < ticks->count; i++) {
    picus_text_spot spot = {.x = box.x - PICUS_PLOT_GAP,
                            .y = at_y(frame, ticks->value[i]) + digit / 2,
                            .align = 1,
                            .max_width = view->tick_room};
    picus_text_draw(cairo, ticks->label[i], PICUS_PLOT_TICK_FONT, spot);
  }
  /* the common factor or offset of the ticks */
  picus_text_size note = picus_text_measure(cairo, ticks->note, PICUS_PLOT_TICK_FONT);
  picus_text_spot above = {.x = box.x, .y = box.y - PICUS_PLOT_GAP - note.descent, .max_width = box.width};
  picus_text_draw(cairo, ticks->note, PICUS_PLOT_TICK_FONT, above);
  picus_text_lines lines = picus_text_split(cairo, view->panel->y.label, PICUS_PLOT_LABEL_FONT, box.height);
  double left = view->label_left;
  for (int i = 0; i < lines.count; i++) {
    picus_text_size size = picus_text_measure(cairo, lines.text[i], PICUS_PLOT_LABEL_FONT);
    picus_text_spot spot = {
        .x = left + size.ascent, .y = box.y + box.height / 2, .align = 0.5, .max_width = box.height, .upward = true};
    picus_text_draw(cairo, lines.text[i], PICUS_PLOT_LABEL_FONT, spot);
    left += size.ascent + size.descent + 0.7 * PICUS_PLOT_GAP;
  }
}

/* From the frame upwards: note of the y axis, legend, title. */
static void draw_above(picus_panel_view *view, cairo_t *cairo) {
  picus_box box = view->box;
  double top = box.y;
  if (view->y.ticks.note[0]) {
    picus_text_size note = picus_text_measure(cairo, view->y.ticks.note, PICUS_PLOT_TICK_FONT);
    top -= note.ascent + note.descent + PICUS_PLOT_GAP;
  }
  if (view->legend.shown && view->legend.outside) {
    top -= view->legend.box.height + PICUS_PLOT_GAP;
    view->legend.box.x = box.x + (box.width - view->legend.box.width) / 2;
    view->legend.box.y = top + PICUS_PLOT_GAP / 2;
  }
  picus_text_size title = picus_text_measure(cairo, view->panel->title, PICUS_PLOT_LABEL_FONT);
  picus_text_draw(cairo, view->panel->title, PICUS_PLOT_LABEL_FONT,
                  (picus_text_spot){.x = box.x + box.width / 2,
                                    .y = top - 1.5 * PICUS_PLOT_GAP - title.descent,
                                    .align = 0.5,
                                    .max_width = box.width});
}

static void draw_emptiness(const picus_panel_view *view, cairo_t *cairo) {
  bool log = view->panel->x.scale == PICUS_AXIS_LOG || view->panel->y.scale == PICUS_AXIS_LOG;
  picus_box box = view->box;
  cairo_set_source_rgb(cairo, 0.45, 0.45, 0.45);
  picus_text_draw(cairo, log ? "no positive finite data" : "no finite data", PICUS_PLOT_LABEL_FONT,
                  (picus_text_spot){.x = box.x + box.width / 2,
                                    .y = box.y + box.height / 2 + 3,
                                    .align = 0.5,
                                    .max_width = box.width - 2 * PICUS_PLOT_GAP});
}

static picus_status draw_panel(picus_context *context, picus_panel_view *view, picus_canvas canvas) {
  cairo_t *cairo = canvas.cairo;
  picus_frame frame = picus_panel_frame(view);
  picus_box box = view->box;
  draw_grid(view, &frame, cairo);
  cairo_save(cairo);
  cairo_rectangle(cairo, box.x, box.y, box.width, box.height);
  cairo_clip(cairo);
  for (size_t r = 0; r < view->panel->reference_count; r++) picus_reference_draw(view, r, cairo);
  picus_status status = PICUS_OK;
  for (size_t s = 0; s < view->panel->series_count && !status; s++)
    status = picus_series_draw(context, view, s, canvas);
  cairo_restore(cairo);
  if (status) return status;
  if (view->empty) draw_emptiness(view, cairo);
  draw_frame(view, &frame, cairo);
  draw_x_texts(view, &frame, cairo);
  draw_y_texts(view, &frame, cairo);
  draw_above(view, cairo);
  picus_legend_draw(view, cairo);
  return PICUS_OK;
}

picus_status picus_layout_draw(const picus_layout *layout, picus_canvas canvas) {
  cairo_t *cairo = canvas.cairo;
  picus_text_begin(cairo);
  const char *title = layout->figure->title;
  picus_text_size size = picus_text_measure(cairo, title, PICUS_PLOT_LABEL_FONT);
  cairo_set_source_rgb(cairo, 0, 0, 0);
  picus_text_draw(cairo, title, PICUS_PLOT_LABEL_FONT,
                  (picus_text_spot){.x = layout->width / 2,
                                    .y = PICUS_PLOT_EDGE + size.ascent,
                                    .align = 0.5,
                                    .max_width = layout->width - 2 * PICUS_PLOT_EDGE});
  for (size_t p = 0; p < layout->figure->panel_count; p++) {
    picus_status status = draw_panel(layout->figure->context, &layout->panels[p], canvas);
    if (status) return status;
  }
  return PICUS_OK;
}
