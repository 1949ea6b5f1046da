/* Bodies in drawings: their frames, and the sites of their contacts. */
#include "bodies/internal.h"

#include <string.h>

static bool is_same(const picus_model_draw_frame *frame, const picus_body *body) {
  for (int i = 0; i < 3; i++)
    if (frame->position.x[i].id != body->position.x[i].id) return false;
  for (int i = 0; i < 9; i++)
    if (frame->rotation[i].id != body->rotation[i].id) return false;
  return strcmp(frame->name, body->name) == 0;
}

picus_status picus_body_add_draw_frame(const picus_body *body, int *frame) {
  const picus_model_draw *draw = &body->model->draw;
  *frame = 0;
  if (body->kind == PICUS_FRAME && strcmp(body->name, "ground") == 0) return PICUS_OK;
  for (int k = draw->frame_count; k > 0; k--) /* from the end: shapes of a body usually follow each other */
    if (is_same(&draw->frames[k - 1], body)) {
      *frame = k;
      return PICUS_OK;
    }
  picus_draw_frame_def def = {.name = body->name, .planar = body->planar};
  for (int i = 0; i < 3; i++) def.position.x[i] = body->position.x[i];
  memcpy(def.rotation, body->rotation, sizeof def.rotation);
  return picus_model_add_draw_frame(body->model, &def, frame);
}

static picus_draw_vector components(picus_vector v, bool planar) {
  picus_draw_vector out = {{v.x[0], v.x[1], planar ? PICUS_NO_EXPR : v.x[2]}};
  return out;
}

picus_status picus_bodies_set_site(picus_model *model, const char *law, bool planar, const picus_vector site[4]) {
  picus_contact_site_def def = picus_default_contact_site_def();
  def.law = law;
  def.place = components(site[0], planar);
  def.normal = components(site[1], planar);
  for (int k = 0; k < (planar ? 1 : 2); k++) def.tangent[k] = components(site[2 + k], planar);
  return picus_model_set_contact_site(model, &def);
}
