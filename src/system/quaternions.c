/* Coordinates that form unit quaternions. */
#include "system/internal.h"

#include <math.h>

int picus_system_quaternion_count(const picus_system *system) { return system->quaternion_count; }

int picus_system_quaternion(const picus_system *system, int index) {
  return index < 0 || index >= system->quaternion_count ? -1 : system->quaternions[index];
}

void picus_system_normalise(const picus_system *system, double *q) {
  for (int k = 0; k < system->quaternion_count; k++) {
    double *p = q + system->quaternions[k];
    double length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    if (!isfinite(length) || length == 0) continue;
    for (int i = 0; i < 4; i++) p[i] /= length;
  }
}
