#include "woodpecker_by_hand.h"

#include "woodpecker_by_hand_step.h"

/* Inverse of a symmetric 3x3 matrix by cofactors. */
static void invert(const double M[3][3], double inverse[3][3]) {
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      const int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
      inverse[i][j] = M[a][c] * M[b][d] - M[a][d] * M[b][c];
    }
  }
  const double determinant = M[0][0] * inverse[0][0] + M[0][1] * inverse[1][0] + M[0][2] * inverse[2][0];
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) inverse[i][j] /= determinant;
  }
}

static void prepare_closed_set(const woodpecker_by_hand *toy, int mask, woodpecker_closed_set *set) {
  memset(set, 0, sizeof *set);
  for (int contact = 0; contact < 3; contact++) {
    if (mask & (1 << contact)) set->contact[set->count++] = contact;
  }
  for (int i = 0; i < 2 * set->count; i++) {
    const int row = 2 * set->contact[i / 2] + i % 2;
    for (int j = 0; j < 2 * set->count; j++) {
      set->G[i][j] = dot(toy->W[row], toy->inverse_mass_W[2 * set->contact[j / 2] + j % 2]);
    }
    set->inverse_diagonal[i] = 1 / set->G[i][i];
  }
  for (int k = 0; k < set->count; k++) set->rho[k] = 2 / (set->G[2 * k][2 * k] + set->G[2 * k + 1][2 * k + 1]);
  const double G_NN = set->G[0][0], G_NT = set->G[0][1], G_TT = set->G[1][1];
  const double determinant = G_NN * G_TT - G_NT * G_NT;
  set->stick[0] = G_TT / determinant;
  set->stick[1] = -G_NT / determinant;
  set->stick[2] = G_NN / determinant;
  set->slip[0] = 1 / (G_NN + friction * G_NT);
  set->slip[1] = 1 / (G_NN - friction * G_NT);
}

void woodpecker_by_hand_start(woodpecker_by_hand *toy, double dt, double tolerance) {
  const double q[3] = {0, -0.1036, -0.2788}, u[3] = {-0.3411, 0, -7.4583};
  const double M[3][3] = {{m_S + m_M, m_S * l_M, m_S * l_G},
                          {m_S * l_M, J_M + m_S * l_M * l_M, m_S * l_M * l_G},
                          {m_S * l_G, m_S * l_M * l_G, J_S + m_S * l_G * l_G}};
  const double W[6][3] = {{0, 0, -h_S}, {1, l_M, l_G - l_S}, {0, h_M, 0}, {1, r_M, 0}, {0, -h_M, 0}, {1, r_M, 0}};
  double inverse_mass[3][3];
  invert(M, inverse_mass);
  memset(toy, 0, sizeof *toy);
  toy->dt = dt;
  toy->tolerance = tolerance;
  memcpy(toy->q, q, sizeof q);
  memcpy(toy->u, u, sizeof u);
  memcpy(toy->W, W, sizeof W);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) toy->dt_inverse_mass[i][j] = dt * inverse_mass[i][j];
  }
  for (int row = 0; row < 6; row++) {
    for (int i = 0; i < 3; i++) toy->inverse_mass_W[row][i] = dot(inverse_mass[i], W[row]);
  }
  for (int mask = 1; mask < 8; mask++) prepare_closed_set(toy, mask, &toy->set[mask]);
}

void woodpecker_by_hand_run(woodpecker_by_hand *toy, long steps) {
  for (long k = 0; k < steps; k++) step(toy, false);
}
