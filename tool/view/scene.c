/* The drawing of a result at its rows, and the contacts in it; scene.h describes both. */
#include "view/scene.h"
#include "base/internal.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- the scene ---------------------------------------------------------------------------------------------------- */

enum { MOST_TRACKS = 200000 };

void picus_scene_destroy(picus_scene *s) {
  if (!s) return;
  void *const arrays[] = {s->columns,    s->variables,  s->steps, s->varies,
                          s->step_track, s->pose_track, s->reach, s->group_first};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) picus_release(s->context, arrays[k]);
  picus_release(s->context, s);
}

double picus_scene_value(const picus_scene *s, int step) { return step >= 0 ? s->steps[step] : 0; }

void picus_scene_evaluate(picus_scene *s, long row) {
  for (int k = 0; k < s->drawing->variable_count; k++) s->variables[k] = s->columns[k] ? s->columns[k][row] : NAN;
  picus_drawing_evaluate(s->drawing, s->variables, s->steps);
}

void picus_scene_point(const picus_scene *s, int frame, const int steps[3], double point[3]) {
  double local[3];
  for (int i = 0; i < 3; i++) local[i] = picus_scene_value(s, steps[i]);
  const picus_draw_frame *f = &s->drawing->frames[frame];
  for (int i = 0; i < 3; i++) {
    point[i] = frame == 0 ? local[i] : picus_scene_value(s, f->position[i]);
    for (int j = 0; frame > 0 && j < 3; j++) point[i] += picus_scene_value(s, f->rotation[3 * i + j]) * local[j];
  }
}

/* The unit quaternion of a rotation matrix, from its largest component. */
static void quaternion_of(const double R[9], double p[4]) {
  const double squares[4] = {1 + R[0] + R[4] + R[8], 1 + R[0] - R[4] - R[8], 1 - R[0] + R[4] - R[8],
                             1 - R[0] - R[4] + R[8]};
  int k = 0;
  for (int i = 1; i < 4; i++)
    if (squares[i] > squares[k]) k = i;
  const double a = R[7] - R[5], b = R[2] - R[6], c = R[3] - R[1];
  const double d = R[3] + R[1], e = R[2] + R[6], f = R[7] + R[5];
  const double rows[4][4] = {
      {squares[0], a, b, c}, {a, squares[1], d, e}, {b, d, squares[2], f}, {c, e, f, squares[3]}};
  const double scale = 0.5 / sqrt(squares[k]);
  for (int i = 0; i < 4; i++) p[i] = scale * rows[k][i];
}

static void put_pose(const picus_scene *s, const picus_draw_frame *f, const double *before, double *pose) {
  double R[9];
  for (int i = 0; i < 9; i++) R[i] = picus_scene_value(s, f->rotation[i]);
  for (int i = 0; i < 2; i++) pose[i] = picus_scene_value(s, f->position[i]);
  if (s->drawing->planar) {
    pose[2] = atan2(R[3], R[0]);
    const double turn = 2 * 3.14159265358979323846;
    if (before) pose[2] += turn * round((before[2] - pose[2]) / turn);
    return;
  }
  pose[2] = picus_scene_value(s, f->position[2]);
  quaternion_of(R, pose + 3);
  double dot = 0;
  for (int i = 3; before && i < 7; i++) dot += before[i] * pose[i];
  for (int i = 3; dot < 0 && i < 7; i++) pose[i] = -pose[i];
}

void picus_scene_tracks(const picus_scene *s, const double *before, double *tracks) {
  for (int k = 0; k < s->drawing->step_count; k++)
    if (s->step_track[k] >= 0) tracks[s->step_track[k]] = s->steps[k];
  for (int k = 0; k < s->drawing->frame_count; k++) {
    int first = s->pose_track[k];
    if (first >= 0) put_pose(s, &s->drawing->frames[k], before ? before + first : NULL, tracks + first);
  }
}

long picus_scene_row(const picus_scene *s, double t) {
  long low = 0, high = s->rows - 1;
  while (high - low > 1) {
    long middle = low + (high - low) / 2;
    if (s->t[middle] <= t)
      low = middle;
    else
      high = middle;
  }
  return fabs(s->t[high] - t) < fabs(s->t[low] - t) ? high : low;
}

/* ---- creation */

