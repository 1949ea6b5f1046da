/* The woodpecker toy (Glocker & Studer 2005, equations 14 to 16, Table I) written by hand in plain C, without Picus:
 * Moreau's midpoint rule, M inverted once, the Delassus matrix computed once, Gauss-Seidel on the closed contacts. It
 * is the measure of what a general library may cost. */
#ifndef PICUS_BENCH_WOODPECKER_BY_HAND_H
#define PICUS_BENCH_WOODPECKER_BY_HAND_H

/* A set of closed contacts with its part of the constant Delassus matrix; rows are normal, tangential, normal, ... */
typedef struct woodpecker_closed_set {
  int count;      /* closed contacts */
  int contact[3]; /* which */
  double G[6][6];
  double inverse_diagonal[6];
  double rho[3];            /* 1 / mean diagonal of the contact's block of G */
  double stick[3], slip[2]; /* one contact: inverse of its block (NN, NT, TT), P_N per -c_N when slipping */
} woodpecker_closed_set;

typedef struct woodpecker_statistics {
  long steps_with[4]; /* steps with 0, 1, 2, 3 closed contacts */
  long sweeps_with[4];
  long most_sweeps;
  long unfinished; /* contact problems given up after the largest number of sweeps */
  double worst_residual;
} woodpecker_statistics;

typedef struct woodpecker_by_hand {
  double dt, tolerance;
  double t, q[3], u[3]; /* y, phiM, phiS; v, omegaM, omegaS */
  double P[6];          /* last percussions: normal and tangential of beak, lower, upper */
  double dt_inverse_mass[3][3];
  double W[6][3];              /* rows: normal and tangential direction of each contact */
  double inverse_mass_W[6][3]; /* rows: M^-1 w */
  woodpecker_closed_set set[8];
  woodpecker_statistics statistics;
} woodpecker_by_hand;

/* At the start values of Table I. tolerance: on the natural map relative to the percussion scale, as in Picus. */
void woodpecker_by_hand_start(woodpecker_by_hand *toy, double dt, double tolerance);
void woodpecker_by_hand_run(woodpecker_by_hand *toy, long steps);
/* The same, with a single closed contact solved by its four cases instead of swept: the fastest we know how to write.
 */
void woodpecker_by_hand_run_by_cases(woodpecker_by_hand *toy, long steps);

#endif
