/* Heaps of bodies as granular mechanics looks at them: chains of forces, their distribution, slopes. */
#ifndef PICUS_VIEW_GRAINS_H
#define PICUS_VIEW_GRAINS_H

#include "view/picture.h"

/* The load that a contact carries between the centres of its two bodies; a fixed body: up to the point of contact. */
typedef struct picus_force_link {
  double ends[2][3]; /* m */
  double force;      /* N, normal, mean of the step */
} picus_force_link;
typedef struct picus_force_links {
  picus_force_link *links;
  size_t count, capacity;
  double mean; /* N */
} picus_force_links;

/* Of the contacts that come and go and are loaded in a row. */
picus_status picus_scene_force_links(picus_scene *scene, long row, picus_force_links *out);
void picus_force_links_release(picus_context *context, picus_force_links *links);
/* Lines in front of the picture, as wide as their forces; those above the mean are dark. */
picus_status picus_picture_add_links(picus_picture *picture, const picus_camera *camera,
                                     const picus_force_links *links);

/* The probability density of force / mean in classes of equal width. The classes end where the largest force is. */
enum { PICUS_FORCE_CLASSES = 24 };
typedef struct picus_force_distribution {
  double ratio[PICUS_FORCE_CLASSES]; /* middle of each class */
  double density[PICUS_FORCE_CLASSES];
} picus_force_distribution;
picus_force_distribution picus_force_distribution_of(const picus_force_links *links);

/* The free surface of a heap: a line fitted to its flank between a fifth and four fifths of its height. In the plane y
 * points up and there are two flanks; in space z points up, and the flank is that around the vertical axis through the
 * centre. */
typedef struct picus_heap_flank {
  bool found;
  double angle;      /* rad, positive */
  double ends[2][2]; /* m: x (in space: distance from the axis) and height of both ends of the fit */
} picus_heap_flank;
typedef struct picus_heap {
  double centre[3];          /* m, mean of all bodies */
  picus_heap_flank flank[2]; /* left and right; in space only the second one */
} picus_heap;
picus_status picus_scene_heap(picus_scene *scene, long row, picus_heap *out);
picus_status picus_picture_add_heap(picus_picture *picture, const picus_scene *scene, const picus_camera *camera,
                                    const picus_heap *heap);

#endif
