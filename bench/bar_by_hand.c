/* The elastic bar that hits a wall, Moreau-Jean's scheme with theta = 1/2, in plain C without Picus: the yardstick of
 * the flexible components. All matrices are tridiagonal; M + dt^2/4 K is factored once, and the contact is one number.
 */
#include "bar_by_hand.h"

#include <stdlib.h>

/* A symmetric tridiagonal matrix from its elements [same other; other same]. */
static void assemble(int nodes, double same, double other, double *diagonal, double *beside) {
  for (int i = 0; i < nodes; i++) {
    diagonal[i] = (i == 0 || i == nodes - 1 ? 1 : 2) * same;
    beside[i] = other;
  }
}

/* A = L D L^T: 1 / D in place of the diagonal, L beside it. */
static void factor(int nodes, double *diagonal, double *beside) {
  diagonal[0] = 1 / diagonal[0];
  for (int i = 1; i < nodes; i++) {
    const double below = beside[i - 1];
    beside[i - 1] = below * diagonal[i - 1];
    diagonal[i] = 1 / (diagonal[i] - below * beside[i - 1]);
  }
}

static void solve(int nodes, const double *inverse, const double *L, double *x) {
  for (int i = 1; i < nodes; i++) x[i] -= L[i - 1] * x[i - 1];
  x[nodes - 1] *= inverse[nodes - 1];
  for (int i = nodes - 2; i >= 0; i--) x[i] = x[i] * inverse[i] - L[i] * x[i + 1];
}

bool bar_by_hand_start(bar_by_hand *bar, int elements, double dt) {
  const double area = 3.14159e-4, density = 7800, young = 2.1e11, element = 1.0 / elements;
  const int n = elements + 1;
  *bar = (bar_by_hand){.nodes = n, .dt = dt, .memory = calloc(8 * (size_t)n, sizeof(double))};
  if (!bar->memory) return false;
  double **const arrays[] = {&bar->q, &bar->u,       &bar->stiffness, &bar->beside,
                             &bar->w, &bar->inverse, &bar->L,         &bar->wall};
  for (int k = 0; k < 8; k++) *arrays[k] = bar->memory + (size_t)k * (size_t)n;
  assemble(n, young * area / element, -young * area / element, bar->stiffness, bar->beside);
  assemble(n, density * area * element / 3 + dt * dt / 4 * young * area / element,
           density * area * element / 6 - dt * dt / 4 * young * area / element, bar->inverse, bar->L);
  factor(n, bar->inverse, bar->L);
  bar->wall[0] = 1;
  solve(n, bar->inverse, bar->L, bar->wall);
  for (int i = 0; i < n; i++) bar->u[i] = -0.1;
  return true;
}

void bar_by_hand_run(bar_by_hand *bar, long steps) {
  const int n = bar->nodes;
  const double dt = bar->dt, *K = bar->stiffness, *beside = bar->beside;
  double *q = bar->q, *u = bar->u, *w = bar->w;
  for (long k = 0; k < steps; k++) {
    /* w = u - dt (M + dt^2/4 K)^-1 K (q + dt/2 u); q becomes its value in the middle */
    for (int i = 0; i < n; i++) q[i] += 0.5 * dt * u[i];
    w[0] = -dt * (K[0] * q[0] + beside[0] * q[1]);
    for (int i = 1; i < n - 1; i++) w[i] = -dt * (beside[i - 1] * q[i - 1] + K[i] * q[i] + beside[i] * q[i + 1]);
    w[n - 1] = -dt * (beside[n - 2] * q[n - 2] + K[n - 1] * q[n - 1]);
    solve(n, bar->inverse, bar->L, w);
    for (int i = 0; i < n; i++) w[i] += u[i];
    /* the wall acts if the step would end in it; e = 0 */
    const double percussion = q[0] + 0.5 * dt * w[0] <= 0 && w[0] < 0 ? -w[0] / bar->wall[0] : 0;
    for (int i = 0; i < n; i++) {
      u[i] = w[i] + bar->wall[i] * percussion;
      q[i] += 0.5 * dt * u[i];
    }
  }
}

void bar_by_hand_end(bar_by_hand *bar) { free(bar->memory); }
