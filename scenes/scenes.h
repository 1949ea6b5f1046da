/* Families of contact problems, made from bodies and where they touch, for tests and benchmarks: the velocity problem
 * of one time step in which gravity acts on bodies that are (nearly) at rest.
 *
 *   stack   n boxes on each other and on the ground; redundant supports
 *   tower   the same, with masses that grow from 1 at the ground to 1000 at the top
 *   arch    n stones in a half circle, its feet on the ground
 *   chain   n rods joined end to end (bilateral), lying on the ground
 *   chute   n grains in layers that begin to move down a rough slope
 *   box     n grains between the ground and a heavy lid, periodic to the sides
 *
 * Planar (2) or spatial (3). A seed moves points and masses a little: the same seed gives the same problem. */
#ifndef PICUS_SCENES_H
#define PICUS_SCENES_H

#include <picus/contact.h>

typedef struct scene_def {
  const char *family;
  int n;         /* bodies */
  int dimension; /* 2 or 3 */
  unsigned long long seed;
} scene_def;

const char *scene_family_at(int index); /* NULL after the last */
/* The title of the problem is its definition: "stack-2d-10-s1". */
picus_status scene_create(picus_context *context, const scene_def *def, picus_problem **out);

#endif