/* Columns by name; the search continues from the last one found, because both lists have the same order. */
static picus_status find_columns(picus_scene *s) {
  const int count = picus_result_column_count(s->result);
  int at = 0;
  for (int k = 0; k < s->drawing->variable_count; k++)
    for (int tried = 0; tried < count; tried++, at = (at + 1) % count) {
      if (strcmp(picus_result_column(s->result, at).name, s->drawing->variables[k]) != 0) continue;
      picus_status status = picus_result_values(s->result, at, &s->columns[k]);
      if (status) return status;
      break;
    }
  return picus_result_values(s->result, 0, &s->t);
}

static void find_varying(picus_scene *s) {
  for (int k = 0; k < s->drawing->step_count; k++) {
    const picus_draw_step *step = &s->drawing->steps[k];
    s->varies[k] = step->op == PICUS_VARIABLE;
    for (int i = 0; i < picus_op_arity(step->op); i++)
      if (s->varies[step->argument[i]]) s->varies[k] = true;
  }
}

static void want(picus_scene *s, int step) {
  if (step >= 0 && s->varies[step] && s->step_track[step] < 0) s->step_track[step] = s->track_count++;
}

/* The tracks since the last group are a new one. */
static void close_group(picus_scene *s) {
  const int first = s->group_count > 0 ? s->group_first[s->group_count] : 0;
  if (s->track_count > first) s->group_first[++s->group_count] = s->track_count;
}

static void number_tracks(picus_scene *s) {
  const picus_drawing *d = s->drawing;
  for (int k = 0; k < d->step_count; k++) s->step_track[k] = -1;
  for (int k = 0; k < d->shape_count; k++) {
    for (int i = 0; i < 3 * d->shapes[k].count; i++) want(s, d->points[d->shapes[k].first_point + i / 3][i % 3]);
    want(s, d->shapes[k].radius);
    close_group(s);
  }
  for (int k = 0; k < d->site_count; k++) {
    for (int i = 0; i < 3; i++) {
      want(s, d->sites[k].place[i]);
      want(s, d->sites[k].normal[i]);
      for (int j = 0; j < 2; j++) want(s, d->sites[k].tangent[j][i]);
    }
    close_group(s);
  }
  for (int k = 0; k < d->frame_count; k++) {
    s->pose_track[k] = k > 0 ? s->track_count : -1; /* also of fixed ones: readers need no other form */
    if (s->pose_track[k] < 0) continue;
    s->track_count += 3; /* in space the rotation has rows of its own: that of a sphere is not seen */
    close_group(s);
    if (!d->planar) s->track_count += 4;
    close_group(s);
  }
}

static void include(double low[3], double high[3], const double point[3], double radius) {
  for (int i = 0; i < 3; i++) {
    if (!isfinite(point[i]) || !isfinite(radius)) continue;
    low[i] = fmin(low[i], point[i] - radius);
    high[i] = fmax(high[i], point[i] + radius);
  }
}

static bool step_varies(const picus_scene *s, int step) { return step >= 0 && s->varies[step]; }

bool picus_scene_frame_moves(const picus_scene *s, int frame) {
  const picus_draw_frame *f = &s->drawing->frames[frame];
  bool found = false;
  for (int i = 0; frame > 0 && i < 3; i++) found = found || step_varies(s, f->position[i]);
  for (int i = 0; frame > 0 && i < 9; i++) found = found || step_varies(s, f->rotation[i]);
  return found;
}

bool picus_scene_shape_moves(const picus_scene *s, const picus_draw_shape *shape) {
  bool found = step_varies(s, shape->radius) || picus_scene_frame_moves(s, shape->frame);
  for (int i = 0; !found && i < 3 * shape->count; i++)
    found = step_varies(s, s->drawing->points[shape->first_point + i / 3][i % 3]);
  return found;
}

/* The boxes of all shapes and of the moving ones, from up to 200 rows. */
static void measure(picus_scene *s) {
  enum { SAMPLES = 200 };
  const picus_drawing *d = s->drawing;
  double low[3] = {DBL_MAX, DBL_MAX, DBL_MAX}, high[3] = {-DBL_MAX, -DBL_MAX, -DBL_MAX};
  for (int i = 0; i < 3; i++) s->low[i] = DBL_MAX, s->high[i] = -DBL_MAX;
  for (int sample = 0; sample < SAMPLES; sample++) {
    picus_scene_evaluate(s, (long)((double)sample / (SAMPLES - 1) * (double)(s->rows - 1)));
    for (int k = 0; k < d->shape_count; k++) {
      const picus_draw_shape *shape = &d->shapes[k];
      const bool is_moving = picus_scene_shape_moves(s, shape);
      if (!is_moving && sample > 0) continue;
      double radius = shape->kind == PICUS_DRAW_CIRCLE || shape->kind == PICUS_DRAW_SPHERE
                          ? fabs(picus_scene_value(s, shape->radius))
                          : 0;
      for (int i = 0; i < shape->count; i++) {
        double point[3];
        picus_scene_point(s, shape->frame, d->points[shape->first_point + i], point);
        include(s->low, s->high, point, radius);
        if (is_moving) include(low, high, point, radius);
      }
    }
  }
  double square = 0;
  bool has_moving = low[0] <= high[0];
  for (int i = 0; i < 3; i++) {
    if (!(s->low[i] <= s->high[i])) s->low[i] = s->high[i] = 0;
    double side = has_moving && low[i] <= high[i] ? high[i] - low[i] : s->high[i] - s->low[i];
    square += side * side;
  }
  s->size = square > 0 ? sqrt(square) : 1;
}

