/* Writes the page of picus view: the data of the results as JSON between the parts of the embedded page. */
#include "base/internal.h"
#include "view/page_frame.h"
#include "view/page_parts.h"
#include "view/scene.h"

#include <math.h>
#include <string.h>

enum { MOST_EVENTS = 20000 };

void picus_page_key(picus_json *out, const char *name) { picus_json_format(out, "\"%s\":", name); }

void picus_page_text(picus_json *out, const char *name, const char *value) {
  picus_page_key(out, name);
  picus_json_string(out, value);
  picus_json_put(out, ",");
}

void picus_page_number(picus_json *out, const char *name, double value) {
  picus_page_key(out, name);
  picus_json_number(out, value);
  picus_json_put(out, ",");
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
  picus_page_text(out, "name", shape->name);
  if (shape->kind == PICUS_DRAW_TEXT) picus_page_text(out, "text", shape->text);
  picus_page_text(out, "line", shape->line);
  picus_page_text(out, "fill", shape->fill);
  picus_page_number(out, "width", shape->width);
  picus_page_key(out, "radius");
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
  picus_page_key(p->out, "uses");
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
  picus_page_key(p->out, "frames");
  picus_json_put(p->out, "[");
  for (int k = 0; k < d->frame_count; k++) {
    picus_json_put(p->out, k ? ",{" : "{");
    picus_page_text(p->out, "name", d->frames[k].name);
    picus_json_format(p->out, "\"fixed\":%s,\"pose\":%d}", picus_scene_frame_moves(p->scene, k) ? "false" : "true",
                      p->scene->pose_track[k]);
  }
  picus_json_put(p->out, "],");
}

