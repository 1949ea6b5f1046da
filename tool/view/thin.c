/* Thinning in one pass: from the last row that was kept, each later row narrows the slopes that a straight line may
 * have so that it passes all rows in between within the tolerance (swinging door). A row beyond these slopes keeps the
 * row before it. Values that share their rows have a door in common. */
#include "base/internal.h"
#include "view/scene.h"

#include <math.h>
#include <string.h>

/* Values from `first` on, whose rows are kept together. */
typedef struct door {
  int first, count;
  long anchor_row;
  picus_track_group *kept; /* its tracks are among the values of the door */
} door;

typedef struct pass {
  picus_scene *scene;
  const picus_thinning_options *options;
  const bool *forced; /* by row */
  int width;          /* tracks and columns */
  int door_count;
  door *doors;
  const double *tolerances;
  double *anchor, *before, *now; /* values of rows, width each */
  double *least, *most;          /* slopes */
  bool has_tracks, has_columns;  /* among the values of the doors */
  size_t size, most_size;        /* rows of the doors, each as often as its values and once more */
} pass;

static void read_row(pass *p, long row, const double *before, double *values) {
  if (p->has_tracks) {
    picus_scene_evaluate(p->scene, row);
    picus_scene_tracks(p->scene, before, values);
  }
  for (int k = 0; p->has_columns && k < p->options->column_count; k++)
    values[p->scene->track_count + k] = p->options->columns[k][row];
}

static picus_status keep(pass *p, door *d, long row, const double *values) {
  picus_track_group *kept = d->kept;
  picus_context *context = p->scene->context;
  const size_t used = (size_t)kept->row_count, tracks = (size_t)kept->count;
  if (used + 1 > kept->capacity) {
    const size_t capacity = 2 * used + 16;
    long *rows = picus_reallocate(context, kept->rows, capacity, sizeof *rows);
    if (!rows) return PICUS_ERROR_MEMORY;
    kept->rows = rows;
    double *grown = picus_reallocate(context, kept->values, capacity * (tracks ? tracks : 1), sizeof *grown);
    if (!grown) return PICUS_ERROR_MEMORY;
    kept->values = grown;
    kept->capacity = capacity;
  }
  kept->rows[used] = row;
  if (tracks) memcpy(kept->values + used * tracks, values + kept->first, tracks * sizeof *values);
  kept->row_count++;
  p->size += (size_t)d->count + 1;
  d->anchor_row = row;
  memcpy(p->anchor + d->first, values + d->first, (size_t)d->count * sizeof *values);
  for (int k = d->first; k < d->first + d->count; k++) p->least[k] = -INFINITY, p->most[k] = INFINITY;
  return PICUS_OK;
}

/* Is the row beyond the slopes? */
static bool is_beyond(const pass *p, const door *d, double step) {
  if (!(step > 0)) return true;
  for (int k = d->first; k < d->first + d->count; k++) {
    double slope = (p->now[k] - p->anchor[k]) / step;
    if (slope > p->most[k] || slope < p->least[k]) return true;
    if (isnan(p->now[k]) != isnan(p->anchor[k]) && isfinite(p->tolerances[k])) return true;
  }
  return false;
}

static void narrow(pass *p, const door *d, double step) {
  for (int k = d->first; k < d->first + d->count; k++) {
    double slope = (p->now[k] - p->anchor[k]) / step, slack = p->tolerances[k] / step;
    if (slope + slack < p->most[k]) p->most[k] = slope + slack;
    if (slope - slack > p->least[k]) p->least[k] = slope - slack;
  }
}

/* The row `now` passes a door. */
static picus_status pass_door(pass *p, door *d, long row) {
  const double *t = p->scene->t;
  picus_status status = PICUS_OK;
  if (d->anchor_row < row - 1 && is_beyond(p, d, t[row] - t[d->anchor_row])) status = keep(p, d, row - 1, p->before);
  if (t[row] > t[d->anchor_row]) narrow(p, d, t[row] - t[d->anchor_row]);
  if (!status && (p->forced[row] || row == p->scene->rows - 1)) status = keep(p, d, row, p->now);
  return status;
}

