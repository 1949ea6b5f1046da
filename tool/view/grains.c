/* Granular mechanics of a scene: chains of forces, the distribution of forces, slopes of a surface. */
#include "view/grains.h"
#include "base/internal.h"

#include <math.h>
#include <string.h>

/* ---- force chains */

/* The frame of the drawing that has the name of a body. Bodies and frames come in the same order, so the search starts
 * behind the frame that was found last. */
static int frame_of(const picus_drawing *d, const char *body, int after) {
  for (int k = 1; k <= d->frame_count; k++) {
    const int frame = (after + k) % d->frame_count;
    if (strcmp(d->frames[frame].name, body) == 0) return frame;
  }
  return -1;
}

static picus_status frames_of_bodies(const picus_scene *s, int **out) {
  const int count = picus_result_body_count(s->result);
  int *frames = picus_allocate(s->context, (size_t)count + 1, sizeof *frames);
  if (!frames) return PICUS_ERROR_MEMORY;
  for (int k = 0, after = 0; k < count; k++) {
    frames[k] = frame_of(s->drawing, picus_result_body(s->result, k), after);
    if (frames[k] >= 0) after = frames[k];
  }
  *out = frames;
  return PICUS_OK;
}

static void place_end(const picus_scene *s, const int *frames, const picus_contact_point *c, int side, double end[3]) {
  const int frame = c->body[side] >= 0 ? frames[c->body[side]] : -1;
  memcpy(end, c->point, 3 * sizeof *end);
  for (int i = 0; frame >= 0 && i < 3; i++) end[i] = picus_scene_value(s, s->drawing->frames[frame].position[i]);
}

static picus_status add_link(const picus_scene *s, const int *frames, const picus_contact_point *c, double since,
                             picus_force_links *out) {
  if (c->mode == PICUS_OPEN || !(c->PN > 0) || !isfinite(c->PN)) return PICUS_OK;
  picus_status status = picus_grow(s->context, &out->links, out->count, &out->capacity, sizeof *out->links);
  if (status) return status;
  picus_force_link *link = &out->links[out->count++];
  link->force = c->PN / since;
  out->mean += link->force;
  for (int side = 0; side < 2; side++) place_end(s, frames, c, side, link->ends[side]);
  return PICUS_OK;
}

picus_status picus_scene_force_links(picus_scene *s, long row, picus_force_links *out) {
  int *frames = NULL;
  const picus_contact_point *contacts = NULL;
  const int count = picus_result_contact_count(s->result, row);
  const double since = picus_scene_row_time(s, row);
  out->count = 0;
  out->mean = 0;
  picus_scene_evaluate(s, row);
  picus_status status = frames_of_bodies(s, &frames);
  if (!status && count > 0) status = picus_result_contacts(s->result, row, &contacts);
  for (int k = 0; !status && k < count; k++) status = add_link(s, frames, &contacts[k], since, out);
  if (out->count > 0) out->mean /= (double)out->count;
  picus_release(s->context, frames);
  return status;
}

void picus_force_links_release(picus_context *context, picus_force_links *links) {
  picus_release(context, links->links);
  *links = (picus_force_links){0};
}

picus_status picus_picture_add_links(picus_picture *picture, const picus_camera *camera,
                                     const picus_force_links *links) {
  const double pixels_of_mean = 3, widest = 14;
  const long strong = 0x9b1d20, weak = 0xe8b4a0;
  picus_status status = PICUS_OK;
  for (int pass = 0; pass < 2; pass++) { /* the strong ones in front */
    for (size_t k = 0; !status && k < links->count; k++) {
      const picus_force_link *link = &links->links[k];
      const bool above = link->force > links->mean;
      const double width = fmin(widest, pixels_of_mean * link->force / links->mean);
      if (above == (pass == 1) && width > 0.1)
        status = picus_picture_add_line(picture, camera, link->ends, above ? strong : weak, width);
    }
  }
  return status;
}

picus_force_distribution picus_force_distribution_of(const picus_force_links *links) {
  picus_force_distribution out = {0};
  double most = 1;
  for (size_t k = 0; k < links->count; k++) most = fmax(most, links->links[k].force / links->mean);
  const double width = most / PICUS_FORCE_CLASSES;
  for (int i = 0; i < PICUS_FORCE_CLASSES; i++) out.ratio[i] = width * (i + 0.5);
  for (size_t k = 0; k < links->count; k++) {
    const int i = (int)(links->links[k].force / links->mean / width);
    out.density[i < PICUS_FORCE_CLASSES ? i : PICUS_FORCE_CLASSES - 1] += 1 / (width * (double)links->count);
  }
  return out;
}

/* ---- slopes */

enum { COLUMNS = 32 };

/* Where the surface of a heap is: the highest point in each of some columns of equal width. */
typedef struct heap_surface {
  double low, high; /* m: range of x or of the distance from the axis */
  double floor;     /* m, lowest point of all bodies */
  double top[COLUMNS];
} heap_surface;

/* A body in the vertical plane: place along the surface, height, and radius of its drawn shape. */
typedef struct grain_place {
  double x, y, r;
} grain_place;

