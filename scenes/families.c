/* The families of scenes.h. Lengths in m, masses in kg, a step of 0.01 s. */
#include "assembly.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
#define FALL (9.81 * 0.01) /* velocity gained in one step */

static void box_inertia(double mass, double x, double y, double z, double inertia[3]) {
  inertia[0] = mass * (y * y + z * z) / 12;
  inertia[1] = mass * (x * x + z * z) / 12;
  inertia[2] = mass * (x * x + y * y) / 12;
}

static void fall(scene *s) {
  static const double down[3] = {0, -FALL, 0};
  scene_add_gravity(s, down);
}

/* Contacts along a joint between two stones: its two ends in the plane, the four corners in space. */
static void add_joint_face(scene *s, int a, int b, const double end1[3], const double end2[3], const double normal[3],
                           double depth, double mu) {
  for (int k = 0; k < (s->dimension == 2 ? 2 : 4); k++) {
    const double *end = k % 2 == 0 ? end1 : end2;
    double point[3] = {end[0], end[1], s->dimension == 2 ? 0 : (k < 2 ? -0.5 : 0.5) * depth};
    scene_add_contact(s, a, b, point, normal, mu);
  }
}

/* Boxes of 1 x 0.4 x 1, the mass of each by its height. */
static void pile_up(scene *s, int n, double heaviest) {
  static const double up[3] = {0, 1, 0};
  double centre = 0;
  int below = -1;
  for (int k = 0; k < n; k++) {
    double mass = n > 1 ? pow(heaviest, (double)k / (n - 1)) : 1, inertia[3];
    double shift = scene_uniform(s, -0.1, 0.1), left, right;
    mass *= scene_uniform(s, 0.9, 1.1);
    box_inertia(mass, 1, 0.4, 1, inertia);
    int body = scene_add_body(s, shift, 0.2 + 0.4 * k, 0, mass, inertia);
    left = (below >= 0 ? fmax(centre, shift) : shift) - 0.5;
    right = (below >= 0 ? fmin(centre, shift) : shift) + 0.5;
    double end1[3] = {left, 0.4 * k, 0}, end2[3] = {right, 0.4 * k, 0};
    add_joint_face(s, below, body, end1, end2, up, 1, 0.6);
    centre = shift;
    below = body;
  }
  fall(s);
}

static void stack(scene *s, int n) { pile_up(s, n, 1); }
static void tower(scene *s, int n) { pile_up(s, n, 1000); }

/* Stones between radius 4 and 5; the joints point to the centre. */
static void arch(scene *s, int n) {
  int before = -1;
  for (int k = 0; k <= n; k++) {
    double angle = PI * k / n, middle = PI * (k + 0.5) / n, inertia[3];
    double mass = PI * 4.5 / n * scene_uniform(s, 0.95, 1.05);
    box_inertia(mass, 1, 1, 1, inertia);
    int body = k < n ? scene_add_body(s, 4.5 * cos(middle), 4.5 * sin(middle), 0, mass, inertia) : -1;
    double inner[3] = {4 * cos(angle), 4 * sin(angle), 0}, outer[3] = {5 * cos(angle), 5 * sin(angle), 0};
    double normal[3] = {-sin(angle), cos(angle), 0}; /* towards the next stone, or from the last into the ground */
    add_joint_face(s, before, body, inner, outer, normal, 1, 0.8);
    before = body;
  }
  fall(s);
}

/* Rods of length 1 in a zigzag, each with both ends on the ground; every second one starts to slide. */
static void chain(scene *s, int n) {
  static const double up[3] = {0, 1, 0};
  double mass = 1, inertia[3];
  box_inertia(mass, 1, 0.1, 0.1, inertia);
  for (int k = 0; k < n; k++) {
    int body = scene_add_body(s, k + 0.5, 0, 0, mass, inertia);
    double joint[3] = {k, 0, 0};
    if (k > 0) scene_add_joint(s, body - 1, body, joint);
  }
  for (int k = 0; k < n; k++) {
    double left[3] = {k + 0.05, -0.05, 0}, right[3] = {k + 0.95, -0.05, 0};
    scene_add_contact(s, -1, k, left, up, 0.4);
    scene_add_contact(s, -1, k, right, up, 0.4);
    if (s->failed) return;
    for (int c = 0; c < 3; c += 2) s->bodies[k].velocity[c] += k % 2 ? scene_uniform(s, -0.2, 0.2) : 0;
  }
  fall(s);
}

static int grain(scene *s, double x, double y, double z, double radius) {
  double mass = 2.5 * PI * radius * radius, inertia[3]; /* discs and balls alike */
  for (int c = 0; c < 3; c++) inertia[c] = (s->dimension == 2 ? 0.5 : 0.4) * mass * radius * radius;
  return scene_add_body(s, x, y, z, mass, inertia);
}

/* Two grains touch on the line between their centres; offset moves the second to its periodic image. */
static void touch(scene *s, int a, int b, const double offset[3], double mu) {
  if (s->failed) return;
  double point[3], normal[3], length = 0;
  for (int c = 0; c < 3; c++) {
    normal[c] = s->bodies[b].position[c] + offset[c] - s->bodies[a].position[c];
    length += normal[c] * normal[c];
  }
  for (int c = 0; c < 3; c++) {
    normal[c] /= sqrt(length);
    point[c] = s->bodies[a].position[c] + 0.5 * sqrt(length) * normal[c];
  }
  scene_add_contact(s, a, b, point, normal, mu);
  if (s->failed) return;
  scene_law *law = &s->laws[s->law_count - 1];
  for (int c = 0; c < 3; c++) law->arm_b[c] = -0.5 * sqrt(length) * normal[c]; /* from the image */
}

