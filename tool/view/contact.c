/* A contact as pictures show it. */
#include "view/contact.h"

picus_scene_contact picus_contact_shown(const picus_contact_point *from, double since) {
  const double *n = from->normal, *t = from->tangent;
  const double second[3] = {n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2], n[0] * t[1] - n[1] * t[0]};
  picus_scene_contact c = {.gap = from->gap, .mu = from->mu, .mode = from->mode};
  const double side = from->body[0] < 0 && from->body[1] >= 0 ? -1 : 1;
  for (int i = 0; i < 3; i++) {
    c.place[i] = from->point[i];
    c.normal[i] = side * n[i];
    c.force[i] = side * (from->PN * n[i] + from->PF[0] * t[i] + from->PF[1] * second[i]) / since;
  }
  return c;
}
