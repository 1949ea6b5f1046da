/* The contact problems of the woodpecker toy (Glocker, Studer 2005, Table I and eq. 14 to 16): its mass matrix is far
 * from diagonal and its contacts couple normal and tangential motion strongly. */
#include "unit/solver_cases.h"

#include <stdio.h>

static picus_context *context;

enum { CONTACTS = 3 };
static const double rM = 0.0031, hM = 0.0058, lM = 0.010, lG = 0.015, hS = 0.02, lS = 0.0201, mM = 0.0003, mS = 0.0045,
                    JM = 5.0e-9, JS = 7.0e-7, c_phi = 0.0056, g = 9.81, mu = 0.3;
static const double eN[CONTACTS] = {0.5, 0, 0};

/* x = M^-1 y by Cramer's rule. */
static void divide_by_mass(const double y[3], double x[3]) {
  const double M[3][3] = {{mS + mM, mS * lM, mS * lG},
                          {mS * lM, JM + mS * lM * lM, mS * lM * lG},
                          {mS * lG, mS * lM * lG, JS + mS * lG * lG}};
  double cofactor[3][3], determinant = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      int a = (i + 1) % 3, b = (i + 2) % 3, d = (j + 1) % 3, e = (j + 2) % 3;
      cofactor[i][j] = M[a][d] * M[b][e] - M[a][e] * M[b][d];
    }
  for (int j = 0; j < 3; j++) determinant += M[0][j] * cofactor[0][j];
  for (int i = 0; i < 3; i++) {
    x[i] = 0;
    for (int j = 0; j < 3; j++) x[i] += cofactor[j][i] * y[j] / determinant;
  }
}

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* Force directions: normal and tangential of each contact. */
static void directions(double W[2 * CONTACTS][3]) {
  const double w[2 * CONTACTS][3] = {{0, 0, -hS}, {1, lM, lG - lS}, {0, hM, 0}, {1, rM, 0}, {0, -hM, 0}, {1, rM, 0}};
  memcpy(W, w, sizeof w);
}

/* The problem of one step of Moreau's midpoint rule with the contacts listed (counted from 0) closed. */
static void build(contact_case *x, int count, const int *contacts, const double q[3], const double u[3], double dt) {
  double W[2 * CONTACTS][3], Minv_w[3], Minv_h[3];
  directions(W);
  case_clear(x);
  for (int k = 0; k < count; k++) case_add(x, PICUS_COULOMB, 2, mu);
  int n = x->problem.size;
  const double h[3] = {-(mS + mM) * g, -c_phi * (q[1] - q[2]) - mS * lM * g, -c_phi * (q[2] - q[1]) - mS * lG * g};
  divide_by_mass(h, Minv_h);
  for (int j = 0; j < n; j++) {
    const double *w = W[2 * contacts[j / 2] + j % 2];
    double e = j % 2 == 0 ? eN[contacts[j / 2]] : 0;
    divide_by_mass(w, Minv_w);
    for (int i = 0; i < n; i++) x->G[i * n + j] = dot(W[2 * contacts[i / 2] + i % 2], Minv_w);
    x->c[j] = (1 + e) * dot(w, u) + dot(w, Minv_h) * dt;
  }
}

typedef struct statistics {
  double P_difference, xi_difference, error, coupling;
  long sweeps;
  int most_sweeps, solves, redundant;
} statistics;

/* Two contacts that come to rest have four equations for three velocities: the percussions are not unique then, but
 * the motion is. */
static bool is_redundant(int size, const double *xi, double largest_c) {
  for (int k = 0; k < size; k++)
    if (fabs(xi[k]) > 1e-9 * largest_c) return false;
  return size > 3;
}

static double strongest_coupling(const contact_case *x) {
  int n = x->problem.size;
  double strongest = 0;
  for (int i = 0; i < n; i += 2)
    strongest =
        fmax(strongest, x->G[i * n + i + 1] * x->G[i * n + i + 1] / (x->G[i * n + i] * x->G[(i + 1) * (n + 1)]));
  return strongest;
}

