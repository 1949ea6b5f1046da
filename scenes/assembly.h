/* Bodies, contacts and joints, and the contact problem they make. */
#ifndef PICUS_SCENES_ASSEMBLY_H
#define PICUS_SCENES_ASSEMBLY_H

#include "scenes.h"

typedef struct scene_body {
  double position[3], velocity[3]; /* free velocity at the end of the step; no rotation */
  double mass, inertia[3];         /* about axes parallel to those of space */
} scene_body;

/* Rows of one law: directions of the percussion on body b, at a point given from each body's centre. */
typedef struct scene_law {
  picus_law law;
  int a, b; /* -1: the ground */
  double arm_a[3], arm_b[3], direction[3][3];
} scene_law;

typedef struct scene {
  int dimension;
  scene_body *bodies;
  scene_law *laws;
  int body_count, body_capacity, law_count, law_capacity;
  unsigned long long random;
  bool failed; /* out of memory */
} scene;

double scene_uniform(scene *s, double low, double high);
int scene_add_body(scene *s, double x, double y, double z, double mass, const double inertia[3]);
/* Body b presses on body a along normal; at a point in space, or where the line between the centres meets a. */
void scene_add_contact(scene *s, int a, int b, const double point[3], const double normal[3], double mu);
void scene_add_joint(scene *s, int a, int b, const double point[3]);
void scene_add_gravity(scene *s, const double percussion_per_mass[3]);

picus_status scene_assemble(picus_context *context, const scene *s, const char *title, picus_problem **out);
void scene_release(scene *s);

#endif
