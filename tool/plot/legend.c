/* The legend: its size, a place where it hides no data, and its drawing. */
#include "plot/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FONT PICUS_PLOT_TICK_FONT
#define SAMPLE 18.0  /* length of the line in front of a label */
#define SPACE 4.0    /* between sample and label, and around everything */
#define BETWEEN 10.0 /* columns of entries */
#define LEADING 1.45 /* of rows, in font sizes */

enum { MOST_ENTRIES = 16, MOST_ROWS_INSIDE = 6 };

static void write_more(const picus_legend_view *legend, size_t size, char *text) {
  snprintf(text, size, "and %d more", legend->hidden);
}

void picus_legend_measure(picus_panel_view *view, cairo_t *cairo, double max_width) {
  picus_legend_view *legend = &view->legend;
  bool outside = legend->outside;
  *legend = (picus_legend_view){.outside = outside};
  double widest = 0;
  for (size_t s = 0; s < view->panel->series_count; s++) {
    const char *label = view->panel->series[s].label;
    if (!label[0]) continue;
    if (legend->entries == MOST_ENTRIES) {
      legend->hidden++;
      continue;
    }
    legend->entries++;
    widest = fmax(widest, picus_text_measure(cairo, label, FONT).width);
  }
  legend->shown = legend->entries > 0 && view->panel->legend != PICUS_LEGEND_NONE;
  if (!legend->shown) return;
  char more[32];
  write_more(legend, sizeof more, more);
  if (legend->hidden) widest = fmax(widest, picus_text_measure(cairo, more, FONT).width);
  int cells = legend->entries + (legend->hidden ? 1 : 0);
  legend->row_height = LEADING * FONT;
  legend->column_width = fmin(SAMPLE + SPACE + widest, max_width - 2 * SPACE);
  int fitting = (int)fmin((max_width - 2 * SPACE + BETWEEN) / (legend->column_width + BETWEEN), 100);
  if (outside)
    legend->columns = fitting < 1 ? 1 : fitting > cells ? cells : fitting;
  else
    legend->columns = cells > MOST_ROWS_INSIDE ? 2 : 1;
  legend->rows = (cells + legend->columns - 1) / legend->columns;
  if (outside) legend->columns = (cells + legend->rows - 1) / legend->rows; /* no empty columns */
  legend->box.width = legend->columns * (legend->column_width + BETWEEN) - BETWEEN + 2 * SPACE;
  legend->box.height = legend->rows * legend->row_height + SPACE;
}

/* ---- Its place ---- */

/* Tries places along the four sides of the frame; for equal cover, places with nothing nearby are preferred, then
 * corners, upper right first. Returns the number of hidden cells. */
static int best_place(const picus_panel_view *view, const picus_cover *cover, picus_box *box) {
  enum { STEPS = 16 };
  const double inset = 5;
  double free_width = view->box.width - box->width - 2 * inset,
         free_height = view->box.height - box->height - 2 * inset;
  int best = -1, best_rank = 0;
  for (int i = 0; i <= STEPS; i++) {
    for (int j = 0; j <= STEPS; j++) {
      bool at_side = i == 0 || i == STEPS, at_end = j == 0 || j == STEPS;
      if (!at_side && !at_end) continue;
      int rank = (at_side && at_end ? 0 : 100) + (i == STEPS ? 0 : 1 + (i == 0 ? 0 : STEPS - i)) + (j == 0 ? 0 : 2 + j);
      picus_box tried = {view->box.x + inset + free_width * i / STEPS, view->box.y + inset + free_height * j / STEPS,
                         box->width, box->height};
      int hidden = picus_cover_hidden(cover, tried, 2);
      rank += 8 * picus_cover_hidden(cover, tried, 9);
      if (best >= 0 && (hidden > best || (hidden == best && rank >= best_rank))) continue;
      best = hidden;
      best_rank = rank;
      *box = tried;
    }
  }
  return best;
}

void picus_legend_place_inside(picus_panel_view *view, const picus_cover *cover, bool last_chance) {
  picus_legend_view *legend = &view->legend;
  bool small = legend->box.width < 0.7 * view->box.width && legend->box.height < 0.7 * view->box.height;
  bool hides = best_place(view, cover, &legend->box) > 0;
  if ((hides || !small) && !last_chance) legend->outside = true;
}

/* ---- Drawing ---- */

/* Samples and labels in columns, and how many entries are missing. */
void picus_legend_draw(const picus_panel_view *view, cairo_t *cairo) {
  const picus_legend_view *legend = &view->legend;
  if (!legend->shown) return;
  picus_box box = legend->box;
  if (!legend->outside) { /* nothing of the curves shows through */
    cairo_rectangle(cairo, box.x, box.y, box.width, box.height);
    cairo_set_source_rgb(cairo, 1, 1, 1);
    cairo_fill_preserve(cairo);
    cairo_set_source_rgb(cairo, 0.8, 0.8, 0.8);
    cairo_set_line_width(cairo, 0.4);
    cairo_stroke(cairo);
  }
  int cell = 0;
  double label_width = legend->column_width - SAMPLE - SPACE;
  for (size_t s = 0; s <= view->panel->series_count && cell <= legend->entries; s++) {
    bool more = cell == legend->entries; /* the last cell shows the number of entries without space */
    if (more && !legend->hidden) break;
    if (!more && (s == view->panel->series_count || !view->panel->series[s].label[0])) continue;
    int column = cell / legend->rows, row = cell % legend->rows;
    double x = box.x + SPACE + column * (legend->column_width + BETWEEN);
    double middle = box.y + SPACE / 2 + (row + 0.5) * legend->row_height;
    char text[32];
    if (more)
      write_more(legend, sizeof text, text);
    else
      picus_series_draw_sample(&view->panel->series[s], cairo, x, middle, SAMPLE);
    cairo_set_source_rgb(cairo, 0, 0, 0);
    picus_text_draw(cairo, more ? text : view->panel->series[s].label, FONT,
                    (picus_text_spot){.x = x + SAMPLE + SPACE, .y = middle + 0.36 * FONT, .max_width = label_width});
    cell++;
  }
}