/* Places of contacts in drawings, with the names of their laws and parameters. */
static void put_sites(const page *p) {
  const picus_drawing *d = p->scene->drawing;
  picus_page_key(p->out, "sites");
  picus_json_put(p->out, "[");
  for (int k = 0; k < d->site_count; k++) {
    const picus_draw_site *site = &d->sites[k];
    char mu[256];
    picus_json_put(p->out, k ? ",{" : "{");
    picus_page_text(p->out, "law", site->law);
    bool fits = strlen(site->law) < sizeof mu - 16;
    if (fits) {
      memcpy(mu, "laws.", 5);
      memcpy(mu + 5, site->law, strlen(site->law));
      memcpy(mu + 5 + strlen(site->law), ".mu", 4);
    }
    picus_page_number(p->out, "mu", fits ? picus_result_number(p->result, mu) : NAN);
    const bool is_contact = site->normal[0] >= 0 || site->normal[1] >= 0;
    picus_page_key(p->out, "place");
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

/* The time in which the percussions of each row acted. */
static picus_status put_row_times(const page *p, picus_context *context) {
  double *times = picus_allocate(context, (size_t)p->thin.count, sizeof *times);
  if (!times) return PICUS_ERROR_MEMORY;
  for (long k = 0; k < p->thin.count; k++) times[k] = picus_scene_row_time(p->scene, p->thin.rows[k]);
  picus_page_key(p->out, "rowTimes");
  picus_status status = picus_page_list(p->out, context, p->thin.count, times, 32);
  picus_json_put(p->out, ",");
  picus_release(context, times);
  return status;
}

static picus_status put_drawing(const page *p, picus_context *context) {
  const picus_drawing *d = p->scene->drawing;
  picus_json *out = p->out;
  picus_scene_evaluate(p->scene, 0); /* for constants */
  picus_page_key(out, "drawing");
  picus_json_format(out, "{\"planar\":%s,", d->planar ? "true" : "false");
  put_frames(p);
  picus_status status = put_dependencies(p, context);
  picus_page_key(out, "shapes");
  picus_json_put(out, "[");
  for (int k = 0; k < d->shape_count; k++) {
    if (k > 0) picus_json_put(out, ",");
    put_shape(p, &d->shapes[k]);
  }
  picus_json_put(out, "],");
  put_sites(p);
  if (!status) status = picus_page_tracks(p, context);
  if (!status && d->site_count > 0) status = put_row_times(p, context);
  if (!status && picus_result_contact_rows(p->result) >= 0) status = picus_page_touching(p, context);
  picus_page_number(out, "size", p->scene->size);
  picus_json_format(out, "\"eventsKept\":%s,", p->thin.events_kept ? "true" : "false");
  picus_page_number(out, "relative", p->thin.relative);
  picus_json_format(out, "\"apart\":%s,", p->apart ? "true" : "false");
  picus_page_key(out, "tolerance");
  picus_json_number(out, (p->bits == 16 ? 1.1 : 1) * p->thin.tolerance);
  picus_json_put(out, "},");
  return status;
}

static picus_status put_columns(const page *p, picus_context *context) {
  double *values = picus_allocate(context, (size_t)p->thin.count, sizeof *values);
  picus_status status = values ? PICUS_OK : PICUS_ERROR_MEMORY;
  picus_page_key(p->out, "columns");
  picus_json_put(p->out, "[");
  for (int k = 0; !status && k < p->column_count; k++) {
    picus_column c = picus_result_column(p->result, p->columns[k]);
    picus_json_put(p->out, k ? ",{" : "{");
    picus_page_text(p->out, "name", c.name);
    picus_page_text(p->out, "unit", c.unit);
    picus_page_text(p->out, "label", c.label);
    picus_json_format(p->out, "\"kind\":%d,", (int)c.kind);
    for (long i = 0; i < p->thin.count; i++) values[i] = p->values[k][p->thin.rows[i]];
    picus_page_key(p->out, "values");
    status = picus_page_list(p->out, context, p->thin.count, values, c.kind == PICUS_COLUMN_TIME ? 64 : p->bits);
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
    picus_page_text(p->out, "x", panel.x);
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
  picus_page_text(out, "file", name);
  picus_page_text(out, "model", picus_result_text(p->result, "model.name"));
  picus_page_text(out, "description", picus_result_text(p->result, "model.description"));
  picus_page_text(out, "scheme", picus_result_text(p->result, "options.scheme"));
  picus_page_text(out, "status", picus_result_text(p->result, "status"));
  picus_page_text(out, "version", picus_result_text(p->result, "version"));
  picus_page_number(out, "dt", picus_result_number(p->result, "options.dt"));
  picus_page_number(out, "rows", (double)picus_result_row_count(p->result));
  picus_page_number(out, "bits", p->bits);
  picus_status status = p->scene ? put_drawing(p, context) : PICUS_OK;
  if (!status) status = put_events(p);
  if (!status) put_plots(p);
  if (!status) status = put_columns(p, context);
  picus_page_number(out, "kept", (double)p->thin.count);
  picus_json_put(out, "\"end\":0}");
  return status;
}

/* Points that do not move cost space, too: a browser must be able to open the page. */
static picus_status check_size(picus_context *context, const picus_drawing *drawing) {
  enum { MOST_POINTS = 300000 };
  if (!drawing || (drawing->point_count <= MOST_POINTS && drawing->face_count <= 2 * MOST_POINTS)) return PICUS_OK;
  return picus_fail(context, PICUS_ERROR_UNSUPPORTED,
                    "the drawing has %d shapes with %d points and %d triangles; a page shows at most %d points and %d "
                    "triangles, 'picus render' and 'picus export' more",
                    drawing->shape_count, drawing->point_count, drawing->face_count, MOST_POINTS, 2 * MOST_POINTS);
}

static picus_status add_result(picus_context *context, const picus_page_source *source, int count, picus_json *out) {
  page p = {.out = out, .result = source->result, .share = (size_t)count};
  const picus_drawing *drawing = NULL;
  picus_status status = picus_result_drawing(source->result, &drawing);
  if (!status && picus_result_row_count(source->result) < 1)
    status = picus_fail(context, PICUS_ERROR_DIMENSION, "'%s' has no rows to show", source->name);
  if (!status) status = check_size(context, drawing);
  if (!status && drawing) status = picus_scene_create(context, source->result, &p.scene);
  if (!status) status = picus_page_choose(&p, context);
  if (!status) status = put_result(&p, context, source->name);
  picus_thinning_release(context, &p.thin);
  picus_release(context, p.columns);
  picus_release(context, p.values);
  picus_scene_destroy(p.scene);
  return status;
}

/* ---- the page */

/* The scripts that a page needs: three.js and the spatial view only for drawings in space, and no view without
 * drawings. */
static const char *const spatial[] = {"draw.js",        "panel.js",        "plot.js",           "plane.js", "three.js",
                                      "space-stage.js", "space-shapes.js", "space-contacts.js", "space.js", "page.js"};
static const char *const planar[] = {"draw.js", "panel.js", "plot.js", "plane.js", "page.js"};
static const char *const undrawn[] = {"draw.js", "panel.js", "plot.js", "page.js"};

static picus_page_frame frame_of(int count, const picus_page_source *sources) {
  static const char *const styles[] = {"page.css"};
  picus_page_frame frame = {.body = "body.html",
                            .styles = styles,
                            .style_count = 1,
                            .scripts = undrawn,
                            .script_count = sizeof undrawn / sizeof *undrawn};
  for (int k = 0; k < count; k++) {
    const picus_drawing *drawing;
    if (picus_result_drawing(sources[k].result, &drawing) || !drawing) continue;
    if (!drawing->planar) {
      frame.scripts = spatial;
      frame.script_count = sizeof spatial / sizeof *spatial;
      return frame;
    }
    frame.scripts = planar;
    frame.script_count = sizeof planar / sizeof *planar;
  }
  return frame;
}

picus_status picus_page_write(picus_context *context, int count, const picus_page_source *sources, picus_json *out) {
  const picus_page_frame frame = frame_of(count, sources);
  picus_status status = PICUS_OK;
  picus_page_begin(&frame, out);
  picus_json_put(out, "<script type=\"application/json\" id=\"picus-data\">{\"results\":[");
  for (int k = 0; !status && k < count; k++) {
    if (k > 0) picus_json_put(out, ",");
    status = add_result(context, &sources[k], count, out);
  }
  picus_json_put(out, "]}</script>\n");
  picus_page_end(&frame, out);
  return status ? status : out->status;
}
