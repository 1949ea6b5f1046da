/* The shapes of a model for collision detection: who carries them, their materials, and which pairs touch. */
#ifndef PICUS_MODEL_COLLISIONS_H
#define PICUS_MODEL_COLLISIONS_H

#include <picus/bodies.h>
#include <picus/model.h>

/* A body or frame with shapes. */
typedef struct picus_model_carrier {
  const char *name;
  int body; /* among the bodies of the model; -1: a frame */
  int collider_count;
  /* of a frame: functions of time and inputs. Velocity and spin are the derivatives; spin in the frame itself */
  picus_expr position[3], rotation[9], velocity[3], spin[3];
} picus_model_carrier;
/* A shape of a carrier. Its points and triangles belong to the model. */
typedef struct picus_model_collider {
  int carrier, number; /* number: among the shapes of the carrier, from 1 */
  picus_shape_def def;
  double position[3], rotation[9]; /* of its frame in that of the carrier; row-major */
  int material, group;
  bool has_surface; /* that moves: */
  picus_expr surface[3], surface_spin;
  picus_place place;
} picus_model_collider;
typedef struct picus_model_material_pair {
  int a, b; /* materials, a <= b */
  double mu, eN, eF, spin_radius, rolling;
  picus_impact_law impact;
  double adhesion;
  picus_expr mu_formula, eN_formula, eF_formula, rolling_formula; /* in place of the numbers, if given */
} picus_model_material_pair;
/* Two bodies or frames, by name, that touch or do not. The last entry of a pair counts; joints have the least
 * weight. */
typedef struct picus_model_switch {
  const char *a, *b;
  bool on, by_joint;
} picus_model_switch;
enum { PICUS_MOST_GROUPS = 32 };
typedef struct picus_model_collisions {
  int carrier_count, collider_count, material_count, pair_count, group_count, switch_count;
  size_t carrier_capacity, collider_capacity, material_capacity, pair_capacity, switch_capacity;
  picus_model_carrier *carriers;
  picus_model_collider *colliders;
  const char **materials;
  picus_model_material_pair *pairs;
  const char *groups[PICUS_MOST_GROUPS];
  picus_place group_places[PICUS_MOST_GROUPS]; /* where they were first named */
  uint32_t masks[PICUS_MOST_GROUPS];           /* the groups that a group touches */
  picus_model_switch *switches;
} picus_model_collisions;

/* All arguments are checked by the callers. The carrier of this body or frame, or a new one, which is then a copy. */
picus_status picus_model_find_carrier(picus_model *model, const picus_model_carrier *carrier, int *index);
/* Numbers of a material or group by name; new ones are added. */
picus_status picus_model_find_material(picus_model *model, const char *name, int *index);
picus_status picus_model_find_group(picus_model *model, const char *name, int *index);
/* Copies the points and triangles. */
picus_status picus_model_add_collider(picus_model *model, const picus_model_collider *collider);
picus_status picus_model_set_material_pair(picus_model *model, const picus_model_material_pair *pair);
/* NULL: the pair is not defined. */
const picus_model_material_pair *picus_model_material_pair_of(const picus_model *model, int a, int b);
picus_status picus_model_add_switch(picus_model *model, const picus_model_switch *entry);
void picus_model_release_collisions(picus_context *context, picus_model_collisions *collisions);

#endif
