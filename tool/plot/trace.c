/* From data to the few points that draw the same curve.
 *
 * Three stages, each passing points to the next. (1) Ordered data: of all points that fall into one narrow column, the
 * first, the least, the most and the last survive, in their order; a line through these four covers the same pixels.
 * (2) Points go where the curve without them stays within a tolerance of them: a segment grows from its anchor as long
 * as one direction passes all points so far within the tolerance (the cone of such directions is not empty) and the
 * points lead away from the anchor. The extremes of a series are never dropped. (3) The curve is clipped to the
 * surroundings of the panel; coordinates may have any size. */
#include "plot/internal.h"

#include <math.h>

typedef struct curve_point {
  double x, y;
  bool keep; /* an extreme of the series */
} curve_point;

/* ---- Stage 3: clipping ---- */

typedef struct clipper {
  picus_pen pen;
  double low[2], high[2];
  double from[2];
  bool joined; /* the pen is at from */
} clipper;

static bool clip_is_inside(const clipper *clip, double x, double y) {
  return x >= clip->low[0] && x <= clip->high[0] && y >= clip->low[1] && y <= clip->high[1];
}

/* The part t[0] ... t[1] of the segment from + t (to - from) that lies inside (Liang and Barsky 1984). */
static bool clip_segment(const clipper *clip, const double to[2], double t[2]) {
  t[0] = 0;
  t[1] = 1;
  for (int axis = 0; axis < 2; axis++) {
    double delta = to[axis] - clip->from[axis];
    if (delta == 0) {
      if (clip->from[axis] < clip->low[axis] || clip->from[axis] > clip->high[axis]) return false;
      continue;
    }
    double enter = (clip->low[axis] - clip->from[axis]) / delta, leave = (clip->high[axis] - clip->from[axis]) / delta;
    t[0] = fmax(t[0], fmin(enter, leave));
    t[1] = fmin(t[1], fmax(enter, leave));
  }
  return t[0] <= t[1];
}

static picus_status clip_move(clipper *clip, double x, double y, bool start) {
  double to[2] = {x, y}, from[2] = {clip->from[0], clip->from[1]}, t[2];
  picus_status status = PICUS_OK;
  if (start) {
    clip->joined = clip_is_inside(clip, x, y);
    if (clip->joined) status = clip->pen.move(clip->pen.self, x, y, true);
  } else if (clip_segment(clip, to, t)) {
    double dx = x - from[0], dy = y - from[1];
    if (!clip->joined || t[0] > 0)
      status = clip->pen.move(clip->pen.self, from[0] + t[0] * dx, from[1] + t[0] * dy, true);
    clip->joined = t[1] == 1; /* the end is inside: the next segment continues from it */
    if (status) return status;
    status = clip->joined ? clip->pen.move(clip->pen.self, x, y, false)
                          : clip->pen.move(clip->pen.self, from[0] + t[1] * dx, from[1] + t[1] * dy, false);
  } else {
    clip->joined = false;
  }
  clip->from[0] = x;
  clip->from[1] = y;
  return status;
}

/* ---- Stage 2: dropping points within the tolerance ---- */

typedef struct simplifier {
  clipper *next;
  double tolerance;
  double anchor[2];         /* end of the drawn part */
  double last[2];           /* end of the segment that is growing */
  double left[2], right[2]; /* the cone of directions, left being counterclockwise of right */
  double reach;             /* distance from the anchor to last */
  bool has_anchor, has_last, has_cone;
} simplifier;

static double cross(const double a[2], const double b[2]) { return a[0] * b[1] - a[1] * b[0]; }

static double length(const double a[2]) {
  return sqrt(a[0] * a[0] + a[1] * a[1]);
} /* no overflow: places are bounded */

static picus_status simplify_end_segment(simplifier *s) {
  if (!s->has_last) return PICUS_OK;
  s->anchor[0] = s->last[0];
  s->anchor[1] = s->last[1];
  s->has_last = s->has_cone = false;
  return clip_move(s->next, s->anchor[0], s->anchor[1], false);
}