/* true: more rows than wanted, or out of memory. */
static picus_status thin_once(pass *p, bool *too_many) {
  const long last = p->scene->rows - 1;
  picus_status status = PICUS_OK;
  *too_many = false;
  p->size = 0;
  read_row(p, 0, NULL, p->before);
  for (int k = 0; !status && k < p->door_count; k++) {
    p->doors[k].kept->row_count = 0;
    status = keep(p, &p->doors[k], 0, p->before);
  }
  for (long row = 1; !status && row <= last && !*too_many; row++) {
    read_row(p, row, p->before, p->now);
    for (int k = 0; !status && k < p->door_count; k++) status = pass_door(p, &p->doors[k], row);
    double *spare = p->before;
    p->before = p->now;
    p->now = spare;
    *too_many = p->size > p->most_size && row < last;
  }
  return status;
}

/* Marks the rows before and after each switching point. *kept is false if none is marked: they are more than most, or
 * cannot be read. An error: memory ran out. */
static picus_status force_events(picus_scene *s, long most, bool *forced, bool *kept) {
  const picus_switching *list;
  const long count = picus_result_switching_count(s->result);
  *kept = count == 0;
  if (count <= 0) return PICUS_OK;
  const picus_status status = picus_result_switchings(s->result, &list);
  if (status) return status == PICUS_ERROR_MEMORY ? status : PICUS_OK;
  long marked = 0, row = 0;
  for (long k = 0; k < count; k++) {
    if (k > 0 && list[k].t < list[k - 1].t) row = 0;
    while (row < s->rows - 1 && s->t[row] < list[k].t - 0.5 * list[k].dt) row++;
    for (long i = row > 0 ? row - 1 : 0; i <= row; i++)
      if (!forced[i]) forced[i] = true, marked++;
  }
  *kept = marked <= most;
  if (!*kept) memset(forced, 0, (size_t)s->rows * sizeof *forced);
  return PICUS_OK;
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

/* The tolerance that was reached. */
static picus_status thin_until_few(pass *p, const double *ranges, double *tolerances, double *relative) {
  bool too_many = true;
  picus_status status = PICUS_OK;
  *relative = p->options->tolerance;
  while (!status && too_many) {
    set_tolerances(p, ranges, *relative, tolerances);
    status = thin_once(p, &too_many);
    if (!status && too_many && p->options->strict) status = PICUS_ERROR_UNSUPPORTED;
    if (too_many) *relative *= p->options->apart ? 2 : 3;
    if (*relative > 1e3) too_many = false;
  }
  return status;
}

void picus_thinning_release(picus_context *context, picus_thinning *thinning) {
  for (int k = 0; thinning->groups && k < thinning->group_count; k++) {
    if (thinning->groups[k].rows != thinning->rows) picus_release(context, thinning->groups[k].rows);
    picus_release(context, thinning->groups[k].values);
  }
  picus_release(context, thinning->rows);
  picus_release(context, thinning->groups);
  *thinning = (picus_thinning){0};
}

/* ---- one door for everything, or one for each moving object and one for the columns */

/* p has its arrays and no doors yet. */
typedef struct thinning_job {
  pass p;
  bool *forced;
  double *ranges, *tolerances;
  door *doors;
} thinning_job;

/* Each coordinate has the tolerance, and position and rotation of a body may err at the same time. */
static double distance_of(const picus_scene *s, double relative) {
  return 2 * sqrt(s->drawing->planar ? 2 : 3) * relative * s->size;
}

static picus_status thin_together(thinning_job *job, picus_thinning *out) {
  pass *p = &job->p;
  const long most = p->options->most > 4 ? p->options->most : 4;
  double relative = 0;
  out->group_count = 1;
  out->groups[0].count = p->scene->track_count;
  picus_status status = force_events(p->scene, most / 2, job->forced, &out->events_kept);
  p->has_tracks = p->has_columns = true;
  p->most_size = (size_t)most * ((size_t)p->width + 1);
  p->door_count = 1;
  p->doors[0] = (door){0, p->width, 0, &out->groups[0]};
  if (!status) status = thin_until_few(p, job->ranges, job->tolerances, &relative);
  out->rows = out->groups[0].rows;
  out->count = out->groups[0].row_count;
  out->tolerance = distance_of(p->scene, relative);
  out->relative = 10 * relative;
  return status;
}

static picus_status thin_objects(thinning_job *job, picus_thinning *out) {
  pass *p = &job->p;
  const picus_scene *s = p->scene;
  double relative;
  out->group_count = p->door_count = s->group_count;
  for (int k = 0; k < s->group_count; k++) {
    const int first = s->group_first[k], count = s->group_first[k + 1] - first;
    out->groups[k].first = first;
    out->groups[k].count = count;
    p->doors[k] = (door){first, count, 0, &out->groups[k]};
  }
  const size_t all = (size_t)s->track_count + (size_t)s->group_count; /* of a row with every object */
  p->has_tracks = true;
  p->has_columns = false;
  p->most_size = p->options->most_values > 4 * all ? p->options->most_values : 4 * all;
  const long most = (long)(p->most_size / (2 * (all ? all : 1)));
  picus_status status = force_events(p->scene, most, job->forced, &out->events_kept);
  if (!status) status = thin_until_few(p, job->ranges, job->tolerances, &relative);
  if (!status) out->tolerance = distance_of(s, relative);
  return status;
}

static picus_status thin_columns(thinning_job *job, picus_thinning *out) {
  pass *p = &job->p;
  picus_track_group columns = {0};
  const long most = p->options->most > 4 ? p->options->most : 4;
  double relative = 0;
  bool kept;
  memset(job->forced, 0, (size_t)p->scene->rows * sizeof *job->forced);
  picus_status status = force_events(p->scene, most / 2, job->forced, &kept);
  p->has_tracks = false;
  p->has_columns = true;
  p->door_count = 1;
  p->doors[0] = (door){p->scene->track_count, p->options->column_count, 0, &columns};
  p->most_size = (size_t)most * ((size_t)p->options->column_count + 1);
  if (!status) status = thin_until_few(p, job->ranges, job->tolerances, &relative);
  out->rows = columns.rows;
  out->count = columns.row_count;
  out->relative = 10 * relative;
  picus_release(p->scene->context, columns.values);
  return status;
}

/* The rows that stay: of all tracks together, or of each moving object and of the columns by themselves. */
picus_status picus_scene_thin(picus_scene *scene, const picus_thinning_options *options, picus_thinning *out) {
  picus_context *context = scene->context;
  *out = (picus_thinning){0};
  thinning_job job = {.p = {.scene = scene, .options = options}};
  pass *p = &job.p;
  p->width = scene->track_count + options->column_count;
  const size_t width = (size_t)p->width, groups = (size_t)scene->group_count + 1;
  job.forced = picus_allocate(context, (size_t)scene->rows, sizeof *job.forced);
  double *values = picus_allocate(context, 6 * width + 1, sizeof *values);
  job.ranges = picus_allocate(context, (size_t)options->column_count, sizeof *job.ranges);
  job.doors = picus_allocate(context, groups, sizeof *job.doors);
  out->groups = picus_allocate(context, groups, sizeof *out->groups);
  picus_status status = job.forced && values && job.ranges && job.doors && out->groups ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (!status) {
    for (int k = 0; k < options->column_count; k++) job.ranges[k] = range_of(options->columns[k], scene->rows);
    p->forced = job.forced;
    p->doors = job.doors;
    p->anchor = values;
    p->before = values + width;
    p->now = values + 2 * width;
    p->least = values + 3 * width;
    p->most = values + 4 * width;
    p->tolerances = job.tolerances = values + 5 * width;
    status = options->apart ? thin_objects(&job, out) : thin_together(&job, out);
    if (!status && options->apart) status = thin_columns(&job, out);
  }
  picus_release(context, job.doors);
  picus_release(context, job.ranges);
  picus_release(context, values);
  picus_release(context, job.forced);
  if (status) picus_thinning_release(context, out);
  return status;
}
