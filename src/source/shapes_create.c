/* From the shapes of a model to the source of their contacts. */
#include "base/internal.h"
#include "expr/internal.h"
#include "formulas/switch_formulas.h"
#include "model/internal.h"
#include "source/model_sources.h"
#include "source/shapes_source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static picus_pose pose_of(const double position[3], const double R[9]) {
  return (picus_pose){{position[0], position[1], position[2]},
                      {{R[0], R[3], R[6]}, {R[1], R[4], R[7]}, {R[2], R[5], R[8]}}};
}

static bool is_equal(v3 a, v3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static bool is_identity(const picus_pose *pose) {
  const picus_pose identity = picus_pose_identity();
  return is_equal(pose->origin, identity.origin) && is_equal(pose->axis[0], identity.axis[0]) &&
         is_equal(pose->axis[1], identity.axis[1]) && is_equal(pose->axis[2], identity.axis[2]);
}

/* --- carriers ------------------------------------------------------------------------------------------------- */

/* The first part with velocities from u0 on: parts are in the order of their velocities. */
static int first_part(const picus_system *system, int u0) {
  int low = 0, high = system->part_count;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (system->parts[middle].u0 + system->parts[middle].nu <= u0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void set_body(const picus_model *model, const picus_system *system, int index, shape_carrier *c) {
  const picus_model_body *body = &model->bodies[index];
  c->frame = -1;
  c->q0 = body->q0;
  c->u0 = body->u0;
  c->axes = body->axes;
  c->turns = picus_model_body_is_spatial(body) ? CARRIER_TURNS_IN_SPACE
             : body->nq > body->axes           ? CARRIER_TURNS_IN_PLANE
                                               : CARRIER_STRAIGHT;
  c->gravity = v3_length((v3){body->gravity[0], body->gravity[1], body->gravity[2]});
  c->part0 = first_part(system, body->u0);
  while (c->part0 + c->part_count < system->part_count &&
         system->parts[c->part0 + c->part_count].u0 < body->u0 + body->nu)
    c->part_count++;
}

static void set_frame(const picus_model *model, const picus_model_carrier *from, shapes_source *s, shape_carrier *c) {
  double position[3], R[9];
  c->fixed = true;
  for (int i = 0; i < 3; i++) c->fixed = c->fixed && picus_expr_is_number(model->pool, from->position[i], &position[i]);
  for (int i = 0; i < 9; i++) c->fixed = c->fixed && picus_expr_is_number(model->pool, from->rotation[i], &R[i]);
  if (c->fixed)
    c->rest.pose = pose_of(position, R);
  else
    c->frame = s->frame_count++;
}

static picus_status create_carriers(const picus_model *model, const picus_system *system, shapes_source *s) {
  const picus_model_collisions *from = &model->collisions;
  s->carriers = picus_allocate(model->context, (size_t)from->carrier_count, sizeof *s->carriers);
  if (!s->carriers) return PICUS_ERROR_MEMORY;
  s->carrier_count = from->carrier_count;
  for (int k = 0; k < s->carrier_count; k++) {
    shape_carrier *c = &s->carriers[k];
    c->name = picus_copy_text(model->context, from->carriers[k].name);
    if (!c->name) return PICUS_ERROR_MEMORY;
    c->collider_count = from->carriers[k].collider_count;
    if (from->carriers[k].body >= 0)
      set_body(model, system, from->carriers[k].body, c);
    else
      set_frame(model, &from->carriers[k], s, c);
  }
  return PICUS_OK;
}

picus_status picus_shapes_note_inputs(const picus_model *model, shapes_source *s) {
  if (s->inputs) return PICUS_OK;
  s->inputs = picus_allocate(model->context, (size_t)model->input_count, sizeof *s->inputs);
  if (!s->inputs) return PICUS_ERROR_MEMORY;
  s->input_count = model->input_count;
  for (int i = 0; i < s->input_count; i++) {
    const picus_model_input_entry *input = &model->inputs[i];
    s->inputs[i] = (formula_input){input->value_variable, input->rate_variable, input->since_variable};
  }
  return PICUS_OK;
}

static picus_status count_surfaces(const picus_model *model, shapes_source *s) {
  s->surface_of = picus_allocate(model->context, (size_t)model->collisions.collider_count, sizeof *s->surface_of);
  if (!s->surface_of) return PICUS_ERROR_MEMORY;
  for (int k = 0; k < model->collisions.collider_count; k++)
    if (model->collisions.colliders[k].has_surface) s->surface_of[k] = ++s->surface_count;
  return PICUS_OK;
}

/* Behind the frames: velocity and spin of the surfaces that move, and their derivatives. */
static void add_surfaces(picus_model *model, picus_expr *next) {
  const int time = picus_expr_variable_index(model->pool, model->time);
  for (int k = 0; k < model->collisions.collider_count; k++) {
    const picus_model_collider *from = &model->collisions.colliders[k];
    if (!from->has_surface) continue;
    const picus_expr own[4] = {from->surface[0], from->surface[1], from->surface[2], from->surface_spin};
    for (int i = 0; i < 4; i++) *next++ = own[i];
    for (int i = 0; i < 4; i++) *next++ = picus_derivative(model->pool, own[i], time);
  }
}

/* The tape of the frames that move: pose, velocities, and their derivatives by time. */
static picus_status create_tape(picus_model *model, shapes_source *s) {
  if (s->frame_count + s->surface_count == 0) return PICUS_OK;
  const int count = CARRIER_NUMBERS * s->frame_count + SURFACE_NUMBERS * s->surface_count;
  picus_expr *outputs = picus_allocate(model->context, (size_t)count, sizeof *outputs), *next = outputs;
  if (!outputs || picus_shapes_note_inputs(model, s)) {
    picus_release(model->context, outputs);
    return PICUS_ERROR_MEMORY;
  }
  const int time = picus_expr_variable_index(model->pool, model->time);
  for (int k = 0; k < s->carrier_count; k++) {
    const picus_model_carrier *from = &model->collisions.carriers[k];
    if (s->carriers[k].frame < 0 || s->carriers[k].fixed) continue;
    for (int i = 0; i < 3; i++) *next++ = from->position[i];
    for (int i = 0; i < 9; i++) *next++ = from->rotation[i];
    for (int i = 0; i < 3; i++) *next++ = from->velocity[i];
    for (int i = 0; i < 3; i++) *next++ = from->spin[i];
    for (int i = 0; i < 3; i++) *next++ = picus_derivative(model->pool, from->velocity[i], time);
    for (int i = 0; i < 3; i++) *next++ = picus_derivative(model->pool, from->spin[i], time);
  }
  add_surfaces(model, next);
  const picus_tape_stage stage = {count, outputs};
  picus_status status = picus_pool_status(model->pool);
  if (!status) status = picus_switches_rewrite(model->context, model->pool, s->system, (size_t)count, outputs);
  if (!status) status = picus_tape_create(model->pool, 1, &stage, &s->tape);
  picus_release(model->context, outputs);
  return status;
}

/* --- pairs that are switched off ------------------------------------------------------------------------------ */

typedef struct named_carrier {
  const char *name;
  int index;
} named_carrier;

static int by_name(const void *a, const void *b) {
  return strcmp(((const named_carrier *)a)->name, ((const named_carrier *)b)->name);
}

/* The carriers in the order of their names, which does not depend on the order of definition. */
static picus_status sort_names(const picus_model *model, const shapes_source *s, named_carrier **out) {
  *out = picus_allocate(model->context, (size_t)s->carrier_count, sizeof **out);
  if (!*out) return PICUS_ERROR_MEMORY;
  for (int k = 0; k < s->carrier_count; k++) (*out)[k] = (named_carrier){s->carriers[k].name, k};
  qsort(*out, (size_t)s->carrier_count, sizeof **out, by_name);
  for (int k = 1; k < s->carrier_count; k++)
    if (strcmp((*out)[k - 1].name, (*out)[k].name) == 0)
      return picus_fail_at(model->context, PICUS_ERROR_NAME, model->file, 0,
                           "two bodies or frames with shapes have the name '%s'; give each its own", (*out)[k].name);
  return PICUS_OK;
}

static int find_name(const shapes_source *s, const named_carrier *names, const char *name) {
  const named_carrier key = {name, 0}, *found = bsearch(&key, names, (size_t)s->carrier_count, sizeof *names, by_name);
  return found ? found->index : -1;
}

typedef struct pair_switch {
  int a, b, weight; /* later ones count more than earlier ones, joints least */
  bool on;
} pair_switch;

static int by_pair(const void *x, const void *y) {
  const pair_switch *a = x, *b = y;
  if (a->a != b->a) return a->a < b->a ? -1 : 1;
  if (a->b != b->b) return a->b < b->b ? -1 : 1;
  return (a->weight > b->weight) - (a->weight < b->weight);
}

static int list_switches(const picus_model *model, const shapes_source *s, const named_carrier *names,
                         pair_switch *out) {
  int count = 0;
  for (int k = 0; k < model->collisions.switch_count; k++) {
    const picus_model_switch *from = &model->collisions.switches[k];
    const int a = find_name(s, names, from->a), b = find_name(s, names, from->b);
    if (a < 0 || b < 0) continue;
    out[count++] = (pair_switch){a < b ? a : b, a < b ? b : a, from->by_joint ? -1 : k, from->on};
  }
  if (count > 0) qsort(out, (size_t)count, sizeof *out, by_pair);
  return count;
}

/* Only the last entry of a pair counts. Fixed frames in such pairs take part in the detection as if they moved: it
 * knows pairs of moving bodies only. */
static picus_status create_apart(const picus_model *model, const named_carrier *names, shapes_source *s) {
  const size_t most = (size_t)model->collisions.switch_count;
  pair_switch *list = picus_allocate(model->context, most, sizeof *list);
  s->apart = picus_allocate(model->context, most, sizeof *s->apart);
  bool *named = picus_allocate(model->context, (size_t)s->carrier_count, sizeof *named);
  picus_status status = list && s->apart && named ? PICUS_OK : PICUS_ERROR_MEMORY;
  const int count = status ? 0 : list_switches(model, s, names, list);
  for (int k = 0; k < count; k++) {
    const bool last = k + 1 == count || list[k + 1].a != list[k].a || list[k + 1].b != list[k].b;
    if (!last || list[k].on) continue;
    named[list[k].a] = named[list[k].b] = true;
    s->apart[s->apart_count][0] = list[k].a;
    s->apart[s->apart_count++][1] = list[k].b;
  }
  for (int k = 0; !status && k < s->carrier_count; k++)
    s->carriers[k].moving = s->carriers[k].fixed && !named[k] ? -1 : s->moving_count++;
  for (int k = 0; !status && k < s->apart_count; k++)
    for (int i = 0; i < 2; i++) s->apart[k][i] = s->carriers[s->apart[k][i]].moving;
  picus_release(model->context, list);
  picus_release(model->context, named);
  return status;
}

/* --- colliders ------------------------------------------------------------------------------------------------ */

static picus_status allocate_colliders(picus_context *context, size_t count, shapes_source *s) {
  s->shapes = picus_allocate(context, count, sizeof *s->shapes);
  s->colliders = picus_allocate(context, count, sizeof *s->colliders);
  s->frames = picus_allocate(context, count, sizeof *s->frames);
  s->is_home = picus_allocate(context, count, sizeof *s->is_home);
  s->carrier_of = picus_allocate(context, count, sizeof *s->carrier_of);
  s->number_of = picus_allocate(context, count, sizeof *s->number_of);
  s->material_of = picus_allocate(context, count, sizeof *s->material_of);
  const bool all =
      s->shapes && s->colliders && s->frames && s->is_home && s->carrier_of && s->number_of && s->material_of;
  return all ? PICUS_OK : PICUS_ERROR_MEMORY;
}

/* The smallest distance between a face and the corners, seen along its normal. */
static double thickness_of(const picus_shape *shape) {
  const polytope *p = &shape->polytope;
  if (shape->core == CORE_CYLINDER) return 2 * fmin(shape->half_length, shape->core_radius) + 2 * shape->radius;
  if (shape->core == CORE_ELLIPSOID) return 2 * fmin(shape->radii.x, fmin(shape->radii.y, shape->radii.z));
  double least = p->face_count > 0 ? INFINITY : 0;
  for (int f = 0; f < p->face_count; f++) {
    double deepest = 0;
    for (int k = 0; k < p->vertex_count; k++)
      deepest = fmax(deepest, p->offsets[f] - v3_dot(p->normals[f], p->vertices[k]));
    least = fmin(least, deepest);
  }
  return least + 2 * shape->radius > 0 ? least + 2 * shape->radius : 2 * shape->bound;
}

static double reach_of(const picus_shape *shape, const picus_pose *frame) {
  return v3_length(pose_point(frame, shape->centre)) + shape->bound + shape->radius;
}

static void measure(const picus_shape *shape, const picus_pose *frame, shape_carrier *c) {
  if (shape->core == CORE_HALF_SPACE || shape->core == CORE_SURFACE) return;
  const double thickness = thickness_of(shape);
  c->size = c->size > 0 ? fmin(c->size, thickness) : thickness;
  c->reach = fmax(c->reach, reach_of(shape, frame));
}

/* The message of a shape that fails names its body. */
static picus_status create_collider(const picus_model *model, shapes_source *s, int k) {
  const picus_model_collider *from = &model->collisions.colliders[k];
  picus_status status = picus_shape_create(model->context, &from->def, &s->shapes[k]);
  if (status) return status;
  s->shape_count = k + 1;
  shape_carrier *c = &s->carriers[from->carrier];
  s->frames[k] = pose_of(from->position, from->rotation);
  s->is_home[k] = is_identity(&s->frames[k]);
  s->carrier_of[k] = from->carrier;
  s->number_of[k] = from->number;
  s->material_of[k] = from->material;
  s->colliders[k] = (picus_collider){.shape = &s->shapes[k],
                                     .body = c->moving,
                                     .frame = c->moving < 0 ? pose_compose(&c->rest.pose, &s->frames[k]) : s->frames[k],
                                     .groups = (uint32_t)1 << from->group,
                                     .mask = model->collisions.masks[from->group]};
  c->groups |= s->colliders[k].groups;
  c->mask |= s->colliders[k].mask;
  if (c->frame < 0)
    measure(&s->shapes[k], &s->frames[k], c);
  else
    c->reach = fmax(c->reach, reach_of(&s->shapes[k], &s->frames[k]));
  s->planar = s->shapes[0].planar;
  if (s->shapes[k].planar == s->planar) return PICUS_OK;
  return picus_fail_at(model->context, PICUS_ERROR_MODEL, from->place.file, from->place.line,
                       "the %s of '%s' is %s, but the %s of '%s' is %s; use one kind for all shapes",
                       picus_shape_kind_name(s->shapes[k].kind), c->name, s->planar ? "spatial" : "planar",
                       picus_shape_kind_name(s->shapes[0].kind), s->carriers[s->carrier_of[0]].name,
                       s->planar ? "planar" : "spatial");
}

/* Ids by name of the carrier and number of the shape, so that the order of definition has no effect. */
static picus_status number_colliders(const picus_model *model, const named_carrier *names, shapes_source *s) {
  uint32_t *first = picus_allocate(model->context, (size_t)s->carrier_count, sizeof *first), next = 0;
  if (!first) return PICUS_ERROR_MEMORY;
  for (int k = 0; k < s->carrier_count; k++) {
    first[names[k].index] = next;
    next += (uint32_t)s->carriers[names[k].index].collider_count;
  }
  for (int k = 0; k < s->collider_count; k++)
    s->colliders[k].id = first[s->carrier_of[k]] + (uint32_t)s->number_of[k] - 1;
  picus_release(model->context, first);
  return PICUS_OK;
}

static picus_status create_colliders(const picus_model *model, const named_carrier *names, shapes_source *s) {
  const int count = model->collisions.collider_count;
  picus_status status = allocate_colliders(model->context, (size_t)count, s);
  for (int k = 0; !status && k < count; k++) status = create_collider(model, s, k);
  s->collider_count = count;
  return status ? status : number_colliders(model, names, s);
}

/* --- materials ------------------------------------------------------------------------------------------------ */

/* Shapes that agree in material, group and whether they belong to a frame. */
typedef struct shape_class {
  int material, group, example; /* example: a collider */
  bool frame, several;          /* several: of more than one carrier */
} shape_class;

static picus_status list_classes(const picus_model *model, const shapes_source *s, shape_class **out, int *count) {
  size_t capacity = 0;
  *count = 0;
  for (int k = 0; k < s->collider_count; k++) {
    const picus_model_collider *from = &model->collisions.colliders[k];
    const shape_class own = {from->material, from->group, k, s->carriers[from->carrier].frame >= 0, false};
    int i = 0;
    while (i < *count &&
           !((*out)[i].material == own.material && (*out)[i].group == own.group && (*out)[i].frame == own.frame))
      i++;
    if (i < *count) {
      (*out)[i].several = (*out)[i].several || s->carrier_of[(*out)[i].example] != from->carrier;
      continue;
    }
    picus_status status = picus_grow(model->context, out, (size_t)*count, &capacity, sizeof **out);
    if (status) return status;
    (*out)[(*count)++] = own;
  }
  return PICUS_OK;
}

static bool can_meet(const picus_model *model, const shape_class *a, const shape_class *b) {
  const uint32_t *masks = model->collisions.masks;
  if (a->frame && b->frame) return false;
  if (a == b && !a->several) return false;
  return masks[a->group] >> b->group & 1;
}

static picus_status fail_pair(const picus_model *model, const shapes_source *s, const shape_class *a,
                              const shape_class *b) {
  const char *const *names = model->collisions.materials;
  const picus_place place = model->collisions.colliders[b->example].place;
  return picus_fail_at(model->context, PICUS_ERROR_MODEL, place.file, place.line,
                       "'%s' of material '%s' and '%s' of material '%s' can meet, but contacts of these materials are "
                       "not defined; define the pair with its mu and eN",
                       s->carriers[s->carrier_of[a->example]].name, names[a->material],
                       s->carriers[s->carrier_of[b->example]].name, names[b->material]);
}

static bool is_default(const picus_model *model, int material) {
  return strcmp(model->collisions.materials[material], "default") == 0;
}

static picus_status fill_pair(picus_model *model, shapes_source *s, const shape_class *a, const shape_class *b) {
  if (!can_meet(model, a, b)) return PICUS_OK;
  const picus_model_material_pair *pair = picus_model_material_pair_of(model, a->material, b->material);
  if (!pair) return is_default(model, a->material) && a->material == b->material ? PICUS_OK : fail_pair(model, s, a, b);
  if (s->planar && pair->spin_radius > 0)
    return picus_fail_at(model->context, PICUS_ERROR_MODEL, model->file, 0,
                         "the materials '%s' and '%s' have a spin radius, but the shapes are planar",
                         model->collisions.materials[pair->a], model->collisions.materials[pair->b]);
  const bool has_friction = pair->mu > 0 || picus_expr_given(pair->mu_formula);
  shape_material m = {.mu = pair->mu,
                      .eN = pair->eN,
                      .eF = pair->eF,
                      .impact = pair->impact,
                      .adhesion = pair->adhesion,
                      .spin_factor = has_friction ? 3 * pi / 16 * pair->spin_radius : 0,
                      .rolling = pair->rolling,
                      .has_friction = has_friction};
  picus_status status = picus_shapes_add_varying(model, s, pair, &m);
  if (status) return status;
  s->materials[a->material * s->material_count + b->material] = m;
  s->materials[b->material * s->material_count + a->material] = m;
  return PICUS_OK;
}

static picus_status create_materials(picus_model *model, shapes_source *s) {
  const size_t count = (size_t)model->collisions.material_count;
  shape_class *classes = NULL;
  int class_count = 0;
  s->material_count = model->collisions.material_count;
  s->materials = picus_allocate(model->context, count * count, sizeof *s->materials);
  s->varying = picus_allocate(model->context, (size_t)model->collisions.pair_count,
                              sizeof *s->varying); /* NOLINT(bugprone-sizeof-expression): pointers */
  s->material_names = picus_allocate(model->context, count,
                                     sizeof *s->material_names); /* NOLINT(bugprone-sizeof-expression): pointers */
  if (!s->materials || !s->varying || !s->material_names) return PICUS_ERROR_MEMORY;
  for (size_t k = 0; k < count; k++) {
    s->material_names[k] = picus_copy_text(model->context, model->collisions.materials[k]);
    if (!s->material_names[k]) return PICUS_ERROR_MEMORY;
  }
  picus_status status = list_classes(model, s, &classes, &class_count);
  for (int i = 0; !status && i < class_count; i++)
    for (int j = i; !status && j < class_count; j++) status = fill_pair(model, s, &classes[i], &classes[j]);
  picus_release(model->context, classes);
  return status;
}

/* A group without shapes is a misspelled name. */
static picus_status check_groups(const picus_model *model) {
  const picus_model_collisions *c = &model->collisions;
  for (int g = 0; g < c->group_count; g++) {
    int k = 0;
    while (k < c->collider_count && c->colliders[k].group != g) k++;
    if (k < c->collider_count) continue;
    const picus_place place = c->group_places[g];
    return picus_fail_at(model->context, PICUS_ERROR_MODEL, place.file, place.line,
                         "no shape belongs to the collision group '%s'; give it to a shape by group = '%s', or correct "
                         "the name",
                         c->groups[g], c->groups[g]);
  }
  return PICUS_OK;
}

/* --- all together --------------------------------------------------------------------------------------------- */

static picus_status fill(picus_model *model, picus_system *system, shapes_source *s) {
  named_carrier *names = NULL;
  s->system = system;
  picus_status status = check_groups(model);
  if (!status) status = create_carriers(model, system, s);
  if (!status) status = count_surfaces(model, s);
  if (!status) status = create_tape(model, s);
  if (!status) status = sort_names(model, s, &names);
  if (!status) status = create_apart(model, names, s);
  if (!status) status = create_colliders(model, names, s);
  if (!status) status = create_materials(model, s);
  system->varies = system->varies || s->varying_count > 0;
  for (int k = 0; !status && k < s->material_count * s->material_count; k++)
    if (s->materials[k].impact != PICUS_IMPACT_OF_RUN && s->materials[k].impact != PICUS_IMPACT_NEWTON)
      system->impact_of_shapes = s->materials[k].impact;
  for (int k = 0; !status && k < s->material_count * s->material_count; k++)
    system->adheres = system->adheres || s->materials[k].adhesion > 0;
  picus_release(model->context, names);
  return status;
}

picus_status picus_shapes_create(picus_model *model, picus_system *system, system_source *out) {
  shapes_source *s = picus_allocate(model->context, 1, sizeof *s);
  if (!s) return PICUS_ERROR_MEMORY;
  out->self = s; /* on failure the caller destroys it with its system */
  return fill(model, system, s);
}
