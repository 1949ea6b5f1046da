/* Drawings in result files: lists of numbers and texts, written once, checked when they are read. */
#include "base/internal.h"
#include "hdf5/read.h"
#include "hdf5/support.h"
#include "model/internal.h"
#include "table/description.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* ---- writing */

/* A list of count x width integers that are stride bytes apart. */
typedef struct integers {
  const char *name;
  size_t count, width, stride;
  const void *first;
} integers;

static bool put_integers(picus_context *context, hid_t group, integers list) {
  if (list.count == 0) return true;
  double *numbers = picus_allocate(context, list.count * list.width, sizeof *numbers);
  if (!numbers) return false;
  for (size_t k = 0; k < list.count; k++) {
    const int *from = (const int *)(const void *)((const char *)list.first + k * list.stride);
    for (size_t i = 0; i < list.width; i++) numbers[k * list.width + i] = from[i];
  }
  bool done = picus_hdf5_put_numbers(group, list.name, list.count * list.width, numbers);
  picus_release(context, numbers);
  return done;
}

/* A list of texts whose pointers are stride bytes apart. */
static bool put_names(picus_context *context, hid_t group, const char *name, integers list) {
  if (list.count == 0) return true;
  const char **texts = picus_allocate(context, list.count, sizeof *texts);
  if (!texts) return false;
  for (size_t k = 0; k < list.count; k++)
    texts[k] = *(const char *const *)(const void *)((const char *)list.first + k * list.stride);
  bool done = picus_hdf5_put_texts(context, group, name, list.count, texts);
  picus_release(context, texts);
  return done;
}

static bool put_steps(picus_context *context, hid_t parent, const picus_drawing *d) {
  hid_t group = picus_hdf5_create_group(parent, "steps");
  size_t n = (size_t)d->step_count;
  const char **names = picus_allocate(context, n, sizeof *names);
  double *values = picus_allocate(context, n, sizeof *values);
  bool done = group >= 0 && names && values;
  for (size_t k = 0; done && k < n; k++) {
    names[k] = picus_op_name(d->steps[k].op);
    values[k] = d->steps[k].value;
  }
  done = done &&
         (n == 0 || (picus_hdf5_put_texts(context, group, "op", n, names) &&
                     picus_hdf5_put_numbers(group, "value", n, values))) &&
         put_integers(context, group, (integers){"argument", n, 3, sizeof *d->steps, d->steps->argument});
  picus_release(context, names);
  picus_release(context, values);
  if (group >= 0) H5Gclose(group);
  return done;
}

static bool put_frames(picus_context *context, hid_t parent, const picus_drawing *d) {
  hid_t group = picus_hdf5_create_group(parent, "frames");
  const size_t n = (size_t)d->frame_count, stride = sizeof *d->frames;
  double *planar = picus_allocate(context, n, sizeof *planar);
  bool done = group >= 0 && planar;
  for (size_t k = 0; done && k < n; k++) planar[k] = d->frames[k].planar;
  done = done && put_names(context, group, "name", (integers){NULL, n, 1, stride, &d->frames->name}) &&
         picus_hdf5_put_numbers(group, "planar", n, planar) &&
         put_integers(context, group, (integers){"position", n, 3, stride, d->frames->position}) &&
         put_integers(context, group, (integers){"rotation", n, 9, stride, d->frames->rotation});
  picus_release(context, planar);
  if (group >= 0) H5Gclose(group);
  return done;
}

