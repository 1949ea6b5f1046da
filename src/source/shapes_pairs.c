/* Pairs of bodies and of materials to which contacts of shapes belong. */
#include "source/shapes_source.h"

/* --- bodies and frames -------------------------------------------------------------------------------------------- */

static int count_carriers(const void *self) { return ((const shapes_source *)self)->carrier_count; }
static const char *name_carrier(const void *self, int k) { return ((const shapes_source *)self)->carriers[k].name; }

static bool carriers_are_apart(const shapes_source *s, int a, int b) {
  const int x = s->carriers[a].moving, y = s->carriers[b].moving;
  for (int k = 0; x >= 0 && y >= 0 && k < s->apart_count; k++)
    if ((s->apart[k][0] == x && s->apart[k][1] == y) || (s->apart[k][0] == y && s->apart[k][1] == x)) return true;
  return false;
}

/* Neither shapes of one body nor two frames touch. */
static bool carriers_meet(const void *self, int a, int b) {
  const shapes_source *s = self;
  if (a == b || (s->carriers[a].frame >= 0 && s->carriers[b].frame >= 0)) return false;
  return (s->carriers[a].mask & s->carriers[b].groups) && !carriers_are_apart(s, a, b);
}

static void carriers_of_law(const void *self, const system_law *law, int members[2]) {
  const shapes_source *s = self;
  for (int k = 0; k < 2; k++) members[k] = s->carrier_of[law->members[k]];
}

/* --- materials ---------------------------------------------------------------------------------------------------- */

static int count_materials(const void *self) { return ((const shapes_source *)self)->material_count; }
static const char *name_material(const void *self, int k) { return ((const shapes_source *)self)->material_names[k]; }

static bool materials_meet(const void *self, int a, int b) {
  const shapes_source *s = self;
  for (int i = 0; i < s->collider_count; i++) {
    if (s->material_of[i] != a) continue;
    for (int j = 0; j < s->collider_count; j++)
      if (s->material_of[j] == b && (s->colliders[i].mask & s->colliders[j].groups) &&
          carriers_meet(s, s->carrier_of[i], s->carrier_of[j]))
        return true;
  }
  return false;
}

static void materials_of_law(const void *self, const system_law *law, int members[2]) {
  const shapes_source *s = self;
  for (int k = 0; k < 2; k++) members[k] = s->material_of[law->members[k]];
}

static int count_axes(const void *self) { return ((const shapes_source *)self)->planar ? 2 : 3; }

const law_pairing picus_shapes_pairings[] = {
    [PICUS_PAIRS_BODIES] = {count_carriers, name_carrier, carriers_meet, carriers_of_law, count_axes},
    [PICUS_PAIRS_MATERIALS] = {count_materials, name_material, materials_meet, materials_of_law, count_axes}};