/* Makes the point the end of the growing segment and narrows the cone to directions that pass it. */
static void simplify_extend(simplifier *s, const double towards[2], double distance) {
  s->last[0] = s->anchor[0] + towards[0];
  s->last[1] = s->anchor[1] + towards[1];
  s->has_last = true;
  if (distance <= s->tolerance) return;
  double sine = s->tolerance / distance, cosine = sqrt(1 - sine * sine);
  double left[2] = {cosine * towards[0] - sine * towards[1], sine * towards[0] + cosine * towards[1]};
  double right[2] = {cosine * towards[0] + sine * towards[1], -sine * towards[0] + cosine * towards[1]};
  if (!s->has_cone || cross(s->left, left) < 0) s->left[0] = left[0], s->left[1] = left[1];
  if (!s->has_cone || cross(s->right, right) > 0) s->right[0] = right[0], s->right[1] = right[1];
  s->has_cone = true;
  s->reach = distance;
}

static picus_status simplify_add(simplifier *s, curve_point point) {
  picus_status status = PICUS_OK;
  if (!s->has_anchor) {
    s->anchor[0] = point.x;
    s->anchor[1] = point.y;
    s->has_anchor = true;
    s->has_last = s->has_cone = false;
    return clip_move(s->next, point.x, point.y, true);
  }
  double towards[2] = {point.x - s->anchor[0], point.y - s->anchor[1]}, distance = length(towards);
  if (s->has_cone && (distance < s->reach || cross(s->right, towards) < 0 || cross(towards, s->left) < 0)) {
    status = simplify_end_segment(s);
    if (status) return status;
    towards[0] = point.x - s->anchor[0];
    towards[1] = point.y - s->anchor[1];
    distance = length(towards);
  }
  simplify_extend(s, towards, distance);
  s->last[0] = point.x; /* not anchor + (point - anchor), which is rounded */
  s->last[1] = point.y;
  return point.keep ? simplify_end_segment(s) : PICUS_OK;
}

static picus_status simplify_end(simplifier *s) {
  picus_status status = simplify_end_segment(s);
  s->has_anchor = false;
  return status;
}

/* ---- Stage 1: columns of ordered data ---- */

typedef struct column_stage {
  simplifier *next;
  double width; /* 0: every point passes */
  double index; /* an integer: of the column */
  size_t count; /* of points in it */
  curve_point first, least, most, last;
  size_t least_at, most_at; /* their place among the points of the column */
} column_stage;

static picus_status column_end(column_stage *column) {
  if (column->count == 0) return PICUS_OK;
  picus_status status = simplify_add(column->next, column->first);
  bool least_first = column->least_at < column->most_at;
  size_t inner[2] = {least_first ? column->least_at : column->most_at,
                     least_first ? column->most_at : column->least_at};
  for (int i = 0; i < 2 && !status; i++) {
    if (inner[i] == 0 || inner[i] + 1 == column->count || (i == 1 && inner[1] == inner[0])) continue;
    status = simplify_add(column->next, (i == 0) == least_first ? column->least : column->most);
  }
  if (column->count > 1 && !status) status = simplify_add(column->next, column->last);
  column->count = 0;
  return status;
}

static picus_status column_add(column_stage *column, curve_point point) {
  if (column->width == 0) return simplify_add(column->next, point);
  double index = floor(point.x / column->width);
  if (column->count > 0 && index != column->index) {
    picus_status status = column_end(column);
    if (status) return status;
  }
  if (column->count == 0) {
    column->index = index;
    column->first = column->least = column->most = point;
    column->least_at = column->most_at = 0;
  }
  if (point.y < column->least.y) column->least = point, column->least_at = column->count;
  if (point.y > column->most.y) column->most = point, column->most_at = column->count;
  column->last = point;
  column->count++;
  return PICUS_OK;
}

/* ---- The curve of a series ---- */

static void place(const picus_frame *frame, double x, double y, curve_point *point) {
  point->x = frame->box.x + frame->box.width * picus_axis_map_apply(&frame->x, x);
  point->y = frame->box.y + frame->box.height * (1 - picus_axis_map_apply(&frame->y, y));
}

static bool is_extreme(const picus_series_extent *extent, size_t i) {
  return i == extent->extreme[0] || i == extent->extreme[1] || i == extent->extreme[2] || i == extent->extreme[3];
}

static clipper clip_around(picus_box box, picus_pen pen) {
  const double margin = 4; /* wider than half a line */
  return (clipper){.pen = pen,
                   .low = {box.x - margin, box.y - margin},
                   .high = {box.x + box.width + margin, box.y + box.height + margin}};
}

picus_status picus_trace_segment(const picus_frame *frame, const double x[2], const double y[2], picus_pen pen) {
  clipper clip = clip_around(frame->box, pen);
  picus_status status = PICUS_OK;
  for (int end = 0; end < 2 && !status; end++) {
    curve_point point;
    place(frame, x[end], y[end], &point);
    status = clip_move(&clip, point.x, point.y, end == 0);
  }
  return status;
}

