/* Heaps of scenes/heaps.h are those of the models `disks` and `spheres`, to the last bit. */
#include "heaps.h"
#include "support/check.h"
#include "support/simulate.h"

#include <stdio.h>

static void compare(const char *model, int n, int columns, const char *overrides) {
  const bool planar = model[0] == 'd';
  const int axes = planar ? 2 : 3, coordinates = planar ? 3 : 7;
  heap_scene scene;
  simulation s;
  picus_sim_options options;
  REQUIRE(heap_scene_make(&scene, model, n, columns));
  REQUIRE(simulation_load(&s, model, overrides, &options) && simulation_start(&s, &options));
  const picus_state state = picus_sim_state(s.sim);
  REQUIRE(picus_system_nq(s.system) == n * coordinates);
  int different = 0;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < axes; k++) different += scene.x[3 * i + k] != state.q[coordinates * i + k];
  CHECK(different == 0);
  double mass = 0, energy = 0;
  for (int i = 0; i < n; i++) {
    mass += scene.mass[i];
    energy += scene.mass[i] * scene.gravity * scene.x[3 * i + axes - 1];
  }
  double kinetic, potential;
  REQUIRE(picus_sim_energy(s.sim, &kinetic, &potential) == PICUS_OK);
  printf("  %d %s: %.6g kg\n", n, model, mass);
  CHECK_NEAR(potential, energy, 1e-12 * energy);
  simulation_close(&s);
  heap_scene_release(&scene);
}

static void disks_are_the_same(void) { compare("disks", 60, 25, "n=60,columns=25"); }
static void spheres_are_the_same(void) { compare("spheres", 64, 0, "n=64"); }

static void other_scenes_are_refused(void) {
  heap_scene scene;
  CHECK(!heap_scene_make(&scene, "cubes", 10, 0));
  CHECK(!heap_scene_make(&scene, "disks", 0, 0));
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"disks_are_the_same", disks_are_the_same},
                                    {"spheres_are_the_same", spheres_are_the_same},
                                    {"other_scenes_are_refused", other_scenes_are_refused}};
  return test_main(argc, argv, "scene_heaps", cases, sizeof cases / sizeof cases[0]);
}
