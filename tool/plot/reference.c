/* Reference lines: positions, labels and appearance. */
#include "plot/internal.h"

#include <math.h>

typedef struct line_ends {
  double x[2], y[2];
  bool visible;
} line_ends;

static picus_status line_ends_move(void *self, double x, double y, bool start) {
  line_ends *ends = self;
  ends->x[start ? 0 : 1] = x;
  ends->y[start ? 0 : 1] = y;
  ends->visible = !start;
  return PICUS_OK;
}

static line_ends reference_ends(const picus_panel_view *view, size_t index) {
  picus_frame frame = picus_panel_frame(view);
  const picus_reference_view *line = &view->references[index];
  line_ends ends = {.visible = false};
  if (line->shown) picus_trace_segment(&frame, line->x, line->y, (picus_pen){line_ends_move, &ends});
  return ends;
}

/* Places to try for a label: a position along the line, and the side of it. */
static const struct {
  double along;
  bool other_side;
} slope_places[] = {{0.5, false}, {0.65, false}, {0.35, false}, {0.8, false}, {0.2, false},
                    {0.5, true},  {0.65, true},  {0.35, true},  {0.8, true},  {0.2, true}},
  straight_places[] = {{1, false}, {1, true}, {0, false}, {0, true}, {0.5, false}, {0.5, true}};

/* The label of a slope is below its line, on the side with space, or above it on the other side; that of a horizontal
 * line above or below it, that of a vertical line to its right or left. */
static picus_box place_at(const picus_panel_view *view, picus_reference_kind kind, const line_ends *line, double along,
                          bool other_side, picus_box label) {
  const double gap = PICUS_PLOT_GAP;
  double x = line->x[0] + along * (line->x[1] - line->x[0]), y = line->y[0] + along * (line->y[1] - line->y[0]);
  if (kind == PICUS_REFERENCE_SLOPE) {
    bool right = (line->y[1] < line->y[0]) != other_side;
    label.x = right ? x + 2 * gap : x - 2 * gap - label.width;
    label.y = other_side ? y - 1.5 * gap - label.height : y + 1.5 * gap;
  } else if (kind == PICUS_REFERENCE_HORIZONTAL) {
    label.x = x - along * label.width;
    label.y = other_side ? y + 0.7 * gap : y - label.height - 0.7 * gap;
  } else {
    label.x = other_side ? x - gap - label.width : x + gap;
    label.y = y - (1 - along) * label.height;
  }
  double right = view->box.x + view->box.width - 2 * gap, bottom = view->box.y + view->box.height - 2 * gap;
  label.x = fmax(fmin(label.x, right - label.width), view->box.x + 2 * gap);
  label.y = fmax(fmin(label.y, bottom - label.height), view->box.y + 2 * gap);
  return label;
}

static void place_label(picus_panel_view *view, size_t index, const picus_cover *cover, cairo_t *cairo) {
  const picus_plot_reference *reference = &view->panel->references[index];
  picus_box *label = &view->references[index].label;
  *label = (picus_box){0, 0, 0, 0};
  line_ends line = reference_ends(view, index);
  if (!line.visible || !reference->label[0]) return;
  picus_text_size size = picus_text_measure(cairo, reference->label, PICUS_PLOT_TICK_FONT);
  picus_box room = {0, 0, fmin(size.width, view->box.width - 4 * PICUS_PLOT_GAP), size.ascent + size.descent};
  bool slope = reference->kind == PICUS_REFERENCE_SLOPE;
  size_t count =
      slope ? sizeof slope_places / sizeof slope_places[0] : sizeof straight_places / sizeof straight_places[0];
  int least = 0;
  for (size_t i = 0; i < count; i++) {
    double along = slope ? slope_places[i].along : straight_places[i].along;
    bool other_side = slope ? slope_places[i].other_side : straight_places[i].other_side;
    picus_box tried = place_at(view, reference->kind, &line, along, other_side, room);
    int hidden = picus_cover_hidden(cover, tried, 2);
    if (i > 0 && hidden >= least) continue;
    least = hidden;
    *label = tried;
  }
}

void picus_references_place(picus_panel_view *view, picus_cover *cover, cairo_t *cairo) {
  picus_frame frame = picus_panel_frame(view);
  for (size_t r = 0; r < view->panel->reference_count; r++) { /* a pen on the cover does not fail */
    const picus_reference_view *line = &view->references[r];
    bool slope = view->panel->references[r].kind == PICUS_REFERENCE_SLOPE;
    if (slope && line->shown) picus_trace_segment(&frame, line->x, line->y, picus_cover_pen(cover));
  }
  for (size_t r = 0; r < view->panel->reference_count; r++) {
    place_label(view, r, cover, cairo);
    if (view->references[r].label.width > 0) picus_cover_add_box(cover, view->references[r].label);
  }
}

void picus_reference_draw(const picus_panel_view *view, size_t index, cairo_t *cairo) {
  static const double dash[] = {3, 2};
  line_ends line = reference_ends(view, index);
  if (!line.visible) return;
  cairo_set_source_rgb(cairo, 0.35, 0.35, 0.35);
  cairo_set_line_width(cairo, 0.6);
  cairo_set_line_cap(cairo, CAIRO_LINE_CAP_BUTT);
  cairo_set_dash(cairo, dash, 2, 0);
  cairo_move_to(cairo, line.x[0], line.y[0]);
  cairo_line_to(cairo, line.x[1], line.y[1]);
  cairo_stroke(cairo);
  cairo_set_dash(cairo, NULL, 0, 0);
  picus_box box = view->references[index].label;
  const char *label = view->panel->references[index].label;
  if (box.width <= 0) return;
  picus_text_size size = picus_text_measure(cairo, label, PICUS_PLOT_TICK_FONT);
  picus_text_draw(cairo, label, PICUS_PLOT_TICK_FONT,
                  (picus_text_spot){.x = box.x, .y = box.y + size.ascent, .max_width = box.width});
}