/* Layers of grains on a slope of 25 degrees: columns of a lattice, each grain on two (four in space) below it. */
static void chute(scene *s, int n) {
  static const double here[3] = {0, 0, 0}, up[3] = {0, 1, 0};
  int depth = s->dimension == 2 ? 1 : (int)fmax(1, round(cbrt(n))),
      layers = (int)fmax(1, round(sqrt((double)n / depth) / 2));
  int width = (int)fmax(2, ceil((double)n / (layers * depth)));
  double rise = s->dimension == 2 ? sqrt(3) / 2 : sqrt(0.5);
  for (int k = 0; k < layers * depth * width && k < n; k++) {
    int layer = k / (depth * width), row = k / width % depth, column = k % width;
    double wobble = 0.02, odd = layer % 2 ? 0.5 : 0;
    grain(s, column + odd + scene_uniform(s, -wobble, wobble), 0.5 + rise * layer + scene_uniform(s, -wobble, wobble),
          s->dimension == 2 ? 0 : row + odd + scene_uniform(s, -wobble, wobble), 0.5);
    if (s->failed) return;
    double foot[3] = {s->bodies[k].position[0], 0, s->bodies[k].position[2]};
    if (layer == 0) scene_add_contact(s, -1, k, foot, up, 0.5);
    for (int j = k - 1; j >= 0 && j >= k - 2 * depth * width; j--) {
      double distance = 0;
      for (int c = 0; c < 3; c++) distance += pow(s->bodies[k].position[c] - s->bodies[j].position[c], 2);
      if (sqrt(distance) < 1.03) touch(s, j, k, here, 0.5);
    }
  }
  const double slope = 25 * PI / 180, pull[3] = {FALL * sin(slope), -FALL * cos(slope), 0};
  scene_add_gravity(s, pull);
}

/* A lattice of grains in which all neighbours touch, sideways across the faces of the periodic box too. Below is the
 * ground, above a lid that weighs as much as all grains. */
static void box(scene *s, int n) {
  static const double up[3] = {0, 1, 0};
  int side = (int)fmax(3, round(s->dimension == 2 ? sqrt(n) : cbrt(n)));
  int depth = s->dimension == 2 ? 1 : side, count = side * side * depth;
  double wobble = 0.1, inertia[3], mass = 2 * count;
  for (int k = 0; k < count; k++) {
    grain(s, k % side + scene_uniform(s, -wobble, wobble), k / side % side + 0.5 + scene_uniform(s, -wobble, wobble),
          depth == 1 ? 0 : k / (side * side) + scene_uniform(s, -wobble, wobble), scene_uniform(s, 0.4, 0.5));
    if (s->failed) return;
    for (int c = 0; c < s->dimension; c++) s->bodies[k].velocity[c] = scene_uniform(s, -0.05, 0.05);
  }
  box_inertia(mass, side, 1, depth, inertia);
  int lid = scene_add_body(s, 0.5 * (side - 1), side + 0.5, 0.5 * (depth - 1), mass, inertia);
  for (int k = 0; k < count && !s->failed; k++) {
    int place[3] = {k % side, k / side % side, k / (side * side)};
    const double *at = s->bodies[k].position;
    double foot[3] = {at[0], 0, at[2]}, head[3] = {at[0], side, at[2]};
    if (place[1] == 0) scene_add_contact(s, -1, k, foot, up, 0.3);
    if (place[1] == side - 1) scene_add_contact(s, k, lid, head, up, 0.3);
    for (int c = 0; c < s->dimension; c++) {
      int other[3] = {place[0], place[1], place[2]};
      double offset[3] = {0, 0, 0};
      other[c] = (place[c] + 1) % side;
      if (other[c] == 0) offset[c] = side;
      if (c != 1 || other[c] > 0) touch(s, k, other[0] + side * (other[1] + side * other[2]), offset, 0.3);
    }
  }
  fall(s);
}

static const struct {
  const char *name;
  void (*make)(scene *s, int n);
} families[] = {{"stack", stack}, {"tower", tower}, {"arch", arch}, {"chain", chain}, {"chute", chute}, {"box", box}};
enum { FAMILY_COUNT = sizeof families / sizeof families[0] };

const char *scene_family_at(int index) { return index >= 0 && index < FAMILY_COUNT ? families[index].name : NULL; }

picus_status scene_create(picus_context *context, const scene_def *def, picus_problem **out) {
  char title[64];
  *out = NULL;
  for (int k = 0; k < FAMILY_COUNT; k++) {
    if (strcmp(families[k].name, def->family) != 0) continue;
    if (def->n < 1 || (def->dimension != 2 && def->dimension != 3)) return PICUS_ERROR_ARGUMENT;
    scene s = {.dimension = def->dimension, .random = def->seed};
    families[k].make(&s, def->n);
    snprintf(title, sizeof title, "%s-%dd-%d-s%llu", def->family, def->dimension, def->n, def->seed);
    picus_status status = scene_assemble(context, &s, title, out);
    scene_release(&s);
    return status;
  }
  return PICUS_ERROR_NAME;
}
