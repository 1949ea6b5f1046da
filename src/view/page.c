#include "view/page.h"
#include "base/internal.h"
#include "view/contacts.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Limits of a page. Values of all tracks and columns are stored as 64-bit numbers, as 32-bit ones, or as 16-bit
 * fractions of their range, whatever fits first. */
enum { MOST_ROWS = 20000, LEAST_ROWS = 200, MOST_EVENTS = 20000 };
static const size_t exact_bytes = 3u << 20, single_bytes = 8u << 20, budget_bytes = 12u << 20;
static const double wanted_tolerance = 1e-4;

typedef struct page {
  picus_json *out;
  picus_result *result;
  picus_scene *scene; /* NULL: the result has no drawing */
  picus_thinning thin;
  long count;   /* rows in the page */
  int *columns; /* numbers of columns in the page */
  const double **values;
  int column_count;
  int left_out; /* columns that did not fit */
  int bits;     /* 64, 32 or 16 */
} page;

static void key(picus_json *out, const char *name) { picus_json_format(out, "\"%s\":", name); }

static void text_field(picus_json *out, const char *name, const char *value) {
  key(out, name);
  picus_json_string(out, value);
  picus_json_put(out, ",");
}

static void number_field(picus_json *out, const char *name, double value) {
  key(out, name);
  picus_json_number(out, value);
  picus_json_put(out, ",");
}

/* One list of numbers: {"b": base64, "e": "f64" | "f32" | "u16", "a": least, "s": step}. NaN of u16 is 65535. */
static picus_status put_list(picus_json *out, picus_context *context, long count, const double *values, int bits) {
  const size_t n = (size_t)count;
  void *bytes = picus_allocate(context, n, (size_t)bits / 8);
  if (!bytes) return PICUS_ERROR_MEMORY;
  double low = INFINITY, high = -INFINITY;
  for (size_t k = 0; k < n; k++)
    if (isfinite(values[k])) low = fmin(low, values[k]), high = fmax(high, values[k]);
  if (!(high > low)) high = low = isfinite(low) ? low : 0;
  const double step = high > low ? (high - low) / 65534 : 1;
  for (size_t k = 0; k < n; k++) {
    if (bits == 64)
      ((double *)bytes)[k] = values[k];
    else if (bits == 32)
      ((float *)bytes)[k] = (float)values[k];
    else
      ((uint16_t *)bytes)[k] = isfinite(values[k]) ? (uint16_t)lround((values[k] - low) / step) : 65535;
  }
  picus_json_format(out, "{\"e\":\"%s\",", bits == 64 ? "f64" : bits == 32 ? "f32" : "u16");
  if (bits == 16) {
    number_field(out, "a", low);
    number_field(out, "s", step);
  }
  key(out, "b");
  picus_json_base64(out, bytes, n * (size_t)bits / 8);
  picus_json_put(out, "}");
  picus_release(context, bytes);
  return out->status;
}

/* ---- which rows and columns */

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

