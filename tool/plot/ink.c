/* Curves with more points than a vector file should hold: a bitmap of the cells they pass, spread to the width of the
 * line and averaged to pixels. */
#include "plot/internal.h"

#include <math.h>

#define MARGIN 5.0 /* around the box: more than curves are clipped to */

struct picus_ink {
  picus_context *context;
  double left, top;  /* of cell (0, 0) */
  double resolution; /* pixels per point */
  int fineness;      /* cells per pixel and direction */
  int pixel_columns, pixel_rows;
  int columns, rows; /* of cells */
  size_t words;      /* per row of cells */
  uint64_t *cells, *spread;
  uint64_t *row, *grown; /* one row each, while spreading */
  int at[2];             /* the cell of the pen */
};

picus_status picus_ink_create(picus_context *context, picus_box box, double resolution, int fineness, picus_ink **out) {
  *out = NULL;
  picus_ink *ink = picus_allocate(context, 1, sizeof *ink);
  if (!ink) return PICUS_ERROR_MEMORY;
  ink->context = context;
  ink->resolution = resolution;
  ink->fineness = fineness;
  ink->left = floor((box.x - MARGIN) * resolution) / resolution; /* on a pixel of the picture, so that none is split */
  ink->top = floor((box.y - MARGIN) * resolution) / resolution;
  ink->pixel_columns = (int)ceil((box.width + 2 * MARGIN) * resolution) + 1;
  ink->pixel_rows = (int)ceil((box.height + 2 * MARGIN) * resolution) + 1;
  ink->columns = ink->pixel_columns * fineness;
  ink->rows = ink->pixel_rows * fineness;
  ink->words = (size_t)ink->columns / 64 + 1;
  ink->cells = picus_allocate(context, (size_t)ink->rows * ink->words, sizeof *ink->cells);
  ink->spread = picus_allocate(context, (size_t)ink->rows * ink->words, sizeof *ink->spread);
  ink->row = picus_allocate(context, ink->words, sizeof *ink->row);
  ink->grown = picus_allocate(context, ink->words, sizeof *ink->grown);
  if (!ink->cells || !ink->spread || !ink->row || !ink->grown) {
    picus_ink_destroy(ink);
    return PICUS_ERROR_MEMORY;
  }
  *out = ink;
  return PICUS_OK;
}

void picus_ink_destroy(picus_ink *ink) {
  if (!ink) return;
  picus_release(ink->context, ink->cells);
  picus_release(ink->context, ink->spread);
  picus_release(ink->context, ink->row);
  picus_release(ink->context, ink->grown);
  picus_release(ink->context, ink);
}

static int clamp(double value, int most) { return value < 0 ? 0 : value > most ? most : (int)value; }

static void blacken(picus_ink *ink, int column, int row) {
  ink->cells[(size_t)row * ink->words + (size_t)column / 64] |= (uint64_t)1 << (column % 64);
}

static picus_status ink_move(void *self, double x, double y, bool start) {
  picus_ink *ink = self;
  double scale = ink->resolution * ink->fineness;
  int to[2] = {clamp((x - ink->left) * scale, ink->columns - 1), clamp((y - ink->top) * scale, ink->rows - 1)};
  if (!start) { /* from cell to cell, in fixed-point numbers with 32 binary digits after the point */
    int dx = to[0] - ink->at[0], dy = to[1] - ink->at[1];
    int across = dx < 0 ? -dx : dx, along = dy < 0 ? -dy : dy, steps = across > along ? across : along;
    const int64_t one = (int64_t)1 << 32;
    int64_t column = ink->at[0] * one + one / 2, row = ink->at[1] * one + one / 2;
    int64_t column_step = steps > 1 ? dx * one / steps : 0, row_step = steps > 1 ? dy * one / steps : 0;
    for (int i = 1; i < steps; i++) {
      column += column_step;
      row += row_step;
      blacken(ink, (int)(column >> 32), (int)(row >> 32));
    }
  }
  blacken(ink, to[0], to[1]);
  ink->at[0] = to[0];
  ink->at[1] = to[1];
  return PICUS_OK;
}

picus_pen picus_ink_pen(picus_ink *ink) { return (picus_pen){ink_move, ink}; }

