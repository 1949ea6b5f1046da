/* The percussion of smallest norm: closed forms, optimality conditions written down independently, honesty. */
#include "unit/solver_cases.h"

#include <stdio.h>

static picus_context *context;

static picus_status solve(contact_case *x, const char *name, bool minimum_norm) {
  picus_solver_options options = picus_default_solver_options();
  options.solver = name;
  options.minimum_norm = minimum_norm;
  return case_solve(x, context, options);
}

/* --- closed forms --------------------------------------------------------------------------------------------- */

static void two_redundant_supports(void) {
  static contact_case x;
  static const char *const names[] = {"auto", "direct", "gs", "psor", "pjor", "lemke", "newton", "admm", "homotopy"};
  for (int k = 0; k < 9; k++) {
    case_clear(&x);
    for (int i = 0; i < 2; i++) case_add(&x, PICUS_UNILATERAL, 1, 0);
    for (int i = 0; i < 4; i++) x.G[i] = 0.5;
    x.c[0] = x.c[1] = -1;
    x.P[1] = 1.9;
    if (!CHECK(solve(&x, names[k], true) == PICUS_OK && x.info.minimum_norm)) printf("  with %s\n", names[k]);
    CHECK_NEAR(x.P[0], 1, 1e-12);
    CHECK_NEAR(x.P[1], 1, 1e-12);
    CHECK(x.info.residual.relative <= 1e-12 && x.modes[0] == PICUS_STICK);
  }
}

/* Rows of G from bodies: G = W W^T for W with rows over few velocities (M = 1). */
static void from_rows(contact_case *x, int dof, double W[][6], const double *u) {
  int n = x->problem.size;
  for (int i = 0; i < n; i++) {
    x->c[i] = 0;
    for (int k = 0; k < dof; k++) x->c[i] += W[i][k] * u[k];
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < dof; k++) sum += W[i][k] * W[j][k];
      x->G[i * n + j] = sum;
    }
  }
}

/* A square table: equal loads under its middle; out of the middle the loads are a linear function of the place, the
 * shortest with the given force and moments, as long as none would have to pull. */
