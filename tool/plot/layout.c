/* Margins and boxes of all panels, from the actual sizes of their labels.
 *
 * Ticks depend on the size of the frame, margins on the tick labels, and the frame on the margins: a few rounds settle
 * this. Panels in one column share left and right margins, panels in one row those above and below. */
#include "plot/internal.h"

#include <math.h>

enum { ROUNDS = 6, MOST_STACKED = 6 };

#define LEAST_FRAME 20.0 /* regardless of the space left by labels */
#define BETWEEN_COLUMNS 14.0
#define BETWEEN_ROWS 13.0
#define BETWEEN_STACKED 5.0

/* ---- Arrangement ---- */

static int columns_for(const picus_layout *layout) {
  int count = (int)layout->figure->panel_count, wanted = layout->figure->def.columns;
  if (wanted > 0) return wanted < count ? wanted : count;
  if (layout->stacked) return (count + MOST_STACKED - 1) / MOST_STACKED;
  return count <= 3 ? count : count == 4 ? 2 : 3;
}

static void arrange(picus_layout *layout) {
  int count = (int)layout->figure->panel_count;
  const picus_figure_def *def = &layout->figure->def;
  layout->columns = columns_for(layout);
  layout->rows = (count + layout->columns - 1) / layout->columns;
  layout->width = def->width > 0 ? def->width : count == 1 ? PICUS_FIGURE_SINGLE_COLUMN : PICUS_FIGURE_DOUBLE_COLUMN;
  for (int p = 0; p < count; p++) {
    picus_panel_view *view = &layout->panels[p];
    view->row = layout->stacked ? p % layout->rows : p / layout->columns;
    view->column = layout->stacked ? p / layout->rows : p % layout->columns;
    view->x_labelled = !layout->stacked || view->row == layout->rows - 1 || p == count - 1;
  }
}

static double natural_height(const picus_layout *layout, const picus_panel_view *view, double width) {
  if (view->panel->equal_aspect) {
    picus_axis_map x = picus_axis_map_make(view->panel->x.scale, view->x.range);
    picus_axis_map y = picus_axis_map_make(view->panel->y.scale, view->y.range);
    return width * fmin(fmax(y.length / x.length, 0.4), 1.3);
  }
  if (layout->stacked && layout->rows > 1) {
    if (view->panel->y.name_count > 0) return fmax(14.0 * (view->panel->y.name_count + 1), 40);
    return fmax(0.21 * width, 75);
  }
  return width * (layout->columns == 1 ? 0.7 : layout->columns == 2 ? 0.76 : 0.9);
}

/* ---- Ticks that fit ---- */

static void make_ticks(const picus_plot_axis *axis, picus_axis_view *view, int wanted) {
  if (axis->name_count > 0)
    picus_ticks_named(view->range, axis->name_count, axis->names, &view->ticks);
  else if (axis->scale == PICUS_AXIS_LOG)
    picus_ticks_log(view->range, wanted, &view->ticks);
  else
    picus_ticks_linear(view->range, wanted, &view->ticks);
}

/* Distance between the centres of labels i and j on an axis of this length. */
static double between(const picus_axis_map *map, const picus_ticks *ticks, int i, int j, double length) {
  return (picus_axis_map_apply(map, ticks->value[j]) - picus_axis_map_apply(map, ticks->value[i])) * length;
}