/* row |= row shifted by distance (below 64) to both sides. */
static void widen(picus_ink *ink, int distance) {
  size_t words = ink->words;
  for (size_t i = 0; i < words; i++) {
    uint64_t below = i > 0 ? ink->row[i - 1] >> (64 - distance) : 0;
    uint64_t above = i + 1 < words ? ink->row[i + 1] << (64 - distance) : 0;
    ink->grown[i] = ink->row[i] | ink->row[i] << distance | below | ink->row[i] >> distance | above;
  }
  uint64_t *swap = ink->row;
  ink->row = ink->grown;
  ink->grown = swap;
}

static void add_row(picus_ink *ink, int row) {
  if (row < 0 || row >= ink->rows) return;
  uint64_t *target = ink->spread + (size_t)row * ink->words;
  for (size_t i = 0; i < ink->words; i++) target[i] |= ink->row[i];
}

/* Every black cell becomes a disc: from the top row of the disc to its middle row, the row of cells is widened to the
 * disc's width there. A row of width w can be widened by up to 2w + 1 at once without holes. */
static void spread_to_discs(picus_ink *ink, double radius) {
  int reach = (int)floor(radius);
  for (int row = 0; row < ink->rows; row++) {
    bool black = false;
    for (size_t i = 0; i < ink->words; i++) {
      ink->row[i] = ink->cells[(size_t)row * ink->words + i];
      black = black || ink->row[i];
    }
    if (!black) continue;
    int width = 0;
    for (int off = reach; off >= 0; off--) {
      int wanted = (int)floor(sqrt(radius * radius - (double)off * off));
      while (width < wanted) {
        int more = wanted - width < 2 * width + 1 ? wanted - width : 2 * width + 1;
        if (more > 63) more = 63;
        widen(ink, more);
        width += more;
      }
      add_row(ink, row - off);
      if (off) add_row(ink, row + off);
    }
  }
}

/* How many cells of a pixel are black. */
static int black_cells(const picus_ink *ink, int pixel_column, int pixel_row) {
  int count = 0;
  for (int i = 0; i < ink->fineness; i++) {
    const uint64_t *row = ink->spread + (size_t)(pixel_row * ink->fineness + i) * ink->words;
    for (int j = 0; j < ink->fineness; j++) {
      int column = pixel_column * ink->fineness + j;
      count += (int)(row[column / 64] >> (column % 64) & 1);
    }
  }
  return count;
}

static uint32_t channel(double colour, double opacity) { return (uint32_t)lround(255 * colour * opacity); }

picus_status picus_ink_paint(picus_ink *ink, cairo_t *cairo, double radius, const double colour[3]) {
  spread_to_discs(ink, radius * ink->resolution * ink->fineness);
  cairo_surface_t *picture = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, ink->pixel_columns, ink->pixel_rows);
  if (cairo_surface_status(picture) != CAIRO_STATUS_SUCCESS) {
    cairo_surface_destroy(picture);
    return picus_fail(ink->context, PICUS_ERROR_MEMORY, "out of memory while drawing a curve with very many points");
  }
  unsigned char *data = cairo_image_surface_get_data(picture);
  size_t stride = (size_t)cairo_image_surface_get_stride(picture);
  /* a pixel is as opaque as many of its cells are black */
  for (int y = 0; y < ink->pixel_rows; y++) {
    uint32_t *line = (uint32_t *)(void *)(data + (size_t)y * stride);
    for (int x = 0; x < ink->pixel_columns; x++) {
      double opacity = (double)black_cells(ink, x, y) / (ink->fineness * ink->fineness);
      line[x] = channel(1, opacity) << 24 | channel(colour[0], opacity) << 16 | channel(colour[1], opacity) << 8 |
                channel(colour[2], opacity);
    }
  }
  cairo_surface_mark_dirty(picture);
  cairo_save(cairo);
  cairo_translate(cairo, ink->left, ink->top);
  cairo_scale(cairo, 1 / ink->resolution, 1 / ink->resolution);
  cairo_set_source_surface(cairo, picture, 0, 0);
  cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_NEAREST); /* the cells have smoothed it already */
  cairo_paint(cairo);
  cairo_restore(cairo);
  cairo_surface_destroy(picture);
  return PICUS_OK;
}
