/* Shapes of bodies and frames, materials and groups, as the model keeps them. */
#include "model/internal.h"

#include <string.h>

void picus_model_release_collisions(picus_context *context, picus_model_collisions *c) {
  for (int k = 0; k < c->collider_count; k++) {
    picus_release(context, (void *)(uintptr_t)c->colliders[k].def.points);
    picus_release(context, (void *)(uintptr_t)c->colliders[k].def.triangles);
  }
  void *const arrays[] = {c->carriers, c->colliders, c->materials, c->pairs, c->switches};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) picus_release(context, arrays[k]);
}

static bool is_same(const picus_model_carrier *a, const picus_model_carrier *b) {
  if (a->body >= 0 || b->body >= 0 || strcmp(a->name, b->name) != 0) return false;
  for (int i = 0; i < 3; i++)
    if (a->position[i].id != b->position[i].id) return false;
  for (int i = 0; i < 9; i++)
    if (a->rotation[i].id != b->rotation[i].id) return false;
  return true;
}

static int search_carrier(const picus_model *model, const picus_model_carrier *carrier) {
  const picus_model_collisions *c = &model->collisions;
  if (carrier->body >= 0) return model->bodies[carrier->body].carrier - 1;
  int index = c->carrier_count - 1;
  while (index >= 0 && !is_same(&c->carriers[index], carrier)) index--;
  return index;
}

picus_status picus_model_find_carrier(picus_model *model, const picus_model_carrier *carrier, int *index) {
  picus_model_collisions *c = &model->collisions;
  *index = search_carrier(model, carrier);
  if (*index >= 0) return PICUS_OK;
  picus_status status =
      picus_grow(model->context, &c->carriers, (size_t)c->carrier_count, &c->carrier_capacity, sizeof *c->carriers);
  if (status) return status;
  picus_model_carrier *own = &c->carriers[c->carrier_count];
  *own = *carrier;
  own->name = picus_model_keep_text(model, carrier->name);
  if (!own->name) return PICUS_ERROR_MEMORY;
  *index = c->carrier_count++;
  if (carrier->body >= 0) model->bodies[carrier->body].carrier = c->carrier_count;
  return PICUS_OK;
}

picus_status picus_model_find_material(picus_model *model, const char *name, int *index) {
  picus_model_collisions *c = &model->collisions;
  for (*index = 0; *index < c->material_count; ++*index)
    if (strcmp(c->materials[*index], name) == 0) return PICUS_OK;
  picus_status status = picus_model_check_form(model, "material", name);
  if (!status)
    status = picus_grow(model->context, &c->materials, (size_t)c->material_count, &c->material_capacity,
                        sizeof *c->materials);
  if (status) return status;
  c->materials[c->material_count] = picus_model_keep_text(model, name);
  if (!c->materials[c->material_count]) return PICUS_ERROR_MEMORY;
  c->material_count++;
  return PICUS_OK;
}

picus_status picus_model_find_group(picus_model *model, const char *name, int *index) {
  picus_model_collisions *c = &model->collisions;
  for (*index = 0; *index < c->group_count; ++*index)
    if (strcmp(c->groups[*index], name) == 0) return PICUS_OK;
  picus_status status = picus_model_check_form(model, "group", name);
  if (status) return status;
  if (c->group_count == PICUS_MOST_GROUPS)
    return picus_model_fail(model, PICUS_ERROR_DIMENSION,
                            "'%s' is one collision group too many; a model has at most %d", name, PICUS_MOST_GROUPS);
  c->groups[c->group_count] = picus_model_keep_text(model, name);
  if (!c->groups[c->group_count]) return PICUS_ERROR_MEMORY;
  c->group_places[c->group_count] = model->place;
  c->masks[c->group_count++] = UINT32_MAX;
  return PICUS_OK;
}

/* A copy; NULL also for nothing. */
static picus_status copy_block(picus_context *context, const void *from, size_t count, size_t size, void **out) {
  *out = NULL;
  if (!from || count == 0) return PICUS_OK;
  *out = picus_allocate(context, count, size);
  if (!*out) return PICUS_ERROR_MEMORY;
  memcpy(*out, from, count * size);
  return PICUS_OK;
}

picus_status picus_model_add_collider(picus_model *model, const picus_model_collider *collider) {
  picus_model_collisions *c = &model->collisions;
  picus_status status =
      picus_grow(model->context, &c->colliders, (size_t)c->collider_count, &c->collider_capacity, sizeof *c->colliders);
  if (status) return status;
  picus_model_collider *own = &c->colliders[c->collider_count];
  *own = *collider;
  own->place = model->place;
  own->number = c->carriers[own->carrier].collider_count + 1;
  void *points, *triangles = NULL;
  status =
      copy_block(model->context, collider->def.points, 3 * (size_t)collider->def.point_count, sizeof(double), &points);
  if (!status)
    status = copy_block(model->context, collider->def.triangles, (size_t)collider->def.triangle_count, 3 * sizeof(int),
                        &triangles);
  if (status) {
    picus_release(model->context, points);
    return status;
  }
  own->def.points = points;
  own->def.triangles = triangles;
  c->carriers[own->carrier].collider_count++;
  c->collider_count++;
  return PICUS_OK;
}

const picus_model_material_pair *picus_model_material_pair_of(const picus_model *model, int a, int b) {
  const picus_model_collisions *c = &model->collisions;
  for (int k = 0; k < c->pair_count; k++)
    if ((c->pairs[k].a == a && c->pairs[k].b == b) || (c->pairs[k].a == b && c->pairs[k].b == a)) return &c->pairs[k];
  return NULL;
}

picus_status picus_model_set_material_pair(picus_model *model, const picus_model_material_pair *pair) {
  picus_model_collisions *c = &model->collisions;
  if (picus_model_material_pair_of(model, pair->a, pair->b))
    return picus_model_fail(model, PICUS_ERROR_NAME, "contacts of the materials '%s' and '%s' are defined twice",
                            c->materials[pair->a], c->materials[pair->b]);
  picus_status status =
      picus_grow(model->context, &c->pairs, (size_t)c->pair_count, &c->pair_capacity, sizeof *c->pairs);
  if (!status) c->pairs[c->pair_count++] = *pair;
  return status;
}

picus_status picus_model_add_switch(picus_model *model, const picus_model_switch *entry) {
  picus_model_collisions *c = &model->collisions;
  picus_status status =
      picus_grow(model->context, &c->switches, (size_t)c->switch_count, &c->switch_capacity, sizeof *c->switches);
  if (status) return status;
  picus_model_switch *own = &c->switches[c->switch_count];
  *own = *entry;
  own->a = picus_model_keep_text(model, entry->a);
  own->b = picus_model_keep_text(model, entry->b);
  if (!own->a || !own->b) return PICUS_ERROR_MEMORY;
  c->switch_count++;
  return PICUS_OK;
}
