/* A contact as pictures show it. */
#ifndef PICUS_VIEW_CONTACT_H
#define PICUS_VIEW_CONTACT_H

#include <picus/sim.h>

typedef struct picus_scene_contact {
  double place[3], normal[3]; /* the normal points to the body on which the force acts */
  double force[3];            /* N, mean since the row before */
  double gap;                 /* m */
  double mu;                  /* coefficient of friction; 0: none, or unknown */
  picus_mode mode;
} picus_scene_contact;

/* A detected contact; its force acts on the first body, or on the second if only that moves. since: s, the time in
 * which its percussions acted. */
picus_scene_contact picus_contact_shown(const picus_contact_point *from, double since);

#endif