/* Chooses as many ticks as fit without their labels touching; if even the fewest touch, some labels are left out. */
static void fit_ticks(const picus_plot_axis *axis, picus_axis_view *view, cairo_t *cairo, double length,
                      bool vertical) {
  picus_axis_map map = picus_axis_map_make(axis->scale, view->range);
  double extent[PICUS_TICKS_MOST] = {0}, distance = vertical ? 3 : 8;
  int wanted = (int)fmin(fmax(length / (vertical ? 22 : 36), 4), 7);
  for (; wanted >= 3; wanted--) {
    make_ticks(axis, view, wanted);
    bool fits = true;
    for (int i = 0; i < view->ticks.count; i++) {
      picus_text_size size = picus_text_measure(cairo, view->ticks.label[i], PICUS_PLOT_TICK_FONT);
      extent[i] = vertical ? size.ascent + size.descent : size.width;
      fits = fits &&
             (i == 0 || between(&map, &view->ticks, i - 1, i, length) >= (extent[i - 1] + extent[i]) / 2 + distance);
    }
    if (fits) return;
  }
  int previous = 0; /* the last label that stays */
  for (int i = 1; i < view->ticks.count; i++) {
    if (between(&map, &view->ticks, previous, i, length) >= (extent[previous] + extent[i]) / 2 + distance / 2)
      previous = i;
    else
      view->ticks.label[i][0] = '\0';
  }
}

/* Grows ranges that are not fixed until a unit is as long in x as in y; if it is the fixed one that would have to grow,
 * the frame shrinks. */
static void equalize(const picus_layout *layout, picus_panel_view *view) {
  const picus_plot_panel *panel = view->panel;
  picus_axis_map x = picus_axis_map_make(panel->x.scale, view->natural_x);
  picus_axis_map y = picus_axis_map_make(panel->y.scale, view->natural_y);
  double unit = fmax(x.length / view->box.width, y.length / view->box.height); /* per point of length */
  bool grow_x = x.length / view->box.width < unit;
  picus_axis_map *map = grow_x ? &x : &y;
  const picus_plot_axis *axis = grow_x ? &panel->x : &panel->y;
  double *side = grow_x ? &view->box.width : &view->box.height, needed = unit * *side;
  view->x.range = view->natural_x;
  view->y.range = view->natural_y;
  bool fixed = !isnan(axis->low) || !isnan(axis->high) || (grow_x && layout->stacked);
  double start = map->start - (needed - map->length) / 2, end = start + needed;
  bool log = map->scale == PICUS_AXIS_LOG;
  if (fixed || (log && (start < -304 || end > 304))) {
    double smaller = fmax(map->length / unit, LEAST_FRAME);
    if (grow_x)
      view->box.x += (*side - smaller) / 2;
    else
      view->box.y += (*side - smaller) / 2;
    *side = smaller;
    return;
  }
  picus_extent grown = log ? (picus_extent){pow(10, start), pow(10, end)} : (picus_extent){start, end};
  if (grow_x)
    view->x.range = grown;
  else
    view->y.range = grown;
}

/* ---- Margins ---- */

typedef struct margins {
  double left, right, top, bottom;
} margins;

static double text_height(cairo_t *cairo, const char *label, double font_size) {
  picus_text_size size = picus_text_measure(cairo, label, font_size);
  return size.ascent + size.descent;
}

static double widest_tick_label(cairo_t *cairo, const picus_ticks *ticks) {
  double width = 0;
  for (int i = 0; i < ticks->count; i++)
    width = fmax(width, picus_text_measure(cairo, ticks->label[i], PICUS_PLOT_TICK_FONT).width);
  return width;
}

static double tallest_tick_label(cairo_t *cairo, const picus_ticks *ticks) {
  double height = 0;
  for (int i = 0; i < ticks->count; i++)
    height = fmax(height, text_height(cairo, ticks->label[i], PICUS_PLOT_TICK_FONT));
  return height;
}

/* How far the labels under the frame stick out of it to the left and to the right. */
static void x_label_overhang(const picus_panel_view *view, cairo_t *cairo, double *left, double *right) {
  picus_axis_map map = picus_axis_map_make(view->panel->x.scale, view->x.range);
  *left = *right = 0;
  for (int i = 0; i < view->x.ticks.count && view->x_labelled; i++) {
    double half = picus_text_measure(cairo, view->x.ticks.label[i], PICUS_PLOT_TICK_FONT).width / 2;
    double at = picus_axis_map_apply(&map, view->x.ticks.value[i]) * view->box.width;
    *left = fmax(*left, half - at);
    *right = fmax(*right, at + half - view->box.width);
  }
}