/* How far a point moves if a track changes by 1. */
static void find_reach(picus_scene *s) {
  const picus_drawing *d = s->drawing;
  for (int k = 0; k < d->point_count; k++)
    for (int i = 0; i < 3; i++)
      if (d->points[k][i] >= 0 && s->step_track[d->points[k][i]] >= 0) s->reach[s->step_track[d->points[k][i]]] = 1;
  for (int k = 0; k < d->site_count; k++)
    for (int i = 0; i < 3; i++)
      if (d->sites[k].place[i] >= 0 && s->step_track[d->sites[k].place[i]] >= 0)
        s->reach[s->step_track[d->sites[k].place[i]]] = 1;
  for (int k = 0; k < d->shape_count; k++)
    if (d->shapes[k].radius >= 0 && s->step_track[d->shapes[k].radius] >= 0)
      s->reach[s->step_track[d->shapes[k].radius]] = 1;
  for (int k = 0; k < d->shape_count; k++) {
    const picus_draw_shape *shape = &d->shapes[k];
    int pose = s->pose_track[shape->frame];
    if (pose < 0) continue;
    double arm = 0;
    for (int i = 0; i < shape->count; i++) {
      double square = 0;
      for (int j = 0; j < 3; j++) {
        double x = picus_scene_value(s, d->points[shape->first_point + i][j]);
        square += x * x;
      }
      arm = fmax(arm, sqrt(square));
    }
    const int positions = d->planar ? 2 : 3, all = d->planar ? 3 : 7;
    for (int i = 0; i < all; i++)
      s->reach[pose + i] = i < positions ? 1 : fmax(s->reach[pose + i], d->planar ? arm : 2 * arm);
  }
}

static picus_status allocate(picus_scene *s) {
  const size_t steps = (size_t)s->drawing->step_count, variables = (size_t)s->drawing->variable_count;
  s->columns = picus_allocate(s->context, variables, sizeof *s->columns);
  s->variables = picus_allocate(s->context, variables, sizeof *s->variables);
  s->steps = picus_allocate(s->context, steps, sizeof *s->steps);
  s->varies = picus_allocate(s->context, steps, sizeof *s->varies);
  s->step_track = picus_allocate(s->context, steps, sizeof *s->step_track);
  s->pose_track = picus_allocate(s->context, (size_t)s->drawing->frame_count, sizeof *s->pose_track);
  const size_t groups =
      (size_t)s->drawing->shape_count + (size_t)s->drawing->site_count + 2 * (size_t)s->drawing->frame_count;
  s->group_first = picus_allocate(s->context, groups + 1, sizeof *s->group_first);
  bool fine = s->columns && s->variables && s->steps && s->varies && s->step_track && s->pose_track && s->group_first;
  return fine ? PICUS_OK : PICUS_ERROR_MEMORY;
}

picus_status picus_scene_create(picus_context *context, picus_result *result, picus_scene **out) {
  *out = NULL;
  picus_scene *s = picus_allocate(context, 1, sizeof *s);
  if (!s) return PICUS_ERROR_MEMORY;
  s->context = context;
  s->result = result;
  s->rows = picus_result_row_count(result);
  picus_status status = picus_result_drawing(result, &s->drawing);
  if (!status && !s->drawing) {
    picus_scene_destroy(s);
    return picus_fail(context, PICUS_ERROR_MODEL,
                      "the result has no drawing; add shapes to the model with draw and run it again");
  }
  if (!status && s->rows < 1) status = picus_fail(context, PICUS_ERROR_DIMENSION, "the result has no rows to draw");
  if (!status) status = allocate(s);
  if (!status) status = find_columns(s);
  if (!status) {
    find_varying(s);
    number_tracks(s);
    if (s->track_count > MOST_TRACKS)
      status = picus_fail(context, PICUS_ERROR_UNSUPPORTED, "the drawing has %d moving values; at most %d can be shown",
                          s->track_count, MOST_TRACKS);
  }
  if (!status) {
    s->reach = picus_allocate(context, (size_t)s->track_count, sizeof *s->reach);
    if (!s->reach) status = PICUS_ERROR_MEMORY;
  }
  if (status) {
    picus_scene_destroy(s);
    return status;
  }
  measure(s);
  find_reach(s);
  *out = s;
  return PICUS_OK;
}

