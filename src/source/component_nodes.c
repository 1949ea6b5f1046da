/* Tables of the nodes of flexible components, made from a model; system/node_tables.c fills them. */
#include "source/model_sources.h"

#include "base/internal.h"
#include "system/node_tables.h"

static picus_status copy_components(picus_context *context, const picus_model_structure *s, picus_node_table *out) {
  for (int k = 0; k < out->component_count; k++) {
    const picus_column x = picus_model_component(s, k, false), v = picus_model_component(s, k, true);
    out->displacements[k] = picus_copy_text(context, x.name);
    out->velocities[k] = picus_copy_text(context, v.name);
    out->displacement_units[k] = picus_copy_text(context, x.unit);
    out->velocity_units[k] = picus_copy_text(context, v.unit);
    if (!out->displacements[k] || !out->velocities[k] || !out->displacement_units[k] || !out->velocity_units[k])
      return PICUS_ERROR_MEMORY;
  }
  return PICUS_OK;
}

/* The elements of a member are a chain over the nodes inside of it. */
static int *put_member(const picus_framework_member *m, int *to) {
  for (int e = 0; e < m->elements; e++) {
    *to++ = e == 0 ? m->from : m->inner + e - 1;
    *to++ = e == m->elements - 1 ? m->to : m->inner + e;
  }
  return to;
}

static picus_status copy_elements(picus_context *context, const picus_model_structure *s, picus_node_table *out) {
  size_t count = s->bar_element > 0 ? (size_t)s->size - 1 : 0;
  for (int i = 0; i < s->shape.member_count; i++) count += (size_t)s->shape.members[i].elements;
  if (count == 0) return PICUS_OK;
  int *elements = picus_allocate(context, 2 * count, sizeof *elements), *to = elements;
  if (!elements) return PICUS_ERROR_MEMORY;
  out->elements = elements;
  out->element_count = (int)count;
  const picus_framework_member bar = {.to = s->size - 1, .elements = s->size - 1, .inner = 1};
  if (s->bar_element > 0) to = put_member(&bar, to);
  for (int i = 0; i < s->shape.member_count; i++) to = put_member(&s->shape.members[i], to);
  return PICUS_OK;
}

static picus_status copy_positions(picus_context *context, const picus_model_structure *s, picus_node_table *out) {
  if (!s->map.position && !(s->bar_element > 0)) return PICUS_OK;
  double *positions = picus_allocate(context, 3 * (size_t)out->node_count, sizeof *positions);
  if (!positions) return PICUS_ERROR_MEMORY;
  out->positions = positions;
  for (size_t i = 0; i < (size_t)out->node_count; i++)
    if (!s->map.position)
      positions[3 * i] = (double)i * s->bar_element;
    else
      for (size_t k = 0; k < 3; k++) positions[3 * i + k] = s->map.position[3 * i + k];
  return PICUS_OK;
}

static picus_status make_table(picus_context *context, const picus_model_structure *s, system_node_table *table) {
  picus_node_table *out = &table->shown;
  const bool has_nodes = s->map.node_count > 0;
  out->first = s->first;
  out->node_count = has_nodes ? s->map.node_count : s->size;
  out->component_count = has_nodes ? s->map.component_count : 1;
  out->name = picus_copy_text(context, s->name);
  const size_t count = (size_t)out->node_count * (size_t)out->component_count;
  table->index = picus_allocate(context, count, sizeof *table->index);
  if (!out->name || !table->index) return PICUS_ERROR_MEMORY;
  for (size_t i = 0; i < count; i++) table->index[i] = has_nodes ? s->map.index[i] : (int)i;
  picus_status status = copy_components(context, s, out);
  if (!status) status = copy_positions(context, s, out);
  return status ? status : copy_elements(context, s, out);
}

picus_status picus_system_make_node_tables(const picus_model *model, picus_system *system) {
  size_t q = (size_t)model->coordinate_count, u = (size_t)model->velocity_count;
  int count = 0;
  for (int i = 0; i < model->structure_count; i++) count += model->structures[i].has_table;
  if (count == 0) return PICUS_OK;
  system->node_tables = picus_allocate(system->context, (size_t)count, sizeof *system->node_tables);
  if (!system->node_tables) return PICUS_ERROR_MEMORY;
  picus_status status = PICUS_OK;
  for (int i = 0; !status && i < model->structure_count; i++) {
    const picus_model_structure *s = &model->structures[i];
    if (s->has_table) {
      system_node_table *table = &system->node_tables[system->node_table_count++];
      table->q0 = q, table->u0 = u;
      status = make_table(system->context, s, table);
    }
    q += (size_t)s->size;
    u += (size_t)s->size;
  }
  return status;
}