static void four_legged_table(void) {
  static contact_case x;
  static const double place[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  for (int k = 0; k < 20; k++) {
    double a = 0.02 * k, b = -0.01 * k, W[4][6] = {0}; /* where the load of 4 is */
    case_clear(&x);
    for (int i = 0; i < 4; i++) {
      case_add(&x, PICUS_UNILATERAL, 1, 0);
      W[i][0] = 1;
      W[i][1] = place[i][0];
      W[i][2] = place[i][1];
      x.P[i] = k % 2 ? 2.0 * (i % 2) : 0;
    }
    from_rows(&x, 3, W, (double[]){-4, -4 * a, -4 * b});
    CHECK(solve(&x, k % 3 ? "gs" : "auto", true) == PICUS_OK && x.info.minimum_norm);
    for (int i = 0; i < 4; i++) CHECK_NEAR(x.P[i], 1 + a * place[i][0] + b * place[i][1], 1e-11);
  }
}

/* A load near one leg, at (a, a): P = 1 + a x + a y would be negative at the leg opposite for a > 1/2. That one carries
 * nothing then, and force and moments fix the others: P_0 = 4 a, P_1 = P_3 = 2 - 2 a. */
static void a_leg_that_would_pull(void) {
  static contact_case x;
  double a = 0.8, W[4][6] = {{1, 1, 1}, {1, -1, 1}, {1, -1, -1}, {1, 1, -1}};
  case_clear(&x);
  for (int i = 0; i < 4; i++) case_add(&x, PICUS_UNILATERAL, 1, 0);
  from_rows(&x, 3, W, (double[]){-4, -4 * a, -4 * a});
  const double start[4] = {3.1, 0.5, 0, 0.5};
  memcpy(x.P, start, sizeof start);
  CHECK(solve(&x, "gs", true) == PICUS_OK && x.info.minimum_norm);
  const double P[4] = {4 * a, 2 - 2 * a, 0, 2 - 2 * a};
  for (int i = 0; i < 4; i++) CHECK_NEAR(x.P[i], P[i], 1e-11);
}

/* A block held by friction between two walls: the walls press no more than they must. */
static void block_between_walls(void) {
  static contact_case x;
  double mu = 0.4, weight = 2, W[4][6] = {{1, 0}, {0, 1}, {-1, 0}, {0, 1}};
  case_clear(&x);
  for (int i = 0; i < 2; i++) case_add(&x, PICUS_COULOMB, 2, mu);
  from_rows(&x, 2, W, (double[]){0, -weight});
  const double start[4] = {7, 1.7, 7, 0.3};
  memcpy(x.P, start, sizeof start);
  for (int i = 0; i < 2; i++) x.modes[i] = PICUS_STICK;
  CHECK(solve(&x, "psor", false) == PICUS_OK); /* it holds, with any pressure that is large enough */
  CHECK(x.P[0] > 6 && !x.info.minimum_norm);
  memcpy(x.P, start, sizeof start);
  CHECK(solve(&x, "psor", true) == PICUS_OK && x.info.minimum_norm);
  for (int i = 0; i < 2; i++) {
    CHECK_NEAR(x.P[2 * i], weight / 2 / mu, 1e-11);
    CHECK_NEAR(x.P[2 * i + 1], weight / 2, 1e-11);
  }
  CHECK(x.info.residual.relative <= 1e-12);
}

static void direct_agrees(void) {
  test_random random = {91};
  static contact_case x;
  static double P[CASE_ROWS];
  for (int round = 0; round < 200; round++) { /* bilateral: no inequality, direct returns the shortest */
    case_clear(&x);
    int laws = test_integer(&random, 3, 12);
    double W[CASE_ROWS][6] = {{0}}, u[6] = {0};
    for (int i = 0; i < laws; i++) {
      case_add(&x, PICUS_BILATERAL, 1, 0);
      for (int k = 0; k < 3; k++) W[i][k] = test_uniform(&random, -1, 1);
    }
    for (int k = 0; k < 3; k++) u[k] = test_uniform(&random, -1, 1);
    from_rows(&x, 3, W, u);
    CHECK(solve(&x, "direct", false) == PICUS_OK);
    memcpy(P, x.P, sizeof P);
    for (int k = 0; k < laws; k++) x.P[k] = test_uniform(&random, -1, 1);
    CHECK(solve(&x, "gs", true) == PICUS_OK && x.info.minimum_norm);
    CHECK(case_difference(laws, P, x.P) < 1e-9);
  }
}

/* --- random hyperstatic problems ------------------------------------------------------------------------------- */

/* A planar body with 3 or a spatial one with 6 velocities that falls on many contacts. */
static void body_on_contacts(contact_case *x, test_random *random, int dof, double mu, double W[][6]) {
  int dim = dof == 3 ? 2 : 3, contacts = test_integer(random, 4, dof == 3 ? 20 : 14);
  double u[6];
  case_clear(x);
  memset(W, 0, CASE_ROWS * sizeof *W);
  for (int i = 0; i < contacts; i++) { /* a point (a, b) of the base, at height -1 below the centre of mass */
    double a = test_uniform(random, -1, 1), b = test_uniform(random, -1, 1);
    double(*w)[6] = W + (ptrdiff_t)dim * i;
    case_add(x, PICUS_COULOMB, dim, mu);
    if (dim == 2) {
      w[0][1] = w[1][0] = w[1][2] = 1;
      w[0][2] = a;
      continue;
    }
    w[0][2] = w[1][0] = w[2][1] = 1;
    w[0][3] = b, w[0][4] = -a;
    w[1][4] = -1, w[1][5] = -b;
    w[2][3] = 1, w[2][5] = a;
  }
  for (int k = 0; k < dof; k++) u[k] = test_uniform(random, -0.2, 0.2);
  u[dim - 1] = -1;
  from_rows(x, dof, W, u);
}

/* Scale of a row: sqrt(G_ii), the mean of the diagonal for rows that share a ball. */
static double scale_of(const contact_case *x, int law, int first, int k) {
  int n = x->problem.size;
  if (k == 0) return sqrt(x->G[first * (n + 1)]);
  double sum = 0;
  for (int l = 1; l < x->laws[law].dim; l++) sum += x->G[(first + l) * (n + 1)];
  return sqrt(sum / (x->laws[law].dim - 1));
}

/* Small normal equations by elimination. */
static void solve_small(int n, double A[6][6], double *b) {
  for (int k = 0; k < n; k++) {
    if (!(fabs(A[k][k]) > 1e-13)) A[k][k] += 1; /* a velocity that no equation sees */
    for (int i = k + 1; i < n; i++) {
      double f = A[i][k] / A[k][k];
      for (int j = k; j < n; j++) A[i][j] -= f * A[k][j];
      b[i] -= f * b[k];
    }
  }
  for (int k = n - 1; k >= 0; k--) {
    for (int j = k + 1; j < n; j++) b[k] -= A[k][j] * b[j];
    b[k] /= A[k][k];
  }
}

/* One condition e . (w - p) = 0, or >= 0 ... of the optimality system: w lies in the rows of W, scaled. */
typedef struct condition {
  int law, first;
  double e[4];
  bool outward; /* e . (w - p) >= 0 instead of = 0 */
} condition;

/* p is the projection of some w in the row space: which conditions that means for one law. */
static int conditions_of(const contact_case *x, int law, int first, const double *p, const double *xi,
                         condition *list) {
  int dim = x->laws[law].dim, count = 0;
  double mu = x->laws[law].radius * scale_of(x, law, first, 1) / scale_of(x, law, first, 0), slip = 0, friction = 0;
  for (int k = 1; k < dim; k++) {
    slip = hypot(slip, xi[k]);
    friction = hypot(friction, p[k]);
  }
  condition one = {.law = law, .first = first};
  if (xi[0] > 1e-9 || p[0] < 1e-9) return 0; /* open, or the tip of the cone: checked by the caller */
  if (slip > 1e-9) {                         /* one unknown along (1, - mu n) */
    one.e[0] = 1;
    for (int k = 1; k < dim; k++) one.e[k] = -mu * xi[k] / slip;
    list[count++] = one;
    return count;
  }
  bool boundary = friction > mu * p[0] - 1e-9;
  for (int k = 0; k < dim; k++) { /* all directions, or those along the cone */
    condition c = {.law = law, .first = first};
    c.e[k] = 1;
    if (boundary && k == 0) {
      c.e[0] = 1;
      for (int l = 1; l < dim; l++) c.e[l] = mu * p[l] / friction;
    } else if (boundary && dim == 2)
      continue;
    else if (boundary)
      for (int l = 1; l < dim; l++) c.e[l] -= p[k] * p[l] / (friction * friction);
    list[count++] = c;
  }
  if (boundary) {
    one.e[0] = -mu;
    for (int l = 1; l < dim; l++) one.e[l] = p[l] / friction;
    one.outward = true;
    list[count++] = one;
  }
  return count;
}

/* Largest violation of the conditions for the w that fits the equations best. */
static double optimality_error(const contact_case *x, int dof, double W[][6]) {
  static condition list[4 * CASE_LAWS];
  double xi[CASE_ROWS], p[CASE_ROWS], A[6][6] = {{0}}, y[6] = {0}, worst = 0;
  int count = 0;
  picus_contact_residual(&x->problem, x->P, xi);
  for (int i = 0, row = 0; i < x->problem.law_count; row += x->laws[i++].dim) {
    for (int k = 0; k < x->laws[i].dim; k++) p[row + k] = x->P[row + k] * scale_of(x, i, row, k);
    count += conditions_of(x, i, row, p + row, xi + row, list + count);
  }
  for (int pass = 0; pass < 2; pass++)
    for (int c = 0; c < count; c++) {
      double g[6] = {0}, value = 0;
      for (int k = 0; k < x->laws[list[c].law].dim; k++) {
        int row = list[c].first + k;
        for (int d = 0; d < dof; d++) g[d] += list[c].e[k] * W[row][d] / scale_of(x, list[c].law, list[c].first, k);
        value += list[c].e[k] * p[row];
      }
      if (pass == 1) {
        double off = -value;
        for (int d = 0; d < dof; d++) off += g[d] * y[d];
        worst = fmax(worst, list[c].outward ? -off : fabs(off));
      } else if (!list[c].outward)
        for (int d = 0; d < dof; d++) {
          y[d] += g[d] * value;
          for (int j = 0; j < dof; j++) A[d][j] += g[d] * g[j];
        }
      if (pass == 0 && c == count - 1) solve_small(dof, A, y);
    }
  return worst;
}

static double norm_of(const contact_case *x, const double *P) {
  double sum = 0;
  for (int i = 0, row = 0; i < x->problem.law_count; row += x->laws[i++].dim)
    for (int k = 0; k < x->laws[i].dim; k++) sum += pow(P[row + k] * scale_of(x, i, row, k), 2);
  return sqrt(sum);
}

static void random_bodies(void) {
  test_random random = {92};
  static contact_case x;
  static double W[CASE_ROWS][6], P[CASE_ROWS], xi[2][CASE_ROWS];
  double worst = 0, moved = 0, saved = 0;
  int found = 0, rounds = 200;
  for (int round = 0; round < rounds; round++) {
    int dof = round % 2 ? 6 : 3;
    body_on_contacts(&x, &random, dof, round % 4 < 2 ? 0.3 : 0, W);
    for (int k = 0; k < x.problem.size; k++) x.P[k] = test_uniform(&random, 0, 1);
    if (!CHECK(solve(&x, round % 3 ? "gs" : "newton", false) == PICUS_OK)) continue;
    memcpy(P, x.P, sizeof P);
    picus_contact_residual(&x.problem, P, xi[0]);
    CHECK(solve(&x, "gs", true) == PICUS_OK); /* starts from a solution: stays, and shortens it */
    picus_contact_residual(&x.problem, x.P, xi[1]);
    CHECK(x.info.residual.relative <= 1e-12);
    if (!CHECK(x.info.minimum_norm)) continue;
    found++;
    for (int k = 0; k < x.problem.size; k++) moved = fmax(moved, fabs(xi[1][k] - xi[0][k]));
    CHECK(norm_of(&x, x.P) <= norm_of(&x, P) * (1 + 1e-12));
    saved += 1 - norm_of(&x, x.P) / norm_of(&x, P);
    double error = optimality_error(&x, dof, W);
    if (!CHECK(error < 1e-8)) printf("  round %d (%d velocities, %d rows): %g\n", round, dof, x.problem.size, error);
    worst = fmax(worst, error);
    for (int other = 0; other < 3; other++) { /* convex: no other solution with these velocities is shorter */
      static contact_case y;
      y = x;
      y.problem.laws = y.laws, y.problem.G = y.G, y.problem.c = y.c;
      for (int k = 0; k < x.problem.size; k++) y.P[k] = x.P[k] + test_uniform(&random, -0.3, 0.3);
      if (solve(&y, "psor", false) != PICUS_OK) continue;
      double eta[CASE_ROWS], different = 0;
      picus_contact_residual(&y.problem, y.P, eta);
      for (int k = 0; k < x.problem.size; k++) different = fmax(different, fabs(eta[k] - xi[1][k]));
      if (different < 1e-10) CHECK(norm_of(&x, y.P) >= norm_of(&x, x.P) * (1 - 1e-9));
    }
  }
  printf("  %d of %d: optimality %.1e, velocities moved by %.1e, norm shorter by %.0f %% on average\n", found, rounds,
         worst, moved, 100 * saved / found);
  CHECK(moved < 1e-10);
}

/* From whatever start: where the velocities are unique (no friction), so is the shortest percussion. */
static void the_start_does_not_matter(void) {
  test_random random = {93};
  static contact_case x;
  static double W[CASE_ROWS][6], P[CASE_ROWS];
  double worst = 0;
  for (int round = 0; round < 60; round++) {
    body_on_contacts(&x, &random, round % 2 ? 6 : 3, 0, W);
    for (int start = 0; start < 4; start++) {
      for (int k = 0; k < x.problem.size; k++) x.P[k] = start ? test_uniform(&random, 0, 1) : 0;
      static const char *const names[] = {"auto", "gs", "newton", "homotopy"};
      CHECK(solve(&x, names[start], true) == PICUS_OK && x.info.minimum_norm);
      if (start == 0) memcpy(P, x.P, sizeof P);
      worst = fmax(worst, case_difference(x.problem.size, P, x.P));
    }
  }
  printf("  largest difference %.1e\n", worst);
  CHECK(worst < 1e-8);
}

/* Unique percussions stay as they are, up to the tolerance; large and unsolved problems are told. */
static void nothing_to_choose(void) {
  test_random random = {94};
  static contact_case x;
  double P[CASE_ROWS], worst = 0;
  for (int round = 0; round < 200; round++) {
    case_clear(&x);
    for (int i = 0; i < 4; i++) case_add_random(&x, &random, 0.2, true);
    case_random_G(&x, &random, 2 * x.problem.size + 2);
    case_random_c(&x, &random);
    CHECK(solve(&x, "gs", false) == PICUS_OK);
    memcpy(P, x.P, sizeof P);
    case_cold(&x);
    CHECK(solve(&x, "gs", true) == PICUS_OK && x.info.minimum_norm && case_error(&x, x.P) < 4e-12);
    worst = fmax(worst, case_difference(x.problem.size, P, x.P));
  }
  CHECK(worst < 1e-9);
  case_clear(&x);
  for (int i = 0; i < 2; i++) case_add(&x, PICUS_UNILATERAL, 1, 0);
  x.G[0] = x.G[3] = 1, x.G[1] = x.G[2] = -1;
  x.c[0] = x.c[1] = -1;
  CHECK(solve(&x, "auto", true) == PICUS_NO_SOLUTION && !x.info.minimum_norm);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"two_redundant_supports", two_redundant_supports},
      {"four_legged_table", four_legged_table},
      {"a_leg_that_would_pull", a_leg_that_would_pull},
      {"block_between_walls", block_between_walls},
      {"direct_agrees", direct_agrees},
      {"random_bodies", random_bodies},
      {"the_start_does_not_matter", the_start_does_not_matter},
      {"nothing_to_choose", nothing_to_choose},
  };
  if (picus_context_create(NULL, &context) != PICUS_OK) return 1;
  int result = test_main(argc, argv, "solver_minimum_norm", cases, (int)(sizeof cases / sizeof *cases));
  picus_context_destroy(context);
  return result;
}
