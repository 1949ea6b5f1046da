/* The contacts of a result at a row, as pictures show them: those of laws whose place the drawing states, and those
 * that come and go. */
#ifndef PICUS_VIEW_CONTACTS_H
#define PICUS_VIEW_CONTACTS_H

#include "view/scene.h"

typedef struct picus_scene_contact {
  double place[3], normal[3]; /* the normal points to the body on which the force acts */
  double force[3];            /* N, mean since the row before */
  double gap;                 /* m */
  double mu;                  /* coefficient of friction; 0: none, or unknown */
  picus_mode mode;
} picus_scene_contact;

typedef struct picus_contact_list {
  picus_scene_contact *contacts;
  size_t count, capacity;
} picus_contact_list;

/* The time in which the percussions of a row acted, s: since the row before, in older files that of one step. */
double picus_scene_row_time(const picus_scene *scene, long row);
/* Replaces the list. The scene is evaluated at the row. */
picus_status picus_scene_contacts(picus_scene *scene, long row, picus_contact_list *list);
void picus_contact_list_release(picus_context *context, picus_contact_list *list);

#endif
