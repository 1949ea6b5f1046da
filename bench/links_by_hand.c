/* A chain of links on hinges in the plane, Moreau's midpoint rule, in plain C without Picus: the yardstick of joints.
 * Bodies have their centres as coordinates, as in the scene. W^T M^-1 W of the joints is block-tridiagonal; its blocks
 * are written as they are, factored and solved in one pass forth and one back. */
#include "links_by_hand.h"

#include <math.h>
#include <stdlib.h>

bool links_by_hand_start(links_by_hand *chain, int count, double dt) {
  const size_t n = (size_t)count;
  *chain = (links_by_hand){.count = count, .dt = dt, .length = 0.1, .mass = 0.1};
  chain->memory = calloc(20 * n, sizeof(double));
  if (!chain->memory) return false;
  chain->q = chain->memory;
  chain->u = chain->q + 3 * n;
  chain->ahead = chain->u + 3 * n;
  chain->P = chain->ahead + 3 * n;
  chain->arm = chain->P + 2 * n;
  chain->diagonal = chain->arm + 2 * n;
  chain->beside = chain->diagonal + 3 * n;
  for (int k = 0; k < count; k++) chain->q[3 * k] = (k + 0.5) * chain->length;
  return true;
}

void links_by_hand_end(links_by_hand *chain) { free(chain->memory); }

/* Positions in the middle of the step, and the arms there; the velocity without percussions. */
static void predict(links_by_hand *chain) {
  const double half = 0.5 * chain->dt;
  for (int k = 0; k < chain->count; k++) {
    double *u = chain->u + 3 * k, *ahead = chain->ahead + 3 * k;
    const double *q = chain->q + 3 * k;
    for (int i = 0; i < 3; i++) ahead[i] = q[i] + half * u[i];
    chain->arm[2 * k] = 0.5 * chain->length * cos(ahead[2]);
    chain->arm[2 * k + 1] = 0.5 * chain->length * sin(ahead[2]);
    u[1] -= chain->dt * 9.81;
  }
}

/* The joint before link k, of this link at its left end and of the one before at its right end: velocity of the left
 * end less that of the right end. */
static void gap_velocity(const links_by_hand *chain, int k, double c[2]) {
  const double *u = chain->u + 3 * k, *arm = chain->arm + 2 * k;
  c[0] = u[0] + u[2] * arm[1];
  c[1] = u[1] - u[2] * arm[0];
  if (k == 0) return;
  c[0] -= u[-3] - u[-1] * arm[-1];
  c[1] -= u[-2] + u[-1] * arm[-2];
}

/* Elimination from the first joint to the last. With a = (arm y, -arm x) of a link, its left end has the direction
 * (1, a) and its right end (1, -a): their products with M^-1 are 1/m + a a^T/J and 1/m - a a^T/J. */
static void eliminate(links_by_hand *chain) {
  const double by_mass = 1 / chain->mass, by_inertia = 12 / (chain->mass * chain->length * chain->length);
  double xx = 0, xy = 0, yy = 0, before[2] = {0, 0}; /* of the link before, less what has been eliminated */
  for (int k = 0; k < chain->count; k++) {
    const double ax = chain->arm[2 * k + 1], ay = -chain->arm[2 * k];
    const double jxx = by_inertia * ax * ax, jxy = by_inertia * ax * ay, jyy = by_inertia * ay * ay;
    double c[2];
    gap_velocity(chain, k, c);
    xx += by_mass + jxx;
    xy += jxy;
    yy += by_mass + jyy;
    const double determinant = 1 / (xx * yy - xy * xy);
    double *inverse = chain->diagonal + 3 * k, *B = chain->beside + 4 * k, *P = chain->P + 2 * k;
    inverse[0] = yy * determinant;
    inverse[1] = -xy * determinant;
    inverse[2] = xx * determinant;
    P[0] = -c[0] - before[0];
    P[1] = -c[1] - before[1];
    /* the block with the next joint, which this link has at its right end: -(1/m - a a^T/J) */
    const double bxx = jxx - by_mass, bxy = jxy, byy = jyy - by_mass;
    B[0] = inverse[0] * bxx + inverse[1] * bxy;
    B[1] = inverse[0] * bxy + inverse[1] * byy;
    B[2] = inverse[1] * bxx + inverse[2] * bxy;
    B[3] = inverse[1] * bxy + inverse[2] * byy;
    before[0] = B[0] * P[0] + B[2] * P[1];
    before[1] = B[1] * P[0] + B[3] * P[1];
    xx = by_mass + jxx - (bxx * B[0] + bxy * B[2]);
    xy = jxy - (bxx * B[1] + bxy * B[3]);
    yy = by_mass + jyy - (bxy * B[1] + byy * B[3]);
  }
}

/* Percussions from the last joint to the first, velocities and positions with them. */
static void finish(links_by_hand *chain) {
  const double by_mass = 1 / chain->mass, by_inertia = 12 / (chain->mass * chain->length * chain->length);
  const double half = 0.5 * chain->dt;
  double next[2] = {0, 0}; /* percussion at the right end */
  for (int k = chain->count - 1; k >= 0; k--) {
    double *P = chain->P + 2 * k, *u = chain->u + 3 * k, *q = chain->q + 3 * k;
    const double *inverse = chain->diagonal + 3 * k, *B = chain->beside + 4 * k, *ahead = chain->ahead + 3 * k;
    const double x = inverse[0] * P[0] + inverse[1] * P[1] - (B[0] * next[0] + B[1] * next[1]);
    const double y = inverse[1] * P[0] + inverse[2] * P[1] - (B[2] * next[0] + B[3] * next[1]);
    const double ax = chain->arm[2 * k + 1], ay = -chain->arm[2 * k];
    u[0] += by_mass * (x - next[0]);
    u[1] += by_mass * (y - next[1]);
    u[2] += by_inertia * (ax * (x + next[0]) + ay * (y + next[1]));
    for (int i = 0; i < 3; i++) q[i] = ahead[i] + half * u[i];
    next[0] = P[0] = x;
    next[1] = P[1] = y;
  }
}

void links_by_hand_step(links_by_hand *chain) {
  predict(chain);
  eliminate(chain);
  finish(chain);
}
