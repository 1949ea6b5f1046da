/* A drawing as steps: the part of the expression graph that its points need, in the order of its nodes, so that
 * arguments come first. Result files store these steps and compute the points from their columns. */
#include "expr/internal.h"
#include "model/internal.h"

#include <string.h>

typedef struct drawing_store {
  picus_drawing drawing; /* first: a drawing is its store */
  picus_context *context;
  size_t text_count, text_capacity;
  char **texts;
} drawing_store;

picus_drawing *picus_drawing_create(picus_context *context) {
  drawing_store *store = picus_allocate(context, 1, sizeof *store);
  if (!store) return NULL;
  store->context = context;
  return &store->drawing;
}

const char *picus_drawing_keep(picus_drawing *drawing, const char *text) {
  drawing_store *store = (drawing_store *)(void *)drawing;
  if (picus_grow(store->context, &store->texts, store->text_count, &store->text_capacity, sizeof *store->texts))
    return NULL;
  char *copy = picus_copy_text(store->context, text);
  if (copy) store->texts[store->text_count++] = copy;
  return copy;
}

void picus_drawing_destroy(picus_drawing *drawing) {
  if (!drawing) return;
  drawing_store *store = (drawing_store *)(void *)drawing;
  picus_context *context = store->context;
  for (size_t k = 0; k < store->text_count; k++) picus_release(context, store->texts[k]);
  picus_release(context, store->texts);
  const void *arrays[] = {drawing->variables, drawing->steps, drawing->frames, drawing->shapes,
                          drawing->points,    drawing->faces, drawing->sites};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) picus_release(context, (void *)arrays[k]);
  picus_release(context, store);
}

void picus_drawing_evaluate(const picus_drawing *drawing, const double *variables, double *values) {
  for (int k = 0; k < drawing->step_count; k++) {
    const picus_draw_step *step = &drawing->steps[k];
    double a[3] = {0, 0, 0};
    if (step->op == PICUS_NUMBER)
      values[k] = step->value;
    else if (step->op == PICUS_VARIABLE)
      values[k] = variables[step->argument[0]];
    else {
      for (int i = 0; i < picus_op_arity(step->op); i++) a[i] = values[step->argument[i]];
      values[k] = picus_apply(step->op, a[0], a[1], a[2]);
    }
  }
}

/* Nodes of the pool and their steps. */
typedef struct compilation {
  const picus_model *model;
  picus_drawing *drawing;
  int32_t node_count;
  int *step_of; /* by node: 0 not needed, otherwise step + 1 (after numbering) */
  int32_t *map; /* by node: the one without tables in its place; NULL: there are no tables */
  picus_draw_step *steps;
  const char **variables;
} compilation;

static int32_t place_of(const compilation *c, picus_expr expr) { return c->map ? c->map[expr.id] : expr.id; }

static void need(compilation *c, picus_expr expr) {
  if (picus_expr_valid(expr)) c->step_of[place_of(c, expr)] = 1;
}

static void need_vector(compilation *c, const picus_draw_vector *v) {
  for (int i = 0; i < 3; i++) need(c, v->x[i]);
}

static void need_all(compilation *c) {
  const picus_model_draw *draw = &c->model->draw;
  for (int k = 0; k < draw->frame_count; k++) {
    need_vector(c, &draw->frames[k].position);
    for (int i = 0; i < 9; i++) need(c, draw->frames[k].rotation[i]);
  }
  for (int k = 0; k < draw->point_count; k++) need_vector(c, &draw->points[k]);
  for (int k = 0; k < draw->shape_count; k++) need(c, draw->shapes[k].radius);
  for (int k = 0; k < draw->site_count; k++) {
    need_vector(c, &draw->sites[k].place);
    need_vector(c, &draw->sites[k].normal);
    for (int i = 0; i < 2; i++) need_vector(c, &draw->sites[k].tangent[i]);
  }
}

/* Marks the arguments, numbers the needed nodes and counts the variables among them. */
static void number_steps(compilation *c, int *steps, int *variables) {
  const picus_pool *pool = c->model->pool;
  *steps = *variables = 0;
  for (int32_t id = c->node_count - 1; id >= 0; id--) {
    if (!c->step_of[id]) continue;
    const picus_node *node = picus_node_at(pool, id);
    for (int k = 0; k < picus_op_arity((picus_op)node->op); k++) c->step_of[node->argument[k]] = 1;
    if (node->op == PICUS_VARIABLE) ++*variables;
  }
  for (int32_t id = 0; id < c->node_count; id++)
    if (c->step_of[id]) c->step_of[id] = ++*steps;
}