static margins panel_margins(const picus_layout *layout, picus_panel_view *view, cairo_t *cairo) {
  const picus_plot_panel *panel = view->panel;
  double overhang_left, overhang_right;
  x_label_overhang(view, cairo, &overhang_left, &overhang_right);
  view->tick_room = fmin(widest_tick_label(cairo, &view->y.ticks), 0.35 * layout->width / layout->columns);
  margins m = {.left = view->tick_room + PICUS_PLOT_GAP, .right = overhang_right};
  picus_text_lines lines = picus_text_split(cairo, panel->y.label, PICUS_PLOT_LABEL_FONT, view->box.height);
  for (int i = 0; i < lines.count && panel->y.label[0]; i++)
    m.left += text_height(cairo, lines.text[i], PICUS_PLOT_LABEL_FONT) + (i == 0 ? 1.5 : 0.7) * PICUS_PLOT_GAP;
  m.left = fmax(m.left, overhang_left);
  double half_label = tallest_tick_label(cairo, &view->y.ticks) / 2; /* of ticks at the ends of the axis */
  bool legend = view->legend.shown && view->legend.outside;
  if (view->y.ticks.note[0])
    m.top = text_height(cairo, view->y.ticks.note, PICUS_PLOT_TICK_FONT) + PICUS_PLOT_GAP;
  else
    m.top = legend ? 0 : half_label;
  if (legend) m.top += view->legend.box.height + PICUS_PLOT_GAP;
  if (panel->title[0]) m.top += text_height(cairo, panel->title, PICUS_PLOT_LABEL_FONT) + 1.5 * PICUS_PLOT_GAP;
  m.bottom = half_label;
  if (!view->x_labelled) return m;
  m.bottom = fmax(half_label, tallest_tick_label(cairo, &view->x.ticks) + PICUS_PLOT_GAP_BELOW);
  double note = view->x.ticks.note[0] ? text_height(cairo, view->x.ticks.note, PICUS_PLOT_TICK_FONT) : 0;
  double label = panel->x.label[0] ? text_height(cairo, panel->x.label, PICUS_PLOT_LABEL_FONT) : 0;
  if (note > 0 || label > 0) m.bottom += fmax(note, label) + 1.5 * PICUS_PLOT_GAP;
  return m;
}

/* ---- Boxes ---- */

/* Shared margins: of columns (left, right) and rows (top, bottom). */
typedef struct grid {
  double left[PICUS_FIGURE_MOST_PANELS], right[PICUS_FIGURE_MOST_PANELS], top[PICUS_FIGURE_MOST_PANELS],
      bottom[PICUS_FIGURE_MOST_PANELS], height[PICUS_FIGURE_MOST_PANELS];
  double title, frame_width;
} grid;

static void gather_margins(const picus_layout *layout, cairo_t *cairo, grid *g) {
  for (size_t p = 0; p < layout->figure->panel_count; p++) {
    picus_panel_view *view = &layout->panels[p];
    margins m = panel_margins(layout, view, cairo);
    int c = view->column, r = view->row;
    g->left[c] = fmax(g->left[c], m.left);
    g->right[c] = fmax(g->right[c], m.right + (c < layout->columns - 1 ? BETWEEN_COLUMNS : 0));
    g->top[r] = fmax(g->top[r], m.top);
    double between = layout->stacked ? BETWEEN_STACKED : BETWEEN_ROWS;
    g->bottom[r] = fmax(g->bottom[r], m.bottom + (r < layout->rows - 1 ? between : 0));
  }
}