static bool put_shapes(picus_context *context, hid_t parent, const picus_drawing *d) {
  hid_t group = picus_hdf5_create_group(parent, "shapes");
  const size_t n = (size_t)d->shape_count, stride = sizeof *d->shapes;
  const char **kinds = picus_allocate(context, n, sizeof *kinds);
  double *widths = picus_allocate(context, n, sizeof *widths);
  bool done = group >= 0 && kinds && widths;
  for (size_t k = 0; done && k < n; k++) {
    kinds[k] = picus_draw_kind_name((int)d->shapes[k].kind);
    widths[k] = d->shapes[k].width;
  }
  done = done && picus_hdf5_put_texts(context, group, "kind", n, kinds) &&
         picus_hdf5_put_numbers(group, "width", n, widths) &&
         put_names(context, group, "name", (integers){NULL, n, 1, stride, &d->shapes->name}) &&
         put_names(context, group, "text", (integers){NULL, n, 1, stride, &d->shapes->text}) &&
         put_names(context, group, "line", (integers){NULL, n, 1, stride, &d->shapes->line}) &&
         put_names(context, group, "fill", (integers){NULL, n, 1, stride, &d->shapes->fill}) &&
         put_integers(context, group, (integers){"frame", n, 1, stride, &d->shapes->frame}) &&
         put_integers(context, group, (integers){"radius", n, 1, stride, &d->shapes->radius}) &&
         put_integers(context, group, (integers){"first_point", n, 1, stride, &d->shapes->first_point}) &&
         put_integers(context, group, (integers){"count", n, 1, stride, &d->shapes->count}) &&
         put_integers(context, group, (integers){"first_face", n, 1, stride, &d->shapes->first_face}) &&
         put_integers(context, group, (integers){"face_count", n, 1, stride, &d->shapes->face_count});
  picus_release(context, kinds);
  picus_release(context, widths);
  if (group >= 0) H5Gclose(group);
  return done;
}

static bool put_sites(picus_context *context, hid_t parent, const picus_drawing *d) {
  const size_t n = (size_t)d->site_count, stride = sizeof *d->sites;
  if (n == 0) return true;
  hid_t group = picus_hdf5_create_group(parent, "sites");
  bool done = group >= 0 && put_names(context, group, "law", (integers){NULL, n, 1, stride, &d->sites->law}) &&
              put_integers(context, group, (integers){"place", n, 3, stride, d->sites->place}) &&
              put_integers(context, group, (integers){"normal", n, 3, stride, d->sites->normal}) &&
              put_integers(context, group, (integers){"tangent", n, 6, stride, d->sites->tangent});
  if (group >= 0) H5Gclose(group);
  return done;
}

bool picus_hdf5_describe_drawing(picus_context *context, hid_t parent, const picus_model *model) {
  picus_drawing *d;
  if (picus_model_make_drawing(model, &d)) return false;
  if (!d) return true;
  hid_t group = picus_hdf5_create_group(parent, "drawing");
  const size_t variables = (size_t)d->variable_count;
  bool done =
      group >= 0 && picus_hdf5_put_integer(group, "dimension", d->planar ? 2 : 3) &&
      (variables == 0 || picus_hdf5_put_texts(context, group, "variables", variables, d->variables)) &&
      put_steps(context, group, d) && put_frames(context, group, d) && put_shapes(context, group, d) &&
      put_integers(context, group, (integers){"points", (size_t)d->point_count, 3, sizeof *d->points, d->points}) &&
      put_integers(context, group, (integers){"faces", (size_t)d->face_count, 3, sizeof *d->faces, d->faces}) &&
      put_sites(context, group, d);
  if (group >= 0) H5Gclose(group);
  picus_drawing_destroy(d);
  return done;
}

/* ---- reading */

typedef struct reading {
  picus_context *context;
  const char *path;
  hid_t group; /* of the lists that are read now */
  picus_drawing *d;
} reading;

static picus_status damaged(const reading *r, const char *what) {
  return picus_fail(r->context, PICUS_ERROR_IO, "the drawing of '%s' is damaged: %s", r->path, what);
}

static hid_t open_group(hid_t parent, const char *name) {
  hid_t group = picus_hdf5_open(parent, name);
  if (group < 0 || picus_hdf5_content_of(group) == PICUS_HDF5_GROUP) return group;
  H5Oclose(group);
  return -1;
}

