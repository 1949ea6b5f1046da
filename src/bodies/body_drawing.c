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

/* Bodies know their frame: a search among all of them takes minutes for 10^5 bodies. */
static int *frame_of_body(const picus_body *body) {
  picus_model_body *own = body->kind == PICUS_FRAME || body->kind == PICUS_NODE ? NULL : picus_body_own_data(body);
  return own ? &own->draw_frame : NULL;
}

static int find_frame(const picus_body *body) {
  const picus_model_draw *draw = &body->model->draw;
  const int *known = frame_of_body(body);
  if (known && (*known == 0 || is_same(&draw->frames[*known - 1], body))) return *known;
  int k = draw->frame_count; /* from the end: shapes of a body usually follow each other */
  while (k > 0 && !is_same(&draw->frames[k - 1], body)) k--;
  return k;
}

picus_status picus_body_add_draw_frame(const picus_body *body, int *frame) {
  *frame = 0;
  if (body->kind == PICUS_FRAME && strcmp(body->name, "ground") == 0) return PICUS_OK;
  *frame = find_frame(body);
  if (*frame > 0) return PICUS_OK;
  picus_draw_frame_def def = {.name = body->name, .planar = body->planar};
  for (int i = 0; i < 3; i++) def.position.x[i] = body->position.x[i];
  memcpy(def.rotation, body->rotation, sizeof def.rotation);
  picus_status status = picus_model_add_draw_frame(body->model, &def, frame);
  int *known = frame_of_body(body);
  if (!status && known) *known = *frame;
  return status;
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