static picus_status choose_columns(page *p, picus_context *context) {
  enum { MOST = 2000, RANKS = 4 };
  const int all = picus_result_column_count(p->result);
  p->columns = picus_allocate(context, (size_t)all, sizeof *p->columns);
  p->values = picus_allocate(context, (size_t)all, sizeof *p->values);
  if (!p->columns || !p->values) return PICUS_ERROR_MEMORY;
  const int most = all < MOST ? all : MOST;
  picus_status status = PICUS_OK;
  for (int rank = 0; rank < RANKS; rank++)
    for (int k = 0; !status && k < all && p->column_count < most; k++) {
      if (all > MOST && rank_of(p, k) != rank) continue;
      if (all <= MOST && rank > 0) continue;
      p->columns[p->column_count] = k;
      status = picus_result_values(p->result, k, &p->values[p->column_count++]);
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

static picus_status choose_rows(page *p, picus_context *context) {
  if (!p->scene) return thin_without_drawing(p, context);
  const double **smooth = picus_allocate(context, (size_t)p->column_count, sizeof *smooth);
  if (!smooth) return PICUS_ERROR_MEMORY;
  const size_t width = (size_t)p->scene->track_count + (size_t)p->column_count;
  long most = (long)(budget_bytes / (2 * (width ? width : 1)));
  if (most > MOST_ROWS) most = MOST_ROWS;
  if (most < LEAST_ROWS) most = LEAST_ROWS;
  picus_thinning_options options = {.tolerance = wanted_tolerance, .most = most, .columns = smooth};
  for (int k = 0; k < p->column_count; k++)
    if (is_smooth(picus_result_column(p->result, p->columns[k]).kind)) smooth[options.column_count++] = p->values[k];
  picus_status status = picus_scene_thin(p->scene, &options, &p->thin);
  picus_release(context, smooth);
  return status;
}

static void choose_bits(page *p) {
  const size_t width = (p->scene ? (size_t)p->scene->track_count : 0) + (size_t)p->column_count;
  const size_t values = (size_t)p->thin.count * width;
  p->bits = 8 * values <= exact_bytes ? 64 : 4 * values <= single_bytes ? 32 : 16;
}

/* ---- parts of the page */

/* A coordinate: a number, or [track]. */
static void put_value(const page *p, int step) {
  if (step >= 0 && p->scene->step_track[step] >= 0)
    picus_json_format(p->out, "[%d]", p->scene->step_track[step]);
  else
    picus_json_number(p->out, picus_scene_value(p->scene, step));
}

static void put_vector(const page *p, const int steps[3]) {
  picus_json_put(p->out, "[");
  for (int i = 0; i < (p->scene->drawing->planar ? 2 : 3); i++) {
    if (i > 0) picus_json_put(p->out, ",");
    put_value(p, steps[i]);
  }
  picus_json_put(p->out, "]");
}

static void put_shape(const page *p, const picus_draw_shape *shape) {
  const picus_drawing *d = p->scene->drawing;
  picus_json *out = p->out;
  picus_json_format(out, "{\"kind\":\"%s\",\"frame\":%d,", picus_draw_kind_name((int)shape->kind), shape->frame);
  text_field(out, "name", shape->name);
  if (shape->kind == PICUS_DRAW_TEXT) text_field(out, "text", shape->text);
  text_field(out, "line", shape->line);
  text_field(out, "fill", shape->fill);
  number_field(out, "width", shape->width);
  key(out, "radius");
  put_value(p, shape->radius);
  picus_json_put(out, ",\"faces\":[");
  for (int k = 0; k < shape->face_count; k++) {
    const int *face = d->faces[shape->first_face + k];
    picus_json_format(out, "%s%d,%d,%d", k ? "," : "", face[0], face[1], face[2]);
  }
  picus_json_put(out, "],\"points\":[");
  for (int k = 0; k < shape->count; k++) {
    if (k > 0) picus_json_put(out, ",");
    put_vector(p, d->points[shape->first_point + k]);
  }
  picus_json_put(out, "]}");
}

/* The columns that a step depends on, marked in used. */
static void mark_variables(const picus_drawing *d, int step, bool *used, bool *seen) {
  if (step < 0 || seen[step]) return;
  seen[step] = true;
  for (int k = step; k >= 0; k--) {
    if (!seen[k]) continue;
    if (d->steps[k].op == PICUS_VARIABLE) used[d->steps[k].argument[0]] = true;
    for (int i = 0; i < picus_op_arity(d->steps[k].op); i++) seen[d->steps[k].argument[i]] = true;
  }
}

/* The names of the columns that move a shape. */
static picus_status put_shape_columns(const page *p, const picus_draw_shape *shape, bool *used, bool *seen) {
  const picus_drawing *d = p->scene->drawing;
  memset(used, 0, (size_t)d->variable_count * sizeof *used);
  memset(seen, 0, (size_t)d->step_count * sizeof *seen);
  for (int k = 0; k < shape->count; k++)
    for (int i = 0; i < 3; i++) mark_variables(d, d->points[shape->first_point + k][i], used, seen);
  for (int i = 0; i < 3; i++) mark_variables(d, d->frames[shape->frame].position[i], used, seen);
  for (int i = 0; i < 9; i++) mark_variables(d, d->frames[shape->frame].rotation[i], used, seen);
  bool first = true;
  picus_json_put(p->out, "[");
  for (int k = 0; k < d->variable_count; k++) {
    if (!used[k]) continue;
    if (!first) picus_json_put(p->out, ",");
    picus_json_string(p->out, d->variables[k]);
    first = false;
  }
  picus_json_put(p->out, "]");
  return p->out->status;
}

static picus_status put_dependencies(const page *p, picus_context *context) {
  enum { MOST = 2000 };
  const picus_drawing *d = p->scene->drawing;
  bool *used = picus_allocate(context, (size_t)d->variable_count, sizeof *used);
  bool *seen = picus_allocate(context, (size_t)d->step_count, sizeof *seen);
  picus_status status = used && seen ? PICUS_OK : PICUS_ERROR_MEMORY;
  key(p->out, "uses");
  picus_json_put(p->out, "[");
  for (int k = 0; !status && k < d->shape_count && d->shape_count <= MOST; k++) {
    if (k > 0) picus_json_put(p->out, ",");
    status = put_shape_columns(p, &d->shapes[k], used, seen);
  }
  picus_json_put(p->out, "],");
  picus_release(context, used);
  picus_release(context, seen);
  return status;
}

static void put_frames(const page *p) {
  const picus_drawing *d = p->scene->drawing;
  key(p->out, "frames");
  picus_json_put(p->out, "[");
  for (int k = 0; k < d->frame_count; k++) {
    picus_json_put(p->out, k ? ",{" : "{");
    text_field(p->out, "name", d->frames[k].name);
    picus_json_format(p->out, "\"pose\":%d}", p->scene->pose_track[k]);
  }
  picus_json_put(p->out, "],");
}

static void put_sites(const page *p) {
  const picus_drawing *d = p->scene->drawing;
  key(p->out, "sites");
  picus_json_put(p->out, "[");
  for (int k = 0; k < d->site_count; k++) {
    const picus_draw_site *site = &d->sites[k];
    char mu[256];
    picus_json_put(p->out, k ? ",{" : "{");
    text_field(p->out, "law", site->law);
    bool fits = strlen(site->law) < sizeof mu - 16;
    if (fits) {
      memcpy(mu, "laws.", 5);
      memcpy(mu + 5, site->law, strlen(site->law));
      memcpy(mu + 5 + strlen(site->law), ".mu", 4);
    }
    number_field(p->out, "mu", fits ? picus_result_number(p->result, mu) : NAN);
    const bool is_contact = site->normal[0] >= 0 || site->normal[1] >= 0;
    key(p->out, "place");
    put_vector(p, site->place);
    for (int i = 0; i < 2; i++) {
      if (site->tangent[i][0] < 0 && site->tangent[i][1] < 0) continue;
      picus_json_format(p->out, ",\"tangent%d\":", i + 1);
      put_vector(p, site->tangent[i]);
    }
    if (is_contact) {
      picus_json_put(p->out, ",\"normal\":");
      put_vector(p, site->normal);
    }
    picus_json_put(p->out, "}");
  }
  picus_json_put(p->out, "],");
}

static picus_status put_tracks(const page *p, picus_context *context) {
  const int tracks = p->scene->track_count;
  double *values = picus_allocate(context, (size_t)p->thin.count, sizeof *values);
  picus_status status = values ? PICUS_OK : PICUS_ERROR_MEMORY;
  key(p->out, "tracks");
  picus_json_put(p->out, "[");
  for (int k = 0; !status && k < tracks; k++) {
    for (long i = 0; i < p->thin.count; i++) values[i] = p->thin.tracks[(size_t)i * (size_t)tracks + (size_t)k];
    if (k > 0) picus_json_put(p->out, ",");
    status = put_list(p->out, context, p->thin.count, values, p->bits);
  }
  picus_json_put(p->out, "],");
  picus_release(context, values);
  return status;
}

/* ---- contacts that come and go */

enum { TOUCH_BUDGET = 200000, TOUCH_FIELDS = 11 }; /* contacts in a page; point, normal, force, mu, mode */

/* Those of all rows of the page. */
typedef struct touching {
  picus_contact_list row, shown;
  double *sizes;
  size_t size_capacity;
  double *counts; /* shown, by row */
  double all;     /* in these rows of the result */
} touching;

static double force_of(const picus_scene_contact *c) {
  return sqrt(c->force[0] * c->force[0] + c->force[1] * c->force[1] + c->force[2] * c->force[2]);
}

static int descending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x < y) - (x > y);
}