/* Integers from least to most into fields that are stride bytes apart; width of them each. */
static picus_status get_integers(const reading *r, integers list, double least, double most) {
  size_t count;
  double *numbers;
  picus_status status = picus_hdf5_read_numbers(r->context, r->group, list.name, &count, &numbers);
  if (!status && count != list.count * list.width) status = damaged(r, "its lists differ in length");
  for (size_t k = 0; !status && k < count; k++) {
    if (!(numbers[k] >= least && numbers[k] <= most && numbers[k] == floor(numbers[k])))
      status = damaged(r, "a number is out of range");
    else
      ((int *)(void *)((char *)(uintptr_t)list.first + k / list.width * list.stride))[k % list.width] = (int)numbers[k];
  }
  picus_release(r->context, numbers);
  return status;
}

/* Texts into pointers that are stride bytes apart; the drawing keeps them. */
static picus_status get_names(const reading *r, integers list) {
  picus_name_list names = {0};
  picus_status status = picus_hdf5_read_texts(r->context, r->group, list.name, &names);
  if (!status && names.count != list.count) status = damaged(r, "its lists differ in length");
  for (size_t k = 0; !status && k < list.count; k++) {
    const char *kept = picus_drawing_keep(r->d, names.names[k]);
    if (!kept) status = PICUS_ERROR_MEMORY;
    *(const char **)(void *)((char *)(uintptr_t)list.first + k * list.stride) = kept;
  }
  picus_names_release(r->context, &names);
  return status;
}

/* Negation and subtraction have the same name: the number of arguments decides. */
static int find_op(const char *name, const int argument[3]) {
  int given = 0;
  while (given < 3 && argument[given] >= 0) given++;
  for (int op = 0; op < PICUS_OP_COUNT; op++)
    if (strcmp(picus_op_name((picus_op)op), name) == 0 &&
        (op == PICUS_VARIABLE || picus_op_arity((picus_op)op) == given))
      return op;
  return -1;
}

static picus_status check_step(const reading *r, const char *name, picus_draw_step *step, int k) {
  int op = find_op(name, step->argument);
  if (op < 0) return damaged(r, "it has an unknown operation");
  step->op = (picus_op)op;
  if (op == PICUS_VARIABLE)
    return step->argument[0] >= 0 && step->argument[0] < r->d->variable_count ? PICUS_OK
                                                                              : damaged(r, "a variable is missing");
  for (int i = 0; i < picus_op_arity(step->op); i++)
    if (step->argument[i] >= k) return damaged(r, "its steps are not in order");
  return PICUS_OK;
}

static picus_status read_steps(const reading *r) {
  picus_name_list names = {0};
  size_t count = 0;
  double *values = NULL;
  picus_status status = picus_hdf5_read_texts(r->context, r->group, "op", &names);
  if (!status) status = picus_hdf5_read_numbers(r->context, r->group, "value", &count, &values);
  if (!status && (count != names.count || count > INT_MAX / 4)) status = damaged(r, "its lists differ in length");
  picus_draw_step *steps = status ? NULL : picus_allocate(r->context, count, sizeof *steps);
  r->d->steps = steps;
  if (!status && !steps) status = PICUS_ERROR_MEMORY;
  if (!status)
    status = get_integers(r, (integers){"argument", count, 3, sizeof *steps, steps->argument}, -1, INT_MAX / 4);
  for (size_t k = 0; !status && k < count; k++) {
    steps[k].value = values[k];
    status = check_step(r, names.names[k], &steps[k], (int)k);
  }
  if (!status) r->d->step_count = (int)count;
  picus_release(r->context, values);
  picus_names_release(r->context, &names);
  return status;
}

static size_t list_length(const reading *r, const char *name) {
  hid_t list = picus_hdf5_open(r->group, name);
  int64_t length = list >= 0 && picus_hdf5_content_of(list) != PICUS_HDF5_GROUP ? picus_hdf5_list_length(list) : 0;
  if (list >= 0) H5Oclose(list);
  return length > 0 && length < INT_MAX / 4 ? (size_t)length : 0;
}

