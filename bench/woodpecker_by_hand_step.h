/* One step of the hand-written woodpecker. In a header of its own so that each way to solve has its own file, in which
 * the compiler sees by_cases as a constant and inlines the step into its loop. */
#ifndef PICUS_BENCH_WOODPECKER_BY_HAND_STEP_H
#define PICUS_BENCH_WOODPECKER_BY_HAND_STEP_H

#include "woodpecker_by_hand.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static const double r_O = 0.0025, r_M = 0.0031, h_M = 0.0058, l_M = 0.010, l_G = 0.015, h_S = 0.02, l_S = 0.0201;
static const double m_M = 0.0003, m_S = 0.0045, J_M = 5.0e-9, J_S = 7.0e-7, c_phi = 0.0056, gravity = 9.81;
static const double restitution[3] = {0.5, 0, 0}; /* normal; tangential restitution is zero */
static const double friction = 0.3;

enum { most_sweeps_allowed = 10000 };

static inline double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static inline double larger(double a, double b) { return a > b ? a : b; }
static inline double within(double x, double bound) { return x < -bound ? -bound : x > bound ? bound : x; }

/* One Gauss-Seidel sweep: each row solved for its own percussion and projected, the friction bound from the newest
 * normal percussion. Returns the largest change. */
static inline double sweep(const woodpecker_closed_set *set, const int count, const double *c, double *P) {
  double change = 0;
  for (int i = 0; i < 2 * count; i++) {
    double sum = c[i];
    for (int j = 0; j < 2 * count; j++) {
      if (j != i) sum += set->G[i][j] * P[j];
    }
    const double solved = -sum * set->inverse_diagonal[i];
    const double projected = i % 2 == 0 ? larger(solved, 0) : within(solved, friction * P[i - 1]);
    change = larger(change, fabs(projected - P[i]));
    P[i] = projected;
  }
  return change;
}

/* max_k |P_k - prox(P_k - rho_k xi_k)|, by the larger component of each contact, which spares the square root: within a
 * factor sqrt 2 of the length that Picus takes. */
static inline double natural_map(const woodpecker_closed_set *set, const int count, const double *c, const double *P) {
  double worst = 0;
  for (int k = 0; k < count; k++) {
    double xi[2] = {c[2 * k], c[2 * k + 1]};
    for (int j = 0; j < 2 * count; j++) {
      xi[0] += set->G[2 * k][j] * P[j];
      xi[1] += set->G[2 * k + 1][j] * P[j];
    }
    const double normal = P[2 * k] - larger(P[2 * k] - set->rho[k] * xi[0], 0);
    const double tangential = P[2 * k + 1] - within(P[2 * k + 1] - set->rho[k] * xi[1], friction * P[2 * k]);
    worst = larger(worst, larger(fabs(normal), fabs(tangential)));
  }
  return worst;
}

static inline double percussion_scale(const woodpecker_closed_set *set, const int count, const double *c,
                                      const double *P) {
  double scale = 0;
  for (int i = 0; i < 2 * count; i++) scale = larger(scale, larger(fabs(P[i]), set->rho[i / 2] * fabs(c[i])));
  return scale;
}

static inline void note_residual(woodpecker_statistics *statistics, double residual, double tolerance) {
  if (residual > tolerance) statistics->unfinished++;
  if (residual > statistics->worst_residual) statistics->worst_residual = residual;
}

/* Solves for the percussions of the closed contacts; count is a constant in each call, so that the loops unroll. The
 * change of a sweep is a cheap sign of convergence; the natural map, which costs about a sweep, has the last word. */
static inline void solve_by_sweeps(woodpecker_by_hand *toy, const woodpecker_closed_set *set, const int count,
                                   const double *c, double *P) {
  const double start_scale = percussion_scale(set, count, c, P);
  double residual = 0;
  long sweeps = 0;
  do {
    while (sweeps++ < most_sweeps_allowed && sweep(set, count, c, P) > toy->tolerance * start_scale) {
    }
    residual = natural_map(set, count, c, P) / percussion_scale(set, count, c, P);
  } while (residual > toy->tolerance && sweeps < most_sweeps_allowed);
  toy->statistics.sweeps_with[count] += sweeps;
  if (sweeps > toy->statistics.most_sweeps) toy->statistics.most_sweeps = sweeps;
  note_residual(&toy->statistics, residual, toy->tolerance);
}