/* Keeps those of a row with the largest forces, in their order. */
static picus_status choose_contacts(picus_context *context, touching *t, size_t first, size_t most, long row) {
  const size_t count = t->row.count - first, kept = count < most ? count : most;
  picus_status status = PICUS_OK;
  while (!status && t->size_capacity < count)
    status = picus_grow(context, &t->sizes, t->size_capacity, &t->size_capacity, sizeof *t->sizes);
  if (status || count == 0) return status;
  for (size_t k = 0; k < count; k++) {
    const double size = force_of(&t->row.contacts[first + k]);
    t->sizes[k] = isfinite(size) ? size : -1;
  }
  qsort(t->sizes, count, sizeof *t->sizes, descending);
  const double least = kept > 0 ? t->sizes[kept - 1] : INFINITY;
  for (size_t k = 0; !status && k < count && t->counts[row] < (double)kept; k++) {
    const picus_scene_contact *contact = &t->row.contacts[first + k];
    const double size = force_of(contact);
    if ((isfinite(size) ? size : -1) < least) continue;
    status = picus_grow(context, &t->shown.contacts, t->shown.count, &t->shown.capacity, sizeof *contact);
    if (status) break;
    t->shown.contacts[t->shown.count++] = *contact;
    t->counts[row]++;
  }
  return status;
}