/* Width and heights of the frames, and the height of the figure if that is free. */
static void share_room(picus_layout *layout, grid *g) {
  double width = layout->width - 2 * PICUS_PLOT_EDGE, around = 2 * PICUS_PLOT_EDGE + g->title, frames = 0;
  for (int c = 0; c < layout->columns; c++) width -= g->left[c] + g->right[c];
  g->frame_width = fmax(width / layout->columns, LEAST_FRAME);
  for (int r = 0; r < layout->rows; r++) g->height[r] = 0;
  for (size_t p = 0; p < layout->figure->panel_count; p++) {
    const picus_panel_view *view = &layout->panels[p];
    g->height[view->row] = fmax(g->height[view->row], natural_height(layout, view, g->frame_width));
  }
  for (int r = 0; r < layout->rows; r++) {
    around += g->top[r] + g->bottom[r];
    frames += g->height[r];
  }
  double fixed = layout->figure->def.height;
  double stretch = fixed > 0 ? fmax((fixed - around) / frames, LEAST_FRAME / frames) : 1;
  for (int r = 0; r < layout->rows; r++) g->height[r] *= stretch;
  layout->height = fixed > 0 ? fixed : around + frames;
}

static void set_boxes(picus_layout *layout, const grid *g) {
  for (size_t p = 0; p < layout->figure->panel_count; p++) {
    picus_panel_view *view = &layout->panels[p];
    double x = PICUS_PLOT_EDGE, y = PICUS_PLOT_EDGE + g->title;
    for (int c = 0; c < view->column; c++) x += g->left[c] + g->frame_width + g->right[c];
    for (int r = 0; r < view->row; r++) y += g->top[r] + g->height[r] + g->bottom[r];
    view->label_left = x;
    view->box = (picus_box){x + g->left[view->column], y + g->top[view->row], g->frame_width, g->height[view->row]};
    if (view->panel->equal_aspect) {
      picus_box full = view->box;
      equalize(layout, view);
      view->label_left += view->box.x - full.x;
    }
  }
}

static void fit_panels(picus_layout *layout, const grid *g, cairo_t *cairo) {
  set_boxes(layout, g);
  for (size_t p = 0; p < layout->figure->panel_count; p++) {
    picus_panel_view *view = &layout->panels[p];
    fit_ticks(&view->panel->x, &view->x, cairo, view->box.width, false);
    fit_ticks(&view->panel->y, &view->y, cairo, view->box.height, true);
    if (view->legend.outside) picus_legend_measure(view, cairo, view->box.width);
  }
}

/* Adopts the margins that are needed now, or, if these alternate, the larger ones. Returns whether the current ones
 * were already right. */
static bool adopt(double *used, const double *needed, int count, bool only_grow) {
  bool right = true;
  for (int i = 0; i < count; i++) {
    right = right && needed[i] <= used[i] + 0.01 && (only_grow || needed[i] >= used[i] - 1);
    used[i] = only_grow ? fmax(used[i], needed[i]) : needed[i];
  }
  return right;
}

static void settle(picus_layout *layout, cairo_t *cairo) {
  grid g = {.title = 0};
  const char *title = layout->figure->title;
  if (title[0]) g.title = text_height(cairo, title, PICUS_PLOT_LABEL_FONT) + 1.5 * PICUS_PLOT_GAP;
  for (int c = 0; c < layout->columns; c++) g.left[c] = 20;
  bool settled = false;
  for (int round = 0; round < ROUNDS && !settled; round++) {
    share_room(layout, &g);
    fit_panels(layout, &g, cairo);
    grid needed = {.title = 0};
    gather_margins(layout, cairo, &needed);
    bool only_grow = round >= ROUNDS / 2; /* else ticks that fit one margin and not the other could alternate */
    bool left = adopt(g.left, needed.left, layout->columns, only_grow);
    bool right = adopt(g.right, needed.right, layout->columns, only_grow);
    bool top = adopt(g.top, needed.top, layout->rows, only_grow);
    bool bottom = adopt(g.bottom, needed.bottom, layout->rows, only_grow);
    settled = left && right && top && bottom;
  }
  share_room(layout, &g);
  fit_panels(layout, &g, cairo);
}

