/* A coarse map of the drawn parts of a panel, so that labels and legend can avoid them. */
#include "plot/internal.h"

#include <math.h>

#define CELL 3.0

struct picus_cover {
  picus_context *context;
  double left, top;
  int columns, rows;
  unsigned char *used; /* rows x columns */
  double at[2];        /* the pen */
};

static void mark(picus_cover *cover, double x, double y) {
  double column = floor((x - cover->left) / CELL), row = floor((y - cover->top) / CELL);
  if (column < 0 || row < 0 || column >= cover->columns || row >= cover->rows) return;
  cover->used[(int)row * cover->columns + (int)column] = 1;
}

static picus_status cover_move(void *self, double x, double y, bool start) {
  picus_cover *cover = self;
  if (!start) {
    double dx = x - cover->at[0], dy = y - cover->at[1];
    int steps = (int)ceil(2 * fmax(fabs(dx), fabs(dy)) / CELL);
    for (int i = 1; i < steps; i++) mark(cover, cover->at[0] + dx * i / steps, cover->at[1] + dy * i / steps);
  }
  mark(cover, x, y);
  cover->at[0] = x;
  cover->at[1] = y;
  return PICUS_OK;
}

picus_pen picus_cover_pen(picus_cover *cover) { return (picus_pen){cover_move, cover}; }

static picus_status cover_series(picus_cover *cover, const picus_panel_view *view) {
  picus_frame frame = picus_panel_frame(view);
  picus_trace_options coarse = {.column = CELL / 2, .tolerance = CELL / 4};
  picus_pen pen = picus_cover_pen(cover);
  picus_status status = PICUS_OK;
  for (size_t s = 0; s < view->panel->series_count && !status; s++) {
    const picus_plot_series *series = &view->panel->series[s];
    if (series->style == PICUS_SERIES_BAR) continue; /* a panel of bars has no legend */
    if (series->style == PICUS_SERIES_POINTS || series->style == PICUS_SERIES_MARKS ||
        series->style == PICUS_SERIES_DENSITY || series->style == PICUS_SERIES_CELLS)
      status = picus_trace_points(series, &frame, pen);
    else
      status = picus_trace_line(series, &view->extents[s], &frame, coarse, pen);
  }
  return status;
}

picus_status picus_cover_create(picus_context *context, const picus_panel_view *view, picus_cover **out) {
  *out = NULL;
  picus_cover *cover = picus_allocate(context, 1, sizeof *cover);
  if (!cover) return PICUS_ERROR_MEMORY;
  cover->context = context;
  cover->left = view->box.x;
  cover->top = view->box.y;
  cover->columns = (int)ceil(view->box.width / CELL) + 1;
  cover->rows = (int)ceil(view->box.height / CELL) + 1;
  cover->used = picus_allocate(context, (size_t)cover->columns * (size_t)cover->rows, 1);
  picus_status status = cover->used ? cover_series(cover, view) : PICUS_ERROR_MEMORY;
  if (status)
    picus_cover_destroy(cover);
  else
    *out = cover;
  return status;
}

void picus_cover_destroy(picus_cover *cover) {
  if (!cover) return;
  picus_release(cover->context, cover->used);
  picus_release(cover->context, cover);
}

void picus_cover_add_box(picus_cover *cover, picus_box box) {
  for (double y = 0; y < box.height + CELL; y += CELL) {
    double line = fmin(box.y + y, box.y + box.height);
    cover_move(cover, box.x, line, true);
    cover_move(cover, box.x + box.width, line, false);
  }
}

int picus_cover_hidden(const picus_cover *cover, picus_box box, double air) {
  int count = 0;
  int first_column = (int)fmax(floor((box.x - air - cover->left) / CELL), 0);
  int last_column = (int)fmin(floor((box.x + box.width + air - cover->left) / CELL), cover->columns - 1);
  int first_row = (int)fmax(floor((box.y - air - cover->top) / CELL), 0);
  int last_row = (int)fmin(floor((box.y + box.height + air - cover->top) / CELL), cover->rows - 1);
  for (int r = first_row; r <= last_row; r++)
    for (int c = first_column; c <= last_column; c++) count += cover->used[r * cover->columns + c];
  return count;
}