static double touch_value(const picus_scene_contact *c, int field) {
  if (field < 3) return c->place[field];
  if (field < 6) return c->normal[field - 3];
  if (field < 9) return c->force[field - 6];
  return field == 9 ? c->mu : (double)c->mode;
}

static picus_status put_touch_lists(const page *p, picus_context *context, const touching *t) {
  double *values = picus_allocate(context, t->shown.count, sizeof *values);
  if (!values) return PICUS_ERROR_MEMORY;
  key(p->out, "touch");
  picus_json_put(p->out, "{");
  number_field(p->out, "all", t->all);
  key(p->out, "counts");
  picus_status status = put_list(p->out, context, p->thin.count, t->counts, 32);
  picus_json_put(p->out, ",\"fields\":[");
  for (int field = 0; !status && field < TOUCH_FIELDS; field++) {
    for (size_t k = 0; k < t->shown.count; k++) values[k] = touch_value(&t->shown.contacts[k], field);
    if (field > 0) picus_json_put(p->out, ",");
    status = put_list(p->out, context, (long)t->shown.count, values, 32);
  }
  picus_json_put(p->out, "]},");
  picus_release(context, values);
  return status;
}

/* The contacts of the rows of the page, within a limit. */
static picus_status put_touching(const page *p, picus_context *context) {
  const long rows = p->thin.count;
  const size_t most = rows > 0 ? (size_t)(TOUCH_BUDGET / rows) + 1 : 1, sites = (size_t)p->scene->drawing->site_count;
  touching t = {.counts = picus_allocate(context, (size_t)rows, sizeof(double))};
  picus_status status = t.counts ? PICUS_OK : PICUS_ERROR_MEMORY;
  for (long k = 0; !status && k < rows; k++) {
    status = picus_scene_contacts(p->scene, p->thin.rows[k], &t.row);
    if (status) break;
    t.all += (double)(t.row.count - sites);
    status = choose_contacts(context, &t, sites, most, k);
  }
  if (!status) status = put_touch_lists(p, context, &t);
  picus_contact_list_release(context, &t.row);
  picus_contact_list_release(context, &t.shown);
  picus_release(context, t.sizes);
  picus_release(context, t.counts);
  return status;
}

