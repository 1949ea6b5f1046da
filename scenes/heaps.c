#include "heaps.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static double draw(uint32_t *state) {
  *state = 1664525u * *state + 1013904223u;
  return *state / 4294967296.0;
}

static void place_disk(heap_scene *s, int i, uint32_t *state) {
  const double R = s->height_unit / 2, r = 0.008 + 0.004 * draw(state), u = draw(state);
  s->radius[i] = r;
  s->mass[i] = 1000 * pi * r * r;
  s->inertia[i] = s->mass[i] * r * r / 2;
  s->x[3 * i] = R + 2 * R * (i % s->columns) + (R - r) * (2 * u - 1);
  s->x[3 * i + 1] = R + 2 * R * (double)(i / s->columns);
}

static void place_sphere(heap_scene *s, int i, uint32_t *state) {
  const double R = s->height_unit / 2, r = 0.008 + 0.004 * draw(state), u = draw(state), v = draw(state);
  const int layer = s->columns * s->columns, k = i % layer;
  s->radius[i] = r;
  s->mass[i] = 2500 * 4.0 / 3 * pi * r * r * r;
  s->inertia[i] = 0.4 * s->mass[i] * r * r;
  s->x[3 * i] = R + 2 * R * (k % s->columns) + (R - r) * (2 * u - 1);
  s->x[3 * i + 1] = R + 2 * R * (double)(k / s->columns) + (R - r) * (2 * v - 1);
  s->x[3 * i + 2] = R + 2 * R * (double)(i / layer);
}

bool heap_scene_make(heap_scene *s, const char *name, int n, int columns) {
  *s = (heap_scene){.planar = strcmp(name, "disks") == 0, .n = n, .gravity = 9.81, .height_unit = 0.024};
  if ((!s->planar && strcmp(name, "spheres") != 0) || n < 1) return false;
  s->columns = columns > 0 ? columns : s->planar ? 25 : (int)floor(cbrt(n) + 0.5);
  s->width = s->height_unit * s->columns;
  s->mu = s->planar ? 0.3 : 0.5;
  s->radius = calloc((size_t)n, sizeof(double));
  s->mass = calloc((size_t)n, sizeof(double));
  s->inertia = calloc((size_t)n, sizeof(double));
  s->x = calloc(3 * (size_t)n, sizeof(double));
  if (!s->radius || !s->mass || !s->inertia || !s->x) return false;
  uint32_t state = 12345;
  for (int i = 0; i < n; i++) {
    if (s->planar)
      place_disk(s, i, &state);
    else
      place_sphere(s, i, &state);
    s->mean_mass += s->mass[i] / n;
  }
  return true;
}

void heap_scene_release(heap_scene *s) {
  free(s->radius);
  free(s->mass);
  free(s->inertia);
  free(s->x);
  *s = (heap_scene){0};
}