static picus_status fill_steps(compilation *c) {
  const picus_pool *pool = c->model->pool;
  int variable = 0, step = 0;
  for (int32_t id = 0; id < c->node_count; id++) {
    if (!c->step_of[id]) continue;
    const picus_node *node = picus_node_at(pool, id);
    picus_draw_step *s = &c->steps[step++];
    *s = (picus_draw_step){.op = (picus_op)node->op, .argument = {-1, -1, -1}, .value = node->value};
    for (int k = 0; k < picus_op_arity(s->op); k++) s->argument[k] = c->step_of[node->argument[k]] - 1;
    if (s->op != PICUS_VARIABLE) continue;
    s->argument[0] = variable;
    c->variables[variable] = picus_drawing_keep(c->drawing, picus_variable_name(pool, node->argument[0]));
    if (!c->variables[variable++]) return PICUS_ERROR_MEMORY;
  }
  return PICUS_OK;
}

static int32_t without_table(picus_pool *pool, const int32_t *map, int32_t id) {
  const picus_node node = *picus_node_at(pool, id);
  int32_t mapped[3] = {-1, -1, -1};
  bool changed = false;
  for (int k = 0; k < picus_op_arity((picus_op)node.op); k++) {
    mapped[k] = map[node.argument[k]];
    changed = changed || mapped[k] != node.argument[k];
  }
  if (node.op == PICUS_TABLE) return picus_table_as_ramps(pool, id, mapped[0]);
  return changed ? picus_intern(pool, (picus_op)node.op, mapped[0], mapped[1], mapped[2]) : id;
}

/* Drawings have no tables, because result files have not: they become ramps. */
static picus_status remove_tables(compilation *c) {
  picus_pool *pool = c->model->pool;
  picus_context *context = c->model->context;
  int unread;
  if (pool->table_count == 0) return PICUS_OK;
  int32_t *map = picus_allocate(context, (size_t)c->node_count, sizeof *map);
  if (!map) return PICUS_ERROR_MEMORY;
  need_all(c);
  number_steps(c, &unread, &unread);
  for (int32_t id = 0; id < c->node_count; id++) map[id] = c->step_of[id] ? without_table(pool, map, id) : id;
  c->map = map;
  picus_release(context, c->step_of);
  c->node_count = picus_pool_size(pool);
  c->step_of = picus_allocate(context, (size_t)c->node_count, sizeof *c->step_of);
  return c->step_of ? picus_pool_status(pool) : PICUS_ERROR_MEMORY;
}

static picus_status compile_steps(compilation *c) {
  picus_context *context = c->model->context;
  picus_drawing *d = c->drawing;
  need_all(c);
  number_steps(c, &d->step_count, &d->variable_count);
  d->steps = c->steps = picus_allocate(context, (size_t)d->step_count, sizeof *c->steps);
  c->variables = picus_allocate(context, (size_t)d->variable_count, sizeof *c->variables);
  d->variables = c->variables;
  return c->steps && c->variables ? fill_steps(c) : PICUS_ERROR_MEMORY;
}

static int step_of(const compilation *c, picus_expr expr) {
  return picus_expr_valid(expr) ? c->step_of[place_of(c, expr)] - 1 : -1;
}

/* true: it has a third component other than the number 0 */
static bool put_vector(const compilation *c, const picus_draw_vector *v, int steps[3]) {
  double value = 0;
  for (int i = 0; i < 3; i++) steps[i] = step_of(c, v->x[i]);
  return picus_expr_valid(v->x[2]) && !(picus_expr_is_number(c->model->pool, v->x[2], &value) && value == 0);
}

static picus_status put_frames(compilation *c) {
  const picus_model_draw *draw = &c->model->draw;
  picus_drawing *d = c->drawing;
  picus_draw_frame *frames = picus_allocate(c->model->context, (size_t)draw->frame_count + 1, sizeof *frames);
  if (!frames) return PICUS_ERROR_MEMORY;
  d->frames = frames;
  d->frame_count = draw->frame_count + 1;
  for (int k = 0; k < d->frame_count; k++) {
    picus_draw_frame *frame = &frames[k];
    const picus_model_draw_frame *given = k > 0 ? &draw->frames[k - 1] : NULL;
    frame->name = picus_drawing_keep(d, given ? given->name : "");
    if (!frame->name) return PICUS_ERROR_MEMORY;
    frame->planar = given ? given->planar : true;
    if (!frame->planar) d->planar = false;
    for (int i = 0; i < 3; i++) frame->position[i] = given ? step_of(c, given->position.x[i]) : -1;
    for (int i = 0; i < 9; i++) frame->rotation[i] = given ? step_of(c, given->rotation[i]) : -1;
  }
  return PICUS_OK;
}