static void compare_solvers(contact_case *x, statistics *s) {
  static const char *const names[] = {"direct", "psor", "lemke"};
  double P[3][CASE_ROWS], xi[3][CASE_ROWS], largest_c = 0;
  int n = x->problem.size;
  for (int k = 0; k < n; k++) largest_c = fmax(largest_c, fabs(x->c[k]));
  for (int k = 0; k < 3; k++) {
    picus_solver_options options = picus_default_solver_options();
    options.solver = names[k];
    options.no_fallback = true;
    case_cold(x);
    CHECK(case_solve(x, context, options) == PICUS_OK);
    s->error = fmax(s->error, case_error(x, x->P));
    memcpy(P[k], x->P, sizeof x->P);
    picus_contact_residual(&x->problem, x->P, xi[k]);
    if (k != 1) continue;
    s->sweeps += x->info.iterations;
    if (x->info.iterations > s->most_sweeps) s->most_sweeps = x->info.iterations;
  }
  bool redundant = is_redundant(n, xi[0], largest_c);
  for (int k = 1; k < 3; k++) {
    for (int i = 0; i < n; i++) s->xi_difference = fmax(s->xi_difference, fabs(xi[k][i] - xi[0][i]) / largest_c);
    if (!redundant) s->P_difference = fmax(s->P_difference, case_difference(n, P[0], P[k]));
  }
  s->redundant += redundant;
  s->coupling = strongest_coupling(x);
  s->solves++;
}

static void random_velocities(int count, const int *contacts, const char *name) {
  static contact_case x;
  test_random random = {2005};
  statistics s = {0};
  for (int round = 0; round < 2000; round++) {
    double q[3] = {0, test_uniform(&random, -0.1036, 0.1036), test_uniform(&random, -0.3, 0.3)};
    double u[3] = {test_uniform(&random, -0.5, 0.5), test_uniform(&random, -20, 20), test_uniform(&random, -20, 20)};
    build(&x, count, contacts, q, u, pow(10, test_uniform(&random, -6, -4)));
    if (round % 4 == 0) /* at rest but for what the forces of one step do */
      build(&x, count, contacts, q, (double[3]){0, 0, 0}, 1e-5);
    compare_solvers(&x, &s);
  }
  printf("  %s: psor sweeps mean %.1f, most %d; coupling G_NT^2 / (G_NN G_TT) = %.3f\n"
         "  differences of xi %.1e, of P %.1e (not unique in %d of %d)\n",
         name, (double)s.sweeps / s.solves, s.most_sweeps, s.coupling, s.xi_difference, s.P_difference, s.redundant,
         s.solves);
  CHECK(s.P_difference < 1e-10);
  CHECK(s.xi_difference < 1e-10);
  CHECK(s.error < 1e-11);
  CHECK(s.redundant < s.solves / 2);
  CHECK(s.most_sweeps < 100);
}

static void beak(void) { random_velocities(1, (int[]){0}, "contact 1"); }
static void lower_sleeve(void) { random_velocities(1, (int[]){1}, "contact 2"); }
static void upper_sleeve(void) { random_velocities(1, (int[]){2}, "contact 3"); }
static void lower_sleeve_and_beak(void) { random_velocities(2, (int[]){1, 0}, "contacts 2 and 1"); }
static void upper_sleeve_and_beak(void) { random_velocities(2, (int[]){2, 0}, "contacts 3 and 1"); }

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"beak", beak},
      {"lower_sleeve", lower_sleeve},
      {"upper_sleeve", upper_sleeve},
      {"lower_sleeve_and_beak", lower_sleeve_and_beak},
      {"upper_sleeve_and_beak", upper_sleeve_and_beak},
  };
  if (picus_context_create(NULL, &context) != PICUS_OK) return 1;
  int result = test_main(argc, argv, "solver_woodpecker", cases, (int)(sizeof cases / sizeof *cases));
  picus_context_destroy(context);
  return result;
}
