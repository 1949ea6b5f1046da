/* Disks and spheres that start on a grid, fall into a box and form a heap: the same bodies, to the last bit, as in the
 * models `disks` and `spheres` (test_scene_heaps), for engines and programs that do not read models. C, and C++. */
#ifndef PICUS_SCENES_HEAPS_H
#define PICUS_SCENES_HEAPS_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct heap_scene {
  bool planar;
  int n, columns;
  double width, height_unit, mu, gravity; /* height_unit: size of a cell of the grid at the start */
  double *radius, *mass, *inertia;        /* n; inertia about any axis, or about z */
  double *x;                              /* 3 n, at the start: planar bodies have z = 0 and gravity along y */
  double mean_mass;
} heap_scene;
/* "disks" or "spheres". columns 0: 25 disks, or the cube root of n spheres. false: no such scene, or out of memory. */
bool heap_scene_make(heap_scene *scene, const char *name, int n, int columns);
void heap_scene_release(heap_scene *scene);

#ifdef __cplusplus
}
#endif

#endif