/* ---- The whole ---- */

static picus_status create_views(picus_layout *layout) {
  const picus_figure *figure = layout->figure;
  layout->panels = picus_allocate(figure->context, figure->panel_count, sizeof *layout->panels);
  if (!layout->panels) return PICUS_ERROR_MEMORY;
  for (size_t p = 0; p < figure->panel_count; p++) {
    picus_panel_view *view = &layout->panels[p];
    view->panel = &figure->panels[p];
    view->extents = picus_allocate(figure->context, view->panel->series_count, sizeof *view->extents);
    view->references = picus_allocate(figure->context, view->panel->reference_count, sizeof *view->references);
    if (!view->extents || !view->references) return PICUS_ERROR_MEMORY;
  }
  return PICUS_OK;
}

/* Places objects among the data: labels of reference lines, and the legend. */
static picus_status annotate(picus_context *context, picus_panel_view *view, cairo_t *cairo, bool last_chance) {
  bool legend_inside = view->legend.shown && !view->legend.outside;
  if (!legend_inside && view->panel->reference_count == 0) return PICUS_OK;
  picus_cover *cover;
  picus_status status = picus_cover_create(context, view, &cover);
  if (status) return status;
  picus_references_place(view, cover, cairo);
  if (legend_inside) picus_legend_place_inside(view, cover, last_chance);
  picus_cover_destroy(cover);
  return PICUS_OK;
}

static picus_status annotate_all(picus_layout *layout, cairo_t *cairo, bool last_chance) {
  picus_status status = PICUS_OK;
  for (size_t p = 0; p < layout->figure->panel_count && !status; p++) {
    picus_panel_span_references(&layout->panels[p]);
    status = annotate(layout->figure->context, &layout->panels[p], cairo, last_chance);
  }
  return status;
}

static picus_status build(picus_layout *layout, cairo_t *cairo) {
  picus_status status = create_views(layout);
  if (status) return status;
  picus_text_begin(cairo);
  picus_layout_find_ranges(layout);
  arrange(layout);
  for (size_t p = 0; p < layout->figure->panel_count; p++) {
    picus_panel_view *view = &layout->panels[p];
    view->natural_x = view->x.range;
    view->natural_y = view->y.range;
    picus_legend_measure(view, cairo, INFINITY);
    view->legend.outside = view->panel->legend == PICUS_LEGEND_OUTSIDE;
  }
  settle(layout, cairo);
  status = annotate_all(layout, cairo, false);
  if (status) return status;
  settle(layout, cairo); /* legends without space inside take space above */
  return annotate_all(layout, cairo, true);
}

picus_status picus_layout_create(const picus_figure *figure, cairo_t *cairo, picus_layout **out) {
  *out = NULL;
  picus_layout *layout = picus_allocate(figure->context, 1, sizeof *layout);
  if (!layout) return PICUS_ERROR_MEMORY;
  layout->figure = figure;
  picus_status status = build(layout, cairo);
  if (status)
    picus_layout_destroy(layout);
  else
    *out = layout;
  return status;
}

void picus_layout_destroy(picus_layout *layout) {
  if (!layout) return;
  picus_context *context = layout->figure->context;
  for (size_t p = 0; layout->panels && p < layout->figure->panel_count; p++) {
    picus_release(context, layout->panels[p].extents);
    picus_release(context, layout->panels[p].references);
  }
  picus_release(context, layout->panels);
  picus_release(context, layout);
}

picus_frame picus_panel_frame(const picus_panel_view *view) {
  return (picus_frame){view->box, picus_axis_map_make(view->panel->x.scale, view->x.range),
                       picus_axis_map_make(view->panel->y.scale, view->y.range)};
}