static picus_status put_drawing(const page *p, picus_context *context) {
  const picus_drawing *d = p->scene->drawing;
  picus_json *out = p->out;
  picus_scene_evaluate(p->scene, 0); /* for constants */
  key(out, "drawing");
  picus_json_format(out, "{\"planar\":%s,", d->planar ? "true" : "false");
  put_frames(p);
  picus_status status = put_dependencies(p, context);
  key(out, "shapes");
  picus_json_put(out, "[");
  for (int k = 0; k < d->shape_count; k++) {
    if (k > 0) picus_json_put(out, ",");
    put_shape(p, &d->shapes[k]);
  }
  picus_json_put(out, "],");
  put_sites(p);
  if (!status) status = put_tracks(p, context);
  if (!status && picus_result_contact_rows(p->result) >= 0) status = put_touching(p, context);
  number_field(out, "size", p->scene->size);
  picus_json_format(out, "\"eventsKept\":%s,", p->thin.events_kept ? "true" : "false");
  number_field(out, "relative", p->thin.relative);
  key(out, "tolerance");
  picus_json_number(out, p->thin.tolerance);
  picus_json_put(out, "},");
  return status;
}

static picus_status put_columns(const page *p, picus_context *context) {
  double *values = picus_allocate(context, (size_t)p->thin.count, sizeof *values);
  picus_status status = values ? PICUS_OK : PICUS_ERROR_MEMORY;
  key(p->out, "columns");
  picus_json_put(p->out, "[");
  for (int k = 0; !status && k < p->column_count; k++) {
    picus_column c = picus_result_column(p->result, p->columns[k]);
    picus_json_put(p->out, k ? ",{" : "{");
    text_field(p->out, "name", c.name);
    text_field(p->out, "unit", c.unit);
    text_field(p->out, "label", c.label);
    picus_json_format(p->out, "\"kind\":%d,", (int)c.kind);
    for (long i = 0; i < p->thin.count; i++) values[i] = p->values[k][p->thin.rows[i]];
    key(p->out, "values");
    status = put_list(p->out, context, p->thin.count, values, c.kind == PICUS_COLUMN_TIME ? 64 : p->bits);
    picus_json_put(p->out, "}");
  }
  picus_json_format(p->out, "],\"columnsLeftOut\":%d,", p->left_out);
  picus_release(context, values);
  return status;
}

static picus_status put_events(const page *p) {
  const picus_switching *list = NULL;
  const long count = picus_result_switching_count(p->result);
  picus_status status = count > 0 ? picus_result_switchings(p->result, &list) : PICUS_OK;
  if (status) return status;
  const long step = count > MOST_EVENTS ? (count + MOST_EVENTS - 1) / MOST_EVENTS : 1;
  picus_json_format(p->out, "\"eventCount\":%ld,\"events\":[", count > 0 ? count : 0);
  bool first = true;
  for (long k = 0; k < count; k += step) {
    picus_json_put(p->out, first ? "[" : ",[");
    picus_json_number(p->out, list[k].t);
    picus_json_format(p->out, ",%d,%d,%d,%d,", list[k].law, (int)list[k].from, (int)list[k].to, list[k].impact ? 1 : 0);
    picus_json_number(p->out, list[k].PN);
    picus_json_put(p->out, ",");
    picus_json_number(p->out, list[k].lost);
    picus_json_put(p->out, "]");
    first = false;
  }
  picus_json_put(p->out, "],\"laws\":[");
  for (int k = 0; k < picus_result_law_count(p->result); k++) {
    if (k > 0) picus_json_put(p->out, ",");
    picus_json_string(p->out, picus_result_law_at(p->result, k).name);
  }
  picus_json_put(p->out, "],");
  return PICUS_OK;
}