/* --- contacts ----------------------------------------------------------------------------------------------------- */

/* A column LAW.END at a row; 0 if there is none. */
static double law_value(const picus_scene *s, const char *law, const char *end, long row) {
  char name[300];
  const double *values;
  if (snprintf(name, sizeof name, "%s.%s", law, end) >= (int)sizeof name) return 0;
  int column = picus_result_find(s->result, name);
  return column >= 0 && !picus_result_values(s->result, column, &values) ? values[row] : 0;
}

static double step_size(const picus_scene *s, long row) {
  const double *values;
  int column = picus_result_find(s->result, "dt");
  if (column >= 0 && !picus_result_values(s->result, column, &values) && values[row] > 0) return values[row];
  double dt = picus_result_number(s->result, "options.dt");
  return dt > 0 ? dt : 1;
}

/* The time in which percussions acted: since the row before, and in files of earlier versions in the
 * last step. */
double picus_scene_row_time(const picus_scene *s, long row) {
  const double *t;
  int column = picus_result_find(s->result, "t");
  if (row == 0 || column < 0 || picus_result_number(s->result, "options.summed_percussions") != 1)
    return step_size(s, row);
  const bool is_known = !picus_result_values(s->result, column, &t) && t[row] > t[row - 1];
  return is_known ? t[row] - t[row - 1] : step_size(s, row);
}

/* A number of a file as a mode. */
static picus_mode mode_of(double value) { return value == 1 ? PICUS_STICK : value == 2 ? PICUS_SLIP : PICUS_OPEN; }

static picus_scene_contact at_site(const picus_scene *s, const picus_draw_site *site, double dt, long row) {
  const double PN = law_value(s, site->law, "PN", row), planar = law_value(s, site->law, "PF", row);
  const double PF[2] = {planar != 0 ? planar : law_value(s, site->law, "PF1", row),
                        law_value(s, site->law, "PF2", row)};
  picus_scene_contact c = {.gap = law_value(s, site->law, "gap", row),
                           .mode = mode_of(law_value(s, site->law, "mode", row))};
  double t[2][3];
  for (int i = 0; i < 3; i++) {
    c.place[i] = picus_scene_value(s, site->place[i]);
    c.normal[i] = picus_scene_value(s, site->normal[i]);
    for (int k = 0; k < 2; k++) t[k][i] = picus_scene_value(s, site->tangent[k][i]);
  }
  const bool has_tangent = site->tangent[0][0] >= 0 || site->tangent[0][1] >= 0;
  if (!has_tangent && s->drawing->planar) t[0][0] = c.normal[1], t[0][1] = -c.normal[0];
  for (int i = 0; i < 3; i++) c.force[i] = (PN * c.normal[i] + PF[0] * t[0][i] + PF[1] * t[1][i]) / dt;
  return c;
}

static picus_status add(picus_context *context, picus_contact_list *list, const picus_scene_contact *contact) {
  picus_status status = picus_grow(context, &list->contacts, list->count, &list->capacity, sizeof *list->contacts);
  if (!status) list->contacts[list->count++] = *contact;
  return status;
}

picus_status picus_scene_contacts(picus_scene *s, long row, picus_contact_list *list) {
  const double since = picus_scene_row_time(s, row);
  const picus_contact_point *points = NULL;
  const int count = picus_result_contact_count(s->result, row);
  list->count = 0;
  picus_scene_evaluate(s, row);
  picus_status status = count > 0 ? picus_result_contacts(s->result, row, &points) : PICUS_OK;
  for (int k = 0; !status && k < s->drawing->site_count; k++) {
    const picus_scene_contact contact = at_site(s, &s->drawing->sites[k], since, row);
    status = add(s->context, list, &contact);
  }
  for (int k = 0; !status && k < count; k++) {
    const picus_scene_contact contact = picus_contact_shown(&points[k], since);
    status = add(s->context, list, &contact);
  }
  return status;
}

void picus_contact_list_release(picus_context *context, picus_contact_list *list) {
  picus_release(context, list->contacts);
  *list = (picus_contact_list){0};
}
