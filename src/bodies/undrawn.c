/* What a model that draws nothing itself shows besides its shapes: bodies without a shape as lines from their origins
 * to their joints, beams through their nodes. */
#include "bodies/internal.h"

enum { SEGMENTS = 40, CHAINS_MOST = 200 }; /* of a chain of beams; chains of a framework */

static picus_draw_vector ends_of(picus_vector v, bool planar) {
  return (picus_draw_vector){{v.x[0], v.x[1], planar ? PICUS_NO_EXPR : v.x[2]}};
}

picus_status picus_bodies_add_limbs(const picus_body *const bodies[2], const double (*points)[3], bool planar) {
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < 2; k++) {
    const double *p = points[k];
    picus_model *model = bodies[k]->model;
    const picus_model_body *own =
        bodies[k]->kind == PICUS_FRAME || bodies[k]->kind == PICUS_NODE ? NULL : picus_body_own_data(bodies[k]);
    if (!own || (p[0] == 0 && p[1] == 0 && p[2] == 0)) continue;
    picus_model_draw *draw = &model->draw;
    status =
        picus_grow(model->context, &draw->limbs, (size_t)draw->limb_count, &draw->limb_capacity, sizeof *draw->limbs);
    if (status) return status;
    picus_model_limb limb = {.length = picus_numbers_length(p),
                             .body = (int)(own - model->bodies),
                             .name = picus_model_keep_text(model, bodies[k]->name)};
    limb.ends[0] = ends_of(bodies[k]->position, planar);
    limb.ends[1] = ends_of(picus_body_point(bodies[k], p), planar);
    if (!limb.name) return PICUS_ERROR_MEMORY;
    draw->limbs[draw->limb_count++] = limb;
  }
  return status;
}

static picus_status draw_line(picus_model *model, const char *name, const char *colour, int count,
                              const picus_draw_vector *points) {
  picus_draw_def def = picus_default_draw_def(PICUS_DRAW_LINE);
  def.count = count;
  def.points = points;
  def.name = name;
  def.line = colour;
  def.width = 3;
  return picus_model_add_draw(model, &def);
}

/* A line, with a pin at the joint. */
static picus_status draw_limb(picus_model *model, const picus_model_limb *limb) {
  picus_draw_def pin =
      picus_default_draw_def(picus_expr_given(limb->ends[0].x[2]) ? PICUS_DRAW_SPHERE : PICUS_DRAW_CIRCLE);
  picus_status status = draw_line(model, limb->name, "blue", 2, limb->ends);
  pin.count = 1;
  pin.points = &limb->ends[1];
  pin.radius = picus_number(model->pool, 0.03 * limb->length);
  pin.name = limb->name;
  pin.fill = "light";
  return status ? status : picus_model_add_draw(model, &pin);
}

/* Drawings are functions of the columns of results. */
static bool is_recorded(const picus_model_structure *s, int node) {
  const picus_framework_map *map = &s->map;
  const int *index = map->index + (size_t)node * (size_t)map->component_count;
  for (int c = 0; c < (map->component_count == 6 ? 3 : 2); c++)
    if (index[c] >= 0 && !s->recorded[index[c]]) return false;
  return true;
}

/* Through up to SEGMENTS + 1 nodes of a chain, the first and the last among them. */
static picus_status draw_chain(picus_model *model, int structure, int count, const int *nodes) {
  picus_draw_vector points[SEGMENTS + 1];
  const int segments = count - 1 < SEGMENTS ? count - 1 : SEGMENTS;
  int drawn = 0;
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k <= segments; k++) {
    const picus_model_structure *s = &model->structures[structure];
    const int node = nodes[(int)((long)k * (count - 1) / segments)];
    picus_body body;
    if (!is_recorded(s, node)) continue;
    status = picus_model_make_node(model, s->name, node + s->first, &body);
    if (!status) points[drawn++] = ends_of(body.position, body.planar);
  }
  return status || drawn < 2 ? status : draw_line(model, model->structures[structure].name, "blue", drawn, points);
}

/* Members that follow each other are one chain. */
static picus_status draw_framework(picus_model *model, int structure) {
  const picus_framework_shape *shape = &model->structures[structure].shape;
  const picus_framework_member *members = shape->members;
  size_t most = 1;
  for (int k = 0; k < shape->member_count; k++) most += (size_t)members[k].elements;
  int *nodes = picus_allocate(model->context, most, sizeof *nodes);
  picus_status status = nodes ? PICUS_OK : PICUS_ERROR_MEMORY;
  for (int k = 0, chains = 0; !status && k < shape->member_count && chains < CHAINS_MOST; chains++) {
    int count = 0;
    nodes[count++] = members[k].from;
    do {
      for (int i = 1; i < members[k].elements; i++) nodes[count++] = members[k].inner + i - 1;
      nodes[count++] = members[k].to;
    } while (++k < shape->member_count && members[k].from == nodes[count - 1]);
    status = draw_chain(model, structure, count, nodes);
  }
  picus_release(model->context, nodes);
  return status;
}

picus_status picus_model_draw_rest(picus_model *model) {
  picus_status status = PICUS_OK;
  if (model->draw.by_hand) return PICUS_OK;
  for (int k = 0; !status && k < model->draw.limb_count; k++) {
    const picus_model_limb limb = model->draw.limbs[k];
    if (model->bodies[limb.body].draw_frame == 0) status = draw_limb(model, &limb);
  }
  for (int k = 0; !status && k < model->structure_count; k++)
    if (model->structures[k].shape.member_count > 0) status = draw_framework(model, k);
  return status;
}