static picus_status read_frames(const reading *r) {
  const size_t n = list_length(r, "name");
  const double last = r->d->step_count - 1;
  if (n == 0) return damaged(r, "it has no frames");
  picus_draw_frame *frames = picus_allocate(r->context, n, sizeof *frames);
  int *planar = picus_allocate(r->context, n, sizeof *planar);
  r->d->frames = frames;
  picus_status status = frames && planar ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (!status) status = get_names(r, (integers){"name", n, 1, sizeof *frames, &frames->name});
  if (!status) status = get_integers(r, (integers){"planar", n, 1, sizeof *planar, planar}, 0, 1);
  if (!status) status = get_integers(r, (integers){"position", n, 3, sizeof *frames, frames->position}, -1, last);
  if (!status) status = get_integers(r, (integers){"rotation", n, 9, sizeof *frames, frames->rotation}, -1, last);
  for (size_t k = 0; !status && k < n; k++) frames[k].planar = planar[k] != 0;
  if (!status) r->d->frame_count = (int)n;
  picus_release(r->context, planar);
  return status;
}

static picus_status check_shape(const reading *r, const char *kind, picus_draw_shape *shape) {
  int k = 0;
  while (picus_draw_kind_name(k) && strcmp(picus_draw_kind_name(k), kind) != 0) k++;
  if (!picus_draw_kind_name(k)) return damaged(r, "it has an unknown shape");
  shape->kind = (picus_draw_kind)k;
  bool fits = shape->first_point <= r->d->point_count && shape->count <= r->d->point_count - shape->first_point &&
              shape->first_face <= r->d->face_count && shape->face_count <= r->d->face_count - shape->first_face;
  int least = k == PICUS_DRAW_CIRCLE || k == PICUS_DRAW_SPHERE || k == PICUS_DRAW_TEXT ? 1 : 2;
  if (!fits || shape->count < least) return damaged(r, "a shape lacks points");
  for (int f = 0; f < 3 * shape->face_count; f++)
    if (r->d->faces[shape->first_face + f / 3][f % 3] >= shape->count) return damaged(r, "a face lacks points");
  return PICUS_OK;
}

static picus_status read_shape_numbers(const reading *r, size_t n, picus_draw_shape *s) {
  const size_t stride = sizeof *s;
  const double last = r->d->step_count - 1, most = INT_MAX / 4;
  picus_status status = get_integers(r, (integers){"frame", n, 1, stride, &s->frame}, 0, r->d->frame_count - 1);
  if (!status) status = get_integers(r, (integers){"radius", n, 1, stride, &s->radius}, -1, last);
  if (!status) status = get_integers(r, (integers){"first_point", n, 1, stride, &s->first_point}, 0, most);
  if (!status) status = get_integers(r, (integers){"count", n, 1, stride, &s->count}, 0, most);
  if (!status) status = get_integers(r, (integers){"first_face", n, 1, stride, &s->first_face}, 0, most);
  if (!status) status = get_integers(r, (integers){"face_count", n, 1, stride, &s->face_count}, 0, most);
  if (!status) status = get_names(r, (integers){"name", n, 1, stride, &s->name});
  if (!status) status = get_names(r, (integers){"text", n, 1, stride, &s->text});
  if (!status) status = get_names(r, (integers){"line", n, 1, stride, &s->line});
  if (!status) status = get_names(r, (integers){"fill", n, 1, stride, &s->fill});
  return status;
}

static picus_status read_shapes(const reading *r) {
  picus_name_list kinds = {0};
  size_t widths;
  double *width = NULL;
  picus_status status = picus_hdf5_read_texts(r->context, r->group, "kind", &kinds);
  const size_t n = kinds.count;
  if (!status) status = picus_hdf5_read_numbers(r->context, r->group, "width", &widths, &width);
  if (!status && (widths != n || n > INT_MAX / 4)) status = damaged(r, "its lists differ in length");
  picus_draw_shape *shapes = status ? NULL : picus_allocate(r->context, n, sizeof *shapes);
  r->d->shapes = shapes;
  if (!status && !shapes) status = PICUS_ERROR_MEMORY;
  if (!status) status = read_shape_numbers(r, n, shapes);
  for (size_t k = 0; !status && k < n; k++) {
    shapes[k].width = isfinite(width[k]) ? width[k] : 0;
    status = check_shape(r, kinds.names[k], &shapes[k]);
  }
  if (!status) r->d->shape_count = (int)n;
  picus_release(r->context, width);
  picus_names_release(r->context, &kinds);
  return status;
}