static void put_plots(const page *p) {
  picus_json_put(p->out, "\"plots\":[");
  for (int k = 0; k < picus_result_plot_count(p->result); k++) {
    picus_plot_panel panel = picus_result_plot(p->result, k);
    picus_json_put(p->out, k ? ",{" : "{");
    text_field(p->out, "x", panel.x);
    picus_json_put(p->out, "\"y\":[");
    for (int i = 0; i < panel.count; i++) {
      if (i > 0) picus_json_put(p->out, ",");
      picus_json_string(p->out, panel.y[i]);
    }
    picus_json_put(p->out, "]}");
  }
  picus_json_put(p->out, "],");
}

static picus_status put_result(page *p, picus_context *context, const char *name) {
  picus_json *out = p->out;
  picus_json_put(out, "{");
  text_field(out, "file", name);
  text_field(out, "model", picus_result_text(p->result, "model.name"));
  text_field(out, "description", picus_result_text(p->result, "model.description"));
  text_field(out, "scheme", picus_result_text(p->result, "options.scheme"));
  text_field(out, "status", picus_result_text(p->result, "status"));
  text_field(out, "version", picus_result_text(p->result, "version"));
  number_field(out, "dt", picus_result_number(p->result, "options.dt"));
  number_field(out, "rows", (double)picus_result_row_count(p->result));
  number_field(out, "bits", p->bits);
  picus_status status = p->scene ? put_drawing(p, context) : PICUS_OK;
  if (!status) status = put_events(p);
  if (!status) put_plots(p);
  if (!status) status = put_columns(p, context);
  number_field(out, "kept", (double)p->thin.count);
  picus_json_put(out, "\"end\":0}");
  return status;
}

static picus_status add_result(picus_context *context, const picus_page_source *source, picus_json *out) {
  page p = {.out = out, .result = source->result};
  const picus_drawing *drawing = NULL;
  picus_status status = picus_result_drawing(source->result, &drawing);
  if (!status && picus_result_row_count(source->result) < 1)
    status = picus_fail(context, PICUS_ERROR_DIMENSION, "'%s' has no rows to show", source->name);
  if (!status && drawing) status = picus_scene_create(context, source->result, &p.scene);
  if (!status) status = choose_columns(&p, context);
  if (!status) status = choose_rows(&p, context);
  if (!status) {
    choose_bits(&p);
    status = put_result(&p, context, source->name);
  }
  picus_thinning_release(context, &p.thin);
  picus_release(context, p.columns);
  picus_release(context, p.values);
  picus_scene_destroy(p.scene);
  return status;
}

/* ---- the page */

static bool has_space(int count, const picus_page_source *sources) {
  for (int k = 0; k < count; k++) {
    const picus_drawing *drawing;
    if (!picus_result_drawing(sources[k].result, &drawing) && drawing && !drawing->planar) return true;
  }
  return false;
}

static void add_part(picus_json *out, const char *name) {
  for (int k = 0; k < picus_page_part_count; k++)
    if (strcmp(picus_page_parts[k].name, name) == 0)
      picus_json_add(out, picus_page_parts[k].bytes, picus_page_parts[k].size);
}

static void add_script(picus_json *out, const char *name) {
  picus_json_put(out, "<script>\n");
  add_part(out, name);
  picus_json_put(out, "</script>\n");
}

picus_status picus_page_write(picus_context *context, int count, const picus_page_source *sources, picus_json *out) {
  picus_status status = PICUS_OK;
  add_part(out, "head.html");
  picus_json_put(out, "<style>\n");
  add_part(out, "page.css");
  picus_json_put(out, "</style>\n</head>\n");
  add_part(out, "body.html");
  picus_json_put(out, "<script type=\"application/json\" id=\"picus-data\">{\"results\":[");
  for (int k = 0; !status && k < count; k++) {
    if (k > 0) picus_json_put(out, ",");
    status = add_result(context, &sources[k], out);
  }
  picus_json_put(out, "]}</script>\n");
  if (!status && has_space(count, sources)) {
    add_script(out, "three.js");
    add_script(out, "space.js");
  }
  add_script(out, "page.js");
  picus_json_put(out, "</body>\n</html>\n");
  return status ? status : out->status;
}