picus_status picus_trace_line(const picus_plot_series *series, const picus_series_extent *extent,
                              const picus_frame *frame, picus_trace_options options, picus_pen pen) {
  /* three stages, each passes its points to the next: one column of pixels, almost straight pieces, the box */
  clipper clip = clip_around(frame->box, pen);
  simplifier simplify = {.next = &clip, .tolerance = options.tolerance};
  column_stage column = {.next = &simplify, .width = extent->ordered ? options.column : 0};
  bool drawing = false;
  double previous_y = 0;
  picus_status status = PICUS_OK;
  for (size_t i = 0; i < series->count && !status; i++) {
    double x = series->x[i], y = series->y[i];
    curve_point point = {.keep = is_extreme(extent, i)};
    if (!picus_plot_drawable(x, frame->x.scale) || !picus_plot_drawable(y, frame->y.scale)) { /* a hole in the curve */
      if (drawing) status = column_end(&column);
      if (drawing && !status) status = simplify_end(&simplify);
      drawing = false;
      continue;
    }
    if (drawing && series->style == PICUS_SERIES_STEPS && y != previous_y) {
      curve_point corner = {.keep = point.keep};
      place(frame, x, previous_y, &corner);
      status = column_add(&column, corner);
    }
    place(frame, x, y, &point);
    if (!status) status = column_add(&column, point);
    drawing = true;
    previous_y = y;
  }
  if (!status) status = column_end(&column);
  if (!status) status = simplify_end(&simplify);
  return status;
}

picus_status picus_trace_points(const picus_plot_series *series, const picus_frame *frame, picus_pen pen) {
  picus_status status = PICUS_OK;
  const double slack = 1e-6;
  picus_box box = frame->box;
  for (size_t i = 0; i < series->count && !status; i++) {
    double x = series->x[i], y = series->y[i];
    if (!picus_plot_drawable(x, frame->x.scale) || !picus_plot_drawable(y, frame->y.scale)) continue;
    curve_point point = {0};
    place(frame, x, y, &point);
    if (point.x < box.x - slack || point.x > box.x + box.width + slack) continue;
    if (point.y < box.y - slack || point.y > box.y + box.height + slack) continue;
    status = pen.move(pen.self, point.x, point.y, true);
  }
  return status;
}

static double place_inside(const picus_frame *frame, double x) {
  return frame->box.x + frame->box.width * fmin(fmax(picus_axis_map_apply(&frame->x, x), 0), 1);
}

/* Rows of one shade form one part. The last row has no length: nothing follows it. */
static int shade_of(double y) { return y == 0 ? 0 : y == 2 ? 2 : 1; }

bool picus_trace_bar(const picus_plot_series *series, const picus_frame *frame, size_t *row, picus_bar_part *part) {
  const picus_box box = frame->box;
  const double level = picus_axis_map_apply(&frame->y, series->level);
  const double above = picus_axis_map_apply(&frame->y, series->level + 1.0);
  size_t i = *row;
  while (i + 1 < series->count &&
         !(picus_plot_drawable(series->x[i], frame->x.scale) && picus_plot_drawable(series->x[i + 1], frame->x.scale)))
    i++;
  if (i + 1 >= series->count) return false;
  *part = (picus_bar_part){.left = place_inside(frame, series->x[i]),
                           .y = box.y + box.height * (1 - level),
                           .thickness = 0.5 * box.height * (above - level),
                           .shade = shade_of(series->y[i])};
  do i++;
  while (i + 1 < series->count && shade_of(series->y[i]) == part->shade &&
         picus_plot_drawable(series->x[i + 1], frame->x.scale));
  part->right = place_inside(frame, series->x[i]);
  *row = i;
  return true;
}

/* ---- The collecting pen ---- */

static picus_status path_move(void *self, double x, double y, bool start) {
  picus_path *path = self;
  path->full = path->count == path->limit;
  if (path->full) return PICUS_INTERRUPTED;
  picus_status status = picus_grow(path->context, &path->points, path->count, &path->capacity, sizeof *path->points);
  if (status) return status;
  path->points[path->count].x = x;
  path->points[path->count].y = y;
  path->points[path->count++].start = start;
  return PICUS_OK;
}

picus_pen picus_path_pen(picus_path *path) { return (picus_pen){path_move, path}; }