/* The shapes of a drawing, whose numbers become places among its values. */
static picus_status put_shapes(compilation *c) {
  const picus_model_draw *draw = &c->model->draw;
  picus_context *context = c->model->context;
  picus_drawing *d = c->drawing;
  picus_draw_shape *shapes = picus_allocate(context, (size_t)draw->shape_count, sizeof *shapes);
  d->shapes = shapes;
  int(*points)[3] = picus_allocate(context, (size_t)draw->point_count, sizeof *points);
  d->points = (const int(*)[3])points;
  int(*faces)[3] = picus_allocate(context, (size_t)draw->face_count, sizeof *faces);
  d->faces = (const int(*)[3])faces;
  if (!shapes || !points || !faces) return PICUS_ERROR_MEMORY;
  d->point_count = draw->point_count;
  d->face_count = draw->face_count;
  for (int k = 0; k < draw->point_count; k++)
    if (put_vector(c, &draw->points[k], points[k])) d->planar = false;
  if (draw->face_count > 0) memcpy(faces, draw->faces, (size_t)draw->face_count * sizeof *faces);
  for (; d->shape_count < draw->shape_count; d->shape_count++) {
    const picus_model_shape *s = &draw->shapes[d->shape_count];
    picus_draw_shape shape = {.kind = s->kind,
                              .frame = s->frame,
                              .name = picus_drawing_keep(d, s->name),
                              .text = picus_drawing_keep(d, s->text),
                              .line = picus_drawing_keep(d, s->line),
                              .fill = picus_drawing_keep(d, s->fill),
                              .width = s->width,
                              .radius = step_of(c, s->radius),
                              .first_point = s->first_point,
                              .count = s->count,
                              .first_face = s->first_face,
                              .face_count = s->face_count};
    if (!shape.name || !shape.text || !shape.line || !shape.fill) return PICUS_ERROR_MEMORY;
    shapes[d->shape_count] = shape;
  }
  return PICUS_OK;
}

static picus_status put_sites(compilation *c) {
  const picus_model_draw *draw = &c->model->draw;
  picus_drawing *d = c->drawing;
  picus_draw_site *sites = picus_allocate(c->model->context, (size_t)draw->site_count, sizeof *sites);
  if (!sites) return PICUS_ERROR_MEMORY;
  d->sites = sites;
  for (; d->site_count < draw->site_count; d->site_count++) {
    const picus_model_site *given = &draw->sites[d->site_count];
    picus_draw_site *site = &sites[d->site_count];
    site->law = picus_drawing_keep(d, c->model->laws[given->law].name);
    if (!site->law) return PICUS_ERROR_MEMORY;
    if (put_vector(c, &given->place, site->place)) d->planar = false;
    put_vector(c, &given->normal, site->normal);
    for (int i = 0; i < 2; i++) put_vector(c, &given->tangent[i], site->tangent[i]);
  }
  return PICUS_OK;
}

picus_status picus_model_make_drawing(const picus_model *model, picus_drawing **out) {
  *out = NULL;
  if (model->draw.shape_count == 0) return PICUS_OK;
  compilation c = {.model = model, .node_count = picus_pool_size(model->pool)};
  c.drawing = picus_drawing_create(model->context);
  c.step_of = picus_allocate(model->context, (size_t)c.node_count, sizeof *c.step_of);
  picus_status status = c.drawing && c.step_of ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (!status) {
    c.drawing->planar = true;
    status = remove_tables(&c);
    if (!status) status = compile_steps(&c);
  }
  if (!status) status = put_frames(&c);
  if (!status) status = put_shapes(&c);
  if (!status) status = put_sites(&c);
  picus_release(model->context, c.step_of);
  picus_release(model->context, c.map);
  if (status)
    picus_drawing_destroy(c.drawing);
  else
    *out = c.drawing;
  return status;
}