static bool place_grain(const picus_scene *s, int shape, const double centre[3], grain_place *out) {
  const picus_draw_shape *drawn = &s->drawing->shapes[shape];
  const bool round = drawn->kind == PICUS_DRAW_CIRCLE || drawn->kind == PICUS_DRAW_SPHERE;
  if (drawn->frame <= 0 || !round || drawn->count < 1) return false;
  double p[3];
  picus_scene_point(s, drawn->frame, s->drawing->points[drawn->first_point], p);
  const bool planar = s->drawing->planar;
  *out = (grain_place){planar ? p[0] : hypot(p[0] - centre[0], p[1] - centre[1]), planar ? p[1] : p[2],
                       fabs(picus_scene_value(s, drawn->radius))};
  return isfinite(out->x) && isfinite(out->y) && isfinite(out->r);
}

static int find_centre(const picus_scene *s, double centre[3]) {
  int count = 0;
  for (int k = 0; k < s->drawing->shape_count; k++) {
    const double origin[3] = {0};
    grain_place grain;
    double p[3];
    if (!place_grain(s, k, origin, &grain)) continue;
    picus_scene_point(s, s->drawing->shapes[k].frame, s->drawing->points[s->drawing->shapes[k].first_point], p);
    for (int i = 0; i < 3; i++) centre[i] += p[i];
    count++;
  }
  for (int i = 0; i < 3 && count > 0; i++) centre[i] /= count;
  return count;
}

static int column_of(const heap_surface *h, double x) {
  const int k = (int)((x - h->low) / (h->high - h->low) * COLUMNS);
  return k < 0 ? 0 : k < COLUMNS ? k : COLUMNS - 1;
}

static heap_surface survey(const picus_scene *s, const double centre[3]) {
  heap_surface h = {.low = INFINITY, .high = -INFINITY, .floor = INFINITY};
  grain_place g;
  for (int k = 0; k < s->drawing->shape_count; k++) {
    if (!place_grain(s, k, centre, &g)) continue;
    h.low = fmin(h.low, g.x);
    h.high = fmax(h.high, g.x);
    h.floor = fmin(h.floor, g.y - g.r);
  }
  for (int i = 0; i < COLUMNS; i++) h.top[i] = h.floor;
  for (int k = 0; k < s->drawing->shape_count && h.high > h.low; k++) {
    if (!place_grain(s, k, centre, &g)) continue;
    double *top = &h.top[column_of(&h, g.x)];
    *top = fmax(*top, g.y + g.r);
  }
  return h;
}

/* Least squares over the columns from the peak to one side whose tops are in the middle of the height. */
static picus_heap_flank fit_flank(const heap_surface *h, int peak, int step) {
  const double height = h->top[peak] - h->floor, width = (h->high - h->low) / COLUMNS;
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, first = 0, last = 0;
  for (int k = peak; k >= 0 && k < COLUMNS; k += step) {
    const double x = h->low + (k + 0.5) * width, y = h->top[k];
    if (y < h->floor + 0.2 * height || y > h->floor + 0.8 * height) continue;
    if (n == 0) first = x;
    last = x;
    n++;
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
  }
  const double spread = n * sxx - sx * sx;
  if (n < 3 || !(spread > 0)) return (picus_heap_flank){0};
  const double slope = (n * sxy - sx * sy) / spread, foot = (sy - slope * sx) / n;
  return (picus_heap_flank){true, atan(-slope * step), {{first, foot + slope * first}, {last, foot + slope * last}}};
}

picus_status picus_scene_heap(picus_scene *s, long row, picus_heap *out) {
  *out = (picus_heap){0};
  picus_scene_evaluate(s, row);
  if (find_centre(s, out->centre) == 0)
    return picus_fail(s->context, PICUS_ERROR_MODEL, "the result has no disks or spheres that move, so no pile");
  const heap_surface h = survey(s, out->centre);
  int peak = 0;
  for (int k = 1; k < COLUMNS; k++)
    if (h.top[k] > h.top[peak]) peak = k;
  if (s->drawing->planar) out->flank[0] = fit_flank(&h, peak, -1);
  out->flank[1] = fit_flank(&h, peak, 1);
  return PICUS_OK;
}

picus_status picus_picture_add_heap(picus_picture *picture, const picus_scene *scene, const picus_camera *camera,
                                    const picus_heap *heap) {
  const bool planar = scene->drawing->planar;
  picus_status status = PICUS_OK;
  for (int side = 0; side < 2 && !status; side++) {
    const picus_heap_flank *f = &heap->flank[side];
    double ends[2][3] = {{0}};
    for (int i = 0; i < 2; i++) {
      ends[i][0] = planar ? f->ends[i][0] : heap->centre[0] + f->ends[i][0];
      ends[i][1] = planar ? f->ends[i][1] : heap->centre[1];
      ends[i][2] = planar ? 0 : f->ends[i][1];
    }
    if (f->found) status = picus_picture_add_line(picture, camera, (const double(*)[3])ends, 0x9b1d20, 3);
  }
  return status;
}