/* points or faces: three integers each */
static picus_status read_triples(const reading *r, const char *name, double most, int *count, const int (**out)[3]) {
  const size_t n = list_length(r, name) / 3;
  int(*triples)[3] = picus_allocate(r->context, n, sizeof *triples);
  *out = (const int(*)[3])triples;
  if (!triples) return PICUS_ERROR_MEMORY;
  *count = (int)n;
  if (n == 0) return PICUS_OK;
  return get_integers(r, (integers){name, n, 3, sizeof *triples, triples}, strcmp(name, "points") == 0 ? -1 : 0, most);
}

static picus_status read_sites(const reading *r) {
  const size_t n = list_length(r, "law");
  const double last = r->d->step_count - 1;
  picus_draw_site *sites = picus_allocate(r->context, n, sizeof *sites);
  r->d->sites = sites;
  if (!sites) return PICUS_ERROR_MEMORY;
  if (n == 0) return PICUS_OK;
  picus_status status = get_names(r, (integers){"law", n, 1, sizeof *sites, &sites->law});
  if (!status) status = get_integers(r, (integers){"place", n, 3, sizeof *sites, sites->place}, -1, last);
  if (!status) status = get_integers(r, (integers){"normal", n, 3, sizeof *sites, sites->normal}, -1, last);
  if (!status) status = get_integers(r, (integers){"tangent", n, 6, sizeof *sites, sites->tangent}, -1, last);
  if (!status) r->d->site_count = (int)n;
  return status;
}

static picus_status read_variables(const reading *r) {
  const size_t n = list_length(r, "variables");
  const char **names = picus_allocate(r->context, n, sizeof *names);
  r->d->variables = names;
  if (!names) return PICUS_ERROR_MEMORY;
  if (n == 0) return PICUS_OK;
  picus_status status = get_names(r, (integers){"variables", n, 1, sizeof *names, names});
  if (!status) r->d->variable_count = (int)n;
  return status;
}

/* Reads a group inside of the drawing. */
static picus_status inside(const reading *r, const char *name, picus_status (*read)(const reading *)) {
  reading inner = *r;
  inner.group = open_group(r->group, name);
  if (inner.group < 0) return strcmp(name, "sites") == 0 ? PICUS_OK : damaged(r, "a group is missing");
  picus_status status = read(&inner);
  H5Oclose(inner.group);
  return status;
}

static picus_status read_parts(const reading *r) {
  picus_drawing *d = r->d;
  hid_t number = picus_hdf5_open(r->group, "dimension");
  double dimension = 2;
  if (number >= 0 && picus_hdf5_content_of(number) == PICUS_HDF5_NUMBER) picus_hdf5_read_number(number, &dimension);
  if (number >= 0) H5Oclose(number);
  d->planar = !(dimension == 3);
  picus_status status = read_variables(r);
  if (!status) status = inside(r, "steps", read_steps);
  if (!status) status = inside(r, "frames", read_frames);
  if (!status) status = read_triples(r, "points", d->step_count - 1, &d->point_count, &d->points);
  if (!status) status = read_triples(r, "faces", INT_MAX / 4, &d->face_count, &d->faces);
  if (!status) status = inside(r, "shapes", read_shapes);
  if (!status) status = inside(r, "sites", read_sites);
  return status;
}

picus_status picus_hdf5_read_drawing(picus_context *context, const char *path, hid_t file, picus_drawing **out) {
  *out = NULL;
  hid_t picus = open_group(file, "picus");
  reading r = {context, path, picus >= 0 ? open_group(picus, "drawing") : -1, NULL};
  if (picus >= 0) H5Oclose(picus);
  if (r.group < 0) return PICUS_OK;
  r.d = picus_drawing_create(context);
  picus_status status = r.d ? read_parts(&r) : PICUS_ERROR_MEMORY;
  H5Oclose(r.group);
  if (status)
    picus_drawing_destroy(r.d);
  else
    *out = r.d;
  return status;
}
