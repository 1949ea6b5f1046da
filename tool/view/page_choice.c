/* Which columns and rows of a result its page contains.
 *
 * A small scene has common rows for everything, with more digits than anybody sees. In a large one each moving object
 * has rows of its own: with many bodies, one of them bends its path at almost every row. */
#include "base/internal.h"
#include "view/page_parts.h"

#include <string.h>

/* Limits of a page: rows, columns, and bytes before they become text, which takes 4 characters for 3 bytes. A thousand
 * bodies stay below 20 MB. */
enum { MOST_ROWS = 20000, LEAST_ROWS = 200, MOST_COLUMNS = 2000, MOST_APART = 750, RANKS = 4 };
static const size_t exact_bytes = 3u << 20, together_bytes = 4u << 20;
static const size_t apart_bytes = 8u << 20, apart_single = 3u << 20, column_bytes = 3u << 19;
static const double wanted_tolerance = 1e-4;

/* First what everybody wants to see; percussions and modes of many contacts come last. */
static int rank_of(const page *p, int column) {
  picus_column c = picus_result_column(p->result, column);
  for (int k = 0; k < picus_result_plot_count(p->result); k++) {
    picus_plot_panel panel = picus_result_plot(p->result, k);
    if (strcmp(panel.x, c.name) == 0) return 0;
    for (int i = 0; i < panel.count; i++)
      if (strcmp(panel.y[i], c.name) == 0) return 0;
  }
  switch (c.kind) {
  case PICUS_COLUMN_TIME:
  case PICUS_COLUMN_ENERGY:
  case PICUS_COLUMN_STEP:
    return 0;
  case PICUS_COLUMN_OBSERVABLE:
    return 1;
  case PICUS_COLUMN_COORDINATE:
  case PICUS_COLUMN_VELOCITY:
    return 2;
  default:
    return 3;
  }
}

/* Columns that a line between two rows should follow. Percussions are impulses of single steps. */
static bool is_smooth(picus_column_kind kind) {
  return kind == PICUS_COLUMN_COORDINATE || kind == PICUS_COLUMN_VELOCITY || kind == PICUS_COLUMN_ENERGY ||
         kind == PICUS_COLUMN_OBSERVABLE || kind == PICUS_COLUMN_GAP;
}

static int count_of_rank(const page *p, int rank) {
  int count = 0;
  for (int k = 0; k < picus_result_column_count(p->result); k++)
    if (rank_of(p, k) == rank) count++;
  return count;
}

static picus_status take_column(page *p, int column) {
  p->columns[p->column_count] = column;
  return picus_result_values(p->result, column, &p->values[p->column_count++]);
}

/* The first ranks, as far as there is room; apart, what belongs to many bodies comes with all of them or not at all. */
static picus_status choose_columns(page *p) {
  const int all = picus_result_column_count(p->result), most = p->apart ? MOST_APART : MOST_COLUMNS;
  picus_status status = PICUS_OK;
  p->column_count = 0;
  for (int k = 0; !status && all <= most && k < all; k++) status = take_column(p, k); /* in their order */
  for (int rank = 0; !status && all > most && rank < RANKS; rank++) {
    if (p->apart && rank > 1 && p->column_count + count_of_rank(p, rank) > most) break;
    for (int k = 0; !status && k < all && p->column_count < most; k++)
      if (rank_of(p, k) == rank) status = take_column(p, k);
  }
  p->left_out = all - p->column_count;
  return status;
}

static picus_status thin_without_drawing(page *p, picus_context *context) {
  const long rows = picus_result_row_count(p->result);
  const long stride = (rows + MOST_ROWS - 1) / MOST_ROWS > 1 ? (rows + MOST_ROWS - 1) / MOST_ROWS : 1;
  p->thin.rows = picus_allocate(context, (size_t)(rows / stride + 2), sizeof *p->thin.rows);
  if (!p->thin.rows) return PICUS_ERROR_MEMORY;
  for (long row = 0; row < rows; row += stride) p->thin.rows[p->thin.count++] = row;
  if (rows > 0 && p->thin.rows[p->thin.count - 1] != rows - 1) p->thin.rows[p->thin.count++] = rows - 1;
  return PICUS_OK;
}

/* Columns that the lines between the rows must follow. Apart, the velocities of many bodies would keep every row. */
static bool leads(const page *p, int column) {
  return is_smooth(picus_result_column(p->result, column).kind) && (!p->apart || rank_of(p, column) < 2);
}

static picus_status thin(page *p, picus_context *context, picus_thinning_options *options) {
  const double **smooth = picus_allocate(context, (size_t)p->column_count, sizeof *smooth);
  if (!smooth) return PICUS_ERROR_MEMORY;
  options->columns = smooth;
  options->column_count = 0;
  for (int k = 0; k < p->column_count; k++)
    if (leads(p, p->columns[k])) smooth[options->column_count++] = p->values[k];
  picus_status status = picus_scene_thin(p->scene, options, &p->thin);
  picus_release(context, smooth);
  return status;
}

static picus_status thin_together(page *p, picus_context *context) {
  const size_t width = (size_t)p->scene->track_count + (size_t)p->column_count;
  const size_t most = together_bytes / p->share / (4 * (width ? width : 1));
  picus_thinning_options options = {
      .tolerance = wanted_tolerance, .strict = true, .most = most < MOST_ROWS ? (long)most : MOST_ROWS};
  picus_status status = thin(p, context, &options);
  p->bits = 8 * (size_t)p->thin.count * width <= exact_bytes / p->share ? 64 : 32;
  return status;
}

static size_t value_count(const picus_thinning *thinning) {
  size_t count = 0;
  for (int k = 0; k < thinning->group_count; k++)
    count += (size_t)thinning->groups[k].row_count * (size_t)thinning->groups[k].count;
  return count;
}

static picus_status thin_apart(page *p, picus_context *context) {
  picus_status status = choose_columns(p);
  if (status) return status;
  const size_t columns = p->column_count > 0 ? (size_t)p->column_count : 1,
               most = column_bytes / p->share / (2 * columns);
  picus_thinning_options options = {.tolerance = wanted_tolerance,
                                    .apart = true,
                                    .most_values = apart_bytes / p->share / 2,
                                    .most = most < LEAST_ROWS  ? LEAST_ROWS
                                            : most > MOST_ROWS ? MOST_ROWS
                                                               : (long)most};
  status = thin(p, context, &options);
  p->bits = 4 * value_count(&p->thin) <= apart_single / p->share ? 32 : 16;
  return status;
}

picus_status picus_page_choose(page *p, picus_context *context) {
  const size_t all = (size_t)picus_result_column_count(p->result);
  p->columns = picus_allocate(context, all, sizeof *p->columns);
  p->values = picus_allocate(context, all, sizeof *p->values);
  if (!p->columns || !p->values) return PICUS_ERROR_MEMORY;
  picus_status status = choose_columns(p);
  if (status) return status;
  if (!p->scene) {
    status = thin_without_drawing(p, context);
    const size_t values = (size_t)p->thin.count * (size_t)p->column_count;
    p->bits = 8 * values <= exact_bytes / p->share ? 64 : 4 * values <= together_bytes / p->share ? 32 : 16;
    return status;
  }
  status = thin_together(p, context);
  if (status != PICUS_ERROR_UNSUPPORTED) return status;
  p->apart = true;
  return thin_apart(p, context);
}