/* One contact by its four cases: open, stick, slip either way. */
static inline void solve_by_cases(woodpecker_by_hand *toy, const woodpecker_closed_set *set, const double *c,
                                  double *P) {
  if (c[0] >= 0) {
    P[0] = P[1] = 0;
  } else {
    P[0] = -(set->stick[0] * c[0] + set->stick[1] * c[1]);
    P[1] = -(set->stick[1] * c[0] + set->stick[2] * c[1]);
    if (P[0] < 0 || fabs(P[1]) > friction * P[0]) {
      P[0] = -set->slip[0] * c[0];
      P[1] = friction * P[0];
      if (set->G[1][0] * P[0] + set->G[1][1] * P[1] + c[1] > 0) {
        P[0] = -set->slip[1] * c[0];
        P[1] = -friction * P[0];
      }
    }
  }
  note_residual(&toy->statistics, natural_map(set, 1, c, P) / percussion_scale(set, 1, c, P), toy->tolerance);
}

/* Percussions of the closed contacts, added to the free velocity: u = u_free + M^-1 W P. */
static inline void collide(woodpecker_by_hand *toy, const int mask, const int count, const bool by_cases,
                           double u_free[3]) {
  const woodpecker_closed_set *set = &toy->set[mask];
  double c[6], P[6];
  for (int k = 0; k < count; k++) {
    const int row = 2 * set->contact[k];
    c[2 * k] = dot(toy->W[row], u_free) + restitution[set->contact[k]] * dot(toy->W[row], toy->u);
    c[2 * k + 1] = dot(toy->W[row + 1], u_free);
    P[2 * k] = toy->P[row];
    P[2 * k + 1] = toy->P[row + 1];
  }
  if (by_cases && count == 1) {
    solve_by_cases(toy, set, c, P);
  } else {
    solve_by_sweeps(toy, set, count, c, P);
  }
  memset(toy->P, 0, sizeof toy->P);
  for (int i = 0; i < 2 * count; i++) {
    const int row = 2 * set->contact[i / 2] + i % 2;
    toy->P[row] = P[i];
    for (int j = 0; j < 3; j++) u_free[j] += toy->inverse_mass_W[row][j] * P[i];
  }
}

static inline void step(woodpecker_by_hand *toy, const bool by_cases) {
  const double half = 0.5 * toy->dt;
  double *q = toy->q, *u = toy->u;
  for (int i = 0; i < 3; i++) q[i] += half * u[i];

  const double spring = c_phi * (q[1] - q[2]);
  const double h[3] = {-(m_S + m_M) * gravity, -spring - m_S * l_M * gravity, spring - m_S * l_G * gravity};
  double u_new[3];
  for (int i = 0; i < 3; i++) u_new[i] = u[i] + dot(toy->dt_inverse_mass[i], h);

  const int mask = ((l_M + l_G - l_S - r_O) - h_S * q[2] <= 0) | ((r_M - r_O) + h_M * q[1] <= 0) << 1 |
                   ((r_M - r_O) - h_M * q[1] <= 0) << 2;
  const int count = toy->set[mask].count;
  switch (count) {
  case 0:
    memset(toy->P, 0, sizeof toy->P);
    break;
  case 1:
    collide(toy, mask, 1, by_cases, u_new);
    break;
  case 2:
    collide(toy, mask, 2, by_cases, u_new);
    break;
  default:
    collide(toy, mask, 3, by_cases, u_new);
    break;
  }
  toy->statistics.steps_with[count]++;

  for (int i = 0; i < 3; i++) {
    u[i] = u_new[i];
    q[i] += half * u[i];
  }
  toy->t += toy->dt;
}

#endif
