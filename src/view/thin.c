/* Thinning in one pass: from the last row that was kept, each later row narrows the slopes that a straight line may
 * have so that it passes all rows in between within the tolerance (swinging door). A row beyond these slopes keeps the
 * row before it. */
#include "base/internal.h"
#include "view/scene.h"

#include <math.h>
#include <string.h>

typedef struct pass {
  picus_scene *scene;
  const picus_thinning_options *options;
  const bool *forced; /* by row */
  int width;          /* tracks and columns */
  const double *tolerances;
  double *anchor, *before, *now; /* values of rows, width each */
  double *least, *most;          /* slopes */
  long anchor_row, most_rows;
  picus_thinning *out;
  size_t row_capacity, track_capacity;
} pass;

static void read_row(pass *p, long row, const double *before, double *values) {
  picus_scene_evaluate(p->scene, row);
  picus_scene_tracks(p->scene, before, values);
  for (int k = 0; k < p->options->column_count; k++) values[p->scene->track_count + k] = p->options->columns[k][row];
}

static picus_status keep(pass *p, long row, const double *values) {
  picus_thinning *out = p->out;
  picus_context *context = p->scene->context;
  const size_t tracks = (size_t)p->scene->track_count, used = (size_t)out->count;
  picus_status status = picus_grow(context, &out->rows, used, &p->row_capacity, sizeof *out->rows);
  if (status) return status;
  if (used + 1 > p->track_capacity) {
    size_t capacity = 2 * used + 64;
    double *grown = picus_reallocate(context, out->tracks, capacity * (tracks ? tracks : 1), sizeof *grown);
    if (!grown) return PICUS_ERROR_MEMORY;
    out->tracks = grown;
    p->track_capacity = capacity;
  }
  out->rows[used] = row;
  memcpy(out->tracks + used * tracks, values, tracks * sizeof *values);
  out->count++;
  memcpy(p->anchor, values, (size_t)p->width * sizeof *values);
  p->anchor_row = row;
  for (int k = 0; k < p->width; k++) p->least[k] = -INFINITY, p->most[k] = INFINITY;
  return PICUS_OK;
}

/* Is the row beyond the slopes? */
static bool is_beyond(const pass *p, double step) {
  if (!(step > 0)) return true;
  for (int k = 0; k < p->width; k++) {
    double slope = (p->now[k] - p->anchor[k]) / step;
    if (slope > p->most[k] || slope < p->least[k]) return true;
    if (isnan(p->now[k]) != isnan(p->anchor[k]) && isfinite(p->tolerances[k])) return true;
  }
  return false;
}

static void narrow(pass *p, double step) {
  for (int k = 0; k < p->width; k++) {
    double slope = (p->now[k] - p->anchor[k]) / step, slack = p->tolerances[k] / step;
    if (slope + slack < p->most[k]) p->most[k] = slope + slack;
    if (slope - slack > p->least[k]) p->least[k] = slope - slack;
  }
}

/* true: more rows than wanted, or out of memory. */
static picus_status thin_once(pass *p, bool *too_many) {
  const double *t = p->scene->t;
  const long last = p->scene->rows - 1;
  *too_many = false;
  p->out->count = 0;
  read_row(p, 0, NULL, p->before);
  picus_status status = keep(p, 0, p->before);
  for (long row = 1; !status && row <= last && !*too_many; row++) {
    read_row(p, row, p->before, p->now);
    if (is_beyond(p, t[row] - t[p->anchor_row]) && p->anchor_row < row - 1) status = keep(p, row - 1, p->before);
    if (t[row] > t[p->anchor_row]) narrow(p, t[row] - t[p->anchor_row]);
    double *spare = p->before;
    p->before = p->now;
    p->now = spare;
    if (!status && (p->forced[row] || row == last)) status = keep(p, row, p->before);
    *too_many = p->out->count > p->most_rows && row < last;
  }
  return status;
}

/* Marks the rows before and after each switching point; false: they are too many, and none is marked. */
static bool force_events(picus_scene *s, long most, bool *forced) {
  const picus_switching *list;
  const long count = picus_result_switching_count(s->result);
  if (count <= 0 || picus_result_switchings(s->result, &list)) return count == 0;
  long marked = 0, row = 0;
  for (long k = 0; k < count; k++) {
    if (k > 0 && list[k].t < list[k - 1].t) row = 0;
    while (row < s->rows - 1 && s->t[row] < list[k].t - 0.5 * list[k].dt) row++;
    for (long i = row > 0 ? row - 1 : 0; i <= row; i++)
      if (!forced[i]) forced[i] = true, marked++;
  }
  if (marked <= most / 2) return true;
  memset(forced, 0, (size_t)s->rows * sizeof *forced);
  return false;
}

static double range_of(const double *values, long rows) {
  double low = INFINITY, high = -INFINITY;
  for (long k = 0; k < rows; k++)
    if (isfinite(values[k])) low = fmin(low, values[k]), high = fmax(high, values[k]);
  return high > low ? high - low : 0;
}

static void set_tolerances(const pass *p, const double *ranges, double relative, double *tolerances) {
  const picus_scene *s = p->scene;
  for (int k = 0; k < s->track_count; k++)
    tolerances[k] = s->reach[k] > 0 ? relative * s->size / s->reach[k] : INFINITY;
  for (int k = 0; k < p->options->column_count; k++)
    tolerances[s->track_count + k] = ranges[k] > 0 ? 10 * relative * ranges[k] : INFINITY;
}

static picus_status thin_until_few(pass *p, const double *ranges, double *tolerances) {
  double relative = p->options->tolerance;
  bool too_many = true;
  picus_status status = PICUS_OK;
  while (!status && too_many) {
    set_tolerances(p, ranges, relative, tolerances);
    status = thin_once(p, &too_many);
    if (too_many) relative *= 3;
    if (relative > 1e3) too_many = false;
  }
  /* position and rotation of a body may err at the same time */
  p->out->tolerance = 2 * relative * p->scene->size;
  p->out->relative = 10 * relative;
  return status;
}

void picus_thinning_release(picus_context *context, picus_thinning *thinning) {
  picus_release(context, thinning->rows);
  picus_release(context, thinning->tracks);
  *thinning = (picus_thinning){0};
}

picus_status picus_scene_thin(picus_scene *scene, const picus_thinning_options *options, picus_thinning *out) {
  picus_context *context = scene->context;
  *out = (picus_thinning){0};
  pass p = {.scene = scene, .options = options, .out = out, .most_rows = options->most > 4 ? options->most : 4};
  p.width = scene->track_count + options->column_count;
  const size_t width = (size_t)p.width;
  bool *forced = picus_allocate(context, (size_t)scene->rows, sizeof *forced);
  double *values = picus_allocate(context, 6 * width + 1, sizeof *values);
  double *ranges = picus_allocate(context, (size_t)options->column_count, sizeof *ranges);
  picus_status status = forced && values && ranges ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (!status) {
    for (int k = 0; k < options->column_count; k++) ranges[k] = range_of(options->columns[k], scene->rows);
    out->events_kept = force_events(scene, p.most_rows, forced);
    p.forced = forced;
    p.anchor = values;
    p.before = values + width;
    p.now = values + 2 * width;
    p.least = values + 3 * width;
    p.most = values + 4 * width;
    p.tolerances = values + 5 * width;
    status = thin_until_few(&p, ranges, values + 5 * width);
  }
  picus_release(context, ranges);
  picus_release(context, values);
  picus_release(context, forced);
  if (status) picus_thinning_release(context, out);
  return status;
}
